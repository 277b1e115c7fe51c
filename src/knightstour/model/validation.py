"""What callers give to public functions, checked at the door: whole numbers, flags, names, callbacks, lists, paths.

Each function returns the value in its plain form, or raises one of our errors that says what it was to be. A flag is
True or False and nothing that merely counts as such: "no" would count as True.
"""

from __future__ import annotations

import math
import operator
import os
import re
import secrets
from collections.abc import Collection, Iterator
from typing import Any, TypeAlias

import numpy as np

from knightstour.model.errors import FormatError, KnightsTourError, ProblemError

# What may be given as `rng`: a seed, a generator, or None for an accidental seed.
Randomness: TypeAlias = int | np.random.Generator | None

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


def an(words: Any) -> str:
    """The words of something after "a" or "an"; of a number that begins them it is told how it is read.

    >>> an("8x8 torus"), an("11x12 board"), an("1000x8 torus"), an("graph of 3 nodes")
    ('an 8x8 torus', 'an 11x12 board', 'a 1000x8 torus', 'a graph of 3 nodes')
    """
    text = str(words)
    match = re.match(r"\(?(\d+)", text)
    number = "" if match is None else match[1]
    # Eight, eighty, eight hundred; eleven and eighteen, also of thousands and millions, but not eleven hundred.
    begins = number[: (len(number) - 1) % 3 + 1]
    return f"an {text}" if number[:1] == "8" or begins in ("11", "18") else f"a {text}"


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


def each(value: Any, what: str, *, error: type[KnightsTourError] = ProblemError, help: str = "") -> Iterator[Any]:
    """The items of anything that can be gone through, one by one; texts are one thing here.

    >>> next(each(("a1", "b2"), "holes"))
    'a1'
    """
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        return iter(value)
    except TypeError:
        raise error(f"{what} must be a list, not {shown(value)}", help=help) from None


def listed(value: Any, what: str, *, error: type[KnightsTourError] = ProblemError, help: str = "") -> list[Any]:
    """The items of `each` as a list.

    >>> listed(("a1", "b2"), "holes")
    ['a1', 'b2']
    """
    return list(each(value, what, error=error, help=help))


def path(value: Any, what: str = "the path") -> str:
    """The path of a file or directory, as text; a FormatError for anything else, such as the number of an open file.

    >>> path("tours.json")
    'tours.json'
    """
    if not isinstance(value, str | os.PathLike):
        raise FormatError(f"{what} must be a text or a Path, not {shown(value)}")
    return os.fsdecode(value)


def seed_of(rng: Randomness) -> int:
    """The seed that an `rng` argument stands for: itself, one drawn from a Generator, or an accidental one.

    >>> seed_of(7)
    7
    """
    if rng is None:
        return secrets.randbits(32)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(1 << 63))
    if not isinstance(rng, int | np.integer) or isinstance(rng, bool):
        raise ProblemError(f"rng must be a whole number, a numpy Generator or None, not {shown(rng)}")
    if rng < 0:
        raise ProblemError(f"a seed is 0 or more, not {shown(int(rng))}")
    return int(rng)


def amount(value: Any, what: str) -> int | None:
    """How many of something may be used, such as threads: 1 or more, or None for as many as there are.

    >>> amount(2, "threads")
    2
    """
    return None if value is None else whole_number(value, what, least=1)
