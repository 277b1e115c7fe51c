"""The API as one table: for each path the fields that a request may have, and the call that answers it.

A plan reads the fields of a request and makes a Job of it, without doing any work: the job is a call for a worker
process, and says which lane it waits in and when it is ended. The routes of the server, the check for unknown fields
and the OpenAPI document all read `PLANS`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from knightstour.constructions import explicit
from knightstour.formats.table import FORMATS
from knightstour.machine.calls import Call
from knightstour.methods.table import checked_method
from knightstour.model.budget import Limits
from knightstour.model.errors import FormatError, MethodError, ProblemError
from knightstour.model.validation import whole_number
from knightstour.web import answers, spaces
from knightstour.web.fields import MOST_SEARCHED, Fields

# What is done at once waits in a lane of its own, so that it never stands behind searches.
QUICK: Final = "quick"
SEARCH: Final = "search"

_DEFAULT_SECONDS = 10.0
_COMPLETABLE_SECONDS = 2.0
_MOST_COMPLETABLE_SECONDS = 10.0
_DEFAULT_EVENTS = 10_000
_MOST_EVENTS = 100_000
# A call that takes so much longer than its own limit is ended.
_GRACE_SECONDS = 5.0
# The facts of a board are four searches of five seconds at most, and some more of half a second.
_FACTS_SECONDS = 60.0
_QUICK_SECONDS = 10.0
# A worker's first look into a large space opens its file and loads what goes through it.
_SPACE_SECONDS = 30.0


class Job(NamedTuple):
    """A call to be made in a worker of a lane, and the seconds after which the worker is ended.

    begin: what the first event of a stream says, for calls that emit parts; else None. media_type: of the answer.
    """

    call: Call
    lane: str
    seconds: float
    begin: dict[str, Any] | None = None
    media_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is behind one path: the fields it takes, which of them are needed, and how they become a Job."""

    make: Callable[[Fields], Job | spaces.Order]
    summary: str
    fields: tuple[str, ...]
    needed: tuple[str, ...] = ("board",)
    media_type: str = "application/json"


_QUESTION = ("board", "closed", "start", "end", "method", "seed", "options", "workers", "seconds", "nodes")


def _asked(fields: Fields) -> answers.Asked:
    """What is asked of a method, checked."""
    problem = fields.problem()
    method = fields.text("method", "auto")
    workers = fields.whole("workers", least=1)
    cores = os.cpu_count() or 1
    if workers is not None and workers > cores:
        raise MethodError(f"{workers} workers are more than the {cores} cores of this computer")
    _, options = checked_method(problem, method, fields.mapping("options"), workers)
    limits = Limits(fields.seconds(_DEFAULT_SECONDS), fields.whole("nodes", least=1))
    return answers.Asked(problem, method, fields.whole("seed"), options, workers, limits)


def _solve(fields: Fields) -> Job:
    asked = _asked(fields)
    problem, method, limits = asked.problem, asked.method, asked.limits
    call = Call(answers.solve, (asked,))
    assert limits.seconds is not None
    # A construction takes 0.3 ms for 8x8, and 4 ms for 60x60.
    is_constructed = method in ("auto", "explicit") and explicit.why_not_explicit(problem) is None
    return Job(call, QUICK if is_constructed else SEARCH, limits.seconds + _GRACE_SECONDS)


def _trace(fields: Fields) -> Job:
    asked = _asked(fields)
    problem, limits = asked.problem, asked.limits
    if asked.seed is None:
        asked = asked._replace(seed=secrets.randbits(32))
    events = fields.whole("events", least=1, most=_MOST_EVENTS) or _DEFAULT_EVENTS
    begin = {"rows": problem.board.rows, "cols": problem.board.cols, "method": asked.method, "seed": asked.seed}
    assert limits.seconds is not None
    return Job(
        Call(answers.trace, (asked, events)),
        SEARCH,
        limits.seconds + _GRACE_SECONDS,
        begin,
        "text/event-stream; charset=utf-8",
    )


def _completable(fields: Fields) -> Job:
    seconds = fields.seconds(_COMPLETABLE_SECONDS, _MOST_COMPLETABLE_SECONDS)
    call = Call(answers.completable, (fields.problem(), fields.listing("path"), seconds))
    return Job(call, SEARCH, seconds + _GRACE_SECONDS)


def _check(fields: Fields) -> Job:
    if ("text" in fields) == ("squares" in fields):
        raise ProblemError("give either a text or squares to check", help='{"text": "1 4 7 ..."} or {"squares": [...]}')
    if "squares" in fields:
        return _quick(answers.check_squares, fields.board(), fields.listing("squares"))
    name = fields.text("format") or None
    if name is not None and (name not in FORMATS or FORMATS[name].is_binary):
        texts = ", ".join(row.name for row in FORMATS.values() if not row.is_binary)
        raise FormatError(f"there is no text format {name[:60]!r}", help=f"one of {texts}")
    return _quick(answers.check, fields.text("text"), name, fields.board() if "board" in fields else None)


def _facts(fields: Fields) -> Job:
    board = fields.board()
    if "squares" in fields:
        return _quick(answers.tour_facts, board, fields.listing("squares"))
    if board.is_rectangle:
        return _quick(answers.board_facts, board)
    return Job(Call(answers.board_facts, (fields.board(MOST_SEARCHED),)), SEARCH, _FACTS_SECONDS)


