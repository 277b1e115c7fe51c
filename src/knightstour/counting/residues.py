"""Whole numbers from their residues: count modulo a few primes, each in machine words, and put the answer together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, inf, log2, prod
from typing import TypedDict

from knightstour.model.errors import BoardError

# Products of two residues, and sums of a few, stay below 2**63.
LARGEST_PRIME = (1 << 31) - 1
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
        # Enough for numbers below 3,215,031,751 (Pomerance, Selfridge and Wagstaff 1980).
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
    """The number nearest 0 with these residues by different primes (Chinese remainder theorem).

    It is the right one if its absolute value is known to be less than half the product of the primes.

    >>> whole_number_from([2, 4], [5, 7]), whole_number_from([3, 5], [5, 7])
    (-3, -2)
    """
    value, product = 0, 1
    for residue, prime in zip(residues, moduli, strict=True):
        value = refined(value, product, residue, prime)
        product *= prime
    return value


def refined(value: int, product: int, residue: int, prime: int) -> int:
    """The number nearest 0 that is `value` modulo `product` and `residue` modulo one prime more, odd and no part of it.

    It is `value` itself where that has the residue already and lies within half the product.

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
    """A number that is counted modulo one prime after another, until a bound on it says that these are enough.

    moduli: the primes whose residues are known, and the one at work. passes: how many it will take, as far as is known.

    >>> residues = Residues()
    >>> residues.begin()
    >>> residues.modulus, residues.take(5 * 10**9 % residues.modulus, bound=1e10), residues.passes
    (2147483647, None, 2)
    >>> residues.begin()
    >>> residues.take(5 * 10**9 % residues.modulus, bound=1e10)
    5000000000
    """

    moduli: list[int] = field(default_factory=list)
    residues: list[int] = field(default_factory=list)
    passes: int = 1

    @property
    def modulus(self) -> int:
        """The prime at work; 0 before the first."""
        return self.moduli[-1] if self.moduli else 0

    def begin(self) -> None:
        """Go on to the next prime."""
        self.moduli.append(next(prime for prime in primes() if prime not in self.moduli))

    def take(self, residue: int, bound: float) -> int | None:
        """Put in the residue by the prime at work; the number, once there are enough. bound: it is at most that."""
        self.residues.append(residue)
        bound = bound * _SLACK + 1
        if bound == inf:
            raise BoardError("the number of tours has more than 300 digits", help="count a shorter board")
        self.passes = max(len(self.moduli), ceil(log2(2 * bound) / 30.99))
        return whole_number_from(self.residues, self.moduli) if prod(self.moduli) > 2 * int(bound) else None

    def to_json(self) -> ResiduesRecord:
        """For a file."""
        return {"moduli": self.moduli, "residues": [str(r) for r in self.residues], "passes": self.passes}

    @classmethod
    def from_json(cls, known: ResiduesRecord) -> Residues:
        """What `to_json` gave."""
        return cls([int(p) for p in known["moduli"]], [int(r) for r in known["residues"]], int(known["passes"]))
