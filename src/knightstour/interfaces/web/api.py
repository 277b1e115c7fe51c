"""The API as one table: for each path the fields that a request may have, and the call that answers it.

A plan makes a Job from the fields of a request, and does no other work. The job is a call for a worker process, with
the lane that it waits in and the time after which it is ended. The routes of the server, the check of the fields, the
OpenAPI document and a table of the site's reference all come from PLANS, and the description of each field from FIELDS.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from knightstour.core.checking.demands import Demands
from knightstour.core.constructions import explicit
from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.drawing.styles import LOOK_OPTIONS
from knightstour.core.formats.table import FORMATS
from knightstour.core.machine.calls import Call
from knightstour.core.methods.table import checked_method
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import FormatError, MethodError, ProblemError
from knightstour.core.model.option import checked_options
from knightstour.core.model.validation import one_of, whole_number
from knightstour.interfaces.web import answers, many, orders, puzzles, sequences
from knightstour.interfaces.web.fields import FIELDS, MOST_SEARCHED, Fields, Json, Schema, seconds_field
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS
from knightstour.lab.sequences.table import sequence_named
from knightstour.lab.statistics.table import statistic_named

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

    make: makes the Job from the fields. summary: what the answer is. fields: those that may be given, each a row of
    FIELDS. needed: those that must be given. differing: rows that differ here from those of FIELDS.
    """

    make: Callable[[Fields], Job | orders.Order]
    summary: str
    fields: tuple[str, ...]
    needed: tuple[str, ...] = ("board",)
    media_type: str = "application/json"
    differing: Mapping[str, Schema] = field(default_factory=dict)

    @property
    def rows(self) -> dict[str, Schema]:
        """The row of each field."""
        return {name: self.differing.get(name, FIELDS[name]) for name in self.fields}


def _search(function: Callable[..., object], *arguments: object, seconds: float) -> Job:
    return Job(Call(function, arguments), SEARCH, _PATIENCE * seconds + _GRACE_SECONDS)


def _puzzling(function: Callable[..., object], *arguments: object, seconds: float) -> Job:
    return _search(function, *arguments, seconds=seconds)._replace(lane=PUZZLE)


def _limits(fields: Fields) -> Limits:
    return Limits(fields.seconds(), fields.whole("nodes"))


def _asked(fields: Fields) -> answers.Asked:
    problem, method, workers = fields.problem(), fields.text("method"), fields.whole("workers")
    cores = os.cpu_count() or 1
    if workers is not None and workers > cores:
        raise MethodError(f"{workers} workers are more than the {cores} cores of this computer")
    _, options = checked_method(problem, method, fields.mapping("options"), workers)
    return answers.Asked(
        problem, method, fields.whole("seed"), options, workers, _limits(fields), fields.flag("proofs")
    )


def _solve(fields: Fields) -> Job:
    asked = _asked(fields)._replace(objective=fields.text("objective") or None, optimal=fields.flag("optimal"))
    if fields.flag("proof"):
        # Finding the tour may take all of the time, and then its proof once more.
        return _search(answers.solve_and_prove, asked, seconds=2 * fields.seconds())
    job = _search(answers.solve, asked, seconds=fields.seconds())
    # A construction takes 0.3 ms for 8x8, and 4 ms for 60x60; improving it takes all the seconds there are.
    is_constructed = asked.method in ("auto", "explicit") and explicit.why_not_explicit(asked.problem) is None
    return job._replace(lane=QUICK) if is_constructed and asked.objective is None else job


def _trace(fields: Fields) -> Job:
    asked = _asked(fields)
    board = asked.problem.board
    if asked.seed is None:
        asked = asked._replace(seed=secrets.randbits(32))
    begin = {"rows": board.rows, "cols": board.cols, "method": asked.method, "seed": asked.seed}
    job = _search(answers.trace, asked, fields.number("events"), seconds=fields.seconds())
    return job._replace(begin=begin, media_type="text/event-stream; charset=utf-8")


def _completable(fields: Fields) -> Job:
    seconds = fields.seconds()
    return _search(answers.completable, fields.problem(), fields.listing("path"), seconds, seconds=seconds)


