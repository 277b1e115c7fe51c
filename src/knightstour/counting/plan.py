"""What a count would take, told before it is begun: by which way, how many states, how much memory, how much time.

A board that is out of reach is refused at once, rather than after the minutes until the memory is full. The figures
are estimates (forecast.py), so the refusal is generous: a board is refused only where a count that took far less than
estimated, `Needs.margin` times less, would still not fit. What is bound to fit is not reckoned at all, so that counts
of small boards take no longer for it.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from knightstour import arguments
from knightstour.board import BoardLike, Square
from knightstour.counting import narrow
from knightstour.counting.cut import Cut, count_without_cut, make_cut
from knightstour.counting.forecast import forecast_halves, forecast_states, guess_states, most_states
from knightstour.counting.stores import HALVES_SHARE
from knightstour.errors import BoardError
from knightstour.frontier_plan import Plan, make_plan
from knightstour.given import amount
from knightstour.memory import available_bytes, in_words
from knightstour.result import Problem
from knightstour.symmetry import symmetries

# Up to so many states of the widest layer are made by the interpreter, in less time than the compiled code is loaded.
_FEW_STATES = 3_000
# From so many squares on five rows are counted column by column, after seconds for finding their states.
_LONG_SQUARES = 2_000
# An estimate may be so many times too high. The worst of ninety boards was four times, but for small ones.
_MARGIN = 8.0
# Where the layers of the very question are known.
_KNOWN_MARGIN = 1.5

# Bytes and seconds of one processor, measured. For a state of the widest layer, in states.py: its key, its place in the
# table, its ways and its count, in arrays that have doubled.
_STATE_BYTES = 130
# For each state and each way of all layers when they are kept: its completions and its place, its target and its code.
_KEPT_STATE_BYTES, _KEPT_WAY_BYTES = 20, 8
_WAY_SECONDS = 0.45e-6
# For a state of a half, a class of all layers, a class of the layer at work; and, all layers kept, for each state.
_HALF_STATE_BYTES, _CLASS_BYTES, _EDGE_BYTES, _NUMBERED_BYTES = 16, 8, 200, 18
_PULL_SECONDS, _CLASS_SECONDS, _JOIN_SECONDS = 25e-9, 0.7e-6, 50e-6
# States may take this share of the memory that is free.
STATES_SHARE = 0.6
# Up to so many squares tours with a symmetry may be counted where others cannot.
_MOST_SYMMETRIC_SQUARES = 120
# No disk that is likely to be had holds more.
_LARGE_DISK = 20e12

# 8 x n without given ends: widest layer, states of all layers, states looked at. As they were counted, an odd board as
# the next one; but 8x10 open was reckoned class by class, and is wider rather than narrower.
_EIGHT_CLOSED = {
    8: (1.14e7, 4.34e7, 7.67e7),
    10: (1.7e8, 7.0e8, 1.65e9),
    12: (2.46e8, 2.11e9, 5.46e9),
    14: (2.5e8, 3.63e9, 9.65e9),
}
_EIGHT_OPEN = {8: (2.0e8, 2.13e9, 3.6e9), 10: (1.0e9, 1.0e10, 2.4e10)}


class Needs(NamedTuple):
    """What a count takes, estimates all. widest: states of the widest layer. states: of all layers. bytes: of states,
    in memory or on disk, the most at any time. base_bytes: what must be in memory in any case. seconds: of one
    processor. is_least: the figures stand for so much or more. margin: they may be so many times too high."""

    widest: float
    states: float
    bytes: float
    base_bytes: float
    seconds: float
    is_least: bool
    margin: float


def needs_of_states(problem: Problem, plan: Plan, *, keep: bool = False) -> Needs:
    """What it takes to make all states by states.py, and to keep them."""
    found = forecast_states(problem, plan)
    size = found.widest * _STATE_BYTES
    if keep:
        size += found.total * _KEPT_STATE_BYTES + found.looked_at * _KEPT_WAY_BYTES
    return Needs(found.widest, found.total, size, 0.0, found.looked_at * _WAY_SECONDS, found.is_cut_off, _MARGIN)


def needs_of_halves(problem: Problem, cut: Cut, *, keep: bool = False) -> Needs:
    """What it takes to count by halves, and to keep all layers. keep: for a cut that is not folded."""
    found = forecast_halves(problem, cut)
    known = _known(problem)
    widest, total, looked_at, margin = found.widest, found.total, found.looked_at, _MARGIN
    if known is not None:
        # Kept layers are not folded, so they are twice as large.
        widest, total, looked_at = (x * (1 if cut.is_folded else 2) for x in known)
        margin = _KNOWN_MARGIN
    layers = found.states * (widest / found.widest)
    if keep:
        size = total * _NUMBERED_BYTES
    else:
        two = layers[:-1] + layers[1:]
        # While the right half is made, the last layer of the left half waits.
        two[found.left_layers :] += layers[found.left_layers - 1]
        size = float(two.max(initial=1.0)) * _HALF_STATE_BYTES
    base = float(found.classes.sum()) * _CLASS_BYTES + float(found.classes.max(initial=1.0)) * _EDGE_BYTES
    joins = float(found.classes[found.left_layers - 1])
    seconds = looked_at * _PULL_SECONDS + float(found.classes.sum()) * _CLASS_SECONDS + joins * _JOIN_SECONDS
    return Needs(widest, total, size, base, seconds, found.is_cut_off, margin)


def _known(problem: Problem) -> tuple[float, float, float] | None:
    board = problem.board
    rows, cols = sorted((board.rows, board.cols))
    if not board.is_rectangle or rows != 8 or problem.has_given_end:
        return None
    table = _EIGHT_CLOSED if problem.closed else _EIGHT_OPEN
    even = cols + cols % 2
    if even in table:
        return table[even]
    last = max(table)
    widest, total, looked_at = table[last]
    # Two columns more are two columns of the widest layers.
    before = table[last - 2]
    steps = (even - last) // 2
    return widest, total + steps * (total - before[1]), looked_at + steps * (looked_at - before[2])


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
    "recurrence", "states" or "halves". widest, states: states of the widest layer, and of all. bytes: memory, or disk
    with a checkpoint. seconds: of one processor. is_least: these are lower bounds, the true figures being beyond all
    reach. margin: the count is refused only if even so many times less would not fit. limit: bytes of memory that may
    be used. disk: bytes free for the checkpoint, or None without one. is_refused: whether the count would be refused.
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

    def __str__(self) -> str:
        if self.way == "proof":
            return f"there are no {self.problem.plural}: {self.reason}"
        if self.way == "recurrence":
            return f"{self.problem.plural}: by a recurrence, at once"
        least = "at least" if self.is_least else "about"
        return (
            f"{self.problem.plural}: by {self.way}, {least} {in_figures(self.states)} states, "
            f"{in_figures(self.widest)} at once, {in_words(int(self.bytes))}, {in_time(self.seconds)} of processor time"
            + (", which is out of reach" if self.is_refused else "")
        )


def plan_count(
    board: BoardLike,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> CountPlan:
    """What count_tours would do for these arguments, and what it would take, without counting: in under a second.

    memory: bytes that may be used, by default most of what is free. checkpoint: a directory for layers on disk.

    >>> plan = plan_count((8, 8), closed=True)
    >>> plan.way, plan.is_refused, round(plan.states)
    ('halves', False, 43400000)
    >>> plan_count((12, 12), closed=True).is_refused
    True
    >>> print(plan_count((4, 100)))
    open tours of the 4x100 board: by a recurrence, at once
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    limit = amount(memory, "memory")
    proof = arguments.known_proof(problem)
    if proof is not None:
        return CountPlan(problem, "proof", proof.reason, proof.source)
    way = way_of(problem, keeps_files=checkpoint is not None)
    if way == "recurrence" or count_without_cut(problem) is not None:
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
    is_refused = _lacks(needs, limit, disk)
    size = needs.bytes + needs.base_bytes
    return CountPlan(
        *(problem, way, "", "", needs.widest, needs.states, size, needs.seconds, needs.is_least, needs.margin),
        *(limit, disk, is_refused),
        tuple(_instead(problem, needs, disk, keep=False, by_halves=way == "halves")) if is_refused else (),
    )


