"""What a census has met so far, and how two parts of it are put together."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple


class Tally(NamedTuple):
    """What a census has met. counts: value -> tours. first: value -> the lowest number of a tour that has it."""

    counts: Counter[int]
    first: dict[int, int]

    def plus(self, other: Tally) -> Tally:
        """Both together; of two tours with a value the lower number stays."""
        return Tally(self.counts + other.counts, lowest(self.first, other.first))


def lowest(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    """For each value of the two the lower of the numbers that they have for it.

    >>> lowest({30: 5, 31: 2}, {30: 4, 32: 9})
    {30: 4, 31: 2, 32: 9}
    """
    common = {value: min(number, other[value]) for value, number in one.items() if value in other}
    return {**one, **other, **common}


NOTHING = Tally(Counter(), {})
