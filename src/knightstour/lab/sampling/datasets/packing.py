"""Tours packed in few bits a move, and the facts of many tours at once.

A move is written as the number of its direction in `piece.vectors`, in as many bits as the number of directions
needs: 3 for a knight. The bits of a tour follow one another, the first move in the highest bits of the first byte,
and the last byte is filled up with 0. So a tour of 8x8 takes 63 moves x 3 bits = 24 bytes, and one byte more for its
first square, which is kept beside. On a board with joined sides a direction may lead over the border; where two
directions lead to the same square the first is written. On a board made from a graph a move is its place in the list
of neighbours.

docs/scale.md shows how to unpack the bytes with NumPy alone.

Cost: about 0.1 us to pack or unpack a tour of 8x8, 0.1 us to count its turns, 1 us its crossings.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from knightstour.core.kernels.bulk import packing as kernel
from knightstour.core.machine.native import door
from knightstour.core.machine.slices import ranges
from knightstour.core.model.board import Board, are_moves, landing, move_graph
from knightstour.core.model.errors import BoardError, InvalidTour
from knightstour.core.model.geometry import crossing_positions
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.core.model.sample import order_type
from knightstour.core.model.symmetry import symmetries
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import an

# Up to this many squares a table gives the code of the move from one square to another; beyond, codes are tried.
_MOST_TABLE_SQUARES = 2048
_MOST_CODES = 1 << 16
ORDER_TYPES = (np.uint8, np.uint16, np.int32, np.int64)
# Boards with more symmetries than bits of a word are wrapped ones.
_MOST_SYMMETRIES = 62


@dataclass(frozen=True, eq=False)
class Packing:
    """How tours of a board are packed. bits: of a move. width: bytes of a tour. kind: of square numbers.

    steps: int32 (squares, codes), where each code leads to, -1 for nowhere. codes: uint16, which code leads from one
    square to another, or empty.
    """

    board: Board
    bits: int
    width: int
    kind: np.dtype[Any]
    steps: np.ndarray
    codes: np.ndarray

    def pack(self, orders: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(moves, starts) of tours given as rows of square numbers: uint8 (n, width) and square numbers (n,).

        >>> packing_of(Board(3, 4)).pack(np.array([[0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]], dtype=np.uint8))
        (array([[ 57, 156, 241, 120, 128]], dtype=uint8), array([0], dtype=uint8))
        """
        return self._pack(orders, kernel.AS_IT_IS)

    def keys(self, orders: np.ndarray, problem: Problem) -> np.ndarray:
        """Rows of words that are equal if and only if the tours count as the same: uint64 (n, words).

        Closed tours are the same as cycles, open ones in either direction unless the question names a start or an end.
        """
        one_way = problem.start is not None or problem.end is not None
        kind = kernel.CYCLES if problem.closed else kernel.AS_IT_IS if one_way else kernel.UNDIRECTED
        moves, starts = self._pack(orders, kind)
        # All cycles are packed from the same square.
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
        bound = door("packing_pack").bind(
            *(orders, orders.shape[1], kind, home, self.moves, self.bits, moves, self.width, starts)
        )
        for first, last in ranges(len(orders)):
            bound(first, last)
        return moves, starts.astype(self.kind)

    @property
    def moves(self) -> tuple[np.ndarray, np.ndarray, int, int]:
        """The moves as kernels take them: see core/kernels/bulk/moves.h."""
        return self.codes, self.steps, *self.steps.shape

    def unpack(self, moves: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """The tours as rows of square numbers; an InvalidTour where a move leads nowhere. Nothing else is checked."""
        if moves.shape != (len(starts), self.width):
            raise InvalidTour(f"packed tours of the {self.board.title} have {self.width} bytes each")
        orders = np.empty((len(starts), self.board.square_count), dtype=self.kind)
        bound = door("packing_unpack").bind(
            *(np.ascontiguousarray(moves), self.width, starts.astype(np.int64), self.moves, self.bits),
            *(orders, orders.shape[1]),
        )
        for first, last in ranges(len(starts)):
            row = bound(first, last)
            if row >= 0:
                raise InvalidTour(f"row {row:,} holds a move that leads off the {self.board.title}")
        return orders

    def legend(self) -> dict[str, Any]:
        """How to unpack the moves, as JSON."""
        legend: dict[str, Any] = {
            "bits": self.bits,
            "bytes": self.width,
            "order": "the moves one after another, each as the number of its direction, the highest bit first, from "
            "the highest bit of the first byte on; 0 at the end",
            "squares": "row * columns + column, from 0 at the top left",
        }
        if self.board.graph is None:
            legend["directions"] = [list(move) for move in self.board.piece.vectors]
        else:
            legend["order"] += "; directions are places in the list of neighbours"
        return legend


@functools.lru_cache(maxsize=8)
def packing_of(board: Board) -> Packing:
    """How tours of the board are packed. A BoardError for a graph with more neighbours than 16 bits can number.

    >>> packing_of(Board(8, 8)).bits, packing_of(Board(8, 8)).width, packing_of(Board(5, 5, leaper=(1, 1))).bits
    (3, 24, 2)
    """
    size = board.rows * board.cols
    steps = _steps(board)
    kinds = steps.shape[1]
    if kinds > _MOST_CODES:
        raise BoardError(f"a node with {kinds:,} neighbours is more than a data set can hold")
    bits = max(1, (kinds - 1).bit_length())
    codes = np.zeros((0, 0), dtype=np.uint16)
    if size <= _MOST_TABLE_SQUARES:
        codes = np.zeros((size, size), dtype=np.uint16)
        for code in range(kinds - 1, -1, -1):
            goes = np.flatnonzero(steps[:, code] >= 0)
            codes[goes, steps[goes, code]] = code
    width = max(1, -(-(board.square_count - 1) * bits // 8))
    return Packing(board, bits, width, np.dtype(order_type(board)), steps, codes)


def _steps(board: Board) -> np.ndarray:
    """Where each code leads to from each square: int32 (squares, codes), -1 for nowhere."""
    moves = move_graph(board)
    size = len(moves.is_square)
    if board.graph is not None:
        kinds = max(1, int(moves.degrees.max(initial=1)))
        steps = np.full((size, kinds), -1, dtype=np.int32)
        tails = repeat(np.arange(size), moves.degrees)
        steps[tails, np.arange(len(moves.targets)) - moves.offsets[tails]] = moves.targets
        return steps
    rows, cols = np.divmod(np.arange(size), board.cols)
    ways = board.piece.vectors
    steps = np.full((size, len(ways)), -1, dtype=np.int32)
    for code, (dr, dc) in enumerate(ways):
        there = landing(board, rows, cols, dr, dc)
        good = (there >= 0) & (there != np.arange(size)) & moves.is_square
        good[good] = moves.is_square[there[good]]
        steps[good, code] = there[good]
    return steps


def whole_rows(orders: np.ndarray) -> np.ndarray:
    """Rows of square numbers as kernels take them: contiguous, of uint8, uint16, int32 or int64."""
    return np.ascontiguousarray(orders, None if orders.dtype in ORDER_TYPES else np.int64)


def hashes_of(keys: np.ndarray) -> np.ndarray:
    """A number for each row of words, the same for the same words on every machine: uint64 (n,)."""
    h = np.zeros(len(keys), dtype=np.uint64)
    for k in range(keys.shape[1]):
        # Multiplication carries differences upwards, the shift brings them down again.
        h = (h ^ keys[:, k]) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(32))


# ---------------------------------------------------------------- facts of many tours

# The measures of a tour that a data set may hold.
MEASURES = ("symmetry", "turns", "crossings")


def why_not_measured(name: str, board: Board) -> str | None:
    """Why tours of the board have no such fact, or None."""
    if name == "symmetry":
        if sum(1 for _ in zip(symmetries(board), range(_MOST_SYMMETRIES + 2), strict=False)) > _MOST_SYMMETRIES:
            return f"the {board.title} has more symmetries than can be named in bulk"
        return None
    if board.wrap is not None or board.graph is not None:
        return f"{name} are counted on flat boards only; this is {an(board.title)}"
    return None


def closed_rows(orders: np.ndarray, board: Board) -> np.ndarray:
    """`Tour.is_closed` of each row, as uint8 (n,): tours of an open question may be closed, too."""
    if board.square_count < 3:
        return np.zeros(len(orders), dtype=np.uint8)
    return are_moves(board, orders[:, -1].astype(np.int64), orders[:, 0].astype(np.int64)).astype(np.uint8)


def count_turns(orders: np.ndarray, board: Board, closed: np.ndarray) -> np.ndarray:
    """`Tour.turns` of each row: uint32 (n,). closed: as from `closed_rows`.

    >>> count_turns(np.array([[0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]]), Board(3, 4), np.zeros(1, np.uint8)).tolist()
    [10]
    """
    packing = packing_of(board)
    out = np.empty(len(orders), dtype=np.uint32)
    orders = whole_rows(orders)
    bound = door("measures_count_turns").bind(orders, orders.shape[1], closed, packing.moves, out)
    for first, last in ranges(len(orders)):
        bound(first, last)
    return out


def count_crossings(orders: np.ndarray, board: Board, closed: np.ndarray) -> np.ndarray:
    """`Tour.crossings` of each row: uint32 (n,)."""
    packing = packing_of(board)
    lines, places, begins, jumps, drawn = _pictures(board)
    out = np.empty(len(orders), dtype=np.uint32)
    spots = np.empty(board.square_count, dtype=np.int64)
    orders = whole_rows(orders)
    pictures = (lines, places, begins, jumps)
    bound = door("measures_count_crossings").bind(
        *(orders, orders.shape[1], closed, packing.moves, pictures, spots, drawn.copy(), out)
    )
    for first, last in ranges(len(orders)):
        bound(first, last)
    return out


@functools.lru_cache(maxsize=8)
def _pictures(board: Board) -> tuple[np.ndarray, ...]:
    """What `count_crossings` of the kernel takes: lines, places, begins, jumps, drawn."""
    ways = board.piece.vectors
    down = [(dr, dc) for dr, dc in ways if dr > 0 or (dr == 0 and dc > 0)]
    lines = np.array(
        [2 * down.index(way) if way in down else 2 * down.index((-way[0], -way[1])) + 1 for way in ways], dtype=np.int64
    )
    # A move that crosses begins at most two leaps away.
    margin = 2 * board.piece.reach
    stride = board.cols + 2 * margin
    area = (board.rows + 2 * margin) * stride
    rows, cols = np.divmod(np.arange(board.rows * board.cols, dtype=np.int64), board.cols)
    places = (rows + margin) * stride + cols + margin
    begins, jumps = [0], []
    for p, way in enumerate(down):
        for one, other, (dr, dc) in crossing_positions(board.piece):
            if one == way:
                jumps.append((down.index(other) - p) * area + dr * stride + dc)
        begins.append(len(jumps))
    as_numbers = functools.partial(np.array, dtype=np.int64)
    return lines, places, as_numbers(begins), as_numbers(jumps), np.zeros(len(down) * area, dtype=np.uint8)


def find_symmetries(orders: np.ndarray, board: Board, closed: np.ndarray) -> tuple[list[str], np.ndarray]:
    """`Tour.symmetry` of each row: the names there are, and the place of each row's among them, int32 (n,)."""
    images = [s.image for s in symmetries(board) if s.name != "identity"]
    table = np.array(images, dtype=np.int64).reshape(len(images), board.rows * board.cols)
    found = np.empty(len(orders), dtype=np.int64)
    scratch = np.zeros(board.rows * board.cols, dtype=np.int64)
    rows = whole_rows(orders)
    bound = door("measures_find_symmetries").bind(
        *(rows, rows.shape[1], closed, table, len(scratch), scratch, found),
    )
    for first, last in ranges(len(rows)):
        bound(first, last)
    _, firsts, places = np.unique(found, return_index=True, return_inverse=True)
    # The name of a class is that of any tour in it.
    names = [Tour.from_order(board, orders[row].astype(np.int64)).symmetry for row in firsts.tolist()]
    return names, places.reshape(-1).astype(np.int32)
