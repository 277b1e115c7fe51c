"""What a census has met so far, and how two parts of it are put together."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple


class Tally(NamedTuple):
    """What a census has met. counts: value -> tours. least, most: (value, number of a tour) of the extremes."""

    counts: Counter[int]
    least: tuple[int, int] | None
    most: tuple[int, int] | None

    def plus(self, other: Tally) -> Tally:
        """Both together; of equal extremes the lower number stays."""
        least = min((each for each in (self.least, other.least) if each is not None), default=None)
        most = max(
            (each for each in (self.most, other.most) if each is not None),
            key=lambda extreme: (extreme[0], -extreme[1]),
            default=None,
        )
        return Tally(self.counts + other.counts, least, most)


NOTHING = Tally(Counter(), None, None)
