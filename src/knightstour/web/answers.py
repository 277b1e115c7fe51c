"""The answers of the API: library calls on one side, bytes of JSON on the other. Pure functions, run in the workers."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Final, NamedTuple

import numpy as np

from knightstour.checking.reports import Report
from knightstour.drawing.look import LOOK_OPTIONS, STYLES
from knightstour.drawing.themes import THEMES, ramp
from knightstour.formats import tours as formats
from knightstour.formats.boards import board_to_dict
from knightstour.methods import overview, table
from knightstour.methods.solve import solve as find
from knightstour.model.board import Board, move_graph
from knightstour.model.budget import Limits
from knightstour.model.errors import FormatError, InvalidTour, KnightsTourError
from knightstour.model.problem import Problem
from knightstour.model.result import Result, Status
from knightstour.model.tour import Tour
from knightstour.model.trace import Event, Trace, to_json
from knightstour.sampling.laws.table import LAWS
from knightstour.search.objectives.improve import improve
from knightstour.search.objectives.table import OBJECTIVES
from knightstour.web.fields import MOST_SQUARES, Json, steps_of

# Tours of one text that are reported.
_MOST_CHECKED = 100
# Events are sent when there are this many, or this many numbers in them, or after this time.
_EVENTS_A_BATCH = 500
_NUMBERS_A_BATCH = 5_000
_SECONDS_A_BATCH = 0.05
# Numbers that come with an event, on average, before no more are sent.
_NUMBERS_AN_EVENT = 10

Emit = Callable[[Json], None]


class Asked(NamedTuple):
    """What is asked of a method, checked: the arguments of solve()."""

    problem: Problem
    method: str
    seed: int | None
    options: dict[str, Json]
    workers: int | None
    limits: Limits
    proofs: bool = True
    objective: str | None = None


def to_bytes(value: Json) -> bytes:
    """A JSON text."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def record_of(result: Result) -> dict[str, Json]:
    """What `solve --json` prints."""
    board = result.problem.board
    record = result.to_dict()
    return record if board.is_rectangle else {**record, **board_to_dict(board)}


def solve(asked: Asked) -> bytes:
    """The answer to a question."""
    return to_bytes(record_of(_solved(asked)))


def _solved(asked: Asked, trace: Trace | None = None) -> Result:
    return find(
        asked.problem,
        method=asked.method,
        rng=asked.seed,
        limits=asked.limits,
        workers=asked.workers,
        proofs=asked.proofs,
        objective=asked.objective,
        trace=trace,
        **asked.options,
    )


def trace(asked: Asked, events: int, emit: Emit) -> dict[str, Json]:
    """The same, and on the way batches of the events, in the form of trace.to_json, are emitted."""
    batches = _Batches(events, emit)
    result = _solved(asked, batches.trace)
    batches.finish()
    return {
        **record_of(result),
        "counters": dict(result.counters),
        "events": batches.count,
        "dropped": batches.trace.dropped,
    }


class _Batches:
    """Emits the first events of a trace in batches, and of those after them the tour."""

    def __init__(self, most: int, emit: Emit) -> None:
        self.count = 0
        self.trace = Trace(0, on_event=self._take)
        self._most, self._emit = most, emit
        self._numbers = 0
        self._batch: list[Event] = []
        self._numbers_sent = 0
        self._next = time.monotonic()

    def _take(self, event: Event) -> None:
        # The trace itself keeps nothing and calls dropped what it passes on here.
        self.trace.dropped = 0
        self._batch.append(event)
        self.count += 1
        self._numbers += len(event.squares) + len(event.values)
        if self.count >= self._most or self._numbers >= _NUMBERS_AN_EVENT * self._most:
            # Nobody listens from here on, and a search that nobody watches makes fewer events, or none.
            self.trace.on_event = None
            self._flush()
        elif (
            len(self._batch) >= _EVENTS_A_BATCH
            or self._numbers - self._numbers_sent >= _NUMBERS_A_BATCH
            or time.monotonic() >= self._next
        ):
            self._flush()

    def _flush(self) -> None:
        if self._batch:
            self._emit(to_json(self._batch))
        self._batch, self._numbers_sent = [], self._numbers
        self._next = time.monotonic() + _SECONDS_A_BATCH

    def finish(self) -> None:
        """Send what is left."""
        if self.trace.on_event is None:
            # The tour is kept by any trace, so that the end is right again.
            self._batch = [event for event in self.trace if event.kind == "tour"]
            self.count += len(self._batch)
        self._flush()


