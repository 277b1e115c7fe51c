"""Searches with required and forbidden moves, or a symmetry, by solving a problem on a reduced graph.

`core/model/reduced.py` builds the graph of required and forbidden moves, `symmetric.py` the graph of a symmetry, so
every method for graphs supports these conditions.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace

from knightstour.core.machine.sharing import Workers
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, condition_names
from knightstour.core.model.reduced import ReducedGraph, reduce_problem
from knightstour.core.model.result import Outcome, undecided
from knightstour.core.model.trace import Trace
from knightstour.core.search.options import ORDERS

# From this size on, a virtual square with moves to all squares makes searches slow.
_MANY_SQUARES = 400
# Distance between the seeds of two attempts.
_ANOTHER_SEED = 1_000_003


def run_reduced(
    run: Callable[..., Outcome],
    problem: Problem,
    budget: Budget,
    seed: int,
    *,
    is_complete: bool = True,
    **options: object,
) -> Outcome:
    """Return the outcome of the method `run` for a problem with required or forbidden moves, or with a symmetry.

    A search with virtual squares cannot be watched; its trace contains only the tour.

    Args:
        is_complete: Whether an exhausted search proves that there is no tour.

    >>> from knightstour.core.search.rotation import rotation
    >>> problem = Problem((8, 8), closed=True, require=["a1-b3"], forbid=["d4-e6"])
    >>> sorted(map(int, run_reduced(rotation, problem, Budget(), 1).order))[:3]
    [0, 1, 2]
    """
    if not condition_names(problem):
        return run(problem, budget, seed, **options)
    check_order(options.get("move_order", "classic"))
    if problem.symmetry is not None:
        from knightstour.core.search.symmetric import symmetric

        of_quotient = functools.partial(run_reduced, run, is_complete=is_complete)
        return symmetric(of_quotient, problem, budget, seed, **options)
    # An incomplete method may search for less constrained tours, few of which have wrong ends.
    is_loose = not is_complete and not problem.closed and square_count(problem.board) > _MANY_SQUARES
    graph = reduce_problem(problem, is_loose)
    trace = budget.trace
    budget.trace = None if trace is None or (graph.squares < 0).any() else _OnBoard(trace, graph)
    try:
        for attempt in itertools.count():
            outcome = run(graph.problem, budget, seed + _ANOTHER_SEED * attempt, **options)
            if outcome.order is None:
                return outcome
            if not is_loose or (graph.squares[outcome.order[0]] >= 0 and graph.squares[outcome.order[-1]] >= 0):
                return replace(outcome, order=graph.order(outcome.order))
            if budget.is_spent:
                return undecided(budget.why_stopped())
    finally:
        budget.trace = trace
    raise AssertionError("the attempts never end")


def why_not_reduced(why_not: Callable[[Problem], str | None], problem: Problem) -> str | None:
    """Return the reason why a method does not support the reduced graph, or None."""
    return None if problem.symmetry is not None else why_not(reduce_problem(problem).problem)


def check_order(move_order: object) -> None:
    """Raise ProblemError for an order of moves that graphs do not support: by directions or by names of squares."""
    names = [name for name in ORDERS if name != "lexicographic"]
    if move_order not in names:
        listed = ", ".join(names)
        raise ProblemError(f"under conditions the order of the moves is one of {listed}", help="name one")


def check_plain(what: str, move_order: str, workers: Workers) -> None:
    """Raise ProblemError for options that such a list of tours does not support."""
    if move_order != "classic":
        raise ProblemError(f"{what} have no order of the moves", help="omit move_order")
    if workers is not None:
        raise ProblemError(f"{what} are listed in one process", help="omit workers")


class _OnBoard(Trace):
    """Trace that translates events on a graph to events on the board."""

    __slots__ = ("_squares", "_trace")

    def __init__(self, trace: Trace, graph: ReducedGraph) -> None:
        super().__init__(0)
        self._trace, self._squares = trace, graph.squares.tolist()

    @property
    def is_full(self) -> bool:
        return self._trace.is_full

    @property
    def is_wanted(self) -> bool:
        return self._trace.is_wanted

    def add(self, kind: str, squares: Iterable[int] = (), values: Iterable[int] = (), name: str = "") -> None:
        self._trace.add(kind, (self._squares[vertex] for vertex in squares), values, name)
