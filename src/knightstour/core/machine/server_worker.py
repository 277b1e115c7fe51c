"""A worker process that takes one call after another, for a server on asyncio or for a pool.

A call may send parts of its answer before the end, and can be stopped. A worker ends when its parent does: it watches
the pipe from it. How the pieces of larger work are shared out: see sharing.py.
"""

from __future__ import annotations

import _thread
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from knightstour.core.machine.calls import APART, HEADER, Call, WorkerDied, message_of, worker_command
from knightstour.core.model.errors import confirm

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from types import FrameType


T = TypeVar("T")
Part = TypeVar("Part")

# A message without content: the last call is to stop.
_STOP = bytes(HEADER)


# ---------------------------------------------------------------- workers of a server

# What a worker sends: a part of the answer; its value; the exception that ended it; or word that it was stopped.
_PART, VALUE, ERROR, _STOPPED = range(4)
_PIPE_BYTES = 1 << 20


class Worker:
    """A process that takes one call after another, for a server on asyncio. Make it with `await Worker.start()`.

    is_busy: whether a call was sent whose answer has not come; also after `run` was cancelled, until `stop`.
    """

    def __init__(self, process: Process) -> None:
        self.process = process
        self.is_busy = False
        self._is_killed = False
        # Length of the message that is being received, once its header is there: a reader may be cancelled between.
        self._coming: int | None = None

    @classmethod
    async def start(cls, *, niceness: int = 0, most_bytes: int | None = None) -> Worker:
        """Start a process. niceness: as for os.nice. most_bytes: the memory it may take."""
        import asyncio

        command = worker_command(f"work_on({niceness}, {most_bytes})")
        return cls(
            await asyncio.create_subprocess_exec(
                *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=_PIPE_BYTES, **APART
            )
        )

    @property
    def is_alive(self) -> bool:
        """Whether it can take calls, as far as this process knows."""
        assert self.process.stdout is not None
        return not self._is_killed and self.process.returncode is None and not self.process.stdout.at_eof()

    async def run(self, call: Call[T], on_part: Callable[[Part], Awaitable[None]] | None = None) -> T:
        """The value of the call; its exception is raised here. WorkerDied if the process ended before.

        on_part: then the function gets one more argument, `emit`, and on_part is awaited for each value it emits. A
        caller that is slow to take the parts slows the call down.
        """
        assert self.process.stdin is not None
        confirm(not self.is_busy, "a worker was given two calls at once")
        message = message_of((call.function, call.arguments, on_part is not None))
        self.is_busy = True
        with suppress(BrokenPipeError, ConnectionResetError):
            self.process.stdin.write(message)
            await self.process.stdin.drain()
        kind, value = await self._answer(on_part)
        if kind == ERROR:
            raise value
        return value

    async def _answer(self, on_part: Callable[[Part], Awaitable[None]] | None) -> tuple[int, Any]:
        while True:
            kind, value = await self._receive()
            if kind != _PART:
                self.is_busy = False
                return kind, value
            if on_part is not None:
                await on_part(value)

    async def _receive(self) -> tuple[int, Any]:
        pipe = self.process.stdout
        assert pipe is not None
        try:
            if self._is_killed:
                raise EOFError
            if self._coming is None:
                self._coming = int.from_bytes(await pipe.readexactly(HEADER), "little")
            data = await pipe.readexactly(self._coming)
        except (EOFError, ConnectionResetError):
            self.kill()
            raise WorkerDied("the worker process died before it had an answer", help="ask again") from None
        self._coming = None
        received: tuple[int, Any] = pickle.loads(data)
        return received

    async def stop(self, seconds: float = 2.0) -> None:
        """End the call whose `run` was cancelled; the process too, if the call does not end in time."""
        import asyncio

        if not self.is_busy:
            return
        assert self.process.stdin is not None
        self.process.stdin.write(_STOP)
        try:
            async with asyncio.timeout(seconds):
                await self._answer(None)
        except Exception:
            # Not in time, or nothing that can be read.
            self.kill()

    def kill(self) -> None:
        """End the process at once."""
        # It takes a moment until that is seen, and nobody may be given the process meanwhile.
        self._is_killed = True
        if self.process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            if hasattr(signal, "SIGKILL"):
                # Not by way of the process object, which would first ask whether it has ended, and so take the answer
                # away from asyncio, which asks too.
                os.kill(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()

    async def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.kill()
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        stdin.close()
        # The wait below is also for the end of the pipe, which comes only when all before it is read. If somebody waits
        # for an answer, they read it.
        with suppress(RuntimeError, OSError):
            while not stdout.at_eof():
                await stdout.read(_PIPE_BYTES)
        await self.process.wait()


def work_on(niceness: int, most_bytes: int | None) -> None:
    """The other side of Worker: calls from stdin, one after another, and their answers to stdout."""
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not garble the answers
    if hasattr(os, "nice"):
        os.nice(niceness)
    _limit_memory(most_bytes)
    stop = _Stop()
    signal.signal(signal.SIGINT, stop.handle)

    def emit(value: object) -> None:
        # A message that was cut off in the middle would garble all that follow.
        with stop.held():
            target.write(message_of((_PART, value)))
            target.flush()

    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_calls, args=(source, calls, stop), daemon=True).start()
    while True:
        data = calls.get()
        try:
            with stop.possible():
                function, arguments, has_parts = pickle.loads(data)
                message = message_of((VALUE, function(*arguments, emit) if has_parts else function(*arguments)))
        except KeyboardInterrupt:
            message = message_of((_STOPPED, None))
        except Exception as error:
            message = message_of((ERROR, error))
        target.write(message)
        target.flush()


