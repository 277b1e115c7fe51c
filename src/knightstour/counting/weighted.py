"""Hamiltonian cycles and paths of a graph, counted with weights on its edges.

The frontier search (search/frontier) makes every state of a frontier. Here each state also carries two sums over all
ways to it: of the products of the weights of the moves taken. An edge has two whole weights, one for each sum. With
weights 1 a sum is the number of tours, with the number of parallel edges as weight the number of tours of a multigraph,
and with signs the number of even tours less that of odd ones. symmetric.py needs the last two at once.

Cost: some 4 us a state interpreted, 0.3 us compiled, with 48 bytes a state of the two widest layers. The sums are
exact: they are held in 64 bits while a bound on them says that they fit, else modulo as many primes as are needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.counting.means import Watch
from knightstour.counting.residues import primes, refined
from knightstour.kernels.counting import quotient as kernel
from knightstour.kernels.counting.frontier import MADE, ROOM, Steps
from knightstour.machine import engine
from knightstour.machine.memory import available_bytes
from knightstour.model.errors import ProblemError
from knightstour.model.wording import in_words
from knightstour.search.frontier.plan import Plan, expected_states, narrowest_first
from knightstour.search.frontier.steps import expand, packed, steps_as_arrays

# (vertex, vertex) in either order -> the two weights of that edge; an edge without an entry has (1, 1). The first is at
# least 0 and the size of the second is no larger, so that the first sum bounds the other.
Weights = Mapping[tuple[int, int], tuple[int, int]]


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
_MOST_SLOTS = 62
# States interpreted before the compiled form is loaded, and in a process that has it loaded.
_MOST_INTERPRETED, _MOST_INTERPRETED_WHEN_LOADED = 40_000, 500
# States expanded between two chances to stop.
_SLICE = 1 << 16
# Half of what 64 bits hold, so that a float may be compared with it.
_FITS = 2.0**62


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
    effort = Effort() if effort is None else effort
    whole = list(range(len(near)))
    given = [list(order) for order in orders] or [whole]
    firsts = sorted({end for order in given for end in (order[0], order[-1])})
    candidates = [*given, *(narrowest_first(near, first, whole) for first in firsts)]
    order = min(candidates, key=lambda order: expected_states(order, near))
    plan = Plan(order, [list(x) for x in near], ends, has_virtual=to_any)
    if effort.plans is not None:
        effort.plans.append(plan)
        return 0, 0
    if plan.slots > _MOST_SLOTS:
        raise ProblemError(
            f"this count goes through a frontier of {plan.slots} squares, and can do {_MOST_SLOTS} at most",
            help=_ESTIMATE,
        )
    most = _MOST_INTERPRETED_WHEN_LOADED if engine.is_loaded(kernel) else _MOST_INTERPRETED
    sums = _interpreted(plan, weights, most) or _compiled(plan, weights, 0, effort)
    sums = sums or _by_residues(plan, weights, effort, to_any)
    effort.states += sums.states
    effort.worked += work_of(plan)
    return sums.one, sums.other


def work_of(plan: Plan) -> float:
    """The work of the sums over a graph, to be compared with that of others: a guess from the frontier's width."""
    return float(_work(plan)[-1])


def _work(plan: Plan) -> np.ndarray:
    """The work of the layers before each step, and last that of all layers."""
    work = np.cumsum([0.0, *(3.0 ** min(mask.bit_count(), 600) for mask in plan.present)])
    # The first layers have far fewer states than their width promises.
    return work * (work / work[-1])


class _Sums(NamedTuple):
    """The two sums, and how many states were made for them."""

    one: int
    other: int
    states: int


def _by_residues(plan: Plan, weights: Weights, effort: Effort, to_any: bool) -> _Sums:
    """The sums modulo as many primes as it takes."""
    # Each vertex of a directed cycle takes one of its edges, so this bounds the sums.
    bound = math.prod(sum(abs(_weight(weights, v, u)[0]) for u in plan.near[v]) + to_any for v in plan.order)
    product, one, other, states = 1, 0, 0, 0
    for prime in primes():
        found = _compiled(plan, weights, prime, effort)
        assert found is not None
        one, other = (refined(value, product, new, prime) for value, new in ((one, found.one), (other, found.other)))
        states += found.states
        product *= prime
        if product > 2 * bound:
            break
    return _Sums(one, other, states)


def _weight(weights: Weights, v: int, u: int) -> tuple[int, int]:
    return weights.get((v, u)) or weights.get((u, v)) or (1, 1)


def _interpreted(plan: Plan, weights: Weights, most: int) -> _Sums | None:
    """The sums by Python's dictionaries and ints; None where there are more than `most` states."""
    layer = {plan.first: (1, 1)}
    totals = [0, 0]
    made = 0
    for t, v in enumerate(plan.order):
        step = plan.step(t)
        weight_of = {slot: _weight(weights, v, u) for slot, u in plan.later_squares(t).items()}
        following: dict[int, tuple[int, int]] = {}
        for key, sums in layer.items():
            picks: list[tuple[int, ...]] = []
            children = expand(plan, step, key, picks)
            for child, pick in zip(children, picks, strict=True):
                one, other = sums
                for slot in pick:
                    w = weight_of.get(slot, (1, 1))
                    one, other = one * w[0], other * w[1]
                if child < 0:
                    totals[0] += one
                    totals[1] += other
                else:
                    before = following.get(child, (0, 0))
                    following[child] = (before[0] + one, before[1] + other)
        layer = following
        made += len(layer)
        if made > most:
            return None
    return _Sums(totals[0], totals[1], made)


