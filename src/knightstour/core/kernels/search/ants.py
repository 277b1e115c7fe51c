"""The state of the ant colony: walks that choose their moves by the scent earlier ones have left.

line[0 .. length-1] is the walk of the ant on its way, taken[i] the move (an item of targets) by which it came to
line[i], -1 in the opening; is_off[v] says whether v was visited and free[v] counts the unvisited neighbours of v. A
walk must come back to its first vertex, so the last free neighbour of that one may be entered only as the last vertex
of all.

scent[k] is what lies on move k, in its direction; fresh[k] what the ants of this round leave. It never falls below
LEAST, so that every move stays possible.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64, and is_off of bool.

    counters: see below. offsets, targets: the moves, as in CycleGraph. opening: the vertices every walk begins with.
    bonus: what a move's scent is multiplied by, by the number of free neighbours of its target.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    opening: np.ndarray
    bonus: np.ndarray
    scent: np.ndarray
    fresh: np.ndarray
    line: np.ndarray
    taken: np.ndarray
    is_off: np.ndarray
    free: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. LENGTH: 0: the next ant sets out. KEPT: part
# of a thousand of the scent that is left after a round.
RANDOM, LENGTH = range(1, 3)
ANTS, ROUND, MAX_ROUNDS, KEPT, WALKS, LONGEST, RESTARTS = range(4, 11)
COUNTERS = 11

FIRST, LEAST, MOST = 1 << 10, 1 << 4, 1 << 20
# What a walk of all vertices leaves on its first move.
DROP = 1 << 10
