"""Pieces: paths of any length in a few words. Each kind answers as the list of its squares would."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from helpers.random_pieces import pieces, written_out
from knightstour.core.constructions.pieces import (
    Chain,
    Path,
    Piece,
    Repeat,
    moved,
    nested,
    out_and_back,
)
from knightstour.core.constructions.tiles import tile


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


def test_a_rank_looks_at_few_laps_however_many_there_are() -> None:
    asked = []

    class Counting(Path):
        def rank(self, square: tuple[int, int]) -> int | None:
            asked.append(square)
            return super().rank(square)

    piece = Repeat(Counting(tile("tail", 6, 8)), 10**9, (0, 8))
    for step in range(0, piece.length, piece.length // 50 + 7):
        asked.clear()
        assert piece.rank(piece.at(step)) == step
        assert len(asked) == 1


@pytest.mark.parametrize("count", range(1, 8))
def test_out_and_back_walks_one_part_outward_and_the_other_back(count: int) -> None:
    pieces = out_and_back([(0, 0), (1, 2)], [(2, 0)], count, (0, 3))
    expected = [s for k in range(count) for s in ((0, 3 * k), (1, 3 * k + 2))]
    expected += [(2, 3 * k) for k in reversed(range(count))]
    assert written_out(Chain(pieces)) == expected


def test_out_and_back_of_no_tiles_is_nothing() -> None:
    assert out_and_back([(0, 0)], [(1, 0)], 0, (0, 1)) == []
    assert nested([(0, 0), (1, 0)], 1, 0, 1) == []


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
