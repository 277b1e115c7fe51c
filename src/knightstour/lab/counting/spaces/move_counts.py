"""Algebra "uses" on lists: the number of tours of a HalvesSpace that use each move, without listing the tours.

Every state of a half gets a weight, the number of ways to continue it to a tour. In the last layer the join computes
the weight: the number of ways in which the other half completes the state. From there weights propagate backwards
along the edges. The number of tours that use an edge is the number of partial tours of its source times the weight of
its target, and is added to the moves of the edge.

Cost: for 8x8 closed under a minute of processor time: every class is joined once, and every edge examined once.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from knightstour.core.kernels.counting.join import Fit
from knightstour.core.machine.native import BoundFunction, kernel_function
from knightstour.core.machine.slices import ranges
from knightstour.core.model.errors import ProblemError
from knightstour.lab.counting.halves import middle
from knightstour.lab.counting.halves.cut import SLOTS, Cut
from knightstour.lab.counting.spaces.by_halves import HalvesSpace, mirror, partners

# Number of classes in the first call of a kernel.
_FIRST_CLASSES = 16
# Weights and uses are at most the number of tours.
_MAX_TOURS = 1 << 62


def count_uses(space: HalvesSpace) -> dict[tuple[int, int], int]:
    """Return the number of tours that use each occurring move, as (lower square, higher square)."""
    if space.count >= _MAX_TOURS:
        raise ProblemError(f"moves are counted for up to 2**62 tours, but there are {space.count:,}")
    found = _uses_of_half(space, 0)
    if space.cut.is_even:
        image = mirror(space.problem).tolist()
        found.update(Counter({_pair(image[a], image[b]): tours for (a, b), tours in found.items()}))
    else:
        found.update(_uses_of_half(space, 1))
    return found


def _uses_of_half(space: HalvesSpace, side: int) -> Counter[tuple[int, int]]:
    """Return the number of tours with each move of a half. side: 0 for the left half, 1 for the right."""
    found: Counter[tuple[int, int]] = Counter()
    space_in = space.tools.space
    halves = (space_in.left, space_in.right)
    chain, mine, other = halves[side].chain, halves[side].side, halves[1 - side].side
    fit, finals = space_in.fit, space.finals
    if side == 1:
        fit, finals = swap_halves(space.cut), partners(space.cut, space_in.fit, space.finals)
    weights = np.zeros(len(mine.states), dtype=np.int64)
    # The uses of a move are at most the number of tours.
    uses = np.zeros(len(chain.moves), dtype=np.int64)

    def last_weights(scratch: middle.Scratch) -> BoundFunction:
        room = (scratch.room, space.tools.tables, scratch.counters)
        return kernel_function("uses_last").bind(finals, mine, other, fit, *room, weights, uses)

    middle.Scratch(last_weights).work(0, len(finals))
    for (a, b), tours in zip(chain.moves.tolist(), uses.tolist(), strict=True):
        found[_pair(a, b)] += tours
    words = np.ascontiguousarray(mine.states[:, 0])
    words_at = np.append(mine.offsets, len(words))
    for t in range(len(chain.steps) - 1, -1, -1):
        first, last = int(chain.class_at[t]), int(chain.class_at[t + 1])
        low, high = int(chain.begins[first]), int(chain.begins[last])
        before = np.zeros(high - low, dtype=np.int64)
        slots = np.zeros(SLOTS, dtype=np.int64)
        count = int(chain.class_at[t + 2]) - last
        back = kernel_function("uses_back").bind(chain, words, words_at, weights, before, slots, t)
        for span in ranges(count, _FIRST_CLASSES):
            back(*span)
        v = int(chain.square_at[t])
        for slot in np.flatnonzero(slots).tolist():
            found[_pair(v, int(chain.square_in[t, slot]))] += int(slots[slot])
        weights, words = before, chain.words[low:high]
        words_at = chain.begins[first : last + 1] - low
    return found


def swap_halves(cut: Cut) -> Fit:
    """Return the fit with left and right exchanged."""
    turned = cut._replace(left=cut.right, right=cut.left, to_left=np.argsort(cut.to_left), is_even=False)
    return middle.fit_of(turned)


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
