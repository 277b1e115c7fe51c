"""Tours of rectangles of any size, without a search over the board and without an array.

`implicit_tour` creates a tour in constant time. The square at a step, and the step of a square, are computed exactly in
microseconds, on 8x8 as on 10**100 x 10**100. The constructions are:

- sides of 5 or more, no given end: the comb of blocks.py, shifted to a given start if the area is even;
- 3 rows and an even number of at least 10 columns, no given end: the ring of blocks.py, shifted;
- others: endpoints.py, with an end near the start by default;
- a few small boards: a complete search.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.constructions import filling
from knightstour.core.constructions.blocks import comb, ring
from knightstour.core.constructions.pieces import MAX_STEPS, Path, Piece, PlacedPiece, ReversedPiece, ShiftedPiece
from knightstour.core.machine import memory
from knightstour.core.model.board import Board, Square, square_count, title_of
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.exports import page_of
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import Problem, Question, check_supported, problem_of
from knightstour.core.model.result import Outcome, Result, Status, impossible
from knightstour.core.model.result_errors import LimitReached, NoTour
from knightstour.core.model.validation import an, whole_number, wrong_type
from knightstour.core.model.wording import LONGEST_REPR, cut_short
from knightstour.core.proofs.theorems import rectangle_proof

if TYPE_CHECKING:
    from knightstour.core.drawing.figure import Region


class ImplicitTour:
    """Tour of a rectangle that is computed on demand. Created by `implicit_tour`.

    >>> tour = implicit_tour((10**9, 10**9), closed=True)
    >>> square = tour.square_at(10**17)
    >>> tour.index_of(square) == 10**17
    True
    """

    __slots__ = ("_piece", "board", "is_closed", "length")

    def __init__(self, board: Board, piece: Piece, is_closed: bool) -> None:
        self.board, self.is_closed, self.length, self._piece = board, is_closed, piece.length, piece

    def square_at(self, step: int) -> Square:
        """Return the (row, col) visited at a step, 0 <= step < length. Raises IndexError beyond."""
        step = whole_number(step, "a step", error=BoardError)
        if not 0 <= step < self.length:
            raise IndexError(f"step {step} is not between 0 and {self.length - 1}")
        return self._piece.at(step)

    def index_of(self, square: Square | str) -> int:
        """Return the step at which a square is visited. Raises BoardError for a square outside the board."""
        step = self._piece.rank(self.board.square(square))
        assert step is not None, "every square of the board is in the tour"
        return step

    def window(self, first: int, stop: int) -> np.ndarray:
        """Return the squares of steps first..stop - 1: (stop - first, 2), int64, or Python integers if too large.

        Raises:
            IndexError: If the tour does not have these steps.
            BoardError: If the memory is too small.

        >>> implicit_tour((10**9, 10**9)).window(10**17, 10**17 + 3).shape
        (3, 2)
        """
        first, stop = (whole_number(step, "a step", error=BoardError) for step in (first, stop))
        if not 0 <= first <= stop <= self.length:
            raise IndexError(f"invalid window: steps {first} to {stop} are not within 0 to {self.length}")
        dtype = np.int64 if max(self.board.rows, self.board.cols) < MAX_STEPS else object
        out = _new_array((stop - first, 2), dtype, "a window")
        if stop > first:
            filling.fill(filling.squares_pattern(self._piece.part(first, stop).runs(), dtype), out.reshape(-1))
        return out

    def region(self, top: int, left: int, height: int, width: int) -> Region:
        """Return a rectangle of the board, for `draw`: row and column of its top left square, and its size.

        >>> from knightstour.core.drawing.pictures import draw
        >>> draw(implicit_tour((10**9, 10**9)).region(10**8, 10**8, 8, 8), style="line").width
        600
        """
        from knightstour.core.drawing.figure import Region

        return Region(self, (top, left, height, width))

    def order(self) -> np.ndarray:
        """Return all square numbers `row * cols + col` in order: (length,), int32 below 2**31 squares, else int64.


        Raises:
            BoardError: If the memory is too small; the message contains the bytes needed.

        >>> implicit_tour((5, 6), closed=True).order()[:4].dtype
        dtype('int32')
        """
        dtype = np.int32 if self.length <= 1 << 31 else np.int64
        out = _new_array((self.length,), dtype, f"the order of all {self.length} squares")
        filling.fill(filling.order_pattern(self._piece.runs(), self.board.cols, 1), out)
        return out

    def numbers(
        self, rows: slice | None = None, cols: slice | None = None, *, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the numbers, from 1, of a part of the diagram: (rows, columns), int32 below 2**31 squares, else int64.

        Args:
            rows, cols: Slices without a step (default: all).
            out: Array to write into. Raises errors as `order`. Boards of 2**62 squares and more have Python integers.

        >>> implicit_tour((10**9, 10**9)).numbers(slice(0, 4), slice(0, 2))[1, 1]
        np.int64(1)
        """
        top, bottom = _span(rows, self.board.rows)
        left, right = _span(cols, self.board.cols)
        shape = (bottom - top, right - left)
        dtype: type = object if self.length >= MAX_STEPS else np.int32 if self.length < 1 << 31 else np.int64
        if out is None:
            out = _new_array(shape, dtype, f"a diagram of {shape[0]} x {shape[1]} numbers")
        elif out.shape != shape or not out.flags.c_contiguous or not np.can_cast(dtype, out.dtype):
            raise BoardError(f"out must be a contiguous array of {np.dtype(dtype)} and shape {shape}")
        if out.size:
            made = object if dtype is object else np.int64
            filling.fill(filling.numbers_pattern(self._piece.runs(), top, bottom, left, right, made), out.reshape(-1))
        return out

    def __len__(self) -> int:
        """Return `length`, if below 2**63."""
        return self.length

    def __bool__(self) -> bool:
        # Otherwise Python would call len() of a giant tour.
        return True

    def __iter__(self) -> Iterator[Square]:
        """Yield all squares in order, a tenth of a microsecond each."""
        start, size = 0, 256
        while start < self.length:
            stop = min(start + size, self.length)
            rows, cols = self.window(start, stop).T.tolist()
            yield from zip(rows, cols, strict=True)
            start, size = stop, min(2 * size, 1 << 16)

    def _repr_html_(self) -> str:
        return page_of(repr(self), [self])

    def __repr__(self) -> str:
        kind = "closed" if self.is_closed else "open"
        text = (
            f"{kind} ImplicitTour of {title_of(self.board)}, {self.square_at(0)} to {self.square_at(self.length - 1)}"
        )
        return f"<{cut_short(text, LONGEST_REPR - 2)}>"


