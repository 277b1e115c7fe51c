"""Random tours in bulk: each law named, every tour checked, the same tours from the same seed.

The stream of tours of a question, a law and a seed is cut into blocks of a fixed number of tours. Each block begins
anew, with a seed of its own hashed from the seed and its number. So it does not matter how many threads make blocks,
nor where one begins: `offset` skips tours of the stream, and drawing on from there is the same as having drawn more at
once. With `unique` the stream is that of the different tours, in order of first appearance; skipping tours of it means
to draw them again.

The laws are in laws/. "uniform" is what it says, on boards whose tours can be counted; "backbite" is in the
limit, on any board (how near it comes is measured in docs/sampling.md); the others are not.

Cost: about 3 us of CPU for a tour of 8x8, in numbers; 64 bytes for each, and with `unique` some 50 bytes more.
"""

from __future__ import annotations

import functools
import itertools
import os
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from knightstour.checking.rows import Checker
from knightstour.kernels.bulk import check_rows
from knightstour.machine import engine
from knightstour.machine.sharing import Workers, check_workers, run_pieces
from knightstour.methods.solve import solve
from knightstour.model.budget import Budget, Limits
from knightstour.model.errors import LimitReached, NoTour
from knightstour.model.problem import Problem
from knightstour.model.result import Status
from knightstour.model.sample import Sample, order_type
from knightstour.model.validation import amount, flag, seed_of, whole_number
from knightstour.sampling.distinct import Seen
from knightstour.sampling.laws import common
from knightstour.sampling.laws import table as laws
from knightstour.search import backtracking

# Tours of a block: enough that beginning it costs little.
_BLOCK_TOURS = 4096
_BLOCK_SQUARES = 1 << 18
_FEWEST_BLOCK_TOURS = 16
# Blocks that a worker is sent at once.
_BLOCKS_SENT = 8

# So many draws without a new tour, for each tour seen and besides, and there is no other: the chance that there is one
# is under 1 in 10^8 if all are drawn equally often.
_REPEATS_A_TOUR = 20
_REPEATS_BESIDES = 1000

# Where all tours may be listed to prove that no other is left, and for how long that is tried.
_MOST_SQUARES_LISTED = 36
_LISTING_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """Which tours are drawn: n of the stream of a question, a law and a seed, after the first `offset`.

    n: None for all that come. law, parameters, unique: as for sample_tours. seed: None for an accidental one.
    """

    problem: Problem
    n: int | None
    law: str = "backbite"
    parameters: dict[str, int] = field(default_factory=dict)
    unique: bool = False
    seed: int | None = None
    offset: int = 0

    def __post_init__(self) -> None:
        put = functools.partial(object.__setattr__, self)
        put("n", None if self.n is None else whole_number(self.n, "n", least=0))
        put("offset", whole_number(self.offset, "offset", least=0))
        put("unique", flag(self.unique, "unique"))


