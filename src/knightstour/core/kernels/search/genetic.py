"""The state of the genetic method: a population of individuals, of which two have a child that may replace one.

Individual p is the vertices genes[p * V .. p * V + V - 1], in one of two kinds:

bits: gene i says which move the walk takes from its i-th vertex. The walk ends where that move leads nowhere; repair
takes the next possible one instead and writes it into the gene. Fitness: the length of the walk. It must come back to
its first vertex, so the last free neighbour of that one may be entered only as the last of all.

segments: the genes are a closed line through all vertices. A child follows the links of its parents, those of both
first, else any move, else it jumps: a gap. Repair takes a gap u-p and a link v-q out, on the same side of u and v, and
puts a move u-v and p-q in, whatever that is: a part of the line is turned round, and there are no more gaps. Fitness:
the number of links that are moves.

line is the child's walk or line, place its inverse, -1 for vertices that are not on it, and open_first the number of
free neighbours of the first vertex. rest lists the vertices not yet on the line, later those beside a gap; spot[v] is
where v is in it.
"""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Arrays of int64, and is_near of bool.

    counters: see below. offsets, targets: the moves, as in CycleGraph. opening: the vertices every walk of bits begins
    with. bits: width of each gene. is_near: whether each vertex is a neighbour of the first of such walks. child: the
    genes of the child. one, other: where each vertex is in the lines of the parents.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    opening: np.ndarray
    bits: np.ndarray
    is_near: np.ndarray
    genes: np.ndarray
    fitness: np.ndarray
    child: np.ndarray
    line: np.ndarray
    place: np.ndarray
    rest: np.ndarray
    spot: np.ndarray
    one: np.ndarray
    other: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. REPAIR: of a hundred. MUTATION: of a
# thousand.
RANDOM, PHASE, KIND, POPULATION = range(1, 5)
MAX_BORN, REPAIR, MUTATION, LENGTH = range(6, 10)
BIRTHS, REPAIRS, BEST, RESTARTS, LOOSE = range(14, 19)
COUNTERS = 19

BITS, SEGMENTS = range(2)
MAKE, GROW, TURN, JUDGE = range(4)
