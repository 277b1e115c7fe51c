"""A certificate as it is written: plain JSON, read with bounds, so that a hostile file costs little.

`Unreadable` is raised for what is no certificate, `Wrong` for a certificate that does not prove what it claims; both
name the part.
Everything here and in the check_*.py beside it is standard Python, and of this package only the errors: a checker
shares nothing with what it checks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from knightstour.core.model.errors import FormatError
from knightstour.core.model.strict_json import BadJson, parse_json

FORMAT = "knightstour certificate 1"
# No certificate of the project comes near these.
MAX_BYTES = 16_000_000
MAX_SQUARES = 4_000_000


class Unreadable(FormatError):
    """What was given is no certificate."""


class Wrong(Exception):
    """A certificate that does not prove what it claims; the text names the part and what is wrong with it."""


class TooLong(Exception):
    """A certificate that takes longer to check than the checker goes on, or that holds nothing to check."""


_WHAT_IS_ONE = "certificates are what `solve --proof` and `count --proof` write; `check` is for tours"


class Allowance:
    """How long a check may go on: a number of steps, and a time, by the clock or of the processor."""

    __slots__ = ("_clock", "deadline", "steps")

    def __init__(self, steps: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.steps = steps
        self._clock = clock
        self.deadline = clock() + seconds

    def spend(self, steps: int) -> None:
        """Count steps; TooLong where there are no more."""
        self.steps -= steps
        if self.steps < 0 or self._clock() > self.deadline:
            raise TooLong("the check takes longer than it may; it has not found anything wrong so far")


def parsed(text: bytes | str, path: str | None = None) -> Mapping[str, object]:
    """The JSON object in a text; an Unreadable where there is none."""
    if len(text) > MAX_BYTES:
        raise Unreadable(f"a certificate has at most {MAX_BYTES:,} bytes", path=path)
    try:
        value = parse_json(text)
    except BadJson as error:
        words = f"this is no certificate, as it is not JSON: {error.why}"
        raise Unreadable(words, path=path, line=error.line, help=_WHAT_IS_ONE) from None
    if not isinstance(value, dict):
        raise Unreadable("this is no certificate, which is an object of JSON", path=path, help=_WHAT_IS_ONE)
    return checked_format(value, path)


def checked_format(value: Mapping[str, object], path: str | None = None) -> Mapping[str, object]:
    """The record itself; an Unreadable where it does not say that it is a certificate."""
    if value.get("format") != FORMAT:
        raise Unreadable(f'this is no certificate: its "format" is not "{FORMAT}"', path=path, help=_WHAT_IS_ONE)
    return value


def part(record: Mapping[str, object], key: str) -> Mapping[str, object]:
    """The object of this key."""
    value = record.get(key)
    if not isinstance(value, dict):
        raise Unreadable(f'"{key}" must be an object')
    return value


def items(record: Mapping[str, object], key: str, most: int = MAX_SQUARES) -> Sequence[object]:
    """The list of this key."""
    value = record.get(key)
    if not isinstance(value, list) or len(value) > most:
        raise Unreadable(f'"{key}" must be a list of at most {most:,} items')
    return value


def number(record: Mapping[str, object], key: str, most: int | None = None) -> int:
    """The whole number of this key, 0 or more."""
    return _whole(record.get(key), f'"{key}"', most)


def optional_number(record: Mapping[str, object], key: str, most: int) -> int | None:
    """The same, or None where it is null or not there."""
    return None if record.get(key) is None else number(record, key, most)


def flag(record: Mapping[str, object], key: str) -> bool:
    """True or false."""
    value = record.get(key)
    if not isinstance(value, bool):
        raise Unreadable(f'"{key}" must be true or false')
    return value


def text(record: Mapping[str, object], key: str) -> str:
    """The text of this key."""
    value = record.get(key)
    if not isinstance(value, str):
        raise Unreadable(f'"{key}" must be a text')
    return value


def numbers(value: object, what: str, *, least: int = 0, most: int | None = None) -> list[int]:
    """A list of whole numbers from `least` to `most`."""
    if not isinstance(value, list):
        raise Unreadable(f"{what} must be a list of whole numbers")
    return [_whole(each, what, most, least) for each in value]


def objects(record: Mapping[str, object], key: str, most: int = 100_000) -> list[Mapping[str, object]]:
    """The list of objects of this key."""
    found: list[Mapping[str, object]] = []
    for value in items(record, key, most):
        if not isinstance(value, dict):
            raise Unreadable(f'"{key}" must be a list of objects')
        found.append(value)
    return found


def _whole(value: object, what: str, most: int | None, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least or (most is not None and value > most):
        bound = f"from {least} to {most:,}" if most is not None else f"of {least} or more"
        raise Unreadable(f"{what} must be a whole number {bound}")
    return value
