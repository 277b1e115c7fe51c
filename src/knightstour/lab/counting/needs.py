"""What a count will take: states, bytes and seconds, estimated from the forecast of its layers (forecast.py)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem
from knightstour.core.search.frontier.plan import Plan
from knightstour.lab.counting.bounds import passes_of
from knightstour.lab.counting.forecast import forecast_graph, forecast_halves, forecast_states, may_cross
from knightstour.lab.counting.halves.cut import SLOTS, Cut
from knightstour.lab.counting.narrow import narrow_effort

# How many times too high an estimate may be. The worst of ninety boards was four times, except for small ones.
_MARGIN = 8.0
# The quotients of boards by their symmetries are even, and the worst of 140 was 2.4 times too high.
_QUOTIENT_MARGIN = 4.0
# Where the layers of the very question are known, and where they are estimated from those of smaller boards.
_KNOWN_MARGIN, _NINE_MARGIN = 1.5, 2.0

# A knight's boards with such sides and longer ones have at least as many states; so have those of longer leapers.
_GIANT_SIDE, _GIANT_LAYERS = 24, (1e18, 1.4e18, 1.4e18)

# The length of a number is known well.
_NUMBER_MARGIN = 1.5
# Boards of few rows with more squares than this have numbers that take a while.
LONG_SQUARES = 2_000

# Bytes and seconds of one processor, measured. For a state of the widest layer, in states.py: its key, its place in the
# table, its ways and its count, in arrays that have doubled.
STATE_BYTES = 130
# For each state and each way of all layers when they are kept: its completions and its place, its target and its code.
KEPT_STATE_BYTES, KEPT_WAY_BYTES = 20, 8
_WAY_SECONDS = 0.45e-6
# For a state of a half, a class of all layers, a class of the layer at work; and, all layers kept, for each state.
HALF_STATE_BYTES, _CLASS_BYTES, _EDGE_BYTES, NUMBERED_BYTES = 16, 8, 200, 18
# The same at the most while they are made into arrays of a space, and in its file.
_SPACE_BYTES, _SPACE_FILE_BYTES = 30, 13
_PULL_SECONDS, _CLASS_SECONDS, _JOIN_SECONDS = 25e-9, 0.7e-6, 50e-6
_WIDE_PULL_SECONDS = 45e-9
# For a state in weighted.py: its sums and its place in the table, and each word of its key. A layer is held with twice
# its room while it grows, and the one before with half as much again.
_SUM_BYTES, _WORD_BYTES = 28, 8
_SUM_WAY_SECONDS = 1.5e-6

# 8 x n without given ends: widest layer, states of all layers, states looked at. These were counted; an odd length
# takes the figures of the next one. 8x10 open was estimated class by class, rather too wide than too narrow.
_EIGHT_CLOSED = {
    8: (1.14e7, 4.34e7, 7.67e7),
    10: (1.7e8, 7.0e8, 1.65e9),
    12: (2.46e8, 2.11e9, 5.46e9),
    14: (2.5e8, 3.63e9, 9.65e9),
    16: (2.5e8, 5.19e9, 1.394e10),
}
# The same of 9 x n, with the cut across nine squares. The layers of 6 and 8 were made. The
# last layer of 10 columns was, 2.37 billion states; the others are estimated to grow as these do; 12 from how boards of
# 8 rows go on.
_NINE_CLOSED = {
    6: (7.0e6, 1.16e7, 1.39e7),
    8: (2.12e8, 8.16e8, 1.47e9),
    10: (2.37e9, 1.1e10, 2.2e10),
    12: (3.0e9, 3.4e10, 7.2e10),
}
_NINE_COUNTED = 8
# 10x10 over 20 slots, which no kernel makes yet: estimated from 9x10, as the widest layers of 6 and of 8 rows are 35
# times as wide as those of a row less. A word of 20 slots and its count take 24 bytes, and half as much time more.
_TEN_CLOSED = (8e10, 4e11, 8e11)
_TEN_STATE_BYTES, _TEN_TIMES, _TEN_MARGIN = 24, 1.5, 4.0
# And the seconds that joining takes of 9 rows, of one processor.
_NINE_JOIN_SECONDS = {6: 10.0, 8: 1200.0, 10: 19000.0}
# Classes and the edges between them, which are as many for any length from 8 on.
_NINE_BASE_BYTES = 1.7e9
_EIGHT_OPEN = {8: (2.0e8, 2.13e9, 3.6e9), 10: (1.0e9, 1.0e10, 2.4e10)}
_KNOWN = {(8, True): _EIGHT_CLOSED, (8, False): _EIGHT_OPEN, (9, True): _NINE_CLOSED}


class Needs(NamedTuple):
    """What a count takes; all figures are estimates.

    widest: states of the widest layer. states: of all layers. bytes: of states, in memory or on disk, the most at any
    time. base_bytes: what must be in memory, even with a disk. seconds: of one processor. is_least: the figures are
    lower bounds. margin: how many times too high they may be. passes: how often the states are made, about;
    most_passes: at most. More than once if the counts are too long for a machine word.
    """

    widest: float
    states: float
    bytes: float
    base_bytes: float
    seconds: float
    is_least: bool
    margin: float
    passes: int = 1
    most_passes: int = 1

    def figures(self) -> dict[str, Any]:
        """The figures of a plan; all bytes are one."""
        figures = self._asdict()
        figures["bytes"] += figures.pop("base_bytes")
        return figures

    def are_beyond(self, most_bytes: int, disk: int | None) -> bool:
        """Whether even a count that takes `margin` times less does not fit into the memory, or the disk if given."""
        if self.base_bytes / self.margin > most_bytes:
            return True
        # Each layer is written to the checkpoint, so the disk must hold them whatever the memory does.
        if disk is None:
            return self.bytes / self.margin > most_bytes
        return self.bytes / self.margin > disk


def needs_of_states(problem: Problem, plan: Plan, *, keep: bool = False) -> Needs:
    """What it takes to make all states by states.py. keep: with all layers kept."""
    found = forecast_states(problem, plan)
    size = found.widest * STATE_BYTES
    if keep:
        size += found.total * KEPT_STATE_BYTES + found.looked_at * KEPT_WAY_BYTES
    return Needs(found.widest, found.total, size, 0.0, found.looked_at * _WAY_SECONDS, found.is_cut_off, _MARGIN)


def is_giant(board: Board) -> bool:
    """Whether a board is so large both ways that a forecast would take minutes, and is not needed."""
    if min(board.rows, board.cols) < _GIANT_SIDE or board.graph is not None or board.holes:
        return False
    # Leapers whose steps add up to an even number keep to squares of one colour.
    short, long = sorted(board.leaper)
    return 1 <= short < long <= _GIANT_SIDE // 4 and math.gcd(short, long) == 1 and (short + long) % 2 == 1


def needs_of_giant(*, keep: bool = False) -> Needs:
    """What states take at least on such a board. keep: with all layers kept."""
    widest, total, looked_at = _GIANT_LAYERS
    size = widest * STATE_BYTES + (total * KEPT_STATE_BYTES + looked_at * KEPT_WAY_BYTES if keep else 0.0)
    return Needs(widest, total, size, 0.0, looked_at * _WAY_SECONDS, True, _MARGIN)


def needs_of_halves(problem: Problem, cut: Cut, *, keep: bool = False) -> Needs:
    """What it takes to count by halves. keep: with all layers kept, which are those of a cut that is not folded."""
    found = forecast_halves(problem, cut)
    known = known_layers(problem, cut.across)
    is_wide = max(cut.left.slots, cut.right.slots) > SLOTS
    widest, total, looked_at, margin = found.widest, found.total, found.looked_at, _MARGIN
    if known is not None:
        # Kept layers are not folded, so they are twice as large.
        widest, total, looked_at = (x * (1 if cut.is_folded else 2) for x in known)
        margin = _KNOWN_MARGIN if not is_wide or _sides(problem, cut.across)[1] <= _NINE_COUNTED else _NINE_MARGIN
    layers = found.states * (widest / found.widest)
    if keep:
        size = total * NUMBERED_BYTES
    else:
        two = layers[:-1] + layers[1:]
        # While the right half is made, the last layer of the left half waits.
        two[found.left_layers :] += layers[found.left_layers - 1]
        size = float(two.max(initial=1.0)) * HALF_STATE_BYTES
    base = float(found.classes.sum()) * _CLASS_BYTES + float(found.classes.max(initial=1.0)) * _EDGE_BYTES
    joins = float(found.classes[found.left_layers - 1])
    seconds = looked_at * (_WIDE_PULL_SECONDS if is_wide else _PULL_SECONDS)
    seconds += float(found.classes.sum()) * _CLASS_SECONDS
    join = joins * _JOIN_SECONDS
    if is_wide and known is not None:
        cols = _sides(problem, cut.across)[1]
        base = _NINE_BASE_BYTES if cols >= _NINE_COUNTED else base
        join += _NINE_JOIN_SECONDS[min(cols + cols % 2, max(_NINE_JOIN_SECONDS))]
    passes, most_passes = (1, 1) if keep else passes_of(problem)
    return Needs(widest, total, size, base, passes * (seconds + join), found.is_cut_off, margin, passes, most_passes)


def is_ten(problem: Problem) -> bool:
    """Whether closed tours of 10x10 are asked for."""
    return problem.closed and problem.board.is_rectangle and problem.board.rows == problem.board.cols == 10


def needs_of_ten() -> Needs:
    """What closed tours of 10x10 would take by halves, in words of 20 slots."""
    widest, total, looked_at = _TEN_CLOSED
    # As for 9x10: the two layers at work, of which the wider ones are next to each other, and the last one is as wide.
    rows = widest / _NINE_CLOSED[10][0]
    seconds = _TEN_TIMES * looked_at * _WIDE_PULL_SECONDS + rows * _NINE_JOIN_SECONDS[10]
    return Needs(widest, total, 2 * widest * _TEN_STATE_BYTES, rows * _NINE_BASE_BYTES, seconds, False, _TEN_MARGIN)


def bytes_of_space(problem: Problem, plan: Plan, cut: Cut | None) -> tuple[float, float]:
    """About how many bytes of memory numbering all tours takes, and their file; by halves if there is a cut."""
    if cut is not None:
        made = needs_of_halves(problem, cut, keep=True).states
        return made * _SPACE_BYTES, made * _SPACE_FILE_BYTES
    needs = needs_of_states(problem, plan, keep=True)
    return needs.bytes, needs.bytes - needs.widest * STATE_BYTES


def needs_of_quotients(board: Board, plans: Sequence[Plan]) -> Needs:
    """What it takes to go through the quotients of a board by some of its symmetries, one after the other."""
    needs = Needs(0.0, 0.0, 0.0, 0.0, 0.0, False, _QUOTIENT_MARGIN)
    # Symmetries that are images of each other have the same quotient.
    alike: dict[tuple[object, ...], list[Plan]] = {}
    for plan in plans:
        widths = tuple(mask.bit_count() for mask in plan.present)
        alike.setdefault((widths, len(plan.ends), sum(map(len, plan.near))), []).append(plan)
    for same in alike.values():
        found = forecast_graph(same[0], may_cross(board))
        two = 2 * found.states
        two[1:] += 1.5 * found.states[:-1]
        needs = Needs(
            max(needs.widest, found.widest),
            needs.states + len(same) * found.total,
            max(needs.bytes, float(two.max(initial=1.0)) * sum_bytes(same[0])),
            0.0,
            needs.seconds + len(same) * found.looked_at * _SUM_WAY_SECONDS,
            needs.is_least or found.is_cut_off,
            _QUOTIENT_MARGIN,
        )
    return needs


def needs_of_recurrence(problem: Problem) -> Needs | None:
    """What it takes to count on a board of few rows, column by column; None where that is at once."""
    if problem.board.square_count <= LONG_SQUARES:
        return None
    rows, cols = sorted((problem.board.rows, problem.board.cols))
    effort = narrow_effort(rows, cols, closed=problem.closed)
    return Needs(0.0, 0.0, effort.bytes, 0.0, effort.seconds, False, _NUMBER_MARGIN)


def sum_bytes(plan: Plan) -> int:
    """Bytes of a state of a quotient."""
    return _SUM_BYTES + _WORD_BYTES * -(-(plan.slots * (1 + plan.field_bits)) // 60)


def _sides(problem: Problem, across: int | None) -> tuple[int, int]:
    """The side of a board that a cut goes across, and the other one."""
    short, long = sorted((problem.board.rows, problem.board.cols))
    return (long, short) if across == long else (short, long)


def known_layers(problem: Problem, across: int | None = None) -> tuple[float, float, float] | None:
    """Widest layer, states and states looked at of a board of 8 rows, or of closed tours of 9 rows, without given ends;
    None for others. across: the side that the cut goes across, by default the shorter one."""
    rows, cols = _sides(problem, across)
    even = cols + cols % 2
    if not problem.board.is_rectangle or problem.has_given_end or (rows, problem.closed) not in _KNOWN:
        return None
    table = _KNOWN[rows, problem.closed]
    if even < min(table):
        return None
    if even in table:
        return table[even]
    last = max(table)
    widest, total, looked_at = table[last]
    # Two columns more are two columns of the widest layers.
    before = table[last - 2]
    steps = (even - last) // 2
    return widest, total + steps * (total - before[1]), looked_at + steps * (looked_at - before[2])
