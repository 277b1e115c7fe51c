"""Families of boards: the board of the n-th term of a sequence, and the index of a board.

`board(n)` returns the board of index n, and raises BoardError or ProblemError if n is out of range. `index(board)` is
the
inverse: the n with this board, possibly rotated by 90 degrees, or None.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Protocol

from knightstour.core.model.board import Board, square_count
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard, is_knights, is_rectangle
from knightstour.core.model.symmetry import TURN_NAMED, turned_board


class Family(Protocol):
    """Boards with indices n."""

    def board(self, n: int) -> Board:
        """Return the board of index n."""

    def index(self, board: Board) -> int | None:
        """Return the index of this board or of its rotation by 90 degrees, or None."""

    def __str__(self) -> str:
        """Return a description of the boards in terms of n."""


def sides(board: Board) -> tuple[int, int]:
    """Return the shorter side and the longer one."""
    shorter, longer = sorted((board.rows, board.cols))
    return shorter, longer


@dataclass(frozen=True)
class Strips:
    """Boards with a fixed number of rows, and step n + shift columns.

    >>> Strips(7, 2).board(4), Strips(4, 2, -1).index(Board(4, 5)), str(Strips(4, 2, -1))
    (Board(7, 8), 3, '4 x (2n-1) boards')
    >>> Strips(3, moves="king").index(Board(9, 3, moves="king")), Strips(3).index(Board(9, 3, moves="king"))
    (9, None)
    """

    rows: int
    step: int = 1
    shift: int = 0
    moves: str = "knight"

    @property
    def width(self) -> int | None:
        """The fixed side, or None for pieces other than the knight."""
        return self.rows if self.moves == "knight" else None

    def board(self, n: int) -> GridBoard:
        return Board(self.rows, self.step * n + self.shift, moves=self.moves)

    def index(self, board: Board) -> int | None:
        if self.rows not in (board.rows, board.cols) or board != Board(board.rows, board.cols, moves=self.moves):
            return None
        other = board.cols if board.rows == self.rows else board.rows
        n, rest = divmod(other - self.shift, self.step)
        return None if rest else n

    def __str__(self) -> str:
        length = f"{'' if self.step == 1 else self.step}n{f'{self.shift:+}' if self.shift else ''}"
        return f"{self.rows} x {f'({length})' if self.shift else length} boards"


@dataclass(frozen=True)
class Squares:
    """Square boards of side step n.

    >>> Squares(2).board(4), Squares().index(Board(6, 6)), Squares(2).index(Board(5, 5))
    (Board(8, 8), 6, None)
    >>> Squares(moves="king").index(Board(6, 6, moves="king"))
    6
    """

    step: int = 1
    moves: str = "knight"

    def board(self, n: int) -> GridBoard:
        return Board(self.step * n, self.step * n, moves=self.moves)

    def index(self, board: Board) -> int | None:
        n, rest = divmod(board.rows, self.step)
        return n if rest == 0 and n > 0 and board == self.board(n) else None

    def __str__(self) -> str:
        side = "n" if self.step == 1 else f"{self.step}n"
        return f"{side} x {side} boards"


@dataclass(frozen=True)
class CellTriangles:
    """Triangles of hexagons with n along each side.

    >>> str(CellTriangles().board(3)), CellTriangles().index(Board("tri:5")), CellTriangles().index(Board("hex:2"))
    ('tri:3', 5, None)
    """

    moves: str = "wazir"

    def board(self, n: int) -> Board:
        return Board(f"tri:{n}", moves=self.moves)

    def index(self, board: Board) -> int | None:
        n = (isqrt(8 * square_count(board) + 1) - 1) // 2
        return n if isinstance(board, CellBoard) and board == self.board(n) else None

    def __str__(self) -> str:
        return "triangles of hexagonal cells, n along each side"


@dataclass(frozen=True)
class Antidiagonals:
    """All boards with k rows and m columns, by antidiagonals k + m = 2, 3, 4, ..., with few rows first.

    The first index is 1. A board and its rotation have equal counts, so the direction of reading is irrelevant.

    >>> [Antidiagonals().board(n) for n in (1, 2, 3, 5)]
    [Board(1, 1), Board(1, 2), Board(2, 1), Board(2, 2)]
    """

    def board(self, n: int) -> GridBoard:
        before = _rows_before(n)
        place = n - before * (before + 1) // 2
        return Board(place, before + 2 - place)

    def index(self, board: Board) -> int | None:
        """Return the first index of a board, or None."""
        if not is_rectangle(board):
            return None
        before = board.rows + board.cols - 2
        return before * (before + 1) // 2 + min(board.rows, board.cols)

    def __str__(self) -> str:
        return "all k x m boards, read by antidiagonals"


@dataclass(frozen=True)
class Triangle:
    """The boards with k rows and up to k columns, as rows of a triangle. The first index is 1.

    >>> [Triangle().board(n) for n in (1, 2, 3, 4)]
    [Board(1, 1), Board(2, 1), Board(2, 2), Board(3, 1)]
    """

    def board(self, n: int) -> GridBoard:
        before = _rows_before(n)
        return Board(before + 1, n - before * (before + 1) // 2)

    def index(self, board: Board) -> int | None:
        if not is_rectangle(board):
            return None
        shorter, longer = sides(board)
        return (longer - 1) * longer // 2 + shorter

    def __str__(self) -> str:
        return "k x m boards with m <= k, a triangle read by rows"


def _rows_before(n: int) -> int:
    """Return the number of complete rows before entry n >= 1 of a triangle."""
    return (isqrt(8 * n - 7) - 1) // 2


@dataclass(frozen=True)
class Prefixes:
    """The first step n squares of a board with a fixed number of rows, column by column.

    >>> Prefixes(5, 2).board(9), Prefixes(5, 2).board(10)
    (Board(5, 4, holes=[(3, 3), (4, 3)]), Board(5, 4))
    >>> Prefixes(5, 2).index(Board(5, 4, holes=[(3, 3), (4, 3)]))
    9
    """

    rows: int
    step: int = 1

    def board(self, n: int) -> GridBoard:
        columns, rest = divmod(self.step * n, self.rows)
        if not rest:
            return Board(self.rows, columns)
        return Board(self.rows, columns + 1, holes=[(row, columns) for row in range(rest, self.rows)])

    def index(self, board: Board) -> int | None:
        n, rest = divmod(square_count(board), self.step)
        if rest or n < 1 or board.wrap is not None or not is_knights(board):
            return None
        own = self.board(n)
        return n if any(turned_board(own, turn) == board for turn in TURN_NAMED.values()) else None

    def __str__(self) -> str:
        count = "n" if self.step == 1 else f"{self.step}n"
        return f"the first {count} squares of {self.rows} rows, column by column"
