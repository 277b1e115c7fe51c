"""All methods asked the same question, with many seeds: how often each answers, how quickly, and up to which board.

What is measured is processor time, of this process and of those it starts, so that other work on the machine counts
little; the limit of one run is of the same kind. Each method is asked once untimed first, so that loading is not
counted.

A method that gives the same answer whatever the seed is asked fewer times: the seeds change nothing. One that reached
the limit ten times in a row from the start is asked no more.

The largest board is looked for among square boards of the same leaper and wrap: sizes grow until the method fails, then
are halved in between. A size counts as solved when one try answers within the limit.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Unpack

from knightstour.core.methods.solve import solve
from knightstour.core.methods.table import METHODS
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits, ProcessorSeconds
from knightstour.core.model.condition_table import QuestionArguments
from knightstour.core.model.errors import BoardError, MethodError, ProblemError
from knightstour.core.model.exports import table_of
from knightstour.core.model.notebook import page_of
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.processor import processor_seconds
from knightstour.core.model.progress import OnProgress, Progress, Reporter
from knightstour.core.model.question_arguments import takes_question
from knightstour.core.model.result import Result, Status
from knightstour.core.model.validation import an, flag, listed, one_of, real_number, whole_number
from knightstour.core.model.wording import short_repr
from knightstour.core.search.options import TIES
from knightstour.core.search.warnsdorff import warnsdorff

if TYPE_CHECKING:
    import pandas as pd

# Runs of a method whose seeds change nothing.
_RUNS_WITHOUT_SEEDS = 5
# Runs without an answer after which a method is not asked again.
_HOPELESS_RUNS = 10
DEFAULT_SECONDS_A_RUN = 5.0
# Sizes of board for which the ways to break ties are compared.
_SIZES_OF_TIES = 12
# The sizes that the search for the largest board begins with, and the largest it tries.
SIZES = (6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


@dataclass(frozen=True, slots=True)
class Row:
    """What one method did.

    runs: how many times it was asked. found, impossible, undecided: its answers.
    median, p95: processor seconds of a run, whatever its answer; None without runs. nodes: their median.
    largest: side of the largest square board it solved within the limit, or None if not looked for or none.
    excuse: why it was not asked, or not asked to the end, else empty.
    """

    method: str
    runs: int = 0
    found: int = 0
    impossible: int = 0
    undecided: int = 0
    median: float | None = None
    p95: float | None = None
    nodes: int | None = None
    largest: int | None = None
    excuse: str = ""

    @property
    def answered(self) -> float | None:
        """Part of the runs that answered, with a tour or a proof that there is none."""
        return (self.found + self.impossible) / self.runs if self.runs else None

    def to_dict(self) -> dict[str, object]:
        """The fields and what part of the runs answered, as JSON knows them."""
        return {**asdict(self), "answered": self.answered}


def share_of_answers(row: Row) -> str:
    """The part of the runs that answered, and whether the answer was a proof that there is no tour.

    >>> share_of_answers(Row("merge", runs=2, found=1)), share_of_answers(Row("sat", runs=2, impossible=2))
    ('50 %', '100 % (proved there is none)')
    """
    share = f"{100 * (row.answered or 0):.0f} %"
    return f"{share} (proved there is none)" if row.impossible else share


def _time_in_words(seconds: float | None) -> str:
    """A time for people.

    >>> _time_in_words(0.00021), _time_in_words(0.034), _time_in_words(2.5)
    ('0.21 ms', '34 ms', '2.5 s')
    """
    if seconds is None:
        return ""
    if seconds >= 1:
        return f"{seconds:.2g} s"
    return f"{1000 * seconds:.2g} ms" if seconds < 0.0995 else f"{1000 * seconds:.0f} ms"


_COLUMNS = ("method", "answered", "median", "95 %", "nodes", "largest")


def _cells(row: Row) -> list[str]:
    """What _COLUMNS show of a row."""
    at_least = ">= " if row.largest == SIZES[-1] else ""
    largest = "" if row.largest is None else f"{at_least}{row.largest}x{row.largest}"
    times = [_time_in_words(row.median), _time_in_words(row.p95)]
    return [row.method, share_of_answers(row), *times, f"{row.nodes or 0:,}", largest]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of all methods for one question, in the order of METHODS.

    limits: those of one run. seeds: runs asked for of each method. times: processor seconds of each run, by method.
    reason: why it is not whole, else empty: the overall limit.
    """

    problem: Problem
    limits: Limits
    seeds: int
    rows: tuple[Row, ...]
    times: dict[str, tuple[float, ...]]
    reason: str = ""

    def to_dict(self) -> dict[str, object]:
        """The comparison as JSON knows it; seconds of processor time."""
        problem = self.problem
        return {
            "board": str(problem.board),
            "closed": problem.closed,
            "start": None if problem.start is None else problem.board.name(problem.start),
            "end": None if problem.end is None else problem.board.name(problem.end),
            **problem.asked_as_dict(),
            "seeds": self.seeds,
            "timeout": self.limits.seconds,
            "reason": self.reason or None,
            "rows": [row.to_dict() for row in self.rows],
        }

    def to_pandas(self) -> pd.DataFrame:
        """A row for each method, as a pandas DataFrame; a MethodError where pandas is not installed."""
        return table_of([row.to_dict() for row in self.rows])

    def __repr__(self) -> str:
        asked = sum(row.runs > 0 for row in self.rows)
        methods = f"{asked} method{'' if asked == 1 else 's'}"
        seeds = f"{self.seeds} seed{'' if self.seeds == 1 else 's'} each"
        return short_repr(self, f"{methods}, {seeds}, {self.problem}")

    def _repr_html_(self) -> str:
        """What notebooks show: the table."""
        return page_of(self.to_text())

    def to_text(self) -> str:
        """The comparison as a table; methods that were not asked are listed below it with the reason."""
        asked = [row for row in self.rows if row.runs]
        cells = [list(_COLUMNS), *(_cells(row) for row in asked)]
        widths = [max(len(line[k]) for line in cells) for k in range(len(_COLUMNS))]
        limit = f", limit {self.limits.seconds:g} s" if self.limits.seconds is not None else ""
        lines = [f"{self.problem}: processor time of one run, {self.seeds} seeds{limit}", ""]
        for first, *others in cells:
            figures = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
            lines.append("  ".join([first.ljust(widths[0]), *figures]))
        for heading, rows in (
            ("not asked to the end:", [row for row in asked if row.excuse]),
            ("not asked:", [row for row in self.rows if not row.runs]),
        ):
            if rows:
                lines += ["", heading, *(f"  {row.method}: {row.excuse}" for row in rows)]
        return "\n".join(lines) + "\n"


