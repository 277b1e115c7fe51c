"""The census of a statistic that counts corners of a kind, without making the tours.

A corner is a square with the two moves there, so a state must know more than where paths end. It need not know all
directions, though. Say that each corner of the kind is either *marked* or not. A tour with n of them can be marked in
2**n ways, C(n, k) of them with k marks; so from the numbers of tours with k marks, those with n corners follow
(inclusion and exclusion). And the moves at a marked corner need only be known from its first move to its second.

So the network of ways (spaces/by_states.py) is gone through once, each state with the marks of the squares that wait
for their second move, and with a polynomial: coefficient k is how many half-made tours have k marks so far. Of a kind
that most corners are of, such as turns, the others are counted.

Cost: some 20 states with marks a way of the network of 5 rows, 0.3 us each: 5x10 closed by turns takes 8 s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour.counting.means import Watch
from knightstour.counting.residues import whole_number_from
from knightstour.counting.spaces.by_states import WaySpace
from knightstour.kernels.counting import corners as kernel
from knightstour.kernels.counting.march import Keys
from knightstour.machine.native import door
from knightstour.model.board import move_graph
from knightstour.statistics.statistic import Statistic
from knightstour.statistics.strokes import Strokes

# States gone on from in one call of the kernel.
_AT_ONCE = 1 << 13
# States entered into a larger table in one call.
_REINDEX = 1 << 18


def can_count(space: WaySpace) -> bool:
    """Whether the marks of all squares that wait fit into one number."""
    position = {int(v): t for t, v in enumerate(space.order)}
    return all(position[u] - t <= kernel.MOST_OPEN for t, near in enumerate(space.near) for u in near if u >= 0)


class TooManyStates(Exception):
    """The states with marks do not fit into the memory."""


def count_by_corners(space: WaySpace, statistic: Statistic, watch: Watch, most_bytes: int) -> dict[int, int]:
    """Value -> number of tours.

    Raises LimitReached where the budget of `watch` is spent, and TooManyStates where states need more than most_bytes.
    """
    if not space.count:
        return {}
    board = space.problem.board
    march = _March(space, statistic, watch, most_bytes)
    moduli: list[int] = []
    residues: list[list[int]] = []
    for modulus in _moduli():
        moduli.append(modulus)
        residues.append(march.marked(modulus))
        most = max(k for k, number in enumerate(residues[0]) if number)
        if math.prod(moduli) > 2 * space.count * math.comb(most, most // 2):
            break
    marked = [whole_number_from(each, moduli) for each in zip(*residues, strict=True)]
    total = board.square_count - (0 if space.problem.closed else 2)
    counts = _without_marks(marked)
    return dict(sorted((total - n if march.is_other else n, number) for n, number in counts.items()))


def _moduli() -> Iterator[int]:
    """Odd numbers below 2**61 without common factors: sums of two fit into a machine word."""
    found: list[int] = []
    for modulus in range((1 << 61) - 1, 1 << 60, -2):
        if all(math.gcd(modulus, other) == 1 for other in found):
            found.append(modulus)
            yield modulus


class _March:
    """The network gone through with marks, once for each modulus."""

    def __init__(self, space: WaySpace, statistic: Statistic, watch: Watch, most_bytes: int) -> None:
        self.space, self.watch, self.most_bytes = space, watch, most_bytes
        self.squares, self.is_other = squares_of(space, statistic)
        self.made = 0

    def marked(self, modulus: int) -> list[int]:
        """How many tours with k marks there are, for each k, modulo the modulus."""
        tours = np.zeros(self.space.problem.board.square_count + 2, dtype=np.int64)
        sources, sums = np.zeros((1, 2), dtype=np.uint64), np.ones((1, 1), dtype=np.int64)
        for t in range(len(self.space.ways)):
            width = sums.shape[1]
            counters = np.zeros(kernel.COUNTERS, dtype=np.int64)
            layer = _Layer(4 * kernel.MOST_CHILDREN, ((np.int64, width + 3),))
            self.make(t, "corners_count", counters, sources, layer, (sums,), (tours, modulus))
            made = int(counters[kernel.MADE])
            sources, sums = layer.keys[:made], layer.carried[0][:made, : int(counters[kernel.HIGHEST]) + 1].copy()
        return tours.tolist()

    def make(
        self, t: int, name: str, counters: np.ndarray, sources: np.ndarray, layer: _Layer, before: Any, rest: Any
    ) -> None:
        """Make the states after layer t by a door. before, rest: its arguments around what the new states carry."""
        ways = kernel.Ways(*self.space.ways[t], self.space.picked[t])
        while counters[kernel.NEXT] < len(sources):
            upto = min(int(counters[kernel.NEXT]) + _AT_ONCE, len(sources))
            layers = kernel.Layers(counters, sources, Keys(layer.keys, layer.table))
            door(name)(self.squares, ways, layers, *before, *layer.carried, *rest, t, upto)
            made = int(counters[kernel.MADE])
            if counters[kernel.NEXT] < upto:
                if 3 * layer.bytes + sources.nbytes + sum(each.nbytes for each in before) > self.most_bytes:
                    raise TooManyStates
                layer.grow(made)
            layers_of_all = len(self.space.ways)
            part = (t + int(counters[kernel.NEXT]) / len(sources)) / layers_of_all
            self.watch.report(f"corners: square {t + 1} of {layers_of_all}", part, self.made + made)
        self.made += int(counters[kernel.MADE])


class _Layer:
    """The states of a layer while they are made, with what they carry: (dtype, items) of each array."""

    def __init__(self, room: int, carried: tuple[tuple[Any, int], ...]) -> None:
        self.keys = np.empty((room, 2), dtype=np.uint64)
        self.carried = [np.empty((room, items), dtype=dtype) for dtype, items in carried]
        self.table = np.zeros((2 * room, 2), dtype=np.uint32)

    @property
    def bytes(self) -> int:
        """What it takes."""
        return self.keys.nbytes + self.table.nbytes + sum(each.nbytes for each in self.carried)

    def grow(self, count: int) -> None:
        """Make room for twice as many states."""
        larger = _Layer(2 * len(self.keys), tuple((each.dtype, each.shape[1]) for each in self.carried))
        larger.keys[:count] = self.keys[:count]
        for old, new in zip(self.carried, larger.carried, strict=True):
            new[:count] = old[:count]
        self.keys, self.carried, self.table = larger.keys, larger.carried, larger.table
        for first in range(0, count, _REINDEX):
            door("march_reindex")(Keys(self.keys, self.table), 2, first, min(first + _REINDEX, count))


def squares_of(space: WaySpace, statistic: Statistic, *, is_other: bool | None = None) -> tuple[kernel.Squares, bool]:
    """The squares with the corners that are marked, and whether these are the ones that are not of the kind.

    is_other: which ones they are to be; by default those of which there are fewer.
    """
    board = space.problem.board
    lists = move_graph(board).neighbour_lists()
    near = np.full((len(lists), 8), -1, dtype=np.int64)
    rows = []
    for square, others in enumerate(lists):
        near[square, : len(others)] = others
        rows += [(square, i, k) for i in range(len(others)) for k in range(len(others)) if i != k]
    places = np.array(rows, dtype=np.int64).reshape(-1, 3)
    v, i, k = places.T
    lines = np.stack([near[v, i], v, near[v, k]], axis=1)
    is_chosen = statistic.of(Strokes(board, lines, closed=False)) > 0
    if is_other is None:
        is_other = 2 * int(is_chosen.sum()) > len(is_chosen)
    bits = np.uint64(1) << k.astype(np.uint64)
    corners = np.zeros((len(lists), 8), dtype=np.uint64)
    v, i, bits = v[is_chosen != is_other], i[is_chosen != is_other], bits[is_chosen != is_other]
    np.bitwise_or.at(corners, (v, i), bits)
    position = np.full(board.rows * board.cols, -1, dtype=np.int64)
    position[space.order] = np.arange(len(space.order))
    return kernel.Squares(near, corners, space.order, position), is_other


def _without_marks(marked: list[int]) -> dict[int, int]:
    """Number of corners -> tours, from the numbers of tours with k marked ones."""
    counts = {
        n: sum((-1) ** (k - n) * math.comb(k, n) * marked[k] for k in range(n, len(marked))) for n in range(len(marked))
    }
    return {n: number for n, number in counts.items() if number}
