"""Signs in the text of a puzzle: unknown squares and holes.

`.` is an unknown square and `#` a hole. Other signs are accepted if only one reading is possible: each sign is tried as
the hole, and a reading with fewer squares than the largest number is impossible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from knightstour.core.model.errors import FormatError

# Signs of a diagram for an unknown square, a hole, and a square with several possible numbers.
UNKNOWN, HOLE, PLACE = ".", "#", "o"
HELP: Final = "write a number, . for an unknown square or # for a hole"
_NUMBER = re.compile(r"[0-9]{1,6}$")
# Signs of other texts for an unknown square, and for a hole.
_UNKNOWN: Final = (UNKNOWN, "_", "0", "?", "", "\u25a1", "\u00b7")
_HOLES: Final = (HOLE, "\u2588", "\u25a0")
# Signs that are holes next to unknown squares, and otherwise unknown squares.
_EITHER: Final = ("x", "*", "-", "-1")
_NAMES: Final = {"": "a blank"}
# Signs may be as wide as the numbers: __ or ___ for _.
_LONGEST: Final = 3
# A line between rows, not a sign.
_RULED: Final = "---"

Row = tuple[int, list[str]]


def is_number(word: str) -> bool:
    """Whether a word is a number of a puzzle, or 0.

    >>> is_number("12"), is_number("-1")
    (True, False)
    """
    return _NUMBER.match(word) is not None


def check_squares(words: Sequence[str], line: int, path: str | None, others: Sequence[str] = ()) -> None:
    """Raise FormatError for a word that is neither a number nor a sign. others: all words of the text.

    >>> check_squares(["1", ".", "x"], 1, None)
    """
    for word in words:
        if not is_square(word):
            raise _no_square_error(word, others or words, line, path)


def is_square(word: str) -> bool:
    """Whether a word is a number or a sign of a puzzle.

    >>> is_square("12"), is_square("--"), is_square("1,2")
    (True, True, False)
    """
    return is_number(word) or _mark(word) in (*_UNKNOWN, *_HOLES, *_EITHER)


def settle_signs(rows: Sequence[Row], path: str | None) -> list[str]:
    """Replace the signs of unknown squares by . and of holes by #; return notes on the interpretation.

    Raises:
        FormatError: If a sign is ambiguous, or a word is neither a number nor a sign.

    >>> rows = [(1, ["1", "X"]), (2, [".", "2"])]
    >>> settle_signs(rows, None), rows
    (["'X' is a hole"], [(1, ['1', '#']), (2, ['.', '2'])])
    """
    words = [word for _, row in rows for word in row]
    for line, row in rows:
        check_squares(row, line, path, words)
    numbers = [int(word) for word in words if is_number(word) and int(word) > 0]
    marks: dict[str, set[str]] = {}
    for word in words:
        if _mark(word) in (*_UNKNOWN, *_EITHER):
            marks.setdefault(_mark(word), set()).add(word)
    _check_zero(rows, set(marks), numbers, path)
    holes, remarks = _holes_among(sorted(marks), words, numbers, path)
    signs = {word: HOLE if mark in holes else UNKNOWN for mark, written in marks.items() for word in written}
    for _, row in rows:
        row[:] = [HOLE if _mark(word) in _HOLES else signs.get(word, word) for word in row]
    return remarks


def _mark(word: str) -> str:
    """Return the sign of a word: x for X, _ for __ and ___; for a number, the number without leading zeros.

    >>> _mark("__"), _mark("XX"), _mark("00"), _mark("12")
    ('_', 'x', '0', '12')
    """
    if is_number(word):
        return str(int(word))
    is_one = len(set(word)) == 1 and len(word) <= _LONGEST and word != _RULED
    return word[:1].lower() if is_one else word


def _holes_among(
    marks: Sequence[str], words: Sequence[str], numbers: Sequence[int], path: str | None
) -> tuple[set[str], list[str]]:
    """Return the signs of holes, and notes; raise FormatError if they are ambiguous."""
    either = [mark for mark in marks if mark in _EITHER]
    has_holes = any(_mark(word) in _HOLES for word in words)
    shown = {mark: next(word for word in words if _mark(word) == mark) for mark in marks}
    if len(marks) < 2:
        if either and not has_holes and sorted(numbers) == list(range(1, len(numbers) + 1)):
            why = f"{shown[either[0]]!r} may be an unknown square or a hole: the numbers alone are a complete tour"
            raise FormatError(why, path=path, help=HELP)
        return set(), [f"{shown[mark]!r} is an unknown square" for mark in either]
    if has_holes:
        if either or "" in marks:
            raise _ambiguous_signs(shown.values(), path)
        return set(), [f"{_join_signs(shown.values())} are unknown squares"]
    most = max(numbers, default=0)
    squares = {mark: sum(_mark(word) != mark for word in words) for mark in marks}
    fitting = [mark for mark in marks if squares[mark] >= max(most, 1)]
    if len(marks) == 2 and len(either) == 1 and either[0] in fitting:
        # A cross or a dash next to another sign is usually the hole.
        return {either[0]}, [f"{shown[either[0]]!r} is a hole"]
    if not fitting and not either:
        return set(), [f"{_join_signs(shown.values())} are unknown squares"]
    if len(marks) > 2 or len(fitting) != 1:
        raise _ambiguous_signs(shown.values(), path)
    (hole,) = fitting
    (other,) = (mark for mark in marks if mark != hole)
    why = f"otherwise there would be {squares[other]:,} squares for the number {most}"
    return {hole}, [f"{_show_sign(shown[hole])} is a hole; squares with {_show_sign(shown[other])} are unknown: {why}"]


def _ambiguous_signs(signs: Iterable[str], path: str | None) -> FormatError:
    return FormatError(
        f"ambiguous signs: {_join_signs(signs)}", path=path, help="write # for a hole and . for an unknown square"
    )


def _show_sign(sign: str) -> str:
    return _NAMES.get(sign, repr(sign))


def _join_signs(signs: Iterable[str]) -> str:
    *others, last = sorted(map(_show_sign, signs))
    return f"{', '.join(others)} and {last}" if others else last


def _check_zero(rows: Sequence[Row], marks: set[str], numbers: Sequence[int], path: str | None) -> None:
    """Raise FormatError if a single 0 may be a number."""
    zeros = [line for line, row in rows for word in row if word == "0"]
    squares = sum(_mark(word) not in (*_HOLES, *_EITHER) for _, row in rows for word in row)
    if len(zeros) == 1 and marks & set(_UNKNOWN) - {"0"} and max(numbers, default=0) < squares:
        why = "0 may be an unknown square, or the first number of a count from 0"
        raise FormatError(why, path=path, line=zeros[0], help="count from 1, or write . for an unknown square")


def _no_square_error(word: str, words: Sequence[str], line: int, path: str | None) -> FormatError:
    letters = sum(re.fullmatch(r"[^\W\d_]\d*", each) is not None for each in words)
    if letters > len(words) // 2:
        return FormatError(
            "a puzzle of letters cannot be read without its text",
            path=path,
            line=line,
            note="the text assigns numbers to letters",
            help="write the numbers that you know; or JSON with 'text', as `make_puzzle(text=...)` creates it",
        )
    if word == PLACE:
        return FormatError(
            "'o' marks a square with several allowed numbers, which the text does not list",
            path=path,
            line=line,
            help="create the puzzle with --json or -o puzzle.json, which contain them",
        )
    return FormatError(f"invalid square of a puzzle: {word[:40]!r}", path=path, line=line, help=HELP)
