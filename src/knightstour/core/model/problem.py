"""A question: which tour is asked for, of which board."""

from __future__ import annotations

import operator
from collections.abc import Collection
from dataclasses import dataclass
from typing import NotRequired, TypeAlias, TypedDict

from knightstour.core.model import conditions
from knightstour.core.model.board import Board, BoardLike, Square, read_as_record
from knightstour.core.model.conditions import Given, Moves, Pairs, Steps
from knightstour.core.model.errors import MethodError, ProblemError
from knightstour.core.model.validation import flag, shown


class Conditions(TypedDict):
    """What a Problem asks of a tour besides its board."""

    closed: bool
    start: Square | None
    end: Square | None
    given: NotRequired[dict[Square, tuple[int, ...]]]
    through: NotRequired[list[tuple[Square, Square]]]
    avoid: NotRequired[list[tuple[Square, Square]]]
    symmetry: NotRequired[str]


_CLOSED_HELP = (
    "give two squares; for a tour that comes back to its start ask for a closed one: closed=True, or --closed"
)
# What each condition besides the ends is called in a sentence.
_NAMES = {
    "given": "given numbers",
    "through": "required moves",
    "avoid": "forbidden moves",
    "symmetry": "a symmetry",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A question: a tour of `board`, closed or open, and what is asked of it. Make it with `Problem.of`.

    start, end: its ends, where they are given.
    given: (square number, steps from 1 that the square may have), by rising square.
    through, avoid: required and forbidden moves, as pairs of square numbers, the lower first.
    symmetry: a symmetry of the board that lays the tour on itself, or a kind of symmetric tours; None for any tour.

    >>> Problem.of((8, 8), start="a1", end="h7")
    Problem(board=Board(8, 8), start=(7, 0), end=(1, 7))
    >>> print(Problem.of((8, 8), closed=True, through=[("a1", "b3")]))
    a closed tour of the 8x8 board through a1-b3
    """

    board: Board
    closed: bool = False
    start: Square | None = None
    end: Square | None = None
    given: Steps = ()
    through: Pairs = frozenset()
    avoid: Pairs = frozenset()
    symmetry: str | None = None

    @classmethod
    def of(
        cls,
        board: Question,
        *,
        closed: bool = False,
        start: Square | str | None = None,
        end: Square | str | None = None,
        given: Given | None = None,
        through: Moves | None = None,
        avoid: Moves | None = None,
        symmetry: str | None = None,
    ) -> Problem:
        """The question in checked form; a BoardError or ProblemError where it makes no sense.

        board: a Board, a pair (rows, cols) or a text like "8x8"; or a Problem, which is the whole question already and
            comes back as it is.
        given, through, avoid, symmetry: as for solve(). In an open tour, steps that are given from the first on, or up
            to the last, without a gap become the ends and required moves where nothing else is given.
        """
        if isinstance(board, Problem):
            if closed or any(x is not None for x in (start, end, symmetry)) or given or through or avoid:
                help = "give a board in its place, or leave out what else is asked: closed, start, end and the others"
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
        steps = conditions.steps_given(board, given)
        required = conditions.pairs_of(board, through, "through")
        forbidden = conditions.pairs_of(board, avoid, "avoid")
        kind = conditions.symmetry_named(board, symmetry)
        if steps and not closed:
            first, last, steps, required = _with_runs(board, first, last, steps, required)
        return cls(board, closed, first, last, steps, required, forbidden, kind)._checked_together()

    @classmethod
    def of_steps(cls, board: Board, given_steps: Steps, *, closed: bool) -> Problem:
        """The question for given numbers alone, which are in normal form already.

        >>> Problem.of_steps(Board(8, 8), ((56, frozenset({1})),), closed=False)
        Problem(board=Board(8, 8), start=(7, 0))
        """
        if closed:
            return cls(board, closed, given=given_steps)
        return cls(board, closed, *_with_runs(board, None, None, given_steps, frozenset()))

    def _checked_together(self) -> Problem:
        """The problem itself, if its conditions do not contradict each other at sight."""
        board = self.board
        if self.start is not None and self.start == self.end and board.square_count > 1:
            raise ProblemError(f"start and end are the same square, {board.name(self.start)}", help=_CLOSED_HELP)
        both = self.through & self.avoid
        if both:
            name = conditions.name_of_move(board, min(both))
            raise ProblemError(f"the move {name} is both required and forbidden", help="leave out one of them")
        if self.symmetry is not None:
            if self.symmetry in conditions.KINDS and not self.closed:
                raise ProblemError(f"{self.symmetry} tours are closed", help="ask for a closed tour")
            if self.given:
                raise ProblemError(
                    "a symmetric tour is asked for without given numbers, but for those of its ends",
                    help="leave out given, or symmetry",
                )
        return self

    def _checked(self) -> Problem:
        """The problem itself if `of` could have made it. Squares are not looked up again: a pair may name a node."""
        board = self.board
        is_plain = isinstance(board, Board) and isinstance(self.closed, bool)
        for square in (self.start, self.end):
            is_plain = is_plain and (square is None or (isinstance(square, tuple) and _is_on(board, square)))
        is_plain = is_plain and isinstance(self.given, tuple) and isinstance(self.symmetry, str | None)
        is_plain = is_plain and all(isinstance(moves, frozenset) for moves in (self.through, self.avoid))
        if not is_plain or (self.closed and self.end is not None):
            raise ProblemError(f"this Problem makes no sense: {shown(self)}", help="make it with Problem.of")
        return self._checked_together()

    @property
    def conditions(self) -> Conditions:
        """What is asked of the tour, as solve() and others take it beside the board.

        >>> Problem.of((8, 8), closed=True, avoid=["a1-b3"]).conditions
        {'closed': True, 'start': None, 'end': None, 'avoid': [((5, 1), (7, 0))]}
        """
        cols = self.board.cols

        def pairs(moves: Pairs) -> list[tuple[Square, Square]]:
            return [(divmod(a, cols), divmod(b, cols)) for a, b in sorted(moves)]

        found: Conditions = {"closed": self.closed, "start": self.start, "end": self.end}
        if self.given:
            found["given"] = {divmod(square, cols): tuple(sorted(steps)) for square, steps in self.given}
        if self.through:
            found["through"] = pairs(self.through)
        if self.avoid:
            found["avoid"] = pairs(self.avoid)
        if self.symmetry is not None:
            found["symmetry"] = self.symmetry
        return found

    @property
    def asked(self) -> frozenset[str]:
        """Which of given, through, avoid and symmetry are asked.

        >>> Problem.of((8, 8), symmetry="180").asked
        frozenset({'symmetry'})
        """
        return frozenset(name for name in _NAMES if getattr(self, name))

    @property
    def plain(self) -> Problem:
        """The question with its ends alone: it has all tours that this has, and perhaps more.

        >>> Problem.of((8, 8), start="a1", avoid=["a1-b3"]).plain
        Problem(board=Board(8, 8), start=(7, 0))
        """
        return Problem(self.board, self.closed, self.start, self.end) if self.asked else self

    def not_taken(self, takes: Collection[str] = ()) -> str | None:
        """Why one who knows of the conditions in `takes` alone cannot answer, or None.

        >>> Problem.of((8, 8), avoid=["a1-b3"]).not_taken()
        'it knows nothing of forbidden moves'
        """
        strange = self._strange(takes)
        return f"it knows nothing of {strange}" if strange else None

    def _strange(self, known: Collection[str]) -> str | None:
        """In words, the first condition that is asked and not known."""
        return next((words for name, words in _NAMES.items() if name in self.asked and name not in known), None)

    def check_takes(self, who: str, *known: str) -> None:
        """Raise a MethodError that begins with `who` if more is asked than the conditions it knows.

        >>> try:
        ...     Problem.of((8, 8), avoid=["a1-b3"]).check_takes("an estimate", "through")
        ... except MethodError as error:
        ...     print(error)
        an estimate takes no forbidden moves
        """
        strange = self._strange(known)
        if strange is not None:
            names = ", ".join(sorted(self.asked.difference(known)))
            raise MethodError(f"{who} takes no {strange.removeprefix('a ')}", help=f"leave out {names}")

    def to_dict(self) -> dict[str, object]:
        """The question for JSON: the board in words, rows, cols, closed, and the names of the start and the end.

        Numbers, moves and a symmetry follow where they are asked for.

        >>> Problem.of((8, 8), start="a1").to_dict()
        {'board': '8x8', 'rows': 8, 'cols': 8, 'closed': False, 'start': 'a1', 'end': None}
        >>> Problem.of((8, 8), given={"a1": 3}, through=["c2-a1"]).to_dict()["given"]
        {'a1': [3]}
        """
        board = self.board
        ends = {"start": self.start, "end": self.end}
        named = {key: None if square is None else board.name(square) for key, square in ends.items()}
        record = {"board": str(board), "rows": board.rows, "cols": board.cols, "closed": self.closed, **named}
        return record | self.asked_as_dict()

    def asked_as_dict(self) -> dict[str, object]:
        """Given numbers, required and forbidden moves and the symmetry by names of squares, those that are asked.

        `read_as` comes first, where the board was read in no exact form.
        """
        board = self.board

        def name(square: int) -> str:
            return conditions.name_of_square(board, square)

        record: dict[str, object] = {
            "given": {name(square): sorted(steps) for square, steps in self.given},
            "through": [[name(a), name(b)] for a, b in sorted(self.through)],
            "avoid": [[name(a), name(b)] for a, b in sorted(self.avoid)],
            "symmetry": self.symmetry,
        }
        asked = {key: value for key, value in record.items() if key in self.asked}
        return {**read_as_record(board), **asked}

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
        words = ["a closed tour of the" if self.closed else "an open tour of the", self.board.title]
        if self.start is not None:
            words.append(f"from {self.board.name(self.start)}")
        if self.end is not None:
            words.append(f"to {self.board.name(self.end)}")
        words += conditions.in_words(self.board, self.given, self.through, self.avoid, self.symmetry)
        return " ".join(words)

    def __repr__(self) -> str:
        parts = [f"board={self.board!r}"]
        names = ("closed", "start", "end", "given", "through", "avoid", "symmetry")
        parts += [f"{name}={value!r}" for name in names if (value := getattr(self, name))]
        return f"Problem({', '.join(parts)})"


# What public functions take as their first argument: a board, to which the conditions are added, or a whole question.
Question: TypeAlias = "BoardLike | Problem"


def _is_on(board: Board, square: Square) -> bool:
    rows, cols = (operator.index(x) for x in square)
    return 0 <= rows < board.rows and 0 <= cols < board.cols and square not in board.holes


def _with_runs(
    board: Board, start: Square | None, end: Square | None, steps: Steps, through: Pairs
) -> tuple[Square | None, Square | None, Steps, Pairs]:
    """Start, end, given numbers and required moves of an open tour, with the runs at its ends as moves.

    The first square is the start and the last the end, whatever else is given.
    """
    for square, few in steps:
        for step, name, known in ((1, "start", start), (board.square_count, "end", end)):
            if few == {step} and known not in (None, divmod(square, board.cols)):
                given = conditions.name_of_square(board, square)
                raise ProblemError(
                    f"the {name} is {board.name(known)}, but step {step} is given at {given}",
                    help=f"leave out the {name}",
                )
    run = conditions.anchored_run(steps, board.square_count)
    if run is None:
        return start, end, steps, through
    head, tail = run
    moves = frozenset((min(pair), max(pair)) for part in (head, tail) for pair in zip(part, part[1:], strict=False))
    if len(head) == board.square_count or not conditions.are_all_moves(board, moves):
        return start, end, steps, through
    first = divmod(head[0], board.cols) if head else start
    last = divmod(tail[-1], board.cols) if tail else end
    return first, last, (), through | moves
