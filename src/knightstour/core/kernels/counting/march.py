"""Encoding "keys": the states of one layer of the frontier method and the next, which march.cc makes of it.

core/search/frontier/exact.py says what a state is. Here it is a *key*, some uint64 words: bits 0 .. slots-1 of word 0
are the inner mask, and the field of slot i (its number xor that of its mate, 0 without mate) is in word `word[i]` from
bit `shift[i]` on. A layer is an array of keys, all different, in the order in which they were made. Each door makes the
same keys in the same order, and differs in what it keeps with them (march.cc names the arrays).
"""

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.keys import Keys


class Steps(NamedTuple):
    """The plan of a march; step t is row t of the first four.

    info: int64 (steps, 9), see below. near: int64 (steps, places), the slots of the later neighbours. later: uint64
    (steps, slots) and unseen: int64 (steps, slots), as in plan.Step. word, shift: int64 (slots,). virtual_slot: that of
    the virtual square, or -1. field_mask: as many ones as a field has bits. leaves: 1 where squares may stay unvisited.
    """

    info: np.ndarray
    near: np.ndarray
    later: np.ndarray
    unseen: np.ndarray
    word: np.ndarray
    shift: np.ndarray
    virtual_slot: int
    field_mask: int
    leaves: int


class Layers(NamedTuple):
    """source: the keys of a layer, uint64. counters: int64, see below. next: the Keys of the layer after it."""

    source: np.ndarray
    counters: np.ndarray
    next: Keys


# Items of a row of `info`; ROOM is the number of children that a state may have. MAY_LEAVE: whether this square may
# stay unvisited. MUST: slots of squares to come that a tour which leaves squares must visit; -1 while they have none.
SLOT, PRESENT, IS_ALL_SEEN, NEAR_COUNT, NEAR_MASK, TOUCHED, ROOM, MAY_LEAVE, MUST = range(9)

# Items of `counters` that Python asks for; the struct Counters has all. MADE: states of the next layer. MOST: how
# many it may have.
MADE, MOST = range(1, 3)
COUNTERS = 3

RUNNING, FOUND, FULL, SPENT = range(4)

MAX_SLOTS = 62
