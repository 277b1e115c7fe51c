"""Censuses on a network of ways: rule "marks of corners", of statistics that count corners; and sums over moves.

A corner is a square with the two moves there, so a state must know more than where paths end. It need not know all
directions, though. Say that each corner of the kind is either *marked* or not. A tour with n of them can be marked in
2**n ways, C(n, k) of them with k marks; so from the numbers of tours with k marks, those with n corners follow
(inclusion and exclusion). And the moves at a marked corner need only be known from its first move to its second.

So the network of ways (spaces/by_states.py) is gone through once, each state with the marks of the squares that wait
for their second move, and with a polynomial: coefficient k is how many half-made tours have k marks so far. Of a kind
that most corners are of, such as turns, the others are counted.

Cost: some 20 states with marks a way of the network of 5 rows, 0.3 us each: 5x10 closed by turns takes 8 s.

Of a statistic that adds up over moves (`count_by_moves`, algebra "polynomials") a state needs no marks: each tour is a
chain of ways, a way makes up to two moves, and the polynomial behind a state is the sum of those behind the states that
its ways lead to, moved on by the value of the way's moves. Cost: some 2 ns a coefficient and way; the 55,488,142 closed
tours of 6x8 by slope take 3 seconds, most of them for the network.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from knightstour.core.machine.native import door
from knightstour.core.model.board import move_graph
from knightstour.core.search.frontier.marching import FULL, RUNNING, Algebra, Keys, Layer, March, expand_upto
from knightstour.core.statistics.statistic import Statistic
from knightstour.core.statistics.strokes import Strokes
from knightstour.lab.counting.residues import primes, whole_number_from
from knightstour.lab.counting.settings import Watch
from knightstour.lab.counting.spaces.by_states import WaySpace


class Squares(NamedTuple):
    """near: int64 (squares, MAX_NEAR), the neighbours, -1 for none. corners: uint64 (squares, MAX_NEAR), for each
    neighbour the bits of those that make a chosen corner at the square with it. order, position: int64, the squares as
    they are dealt with, and the place of each in it."""

    near: np.ndarray
    corners: np.ndarray
    order: np.ndarray
    position: np.ndarray


class Ways(NamedTuple):
    """Of one layer: offsets int64, targets and codes int32; picked: int64 (codes, 2), the squares that each code joins
    the square of the layer to, -1 for none."""

    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray
    picked: np.ndarray


class Layers(NamedTuple):
    """sources: uint64 (sources, 2), their states and marks. next: the same of what is made.

    Marks are one number, four bits for each square still to be dealt with, the next one lowest. BARE: the square has no
    move yet. ONE, BOTH: it has one or two. Any other number i: it has one, and its second goes to its neighbour i - 1,
    so that they make a chosen corner there.
    """

    counters: np.ndarray
    sources: np.ndarray
    next: Keys


BARE, ONE, BOTH = 0, 14, 15
# Squares whose marks fit into one number.
MAX_OPEN = 15
# Neighbours of a square.
MAX_NEAR = 8
# Items of `counters` that Python asks for; the struct Counters has all. MADE: states made.
MADE = 0
COUNTERS = 3
# No source leads to more states than this.
MAX_CHILDREN = 1024


# Sums of two residues fit into a machine word.
_LARGEST = (1 << 61) - 1
# States gone on from in one call of the kernel.
_AT_ONCE = 1 << 13


def can_count(space: WaySpace) -> bool:
    """Whether no square has too many neighbours, and the marks of all squares that wait fit into one number."""
    if np.diff(move_graph(space.problem.board).offsets).max(initial=0) > MAX_NEAR:
        return False
    position = {int(v): t for t, v in enumerate(space.order)}
    return all(position[u] - t <= MAX_OPEN for t, near in enumerate(space.near) for u in near if u >= 0)


class TooManyStates(Exception):
    """The states with marks do not fit into the memory."""


def count_by_corners(space: WaySpace, statistic: Statistic, watch: Watch, most_bytes: int) -> dict[int, int]:
    """Value -> number of tours.

    Raises LimitReached where the budget of `watch` is spent, and TooManyStates where states need more than most_bytes.
    """
    if not space.count:
        return {}
    board = space.problem.board
    march = _Marking(space, statistic, watch, most_bytes)
    moduli: list[int] = []
    residues: list[list[int]] = []
    for modulus in primes(_LARGEST):
        moduli.append(modulus)
        residues.append(march.marked(modulus))
        most = max(k for k, number in enumerate(residues[0]) if number)
        if math.prod(moduli) > 2 * space.count * math.comb(most, most // 2):
            break
    marked = [whole_number_from(each, moduli) for each in zip(*residues, strict=True)]
    total = board.square_count - (0 if space.problem.closed else 2)
    counts = _without_marks(marked)
    return dict(sorted((total - n if march.is_other else n, number) for n, number in counts.items()))


class _Marking(March):
    """The network gone through with marks, once for each modulus."""

    def __init__(self, space: WaySpace, statistic: Statistic, watch: Watch, most_bytes: int) -> None:
        self.space, self.watch, self.most_bytes = space, watch, most_bytes
        self.squares, self.is_other = squares_of(space, statistic)
        self.algebra = Algebra()
        self.made = 0

    def marked(self, modulus: int) -> list[int]:
        """How many tours with k marks there are, for each k, modulo the modulus."""
        self.modulus = modulus
        self.tours = np.zeros(self.space.problem.board.square_count + 2, dtype=np.int64)
        layer = Layer(2, 1, ((np.int64, 1),))
        layer.keys.words[0], layer.carried[0][0], layer.count = 0, 1, 1
        for t in range(len(self.space.ways)):
            # The highest power of the layer that is made.
            self.highest = 0
            target = Layer(2, 4 * MAX_CHILDREN, ((np.int64, layer.carried[0].shape[1] + 3),))
            expand_upto(self, t, layer, target, layer.count, self._report)
            self.made += target.count
            target.carried[0] = target.carried[0][:, : self.highest + 1].copy()
            layer = target
        marked: list[int] = self.tours.tolist()
        return marked

    def children(self, t: int) -> int:
        return MAX_CHILDREN

    def expand(self, t: int, source: Layer, target: Layer, upto: int, most: int = 0) -> int:
        """The tours that are complete are added to `tours`."""
        upto = min(upto, source.done + _AT_ONCE)
        ways = Ways(*self.space.ways[t], self.space.picked[t])
        counters = np.array([target.count, source.done, self.highest], dtype=np.int64)
        layers = Layers(counters, source.keys.words, target.keys)
        sums = (*source.carried, *target.carried, self.tours)
        door("corners_count")(self.squares, ways, layers, *sums, self.modulus, t, upto)
        target.count, source.done, self.highest = counters.tolist()
        return RUNNING if source.done == upto else FULL

    def _report(self, t: int, states: int, within: float, held: int) -> None:
        if held > self.most_bytes:
            raise TooManyStates
        layers = len(self.space.ways)
        self.watch.report(f"corners: square {t + 1} of {layers}", (t + within) / layers, self.made + states)


def squares_of(space: WaySpace, statistic: Statistic) -> tuple[Squares, bool]:
    """The squares with the corners that are marked, and whether these are the ones that are not of the kind: those of
    which there are fewer are marked."""
    board = space.problem.board
    lists = move_graph(board).neighbour_lists()
    near = np.full((len(lists), MAX_NEAR), -1, dtype=np.int64)
    rows = []
    for square, others in enumerate(lists):
        near[square, : len(others)] = others
        rows += [(square, i, k) for i in range(len(others)) for k in range(len(others)) if i != k]
    places = np.array(rows, dtype=np.int64).reshape(-1, 3)
    v, i, k = places.T
    lines = np.stack([near[v, i], v, near[v, k]], axis=1)
    is_chosen = statistic.of(Strokes(board, lines, closed=False)) > 0
    is_other = 2 * int(is_chosen.sum()) > len(is_chosen)
    bits = np.uint64(1) << k.astype(np.uint64)
    corners = np.zeros((len(lists), MAX_NEAR), dtype=np.uint64)
    v, i, bits = v[is_chosen != is_other], i[is_chosen != is_other], bits[is_chosen != is_other]
    np.bitwise_or.at(corners, (v, i), bits)
    position = np.full(board.rows * board.cols, -1, dtype=np.int64)
    position[space.order] = np.arange(len(space.order))
    return Squares(near, corners, space.order, position), is_other


def _without_marks(marked: list[int]) -> dict[int, int]:
    """Number of corners -> tours, from the numbers of tours with k marked ones."""
    counts = {
        n: sum((-1) ** (k - n) * math.comb(k, n) * marked[k] for k in range(n, len(marked))) for n in range(len(marked))
    }
    return {n: number for n, number in counts.items() if number}


def count_by_moves(space: WaySpace, statistic: Statistic) -> dict[int, int]:
    """Value -> number of tours."""
    if not space.count:
        return {}
    values = [_values(space, statistic, t) for t in range(len(space.ways))]
    # No tour has more than what each square takes at most.
    width = sum(int(each.max(initial=0)) for each in values) + 1
    kind = np.dtype(np.int64 if space.count < 1 << 62 else object)
    # The last row is for tours that are finished.
    done = np.zeros((1, width), dtype=kind)
    done[0, 0] = 1
    behind = np.zeros((0, width), dtype=kind)
    for ways, value in zip(reversed(space.ways), reversed(values), strict=True):
        behind = ways.pulled(np.concatenate([behind, done]), functools.partial(_moved, value))
    return {int(value): int(behind[0, value]) for value in np.flatnonzero(behind[0])}


def _values(space: WaySpace, statistic: Statistic, t: int) -> np.ndarray:
    """The value of what each code of a layer joins its square to: int64 (codes,)."""
    board, square = space.problem.board, int(space.order[t])
    found = np.zeros(len(space.picked[t]), dtype=np.int64)
    for column in space.picked[t].T:
        (codes,) = np.nonzero(column >= 0)
        if len(codes):
            moves = np.stack([np.full(len(codes), square), column[codes]], axis=1)
            found[codes] += statistic.of(Strokes(board, moves, closed=False))
    return found


def _moved(values: np.ndarray, behind: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The polynomials behind ways, moved on by what the ways have. values: of each code."""
    moved = np.zeros_like(behind)
    of_way = values[codes]
    for value in np.unique(of_way):
        (here,) = np.nonzero(of_way == value)
        moved[here, value:] = behind[here, : behind.shape[1] - value]
    return moved
