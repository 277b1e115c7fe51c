"""`solve` as the command line uses it: for several tours, and with settings of methods as keywords."""

from __future__ import annotations

from typing import Any

import knightstour as kt
from knightstour.core.methods.solve import SolveSettings, solve_problem
from knightstour.core.model.budget import NO_LIMITS, limits_of
from knightstour.core.model.problem import Question, problem_of
from knightstour.core.model.validation import seed_of

_FIELDS = ("method", "settings", "n", "unique", "workers", "on_tour", "on_progress", "trace")
_GOALS = ("minimize", "maximize", "optimal")
_SEVERAL = {"n", "unique", "on_tour"}


def solve_several(board: Question, **asked: Any) -> kt.Result:
    """Return the result. asked: the arguments of `solve`; n, unique and on_tour; and settings of methods."""
    settings = {name for row in kt.METHODS.values() for name in row.options} | {"proofs"}
    chosen = {name: asked.pop(name) for name in settings & asked.keys()}
    if chosen:
        asked["settings"] = {**asked.get("settings", {}), **chosen}
    if not _SEVERAL & asked.keys():
        return kt.solve(board, **asked)
    fields = {name: asked.pop(name) for name in (*_FIELDS, *_GOALS) if name in asked}
    limits = limits_of(asked.pop("timeout", None), asked.pop("max_nodes", None)) or NO_LIMITS
    seed = seed_of(asked.pop("seed", None))
    return solve_problem(problem_of(board, **asked), SolveSettings(seed=seed, limits=limits, **fields))


def several_tours(board: Question, **asked: Any) -> list[kt.Tour]:
    """Return all tours of `solve_several`."""
    tours: list[kt.Tour] = []

    def take(tour: kt.Tour, is_repeat: bool) -> None:
        if not (is_repeat and asked.get("unique")):
            tours.append(tour)

    solve_several(board, on_tour=take, **asked)
    return tours


def find_with(board: Question, **asked: Any) -> kt.Tour:
    """Return the tour of `solve` for arguments that find_tour does not have; raise the errors of find_tour."""
    result = solve_several(board, **asked)
    if result.tour is None:
        raise kt.NoTour(result) if result.status is kt.Status.IMPOSSIBLE else kt.LimitReached(result)
    return result.tour
