"""Sweep that proves the maximum length of uncrossed tours, for uncrossed.cc.

The places of the board are processed in order, and the moves of each to later places are chosen. A square touched by
later moves has a slot, and a move that an earlier one may cross has a bit. A state contains all information for the
rest of the board: for each slot whether it is FREE, DONE, or the end of which path, and the moves that are blocked by
crossings. Unusable squares and moves are normalised: a move to a square that is done is blocked, and a square without
two open moves is done. An open tour has two ends; if one is lost, the other end of its path is LOST. For each state
only the longest ways are kept, and their number.
"""

from typing import NamedTuple

import numpy as np

# Marks of a square in a state: four bits, and pairs of ends from PAIR on.
FREE, DONE, LOST, PAIR = range(4)
MAX_SLOTS, MAX_MOVES = 27, 56
# Values for a place outside the board, or without a slot.
NO_SLOT, IS_DONE = -1, -2

# Columns of a state, uint64: squares, two words of four bits per slot; bits of blocked moves, and from bit 56 on the
# number of moves that both halves count; the length from bit 56 on, and the number of ways; the previous state, and the
# moves.
LOW, HIGH, BLOCKED, WAYS, FROM = range(5)
WORDS = 5


class Step(NamedTuple):
    """Fixed data of one place.

    Attributes:
        square: Its slot.
        freed: Bits of moves that are decided here.
        active: Slots that later moves touch.
        rest: Active slots outside `pattern`.
        twice: Its moves that both halves count.
        moves: int64 (moves, 4): the slot of the other square; the bit of the move, or -1; the bits of later moves that
            it blocks; and the overlapping moves of this place, as bits by their index here (two leaps on one line).
        window: int64 (slots, 4), for each slot in use: its number; the slots of its later moves that cannot be crossed;
            the number of such moves to squares without a slot; the bits of its other later moves.
        pattern: int64, the slots of the next places, or NO_SLOT or IS_DONE.
    """

    square: int
    freed: int
    active: int
    rest: int
    twice: int
    moves: np.ndarray
    window: np.ndarray
    pattern: np.ndarray


class Rule(NamedTuple):
    """Parameters of the sweep.

    Attributes:
        closed: Whether the tour is closed.
        keeps_dead: Whether unusable squares stay free.
        is_loose: Whether any set of paths is allowed.
        is_passed: Whether the place has no moves.
        target: The least length of a tour.
        most: Maximum number of added moves.
        gain: Maximum number of added moves until the middle, -1 beyond it.
        far: Number of counts of ends outside the pattern in `bounds`.
        size: Items of `bounds` for each number of lost ends.
        bounds: uint8, the maximum number of added moves plus one, by lost ends, pattern and ends; or empty.
    """

    closed: int
    keeps_dead: int
    is_loose: int
    is_passed: int
    target: int
    most: int
    gain: int
    far: int
    size: int
    bounds: np.ndarray


# Indices of `totals`, int64: states in the table; the length, the number and the origin of the longest finished tours;
# the longest state; and whether a number of ways was too large.
COUNT, LENGTH, NUMBER, CAME_FROM, MOST, IS_OVERFULL = range(6)
TOTALS = 6
