"""Checks of the arguments of public functions: integers, flags, names, callbacks, lists, paths.

Each function returns the value in its plain form. It raises TypeError for a wrong type, and an error of the package for
a wrong value. A flag must be True or False: by truth value, "no" would be True.
"""

from __future__ import annotations

import errno
import math
import operator
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from numbers import Integral, Real
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, TypeGuard, TypeVar

from knightstour.core.model.errors import KnightsTourError, ProblemError, with_notes

if TYPE_CHECKING:
    import random

    import numpy as np

T = TypeVar("T")
# The argument `seed`: an integer, a generator, or None for a random seed.
Seed: TypeAlias = "int | random.Random | np.random.Generator | None"

# Python prints and reads no longer numbers than 4,300 digits, and no question needs them.
MAX_DIGITS = 4_000
_MAX_BITS = int(MAX_DIGITS * 3.3219)
# Threads, parts and processes of one piece of work: more only fill the memory.
_MAX_AMOUNT = 1_000_000
# Characters of a value that an error quotes.
_MAX_SHOWN = 60


def quoted(value: object) -> str:
    """The value as an error quotes it, cut where it is long.

    >>> quoted("x"), len(quoted("x" * 1000))
    ("'x'", 60)
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # a whole number of thousands of digits
        text = "a number of very many digits"
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 3] + "..."


def an(words: object) -> str:
    """The words after "a" or "an". A number at their beginning counts as it is read aloud.

    >>> an("8x8 torus"), an("11x12 board"), an("1000x8 torus"), an("graph of 3 nodes"), an("okapi")
    ('an 8x8 torus', 'an 11x12 board', 'a 1000x8 torus', 'a graph of 3 nodes', 'an okapi')
    """
    text = str(words)
    match = re.match(r"\(?(\d+)", text)
    number = "" if match is None else match[1]
    # Eight, eighty, eight hundred; eleven and eighteen, also of thousands and millions, but not eleven hundred.
    begins = number[: (len(number) - 1) % 3 + 1]
    is_vowel = text[:1].lower() in tuple("aeio") and not text.lower().startswith("one")
    return f"an {text}" if is_vowel or number[:1] == "8" or begins in ("11", "18") else f"a {text}"


def wrong_type(what: str, expected: str, value: object, *, help: str = "") -> TypeError:
    """Return the error for an argument of a wrong type.

    >>> wrong_type("closed", "True or False", "yes")
    TypeError("closed must be True or False, not 'yes'")
    """
    return with_notes(TypeError(f"{what} must be {expected}, not {quoted(value)}"), help=help)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number, of Python or NumPy.

    >>> is_whole(8), is_whole(True), is_whole(8.0)
    (True, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool)


def whole_number(
    value: object,
    what: str,
    *,
    least: int | None = None,
    most: int | None = None,
    error: type[KnightsTourError] = ProblemError,
) -> int:
    """The value as an int from `least` to `most`. error: for a number out of bounds.

    >>> import numpy as np
    >>> whole_number(np.int64(7), "the seed")
    7
    """
    try:
        # int first, since checking a protocol is slow.
        if isinstance(value, bool) or not isinstance(value, (int, SupportsIndex)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise wrong_type(what, "a whole number", value) from None
    if number.bit_length() > _MAX_BITS:
        raise error(f"{what} has more than {MAX_DIGITS:,} digits")
    if least is not None and number < least:
        raise error(f"{what} must be {least} or more, not {quoted(number)}")
    if most is not None and number > most:
        raise error(f"{what} must be at most {most:,}, not {quoted(number)}")
    return number


def real_number(
    value: object,
    what: str,
    *,
    may_be_infinite: bool = False,
    error: type[KnightsTourError] = ProblemError,
    help: str = "",
) -> float:
    """The value as a float that is a number, and finite unless it may be infinite.

    >>> import numpy as np
    >>> real_number(np.float32(0.5), "the speed")
    0.5
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise wrong_type(what, "a number", value, help=help)
    try:
        number = float(value)
    except OverflowError:
        number = math.nan
    if math.isnan(number) or not (may_be_infinite or math.isfinite(number)):
        raise error(f"{what} must be a number, not {quoted(value)}", help=help)
    return number


def flag(value: object, what: str) -> bool:
    """True or False, as Python or NumPy has it.

    >>> import numpy as np
    >>> flag(np.True_, "closed")
    True
    """
    if not isinstance(value, bool) and not _is_of(value, "numpy", "bool_"):
        raise wrong_type(what, "True or False", value)
    return bool(value)


