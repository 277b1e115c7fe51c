"""Tours of any rectangle, of any size, without a search over the board and without an array.

`implicit_tour` sets up a tour in constant time; which square comes at a step, and at which step a square is visited, is
then answered in microseconds, exactly, on 8x8 as on 10**100 x 10**100. Which construction serves:

- sides of 5 or more, no end given: the comb of blocks.py, shifted to the start if that is given and the area even;
- 3 rows, an even number of columns from 10: the ring of blocks.py, likewise;
- everything else: endpoints.py, with an end chosen near the start where none is given;
- a few small boards follow no rule: these are searched, completely.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.constructions import filling
from knightstour.core.constructions.blocks import comb, ring
from knightstour.core.constructions.pieces import MAX_STEPS, Path, Piece, Placed, Reversed, Shifted
from knightstour.core.machine import memory
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board, Square
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import BoardError, LimitReached, MethodError, NoSuchPlace, NoTour
from knightstour.core.model.exports import page_of
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.result import Outcome, Result, Status, impossible
from knightstour.core.model.validation import amount, an, quoted, whole_number
from knightstour.core.model.wording import LONGEST_REPR, cut_short
from knightstour.core.proofs.theorems import rectangle_proof

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


class ImplicitTour:
    """A tour of a rectangle that is worked out square by square when asked. Made by `implicit_tour`.

    >>> tour = implicit_tour((10**9, 10**9), closed=True)
    >>> square = tour.square_at(10**17)
    >>> tour.index_of(square) == 10**17
    True
    """

    __slots__ = ("_piece", "board", "is_closed", "length")

    def __init__(self, board: Board, piece: Piece, is_closed: bool) -> None:
        self.board, self.is_closed, self.length, self._piece = board, is_closed, piece.length, piece

    def square_at(self, step: int) -> Square:
        """The (row, col) visited at a step, 0 <= step < length; an IndexError beyond."""
        step = whole_number(step, "a step", error=BoardError)
        if not 0 <= step < self.length:
            raise NoSuchPlace(f"step {step} is not one of the {self.length} steps of this tour, 0 to {self.length - 1}")
        return self._piece.at(step)

    def index_of(self, square: Square | str) -> int:
        """The step at which a square is visited; a BoardError for a square that is not on the board."""
        step = self._piece.rank(self.board.square(square))
        assert step is not None, "every square of the board is in the tour"
        return step

    def successor(self, square: Square | str) -> Square | None:
        """The next square; after the last one the first of a closed tour, None of an open one."""
        step = self.index_of(square) + 1
        if step == self.length:
            return self.square_at(0) if self.is_closed else None
        return self.square_at(step)

    def predecessor(self, square: Square | str) -> Square | None:
        """The square before; before the first one the last of a closed tour, None of an open one."""
        step = self.index_of(square) - 1
        if step < 0:
            return self.square_at(self.length - 1) if self.is_closed else None
        return self.square_at(step)

    # ------------------------------------------------------------ many at once

    def squares_at(self, steps: ArrayLike) -> np.ndarray:
        """The squares at an array of steps (k,): (k, 2) of row and column, int64, or Python integers beyond.

        Raises BoardError for what is no list of whole numbers, IndexError for steps that the tour does not have.

        >>> implicit_tour((10**9, 10**9)).squares_at([0, 10**18 - 1])
        array([[1, 1],
               [3, 0]])
        """
        steps = _whole_numbers(steps, "steps")
        if steps.ndim != 1:
            raise BoardError(f"steps must be a list of numbers, not an array of shape {steps.shape}")
        if len(steps) and not (steps.min() >= 0 and steps.max() < self.length):
            raise NoSuchPlace(f"steps must be from 0 to {self.length - 1}; these go {steps.min()} to {steps.max()}")
        if not self._fits_int64:
            out = np.empty((len(steps), 2), dtype=object)
            for k, step in enumerate(steps):
                out[k] = self._piece.at(int(step))
            return out
        steps = steps.astype(np.int64, copy=False)
        out = np.empty((len(steps), 2), dtype=np.int64)
        for begin in range(0, len(steps), _QUERIES_AT_ONCE):
            chunk = slice(begin, begin + _QUERIES_AT_ONCE)
            out[chunk, 0], out[chunk, 1] = self._piece.at_many(steps[chunk])
        return out

    def indices_of(self, squares: ArrayLike) -> np.ndarray:
        """The steps at which squares, (k, 2) of row and column, are visited: (k,), int64, or Python integers beyond.

        Raises BoardError for what is no list of squares of the board.

        >>> implicit_tour((10**9, 10**9)).indices_of([(1, 1), (3, 0)]).tolist() == [0, 10**18 - 1]
        True
        """
        squares = _whole_numbers(squares, "squares")
        if squares.size == 0:
            squares = squares.reshape(-1, 2)
        if squares.ndim != 2 or squares.shape[1] != 2:
            raise BoardError(f"squares must be a list of (row, col), not an array of shape {squares.shape}")
        for x, size, word in ((squares[:, 0], self.board.rows, "rows"), (squares[:, 1], self.board.cols, "columns")):
            if len(x) and not (x.min() >= 0 and x.max() < size):
                raise BoardError(f"{word} must be from 0 to {size - 1}; these go {x.min()} to {x.max()}")
        if not self._fits_int64:
            out = np.empty(len(squares), dtype=object)
            for k, (row, col) in enumerate(squares):
                out[k] = self._piece.rank((int(row), int(col)))
            return out
        squares = squares.astype(np.int64, copy=False)
        out = np.empty(len(squares), dtype=np.int64)
        for begin in range(0, len(squares), _QUERIES_AT_ONCE):
            chunk = slice(begin, begin + _QUERIES_AT_ONCE)
            rows, cols = np.ascontiguousarray(squares[chunk].T)
            out[chunk] = self._piece.rank_many(rows, cols)
        return out

    @property
    def _fits_int64(self) -> bool:
        return self.length < MAX_STEPS

    # ------------------------------------------------------------ arrays

    def window(self, first: int, stop: int, *, out: np.ndarray | None = None, threads: int | None = None) -> np.ndarray:
        """The squares of steps first..stop - 1: (stop - first, 2) of row and column, int64, or Python integers beyond.

        out: an int64 array of that shape to write into, which saves the time to get new memory. Raises IndexError for
        steps that the tour does not have, BoardError where memory does not do.

        >>> implicit_tour((10**9, 10**9)).window(10**17, 10**17 + 3).shape
        (3, 2)
        """
        first, stop = (whole_number(step, "a step", error=BoardError) for step in (first, stop))
        if not 0 <= first <= stop <= self.length:
            raise NoSuchPlace(f"steps {first} to {stop} are no window of 0 to {self.length}")
        dtype = np.int64 if max(self.board.rows, self.board.cols) < MAX_STEPS else object
        out = _array_for((stop - first, 2), dtype, out, "a window")
        if stop > first:
            pattern = filling.squares_pattern(self._piece.part(first, stop).runs(), dtype)
            filling.fill(pattern, out.reshape(-1), amount(threads, "threads"))
        return out

    def windows(self, chunk: int = 1 << 16) -> Iterator[np.ndarray]:
        """The whole tour in windows of `chunk` squares, the last one perhaps shorter."""
        chunk = whole_number(chunk, "the squares of a window", least=1)
        first = 0
        while first < self.length:
            stop = min(first + chunk, self.length)
            yield self.window(first, stop)
            first = stop

    def order(
        self, dtype: DTypeLike | None = None, *, out: np.ndarray | None = None, threads: int | None = None
    ) -> np.ndarray:
        """All square numbers `row * cols + col` in order: (length,), int32 below 2**31 squares, else int64.

        dtype: int32 or int64 instead. out: an array to write into, flat and of the right size; its type counts then.
        threads: the most to use; None for as many as help. The answer is the same. Takes the memory of the array and
        no more. Raises BoardError, with the bytes needed, where there is not so much memory.

        >>> implicit_tour((5, 6), closed=True).order()[:4].dtype
        dtype('int32')
        """
        out = _array_for(
            (self.length,), self._dtype(dtype, self.length), out, f"the order of all {self.length} squares"
        )
        filling.fill(filling.order_pattern(self._piece.runs(), self.board.cols, 1), out, amount(threads, "threads"))
        return out

    def numbers(
        self,
        rows: slice | None = None,
        cols: slice | None = None,
        *,
        dtype: DTypeLike | None = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
    ) -> np.ndarray:
        """The numbers, from 1, of any rectangle of the diagram: (rows, columns), int32 below 2**31 squares, else int64.

        rows, cols: slices without a step; None for all. dtype, out, threads and errors: as for `order`. Boards of
        2**62 squares and more have Python integers.

        >>> implicit_tour((10**9, 10**9)).numbers(slice(0, 4), slice(0, 2))[1, 1]
        np.int64(1)
        """
        top, bottom = _span(rows, self.board.rows)
        left, right = _span(cols, self.board.cols)
        shape = (bottom - top, right - left)
        number_type = np.int64 if self._fits_int64 else object
        wanted = self._dtype(dtype, self.length + 1) if self._fits_int64 else object
        out = _array_for(shape, wanted, out, f"a diagram of {shape[0]} x {shape[1]} numbers")
        if out.size:
            pattern = filling.numbers_pattern(self._piece.runs(), top, bottom, left, right, number_type)
            filling.fill(pattern, out.reshape(-1), amount(threads, "threads"))
        return out

    def _dtype(self, dtype: DTypeLike | None, beyond: int) -> DTypeLike:
        """The type asked for, or the smallest that holds all numbers below `beyond`."""
        if dtype is None:
            return np.int32 if beyond <= 1 << 31 else np.int64
        wanted = np.dtype(dtype)
        if wanted not in (np.int32, np.int64) or (wanted == np.int32 and beyond > 1 << 31):
            raise BoardError(f"{wanted} cannot hold the numbers of this tour", help="int32 (below 2**31) or int64")
        return wanted

    def __len__(self) -> int:
        """`length`, if Python allows: len() ends at 2**63 - 1."""
        return self.length

    def __bool__(self) -> bool:
        # Without this a giant tour would be asked for its len().
        return True

    def __iter__(self) -> Iterator[Square]:
        """All squares in order, a tenth of a microsecond each."""
        start, size = 0, 256
        while start < self.length:
            stop = min(start + size, self.length)
            rows, cols = self.window(start, stop).T.tolist()
            yield from zip(rows, cols, strict=True)
            start, size = stop, min(2 * size, 1 << 16)

    def _repr_html_(self) -> str:
        """What notebooks show: the ends, and the tour or a corner of it."""
        return page_of(repr(self), [self])

    def __repr__(self) -> str:
        kind = "closed" if self.is_closed else "open"
        text = f"{kind} ImplicitTour of {self.board.title}, {self.square_at(0)} to {self.square_at(self.length - 1)}"
        return f"<{cut_short(text, LONGEST_REPR - 2)}>"


# Bulk questions answered at a time: the arrays in between stay in the cache.
_QUERIES_AT_ONCE = 1 << 14


def _whole_numbers(values: ArrayLike, what: str) -> np.ndarray:
    try:
        array = np.asarray(values)
    except ValueError:  # lists of different lengths
        array = np.empty(1)
    if array.size == 0:
        return array.astype(np.int64)
    is_whole = array.dtype.kind in "iu" or (
        array.dtype.kind == "O" and all(isinstance(x, int) and not isinstance(x, bool) for x in array.reshape(-1))
    )
    if not is_whole:
        raise BoardError(f"{what} must be whole numbers, not {quoted(values)}")
    return array


def _span(part: slice | None, size: int) -> tuple[int, int]:
    if part is None:
        return 0, size
    if not isinstance(part, slice):
        raise BoardError(f"a part of the diagram must be a slice, not {quoted(part)}")
    begin, end, step = part.indices(size)
    if step != 1:
        raise BoardError(f"a slice of the diagram has no step: {part}")
    return begin, max(begin, end)


def _array_for(shape: tuple[int, ...], dtype: DTypeLike, out: np.ndarray | None, what: str) -> np.ndarray:
    """`out` if it is fit for it, or a new array if there is memory for it."""
    if out is not None:
        if not isinstance(out, np.ndarray):
            raise BoardError(f"out must be an array, not {quoted(out)}")
        if out.shape != shape or not out.flags.c_contiguous or (out.dtype.kind == "O") != (dtype is object):
            raise BoardError(f"out must be a contiguous array of shape {shape}, not {out.shape}")
        if dtype is not object and (out.dtype.kind != "i" or out.dtype.itemsize < np.dtype(dtype).itemsize):
            raise BoardError(f"{out.dtype} cannot hold the numbers of this tour", help=f"{np.dtype(dtype)} can")
        return out
    size = 1
    for side in shape:
        size *= side
    memory.need(
        size * (40 if dtype is object else np.dtype(dtype).itemsize),
        what,
        "ask for a window(start, stop) or a rectangle, numbers(rows, cols), of it",
    )
    return np.empty(shape, dtype=dtype)


@explains_arguments
def implicit_tour(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
) -> ImplicitTour:
    """A tour of a plain knight's rectangle of any size, set up in constant time.

    Raises NoTour where it is proved that there is none, MethodError for other boards (holes, wraps, leapers, graphs).

    >>> tour = implicit_tour((3, 10**12), start=(0, 0), end=(0, 10**12 - 1))
    >>> tour.square_at(0), tour.square_at(3 * 10**12 - 1)
    ((0, 0), (0, 999999999999))
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    problem.check_takes("implicit_tour")
    if not problem.board.is_rectangle:
        raise MethodError(
            f"implicit tours are for plain knight's rectangles; this is {an(problem.board.title)}",
            help="use find_tour(board)",
        )
    budget = Budget(Limits())
    made = rectangle_tour(problem, budget)
    if isinstance(made, ImplicitTour):
        return made
    result = Result(made.status, problem, (), made.reason, made.source, "explicit", 0, budget.nodes, budget.seconds)
    raise NoTour(result) if made.status is Status.IMPOSSIBLE else LimitReached(result)


