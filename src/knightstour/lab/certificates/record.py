"""A certificate as a file: plain JSON, read with limits, so that a hostile file costs little.

`Unreadable` is raised if the input is not a certificate, `Wrong` if a certificate does not prove its claim; both name
the part. This module and the check_*.py beside it use standard Python and, of this package, only the errors: a checker
shares no code with the search.
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
    """The input is not a certificate."""


class Wrong(Exception):
    """A certificate that does not prove its claim; the text names the part and its fault."""


class TooLong(Exception):
    """A certificate that takes longer to check than the checker goes on, or that holds nothing to check."""


_WHAT_IS_ONE = "certificates are what `solve --proof` and `count --proof` write; `check` is for tours"


class Allowance:
    """Limit of a check: a number of steps, and a time, by the clock or of the processor."""

    __slots__ = ("_clock", "deadline", "steps")

    def __init__(self, steps: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.steps = steps
        self._clock = clock
        self.deadline = clock() + seconds

    def spend(self, steps: int) -> None:
        """Count steps; raise TooLong at the limit."""
        self.steps -= steps
        if self.steps < 0 or self._clock() > self.deadline:
            raise TooLong("the check reached its limit; it has found no fault so far")


def parsed(text: bytes | str, path: str | None = None) -> Mapping[str, object]:
    """Return the JSON object in a text; raise Unreadable if there is none."""
    if len(text) > MAX_BYTES:
        raise Unreadable(f"a certificate has at most {MAX_BYTES:,} bytes", path=path)
    try:
        value = parse_json(text)
    except BadJson as error:
        words = f"not a certificate, since it is not JSON: {error.why}"
        raise Unreadable(words, path=path, line=error.line, help=_WHAT_IS_ONE) from None
    if not isinstance(value, dict):
        raise Unreadable("not a certificate, since it is not a JSON object", path=path, help=_WHAT_IS_ONE)
    return checked_format(value, path)


def checked_format(value: Mapping[str, object], path: str | None = None) -> Mapping[str, object]:
    """Return the record; raise Unreadable if its format is not that of a certificate."""
    if value.get("format") != FORMAT:
        raise Unreadable(f'not a certificate: its "format" is not "{FORMAT}"', path=path, help=_WHAT_IS_ONE)
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
    """Return the same, or None if it is null or missing."""
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
        bound = f"from {least} to {most:,}" if most is not None else f"of at least {least}"
        raise Unreadable(f"{what} must be a whole number {bound}")
    return value
