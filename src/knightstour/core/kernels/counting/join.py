"""Arrays of the join of two halves (join.cc, lab/counting/halves/middle.py), and of tour spaces (space.cc, uses.cc,
lab/counting/spaces/by_halves.py).

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
    """Data to test whether two halves fit.

    all_ends: number of ends of the tour. is_even: whether the halves are images of each other, and exchanged classes
    count once. joins_folded: whether only one of two classes that are flips of each other is joined. present: mask of
    the left slots of the middle. to_right: right mask of each left mask. to_left, flipped_to_left: permutation tables
    for right words. slot_to_right: right slot of each left slot. flip_slots: flip of the right half.
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
    """Tables for the m(k) perfect matchings of 2k ends by rank; take and undo are int32.

    take[take_at[k] + (x - 1) * m(k) + i]: rank of matching i after the lowest end and end x are joined, -1 if they are
    mates. undo[undo_at[k] + ((x - 1) * (2k - 2) + z) * m(k - 1) + y], k = 4, 5: the 2k - 2 matchings that this turns
    into y. last[15 i + j]: 1 if matchings i and j of 6 ends form one cycle.
    """

    take: np.ndarray
    take_at: np.ndarray
    undo: np.ndarray
    undo_at: np.ndarray
    last: np.ndarray


class Room(NamedTuple):
    """Buffers of one thread. zeros: zero before and after. items: arbitrary."""

    zeros: np.ndarray
    items: np.ndarray


# Return values of a join.
DONE, FULL, TOO_LARGE, BROKEN = range(4)
# Fields of `counters`. NEXT: the next class. NEED_ZEROS, NEED_ITEMS: required lengths if a buffer is too small.
NEXT, NEED_ZEROS, NEED_ITEMS = range(3)
COUNTERS = 3
# Bits of a digit of a total; digits may exceed them.
DIGIT = 31


class Chain(NamedTuple):
    """All layers of one half, consecutively, without the states of the last one, which are in a Side.

    class_at[t]: number of the first class of layer t. classes[j] has states begins[j] .. begins[j + 1] - 1, with
    words[i], rising within a class, and counts[i] (int32 or int64), and incoming edges edge_starts[j] ..
    edge_starts[j + 1] - 1, by number of the source within its layer. steps: as in cut.Half. square_at[t]: the square of
    step t. square_in[t, slot]: the square in a slot after the step. slot_of[t, square]: the inverse, -1 for none.
    moves: squares of the middle moves.
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
    """A half: its layers, and the last one as input of the join."""

    chain: Chain
    side: Side


class Space(NamedTuple):
    """Both halves, and how they fit. from_left: turn table for left words."""

    left: Half
    right: Half
    fit: Fit
    from_left: np.ndarray


# Columns of a tour: the index of its class, and its index in that class, from 0.
PLACE = 2
CLASS, NUMBER = range(PLACE)
