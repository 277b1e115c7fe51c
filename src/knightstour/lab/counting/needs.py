"""Cost of a count in states, bytes and seconds, from the forecast of its layers (forecast.py) or from a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from knightstour.core.model.board import Board, square_count
from knightstour.core.model.grid_board import GridBoard, is_rectangle
from knightstour.core.model.problem import Problem, has_given_end
from knightstour.core.search.frontier.plan import Plan, make_plan
from knightstour.lab.counting.forecast import Forecast, forecast_halves, forecast_states
from knightstour.lab.counting.halves.cut import SLOTS, Cut
from knightstour.lab.counting.narrow import narrow_effort
from knightstour.lab.counting.orders import plan_of_count
from knightstour.lab.counting.residues import passes_of

# Purpose of the states: a count; a tour space, which keeps all layers; or a census, which keeps the layers of complete
# tours, and in whose halves each state has a polynomial instead of a number.
COUNTING: Final = "counting"
NUMBERING: Final = "numbering"
CENSUS: Final = "a census of"

# Upper bound for the ratio of estimate and truth: seven for knights; the worst case was a leaper with long steps.
_MARGIN = 30.0
# Margin for quotients, whose layers are even.
_QUOTIENT_MARGIN = 8.0
# Margins if the layers are known, and if they are estimated from smaller boards. The known margin also applies to the
# length of a number.
_KNOWN_MARGIN, _NINE_MARGIN = 1.5, 2.0
# Fraction of the free memory for states.
STATES_SHARE = 0.6
# Fraction for states with an index, whose memory is known exactly.
MATCHINGS_SHARE = 0.9
# Boards of few rows with more squares need a noticeable time.
LONG_SQUARES = 2_000

# Bytes and seconds of one processor, measured. For a state of the widest layer in sums.py: key, table entry, ways and
# count, in arrays that have doubled.
STATE_BYTES = 130
# Maximum for any state, all included.
MAX_STATE_BYTES = 250
# If all layers are kept: completions and index of a state; target and code of a way.
_KEPT_STATE_BYTES, _KEPT_WAY_BYTES = 20, 8
_WAY_SECONDS = 0.45e-6
# Bytes for a state of a half, a class of any layer, a class of the current layer, and a state if all layers are kept.
# Seconds for a transition, a class of any layer, and, in the join, a state of the widest layer.
_HALF_STATE_BYTES, _CLASS_BYTES, _EDGE_BYTES, _NUMBERED_BYTES = 16, 8, 200, 18
# Bytes per state in the file of a space, and ratio of the sizes of a polynomial and a number.
_SPACE_FILE_BYTES, _POLYNOMIAL_TIMES = 13, 2.0
_PULL_SECONDS, _CLASS_SECONDS, _JOIN_SECONDS = 13e-9, 0.4e-6, 0.35e-6
_WIDE_PULL_SECONDS = 45e-9
# For a state of a quotient: its sums and table entry, and a word of its key. Arrays have spare capacity.
_SUM_BYTES, _WORD_BYTES, _ROOM = 28, 8, 1.75
_SUM_WAY_SECONDS = 1.5e-6

# Classes of 9 rows: with their edges 1.7 GB for any length from 8.
_NINE_CLASSES, _NINE_WIDEST = 1.2e8, 3.7e6
# Plain boards without given ends, by (rows, closed) and columns: widest layer, states of all layers, transitions,
# classes of all layers, and of one. These were counted; an odd length uses the figures of the next even one. 8x10 open
# was estimated class by class, with an upward bias. For 9 rows, with the cut across nine squares, the layers of 6 and 8
# columns were built, and the last one of 10; the others are extrapolated, 12 columns by the growth for 8 rows.
_KNOWN: dict[tuple[int, bool], dict[int, tuple[float, ...]]] = {
    (6, True): {
        6: (1422, 4005, 4530, 2486, 546),
        8: (2.46e4, 9.52e4, 1.4e5, 3.41e4, 8078),
        10: (2.34e5, 8.32e5, 1.63e6, 1.24e5, 2.59e4),
        12: (3.48e5, 2.22e6, 4.86e6, 2.15e5, 2.59e4),
        14: (3.92e5, 4.08e6, 9.43e6, 3.2e5, 2.59e4),
        16: (4.7e5, 6.33e6, 1.5e7, 4.48e5, 2.79e4),
    },
    (6, False): {
        6: (5.39e4, 4.4e5, 5.3e5, 8e4, 8475),
        8: (4.38e5, 4.29e6, 6.75e6, 5.43e5, 6.06e4),
        10: (2.01e6, 1.65e7, 3.24e7, 1.04e6, 1.11e5),
        12: (2.54e6, 3e7, 6.75e7, 1.43e6, 1.11e5),
    },
    (7, True): {
        8: (5.2e5, 2.03e6, 3.26e6, 3.81e5, 8.01e4),
        10: (4.84e6, 1.96e7, 4.04e7, 1.26e6, 1.92e5),
        12: (6.98e6, 4.93e7, 1.16e8, 2.18e6, 1.92e5),
        14: (7.25e6, 8.23e7, 2e8, 3.21e6, 2.12e5),
        16: (8.79e6, 1.2e8, 2.98e8, 4.4e6, 2.42e5),
    },
    (7, False): {8: (8.46e6, 8.51e7, 1.4e8, 5.17e6, 5.2e5), 10: (4.08e7, 3.94e8, 7.93e8, 9.97e6, 8.42e5)},
    (8, True): {
        8: (1.14e7, 4.34e7, 7.67e7, 3.42e6, 6.81e5),
        10: (1.7e8, 7.0e8, 1.65e9, 1.27e7, 1.9e6),
        12: (2.46e8, 2.11e9, 5.46e9, 2.42e7, 1.97e6),
        14: (2.55e8, 3.63e9, 9.65e9, 3.51e7, 1.97e6),
        16: (2.55e8, 5.19e9, 1.394e10, 4.67e7, 1.97e6),
    },
    (8, False): {8: (2.0e8, 2.13e9, 3.6e9, 4.77e7, 4.39e6), 10: (1.0e9, 1.0e10, 2.4e10, 1e8, 8e6)},
    (9, True): {
        6: (7.0e6, 1.16e7, 1.39e7, 1.77e6, 3.9e5),
        8: (2.12e8, 8.16e8, 1.47e9, _NINE_CLASSES, _NINE_WIDEST),
        10: (2.37e9, 1.1e10, 2.2e10, _NINE_CLASSES, _NINE_WIDEST),
        12: (3.0e9, 3.4e10, 7.2e10, _NINE_CLASSES, _NINE_WIDEST),
    },
}
# Largest counted board of 9 rows, and processor seconds of its join by columns.
_NINE_COUNTED = 8
_NINE_JOIN_SECONDS = {6: 10.0, 8: 1200.0, 10: 19000.0}

# Python with NumPy, the library and the modules of a count.
_PROCESS_BYTES = 7e7


class Needs(NamedTuple):
    """Cost of a count; all figures are estimates.

    widest: states of the widest layer. states: states of all layers. bytes: maximum size of the states, in memory or on
    disk.
    base_bytes: minimum memory, even with a disk. seconds: processor time. is_least: whether the figures are lower
    bounds. margin: upper bound for the ratio of estimate and truth. passes, most_passes: estimated and maximum number
    of passes over the states, more than one if the counts exceed a machine word.
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
        """Return the figures of a plan; `bytes` includes the memory of Python."""
        figures = self._asdict()
        figures["bytes"] += figures.pop("base_bytes") + _PROCESS_BYTES
        return figures

    def are_beyond(self, most_bytes: int, disk: int | None) -> bool:
        """Return whether even `margin` times less would exceed the memory, or the disk if given."""
        # A checkpoint stores every layer on disk.
        room = most_bytes if disk is None else disk
        return self.base_bytes / self.margin > most_bytes or self.bytes / self.margin > room


