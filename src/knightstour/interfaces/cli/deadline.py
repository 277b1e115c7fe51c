"""--timeout for work that has no limits of its own: when the time is up, it ends as Ctrl-C would end it."""

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
    """A time after which the work within is interrupted: what Ctrl-C leaves behind is left behind, too.

    seconds: from now on; None for no limit. `is_over` says whether the time, and not a person, ended the work.
    """

    def __init__(self, seconds: float | None) -> None:
        # A Budget knows which limits make sense, and the sentence.
        self._budget = Budget(Limits(seconds=seconds))
        self.is_over = False
        self._undo: Callable[[], object] = lambda: None

    @property
    def reason(self) -> str:
        """The limit, as a sentence."""
        return self._budget.why_stopped()

    def __enter__(self) -> Deadline:
        seconds = self._budget.limits.seconds
        if seconds is None:
            return self
        if hasattr(signal, "setitimer"):
            # Not SIGINT, which shells let programs in the background ignore.
            handler = signal.signal(signal.SIGALRM, self._ring)
            timer = signal.setitimer(signal.ITIMER_REAL, seconds)
            self._undo = lambda: self._put_back(handler, timer)
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
    def _put_back(handler: Any, timer: tuple[float, float]) -> None:
        """The clock as it was before: whoever called may have set it."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *timer)

    def _ring(self, number: int, frame: object) -> None:
        self.is_over = True
        raise KeyboardInterrupt

    def _interrupt(self) -> None:
        self.is_over = True
        _thread.interrupt_main()


def within(timeout: float | None, work: Callable[[], int]) -> int:
    """Return the exit code of work that ends well at Ctrl-C: that of an undecided problem if the time ended it."""
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
    console.say("note", clock.reason)
    return console.UNDECIDED
