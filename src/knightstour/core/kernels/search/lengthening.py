"""The state of the search that lengthens an uncrossed tour; lengthening.cc goes on with it.

A part of the tour is taken out, and another one between the same squares put in its place, which no move of the rest
crosses: a longer one, or one as long, and now and then a shorter one. Squares and moves are numbers from 0.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64, and of bool.

    counters: see below. first: int64 (squares + 1,), where the moves of a square begin in `near` and `number`: the
    squares they lead to, and the numbers of the moves. crossing_first, crossing: the moves that each move crosses.
    kept: bool, squares that must stay. crossed: int64, by how many moves of the tour each move is crossed.
    next, previous: of each square on the tour, -1 at its ends; is_on: bool, whether it is on the tour.
    best_order: the longest tour, squares in order, -1 beyond. part, found: a part that may be put in, and its squares.
    at: for each depth which move comes next.
    """

    counters: np.ndarray
    first: np.ndarray
    near: np.ndarray
    number: np.ndarray
    crossing_first: np.ndarray
    crossing: np.ndarray
    kept: np.ndarray
    crossed: np.ndarray
    next: np.ndarray
    previous: np.ndarray
    is_on: np.ndarray
    best_order: np.ndarray
    part: np.ndarray
    found: np.ndarray
    at: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. SQUARES: on the tour. CAP: no tour visits
# more. HEAT: of this number of parts one may be shorter.
RANDOM, CLOSED, SQUARES, BEST, GOAL, CAP, HEAT = range(1, 8)
COUNTERS = 8
# The longest part that is taken out.
MAX_PART = 12
