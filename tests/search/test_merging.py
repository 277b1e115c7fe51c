"""Loop merging compared with the slow checks of reference.py, on boards of every kind."""

import pytest

import knightstour as kt
from helpers.checks import assert_answers
from helpers.strategies import QUESTIONS
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, Status
from knightstour.core.search.flat_merging import merge_flat
from knightstour.core.search.merging import merge
from knightstour.core.search.options import RANDOMNESS

LARGE = [pytest.param(size, marks=pytest.mark.long) for size in ((20, 20), (20, 21))]


def answer(problem: Problem, seed: int = 0, randomness: int = 1, nodes: int = 200_000) -> Outcome:
    return merge(problem, Budget(Limits(seconds=120, nodes=nodes)), seed, randomness=randomness)


@pytest.mark.parametrize("randomness", RANDOMNESS)
@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(6, 6), (8, 8), (12, 12), (10, 10), (7, 8), *LARGE])
def test_even_boards_have_all_kinds_of_tours(size, kind, randomness):
    problem = Problem(size, **kind)
    for seed in range(2):
        assert_answers(problem, answer(problem, seed, randomness))


@pytest.mark.parametrize("randomness", RANDOMNESS)
@pytest.mark.parametrize(
    "problem",
    [
        Problem((1, 1)),
        Problem((1, 1), start="a1", end="a1"),
        Problem((3, 4)),
        Problem((5, 5), start="a1", end="e5"),
        Problem((5, 6), closed=True),
        Problem((3, 10), closed=True),
        Problem((3, 40), closed=True),
        Problem((4, 5), start="a1"),
        Problem(Board(6, 6, wrap="torus"), closed=True),
        Problem(Board(5, 5, wrap="torus"), closed=True),
        Problem(Board(5, 6, wrap="mobius"), closed=True),
        Problem(Board(7, 7, wrap="klein"), start="a1"),
        Problem(Board(10, 10, leaper=(2, 3)), closed=True),
        Problem(Board(8, 8, holes=["d4", "e4", "d5", "e5"]), closed=True),
        Problem(Board(8, 8, holes=["a1", "h1"])),
        Problem(Board.from_graph([[1, 2], [0, 3], [0, 3], [1, 2]]), closed=True),
    ],
    ids=str,
)
def test_small_and_odd_shaped_boards_are_solved(problem, randomness):
    assert_answers(problem, answer(problem, 3, randomness))


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem((5, 5), closed=True), "each square of a closed tour needs another to follow it"),
        (Problem((5, 5), start="b1"), "besides b1"),
        (Problem((8, 8), start="a1", end="c1"), "each square of a tour but the end"),
        (Problem((1, 2)), "neighbours among them all"),
        (Problem(Board(1, 2, leaper=(0, 1)), closed=True), "at least three squares"),
    ],
    ids=str,
)
def test_missing_cover_proves_impossibility(problem, words):
    outcome = answer(problem)
    assert outcome.status is Status.IMPOSSIBLE
    assert words in outcome.reason
    assert outcome.source


@pytest.mark.parametrize("problem", [Problem((4, 8), closed=True), Problem((4, 4)), Problem((3, 5))], ids=str)
def test_cover_without_tour_stays_undecided_at_the_limit(problem):
    budget = Budget(Limits(nodes=20_000))
    outcome = merge(problem, budget, 1)
    assert outcome.status is Status.UNDECIDED
    assert "20,000 nodes" in outcome.reason
    assert outcome.counters["stuck"] == outcome.counters["restarts"] + 1 > 5


def test_large_boards_are_merged():
    problem = Problem((200, 201), start=(0, 0), end=(199, 200))
    assert_answers(problem, merge(problem, Budget(), 1))


def test_only_boards_too_large_to_list_are_declined():
    assert kt.METHODS["merge"].why_not(Problem((8, 8))) is None
    assert "50,000,000" in str(kt.METHODS["merge"].why_not(Problem((10_000, 10_000))))


@pytest.mark.parametrize(
    "problem",
    [
        Problem(Board(66, 66, holes=[(5, 9), (20, 31), (40, 41), (60, 4)]), closed=True),
        Problem(Board(65, 65), start="a1"),
        Problem(Board(66, 64, leaper=(2, 3))),
        Problem(Board(64, 66, wrap="torus"), start="a1", end="b1"),
    ],
    ids=str,
)
def test_boards_larger_than_the_window_are_covered_and_joined(problem):
    outcome = answer(problem)
    assert outcome.status is Status.FOUND
    assert_answers(problem, outcome)


def test_a_large_board_without_a_cover_is_seen():
    # The corner has lost both of its neighbours.
    board = Board(66, 66, holes=[(1, 2), (2, 1), (30, 30), (31, 30)])
    assert answer(Problem(board, closed=True)).status is Status.IMPOSSIBLE
    assert "neighbours among them all" in answer(Problem(board, start="b1")).reason


# ---------------------------------------------------------------- flat boards


def assert_merges(problem: Problem, seeds: int) -> None:
    """Check that some of the seeds find a tour, and that all tours are valid."""
    outcomes = [outcome for seed in range(seeds) if (outcome := merge_flat(problem, Budget(), seed))]
    assert outcomes
    for outcome in outcomes:
        assert_answers(problem, outcome)


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(12, 12), (20, 20), (32, 24)])
def test_flat_boards_have_all_kinds_of_tours(size, kind):
    assert_merges(Problem(size, **kind), 3)


@pytest.mark.parametrize("size", [(26, 24), (25, 24), (30, 30), (21, 30), (8, 80)])
def test_boards_with_margins_have_them_too(size):
    for kind in ({"closed": True}, {}, {"start": "a1"}, {"start": "a1", "end": "b1"}, {"closed": True, "start": "c3"}):
        assert_merges(Problem(size, **kind), 4)


@pytest.mark.parametrize("size", [(25, 25), (27, 33), (9, 81)])
def test_boards_of_an_odd_number_of_squares_have_open_tours(size):
    for kind in ({}, {"start": (0, 0)}, {"start": (0, 0), "end": (4, 4)}, {"end": (2, 2)}):
        assert_merges(Problem(size, **kind), 6)


def test_boards_without_pair_cover_are_searched():
    assert merge_flat(Problem((12, 12), start="a1", end="c1"), Budget(), 1) is None


def test_board_larger_than_the_node_limit_is_searched():
    assert merge_flat(Problem((12, 12)), Budget(Limits(nodes=143)), 1) is None
