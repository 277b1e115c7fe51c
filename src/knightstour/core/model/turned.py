"""Whether the drawing of a board may be meant the other way round, its holes being the squares."""

from __future__ import annotations

from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.distances import moves_away
from knightstour.core.model.drawing import ParsedDrawing
from knightstour.core.model.grid_board import GridBoard

# Larger drawings are not looked at once more.
_MAX_SQUARES = 100_000


def turned_remark(board: GridBoard, drawn: ParsedDrawing) -> str:
    """The remark on a drawing whose squares are the fewer, and whose holes are a board that moves join; else "".

    >>> from knightstour.core.model.drawing import read_drawing
    >>> from knightstour.core.model.board import Board
    >>> turned_remark(Board.from_text("..."), read_drawing("..."))
    ''
    """
    size = board.rows * board.cols
    if square_count(board) >= len(drawn.holes) or size > _MAX_SQUARES:
        return ""
    squares = {divmod(s, board.cols) for s in range(size)} - board.holes
    other = board.replace(holes=squares)
    moves = move_graph(other)
    if len(moves_away(moves.neighbour_lists().__getitem__, int(moves.squares[0]))) < square_count(other):
        return ""
    return (
        f"the squares are the fewer, {square_count(board)} of {size}; if {drawn.hole_sign!r} is the square, the board "
        f"has {square_count(other)} squares that moves join: is it drawn the other way round?"
    )