def _count(fields: Fields) -> Job:
    what = many.Counting(fields.flag("directed"), fields.text("symmetry") or None, fields.flag("up_to_symmetry"))
    how = (what, _limits(fields), fields.flag("known"))
    return _search(many.count, fields.problem(), *how, seconds=fields.seconds())


def _count_starts(fields: Fields) -> Job:
    return _search(many.starts, fields.problem(), _limits(fields), seconds=fields.seconds())


def _certify_count(fields: Fields) -> Job:
    how = (fields.flag("directed"), _limits(fields))
    return _search(many.certified, fields.problem(), *how, seconds=2 * fields.seconds())


def _plan_count(fields: Fields) -> Job:
    what = many.Counting(False, fields.text("symmetry") or None, fields.flag("up_to_symmetry"))
    return _search(many.plan, fields.problem(), what, seconds=_WORK_SECONDS)


def _census(fields: Fields) -> Job:
    name = statistic_named(fields.text("statistic")).name
    how = (name, fields.whole("samples"), fields.whole("seed"), _limits(fields))
    return _search(many.take_census, fields.problem(), *how, seconds=fields.seconds())


def _sequence(fields: Fields) -> Job:
    return _quick(sequences.sequence, sequence_named(fields.text("sequence")).number)


def _sequences_of(fields: Fields) -> Job:
    what = many.Counting(fields.flag("directed"), fields.text("symmetry") or None, fields.flag("up_to_symmetry"))
    return _quick(sequences.places, fields.problem(), what)


def _estimate(fields: Fields) -> Job:
    how = (fields.flag("directed"), fields.number("samples"), fields.whole("seed"), fields.seconds())
    return _search(many.estimate, fields.problem(), *how, seconds=fields.seconds())


def _sample(fields: Fields) -> Job:
    how = {name: fields.raw(name) for name in ("n", "distribution", "unique", "offset")}
    distribution = one_of(fields.text("distribution"), DISTRIBUTIONS, "distribution", error=MethodError)
    # Checked, so that no parameter of the distribution can replace another argument.
    parameters = checked_options(
        DISTRIBUTIONS[distribution].parameters, fields.mapping("options"), f"distribution {distribution}"
    )
    how |= {"rng": fields.whole("seed"), **parameters}
    return _search(many.sample, fields.problem(), how, seconds=_WORK_SECONDS)


def _enumerate(fields: Fields) -> Job:
    how = (fields.flag("directed"), fields.text("move_order"), fields.number("n"), _limits(fields))
    return _search(many.enumerate_tours, fields.problem(), *how, seconds=fields.seconds())


def _measure(fields: Fields) -> Job:
    by = [str(name) for name in fields.listing("by")] if "by" in fields else None
    closed = fields.flag("closed") if "closed" in fields else None
    return _quick(answers.measured, fields.board(), fields.listing("squares"), by, closed)


def _improve(fields: Fields) -> Job:
    how = {
        "objective": fields.text("objective"),
        "closed": fields.flag("closed") if "closed" in fields else None,
        "keep_ends": fields.flag("keep_ends"),
        "symmetry": fields.text("symmetry") or None,
        "goal": fields.whole("goal"),
        "rng": fields.whole("seed"),
        # By default the limits of the library, which do not depend on the machine.
        "limits": _limits(fields) if "seconds" in fields or "nodes" in fields else None,
    }
    call = (fields.board(MOST_SEARCHED), fields.listing("squares"), how)
    return _search(answers.improved, *call, seconds=fields.seconds())


def _compare(fields: Fields) -> Job:
    names = fields.listing("methods") if "methods" in fields else None
    how = (names, fields.number("seeds"), fields.flag("largest"), _limits(fields))
    overall = float(fields.raw("overall"))
    return _search(many.compare_methods, fields.problem(), *how, overall, seconds=overall)


def _check(fields: Fields) -> Job:
    if ("text" in fields) == ("squares" in fields):
        raise ProblemError("give either a text or squares to check", help='{"text": "1 4 7 ..."} or {"squares": [...]}')
    demands = Demands(fields.raw("start"), fields.raw("end"), fields.flag("closed"))
    if "squares" in fields:
        return _quick(answers.check_squares, fields.board(), fields.listing("squares"), demands)
    name = fields.text("format") or None
    if name is not None and (name not in FORMATS or FORMATS[name].is_binary):
        texts = ", ".join(row.name for row in FORMATS.values() if not row.is_binary)
        raise FormatError(f"there is no text format {name[:60]!r}", help=f"one of {texts}")
    return _quick(answers.check, fields.text("text"), name, fields.board() if "board" in fields else None, demands)


