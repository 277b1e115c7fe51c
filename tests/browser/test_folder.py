"""The page as a folder of files (`make page`): the library runs in the browser, and no server answers.

It is built once for these tests and served from a subfolder by Python's own web server. Where its parts cannot be had
(Node, npm or the wheel of NumPy for Pyodide), the tests are skipped and say which.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

import knightstour as kt
from browser.conftest import Host, Look
from knightstour.lab.puzzles.daily import puzzle_of_day

VERDICT = "#answer .verdict"


@pytest.fixture(scope="module")
def visit(browser: Any, host: Host) -> Iterator[Look]:
    """A visitor's page, once its library is there."""
    context = browser.new_context(viewport={"width": 1280, "height": 850}, reduced_motion="reduce")
    look = Look(host.address, context)
    look.page.locator('html[data-engine="browser"]').wait_for(state="attached", timeout=120_000)
    yield look
    assert look.wrong == []
    context.close()


def ask(page: Any, path: str, body: dict[str, Any] | None) -> Any:
    """What the library in the browser answers to a question, past the answers that were made with the page."""
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
    expect(page.locator(".board-box")).to_have_attribute(
        "aria-label", "8×8 board, 64 squares, closed tour from c6 to d8"
    )
    assert page.locator("html").get_attribute("data-engine") == "starting"
    assert page.locator("[data-board]").count() == 1
    assert len([url for url in asked if "/engine/" not in url]) <= 15
    page.goto(f"{host.address}#8&c=1")
    expect(page.locator(VERDICT)).to_have_text("Closed tour of the 8×8 board")
    expect(page.locator('#answer[data-answer="found"]')).to_be_visible()
    assert len([url for url in asked if "/engine/" not in url]) <= 15
    # What cannot be had says so in a sentence.
    expect(page.locator(".engine-line")).to_contain_text("does not start in this browser")
    context.close()


def test_nothing_comes_from_elsewhere_and_the_library_answers(visit, expect):
    page = visit.show("6x7&c=1")
    expect(page.locator('#answer[data-answer="found"]')).to_be_visible()
    assert kt.Tour.from_order((6, 7), visit.tour()).is_closed
    page = visit.show("4x8&c=1")
    expect(page.locator(VERDICT)).to_have_text("There is no closed tour of the 4×8 board")
    expect(page.locator("#answer")).to_have_attribute("data-answer", "impossible")


def test_the_puzzle_of_the_day_is_that_of_the_library(visit, expect):
    page = visit.show("8&v=puzzle")
    expect(page.locator("[data-board]")).to_be_visible()
    before = datetime.now(UTC).date()
    script = """async () => {
      const seed = Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
      const file = await fetch(`answers/puzzles-${Math.floor(seed / 100)}.json`);
      const isOfDay = (name) => name.includes(`"seed":${seed}`) && name.includes(`"level":"easy"`);
      const isEasy = (name) => isOfDay(name) && !name.includes("wrap");
      return Object.entries(await file.json()).find(([name]) => isEasy(name))[1][0];
    }"""
    found = kt.puzzles.parse_puzzle(json.dumps(page.evaluate(script)))
    assert found in [puzzle_of_day(day) for day in {before, datetime.now(UTC).date()}]


def test_a_search_that_is_given_up_leaves_a_worker_for_the_next_question(visit, expect):
    page = visit.show("5&c=1&v=count")
    visit.show("9x9&m=backtracking&s=3&a=a1&e=b1")
    visit.show("6&c=1")
    expect(page.locator('#answer[data-answer="found"]')).to_be_visible()


def test_the_second_visit_needs_no_network(browser, folder, expect):
    host = Host(folder)
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(host.address)
    page.locator('html[data-engine="browser"]').wait_for(state="attached", timeout=120_000)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    # What came before the files were kept comes once more.
    page.reload()
    page.locator('html[data-engine="browser"]').wait_for(state="attached", timeout=120_000)
    host.close()
    page.goto(f"{host.address}#7&c=0")
    page.reload()
    page.locator('html[data-engine="browser"]').wait_for(state="attached", timeout=120_000)
    expect(page.locator(VERDICT)).to_have_text("Open tour of the 7×7 board")
    status, text = ask(page, "solve", {"board": "6x6", "method": "rotation", "seed": 1})
    assert status == 200
    assert json.loads(text)["status"] == "found"
    context.close()
