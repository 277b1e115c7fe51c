"""The state of the backbite distribution: random walks on the tours of a graph, read off where their ends meet.

The state of a walk is an open tour: pos[s] is the step at which square s is visited, link[s] and other[s] are the
squares before and after s (in no order; at an end of the tour only link is true). A turn takes an end e of the tour and
a neighbour c of it that is not next to it, adds the move e-c, and takes away the move from c to the square d that lies
towards e. That turns the stretch from d to e round, and makes d the end: pos becomes lo + hi - pos there. The two ends
take turns. Several walks go side by side, each in its row of the arrays.

From e there are degree(e) - 1 turns, and each is undone by one from d. So the walk comes by an open tour in proportion
to the product of degree - 1 over its two ends. A closed tour is met as any of the open tours that it is when cut, so
in proportion to the sum of these products over its moves, its weight; it is accepted with probability lowest / weight,
which makes all closed tours equally likely. The move between KEPT_S and KEPT_T, if there is one, is never taken away.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """The walks.

    counters: see below. offsets, near: the moves, uint32. pos: a row for each walk, filled up to a multiple of 64, of
    uint8, uint16 or uint32, as steps need. link, other: uint32, a row for each walk. ends: uint32, the two ends of
    each. line: uint32, scratch as long as a tour. images: int32, each row a symmetry that the question allows, from the
    squares of the kernel to those of the board. out: rows of square numbers of the board: uint8, uint16 or int32.
    """

    counters: np.ndarray
    offsets: np.ndarray
    near: np.ndarray
    pos: np.ndarray
    link: np.ndarray
    other: np.ndarray
    ends: np.ndarray
    line: np.ndarray
    images: np.ndarray
    out: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. KEPT_S: the two squares of the move that is
# kept, or -1. HEAD: the square to write first, or -1 for any. SKIPS: 1: do not write that square, it is none of the
# board. DIRECTION: RANDOM_WAY, or which way to write: with TOWARDS the square after HEAD, or with it last. START:
# number on the board of the square to write first, or -1. LEFT: turns to the next reading. LOWEST: no closed tour has
# less weight than this. REFUSED: closed tours passed over for their weight.
RANDOM, COUNT, KEPT_S, KEPT_T, HEAD, SKIPS, DIRECTION, TOWARDS, START, EVERY, LEFT = range(11)
LOWEST, MADE, TURNS, READINGS, REFUSED = range(12, 17)
COUNTERS = 17
RANDOM_WAY, FIRST_IS, LAST_IS = range(3)
