"""OBJECTIVES: the one table of what tours can be good at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from knightstour.model.tour import Tour
from knightstour.model.validation import one_of


@dataclass(frozen=True, slots=True)
class Objective:
    """What is to be small: sign times the turns, or the crossings."""

    summary: str
    counts_crossings: bool
    sign: int

    def of(self, tour: Tour) -> int:
        """The number of turns or crossings of a tour."""
        return tour.crossings if self.counts_crossings else tour.turns


OBJECTIVES: Final[dict[str, Objective]] = {
    "turns": Objective("as few turns as can be found", False, 1),
    "crossings": Objective("as few crossings as can be found", True, 1),
    "most-turns": Objective("as many turns as can be found", False, -1),
    "most-crossings": Objective("as many crossings as can be found", True, -1),
}


def checked_objective(name: str) -> Objective:
    """The row of OBJECTIVES; a ProblemError for any other name."""
    return OBJECTIVES[one_of(name, OBJECTIVES, "objective")]
