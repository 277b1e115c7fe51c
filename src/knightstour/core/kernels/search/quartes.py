"""The state of the search for tours of regular quartes; quartes.cc goes on with it.

A quarte is four squares with the numbers 4k + 1 to 4k + 4. A regular one lies in a block of 4x4 squares, in four
different rows and columns of it. The board is cut into such blocks; a band is four rows or columns of them. In a row of
a band each of its quartes has one number, so that all four rows have one sum where the places 1 to 4 in their quartes
have one mean, and the magic sum where the numbers k of the band's quartes have their share, too.

A choice is block * KINDS + quarte. The choices at a depth wait in `waiting`, WIDTH places for each depth; `length` is
their number, and the choice that holds comes after the last of them. The first quarte is one of `starts`.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64, and `fits` of bool.

    counters: see below. cells: the four squares of each quarte, 0 to 15, one quarte after the other, by the first
    square; first: where those from each of the 16 squares begin. masks: the squares as bits. fits: for each set of the
    16 squares whether it can be cut into quartes. starts: choices for the first quarte.
    used: the squares of each block that are taken, as bits. row_places, col_places: for each row and column the sum of
    2 * place - 5 of its numbers. row_left, col_left: the quartes that a band still gets; row_sum, col_sum: the sum of
    the numbers k of those that it has. waiting, length: see above. path: squares of the board, row * cols + col.
    """

    counters: np.ndarray
    cells: np.ndarray
    first: np.ndarray
    masks: np.ndarray
    fits: np.ndarray
    starts: np.ndarray
    used: np.ndarray
    row_places: np.ndarray
    col_places: np.ndarray
    row_left: np.ndarray
    col_left: np.ndarray
    row_sum: np.ndarray
    col_sum: np.ndarray
    waiting: np.ndarray
    length: np.ndarray
    path: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. DEPTH: quartes that are placed. COUNT:
# quartes of the board. COLS: columns of the board. ROWS_MATTER: whether all rows must have the magic sum. RANDOM: 0 for
# the given order, else choices are taken at random, and it never runs dry. PATIENCE: nodes after which a search at
# random begins again.
DEPTH, COUNT, WIDTH, COLS, ROWS_MATTER, COLS_MATTER = range(1, 7)
RANDOM, PATIENCE = range(8, 10)
COUNTERS = 11
KINDS = 64
