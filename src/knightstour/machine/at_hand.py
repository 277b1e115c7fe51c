"""Compiled kernels for work that NumPy does as well, only slower: used where they are at hand, or soon pay."""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections import defaultdict
from types import ModuleType, SimpleNamespace

from knightstour.machine import engine

# Seconds to load a kernel where numba is loaded already, to load numba first, and to compile the kernel as well.
LOADING, IMPORTING, COMPILING = 0.03, 0.4, 2.0
# Seconds that each kernel would have saved this process so far.
_missed: defaultdict[str, float] = defaultdict(float)


def compiled_if_at_hand(kernel: ModuleType, saved: float) -> SimpleNamespace | None:
    """The compiled functions, for work on which they save this many seconds; None if NumPy is to do it.

    So a process waits for them when NumPy has cost it as much time as that takes.
    """
    if not engine.is_loaded(kernel):
        _missed[kernel.__name__] += saved
        missed = _missed[kernel.__name__]
        if missed < (LOADING if "numba" in sys.modules else IMPORTING):
            return None
        if not _has_numba() or (missed < COMPILING and not engine.is_on_disk(kernel)):
            return None
    return engine.compiled(kernel)


@functools.cache
def _has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None
