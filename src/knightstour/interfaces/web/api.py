"""The API as one table: for each path the function that answers it, and so the fields that a request may have.

The parameters of the function say which fields it takes (binding.py). A plan makes a Job of a request, and does no
other work: a call for a worker process, with the lane that it waits in and the time after which it is ended. The routes
of the server, the check of the fields, the OpenAPI document and a table of the site's reference all come from PLANS,
and the description of each field from FIELDS.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from knightstour.core.constructions import explicit
from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.formats.table import FORMATS
from knightstour.core.machine.calls import Call
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.interfaces.web import answers, many, orders, puzzles, sequences
from knightstour.interfaces.web.binding import Ends, arguments_of, names_of
from knightstour.interfaces.web.fields import FIELDS, MOST_SEARCHED, Fields, Json, Schema, field_named, seconds_field

# Quick calls have a lane of their own, so that they never wait for searches.
QUICK: Final = "quick"
SEARCH: Final = "search"
# Whoever solves a puzzle waits for no search either.
PUZZLE: Final = "puzzle"

# A call that has not ended this much later than its limit is ended from outside. In a checkout the first one may build
# the kernels' library, which no limit ends, and on a busy machine seconds of processor time take longer.
_PATIENCE, _GRACE_SECONDS = 4, 40.0
_QUICK_SECONDS = 10.0
# The first call about a large space opens its file and loads the code that reads it.
_SPACE_SECONDS = 30.0
# Calls without a time limit of their own: a sample, a plan, or the facts of a board.
_WORK_SECONDS = 10.0
# Squares of the largest SVG that is a quick call.
_MOST_DRAWN_AT_ONCE = 3600
_DRAWING_SECONDS = 30.0
_EVENTS = "text/event-stream; charset=utf-8"
_TEXTS: Final = tuple(name for name, row in FORMATS.items() if not row.is_binary)


class Job(NamedTuple):
    """A call to be made in a worker of a lane, and the seconds after which the worker is ended.

    begin: what the first event of a stream says, for calls that emit parts; else None. media_type: of the answer.
    """

    call: Call
    lane: str
    seconds: float
    begin: dict[str, Json] | None = None
    media_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Plan:
    """One path of the API.

    answer: the function that answers, in a worker. summary: what the answer is. lane: where it waits. seconds: its time
    limit, of the request or its own. needed: the fields that must be given. settle: settle(job, fields) -> the job as
    it is to be, or an error for fields that do not go together. more: fields that only `settle` reads. differing: rows
    that differ here from those of FIELDS.
    """

    answer: Callable[..., object]
    summary: str
    lane: str = SEARCH
    seconds: Callable[[Fields], float] | float = Fields.seconds
    needed: tuple[str, ...] = ("board",)
    settle: Callable[[Job, Fields], Job | orders.Order] | None = None
    more: tuple[str, ...] = ()
    media_type: str = "application/json"
    differing: Mapping[str, Schema] = field(default_factory=dict)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that may be given."""
        return (*names_of(self.answer), *self.more)

    @property
    def rows(self) -> dict[str, Schema]:
        """The row of each field."""
        return {name: self.differing.get(name) or field_named(name) for name in self.fields}

    def make(self, fields: Fields) -> Job | orders.Order:
        """The job of a request."""
        call = Call(self.answer, arguments_of(self.answer, fields))
        seconds = self.seconds(fields) if callable(self.seconds) else self.seconds
        job = Job(call, self.lane, seconds if self.lane == QUICK else _patient(seconds))
        return job if self.settle is None else self.settle(job, fields)


def _patient(seconds: float) -> float:
    """After how long a call with this limit is ended from outside."""
    return _PATIENCE * seconds + _GRACE_SECONDS


# ---------------------------------------------------------------- what more there is to say of some paths


def _solve(job: Job, fields: Fields) -> Job:
    asked = job.call.arguments[0]
    assert isinstance(asked, answers.Asked)
    # A construction takes 0.3 ms for 8x8, and 4 ms for 60x60; improving it takes all the seconds there are.
    is_constructed = asked.method in ("auto", "explicit") and explicit.why_not_explicit(asked.problem) is None
    is_quick = is_constructed and not fields.text("objective") and not fields.flag("proof")
    return job._replace(lane=QUICK) if is_quick else job


def _trace(job: Job, fields: Fields) -> Job:
    asked, *others = job.call.arguments
    assert isinstance(asked, answers.Asked)
    if asked.seed is None:
        asked = asked._replace(seed=secrets.randbits(32))
    board = asked.problem.board
    begin = {"rows": board.rows, "cols": board.cols, "method": asked.method, "seed": asked.seed}
    return job._replace(call=Call(answers.trace, (asked, *others)), begin=begin, media_type=_EVENTS)


