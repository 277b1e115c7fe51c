"""Write src/knightstour/lab/counting/recurrences.json: recurrences of the numbers of tours of narrow boards.

Each recurrence is fitted to counts by states modulo primes (Berlekamp and Massey), until more primes change nothing.
It is then checked with exact terms that the fit does not use. The script takes half an hour.
"""

import functools
import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from knightstour.lab.counting.count import count as count_all
from knightstour.lab.counting.narrow import NARROW, Recurrence
from knightstour.lab.counting.residues import primes, refine

TARGET = Path(__file__).parent.parent / "src" / "knightstour" / "lab/counting" / "recurrences.json"
# The number of further terms that check a recurrence.
_CHECKED_TERMS = 40
# Maximum number of primes, which suffices for coefficients of 6000 bits.
_MAX_PRIMES = 200


def text() -> str:
    """Return the contents of the file, one line per width."""
    found = [find_recurrence(rows, closed) for rows, closed in NARROW]
    return "[\n" + ",\n".join(json.dumps(recurrence._asdict()) for recurrence in found) + "\n]\n"


@functools.cache
def term(rows: int, closed: bool, cols: int) -> int:
    """Return the number of tours of a board by states, without recurrences."""
    return count_all((rows, cols), closed=closed, method="states") if cols else 0


def find_recurrence(rows: int, closed: bool, *, most_terms: int = 1000) -> Recurrence:
    """Return the recurrence of a width; raise ValueError if `most_terms` terms are too few."""
    order, fitted = _order(rows, closed, most_terms)
    exact = [term(rows, closed, cols) for cols in range(fitted)]
    found = [0] * (2 * order + 1)  # the numerator, then the denominator
    product = 1
    agreed = 0
    for prime in itertools.islice(primes(), _MAX_PRIMES):
        terms = [a % prime for a in exact]
        length, bottom = _shortest_recurrence(terms, prime)
        if length != order:
            # The prime divides a coefficient that must not vanish; there are only a few such primes.
            continue
        top = [sum(q * terms[n - k] for k, q in enumerate(bottom[: n + 1])) % prime for n in range(order)]
        refined_ones = [refine(c, product, new, prime) for c, new in zip(found, top + bottom, strict=True)]
        # Two more primes confirm that the coefficients are complete.
        agreed = agreed + 1 if refined_ones == found else 0
        found = refined_ones
        product *= prime
        if agreed == 2:
            break
    else:
        raise ValueError(f"{fitted} terms of {rows} rows follow no recurrence with whole coefficients")
    numerator, denominator = (tuple(np.trim_zeros(poly, "b")) for poly in (found[:order], found[order:]))
    recurrence = Recurrence(rows, closed, numerator, denominator, fitted, _CHECKED_TERMS)
    exact += [term(rows, closed, cols) for cols in range(fitted, fitted + _CHECKED_TERMS)]
    if list(itertools.islice(recurrence.terms(), len(exact))) != exact:
        raise AssertionError(f"the recurrence of {rows} rows does not give the terms it should")
    return recurrence


def _order(rows: int, closed: bool, most_terms: int) -> tuple[int, int]:
    """Return the length of the shortest recurrence, and the number of terms that determine it."""
    prime = next(primes())
    count = min(64, most_terms)
    while True:
        length, _ = _shortest_recurrence([term(rows, closed, cols) % prime for cols in range(count)], prime)
        if 2 * length + 20 <= count:
            return length, 2 * length + 20
        if count == most_terms:
            kind = "closed" if closed else "open"
            raise ValueError(f"{count} terms of {rows} rows, {kind}, are too few to find the recurrence")
        count = min(2 * count, most_terms)


def _shortest_recurrence(terms: Sequence[int], prime: int) -> tuple[int, list[int]]:
    """Return the least L, and C with C[0] = 1 and sum of C[k] terms[n - k] = 0 modulo the prime for n >= L (Massey
    1969).
    """
    values = np.array(terms, dtype=np.int64)
    current = np.zeros(len(terms) + 2, dtype=np.int64)
    before = current.copy()
    current[0] = before[0] = 1
    length, gap, last = 0, 1, 1
    for n in range(len(terms)):
        # Products of residues fit into 63 bits, but not their sums.
        lack = int((current[: length + 1] * values[n - length : n + 1][::-1] % prime).sum() % prime)
        if lack == 0:
            gap += 1
            continue
        factor = lack * pow(last, -1, prime) % prime
        changed = current.copy()
        changed[gap:] = (changed[gap:] - factor * before[: len(before) - gap] % prime) % prime
        if 2 * length <= n:
            length, before, last, gap = n + 1 - length, current, lack, 1
        else:
            gap += 1
        current = changed
    return length, current[: length + 1].tolist()


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="ascii")
    print(f"wrote {TARGET}")
