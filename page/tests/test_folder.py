"""Tests of the page as a folder of files (`make page`): the library runs in the browser, or an error is shown."""

import gzip
import json
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest

import knightstour as kt
from helpers.clicks import click_square
from tests.conftest import Host, Look
from tests.hosting import SUBFOLDER

pytestmark = pytest.mark.hosts

VERDICT = "#answer .verdict"


@pytest.fixture(scope="module")
def visit(browser: Any, host: Host) -> Iterator[Look]:
    """Open the page and wait for the library."""
    context = browser.new_context(viewport={"width": 1280, "height": 850}, reduced_motion="reduce")
    look = Look(host.address, context)
    look.page.locator('html[data-engine="browser"]').wait_for(state="attached", timeout=120_000)
    yield look
    assert look.wrong == []
    context.close()


def ask(page: Any, path: str, body: dict[str, Any] | None) -> Any:
    """Return the library's response, without the stored ones."""
    script = """async ([path, body]) => {
      const worker = (window.testWorker ??= new Worker("engine/worker.js", { type: "module" }));
      const parts = [];
      let status = 0;
      await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => {
          if (data.kind === "head") status = data.status;
          else if (data.kind === "part") parts.push(new TextDecoder().decode(data.bytes));
          else if (data.kind === "end") resolve();
          else if (data.kind === "failed") reject(new Error(data.reason));
        };
        worker.postMessage({ name: path, body: JSON.stringify(body), maySearch: true });
      });
      return [status, parts.join("")];
    }"""
    return page.evaluate(script, [path, body])


