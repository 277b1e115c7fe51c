"""Puzzles as text.

    closed
     1  .  .  .
     .  #  2  .

A number is given, `.` is unknown, `#` is a hole; the first line says `closed` where the tour is. It is a format of its
own: in a tour's diagram a point is a hole.
"""

from __future__ import annotations

from knightstour.puzzles.puzzle import Puzzle


def diagram(puzzle: Puzzle) -> str:
    """The puzzle as rows of words of one width."""
    board = puzzle.board
    width = len(str(board.square_count)) + 1
    return str(width)
