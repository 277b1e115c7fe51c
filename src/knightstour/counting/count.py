"""count_tours(): how many tours a board has, by whichever way of counting suits it.

The first step of every count is its plan (`plan.find_way`), which chooses among these, in this order:

1. *Proof*: where a theorem or a simple argument says that there are none, the count is 0.
2. *Recurrence*: plain boards of few rows and any length (narrow.py).
3. *States*: small boards, at once and without compiled code (states.py).
4. *Halves*: boards that come apart in two halves over few squares, such as all plain boards of up to 8 rows; the
   way that goes far, in memory or on disk, and can go on after any end (halves/).
5. *States* again: all other boards, as far as memory goes.

Every count says in which way it was made, so that two ways can be compared (`route`). plan.py chooses the way and
estimates what it takes; refusals.py refuses at once what is out of reach.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import NamedTuple, Unpack

from knightstour.counting import narrow, plan, refusals, states
from knightstour.counting.means import CountOptions, Means, Watch, check_resume, count_budget
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
from knightstour.counting.weighted import Effort, TooManyStates, work_of
from knightstour.machine import sharing
from knightstour.machine.sharing import Workers
from knightstour.model.arguments import explains_arguments, shows_arguments
from knightstour.model.board import Square
from knightstour.model.budget import Limits
from knightstour.model.conditions import Given, Moves
from knightstour.model.errors import CannotWrite, ProblemError
from knightstour.model.problem import Problem, Question
from knightstour.model.progress import OnProgress
from knightstour.model.reduced import reduced
from knightstour.model.validation import amount, flag
from knightstour.model.validation import path as given_path
from knightstour.proofs import arguments
from knightstour.search.frontier.plan import Plan
from knightstour.search.listing import list_tours


class Counted(NamedTuple):
    """The answer: how many tours, by which convention, and what the counting took.

    tours: the number. closed, directed, symmetry, up_to_symmetry: what was counted; undirected, a tour and the same
    walked backwards are one. route: "proof", "recurrence", "states", "halves", "quotient" or "listing". reason, source:
    the proof, where there is one. states: how many were made. seconds: wall clock. peak_bytes: the most that arrays
    took, where it was measured.
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

    def to_dict(self) -> dict[str, object]:
        """The question and the answer as JSON knows them; the count is text, as it may be of any length."""
        return {
            **self.problem.to_dict(),
            "directed": self.directed,
            "symmetry": self.symmetry,
            "up_to_symmetry": self.up_to_symmetry,
            "count": str(self.tours),
            "route": self.route,
            "reason": self.reason or None,
            "source": self.source or None,
            "states": self.states,
            "peak_bytes": self.peak_bytes or None,
            "seconds": round(self.seconds, 6),
        }


