"""How the lines of method straight are turned back at the four borders: tables for few turns, and for few crossings.

Inside, every square goes straight on: all lines rise to the right, two columns for one row, and never cross. Number a
line by c = column + 2 row. At the borders lines are joined in pairs:

- top and bottom (as seen when the board is turned by 180 degrees): by a pattern of a few rows that repeats;
- left: the square beside is two rows further down, which pairs even c with c + 5 and makes 2 crossings a row; or two
  rows up, which pairs even c with c - 3 and makes 1;
- right: likewise, as seen when the board is turned. So seen, c is an odd number less c, where the columns are even.

Two borders that meet the same lines must not pair them in the same way, or these would be short loops. Where even c
goes to c + a at one and to c + b at the other, a walk drifts by a - b at every return, so for a != b it comes to a
corner. Longer patterns were checked for all residues.

Each corner must lack as many moves at light squares as at dark ones, which most choices of borders do not give.

All this is for an even number of columns.

For few turns there are two a column and two a row: at the top in a pattern of two columns, at the bottom in one of
eight, which joins a line to the 7th or the 9th one from it. Of those tried they have the fewest crossings, 6.25 a
column and 3 a row.

For few crossings: the patterns, four rows deep, are closed walks of a graph of half-drawn columns, searched in full.
None, of any period, has fewer than 11 crossings in 6 columns; there is one, and it can be had against sides of c + 5.
Against sides of c - 3 it leaves a short loop in every six columns: 22 in 10 columns are the fewest, up to periods of
12, of those that leave none and balance the corners. Two sides that leave no loop between them have at least 3
crossings a row (a complete search of periods up to four rows, three squares deep), so the left one has 1 and the right
one 2. Together that makes 4.03 a column and 3 a row. Where lines lead from the top to the bottom, on boards more than
twice as wide as high, these two patterns leave loops, and the bottom has that of two columns.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from knightstour.core.model.board import Board
from knightstour.lab.objectives.laying import Pattern, Place, Step, pattern, steps_within

# Side of the corner squares that are left free, and of the smallest board that has borders between them. Odd corners
# are seldom left with loops that no step joins (1 in 10), those of 8 x 8 and 10 x 10 mostly.
_CORNER = 9
LEAST_SIDE: Final = 20
# Crossings of the corners, as measured.
_MORE = 20

_LINE: Final[tuple[Step, Step]] = ((-1, 2), (1, -2))


class Borders(NamedTuple):
    """The borders of a board all of whose inner squares have the moves _LINE.

    top, bottom: patterns, the outermost row first. left, right: rows down to the square beside. bottom, right: as seen
    when the board is turned by 180 degrees. crossings: for a column and for a row, both borders together.
    """

    top: Pattern
    bottom: Pattern
    left: int
    right: int
    crossings: tuple[float, float]

    def moves_at(self, board: Board, row: int, col: int) -> tuple[Step, Step]:
        """The two moves of a square outside the corners."""
        rows, cols = board.rows, board.cols
        if row < len(self.top):
            return self.top[row][col % len(self.top[row])]
        if row >= rows - len(self.bottom):
            pattern = self.bottom[rows - 1 - row]
            one, other = pattern[(cols - 1 - col) % len(pattern)]
            return (-one[0], -one[1]), (-other[0], -other[1])
        if col < 2:
            return _LINE[0], (self.left, 1) if col == 0 else (-self.left, -1)
        if col >= cols - 2:
            return _LINE[1], (-self.right, -1) if col == cols - 1 else (self.right, 1)
        return _LINE


_TWO = pattern("03 23", "47 37", "36 37")
_SIX = pattern("23 23 23 23 23 23", "37 27 27 27 37 37", "36 36 67 67 67 36", "36 36 36 37 37 37")
_EIGHT = pattern("13 03 13 03 03 23 03 23", "47 37 37 47 37 47 47 37", "37 35 37 35 36 37 36 37")
_TEN = pattern(
    "23 23 23 23 23 23 23 23 23 23",
    "37 27 27 27 37 27 37 27 37 37",
    "36 36 67 06 67 36 67 67 67 36",
    "36 36 36 37 36 34 36 37 37 37",
)
# 22 crossings in 10 columns at the top and 11 in 6 at the bottom; 1 a row at the left and 2 at the right.
_FEW_CROSSINGS = Borders(_TEN, _SIX, left=-2, right=2, crossings=(22 / 10 + 11 / 6, 3.0))
_FEW_CROSSINGS_WIDE = Borders(_TEN, _TWO, left=-2, right=2, crossings=(22 / 10 + 3, 3.0))
_FEW_TURNS = Borders(_TWO, _EIGHT, left=2, right=-2, crossings=(6.25, 3.0))


class Parallel:
    """The lines of a board, all parallel, with these borders; the corners are free."""

    def __init__(self, board: Board, borders: Borders) -> None:
        self.board, self._borders = board, borders
        rows = [*range(_CORNER), *range(board.rows - _CORNER, board.rows)]
        cols = [*range(_CORNER), *range(board.cols - _CORNER, board.cols)]
        self.free: list[Place] = [(row, col) for row in rows for col in cols]
        a_column, a_row = borders.crossings
        self.crossings = a_column * board.cols + a_row * board.rows + _MORE
        self._inside = [
            (-1, 0, -_CORNER),
            (1, 0, board.rows - _CORNER - 1),
            (0, -1, -_CORNER),
            (0, 1, board.cols - _CORNER - 1),
        ]

    def moves_at(self, row: int, col: int) -> tuple[Step, Step]:
        return self._borders.moves_at(self.board, row, col)

    def straight_on(self, row: int, col: int, going: Step) -> int:
        return steps_within(self._inside, (row, col), going) if going in _LINE else 0


def parallel(board: Board, fewest: str) -> Parallel:
    """The board, which has an even number of columns, with borders for few turns or for few crossings."""
    if fewest == "turns":
        return Parallel(board, _FEW_TURNS)
    # On wider boards lines lead from the top to the bottom as well.
    return Parallel(board, _FEW_CROSSINGS if board.cols <= 2 * board.rows else _FEW_CROSSINGS_WIDE)
