"""The ant colony: its walks and its scent against the definition, and the tours on boards of every kind."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.checks import assert_answers
from helpers.strategies import QUESTIONS, TOURED, boards
from knightstour.core.kernels.search import ants as kernel
from knightstour.core.machine import slices
from knightstour.core.machine.native import door
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.cycle_graph import cycle_graph, opening
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.model.trace import Trace
from knightstour.lab.museum.ants import ants, start_state


@given(board=boards(), closed=st.booleans(), seed=st.integers(0, 99), sight=st.integers(0, 3))
def test_an_ant_walks_by_moves_over_free_squares_and_keeps_its_way_back(board, closed, seed, sight):
    problem = Problem(board, closed)
    if board.square_count < 3:
        return
    graph = cycle_graph(problem)
    state = start_state(problem, graph, seed, 4, 100, sight)
    c, step = state.counters, door("ants_step").bind(state)
    near = [set(state.targets[a:b].tolist()) for a, b in itertools.pairwise(state.offsets)]
    for _ in range(80):
        if step(1) == slices.FOUND:
            assert sorted(state.line) == list(range(graph.size)) and state.line[0] in near[state.line[-1]]
            break
        walk = state.line[: c[kernel.LENGTH]].tolist()
        if not walk:
            continue
        assert walk[: len(state.opening)] == opening(problem, graph)
        assert len(set(walk)) == len(walk)
        assert all(b in near[a] for a, b in itertools.pairwise(walk))
        assert [v for v in range(graph.size) if state.is_off[v]] == sorted(walk)
        assert all(state.free[v] == len(near[v] - set(walk)) for v in range(graph.size))
        had_way_back = len(near[walk[0]] - set(state.opening)) > 0
        if had_way_back and len(walk) < graph.size:
            assert near[walk[0]] - set(walk)


def test_scent_is_left_by_length_and_fades():
    problem = Problem.of((5, 5), start="a1")
    graph = cycle_graph(problem)
    state = start_state(problem, graph, 1, 1, 500, 0)
    c, step = state.counters, door("ants_step").bind(state)
    while c[kernel.WALKS] == 0:
        step(1)
    length, size, first = c[kernel.LONGEST], graph.size, len(state.opening)
    assert len(state.opening) < length < size
    expected = [kernel.DROP * (length - i) // (size - i) for i in range(first, length)]
    assert [state.fresh[state.taken[i]] for i in range(first, length)] == expected
    assert expected == sorted(expected, reverse=True) and sum(state.fresh) == sum(expected)
    fresh = state.fresh.tolist()
    step(1)
    assert state.scent.tolist() == [max(kernel.LEAST, kernel.FIRST // 2 + left) for left in fresh]
    assert not state.fresh.any()


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(6, 6), (7, 8)])
def test_all_kinds_of_questions_are_answered(size, kind):
    problem = Problem.of(size, **kind)
    assert_answers(problem, ants(problem, Budget(), seed=3))


@pytest.mark.long
def test_ants_that_only_smell_find_closed_tours_too():
    problem = Problem.of((6, 6), closed=True)
    outcome = ants(problem, Budget(), seed=1, sight=0)
    assert_answers(problem, outcome)
    assert outcome.counters["walks"] > 16 and outcome.counters["longest"] == 36


@pytest.mark.parametrize("board", TOURED, ids=str)
def test_small_boards_of_every_kind_have_open_tours(board):
    problem = Problem(board)
    assert_answers(problem, ants(problem, Budget(Limits(seconds=20)), seed=1))


def test_a_graph_of_ones_own_is_a_board_too():
    hub = Board.from_graph(both_ways({0: range(1, 80), **{k: [k + 1] for k in range(1, 79)}, 79: []}))
    problem = Problem(hub, closed=True)
    assert_answers(problem, ants(problem, Budget(), seed=1))


def test_scent_is_forgotten_in_time_and_limits_are_kept():
    star = Board.from_graph(both_ways({"m": ["a", "b", "c"], "a": [], "b": [], "c": []}))
    outcome = ants(Problem(star), Budget(Limits(nodes=9000)), seed=1, ants=1)
    assert outcome.status is Status.UNDECIDED and "9,000 nodes" in outcome.reason
    assert outcome.counters["restarts"] > 0 and outcome.counters["longest"] == 3
    alone = Board.from_graph({"a": [], "b": [], "c": []})
    outcome = ants(Problem(alone, closed=True), Budget(Limits(nodes=5000)), seed=1)
    assert outcome.status is Status.UNDECIDED and outcome.counters["longest"] == 1


def test_many_different_tours_are_made():
    result = solve((8, 8), closed=True, n=200, unique=True, method="ants", rng=1)
    assert len(result.tours) == 200 and result.counters["repeats"] < 20


@pytest.mark.parametrize(
    "wrong", [{"ants": 0}, {"ants": 2.0}, {"fading": -1}, {"fading": 1001}, {"sight": 4}, {"sight": None}], ids=str
)
def test_colonies_that_make_no_sense_are_refused(wrong):
    with pytest.raises(kt.MethodError, match=next(iter(wrong))):
        solve((8, 8), method="ants", **wrong)


def test_a_trace_shows_every_ant():
    trace = Trace()
    result = solve((6, 6), closed=True, method="ants", rng=3, sight=1, trace=trace)
    kinds = Counter(event.kind for event in trace)
    assert kinds["restart"] == result.counters["walks"] - 1 > 0 and kinds["visit"] > 36
    assert solve((6, 6), closed=True, method="ants", rng=3, sight=1).tour == result.tour
