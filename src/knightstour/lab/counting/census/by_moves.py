"""The census of a statistic that adds up over moves, without making the tours.

In the network of ways (spaces/by_states.py) each tour is a chain of ways, and a way makes up to two moves. So the
tours behind a state, by value, are those behind the states that its ways lead to, each moved on by the value of the
moves of the way: a polynomial for each state, whose coefficient k is the number of tours with value k.

Cost: each way adds a polynomial, some 2 ns a coefficient. The 55,488,142 closed tours of 6x8 by slope take 3 seconds,
most of them for the network.
"""

from __future__ import annotations

import numpy as np

from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.states import Ways, sum_of_ways
from knightstour.lab.statistics.statistic import Statistic
from knightstour.lab.statistics.strokes import Strokes

# Coefficients that are added up together.
_AT_ONCE = 1 << 22


def count_by_moves(space: WaySpace, statistic: Statistic) -> dict[int, int]:
    """Value -> number of tours."""
    if not space.count:
        return {}
    values = [_values(space, statistic, t) for t in range(len(space.ways))]
    # No tour has more than what each square takes at most.
    width = sum(int(each.max(initial=0)) for each in values) + 1
    kind = np.dtype(np.int64 if space.count < 1 << 62 else object)
    done = np.zeros((1, width), dtype=kind)
    done[0, 0] = 1
    behind = np.zeros((0, width), dtype=kind)
    for t in reversed(range(len(space.ways))):
        # The last row is for tours that are finished.
        behind = _behind(space.ways[t], values[t], np.concatenate([behind, done]))
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


def _behind(ways: Ways, values: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The polynomials of the states of a layer, from those of the next."""
    behind = np.zeros((ways.states, after.shape[1]), dtype=after.dtype)
    at_once = max(_AT_ONCE // after.shape[1], 1)
    first = 0
    while first < ways.states:
        last = int(np.searchsorted(ways.offsets, ways.offsets[first] + at_once, side="right")) - 1
        last = min(max(last, first + 1), ways.states)
        low, high = int(ways.offsets[first]), int(ways.offsets[last])
        targets, value = ways.targets[low:high], values[ways.codes[low:high]]
        added = np.zeros((high - low, after.shape[1]), dtype=after.dtype)
        for each in np.unique(value):
            (here,) = np.nonzero(value == each)
            added[here, each:] = after[targets[here], : after.shape[1] - each]
        behind[first:last] = sum_of_ways(ways.offsets[first : last + 1] - low, added)
        first = last
    return behind
