"""The state of annealing: one closed line through all vertices, and the gaps in it that are no moves.

line is a cyclic order of all vertices and place its inverse. Where two that follow each other are not joined by a move
there is a gap, so the line is a cover by as many paths as it has gaps; without gaps it is a tour. A turn takes two
links u-p and v-q out, where p and q follow u and v on the same side, and puts u-v, which is a move, and p-q in: the
part of the line between them is turned round. It changes the number of gaps by -2 to 1.

loose[] lists the vertices beside a gap, and spot[v] is where v is in it, or -1. Before the line is whole, loose[] holds
the vertices in random order, in which they are looked for, and free[v] counts those neighbours of v that are not on it.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64.

    counters: see below. offsets, targets: the moves, as in CycleGraph. chances: for each stage of the cooling, the
    chance of 2**32 to take a turn that makes one gap more.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    chances: np.ndarray
    line: np.ndarray
    place: np.ndarray
    loose: np.ndarray
    spot: np.ndarray
    free: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. WORSE: turns taken that made a gap more.
RANDOM, PHASE = range(1, 3)
GAPS, LOOSE = range(4, 6)
STAGE_TURNS, IS_GREEDY, TURNS, WORSE, HEATS, LENGTH = range(8, 14)
COUNTERS = 14

SHUFFLE, WALK, COUNT, COOL = range(4)
