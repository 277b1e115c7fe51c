"""Compiled kernels for work that NumPy does as well, only slower: used where they are at hand, or soon pay."""

from __future__ import annotations

from collections import defaultdict
from types import ModuleType, SimpleNamespace

from knightstour.machine import compiling, engine

# Seconds that each kernel would have saved this process so far.
_missed: defaultdict[str, float] = defaultdict(float)


def compiled_if_at_hand(kernel: ModuleType, saved: float) -> SimpleNamespace | None:
    """The compiled functions, for work on which they save this many seconds; None if NumPy is to do it.

    So a process waits for them when NumPy has cost it as much time as that takes.
    """
    if not compiling.has_compiler():
        return None
    if not engine.is_loaded(kernel):
        _missed[kernel.__name__] += saved
        door = compiling.doors_of(kernel)[0].__name__
        if not engine.is_due(kernel, door, None, _missed[kernel.__name__]):
            return None
    return engine.compiled(kernel)
