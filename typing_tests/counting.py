"""Count tours, number them, estimate how many there are."""

from collections.abc import Iterator
from pathlib import Path
from typing import assert_type

import knightstour as kt

assert_type(kt.count((6, 6), closed=True), int)
assert_type(kt.count((6, 6), memory=10**9, checkpoint=Path("kept")), int)

table = kt.census((6, 6), "symmetry", closed=True, workers=1)
assert_type(table[0].tours, int)
recurrence = kt.sequences.count_recurrence((3, 20))
assert_type(recurrence.order, int)
assert_type(recurrence.denominator, tuple[int, ...])


plan = kt.plan((8, 8), closed=True)
assert_type(plan, kt.typing.CountPlan)
assert_type(plan.states, float)

estimate = kt.estimate((8, 8), closed=True, samples=1_000, seed=1)
assert_type(estimate, kt.typing.Estimate)
assert_type(estimate.mean, float)

space = kt.TourSpace((6, 6), closed=True)
assert_type(space, kt.TourSpace)
assert_type(space.count, int)
assert_type(space.unrank(1), kt.Tour)
assert_type(space.rank(space.unrank(1)), int)
assert_type(iter(space), Iterator[kt.Tour])
assert_type(space.sample(10, seed=7), kt.Sample)
