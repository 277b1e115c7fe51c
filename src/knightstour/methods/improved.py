"""A tour with less or more of a statistic: a method finds one, and the rest of the time goes into improving it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from knightstour.model.budget import Budget, Limits
from knightstour.model.conditions import KINDS
from knightstour.model.errors import ProblemError
from knightstour.model.problem import Problem
from knightstour.model.progress import OnProgress
from knightstour.model.result import Result
from knightstour.search.objectives import improve, straight
from knightstour.search.objectives.table import checked_objective


def default_budget(limits: Limits | None, on_progress: OnProgress | None) -> Budget:
    """The budget of a question with an objective: 5 seconds without limits."""
    return Budget(Limits(seconds=improve.DEFAULT_SECONDS) if limits is None else limits, on_progress)


def find_improved(
    ask: Callable[..., Result], problem: Problem, objective: str, method: str, n: int, budget: Budget
) -> Result:
    """The answer of ask(problem, method=..., n=n), its tour improved while the budget lasts.

    Method auto builds large closed tours of straight lines instead, if few turns or crossings are wanted.
    """
    wanted = checked_objective(objective)
    problem.check_takes(f"objective {objective}", "symmetry")
    if problem.symmetry in KINDS:
        names = " or ".join(KINDS[problem.symmetry][0])
        raise ProblemError(f"an improved tour may not stay {problem.symmetry}", help=f"name the symmetry, {names}")
    if n != 1:
        raise ProblemError("an objective is for one tour at a time", help="leave out n, or the objective")
    is_straight = wanted.sign > 0 and wanted.statistic in ("turns", "crossings")
    if method == "auto" and is_straight and not problem.asked and straight.why_not_straight(problem) is None:
        method = "straight"
    if method != "straight":
        improve.check_board(problem.board)
        wanted.check(problem.board, problem.closed)
    result = ask(problem, method=method, n=n)
    if result.tour is None or method == "straight" or budget.is_spent:
        return result
    better = improve.improve(
        result.tour,
        objective,
        closed=problem.closed,
        keep_ends=(problem.start, problem.end) != (None, None),
        symmetry=problem.symmetry,
        rng=result.seed,
        limits=Limits(max(budget.seconds_left, 0.01), budget.limits.nodes),
        on_progress=budget.on_progress,
    )
    tour = better.tour
    if problem.closed and problem.start is not None:
        tour = tour.shifted(tour.order.tolist().index(problem.start_index))
    counters = {**result.counters, "before": better.before, "after": better.after}
    nodes = result.nodes + better.steps
    return replace(result, tours=(tour,), nodes=nodes, seconds=budget.seconds, counters=counters)
