"""What goes into every method and what comes out: Problem and Budget in, Outcome out; the user sees a Result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypedDict

import numpy as np

from knightstour.board import Board, BoardLike, Square
from knightstour.errors import ProblemError
from knightstour.given import callback, flag, real_number, shown, whole_number
from knightstour.tour import Tour
from knightstour.trace import Trace


class Status(Enum):
    """The three answers: a tour, a proof that there is none, or a limit that ended the search."""

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"


class Conditions(TypedDict):
    """What a Problem asks of a tour besides its board."""

    closed: bool
    start: Square | None
    end: Square | None


@dataclass(frozen=True, slots=True)
class Problem:
    """A question: a tour of `board`, closed or open, with its start and end where given.

    >>> Problem.of((8, 8), start="a1", end="h7")
    Problem(board=Board(8, 8), closed=False, start=(7, 0), end=(1, 7))
    """

    board: Board
    closed: bool = False
    start: Square | None = None
    end: Square | None = None

    @classmethod
    def of(
        cls,
        board: BoardLike,
        *,
        closed: bool = False,
        start: Square | str | None = None,
        end: Square | str | None = None,
    ) -> Problem:
        """The question in checked form; a BoardError or ProblemError where it makes no sense."""
        board = Board.of(board)
        closed = flag(closed, "closed")
        if closed and end is not None:
            raise ProblemError(
                "a closed tour has no end of its own",
                help="leave out the end, or ask for an open tour",
            )
        first = None if start is None else board.square(start)
        last = None if end is None else board.square(end)
        if first is not None and first == last and board.square_count > 1:
            raise ProblemError(f"start and end are the same square, {board.name(first)}", help="give two squares")
        return cls(board, closed, first, last)

    @property
    def conditions(self) -> Conditions:
        """What is asked of the tour, as solve() and others take it beside the board.

        >>> Problem.of((8, 8), closed=True).conditions
        {'closed': True, 'start': None, 'end': None}
        """
        return {"closed": self.closed, "start": self.start, "end": self.end}

    @property
    def start_index(self) -> int | None:
        """Square number of the start, or None."""
        return None if self.start is None else self.start[0] * self.board.cols + self.start[1]

    @property
    def end_index(self) -> int | None:
        """Square number of the end, or None."""
        return None if self.end is None else self.end[0] * self.board.cols + self.end[1]

    @property
    def has_given_end(self) -> bool:
        """Whether it asks for open tours with a given start or end: such a tour is told from its reverse."""
        return not self.closed and (self.start is not None or self.end is not None)

    @property
    def plural(self) -> str:
        """All such tours, as a sentence would say it.

        >>> Problem.of((8, 8), start="a1").plural
        'open tours of the 8x8 board from a1'
        """
        return str(self).removeprefix("an ").removeprefix("a ").replace(" tour of ", " tours of ", 1)

    def __str__(self) -> str:
        """As a sentence would say it.

        >>> str(Problem.of((8, 8), start="a1"))
        'an open tour of the 8x8 board from a1'
        """
        words = ["a closed tour of the" if self.closed else "an open tour of the", str(self.board)]
        if self.start is not None:
            words.append(f"from {self.board.name(self.start)}")
        if self.end is not None:
            words.append(f"to {self.board.name(self.end)}")
        return " ".join(words)


DEFAULT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up: after so many seconds of wall clock, or so many nodes (steps of the search). None: never.

    >>> Limits(nodes=10**6)
    Limits(seconds=60.0, nodes=1000000)
    """

    seconds: float | None = DEFAULT_SECONDS
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            seconds = real_number(self.seconds, "seconds", may_be_infinite=True, help="give more than 0")
            object.__setattr__(self, "seconds", seconds)
            if seconds <= 0:
                raise ProblemError(f"a limit of {self.seconds:g} seconds leaves no time", help="give more than 0")
        if self.nodes is not None and whole_number(self.nodes, "nodes") < 1:
            raise ProblemError(f"a limit of {self.nodes} nodes leaves no search", help="give 1 or more")


