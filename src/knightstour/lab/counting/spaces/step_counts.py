"""Number of tours of a space by square and step, exact or estimated from a sample.

A state records the pairs of ends of paths, but not the lengths of the paths: with lengths there would be as many states
as partial tours. Therefore a kernel lists all tours (visiting.py), along the network of ways, which is built for the
purpose if the space consists of halves. This is feasible for some ten million tours; for more there are estimates with
errors.

Cost: half a microsecond per tour of 36 squares.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import square_count
from knightstour.core.model.indices import bincount
from knightstour.core.model.problem import Problem, has_given_end
from knightstour.core.model.result_errors import LimitReached
from knightstour.lab.counting.spaces.by_halves import HalvesSpace
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.visiting import orders_between

# Number of tours that a space of halves unranks faster than the network of states is built.
_FEW_TOURS = 30_000
# Tours per table.
_AT_ONCE = 50_000


class StepEstimates(NamedTuple):
    """Estimated number of tours by square and step, from a sample. counts: float64 (rows, cols, steps). errors:
    standard errors, of the same shape; if no sample, or every sample, had the square at the step, the error is as for
    one sample, not 0. samples: number of random tours. seed: seed of the sample."""

    counts: np.ndarray
    errors: np.ndarray
    samples: int
    seed: int


def count_steps(
    tours: WaySpace | HalvesSpace, problem: Problem, orders_of: Callable[[int, int], np.ndarray]
) -> np.ndarray:
    """Return the number of tours with each square at each step: int64 (rows * cols, squares), each tour as ranked.

    orders_of(first, last): the tours of these ranks as square numbers in order of visit.
    """
    counts = new_counts(problem)
    if isinstance(tours, WaySpace) or tours.count > _FEW_TOURS:
        # If the network of states exceeds the memory, tours are unranked instead.
        with suppress(LimitReached):
            ways = tours if isinstance(tours, WaySpace) else WaySpace.build(problem)
            for orders in orders_between(ways):
                add_orders(counts, orders)
            return counts
    for first in range(1, tours.count + 1, _AT_ONCE):
        add_orders(counts, orders_of(first, min(tours.count, first + _AT_ONCE - 1)))
    return counts


def new_counts(problem: Problem) -> np.ndarray:
    """Return counts of zero tours."""
    board = problem.board
    return np.zeros((board.rows * board.cols, square_count(board)), dtype=np.int64)


def add_orders(counts: np.ndarray, orders: np.ndarray) -> None:
    """Add the tours of a table of orders, one per row."""
    for step in range(counts.shape[1]):
        counts[:, step] += bincount(orders[:, step], minlength=len(counts))


def both_ways(counts: np.ndarray, problem: Problem) -> np.ndarray:
    """Return the counts with each tour in both directions; unchanged for open tours with a given start or end."""
    mirror = _mirror(problem)
    return counts if mirror is None else counts + counts[:, mirror]


def direction_of(problem: Problem, directed: bool) -> str:
    """Return the direction in which each tour is counted, in words.

    >>> direction_of(Problem((5, 5)), False)
    'one way, from its lower end, squares numbered row by row from the top'
    """
    if has_given_end(problem):
        return "from its start to its end"
    if directed:
        return "both ways"
    numbered = "squares numbered row by row from the top"
    if not problem.closed:
        return f"one way, from its lower end, {numbered}"
    start = "its lowest square" if problem.start is None else problem.board.square_name(problem.start)
    return f"one way, from {start} towards its lower neighbour, {numbered}"


def _mirror(problem: Problem) -> np.ndarray | None:
    """Return for each step the step in the reversed tour; None if tours have one direction."""
    size = square_count(problem.board)
    if size == 1 or has_given_end(problem):
        return None
    backwards = np.arange(size)[::-1]
    # A reversed closed tour starts at the same square.
    return np.roll(backwards, 1) if problem.closed else backwards


def estimates_of(
    hits: np.ndarray, problem: Problem, *, total: int, samples: int, directed: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the estimated counts and their standard errors, from the number of samples by square and step."""
    mirror = _mirror(problem) if directed else None
    walks = hits if mirror is None else hits + hits[:, mirror]
    # At a step common to both directions, a tour counts twice or not at all.
    times = np.ones(hits.shape[1]) if mirror is None else np.where(mirror == np.arange(len(mirror)), 2.0, 1.0)
    share = walks / (times * samples)
    # A tour can have the square at the step even if all samples lack it.
    seen = np.clip(share, 1 / (samples + 1), samples / (samples + 1))
    whole = float(total) * times
    return share * whole, np.sqrt(seen * (1 - seen) / samples) * whole
