"""What counting terms of a sequence will take, before it begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import KnightsTourError
from knightstour.lab.counting.plan import CountPlan, plan_count
from knightstour.lab.sequences.check import board_key
from knightstour.lab.sequences.kinds import AllTours
from knightstour.lab.sequences.sequence import Sequence

# Planning ends after as many boards, and when what is planned takes hours: a long list of terms is to begin soon.
_MAX_PLANS, _MAX_SECONDS = 60, 10_000


class Forecast(NamedTuple):
    """What terms will take; estimates.

    seconds: of one processor, all terms together. bytes: of memory, for the one that takes most. is_least: whether the
    true figures are higher, since not every term was planned.
    """

    seconds: float
    bytes: float
    is_least: bool


def forecast_terms(sequence: Sequence, indices: Iterable[int], limits: Limits | None = None) -> Forecast | None:
    """What counting these terms will take, or None for a kind of count that has no plan.

    limits: as for the count. Equal boards are counted once, and boards that are too large are not counted.

    >>> from knightstour.lab.sequences.table import SEQUENCES
    >>> forecast = forecast_terms(SEQUENCES["A193055"], range(1, 9))
    >>> 3 < forecast.seconds < 300, forecast.is_least
    (True, False)
    """
    kind = sequence.kind
    if not isinstance(kind, AllTours):
        return None
    seconds, size = 0.0, 0.0
    planned: set[tuple[int, int, int]] = set()
    for n in indices:
        key = board_key(sequence, n)
        if key in planned:
            continue
        if len(planned) == _MAX_PLANS or seconds > _MAX_SECONDS:
            return Forecast(seconds, size, is_least=True)
        planned.add(key)
        plan = _plan_of(sequence.board(n), kind, limits)
        if plan is not None:
            seconds, size = seconds + plan.seconds, max(size, plan.bytes)
    return Forecast(seconds, size, is_least=False)


def _plan_of(board: Board, kind: AllTours, limits: Limits | None) -> CountPlan | None:
    """The plan of a count that will be made, or None."""
    try:
        problem = kind.problem(board)
        plan = plan_count(problem, symmetry=kind.symmetry, up_to_symmetry=kind.up_to_symmetry, limits=limits)
    except KnightsTourError:
        return None
    return None if plan.is_refused else plan
