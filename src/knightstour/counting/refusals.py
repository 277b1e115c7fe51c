"""Counts that are refused because they would take too much, and what to do instead."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from knightstour.counting.forecast import most_states
from knightstour.counting.halves.cut import Cut
from knightstour.counting.halves.stores import HALVES_SHARE
from knightstour.counting.needs import (
    HALF_STATE_BYTES,
    KEPT_STATE_BYTES,
    KEPT_WAY_BYTES,
    NUMBERED_BYTES,
    STATE_BYTES,
    Needs,
    needs_of_giant,
    needs_of_halves,
    needs_of_quotients,
    needs_of_recurrence,
    needs_of_states,
    sum_bytes,
)
from knightstour.counting.symmetric import symmetric_plans
from knightstour.machine.memory import available_bytes
from knightstour.model.errors import BoardError, ProblemError
from knightstour.model.problem import Problem
from knightstour.model.symmetry import symmetries
from knightstour.model.wording import in_figures, in_time, in_words
from knightstour.search.frontier.plan import Plan

# What to do about a board so long that its number does not fit into memory.
SHORTER = "count_recurrence(board) or `count --growth recurrence` gives the rule for all lengths"
# Boards of five rows with more squares than this are counted column by column, which takes seconds to prepare.
LONG_SQUARES = 2_000
# States may take this share of the memory that is free.
STATES_SHARE = 0.6
# Boards with more squares than this are too large even for tours with a symmetry.
_MOST_SYMMETRIC_SQUARES = 120
# No disk that is likely to be had holds more.
_LARGE_DISK = 20e12


def refuse_states(problem: Problem, plan: Plan, most_bytes: int, *, keep: bool) -> None:
    """A BoardError where the states of a question could never be held, before any is made."""
    widths = [mask.bit_count() for mask in plan.present]
    most = most_states(max(widths)) * STATE_BYTES
    if keep:
        most += sum(most_states(width) for width in widths) * (KEPT_STATE_BYTES + 4 * KEPT_WAY_BYTES)
    if most > most_bytes:
        _refuse(problem, needs_of_states(problem, plan, keep=keep), most_bytes, None, keep=keep, by_halves=False)


def refuse_giant(problem: Problem, limit: int | None, *, keep: bool = False) -> None:
    """A BoardError for a board so large that not even the moves on it need to be looked at. keep: with all layers."""
    needs = needs_of_giant(problem, keep=keep)
    if needs is not None:
        most_bytes = int(available_bytes() * STATES_SHARE) if limit is None else limit
        _refuse(problem, needs, most_bytes, None, keep=keep, by_halves=False)


def refuse_halves(
    problem: Problem,
    cut: Cut,
    limit: int | None,
    directory: str | os.PathLike[str] | None = None,
    parts: int | None = None,
) -> None:
    """The same for a count by halves. limit: bytes of memory, None for most of what is free. directory: of a
    checkpoint, where layers are written, which may be larger than the memory. parts: of each half."""
    most_bytes = int(available_bytes() * HALVES_SHARE) if limit is None else limit
    most = most_states(max(cut.left.slots, cut.right.slots) + 1) * 3 * HALF_STATE_BYTES
    disk = None if directory is None else free_bytes(directory)
    if most > (most_bytes if disk is None else min(most_bytes, disk)):
        needs = needs_of_halves(problem, cut, parts=parts)
        _refuse(problem, needs, most_bytes, disk, keep=False, by_halves=True)


def refuse_halves_space(problem: Problem, cut: Cut, most_bytes: int) -> None:
    """A BoardError where halves, with all layers kept, could never be held."""
    steps = len(cut.left.steps) + (0 if cut.is_even else len(cut.right.steps))
    if most_states(max(cut.left.slots, cut.right.slots) + 1) * steps * NUMBERED_BYTES > most_bytes:
        _refuse(problem, needs_of_halves(problem, cut, keep=True), most_bytes, None, keep=True, by_halves=True)


def refuse_recurrence(problem: Problem, limit: int | None) -> None:
    """A BoardError for a board of few rows and such a length that the number of tours does not fit into memory."""
    if problem.board.square_count <= LONG_SQUARES:
        return
    most_bytes = available_bytes() if limit is None else limit
    needs = needs_of_recurrence(problem)
    if needs.are_beyond(most_bytes, None):
        raise _refusal(f"counting the {problem.plural}", needs, most_bytes, None, [SHORTER])


def refuse_quotients(
    problem: Problem, plans: Sequence[Plan], limit: int | None, what: str, symmetry: str | None = None
) -> None:
    """A BoardError where the quotients with these plans could never be held. what: what is counted."""
    most_bytes = available_bytes() if limit is None else limit
    large = [
        plan
        for plan in plans
        if 3.5 * sum_bytes(plan) * most_states(max(mask.bit_count() for mask in plan.present)) > most_bytes
    ]
    needs = needs_of_quotients(problem.board, large)
    if needs.are_beyond(most_bytes, None):
        ways = instead_of_quotients(problem, symmetry, most_bytes)
        raise _refusal(f"counting the {what}", needs, most_bytes, None, ways)


def free_bytes(directory: str | os.PathLike[str]) -> int:
    """Free bytes on the disk of a directory, whether it is there yet or not."""
    place = Path(directory).absolute()
    while not os.path.exists(place) and place != place.parent:
        place = place.parent
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return 0


def _refuse(problem: Problem, needs: Needs, most_bytes: int, disk: int | None, *, keep: bool, by_halves: bool) -> None:
    if not needs.are_beyond(most_bytes, disk):
        return
    doing = f"{'numbering' if keep else 'counting'} the {problem.plural}"
    ways = instead(problem, needs, most_bytes, disk, keep=keep, by_halves=by_halves)
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
        f"{in_time(needs.seconds)} of processor time; {allowed}, and even {needs.margin:g} times less would be too "
        "much",
        help="; ".join(ways),
    )


def instead(problem: Problem, needs: Needs, limit: int, disk: int | None, *, keep: bool, by_halves: bool) -> list[str]:
    """What to do about a count, or a numbering if `keep`, that is out of reach."""
    ways = []
    size = in_words(int(needs.bytes + needs.kept_bytes))
    if by_halves and not keep and needs.bytes < _LARGE_DISK:
        if disk is None:
            ways.append(f"give a directory on a disk with {size} free (checkpoint=, --checkpoint DIR)")
        else:
            ways.append(f"give a directory on a disk with {size} free")
        ways.append("count in parts, each of which needs less memory (parts=, --parts N)")
        ways.append("share it out to several machines (workers=, --workers)")
    ways.append("estimate_count(board) or `count --estimate N` estimates the number")
    if keep:
        ways.append("sample_tours(board, n) draws random tours")
    else:
        ways += _fewer_tours(problem, limit)
    return ways


def instead_of_quotients(problem: Problem, symmetry: str | None, limit: int) -> list[str]:
    """What to do about a count of tours with a symmetry, or of classes, that is out of reach."""
    ways = ["estimate_count(board) or `count --estimate N` estimates the number of all tours"]
    return ways + (_fewer_tours(problem, limit) if symmetry not in ("90", "270") else [])


def _fewer_tours(problem: Problem, limit: int) -> list[str]:
    """The advice to count the tours with a symmetry instead, if there is one whose tours can be counted."""
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
