"""How many states a count would make, estimated in a fraction of a second, before any of them is made.

Two numbers can be found for each layer:

- *Half-made tours*: how many have dealt with the same squares. A few hundred are drawn at random, each is taken one
  step on, and a few hundred of the outcomes are drawn again. The factor by which they grow in each step gives an
  unbiased estimate of their number.
- *Possible* states: the number of ways in which the squares of the frontier can be bare, inner or ends, and the ends
  belong together. Some squares cannot be all three, such as those next to a corner, or on boards of long leapers; the
  half-made tours that were drawn show how free they are.

Every state has one half-made tour or more, and is a possible one. How many states there are depends on how evenly
half-made tours are spread over the possible ones. One curve (`_filled`), fitted to ninety boards that were counted in
full, serves for all: half of the estimates are within a factor of 1.5, and those of all but the smallest within three.

Sources: D. E. Knuth, Estimating the efficiency of backtrack programs, 1975; R. Rubinstein, Stochastic enumeration
method for counting NP-hard problems, 2013.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.kernels.counting import classes as kernel
from knightstour.core.machine.native import door
from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem
from knightstour.core.search.frontier.plan import Plan
from knightstour.core.search.frontier.steps import CLOSED, expand
from knightstour.lab.counting.halves.cut import Cut, Half

# Half-made tours that are followed, and how many may arise from them in one step; where more would, fewer are followed.
_POPULATION = 400
_MOST_CHILDREN = 4000
# With more states at once than this, larger figures say nothing more.
MOST_STATES = 1e18
# The possible states of wider frontiers are no more: half-made tours alone say how many states there can be.
_MOST_WIDTH = 100
# Half-made tours that show how free the squares of the frontier are.
_LOOKED_AT = 150
# The curve: see _filled. From so small a number of half-made tours the freedom of squares comes out too small.
_UNEVEN = 0.08
_UNSEEN = 2.0

# Which squares are ends, and which are inner, in examples: bool, (examples, squares).
_Kinds: TypeAlias = tuple[np.ndarray, np.ndarray]


class Forecast(NamedTuple):
    """What a count would make; the figures are estimates.

    widest, total: states of the widest layer, and of all layers. looked_at: states looked at to make them, one for each
    way from a state. at_once: states of the two layers at work, the most at any time. classes, most_classes: classes of
    all layers, and of one; 0 where they play no part. is_cut_off: the layers grew past MOST_STATES, so that later ones
    were not looked at.
    """

    widest: float
    total: float
    looked_at: float
    at_once: float
    classes: float = 0.0
    most_classes: float = 0.0
    is_cut_off: bool = False


def guess_states(plan: Plan) -> tuple[float, float]:
    """A first guess at the number of states of the widest layer, and of all layers, from the width of the frontier.

    Each slot makes 2.4 times the states: right within a factor of thirty. The numbering of tours depends on this guess
    (spaces/tour_space.py), so it must never change.
    """
    layers = [0.3 * 2.4 ** min(mask.bit_count(), 700) for mask in plan.present]
    return max(layers), sum(layers)


@functools.cache
def most_states(slots: int, may_cross: bool = True) -> float:
    """How many states a frontier of this width can have at all. may_cross: whether any two of four ends may be mates.

    >>> [most_states(slots) for slots in (0, 1, 2, 3, 4)]
    [1.0, 2.0, 5.0, 14.0, 43.0]
    >>> [most_states(slots, may_cross=False) for slots in (0, 1, 2, 3, 4)]
    [1.0, 2.0, 5.0, 14.0, 42.0]
    """
    slots = min(slots, _MOST_WIDTH)
    if not may_cross:
        # A Catalan number (Touchard 1928).
        return math.comb(2 * slots + 2, slots + 1) / (slots + 2)
    before, here = 0.0, 1.0
    for slot in range(slots):
        # The new one is bare, inner, or the mate of another.
        before, here = here, 2 * here + slot * before
    return here


def forecast_states(plan: Plan, board: Board) -> Forecast:
    """The layers that states.py would make in the order of a plan, or weighted.py of a smaller graph that a board is
    folded to.

    >>> from knightstour.core.model.problem import Problem
    >>> from knightstour.core.search.frontier.plan import make_plan
    >>> problem = Problem.of((6, 8), closed=True)
    >>> 974_579 / 3 < forecast_states(make_plan(problem), problem.board).widest < 974_579 * 3
    True
    """
    layers: list[_Layer] = []
    for drawn in _half_made(plan):
        possible = drawn.freedom * most_states(drawn.width + (plan.virtual >= 0), _may_cross(board))
        layers.append(_Layer(_filled(possible, drawn.made), drawn.branch))
        if layers[-1].states > MOST_STATES:
            break
    return _forecast_of(layers)


def forecast_halves(problem: Problem, cut: Cut) -> Forecast:
    """The layers that layers.py would make for the halves of a cut.

    >>> from knightstour.lab.counting.halves.cut import the_cut
    >>> problem = Problem.of((7, 8), closed=True)
    >>> 520_023 / 2 < forecast_halves(problem, the_cut(problem)).widest < 520_023 * 2
    True
    """
    # The end of a tour that is not given may be the mate of a square.
    loose = int(cut.ends > 0 and (problem.start is None or problem.end is None))
    layers: list[_Layer] = []
    left_layers = 0
    for half in (cut.left,) if cut.is_even else (cut.left, cut.right):
        image = 1.0
        for t, drawn in enumerate(_half_made_classes(half)):
            if t in half.folds:
                image = 2.0
            if half is not cut.left and t < cut.shared:
                continue
            possible = drawn.freedom * most_states(drawn.width + loose, _may_cross(problem.board))
            # Where no end of the tour is placed, the number of ends is even.
            kinds = 3.0 ** min(drawn.width, _MOST_WIDTH) / (1 if cut.ends else 2)
            classes = min(drawn.made, drawn.freedom * kinds)
            layers.append(_Layer(_filled(possible, drawn.made) / image, drawn.branch, classes / image))
            if layers[-1].states > MOST_STATES:
                return _forecast_of(layers, left_layers)
        left_layers = left_layers or len(layers)
    return _forecast_of(layers, left_layers)


class _Layer(NamedTuple):
    """states: of a layer. branch: the number of ways from a state of the layer before. classes: of the layer."""

    states: float
    branch: float
    classes: float = 0.0


def _forecast_of(layers: list[_Layer], left_layers: int = 0) -> Forecast:
    """The forecast of layers, those of the left half before those of the right. left_layers: 0 where all are left."""
    states, branches, classes = np.array(layers, dtype=np.float64).reshape(-1, 3).T
    two = states[:-1] + states[1:]
    if left_layers:
        # While the right half is made, the last layer of the left half waits.
        two[left_layers:] += states[left_layers - 1]
    return Forecast(
        float(states.max(initial=1.0)),
        float(states.sum()),
        float((np.concatenate([[1.0], states[:-1]]) * branches).sum()),
        float(two.max(initial=1.0)),
        float(classes.sum()),
        float(classes.max(initial=1.0)),
        bool(layers and states[-1] > MOST_STATES),
    )


def _filled(possible: float, made: float) -> float:
    """How many of the possible states have a half-made tour. made: the number of half-made tours.

    If these were spread evenly, their number in a state would have a Poisson distribution. In fact its mean differs
    from state to state; a gamma distribution with a shape far below 1 fits.
    """
    if possible <= 0 or made <= 0:
        return 0.0
    possible *= _UNSEEN
    return min(made, possible * -float(np.expm1(-_UNEVEN * np.log1p(made / (possible * _UNEVEN)))))


def _may_cross(board: Board) -> bool:
    """Whether paths can cross each other. They cannot where moves lead only to the next square; graphs are taken to be
    drawn without crossings too."""
    return board.graph is None and max(board.leaper) > 1


# ---------------------------------------------------------------- half-made tours


class _Drawn(NamedTuple):
    """What the half-made tours that were drawn say of a layer. made: the number of half-made tours. branch: the number
    that one of the layer before becomes. width: squares of the frontier. freedom: see `_freedom`."""

    made: float
    branch: float
    width: int
    freedom: float


def _half_made(plan: Plan) -> Iterator[_Drawn]:
    """The layers of a plan."""

    def children_of(t: int, population: list[int], _: random.Random) -> list[int]:
        step = plan.step(t)
        return [child for key in population for child in expand(plan, step, key) if child != CLOSED]

    def kinds_of(t: int, shown: list[int]) -> _Kinds:
        step = plan.step(t)
        squares = step.present & ~(1 << step.slot) & ~(1 << plan.virtual if plan.virtual >= 0 else 0)
        slots = [slot for slot in range(plan.slots) if squares >> slot & 1]
        fields = [plan.field_mask << plan.shifts[slot] for slot in slots]
        ends = np.array([[key & field != 0 for field in fields] for key in shown], dtype=bool)
        return ends, np.array([[key >> slot & 1 for slot in slots] for key in shown], dtype=bool)

    return _drawn(plan.first, len(plan.order), children_of, kinds_of)


def _half_made_classes(half: Half) -> Iterator[_Drawn]:
    """The layers of a half, drawn by classes alone; chance decides which ends belong together."""
    list_children = door("classes_list_children")

    def children_of(t: int, population: list[int], generator: random.Random) -> list[int]:
        children, ops = np.empty((2, kernel.MOST_CHOICES * len(population)), dtype=np.int64)
        starts = np.empty(len(population) + 1, dtype=np.int64)
        stepping = kernel.Stepping(half.steps[t], 0, np.empty(0, dtype=np.int64))
        made = list_children(stepping, np.array(population, dtype=np.int64), children, ops, starts)
        listed = list(zip(children[:made].tolist(), kernel.names_of(ops[:made]).tolist(), strict=True))
        found = []
        for c, (first, last) in zip(population, itertools.pairwise(starts.tolist()), strict=True):
            # The chance that two ends are mates, which cannot be joined.
            lost = 1 / max(1, kernel.ends_of(c).bit_count() - (kernel.placed_in(c) != 1))
            for child, name in listed[first:last]:
                if name not in (kernel.JOIN, kernel.LOOSEN_LAST) or generator.random() >= lost:
                    found.append(child)
        return found

    def kinds_of(t: int, shown: list[int]) -> _Kinds:
        squares = half.slots_at[t + 1] if t + 1 < len(half.slots_at) else half.slot_of
        slots = np.array(sorted(squares.values()), dtype=np.int64)
        classes = np.array(shown, dtype=np.int64)[:, None]
        return kernel.ends_of(classes) >> slots & 1 != 0, kernel.inner_of(classes) >> slots & 1 != 0

    return _drawn(0, len(half.steps), children_of, kinds_of)


def _drawn(
    first: int,
    steps: int,
    children_of: Callable[[int, list[int], random.Random], list[int]],
    kinds_of: Callable[[int, list[int]], _Kinds],
) -> Iterator[_Drawn]:
    """What is drawn in each step, from one half-made tour on.

    children_of, kinds_of: what a step makes of some, and which squares are ends and which inner in some after it.
    """
    generator = random.Random(0)
    population, weight = [first], 1.0
    for t in range(steps):
        children = children_of(t, population, generator)
        before = len(population)
        population, made = _some_of(children, generator, before)
        ends, inner = kinds_of(t, population[:_LOOKED_AT])
        width = ends.shape[1] if ends.size else 0
        yield _Drawn(weight * len(children), len(children) / max(1, before), width, _freedom(ends, inner))
        weight *= made


def _some_of(children: list[int], generator: random.Random, parents: int) -> tuple[list[int], float]:
    """The children that are followed, and how many children each of them counts for. parents: their number."""
    wanted = min(_POPULATION, 1 + _MOST_CHILDREN * parents // max(1, len(children)))
    if len(children) <= wanted:
        return children, 1.0
    return generator.sample(children, wanted), len(children) / wanted


def _freedom(ends: np.ndarray, inner: np.ndarray) -> float:
    """How freely squares are bare, inner or ends: a product over the squares.

    A square has 1 if it is all three equally often, and 1 / 3 if it is always the same.
    """
    if not ends.size:
        return 1.0
    shares = np.stack([ends.mean(axis=0), inner.mean(axis=0), 1 - ends.mean(axis=0) - inner.mean(axis=0)])
    return float(np.prod(np.sqrt(np.maximum(shares, 0)).sum(axis=0) ** 2 / 3))
