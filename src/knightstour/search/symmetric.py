"""Symmetric tours: a tour of the quotient of the board, lifted.

The quotient has a vertex for each orbit, a square with its images under the symmetry, and two orbits are neighbours
where a move joins them. A tour that the symmetry shifts is a Hamiltonian cycle of the quotient, walked round as often
as the symmetry must be repeated: it works where one time round leads to an image that is reached nowhere sooner, for
which one of several moves between two orbits is exchanged, or another cycle looked for. A tour that the symmetry
mirrors is a path through the quotient from one place on the mirror to the other, and its image; an open tour has one
such place.

A place is a square that is kept, or a move between a square and its image. proofs/symmetric.py says in which of these
ways a symmetry may act at all. The tours of the quotient are found by the method that is asked: if it can prove that
there is none, so can this.

Cost: that of a tour of half the squares, or a quarter; 0.1 s for 50x50 with `auto`.
Source: the lift is that of J. L. Gross and T. W. Tucker, Topological Graph Theory, 1987.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from knightstour.model.board import Board, are_moves, board_of_edges, move_graph
from knightstour.model.budget import Budget
from knightstour.model.condition_check import fault_of
from knightstour.model.conditions import KINDS
from knightstour.model.problem import Problem
from knightstour.model.result import Outcome, Status, found, impossible, undecided
from knightstour.proofs.symmetric import SOURCE, Action, actions
from knightstour.search.backtracking import Search, TourOrders

# All tours of boards of so few squares are looked at.
_FEW_SQUARES = 12
# Nodes of the first look at each question, and besides for each orbit; twice as many each time round.
_NODES, _NODES_AN_ORBIT = 100_000, 400
# After this many cycles of the quotient that do not lift all of them are listed if it has this few orbits.
_CYCLES, _FEW_ORBITS = 8, 36


class Quotient(NamedTuple):
    """The orbits of an action.

    images[q, i]: the square that the symmetry, repeated i times, takes the first square of orbit q to: int64. graph:
    which orbits are neighbours. kept, crossed: the orbits of one square, and those with a move between a square and its
    image.
    """

    board: Board
    action: Action
    images: np.ndarray
    graph: Board
    kept: list[int]
    crossed: list[int]


class Question(NamedTuple):
    """A question about a quotient: a cycle, or a path from one orbit, perhaps to another."""

    quotient: Quotient
    start: int | None = None
    end: int | None = None

    @property
    def problem(self) -> Problem:
        """The question as a method takes it."""
        start, end = (None if orbit is None else (0, orbit) for orbit in (self.start, self.end))
        return Problem(self.quotient.graph, self.quotient.action.is_shift, start, end)

    def all_lifted(self, order: np.ndarray) -> Iterator[np.ndarray]:
        """All tours of the board of a tour of the quotient: one for each choice among the moves between two orbits."""
        action = self.quotient.action
        others = np.roll(order, -1) if action.is_shift else order[1:]
        fits = _steps_between(self.quotient, order[: len(others)], others)
        # From a square that is kept a move and its image lead to one tour.
        is_single = np.isin(order[: len(others)], self.quotient.kept) | np.isin(others, self.quotient.kept)
        choices = [np.flatnonzero(row)[: 1 if single else None] for row, single in zip(fits, is_single, strict=True)]
        for steps in itertools.product(*(choice.tolist() for choice in choices)):
            if not action.is_shift:
                yield _path_by(self.quotient, order, np.array(steps, dtype=np.int64), self.end is not None)
            elif math.gcd(sum(steps), action.order) == 1:
                yield _cycle_by(self.quotient, order, np.array(steps, dtype=np.int64))

    def lifted(self, order: np.ndarray) -> np.ndarray | None:
        """The tour of the board of a tour of the quotient; None where there is none."""
        if self.quotient.action.is_shift:
            return _lifted_cycle(self.quotient, order)
        return _lifted_path(self.quotient, order, self.end is not None)


def symmetric(run: Callable[..., Outcome], problem: Problem, budget: Budget, seed: int, **options: object) -> Outcome:
    """A tour with the symmetry that is asked for, by a method that takes graphs; or why there is none.

    run: what the method answers to a question about a graph.

    >>> from knightstour.search.rotation import rotation
    >>> outcome = symmetric(rotation, Problem.of((6, 6), closed=True, symmetry="90"), Budget(), 1)
    >>> order = list(map(int, outcome.order))
    >>> divmod(order[0], 6), divmod(order[9], 6), divmod(order[18], 6)
    ((1, 2), (2, 4), (4, 3))
    """
    ways, reason = actions(problem)
    if not ways:
        return impossible(reason, SOURCE)
    if _is_small(problem, ways):
        return _looked_at(problem, budget)
    questions = [question for way in ways for question in _questions(problem, way)]
    random.Random(seed).shuffle(questions)
    trace, budget.trace = budget.trace, None
    try:
        return _by_turns(run, problem, questions, budget, seed, **options)
    finally:
        budget.trace = trace


def _is_small(problem: Problem, ways: list[Action]) -> bool:
    """Whether all tours of the board are looked at. One and two orbits have cycles that are none of a graph."""
    return problem.board.square_count <= max(_FEW_SQUARES, 2 * max(way.order for way in ways))


def _by_turns(
    run: Callable[..., Outcome],
    problem: Problem,
    questions: list[Question],
    budget: Budget,
    seed: int,
    **options: object,
) -> Outcome:
    """The first answer of all questions, each asked again and again, until it is settled that it has none."""
    asked = len(questions)
    for turn in itertools.count():
        for question in list(questions):
            if budget.is_spent:
                return undecided(budget.why_stopped(), orbits=len(question.quotient.images))
            orbits = len(question.quotient.images)
            part = budget.part(nodes=_NODES + _NODES_AN_ORBIT * orbits << min(turn, 30))
            if turn == _CYCLES and question.quotient.action.is_shift and orbits <= _FEW_ORBITS:
                outcome = _any_that_lifts(problem, question, budget)
            else:
                outcome = run(question.problem, part, seed + turn, **options)
                budget.spend(part.nodes)
            if outcome.order is not None:
                order = question.lifted(np.asarray(outcome.order, dtype=np.int64))
                if order is not None and fault_of(problem, order) is None:
                    return found(order, orbits=orbits)
            if outcome.status is Status.IMPOSSIBLE:
                questions.remove(question)
        if not questions:
            many = f"all {asked} questions" if asked > 1 else "the question"
            return impossible(
                f"no tour of the orbits becomes such a tour: complete searches answered {many} about them",
                f"exhaustive search of the quotient, {budget.nodes:,} nodes",
            )
    raise AssertionError("the turns never end")


def _any_that_lifts(problem: Problem, question: Question, budget: Budget) -> Outcome:
    """Look at all cycles of a small quotient."""
    orders = TourOrders(Search(question.problem, 0, "classic", "all", False), budget)
    for order in orders:
        lifted = question.lifted(np.asarray(order, dtype=np.int64))
        if lifted is not None and fault_of(problem, lifted) is None:
            return found(order)
    return impossible("no cycle of the orbits lifts", "exhaustive search") if orders.is_complete else undecided("limit")


def _looked_at(problem: Problem, budget: Budget) -> Outcome:
    """The answer for a board of few squares: all its tours are looked at."""
    orders = TourOrders(Search(problem.plain, 0, "classic", "all", False), budget)
    for order in orders:
        if fault_of(problem, np.asarray(order, dtype=np.int64)) is None:
            return found(order)
    if not orders.is_complete:
        return undecided(budget.why_stopped())
    return impossible("none of the tours of the board has that symmetry", f"exhaustive search, {orders.nodes:,} nodes")


# ---------------------------------------------------------------- all of them


class SymmetricTours:
    """An iterator over all tours with the symmetry that is asked for, undirected, each as square numbers.

    is_complete: whether all were listed; the iteration ends before that where the budget is spent.

    >>> tours = SymmetricTours(Problem.of((6, 6), closed=True, symmetry="90"), Budget())
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
        if ways and _is_small(problem, ways):
            plain = TourOrders(Search(problem.plain, 0, "classic", "all", False), budget)
            yield from (order for order in map(np.array, plain) if fault_of(problem, order) is None)
            self.is_complete = plain.is_complete
            return
        for question in itertools.chain.from_iterable(_questions(problem, way) for way in ways):
            orders = TourOrders(Search(question.problem, 0, "classic", "all", False), budget)
            for order in orders:
                for lifted in question.all_lifted(np.array(order)):
                    if problem.symmetry not in KINDS or fault_of(problem, lifted) is None:
                        yield lifted
            if not orders.is_complete:
                return
        self.is_complete = True


