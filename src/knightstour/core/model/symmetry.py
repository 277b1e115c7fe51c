"""Symmetries of boards, and the eight rotations and reflections of any board.

A symmetry permutes the squares and keeps all moves. A plain square board has eight, another rectangle four. Holes
reduce their number, and joined sides add shifts. A board from a graph has only the identity here: automorphisms of
graphs are not computed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from knightstour.core.model.board import Board, Square
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.grid_board import GridBoard

# `takes(square, which)` returns the images of a square under the symmetries of these numbers: their rows and columns. A
# sieve is called with it and such numbers, and returns the numbers that may be needed.
Takes: TypeAlias = Callable[[Square, np.ndarray], tuple[np.ndarray, np.ndarray]]
Sieve: TypeAlias = Callable[[Takes, np.ndarray], np.ndarray]

_SHIFTS_AT_ONCE = 1 << 16


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
    """Return the image of a square of a rows x cols board.

    "90" and "270" rotate clockwise by that angle; "vertical" and "horizontal" reflect in a vertical (horizontal) line,
    "diagonal" in the line from the top left.

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
    """Return the board turned or mirrored; raise BoardError if its wrap does not allow this.

    >>> turned_board(Board(3, 4, holes=[(0, 0)]), TURN_NAMED["90"])
    Board(4, 3, holes=[(0, 2)])
    """
    if isinstance(board, GraphBoard):
        if turn.name == "identity":
            return board
        raise BoardError("a graph has no rows and columns to turn or mirror")
    if turn.transpose and board.wrap not in (None, "torus"):
        raise BoardError(
            f"a {board.wrap} joins left to right, so it cannot be turned by 90 degrees or mirrored in a diagonal"
        )
    assert isinstance(board, GridBoard)
    rows, cols = (board.cols, board.rows) if turn.transpose else (board.rows, board.cols)
    holes = [turned_square(hole, turn, board.rows, board.cols) for hole in board.holes]
    return board.replace(rows=rows, cols=cols, holes=holes)


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
        """Return the image of one square."""
        # As `_shift_squares` does, in numbers alone, which is ten times as fast for one.
        board, (down, right) = self.board, self.shift
        row, col = turned_square(square, self.turn, board.rows, board.cols)
        laps, col = divmod(col + right, board.cols)
        row = (row + down) % board.rows
        return (board.rows - 1 - row if laps and board.wrap in ("mobius", "klein") else row), col

    @property
    def image(self) -> np.ndarray:
        """Images of all squares: square number s to `image[s]`, int64 (rows * cols,). Not cached."""
        board = self.board
        squares = np.stack(np.divmod(np.arange(board.rows * board.cols), board.cols), axis=1)
        squares = turned_squares(squares, self.turn, board.rows, board.cols)
        row, col = _shift_squares(board, squares[:, 0], squares[:, 1], *self.shift)
        return row * board.cols + col


@dataclass(frozen=True, slots=True, eq=False)
class Laying(Symmetry):
    """A way to lay a board of cells on itself: by an isometry of their lattice, and a shift."""

    isometry: str = "identity"
    places: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def name(self) -> str:
        """Name of the isometry."""
        return self.isometry

    def takes(self, square: Square) -> Square:
        """Return the image of one cell."""
        return 0, int(self.places[square[1]])

    @property
    def image(self) -> np.ndarray:
        """Images of all cells: index s to `image[s]`, int64."""
        return self.places


Numbers: TypeAlias = "int | np.ndarray"


def _shift_squares(
    board: Board, row: Numbers, col: Numbers, down: Numbers, right: Numbers
) -> tuple[np.ndarray, np.ndarray]:
    """Return the images of squares under shifts; one of the two may be numbers."""
    laps, cols = np.divmod(np.add(col, right), board.cols)
    rows = np.remainder(np.add(row, down), board.rows)
    if board.wrap in ("mobius", "klein"):
        rows = np.where(laps != 0, board.rows - 1 - rows, rows)
    return rows, cols


