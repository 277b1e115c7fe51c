"""Bounds of statistics that hold for all tours of a board: ranges beyond them are impossible without a search."""

from __future__ import annotations

from knightstour.core.model.board import move_graph
from knightstour.core.model.geometry import Vector, crossing_positions, downward_moves, flat_of, passed_over
from knightstour.core.statistics.statistic import Size


def most_in_one_line(size: Size) -> int:
    """A line of moves stays on the board.

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
    """Between two turns there are no more moves than in the longest line.

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
    """All corners that are not turns."""
    return size.corners - least_turns(size)


def most_crossings(size: Size) -> int:
    """A move crosses at most all moves that the piece could make across it, and each crossing has two moves.

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
    """Each move passes over a square from one of few places."""
    moves = downward_moves(flat_of(size.board).vectors)
    return min(size.moves, sum(len(passed_over(move)) for move in moves))


def most_area(size: Size) -> int:
    """The area is a sum over moves of the triangles that they form with the middle of the board."""
    flat = flat_of(size.board)
    largest = max((flat.rows - 1) * abs(col) + (flat.cols - 1) * abs(row) for row, col in flat.vectors)
    return size.moves * largest // 4


def most_winding(size: Size) -> int:
    """Each move goes round the middle by less than half a turn."""
    return max(0, size.moves - 1) // 2


def most_line_spread(size: Size) -> int:
    """The largest numbers are in one line, and the smallest in another."""
    board = size.board
    return max(length * (size.squares - length) for length in (board.rows, board.cols))


def most_chords(size: Size) -> int:
    """All moves of the board."""
    return len(move_graph(size.board).targets) // 2
