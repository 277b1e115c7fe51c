"""Storage "keep all" of lists: what spaces consist of; space.cc goes from numbers to tours, uses.cc counts moves.

See lab/counting/spaces/by_halves.py for the whole. All arrays are of int64 where nothing else is said.
"""

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting.join import Fit, Side


class Chain(NamedTuple):
    """All layers of one half, one after the other, without the states of the last one, which are in a Side.

    class_at[t]: number of the first class of layer t. classes[j]; its states are begins[j] .. begins[j + 1] - 1, with
    words[i], rising within a class, and counts[i] (int32 or int64). The edges into it are edge_starts[j] ..
    edge_starts[j + 1] - 1 of edges, by number of the source within its layer. steps: as in cut.Half. square_at[t]: the
    square that step t is about. square_in[t, slot]: the square in a slot when the step is done. slot_of[t, square]: the
    other way round, -1 for none. moves: squares of the middle moves.
    """

    class_at: np.ndarray
    classes: np.ndarray
    begins: np.ndarray
    words: np.ndarray
    counts: np.ndarray
    edge_starts: np.ndarray
    edges: np.ndarray
    steps: np.ndarray
    square_at: np.ndarray
    square_in: np.ndarray
    slot_of: np.ndarray
    moves: np.ndarray


class Half(NamedTuple):
    """A half: its layers, and the last one of them as the join takes it."""

    chain: Chain
    side: Side


class Space(NamedTuple):
    """Both halves, and how they fit. from_left: turn table for left words."""

    left: Half
    right: Half
    fit: Fit
    from_left: np.ndarray


# Columns of a tour, asked for or found: the number of its class, and its number in that class, from 0.
PLACE = 2
CLASS, NUMBER = range(PLACE)
