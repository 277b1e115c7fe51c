"""How the command line speaks: errors, notes, a status line, exit codes.

The answer goes to stdout, all else to stderr.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from knightstour.model.errors import KnightsTourError
    from knightstour.model.progress import Progress
    from knightstour.model.result import Status

FOUND, IMPOSSIBLE, USAGE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
# What the shell tells of a program that was ended by SIGPIPE.
NO_READER = 141


def open_closed_streams() -> bool:
    """Give streams that the caller has closed (`>&-`) a place to go, so that no file that is opened takes it.

    Returns whether there was no stdout to begin with.
    """
    is_stdout_closed = False
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is not None:
            continue
        is_stdout_closed |= name == "stdout"
        opened = os.open(os.devnull, os.O_RDWR)
        if opened != number:
            os.dup2(opened, number)
            os.close(opened)
        setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115 - for as long as the process
    return is_stdout_closed


def drop_stdout() -> None:
    """Leave unsaid what is still buffered, where it cannot be written: it must not raise again at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def exit_code(status: Status) -> int:
    """The exit code of an answer."""
    return {"found": FOUND, "impossible": IMPOSSIBLE, "undecided": UNDECIDED}[status.value]


def _styled(word: str, colour: str) -> str:
    wants_colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    return click.style(word, fg=colour, bold=True) if wants_colour else word


def say(kind: str, text: str) -> None:
    """One line on stderr: `error: ...`, `note: ...` or `help: ...`."""
    colour = {"error": "red", "help": "green"}.get(kind, "cyan")
    click.echo(f"{_styled(kind + ':', colour)} {text}", err=True)


def say_error(error: KnightsTourError) -> None:
    """An error with its note and its help."""
    say("error", str(error))
    if error.note:
        say("note", error.note)
    if error.help:
        say("help", error.help)


class StatusLine:
    """A line on the terminal that tells how far long work has come. Silent elsewhere, and for the first second."""

    def __init__(self) -> None:
        self.is_on = sys.stderr.isatty()
        self._next = time.monotonic() + 1.0
        self._is_shown = False
        self._told = 0.0
        # That of `ticking` shows it in another thread.
        self._lock = threading.RLock()
        # What was reported last, to be said if the work is interrupted.
        self.last: Progress | None = None

    def show(self, text: str) -> None:
        """Put this text there, at most five times a second."""
        self._told = time.monotonic()
        self._put(text)

    def _put(self, text: str) -> None:
        with self._lock:
            if not self.is_on or time.monotonic() < self._next:
                return
            self._next = time.monotonic() + 0.2
            width = shutil.get_terminal_size().columns
            sys.stderr.write("\r\x1b[K" + text[: max(20, width - 1)])
            sys.stderr.flush()
            self._is_shown = True

    def progress(self, progress: Progress) -> None:
        """The text for work that reports how far it has come. What was reported last is kept."""
        self.last = progress
        self.show(_line_of(progress))

    @property
    def nodes(self) -> int:
        """The nodes of a search, as far as they were reported."""
        return 0 if self.last is None else self.last.done

    @contextmanager
    def ticking(self, text: Callable[[], str]) -> Iterator[None]:
        """Show this text now and then while something is done that has reported nothing for a second."""
        if not self.is_on:
            yield
            return
        is_done = threading.Event()

        def tick() -> None:
            while not is_done.wait(0.5):
                if time.monotonic() - self._told > 1.0:
                    self._put(text())

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_done.set()
            thread.join()

    def timing(self, what: str) -> AbstractContextManager[None]:
        """Show what is done, and since when, while it is done without reports."""
        began = time.perf_counter()
        return self.ticking(lambda: f"{what}, {time.perf_counter() - began:.0f} s (Ctrl-C stops)")

    def preparing(self) -> AbstractContextManager[None]:
        """Show a search also while it makes no nodes yet: what comes first takes long on a large board."""
        from knightstour.model.progress import Progress

        began = time.perf_counter()

        def text() -> str:
            seconds = time.perf_counter() - began
            return _line_of(Progress("searching", self.nodes, None, seconds, f"{self.nodes:,} nodes"))

        return self.ticking(text)

    def clear(self) -> None:
        """Take it away before something else is printed."""
        with self._lock:
            if self._is_shown:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                self._is_shown = False

    def say(self, kind: str, text: str) -> None:
        """A line as by `say`, in the place of this one, which may be shown again below."""
        with self._lock:
            self.clear()
            say(kind, text)


def _line_of(progress: Progress) -> str:
    """Progress in one line, with the time left where it can be estimated."""
    from knightstour.model.wording import in_time

    words = str(progress)
    part = progress.part
    if part is not None and part > 0.02 and progress.seconds > 2:
        words += f", about {in_time(max(1, progress.seconds * (1 - part) / part))} to go"
    return f"{words} (Ctrl-C stops)"


@contextmanager
def told_about_compiling(status: StatusLine) -> Iterator[None]:
    """Say on a terminal when a kernel is compiled for the first time; it takes a few seconds, once."""
    if not status.is_on:
        yield
        return
    with compiling_goes_to(lambda text: status.say("note", text)):
        yield


@contextmanager
def compiling_goes_to(tell: Callable[[str], None]) -> Iterator[None]:
    """Within, `tell` is called with a sentence when a kernel is compiled for the first time."""
    import logging

    class Teller(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            tell(record.getMessage())

    log, handler = logging.getLogger("knightstour"), Teller()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
