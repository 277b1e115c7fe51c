"""count(): the exact number of tours of a board.

`ways.find_way` selects the first row of WAYS that applies to the problem. An infeasible count is refused immediately,
and plan.py estimates the cost beforehand. The result names the algorithm; another one can be requested (`method`), to
compare results.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Unpack

from knightstour.core.machine import sharing
from knightstour.core.machine.sharing import Workers
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Square, square_count
from knightstour.core.model.budget import limits_of
from knightstour.core.model.condition_table import Conditions
from knightstour.core.model.errors import ProblemError, add_way_on
from knightstour.core.model.lazy import load_function
from knightstour.core.model.literals import CountMethod
from knightstour.core.model.problem import (
    Problem,
    Question,
    checked_conditions,
    has_given_end,
    plural_of,
    problem_for,
    problem_of,
    replace_conditions,
)
from knightstour.core.model.progress import OnProgress, log_result, logger
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.validation import check_amount, flag
from knightstour.core.model.validation import path as given_path
from knightstour.lab.counting import listed, narrow, plan, sums, ways
from knightstour.lab.counting.conventions import kind_of
from knightstour.lab.counting.settings import CountProgress, CountSettings, count_budget
from knightstour.lab.counting.ways import Fit, method_named


class CountResult(NamedTuple):
    """Result of a count: the number of tours, the convention, and the cost.

    Attributes:
        directed, symmetry, up_to_symmetry: Convention; undirected, a tour and its reverse count once.
        method: Name of a row of WAYS, or "known" for a published number (lab/sequences/table.py).
        reason, source: Proof, or source of a published number.
        states: Number of created states.
        seconds: Wall-clock time.
        peak_bytes: Largest size of the arrays, if measured.
        why: Reason why a published number was not counted.
        resumed: Whether the count resumed from a checkpoint; `states` then includes earlier runs, `seconds` does not.
    """

    tours: int
    problem: Problem
    directed: bool = False
    symmetry: str | None = None
    up_to_symmetry: bool = False
    method: str = ""
    reason: str = ""
    source: str = ""
    states: int = 0
    seconds: float = 0.0
    peak_bytes: int = 0
    why: str = ""
    resumed: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return problem and result as JSON-serialisable data; the count is text, since it can have any length."""
        return {
            **self.problem.to_dict(),
            "directed": self.directed,
            "symmetry": self.symmetry,
            "up_to_symmetry": self.up_to_symmetry,
            "count": str(self.tours),
            "method": self.method,
            "reason": self.reason or None,
            "source": self.source or None,
            "states": self.states,
            "peak_bytes": self.peak_bytes or None,
            "resumed": self.resumed,
            "seconds": round(self.seconds, 6),
        }

    def lines(self) -> list[str]:
        """Return the number as text."""
        return [str(self.tours)]

    def notes(self) -> list[str]:
        """Description of the convention and the algorithm, or the reason why no tour exists."""
        what = kind_of(self.problem, directed=self.directed, classes=self.up_to_symmetry)
        if self.method == "known":
            how = f"{self.why}, so this is" if self.why else "this is"
            how += " from the table of known numbers"
        else:
            states = f", {self.states:,} states" if self.states else ""
            how = f"by {self.method}{states}, {self.seconds:.2f} s"
            how += " since it was resumed" if self.resumed else ""
        return [f"{what}; {how}", *([f"{self.reason} ({self.source})"] if self.reason else [])]