def _verify(fields: Fields) -> Job:
    return _search(answers.verified, fields.mapping("certificate"), seconds=_WORK_SECONDS)


def _facts(fields: Fields) -> Job:
    board = fields.board()
    if "from_to" in fields:
        squares = fields.listing("from_to")
        if len(squares) != 2 or "squares" in fields:
            raise ProblemError("from_to is two squares, without a tour", help='{"board": 8, "from_to": ["a8", "h1"]}')
        return _quick(answers.ways, board, squares)
    if "squares" in fields:
        return _quick(answers.tour_facts, board, fields.listing("squares"))
    if board.is_rectangle:
        return _quick(answers.board_facts, board)
    return _search(answers.board_facts, fields.board(MOST_SEARCHED), seconds=_WORK_SECONDS)


def _puzzle(fields: Fields) -> Job:
    texts = {name: fields.text(name) or None for name in ("level", "pattern", "text")}
    wholes = {name: fields.whole(name) for name in ("clues", "every", "places")}
    keep = fields.listing("keep") if "keep" in fields else []
    wish = {**texts, **wholes, "closed": fields.flag("closed"), "keep": keep}
    wish["rng"] = fields.whole("seed")
    return _puzzling(puzzles.make, fields.board(), wish, _limits(fields), seconds=fields.seconds())


def _check_puzzle(fields: Fields) -> Job:
    how = (fields.raw("puzzle"), fields.number("n"), _limits(fields), fields.flag("proof"))
    return _puzzling(puzzles.check, *how, seconds=2 * fields.seconds() + _WORK_SECONDS)


def _hint(fields: Fields) -> Job:
    return _puzzling(puzzles.hint, fields.raw("puzzle"), fields.mapping("state"), seconds=_WORK_SECONDS)


def _moves(fields: Fields) -> Job:
    return _quick(answers.moves, fields.board())


def _compare_tours(fields: Fields) -> Job:
    tours = fields.listing("tours")
    if len(tours) != 2 or not all(isinstance(squares, list) for squares in tours):
        raise ProblemError("tours must be two lists of squares")
    return _quick(answers.compare_tours, fields.board(), tours)


def _quick(function: Callable[..., object], *arguments: object, seconds: float = _QUICK_SECONDS) -> Job:
    return Job(Call(function, arguments), QUICK, seconds)


# Squares of the largest SVG that is a quick call.
_MOST_DRAWN_AT_ONCE = 3600
_DRAWING_SECONDS = 30.0
_LOOKS = (*LOOK_OPTIONS, "window", "fps", "frames", "per_row", "captions")
_PROOF_LOOKS = (
    *("style", "theme", "colors", "coordinates", "background", "size", "paper", "margin", "landscape", "title"),
    *("fps", "frames", "per_row"),
)


def _draw(fields: Fields) -> Job:
    board = fields.board()
    squares = fields.listing("squares") if "squares" in fields else None
    tours = fields.listing("tours") if "tours" in fields else None
    format = fields.text("format")
    if format in FORMATS and not FORMATS[format].is_binary:
        if squares is None:
            raise FormatError(f"{format} is for tours, and there are no squares", help="draw a board as svg or png")
        job = _quick(answers.text_of, board, squares, format)
        return job._replace(media_type="application/json" if format == "json" else "text/plain; charset=utf-8")
    if format not in PICTURE_KINDS:
        texts = [row.name for row in FORMATS.values() if not row.is_binary]
        known = ", ".join([*PICTURE_KINDS, *texts])
        raise FormatError(f"there is no format {format[:60]!r} here", help=f"one of {known}")
    options = {name: fields.raw(name) for name in _LOOKS if name in fields}
    count = 1 if tours is None else len(tours)
    is_quick = format == "svg" and count * board.rows * board.cols <= _MOST_DRAWN_AT_ONCE
    lane, seconds = (QUICK, _QUICK_SECONDS) if is_quick else (SEARCH, _DRAWING_SECONDS)
    asked = (answers.Drawing(board, squares, tours, format, options),)
    if fields.flag("progress"):
        call = Call(answers.draw_with_progress, asked)
        return Job(call, lane, seconds, begin={"format": format}, media_type="text/event-stream; charset=utf-8")
    return Job(Call(answers.draw, asked), lane, seconds, media_type=PICTURE_KINDS[format].media_type)