def _moves(fields: Fields) -> Job:
    return _quick(answers.moves, fields.board())


def _compare(fields: Fields) -> Job:
    tours = fields.listing("tours")
    if len(tours) != 2 or not all(isinstance(squares, list) for squares in tours):
        raise ProblemError("tours must be two lists of squares")
    return _quick(answers.compare, fields.board(), tours)


def _quick(function: Callable[..., Any], *arguments: Any) -> Job:
    return Job(Call(function, arguments), QUICK, _QUICK_SECONDS)


def _numbered(function: Callable[..., Any], *arguments: Any) -> Job:
    return Job(Call(function, arguments), QUICK, _SPACE_SECONDS)


# Pixels of the longer side; and squares of a picture that is drawn at once.
_MOST_SIZE = 4000
_MOST_FRAMES = 300
_MOST_DRAWN_AT_ONCE = 3600
_DRAWING_SECONDS = 30.0


def _draw(fields: Fields) -> Job:
    board = fields.board()
    squares = fields.listing("squares") if "squares" in fields else None
    format = fields.text("format", "svg")
    if format in FORMATS and not FORMATS[format].is_binary:
        if squares is None:
            raise FormatError(f"{format} is for tours, and there are no squares", help="draw a board as svg or png")
        job = _quick(answers.text_of, board, squares, format)
        return job._replace(media_type="application/json" if format == "json" else "text/plain; charset=utf-8")
    if format not in answers.PICTURES:
        texts = [row.name for row in FORMATS.values() if not row.is_binary]
        raise FormatError(
            f"there is no format {format[:60]!r} here", help="one of " + ", ".join([*answers.PICTURES, *texts])
        )
    options = fields.mapping("options")
    for name in ("style", "theme"):
        if name in fields:
            options[name] = fields.text(name)
    for name, most in (("size", _MOST_SIZE), ("frames", _MOST_FRAMES)):
        value = options.get(name)
        if isinstance(value, int | float) and value > most:
            raise FormatError(f"{name} may be at most {most:,} here, not {value:g}")
    is_quick = format == "svg" and board.rows * board.cols <= _MOST_DRAWN_AT_ONCE
    return Job(
        Call(answers.draw, (board, squares, format, options)),
        QUICK if is_quick else SEARCH,
        _QUICK_SECONDS if is_quick else _DRAWING_SECONDS,
        media_type=answers.PICTURES[format],
    )


def _status(fields: Fields) -> spaces.Order:
    return spaces.Order(fields.problem(), "status")


def _build(fields: Fields) -> spaces.Order:
    return spaces.Order(fields.problem(), "build")


def _cancel(fields: Fields) -> spaces.Order:
    return spaces.Order(fields.problem(), "cancel")


def _unrank(fields: Fields) -> Job:
    problem = fields.problem()
    number = fields.raw("number")
    if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS:
        number = int(number)
    return _numbered(answers.unrank, spaces.ready_path(problem), whole_number(number, "the number of a tour"))


def _rank(fields: Fields) -> Job:
    return _numbered(answers.rank, spaces.ready_path(fields.problem()), fields.listing("squares"))


def _random(fields: Fields) -> Job:
    seed = fields.whole("seed", least=0)
    seed = secrets.randbits(32) if seed is None else seed
    return _numbered(answers.random_tour, spaces.ready_path(fields.problem()), seed)


_MOST_DIGITS = 1000
_SPACE = ("board", "closed", "start", "end")

PLANS: Final[dict[str, Plan]] = {
    "solve": Plan(_solve, "A tour, or why there is none", _QUESTION),
    "trace": Plan(_trace, "A search step by step, as it goes", (*_QUESTION, "events"), media_type="text/event-stream"),
    "completable": Plan(
        _completable,
        "Can this path be finished to a tour?",
        ("board", "path", "closed", "start", "end", "seconds"),
        ("board", "path"),
    ),
    "check": Plan(_check, "Is this a tour?", ("text", "format", "board", "squares"), ()),
    "facts": Plan(_facts, "What is known of a board, or of a tour", ("board", "squares")),
    "moves": Plan(_moves, "The squares a move away from each", ("board",)),
    "compare": Plan(_compare, "What two tours have in common", ("board", "tours"), ("board", "tours")),
    "draw": Plan(
        _draw,
        "A picture of a tour, a path or a board; or a tour as text",
        ("board", "squares", "format", "style", "theme", "options"),
        media_type="*/*",
    ),
    "space/status": Plan(_status, "How it stands with the numbers of all tours", _SPACE),
    "space/build": Plan(_build, "Begin to number all tours", _SPACE),
    "space/cancel": Plan(_cancel, "Stop numbering all tours, unless somebody else waits for it", _SPACE),
    "space/unrank": Plan(_unrank, "The tour of a number", (*_SPACE, "number"), ("board", "number")),
    "space/rank": Plan(_rank, "The number of a tour", (*_SPACE, "squares"), ("board", "squares")),
    "space/random": Plan(_random, "A tour drawn evenly from all", (*_SPACE, "seed")),
}


def plan(name: str, body: dict[str, Any]) -> Job | spaces.Order:
    """The job, or the order for the spaces, that answers a request; a KnightsTourError where it makes no sense."""
    row = PLANS[name]
    return row.make(Fields(body, row.fields, row.needed))
