"""count_tours(): how many tours a board has, by whichever way of counting suits it.

In this order:

1. *Proof*: where a theorem or a simple argument says that there are none, the count is 0.
2. *Recurrence*: plain boards of few rows and any length (narrow.py).
3. *States*: small boards, at once and without compiled code (states.py).
4. *Halves*: boards that come apart in two halves over at most 16 squares, such as all plain boards of up to 8 rows; the
   one that goes far, in memory or on disk, and can be taken up again (halves/).
5. *States* again: all other boards, as far as memory goes.

Every count says how it was counted, so that two ways can be held against each other (`route`). Which way it is, what it
will take, and what is refused at once is told in plan.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from knightstour.counting import narrow, plan, refusals, states
from knightstour.counting.symmetric import (
    SymmetryRow,
    check_classes,
    check_table,
    count_classes,
    count_symmetric,
    symmetric_plans,
    symmetry_table,
    table_plans,
)
from knightstour.counting.weighted import Effort, Told, TooManyStates, work_of
from knightstour.machine.sharing import Workers
from knightstour.model.board import Square
from knightstour.model.budget import NO_LIMITS, Budget, Limits
from knightstour.model.errors import CannotWrite, LimitReached, ProblemError
from knightstour.model.problem import Problem, Question
from knightstour.model.progress import THOUSANDTHS, OnProgress, Progress
from knightstour.model.result import Result, Status
from knightstour.model.validation import amount, flag
from knightstour.model.wording import in_words
from knightstour.proofs import arguments
from knightstour.search.frontier.plan import Plan

if TYPE_CHECKING:
    from knightstour.counting.halves.count_halves import HalvesProgress


class Counted(NamedTuple):
    """The answer: how many tours, by which convention, and what the counting took.

    tours: the number. closed, directed, symmetry, up_to_symmetry: what was counted; undirected, a tour and the same
    walked backwards are one. route: "proof", "recurrence", "states", "halves" or "quotient". reason, source: the proof,
    where there is one. states: how many were made. seconds: wall clock. peak_bytes: the most that arrays took, where it
    was measured.
    """

    tours: int
    problem: Problem
    directed: bool
    symmetry: str | None
    up_to_symmetry: bool
    route: str
    reason: str = ""
    source: str = ""
    states: int = 0
    seconds: float = 0.0
    peak_bytes: int = 0


class Means(NamedTuple):
    """What a count may use: the arguments of `count_tours` that change nothing about its answer."""

    limits: Limits | None = None
    threads: int | None = None
    workers: Workers = None
    checkpoint: str | os.PathLike[str] | None = None
    resume: bool = False
    on_progress: OnProgress | None = None

    @property
    def memory(self) -> int | None:
        """The limit of memory in bytes, None for most of what is free."""
        return None if self.limits is None else self.limits.bytes


def count_tours(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    directed: bool = False,
    symmetry: str | None = None,
    up_to_symmetry: bool = False,
    limits: Limits | None = None,
    threads: int | None = None,
    workers: Workers = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> int:
    """The exact number of tours of a board.

    board: a Board, a pair (rows, cols), a text like "8x8", or a Problem, which is a whole question.
    closed: Hamiltonian cycles; else Hamiltonian paths, those that happen to be re-entrant included.
    start, end: only tours with this start or end. A closed tour passes every square, so its start changes nothing.
    directed: whether a tour and the same walked backwards are two. With a start or an end given, an open tour is a walk
        from there and counts once either way.
    symmetry: only tours which this symmetry of the board lays on themselves: "180", "90", "vertical", ...
    up_to_symmetry: whether tours that are images of each other under the symmetries of the board count once.
    limits: seconds, nodes (states) and bytes of memory; by default only most of the memory that is free.
    threads: by default one a core. The answer does not depend on them.
    workers: None, a number of processes, or a Dask client, among which the count is shared out; with a checkpoint.
    checkpoint: a directory for what is needed to go on after any end, and for what does not fit into memory.
    resume: whether to go on from what the checkpoint holds.
    on_progress: called with a Progress now and then.

    Raises BoardError at once where a board is out of reach, with an estimate (see plan_count); LimitReached at a limit;
    ProblemError for a question that makes no sense; FormatError for a checkpoint that is foreign or damaged.

    >>> count_tours((6, 6), closed=True), count_tours((5, 5), directed=True)
    (9862, 1728)
    >>> count_tours((6, 6), closed=True, symmetry="90"), count_tours((6, 6), closed=True, up_to_symmetry=True)
    (10, 1245)
    >>> len(str(count_tours((3, 1000), closed=True)))
    491
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    means = Means(limits, threads, workers, checkpoint, resume, on_progress)
    return count(problem, directed=directed, symmetry=symmetry, up_to_symmetry=up_to_symmetry, means=means).tours


