"""Random tours in bulk: every tour is checked, and the same seed gives the same tours.

The stream of tours of a problem, a distribution and a seed is divided into blocks with a fixed number of tours. Each
block has its own seed, a hash of the seed and the number of the block. The tours therefore do not depend on the number
of threads, and `offset` skips tours of the stream: two consecutive requests give the same tours as one. With `unique`
the stream contains distinct tours, in order of first appearance; to skip some of them they are drawn again. Duplicates
are detected exactly: each tour is stored as the key `Packing.keys`, 24 bytes for a closed 8x8 tour, 32 for an open one.
A hash table of 8 bytes per entry finds candidates, and these are compared in full.

Cost: about 3 us of CPU time per 8x8 tour, and 64 bytes; with `unique` about 50 bytes more.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field

import numpy as np

from knightstour.core.checking.rows import Checker, confirm_orders
from knightstour.core.machine.native import kernel_function
from knightstour.core.machine.sharing import Workers, checked_workers, run_pieces
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits, as_arguments
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.condition_table import IMAGES, LISTED, MOVES
from knightstour.core.model.deadline import DeadlineError
from knightstour.core.model.problem import (
    Problem,
    check_supported,
    checked_conditions,
    condition_names,
    condition_values,
    plural_of,
    replace_conditions,
    without_checked,
    without_conditions,
)
from knightstour.core.model.progress import OnProgress, Reporter, log_result
from knightstour.core.model.reduced import ReducedGraph, reduce_problem
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached, NoTour
from knightstour.core.model.sample import Sample, order_type
from knightstour.core.model.validation import check_amount, seed_of
from knightstour.core.proofs.arguments import known_proof
from knightstour.core.search.frontier.marching import Keys
from knightstour.core.search.listing import list_tours
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.sampling.distributions import common
from knightstour.lab.sampling.distributions import table as distributions
from knightstour.lab.sampling.distributions.common import Block, DistributionStopped, Draw, Stop
from knightstour.lab.sampling.question import SampleQuestion

_ROWS_AT_ONCE = 1 << 14
_ENTERED_AT_ONCE = 1 << 16


class SeenKeys:
    """A set of keys, as rows of words. most: maximum number of keys; memory is allocated as needed."""

    def __init__(self, most: int = 1 << 31) -> None:
        self._most, self._used = most, 0
        self._keys = Keys(np.zeros((0, 0), dtype=np.uint64), np.zeros((1 << 12, 2), dtype=np.uint32))

    def __len__(self) -> int:
        return self._used

    def add(self, keys: np.ndarray) -> np.ndarray:
        """Add keys, and return which of them are new: bool."""
        need, width = len(self) + len(keys), keys.shape[1]
        if need > len(self._keys.words):
            room = max(need, min(3 * need // 2, self._most))
            self._keys.words.resize((room, width), refcheck=False)
        if 2 * need > len(self._keys.table):
            table = np.zeros((1 << (2 * need - 1).bit_length(), 2), dtype=np.uint32)
            self._keys = self._keys._replace(table=table)
            for first in range(0, len(self), _ENTERED_AT_ONCE):
                kernel_function("keys_reindex")(self._keys, width, first, min(first + _ENTERED_AT_ONCE, len(self)))
        is_repeat = np.zeros(len(keys), dtype=np.bool_)
        self._used = kernel_function("keys_mark_repeats")(self._keys, width, keys, is_repeat, self._used)
        return ~is_repeat


class SeenTours:
    """The distinct tours of a problem so far. most: maximum number of tours.

    Closed tours are equal if their cycles are equal; open tours are equal to their reversals, unless a start or an end
    is given.
    """

    def __init__(self, problem: Problem, most: int = 1 << 31) -> None:
        self._problem = problem
        self._packing = packing.packing_of(problem.board)
        self._keys = SeenKeys(most)

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, orders: np.ndarray) -> np.ndarray:
        """Add tours, and return which rows are new: bool."""
        is_new = np.empty(len(orders), dtype=np.bool_)
        for first in range(0, len(orders), _ROWS_AT_ONCE):
            rows = orders[first : first + _ROWS_AT_ONCE]
            is_new[first : first + len(rows)] = self._keys.add(self._packing.keys(rows, self._problem))
        return is_new


# Size of a block: large enough to make its overhead negligible.
_BLOCK_TOURS = 4096
_BLOCK_SQUARES = 1 << 18
_FEWEST_BLOCK_TOURS = 16
# Number of tours drawn together, at first and at most. Number of squares of rejected tours before the search ends.
_FIRST, _MOST = 64, 4096
_PATIENCE_SQUARES = 1 << 26
# Number of blocks sent to a worker together.
_BLOCKS_SENT = 8

# After this number of draws without a new tour, per known tour plus a constant, no other is assumed to exist: the
# probability of error is under 1 in 10^8 if all tours are equally likely.
_REPEATS_PER_TOUR = 20
_REPEATS_BESIDES = 1000

# Up to this number of squares all tours are listed to prove that no other exists. The node limit makes the result
# independent of the machine.
_MAX_SQUARES_LISTED = 36
_LISTING_LIMITS = Limits(seconds=None, nodes=3_000_000)


class Stream:
    """Iterator over the requested tours as arrays, one per block, checked. It can be used only once.

    It ends after n tours, when no more distinct tours exist, at a limit or after `stop`. is_exhausted, is_limited:
    whether the second or third case occurred; `reason` then explains it.
    """

    def __init__(
        self,
        question: SampleQuestion,
        *,
        threads: int | None = None,
        workers: Workers = None,
        limits: Limits | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._budget = Budget(limits or NO_LIMITS)
        self._report = Reporter(on_progress, "drawing tours", question.n)
        threads = check_amount(threads, "threads")
        self.problem, self.distribution_name = question.problem, question.distribution
        self.n, self.offset, self.unique = question.n, question.offset, question.unique
        # More threads than cores would only draw surplus blocks.
        cores = os.cpu_count() or 1
        self.threads = min(threads or cores, cores)
        self.workers = checked_workers(workers)
        self.seed = seed_of(question.seed)
        check_supported(self.problem, "a sample", MOVES, IMAGES, LISTED)
        # With moves required or forbidden, the distribution draws tours of the reduced graph.
        self._searched = searched = without_checked(self.problem)
        self._graph = reduce_problem(searched) if condition_names(searched) and searched.symmetry is None else None
        drawn = searched if self._graph is None else self._graph.problem
        if self._graph is not None:
            _first_tour(searched, limits)
        if checked_conditions(self.problem):
            _check_has_tour(self.problem)
        try:
            with self._budget.keeping_deadline():
                first_tour = functools.partial(
                    _first_tour, limits=None if limits is None else self._budget.remaining_limits()
                )
                self.distribution = distributions.make_distribution(
                    question.distribution, drawn, first_tour, question.parameters
                )
                if checked_conditions(self.problem):
                    self.distribution = Rejection(self.problem, self.distribution, self._graph)
        except (DeadlineError, LimitReached) as end:
            if isinstance(end, LimitReached) and not self._budget.is_spent:
                raise
            raise common.gave_up_error(self.problem, self._budget.why_stopped(), self.seed, 0) from None
        self.drawn = self.given = self.repeats = self.fails = self.steps = self.rejected = 0
        self.is_exhausted = self.is_limited = False
        self.reason = ""
        self._last_counters = (0, 0, 0, 0, 0)
        self._stop = Stop(lambda: self._budget.seconds_left)
        self._seen: SeenTours | None = None
        if self.unique:
            self._seen = SeenTours(self.problem, 1 << 31 if self.n is None else self.n + self.offset)
        self._since_new = 0
        count = square_count(self.problem.board)
        # With a high rejection rate, surplus tours are expensive: draw small blocks.
        most = _FEWEST_BLOCK_TOURS if checked_conditions(self.problem) else _BLOCK_TOURS
        self.block_tours = max(_FEWEST_BLOCK_TOURS, min(most, _BLOCK_SQUARES // count))
        self._checker = Checker(self.problem)

    def empty(self) -> np.ndarray:
        """Return an array without tours."""
        return np.empty((0, square_count(self.problem.board)), dtype=order_type(self.problem.board))

    def sample(self, orders: np.ndarray, offset: int, *, since_last: bool = False) -> Sample:
        """Return these tours as a Sample, with all the counters, or with the counters since the last Sample."""
        log_result(
            "sample",
            f"{self.given:,} {plural_of(self.problem)}",
            self.distribution_name,
            self.seed,
            self._budget.seconds,
        )
        now = (self.repeats, self.fails, self.steps, self.rejected, self.drawn)
        last = self._last_counters if since_last else (0, 0, 0, 0, 0)
        rejected, drawn = now[3] - last[3], now[4] - last[4]
        self._last_counters = now
        return Sample(
            orders,
            self.problem,
            self.distribution_name,
            dict(self.distribution.parameters),
            self.seed,
            offset=offset,
            unique=self.unique,
            repeats=now[0] - last[0],
            fails=now[1] - last[1],
            steps=now[2] - last[2],
            is_exhausted=self.is_exhausted,
            reason=self.reason,
            rejected=rejected,
            acceptance=drawn / (drawn + rejected) if rejected else 1.0,
        )

    def stop(self) -> None:
        """End the iteration at the next check of the time. Any thread may call this."""
        self._stop.set()

    def __iter__(self) -> Iterator[np.ndarray]:
        with suppress(DistributionStopped):
            yield from self._rows()
        is_rare = bool(self.reason) and not self.is_exhausted
        self.is_limited = self.given != self.n and not self.is_exhausted and (self._budget.is_spent or is_rare)
        if self.is_limited and not is_rare:
            self.reason = self._budget.why_stopped()

    def _rows(self) -> Iterator[np.ndarray]:
        if self.n == 0:
            return
        skip = self.offset
        first = 0
        if self._seen is None:
            first, skip = divmod(skip, self.block_tours)
        for block in self._blocks(first, skip):
            rows = block.orders if not condition_names(self._searched) else self._on_board(block.orders)
            self._checker.check(rows)
            confirm_orders(self.problem, rows, "a sample")
            self.drawn += len(rows)
            self.fails += block.fails
            self.steps += block.steps
            self.rejected += block.rejected
            self._budget.spend(block.steps)
            if self._seen is not None:
                rows = self._new_rows(rows)
            if skip:
                skip, rows = max(0, skip - len(rows)), rows[skip:]
            if self.n is not None:
                rows = rows[: self.n - self.given]
            self.given += len(rows)
            self._report(self.given)
            if len(rows):
                yield rows
            if self.is_exhausted or self.given == self.n or self._budget.is_spent:
                return
            if block.why_fewer:
                self.reason = block.why_fewer
                return

    def _on_board(self, orders: np.ndarray) -> np.ndarray:
        rows = orders if self._graph is None else self._graph.orders(orders)
        return rows.astype(order_type(self.problem.board))

    def _new_rows(self, rows: np.ndarray) -> np.ndarray:
        assert self._seen is not None
        before = len(self._seen)
        is_new = self._seen.add(rows)
        news = np.flatnonzero(is_new)
        wanted = None if self.n is None else self.n + self.offset
        if wanted is not None and before + len(news) >= wanted:
            # Tours drawn after the last requested one do not count.
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
        """Yield blocks in order; threads compute them ahead."""
        wanted = None if self.n is None or self.unique else self.n + skip

        def tours_of(k: int) -> int:
            return (
                self.block_tours if wanted is None else min(self.block_tours, wanted - (k - first) * self.block_tours)
            )

        def make(k: int) -> common.Block:
            return self.distribution(seed_of_block(self.seed, k), tours_of(k), self._stop)

        if self.workers is not None:
            blocks = (
                (self.distribution, [(seed_of_block(self.seed, j), tours_of(j)) for j in range(k, k + _BLOCKS_SENT)])
                for k in itertools.takewhile(lambda k: tours_of(k) > 0, itertools.count(first, _BLOCKS_SENT))
            )
            left = self._budget.seconds_left
            with closing(run_pieces(make_blocks, blocks, self.workers, in_order=True, seconds=left)) as made:
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
            self._stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


@dataclass
class Rejection:
    """A distribution with conditions that are not supported directly, such as ranges of statistics, by rejection.

    A uniform distribution stays uniform over the remaining tours. It is slow if such tours are rare.

    draw: distribution for the problem without the conditions LISTED. graph: graph of its tours, or
    None. parameters: for `draw`.
    """

    problem: Problem
    draw: Draw
    graph: ReducedGraph | None
    parameters: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.parameters = self.draw.parameters

    def __call__(self, seed: int, count: int, stop: Stop, /) -> Block:
        """Return a block; it has fewer tours, with the reason, if the required tours are too rare."""
        kept: list[np.ndarray] = []
        found = fails = steps = rejected = in_vain = 0
        most_in_vain = max(1, _PATIENCE_SQUARES // square_count(self.problem.board))
        why_fewer = ""
        for part in itertools.count():
            size = min(_MOST, _FIRST << min(part, 20))
            block = self.draw(int(np.random.SeedSequence((seed, part)).generate_state(1, np.uint64)[0]), size, stop)
            places = np.flatnonzero(self._are_wanted(block.orders))[: count - found]
            is_last = found + len(places) == count
            looked_at = int(places[-1]) + 1 if is_last else size
            found, rejected = found + len(places), rejected + looked_at - len(places)
            fails, steps = fails + block.fails, steps + block.steps
            kept.append(block.orders[places])
            in_vain = in_vain + size if not len(places) else 0
            if is_last:
                break
            if in_vain >= most_in_vain:
                why_fewer = f"none of the last {in_vain:,} tours meets the conditions"
                break
        return Block(np.concatenate(kept), fails, steps, rejected, why_fewer)

    def _are_wanted(self, orders: np.ndarray) -> np.ndarray:
        from knightstour.core.statistics.where import measure_in_range

        rows = orders if self.graph is None else self.graph.orders(orders)
        conditions = {
            name: value for name, value in condition_values(self.problem) if name in checked_conditions(self.problem)
        }
        ranges = conditions.pop("where", None)
        fits = np.ones(len(rows), dtype=bool) if ranges is None else measure_in_range(self.problem, ranges, rows)[1]
        rest = replace_conditions(without_conditions(self.problem), **conditions)
        if conditions:
            fits &= np.array([fault_of(rest, row) is None for row in rows])
        return fits


def seed_of_block(seed: int, k: int) -> int:
    return int(np.random.SeedSequence(seed, spawn_key=(k,)).generate_state(1, np.uint64)[0])


def make_blocks(distribution: common.Draw, blocks: list[tuple[int, int]]) -> list[common.Block]:
    """Return blocks with the given seeds and numbers of tours, on a worker."""
    return [distribution(seed, count, Stop()) for seed, count in blocks if count > 0]


def why_exhausted(problem: Problem, count: int, since_new: int) -> str:
    """Return the reason why no more than these `count` distinct tours exist, or "" if more are possible.

    since_new: number of draws since the last new tour. On a small board all tours are listed to be sure.
    """
    if since_new <= _REPEATS_PER_TOUR * count + _REPEATS_BESIDES:
        return ""
    if square_count(problem.board) <= _MAX_SQUARES_LISTED:
        budget = Budget(_LISTING_LIMITS)
        one_way = problem.closed or (problem.start is None and problem.end is None)
        orders = list_tours(problem, budget, directed=not one_way)
        listed = sum(1 for _ in orders)
        if orders.is_complete:
            if listed == count:
                return f"these are all {count:,} tours"
            return f"{count:,} distinct tours; there are {listed:,}, but the last {since_new:,} draws were duplicates"
    return f"{count:,} distinct tours; the last {since_new:,} draws were duplicates"


def _check_has_tour(problem: Problem) -> None:
    """Raise NoTour if a proof, or a short list, shows that there is no tour."""
    if square_count(problem.board) <= _MAX_SQUARES_LISTED:
        result = solve(problem, seed=1, **as_arguments(_LISTING_LIMITS))
    else:
        proof = known_proof(problem)
        if proof is None:
            return
        result = Result(proof.status, problem, None, proof.reason, proof.source, proof.method, 0, 0, 0.0)
    if result.status is Status.IMPOSSIBLE:
        raise NoTour(result)


def _first_tour(problem: Problem, limits: Limits | None) -> np.ndarray:
    """Raise NoTour or LimitReached if the search fails."""
    result = solve(problem, seed=1, **as_arguments(limits))
    if result.status is Status.IMPOSSIBLE:
        raise NoTour(result)
    if result.status is Status.UNDECIDED:
        raise LimitReached(result)
    assert result.tour is not None
    return result.tour.order