def _span(part: slice | None, size: int) -> tuple[int, int]:
    if part is None:
        return 0, size
    if not isinstance(part, slice):
        raise wrong_type("a part of the diagram", "a slice", part)
    begin, end, step = part.indices(size)
    if step != 1:
        raise BoardError(f"a slice of the diagram has no step: {part}")
    return begin, max(begin, end)


def _new_array(shape: tuple[int, ...], dtype: type, noun: str) -> np.ndarray:
    memory.require_memory(
        math.prod(shape) * (40 if dtype is object else np.dtype(dtype).itemsize),
        noun,
        "use window(start, stop) or a rectangle, numbers(rows, cols)",
    )
    return np.empty(shape, dtype=dtype)


def implicit_tour(
    board: Question, *, closed: bool = False, start: Square | str | None = None, end: Square | str | None = None
) -> ImplicitTour:
    """Return a tour of a plain knight's rectangle of any size, in constant time.

    Raises:
        NoTour: If it is proved that none exists.
        ProblemError: If the board has holes, wraps, another piece, or is a graph.

    >>> tour = implicit_tour((3, 10**12), start=(0, 0), end=(0, 10**12 - 1))
    >>> tour.square_at(0), tour.square_at(3 * 10**12 - 1)
    ((0, 0), (0, 999999999999))
    """
    problem = problem_of(board, closed=closed, start=start, end=end)
    check_supported(problem, "implicit_tour")
    if not is_rectangle(problem.board):
        raise ProblemError(
            f"implicit tours are for plain knight's rectangles; this is {an(title_of(problem.board))}",
            help="use find_tour(board)",
        )
    budget = Budget(Limits())
    made = rectangle_tour(problem, budget)
    if isinstance(made, ImplicitTour):
        return made
    result = Result(made.status, problem, None, made.reason, made.source, "explicit", 0, budget.nodes, budget.seconds)
    raise NoTour(result) if made.status is Status.IMPOSSIBLE else LimitReached(result)


