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
from typing import TYPE_CHECKING, Protocol

import click

from knightstour.core.model.wording import in_time

if TYPE_CHECKING:
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


def is_terminal() -> bool:
    """Return whether stdin and stdout are a terminal, so that a dialogue is possible."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


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
    if StatusLine._shown is not None:
        StatusLine._shown.clear()
    click.echo(f"{word} {text}", err=True)


def terminal_width() -> int:
    """Columns of the terminal of stderr, also where stdout is a file; of COLUMNS where that is set."""
    import shutil

    fallback = 80
    with suppress(OSError, ValueError):
        fallback = os.get_terminal_size(sys.stderr.fileno()).columns
    return shutil.get_terminal_size((fallback, 24)).columns


def wrapped(text: str, indent: int) -> str:
    """Text in lines that fit the terminal, the later ones indented; words that are longer stay whole, to be copied."""
    import textwrap

    width = max(40, terminal_width())
    blank = " " * indent
    wrapper = textwrap.TextWrapper(
        width - 1, initial_indent=blank, subsequent_indent=blank, break_long_words=False, break_on_hyphens=False
    )
    lines = (wrapper.wrap(line) or [""] for line in text.split("\n"))
    return "\n".join(line for part in lines for line in part)[indent:]


def note_reading(board: Board) -> Board:
    """The board itself, after saying how it was read where its file has no exact form."""
    for remark in board.read_as:
        say("note", remark)
    return board


@contextmanager
def any_digits() -> Iterator[None]:
    """Within, Python reads and writes numbers of any length; else only of some thousand digits."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)


class Answer(Protocol):
    """A result that says itself, the same wherever it was asked for."""

    def to_dict(self) -> dict[str, object]:
        """The question and the answer as JSON knows them."""
        ...

    def lines(self) -> list[str]:
        """The answer for people."""
        ...

    def notes(self) -> list[str]:
        """What is said beside it: what was counted, how, and from what."""
        ...


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

    heading: what its lines begin with.
    """

    # What is on the terminal now: whatever is said next takes its place.
    _shown: StatusLine | None = None

    def __init__(self, heading: str = "") -> None:
        self._heading = heading
        self.is_on = sys.stderr.isatty()
        self._next = time.monotonic() + 1.0
        self._reported = 0.0
        # `ticking` writes the line from a thread of its own.
        self._lock = threading.RLock()
        # The last report, which is printed if the work is interrupted.
        self.last: Progress | None = None

    def progress(self, progress: Progress) -> None:
        """Show a report of the work, at most five times a second, and keep it as `last`."""
        self.last = progress
        self._reported = time.monotonic()
        self._put(progress)

    def _put(self, progress: Progress) -> None:
        with self._lock:
            if not self.is_on or time.monotonic() < self._next:
                return
            self._next = time.monotonic() + 0.2

            line = line_of(progress._replace(stage=self._heading + progress.stage), terminal_width() - 1)
            sys.stderr.write("\r\x1b[K" + line)
            sys.stderr.flush()
            StatusLine._shown = self

    @property
    def nodes(self) -> int:
        """The nodes of a search, by its last report."""
        return 0 if self.last is None else self.last.done

    @contextmanager
    def ticking(self, report: Callable[[], Progress]) -> Iterator[None]:
        """Within, show this report twice a second whenever the work has reported nothing for a second."""
        if not self.is_on:
            yield
            return
        is_done = threading.Event()

        def tick() -> None:
            while not is_done.wait(0.5):
                if time.monotonic() - self._reported > 1.0:
                    self._put(report())

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_done.set()
            thread.join()

    def timing(self, what: str) -> AbstractContextManager[None]:
        """Within, show `what` is done and for how long, for work without reports."""
        from knightstour.core.model.progress import Progress

        began = time.perf_counter()
        return self.ticking(lambda: Progress(what, 0, None, time.perf_counter() - began))

    def preparing(self) -> AbstractContextManager[None]:
        """Within, show a search that makes no nodes yet: its preparation takes long on a large board."""
        from knightstour.core.model.progress import Progress

        began = time.perf_counter()
        return self.ticking(
            lambda: Progress("searching", self.nodes, None, time.perf_counter() - began, f"{self.nodes:,} nodes")
        )

    def clear(self) -> None:
        """Take it away before something else is printed."""
        with self._lock:
            if StatusLine._shown is self:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                StatusLine._shown = None

    def say(self, kind: str, text: str) -> None:
        """Write a message in place of this line; the next report appears below."""
        with self._lock:
            say(kind, text)


@contextmanager
def saying_what_is_kept(status: StatusLine) -> Iterator[None]:
    """Within, a terminal gets a note when a space of tours is kept in a file for next time."""
    if not status.is_on:
        yield
        return
    import logging

    from knightstour.core.model.progress import logger

    class Shower(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            status.say("note", record.getMessage())

    log, handler = logger(), Shower()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


# What a column may shrink to, in characters; where there is not even room for that, whole columns leave.
_NARROWEST = 16
_GAP = 2


# ---------------------------------------------------------------- the status line


def columns_of(progress: Progress, width: int) -> list[str]:
    """The columns of a line of this width, none of them empty. The last, the time to go, stays in the narrowest line.

    >>> from knightstour.core.model.progress import Progress
    >>> columns_of(Progress("counting", 500, 1000, 60.0, "2,027,106 states, 9.84 MB"), 100)
    ['counting', '50 %', '2,027,106 states', '9.84 MB', 'Ctrl-C stops', '60 s', 'about 60 s to go']
    >>> columns_of(Progress("counting", 500, 1000, 60.0, "2,027,106 states, 9.84 MB"), 60)
    ['counting', '50 %', '2,027,106 states', '9.84 MB', 'about 60 s to go']
    """
    part, elapsed = progress.part, f"{progress.seconds:.0f} s"
    last = elapsed
    if part is not None and part > 0.02 and progress.seconds > 2:
        last = f"about {in_time(max(1, progress.seconds * (1 - part) / part))} to go"
    columns = [progress.stage, progress.counted, *progress.note.split(", "), "Ctrl-C stops"]
    columns = [*filter(None, columns), *([elapsed] if last != elapsed else []), last]
    while len(columns) > 1 and sum(min(len(text), _NARROWEST) + _GAP for text in columns) - _GAP > width:
        del columns[-2]
    return columns


def line_of(progress: Progress, width: int) -> str:
    """The line itself, with the colours that stderr shows; at most `width` characters."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    console = Console(file=sys.stderr, width=width, highlight=False)
    is_unicode = console.encoding.lower().startswith("utf")
    *texts, last = columns_of(progress, width)
    cells = [Text(text, no_wrap=True, overflow="ellipsis" if is_unicode else "crop") for text in texts]
    grid = Table.grid(*(Column() for _ in texts), Column(no_wrap=True), padding=(0, _GAP, 0, 0))
    grid.add_row(*cells, Text(last, "cyan"))
    with console.capture() as drawn:
        console.print(grid, end="")
    return drawn.get().rstrip()
