"""Plans of counts: the algorithm of a count and its cost; refusal of infeasible counts.

An infeasible count is refused immediately, before the memory is full, with advice. The figures are estimates
(needs.py), so a count is refused only if even a cost `Needs.margin` times lower would be too high.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Square, square_count
from knightstour.core.model.budget import Limits, limits_of
from knightstour.core.model.condition_table import Conditions
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.exports import page_of
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.literals import CountMethod
from knightstour.core.model.problem import (
    Problem,
    Question,
    condition_names,
    has_given_end,
    plural_of,
    problem_for,
    replace_conditions,
)
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.symmetry import symmetries
from knightstour.core.model.validation import flag
from knightstour.core.model.validation import path as given_path
from knightstour.core.model.wording import in_figures, in_time, in_words, short_repr
from knightstour.lab.counting import listed
from knightstour.lab.counting.conventions import kind_of
from knightstour.lab.counting.halves.cut import SLOTS, WIDE_SLOTS
from knightstour.lab.counting.needs import CENSUS, COUNTING, NUMBERING, Needs, is_giant
from knightstour.lab.counting.orders import narrowest_cut, widths_of
from knightstour.lab.counting.settings import CountProgress, count_budget
from knightstour.lab.counting.ways import (
    EACH,
    LISTING,
    QUOTIENT,
    RECURRENCE,
    STATES,
    Fit,
    Task,
    Way,
    find_way,
    method_named,
    split_symmetry,
)

# Larger boards are infeasible even for tours with a symmetry.
_MAX_SYMMETRIC_SQUARES = 120
# Maximum longer side for which a board of fewer rows is suggested.
_MAX_COLS = 30
# Largest disk that is assumed to be available, in bytes.
_LARGE_DISK = 20e12
_ESTIMATE = "estimate(board) or `knightstour estimate BOARD` estimates the number"


@dataclass(frozen=True, slots=True)
class CountPlan:
    """The cost of a count; the figures are estimates.

    problem: the counted tours.
    method: "proof", "recurrence", "states", "halves" or, with a symmetry, "quotient".
    reason, source: proof that no tour exists.
    widest, states: states of the widest layer, and of all layers.
    bytes: memory of the process, or disk with a checkpoint.
    seconds: processor time of all passes.
    passes, most_passes: estimated and maximum number of passes over the states. There is more than one, each modulo two
        primes, if counts exceed a machine word.
    is_least: whether the figures are lower bounds; the true ones are far larger.
    margin: the count is refused only if the cost divided by the margin would be too high.
    limit: available bytes of memory.
    disk: free bytes for the checkpoint, or None without one.
    is_refused: whether the count would be refused.
    instead: advice in that case.
    tours: estimated number of listed tours; 0 for other algorithms, or if unknown.
    cut_width, cut_states: for a refused count by states, the width of the best cut found, which exceeds the limit of
        counts by halves, and its expected states; 0 without a search.
    symmetry, up_to_symmetry: as given. The figures of classes include the count of all tours, by `method`, and of the
        tours with each symmetry.
    """

    problem: Problem
    method: str
    reason: str = ""
    source: str = ""
    widest: float = 0.0
    states: float = 0.0
    bytes: float = 0.0
    seconds: float = 0.0
    passes: int = 1
    most_passes: int = 1
    is_least: bool = False
    margin: float = 1.0
    limit: int = 0
    disk: int | None = None
    is_refused: bool = False
    instead: tuple[str, ...] = ()
    tours: float = 0.0
    cut_width: int = 0
    cut_states: float = 0.0
    symmetry: str | None = None
    up_to_symmetry: bool = False

    @property
    def has_figures(self) -> bool:
        """Whether there is a cost to estimate."""
        return self.method in ("states", "halves", "quotient") or max(self.states, self.bytes, self.tours) > 0

    @property
    def _moduli(self) -> str:
        return "modulo a prime each" if self.method == "matchings" else "modulo two primes each"

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def _repr_html_(self) -> str:
        return page_of("\n".join([str(self), *([self.reason] if self.reason else []), *self.instead]))

    def to_dict(self) -> dict[str, object]:
        """Return the plan as JSON-serialisable data; figures have three digits, or are None without an estimate."""
        figures = {
            **{name: float(f"{getattr(self, name):.3g}") for name in ("states", "widest", "bytes", "seconds", "tours")},
            "passes": self.passes,
            "most_passes": self.most_passes,
            "is_least": self.is_least,
            "margin": self.margin,
            "memory": self.limit,
            "disk": self.disk,
        }
        return {
            **self.problem.to_dict(),
            "symmetry": self.symmetry,
            "up_to_symmetry": self.up_to_symmetry,
            "method": self.method,
            "reason": self.reason or None,
            "source": self.source or None,
            "cut_width": self.cut_width or None,
            "cut_states": float(f"{self.cut_states:.3g}") or None,
            **{name: figure if self.has_figures else None for name, figure in figures.items()},
            "is_refused": self.is_refused,
            "instead": list(self.instead),
        }

    def lines(self) -> list[str]:
        """Return the cost of the count, one figure per line."""
        lines = [f"method   {self.method}"]
        if not self.has_figures:
            return lines
        if self.tours:
            return [
                *lines,
                f"tours    about {in_figures(self.tours)}, listed one by one",
                f"time     {in_time(self.seconds)}",
            ]
        least = "at least " if self.is_least else ""
        held = f"of {in_words(self.limit)} available"
        if self.disk is not None:
            held = f"in memory and on disk, where {in_words(self.disk)} are free"
        if self.states:
            lines.append(f"states   {least}{in_figures(self.states)}, {in_figures(self.widest)} at once")
        if self.passes > 1:
            lines.append(f"passes   {self.passes}, {self._moduli}; at most {self.most_passes}")
        lines.append(f"memory   {least}{in_words(int(self.bytes))} {held}")
        lines.append(f"time     {least}{in_time(self.seconds)} of one processor")
        return lines

    def notes(self) -> list[str]:
        """Return the convention, the reliability of the figures, and the reason for a refusal."""
        notes = []
        if self.has_figures:
            counted = replace_conditions(self.problem, symmetry=self.symmetry) if self.symmetry else self.problem
            what = kind_of(counted, classes=self.up_to_symmetry)
            notes.append(f"{what}; estimates, which may be several times too high or too low")
        if self.reason:
            notes.append(f"{self.reason} ({self.source})")
        if self.is_refused and self.tours:
            notes.append("undecided without a limit of time: the list takes over an hour")
        elif self.is_refused:
            notes.append(f"infeasible: even 1/{self.margin:g} of this would be too much")
        if self.cut_width:
            most = WIDE_SLOTS if self.problem.closed else SLOTS
            needed = f"{self.cut_width} squares, with about {in_figures(self.cut_states)} states"
            notes.append(f"the narrowest cut found needs {needed}; counts by halves support {most} squares")
        return notes

    def __str__(self) -> str:
        what = Task(self.problem, EACH if self.up_to_symmetry else self.symmetry).noun
        if self.method == "proof":
            return f"there are no {plural_of(self.problem)}: {self.reason}"
        if self.tours:
            lacks = ", which needs a limit of time" if self.is_refused else ""
            return f"{what}: by listing, about {in_figures(self.tours)} tours, {in_time(self.seconds)}{lacks}"
        if not self.has_figures:
            return f"{what}: by {self.method if self.method == 'listing' else 'a recurrence'}, at once"
        least = "at least" if self.is_least else "about"
        by = "a recurrence" if self.method == "recurrence" else self.method
        states = f"{in_figures(self.states)} states, {in_figures(self.widest)} at once, " if self.states else ""
        if self.passes > 1:
            states += f"in {self.passes} passes {self._moduli} (at most {self.most_passes}), "
        size = in_words(int(self.bytes))
        lacks = ", which is infeasible" if self.is_refused else ""
        return f"{what}: by {by}, {least} {states}{size}, {in_time(self.seconds)} of processor time{lacks}"


@with_hints
def plan(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    up_to_symmetry: bool = False,
    method: CountMethod = "auto",
    timeout: float | None = None,
    memory: int | str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **conditions: Unpack[Conditions],
) -> CountPlan:
    """Return the algorithm and the cost of a count with these arguments, without counting.

    It needs about a second, and a few seconds for boards of many squares.

    Args:
        board, closed, start, end, partial, given, require, forbid, symmetry, visit_order, where, up_to_symmetry: As for
            `count`.
        memory: Available bytes (or a text like "8GB"), by default most of the free memory.
        timeout: Seconds for planning.
        checkpoint: A directory for layers on disk.
        method: As for `count`.

    Raises:
        BoardError, ProblemError, LimitReached: As for `count`.

    >>> large = plan((8, 8), closed=True)
    >>> large.method, large.is_refused, round(large.states)
    ('halves', False, 43400000)
    >>> plan((12, 12), closed=True).is_refused
    True
    >>> print(plan((4, 100)))
    open tours of the 4x100 board: by a recurrence, at once
    >>> [plan((10, 10), closed=True, symmetry=turn, memory="10GB").is_refused for turn in ("90", "180")]
    [False, True]
    """
    limits = limits_of(timeout, memory=memory)
    problem = problem_for(plan, board, closed, start, end, conditions)
    limit = None if limits is None else limits.bytes
    checkpoint = None if checkpoint is None else given_path(checkpoint, "the checkpoint")
    up_to_symmetry = flag(up_to_symmetry, "up_to_symmetry")
    if problem.board.is_directed:
        from knightstour.lab.counting.one_way import plan_along_arcs

        return plan_along_arcs(problem, limits, checkpoint, up_to_symmetry, method)
    problem, symmetry = split_symmetry(problem, up_to_symmetry)
    if symmetry is not None and checkpoint is not None:
        raise ProblemError("a count of symmetric tours uses no disk", help="omit the checkpoint")
    task = Task(
        problem, EACH if up_to_symmetry else symmetry, method_named(method), checkpoint is not None, memory=limit
    )
    with CountProgress(problem, count_budget(limits), "plan").keeping_deadline():
        found = plan_of(find_way(task), limit, checkpoint)
        if up_to_symmetry and found.method != "proof":
            found = _classes_plan(plan_of(find_way(task._replace(symmetry=None)), limit, checkpoint), found)
        if found.method == LISTING.name:
            found = _list_plan(found, replace_conditions(problem, symmetry=symmetry), limits)
    from knightstour.lab.sequences.table import known_number

    known = known_number(problem, symmetry=symmetry, up_to_symmetry=up_to_symmetry) if found.is_refused else None
    first = () if known is None else (f"the number is published ({known.source}), and count returns it",)
    return replace(found, problem=problem, instead=(*first, *found.instead))


def _list_plan(plan: CountPlan, problem: Problem, limits: Limits | None) -> CountPlan:
    tours = listed.estimated_tours(problem)
    is_refused = tours > listed.TOO_MANY and listed.is_unlimited(limits)
    instead = (listed.HELP,) if is_refused else ()
    return replace(plan, tours=tours, seconds=listed.seconds_of(tours), is_refused=is_refused, instead=instead)


def _classes_plan(tours: CountPlan, each: CountPlan) -> CountPlan:
    # The reason comes from a refused plan, else from the plan with the larger memory.
    larger = max(tours, each, key=lambda one: (one.is_refused, one.bytes))
    return replace(
        larger,
        method=tours.method,
        widest=max(tours.widest, each.widest),
        states=tours.states + each.states,
        bytes=max(tours.bytes, each.bytes),
        seconds=tours.seconds + each.seconds,
        is_least=tours.is_least or each.is_least,
        disk=tours.disk,
        up_to_symmetry=True,
    )


def plan_of(fit: Fit, limit: int | None, directory: str | os.PathLike[str] | None = None) -> CountPlan:
    """Return the plan of a count by one algorithm.

    limit: bytes of memory, None for most of the free memory. directory: the checkpoint, for layers on disk.
    """
    way, task, found = fit
    plan = CountPlan(
        task.problem,
        way.name,
        symmetry=None if task.symmetry == EACH else task.symmetry,
        up_to_symmetry=task.symmetry == EACH,
    )
    if found.proof is not None:
        return replace(plan, reason=found.proof.reason, source=found.proof.source)
    needs = fit.needs
    if needs is None:
        return plan
    limit, disk = _room(way, limit, directory)
    is_refused = way.count is None or needs.are_beyond(limit, disk)
    width, states = _narrowest_cut(fit) if is_refused else (0, 0.0)
    return replace(
        plan,
        **needs.figures(),
        cut_width=width,
        cut_states=states,
        limit=limit,
        disk=disk,
        is_refused=is_refused,
        instead=tuple(_alternatives(fit, needs, limit, disk)) if is_refused else (),
    )


def _narrowest_cut(fit: Fit) -> tuple[int, float]:
    """Return width and expected states of the best cut; 0 without a search."""
    task = fit.task
    if fit.way is not STATES or task.symmetry is not None or task.purpose != COUNTING or task.problem.partial:
        return 0, 0.0
    parting = None if is_giant(task.problem.board) else narrowest_cut(task.problem)
    return (0, 0.0) if parting is None else (max(widths_of(task.problem, parting)), parting.weight)


def refuse(fit: Fit | None, limit: int | None, directory: str | os.PathLike[str] | None = None) -> None:
    """Raise LimitReached if an algorithm costs too much; the arguments are as for `plan_of`."""
    if fit is None:
        return
    limit, disk = _room(fit.way, limit, directory)
    # A count that always fits needs no estimate.
    if disk is None and fit.is_sure(limit):
        return
    plan = plan_of(fit, limit, directory)
    if not plan.is_refused:
        return
    least = "at least" if plan.is_least else "about"
    states = f": {least} {in_figures(plan.widest)} states at once, {in_figures(plan.states)} in all"
    less = f"even 1/{plan.margin:g} of that would be too much"
    reason = f"{fit.task.purpose} the {fit.task.noun} is infeasible{states if plan.states else ''}"
    needed, allowed = needed_and_allowed(plan)
    result = Result(Status.UNDECIDED, fit.task.problem, None, reason, "", "count", 0, 0, 0.0)
    raise LimitReached(result, plan=plan, note=f"that {needed}; {allowed}, and {less}", help="; ".join(plan.instead))


def needed_and_allowed(plan: CountPlan) -> tuple[str, str]:
    """Return the cost of a refused count, and the available memory and disk, as parts of a sentence."""
    least = "at least" if plan.is_least else "about"
    allowed = f"{in_words(plan.limit)} of memory may be used"
    if plan.disk is not None:
        allowed += f", and {in_words(plan.disk)} of disk are free"
    return f"takes {least} {in_words(int(plan.bytes))} and {in_time(plan.seconds)} of processor time", allowed


def _room(way: Way, limit: int | None, directory: str | os.PathLike[str] | None) -> tuple[int, int | None]:
    """Return the available bytes of memory, and of disk if used."""
    most = int(available_bytes() * way.share) if limit is None else limit
    return most, None if directory is None or not way.on_disk else free_bytes(directory)


def free_bytes(directory: str | os.PathLike[str]) -> int:
    """Return the free bytes on the disk of a directory, which may not exist yet."""
    import shutil

    place = Path(directory).absolute()
    while not os.path.exists(place) and place != place.parent:
        place = place.parent
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return 0


def _alternatives(fit: Fit, needs: Needs, limit: int, disk: int | None) -> list[str]:
    """Return similar feasible problems, as advice."""
    way, task = fit.way, fit.task
    if way is RECURRENCE:
        return ["count_recurrence(board) gives the rule for all lengths"]
    if way is QUOTIENT:
        fewer = [] if task.symmetry in ("90", "270") else _fewer_tours(task.problem, limit)
        return [f"{_ESTIMATE} of all tours", *fewer]
    if task.purpose == CENSUS:
        return ["draw a sample: samples=100_000, or `census --sample 100000`"]
    if task.purpose == NUMBERING:
        return [_ESTIMATE, "sample(board, n) draws random tours"]
    files = []
    if way.on_disk and needs.bytes < _LARGE_DISK:
        option = " (checkpoint=, --checkpoint DIR)" if disk is None else ""
        files = [
            f"use a directory on a disk with {in_words(int(needs.bytes))} free{option}",
            "share it out to several machines (workers=, --workers)",
        ]
    return [*files, _ESTIMATE, *_fewer_tours(task.problem, limit), *_fewer_rows(task.problem, limit)]


def _fewer_tours(problem: Problem, limit: int) -> list[str]:
    board = problem.board
    if problem.start is not None or problem.end is not None or square_count(board) > _MAX_SYMMETRIC_SQUARES:
        return []
    names = [symmetry.name for symmetry in symmetries(board) if symmetry.name != "identity"]
    for name in [turn for turn in ("90", "180") if turn in names] or names[:1]:
        try:
            fit = QUOTIENT.fit(Task(problem, name))
        except ProblemError:
            continue
        if fit is not None and fit.evidence.plans and (needs := fit.needs) is not None and needs.bytes < limit:
            return [f"tours with a symmetry are far fewer (symmetry=, --symmetry {name})"]
    return []


def _fewer_rows(problem: Problem, limit: int) -> list[str]:
    """Advise to count the largest feasible board with fewer rows."""
    board = problem.board
    rows, cols = sorted((board.rows, board.cols))
    if not is_rectangle(board) or has_given_end(problem) or condition_names(problem) or cols > _MAX_COLS:
        return []
    for fewer in range(min(rows - 1, 9), 4, -1):
        plan = plan_of(find_way(Task(Problem((fewer, cols), closed=problem.closed))), limit)
        if plan.method != "proof" and not plan.is_refused:
            time = f", in about {in_time(plan.seconds)}" if plan.has_figures else ""
            return [f"the nearest board that is counted in this memory is {fewer}x{cols}{time}"]
    return []
