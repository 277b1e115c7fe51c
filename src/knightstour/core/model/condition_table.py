"""CONDITIONS: what may be asked of a tour besides its ends, in one table.

A condition is one row here. `Problem` holds what is asked; the functions of Python, the options of the command line,
the fields of the API, JSON and the documents read the rows, so there is nothing else to change.

How it is searched for is the row's `way`:

- MOVES: the board has fewer moves, or moves that a tour must make; core/model/reduced.py makes a graph of them.
- STEPS: squares have few steps; core/search/clues.py numbers the board.
- IMAGES: the tour is laid on itself; core/search/symmetric.py makes the graph of orbits.
- LISTED: each tour of a complete list is looked at.

The searches know `given`, `through`, `avoid`, `symmetry` and `visit_order`. Another condition is LISTED.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict

from knightstour.core.model.lazy import Lazy

if TYPE_CHECKING:
    from knightstour.core.model.board import Square
    from knightstour.core.model.conditions import Given, Moves, VisitOrder, Where

MOVES: Final = "moves"
STEPS: Final = "steps"
IMAGES: Final = "images"
LISTED: Final = "listed"
# Beside these ways: tours that leave squares are searched for, too. `visits` widens, so it is no condition.
VISITS: Final = "visits"
ALL, SOME = "all", "some"
WHICH_VISITS: Final = (ALL, SOME)


class QuestionArguments(TypedDict, total=False):
    """What is asked of a tour: the keyword arguments of `solve`, `iter_tours`, `count_tours` and others."""

    closed: bool
    start: Square | str | None
    end: Square | str | None
    visits: str
    given: Given | None
    through: Moves | None
    avoid: Moves | None
    symmetry: str | None
    visit_order: VisitOrder | None
    where: Where | None


def _nothing(problem: Any, value: Any) -> None:
    """No conflict."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A row of CONDITIONS. Values in normal form can be hashed, and are false if nothing is asked.

    name: the argument in Python, the option at the command line, the field in JSON and in links.
    words: what an error calls it, as in "it knows nothing of forbidden moves".
    way: how it is searched for, as above.
    read: read(board, written, name) -> the value of what was written in Python or JSON; else an error that says why.
    normal: the type of a value.
    written: written(value, square) -> the value as Python and JSON write it; `square` names a square of a number.
    said: said(board, value) -> the end of a sentence on tours.
    fault: fault(problem, value, order, step) -> which part a tour does not meet, as a sentence, or None. It looks at
        the squares alone: `order` are their numbers, `step` the step from 0 of each number, -1 for holes. What is
        LISTED holds for a tour walked either way, and for a closed one from any start, or for its numbers as they are.
    help: of the option, a line. metavar: what the option takes. example: of what is typed, in parts that a space joins.
    schema: of the field, in JSON Schema. The option may be typed several times unless this is a string.
    conflict: conflict(problem, value) raises a ProblemError where it contradicts other conditions at sight.
    unmet: unmet(problem, value) -> why no tour of the board meets it, with the source; or None.
    takes_some: whether it makes sense of tours that leave squares (visits="some"): it names no square, and no number of
        squares.
    """

    name: str
    words: str
    way: str
    read: Callable[..., Any]
    normal: type
    written: Callable[..., Any]
    said: Callable[..., str]
    fault: Callable[..., str | None]
    help: str
    metavar: str
    schema: Mapping[str, Any]
    example: str = ""
    conflict: Callable[..., None] = _nothing
    unmet: Callable[..., tuple[str, str] | None] = _nothing
    takes_some: bool = False


if TYPE_CHECKING:
    from knightstour.core.model import condition_check as _faults
    from knightstour.core.model import conditions as _conditions
    from knightstour.core.statistics import magic as _magic
    from knightstour.core.statistics import where as _ranges
else:
    _conditions = Lazy("knightstour.core.model.conditions")
    _faults = Lazy("knightstour.core.model.condition_check")
    _ranges = Lazy("knightstour.core.statistics.where")
    _magic = Lazy("knightstour.core.statistics.magic")


def _row_of_moves(name: str, kind: str, help: str, description: str, fault: Callable[..., str | None]) -> Condition:
    return Condition(
        name,
        f"{kind} moves",
        MOVES,
        read=_conditions.pairs_of,
        normal=frozenset,
        written=lambda moves, square: [[square(a), square(b)] for a, b in sorted(moves)],
        said=functools.partial(_conditions.moves_said, word="through" if name == "through" else "without", kind=kind),
        fault=fault,
        help=help,
        metavar="SQ-SQ",
        example="a1-b3 c4-e3",
        schema={"type": "array", "description": description, "items": {}},
        conflict=_nothing if name == "through" else _conditions.check_moves,
        takes_some=name == "avoid",
    )


_ROWS = (
    Condition(
        "given",
        "given numbers",
        STEPS,
        read=_conditions.steps_given,
        normal=tuple,
        written=lambda steps, square: {square(number): sorted(few) for number, few in steps},
        said=lambda board, steps: f"with {len(steps)} given number{'s' * (len(steps) > 1)}",
        fault=_faults.fault_of_steps,
        help='Step of a square, from 1: a1=1; c5=16..19 for one of these; "d4=not 5".',
        metavar="SQ=N",
        example="a1=1 c5=16..19",
        schema={
            "type": ["object", "array"],
            "description": 'the step of each square, from 1: {"a1": 1, "c5": [16, 17], "e5": "not 9"}; or ["a1=1"]',
        },
    ),
    _row_of_moves(
        "through",
        "required",
        "A move that the tour must make: a1-b3.",
        'moves that the tour must make: [["a1", "b3"]], or "a1-b3"',
        _faults.fault_of_required,
    ),
    _row_of_moves(
        "avoid",
        "forbidden",
        "A move that the tour must not make.",
        "moves that the tour must not make",
        _faults.fault_of_forbidden,
    ),
    Condition(
        "symmetry",
        "a symmetry",
        IMAGES,
        read=_conditions.symmetry_named,
        normal=str,
        written=lambda symmetry, square: symmetry,
        said=lambda board, symmetry: f"with symmetry {symmetry}",
        fault=_faults.fault_of_symmetry,
        help="The symmetry that the tour must have: 180, 90, vertical, ...; or Eulerian, ...",
        metavar="NAME",
        example="180",
        schema={
            "type": "string",
            "description": "only tours with this symmetry: 180, 90, vertical, ...; or of a kind: Eulerian, ...",
        },
        conflict=_conditions.check_symmetry,
    ),
    Condition(
        "visit_order",
        "an order of squares",
        STEPS,
        read=_conditions.order_named,
        normal=tuple,
        written=lambda order, square: [square(number) for number in order],
        said=_conditions.order_said,
        fault=_faults.fault_of_order,
        help="Squares to be visited in this order, at any steps: a1,c5,h8; an open tour begins and ends with them.",
        metavar="SQ,SQ,...",
        example="a1 c5 h8",
        schema={
            "type": ["array", "string"],
            "description": 'squares in the order in which they are visited, at any steps: ["a1", "c5"], or "a1,c5"',
            "items": {},
        },
        conflict=_conditions.check_order_of_squares,
    ),
    Condition(
        "where",
        "a range of a statistic",
        LISTED,
        read=_ranges.read,
        normal=tuple,
        written=_ranges.written,
        said=_ranges.said,
        fault=_ranges.fault,
        help="A statistic of the tour must be in a range: turns=45..47; crossings=0. An open tour has no closing move.",
        metavar="NAME=VALUE",
        example="turns=45..47 crossings=0",
        schema={
            "type": ["object", "array"],
            "description": 'statistics and their ranges: {"turns": [45, 47], "crossings": 0}; or ["turns=45..47"]',
        },
        conflict=_ranges.check,
        unmet=_magic.why_none,
        takes_some=True,
    ),
)
CONDITIONS: Final[dict[str, Condition]] = {row.name: row for row in _ROWS}


def searched_by(*ways: str) -> tuple[str, ...]:
    """The names of the conditions that are searched for in one of these ways.

    >>> searched_by(MOVES)
    ('through', 'avoid')
    """
    return tuple(name for name, row in CONDITIONS.items() if row.way in ways)


def question_names() -> tuple[str, ...]:
    """The names of all arguments that are a question, besides the board.

    >>> question_names()
    ('closed', 'start', 'end', 'visits', 'given', 'through', 'avoid', 'symmetry', 'visit_order', 'where')
    """
    return ("closed", "start", "end", "visits", *CONDITIONS)