def _is_of(value: object, module: str, name: str) -> bool:
    """Whether a value is an instance of a class that may not be imported."""
    try:
        return isinstance(value, operator.attrgetter(name)(sys.modules[module]))
    except (KeyError, AttributeError):  # not imported, or another thread is importing it
        return False


def _is_generator(seed: object) -> TypeGuard[np.random.Generator]:
    return not isinstance(seed, Integral) and _is_of(seed, "numpy", "random.Generator")


def _is_random(seed: object) -> TypeGuard[random.Random]:
    return _is_of(seed, "random", "Random")


def one_of(value: object, names: Collection[str], what: str, *, error: type[KnightsTourError] = ProblemError) -> str:
    """Return the name if it is valid; the error contains a suggestion and the valid names.

    >>> one_of("torus", ("cylinder", "torus"), "wrap")
    'torus'
    """
    if isinstance(value, str) and value in names:
        return value
    help = "one of " + ", ".join(names)
    if not isinstance(value, str):
        raise wrong_type(f"the {what}", "a text", value, help=help)
    raise error(f"unknown {what} {quoted(value)}{did_you_mean(value, names)}", help=help)


def did_you_mean(value: object, names: Iterable[str]) -> str:
    """The end of an error about a name that there is not: which one it resembles; nothing if it resembles none.

    >>> did_you_mean("torrus", ("cylinder", "torus")), did_you_mean("ring", ("cylinder", "torus"))
    ("; did you mean 'torus'?", '')
    """
    if not isinstance(value, str) or len(value) > _MAX_SHOWN:
        return ""
    import difflib

    close = difflib.get_close_matches(value.lower(), list(names), 1, 0.65)
    return f"; did you mean {close[0]!r}?" if close else ""


def callback(value: object, what: str) -> None:
    """Raise TypeError unless the value is a function or None."""
    if value is not None and not callable(value):
        raise wrong_type(what, "a function", value)


def of_kind(value: object, kind: type[T], help: str) -> T:
    """Return the value if it is an instance of a class; raise TypeError with the class otherwise.

    >>> of_kind(True, bool, "pass True or False")
    True
    """
    if not isinstance(value, kind):
        raise with_notes(TypeError(f"not {an(kind.__name__)}: {quoted(value)}"), help=help)
    return value


def each(value: Iterable[T], what: str, *, help: str = "") -> Iterator[T]:
    """The items of any iterable but a text, which counts as one thing; a TypeError that names `what` for anything else.

    >>> next(each(("a1", "b2"), "holes"))
    'a1'
    """
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        return iter(value)
    except TypeError:
        raise wrong_type(what, "a list", value, help=help) from None


def as_list(value: Iterable[T], what: str, *, help: str = "") -> list[T]:
    """The items of `each` as a list.

    >>> as_list(("a1", "b2"), "holes")
    ['a1', 'b2']
    """
    return list(each(value, what, help=help))


def path(value: object, what: str = "the path") -> str:
    """The path of a file or directory, as text; a TypeError for anything else, such as the number of an open file.

    >>> path("tours.json")
    'tours.json'
    """
    if not isinstance(value, str | os.PathLike):
        raise wrong_type(what, "a text or a Path", value)
    name = os.fsdecode(value)
    if not name:
        help = "use the name of a file or directory"
        raise with_notes(FileNotFoundError(errno.ENOENT, f"{what} is empty"), help=help)
    if "\0" in name:
        raise ProblemError(f"{what} cannot be one: it has a NUL character: {quoted(name)}")
    return name


def seed_of(seed: Seed) -> int:
    """Return the integer for the argument `seed`: itself, one drawn from a generator, or a random one.

    >>> import random
    >>> seed_of(7), seed_of(random.Random(1)) == seed_of(random.Random(1))
    (7, True)
    """
    if seed is None:
        import secrets

        return secrets.randbits(32)
    if _is_generator(seed):
        return int(seed.integers(1 << 63))
    if _is_random(seed):
        return seed.getrandbits(63)
    if not isinstance(seed, Integral) or isinstance(seed, bool):
        raise wrong_type("seed", "an integer, a random generator or None", seed)
    if seed < 0:
        raise ProblemError(f"seed must be at least 0, not {quoted(int(seed))}")
    return whole_number(int(seed), "seed")


def check_amount(value: object, what: str) -> int | None:
    """Check a number of resources, such as workers: 1 to a million, or None for all available ones.

    >>> check_amount(2, "threads")
    2
    """
    return None if value is None else whole_number(value, what, least=1, most=_MAX_AMOUNT)


def check_count(value: object, what: str) -> int | None:
    """Check a requested number, such as of tours: 1 or more, or None.

    >>> check_count(10**7, "n")
    10000000
    """
    return None if value is None else whole_number(value, what, least=1)
