"""Statistic: a number of each tour of a flat board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board, title_of
from knightstour.core.model.errors import BoardError
from knightstour.core.model.exports import record_of
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.validation import an
from knightstour.core.statistics.strokes import Strokes


def _always(board: Board) -> str:
    del board
    return ""


class Size(NamedTuple):
    """Tours of a board, for bounds. squares: Maximum number of visited squares."""

    board: Board
    closed: bool
    squares: int

    @property
    def moves(self) -> int:
        """Maximum number of moves."""
        return self.squares if self.closed else max(0, self.squares - 1)

    @property
    def corners(self) -> int:
        """Maximum number of squares with a move before and after."""
        return self.squares if self.closed else max(0, self.squares - 2)


@dataclass(frozen=True, slots=True, repr=False)
class Statistic:
    """Row of STATISTICS.

    Attributes:
        summary: Description.
        of: Function that returns the values of tours, int64 (n,).
        adds_up_over: "moves" or "corners" if the value is a sum over moves, or over squares with the moves before and
            after; else "".
        why_not: Function that returns the reason why the statistic is undefined on a flat board, or "".
        needs_closed: Whether it is undefined for open tours.
        of_cells: Whether it is defined on flat boards of cells.
        is_numbered: Whether it depends on the first number of a closed tour.
        why_not_whole: Function that returns the reason why values on a flat board may be fractions, or ""; such values
            are float64, and exact.
        most: Upper bound for all tours (default: the bound of a sum over moves or corners).
        least: Lower bound for tours of all squares.
    """

    name: str
    summary: str
    of: Callable[[Strokes], np.ndarray]
    adds_up_over: str = ""
    why_not: Callable[[Board], str] = _always
    needs_closed: bool = False
    of_cells: bool = False
    is_numbered: bool = False
    why_not_whole: Callable[[Board], str] = _always
    most: Callable[[Size], int] | None = None
    least: Callable[[Size], int] | None = None

    def bound(self, extent: Size) -> int | None:
        """Return an upper bound for all tours, or None if unknown.

        >>> from knightstour.core.statistics.table import STATISTICS
        >>> STATISTICS["turns"].bound(Size(Board(8, 8), False, 64))
        62
        """
        if self.most is not None:
            return self.most(extent)
        return {"corners": extent.corners, "moves": extent.moves}.get(self.adds_up_over)

    def __repr__(self) -> str:
        return f"{self.name}: {self.summary}"

    def to_dict(self) -> dict[str, object]:
        """Return the row as a JSON-serialisable dict."""
        without = ("of", "why_not", "of_cells", "is_numbered", "why_not_whole", "most", "least")
        return {**record_of(self, without=without), "adds_up_over": self.adds_up_over or None}

    def check(self, board: Board, closed: bool, *, may_be_fraction: bool = False) -> None:
        """Raise BoardError if the statistic is undefined for tours of a board, or for open tours unless `closed`.

        Args:
            may_be_fraction: Whether fractions are allowed.


        >>> from knightstour.core.statistics.table import STATISTICS
        >>> STATISTICS["area"].check(Board(8, 8), closed=True)
        >>> STATISTICS["area"].check(Board("3x3:king"), closed=True)
        Traceback (most recent call last):
        knightstour.BoardError: 'area' of tours of a 3x3 board for the king may be a fraction
          note: moves of the leaps (0, 1) and (1, 1) together enclose half squares
          help: measure tours one by one (measure), or use another statistic
        """
        if not is_flat(board):
            raise BoardError(
                f"{self.name!r} is defined on flat boards only; this is {an(title_of(board))}",
                help="use a board of the plane whose sides are not joined",
            )
        has_cells = isinstance(board, CellBoard)
        reason = "it is defined for rows and columns only" if has_cells and not self.of_cells else self.why_not(board)
        if reason:
            raise BoardError(
                f"tours of {an(title_of(board))} have no {self.name!r}", note=reason, help="use another statistic"
            )
        fraction = "" if may_be_fraction else self.why_not_whole(board)
        if fraction:
            raise BoardError(
                f"{self.name!r} of tours of {an(title_of(board))} may be a fraction",
                note=fraction,
                help="measure tours one by one (measure), or use another statistic",
            )
        if self.needs_closed and not closed:
            raise BoardError(f"open tours have no {self.name!r}", help="use closed tours, or another statistic")
