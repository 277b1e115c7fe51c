"""Kernels over the order of one large tour: the model asks here, as it is a layer below."""

from __future__ import annotations

import numpy as np

from knightstour.core.kernels.bulk.orders import columns_of
from knightstour.core.machine.native import door
from knightstour.core.machine.slices import ranges

# Steps of the first call.
_AT_FIRST = 1 << 20


def is_tour(order: np.ndarray, rows: int, cols: int) -> bool:
    """As in core/model/tour_check.py, of int32."""
    order = np.ascontiguousarray(order)
    seen = np.zeros(rows * cols, dtype=np.uint8)
    columns = columns_of(cols, len(seen))
    first_fault = door("orders_first_fault")
    for first, last in ranges(len(order), _AT_FIRST):
        if first_fault(order, first, last, columns, seen) >= 0:
            return False
    # Each of as many steps as there are squares came to a new one.
    return len(order) == len(seen)


def put_numbers(order: np.ndarray, numbers: np.ndarray) -> None:
    """Write the number of each square, from 1, into a flat array. order: of a tour, int32 or int64."""
    for first, last in ranges(len(order), _AT_FIRST):
        door("orders_put_numbers")(order, first, last, numbers)


def put_squares(order: np.ndarray, rows: int, cols: int, squares: np.ndarray) -> None:
    """Write the rows and columns into an array (n, 2). order: of a tour, int32 or int64."""
    columns = columns_of(cols, rows * cols)
    for first, last in ranges(len(order), _AT_FIRST):
        door("orders_put_squares")(order, first, last, columns, squares)
