"""Messages of the command line: errors, notes, a status line, exit codes.

The answer goes to stdout, all else to stderr.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from knightstour.core.model.answer import Answer
    from knightstour.core.model.board import Board
    from knightstour.core.model.errors import KnightsTourError
    from knightstour.core.model.progress import Progress
    from knightstour.core.model.result import Status

FOUND, IMPOSSIBLE, USAGE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130
# The shell's exit code of a program that SIGPIPE ended.
NO_READER = 141


def open_closed_streams() -> bool:
    """Connect the streams that the caller has closed (`>&-`) to nothing, so that no file gets their numbers.

    Returns whether stdout was closed.
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
        setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - for as long as the process
    return is_stdout_closed


def settle_encodings() -> None:
    """What is sent to a file or a program is the same on every system: UTF-8, unless the environment names another one.

    Nothing that is printed can fail for a letter that an encoding does not have.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if not stream.isatty() and not os.environ.get("PYTHONIOENCODING"):
            stream.reconfigure(encoding="utf-8", newline="\n")
        if not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="backslashreplace")


def is_live() -> bool:
    """Whether stdout is a terminal on which a picture can change."""
    from importlib.util import find_spec

    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" and find_spec("termios") is not None


def drop_stdout() -> None:
    """Drop what is still buffered and cannot be written, so that it raises no second error at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def exit_code(status: Status) -> int:
    """The exit code of an answer."""
    return {"found": FOUND, "impossible": IMPOSSIBLE, "undecided": UNDECIDED}[status.value]


def say(kind: str, text: str) -> None:
    """Write a line to stderr: `error: ...`, `note: ...` or `help: ...`.

    What files and arguments contain may be quoted there, so characters that steer a terminal are written as escapes.
    """
    text = "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)
    word = f"{kind}:"
    if sys.stderr.isatty():
        text = wrapped(text, len(word) + 1)
    if sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        word = click.style(word, fg={"error": "red", "help": "green"}.get(kind, "cyan"), bold=True)
    click.echo(f"{word} {text}", err=True)


def wrapped(text: str, indent: int) -> str:
    """Text in lines that fit the terminal, the later ones indented; words that are longer stay whole, to be copied."""
    import shutil
    import textwrap

    width = max(40, shutil.get_terminal_size().columns)
    blank = " " * indent
    wrapper = textwrap.TextWrapper(
        width - 1, initial_indent=blank, subsequent_indent=blank, break_long_words=False, break_on_hyphens=False
    )
    lines = (wrapper.wrap(line) or [""] for line in text.split("\n"))
    return "\n".join(line for part in lines for line in part)[indent:]


def said(board: Board) -> Board:
    """The board itself, after saying how it was read where its file has no exact form."""
    for remark in board.read_as:
        say("note", remark)
    return board


def print_answer(answer: Answer, as_json: bool, help: str = "") -> None:
    """Print what an answer says of itself: its record with --json, else its lines, its notes and the help."""
    if as_json:
        import json

        click.echo(json.dumps(answer.to_dict()))
        return
    click.echo("\n".join(answer.lines()))
    for kind, text in (*(("note", note) for note in answer.notes()), ("help", help)):
        if text:
            say(kind, text)


def say_error(error: KnightsTourError) -> None:
    """Say an error, with its note and its help if it has them."""
    for kind, text in (("error", str(error)), ("note", error.note), ("help", error.help)):
        if text or kind == "error":
            say(kind, text)


class StatusLine:
    """A line on the terminal that shows how far long work has come; silent elsewhere, and for the first second.

    heading: what each of its texts begins with.
    """

    def __init__(self, heading: str = "") -> None:
        self._heading = heading
        self.is_on = sys.stderr.isatty()
        self._next = time.monotonic() + 1.0
        self._is_shown = False
        self._reported = 0.0
        # `ticking` writes the line from a thread of its own.
        self._lock = threading.RLock()
        # The last report, which is printed if the work is interrupted.
        self.last: Progress | None = None

    def show(self, text: str) -> None:
        """Put this text there, at most five times a second."""
        self._reported = time.monotonic()
        self._put(text)

    def _put(self, text: str) -> None:
        with self._lock:
            if not self.is_on or time.monotonic() < self._next:
                return
            self._next = time.monotonic() + 0.2
            import shutil

            width = shutil.get_terminal_size().columns
            sys.stderr.write("\r\x1b[K" + cut_between(self._heading + text, max(20, width - 1)))
            sys.stderr.flush()
            self._is_shown = True

    def progress(self, progress: Progress) -> None:
        """Show a report of the work, and keep it as `last`."""
        self.last = progress
        self.show(_line_of(progress))

    @property
    def nodes(self) -> int:
        """The nodes of a search, by its last report."""
        return 0 if self.last is None else self.last.done

    @contextmanager
    def ticking(self, text: Callable[[], str]) -> Iterator[None]:
        """Within, show this text twice a second whenever the work has reported nothing for a second."""
        if not self.is_on:
            yield
            return
        is_done = threading.Event()

        def tick() -> None:
            while not is_done.wait(0.5):
                if time.monotonic() - self._reported > 1.0:
                    self._put(text())

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_done.set()
            thread.join()

    def timing(self, what: str) -> AbstractContextManager[None]:
        """Within, show `what` is done and for how long, for work without reports."""
        began = time.perf_counter()
        return self.ticking(lambda: f"{what}, {time.perf_counter() - began:.0f} s (Ctrl-C stops)")

    def preparing(self) -> AbstractContextManager[None]:
        """Within, show a search that makes no nodes yet: its preparation takes long on a large board."""
        from knightstour.core.model.progress import Progress

        began = time.perf_counter()
        return self.ticking(
            lambda: _line_of(
                Progress("searching", self.nodes, None, time.perf_counter() - began, f"{self.nodes:,} nodes")
            )
        )

    def clear(self) -> None:
        """Take it away before something else is printed."""
        with self._lock:
            if self._is_shown:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                self._is_shown = False

    def say(self, kind: str, text: str) -> None:
        """Clear this line and write a message in its place; the next report appears below."""
        with self._lock:
            self.clear()
            say(kind, text)


# Between what a line of progress may lose where it is cut, and what it keeps; no character of a text.
_KEPT = "\0"


def cut_between(text: str, width: int) -> str:
    """A text in this many characters: what is before _KEPT is cut, and what follows stays whole as far as it fits.

    >>> cut_between("counting: layer 7, 3 of 9 \\0, about 4 s to go", 30)
    'counting: lay, about 4 s to go'
    """
    first, _, last = text.partition(_KEPT)
    return (first[: max(0, width - len(last))] + last)[:width]


def _line_of(progress: Progress) -> str:
    """Progress in one line, with the time left where it can be estimated, which is not cut."""
    from knightstour.core.model.wording import in_time

    words = str(progress)
    part = progress.part
    if part is not None and part > 0.02 and progress.seconds > 2:
        words += f"{_KEPT}, about {in_time(max(1, progress.seconds * (1 - part) / part))} to go"
    return f"{words} (Ctrl-C stops)"


@contextmanager
def saying_what_is_kept(status: StatusLine) -> Iterator[None]:
    """Within, a terminal gets a note when a space of tours is kept in a file for next time."""
    if not status.is_on:
        yield
        return
    import logging

    class Shower(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            status.say("note", record.getMessage())

    log, handler = logging.getLogger("knightstour"), Shower()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