# ---------------------------------------------------------------- what is refused


def refuse_states(problem: Problem, plan: Plan, most_bytes: int, *, keep: bool) -> None:
    """A BoardError where the states of a question could never be held, before any is made."""
    widths = [mask.bit_count() for mask in plan.present]
    most = most_states(max(widths)) * _STATE_BYTES
    if keep:
        most += sum(most_states(width) for width in widths) * (_KEPT_STATE_BYTES + 4 * _KEPT_WAY_BYTES)
    if most > most_bytes:
        _refuse(problem, needs_of_states(problem, plan, keep=keep), most_bytes, None, keep=keep, by_halves=False)


def refuse_halves(problem: Problem, limit: int | None, directory: str | os.PathLike[str] | None) -> None:
    """The same for a count by halves. limit: bytes of memory, None for most of what is free. directory: of a
    checkpoint, where layers are written, which may be larger than the memory."""
    cut = make_cut(problem)
    if cut is None:
        return
    most_bytes = int(available_bytes() * HALVES_SHARE) if limit is None else limit
    most = most_states(max(cut.left.slots, cut.right.slots) + 1) * 3 * _HALF_STATE_BYTES
    disk = None if directory is None else free_bytes(directory)
    if most > (most_bytes if disk is None else min(most_bytes, disk)):
        _refuse(problem, needs_of_halves(problem, cut), most_bytes, disk, keep=False, by_halves=True)


