"""How many states a count would make, estimated in a fraction of a second, before any of them is made.

Two numbers can be found for each layer:

- *Half-made tours*: how many have dealt with the same squares. A few hundred are drawn at random, each is taken one
  step on, and a few hundred of the outcomes are drawn again. The factor by which they grow in each step gives an
  unbiased estimate of their number.
- *Possible* states: the number of ways in which the squares of the frontier can be bare, inner or ends, and the ends
  belong together, so that the moves add up. On a board of two colours each move has an end on each colour, which fixes
  how many more ends the frontier has on one colour than on the other. Some squares cannot be all three, such as those
  next to a corner, or on boards of long leapers; the half-made tours that were drawn show how free they are.

Every state has one half-made tour or more, and is a possible one. How many states there are depends on how evenly
half-made tours are spread over the possible ones. One curve (`_filled`), fitted to the widest layers of ninety boards
that were counted in full, serves for all: it was right within a factor of four on all but the smallest of them.

Sources: D. E. Knuth, Estimating the efficiency of backtrack programs, 1975; R. Rubinstein, Stochastic enumeration
method for counting NP-hard problems, 2013.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.kernels.counting import classes as kernel
from knightstour.core.machine.native import door
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.facts import colour_classes
from knightstour.core.search.frontier.plan import Plan
from knightstour.core.search.frontier.steps import CLOSED, expand
from knightstour.lab.counting.halves.cut import Cut, Half

# Half-made tours that are followed, and how many may arise from them in one step; where more would, fewer are followed.
_POPULATION = 400
_MOST_CHILDREN = 4000
# With more states at once than this, larger figures say nothing more.
MOST_STATES = 1e18
# The possible states of wider frontiers are not counted: half-made tours alone say how many states there can be.
_MOST_WIDTH = 100
# Half-made tours that show how free the squares of the frontier are.
_LOOKED_AT = 150
# The curve: see _filled. From so small a number of half-made tours the freedom of squares comes out too small.
_UNEVEN = 0.15
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


def most_states(slots: int) -> float:
    """How many states a frontier of this width can have at all.

    >>> [most_states(slots) for slots in (0, 1, 2, 3)]
    [1.0, 2.0, 5.0, 14.0]
    """
    before, here = 0.0, 1.0
    for slot in range(min(slots, _MOST_WIDTH)):
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
    ends = 2 if plan.ends or plan.virtual >= 0 else 0
    frontiers = _frontiers(plan.order, plan.near, plan.ends, ends, _may_cross(board), are_held=True)
    layers: list[_Layer] = []
    for frontier, drawn in zip(frontiers, _half_made(plan), strict=False):
        layers.append(_Layer(_filled(drawn.freedom * frontier.states(), drawn.made), drawn.branch))
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
    near = move_graph(problem.board).neighbour_lists()
    given = tuple(s for s in (problem.start_index, problem.end_index) if s is not None and cut.ends)
    layers: list[_Layer] = []
    left_layers = 0
    for half in (cut.left,) if cut.is_even else (cut.left, cut.right):
        frontiers = list(_frontiers(half.squares, near, given, cut.ends, _may_cross(problem.board)))
        image = 1.0
        for t, drawn in enumerate(_half_made_classes(half)):
            # The last steps deal with no square: they decide which squares of the middle are ends.
            frontier = frontiers[min(t, len(frontiers) - 1)]
            if t in half.folds:
                image = 2.0
            if half is not cut.left and t < cut.shared:
                continue
            states = _filled(drawn.freedom * frontier.states(), drawn.made)
            classes = min(drawn.made, drawn.freedom * frontier.classes())
            layers.append(_Layer(states / image, drawn.branch, classes / image))
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
    if possible == float("inf"):
        return made
    possible *= _UNSEEN
    return min(made, possible * -float(np.expm1(-_UNEVEN * np.log1p(made / (possible * _UNEVEN)))))


# ---------------------------------------------------------------- possible states


class _Frontier(NamedTuple):
    """The frontier when some squares are done.

    squares: the number of squares of the frontier of each colour, and of the given ends of the tour of each colour that
    hold a slot from the start, which are not among the others; all are of one colour on a board without two
    (`has_colours`). surplus: the black ends less the white ones, where an inner square counts as two; the moves of the
    squares that are done fix it. known, most: how many ends of the tour are placed, at least and at most; the known
    ones are given, and their colours are in `surplus`. may_cross: whether any two of four ends may be mates.
    """

    squares: tuple[int, ...]
    has_colours: bool
    surplus: int
    known: int
    most: int
    may_cross: bool

    def states(self) -> float:
        """How many states it can have."""
        return self._count(lambda most: _pairings(most, self.may_cross))

    def classes(self) -> float:
        """How many classes of states it can have."""
        return self._count(np.ones)

    def _count(self, matchings: Callable[[int], np.ndarray]) -> float:
        """matchings: how often each number of ends counts, up to a number."""
        if sum(self.squares[:2]) > _MOST_WIDTH:
            return float("inf")
        table = _mixes(self.squares, self.has_colours)
        middle = table.shape[1] // 2
        total = 0.0
        for placed in range(self.known, self.most + 1):
            # A path whose other end is the end of the tour has its mate outside.
            loose = int(placed == 1)
            free = placed - self.known
            ways = matchings(table.shape[0] + loose)
            for shift in range(-free, free + 1, 2) if self.has_colours else (0,):
                column = middle + self.surplus + shift if self.has_colours else middle
                if 0 <= column < table.shape[1]:
                    ends = table[loose::2, column]
                    total += float(ends @ ways[2 * loose :: 2][: len(ends)])
        return total


@functools.lru_cache(maxsize=1 << 12)
def _mixes(squares: tuple[int, ...], has_colours: bool) -> np.ndarray:
    """The number of ways in which squares can be bare, inner or ends: float64, by the number of ends, and by the black
    ends less the white ones, from -2 width to 2 width. Arguments as in `_Frontier`; given ends are never bare."""
    width = sum(squares)
    table = np.zeros((width + 1, 4 * width + 1))
    table[0, 2 * width] = 1.0
    for kind, count in enumerate(squares):
        step = (1 - 2 * (kind % 2)) if has_colours else 0
        is_fixed = kind >= 2
        for _ in range(count):
            ended = np.zeros_like(table)
            ended[1:] = np.roll(table[:-1], 0 if is_fixed else step, axis=1)
            inner = np.roll(table, step if is_fixed else 2 * step, axis=1)
            table = inner + ended + (0 if is_fixed else table)
    return table


@functools.lru_cache(maxsize=1 << 8)
def _pairings(most: int, may_cross: bool) -> np.ndarray:
    """The number of ways to pair 0 .. most ends: float64, 0 for odd numbers. Without crossings: Catalan numbers."""
    ways = np.zeros(most + 2)
    ways[0] = 1.0
    for ends in range(2, most + 1, 2):
        ways[ends] = ways[ends - 2] * (ends - 1 if may_cross else 4 * (ends - 1) / (ends + 2))
    return ways


def _frontiers(
    order: Sequence[int],
    near: Sequence[Sequence[int]],
    given: Sequence[int],
    ends: int,
    crosses: bool,
    *,
    are_held: bool = False,
) -> Iterator[_Frontier]:
    """The frontier after each square. given: squares that are given ends of the tour. ends: the number of ends that it
    has. are_held: whether the given ones hold a slot, and so are placed, from the outset."""
    classes = colour_classes(Board.from_graph(dict(enumerate(near))))
    colour = [0] * len(near) if classes is None else classes.tolist()
    held = given if are_held else ()
    done: set[int] = set()
    frontier: set[int] = set(held)
    # Squares of each colour in the frontier: first those that are not held.
    sides = [0, 0, 0, 0]
    for v in held:
        sides[2 + colour[v]] += 1
    surplus = 0
    for v in order:
        for u in (v, *near[v]):
            if u not in done and u not in frontier:
                frontier.add(u)
                sides[colour[u]] += 1
        frontier.discard(v)
        sides[2 * (v in held) + colour[v]] -= 1
        done.add(v)
        moves = 1 if v in given else 2
        surplus += moves if colour[v] else -moves
        known = sum(v in done or are_held for v in given)
        yield _Frontier(tuple(sides), classes is not None, surplus, known, ends - len(given) + known, crosses)


def _may_cross(board: Board) -> bool:
    """Whether paths can cross each other. They cannot where moves lead only to the next square; graphs are taken to be
    drawn without crossings too."""
    return board.graph is None and max(board.leaper) > 1


# ---------------------------------------------------------------- half-made tours


class _Drawn(NamedTuple):
    """What the half-made tours that were drawn say of a layer. made: the number of half-made tours. branch: the number
    that one of the layer before becomes. freedom: see `_freedom`."""

    made: float
    branch: float
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
        freedom = _freedom(*kinds_of(t, population[:_LOOKED_AT]))
        yield _Drawn(weight * len(children), len(children) / max(1, before), freedom)
        weight = min(weight * made, 1e300)


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
