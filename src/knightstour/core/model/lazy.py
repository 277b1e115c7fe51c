"""Lazy loading for tables: modules that hold the functions of rows, and modules that add rows."""

from __future__ import annotations

import functools
import importlib
import threading
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from types import ModuleType
from typing import Any, TypeVar

# What is left open -> the modules that fill it.
_MODULES: dict[str, tuple[str, ...]] = {}


def register(modules: Mapping[str, tuple[str, ...]]) -> None:
    """Name the modules that fill what is left open, none of which is loaded now."""
    _MODULES.update(modules)


def load(what: str) -> Iterator[ModuleType]:
    """The modules for a word, loaded; those whose ring or folder is not installed are left out."""
    for name in _MODULES.get(what, ()):
        try:
            yield importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise


_Row = TypeVar("_Row")


class Lazy:
    """A module that is loaded when one of its functions is first called.

    So a table of functions costs no more than its words: the help reads it at once, and a question loads only the
    method that answers it.

    >>> fractions = Lazy("fractions")
    >>> make = fractions.Fraction
    >>> str(make(2, 6))
    '1/3'
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):  # what copying and inspecting look for
            raise AttributeError(name)
        return functools.partial(_call, self._module, name)


def _call(module: str, name: str, /, *args: object, **settings: object) -> object:
    # Not by sys.modules: a module that another thread is loading is there already, and lacks some of its functions.
    return getattr(importlib.import_module(module), name)(*args, **settings)


def loaded(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that an attribute of a Lazy stands for, whose module is imported; any other function itself.

    >>> loaded(Lazy("fractions").Fraction).__name__
    'Fraction'
    """
    if isinstance(function, functools.partial) and function.func is _call:
        module, name = function.args
        found: Callable[..., Any] = getattr(importlib.import_module(module), name)
        return found
    return function


class Table(MutableMapping[str, _Row]):
    """A table to which modules of higher folders add rows, when it is read beyond the rows that it has.

    A row that is there is found at once. A name that is not there, and going through all rows, load the modules that
    the package names for the table; each adds its rows as anybody may, by `TABLE[name] = row`.

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
