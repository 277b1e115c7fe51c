"""Whole numbers from their residues: count modulo a few primes, in machine words, and combine the residues."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, inf, log2, prod
from typing import TypedDict

from knightstour.core.model.errors import BoardError

# Products of two residues, and sums of a few, stay below 2**63.
LARGEST_PRIME = (1 << 31) - 1
# Bits of a number that are known from a pass modulo two primes.
PASS_BITS = 61.98
# Slack for the rounding of bounds, which are sums of many floats.
_SLACK = 1.001


def primes() -> Iterator[int]:
    """Primes from 2**31 - 1 downwards.

    >>> found = primes()
    >>> next(found), next(found)
    (2147483647, 2147483629)
    """
    candidate = LARGEST_PRIME
    while candidate > 1 << 30:
        # These four bases suffice below 3,215,031,751 (Pomerance, Selfridge and Wagstaff 1980).
        if all(_is_probable_prime(candidate, base) for base in (2, 3, 5, 7)):
            yield candidate
        candidate -= 2


def _is_probable_prime(n: int, base: int) -> bool:
    """The strong test (Miller 1976, Rabin 1980) of an odd number with one base."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    x = pow(base, odd, n)
    if x in (1, n - 1):
        return True
    for _ in range(twos - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


def whole_number_from(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """The number nearest 0 with these residues modulo different primes (Chinese remainder theorem).

    A number whose size is less than half the product of the primes is found exactly.

    >>> whole_number_from([2, 4], [5, 7]), whole_number_from([3, 5], [5, 7])
    (-3, -2)
    """
    value, product = 0, 1
    for residue, prime in zip(residues, moduli, strict=True):
        value = refined(value, product, residue, prime)
        product *= prime
    return value


def refined(value: int, product: int, residue: int, prime: int) -> int:
    """The number nearest 0 that is `value` modulo `product` and `residue` modulo one more prime.

    value: at most half the product. prime: odd, and no factor of the product. Where `value` has the residue already,
    the result is `value` itself.

    >>> refined(-3, 35, 8, 11)
    -3
    """
    times = (residue - value) * pow(product, -1, prime) % prime
    return value + product * (times - prime if 2 * times > prime else times)


class ResiduesRecord(TypedDict):
    """Residues in a file; long numbers are text, for readers whose numbers are floats."""

    moduli: list[int]
    residues: list[str]
    passes: int


@dataclass(slots=True)
class Residues:
    """A number that is counted in passes, each modulo two primes, until a bound on it says that they are enough.

    moduli: the primes whose residues are known, and those of the current pass. passes: how many passes will be needed,
    as far as is known.

    >>> residues = Residues()
    >>> residues.begin()
    >>> residues.modulus, residues.take(10**19 % residues.modulus, bound=1e20), residues.passes
    (2147483647, None, 2)
    >>> residues.modulus, residues.take(10**19 % residues.modulus, bound=1e20), residues.is_pass_over
    (2147483629, None, True)
    >>> residues.begin()
    >>> residues.take(10**19 % residues.modulus, bound=1e20)
    10000000000000000000
    """

    moduli: list[int] = field(default_factory=list)
    residues: list[int] = field(default_factory=list)
    passes: int = 1

    @property
    def modulus(self) -> int:
        """The prime whose residue is the next to be found; 0 before the first pass modulo primes."""
        return self.moduli[len(self.residues)] if not self.is_pass_over else 0

    @property
    def pair(self) -> int:
        """The two primes of the current pass as one number: the first, and the second times 2**31; 0 for none."""
        return self.moduli[-2] | self.moduli[-1] << 31 if self.moduli else 0

    @property
    def place(self) -> int:
        """Which of the two primes of the pass `modulus` is: 0 or 1."""
        return len(self.residues) % 2

    @property
    def is_pass_over(self) -> bool:
        """Whether the residues modulo all primes of `moduli` are known."""
        return len(self.residues) == len(self.moduli)

    def begin(self) -> None:
        """Begin a pass modulo the next two primes."""
        self.moduli += itertools.islice((prime for prime in primes() if prime not in self.moduli), 2)

    def take(self, residue: int, bound: float) -> int | None:
        """Add the residue modulo `modulus`; the number once there are enough. bound: on the size of it."""
        self.residues.append(residue)
        bound = bound * _SLACK + 1
        if bound == inf:
            raise BoardError("the number of tours has more than 300 digits", help="count a shorter board")
        self.passes = max(len(self.moduli) // 2, ceil(log2(2 * bound) / PASS_BITS))
        known = self.moduli[: len(self.residues)]
        return whole_number_from(self.residues, known) if prod(known) > 2 * int(bound) else None

    def to_json(self) -> ResiduesRecord:
        """For a file."""
        return {"moduli": self.moduli, "residues": [str(r) for r in self.residues], "passes": self.passes}

    @classmethod
    def from_json(cls, known: ResiduesRecord) -> Residues:
        """What `to_json` gave."""
        return cls([int(p) for p in known["moduli"]], [int(r) for r in known["residues"]], int(known["passes"]))
