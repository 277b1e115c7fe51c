"""Unbiased estimate of the number of tours, with its standard error, for boards where counting is infeasible.

A random walk that becomes a tour counts as 1 / p tours, where p is the probability of its choices. The mean over many
walks is the number of tours (Knuth 1975). Since few walks become tours, and their weights vary widely, the plain method
converges slowly. Therefore:

- A step avoids immediate dead ends and follows Warnsdorff's rule: the probability of a square with d free neighbours is
  proportional to d^-2.
- The walks advance together, in populations. If their weights vary too much, the population is resampled: each walk is
  drawn in proportion to its weight times its *promise*, and its weight is divided by the promise. The promise estimates
  the number of continuations: the product of the numbers of free neighbours over all free squares. The mean stays
  unbiased for any promise (Chopin and Papaspiliopoulos).

Each population gives one unbiased estimate. The result is their mean, with its standard error. The standard error is
itself an estimate, reliable only if it is small. On large boards a few populations dominate, so the mean and its error
are usually too low.

Cost: about 0.2 us per walk and square. Sources: D. E. Knuth, Estimating the efficiency of backtrack programs, 1975;
N. Chopin and O. Papaspiliopoulos, An Introduction to Sequential Monte Carlo, 2020, for the proof that resampling keeps
the mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import MoveGraph, Square, move_graph, square_count
from knightstour.core.model.budget import NO_LIMITS, Budget, limits_of
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import (
    Problem,
    Question,
    check_supported,
    end_index,
    has_given_end,
    problem_of,
    start_index,
)
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.validation import Seed, flag, quoted, seed_of, whole_number
from knightstour.core.model.wording import short_repr
from knightstour.core.proofs.arguments import known_proof
from knightstour.lab.counting.conventions import kind_of

DEAD = -1e300


class Field(NamedTuple):
    """offsets, targets: the moves, as in MoveGraph, int64. near_root: 1 for neighbours of the first square of closed
    tours, else 0, int64. liking, promise: by degree, float64. random: int64 (1,)."""

    offsets: np.ndarray
    targets: np.ndarray
    near_root: np.ndarray
    liking: np.ndarray
    promise: np.ndarray
    random: np.ndarray


class Walks(NamedTuple):
    """Walks. head, last, roots: int64. free: int8 and degree: int32, (walks, squares). log_weight, hope: float64.

    Walk i has reached head[i]. free[i, s] is 1 for unvisited squares; degree[i, s] is then the number of free
    neighbours of s. last[i] is the required last square, or -1. log_weight[i] is the logarithm of the inverse
    probability of the choices so far, or DEAD if the walk cannot become a tour. hope[i] is the sum of promise[degree]
    over the free squares. roots[i] counts the free neighbours of the first square of a closed tour.
    """

    head: np.ndarray
    last: np.ndarray
    free: np.ndarray
    degree: np.ndarray
    log_weight: np.ndarray
    hope: np.ndarray
    roots: np.ndarray


class Choices(NamedTuple):
    """total: float64, the total preference of the candidates of each walk; degree: int64, the degree of the chosen
    square. They are 1 and 0 for a walk that did not move. The kernel computes no logarithms: the caller adds the
    logarithm of the total to log_weight and subtracts the logarithm of the preference of the degree."""

    total: np.ndarray
    degree: np.ndarray


# Maximum size of a population; minimum number of populations for a reliable error.
_LARGEST_POPULATION = 1000
_FEWEST_POPULATIONS = 20
# Exponent of Warnsdorff's rule.
_LIKING = 2.0
# Promise of a free square without free neighbours: not zero, since the walk can still enter it from its head.
_LONELY = 0.3
# A population is resampled if its effective size falls below this fraction of its size.
_WORTH = 0.5
_MAX_SQUARES = 100_000
# Years of work: a larger number is a mistake.
_MAX_SAMPLES = 10**15


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated number of tours.

    problem, directed: the counted tours. mean: the estimate, infinite above 1.8e308. standard_error: standard error of
    the mean. log10_mean: logarithm of the mean to base 10, -inf for 0, valid at any size. relative_error: standard
    error / mean. samples: number of walks. populations: number of groups of walks, each with its own estimate. scheme:
    the method, in words. reason, source: proof that no tour exists, without walks; else empty. limit: the limit
    that ended the walks early; else empty.
    """

    problem: Problem
    directed: bool
    mean: float
    standard_error: float
    log10_mean: float
    relative_error: float
    samples: int
    populations: int
    scheme: str
    reason: str = ""
    source: str = ""
    limit: str = ""

    @property
    def convention(self) -> str:
        """The counted tours, in words."""
        words = [
            "directed" if self.directed else "undirected",
            "closed tours" if self.problem.closed else "open tours, re-entrant ones included",
        ]
        if not self.problem.closed and self.problem.start is not None:
            words.append(f"from {self.problem.board.square_name(self.problem.start)}")
        if not self.problem.closed and self.problem.end is not None:
            words.append(f"to {self.problem.board.square_name(self.problem.end)}")
        return " ".join(words)

    @property
    def is_limited(self) -> bool:
        """Whether a limit ended the walks early; the figures describe the completed walks."""
        return bool(self.limit)

    @property
    def is_known(self) -> bool:
        """Whether at least one walk became a tour, so that the figures are meaningful."""
        return self.log10_mean > -math.inf or bool(self.reason)

    def to_dict(self) -> dict[str, object]:
        """Return problem and estimate as JSON-serialisable data; unknown and infinite figures become None."""
        names = ("mean", "standard_error", "log10_mean", "relative_error")
        figures = {name: getattr(self, name) for name in names}
        known = {name: value if self.is_known and math.isfinite(value) else None for name, value in figures.items()}
        reason = self.reason or (None if self.is_known else str(self))
        return {
            **self.problem.to_dict(),
            "directed": self.directed,
            **known,
            "samples": self.samples,
            "reason": reason,
            "source": self.source or None,
            "limited": self.is_limited,
        }

    def lines(self) -> list[str]:
        """Return the estimate and its standard error as text."""
        if self.reason:
            return ["0"]
        if not self.is_known:
            return [f"undecided: {self}"]
        if self.mean < math.inf:
            return [f"{self.mean:.4g} +- {self.standard_error:.2g}"]
        power = math.floor(self.log10_mean)
        first = 10 ** (self.log10_mean - power)
        return [f"{first:.3f}e+{power} +- {first * self.relative_error:.2g}e+{power}"]

    def notes(self) -> list[str]:
        """Description of the convention and the number of samples, or the reason why no tour exists."""
        if self.reason:
            return [f"{self.reason} ({self.source})"]
        if not self.is_known:
            return []
        notes = [f"{kind_of(self.problem, directed=self.directed)}, from {self.samples:,} samples"]
        return [*notes, *filter(None, [self.limit])]

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        if self.reason:
            return f"there are no {self.convention}: {self.reason}"
        if self.log10_mean == -math.inf:
            return f"no tour among {self.samples:,} walks, so nothing is known ({self.convention})"
        power = math.floor(self.log10_mean)
        return (
            f"about {10 ** (self.log10_mean - power):.3f}e{power} +- {self.relative_error:.2%} ({self.convention}; "
            f"{self.samples:,} walks)"
        )


