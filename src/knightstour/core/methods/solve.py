"""solve() and find_tour(): run one method on one problem, and check its result."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Unpack

from knightstour.core.machine.sharing import checked_workers
from knightstour.core.methods.several import OnTour, TourSearch
from knightstour.core.methods.table import Method, checked_method
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Square
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits, limits_of
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.condition_table import Conditions
from knightstour.core.model.deadline import DeadlineError
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.lazy import load_function
from knightstour.core.model.literals import ChosenStatistic, MethodName, StatisticName
from knightstour.core.model.problem import Problem, Question, problem_for
from knightstour.core.model.progress import OnProgress, log_result
from knightstour.core.model.result import Outcome, Result, Status, undecided
from knightstour.core.model.result_errors import LimitReached, NoTour
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import Trace
from knightstour.core.model.validation import Seed, flag, seed_of, wrong_type

if TYPE_CHECKING:
    from knightstour.core.machine.sharing import Workers
    from knightstour.lab.objectives.table import Objective


class SolveSettings(NamedTuple):
    """Checked arguments of `solve` besides the problem, and those of the command line for several tours.

    Attributes:
        limits: None: the default limits of a Budget, or those of improve().
        n, unique: Number of tours, and whether they are distinct.
        on_tour: Callback with each tour, and whether it is a repeat.
    """

    method: str = "auto"
    settings: Mapping[str, object] = MappingProxyType({})
    seed: int = 0
    limits: Limits | None = None
    minimize: str | None = None
    maximize: str | None = None
    optimal: bool = False
    n: int = 1
    unique: bool = False
    workers: Workers = None
    on_tour: OnTour | None = None
    on_progress: OnProgress | None = None
    trace: Trace | None = None

    def proofs_and_options(self) -> tuple[bool, dict[str, object]]:
        """Return whether proofs precede the search, and the options of the method."""
        options = {**self.settings}
        return flag(options.pop("proofs", True), "proofs"), options


@with_hints
def solve(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    method: MethodName = "auto",
    settings: Mapping[str, object] | None = None,
    seed: Seed = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    minimize: StatisticName | ChosenStatistic | None = None,
    maximize: StatisticName | ChosenStatistic | None = None,
    optimal: bool = False,
    workers: Workers = None,
    trace: Trace | None = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> Result:
    """Search for a tour of a board, or prove that none exists.

    Args:
        board: A Board, a pair (rows, cols), a string like "8x8", or a Problem, which includes the conditions.
        closed: Whether the tour must end a move from its start. An open tour may end there too.
        start, end: Squares, as (row, col) or names like "a1".
        partial: Whether the tour may omit squares; it makes at least one move. Omitted squares are holes of
            `result.tour.board`. The tour found may be short.
        given: square -> its step in the tour, from 1, or possible steps: {"a1": 1, "c5": range(16, 20), "d7":
            "30..40"}.
        require, forbid: Moves that the tour must, or must not, make: pairs of squares, or strings like "a1-b3".
        symmetry: A symmetry of the board that maps the tour to itself: "180", "90", "vertical" or "horizontal"; or a
            kind: "Eulerian", "Bergholtian", "birotary", "Sulian" or "Murraian" (docs/glossary.md).
        visit_order: Squares to visit in this order, at any steps: ["a1", "c5", "h8"]. The first and the last are the
            ends of an open tour, unless start or end is given. In a closed tour the order is cyclic, in either
            direction.
        where: Ranges of statistics: {"turns": (45, 47), "crossings": 0}.
        method: A name of METHODS.
        settings: Settings of the method, by name; see METHODS[method].options. proofs=False disables theorems and
            arguments before a search; the methods auto and explicit do not support it.
        seed: An integer, a random generator, or None for a random seed. The same seed gives the same tour; the result
            contains it.
        timeout, max_nodes: Limits of the search, in seconds and search steps (default: none, or those of improve() with
            minimize or maximize unless optimal is set).
        minimize, maximize: A name of STATISTICS, such as "turns", or chosen squares or moves, as in "inside=a1..d4".
            The method finds a tour, which is improved for the rest of the time; see improve().
        optimal: Whether to prove that the tour is optimal (minimize, maximize). FOUND then means that no tour is
            better, and `reason` and `source` contain the proof; UNDECIDED has the best known tour, and `bound` is the
            proved bound. Supported for sums over moves, and for closed tours over corners or crossings.
        workers: None, a number of processes, or a Dask client. "backtracking" shares its search among them;
            "portfolio" runs several methods in parallel.
        on_progress: Callback with a Progress every fraction of a second.
        trace: A Trace for the steps of the search, if the method supports it. The search is then slow.

    Returns:
        A Result with the status FOUND and a checked tour, IMPOSSIBLE and the reason, or UNDECIDED at a limit.

    Raises:
        BoardError, ProblemError: If an argument is invalid.

    >>> result = solve((4, 8), closed=True)
    >>> result.status, result.source
    (<Status.IMPOSSIBLE: 'impossible'>, 'Schwenk 1991; Cull & De Curtins 1978')
    >>> tour = solve((5, 5), start="a1", end="e5").tour
    >>> tour.start, tour.end
    ((4, 0), (0, 4))
    """
    problem = problem_for(solve, board, closed, start, end, conditions)
    is_best = flag(optimal, "optimal")
    is_improved = (minimize is not None or maximize is not None) and not is_best
    return solve_problem(
        problem,
        SolveSettings(
            method,
            {} if settings is None else checked_settings(settings),
            seed_of(seed),
            limits_of(timeout, max_nodes) or (None if is_improved else NO_LIMITS),
            minimize,
            maximize,
            is_best,
            workers=workers,
            on_progress=on_progress,
            trace=trace,
        ),
    )


@with_hints
def find_tour(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    method: MethodName = "auto",
    seed: Seed = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    **conditions: Unpack[Conditions],
) -> Tour:
    """Return a tour of a board.

    The arguments are as for `solve`, with the conditions partial, given, require, forbid, symmetry, visit_order and
    where.

    Raises:
        NoTour: If it is proved that none exists.
        LimitReached: If a limit ends the search.
        BoardError, ProblemError: If an argument is invalid.

    >>> find_tour((8, 8), closed=True).is_closed
    True
    """
    problem = problem_for(find_tour, board, closed, start, end, conditions)
    limits = limits_of(timeout, max_nodes) or NO_LIMITS
    result = solve_problem(problem, SolveSettings(method, seed=seed_of(seed), limits=limits))
    if result.tour is not None:
        return result.tour
    raise NoTour(result) if result.status is Status.IMPOSSIBLE else LimitReached(result)


def checked_settings(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings as a dict. Raises ProblemError."""
    if not isinstance(settings, Mapping):
        raise wrong_type("settings", "a dict", settings, help='use settings={"proofs": False}')
    return {**settings}


