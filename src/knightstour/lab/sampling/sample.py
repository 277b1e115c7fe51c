"""sample() and iter_samples(): random tours as one array, or as several arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Unpack

import numpy as np

from knightstour.core.machine.memory import require_memory
from knightstour.core.machine.sharing import Workers, threads_and_cluster
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Square, square_count
from knightstour.core.model.budget import limits_of
from knightstour.core.model.condition_table import Conditions
from knightstour.core.model.literals import DistributionName
from knightstour.core.model.problem import Question, problem_for
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.sample import Sample
from knightstour.core.model.validation import Seed, check_count, whole_number
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import Stream

_CHUNK_SQUARES = 1 << 22


@with_hints
def sample(
    board: Question,
    n: int = 1,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    distribution: DistributionName = "backbite",
    settings: Mapping[str, int] | None = None,
    unique: bool = False,
    seed: Seed = None,
    offset: int = 0,
    timeout: float | None = None,
    max_nodes: int | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> Sample:
    """Draw n random tours.

    Args:
        closed, start, end, given, require, forbid, symmetry, where: As for solve(); partial and visit_order are not
            supported, and given only if it defines ends and moves. A closed tour without a given start starts
            anywhere, in either direction. Tours with statistics out of the ranges of `where` are drawn and rejected;
            `acceptance` of the Sample is the fraction of accepted tours.
        distribution: A name of DISTRIBUTIONS. "uniform" draws all tours with equal probability, on boards whose tours
            can be counted; "backbite", the default, does so in the limit; "merge" and "warnsdorff" do not. With a
            symmetry they draw tours of the orbits (docs/random.md).
        settings: Parameters of the distribution, such as {"every": 100}; DISTRIBUTIONS lists them.
        unique: Whether all tours must be distinct; closed tours count as cycles, and open tours are equal to their
            reversals unless an end is given.
        seed: An integer, a random generator, or None for a random seed; the seed is stored in the Sample.
        offset: Number of tours to omit at the start of the stream.
        timeout, max_nodes: Limits on seconds and on steps of the distribution; by default none.
        workers: A number of threads, by default one per core, or a dask.distributed.Client (docs/scale.md). The tours
            do not depend on it.
        on_progress: Callback with a Progress from time to time, in this thread.

    Returns:
        A Sample. It has fewer tours if a limit is reached, or if `unique` and no other distinct tours exist
        (`is_exhausted`); `reason` explains this.

    Raises:
        NoTour: If it is proved that no tour exists.
        LimitReached: If no first tour is found.
        BoardError, ProblemError: If the problem is invalid, or the sample does not fit into memory.

    >>> drawn = sample((8, 8), 1000, closed=True, unique=True, seed=7)
    >>> drawn.orders.shape, drawn.orders.dtype, drawn.distribution, drawn[0].is_closed
    ((1000, 64), dtype('uint8'), 'backbite', True)
    >>> sample((3, 10), 100, closed=True, unique=True, seed=7).reason
    'these are all 16 tours'
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    n = whole_number(n, "n")
    problem = problem_for(sample, board, closed, start, end, conditions)
    question = SampleQuestion.of(problem, n, distribution, settings, unique=unique, seed=seed, offset=offset)
    threads, cluster = threads_and_cluster(workers)
    stream = Stream(question, threads=threads, workers=cluster, limits=limits, on_progress=on_progress)
    orders = stream.empty()
    array_bytes = n * orders.shape[1] * orders.itemsize
    require_memory(array_bytes, f"an array of {n:,} tours", "draw them in parts: iter_samples")
    orders = np.empty((n, orders.shape[1]), dtype=orders.dtype)
    made = 0
    for chunk in stream:
        orders[made : made + len(chunk)] = chunk
        made += len(chunk)
    return stream.sample(orders if made == n else orders[:made].copy(), question.offset)


@with_hints
def iter_samples(
    board: Question,
    n: int | None = None,
    *,
    chunk: int | None = None,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    distribution: DistributionName = "backbite",
    settings: Mapping[str, int] | None = None,
    unique: bool = False,
    seed: Seed = None,
    offset: int = 0,
    timeout: float | None = None,
    max_nodes: int | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> Iterator[Sample]:
    """Yield the tours of `sample`, as Samples of `chunk` tours; the last Sample may have fewer. n None: without end.

    The counters of a Sample (repeats, fails, steps) start at the previous Sample. With `unique` about 50 bytes are
    stored per 8x8 tour. Other arguments: as for sample,
    with its conditions: given, require, forbid, symmetry, where, but not partial or visit_order.

    >>> [len(part) for part in iter_samples((8, 8), 250, chunk=100, seed=1)]
    [100, 100, 50]
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    problem = problem_for(iter_samples, board, closed, start, end, conditions)
    question = SampleQuestion.of(problem, n, distribution, settings, unique=unique, seed=seed, offset=offset)
    threads, cluster = threads_and_cluster(workers)
    stream = Stream(question, threads=threads, workers=cluster, limits=limits, on_progress=on_progress)
    size = check_count(chunk, "chunk") or max(1, _CHUNK_SQUARES // square_count(stream.problem.board))
    return _chunks(stream, size, question.offset)


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
    if count or not given or stream.reason:
        joined = np.concatenate(held) if held else stream.empty()
        yield stream.sample(joined, offset, since_last=True)
