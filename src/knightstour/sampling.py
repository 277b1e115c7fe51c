"""Random tours in bulk: each law named, every tour checked, the same tours from the same seed.

The stream of tours of a question, a law and a seed is cut into blocks of a fixed number of tours. Each block begins
anew, with a seed of its own hashed from the seed and its number. So it does not matter how many threads make blocks,
nor where one begins: `offset` skips tours of the stream, and drawing on from there is the same as having drawn more at
once. With `unique` the stream is that of the different tours, in order of first appearance; skipping tours of it means
to draw them again.

The laws are told in laws.py. "uniform" is what it says, on boards whose tours can be counted; "backbite" is in the
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
from typing import Any

import numpy as np

from knightstour import backtracking, engine, laws, memory, methods
from knightstour.board import Board, BoardLike, Square, are_moves, move_graph
from knightstour.distinct import Seen
from knightstour.errors import InvalidTour, LimitReached, NoTour
from knightstour.given import Randomness, amount, flag, seed_of, whole_number
from knightstour.result import Budget, Limits, Problem, Status
from knightstour.scale import Workers, check_workers, run_pieces
from knightstour.tour import Tour

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

_MOST_TABLE_SQUARES = 2048
_CHECKED_AT_ONCE = 1 << 14
_CHUNK_SQUARES = 1 << 22


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


@dataclass(frozen=True, eq=False)
class Sample:
    """Random tours, checked, with how they were drawn. It is an array of orders to numpy, and a sequence of Tours.

    orders: square numbers `row * cols + col` in order of visit, one tour a row: (n, squares), uint8 up to 256 squares,
        uint16 up to 65,536, else int32.
    law, parameters, seed, offset: what the tours depend on. next_offset: the offset that goes on after them.
    unique: whether the tours are all different. repeats: tours drawn that had come before, with unique only.
    fails: readings or attempts that gave no tour. steps: turns of the walk, or squares visited.
    is_exhausted: whether there are no more different tours; `reason` then says how many, and how that is known.
    """

    orders: np.ndarray = field(repr=False)
    problem: Problem
    law: str
    parameters: dict[str, int]
    seed: int
    offset: int = 0
    unique: bool = False
    repeats: int = 0
    fails: int = 0
    steps: int = 0
    is_exhausted: bool = False
    reason: str = ""

    @property
    def board(self) -> Board:
        """The board of the tours."""
        return self.problem.board

    @property
    def next_offset(self) -> int:
        """The offset of the tour after the last."""
        return self.offset + len(self.orders)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy or (dtype is not None and np.dtype(dtype) != self.orders.dtype):
            return np.array(self.orders, dtype=dtype)
        return self.orders

    def __len__(self) -> int:
        return len(self.orders)

    def __getitem__(self, k: int) -> Tour:
        return Tour.from_order(self.board, self.orders[k].astype(np.int64))

    def __iter__(self) -> Iterator[Tour]:
        return (self[k] for k in range(len(self)))


def sample_tours(
    board: BoardLike,
    n: int,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    law: str = "backbite",
    unique: bool = False,
    rng: Randomness = None,
    threads: int | None = None,
    workers: Workers = None,
    offset: int = 0,
    **parameters: int,
) -> Sample:
    """Draw n random tours; fewer only if `unique` and there are no more different ones (`is_exhausted`).

    closed, start, end: as for solve(). A closed tour without a start begins anywhere, in either direction.
    law, parameters: one of laws.LAWS; "uniform" is exactly so, on boards whose tours can be counted, "backbite" is in
        the limit, "merge" and "warnsdorff" are not.
    unique: all tours different; closed ones as cycles, open ones in either direction unless an end is given.
    rng: a whole number, a numpy Generator, or None for an accidental seed; the seed is in the Sample.
    threads: None, one for each core. The tours do not depend on it.
    workers: draw in so many processes, or on a Dask cluster (its client), see docs/scale.md; None: in this process.
    offset: so many tours of the stream are left out at the beginning.

    Raises NoTour where there is provably none, LimitReached where no tour is found, BoardError, ProblemError or
    MethodError for a question that makes no sense or does not fit into memory.

    >>> sample = sample_tours((8, 8), 1000, closed=True, unique=True, rng=7)
    >>> sample.orders.shape, sample.orders.dtype, sample.law, sample[0].is_closed
    ((1000, 64), dtype('uint8'), 'backbite', True)
    >>> sample_tours((5, 6), 100, closed=True, unique=True, rng=7).reason
    'these are all 8 tours'
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    question = SampleQuestion(problem, n, law, parameters, unique, seed_of(rng), offset)
    stream = Stream(question, threads=threads, workers=workers)
    count = stream.problem.board.square_count
    kind = np.dtype(laws.order_type(stream.problem.board))
    n = whole_number(n, "n")
    memory.need(n * count * kind.itemsize, f"an array of {n:,} tours", "draw them in parts: iter_sample")
    orders = np.empty((n, count), dtype=kind)
    made = 0
    for chunk in stream:
        orders[made : made + len(chunk)] = chunk
        made += len(chunk)
    return stream.sample(orders if made == n else orders[:made].copy(), offset)