@with_hints
def count(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    directed: bool = False,
    up_to_symmetry: bool = False,
    method: CountMethod = "auto",
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> int:
    """Return the exact number of tours of a board.

    Args:
        board: A Board, a pair (rows, cols), a text like "8x8", or a Problem.
        closed: Whether to count Hamiltonian cycles; else Hamiltonian paths, including re-entrant ones.
        start, end: Only tours with this start or end. Without `partial`, the start of a closed tour has no effect.
        partial: Whether to include tours that skip squares: all cycles, or all paths of at least one move.
        given, require, forbid, visit_order, where: As for solve(); only tours that meet these conditions count.
        symmetry: Only tours invariant under this symmetry of the board: "180", "90", "vertical", ...
        directed: Whether a tour and its reverse count as two. An open tour with a given start or end, or a tour along
            arcs, always counts once.
        up_to_symmetry: Whether tours that are images of each other under the symmetries of the board count once.
        method: "states", "halves", "listing" or another row of the table in docs/how-counting-works.md; "auto" is the
            fastest, as `plan` reports.
        timeout, max_nodes, memory: Limits in seconds, states, and bytes (or a text like "8GB"). By default there is no
            limit of time or states, and the memory is most of the free memory.
        workers: Number of threads, by default one per core, or a Dask client.
        checkpoint: A directory for saved progress, from which a later run resumes, and for layers that exceed the
            memory.
        on_progress: Callback with a Progress at intervals.

    If the count is infeasible in the available memory, but a number is published, that number is returned, unless there
    is a checkpoint; `plan` states this.

    Raises:
        LimitReached: At a limit, and immediately if a count is too large, with its `plan`.
        ProblemError: If the problem is invalid.
        FormatError: If the checkpoint is foreign or damaged.

    >>> count((6, 6), closed=True), count((5, 5), directed=True)
    (9862, 1728)
    >>> count((6, 6), closed=True, symmetry="90"), count((6, 6), closed=True, up_to_symmetry=True)
    (10, 1245)
    >>> len(str(count((3, 1000), closed=True)))
    491
    """
    limits = limits_of(timeout, max_nodes=max_nodes, memory=memory)
    problem = problem_for(count, board, closed, start, end, conditions)
    threads, cluster = sharing.threads_and_cluster(workers)
    settings = CountSettings(limits, threads, cluster, checkpoint, on_progress, method=method_named(method))
    found = count_problem(
        problem, directed=directed, up_to_symmetry=up_to_symmetry, settings=settings, allow_known=True
    )
    return found.tours


def look_up(question: Question, *, directed: bool = False, up_to_symmetry: bool = False) -> CountResult | None:
    """Return the published number of tours, or None if it is unknown; nothing is counted."""
    problem, symmetry = ways.split_symmetry(problem_of(question), up_to_symmetry)
    from knightstour.lab.sequences.table import known_number

    known = known_number(problem, directed=directed, symmetry=symmetry, up_to_symmetry=up_to_symmetry)
    if known is None:
        return None
    return CountResult(known.tours, problem, directed, symmetry, up_to_symmetry, "known", known.reason, known.source)


def count_problem(
    question: Question,
    *,
    directed: bool = False,
    up_to_symmetry: bool = False,
    settings: CountSettings | None = None,
    allow_known: bool = False,
) -> CountResult:
    """Count the tours of a problem exactly, and return the number with the algorithm and the reason.

    allow_known: whether to return a published number if the count is infeasible and there is no checkpoint. For other
    arguments and errors see `count`.

    >>> from knightstour.core.model.budget import Limits
    >>> settings = CountSettings(Limits(bytes=10**8))
    >>> found = count_problem(Problem((9, 8), closed=True), settings=settings, allow_known=True)
    >>> found.tours, found.method, found.source
    (7112881119092574, 'known', 'OEIS A193055, a(9)')
    >>> count_problem(Problem((3, 8), closed=True)).reason
    'no tour makes the move d3-f2 ... into 5 parts (around ...), but a closed tour falls into at most 4'
    """
    directed, up_to_symmetry = flag(directed, "directed"), flag(up_to_symmetry, "up_to_symmetry")
    settings = settings or CountSettings()
    problem = problem_of(question)
    if problem.board.is_directed:
        from knightstour.lab.counting.one_way import count_along_arcs

        return count_along_arcs(problem, settings, directed, up_to_symmetry)
    problem, symmetry = ways.split_symmetry(problem, up_to_symmetry, settings.across)
    if up_to_symmetry and directed:
        raise ProblemError("classes are counted of undirected tours", help="omit the direction")
    _check_settings(settings, symmetry)
    watch = CountProgress(problem, count_budget(settings.limits, settings.on_progress))
    try:
        with watch.keeping_deadline(), _with_folder(settings) as kept:
            chosen = ways.EACH if up_to_symmetry else symmetry
            task = ways.Task(problem, chosen, kept.method, kept.checkpoint is not None, kept.across, memory=kept.memory)
            found = count_task(task, kept, watch)
    except LimitReached as error:
        if error.plan is None:
            raise
        known = look_up(question, directed=directed, up_to_symmetry=up_to_symmetry) if allow_known else None
        if known is None or settings.checkpoint is not None:
            raise
        why = "counting them {}, and {}".format(*plan.needed_and_allowed(error.plan))
        logger().warning("%s; so the number of %s is from %s", why, plural_of(known.problem), known.source)
        return known._replace(why=why)
    except OSError as error:
        if settings.checkpoint is not None:
            add_way_on(error, "resume with the same call or command")
        raise
    # Under these conditions a tour and its reverse already count as two.
    is_one_way = has_given_end(problem) or problem.given or _is_numbered_from_start(problem)
    doubles = directed and not is_one_way and square_count(problem.board) > 1
    tours, seconds = found.tours * (2 if doubles else 1), watch.budget.seconds
    log_result("count", plural_of(problem), found.method, None, seconds)
    return found._replace(tours=tours, problem=problem, directed=directed, seconds=seconds)


def _check_settings(settings: CountSettings, symmetry: str | None) -> None:
    check_amount(settings.threads, "workers")
    if settings.checkpoint is not None:
        _check_folder(given_path(settings.checkpoint, "the checkpoint"))
    sharing.checked_workers(settings.cluster)
    if settings.cluster is not None and (settings.threads is not None or settings.memory is not None):
        raise ProblemError(
            "memory cannot be combined with a cluster",
            help="omit memory: each worker needs about a gigabyte",
        )
    if symmetry is not None and (settings.cluster, settings.threads, settings.checkpoint) != (None, None, None):
        raise ProblemError(
            "a count of symmetric tours runs in one thread and keeps nothing on disk",
            help="omit the checkpoint, the threads and the workers",
        )


def _check_folder(path: str) -> None:
    """Raise OSError if the folder of a checkpoint is not writable."""
    place = os.path.abspath(path)
    while not os.path.exists(place) and place != os.path.dirname(place):
        place = os.path.dirname(place)
    if not os.path.isdir(place):
        return  # the reader of the checkpoint reports the error
    from tempfile import TemporaryFile

    try:
        with TemporaryFile(dir=place):
            pass
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


@contextmanager
def _with_folder(settings: CountSettings) -> Iterator[CountSettings]:
    """Yield the settings with a folder for shared work, perhaps a temporary one."""
    if settings.checkpoint is not None or settings.cluster is None:
        yield settings
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="knightstour-", ignore_cleanup_errors=True) as folder:
        if not sharing.all_see(settings.cluster, folder):
            raise ProblemError(
                "the workers are on other machines, and do not see the temporary folder of this one",
                help="use a folder that all workers can access, as checkpoint=... or --checkpoint DIR",
            )
        yield settings._replace(checkpoint=folder)


