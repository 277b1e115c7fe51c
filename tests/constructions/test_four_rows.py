"""Four rows: the class strip, and tours between two outer squares of any board 4 x n."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.checks import assert_piece_is_tour, assert_sampled_tour
from knightstour.core.constructions.four_rows import _RUN, _THREAD, _THREAD_CUT, _class_of, four_row_tour, strip_path
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.search.frontier.exact import exact

Square = tuple[int, int]


def outer_pairs(cols: int) -> list[tuple[Square, Square]]:
    """All pairs of outer squares of unlike colour, those that are mirror images of others left out."""
    outer = [(r, c) for r in (0, 3) for c in range(cols)]
    return [
        (a, b) for a in outer for b in outer if sum(a) % 2 != sum(b) % 2 and a < b and a[0] == 0 and 2 * a[1] < cols
    ]


def strip(cols: int) -> reference.Adjacency:
    """The class strip: outer (0, c) and inner (1, c'), joined where the columns differ by 1 or 2."""
    return {(v, c): {(1 - v, c + d) for d in (-2, -1, 1, 2) if 0 <= c + d < cols} for v in (0, 1) for c in range(cols)}


@pytest.mark.parametrize("cols", range(1, 12))
def test_a_class_is_a_strip(cols: int) -> None:
    moves = reference.adjacency(reference.Spec(4, cols))
    for square, near in moves.items():
        inner, col = square[0] in (1, 2), square[1]
        mine = {(int(s[0] in (1, 2)), s[1]) for s in near if _class_of(s) == _class_of(square)}
        assert mine == strip(cols)[int(inner), col]
        # Moves to the other class go from inner to inner squares, two columns on.
        others = [s for s in near if _class_of(s) != _class_of(square)]
        assert all(inner and s[0] in (1, 2) and abs(s[1] - col) == 2 for s in others)


def test_the_tiles_are_paths_of_the_strip_that_join_their_copies() -> None:
    assert reference.is_tour(strip(3), list(_THREAD)) and reference.is_tour(strip(3), list(_RUN))
    far = strip(6)
    assert (0, 3) in far[_RUN[-1]]
    # The next thread goes from (0, 3) to (1, 4), or back, between the two squares at the cut.
    before, after = _THREAD[_THREAD_CUT - 1], _THREAD[_THREAD_CUT]
    assert {(0, 3), (1, 4)} <= far[before] | far[after]
    assert ((1, 4) in far[before] and (0, 3) in far[after]) or ((0, 3) in far[before] and (1, 4) in far[after])


@pytest.mark.parametrize("cols", range(7, 20))
def test_every_pair_of_outer_squares_of_unlike_colour_has_a_tour(cols: int) -> None:
    for start, end in outer_pairs(cols):
        piece = four_row_tour(cols, start, end)
        assert piece is not None, (cols, start, end)
        assert_piece_is_tour(piece, 4, cols, start=start, end=end)


@pytest.mark.slow
@pytest.mark.parametrize("cols", range(20, 61))
def test_every_pair_of_outer_squares_has_a_tour_on_longer_boards(cols: int) -> None:
    for start, end in outer_pairs(cols):
        piece = four_row_tour(cols, start, end)
        assert piece is not None, (cols, start, end)
        assert_piece_is_tour(piece, 4, cols, start=start, end=end)


@pytest.mark.parametrize("cols", [3, 4, 5, 6])
def test_on_small_boards_what_is_found_is_a_tour_and_where_none_is_found_there_is_none(cols: int) -> None:
    for start, end in outer_pairs(cols):
        piece = four_row_tour(cols, start, end)
        if piece is not None:
            assert_piece_is_tour(piece, 4, cols, start=start, end=end)
        else:
            outcome = exact(Problem(Board(4, cols), False, start, end), Budget(), 0)
            assert outcome.status is Status.IMPOSSIBLE, (cols, start, end)


@pytest.mark.parametrize(
    ("start", "end"), [((1, 0), (0, 0)), ((0, 0), (2, 3)), ((0, 0), (0, 2)), ((0, 1), (3, 0)), ((1, 1), (2, 5))]
)
def test_no_tour_is_made_from_an_inner_square_or_between_squares_of_one_colour(start: Square, end: Square) -> None:
    assert four_row_tour(30, start, end) is None


def columns(cols: int) -> st.SearchStrategy[int]:
    return st.one_of(
        st.integers(0, min(40, cols - 1)), st.integers(0, cols - 1), st.integers(max(0, cols - 40), cols - 1)
    )


@st.composite
def questions(draw: st.DrawFn, most: int) -> tuple[int, Square, Square]:
    cols = draw(st.one_of(st.integers(7, 60), st.integers(7, most)))
    start = (draw(st.sampled_from([0, 3])), draw(columns(cols)))
    other = draw(columns(cols))
    # The end's row is the one that gives it the other colour.
    end = next((r, other) for r in (0, 3) if (r + other) % 2 != sum(start) % 2)
    return cols, start, end


@given(questions(2000))
def test_random_pairs_on_long_boards(question: tuple[int, Square, Square]) -> None:
    cols, start, end = question
    piece = four_row_tour(cols, start, end)
    assert piece is not None
    assert_piece_is_tour(piece, 4, cols, start=start, end=end)


@given(questions(10**100))
def test_random_pairs_on_giant_boards(question: tuple[int, Square, Square]) -> None:
    cols, start, end = question
    piece = four_row_tour(cols, start, end)
    assert piece is not None
    assert_sampled_tour(piece, 4, cols, start=start, end=end, samples=30)


@pytest.mark.parametrize("width", range(1, 7))
def test_a_window_is_found_just_where_the_strip_has_a_path(width: int) -> None:
    adjacent = strip(width)
    for a in range(width):
        for x in range(width):
            path = strip_path(width, (0, a), (1, x))
            if path is not None:
                assert reference.is_tour(adjacent, list(path), start=(0, a), end=(1, x))
            else:
                assert not reference.has_tour(adjacent, start=(0, a), end=(1, x))
