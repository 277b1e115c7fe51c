"""Settings and progress reports of a count."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypedDict

from knightstour.core.machine.files import holds_something
from knightstour.core.machine.sharing import Workers, threads_and_cluster
from knightstour.core.model.board import MAX_LISTED_SQUARES
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits, limits_of
from knightstour.core.model.deadline import DeadlineError
from knightstour.core.model.errors import BoardError
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import THOUSANDTHS, OnProgress, Progress
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.wording import in_words


class CountOptions(TypedDict, total=False):
    """Arguments that every count accepts."""

    timeout: float | None
    max_nodes: int | None
    memory: int | str | None
    workers: Workers
    on_progress: OnProgress | None


class CountSettings(NamedTuple):
    """Resources and algorithm of a count; no setting changes the number of tours.

    Attributes:
        threads, cluster: The two forms of the public argument `workers`: a number of threads, or a Dask client.
        across: Side of a rectangle along the cut of a count by halves (default: the shorter).
    """

    limits: Limits | None = None
    threads: int | None = None
    cluster: Workers = None
    checkpoint: str | os.PathLike[str] | None = None
    on_progress: OnProgress | None = None
    across: int | None = None
    method: str | None = None

    @classmethod
    def of(cls, options: CountOptions, **others: Any) -> CountSettings:
        """Return the settings for the arguments of a public function. others: further fields."""
        limits = limits_of(options.get("timeout"), options.get("max_nodes"), options.get("memory"))
        threads, cluster = threads_and_cluster(options.get("workers"))
        return cls(limits, threads, cluster, on_progress=options.get("on_progress"), **others)

    @property
    def is_resumed(self) -> bool:
        """Whether the checkpoint has files of an earlier run."""
        return holds_something(self.checkpoint)

    @property
    def memory(self) -> int | None:
        """Memory limit in bytes; None for most of the free memory."""
        return None if self.limits is None else self.limits.bytes


def count_budget(limits: Limits | None = None, on_progress: OnProgress | None = None) -> Budget:
    """Return the budget of a count, which has no limit by default."""
    return Budget(NO_LIMITS if limits is None else limits, on_progress, stage="counting", unit="states")


class CountProgress:
    """Progress reports and limits of a count."""

    def __init__(self, problem: Problem, budget: Budget | None = None, method: str = "count") -> None:
        self.problem, self.method = problem, method
        self.budget = budget or count_budget()

    @property
    def most_bytes(self) -> int | None:
        """Memory limit in bytes; None for most of the free memory."""
        return self.budget.limits.bytes

    def report(self, text: str, part: float | None, states: int = 0, held: int = 0) -> None:
        """Call `on_progress`. part: completed fraction. states: their total number. held: bytes in use.

        Raises LimitReached if the budget is spent.
        """
        budget = self.budget
        budget.nodes = max(states, budget.nodes)
        self.check()
        if budget.on_progress is not None:
            done, total = (0, None) if part is None else (int(THOUSANDTHS * part), THOUSANDTHS)
            notes = [text, f"{states:,} states" if states else "", in_words(held) if held else ""]
            budget.on_progress(Progress(budget.stage, done, total, budget.seconds, ", ".join(filter(None, notes))))

    def spend(self, states: int, part: float) -> None:
        """Add states to the total, and report; `part` and errors as for `report`."""
        self.budget.spend(states, part)
        self.check()

    def check(self) -> None:
        """Raise LimitReached if the budget is spent."""
        if self.budget.is_spent:
            raise self.limit_error(self.budget.why_stopped().replace(" node", " state"))

    @contextmanager
    def keeping_deadline(self) -> Iterator[None]:
        """Context in which preparations stop at the timeout of the count, or for a board that is too large to list."""
        try:
            with self.budget.keeping_deadline():
                yield
        except DeadlineError:
            raise self.limit_error(self.budget.why_stopped()) from None
        except BoardError as error:
            if self.problem.board.rows * self.problem.board.cols <= MAX_LISTED_SQUARES:
                raise
            raise self.limit_error(str(error), note=error.note) from None

    def limit_error(self, reason: str, *, note: str = "", help: str = "") -> LimitReached:
        """Return the error of a count that ends undecided."""
        made, seconds = self.budget.nodes, self.budget.seconds
        result = Result(Status.UNDECIDED, self.problem, None, reason, "", self.method, 0, made, seconds)
        return LimitReached(result, note=note, help=help)
