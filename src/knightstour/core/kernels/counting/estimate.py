"""A population of random walks, and what a step of all of them chooses; estimate.cc takes it.

Walk i has come to head[i]; free[i, s] is 1 for squares not visited yet, degree[i, s] the number of free neighbours of s
(right for free squares). last[i] is the square that must come last, or -1. log_weight[i] is the logarithm of 1 over the
probability of the choices made so far; a walk that cannot become a tour has DEAD there and rests. hope[i] is the sum
over the free squares of promise[degree]: a guess at the logarithm of the number of ways to go on. roots[i] counts the
free neighbours of the first square of a closed tour.
"""

from typing import NamedTuple

import numpy as np

DEAD = -1e300


class Field(NamedTuple):
    """offsets, targets: the moves, as in MoveGraph, int64. near_root: 1 for neighbours of the first square of closed
    tours, else 0, int64. liking, promise: by degree, float64. random: int64 (1,)."""

    offsets: np.ndarray
    targets: np.ndarray
    near_root: np.ndarray
    liking: np.ndarray
    promise: np.ndarray
    random: np.ndarray


class Walks(NamedTuple):
    """head, last, roots: int64. free: int8 and degree: int32, (walks, squares). log_weight, hope: float64."""

    head: np.ndarray
    last: np.ndarray
    free: np.ndarray
    degree: np.ndarray
    log_weight: np.ndarray
    hope: np.ndarray
    roots: np.ndarray


class Choices(NamedTuple):
    """total: for each walk the liking of all squares that it could go to, float64; 1 where it did not move. degree: of
    the square that it went to, int64; 0 where it did not move. The kernel takes no logarithms: log_weight is still to
    grow by that of the total, less that of the liking of the degree."""

    total: np.ndarray
    degree: np.ndarray
