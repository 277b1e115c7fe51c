"""Loop merging on large rectangles whose sides are divisible by 4, in a few hundred nanoseconds a square at most.

The same idea as in merging.py, at randomness 1: the pairs of each 4x4 block are taken in one of two ways at random, and
what is left over is paired by augmenting paths. Then the loops are joined row by row: each square chooses one of its
links at random, and one of the places where it can be joined to another loop. The few hundred loops of a million
squares that are left over at the end are fitted into the large one by exchanges of two links, or of three.

So the directions of the moves and the order in which loops hang together are random; but that rows are gone through
from the top is fixed, and the tours are not equally likely. Sources: as in merging.py; for exchanges of three links
S. Lin, Computer solutions of the traveling salesman problem, 1965.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final

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
# Seconds a square that it would take interpreted.
_INTERPRETED: Final = 20e-6


def is_for(problem: Problem) -> bool:
    """Whether the board is a large rectangle of 4x4 blocks: on others loops at the margins are often left over."""
    board = problem.board
    is_whole = board.is_rectangle and board.rows % 4 == board.cols % 4 == 0
    return is_whole and engine.LARGE <= board.square_count < 1 << 30


def merge_flat(problem: Problem, budget: Budget, seed: int) -> Outcome | None:
    """A tour, or None if there is no cover by pairs, a loop cannot be fitted in, or the budget does not do."""
    board = problem.board
    rows, cols, count = board.rows, board.cols, board.square_count
    if budget.nodes_left(count) < count:
        return None
    engine.expect(kernel, count * _INTERPRETED)
    code = engine.doors(kernel)
    width = cols + 2
    size = (rows + 4) * width
    steps = np.array([dr * width + dc for dr, dc in _MOVES], dtype=np.int64)
    is_square = np.zeros(size, dtype=np.uint8)
    is_square[2 * width : -2 * width].reshape(rows, width)[:, :cols] = 1
    for row, col in board.holes:
        is_square[(row + 2) * width + col] = 0
    ways = np.zeros(size, dtype=np.uint16)
    label = np.arange(size, dtype=np.int32)
    queue, via, reached = (np.zeros(size, dtype=np.int32) for _ in range(3))
    start, end = (-1 if s is None else s + 2 * width + s // cols * 2 for s in problem.search_ends)
    x = first_random(seed)
    x = code.pair_blocks(rows, cols, steps, is_square, ways, label, np.array(BLOCK_LOOPS), x)
    single = start if count % 2 and start >= 0 else -1
    if single >= 0 and ways[single]:
        # The pair of the square that is to be alone goes.
        ways[single + steps[kernel.low_bit(int(ways[single]))]] = 0
        ways[single] = 0
    if not _pair_rest(code, width, steps, is_square, ways, label, queue, via, reached, single, count):
        return None
    if not problem.closed:
        if start < 0:
            free = np.flatnonzero(is_square & (ways == 0) if count % 2 else is_square)
            start = int(free[x % len(free)])
        if not code.lay_path(steps, is_square, ways, label, queue, via, reached, start, end, size, x):
            return None
    joined, x = code.join_rows(rows, cols, steps, ways, label, x)
    if budget.is_spent:
        return None
    tour = queue[:count]
    first = int(code.largest(label, is_square, reached))
    if not problem.closed and kernel.root_of(label, start) == first:
        first = start
    small = count - int(code.walk(steps, ways, first, tour))
    if small > count // 2:
        return None
    if small:
        place = np.empty(size)
        code.list_small(tour, count - small, is_square, place, via)
        if code.fit_in(steps, ways, place, via, small, label, x) > 0:
            return None
        if code.walk(steps, ways, start if start >= 0 else first, tour) < count:
            return None
    budget.spend(count)
    order = tour.astype(np.int64)
    order -= 2 * width + (order // width - 2) * 2
    if problem.closed and problem.start_index is not None:
        order = np.roll(order, -int(np.flatnonzero(order == problem.start_index)[0]))
    elif problem.is_backwards or (not problem.closed and end >= 0 and order[-1] != problem.end_index):
        order = order[::-1]
    return found(order, merges=int(joined), repairs=0, stuck=int(small > 0), restarts=0)


def _pair_rest(
    code: SimpleNamespace,
    width: int,
    steps: np.ndarray,
    is_square: np.ndarray,
    ways: np.ndarray,
    label: np.ndarray,
    queue: np.ndarray,
    via: np.ndarray,
    reached: np.ndarray,
    single: int,
    count: int,
) -> bool:
    """Pair what the blocks leave over; whether all squares have a pair then, but for one of an odd number."""
    alone = np.flatnonzero((is_square != 0) & (ways == 0))
    alone = alone[alone != single]
    rows, cols = np.divmod(alone, width)
    # Along the margins from one corner on, so that few squares are passed over that must be reached again.
    alone = alone[np.argsort(rows + cols, kind="stable")]
    rows, cols = np.divmod(alone, width)
    sides = [alone[(rows + cols) % 2 == side] for side in (0, 1)]
    less, more = sorted(sides, key=len)
    is_odd = count % 2 == 1 and single < 0
    made = code.pair_rest(steps, is_square, ways, label, queue, via, reached, single, less)
    return bool(made == len(less) and len(more) - len(less) == is_odd)
