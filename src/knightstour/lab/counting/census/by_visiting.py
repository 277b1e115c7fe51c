"""The census of any statistic: all tours are made, one after the other, and measured.

The tours are gone through in the order of their numbers (spaces/visiting.py). They must be as many as the count, which
was made another way.

Cost: a microsecond a tour of 6x8 for making it, and one to three for measuring it.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from knightstour.lab.counting.settings import Watch
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.visiting import orders_between
from knightstour.lab.statistics.strokes import Strokes
from knightstour.lab.statistics.table import statistic_named


class Tally(NamedTuple):
    """What a census has met. counts: value -> tours. first: value -> the lowest number of a tour that has it."""

    counts: Counter[int]
    first: dict[int, int]

    def plus(self, other: Tally) -> Tally:
        """Both together; of two tours with a value the lower number stays.

        >>> Tally(Counter([30, 31]), {30: 5, 31: 2}).plus(Tally(Counter([30]), {30: 4})).first
        {30: 4, 31: 2}
        """
        lowest = {value: min(k, other.first.get(value, k)) for value, k in self.first.items()}
        return Tally(self.counts + other.counts, {**other.first, **lowest})


NOTHING = Tally(Counter(), {})


def visit(space: WaySpace, name: str, watch: Watch) -> Tally:
    """The tally of all tours of a space. Raises LimitReached where the budget of `watch` is spent."""
    statistic, problem = statistic_named(name), space.problem
    tally, done = NOTHING, 0
    for orders in orders_between(space, 1, space.count):
        values = statistic.of(Strokes(problem.board, orders, closed=problem.closed))
        found, places, counts = np.unique(values, return_index=True, return_counts=True)
        met = found.tolist()
        here = Counter(dict(zip(met, counts.tolist(), strict=True)))
        first = {value: done + 1 + place for value, place in zip(met, places.tolist(), strict=True)}
        tally = tally.plus(Tally(here, first))
        done += len(orders)
        watch.report(f"{done:,} of {space.count:,} tours", done / space.count, done)
    return tally