# ---------------------------------------------------------------- compiled


class _Layer:
    """One layer as kernels/counting/quotient.py describes it."""

    def __init__(self, words: int, room: int) -> None:
        self.count = 0
        self.keys = np.empty((room, words), dtype=np.int64)
        self.values = np.empty((room, 2), dtype=np.int64)
        self.index = np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int32)

    @property
    def bytes(self) -> int:
        return self.keys.nbytes + self.values.nbytes + self.index.nbytes


def _compiled(plan: Plan, weights: Weights, prime: int, effort: Effort) -> _Sums | None:
    """The sums by the kernel, modulo a prime unless that is 0; None where they may not fit into 64 bits."""
    steps, words = steps_as_arrays(plan)
    table = _weight_table(plan, weights, steps.near.shape[1])
    largest = int(np.abs(table).max())
    source = _Layer(words, 1)
    source.keys[0] = packed(plan.first, plan, steps, words)
    source.values[0] = 1
    source.count = 1
    found = np.zeros(2, dtype=np.int64)
    totals = [0, 0]
    work = _work(plan)
    made = 0
    for t in range(len(plan.order)):
        room = int(steps.info[t, ROOM])
        # The first sum of a layer bounds both, and no step makes more of it than this.
        if prime == 0 and source.values[: source.count, 0].sum(dtype=np.float64) * room * largest**2 >= _FITS:
            return None
        found[:] = 0
        step = _Step(plan, steps, table, t, prime, found)

        def report(states: int, within: float, t: int = t, made: int = made) -> None:
            effort.report(t, len(plan.order), made + states, float(work[t] + within * (work[t + 1] - work[t])))

        source = _expanded(step, source, _Layer(words, 256 + room + source.count), effort.most_bytes, report)
        made += source.count
        totals = [total + int(sum_found) for total, sum_found in zip(totals, found, strict=True)]
    return _Sums(totals[0], totals[1], made)


class _Step(NamedTuple):
    """One step of a plan for the kernel. steps: of the whole plan, as arrays. table: the weights. found: receives the
    two sums over what the step completes."""

    plan: Plan
    steps: Steps
    table: np.ndarray
    t: int
    prime: int
    found: np.ndarray


def _weight_table(plan: Plan, weights: Weights, widest: int) -> np.ndarray:
    """The weights of the moves of each step, as the kernel wants them: int64 (step, place, 2)."""
    table = np.ones((len(plan.order), widest, 2), dtype=np.int64)
    for t, v in enumerate(plan.order):
        square_in = plan.later_squares(t)
        for place, slot in enumerate(plan.step(t).near):
            if slot in square_in:
                table[t, place] = _weight(weights, v, square_in[slot])
    return table


def _expanded(
    step: _Step,
    source: _Layer,
    target: _Layer,
    most_bytes: int | None,
    report: Callable[[int, float], None],
) -> _Layer:
    """The layer after `source`, made a slice at a time in `target`, or in a larger layer where that is too small.

    report: called with the number of its states so far, and which part of it is done.
    """
    plan, t = step.plan, step.t
    counters = np.zeros(2, dtype=np.int64)
    child = np.zeros(source.keys.shape[1], dtype=np.int64)
    asked = (step.steps, step.table, t, plan.virtual, plan.field_mask, step.prime, source.keys, source.values)
    while counters[kernel.NEXT] < source.count:
        upto = min(source.count, int(counters[kernel.NEXT]) + _SLICE)
        made = (target.keys, target.values, target.index, child, step.found, counters)
        status = engine.doors(kernel).expand(*asked, upto, *made)
        target.count = int(counters[MADE])
        report(target.count, int(counters[kernel.NEXT]) / source.count)
        if status == kernel.FULL:
            left = available_bytes() if most_bytes is None else most_bytes - source.bytes - target.bytes
            if 2 * target.bytes > left:
                raise TooManyStates(
                    f"after {t} of {len(plan.order)} steps this count has {target.count:,} states, and more would not "
                    "fit into the memory",
                    note=f"they take {in_words(source.bytes + target.bytes)}",
                    help=_ESTIMATE,
                )
            target = _grown(target)
    return target


def _grown(layer: _Layer) -> _Layer:
    """A layer with twice the room."""
    larger = _Layer(layer.keys.shape[1], 2 * len(layer.keys))
    larger.keys[: layer.count] = layer.keys[: layer.count]
    larger.values[: layer.count] = layer.values[: layer.count]
    larger.count = layer.count
    engine.doors(kernel).reindex(larger.keys, layer.keys.shape[1], larger.index, 0, layer.count)
    return larger


def load() -> None:
    """Load the kernel, compiled where that is due, with a graph of four vertices."""
    plan = Plan([0, 1, 2, 3], [[1, 3], [0, 2], [1, 3], [0, 2]])
    _compiled(plan, {}, 0, Effort())
    _grown(_Layer(1, 16))
