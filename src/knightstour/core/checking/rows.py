"""Checks of many tours at once, given as rows of square numbers."""

from __future__ import annotations

import numpy as np

from knightstour.core.machine.native import kernel_function
from knightstour.core.machine.slices import ranges
from knightstour.core.model.board import are_moves, square_count, title_of
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.errors import InvalidTour, check_own_answer
from knightstour.core.model.problem import (
    Problem,
    condition_names,
    end_index,
    replace_conditions,
    start_index,
)
from knightstour.core.model.tour_check import checked_order
from knightstour.core.statistics.where import measure_in_range

_MAX_TABLE_SQUARES = 2048
# Types of square numbers that the kernel supports; other types are converted to int64.
_TYPES = (np.uint8, np.uint16, np.int32, np.int64)
# Number of squares per kernel call.
_AT_FIRST = 1 << 18


class Checker:
    """Checker of many tours against moves computed from coordinates; it shares no code with generators of tours."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        board = problem.board
        size = board.rows * board.cols
        # joined[a, b]: whether squares a and b are a move apart.
        self._joined: np.ndarray | None = None
        if 1 < size <= _MAX_TABLE_SQUARES:
            squares = np.arange(size)
            joined = are_moves(board, np.repeat(squares, size), np.tile(squares, size)).reshape(size, size)
            holes = [r * board.cols + c for r, c in board.holes]
            joined[holes] = joined[:, holes] = False
            self._joined = joined
            self._seen = np.zeros(size, dtype=np.int32)

    def check(self, orders: np.ndarray) -> None:
        """Raise InvalidTour if a row is not a tour that solves the problem."""
        problem = self.problem
        if orders.shape[1] != square_count(problem.board):
            raise InvalidTour(f"rows of {orders.shape[1]} squares are not tours of {title_of(problem.board)}")
        row = self._first_in_turn(orders) if self._joined is None else self._first_by_table(orders, self._joined)
        if row >= 0:
            raise InvalidTour(f"row {row:,} is not {problem}", note=str(orders[row].tolist())[:200])

    def _first_by_table(self, orders: np.ndarray, joined: np.ndarray) -> int:
        problem, count = self.problem, orders.shape[1]
        start, end = start_index(problem), end_index(problem)
        question = (count, int(problem.closed), -1 if start is None else start, -1 if end is None else end)
        first_fault = kernel_function("check_rows_first_fault")
        for first, last in ranges(len(orders), _AT_FIRST // count + 1):
            rows = np.ascontiguousarray(orders[first:last])
            rows = rows if rows.dtype in _TYPES else rows.astype(np.int64)
            self._seen[:] = 0
            row = first_fault(rows, 0, last - first, question, (joined, len(joined)), self._seen)
            if row >= 0:
                return first + row
        return -1

    def _first_in_turn(self, orders: np.ndarray) -> int:
        problem = self.problem
        for row, line in enumerate(orders):
            try:
                order = checked_order(problem.board, line)
            except InvalidTour:
                return row
            ends = order[-1:].astype(np.int64), order[:1].astype(np.int64)
            good = not problem.closed or (len(order) > 2 and bool(are_moves(problem.board, *ends)[0]))
            if not (good and start_index(problem) in (None, order[0]) and end_index(problem) in (None, order[-1])):
                return row
        return -1


def confirm_orders(problem: Problem, orders: np.ndarray, whose: str) -> None:
    """Raise WrongAnswer unless all tours meet the conditions of a problem. Their kind and ends are not checked.

    Args:
        orders: The square numbers of tours that visit all squares, int (n, N).

    >>> problem = Problem((3, 4), where={"turns": 9})
    >>> confirm_orders(problem, np.array([[8, 6, 0, 9, 7, 1, 10, 4, 2, 11, 5, 3]]), "a sample")
    Traceback (most recent call last):
    knightstour.core.model.errors.WrongAnswer: a sample gave a wrong tour: its turns are 10, but turns=9 is required
    """
    ranges, rest = problem.where, replace_conditions(problem, where=None)
    if ranges:
        for row in orders[~measure_in_range(problem, ranges, orders)[1]][:1]:
            check_own_answer(False, f"{whose} gave a wrong tour: {fault_of(problem, row)}")
    if condition_names(rest):
        for row in orders:
            fault = fault_of(rest, row)
            check_own_answer(fault is None, f"{whose} gave a wrong tour: {fault}")
