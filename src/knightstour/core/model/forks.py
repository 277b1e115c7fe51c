"""Locks that work in forks of a process, in which other threads do not exist and would never release them.

Every lock of a module is one of these. `in_each_child` is for other unfinished work of threads.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable


def in_each_child(renew: Callable[[], None]) -> None:
    """Call a function in each fork of this process before anything else, if the system supports forks."""
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
