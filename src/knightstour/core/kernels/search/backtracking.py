"""The state of the backtracking method: each tour is a cycle through one vertex, the root, and grows square by square.

A closed tour's root is a square of the board. For open tours the root is one vertex more, joined to every square where
a tour may start or end, so that open tours are cycles too and one search serves both.

Without prunings the search knows only which squares are visited. With prunings it also keeps the edges that are still
possible. Invariants with prunings:
  edge[k] is 2 if move k is certain to be in the tour, 1 if it may be, 0 if it cannot; edge[mirror[k]] is the same
  degree[v] counts the edges of v that are not 0, fixed[v] those that are 2
  the certain edges make chains; mate[v] is the other end of the chain that ends at v (v itself if it has none)
  trail lists what was changed, newest last; marks[d] is its length before the move from path[d] was made
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64.

    counters: see below. offsets, targets: the moves, as in MoveGraph, in the order in which to try them, the root's
    after all others. mirror: the same move seen from its other end. near_root: 0, or for neighbours of the root their
    places among the squares, from 1. sign: the colours as +1 and -1, or all 0 without a colouring. left: without
    prunings the next move to try from path[d], with them how many moves wait for their turn in
    choices[offsets[path[d]] ...]. tours: room for finished tours, one after another. queue: squares whose edges have
    become few. memory: NOTES items for each vertex, of the search for islands.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    mirror: np.ndarray
    near_root: np.ndarray
    sign: np.ndarray
    path: np.ndarray
    position: np.ndarray
    left: np.ndarray
    choices: np.ndarray
    tours: np.ndarray
    edge: np.ndarray
    degree: np.ndarray
    fixed: np.ndarray
    mate: np.ndarray
    trail: np.ndarray
    marks: np.ndarray
    queue: np.ndarray
    memory: np.ndarray


# Items of `counters`. DEPTH: path[DEPTH] is the last square placed; path[0] is the root. START: the only square to
# which a move from the root may lead, or -1. TOTAL: vertices of the cycle. FIRST: where in the path the tour begins: 1
# if the root is no square. END: the square that must come last, or -1. PRUNE: sum of the prunings below. FEWEST: 1: try
# the move to the square with the fewest possible edges first. ONE_WAY: 1: leave out cycles whose last square has a
# lower place than the first after the root. FRESH: 1 if the prunings have not yet looked at the last move. TRAIL:
# length of trail. CERTAIN: number of certain edges. QUEUED: length of queue. HELD: tours in `tours`. CAPACITY: stop as
# soon as this many are held. BASE: the search ends where it would take back the move to path[BASE].
NODES, DEPTH, START, TOTAL, FIRST, END, PRUNE, FEWEST, ONE_WAY, STARTED, FRESH, TRAIL, CERTAIN, QUEUED, HELD = range(15)
CAPACITY, BACKS, BASE = range(15, 18)
COUNTERS = 18
NOTES = 7

STRANDED, FORCED, CLOSING, CONNECTIVITY, ISLANDS = 1, 2, 4, 8, 16
