"""Numbered diagrams: holes, the first number, and the order of visit.

Lists, arrays, files and drawn grids of the same numbers are interpreted equally, since all use this module.

A cell without a number is a hole: NaN, a masked cell, None, -1, or a mark such as '.'. One 0 is the first number.
Several zeros are holes of a closed tour. In an open tour they may also be unvisited squares, and two may be the first
number and a lost last one, so the board is required. If the board is given, a 0 on one of its holes is a hole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.errors import InvalidTour
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.names import square_name

# In place of a number, the mark of a hole.
HOLE = -1
HOLE_MARKS = frozenset({"", ".", "·", "#", "-", "--", "_", "__", "x", "X", "*", "■", "□", "None", "null", "nan", "NaN"})


_NONE = np.zeros(0, dtype=np.int64)


class Numbering(NamedTuple):
    """Contents of a diagram: the number `numbers[k]` is on square `where[k]`, `base` is the first; all int64.

    Attributes:
        holes: The squares without a number.
        zeros: Number of holes written as 0, if the board is not given.
    """

    numbers: np.ndarray
    where: np.ndarray
    base: int
    holes: np.ndarray
    zeros: int = 0


def numbers_in(values: object) -> np.ndarray | None:
    """Return integers as an int array of the same shape, with HOLE for holes; None for other values.

    Args:
        values: An array of any kind, also masked, or nested lists that may contain None and marks of holes.

    >>> numbers_in([[1, None], [2.0, "."]]).tolist()
    [[1, -1], [2, -1]]
    """
    if isinstance(values, np.ma.MaskedArray):
        kept = numbers_in(values.filled(0))
        return None if kept is None else np.where(np.ma.getmaskarray(values), HOLE, kept)
    try:
        array = np.asarray(values)
    except ValueError:  # lists of different lengths
        return None
    if array.dtype.kind in "iu":
        return array
    if array.dtype.kind == "f":
        is_hole = np.isnan(array)
        whole = np.where(is_hole, HOLE, array)
        if not (np.isfinite(whole).all() and (whole == np.rint(whole)).all() and (np.abs(whole) < 2**53).all()):
            return None
        return whole.astype(np.int64)
    if array.dtype.kind in "OU" and array.size:
        cells = [_number_in(cell) for cell in np.asarray(values, dtype=object).ravel().tolist()]
        if None not in cells:
            return np.array(cells, dtype=np.int64).reshape(array.shape)
    return None


def _number_in(cell: object) -> int | None:
    if cell is None or (isinstance(cell, str) and cell.strip() in HOLE_MARKS) or cell is np.ma.masked:
        return HOLE
    if isinstance(cell, bool | np.bool_):
        return None
    if isinstance(cell, str) and cell.strip().isascii() and cell.strip().isdecimal() and len(cell) <= 18:
        return int(cell)
    if isinstance(cell, float) and cell != cell:
        return HOLE
    if isinstance(cell, int | np.integer) or (isinstance(cell, float) and cell.is_integer()):
        number = int(cell)
        return number if abs(number) < 2**62 else None
    return None


def numbering(grid: np.ndarray, board: Board | None = None) -> Numbering:
    """Return the contents of a diagram of integers (rows, cols), by the rules of this module.

    >>> found = numbering(np.array([[1, 3], [0, 2]]))
    >>> found.base, found.numbers.tolist(), found.holes.tolist()
    (0, [1, 3, 0, 2], [])
    """
    flat = grid.ravel()
    if len(flat) and flat.min() > 0:
        return Numbering(flat.astype(np.int64, copy=False), np.arange(len(flat)), 1, _NONE)
    is_number = (flat > 0) | (flat < HOLE)
    zeros = np.flatnonzero(flat == 0)
    if board is not None:
        # A 0 on a square of the board is a number; but many of them were meant as holes, of another board.
        on_squares = [s for s in zeros.tolist() if divmod(s, board.cols) not in board.holes] if board.holes else zeros
        zeros = np.asarray(on_squares, dtype=np.int64)
    counts_from_0 = len(zeros) == 1
    is_number[zeros if counts_from_0 else zeros[:0]] = True
    where, holes = np.flatnonzero(is_number), np.flatnonzero(~is_number)
    unsure = 0 if board is not None or counts_from_0 else len(zeros)
    return Numbering(flat[where].astype(np.int64, copy=False), where, int(not counts_from_0), holes, unsure)


def board_of_numbers(shape: Sequence[int], holes: np.ndarray) -> Board:
    """The flat knight's board of a diagram's shape; `holes` are square numbers."""
    rows, cols = shape
    return Board(rows, cols, holes=[divmod(s, cols) for s in holes.tolist()])


def order_of_numbers(found: Numbering, rows: int, cols: int, cells: CellBoard | None = None) -> np.ndarray:
    """Return the square numbers in order of visit; `rows`, `cols` and `cells` are for the error message.

    Raises:
        InvalidTour: If the numbers are not base, base + 1, ..., each once, or if they may be an unfinished search.
    """
    numbers, where, base, _, zeros = found
    order = np.full(len(where), -1)
    steps = numbers - base
    if len(steps) and steps.min() >= 0 and steps.max() < len(steps):
        order[steps] = where
    if len(steps) and not (order < 0).any():
        if zeros == 2 or (zeros and not _is_round(order, cols)):
            raise InvalidTour(
                f"only {len(order)} of {rows * cols} squares have a number, and 0 is on the others: holes, or "
                "unvisited squares",
                step=len(order),
                help=f"write '.' or -1 for holes, or give the board: FILE {rows}x{cols} has none",
            )
        return order

    def place(k: int) -> str:
        row, col = divmod(int(where[k]), cols)
        return f"row {row}, column {col}" if cells is None else cells.square_name((0, col))

    def square_text(k: int) -> str:
        name = square_name(divmod(int(where[k]), cols), rows)
        return f"{name} ({place(k)})" if cells is None else place(k)

    if not len(numbers):
        raise InvalidTour("this diagram has no number", step=0)
    low = np.flatnonzero(numbers < base)
    if len(low):
        raise InvalidTour(
            f"number {numbers[low[0]]} at {place(int(low[0]))}, but this grid counts from {base}",
            step=0,
            help="write '.' for a hole; the format grid0 counts from 0",
        )
    by_number = np.argsort(numbers, kind="stable")
    values = numbers[by_number]
    step = int(np.flatnonzero(values != np.arange(base, base + len(values)))[0])
    if step and values[step] == values[step - 1]:
        twice = by_number[step - 1 : step + 1].tolist()
        places = " and ".join(map(square_text, twice))
        raise InvalidTour(f"number {values[step]} is there twice, at {places}", step=step)
    came = f"after {base + step - 1} comes {values[step]}" if step else f"the first is {values[0]}"
    raise InvalidTour(f"number {base + step} is missing from the grid: {came}", step=step)


def _is_round(order: np.ndarray, cols: int) -> bool:
    """Whether the last square is a knight's move from the first."""
    (r, c), (row, col) = divmod(int(order[0]), cols), divmod(int(order[-1]), cols)
    return abs((r - row) * (c - col)) == 2 and len(order) > 2


def hole_or_first(found: Numbering, shape: Sequence[int]) -> str:
    """Return the help for a diagram from 0 that is not a tour: its 0 may be a hole. "" if it counts from 1."""
    if found.base:
        return ""
    rows, cols = shape
    name = square_name(divmod(int(found.where[int(np.argmin(found.numbers))]), cols), rows)
    word = f"{rows}x{cols}:-{name}"
    return f"if the 0 marks a hole, give the board: FILE {word}, or board={word!r}"