def solve_problem(problem: Problem, settings: SolveSettings) -> Result:
    """Search for tours by `search`; for a directed graph on another graph, and with an objective improve the tour."""
    objective = None
    if settings.minimize is not None or settings.maximize is not None:
        from knightstour.lab.objectives.table import objective_of

        objective = objective_of(settings.minimize, settings.maximize)
    if problem.board.is_directed and not problem.partial:
        from knightstour.core.methods.one_way import solve_along_arcs

        return solve_along_arcs(problem, settings)
    if objective is not None:
        return _improve(problem, settings, objective)
    if settings.optimal:
        raise ProblemError("optimal requires minimize or maximize", help='use minimize="turns"')
    return search(problem, settings)


def _improve(problem: Problem, settings: SolveSettings, objective: Objective) -> Result:
    from knightstour.lab.objectives.optimize import default_budget, find_best, find_improved

    is_best, on_tour = settings.optimal, settings.on_tour
    budget = default_budget(problem.board, settings.limits, settings.on_progress, is_best, objective)
    find = find_best if is_best else find_improved
    result = find(problem, settings._replace(on_tour=None), objective, budget)
    if result.tour is not None:
        confirm_answer(problem, result.tour, str(objective))
    words = f"{result.status.value}, {problem}, {objective}"
    log_result("solve", words, result.method, settings.seed, result.seconds)
    if result.tour is not None and on_tour is not None:
        on_tour(result.tour, False)
    return result


def search(problem: Problem, settings: SolveSettings) -> Result:
    """Run one method, after proofs, until there are enough tours. The objective is ignored."""
    method, trace = settings.method, settings.trace
    proofs, chosen = settings.proofs_and_options()
    row, options = checked_method(problem, method, chosen, checked_workers(settings.workers))
    if settings.workers is not None:
        options["workers"] = settings.workers
    tours = TourSearch(
        problem,
        method,
        row,
        settings.n,
        settings.unique,
        settings.on_tour,
        trace,
        is_limited=settings.limits not in (None, NO_LIMITS),
    )
    # The module is imported before the time limit starts.
    load_function(row.run)
    budget = Budget(settings.limits, settings.on_progress, trace)
    if trace is not None:
        trace.board = problem.board
    proof = outcome = None
    try:
        with budget.keeping_deadline():
            outcome = proof = _proof_before(problem, method, row, proofs)
            budget.tell_stage(method)
            # A traced search runs even if there is a proof, since the user wants to see its steps.
            if proof is None or trace is not None:
                outcome = tours.find(budget, settings.seed, options)
    except DeadlineError:
        outcome = undecided(budget.why_stopped())
    assert outcome is not None
    if proof is not None and outcome.status is Status.UNDECIDED:
        outcome = replace(proof, counters=outcome.counters)
    result = Result(
        status=Status.FOUND if tours.found else outcome.status,
        problem=problem,
        tour=tours.found[0] if tours.found else None,
        reason=outcome.reason,
        source=outcome.source,
        method=outcome.method or method,
        seed=settings.seed,
        nodes=budget.nodes,
        seconds=budget.seconds,
        counters=outcome.counters if tours.wanted == 1 else tours.totals(),
    )
    log_result("solve", f"{result.status.value}, {problem}", result.method, settings.seed, result.seconds)
    return result


def _proof_before(problem: Problem, method: str, row: Method, proofs: bool) -> Outcome | None:
    if row.proves:
        if not proofs:
            raise ProblemError(f"method {method} consists of proofs", help="use a method that searches")
        return None
    proof = _kept_proof(problem) if proofs else None
    return None if proof is None else replace(proof, counters={})


@functools.lru_cache(maxsize=64)
def _kept_proof(problem: Problem) -> Outcome | None:
    from knightstour.core.proofs.arguments import known_proof

    return known_proof(problem)