SCHEME = "walks weighted by Warnsdorff's rule, resampled by weight and promise; unbiased"


@with_hints
def estimate(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    directed: bool = False,
    samples: int = 20_000,
    seed: Seed = None,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> Estimate:
    """Estimate the number of tours of any board by random walks: unbiased, with its standard error.

    Args:
        closed, start, end, directed: As for count.
        samples: Number of walks.
        seed: An integer, a random generator, or None for a random seed; the same seed gives the same result.
        timeout: Seconds; an estimate from the walks completed by then has a `limit`. By default none.
        on_progress: Callback with a Progress after each population of walks.

    If a proof shows that no tour exists, the estimate is 0 without walks.

    Raises:
        ProblemError: If there are fewer than 40 samples.
        LimitReached: If the timeout passes before two populations are complete.

    >>> found = estimate((6, 6), closed=True, samples=400, seed=1)
    >>> abs(found.mean - 9862) < 3 * found.standard_error
    True
    >>> found.convention
    'undirected closed tours'
    """
    limits = limits_of(timeout)
    problem = problem_of(board, closed=closed, start=start, end=end)
    check_supported(problem, "an estimate")
    directed = flag(directed, "directed")
    samples = whole_number(samples, "samples")
    if samples > _MAX_SAMPLES:
        raise ProblemError(f"samples must be at most {_MAX_SAMPLES:,}, not {quoted(samples)}")
    if samples < 2 * _FEWEST_POPULATIONS:
        raise ProblemError(f"{samples} samples are too few", help=f"pass {2 * _FEWEST_POPULATIONS} or more")
    if square_count(problem.board) > _MAX_SQUARES:
        raise ProblemError(f"an estimate for {square_count(problem.board):,} squares has no chance")
    proof = known_proof(problem)
    if proof is not None:
        how = (SCHEME, proof.reason, proof.source)
        return Estimate(problem, directed, 0.0, 0.0, -math.inf, math.inf, 0, 0, *how)
    random = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed_of(seed))
    size = min(_LARGEST_POPULATION, samples // _FEWEST_POPULATIONS)
    populations = samples // size
    budget = Budget(NO_LIMITS if limits is None else limits)
    report = Reporter(on_progress, "walking", populations * size)
    logs: list[float] = []
    while len(logs) < populations and not budget.is_spent:
        found = _population(problem, size, random, budget)
        if found is None:
            break
        logs.append(found)
        report(len(logs) * size)
    limit = "" if len(logs) == populations else budget.why_stopped()
    if len(logs) < 2:
        walks = len(logs) * size
        raise LimitReached(Result(Status.UNDECIDED, problem, None, limit, "", "estimate", 0, walks, budget.seconds))
    if limit:
        limit += f"; {samples:,} samples were requested"
    return replace(_summary(np.array(logs), size, problem, directed), limit=limit)


def _summary(logs: np.ndarray, size: int, problem: Problem, directed: bool) -> Estimate:
    """Return mean and error from the logarithms of the populations' estimates, which count directed walks."""
    if not directed and not has_given_end(problem) and square_count(problem.board) > 1:
        logs = logs - math.log(2)
    highest = float(logs.max())
    samples = size * len(logs)
    if highest == -math.inf:
        return Estimate(problem, directed, 0.0, 0.0, -math.inf, math.inf, samples, len(logs), SCHEME)
    shares = np.exp(logs - highest)
    share = float(shares.mean())
    error = float(shares.std(ddof=1)) / math.sqrt(len(logs)) / share
    log10_mean = (highest + math.log(share)) / math.log(10)
    mean = math.exp(highest) * share if highest < 709 else math.inf
    return Estimate(problem, directed, mean, mean * error, log10_mean, error, samples, len(logs), SCHEME)


# ---------------------------------------------------------------- one population


def _population(problem: Problem, size: int, random: np.random.Generator, budget: Budget) -> float | None:
    if problem.closed and square_count(problem.board) < 3:
        return -math.inf
    moves = move_graph(problem.board)
    field, walks = first_walks(problem, moves, size, random)
    step = stepping(field, walks, closed=problem.closed)
    for left in range(square_count(problem.board) - 1, 0, -1):
        if budget.is_spent:
            return None
        step(left)
        if left > 1 and not resample(walks, random):
            return -math.inf
    done = walks.log_weight[walks.log_weight > DEAD]
    return -math.inf if len(done) == 0 else log_sum(done) - math.log(size)


def stepping(field: Field, walks: Walks, *, closed: bool) -> Callable[[int], None]:
    """Return a function that advances each walk by one step; its argument is the number of free squares."""
    size = len(walks.head)
    choices = Choices(np.ones(size), np.zeros(size, dtype=np.int64))
    advance = kernel_function("estimate_advance").bind(field, walks, choices, int(closed))
    # math.log, since NumPy's logarithms differ between machines in the last digit.
    log_liking = np.array(list(map(math.log, field.liking.tolist())))

    def step(left: int) -> None:
        for first, last in slices.ranges(size):
            advance(left, first, last)
        walks.log_weight[:] += np.array(list(map(math.log, choices.total.tolist()))) - log_liking[choices.degree]

    return step


def first_walks(
    problem: Problem, moves: MoveGraph, size: int, random: np.random.Generator, root: int | None = None
) -> tuple[Field, Walks]:
    """Create the population on its first squares. If only the end of a tour is given, it is walked backwards.

    root: the first square of closed tours; by default one with the fewest moves.
    """
    squares = moves.squares
    first, last = start_index(problem), end_index(problem)
    if first is None and last is not None:
        first, last = last, None
    log_weight = np.zeros(size)
    near_root = np.zeros(len(moves.is_square), dtype=np.int64)
    if problem.closed:
        # A cycle visits every square, so start at a square with the fewest neighbours.
        first = int(squares[np.argmin(moves.degrees[squares])]) if root is None else root
        near_root[_neighbours(moves, first)] = 1
    if first is None:
        head = random.choice(squares, size)
        log_weight += math.log(len(squares))
    else:
        head = np.full(size, first)
    free = np.repeat(moves.is_square.astype(np.int8)[None], size, axis=0)
    degree = np.repeat(moves.degrees.astype(np.int32)[None], size, axis=0)
    free[np.arange(size), head] = 0
    for i, h in enumerate(head.tolist()):
        degree[i, _neighbours(moves, h)] -= 1
    most = int(moves.degrees.max(initial=0)) + 1
    liking = np.maximum(np.arange(most), 1.0) ** -_LIKING
    promise = np.log(np.maximum(np.arange(most), _LONELY))
    hope = (promise[degree] * free).sum(axis=1)
    seed = np.array([random.integers(1, 1 << 32)], dtype=np.int64)
    field = Field(moves.offsets, moves.targets, near_root, liking, promise, seed)
    lasts = np.full(size, -1 if last is None else last, dtype=np.int64)
    roots = np.full(size, near_root.sum())
    return field, Walks(head.astype(np.int64), lasts, free, degree, log_weight, hope, roots)


def _neighbours(moves: MoveGraph, square: int) -> np.ndarray:
    return moves.targets[moves.offsets[square] : moves.offsets[square + 1]]


def resample(walks: Walks, random: np.random.Generator) -> bool:
    """Resample the population from itself if its weights differ too much; False if all walks are lost."""
    is_alive = walks.log_weight > DEAD
    if not is_alive.any():
        return False
    size = len(walks.head)
    logs = np.where(is_alive, walks.log_weight + walks.hope, -math.inf)
    shares = np.exp(logs - logs.max())
    total = shares.sum()
    if total**2 >= _WORTH * size * (shares**2).sum():
        return True
    # One random offset for all (systematic resampling): the copies of a walk are its share, rounded up or down.
    upto = np.cumsum(shares) / total
    upto[-1] = 1.0
    drawn = np.searchsorted(upto, (np.arange(size) + random.random()) / size, side="right").clip(0, size - 1)
    for each in walks:
        each[:] = each[drawn]
    # A walk was drawn in proportion to weight x promise.
    walks.log_weight[:] = log_sum(logs) - math.log(size) - walks.hope
    return True


def log_sum(logs: np.ndarray) -> float:
    """Return the logarithm of a sum of numbers given by their logarithms."""
    highest = float(logs.max())
    return highest + math.log(float(np.exp(logs - highest).sum()))