def rectangle_tour(problem: Problem, budget: Budget) -> ImplicitTour | Outcome:
    """The tour of a plain rectangle, or the Outcome that says why there is none."""
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
    """Boards so small that which pairs are possible follows no rule; a complete search takes milliseconds."""
    short, long = sorted((rows, cols))
    return (short <= 3 and long <= 13) or (short <= 4 and long <= 6) or (short == 5 and long <= 6)


def construction(problem: Problem) -> Piece | None:
    """The piece that is the tour; None where a search has to decide."""
    rows, cols = problem.board.rows, problem.board.cols
    start, end = problem.start, problem.end
    if end is not None and start is None:
        backwards = construction(Problem(problem.board, False, end, None))
        return None if backwards is None else Reversed(backwards)
    short, long = sorted((rows, cols))
    if end is None and short >= 5 and (start is None or rows * cols % 2 == 0):
        return _begun_at(comb(rows, cols), start)
    if end is None and short == 3 and long >= 10 and long % 2 == 0:
        return _begun_at(ring(long) if rows == 3 else Placed(ring(long), (0, 0), (0, 1), (1, 0)), start)
    if _is_irregular(rows, cols):
        return _quick_window(problem)
    if start is not None and end is not None:
        from knightstour.core.constructions.endpoints import tour_between

        return tour_between(rows, cols, start, end)
    return _to_any_end(problem)


