"""Pieces of work on a Dask cluster, see `sharing.run_pieces`. Only this module uses Dask.

A few pieces per thread of the cluster are submitted at a time, and each value is fetched when it is ready, so that
neither the scheduler nor the client stores much. If a worker dies, the scheduler assigns its piece to another. If the
scheduler is gone, or there are no workers, the work ends with an error within seconds.

Cost: some milliseconds per piece.
"""

from __future__ import annotations

import logging
import pickle
import queue
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from knightstour.core.machine.calls import AHEAD, Call, Calls, Sorter, WorkerDied, installed_version
from knightstour.core.model.errors import MissingPackage, ProblemError

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
_POLL_SECONDS = 0.2
# Timeout for a finished value, doubled after each failure.
_VALUE_SECONDS = 5.0
_COUNT_SECONDS = 2.0
# Time that a cluster may be without workers, at the beginning and later.
_FIRST_SECONDS = 10.0
_GONE_SECONDS = 30.0

_GO_ON = "start it again; work saved in a directory resumes with the same call or command"


@contextmanager
def cluster_at(address: str, seconds: float = 3.0) -> Iterator[Client]:
    """Connect to the Dask scheduler at an address such as "tcp://host:8786". Raises ProblemError without a reply."""
    if not address.strip():
        raise ProblemError("no address of a Dask scheduler was given", help="pass one such as tcp://127.0.0.1:8786")
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingPackage("Dask is not installed", extra="scale") from error
    try:
        _greet(address, seconds)
        client = Client(address, timeout=seconds)
    except (OSError, ValueError) as error:
        raise ProblemError(
            f"no Dask scheduler answers at {address}",
            note=str(error)[:200],
            help="start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
        ) from None
    # Our own error reports a lost connection.
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield client
    finally:
        with suppress(OSError, TimeoutError):
            client.close(timeout=2)
        log.setLevel(level)


def _greet(address: str, seconds: float) -> None:
    """Raise OSError if no scheduler replies; a client would wait forever."""
    import asyncio

    from distributed.comm.core import connect
    from distributed.security import Security

    async def greet() -> None:
        options = Security().get_connection_args("client")
        try:
            async with asyncio.timeout(seconds):
                comm = await connect(address, timeout=seconds, **options)
        except TimeoutError:
            raise OSError(f"no reply from the scheduler within {seconds:g} seconds") from None
        comm.abort()

    asyncio.run(greet())


def call_at_version(version: str, function: Callable[..., T], pickled: bytes) -> T:
    """Call a function in a worker of a cluster. Raises ProblemError if its package version differs.

    Args:
        pickled: The arguments. Arrays passed by the cluster may be unaligned, which kernels reject.
    """
    here = installed_version()
    if here != version:
        raise ProblemError(
            f"a worker of the cluster has version {here} of knightstour, not {version}",
            help="install the same version on all machines",
        )
    return function(*pickle.loads(pickled))


def run_on_cluster(
    client: Client, calls: Calls[T], in_order: bool, deadline: float = float("inf")
) -> Generator[tuple[int, T], None, None]:
    """See `sharing.run_pieces`. deadline: by time.monotonic()."""
    sorter = Sorter[T](in_order)
    pieces = _Pieces[T](client, deadline)
    counted_at, threads = float("-inf"), 1
    absence = _Absence(client)
    try:
        while True:
            if time.monotonic() - counted_at > _COUNT_SECONDS:
                with suppress(TimeoutError):
                    counted = sum(_reply(client, client.nthreads).values())
                    absence.look(counted)
                    threads = max(1, counted)
                counted_at = time.monotonic()
            while len(pieces.futures) + len(sorter.held) < AHEAD * threads + 1:
                numbered = next(calls, None)
                if numbered is None:
                    break
                pieces.submit(*numbered)
            if not pieces.futures or time.monotonic() >= deadline:
                return
            for k, value in pieces.fetch():
                yield from sorter.put(k, value)
    finally:
        with suppress(Exception):
            client.cancel(list(pieces.futures.values()), force=True)


class _Pieces(Generic[T]):
    """Submitted pieces whose values have not been fetched."""

    def __init__(self, client: Client, deadline: float) -> None:
        self._client, self._deadline = client, deadline
        self._version = installed_version()
        self._done: queue.SimpleQueue[int] = queue.SimpleQueue()
        # Number of failures to fetch an available value.
        self._late: Counter[int] = Counter()
        self.futures: dict[int, Future] = {}

    def submit(self, k: int, call: Call[T]) -> None:
        function, arguments = call
        pickled = pickle.dumps(arguments, protocol=pickle.HIGHEST_PROTOCOL)
        self.futures[k] = self._client.submit(call_at_version, self._version, function, pickled, pure=False)
        self.futures[k].add_done_callback(lambda future: self._done.put(k))

    def fetch(self) -> Iterator[tuple[int, T]]:
        """Wait a moment for a piece; yield its number and value, or nothing. Raises the exception of a call."""
        from distributed import KilledWorker

        left = max(0.0, self._deadline - time.monotonic())
        try:
            k = self._done.get(timeout=min(_POLL_SECONDS, left))
        except queue.Empty:
            _check_connection(self._client)
            return
        future = self.futures[k]
        has_failed = future.status == "error"
        seconds = _VALUE_SECONDS * 2 ** self._late[k] if future.done() else _POLL_SECONDS
        try:
            value = _reply(self._client, partial(future.result, timeout=min(seconds, left)))
        except TimeoutError:
            if has_failed:
                raise  # from the piece
            # The value is large, or its worker died and another will repeat the piece.
            self._late[k] += future.done()
            self._done.put(k)
            return
        except KilledWorker as error:
            raise WorkerDied(
                "several workers of the cluster died at the same piece of work",
                note=str(error)[:200],
                help="have they enough memory?",
            ) from None
        del self.futures[k], self._late[k]
        future.release()
        yield k, value


class _Absence:
    """Timer of the absence of workers."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.had_some = False
        self.since: float | None = None

    def look(self, threads: int) -> None:
        """Raise ProblemError or WorkerDied after a long absence."""
        if threads:
            self.had_some, self.since = True, None
            return
        now = time.monotonic()
        if self.since is None:
            self.since = now
        if now - self.since < (_GONE_SECONDS if self.had_some else _FIRST_SECONDS) or self._are_on_their_way():
            return
        address = getattr(self.client.scheduler, "address", "this address")
        if self.had_some:
            raise WorkerDied(
                f"the cluster at {address} has lost all its workers",
                help=f"start others with `dask worker {address}`; work saved in a directory resumes with "
                "the same call or command",
            )
        raise ProblemError(f"the cluster at {address} has no workers", help=f"start one with `dask worker {address}`")

    def _are_on_their_way(self) -> bool:
        """Whether the cluster has requested workers, or does so when needed."""
        cluster = getattr(self.client, "cluster", None)
        return bool(getattr(cluster, "worker_spec", None) or getattr(cluster, "_adaptive", None))


def _check_connection(client: Client) -> None:
    if client.status != "running":
        raise WorkerDied("the connection to the Dask scheduler was lost", help=_GO_ON)


def _reply(client: Client, question: Callable[[], T]) -> T:
    from asyncio import CancelledError
    from concurrent.futures import CancelledError as CancelledCall

    _check_connection(client)
    try:
        return question()
    except TimeoutError:
        raise
    except (OSError, CancelledError, CancelledCall) as error:
        if isinstance(error, OSError) and client.status == "running" and error.errno is not None:
            raise
        raise WorkerDied("the connection to the Dask scheduler was lost", note=str(error)[:200], help=_GO_ON) from None
