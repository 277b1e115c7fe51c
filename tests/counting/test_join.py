"""The join of two halves: words with many pairs, buffers that are too small, and counts that are too large."""

import numpy as np
import pytest

from knightstour.core.kernels.counting import join as kernel
from knightstour.core.machine.native import kernel_function
from knightstour.lab.counting.halves import middle
from reference import as_lists
from reference.join import pair_of, room_of, some_words, value_of


def joined(pairs: int, zeros: int, items: int, most_count: float = 2.0**60) -> tuple[int, np.ndarray, int]:
    """Return the result of a join of two halves with random words, its counters, and the total."""
    room, tables, counters = room_of(zeros, items)
    total = np.zeros(4, dtype=np.int64)
    status = kernel_function("join_numbers")(
        *some_words(pairs), room, tables, 0, most_count, counters, total, np.zeros(1), 1
    )
    assert not room.zeros.any()
    return status, counters, middle.of_digits(total)


@pytest.mark.parametrize("pairs", [7, 8, pytest.param(9, marks=pytest.mark.long)])
def test_words_with_many_pairs_are_joined(pairs):
    _, (_, *needed), _ = joined(pairs, 0, 100)
    _, (_, *needed), _ = joined(pairs, *needed)
    status, counters, total = joined(pairs, *needed)
    finals, left, right, fit = as_lists(some_words(pairs))
    pair = pair_of(finals[0], left, right, fit)
    assert pair is not None
    counts = [
        {key: value_of(side, found[0][1]) for key, found in found.items()}
        for side, found in zip((left, right), (pair.left, pair.right), strict=True)
    ]
    assert status == kernel.DONE and counters[kernel.NEXT] == 1
    assert total == sum(counts[0][a] * counts[1][b] for a, b in pair.fitting()) > 2**100


def test_larger_class_requests_more_memory():
    wanted = joined(6, 11_000, 1 << 14)[2]
    # The first call determines the required size.
    sizes, asked = [0, 0], []
    while (found := joined(6, *sizes))[0] == kernel.FULL:
        assert found[1][kernel.NEXT] == found[2] == 0
        sizes = found[1][kernel.NEED_ZEROS :].tolist()
        asked.append(sizes)
    assert found[::2] == (kernel.DONE, wanted) and len(asked) == 2
    assert joined(6, sizes[0] - 1, sizes[1])[0] == joined(6, sizes[0], sizes[1] - 1)[0] == kernel.FULL


def test_counts_that_may_be_too_large_are_not_joined():
    status, counters, _ = joined(6, 11_000, 1 << 14, most_count=2.0**59)
    assert status == kernel.TOO_LARGE and counters[kernel.NEXT] == 0
