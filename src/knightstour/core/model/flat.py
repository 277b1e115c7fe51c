"""Flat boards: how their squares lie in rows and columns, and which moves join them.

Cells of the plane lie so by their coordinates: what does not change when axes are turned or stretched, such as where
moves cross, is the same there. Angles and lengths are those of the lattice.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.errors import check_own_answer

Vector = tuple[int, int]


class Flat(NamedTuple):
    """rows, cols: of the rectangle round all squares. vectors: the moves. cells: of cells the places, int64 (cells, 2).
    is_hexagon: whether the axes are 60 degrees apart."""

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
        """How far a move goes along an axis at most."""
        return max(max(abs(x) for x in vector) for vector in self.vectors)

    def product(self, one: Vector, other: Vector) -> int:
        """Twice the scalar product of two moves, in the measure of the lattice.

        >>> flat_of(Board("hex:2")).product((1, 0), (0, 1)), flat_of(Board(3, 3)).product((1, 0), (0, 1))
        (1, 0)
        """
        straight = 2 * (one[0] * other[0] + one[1] * other[1])
        return straight + (one[0] * other[1] + one[1] * other[0] if self.is_hexagon else 0)


@functools.lru_cache(maxsize=8)
def flat_of(board: Board) -> Flat:
    """How a flat board lies in the plane.

    >>> flat_of(Board("tri:3")).rows, flat_of(Board("tri:3")).places(np.array([5])).tolist()
    (3, [[0, 2]])
    """
    check_own_answer(board.is_flat, f"the {board.title} does not lie in the plane")
    if board.cells is None:
        return Flat(board.rows, board.cols, board.piece.vectors)
    places = np.array(board.cells.cells, dtype=np.int64)
    places -= places.min(axis=0)
    rows, cols = (places.max(axis=0) + 1).tolist()
    vectors = tuple((row, col) for row, col in board.cells.vectors)
    return Flat(rows, cols, vectors, places, is_hexagon=board.cells.lattice == "hexagon")
