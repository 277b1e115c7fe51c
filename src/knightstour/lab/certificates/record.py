"""A certificate as a file: plain JSON, read with limits, so that a hostile file cannot exhaust time or memory.

`Unreadable` is raised if the input is not a certificate, `Wrong` if a certificate does not prove its claim. This module
and the check_*.py next to it import only standard Python and errors: a checker shares no code with the searches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from knightstour.core.model.errors import FormatError
from knightstour.core.model.strict_json import BadJson, parse_json

FORMAT = "knightstour certificate 1"
# Certificates of this project are far below these limits.
MAX_BYTES = 16_000_000
MAX_SQUARES = 4_000_000


class Unreadable(FormatError):
    """The input is not a certificate."""


class Wrong(Exception):
    """A certificate does not prove its claim; the message contains the invalid part."""


class TooLong(Exception):
    """The check of a certificate exceeds its limit, or there is nothing to check."""


_WHAT_IS_ONE = "`solve --proof` and `count --proof` write certificates; use `check` for tours"


class Allowance:
    """Limit of a check: a number of steps, and a time (wall-clock or processor time)."""

    __slots__ = ("_clock", "deadline", "steps")

    def __init__(self, steps: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.steps = steps
        self._clock = clock
        self.deadline = clock() + seconds

    def spend(self, steps: int) -> None:
        """Spend some steps; raise TooLong at the limit."""
        self.steps -= steps
        if self.steps < 0 or self._clock() > self.deadline:
            raise TooLong("the check reached its limit without finding a fault")


def parse_record(text: bytes | str, path: str | None = None) -> Mapping[str, object]:
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
    return check_format(value, path)


def check_format(value: Mapping[str, object], path: str | None = None) -> Mapping[str, object]:
    """Return the record; raise Unreadable if it does not have the format of a certificate."""
    if value.get("format") != FORMAT:
        raise Unreadable(f'not a certificate: its "format" is not "{FORMAT}"', path=path, help=_WHAT_IS_ONE)
    return value


def part(record: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return the object of a key."""
    value = record.get(key)
    if not isinstance(value, dict):
        raise Unreadable(f'"{key}" must be an object')
    return value


def items(record: Mapping[str, object], key: str, most: int = MAX_SQUARES) -> Sequence[object]:
    value = record.get(key)
    if not isinstance(value, list) or len(value) > most:
        raise Unreadable(f'"{key}" must be a list of at most {most:,} items')
    return value


def number(record: Mapping[str, object], key: str, most: int | None = None) -> int:
    """Return the nonnegative integer of a key."""
    return _check_integer(record.get(key), f'"{key}"', most)


def optional_number(record: Mapping[str, object], key: str, most: int) -> int | None:
    """Return the nonnegative integer of a key, or None if it is null or missing."""
    return None if record.get(key) is None else number(record, key, most)


def flag(record: Mapping[str, object], key: str) -> bool:
    value = record.get(key)
    if not isinstance(value, bool):
        raise Unreadable(f'"{key}" must be true or false')
    return value


def text(record: Mapping[str, object], key: str) -> str:
    """Return the text of a key."""
    value = record.get(key)
    if not isinstance(value, str):
        raise Unreadable(f'"{key}" must be a text')
    return value


def numbers(value: object, name: str, *, least: int = 0, most: int | None = None) -> list[int]:
    """Return a list of integers from `least` to `most`."""
    if not isinstance(value, list):
        raise Unreadable(f"{name} must be a list of integers")
    return [_check_integer(each, name, most, least) for each in value]


def objects(record: Mapping[str, object], key: str, most: int = 100_000) -> list[Mapping[str, object]]:
    found: list[Mapping[str, object]] = []
    for value in items(record, key, most):
        if not isinstance(value, dict):
            raise Unreadable(f'"{key}" must be a list of objects')
        found.append(value)
    return found


def _check_integer(value: object, name: str, most: int | None, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least or (most is not None and value > most):
        bound = f"from {least} to {most:,}" if most is not None else f"of at least {least}"
        raise Unreadable(f"{name} must be an integer {bound}")
    return value
