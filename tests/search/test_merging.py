"""Loop merging against the slow checks of reference.py, on boards of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.checks import assert_answers
from helpers.examples import examples
from helpers.strategies import QUESTIONS, boards
from knightstour.core.kernels.search import merging as kernel
from knightstour.core.machine import slices
from knightstour.core.machine.native import door
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import MethodError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, Status
from knightstour.core.search import flat_merging
from knightstour.core.search.flat_merging import merge_flat
from knightstour.core.search.merging import fixed_cover, merge, start_state
from knightstour.core.search.options import RANDOMNESS

LARGE = [pytest.param(size, marks=pytest.mark.long) for size in ((20, 20), (20, 21))]


def answer(problem: Problem, seed: int = 0, randomness: int = 1, nodes: int = 200_000) -> Outcome:
    return merge(problem, Budget(Limits(seconds=120, nodes=nodes)), seed, randomness=randomness)


@pytest.mark.parametrize("randomness", RANDOMNESS)
@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(6, 6), (8, 8), (12, 12), (10, 10), (7, 8), *LARGE])
def test_even_boards_have_all_kinds_of_tours(size, kind, randomness):
    problem = Problem.of(size, **kind)
    for seed in range(2):
        assert_answers(problem, answer(problem, seed, randomness))


@pytest.mark.parametrize("randomness", RANDOMNESS)
@pytest.mark.parametrize("kind", [{}, {"start": "a1"}, {"end": "c3"}, {"start": "a1", "end": "c1"}], ids=str)
@pytest.mark.parametrize("size", [(7, 7), (9, 9), (21, 21), (5, 9)])
def test_odd_boards_have_open_tours(size, kind, randomness):
    problem = Problem.of(size, **kind)
    assert_answers(problem, answer(problem, 1, randomness))


@pytest.mark.parametrize("randomness", RANDOMNESS)
@pytest.mark.parametrize(
    "problem",
    [
        Problem.of((1, 1)),
        Problem.of((1, 1), start="a1", end="a1"),
        Problem.of((3, 4)),
        Problem.of((5, 5), start="a1", end="e5"),
        Problem.of((5, 6), closed=True),
        Problem.of((3, 10), closed=True),
        Problem.of((3, 40), closed=True),
        Problem.of((4, 5), start="a1"),
        Problem.of(Board(6, 6, wrap="torus"), closed=True),
        Problem.of(Board(5, 5, wrap="torus"), closed=True),
        Problem.of(Board(5, 6, wrap="mobius"), closed=True),
        Problem.of(Board(7, 7, wrap="klein"), start="a1"),
        Problem.of(Board(10, 10, leaper=(2, 3)), closed=True),
        Problem.of(Board(8, 8, holes=["d4", "e4", "d5", "e5"]), closed=True),
        Problem.of(Board(8, 8, holes=["a1", "h1"])),
        Problem.of(Board.from_graph([[1, 2], [0, 3], [0, 3], [1, 2]]), closed=True),
    ],
    ids=str,
)
def test_small_and_odd_shaped_boards_are_solved(problem, randomness):
    assert_answers(problem, answer(problem, 3, randomness))


@examples(60)
@given(boards(most_side=4), st.booleans(), st.sampled_from(["", "s", "e", "se"]), st.integers(0, 10**6), st.data())
def test_it_never_contradicts_a_full_search(board, closed, given_ends, seed, data):
    squares = st.sampled_from([divmod(int(s), board.cols) for s in move_graph(board).squares])
    start = data.draw(squares) if "s" in given_ends else None
    end = data.draw(squares) if "e" in given_ends and not closed else None
    if start is not None and start == end and board.square_count > 1:
        end = None
    problem = Problem.of(board, closed=closed, start=start, end=end)
    outcome = answer(problem, seed, seed % 3, nodes=3000)
    if outcome.status is Status.FOUND:
        assert_answers(problem, outcome)
    if outcome.status is Status.IMPOSSIBLE:
        assert outcome.reason and outcome.source
        adjacent = reference.adjacency(reference.spec_of(board))
        assert not reference.has_tour(adjacent, closed=closed, start=start, end=end)


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem.of((5, 5), closed=True), "each square of a closed tour needs another to follow it"),
        (Problem.of((5, 5), start="b1"), "besides b1"),
        (Problem.of((8, 8), start="a1", end="c1"), "each square of a tour but the end"),
        (Problem.of((1, 2)), "neighbours among them all"),
        (Problem.of(Board(1, 2, leaper=(0, 1)), closed=True), "at least three squares"),
    ],
    ids=str,
)
def test_no_cover_proves_that_there_is_no_tour(problem, words):
    outcome = answer(problem)
    assert outcome.status is Status.IMPOSSIBLE
    assert words in outcome.reason
    assert outcome.source


@pytest.mark.parametrize("problem", [Problem.of((4, 8), closed=True), Problem.of((4, 4)), Problem.of((3, 5))], ids=str)
def test_a_cover_without_a_tour_is_left_undecided_at_the_limit(problem):
    budget = Budget(Limits(nodes=20_000))
    outcome = merge(problem, budget, 1)
    assert outcome.status is Status.UNDECIDED
    assert "20,000 nodes" in outcome.reason
    assert outcome.counters["stuck"] == outcome.counters["restarts"] + 1 > 5


def test_the_same_seed_gives_the_same_tour_and_another_seed_another():
    problem = Problem.of((8, 8), closed=True)
    tours = {tuple(answer(problem, seed).order) for seed in range(10) for _ in range(2)}
    assert len(tours) == 10


def test_the_labels_and_sizes_of_loops_stay_true_through_repairs():
    state = start_state(Problem.of((9, 10)), 2, 2)
    c = state.counters
    checked = 0
    step = door("merging_step").bind(state)
    while step(7) == slices.RUNNING:
        if c[kernel.PHASE] not in (kernel.SWEEP, kernel.REPAIR):
            continue
        left = {*range(90), int(c[kernel.JOKER])}
        loops = 0
        while left:
            loop = walk(state, left.pop())
            left -= loop
            labels = {root_of(state, s) for s in loop}
            assert len(labels) == 1 and state.loops[labels.pop()] == len(loop)
            loops += 1
        assert loops == c[kernel.COMPONENTS]
        checked += 1
    assert checked > 20


def root_of(state: kernel.State, s: int) -> int:
    """The label of a square's loop: in phase SWEEP the root of its tree."""
    label = state.label.tolist()
    while state.counters[kernel.PHASE] == kernel.SWEEP and label[s] != s:
        s = label[s]
    return label[s]


