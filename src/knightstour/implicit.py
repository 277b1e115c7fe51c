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

import numpy as np

from knightstour.blocks import comb, ring
from knightstour.board import Board, BoardLike, Square
from knightstour.endpoints import tour_between
from knightstour.errors import LimitReached, MethodError, NoTour
from knightstour.existence import rectangle_proof
from knightstour.frontier import exact
from knightstour.pieces import Path, Piece, Placed, Reversed, Shifted
from knightstour.result import Budget, Limits, Outcome, Problem, Result, Status, impossible
from knightstour.windows import MOST_SQUARES, window_path


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
        if not 0 <= step < self.length:
            raise IndexError(f"step {step} is not one of the {self.length} steps of this tour, 0 to {self.length - 1}")
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

    def order(self) -> np.ndarray:
        """All square numbers `row * cols + col` in order: int64 (length,). Needs 24 bytes a square while it works."""
        return self._piece.order(self.board.cols, 1)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[Square]:
        for step in range(self.length):
            yield self.square_at(step)

    def __repr__(self) -> str:
        kind = "closed" if self.is_closed else "open"
        return f"<{kind} ImplicitTour of {self.board}, {self.square_at(0)} to {self.square_at(self.length - 1)}>"


def implicit_tour(
    board: BoardLike,
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
    if not problem.board.is_rectangle:
        raise MethodError(
            f"implicit tours are for plain knight's rectangles; this is a {problem.board}", help="use find_tour(board)"
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
    piece = _construction(problem)
    if piece is not None:
        return ImplicitTour(board, piece, _is_closing(piece))
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


def _construction(problem: Problem) -> Piece | None:
    """The piece that is the tour; None where a search has to decide."""
    rows, cols = problem.board.rows, problem.board.cols
    start, end = problem.start, problem.end
    if end is not None and start is None:
        backwards = _construction(Problem(problem.board, False, end, None))
        return None if backwards is None else Reversed(backwards)
    short, long = sorted((rows, cols))
    if end is None and short >= 5 and (start is None or rows * cols % 2 == 0):
        return _begun_at(comb(rows, cols), start)
    if end is None and short == 3 and long >= 10 and long % 2 == 0:
        return _begun_at(ring(long) if rows == 3 else Placed(ring(long), (0, 0), (0, 1), (1, 0)), start)
    if _is_irregular(rows, cols):
        return _quick_window(problem)
    if start is not None and end is not None:
        return tour_between(rows, cols, start, end)
    return _to_any_end(problem)


def _begun_at(piece: Piece, start: Square | None) -> Piece:
    """A closed piece begun at a square, or as it is."""
    return piece if start is None else Shifted(piece, piece.rank(start) or 0)


def _quick_window(problem: Problem) -> Piece | None:
    board = problem.board
    squares = window_path(board.rows, board.cols, problem.start, problem.end, problem.closed, patience=40)
    return None if squares is None else Path(squares)


def _to_any_end(problem: Problem) -> Piece | None:
    """A tour from the given start, or from a corner, to whichever end near by can be reached."""
    board = problem.board
    start = problem.start or (0, 0)
    if board.square_count <= MOST_SQUARES and min(board.rows, board.cols) >= 5:
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
