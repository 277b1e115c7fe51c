"""Pieces of work in this process, in other processes (worker_pool.py), or on a Dask cluster (cluster.py).

Pieces are cut by the problem and not by the number of workers, so that values are the same everywhere. If a worker
dies, another repeats its piece.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, TypeVar

from knightstour.core.machine.calls import Call, Calls
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.validation import check_amount, is_whole, quoted, wrong_type

if TYPE_CHECKING:
    from distributed import Client

    from knightstour.core.machine.worker_pool import WorkerPool

# None for this process, a number of processes, a dask.distributed.Client, or the result of `pool_of`.
Workers: TypeAlias = "int | Client | WorkerPool | None"
T = TypeVar("T")


def checked_workers(workers: Workers) -> Workers:
    """Return the value, a number as an int. Raises ProblemError or TypeError if `run_pieces` does not support it."""
    if workers is None or _is_pool(workers) or is_cluster(workers):
        return workers
    help = "use a number of processes (in Python also None or a dask.distributed.Client)"
    if not is_whole(workers):
        raise wrong_type("workers", "a number", workers, help=help)
    if workers < 1:
        raise ProblemError(f"workers must be at least 1, not {quoted(workers)}", help=help)
    return check_amount(workers, "workers")


def threads_and_cluster(workers: Workers) -> tuple[int | None, Workers]:
    """Return the number of threads of this process, and the cluster or pool, for an argument `workers`.

    >>> threads_and_cluster(2), threads_and_cluster(None)
    ((2, None), (None, None))
    """
    workers = checked_workers(workers)
    return (workers, None) if isinstance(workers, int) else (None, workers)


def processes_of(workers: Workers) -> int:
    """Return the number of processes, or of threads of a cluster.

    >>> processes_of(None), processes_of(3)
    (1, 3)
    """
    if workers is None:
        return 1
    if isinstance(workers, int):
        return min(workers, max(_FEW, os.cpu_count() or 1))
    if _is_pool(workers):
        return workers.most
    assert is_cluster(workers)
    return max(1, sum(workers.nthreads().values()))


def all_see(workers: Workers, folder: str) -> bool:
    """Whether all workers can access a folder of this machine.

    >>> all_see(2, "/nowhere")
    True
    """
    return not is_cluster(workers) or all(workers.run(os.path.isdir, folder).values())


# Number of processes that may exceed the number of cores.
_FEW = 4


def _is_pool(workers: Workers) -> TypeGuard[WorkerPool]:
    from knightstour.core.machine.worker_pool import WorkerPool

    return isinstance(workers, WorkerPool)


def is_cluster(workers: Workers) -> TypeGuard[Client]:
    """Whether this is a client of a Dask cluster. Raises ProblemError for an asynchronous client."""
    if not (hasattr(workers, "submit") and hasattr(workers, "scheduler_info")):
        return False
    if getattr(workers, "asynchronous", False):
        raise ProblemError(
            "a Dask client with asynchronous=True is not supported",
            help="use a synchronous client",
        )
    return True


def run_pieces(
    function: Callable[..., T],
    pieces: Iterable[tuple[object, ...] | None],
    workers: Workers = None,
    *,
    in_order: bool = False,
    queued: int = 1,
    seconds: float = float("inf"),
) -> Generator[tuple[int, T], None, None]:
    """Yield (number, function(*piece)) for each piece, as they are finished, or in their order.

    Closing the iterator (or Ctrl-C) ends all running pieces, and so does an exception of a call, which is raised here.

    Args:
        function: A top-level function of a module; pieces and values must be picklable.
        pieces: May be endless: only a few are read ahead. None means that no piece is available yet; the next one is
            read after the next value.
        queued: Number of pieces sent to a local process in advance.
        seconds: Time after which the iterator ends, even with running pieces.

    Raises:
        WorkerDied: If a piece kills every worker, or the cluster is gone.

    >>> list(run_pieces(pow, [(2, 3), (3, 2)]))
    [(0, 8), (1, 9)]
    """
    workers = checked_workers(workers)
    deadline = time.monotonic() + seconds
    calls = _number_calls(function, pieces)
    if workers is None:
        return _run_here(calls, deadline)
    if isinstance(workers, int) or _is_pool(workers):
        return _by_a_pool(workers, calls, in_order, queued, deadline)
    assert is_cluster(workers)
    from knightstour.core.machine import cluster

    return cluster.run_on_cluster(workers, calls, in_order, deadline)


def _number_calls(function: Callable[..., T], pieces: Iterable[tuple[object, ...] | None]) -> Calls[T]:
    k = 0
    for piece in pieces:
        if piece is None:
            yield None
            continue
        yield k, Call(function, piece)
        k += 1


def _run_here(calls: Calls[T], deadline: float) -> Generator[tuple[int, T], None, None]:
    for numbered in calls:
        # Nothing is running, so a piece that waits for a value would wait for ever.
        if numbered is None or time.monotonic() >= deadline:
            return
        k, call = numbered
        yield k, call.function(*call.arguments)


def _by_a_pool(
    workers: int | WorkerPool, calls: Calls[T], in_order: bool, queued: int, deadline: float
) -> Generator[tuple[int, T], None, None]:
    with pool_of(workers) as pool:
        assert _is_pool(pool)
        yield from pool.run(calls, in_order, queued, deadline)


@contextmanager
def pool_of(workers: Workers) -> Iterator[Workers]:
    """Keep worker processes for several runs of pieces. An int starts not many more processes than cores."""
    workers = checked_workers(workers)
    if not isinstance(workers, int):
        yield workers
        return
    from knightstour.core.machine.worker_pool import WorkerPool

    # More processes than cores would wait for each other, except a few on a small machine.
    pool = WorkerPool(processes_of(workers))
    try:
        yield pool
    finally:
        pool.close()