@takes_question
def compare(
    board: Question,
    *,
    methods: Sequence[str] | None = None,
    seeds: int = 100,
    limits: Limits | None = None,
    overall: float | None = None,
    largest: bool = True,
    on_progress: OnProgress | None = None,
    **question: Unpack[QuestionArguments],
) -> Comparison:
    """Ask each method the same question with the seeds 0, 1, 2, ... and measure its answers.

    board, question: as for solve(). Methods that do not take the question are not asked.
    methods: names of METHODS; None for all.
    seeds: runs of a method.
    limits: those of one run, by default 5 seconds. Seconds are of processor time.
    overall: seconds by the clock for all runs together; None for no limit. Then the table has what was measured until
        then, and its `reason` says so.
    largest: also look for the largest square board that each solves within the limit (a few runs more); not under
        conditions.
    on_progress: called with a Progress before each run and every fraction of a second of it: its stage is the method,
        its note what is tried.

    Raises MethodError for an unknown method, BoardError or ProblemError for a question that makes no sense.

    >>> table = compare((6, 6), closed=True, methods=["explicit", "rotation"], seeds=3, largest=False)
    >>> [(row.method, row.runs, row.answered) for row in table.rows]
    [('explicit', 3, 1.0), ('rotation', 3, 1.0)]
    """
    problem = Problem.of(board, **question)
    seeds = whole_number(seeds, "the number of seeds")
    if seeds < 1:
        raise ProblemError(f"{seeds} seeds were asked for", help="ask for 1 or more")
    largest = flag(largest, "largest")
    report = Reporter(on_progress, "comparing")
    limits = Budget(Limits(seconds=DEFAULT_SECONDS_A_RUN) if limits is None else limits).limits
    if overall is not None:
        overall = real_number(overall, "overall", may_be_infinite=True, help="give seconds, more than 0")
    runs = _Runs(limits, Budget(Limits(seconds=overall)), report)
    rows: list[Row] = []
    times: dict[str, tuple[float, ...]] = {}
    for name in _checked_names(methods):
        excuse = METHODS[name].excuse(problem) or runs.reason
        if excuse:
            rows.append(Row(name, excuse=excuse))
            continue
        row, times[name] = _row(problem, name, seeds, runs)
        if largest and row.found and not row.excuse and problem.board.graph is None and not problem.asked:
            row = _with_largest(row, problem, runs)
        rows.append(row)
    return Comparison(problem, limits, seeds, tuple(rows), times, runs.reason)


