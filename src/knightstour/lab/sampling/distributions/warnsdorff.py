"""The distribution warnsdorff: Warnsdorff's rule, ties at random, started again at every dead end; far from uniform."""

from __future__ import annotations

import numpy as np

from knightstour.core.kernels.bulk import restarts as restarts_kernel
from knightstour.core.machine.native import door
from knightstour.core.model.problem import Problem
from knightstour.core.model.sample import order_type
from knightstour.lab.sampling.distributions.common import (
    PATIENCE_SQUARES,
    SLICE,
    Block,
    Stop,
    gave_up,
    random_state,
    squares_of,
)


class Warnsdorff:
    def __init__(self, problem: Problem, first: np.ndarray):
        # A tour to a given end only is walked backwards from it.
        self.backwards = not problem.closed and problem.start is None and problem.end is not None
        self.problem = problem
        self.squares = squares_of(problem)
        self.parameters: dict[str, int] = {}

    def __call__(self, seed: int, count: int, stop: Stop) -> Block:
        problem, squares, k = self.problem, self.squares, restarts_kernel
        start, end = problem.start_index, problem.end_index
        if self.backwards:
            start, end = end, None
        size = problem.board.square_count
        c = np.zeros(k.COUNTERS, dtype=np.int64)
        c[k.RANDOM] = random_state(seed)
        c[k.COUNT], c[k.CLOSED] = size, problem.closed
        c[k.START] = -1 if start is None else squares.place[start]
        c[k.END] = -1 if end is None else squares.place[end]
        out = np.empty((count, size), dtype=order_type(problem.board))
        state = k.State(
            counters=c,
            offsets=squares.offsets,
            near=squares.near,
            labels=squares.labels,
            free=np.zeros(size, dtype=np.int64),
            line=np.zeros(size, dtype=np.int64),
            is_off=np.zeros(size, dtype=np.bool_),
            out=out,
        )
        run = door("restarts_run").bind(state)
        made, since = 0, 0
        while c[k.MADE] < count:
            stop.check()
            run(SLICE // 32)
            if c[k.MADE] > made:
                made, since = int(c[k.MADE]), int(c[k.NODES])
            elif c[k.NODES] - since > PATIENCE_SQUARES >> 2:
                raise gave_up(problem, f"no attempt succeeded in {c[k.NODES] - since:,} steps", seed, int(c[k.NODES]))
        return Block(out[:, ::-1].copy() if self.backwards else out, int(c[k.FAILS]), int(c[k.NODES]))
