"""Tests of traces: events are correct, end at the tour, and have no effect on the search; each has a sentence."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.solving import solve_several
from helpers.strategies import TOURED, boards
from helpers.watched import WATCHED, last_view, watched_id
from knightstour.core.methods.table import METHODS
from knightstour.core.model import trace
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Result, Status
from knightstour.core.model.sentences import SENTENCES, moment, sentence
from knightstour.core.model.trace import KINDS, Event, Trace, View, replay

# The ways of the methods that report steps: each way its own code takes through a search.
WAYS: list[tuple[str, dict[str, Any]]] = [
    ("backtracking", {}),
    ("backtracking", {"prune": "all"}),
    ("backtracking", {"prune": "stranded,closing", "move_order": "warnsdorff"}),
    ("warnsdorff", {}),
    ("warnsdorff", {"ties": "first"}),
    ("rotation", {}),
    ("merge", {"randomness": 0}),
    ("merge", {"randomness": 1}),
    ("merge", {"randomness": 2}),
]
LIMITS = Limits(seconds=None, nodes=3000)


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a problem of a small board, mostly with a tour."""
    board = draw(st.one_of(st.sampled_from(TOURED), boards(most_side=5)))
    squares = [divmod(int(s), board.cols) for s in board.move_graph().squares]
    start = draw(st.none() | st.sampled_from(squares))
    closed = draw(st.booleans())
    ends = [square for square in squares if square != start]
    end = draw(st.none() | st.sampled_from(ends)) if ends and not closed else None
    return {"board": board, "closed": closed, "start": start, "end": end}


def watched(seed: int = 1, **question: Any) -> tuple[Result, list[Event]]:
    """Return the result, and the events before the tour."""
    seen = Trace()
    result = solve_several(**question, seed=seed, **as_arguments(LIMITS), trace=seen)
    events = list(seen)
    assert not seen.dropped
    if result.tour is not None:
        assert events.pop() == Event("tour", tuple(result.tour.order.tolist()))
    assert all(event.kind != "tour" for event in events)
    return result, events


def links_of(order: list[int], *, closed: bool) -> list[tuple[int, int]]:
    pairs = list(itertools.pairwise(order)) + ([(order[-1], order[0])] if closed else [])
    return sorted({(min(pair), max(pair)) for pair in pairs})


# ---------------------------------------------------------------- events


@pytest.mark.long
@pytest.mark.parametrize(("method", "options"), WAYS)
@given(question=questions(), seed=st.integers(0, 99))
@examples(15)
def test_the_events_end_at_the_tour_and_change_nothing(method, options, question, seed):
    question = {**question, "method": method, "proofs": False}
    result, events = watched(seed, **question, **options)
    unseen = solve_several(**question, seed=seed, **as_arguments(LIMITS), **options)
    assert result.status is unseen.status and result.tour == unseen.tour
    assert (result.nodes, result.counters, result.reason) == (unseen.nodes, unseen.counters, unseen.reason)
    if result.tour is None or result.nodes == 0:
        return  # with one square there is nothing to search
    view = last_view(events, question["board"])
    order = result.tour.order.tolist()
    if method == "merge":
        closes = question["closed"] and len(order) > 2
        assert view.moves == links_of(order, closed=closes)
        assert len(view.components) == (len(order) > 1)
    else:
        assert view.path in (order, order[::-1])
        assert view.moves == list(itertools.pairwise(view.path))


@pytest.mark.long
@pytest.mark.parametrize(("method", "options"), WAYS)
@given(question=questions(), seed=st.integers(0, 99))
@examples(8)
def test_every_view_is_a_path_or_a_cover(method, options, question, seed):
    _, events = watched(seed, method=method, **question, **options)
    board = question["board"]
    near = {
        r * board.cols + c: {r1 * board.cols + c1 for r1, c1 in others}
        for (r, c), others in reference.adjacency(reference.spec_of(board)).items()
    }
    for event, view in zip(events, replay(events, board), strict=True):
        assert event.kind in KINDS
        assert not (view.path and view.links)
        path = view.path
        assert len(set(path)) == len(path) and all(b in near[a] for a, b in itertools.pairwise(path))
        for square, others in view.links.items():
            assert len(others) <= 2 and set(others) <= near[square]
            assert all(view.links[other].count(square) == others.count(other) for other in others)
        if event.kind == "candidates":
            free = near[path[-1]] - set(path)
            assert set(event.squares) <= free and len(set(event.squares)) == len(event.squares)
            if options.get("prune") is None:
                # All but an end that was given come in question, with as many ways on as they have.
                end = question["end"] if question["start"] else question["end"] or question["start"]
                assert len(free) - len(event.squares) <= (end is not None)
                back = {path[0]} if method == "warnsdorff" and question["closed"] else set()
                for square, degree in zip(event.squares, event.values, strict=True):
                    assert degree == len(near[square] - set(path) | near[square] & back)


