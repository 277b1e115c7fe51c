"""Words for sizes and squares: "8x12", "a1", "0,0"."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from knightstour.core.model.errors import BoardError, with_notes
from knightstour.core.model.validation import is_whole, quoted, whole_number

# The name of a file: with a folder, or a suffix that has a letter.
_LIKE_FILE = re.compile(r"[/\\]|\.[A-Za-z]\w{0,6}$")


def parse_size(text: str, word: str = "") -> tuple[int, int]:
    """(rows, cols) of a text like "8x12", or "8" for a square board. word: the whole word that it begins, for errors.

    >>> parse_size("8x12"), parse_size("6")
    ((8, 12), (6, 6))
    """
    match = re.fullmatch(r"\s*(-?\d+)\s*(?:[xX×]\s*(-?\d+)\s*)?", text)
    if not match or len(text) > 4000:
        help = "write rows x columns, such as 8x8 or 5x12, or one number"
        if _LIKE_FILE.search(text):
            help = (
                f"no file is opened here: use Board.from_file({(word or text)[:60]!r}), for an image Board.from_image"
            )
        raise BoardError(f"not a board size: {text[:60]!r}", help=help)
    rows = int(match[1])
    cols = int(match[2]) if match[2] is not None else rows
    if rows < 1 or cols < 1:
        raise BoardError(f"a board of {rows}x{cols} has no square", help="rows and columns are at least 1")
    return rows, cols


def square_name(square: tuple[int, int], rows: int) -> str:
    """Algebraic name: columns a..z, then aa, ab, ...; the bottom row is 1.

    >>> square_name((7, 0), 8), square_name((0, 26), 10)
    ('a1', 'aa10')
    """
    row, col = square
    letters = ""
    left = col + 1
    while left:
        left, digit = divmod(left - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return f"{letters}{rows - row}"


def column_of(letters: str) -> int:
    """The column, from 0, of the letters of a name: the reverse of `square_name`.

    >>> column_of("a"), column_of("aa")
    (0, 26)
    """
    col = 0
    for letter in letters:
        col = col * 26 + ord(letter) - ord("a") + 1
    return col - 1


def parse_square(text: str, rows: int) -> tuple[int, int]:
    """Return (row, col) of "a1" or "0,0" on a board of `rows` rows, without a check that the square is on it.

    >>> parse_square("a1", 8), parse_square("0,0", 8)
    ((7, 0), (0, 0))
    """
    is_name, row, col = _parse_name(text)
    return (rows - row if is_name else row), col


def is_pair(value: object) -> TypeGuard[Sequence[int]]:
    if isinstance(value, np.ndarray):
        return value.shape == (2,)
    return isinstance(value, tuple | list) and len(value) == 2


def _not_a_square(square: object) -> BoardError | TypeError:
    message = f"not a square: {quoted(square)}"
    help = "pass (row, col), counted from 0 at the top left, or a name like 'a1'"
    is_number_list = isinstance(square, tuple | list) and all(map(is_whole, square))
    return BoardError(message, help=help) if is_number_list else with_notes(TypeError(message), help=help)


def square_on(square: object, rows: int, cols: int) -> tuple[int, int]:
    """Return (row, col) of a pair or a name; raise BoardError if the square is not on a board of this size.

    >>> square_on("a1", 8, 8), square_on((0, 7), 8, 8)
    ((7, 0), (0, 7))
    """
    if isinstance(square, str):
        row, col = parse_square(square, rows)
    else:
        if not is_pair(square) or not all(isinstance(x, int | np.integer) for x in square):
            raise _not_a_square(square)
        row = whole_number(square[0], "a row", error=BoardError)
        col = whole_number(square[1], "a column", error=BoardError)
    if not (0 <= row < rows and 0 <= col < cols):
        raise BoardError(
            f"square {square if isinstance(square, str) else (row, col)} is not on the board",
            note=f"the board has rows 0 to {rows - 1} and columns 0 to {cols - 1}, "
            f"a1 to {square_name((0, cols - 1), rows)}",
        )
    return row, col


@functools.lru_cache(maxsize=1024)
def _parse_name(text: str) -> tuple[bool, int, int]:
    """Return whether it is a name, the row (of a name: counted from below), and the column."""
    cleaned = text.strip().lower()
    match = re.fullmatch(r"([a-z]{1,200})(\d{1,200})", cleaned)
    if match:
        return True, int(match[2]), column_of(match[1])
    match = re.fullmatch(r"\(?\s*(-?\d{1,200})\s*,\s*(-?\d{1,200})\s*\)?", cleaned)
    if match:
        return False, int(match[1]), int(match[2])
    raise BoardError(
        f"not a square: {text[:60]!r}", help="write a name like a1 (bottom left), or row,col like 0,0 (top left)"
    )


# Rows and columns of the largest board, so that sizes in bytes and seconds are numbers that a float holds.
MAX_SIDE = 10**120


def size_of(board: object) -> tuple[int, int]:
    """Rows and columns, not yet checked, of a pair, a text like "8x8" or one number."""
    if isinstance(board, str):
        return parse_size(board)
    if is_pair(board):
        return board[0], board[1]
    if is_whole(board):
        return board, board
    help = "pass a Board, a pair (rows, cols), a text like '8x8', or 8"
    if hasattr(board, "board"):
        help = "use its board, such as tour.board"
    message = f"not a board: {quoted(board)}"
    raise (
        BoardError(message, help=help) if isinstance(board, tuple | list) else with_notes(TypeError(message), help=help)
    )
