"""The state of the neural method: a neuron for every move, and each square wants two of them on.

output[m] says whether move m is part of the cover. potential[m] rises by one for each move that its two squares
still want and falls for each one too many; the neuron goes on above 3 and off below 0, and stays as it is between (the
hysteresis). degree[v] is the number of neurons on at v: in the synchronous mode as it was before the sweep, else now.
Where all degrees are two nothing changes any more: the neurons on are a cover by loops.

A neuron between two squares that have what they want does not change, so a sweep only visits the others: wrong[] lists
the vertices whose degree is not two, and place[v] is where v is in it, or -1.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64, and output of bool.

    counters: see below. tails, heads: the two ends of each neuron's move. offsets, slots: the neurons at each vertex.
    fresh: degrees after a synchronous sweep. turns: the neurons this sweep visits. marks: the last sweep that listed a
    neuron. cycle: the loops of the last cover, of each the last vertex v as -1 - v.
    """

    counters: np.ndarray
    tails: np.ndarray
    heads: np.ndarray
    offsets: np.ndarray
    slots: np.ndarray
    output: np.ndarray
    potential: np.ndarray
    degree: np.ndarray
    fresh: np.ndarray
    turns: np.ndarray
    marks: np.ndarray
    wrong: np.ndarray
    place: np.ndarray
    cycle: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. WANTS_COVER: 1: any cover by loops will do.
# WRONG: vertices in `wrong`.
RANDOM, PHASE = range(1, 3)
IS_SYNCHRONOUS, WANTS_COVER = range(4, 6)
MAX_SWEEPS = 7
WRONG = 9
RESTARTS, CONVERGED, SINGLE, SWEEPS = range(11, 15)
COUNTERS = 15

BEGIN, GATHER, SWEEPING, TRACE = range(4)