def _check(job: Job, fields: Fields) -> Job:
    if ("text" in fields) == ("squares" in fields):
        raise ProblemError("give either a text or squares to check", help='{"text": "1 4 7 ..."} or {"squares": [...]}')
    if "squares" in fields:
        fields.board()
    name = fields.text("format")
    if name and (name not in FORMATS or FORMATS[name].is_binary):
        raise FormatError(f"there is no text format {name[:60]!r}", help=f"one of {', '.join(_TEXTS)}")
    return job


def _facts(job: Job, fields: Fields) -> Job:
    board = job.call.arguments[0]
    assert isinstance(board, Board)
    if "from_to" in fields:
        if len(fields.listing("from_to")) != 2 or "squares" in fields:
            raise ProblemError("from_to is two squares, without a tour", help='{"board": 8, "from_to": ["a8", "h1"]}')
    elif "squares" not in fields and not board.is_rectangle:
        fields.board(MOST_SEARCHED)
        return job._replace(lane=SEARCH, seconds=_patient(_WORK_SECONDS))
    return job


def _draw(job: Job, fields: Fields) -> Job:
    drawing = job.call.arguments[0]
    assert isinstance(drawing, answers.Drawing)
    board, format = drawing.board, drawing.format
    if format in _TEXTS:
        if drawing.squares is None:
            raise FormatError(f"{format} is for tours, and there are no squares", help="draw a board as svg or png")
        kind = "application/json" if format == "json" else "text/plain; charset=utf-8"
        return job._replace(media_type=kind)
    _check_picture(format, (*PICTURE_KINDS, *_TEXTS))
    count = 1 if drawing.tours is None else len(drawing.tours)
    if format != "svg" or count * board.rows * board.cols > _MOST_DRAWN_AT_ONCE:
        job = job._replace(lane=SEARCH, seconds=_DRAWING_SECONDS)
    if fields.flag("progress"):
        call = job.call._replace(function=answers.draw_with_progress)
        return job._replace(call=call, begin={"format": format}, media_type=_EVENTS)
    return job._replace(media_type=PICTURE_KINDS[format].media_type)


def _draw_proof(job: Job, fields: Fields) -> Job:
    format = fields.text("format")
    _check_picture(format, tuple(PICTURE_KINDS))
    return job._replace(seconds=_DRAWING_SECONDS, media_type=PICTURE_KINDS[format].media_type)


def _check_picture(format: str, known: tuple[str, ...]) -> None:
    if format not in PICTURE_KINDS:
        raise FormatError(f"there is no format {format[:60]!r} here", help=f"one of {', '.join(known)}")


def _space(does: orders.Does, summary: str) -> Plan:
    """A path about the space of a question. The server and the browser carry out its order each in their way."""

    def settle(job: Job, fields: Fields) -> orders.Order:
        problem = job.call.arguments[0]
        assert isinstance(problem, Problem)
        return orders.Order(problem, does)

    return Plan(_no_answer, summary, settle=settle, seconds=_WORK_SECONDS)


def _no_answer(problem: Ends) -> Problem:
    """What an order takes; it is never called."""
    return problem


_SVG: Final = {**FIELDS["format"], "default": "svg"}
# Without an objective any tour will do.
_WANTED: Final = {name: value for name, value in FIELDS["objective"].items() if name != "default"}
_OF_TOUR: Final = ("board", "squares")

