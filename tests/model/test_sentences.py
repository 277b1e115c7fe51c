"""What a step did and why, as a sentence: from the events of real searches, and from events made by hand."""

from __future__ import annotations

from typing import Any

import pytest

import knightstour as kt
from helpers.watched import WATCHED, watched_id
from knightstour.core.methods.table import METHODS
from knightstour.core.model.sentences import SENTENCES, moment, sentence
from knightstour.core.model.trace import Event, Trace, View

AHEAD = ("ahead", "stuck")


def said(view: View, *event: Any) -> str:
    """What is said about the next event."""
    view.apply(Event(*event))
    return sentence(Event(*event), view)


@pytest.mark.parametrize(("method", "question", "options"), WATCHED, ids=watched_id)
def test_each_step_of_a_method_has_a_sentence_and_one_line_of_its_pseudocode(method, question, options):
    trace = Trace(2000)
    result = kt.solve("6x6", method=method, rng=1, trace=trace, limits=kt.Limits(nodes=20_000), **question, **options)
    view, lines = View("6x6"), [line for line in METHODS[method].pseudocode if line.moments]
    met = set()
    for event in trace:
        view.apply(event)
        name, facts = moment(event, view)
        if event.kind == "count":
            assert name == ""
            continue
        words = sentence(event, view)
        assert bool(words) == bool(name) and "{" not in words
        if not name:
            assert event == Event("candidates") and len(view.path) == 36
        elif name not in AHEAD:
            assert facts and sum(name in line.moments for line in lines) == 1, name
            met.add(name)
    assert len(met) >= 2 and ("tour" in met) == (result.tour is not None)


def test_a_move_says_how_it_was_chosen():
    view = View("8x8")
    said(view, "stage", (), (), "warnsdorff")
    assert said(view, "visit", (56,)) == "the knight is put down on a1"
    assert said(view, "candidates", (41, 50), (3, 5)) == "next may be b3 (3) or c2 (5)"
    assert said(view, "visit", (41,)) == "to b3: 3 ways on, the fewest of 3, 5"
    said(view, "candidates", (24, 35), (4, 4))
    assert said(view, "visit", (24,)) == "to a5: 4 ways on, the fewest of 4, 4; one of those that tie"
    said(view, "candidates", (9, 34), (1, 2))
    assert said(view, "visit", (34,)) == "to c4: 2 ways on, for once not the fewest of 1, 2"
    said(view, "candidates", (17,), (1,))
    assert said(view, "visit", (17,)) == "to b6, the only way on"


def test_a_dead_end_says_what_is_around_it_and_where_the_search_goes_on():
    view = View("3x4")
    said(view, "stage", (), (), "backtracking")
    said(view, "visit", (9, 2, 4))
    assert said(view, "candidates") == "a2 is a dead end: c3 is visited, c1 may not follow here"
    assert said(view, "unvisit", (4,)) == "1 square taken back, to c3, where there is another way"
    assert said(view, "visit", (11,)) == "to d1 instead of a2, which led nowhere"
    assert said(view, "unvisit", (11,)) == ("d1 is taken back at once: a pruning shows that no tour goes on from there")
    assert said(view, "unvisit", (2, 9)) == "2 squares taken back: the board is empty"


def test_a_turned_end_names_the_moves_that_come_and_go():
    view = View("5x5")
    said(view, "visit", (0, 11, 20, 17, 24))
    # a5 b3 a1 c2 e1: e1 is next to d3 and c2 only, so the turn here is of the last two squares.
    assert said(view, "reverse", (), (3, 5)) == (
        "a1-e1 comes in and a1-c2 goes out: the path is turned round from there, and ends on c2"
    )


def test_covers_and_exchanges_say_what_hangs_together():
    view = View("4x4")
    assert said(view, "cover", (0, 6, 6, 0, 1, 7, 9, 15)) == "1 loop and 2 paths cover the board"
    assert said(view, "join", (0, 6, 1, 7, 0, 7, 6, 1), (2, 2)) == (
        "out a4-c3 and b4-d3, in a4-d3 and c3-b4: two loops become one, and 2 paths are left"
    )
    view = View("4x4")
    said(view, "stage", (), (), "sat")
    assert said(view, "cover", (0, 6, 6, 0, 1, 7, 7, 1)) == (
        "round 1: 2 loops, of 2 and 2 squares; each but the longest is barred"
    )


def test_every_sentence_can_happen_and_no_line_names_another():
    named = {name for row in METHODS.values() for line in row.pseudocode for name in line.moments}
    assert named <= set(SENTENCES)
    assert set(SENTENCES) - named == set(AHEAD)
    assert all(row.pseudocode and row.to_dict()["pseudocode"] for row in METHODS.values())
