"""Convert the fields of a request to the arguments of a function, by the annotations of its parameters.

A parameter `events: int` is the field "events", an integer. `problem: Problem` reads the board and all conditions. A
NamedTuple has the fields of its own annotations. A type with another conversion is `Annotated` with a Reading.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

from knightstour.core.checking.reports import Demands
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.core.model.condition_table import question_names
from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import whole_number
from knightstour.interfaces.web.fields import Fields, Json, values_from_json
from knightstour.lab.counting.spaces.file import path_of

# Callback for one part of a stream of responses.
Emit: TypeAlias = Callable[[Json], None]
# Types of parameters that are not fields.
_LISTENERS: Final = (Emit,)

_MAX_DIGITS: Final = 1000


class NotBuilt(KnightsTourError):
    """The tours of a problem have not been numbered."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"the tours are not numbered yet: {problem}", help="ask /api/space/build first")
        self.problem = problem


def _ready_path(fields: Fields) -> str:
    problem = fields.problem()
    path = path_of(problem)
    if not path.is_file():
        raise NotBuilt(problem)
    return str(path)


class Reading(NamedTuple):
    """The fields of a parameter, and a function that reads its value from them."""

    names: Callable[[], tuple[str, ...]]
    read: Callable[[Fields], Any]


def _of(*names: str) -> Callable[[], tuple[str, ...]]:
    return lambda: names


def _limits(fields: Fields) -> Limits:
    return Limits(fields.seconds(), fields.whole("nodes"))


def _tour_number(fields: Fields) -> int:
    number = fields.raw("number")
    if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS:
        number = int(number)
    return whole_number(number, "the number of a tour")


_ENDS = ("board", "closed", "start", "end")
# Questions without conditions.
Ends: TypeAlias = Annotated[Problem, Reading(_of(*_ENDS), Fields.problem)]
# The file of all tours of such a question, which must be there.
SpacePath: TypeAlias = Annotated[str, Reading(_of(*_ENDS), _ready_path)]
TourNumber: TypeAlias = Annotated[int, Reading(_of("number"), _tour_number)]
Demanded: TypeAlias = Annotated[
    Demands,
    Reading(
        _of("start", "end", "closed"),
        lambda fields: Demands(fields.raw("start"), fields.raw("end"), fields.flag("closed")),
    ),
]
_LOOKS: Final = ("style", "theme", "numbers", "size")

# The given options of pictures, by name.
Looks: TypeAlias = Annotated[
    dict[str, Json], Reading(_of(*_LOOKS), lambda fields: {name: fields.raw(name) for name in _LOOKS if name in fields})
]
_READINGS: Final[dict[Any, Reading]] = {
    Problem: Reading(lambda: ("board", *question_names()), Fields.problem),
    Board: Reading(_of("board"), Fields.board),
    Board | None: Reading(_of("board"), lambda fields: fields.board() if "board" in fields else None),
    Limits: Reading(_of("seconds", "nodes"), _limits),
}
# Reader of a single field by type. An optional field that is missing has the default of its row, or None.
_FIELDS: Final[dict[Any, Callable[[Fields, str], Any]]] = {
    bool: Fields.flag,
    int: Fields.number,
    float: lambda fields, name: fields.seconds() if name == "seconds" else float(fields.raw(name)),
    str: Fields.text,
    str | None: lambda fields, name: fields.text(name) or None,
    int | None: Fields.whole,
    list[Json]: Fields.listing,
    list[Json] | None: lambda fields, name: fields.listing(name) if name in fields else None,
    dict[str, Json]: Fields.mapping,
    Any: Fields.raw,
}


@functools.cache
def _readings(function: Callable[..., object]) -> tuple[tuple[str, Reading], ...]:
    """Return the parameters or fields, with their readings."""
    hints = get_type_hints(function, include_extras=True)
    names = [name for name in inspect.signature(function).parameters if hints[name] not in _LISTENERS]
    return tuple((name, _reading(name, hints[name])) for name in names)


def _reading(name: str, kind: Any) -> Reading:
    if get_origin(kind) is Annotated:
        found: Reading = get_args(kind)[1]
        return found
    if kind in _READINGS:
        return _READINGS[kind]
    if kind in _FIELDS:
        read = _FIELDS[kind]
        return Reading(_of(name), lambda fields: read(fields, name))
    return Reading(lambda: names_of(kind), lambda fields: _build_value(kind, fields))


def _build_value(kind: Any, fields: Fields) -> Any:
    value = kind(*arguments_of(kind, fields))
    return value.with_checked_options() if hasattr(value, "with_checked_options") else value


def names_of(function: Callable[..., object]) -> tuple[str, ...]:
    """Return the distinct fields of a function, in the order of its parameters."""
    return tuple(dict.fromkeys(name for _, reading in _readings(function) for name in reading.names()))


def arguments_of(function: Callable[..., object], fields: Fields) -> tuple[object, ...]:
    """Return the arguments of a function for a request. Raises KnightsTourError if a field is invalid."""
    with values_from_json():
        return tuple(reading.read(fields) for _, reading in _readings(function))
