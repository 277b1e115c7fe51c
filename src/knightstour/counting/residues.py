"""Whole numbers from their residues: count modulo a few primes, each in machine words, and put the answer together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

# Products of two residues, and sums of a few, stay below 2**63.
LARGEST_PRIME = (1 << 31) - 1


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
