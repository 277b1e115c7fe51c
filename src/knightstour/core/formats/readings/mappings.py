"""Squares with their numbers, in any order: `a1=1, c2=14`, `{(0, 0): 1}`, `1: a1`, rows of row, column, number.

The numbers say the order of visit, so they must be 0, 1, 2, ... or 1, 2, 3, ..., each once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from knightstour.core.formats.readings.grids import Offer
from knightstour.core.formats.readings.lists import NUMBER, Squares, named, pair_tours, parts_of, tours_of_lists
from knightstour.core.formats.readings.views import View
from knightstour.core.model.board import Board

_NAME = r"[A-Za-z]{1,2}\d{1,3}"
_PAIR = r"\[?\(?\s*(\d{1,4})\s*(?:,|\]\s*\[)\s*(\d{1,4})\s*\)?\]?"
_IS = r"[\"']?\s*(?:=>|->|:=|:|=|is|has)\s*[\"']?"
_NUMBERED_NAME = re.compile(rf"(?<![A-Za-z0-9])({_NAME}){_IS}(\d{{1,7}})(?![\w.])")
_NAME_OF_NUMBER = re.compile(rf"(?<![\w.])(\d{{1,7}}){_IS}({_NAME})(?![A-Za-z0-9])")
_NUMBERED_PAIR = re.compile(rf"{_PAIR}{_IS}(\d{{1,7}})(?![\w.])")
_PAIR_OF_NUMBER = re.compile(rf"(?<![\w.])(\d{{1,7}}){_IS}[\[(]\s*(\d{{1,4}})\s*,\s*(\d{{1,4}})\s*[\])]")


def _in_turn(numbers: list[int]) -> list[int] | None:
    """The places of 0, 1, 2, ... or 1, 2, 3, ... in the list; None if it is no such list in another order."""
    low = min(numbers, default=-1)
    if len(numbers) < 2 or low not in (0, 1) or sorted(numbers) != list(range(low, low + len(numbers))):
        return None
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def _sorted(numbered: Iterable[tuple[int, tuple[int, int]]]) -> Squares | None:
    """Squares in the order of their numbers; None if these are no order."""
    found = list(numbered)
    places = _in_turn([number for number, _ in found])
    return None if places is None else [found[k][1] for k in places]


def _by_name(pattern: re.Pattern[str], name: int, number: int, text: str) -> Squares | None:
    return _sorted((int(match[number]), named(match[name])[0]) for match in pattern.finditer(text))


def _by_pair(pattern: re.Pattern[str], row: int, number: int, text: str) -> Squares | None:
    return _sorted((int(match[number]), (int(match[row]), int(match[row + 1]))) for match in pattern.finditer(text))


def _by_line(row: int, number: int, text: str) -> Squares | None:
    rows = [[int(x) for x in NUMBER.findall(line)] for line in text.split("\n")]
    full = [each for each in rows if each]
    if {len(each) for each in full} != {3}:
        return None
    return _sorted((each[number], (each[row], each[row + 1])) for each in full)


# What finds the squares of a text in their order, and whether these are (number, column) counted from below.
_WAYS: tuple[tuple[Callable[[str], Squares | None], bool], ...] = (
    (partial(_by_name, _NUMBERED_NAME, 1, 2), True),
    (partial(_by_name, _NAME_OF_NUMBER, 2, 1), True),
    (partial(_by_pair, _NUMBERED_PAIR, 1, 3), False),
    (partial(_by_pair, _PAIR_OF_NUMBER, 2, 1), False),
    (partial(_by_line, 0, 2), False),
    (partial(_by_line, 1, 0), False),
)


def mappings(view: View, given: Board | None) -> Iterator[Offer]:
    """The squares of a view by their numbers."""
    said = (*view.remarks, "squares by their numbers")
    for joined, parts in parts_of(view):
        texts = ["\n".join(line.text for line in part) for part in parts]
        for read, from_below in _WAYS:
            found = [(part[0].number, read(text)) for part, text in zip(parts, texts, strict=True)]
            lists = [(line, squares) for line, squares in found if squares is not None]
            if len(lists) < len(found):
                continue
            if from_below:
                yield from tours_of_lists(lists, (*said, *joined), given, from_below=True)
            else:
                yield from pair_tours(lists, (*said, *joined), given)
