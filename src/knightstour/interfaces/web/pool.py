"""The worker processes of a server: two for quick calls, which never wait for searches, and four for other calls.

The system shares the cores; searches have a lower priority, and each process may take a part of the memory only. A
process that died, or whose question was given up, is replaced.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from knightstour.core.machine import memory
from knightstour.core.machine.calls import WorkerDied
from knightstour.core.machine.server_worker import Worker
from knightstour.core.model.errors import KnightsTourError

# Number of processes for quick calls and for other calls.
_PLACES: Final = {True: 2, False: 4}
# A process may use this much memory even if less is free.
_LEAST_BYTES: Final = 1 << 30
_SECONDS_PER_LOOK: Final = 0.2
_WAIT_SECONDS: Final = 20.0


class TooBusy(KnightsTourError):
    """No process can answer now."""


class Pool:
    """Processes, each of which runs one call."""

    def __init__(self) -> None:
        self.workers: set[Worker] = set()
        self._is_closed = False
        self._most_bytes = max(_LEAST_BYTES, memory.available_bytes() // 2)
        # The free places: a process, or None for a process that is not started yet. The last place is used first.
        self._free: dict[bool, queue.LifoQueue[Worker | None]] = {}
        for is_quick, count in _PLACES.items():
            self._free[is_quick] = queue.LifoQueue()
            for worker in [*[None] * (count - 1), self._start(is_quick)]:
                self._free[is_quick].put(worker)

    @contextmanager
    def worker(self, is_quick: bool, look: Callable[[], None]) -> Iterator[Worker]:
        """Return a process when one is free. look: called several times per second while waiting; its errors end it.

        Raises TooBusy after a while, and WorkerDied if the server ends.
        """
        worker = self._wait(is_quick, look)
        try:
            if worker is None or not worker.is_alive:
                self._drop(worker)
                worker = self._start(is_quick)
            yield worker
        finally:
            if worker is None or not worker.is_alive:
                self._drop(worker)
                worker = None
                with suppress(KnightsTourError):
                    worker = self._start(is_quick)
            self._free[is_quick].put(worker)

    def _wait(self, is_quick: bool, look: Callable[[], None]) -> Worker | None:
        end = time.monotonic() + _WAIT_SECONDS
        while not self._is_closed:
            with suppress(queue.Empty):
                return self._free[is_quick].get(timeout=_SECONDS_PER_LOOK)
            look()
            if time.monotonic() > end:
                words = f"all processes of the server were busy for {_WAIT_SECONDS:g} seconds"
                raise TooBusy(words, help="try again when some questions have ended")
        raise WorkerDied("the server is about to end")

    def _start(self, is_quick: bool) -> Worker:
        try:
            # This module imports everything that responses need.
            module = "knightstour.interfaces.web.here"
            worker = Worker(niceness=0 if is_quick else 5, most_bytes=self._most_bytes, module=module)
        except (OSError, RuntimeError) as error:
            raise TooBusy("no other process can be started here", note=str(error)) from error
        self.workers.add(worker)
        if self._is_closed:
            self._drop(worker)
            raise WorkerDied("the server is about to end")
        return worker

    def _drop(self, worker: Worker | None) -> None:
        if worker is not None:
            worker.kill()
            self.workers.discard(worker)

    def close(self) -> None:
        """End all processes; questions that run or wait raise WorkerDied."""
        self._is_closed = True
        for worker in list(self.workers):
            self._drop(worker)
