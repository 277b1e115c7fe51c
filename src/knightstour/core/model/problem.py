"""Problem: the required tour, and its board."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
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
from knightstour.core.model.validation import flag
from knightstour.core.model.wording import short_repr

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
# Names and values of the conditions in normal form, in the order of CONDITIONS.
Values: TypeAlias = "tuple[tuple[str, Any], ...]"

_CLOSED_HELP = "pass two squares; for a tour that returns to its start use closed=True, or --closed"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Problem:
    """Problem: a tour of a board, closed or open, with conditions. Functions accept it in place of a board.

    In an open tour, given steps without a gap from the first on, or up to the last, become the ends and required
    moves if there are no other given steps; and visit_order defines the ends if they are not given.

    Args:
        board: A Board, a pair (rows, cols) or a string like "8x8".
        closed, start, end, partial, given, require, forbid, symmetry, visit_order, where: As for `solve`. The
            attributes have square numbers `row * cols + col` in place of squares.

    Raises:
        BoardError, ProblemError: If an argument is invalid.

    >>> print(Problem((8, 8), start="a1", end="h7"))
    an open tour of the 8x8 board from a1 to h7
    >>> Problem((8, 8), closed=True, require=[("a1", "b3")])
    <Problem: a closed tour of the 8x8 board through a1-b3>
    """

    board: Board
    closed: bool
    start: Square | None
    end: Square | None
    # Whether the tour may omit squares. It then makes at least one move; one square alone is not a tour.
    partial: bool
    _values: Values

    def __init__(
        self,
        board: BoardLike,
        *,
        closed: bool = False,
        start: Square | str | None = None,
        end: Square | str | None = None,
        **conditions: Unpack[Conditions],
    ) -> None:
        _check_names(Problem, conditions)
        written: dict[str, Any] = {**conditions}
        partial = flag(written.pop("partial", False), "partial")
        board = board_of(board)
        more = [name for name in written if _is_written(written[name]) and not CONDITIONS[name].takes_arcs]
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
        self._set(board=board, closed=closed, start=first, end=last, partial=partial, _values=_in_order(values))
        self._check_partial()
        if not closed:
            self._convert_runs()
            self._convert_order()
        elif not ways_round(self.visit_order, closed, board.is_directed):
            # Every closed tour has up to three squares in any order; along arcs, up to two.
            self._set(_values=_in_order({**dict(self._values), "visit_order": ()}))
        self._check_together()

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _check_together(self) -> None:
        """Raise ProblemError if the conditions evidently contradict each other."""
        board = self.board
        if self.start is not None and self.start == self.end and square_count(board) > 1:
            raise ProblemError(f"start and end are the same square, {board.square_name(self.start)}", help=_CLOSED_HELP)
        self._check_partial()
        for name, value in self._values:
            CONDITIONS[name].check(self, value)

    def _check_partial(self) -> None:
        """Raise ProblemError if a partial tour has a condition that needs all squares."""
        strange = [name for name, _ in self._values if not CONDITIONS[name].supports_partial]
        if self.partial and strange:
            raise ProblemError(
                f"{strange[0]} cannot be combined with partial=True: a square may stay unvisited",
                help=f"omit {strange[0]} or partial; forbid, start and end can be combined with it",
            )

    def _value(self, name: str, default: T) -> T:
        return next((value for each, value in self._values if each == name), default)

    @property
    def given(self) -> Steps:
        """The given numbers: (square number, steps from 1 that it may have)."""
        return self._value("given", ())

    @property
    def require(self) -> Pairs:
        """The required moves, as pairs of square numbers, the lower first."""
        return self._value("require", frozenset())

    @property
    def forbid(self) -> Pairs:
        """The forbidden moves, as pairs of square numbers, the lower first."""
        return self._value("forbid", frozenset())

    @property
    def symmetry(self) -> str | None:
        """A symmetry of the board that maps the tour to itself, or a kind of symmetric tours; None for any tour."""
        return self._value("symmetry", None)

    @property
    def visit_order(self) -> Order:
        """Square numbers that are visited in this order, at any steps; in a closed tour cyclic, either way."""
        return self._value("visit_order", ())

    @property
    def where(self) -> tuple[tuple[str, int, int], ...]:
        """The ranges of statistics: (name, least, most).

        >>> Problem((8, 8), where={"turns": (30, 40)}).where
        (('turns', 30, 40),)
        """
        return self._value("where", ())

    def to_dict(self) -> dict[str, object]:
        """Return the problem as a JSON-serialisable dict: the board, rows, cols, closed, and the names of the start and
        the end.

        The conditions follow, if there are any.

        >>> Problem((8, 8), start="a1").to_dict()
        {'board': '8x8', 'rows': 8, 'cols': 8, 'closed': False, 'start': 'a1', 'end': None}
        >>> Problem((8, 8), given={"a1": 3}, require=["c2-a1"]).to_dict()["given"]
        {'a1': [3]}
        """
        board = self.board
        ends = {"start": self.start, "end": self.end}
        named = {key: None if square is None else board.square_name(square) for key, square in ends.items()}
        record = {"board": str(board), "rows": board.rows, "cols": board.cols, "closed": self.closed, **named}
        return record | conditions_as_dict(self)

    def __str__(self) -> str:
        """Return the problem as in a sentence.

        >>> str(Problem((8, 8), start="a1"))
        'an open tour of the 8x8 board from a1'
        """
        words = ["a closed tour of" if self.closed else "an open tour of"]
        words += ["some squares of the" if self.partial else "the", title_of(self.board)]
        if self.start is not None:
            words.append(f"from {self.board.square_name(self.start)}")
        if self.end is not None:
            words.append(f"to {self.board.square_name(self.end)}")
        moves_first = sorted(self._values, key=lambda item: CONDITIONS[item[0]].way != MOVES)
        words += [CONDITIONS[name].describe(self.board, value) for name, value in moves_first]
        return " ".join(words)

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def _convert_runs(self) -> None:
        """Replace consecutive given numbers at the ends of an open tour by required moves."""
        if not self.given:
            return
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
            return
        head, tail = run
        moves = frozenset((min(pair), max(pair)) for part in (head, tail) for pair in zip(part, part[1:], strict=False))
        if len(head) == square_count(board) or not conditions.are_all_moves(board, moves):
            return
        self._set(
            start=square_at(board, head[0]) if head else self.start,
            end=square_at(board, tail[-1]) if tail else self.end,
            _values=_in_order({**dict(self._values), "given": (), "require": self.require | moves}),
        )

    def _convert_order(self) -> None:
        """Take the ends of an open tour from its visit_order, unless they are given."""
        if not self.visit_order:
            return
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
        self._set(start=start, end=end)


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
    return problem_of(board, closed=closed, start=start, end=end, **conditions)


def problem_of(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    **conditions: Unpack[Conditions],
) -> Problem:
    """Return the problem of these arguments, or the given problem, which must not have further conditions."""
    if not isinstance(board, Problem):
        return Problem(board, closed=closed, start=start, end=end, **conditions)
    is_partial = conditions.pop("partial", False)
    if closed or start is not None or end is not None or is_partial or any(map(_is_written, conditions.values())):
        help = "pass a board instead, or omit closed, start, end and the conditions"
        raise ProblemError("conditions cannot be combined with a Problem", help=help)
    return board


def problem_of_steps(board: Board, given_steps: Steps, *, closed: bool) -> Problem:
    """Return the problem with given numbers in normal form.

    >>> problem_of_steps(Board(8, 8), ((56, frozenset({1})),), closed=False)
    <Problem: an open tour of the 8x8 board from a1>
    """
    problem = object.__new__(Problem)
    values = _in_order({"given": given_steps})
    problem._set(board=board, closed=closed, start=None, end=None, partial=False, _values=values)
    if not closed:
        problem._convert_runs()
    return problem


def replace_fields(problem: Problem, **fields: object) -> Problem:
    """Return the problem with another board, closed, start, end or partial, without checks."""
    new = object.__new__(Problem)
    held = {name: getattr(problem, name) for name in ("board", "closed", "start", "end", "partial", "_values")}
    new._set(**held | fields)
    return new


def replace_conditions(problem: Problem, **others: object) -> Problem:
    """Return the problem with other values of conditions, in normal form; a false value removes its condition.

    >>> condition_names(replace_conditions(Problem((8, 8), forbid=["a1-b3"], symmetry="180"), symmetry=None))
    frozenset({'forbid'})
    """
    return replace_fields(problem, _values=_in_order({**dict(problem._values), **others}))


def _in_order(values: Mapping[str, object]) -> Values:
    return tuple((name, values[name]) for name in CONDITIONS if values.get(name)) if values else ()


def condition_values(problem: Problem) -> Values:
    """Return the names and values of the conditions, in normal form, in the order of CONDITIONS."""
    return problem._values


def condition_names(problem: Problem) -> frozenset[str]:
    """Return the names of the conditions.

    >>> condition_names(Problem((8, 8), symmetry="180"))
    frozenset({'symmetry'})
    """
    return frozenset(name for name, _ in problem._values)


def checked_conditions(problem: Problem) -> tuple[str, ...]:
    """Return the conditions that no search supports, so that each tour of a list is checked."""
    return tuple(name for name, _ in problem._values if CONDITIONS[name].way == LISTED)


def without_checked(problem: Problem) -> Problem:
    """Return the problem without the conditions that are checked for each tour."""
    return replace_conditions(problem, **dict.fromkeys(checked_conditions(problem)))


def without_conditions(problem: Problem) -> Problem:
    """Return the problem with its ends alone.

    >>> without_conditions(Problem((8, 8), start="a1", forbid=["a1-b3"]))
    <Problem: an open tour of the 8x8 board from a1>
    """
    return replace_fields(problem, _values=()) if problem._values else problem


def keyword_arguments(problem: Problem) -> QuestionArguments:
    """Return the problem as keyword arguments of `solve` and other functions.

    >>> keyword_arguments(Problem((8, 8), closed=True, forbid=["a1-b3"]))
    {'closed': True, 'start': None, 'end': None, 'forbid': [[(5, 1), (7, 0)]]}
    """
    ends = {"closed": problem.closed, "start": problem.start, "end": problem.end}
    return cast(QuestionArguments, ends | _write_conditions(problem, functools.partial(square_at, problem.board)))


def conditions_as_dict(problem: Problem) -> dict[str, object]:
    """Return the conditions as a JSON-serialisable dict, by names of squares.

    `read_as` comes first, if the board was read from an inexact format.
    """
    board = problem.board
    written = _write_conditions(problem, lambda number: conditions.name_of_square(board, number))
    return {**read_as_record(board), **written}


def _write_conditions(problem: Problem, square: Callable[[int], object]) -> dict[str, object]:
    """Return the conditions in their written form."""
    partial = {"partial": True} if problem.partial else {}
    return partial | {name: CONDITIONS[name].write(value, square) for name, value in problem._values}


def why_not_supported(problem: Problem, ways: Collection[str] = ()) -> str | None:
    """Return the reason why a search with these kinds of conditions does not support the problem, or None.

    >>> why_not_supported(Problem((8, 8), forbid=["a1-b3"]))
    'it does not support forbidden moves'
    """
    if problem.partial and PARTIAL not in ways:
        return "it supports only tours of all squares"
    strange = _unsupported(problem, ways)
    return f"it does not support {strange[0].words}" if strange else None


def check_supported(problem: Problem, who: str, *known: str) -> None:
    """Raise ProblemError, beginning with `who`, if a condition is not supported by the known kinds of search.

    >>> try:
    ...     check_supported(Problem((8, 8), forbid=["a1-b3"]), "an estimate", "steps")
    ... except ProblemError as error:
    ...     print(error)
    an estimate does not support forbidden moves
    """
    if problem.partial and PARTIAL not in known:
        raise ProblemError(f"{who} does not support partial tours", help="omit partial")
    strange = _unsupported(problem, known)
    if strange:
        names = ", ".join(sorted(row.name for row in strange))
        words = strange[0].words.removeprefix("a ").removeprefix("an ")
        raise ProblemError(f"{who} does not support {words}", help=f"omit {names}")


def _unsupported(problem: Problem, ways: Collection[str]) -> list[Condition[Any]]:
    return [row for row in (CONDITIONS[name] for name, _ in problem._values) if row.way not in ways]


def start_index(problem: Problem) -> int | None:
    """Return the square number of the start, or None."""
    return None if problem.start is None else problem.start[0] * problem.board.cols + problem.start[1]


def end_index(problem: Problem) -> int | None:
    """Return the square number of the end, or None."""
    return None if problem.end is None else problem.end[0] * problem.board.cols + problem.end[1]


def is_numbered(problem: Problem) -> bool:
    """Whether numbers are given, or squares in an order, so that the steps of squares are searched."""
    return bool(problem.given or problem.visit_order)


def is_too_small(problem: Problem) -> bool:
    """Whether it is a closed tour of a board with one or two squares; a closed tour has at least three."""
    return problem.closed and square_count(problem.board) < 3


def is_backwards(problem: Problem) -> bool:
    """Whether a search goes from the end to the start, since only the end is given."""
    return problem.start is None and problem.end is not None


def search_ends(problem: Problem) -> tuple[int | None, int | None]:
    """Return the square numbers of the ends of a search: (start, end), or (end, None) if it is backwards."""
    return (end_index(problem), None) if is_backwards(problem) else (start_index(problem), end_index(problem))


def has_given_end(problem: Problem) -> bool:
    """Whether it is an open tour with a given start or end: such a tour and its reverse differ."""
    return not problem.closed and (problem.start is not None or problem.end is not None)


def plural_of(problem: Problem) -> str:
    """Return the problem as a phrase for all its tours.

    >>> plural_of(Problem((8, 8), start="a1"))
    'open tours of the 8x8 board from a1'
    """
    return str(problem).removeprefix("an ").removeprefix("a ").replace(" tour of ", " tours of ", 1)


def _check_names(function: Callable[..., Any], conditions: Conditions) -> None:
    """Raise TypeError for the first unknown condition."""
    unknown = conditions.keys() - CONDITIONS.keys() - {"partial"}
    if unknown:
        raise unexpected(function, min(unknown), ("partial", *CONDITIONS))


def _is_written(value: object) -> bool:
    """Whether a condition is given; an array has no truth value."""
    is_one = not hasattr(value, "__len__") or getattr(value, "ndim", 1) == 0
    return value is not None and (is_one or len(value) > 0)  # type: ignore[arg-type]