def _draw_proof(fields: Fields) -> Job:
    format = fields.text("format")
    if format not in PICTURE_KINDS:
        raise FormatError(f"there is no format {format[:60]!r} here", help=f"one of {', '.join(PICTURE_KINDS)}")
    options = {name: fields.raw(name) for name in _PROOF_LOOKS if name in fields}
    call = Call(answers.draw_proof, (fields.mapping("certificate"), fields.whole("scene"), format, options))
    return Job(call, SEARCH, _DRAWING_SECONDS, media_type=PICTURE_KINDS[format].media_type)


def _order(does: orders.Does) -> Callable[[Fields], orders.Order]:
    return lambda fields: orders.Order(fields.problem(), does)


def _unrank(fields: Fields) -> Job:
    problem = fields.problem()
    number = fields.raw("number")
    if isinstance(number, str) and number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS:
        number = int(number)
    number = whole_number(number, "the number of a tour")
    return _quick(many.unrank, orders.ready_path(problem), number, seconds=_SPACE_SECONDS)


def _rank(fields: Fields) -> Job:
    path = orders.ready_path(fields.problem())
    return _quick(many.rank, path, fields.listing("squares"), seconds=_SPACE_SECONDS)


def _random(fields: Fields) -> Job:
    seed = fields.whole("seed")
    seed = secrets.randbits(32) if seed is None else seed
    return _quick(many.random_tour, orders.ready_path(fields.problem()), seed, seconds=_SPACE_SECONDS)


_MOST_DIGITS = 1000
_QUESTION = ("board", "closed", "start", "end")
_LIMITS = ("seconds", "nodes")
# A question with conditions, where they can be met; the others refuse the fields.
_MOVES = (*_QUESTION, "given", "through", "avoid")
_ASKED = (*_MOVES, "symmetry")
_SEARCHED = (*_ASKED, "method", "seed", "options", "workers", "proofs", *_LIMITS)
_COUNTED = ("symmetry", "up_to_symmetry")
# Without an objective any tour will do.
_WANTED: Final = {name: value for name, value in FIELDS["objective"].items() if name != "default"}

