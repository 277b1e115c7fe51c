"""Loop merging on large rectangles, in at most a few hundred nanoseconds per square.

The algorithm is loop merging (merging.py) at randomness 1. In each 4x4 block one of two sets of pairs is chosen at
random, and the remaining squares at two of the margins are paired by augmenting paths. Then the loops are joined row by
row: each square chooses one of its links at random, and a suitable link of another loop. On a board of a million
squares a few hundred loops remain, most of them at the margins. They are joined to the large loop by exchanges of two
or three links.

The directions of the moves and the joins are random. The order of the rows is fixed, so the tours are not equally
likely. Sources: see merging.py; for exchanges of three links S. Lin, Computer solutions of the traveling salesman
problem, 1965.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import Problem, end_index, is_backwards, search_ends, start_index
from knightstour.core.model.result import Outcome, found


class State(NamedTuple):
    """State of loop merging on a rectangle.

    The board has a frame: square (row, col) is the number (row + 2) * (cols + 2) + col + 1, so that a move is a fixed
    offset, and a move off the board ends outside `is_square`. ways[s] has a bit for the direction of each link of s:
    one of 8 bits in a loop of two squares, two in longer loops, and the bit END instead of a direction at an end of an
    open tour. Direction 7 - d is opposite to d. A row needs only the adjacent rows, so the data fits into the cache.
    Labels are trees, as in merging.py.

    Attributes (arrays with an item per number of the frame, except as noted):
        counters: See below.
        steps: int64, the offset of each of the 8 directions.
        blocks: int64 (4, 4, 2), the squares (row, col) of the four loops of a 4x4 block.
        is_square: uint8.
        ways: uint16.
        label: int32.
        queue, via, reached: int32, buffers of the current phase. After WALK the loop is in `queue`; after COUNT the
            sizes of the loops are in `reached`; FIT keeps the squares of small loops in `via`.
        alone: int64, any number of squares.
        place: float64, the positions of the squares of the large loop, -1.0 for all others; item GAP is the minimum
            difference of two positions.
    """

    counters: np.ndarray
    steps: np.ndarray
    blocks: np.ndarray
    is_square: np.ndarray
    ways: np.ndarray
    label: np.ndarray
    queue: np.ndarray
    via: np.ndarray
    reached: np.ndarray
    alone: np.ndarray
    place: np.ndarray


# Indices of `counters`. A phase begins with CURSOR 0. SINGLE: a square without a pair, or -1. START: start of an open
# tour. END: its end, or -1 for any. PAIRED: squares paired by PAIR_REST. JOINED: loops joined by JOIN. LAST: the end of
# the path; -1 if LAY_PATH found none. LARGEST: a square of the largest loop, the root of its labels. AT, BACK: current
# square of WALK, and the direction from which it came, initially NOWHERE. WALKED: squares in the walk. FIRST: first
# square of the walk. SMALL: squares listed for FIT, and remaining ones at its end. PATIENCE: number of further attempts
# for a loop.
NODES, RANDOM, PHASE, CURSOR, ROWS, COLS, SINGLE, START, END, PAIRED, JOINED, HEAD, TAIL, LAST, LARGEST, AT = range(16)
BACK, WALKED, FIRST, SMALL, PATIENCE = range(16, 21)
COUNTERS = 21

# Values of `counters` at PHASE: the step that runs until FOUND.
PAIR_BLOCKS, PAIR_REST, LAY_PATH, JOIN, COUNT, WALK, FIT = range(7)

# The index of `place` that belongs to no square.
GAP = 0
NOWHERE = 8


# The 4-cycles of a 4x4 block as (row, col) in the block.
BLOCK_LOOPS: Final = (
    ((0, 0), (1, 2), (3, 3), (2, 1)),
    ((0, 1), (1, 3), (3, 2), (2, 0)),
    ((0, 2), (1, 0), (3, 1), (2, 3)),
    ((0, 3), (1, 1), (3, 0), (2, 2)),
)
# In the order of the kernel: the opposite of direction d is 7 - d.
_MOVES: Final = ((-2, -1), (-1, -2), (-2, 1), (1, -2), (-1, 2), (2, -1), (1, 2), (2, 1))
# Number of squares from which this algorithm is faster than merging.py.
LARGE: Final = 20_000
_STEP: Final = "flat_merging_step"
# merging.py covers narrower boards better.
_NARROW: Final = 8
# Number of attempts to join small loops, plus four for each of their squares.
_PATIENCE: Final = 1000


def is_for(problem: Problem) -> bool:
    """Return whether the board is a large rectangle, not too narrow, whose colours allow such a tour."""
    board = problem.board
    if not is_rectangle(board) or min(board.rows, board.cols) < _NARROW:
        return False
    return LARGE <= square_count(board) < 1 << 30 and not (problem.closed and square_count(board) % 2)


def merge_flat(problem: Problem, budget: Budget, seed: int) -> Outcome | None:
    """Return a tour, or None if there is no cover by pairs, a loop cannot be joined, or the budget is too small."""
    count = square_count(problem.board)
    if budget.nodes_left(count) < count:
        return None
    merging = FlatMerging(problem, budget, seed)
    tour = merging.tour()
    if tour is None:
        return None
    budget.spend(count)
    # Division of 32-bit numbers is twice as fast.
    order = (tour - (tour // merging.width - 2) * 2 - (2 * merging.width + 1)).astype(np.int64)
    if problem.closed and start_index(problem) is not None:
        order = np.roll(order, -int(np.flatnonzero(order == start_index(problem))[0]))
    elif is_backwards(problem) or (not problem.closed and merging.end >= 0 and order[-1] != end_index(problem)):
        order = order[::-1]
    joined = int(merging.state.counters[JOINED])
    return found(order, merges=joined, repairs=0, stuck=int(merging.was_stuck), restarts=0)


class FlatMerging:
    """Builder of a tour by merging, phase by phase.

    start, end: the ends as numbers in the frame, -1 if not given. was_stuck: whether FIT was needed.
    """

    def __init__(self, problem: Problem, budget: Budget, seed: int) -> None:
        self.problem, self.budget = problem, budget
        self.width = problem.board.cols + 2
        self.count = square_count(problem.board)
        self.start, self.end = (-1 if s is None else self.frame_number(s) for s in search_ends(problem))
        self.was_stuck = False
        self.state = _empty_state(problem)
        self.state.counters[RANDOM] = first_random(seed)

    def frame_number(self, square: int) -> int:
        """Return the number of a square in the frame."""
        return square + 2 * self.width + 1 + square // (self.width - 2) * 2

    def tour(self) -> np.ndarray | None:
        """Return the squares in order, as numbers in the frame, or None, see `merge_flat`."""
        if not self.is_done(PAIR_BLOCKS) or not self._are_paired():
            return None
        if not self.problem.closed and not self._has_path():
            return None
        return self._insert_remaining() if self.is_done(JOIN) else None

    def is_done(self, phase: int) -> bool:
        """Run a phase of the kernel; return False on timeout."""
        counters = self.state.counters
        counters[PHASE], counters[CURSOR] = phase, 0
        left = self.budget.seconds_left
        # Nodes are spent at the end: one per square.
        return left > 0 and slices.drive(_STEP, self.state, Budget(Limits(seconds=left))) == slices.FOUND

    def _are_paired(self) -> bool:
        """Pair the squares outside the blocks; return whether all squares have a pair.

        On an odd board one square stays single: the start, if it is given.
        """
        is_square, ways, counters = self.state.is_square, self.state.ways, self.state.counters
        single = self.start if self.count % 2 else -1
        if single >= 0 and ways[single]:
            # Remove the pair of the square that must stay single.
            direction = int(ways[single]).bit_length() - 1
            ways[single + self.state.steps[direction]] = ways[single] = 0
        alone = np.flatnonzero((is_square != 0) & (ways == 0)).astype(np.int64)
        alone = alone[alone != single]
        # Ordered along the margins from one corner, so that augmenting paths are short.
        alone = alone[np.argsort(self._diagonals(alone), kind="stable")]
        colours = self._diagonals(alone) % 2
        less, more = sorted((alone[colours == side] for side in (0, 1)), key=len)
        is_odd = self.count % 2 == 1 and single < 0
        self.state = self.state._replace(alone=less)
        counters[SINGLE] = single
        return self.is_done(PAIR_REST) and int(counters[PAIRED]) == len(less) and len(more) - len(less) == is_odd

    def _diagonals(self, squares: np.ndarray) -> np.ndarray:
        rows, cols = np.divmod(squares - 1, self.width)
        return np.asarray(rows + cols)

    def _has_path(self) -> bool:
        """Build the path of an open tour from some pairs, from the start or a random square; return whether it
        exists."""
        is_square, ways, counters = self.state.is_square, self.state.ways, self.state.counters
        random = int(counters[RANDOM])
        if self.start < 0:
            free = np.flatnonzero(is_square & (ways == 0) if self.count % 2 else is_square)
            self.start = int(free[random % len(free)])
        counters[START], counters[END] = self.start, self.end
        is_laid = self.is_done(LAY_PATH) and int(counters[LAST]) >= 0
        # Restore the random numbers: the path uses its own.
        counters[RANDOM] = random
        return is_laid

    def _insert_remaining(self) -> np.ndarray | None:
        """Insert the remaining loops into the largest."""
        state, counters = self.state, self.state.counters
        state.reached[:] = 0
        if not self.is_done(COUNT):
            return None
        first = int(counters[LARGEST])
        if self.start >= 0 and self._root_of(self.start) == first:
            first = self.start
        tour = self._walk(first)
        small = self.count - len(tour)
        if small > self.count // 2 or (small and not self._fit_in(tour, first)):
            return None
        if small:
            self.was_stuck = True
            tour = self._walk(self.start if self.start >= 0 else first)
        return tour if len(tour) == self.count else None

    def _root_of(self, s: int) -> int:
        label = self.state.label
        while label[s] != s:
            s = int(label[s])
        return s

    def _walk(self, first: int) -> np.ndarray:
        """Return the squares of a loop or path from `first`; fewer on timeout."""
        counters = self.state.counters
        counters[FIRST] = counters[AT] = first
        counters[BACK], counters[WALKED] = NOWHERE, 0
        self.is_done(WALK)
        return self.state.queue[: counters[WALKED]]

    def _fit_in(self, large: np.ndarray, first: int) -> bool:
        """Join the small loops to the large one; return whether all are joined."""
        place = np.full(len(self.state.ways), -1.0)
        place[large] = np.arange(len(large))
        listed = np.flatnonzero((self.state.is_square != 0) & (place < 0))
        place[GAP] = 1.0
        self.state = self.state._replace(place=place)
        self.state.via[: len(listed)] = listed
        counters = self.state.counters
        counters[FIRST] = self.start if self.start >= 0 else first
        counters[SMALL] = len(listed)
        counters[PATIENCE] = _PATIENCE + 4 * len(listed)
        return self.is_done(FIT) and int(counters[SMALL]) == 0


def _empty_state(problem: Problem) -> State:
    rows, cols = problem.board.rows, problem.board.cols
    width = cols + 2
    size = (rows + 4) * width
    is_square = np.zeros((rows + 4, width), dtype=np.uint8)
    is_square[2:-2, 1:-1] = 1
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[ROWS], counters[COLS] = rows, cols
    return State(
        counters=counters,
        steps=np.array([dr * width + dc for dr, dc in _MOVES], dtype=np.int64),
        blocks=np.array(BLOCK_LOOPS, dtype=np.int64),
        is_square=is_square.ravel(),
        ways=np.zeros(size, dtype=np.uint16),
        label=np.arange(size, dtype=np.int32),
        queue=np.zeros(size, dtype=np.int32),
        via=np.zeros(size, dtype=np.int32),
        reached=np.zeros(size, dtype=np.int32),
        alone=np.zeros(0, dtype=np.int64),
        place=np.zeros(0),
    )
