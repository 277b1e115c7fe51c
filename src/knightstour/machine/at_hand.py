"""Compiled kernels for work that NumPy does as well, only slower: used where they are at hand, or soon pay."""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections import Counter
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

from knightstour.machine import engine

# What this process has done without each kernel, in squares.
_done: Counter[str] = Counter()


class Pays(NamedTuple):
    """How many squares NumPy does in the time that it takes to load a kernel where numba is loaded already, to load
    numba first (0.4 s), and to compile the kernel as well (2 s)."""

    loaded_from: int
    imported_from: int
    compiled_from: int


def compiled_if_at_hand(kernel: ModuleType, squares: int, pays: Pays) -> SimpleNamespace | None:
    """The compiled functions for work on this many squares more; None if NumPy is to do it."""
    if not engine.is_loaded(kernel):
        _done[kernel.__name__] += squares
        done = _done[kernel.__name__]
        if done < (pays.loaded_from if "numba" in sys.modules else pays.imported_from):
            return None
        if not _has_numba() or (done < pays.compiled_from and not engine.is_on_disk(kernel)):
            return None
    return engine.compiled(kernel)


@functools.cache
def _has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None
