"""The moves of a board: the leaps of a piece, where they land, whether two squares are one apart; and lists of them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.model.deadline import no_garbage_sought
from knightstour.core.model.wording import short_repr

if TYPE_CHECKING:
    from knightstour.core.model.board import Board, Square


def landing(board: Board, rows: np.ndarray, cols: np.ndarray, dr: int, dc: int) -> np.ndarray:
    """Square number reached from each (row, col) by one move, -1 where it leads off the board (holes not looked at)."""
    # A leap may be longer than the board, and than 64 bits: whole rounds are left out first.
    rows_wrap = board.wrap in ("torus", "klein")
    if (abs(dr) >= board.rows and not rows_wrap) or (abs(dc) >= board.cols and board.wrap is None):
        return np.full(np.broadcast(rows, cols).shape, -1)
    r = (rows + dr % board.rows) % board.rows if rows_wrap else rows + dr
    if board.wrap is None:
        c = cols + dc
        inside = (r >= 0) & (r < board.rows) & (c >= 0) & (c < board.cols)
        return np.where(inside, r * board.cols + c, -1)
    # Two laps always lead back to the same row, one lap may not.
    laps, c = np.divmod(cols + dc % (2 * board.cols), board.cols)
    inside = (r >= 0) & (r < board.rows)
    if board.wrap in ("mobius", "klein"):
        r = np.where(laps % 2 != 0, board.rows - 1 - r, r)
    return np.where(inside, r * board.cols + c, -1)


def are_moves(board: Board, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Whether each pair of square numbers is one move apart: bool, the shape of `before`. Holes are not looked at.

    Written on differences of coordinates, not on the lists of `move_graph`, so that checking a tour shares no
    code with finding it.
    """
    if board.cells is not None:
        return board.cells.are_moves(before, after)
    if board.graph is not None:
        graph, size = board.graph, len(board.graph)
        if before.size <= size:
            return np.array([b in graph[a] for a, b in zip(before.tolist(), after.tolist(), strict=True)], dtype=bool)
        # Of many pairs each node's neighbours are gone through but once.
        tails = np.repeat(np.arange(size), [len(others) for others in graph])
        heads = np.fromiter(itertools.chain.from_iterable(graph), np.int64)
        return np.isin(before.astype(np.int64) * size + after, tails * size + heads)
    r0, c0 = np.divmod(before, board.cols)
    r1, c1 = np.divmod(after, board.cols)
    if board.wrap is None:
        dr, dc = np.abs(r1 - r0), np.abs(c1 - c0)
        short, long = np.minimum(dr, dc), np.maximum(dr, dc)
        return np.logical_or.reduce([(short == a) & (long == b) for a, b in board.piece.leaps])
    joined = np.zeros(np.shape(before), dtype=bool)
    flips = board.wrap in ("mobius", "klein")
    for up, across in (way for a, b in board.piece.leaps for way in ((a, b), (b, a))):
        for dc in (across, -across):
            # A lap is one crossing of the side border: the columns say how many there are, if it is a whole number.
            laps, rest = np.divmod(c0 - c1 + dc % (2 * board.cols), board.cols)
            image = np.where(flips & (laps % 2 != 0), board.rows - 1 - r1, r1)
            if board.wrap in ("torus", "klein"):
                dr = up % board.rows
                rows_fit = ((image - r0 - dr) % board.rows == 0) | ((image - r0 + dr) % board.rows == 0)
            else:
                rows_fit = np.abs(image - r0) == up
            joined |= rows_fit & (rest == 0)
    return joined & (before != after)


def landing_of(board: Board, square: Square, move: Square) -> Square | None:
    """The square that one leap leads to, None off the board; holes are not looked at. As `landing`, at any size.

    >>> from knightstour.core.model.board import Board
    >>> landing_of(Board(4, 5), (0, 0), (-1, 2)), landing_of(Board(4, 5, wrap="torus"), (0, 0), (-1, 2))
    (None, (3, 2))
    """
    laps, col = divmod(square[1] + move[1], board.cols)
    row = square[0] + move[0]
    if laps and board.wrap is None:
        return None
    if board.wrap in ("torus", "klein"):
        row %= board.rows
    elif not 0 <= row < board.rows:
        return None
    if laps % 2 and board.wrap in ("mobius", "klein"):
        row = board.rows - 1 - row
    return row, col


@dataclass(frozen=True, slots=True, eq=False)
class MoveGraph:
    """The moves of a board as arrays; square s is `row * cols + col`.

    The neighbours of s are `targets[offsets[s]:offsets[s + 1]]`, in the order of `piece.vectors`; a hole has none.
    offsets: int64 (size + 1,). targets: int64 (2 x number of moves,). is_square: bool (size,), False at holes.
    """

    offsets: np.ndarray
    targets: np.ndarray
    is_square: np.ndarray

    def __repr__(self) -> str:
        return short_repr(self, f"{int(self.is_square.sum()):,} squares, {len(self.targets) // 2:,} moves")

    @property
    def squares(self) -> np.ndarray:
        """Numbers of the squares that are no holes, rising."""
        return np.flatnonzero(self.is_square).astype(np.int64, copy=False)

    @property
    def degrees(self) -> np.ndarray:
        """Number of moves from each square, 0 at holes: int64 (size,)."""
        return np.diff(self.offsets)

    @property
    def tails(self) -> np.ndarray:
        """The square that each move of `targets` leaves: int64, as long as `targets`."""
        return np.repeat(np.arange(len(self.is_square)), self.degrees.astype(np.intp))

    def edges(self) -> np.ndarray:
        """Each move once, as (lower, higher): int64 (moves, 2)."""
        keep = self.tails < self.targets
        return np.stack([self.tails[keep], self.targets[keep]], axis=1)

    def neighbour_lists(self) -> list[list[int]]:
        """The same as one list of neighbours a square: quicker than arrays in plain Python."""
        flat = self.targets.tolist()
        with no_garbage_sought():
            return [flat[a:b] for a, b in itertools.pairwise(self.offsets.tolist())]