def _begun_at(piece: Piece, start: Square | None) -> Piece:
    """A closed piece that starts at a square, or as it is."""
    if start is None:
        return piece
    step = piece.rank(start)
    assert step is not None, "every square of the board is in the tour"
    return Shifted(piece, step)


def _quick_window(problem: Problem) -> Piece | None:
    from knightstour.core.constructions.windows import window_path

    board = problem.board
    squares = window_path(board.rows, board.cols, problem.start, problem.end, problem.closed, patience=40)
    return None if squares is None else Path(squares)


def _to_any_end(problem: Problem) -> Piece | None:
    """A tour from the given start, or from a corner, to whichever end near by can be reached."""
    from knightstour.core.constructions.endpoints import tour_between
    from knightstour.core.constructions.windows import MAX_SQUARES, window_path

    board = problem.board
    start = problem.start or (0, 0)
    if board.square_count <= MAX_SQUARES and min(board.rows, board.cols) >= 5:
        squares = window_path(board.rows, board.cols, start, None)
        if squares is not None:
            return Path(squares)
    near = [(start[0] + dr, start[1] + dc) for dr in range(-3, 4) for dc in range(-4, 5)]
    corners = [(r, c) for r in (0, board.rows - 1) for c in (0, board.cols - 1)]
    for end in near + corners:
        if end not in board or end == start:
            continue
        if rectangle_proof(Problem(board, False, start, end)) is None:
            piece = tour_between(board.rows, board.cols, start, end)
            if piece is not None:
                return piece
    return None
