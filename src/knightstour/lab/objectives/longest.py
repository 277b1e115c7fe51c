"""Objective "maximize visits": a tour that skips as few squares as possible (partial=True), with proof if requested.

First an upper bound: a tour stays in one part of the board, and alternates colours if moves change colour. A tour that
reaches the bound is optimal. Otherwise a search lengthens a tour (lengthening.py). With
`optimal`, the states of the frontier then yield the maximum: with keys and the tour itself, or on boards of up to 8
columns in an array (lab/counting/matchings.py) without the tour. In the latter case the search continues until it
reaches the maximum.

Cost: about 6 us per step of the search, so 20x20 with holes needs a second or two.
"""

from __future__ import annotations

import random
from dataclasses import replace

from knightstour.core.methods.solve import SolveSettings, search
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits
from knightstour.core.model.condition_table import LISTED, MOVES, PARTIAL
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem, check_supported, checked_conditions, condition_names, replace_fields
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.reduced import reduce_problem
from knightstour.core.model.result import Result
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.unvisited import order_on
from knightstour.core.proofs.facts import most_squares
from knightstour.core.search.frontier.marching import why_too_wide
from knightstour.core.search.frontier.plan import make_plan
from knightstour.lab.objectives.by_states import cheapest_tour
from knightstour.lab.objectives.lengthening import Lengthening
from knightstour.lab.objectives.longest_along_arcs import longest_along_arcs
from knightstour.lab.objectives.longest_where import Best, final_result, longest_where
from knightstour.lab.objectives.table import LONGEST

# Default steps of the search, and steps before a proof; nodes of the search for a tour of all squares.
_STEPS, _STEPS_BEFORE, _ALL_NODES = 200_000, 60_000, 200_000
# Above these sizes there are too many states with keys.
_MAX_SLOTS, _MAX_SQUARES_BY_KEYS = 16, 25
# Approximate factor of the number of states per slot; without `optimal`, a search over more states than the second
# number times the node limit is not started.
_TIMES_PER_SLOT, _UNEVEN = 2.4, 3
# Maximum number of squares to remove at random for a tour of the others, and numbers of tries at first and at the end.
_MAX_LEFT, _TRIES, _TRIES_AFTER = 3, 12, 300
_STATES = "all states of the frontier"


def default_budget(limits: Limits | None, on_progress: OnProgress | None, is_best: bool) -> Budget:
    """Return the budget; without limits, a second or two, and no limit for a proof."""
    plain = NO_LIMITS if is_best else Limits(seconds=None, nodes=_STEPS)
    return Budget(plain if limits is None else limits, on_progress)


def find_longest(problem: Problem, settings: SolveSettings, budget: Budget, *, is_best: bool) -> Result:
    """Return the longest tour found; with `optimal` its proof, or UNDECIDED with an upper bound."""
    if not problem.partial:
        help = "add partial=True (--partial)"
        raise ProblemError(f"{LONGEST} requires partial=True: other tours visit all squares", help=help)
    check_supported(problem, str(LONGEST), PARTIAL, MOVES, LISTED)
    if settings.n != 1:
        raise ProblemError("several tours cannot be improved together", help="omit maximize, or n")
    if settings.method != "auto":
        raise ProblemError(f"method {settings.method} does not support {LONGEST}", help="omit the method")
    result = search(problem, settings)
    if result.tour is None:
        return replace(result, _objective=str(LONGEST) if is_best else "")
    if checked_conditions(problem):
        return longest_where(problem, result, budget, is_best=is_best, objective=str(LONGEST))
    if problem.board.is_directed:
        best = longest_along_arcs(problem, result.seed, budget, order_on(problem.board, result.tour).tolist())
        return final_result(problem, result, budget, best, is_best=is_best, objective=str(LONGEST))
    bound, why = most_squares(problem)
    order = order_on(problem.board, result.tour).tolist()
    found = _find_nearly_complete(problem, settings, bound, result.seed)
    if found is None and not is_best:
        exact = _by_narrow_states(problem, budget)
        if exact is not None:
            return final_result(problem, result, budget, exact, is_best=False, objective=str(LONGEST))
    lengthening = Lengthening(problem, found or order, result.seed, bound, may_cross=True)
    part = budget.part(nodes=_STEPS_BEFORE) if is_best else budget
    lengthening.run(part, bound)
    if is_best:
        budget.spend(part.nodes)
    best = Best(lengthening.best, bound, source=why)
    if is_best and len(lengthening.best) < bound:
        best = _prove(problem, settings, lengthening, budget, best)
    return final_result(problem, result, budget, best, is_best=is_best, objective=str(LONGEST))


