"""What a count would take, told before it is begun: by which way, how many states, how much memory, how much time.

A board that is out of reach is refused at once, rather than after the minutes until the memory is full. The figures
are estimates (needs.py), so the refusal is generous: a board is refused only where a count that took far less than
estimated, `Needs.margin` times less, would still not fit. What is bound to fit is not reckoned at all, so that counts
of small boards take no longer for it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from knightstour import arguments
from knightstour.board import BoardLike, Square
from knightstour.counting import narrow
from knightstour.counting.cut import Cut, count_without_cut, make_cut
from knightstour.counting.forecast import guess_states, most_states
from knightstour.counting.needs import (
    HALF_STATE_BYTES,
    KEPT_STATE_BYTES,
    KEPT_WAY_BYTES,
    NUMBERED_BYTES,
    STATE_BYTES,
    Needs,
    in_figures,
    in_time,
    needs_of_halves,
    needs_of_quotients,
    needs_of_recurrence,
    needs_of_states,
    sum_bytes,
)
from knightstour.counting.stores import HALVES_SHARE
from knightstour.counting.symmetric import check_classes, symmetric_plans
from knightstour.errors import BoardError, ProblemError
from knightstour.frontier_plan import Plan, make_plan
from knightstour.given import amount, flag
from knightstour.memory import available_bytes, in_words
from knightstour.result import Problem
from knightstour.symmetry import symmetries

# What to do about a board so long that its number does not fit into memory.
_SHORTER = "narrow_recurrence(rows, closed=...) or `count --recurrence` gives the rule for all lengths"
# Up to so many states of the widest layer are made by the interpreter, in less time than the compiled code is loaded.
_FEW_STATES = 3_000
# From so many squares on five rows are counted column by column, after seconds for finding their states.
_LONG_SQUARES = 2_000
# States may take this share of the memory that is free.
STATES_SHARE = 0.6
# Up to so many squares tours with a symmetry may be counted where others cannot.
_MOST_SYMMETRIC_SQUARES = 120
# No disk that is likely to be had holds more.
_LARGE_DISK = 20e12


# ---------------------------------------------------------------- by which way


def has_recurrence(problem: Problem) -> bool:
    """Whether the question is one that narrow.py answers: about a plain board of few rows, or of five and very long."""
    rows, _ = sorted((problem.board.rows, problem.board.cols))
    if not problem.board.is_rectangle or problem.has_given_end:
        return False
    is_long = problem.board.square_count > _LONG_SQUARES
    return narrow.has_recurrence(rows, closed=problem.closed) or (
        is_long and narrow.has_transfer(rows, closed=problem.closed)
    )


def way_of(problem: Problem, *, keeps_files: bool = False) -> str:
    """How a question without a proof is counted: "recurrence", "states" or "halves". keeps_files: with a checkpoint.

    >>> [way_of(Problem.of(board, closed=True)) for board in ((4, 9), (8, 8), (9, 10))]
    ['recurrence', 'halves', 'states']
    """
    if has_recurrence(problem):
        return "recurrence"
    if problem.board.square_count == 1 or (not keeps_files and _is_small(problem)):
        return "states"
    return "states" if make_cut(problem) is None else "halves"


def _is_small(problem: Problem) -> bool:
    if problem.board.square_count > 100:
        return False
    widest, _ = guess_states(make_plan(problem))
    return widest <= _FEW_STATES


@dataclass(frozen=True, slots=True)
class CountPlan:
    """What a count would take; the figures are estimates.

    problem: the question. way: "proof" (then `reason` tells why there are none, and `source` whence that is known),
    "recurrence", "states", "halves" or, with a symmetry, "quotient". widest, states: states of the widest layer, and of
    all. bytes: memory, or disk with a checkpoint. seconds: of one processor. is_least: these are lower bounds, the true
    figures being beyond all reach. margin: the count is refused only if even so many times less would not fit. limit:
    bytes of memory that may be used. disk: bytes free for the checkpoint, or None without one. is_refused: whether the
    count would be refused. instead: what to do then. symmetry, up_to_symmetry: as asked; classes take what all tours
    take, by the `way`, and what those with each symmetry take.
    """

    problem: Problem
    way: str
    reason: str = ""
    source: str = ""
    widest: float = 0.0
    states: float = 0.0
    bytes: float = 0.0
    seconds: float = 0.0
    is_least: bool = False
    margin: float = 1.0
    limit: int = 0
    disk: int | None = None
    is_refused: bool = False
    instead: tuple[str, ...] = ()
    symmetry: str | None = None
    up_to_symmetry: bool = False

    @property
    def has_figures(self) -> bool:
        """Whether there is anything to estimate: not where a proof or a recurrence is all it takes."""
        return self.way in ("states", "halves", "quotient") or self.states > 0 or self.bytes > 0

    def __str__(self) -> str:
        what = what_is_counted(self.problem, self.symmetry, self.up_to_symmetry)
        if self.way == "proof":
            return f"there are no {self.problem.plural}: {self.reason}"
        if not self.has_figures:
            return f"{what}: by a recurrence, at once"
        least = "at least" if self.is_least else "about"
        by = "a recurrence" if self.way == "recurrence" else self.way
        states = f"{in_figures(self.states)} states, {in_figures(self.widest)} at once, " if self.states else ""
        return (
            f"{what}: by {by}, {least} {states}{in_words(int(self.bytes))}, {in_time(self.seconds)} of processor time"
            + (", which is out of reach" if self.is_refused else "")
        )


def plan_count(
    board: BoardLike,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    symmetry: str | None = None,
    up_to_symmetry: bool = False,
    memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> CountPlan:
    """What count_tours would do for these arguments, and what it would take, without counting: in about a second, and
    in a few for boards of many squares.

    memory: bytes that may be used, by default most of what is free. checkpoint: a directory for layers on disk.
    Raises BoardError and ProblemError for questions that make no sense, as count_tours does.

    >>> plan = plan_count((8, 8), closed=True)
    >>> plan.way, plan.is_refused, round(plan.states)
    ('halves', False, 43400000)
    >>> plan_count((12, 12), closed=True).is_refused
    True
    >>> print(plan_count((4, 100)))
    open tours of the 4x100 board: by a recurrence, at once
    >>> [plan_count((10, 10), closed=True, symmetry=turn, memory=10**10).is_refused for turn in ("90", "180")]
    [False, True]
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    limit = amount(memory, "memory")
    up_to_symmetry = flag(up_to_symmetry, "up_to_symmetry")
    check_symmetry(problem, symmetry, up_to_symmetry)
    if symmetry is not None:
        if checkpoint is not None:
            raise ProblemError("a count of symmetric tours keeps nothing on disk", help="leave out the checkpoint")
        return _plan_quotients(problem, symmetry, limit)
    plan = _plan_all(problem, limit, checkpoint)
    return _plan_classes(plan, limit) if up_to_symmetry else plan


