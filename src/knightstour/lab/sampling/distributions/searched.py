"""The distributions merge and warnsdorff: tours of randomised searches, far from uniform."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import square_count
from knightstour.core.model.cycle_graph import why_not_listed
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.sample import order_type
from knightstour.core.search import merging
from knightstour.lab.sampling.distributions.common import (
    PATIENCE_SQUARES,
    SLICE,
    Block,
    Stop,
    gave_up_error,
    random_state,
    squares_of,
)


class State(NamedTuple):
    """Arguments of the kernel for warnsdorff, with squares numbered without holes.

    The walk always moves to a free square with the fewest free neighbours, and restarts at a dead end.

    counters: see below. offsets, near: the moves. labels: the board's number of each square. free: number of unvisited
    neighbours of a square. line: visited squares in order. is_off: bool, whether a square is visited. out: rows of
    square numbers of the board, uint8, uint16 or int32. The other arrays are int64.
    """

    counters: np.ndarray
    offsets: np.ndarray
    near: np.ndarray
    labels: np.ndarray
    free: np.ndarray
    line: np.ndarray
    is_off: np.ndarray
    out: np.ndarray


# Items of `counters`; START and END are -1 for any square.
RANDOM, COUNT, START, END, CLOSED, MADE, NODES, FAILS = range(8)
COUNTERS = 8


_MERGE_NODES = 20_000


class Merge:
    """Loop merging, with a new cover for every tour."""

    def __init__(self, problem: Problem, first: np.ndarray, *, randomness: int = 1):
        reason = why_not_listed(problem)
        if reason is not None:
            raise ProblemError(f"distribution merge does not apply: {reason}", help="use distribution backbite")
        self.problem, self.randomness = problem, randomness
        self.parameters = {"randomness": randomness}

    def __call__(self, seed: int, count: int, stop: Stop) -> Block:
        problem = self.problem
        state = merging.start_state(problem, seed, self.randomness)
        step = kernel_function("merging_step").bind(state)
        c = state.counters
        rounds = int(c[merging.ROUNDS])
        out = np.empty((count, square_count(problem.board)), dtype=order_type(problem.board))
        patience = (1 << 31) + 1000 * square_count(problem.board)
        made, misses, limit = 0, 0, patience
        while made < count:
            c[merging.PHASE], c[merging.CURSOR], c[merging.HAS_TOUR], c[merging.ROUNDS] = merging.COVER, 0, 0, rounds
            while step(_MERGE_NODES) != slices.FOUND:
                stop.check()
                if c[merging.NODES] > limit:
                    raise gave_up_error(problem, f"no tour in {patience:,} steps", seed, int(c[merging.NODES]))
            line = self._rotate_tour(state.tour)
            if line is None:
                misses += 1
                continue
            out[made] = line
            made += 1
            limit = int(c[merging.NODES]) + patience
        return Block(out, int(c[merging.STUCK]) + misses, int(c[merging.NODES]))

    def _rotate_tour(self, line: np.ndarray) -> np.ndarray | None:
        """Return the tour between the given ends, or None."""
        start, end = start_index(self.problem), end_index(self.problem)
        if self.problem.closed:
            return line if start is None else np.roll(line, -int(np.flatnonzero(line == start)[0]))
        for way in (line, line[::-1]):
            if start in (None, way[0]) and end in (None, way[-1]):
                return way
        return None


class Warnsdorff:
    """Warnsdorff's rule with random ties, restarted at every dead end."""

    def __init__(self, problem: Problem, first: np.ndarray):
        # A tour with only a given end is found backwards.
        self.backwards = not problem.closed and problem.start is None and problem.end is not None
        self.problem = problem
        self.squares = squares_of(problem)
        self.parameters: dict[str, int] = {}

    def __call__(self, seed: int, count: int, stop: Stop) -> Block:
        problem, squares = self.problem, self.squares
        start, end = start_index(problem), end_index(problem)
        if self.backwards:
            start, end = end, None
        size = square_count(problem.board)
        c = np.zeros(COUNTERS, dtype=np.int64)
        c[RANDOM] = random_state(seed)
        c[COUNT], c[CLOSED] = size, problem.closed
        c[START] = -1 if start is None else squares.place[start]
        c[END] = -1 if end is None else squares.place[end]
        out = np.empty((count, size), dtype=order_type(problem.board))
        state = State(
            counters=c,
            offsets=squares.offsets,
            near=squares.near,
            labels=squares.labels,
            free=np.zeros(size, dtype=np.int64),
            line=np.zeros(size, dtype=np.int64),
            is_off=np.zeros(size, dtype=np.bool_),
            out=out,
        )
        run = kernel_function("restarts_run").bind(state)
        made, since = 0, 0
        while c[MADE] < count:
            stop.check()
            run(SLICE // 32)
            if c[MADE] > made:
                made, since = int(c[MADE]), int(c[NODES])
            elif c[NODES] - since > PATIENCE_SQUARES >> 2:
                raise gave_up_error(problem, f"no attempt succeeded in {c[NODES] - since:,} steps", seed, int(c[NODES]))
        return Block(out[:, ::-1].copy() if self.backwards else out, int(c[FAILS]), int(c[NODES]))
