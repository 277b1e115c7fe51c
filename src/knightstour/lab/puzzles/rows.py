"""The rows of a puzzle in a text: numbers, holes and unknown squares, in the forms in which people write them down.

The exact form is that of `lab/puzzles/files.py`. Besides, rows may have bars, commas or brackets between their squares,
with blanks where nothing is known, and other signs, where these leave no doubt; `Rows.remarks` says how they were read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from knightstour.core.formats.text import board_of_words
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, FormatError

CLOSED = "closed"
IN_ORDER, WALLS = "in order", "walls"
# What a diagram has where nothing is given, for a hole, and where a square may have a few numbers.
UNKNOWN, HOLE, PLACE = ".", "#", "o"
_NUMBER = re.compile(r"[0-9]{1,6}$")
# What a text may have for an unknown square, and for a hole.
_UNKNOWN: Final = (UNKNOWN, "_", "0", "?", "")
_HOLES: Final = (HOLE, "\u2588", "\u25a0")
# Signs that are holes beside unknown squares, and unknown squares without them.
_EITHER: Final = ("x", "X", "*", "-", "--")
_RULE = re.compile(r"(?=.*([+=\u2500\u2501\u2550]|---))[-+=|\u2500-\u257f\s]*$")
# The innermost brackets.
_ROW = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_BARS = re.compile(r"[|\u2502\u2503]")


@dataclass(slots=True)
class Rows:
    """What a text says. rows: (line, the words of its squares). board: what a comment says of it, or None.

    is_in_order, walls: whether it is a Zip, and its walls as texts.
    """

    is_closed: bool = False
    is_in_order: bool = False
    walls: list[str] = field(default_factory=list)
    board: Board | None = None
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def rows_of(text: str, path: str | None) -> Rows:
    """The rows of a puzzle's text, all of one length; a FormatError that names the line where they are none."""
    found = Rows()
    lines = list[tuple[int, str]]()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.startswith("# board "):
            try:
                found.board = board_of_words(line[2:])
            except BoardError as error:
                raise FormatError(str(error), path=path, line=number, help=error.help) from error
        elif line == CLOSED and not lines and not found.is_closed:
            found.is_closed = True
        elif line == IN_ORDER and not lines:
            found.is_in_order = True
        elif found.is_in_order and not lines and line.split()[0] == WALLS:
            found.walls += line.split()[1:]
        elif line:
            lines.append((number, raw))
    if lines and lines[0][1].lstrip()[0] in "[({":
        found.rows = _nested(lines, path)
        found.remarks.append("the rows of the puzzle are read from brackets")
    else:
        found.rows = _plain(lines, found.remarks)
    if not found.rows:
        raise FormatError("there is no puzzle here", path=path, help="write rows of numbers, with . where none is")
    width = len(found.rows[0][1])
    for number, words in found.rows:
        if len(words) != width:
            message = f"a row of {len(words)} squares, and the first has {width}"
            raise FormatError(message, path=path, line=number, help="write . for an unknown square and # for a hole")
    _settle_signs(found, path)
    return found


def _plain(lines: list[tuple[int, str]], remarks: list[str]) -> list[tuple[int, list[str]]]:
    """The words of each line: between bars, commas, semicolons or tabs if all lines have these, else between spaces."""
    framed = [(number, line) for number, line in lines if not (_RULE.match(line) and _is_framed(lines))]
    if _is_framed(lines):
        remarks.append("the frame of the puzzle is left out")
        return [
            (number, [part.strip() for part in _BARS.split(_BARS.sub("", line.strip(), 1)[:-1])])
            for number, line in framed
        ]
    for mark in (",", ";"):
        if all(mark in line for _, line in lines):
            remarks.append(f"the squares are read between {mark!r}")
            return [(number, [part.strip() for part in line.split(mark)]) for number, line in lines]
    if all("\t" in line for _, line in lines) and any("\t\t" in line or line[:1] == "\t" for _, line in lines):
        remarks.append("the squares are read between tabs")
        return [(number, [part.strip() for part in line.split("\t")]) for number, line in lines]
    return [(number, line.split()) for number, line in lines]


def _is_framed(lines: list[tuple[int, str]]) -> bool:
    """Whether each line is one of squares between bars, or a line of the frame."""
    bars = [line.strip() for _, line in lines if not _RULE.match(line)]
    return bool(bars) and all(len(line) > 1 and _BARS.match(line[0]) and _BARS.match(line[-1]) for line in bars)