def rectangle_tour(problem: Problem, budget: Budget) -> ImplicitTour | Outcome:
    """Return the tour of a plain rectangle, or the Outcome with the proof that none exists."""
    proof = rectangle_proof(problem)
    if proof is not None:
        return impossible(*proof)
    board = problem.board
    piece = construction(problem)
    if piece is not None:
        return ImplicitTour(board, piece, _is_closing(piece))
    from knightstour.core.search.frontier.exact import exact

    outcome = exact(problem, budget, 0)
    if outcome.order is None:
        return outcome
    path = Path(divmod(int(s), board.cols) for s in outcome.order)
    return ImplicitTour(board, path, _is_closing(path))


def _is_closing(piece: Piece) -> bool:
    (r0, c0), (r1, c1) = piece.at(0), piece.at(piece.length - 1)
    return piece.length > 2 and {abs(r0 - r1), abs(c0 - c1)} == {1, 2}


def _is_irregular(rows: int, cols: int) -> bool:
    """Whether a board is so small that the possible pairs follow no rule. A complete search takes milliseconds."""
    short, long = sorted((rows, cols))
    return (short <= 3 and long <= 13) or (short <= 4 and long <= 6) or (short == 5 and long <= 6)


def construction(problem: Problem) -> Piece | None:
    """Return the piece of the whole tour; None if a search has to decide."""
    rows, cols = problem.board.rows, problem.board.cols
    start, end = problem.start, problem.end
    if end is not None and start is None:
        backwards = construction(Problem(problem.board, closed=False, start=end, end=None))
        return None if backwards is None else ReversedPiece(backwards)
    short, long = sorted((rows, cols))
    if end is None and short >= 5 and (start is None or rows * cols % 2 == 0):
        return _rotated_to(comb(rows, cols), start)
    if end is None and short == 3 and long >= 10 and long % 2 == 0:
        return _rotated_to(ring(long) if rows == 3 else PlacedPiece(ring(long), (0, 0), (0, 1), (1, 0)), start)
    if _is_irregular(rows, cols):
        return _quick_window(problem)
    if start is not None and end is not None:
        from knightstour.core.constructions.endpoints import tour_between

        return tour_between(rows, cols, start, end)
    return _to_any_end(problem)


def _rotated_to(piece: Piece, start: Square | None) -> Piece:
    if start is None:
        return piece
    step = piece.rank(start)
    assert step is not None, "every square of the board is in the tour"
    return ShiftedPiece(piece, step)


def _quick_window(problem: Problem) -> Piece | None:
    from knightstour.core.constructions.endpoints import window_path

    board = problem.board
    squares = window_path(board.rows, board.cols, problem.start, problem.end, problem.closed, patience=40)
    return None if squares is None else Path(squares)


def _to_any_end(problem: Problem) -> Piece | None:
    """Return a tour from the given start, or from a corner, to a nearby end."""
    from knightstour.core.constructions.endpoints import MAX_WINDOW_SQUARES, tour_between, window_path

    board = problem.board
    start = problem.start or (0, 0)
    if square_count(board) <= MAX_WINDOW_SQUARES and min(board.rows, board.cols) >= 5:
        squares = window_path(board.rows, board.cols, start, None)
        if squares is not None:
            return Path(squares)
    near = [(start[0] + dr, start[1] + dc) for dr in range(-3, 4) for dc in range(-4, 5)]
    corners = [(r, c) for r in (0, board.rows - 1) for c in (0, board.cols - 1)]
    for end in near + corners:
        if end not in board or end == start:
            continue
        if rectangle_proof(Problem(board, closed=False, start=start, end=end)) is None:
            piece = tour_between(board.rows, board.cols, start, end)
            if piece is not None:
                return piece
    return None
