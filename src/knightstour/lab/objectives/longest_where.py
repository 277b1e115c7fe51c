"""Objective "maximize visits" with ranges of statistics, and uncrossed tours of any length.

Uncrossed tours are lengthened (lengthening.py), also after sweeps that keep few states (uncrossed_beam.py). A sweep
over all states proves the maximum length and counts the tours of that length (uncrossed_sweep.py). For other ranges,
for given ends, and if the longest tour exceeds the range, all tours are listed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.problem import Problem, checked_conditions, plural_of, without_checked
from knightstour.core.model.result import Outcome, Result, Status, exhausted, found, impossible, undecided
from knightstour.core.model.unvisited import answer_of, order_on
from knightstour.core.proofs.facts import colour_classes, most_squares
from knightstour.core.search.listing import list_tours
from knightstour.lab.objectives.lengthening import Lengthening, first_uncrossed
from knightstour.lab.objectives.uncrossed_beam import Beam
from knightstour.lab.objectives.uncrossed_sweep import sweep, why_not_sweep

_SWEPT = "a sweep over all states of uncrossed tours"
# Share of the limits for a tour before the proof, and maximum steps of that search per squared number of squares. A
# tour that is too short at least doubles the cost of the proof.
_PART_BEFORE, _STEPS_BEFORE = 0.1, 20
# Steps of the first lengthening; the number doubles in each repetition.
_FIRST_STEPS = 4000


def squares_of_uncrossed(problem: Problem) -> tuple[int, int] | None:
    """Return the range of the number of squares of uncrossed tours; None if there are other conditions.

    >>> squares_of_uncrossed(Problem("8x8", partial=True, where={"crossings": 0, "visits": "20..30"}))
    (20, 30)
    """
    ranges = {name: (least, most) for name, least, most in problem.where}
    if not problem.partial or ranges.pop("crossings", (0, 1))[1] > 0:
        return None
    least, most = ranges.pop("visits", (0, square_count(problem.board)))
    return None if ranges else (least, most)


def _kind(problem: Problem) -> str:
    return plural_of(without_checked(problem)).split(" ", 1)[0]


def _noun(problem: Problem) -> str:
    return f"uncrossed {_kind(problem)} tour"


def find_uncrossed(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Find an uncrossed tour with a number of squares in the range, or the reason why none exists."""
    bound, source = most_squares(problem)
    least, most = squares_of_uncrossed(problem) or (0, bound)
    if least > bound:
        return impossible(f"no {_kind(problem)} tour visits more than {bound} squares", source)
    if problem.closed and colour_classes(problem.board) is not None and least == most and least % 2:
        return impossible("moves change colour, so a closed tour visits an even number of squares", "colour argument")
    before = budget.nodes
    order, is_none = first_uncrossed(problem, budget)
    if is_none:
        return impossible(*exhausted(budget.nodes - before))
    if order is None:
        return undecided(budget.why_stopped())
    if len(order) > most:
        return impossible(
            f"the shortest {_noun(problem)} visits {len(order)} squares", _all_nodes(budget.nodes - before)
        )
    part = _budget_before_proof(problem, budget)
    order = _lengthen(problem, order, seed, most, part, least)
    budget.spend(part.nodes)
    if len(order) >= least:
        return found(order)
    return _prove(problem, least, most, budget)


def _budget_before_proof(problem: Problem, budget: Budget) -> Budget:
    return budget.part(share=_PART_BEFORE, nodes=_STEPS_BEFORE * square_count(problem.board) ** 2)


def _lengthen(problem: Problem, order: list[int], seed: int, most: int, budget: Budget, goal: int) -> list[int]:
    """Lengthen an uncrossed tour alternately by lengthening and by beams."""
    search, beam, steps = Lengthening(problem, order, seed, most), Beam(problem, seed), _FIRST_STEPS
    while not budget.is_spent:
        part = budget.part(nodes=steps if beam.may_find else None)
        is_long = search.run(part, goal)
        budget.spend(part.nodes)
        if is_long or not beam.may_find:
            break
        pairs = beam.find(budget)
        if len(search.best) < len(pairs) + (not problem.closed) <= most:
            search = Lengthening(problem, _order_of(problem, pairs), seed, most)
        steps *= 2
    return search.best


def _all_nodes(nodes: int) -> str:
    return exhausted(nodes)[1]


def _prove(problem: Problem, least: int, most: int, budget: Budget) -> Outcome:
    """Find an uncrossed tour in a range or prove that none exists, by a sweep or else by a list."""
    if why_not_sweep(problem) is None:
        swept = sweep(problem, least - (not problem.closed), budget)
        if swept.why_stopped:
            return undecided(swept.why_stopped)
        if not swept.length:
            return impossible(f"no {_noun(problem)} visits {least} squares or more", f"{_SWEPT}, {swept.states:,}")
        order = _order_of(problem, swept.pairs)
        if len(order) <= most:
            return found(order)
    listing = list_tours(problem, budget, directed=False)
    for each in listing:
        return found(each)
    if not listing.is_complete:
        return undecided(budget.why_stopped())
    return impossible(listing.reason, _all_nodes(budget.nodes))


