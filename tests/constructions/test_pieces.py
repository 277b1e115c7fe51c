"""What constructed tours are made of: pieces and blocks, each against the list of its squares."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.checks import assert_piece_is_tour, assert_sampled_tour, seams
from helpers.random_pieces import pieces, written_out
from knightstour.core.constructions.blocks import comb, fringe, ring
from knightstour.core.constructions.pieces import Chain, Path, Piece, Repeat, moved, nested, out_and_back


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


@pytest.mark.parametrize("shift", [(0, 2), (0, -2), (3, 0), (-3, 0), (2, -1)])
def test_a_piece_repeated_beyond_any_array_is_exact(shift: tuple[int, int]) -> None:
    piece = Repeat(Path([(0, 0), (2, 1)]), 10**100, shift)
    rng = random.Random(5)
    for lap in [0, 1, 10**100 - 1, *(rng.randrange(10**100) for _ in range(50))]:
        for rest in (0, 1):
            square = piece.at(2 * lap + rest)
            assert square == (2 * rest + lap * shift[0], rest + lap * shift[1])
            assert piece.rank(square) == 2 * lap + rest


@pytest.mark.parametrize("count", range(1, 8))
def test_out_and_back_walks_one_part_outward_and_the_other_back(count: int) -> None:
    pieces = out_and_back([(0, 0), (1, 2)], [(2, 0)], count, (0, 3))
    expected = [s for k in range(count) for s in ((0, 3 * k), (1, 3 * k + 2))]
    expected += [(2, 3 * k) for k in reversed(range(count))]
    assert written_out(Chain(pieces)) == expected


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("cut", [1, 2, 3])
def test_nested_tiles_are_what_putting_each_into_the_one_before_gives(count: int, cut: int) -> None:
    squares = [(0, 0), (1, 1), (2, 0), (3, 1)]
    expected: list[tuple[int, int]] = []
    for k in reversed(range(count)):
        # Every second tile is walked backwards; from the inside out, each takes the rest into its gap.
        mine = moved(squares, 0, 2 * k)
        if k % 2:
            mine = mine[::-1]
            expected = [*mine[: 4 - cut], *expected, *mine[4 - cut :]]
        else:
            expected = [*mine[:cut], *expected, *mine[cut:]]
    assert written_out(Chain(nested(squares, cut, count, 2))) == expected


# ---------------------------------------------------------------- blocks


GIANT = st.integers(1, 100).flatmap(lambda digits: st.integers(10 ** (digits - 1), 10**digits)).map(lambda n: n + 5)


def ends(piece: Piece) -> tuple[tuple[int, int], tuple[int, int]]:
    return piece.at(0), piece.at(piece.length - 1)


@pytest.mark.parametrize("rows", range(5, 41))
def test_every_comb_to_40x40_is_a_tour_and_closed_if_its_area_is_even(rows: int) -> None:
    for cols in range(5, 41):
        piece = comb(rows, cols)
        is_even = rows * cols % 2 == 0
        assert_piece_is_tour(piece, rows, cols, closed=is_even)
        if is_even:
            assert ends(piece) == ((1, 1), (3, 0))


@pytest.mark.parametrize(("rows", "cols"), [(5, 2001), (1500, 6), (300, 400), (401, 299)])
def test_combs_of_thousands_of_rows_or_columns_are_tours(rows: int, cols: int) -> None:
    assert_piece_is_tour(comb(rows, cols), rows, cols, closed=rows * cols % 2 == 0)


def test_the_square_at_a_step_and_the_step_of_a_square_are_inverse_on_every_comb_to_14x22() -> None:
    for rows in range(5, 15):
        for cols in range(5, 23):
            piece = comb(rows, cols)
            squares = [piece.at(step) for step in range(rows * cols)]
            assert [piece.rank(square) for square in squares] == list(range(rows * cols)), (rows, cols)


@pytest.mark.parametrize("rows", [*range(11, 17), *range(41, 47)])
def test_combs_with_a_root_of_every_size_are_right_at_all_seams(rows: int) -> None:
    for cols in range(61, 69):
        assert_sampled_tour(comb(rows, cols), rows, cols, closed=rows * cols % 2 == 0, samples=10)


@given(GIANT, GIANT)
def test_giant_combs_are_right_at_all_seams_and_in_samples(rows: int, cols: int) -> None:
    assert_sampled_tour(comb(rows, cols), rows, cols, closed=rows * cols % 2 == 0, samples=30)


def test_the_seams_of_a_giant_comb_are_few() -> None:
    assert 10 < len(seams(comb(10**50, 10**50), random.Random(0))) < 200


@pytest.mark.parametrize("cols", range(4, 81, 4))
def test_every_fringe_to_80_columns_is_a_path_between_its_left_corners_neighbours(cols: int) -> None:
    piece = fringe(cols)
    assert_piece_is_tour(piece, 3, cols, start=(1, 0), end=(2, 0))
    assert [piece.rank(piece.at(step)) for step in range(3 * cols)] == list(range(3 * cols))


@pytest.mark.parametrize("cols", range(10, 91, 2))
def test_every_ring_to_90_columns_is_a_closed_tour(cols: int) -> None:
    piece = ring(cols)
    assert_piece_is_tour(piece, 3, cols, closed=True)
    assert [piece.rank(piece.at(step)) for step in range(3 * cols)] == list(range(3 * cols))


@given(GIANT)
def test_giant_fringes_and_rings_are_right_at_all_seams_and_in_samples(cols: int) -> None:
    assert_sampled_tour(fringe(4 * cols), 3, 4 * cols, start=(1, 0), end=(2, 0), samples=30)
    assert_sampled_tour(ring(2 * cols), 3, 2 * cols, closed=True, samples=30)
