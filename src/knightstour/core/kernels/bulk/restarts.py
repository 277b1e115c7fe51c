"""The state of the distribution warnsdorff: always to a free square with the fewest free neighbours; restarts at a
dead end.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of a board without its holes.

    counters: see below. offsets, near: the moves. labels: the board's number of each square. free: how many neighbours
    of a square were not visited in this attempt. line: its squares in order. is_off: bool, which were visited. All
    others are int64, but `out`, rows of square numbers of the board: uint8, uint16 or int32.
    """

    counters: np.ndarray
    offsets: np.ndarray
    near: np.ndarray
    labels: np.ndarray
    free: np.ndarray
    line: np.ndarray
    is_off: np.ndarray
    out: np.ndarray


# Items of `counters`; START and END are -1 for any square.
RANDOM, COUNT, START, END, CLOSED, MADE, NODES, FAILS = range(8)
COUNTERS = 8
