"""Recognise files with puzzles, for commands that also accept boards or tours."""

from __future__ import annotations

import os
import re
from typing import Final

from knightstour.core.machine.files import open_source
from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.strict_json import BadJson, parse_json
from knightstour.lab.puzzles.rows import CLOSED, IN_ORDER, UNKNOWN, rows_of

_MAX_CHARS = 1_000_000
# Puzzles in JSON have one of these entries. Tours and results may also have given numbers, but have other entries.
_PUZZLE_ENTRIES: Final = ("given", "visit_order")
_TOUR_ENTRIES: Final = ("status", "squares", "tours", "conditions")
_HEADING = re.compile(rf"^\s*({CLOSED}|{IN_ORDER})\s*$", re.MULTILINE)
# Signs of unknown squares, or bars.
_SIGN = re.compile(r"(^|[\s|,;\[(])[._?]($|[\s|,;\])])|[|\u2502\u2503]", re.MULTILINE)


def holds_puzzle(path: str | os.PathLike[str], *, rather_tour: bool = False) -> bool:
    """Whether a file contains a puzzle, in JSON or as rows of numbers; False if it cannot be read.

    Rows are a puzzle if the first line is `closed` or `in order`, or if they have unknown squares and a number above 1
    (never in a drawing of a board). rather_tour: whether rows with the numbers 1, 2, 3, ... count as a tour with
    holes.

    >>> holds_puzzle("no such file.txt")
    False
    """
    if not os.path.isfile(path):
        return False
    try:
        with open_source(os.fspath(path)) as source:
            text = source.read_text(_MAX_CHARS)
        if text.lstrip().startswith("{"):
            return _is_record(_first_record(text))
        is_headed = _HEADING.search(text) is not None
        if not is_headed and _SIGN.search(text) is None:
            return False
        found = rows_of(text, None)
    except (KnightsTourError, OSError, BadJson, UnicodeDecodeError, IndexError):
        return False
    if is_headed:
        return True
    words = [word for _, row in found.rows for word in row]
    numbers = sorted(int(word) for word in words if word.isdigit())
    is_tour = numbers == list(range(1, len(numbers) + 1))
    return UNKNOWN in words and max(numbers, default=0) > 1 and not (rather_tour and is_tour)


def _first_record(text: str) -> object:
    try:
        return parse_json(text)
    except BadJson:
        return parse_json(text.lstrip().splitlines()[0])


def _is_record(record: object) -> bool:
    if not isinstance(record, dict):
        return False
    return any(name in record for name in _PUZZLE_ENTRIES) and not any(name in record for name in _TOUR_ENTRIES)