class Budget:
    """What is left of the limits while methods run; it also counts the nodes. Several methods may share one.

    trace: where a method that can be watched reports what it does, or None.
    done: which part of the work is done, 0 to 1, where whoever spends it knows; else None.

    >>> budget = Budget(Limits(nodes=100))
    >>> budget.spend(60); budget.is_spent, budget.nodes_left(1000)
    (False, 40)
    """

    __slots__ = ("done", "limits", "nodes", "on_progress", "started", "trace")

    def __init__(
        self,
        limits: Limits | None = None,
        on_progress: Callable[[Budget], None] | None = None,
        trace: Trace | None = None,
    ) -> None:
        if limits is not None and not isinstance(limits, Limits):
            raise ProblemError(f"these are no limits: {shown(limits)}", help="give Limits(seconds=..., nodes=...)")
        if trace is not None and not isinstance(trace, Trace):
            raise ProblemError(f"this is no trace: {shown(trace)}", help="give Trace()")
        callback(on_progress, "on_progress")
        self.limits = Limits() if limits is None else limits
        self.on_progress = on_progress
        self.trace = trace
        self.nodes = 0
        self.done: float | None = None
        self.started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Wall-clock seconds since the start."""
        return time.perf_counter() - self.started

    def spend(self, nodes: int, done: float | None = None) -> None:
        """Count nodes that were searched, and tell `on_progress`, if there is one. done: see there."""
        self.nodes += nodes
        if done is not None:
            # A step that is made once more, another way, does not count back.
            self.done = max(done, self.done or 0.0)
        if self.on_progress is not None:
            self.on_progress(self)

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
            return f"the limit of {self.limits.nodes:,} nodes was reached"
        seconds = "1 second" if self.limits.seconds == 1 else f"{self.limits.seconds:g} seconds"
        nodes = "1 node" if self.nodes == 1 else f"{self.nodes:,} nodes"
        return f"the limit of {seconds} was reached" + (f" after {nodes}" if self.nodes else "")

    def tell_stage(self, method: str) -> None:
        """Tell the trace, if there is one, which method begins."""
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
        )

    def _tell_with(self, part: Budget) -> None:
        """Tell `on_progress` of the whole while a part is running."""
        assert self.on_progress is not None
        whole = Budget(self.limits)
        whole.started, whole.nodes = self.started, self.nodes + part.nodes
        self.on_progress(whole)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method answers.

    order: the square numbers `row * cols + col` of the tour found, start first, else None. solve() makes the checked
        Tour of it, so a method never validates its own work.
    reason, source: why there is none, or which limit ended it; reason is empty when found.
    counters: what the method counted besides nodes (restarts, backtracks, fails, ...).
    method: which method answered, where one asks several; else empty.
    """

    status: Status
    order: Sequence[int] | np.ndarray | None = None
    reason: str = ""
    source: str = ""
    counters: dict[str, int] = field(default_factory=dict)
    method: str = ""


def found(order: Sequence[int] | np.ndarray, **counters: int) -> Outcome:
    """A tour."""
    return Outcome(Status.FOUND, order, counters=counters)


def impossible(reason: str, source: str, **counters: int) -> Outcome:
    """A proof that there is none."""
    return Outcome(Status.IMPOSSIBLE, None, reason, source, counters)


def undecided(reason: str, **counters: int) -> Outcome:
    """A search that ended without an answer."""
    return Outcome(Status.UNDECIDED, None, reason, counters=counters)


def exhausted(nodes: int) -> tuple[str, str]:
    """(reason, source) of a complete search that found nothing."""
    return f"an exhaustive search of {nodes:,} nodes found none", f"exhaustive search, {nodes:,} nodes"


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to a question.

    status: FOUND, IMPOSSIBLE (proved) or UNDECIDED (a limit ended the search).
    tours: the tours found, checked; `tour` is the first, or None.
    reason: why there is none, or which limit was reached, or why there are fewer tours than asked for.
    source: the theorem, or the search, behind the reason.
    method: the method that answered. seed: the one used; the same seed gives the same tour.
    nodes: steps of the search. seconds: wall-clock time. counters: what the method counted besides.
    """

    status: Status
    problem: Problem
    tours: tuple[Tour, ...]
    reason: str
    source: str
    method: str
    seed: int
    nodes: int
    seconds: float
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def tour(self) -> Tour | None:
        """The tour found (the first of several), or None."""
        return self.tours[0] if self.tours else None

    def to_dict(self, tour: Tour | None = None) -> dict[str, Any]:
        """The fields as JSON knows them, with the given tour or else the first."""
        shown = tour or self.tour
        return {
            "status": self.status.value,
            "closed": self.problem.closed,
            "rows": self.problem.board.rows,
            "cols": self.problem.board.cols,
            "squares": None if shown is None else shown.squares.tolist(),
            "method": self.method,
            "reason": self.reason or None,
            "source": self.source or None,
            "seed": self.seed,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }

    def __repr__(self) -> str:
        words = [self.status.value, str(self.problem)]
        if self.reason:
            words.append(self.reason)
        return f"<Result: {'; '.join(words)} ({self.method}, {self.nodes:,} nodes, {self.seconds:.3g} s)>"
