"""Problem: the required tour, and its board."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar, Unpack, cast

from knightstour.core.model import conditions
from knightstour.core.model.arguments import unexpected
from knightstour.core.model.board import (
    Board,
    BoardLike,
    Square,
    board_of,
    read_as_record,
    square_at,
    square_count,
    title_of,
)
from knightstour.core.model.condition_table import (
    CONDITIONS,
    LISTED,
    MOVES,
    PARTIAL,
    Condition,
    Conditions,
    QuestionArguments,
)
from knightstour.core.model.conditions import Order, Pairs, Steps, ways_round
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.validation import flag, quoted

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
# Names and values of the conditions in normal form, in the order of CONDITIONS.
Values: TypeAlias = "tuple[tuple[str, Any], ...]"

_CLOSED_HELP = "pass two squares; for a tour that returns to its start use closed=True, or --closed"


@dataclass(frozen=True, slots=True)
class Problem:
    """Problem: a tour of `board`, closed or open, with conditions. Create it with `Problem.of`.

    Attributes:
        start, end: Its ends, if given.
        values: The values of the conditions, by name (core/model/condition_table.py): `given`, `require`, `forbid`,
            `symmetry` and `visit_order` are attributes, too.
        partial: Whether the tour may leave squares. It then makes at least one move; one square alone is not a tour.

    >>> Problem.of((8, 8), start="a1", end="h7")
    Problem(board=Board(8, 8), start=(7, 0), end=(1, 7))
    >>> print(Problem.of((8, 8), closed=True, require=[("a1", "b3")]))
    a closed tour of the 8x8 board through a1-b3
    """

    board: Board
    closed: bool = False
    start: Square | None = None
    end: Square | None = None
    values: Values = ()
    partial: bool = False
    _is_checked: bool = field(default=False, init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        board: Question,
        *,
        closed: bool = False,
        start: Square | str | None = None,
        end: Square | str | None = None,
        **conditions: Unpack[Conditions],
    ) -> Problem:
        """Return the checked problem. Raises BoardError or ProblemError.

        In an open tour, given steps without a gap from the first on, or up to the last, become the ends and required
        moves if there are no other given steps; and visit_order defines the ends if they are not given.

        Args:
            board: A Board, a pair (rows, cols) or a string like "8x8"; or a Problem, which is returned unchanged.
            closed, start, end, partial, given, require, forbid, symmetry, visit_order, where: As for solve().

        Raises:
            BoardError, ProblemError: If an argument is invalid.
        """
        _check_names(cls.of, conditions)
        written: dict[str, Any] = {**conditions}
        partial = flag(written.pop("partial", False), "partial")
        if isinstance(board, Problem):
            is_asked = closed or start is not None or end is not None or partial
            if is_asked or any(_is_written(value) for value in written.values()):
                help = "pass a board instead, or omit closed, start, end and the conditions"
                raise ProblemError("conditions cannot be combined with a Problem", help=help)
            return board if board._is_checked else board._check()
        board = board_of(board)
        more = [name for name, row in CONDITIONS.items() if _is_written(written.get(name)) and not row.takes_arcs]
        if board.is_directed and more:
            known = ", ".join(name for name, row in CONDITIONS.items() if row.takes_arcs)
            help = f"omit it; besides the ends and partial it has {known}"
            raise ProblemError(f"a question about a directed graph has no {more[0]}", help=help)
        closed = flag(closed, "closed")
        first = None if start is None else board.square(start)
        last = None if end is None else board.square(end)
        if closed and end is not None:
            help = "omit the end, or use an open tour"
            raise ProblemError("a closed tour has no end of its own", help=help)
        values = {name: row.read(board, written[name]) for name, row in CONDITIONS.items() if name in written}
        problem = cls(board, closed, first, last, partial=partial).changed(**values)
        problem._check_partial()
        if not closed:
            problem = problem._with_runs() if problem.given else problem
            problem = problem._with_named_ends() if problem.visit_order else problem
        elif not ways_round(problem.visit_order, closed, board.is_directed):
            # Every closed tour has up to three squares in any order; along arcs, up to two.
            problem = problem.changed(visit_order=())
        return problem._checked_together()

    @classmethod
    def of_steps(cls, board: Board, given_steps: Steps, *, closed: bool) -> Problem:
        """The question for given numbers alone, which are in normal form already.

        >>> Problem.of_steps(Board(8, 8), ((56, frozenset({1})),), closed=False)
        Problem(board=Board(8, 8), start=(7, 0))
        """
        problem = cls(board, closed).changed(given=given_steps)
        return problem if closed else problem._with_runs()

    def changed(self, **others: object) -> Problem:
        """Return the problem with other values of conditions, in normal form; a false value removes its condition.

        >>> Problem.of((8, 8), forbid=["a1-b3"], symmetry="180").changed(symmetry=None).condition_names
        frozenset({'forbid'})
        """
        held = {**dict(self.values), **others}
        return replace(self, values=tuple((name, held[name]) for name in CONDITIONS if held.get(name)))

    def _checked_together(self) -> Problem:
        board = self.board
        if self.start is not None and self.start == self.end and square_count(board) > 1:
            raise ProblemError(f"start and end are the same square, {board.square_name(self.start)}", help=_CLOSED_HELP)
        self._check_partial()
        for name, value in self.values:
            CONDITIONS[name].check(self, value)
        object.__setattr__(self, "_is_checked", True)
        return self

    def _check_partial(self) -> None:
        """Raise ProblemError if a partial tour has a condition that needs all squares."""
        strange = [name for name, _ in self.values if not CONDITIONS[name].supports_partial]
        if self.partial and strange:
            raise ProblemError(
                f"{strange[0]} cannot be combined with partial=True: a square may stay unvisited",
                help=f"omit {strange[0]} or partial; forbid, start and end can be combined with it",
            )

    def _check(self) -> Problem:
        """Check the problem without converting squares again, since a pair may be a node."""
        board = self.board
        is_plain = isinstance(board, Board) and isinstance(self.closed, bool)
        for square in (self.start, self.end):
            is_plain = is_plain and (square is None or (isinstance(square, tuple) and _is_on(board, square)))
        is_plain = is_plain and isinstance(self.values, tuple) and isinstance(self.partial, bool)
        is_plain = is_plain and all(isinstance(value, CONDITIONS[name].normal) for name, value in self.values)
        if not is_plain or (self.closed and self.end is not None):
            raise ProblemError(f"this Problem makes no sense: {quoted(self)}", help="make it with Problem.of")
        return self._checked_together()

    def _value(self, name: str, default: T) -> T:
        return next((value for each, value in self.values if each == name), default)

    @property
    def given(self) -> Steps:
        """The given numbers: (square number, steps from 1 that it may have)."""
        return self._value("given", ())

    @property
    def require(self) -> Pairs:
        """The required moves in the same way, as pairs of square numbers, the lower first."""
        return self._value("require", frozenset())

    @property
    def forbid(self) -> Pairs:
        """The forbidden moves in the same way."""
        return self._value("forbid", frozenset())

    @property
    def symmetry(self) -> str | None:
        """A symmetry of the board that lays the tour on itself, or a kind of symmetric tours; None for any tour."""
        return self._value("symmetry", None)

    @property
    def visit_order(self) -> Order:
        """Squares, by number, that are visited in this order, at any steps; in a closed tour cyclic, either way."""
        return self._value("visit_order", ())

    @property
    def is_numbered(self) -> bool:
        """Whether it is searched for by the steps of squares: numbers are given, or squares in an order."""
        return bool(self.given or self.visit_order)

    @property
    def conditions(self) -> QuestionArguments:
        """The conditions as keyword arguments of solve() and others.

        >>> Problem.of((8, 8), closed=True, forbid=["a1-b3"]).conditions
        {'closed': True, 'start': None, 'end': None, 'forbid': [[(5, 1), (7, 0)]]}
        """
        ends = {"closed": self.closed, "start": self.start, "end": self.end, **self._partial}
        return cast(QuestionArguments, {**ends, **self._write_conditions(functools.partial(square_at, self.board))})

    @property
    def _partial(self) -> dict[str, object]:
        return {"partial": True} if self.partial else {}

    def _write_conditions(self, square: Callable[[int], object]) -> dict[str, object]:
        """Return the conditions in their written form."""
        return {name: CONDITIONS[name].write(value, square) for name, value in self.values}

    @property
    def condition_names(self) -> frozenset[str]:
        """Names of the conditions.

        >>> Problem.of((8, 8), symmetry="180").condition_names
        frozenset({'symmetry'})
        """
        return frozenset(name for name, _ in self.values)

    @property
    def without_checked(self) -> Problem:
        """The problem without the conditions that are checked tour by tour (a relaxation)."""
        return self.changed(**dict.fromkeys(self.checked_conditions))

    @property
    def checked_conditions(self) -> tuple[str, ...]:
        """The conditions that each tour of a list of all is looked at for."""
        return tuple(name for name, _ in self.values if CONDITIONS[name].way == LISTED)

    @property
    def without_conditions(self) -> Problem:
        """The question with its ends alone: it has all tours that this has, and perhaps more.

        >>> Problem.of((8, 8), start="a1", forbid=["a1-b3"]).without_conditions
        Problem(board=Board(8, 8), start=(7, 0))
        """
        return replace(self, values=()) if self.condition_names else self

    def why_not_supported(self, ways: Collection[str] = ()) -> str | None:
        """Return the reason why a search with these kinds of conditions does not support the problem, or None.

        >>> Problem.of((8, 8), forbid=["a1-b3"]).why_not_supported()
        'it does not support forbidden moves'
        """
        if self.partial and PARTIAL not in ways:
            return "it supports only tours of all squares"
        strange = self._strange(ways)
        return f"it does not support {strange[0].words}" if strange else None

    def _strange(self, ways: Collection[str]) -> list[Condition[Any]]:
        return [row for row in (CONDITIONS[name] for name, _ in self.values) if row.way not in ways]

    def check_supported(self, who: str, *known: str) -> None:
        """Raise ProblemError, beginning with `who`, if a condition is not supported by the known kinds of search.

        >>> try:
        ...     Problem.of((8, 8), forbid=["a1-b3"]).check_supported("an estimate", "steps")
        ... except ProblemError as error:
        ...     print(error)
        an estimate does not support forbidden moves
        """
        if self.partial and PARTIAL not in known:
            raise ProblemError(f"{who} does not support partial tours", help="omit partial")
        strange = self._strange(known)
        if strange:
            names = ", ".join(sorted(row.name for row in strange))
            raise ProblemError(
                f"{who} does not support {strange[0].words.removeprefix('a ').removeprefix('an ')}",
                help=f"omit {names}",
            )

    def to_dict(self) -> dict[str, object]:
        """Return the problem as a JSON-serialisable dict: the board, rows, cols, closed, and the names of the start and
        the end.

        The conditions follow, if there are any.

        >>> Problem.of((8, 8), start="a1").to_dict()
        {'board': '8x8', 'rows': 8, 'cols': 8, 'closed': False, 'start': 'a1', 'end': None}
        >>> Problem.of((8, 8), given={"a1": 3}, require=["c2-a1"]).to_dict()["given"]
        {'a1': [3]}
        """
        board = self.board
        ends = {"start": self.start, "end": self.end}
        named = {key: None if square is None else board.square_name(square) for key, square in ends.items()}
        record = {"board": str(board), "rows": board.rows, "cols": board.cols, "closed": self.closed, **named}
        return record | self.conditions_as_dict()

    def conditions_as_dict(self) -> dict[str, object]:
        """Return the conditions as a JSON-serialisable dict, by names of squares.

        `read_as` comes first, if the board was read from an inexact format.
        """
        board = self.board
        written = self._write_conditions(lambda number: conditions.name_of_square(board, number))
        return {**read_as_record(board), **self._partial, **written}

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
        """Whether it is a closed tour of a board with one or two squares; a closed tour has at least three."""
        return self.closed and square_count(self.board) < 3

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
        """Whether it is an open tour with a given start or end: such a tour and its reverse differ."""
        return not self.closed and (self.start is not None or self.end is not None)

    @property
    def plural(self) -> str:
        """All such tours, as in a sentence.

        >>> Problem.of((8, 8), start="a1").plural
        'open tours of the 8x8 board from a1'
        """
        return str(self).removeprefix("an ").removeprefix("a ").replace(" tour of ", " tours of ", 1)

    def __str__(self) -> str:
        """Return the problem as in a sentence.

        >>> str(Problem.of((8, 8), start="a1"))
        'an open tour of the 8x8 board from a1'
        """
        words = ["a closed tour of" if self.closed else "an open tour of"]
        words += ["some squares of the" if self.partial else "the", title_of(self.board)]
        if self.start is not None:
            words.append(f"from {self.board.square_name(self.start)}")
        if self.end is not None:
            words.append(f"to {self.board.square_name(self.end)}")
        moves_first = sorted(self.values, key=lambda item: CONDITIONS[item[0]].way != MOVES)
        words += [CONDITIONS[name].describe(self.board, value) for name, value in moves_first]
        return " ".join(words)

    def __repr__(self) -> str:
        parts = [f"board={self.board!r}"]
        ends = {"closed": self.closed, "start": self.start, "end": self.end}
        parts += [f"{name}={value!r}" for name, value in [*ends.items(), *self._partial.items(), *self.values] if value]
        return f"Problem({', '.join(parts)})"

    def _with_runs(self) -> Problem:
        """Replace consecutive given numbers at the ends by required moves."""
        board, steps = self.board, self.given
        for square, few in steps:
            for step, name, known in ((1, "start", self.start), (square_count(board), "end", self.end)):
                if few == {step} and known not in (None, divmod(square, board.cols)):
                    given = conditions.name_of_square(board, square)
                    raise ProblemError(
                        f"the {name} is {board.square_name(known)}, but step {step} is given at {given}",
                        help=f"omit the {name}",
                    )
        run = conditions.anchored_run(steps, square_count(board))
        if run is None:
            return self
        head, tail = run
        moves = frozenset((min(pair), max(pair)) for part in (head, tail) for pair in zip(part, part[1:], strict=False))
        if len(head) == square_count(board) or not conditions.are_all_moves(board, moves):
            return self
        first = square_at(board, head[0]) if head else self.start
        last = square_at(board, tail[-1]) if tail else self.end
        return replace(self, start=first, end=last).changed(given=(), require=self.require | moves)

    def _with_named_ends(self) -> Problem:
        """Return the problem of an open tour with these ends, unless it has others."""
        named = self.visit_order
        fixed = {next(iter(few)): square for square, few in self.given if len(few) == 1}
        first, last = fixed.get(1, named[0]), fixed.get(square_count(self.board), named[-1])
        start = square_at(self.board, first) if self.start is None else self.start
        end = square_at(self.board, last) if self.end is None else self.end
        if start == end:
            name = self.board.square_name(start)
            raise ProblemError(
                f"visit_order: {name} would be both ends of the tour", help="name the other end by start or end"
            )
        return replace(self, start=start, end=end)


# First argument of public functions: a board, to which the conditions are added, or a whole problem.
Question: TypeAlias = "BoardLike | Problem"


def problem_for(
    function: Callable[..., Any],
    board: Question,
    closed: bool,
    start: Square | str | None,
    end: Square | str | None,
    conditions: Conditions,
) -> Problem:
    """Return the problem of the arguments of a public function; raise its TypeError for an unknown condition."""
    _check_names(function, conditions)
    return Problem.of(board, closed=closed, start=start, end=end, **conditions)


def _check_names(function: Callable[..., Any], conditions: Conditions) -> None:
    """Raise TypeError for the first unknown condition."""
    unknown = conditions.keys() - CONDITIONS.keys() - {"partial"}
    if unknown:
        raise unexpected(function, min(unknown), ("partial", *CONDITIONS))


def _is_written(value: object) -> bool:
    """Whether a condition is given; an array has no truth value."""
    is_one = not hasattr(value, "__len__") or getattr(value, "ndim", 1) == 0
    return value is not None and (is_one or len(value) > 0)  # type: ignore[arg-type]


def _is_on(board: Board, square: Square) -> bool:
    rows, cols = (operator.index(x) for x in square)
    return 0 <= rows < board.rows and 0 <= cols < board.cols and square not in board.holes
