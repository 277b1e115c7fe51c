"""Estimate of the length of a list of tours, before it is built: some lists would take years.

Conditions on whole tours are checked tour by tour, so the cost is the number of tours without them. Random walks
(estimate.py) with a fixed seed estimate this number, so the result is reproducible. Walks that miss a given number are
dropped, and walks with few continuations to it are copied less often. For an order of squares and for symmetries the
estimate is a rule of thumb.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Sequence
from typing import Final

import numpy as np

from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import Limits
from knightstour.core.model.crossing_moves import by_square, moves_of, pairs_of
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import (
    Problem,
    condition_names,
    end_index,
    has_given_end,
    is_too_small,
    replace_conditions,
    search_ends,
    start_index,
    without_checked,
)
from knightstour.core.model.reduced import reduce_problem
from knightstour.core.model.wording import in_figures, in_time
from knightstour.core.proofs.arguments import known_proof
from knightstour.core.statistics.where import is_at_most, numbers_matter
from knightstour.lab.counting.estimate import DEAD, Walks, first_walks, log_sum, resample, stepping

# Tours that are listed in about a minute, and in about an hour.
MANY: Final = 10**7
TOO_MANY: Final = 7 * 10**8
TOURS_PER_SECOND: Final = TOO_MANY / 3600
# Populations; walks in each, and for all squares of a board together.
_POPULATIONS, _WALKS, _SQUARES_WALKED, _LEAST_WALKS = 3, 500, 60_000, 20
_MAX_SQUARES, _MAX_SQUARES_NUMBERED = 20_000, 2_000
# Walks of a quick estimate, which may be too low by this power of 10.
_QUICK_WALKS, _DOUBT = 60, 3.0
# Logarithm of a quick estimate above which a list is certainly too long.
_CERTAINLY = 12.0
# Nodes, without limits, of a search for one tour in a list that is too long: some seconds.
_NODES_IN_VAIN = 2_000_000
# Up to this number of moves, sets of moves are few.
_FEW_MOVES = 20
# Walks on boards whose squares may stay unvisited.
_FREE_WALKS = 300
_SEED = 1
HELP: Final = "use timeout=600 (--timeout 600) to try, or omit conditions"


def why_refused(tours: float) -> str:
    """Return the reason why a list of `tours` tours is refused, as half a sentence.

    >>> why_refused(1.3e14)
    'about 1.3e14 tours would have to be listed, which takes about 21 years'
    """
    time = in_time(seconds_of(tours))
    about = "" if time.endswith("of years") else "about "
    return f"about {in_figures(tours)} tours would have to be listed, which takes {about}{time}"


def seconds_of(tours: float) -> float:
    """Return the estimated seconds for a list of `tours` tours."""
    return tours / TOURS_PER_SECOND


def nodes_without_limit(problem: Problem) -> int | None:
    """Return the node limit of a search through a list that is too long if no limit is given; None for other lists."""
    return _NODES_IN_VAIN if estimated_tours(problem, is_quick=True) > TOO_MANY else None


def is_unlimited(limits: Limits | None) -> bool:
    """Return whether neither time nor nodes are limited."""
    return limits is None or (limits.seconds is None and limits.nodes is None)


@functools.lru_cache(maxsize=16)
def estimated_tours(problem: Problem, *, is_quick: bool = False) -> float:
    """Estimate the number of tours that a list for this problem goes through; 0 if nothing is known.

    is_quick: whether a rough number suffices for lists that are certainly short.

    >>> 5e11 < estimated_tours(Problem("8x8", closed=True, where={"turns": 40})) < 5e14
    True
    >>> estimated_tours(Problem("5x6", closed=True))
    6.0
    """
    if problem.board.is_directed:
        return 0.0
    board = problem.board
    numbers = square_count(board) if numbers_matter(problem) and not problem.given else 1
    searched = without_checked(problem)
    if searched.partial:
        if is_quick and len(pairs_of(searched)) <= _FEW_MOVES:
            return float(2 ** len(pairs_of(searched)))
        return _of_some_squares(searched, is_uncrossed=is_at_most(problem, "crossings", 0))
    bound = _log10_bound(searched)
    few = math.log10(MANY) - math.log10(numbers)
    if is_quick and bound <= few:
        return float(round(numbers * 10.0**bound))
    log10 = _log10_of(searched, 1, _QUICK_WALKS) if is_quick else -math.inf
    if (log10 + _DOUBT > few and log10 < _CERTAINLY) or log10 == -math.inf:
        log10 = _log10_of(searched, _POPULATIONS, _WALKS)
    is_plain = isinstance(board, GridBoard) and not board.holes and not condition_names(searched)
    if log10 == -math.inf and is_plain and known_proof(searched) is None:
        # No walk reached the end, as on large boards.
        log10 = bound / 2
    log10 = min(log10, bound)
    return float(round(numbers * 10.0 ** min(log10, 290.0)))


def _log10_bound(problem: Problem) -> float:
    """Return the logarithm of an upper bound: the number of cycle covers along arcs (Bregman 1973).

    An additional vertex, adjacent to all, joins the ends of an open tour.
    """
    degrees = move_graph(problem.board).degrees[move_graph(problem.board).squares].astype(np.int64)
    count = len(degrees)
    if not problem.closed:
        degrees = np.append(degrees + 1, count)
    if not degrees.all():
        return -math.inf
    kinds, times = np.unique(degrees, return_counts=True)
    total = sum(n * math.lgamma(d + 1) / d for d, n in zip(kinds.tolist(), times.tolist(), strict=True))
    return float(total / math.log(10))


def _log10_of(problem: Problem, populations: int, size: int) -> float:
    """Return the logarithm of the estimated number of tours of all squares; -inf if it is unknown.

    populations, size: number and size of populations; smaller on large boards.
    """
    if problem.symmetry is not None:
        # A part of a tour with a symmetry determines the whole tour.
        parts = 4 if problem.symmetry in ("90", "270", "birotary") else 2
        return _log10_of(replace_conditions(problem, symmetry=None), populations, size) / parts
    if problem.visit_order:
        free = len([s for s in problem.visit_order if s not in (start_index(problem), end_index(problem))])
        orders = math.lgamma(free + 1) if not problem.closed else math.lgamma(max(1, free)) - math.log(2)
        return _log10_of(replace_conditions(problem, visit_order=()), populations, size) - max(0.0, orders) / math.log(
            10
        )
    if problem.given:
        return _log10_of_walks(problem, populations, size) + _log10_of_moves(problem)
    return _log10_of_walks(reduce_problem(problem).problem if condition_names(problem) else problem, populations, size)


def _log10_of_moves(problem: Problem) -> float:
    """Return the logarithm of the expected fraction of tours with these conditions on moves."""
    share = min(0.99, square_count(problem.board) / max(1, len(pairs_of(problem))))
    return len(problem.require) * math.log10(share) + len(problem.forbid) * math.log10(1 - share)


def _log10_of_walks(problem: Problem, populations: int, size: int) -> float:
    count = square_count(problem.board)
    if count > (_MAX_SQUARES_NUMBERED if problem.given else _MAX_SQUARES):
        return -math.inf if problem.given else math.inf
    chance = np.random.default_rng(_SEED)
    size = max(_LEAST_WALKS, min(size, _SQUARES_WALKED // count))
    logs = [_population(problem, size, chance) for _ in range(populations)]
    if max(logs) == -math.inf:
        return -math.inf
    log = _log_mean(logs)
    return (log if problem.given or has_given_end(problem) else log - math.log(2)) / math.log(10)


def _log_mean(logs: list[float]) -> float:
    highest = max(logs)
    return highest + math.log(sum(math.exp(log - highest) for log in logs) / len(logs))


def _population(problem: Problem, size: int, chance: np.random.Generator) -> float:
    count, moves = square_count(problem.board), move_graph(problem.board)
    if count < 2 or is_too_small(problem):
        return -math.inf if is_too_small(problem) else 0.0
    numbers = _Numbers(problem) if problem.given else None
    field, walks = first_walks(problem, moves, size, chance, numbers.root if numbers else None)
    step = stepping(field, walks, closed=problem.closed)
    for left in range(count - 1, -1, -1):
        at = count - left
        if numbers:
            walks.hope[:] += numbers.drop(walks, at)
        if left and not resample(walks, chance):
            return -math.inf
        if numbers:
            walks.hope[:] -= numbers.hope(walks.head, at)
        if left:
            step(left)
    done = walks.log_weight[walks.log_weight > DEAD]
    log = -math.inf if len(done) == 0 else log_sum(done) - math.log(size)
    return log + (math.log(numbers.times) if numbers else 0.0)


class _Numbers:
    """Given numbers, for walks from one square.

    root: the first square of closed tours, whose numbers may begin elsewhere; None for open tours. times: the number
    of possible steps of the root; the walks use one of them.
    """

    def __init__(self, problem: Problem) -> None:
        board, moves = problem.board, move_graph(problem.board)
        self.count, self.root, self.times = square_count(board), None, 1
        steps: dict[int, frozenset[int]] = dict(problem.given)
        if problem.closed:
            self.root = min(steps, key=lambda square: (len(steps[square]), square))
            shift, self.times = min(steps[self.root]) - 1, len(steps[self.root])
            steps[self.root] = frozenset({shift + 1})
            steps = {s: frozenset((t - 1 - shift) % self.count + 1 for t in few) for s, few in steps.items()}
        elif problem.start is None and problem.end is not None:
            steps = {s: frozenset(self.count + 1 - t for t in few) for s, few in steps.items()}
        self._last: dict[int, list[int]] = {}
        may = np.tile(moves.is_square, (self.count + 1, 1))
        for square, few in steps.items():
            may[[t for t in range(self.count + 1) if t not in few], square] = False
            self._last.setdefault(max(few), []).append(square)
            if len(few) == 1:
                may[next(iter(few)), [s for s in range(may.shape[1]) if s != square]] = False
        self._log_ways = self._ways(may, moves.tails, moves.targets)

    def _ways(self, may: np.ndarray, tails: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Return, by step and square, the logarithm of a measure of the walks that meet all later numbers; -inf if
        none."""
        ways = may.astype(np.float64)
        size = may.shape[1]
        for t in range(self.count - 1, 0, -1):
            onward = np.bincount(tails, weights=ways[t + 1][targets], minlength=size)
            ways[t] *= onward / max(onward.max(), 1e-300)
        with np.errstate(divide="ignore"):
            return np.log(ways)

    def hope(self, head: np.ndarray, at: int) -> np.ndarray:
        """Return the weight of each walk for reaching the given numbers in time, or 0."""
        ways = self._log_ways[at, head]
        return np.where(np.isfinite(ways), ways, 0.0)

    def drop(self, walks: Walks, at: int) -> np.ndarray:
        """Drop walks that miss a number at a step."""
        is_late = ~np.isfinite(self._log_ways[at, walks.head])
        for square in self._last.get(at, ()):
            is_late |= walks.free[:, square] == 1
        walks.log_weight[is_late] = DEAD
        return self.hope(walks.head, at)


