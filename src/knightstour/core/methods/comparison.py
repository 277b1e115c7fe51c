"""Comparison of methods on the same problem, with several seeds: success rate, time and nodes.

A method may be compared with itself, with other settings and from other squares: one row each.

The measured time, and the limit of one run, is processor time of this process and its children. Each method runs once
untimed first, so that loading is not measured.

A method whose result does not depend on the seed runs fewer times. A method that always reaches the limit is stopped
soon. If it is proved that no tour exists, a method that cannot prove this is skipped, and a method that sometimes can
gets a short time.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, Unpack, cast

from knightstour.core.methods.solve import solve
from knightstour.core.methods.table import METHODS, Method, checked_method_name
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Square
from knightstour.core.model.budget import Limits, ProcessorSeconds, as_arguments, processor_seconds
from knightstour.core.model.condition_table import Conditions
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.exports import page_of, record_of, table_of
from knightstour.core.model.literals import MethodName
from knightstour.core.model.option import checked_options
from knightstour.core.model.problem import (
    Problem,
    Question,
    conditions_as_dict,
    problem_for,
    problem_of,
    replace_fields,
)
from knightstour.core.model.progress import OnProgress, Progress, Reporter
from knightstour.core.model.result import Result, Status
from knightstour.core.model.validation import as_list, callback, of_kind, one_of, quoted, whole_number
from knightstour.core.model.wording import short_repr
from knightstour.core.proofs.arguments import known_proof

if TYPE_CHECKING:
    import pandas as pd

_MAX_SEEDS = 1_000_000
# Number of runs of a method that does not depend on the seed.
_RUNS_WITHOUT_SEEDS = 5
# Number of runs without a result after which a method is skipped.
_HOPELESS_RUNS = 3
DEFAULT_SECONDS_PER_RUN = 5.0
# Time limit for a method that seldom proves impossibility, on a board without a tour.
_SECONDS_TO_PROVE = 0.1
DEFAULT_SEEDS = 10
# Maximum number of rows.
_MAX_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """Results of one method with one choice of settings and one start.

    Attributes:
        runs: Number of runs.
        found, impossible, undecided: Numbers of results.
        median, p95: Processor seconds of a run, for any result; None without runs.
        nodes: Median of the nodes.
        why_fewer: Reason for fewer runs than seeds, or "".
        start: Name of the start square, or None if no starts are compared.
        settings: Options of the method.
    """

    method: str
    runs: int = 0
    found: int = 0
    impossible: int = 0
    undecided: int = 0
    median: float | None = None
    p95: float | None = None
    nodes: int | None = None
    why_fewer: str = ""
    start: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The method with its settings and its start.

        >>> Row("backtracking", start="a1", settings={"move_order": "classic"}).name
        'backtracking move_order=classic from a1'
        """
        settings = [f"{name}={value}" for name, value in self.settings.items()]
        return " ".join([self.method, *settings, *([] if self.start is None else [f"from {self.start}"])])

    @property
    def answer_rate(self) -> float | None:
        """Fraction of runs with a tour or a proof that none exists."""
        return (self.found + self.impossible) / self.runs if self.runs else None

    def to_dict(self) -> dict[str, object]:
        """Return the fields and the fraction of answered runs as a JSON-serialisable dict."""
        return {**record_of(self), "answered": self.answer_rate}


def share_of_answers(row: Row) -> str:
    """Return the share of runs with a result.

    >>> share_of_answers(Row("merge", runs=2, found=1))
    '50 %'
    """
    return f"{100 * (row.answer_rate or 0):.0f} %"


def time_in_words(seconds: float | None) -> str:
    """Return a time as text.

    >>> time_in_words(0.00021), time_in_words(0.034), time_in_words(2.5)
    ('0.21 ms', '34 ms', '2.5 s')
    """
    if seconds is None:
        return ""
    if seconds >= 1:
        return f"{seconds:.2g} s"
    return f"{1000 * seconds:.2g} ms" if seconds < 0.0995 else f"{1000 * seconds:.0f} ms"


# Columns of numbers with their maximum widths, since rows are printed before the next are known.
_COLUMNS = {"runs": 4, "answered": 8, "median": 8, "95 %": 8, "nodes": 11}