@given(question=questions(), seed=st.integers(0, 99))
@examples(15)
def test_event_counts_match_method_counters(question, seed):
    def counted(method: str, **options: Any) -> tuple[dict[str, int], Result]:
        result, events = watched(seed, method=method, **question, **options)
        counters = last_view(events, question["board"]).counters
        assert counters["nodes"] == result.nodes
        return counters, result

    for options in ({}, {"prune": "all"}):
        counters, result = counted("backtracking", **options)
        backs = result.counters.get("backs", 0)
        # The root of the search is taken back too in the end, when it is no square.
        assert backs - counters["taken_back"] in (0, 1)
    counters, result = counted("warnsdorff", ties="first")
    if result.counters:
        assert counters["critical_points"] == result.counters["critical_points"]
        assert counters["nodes"] == result.nodes
        assert counters["restarts"] == result.counters["restarts"]
        assert counters["dead_ends"] + counters["restarts"] == result.counters["backs"]
    counters, result = counted("rotation")
    assert counters["reversals"] == result.counters["rotations"]
    counters, result = counted("merge")
    if result.counters and result.status is Status.FOUND:
        assert counters["restarts"] == result.counters["restarts"]
        assert 0 <= result.counters["merges"] - counters["joins"] <= 4 * result.counters["repairs"]


def test_loops_of_a_cover_become_one():
    _, events = watched(board=(8, 8), closed=True, method="merge", randomness=0)
    sizes = []
    for view in replay(events, (8, 8)):
        assert sum(map(len, view.components)) in (0, 64)
        sizes.append([len(part) for part in view.components])
    assert [4] * 16 in sizes and sizes[-1] == [64]
    joins = [event for event in events if event.kind == "join"]
    assert joins and all(event.values == (2, 2) and len(event.squares) == 8 for event in joins)


def test_warnsdorffs_candidates_match_the_textbook():
    _, events = watched(board=(5, 5), start="a1", method="warnsdorff")
    assert [tuple(event) for event in events[:6]] == [
        ("stage", (), (), "warnsdorff"),
        ("visit", (20,), (), ""),
        ("count", (), (1,), "critical_points"),
        ("candidates", (17, 11), (5, 5), ""),
        ("visit", (17,), (), ""),
        ("candidates", (24, 14, 8, 6, 10), (1, 3, 3, 3, 3), ""),
    ]


@pytest.mark.parametrize("name", [name for name in METHODS if name != "portfolio"])
def test_every_method_reports_its_name_and_its_tour(name):
    magic = Problem((8, 8), where={"magic-rows": 8})
    problems = [Problem((3, 4)), Problem((24, 24), closed=True), magic]
    problem = next(problem for problem in problems if METHODS[name].why_not(problem) is None)
    seen = Trace()
    limits = Limits(nodes=2_000_000)
    result = kt.solve(problem, method=name, seed=2, trace=seen, **as_arguments(limits))
    assert result.tour is not None
    events = list(seen)
    assert events[0] == Event("stage", name=name)
    assert events[-1].kind == "tour" and list(events[-1].squares) == result.tour.order.tolist()
    if name != "auto":
        assert METHODS[name].watchable == any(event.kind in ("visit", "cover", "path") for event in events)


def test_auto_reports_its_stages_and_counts_on_through_them():
    # No argument sees that this board has no tour; rotation tries in vain, then the complete search proves it.
    board = Board(5, 4, wrap="mobius", leaper=(1, 4))
    seen = Trace()
    result = kt.solve(board, closed=True, seed=1, trace=seen)
    assert result.status is Status.IMPOSSIBLE and result.method == "exact"
    assert [event.name for event in seen if event.kind == "stage"] == ["auto", "rotation", "exact"]
    view = last_view(seen, board)
    assert view.stage == "exact" and 0 < view.counters["nodes"] <= result.nodes


# ---------------------------------------------------------------- its bounds


def test_full_trace_keeps_first_events_and_the_tour():
    question = {"board": (8, 8), "method": "warnsdorff", "seed": 3}
    whole, short = Trace(), Trace(limit=20)
    result = solve_several(**question, trace=whole)
    assert solve_several(**question, trace=short).tour == result.tour
    *first, last = short
    assert first == list(whole)[:20] and last == list(whole)[-1]
    # It is but a few events that anybody still makes: the search no longer goes node by node.
    assert short.is_full and 1 <= short.dropped <= 5 and repr(short).endswith("dropped>")
    assert not whole.is_full and whole.dropped == 0


