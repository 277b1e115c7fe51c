"""The neural network: its covers against the definition, and the tours on boards of every kind."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.both_ways import both_ways
from helpers.checks import assert_answers
from helpers.strategies import QUESTIONS, TOURED, boards
from knightstour.core.kernels.search import neural as kernel
from knightstour.core.machine import slices
from knightstour.core.machine.native import door
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.cycle_graph import CycleGraph, cycle_graph, order_of
from knightstour.core.model.errors import MethodError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.model.trace import Trace, last_view
from knightstour.core.search.options import UPDATES
from knightstour.lab.museum.neural import loops_of, neural, neural_merge, start_state


def rested(graph: CycleGraph, seed: int, update: str = "asynchronous", nodes: int = 400_000) -> kernel.State | None:
    """The network at rest in some cover, or None."""
    state = start_state(graph, seed, update, wants_cover=True)
    return state if door("neural_step")(state, nodes) == slices.FOUND else None


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("kind", QUESTIONS)
def test_at_rest_every_square_has_two_moves_and_the_loops_hold_every_square_once(kind, update):
    graph = cycle_graph(Problem.of((6, 6), **kind))
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


@given(board=boards(), seed=st.integers(0, 99), closed=st.booleans(), update=st.sampled_from(list(UPDATES)))
def test_the_lists_that_are_kept_agree_with_the_neurons_at_every_step(board, seed, closed, update):
    problem = Problem(board, closed)
    if board.square_count < 3:
        return
    graph = cycle_graph(problem)
    state = start_state(graph, seed, update, wants_cover=False)
    c, step = state.counters, door("neural_step").bind(state)
    for _ in range(60):
        if step(7) == slices.FOUND:
            break
        degree = Counter()
        for a, b, is_on in zip(state.tails, state.heads, state.output, strict=True):
            degree.update({a: int(is_on), b: int(is_on)})
        seen = state.fresh if c[kernel.PHASE] == kernel.SWEEPING and update == "synchronous" else state.degree
        if c[kernel.PHASE] == kernel.BEGIN and c[kernel.CURSOR] == 0:
            continue
        assert all(degree[v] == seen[v] for v in range(graph.size))
        if c[kernel.PHASE] != kernel.BEGIN:
            wrong = state.wrong[: c[kernel.WRONG]]
            assert sorted(wrong) == [v for v in range(graph.size) if state.degree[v] != 2]
            assert all(state.place[v] == i for i, v in enumerate(wrong))


@pytest.mark.parametrize("method", [neural, neural_merge])
@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(6, 6), (7, 8)])
def test_both_methods_answer_all_kinds_of_questions(size, kind, method):
    problem = Problem.of(size, **kind)
    assert_answers(problem, method(problem, Budget(), seed=3))


@pytest.mark.parametrize("board", TOURED, ids=str)
def test_joining_the_loops_works_on_boards_of_every_kind(board):
    problem = Problem(board)
    assert_answers(problem, neural_merge(problem, Budget(Limits(seconds=20)), seed=1))


def test_a_graph_of_ones_own_is_a_board_too():
    wheel = Board.from_graph(both_ways({k: [(k + 1) % 7, (k + 2) % 7] for k in range(7)}))
    problem = Problem(wheel, closed=True)
    assert_answers(problem, neural(problem, Budget(), seed=1))


@pytest.mark.long
@pytest.mark.parametrize("kind", QUESTIONS)
def test_joining_goes_where_single_loops_are_rare(kind):
    problem = Problem.of((30, 30), **kind)
    outcome = neural_merge(problem, Budget(), seed=2)
    assert_answers(problem, outcome)
    assert outcome.counters["loops"] > 5 and outcome.counters["merges"] > 0


def test_the_counters_say_how_often_the_net_rests_and_in_how_many_loops():
    outcome = neural(Problem.of((8, 8), closed=True), Budget(), seed=4)
    counters = outcome.counters
    assert counters["single"] == 1 <= counters["converged"] <= counters["restarts"] + 1
    assert counters["sweeps"] > counters["converged"]
    only = neural_merge(Problem.of((8, 8), closed=True), Budget(), seed=4).counters
    assert only["converged"] == 1 and (only["loops"] == 1) == (only["single"] == 1)


def test_a_net_that_cannot_rest_keeps_its_limits():
    # Three squares in a row have one neighbour in the middle: no two moves for each.
    path = Board.from_graph(both_ways({"a": ["b"], "b": ["c"], "c": []}))
    for method in (neural, neural_merge):
        outcome = method(Problem(path, closed=True), Budget(Limits(nodes=5000)), seed=1)
        assert outcome.status is Status.UNDECIDED and "5,000 nodes" in outcome.reason
        assert outcome.counters["restarts"] > 0 and outcome.counters["converged"] == 0
    alone = Board.from_graph({"a": [], "b": [], "c": []})
    outcome = neural(Problem(alone, closed=True), Budget(Limits(nodes=5000)), seed=1)
    assert outcome.status is Status.UNDECIDED and outcome.counters["restarts"] > 0


def test_unknown_updates_are_refused():
    with pytest.raises(MethodError, match="unknown update 'slowly'"):
        solve((8, 8), method="neural", update="slowly")
    with pytest.raises(MethodError, match="unknown update"):
        solve((8, 8), method="neural+merge", update=None)


def test_a_trace_shows_the_moves_that_are_on_and_then_the_joining():
    trace = Trace()
    result = solve((8, 8), closed=True, method="neural+merge", rng=3, trace=trace)
    kinds = Counter(event.kind for event in trace)
    assert kinds["cover"] > 3 and kinds["join"] == result.counters["merges"]
    view = last_view(list(trace)[:-1], (8, 8))
    assert [len(part) for part in view.components] == [64]


def test_a_watched_search_gives_the_same_tour():
    for method in ("neural", "neural+merge"):
        question = {"method": method, "rng": 5, "start": "a1"}
        assert solve((6, 6), **question, trace=Trace()).tour == solve((6, 6), **question).tour


def test_order_of_takes_the_virtual_squares_out_whatever_the_rotation():
    for kind in ({}, {"start": "a3"}, {"end": "d1"}, {"start": "a3", "end": "d1"}):
        problem = Problem.of((3, 4), **kind)
        graph = cycle_graph(problem)
        order = solve((3, 4), start="a3", end="d1", method="exact").tour.order
        vertex = {int(s): v for v, s in enumerate(graph.squares)}
        virtual = list(range(12, graph.size))
        # The virtual square beside the given end is the first one.
        after = virtual if kind == {"end": "d1"} else virtual[::-1]
        cycle = [vertex[int(s)] for s in order] + after
        for k in range(len(cycle)):
            for walk in (np.roll(cycle, k), np.roll(cycle, k)[::-1]):
                found = order_of(problem, graph, walk).tolist()
                assert found == order.tolist() or (not kind and found[::-1] == order.tolist())
    assert len(move_graph(Board(3, 4)).squares) == 12