PLANS: Final[dict[str, Plan]] = {
    "solve": Plan(
        _solve,
        "a tour, or why there is none",
        (*_SEARCHED, "objective", "optimal", "proof"),
        differing={"objective": _WANTED},
    ),
    "trace": Plan(_trace, "a search step by step, as it goes", (*_SEARCHED, "events"), media_type="text/event-stream"),
    "completable": Plan(
        _completable,
        "whether this path can be finished to a tour",
        (*_QUESTION, "path", "seconds"),
        ("board", "path"),
        differing={"seconds": seconds_field(2, 10)},
    ),
    "enumerate": Plan(
        _enumerate,
        "the first tours, in the order of backtracking",
        (*_ASKED, "n", "directed", "move_order", *_LIMITS),
    ),
    "sample": Plan(
        _sample,
        "random tours, drawn from a distribution",
        (*_ASKED, "n", "distribution", "unique", "seed", "offset", "options"),
    ),
    "improve": Plan(
        _improve,
        "a tour with less (or more) of a statistic, such as turns or crossings",
        ("board", "squares", "objective", "closed", "keep_ends", "symmetry", "goal", "seed", *_LIMITS),
        ("board", "squares"),
        differing={
            "seconds": seconds_field(5, 30),
            "symmetry": {
                "type": "string",
                "description": "a symmetry of the tour that it keeps: 180, 90, vertical, ...",
            },
        },
    ),
    "measure": Plan(
        _measure, "the statistics of a tour as a drawing", ("board", "squares", "by", "closed"), ("board", "squares")
    ),
    "compare": Plan(
        _compare,
        "how each method fares with this question",
        (*_ASKED, "methods", "seeds", "largest", "overall", *_LIMITS),
        differing={"seconds": seconds_field(1, 5)},
    ),
    "count": Plan(_count, "the exact number of tours", (*_MOVES, "directed", *_COUNTED, "known", *_LIMITS)),
    "count/starts": Plan(
        _count_starts,
        "how many directed tours start at each square",
        ("board", "end", "through", "avoid", *_LIMITS),
    ),
    "count/certificate": Plan(
        _certify_count,
        "the exact number with its certificate, for verify",
        (*_QUESTION, "through", "avoid", "directed", *_LIMITS),
    ),
    "count/plan": Plan(_plan_count, "how the tours would be counted, and what it would take", (*_MOVES, *_COUNTED)),
    "count/estimate": Plan(
        _estimate, "an estimate of the number of tours", (*_QUESTION, "directed", "samples", "seed", "seconds")
    ),
    "census": Plan(
        _census,
        "how many tours have each value of a statistic, all or in a sample",
        (*_QUESTION, "statistic", "samples", "seed", *_LIMITS),
        ("board", "statistic"),
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
        _sequence,
        "what a sequence of the OEIS counts, and the terms that it shows",
        ("sequence",),
        ("sequence",),
    ),
    "sequence/of": Plan(
        _sequences_of, "the sequences that have a count as a term", ("board", "closed", "directed", *_COUNTED)
    ),
    "check": Plan(
        _check,
        "whether a text or a list of squares is a tour, and as demanded",
        ("text", "format", "board", "squares", "start", "end", "closed"),
        (),
        differing={"closed": {**FIELDS["closed"], "description": "whether closed tours are demanded"}},
    ),
    "verify": Plan(_verify, "whether a certificate proves what it claims", ("certificate",), ("certificate",)),
    "facts": Plan(
        _facts,
        "what is known of a board, of a tour, or of the way between two squares",
        ("board", "squares", "from_to"),
    ),
    "puzzle": Plan(
        _puzzle,
        "a puzzle with exactly one solution",
        ("board", "closed", "level", "clues", "pattern", "keep", "every", "places", "text", "seed", *_LIMITS),
        differing={"text": {"type": "string", "description": "a letter for each square; it reads in one way only"}},
    ),
    "puzzle/check": Plan(
        _check_puzzle,
        "whether a puzzle has one solution, how hard it is, or where its solutions differ",
        ("puzzle", "n", *_LIMITS, "proof"),
        ("puzzle",),
        differing={"n": {**FIELDS["n"], "description": "solutions wanted", "default": 2}},
    ),
    "puzzle/hint": Plan(_hint, "the easiest next step of a puzzle, with its reason", ("puzzle", "state"), ("puzzle",)),
    "moves": Plan(_moves, "the squares a move away from each", ("board",)),
    "compare/tours": Plan(_compare_tours, "what two tours have in common", ("board", "tours"), ("board", "tours")),
    "draw": Plan(
        _draw,
        "a picture of a tour, tours, a path or a board; or a tour as text",
        ("board", "squares", "tours", "format", *_LOOKS, "progress"),
        media_type="*/*",
        differing={"format": {**FIELDS["format"], "default": "svg"}},
    ),
    "draw/proof": Plan(
        _draw_proof,
        "a picture of a proof, or of one scene of it",
        ("certificate", "scene", "format", *_PROOF_LOOKS),
        ("certificate",),
        media_type="*/*",
        differing={"format": {**FIELDS["format"], "default": "svg"}},
    ),
    "space/status": Plan(_order("status"), "whether all tours are numbered yet", _QUESTION),
    "space/build": Plan(_order("build"), "the same, after starting to number all tours", _QUESTION),
    "space/cancel": Plan(
        _order("cancel"), "the same, after stopping that, unless another client waits for it", _QUESTION
    ),
    "space/unrank": Plan(_unrank, "the tour of a number", (*_QUESTION, "number"), ("board", "number")),
    "space/rank": Plan(_rank, "the number of a tour", (*_QUESTION, "squares"), ("board", "squares")),
    "space/random": Plan(_random, "a tour drawn uniformly from all", (*_QUESTION, "seed")),
}


def plan(name: str, body: dict[str, Json]) -> Job | orders.Order:
    """The job, or the order for the spaces, that answers a request; a KnightsTourError if it makes no sense."""
    row = PLANS[name]
    return row.make(Fields(body, row.rows, row.needed))
