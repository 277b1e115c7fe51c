"""Layers of states, their transitions (*ways*) to the next layer, and values that propagate along them.

Values are *pulled* from the targets of transitions, or *pushed* to them. The values pulled from the complete tour are
the *completions* of a state: the number of ways to continue. The values pushed from the first state are the numbers of
partial tours. sums.py builds such layers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.core.model.indices import reduceat, repeat

# Number of values added in one piece.
_AT_ONCE = 1 << 22
# Larger integers are stored as objects.
MAX_INT64 = 1 << 62

# Taken(values of the targets, codes of the transitions) returns the values that the transitions carry.
Taken = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Ways(NamedTuple):
    """The transitions from the states of one layer to the next layer; states are numbered in the order of creation.

    State s has the transitions offsets[s] .. offsets[s + 1] - 1, int64 (states + 1,). Transition e leads to state
    targets[e] of the next layer, or -1 if it completes the tour: int32 (ways,). codes[e] encodes the squares that the
    square is joined to, as in core/kernels/counting/march.h: int32 (ways,), or empty if not needed.
    """

    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.offsets) - 1

    @property
    def bytes(self) -> int:
        """Size of the arrays in bytes."""
        return self.offsets.nbytes + self.targets.nbytes + self.codes.nbytes

    def sum_targets(self, values: np.ndarray, taken: Taken | None = None) -> np.ndarray:
        """Return, for each state, the sum of the values of its targets, or of the part selected by `taken`.

        values: a number, or a row of numbers, for each state of the next layer, followed by one for completed tours if
        any transition completes a tour. int64 becomes Python integers if sums may need more than 62 bits. With floats,
        each transition adds one rounding error.

        >>> ways = Ways(np.array([0, 2, 3]), np.array([0, 1, -1]), np.zeros(0, np.int32))
        >>> ways.sum_targets(np.array([5, 7, 1]))
        array([12,  1])
        """
        if values.dtype == np.int64 and int(values.max(initial=0)) * self._max_degree() >= MAX_INT64:
            values = values.astype(object)
        sums = np.zeros((self.states, *values.shape[1:]), dtype=values.dtype)
        for states, ways in self._pieces(values.size // max(1, len(values))):
            found = values[self.targets[ways]]
            if taken is not None:
                found = taken(found, self.codes[ways])
            starts = self.offsets[states] - ways.start
            has_ways = np.diff(starts, append=len(found)) > 0
            if len(found):
                sums[states][has_ways] = reduceat(np.add, found, starts[has_ways])
        return sums

    def _max_degree(self) -> int:
        return int(np.diff(self.offsets).max(initial=0))

    def sum_sources(self, values: np.ndarray, following: int) -> np.ndarray:
        """Return, for each state of the next layer, the sum of the values of the sources of its transitions.

        following: number of states of the next layer. The last item of the result belongs to the completed tours. Sums
        of int64 must not overflow.

        >>> ways = Ways(np.array([0, 2, 3]), np.array([0, 1, -1]), np.zeros(0, np.int32))
        >>> ways.sum_sources(np.array([5, 7]), 2)
        array([5, 5, 7])
        """
        sums = np.zeros(following + 1, dtype=values.dtype)
        for states, ways in self._pieces(1):
            degrees = np.diff(self.offsets[states], append=ways.stop)
            np.add.at(sums, self.targets[ways], repeat(values[states], degrees))
        return sums

    def _pieces(self, width: int) -> Iterator[tuple[slice, slice]]:
        """Yield blocks of states that are small enough to process at once. width: length of a value."""
        low = 0
        while low < self.states:
            most = self.offsets[low] + max(1, _AT_ONCE // max(1, width))
            high = max(low + 1, int(np.searchsorted(self.offsets, most, side="right")) - 1)
            high = min(high, self.states)
            yield slice(low, high), slice(int(self.offsets[low]), int(self.offsets[high]))
            low = high


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """All states that lead to a tour. Layer 0 has one state, or none if no tour exists.

    ways[t]: transitions from layer t to layer t + 1. completions[t][s]: number of ways to complete state s of layer t,
    int64 (states,), or Python integers if they need more than 62 bits.
    """

    ways: list[Ways]
    completions: list[np.ndarray]

    @property
    def count(self) -> int:
        """Number of tours."""
        return int(self.completions[0][0]) if len(self.completions[0]) else 0

    def after(self, t: int) -> np.ndarray:
        """Completions of the states of layer t + 1; the last item is for the complete tour."""
        return _with_completed(
            self.completions[t + 1] if t + 1 < len(self.completions) else np.zeros(0, dtype=np.int64)
        )


def complete_network(layers: list[Ways], report: Callable[[float], None]) -> Network:
    """Build the network without states and ways that lead to no tour; this empties the list of layers.

    report: called with the completed fraction.
    """
    kept: list[Ways] = []
    completions: list[np.ndarray] = []
    after = np.zeros(0, dtype=np.int64)
    # New number of each state of the next layer, -1 for a removed state.
    last = layers[-1].targets if layers else after
    renumbered = np.full(int(last.max(initial=-1)) + 1, -1, dtype=np.int32)
    count = len(layers)
    while layers:
        ways, renumbered = _without_dead_ends(layers.pop(), renumbered)
        after = ways.sum_targets(_with_completed(after))
        kept.append(ways)
        completions.append(after)
        report(len(kept) / count)
    return Network(kept[::-1], completions[::-1])


def _with_completed(completions: np.ndarray) -> np.ndarray:
    return np.append(completions, np.ones(1, dtype=completions.dtype))


def _without_dead_ends(ways: Ways, renumbered: np.ndarray) -> tuple[Ways, np.ndarray]:
    """Return the ways to kept states, and the new numbers of their source states."""
    is_good = np.append(renumbered, np.int32(0))[ways.targets] >= 0
    targets = np.append(renumbered, np.int32(-1))[ways.targets[is_good]]
    degrees = np.diff(np.append(0, np.cumsum(is_good, dtype=np.int64))[ways.offsets])
    is_alive = degrees > 0
    offsets = np.append(0, np.cumsum(degrees[is_alive], dtype=np.int64))
    new = np.where(is_alive, np.cumsum(is_alive) - 1, -1).astype(np.int32)
    return Ways(offsets, targets, ways.codes[is_good]), new
