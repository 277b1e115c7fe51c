"""Compile in another process while this one goes on interpreted, so that nobody waits for a compiler.

The process compiles one door of a kernel for arguments of one form, writes the code to the disk, where everyone finds
it, and ends. It reads nothing but its command line, prints nothing, and runs with low priority. If the process that
wanted the code ends before, the other one finishes what it does, for the next time. `KNIGHTSTOUR_COMPILE=here` in the
environment switches it off: then who needs compiled code waits for it. With `apart` nobody waits, however long the work
is interpreted. Worker processes that share work never start one; those of a server compile apart.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from types import ModuleType
from typing import Literal

from knightstour.machine.calls import APART
from knightstour.machine.compiling import Form, cache_folder, compile_door, is_on_disk, log, name_of
from knightstour.machine.files import alone

_WORD = "KNIGHTSTOUR_COMPILE"
Where = Literal["background", "here", "apart"]


class Ahead:
    """One door that is compiled in another process."""

    def __init__(self, kernel: ModuleType, door: str, form: Form) -> None:
        self.is_over = False
        # The process finds modules where this one does.
        program = f"import sys; sys.path[:] = {sys.path!r}; from knightstour.machine import compile_ahead; "
        program += f"compile_ahead.compile_here({kernel.__name__!r}, {door!r}, {form!r})"
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", program],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                **APART,
            )
        except (OSError, ValueError) as error:
            log.debug("nothing compiles in the background: %s", error)
            self.is_over = True
            return
        log.debug("compiling %s of the %s kernel in the background", door, name_of(kernel))
        # Someone must wait for a process, or its entry stays in the system's table.
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        self._process.wait()
        self.is_over = True


_started: dict[tuple[ModuleType, str, Form], Ahead] = {}


def is_wanted() -> bool:
    """Whether this process may compile in another one."""
    return os.environ.get(_WORD, "background") in ("background", "apart") and bool(sys.executable)


def is_never_here() -> bool:
    """Whether this process goes on interpreted, however long the work, until another one has compiled."""
    return os.environ.get(_WORD) == "apart" and bool(sys.executable)


def choose(where: Where) -> None:
    """From now on this process, and those that it starts, compile there; where it says "here", it stays so."""
    if os.environ.get(_WORD) != "here":
        os.environ[_WORD] = where


def ahead(kernel: ModuleType, door: str, form: Form) -> Ahead:
    """The process that compiles a door for a form, started if it is not yet."""
    key = (kernel, door, form)
    if key not in _started:
        _started[key] = Ahead(*key)
    return _started[key]


def compile_here(module: str, door: str, form: Form) -> None:
    """What the other process does."""
    import importlib

    choose("here")
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(5)
    kernel = importlib.import_module(module)
    folder = cache_folder(kernel, door)
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    # Several processes may want the same: all but the first find it on the disk.
    with alone(folder / f".{name_of(kernel)}.{door}.lock"):
        if not is_on_disk(kernel, door, form):
            compile_door(kernel, door, form)
