"""Messages of the command line: errors, notes, a status line, exit codes.

The result is printed to stdout, everything else to stderr.
"""

from __future__ import annotations

import io
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

import click

from knightstour.core.model.errors import in_one_line
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
    """Connect streams that the caller has closed (`>&-`) to os.devnull, so that no file gets their numbers.

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
        setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - open until the process ends
    return is_stdout_closed


def settle_encodings() -> None:
    """Set the encoding of output to a file or a program to UTF-8, unless PYTHONIOENCODING specifies another encoding.

    Characters that an encoding does not support are printed as escapes.
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
    """Drop buffered output that cannot be written, so that it does not raise a second error at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def exit_code(status: Status) -> int:
    return {"found": FOUND, "impossible": IMPOSSIBLE, "undecided": UNDECIDED}[status.value]


def print_message(kind: str, text: str) -> None:
    """Write a line to stderr: `error: ...`, `note: ...` or `help: ...`.

    The text may quote files and arguments, so control characters are written as escapes.
    """
    text = _in_commands(text)
    text = "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)
    word = f"{kind}:"
    if sys.stderr.isatty():
        text = wrap_text(text, len(word) + 1)
    if sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        word = click.style(word, fg={"error": "red", "help": "green"}.get(kind, "cyan"), bold=True)
    if StatusLine._shown is not None:
        StatusLine._shown.clear()
    click.echo(f"{word} {text}", err=True)


def _in_commands(text: str) -> str:
    """Return a text of the library without the form for Python, if it also has a form for the command line.

    >>> _in_commands("estimate(board) or `knightstour estimate 9x9`; join=True (FILE:join) joins them")
    '`knightstour estimate 9x9`; FILE:join joins them'
    """
    text = re.sub(r"\w+\([^()]*\),? or (?=`knightstour )", "", text)
    return re.sub(r"\w+=\w+ \((FILE:\w+)\)", r"\1", text)


def terminal_width() -> int:
    """Return the width of the terminal of stderr, in characters. The variable COLUMNS overrides it."""
    import shutil

    fallback = 80
    with suppress(OSError, ValueError):
        fallback = os.get_terminal_size(sys.stderr.fileno()).columns
    return shutil.get_terminal_size((fallback, 24)).columns


def wrap_text(text: str, indent: int) -> str:
    """Wrap a text to the width of the terminal, and indent all lines but the first. Long words are not broken."""
    import textwrap

    width = max(40, terminal_width())
    blank = " " * indent
    wrapper = textwrap.TextWrapper(
        width - 1, initial_indent=blank, subsequent_indent=blank, break_long_words=False, break_on_hyphens=False
    )
    lines = (wrapper.wrap(line) or [""] for line in text.split("\n"))
    return "\n".join(line for part in lines for line in part)[indent:]


def note_reading(board: Board) -> Board:
    """Print a note on the interpretation of the board's file if its format is inexact. Return the board."""
    for remark in board.read_as:
        print_message("note", remark)
    return board


@contextmanager
def any_digits() -> Iterator[None]:
    """Remove Python's limit on the digits of integers for a `with` block."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)


class Answer(Protocol):
    """A result that formats itself."""

    def to_dict(self) -> dict[str, object]:
        """Return the problem and the result as a JSON-serialisable dict."""
        ...

    def lines(self) -> list[str]:
        """Return the result as lines of text."""
        ...

    def notes(self) -> list[str]:
        """Return notes on the result, such as its algorithm and its source."""
        ...


def print_answer(answer: Answer, as_json: bool, help: str = "") -> None:
    """Print a result: its record with --json, else its lines, its notes and the help."""
    if as_json:
        import json

        click.echo(json.dumps(answer.to_dict()))
        return
    click.echo("\n".join(answer.lines()))
    for kind, text in (*(("note", note) for note in answer.notes()), ("help", help)):
        if text:
            print_message(kind, text)


def print_error(error: KnightsTourError | OSError) -> None:
    """Print an error, with its notes and its help if it has them."""
    print_message("error", in_one_line(error) if isinstance(error, OSError) else str(error))
    for line in getattr(error, "__notes__", ()):
        kind, _, text = line.partition(": ")
        if kind in ("note", "help"):
            print_message(kind, text)


class StatusLine:
    """A line on the terminal that shows the progress of long work. It appears after one second, only on a terminal.

    heading: prefix of the line.
    """

    # The line that is on the terminal now. The next message replaces it.
    _shown: StatusLine | None = None

    def __init__(self, heading: str = "") -> None:
        self._heading = heading
        self.is_on = sys.stderr.isatty()
        self._next = time.monotonic() + 1.0
        self._reported = 0.0
        # `ticking` writes the line from a separate thread.
        self._lock = threading.RLock()
        # The last report, which is printed if the work is interrupted.
        self.last: Progress | None = None

    def progress(self, progress: Progress) -> None:
        """Show a progress report, at most five times per second, and store it as `last`."""
        self.last = progress
        self._reported = time.monotonic()
        self._show(progress)

    def _show(self, progress: Progress) -> None:
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
        """The nodes of the search in its last report."""
        return 0 if self.last is None else self.last.done

    @contextmanager
    def ticking(self, report: Callable[[], Progress]) -> Iterator[None]:
        """In a `with` block, show this report twice per second while the work itself reports nothing."""
        if not self.is_on:
            yield
            return
        is_done = threading.Event()

        def tick() -> None:
            while not is_done.wait(0.5):
                if time.monotonic() - self._reported > 1.0:
                    self._show(report())

        thread = threading.Thread(target=tick, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_done.set()
            thread.join()

    def timing(self, noun: str) -> AbstractContextManager[None]:
        """In a `with` block, show a name of the work and the elapsed time, for work without reports."""
        from knightstour.core.model.progress import Progress

        began = time.perf_counter()
        return self.ticking(lambda: Progress(noun, 0, None, time.perf_counter() - began))

    def preparing(self) -> AbstractContextManager[None]:
        """In a `with` block, show a search without nodes yet, since its preparation is slow on a large board."""
        from knightstour.core.model.progress import Progress

        began = time.perf_counter()
        return self.ticking(
            lambda: Progress("searching", self.nodes, None, time.perf_counter() - began, f"{self.nodes:,} nodes")
        )

    def clear(self) -> None:
        """Remove the line before other output."""
        with self._lock:
            if StatusLine._shown is self:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                StatusLine._shown = None

    def print_message(self, kind: str, text: str) -> None:
        """Write a message in place of this line; the next report appears below."""
        with self._lock:
            print_message(kind, text)


@contextmanager
def noting_saved_spaces(status: StatusLine) -> Iterator[None]:
    """In a `with` block, print a note on the terminal when a space of tours is saved in a file."""
    if not status.is_on:
        yield
        return
    import logging

    from knightstour.core.model.progress import logger

    class NoteHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            status.print_message("note", record.getMessage())

    log, handler = logger(), NoteHandler()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


# Minimum width of a column, in characters. If the columns do not fit, whole columns are omitted.
_NARROWEST = 16
_GAP = 2


# ---------------------------------------------------------------- the status line


def columns_of(progress: Progress, width: int) -> list[str]:
    """Return the non-empty columns that fit into a width. The last column, the remaining time, is always included.

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
    """Return the line, with colours if stderr supports them; at most `width` characters."""
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
