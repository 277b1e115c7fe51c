"""Limits of a search, and the remaining budget."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from knightstour.core.model.deadline import keeping_deadline
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.forks import Lock, in_each_child
from knightstour.core.model.progress import THOUSANDTHS, OnProgress, Progress
from knightstour.core.model.trace import Trace
from knightstour.core.model.validation import callback, of_kind, quoted, real_number, whole_number

# Browsers (WebAssembly) do not count it: Python's processor clock is always 0 there.
IS_COUNTED: Final = time.get_clock_info("process_time").implementation != "times()" or time.process_time() > 0


def processor_seconds() -> float:
    """Return the processor time of this process in seconds, from any point in time; wall-clock time if it is not
    counted.

    >>> before = processor_seconds()
    >>> processor_seconds() >= before
    True
    """
    return time.process_time() if IS_COUNTED else time.perf_counter()


class ProcessorSeconds(float):
    """Seconds of processor time of this process; a plain number of `Limits.seconds` is wall-clock time.

    For default limits: the load of the machine does not change the work done in this time.

    >>> Limits(seconds=ProcessorSeconds(5)).seconds
    ProcessorSeconds(5.0)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"ProcessorSeconds({float(self)!r})"


_UNITS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
DEFAULT_SECONDS = ProcessorSeconds(60.0)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search. In place of Limits, None stands for the default of a function, and NO_LIMITS for none.

    Args:
        seconds: Wall-clock time, or None for no limit. By default processor time, so that results do not depend on the
            load of the machine. Time for building kernels is not counted.
        nodes: Steps of a search, or states of a count; None for no limit.
        bytes: Memory of counts and tour spaces; None for most of the free memory at the start.

    >>> Limits(nodes=10**6), Limits(seconds=60)
    (Limits(seconds=ProcessorSeconds(60.0), nodes=1000000, bytes=None), Limits(seconds=60.0, nodes=None, bytes=None))
    """

    seconds: float | None = DEFAULT_SECONDS
    nodes: int | None = None
    bytes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            # None represents an infinite limit, which JSON lacks.
            seconds = real_number(self.seconds, "timeout", may_be_infinite=True, help="use a number above 0")
            kind = ProcessorSeconds if isinstance(self.seconds, ProcessorSeconds) else float
            object.__setattr__(self, "seconds", kind(seconds) if math.isfinite(seconds) else None)
            if seconds <= 0:
                raise ProblemError(f"timeout must be above 0, not {seconds:g}", help="use a number above 0")
        if self.nodes is not None and whole_number(self.nodes, "max_nodes") < 1:
            raise ProblemError(f"max_nodes must be at least 1, not {self.nodes}", help="use 1 or more")
        if self.bytes is not None and whole_number(self.bytes, "memory") < 1:
            raise ProblemError(f"memory must be at least 1 byte, not {self.bytes}", help="use a size such as 8GB")


_DEFAULT = Limits()
NO_LIMITS = Limits(seconds=None)


def limits_of(timeout: float | None, max_nodes: int | None = None, memory: int | str | None = None) -> Limits | None:
    """Return the limits of the arguments of a public function, or None without limits.

    >>> limits_of(None), limits_of(60, memory="8GB")
    (None, Limits(seconds=60.0, nodes=None, bytes=8000000000))
    """
    if timeout is None and max_nodes is None and memory is None:
        return None
    return Limits(timeout, max_nodes, memory_size(memory) if isinstance(memory, str) else memory)


def as_arguments(limits: Limits | None) -> dict[str, Any]:
    """Return limits as the arguments timeout, max_nodes and memory of a public function.

    >>> as_arguments(Limits(seconds=5)), as_arguments(None)
    ({'timeout': 5.0}, {})
    """
    if limits is None:
        return {}
    rarer = {"max_nodes": limits.nodes, "memory": limits.bytes}
    return {"timeout": limits.seconds} | {name: value for name, value in rarer.items() if value is not None}


def memory_size(text: str) -> int:
    """Return the bytes of a size such as 8GB.

    >>> memory_size("8GB"), memory_size("500 M"), memory_size("1e9")
    (8000000000, 500000000, 1000000000)
    """
    match = (
        None if len(text) > 60 else re.fullmatch(r"\s*([0-9]*\.?[0-9]+(?:e[0-9]+)?)\s*([kmgt]?)i?b?\s*", text.lower())
    )
    if match is None or not 0 < float(match[1]) < 1e30:
        raise ProblemError(f"invalid size: {quoted(text)}", help="write it like 8GB or 500MB")
    return int(float(match[1]) * _UNITS[match[2]])


class _Clocks:
    """Wall clock and processor clock, both stopped while this process waits for uncounted work."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._depth = 0
        # By the clock and of the processor: when the wait that goes on began, and seconds of those before.
        self._since = self._waited = (0.0, 0.0)
        in_each_child(self._forget_waits)

    def by_clock(self) -> float:
        """Wall-clock seconds."""
        with self._lock:
            return (self._since[0] if self._depth else time.perf_counter()) - self._waited[0]

    def of_processor(self) -> float:
        """Processor seconds of this process."""
        with self._lock:
            return (self._since[1] if self._depth else processor_seconds()) - self._waited[1]

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Stop all time limits inside. Several threads may wait at once."""
        with self._lock:
            if not self._depth:
                self._since = (time.perf_counter(), processor_seconds())
            self._depth += 1
        try:
            yield
        finally:
            with self._lock:
                self._depth -= 1
                if not self._depth:
                    now = (time.perf_counter(), processor_seconds())
                    (began, worked), (waited, computed) = self._since, self._waited
                    self._waited = (waited + now[0] - began, computed + now[1] - worked)

    def _forget_waits(self) -> None:
        """Reset the waits in a fork."""
        if self._depth:
            self._waited = (self._waited[0] + time.perf_counter() - self._since[0], self._waited[1])
        self._depth = 0


CLOCKS = _Clocks()


class Budget:
    """Remaining part of the limits, and the number of nodes. Several methods may share one.

    Args:
        on_progress: Callback with a Progress every fraction of a second of long work, or None.
        trace: Trace for methods that can be watched, or None.
        stage, unit: Texts of the Progress: the current work, and the name of the nodes.

    Attributes:
        done: Finished fraction of the stage, 0 to 1, or None if unknown.

    >>> budget = Budget(Limits(nodes=100))
    >>> budget.spend(60); budget.is_spent, budget.nodes_left(1000)
    (False, 40)
    """

    __slots__ = (
        *("_began", "_clock", "_elsewhere"),
        *("done", "limits", "nodes", "on_progress", "stage", "started", "trace", "unit"),
    )

    def __init__(
        self,
        limits: Limits | None = None,
        on_progress: OnProgress | None = None,
        trace: Trace | None = None,
        *,
        stage: str = "searching",
        unit: str = "nodes",
    ) -> None:
        callback(on_progress, "on_progress")
        self.limits = _DEFAULT if limits is None else of_kind(limits, Limits, "pass Limits(seconds=..., nodes=...)")
        if trace is not None:
            of_kind(trace, Trace, "pass Trace()")
        self.on_progress = on_progress
        self.trace = trace
        self.stage, self.unit = stage, unit
        self.nodes = 0
        self.done: float | None = None
        self.started = time.perf_counter()
        self._clock: Callable[[], float] = CLOCKS.of_processor if self.is_of_processor else CLOCKS.by_clock
        self._began = self._clock()
        self._elsewhere = 0.0

    @property
    def is_of_processor(self) -> bool:
        """Whether its seconds are processor time."""
        return isinstance(self.limits.seconds, ProcessorSeconds)

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
        """Return the current progress, with the nodes.

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
        """Return `wanted`, or the remaining nodes if they are fewer."""
        return wanted if self.limits.nodes is None else max(0, min(wanted, self.limits.nodes - self.nodes))

    @property
    def seconds_left(self) -> float:
        """Seconds until the time limit; infinite without one."""
        if self.limits.seconds is None:
            return float("inf")
        return float(self.limits.seconds) - (self._clock() - self._began) - self._elsewhere

    @property
    def clock_left(self) -> float:
        """Seconds by the clock until the time limit, to wait for others; infinite where the limit is another."""
        return float("inf") if self.is_of_processor else max(0.0, self.seconds_left)

    def spend_elsewhere(self, seconds: float) -> None:
        """Count processor time that other processes took, for a limit of processor time."""
        if self.is_of_processor:
            self._elsewhere += seconds

    def remaining_limits(self, *, least: float = 1e-9) -> Limits:
        """Return the remaining time and nodes as limits. least: minimum of the seconds.

        >>> Budget(Limits(seconds=None, nodes=100)).remaining_limits()
        Limits(seconds=None, nodes=100, bytes=None)
        """
        return Limits(self._as_limit(self.seconds_left, least), self._nodes_left())

    def _as_limit(self, seconds: float, least: float = 1e-9) -> float | None:
        """Convert seconds to the budget's kind of time."""
        if seconds == float("inf"):
            return None
        return ProcessorSeconds(max(seconds, least)) if self.is_of_processor else max(seconds, least)

    def _nodes_left(self) -> int | None:
        return None if self.limits.nodes is None else max(1, self.limits.nodes - self.nodes)

    @property
    def is_spent(self) -> bool:
        """Whether a limit is reached."""
        return self.nodes_left(1) < 1 or self.seconds_left <= 0

    def why_stopped(self) -> str:
        """The limit that was reached, as a sentence."""
        if self.nodes_left(1) < 1:
            return f"the limit of {_nodes(self.limits.nodes)} was reached"
        seconds = "1 second" if self.limits.seconds == 1 else f"{self.limits.seconds:g} seconds"
        if self.is_of_processor:
            seconds += " of processor time"
        return f"the limit of {seconds} was reached" + (f" after {_nodes(self.nodes)}" if self.nodes else "")

    def keeping_deadline(self) -> AbstractContextManager[None]:
        """Within the block, preparations without a budget end with the time of this budget; see deadline.py."""
        return keeping_deadline(lambda: self.seconds_left)

    def tell_stage(self, method: str) -> None:
        """Report to the trace, if there is one, which method begins."""
        if self.trace is not None:
            self.trace.add("stage", name=method)

    def part(self, *, share: float = 1.0, nodes: int | None = None) -> Budget:
        """Return a smaller budget for one of several attempts. Add its use with `spend(part.nodes)`.

        Args:
            share: Fraction of the remaining time.
            nodes: Maximum number of nodes.
        """
        return Budget(
            Limits(
                seconds=self._as_limit(self.seconds_left * share),
                nodes=max(1, self.nodes_left(nodes if nodes is not None else 2**62)),
            ),
            None if self.on_progress is None else self._tell_with,
            self.trace,
            stage=self.stage,
            unit=self.unit,
        )

    def _tell_with(self, part: Progress) -> None:
        """Report progress of the whole while a part is running."""
        assert self.on_progress is not None
        if part.total is not None or part.stage != self.stage:
            self.on_progress(part)
            return
        nodes = self.nodes + part.done
        self.on_progress(Progress(self.stage, nodes, None, self.seconds, f"{nodes:,} {self.unit}"))


def _nodes(count: int | None) -> str:
    return "1 node" if count == 1 else f"{count:,} nodes"
