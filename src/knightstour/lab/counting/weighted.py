"""Algebra "sums" on keys: Hamiltonian cycles and paths of a graph, counted with weights on its edges.

The frontier search (core/search/frontier) makes every state of a frontier. Here each state also carries two sums over
all ways to it: of the products of the weights of the moves taken. An edge has two whole weights, one for each sum. With
weights 1 a sum is the number of tours, with the number of parallel edges as weight the number of tours of a multigraph,
and with signs the number of even tours less that of odd ones. symmetric.py needs the last two at once.

Cost: 0.2 us a state, with 60 bytes a state of the two widest layers. The sums are exact, in as many digits
as they need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.wording import in_words
from knightstour.core.search.frontier.marching import layers, why_too_wide
from knightstour.core.search.frontier.plan import Plan, expected_states, narrowest_first
from knightstour.lab.counting.settings import Watch
from knightstour.lab.counting.states import RingSums, Sums

# (vertex, vertex) in either order -> the two weights of that edge; an edge without an entry has (1, 1). The first is at
# least 0 and the size of the second is no larger, so that the first sum bounds the other.
Weights = Mapping[tuple[int, int], tuple[int, int]]
# Of each vertex: the next one -> the voltages of the edges that lead there.
Voltages = Sequence[Mapping[int, Sequence[int]]]


@dataclass
class Effort:
    """What the sums of one count or several take, and may take.

    watch: receives the progress, and limits the states and the memory; None for no limit.
    work: the `work_of` all the graphs to come, 0 if that is not known.
    plans: None, or a list to which the plans of the graphs are added; then nothing is counted, and all sums are 0.
    states: made so far. worked: the work that is done.
    """

    watch: Watch | None = None
    work: float = 0.0
    plans: list[Plan] | None = None
    states: int = 0
    worked: float = 0.0

    @property
    def most_bytes(self) -> int | None:
        """Memory for layers, None for what is free."""
        return None if self.watch is None else self.watch.most_bytes

    def report(self, step: int, steps: int, made: int, worked: float) -> None:
        """Report the states and the work done for the graph at work, and which of its steps this is."""
        if self.watch is not None:
            part = min(1.0, (self.worked + worked) / self.work) if self.work else None
            self.watch.report(f"making states: square {step} of {steps}", part, self.states + made)


class TooManyStates(ProblemError):
    """The memory ended before the sums were there."""


_ESTIMATE = "estimate the number of tours instead: estimate_count(board), or `knightstour count BOARD --estimate N`"


def cycle_sums(
    near: Sequence[Sequence[int]],
    weights: Weights,
    *,
    orders: Sequence[Sequence[int]] = (),
    ends: tuple[int, ...] = (),
    to_any: bool = False,
    effort: Effort | None = None,
) -> tuple[int, int]:
    """The two sums over the Hamiltonian cycles of a graph of the products of the weights of their edges.

    near: the neighbours of each vertex, each once. orders: ways to go through the vertices that may suit the graph.
    ends: with two vertices the sums go over the Hamiltonian paths between them, with one vertex and `to_any` over those
    that start there. Every cycle and path counts once, not once a direction. Raises ProblemError at once where the
    frontier is wider than 62, and TooManyStates where the memory ends; refusals.py foresees that.

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
    plus, other = _summed(plan, Sums(picks), effort or Effort())
    return plus, other


def cycles_by_voltage(
    voltages: Voltages, modulus: int, *, orders: Sequence[Sequence[int]] = (), effort: Effort | None = None
) -> list[int]:
    """How many Hamiltonian cycles of a graph have which sum of voltages, modulo a number, each way round counted.

    An edge that is walked backwards has the opposite voltage; so the states must know the direction of each path. They
    are those of a graph with three vertices for each, where it is entered, itself, and where it is left.

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
    return _summed(plan, RingSums(picks), effort or Effort())


def _best_order(near: Sequence[Sequence[int]], orders: Sequence[Sequence[int]]) -> list[int]:
    """The vertices in the most promising order: of those given, and those that keep the frontier narrow."""
    whole = list(range(len(near)))
    given = [list(order) for order in orders] or [whole]
    firsts = sorted({end for order in given for end in (order[0], order[-1])})
    candidates = [*given, *(narrowest_first(near, first, whole) for first in firsts)]
    return min(candidates, key=lambda order: expected_states(order, near))


def work_of(plan: Plan) -> float:
    """The work of the sums over a graph, to be compared with that of others: a guess from the frontier's width."""
    return float(_work(plan)[-1])


def _work(plan: Plan) -> np.ndarray:
    """The work of the layers before each step, and last that of all layers."""
    work = np.cumsum([0.0, *(3.0 ** min(mask.bit_count(), 600) for mask in plan.present)])
    # The first layers have far fewer states than their width promises.
    return work * (work / work[-1])


def _weights_of_picks(
    plan: Plan,
    t: int,
    weight: Callable[[int, int], np.ndarray],
    both: Callable[[np.ndarray, np.ndarray], np.ndarray],
    one: np.ndarray,
) -> np.ndarray:
    """The weights of the moves of each pick of a step: int64 (picks, sums).

    weight: of the edge of two vertices. both: of two edges, by those of each. one: that of no edge.
    """
    square_in = plan.later_squares(t)
    near = [weight(plan.order[t], square_in[a]) if a in square_in else one for a in plan.step(t).near]
    return np.array([one, *near, *(both(x, y) for x in near for y in near)], dtype=np.int64)


def _summed(plan: Plan, summing: Sums, effort: Effort) -> list[int]:
    """The sums over whole tours."""
    if effort.plans is not None:
        effort.plans.append(plan)
        return [0] * len(summing.total)
    excuse = why_too_wide(plan)
    if excuse is not None:
        raise ProblemError(f"this count is infeasible: {excuse}", help=_ESTIMATE)
    most = available_bytes() if effort.most_bytes is None else effort.most_bytes
    work, steps = _work(plan), len(plan.order)
    made = 0

    def report(t: int, states: int, within: float, held: int) -> None:
        effort.report(t, steps, made + states, float(work[t] + within * (work[t + 1] - work[t])))
        if held > most:
            raise TooManyStates(
                f"after {t} of {steps} steps this count has {states:,} states, and more would not fit into the memory",
                note=f"they take {in_words(held)}",
                help=_ESTIMATE,
            )

    for layer in layers(plan, summing, report):
        made += layer.count
    effort.states += made
    effort.worked += work_of(plan)
    return summing.complete