PLANS: Final[dict[str, Plan]] = {
    "solve": Plan(
        answers.solve,
        "a tour, or why there is none",
        # Finding the tour may take all of the time, and then its proof once more.
        seconds=lambda fields: fields.seconds() * (2 if fields.flag("proof") else 1),
        settle=_solve,
        differing={"objective": _WANTED},
    ),
    "trace": Plan(answers.trace, "a search step by step, as it goes", settle=_trace, media_type="text/event-stream"),
    "completable": Plan(
        answers.completable,
        "whether this path can be finished to a tour",
        needed=("board", "path"),
        differing={"seconds": seconds_field(2, 10)},
    ),
    "enumerate": Plan(many.enumerate_tours, "the first tours, in the order of backtracking"),
    "sample": Plan(many.sample, "random tours, drawn from a distribution", seconds=_WORK_SECONDS),
    "improve": Plan(
        answers.improved,
        "a tour with less (or more) of a statistic, such as turns or crossings",
        needed=_OF_TOUR,
        differing={
            "seconds": seconds_field(5, 30),
            "symmetry": {
                "type": "string",
                "description": "a symmetry of the tour that it keeps: 180, 90, vertical, ...",
            },
        },
    ),
    "measure": Plan(answers.measured, "the statistics of a tour as a drawing", QUICK, _QUICK_SECONDS, _OF_TOUR),
    "compare": Plan(
        many.compare_methods,
        "how each method fares with this question",
        seconds=lambda fields: float(fields.raw("overall")),
        differing={"seconds": seconds_field(1, 5)},
    ),
    "count": Plan(many.count, "the exact number of tours"),
    "count/starts": Plan(many.starts, "how many directed tours start at each square"),
    "count/certificate": Plan(
        many.certified,
        "the exact number with its certificate, for verify",
        seconds=lambda fields: 2 * fields.seconds(),
    ),
    "count/plan": Plan(many.plan, "how the tours would be counted, and what it would take", seconds=_WORK_SECONDS),
    "count/estimate": Plan(many.estimate, "an estimate of the number of tours"),
    "census": Plan(
        many.take_census,
        "how many tours have each value of a statistic, all or in a sample",
        needed=("board", "statistic"),
        differing={
            "samples": {
                "type": "integer",
                "description": "tours to draw; all if it is left out",
                "minimum": 1,
                "maximum": 200_000,
            }
        },
    ),
    "sequence": Plan(
        sequences.sequence,
        "what a sequence of the OEIS counts, and the terms that it shows",
        QUICK,
        _QUICK_SECONDS,
        ("sequence",),
    ),
    "sequence/of": Plan(sequences.places, "the sequences that have a count as a term", QUICK, _QUICK_SECONDS),
    "check": Plan(
        answers.check,
        "whether a text or a list of squares is a tour, and as demanded",
        QUICK,
        _QUICK_SECONDS,
        (),
        settle=_check,
        differing={"closed": {**FIELDS["closed"], "description": "whether closed tours are demanded"}},
    ),
    "verify": Plan(
        answers.verified, "whether a certificate proves what it claims", SEARCH, _WORK_SECONDS, ("certificate",)
    ),
    "facts": Plan(
        answers.facts,
        "what is known of a board, of a tour, or of the way between two squares",
        QUICK,
        _QUICK_SECONDS,
        settle=_facts,
    ),
    "puzzle": Plan(
        puzzles.make,
        "a puzzle with exactly one solution",
        PUZZLE,
        differing={"text": {"type": "string", "description": "a letter for each square; it reads in one way only"}},
    ),
    "puzzle/check": Plan(
        puzzles.check,
        "whether a puzzle has one solution, how hard it is, or where its solutions differ",
        PUZZLE,
        lambda fields: 2 * fields.seconds() + _WORK_SECONDS,
        ("puzzle",),
        differing={"n": {**FIELDS["n"], "description": "solutions wanted", "default": 2}},
    ),
    "puzzle/hint": Plan(
        puzzles.hint,
        "the easiest next step of a puzzle, with its reason",
        PUZZLE,
        _WORK_SECONDS,
        ("puzzle",),
    ),
    "moves": Plan(answers.moves, "the squares a move away from each", QUICK, _QUICK_SECONDS),
    "compare/tours": Plan(
        answers.compare_tours, "what two tours have in common", QUICK, _QUICK_SECONDS, ("board", "tours")
    ),
    "draw": Plan(
        answers.draw,
        "a picture of a tour, tours, a path or a board; or a tour as text",
        QUICK,
        _QUICK_SECONDS,
        settle=_draw,
        more=("progress",),
        media_type="*/*",
        differing={"format": _SVG},
    ),
    "draw/proof": Plan(
        answers.draw_proof,
        "a picture of a proof, or of one scene of it",
        seconds=_DRAWING_SECONDS,
        needed=("certificate",),
        settle=_draw_proof,
        media_type="*/*",
        differing={"format": _SVG},
    ),
    "space/status": _space("status", "whether all tours are numbered yet"),
    "space/build": _space("build", "the same, after starting to number all tours"),
    "space/cancel": _space("cancel", "the same, after stopping that, unless another client waits for it"),
    "space/unrank": Plan(many.unrank, "the tour of a number", QUICK, _SPACE_SECONDS, ("board", "number")),
    "space/rank": Plan(many.rank, "the number of a tour", QUICK, _SPACE_SECONDS, _OF_TOUR),
    "space/random": Plan(many.random_tour, "a tour drawn uniformly from all", QUICK, _SPACE_SECONDS),
}


def plan(name: str, body: dict[str, Json]) -> Job | orders.Order:
    """The job, or the order for the spaces, that answers a request; a KnightsTourError if it makes no sense."""
    row = PLANS[name]
    return row.make(Fields(body, row.rows, row.needed))