def count(
    question: Question,
    *,
    directed: bool = False,
    symmetry: str | None = None,
    up_to_symmetry: bool = False,
    route: str | None = None,
    means: Means | None = None,
) -> Counted:
    """Count the tours of a question exactly, and say how: count_tours with all that there is to say about the answer.

    route: "states" or "halves" to count in this way; None for the best. The other arguments, and the errors, are those
        of count_tours.

    >>> count(Problem.of((3, 8), closed=True)).reason
    '3x8 is one of the three exceptions among boards with 3 rows and an even number of columns'
    """
    problem = Problem.of(question)
    directed, up_to_symmetry = flag(directed, "directed"), flag(up_to_symmetry, "up_to_symmetry")
    means = means or Means()
    plan.check_symmetry(problem, symmetry, up_to_symmetry)
    if up_to_symmetry and directed:
        raise ProblemError("classes are counted of undirected tours", help="leave out the direction")
    if route not in (None, "states", "halves"):
        raise ProblemError(f"there is no route {route!r} to choose", help="one of states, halves")
    amount(means.threads, "threads")
    if means.workers is not None and means.checkpoint is None:
        raise ProblemError(
            "a count that is shared out needs a directory for its layers",
            help="name one that all workers see, as checkpoint=... or --checkpoint DIR",
        )
    if means.workers is not None and (means.threads is not None or means.memory is not None):
        raise ProblemError(
            "threads and a limit of memory are for counts in one process",
            help="leave them out: each worker has one thread, and needs about a gigabyte",
        )
    if symmetry is not None and (
        means.workers is not None or means.threads is not None or means.checkpoint is not None
    ):
        raise ProblemError(
            "a count of symmetric tours runs in one thread and keeps nothing on disk",
            help="leave out the checkpoint, the threads and the workers",
        )
    if means.resume and (means.checkpoint is None or not os.path.isdir(means.checkpoint)):
        raise ProblemError(
            f"there is no checkpoint to go on from: {means.checkpoint}",
            help="name its directory, or leave out resume=True (--resume) to begin",
        )
    watch = _Watch(problem, means)
    try:
        if symmetry is not None:
            found = _by_symmetry(problem, symmetry, means, watch)
        elif up_to_symmetry:
            found = _in_classes(problem, route, means, watch)
        else:
            found = _undirected(problem, route, means, watch)
    except CannotWrite as error:
        if means.checkpoint is not None:
            error.help = f"{error.remedy}, and go on from the checkpoint with resume=True, or --resume"
        raise
    doubles = directed and not problem.has_given_end and problem.board.square_count > 1
    return found._replace(tours=found.tours * (2 if doubles else 1), directed=directed, seconds=watch.budget.seconds)


def _undirected(problem: Problem, route: str | None, means: Means, watch: _Watch) -> Counted:
    answer = Counted(0, problem, False, None, False, "proof")
    if route is None:
        proof = arguments.known_proof(problem)
        if proof is not None:
            return answer._replace(reason=proof.reason, source=proof.source)
        route = plan.way_of(problem, keeps_files=means.checkpoint is not None)
    if route == "recurrence":
        refusals.refuse_recurrence(problem, means.memory)
        rows, cols = sorted((problem.board.rows, problem.board.cols))
        tours = narrow.narrow_count(rows, cols, closed=problem.closed, on_column=lambda n: watch.columns(n, cols))
        return answer._replace(tours=tours, route=route)
    if route == "halves":
        return _by_halves(problem, means, watch)
    if means.checkpoint is not None:
        raise ProblemError(
            f"a count of {problem} keeps no checkpoints", help="checkpoints are for boards that are cut in two halves"
        )
    counted = states.count_states(problem, watch.budget, most_bytes=means.memory)
    return answer._replace(tours=counted.undirected, route="states", states=counted.states)


def _by_halves(problem: Problem, means: Means, watch: _Watch) -> Counted:
    if not means.resume:
        refusals.refuse_halves(problem, means.memory, means.checkpoint)
    answer = Counted(0, problem, False, None, False, "halves")
    if means.workers is not None:
        from knightstour.counting.halves.sharded import count_sharded

        shared = count_sharded(
            problem, means.checkpoint or "", workers=means.workers, resume=means.resume, on_progress=watch.halves
        )
        return answer._replace(tours=shared.tours, states=shared.states)
    from knightstour.counting.halves.count_halves import count_by_halves

    made = count_by_halves(
        problem,
        threads=means.threads,
        memory=means.memory,
        checkpoint=means.checkpoint,
        resume=means.resume,
        on_progress=watch.halves,
    )
    return answer._replace(tours=made.tours, states=made.states, peak_bytes=made.peak_bytes)


def _by_symmetry(problem: Problem, symmetry: str, means: Means, watch: _Watch) -> Counted:
    plans = symmetric_plans(problem.board, symmetry, closed=problem.closed)
    with _quotients(problem, plans, means, watch, plan.what_is_counted(problem, symmetry, False), symmetry) as effort:
        tours = count_symmetric(problem.board, symmetry, closed=problem.closed, effort=effort)
    return Counted(tours, problem, False, symmetry, False, "quotient", states=effort.states)


