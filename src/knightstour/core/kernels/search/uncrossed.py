"""The sweep that proves the maximum length of uncrossed tours; uncrossed.cc processes its places.

Places of the board are processed in order, and each gets its moves to later places. A square that later moves touch has
a slot, and a move that an earlier one may cross has a bit. A state contains the information that affects the rest of
the board: for each slot whether it is FREE, DONE, or the end of a specific path, and the set of blocked moves.
Irrelevant differences are removed: a move to a finished square is blocked, and a square without two open moves is done.
An open tour has two ends; if one is lost, the other end of its path is LOST. Only the longest partial tours of a state
are kept, with their number.
"""

from typing import NamedTuple

import numpy as np

# Marks of a square in a state: four bits, and pairs of ends from PAIR on.
FREE, DONE, LOST, PAIR = range(4)
MAX_SLOTS, MAX_MOVES = 27, 56
# A place beyond the board, and a place without a slot.
NO_SLOT, IS_DONE = -1, -2

# A row of states, uint64: squares, two words of four bits a slot; bits of blocked moves, and from bit 56 on the number
# of moves that both halves count; the length from bit 56 on, and the number of tours; the origin and its moves.
LOW, HIGH, BLOCKED, WAYS, FROM = range(5)
WORDS = 5


class Step(NamedTuple):
    """Constants of one place.

    square: its slot. freed: bits of moves that are decided here. active: slots of later moves. rest: active slots that
    are not in `pattern`. twice: its moves that both halves count. moves: int64 (moves, 4): the slot of the other
    square; the bit of the move, or -1; the bits of later moves that it blocks; and the moves of this place that it
    overlaps, as bits by their index here (two leaps on one line). window: int64 (slots, 4), for each slot in use: its
    number; the target slots of its later moves without possible crossings; the number of such moves to squares without
    a slot; the bits of its other later moves. pattern: int64, the slots of the next places, or NO_SLOT or IS_DONE.
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
    """Problem and pruning.

    closed: whether the tour must be closed. keeps_dead: whether unusable squares stay free. is_loose: whether any
    collection of paths is accepted. is_passed: whether the place gets no moves. target: the minimum length of a tour.
    most: maximum number of moves that can be added. gain: maximum number until the middle, -1 beyond it. far: number of
    values of ends outside the pattern in `bounds`; size: items of `bounds` for each number of lost ends. bounds: uint8,
    the maximum number of moves that can be added, plus one, by ends that may be lost, pattern and ends; or empty.
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


# Items of `totals`, int64: states in the table; the longest complete tour, the number of such tours, and its origin;
# the longest state; whether a number of tours overflowed.
COUNT, LENGTH, NUMBER, CAME_FROM, MOST, IS_OVERFULL = range(6)
TOTALS = 6