def completable(problem: Problem, path: list[Json], seconds: float) -> bytes:
    """Whether the path can be finished to a tour that the problem asks for: "yes" with the tour, "no", or "unknown"."""
    started = time.perf_counter()
    board = problem.board
    order = path_of(board, path)
    result: Result | None
    rest = _rest_of(problem, order)
    if isinstance(rest, str):
        result, answer, reason = None, "no", rest
    else:
        result = find(rest, rng=0, limits=Limits(seconds=seconds))
        answer = {Status.FOUND: "yes", Status.IMPOSSIBLE: "no", Status.UNDECIDED: "unknown"}[result.status]
        reason = result.reason
    squares = None
    if result is not None and result.tour is not None:
        onward = result.tour.order[1:]
        # Of a closed tour the rest leads back to the first square.
        whole = np.concatenate([order, onward[: board.square_count - len(order)]])
        squares = Tour.from_order(board, whole).squares.tolist()
    return to_bytes(
        {
            "answer": answer,
            "reason": reason or None,
            "source": (result.source or None) if result is not None else None,
            "squares": squares,
            "seconds": round(time.perf_counter() - started, 6),
        }
    )


def path_of(board: Board, path: list[Json]) -> np.ndarray:
    """The square numbers of a path that may stop before all squares are visited; InvalidTour where it goes wrong."""
    squares = steps_of(path, board)
    try:
        return Tour(board, squares).order
    except InvalidTour as fault:
        # A path that is merely too short goes wrong at the step after its last.
        if fault.step != len(path) or not path:
            raise
    return np.array([row * board.cols + col for row, col in map(board.square, squares)], dtype=np.int64)


