"""Proof of optimality for a statistic that is a sum over moves: each state with its cheapest partial tour.

core/search/frontier defines a state. The cost of the continuation depends only on the state, so only the cheapest
partial tour is kept, with its previous state and its moves. The last layer has the minimum cost, and the recorded steps
yield the tour: closed or open, with given or free ends, on boards of every kind.

Cost: 0.2 to 0.4 us per state, and 8 bytes per kept state, about 100 in the widest layers. 6x6 closed has 0.3 million
states, 6x6 open 14 million, 6x7 open 47 million. Method: dynamic programming over a frontier (M. Held and R. M. Karp,
1962; the states as in D. E. Knuth's Simpath), in the min-plus algebra.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model.board import move_graph, title_of
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.core.model.wording import in_words
from knightstour.core.search.frontier.exact import in_requested_direction, tour_by_picks
from knightstour.core.search.frontier.marching import MAX_STATES, Algebra, Layer, layers, picks_back, why_too_wide
from knightstour.core.search.frontier.plan import Plan, make_plan
from knightstour.core.statistics.strokes import Strokes
from knightstour.core.statistics.table import statistic_named
from knightstour.lab.objectives.table import Objective

# Factor of the number of states per slot of the frontier, and the maximum estimated number of states.
_TIMES_PER_SLOT, _MAX_STATES = 2.4, 1e8
# Share of the free memory for the states.
_PART_OF_MEMORY = 0.6


Costs = dict[tuple[int, int], int]


class StateProof(NamedTuple):
    """Result of a search over states.

    order: squares of a cheapest tour; None if none exists, or a limit came first. why_stopped: the limit that ended the
    search, or "". states: number of states. least: lower bound for the cost of all tours.
    """

    order: list[int] | None
    why_stopped: str
    states: int
    least: int


def adds_up_over_moves(objective: Objective) -> bool:
    """Whether the statistic of a tour is a sum over its moves."""
    return statistic_named(objective.statistic).adds_up_over == "moves"


def why_not_by_states(problem: Problem, objective: Objective) -> str | None:
    """Return the reason why this algorithm cannot prove optimality, or None.

    >>> from knightstour.lab.objectives.table import Objective
    >>> why_not_by_states(Problem("6x6"), Objective("flat-up", -1)) is None
    True
    """
    if not adds_up_over_moves(objective):
        return f"{objective.statistic} does not add up over moves"
    plan = make_plan(problem)
    states = sum(_TIMES_PER_SLOT ** min(mask.bit_count(), 600) for mask in plan.present)
    if why_too_wide(plan) is not None or states > _MAX_STATES:
        return f"the {title_of(problem.board)} has too many states to prove optimality"
    return None


def best_by_states(problem: Problem, objective: Objective, budget: Budget) -> StateProof:
    """Return a tour with the minimum of sign times statistic, and the proof.

    >>> from knightstour.lab.objectives.table import Objective
    >>> found = best_by_states(Problem("5x6", closed=True), Objective("flat-up", -1), Budget())
    >>> -found.least, found.states
    (8, 7437)
    """
    return cheapest_tour(problem, _costs(problem, objective), budget, _least_possible(problem, objective))


def cheapest_tour(problem: Problem, costs: Costs, budget: Budget, least: int) -> StateProof:
    """Return the cheapest tour. costs: of each move, in both directions. least: known lower bound for all tours."""
    plan = make_plan(problem)
    cheapest = _Cheapest(plan, costs)
    most, states = _PART_OF_MEMORY * available_bytes(), 1

    def report(t: int, created: int, within: float, held: int) -> None:
        budget.spend(created - cheapest.spent)
        cheapest.spent = created
        if budget.is_spent:
            raise SearchEnded(budget.why_stopped())
        if held + cheapest.kept_bytes > most:
            raise SearchEnded(f"the states would need more than {in_words(int(most))} of memory")

    try:
        for layer in layers(plan, cheapest, report, lambda: budget.nodes_left(MAX_STATES)):
            cheapest.keep(layer)
            states += layer.count
    except SearchEnded as ended:
        return StateProof(None, str(ended), states + cheapest.spent, least)
    cost = cheapest.cost
    if cost is None:
        return StateProof(None, "", states, 0)
    return StateProof(in_requested_direction(tour_by_picks(plan, cheapest.picks()), problem), "", states, cost)


class SearchEnded(Exception):
    """A limit was reached; the message is the reason."""


def _costs(problem: Problem, objective: Objective) -> Costs:
    """Return the cost of each move in both directions."""
    graph = move_graph(problem.board)
    added = objective.sign * statistic_named(objective.statistic).of(Strokes.of_moves(problem.board))
    moves = zip(graph.tails.tolist(), graph.targets.tolist(), strict=True)
    return dict(zip(moves, added.tolist(), strict=True))


def _least_possible(problem: Problem, objective: Objective) -> int:
    """Return a lower bound: half of the two cheapest moves of each square."""
    at: dict[int, list[int]] = {}
    for (a, _), cost in _costs(problem, objective).items():
        # The ends of open tours have fewer moves.
        at.setdefault(a, []).append(cost if problem.closed else min(cost, 0))
    return -(-sum(sum(sorted(costs)[:2]) for costs in at.values()) // 2)


class _Cheapest(Algebra):
    """The cost of the cheapest partial tour of each state (negated, since the kernel maximises), and its last step.

    The steps of all layers are kept. spent: states of the current layer that are already charged to the budget.
    """

    function = "march_best"
    carried = ((np.int64, 1), (np.int32, 2))

    def __init__(self, plan: Plan, costs: Costs) -> None:
        self.plan, self.costs = plan, costs
        self.spent = self.kept_bytes = 0
        self._kept: list[np.ndarray] = []
        self._closed = np.array([0, 0, -1], dtype=np.int64)
        # Value of the cheapest tour so far, the layer in which it is closed, its state and its last step.
        self._best: tuple[int, int, int, int] | None = None

    def begin(self, t: int, source: Layer, room: int) -> None:
        self.spent = 0
        square_at = self.plan.later_squares(t)
        v = self.plan.order[t]
        worth = [-self.costs[v, square_at[a]] if a in square_at else 0 for a in self.plan.step(t).near]
        near = np.array(worth, dtype=np.int64)
        self._worth = np.concatenate([[0], near, (near[:, None] + near[None]).ravel()]).astype(np.int64)

    def arguments(self, source: Layer, target: Layer) -> tuple[object, ...]:
        return self._worth, source.carried[0], *target.carried, self._closed

    def keep(self, layer: Layer) -> None:
        value, s, pick = self._closed.tolist()
        if pick >= 0 and (self._best is None or value > self._best[0]):
            self._best = value, len(self._kept), s, pick
        self._closed[:] = 0, 0, -1
        self._kept.append(layer.carried[1][: layer.count].copy())
        self.kept_bytes += self._kept[-1].nbytes

    @property
    def cost(self) -> int | None:
        return None if self._best is None else -self._best[0]

    def picks(self) -> list[tuple[int, ...]]:
        """Return the slots to which each square is joined in the cheapest tour."""
        assert self._best is not None
        _, t, s, code = self._best
        return picks_back(self.plan, lambda t: self._kept[t - 1], t, (s, code))
