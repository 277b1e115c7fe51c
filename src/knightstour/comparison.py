"""All methods asked the same question, with many seeds: how often each answers, how quickly, and up to which board.

What is measured is processor time, of this process and of those it starts, so that other work on the machine counts
little. Each method is asked once untimed first, so that loading and compiling are not counted.

A method that gives the same answer whatever the seed is asked fewer times: the seeds change nothing. One that reached
the limit ten times in a row from the start is asked no more.

The largest board is looked for among square boards of the same leaper and wrap: sizes grow until the method fails, then
are halved in between. A size counts as solved when one try answers within the limit.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from knightstour.board import Board, BoardLike, Square
from knightstour.errors import BoardError, MethodError, ProblemError
from knightstour.given import callback, flag, listed, one_of, whole_number
from knightstour.methods import ASK_PROOFS, METHODS, solve
from knightstour.result import Limits, Problem, Result, Status

# Of a method whose seeds change nothing, so many runs give the median.
_RUNS_WITHOUT_SEEDS = 5
# A method that answered nothing in so many runs is asked no more.
_HOPELESS_RUNS = 10
# The sizes that the search for the largest board begins with, and the largest it tries.
SIZES = (6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


@dataclass(frozen=True, slots=True)
class Row:
    """What one method did.

    runs: how many times it was asked. found, impossible, undecided: its answers.
    median, p95: processor seconds of a run, whatever its answer; None without runs. nodes: their median.
    largest: side of the largest square board it solved within the limit, or None if not looked for or none.
    excuse: why it was not asked, else empty.
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

    def to_dict(self) -> dict[str, Any]:
        """The fields and what part of the runs answered, as JSON knows them."""
        return {**asdict(self), "answered": self.answered}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of all methods for one question, in the order of METHODS; seconds: the limit of one run."""

    problem: Problem
    seconds: float
    seeds: int
    rows: tuple[Row, ...]
    times: dict[str, tuple[float, ...]]


def compare(
    board: BoardLike,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    methods: Sequence[str] | None = None,
    seeds: int = 100,
    seconds: float = 5.0,
    largest: bool = True,
    on_progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Ask each method the same question with the seeds 0, 1, 2, ... and tell how it fared.

    methods: names of METHODS; None for all. seeds: runs of a method. seconds: limit of one run.
    largest: also look for the largest square board that each solves within the limit (a few runs more).
    on_progress: called with a line of text before each run.

    Raises MethodError for an unknown method, BoardError or ProblemError for a question that makes no sense.

    >>> table = compare((6, 6), closed=True, methods=["explicit", "rotation"], seeds=3, largest=False)
    >>> [(row.method, row.runs, row.answered) for row in table.rows]
    [('explicit', 3, 1.0), ('rotation', 3, 1.0)]
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    seeds = whole_number(seeds, "the number of seeds")
    if seeds < 1:
        raise ProblemError(f"{seeds} seeds were asked for", help="ask for 1 or more")
    largest = flag(largest, "largest")
    callback(on_progress, "on_progress")
    names = list(METHODS)
    if methods is not None:
        given = listed(methods, "methods", error=MethodError, help="give names, such as ['merge', 'rotation']")
        names = list(dict.fromkeys(one_of(name, METHODS, "method", error=MethodError) for name in given))
        if not names:
            raise MethodError("no method is to be asked", help="name some, or None for all")
    limits = Limits(seconds=seconds)
    rows: list[Row] = []
    times: dict[str, tuple[float, ...]] = {}

    def tell(text: str) -> None:
        if on_progress is not None:
            on_progress(text)

    for name in names:
        excuse = METHODS[name].why_not(problem)
        if excuse is not None:
            rows.append(Row(name, excuse=excuse))
            continue
        row, times[name] = _row(problem, name, seeds, limits, tell)
        if largest and row.found and problem.board.graph is None:
            row = _with_largest(row, problem, limits, tell)
        rows.append(row)
    return Comparison(problem, seconds, seeds, tuple(rows), times)


def _row(
    problem: Problem, name: str, seeds: int, limits: Limits, tell: Callable[[str], None]
) -> tuple[Row, tuple[float, ...]]:
    """The row of a method that applies, without its largest board, and the seconds of each run."""
    tell(f"{name}: first run")
    _ask(problem, name, 0, limits)
    runs = seeds if METHODS[name].varies else min(seeds, _RUNS_WITHOUT_SEEDS)
    answers, spent, nodes = [], [], []
    for seed in range(runs):
        tell(f"{name}: run {seed + 1} of {runs}")
        before = _processor_seconds()
        result = _ask(problem, name, seed, limits)
        spent.append(_processor_seconds() - before)
        answers.append(result.status)
        nodes.append(result.nodes)
        if len(answers) == _HOPELESS_RUNS and set(answers) == {Status.UNDECIDED}:
            break
    row = Row(
        name,
        runs=len(answers),
        found=answers.count(Status.FOUND),
        impossible=answers.count(Status.IMPOSSIBLE),
        undecided=answers.count(Status.UNDECIDED),
        median=statistics.median(spent),
        p95=percentile(spent, 95),
        nodes=int(statistics.median(nodes)),
    )
    return row, tuple(spent)


def _with_largest(row: Row, problem: Problem, limits: Limits, tell: Callable[[str], None]) -> Row:
    """The row with the side of the largest square board that the method solves within the limit."""

    def solves(n: int) -> bool:
        tell(f"{row.method}: trying {n}x{n}")
        try:
            other = Problem.of(Board(n, n, leaper=problem.board.leaper, wrap=problem.board.wrap), closed=problem.closed)
        except BoardError:
            return False
        if METHODS[row.method].why_not(other) is not None:
            return False
        before = _processor_seconds()
        result = _ask(other, row.method, 0, limits)
        return result.status is Status.FOUND and _processor_seconds() - before <= 2 * (limits.seconds or 0)

    best, failed = None, None
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
    return Row(**{**asdict(row), "largest": best})


def _between(low: int, high: int) -> Iterator[int]:
    """Even sides between two, in at most four steps."""
    step = max(2, (high - low) // 4 // 2 * 2)
    yield from range(low + step, high, step)


def _ask(problem: Problem, name: str, seed: int, limits: Limits) -> Result:
    # Proofs known beforehand are no merit of a method, and looking for them would cost all of them the same time.
    proofs = name in ASK_PROOFS
    return solve(problem.board, **problem.conditions, method=name, seed=seed, limits=limits, proofs=proofs)


def _processor_seconds() -> float:
    """Processor time of this process and of those it started and saw end."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:  # a system that does not tell of ended processes
        return time.process_time()
    children = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that so many per cent of the values do not exceed.

    >>> percentile([1, 2, 3, 4], 95), percentile([1, 2, 3, 4], 50)
    (4, 2)
    """
    ordered = sorted(values)
    return ordered[max(0, -int(-len(ordered) * percent // 100) - 1)]
