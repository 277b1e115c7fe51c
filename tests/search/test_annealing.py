"""Annealing: the line and its gaps against the definition, and the tours on boards of every kind."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.both_ways import both_ways
from helpers.checks import assert_answers
from helpers.strategies import QUESTIONS, TOURED, boards
from knightstour.core.kernels.search import annealing as kernel
from knightstour.core.machine import slices
from knightstour.core.machine.native import door
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.core.model.errors import MethodError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.model.trace import Trace, replay
from knightstour.core.search.options import COVERS
from knightstour.lab.museum.annealing import annealing, schedule, start_state


def gaps_of(state: kernel.State) -> list[tuple[int, int]]:
    """Neighbours in the line that are no neighbours in the graph."""
    near = [set(state.targets[a:b].tolist()) for a, b in itertools.pairwise(state.offsets)]
    line = state.line.tolist()
    return [(a, b) for a, b in zip(line, line[1:] + line[:1], strict=True) if b not in near[a]]


@given(
    board=boards(),
    closed=st.booleans(),
    seed=st.integers(0, 99),
    cover=st.sampled_from(list(COVERS)),
    hot=st.sampled_from([0.1, 0.5, 5.0]),
)
def test_the_line_holds_every_vertex_and_its_gaps_are_known_at_every_step(board, closed, seed, cover, hot):
    if board.square_count < 3:
        return
    graph = cycle_graph(Problem(board, closed))
    state = start_state(graph, seed, cover, schedule(hot, 0.1), 5)
    c, step = state.counters, door("annealing_step").bind(state)
    for _ in range(80):
        if step(5) == slices.FOUND:
            assert gaps_of(state) == []
            break
        if c[kernel.PHASE] != kernel.COOL:
            continue
        assert sorted(state.line) == list(range(graph.size))
        assert all(state.place[v] == i for i, v in enumerate(state.line))
        gaps = gaps_of(state)
        assert len(gaps) == c[kernel.GAPS]
        loose = state.loose[: c[kernel.LOOSE]].tolist()
        assert sorted(loose) == sorted({v for gap in gaps for v in gap})
        assert all(state.spot[v] == i for i, v in enumerate(loose))


@pytest.mark.parametrize("cover", COVERS)
@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(6, 6), (7, 8), (20, 20)])
def test_all_kinds_of_questions_are_answered(size, kind, cover):
    problem = Problem.of(size, **kind)
    assert_answers(problem, annealing(problem, Budget(), seed=3, cover=cover))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize(
    "board",
    [
        Board(20, 20, leaper=(2, 3)),
        Board(20, 20, leaper=(1, 4)),
        Board(15, 16, wrap="torus"),
        Board(3, 40),
        Board(10, 10, holes=[(0, 0), (9, 0), (4, 5), (5, 5)]),
    ],
    ids=str,
)
def test_boards_of_odd_kinds_have_their_tours(board, closed):
    problem = Problem(board, closed)
    assert_answers(problem, annealing(problem, Budget(), seed=1))


@pytest.mark.parametrize("board", TOURED, ids=str)
def test_small_boards_of_every_kind_have_open_tours(board):
    problem = Problem(board)
    assert_answers(problem, annealing(problem, Budget(Limits(seconds=20)), seed=1))


def test_a_graph_of_ones_own_is_a_board_too():
    wheel = Board.from_graph(both_ways({k: [(k + 1) % 9, (k + 2) % 9] for k in range(9)}))
    problem = Problem(wheel, closed=True)
    assert_answers(problem, annealing(problem, Budget(), seed=1))


def test_it_is_heated_again_and_keeps_its_limits():
    # Three leaves on a middle: whatever the line, there are gaps.
    star = Board.from_graph(both_ways({"m": ["a", "b", "c"], "a": [], "b": [], "c": []}))
    outcome = annealing(Problem(star), Budget(Limits(nodes=5000)), seed=1)
    assert outcome.status is Status.UNDECIDED and "5,000 nodes" in outcome.reason
    assert outcome.counters["heats"] > 0 and outcome.counters["gaps"] > 0
    alone = Board.from_graph({"a": [], "b": [], "c": []})
    outcome = annealing(Problem(alone, closed=True), Budget(Limits(nodes=5000)), seed=1)
    assert outcome.status is Status.UNDECIDED and outcome.counters["gaps"] == 3


@pytest.mark.long
def test_the_hotter_the_more_turns_for_the_worse():
    worse = []
    for hot in (0.1, 0.5, 5.0):
        outcome = annealing(Problem.of((30, 30)), Budget(Limits(nodes=20_000)), seed=1, hot=hot, cold=hot, turns=1000)
        worse.append(outcome.counters["worse"])
    assert worse == sorted(worse) and worse[-1] > 10 * max(worse[0], 1)


def test_the_schedule_falls_by_the_same_factor_from_hot_to_cold():
    chances = schedule(0.5, 0.1)
    temperatures = [-1 / math.log(chance / 2**32) for chance in chances]
    assert temperatures[0] == pytest.approx(0.5) and temperatures[-1] == pytest.approx(0.1, rel=1e-3)
    factors = [b / a for a, b in itertools.pairwise(temperatures)]
    assert max(factors) - min(factors) < 1e-3
    assert schedule(1e9, 1e9)[0] < 2**32 and schedule(1e-320, 1e-320)[-1] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"hot": 0},
        {"hot": -1.0},
        {"cold": float("nan")},
        {"cold": "x"},
        {"hot": "x"},
        {"turns": 0},
        {"turns": 1.5},
        {"cover": "cosy"},
    ],
    ids=str,
)
def test_schedules_that_make_no_sense_are_refused(wrong):
    with pytest.raises(MethodError, match=next(iter(wrong))):
        solve((8, 8), method="annealing", **wrong)


def test_a_trace_shows_every_turn():
    trace = Trace()
    result = solve((8, 8), closed=True, method="annealing", cover="random", rng=3, trace=trace)
    kinds = Counter(event.kind for event in trace)
    assert kinds["cover"] == 1 and result.counters["turns"] >= kinds["join"] + kinds["repair"] > 10
    *_, before_tour, _ = (len(view.moves) for view in replay(trace, (8, 8)))
    assert before_tour == 64
    assert solve((8, 8), closed=True, method="annealing", cover="random", rng=3).tour == result.tour
