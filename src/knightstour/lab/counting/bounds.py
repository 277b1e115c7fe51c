"""A proved bound on the number of tours, and how many passes modulo primes a count by halves may take.

A closed tour walked in one direction is a permutation of the squares that takes each to a neighbour. There are at most
as many of these as the permanent of the matrix of neighbours, which is at most the product of (d!)^(1/d) over the
squares, d their numbers of neighbours (Bregman 1973: Some properties of nonnegative matrices and their permanents). An
open tour is a closed tour of the board with one more square, a neighbour of all, where its two ends meet.
"""

from __future__ import annotations

import math

from knightstour.core.model.board import move_graph
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.residues import PASS_BITS

# Of the bits of the bound, those that the numbers of tours of long boards have: 0.61 for 6x40 and 8x16, 0.63 for 8x32.
_TRUE_PART = 0.63
# Numbers of more bits are not counted exactly: 8x16, of 116 bits, is; 6x24, of 122, is not.
_EXACT_BITS = 118.0
# A folded count is four times the number, and the product of the primes must be twice as large.
_MORE_BITS = 3.0


def bits_at_most(problem: Problem) -> float:
    """The number of undirected tours is at most 2 to this.

    >>> round(bits_at_most(Problem.of((8, 8), closed=True)), 1), round(math.log2(13267364410532), 1)
    (86.7, 43.6)
    """
    degrees = [degree for degree in move_graph(problem.board).degrees.tolist() if degree]
    if not problem.closed:
        degrees = [degree + 1 for degree in degrees] + [len(degrees)]
    return max(0.0, sum(math.lgamma(degree + 1) / degree for degree in degrees) / math.log(2) - 1)


def passes_of(problem: Problem) -> tuple[int, int]:
    """Passes of a count by halves, each modulo two primes: about how many, and how many at most; 1 if it is exact.

    >>> passes_of(Problem.of((8, 32), closed=True)), passes_of(Problem.of((8, 8), closed=True))
    ((5, 7), (1, 1))
    """
    most = bits_at_most(problem)
    about = _TRUE_PART * most
    if about <= _EXACT_BITS:
        return 1, 1
    return math.ceil((about + _MORE_BITS) / PASS_BITS), math.ceil((most + _MORE_BITS) / PASS_BITS)
