"""Flat boards, in which a move is a straight line between the centres of two squares: positions of squares, and the
number of turns and crossings of a tour.

Cells of the plane have positions by their coordinates. Affine properties, such as the places of crossings, are the same
there. Angles and lengths are measured on the lattice.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board, title_of
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard

Vector = tuple[int, int]


def is_flat(board: Board) -> bool:
    """Whether moves are straight lines in the plane: no sides are joined, and cells have two axes."""
    is_plane = isinstance(board, GridBoard) or (isinstance(board, CellBoard) and board.dimension == 2)
    return board.wrap is None and is_plane


def count_turns(squares: np.ndarray, is_closed: bool) -> int:
    """Number of squares at which the direction changes; in a closed tour every square is looked at.

    Args:
        squares: Int (n, 2), in order of visit.
    """
    if is_closed:
        squares = np.concatenate([squares, squares[:2]])
    steps = np.diff(squares, axis=0)
    return int((steps[1:] != steps[:-1]).any(axis=1).sum())


def count_crossings(squares: np.ndarray, is_closed: bool, rows: int, cols: int, moves: tuple[Vector, ...]) -> int:
    """Return the number of pairs of moves that meet elsewhere than at a common end.

    Moves of one direction are a picture (true at the upper end of such a move). Whether two moves cross depends only on
    their directions and relative position. So each of the few crossing positions is one `and` of two shifted pictures.
    Cost: about 50 picture operations for the knight, for any tour.
    """
    if is_closed:
        squares = np.concatenate([squares, squares[:1]])
    first, second = squares[:-1].astype(np.int64), squares[1:].astype(np.int64)
    steps = second - first
    downward = (steps[:, 0] > 0) | ((steps[:, 0] == 0) & (steps[:, 1] > 0))
    upper = np.where(downward[:, None], first, second)
    steps = np.where(downward[:, None], steps, -steps)
    pictures: dict[Vector, np.ndarray] = {}
    for vector in downward_moves(moves):
        picture = np.zeros((rows, cols), dtype=bool)
        chosen = upper[(steps == vector).all(axis=1)]
        picture[chosen[:, 0], chosen[:, 1]] = True
        pictures[vector] = picture
    return sum(
        int(np.count_nonzero(pictures[one][ours] & pictures[other][theirs]))
        for one, other, ours, theirs in crossing_views(rows, cols, moves)
    )


def crossing_views(
    rows: int, cols: int, moves: tuple[Vector, ...]
) -> Iterator[tuple[Vector, Vector, tuple[slice, slice], tuple[slice, slice]]]:
    """Yield (move p, move q, a part of the board, an equal part) for every crossing pair that fits on the board.

    A move p with its upper end at a square of the first part crosses a move q with its upper end at the same position
    of the second part.
    """
    for one, other, (dr, dc) in crossing_positions(moves):
        if abs(dr) < rows and abs(dc) < cols:
            ours = slice(max(0, -dr), rows - max(0, dr)), slice(max(0, -dc), cols - max(0, dc))
            theirs = slice(max(0, dr), rows - max(0, -dr)), slice(max(0, dc), cols - max(0, -dc))
            yield one, other, ours, theirs


def downward_moves(moves: tuple[Vector, ...]) -> list[Vector]:
    """The moves (drow, dcol) that go down, or straight to the right: each direction once."""
    return [(dr, dc) for dr, dc in moves if dr > 0 or (dr == 0 and dc > 0)]


@functools.cache
def crossing_positions(moves: tuple[Vector, ...]) -> tuple[tuple[Vector, Vector, Vector], ...]:
    """(move p, move q, offset of q's upper end from p's) for every crossing pair, each pair once."""
    down = downward_moves(moves)
    found = []
    for i, p in enumerate(down):
        for q in down[i:]:
            # The rectangles round the two moves must touch.
            for dr in range(-q[0], p[0] + 1):
                for dc in range(min(0, p[1]) - max(0, q[1]), max(0, p[1]) - min(0, q[1]) + 1):
                    # Two moves of the same direction are one pair whichever is named first.
                    if p == q and (dr, dc) <= (0, 0):
                        continue
                    if _meet((0, 0), p, (dr, dc), q):
                        found.append((p, q, (dr, dc)))
    return tuple(found)


def _meet(a: Vector, p: Vector, b: Vector, q: Vector) -> bool:
    """Whether the segments a..a+p and b..b+q share a point that is not an end of both."""
    a2, b2 = (a[0] + p[0], a[1] + p[1]), (b[0] + q[0], b[1] + q[1])

    def side(o: Vector, v: Vector, x: Vector) -> int:
        return v[0] * (x[1] - o[1]) - v[1] * (x[0] - o[0])

    s1, s2, s3, s4 = side(a, p, b), side(a, p, b2), side(b, q, a), side(b, q, a2)
    if s1 == s2 == s3 == s4 == 0:
        # On one line: their shadows on an axis must overlap by more than a point, which is an end of both.
        axis = 0 if p[0] else 1
        low, high = sorted((a[axis], a2[axis])), sorted((b[axis], b2[axis]))
        return max(low[0], high[0]) < min(low[1], high[1])
    if {a, a2} & {b, b2}:
        return False
    return s1 * s2 <= 0 and s3 * s4 <= 0


@functools.cache
def passed_over(move: Vector) -> tuple[Vector, ...]:
    """Return the squares that a straight move passes over, without its ends; touching a corner does not count.

    >>> passed_over((1, 2))
    ((0, 1), (1, 1))
    """
    down, across = move
    there = [
        (row, col)
        for row in range(min(0, down), max(0, down) + 1)
        for col in range(min(0, across), max(0, across) + 1)
        # The corners of the square, as seen from the line, lie on both its sides.
        if len(
            {
                (down * (2 * col + x) > across * (2 * row + y)) - (down * (2 * col + x) < across * (2 * row + y))
                for x in (-1, 1)
                for y in (-1, 1)
            }
            & {-1, 1}
        )
        == 2
    ]
    return tuple(square for square in there if square not in ((0, 0), move))


class Flat(NamedTuple):
    """Layout of a flat board.

    Attributes:
        rows, cols: Size of the bounding rectangle.
        vectors: The moves.
        cells: Positions of cells, int64 (cells, 2).
        is_hexagon: Whether the axes are 60 degrees apart.
    """

    rows: int
    cols: int
    vectors: tuple[Vector, ...]
    cells: np.ndarray | None = None
    is_hexagon: bool = False

    def places(self, numbers: np.ndarray) -> np.ndarray:
        """The rows and columns of square numbers: int64 (.., 2)."""
        return np.stack(np.divmod(numbers, self.cols), axis=-1) if self.cells is None else self.cells[numbers]

    @property
    def reach(self) -> int:
        """Largest step of a move along an axis."""
        return max(max(abs(x) for x in vector) for vector in self.vectors)

    def product(self, first: Vector, second: Vector) -> int:
        """Twice the scalar product of two moves, in the measure of the lattice.

        >>> flat_of(Board("hex:2")).product((1, 0), (0, 1)), flat_of(Board(3, 3)).product((1, 0), (0, 1))
        (1, 0)
        """
        straight = 2 * (first[0] * second[0] + first[1] * second[1])
        return straight + (first[0] * second[1] + first[1] * second[0] if self.is_hexagon else 0)


@functools.lru_cache(maxsize=8)
def flat_of(board: Board) -> Flat:
    """Return the layout of a flat board in the plane.

    >>> flat_of(Board("tri:3")).rows, flat_of(Board("tri:3")).places(np.array([5])).tolist()
    (3, [[0, 2]])
    """
    check_own_answer(is_flat(board), f"the {title_of(board)} does not lie in the plane")
    if isinstance(board, GridBoard):
        return Flat(board.rows, board.cols, board.piece.vectors)
    assert isinstance(board, CellBoard)
    places = np.array(board.cells, dtype=np.int64)
    places -= places.min(axis=0)
    rows, cols = (places.max(axis=0) + 1).tolist()
    vectors = tuple((row, col) for row, col in board.vectors)
    return Flat(rows, cols, vectors, places, is_hexagon=board.lattice == "hexagon")
