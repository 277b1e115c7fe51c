"""Symmetric tours: lifts of tours of the quotient of the board (quotient.py).

The given method finds the tours of the quotient. If it can prove that none exists, so can this search.

Cost: the cost of a tour of half the squares, or a quarter; 0.1 s for 50x50 with `auto`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import numpy as np

from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.problem import Problem, end_index, replace_conditions, start_index, without_conditions
from knightstour.core.model.result import Outcome, Status, found, impossible, undecided
from knightstour.core.proofs.conditions import unmet
from knightstour.core.proofs.symmetric import SOURCE, Action, actions
from knightstour.core.search.backtracking import Search, TourOrders
from knightstour.core.search.quotient import Question, questions_of

# Maximum number of squares for trying all tours of a board.
_FEW_SQUARES = 12
# Nodes of the first attempt at each problem, constant and per orbit; doubled in each round.
_NODES, _NODES_PER_ORBIT = 100_000, 400
# Number of cycles without a lift before all cycles are listed, and the maximum number of orbits for this.
_CYCLES, _FEW_ORBITS = 8, 36


def symmetric(run: Callable[..., Outcome], problem: Problem, budget: Budget, seed: int, **options: object) -> Outcome:
    """Return a tour with the required symmetry, by a method that supports graphs, or the reason why none exists.

    Args:
        run: Function that solves a problem on a graph, which may have required moves.

    >>> from knightstour.core.search.rotation import rotation
    >>> outcome = symmetric(rotation, Problem((6, 6), closed=True, symmetry="90"), Budget(), 1)
    >>> order = list(map(int, outcome.order))
    >>> divmod(order[0], 6), divmod(order[9], 6), divmod(order[18], 6)
    ((1, 2), (2, 4), (4, 3))
    """
    ways, reason = actions(problem)
    if not ways:
        return impossible(reason, SOURCE)
    if is_small(problem, ways):
        return _from_all_tours(problem, budget)
    questions = [question for way in ways for question in questions_of(problem, way)]
    questions = [question for question in questions if unmet(question.problem) is None]
    if not questions and problem != replace_conditions(
        Problem(problem.board, closed=problem.closed), symmetry=problem.symmetry
    ):
        return impossible(
            f"a tour with symmetry {problem.symmetry} makes all images of its moves, too, and with these the "
            "conditions contradict each other",
            "conditions and their images under a symmetry",
        )
    random.Random(seed).shuffle(questions)
    trace, budget.trace = budget.trace, None
    try:
        return _by_turns(run, problem, questions, budget, seed, **options)
    finally:
        budget.trace = trace


def is_small(problem: Problem, ways: list[Action]) -> bool:
    """Return whether to try all tours of the board. Cycles of one or two orbits are not cycles of a graph."""
    return square_count(problem.board) <= max(_FEW_SQUARES, 2 * max(way.order for way in ways))


def _by_turns(
    run: Callable[..., Outcome],
    problem: Problem,
    questions: list[Question],
    budget: Budget,
    seed: int,
    **options: object,
) -> Outcome:
    count = len(questions)
    for turn in itertools.count():
        for question in list(questions):
            if budget.is_spent:
                return undecided(budget.why_stopped(), orbits=len(question.quotient.images))
            orbits = len(question.quotient.images)
            part = budget.part(nodes=_NODES + _NODES_PER_ORBIT * orbits << min(turn, 30))
            if turn == _CYCLES and question.quotient.action.is_shift and orbits <= _FEW_ORBITS:
                outcome = _any_that_lifts(problem, question, budget)
            else:
                outcome = run(question.problem, part, seed + turn, **options)
                budget.spend(part.nodes)
            if outcome.order is not None:
                order = question.lift(np.asarray(outcome.order, dtype=np.int64))
                if order is not None and fault_of(problem, order) is None:
                    return found(from_start(problem, order), orbits=orbits)
            if outcome.status is Status.IMPOSSIBLE:
                questions.remove(question)
        if not questions:
            many = f"all {count} questions" if count > 1 else "the question"
            return impossible(
                f"no tour of the orbits becomes such a tour: complete searches answered {many} about them",
                f"exhaustive search of the quotient, {budget.nodes:,} nodes",
            )
    raise AssertionError("the turns never end")


def _any_that_lifts(problem: Problem, question: Question, budget: Budget) -> Outcome:
    # Required moves are ignored here, and checked for the lifted tours.
    orders = TourOrders(Search(without_conditions(question.problem), 0, "classic", "all", False), budget)
    for order in orders:
        lifted = question.lift(np.asarray(order, dtype=np.int64))
        if lifted is not None and fault_of(problem, lifted) is None:
            return found(order)
    return impossible("no cycle of the orbits lifts", "exhaustive search") if orders.is_complete else undecided("limit")


def _from_all_tours(problem: Problem, budget: Budget) -> Outcome:
    orders = TourOrders(Search(without_conditions(problem), 0, "classic", "all", False), budget)
    for order in orders:
        if fault_of(problem, np.asarray(order, dtype=np.int64)) is None:
            return found(order)
    if not orders.is_complete:
        return undecided(budget.why_stopped())
    return impossible("none of the tours of the board has that symmetry", f"exhaustive search, {orders.nodes:,} nodes")


def from_start(problem: Problem, order: np.ndarray) -> np.ndarray:
    """Return a tour from the required start: a closed tour rotated, an open tour reversed if necessary."""
    start, end = start_index(problem), end_index(problem)
    if problem.closed:
        return order if start is None else np.roll(order, -int(np.argmax(order == start)))
    is_wrong = (start is not None and order[0] != start) or (end is not None and order[-1] != end)
    return order[::-1] if is_wrong else order


# ---------------------------------------------------------------- lists


class SymmetricTours:
    """Iterator over all tours with the required symmetry, undirected, each as square numbers.

    Attributes:
        is_complete: Whether all were listed; False if the budget was spent.

    >>> tours = SymmetricTours(Problem((6, 6), closed=True, symmetry="90"), Budget())
    >>> len(list(tours)), tours.is_complete
    (10, True)
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        self.is_complete = False
        self._problem, self._budget = problem, budget
        self._orders = self._all()

    def __iter__(self) -> SymmetricTours:
        return self

    def __next__(self) -> np.ndarray:
        return next(self._orders)

    def _all(self) -> Iterator[np.ndarray]:
        problem, budget = self._problem, self._budget
        ways, _ = actions(problem)
        if ways and is_small(problem, ways):
            plain = TourOrders(Search(without_conditions(problem), 0, "classic", "all", False), budget)
            yield from (order for order in map(np.array, plain) if fault_of(problem, order) is None)
            self.is_complete = plain.is_complete
            return
        for question in itertools.chain.from_iterable(questions_of(problem, way) for way in ways):
            orders = TourOrders(Search(without_conditions(question.problem), 0, "classic", "all", False), budget)
            for order in orders:
                for lifted in question.all_lifts(np.array(order)):
                    if (problem.symmetry not in KINDS and not problem.require) or fault_of(problem, lifted) is None:
                        yield from_start(problem, lifted)
            if not orders.is_complete:
                return
        self.is_complete = True
