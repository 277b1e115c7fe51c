"""One statistic: a number that each tour of a flat board has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError
from knightstour.core.model.exports import record_of
from knightstour.core.model.validation import an
from knightstour.core.model.wording import short_repr
from knightstour.core.statistics.strokes import Strokes


def _always(board: Board) -> str:
    """Each flat board has it."""
    del board
    return ""


@dataclass(frozen=True, slots=True, repr=False)
class Statistic:
    """A row of STATISTICS.

    summary: what is counted. of: the numbers of some tours, int64 (n,). adds_up_over: "moves" or "corners" where the
    number of a tour is a sum over its moves, or over its squares with the moves before and after; "" where it depends
    on more. why_not: why tours of a flat board have no such number, or "". needs_closed: whether open tours have none.
    of_cells: whether tours of flat boards of cells have it, too. is_numbered: whether it depends on where the numbers
    of a closed tour begin.
    """

    name: str
    summary: str
    of: Callable[[Strokes], np.ndarray]
    adds_up_over: str = ""
    why_not: Callable[[Board], str] = _always
    needs_closed: bool = False
    of_cells: bool = False
    is_numbered: bool = False

    def __repr__(self) -> str:
        return short_repr(self, f"{self.name}, {self.summary}")

    def to_dict(self) -> dict[str, object]:
        """The row as JSON knows it."""
        without = ("of", "why_not", "of_cells", "is_numbered")
        return {**record_of(self, without=without), "adds_up_over": self.adds_up_over or None}

    def check(self, board: Board, closed: bool) -> None:
        """Raises BoardError where tours of this board, or open ones, have no such number.

        >>> from knightstour.core.statistics.table import STATISTICS
        >>> STATISTICS["area"].check(Board(8, 8), closed=True)
        """
        if not board.is_flat:
            raise BoardError(
                f"tours have {self.name!r} on flat boards only; this is {an(board.title)}",
                help="take a board of the plane whose sides are not joined",
            )
        has_cells = board.cells is not None
        reason = "it is of rows and columns" if has_cells and not self.of_cells else self.why_not(board)
        if reason:
            raise BoardError(
                f"tours of {an(board.title)} have no {self.name!r}", note=reason, help="take another statistic"
            )
        if self.needs_closed and not closed:
            raise BoardError(f"open tours have no {self.name!r}", help="take closed tours, or another statistic")
