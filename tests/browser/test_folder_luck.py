"""The page as a folder of files where the library does not come or does not start: one sentence says so, what needs no
library goes on working, and the next visit mends what was broken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Prepare = Callable[[Any], None]
READY = 'html[data-engine="browser"]'


def in_worker(code: str) -> Prepare:
    """Run code in the worker of the library before anything else."""

    def change(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=f"{code}\n{answer.text()}")

    return lambda context: context.route("**/engine/worker.js", change)


def of_file(name: str, change: Callable[[bytes], bytes] | None) -> Prepare:
    """Change a file of the library on its way, or answer that it is not there."""

    def answer(route: Any) -> None:
        if change is None:
            route.fulfill(status=404, body="not found")
        else:
            found = route.fetch()
            route.fulfill(response=found, body=change(found.body()))

    return lambda context: context.route(f"**/engine/{name}", answer)


def flipped(data: bytes) -> bytes:
    """With one bit changed in the middle."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


BAD_LUCK: dict[str, Prepare] = {
    "no page may have workers": lambda context: context.add_init_script("delete globalThis.Worker"),
    "the worker is blocked": lambda context: context.route("**/engine/worker.js", lambda route: route.abort()),
    "no WebAssembly": in_worker("delete globalThis.WebAssembly;"),
    "no memory": in_worker('WebAssembly.Memory = class { constructor() { throw new RangeError("no memory"); } };'),
    "the list is not there": of_file("parts.json", None),
    "a pack is not there": of_file("numpy.pack", None),
    "the program of Python is not there": of_file("pyodide/pyodide.asm.wasm", None),
    "the frame of Python is not there": of_file("pyodide/pyodide.asm.js", None),
    "half of a pack came": of_file("knightstour.pack", lambda data: data[: len(data) // 2]),
    "another file with the same length came": of_file("python.pack", flipped),
    "half of the program came": of_file("pyodide/pyodide.asm.wasm", lambda data: data[: len(data) // 2]),
}


@pytest.mark.parametrize("luck", BAD_LUCK)
def test_one_sentence_says_that_the_library_does_not_start_and_the_rest_works(luck, browser, host, expect):
    # The files that are kept are not asked for, so nothing is kept here.
    context = browser.new_context(reduced_motion="reduce", service_workers="block")
    BAD_LUCK[luck](context)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(host.address)
    line = page.locator(".engine-line")
    expect(line).to_have_text(
        "The library does not start in this browser. Load the page again, or install knightstour and ask there."
    )
    assert page.locator(".engine-line").count() == 1
    # A tour that was made with the page, and a puzzle of the day.
    page.goto(f"{host.address}#8&c=1")
    expect(page.locator("#answer .verdict")).to_have_text("Closed tour of the 8×8 board")
    page.goto(f"{host.address}#puzzle")
    expect(page.locator("[data-board]")).to_be_visible()
    # What only the library knows is answered with the same sentence.
    page.goto(f"{host.address}#9x10&c=1")
    expect(page.locator("#side")).to_contain_text("The library does not start in this browser")
    assert wrong == []
    context.close()


def test_where_storage_is_refused_the_library_answers_all_the_same(browser, host, expect):
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


def test_a_kept_file_that_is_not_whole_is_fetched_again_by_the_next_visit(browser, host, expect):
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
