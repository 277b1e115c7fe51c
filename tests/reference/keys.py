"""Cases of operations on keys."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour.core.search.frontier.marching import Keys
from reference import Case, Row


def numbers_of(keys: Keys, *rest: Any) -> tuple[Any, ...]:
    """Return the numbers of the table without their positions."""
    return keys.words, sorted(number for number, _ in keys.table)


def reindexed() -> Iterator[Case]:
    for width, count in [(1, 1), (2, 300), (5, 40)]:
        words = np.arange(width * count, dtype=np.uint64).reshape(count, width) ** np.uint64(5)
        keys = Keys(words, np.zeros((1024, 2), dtype=np.uint32))
        yield Case(f"{count} keys", (keys, width), [(0, count // 2), (count // 2, count)])


def repeats() -> Iterator[Case]:
    rng = np.random.default_rng(8)
    for width, most in itertools.product((1, 3), (2, 30)):
        more = rng.integers(0, most, size=(100, width), dtype=np.uint64) + np.uint64(2**64 - 100)
        keys = Keys(np.zeros((100, width), dtype=np.uint64), np.zeros((256, 2), dtype=np.uint32))
        yield Case(f"{width} {most}", (keys, width, more, np.zeros(100, dtype=np.bool_), 0))


ROWS = [
    Row("keys_reindex", None, reindexed, numbers_of),
    # The places in the table are the kernel's affair.
    Row("keys_mark_repeats", None, repeats, lambda keys, _, more, is_repeat, count: (keys.words, is_repeat)),
]
