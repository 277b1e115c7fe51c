"""What other folders and rings add to those below them: named from outside, and loaded when it is wanted.

A lower folder says in a word what it leaves open: more rows of a table, or who draws, saves and certifies. The package
names the modules for each word (knightstour/_plugins.py). So the core knows nothing of the lab, works without it, and
has its rows all the same. `Plugin` and `Table` (lazy.py) are what is left open.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from types import ModuleType

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
