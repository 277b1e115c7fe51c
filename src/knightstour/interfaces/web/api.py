"""The API as one table: for each path, the function that answers it and the fields of its requests.

The parameters of the function define the fields of the request (binding.py). A route only creates a Call from a
request: the function for a worker, the lane in which the call waits, and its time limit. The routes of the server, the
check of the fields, the OpenAPI document and a table of the site's reference are derived from ROUTES. The description
of each field comes from FIELDS.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from knightstour.core.constructions import explicit
from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.formats.table import FORMATS
from knightstour.core.model.board import Board, square_count
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import Problem
from knightstour.interfaces.web import answers, counts, numbering, puzzles
from knightstour.interfaces.web.binding import arguments_of, names_of
from knightstour.interfaces.web.fields import FIELDS, MAX_SEARCHED, Fields, Json, Schema, field_named, seconds_field

# Quick calls have separate processes, so that they never wait for searches.
QUICK: Final = "quick"
SEARCH: Final = "search"
# Separate lane, so that puzzles do not wait for searches in a browser, which runs only one search.
PUZZLE: Final = "puzzle"
# Numbering all tours of a large board needs gigabytes of memory, too much for a browser.
NUMBERING: Final = "numbering"

# Squares of the largest board whose numbering needs at most 20 seconds. For comparison, 7x7 needs gigabytes.
MAX_NUMBERED_AT_ONCE: Final = 36

# The server ends a call that runs this much longer than its limit. In a checkout, the first call may build the kernels'
# library, which no limit ends, and on a busy machine a second of processor time lasts longer.
_PATIENCE, _GRACE_SECONDS = 4, 40.0
_QUICK_SECONDS = 10.0
# The first call about a large space opens its file and loads the code that reads it.
_SPACE_SECONDS = 30.0
# Calls without a time limit of their own: a sample, a plan, or the facts of a board.
_WORK_SECONDS = 10.0
# Squares of the largest SVG that is a quick call.
_MAX_DRAWN_AT_ONCE = 3600
_DRAWING_SECONDS = 30.0
_EVENTS = "text/event-stream; charset=utf-8"
_TEXTS: Final = tuple(name for name, row in FORMATS.items() if not row.is_binary)


class Call(NamedTuple):
    """A call for a worker of a lane, and the seconds after which the worker is ended.

    first_event: content of the first event of a stream, for calls that emit parts; else None.
    media_type: media type of the response.
    """

    function: Callable[..., Any]
    arguments: tuple[object, ...]
    lane: str
    seconds: float
    first_event: dict[str, Json] | None = None
    media_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Route:
    """One path of the API.

    answer: function that answers in a worker. summary: description of the response. lane: lane in which the call waits.
    seconds: time limit, fixed or computed from the request. needed: required fields. settle: settle(call, fields)
    returns the final call, or raises an error for fields that cannot be combined. more: fields for `settle` alone.
    differing: rows that differ from FIELDS for this path.
    """

    answer: Callable[..., object]
    summary: str
    lane: str = SEARCH
    seconds: Callable[[Fields], float] | float = Fields.seconds
    needed: tuple[str, ...] = ("board",)
    settle: Callable[[Call, Fields], Call] | None = None
    more: tuple[str, ...] = ()
    media_type: str = "application/json"
    differing: Mapping[str, Schema] = field(default_factory=dict)

    @property
    def fields(self) -> tuple[str, ...]:
        """The supported fields."""
        return (*names_of(self.answer), *self.more)

    @property
    def rows(self) -> dict[str, Schema]:
        """The row of each field."""
        return {name: self.differing.get(name) or field_named(name) for name in self.fields}

    def make(self, fields: Fields) -> Call:
        """Create the call for a request."""
        arguments = arguments_of(self.answer, fields)
        seconds = self.seconds(fields) if callable(self.seconds) else self.seconds
        call = Call(self.answer, arguments, self.lane, seconds if self.lane == QUICK else _server_timeout(seconds))
        return call if self.settle is None else self.settle(call, fields)


def _server_timeout(seconds: float) -> float:
    """Return the seconds after which the server ends a call with this limit."""
    return _PATIENCE * seconds + _GRACE_SECONDS


# ---------------------------------------------------------------- details of some paths


def _solve(call: Call, fields: Fields) -> Call:
    request = call.arguments[0]
    assert isinstance(request, answers.SolveRequest)
    # A construction needs 0.3 ms for 8x8, and 4 ms for 60x60. An improvement uses the whole time limit.
    is_built = explicit.is_constructed(request.method, request.problem)
    is_quick = is_built and not fields.text("minimize") and not fields.text("maximize") and not fields.flag("proof")
    return call._replace(lane=QUICK) if is_quick else call


def _trace(call: Call, fields: Fields) -> Call:
    request, *others = call.arguments
    assert isinstance(request, answers.SolveRequest)
    if request.seed is None:
        request = request._replace(seed=secrets.randbits(32))
    board = request.problem.board
    begin = {"rows": board.rows, "cols": board.cols, "method": request.method, "seed": request.seed}
    return call._replace(arguments=(request, *others), first_event=begin, media_type=_EVENTS)


def _check(call: Call, fields: Fields) -> Call:
    if ("text" in fields) == ("squares" in fields):
        raise ProblemError("either a text or squares must be given", help='{"text": "1 4 7 ..."} or {"squares": [...]}')
    if "squares" in fields:
        fields.board()
    name = fields.text("format")
    if name and (name not in FORMATS or FORMATS[name].is_binary):
        raise FormatError(f"there is no text format {name[:60]!r}", help=f"one of {', '.join(_TEXTS)}")
    return call


def _facts(call: Call, fields: Fields) -> Call:
    board = call.arguments[0]
    assert isinstance(board, Board)
    if "from_to" in fields:
        if len(fields.listing("from_to")) != 2 or "squares" in fields:
            raise ProblemError("from_to is two squares, without a tour", help='{"board": 8, "from_to": ["a8", "h1"]}')
    elif "squares" not in fields and not is_rectangle(board):
        fields.board(MAX_SEARCHED)
        return call._replace(lane=SEARCH, seconds=_server_timeout(_WORK_SECONDS))
    return call


def _draw(call: Call, fields: Fields) -> Call:
    drawing = call.arguments[0]
    assert isinstance(drawing, answers.PictureRequest)
    board, format = drawing.board, drawing.format
    if format in _TEXTS:
        if drawing.squares is None:
            raise FormatError(f"{format} is for tours, and there are no squares", help="draw a board as svg or png")
        kind = "application/json" if format == "json" else "text/plain; charset=utf-8"
        return call._replace(media_type=kind)
    if format not in PICTURE_KINDS:
        known = ", ".join((*PICTURE_KINDS, *_TEXTS))
        raise FormatError(f"there is no format {format[:60]!r} here", help=f"one of {known}")
    if format != "svg" or board.rows * board.cols > _MAX_DRAWN_AT_ONCE:
        call = call._replace(lane=SEARCH, seconds=_DRAWING_SECONDS)
    return call._replace(media_type=PICTURE_KINDS[format].media_type)


def _count(call: Call, fields: Fields) -> Call:
    return _with_progress(call, counts.count_with_progress) if fields.flag("progress") else call


def _with_progress(call: Call, function: Callable[..., object], **first: Json) -> Call:
    return call._replace(function=function, first_event=first, media_type=_EVENTS)


def _build(call: Call, fields: Fields) -> Call:
    problem = call.arguments[0]
    assert isinstance(problem, Problem)
    is_small = square_count(problem.board) <= MAX_NUMBERED_AT_ONCE
    if fields.whole("max_bytes") == 0:
        call = call._replace(lane=QUICK, seconds=_SPACE_SECONDS)
    else:
        call = call._replace(lane=SEARCH if is_small else NUMBERING)
    return _with_progress(call, numbering.build)


_SVG: Final = {**FIELDS["format"], "default": "svg"}
_OF_TOUR: Final = ("board", "squares")

ROUTES: Final[dict[str, Route]] = {
    "solve": Route(
        answers.solve,
        "a tour, or the reason why no tour exists",
        # The search may use the whole time limit, and the proof the same time again.
        seconds=lambda fields: fields.seconds() * (2 if fields.flag("proof") else 1),
        settle=_solve,
    ),
    "trace": Route(
        answers.trace, "the steps of a search, during the search", settle=_trace, media_type="text/event-stream"
    ),
    "completable": Route(
        answers.completable,
        "whether this path can be finished to a tour",
        needed=("board", "path"),
        differing={"seconds": seconds_field(2, 10)},
    ),
    "count": Route(counts.count, "the exact number of tours", settle=_count, more=("progress",)),
    "count/estimate": Route(counts.estimate, "an estimate of the number of tours"),
    "check": Route(
        answers.check,
        "whether a text or a list of squares is a tour that meets the demands",
        QUICK,
        _QUICK_SECONDS,
        (),
        settle=_check,
        differing={"closed": {**FIELDS["closed"], "description": "whether closed tours are demanded"}},
    ),
    "facts": Route(
        answers.facts,
        "facts about a board, a tour, or the shortest paths between two squares",
        QUICK,
        _QUICK_SECONDS,
        settle=_facts,
    ),
    "puzzle": Route(
        puzzles.make,
        "a puzzle with exactly one solution",
        PUZZLE,
        differing={"text": {"type": "string", "description": "a letter for each square; it has exactly one reading"}},
    ),
    "puzzle/check": Route(
        puzzles.check,
        "whether a puzzle has one solution, with its level or the squares in which its solutions differ",
        PUZZLE,
        lambda fields: 2 * fields.seconds() + _WORK_SECONDS,
        ("puzzle",),
    ),
    "puzzle/hint": Route(
        puzzles.hint, "the easiest next step of a puzzle, with its reason", PUZZLE, _WORK_SECONDS, ("puzzle",)
    ),
    "moves": Route(answers.moves, "the neighbours of each square", QUICK, _QUICK_SECONDS),
    "draw": Route(
        answers.draw,
        "a picture of a tour, a path or a board, or a tour as text",
        QUICK,
        _QUICK_SECONDS,
        settle=_draw,
        media_type="*/*",
        differing={"format": _SVG},
    ),
    "space/build": Route(
        numbering.build,
        "the number of all tours, after numbering them with progress, or the cost of the numbering",
        seconds=numbering.BUILD_SECONDS,
        settle=_build,
        media_type="text/event-stream",
    ),
    "space/unrank": Route(numbering.unrank, "the tour of a number", QUICK, _SPACE_SECONDS, ("board", "number")),
    "space/rank": Route(numbering.rank, "the number of a tour", QUICK, _SPACE_SECONDS, _OF_TOUR),
    "space/random": Route(numbering.random_tour, "a tour drawn uniformly from all", QUICK, _SPACE_SECONDS),
}


def call_of(name: str, body: dict[str, Json]) -> Call:
    """Return the call that answers a request. Raises KnightsTourError if the request is invalid."""
    row = ROUTES[name]
    return row.make(Fields(body, row.rows, row.needed))
