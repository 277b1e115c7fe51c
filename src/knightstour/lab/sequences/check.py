"""Check the published terms of a sequence by counting them again, and count further terms.

A term is counted, or skipped with a reason; published terms are only compared with counts. Terms are counted from small
boards to large ones, so that a timeout affects only the long counts.
"""

from __future__ import annotations

import itertools
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from knightstour.core.machine.files import lock_directory, make_directory
from knightstour.core.machine.records import read_record, write_record
from knightstour.core.machine.sharing import Workers
from knightstour.core.model.board import Board, square_count
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.errors import FormatError, KnightsTourError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.validation import path as given_path
from knightstour.core.model.validation import whole_number
from knightstour.lab.counting.narrow import narrow_recurrence
from knightstour.lab.counting.plan import CountPlan
from knightstour.lab.counting.plan import plan as plan_of
from knightstour.lab.counting.settings import CountOptions, CountSettings
from knightstour.lab.sequences.families import sides
from knightstour.lab.sequences.kinds import AllTours, Number
from knightstour.lab.sequences.sequence import Sequence
from knightstour.lab.sequences.table import sequence_named


class Term(NamedTuple):
    """A term of a sequence.

    Attributes:
        n: Index.
        value: The count, or None if it was skipped.
        published: The published value, or None beyond the published terms.
        reason: Reason for skipping it.
        seconds: Time of the count.
        way: Name of the algorithm.
        resumed: Whether the value, or a part of the count, is from a checkpoint.
    """

    n: int
    value: int | None
    published: int | None = None
    reason: str = ""
    seconds: float = 0.0
    method: str = ""
    resumed: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether the count differs from the published value."""
        return self.value is not None and self.published is not None and self.value != self.published

    def to_dict(self) -> dict[str, object]:
        """Return the term as JSON-serialisable data; numbers of any length are text."""
        return {
            "n": self.n,
            "value": None if self.value is None else str(self.value),
            "published": None if self.published is None else str(self.published),
            "reason": self.reason or None,
            "seconds": round(self.seconds, 6),
            "method": self.method or None,
            "resumed": self.resumed,
        }


# The maximum number of columns between two terms for which a recurrence is continued.
_MAX_COLUMNS = 4096
# Callback for each counted term.
OnTerm: TypeAlias = Callable[[Term], None]


class SequenceCheck(NamedTuple):
    """Result of counting the published terms of a sequence again; terms are in their order."""

    sequence: Sequence
    terms: tuple[Term, ...]

    @property
    def counted_terms(self) -> list[Term]:
        """Counted terms."""
        return [term for term in self.terms if term.value is not None]

    @property
    def skipped_terms(self) -> list[Term]:
        """Skipped terms."""
        return [term for term in self.terms if term.value is None]

    @property
    def wrong_terms(self) -> list[Term]:
        """Terms whose count differs from the published value."""
        return [term for term in self.terms if term.is_wrong]

    def to_dict(self) -> dict[str, object]:
        """Return the check as JSON-serialisable data."""
        return {
            "number": self.sequence.number,
            "title": self.sequence.title,
            "counted": len(self.counted_terms),
            "left_out": len(self.skipped_terms),
            "wrong": len(self.wrong_terms),
            "terms": [term.to_dict() for term in self.terms],
        }

    def __str__(self) -> str:
        equal = len(self.counted_terms) - len(self.wrong_terms)
        words = f"{self.sequence.number}: {equal} of {len(self.terms)} published terms counted, and equal"
        if self.wrong_terms:
            words += f"; {len(self.wrong_terms)} not, first n = {self.wrong_terms[0].n}"
        return words + (f"; {len(self.skipped_terms)} skipped" if self.skipped_terms else "")


def runs(numbers: list[int]) -> str:
    """Return increasing indices as text, with runs as from..to.

    >>> runs([3, 4, 5, 8])
    '3..5, 8'
    """
    found: list[list[int]] = []
    for n in numbers:
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in found)


def check(
    sequence: Sequence | str,
    *,
    on_term: OnTerm | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
) -> SequenceCheck:
    """Count the published terms of a sequence, and compare.

    Args:
        sequence: A row of SEQUENCES, or its A-number.
        on_term: Callback with each counted Term.
        checkpoint: A folder for the finished terms and the state of the current count; an existing one is continued.
        timeout, max_nodes, memory, workers, on_progress: As for `count`; the timeout is for all terms together,
            max_nodes and memory are for each.

    Raises:
        ProblemError: If the sequence is unknown.
        FormatError: If the checkpoint is damaged, in use or of another sequence.
        LimitReached: If no term can be counted within the limits.

    >>> print(check("A123936"))
    A123936: 25 of 25 published terms counted, and equal
    """
    options: CountOptions = {"timeout": timeout, "max_nodes": max_nodes, "memory": memory, "workers": workers}
    options["on_progress"] = on_progress
    sequence = sequence_named(sequence)
    entries = dict(enumerate(sequence.entry.terms, sequence.offset))
    found: dict[int, Term] = {}
    settings = CountSettings.of(options, checkpoint=checkpoint)
    for term in count_terms(sequence, sorted(entries, key=lambda n: _effort_of(sequence.board(n))), settings):
        found[term.n] = term._replace(published=entries[term.n])
        if on_term is not None and term.value is not None:
            on_term(found[term.n])
    check = SequenceCheck(sequence, tuple(found[n] for n in sorted(found)))
    if not check.counted_terms:
        raise no_term_error(check.terms[0], sequence)
    return check


def extend(
    sequence: Sequence | str,
    *,
    first: int | None = None,
    last: int | None = None,
    on_term: OnTerm | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
) -> list[Term]:
    """Count terms of a sequence in order, by default those beyond the published ones, until a limit.

    Args:
        sequence: A row of SEQUENCES, or its A-number.
        first, last: Indices of the first and the last term; by default the first unpublished term, and no last.
        on_term: Callback with each counted Term.
        checkpoint: A folder for the finished terms and the state of the current count; an existing one is continued.
        timeout, max_nodes, memory, workers, on_progress: As for `count`; the timeout is for all terms together.

    Raises:
        ProblemError: If the sequence is unknown, an index is below the offset, or neither `last` nor a timeout is
            given.
        LimitReached: If no term can be counted within the limits, or if the first term is infeasible.

    >>> [(term.n, term.value) for term in extend("A001230", first=2, last=3)]
    [(2, 0), (3, 9862)]
    """
    options: CountOptions = {"timeout": timeout, "max_nodes": max_nodes, "memory": memory, "workers": workers}
    options["on_progress"] = on_progress
    sequence = sequence_named(sequence)
    first = sequence.last + 1 if first is None else whole_number(first, "first")
    last = None if last is None else whole_number(last, "last")
    settings = CountSettings.of(options, checkpoint=checkpoint)
    sequence.board(first)
    if last is None and (settings.limits is None or settings.limits.seconds is None):
        raise ProblemError("a sequence is infinite", help="use --last or --timeout (last=, timeout=)")
    if last is not None and last < first:
        raise ProblemError(f"last cannot be {last}: first is {first}", help="use a larger last")
    found: list[Term] = []
    for term in count_terms(sequence, indices(first, last), settings):
        if term.value is None:
            if not found:
                raise no_term_error(term, sequence)
            break
        found.append(term)
        if on_term is not None:
            on_term(term)
    return found


def indices(first: int, last: int | None) -> Iterable[int]:
    """Return the indices of terms from `first` to `last`, or without end."""
    return itertools.count(first) if last is None else range(first, last + 1)


def _effort_of(board: Board) -> tuple[int, int, int]:
    """Return a sort key, mainly the width of the frontier."""
    shorter, longer = sides(board)
    return shorter, longer, square_count(board)


def count_terms(sequence: Sequence, indices: Iterable[int], settings: CountSettings) -> Iterator[Term]:
    """Yield these terms, counted or skipped; equal boards are counted once.

    With a checkpoint, its terms are not counted again, and the current count can be resumed.
    """
    seconds = None if settings.limits is None else settings.limits.seconds
    end = None if seconds is None else time.monotonic() + seconds
    at_once = _Columns(sequence)
    with kept_terms(sequence, settings) as kept:
        known = {board_key(sequence, n): term for n, term in kept.terms.items()}
        for n in indices:
            key = board_key(sequence, n)
            began = time.monotonic()
            if key in known:
                term = known[key]
                seconds_then = term.seconds if term.n == n else 0.0
                yield term._replace(n=n, seconds=seconds_then, published=sequence.published_term(n))
                continue
            left = None if end is None else end - began
            if left is not None and left <= 0:
                yield Term(n, None, reason=f"the limit of {seconds:g} s was reached")
                continue
            limits = None if settings.limits is None else replace(settings.limits, seconds=left)
            one = settings._replace(limits=limits, on_progress=_about(n, settings.on_progress))
            try:
                number = at_once.number(n) or sequence.count(n, kept.settings(n, one))
            except LimitReached as error:
                is_time = left is not None and time.monotonic() - began >= left
                yield Term(n, None, reason=f"the limit of {seconds:g} s was reached" if is_time else str(error))
            else:
                taken = time.monotonic() - began
                found = Term(n, number.value, sequence.published_term(n), "", taken, number.method)
                found = found._replace(resumed=number.resumed)
                known[key] = found
                kept.add(found)
                yield found


class _Columns:
    """Terms of plain boards whose width has a recurrence; each term is a few steps from the previous one."""

    def __init__(self, sequence: Sequence) -> None:
        self.sequence, self.width = sequence, sequence.recurring
        self.times = 1 + getattr(sequence.kind, "directed", False)
        self.reached = (-1, 0)

    def number(self, n: int) -> Number | None:
        """Return a(n), or None if it must be counted separately."""
        if self.width is None:
            return None
        board = self.sequence.board(n)
        columns = square_count(board) // self.width
        if self.reached[0] < 0:
            self.terms = enumerate(narrow_recurrence(self.width, closed=self.sequence.kind.closed).terms())
        if square_count(board) == 1 or not 0 <= columns - self.reached[0] <= _MAX_COLUMNS:
            return None
        while self.reached[0] < columns:
            self.reached = next(self.terms)
        return self.sequence.scale(n, Number(self.times * self.reached[1], "recurrence"))


def _about(n: int, on_progress: OnProgress | None) -> OnProgress | None:
    """Add the index of the term to the stage."""
    if on_progress is None:
        return None
    return lambda progress: on_progress(progress._replace(stage=f"{progress.stage} a({n})"))


def board_key(sequence: Sequence, n: int) -> tuple[int, int, int]:
    """Return the common key of boards with equal counts."""
    board = sequence.board(n)
    return (*sides(board), square_count(board))


def no_term_error(term: Term, sequence: Sequence) -> LimitReached:
    """Return the error if no term could be counted."""
    problem = Problem(sequence.board(term.n), closed=sequence.kind.closed)
    reason = f"no term of {sequence.label} could be counted: {term.reason} at n = {term.n}"
    error = LimitReached(Result(Status.UNDECIDED, problem, None, reason, "", "count", 0, 0, term.seconds))
    error.help = "use a larger timeout or memory, or a smaller n"
    return error


# Increase this if the meaning of the file changes.
FORMAT = 2
_TERMS = "terms.json"
_IS_DIRECTORY = "a checkpoint is a folder: use an existing one, or a new name"


class KeptTerms:
    """The finished terms of a sequence, by index. directory: the folder to save them, or None."""

    def __init__(self, sequence: Sequence, directory: Path | None = None) -> None:
        self.sequence, self.directory = sequence, directory
        self.terms: dict[int, Term] = {}

    def read(self) -> None:
        """Load the terms of the folder; raise FormatError if it is damaged or belongs to another sequence."""
        assert self.directory is not None
        path = self.directory / _TERMS
        data = read_record(path, "list of terms", FORMAT)
        if data is None:
            return
        if data["sequence"] != self.sequence.label:
            raise FormatError(
                f"contains terms of {data['sequence']}, not of {self.sequence.label}",
                path=str(path),
                help="use another folder",
            )
        self.terms = {
            int(n): Term(int(n), int(value), seconds=float(seconds), method=way, resumed=True)
            for n, (value, seconds, way) in data["terms"].items()
        }

    def settings(self, n: int, settings: CountSettings) -> CountSettings:
        """Return the settings for the count of a(n), with its own checkpoint if the algorithm supports one."""
        if self.directory is None or not self.sequence.kind.keeps_files(self.sequence.board(n)):
            return settings._replace(checkpoint=None)
        return settings._replace(checkpoint=self._folder(n))

    def add(self, term: Term) -> None:
        """Save a term, and delete the checkpoint of its count."""
        self.terms[term.n] = term
        if self.directory is None:
            return
        terms = {str(n): [str(of.value), round(of.seconds, 6), of.method] for n, of in sorted(self.terms.items())}
        write_record(self.directory / _TERMS, {"format": FORMAT, "sequence": self.sequence.label, "terms": terms})
        shutil.rmtree(self._folder(term.n), ignore_errors=True)

    def _folder(self, n: int) -> Path:
        assert self.directory is not None
        return self.directory / f"term-{n}"


@contextmanager
def kept_terms(sequence: Sequence, settings: CountSettings) -> Iterator[KeptTerms]:
    """Lock the checkpoint of `settings` within the block, and return its terms; none without a checkpoint.

    Raises FormatError if the folder is damaged, in use, or of another sequence.
    """
    if settings.checkpoint is None:
        yield KeptTerms(sequence)
        return
    directory = Path(given_path(settings.checkpoint, "the checkpoint"))
    make_directory(directory, help=_IS_DIRECTORY)
    with lock_directory(directory):
        kept = KeptTerms(sequence, directory)
        kept.read()
        yield kept


# Planning stops after this number of boards, or at a total of some hours, so that a long list of terms starts soon.
_MAX_PLANS, _MAX_SECONDS = 60, 10_000


class Forecast(NamedTuple):
    """Estimated cost of terms.

    seconds: processor time of all terms together. bytes: memory of the largest term. is_least: whether the figures are
    lower bounds, since not every term was planned.
    """

    seconds: float
    bytes: float
    is_least: bool


def forecast_terms(sequence: Sequence, indices: Iterable[int], limits: Limits | None = None) -> Forecast | None:
    """Return the estimated cost of these terms, or None for a kind of count without plans.

    limits: as for the count. Equal boards are counted once, and boards that are too large are skipped.

    >>> from knightstour.lab.sequences.table import SEQUENCES
    >>> forecast = forecast_terms(SEQUENCES["A193055"], range(1, 9))
    >>> 3 < forecast.seconds < 300, forecast.is_least
    (True, False)
    """
    kind = sequence.kind
    if not isinstance(kind, AllTours):
        return None
    seconds, size = 0.0, 0.0
    planned: set[tuple[int, int, int]] = set()
    for n in indices:
        key = board_key(sequence, n)
        if key in planned:
            continue
        if len(planned) == _MAX_PLANS or seconds > _MAX_SECONDS:
            return Forecast(seconds, size, is_least=True)
        planned.add(key)
        plan = _plan_of(sequence.board(n), kind, limits)
        if plan is not None:
            seconds, size = seconds + plan.seconds, max(size, plan.bytes)
    return Forecast(seconds, size, is_least=False)


def _plan_of(board: Board, kind: AllTours, limits: Limits | None) -> CountPlan | None:
    """Return None if the count is not feasible."""
    try:
        problem = kind.problem(board)
        plan = plan_of(problem, symmetry=kind.symmetry, up_to_symmetry=kind.up_to_symmetry, **as_arguments(limits))
    except KnightsTourError:
        return None
    return None if plan.is_refused else plan
