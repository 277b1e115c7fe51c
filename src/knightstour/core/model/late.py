"""Names of functions for the rows of tables: the module of a function is loaded only when it is called."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any


class Late:
    """A module that is loaded when one of its functions is first called.

    So a table of functions costs no more than its words: the help reads it at once, and a question loads only the
    method that answers it.

    >>> fractions = Late("fractions")
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
    loaded = sys.modules.get(module) or importlib.import_module(module)
    return getattr(loaded, name)(*args, **settings)
