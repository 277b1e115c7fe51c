"""Encoding "matchings": all states of tours that may leave squares, in one array without keys, for dense.cc.

Squares of the frontier have slots, and each is bare, done (it has both moves, or is excluded) or an end. A *class*
consists of two masks: the slots that are ends, and the slots that are done. Its states are all matchings of its ends,
in order: so a state is identified by its position without a key. The array contains all classes, grouped by the set of
ends and sorted by the other slots that are done.
"""

from typing import NamedTuple

import numpy as np

# Kinds of changes of a matching.
MOVED, ADDED, JOINED = range(3)
MAX_PAIRS = 9
# Number of matchings of 2k ends.
MATCHINGS = (1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425)


def count_of(kind: int, pairs: int) -> int:
    """Return the number of matchings that a change of a kind affects; `pairs` counts after an addition, else before."""
    return MATCHINGS[pairs - (kind == ADDED)]


class Layout(NamedTuple):
    """base: int64, for each set of ends the place of its first class. code: int64, for each set of slots the sum of
    powers of 3. squeezed: uint8 (65536,), at 256 * kept + set the bits of a byte that are kept, side by side."""

    base: np.ndarray
    code: np.ndarray
    squeezed: np.ndarray
    slots: int


class Changes(NamedTuple):
    """Changes of matchings.

    Attributes:
        targets: int32, the new index of each matching.
        first: int64 (kind, pairs, slot, slot), index of a change in `targets`; -1 for missing ones. The pairs are
            counted before the change, and for ADDED after it.
    """

    targets: np.ndarray
    first: np.ndarray


class Step(NamedTuple):
    """Fixed data for processing one square.

    Attributes:
        square: Its slot.
        touched, others: Masks of the slots that it touches, and of the other slots in use.
        ends: The slot that joins the ends of an open tour, or -1.
        near: int64, the slots of its later neighbours.
    """

    square: int
    touched: int
    others: int
    ends: int
    near: np.ndarray


# Items of a row of patterns, int64: two masks of the touched slots, where the states are, and whether there are any.
ENDS, DONE, FIRST, IS_FILLED = range(4)
