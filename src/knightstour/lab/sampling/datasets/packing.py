"""Compact encoding of tours, with few bits per move.

A move is encoded as the index of its direction in `piece.vectors`, with as many bits as the number of directions needs:
3 for a knight. The bits of a tour are consecutive. The first move is in the highest bits of the first byte, and the
last byte is padded with 0. An 8x8 tour needs 63 moves x 3 bits = 24 bytes, and one more byte for its first square,
which is stored separately. On a board with joined sides a direction may cross the border; if two directions lead to the
same square, the first is used. On a graph a move is its index in the list of neighbours.

docs/scale.md describes how to decode the bytes with NumPy alone.

Cost: about 0.1 us to encode or decode an 8x8 tour.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from knightstour.core.machine.native import kernel_function
from knightstour.core.machine.slices import ranges
from knightstour.core.model.board import Board, move_graph, square_count, title_of
from knightstour.core.model.errors import BoardError, InvalidTour
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.core.model.sample import order_type

AS_IT_IS, UNDIRECTED, CYCLES = range(3)  # start of an encoded tour: unchanged, at its lower end, at the lowest square


# Up to this number of squares a table has the code of the move between two squares. On larger boards, codes are tried.
_MAX_TABLE_SQUARES = 2048
_MAX_CODES = 1 << 16
ORDER_TYPES = (np.uint8, np.uint16, np.int32, np.int64)


@dataclass(frozen=True, eq=False)
class Packing:
    """Encoding of the tours of a board.

    bits: per move. width: bytes per tour. kind: dtype of square numbers. steps: int32 (squares, codes), the target of
    each code, or -1. codes: uint16, the code of the move between two squares, or empty.
    """

    board: Board
    bits: int
    width: int
    kind: np.dtype[Any]
    steps: np.ndarray
    codes: np.ndarray

    def pack(self, orders: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Encode tours, given as rows of square numbers, as moves: uint8 (n, width), and starts: (n,).

        >>> packing_of(Board(3, 4)).pack(np.array([[0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]], dtype=np.uint8))
        (array([[ 57, 156, 241, 120, 128]], dtype=uint8), array([0], dtype=uint8))
        """
        return self._pack(orders, AS_IT_IS)

    def keys(self, orders: np.ndarray, problem: Problem) -> np.ndarray:
        """Return rows of words, uint64 (n, words), that are equal if and only if the tours count as the same.

        Closed tours are the same if their cycles are equal. Open tours are the same as their reversals, unless a start
        or an end is given.
        """
        one_way = problem.start is not None or problem.end is not None
        kind = CYCLES if problem.closed else AS_IT_IS if one_way else UNDIRECTED
        moves, starts = self._pack(orders, kind)
        # Cycles are encoded from the same square.
        extra = 0 if problem.closed else 4
        keys = np.zeros((len(orders), -(-(self.width + extra) // 8) * 8), dtype=np.uint8)
        keys[:, : self.width] = moves
        if extra:
            keys[:, self.width : self.width + extra] = starts.astype("<u4").view(np.uint8).reshape(-1, 4)
        return keys.view("<u8")

    def _pack(self, orders: np.ndarray, kind: int) -> tuple[np.ndarray, np.ndarray]:
        moves = np.empty((len(orders), self.width), dtype=np.uint8)
        starts = np.empty(len(orders), dtype=np.int64)
        home = int(move_graph(self.board).squares[0])
        orders = whole_rows(orders)
        bound = kernel_function("packing_pack").bind(
            *(orders, orders.shape[1], kind, home, self.moves, self.bits, moves, self.width, starts)
        )
        for first, last in ranges(len(orders)):
            bound(first, last)
        return moves, starts.astype(self.kind)

    @property
    def moves(self) -> tuple[np.ndarray, np.ndarray, int, int]:
        """The moves as kernel arguments, see core/kernels/bulk/moves.h."""
        return self.codes, self.steps, *self.steps.shape

    def unpack(self, moves: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return the tours as rows of square numbers; raise InvalidTour if a move leads off the board."""
        if moves.shape != (len(starts), self.width):
            raise InvalidTour(f"packed tours of the {title_of(self.board)} have {self.width} bytes each")
        orders = np.empty((len(starts), square_count(self.board)), dtype=self.kind)
        bound = kernel_function("packing_unpack").bind(
            *(np.ascontiguousarray(moves), self.width, starts.astype(np.int64), self.moves, self.bits),
            *(orders, orders.shape[1]),
        )
        for first, last in ranges(len(starts)):
            row = bound(first, last)
            if row >= 0:
                raise InvalidTour(f"row {row:,} contains a move that leads off the {title_of(self.board)}")
        return orders

    def legend(self) -> dict[str, Any]:
        """Return a description of the encoding as JSON-serialisable data."""
        legend: dict[str, Any] = {
            "bits": self.bits,
            "bytes": self.width,
            "order": "consecutive moves, each as the index of its direction, with the highest bit first, starting at "
            "the highest bit of the first byte; padded with 0",
            "squares": "row * columns + column, from 0 at the top left",
        }
        if isinstance(self.board, GridBoard):
            legend["directions"] = [list(move) for move in self.board.piece.vectors]
        else:
            legend["order"] += "; directions are indices in the list of neighbours"
        return legend


@functools.lru_cache(maxsize=8)
def packing_of(board: Board) -> Packing:
    """Return the encoding of a board; raise BoardError for a graph with too many neighbours for 16 bits.

    >>> packing_of(Board(8, 8)).bits, packing_of(Board(8, 8)).width, packing_of(Board(5, 5, leaper=(1, 1))).bits
    (3, 24, 2)
    """
    size = board.rows * board.cols
    steps = _steps(board)
    kinds = steps.shape[1]
    if kinds > _MAX_CODES:
        raise BoardError(f"a node has {kinds:,} neighbours; the limit of data sets is {_MAX_CODES:,}")
    bits = max(1, (kinds - 1).bit_length())
    codes = np.zeros((0, 0), dtype=np.uint16)
    if size <= _MAX_TABLE_SQUARES:
        codes = np.zeros((size, size), dtype=np.uint16)
        for code in range(kinds - 1, -1, -1):
            goes = np.flatnonzero(steps[:, code] >= 0)
            codes[goes, steps[goes, code]] = code
    width = max(1, -(-(square_count(board) - 1) * bits // 8))
    return Packing(board, bits, width, np.dtype(order_type(board)), steps, codes)


def _steps(board: Board) -> np.ndarray:
    """Return the target of each code from each square, or -1: int32 (squares, codes)."""
    moves = move_graph(board)
    size = len(moves.is_square)
    if isinstance(board, GraphBoard):
        kinds = max(1, int(moves.degrees.max(initial=1)))
        steps = np.full((size, kinds), -1, dtype=np.int32)
        tails = repeat(np.arange(size), moves.degrees)
        steps[tails, np.arange(len(moves.targets)) - moves.offsets[tails]] = moves.targets
        return steps
    assert isinstance(board, GridBoard)
    rows, cols = np.divmod(np.arange(size), board.cols)
    ways = board.piece.vectors
    steps = np.full((size, len(ways)), -1, dtype=np.int32)
    for code, (dr, dc) in enumerate(ways):
        there = board.landing(rows, cols, dr, dc)
        good = (there >= 0) & (there != np.arange(size)) & moves.is_square
        good[good] = moves.is_square[there[good]]
        steps[good, code] = there[good]
    return steps


def whole_rows(orders: np.ndarray) -> np.ndarray:
    """Return rows of square numbers as kernel arguments: contiguous, of uint8, uint16, int32 or int64."""
    return np.ascontiguousarray(orders, None if orders.dtype in ORDER_TYPES else np.int64)
