"""Responses about the number of tours: counts, plans and estimates.

As in answers.py, the workers run these functions, which call the library and return bytes of JSON. Orders of squares
are lists of square numbers `row * cols + col`. Counts are text, since browsers read numbers exactly only up to 2**53.
"""

from __future__ import annotations

from typing import Any, Final

from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.interfaces.web.answers import progress_callback, to_bytes
from knightstour.interfaces.web.binding import Emit, Ends
from knightstour.interfaces.web.fields import Json

# A count with a longer estimate is looked up in the catalogues first.
_SECONDS_PER_MOMENT: Final = 3.0


def count(problem: Problem, directed: bool, up_to_symmetry: bool, limits: Limits, known: bool = False) -> bytes:
    """Return the record of `count --json`. The count is null, with the reason, at a limit or if it is infeasible.

    known: return a published number with its source if counting would be slow; `is_published` is then true.
    """
    return to_bytes(count_with_progress(problem, directed, up_to_symmetry, limits, known))


def count_with_progress(
    problem: Problem, directed: bool, up_to_symmetry: bool, limits: Limits, known: bool, emit: Emit | None = None
) -> Json:
    from knightstour.lab.counting.count import count_problem
    from knightstour.lab.counting.settings import CountSettings

    found: dict[str, object]
    which: dict[str, Any] = {"directed": directed, "up_to_symmetry": up_to_symmetry}
    if known and (published := _published_record(problem, **which)) is not None:
        return published
    settings = CountSettings(limits=limits, on_progress=emit and progress_callback(emit))
    try:
        found = count_problem(problem, **which, settings=settings).to_dict()
    except LimitReached as limit:
        stopped = {"count": None, "reason": str(limit), "source": None, "seconds": round(limit.result.seconds, 6)}
        found = {**problem.to_dict(), "symmetry": problem.symmetry, **which, **stopped}
    return found


def _published_record(problem: Problem, *, directed: bool, up_to_symmetry: bool) -> dict[str, object] | None:
    """Return a published number as a record, or None if there is none or counting is fast."""
    from knightstour.lab.counting.count import look_up
    from knightstour.lab.counting.plan import plan as plan_of

    known = look_up(problem, directed=directed, up_to_symmetry=up_to_symmetry)
    if known is None:
        return None
    forecast = plan_of(problem, up_to_symmetry=up_to_symmetry)
    if not forecast.is_refused and forecast.seconds < _SECONDS_PER_MOMENT:
        return None
    return {**known.to_dict(), "is_published": True}


def estimate(problem: Ends, directed: bool, samples: int, seed: int | None, seconds: float) -> bytes:
    """Return the record of `estimate --json`. Without enough time for an estimate, it has only the reason."""
    from knightstour.lab.counting.estimate import estimate as estimate_of

    try:
        limits = Limits(seconds=seconds)
        found = estimate_of(problem, directed=directed, samples=samples, seed=seed, **as_arguments(limits))
        return to_bytes(found.to_dict())
    except LimitReached as limit:
        unknown: dict[str, Json] = dict.fromkeys(("mean", "standard_error", "log10_mean", "relative_error", "source"))
        unknown |= {"samples": 0, "reason": str(limit), "limited": True}
    return to_bytes({**problem.to_dict(), "directed": directed, **unknown})
