"""What the numbered diagram of a tour says: sums of its rows, columns and diagonals, and moves that it does not make.

Names as in `Tour.magic`: the magic sum of a line is its length times the mean of the numbers. Sources: G. P. Jelliss,
Knight's Tour Notes, volume 9 (magic tours); OEIS A309271 to A309273 (A. Kumar).
"""

from __future__ import annotations

import numpy as np

from knightstour.core.model.board import Board, move_graph
from knightstour.lab.statistics.strokes import Strokes


def visits(strokes: Strokes) -> np.ndarray:
    """Number of squares that are visited: int64 (n,)."""
    return np.full(strokes.count, strokes.board.square_count, dtype=np.int64)


def chords(strokes: Strokes) -> np.ndarray:
    """Number of moves of the board that the tour does not make; int64 (n,)."""
    count = strokes.board.square_count
    made = count if strokes.closed else count - 1
    return np.full(strokes.count, len(move_graph(strokes.board).targets) // 2 - made, dtype=np.int64)


def why_no_lines(board: Board) -> str:
    """That a line has a hole, or ""."""
    return "its lines have holes" if board.holes else ""


def why_no_diagonals(board: Board) -> str:
    """That a line has a hole, or that the board has no two long diagonals; or ""."""
    return why_no_lines(board) or ("" if board.rows == board.cols else "only square boards have two long diagonals")


def _diagrams(strokes: Strokes) -> np.ndarray:
    """The numbers from 1 of each tour: int64 (rows, cols, n)."""
    board = strokes.board
    steps = strokes.squares[: board.square_count]
    numbers = np.empty((board.rows * board.cols, strokes.count), dtype=np.int64)
    np.put_along_axis(numbers, steps.astype(np.int64), np.arange(1, len(steps) + 1)[:, None], axis=0)
    return numbers.reshape(board.rows, board.cols, strokes.count)


def _magic(sums: np.ndarray, length: int, count: int) -> np.ndarray:
    """How many lines of this length have the magic sum, of a diagram of `count` numbers. sums: (lines, n)."""
    return np.count_nonzero(2 * sums == length * (count + 1), axis=0).astype(np.int64)


def magic_rows(strokes: Strokes) -> np.ndarray:
    """Number of rows with the magic sum: int64 (n,)."""
    board = strokes.board
    return _magic(_diagrams(strokes).sum(axis=1), board.cols, board.square_count)


def magic_columns(strokes: Strokes) -> np.ndarray:
    """Number of columns with the magic sum: int64 (n,)."""
    board = strokes.board
    return _magic(_diagrams(strokes).sum(axis=0), board.rows, board.square_count)


def magic_diagonals(strokes: Strokes) -> np.ndarray:
    """Number of long diagonals with the magic sum: int64 (n,)."""
    diagrams = _diagrams(strokes)
    sums = np.stack([np.trace(diagrams), np.trace(diagrams[:, ::-1])])
    return _magic(sums, strokes.board.cols, strokes.board.square_count)


def line_spread(strokes: Strokes) -> np.ndarray:
    """The most that the sums of two rows differ, or those of two columns: int64 (n,)."""
    diagrams = _diagrams(strokes)
    return np.maximum(*(np.ptp(diagrams.sum(axis=axis), axis=0) for axis in (0, 1)))
