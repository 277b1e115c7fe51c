"""Symmetries of boards: the ways to lay a board on itself, and the eight ways to turn and mirror any board.

A symmetry is a permutation of the square numbers that keeps moves. A plain square board has eight, another rectangle
four; holes leave fewer; sides joined by a wrap add the shifts along them. A board made from a graph has only the
identity here: the automorphisms of a graph are another subject.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from knightstour.board import Board, Square, are_moves, move_graph
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


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    """A way to lay a board on itself: square number s goes to `image[s]` (int64, one a square number)."""

    name: str
    image: np.ndarray


def symmetries(board: Board) -> Iterator[Symmetry]:
    """The symmetries of a board, the identity first. Shifts of wrapped boards are named "shift (rows, cols)".

    >>> [s.name for s in symmetries(Board(3, 4))]
    ['identity', '180', 'vertical', 'horizontal']
    """
    size = board.rows * board.cols
    identity = np.arange(size)
    if board.graph is not None:
        yield Symmetry("identity", identity)
        return
    squares = np.stack(np.divmod(identity, board.cols), axis=1)
    turns = [t for t in TURNS if not t.transpose or (board.rows == board.cols and board.wrap in (None, "torus"))]
    is_square = np.ones(size, dtype=bool)
    for r, c in board.holes:
        is_square[r * board.cols + c] = False
    for dr, dc in _shifts(board):
        for turn in turns:
            moved = turned_squares(squares, turn, board.rows, board.cols)
            image = _shifted(board, moved, dr, dc)
            if not np.array_equal(is_square[image], is_square):
                continue
            name = turn.name if not (dr or dc) else f"{turn.name} + shift ({dr}, {dc})".removeprefix("identity + ")
            # On a flat board every turn keeps moves; on a twisted one that depends on the parity of the sides.
            if board.wrap in ("mobius", "klein") and not _keeps_moves(board, image):
                continue
            yield Symmetry(name, image)


def _shifts(board: Board) -> list[Square]:
    rows = range(board.rows) if board.wrap in ("torus", "klein") else range(1)
    if board.wrap in ("cylinder", "torus"):
        cols = range(board.cols)
    elif board.wrap in ("mobius", "klein"):
        # Once round flips the rows, so only the second lap comes home.
        cols = range(2 * board.cols)
    else:
        cols = range(1)
    return [(r, c) for r in rows for c in cols]


def _shifted(board: Board, squares: np.ndarray, dr: int, dc: int) -> np.ndarray:
    if board.wrap in (None, "cylinder", "torus"):
        return (squares[:, 0] + dr) % board.rows * board.cols + (squares[:, 1] + dc) % board.cols
    laps, col = np.divmod(squares[:, 1] + dc, board.cols)
    row = (squares[:, 0] + dr) % board.rows
    row = np.where(laps % 2 != 0, board.rows - 1 - row, row)
    return row * board.cols + col


def _keeps_moves(board: Board, image: np.ndarray) -> bool:
    edges = move_graph(board).edges()
    return bool(are_moves(board, image[edges[:, 0]], image[edges[:, 1]]).all())


@functools.lru_cache(maxsize=64)
def few_symmetries(board: Board) -> tuple[Symmetry, ...]:
    """`symmetries` as a tuple that is kept, for boards whose symmetries are few (no wrap)."""
    return tuple(symmetries(board))
