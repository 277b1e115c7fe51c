"""The moves of a flat board as arrays, written window by window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from knightstour.core.model.preparing import heed

# Squares whose moves are written together: few enough for the cache of the processor.
_SQUARES_AT_ONCE = 1 << 13


def flat_moves(
    rows: int, cols: int, moves: tuple[tuple[int, int], ...], is_square: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(offsets, targets) as in MoveGraph, for a board whose sides are not joined.

    moves: (drow, dcol) in the order that the targets of a square are to have. is_square: bool, one item a square.

    The squares that a move is open to are a window of the board, and so are those it leads to; only the places in
    `targets` need indices.
    """
    free = is_square.reshape(rows, cols)
    is_full = bool(is_square.all())
    degrees = np.zeros((rows, cols), dtype=np.int64)
    for here, there in _windows(rows, cols, moves, 0, rows):
        degrees[here] += True if is_full else free[here] & free[there]
    offsets = np.zeros(rows * cols + 1, dtype=np.int64)
    np.cumsum(degrees.ravel(), out=offsets[1:])
    targets = np.empty(offsets[-1], dtype=np.int64)
    number = np.arange(rows * cols).reshape(rows, cols)
    # From now on how many of a square's moves are written.
    place = offsets[:-1].reshape(rows, cols).copy()
    height = max(1, _SQUARES_AT_ONCE // cols)
    for top in range(0, rows, height):
        heed()
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


def _windows(
    rows: int, cols: int, moves: tuple[tuple[int, int], ...], top: int, bottom: int
) -> Iterator[tuple[_Window, _Window]]:
    """For each move the squares of rows top to bottom that it does not lead off the board, and where it leads."""
    for dr, dc in moves:
        first, last = max(top, -dr), min(bottom, rows - dr)
        left, right = max(0, -dc), min(cols, cols - dc)
        if first < last and left < right:
            yield (
                (slice(first, last), slice(left, right)),
                (slice(first + dr, last + dr), slice(left + dc, right + dc)),
            )


def sealed(array: np.ndarray) -> np.ndarray:
    """The array, read-only from now on."""
    array.setflags(write=False)
    return array
