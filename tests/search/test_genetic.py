"""The genetic algorithms: walks, lines and lists against the definition, and the tours on boards of every kind."""

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
from knightstour.core.kernels.search import genetic as kernel
from knightstour.core.machine import slices
from knightstour.core.machine.native import door
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.cycle_graph import cycle_graph, opening
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.model.trace import Trace, replay
from knightstour.core.search.options import KINDS
from knightstour.lab.museum.genetic import genetic, start_state


def neighbours(state: kernel.State) -> list[set[int]]:
    return [set(state.targets[a:b].tolist()) for a, b in itertools.pairwise(state.offsets)]


@given(board=boards(), closed=st.booleans(), seed=st.integers(0, 99), repair=st.sampled_from([0, 50, 100]))
def test_a_walk_of_bits_follows_its_genes_and_keeps_its_way_back(board, closed, seed, repair):
    problem = Problem(board, closed)
    if board.square_count < 3:
        return
    graph = cycle_graph(problem)
    state = start_state(problem, graph, seed, "bits", 3)
    c, step = state.counters, door("genetic_step").bind(state)
    c[kernel.REPAIR], c[kernel.MUTATION] = repair, 100
    near = neighbours(state)
    for _ in range(100):
        if step(1) == slices.FOUND:
            assert sorted(state.line) == list(range(graph.size)) and state.line[0] in near[state.line[-1]]
            break
        walk = state.line[: c[kernel.LENGTH]].tolist()
        if c[kernel.PHASE] == kernel.GROW:
            assert walk[: len(state.opening)] == opening(problem, graph)
            assert len(set(walk)) == len(walk) and all(b in near[a] for a, b in itertools.pairwise(walk))
            for i in range(len(state.opening) - 1, len(walk) - 1):
                ways = state.targets[state.offsets[walk[i]] : state.offsets[walk[i] + 1]]
                assert ways[state.child[i] % len(ways)] == walk[i + 1]
            assert c[kernel.OPEN_FIRST] == len(near[walk[0]] - set(walk))
            if len(walk) < graph.size and near[walk[0]] - set(state.opening):
                assert c[kernel.OPEN_FIRST] > 0


@given(board=boards(), closed=st.booleans(), seed=st.integers(0, 99), repair=st.sampled_from([0, 50, 400]))
def test_lines_hold_every_vertex_and_the_fitness_is_the_number_of_moves_in_them(board, closed, seed, repair):
    problem = Problem(board, closed)
    if board.square_count < 3:
        return
    graph = cycle_graph(problem)
    state = start_state(problem, graph, seed, "segments", 3)
    c, n, step = state.counters, graph.size, door("genetic_step").bind(state)
    c[kernel.REPAIR], c[kernel.MUTATION] = repair, 100
    near = neighbours(state)
    for _ in range(100):
        status = step(3)
        lines = [state.genes[p * n : (p + 1) * n].tolist() for p in range(min(c[kernel.BORN], 3))]
        for line, fitness in zip(lines, state.fitness, strict=False):
            assert sorted(line) == list(range(n))
            assert fitness == sum(b in near[a] for a, b in zip(line, line[1:] + line[:1], strict=True))
        if status == slices.FOUND:
            break
        if c[kernel.PHASE] == kernel.TURN:
            line = state.line.tolist()
            gaps = [(a, b) for a, b in zip(line, line[1:] + line[:1], strict=True) if b not in near[a]]
            assert sorted(state.rest[: c[kernel.LOOSE]]) == sorted({v for gap in gaps for v in gap})
            assert all(state.place[v] == i for i, v in enumerate(line))


