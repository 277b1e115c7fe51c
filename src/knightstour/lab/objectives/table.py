"""Objectives: a statistic to minimize or maximize, also of squares or moves that the user chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import one_of, wrong_type
from knightstour.core.statistics.measure import measure as measure_all
from knightstour.core.statistics.table import STATISTICS, statistic_named
from knightstour.lab.objectives.worth import Worth, has_worth, worth_of


@dataclass(frozen=True, slots=True)
class Objective:
    """A statistic to minimize (sign 1) or to maximize (sign -1).

    >>> print(Objective("turns", -1))
    maximize turns
    """

    statistic: str
    sign: int

    def of(self, tour: Tour, closed: bool | None = None) -> int:
        """Return the statistic of a tour. closed: as for `measure`; False ignores the last move of a cycle."""
        return int(measure_all(tour, self.statistic, closed=closed)[self.statistic][0])

    def worth(self, board: Board) -> Worth:
        """Return the contributions of the parts of a tour on this board."""
        return worth_of(statistic_named(self.statistic), board)

    def check(self, board: Board, closed: bool) -> None:
        """Raise BoardError if the statistic is not defined on this board, or for open tours."""
        statistic_named(self.statistic).check(board, closed)
        if isinstance(board, CellBoard):
            help = "use `measure` and `census` to count turns and crossings"
            raise BoardError(f"tours of cells cannot be improved by {self.statistic}", help=help)

    def __str__(self) -> str:
        return f"{'minimize' if self.sign > 0 else 'maximize'} {self.statistic}"


# The objective of tours that skip squares, see longest.py.
LONGEST: Final = Objective("visits", -1)


def objective_of(minimize: str | None, maximize: str | None) -> Objective | None:
    """Return the objective, or None if neither is given; raise ProblemError for an unknown name.

    >>> print(objective_of(None, "inside=a1..d4"))
    maximize inside=a1..d4
    """
    if minimize is not None and maximize is not None:
        raise ProblemError("minimize and maximize cannot be combined", help="omit one of them")
    if minimize is None and maximize is None:
        return None
    name, argument, sign = (maximize, "maximize", -1) if minimize is None else (minimize, "minimize", 1)
    if not isinstance(name, str):
        raise wrong_type(argument, "the name of a statistic", name)
    if "=" in name:
        return Objective(statistic_named(name).name, sign)
    if name == LONGEST.statistic and sign == LONGEST.sign:
        return LONGEST
    if name in STATISTICS and not has_worth(STATISTICS[name]):
        help = f"where={{{name!r}: (LEAST, MOST)}} (--where {name}=LEAST..MOST) requires a range"
        raise ProblemError(f"{argument} does not support the statistic {name!r}", help=help)
    return Objective(one_of(name, improvable(), f"statistic ({argument})"), sign)


def improvable() -> tuple[str, ...]:
    """Return the statistics that can be minimized and maximized, the usual ones first."""
    return tuple(name for name in dict.fromkeys(("turns", "crossings", *STATISTICS)) if has_worth(STATISTICS[name]))


def parse_objective(words: str) -> Objective:
    """Parse an objective in the form of `str`, such as "minimize turns"."""
    verb, name = words.split(" ", 1)
    found = objective_of(name if verb == "minimize" else None, name if verb == "maximize" else None)
    assert found is not None
    return found
