"""The sweep that proves which uncrossed tours are longest; uncrossed.cc deals with its places.

Places of the board are dealt with in order, and each gets its moves to later places. A square that later moves
touch has a slot, and a move that an earlier one may cross a bit. A state says what the rest of the board can know: for
each slot whether it is FREE, DONE, or the end of a path and of which one, and which moves are blocked, by whatever
crosses them. What cannot be used any more is made equal: a move to a square that is done is blocked, and a square that
no two open moves touch is done. An open tour has two ends; where one is lost for good, the other end of its path is
LOST. Of the ways that lead to a state only the longest are kept, and how many they are.
"""

from typing import NamedTuple

import numpy as np

# Marks of a square in a state: four bits, and pairs of ends from PAIR on.
FREE, DONE, LOST, PAIR = range(4)
MAX_SLOTS, MAX_MOVES = 27, 56
# Of a place that is beyond the board, or has no slot.
NO_SLOT, IS_DONE = -1, -2

# A row of states, uint64: squares, two words of four bits a slot; bits of blocked moves, and from bit 56 on how many
# moves both halves count; the length from bit 56 on, and the number of ways; where it came from, and by which moves.
LOW, HIGH, BLOCKED, WAYS, FROM = range(5)
WORDS = 5


class Step(NamedTuple):
    """What is fixed about one place.

    square: its slot. freed: bits of moves that are decided here. active: slots that later moves touch. rest: those of
    them that are not in `pattern`. twice: which of its moves both halves count.
    moves: int64 (moves, 4): the slot of the other square; the bit of the move, or -1; the bits of later moves that it
    blocks; and the moves of this place that it overlaps, as bits by their index here (two leaps on one line).
    window: int64 (slots, 4), of each slot in use: its number; the slots that its later moves lead to where nothing may
    cross them; how many such moves lead to squares without a slot; the bits of its other later moves.
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
    """What is asked, and what is left out.

    closed: whether a closed tour is asked for. keeps_dead: whether squares that cannot be used stay free. is_loose:
    whether any set of paths will do. is_passed: whether the place gets no moves. target: the least length of a tour.
    most: how many moves can be added. gain: how many until the middle, -1 beyond it. far: how many numbers of ends
    outside the pattern `bounds` knows; size: the items of `bounds` for each number of lost ends.
    bounds: uint8, the most moves that can be added, and one more, by ends that may be lost, pattern and ends; or empty.
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


# Items of `totals`, int64: states in the table; the longest tour that is whole, how many there are, and where it came
# from; the longest state; and whether a number of ways was too large.
COUNT, LENGTH, NUMBER, CAME_FROM, MOST, IS_OVERFULL = range(6)
TOTALS = 6
