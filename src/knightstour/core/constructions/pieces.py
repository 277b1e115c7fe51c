"""Pieces: paths of any length in a compact form, the parts of tours without a search.

A piece is a path over squares: a list (`Path`), a piece repeated with a shift (`Repeat`), consecutive pieces (`Chain`),
a piece rotated, mirrored and moved (`PlacedPiece`), reversed (`ReversedPiece`) or started later (`ShiftedPiece`).
All support the square at a step (`at`) and the step of a square (`rank`, None for squares of other pieces). A tour of
10**18 squares consists of a few pieces, nested four or five deep. Both need microseconds, with exact Python integers.
For whole arrays a piece yields its `runs`, and `part` cuts a part out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Protocol, TypeAlias

import numpy as np

from knightstour.core.constructions.runs import Run
from knightstour.core.model.board import Square

# Lowest row, highest row, lowest column, highest column, all inclusive.
Bounds: TypeAlias = tuple[int, int, int, int]

# int64 arithmetic is exact for shorter pieces, including sums of two.
MAX_STEPS = 1 << 62
_DOWN, _RIGHT = (1, 0), (0, 1)


class Piece(Protocol):
    """Interface of all pieces."""

    length: int
    bounds: Bounds

    def at(self, step: int) -> Square:
        """Return the square at a step, 0 <= step < length."""

    def rank(self, square: Square) -> int | None:
        """Return the step of a square, or None if it is not in this piece."""

    def part(self, start: int, stop: int) -> Piece:
        """Return the squares of steps start..stop - 1 as a piece, 0 <= start < stop <= length."""

    def runs(self) -> Iterator[Run]:
        """Yield the runs of the piece."""


class Path:
    """A list of squares.

    >>> Path([(0, 0), (1, 2)]).rank((1, 2))
    1
    """

    __slots__ = ("_rank", "_tile", "bounds", "length", "squares")

    def __init__(self, squares: Iterable[Square]) -> None:
        self.squares = tuple(squares)
        self.length = len(self.squares)
        self._rank = {square: i for i, square in enumerate(self.squares)}
        rows, cols = [r for r, _ in self.squares], [c for _, c in self.squares]
        self.bounds = (min(rows), max(rows), min(cols), max(cols))
        self._tile: tuple[np.ndarray, np.ndarray] | None = None

    def at(self, step: int) -> Square:
        return self.squares[step]

    def rank(self, square: Square) -> int | None:
        return self._rank.get(square)

    def _near(self) -> tuple[np.ndarray, np.ndarray]:
        if self._tile is None:
            r0, _, c0, _ = self.bounds
            near = np.array([(r - r0, c - c0) for r, c in self.squares], dtype=np.int64)
            self._tile = np.ascontiguousarray(near[:, 0]), np.ascontiguousarray(near[:, 1])
        return self._tile

    def part(self, start: int, stop: int) -> Piece:
        return self if stop - start == self.length else Path(self.squares[start:stop])

    def runs(self) -> Iterator[Run]:
        yield Run(0, self.bounds[0], self.bounds[2], *self._near())


class Repeat:
    """A piece repeated `count` times, each time moved by `shift`.

    >>> Repeat(Path([(0, 0), (2, 1)]), 10**30, (0, 2)).at(7)
    (2, 7)
    """

    __slots__ = ("bounds", "count", "length", "piece", "shift")

    def __init__(self, piece: Piece, count: int, shift: Square) -> None:
        self.piece, self.count, self.shift = piece, count, shift
        self.length = piece.length * count
        far_r, far_c = shift[0] * (count - 1), shift[1] * (count - 1)
        r0, r1, c0, c1 = piece.bounds
        self.bounds = (r0 + min(0, far_r), r1 + max(0, far_r), c0 + min(0, far_c), c1 + max(0, far_c))

    def at(self, step: int) -> Square:
        lap, rest = divmod(step, self.piece.length)
        r, c = self.piece.at(rest)
        return r + lap * self.shift[0], c + lap * self.shift[1]

    def rank(self, square: Square) -> int | None:
        r0, r1, c0, c1 = self.piece.bounds
        first, last = 0, self.count - 1
        # Only laps whose bounds contain the square are examined: one or two.
        for x, low, high, step in ((square[0], r0, r1, self.shift[0]), (square[1], c0, c1, self.shift[1])):
            if step > 0:
                first, last = max(first, -((high - x) // step)), min(last, (x - low) // step)
            elif step < 0:
                first, last = max(first, -((x - low) // -step)), min(last, (high - x) // -step)
        for lap in range(first, last + 1):
            rest = self.piece.rank((square[0] - lap * self.shift[0], square[1] - lap * self.shift[1]))
            if rest is not None:
                return lap * self.piece.length + rest
        return None

    def part(self, start: int, stop: int) -> Piece:
        once = self.piece.length
        (first, skipped), (last, taken) = divmod(start, once), divmod(stop, once)
        if first == last:
            return self._lap(self.piece.part(skipped, taken), first)
        pieces: list[Piece] = []
        if skipped:
            pieces.append(self._lap(self.piece.part(skipped, once), first))
            first += 1
        if first < last:
            pieces.append(self._lap(Repeat(self.piece, last - first, self.shift), first))
        if taken:
            pieces.append(self._lap(self.piece.part(0, taken), last))
        return pieces[0] if len(pieces) == 1 else Chain(pieces)

    def _lap(self, piece: Piece, lap: int) -> Piece:
        return PlacedPiece(piece, (lap * self.shift[0], lap * self.shift[1]), _DOWN, _RIGHT) if lap else piece

    def runs(self) -> Iterator[Run]:
        for run in self.piece.runs():
            yield run.repeat(self.count, self.shift, self.piece.length)


class Chain:
    """Consecutive pieces.

    >>> Chain([Path([(0, 0)]), Path([(1, 2), (2, 0)])]).at(2)
    (2, 0)
    """

    __slots__ = ("_begins", "bounds", "length", "pieces")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = tuple(pieces)
        self._begins = list(accumulate((p.length for p in self.pieces), initial=0))
        self.length = self._begins.pop()
        boxes = [p.bounds for p in self.pieces]
        self.bounds = (
            min(b[0] for b in boxes),
            max(b[1] for b in boxes),
            min(b[2] for b in boxes),
            max(b[3] for b in boxes),
        )

    def at(self, step: int) -> Square:
        k = bisect_right(self._begins, step) - 1
        return self.pieces[k].at(step - self._begins[k])

    def rank(self, square: Square) -> int | None:
        r, c = square
        for piece, begin in zip(self.pieces, self._begins, strict=True):
            r0, r1, c0, c1 = piece.bounds
            if r0 <= r <= r1 and c0 <= c <= c1:
                rest = piece.rank(square)
                if rest is not None:
                    return begin + rest
        return None

    def part(self, start: int, stop: int) -> Piece:
        first = bisect_right(self._begins, start) - 1
        pieces: list[Piece] = []
        for piece, begin in zip(self.pieces[first:], self._begins[first:], strict=True):
            if begin >= stop:
                break
            pieces.append(piece.part(max(0, start - begin), min(piece.length, stop - begin)))
        return pieces[0] if len(pieces) == 1 else Chain(pieces)

    def runs(self) -> Iterator[Run]:
        for piece, begin in zip(self.pieces, self._begins, strict=True):
            for run in piece.runs():
                yield run.later(begin)


class PlacedPiece:
    """A piece moved elsewhere: its square (r, c) becomes `origin + r * down + c * right`.

    Args:
        down, right: Perpendicular unit vectors, such as (1, 0) and (0, 1).

    >>> PlacedPiece(Path([(0, 0), (1, 2)]), (5, 5), (0, 1), (-1, 0)).at(1)
    (3, 6)
    """

    __slots__ = ("bounds", "down", "length", "origin", "piece", "right")

    def __init__(self, piece: Piece, origin: Square, down: Square, right: Square) -> None:
        self.piece, self.origin, self.down, self.right = piece, origin, down, right
        self.length = piece.length
        r0, r1, c0, c1 = piece.bounds
        corners = [self._out((r, c)) for r in (r0, r1) for c in (c0, c1)]
        rows, cols = [r for r, _ in corners], [c for _, c in corners]
        self.bounds = (min(rows), max(rows), min(cols), max(cols))

    def _out(self, square: Square) -> Square:
        r, c = square
        return (
            self.origin[0] + r * self.down[0] + c * self.right[0],
            self.origin[1] + r * self.down[1] + c * self.right[1],
        )

    def at(self, step: int) -> Square:
        return self._out(self.piece.at(step))

    def rank(self, square: Square) -> int | None:
        dr, dc = square[0] - self.origin[0], square[1] - self.origin[1]
        return self.piece.rank((dr * self.down[0] + dc * self.down[1], dr * self.right[0] + dc * self.right[1]))

    def part(self, start: int, stop: int) -> Piece:
        return PlacedPiece(self.piece.part(start, stop), self.origin, self.down, self.right)

    def runs(self) -> Iterator[Run]:
        for run in self.piece.runs():
            yield run.transform(self.origin, self.down, self.right)


class ReversedPiece:
    """A reversed piece.

    >>> ReversedPiece(Path([(0, 0), (1, 2)])).at(0)
    (1, 2)
    """

    __slots__ = ("bounds", "length", "piece")

    def __init__(self, piece: Piece) -> None:
        self.piece, self.length, self.bounds = piece, piece.length, piece.bounds

    def at(self, step: int) -> Square:
        return self.piece.at(self.length - 1 - step)

    def rank(self, square: Square) -> int | None:
        rest = self.piece.rank(square)
        return None if rest is None else self.length - 1 - rest

    def part(self, start: int, stop: int) -> Piece:
        return ReversedPiece(self.piece.part(self.length - stop, self.length - start))

    def runs(self) -> Iterator[Run]:
        for run in self.piece.runs():
            yield run.backwards(self.length)


class ShiftedPiece:
    """A closed piece that starts some steps later.

    >>> ShiftedPiece(Path([(0, 0), (1, 2), (2, 0)]), 1).at(2)
    (0, 0)
    """

    __slots__ = ("bounds", "length", "piece", "shift")

    def __init__(self, piece: Piece, shift: int) -> None:
        self.piece, self.length, self.bounds, self.shift = piece, piece.length, piece.bounds, shift

    def at(self, step: int) -> Square:
        return self.piece.at((step + self.shift) % self.length)

    def rank(self, square: Square) -> int | None:
        step = self.piece.rank(square)
        return None if step is None else (step - self.shift) % self.length

    def part(self, start: int, stop: int) -> Piece:
        # The piece from `shift` to its end is followed by its beginning.
        begin = self.shift % self.length
        seam = self.length - begin
        pieces: list[Piece] = []
        if start < seam:
            pieces.append(self.piece.part(start + begin, min(stop, seam) + begin))
        if stop > seam:
            pieces.append(self.piece.part(max(start, seam) - seam, stop - seam))
        return pieces[0] if len(pieces) == 1 else Chain(pieces)

    def runs(self) -> Iterator[Run]:
        return self.part(0, self.length).runs()


def move_squares(squares: Iterable[Square], rows: int, cols: int) -> list[Square]:
    """Return the squares moved by some rows and columns."""
    return [(r + rows, c + cols) for r, c in squares]


def with_inserts(squares: Sequence[Square], inserts: Iterable[tuple[int, Piece]]) -> list[Piece]:
    """Return the path over these squares with pieces inserted before the given indices."""
    pieces: list[Piece] = []
    begin = 0
    for at, piece in sorted(inserts, key=lambda insert: insert[0]):
        pieces += [Path(squares[begin:at]), piece]
        begin = at
    return [*pieces, Path(squares[begin:])]


def out_and_back(outward: Sequence[Square], backward: Sequence[Square], count: int, shift: Square) -> list[Piece]:
    """Return `count` tiles in a row, as outward parts followed by backward parts.

    Args:
        outward, backward: The two parts of the first tile. The last tile's parts are consecutive.
    """
    if count == 0:
        return []
    far = move_squares(backward, shift[0] * (count - 1), shift[1] * (count - 1))
    return [Repeat(Path(outward), count, shift), Repeat(Path(far), count, (-shift[0], -shift[1]))]


def nest_tiles(squares: Sequence[Square], cut: int, count: int, cols: int) -> list[Piece]:
    """Return `count` tiles of `cols` columns, each inserted into the previous one after its first `cut` squares.

    Every second tile is reversed, so two tiles form a unit that repeats every 2 * cols columns.
    """
    pairs, is_odd = divmod(count, 2)
    inner = move_squares(squares[::-1], 0, cols)
    split = len(squares) - cut
    pieces = out_and_back([*squares[:cut], *inner[:split]], [*inner[split:], *squares[cut:]], pairs, (0, 2 * cols))
    if is_odd:
        pieces.insert(len(pieces) // 2, Path(move_squares(squares, 0, 2 * cols * pairs)))
    return pieces
