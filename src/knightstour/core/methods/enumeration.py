"""Enumeration of all tours of a board: iter_tours(), and counting without building them.

Tours are in the order of backtracking, which the prunings do not change. Workers may share the search; the list is the
same.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any, Unpack

from knightstour.core.machine.sharing import Workers
from knightstour.core.model.board import Square
from knightstour.core.model.budget import NO_LIMITS, Budget, limits_of
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.condition_table import Conditions
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.tour import Tour
from knightstour.core.model.unvisited import answer_of
from knightstour.core.model.validation import flag
from knightstour.core.proofs.arguments import known_proof
from knightstour.core.search.listing import Order, TourList, list_counts, list_tours


def iter_tours(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    directed: bool = False,
    move_order: str = "classic",
    timeout: float | None = None,
    max_nodes: int | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> Generator[Tour, None, None]:
    """Yield all tours in the order of backtracking: by start square, then by `move_order`.

    With given numbers each numbering is listed once, from its step 1 in its direction. Numberings and symmetric tours
    have another order.

    Args:
        board, closed, start, end: As for solve(); further conditions are supported too. With partial=True each tour is
            a tour of a board with the left squares as holes.
        directed: Whether a tour and its reverse differ (a closed tour is listed once from its first square, or once in
            each direction). With a given start or end, an open tour is listed once in either case.
        move_order: Order of the moves, as for the method backtracking.
        timeout, max_nodes: Limits, in seconds and search steps; by default none.
        workers: None, a number of processes, or a Dask client, which share the search; see docs/scale.md. The tours and
            their order are the same. Processes end with the iterator: close it to stop early.
        on_progress: Callback with a Progress at intervals.

    Raises:
        LimitReached: If a limit ends the listing.

    >>> sum(1 for _ in iter_tours((5, 6), closed=True))
    8
    >>> sum(1 for _ in iter_tours((3, 4), directed=True))
    16
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    problem = Problem.asked_of(iter_tours, board, closed, start, end, conditions)
    budget = Budget(NO_LIMITS if limits is None else limits, on_progress)
    if _has_none(problem):
        return _no_tours()
    listing = list_tours(problem, budget, directed=flag(directed, "directed"), move_order=move_order, workers=workers)
    return _tours_of(problem, budget, listing)


def _has_none(problem: Problem) -> bool:
    """Return whether an argument proves that there is no tour, so that no search is needed."""
    return not problem.board.is_directed and known_proof(problem) is not None


def _no_tours() -> Generator[Any, None, None]:
    yield from ()


def _tours_of(problem: Problem, budget: Budget, listing: TourList[Order]) -> Generator[Tour, None, None]:
    """Yield the tours of a listing. A separate generator, so that iter_tours raises errors immediately."""
    with closing(listing):
        for squares in listing:
            tour = answer_of(problem, squares)
            confirm_answer(problem, tour, "a listing")
            yield tour
    _check_complete(problem, budget, listing)


def iter_counts(
    problem: Problem,
    *,
    directed: bool = False,
    move_order: str = "classic",
    timeout: float | None = None,
    max_nodes: int | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
) -> Generator[int, None, None]:
    """Yield the number of tours of iter_tours in parts; the sum is the total. The arguments are the same.

    >>> sum(iter_counts(Problem.of((5, 6), closed=True)))
    8
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    budget = Budget(NO_LIMITS if limits is None else limits, on_progress)
    if _has_none(problem):
        return _no_tours()
    listing = list_counts(problem, budget, directed=flag(directed, "directed"), move_order=move_order, workers=workers)
    return _counts_of(problem, budget, listing)


def _counts_of(problem: Problem, budget: Budget, listing: TourList[int]) -> Generator[int, None, None]:
    with closing(listing):
        yield from listing
    _check_complete(problem, budget, listing)


def _check_complete(problem: Problem, budget: Budget, listing: TourList[Any]) -> None:
    """Raise LimitReached if a limit ended the listing, or if it covers only a family of tours."""
    if listing.is_complete:
        return
    reason = listing.reason or budget.why_stopped() + "; there may be more tours"
    raise LimitReached(
        Result(Status.UNDECIDED, problem, (), reason, "", "backtracking", 0, budget.nodes, budget.seconds)
    )
