"""Locks in a process that is a fork of another one: its other threads are not there, and would never let go.

Every lock of a module is one of these. `in_each_child` is for what else a thread leaves half done.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable


def in_each_child(renew: Callable[[], None]) -> None:
    """Have a function called in each fork of this process, before anything else runs there; where forks are known."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=renew)


_LOCKS: weakref.WeakSet[Lock] = weakref.WeakSet()


class Lock:
    """A lock that a thread may take again, free in each fork.

    >>> lock = Lock()
    >>> with lock, lock:
    ...     pass
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _LOCKS.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    @staticmethod
    def _renew_all() -> None:
        for lock in _LOCKS:
            lock._lock = threading.RLock()


in_each_child(Lock._renew_all)
