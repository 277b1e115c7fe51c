"""What callers give to public functions, checked at the door: whole numbers, flags, names, callbacks, lists, paths.

Each function returns the value in its plain form, or raises one of our errors that says what it was to be. A flag is
True or False and nothing that merely counts as such: "no" would count as True.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from knightstour.errors import FormatError, KnightsTourError, ProblemError

# Of a value that is told back to who gave it.
_MOST_SHOWN = 60


def shown(value: Any) -> str:
    """The value as an error tells it, cut where it is long.

    >>> shown("x"), len(shown("x" * 1000))
    ("'x'", 60)
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # a whole number of thousands of digits
        text = "a number of very many digits"
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


def whole_number(
    value: Any, what: str, *, least: int | None = None, error: type[KnightsTourError] = ProblemError
) -> int:
    """The value as an int, at least `least`; an error that names `what` for anything but a whole number.

    >>> whole_number(np.int64(7), "the seed")
    7
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise error(f"{what} must be a whole number, not {shown(value)}") from None
    if least is not None and number < least:
        raise error(f"{what} must be {least} or more, not {shown(number)}")
    return number


def real_number(
    value: Any,
    what: str,
    *,
    may_be_infinite: bool = False,
    error: type[KnightsTourError] = ProblemError,
    help: str = "",
) -> float:
    """The value as a float that is a number, and finite unless it may be infinite.

    >>> real_number(np.float32(0.5), "the speed")
    0.5
    """
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    try:
        number = float(value) if is_number else math.nan
    except OverflowError:
        number = math.nan
    if math.isnan(number) or not (may_be_infinite or math.isfinite(number)):
        raise error(f"{what} must be a number, not {shown(value)}", help=help)
    return number


def flag(value: Any, what: str, *, error: type[KnightsTourError] = ProblemError) -> bool:
    """True or False, as Python or NumPy has it.

    >>> flag(np.True_, "closed")
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise error(f"{what} must be True or False, not {shown(value)}")
    return bool(value)


def one_of(value: Any, names: Collection[str], what: str, *, error: type[KnightsTourError] = ProblemError) -> str:
    """One of these names; the error lists them.

    >>> one_of("torus", ("cylinder", "torus"), "wrap")
    'torus'
    """
    if not isinstance(value, str) or value not in names:
        raise error(f"unknown {what} {shown(value)}", help="one of " + ", ".join(names))
    return value


def callback(value: Any, what: str) -> None:
    """A ProblemError for what is given as a function and is none; None is no function, and fine."""
    if value is not None and not callable(value):
        raise ProblemError(f"{what} must be a function, not {shown(value)}")


def listed(value: Any, what: str, *, error: type[KnightsTourError] = ProblemError, help: str = "") -> list[Any]:
    """The items of anything that can be gone through, but for texts: those are one thing here.

    >>> listed(("a1", "b2"), "holes")
    ['a1', 'b2']
    """
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        try:
            return list(value)
        except TypeError:  # an array without dimensions
            pass
    raise error(f"{what} must be a list, not {shown(value)}", help=help)


def path(value: Any, what: str = "the path") -> str:
    """The path of a file or directory, as text; a FormatError for anything else, such as the number of an open file.

    >>> path("tours.json")
    'tours.json'
    """
    if not isinstance(value, str | os.PathLike):
        raise FormatError(f"{what} must be a text or a Path, not {shown(value)}")
    return os.fsdecode(value)