# ---------------------------------------------------------------- the quotient


def quotient_of(board: Board, action: Action) -> Quotient:
    """The orbits of a board under an action, and how they hang together.

    >>> action = actions(Problem.of((6, 6), closed=True, symmetry="180"))[0][0]
    >>> made = quotient_of(Board(6, 6), action)
    >>> made.images.shape, made.images[0].tolist(), made.graph.square_count, made.crossed
    ((18, 2), [0, 35], 18, [])
    """
    moves = move_graph(board)
    squares, image = moves.squares, action.image
    lowest = at = np.arange(len(image))
    for _ in range(action.order - 1):
        at = image[at]
        lowest = np.minimum(lowest, at)
    firsts = squares[lowest[squares] == squares]
    orbit = np.full(len(image), -1, dtype=np.int64)
    orbit[firsts] = np.arange(len(firsts))
    orbit = orbit[lowest]
    images = [firsts]
    for _ in range(action.order - 1):
        images.append(image[images[-1]])
    is_first = np.zeros(len(image), dtype=bool)
    is_first[firsts] = True
    is_from_first = np.repeat(is_first, moves.degrees)
    edges = np.stack([orbit[moves.tails[is_from_first]], orbit[moves.targets[is_from_first]]], axis=1)
    is_kept = image[firsts] == firsts
    is_crossed = are_moves(board, firsts, image[firsts]) & ~is_kept
    return Quotient(
        board,
        action,
        np.stack(images, axis=1),
        board_of_edges(range(len(firsts)), edges),
        np.flatnonzero(is_kept).tolist(),
        np.flatnonzero(is_crossed).tolist(),
    )


