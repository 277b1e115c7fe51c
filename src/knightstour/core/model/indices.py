"""Wrappers of NumPy functions that accept int64 counts and indices on every machine.

With 32-bit pointers (WebAssembly, 32-bit ARM) NumPy's own indices are int32: `np.repeat`, `np.bincount`, `np.take` and
`reduceat` reject int64 there, and `np.flatnonzero` returns int32, in which a product or a shift can overflow silently.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def repeat(values: Any, counts: Any, axis: int | None = None) -> np.ndarray:
    """np.repeat, with counts of any kind of whole numbers.

    >>> repeat([7, 8], np.array([2, 1], np.int64))
    array([7, 7, 8])
    """
    return np.repeat(values, np.asarray(counts).astype(np.intp, copy=False), axis)


def bincount(values: Any, weights: np.ndarray | None = None, minlength: int = 0) -> np.ndarray:
    """np.bincount of any kind of whole numbers; int64, or float64 with weights.

    >>> bincount(np.array([0, 2, 2], np.int64), minlength=4).tolist()
    [1, 0, 2, 0]
    """
    found = np.bincount(np.asarray(values).astype(np.intp, copy=False), weights, minlength)
    return found if weights is not None else found.astype(np.int64, copy=False)


def take(values: np.ndarray, where: np.ndarray) -> np.ndarray:
    """np.take of a flattened array, at places of any kind of whole numbers; quicker than `values[where]`.

    >>> take(np.array([7, 8, 9]), np.array([2, 0], np.int64))
    array([9, 7])
    """
    return np.take(values, where.astype(np.intp, copy=False) if where.dtype.itemsize > np.intp(0).itemsize else where)


def reduceat(function: np.ufunc, values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return `function.reduceat` for starts of any integer type.

    >>> reduceat(np.add, np.array([1, 2, 3]), np.array([0, 2], np.int64))
    array([3, 3])
    """
    found: np.ndarray = function.reduceat(values, starts.astype(np.intp, copy=False))
    return found