def _read_calls(source: BinaryIO, calls: queue.SimpleQueue[bytes], stop: _Stop) -> None:
    while len(header := source.read(HEADER)) == HEADER:
        if header == _STOP:
            stop.ask()
        else:
            stop.received += 1
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


# Python code that an interrupt may leave half done for good: imports.
_DELICATE = "importlib."
_SECONDS_BETWEEN_SIGNALS = 0.05


def _is_delicate(frame: FrameType | None) -> bool:
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_DELICATE):
            return True
        frame = frame.f_back
    return False


class _Stop:
    """Raises KeyboardInterrupt in the call that is to stop, or at its very beginning; never within a message.

    Nor while something is imported: a package of which a part was left out stays so in this process.

    Calls are counted from 1. received: how many have come. Both are set by the thread that reads them.
    wanted: the call to stop. running: the one that runs, 0 between two calls.
    """

    def __init__(self) -> None:
        self.received = 0
        self.wanted = 0
        self.running = 0
        self._taken = 0
        self._is_held = False

    def ask(self) -> None:
        """The last call that came is to stop, if it has not ended. Called by the thread that reads."""
        self.wanted = self.received
        self._signal()
        threading.Thread(target=self._insist, args=(self.wanted,), daemon=True).start()

    def _insist(self, call: int) -> None:
        """Signal again until the call has ended: it may be held, or somebody may have kept the signal for himself."""
        while True:
            time.sleep(_SECONDS_BETWEEN_SIGNALS)
            if self.running != call:
                return
            self._signal()

    def _signal(self) -> None:
        if hasattr(signal, "pthread_kill"):
            # A real signal, which wakes a call that sleeps.
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()

    def handle(self, signum: int, frame: FrameType | None) -> None:
        if self.running and not self._is_held and not _is_delicate(frame):
            self._stop_if_wanted()

    def _stop_if_wanted(self) -> None:
        if self.running == self.wanted:
            self.running = 0
            raise KeyboardInterrupt

    @contextmanager
    def possible(self) -> Iterator[None]:
        """The block in which the next call runs."""
        self._taken += 1
        try:
            self.running = self._taken
            self._stop_if_wanted()
            yield
        finally:
            self.running = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """A block that is not interrupted."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        self._stop_if_wanted()
