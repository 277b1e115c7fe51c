"""Censuses on a network of paths: marks on corners, for statistics that count corners; sums over moves.

A corner is a square with its two moves, so a state must record more than the ends of paths. It need not record all
directions, however. Each corner of the counted kind is either *marked* or not. A tour with n such corners can be marked
in 2**n ways, C(n, k) of them with k marks. The numbers of tours with k marks therefore determine the numbers of tours
with n corners (inclusion and exclusion). The directions at a marked corner matter only between its two moves.

One pass over the network (spaces/by_states.py) is enough. Each state carries the marks of the squares that wait for
their second move, and a polynomial whose coefficient k is the number of partial tours with k marks. If most corners
belong to the kind, as for turns, the other corners are counted instead.

Cost: about 20 marked states per path of the network for 5 rows, at 0.3 us each: 5x10 closed by turns needs 8 s.

For a sum over moves (`count_by_moves`, algebra "polynomials"), a state needs no marks. The polynomial of a state is the
sum of the polynomials of its successors, shifted by the values of the moves. Cost: about 2 ns per coefficient and path.
The 55,488,142 closed tours of 6x8 by slope need 3 seconds, most of them for the network.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.search.frontier.marching import FULL, RUNNING, Algebra, Keys, Layer, March, expand_upto
from knightstour.core.statistics.statistic import Statistic
from knightstour.core.statistics.strokes import Strokes
from knightstour.lab.counting.residues import primes, whole_number_from
from knightstour.lab.counting.settings import CountProgress
from knightstour.lab.counting.spaces.by_states import WaySpace


class Squares(NamedTuple):
    """near: int64 (squares, MAX_NEAR), the neighbours, padded with -1. corners: uint64 (squares, MAX_NEAR), for each
    neighbour the bits of the neighbours that form a chosen corner with it. order, position: int64, the processing order
    of the squares, and its inverse."""

    near: np.ndarray
    corners: np.ndarray
    order: np.ndarray
    position: np.ndarray


class Ways(NamedTuple):
    """One layer. offsets: int64. targets, codes: int32. picked: int64 (codes, 2), the squares that each code joins to
    the square of the layer, padded with -1."""

    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray
    picked: np.ndarray


class Layers(NamedTuple):
    """sources: uint64 (sources, 2), states and marks. next: likewise for the next layer.

    The marks are one number with four bits per remaining square, the next square lowest. BARE: the square has no move
    yet. ONE, BOTH: it has one or two moves. Any other number i: it has one move, and the second must lead to its
    neighbour i - 1, which completes a marked corner.
    """

    counters: np.ndarray
    sources: np.ndarray
    next: Keys


BARE, ONE, BOTH = 0, 14, 15
# Maximum number of squares whose marks fit into one number.
MAX_OPEN = 15
# Maximum number of neighbours of a square.
MAX_NEAR = 8
# Fields of `counters` that Python reads; the struct Counters defines all. MADE: states created.
MADE = 0
COUNTERS = 3
# Maximum number of successors of a source.
MAX_CHILDREN = 1024


# Sums of two residues fit into a machine word.
_LARGEST = (1 << 61) - 1
# States expanded in one call of the kernel.
_AT_ONCE = 1 << 13


def can_count(space: WaySpace) -> bool:
    """Return whether no square has too many neighbours, and the marks of all waiting squares fit into one number."""
    if np.diff(move_graph(space.problem.board).offsets).max(initial=0) > MAX_NEAR:
        return False
    position = {int(v): t for t, v in enumerate(space.order)}
    return all(position[u] - t <= MAX_OPEN for t, near in enumerate(space.near) for u in near if u >= 0)


class TooManyStates(Exception):
    """The states with marks exceed the memory."""


def count_by_corners(space: WaySpace, statistic: Statistic, watch: CountProgress, most_bytes: int) -> dict[int, int]:
    """Return the number of tours by value.

    Raises LimitReached if the budget of `watch` is spent, and TooManyStates if states need more than most_bytes.
    """
    if not space.count:
        return {}
    board = space.problem.board
    march = _Marking(space, statistic, watch, most_bytes)
    moduli: list[int] = []
    residues: list[list[int]] = []
    for modulus in primes(_LARGEST):
        moduli.append(modulus)
        residues.append(march.count_marked(modulus))
        most = max(k for k, number in enumerate(residues[0]) if number)
        if math.prod(moduli) > 2 * space.count * math.comb(most, most // 2):
            break
    marked = [whole_number_from(each, moduli) for each in zip(*residues, strict=True)]
    total = square_count(board) - (0 if space.problem.closed else 2)
    counts = _without_marks(marked)
    return dict(sorted((total - n if march.is_other else n, number) for n, number in counts.items()))


class _Marking(March):
    def __init__(self, space: WaySpace, statistic: Statistic, watch: CountProgress, most_bytes: int) -> None:
        self.space, self.watch, self.most_bytes = space, watch, most_bytes
        self.squares, self.is_other = squares_of(space, statistic)
        self.algebra = Algebra()
        self.made = 0

    def count_marked(self, modulus: int) -> list[int]:
        """Return the number of tours with k marks for each k."""
        self.modulus = modulus
        self.tours = np.zeros(square_count(self.space.problem.board) + 2, dtype=np.int64)
        layer = Layer(2, 1, ((np.int64, 1),))
        layer.keys.words[0], layer.carried[0][0], layer.count = 0, 1, 1
        for t in range(len(self.space.ways)):
            # Highest power in the next layer.
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
        """Expand sources up to `upto`; add complete tours to `tours`."""
        upto = min(upto, source.done + _AT_ONCE)
        ways = Ways(*self.space.ways[t], self.space.picked[t])
        counters = np.array([target.count, source.done, self.highest], dtype=np.int64)
        layers = Layers(counters, source.keys.words, target.keys)
        sums = (*source.carried, *target.carried, self.tours)
        kernel_function("corners_count")(self.squares, ways, layers, *sums, self.modulus, t, upto)
        target.count, source.done, self.highest = counters.tolist()
        return RUNNING if source.done == upto else FULL

    def _report(self, t: int, states: int, within: float, held: int) -> None:
        if held > self.most_bytes:
            raise TooManyStates
        layers = len(self.space.ways)
        self.watch.report(f"corners: square {t + 1} of {layers}", (t + within) / layers, self.made + states)


def squares_of(space: WaySpace, statistic: Statistic) -> tuple[Squares, bool]:
    """Return the corners to mark at each square, and whether they are the complement of the kind, which is used if it
    is smaller."""
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
    """Convert numbers of tours with k marked corners to numbers by corners."""
    counts = {
        n: sum((-1) ** (k - n) * math.comb(k, n) * marked[k] for k in range(n, len(marked))) for n in range(len(marked))
    }
    return {n: number for n, number in counts.items() if number}


def count_by_moves(space: WaySpace, statistic: Statistic) -> dict[int, int]:
    """Return the number of tours by value."""
    if not space.count:
        return {}
    values = [_values(space, statistic, t) for t in range(len(space.ways))]
    # An upper bound for every tour: the sum of the maximal values of the squares.
    width = sum(int(each.max(initial=0)) for each in values) + 1
    kind = np.dtype(np.int64 if space.count < 1 << 62 else object)
    # The last row represents complete tours.
    done = np.zeros((1, width), dtype=kind)
    done[0, 0] = 1
    behind = np.zeros((0, width), dtype=kind)
    for ways, value in zip(reversed(space.ways), reversed(values), strict=True):
        behind = ways.sum_targets(np.concatenate([behind, done]), functools.partial(_shift_by_moves, value))
    return {int(value): int(behind[0, value]) for value in np.flatnonzero(behind[0])}


def _values(space: WaySpace, statistic: Statistic, t: int) -> np.ndarray:
    board, square = space.problem.board, int(space.order[t])
    found = np.zeros(len(space.picked[t]), dtype=np.int64)
    for column in space.picked[t].T:
        (codes,) = np.nonzero(column >= 0)
        if len(codes):
            moves = np.stack([np.full(len(codes), square), column[codes]], axis=1)
            found[codes] += statistic.of(Strokes(board, moves, closed=False))
    return found


def _shift_by_moves(values: np.ndarray, behind: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Shift the polynomials of the successors by the values of the paths."""
    moved = np.zeros_like(behind)
    of_way = values[codes]
    for value in np.unique(of_way):
        (here,) = np.nonzero(of_way == value)
        moved[here, value:] = behind[here, : behind.shape[1] - value]
    return moved
