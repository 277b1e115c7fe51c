"""Worker processes on this machine that do pieces of work, one after another; see `scale.run_pieces`.

Each process is sent a piece when it has answered the one before. One that ends without an answer loses its piece, which
is done again by another, until it is clear that the piece itself kills them.

Cost: 0.1 ms a piece, and about a second to start a process.
"""

from __future__ import annotations

import os
import pickle
import selectors
import subprocess
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from typing import IO, Any

from knightstour.scale import (
    AHEAD,
    ERROR,
    HEADER,
    VALUE,
    Call,
    Sorter,
    WorkerDied,
    end_process,
    message_of,
    worker_command,
)

# A piece at which so many workers died in turn will kill the next one, too.
MOST_DEATHS = 3


class _Desk:
    """A local worker process, and the piece it is at."""

    def __init__(self) -> None:
        apart: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {"creationflags": 0x200}
        self.process = subprocess.Popen(
            worker_command("work_on(0, None)"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, **apart
        )
        self.piece: tuple[int, Call] | None = None
        self._received = bytearray()

    @property
    def pipe(self) -> IO[bytes]:
        """Where its answers come from."""
        assert self.process.stdout is not None
        return self.process.stdout

    def begin(self, piece: tuple[int, Call]) -> None:
        """Send the process a piece."""
        self.piece = piece
        assert self.process.stdin is not None
        # Whether it is still there shows when its answer is read.
        with suppress(BrokenPipeError):
            self.process.stdin.write(message_of((*piece[1], False)))
            self.process.stdin.flush()

    def read(self) -> tuple[int, Any] | None:
        """(kind, value) once it is there; EOFError if the process has ended."""
        chunk = os.read(self.pipe.fileno(), 1 << 20)
        if not chunk:
            raise EOFError
        self._received += chunk
        size = HEADER + int.from_bytes(self._received[:HEADER], "little")
        if len(self._received) < HEADER or len(self._received) < size:
            return None
        message: tuple[int, Any] = pickle.loads(memoryview(self._received)[HEADER:])
        self._received = bytearray()
        return message

    def end(self, message: tuple[int, Any]) -> tuple[int, Any]:
        """(number of the piece, value); an exception of the call is raised."""
        assert self.piece is not None
        k, self.piece = self.piece[0], None
        kind, value = message
        if kind != VALUE:
            raise value if kind == ERROR else WorkerDied("a worker process was told to stop")
        return k, value


class Crew:
    """Local worker processes that stay for the next pieces; see `crew_of`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.desks: list[_Desk] = []

    def run(self, calls: Iterator[tuple[int, Call]], in_order: bool) -> Generator[tuple[int, Any], None, None]:
        """See `run_pieces`."""
        sorter = Sorter(in_order)
        again: list[tuple[int, Call]] = []
        deaths: Counter[int] = Counter()
        with selectors.DefaultSelector() as selector:
            for desk in self.desks:
                selector.register(desk.pipe, selectors.EVENT_READ, desk)
            try:
                while True:
                    while again or len(sorter.held) <= AHEAD * self.most:
                        free = next((desk for desk in self.desks if desk.piece is None), None)
                        if free is None and len(self.desks) == self.most:
                            break
                        piece = again.pop() if again else next(calls, None)
                        if piece is None:
                            break
                        if free is None:
                            free = _Desk()
                            self.desks.append(free)
                            selector.register(free.pipe, selectors.EVENT_READ, free)
                        free.begin(piece)
                    if all(desk.piece is None for desk in self.desks):
                        return
                    for key, _ in selector.select():
                        desk = key.data
                        try:
                            message = desk.read()
                        except (EOFError, OSError, pickle.UnpicklingError):
                            selector.unregister(key.fileobj)
                            again += self._bury(desk, deaths)
                            continue
                        if message is not None:
                            k, value = desk.end(message)
                            del deaths[k]
                            yield from sorter.put(k, value)
            finally:
                # What is still at work would answer the wrong question later.
                for desk in [desk for desk in self.desks if desk.piece is not None]:
                    self.desks.remove(desk)
                    end_process(desk.process)

    def _bury(self, desk: _Desk, deaths: Counter[int]) -> list[tuple[int, Call]]:
        """The piece of a process that has died, to be done again."""
        self.desks.remove(desk)
        end_process(desk.process)
        if desk.piece is None:
            return []
        deaths[desk.piece[0]] += 1
        if deaths[desk.piece[0]] >= MOST_DEATHS:
            raise WorkerDied(
                f"{MOST_DEATHS} worker processes died at the same piece of work", help="is there enough memory?"
            ) from None
        return [desk.piece]

    def close(self) -> None:
        """End the processes."""
        for desk in self.desks:
            desk.process.kill()
        for desk in self.desks:
            end_process(desk.process)
        self.desks.clear()
