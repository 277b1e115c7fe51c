"""The census of any statistic: all tours are made, one after the other, and measured.

The tours are gone through in the order of their numbers (spaces/visiting.py), in parts that are cut by the question
alone. So parts can be shared out, and a census that was ended goes on from the last part that is done. The parts must
add up to the count, which was made another way.

Cost: a microsecond a tour of 6x8 for making it, and one to three for measuring it.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Generator
from contextlib import closing

import numpy as np

from knightstour.core.machine.sharing import Workers, run_pieces
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.census.checkpoint import Checkpoint
from knightstour.lab.counting.census.tally import NOTHING, Tally
from knightstour.lab.counting.settings import Watch
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.visiting import orders_between
from knightstour.lab.statistics.strokes import Strokes
from knightstour.lab.statistics.table import statistic_named

# Tours in one part: some seconds of work.
PART = 1 << 20


def visit(
    space: WaySpace, name: str, watch: Watch, workers: Workers = None, checkpoint: Checkpoint | None = None
) -> Tally:
    """The tally of all tours of a space. Raises LimitReached where the budget of `watch` is spent."""
    done, tally = (0, NOTHING) if checkpoint is None else checkpoint.read()
    spans = [(first, min(first + PART, space.count + 1)) for first in range(done + 1, space.count + 1, PART)]
    with closing(_parts(space, name, spans, watch, workers)) as parts:
        for k, part in parts:
            tally = tally.plus(part)
            done = spans[k][1] - 1
            if checkpoint is not None:
                checkpoint.write(done, tally)
            watch.report(f"{done:,} of {space.count:,} tours", done / space.count, done)
    return tally


def _parts(
    space: WaySpace, name: str, spans: list[tuple[int, int]], watch: Watch, workers: Workers
) -> Generator[tuple[int, Tally], None, None]:
    """The place of each span and its tally, in order."""
    if workers is None:
        for k, (first, behind) in enumerate(spans):
            yield k, tally_between(space, name, first, behind, watch)
    else:
        asked = ((space.problem, name, first, behind) for first, behind in spans)
        yield from run_pieces(_part, asked, workers, in_order=True)


def tally_between(space: WaySpace, name: str, first: int, behind: int, watch: Watch | None = None) -> Tally:
    """The tally of the tours with the numbers from `first` to the one before `behind`."""
    statistic, problem = statistic_named(name), space.problem
    tally = NOTHING
    number = first
    for orders in orders_between(space, first, behind - 1):
        values = statistic.of(Strokes(problem.board, orders, closed=problem.closed))
        found, places, counts = np.unique(values, return_index=True, return_counts=True)
        met = found.tolist()
        here = Counter(dict(zip(met, counts.tolist(), strict=True)))
        tally = tally.plus(
            Tally(here, {value: number + place for value, place in zip(met, places.tolist(), strict=True)})
        )
        number += len(orders)
        if watch is not None:
            watch.check()
    return tally


def _part(problem: Problem, name: str, first: int, behind: int) -> Tally:
    """A part, in a worker."""
    return tally_between(_space_of(problem), name, first, behind)


@functools.lru_cache(maxsize=1)
def _space_of(problem: Problem) -> WaySpace:
    """The network, made once in each worker."""
    return WaySpace.build(problem)
