"""Many tours at once, checked: rows of square numbers."""

from __future__ import annotations

import numpy as np

from knightstour.kernels.bulk import check_rows
from knightstour.machine.at_hand import compiled_if_at_hand
from knightstour.model.board import are_moves
from knightstour.model.errors import InvalidTour
from knightstour.model.problem import Problem
from knightstour.model.tour_check import checked_order

_MOST_TABLE_SQUARES = 2048
# Squares that one call looks at: of the kernel, so that Ctrl-C is heard, and of NumPy, so that its arrays are in the
# cache.
_CHECKED_AT_ONCE, _LOOKED_AT_ONCE = 1 << 20, 1 << 15
# What the kernel saves for each square, in seconds.
_SAVED = 8e-9


class Checker:
    """Checks tours in bulk against moves that follow from the coordinates; it shares nothing with what makes tours."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        board = problem.board
        size = board.rows * board.cols
        # joined[a, b]: whether squares a and b are a move apart.
        self._joined: np.ndarray | None = None
        if 1 < size <= _MOST_TABLE_SQUARES:
            squares = np.arange(size)
            joined = are_moves(board, np.repeat(squares, size), np.tile(squares, size)).reshape(size, size)
            holes = [r * board.cols + c for r, c in board.holes]
            joined[holes] = joined[:, holes] = False
            self._joined = joined
            self._seen = np.zeros(size, dtype=np.int32)

    def check(self, orders: np.ndarray) -> None:
        """Raise InvalidTour if a row is no tour that answers the question."""
        problem = self.problem
        if orders.shape[1] != problem.board.square_count:
            raise InvalidTour(f"rows of {orders.shape[1]} squares are no tours of {problem.board}")
        row = self._first_in_turn(orders) if self._joined is None else self._first_by_table(orders, self._joined)
        if row >= 0:
            raise InvalidTour(f"row {row:,} is not {problem}", note=str(orders[row].tolist())[:200])

    def _first_by_table(self, orders: np.ndarray, joined: np.ndarray) -> int:
        """The first row that is no such tour, or -1."""
        problem = self.problem
        kernel = compiled_if_at_hand(check_rows, _SAVED * orders.size)
        at_once = max(1, (_LOOKED_AT_ONCE if kernel is None else _CHECKED_AT_ONCE) // orders.shape[1])
        start = -1 if problem.start_index is None else problem.start_index
        end = -1 if problem.end_index is None else problem.end_index
        for first in range(0, len(orders), at_once):
            last = min(first + at_once, len(orders))
            if kernel is None:
                wrong = np.flatnonzero(~self._are_tours(orders[first:last].astype(np.int64), joined))
                if len(wrong):
                    return first + int(wrong[0])
                continue
            self._seen[:] = 0
            row = int(kernel.first_fault(orders, first, last, joined, self._seen, int(problem.closed), start, end))
            if row >= 0:
                return row
        return -1

    def _are_tours(self, rows: np.ndarray, joined: np.ndarray) -> np.ndarray:
        """Which rows, int64, are such tours."""
        problem, size = self.problem, len(joined)
        good = ((rows >= 0) & (rows < size)).all(axis=1)
        rows[~good] = 0
        seen = np.zeros((len(rows), size), dtype=np.bool_)
        seen.reshape(-1)[rows + size * np.arange(len(rows))[:, None]] = True
        good &= np.count_nonzero(seen, axis=1) == rows.shape[1]
        good &= joined.reshape(-1)[rows[:, :-1] * size + rows[:, 1:]].all(axis=1)
        if problem.closed:
            good &= joined[rows[:, -1], rows[:, 0]] & (rows.shape[1] > 2)
        for given, column in ((problem.start_index, 0), (problem.end_index, -1)):
            if given is not None:
                good &= rows[:, column] == given
        return good

    def _first_in_turn(self, orders: np.ndarray) -> int:
        """The same, one row at a time."""
        problem = self.problem
        for row, line in enumerate(orders):
            try:
                order = checked_order(problem.board, line)
            except InvalidTour:
                return row
            ends = order[-1:].astype(np.int64), order[:1].astype(np.int64)
            good = not problem.closed or (len(order) > 2 and bool(are_moves(problem.board, *ends)[0]))
            if not (good and problem.start_index in (None, order[0]) and problem.end_index in (None, order[-1])):
                return row
        return -1
