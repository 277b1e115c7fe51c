"""The counts of sequences on each board, as problems for the counting package.

A kind is an instance of a subclass of `Kind`. Its numbers are exact. A limit, or a board that is too large,
raises LimitReached.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board, Square, move_graph
from knightstour.core.model.budget import NO_LIMITS, as_arguments
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, replace_conditions
from knightstour.core.model.result import Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.lab.counting.by_symmetry import symmetry_table
from knightstour.lab.counting.count import count_problem
from knightstour.lab.counting.settings import CountProgress, CountSettings, count_budget
from knightstour.lab.counting.sums import Effort
from knightstour.lab.counting.symmetric import count_symmetric, moves_no_square
from knightstour.lab.counting.ways import Task, find_way


class CountConditions(NamedTuple):
    """Conditions of a count on one board, as arguments of `count`."""

    closed: bool = False
    directed: bool = False
    symmetry: str | None = None
    up_to_symmetry: bool = False


class Number(NamedTuple):
    """A counted number. way: name of the algorithm. resumed: whether the count resumed from a checkpoint."""

    value: int
    method: str
    resumed: bool = False


class Kind:
    """A kind of count on a board. closed: whether closed tours are counted."""

    closed: bool

    def count(self, board: Board, settings: CountSettings) -> Number:
        """Return the number for a board."""
        raise NotImplementedError

    def keeps_files(self, board: Board) -> bool:
        """Whether the count of a board supports a checkpoint."""
        return False

    def matches(self, requested: CountConditions) -> bool:
        """Whether this kind is the requested count; most kinds cannot be requested."""
        return False

    def of(self, boards: str) -> str:
        """Return the title of a sequence of this kind for these boards."""
        raise NotImplementedError


def _open_or_closed(closed: bool) -> str:
    return "closed" if closed else "open"


@dataclass(frozen=True)
class AllTours(Kind):
    """All tours, or tours with a symmetry, by `count`. has_corners: whether the ends are opposite corners.

    >>> AllTours(closed=True).count(Board(6, 6), CountSettings())
    Number(value=9862, method='halves', resumed=False)
    >>> AllTours(closed=False, directed=True).of("5 x n boards")
    'directed open tours of 5 x n boards'
    """

    closed: bool
    directed: bool = False
    symmetry: str | None = None
    up_to_symmetry: bool = False
    partial: bool = False
    has_corners: bool = False

    def problem(self, board: Board) -> Problem:
        """Return the problem of a board."""
        start, end = ((0, 0), (board.rows - 1, board.cols - 1)) if self.has_corners else (None, None)
        return Problem(board, closed=self.closed, partial=self.partial, start=start, end=end)

    def count(self, board: Board, settings: CountSettings) -> Number:
        return self._count_tours(board, settings)

    def _count_tours(self, board: Board, settings: CountSettings) -> Number:
        found = count_problem(
            replace_conditions(self.problem(board), symmetry=self._symmetry(board)),
            directed=self.directed,
            up_to_symmetry=self.up_to_symmetry,
            settings=settings,
        )
        return Number(found.tours, found.method + (" and quotient" if self.up_to_symmetry else ""), found.resumed)

    def _symmetry(self, board: Board) -> str | None:
        """Return None for the identity."""
        is_of_all = self.symmetry is not None and moves_no_square(board, self.symmetry)
        return None if is_of_all else self.symmetry

    def keeps_files(self, board: Board) -> bool:
        return self.symmetry is None and find_way(Task(self.problem(board))).name == "halves"

    def matches(self, requested: CountConditions) -> bool:
        """Whether this kind is the requested count; only tours of all squares can be requested."""
        is_of_all = not self.partial and not self.has_corners
        return is_of_all and requested == CountConditions(
            self.closed, self.directed, self.symmetry, self.up_to_symmetry
        )

    def of(self, boards: str) -> str:
        first = "classes of" if self.up_to_symmetry else "directed" if self.directed else "undirected"
        symmetry = "" if self.symmetry is None else f" with symmetry {self.symmetry}"
        corners = " from corner to corner" if self.has_corners else ""
        return f"{first} {_open_or_closed(self.closed)} tours{symmetry}{corners} of {self._which}{boards}"

    @property
    def _which(self) -> str:
        return "" if not self.partial else "some squares of "


@dataclass(frozen=True)
class Longest(Kind):
    """The number of moves of the longest tour that may skip squares and has value 0 of a statistic; 0 without a tour.

    in_squares: whether the value is the number of squares, which is 1 without a tour.

    >>> Longest("crossings", closed=True).count(Board(6, 6), CountSettings()).value
    12
    """

    statistic: str
    closed: bool
    partial: bool = True
    in_squares: bool = False

    def count(self, board: Board, settings: CountSettings) -> Number:
        result = solve(
            board,
            closed=self.closed,
            partial=True,
            where={self.statistic: 0},
            maximize="visits",
            optimal=True,
            **as_arguments(settings.limits or NO_LIMITS),
            on_progress=settings.on_progress,
        )
        if result.status is Status.UNDECIDED:
            raise LimitReached(result)
        moves = 0 if result.tour is None else len(result.tour) - (not self.closed)
        return Number(moves + self.in_squares, "search")

    def of(self, boards: str) -> str:
        kind = f"{_open_or_closed(self.closed)} tours without {self.statistic}"
        return f"{'squares' if self.in_squares else 'moves'} of the longest partial {kind} of {boards}"


@dataclass(frozen=True)
class HalfTurnTours(Kind):
    """Closed tours that are invariant under the half turn: positive (Eulerian), or negative (Bergholtian).

    On the boards in use such a tour has no other symmetry.

    >>> HalfTurnTours(is_positive=True).count(Board(3, 14), CountSettings()).value
    16
    """

    is_positive: bool
    closed: bool = True

    def count(self, board: Board, settings: CountSettings) -> Number:
        tours = count_symmetric(board, "180", is_shift=self.is_positive, effort=_effort(board, True, settings))
        return Number(tours, "quotient")

    def of(self, boards: str) -> str:
        return f"undirected {'Eulerian' if self.is_positive else 'Bergholtian'} tours of {boards}"


@dataclass(frozen=True)
class SymmetricClasses(Kind):
    """Classes of tours with a symmetry.

    >>> SymmetricClasses(closed=True).count(Board(6, 6), CountSettings()).value
    22
    """

    closed: bool

    def count(self, board: Board, settings: CountSettings) -> Number:
        rows = symmetry_table(
            board,
            closed=self.closed,
            **as_arguments(settings.limits),
            workers=settings.cluster if settings.threads is None else settings.threads,
            on_progress=settings.on_progress,
        )
        return Number(sum(row.classes for row in rows if row.symmetry != "none"), "quotient")

    def of(self, boards: str) -> str:
        return f"classes of symmetric {_open_or_closed(self.closed)} tours of {boards}"


# Kinds of the ends of open tours of 3 x n boards, after Knuth.
SAME_COLUMN, CORNER_COLOUR, OTHER_COLOUR = "X", "F", "B"
_ENDS = {
    SAME_COLUMN: "both ends in one column",
    CORNER_COLOUR: "ends in two columns, with the colour of the corners on their sides",
    OTHER_COLOUR: "ends in two columns, with the other colour than the corners on their sides",
}


@dataclass(frozen=True)
class ByEnds(Kind):
    """Undirected open tours by the positions of their ends: all tours, or tours with symmetry 180.

    ends: "X", both in one column; "F", in two columns, the left end with the colour of the left corners and the right
    end with the colour of the right corners; "B", both with the other colour. On boards with an odd number of rows the
    corners of a side have one colour, and every tour has one of these kinds.

    >>> [ByEnds(ends).count(Board(3, 8), CountSettings()).value for ends in "XFB"]
    [80, 224, 92]
    """

    ends: str
    is_symmetric: bool = False
    closed: bool = False

    def count(self, board: Board, settings: CountSettings) -> Number:
        if self.is_symmetric:
            return Number(self._count_symmetric(board, settings), "quotient")
        total = 0
        began = time.monotonic()
        for left, right in self._places(board):
            rest = _reduce_timeout(settings, time.monotonic() - began)
            total += count_problem(Problem(_with_ends(board, left, right), closed=True), settings=rest).tours
        return Number(total, "states of graphs with the ends joined")

    def _places(self, board: Board) -> Iterator[tuple[list[Square], list[Square] | None]]:
        """Yield the squares for the left end and the right end, by column of the left end."""
        if self.ends == SAME_COLUMN:
            yield from (([(row, col) for row in range(board.rows)], None) for col in range(board.cols))
            return
        for col in range(board.cols):
            left = [(row, col) for row in range(board.rows) if self._is_coloured(row, col, 0)]
            later = [(row, c) for c in range(col + 1, board.cols) for row in range(board.rows)]
            right = [(row, c) for row, c in later if self._is_coloured(row, c, board.cols - 1)]
            if left and right:
                yield left, right

    def _is_coloured(self, row: int, col: int, side: int) -> bool:
        """Whether a square has the colour of an end on its side."""
        return ((row + col - side) % 2 == 0) == (self.ends == CORNER_COLOUR)

    def _count_symmetric(self, board: Board, settings: CountSettings) -> int:
        if board.rows % 2 == board.cols % 2 == 0:
            return 0
        # Two opposite squares both have the colour of the corners on their sides, or both have not.
        squares = [(row, col) for row in range(board.rows) for col in range(board.cols)]
        middle = [(row, col) for row, col in squares if 2 * col == board.cols - 1]
        if self.ends == SAME_COLUMN:
            ends = middle
        else:
            ends = [(row, col) for row, col in squares if (row, col) not in middle and self._is_end(row, col, board)]
        numbers = {row * board.cols + col for row, col in ends}
        return count_symmetric(board, "180", closed=False, ends=numbers, effort=_effort(board, False, settings))

    def _is_end(self, row: int, col: int, board: Board) -> bool:
        is_left = 2 * col < board.cols - 1
        return self._is_coloured(row, col, 0 if is_left else board.cols - 1)

    def of(self, boards: str) -> str:
        symmetry = " with symmetry 180" if self.is_symmetric else ""
        return f"undirected open tours of {boards}{symmetry}, {_ENDS[self.ends]}"


def _with_ends(board: Board, left: list[Square], right: list[Square] | None) -> Board:
    """Return a graph whose closed tours are the open tours of the board with these ends.

    Additional vertices join the ends. With `right` they form a chain of three, so that one end is a left square and the
    other a right square; otherwise one vertex joins two left squares.
    """
    moves = move_graph(board)
    lists = moves.neighbour_lists()
    near: dict[object, list[object]] = {
        divmod(s, board.cols): [divmod(t, board.cols) for t in lists[s]] for s in moves.squares.tolist()
    }
    added: dict[object, list[object]] = {"left": [*left]}
    if right is not None:
        added |= {"right": [*right], "between": ["left", "right"]}
    near |= added
    for node, others in added.items():
        for other in others:
            near[other] = [*near[other], node]
    return Board.from_graph(near)


def _reduce_timeout(settings: CountSettings, seconds: float) -> CountSettings:
    """Reduce the time limit."""
    if settings.limits is None or settings.limits.seconds is None:
        return settings
    # Some time is left, so that the count starts and reports its limit.
    return settings._replace(limits=replace(settings.limits, seconds=max(1e-6, settings.limits.seconds - seconds)))


def _effort(board: Board, closed: bool, settings: CountSettings) -> Effort:
    """Return the resources of a count."""
    return Effort(CountProgress(Problem(board, closed=closed), count_budget(settings.limits, settings.on_progress)))


def divide_exactly(value: int, parts: int, noun: str) -> int:
    """Return the value divided by `parts`; raise ProblemError if there is a remainder."""
    whole, rest = divmod(value, parts)
    if rest:
        raise ProblemError(f"{noun} is {value:,}, which {parts} does not divide")
    return whole
