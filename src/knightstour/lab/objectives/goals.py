"""Local search for a tour with statistics in given ranges, on boards with too many tours for a list.

Each statistic out of its range is minimised or maximised until it is in range, one after another, with an occasional
restart from another tour. This finds tours, but cannot prove that none exists.
"""

from __future__ import annotations

from collections.abc import Callable

from knightstour.core.methods.table import METHODS
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import (
    Problem,
    checked_conditions,
    condition_names,
    replace_conditions,
    start_index,
)
from knightstour.core.model.result import Outcome, Status, undecided
from knightstour.core.model.tour import Tour, tour_of
from knightstour.core.search.listing import Order, TourList
from knightstour.core.statistics.measure import measure
from knightstour.core.statistics.table import statistic_named
from knightstour.lab.counting.listed import estimated_tours, nodes_without_limit, why_refused
from knightstour.lab.objectives import quartes
from knightstour.lab.objectives.improve import improve_tour
from knightstour.lab.objectives.longest_where import find_uncrossed, squares_of_uncrossed
from knightstour.lab.objectives.table import Objective
from knightstour.lab.objectives.worth import has_worth

# On smaller boards all tours are listed, unless there are too many.
_MAX_SQUARES_LISTED = 36
# Steps for one statistic to reach its range, and number of attempts before a restart.
_STEPS, _TURNS = 500_000, 6


def search_of(problem: Problem) -> Callable[[Problem, Budget, int], Outcome] | None:
    """Return a search for such tours on a larger board, within a family or by improvement, or None."""
    if squares_of_uncrossed(problem) is not None:
        return find_uncrossed
    if problem.partial or "where" not in condition_names(problem):
        return None
    if square_count(problem.board) <= _MAX_SQUARES_LISTED and nodes_without_limit(problem) is None:
        return None
    if quartes.why_not_quartes(problem) is None:
        return quartes.quartes
    is_improved = all(has_worth(statistic_named(name)) for name, _, _ in _ranges(problem))
    return _find if is_improved and not condition_names(replace_conditions(problem, where=None)) else None


def nodes_of_list(problem: Problem) -> int | None:
    """Return the default node limit of a search through a list; None for lists that can be completed."""
    is_all = "where" in condition_names(problem) and not lists_family(problem)
    return nodes_without_limit(problem) if is_all else None


def why_list_is_long(problem: Problem) -> str:
    """Return the reason why not all tours were listed, as the end of a sentence, or ""."""
    tours = 0.0 if lists_family(problem) else estimated_tours(problem)
    return f"; {why_refused(tours)}" if tours else ""


def lists_family(problem: Problem) -> bool:
    """Whether a family of such tours is listed instead of all tours."""
    return bool(checked_conditions(problem)) and not problem.partial and quartes.why_not_quartes(problem) is None


def family_of(problem: Problem, budget: Budget, directed: bool) -> TourList[Order] | None:
    """Return the list of a family of such tours, if listing all tours is infeasible; it does not check ranges."""
    if not lists_family(problem):
        return None
    family = quartes.QuarteTours(problem, budget, directed)
    reason = lambda: family.reason if family.is_complete else ""  # noqa: E731
    return TourList(iter(family), lambda: family.is_complete, lambda: None, reason, "quartes")


def _find(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Return UNDECIDED at a limit."""
    budget.tell_stage("improve")
    plain, attempt, nearest = replace_conditions(problem, where=None), 0, ""
    while not budget.is_spent:
        part = budget.part()
        first = METHODS["auto"].run_on(plain, part, seed + attempt)
        budget.spend(part.nodes)
        if first.order is None:
            return first
        tour = tour_of(problem.board, first.order)
        for turn in range(_TURNS):
            objective = _violated_range(problem, tour, turn)
            if objective is None:
                return Outcome(Status.FOUND, _from_start(problem, tour).order, method="auto")
            tour, nearest = _improve(problem, tour, objective, budget, seed + attempt)
            if budget.is_spent:
                break
        else:
            attempt += 1
            continue
        if _violated_range(problem, tour, 0) is None:
            return Outcome(Status.FOUND, _from_start(problem, tour).order, method="auto")
    return undecided(budget.why_stopped() + nearest)


def _ranges(problem: Problem) -> tuple[tuple[str, int, int], ...]:
    found: tuple[tuple[str, int, int], ...] = problem.where
    return found


def _violated_range(problem: Problem, tour: Tour, turn: int) -> tuple[Objective, int] | None:
    """Return a violated range as an objective and a goal, or None. turn: alternates ranges."""
    ranges = _ranges(problem)
    found = measure(tour, [name for name, _, _ in ranges], closed=problem.closed)
    wrong = [
        (Objective(name, 1), most) if found[name][0] > most else (Objective(name, -1), least)
        for name, least, most in ranges
        if not least <= found[name][0] <= most
    ]
    return wrong[turn % len(wrong)] if wrong else None


def _improve(
    problem: Problem, tour: Tour, wanted: tuple[Objective, int], budget: Budget, seed: int
) -> tuple[Tour, str]:
    """Return the tour after some steps towards a goal, and its value as text."""
    objective, goal = wanted
    left = budget.remaining_limits(least=0.01)
    nodes = _STEPS if left.nodes is None else min(_STEPS, left.nodes)
    better = improve_tour(
        tour,
        objective,
        closed=problem.closed,
        keep_ends=(problem.start, problem.end) != (None, None),
        goal=goal,
        seed=seed,
        limits=Limits(left.seconds, max(1, nodes)),
        on_progress=budget.on_progress,
    )
    budget.spend(better.steps)
    return better.tour, f"; the last tour has {objective.statistic}={better.after}"


def _from_start(problem: Problem, tour: Tour) -> Tour:
    """Rotate a closed tour to the required start."""
    if not problem.closed or problem.start is None:
        return tour
    return tour.shifted(tour.order.tolist().index(start_index(problem)))
