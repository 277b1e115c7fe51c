"""Proofs that no tour of all squares is uncrossed, by forced moves near the corners of a board.

A square with two moves is an end of a tour, or both moves are made. If these cross all moves of another square except
one, the other square is an end. So one of the two is an end; a closed tour has no ends, and an open tour has two.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from knightstour.core.model.board import Board, move_graph, square_count
from knightstour.core.model.crossing_moves import by_square, moves_of
from knightstour.core.model.grid_board import GridBoard, is_knights
from knightstour.core.model.problem import Problem, end_index, start_index

# Larger boards are replaced by a smaller rectangle with the same corners. Its sides, in reaches of the piece, prevent
# the corners from meeting.
_MAX_SQUARES = 1_000
_SIDE, _LEAST_SIDE = 8, 16
# The moves of the longest uncrossed tours of 1x1, 2x2, ..., by whether they are closed.
_MOVES = {False: (0, 0, 2, 5, 10, 17, 24, 35, 47), True: (0, 0, 0, 4, 8, 12, 24, 32, 42, 54)}


class _Ends(NamedTuple):
    """Squares of which at least one is an end of an uncrossed tour, and the reason as a phrase."""

    squares: tuple[int, ...]
    why: str


class _Corners:
    """The examined board, with names of the board of the problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.board = problem, problem.board
        board = problem.board
        self.may_help = True
        if square_count(board) > _MAX_SQUARES:
            self.may_help = not board.holes and not problem.forbid and isinstance(board, GridBoard)
        if square_count(board) > _MAX_SQUARES and isinstance(board, GridBoard):
            side = max(_LEAST_SIDE, _SIDE * board.piece.reach)
            self.board = board.replace(rows=min(board.rows, side), cols=min(board.cols, side), holes=())

    def _place(self, square: int) -> tuple[int, int]:
        """Return row and column on the board of the problem."""
        row, col = divmod(square, self.board.cols)
        down = self.problem.board.rows - self.board.rows if 2 * row >= self.board.rows else 0
        across = self.problem.board.cols - self.board.cols if 2 * col >= self.board.cols else 0
        return row + down, col + across

    def _name(self, square: int) -> str:
        return self.problem.board.square_name(self._place(square))

    def _is_apart(self, squares: set[int]) -> bool:
        """Whether squares may be farther apart on the board than on this part."""
        whole, here = self.problem.board, self.board
        rows = {2 * (square // here.cols) >= here.rows for square in squares}
        cols = {2 * (square % here.cols) >= here.cols for square in squares}
        return (len(rows) > 1 and whole.rows > here.rows) or (len(cols) > 1 and whole.cols > here.cols)

    def ends(self) -> list[_Ends]:
        problem = self.problem if self.board == self.problem.board else Problem(self.board, closed=self.problem.closed)
        pairs, crossing = moves_of(problem)
        near = by_square(pairs, move_graph(self.board).squares.tolist())
        found = []
        for square, mine in near.items():
            if len(mine) != 2:
                continue
            (one, k), (other, j) = mine
            crossed = {*crossing[k], *crossing[j]}
            made = f"{self._name(square)}-{self._name(one)} and {self._name(square)}-{self._name(other)}"
            if j in crossed:
                found.append(_Ends((square,), f"{made} cross each other"))
                continue
            for there in sorted({*chain.from_iterable(pairs[m] for m in crossed)} - {square}):
                left = [m for _, m in near[there] if m not in crossed]
                around = {square, one, other, there, *(s for s, _ in near[there])}
                if len(left) < 2 and not self._is_apart(around):
                    squares = (square, there) if left else (square,)
                    but = " except one" if left else ""
                    found.append(_Ends(squares, f"{made} cross all moves of {self._name(there)}{but}"))
        return sorted(found, key=lambda each: len(each.squares))

    def number(self, square: int) -> int:
        row, col = self._place(square)
        return row * self.problem.board.cols + col

    def names_of(self, ends: _Ends) -> str:
        return " or ".join(map(self._name, ends.squares))


class LongestUncrossed(NamedTuple):
    """Maximum number of squares of an uncrossed tour of a board, and the publication."""

    squares: int
    board: str
    source: str


def longest_uncrossed(board: Board, *, closed: bool) -> LongestUncrossed | None:
    """Return the most squares of an uncrossed knight's tour of the least square board around this one, if known.

    >>> longest_uncrossed(Board(8, 7), closed=False)
    LongestUncrossed(squares=36, board='8x8', source='OEIS A003192, a(8)')
    """
    side, moves = max(board.rows, board.cols), _MOVES[closed]
    if not is_knights(board) or board.wrap is not None or side > len(moves):
        return None
    source = f"OEIS {'A157416' if closed else 'A003192'}, a({side})"
    return LongestUncrossed(moves[side - 1] + (not closed), f"{side}x{side}", source)


def why_crossed(problem: Problem) -> tuple[str, str] | None:
    """Return the reason why each tour of all squares of a flat board crosses itself, with its source, or None.

    >>> why_crossed(Problem("8x8", closed=True))[0]
    'a closed tour makes both moves of a8, but a8-b6 and a8-c7 cross all moves of b8 except one'
    >>> why_crossed(Problem("4x4:king")) is None
    True
    """
    corners = _Corners(problem)
    if not corners.may_help or square_count(problem.board) < 3:
        return None
    source = "moves that cross"
    given = {s for s in (start_index(problem), end_index(problem)) if s is not None and not problem.closed}
    apart: list[_Ends] = []
    used: set[int] = set()
    for ends in corners.ends():
        squares = {corners.number(square) for square in ends.squares}
        if squares & (used | given):
            continue
        if problem.closed:
            name = corners.names_of(ends).split(" ")[0]
            return f"a closed tour makes both moves of {name}, but {ends.why}", source
        apart.append(ends)
        used |= squares
        if len(apart) + len(given) > 2:
            each = ", ".join(corners.names_of(one) for one in apart)
            count = ("two ends", "one end besides the given one", "no ends besides the given ones")[len(given)]
            others = ", and so on" if len(apart) > 1 else ""
            return f"a tour has {count}, but an uncrossed tour ends on {each}: {ends.why}{others}", source
    return None
