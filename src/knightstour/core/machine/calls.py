"""Calls of functions in other processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

from knightstour.core.model.errors import KnightsTourError

# Each command loads this file, but few start a process.
if TYPE_CHECKING:
    import subprocess

T = TypeVar("T")


class Call(NamedTuple, Generic[T]):
    """A top-level function of a module and its arguments; both and the result must be picklable."""

    function: Callable[..., T]
    arguments: tuple[object, ...]


class WorkerDied(KnightsTourError):
    """A worker process ended without a result: it was killed, or out of memory."""


# A message begins with its length, to detect truncated messages.
HEADER = 8
# Ctrl-C reaches a whole group of processes; workers are in another group (CREATE_NEW_PROCESS_GROUP).
APART: dict[str, Any] = {"process_group": 0} if hasattr(os, "setpgid") else {"creationflags": 0x200}


def message_of(value: object) -> bytes:
    import pickle

    data = pickle.dumps(value)
    return len(data).to_bytes(HEADER, "little") + data


def messages_in(pipe: IO[bytes]) -> Iterator[bytes]:
    """Yield the complete messages from a pipe until it ends."""
    with suppress(OSError), pipe:
        while len(header := pipe.read(HEADER)) == HEADER:
            size = int.from_bytes(header, "little")
            message = pipe.read(size)
            if len(message) < size:
                break
            yield message


def worker_command(call: str) -> list[str]:
    """Return the command line of a Python process that calls a function of server_worker.py.

    >>> worker_command("work_on(0, None)")[-1].rpartition("; ")[2]
    'server_worker.work_on(0, None)'
    """
    # The worker uses the module paths of this process.
    program = f"import sys; sys.path[:] = {sys.path!r}; from knightstour.core.machine import server_worker; "
    return [sys.executable, "-c", f"{program}server_worker.{call}"]


def end_process(process: subprocess.Popen[bytes]) -> None:
    """Kill a process whose output another thread may be reading."""
    process.kill()
    process.wait()
    if process.stdin is not None:
        # Unwritten data has no reader.
        with suppress(OSError):
            process.stdin.close()


# Number of unfinished or unread pieces per worker.
AHEAD = 2


def installed_version() -> str:
    """Return the installed version of this package."""
    from importlib.metadata import version

    return version("knightstour")


# A call and its number, or None if no call is available yet.
Calls: TypeAlias = Iterator[tuple[int, Call[T]] | None]


class Sorter(Generic[T]):
    """Yields numbered values immediately, or in order."""

    def __init__(self, in_order: bool) -> None:
        self.in_order = in_order
        self.held: dict[int, T] = {}
        self.turn = 0

    def put(self, k: int, value: T) -> Iterator[tuple[int, T]]:
        """Add a value; yield the values that are due."""
        if not self.in_order:
            yield k, value
            return
        self.held[k] = value
        while self.turn in self.held:
            yield self.turn, self.held.pop(self.turn)
            self.turn += 1