# Lower bounds for knights on square boards, valid also for longer leapers.
_GIANT_SIDE = 24
GIANT: Final = Needs(1e18, 1.4e18, 1e18 * STATE_BYTES, 0.0, 1.4e18 * _WAY_SECONDS, True, _MARGIN)


def is_giant(board: Board) -> bool:
    """Return whether a board is so large in both directions that a forecast would take minutes, and is not needed."""
    if min(board.rows, board.cols) < _GIANT_SIDE or not isinstance(board, GridBoard) or board.holes:
        return False
    # Leapers with an even sum of steps stay on one colour.
    short, long = board.piece.leaper or (0, 0)
    return 1 <= short < long <= _GIANT_SIDE // 4 and math.gcd(short, long) == 1 and (short + long) % 2 == 1


def needs_of_states(problem: Problem, purpose: str = COUNTING) -> Needs:
    """Return the cost of building all states of a board, in sums.py."""
    plan = plan_of_count(problem) if purpose == COUNTING else make_plan(problem)
    found = forecast_states(plan, problem.board)
    size = found.widest * STATE_BYTES
    if purpose != COUNTING:
        size += found.total * _KEPT_STATE_BYTES + found.looked_at * _KEPT_WAY_BYTES
    return Needs(found.widest, found.total, size, 0.0, found.looked_at * _WAY_SECONDS, found.is_cut_off, _MARGIN)