def walk(state: kernel.State, first: int) -> set[int]:
    loop = {first}
    ahead = [first]
    while ahead:
        s = ahead.pop()
        for t in (int(state.before[s]), int(state.after[s])):
            assert s in (state.before[t], state.after[t])
            if t not in loop:
                loop.add(t)
                ahead.append(t)
    return loop


def test_the_fixed_cover_is_the_four_loops_of_each_block():
    after = fixed_cover(Board(4, 4), np.ones(16, dtype=bool))
    picture = [0] * 16
    for mark, s in enumerate(range(4), start=1):
        for _ in range(4):
            picture[s] = mark
            s = int(after[s])
        assert s == mark - 1
    assert picture == [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    assert (fixed_cover(Board(8, 12), np.ones(96, dtype=bool)) >= 0).all()


def test_large_boards_are_merged():
    problem = Problem.of((200, 201), start=(0, 0), end=(199, 200))
    assert_answers(problem, merge(problem, Budget(), 1))


def test_an_unknown_randomness_is_refused():
    with pytest.raises(MethodError, match="unknown randomness 3"):
        kt.solve((8, 8), method="merge", randomness=3)


def test_only_boards_too_large_to_list_are_declined():
    assert kt.METHODS["merge"].why_not(Problem.of((8, 8))) is None
    assert "50,000,000" in str(kt.METHODS["merge"].why_not(Problem.of((10_000, 10_000))))


def test_labels_of_an_earlier_cover_do_not_fill_up_the_later_ones():
    # Two triangles and a square of two: no tour, and ever new covers.
    board = Board(4, 3, holes=[(3, 2), (2, 2)], wrap="torus", leaper=(0, 2))
    for seed in range(5):
        budget = Budget(Limits(seconds=0.5, nodes=20_000))
        assert merge(Problem.of(board), budget, seed).status is Status.UNDECIDED


@pytest.mark.parametrize(
    "problem",
    [
        Problem.of(Board(66, 66, holes=[(5, 9), (20, 31), (40, 41), (60, 4)]), closed=True),
        Problem.of(Board(65, 65), start="a1"),
        Problem.of(Board(66, 64, leaper=(2, 3))),
        Problem.of(Board(64, 66, wrap="torus"), start="a1", end="b1"),
    ],
    ids=str,
)
def test_boards_larger_than_the_window_are_covered_and_joined(problem):
    outcome = answer(problem)
    assert outcome.status is Status.FOUND
    assert_answers(problem, outcome)


def test_a_large_board_without_a_cover_is_seen():
    # The corner has lost both squares that it has moves to.
    board = Board(66, 66, holes=[(1, 2), (2, 1), (30, 30), (31, 30)])
    assert answer(Problem.of(board, closed=True)).status is Status.IMPOSSIBLE
    assert "neighbours among them all" in answer(Problem.of(board, start="b1")).reason


# ---------------------------------------------------------------- flat boards


def assert_merges(problem: Problem, seeds: int) -> None:
    """Whether some of so many seeds make a tour, and no seed another thing."""
    outcomes = [outcome for seed in range(seeds) if (outcome := merge_flat(problem, Budget(), seed))]
    assert outcomes
    for outcome in outcomes:
        assert_answers(problem, outcome)


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(12, 12), (20, 20), (32, 24)])
def test_flat_boards_have_all_kinds_of_tours(size, kind):
    assert_merges(Problem.of(size, **kind), 3)