def _in_classes(problem: Problem, route: str | None, means: Means, watch: _Watch) -> Counted:
    check_classes(problem.board, closed=problem.closed)
    plans = symmetric_plans(problem.board, None, closed=problem.closed)
    with _quotients(problem, plans, means, watch, plan.what_is_counted(problem, None, True)) as effort:
        total = _undirected(problem, route, means, watch)
        if not total.tours:
            return total._replace(up_to_symmetry=True)
        classes = count_classes(problem.board, closed=problem.closed, total=total.tours, effort=effort)
    return total._replace(tours=classes, up_to_symmetry=True, states=total.states + effort.states)


def count_table(question: Question, *, means: Means | None = None) -> tuple[Counted, list[SymmetryRow]]:
    """All tours of a board, and how many of them have which symmetries; means and errors as for `count`.

    >>> total, rows = count_table(Problem.of((6, 6), closed=True))
    >>> total.tours, [(row.symmetry, row.tours) for row in rows]
    (9862, [('none', 9784), ('180', 68), ('90', 10)])
    """
    problem, means = Problem.of(question), means or Means()
    check_table(problem.board)
    watch = _Watch(problem, means)
    plans = table_plans(problem.board, closed=problem.closed)
    with _quotients(problem, plans, means, watch, f"{problem.plural} by their symmetries") as effort:
        total = _undirected(problem, None, means, watch)
        rows = symmetry_table(problem.board, closed=problem.closed, total=total.tours, effort=effort)
    return total, rows


@contextmanager
def _quotients(
    problem: Problem, plans: list[Plan], means: Means, watch: _Watch, what: str, symmetry: str | None = None
) -> Iterator[Effort]:
    """For a count that goes through quotients with these plans: refused at once if it is out of reach, watched, and
    undecided where its memory ends after all."""
    refusals.refuse_quotients(problem, plans, means.memory, what, symmetry)
    try:
        yield Effort(watch.quotients, means.memory, sum(work_of(quotient) for quotient in plans))
    except TooManyStates as error:
        raise watch.stopped(str(error), note=error.note, help=error.help) from error


# ---------------------------------------------------------------- progress

_STAGES = {"classes": "listing the classes of states", "layers": "making states", "join": "joining the halves"}


class _Watch:
    """Tells `on_progress` how a count goes, and ends it at its limits."""

    def __init__(self, problem: Problem, means: Means) -> None:
        self.problem, self.means = problem, means
        limits = NO_LIMITS if means.limits is None else means.limits
        self.budget = Budget(limits, means.on_progress, stage="counting", unit="states")

    def _tell(self, text: str, part: float | None, made: int, held: int = 0) -> None:
        self.budget.nodes = max(made, self.budget.nodes)
        if self.budget.is_spent:
            raise self.stopped(self.budget.why_stopped().replace(" node", " state"))
        if self.means.on_progress is not None:
            done, total = (0, None) if part is None else (int(THOUSANDTHS * part), THOUSANDTHS)
            notes = [text, f"{made:,} states" if made else "", in_words(held) if held else ""]
            note = ", ".join(note for note in notes if note)
            self.means.on_progress(Progress("counting", done, total, self.budget.seconds, note))

    def stopped(self, reason: str, *, note: str = "", help: str = "") -> LimitReached:
        """The error of a count that ends undecided."""
        made, seconds = self.budget.nodes, self.budget.seconds
        error = LimitReached(Result(Status.UNDECIDED, self.problem, (), reason, "", "count", 0, made, seconds))
        error.note, error.help = note, help
        return error

    def halves(self, progress: HalvesProgress) -> None:
        """What count_by_halves and count_sharded call. The join takes about as long as the layers."""
        stage, done, todo = progress.stage, progress.done, progress.todo
        text = f"{_STAGES[stage]}: {done:,} of {todo:,}"
        if progress.passes > 1:
            text += f", pass {progress.pass_number} of {progress.passes}"
        within = done / todo if todo else 0.0
        part = {"classes": 0.0, "layers": 0.5 * within, "join": 0.5 + 0.5 * within}[stage]
        whole = (progress.pass_number - 1 + part) / max(progress.passes, 1)
        self._tell(text, whole, progress.states, progress.bytes)

    def columns(self, done: int, todo: int) -> None:
        """What narrow_count calls. The numbers grow, so that a column takes as long as there are columns before it."""
        self._tell(f"adding columns: {done:,} of {todo:,}", (done / todo) ** 2, 0)

    def quotients(self, told: Told) -> None:
        """What the counts on quotients call."""
        self._tell(f"making states: square {told.step} of {told.steps}", told.part, told.states)
