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
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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


class Forecast(NamedTuple):
    """What a count would make, layer by layer. Figures are float64, estimates.

    states: of each layer, of one half after the other. branches: the number of ways from a state of the layer before.
    classes: of each layer, 0 where they play no part. left_layers: the number of layers of the left half.
    is_cut_off: the layers grew past MOST_STATES, so that later ones were not looked at.
    """

    states: np.ndarray
    branches: np.ndarray
    classes: np.ndarray
    left_layers: int
    is_cut_off: bool

    @property
    def widest(self) -> float:
        """States of the widest layer."""
        return float(self.states.max(initial=1.0))

    @property
    def total(self) -> float:
        """States of all layers."""
        return float(self.states.sum())

    @property
    def looked_at(self) -> float:
        """States looked at to make them: one for each way."""
        before = np.concatenate([[1.0], self.states[:-1]])
        return float((before * self.branches).sum())


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
    for slot in range(min(slots, 10 * _MOST_WIDTH)):
        # The new one is bare, inner, or the mate of another.
        before, here = here, 2 * here + slot * before
        if here > 1e200:
            break
    return here


def forecast_states(problem: Problem, plan: Plan) -> Forecast:
    """The layers that states.py would make in the order of a plan.

    >>> from knightstour.core.search.frontier.plan import make_plan
    >>> problem = Problem.of((6, 8), closed=True)
    >>> 974_579 / 3 < forecast_states(problem, make_plan(problem)).widest < 974_579 * 3
    True
    """
    return _forecast_plan(plan, _colours(problem.board), may_cross(problem.board))


def forecast_graph(plan: Plan, crosses: bool) -> Forecast:
    """The layers that weighted.py would make of any graph in the order of a plan. crosses: whether paths go over each
    other, see `may_cross`.

    >>> ring = [[1, 4], [0, 2], [1, 3], [2, 4], [3, 0]]
    >>> forecast_graph(Plan(range(5), ring), True).widest
    1.0
    """
    return _forecast_plan(plan, _colours(Board.from_graph(dict(enumerate(plan.near)))), crosses)


def _forecast_plan(plan: Plan, colours: Sequence[int] | None, crosses: bool) -> Forecast:
    least, most = len(plan.ends), 2 if plan.ends or plan.virtual >= 0 else 0
    frontiers = _frontiers(plan.order, plan.near, colours, plan.ends, plan.ends, crosses)
    layers: list[tuple[float, float, float]] = []
    for frontier, drawn in zip(frontiers, _half_made(plan), strict=False):
        possible = drawn.freedom * frontier.states(least, most, least)
        layers.append((_filled(possible, drawn.made), drawn.branch, 0.0))
        if layers[-1][0] > MOST_STATES:
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
    colours = _colours(problem.board)
    layers: list[tuple[float, float, float]] = []
    left_layers = 0
    for half in (cut.left,) if cut.is_even else (cut.left, cut.right):
        frontiers = list(_frontiers(half.squares, near, colours, given, (), may_cross(problem.board)))
        image = 1.0
        for t, drawn in enumerate(_half_made_classes(half)):
            # The last steps deal with no square: they decide which squares of the middle are ends.
            frontier = frontiers[min(t, len(frontiers) - 1)]
            done = sum(s in frontier.done for s in given)
            possible = drawn.freedom * frontier.states(done, cut.ends - (len(given) - done), done)
            if t in half.folds:
                image = 2.0
            classes = min(drawn.made, drawn.freedom * frontier.classes(done, cut.ends - (len(given) - done), done))
            if half is not cut.left and t < cut.shared:
                continue
            layers.append((_filled(possible, drawn.made) / image, drawn.branch, classes / image))
            if layers[-1][0] > MOST_STATES:
                return _forecast_of(layers, left_layers)
        left_layers = left_layers or len(layers)
    return _forecast_of(layers, left_layers)


