"""Integers from residues modulo a few primes, in machine words.

A proved upper bound on the number of tours determines the number of primes. A directed closed tour is a permutation of
the squares that maps each square to a neighbour. The number of such permutations is the permanent of the adjacency
matrix, at most the product of (d!)^(1/d) over the squares, where d is the number of neighbours (Bregman 1973: Some
properties of nonnegative matrices and their permanents). An open tour is a closed tour of the board with one more
square, adjacent to all, where its two ends meet.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, log2, prod

from knightstour.core.model.board import move_graph
from knightstour.core.model.problem import Problem

# Products of two residues, and sums of a few, stay below 2**63.
LARGEST_PRIME = (1 << 31) - 1
# Bits that the primes of later passes may lack.
_LESS_BITS = 0.01
# Bits of information from a pass modulo two primes.
PASS_BITS = 2 * (31 - _LESS_BITS)
# Reciprocal of the maximum rounding error of a bound, a sum of many floats.
_ROUNDED = 1000


def primes(largest: int = LARGEST_PRIME) -> Iterator[int]:
    """Yield the primes from an odd number downwards; the number must be below 3.3e24.

    >>> found = primes()
    >>> next(found), next(found), next(primes(2**61 - 3))
    (2147483647, 2147483629, 2305843009213693921)
    """
    return filter(_is_prime, range(largest, 2, -2))


def _is_prime(n: int) -> bool:
    """Strong test (Miller 1976, Rabin 1980) of an odd number. With the first 12 primes as bases it is a proof below
    3.3e24 (Sorenson and Webster 2015)."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(base, odd, n)
        if n != base and x not in (1, n - 1) and all((x := x * x % n) != n - 1 for _ in range(twos - 1)):
            return False
    return True


def whole_number_from(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the number nearest 0 with these residues modulo different primes (Chinese remainder theorem).

    It is unique if its absolute value is less than half the product of the primes.

    >>> whole_number_from([2, 4], [5, 7]), whole_number_from([3, 5], [5, 7])
    (-3, -2)
    """
    value, product = 0, 1
    for residue, prime in zip(residues, moduli, strict=True):
        value = refine(value, product, residue, prime)
        product *= prime
    return value


def refine(value: int, product: int, residue: int, prime: int) -> int:
    """Return the number nearest 0 that is `value` modulo `product` and `residue` modulo `prime`.

    value: at most half the product. prime: odd, and not a factor of the product.

    >>> refine(-3, 35, 8, 11)
    -3
    """
    times = (residue - value) * pow(product, -1, prime) % prime
    return value + product * (times - prime if 2 * times > prime else times)


def are_enough(moduli: Sequence[int], bound: int) -> bool:
    """Return whether these residues determine any number of absolute value up to `bound`, which may be rounded.

    >>> are_enough([101, 103], 5_000), are_enough([101, 103], 5_200)
    (True, False)
    """
    return prod(moduli) > 2 * (bound + bound // _ROUNDED + 1)


@dataclass(slots=True)
class Residues:
    """Residues of a number that is counted in passes, each modulo two primes, until a bound shows that they suffice.

    moduli: the primes with known residues, then the primes of the current pass. passes: estimated number of
    passes. at_once: the number of primes per pass.

    >>> residues = Residues()
    >>> residues.begin()
    >>> residues.modulus, residues.add(10**19 % residues.modulus, bound=1e20), residues.passes
    (2147483647, None, 2)
    >>> residues.modulus, residues.add(10**19 % residues.modulus, bound=1e20), residues.is_pass_over
    (2147483629, None, True)
    >>> residues.begin()
    >>> residues.add(10**19 % residues.modulus, bound=1e20)
    10000000000000000000
    """

    moduli: list[int] = field(default_factory=list)
    residues: list[int] = field(default_factory=list)
    passes: int = 1
    at_once: int = 2

    @property
    def modulus(self) -> int:
        """The prime of the next residue; 0 between passes."""
        return self.moduli[len(self.residues)] if not self.is_pass_over else 0

    @property
    def pair(self) -> int:
        """The primes p and q of the current pass as one number, p + q * 2**31; 0 for none."""
        return self.moduli[-2] | self.moduli[-1] << 31 if self.moduli else 0

    @property
    def place(self) -> int:
        """Index of `modulus` in the pass: 0 or 1."""
        return len(self.residues) % 2

    @property
    def is_pass_over(self) -> bool:
        """Whether the residues modulo all primes of `moduli` are known."""
        return len(self.residues) == len(self.moduli)

    def begin(self, moduli: Iterable[int] | None = None) -> None:
        """Begin a pass modulo the next primes, or the next of `moduli`, which must be coprime."""
        self.moduli += itertools.islice((each for each in moduli or primes() if each not in self.moduli), self.at_once)

    def add(self, residue: int, bound: float) -> int | None:
        """Add the residue modulo `modulus`; return the number if the residues suffice. bound: upper bound on the
        number."""
        self.residues.append(residue)
        bits = self.at_once * (log2(self.moduli[-1]) - _LESS_BITS)
        self.passes = max(len(self.moduli) // self.at_once, ceil(log2(2 * int(bound) + 2) / bits))
        known = self.moduli[: len(self.residues)]
        return whole_number_from(self.residues, known) if are_enough(known, int(bound)) else None


# ---------------------------------------------------------------- number of passes

# Ratio of the bits of the count of a long board to the bits of the bound: 0.61 for 6x40 and 8x16, 0.63 for 8x32.
_TRUE_PART = 0.63
# Longer numbers need several passes: 8x16 (116 bits) is counted exactly, 6x24 (122 bits) is not.
_EXACT_BITS = 118.0
# A folded count is four times the number, and the product of the primes must exceed twice the count.
_MORE_BITS = 3.0


def bits_at_most(problem: Problem) -> float:
    """Return an upper bound for the base-2 logarithm of the number of undirected tours.

    A skipped square is mapped to itself, so it counts as its own neighbour.

    >>> round(bits_at_most(Problem((8, 8), closed=True)), 1), round(math.log2(13267364410532), 1)
    (86.7, 43.6)
    """
    degrees = [degree for degree in move_graph(problem.board).degrees.tolist() if degree]
    if not problem.closed:
        degrees = [degree + 1 for degree in degrees] + [len(degrees)]
    if problem.partial:
        degrees = [degree + 1 for degree in degrees]
    return max(0.0, sum(math.lgamma(degree + 1) / degree for degree in degrees) / math.log(2) - 1)


def passes_of(problem: Problem) -> tuple[int, int]:
    """Return the estimated and the maximum number of passes of a count by halves; (1, 1) if it is exact.

    >>> passes_of(Problem((8, 32), closed=True)), passes_of(Problem((8, 8), closed=True))
    ((5, 7), (1, 1))
    """
    most = bits_at_most(problem)
    about = _TRUE_PART * most
    if about <= _EXACT_BITS:
        return 1, 1
    return math.ceil((about + _MORE_BITS) / PASS_BITS), math.ceil((most + _MORE_BITS) / PASS_BITS)
