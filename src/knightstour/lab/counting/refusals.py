"""Counts that are refused because they would take too much, and what to do instead."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.symmetry import symmetries
from knightstour.core.model.wording import in_figures, in_time, in_words
from knightstour.lab.counting.needs import Needs
from knightstour.lab.counting.ways import QUOTIENT, RECURRENCE, Fit, Task, find_way

# Boards with more squares than this are too large even for tours with a symmetry.
_MOST_SYMMETRIC_SQUARES = 120
# A board of fewer rows is looked for where the longer side has at most this many squares.
_MOST_COLS = 30
# No disk that is likely to be had holds more.
_LARGE_DISK = 20e12


class OutOfReach(BoardError):
    """A count, or a numbering, that is refused before it begins since it would take too much."""


class Weighed(NamedTuple):
    """What a way needs, or None where that is next to nothing, the bytes of memory that it may take, and of disk."""

    needs: Needs | None
    limit: int
    disk: int | None

    def is_refused(self, fit: Fit) -> bool:
        """Whether the count is refused."""
        if self.needs is None:
            return False
        return fit.way.count is None or self.needs.are_beyond(self.limit, self.disk)


def weigh(
    fit: Fit, limit: int | None, directory: str | os.PathLike[str] | None = None, *, always: bool = False
) -> Weighed:
    """What a way needs, and what it may take. limit: bytes of memory, None for most of what is free. directory: of a
    checkpoint, which holds layers that may be larger. Nothing is estimated for a count that is sure to fit, unless
    `always`."""
    limit = int(available_bytes() * fit.way.share) if limit is None else limit
    disk = None if directory is None or not fit.way.on_disk else free_bytes(directory)
    is_sure = fit.way.most(fit) <= (limit if disk is None else min(limit, disk))
    return Weighed(None if is_sure and not always else fit.way.needs(fit), limit, disk)


def refuse(
    fit: Fit | None,
    limit: int | None,
    directory: str | os.PathLike[str] | None = None,
    what: str = "",
) -> None:
    """An OutOfReach where a way, if it fits, would take too much. what: is counted, where the task does not say it; the
    other arguments are those of `weigh`."""
    weighed = None if fit is None else weigh(fit, limit, directory)
    if fit is None or weighed is None or weighed.needs is None or not weighed.is_refused(fit):
        return
    needs, most_bytes, disk = weighed.needs, weighed.limit, weighed.disk
    least = "at least" if needs.is_least else "about"
    allowed = f"{in_words(most_bytes)} of memory may be used"
    if disk is not None:
        allowed += f", and {in_words(disk)} of disk are free"
    states = f": {least} {in_figures(needs.widest)} states at once, {in_figures(needs.states)} in all"
    lacks = f"this version lacks {fit.way.missing}"
    less = f"even {needs.margin:g} times less would be too much"
    raise OutOfReach(
        f"{'numbering' if fit.task.keep else 'counting'} the {what or fit.task.what} is infeasible"
        f"{states if needs.states else ''}",
        note=f"that takes {least} {in_words(int(needs.bytes + needs.base_bytes))} and {in_time(needs.seconds)} of "
        f"processor time; {allowed}, and {lacks if fit.way.missing else less}",
        help="; ".join(instead(fit, weighed)),
    )


def free_bytes(directory: str | os.PathLike[str]) -> int:
    """Free bytes on the disk of a directory, whether it is there yet or not."""
    import shutil

    place = Path(directory).absolute()
    while not os.path.exists(place) and place != place.parent:
        place = place.parent
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return 0


def instead(fit: Fit, weighed: Weighed) -> list[str]:
    """What to do about a count, or a numbering, that is infeasible: the nearest questions that can be answered."""
    way, task, needs = fit.way, fit.task, weighed.needs
    if way is RECURRENCE:
        return ["count_recurrence(board) or `count --growth recurrence` gives the rule for all lengths"]
    estimate = "estimate_count(board) or `count --estimate N` estimates the number"
    if way is QUOTIENT:
        is_least = task.symmetry in ("90", "270")
        return [f"{estimate} of all tours", *([] if is_least else _fewer_tours(task.problem, weighed.limit))]
    ways = [estimate]
    if way.on_disk and not task.keep and needs is not None and needs.bytes < _LARGE_DISK:
        option = " (checkpoint=, --checkpoint DIR)" if weighed.disk is None else ""
        ways[:0] = [
            f"give a directory on a disk with {in_words(int(needs.bytes))} free{option}",
            "share it out to several machines (workers=, --workers)",
        ]
    if task.keep:
        return [*ways, "sample_tours(board, n) draws random tours"]
    return [*ways, *_fewer_tours(task.problem, weighed.limit), *_fewer_rows(task.problem, weighed.limit)]


def _fewer_tours(problem: Problem, limit: int) -> list[str]:
    """The advice to count the tours with a symmetry instead, if there is one whose tours can be counted."""
    board = problem.board
    if problem.start is not None or problem.end is not None or board.square_count > _MOST_SYMMETRIC_SQUARES:
        return []
    names = [symmetry.name for symmetry in symmetries(board) if symmetry.name != "identity"]
    for name in [turn for turn in ("90", "180") if turn in names] or names[:1]:
        try:
            fit = QUOTIENT.fit(Task(problem, name))
        except ProblemError:
            continue
        needs = None if fit is None or not fit.found.plans else QUOTIENT.needs(fit)
        if needs is not None and needs.bytes < limit:
            return [f"tours with a symmetry are far fewer (symmetry=, --symmetry {name})"]
    return []


def _fewer_rows(problem: Problem, limit: int) -> list[str]:
    """The advice to count a plain board of fewer rows, the first that has tours and can be counted."""
    board = problem.board
    rows, cols = sorted((board.rows, board.cols))
    if not board.is_rectangle or problem.has_given_end or problem.asked or cols > _MOST_COLS:
        return []
    for fewer in range(min(rows - 1, 9), 4, -1):
        smaller = find_way(Task(Problem.of((fewer, cols), closed=problem.closed)))
        if smaller.found.proof is None and not (found := weigh(smaller, limit)).is_refused(smaller):
            time = "" if found.needs is None else f", in about {in_time(found.needs.seconds)}"
            return [f"the nearest board that is counted in this memory is {fewer}x{cols}{time}"]
    return []
