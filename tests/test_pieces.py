"""Pieces: paths of any length in a few words. Each kind answers as the list of its squares would."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightstour.pieces import Chain, Path, Piece, Placed, Repeat, Reversed, Shifted, moved, nested, out_and_back
from knightstour.tiles import tile

TURNS = [(d, r) for d in ((1, 0), (-1, 0), (0, 1), (0, -1)) for r in ((1, 0), (-1, 0), (0, 1), (0, -1)) if d[0] != r[0]]
TURNS = [(d, r) for d, r in TURNS if d[0] * r[0] + d[1] * r[1] == 0]


def written_out(piece: Any) -> list[tuple[int, int]]:
    """The squares of a piece straight from what its kind means; no step or rank arithmetic."""
    if isinstance(piece, Path):
        return list(piece.squares)
    if isinstance(piece, Repeat):
        once = written_out(piece.piece)
        dr, dc = piece.shift
        return [(r + lap * dr, c + lap * dc) for lap in range(piece.count) for r, c in once]
    if isinstance(piece, Chain):
        return [square for part in piece.pieces for square in written_out(part)]
    if isinstance(piece, Reversed):
        return written_out(piece.piece)[::-1]
    if isinstance(piece, Shifted):
        squares = written_out(piece.piece)
        return squares[piece.shift :] + squares[: piece.shift]
    assert isinstance(piece, Placed)
    (r0, c0), (a, b), (x, y) = piece.origin, piece.down, piece.right
    return [(r0 + r * a + c * x, c0 + r * b + c * y) for r, c in written_out(piece.piece)]


@st.composite
def pieces(draw: st.DrawFn, depth: int = 4) -> Piece:
    """Nested pieces none of whose squares comes twice. They need not be knight's paths."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        cells = draw(st.lists(st.tuples(st.integers(-2, 3), st.integers(-3, 3)), min_size=1, max_size=6, unique=True))
        return Path(cells)
    inner = draw(pieces(depth - 1))
    kind = draw(st.sampled_from(["repeat", "chain", "placed", "reversed", "shifted"]))
    if kind == "reversed":
        return Reversed(inner)
    if kind == "shifted":
        return Shifted(inner, draw(st.integers(0, inner.length - 1)))
    if kind == "placed":
        down, right = draw(st.sampled_from(TURNS))
        return Placed(inner, (draw(st.integers(-9, 9)), draw(st.integers(-9, 9))), down, right)
    if kind == "repeat":
        shift = (draw(st.integers(-3, 3)), draw(st.integers(-3, 3)))
        most = 1 if shift == (0, 0) else 4
        # Laps may interlock, but no square may come twice.
        squares = written_out(inner)
        for count in range(draw(st.integers(1, most)), 0, -1):
            laps = [(r + k * shift[0], c + k * shift[1]) for k in range(count) for r, c in squares]
            if len(set(laps)) == len(laps):
                break
        return Repeat(inner, count, shift)
    other = draw(pieces(depth - 1))
    low = min(r for r, _ in written_out(inner)) - max(r for r, _ in written_out(other)) - 1
    parts = [inner, Placed(other, (low, 0), (1, 0), (0, 1))]
    return Chain(parts[:: draw(st.sampled_from([1, -1]))])


@given(pieces())
def test_every_piece_answers_as_the_list_of_its_squares(piece: Piece) -> None:
    squares = written_out(piece)
    assert piece.length == len(squares)
    assert [piece.at(step) for step in range(piece.length)] == squares
    assert [piece.rank(square) for square in squares] == list(range(piece.length))
    assert piece.order(1000, 1).tolist() == [1000 * r + c for r, c in squares]
    assert piece.order(-1, 77).dtype == np.int64


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
