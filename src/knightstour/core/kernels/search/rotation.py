"""The state of the rotation method: a path grows by Warnsdorff's rule, and its end is turned round where it is stuck.

The path is path[0 .. length-1], position[] its inverse (-1 off the path), and free[s] the number of neighbours of s
that are off the path. A rotation at an inner square x of the path that is a neighbour of the end reverses everything
after x: the path stays a path, and its end is another one.

The new end is two moves from the old one, so that an end turned at random strays over the board like a drunkard, and
the last free squares of a big board, far from each other, would be found by luck. So on larger boards the end is led to
them: distance[] holds how far the nearest one is from each square of the path.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64, but for near_start, which is of bool.

    counters: see below. offsets, targets: the moves, as in MoveGraph. near_start: whether a square is a neighbour of
    the path's first. distance: empty if ends are not led; queue is room for as many squares.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    path: np.ndarray
    position: np.ndarray
    free: np.ndarray
    near_start: np.ndarray
    distance: np.ndarray
    queue: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. NOISE: one square in NOISE is entered at
# random; 0: none. SWAPPED: 1 while START and END have changed places. IS_KNOWN: whether `distance` is of the path as
# long as it is.
RANDOM, LENGTH, COUNT, START, END = range(1, 6)
RESTART_AFTER, RESTARTS, ROTATIONS, NOISE, SWAPPED = range(7, 12)
IS_KNOWN = 13
COUNTERS = 16

CLOSED = -2  # as END: the end must be a neighbour of the start
ANY = -1  # as START or END
