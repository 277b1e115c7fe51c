"""Tests of implicit tours: all problems of small rectangles, and single squares of giant ones."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.checks import assert_is_tour
from helpers.examples import mostly_long
from knightstour.core.constructions.implicit import ImplicitTour, implicit_tour
from knightstour.core.constructions.pieces import Repeat
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.model.result_errors import NoTour
from knightstour.core.proofs.theorems import rectangle_proof
from knightstour.core.search.frontier.exact import exact

Square = tuple[int, int]


def answer(problem: Problem) -> ImplicitTour | None:
    """Return the tour, or None if it is proved impossible."""
    try:
        return implicit_tour(problem.board, closed=problem.closed, start=problem.start, end=problem.end)
    except NoTour as error:
        assert error.result.reason and error.result.source
        assert error.result.status is Status.IMPOSSIBLE
        return None


def assert_answered(problem: Problem, has_tour: bool | None = None) -> bool:
    """Check the tour, or its absence by `has_tour` or an exact search. Return whether it exists."""
    board, tour = problem.board, answer(problem)
    if tour is None:
        if has_tour is None:
            has_tour = exact(problem, Budget(), 0).status is Status.FOUND
        assert not has_tour, problem
        return False
    assert has_tour is not False, problem
    assert_is_tour(tour.order(), board.rows, board.cols, closed=problem.closed, start=problem.start, end=problem.end)
    (r0, c0), (r1, c1) = tour.square_at(0), tour.square_at(tour.length - 1)
    assert tour.is_closed == ({abs(r0 - r1), abs(c0 - c1)} == {1, 2}), problem
    return True


def questions(rows: int, cols: int, *, all_pairs: bool = True, seed: int = 0) -> Iterator[Problem]:
    """Yield the problems of a rectangle up to mirror images, or a few of those with ends."""
    board = Board(rows, cols)
    squares = [(r, c) for r in range(rows) for c in range(cols)]
    starts: list[Square] = [(r, c) for r in range((rows + 1) // 2) for c in range((cols + 1) // 2)]
    rng = random.Random(f"{rows} {cols} {seed}")
    if not all_pairs:
        starts = rng.sample(starts, min(3, len(starts)))
    yield Problem(board, closed=True)
    yield Problem(board)
    for start in starts:
        yield Problem(board, closed=True, start=start)
        yield Problem(board, start=start)
        yield Problem(board, start=None, end=start)
        for end in squares if all_pairs else rng.sample(squares, min(4, len(squares))):
            if end != start:
                yield Problem(board, start=start, end=end)


# ---------------------------------------------------------------- every question


@pytest.mark.parametrize(("rows", "cols"), [(r, c) for r in range(1, 13) for c in range(1, 13) if r * c <= 12])
def test_smallest_boards_match_the_reference(rows: int, cols: int) -> None:
    adjacent = reference.adjacency(reference.Spec(rows, cols))
    for p in questions(rows, cols):
        assert_answered(p, reference.has_tour(adjacent, closed=p.closed, start=p.start, end=p.end))


@pytest.mark.parametrize(
    ("rows", "cols"), mostly_long([(3, 5), (4, 4), (4, 5), (3, 6), (3, 7), (8, 3), (5, 4), (5, 5)])
)
def test_irregular_boards_match_exact_search(rows: int, cols: int) -> None:
    for problem in questions(rows, cols):
        assert_answered(problem)


def has_tour_by_the_rules(problem: Problem) -> bool | None:
    """Return whether a large board has a tour, or None if a search must decide."""
    if rectangle_proof(problem) is not None:
        return False  # theorems are held against search in test_theorems.py
    short = min(problem.board.rows, problem.board.cols)
    both_ends = problem.start is not None and problem.end is not None
    return True if short >= 6 or (short == 5 and not both_ends) else None


@pytest.mark.parametrize(
    ("rows", "most", "seeds"),
    [
        *(pytest.param(rows, 12, 1, marks=pytest.mark.long) for rows in range(1, 13)),
        *(pytest.param(rows, 20, 5, marks=pytest.mark.slow) for rows in range(1, 21)),
    ],
)
def test_questions_about_every_rectangle_are_answered(rows: int, most: int, seeds: int) -> None:
    for cols, seed in itertools.product(range(1, most + 1), range(seeds)):
        for problem in questions(rows, cols, all_pairs=False, seed=seed):
            assert_answered(problem, has_tour_by_the_rules(problem))


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols"), [(r, c) for r in range(1, 13) for c in range(1, 13) if r * c <= 50])
def test_boards_up_to_fifty_squares_are_all_answered(rows: int, cols: int) -> None:
    for problem in questions(rows, cols):
        assert_answered(problem, has_tour_by_the_rules(problem))


# ---------------------------------------------------------------- single squares


@pytest.mark.parametrize(
    ("size", "question"),
    [
        ((3, 7), {}),
        ((3, 10), {"closed": True, "start": (1, 4)}),
        ((4, 9), {"start": "a1"}),
        ((5, 5), {"end": "c3"}),
        ((6, 9), {"closed": True}),
        ((9, 6), {"start": (3, 3), "end": (4, 3)}),
        ((17, 23), {}),
    ],
)
def test_all_ways_to_ask_agree(size: tuple[int, int], question: dict[str, Any]) -> None:
    tour = implicit_tour(size, **question)
    squares = list(tour)
    assert len(tour) == tour.length == len(squares) == size[0] * size[1]
    assert [r * size[1] + c for r, c in squares] == tour.order().tolist()
    assert [tour.square_at(step) for step in range(len(tour))] == squares
    assert [tour.index_of(square) for square in squares] == list(range(len(tour)))


giant_sides = st.integers(1, 100).flatmap(lambda digits: st.integers(10 ** (digits - 1), 10**digits))


@given(giant_sides, giant_sides, st.data())
def test_steps_and_neighbours_of_giant_tours_fit_together(rows: int, cols: int, data: st.DataObject) -> None:
    rows, cols = max(rows, 3), max(cols, 3)
    closed = data.draw(st.booleans())
    start = data.draw(st.none() | st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1)))
    tour = answer(Problem(Board(rows, cols), closed=closed, start=start))
    if tour is None:
        return
    assert tour.length == rows * cols and (tour.is_closed or not closed)
    assert start is None or tour.square_at(0) == start
    for _ in range(5):
        square = data.draw(st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1)))
        step = tour.index_of(square)
        assert tour.square_at(step) == square
        if step == tour.length - 1 and not tour.is_closed:
            continue
        after = tour.square_at((step + 1) % tour.length)
        assert {abs(square[0] - after[0]), abs(square[1] - after[1])} == {1, 2}


def test_tour_of_any_size_is_searched_in_few_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    plain = Repeat.at
    monkeypatch.setattr(Repeat, "at", lambda self, step: asked.append(step) or plain(self, step))
    rng = random.Random(1)
    for side in (100, 10**6 + 4, 10**30 + 2, 10**100 + 4):
        tour = implicit_tour((side, side), closed=True)
        for _ in range(30):
            asked.clear()
            tour.square_at(rng.randrange(tour.length))
            assert len(asked) <= 4


# ---------------------------------------------------------------- errors


def test_steps_off_the_tour_are_index_errors() -> None:
    tour = implicit_tour((5, 6))
    for step in (-1, 30, 10**40):
        with pytest.raises(IndexError, match="between 0 and 29"):
            tour.square_at(step)


@pytest.mark.parametrize(
    "board",
    [Board(8, 8, holes=["a1"]), Board(8, 8, wrap="torus"), Board(8, 8, leaper=(2, 3)), Board.from_graph([[1], [0]])],
    ids=str,
)
def test_rejects_other_boards_with_help(board: Board) -> None:
    with pytest.raises(ProblemError, match="plain knight's rectangles") as error:
        implicit_tour(board)
    assert "find_tour" in error.value.help


@pytest.mark.parametrize(
    ("size", "question"),
    [
        ((4, 10**40), {"closed": True}),
        ((10**40, 2), {}),
        ((10**40 + 1, 10**40 + 1), {"closed": True}),
        ((10**40 + 1, 10**40 + 1), {"start": (0, 1)}),
        ((10**40, 10**40), {"start": (0, 0), "end": (7, 7)}),
        ((10**40, 4), {"end": (10**39, 2)}),
    ],
)
def test_giant_impossible_boards_raise_no_tour_with_theorem(size: tuple[int, int], question: dict[str, Any]) -> None:
    with pytest.raises(NoTour) as error:
        implicit_tour(size, **question)
    assert error.value.result.source and error.value.result.method == "explicit"


def test_tour_is_truthy_even_beyond_the_range_of_len() -> None:
    tour = implicit_tour((10**30, 10**30))
    assert tour
    with pytest.raises(OverflowError):
        len(tour)
