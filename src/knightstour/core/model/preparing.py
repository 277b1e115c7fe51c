"""How preparations on large boards keep a limit of time: they have no budget, and say `heed()` now and then.

Whoever has a budget makes it known around all that it calls (`Budget.heeded`), and takes Spent as the end of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Spent(Exception):
    """The time of the question at hand was over before its search began."""


_seconds_left: ContextVar[Callable[[], float] | None] = ContextVar("seconds_left", default=None)


@contextmanager
def heeding(seconds_left: Callable[[], float]) -> Iterator[None]:
    """Within, `heed` raises Spent as soon as no seconds are left."""
    token = _seconds_left.set(seconds_left)
    try:
        yield
    finally:
        _seconds_left.reset(token)


def heed() -> None:
    """Raise Spent where the time of the question at hand is over.

    >>> heed()
    >>> with heeding(lambda: -0.1):
    ...     heed()
    Traceback (most recent call last):
    ...
    knightstour.core.model.preparing.Spent
    """
    seconds_left = _seconds_left.get()
    if seconds_left is not None and seconds_left() <= 0:
        raise Spent


@contextmanager
def no_garbage_sought() -> Iterator[None]:
    """Within, many objects are made that live on: looking through them again and again would take most of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
