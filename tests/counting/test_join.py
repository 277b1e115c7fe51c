"""The join of two halves: words with many pairs, room that is too small, and counts that are too large."""

from __future__ import annotations

import numpy as np
import pytest

from knightstour.core.kernels.counting import join as kernel
from knightstour.core.machine.native import door
from knightstour.lab.counting.halves import middle
from reference import as_lists
from reference.join import pair_of, some_words, value_of


def joined(pairs: int, desk: middle.Desk, most_count: float = 2.0**60) -> tuple[int, np.ndarray, int]:
    """What the join of two halves with words at random returns, its counters, and the total."""
    finals, left, right, fit = some_words(pairs)
    counters, total, bound = np.zeros(kernel.COUNTERS, dtype=np.int64), np.zeros(4, dtype=np.int64), np.zeros(1)
    room = (desk.scratch, middle.make_tables(), 0, most_count, counters, total, bound)
    status = door("join_numbers")(finals, left, right, fit, *room, 1)
    return status, counters, middle.of_digits(total)


@pytest.mark.parametrize("pairs", [7, 8, pytest.param(9, marks=pytest.mark.long)])
def test_words_with_many_pairs_are_joined(pairs):
    status, counters, total = joined(pairs, middle.Desk(pairs, 1))
    finals, left, right, fit = as_lists(some_words(pairs))
    pair = pair_of(finals[0], left, right, fit)
    assert pair is not None
    counts = [
        {key: value_of(side, found[0][1]) for key, found in found.items()}
        for side, found in zip((left, right), (pair.left, pair.right), strict=True)
    ]
    assert status == kernel.DONE and counters[kernel.NEXT] == 1
    assert total == sum(counts[0][a] * counts[1][b] for a, b in pair.fitting()) > 2**100


def test_a_class_that_needs_more_room_asks_for_it():
    desk = middle.Desk(6, 1)
    wanted = joined(6, desk)[2]
    desk._make(16, 10)
    status, counters, total = joined(6, desk)
    assert status == kernel.FULL and total == 0 and counters[kernel.NEXT] == 0
    desk.grow(int(counters[kernel.NEED_TABLE]), int(counters[kernel.NEED_LIST]))
    assert joined(6, desk)[::2] == (kernel.DONE, wanted)


def test_counts_that_may_be_too_large_are_not_joined():
    status, counters, _ = joined(6, middle.Desk(6, 1), most_count=2.0**59)
    assert status == kernel.TOO_LARGE and counters[kernel.NEXT] == 0
