"""Test cases for the kernels in C++, and slow implementations of some kernels in Python.

Each kernel has a file with the name of its C++ file, with a list ROWS. tests/kernels/test_kernels.py runs all rows, and
tests/house/test_cpp.py fails for a kernel without a row. The results of a kernel without a reference are compared with
digests, which were stored when it had one.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np


class Case(NamedTuple):
    """Arguments of a kernel, and the numbers that follow them in each of several calls.

    The reference receives lists instead of arrays, also in tuples.
    """

    name: str
    arguments: tuple[Any, ...]
    calls: Sequence[tuple[float, ...]] = ((),)


class Row(NamedTuple):
    """A kernel, its reference (None: digests), and cases on which both must return equal values and arrays.

    seen: Function that returns the meaningful parts of the arguments.
    """

    function: str
    reference: Callable[..., int | None] | None
    cases: Callable[[], Iterable[Case]]
    seen: Callable[..., Any] = lambda *arguments: arguments


def as_lists(value: Any) -> Any:
    """Convert arrays to lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        items = map(as_lists, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def copied(value: Any) -> Any:
    """Copy the result of `as_lists`."""
    if isinstance(value, list):
        return [copied(item) for item in value] if value and isinstance(value[0], list) else value[:]
    if isinstance(value, tuple):
        items = map(copied, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def all_rows() -> list[Row]:
    """Return the rows of all files here."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return [row for module in modules for row in module.ROWS]
