"""What people give for the size of a board."""

from __future__ import annotations

from knightstour.core.model.errors import BoardError
from knightstour.core.model.names import is_pair, parse_size
from knightstour.core.model.validation import is_whole, quoted

# Rows and columns of the largest board, so that sizes in bytes and seconds are numbers that a float holds.
MAX_SIDE = 10**120


def size_of(board: object) -> tuple[int, int]:
    """Rows and columns, not yet checked, of a pair, a text like "8x8" or one number; else a BoardError."""
    if isinstance(board, str):
        return parse_size(board)
    if is_pair(board):
        return board[0], board[1]
    if is_whole(board):
        return board, board
    help = "give a Board, a pair (rows, cols), a text like '8x8', or 8"
    raise BoardError(f"not a board: {quoted(board)}", help=help)
