"""The chain of ways that a tour of a network is, from which the next tours are found; visiting.cc goes on with it.

See lab/counting/spaces/by_states.py for the network. Tours are gone through depth first: at each layer one way is taken
after the other, its moves are made, and a way that completes the tour leaves its moves in `links`. So moves that tours
have in common are joined once for all of them.

Invariant between calls: ways way[0] .. way[depth - 1] are taken, and so is way[depth] where taken[depth] is set; links
and degree hold the moves of just these ways. way[t] .. end[t] - 1 are the ways still to be taken at layer t.
"""

from typing import NamedTuple

import numpy as np


class Network(NamedTuple):
    """Layer t has its ways from way_at[t] and the offsets of its states from offset_at[t] on. It deals with square
    order[t], which code c joins to the two squares of row picked_at[t] + c of picked, -1 for none. targets, codes:
    int32; the others are int64."""

    way_at: np.ndarray
    offset_at: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray
    order: np.ndarray
    picked_at: np.ndarray
    picked: np.ndarray


class Chain(NamedTuple):
    """Arrays of int64. way, end, taken: by layer. degree: the moves at each square. links: (squares, 2), where these
    lead."""

    counters: np.ndarray
    way: np.ndarray
    end: np.ndarray
    taken: np.ndarray
    degree: np.ndarray
    links: np.ndarray


class Question(NamedTuple):
    """first: the square to begin with; -1 for the lower one of the two ends, but not `end`. closed: 1 for closed tours.
    squares: all of them in order, int64."""

    first: int
    end: int
    closed: int
    squares: np.ndarray


# Items of `counters`.
(DEPTH,) = range(1)  # the layer that is at work, -1 when all is done
COUNTERS = 1
