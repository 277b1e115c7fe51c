"""Cases for each kernel in C++, and for some what it does, written down once more: short, slow, in plain Python.

One file for each kernel, with the name of its file of C++. A reference knows no tricks of the kernel: what it keeps up
to date is worked out anew, what it packs is left apart. A kernel without one is judged by digests: those of what its
cases left when it still agreed with a reference. Each file has a list ROWS; tests/kernels/test_kernels.py goes through
those of all files, and tests/house/test_cpp.py fails for a door without a row.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np


class Case(NamedTuple):
    """What a door is called with: arguments, and for each of several calls the numbers that come after them.

    Calls change arrays, so each case is made anew. The reference gets lists for the arrays, in tuples too.
    """

    name: str
    arguments: tuple[Any, ...]
    calls: Sequence[tuple[float, ...]] = ((),)


class Row(NamedTuple):
    """A door, what does the same, and cases on which both are compared: what they return, and all arrays after it.

    reference: None for a door that is judged by digests. seen: makes of the arguments (with lists, which it may change)
    what must be the same, where some parts of an array mean nothing.
    """

    door: str
    reference: Callable[..., int | None] | None
    cases: Callable[[], Iterable[Case]]
    seen: Callable[..., Any] = lambda *arguments: arguments


def as_lists(value: Any) -> Any:
    """The same with lists for arrays."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        items = map(as_lists, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def copied(value: Any) -> Any:
    """A copy of what `as_lists` has made, whose lists may be changed."""
    if isinstance(value, list):
        return [copied(item) for item in value] if value and isinstance(value[0], list) else value[:]
    if isinstance(value, tuple):
        items = map(copied, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def all_rows() -> list[Row]:
    """The rows of all files here."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return [row for module in modules for row in module.ROWS]
