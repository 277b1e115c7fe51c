"""OBJECTIVES: the one table of what tours can be good at, two rows for each statistic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from knightstour.model.board import Board
from knightstour.model.tour import Tour
from knightstour.model.validation import one_of
from knightstour.search.objectives.worth import Worth, has_worth, worth_of
from knightstour.statistics.measure import measure_tours
from knightstour.statistics.table import STATISTICS


@dataclass(frozen=True, slots=True)
class Objective:
    """What is to be small: sign times a number of STATISTICS, so -1 where it is to be large."""

    summary: str
    statistic: str
    sign: int

    def of(self, tour: Tour) -> int:
        """The number of a tour."""
        return int(measure_tours(tour, self.statistic)[self.statistic][0])

    def worth(self, board: Board) -> Worth:
        """What the parts of a tour of this board add to the number."""
        return worth_of(STATISTICS[self.statistic], board)

    def check(self, board: Board, closed: bool) -> None:
        """A BoardError where tours of this board, or open ones, have no such number."""
        STATISTICS[self.statistic].check(board, closed)


def _rows() -> dict[str, Objective]:
    rows = {}
    for name in ("turns", "crossings", *STATISTICS):
        row = STATISTICS[name]
        if has_worth(row):
            words = f"{name} as can be found"
            counted = "" if name in ("turns", "crossings") else f": {row.summary}"
            rows[name] = Objective(f"as few {words}{counted}", name, 1)
            rows[f"most-{name}"] = Objective(f"as many {words}{counted}", name, -1)
    return rows


OBJECTIVES: Final[dict[str, Objective]] = _rows()


def checked_objective(name: str) -> Objective:
    """The row of OBJECTIVES; a ProblemError for any other name."""
    return OBJECTIVES[one_of(name, OBJECTIVES, "objective")]
