"""Moves of a board as arrays: for flat boards window by window, for wrapped boards in blocks of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.model.deadline import check_deadline

if TYPE_CHECKING:
    from knightstour.core.model.grid_board import GridBoard

# Squares whose moves are written together: few enough for the processor's cache. Wrapped boards have more.
_SQUARES_AT_ONCE = 1 << 13
_WRAPPED_AT_ONCE = 1 << 16


def flat_moves(board: GridBoard, is_square: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (offsets, targets) as in MoveGraph, for a board without joined sides. is_square: bool, one item per
    square.

    The squares on which a move is possible are a window of the board, and so are its targets; only positions in
    `targets` need indices.
    """
    rows, cols, moves = board.rows, board.cols, board.piece.vectors
    free = is_square.reshape(rows, cols)
    is_full = bool(is_square.all())
    degrees = np.zeros((rows, cols), dtype=np.int64)
    for here, there in _windows(rows, cols, moves, 0, rows):
        degrees[here] += True if is_full else free[here] & free[there]
    offsets = np.zeros(rows * cols + 1, dtype=np.int64)
    np.cumsum(degrees.ravel(), out=offsets[1:])
    targets = np.empty(offsets[-1], dtype=np.int64)
    number = np.arange(rows * cols).reshape(rows, cols)
    # From here on: the number of written moves of each square.
    place = offsets[:-1].reshape(rows, cols).copy()
    height = max(1, _SQUARES_AT_ONCE // cols)
    for top in range(0, rows, height):
        check_deadline()
        for here, there in _windows(rows, cols, moves, top, min(top + height, rows)):
            if is_full:
                targets[place[here]] = number[there]
                place[here] += 1
            else:
                is_open = free[here] & free[there]
                targets[place[here][is_open]] = number[there][is_open]
                place[here] += is_open
    return offsets, targets


_Window = tuple[slice, slice]


def wrapped_moves(board: GridBoard, is_square: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(offsets, targets) as in MoveGraph, for a board whose sides are joined. is_square: bool, one item a square."""
    size, moves = board.rows * board.cols, board.piece.vectors
    targets = np.empty(size * len(moves), dtype=np.int64)
    offsets = np.zeros(size + 1, dtype=np.int64)
    # Moves may wrap round such short sides: two moves lead to one square, or a move leads back to its start.
    is_short = min(board.rows, board.cols) <= 2 * board.piece.reach
    cols = np.arange(board.cols)
    height = max(1, _WRAPPED_AT_ONCE // board.cols)
    for top in range(0, board.rows, height):
        rows = np.arange(top, min(top + height, board.rows))
        here = slice(top * board.cols, (int(rows[-1]) + 1) * board.cols)
        reached = np.stack([board.landing(rows[:, None], cols, dr, dc).ravel() for dr, dc in moves], axis=1)
        if board.holes:
            reached[~is_square[here, None] | ~is_square[reached]] = -1
        if is_short:
            reached[reached == np.arange(here.start, here.stop)[:, None]] = -1
            for k in range(1, len(moves)):
                repeated = (reached[:, :k] == reached[:, k : k + 1]).any(axis=1)
                reached[repeated, k] = -1
        is_reached = reached >= 0
        ends = offsets[here.start] + np.cumsum(is_reached.sum(axis=1))
        offsets[here.start + 1 : here.stop + 1] = ends
        targets[offsets[here.start] : ends[-1]] = reached[is_reached]
    return offsets, targets[: offsets[-1]]


def _windows(
    rows: int, cols: int, moves: tuple[tuple[int, int], ...], top: int, bottom: int
) -> Iterator[tuple[_Window, _Window]]:
    """Yield for each move the squares of rows top to bottom on which it is possible, and its targets."""
    for dr, dc in moves:
        first, last = max(top, -dr), min(bottom, rows - dr)
        left, right = max(0, -dc), min(cols, cols - dc)
        if first < last and left < right:
            yield (
                (slice(first, last), slice(left, right)),
                (slice(first + dr, last + dr), slice(left + dc, right + dc)),
            )
