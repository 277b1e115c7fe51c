"""Encoding "matchings": all states of tours that may skip squares, in one array without keys, for dense.cc.

Squares of the frontier have slots, and each is bare, done (it has both moves, or it is skipped) or an end. A *class*
records the set of end slots and the set of done slots, as masks. Its states are all matchings of its ends, in order: a
state needs no key, since its index identifies it. The array contains all classes, sorted by the two sets.
"""

from typing import NamedTuple

import numpy as np

# Kinds of changes of a matching.
MOVED, ADDED, JOINED = range(3)
MAX_PAIRS = 9
# Number of matchings of 2k ends.
MATCHINGS = (1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425)


def count_of(kind: int, pairs: int) -> int:
    """Return the number of matchings that a change affects; `pairs`: after an addition, else before."""
    return MATCHINGS[pairs - (kind == ADDED)]


class Layout(NamedTuple):
    """base: int64, by set of ends: the index of the first class. code: int64, by set of slots: the sum of powers of 3.
    squeezed: uint8 (65536,), by 256 * kept + set: the kept bits of a byte, compacted."""

    base: np.ndarray
    code: np.ndarray
    squeezed: np.ndarray
    slots: int


class Changes(NamedTuple):
    """targets: int32, the target of each matching. first: int64 (kind, pairs, place, place), the offset of a change in
    `targets`, or -1. pairs: before the change, for ADDED after it."""

    targets: np.ndarray
    first: np.ndarray


class Step(NamedTuple):
    """Step of a square: its slot; the masks of touched slots and of the others in use; the slot of the joined ends of
    an open tour, or -1; near: int64, the slots of its later neighbours."""

    square: int
    touched: int
    others: int
    ends: int
    near: np.ndarray


# Items of a row of patterns, int64: two masks of touched slots, the offset of the states, and whether any exist.
ENDS, DONE, FIRST, IS_FILLED = range(4)