def count_task(task: ways.Task, settings: CountSettings, watch: CountProgress) -> CountResult:
    """Count undirected tours by the algorithm that fits a task; raise LimitReached if it would need too much."""
    fit = ways.find_way(task)
    if not (settings.is_resumed and fit.way.on_disk):
        plan.refuse(fit, settings.memory, settings.checkpoint)
    counted: CountResult = load_function(fit.way.count)(fit, settings, watch)
    return counted


def _is_numbered_from_start(problem: Problem) -> bool:
    """Return whether closed tours are numbered from a given start and a statistic of the numbers is limited."""
    if problem.start is None or not checked_conditions(problem):
        return False
    from knightstour.core.statistics.where import numbers_matter

    return numbers_matter(problem)


# ---------------------------------------------------------------- the functions that WAYS names


def by_proof(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    """Return 0 with the proof."""
    proof = fit.evidence.proof
    assert proof is not None
    is_each = fit.task.symmetry == ways.EACH
    return CountResult(0, fit.task.problem, False, None, is_each, fit.name, proof.reason, proof.source)


def by_listing(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    """Count a list of tours: undirected, or with given numbers directed."""
    from knightstour.core.search.listing import list_tours

    problem = replace_conditions(fit.task.problem, symmetry=fit.task.symmetry)
    if listed.is_unlimited(settings.limits):
        expected = listed.estimated_tours(problem, is_quick=True)
        if expected > listed.TOO_MANY:
            raise watch.limit_error(listed.why_refused(expected), help=listed.HELP)
    tours = list_tours(problem, watch.budget, directed=bool(problem.given))
    count = sum(1 for _ in tours)
    if not tours.is_complete:
        what = "numbering" if problem.given else "tour"
        at_least = f"; there {'is' if count == 1 else 'are'} at least {count:,} {what}{'s' if count != 1 else ''}"
        raise watch.limit_error(f"{tours.reason or watch.budget.why_stopped()}{at_least if count else ''}")
    return CountResult(count, problem, symmetry=fit.task.symmetry, method=fit.name, states=watch.budget.nodes)


def by_recurrence(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    """Count the tours of a board of few rows."""
    problem = fit.task.problem
    rows, cols = sorted((problem.board.rows, problem.board.cols))

    def report(n: int) -> None:
        # The numbers grow, so the time of a column is proportional to its index.
        watch.report(f"adding columns: {n:,} of {cols:,}", (n / cols) ** 2)

    tours = narrow.narrow_count(rows, cols, closed=problem.closed, on_column=report)
    return CountResult(tours, problem, method=fit.name)


def by_states(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    """Count the tours by the states of the whole board."""
    problem = fit.task.problem
    if settings.checkpoint is not None:
        raise ProblemError(
            f"a count of {problem} supports no checkpoints", help="checkpoints require counts by halves or matchings"
        )
    counted = sums.count_states(problem, watch.budget)
    return CountResult(counted.undirected, problem, method=fit.name, states=counted.states)


def by_halves(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    """Count the tours by halves, in this process or by workers."""
    from knightstour.lab.counting.halves.march import count_by_halves

    problem = fit.task.problem
    made = count_by_halves(
        problem,
        cut=fit.evidence.cut,
        threads=settings.threads,
        workers=settings.cluster,
        checkpoint=settings.checkpoint,
        budget=watch.budget,
    )
    return CountResult(
        made.tours, problem, method=fit.name, states=made.states, peak_bytes=made.peak_bytes, resumed=made.resumed
    )
