"""Many tours at once, checked: rows of square numbers."""

from __future__ import annotations

import numpy as np

from knightstour.kernels.bulk import check_rows
from knightstour.machine import engine
from knightstour.model.board import are_moves, move_graph
from knightstour.model.errors import InvalidTour
from knightstour.model.problem import Problem

_MOST_TABLE_SQUARES = 2048
_CHECKED_AT_ONCE = 1 << 14


class Checker:
    """Checks tours in bulk against moves that follow from the coordinates; it shares nothing with what makes tours."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        board = problem.board
        size = board.rows * board.cols
        self._joined: np.ndarray | None = None
        if size <= _MOST_TABLE_SQUARES:
            squares = np.arange(size)
            joined = are_moves(board, np.repeat(squares, size), np.tile(squares, size)).reshape(size, size)
            holes = [r * board.cols + c for r, c in board.holes]
            joined[holes] = joined[:, holes] = False
            self._joined = joined
            self._seen = np.zeros(size, dtype=np.int32)

    def check(self, orders: np.ndarray) -> None:
        """Raise InvalidTour if a row is no tour that answers the question."""
        problem = self.problem
        row = -1
        if self._joined is None or problem.board.square_count < 2:
            row = self._first_fault(orders)
        else:
            if orders.shape[1] != problem.board.square_count:
                raise InvalidTour(f"rows of {orders.shape[1]} squares are no tours of {problem.board}")
            start = -1 if problem.start_index is None else problem.start_index
            end = -1 if problem.end_index is None else problem.end_index
            first_fault = engine.doors(check_rows).first_fault
            at_once = max(1, (_CHECKED_AT_ONCE << 6) // orders.shape[1])
            for first in range(0, len(orders), at_once):
                self._seen[:] = 0
                last = min(first + at_once, len(orders))
                row = int(first_fault(orders, first, last, self._joined, self._seen, int(problem.closed), start, end))
                if row >= 0:
                    break
        if row >= 0:
            raise InvalidTour(f"row {row:,} is not {problem}", note=str(orders[row].tolist())[:200])

    def _first_fault(self, orders: np.ndarray) -> int:
        problem = self.problem
        squares = move_graph(problem.board).squares
        for row, line in enumerate(orders):
            order = line.astype(np.int64)
            good = len(order) == len(squares) and bool((np.sort(order) == squares).all())
            good = good and bool(are_moves(problem.board, order[:-1], order[1:]).all())
            good = good and problem.start_index in (None, order[0]) and problem.end_index in (None, order[-1])
            if problem.closed:
                good = good and len(order) > 2 and bool(are_moves(problem.board, order[-1:], order[:1])[0])
            if not good:
                return row
        return -1