@pytest.mark.parametrize("size", [(26, 24), (25, 24), (30, 30), (21, 30), (8, 80)])
def test_boards_with_margins_have_them_too(size):
    for kind in ({"closed": True}, {}, {"start": "a1"}, {"start": "a1", "end": "b1"}, {"closed": True, "start": "c3"}):
        assert_merges(Problem.of(size, **kind), 4)


@pytest.mark.parametrize("size", [(25, 25), (27, 33), (9, 81)])
def test_boards_of_an_odd_number_of_squares_have_open_tours(size):
    for kind in ({}, {"start": (0, 0)}, {"start": (0, 0), "end": (4, 4)}, {"end": (2, 2)}):
        assert_merges(Problem.of(size, **kind), 6)


def test_boards_without_a_cover_by_pairs_are_left_to_the_search():
    assert merge_flat(Problem.of((12, 12), start="a1", end="c1"), Budget(), 1) is None


@pytest.mark.long
def test_it_is_for_large_flat_boards(monkeypatch):
    monkeypatch.setattr(flat_merging, "LARGE", 100)
    assert flat_merging.is_for(Problem.of((12, 12)))
    assert not flat_merging.is_for(Problem.of((8, 8)))
    assert flat_merging.is_for(Problem.of((13, 12), closed=True))
    assert flat_merging.is_for(Problem.of((13, 13)))
    assert not flat_merging.is_for(Problem.of((13, 13), closed=True))
    assert not flat_merging.is_for(Problem.of((7, 40)))
    assert not flat_merging.is_for(Problem.of(Board(12, 12, wrap="torus")))
    assert not flat_merging.is_for(Problem.of(Board(12, 12, leaper=(2, 3))))
    problem = Problem.of((12, 12), closed=True, start="c3")
    outcome = merge(problem, Budget(), 5)
    assert outcome.status is Status.FOUND
    assert outcome.counters["repairs"] == 0
    assert_answers(problem, outcome)
    assert merge(problem, Budget(), 5).order.tolist() == outcome.order.tolist()
    assert merge(problem, Budget(), 6).order.tolist() != outcome.order.tolist()


def test_a_board_of_more_squares_than_nodes_is_left_to_the_search():
    assert merge_flat(Problem.of((12, 12)), Budget(Limits(nodes=143)), 1) is None