def refuse_halves_space(problem: Problem, cut: Cut, most_bytes: int) -> None:
    """The same for halves of which all layers are kept."""
    steps = len(cut.left.steps) + (0 if cut.is_even else len(cut.right.steps))
    if most_states(max(cut.left.slots, cut.right.slots) + 1) * steps * _NUMBERED_BYTES > most_bytes:
        _refuse(problem, needs_of_halves(problem, cut, keep=True), most_bytes, None, keep=True, by_halves=True)


def free_bytes(directory: str | os.PathLike[str]) -> int:
    """Free bytes on the disk of a directory, whether it is there yet or not."""
    place = Path(directory).absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return 0


def _lacks(needs: Needs, most_bytes: int, disk: int | None) -> bool:
    """Whether even a count that takes `margin` times less does not fit."""
    if needs.base_bytes / needs.margin > most_bytes:
        return True
    # Each layer is written to the checkpoint, so the disk must hold them whatever the memory does.
    return needs.bytes / needs.margin > (most_bytes if disk is None else disk)


def _refuse(problem: Problem, needs: Needs, most_bytes: int, disk: int | None, *, keep: bool, by_halves: bool) -> None:
    if not _lacks(needs, most_bytes, disk):
        return
    least = "at least" if needs.is_least else "about"
    doing = "numbering" if keep else "counting"
    allowed = f"{in_words(most_bytes)} of memory may be used"
    if disk is not None:
        allowed += f", and {in_words(disk)} of disk are free"
    raise BoardError(
        f"{doing} the {problem.plural} is out of reach: {least} {in_figures(needs.widest)} states at "
        f"once, {in_figures(needs.states)} in all",
        note=f"that takes {least} {in_words(int(needs.bytes + needs.base_bytes))} and "
        f"{in_time(needs.seconds)} of processor time; {allowed}, and the estimate would have to be more than "
        f"{needs.margin:g} times too high for that to do",
        help="; ".join(_instead(problem, needs, disk, keep=keep, by_halves=by_halves)),
    )


def _instead(problem: Problem, needs: Needs, disk: int | None, *, keep: bool, by_halves: bool) -> list[str]:
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
    if not keep and problem.closed and problem.board.square_count <= _MOST_SYMMETRIC_SQUARES:
        names = [symmetry.name for symmetry in symmetries(problem.board) if symmetry.name != "identity"]
        if names:
            name = next((turn for turn in ("90", "180") if turn in names), names[0])
            ways.append(f"tours with a symmetry are far fewer (symmetry=, --symmetry {name})")
    if keep:
        ways.append("sample_tours(board, n) draws random tours")
    return ways


def in_figures(count: float) -> str:
    """An estimated number for people, in two figures.

    >>> in_figures(3.0), in_figures(12345), in_figures(2.46e8)
    ('3', '12,000', '2.5e8')
    """
    if count < 1e6:
        return f"{float(f'{count:.2g}'):,.0f}"
    return f"{count:.1e}".replace("e+0", "e").replace("e+", "e")


def in_time(seconds: float) -> str:
    """A time for people.

    >>> in_time(3), in_time(7200), in_time(1e7), in_time(1e15)
    ('3 s', '2 hours', '4 months', 'millions of years')
    """
    if seconds < 1:
        return "under a second"
    for unit, size, most in (
        ("s", 1, 100),
        ("min", 60, 100),
        ("hours", 3600, 48),
        ("days", 86_400, 60),
        ("months", 2.63e6, 24),
        ("years", 3.156e7, 1e4),
    ):
        if seconds < size * most:
            return f"{seconds / size:.0f} {unit}"
    return "thousands of years" if seconds < 3.156e13 else "millions of years"