def _rest_of(problem: Problem, order: np.ndarray) -> Problem | str:
    """The question that is left: a path from the last square over all squares that are free. Or why there is none.

    The squares passed are holes now. Of a closed tour the first one stays, for the path has to end there: the move to
    it is the one that closes the tour.
    """
    board = problem.board
    squares = [(int(s) // board.cols, int(s) % board.cols) for s in order]
    first, last = squares[0], squares[-1]
    if problem.start is not None and first != problem.start and not problem.closed:
        return f"the tour has to begin at {board.name(problem.start)}"
    is_done = len(squares) == board.square_count
    if problem.end is not None and (is_done or problem.end in squares) and not (is_done and last == problem.end):
        return f"the tour has to end at {board.name(problem.end)}"
    if problem.closed and len(squares) == 1:
        return Problem.of(board, closed=True, start=first)
    if problem.closed and board.square_count < 3:
        return "a closed tour has three squares or more"
    passed = squares[1:-1] if problem.closed else squares[:-1]
    rest = Board(board.rows, board.cols, holes=[*board.holes, *passed], wrap=board.wrap, leaper=board.leaper)
    end = first if problem.closed else problem.end
    return Problem.of(rest, start=last, end=None if end == last else end)


def check(text: str, format: str | None, board: Board | None) -> bytes:
    """What `check --json` prints for each tour of a text, and the squares."""
    # A file-like object: whatever the text is, no file is opened by its name.
    candidates = formats.read_candidates(io.StringIO(text), format, board)
    reports: list[dict[str, Json]] = []
    is_more = False
    while True:
        squares: np.ndarray | None = None
        here = board
        try:
            found = next(candidates, None)
            if found is None:
                break
            if len(reports) == _MOST_CHECKED:
                is_more = True
                break
            here, read = found
            if isinstance(read, InvalidTour):
                raise read
            squares = read
            report = Report(Tour(here, squares), None)
        except InvalidTour as fault:
            report = Report(None, fault)
        reports.append(_reported(report, len(reports) + 1, here, squares))
    return to_bytes({"valid": all(r["valid"] for r in reports), "tours": reports, "more": is_more})


def check_squares(board: Board, squares: list[Json]) -> bytes:
    """The same for one tour given as squares."""
    steps = steps_of(squares, board)
    try:
        report = Report(Tour(board, steps), None)
    except InvalidTour as fault:
        report = Report(None, fault)
    return to_bytes({"valid": report.is_valid, "tours": [_reported(report, 1, board, None)], "more": False})


def _reported(report: Report, number: int, board: Board | None, squares: np.ndarray | None) -> dict[str, Json]:
    record: dict[str, Json] = {**report.to_dict(number)}
    shown = squares if report.tour is None else report.tour.squares
    if board is not None:
        record["shape"] = board_to_dict(board)
    record["squares"] = None if shown is None or len(shown) > MOST_SQUARES else shown.tolist()
    return record


def board_facts(board: Board) -> bytes:
    """What `facts --json` prints."""
    return to_bytes(overview.overview(board).to_dict())


def tour_facts(board: Board, squares: list[Json]) -> bytes:
    """What `check --json` says of a tour, and its symmetries."""
    tour = Tour(board, steps_of(squares, board))
    return to_bytes({**Report(tour, None).facts(), "symmetries": list(tour.symmetries)})


def moves(board: Board) -> bytes:
    """Neighbours of each square number."""
    graph = move_graph(board)
    near = zip(graph.neighbour_lists(), graph.is_square.tolist(), strict=True)
    return to_bytes(
        {
            "rows": board.rows,
            "cols": board.cols,
            "moves": [row if is_square else None for row, is_square in near],
        }
    )


def compare_tours(board: Board, tours: list[list[Json]]) -> bytes:
    """What two tours have in common."""
    one, two = (Tour(board, steps_of(squares, board)) for squares in tours)
    mine, yours = (_moves_of(tour) for tour in (one, two))
    return to_bytes(
        {
            "equal": one == two,
            "same_moves": mine == yours,
            "same_up_to_symmetry": one.canonical() == two.canonical(),
            "common_moves": len(mine & yours),
        }
    )


def _moves_of(tour: Tour) -> set[tuple[int, int]]:
    order = tour.order.tolist()
    after = order[1:] + order[:1] * tour.is_closed
    return {(min(a, b), max(a, b)) for a, b in zip(order, after, strict=False)}


def improved(board: Board, squares: list[Json], how: dict[str, Json]) -> bytes:
    """What `improve --json` prints."""
    found = improve(Tour(board, steps_of(squares, board)), **how)
    figures = {name: getattr(found, name) for name in ("objective", "before", "after", "steps", "seed")}
    return to_bytes({**figures, "seconds": round(found.seconds, 6), "squares": found.tour.squares.tolist()})


def describe_methods() -> bytes:
    """What `methods --json` prints."""
    return to_bytes({name: row.to_dict() for name, row in table.METHODS.items()})


def describe_laws() -> bytes:
    """The laws of samples, in the form of the methods."""
    return to_bytes(
        {
            name: {"summary": law.summary, "options": {key: option.to_dict() for key, option in law.parameters.items()}}
            for name, law in LAWS.items()
        }
    )


def describe_objectives() -> bytes:
    """What tours can be improved in."""
    return to_bytes({name: row.summary for name, row in OBJECTIVES.items()})


def describe_drawing() -> bytes:
    """The styles, options and colours of pictures: those of `draw_svg`, and of this page."""
    return to_bytes(
        {
            "styles": {name: style.summary for name, style in STYLES.items()},
            "options": {name: option.help for name, option in LOOK_OPTIONS.items()},
            "themes": {name: asdict(theme) for name, theme in THEMES.items()},
            "ramp": ramp(),
        }
    )


# ---------------------------------------------------------------- pictures and files

PICTURES: Final[dict[str, str]] = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
    "apng": "image/apng",
    "webp": "image/webp",
}
MOVING: Final = ("gif", "apng", "webp")


def draw(
    board: Board, squares: list[Json] | None, tours: list[Json] | None, format: str, options: dict[str, Json]
) -> bytes:
    """A picture of a board, of a tour, of a path that stops before the end, or of several tours on a sheet.

    Moving pictures are of one whole tour.
    """
    from knightstour.drawing import animation, png
    from knightstour.drawing.svg import gallery, picture

    subject: Board | Tour = board
    paths = None
    if squares is not None and len(squares) == board.square_count:
        subject = Tour(board, steps_of(squares, board))
    elif squares is not None:
        paths = [[(int(s) // board.cols, int(s) % board.cols) for s in path_of(board, squares)]]
    try:
        if format in MOVING:
            if not isinstance(subject, Tour):
                raise FormatError("only a whole tour can be drawn as a moving picture", help="draw an svg or a png")
            return animation.animate(subject, format=format, **options)
        if tours is not None:
            if format != "svg":
                raise FormatError("several tours are drawn on a sheet as svg", help="leave out the format")
            return gallery.draw_gallery([Tour(board, steps_of(each, board)) for each in tours], **options).encode()
        if format == "png":
            return png.draw_png(subject, paths=paths, **options)
        return picture.draw_svg(subject, paths=paths, **options).encode()
    except KnightsTourError:
        raise
    except (TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"these options make no sense: {error}") from error


def text_of(board: Board, squares: list[Json], format: str) -> bytes:
    """A tour in one of the text formats."""
    return formats.format_tour(Tour(board, steps_of(squares, board)), format).encode()
