"""At which step each square is visited, over all tours of a space, or over a sample of them.

A state holds which ends belong together, but not how long the paths between them are, and there would be as many states
with lengths as half-made tours. So a kernel goes through all tours (visiting.py), along the network of ways, which is
made for the purpose where the space is one of halves. That is enough for some ten million tours; for more there are
estimates from a sample, with their errors.

Cost: half a microsecond a tour on 36 squares.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from knightstour.core.model.errors import BoardError
from knightstour.core.model.indices import bincount
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.lab.counting.spaces.by_halves import HalvesSpace
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.visiting import orders_between

# A space of halves unranks this number of tours faster than the network of states is built.
_FEW_TOURS = 30_000
# Tours that are looked at together.
_AT_ONCE = 50_000


class StepEstimates(NamedTuple):
    """Estimated number of tours by square and step, from a sample. counts: float64 (rows, cols, steps). errors: the
    standard error of each, of the same shape; if none of the samples (or all) had the square at the step, the error is
    that of one sample, and not 0. samples: number of random tours. seed: of the sample."""

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
        # If the network of states does not fit into memory, tours are unranked instead.
        with suppress(BoardError, LimitReached):
            ways = tours if isinstance(tours, WaySpace) else WaySpace.build(problem)
            for orders in orders_between(ways):
                add_orders(counts, orders)
            return counts
    for first in range(1, tours.count + 1, _AT_ONCE):
        add_orders(counts, orders_of(first, min(tours.count, first + _AT_ONCE - 1)))
    return counts


def new_counts(problem: Problem) -> np.ndarray:
    """Counts of no tours yet."""
    board = problem.board
    return np.zeros((board.rows * board.cols, board.square_count), dtype=np.int64)


def add_orders(counts: np.ndarray, orders: np.ndarray) -> None:
    """Count the tours of a table of orders, one a row."""
    for step in range(counts.shape[1]):
        counts[:, step] += bincount(orders[:, step], minlength=len(counts))


def both_ways(counts: np.ndarray, problem: Problem) -> np.ndarray:
    """The same, each tour in both directions; as it is where a start or an end of open tours is given."""
    mirror = _mirror(problem)
    return counts if mirror is None else counts + counts[:, mirror]


def direction_of(problem: Problem, directed: bool) -> str:
    """Which way each tour is walked where it is counted, in words.

    >>> direction_of(Problem.of((5, 5)), False)
    'one way, from its lower end, squares numbered row by row from the top'
    """
    if problem.has_given_end:
        return "from its start to its end"
    if directed:
        return "both ways"
    numbered = "squares numbered row by row from the top"
    if not problem.closed:
        return f"one way, from its lower end, {numbered}"
    start = "its lowest square" if problem.start is None else problem.board.name(problem.start)
    return f"one way, from {start} towards its lower neighbour, {numbered}"


def _mirror(problem: Problem) -> np.ndarray | None:
    """For each step, at which step its square is when the tour is walked backwards; None if there is one direction."""
    size = problem.board.square_count
    if size == 1 or problem.has_given_end:
        return None
    backwards = np.arange(size)[::-1]
    # A closed tour goes on from the same square.
    return np.roll(backwards, 1) if problem.closed else backwards


def estimates_of(
    hits: np.ndarray, problem: Problem, *, total: int, samples: int, directed: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the estimated counts and their standard errors, from the number of samples with each square at each
    step."""
    mirror = _mirror(problem) if directed else None
    walks = hits if mirror is None else hits + hits[:, mirror]
    # At a step that both directions have in common, a tour counts twice or not at all.
    times = np.ones(hits.shape[1]) if mirror is None else np.where(mirror == np.arange(len(mirror)), 2.0, 1.0)
    share = walks / (times * samples)
    # A tour may have the square at the step even if no sample does.
    seen = np.clip(share, 1 / (samples + 1), samples / (samples + 1))
    whole = float(total) * times
    return share * whole, np.sqrt(seen * (1 - seen) / samples) * whole
