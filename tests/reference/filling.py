"""Cases of arrays filled with arithmetic patterns."""

import itertools
from collections.abc import Iterator

import numpy as np

from reference import Case, Row


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(5)
    for dtype, width, block_size in itertools.product((np.int32, np.int64), (1, 3, 8, 50), (1, 20, 512)):
        tables = tuple(rng.integers(-1000, 1000, size=60) for _ in range(3))
        items = []
        place = 0
        for from_row, to_row, begin, end in [(0, 1, 0, 1), (2, 5, 7, 8), (0, 3, 5, 70), (1, 2, 0, 200), (0, 4, 11, 24)]:
            step = end - begin + 2
            items.append([place - from_row * step - begin, step, width, 7, from_row, to_row, begin, end])
            place += (to_row - from_row) * step
        out = np.zeros(place, dtype=dtype)
        scratch = np.zeros((3, max(width, block_size)), dtype=dtype)
        yield Case(
            f"{np.dtype(dtype)} {width} {block_size}",
            (out, np.array(items, dtype=np.int64), tables, scratch, block_size),
        )


# Scratch is the kernel's own.
ROWS = [Row("filling_fill", None, cases, lambda out, *rest: out)]