def _figures(row: Row) -> dict[str, str]:
    return {
        "runs": str(row.runs),
        "answered": share_of_answers(row),
        "median": time_in_words(row.median),
        "95 %": time_in_words(row.p95),
        "nodes": f"{row.nodes or 0:,}",
    }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rows of all methods for one problem: by start, by method, and by setting.

    Attributes:
        limits: Limits of one run.
        seeds: Number of runs of each row.
        times: Seconds of each run, by the row's name.
        planned: All planned rows, empty.
    """

    problem: Problem
    limits: Limits
    seeds: int
    rows: tuple[Row, ...]
    times: dict[str, tuple[float, ...]]
    planned: tuple[Row, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the comparison as a JSON-serialisable dict."""
        problem = self.problem
        return {
            "board": str(problem.board),
            "closed": problem.closed,
            "start": None if problem.start is None else problem.board.square_name(problem.start),
            "end": None if problem.end is None else problem.board.square_name(problem.end),
            **conditions_as_dict(problem),
            "seeds": self.seeds,
            "timeout": self.limits.seconds,
            "rows": [row.to_dict() for row in self.rows],
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each method. Requires pandas."""
        return table_of(self.records())

    def records(self) -> list[dict[str, object]]:
        """Return the rows as records, with a column for the start and for each compared setting."""
        others = ("settings", "start", "method")
        return [
            self.names(row) | {name: value for name, value in row.to_dict().items() if name not in others}
            for row in self.rows
        ]

    def __repr__(self) -> str:
        count = sum(row.runs > 0 for row in self.rows)
        methods = f"{count} method{'' if count == 1 else 's'}"
        seeds = f"{self.seeds} seed{'' if self.seeds == 1 else 's'} each"
        return short_repr(self, f"{methods}, {seeds}, {self.problem}")

    def _repr_html_(self) -> str:
        return page_of(self.to_text())

    def to_text(self) -> str:
        """Return the comparison as a table, with the reasons for skipped runs below it."""
        rows = [self.line(row) for row in self.rows if row.runs]
        return "\n".join([*self.heading, *rows, *self.ending]) + "\n"

    @property
    def heading(self) -> list[str]:
        """Lines above the first row."""
        limit = f", limit {self.limits.seconds:g} s" if self.limits.seconds is not None else ""
        seeds = f"{self.seeds} seed{'' if self.seeds == 1 else 's'}"
        names = {**{name: name for name in self.names(self.planned[0])}, **{name: name for name in _COLUMNS}}
        return [f"{self.problem}: processor time of one run, {seeds}{limit}", "", self._table_line(names)]

    def line(self, row: Row) -> str:
        """Return a row of the table."""
        proof = "  (proved impossible)" if row.impossible else ""
        return self._table_line({**self.names(row), **_figures(row)}) + proof

    @property
    def ending(self) -> list[str]:
        """Lines below the last row."""
        lines: list[str] = []
        for heading, rows in (
            ("fewer runs:", [row for row in self.rows if row.runs and row.why_fewer]),
            ("not run:", [row for row in self.rows if not row.runs]),
        ):
            reasons: dict[str, dict[str, None]] = {}
            for row in rows:
                name = replace(row, start=None).name
                reasons.setdefault(row.why_fewer, {})[name] = None
            if rows:
                lines += ["", heading, *(f"  {', '.join(names)}: {why}" for why, names in reasons.items())]
        return lines

    def names(self, row: Row) -> dict[str, str]:
        """Return the columns that identify a row."""
        start = {} if row.start is None else {"start": row.start}
        return {"method": row.method, **start, **{name: str(value) for name, value in row.settings.items()}}

    def _table_line(self, cells: Mapping[str, str]) -> str:
        """Return a line of a table."""
        names = [
            cells[name].ljust(max(len(name), *(len(self.names(row)[name]) for row in self.planned)))
            for name in self.names(self.planned[0])
        ]
        return "  ".join([*names, *(cells[name].rjust(_COLUMNS[name]) for name in _COLUMNS)]).rstrip()


@with_hints
def compare(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    methods: Sequence[MethodName] | None = None,
    settings: Mapping[str, object] | None = None,
    starts: Sequence[Square | str] | Literal["all"] | None = None,
    seeds: int = DEFAULT_SEEDS,
    timeout: float | None = DEFAULT_SECONDS_PER_RUN,
    max_nodes: int | None = None,
    on_row: Callable[[Comparison], None] | None = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> Comparison:
    """Run methods on the same problem with the seeds 0, 1, 2, ... and measure their results.

    Methods that do not support the problem are skipped.

    Args:
        board, closed, start, end, partial, given, require, forbid, symmetry, visit_order, where: As for solve().
        methods: Names of METHODS (default: all, or all with these settings).
        settings: Values of options of the methods, each a list or one value: {"move_order": ["classic", "warnsdorff"]}.
        starts: Start squares, or "all" (default: the start of the problem).
        seeds: Number of runs per row.
        timeout, max_nodes: Limits of one run, in seconds of processor time (default: 5) and search steps.
        on_row: Callback after each row, with the current Comparison.
        on_progress: Callback with a Progress: its stage is the method, its note the current run.

    Raises:
        BoardError, ProblemError: If an argument is invalid.

    >>> table = compare((6, 6), closed=True, methods=["explicit", "rotation"], seeds=3)
    >>> [(row.method, row.runs, row.answer_rate) for row in table.rows]
    [('explicit', 3, 1.0), ('rotation', 3, 1.0)]
    >>> orders = compare((5, 5), settings={"move_order": ["classic", "warnsdorff"]}, starts=["a1", "c3"], seeds=1)
    >>> [(row.start, row.settings["move_order"], row.nodes) for row in orders.rows]
    [('a1', 'classic', 41), ('a1', 'warnsdorff', 25), ('c3', 'classic', 9909), ('c3', 'warnsdorff', 25)]
    """
    problem = problem_for(compare, board, closed, start, end, conditions)
    seeds = whole_number(seeds, "the number of seeds", most=_MAX_SEEDS)
    if seeds < 1:
        raise ProblemError(f"the number of seeds must be at least 1, not {seeds}", help="use seeds=1 or more")
    callback(on_row, "on_row")
    report = Reporter(on_progress, "comparing")
    limits = Limits(timeout, max_nodes)
    runs = _Runs(limits, report)
    questions = _questions(problem, starts)
    choices = _choices(methods, settings)
    rows = tuple(replace(row, start=start) for start in questions for row in choices)
    table = Comparison(problem, limits, seeds, (), {}, rows)
    none = {start: known_proof(each) is not None for start, each in questions.items()}
    for empty in rows:
        here = questions[empty.start]
        row, spent = _row(here, empty, seeds, runs, there_is_none=none[empty.start])
        none[empty.start] |= row.impossible > 0
        times = {**table.times, **({row.name: spent} if spent else {})}
        table = replace(table, rows=(*table.rows, row), times=times)
        if on_row is not None:
            on_row(table)
    return table


def _questions(problem: Problem, starts: Sequence[Square | str] | Literal["all"] | None) -> dict[str | None, Problem]:
    """Return the problem for each start; None is the key of the original problem."""
    if starts is None:
        return {None: problem}
    if problem.start is not None:
        raise ProblemError("start and starts cannot be combined", help="pass one of them")
    board = problem.board
    if isinstance(starts, str) and starts == "all":
        starts = board.squares
    help = "use ['a1', 'b1'], or 'all'"
    if isinstance(starts, str):
        raise ProblemError(f"invalid starts: {quoted(starts)}", help=help)
    squares = [board.square(each) for each in as_list(starts, "starts", help=help)]
    if not squares:
        raise ProblemError("starts is empty", help="pass squares, or None for the start of the problem")
    return {board.square_name(square): problem_of(replace_fields(problem, start=square)) for square in squares}


def _choices(methods: Sequence[str] | None, settings: Mapping[str, object] | None) -> list[Row]:
    """Return an empty row for each method and each choice of settings."""
    help = 'use {"move_order": ["classic", "warnsdorff"]}'
    given = of_kind({} if settings is None else settings, Mapping, help)  # type: ignore[type-abstract]
    values = {name: list(each) if isinstance(each, list | tuple) else [each] for name, each in given.items()}
    names = _checked_names(methods)
    if methods is None and values:
        names = [name for name in names if all(option in METHODS[name].options for option in values)]
        if not names:
            known = sorted({option for row in METHODS.values() for option in row.options})
            for option in values:
                one_of(option, known, "setting", error=ProblemError)
            raise ProblemError(
                f"no method has all of these options: {', '.join(values)}",
                help="compare them separately",
            )
    made = [
        Row(name, settings=checked_options(METHODS[name].options, dict(zip(values, chosen, strict=True)), name))
        for name in names
        for chosen in itertools.product(*values.values())
    ]
    if not made or len(made) > _MAX_ROWS:
        raise ProblemError(f"these settings create {len(made):,} rows", help=f"use values for 1 to {_MAX_ROWS:,} rows")
    return made


def _checked_names(methods: Sequence[str] | None) -> list[str]:
    if methods is None:
        return list(METHODS)
    given = as_list(methods, "methods", help="use names, such as ['merge', 'rotation']")
    if not given:
        raise ProblemError("methods is empty", help="pass some names, or None for all")
    return list(dict.fromkeys(checked_method_name(name) for name in given))


class _Runs:
    def __init__(self, limits: Limits, report: Reporter) -> None:
        self.most = float("inf") if limits.seconds is None else float(limits.seconds)
        self.nodes, self.report = limits.nodes, report

    def run(
        self,
        problem: Problem,
        row: Row,
        seed: int,
        done: int,
        note: str = "",
        *,
        total: int = 0,
        most: float = float("inf"),
    ) -> _Run:
        """Run a method once and measure its processor time. done, total: runs.

        Args:
            most: Time limit of this run, if below the common limit.
        """
        name, most = row.method, min(most, self.most)

        def tell(progress: Progress | None = None) -> None:
            self.report(done, note or (progress.note if progress else ""), stage=row.name, total=total or None)

        tell()
        limits = Limits(ProcessorSeconds(most), self.nodes)
        before = _processor_seconds()
        # Proofs by argument are independent of the method.
        settings = {**row.settings, "proofs": METHODS[name].proves}
        limited = as_arguments(limits)
        result = solve(
            problem, method=cast("MethodName", name), settings=settings, seed=seed, on_progress=tell, **limited
        )
        spent = _processor_seconds() - before
        return _Run(result, spent)


class _Run(NamedTuple):
    """Result of one run, and its processor time in seconds."""

    result: Result
    seconds: float

    @property
    def is_answer(self) -> bool:
        return self.result.status is not Status.UNDECIDED


def _row(
    problem: Problem, empty: Row, seeds: int, runs: _Runs, *, there_is_none: bool
) -> tuple[Row, tuple[float, ...]]:
    """Return the row, and the seconds of each run."""
    method = METHODS[empty.method]
    reason = _why_not(problem, method, there_is_none)
    if reason:
        return replace(empty, why_fewer=reason), ()
    varies = method.varies or "random" in empty.settings.values()
    total = seeds if varies else min(seeds, _RUNS_WITHOUT_SEEDS)
    hopeless = _HOPELESS_RUNS if varies else 1
    most = float("inf")
    if there_is_none and not method.complete:
        hopeless, most = 1, _SECONDS_TO_PROVE
    done: list[_Run] = []
    first = runs.run(problem, empty, 0, 0, "first run", total=total, most=most)
    # The first run includes loading, so it only counts if it reached the limit.
    if first.result.status is Status.UNDECIDED:
        done.append(first)
    while len(done) < total and not (len(done) == hopeless and not any(each.is_answer for each in done)):
        seed = len(done)
        done.append(runs.run(problem, empty, seed, seed, total=total, most=most))
    if len(done) < seeds:
        reason = _why_fewer(done, varies=varies, there_is_none=there_is_none)
    answers = [each.result.status for each in done]
    spent = [each.seconds for each in done]
    row = replace(
        empty,
        runs=len(done),
        found=answers.count(Status.FOUND),
        impossible=answers.count(Status.IMPOSSIBLE),
        undecided=answers.count(Status.UNDECIDED),
        median=statistics.median(spent),
        p95=percentile(spent, 95),
        nodes=int(statistics.median(each.result.nodes for each in done)),
        why_fewer=reason or "",
    )
    return row, tuple(spent)


def _why_fewer(done: Sequence[_Run], *, varies: bool, there_is_none: bool) -> str:
    """Return the reason why a method has fewer runs than seeds."""
    if any(each.is_answer for each in done):
        return "another seed gives the same answer"
    if there_is_none:
        return "there is no tour, and it did not prove that at once"
    return "it reached the limit each time" if varies else "it reached the limit, and another seed changes nothing"


def _why_not(problem: Problem, method: Method, there_is_none: bool) -> str | None:
    """Return the reason why a method is skipped, or None."""
    if there_is_none and not method.complete and not method.also_proves:
        return "there is no tour, and it could not prove that"
    return method.why_unsupported(problem)


def _processor_seconds() -> float:
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:  # a system that does not count ended processes
        return processor_seconds()
    children = getrusage(RUSAGE_CHILDREN)
    return processor_seconds() + children.ru_utime + children.ru_stime


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that this percentage of the values do not exceed.

    >>> percentile([1, 2, 3, 4], 95), percentile([1, 2, 3, 4], 50)
    (4, 2)
    """
    ordered = sorted(values)
    return ordered[max(0, -int(-len(ordered) * percent // 100) - 1)]
