"""Cases of the order of one tour on a flat board."""

from collections.abc import Iterator

import numpy as np

from knightstour import implicit_tour
from knightstour.core.kernels.bulk.orders import columns_of
from knightstour.core.machine.native import door
from reference import Case, Row


def _orders() -> Iterator[tuple[str, np.ndarray, tuple[int, int, int]]]:
    """Tours, and what is wrong in one place."""
    for rows, cols in [(1, 1), (5, 5), (3, 10), (8, 8)]:
        order = implicit_tour((rows, cols)).order()
        columns = columns_of(cols, rows * cols)
        yield f"{rows}x{cols}", order, columns
        for step in {0, len(order) // 2, len(order) - 1}:
            for value in (-1, rows * cols, int(order[-1 - step]), 2**31 - 1, -(2**31)):
                spoilt = order.copy()
                spoilt[step] = value
                yield f"{rows}x{cols} with {value} at {step}", spoilt, columns


def faults() -> Iterator[Case]:
    for name, order, columns in _orders():
        seen = np.zeros(len(order), dtype=np.uint8)
        half = len(order) // 2
        yield Case(name, (order, 0, half, columns, seen))
        if door("orders_first_fault")(order, 0, half, columns, np.zeros_like(seen)) < 0:
            seen = np.isin(np.arange(len(order)), order[:half]).astype(np.uint8)
            yield Case(name, (order, half, len(order), columns, seen))


def writing(shape: tuple[int, ...]) -> Iterator[Case]:
    """shape: of what is written for each square."""
    for name, order, columns in _orders():
        if "with" not in name:
            for kept, written in [(np.int32, np.int32), (np.int64, np.int64), (np.int64, np.int32)]:
                out = np.zeros((len(order), *shape), dtype=written)
                rest = (columns, out) if shape else (out,)
                yield Case(name, (order.astype(kept), 0, len(order) - 1, *rest))


ROWS = [
    Row("orders_first_fault", None, faults),
    Row("orders_put_numbers", None, lambda: writing(())),
    Row("orders_put_squares", None, lambda: writing((2,))),
]