def _nested(lines: list[tuple[int, str]], path: str | None) -> list[tuple[int, list[str]]]:
    """The rows of lists in a list."""
    text, first = "\n".join(line for _, line in lines), lines[0][0]
    rows = _ROW.findall(text)
    if not rows or re.search(r"[^\s\[\](){},;]", _ROW.sub("", text)) or not _is_balanced(text):
        raise FormatError("these are no rows of a puzzle", path=path, line=first, help="write a list of rows")
    found = []
    for row in rows:
        words = row.rstrip(" ,;").split(",") if "," in row else row.split()
        words = [word.strip().strip("'\"") for word in words]
        found.append((first, ["" if word in ("None", "null", "nan") else word for word in words]))
    return found


def _is_balanced(text: str) -> bool:
    """Whether brackets are closed as they are opened."""
    brackets = re.sub(r"[^\[\](){}]", "", text)
    while len(brackets) > len(shorter := re.sub(r"\[\]|\(\)|\{\}", "", brackets)):
        brackets = shorter
    return not brackets


# ---------------------------------------------------------------- signs


def _settle_signs(found: Rows, path: str | None) -> None:
    """Write . for each unknown square and # for each hole; a FormatError where a sign may be either, or is neither."""
    used = {word for _, row in found.rows for word in row if not _NUMBER.match(word) or int(word) == 0}
    numbers = [int(word) for _, row in found.rows for word in row if _NUMBER.match(word) and int(word) > 0]
    for number, row in found.rows:
        for word in row:
            if re.match(r"[^\W\d_]", word) and word not in _EITHER:
                raise _no_square_error(word, found, number, path)
    doubtful = sorted(used & set(_EITHER))
    has_unknown = bool(used & set(_UNKNOWN))
    holes, unknown = set(_HOLES), set(_UNKNOWN)
    if doubtful:
        if len(doubtful) > 1 and len({word.lower().strip("-") for word in doubtful}) > 1:
            raise FormatError(f"{' and '.join(doubtful)}: which of them is a hole?", path=path, help=_HELP)
        is_whole = sorted(numbers) == list(range(1, len(numbers) + 1))
        if has_unknown or used & set(_HOLES):
            (holes if has_unknown else unknown).update(doubtful)
        elif is_whole:
            why = f"{doubtful[0]!r} may be an unknown square or a hole: the numbers alone are a whole tour"
            raise FormatError(why, path=path, help=_HELP)
        else:
            unknown.update(doubtful)
        what = "a hole" if holes & set(doubtful) else "an unknown square"
        found.remarks.append(f"{doubtful[0]!r} is {what}")
    _check_zero(found, used, numbers, path)
    if "" in used and used & set(_UNKNOWN) - {""}:
        raise FormatError("blank squares beside others: are they holes?", path=path, help=_HELP)
    for number, row in found.rows:
        for k, word in enumerate(row):
            if word in holes:
                row[k] = HOLE
            elif word in unknown:
                row[k] = UNKNOWN
            elif not _NUMBER.match(word):
                raise _no_square_error(word, found, number, path)


_HELP = "write a number, . for an unknown square or # for a hole"


def _check_zero(found: Rows, used: set[str], numbers: list[int], path: str | None) -> None:
    """A FormatError where a single 0 beside other signs may be the first number of a count from 0."""
    zeros = [number for number, row in found.rows for word in row if word == "0"]
    squares = sum(word not in (*_HOLES, *_EITHER) for _, row in found.rows for word in row)
    if len(zeros) == 1 and used & set(_UNKNOWN) - {"0"} and max(numbers, default=0) < squares:
        why = "0 may be an unknown square, or the first number of a count from 0"
        raise FormatError(why, path=path, line=zeros[0], help="count from 1, or write . for an unknown square")


def _no_square_error(word: str, found: Rows, line: int, path: str | None) -> FormatError:
    words = [word for _, row in found.rows for word in row]
    letters = sum(re.fullmatch(r"[^\W\d_]\d*", word) is not None for word in words)
    if letters > len(words) // 2:
        return FormatError(
            "this is a puzzle of letters, whose text is hidden; the numbers cannot be found from letters alone",
            path=path,
            line=line,
            note="it needs its text: then each letter says which numbers may be on its square",
            help="write the numbers that you know; or JSON with 'text', as `puzzle --set text=... --json` makes it",
        )
    if word == PLACE:
        return FormatError(
            "'o' marks a square of several numbers, and the text does not say which",
            path=path,
            line=line,
            help="make the puzzle with --json or -o puzzle.json, which hold them",
        )
    return FormatError(f"{word[:40]!r} is no square of a puzzle", path=path, line=line, help=_HELP)
