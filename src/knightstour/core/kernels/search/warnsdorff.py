"""The state of Warnsdorff's rule with critical points; warnsdorff.cc goes on with it.

The path is path[0 .. length-1]; position[] is its inverse, -1 off the path. free[s] is the number of neighbours of s to
which a move from s could still go: those off the path, and the first square too if the tour is closed. The moves that
were tied at a square of the path and not tried yet wait in tied[offsets[square] ...], waiting[square] of them.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64.

    counters: see below. offsets, targets: the moves, as in MoveGraph. starts: squares to begin with, one after another.
    keys: for ROTH, the lower the sooner a square is taken. For SQUIRREL: directions, the number of each move among the
    eight; plan, nine items for each phase: the rank of each of the eight moves, and the square that ends the phase;
    phase, that of each step of the path.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    path: np.ndarray
    position: np.ndarray
    free: np.ndarray
    tied: np.ndarray
    waiting: np.ndarray
    starts: np.ndarray
    keys: np.ndarray
    directions: np.ndarray
    plan: np.ndarray
    phase: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. NOISE: after a restart, one tie in NOISE is
# broken at random. PATIENCE: times of going back after which it restarts. CRITICAL: critical points met.
RANDOM, LENGTH, COUNT, GOAL, TIES, NOISE, PATIENCE = range(1, 8)
RESTARTS, CRITICAL, BACKS = range(9, 12)
COUNTERS = 12

CLOSED, ANY = -2, -1  # as GOAL, beside the square that must come last
FIRST, AT_RANDOM, POHL, ROTH, SQUIRREL = range(5)
