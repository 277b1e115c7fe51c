"""Measure the statistics of one tour, of a sample, or of an array of millions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from knightstour.core.model.board import Board, BoardLike, are_moves, board_of, square_count
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.sample import Sample, order_type
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import each, flag, of_kind
from knightstour.core.statistics.statistic import Statistic
from knightstour.core.statistics.strokes import Strokes
from knightstour.core.statistics.table import STATISTICS, statistic_named

# Number of squares processed together, so that tables fit into the processor's cache.
_SQUARES_AT_ONCE = 1 << 18


def measure(
    tours: Tour | Sample | np.ndarray | Sequence[Tour],
    by: str | Iterable[str] | None = None,
    board: BoardLike | None = None,
    *,
    closed: bool | None = None,
) -> dict[str, np.ndarray]:
    """Return the statistics of tours.

    Args:
        tours: A Tour, several of one board, a Sample, or an array of checked tours, (n, squares): square numbers
            `row * cols + col` in order of visit.
        by: Names of STATISTICS (default: all statistics of these tours).
        board: Board of an array.
        closed: Whether the move from the last square to the first belongs to a tour (default: if it exists).

    Returns:
        An int64 array (n,) for each name, in the given order; float64 for the area of pieces that enclose half squares.

    Raises:
        ProblemError: If a name is unknown, or a tour is open with closed=True.
        BoardError: If the tours have different boards, or a board for which a statistic is undefined.

    >>> from knightstour.core.model.tour import Tour
    >>> tour = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    >>> measure(tour, by=["turns", "crossings", "flat-up"])
    {'turns': array([10]), 'crossings': array([20]), 'flat-up': array([4])}
    """
    where, orders = _table(tours, board)
    is_closed = _are_taken_closed(where, orders, closed)
    rows = _choose_statistics(by, where, bool(is_closed.all()))
    for row in rows:
        row.check(where, bool(is_closed.all()), may_be_fraction=True)
    kinds = {row.name: np.float64 if row.why_not_whole(where) else np.int64 for row in rows}
    found: dict[str, np.ndarray] = {name: np.zeros(len(orders), dtype=kind) for name, kind in kinds.items()}
    for kind in (True, False):
        (places,) = np.nonzero(is_closed == kind)
        at_once = max(_SQUARES_AT_ONCE // max(square_count(where), 1), 1)
        for first in range(0, len(places), at_once):
            some = places[first : first + at_once]
            strokes = Strokes(where, orders[some], closed=kind)
            for row in rows:
                found[row.name][some] = row.of(strokes)
    return found


def are_closed(board: Board, orders: np.ndarray) -> np.ndarray:
    """Return whether a move leads from the last square of each tour to its first: bool (n,)."""
    if square_count(board) < 3:
        return np.zeros(len(orders), dtype=bool)
    return are_moves(board, orders[:, -1].astype(np.int64), orders[:, 0].astype(np.int64))


def _are_taken_closed(board: Board, orders: np.ndarray, closed: bool | None) -> np.ndarray:
    if closed is not None and not flag(closed, "closed"):
        return np.zeros(len(orders), dtype=bool)
    is_closed = are_closed(board, orders)
    if closed and not is_closed.all():
        raise ProblemError(f"tour {int(np.argmin(is_closed)) + 1:,} is open", help="omit closed=True")
    return is_closed


def _choose_statistics(by: str | Iterable[str] | None, board: Board, closed: bool) -> list[Statistic]:
    if by is not None:
        return [statistic_named(name) for name in ([by] if isinstance(by, str) else each(by, "by"))]
    rows = []
    for row in STATISTICS.values():
        try:
            row.check(board, closed, may_be_fraction=True)
        except BoardError:
            continue
        rows.append(row)
    return rows


def _table(tours: Tour | Sample | np.ndarray | Sequence[Tour], board: BoardLike | None) -> tuple[Board, np.ndarray]:
    """Return the board, and the square numbers of the tours: (n, squares)."""
    if isinstance(tours, Sample):
        return tours.board, tours.orders
    if isinstance(tours, np.ndarray):
        if board is None:
            raise ProblemError("an array of tours does not define its board", help="pass a board")
        where = board_of(board)
        if tours.ndim != 2 or tours.shape[1] != square_count(where):
            raise ProblemError(
                f"an array of shape {tours.shape} has no tours of a board of {square_count(where):,} squares",
                help="pass a row of square numbers for each tour",
            )
        return where, tours
    several = [tours] if isinstance(tours, Tour) else each(tours, "tours", help="pass a Tour, or several")
    listed = [of_kind(tour, Tour, "pass a Tour, or several") for tour in several]
    if not listed:
        raise ProblemError("there are no tours to measure", help="pass one or more")
    where = listed[0].board
    if any(tour.board != where for tour in listed):
        raise BoardError("these are tours of different boards", help="measure the tours of each board separately")
    return where, np.stack([tour.order for tour in listed]).astype(order_type(where))
