"""solve() and find_tour(): one question asked of one method, and its answer checked."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ParamSpec

import numpy as np

from knightstour.machine.sharing import Workers
from knightstour.methods.several import Several
from knightstour.methods.table import checked_method
from knightstour.model.board import Square
from knightstour.model.budget import Budget, Limits
from knightstour.model.errors import LimitReached, MethodError, NoTour, ProblemError
from knightstour.model.problem import Problem, Question
from knightstour.model.progress import OnProgress
from knightstour.model.result import Outcome, Result, Status
from knightstour.model.tour import Tour
from knightstour.model.trace import Trace
from knightstour.model.validation import Randomness, flag, seed_of, whole_number
from knightstour.proofs import arguments
from knightstour.search.objectives import improve, straight
from knightstour.search.objectives.table import checked_objective

OnTour = Callable[[Tour, bool], None]


def solve(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    method: str = "auto",
    rng: Randomness = None,
    limits: Limits | None = None,
    n: int = 1,
    unique: bool = False,
    objective: str | None = None,
    proofs: bool = True,
    workers: Workers = None,
    on_tour: OnTour | None = None,
    on_progress: OnProgress | None = None,
    trace: Trace | None = None,
    **options: Any,
) -> Result:
    """Ask for a tour: the answer is FOUND with a checked tour, IMPOSSIBLE with the reason, or UNDECIDED at a limit.

    board: a Board, a pair (rows, cols), a text like "8x8", or a Problem, which is a whole question.
    closed: whether the tour must end a move from its start. An open tour may happen to do so too.
    start, end: squares, as (row, col) or names like "a1".
    method: the name of a row of METHODS.
    options: the options of that method; METHODS[method].options lists them.
    rng: a seed, a numpy Generator, or None for a random seed. The result names the seed; the same seed gives the same
        tour.
    limits: by default 60 seconds; 5 with an objective.
    n: how many tours. With fewer, `reason` says why.
    unique: whether they must be all different (closed tours as cycles, and open ones without given ends in either
        direction).
    objective: "turns", "crossings", "most-turns" or "most-crossings": what the tour is to have few or many of. What is
        left of the limits goes into improving it; see improve(). n must be 1.
    proofs: whether theorems and arguments that there is none come before any search, whatever the method (a search that
        is traced goes on, and they come after it). False: the method by itself; not for auto and explicit.
    workers: None, a number of processes, or a Dask client. "backtracking" shares its search out among them, with the
        same answer; "portfolio" races several methods in that many processes.
    on_tour: on_tour(tour, is_repeat) is called for each tour as it is found, those that `unique` leaves out too.
    on_progress: called with a Progress every fraction of a second of a long search.
    trace: a Trace, to which the search reports what it does, step by step where the method can be watched. The tour
        is the same, but the search is slow.

    Raises BoardError, ProblemError or MethodError for a question that makes no sense.

    >>> result = solve((4, 8), closed=True)
    >>> result.status, result.source
    (<Status.IMPOSSIBLE: 'impossible'>, 'Schwenk 1991; Cull & De Curtins 1978')
    >>> solve((5, 5), start="a1", end="e5").tour.numbers[0, 0]
    np.int32(...)
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    seed = seed_of(rng)
    if objective is not None:
        asked: dict[str, object] = {"rng": seed, "n": n, "unique": unique, "proofs": proofs, "workers": workers}
        asked |= {"on_progress": on_progress, "trace": trace, **options}
        return _improved(problem, objective, method, limits, on_tour, asked)
    row, options = checked_method(problem, method, options, workers)
    if workers is not None:
        options["workers"] = workers
    if not flag(proofs, "proofs") and row.proves:
        raise MethodError(f"method {method} asks for proofs itself", help="name the method that is to search alone")
    budget = Budget(limits, on_progress, trace)
    wanted = whole_number(n, "the number of tours, n,", least=1)
    several = Several(problem, wanted, flag(unique, "unique"), on_tour, trace)
    proof = _kept_proof(problem) if proofs and not row.proves else None
    budget.tell_stage(method)
    if proof is not None and trace is None:
        several.refuse_single(method, row)
        outcome = replace(proof, counters={})
    else:
        outcome = several.find(method, row, budget, seed, options)
    if proof is not None and outcome.status is Status.UNDECIDED:
        outcome = replace(proof, counters=outcome.counters)
    return Result(
        status=Status.FOUND if several.tours else outcome.status,
        problem=problem,
        tours=tuple(several.tours),
        reason=outcome.reason,
        source=outcome.source,
        method=outcome.method or method,
        seed=seed,
        nodes=budget.nodes,
        seconds=budget.seconds,
        counters=outcome.counters if wanted == 1 else several.totals(),
    )


@functools.lru_cache(maxsize=64)
def _kept_proof(problem: Problem) -> Outcome | None:
    """What is proved of a question, kept for those who ask it again with other seeds."""
    return arguments.known_proof(problem)


def _improved(
    problem: Problem,
    objective: str,
    method: str,
    limits: Limits | None,
    on_tour: OnTour | None,
    asked: dict[str, Any],
) -> Result:
    """The answer of solve(), its tour improved as long as the limits allow; large closed ones are built straight."""
    wanted = checked_objective(objective)
    if asked["n"] != 1:
        raise ProblemError("an objective is for one tour at a time", help="leave out n, or the objective")
    if method == "auto" and wanted.sign > 0 and straight.why_not_straight(problem) is None:
        method = "straight"
    if method != "straight":
        improve.check_board(problem.board)
    on_progress = asked["on_progress"]
    budget = Budget(Limits(seconds=improve.DEFAULT_SECONDS) if limits is None else limits, on_progress)
    result = solve(problem, method=method, limits=limits, **asked)
    if result.tour is not None and method != "straight" and not budget.is_spent:
        better = improve.improve(
            result.tour,
            objective,
            closed=problem.closed,
            keep_ends=(problem.start, problem.end) != (None, None),
            rng=result.seed,
            limits=Limits(max(budget.seconds_left, 0.01), budget.limits.nodes),
            on_progress=on_progress,
        )
        tour = better.tour
        if problem.closed and problem.start is not None:
            tour = tour.shifted(int(np.flatnonzero(tour.order == problem.start_index)[0]))
        counters = {**result.counters, "before": better.before, "after": better.after}
        nodes = result.nodes + better.steps
        result = replace(result, tours=(tour,), nodes=nodes, seconds=budget.seconds, counters=counters)
    if result.tour is not None and on_tour is not None:
        on_tour(result.tour, False)
    return result


_Asked = ParamSpec("_Asked")


def _finding(ask: Callable[_Asked, Result]) -> Callable[[Callable[[Result], Tour]], Callable[_Asked, Tour]]:
    """Decorates what takes a result: it then has the arguments of `ask`, which editors and type checkers see."""

    def decorate(function: Callable[[Result], Tour]) -> Callable[_Asked, Tour]:
        @functools.wraps(ask)
        def find(*args: _Asked.args, **kwargs: _Asked.kwargs) -> Tour:
            return function(ask(*args, **kwargs))

        find.__name__, find.__qualname__, find.__doc__ = function.__name__, function.__qualname__, function.__doc__
        return find

    return decorate


@_finding(solve)
def find_tour(result: Result) -> Tour:
    """The tour that `solve` finds, or an exception: NoTour (proved) or LimitReached (not known).

    The arguments are those of `solve`.

    >>> find_tour((8, 8), closed=True).is_closed
    True
    """
    if result.tour is not None:
        return result.tour
    raise NoTour(result) if result.status is Status.IMPOSSIBLE else LimitReached(result)