def _plan_all(problem: Problem, limit: int | None, checkpoint: str | os.PathLike[str] | None) -> CountPlan:
    """The plan of a count of all tours."""
    proof = arguments.known_proof(problem)
    if proof is not None:
        return CountPlan(problem, "proof", proof.reason, proof.source)
    way = way_of(problem, keeps_files=checkpoint is not None)
    if way == "recurrence":
        return _plan_recurrence(problem, limit)
    if count_without_cut(problem) is not None:
        return CountPlan(problem, way)
    disk = None
    if way == "halves":
        cut = make_cut(problem)
        assert cut is not None
        needs = needs_of_halves(problem, cut)
        limit = int(available_bytes() * HALVES_SHARE) if limit is None else limit
        disk = None if checkpoint is None else free_bytes(checkpoint)
    else:
        needs = needs_of_states(problem, make_plan(problem))
        limit = int(available_bytes() * STATES_SHARE) if limit is None else limit
    return _with_figures(
        *(CountPlan(problem, way), needs, limit, disk),
        lambda: _instead(problem, needs, limit, disk, keep=False, by_halves=way == "halves"),
    )


def _plan_recurrence(problem: Problem, limit: int | None) -> CountPlan:
    """The plan of a count on a board of few rows."""
    if problem.board.square_count <= _LONG_SQUARES:
        return CountPlan(problem, "recurrence")
    limit = available_bytes() if limit is None else limit
    needs = needs_of_recurrence(problem)
    return _with_figures(CountPlan(problem, "recurrence"), needs, limit, None, lambda: [_SHORTER])


def _plan_quotients(problem: Problem, symmetry: str | None, limit: int | None) -> CountPlan:
    """The plan of a count of the tours with a symmetry; of those with each for None."""
    needs = needs_of_quotients(problem.board, symmetric_plans(problem.board, symmetry, closed=problem.closed))
    limit = available_bytes() if limit is None else limit
    return _with_figures(
        *(CountPlan(problem, "quotient", symmetry=symmetry), needs, limit, None),
        lambda: _instead_of_quotients(problem, symmetry, limit),
    )


