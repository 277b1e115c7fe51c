"""Checks of tours from coordinates alone, by code that is independent of all code that creates tours.

There are two checks. `is_tour` returns a boolean, for flat knight's boards: small ones in lists, others in arrays.
`check` supports every board, is slower, and describes the error; it decides whenever `is_tour` is not True.
"""

from __future__ import annotations

import contextlib

import numpy as np

from knightstour.core.model.board import MAX_LISTED_SQUARES, Board, Square, are_moves, move_name, square_count, title_of
from knightstour.core.model.errors import BoardError, InvalidTour
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.grid_board import GridBoard, is_rectangle
from knightstour.core.model.pieces import PIECES, Piece

# The most squares of a small board, on which lists do as well as arrays.
_MAX_SMALL = 128
# Products of the row and column steps of a knight's move: only 1 and 2 have the product 2.
_PRODUCTS = frozenset({2, -2})
# Squares processed together: the data fits the cache, and Ctrl-C is handled in between.
_AT_ONCE = 1 << 15


def kept_type(board: Board) -> type[np.signedinteger]:
    """The type that a Tour keeps square numbers in: int32 below 2**31 squares, else int64."""
    return np.int32 if board.rows * board.cols < 1 << 31 else np.int64


def checked_order(board: Board, order: np.ndarray) -> np.ndarray:
    """Return the square numbers (n,) of a tour, any integers, in the type that a Tour stores; raise InvalidTour if
    invalid.

    An array of this type is returned unchanged.
    """
    _refuse_giants(board, len(order))
    size, kept = board.rows * board.cols, kept_type(board)
    if is_rectangle(board) and len(order) == size and kept is np.int32:
        narrow = order
        if order.dtype != kept:
            narrow = order.astype(kept) if int(order.min()) >= 0 and int(order.max()) < size else order[:0]
        if is_tour(narrow, board.rows, board.cols):
            return narrow
    check(board, np.stack(np.divmod(order.astype(np.int64), board.cols), axis=1))
    return order.astype(kept, copy=False)


def checked_squares(board: Board, squares: list[object] | np.ndarray) -> np.ndarray:
    """The square numbers of a tour given as pairs (n, 2) or a list of squares or names; as `checked_order`."""
    _refuse_giants(board, len(squares))
    pairs = _as_squares(board, squares)
    rows, cols = pairs[:, 0], pairs[:, 1]
    is_inside = rows.min() >= 0 and rows.max() < board.rows and cols.min() >= 0 and cols.max() < board.cols
    if not is_inside or len(pairs) != square_count(board):
        check(board, pairs)
    kept = kept_type(board)
    return checked_order(board, rows.astype(kept) * kept(board.cols) + cols.astype(kept))


# ---------------------------------------------------------------- yes or no


def is_tour(order: np.ndarray, rows: int, cols: int) -> bool:
    """Whether square numbers, int32, are an open or closed knight's tour of a flat board of fewer than 2**31 squares.

    >>> is_tour(np.array([0], dtype=np.int32), 1, 1), is_tour(np.array([0, 1], dtype=np.int32), 1, 2)
    (True, False)
    """
    if len(order) != rows * cols:
        return False
    if len(order) <= _MAX_SMALL:
        return _is_small_tour(order, rows, cols)
    return _is_large_tour(order, rows, cols)


def _is_small_tour(order: np.ndarray, rows: int, cols: int) -> bool:
    """Use lists and sets, which are faster than NumPy for small tours."""
    size = rows * cols
    squares = order.tolist()
    if len(set(squares)) != size or min(squares) < 0 or max(squares) >= size:
        return False
    row = order // cols
    col = order - row * cols
    return _PRODUCTS.issuperset(((row[1:] - row[:-1]) * (col[1:] - col[:-1])).tolist())


