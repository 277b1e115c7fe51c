"""Worker processes on this machine that do pieces of work, one after another; see `sharing.run_pieces`.

Each process is sent a piece when it has answered the one before, or a few ahead. If a process ends without an answer,
others do its pieces again, until it is clear that a piece itself kills them.

Cost: 0.1 ms a piece, and about a second to start a process.
"""

from __future__ import annotations

import os
import pickle
import selectors
import subprocess
import time
from collections import Counter, deque
from collections.abc import Generator
from contextlib import suppress
from typing import IO, Any, TypeVar

from knightstour.machine.calls import (
    AHEAD,
    APART,
    HEADER,
    Call,
    Calls,
    Sorter,
    WorkerDied,
    end_process,
    message_of,
    worker_command,
)
from knightstour.machine.server_worker import ERROR, VALUE

# If this many workers in turn died at a piece, it would kill the next one, too.
MOST_DEATHS = 3
T = TypeVar("T")


class _Desk:
    """A local worker process, and the pieces it was sent; it is doing the first."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            worker_command("work_on(0, None)"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, **APART
        )
        self.pieces: deque[tuple[int, Call]] = deque()
        self._received = bytearray()

    @property
    def pipe(self) -> IO[bytes]:
        """The pipe its answers come through."""
        assert self.process.stdout is not None
        return self.process.stdout

    def begin(self, piece: tuple[int, Call]) -> None:
        """Send the process a piece."""
        self.pieces.append(piece)
        assert self.process.stdin is not None
        # Whether it is still there shows when its answer is read.
        with suppress(BrokenPipeError):
            self.process.stdin.write(message_of((*piece[1], False)))
            self.process.stdin.flush()

    def read(self) -> list[tuple[int, Any]]:
        """(kind, value) of each answer that has come; EOFError if the process has ended."""
        chunk = os.read(self.pipe.fileno(), 1 << 20)
        if not chunk:
            raise EOFError
        self._received += chunk
        messages: list[tuple[int, Any]] = []
        while True:
            size = HEADER + int.from_bytes(self._received[:HEADER], "little")
            if len(self._received) < HEADER or len(self._received) < size:
                return messages
            messages.append(pickle.loads(memoryview(self._received)[HEADER:size]))
            self._received = self._received[size:]

    def end(self, message: tuple[int, Any]) -> tuple[int, Any]:
        """(number of the piece, value); an exception of the call is raised."""
        k, _ = self.pieces.popleft()
        kind, value = message
        if kind != VALUE:
            raise value if kind == ERROR else WorkerDied("a worker process was asked to stop")
        return k, value


class Crew:
    """Local worker processes that stay for the next pieces; see `crew_of`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.desks: list[_Desk] = []

    def run(
        self,
        calls: Calls[T],
        in_order: bool,
        queued: int = 1,
        deadline: float = float("inf"),
        *,
        lost: list[int] | None = None,
    ) -> Generator[tuple[int, T], None, None]:
        """See `run_pieces`. deadline: by time.monotonic().

        lost: takes the numbers of the pieces whose workers died; these are then not done again.
        """
        sorter = Sorter[T](in_order)
        again: list[tuple[int, Call]] = []
        deaths: Counter[int] = Counter()
        with selectors.DefaultSelector() as selector:
            for desk in self.desks:
                selector.register(desk.pipe, selectors.EVENT_READ, desk)
            try:
                while True:
                    while (again or len(sorter.held) <= AHEAD * self.most) and self._has_room(queued):
                        piece = again.pop() if again else next(calls, None)
                        if piece is None:
                            break
                        self._send(piece, selector)
                    left = deadline - time.monotonic()
                    if left <= 0 or not any(desk.pieces for desk in self.desks):
                        return
                    for key, _ in selector.select(None if left == float("inf") else left):
                        desk = key.data
                        try:
                            messages = desk.read()
                        except (EOFError, OSError, pickle.UnpicklingError):
                            selector.unregister(key.fileobj)
                            again += self._bury(desk, deaths, lost)
                            continue
                        for message in messages:
                            k, value = desk.end(message)
                            del deaths[k]
                            yield from sorter.put(k, value)
            finally:
                # What is still at work would answer the wrong question later.
                for desk in [desk for desk in self.desks if desk.pieces]:
                    self.desks.remove(desk)
                    end_process(desk.process)

    def _has_room(self, queued: int) -> bool:
        return len(self.desks) < self.most or any(len(desk.pieces) < queued for desk in self.desks)

    def _send(self, piece: tuple[int, Call], selector: selectors.BaseSelector) -> None:
        """Send a piece to a process without work, else to a new one, else to the one with the fewest pieces."""
        desk = min(self.desks, key=lambda desk: len(desk.pieces), default=None)
        if desk is None or (desk.pieces and len(self.desks) < self.most):
            desk = _Desk()
            self.desks.append(desk)
            selector.register(desk.pipe, selectors.EVENT_READ, desk)
        desk.begin(piece)

    def _bury(self, desk: _Desk, deaths: Counter[int], lost: list[int] | None) -> list[tuple[int, Call]]:
        """The pieces of a process that has died, to be done again. It was doing the first."""
        self.desks.remove(desk)
        end_process(desk.process)
        if not desk.pieces:
            return []
        k, _ = desk.pieces[0]
        if lost is not None:
            lost.append(k)
            return list(desk.pieces)[:0:-1]
        deaths[k] += 1
        if deaths[k] >= MOST_DEATHS:
            raise WorkerDied(
                f"{MOST_DEATHS} worker processes died at the same piece of work", help="is there enough memory?"
            ) from None
        return list(desk.pieces)[::-1]

    def close(self) -> None:
        """End the processes."""
        for desk in self.desks:
            desk.process.kill()
        for desk in self.desks:
            end_process(desk.process)
        self.desks.clear()
