"""OBJECTIVES: the one table of what tours can be good at, two rows for each statistic.

Statistics of squares or moves that the user chooses (core/statistics/chosen.py) are objectives too: `checked_objective`
makes their rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import one_of
from knightstour.core.statistics.measure import measure
from knightstour.core.statistics.table import STATISTICS, statistic_named
from knightstour.lab.objectives.worth import Worth, has_worth, worth_of


@dataclass(frozen=True, slots=True)
class Objective:
    """What is to be small: sign times a number of STATISTICS, so -1 where it is to be large."""

    summary: str
    statistic: str
    sign: int

    def of(self, tour: Tour, closed: bool | None = None) -> int:
        """The number of a tour. closed: as for `measure`; with False a closed tour counts without its last move."""
        return int(measure(tour, self.statistic, closed=closed)[self.statistic][0])

    def worth(self, board: Board) -> Worth:
        """What the parts of a tour of this board add to the number."""
        return worth_of(statistic_named(self.statistic), board)

    def check(self, board: Board, closed: bool) -> None:
        """A BoardError where tours of this board, or open ones, have no such number."""
        statistic_named(self.statistic).check(board, closed)
        if isinstance(board, CellBoard):
            help = "`measure` and `census` count turns and crossings of flat ones"
            raise BoardError(f"tours of cells are not improved by {self.statistic}", help=help)


_MOST: Final = "most-"
# The objective of tours that leave squares, which has no statistic: longest.py.
LONGEST: Final = "most-visits"


def _pair(name: str, summary: str) -> dict[str, Objective]:
    """As few and as many of a statistic as can be found, by name."""
    words = f"{name} as can be found"
    counted = "" if name in ("turns", "crossings") else f": {summary}"
    return {
        name: Objective(f"as few {words}{counted}", name, 1),
        f"{_MOST}{name}": Objective(f"as many {words}{counted}", name, -1),
    }


def _rows() -> dict[str, Objective]:
    rows = {}
    for name in ("turns", "crossings", *STATISTICS):
        if has_worth(STATISTICS[name]):
            rows.update(_pair(name, STATISTICS[name].summary))
    return rows


OBJECTIVES: Final[dict[str, Objective]] = _rows()


def checked_objective(name: str) -> Objective:
    """The row of OBJECTIVES, or that of squares or moves that the name gives; a ProblemError for any other name.

    >>> checked_objective("most-inside=a1..d4").summary
    'as many inside=a1..d4 as can be found: moves between two of the squares a1..d4'
    """
    if isinstance(name, str) and "=" in name:
        row = statistic_named(name.removeprefix(_MOST))
        return _pair(row.name, row.summary)[name]
    if isinstance(name, str) and name == LONGEST:
        help = 'solve(board, partial=True, objective="most-visits"), or `solve --partial --maximize visits`'
        raise ProblemError("a tour of all squares has no more to visit; solve finds those that leave some", help=help)
    return OBJECTIVES[one_of(name, OBJECTIVES, "objective")]