@explains_arguments
def count_tours(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    given: Given | None = None,
    through: Moves | None = None,
    avoid: Moves | None = None,
    directed: bool = False,
    symmetry: str | None = None,
    up_to_symmetry: bool = False,
    limits: Limits | None = None,
    threads: int | None = None,
    workers: Workers = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    across: int | None = None,
    parts: int | None = None,
) -> int:
    """The exact number of tours of a board.

    board: a Board, a pair (rows, cols), a text like "8x8", or a Problem, which is a whole question.
    closed: Hamiltonian cycles; else Hamiltonian paths, those that happen to be re-entrant included.
    start, end: only tours with this start or end. A closed tour passes every square, so its start changes nothing.
    given, through, avoid: only tours with these numbers, with these moves, without these moves, as for solve().
    directed: whether a tour and the same walked backwards are two. With a start or an end given, an open tour is a walk
        from there and counts once either way.
    symmetry: only tours that this symmetry of the board lays on themselves: "180", "90", "vertical", ...
    up_to_symmetry: whether tours that are images of each other under the symmetries of the board count once.
    limits: seconds, nodes (states) and bytes of memory; by default only most of the memory that is free.
    threads: by default one a core. The answer does not depend on them.
    workers: None, a number of processes, or a Dask client, among which the count is shared out. What they hand on
        goes through files: in the checkpoint, else in a temporary folder until the end.
    checkpoint: a directory for what is needed to go on after any end, and for what does not fit into memory.
    resume: whether to go on from what the checkpoint holds.
    on_progress: called with a Progress now and then.
    across: of a plain board, the side that the cut of a count by halves goes across; by default the shorter one, which
        is the quicker way. The other one is another way to the same number.
    parts: make the halves of a count by halves in this many parts each, one after the other, where memory cannot hold
        them whole. They are kept in the checkpoint, else in a temporary folder until the end.

    Raises BoardError at once where a board is out of reach, with an estimate (see plan_count); LimitReached at a limit;
    ProblemError for a question that makes no sense; FormatError for a checkpoint that is foreign or damaged.

    >>> count_tours((6, 6), closed=True), count_tours((5, 5), directed=True)
    (9862, 1728)
    >>> count_tours((6, 6), closed=True, symmetry="90"), count_tours((6, 6), closed=True, up_to_symmetry=True)
    (10, 1245)
    >>> len(str(count_tours((3, 1000), closed=True)))
    491
    """
    problem = Problem.of(board, closed=closed, start=start, end=end, given=given, through=through, avoid=avoid)
    means = Means(limits, threads, workers, checkpoint, resume, on_progress, across, parts)
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
    'no tour makes the move d3-f2 ... into 5 parts (those of ...), but a closed tour without them into at most 4'
    """
    directed, up_to_symmetry = flag(directed, "directed"), flag(up_to_symmetry, "up_to_symmetry")
    problem, symmetry = plan.what_to_count(Problem.of(question), symmetry, up_to_symmetry)
    means = means or Means()
    plan.check_symmetry(problem, symmetry, up_to_symmetry)
    plan.check_halves(problem, symmetry, means.across, means.parts)
    if up_to_symmetry and directed:
        raise ProblemError("classes are counted of undirected tours", help="leave out the direction")
    if route not in (None, "states", "halves"):
        raise ProblemError(f"there is no route {route!r} to choose", help="one of states, halves")
    _check_means(means, symmetry)
    watch = Watch(problem, count_budget(means.limits, means.on_progress))
    try:
        with _with_folder(means) as kept:
            if symmetry is not None:
                found = _by_symmetry(problem, symmetry, watch)
            elif up_to_symmetry:
                found = _in_classes(problem, route, kept, watch)
            else:
                found = _under_conditions(problem, route, kept, watch)
    except CannotWrite as error:
        if means.checkpoint is not None:
            error.help = f"{error.remedy}, and go on from the checkpoint with resume=True, or the same command"
        raise
    doubles = directed and not problem.has_given_end and not problem.given and problem.board.square_count > 1
    return found._replace(tours=found.tours * (2 if doubles else 1), directed=directed, seconds=watch.budget.seconds)


def _check_means(means: Means, symmetry: str | None) -> None:
    """The errors of means that do not go together."""
    amount(means.threads, "threads")
    if means.checkpoint is not None:
        given_path(means.checkpoint, "the checkpoint")
    sharing.check_workers(means.workers)
    if means.workers is not None and (means.threads is not None or means.memory is not None):
        raise ProblemError(
            "threads and a limit of memory are for counts in one process",
            help="leave them out: each worker has one thread, and needs about a gigabyte",
        )
    if symmetry is not None and (means.workers, means.threads, means.checkpoint) != (None, None, None):
        raise ProblemError(
            "a count of symmetric tours runs in one thread and keeps nothing on disk",
            help="leave out the checkpoint, the threads and the workers",
        )
    check_resume(means.checkpoint, means.resume)


@contextmanager
def _with_folder(means: Means) -> Iterator[Means]:
    """The same with a folder for work that is shared out or done in parts: where none is named, one until the end."""
    if means.checkpoint is not None or (means.workers is None and means.parts is None):
        yield means
        return
    with TemporaryDirectory(prefix="knightstour-", ignore_cleanup_errors=True) as folder:
        if not sharing.all_see(means.workers, folder):
            raise ProblemError(
                "the workers are on other machines, and do not see the temporary folder of this one",
                help="name one that all of them see, as checkpoint=... or --checkpoint DIR",
            )
        yield means._replace(checkpoint=folder)


def _under_conditions(problem: Problem, route: str | None, means: Means, watch: Watch) -> Counted:
    """The tours of a question that may have conditions: undirected, but with given numbers each numbering."""
    if not problem.asked:
        return _undirected(problem, route, means, watch)
    proof = arguments.known_proof(problem)
    if proof is not None:
        return Counted(0, problem, False, None, False, "proof", proof.reason, proof.source)
    if problem.given:
        return _numberings(problem, watch)
    return _undirected(reduced(problem).problem, route, means, watch)._replace(problem=problem)


def _numberings(problem: Problem, watch: Watch) -> Counted:
    """How many numberings there are: they are listed."""
    tours = list_tours(problem, watch.budget)
    count = sum(1 for _ in tours)
    if not tours.is_complete:
        raise watch.stopped(f"{watch.budget.why_stopped()}; there are at least {count:,} numberings")
    return Counted(count, problem, False, None, False, "listing", states=watch.budget.nodes)


def _undirected(problem: Problem, route: str | None, means: Means, watch: Watch) -> Counted:
    way = plan.find_way(
        problem, route=route, keeps_files=means.checkpoint is not None, across=means.across, parts=means.parts
    )
    answer = Counted(0, problem, False, None, False, way.name)
    if way.proof is not None:
        return answer._replace(reason=way.proof.reason, source=way.proof.source)
    if way.name == "recurrence":
        refusals.refuse_recurrence(problem, means.memory)
        rows, cols = sorted((problem.board.rows, problem.board.cols))

        def report(n: int) -> None:
            # The numbers grow, so that a column takes as long as there are columns before it.
            watch.report(f"adding columns: {n:,} of {cols:,}", (n / cols) ** 2)

        return answer._replace(tours=narrow.narrow_count(rows, cols, closed=problem.closed, on_column=report))
    refusals.refuse_giant(problem, means.memory)
    if way.name == "halves":
        return _by_halves(answer, way, means, watch)
    if means.checkpoint is not None:
        raise ProblemError(
            f"a count of {problem} keeps no checkpoints", help="checkpoints are for boards that are cut in two halves"
        )
    counted = states.count_states(problem, watch.budget)
    return answer._replace(tours=counted.undirected, states=counted.states)


def _by_halves(answer: Counted, way: plan.Way, means: Means, watch: Watch) -> Counted:
    problem, cut, budget = answer.problem, way.cut, watch.budget
    if not means.resume and cut is not None:
        refusals.refuse_halves(problem, cut, means.memory, means.checkpoint, means.parts)
    if means.parts is not None:
        from knightstour.counting.halves.count_parts import count_in_parts

        parted = count_in_parts(
            problem,
            means.checkpoint or "",
            parts=means.parts,
            cut=cut,
            workers=means.workers,
            threads=means.threads,
            resume=means.resume,
            budget=budget,
        )
        return answer._replace(tours=parted.tours, states=parted.states)
    if means.workers is not None:
        from knightstour.counting.halves.sharded import count_sharded

        shared = count_sharded(
            problem, means.checkpoint or "", cut=cut, workers=means.workers, resume=means.resume, budget=budget
        )
        return answer._replace(tours=shared.tours, states=shared.states)
    from knightstour.counting.halves.count_halves import count_by_halves

    made = count_by_halves(
        problem, cut=cut, threads=means.threads, checkpoint=means.checkpoint, resume=means.resume, budget=budget
    )
    return answer._replace(tours=made.tours, states=made.states, peak_bytes=made.peak_bytes)


def _by_symmetry(problem: Problem, symmetry: str, watch: Watch) -> Counted:
    plans = symmetric_plans(problem.board, symmetry, closed=problem.closed)
    with _quotients(plans, watch, plan.what_is_counted(problem, symmetry, False), symmetry) as effort:
        tours = count_symmetric(problem.board, symmetry, closed=problem.closed, effort=effort)
    return Counted(tours, problem, False, symmetry, False, "quotient", states=effort.states)


def _in_classes(problem: Problem, route: str | None, means: Means, watch: Watch) -> Counted:
    check_classes(problem.board, closed=problem.closed)
    plans = symmetric_plans(problem.board, None, closed=problem.closed)
    with _quotients(plans, watch, plan.what_is_counted(problem, None, True)) as effort:
        total = _undirected(problem, route, means, watch)
        if not total.tours:
            return total._replace(up_to_symmetry=True)
        classes = count_classes(problem.board, closed=problem.closed, total=total.tours, effort=effort)
    return total._replace(tours=classes, up_to_symmetry=True, states=total.states + effort.states)


@shows_arguments
def count_table(board: Question, *, closed: bool = False, **options: Unpack[CountOptions]) -> list[SymmetryRow]:
    """How many tours of a board, and how many classes of them, have exactly which symmetries.

    board, closed: as for count_tours; all tours are counted, undirected, so there is no given start or end.
    options: limits, threads and on_progress, as for count_tours.

    Returns a row for each kind of symmetry that there is. Together the rows have all tours, and all classes.
    Raises ProblemError for a wrapped board, and what count_tours raises.

    >>> for row in count_table((6, 6), closed=True): print(*row)
    none 9784 1223
    180 68 17
    90 10 5
    """
    problem, means = Problem.of(board, closed=closed), Means(**options)
    problem.check_takes("the table of symmetries")
    if (problem.start, problem.end) != (None, None):
        raise ProblemError("the table is of all undirected tours", help="leave out the start and the end")
    amount(means.threads, "threads")
    check_table(problem.board)
    watch = Watch(problem, count_budget(means.limits, means.on_progress))
    plans = table_plans(problem.board, closed=problem.closed)
    with _quotients(plans, watch, f"{problem.plural} by their symmetries") as effort:
        total = _undirected(problem, None, means, watch)
        return symmetry_table(problem.board, closed=problem.closed, total=total.tours, effort=effort)


@explains_arguments
def count_recurrence(board: Question, *, closed: bool = False) -> narrow.Recurrence:
    """The linear recurrence, and the generating function, of the numbers of tours of boards with few rows.

    board: any board of that width: the shorter side counts. closed: as for count_tours.

    Raises ProblemError for boards that are not plain, and for those of which no recurrence is known: up to 4 rows have
    one.

    >>> found = count_recurrence((3, 10), closed=True)
    >>> found.order, list(zip(range(13), found.terms()))[10:]
    (42, [(10, 16), (11, 0), (12, 176)])
    """
    problem = Problem.of(board, closed=closed)
    problem.check_takes("a recurrence")
    if not problem.board.is_rectangle or (problem.start, problem.end) != (None, None):
        raise ProblemError("recurrences are those of plain boards, all tours", help="give rows x cols only")
    return narrow.narrow_recurrence(min(problem.board.rows, problem.board.cols), closed=problem.closed)


@contextmanager
def _quotients(plans: list[Plan], watch: Watch, what: str, symmetry: str | None = None) -> Iterator[Effort]:
    """The effort of a count through quotients with these plans, within which the count runs.

    Raises BoardError at once if the count is out of reach, and LimitReached where memory does not suffice after all.
    """
    refusals.refuse_quotients(watch.problem, plans, watch.most_bytes, what, symmetry)
    try:
        yield Effort(watch, sum(work_of(quotient) for quotient in plans))
    except TooManyStates as error:
        raise watch.stopped(str(error), note=error.note, help=error.help) from error