def iter_sample(
    board: BoardLike,
    n: int | None = None,
    *,
    chunk: int | None = None,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    law: str = "backbite",
    unique: bool = False,
    rng: Randomness = None,
    threads: int | None = None,
    workers: Workers = None,
    offset: int = 0,
    **parameters: int,
) -> Iterator[Sample]:
    """The same tours as `sample_tours`, as Samples of `chunk` tours (the last one may have fewer); n None: without end.

    The counters of a chunk (repeats, fails, steps) are those since the last. With `unique` the tours drawn so far are
    kept in some 50 bytes each, for 8x8.

    >>> [len(part) for part in iter_sample((8, 8), 250, chunk=100, rng=1)]
    [100, 100, 50]
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    question = SampleQuestion(problem, n, law, parameters, unique, seed_of(rng), offset)
    stream = Stream(question, threads=threads, workers=workers)
    size = amount(chunk, "chunk") or max(1, _CHUNK_SQUARES // stream.problem.board.square_count)
    return _chunks(stream, size, offset)


def _chunks(stream: Stream, size: int, offset: int) -> Iterator[Sample]:
    held: list[np.ndarray] = []
    count = 0
    given = False
    for rows in stream:
        held.append(rows)
        count += len(rows)
        while count >= size:
            joined = held[0] if len(held) == 1 else np.concatenate(held)
            yield stream.sample(joined[:size].copy(), offset, since_last=True)
            given = True
            offset += size
            held, count = [joined[size:]], count - size
    if count or not given or stream.is_exhausted:
        joined = np.concatenate(held) if held else stream.empty()
        yield stream.sample(joined, offset, since_last=True)


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
        return np.empty((0, self.problem.board.square_count), dtype=laws.order_type(self.problem.board))

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

    def _blocks(self, first: int, skip: int) -> Iterator[laws.Block]:
        """The blocks in order, made by threads ahead of their use."""
        laws.warm(self.law_name)
        engine.compiled("verify")
        stop = threading.Event()
        wanted = None if self.n is None or self.unique else self.n + skip

        def tours_of(k: int) -> int:
            return (
                self.block_tours if wanted is None else min(self.block_tours, wanted - (k - first) * self.block_tours)
            )

        def make(k: int) -> laws.Block:
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
        waiting: deque[Future[laws.Block]] = deque()
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


def make_blocks(law: laws.Law, blocks: list[tuple[int, int]]) -> list[laws.Block]:
    """Blocks of (seed, tours) each, made by a worker."""
    return [law(seed, count, threading.Event()) for seed, count in blocks if count > 0]


class Checker:
    """Checks tours in bulk, against moves told from coordinates: nothing is shared with what makes the tours."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        board = problem.board
        size = board.rows * board.cols
        self._joined: np.ndarray | None = None
        if size <= _MOST_TABLE_SQUARES:
            squares = np.arange(size)
            joined = are_moves(board, np.repeat(squares, size), np.tile(squares, size)).reshape(size, size)
            holes = [r * board.cols + c for r, c in board.holes]
            joined[holes] = joined[:, holes] = False
            self._joined = joined
            self._seen = np.zeros(size, dtype=np.int32)

    def check(self, orders: np.ndarray) -> None:
        """Raise InvalidTour if a row is no tour that answers the question."""
        problem = self.problem
        row = -1
        if self._joined is None or problem.board.square_count < 2:
            row = self._first_fault(orders)
        else:
            if orders.shape[1] != problem.board.square_count:
                raise InvalidTour(f"rows of {orders.shape[1]} squares are no tours of {problem.board}")
            start = -1 if problem.start_index is None else problem.start_index
            end = -1 if problem.end_index is None else problem.end_index
            first_fault = engine.compiled("verify").first_fault
            at_once = max(1, (_CHECKED_AT_ONCE << 6) // orders.shape[1])
            for first in range(0, len(orders), at_once):
                self._seen[:] = 0
                last = min(first + at_once, len(orders))
                row = int(first_fault(orders, first, last, self._joined, self._seen, int(problem.closed), start, end))
                if row >= 0:
                    break
        if row >= 0:
            raise InvalidTour(f"row {row:,} is not {problem}", note=str(orders[row].tolist())[:200])

    def _first_fault(self, orders: np.ndarray) -> int:
        problem = self.problem
        squares = move_graph(problem.board).squares
        for row, line in enumerate(orders):
            order = line.astype(np.int64)
            good = len(order) == len(squares) and bool((np.sort(order) == squares).all())
            good = good and bool(are_moves(problem.board, order[:-1], order[1:]).all())
            good = good and problem.start_index in (None, order[0]) and problem.end_index in (None, order[-1])
            if problem.closed:
                good = good and len(order) > 2 and bool(are_moves(problem.board, order[-1:], order[:1])[0])
            if not good:
                return row
        return -1


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
    result = methods.solve(problem.board, **problem.conditions, seed=1)
    if result.status is Status.IMPOSSIBLE:
        raise NoTour(result)
    if result.status is Status.UNDECIDED:
        raise LimitReached(result)
    assert result.tour is not None
    return result.tour.order
