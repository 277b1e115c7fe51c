"""--timeout for work without limits: when the time is over, the work ends as with Ctrl-C."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from knightstour.core.model.budget import Budget, Limits
from knightstour.interfaces.cli import console


class Deadline(AbstractContextManager["Deadline"]):
    """A time limit for the work in a `with` block, which is interrupted as by Ctrl-C.

    seconds: time limit, or None for no limit. `is_over` is True if the time limit, not the user, ended the work.
    """

    def __init__(self, seconds: float | None) -> None:
        # A Budget checks the limit and formats the reason.
        self._budget = Budget(Limits(seconds=seconds))
        self.is_over = False
        self._undo: Callable[[], object] = lambda: None

    @property
    def reason(self) -> str:
        """The reason for the end: the limit, as a sentence."""
        return self._budget.why_stopped()

    def __enter__(self) -> Deadline:
        seconds = self._budget.limits.seconds
        if seconds is None:
            return self
        if hasattr(signal, "setitimer"):
            # Not SIGINT, which background programs of a shell may ignore.
            handler = signal.signal(signal.SIGALRM, self._on_alarm)
            timer = signal.setitimer(signal.ITIMER_REAL, seconds)
            self._undo = lambda: self._restore(handler, timer)
        else:
            thread = threading.Timer(seconds, self._interrupt)
            thread.daemon = True
            thread.start()
            self._undo = thread.cancel
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo()

    @staticmethod
    def _restore(handler: Any, timer: tuple[float, float]) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *timer)

    def _on_alarm(self, number: int, frame: object) -> None:
        self.is_over = True
        raise KeyboardInterrupt

    def _interrupt(self) -> None:
        self.is_over = True
        _thread.interrupt_main()


def within(timeout: float | None, work: Callable[[], int]) -> int:
    """Return the exit code of work that handles Ctrl-C: UNDECIDED if the time limit ended it."""
    clock = Deadline(timeout)
    code = console.INTERRUPTED
    try:
        with clock:
            code = work()
    except KeyboardInterrupt:
        if not clock.is_over:
            raise
    if not clock.is_over or code != console.INTERRUPTED:
        return code
    console.print_message("note", clock.reason)
    return console.UNDECIDED