def _find_nearly_complete(
    problem: Problem, settings: SolveSettings, bound: int, seed: int, *, tries: int = _TRIES
) -> list[int] | None:
    """Search for a tour that reaches the bound, without some random squares."""
    board, less = problem.board, square_count(problem.board) - bound
    if less > _MAX_LEFT or (less and (not isinstance(board, GridBoard) or condition_names(problem))):
        return None
    kept = {problem.start, problem.end}
    squares = [square for square in board.squares if square not in kept] if less else []
    chance = random.Random(seed)
    for _ in range(tries if less else 1):
        left = chance.sample(squares, less)
        fewer = board.replace(holes=[*board.holes, *left]) if left and isinstance(board, GridBoard) else board
        others = replace_fields(problem, partial=False, board=fewer)
        limits = Limits(seconds=None, nodes=_ALL_NODES // (20 if less else 1))
        found = search(others, settings._replace(limits=limits))
        if found.tour is not None:
            order: list[int] = found.tour.order.tolist()
            return order
    return None


def _by_narrow_states(problem: Problem, budget: Budget) -> Best | None:
    """Find the longest tour by all states of the frontier, or None if there are many."""
    plan = make_plan(problem)
    if plan.slots > _MAX_SLOTS or why_too_wide(plan) is not None:
        return None
    states = sum(_TIMES_PER_SLOT ** mask.bit_count() for mask in plan.present)
    part = budget.part(share=0.5, nodes=max(1, budget.nodes_left(2 * _STEPS) // 2))
    if states > _UNEVEN * part.nodes_left(_STEPS):
        return None
    best = _by_keys(problem, part)
    budget.spend(part.nodes)
    return best if best.order else None


def _by_keys(problem: Problem, budget: Budget) -> Best:
    """Find the longest tour by states with keys; no tour at a limit."""
    graph = reduce_problem(problem)
    moves = move_graph(graph.problem.board)
    costs = dict.fromkeys(zip(moves.tails.tolist(), moves.targets.tolist(), strict=True), -1)
    proof = cheapest_tour(graph.problem, costs, budget, -square_count(problem.board))
    if proof.order is None:
        return Best([], 0, why_stopped=proof.why_stopped, states=proof.states)
    order = graph.order(proof.order).tolist()
    return Best(order, len(order), source=_STATES, states=proof.states)


def _prove(problem: Problem, settings: SolveSettings, lengthening: Lengthening, budget: Budget, longest: Best) -> Best:
    """Return the maximum, as far as it is proved."""
    from knightstour.lab.counting import matchings

    plan = make_plan(problem)
    why_stopped = str(matchings.why_not_longest(problem) or "")
    is_small = square_count(problem.board) <= _MAX_SQUARES_BY_KEYS or bool(why_stopped)
    if is_small and plan.slots <= _MAX_SLOTS and why_too_wide(plan) is None:
        best = _by_keys(problem, budget)
        return best if best.order else longest._replace(why_stopped=best.why_stopped, states=best.states)
    if why_stopped:
        return longest._replace(why_stopped=why_stopped)
    try:
        most, states = matchings.most_squares(problem, budget)
    except LimitReached:
        return longest._replace(why_stopped=budget.why_stopped())
    found = _find_nearly_complete(problem, settings, most, states, tries=_TRIES_AFTER)
    if found is None:
        lengthening.run(budget, most)
        found = lengthening.best
    why_stopped = budget.why_stopped() if len(found) < most else ""
    return Best(found, most, source=_STATES, why_stopped=why_stopped, states=states)
