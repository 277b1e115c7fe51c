"""A worker process that runs one call after another, for a server or a pool.

A call may send parts of its result early. A worker ends with its parent, since it watches the pipe.
"""

from __future__ import annotations

import importlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, TypeVar, cast

from knightstour.core.machine.calls import (
    APART,
    HEADER,
    Call,
    WorkerDied,
    end_process,
    message_of,
    messages_in,
    worker_command,
)

T = TypeVar("T")

# Messages of a worker: a part of the result, its value, or its exception.
_PART, VALUE, ERROR = range(3)
# Limit on the messages read ahead; then the worker waits.
_MAX_AHEAD = 8
_SECONDS_BETWEEN_LOOKS = 0.2


class Worker:
    """A process that runs one call after another.

    Args:
        niceness: As for os.nice.
        most_bytes: Memory limit.
        module: Module to import before the first call.
    """

    def __init__(self, *, niceness: int = 0, most_bytes: int | None = None, module: str = "") -> None:
        command = worker_command(f"work_on({niceness}, {most_bytes}, {module!r})")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **APART)
        # A thread reads, since not every system can wait for a pipe with a timeout.
        self._answers: queue.Queue[bytes | None] = queue.Queue(_MAX_AHEAD)
        self._reader = threading.Thread(target=self._read, daemon=True)
        try:
            self._reader.start()
        except RuntimeError:
            # There are too many threads.
            end_process(self.process)
            raise

    @property
    def is_alive(self) -> bool:
        """Whether it accepts calls, if known."""
        return self.process.poll() is None

    def run(
        self, call: Call[T], on_part: Callable[[object], None] | None = None, look: Callable[[], None] = lambda: None
    ) -> T:
        """Return the value of the call, or raise its exception; WorkerDied if the process ended.

        Args:
            on_part: Callback for each value of `emit`, which the function receives as an additional argument.
            look: Callback with each part, and several times per second. An exception of either callback ends the
                process.
        """
        assert self.process.stdin is not None
        # A dead process is detected when its result is read.
        with suppress(OSError, ValueError):
            self.process.stdin.write(message_of((call.function, call.arguments, on_part is not None)))
            self.process.stdin.flush()
        try:
            while True:
                kind, value = self._next(look)
                if kind != _PART:
                    break
                look()
                if on_part is not None:
                    on_part(value)
        except BaseException:
            self.kill()
            raise
        if kind == ERROR:
            raise cast(Exception, value)
        return cast(T, value)

    def _next(self, look: Callable[[], None]) -> tuple[int, object]:
        while True:
            try:
                message = self._answers.get(timeout=_SECONDS_BETWEEN_LOOKS)
            except queue.Empty:
                if self._reader.is_alive() or not self._answers.empty():
                    look()
                    continue
                message = None  # taken by the caller that ended the process
            if message is None:
                raise WorkerDied("the worker process died without a result", help="try again")
            received: tuple[int, object] = pickle.loads(message)
            return received

    def _read(self) -> None:
        assert self.process.stdout is not None
        for message in messages_in(self.process.stdout):
            self._answers.put(message)
        self._answers.put(None)

    def kill(self) -> None:
        """Kill the process, and wait until it has ended."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()
        # The reading thread may wait for space.
        while self._reader.is_alive():
            with suppress(queue.Empty):
                self._answers.get(timeout=0.02)


def work_on(niceness: int, most_bytes: int | None, module: str = "") -> None:
    """Read calls from stdin, and write their results to stdout."""
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints must not mix with the results
    if hasattr(os, "nice"):
        os.nice(niceness)
    _limit_memory(most_bytes)
    # Ctrl-C is for the parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def emit(value: object) -> None:
        target.write(message_of((_PART, value)))
        target.flush()

    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_calls, args=(source, calls), daemon=True).start()
    if module:
        importlib.import_module(module)
    while True:
        data = calls.get()
        try:
            function, arguments, has_parts = pickle.loads(data)
            message = message_of((VALUE, function(*arguments, emit) if has_parts else function(*arguments)))
        except Exception as error:
            message = message_of((ERROR, error))
        target.write(message)
        target.flush()


def _read_calls(source: BinaryIO, calls: queue.SimpleQueue[bytes]) -> None:
    while len(header := source.read(HEADER)) == HEADER:
        calls.put(source.read(int.from_bytes(header, "little")))
    os._exit(1)


def _limit_memory(most_bytes: int | None) -> None:
    if most_bytes is None:
        return
    try:
        import resource
    except ImportError:  # not on every system
        return
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, most_bytes))