def _checked_names(methods: Sequence[str] | None) -> list[str]:
    """The methods to ask, each once; all of them for None."""
    if methods is None:
        return list(METHODS)
    given = listed(methods, "methods", error=MethodError, help="give names, such as ['merge', 'rotation']")
    if not given:
        raise MethodError("no method is to be asked", help="name some, or None for all")
    return list(dict.fromkeys(one_of(name, METHODS, "method", error=MethodError) for name in given))


class _Over(Exception):
    """The time for all runs together is over."""


class _Runs:
    """Asks methods, each time within the limits of one run, until the time for all runs together is over.

    limits: of one run. whole: the budget of all. reason: why it has ended, else empty.
    """

    def __init__(self, limits: Limits, whole: Budget, report: Reporter) -> None:
        self.most = float("inf") if limits.seconds is None else float(limits.seconds)
        self.nodes, self.whole, self.report = limits.nodes, whole, report
        self.reason = ""

    def ask(self, problem: Problem, name: str, seed: int, done: int, note: str = "", *, total: int = 0) -> _Asked:
        """One run, and the processor seconds that it took; _Over if the time of all ends it. done, total: runs."""

        def tell(progress: Progress | None = None) -> None:
            self.report(done, note or (progress.note if progress else ""), stage=name, total=total or None)
            if self.whole.is_spent:
                self.reason = self.whole.why_stopped()
                raise _Over

        tell()
        left = self.whole.seconds_left
        limits = Limits(left if left < self.most else ProcessorSeconds(self.most), self.nodes)
        before = _processor_seconds()
        # A proof that is known beforehand says nothing of a method, and looking for it costs each the same time.
        result = solve(problem, method=name, rng=seed, limits=limits, proofs=METHODS[name].proves, on_progress=tell)
        spent = _processor_seconds() - before
        if result.status is Status.UNDECIDED:
            tell()
        return _Asked(result, spent)


class _Asked(NamedTuple):
    """The answer of one run, and the processor seconds that it took."""

    result: Result
    seconds: float


def _row(problem: Problem, name: str, seeds: int, runs: _Runs) -> tuple[Row, tuple[float, ...]]:
    """The row of a method that applies, without its largest board, and the seconds of each run."""
    total = seeds if METHODS[name].varies else min(seeds, _RUNS_WITHOUT_SEEDS)
    answers: list[Status] = []
    spent: list[float] = []
    nodes: list[int] = []
    with suppress(_Over):
        runs.ask(problem, name, 0, 0, "first run", total=total)
        for seed in range(total):
            result, seconds = runs.ask(problem, name, seed, seed, total=total)
            answers.append(result.status)
            spent.append(seconds)
            nodes.append(result.nodes)
            if len(answers) == _HOPELESS_RUNS and set(answers) == {Status.UNDECIDED}:
                break
    if not answers:
        return Row(name, excuse=runs.reason), ()
    row = Row(
        name,
        runs=len(answers),
        found=answers.count(Status.FOUND),
        impossible=answers.count(Status.IMPOSSIBLE),
        undecided=answers.count(Status.UNDECIDED),
        median=statistics.median(spent),
        p95=percentile(spent, 95),
        nodes=int(statistics.median(nodes)),
        excuse=runs.reason,
    )
    return row, tuple(spent)


