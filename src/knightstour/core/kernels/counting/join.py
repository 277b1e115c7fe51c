"""Arrays of the join of two halves (join.cc, lab/counting/halves/middle.py), and the storage "keep all" of lists, for
tour spaces (space.cc and uses.cc, lab/counting/spaces/by_halves.py).

All arrays are int64 unless another type is given.
"""

from typing import NamedTuple

import numpy as np


class Side(NamedTuple):
    """One half.

    marks, weights, size: the numbered set of its final classes, and its index. classes, offsets, lengths, states,
    masses (float64): their lists. subsets[x]: the slots with one move of subset x of the half's middle moves, the slots
    with two moves, and the moves of the subset as a mask. moves: their pairs of slots. is_folded, flip, turn: whether a
    class includes its flip, and the tables of the flip. shift, mask: position of the value in the second number of a
    state, which may be a pair of residues. widths: see classes.Lists; empty without polynomials.
    """

    marks: np.ndarray
    weights: np.ndarray
    size: int
    classes: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray
    states: np.ndarray
    masses: np.ndarray
    subsets: np.ndarray
    moves: np.ndarray
    is_folded: int
    flip: np.ndarray
    turn: np.ndarray
    shift: int
    mask: int
    widths: np.ndarray


class PolynomialHalf(NamedTuple):
    """One half whose states have polynomials.

    lows, highs: the minimum and the maximum value of each class. values[x]: value of subset x of the middle moves.
    """

    side: Side
    lows: np.ndarray
    highs: np.ndarray
    values: np.ndarray


class Fit(NamedTuple):
    """Compatibility of the halves.

    all_ends: number of ends of the tour. is_even: whether the halves are images of each other, and exchanged classes
    count once. joins_folded: whether one of two classes that are flips of each other is joined. present: mask of the
    left slots of the middle. to_right: right mask of each left mask. to_left, flipped_to_left: permutation tables for
    right words. slot_to_right: right slot of each left slot. flip_slots: of the right half.
    """

    all_ends: int
    is_even: int
    joins_folded: int
    present: int
    to_right: np.ndarray
    to_left: np.ndarray
    flipped_to_left: np.ndarray
    slot_to_right: np.ndarray
    flip_slots: np.ndarray


class Tables(NamedTuple):
    """Tables for perfect matchings of 2k ends by rank, with m(k) of them; take and undo are int32.

    take[take_at[k] + (x - 1) * m(k) + i]: rank of matching i after the lowest end and end x are joined, -1 if they are
    mates. undo[undo_at[k] + ((x - 1) * (2k - 2) + z) * m(k - 1) + y], k = 4, 5: the 2k - 2 matchings that become y by
    it. last[15 i + j]: 1 if matchings i and j of 6 ends together form one cycle.
    """

    take: np.ndarray
    take_at: np.ndarray
    undo: np.ndarray
    undo_at: np.ndarray
    last: np.ndarray


class Room(NamedTuple):
    """Buffers of one thread.

    zeros: zeros, before and after. items: arbitrary.
    """

    zeros: np.ndarray
    items: np.ndarray


# Return values of a join.
DONE, FULL, TOO_LARGE, BROKEN = range(4)
# Fields of `counters`. NEXT: the next class. NEED_ZEROS: required length of the zeros, if the buffer is too small.
# NEED_ITEMS: required length of the items.
NEXT, NEED_ZEROS, NEED_ITEMS = range(3)
COUNTERS = 3
# The bits of a digit of a total; digits may grow past them.
DIGIT = 31


class Chain(NamedTuple):
    """All layers of one half, one after the other, without the states of the last one, which are in a Side.

    class_at[t]: number of the first class of layer t. classes[j]; its states are begins[j] .. begins[j + 1] - 1, with
    words[i], rising within a class, and counts[i] (int32 or int64). The edges into it are edge_starts[j] ..
    edge_starts[j + 1] - 1 of edges, by number of the source within its layer. steps: as in cut.Half. square_at[t]: the
    square that step t is about. square_in[t, slot]: the square in a slot when the step is done. slot_of[t, square]: the
    other way round, -1 for none. moves: squares of the middle moves.
    """

    class_at: np.ndarray
    classes: np.ndarray
    begins: np.ndarray
    words: np.ndarray
    counts: np.ndarray
    edge_starts: np.ndarray
    edges: np.ndarray
    steps: np.ndarray
    square_at: np.ndarray
    square_in: np.ndarray
    slot_of: np.ndarray
    moves: np.ndarray


class Half(NamedTuple):
    """A half: its layers, and the last one of them as input of the join."""

    chain: Chain
    side: Side


class Space(NamedTuple):
    """Both halves, and how they fit. from_left: turn table for left words."""

    left: Half
    right: Half
    fit: Fit
    from_left: np.ndarray


# Columns of a requested or found tour: the index of its class, and its index in that class, from 0.
PLACE = 2
CLASS, NUMBER = range(PLACE)
