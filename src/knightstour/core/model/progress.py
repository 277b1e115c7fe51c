"""Progress: the argument of every `on_progress`."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from knightstour.core.model.validation import callback

if TYPE_CHECKING:
    import logging

# The `total` of work of which only the part done is known.
THOUSANDTHS = 1000


class Progress(NamedTuple):
    """Progress of work.

    Attributes:
        stage: The current work, such as "searching", "counting" or "checking".
        done: Finished part of this stage, as an integer.
        total: Total of this stage; 1000 if only the fraction is known, None if unknown.
        seconds: Wall-clock time since the work started.
        note: Details for people, separated by commas, such as "1,234 nodes, 9.8 MB".

    >>> str(Progress("checking", 30, 120, 2.5, "1 fault"))
    'checking: 30 of 120, 1 fault, 2 s'
    >>> str(Progress("searching", 5000, None, 2.5, "5,000 nodes"))
    'searching: 5,000 nodes, 2 s'
    """

    stage: str
    done: int
    total: int | None
    seconds: float
    note: str = ""

    @property
    def part(self) -> float | None:
        """Finished fraction of the stage, 0 to 1, or None if unknown.

        >>> Progress("checking", 30, 120, 2.5).part
        0.25
        """
        return None if self.total is None else self.done / self.total if self.total else 1.0

    @property
    def counted(self) -> str:
        """Finished part for people; empty if the total is unknown.

        >>> Progress("checking", 30, 120, 2.5).counted, Progress("searching", 30, None, 2.5).counted
        ('30 of 120', '')
        """
        if self.total == THOUSANDTHS:
            return f"{self.done // 10} %"
        return "" if self.total is None else f"{self.done:,} of {self.total:,}"

    def __str__(self) -> str:
        """One line for people."""
        words = filter(None, (self.counted, self.note, f"{self.seconds:.0f} s"))
        return f"{self.stage}: {', '.join(words)}"


OnProgress: TypeAlias = Callable[[Progress], None]


class Reporter:
    """Sends progress to an `on_progress`, if there is one, with the seconds since the Reporter was created.

    >>> seen = []
    >>> report = Reporter(seen.append, "checking tours", 20)
    >>> report(5); seen[0].stage, seen[0].done, seen[0].total
    ('checking tours', 5, 20)
    """

    def __init__(self, on_progress: OnProgress | None, stage: str, total: int | None = None) -> None:
        callback(on_progress, "on_progress")
        self.on_progress, self.stage, self.total = on_progress, stage, total
        self._started = time.perf_counter()

    def __call__(self, done: int, note: str = "", *, stage: str | None = None, total: int | None = None) -> None:
        """Report; stage and total in place of those given at first."""
        if self.on_progress is not None:
            seconds = time.perf_counter() - self._started
            total = self.total if total is None else total
            self.on_progress(Progress(stage or self.stage, done, total, seconds, note))


@functools.cache
def logger() -> logging.Logger:
    """The logger; it is loaded late, as most questions at a terminal do without."""
    import logging

    found = logging.getLogger("knightstour")
    found.addHandler(logging.NullHandler())
    return found


def log_result(function: str, subject: object, method: str, seed: int | None, seconds: float) -> None:
    """Log a result. what: the called function. how: the method or distribution."""
    drawn = "" if seed is None else f", seed {seed}"
    logger().debug("%s: %s, by %s%s, %.3f s", function, subject, method, drawn, seconds)