def _of_some_squares(problem: Problem, *, is_uncrossed: bool) -> float:
    """Estimate partial tours by random walks (Knuth 1975)."""
    squares = move_graph(problem.board).squares.tolist()
    if len(squares) > _MAX_SQUARES:
        return 1e290
    pairs = pairs_of(problem)
    near = by_square(pairs, squares)
    crossing = moves_of(problem).crossing if is_uncrossed else ()
    chance, first = random.Random(_SEED), search_ends(problem)[0]
    found = [_of_one_walk(problem, near, crossing, chance, first) for _ in range(_FREE_WALKS)]
    return sum(found) / len(found)


def _of_one_walk(
    problem: Problem,
    near: dict[int, list[tuple[int, int]]],
    crossing: Sequence[Sequence[int]],
    chance: random.Random,
    first: int | None,
) -> float:
    """Return one unbiased estimate: each tour along the walk counts 1 / probability."""
    here = chance.choice(list(near)) if first is None else first
    root, end = here, search_ends(problem)[1]
    weight, total = float(len(near)) if first is None else 1.0, 0.0
    seen, blocked, length = {here}, set[int](), 1
    while True:
        ways = [(there, k) for there, k in near[here] if there not in seen and k not in blocked]
        if not ways:
            return total
        weight *= len(ways)
        here, move = chance.choice(ways)
        seen.add(here)
        blocked.update(crossing[move] if crossing else ())
        length += 1
        if not problem.closed:
            total += weight / (1 if has_given_end(problem) else 2) if end in (None, here) else 0.0
        elif length > 2 and any(there == root and k not in blocked for there, k in near[here]):
            # A walk can find each cycle from each of its squares, in both directions.
            total += weight / (2 * length if first is None else 2)
