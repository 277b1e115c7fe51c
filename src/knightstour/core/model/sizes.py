"""What people give for the size of a board and for a leaper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from knightstour.core.model.errors import BoardError
from knightstour.core.model.names import parse_size
from knightstour.core.model.pieces import as_graph, graph_of_box, help_for_leaper
from knightstour.core.model.validation import shown, whole_number

# Rows and columns of the largest board, so that sizes in bytes and seconds are numbers that a float holds.
MOST_SIDE = 10**120


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number, of Python or NumPy."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def size_of(board: object) -> tuple[int, int]:
    """Rows and columns, not yet checked, of a pair, a text like "8x8" or one number; else a BoardError."""
    if isinstance(board, str):
        return parse_size(board)
    if is_pair(board):
        return board[0], board[1]
    if is_whole(board):
        return board, board
    sides = tuple(board) if isinstance(board, tuple | list) and len(board) > 2 and all(map(is_whole, board)) else ()
    help = "give a Board, a pair (rows, cols), a text like '8x8', or 8"
    if sides:
        help = f"a board is (rows, cols); {as_graph(graph_of_box(sides))}"
    raise BoardError(f"not a board: {shown(board)}", help=help)


def checked_leaper(leaper: tuple[int, int]) -> tuple[int, int]:
    """The two numbers of a leaper, the smaller first; a BoardError where they are none."""
    try:
        a, b = leaper
        if not (is_whole(a) and is_whole(b)):
            raise TypeError
    except (TypeError, ValueError):
        help = help_for_leaper(leaper) or "give two whole numbers, (1, 2) for the knight"
        raise BoardError(f"not a leaper: {shown(leaper)}", help=help) from None
    a, b = (whole_number(x, "a number of the leaper", error=BoardError) for x in (a, b))
    if a < 0 or b < 0 or a == b == 0:
        help = "both numbers are at least 0 and not both 0; the knight is (1, 2)"
        raise BoardError(f"no piece leaps ({a}, {b})", help=help)
    return (a, b) if a <= b else (b, a)


def is_pair(value: object) -> TypeGuard[Sequence[int]]:
    """Whether a value is a pair."""
    if isinstance(value, np.ndarray):
        return value.shape == (2,)
    return isinstance(value, tuple | list) and len(value) == 2