def _questions(problem: Problem, action: Action) -> Iterator[Question]:
    """What is to be asked of the quotient of an action: any answer is a tour."""
    quotient = quotient_of(problem.board, action)
    kept, crossed = quotient.kept, quotient.crossed
    if action.is_shift:
        yield Question(quotient)
    elif not problem.closed:
        yield from (Question(quotient, orbit) for orbit in kept or crossed)
    elif len(kept) == 2:
        yield Question(quotient, kept[0], kept[1])
    elif kept:
        yield from (Question(quotient, kept[0], orbit) for orbit in crossed)
    else:
        yield from (Question(quotient, one, other) for one, other in itertools.combinations(crossed, 2))


# ---------------------------------------------------------------- lifting


def _steps_between(quotient: Quotient, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
    """[i, s]: whether a move leads from the first square of orbit ones[i] to the image s of that of others[i]."""
    images, board = quotient.images, quotient.board
    return np.stack(
        [are_moves(board, images[ones, 0], images[others, s]) for s in range(quotient.action.order)], axis=1
    )


def _lifted_cycle(quotient: Quotient, cycle: np.ndarray) -> np.ndarray | None:
    """The closed tour that goes round the cycle `order` times; None where it comes back too soon."""
    order = quotient.action.order
    fits = _steps_between(quotient, cycle, np.roll(cycle, -1))
    steps = fits.argmax(axis=1)
    once = int(steps.sum()) % order
    if math.gcd(once, order) != 1:
        exchanged = _exchanged(fits, order)
        if exchanged is None:
            return None
        steps = exchanged
    return _cycle_by(quotient, cycle, steps)


def _cycle_by(quotient: Quotient, cycle: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The closed tour that goes round the cycle by these steps, `order` times."""
    order = quotient.action.order
    once = int(steps.sum()) % order
    reached = np.concatenate([[0], np.cumsum(steps)[:-1]])
    return np.concatenate([quotient.images[cycle, (reached + lap * once) % order] for lap in range(order)])


def _exchanged(fits: np.ndarray, order: int) -> np.ndarray | None:
    """Steps between the orbits of a cycle, one of those that fit each pair, whose sum has no factor of the order."""
    steps = fits.argmax(axis=1)
    total = int(steps.sum())
    several = np.flatnonzero(fits.sum(axis=1) > 1)
    for at in several.tolist():
        for step in np.flatnonzero(fits[at]).tolist():
            if math.gcd(total - int(steps[at]) + step, order) == 1:
                steps[at] = step
                return steps
    # Where one exchange does not do, several might: how each sum of the first steps can be reached.
    fixed = total - int(steps[several].sum())
    ways: list[dict[int, int]] = [{fixed % order: 0}]
    for at in several.tolist():
        choices = np.flatnonzero(fits[at]).tolist()
        ways.append({(before + step) % order: step for before in ways[-1] for step in choices})
    last = next((total for total in ways[-1] if math.gcd(total, order) == 1), None)
    if last is None:
        return None
    for at, known in zip(several.tolist()[::-1], ways[:0:-1], strict=True):
        steps[at] = known[last]
        last = (last - known[last]) % order
    return steps


def _lifted_path(quotient: Quotient, path: np.ndarray, has_second_place: bool) -> np.ndarray:
    """The tour of a path of the quotient, by the first move between every two orbits."""
    return _path_by(quotient, path, _steps_between(quotient, path[:-1], path[1:]).argmax(axis=1), has_second_place)


def _path_by(quotient: Quotient, path: np.ndarray, steps: np.ndarray, has_second_place: bool) -> np.ndarray:
    """The tour that is the path from its first orbit on, and before it the image of the path, walked backwards."""
    reached = np.concatenate([[0], np.cumsum(steps)])
    half = quotient.images[path, reached % 2]
    image = quotient.images[path, (reached + 1) % 2]
    if half[0] == image[0]:
        image = image[1:]
    if has_second_place and half[-1] == image[-1]:
        image = image[:-1]
    return np.concatenate([image[::-1], half])
