"""Loop merging on large rectangles, in a few hundred nanoseconds a square at most.

The same idea as in merging.py, at randomness 1: the pairs of each 4x4 block are taken in one of two ways at random, and
what is left over at two of the margins is paired by augmenting paths. Then the loops are joined row by row: each square
chooses one of its links at random, and one of the places where it can be joined to another loop. The few hundred loops
of a million squares that are left over at the end, most of them at the margins, are fitted into the large one by
exchanges of two links, or of three.

So the directions of the moves and the order in which loops hang together are random; but that rows are gone through
from the top is fixed, and the tours are not equally likely. Sources: as in merging.py; for exchanges of three links
S. Lin, Computer solutions of the traveling salesman problem, 1965.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final, NamedTuple

import numpy as np

from knightstour.kernels.rng import first_random
from knightstour.kernels.search import flat_merging as kernel
from knightstour.machine import engine
from knightstour.model.budget import Budget
from knightstour.model.problem import Problem
from knightstour.model.result import Outcome, found

# The loops of four squares of a 4x4 block, each square's follower, as (row, col) in the block.
BLOCK_LOOPS: Final = (
    ((0, 0), (1, 2), (3, 3), (2, 1)),
    ((0, 1), (1, 3), (3, 2), (2, 0)),
    ((0, 2), (1, 0), (3, 1), (2, 3)),
    ((0, 3), (1, 1), (3, 0), (2, 2)),
)
# Of the kernel, in its order: the opposite of direction d is 7 - d.
_MOVES: Final = ((-2, -1), (-1, -2), (-2, 1), (1, -2), (-1, 2), (2, -1), (1, 2), (2, 1))
# From this many squares on it is quicker than merging.py.
LARGE: Final = 20_000
# Narrower boards are left to merging.py, which covers them better.
_NARROW: Final = 8
# Seconds a square that it would take interpreted.
_INTERPRETED: Final = 20e-6


class _Field(NamedTuple):
    """The board in its frame, as the kernel has it, and room for its lists.

    code: the kernel's functions. steps: what each direction adds to the number of a square. The others have an item for
    each number: is_square; ways and label as in the kernel; queue, via and reached are for what runs at the time.
    """

    code: SimpleNamespace
    rows: int
    cols: int
    steps: np.ndarray
    is_square: np.ndarray
    ways: np.ndarray
    label: np.ndarray
    queue: np.ndarray
    via: np.ndarray
    reached: np.ndarray


def is_for(problem: Problem) -> bool:
    """Whether the board is a large rectangle that is not too narrow, and may have such a tour by its colours."""
    board = problem.board
    if not board.is_rectangle or min(board.rows, board.cols) < _NARROW:
        return False
    return LARGE <= board.square_count < 1 << 30 and not (problem.closed and board.square_count % 2)


def merge_flat(problem: Problem, budget: Budget, seed: int) -> Outcome | None:
    """A tour, or None if there is no cover by pairs, a loop cannot be fitted in, or the budget does not do."""
    count = problem.board.square_count
    if budget.nodes_left(count) < count:
        return None
    engine.expect(kernel, count * _INTERPRETED)
    field = _empty_field(problem)
    # The ends as numbers in the frame, -1 where they are free.
    start, end = (-1 if s is None else _framed(field, s) for s in problem.search_ends)
    x = first_random(seed)
    x = field.code.pair_blocks(
        field.rows, field.cols, field.steps, field.is_square, field.ways, field.label, np.array(BLOCK_LOOPS), x
    )
    if not _pair_rest(field, start if count % 2 else -1, count):
        return None
    if not problem.closed:
        start = _lay_path(field, start, end, count, x)
        if start < 0:
            return None
    joined, x = field.code.join_rows(field.rows, field.cols, field.steps, field.ways, field.label, x)
    if budget.is_spent:
        return None
    tour, small = _join_last(field, start, count, x)
    if tour is None:
        return None
    budget.spend(count)
    width = field.cols + 2
    order = tour.astype(np.int64)
    order -= 2 * width + (order // width - 2) * 2
    if problem.closed and problem.start_index is not None:
        order = np.roll(order, -int(np.flatnonzero(order == problem.start_index)[0]))
    elif problem.is_backwards or (not problem.closed and end >= 0 and order[-1] != problem.end_index):
        order = order[::-1]
    return found(order, merges=int(joined), repairs=0, stuck=int(small > 0), restarts=0)


def _empty_field(problem: Problem) -> _Field:
    """The board before its first pair."""
    rows, cols = problem.board.rows, problem.board.cols
    width = cols + 2
    size = (rows + 4) * width
    is_square = np.zeros(size, dtype=np.uint8)
    is_square[2 * width : -2 * width].reshape(rows, width)[:, :cols] = 1
    return _Field(
        engine.doors(kernel),
        rows,
        cols,
        steps=np.array([dr * width + dc for dr, dc in _MOVES], dtype=np.int64),
        is_square=is_square,
        ways=np.zeros(size, dtype=np.uint16),
        label=np.arange(size, dtype=np.int32),
        queue=np.zeros(size, dtype=np.int32),
        via=np.zeros(size, dtype=np.int32),
        reached=np.zeros(size, dtype=np.int32),
    )


def _framed(field: _Field, square: int) -> int:
    """The number in the frame of the square row * cols + col."""
    return square + 2 * (field.cols + 2) + square // field.cols * 2


def _pair_rest(field: _Field, single: int, count: int) -> bool:
    """Pair what the blocks leave over; whether all squares have a pair then, but for one of an odd number.

    single: the square that is to be this one, or -1.
    """
    code, _, _, steps, is_square, ways, label, queue, via, reached = field
    if single >= 0 and ways[single]:
        # The pair of the square that is to be alone goes.
        ways[single + steps[kernel.low_bit(int(ways[single]))]] = 0
        ways[single] = 0
    alone = np.flatnonzero((is_square != 0) & (ways == 0))
    alone = alone[alone != single]
    rows, cols = np.divmod(alone, field.cols + 2)
    # Along the margins from one corner on, so that few squares are passed over that must be reached again.
    alone = alone[np.argsort(rows + cols, kind="stable")]
    rows, cols = np.divmod(alone, field.cols + 2)
    sides = [alone[(rows + cols) % 2 == side] for side in (0, 1)]
    less, more = sorted(sides, key=len)
    is_odd = count % 2 == 1 and single < 0
    made = code.pair_rest(steps, is_square, ways, label, queue, via, reached, single, less)
    return bool(made == len(less) and len(more) - len(less) == is_odd)


def _lay_path(field: _Field, start: int, end: int, count: int, x: int) -> int:
    """Make the path of an open tour of some pairs; its start, or -1 where none leads to the end."""
    code, _, _, steps, is_square, ways, label, queue, via, reached = field
    if start < 0:
        free = np.flatnonzero(is_square & (ways == 0) if count % 2 else is_square)
        start = int(free[x % len(free)])
    is_laid = code.lay_path(steps, is_square, ways, label, queue, via, reached, start, end, len(ways), x)
    return start if is_laid else -1


def _join_last(field: _Field, start: int, count: int, x: int) -> tuple[np.ndarray | None, int]:
    """(the tour, or None; how many squares were in small loops): fit the loops that are left into the largest.

    start: that of an open tour, else -1.
    """
    code, _, _, steps, is_square, ways, label, queue, via, reached = field
    tour = queue[:count]
    first = int(code.largest(label, is_square, reached))
    if start >= 0 and kernel.root_of(label, start) == first:
        first = start
    small = count - int(code.walk(steps, ways, first, tour))
    if small > count // 2:
        return None, small
    if small:
        place = np.empty(len(ways))
        code.list_small(tour, count - small, is_square, place, via)
        if code.fit_in(steps, ways, place, via, small, start if start >= 0 else first, label, x) > 0:
            return None, small
        if code.walk(steps, ways, start if start >= 0 else first, tour) < count:
            return None, small
    return tour, small
