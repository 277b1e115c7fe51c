"""Random symmetric tours: a distribution draws tours of the quotient of the board, and each is lifted or rejected.

There may be several moves between two orbits, so a tour of the quotient may lift to several symmetric tours, or to
none. One choice of moves is drawn. For `uniform` and `backbite` it is accepted with a probability proportional to the
number of choices, if it forms one tour, so that all choices for all tours of the quotient are equally likely. Hence
`uniform` is uniform over all symmetric tours, and `backbite` in the limit. The other distributions accept each choice
that forms a tour.

A symmetry may act in several ways (core/search/quotient.py), each with its own quotient. `uniform` selects each in
proportion to its number of tours. The other distributions select all with equal probability, so with several of them
`backbite` is uniform only within each.

On boards with few squares all symmetric tours are listed, and every distribution draws them uniformly.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import NO_LIMITS, Budget
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.problem import Problem, condition_names
from knightstour.core.model.reduced import ReducedGraph, reduce_problem
from knightstour.core.model.result_errors import NoTour
from knightstour.core.model.sample import order_type
from knightstour.core.proofs.conditions import unmet
from knightstour.core.proofs.symmetric import actions
from knightstour.core.search.quotient import Question, questions_of
from knightstour.core.search.symmetric import SymmetricTours, from_start, is_small
from knightstour.lab.sampling.distributions.common import Block, Draw, Stop, gave_up_error

# Number of tours of the quotient that are drawn together, by squares, with a minimum and a maximum.
_SQUARES_AT_ONCE = 1 << 14
_FEWEST_AT_ONCE, _MAX_AT_ONCE = 16, 512
# Maximum number of consecutive rejected tours of the quotient.
_PATIENCE = 1 << 17

# A function that creates a distribution from a problem on a graph and one of its tours.
MakeDistribution = Callable[[Problem, np.ndarray], Draw]


class _Way(NamedTuple):
    """A problem on a quotient: the distribution of its tours, and their number if it is known."""

    question: Question
    graph: ReducedGraph | None
    distribution: Draw
    tours: int


def symmetric_distribution(
    problem: Problem, make: MakeDistribution, first_tour: Callable[[Problem], np.ndarray], *, is_even: bool
) -> Draw:
    """Return the distribution for a problem with a symmetry.

    make: creates the distribution for a graph. first_tour: returns a tour of a problem, or raises NoTour. is_even:
    whether the distribution is uniform, perhaps in the limit, which requires rejections.
    """
    ways, _ = actions(problem)
    if is_small(problem, ways):
        return FromList(problem)
    found = []
    for question in (question for way in ways for question in questions_of(problem, way)):
        if unmet(question.problem) is not None:
            continue
        graph = reduce_problem(question.problem) if condition_names(question.problem) else None
        drawn = question.problem if graph is None else graph.problem
        try:
            distribution = make(drawn, first_tour(drawn))
        except NoTour:
            continue
        found.append(_Way(question, graph, distribution, getattr(distribution, "tours", 1)))
    return FromQuotients(problem, found, is_even=is_even)


class FromList:
    """Distribution that draws from the list of all symmetric tours."""

    def __init__(self, problem: Problem) -> None:
        self.parameters: dict[str, int] = {}
        tours = list(SymmetricTours(problem, Budget(NO_LIMITS)))
        self._orders = np.array([from_start(problem, order) for order in tours], dtype=order_type(problem.board))

    def __call__(self, seed: int, count: int, stop: Stop) -> Block:
        chance = random.Random(seed)
        return Block(self._orders[[chance.randrange(len(self._orders)) for _ in range(count)]], 0, count)


class FromQuotients:
    """Distribution that draws tours of the quotients and lifts them."""

    def __init__(self, problem: Problem, ways: list[_Way], *, is_even: bool) -> None:
        self.problem, self._ways, self._is_even = problem, ways, is_even
        self.parameters = ways[0].distribution.parameters
        self._most = max(_most_choices(way.question) for way in ways) if is_even else 0.0
        squares = max(len(way.question.quotient.images) for way in ways)
        self._at_once = min(max(_SQUARES_AT_ONCE // squares, _FEWEST_AT_ONCE), _MAX_AT_ONCE)

    def __call__(self, seed: int, count: int, stop: Stop) -> Block:
        chance = random.Random(seed)
        rows: list[np.ndarray] = []
        made = drawn = kept_at = steps = 0
        while made < count:
            stop.check()
            # The number of draws does not depend on count, so that a smaller sample is a prefix of a larger one.
            some, took = self._draw_tours(chance, stop)
            drawn += self._at_once
            steps += took
            if len(some):
                rows.append(some)
                made += len(some)
                kept_at = drawn
            elif drawn - kept_at > _PATIENCE:
                reason = (
                    f"none of {_PATIENCE:,} tours of the orbits yields a tour with symmetry {self.problem.symmetry}"
                )
                raise gave_up_error(self.problem, reason, seed, steps)
        orders = np.concatenate(rows)[:count] if rows else np.empty((0, square_count(self.problem.board)))
        return Block(orders.astype(order_type(self.problem.board)), drawn - made, steps)

    def _draw_tours(self, chance: random.Random, stop: Stop) -> tuple[np.ndarray, int]:
        """Return the symmetric tours of the next draws, in random order, and the number of steps."""
        picked = chance.choices(range(len(self._ways)), [1.0] * len(self._ways), k=self._at_once)
        total = sum(way.tours for way in self._ways)
        if any(way.tours != 1 for way in self._ways):
            picked = [self._way_of(chance.randrange(total)) for _ in range(self._at_once)]
        found: list[np.ndarray] = []
        steps = 0
        for k, way in enumerate(self._ways):
            block = way.distribution(chance.getrandbits(62), picked.count(k), stop)
            steps += block.steps
            orders = block.orders.astype(np.int64) if way.graph is None else way.graph.orders(block.orders)
            found += list(self._lift_tours(way.question, orders, chance))
        if len(self._ways) > 1:
            chance.shuffle(found)
        return np.array(found, dtype=np.int64).reshape(len(found), square_count(self.problem.board)), steps

    def _way_of(self, number: int) -> int:
        """Return the index of the quotient by the rank among all tours."""
        for k, way in enumerate(self._ways):
            if number < way.tours:
                return k
            number -= way.tours
        raise AssertionError("the number is out of range")

    def _lift_tours(self, question: Question, orders: np.ndarray, chance: random.Random) -> list[np.ndarray]:
        """Lift tours of a quotient to the board, and return the accepted ones."""
        fits = question.choices(orders)
        ways = fits.sum(axis=2)
        if self._is_even:
            chances = np.exp(np.log(ways).sum(axis=1) - self._most)
            is_kept = np.array([chance.random() for _ in orders], dtype=float) < chances
            fits, ways, orders = fits[is_kept], ways[is_kept], orders[is_kept]
        steps = fits.argmax(axis=2)
        for i, k in np.argwhere(ways > 1).tolist():
            steps[i, k] = chance.choice(np.flatnonzero(fits[i, k]).tolist())
        lifted = question.lift_by(orders, steps)
        if self.problem.symmetry in KINDS:
            lifted = lifted[[fault_of(self.problem, row) is None for row in lifted]]
        return [from_start(self.problem, row) for row in lifted]


def _most_choices(question: Question) -> float:
    """Return the logarithm of an upper bound for the number of choices of moves of a tour of the quotient.

    A tour has two edges of each orbit, so the square of its choices is at most the product of the two largest numbers.
    """
    graph = move_graph(question.quotient.graph)
    ones, others = graph.tails, graph.targets
    ways = np.maximum(question.quotient.steps_between(ones, others).sum(axis=1), 1)
    ways[np.isin(ones, question.quotient.kept) | np.isin(others, question.quotient.kept)] = 1
    logs = np.log(ways)
    # The edges of an orbit are consecutive here, in order of decreasing choices.
    falling = logs[np.lexsort((-logs, ones))]
    firsts = graph.offsets[:-1]
    largest = falling[firsts[graph.degrees >= 1]].sum() + falling[firsts[graph.degrees >= 2] + 1].sum()
    return float(largest) / 2