def _with_figures(
    plan: CountPlan, needs: Needs, limit: int, disk: int | None, instead: Callable[[], list[str]]
) -> CountPlan:
    """The plan with what the count needs, and whether it is refused. instead: tells what to do then."""
    is_refused = needs.are_beyond(limit, disk)
    return replace(
        plan,
        widest=needs.widest,
        states=needs.states,
        bytes=needs.bytes + needs.base_bytes,
        seconds=needs.seconds,
        is_least=needs.is_least,
        margin=needs.margin,
        limit=limit,
        disk=disk,
        is_refused=is_refused,
        instead=tuple(instead()) if is_refused else (),
    )


def _plan_classes(plan: CountPlan, limit: int | None) -> CountPlan:
    """The plan of a count of classes, for that of all tours."""
    check_classes(plan.problem.board, closed=plan.problem.closed)
    if plan.way == "proof":
        return replace(plan, up_to_symmetry=True)
    each = _plan_quotients(plan.problem, None, limit)
    # What is refused tells why; and else the one that takes more memory.
    larger = max(plan, each, key=lambda one: (one.is_refused, one.bytes))
    return replace(
        larger,
        way=plan.way,
        widest=max(plan.widest, each.widest),
        states=plan.states + each.states,
        bytes=max(plan.bytes, each.bytes),
        seconds=plan.seconds + each.seconds,
        is_least=plan.is_least or each.is_least,
        disk=plan.disk,
        up_to_symmetry=True,
    )


def check_symmetry(problem: Problem, symmetry: str | None, up_to_symmetry: bool) -> None:
    """A ProblemError for a symmetry, or classes, where they make no sense."""
    if (symmetry is not None or up_to_symmetry) and (problem.start is not None or problem.end is not None):
        raise ProblemError(
            "counts by symmetry are of all tours", help="leave out the start and the end, or the symmetry"
        )
    if symmetry is not None and up_to_symmetry:
        raise ProblemError("classes are counted of all tours", help="leave out the symmetry, or the classes")


def what_is_counted(problem: Problem, symmetry: str | None, up_to_symmetry: bool) -> str:
    """A question about symmetric tours, or classes, as a sentence would say it.

    >>> what_is_counted(Problem.of((8, 8), closed=True), "180", False)
    'closed tours of the 8x8 board with symmetry 180'
    """
    if up_to_symmetry:
        return f"classes of {problem.plural}"
    return problem.plural + ("" if symmetry is None else f" with symmetry {symmetry}")


# ---------------------------------------------------------------- what is refused


def refuse_states(problem: Problem, plan: Plan, most_bytes: int, *, keep: bool) -> None:
    """A BoardError where the states of a question could never be held, before any is made."""
    widths = [mask.bit_count() for mask in plan.present]
    most = most_states(max(widths)) * STATE_BYTES
    if keep:
        most += sum(most_states(width) for width in widths) * (KEPT_STATE_BYTES + 4 * KEPT_WAY_BYTES)
    if most > most_bytes:
        _refuse(problem, needs_of_states(problem, plan, keep=keep), most_bytes, None, keep=keep, by_halves=False)


def refuse_halves(problem: Problem, limit: int | None, directory: str | os.PathLike[str] | None) -> None:
    """The same for a count by halves. limit: bytes of memory, None for most of what is free. directory: of a
    checkpoint, where layers are written, which may be larger than the memory."""
    cut = make_cut(problem)
    if cut is None:
        return
    most_bytes = int(available_bytes() * HALVES_SHARE) if limit is None else limit
    most = most_states(max(cut.left.slots, cut.right.slots) + 1) * 3 * HALF_STATE_BYTES
    disk = None if directory is None else free_bytes(directory)
    if most > (most_bytes if disk is None else min(most_bytes, disk)):
        _refuse(problem, needs_of_halves(problem, cut), most_bytes, disk, keep=False, by_halves=True)


def refuse_halves_space(problem: Problem, cut: Cut, most_bytes: int) -> None:
    """The same for halves of which all layers are kept."""
    steps = len(cut.left.steps) + (0 if cut.is_even else len(cut.right.steps))
    if most_states(max(cut.left.slots, cut.right.slots) + 1) * steps * NUMBERED_BYTES > most_bytes:
        _refuse(problem, needs_of_halves(problem, cut, keep=True), most_bytes, None, keep=True, by_halves=True)


