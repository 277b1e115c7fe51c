"""The fields of requests: convert a JSON object to boards, squares and numbers, or raise a clear error.

FIELDS describes each field in JSON Schema. Reading a field checks it against its row, and the OpenAPI document
contains the same row. A field has the name of the argument in Python.

This module reads no files and runs no searches, and its time is bounded by the size of the body. So the server itself
can check a request before a worker gets it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from knightstour.core.drawing.styles import LOOK_OPTIONS
from knightstour.core.model.board import Board, square_count
from knightstour.core.model.budget import ProcessorSeconds
from knightstour.core.model.condition_table import CONDITIONS, question_names
from knightstour.core.model.errors import BoardError, FormatError, ProblemError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.strict_json import BadJson, check_entries, parse_json
from knightstour.core.model.validation import is_whole, whole_number

# A JSON value, which the library checks if this module does not; and a row of FIELDS.
Json: TypeAlias = Any
Schema: TypeAlias = Mapping[str, Json]

# Limits for a board, in squares: for a search, and for other requests.
MAX_SEARCHED: Final = 60 * 60
MAX_SQUARES: Final = 40_000
_BOARD_FIELDS = ("rows", "cols", "holes", "wrap", "leaper", "leaps", "moves")
_BOARD_EXAMPLES: Final = {"holes": ["a1", "h8"], "wrap": "torus", "leaper": [1, 3]}


def _of(kind: str, description: str = "", /, **more: Json) -> Schema:
    return {"type": kind, **({"description": description} if description else {}), **more}


def seconds_field(default: float, most: float) -> Schema:
    """The row of a time limit."""
    return _of("number", "time limit", exclusiveMinimum=0, maximum=most, default=default)


_SQUARE: Final[Schema] = {"$ref": "#/components/schemas/Square"}
_STEPS: Final[Schema] = {"$ref": "#/components/schemas/Steps"}

FIELDS: Final[dict[str, Schema]] = {
    "board": {"$ref": "#/components/schemas/Board"},
    "closed": _of("boolean", "whether a move leads from the last square to the first", default=False),
    "start": _SQUARE,
    "end": _SQUARE,
    "partial": _of("boolean", "whether the tour may omit squares", default=False),
    **{name: row.schema for name, row in CONDITIONS.items()},
    "method": _of("string", "name of a method, from /api/methods", default="auto"),
    "seed": _of("integer", "the same seed gives the same result; random if missing", minimum=0),
    "options": _of("object", "options of the method; see /api/methods"),
    "workers": _of("integer", "number of processes, for methods that support workers", minimum=1),
    "seconds": seconds_field(10, 30),
    "nodes": _of("integer", "limit on the nodes of the search or the states of the count", minimum=1),
    "events": _of("integer", "maximum number of events of a trace", minimum=1, maximum=100_000, default=10_000),
    "path": _STEPS,
    "squares": _STEPS,
    "from_to": _of("array", "two squares, for their distance and the number of shortest paths", items=dict(_SQUARE)),
    "text": _of("string", "tours in any text format; see docs/formats.md"),
    "format": _of("string", "kind of picture, or a text format"),
    "number": {"description": "number of the tour, from 1 to the count; a string of digits is accepted"},
    "directed": _of("boolean", "whether a tour and its reverse count separately", default=False),
    "known": _of("boolean", "whether a published number is returned if counting would need seconds", default=False),
    "up_to_symmetry": _of("boolean", "whether images under the symmetries of the board count once", default=False),
    "samples": _of("integer", "random walks of an estimate", minimum=40, maximum=200_000, default=20_000),
    "n": _of("integer", "maximum number of solutions", minimum=1, maximum=500, default=2),
    "proofs": _of("boolean", "whether theorems and proofs are tried before the search", default=True),
    "level": _of("string", "level of the puzzle: easy, medium, hard, expert or any (default: medium; with clues: any)"),
    "clues": _of(
        "integer",
        "number of given squares (default: the minimum); for zip, of named squares",
        minimum=1,
    ),
    "pattern": _of("string", "the given squares are symmetric: 180, 90 or mirror"),
    "keep": _of("array", "numbers that are always given", items={"type": "integer"}),
    "kind": _of("string", "numbers (default), zip, every or places; all but numbers require clues"),
    "of_link": _of(
        "boolean",
        "whether the puzzle is the daily puzzle or from a link of the page, so that its seed alone determines it",
        default=False,
    ),
    "hints": _of(
        "boolean",
        "whether the response contains all hints of the puzzle, in the order that leads to its solution",
        default=False,
    ),
    "puzzle": {"description": "a text of rows, or an object as `puzzle --json` prints it"},
    "state": _of("object", "the numbers entered so far, by square name"),
    "proof": _of(
        "boolean",
        "whether the response contains the certificate and, if no tour exists, the scenes of the proof",
        default=False,
    ),
    "minimize": _of("string", "a statistic to minimize: a name of `kt.STATISTICS`, or as in inside=a1..d4"),
    "maximize": _of("string", "a statistic to maximize, as for minimize"),
    "optimal": _of("boolean", "whether the optimum is required, with a proof (minimize, maximize)", default=False),
    "progress": _of("boolean", "whether the response is a stream: the progress, then the result", default=False),
    "max_bytes": _of("integer", "limit on the memory for numbering, in bytes; 0 only reports the cost", minimum=0),
    **{name: _of("string", LOOK_OPTIONS[name].help) for name in ("style", "theme")},
    "size": _of("number", LOOK_OPTIONS["size"].help, minimum=1, maximum=4000),
    "numbers": {"type": ["boolean", "integer"], "description": "all numbers, or k for each k-th"},
}


def field_named(name: str) -> Schema:
    """Return the row of a field, from FIELDS or from the table of conditions, to which plugins may add rows."""
    return FIELDS[name] if name in FIELDS else CONDITIONS[name].schema


# Name of each type in error messages.
_TYPES: Final[dict[str, tuple[type | tuple[type, ...], str]]] = {
    "boolean": (bool, "true or false"),
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "number": ((int, float), "a number"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}


def parse_object(body: bytes) -> dict[str, Json]:
    """Return the JSON object of a body. Raises FormatError if the body is not a JSON object.

    >>> parse_object(b'{"board": "8x8"}')
    {'board': '8x8'}
    """
    try:
        value = parse_json(body)
    except BadJson as error:
        raise FormatError(f"the body is not JSON: {error}", help='send an object such as {"board": "8x8"}') from None
    if not isinstance(value, dict):
        raise FormatError("the body is not a JSON object", help='send an object such as {"board": "8x8"}')
    return value


class Fields:
    """The fields of one request, each checked against its row. Raises KnightsTourError if a field is invalid.

    rows: the rows of the supported fields. A field that is missing or null has the default of its row, or None.
    """

    def __init__(self, body: dict[str, Json], rows: Mapping[str, Schema], needed: Sequence[str]) -> None:
        for name in body:
            if name in _BOARD_FIELDS and name not in rows and "board" in rows:
                example = {"rows": 8, "cols": 8, name: _BOARD_EXAMPLES.get(name, 8)}
                raise ProblemError(
                    f"the field {name!r} belongs to the board", help=f'use {{"board": {json.dumps(example)}}}'
                )
        check_entries(body, rows, "this request", word="field", error=ProblemError)
        for name in needed:
            if body.get(name) is None:
                raise ProblemError(f"the field {name!r} is missing")
        self._body, self._rows = body, rows

    def __contains__(self, name: str) -> bool:
        return self._body.get(name) is not None

    def raw(self, name: str) -> Json:
        """The value, of the right type and within its bounds, or the default."""
        row, value = self._rows[name], self._body.get(name)
        if value is None:
            return row.get("default")
        kind = row.get("type")
        if row is _SQUARE:
            _check_square(name, value)
        elif kind == "integer":
            value = _whole(name, value)
        elif isinstance(kind, str):
            types, words = _TYPES[kind]
            if not isinstance(value, types) or (kind == "number" and isinstance(value, bool)):
                raise ProblemError(f"{name} must be {words}, not {_short_json(value)}")
            if isinstance(value, list):
                for item in value:
                    _check_item(name, item, row.get("items", {}))
        elif isinstance(kind, list) and not any(_is_of(value, each) for each in kind):
            raise ProblemError(
                f"{name} must be {' or '.join(_TYPES[each][1] for each in kind)}, not {_short_json(value)}"
            )
        if isinstance(value, int | float) and not isinstance(value, bool):
            _check_bounds(name, value, row)
        return value

    def flag(self, name: str) -> bool:
        """True or false."""
        return bool(self.raw(name))

    def text(self, name: str) -> str:
        """Return a text, or "" if the field is missing."""
        return str(self.raw(name) or "")

    def whole(self, name: str) -> int | None:
        """Return an integer, or None if the field is missing."""
        value: int | None = self.raw(name)
        return value

    def number(self, name: str) -> int:
        """Return the integer of a field with a default."""
        return int(self.raw(name))

    def seconds(self) -> float:
        """Return the time limit: wall-clock seconds if the request gives it, else processor time."""
        seconds = self.raw("seconds")
        return float(seconds) if "seconds" in self else ProcessorSeconds(seconds)

    def mapping(self, name: str) -> dict[str, Json]:
        """Return an object, which is empty if the field is missing."""
        return self.raw(name) or {}

    def listing(self, name: str) -> list[Json]:
        """Return a list. Raises ProblemError if the field is missing or not a list."""
        value = self.raw(name)
        if not isinstance(value, list):
            raise ProblemError(f"{name} must be a list, not {_short_json(value)}")
        return value

    def board(self, most: int = MAX_SQUARES) -> Board:
        """Return the field `board`, with at most `most` squares."""
        with values_from_json():
            return board_of(self._body.get("board"), most)

    def problem(self) -> Problem:
        """Return the problem: the board and the conditions that this path supports."""
        conditions: dict[str, Any] = {name: self.raw(name) for name in question_names() if name in self._rows}
        return Problem(self.board(MAX_SEARCHED), **conditions)


@contextmanager
def values_from_json() -> Iterator[None]:
    """Convert the error of a value of a wrong type to ProblemError, since the value is from a request."""
    try:
        yield
    except TypeError as error:
        helps = [note.removeprefix("help: ") for note in getattr(error, "__notes__", ())]
        raise ProblemError(str(error), help="; ".join(helps)) from None


def _is_of(value: Json, kind: str) -> bool:
    return is_whole(value) if kind == "integer" else isinstance(value, _TYPES[kind][0])


def _whole(name: str, value: Json) -> int:
    with values_from_json():
        return whole_number(value, name)


def _check_square(name: str, value: Json) -> None:
    if not isinstance(value, str) and not (isinstance(value, list) and all(map(is_whole, value))):
        raise ProblemError(f"{name} must be a square, not {_short_json(value)}", help='such as "a1", or [0, 0]')


def _check_item(name: str, value: Json, row: Schema) -> None:
    if row == _SQUARE:
        _check_square(name, value)
    elif row.get("type") == "integer":
        _whole(name, value)


def _check_bounds(name: str, value: float, row: Schema) -> None:
    least, above, most = (row.get(bound) for bound in ("minimum", "exclusiveMinimum", "maximum"))
    is_low = (isinstance(least, int | float) and value < least) or (isinstance(above, int) and value <= above)
    # The JSON parser rejects infinite numbers. Integers may be too large for a float.
    if not is_low and not (isinstance(most, int | float) and value > most):
        return
    if name == "seconds":
        raise ProblemError(
            f"seconds must be above 0 and at most {most:g} here, not {_short_json(value)}",
            help="longer searches are for the command line: knightstour solve --timeout",
        )
    bounds = f"at least {least:,}" if most is None else f"at most {most:,}" if least is None else ""
    raise ProblemError(f"{name} must be {bounds or f'from {least:,} to {most:,}'}, not {_short_json(value)}")


def _short_json(value: Json) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def board_of(value: Json, most: int = MAX_SQUARES) -> Board:
    """Return the board of a request: "8x8", 8, [8, 8], a drawing, the rows of a drawing, or an object.

    Objects have rows, cols, holes and wrap; leaper, leaps or moves define the piece.

    >>> board_of({"rows": 5, "cols": 6, "holes": ["a1", [0, 0]]})
    Board(5, 6, holes=[(0, 0), (4, 0)])
    >>> board_of(".#.\\n...").holes
    frozenset({(0, 1)})
    """
    if isinstance(value, list) and value and all(isinstance(row, str) for row in value):
        value = "\n".join(str(row) for row in value)
    if isinstance(value, str) and ("\n" in value or (value.strip(" ") and not value.strip(".# "))):
        # Each square may be followed by a line end.
        if len(value) > 2 * most:
            raise BoardError(f"the drawing has more than {most:,} squares", help=_elsewhere(most))
        return Board.from_text(value)
    if isinstance(value, dict):
        check_entries(value, _BOARD_FIELDS, "a board", word="field", error=BoardError)
        for name in ("rows", "cols"):
            if name not in value:
                raise BoardError(f"the board's {name} are missing")
        leaper = value.get("leaper")
        leaper = tuple(leaper) if isinstance(leaper, list) else leaper
        said = [value[name] for name in ("leaps", "moves") if value.get(name) is not None]
        if len(said) > 1:
            raise BoardError("the board's leaps and moves cannot be combined", help="use one of them")
        moves = said[0] if said else None
        board: Board = Board(value["rows"], value["cols"], wrap=value.get("wrap"), moves=moves, leaper=leaper)
    elif isinstance(value, str | list | int):
        board = Board(value)
    else:
        raise BoardError(f"not a board: {_short_json(value)}", help='use a size such as "8x8", or an object')
    if board.rows * board.cols > most:
        message = f"{board.rows}x{board.cols} is more than the {most:,} squares that a board may have here"
        raise BoardError(message, help=_elsewhere(most))
    holes = value.get("holes") if isinstance(value, dict) else None
    if not holes or not isinstance(board, GridBoard):
        return board
    if not isinstance(holes, list):
        raise BoardError(f"holes must be a list of squares, not {_short_json(holes)}")
    if len(holes) > square_count(board):
        raise BoardError(f"there are more holes than the {square_count(board):,} squares of the board")
    return board.replace(holes=holes)


def _elsewhere(most: int) -> str:
    bound = "60x60 is searched here" if most == MAX_SEARCHED else "200x200 is shown here"
    return f"up to {bound}; larger boards are for the command line: knightstour solve 1000x1000 -o tour.npy"


def steps_of(values: list[Json], board: Board) -> list[Json]:
    """Convert the squares of a walk for Tour: square numbers become pairs; names and pairs are unchanged.

    Pairs are lists, as in JSON, since a tuple could be the label of a cell.

    >>> steps_of([0, 9, "a1"], Board(8, 8))
    [[0, 0], [1, 1], 'a1']
    """
    if len(values) > MAX_SQUARES:
        raise ProblemError(f"{len(values):,} squares are more than the {MAX_SQUARES:,} that a tour may have here")
    return [
        [*divmod(value, board.cols)] if isinstance(value, int) and not isinstance(value, bool) else value
        for value in values
    ]