def needs_of_halves(problem: Problem, cut: Cut, purpose: str = COUNTING) -> Needs:
    """Return the cost of building all states of both halves."""
    is_wide = max(cut.left.slots, cut.right.slots) > SLOTS
    known = known_layers(problem, cut.across, is_folded=cut.is_folded)
    found = known or forecast_halves(problem, cut)
    seconds = found.looked_at * (_WIDE_PULL_SECONDS if is_wide else _PULL_SECONDS) + found.classes * _CLASS_SECONDS
    join, margin = found.widest * _JOIN_SECONDS, _MARGIN if known is None else _KNOWN_MARGIN
    if is_wide and known is not None:
        cols = _even_sides(problem, cut.across)[1]
        join = _NINE_JOIN_SECONDS[min(cols, max(_NINE_JOIN_SECONDS))]
        margin = _KNOWN_MARGIN if cols <= _NINE_COUNTED else _NINE_MARGIN
    size = found.at_once * _HALF_STATE_BYTES * (_POLYNOMIAL_TIMES if purpose == CENSUS else 1)
    passes, most_passes = passes_of(problem) if purpose == COUNTING else (1, 1)
    return Needs(
        found.widest,
        found.total,
        found.total * _NUMBERED_BYTES if purpose == NUMBERING else size,
        found.classes * _CLASS_BYTES + found.most_classes * _EDGE_BYTES,
        passes * (seconds + join),
        found.is_cut_off,
        margin,
        passes,
        most_passes,
    )


def bytes_of_space(problem: Problem, cut: Cut | None) -> tuple[float, float]:
    """Return the approximate bytes of a tour space in memory and in its file; by halves if there is a cut."""
    if cut is None:
        needs = needs_of_states(problem, NUMBERING)
        return needs.bytes, needs.bytes - needs.widest * STATE_BYTES
    needs = needs_of_halves(problem, cut, NUMBERING)
    return needs.bytes + needs.base_bytes, needs.states * _SPACE_FILE_BYTES


def needs_of_quotients(board: Board, plans: Sequence[Plan]) -> Needs:
    """Return the cost of counting the quotients of a board by some of its symmetries in turn."""
    # Symmetries that are images of each other have the same quotient.
    alike: dict[tuple[object, ...], list[Plan]] = {}
    for plan in plans:
        widths = tuple(mask.bit_count() for mask in plan.present)
        alike.setdefault((widths, len(plan.ends), sum(map(len, plan.near))), []).append(plan)
    found = [(len(same), same[0], forecast_states(same[0], board)) for same in alike.values()]
    return Needs(
        max((layers.widest for _, _, layers in found), default=0.0),
        sum(times * layers.total for times, _, layers in found),
        max((layers.at_once * _sum_bytes(plan) for _, plan, layers in found), default=0.0),
        0.0,
        sum(times * layers.looked_at for times, _, layers in found) * _SUM_WAY_SECONDS,
        any(layers.is_cut_off for _, _, layers in found),
        _QUOTIENT_MARGIN,
    )


def _sum_bytes(plan: Plan) -> float:
    return _ROOM * (_SUM_BYTES + _WORD_BYTES * -(-(plan.slots * (1 + plan.field_bits)) // 60))


def needs_of_recurrence(problem: Problem) -> Needs | None:
    """Return the cost of a count by a recurrence; None if it is negligible."""
    if square_count(problem.board) <= LONG_SQUARES:
        return None
    rows, cols = sorted((problem.board.rows, problem.board.cols))
    effort = narrow_effort(rows, cols, closed=problem.closed)
    return Needs(0.0, 0.0, effort.bytes, 0.0, effort.seconds, False, _KNOWN_MARGIN)


def _even_sides(problem: Problem, across: int | None) -> tuple[int, int]:
    """Return the side along the cut, and the other side rounded up to an even number."""
    short, long = sorted((problem.board.rows, problem.board.cols))
    rows, cols = (long, short) if across == long else (short, long)
    return rows, cols + cols % 2


def known_layers(problem: Problem, across: int | None = None, *, is_folded: bool = True) -> Forecast | None:
    """Return the layers of a board from _KNOWN, or None for unknown boards and given ends. across: the side along the
    cut, by default the shorter one. is_folded: whether layers are folded; otherwise they are twice as large."""
    rows, cols = _even_sides(problem, across)
    table = _KNOWN.get((rows, problem.closed), {})
    if not is_rectangle(problem.board) or has_given_end(problem) or cols < min(table, default=math.inf):
        return None
    last = max(table)
    figures = np.array(table[min(cols, last)])
    if cols > last:
        # Each two further columns have layers of the maximum width.
        figures += (cols - last) // 2 * np.subtract(table[last], table[last - 2]) * [0, 1, 1, 1, 0]
    widest, total, looked_at, classes, most_classes = (figures * (1 if is_folded else 2)).tolist()
    return Forecast(widest, total, looked_at, 2 * widest, classes, most_classes)
