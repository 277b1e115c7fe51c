"""When to give up, and what is left until then: Limits are given, a Budget is spent."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from knightstour.model.errors import ProblemError
from knightstour.model.progress import THOUSANDTHS, OnProgress, Progress
from knightstour.model.trace import Trace
from knightstour.model.validation import callback, real_number, shown, whole_number

DEFAULT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up.

    seconds: of wall-clock time; None for no limit. Infinity becomes None.
    nodes: steps of a search, or states of a count; None for no limit.
    bytes: memory that counts and tour spaces may use; None for most of what is free when they start.

    >>> Limits(nodes=10**6)
    Limits(seconds=60.0, nodes=1000000, bytes=None)
    """

    seconds: float | None = DEFAULT_SECONDS
    nodes: int | None = None
    bytes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            # No limit has one form, which JSON knows too.
            seconds = real_number(self.seconds, "seconds", may_be_infinite=True, help="give more than 0")
            object.__setattr__(self, "seconds", seconds if math.isfinite(seconds) else None)
            if seconds <= 0:
                raise ProblemError(f"a limit of {seconds:g} seconds leaves no time", help="give more than 0")
        if self.nodes is not None and whole_number(self.nodes, "nodes") < 1:
            raise ProblemError(f"a limit of {self.nodes} nodes leaves no search", help="give 1 or more")
        if self.bytes is not None and whole_number(self.bytes, "bytes") < 1:
            raise ProblemError(f"a limit of {self.bytes} bytes leaves no memory", help="give 1 or more")


_DEFAULT = Limits()
# For work that goes on until it is done, unless its caller says otherwise.
NO_LIMITS = Limits(seconds=None)


class Budget:
    """What is left of the limits while work is done; it also counts the nodes. Several methods may share one.

    on_progress: called with a Progress every fraction of a second of long work, or None.
    trace: where a method that can be watched reports what it does, or None.
    stage, unit: the words of the Progress: what is being done, and what the nodes are called.
    done: which part of the stage is done, 0 to 1, where the work knows it; else None.

    >>> budget = Budget(Limits(nodes=100))
    >>> budget.spend(60); budget.is_spent, budget.nodes_left(1000)
    (False, 40)
    """

    __slots__ = ("done", "limits", "nodes", "on_progress", "stage", "started", "trace", "unit")

    def __init__(
        self,
        limits: Limits | None = None,
        on_progress: OnProgress | None = None,
        trace: Trace | None = None,
        *,
        stage: str = "searching",
        unit: str = "nodes",
    ) -> None:
        if limits is not None and not isinstance(limits, Limits):
            raise ProblemError(f"these are no limits: {shown(limits)}", help="give Limits(seconds=..., nodes=...)")
        if trace is not None and not isinstance(trace, Trace):
            raise ProblemError(f"this is no trace: {shown(trace)}", help="give Trace()")
        callback(on_progress, "on_progress")
        self.limits = _DEFAULT if limits is None else limits
        self.on_progress = on_progress
        self.trace = trace
        self.stage, self.unit = stage, unit
        self.nodes = 0
        self.done: float | None = None
        self.started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Wall-clock seconds since the start."""
        return time.perf_counter() - self.started

    def spend(self, nodes: int, done: float | None = None) -> None:
        """Count nodes that were searched, and report to `on_progress`, if there is one. done: as for the class."""
        self.nodes += nodes
        if done is not None:
            # A step that is made once more, another way, does not count back.
            self.done = max(done, self.done or 0.0)
        if self.on_progress is not None:
            self.on_progress(self.progress())

    def progress(self) -> Progress:
        """How far it has come, with its nodes.

        >>> budget = Budget(stage="counting", unit="states")
        >>> budget.spend(1234, done=0.5)
        >>> budget.progress()[:3], budget.progress().note
        (('counting', 500, 1000), '1,234 states')
        """
        note = f"{self.nodes:,} {self.unit}"
        if self.done is None:
            return Progress(self.stage, self.nodes, None, self.seconds, note)
        return Progress(self.stage, int(THOUSANDTHS * self.done), THOUSANDTHS, self.seconds, note)

    def nodes_left(self, wanted: int) -> int:
        """`wanted`, or what the node limit leaves of it."""
        return wanted if self.limits.nodes is None else max(0, min(wanted, self.limits.nodes - self.nodes))

    @property
    def seconds_left(self) -> float:
        """Seconds until the time limit; infinite without one."""
        return float("inf") if self.limits.seconds is None else self.limits.seconds - self.seconds

    @property
    def is_spent(self) -> bool:
        """Whether a limit is reached."""
        return self.nodes_left(1) < 1 or self.seconds_left <= 0

    def why_stopped(self) -> str:
        """The limit that was reached, as a sentence."""
        if self.nodes_left(1) < 1:
            return f"the limit of {_nodes(self.limits.nodes)} was reached"
        seconds = "1 second" if self.limits.seconds == 1 else f"{self.limits.seconds:g} seconds"
        return f"the limit of {seconds} was reached" + (f" after {_nodes(self.nodes)}" if self.nodes else "")

    def tell_stage(self, method: str) -> None:
        """Report to the trace, if there is one, which method begins."""
        if self.trace is not None:
            self.trace.add("stage", name=method)

    def part(self, *, seconds: float | None = None, nodes: int | None = None) -> Budget:
        """A smaller budget for one of several attempts. Give what it used back with `spend(part.nodes)`."""
        left = self.seconds_left
        most = min(left, seconds if seconds is not None else left)
        return Budget(
            Limits(
                seconds=None if most == float("inf") else max(most, 1e-9),
                nodes=max(1, self.nodes_left(nodes if nodes is not None else 2**62)),
            ),
            None if self.on_progress is None else self._tell_with,
            self.trace,
            stage=self.stage,
            unit=self.unit,
        )

    def _tell_with(self, part: Progress) -> None:
        """Report the whole to `on_progress` while a part is running, whose `done` are its nodes."""
        assert self.on_progress is not None
        if part.total is not None or part.stage != self.stage:
            self.on_progress(part)
            return
        nodes = self.nodes + part.done
        self.on_progress(Progress(self.stage, nodes, None, self.seconds, f"{nodes:,} {self.unit}"))


def _nodes(count: int | None) -> str:
    return "1 node" if count == 1 else f"{count:,} nodes"