def _forecast_of(layers: list[tuple[float, float, float]], left_layers: int = 0) -> Forecast:
    """The forecast from (states, branches, classes) of each layer. left_layers: 0 where there are no others."""
    states, branches, classes = np.array(layers, dtype=np.float64).reshape(-1, 3).T
    return Forecast(states, branches, classes, left_layers or len(states), bool(layers and states[-1] > MOST_STATES))


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

    done: the given ends of the tour among these squares. black, white: the number of squares of the frontier of each
    colour; all are black on a board without two colours (`has_colours`). fixed_black, fixed_white: the number of given
    ends of the tour that hold a slot from the start, which are not in `black` and `white`. surplus: the black ends less
    the white ones, where an inner square counts as two; the moves of the squares that are done fix it. may_cross:
    whether any two of four ends may be mates.
    """

    done: frozenset[int]
    black: int
    white: int
    fixed_black: int
    fixed_white: int
    has_colours: bool
    surplus: int
    may_cross: bool

    def states(self, least: int, most: int, known: int) -> float:
        """How many states it can have. least, most: how many ends of the tour may be placed. known: how many of them
        are given ones, whose colours are in `surplus`."""
        return self._count(least, most, known, True)

    def classes(self, least: int, most: int, known: int) -> float:
        """How many classes of states it can have; arguments as for `states`."""
        return self._count(least, most, known, False)

    def _count(self, least: int, most: int, known: int, is_matched: bool) -> float:
        if self.black + self.white > _MOST_WIDTH:
            return float("inf")
        table = _mixes(self.black, self.white, self.fixed_black, self.fixed_white, self.has_colours)
        middle = table.shape[1] // 2
        total = 0.0
        for placed in range(least, most + 1):
            # A path whose other end is the end of the tour has its mate outside.
            loose = int(placed == 1)
            free = placed - known
            shifts = range(-free, free + 1, 2) if self.has_colours else (0,)
            pairs = _pairings(table.shape[0] - 1 + loose, self.may_cross) if is_matched else None
            for shift in shifts:
                column = middle + self.surplus + shift if self.has_colours else middle
                if not 0 <= column < table.shape[1]:
                    continue
                ends = table[loose::2, column]
                total += float(ends @ pairs[2 * loose :: 2][: len(ends)] if pairs is not None else ends.sum())
        return total


@functools.lru_cache(maxsize=1 << 12)
def _mixes(black: int, white: int, fixed_black: int, fixed_white: int, has_colours: bool) -> np.ndarray:
    """The number of ways in which squares can be bare, inner or ends: float64, by the number of ends, and by the black
    ends less the white ones, from -2 width to 2 width. Arguments as in `_Frontier`; fixed squares are never bare."""
    width = black + white + fixed_black + fixed_white
    table = np.zeros((width + 1, 4 * width + 1))
    table[0, 2 * width] = 1.0
    kinds = ((black, 1, False), (white, -1, False), (fixed_black, 1, True), (fixed_white, -1, True))
    for count, sign, is_fixed in kinds:
        step = sign if has_colours else 0
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
    colours: Sequence[int] | None,
    ends: Sequence[int],
    fixed: Sequence[int],
    crosses: bool,
) -> Iterator[_Frontier]:
    """The frontier after each square. colours: 0 or 1 for each, or None. ends: squares that are given ends of the tour;
    fixed: those of them that are in the frontier from the outset."""
    colour = [0] * len(near) if colours is None else colours
    given = set(ends)
    done: set[int] = set()
    frontier: set[int] = set(fixed)
    sides = [0, 0]  # squares of each colour in the frontier, but for the fixed ones
    fixed_sides = [0, 0]
    for v in fixed:
        fixed_sides[colour[v]] += 1
    surplus = 0
    for v in order:
        for u in (v, *near[v]):
            if u not in done and u not in frontier:
                frontier.add(u)
                sides[colour[u]] += 1
        frontier.discard(v)
        (fixed_sides if v in fixed else sides)[colour[v]] -= 1
        done.add(v)
        moves = 1 if v in given else 2
        surplus += moves if colour[v] else -moves
        yield _Frontier(
            done=frozenset(done & given),
            black=sides[0],
            white=sides[1],
            fixed_black=fixed_sides[0],
            fixed_white=fixed_sides[1],
            has_colours=colours is not None,
            surplus=surplus,
            may_cross=crosses,
        )


def _colours(board: Board) -> list[int] | None:
    """A colour, 0 or 1, for each square so that all moves change it; None where that cannot be."""
    classes = colour_classes(board)
    return None if classes is None else classes.tolist()


def may_cross(board: Board) -> bool:
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
    generator = random.Random(0)
    population = [plan.first]
    weight = 1.0
    for t in range(len(plan.order)):
        step = plan.step(t)
        children = [child for key in population for child in expand(plan, step, key) if child != CLOSED]
        before = len(population)
        population, made = _some_of(children, generator, before)
        shown = population[:_LOOKED_AT]
        squares = step.present & ~(1 << step.slot) & ~(1 << plan.virtual if plan.virtual >= 0 else 0)
        slots = [slot for slot in range(plan.slots) if squares >> slot & 1]
        fields = [plan.field_mask << plan.shifts[slot] for slot in slots]
        ends = np.array([[key & field != 0 for field in fields] for key in shown], dtype=bool)
        inner = np.array([[key >> slot & 1 for slot in slots] for key in shown], dtype=bool)
        yield _Drawn(weight * len(children), len(children) / max(1, before), _freedom(ends, inner))
        weight *= made


def _half_made_classes(half: Half) -> Iterator[_Drawn]:
    """The layers of a half, drawn by classes alone; chance decides which ends belong together."""
    generator = random.Random(0)
    population = [0]
    weight = 1.0
    for t in range(len(half.steps)):
        children = []
        for c, choices in zip(population, _choices(half.steps[t], population), strict=True):
            ends = kernel.ends_of(c).bit_count()
            # The chance that two ends are mates, which cannot be joined.
            lost = 1 / max(1, ends - (kernel.placed_in(c) != 1))
            for child, name in choices:
                if name not in (kernel.JOIN, kernel.LOOSEN_LAST) or generator.random() >= lost:
                    children.append(child)
        before = len(population)
        population, made = _some_of(children, generator, before)
        squares = half.slots_at[t + 1] if t + 1 < len(half.slots_at) else half.slot_of
        slots = np.array(sorted(squares.values()), dtype=np.int64)
        classes = np.array(population[:_LOOKED_AT], dtype=np.int64)[:, None]
        yield _Drawn(
            weight * len(children),
            len(children) / max(1, before),
            _freedom(kernel.ends_of(classes) >> slots & 1 != 0, kernel.inner_of(classes) >> slots & 1 != 0),
        )
        weight *= made


def _choices(step: np.ndarray, classes: list[int]) -> Iterator[list[tuple[int, int]]]:
    """What a step makes of each class: the class, and the name of the operation."""
    room = kernel.MOST_CHOICES * len(classes)
    children, ops = np.empty((2, room), dtype=np.int64)
    starts = np.empty(len(classes) + 1, dtype=np.int64)
    stepping = kernel.Stepping(step, 0, np.empty(0, dtype=np.int64))
    made = door("classes_list_children")(stepping, np.array(classes, dtype=np.int64), children, ops, starts)
    listed = list(zip(children[:made].tolist(), kernel.names_of(ops[:made]).tolist(), strict=True))
    for first, last in itertools.pairwise(starts.tolist()):
        yield listed[first:last]


def _some_of(children: list[int], generator: random.Random, parents: int) -> tuple[list[int], float]:
    """The children that are followed, and how many children each of them counts for. parents: their number."""
    wanted = min(_POPULATION, 1 + _MOST_CHILDREN * parents // max(1, len(children)))
    if len(children) <= wanted:
        return children, 1.0
    return generator.sample(children, wanted), len(children) / wanted


def _freedom(ends: np.ndarray, inner: np.ndarray) -> float:
    """How freely squares are bare, inner or ends, from examples, bool (examples, squares): a product over the squares.

    A square has 1 if it is all three equally often, and 1 / 3 if it is always the same.
    """
    if not ends.size:
        return 1.0
    shares = np.stack([ends.mean(axis=0), inner.mean(axis=0), 1 - ends.mean(axis=0) - inner.mean(axis=0)])
    return float(np.prod(np.sqrt(np.maximum(shares, 0)).sum(axis=0) ** 2 / 3))
