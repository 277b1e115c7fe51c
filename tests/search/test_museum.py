"""The museum: annealing, genes and neurons compared with their definitions, and their tours on all kinds of boards."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.checks import assert_answers
from helpers.solving import solve_several
from helpers.strategies import QUESTIONS
from helpers.watched import last_view
from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.methods.solve import solve
from knightstour.core.methods.table import METHODS
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.cycle_graph import CycleGraph, cycle_graph, order_of
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.model.trace import Trace, replay
from knightstour.lab.museum import neural as neural_kernel
from knightstour.lab.museum.annealing import schedule
from knightstour.lab.museum.neural import loops_of, neural_merge
from knightstour.lab.museum.neural import start_state as neural_state
from knightstour.lab.museum.options import COVERS, KINDS, UPDATES


# methods/test_methods.py tests these problems with the defaults of all methods.
@pytest.mark.parametrize(
    ("method", "options", "size"),
    [
        *(("annealing", {"cover": cover}, size) for cover in COVERS for size in ((6, 6), (7, 8), (20, 20))),
        *(("genetic", {"kind": kind}, (6, 6)) for kind in KINDS),
    ],
    ids=str,
)
@pytest.mark.parametrize("question", QUESTIONS)
def test_all_kinds_of_questions_are_answered(question, method, options, size):
    problem = Problem(size, **question)
    assert_answers(problem, METHODS[method].run(problem, Budget(), 3, **options))


def test_rejects_too_large_populations():
    with pytest.raises(kt.ProblemError, match="too many"):
        solve((300, 300), method="genetic", settings={"population": 10**6})
    with pytest.raises(kt.ProblemError, match="repair must be at most 100"):
        solve((8, 8), method="genetic", settings={"repair": 101, "kind": "bits"})


@pytest.mark.parametrize(
    ("method", "asked"),
    [
        ("annealing", {"closed": True, "cover": "random"}),
        ("genetic", {"closed": True, "repair": 0}),
        ("neural", {"start": "a1"}),
        ("neural+merge", {"start": "a1"}),
    ],
)
def test_a_watched_search_gives_the_same_tour(method, asked):
    watched, unseen = (solve_several((6, 6), method=method, seed=3, **asked, trace=trace) for trace in (Trace(), None))
    assert watched.tour == unseen.tour is not None


# Three leaves at a centre, three isolated squares, and three in a row: no tour, which no search here can prove.
STAR = Board.from_graph(both_ways({"m": ["a", "b", "c"], "a": [], "b": [], "c": []}))
ALONE = Board.from_graph({"a": [], "b": [], "c": []})
ROW = Board.from_graph(both_ways({"a": ["b"], "b": ["c"], "c": []}))
FEW = [{"kind": kind, "population": 2, "generations": 5} for kind in KINDS]


@pytest.mark.parametrize(
    ("method", "board", "options", "is_so"),
    [
        ("annealing", STAR, {}, lambda c: c["heats"] > 0 and c["gaps"] > 0),
        ("annealing", ALONE, {}, lambda c: c["gaps"] == 3),
        *(("genetic", STAR, few, lambda c: c["restarts"] == c["births"] // 10 > 0) for few in FEW),
        *(("genetic", ALONE, few, lambda c: c["best"] <= 1) for few in FEW),
        *((name, ROW, {}, lambda c: c["restarts"] > 0 == c["converged"]) for name in ("neural", "neural+merge")),
        ("neural", ALONE, {}, lambda c: c["restarts"] > 0),
    ],
)
def test_failed_search_restarts_and_keeps_its_limits(method, board, options, is_so):
    outcome = METHODS[method].run(Problem(board, closed=board is not STAR), Budget(Limits(nodes=9000)), 1, **options)
    assert outcome.status is Status.UNDECIDED and "9,000 nodes" in outcome.reason and is_so(outcome.counters)


# ---------------------------------------------------------------- annealing


def test_schedule_falls_geometrically():
    chances = schedule(0.5, 0.1)
    temperatures = [-1 / math.log(chance / 2**32) for chance in chances]
    assert temperatures[0] == pytest.approx(0.5) and temperatures[-1] == pytest.approx(0.1, rel=1e-3)
    factors = [b / a for a, b in itertools.pairwise(temperatures)]
    assert max(factors) - min(factors) < 1e-3
    assert schedule(1e9, 1e9)[0] < 2**32 and schedule(1e-320, 1e-320)[-1] == 0


def test_a_trace_shows_every_turn():
    trace = Trace()
    result = solve((8, 8), closed=True, method="annealing", settings={"cover": "random"}, seed=3, trace=trace)
    kinds = Counter(event.kind for event in trace)
    assert kinds["cover"] == 1 and result.counters["turns"] >= kinds["join"] + kinds["repair"] > 10
    *_, before_tour, _ = (len(view.moves) for view in replay(trace, (8, 8)))
    assert before_tour == 64


# ---------------------------------------------------------------- neural networks


def rested(
    graph: CycleGraph, seed: int, update: str = "asynchronous", nodes: int = 400_000
) -> neural_kernel.State | None:
    """Return the network at rest in some cover, or None."""
    state = neural_state(graph, seed, update, wants_cover=True)
    return state if kernel_function("neural_step")(state, nodes) == slices.FOUND else None


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("kind", QUESTIONS)
def test_at_rest_each_square_has_two_moves_in_one_loop(kind, update):
    graph = cycle_graph(Problem((6, 6), **kind))
    for seed in range(3):
        state = rested(graph, seed, update)
        assert state is not None
        on = [(a, b) for a, b, is_on in zip(state.tails, state.heads, state.output, strict=True) if is_on]
        assert Counter(v for pair in on for v in pair) == dict.fromkeys(range(graph.size), 2)
        cycle, is_last = loops_of(state)
        assert sorted(cycle.tolist()) == list(range(graph.size)) and is_last[-1]
        walked = []
        for loop in np.split(cycle, np.flatnonzero(is_last)[:-1] + 1):
            walked += [tuple(sorted(pair)) for pair in zip(loop.tolist(), np.roll(loop, -1).tolist(), strict=True)]
        assert sorted(walked) == sorted(on)


@pytest.mark.long
@pytest.mark.parametrize("kind", QUESTIONS)
def test_joining_solves_boards_with_rare_single_loops(kind):
    problem = Problem((30, 30), **kind)
    outcome = neural_merge(problem, Budget(), seed=2)
    assert_answers(problem, outcome)
    assert outcome.counters["loops"] > 5 and outcome.counters["merges"] > 0


def test_trace_shows_open_moves_before_joining():
    trace = Trace()
    result = solve((8, 8), closed=True, method="neural+merge", seed=3, trace=trace)
    kinds = Counter(event.kind for event in trace)
    assert kinds["cover"] > 3 and kinds["join"] == result.counters["merges"]
    view = last_view(list(trace)[:-1], (8, 8))
    assert [len(part) for part in view.components] == [64]


def test_order_of_removes_virtual_squares_at_any_rotation():
    for kind in ({}, {"start": "a3"}, {"end": "d1"}, {"start": "a3", "end": "d1"}):
        problem = Problem((3, 4), **kind)
        graph = cycle_graph(problem)
        order = solve((3, 4), start="a3", end="d1", method="exact").tour.order
        vertex = {int(s): v for v, s in enumerate(graph.squares)}
        virtual = list(range(12, graph.size))
        # The virtual square next to the given end is the first one.
        after = virtual if kind == {"end": "d1"} else virtual[::-1]
        cycle = [vertex[int(s)] for s in order] + after
        for k in range(len(cycle)):
            for walk in (np.roll(cycle, k), np.roll(cycle, k)[::-1]):
                found = order_of(problem, graph, walk).tolist()
                assert found == order.tolist() or (not kind and found[::-1] == order.tolist())
    assert len(move_graph(Board(3, 4)).squares) == 12
