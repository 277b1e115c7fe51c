"""Symmetries of boards: the ways to lay a board on itself, and the eight ways to turn and mirror any board.

A symmetry moves the squares and keeps all moves. A plain square board has eight, another rectangle four; holes leave
fewer; sides joined by a wrap add the shifts along them. A board made from a graph has only the identity here: the
automorphisms of a graph are another subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from knightstour.board import Board, Square
from knightstour.errors import BoardError


@dataclass(frozen=True, slots=True)
class Turn:
    """One of the eight ways to turn or mirror the plane: transpose first (if so), then flip rows and columns."""

    name: str
    transpose: bool
    flip_rows: bool
    flip_cols: bool


TURNS: tuple[Turn, ...] = (
    Turn("identity", False, False, False),
    Turn("180", False, True, True),
    Turn("vertical", False, False, True),
    Turn("horizontal", False, True, False),
    Turn("90", True, False, True),
    Turn("270", True, True, False),
    Turn("diagonal", True, False, False),
    Turn("antidiagonal", True, True, True),
)
TURN_NAMED = {turn.name: turn for turn in TURNS}


def turned_square(square: Square, turn: Turn, rows: int, cols: int) -> Square:
    """Where a square of a rows x cols board goes.

    "90" and "270" turn clockwise by so many degrees; "vertical" and "horizontal" mirror in a vertical (horizontal)
    line, "diagonal" in the line from the top left.

    >>> turned_square((0, 0), TURN_NAMED["90"], 3, 4)
    (0, 2)
    """
    r, c = square
    if turn.transpose:
        r, c, rows, cols = c, r, cols, rows
    return (rows - 1 - r if turn.flip_rows else r), (cols - 1 - c if turn.flip_cols else c)


def turned_squares(squares: np.ndarray, turn: Turn, rows: int, cols: int) -> np.ndarray:
    """`turned_square` for an (n, 2) array."""
    if turn.transpose:
        squares, rows, cols = squares[:, ::-1], cols, rows
    out = squares.copy()
    if turn.flip_rows:
        out[:, 0] = rows - 1 - out[:, 0]
    if turn.flip_cols:
        out[:, 1] = cols - 1 - out[:, 1]
    return out


def turned_board(board: Board, turn: Turn) -> Board:
    """The board turned or mirrored; a BoardError where the sides joined by a wrap would change places.

    >>> turned_board(Board(3, 4, holes=[(0, 0)]), TURN_NAMED["90"])
    Board(4, 3, holes=[(0, 2)])
    """
    if board.graph is not None:
        if turn.name == "identity":
            return board
        raise BoardError("a graph has no rows and columns to turn or mirror")
    if turn.transpose and board.wrap not in (None, "torus"):
        raise BoardError(
            f"a {board.wrap} joins left to right, so it cannot be turned by 90 degrees or mirrored in a diagonal"
        )
    rows, cols = (board.cols, board.rows) if turn.transpose else (board.rows, board.cols)
    holes = [turned_square(hole, turn, board.rows, board.cols) for hole in board.holes]
    return Board(rows, cols, holes=holes, wrap=board.wrap, leaper=board.leaper)


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A way to lay a board on itself: first the turn, then the shift by (rows, cols) along the joined sides."""

    board: Board
    turn: Turn
    shift: Square = (0, 0)

    @property
    def name(self) -> str:
        """The turn's name, a shift's being "shift (rows, cols)".

        >>> Symmetry(Board(4, 4, wrap="torus"), TURN_NAMED["180"], (0, 3)).name
        '180 + shift (0, 3)'
        """
        if self.shift == (0, 0):
            return self.turn.name
        return f"{self.turn.name} + shift {self.shift}".removeprefix("identity + ")

    def takes(self, square: Square) -> Square:
        """Where one square goes."""
        board, (dr, dc) = self.board, self.shift
        row, col = turned_square(square, self.turn, board.rows, board.cols)
        if board.wrap is None:
            return row, col
        laps, col = divmod(col + dc, board.cols)
        row = (row + dr) % board.rows
        return (board.rows - 1 - row if laps and board.wrap in ("mobius", "klein") else row), col

    @property
    def image(self) -> np.ndarray:
        """Where all go: square number s to `image[s]`, int64 (rows * cols,). Computed anew each time."""
        board, (dr, dc) = self.board, self.shift
        squares = np.stack(np.divmod(np.arange(board.rows * board.cols), board.cols), axis=1)
        squares = turned_squares(squares, self.turn, board.rows, board.cols)
        if board.wrap is None:
            return squares[:, 0] * board.cols + squares[:, 1]
        laps, col = np.divmod(squares[:, 1] + dc, board.cols)
        row = (squares[:, 0] + dr) % board.rows
        if board.wrap in ("mobius", "klein"):
            row = np.where(laps != 0, board.rows - 1 - row, row)
        return row * board.cols + col


def symmetries(board: Board) -> Iterator[Symmetry]:
    """The symmetries of a board, the identity first, each once.

    >>> [s.name for s in symmetries(Board(3, 4))]
    ['identity', '180', 'vertical', 'horizontal']
    """
    if board.graph is not None:
        yield Symmetry(board, TURN_NAMED["identity"])
        return
    turns = [t for t in TURNS if not t.transpose or (board.rows == board.cols and board.wrap in (None, "torus"))]
    corner = [(0, 0), (0, min(1, board.cols - 1)), (min(1, board.rows - 1), 0)]
    seen = set()
    for shift in _shifts(board):
        for turn in turns:
            found = Symmetry(board, turn, shift)
            if min(board.rows, board.cols) <= 2:
                # Sides of 1 or 2 make different names mean the same. Three squares in a corner tell maps apart.
                key = tuple(found.takes(square) for square in corner)
                if key in seen:
                    continue
                seen.add(key)
            if all(found.takes(hole) in board.holes for hole in board.holes):
                yield found


def _shifts(board: Board) -> list[Square]:
    """The shifts that, with the turns, make up all symmetries of the board without its holes."""
    rows: Sequence[int] = (0,)
    if board.wrap == "torus":
        rows = range(board.rows)
    elif board.wrap == "klein" and board.rows % 2 == 0:
        # Going once round mirrors the rows, so a shift agrees with itself only where up is as far as down.
        rows = (0, board.rows // 2)
    return [(r, c) for r in rows for c in (range(board.cols) if board.wrap is not None else (0,))]
