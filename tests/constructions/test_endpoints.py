"""Tests of tours between two given squares: they exist for every pair that no theorem excludes."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.checks import assert_piece_is_tour, assert_sampled_tour
from knightstour.core.constructions.endpoints import tour_between, window_path
from knightstour.core.constructions.four_rows import four_row_tour
from knightstour.core.constructions.implicit import _is_irregular
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.proofs.theorems import rectangle_proof
from knightstour.core.search.frontier.exact import exact

Square = tuple[int, int]


def is_excluded(rows: int, cols: int, start: Square, end: Square) -> bool:
    return start == end or rectangle_proof(Problem(Board(rows, cols), start=start, end=end)) is not None


def pairs(rows: int, cols: int) -> Iterator[tuple[Square, Square]]:
    """Yield the pairs that no theorem excludes, mostly without mirror images."""
    squares = [(r, c) for r in range(rows) for c in range(cols)]
    for start in squares:
        if 2 * start[0] < rows + 1 and 2 * start[1] < cols + 1:
            for end in squares:
                if not is_excluded(rows, cols, start, end):
                    yield start, end


def assert_tour_between(rows: int, cols: int, start: Square, end: Square) -> None:
    piece = tour_between(rows, cols, start, end)
    assert piece is not None, (rows, cols, start, end)
    if rows * cols <= 40_000:
        assert_piece_is_tour(piece, rows, cols, start=start, end=end)
    else:
        assert_sampled_tour(piece, rows, cols, start=start, end=end, samples=30)


# ---------------------------------------------------------------- random questions


def sides(most: int) -> st.SearchStrategy[int]:
    return st.one_of(st.integers(3, 8), st.integers(3, 40), st.integers(3, most))


@st.composite
def questions(draw: st.DrawFn, short: int, long: int) -> tuple[int, int, Square, Square]:
    """Draw a board of regular size, and two squares: near each other, near sides, or anywhere."""
    rows, cols = draw(sides(short)), draw(sides(long))
    if _is_irregular(rows, cols):
        cols += 14
    start = (draw(near_sides(rows)), draw(near_sides(cols)))
    if draw(st.booleans()):
        end = (draw(near_sides(rows)), draw(near_sides(cols)))
    else:
        end = tuple(
            min(size - 1, max(0, place + draw(st.integers(-20, 20))))
            for size, place in zip((rows, cols), start, strict=True)
        )
    # One step aside gives most ends the other colour, or the right one.
    step = draw(st.sampled_from([(0, 1), (0, -1), (1, 0), (-1, 0)]))
    for shift in ((0, 0), step):
        shifted = (end[0] + shift[0], end[1] + shift[1])
        if 0 <= shifted[0] < rows and 0 <= shifted[1] < cols and not is_excluded(rows, cols, start, shifted):
            end = shifted
            break
    if draw(st.booleans()):
        return cols, rows, start[::-1], end[::-1]
    return rows, cols, start, end


def near_sides(size: int) -> st.SearchStrategy[int]:
    return st.one_of(
        st.integers(0, size - 1), st.integers(0, min(size - 1, 15)), st.integers(max(0, size - 16), size - 1)
    )


@given(questions(40, 2000) | questions(10**100, 10**100))
def test_random_pairs_on_all_shapes_and_giant_boards(question: tuple[int, int, Square, Square]) -> None:
    if not is_excluded(*question):
        assert_tour_between(*question)


@pytest.mark.long
@pytest.mark.parametrize("rows", [3, 4, 5, 6, 7, 8, 10**9 + 1])
def test_corners_of_boards_that_are_very_long(rows: int) -> None:
    for cols in range(10**12, 10**12 + 24):
        corners = [(r, c) for r in (0, rows - 1) for c in (0, cols - 1)]
        for start in corners:
            for end in corners:
                if not is_excluded(rows, cols, start, end):
                    piece = tour_between(rows, cols, start, end)
                    assert piece is not None
                    assert_sampled_tour(piece, rows, cols, start=start, end=end, samples=2)


# ---------------------------------------------------------------- all questions


@pytest.mark.long
@pytest.mark.parametrize(("rows", "cols"), [(3, 14), (4, 15), (5, 7), (5, 8), (6, 6), (7, 8)])
def test_every_pair_of_small_boards(rows: int, cols: int) -> None:
    for start, end in pairs(rows, cols):
        assert_tour_between(rows, cols, start, end)


@pytest.mark.parametrize("size", [(15, 15), (16, 15), (9, 31), (5, 16), (5, 44), (3, 21), (3, 24), (3, 97), (27, 26)])
def test_pairs_sampled_from_boards_that_are_cut_up(size: tuple[int, int]) -> None:
    rng = random.Random(f"{size}")
    rows, cols = size
    for _ in range(40):
        start = (rng.randrange(rows), rng.randrange(cols))
        end = (rng.randrange(rows), rng.randrange(cols))
        if not is_excluded(rows, cols, start, end):
            assert_tour_between(rows, cols, start, end)


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(3, 17))
def test_every_pair_of_every_board_to_16x16(rows: int) -> None:
    for cols in range(rows, 17):
        if not _is_irregular(rows, cols):
            for start, end in pairs(rows, cols):
                assert_tour_between(rows, cols, start, end)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [3, 4, 5])
def test_every_pair_of_thin_boards_to_40_columns(rows: int) -> None:
    for cols in range(14, 41):
        for start, end in pairs(rows, cols):
            assert_tour_between(rows, cols, start, end)


# ---------------------------------------------------------------- the parts


@pytest.mark.parametrize(
    "asked", [{}, {"start": (2, 3)}, {"end": (4, 1)}, {"start": (0, 0), "end": (0, 1)}, {"closed": True}]
)
def test_window_path_has_requested_ends_and_is_deterministic(asked: dict[str, Any]) -> None:
    question = {"start": None, "end": None, **asked}
    path = window_path(6, 7, **question)
    assert path is not None and path == window_path.__wrapped__(6, 7, **question)
    assert reference.is_tour(reference.adjacency(reference.Spec(6, 7)), list(path), **asked)


def test_a_window_without_a_path_is_given_up() -> None:
    assert window_path(1, 1, None, None) == ((0, 0),)
    for size in ((2, 2), (3, 3), (1, 5), (3, 5), (4, 4)):
        assert window_path(*size, None, None, patience=20) is None
    assert window_path(5, 6, (0, 0), (0, 2), patience=20) is None


# ---------------------------------------------------------------- four rows


def outer_pairs(cols: int) -> list[tuple[Square, Square]]:
    """Return pairs of outer squares of different colours, without mirror images."""
    outer = [(r, c) for r in (0, 3) for c in range(cols)]
    return [
        (a, b) for a in outer for b in outer if sum(a) % 2 != sum(b) % 2 and a < b and a[0] == 0 and 2 * a[1] < cols
    ]


@pytest.mark.parametrize(
    "cols", [*range(7, 20), *(pytest.param(cols, marks=pytest.mark.slow) for cols in range(20, 61))]
)
def test_every_pair_of_unlike_outer_squares_has_a_tour(cols: int) -> None:
    for start, end in outer_pairs(cols):
        piece = four_row_tour(cols, start, end)
        assert piece is not None, (cols, start, end)
        assert_piece_is_tour(piece, 4, cols, start=start, end=end)


@pytest.mark.parametrize("cols", [3, 4, 5, 6])
def test_small_board_answers_match_existence(cols: int) -> None:
    for start, end in outer_pairs(cols):
        piece = four_row_tour(cols, start, end)
        if piece is not None:
            assert_piece_is_tour(piece, 4, cols, start=start, end=end)
        else:
            outcome = exact(Problem(Board(4, cols), start=start, end=end), Budget(), 0)
            assert outcome.status is Status.IMPOSSIBLE, (cols, start, end)


@pytest.mark.parametrize(
    ("start", "end"), [((1, 0), (0, 0)), ((0, 0), (2, 3)), ((0, 0), (0, 2)), ((0, 1), (3, 0)), ((1, 1), (2, 5))]
)
def test_no_tour_starts_inside_or_joins_equal_colours(start: Square, end: Square) -> None:
    assert four_row_tour(30, start, end) is None


def columns(cols: int) -> st.SearchStrategy[int]:
    return st.one_of(
        st.integers(0, min(40, cols - 1)), st.integers(0, cols - 1), st.integers(max(0, cols - 40), cols - 1)
    )


@st.composite
def four_row_questions(draw: st.DrawFn, most: int) -> tuple[int, Square, Square]:
    cols = draw(st.one_of(st.integers(7, 60), st.integers(7, most)))
    start = (draw(st.sampled_from([0, 3])), draw(columns(cols)))
    other = draw(columns(cols))
    # The end's row is the one that gives it the other colour.
    end = next((r, other) for r in (0, 3) if (r + other) % 2 != sum(start) % 2)
    return cols, start, end


@given(four_row_questions(2000))
def test_random_pairs_on_long_boards(question: tuple[int, Square, Square]) -> None:
    cols, start, end = question
    piece = four_row_tour(cols, start, end)
    assert piece is not None
    assert_piece_is_tour(piece, 4, cols, start=start, end=end)


@given(four_row_questions(10**100))
def test_random_pairs_of_giant_boards_of_four_rows(question: tuple[int, Square, Square]) -> None:
    cols, start, end = question
    piece = four_row_tour(cols, start, end)
    assert piece is not None
    assert_sampled_tour(piece, 4, cols, start=start, end=end, samples=30)
