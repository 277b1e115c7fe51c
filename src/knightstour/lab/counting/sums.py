"""Algebras "sums" and "ways" on keys: tours of any board or graph, by the states of its frontier.

core/search/frontier/exact.py defines a state. `count_states` creates all states, one layer at a time, each with its
number of partial tours. `list_ways` keeps all layers, with the *transitions* to the next layer and the number of
*completions* of each state; spaces/ ranks tours with them. A transition records the later squares that a square is
joined to, so distinct tours are distinct chains of transitions.

`cycle_sums` supports weights on the edges of a graph: each state carries the sum, over its partial tours, of the
products of the weights of their moves. With weights 1 the sum is the number of tours; with the number of parallel edges
as weight it is the number of tours of a multigraph; with signs it is the number of even tours minus the number of odd
ones. symmetric.py needs the last two together, or the tours of each voltage (`cycles_by_voltage`).

Cost: 0.1 to 0.3 us per state, and about 50 bytes for each state of two layers. 6x6 closed has 0.3 million states, 6x7
closed 2.3 million; 8x8 is infeasible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import BoardError
from knightstour.core.model.problem import Problem, has_given_end
from knightstour.core.model.wording import in_words
from knightstour.core.search.frontier.marching import MAX_STATES, Algebra, Carried, Layer, layers, why_too_wide
from knightstour.core.search.frontier.plan import Plan, expected_states, make_plan, narrowest_first
from knightstour.lab.counting.needs import STATES_SHARE
from knightstour.lab.counting.network import Network, Ways, complete_network
from knightstour.lab.counting.orders import plan_of_count
from knightstour.lab.counting.settings import CountProgress

# (vertex, vertex) in either order -> the two weights of that edge; the default is (1, 1). The first is at least 0 and
# bounds the absolute value of the second.
Weights = Mapping[tuple[int, int], tuple[int, int]]
# For each vertex: successor -> the voltages of the edges to it.
Voltages = Sequence[Mapping[int, Sequence[int]]]
# Fraction of the progress for building the states; the rest is for the completions.
_PART_OF_STATES = 0.95
# A further digit of 64 bits is added before the highest one can exceed this.
_TOP_DIGIT = 2.0**62
_ESTIMATE = "estimate the number of tours instead: estimate(board), or `knightstour estimate BOARD`"


# ---------------------------------------------------------------- values of states


class Sums(Algebra):
    """Each state carries sums of products of weights over its partial tours; with weights 1, their number.

    weights: for each step the weights of its picks, int64 (picks, sums); the first bounds the absolute values of the
    others. Empty if there is one sum and all weights are 1. total: over complete tours, in digits of 64 bits.
    """

    function = "march_sums"
    is_ring = 0

    def __init__(self, weights: Sequence[np.ndarray] = ()) -> None:
        self.weights = weights
        self.total = np.zeros((weights[0].shape[1] if weights else 1, 1), dtype=np.uint64)
        self.largest = max((int(np.abs(each).max()) for each in weights), default=1)
        # The sum that bounds all others.
        self.bounding: slice = slice(1)

    @property
    def carried(self) -> Carried:  # type: ignore[override]
        return ((np.uint64, self.total.size),)

    @property
    def complete(self) -> list[int]:
        """Each sum over complete tours."""
        return [int.from_bytes(x.astype("<u8").tobytes(), "little", signed=True) for x in self.total]

    def begin(self, t: int, source: Layer, room: int) -> None:
        sums = source.carried[0].reshape(-1, *self.total.shape)
        if t == 0:
            sums[0, slice(1) if self.is_ring else slice(None), 0] = 1
        self._weights = self.weights[t] if self.weights else np.zeros((0, 1), dtype=np.int64)
        # Upper bound: every child receives the value of each source.
        top, total = (float(each[..., self.bounding, -1].max()) for each in (sums[: source.count], self.total))
        if (top + 1) * room * source.count * self.largest + total >= _TOP_DIGIT:
            source.carried[0] = _longer(sums).reshape(len(sums), -1)
            self.total = _longer(self.total)

    def arguments(self, source: Layer, target: Layer) -> tuple[object, ...]:
        sums = (source.carried[0].ravel(), target.carried[0].ravel(), self.total.ravel())
        return self._weights.ravel(), *sums, len(self.total), self.is_ring


class RingSums(Sums):
    """Sum j counts the partial tours with total voltage j; weight j of a pick is the number of its moves with voltage
    j."""

    is_ring = 1

    def __init__(self, weights: Sequence[np.ndarray]) -> None:
        super().__init__(weights)
        self.largest = max(int(each.sum(axis=1).max()) for each in weights)
        self.bounding = slice(None)


def _longer(numbers: np.ndarray) -> np.ndarray:
    """Add a digit to the numbers (last axis)."""
    return np.concatenate([numbers, -(numbers[..., -1:] >> np.uint64(63))], axis=-1)


class _Branching(Algebra):
    """Records all transitions of one layer at a time."""

    function = "march_ways"

    def begin(self, t: int, source: Layer, room: int) -> None:
        self.offsets = np.zeros(source.count + 1, dtype=np.int64)
        self.targets = np.empty(256 + room + 2 * source.count, dtype=np.int32)
        self.codes = np.empty(len(self.targets), dtype=np.int32)

    def arguments(self, source: Layer, target: Layer) -> tuple[object, ...]:
        return self.offsets, self.targets, self.codes

    def make_room(self, done: int, room: int) -> None:
        if self.offsets[done] + room > len(self.targets):
            self.targets, self.codes = (np.resize(each, 2 * len(each)) for each in (self.targets, self.codes))

    @property
    def size(self) -> int:
        return self.offsets.nbytes + self.targets.nbytes + self.codes.nbytes

    def ways(self) -> Ways:
        count = int(self.offsets[-1])
        return Ways(self.offsets, self.targets[:count].copy(), self.codes[:count].copy())


# ---------------------------------------------------------------- construction of layers


@dataclass
class Effort:
    """Cost and limits of one or several sums.

    watch: receives the progress, and limits states and memory; None for no limit.
    work: total `work_of` all graphs, 0 if unknown.
    plans: None, or a list that collects the plans of the graphs; then nothing is counted, and all sums are 0.
    states: number of states so far. worked: completed work. share: fraction of the free memory, without a limit.
    """

    watch: CountProgress | None = None
    work: float = 0.0
    plans: list[Plan] | None = None
    states: int = 0
    worked: float = 0.0
    share: float = 1.0

    def states_left(self) -> int:
        """Number of states that may still be created."""
        return MAX_STATES if self.watch is None else self.watch.budget.nodes_left(MAX_STATES)


def _limited_layers(
    plan: Plan, algebra: Algebra, effort: Effort, kept: Callable[[], int] = lambda: 0
) -> Iterator[Layer]:
    """Yield the layers of a plan within the limits of an effort. kept: returns the bytes of stored layers.

    Raises LimitReached at a limit, or if the frontier is wider than 62 (BoardError without a problem to count).
    """
    reason, watch = why_too_wide(plan), effort.watch
    if reason is not None:
        reason = f"this count is infeasible: {reason}"
        raise BoardError(reason) if watch is None else watch.limit_error(reason, help=_ESTIMATE)
    work = _work(plan)
    most = (None if watch is None else watch.most_bytes) or int(available_bytes() * effort.share)

    def report(t: int, states: int, within: float, held: int) -> None:
        if watch is None:
            return
        worked, made = effort.worked + float(work[t] + within * (work[t + 1] - work[t])), effort.states + states
        part = min(1.0, worked / effort.work) if effort.work else None
        watch.report(f"making states: square {t} of {len(plan.order)}", part, made)
        if kept() + held > most:
            reason = f"the states would need more than {in_words(most)} of memory ({made:,} were made)"
            raise watch.limit_error(reason, help=_ESTIMATE)

    for layer in layers(plan, algebra, report, effort.states_left):
        effort.states += layer.count
        yield layer
    effort.worked += float(work[-1])


def work_of(plan: Plan) -> float:
    """Return the relative work of the sums over a graph, estimated from the width of the frontier."""
    return float(_work(plan)[-1])


def _work(plan: Plan) -> np.ndarray:
    work = np.cumsum([0.0, *(3.0 ** min(mask.bit_count(), 600) for mask in plan.present)])
    # The first layers have far fewer states than their width suggests.
    return work * (work / work[-1])


# ---------------------------------------------------------------- boards


class StateCount(NamedTuple):
    """Number of tours by both conventions, and number of states."""

    undirected: int
    directed: int
    states: int


def count_states(problem: Problem, budget: Budget | None = None) -> StateCount:
    """Return the number of tours of a problem.

    budget: limits of time, of states (nodes), and of memory for the states, by default 0.6 of the free memory.

    Raises LimitReached at a limit, or if the frontier is too wide for any count, or the memory too small; plan.py
    predicts this.

    >>> count_states(Problem((5, 6), closed=True)).undirected
    8
    >>> count_states(Problem((5, 5)))
    StateCount(undirected=864, directed=1728, states=73621)
    """
    if square_count(problem.board) == 1:
        count = int(not problem.closed and not problem.partial)
        return StateCount(count, count, 1)
    plan, counts = plan_of_count(problem), Sums()
    effort = Effort(CountProgress(problem, budget, "states"), work_of(plan), states=1, share=STATES_SHARE)
    for _ in _limited_layers(plan, counts, effort):
        pass
    (complete,) = counts.complete
    return StateCount(complete, complete if has_given_end(problem) else 2 * complete, effort.states)


def list_ways(problem: Problem, budget: Budget | None = None) -> Network:
    """Return all states and ways that lead to a tour, with completions. Arguments and errors are as for `count_states`.

    >>> list_ways(Problem((5, 6), closed=True)).count
    8
    """
    if square_count(problem.board) == 1:
        # One way that joins nothing, if the tour is open.
        exists = int(not problem.closed)
        ways = Ways(
            np.arange(exists + 1, dtype=np.int64), np.full(exists, -1, dtype=np.int32), np.zeros(exists, dtype=np.int32)
        )
        return Network([ways], [np.ones(exists, dtype=np.int64)])
    plan, branching, made = make_plan(problem), _Branching(), list[Ways]()
    watch = CountProgress(problem, budget, "states")
    effort = Effort(watch, work_of(plan) / _PART_OF_STATES, states=1, share=STATES_SHARE)
    for _ in _limited_layers(plan, branching, effort, lambda: sum(ways.bytes for ways in made)):
        made.append(branching.ways())
    return complete_network(made, lambda part: watch.spend(0, _PART_OF_STATES + (1 - _PART_OF_STATES) * part))


# ---------------------------------------------------------------- graphs with weights


def cycle_sums(
    near: Sequence[Sequence[int]],
    weights: Weights,
    *,
    orders: Sequence[Sequence[int]] = (),
    ends: tuple[int, ...] = (),
    to_any: bool = False,
    effort: Effort | None = None,
) -> tuple[int, int]:
    """Return the two sums, over the Hamiltonian cycles of a graph, of the products of the weights of their edges.

    near: the neighbours of each vertex, without repetition. orders: candidate orders of the vertices. ends: with two
    vertices the sums are over the Hamiltonian paths between them, with one vertex and `to_any` over the paths that
    start there. Cycles and paths are undirected. Raises LimitReached if the memory is too small, and immediately if
    the frontier is wider than 62 (BoardError without `effort`); plan.py predicts this.

    >>> square = [[1, 3], [0, 2], [1, 3], [0, 2]]
    >>> cycle_sums(square, {(0, 1): (2, -1)})
    (2, -1)
    >>> cycle_sums(square, {}, ends=(0,), to_any=True)
    (2, 2)
    """
    order = _best_order(near, orders)
    plan = Plan(order, [list(x) for x in near], ends, has_virtual=to_any)

    def weight(v: int, u: int) -> np.ndarray:
        return np.array(weights.get((v, u)) or weights.get((u, v)) or (1, 1), dtype=np.int64)

    picks = [_weights_of_picks(plan, t, weight, np.multiply, np.ones(2, dtype=np.int64)) for t in range(len(order))]
    plus, other = _sum_over_tours(plan, Sums(picks), effort or Effort())
    return plus, other


def cycles_by_voltage(
    voltages: Voltages, modulus: int, *, orders: Sequence[Sequence[int]] = (), effort: Effort | None = None
) -> list[int]:
    """Return the number of Hamiltonian cycles of a graph by total voltage modulo a number; both directions count.

    A reversed edge has the opposite voltage, so states must record the direction of each path. Therefore each vertex
    becomes three: its entry, itself, and its exit.

    >>> cycles_by_voltage([{1: [0, 1], 2: [2]}, {2: [0], 0: [0, 2]}, {0: [1], 1: [0]}], 3)
    [0, 2, 2]
    """
    count = len(voltages)
    leads = [[u for u in to if u != v or count == 1] for v, to in enumerate(voltages)]
    near: list[list[int]] = [[] for _ in range(3 * count)]
    for v in range(count):
        for a, b in ((3 * v, 3 * v + 1), (3 * v + 1, 3 * v + 2), *((3 * v + 2, 3 * u) for u in leads[v])):
            near[a].append(b)
            near[b].append(a)
    plan = Plan([3 * v + k for v in _best_order(leads, orders) for k in range(3)], near)
    one = np.eye(1, modulus, dtype=np.int64)[0]

    def weight(a: int, b: int) -> np.ndarray:
        if {a % 3, b % 3} != {0, 2}:
            return one
        leaves, enters = (a, b) if a % 3 == 2 else (b, a)
        return np.bincount(np.array(voltages[leaves // 3][enters // 3]) % modulus, minlength=modulus)

    def both(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.sum([int(x[k]) * np.roll(y, k) for k in range(modulus)], axis=0)

    picks = [_weights_of_picks(plan, t, weight, both, one) for t in range(len(plan.order))]
    return _sum_over_tours(plan, RingSums(picks), effort or Effort())


def _best_order(near: Sequence[Sequence[int]], orders: Sequence[Sequence[int]]) -> list[int]:
    """Return the most promising of the given orders and some narrow ones."""
    whole = list(range(len(near)))
    given = [list(order) for order in orders] or [whole]
    firsts = sorted({end for order in given for end in (order[0], order[-1])})
    candidates = [*given, *(narrowest_first(near, first, whole) for first in firsts)]
    return min(candidates, key=lambda order: expected_states(order, near))


def _weights_of_picks(
    plan: Plan,
    t: int,
    weight: Callable[[int, int], np.ndarray],
    both: Callable[[np.ndarray, np.ndarray], np.ndarray],
    single: np.ndarray,
) -> np.ndarray:
    """Return the weights of the moves of each pick of a step: int64 (picks, sums).

    weight: function of an edge. both: combines the weights of two edges. one: the weight without an edge.
    """
    square_in = plan.later_squares(t)
    near = [weight(plan.order[t], square_in[a]) if a in square_in else single for a in plan.step(t).near]
    return np.array([single, *near, *(both(x, y) for x in near for y in near)], dtype=np.int64)


def _sum_over_tours(plan: Plan, algebra: Sums, effort: Effort) -> list[int]:
    if effort.plans is not None:
        effort.plans.append(plan)
        return [0] * len(algebra.total)
    for _ in _limited_layers(plan, algebra, effort):
        pass
    return algebra.complete
