"""Lines around the tours of a text: comments without numbers, and counts, which must agree with the tours.

Supported numbers are a size of the board, numbers of squares, moves or tours, nodes or seconds of a search, and the
ends of the tour. Other numbers are rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from knightstour.core.formats.readings.views import Line
from knightstour.core.formats.text import Reading
from knightstour.core.model.board import Board, square_count
from knightstour.core.model.names import square_name

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_SIZE = re.compile(r"(?<![\w.])(\d{1,9})\s*(?:[x×*,;]|by|rows?\W+|\]\s*\[|\s)\s*(\d{1,9})(?!\w)", re.IGNORECASE)
_NAME = re.compile(r"(?<![A-Za-z0-9])[KN]?([A-Za-z]{1,2}\d{1,3})(?![A-Za-z0-9])")
_PAIR = re.compile(r"[\[(]\s*(\d{1,9})\s*,\s*(\d{1,9})\s*[\])]")
_RANGE = re.compile(r"(?<![\w.])[01]\.\.(\d{1,9})(?!\d)")
# Counters of a search, unrelated to the tour.
_WORK = {
    *("nodes", "node", "backtracks", "backtrack", "backtracking", "calls", "call", "recursions", "recursion", "states"),
    *("time", "seconds", "second", "secs", "sec", "s", "ms", "minutes", "milliseconds", "microseconds", "runtime"),
    *("iterations", "iteration", "solutions", "attempts", "attempt", "tries", "elapsed", "took", "seed", "operations"),
}
# Counters of a search or a tour.
_EITHER = {"steps", "step", "moves", "move", "count", "total"}
_TOURS = {"tour", "tours", "solution", "board", "grid", "path", "walk", "knight", "no", "nr", "number"}


class UnusedToken(NamedTuple):
    """The first unused token of a reading: its line, and a message."""

    line: int
    says: str


class Around(NamedTuple):
    """Interpretation of the lines around tours, and the first unused token."""

    remarks: tuple[str, ...]
    left: UnusedToken | None


def around(lines: Iterable[Line], tours: Sequence[Reading]) -> Around:
    """Interpret lines around tours as comments and counts that agree with them."""
    remarks: dict[str, None] = {}
    seen = 0
    for number, text in lines:
        if not re.search(r"\w", text):
            continue
        said = _kind(text, tours, seen)
        if said is None:
            found = re.search(r"(?<!\w)[A-Za-z]{0,2}-?\d[\d.]*", text)
            assert found is not None
            return Around((), UnusedToken(number, f"{found[0]!r} is unused"))
        seen += said == "numbers of the tours left out"
        remarks[said] = None
    return Around(tuple(remarks), None)


def _kind(text: str, tours: Sequence[Reading], seen: int) -> str | None:
    """Return the kind of a line in words, or None for an unknown number. seen: Number of numbered tours."""
    words = {word.lower() for word in _WORD.findall(text)}
    boards = [tour.board for tour in tours]
    ends = [(tour.board.rows, r, c) for tour in tours for r, c in tour.squares[[0, -1] if len(tour.squares) else []]]
    names = {square_name((int(r), int(c)), rows) for rows, r, c in ends}
    if not names.issuperset(name.lower() for name in _NAME.findall(text)):
        return None
    pairs = {(r + base, c + base) for _, r, c in ends for base in (0, 1)}
    rest = _NAME.sub(" ", text)
    for pair in _PAIR.finditer(rest):
        if (int(pair[1]), int(pair[2])) in pairs:
            rest = rest.replace(pair[0], " ", 1)
    sides = {side for board in boards for side in (board.rows, board.cols)}
    counts = {n for tour in tours for n in (len(tour.squares), len(tour.squares) - 1, square_count(tour.board))}
    rest = _RANGE.sub(lambda m: " " if {int(m[1]), int(m[1]) + 1} & (counts | sides) else m[0], rest)
    if re.search(r"\w\s*\[.*=\W*$", rest):  # the declaration of an array
        counts.add(2)
    if not _NUMBER.search(rest):
        return "headings left out"
    rest = _SIZE.sub(lambda m: " " if _is_size(int(m[1]), int(m[2]), boards) else m[0], rest)
    said = "headings left out" if words else "the size left out"
    for number in _NUMBER.findall(rest):
        is_whole = number.isdecimal()
        value = int(number) if is_whole and len(number) < 10 else -1
        if words & _WORK or (not is_whole and not words and "." in number):
            said = "counts of the search left out"
        elif is_whole and (value in counts or (value in sides and (words or len(set(sides)) == 1))):
            said = "counts of the tour left out" if words else "the size left out"
        elif is_whole and value == len(tours) and not words:
            said = "the number of tours left out"
        elif is_whole and (words & _TOURS or not words) and value in (seen, seen + 1) and value <= len(tours):
            said = "numbers of the tours left out"
        elif is_whole and words & _EITHER and value > max(counts):
            said = "counts of the search left out"
        else:
            return None
    return said


def _is_size(rows: int, cols: int, boards: Sequence[Board]) -> bool:
    return any({(rows, cols), (cols, rows)} & {(b.rows, b.cols)} for b in boards)
