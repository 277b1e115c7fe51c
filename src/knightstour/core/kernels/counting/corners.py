"""Rule "marks of corners": the states of a network of ways with marks; corners.cc makes those of a layer.

See lab/counting/census/by_corners.py for the whole, and lab/counting/spaces/by_states.py for the network.

marks: one number of 64 bits, four bits for each square still to be dealt with, the next one lowest. BARE: the square
has no move yet. ONE, BOTH: it has one or two. Any other number i: it has one, and its second goes to its neighbour
i - 1, so that they make a chosen corner there.
"""

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.keys import Keys


class Squares(NamedTuple):
    """near: int64 (squares, MAX_NEAR), the neighbours, -1 for none. corners: uint64 (squares, MAX_NEAR), for each
    neighbour the bits of those that make a chosen corner at the square with it. order, position: int64, the squares as
    they are dealt with, and the place of each in it."""

    near: np.ndarray
    corners: np.ndarray
    order: np.ndarray
    position: np.ndarray


class Ways(NamedTuple):
    """Of one layer: offsets int64, targets and codes int32; picked: int64 (codes, 2), the squares that each code joins
    the square of the layer to, -1 for none."""

    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray
    picked: np.ndarray


class Layers(NamedTuple):
    """sources: uint64 (sources, 2), their states and marks. next: the same of what is made."""

    counters: np.ndarray
    sources: np.ndarray
    next: Keys


BARE, ONE, BOTH = 0, 14, 15
# Squares whose marks fit into one number.
MAX_OPEN = 15
# Neighbours of a square.
MAX_NEAR = 8
# Items of `counters` that Python asks for; the struct Counters has all. MADE: states made.
MADE = 0
COUNTERS = 3
# No source leads to more states than this.
MAX_CHILDREN = 1024
