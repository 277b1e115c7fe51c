"""Cases for each kernel in C++, and for some kernels short and slow implementations in plain Python.

Each kernel has a file with the name of its C++ file. A reference recomputes what its kernel updates, and packs nothing.
A kernel without a reference is compared with digests of results from the time when it still had one. Each file has a
list ROWS; tests/kernels/test_kernels.py runs all rows, and tests/house/test_cpp.py fails for a door without a row.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np


class Case(NamedTuple):
    """Arguments of a door, and for each of several calls the numbers that follow them.

    Calls change arrays, so each case is built anew. The reference gets lists instead of arrays, also in tuples.
    """

    name: str
    arguments: tuple[Any, ...]
    calls: Sequence[tuple[float, ...]] = ((),)


class Row(NamedTuple):
    """A door, its reference, and cases on which both must return equal values and arrays.

    reference: None for a door that is compared with digests. seen: function of the arguments (with lists, which it may
    change) that returns their meaningful parts.
    """

    door: str
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
