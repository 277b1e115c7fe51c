"""Encoding "matchings": all states of tours that may leave squares, in one array without keys; dense.cc works on it.

Squares of the frontier have slots, and each is bare, done (it has both moves, or it was left for good) or an end. A
*class* says which are which: the set of slots that are ends, and the set of those that are done, as masks. Its states
are the ways to match its ends, all of them, in order: so a state needs no key, and each is a number at a place. The
array holds all classes: those with a set of ends one after another, by which of the other slots are done.
"""

from typing import NamedTuple

import numpy as np

# Kinds of changes of a matching.
MOVED, ADDED, JOINED = range(3)
MAX_PAIRS = 9
# How many ways there are to match 2k ends.
MATCHINGS = (1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425)


def count_of(kind: int, pairs: int) -> int:
    """How many matchings a change of a kind changes, its `pairs` being those after an addition, else those before."""
    return MATCHINGS[pairs - (kind == ADDED)]


class Layout(NamedTuple):
    """base: int64, for each set of ends the place of its first class. code: int64, for each set of slots the sum of
    powers of 3. squeezed: uint8 (65536,), at 256 * kept + set the bits of a byte that are kept, side by side."""

    base: np.ndarray
    code: np.ndarray
    squeezed: np.ndarray
    slots: int


class Changes(NamedTuple):
    """targets: int32, where each matching goes. first: int64 (kind, pairs, place, place), where in `targets` a change
    is; -1 for one that is not there. The pairs are those before, and for ADDED those after."""

    targets: np.ndarray
    first: np.ndarray


class Step(NamedTuple):
    """What is fixed about dealing with one square: its slot; the masks of the slots that it touches, and of those in
    use besides; the slot of what joins the ends of an open tour, or -1; near: int64, the slots of its
    later neighbours."""

    square: int
    touched: int
    others: int
    ends: int
    near: np.ndarray


# Items of a row of patterns, int64: two masks of the touched slots, where the states are, and whether there are any.
ENDS, DONE, FIRST, IS_FILLED = range(4)
