"""What an exercise demands of a tour besides being one: its start, its end, that it is closed.

The demands are held against a tour as it is written: a closed tour that is written from another square does not start
where it should.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.model.board import Board, Square, are_moves

if TYPE_CHECKING:
    from knightstour.core.checking.reports import Report, SampleReport


@dataclass(frozen=True, slots=True)
class Demands:
    """The start and the end that tours must have, as pairs or names, and whether they must be closed.

    >>> Demands(start="a1", closed=True).unmet(Board(8, 8), (5, 2), (7, 4), is_closed=False)
    'starts at c3, not a1, and is open, not closed'
    """

    start: Square | str | None = None
    end: Square | str | None = None
    closed: bool = False

    @property
    def is_any(self) -> bool:
        """Whether anything is demanded."""
        return self.start is not None or self.end is not None or self.closed

    def unmet(self, board: Board, start: Square, end: Square, *, is_closed: bool) -> str:
        """What a tour is instead, in words; "" where it is as demanded. A BoardError for a square that is not there."""
        found = []
        for does, wanted, square in (("starts", self.start, start), ("ends", self.end, end)):
            if wanted is not None and board.square(wanted) != square:
                found.append(f"{does} at {board.name(square)}, not {board.name(board.square(wanted))}")
        if self.closed and not is_closed:
            found.append("is open, not closed")
        return ", and ".join(found)

    def are_met(self, board: Board, rows: np.ndarray, is_closed: np.ndarray) -> np.ndarray:
        """Which of these tours, rows of square numbers, are as demanded: bool (tours,)."""
        met = is_closed if self.closed else np.ones(len(rows), dtype=np.bool_)
        for wanted, column in ((self.start, 0), (self.end, -1)):
            if wanted is not None:
                row, col = board.square(wanted)
                met = met & (rows[:, column] == row * board.cols + col)
        return met


@dataclass(frozen=True, slots=True)
class HeldAgainst:
    """A report, and what is not as demanded: in words; of a sample how many of its tours, the others being so."""

    report: Report | SampleReport
    unmet: str | int

    @property
    def is_valid(self) -> bool:
        """Whether it is a tour, and as demanded."""
        return self.report.is_valid and not self.unmet

    def to_dict(self, number: int) -> dict[str, object]:
        """For `--json`: `valid` is whether it is a tour, `unmet` what is not as demanded."""
        return {**self.report.to_dict(number), "unmet": self.unmet or (0 if self.unmet == 0 else None)}

    def to_text(self, number: int) -> str:
        """For people.

        >>> from knightstour.core.checking.reports import Report
        >>> report = Report.on(Board(3, 4), ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"])
        >>> HeldAgainst(report, "starts at a3, not a1").to_text(1)[:67]
        'tour 1: valid, but starts at a3, not a1: open tour of the 3x4 board'
        """
        text = self.report.to_text(number)
        if isinstance(self.unmet, int):
            return f"{text}; {self.unmet:,} not as demanded"
        return text.replace(": valid ", f": valid, but {self.unmet}: ", 1) if self.unmet else text


def held_against(report: Report, demands: Demands) -> HeldAgainst:
    """The report on one tour, valid or not, with what is not as demanded."""
    return HeldAgainst(report, report.unmet(demands) if report.is_valid else "")


def closed_rows(board: Board, rows: np.ndarray) -> np.ndarray:
    """Which of these tours, rows of square numbers, are closed: bool (tours,)."""
    if rows.shape[1] < 3:
        return np.zeros(len(rows), dtype=np.bool_)
    ends = rows[:, [-1, 0]].astype(np.int64)
    return are_moves(board, ends[:, 0], ends[:, 1])
