"""sample_tours() and iter_sample(): random tours as one array, or as several."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from knightstour.machine import memory
from knightstour.machine.sharing import Workers
from knightstour.model.board import Square
from knightstour.model.problem import Problem, Question
from knightstour.model.sample import Sample, order_type
from knightstour.model.validation import Randomness, amount, seed_of, whole_number
from knightstour.sampling.stream import SampleQuestion, Stream

_CHUNK_SQUARES = 1 << 22


def sample_tours(
    board: Question,
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
    kind = np.dtype(order_type(stream.problem.board))
    n = whole_number(n, "n")
    memory.need(n * count * kind.itemsize, f"an array of {n:,} tours", "draw them in parts: iter_sample")
    orders = np.empty((n, count), dtype=kind)
    made = 0
    for chunk in stream:
        orders[made : made + len(chunk)] = chunk
        made += len(chunk)
    return stream.sample(orders if made == n else orders[:made].copy(), offset)


def iter_sample(
    board: Question,
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
