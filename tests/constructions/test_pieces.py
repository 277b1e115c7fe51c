"""Tests of pieces and blocks of constructed tours, compared with lists of squares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.checks import assert_piece_is_tour, assert_sampled_tour
from helpers.random_pieces import pieces, written_out
from knightstour.core.constructions.blocks import comb, fringe, ring
from knightstour.core.constructions.pieces import Piece


@given(pieces())
def test_every_piece_answers_as_the_list_of_its_squares(piece: Piece) -> None:
    squares = written_out(piece)
    assert piece.length == len(squares)
    assert [piece.at(step) for step in range(piece.length)] == squares
    assert [piece.rank(square) for square in squares] == list(range(piece.length))


@given(pieces())
def test_bounds_are_the_least_box_around_the_squares(piece: Piece) -> None:
    rows, cols = zip(*written_out(piece), strict=True)
    assert piece.bounds == (min(rows), max(rows), min(cols), max(cols))


@given(pieces())
def test_squares_of_other_pieces_have_no_rank(piece: Piece) -> None:
    squares = set(written_out(piece))
    r0, r1, c0, c1 = piece.bounds
    around = {(r, c) for r in range(r0 - 2, r1 + 3) for c in range(c0 - 2, c1 + 3)}
    assert all(piece.rank(square) is None for square in around - squares)


# ---------------------------------------------------------------- blocks


GIANT = st.integers(1, 100).flatmap(lambda digits: st.integers(10 ** (digits - 1), 10**digits)).map(lambda n: n + 5)


def ends(piece: Piece) -> tuple[tuple[int, int], tuple[int, int]]:
    return piece.at(0), piece.at(piece.length - 1)


@pytest.mark.parametrize("rows", range(5, 41))
def test_every_comb_to_40x40_is_a_tour(rows: int) -> None:
    for cols in range(5, 41):
        piece = comb(rows, cols)
        is_even = rows * cols % 2 == 0
        assert_piece_is_tour(piece, rows, cols, closed=is_even)
        if is_even:
            assert ends(piece) == ((1, 1), (3, 0))


@given(GIANT, GIANT)
def test_giant_combs_are_right_at_all_seams_and_in_samples(rows: int, cols: int) -> None:
    assert_sampled_tour(comb(rows, cols), rows, cols, closed=rows * cols % 2 == 0, samples=30)


@pytest.mark.parametrize("cols", range(4, 81, 4))
def test_every_fringe_to_80_columns_joins_its_corners(cols: int) -> None:
    piece = fringe(cols)
    assert_piece_is_tour(piece, 3, cols, start=(1, 0), end=(2, 0))
    assert [piece.rank(piece.at(step)) for step in range(3 * cols)] == list(range(3 * cols))


@pytest.mark.parametrize("cols", range(10, 91, 2))
def test_every_ring_to_90_columns_is_a_closed_tour(cols: int) -> None:
    piece = ring(cols)
    assert_piece_is_tour(piece, 3, cols, closed=True)
    assert [piece.rank(piece.at(step)) for step in range(3 * cols)] == list(range(3 * cols))


@given(GIANT)
def test_giant_fringes_and_rings_are_right_at_seams(cols: int) -> None:
    assert_sampled_tour(fringe(4 * cols), 3, 4 * cols, start=(1, 0), end=(2, 0), samples=30)
    assert_sampled_tour(ring(2 * cols), 3, 2 * cols, closed=True, samples=30)