def test_a_child_takes_over_what_both_parents_have():
    problem = Problem.of((6, 6), closed=True)
    graph = cycle_graph(problem)
    state = start_state(problem, graph, 3, "segments", 2)
    c, n, step = state.counters, graph.size, door("genetic_step").bind(state)
    c[kernel.REPAIR] = 0
    while c[kernel.BORN] < 2:
        step(1)
    tour = kt.find_tour((6, 6), closed=True, rng=1).order.tolist()
    state.genes[:] = tour + tour[::-1]
    state.fitness[:] = [n, n]
    assert step(2 * n) == slices.FOUND
    k = tour.index(state.line[0])
    assert state.line.tolist() in (tour[k:] + tour[:k], (tour[: k + 1][::-1] + tour[k + 1 :][::-1]))


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [{"kind": "bits"}, {"population": 9}, {"generations": 1}, {"repair": 5}, {"mutation": 100}, {"mutation": 500}],
)
def test_every_option_changes_the_tours_that_are_found(options):
    asked = {"closed": True, "method": "genetic", "limits": Limits(seconds=20, nodes=40_000)}
    usual, others = ([solve((8, 8), rng=k, **asked, **more).tour for k in range(3)] for more in ({}, options))
    assert None not in usual and usual != others


def test_founders_are_not_repaired_so_that_the_first_tour_is_a_child():
    for seed in range(5):
        counters = solve((8, 8), closed=True, method="genetic", rng=seed).counters
        assert counters["births"] > 20 and counters["repairs"] > 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_all_kinds_of_questions_are_answered(question, kind):
    problem = Problem.of((6, 6), **question)
    assert_answers(problem, genetic(problem, Budget(), seed=3, kind=kind))


@pytest.mark.parametrize("board", TOURED, ids=str)
def test_small_boards_of_every_kind_have_open_tours(board):
    problem = Problem(board)
    assert_answers(problem, genetic(problem, Budget(Limits(seconds=20)), seed=1))


def test_a_graph_of_ones_own_is_a_board_too():
    hub = Board.from_graph(both_ways({0: range(1, 30), **{k: [k + 1] for k in range(1, 29)}, 29: []}))
    for kind in KINDS:
        problem = Problem(hub, closed=True)
        assert_answers(problem, genetic(problem, Budget(), seed=1, kind=kind, population=20))


@pytest.mark.parametrize("kind", KINDS)
def test_new_populations_are_founded_and_limits_are_kept(kind):
    star = Board.from_graph(both_ways({"m": ["a", "b", "c"], "a": [], "b": [], "c": []}))
    options = {"kind": kind, "population": 2, "generations": 5}
    outcome = genetic(Problem(star), Budget(Limits(nodes=5000)), seed=1, **options)
    assert outcome.status is Status.UNDECIDED and "5,000 nodes" in outcome.reason
    assert outcome.counters["restarts"] == (outcome.counters["births"]) // 10 > 0
    alone = Board.from_graph({"a": [], "b": [], "c": []})
    outcome = genetic(Problem(alone, closed=True), Budget(Limits(nodes=5000)), seed=1, **options)
    assert outcome.status is Status.UNDECIDED and outcome.counters["best"] <= 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "cloned"},
        {"population": 0},
        {"population": 2.0},
        {"generations": 0},
        {"repair": -1},
        {"repair": 101, "kind": "bits"},
        {"mutation": 1001},
    ],
    ids=str,
)
def test_populations_that_make_no_sense_are_refused(wrong):
    with pytest.raises(kt.MethodError, match=next(iter(wrong))):
        solve((8, 8), method="genetic", **wrong)
    with pytest.raises(kt.MethodError, match="too many"):
        solve((300, 300), method="genetic", population=10**6)


def test_a_trace_shows_each_child_that_is_the_best_so_far():
    trace = Trace()
    result = solve((6, 6), closed=True, method="genetic", rng=3, repair=0, trace=trace)
    kinds = Counter(event.kind for event in trace)
    assert kinds["cover"] > 1
    shown = [len(view.moves) for view in replay(trace, (6, 6)) if view.links]
    assert shown == sorted(shown) and shown[-1] == 36
    assert solve((6, 6), closed=True, method="genetic", rng=3, repair=0).tour == result.tour
    walks = Trace()
    solve((6, 6), method="genetic", kind="bits", rng=3, trace=walks)
    lengths = [len(event.squares) for event in walks if event.kind == "path"]
    assert lengths == sorted(lengths) and lengths[-1] == 36
