"""A question: which tour is asked for, of which board."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TypeAlias, TypedDict

from knightstour.model.board import Board, BoardLike, Square
from knightstour.model.errors import ProblemError
from knightstour.model.validation import flag, shown


class Conditions(TypedDict):
    """What a Problem asks of a tour besides its board."""

    closed: bool
    start: Square | None
    end: Square | None


@dataclass(frozen=True, slots=True)
class Problem:
    """A question: a tour of `board`, closed or open, with its start and end where given. Make it with `Problem.of`.

    >>> Problem.of((8, 8), start="a1", end="h7")
    Problem(board=Board(8, 8), closed=False, start=(7, 0), end=(1, 7))
    """

    board: Board
    closed: bool = False
    start: Square | None = None
    end: Square | None = None

    @classmethod
    def of(
        cls,
        board: Question,
        *,
        closed: bool = False,
        start: Square | str | None = None,
        end: Square | str | None = None,
    ) -> Problem:
        """The question in checked form; a BoardError or ProblemError where it makes no sense.

        board: a Board, a pair (rows, cols) or a text like "8x8"; or a Problem, which is the whole question already and
            comes back as it is.
        """
        if isinstance(board, Problem):
            if closed or start is not None or end is not None:
                help = "give a board in its place, or leave out closed, start and end"
                raise ProblemError("a Problem says itself what is asked of the tour", help=help)
            return board._checked()
        board = Board.of(board)
        closed = flag(closed, "closed")
        if closed and end is not None:
            raise ProblemError(
                "a closed tour has no end of its own",
                help="leave out the end, or ask for an open tour",
            )
        first = None if start is None else board.square(start)
        last = None if end is None else board.square(end)
        if first is not None and first == last and board.square_count > 1:
            raise ProblemError(f"start and end are the same square, {board.name(first)}", help="give two squares")
        return cls(board, closed, first, last)

    def _checked(self) -> Problem:
        """The problem itself if `of` could have made it. Squares are not looked up again: a pair may name a node."""
        board = self.board
        is_plain = isinstance(board, Board) and isinstance(self.closed, bool)
        for square in (self.start, self.end):
            is_plain = is_plain and (square is None or (isinstance(square, tuple) and _is_on(board, square)))
        if not is_plain or (self.closed and self.end is not None):
            raise ProblemError(f"this Problem makes no sense: {shown(self)}", help="make it with Problem.of")
        return self

    @property
    def conditions(self) -> Conditions:
        """What is asked of the tour, as solve() and others take it beside the board.

        >>> Problem.of((8, 8), closed=True).conditions
        {'closed': True, 'start': None, 'end': None}
        """
        return {"closed": self.closed, "start": self.start, "end": self.end}

    def to_dict(self) -> dict[str, str | int | bool | None]:
        """The question for JSON: the board in words, rows, cols, closed, and the names of the start and the end.

        >>> Problem.of((8, 8), start="a1").to_dict()
        {'board': '8x8 board', 'rows': 8, 'cols': 8, 'closed': False, 'start': 'a1', 'end': None}
        """
        board = self.board
        ends = {"start": self.start, "end": self.end}
        named = {key: None if square is None else board.name(square) for key, square in ends.items()}
        return {"board": str(board), "rows": board.rows, "cols": board.cols, "closed": self.closed, **named}

    @property
    def start_index(self) -> int | None:
        """Square number of the start, or None."""
        return None if self.start is None else self.start[0] * self.board.cols + self.start[1]

    @property
    def end_index(self) -> int | None:
        """Square number of the end, or None."""
        return None if self.end is None else self.end[0] * self.board.cols + self.end[1]

    @property
    def is_too_small(self) -> bool:
        """Whether it asks for a closed tour of a board of one or two squares; a closed tour has at least three."""
        return self.closed and self.board.square_count < 3

    @property
    def is_backwards(self) -> bool:
        """Whether a search goes from the end to the start, since only the end is given."""
        return self.start is None and self.end is not None

    @property
    def search_ends(self) -> tuple[int | None, int | None]:
        """Square numbers from which and to which a search goes: (start, end), or (end, None) if it is backwards."""
        return (self.end_index, None) if self.is_backwards else (self.start_index, self.end_index)

    @property
    def has_given_end(self) -> bool:
        """Whether it asks for open tours with a given start or end: such a tour and its reverse are two."""
        return not self.closed and (self.start is not None or self.end is not None)

    @property
    def plural(self) -> str:
        """All such tours, as a sentence would say it.

        >>> Problem.of((8, 8), start="a1").plural
        'open tours of the 8x8 board from a1'
        """
        return str(self).removeprefix("an ").removeprefix("a ").replace(" tour of ", " tours of ", 1)

    def __str__(self) -> str:
        """As a sentence would say it.

        >>> str(Problem.of((8, 8), start="a1"))
        'an open tour of the 8x8 board from a1'
        """
        words = ["a closed tour of the" if self.closed else "an open tour of the", str(self.board)]
        if self.start is not None:
            words.append(f"from {self.board.name(self.start)}")
        if self.end is not None:
            words.append(f"to {self.board.name(self.end)}")
        return " ".join(words)


# What public functions take as their first argument: a board, to which the conditions are added, or a whole question.
Question: TypeAlias = "BoardLike | Problem"


def _is_on(board: Board, square: Square) -> bool:
    rows, cols = (operator.index(x) for x in square)
    return 0 <= rows < board.rows and 0 <= cols < board.cols and square not in board.holes