def test_the_first_tour_is_there_before_the_library_is(browser, host, expect):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    # The library never comes.
    page.route("**/engine/**", lambda route: route.abort())
    page.goto(host.address)
    expect(page.locator(".entry.given").first).to_be_visible()
    assert page.locator("html").get_attribute("data-engine") == "starting"
    assert page.locator("[data-board]").count() == 1
    assert len([url for url in asked if "/engine/" not in url]) <= 15
    page.goto(f"{host.address}#8&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    expect(page.locator('#answer[data-answer="found"]')).to_be_visible()
    assert len([url for url in asked if "/engine/" not in url]) <= 15
    expect(page.locator(".engine-line")).to_contain_text("does not start in this browser")
    # Hints of the puzzles of a day need no library.
    page.goto(f"{host.address}#puzzle")
    three = page.locator("#drawers").get_by_role("radio")
    expect(three).to_have_count(3)
    for k in range(3):
        three.nth(k).check()
        expect(page.locator(".entry:is(.given, .ring)").first).to_be_visible()
        for step in ("Look at", "Look at", "belongs on"):
            page.get_by_role("button", name="Hint").click()
            expect(page.locator(VERDICT)).to_contain_text(step)
        page.get_by_role("button", name="Put it there").click()
        expect(page.locator(".hinted")).to_have_count(0)
        assert page.locator(".entry.own").count() == 1
    assert page.locator("html").get_attribute("data-engine") == "starting"
    context.close()


def test_daily_puzzle_needs_no_library(browser, host, expect):
    made = kt.puzzles.puzzle_of_day(date.today(), "first")
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.route("**/engine/**", lambda route: route.abort())
    page.goto(host.address)
    expect(page.locator(".entry.given").first).to_be_visible()
    squares = [tuple(square) for square in made.solution.squares.tolist()]
    least = squares.index(min(made.given, key=lambda square: made.given[square]))
    # Upwards first; then round again, or downwards.
    for square in [*squares[least:], *(squares[:least] if made.closed else squares[:least][::-1])]:
        if square not in made.given:
            click_square(page, made.board.square_name(square), made.board.rows, made.board.cols)
    expect(page.locator(VERDICT)).to_contain_text("knot is tied")
    assert page.locator("svg.board .knot-line").count() == len(squares) - (not made.closed)
    assert page.locator("html").get_attribute("data-engine") == "starting"
    context.close()


def test_nothing_comes_from_elsewhere_and_the_library_answers(visit, expect):
    page = visit.show("6x7&c=1")
    expect(page.locator('#answer[data-answer="found"]')).to_be_visible()
    assert kt.Tour.from_array(visit.tour(), (6, 7)).is_closed
    page = visit.show("4x8&c=1")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 4×8 board")
    expect(page.locator("#answer")).to_have_attribute("data-answer", "impossible")
    visit.show("help")
    guide = page.locator("dialog a").first.evaluate("(link) => link.href")
    assert visit.context.request.get(guide).ok


MONDAY = date.today() - timedelta(date.today().weekday())
KEPT_NAMES = """async () => {
  const name = (await caches.keys()).find((each) => each.startsWith("knightstour "));
  const requests = await (await caches.open(name)).keys();
  return requests.map(({ url }) => url.split("/").pop());
}"""


def test_a_week_of_puzzles_is_a_small_file(folder):
    for path in (folder / SUBFOLDER / "answers").glob("puzzles-*.json"):
        assert len(gzip.compress(path.read_bytes())) < 20_000


def test_the_second_visit_needs_no_network(browser, folder, expect):
    host = Host(folder)
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(host.address)
    page.locator('html[data-engine="browser"]').wait_for(state="attached", timeout=120_000)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    # Files loaded before the cache existed are loaded again.
    page.reload()
    page.locator('html[data-engine="browser"]').wait_for(state="attached", timeout=120_000)
    kept = page.evaluate(KEPT_NAMES)
    weeks = sorted(path.name for path in (folder / SUBFOLDER / "answers").glob("puzzles-*.json"))
    assert f"puzzles-{MONDAY:%Y%m%d}.json" in kept
    assert f"puzzles-{MONDAY + timedelta(7):%Y%m%d}.json" in kept
    # Puzzles of distant weeks are not among them.
    assert len(weeks) > 156 > 20 > sum(name in weeks for name in kept)
    host.close()
    page.goto(f"{host.address}#7&c=0")
    page.reload()
    page.locator('html[data-engine="browser"]').wait_for(state="attached", timeout=120_000)
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 7×7 board")
    status, text = ask(page, "solve", {"board": "6x6", "method": "rotation", "seed": 1})
    assert status == 200
    assert json.loads(text)["status"] == "found"
    context.close()


# ---------------------------------------------------------------- missing files


Prepare = Callable[[Any], None]
READY = 'html[data-engine="browser"]'


def in_worker(code: str) -> Prepare:
    """Run code in the worker of the library before anything else."""

    def change(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{code}\n{answer.text()}")

    return lambda context: context.route("**/engine/worker.js", change)


def of_file(name: str, change: Callable[[bytes], bytes] | None) -> Prepare:
    """Change a file of the library in transit, or return 404."""

    def answer(route: Any) -> None:
        if change is None:
            route.fulfill(status=404, body="not found")
        else:
            found = route.fetch()
            route.fulfill(response=found, body=change(found.body()))

    return lambda context: context.route(f"**/engine/{name}", answer)


def flipped(data: bytes) -> bytes:
    """Change one bit in the middle."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


BAD_LUCK: dict[str, Prepare] = {
    "no page may have workers": lambda context: context.add_init_script("delete globalThis.Worker"),
    "the worker is blocked": lambda context: context.route("**/engine/worker.js", lambda route: route.abort()),
    "no WebAssembly": in_worker("delete globalThis.WebAssembly;"),
    "no memory": in_worker('WebAssembly.Memory = class { constructor() { throw new RangeError("no memory"); } };'),
    "the list is not there": of_file("parts.json", None),
    "a pack is not there": of_file("numpy.pack", None),
    "the frame of Python is not there": of_file("pyodide/pyodide.asm.js", None),
    "another file with the same length came": of_file("python.pack", flipped),
    "half of the program came": of_file("pyodide/pyodide.asm.wasm", lambda data: data[: len(data) // 2]),
}


@pytest.mark.parametrize("luck", BAD_LUCK)
def test_failed_library_is_reported_and_the_rest_works(luck, browser, host, expect):
    # Cached files are not requested, so the cache is empty here.
    context = browser.new_context(reduced_motion="reduce", service_workers="block")
    BAD_LUCK[luck](context)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(host.address)
    line = page.locator(".engine-line")
    expect(line).to_have_text("The library does not start in this browser. Reload the page, or install knightstour.")
    assert page.locator(".engine-line").count() == 1
    # A tour that was made with the page, and a puzzle of the day.
    page.goto(f"{host.address}#8&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board")
    page.goto(f"{host.address}#puzzle")
    expect(page.locator("[data-board]")).to_be_visible()
    # Requests that need the library get the same error.
    page.goto(f"{host.address}#9x10&c=1")
    expect(page.locator("#side")).to_contain_text("The library does not start in this browser")
    assert wrong == []
    context.close()


def test_library_answers_without_storage(browser, host, expect):
    context = browser.new_context(reduced_motion="reduce")
    context.add_init_script(
        """
        const refused = { get() { throw new DOMException("refused", "SecurityError"); } };
        for (const name of ["localStorage", "sessionStorage", "caches"]) Object.defineProperty(window, name, refused);
        Object.defineProperty(Navigator.prototype, "serviceWorker", { get: () => undefined });
        """
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{host.address}#6x7&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 6×7 board")
    expect(page.locator(READY)).to_be_attached()
    assert wrong == []
    context.close()


def test_incomplete_cached_file_is_fetched_again(browser, host, expect):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(host.address)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    spoil = """async () => {
      const name = (await caches.keys()).find((each) => each.startsWith("knightstour "));
      const cache = await caches.open(name);
      await cache.put(new URL("engine/numpy.pack", location.href).href, new Response("half of it"));
    }"""
    page.evaluate(spoil)
    page.reload()
    expect(page.locator(".engine-line")).to_contain_text("does not start in this browser")
    page.reload()
    page.locator(READY).wait_for(state="attached")
    expect(page.locator(".engine-line")).to_have_count(0)
    context.close()
