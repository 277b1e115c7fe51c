"""Large orders in compiled code, where that is at hand: the model asks here and does the work with NumPy otherwise.

NumPy takes 4 to 6 ns a square for any of these questions, compiled code 2. That pays for loading it, and at last for
compiling it, only after very many squares, so nobody waits for a compiler to have one large tour checked.
"""

from __future__ import annotations

import numpy as np

from knightstour.kernels.bulk import orders
from knightstour.machine.at_hand import compiled_if_at_hand

# What the kernel saves for each square, in seconds.
_SAVED = 3e-9
# Squares that one call of the kernel looks at, so that Ctrl-C is heard.
_SQUARES_AT_ONCE = 1 << 24


def _read_only(order: np.ndarray) -> np.ndarray:
    """The order as numba knows it already: what can be written to has another type, and would be compiled for again."""
    view = order.view()
    view.setflags(write=False)
    return view


def is_tour(order: np.ndarray, rows: int, cols: int) -> bool | None:
    """As model/tour_check.py; None if NumPy is to find out."""
    kernel = compiled_if_at_hand(orders, _SAVED * len(order))
    if kernel is None:
        return None
    order = _read_only(order)
    seen = np.zeros(rows * cols, dtype=np.uint8)
    factor, shift = orders.reciprocal(cols)
    for first in range(0, len(order), _SQUARES_AT_ONCE):
        last = min(first + _SQUARES_AT_ONCE, len(order))
        if kernel.first_fault(order, first, last, rows * cols, cols, factor, shift, seen) >= 0:
            return False
    # Each of as many steps as there are squares came to a new one.
    return len(order) == rows * cols


def put_numbers(order: np.ndarray, numbers: np.ndarray) -> bool:
    """Write the number of each square, from 1, into a flat array; False if NumPy is to do it."""
    kernel = compiled_if_at_hand(orders, _SAVED * len(order)) if order.dtype == np.int32 else None
    if kernel is not None:
        kernel.put_numbers(_read_only(order), numbers)
    return kernel is not None


def put_squares(order: np.ndarray, cols: int, squares: np.ndarray) -> bool:
    """Write the rows and columns into an array (n, 2); False if NumPy is to do it."""
    kernel = compiled_if_at_hand(orders, _SAVED * len(order)) if order.dtype == np.int32 else None
    if kernel is not None:
        kernel.put_squares(_read_only(order), cols, *orders.reciprocal(cols), squares)
    return kernel is not None
