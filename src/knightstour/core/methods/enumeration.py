"""Enumeration of all tours of a board: iter_tours(), and counting without building them.

The tours are in the order of backtracking, also if workers share the search.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Any, Unpack

from knightstour.core.machine.sharing import Workers
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Square
from knightstour.core.model.budget import NO_LIMITS, Budget, limits_of
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.condition_table import Conditions
from knightstour.core.model.problem import Problem, Question, problem_for
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.tour import Tour
from knightstour.core.model.unvisited import answer_of
from knightstour.core.model.validation import flag
from knightstour.core.proofs.arguments import known_proof
from knightstour.core.search.listing import Order, TourList, list_counts, list_tours


@with_hints
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

    With given numbers each numbering is listed once. Numberings and symmetric tours have another order.

    Args:
        board, closed, start, end, partial, given, require, forbid, symmetry, visit_order, where: As for solve().
            With partial=True unvisited squares are holes.
        directed: Whether a tour and its reverse differ, so that a closed tour is listed in each direction, and an open
            tour from each end (unless an end is given).
        move_order: Order of the moves, as for the method backtracking.
        timeout, max_nodes: Limits, in seconds and search steps (default: none).
        workers: None, a number of processes, or a Dask client, which share the search (docs/scale.md). Close the
            iterator to stop them early.
        on_progress: Callback with a Progress at intervals.

    Raises:
        LimitReached: If a limit ends the listing.

    >>> sum(1 for _ in iter_tours((5, 6), closed=True))
    8
    >>> sum(1 for _ in iter_tours((3, 4), directed=True))
    16
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    problem = problem_for(iter_tours, board, closed, start, end, conditions)
    budget = Budget(NO_LIMITS if limits is None else limits, on_progress)
    if _has_none(problem):
        return _no_tours()
    listing = list_tours(problem, budget, directed=flag(directed, "directed"), move_order=move_order, workers=workers)
    return _tours_of(problem, budget, listing)


def _has_none(problem: Problem) -> bool:
    return not problem.board.is_directed and known_proof(problem) is not None


def _no_tours() -> Generator[Any, None, None]:
    yield from ()


def _tours_of(problem: Problem, budget: Budget, listing: TourList[Order]) -> Generator[Tour, None, None]:
    """Yield in a separate generator, so that iter_tours raises errors immediately."""
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
    """Yield the number of tours of iter_tours in parts. The arguments are the same.

    >>> sum(iter_counts(Problem((5, 6), closed=True)))
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
    if listing.is_complete:
        return
    reason = listing.reason or budget.why_stopped() + "; there may be more tours"
    raise LimitReached(
        Result(Status.UNDECIDED, problem, None, reason, "", "backtracking", 0, budget.nodes, budget.seconds)
    )