def _is_large_tour(order: np.ndarray, rows: int, cols: int) -> bool:
    size = rows * cols
    if int(order.min()) < 0 or int(order.max()) >= size:
        return False
    seen = np.zeros(size, dtype=np.bool_)
    for first in range(0, size, _AT_ONCE):
        part = order[first : first + _AT_ONCE + 1]
        seen[part] = True
        row = part // cols
        col = part - row * cols
        # Smaller than the board, so within int32.
        product = np.abs((row[1:] - row[:-1]) * (col[1:] - col[:-1]))
        if not (product == 2).all():
            return False
    # As many steps as there are squares came to all of them, so to each once.
    return bool(seen.all())


# ---------------------------------------------------------------- other ways to write it


def numbers_of(order: np.ndarray, size: int) -> np.ndarray:
    """The number of each of `size` squares, from 1, 0 where the order has none: flat, of the type of the order."""
    numbers = np.zeros(size, dtype=order.dtype)
    for first in range(0, len(order), _AT_ONCE):
        part = order[first : first + _AT_ONCE]
        numbers[part] = np.arange(first + 1, first + 1 + len(part), dtype=order.dtype)
    return numbers


def squares_of(order: np.ndarray, board: Board) -> np.ndarray:
    """The squares (n, 2): int32, or int64 on boards with 2**31 or more rows or columns."""
    squares = np.empty((len(order), 2), dtype=np.int32 if max(board.rows, board.cols) < 1 << 31 else np.int64)
    for first in range(0, len(order), _AT_ONCE):
        part = order[first : first + _AT_ONCE]
        row = part // order.dtype.type(board.cols)
        squares[first : first + len(part), 0] = row
        squares[first : first + len(part), 1] = part - row * order.dtype.type(board.cols)
    return squares


# ---------------------------------------------------------------- description of errors


def _refuse_giants(board: Board, count: int) -> None:
    """Raise InvalidTour for too few squares on giant boards."""
    if count < square_count(board) and board.rows * board.cols > MAX_LISTED_SQUARES:
        raise InvalidTour(f"only {count:,} of {square_count(board):,} squares are visited", step=count)


def _as_squares(board: Board, squares: list[object] | np.ndarray) -> np.ndarray:
    """Return unchecked squares, int (n, 2)."""
    array: np.ndarray | None = None
    if isinstance(squares, np.ndarray) and squares.dtype.kind in "iu":
        array = squares
    else:
        if isinstance(board, GridBoard) and all(isinstance(x, tuple | list) and len(x) == 2 for x in squares):
            with contextlib.suppress(ValueError):  # lists within the pairs
                array = np.array(squares)
        if array is None or array.dtype.kind not in "iu":
            array = _named_squares(board, list(squares))
    if len(array) == 0:
        raise InvalidTour(f"no square is visited; the board has {square_count(board):,}", step=0)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InvalidTour(
            f"a tour is a list of (row, col) pairs, not an array of shape {array.shape}",
            help="for square numbers row * cols + col, or a diagram, use Tour.from_array",
        )
    return array


def _named_squares(board: Board, items: list[object]) -> np.ndarray:
    named: list[Square] = []
    for step, item in enumerate(items):
        try:
            named.append(board.square(item))
        except (BoardError, TypeError) as error:
            # An earlier step may be invalid.
            fault = _first_fault(board, np.array(named, dtype=np.int64).reshape(-1, 2))
            raise fault or _fault(step, str(error), help=getattr(error, "help", "")) from None
    return np.array(named, dtype=np.int64)


def check(board: Board, squares: np.ndarray) -> None:
    """Raise InvalidTour at the first step that is off the board, on a hole, a repeat or no move, or if squares miss."""
    count = square_count(board)
    fault = _first_fault(board, squares)
    if fault:
        if not fault.help and len(squares) == count and squares.min() > 0 and _first_fault(board, squares - 1) is None:
            fault.help = "counted from 0 these squares are a tour: take 1 from each row and column"
        raise _of_another_piece(board, squares, fault)
    if len(squares) < count:
        is_missing = np.ones(board.rows * board.cols, dtype=bool)
        is_missing[squares[:, 0].astype(np.int64) * board.cols + squares[:, 1]] = False
        for r, c in board.holes:
            is_missing[r * board.cols + c] = False
        row, col = divmod(int(np.argmax(is_missing)), board.cols)
        raise InvalidTour(
            f"only {len(squares):,} of {count:,} squares are visited; {board.square_name((row, col))} is not",
            step=len(squares),
        )


