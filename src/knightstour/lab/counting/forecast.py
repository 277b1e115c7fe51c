"""Forecast of the number of states of a count, before any state is created.

For each layer the forecast computes two numbers:

- *Partial tours*: the number of partial tours after the same squares, assuming that each square of the frontier is
  bare, an end or inner independently of the others. The frequencies of these three cases determine the possible moves
  of the next square, and the frequencies after it. The first steps are exact.
- *Possible* states: the number of ways in which the squares of the frontier can be bare, inner or ends, with the ends
  paired. Unequal frequencies reduce this number.

Every state is possible and has at least one partial tour, so the number of states depends on how evenly the partial
tours are spread. One curve describes this for all boards (`_occupied_states`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.search.frontier.plan import Plan
from knightstour.lab.counting.halves.cut import Cut

# Upper bound for the forecast.
MAX_STATES = 1e18
# Width above which the number of states is not increased.
_MAX_WIDTH = 100
# The curve: see _occupied_states.
_UNEVEN = 0.08
# Placeholder square: the neighbour of the free ends of open tours.
_VIRTUAL = -1


class Forecast(NamedTuple):
    """Forecast of a count; all figures are estimates.

    widest, total: states of the widest layer, and of all layers. looked_at: transitions. at_once: maximum states of two
    consecutive layers. classes, most_classes: classes of all layers, and of one; 0 without classes. is_cut_off: whether
    the layers exceeded MAX_STATES, so that later ones are missing.
    """

    widest: float
    total: float
    looked_at: float
    at_once: float
    classes: float = 0.0
    most_classes: float = 0.0
    is_cut_off: bool = False


def guess_states(plan: Plan) -> tuple[float, float]:
    """Guess the number of states of the widest layer, and of all layers, from the width of the frontier.

    A slot multiplies the states by 2.4; the error is up to a factor of thirty. The numbering of tours depends on this
    guess (spaces/tour_space.py), so it must never change.
    """
    layers = [0.3 * 2.4 ** min(mask.bit_count(), 700) for mask in plan.present]
    return max(layers), sum(layers)


@functools.cache
def most_states(slots: int, may_cross: bool = True) -> float:
    """Return the maximum number of states of a frontier. may_cross: whether any two of four ends can be paired.

    >>> [most_states(slots) for slots in (0, 1, 2, 3, 4)]
    [1.0, 2.0, 5.0, 14.0, 43.0]
    >>> [most_states(slots, may_cross=False) for slots in (0, 1, 2, 3, 4)]
    [1.0, 2.0, 5.0, 14.0, 42.0]
    """
    slots = min(slots, _MAX_WIDTH)
    if not may_cross:
        # A Catalan number (Touchard 1928).
        return math.comb(2 * slots + 2, slots + 1) / (slots + 2)
    before, here = 0.0, 1.0
    for slot in range(slots):
        # The new slot is bare, inner, or the mate of another end.
        before, here = here, 2 * here + slot * before
    return here


def forecast_states(plan: Plan, board: Board) -> Forecast:
    """Forecast the layers of sums.py for a plan on a board, or on a quotient of the board.

    >>> from knightstour.core.search.frontier.plan import make_plan
    >>> problem = Problem((6, 8), closed=True)
    >>> 974_579 / 4 < forecast_states(make_plan(problem), problem.board).widest < 974_579 * 4
    True
    """
    layers: list[_Layer] = []
    for met in _simulate_frontier(plan.order, plan.near, plan.ends, has_virtual=plan.virtual >= 0):
        layers.append(_Layer(met.states(may_cross=_may_cross(board)), met.branch))
        if layers[-1].states > MAX_STATES:
            break
    return _forecast_of(layers)


def forecast_halves(problem: Problem, cut: Cut) -> Forecast:
    """Forecast the layers of layers.py for the halves of a cut.

    >>> from knightstour.lab.counting.halves.cut import the_cut
    >>> problem = Problem((7, 8), closed=True)
    >>> 520_023 / 4 < forecast_halves(problem, the_cut(problem)).widest < 520_023 * 4
    True
    """
    near = move_graph(problem.board).neighbour_lists()
    given = tuple(s for s in (start_index(problem), end_index(problem)) if s is not None and cut.ends)
    layers: list[_Layer] = []
    left_layers = 0
    for half in (cut.left,) if cut.is_even else (cut.left, cut.right):
        image = 1.0
        met_after = list(_simulate_frontier(half.squares, near, given, has_virtual=cut.ends > len(given)))
        for t in range(len(half.steps)):
            # The last steps process no square: they select the ends among the squares of the middle.
            met = met_after[min(t, len(met_after) - 1)]
            if t in half.folds:
                image = 2.0
            if half is not cut.left and t < cut.shared:
                continue
            states = met.states(may_cross=_may_cross(problem.board)) / image
            layers.append(_Layer(states, met.branch, met.classes(cut.ends) / image))
            if states > MAX_STATES:
                return _forecast_of(layers, left_layers)
        left_layers = left_layers or len(layers)
    return _forecast_of(layers, left_layers)


class _Layer(NamedTuple):
    """Forecast of a layer. branch: mean number of successors of a state of the layer before."""

    states: float
    branch: float
    classes: float = 0.0


def _forecast_of(layers: list[_Layer], left_layers: int = 0) -> Forecast:
    """Return the forecast. left_layers: 0 for a single half."""
    states, branches, classes = np.array(layers, dtype=np.float64).reshape(-1, 3).T
    two = states[:-1] + states[1:]
    if left_layers:
        # The last layer of the left half stays in memory while the right half is built.
        two[left_layers:] += states[left_layers - 1]
    return Forecast(
        float(states.max(initial=1.0)),
        float(states.sum()),
        float((np.concatenate([[1.0], states[:-1]]) * branches).sum()),
        float(two.max(initial=1.0)),
        float(classes.sum()),
        float(classes.max(initial=1.0)),
        bool(layers and states[-1] > MAX_STATES),
    )


def _may_cross(board: Board) -> bool:
    """Return whether paths can cross: not if moves lead only to adjacent squares, or on a graph."""
    if not isinstance(board, GridBoard | CellBoard):
        return False
    return board.piece is None or board.piece.leaps != ((0, 1),)


class _StepFigures(NamedTuple):
    """Figures after a step. made: number of partial tours. branch: mean number of successors of a partial tour.
    freedom: product over the squares of the frontier of 1 for equal frequencies of bare, end and inner, down to 1 / 3
    for a fixed case. width: width of the frontier."""

    made: float
    branch: float
    freedom: float
    width: int

    def states(self, *, may_cross: bool) -> float:
        return _occupied_states(self.freedom * most_states(self.width, may_cross), self.made)

    def classes(self, ends: int) -> float:
        """Return the number of classes; without an end of the tour, the number of ends is even."""
        return min(self.made, self.freedom * 3.0 ** min(self.width, _MAX_WIDTH) / (1 if ends else 2))


def _occupied_states(possible: float, partial_tours: float) -> float:
    """Return the number of possible states that have a partial tour; `made` is the number of partial tours.

    An even spread would give a Poisson distribution of partial tours per state. In fact the mean varies between states;
    a gamma distribution with a shape far below 1 fits.
    """
    if possible <= 0 or partial_tours <= 0:
        return 0.0
    return min(partial_tours, possible * -math.expm1(-_UNEVEN * math.log1p(partial_tours / (possible * _UNEVEN))))


def _simulate_frontier(
    order: Iterable[int], near: Sequence[Sequence[int]], given: Sequence[int], *, has_virtual: bool
) -> Iterator[_StepFigures]:
    """Simulate the frontier. given: ends. has_virtual: whether some ends are not given."""
    # Frequencies of no move, one and two at each square of the frontier.
    moved = dict.fromkeys(given, (0.0, 1.0, 0.0))
    if has_virtual:
        moved[_VIRTUAL] = (0.0, 1.0, 0.0) if given else (1.0, 0.0, 0.0)
    made, done = 1.0, set[int]()
    for v in order:
        check_deadline()
        done.add(v)
        bare, ended, inner = moved.pop(v, (1.0, 0.0, 0.0))
        later = [u for u in near[v] if u not in done] + ([_VIRTUAL] if has_virtual else [])
        kinds = [moved.get(u, (1.0, 0.0, 0.0)) for u in later]
        # Numbers of choices for zero, one and two moves to later squares.
        is_open = [1 - kind[2] for kind in kinds]
        one, squares = sum(is_open), sum(x * x for x in is_open)
        ways = inner + ended * one + bare * (one * one - squares) / 2
        for u, kind, x in zip(later, kinds, is_open, strict=True):
            taken = x * (ended + bare * (one - x)) / ways if ways > 0 else 0.0
            rest = 1 - taken
            # Only open squares are chosen, in proportion.
            up = taken / x if x > 0 else 0.0
            moved[u] = (kind[0] * rest, kind[1] * rest + kind[0] * up, kind[2] * rest + kind[1] * up)
        made = min(made * ways, 1e300)
        free = [sum(math.sqrt(max(share, 0.0)) for share in kind) ** 2 / 3 for kind in moved.values()]
        yield _StepFigures(made, ways, math.prod(free), len(moved))
