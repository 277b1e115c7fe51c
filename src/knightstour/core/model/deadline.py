"""Time limits of preparations on large boards, which have no budget and call `check_deadline()` at intervals.

The caller with a budget sets the deadline for everything it calls, by `Budget.keeping_deadline`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class DeadlineError(Exception):
    """The time of the question at hand was over before its search began."""


_seconds_left: ContextVar[Callable[[], float] | None] = ContextVar("seconds_left", default=None)


@contextmanager
def keeping_deadline(seconds_left: Callable[[], float]) -> Iterator[None]:
    """Within the block, `check_deadline` raises DeadlinePassed when no seconds are left."""
    token = _seconds_left.set(seconds_left)
    try:
        yield
    finally:
        _seconds_left.reset(token)


def check_deadline() -> None:
    """Raise DeadlinePassed where the time of the question at hand is over.

    >>> check_deadline()
    >>> with keeping_deadline(lambda: -0.1):
    ...     check_deadline()
    Traceback (most recent call last):
    ...
    knightstour.core.model.deadline.DeadlineError
    """
    seconds_left = _seconds_left.get()
    if seconds_left is not None and seconds_left() <= 0:
        raise DeadlineError


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
