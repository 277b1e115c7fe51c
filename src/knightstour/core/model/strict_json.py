"""Strict JSON for files and requests: every text has exactly one interpretation.

Python's own reader accepts duplicate keys, NaN, and numbers of any length. Here each of these is an error, and so is an
unknown key: a typing error such as "Given" would otherwise change the problem silently.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NoReturn

from knightstour.core.model.errors import FormatError, KnightsTourError
from knightstour.core.model.validation import did_you_mean, quoted


class BadJson(ValueError):
    """Invalid or ambiguous JSON. `line` is 1-based, or None; `why` is the message without it."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why if line is None else f"{why} (line {line})")
        self.why, self.line = why, line


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; raise BadJson with the reason if it is invalid.

    >>> parse_json('{"rows": 5}')
    {'rows': 5}
    >>> parse_json('{"rows": 5, "rows": 6}')
    Traceback (most recent call last):
        ...
    knightstour.core.model.strict_json.BadJson: the key 'rows' comes twice in one object
    """
    try:
        if isinstance(text, bytes):
            text = text.decode(json.detect_encoding(text))
        return DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise bad_json(error) from None


def bad_json(error: ValueError | RecursionError) -> BadJson:
    """The error of DECODER in our words."""
    if isinstance(error, BadJson):
        return error
    if isinstance(error, json.JSONDecodeError):
        return BadJson(f"{error.msg[:1].lower()}{error.msg[1:]}", error.lineno)
    if isinstance(error, UnicodeError):
        return BadJson("not UTF-8 text")
    if isinstance(error, RecursionError):
        return BadJson("it is nested too deeply")
    # Python also rejects numbers with more digits.
    return BadJson(f"a number has more than {sys.get_int_max_str_digits():,} digits")


def check_entries(
    record: Mapping[str, Any],
    known: Collection[str],
    noun: str,
    *,
    word: str = "entry",
    error: type[KnightsTourError] = FormatError,
) -> None:
    """Raise an error for the first unknown key. what: owner of the keys. word: noun for a key.

    >>> try:
    ...     check_entries({"Given": 1}, ("board", "given"), "a certificate")
    ... except FormatError as error:
    ...     print(error)
    a certificate has no entry 'Given'; did you mean 'given'?
    """
    for key in record:
        if key not in known:
            hint = did_you_mean(key, known)
            raise error(f"{noun} has no {word} {quoted(key)}{hint}", help=f"it may have: {', '.join(known)}")


def _of_pairs(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BadJson(f"the key {quoted(key)} comes twice in one object")
        found[key] = value
    return found


def _refuse_number(text: str) -> NoReturn:
    raise BadJson(f"invalid number: {text}")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise BadJson(f"{text[:40]} is too large for a number")
    return number


# Also decodes one value after another; `bad_json` converts its errors.
DECODER: Final = json.JSONDecoder(object_pairs_hook=_of_pairs, parse_constant=_refuse_number, parse_float=_finite)
