"""The state of the merging method: cover the board by small loops, and join them two at a time until one is left.

A cover is two links a square, before[s] and after[s], which say what lies on either side of s in its loop; they have
no direction once the cover is made. A loop of two squares has both links of each on the other. An open tour is a loop
through one square more, the joker: after[joker] is the start and before[joker] the end. The joker has no moves, so only
the code that moves a free end ever touches it.

Two loops with links a-b and p-q become one when a-p and b-q are put in instead. Where no such place is left, a closed
trail of moves, by turns taken away and put in, changes the loops otherwise. label[s] is the loop of s, loops[l] the
number of squares of loop l (0: no such loop). While nothing but joining happens (phase SWEEP) the labels are trees,
so that a loop need not be walked round to take another's label: label[s] leads on to the root. Source: B. A. Galler and
M. J. Fischer, An improved equivalence algorithm, 1964.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int32, for half the memory is half the time of a large board; counters and reached are int64.

    counters: see below. offsets, targets: the moves, as in MoveGraph, and of the joker none. squares: all the squares,
    shuffled in place. base: the fixed cover by 4-cycles as the square after each, -1 where it has none. before, after,
    label, loops: see above. queue, reached, via: the search for a matching; later `reached` marks what was counted, via
    is the trail, and `queue` has labels and, after LONGEST_TRAIL items, the squares of small loops. tour: the squares
    in order. before, after, label, loops, queue, reached and via have room for LONGEST_TRAIL items more than squares.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    squares: np.ndarray
    base: np.ndarray
    before: np.ndarray
    after: np.ndarray
    label: np.ndarray
    loops: np.ndarray
    queue: np.ndarray
    reached: np.ndarray
    via: np.ndarray
    tour: np.ndarray


# Items of `counters`. START: a square, ANY, or NONE in a closed tour. END: the same; given only together with the
# start. ROUNDS: how many more times the finished tour is cut into pairs. LISTED: how many squares of small loops are
# listed. IS_FIRST: on large boards: whether the search or sweep is one of the first, which are quicker.
NODES, RANDOM, PHASE, CURSOR, COUNT, JOKER, START, END, RANDOMNESS, ROUNDS, HAS_TOUR, COMPONENTS, SEARCHES = range(13)
SEARCHING, HEAD, TAIL, OPEN_TARGETS, UNMATCHED, FAILED_SQUARES, FAILED_TARGETS, MERGED, FEWEST = range(13, 22)
KICKS_SINCE, MERGES, STUCK, REPAIRS, RESTARTS, PATIENCE, FOCUS, FRESH, LISTED, IS_FIRST = range(22, 32)
COUNTERS = 32

# As START and END.
ANY, NONE = -1, -2

# Items of `counters` at PHASE.
COVER, ENDS, MATCH, LABEL, SWEEP, REPAIR, WRITE = range(7)

# Longer trails seldom leave as few loops as there were.
LONGEST_TRAIL = 16
