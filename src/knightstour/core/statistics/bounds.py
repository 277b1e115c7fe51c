"""Bounds of statistics for all tours of a board, which prove without search that ranges are impossible."""

from __future__ import annotations

from knightstour.core.model.board import move_graph
from knightstour.core.model.geometry import Vector, crossing_positions, downward_moves, flat_of, passed_over
from knightstour.core.statistics.statistic import Size


def most_in_one_line(size: Size) -> int:
    """Return the most moves in a line that stays on the board.

    >>> from knightstour.core.model.board import Board
    >>> most_in_one_line(Size(Board(8, 8), False, 64))
    3
    """
    flat = flat_of(size.board)
    lengths = (
        min((side - 1) // abs(step) for side, step in zip((flat.rows, flat.cols), vector, strict=True) if step)
        for vector in flat.vectors
    )
    return min(size.moves, max(lengths))


def least_turns(size: Size) -> int:
    """Return the least number of turns, by the longest line.

    >>> from knightstour.core.model.board import Board
    >>> least_turns(Size(Board(8, 8), True, 64))
    22
    """
    longest = most_in_one_line(size)
    if not longest or size.moves < 2:
        return 0
    lines = -(-size.moves // longest)
    return lines if size.closed else lines - 1


def most_straight(size: Size) -> int:
    return size.corners - least_turns(size)


def most_crossings(size: Size) -> int:
    """Return a bound by the moves that can cross a move of the piece.

    >>> from knightstour.core.model.board import Board
    >>> most_crossings(Size(Board(8, 8), False, 64)), most_crossings(Size(Board("8x8:wazir"), False, 64))
    (283, 0)
    """
    crossing: dict[Vector, int] = {}
    for one, other, _ in crossing_positions(flat_of(size.board).vectors):
        crossing[one] = crossing.get(one, 0) + 1
        crossing[other] = crossing.get(other, 0) + 1
    return min(size.moves * max(crossing.values(), default=0) // 2, size.moves * (size.moves - 1) // 2)


def most_over_one_square(size: Size) -> int:
    moves = downward_moves(flat_of(size.board).vectors)
    return min(size.moves, sum(len(passed_over(move)) for move in moves))


def most_area(size: Size) -> int:
    """Return a bound by the triangles that each move forms with the middle of the board."""
    flat = flat_of(size.board)
    largest = max((flat.rows - 1) * abs(col) + (flat.cols - 1) * abs(row) for row, col in flat.vectors)
    return size.moves * largest // 4


def most_winding(size: Size) -> int:
    """Return a bound: each move goes round the middle by less than half a turn."""
    return max(0, size.moves - 1) // 2


def most_line_spread(size: Size) -> int:
    """Return the difference if one line has the largest numbers and another the smallest."""
    board = size.board
    return max(length * (size.squares - length) for length in (board.rows, board.cols))


def most_chords(size: Size) -> int:
    return len(move_graph(size.board).targets) // 2
