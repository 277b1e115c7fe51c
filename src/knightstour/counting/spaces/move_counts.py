"""How many of the tours of a HalvesSpace use each move: exactly, without going through the tours.

Every state of a half gets a weight, the number of ways to go on from it to a tour. In the last layer the weight is the
number of ways in which the other half completes the state, which the join gives. From there weights go backwards along
the edges to the first state. The number of tours that use an edge from one state to another is the number of half-made
tours of the first times the weight of the second, and it is added to the moves that the edge makes.

Cost: for 8x8 closed under a minute of processor time: every class is joined once, and every edge looked up once.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from knightstour.counting.halves import layers as lists
from knightstour.counting.halves import middle
from knightstour.counting.halves.cut import SLOTS, Cut
from knightstour.counting.spaces.by_halves import HalvesSpace, mirror, partners
from knightstour.kernels.counting import space_halves as kernel
from knightstour.kernels.counting import space_uses
from knightstour.machine import engine
from knightstour.model.errors import ProblemError

# Classes worked on in one call of a kernel.
_CLASSES = 256
# Weights and uses are at most the number of tours.
_MOST_TOURS = 1 << 62


def count_uses(space: HalvesSpace) -> dict[tuple[int, int], int]:
    """For each move that occurs, as (lower square, higher square): how many tours use it."""
    if space.count >= _MOST_TOURS:
        raise ProblemError(f"moves are counted for up to 2**62 tours, and here there are {space.count:,}")
    found = _uses_of_half(space, 0)
    if space.cut.is_even:
        image = mirror(space.problem).tolist()
        found.update(Counter({_pair(image[a], image[b]): tours for (a, b), tours in found.items()}))
    else:
        found.update(_uses_of_half(space, 1))
    return found


def _uses_of_half(space: HalvesSpace, side: int) -> Counter[tuple[int, int]]:
    """How many tours use each of the moves that one half makes. side: 0 for the left half, 1 for the right one."""
    found: Counter[tuple[int, int]] = Counter()
    is_long = lists.is_long(max(space.cut.left.slots, space.cut.right.slots))
    engine.expect(space_uses, float("inf") if is_long else 0.0)
    code = engine.doors(space_uses)
    tools = space.tools
    chain = tools.chains[side]
    mine, other = tools.sides[side], tools.sides[1 - side]
    fit, finals = tools.fit, space.finals
    if side == 1:
        fit, finals = _turned_fit(space.cut), partners(space.cut, tools.fit, space.finals)
    weights = np.zeros(len(mine.states), dtype=np.int64)
    # Uses add up to at most the number of tours.
    uses = np.zeros(len(chain.moves), dtype=np.int64)
    with space.borrowed() as desk:
        k = 0
        while k < len(finals):
            last = min(len(finals), k + _CLASSES)
            room = (desk.scratch, tools.tables, desk.asked)
            status, k = code.add_last_weights(finals, k, last, mine, other, fit, *room, weights, uses)
            desk.see(status)
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
        for j, upto in lists.spans(count, _CLASSES):
            code.add_weights(chain, t, j, upto, words, words_at, weights, before, slots)
        v = int(chain.square_at[t])
        for slot in np.flatnonzero(slots).tolist():
            found[_pair(v, int(chain.square_in[t, slot]))] += int(slots[slot])
        weights, words = before, chain.words[low:high]
        words_at = chain.begins[first : last + 1] - low
    return found


def _turned_fit(cut: Cut) -> kernel.Fit:
    """The fit with left and right exchanged."""
    seam = middle.seam_of(cut)
    return kernel.Fit(
        all_ends=cut.ends,
        present=int(seam.to_right[seam.present]),
        to_right=lists.flip_table(cut.to_left),
        slot_to_right=cut.to_left.astype(np.int64),
        to_left=lists.turn_table(seam.slot_to_right),
        from_left=lists.turn_table(cut.to_left),
    )


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
