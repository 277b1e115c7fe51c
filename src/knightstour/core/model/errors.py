"""Errors of the package, with one base class.

A failure is never returned as None or False: a wrong value raises one of the ValueErrors below, a proof that no tour
exists raises NoTour, and a search stopped by its limit raises LimitReached. The last two contain the whole Result.
An argument of a wrong type raises TypeError, and a file that cannot be opened or written OSError, as in Python.
"""

from __future__ import annotations

import errno
import re
from typing import TypeVar

E = TypeVar("E", bound=Exception)

# Longer paths are shown in part.
_MAX_OF_A_PATH = 400
# Longer numbers are shortened, too.
_LONG_NUMBER = re.compile(r"\d{61,}|\d{1,3}(?:,\d{3}){20,}")


def readable(text: str) -> str:
    """A message whose numbers of very many digits are shown in part.

    >>> readable(f"rows must be below {10**400}"), readable(f"{10**100:,} bytes")
    ('rows must be below 1000000000... (401 digits)', '1000000000... (101 digits) bytes')
    """

    def in_part(match: re.Match[str]) -> str:
        digits = match[0].replace(",", "")
        return f"{digits[:10]}... ({len(digits)} digits)"

    return _LONG_NUMBER.sub(in_part, text)


# Tracebacks show an error by its public name, such as knightstour.BoardError.
class KnightsTourError(Exception):
    """Base class of all errors of this package.

    `note` adds a fact (the bound, the place), `help` the next step; either may be empty. A traceback shows both below
    the message, as the command line does.
    """

    __module__ = "knightstour"

    def __init__(self, message: str, *, note: str = "", help: str = "") -> None:
        super().__init__(readable(message))
        self.note = readable(note)
        self.help = help

    @property
    def __notes__(self) -> list[str]:
        """Lines below the message in a traceback, computed on demand, as note and help may change."""
        named = (("note", self.note), ("help", self.help))
        return [f"{name}: {text}" for name, text in named if text] + self.__dict__.get("_added", [])

    @__notes__.setter
    def __notes__(self, notes: list[str]) -> None:
        """Set lines from elsewhere: libraries that send errors to other processes restore them."""
        known = {f"note: {self.note}", f"help: {self.help}"}
        added = [note for note in notes if note not in known]
        if added:
            self.__dict__["_added"] = added

    def add_note(self, note: str, /) -> None:
        """Add a line below the message in a traceback."""
        self.__dict__.setdefault("_added", []).append(note)


class BoardError(KnightsTourError, ValueError):
    """A board, or a square of it, that does not exist."""

    __module__ = "knightstour"


class ProblemError(KnightsTourError, ValueError):
    """Conditions that contradict each other, an unknown name, or a method that does not support the problem."""

    __module__ = "knightstour"


class InvalidTour(KnightsTourError, ValueError):
    """Squares that are not a tour. `step` is the 0-based step at which it goes wrong, or None."""

    __module__ = "knightstour"

    def __init__(self, message: str, *, step: int | None = None, note: str = "", help: str = "") -> None:
        super().__init__(message, note=note, help=help)
        self.step = step


def path_text(path: str) -> str:
    """A path as a message names it: without characters that steer a terminal, and not too long.

    >>> path_text("a.txt"), path_text("a\\x1b[2J"), len(path_text("x" * 5000))
    ('a.txt', "'a\\\\x1b[2J'", 203)
    """
    text = path if path.isprintable() else repr(path)
    return text if len(text) <= _MAX_OF_A_PATH else f"{text[:100]}...{text[-100:]}"


class FormatError(KnightsTourError, ValueError):
    """Text that is not a tour, board or puzzle, or an unknown format.

    `line` is 1-based; `path` and `line` are None if unknown.
    """

    __module__ = "knightstour"

    def __init__(
        self, message: str, *, path: str | None = None, line: int | None = None, note: str = "", help: str = ""
    ) -> None:
        place = "".join([f"{path_text(path)}:" if path else "", f"{line}:" if line else ""])
        super().__init__(f"{place} {message}" if place else message, note=note, help=help)
        self.message = message
        self.path = path
        self.line = line


def with_notes(error: E, *, note: str = "", help: str = "") -> E:
    """Return an error of Python with a note and a help, which a traceback and the command line show.

    >>> with_notes(TypeError("n must be an integer"), help="give 1 or more").__notes__
    ['help: give 1 or more']
    """
    named = (("note", note), ("help", help))
    error.__notes__ = [f"{name}: {readable(text)}" for name, text in named if text]
    return error


def is_full(error: OSError) -> bool:
    """Whether writing failed because of a full disk, a quota, or a limit of files."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def add_way_on(error: OSError, way: str) -> None:
    """Add the way to resume to the help of an error of writing. An error of another kind keeps its help."""
    if error.filename is not None and (is_full(error) or not getattr(error, "__notes__", None)):
        first = "make room there" if is_full(error) else "see that it can be written"
        with_notes(error, help=f"{first}, and {way}")


def in_one_line(error: OSError) -> str:
    """Return the system's error as the command line prints it, without its number.

    >>> in_one_line(FileNotFoundError(errno.ENOENT, "No such file or directory", "a.txt"))
    'a.txt: No such file or directory'
    """
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{path_text(str(error.filename))}: {reason}"


class MissingPackage(KnightsTourError, ImportError):
    """A package of an extra that is not installed.

    >>> MissingPackage("a PDF needs fpdf2", extra="pdf").help
    "pip install 'knightstour[pdf]'"
    """

    def __init__(self, message: str, *, extra: str = "", help: str = "") -> None:
        super().__init__(message, help=help or f"pip install 'knightstour[{extra}]'")


class WrongAnswer(AssertionError):
    """A result that the package's own check rejects: a fault of the package."""


def check_own_answer(holds: bool, otherwise: str) -> None:
    """Raise WrongAnswer unless a check of an answer holds. Unlike `assert`, it is there under `python -O`, too."""
    if not holds:
        raise WrongAnswer(otherwise)
