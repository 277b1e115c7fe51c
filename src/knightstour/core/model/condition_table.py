"""CONDITIONS: the table of conditions on a tour besides its ends.

A condition is a subclass of Condition, whose instance is a row of the table. `Problem` holds the values. The functions
of Python, the options of the command line, the fields of the API, JSON and the documents are generated from the rows,
so a new condition needs no other changes.

The attribute `way` is the kind of search for tours that meet it:

- MOVES: the board has fewer moves, or moves that a tour must make; core/model/reduced.py builds a graph from them.
- STEPS: squares have few steps; core/search/clues.py numbers the board.
- IMAGES: the tour is symmetric; core/search/symmetric.py builds the graph of orbits.
- LISTED: each tour of a complete list is checked.

The searches support `given`, `require`, `forbid`, `symmetry` and `visit_order`. Another condition is LISTED.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, TypeAlias, TypedDict, TypeVar

from knightstour.core.model.lazy import Table

if TYPE_CHECKING:
    import numpy as np

    from knightstour.core.model.board import Board, Square
    from knightstour.core.model.conditions import Given, Moves, Order, Pairs, Steps, VisitOrder, Where
    from knightstour.core.model.problem import Problem

MOVES: Final = "moves"
STEPS: Final = "steps"
IMAGES: Final = "images"
LISTED: Final = "listed"
# Kind of search for tours that leave squares. `partial` allows more tours, so it is not a condition.
PARTIAL: Final = "partial"


class Conditions(TypedDict, total=False):
    """The rarer conditions of a tour; `Problem` explains them."""

    partial: bool
    given: Given | None
    require: Moves | None
    forbid: Moves | None
    symmetry: Symmetry | None
    visit_order: VisitOrder | None
    where: Where | None


class QuestionArguments(Conditions, total=False):
    """The conditions with the ends of the tour."""

    closed: bool
    start: Square | str | None
    end: Square | str | None


# Symmetries of a rectangle; other boards and kinds of tours have more.
Symmetry: TypeAlias = "Literal['180', '90', 'vertical', 'horizontal', 'diagonal', 'antidiagonal'] | str"
# The type of a value in normal form.
V = TypeVar("V")


class Condition(Generic[V]):
    """Row of CONDITIONS: a subclass for each condition.

    A value in normal form is hashable, and false if nothing is required.

    Attributes:
        name: Argument in Python, option of the command line, field in JSON and in links.
        words: Noun phrase for errors, such as "forbidden moves".
        way: Kind of search, see above.
        normal: Type of a value.
        help: Help of the option, one line.
        metavar: Metavar of the option.
        example: Example values, separated by spaces.
        schema: JSON Schema of the field. The option may be repeated unless this is a string.
        supports_partial: Whether it can be combined with partial=True: it contains no square, and no number of squares.
        takes_arcs: Whether it supports directed graphs.
    """

    name: ClassVar[str]
    words: ClassVar[str]
    way: ClassVar[str]
    normal: ClassVar[type]
    help: ClassVar[str]
    metavar: ClassVar[str]
    schema: ClassVar[Mapping[str, Any]]
    example: ClassVar[str] = ""
    supports_partial: ClassVar[bool] = False
    takes_arcs: ClassVar[bool] = False

    def read(self, board: Board, written: Any) -> V:
        """Return the value of an argument in Python or JSON; raise a ProblemError if it is invalid."""
        raise NotImplementedError

    def write(self, value: V, square: Callable[[int], object]) -> object:
        """Return the value as Python and JSON write it. square: returns the name of a square number."""
        raise NotImplementedError

    def describe(self, board: Board, value: V) -> str:
        """Return the end of a sentence on tours, such as "without a1-b3"."""
        raise NotImplementedError

    def fault(self, problem: Problem, value: V, order: np.ndarray, step: np.ndarray) -> str | None:
        """Return how a tour violates the condition, as a sentence, or None.

        Args:
            order: The square numbers of the tour.
            step: The step from 0 of each square number, -1 for holes. A LISTED condition holds for a tour in both
                directions, and for a closed one from any start, or for its numbers as given.
        """
        raise NotImplementedError

    def check(self, problem: Problem, value: V) -> None:
        """Raise a ProblemError if the value contradicts the other conditions."""

    def why_impossible(self, problem: Problem, value: V) -> tuple[str, str] | None:
        """Return a reason and its source if no tour of the board meets the condition, or None."""
        return None


class GivenNumbers(Condition["Steps"]):
    """Given steps, or possible steps, of some squares."""

    name, words, way, normal = "given", "given numbers", STEPS, tuple
    help = 'Step of a square, from 1: a1=1; c5=16..19 for one of these; "d4=not 5".'
    metavar, example = "SQ=N", "a1=1 c5=16..19"
    schema: ClassVar[Mapping[str, Any]] = {
        "type": ["object", "array"],
        "description": 'the step of each square, from 1: {"a1": 1, "c5": [16, 17], "e5": "not 9"}; or ["a1=1"]',
    }

    def read(self, board: Board, written: Given | None) -> Steps:
        from knightstour.core.model.conditions import steps_given

        return steps_given(board, written, self.name)

    def write(self, value: Steps, square: Callable[[int], object]) -> object:
        return {square(number): sorted(few) for number, few in value}

    def describe(self, board: Board, value: Steps) -> str:
        return f"with {len(value)} given number{'s' if len(value) > 1 else ''}"

    def fault(self, problem: Problem, value: Steps, order: np.ndarray, step: np.ndarray) -> str | None:
        from knightstour.core.model.condition_check import fault_of_steps

        return fault_of_steps(problem, value, order, step)


class RequiredMoves(Condition["Pairs"]):
    """Moves that the tour must make, in either direction; arcs of a directed graph, along them."""

    name, words, way, normal = "require", "required moves", MOVES, frozenset
    help, metavar, example = "A move that the tour must make: a1-b3.", "SQ-SQ", "a1-b3 c4-e3"
    takes_arcs = True
    schema: ClassVar[Mapping[str, Any]] = {
        "type": "array",
        "description": 'moves that the tour must make: [["a1", "b3"]], or "a1-b3"',
        "items": {},
    }

    def read(self, board: Board, written: Moves | None) -> Pairs:
        from knightstour.core.model.conditions import pairs_of

        return pairs_of(board, written, self.name)

    def write(self, value: Pairs, square: Callable[[int], object]) -> object:
        return [[square(a), square(b)] for a, b in sorted(value)]

    def describe(self, board: Board, value: Pairs) -> str:
        from knightstour.core.model.conditions import moves_phrase

        return moves_phrase(board, value, "through", "required")

    def fault(self, problem: Problem, value: Pairs, order: np.ndarray, step: np.ndarray) -> str | None:
        from knightstour.core.model.condition_check import fault_of_required

        return fault_of_required(problem, value, order, step)


class ForbiddenMoves(RequiredMoves):
    """Moves that the tour must not make."""

    name, words, supports_partial = "forbid", "forbidden moves", True
    help = "A move that the tour must not make."
    schema: ClassVar[Mapping[str, Any]] = {
        "type": "array",
        "description": "moves that the tour must not make",
        "items": {},
    }

    def describe(self, board: Board, value: Pairs) -> str:
        from knightstour.core.model.conditions import moves_phrase

        return moves_phrase(board, value, "without", "forbidden")

    def fault(self, problem: Problem, value: Pairs, order: np.ndarray, step: np.ndarray) -> str | None:
        from knightstour.core.model.condition_check import fault_of_forbidden

        return fault_of_forbidden(problem, value, order, step)

    def check(self, problem: Problem, value: Pairs) -> None:
        from knightstour.core.model.conditions import check_moves

        check_moves(problem, value)


class TourSymmetry(Condition["str | None"]):
    """A symmetry of the board that takes the tour to itself."""

    name, words, way, normal = "symmetry", "a symmetry", IMAGES, str
    help = "The symmetry that the tour must have: 180, 90, vertical, ...; or Eulerian, ..."
    metavar, example = "NAME", "180"
    schema: ClassVar[Mapping[str, Any]] = {
        "type": "string",
        "description": "only tours with this symmetry: 180, 90, vertical, ...; or of a kind: Eulerian, ...",
    }

    def read(self, board: Board, written: object) -> str | None:
        from knightstour.core.model.conditions import symmetry_named

        return symmetry_named(board, written, self.name)

    def write(self, value: str | None, square: Callable[[int], object]) -> object:
        return value

    def describe(self, board: Board, value: str | None) -> str:
        return f"with symmetry {value}"

    def fault(self, problem: Problem, value: str | None, order: np.ndarray, step: np.ndarray) -> str | None:
        from knightstour.core.model.condition_check import fault_of_symmetry

        return None if value is None else fault_of_symmetry(problem, value, order, step)

    def check(self, problem: Problem, value: str | None) -> None:
        from knightstour.core.model.conditions import check_symmetry

        if value is not None:
            check_symmetry(problem, value)


class VisitingOrder(Condition["Order"]):
    """Squares that the tour visits in the given order, at any steps."""

    name, words, way, normal = "visit_order", "an order of squares", STEPS, tuple
    help = "Squares to be visited in this order, at any steps: a1,c5,h8; an open tour begins and ends with them."
    metavar, example = "SQ,SQ,...", "a1 c5 h8"
    takes_arcs = True
    schema: ClassVar[Mapping[str, Any]] = {
        "type": ["array", "string"],
        "description": 'squares in the order in which they are visited, at any steps: ["a1", "c5"], or "a1,c5"',
        "items": {},
    }

    def read(self, board: Board, written: VisitOrder | None) -> Order:
        from knightstour.core.model.conditions import order_named

        return order_named(board, written, self.name)

    def write(self, value: Order, square: Callable[[int], object]) -> object:
        return [square(number) for number in value]

    def describe(self, board: Board, value: Order) -> str:
        from knightstour.core.model.conditions import order_phrase

        return order_phrase(board, value)

    def fault(self, problem: Problem, value: Order, order: np.ndarray, step: np.ndarray) -> str | None:
        from knightstour.core.model.condition_check import fault_of_order

        return fault_of_order(problem, value, order, step)

    def check(self, problem: Problem, value: Order) -> None:
        from knightstour.core.model.conditions import check_order_of_squares

        check_order_of_squares(problem, value)


_ROWS: Final[dict[str, Condition[Any]]] = {
    "given": GivenNumbers(),
    "require": RequiredMoves(),
    "forbid": ForbiddenMoves(),
    "symmetry": TourSymmetry(),
    "visit_order": VisitingOrder(),
}
# core/statistics/rows.py adds `where`.
CONDITIONS: Final = Table("conditions", _ROWS)


def conditions_of(*ways: str) -> tuple[str, ...]:
    """The names of the conditions that are searched for in one of these ways.

    >>> conditions_of(MOVES)
    ('require', 'forbid')
    """
    return tuple(name for name, row in CONDITIONS.items() if row.way in ways)


def question_names() -> tuple[str, ...]:
    """The names of all arguments that are a question, besides the board.

    >>> question_names()
    ('closed', 'start', 'end', 'partial', 'given', 'require', 'forbid', 'symmetry', 'visit_order', 'where')
    """
    return ("closed", "start", "end", "partial", *CONDITIONS)