def test_a_listener_hears_every_event_and_cancels_by_raising():
    class Enough(Exception):
        pass

    heard: list[Event] = []

    def listen(event: Event) -> None:
        heard.append(event)
        if len(heard) == 500:
            raise Enough

    seen = Trace(limit=100, on_event=listen)
    with pytest.raises(Enough):
        kt.solve((8, 8), start="a1", method="backtracking", trace=seen)
    assert heard[:100] == list(seen) and seen.dropped == 400


# ---------------------------------------------------------------- views and JSON


def test_views_follow_each_kind_of_event():
    view = View((5, 5))

    def after(*event: Any) -> View:
        view.apply(Event(*event))
        return view

    assert after("visit", (0, 7, 10)).path == [0, 7, 10]
    assert after("candidates", (1, 21), (3, 2)).candidates == {1: 3, 21: 2} and view.is_listed
    assert after("visit", (1,)).candidates == {} and not view.is_listed
    assert after("unvisit", (1, 10)).path == [0, 7]
    assert after("path", (3, 6, 9)).path == [3, 6, 9]
    assert after("reverse", (), (1, 3)).path == [3, 9, 6]
    assert after("cover", (0, 7, 7, 0, 2, 5)).components == [[0, 7], [2, 5]]
    assert view.moves == [(0, 7), (2, 5)] and view.path == []
    assert after("join", (0, 7, 2, 5, 0, 2, 7, 5), (2, 2)).components == [[2, 0, 7, 5]]
    assert after("visit", (4,)).links == {} and view.path == [4]
    assert after("restart").path == [] and view.components == []
    assert after("tour", (0, 1)).tour == (0, 1) and view.path == [0, 1]
    assert view.counters == {
        "nodes": 6,
        "taken_back": 2,
        "dead_ends": 1,
        "reversals": 1,
        "covers": 1,
        "joins": 1,
        "restarts": 1,
    }
    with pytest.raises(kt.FormatError, match="no event of kind 'leap'"):
        after("leap")


def test_components_are_loops_and_paths_in_walking_order():
    view = View((4, 4))
    view.apply(Event("cover", (0, 6, 6, 15, 15, 9, 9, 0, 5, 3, 3, 10)))
    assert view.components == [[0, 6, 15, 9], [5, 3, 10]]
    # Where squares have more than two moves, what hangs together is one component.
    view.apply(Event("cover", (0, 6, 0, 9, 0, 7, 5, 3)))
    assert view.components == [[3, 5], [6, 0, 9, 7]]


@pytest.mark.parametrize(
    "row",
    [
        *([], ["leap"], ["visit", 3], ["visit", ["a1"]], ["visit", [1.5]], ["visit", [True]], ["count", [], [1], 5]),
        *("visit", None, ["visit", [1], [], "", 0], {"kind": "visit"}, [["visit"]]),
    ],
)
def test_rejects_invalid_events(row):
    with pytest.raises(kt.FormatError, match="event 2 makes no sense"):
        trace.from_json([["restart"], row])


# ---------------------------------------------------------------- sentences of steps


AHEAD = ("ahead", "stuck")


def said(view: View, *event: Any) -> str:
    """Return the sentence of the next event."""
    view.apply(Event(*event))
    return sentence(Event(*event), view)


@pytest.mark.parametrize(("method", "question", "options"), WATCHED, ids=watched_id)
def test_each_step_has_a_sentence_and_a_line(method, question, options):
    trace = Trace(2000)
    result = solve_several("6x6", method=method, seed=1, trace=trace, max_nodes=20_000, **question, **options)
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


def test_move_event_explains_its_choice():
    view = View("8x8")
    said(view, "stage", (), (), "warnsdorff")
    assert said(view, "visit", (56,)) == "the knight is put down on a1"
    assert said(view, "candidates", (41, 50), (3, 5)) == "next may be b3 (3) or c2 (5)"
    assert said(view, "visit", (41,)) == "to b3: 3 ways on, the fewest of 3, 5"
    said(view, "candidates", (24, 35), (4, 4))
    assert said(view, "visit", (24,)) == "to a5: 4 ways on, the fewest of 4, 4; a tie"
    said(view, "candidates", (9, 34), (1, 2))
    assert said(view, "visit", (34,)) == "to c4: 2 ways on, for once not the fewest of 1, 2"
    said(view, "candidates", (17,), (1,))
    assert said(view, "visit", (17,)) == "to b6, the only way on"


def test_dead_end_describes_its_neighbours_and_the_next_step():
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


def test_covers_and_exchanges_report_components():
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