def refuse_recurrence(problem: Problem, limit: int | None) -> None:
    """The same for a board of few rows, whose number would not fit into memory."""
    if problem.board.square_count <= _LONG_SQUARES:
        return
    most_bytes = available_bytes() if limit is None else limit
    needs = needs_of_recurrence(problem)
    if needs.are_beyond(most_bytes, None):
        raise _refusal(f"counting the {problem.plural}", needs, most_bytes, None, [_SHORTER])


def refuse_quotients(
    problem: Problem, plans: Sequence[Plan], limit: int | None, what: str, symmetry: str | None = None
) -> None:
    """The same for a count that goes through these quotients. what: what is counted."""
    most_bytes = available_bytes() if limit is None else limit
    large = [
        plan
        for plan in plans
        if 3.5 * sum_bytes(plan) * most_states(max(mask.bit_count() for mask in plan.present)) > most_bytes
    ]
    needs = needs_of_quotients(problem.board, large)
    if needs.are_beyond(most_bytes, None):
        ways = _instead_of_quotients(problem, symmetry, most_bytes)
        raise _refusal(f"counting the {what}", needs, most_bytes, None, ways)


def free_bytes(directory: str | os.PathLike[str]) -> int:
    """Free bytes on the disk of a directory, whether it is there yet or not."""
    place = Path(directory).absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return 0


def _refuse(problem: Problem, needs: Needs, most_bytes: int, disk: int | None, *, keep: bool, by_halves: bool) -> None:
    if not needs.are_beyond(most_bytes, disk):
        return
    doing = f"{'numbering' if keep else 'counting'} the {problem.plural}"
    ways = _instead(problem, needs, most_bytes, disk, keep=keep, by_halves=by_halves)
    raise _refusal(doing, needs, most_bytes, disk, ways)


def _refusal(doing: str, needs: Needs, most_bytes: int, disk: int | None, ways: list[str]) -> BoardError:
    least = "at least" if needs.is_least else "about"
    allowed = f"{in_words(most_bytes)} of memory may be used"
    if disk is not None:
        allowed += f", and {in_words(disk)} of disk are free"
    states = f": {least} {in_figures(needs.widest)} states at once, {in_figures(needs.states)} in all"
    return BoardError(
        f"{doing} is out of reach{states if needs.states else ''}",
        note=f"that takes {least} {in_words(int(needs.bytes + needs.base_bytes))} and "
        f"{in_time(needs.seconds)} of processor time; {allowed}, and the estimate would have to be more than "
        f"{needs.margin:g} times too high for that to do",
        help="; ".join(ways),
    )


def _instead(problem: Problem, needs: Needs, limit: int, disk: int | None, *, keep: bool, by_halves: bool) -> list[str]:
    """What to do about it."""
    ways = []
    size = in_words(int(needs.bytes))
    if by_halves and not keep and needs.bytes < _LARGE_DISK:
        if disk is None:
            ways.append(f"give a directory on a disk with {size} free (checkpoint=, --checkpoint DIR)")
        else:
            ways.append(f"give a directory on a disk with {size} free")
        ways.append("share it out to several machines (workers=, --scheduler)")
    ways.append("estimate_count(board) or `count --estimate N` estimates the number")
    if keep:
        ways.append("sample_tours(board, n) draws random tours")
    else:
        ways += _fewer_tours(problem, limit)
    return ways


def _instead_of_quotients(problem: Problem, symmetry: str | None, limit: int) -> list[str]:
    """What to do about a count of tours with a symmetry, or of classes, that is out of reach."""
    ways = ["estimate_count(board) or `count --estimate N` estimates the number of all tours"]
    return ways + (_fewer_tours(problem, limit) if symmetry not in ("90", "270") else [])


def _fewer_tours(problem: Problem, limit: int) -> list[str]:
    """A symmetry of which the tours can be counted, if there is one."""
    board = problem.board
    if problem.start is not None or problem.end is not None or board.square_count > _MOST_SYMMETRIC_SQUARES:
        return []
    names = [symmetry.name for symmetry in symmetries(board) if symmetry.name != "identity"]
    for name in [turn for turn in ("90", "180") if turn in names] or names[:1]:
        try:
            plans = symmetric_plans(board, name, closed=problem.closed)
        except ProblemError:
            continue
        if plans and needs_of_quotients(board, plans).bytes < limit:
            return [f"tours with a symmetry are far fewer (symmetry=, --symmetry {name})"]
    return []
