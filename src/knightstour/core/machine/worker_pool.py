"""Worker processes on this machine that run pieces of work; see `sharing.run_pieces`.

If a process ends without a result, others repeat its pieces, until a piece has evidently killed several processes. A
thread per process reads its results into one queue, since Windows cannot wait for several pipes. Neither side can block
the other. Cost: 0.1 ms per piece, and about a second to start a process.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from typing import Any, TypeAlias, TypeVar

from knightstour.core.machine.calls import (
    AHEAD,
    APART,
    Call,
    Calls,
    Sorter,
    WorkerDied,
    end_process,
    message_of,
    messages_in,
    worker_command,
)
from knightstour.core.machine.server_worker import ERROR, VALUE
from knightstour.core.model.errors import KnightsTourError, ProblemError
from knightstour.core.model.validation import whole_number

# Number of workers killed by a piece after which it is not repeated.
MAX_DEATHS = 3
# Windows handles Ctrl-C only between waits.
_SECONDS_BETWEEN_LOOKS = 0.5
T = TypeVar("T")
Answers: TypeAlias = "queue.SimpleQueue[tuple[_WorkerProcess, bytes | None]]"


class _WorkerProcess:
    """A local worker process and its pieces, the running one first.

    Args:
        answers: Receives (worker, message) for each result, with None when the process has ended.
    """

    def __init__(self, answers: Answers) -> None:
        command = worker_command("work_on(0, None)")
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **APART)
        except OSError as error:
            raise KnightsTourError(
                "cannot start another process",
                note=str(error),
                help="omit workers, and use another method than portfolio; a browser has no processes",
            ) from error
        self.pieces: deque[tuple[int, Call]] = deque()
        threading.Thread(target=self._read, args=(answers,), daemon=True).start()

    def begin(self, piece: tuple[int, Call]) -> None:
        self.pieces.append(piece)
        assert self.process.stdin is not None
        # A dead process is detected when its result is read, since Windows does not report broken pipes.
        with suppress(OSError):
            self.process.stdin.write(message_of((*piece[1], False)))
            self.process.stdin.flush()

    def _read(self, answers: Answers) -> None:
        assert self.process.stdout is not None
        for message in messages_in(self.process.stdout):
            answers.put((self, message))
        answers.put((self, None))

    def end(self, message: bytes) -> tuple[int, Any]:
        kind, value = pickle.loads(message)
        k, _ = self.pieces.popleft()
        if kind != VALUE:
            raise value if kind == ERROR else WorkerDied("a worker process was stopped")
        return k, value


class WorkerPool:
    """Local worker processes for several runs; see `pool_of`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.workers: list[_WorkerProcess] = []
        self._answers: Answers = queue.SimpleQueue()

    def run(
        self,
        calls: Calls[T],
        in_order: bool,
        queued: int = 1,
        deadline: float = float("inf"),
        *,
        lost: list[int] | None = None,
    ) -> Generator[tuple[int, T], None, None]:
        """Run pieces; see `run_pieces`. deadline: By time.monotonic().

        Args:
            lost: Receives the numbers of pieces whose workers died, which are not repeated.
        """
        sorter = Sorter[T](in_order)
        again: list[tuple[int, Call]] = []
        deaths: Counter[int] = Counter()
        try:
            while True:
                while (again or len(sorter.held) <= AHEAD * self.most) and self._has_room(queued):
                    piece = again.pop() if again else next(calls, None)
                    if piece is None:
                        break
                    self._send(piece)
                left = deadline - time.monotonic()
                if left <= 0 or not any(worker.pieces for worker in self.workers):
                    return
                try:
                    worker, message = self._answers.get(timeout=min(left, _SECONDS_BETWEEN_LOOKS))
                except queue.Empty:
                    continue
                if worker not in self.workers:
                    # Its piece belongs to a cancelled run.
                    continue
                if message is None:
                    again += self._bury(worker, deaths, lost)
                    continue
                k, value = worker.end(message)
                del deaths[k]
                yield from sorter.put(k, value)
        finally:
            # Running workers would return old results later.
            for worker in [worker for worker in self.workers if worker.pieces]:
                self.workers.remove(worker)
                end_process(worker.process)

    def _has_room(self, queued: int) -> bool:
        return len(self.workers) < self.most or any(len(worker.pieces) < queued for worker in self.workers)

    def _send(self, piece: tuple[int, Call]) -> None:
        """Prefer an idle process, then a new one, then the one with the fewest pieces."""
        worker = min(self.workers, key=lambda worker: len(worker.pieces), default=None)
        if worker is None or (worker.pieces and len(self.workers) < self.most):
            worker = _WorkerProcess(self._answers)
            self.workers.append(worker)
        worker.begin(piece)

    def _bury(self, worker: _WorkerProcess, deaths: Counter[int], lost: list[int] | None) -> list[tuple[int, Call]]:
        """Return the pieces of a dead process to repeat; it was running the first."""
        self.workers.remove(worker)
        end_process(worker.process)
        if not worker.pieces:
            return []
        k, _ = worker.pieces[0]
        if lost is not None:
            lost.append(k)
            return list(worker.pieces)[:0:-1]
        deaths[k] += 1
        if deaths[k] >= MAX_DEATHS:
            raise WorkerDied(
                f"{MAX_DEATHS} worker processes died at the same piece of work", help="is there enough memory?"
            ) from None
        return list(worker.pieces)[::-1]

    def close(self) -> None:
        for worker in self.workers:
            worker.process.kill()
        for worker in self.workers:
            end_process(worker.process)
        self.workers.clear()


def processes(workers: int | None) -> int:
    """Return the number of processes: by default one per core. Raises ProblemError if it is less than one.

    >>> processes(3)
    3
    """
    return (os.cpu_count() or 1) if workers is None else whole_number(workers, "workers", least=1, error=ProblemError)


def first_answer(
    calls: Sequence[Call[T]],
    is_answer: Callable[[T], bool],
    *,
    workers: int | None = None,
    seconds: float = float("inf"),
) -> tuple[int, T] | None:
    """Run the calls in up to `workers` processes (default: one per core) until one returns an answer.

    Returns (number of the call, its value), or None without an answer. Raises the exception of a call, WorkerDied if
    every worker died, or ProblemError for less than one worker.
    """
    most = processes(workers)
    deadline = time.monotonic() + seconds
    lost: list[int] = []
    with (
        closing(WorkerPool(most)) as pool,
        closing(pool.run(enumerate(calls), False, 1, deadline, lost=lost)) as values,
    ):
        for k, value in values:
            if is_answer(value):
                return k, value
    if lost and len(lost) == len(calls):
        raise WorkerDied("every worker process died without a result", help="is there enough memory?")
    return None
