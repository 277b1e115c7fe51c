"""Optimisation of a statistic: a method finds a tour, and local search improves it for the rest of the time.

If optimality must be proved, the proof gets most of the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from knightstour.core.methods.solve import SolveSettings, search
from knightstour.core.model.board import Board
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits
from knightstour.core.model.condition_table import IMAGES
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.errors import ProblemError, check_own_answer
from knightstour.core.model.problem import Problem, check_supported, plural_of, start_index
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result import Result, Status
from knightstour.core.model.tour import tour_of
from knightstour.lab.objectives import by_states, improve, longest, sweep
from knightstour.lab.objectives.table import LONGEST, Objective

# Before the proof: maximum number of steps for a good tour, and its share of the time.
_STEPS_BEFORE, _PART_BEFORE = 1_000_000, 0.25


def default_budget(
    board: Board, limits: Limits | None, on_progress: OnProgress | None, is_best: bool, objective: Objective
) -> Budget:
    """Return the budget of an optimisation; without limits, that of `improve`, or of `solve` with a proof."""
    if objective == LONGEST:
        return longest.default_budget(limits, on_progress, is_best)
    plain = NO_LIMITS if is_best else improve.default_limits(board)
    return Budget(plain if limits is None else limits, on_progress)


def find_best(problem: Problem, settings: SolveSettings, objective: Objective, budget: Budget) -> Result:
    """Return an optimal tour with its proof; UNDECIDED with the best tour found if a limit ends the proof."""
    if objective == LONGEST:
        return longest.find_longest(problem, settings, budget, is_best=True)
    wanted = objective
    prove = _prover(problem, wanted)
    check_supported(problem, "a proof of the best tour")
    wanted.check(problem.board, problem.closed)
    part = budget.part(share=_PART_BEFORE, nodes=_STEPS_BEFORE)
    result = find_improved(problem, settings, objective, part)
    if result.tour is None:
        return result
    budget.spend(part.nodes)
    best, known = result.tour, wanted.of(result.tour, problem.closed)
    proof = prove(problem, wanted, wanted.sign * known, budget)
    if proof.order is not None:
        best = tour_of(problem.board, proof.order)
        known = wanted.of(best, problem.closed)
        if problem.closed and problem.start is not None:
            best = best.shifted(best.order.tolist().index(start_index(problem)))
    bound = wanted.sign * proof.least
    fewer, what = ("fewer" if wanted.sign > 0 else "more"), f"{known} by {wanted.statistic}"
    if not proof.why_stopped:
        check_own_answer(bound == known, f"the optimal tour has {known}, but the bound is {bound}")
        reason = f"no {plural_of(problem).split(' ', 1)[0]} tour has {fewer} than {what}: this one is optimal"
        status, source = Status.FOUND, f"{proof.source}, {proof.states:,} states"
    else:
        reason = f"{proof.why_stopped}: the best tour found has {what}, and none has {fewer} than {bound}"
        status, source = Status.UNDECIDED, ""
    return replace(
        result,
        status=status,
        tour=best,
        reason=reason,
        source=source,
        nodes=result.nodes + proof.states,
        seconds=budget.seconds,
        counters={**result.counters, "after": known, "states": proof.states},
        bound=bound,
        _objective=str(objective),
    )


class _Proof(NamedTuple):
    """Result of a proof.

    order: a better tour, or None. why_stopped: the limit that ended the proof, or "". least: lower bound for all tours.
    """

    order: list[int] | None
    why_stopped: str
    states: int
    least: int
    source: str


def _prover(problem: Problem, wanted: Objective) -> Callable[[Problem, Objective, int, Budget], _Proof]:
    """Raise ProblemError if no algorithm can prove optimality."""
    from knightstour.lab.objectives.best_by_halves import can_prove

    no_states = None
    if by_states.adds_up_over_moves(wanted):
        if can_prove(problem, wanted):
            return _by_halves
        no_states = by_states.why_not_by_states(problem, wanted)
        if no_states is None:
            return _by_states
    why_stopped = sweep.why_not_sweep(problem, wanted)
    if why_stopped is not None:
        help = "omit optimal, or see the page on best tours for supported problems"
        raise ProblemError(no_states or why_stopped, help=help)
    return _by_sweep


def _by_halves(problem: Problem, wanted: Objective, best: int, budget: Budget) -> _Proof:
    from knightstour.lab.objectives.best_by_halves import best_by_halves

    order, why_stopped, states, least = best_by_halves(problem, wanted, budget)
    return _Proof(order, why_stopped, states, least, "all states of both halves")


def _by_states(problem: Problem, wanted: Objective, best: int, budget: Budget) -> _Proof:
    return _Proof(*by_states.best_by_states(problem, wanted, budget), "all states of the frontier")


def _by_sweep(problem: Problem, wanted: Objective, best: int, budget: Budget) -> _Proof:
    swept = sweep.sweep(problem.board, wanted, best, budget)
    why_stopped = ""
    if not swept.is_complete:
        why_stopped = budget.why_stopped() if budget.is_spent else "there are more states than fit into memory"
    return _Proof(swept.order, why_stopped, swept.states, swept.least, "complete sweep")


def find_improved(problem: Problem, settings: SolveSettings, objective: Objective, budget: Budget) -> Result:
    """Return the result of `search`, with its tour improved within the budget."""
    if objective == LONGEST:
        return longest.find_longest(problem, settings, budget, is_best=False)
    wanted = objective
    check_supported(problem, str(objective), IMAGES)
    if problem.symmetry in KINDS:
        names = " or ".join(KINDS[problem.symmetry][0])
        raise ProblemError(f"improvement does not support {problem.symmetry} tours", help=f"use a symmetry: {names}")
    if settings.n != 1:
        raise ProblemError("several tours cannot be improved together", help="omit minimize and maximize, or n")
    improve.check_board(problem.board)
    wanted.check(problem.board, problem.closed)
    result = search(problem, settings)
    if result.tour is None or budget.is_spent:
        return result
    better = improve.improve_tour(
        result.tour,
        objective,
        closed=problem.closed,
        keep_ends=(problem.start, problem.end) != (None, None),
        symmetry=problem.symmetry,
        seed=result.seed,
        limits=budget.remaining_limits(least=0.01),
        on_progress=budget.on_progress,
    )
    tour = better.tour
    if problem.closed and problem.start is not None:
        tour = tour.shifted(tour.order.tolist().index(start_index(problem)))
    counters = {**result.counters, "before": better.before, "after": better.after}
    nodes = result.nodes + better.steps
    return replace(result, tour=tour, nodes=nodes, seconds=budget.seconds, counters=counters)
