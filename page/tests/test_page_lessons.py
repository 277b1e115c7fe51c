"""Tests of explanations of searches: a sentence per step, pseudocode, and counters."""

import json
import re

import pytest

import knightstour as kt
from helpers.watched import WATCHED, watched_id
from knightstour.core.methods.table import METHODS
from knightstour.core.model.sentences import moment_record, sentence
from knightstour.core.model.trace import COUNTERS, Trace, View, replay
from knightstour.interfaces.web import answers
from tests.test_page_watch import frames_of, recorded, seek

WARNSDORFF = "8&v=watch&a=a1&r=1&m=warnsdorff"
BACKTRACKING = "5&v=watch&a=e1&r=1&m=backtracking"
SAT = "8&v=watch&c=1&r=1&m=sat"

# Sentence of the page for each event.
SAID = """async ([modules, words, events]) => {
  const { sentenceOf } = await import(`${modules}/views/explore/sentences.js`);
  return events.map((event) => sentenceOf(words.sentences, event));
}"""


@pytest.mark.parametrize(("method", "question", "options"), WATCHED, ids=watched_id)
@pytest.mark.parametrize(
    "board", ["6x6", kt.Board(5, 6, wrap="torus"), kt.Board(6, 7, holes=[(0, 0), (5, 6)])], ids=str
)
def test_page_and_library_describe_each_step_alike(look, board, method, question, options):
    board = kt.Board(board)
    trace = Trace(1000)
    settings = {"proofs": False, **options}
    kt.solve(board, method=method, seed=3, trace=trace, max_nodes=3000, settings=settings, **question)
    seen = [
        (sentence(event, view), moment_record(event, view))
        for event, view in zip(trace, replay(trace, board), strict=True)
    ]
    events = [[*event, *([moment] if moment else [])] for event, (_, moment) in zip(trace, seen, strict=True)]
    words = json.loads(answers.describe_words())
    assert look.page.evaluate(SAID, [look.modules, words, events]) == [words for words, _ in seen]
    assert len({moment[0] for _, moment in seen if moment}) >= 2


def test_the_page_adds_up_what_methods_count_one_after_another(look):
    events = [[kind, [], [number], name] for kind, number, name in (("stage", 0, "one"), ("count", 5, "nodes"))] * 2
    events += [["visit", [0]], ["count", [], [7], "nodes"]]
    count = """async ([modules, events]) => {
      const view = new (await import(`${modules}/model/replay.js`)).View();
      events.forEach((event) => view.apply(event));
      return view.counters.nodes;
    }"""
    assert look.page.evaluate(count, [look.modules, events]) == 5 + 7


def line(page):
    return page.locator(".pseudocode [aria-current]")


def test_each_step_has_a_reason_and_marks_its_line(look, expect):
    page = recorded(look, expect, WARNSDORFF)
    frames = frames_of("8x8", "warnsdorff", start="a1")
    now = page.locator(".now")
    expect(page.get_by_role("region", name="How warnsdorff works")).to_be_visible()
    view = View("8x8")
    for number, events in enumerate(frames[:40], 1):
        for event in events:
            view.apply(event)
        main = [event for event in events if event.kind not in ("count", "candidates")][-1]
        seek(page, number)
        said = sentence(main, view)
        assert now.inner_text().lower().startswith(said.lower())
        name, _ = moment_record(main, view)
        marked = [row.text.strip() for row in METHODS["warnsdorff"].pseudocode if name in row.moments]
        assert line(page).all_inner_texts() == marked
    page.get_by_role("slider", name="Step").press("ArrowRight")
    expect(page.locator("#live")).to_have_text(re.compile("^Step 41 of .*: to "))


def test_a_dead_end_names_what_is_around_it(look, expect):
    page = recorded(look, expect, BACKTRACKING)
    frames = frames_of("5x5", "backtracking", start="e1")
    stuck = next(i for i, events in enumerate(frames) if events[-1].kind == "candidates" and not events[-1].squares)
    seek(page, stuck + 1)
    expect(page.locator(".now")).to_have_text(re.compile(r"; [a-e][1-5] is a dead end: .* (is|are) visited$"))
    seek(page, stuck + 2)
    expect(line(page)).to_have_text("else: undo moves until a square has an untried move")


def test_the_numbers_are_explained_where_they_are_shown(look, expect):
    page = recorded(look, expect, WARNSDORFF)
    legend = page.locator(".panel details.inner:has(.legend)")
    legend.locator("summary").click()
    expect(legend.get_by_text("moves just taken back")).to_be_visible()
    page.locator("body").press("End")
    shown = page.locator(".counters dt").all_inner_texts()
    assert "critical points" in shown and "nodes" in shown
    assert legend.locator("dt").all_inner_texts() == [row.name for row in COUNTERS.values() if row.name in shown]
    expect(legend.get_by_text(COUNTERS["critical_points"].meaning)).to_be_visible()