def turns_of(board: Board) -> list[Turn]:
    """The turns and mirrors of the plane that lay the board's rectangle, with the sides that are joined, on itself."""
    return [t for t in TURNS if not t.transpose or (board.rows == board.cols and board.wrap in (None, "torus"))]


def symmetries(board: Board, sieve: Sieve | None = None) -> Iterator[Symmetry]:
    """Yield the symmetries of a board, the identity first, each once.

    Args:
        sieve: Function that selects needed symmetries from many, so that most of the millions on wrapped boards are
            skipped fast; see Sieve.

    >>> [s.name for s in symmetries(Board(3, 4))]
    ['identity', '180', 'vertical', 'horizontal']
    """
    if isinstance(board, CellBoard):
        for name, places in board.layings():
            yield Laying(board, TURN_NAMED["identity"], isometry=name, places=places)
        return
    if isinstance(board, GraphBoard):
        yield Symmetry(board, TURN_NAMED["identity"])
        return
    turns = turns_of(board)
    corner = [(0, 0), (0, min(1, board.cols - 1)), (min(1, board.rows - 1), 0)]
    seen = set()
    for downs, rights in _shifts(board):
        is_wanted = np.full((len(downs), len(turns)), sieve is None)
        if sieve is not None:
            for k, turn in enumerate(turns):
                takes = functools.partial(_images, board, turn, downs, rights)
                is_wanted[sieve(takes, np.arange(len(downs))), k] = True
        for at, k in np.argwhere(is_wanted).tolist():
            found = Symmetry(board, turns[k], (int(downs[at]), int(rights[at])))
            if min(board.rows, board.cols) <= 2:
                # Sides of 1 or 2 make different names mean the same. Three squares in a corner distinguish maps.
                key = tuple(found.takes(square) for square in corner)
                if key in seen:
                    continue
                seen.add(key)
            if all(found.takes(hole) in board.holes for hole in board.holes):
                yield found


def _images(
    board: Board, turn: Turn, downs: np.ndarray, rights: np.ndarray, square: Square, which: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """`Takes` of a turn with these shifts."""
    row, col = turned_square(square, turn, board.rows, board.cols)
    return _shift_squares(board, row, col, downs[which], rights[which])


def _shifts(board: Board) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield shifts (down, right) in blocks; with rotations they generate all symmetries."""
    downs: np.ndarray = np.zeros(1, dtype=np.int64)
    if board.wrap == "torus":
        downs = np.arange(board.rows)
    elif board.wrap == "klein" and board.rows % 2 == 0:
        # One lap mirrors the rows, so a shift is consistent only if up and down are equally far.
        downs = np.array([0, board.rows // 2])
    width = board.cols if board.wrap is not None else 1
    for first in range(0, len(downs) * width, _SHIFTS_AT_ONCE):
        some = np.arange(first, min(first + _SHIFTS_AT_ONCE, len(downs) * width))
        yield downs[some // width], some % width


# ---------------------------------------------------------------- names

_AXES = {"vertical", "horizontal", "diagonal", "antidiagonal"}


def name_of(names: Sequence[str], *, is_positive: bool) -> str:
    """Return the name of the symmetry class of a closed tour with these symmetries, besides the identity.

    Args:
        is_positive: Whether the first of them keeps the direction of the tour.

    Source: G. P. Jelliss, Knight's Tour Notes, 2019, "Symmetry in closed knight paths".

    >>> name_of(["180"], is_positive=True), name_of(["vertical"], is_positive=False), name_of([], is_positive=True)
    ('Eulerian', 'Murraian', 'none')
    """
    found = set(names)
    axes = found & _AXES
    if not found:
        return "none"
    if found == {"180"}:
        return "Eulerian" if is_positive else "Bergholtian"
    if found == {"90", "180", "270"}:
        return "birotary"
    if found == axes and len(axes) == 1:
        return "Sulian" if is_positive else "Murraian"
    if found == axes | {"180"} and len(axes) == 2:
        return "biaxial"
    return "octonary"
