"""How fast the numbers of tours grow with the length of a board of few rows: the growth rate, between proved bounds.

The states of half-made tours of a long board come back every two columns, and halves/steady.py proves bounds of how
fast their numbers grow. Open tours are counted in three parts: before an end of the tour is placed, with one end
placed, and with both. The first and the last are mirror images of each other, so the rate is the larger one of two.

The numbers of open tours of up to 4 rows follow a recurrence (narrow.py), whose root is their rate. (Those of 4 rows
keep to parts that grow equally fast one after the other, so that no such bounds meet.)
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from knightstour.core.model.arguments import shows_arguments
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.exports import record_of
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.validation import amount
from knightstour.core.model.validation import path as given_path
from knightstour.core.proofs import arguments
from knightstour.lab.counting.halves import steady
from knightstour.lab.counting.narrow import has_recurrence, narrow_recurrence
from knightstour.lab.counting.settings import Watch, check_resume, count_budget

# Rows of which open tours are taken; 7 would take a quarter of an hour and 2 GB.
_MAX_OPEN_ROWS = 6
# Columns of a board that has tours if any does.
_COLUMNS = 36


class GrowthRate(NamedTuple):
    """The number of tours of the rows x n board grows as rate^n, and low <= rate <= high is proved.

    (The n-th root of the number tends to the rate, over those n for which there are tours.) states, ways: of the
    graph, 0 where the rate is the root of a recurrence. parts: of open tours by such a graph, the bounds while no end
    is placed, or both, and while one is; else just the bounds.
    """

    rows: int
    closed: bool
    low: float
    high: float
    states: int
    ways: int
    parts: tuple[tuple[float, float], ...]

    @property
    def decimals(self) -> str:
        """The rate in the digits that both bounds share, cut off.

        >>> GrowthRate(3, True, 3.11949045, 3.11949046, 0, 0, ()).decimals
        '3.1194904'
        """
        low, high = (f"{bound:.16f}" for bound in (self.low, self.high))
        same = next((k for k, (a, b) in enumerate(zip(low, high, strict=True)) if a != b), len(low))
        return low[:same]

    def to_dict(self) -> dict[str, object]:
        """The fields as JSON knows them."""
        return record_of(self)

    def lines(self) -> list[str]:
        """The rate and its bounds, for people."""
        return [f"rate      {self.decimals}...", f"at least  {self.low!r}", f"at most   {self.high!r}"]

    def notes(self) -> list[str]:
        """What it says, and how it is proved."""
        graph = f"from {self.states:,} states and {self.ways:,} ways between them"
        return [f"{self}; both bounds are proved, {graph if self.states else 'by the recurrence'}"]

    def __str__(self) -> str:
        kind = "closed" if self.closed else "open"
        return f"{kind} tours of {self.rows} x n boards grow as {self.decimals}...^n"


@shows_arguments
def growth_rate(
    board: Question,
    *,
    closed: bool = False,
    limits: Limits | None = None,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> GrowthRate:
    """How fast the number of tours of boards of few rows grows with each column, between proved bounds.

    board: any board of that width: the shorter side counts; 3 to 6 rows, up to 8 for closed tours.
    closed: as for count_tours.
    limits: seconds, states and bytes. 6 rows take 7 s of a processor, open 50 s; 7 rows 100 s; 8 rows two hours and
        11 GB; fewer rows less.
    threads, checkpoint, resume: as for count_tours, where there is no recurrence.

    Raises ProblemError for boards that are not plain, or have fewer or more rows, or no tours of any length;
    LimitReached at a limit, with the bounds so far, if there are any; BoardError where memory does not suffice;
    FormatError for a checkpoint that is foreign or damaged.

    >>> found = growth_rate((3, 10), closed=True)
    >>> found.low < 3.119490456755102 < found.high, found.high - found.low < 1e-12
    (True, True)
    >>> print(growth_rate((4, 10)))
    open tours of 4 x n boards grow as 4.476427484534...^n
    """
    problem = Problem.of(board, closed=closed)
    problem.check_takes("a growth rate")
    if not problem.board.is_rectangle or (problem.start, problem.end) != (None, None):
        raise ProblemError("growth rates are those of plain boards, all tours", help="give rows x cols only")
    rows = min(problem.board.rows, problem.board.cols)
    kind, most = ("closed", steady.MAX_ROWS) if problem.closed else ("open", _MAX_OPEN_ROWS)
    if rows > most:
        raise ProblemError(
            f"the growth rate of {kind} tours of boards with {rows} rows is infeasible: {most} rows at most",
            help="the ratio of two counts is near it",
        )
    none = arguments.known_proof(Problem.of((rows, _COLUMNS), closed=problem.closed))
    if none is not None:
        raise ProblemError(f"there are no tours of {rows} rows that could grow: {none.reason}")
    amount(threads, "threads")
    check_resume(checkpoint, resume)
    watch = Watch(problem, count_budget(limits, on_progress))
    if not problem.closed and has_recurrence(rows, closed=False):
        if checkpoint is not None:
            raise ProblemError(
                f"the growth rate of open tours of boards with {rows} rows keeps no checkpoints",
                help="leave it out: the rate is there at once",
            )
        low, high = narrow_recurrence(rows, closed=False).rate()
        return GrowthRate(rows, False, low, high, 0, 0, ((low, high),))
    parts: list[steady.Bounds] = []
    for placed in (0,) if problem.closed else (0, 1):
        folder = None if checkpoint is None else Path(given_path(checkpoint, "the checkpoint"))
        parts.append(
            steady.bounds_of_rate(
                rows,
                watch,
                closed=problem.closed,
                placed=placed,
                threads=threads,
                checkpoint=folder if folder is None or problem.closed else folder / f"ends-{placed}",
                resume=resume,
            )
        )
    low, high = max(part.low for part in parts), max(part.high for part in parts)
    states, ways = sum(part.states for part in parts), sum(part.ways for part in parts)
    return GrowthRate(rows, problem.closed, low, high, states, ways, tuple((part.low, part.high) for part in parts))