def _of_another_piece(board: Board, squares: np.ndarray, fault: InvalidTour) -> InvalidTour:
    """Return the fault, with the piece if all steps are moves of one piece."""
    if (
        len(squares) != square_count(board)
        or not is_flat(board)
        or not isinstance(board, GridBoard)
        or len(squares) < 3
    ):
        return fault
    steps = np.sort(np.abs(np.diff(squares.astype(np.int64), axis=0)), axis=1)
    leaps = {(int(a), int(b)) for a, b in np.unique(steps, axis=0)}
    named = [Piece.of(row.leaps) for row in PIECES.values() if leaps == set(row.leaps) or row.name == "king"]
    pieces = [Piece.of([leap]) for leap in leaps if len(leaps) == 1 and any(leap)]
    piece = next((piece for piece in (*pieces, *named) if leaps <= set(piece.leaps)), None)
    if (
        piece is None
        or _first_fault(Board(board.rows, board.cols, holes=board.holes, moves=piece), squares) is not None
    ):
        return fault
    size, _, holes = str(Board(board.rows, board.cols, holes=board.holes)).partition(":")
    word = f"{size}:{piece.name}" + (f":{holes}" if holes else "")
    of_board = f"use the board {word}; at the command line FILE {word}" if len(word) <= _MAX_WORD else ""
    return InvalidTour(f"{fault}; it is a tour of the {piece.name}", step=fault.step, help=of_board)


# The longest word of a board that a help gives.
_MAX_WORD = 60


def _fault(step: int, text: str, help: str = "") -> InvalidTour:
    return InvalidTour(f"step {step} (number {step + 1}): {text}", step=step, help=help)


def _first_fault(board: Board, squares: np.ndarray) -> InvalidTour | None:
    """Return the fault of the first invalid step, or None."""
    rows, cols = squares[:, 0].astype(np.int64), squares[:, 1].astype(np.int64)
    off = np.flatnonzero((rows < 0) | (rows >= board.rows) | (cols < 0) | (cols >= board.cols))
    checked = int(off[0]) if len(off) else len(squares)
    order = rows[:checked] * board.cols + cols[:checked]

    def name(step: int) -> str:
        return board.square_name((int(rows[step]), int(cols[step])))

    # (step, rank, text): if a step has several faults, the fault with the lowest rank is reported.
    faults: list[tuple[int, int, str]] = []
    if len(off):
        faults.append((checked, 0, f"square ({rows[checked]}, {cols[checked]}) is not on the {title_of(board)}"))
    if board.holes:
        holes = np.array([r * board.cols + c for r, c in board.holes])
        on_hole = np.flatnonzero(np.isin(order, holes))
        if len(on_hole):
            step = int(on_hole[0])
            faults.append((step, 1, f"square {name(step)} is a hole of the board"))
    times_seen = np.zeros(board.rows * board.cols, dtype=bool)
    times_seen[order] = True
    if np.count_nonzero(times_seen) != checked:
        by_square = np.argsort(order, kind="stable")
        again = np.flatnonzero(order[by_square][1:] == order[by_square][:-1]) + 1
        step = int(by_square[again].min())
        before = int(np.flatnonzero(order[:step] == order[step])[0])
        faults.append((step, 2, f"square {name(step)} was visited before, at step {before} (number {before + 1})"))
    wrong = np.flatnonzero(~are_moves(board, order[:-1], order[1:]))
    if len(wrong):
        step = int(wrong[0]) + 1
        move = move_name(board)
        faults.append((step, 3, f"{name(step - 1)} to {name(step)} is not {move}"))
    if not faults:
        return None
    step, _, text = min(faults)
    return _fault(step, text)