def _with_largest(row: Row, problem: Problem, runs: _Runs) -> Row:
    """The row with the side of the largest square board that the method solves within the limit."""

    def solves(n: int) -> bool:
        try:
            other = Problem.of(Board(n, n, leaper=problem.board.leaper, wrap=problem.board.wrap), closed=problem.closed)
        except BoardError:
            return False
        if METHODS[row.method].why_not(other) is not None:
            return False
        result, seconds = runs.ask(other, row.method, 0, 0, f"trying {n}x{n}")
        return result.status is Status.FOUND and seconds <= 2 * runs.most

    best, failed = None, None
    with suppress(_Over):
        for n in SIZES:
            if solves(n):
                best = n
            elif best is not None or n >= 8:
                failed = n
                break
        if best is not None and failed is not None:
            for n in _between(best, failed):
                if not solves(n):
                    break
                best = n
    return replace(row, largest=best, excuse=runs.reason)


def _between(low: int, high: int) -> Iterator[int]:
    """Even sides between two, in at most four steps."""
    step = max(2, (high - low) // 4 // 2 * 2)
    yield from range(low + step, high, step)


def _processor_seconds() -> float:
    """Processor time of this process and of those it started and saw end."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:  # a system that does not count ended processes
        return processor_seconds()
    children = getrusage(RUSAGE_CHILDREN)
    return processor_seconds() + children.ru_utime + children.ru_stime


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that this percentage of the values do not exceed.

    >>> percentile([1, 2, 3, 4], 95), percentile([1, 2, 3, 4], 50)
    (4, 2)
    """
    ordered = sorted(values)
    return ordered[max(0, -int(-len(ordered) * percent // 100) - 1)]


def success_of_ties(
    board: Board, count: int, seed: int, *, on_progress: OnProgress | None = None
) -> dict[str, dict[int, float]]:
    """Share of the starts, 0 to 1, from which each way to break ties finds an open tour without going back.

    For some twelve sizes n from 5 to that of the board. Starts and random ties come from the seed; all ways get the
    same starts. "squirrel" is made for tours from the corner, so it begins there, once.
    """
    if board.rows != board.cols or not board.is_rectangle or board.rows < 5:
        raise BoardError(
            f"sizes n x n up to the board are tried, from 5x5; this is {an(board.title)}", help="give 40x40"
        )
    report = Reporter(on_progress, "trying starts")
    most = board.rows
    sizes = sorted({5 + (most - 5) * k // max(1, _SIZES_OF_TIES - 1) for k in range(_SIZES_OF_TIES)})
    shares: dict[str, dict[int, float]] = {name: {} for name in TIES}
    dice = random.Random(seed)
    for n in sizes:
        # From squares of the minority colour an odd board has no tour.
        fits = [(r, c) for r in range(n) for c in range(n) if n % 2 == 0 or (r + c) % 2 == 0]
        starts = [dice.choice(fits) for _ in range(count)]
        for name in TIES:
            wins = 0
            chosen = [(0, 0)] if name == "squirrel" else starts
            for k, start in enumerate(chosen):
                report(k, f"{n}x{n}, {name}", total=len(chosen))
                problem, budget = Problem.of((n, n), start=start), Budget(Limits(None, n * n))
                outcome = warnsdorff(problem, budget, seed + k, ties=name, critical_budget=0)
                wins += outcome.order is not None
            shares[name][n] = wins / len(chosen)
    return shares
