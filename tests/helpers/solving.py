"""`solve` for several tours, as the command line does it."""

from __future__ import annotations

from typing import Any

import knightstour as kt
from knightstour.core.methods.solve import solve_several as search
from knightstour.core.model.budget import NO_LIMITS, limits_of
from knightstour.core.model.problem import Question
from knightstour.core.model.validation import seed_of

_FIELDS = ("method", "settings", "n", "unique", "workers", "on_tour", "on_progress", "trace")
_GOALS = ("minimize", "maximize", "optimal")


def solve_several(board: Question, **asked: Any) -> kt.Result:
    """Return the result for n tours. asked: the arguments of `solve`, n, unique and on_tour."""
    fields = {name: asked.pop(name) for name in (*_FIELDS, *_GOALS) if name in asked}
    limits = limits_of(asked.pop("timeout", None), asked.pop("max_nodes", None)) or NO_LIMITS
    seed = seed_of(asked.pop("seed", None))
    return search(kt.Problem.of(board, **asked), seed=seed, limits=limits, **fields)


def find_with(board: Question, **asked: Any) -> kt.Tour:
    """Return the tour of `solve` for arguments that find_tour does not have; raise the errors of find_tour."""
    result = solve_several(board, **asked)
    if result.tour is None:
        raise kt.NoTour(result) if result.status is kt.Status.IMPOSSIBLE else kt.LimitReached(result)
    return result.tour
