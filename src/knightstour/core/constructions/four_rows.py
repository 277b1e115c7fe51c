"""Tours of 4 x n boards with given ends, any n, in constant time.

Outer squares have moves to inner rows only. Class 0 contains the outer squares with row + col even and the inner ones
with row + col odd, class 1 the others. Moves between outer and inner squares stay in a class, and each class has one
outer and one inner square in every column, joined if and only if their columns differ by 1 or 2. A tour with outer
squares as ends visits one class from its end to an inner square, makes one move to an inner square two columns away, in
the other class, and visits that class to the other end.

Everything happens in the *class strip*: vertices (0, c) outer and (1, c) inner for c < n. A path between given ends is
found in a small window. Threads of three columns are attached to the window's corners to left and right, where every
path has fixed moves. Distant ends have a window each and a run of tiles between them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from knightstour.core.constructions.pieces import (
    Chain,
    Path,
    Piece,
    PlacedPiece,
    Repeat,
    ReversedPiece,
    move_squares,
    nest_tiles,
    with_inserts,
)
from knightstour.core.constructions.runs import Lap, Run
from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import Board, Square
from knightstour.core.model.problem import Problem
from knightstour.core.search.rotation import path_of, start_state

# A thread tile from (0, 0) to (1, 1); the next one is inserted after its first five squares.
_THREAD = ((0, 0), (1, 2), (0, 1), (1, 0), (0, 2), (1, 1))
_THREAD_CUT = 5
# A tile between two windows, from (0, 0) to (1, 2), which is next to (0, 3).
_RUN = ((0, 0), (1, 1), (0, 2), (1, 0), (0, 1), (1, 2))

Number = TypeVar("Number", int, np.ndarray)

_LEAST_WINDOW, _MAX_WINDOW = 7, 13
_STEPS_PER_SQUARE = 1000


def four_row_tour(cols: int, start: Square, end: Square) -> Piece | None:
    """Return a tour of 4 x cols between two outer squares of different colours, or None if the search fails.

    >>> tour = four_row_tour(10**12, (0, 5), (3, 10**11 + 1))
    >>> tour.at(0), tour.at(tour.length - 1)
    ((0, 5), (3, 100000000001))
    """
    near, far = _class_of(start), _class_of(end)
    if near == far or start[0] not in (0, 3) or end[0] not in (0, 3):
        return None
    a, b = start[1], end[1]
    crossings = sorted(range(max(0, a - 12), min(cols, a + 13)), key=lambda c: abs(c - a))
    for x in crossings:
        first = None
        for y in (x + 2, x - 2):
            if not 0 <= y < cols:
                continue
            first = first or _class_path(cols, a, x)
            if first is None:
                break
            second = _class_path(cols, b, y)
            if second is not None:
                return Chain([_WovenPath(first, near), _WovenPath(ReversedPiece(second), far)])
    return None


def _class_of(square: Square) -> int:
    parity = (square[0] + square[1]) % 2
    return parity if square[0] in (0, 3) else 1 - parity


class _WovenPath:
    """A path of the class strip as a path of the 4-row board."""

    __slots__ = ("_class", "bounds", "length", "piece")

    def __init__(self, piece: Piece, square_class: int) -> None:
        self.piece, self._class, self.length = piece, square_class, piece.length
        self.bounds = (0, 3, piece.bounds[2], piece.bounds[3])

    def _row(self, inner: Number, col: Number) -> Number:
        """Return the row of an outer (0) or inner (1) square; also for arrays."""
        # Outer squares of the class have row + col = class (mod 2), inner ones not.
        is_odd = (col + self._class) % 2
        return inner * (1 + is_odd) + (1 - inner) * 3 * is_odd

    def at(self, step: int) -> Square:
        inner, col = self.piece.at(step)
        return self._row(inner, col), col

    def rank(self, square: Square) -> int | None:
        if _class_of(square) != self._class:
            return None
        return self.piece.rank((int(square[0] in (1, 2)), square[1]))

    def part(self, start: int, stop: int) -> Piece:
        return _WovenPath(self.piece.part(start, stop), self._class)

    def runs(self) -> Iterator[Run]:
        for run in self.piece.runs():
            for even in _in_even_laps(run):
                rows = self._row(even.rows + even.row, even.cols + even.col % 2)
                yield even._replace(row=0, rows=rows)


def _in_even_laps(run: Run) -> Iterator[Run]:
    """Yield runs whose laps are an even number of columns apart, so that rows are equal in each."""
    for level, (count, down, right, stride) in enumerate(run.laps):
        if right % 2 == 0:
            continue
        if level == 0 and stride == len(run.rows):
            # Two laps together are a longer tile.
            pairs = run._replace(
                rows=np.concatenate([run.rows, run.rows + down]),
                cols=np.concatenate([run.cols, run.cols + right]),
                laps=(Lap(count // 2, 2 * down, 2 * right, 2 * stride), *run.laps[1:]),
            )
            parts = [pairs if count > 3 else pairs.from_lap(0, 0, 1)]
            if count % 2:
                parts.append(run.from_lap(level, count - 1, 1))
        else:
            parts = []
            for first in (0, 1):
                part = run.from_lap(level, first, (count + 1 - first) // 2)
                laps = list(part.laps)
                if (count + 1 - first) // 2 > 1:
                    laps[level] = Lap((count + 1 - first) // 2, 2 * down, 2 * right, 2 * stride)
                parts.append(part._replace(laps=tuple(laps)))
        for part in parts:
            yield from _in_even_laps(part)
        return
    yield run


@functools.lru_cache(maxsize=4096)
def strip_path(width: int, start: Square, end: Square) -> tuple[Square, ...] | None:
    """Return a path of the class strip, found by rotations, or None."""
    graph: list[list[int]] = [[] for _ in range(2 * width)]
    for outer in range(width):
        for inner in (outer - 2, outer - 1, outer + 1, outer + 2):
            if 0 <= inner < width:
                graph[outer].append(width + inner)
                graph[width + inner].append(outer)
    if not all(graph):
        return None
    problem = Problem(
        Board.from_graph(dict(enumerate(graph))),
        start=(0, start[0] * width + start[1]),
        end=(0, end[0] * width + end[1]),
    )
    state = start_state(problem, 1)
    if kernel_function("rotation_step")(state, _STEPS_PER_SQUARE * 2 * width) != slices.FOUND:
        return None
    return tuple(divmod(s, width) for s in path_of(problem, state).tolist())


def _class_path(cols: int, a: int, x: int) -> Piece | None:
    """Return a path of the whole class strip from outer column a to inner column x."""
    if cols <= _MAX_WINDOW:
        squares = strip_path(cols, (0, a), (1, x))
        return None if squares is None else Path(squares)
    if a > x:
        mirrored = _class_path(cols, cols - 1 - a, cols - 1 - x)
        return None if mirrored is None else PlacedPiece(mirrored, (0, cols - 1), (1, 0), (0, -1))
    for left, right in _one_window(cols, a, x):
        squares = strip_path(right - left, (0, a - left), (1, x - left))
        if squares is not None:
            return Chain(_with_threads(move_squares(squares, 0, left), cols, left, right, ((0, a), (1, x))))
    for left, left_end, right_begin, right in _two_windows(cols, a, x):
        first = strip_path(left_end - left, (0, a - left), (1, left_end - left - 1))
        second = strip_path(right - right_begin, (0, 0), (1, x - right_begin))
        if first is None or second is None:
            continue
        pieces = _with_threads(move_squares(first, 0, left), cols, left, None, ((0, a),))
        if right_begin > left_end:
            pieces.append(Repeat(Path(move_squares(_RUN, 0, left_end)), (right_begin - left_end) // 3, (0, 3)))
        return Chain(pieces + _with_threads(move_squares(second, 0, right_begin), cols, None, right, ((1, x),)))
    return None


def _one_window(cols: int, a: int, x: int) -> Iterator[tuple[int, int]]:
    """Yield columns [left, right) around a..x, with multiples of 3 columns on each side."""
    most_rest = max(0, (cols - 2 - x) // 3 * 3)
    for left in range(max(0, (a - 1) // 3 * 3), -1, -3):
        if cols - most_rest - left > _MAX_WINDOW:
            break
        for rest in range(most_rest, -1, -3):
            width = cols - rest - left
            if width > _MAX_WINDOW:
                break
            if width >= _LEAST_WINDOW:
                yield left, cols - rest


def _two_windows(cols: int, a: int, x: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield windows [left, left_end) around a and [right_begin, right) around x, with whole tiles elsewhere."""
    for left in range(max(0, (a - 1) // 3 * 3), -1, -3):
        if a >= left + _LEAST_WINDOW + 2:
            break
        for left_end in range(left + _LEAST_WINDOW, left + _LEAST_WINDOW + 3):
            if not a < left_end <= x:
                continue
            for right_begin in range(left_end + (x - left_end) // 3 * 3, max(left_end, x - 12) - 1, -3):
                for right in range(cols - (cols - 1 - x) // 3 * 3, cols + 1, 3):
                    if right - right_begin > _MAX_WINDOW - 1:
                        break
                    if right - right_begin >= _LEAST_WINDOW:
                        yield left, left_end, right_begin, right


def _with_threads(
    squares: list[Square], cols: int, left: int | None, right: int | None, ends: tuple[Square, ...]
) -> list[Piece]:
    """Return the window's path with threads attached to its left and right side (None: not on that side).

    A corner (u, edge) that is not an end has two moves, so its move to (1 - u, one column further in) is made.
    """
    cuts: list[tuple[int, Piece]] = []
    for count, edge, step in (
        (0 if left is None else left // 3, left or 0, -1),
        (0 if right is None else (cols - right) // 3, (right or cols) - 1, 1),
    ):
        if count == 0:
            continue
        u = 0 if (0, edge) not in ends else 1
        corner, inward = squares.index((u, edge)), squares.index((1 - u, edge - step))
        thread = Chain(nest_tiles([(v ^ u, c) for v, c in _THREAD], _THREAD_CUT, count, 3))
        # The thread begins next to the inward square and ends next to the corner.
        walked: Piece = PlacedPiece(thread, (0, edge + step), (1, 0), (0, step))
        cuts.append((max(corner, inward), ReversedPiece(walked) if corner < inward else walked))
    return with_inserts(squares, cuts)
