"""Calls of functions in other processes: how they are sent, who answers, and in which order answers are given back."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from knightstour.model.errors import KnightsTourError


class Call(NamedTuple):
    """A function of some module's top level and its arguments; both and the result must be picklable."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class WorkerDied(KnightsTourError):
    """A worker process ended without an answer: it was killed, or out of memory."""


# Either way a message begins with its length, so that one cut off by a death is noticed.
HEADER = 8
# Ctrl-C goes to a whole group of processes; a worker that is started with this is in a group of its own.
APART: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {"creationflags": 0x200}  # a new group there


def message_of(value: Any) -> bytes:
    """A value as it goes through a pipe."""
    data = pickle.dumps(value)
    return len(data).to_bytes(HEADER, "little") + data


def worker_command(module: str, call: str) -> list[str]:
    """The command line of a Python process that calls a function of a module of this folder.

    >>> worker_command("race", "work()")[-1].rpartition("; ")[0].endswith("from knightstour.machine import race")
    True
    """
    # The worker finds modules where this process does.
    program = f"import sys; sys.path[:] = {sys.path!r}; from knightstour.machine import {module}; {module}.{call}"
    return [sys.executable, "-c", program]


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process, whatever it is at."""
    process.kill()
    with suppress(BrokenPipeError):
        process.communicate()


# Pieces that are under way or done but not yet taken, for each worker.
AHEAD = 2


def installed_version() -> str:
    """The version of this package, as it was installed."""
    from importlib.metadata import version

    return version("knightstour")


# A call and its number, or None where there is none yet.
Calls = Iterator[tuple[int, Call] | None]


class Sorter:
    """Gives values back as they come, or holds them until it is their turn; counts those that are held."""

    def __init__(self, in_order: bool) -> None:
        self.in_order = in_order
        self.held: dict[int, Any] = {}
        self.turn = 0

    def put(self, k: int, value: Any) -> Iterator[tuple[int, Any]]:
        """What may be given back now that this value is there."""
        if not self.in_order:
            yield k, value
            return
        self.held[k] = value
        while self.turn in self.held:
            yield self.turn, self.held.pop(self.turn)
            self.turn += 1
