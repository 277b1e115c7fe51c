"""Encoding "matchings": all states of tours that may skip squares, in one array without keys, for dense.cc.

Squares of the frontier have slots, and each is bare, done (it has both moves, or it is skipped) or an end. A *class*
records the set of slots that are ends, and the set of those that are done, as masks. Its states are all the matchings
of its ends, in order: a state needs no key, since its index identifies it. The array contains all classes, sorted by
the set of ends, and then by the set of done slots.
"""

from typing import NamedTuple

import numpy as np

# Kinds of changes of a matching.
MOVED, ADDED, JOINED = range(3)
MAX_PAIRS = 9
# Number of matchings of 2k ends.
MATCHINGS = (1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425)


def count_of(kind: int, pairs: int) -> int:
    """Return the number of matchings that a change affects; `pairs` are those after an addition, else those before."""
    return MATCHINGS[pairs - (kind == ADDED)]


class Layout(NamedTuple):
    """base: int64, for each set of ends the place of its first class. code: int64, for each set of slots the sum of
    powers of 3. squeezed: uint8 (65536,), at 256 * kept + set the bits of a byte that are kept, side by side."""

    base: np.ndarray
    code: np.ndarray
    squeezed: np.ndarray
    slots: int


class Changes(NamedTuple):
    """targets: int32, the target of each matching. first: int64 (kind, pairs, place, place), the offset of a change in
    `targets`; -1 for a missing one. The pairs are those before, and for ADDED those after."""

    targets: np.ndarray
    first: np.ndarray


class Step(NamedTuple):
    """Constants of the step of one square: its slot; the masks of the slots that it touches, and of the others in use;
    the slot of the joined ends of an open tour, or -1; near: int64, the slots of its later neighbours."""

    square: int
    touched: int
    others: int
    ends: int
    near: np.ndarray


# Items of a row of patterns, int64: two masks of the touched slots, where the states are, and whether there are any.
ENDS, DONE, FIRST, IS_FILLED = range(4)
