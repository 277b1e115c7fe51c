"""The distribution merge: loop merging, every tour from a cover of its own; far from uniform."""

from __future__ import annotations

import numpy as np

from knightstour.core.kernels.search import merging as k
from knightstour.core.machine import slices
from knightstour.core.machine.native import door
from knightstour.core.model.cycle_graph import why_not_listed
from knightstour.core.model.errors import MethodError
from knightstour.core.model.problem import Problem
from knightstour.core.model.sample import order_type
from knightstour.core.search import merging
from knightstour.lab.sampling.distributions.common import Block, Stop, gave_up

_MERGE_NODES = 20_000


class Merge:
    def __init__(self, problem: Problem, first: np.ndarray, *, randomness: int = 1):
        excuse = why_not_listed(problem)
        if excuse is not None:
            raise MethodError(f"distribution merge does not apply: {excuse}", help="use distribution backbite")
        self.problem, self.randomness = problem, randomness
        self.parameters = {"randomness": randomness}

    def __call__(self, seed: int, count: int, stop: Stop) -> Block:
        problem = self.problem
        state = merging.start_state(problem, seed, self.randomness)
        step = door("merging_step").bind(state)
        c = state.counters
        rounds = int(c[k.ROUNDS])
        out = np.empty((count, problem.board.square_count), dtype=order_type(problem.board))
        patience = (1 << 31) + 1000 * problem.board.square_count
        made, misses, limit = 0, 0, patience
        while made < count:
            c[k.PHASE], c[k.CURSOR], c[k.HAS_TOUR], c[k.ROUNDS] = k.COVER, 0, 0, rounds
            while step(_MERGE_NODES) != slices.FOUND:
                stop.check()
                if c[k.NODES] > limit:
                    raise gave_up(problem, f"no tour was merged in {patience:,} steps", seed, int(c[k.NODES]))
            line = self._turned(state.tour)
            if line is None:
                misses += 1
                continue
            out[made] = line
            made += 1
            limit = int(c[k.NODES]) + patience
        return Block(out, int(c[k.STUCK]) + misses, int(c[k.NODES]))

    def _turned(self, line: np.ndarray) -> np.ndarray | None:
        """The tour from the given start to the given end, or None where it has other ends."""
        start, end = self.problem.start_index, self.problem.end_index
        if self.problem.closed:
            return line if start is None else np.roll(line, -int(np.flatnonzero(line == start)[0]))
        for way in (line, line[::-1]):
            if start in (None, way[0]) and end in (None, way[-1]):
                return way
        return None
