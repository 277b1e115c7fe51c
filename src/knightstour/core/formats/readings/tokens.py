"""Tokens of a list of squares: names, numbers and labels; all other marks are separators."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from knightstour.core.formats.readings.views import Line, View
from knightstour.core.model.names import column_of

_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])[KNSC]?(?P<run>(?:[A-Za-z]\d{1,2}){2,})(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])[KNSC]?(?P<name>[A-Za-z]{1,2}\d{1,3})(?![A-Za-z0-9])"
    r"|(?P<number>(?:(?<![\w.)\]])-)?\d+(?:\.\d+)?(?!\w))"
    r"|(?P<word>\w+)|(?P<open>[\[({])|(?P<close>[\])}])"
)
_CALLED = re.compile(r"[\"'\s]*[:=]?[\"'\s]*")
_CELL = re.compile(r"\[\s*(\d+)\s*\]\s*\[\s*(\d+)\s*\]")
_TIMES = re.compile(r"(?<![\w.])(\d+)[x×](?=\d)")
ROW_WORDS = frozenset(("row", "rows", "r", "y", "rank", "i"))
COL_WORDS = frozenset(("col", "cols", "column", "columns", "c", "x", "file", "j"))
_MAX_DIGITS = 9


class Token(NamedTuple):
    """Token of a list of squares.

    Attributes:
        kind: "S" for a square by name, "n" for a number, "R" and "C" for a labelled row or column.
        value: For a name (number, column), columns from 0; None for a number that is not an integer.
        group: Innermost bracket around it, 0 for none.
    """

    kind: str
    value: int | tuple[int, int] | None
    text: str
    line: int
    column: int
    group: int

    @property
    def place(self) -> str:
        """Position in the text."""
        return f"line {self.line}, column {self.column}"


class Row(NamedTuple):
    """A line with its tokens."""

    line: Line
    tokens: list[Token]


def rows_in(view: View) -> list[Row]:
    rows, open_groups, groups = [], [0], 0
    for line in view.lines:
        tokens: list[Token] = []
        called, called_end = "", -1
        # board[2][3] is a pair; replaced with the same length.
        text = _CELL.sub(lambda m: f"({m[1]},{m[2]})".ljust(len(m[0])), _TIMES.sub(r"\1,", line.text))
        for match in _TOKEN.finditer(text):
            kind, at = match.lastgroup, match.start()
            if kind == "open":
                groups += 1
                open_groups.append(groups)
            elif kind == "close":
                if len(open_groups) > 1:
                    open_groups.pop()
            elif kind == "word":
                called, called_end = match[0].lower(), match.end()
            elif kind == "number":
                is_called = called_end >= 0 and _CALLED.fullmatch(text, called_end, at) is not None
                token = _number(match[0], called if is_called else "", line.number, at + 1, open_groups[-1])
                tokens.append(token)
                called_end = -1
            else:
                for name in re.findall(r"[A-Za-z]+\d+", match["run"] or match["name"]):
                    tokens.append(Token("S", _square(name), name, line.number, at + 1, open_groups[-1]))
                called_end = -1
        rows.append(Row(line, tokens))
    return rows


def _number(text: str, called: str, line: int, column: int, group: int) -> Token:
    kind = "R" if called in ROW_WORDS else "C" if called in COL_WORDS else "n"
    whole = re.sub(r"\.0+$", "", text)
    value = int(whole) if "." not in whole and len(whole) <= _MAX_DIGITS else None
    return Token(kind, value, text, line, column, group)


def _square(name: str) -> tuple[int, int]:
    letters = name.rstrip("0123456789").lower()
    return int(name[len(letters) :]), column_of(letters)


def columns_named(rows: Iterable[Row]) -> tuple[int, int, list[str]] | None:
    """Return the row and column positions in a heading, and all its words, or None."""
    for row in rows:
        if row.tokens:
            return None
        words = [word.strip("\"' ()[]").lower() for word in re.split(r"[\s,;|]+", row.line.text.strip(" |"))]
        of_rows = [k for k, word in enumerate(words) if word in ROW_WORDS]
        of_cols = [k for k, word in enumerate(words) if word in COL_WORDS]
        if len(of_rows) == len(of_cols) == 1:
            return of_rows[0], of_cols[0], words
    return None