def _order_of(problem: Problem, pairs: list[tuple[int, int]]) -> list[int]:
    near: dict[int, list[int]] = {}
    for a, b in pairs:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    ends = [square for square, others in near.items() if len(others) == 1]
    order = [min(ends or near)]
    while len(order) < len(near):
        order.append(next(square for square in near[order[-1]] if square not in order[-2:]))
    return order


class Best(NamedTuple):
    """The longest tour found, and a bound.

    order: squares of the tour. bound: upper bound for all tours. ways: number of tours of that length, if known.
    why_stopped: the limit that ended the proof, or "".
    """

    order: list[int]
    bound: int
    ways: int | None = None
    source: str = ""
    why_stopped: str = ""
    states: int = 0


def longest_where(problem: Problem, result: Result, budget: Budget, *, is_best: bool, objective: str) -> Result:
    """Return the result with the longest tour whose statistics are in their ranges. result: contains a first tour."""
    assert result.tour is not None
    order = order_on(problem.board, result.tour).tolist()
    bound, why = most_squares(problem)
    visits = [most for name, _, most in problem.where if name == "visits"]
    if visits and visits[0] < bound:
        bound, why = visits[0], "definition"
    if squares_of_uncrossed(problem) is None:
        best = _longest_in_list(problem, order, bound, budget)
    else:
        part = _budget_before_proof(problem, budget) if is_best else budget
        order = _lengthen(problem, order, result.seed, bound, part, bound)
        if is_best:
            budget.spend(part.nodes)
        best = Best(order, bound, source=why)
        if is_best and (len(order) < bound or not visits):
            counted = _best_uncrossed(problem, order, bound, budget)
            best = best if counted.why_stopped and len(order) == bound else counted
    return final_result(problem, result, budget, best, is_best=is_best, objective=objective)


def _best_uncrossed(problem: Problem, order: list[int], bound: int, budget: Budget) -> Best:
    if why_not_sweep(problem) is not None:
        return _longest_in_list(problem, order, bound, budget)
    swept = sweep(problem, len(order) - (not problem.closed), budget, is_known=True)
    if swept.why_stopped:
        return Best(order, bound, why_stopped=swept.why_stopped, states=swept.states)
    longest = _order_of(problem, swept.pairs) if swept.pairs else order
    if len(longest) > bound:
        return _longest_in_list(problem, order, bound, budget)
    return Best(longest, len(longest), swept.ways, _SWEPT, states=swept.states)


def _longest_in_list(problem: Problem, order: list[int], bound: int, budget: Budget) -> Best:
    """List all tours, and return the longest."""
    listing, ways, before = list_tours(problem, budget, directed=False), 0, budget.nodes
    for each in listing:
        if len(each) > len(order):
            order, ways = [int(square) for square in each], 1
        elif len(each) == len(order):
            ways += 1
    nodes = budget.nodes - before
    if listing.is_complete:
        return Best(order, len(order), ways, _all_nodes(nodes), states=nodes)
    return Best(order, bound, why_stopped=budget.why_stopped(), states=nodes)


def final_result(
    problem: Problem, result: Result, budget: Budget, best: Best, *, is_best: bool, objective: str
) -> Result:
    """Return the result with the best tour. is_best: whether a proof of optimality was requested."""
    count = len(best.order)
    check_own_answer(count <= best.bound, f"a tour of {count} squares exceeds the bound of {best.bound}")
    words = f"{count} of {square_count(problem.board)} squares"
    status, reason, source = Status.FOUND, f"it visits {words}", ""
    if count == best.bound and not best.why_stopped:
        conditions = str(problem)[str(problem).index(" with ") :] if checked_conditions(problem) else ""
        same = "" if best.ways is None else ", the only one" if best.ways == 1 else f", one of {best.ways:,}"
        reason = f"no {_kind(problem)} tour{conditions} visits more than {words}: this one is optimal{same}"
        source = best.source
    elif is_best:
        status = Status.UNDECIDED
        why_stopped = best.why_stopped or budget.why_stopped()
        reason = f"{why_stopped}: the longest tour found visits {words}, and none visits more than {best.bound}"
    ways = {"ways": best.ways} if source and best.ways is not None else {}
    return replace(
        result,
        status=status,
        tour=answer_of(problem, best.order),
        reason=reason,
        source=source,
        nodes=budget.nodes,
        seconds=budget.seconds,
        counters={**result.counters, "squares": count, "states": best.states, **ways},
        bound=best.bound,
        _objective=objective if is_best else "",
    )
