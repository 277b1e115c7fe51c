"""Lists of all tours of a problem, for all conditions.

Tours without conditions, or with required and forbidden moves, are listed in the order of backtracking. With given
numbers they are numberings, each listed once from its step 1, in the order of the search. Symmetric tours follow the
order of the tours of the quotient. Tours along arcs follow the order of the undirected graph that is searched. All
other conditions are checked for each tour of the list without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from knightstour.core.machine.sharing import Workers
from knightstour.core.model.budget import Budget
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.condition_table import MOVES, STEPS
from knightstour.core.model.problem import (
    Problem,
    check_supported,
    checked_conditions,
    condition_names,
    has_given_end,
    is_numbered,
    is_too_small,
    replace_conditions,
    without_checked,
)
from knightstour.core.model.reduced import reduce_problem
from knightstour.core.search.backtracking import Search
from knightstour.core.search.conditioned import check_order, check_plain
from knightstour.core.search.shared_backtracking import SharedOrders, list_orders

Order = Sequence[int] | np.ndarray
T = TypeVar("T")


class TourList(Generic[T]):
    """Iterator over tours, each as square numbers from its start, or over numbers of tours.

    Args:
        is_complete: Whether all were listed; if False there may be more.
        method: Name of the method that finds them, if it covers only a family of tours.
    """

    def __init__(
        self,
        orders: Iterator[T],
        is_complete: Callable[[], bool],
        close: Callable[[], None],
        reason: Callable[[], str] = str,
        method: str = "",
    ) -> None:
        self._orders, self._is_complete, self.close, self._reason = orders, is_complete, close, reason
        self.method = method

    @property
    def reason(self) -> str:
        """Reason why no tour was found, or why there may be more although no limit was reached; else ""."""
        return self._reason()

    @property
    def is_complete(self) -> bool:
        """Whether all tours were listed."""
        return self._is_complete()

    def __iter__(self) -> TourList[T]:
        return self

    def __next__(self) -> T:
        return next(self._orders)


def list_tours(
    problem: Problem,
    budget: Budget,
    seed: int = 0,
    *,
    directed: bool = True,
    move_order: str = "classic",
    prune: str | Sequence[str] = "all",
    workers: Workers = None,
) -> TourList[Order]:
    """Return a lazy list of all tours; for arguments see `Search`, for workers `iter_tours`.

    >>> len(list(list_tours(Problem((3, 4), given={"a3": 1, "c2": [2, 4, 6, 8, 10, 12]}), Budget())))
    2
    """
    if problem.board.is_directed and not problem.partial:
        from knightstour.core.model.one_way import both_ways

        made = both_ways(problem)
        if is_too_small(problem):
            return TourList(iter(()), lambda: True, _nothing_to_end)
        arcs = list_tours(
            made.problem, budget, seed, directed=False, move_order=move_order, prune=prune, workers=workers
        )
        return TourList(map(made.order, arcs), lambda: arcs.is_complete, arcs.close)
    if checked_conditions(problem):
        from knightstour.core.statistics.where import Sieve, numbers_matter
        from knightstour.lab.objectives.goals import family_of

        how: dict[str, Any] = {"directed": directed, "move_order": move_order, "prune": prune, "workers": workers}
        family = family_of(problem, budget, directed)
        each = family or _checked_list(problem, budget, seed, how)
        numbered = (
            each if family or problem.given or not numbers_matter(problem) else _renumber(problem, each, directed)
        )
        ranges, rest = problem.where, replace_conditions(problem, where=None)
        are_double = directed and not has_given_end(problem) and not is_numbered(problem)
        kind = ("uncrossed " if _is_uncrossed(problem) else "") + ("chordless " if _is_chordless(problem) else "")
        sieve = Sieve(problem, ranges, numbered, are_double, kind) if ranges else None
        seen: Iterator[Order] = iter(sieve or numbered)
        is_met = bool(condition_names(rest) if family else checked_conditions(rest))
        those = (order for order in seen if not is_met or fault_of(rest, np.asarray(order)) is None)
        if family is not None:
            return TourList(those, lambda: False, each.close, lambda: each.reason, family.method)
        reason = (
            (lambda: sieve.reason if each.is_complete else "")
            if sieve is not None and not checked_conditions(rest)
            else str
        )
        return TourList(those, lambda: each.is_complete, each.close, reason)
    if problem.partial:
        return _partial_list(problem, budget, directed, move_order, workers)
    if is_numbered(problem):
        return _numberings(problem, budget, seed, directed, move_order, workers)
    if problem.symmetry is not None:
        return _symmetric_tours(problem, budget, directed, move_order, workers)
    search, order_of = _search_of(problem, seed, directed, move_order, prune)
    listing = list_orders(search, budget, workers)
    return TourList(map(order_of, listing), lambda: listing.is_complete, listing.close)


def list_counts(
    problem: Problem, budget: Budget, *, directed: bool, move_order: str, workers: Workers = None
) -> TourList[int]:
    """Return the number of tours that `list_tours` would list, in parts."""
    is_listed = checked_conditions(problem) or is_numbered(problem) or problem.symmetry is not None
    if is_listed or problem.board.is_directed or problem.partial:
        tours = list_tours(problem, budget, directed=directed, move_order=move_order, workers=workers)
        return TourList((1 for _ in tours), lambda: tours.is_complete, tours.close, lambda: tours.reason)
    search, _ = _search_of(problem, 0, directed, move_order, "all")
    listing = SharedOrders(search, budget, workers, only_count=True)
    return TourList((part.found for part in listing.parts), lambda: listing.is_complete, listing.close)


def _search_of(
    problem: Problem, seed: int, directed: bool, move_order: str, prune: str | Sequence[str]
) -> tuple[Search, Callable[[Sequence[int]], Order]]:
    """Return the backtracking search that lists the tours, and a function that converts its results to tours."""
    check_supported(problem, "a list of tours", MOVES)
    if not condition_names(problem):
        return Search(problem, seed, move_order, prune, directed), list
    check_order(move_order)
    graph = reduce_problem(problem)
    if graph.hub >= 0:
        # The walk with a given end is one closed tour, whose two directions are one walk.
        directed = directed and not has_given_end(problem)
    return Search(graph.with_start, seed, move_order, prune, directed), graph.order


def _numberings(
    problem: Problem, budget: Budget, seed: int, directed: bool, move_order: str, workers: Workers
) -> TourList[Order]:
    from knightstour.core.search.clues import numberings

    check_supported(problem, "a list of numberings", STEPS, MOVES)
    check_plain("numberings", move_order, workers)
    listing = numberings(problem, budget, seed)
    orders: Iterator[Order] = listing
    if directed and problem.closed and not problem.given:
        orders = _both_ways(problem, listing)
    return TourList(orders, lambda: listing.is_finished, _nothing_to_end)


def _is_uncrossed(problem: Problem) -> bool:
    from knightstour.core.statistics.where import is_at_most

    return problem.partial and is_at_most(problem, "crossings", 0)


def _is_chordless(problem: Problem) -> bool:
    from knightstour.core.statistics.where import is_at_most

    return problem.partial and is_at_most(problem, "chords", 0)


def _checked_list(problem: Problem, budget: Budget, seed: int, how: dict[str, Any]) -> TourList[Order]:
    """Return the list whose tours are checked one by one; a list of tours that may skip squares is pruned
    beforehand."""
    if not problem.partial:
        return list_tours(without_checked(problem), budget, seed, **how)
    few = {"is_uncrossed": _is_uncrossed(problem), "is_chordless": _is_chordless(problem)}
    return _partial_list(without_checked(problem), budget, how["directed"], how["move_order"], how["workers"], **few)


def _partial_list(
    problem: Problem, budget: Budget, directed: bool, move_order: str, workers: Workers, **few: bool
) -> TourList[Order]:
    from knightstour.core.search.some_squares import SomeSquares

    listing = SomeSquares(problem, budget, directed, move_order, workers, **few)
    return TourList(iter(listing), lambda: listing.is_complete, _nothing_to_end)


def _symmetric_tours(
    problem: Problem, budget: Budget, directed: bool, move_order: str, workers: Workers
) -> TourList[Order]:
    from knightstour.core.search.symmetric import SymmetricTours

    check_plain("symmetric tours", move_order, workers)
    listing = SymmetricTours(problem, budget)
    orders: Iterator[Order] = listing
    if directed and not has_given_end(problem):
        orders = _both_ways(problem, listing)
    return TourList(orders, lambda: listing.is_complete, _nothing_to_end)


def _both_ways(problem: Problem, orders: Iterator[Any]) -> Iterator[Order]:
    from knightstour.core.search.symmetric import from_start

    return (way for order in orders for way in (order, from_start(problem, np.asarray(order[::-1]))))


def _renumber(problem: Problem, orders: Iterator[Order], directed: bool) -> Iterator[Order]:
    for order in orders:
        if problem.start is None:
            yield from (np.roll(order, -first) for first in range(len(order)))
        else:
            yield order
            if not directed:
                yield np.roll(order[::-1], 1)


def _nothing_to_end() -> None:
    """Do nothing: the search stops with its consumer."""
