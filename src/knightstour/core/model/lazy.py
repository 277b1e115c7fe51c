"""Lazy loading for tables: modules that hold the functions of rows, and modules that add rows."""

from __future__ import annotations

import functools
import importlib
import threading
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from types import ModuleType
from typing import Any, TypeVar

# Extension point -> its modules.
_MODULES: dict[str, tuple[str, ...]] = {}


def register(modules: Mapping[str, tuple[str, ...]]) -> None:
    """Register the modules of extension points, without loading them."""
    _MODULES.update(modules)


def load(what: str) -> Iterator[ModuleType]:
    """Yield the loaded modules of an extension point; modules that are not installed are omitted."""
    for name in _MODULES.get(what, ()):
        try:
            yield importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise


_Row = TypeVar("_Row")


class Lazy:
    """A module that is imported when one of its functions is first called, so that help reads a table fast.

    >>> fractions = Lazy("fractions")
    >>> make = fractions.Fraction
    >>> str(make(2, 6))
    '1/3'
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):  # names that copying and inspection use
            raise AttributeError(name)
        return functools.partial(_call, self._module, name)


def _call(module: str, name: str, /, *args: object, **settings: object) -> object:
    # Not by sys.modules: a module that another thread is loading is there already, and lacks some of its functions.
    return getattr(importlib.import_module(module), name)(*args, **settings)


def load_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Import and return the function of an attribute of a Lazy; return others unchanged.

    >>> load_function(Lazy("fractions").Fraction).__name__
    'Fraction'
    """
    if isinstance(function, functools.partial) and function.func is _call:
        module, name = function.args
        found: Callable[..., Any] = getattr(importlib.import_module(module), name)
        return found
    return function


class Table(MutableMapping[str, _Row]):
    """Table to which modules of higher folders add rows, when a missing row is read.

    Existing rows are found without loading. A missing name, or iterating over all rows, loads the modules that the
    package defines for the table; each adds its rows by `TABLE[name] = row`. Users can do the same.

    >>> ages = Table("ages", {"Ada": 36})
    >>> ages["Emmy"] = 53
    >>> ages
    {'Ada': 36, 'Emmy': 53}
    """

    def __init__(self, what: str, rows: Mapping[str, _Row]) -> None:
        self._what, self._rows, self._is_whole = what, dict(rows), False
        self._loading: set[int] = set()  # the threads that load modules

    def _whole(self) -> dict[str, _Row]:
        thread = threading.get_ident()
        # The modules may read the table themselves. Other threads wait for them: importing has a lock for each module.
        if not self._is_whole and thread not in self._loading:
            self._loading.add(thread)
            try:
                for _ in load(self._what):
                    pass
            finally:
                self._loading.discard(thread)
            self._is_whole = True  # last, when all rows are there
        return self._rows

    def __getitem__(self, name: str) -> _Row:
        return self._rows[name] if name in self._rows else self._whole()[name]

    def __setitem__(self, name: str, row: _Row) -> None:
        self._rows[name] = row

    def __delitem__(self, name: str) -> None:
        del self._whole()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __repr__(self) -> str:
        return repr(self._whole())
