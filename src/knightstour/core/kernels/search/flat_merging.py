"""The state of the merging of large flat knight's boards: pairs, joined row by row, without a list of moves.

The board lies in a frame: square (row, col) is the number (row + 2) * (cols + 2) + col + 1, so that a move is a fixed
step from any square, and one off the board ends outside `is_square`. ways[s] has a bit for each direction in which a
link leads from s: one bit of the 8 in a loop of two squares, two in longer ones, and the bit END, instead of a
direction, at an end of an open tour. Direction 7 - d is opposite to d.

All that a row needs lies in the rows beside it, so the cache holds it. Labels are trees, as in merging.py.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays with an item for each number of the frame, unless it says otherwise.

    counters: see below. steps: int64, what each of the 8 directions adds to the number of a square. blocks: int64
    (4, 4, 2), the squares (row, col) of the four loops of a 4x4 block. is_square: uint8. ways: uint16, label: int32,
    see above. queue, via, reached: int32, for what runs at the time; after WALK the loop is in `queue`, after COUNT the
    squares of each loop are in `reached`, and FIT has the squares of small loops in `via`. alone: int64, any number of
    squares. place: float64, the places of the squares of the large loop in it, -1.0 for all others; item GAP holds the
    least gap between two places.
    """

    counters: np.ndarray
    steps: np.ndarray
    blocks: np.ndarray
    is_square: np.ndarray
    ways: np.ndarray
    label: np.ndarray
    queue: np.ndarray
    via: np.ndarray
    reached: np.ndarray
    alone: np.ndarray
    place: np.ndarray


# Items of `counters`. A phase begins with CURSOR 0. SINGLE: a square that is to stay without a pair, or -1. START: of
# an open tour. END: the same, or -1 for any. PAIRED: squares that PAIR_REST could pair. JOINED: loops that JOIN has
# joined. LAST: the end of the path; -1 where LAY_PATH found none. LARGEST: a square of the largest loop, the root of
# its labels. AT: where WALK goes on, and from which direction it came, NOWHERE at first. WALKED: squares in the walk.
# FIRST: the square where the walk begins. SMALL: squares listed for FIT; how many are left over when it is done.
# PATIENCE: how often a loop may still be tried.
NODES, RANDOM, PHASE, CURSOR, ROWS, COLS, SINGLE, START, END, PAIRED, JOINED, HEAD, TAIL, LAST, LARGEST, AT = range(16)
BACK, WALKED, FIRST, SMALL, PATIENCE = range(16, 21)
COUNTERS = 21

# Items of `counters` at PHASE: what is done until FOUND.
PAIR_BLOCKS, PAIR_REST, LAY_PATH, JOIN, COUNT, WALK, FIT = range(7)

# The place that is no square's.
GAP = 0
NOWHERE = 8