class Stream:
    """The tours asked for, as arrays of as many as come at once: each block's, checked.

    The iteration ends after n tours or when there are no more different ones, and runs only once.
    """

    def __init__(self, question: SampleQuestion, *, threads: int | None = None, workers: Workers = None) -> None:
        threads = amount(threads, "threads")
        self.problem, self.law_name = question.problem, question.law
        self.n, self.offset, self.unique = question.n, question.offset, question.unique
        self.threads = threads or os.cpu_count() or 1
        check_workers(workers)
        self.workers = workers
        self.seed = seed_of(question.seed)
        self.law = laws.make_law(question.law, self.problem, _first_tour(self.problem), question.parameters)
        self.drawn = self.given = self.repeats = self.fails = self.steps = 0
        self.is_exhausted = False
        self.reason = ""
        self._told = (0, 0, 0)
        self._seen: Seen | None = None
        if self.unique:
            self._seen = Seen(self.problem, 1 << 31 if self.n is None else self.n + self.offset)
        self._since_new = 0
        count = self.problem.board.square_count
        self.block_tours = max(_FEWEST_BLOCK_TOURS, min(_BLOCK_TOURS, _BLOCK_SQUARES // count))
        self._checker = Checker(self.problem)

    def empty(self) -> np.ndarray:
        """No tours."""
        return np.empty((0, self.problem.board.square_count), dtype=order_type(self.problem.board))

    def sample(self, orders: np.ndarray, offset: int, *, since_last: bool = False) -> Sample:
        """These tours as a Sample, with the counters so far or those since the last."""
        now = (self.repeats, self.fails, self.steps)
        told = self._told if since_last else (0, 0, 0)
        self._told = now
        return Sample(
            orders,
            self.problem,
            self.law_name,
            dict(self.law.parameters),
            self.seed,
            offset=offset,
            unique=self.unique,
            repeats=now[0] - told[0],
            fails=now[1] - told[1],
            steps=now[2] - told[2],
            is_exhausted=self.is_exhausted,
            reason=self.reason,
        )

    def __iter__(self) -> Iterator[np.ndarray]:
        if self.n == 0:
            return
        skip = self.offset
        first = 0
        if self._seen is None:
            first, skip = divmod(skip, self.block_tours)
        for block in self._blocks(first, skip):
            rows = block.orders
            self._checker.check(rows)
            self.drawn += len(rows)
            self.fails += block.fails
            self.steps += block.steps
            if self._seen is not None:
                rows = self._only_new(rows)
            if skip:
                skip, rows = max(0, skip - len(rows)), rows[skip:]
            if self.n is not None:
                rows = rows[: self.n - self.given]
            self.given += len(rows)
            if len(rows):
                yield rows
            if self.is_exhausted or self.given == self.n:
                return

    def _only_new(self, rows: np.ndarray) -> np.ndarray:
        assert self._seen is not None
        before = len(self._seen)
        is_new = self._seen.add(rows)
        news = np.flatnonzero(is_new)
        wanted = None if self.n is None else self.n + self.offset
        if wanted is not None and before + len(news) >= wanted:
            # What was drawn after the last one wanted does not count.
            is_new = is_new[: news[wanted - before - 1] + 1]
            rows = rows[: len(is_new)]
            news = news[: wanted - before]
        self.repeats += len(rows) - len(news)
        self._since_new = self._since_new + len(rows) if not len(news) else len(rows) - 1 - int(news[-1])
        if len(news) == len(rows):
            return rows
        self.reason = why_exhausted(self.problem, len(self._seen), self._since_new)
        self.is_exhausted = bool(self.reason)
        return rows[news]

    def _blocks(self, first: int, skip: int) -> Iterator[common.Block]:
        """The blocks in order, made by threads ahead of their use."""
        laws.warm(self.law_name)
        engine.compiled(check_rows)
        stop = threading.Event()
        wanted = None if self.n is None or self.unique else self.n + skip

        def tours_of(k: int) -> int:
            return (
                self.block_tours if wanted is None else min(self.block_tours, wanted - (k - first) * self.block_tours)
            )

        def make(k: int) -> common.Block:
            return self.law(seed_of_block(self.seed, k), tours_of(k), stop)

        if self.workers is not None:
            blocks = (
                (self.law, [(seed_of_block(self.seed, j), tours_of(j)) for j in range(k, k + _BLOCKS_SENT)])
                for k in itertools.takewhile(lambda k: tours_of(k) > 0, itertools.count(first, _BLOCKS_SENT))
            )
            with closing(run_pieces(make_blocks, blocks, self.workers, in_order=True)) as made:
                for _, some in made:
                    yield from some
            return
        if self.threads == 1 or (wanted is not None and wanted <= self.block_tours):
            k = first
            while tours_of(k) > 0:
                yield make(k)
                k += 1
            return
        waiting: deque[Future[common.Block]] = deque()
        pool = ThreadPoolExecutor(self.threads)
        try:
            k = first
            while True:
                while len(waiting) < self.threads + 2 and tours_of(k) > 0:
                    waiting.append(pool.submit(make, k))
                    k += 1
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


def seed_of_block(seed: int, k: int) -> int:
    """The seed of block k of the stream."""
    return int(np.random.SeedSequence(seed, spawn_key=(k,)).generate_state(1, np.uint64)[0])


def make_blocks(law: common.Draw, blocks: list[tuple[int, int]]) -> list[common.Block]:
    """Blocks of (seed, tours) each, made by a worker."""
    return [law(seed, count, threading.Event()) for seed, count in blocks if count > 0]


def why_exhausted(problem: Problem, count: int, since_new: int, limits: Limits | None = None) -> str:
    """Why there are no more than these `count` different tours, "" if there may be. since_new: draws since the last.

    limits: for listing all tours of a small board, to be sure.
    """
    if since_new <= _REPEATS_A_TOUR * count + _REPEATS_BESIDES:
        return ""
    if problem.board.square_count <= _MOST_SQUARES_LISTED:
        budget = Budget(limits or Limits(seconds=_LISTING_SECONDS))
        one_way = problem.closed or (problem.start is None and problem.end is None)
        orders = backtracking.iter_orders(problem, budget, directed=not one_way)
        listed = sum(1 for _ in orders)
        if orders.is_complete:
            if listed == count:
                return f"these are all {count:,} tours"
            return (
                f"{count:,} different tours; there are {listed:,}, but the last {since_new:,} drawn had all come before"
            )
    return f"{count:,} different tours; the last {since_new:,} drawn had all come before"


def _first_tour(problem: Problem) -> np.ndarray:
    """A tour that answers the question; NoTour or LimitReached where there is none to begin with."""
    result = solve(problem, rng=1)
    if result.status is Status.IMPOSSIBLE:
        raise NoTour(result)
    if result.status is Status.UNDECIDED:
        raise LimitReached(result)
    assert result.tour is not None
    return result.tour.order
