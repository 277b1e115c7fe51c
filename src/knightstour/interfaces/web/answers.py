"""Functions of the API, which workers run. They call the library and return JSON as bytes.

The annotations of their parameters define the fields of a request (binding.py).
"""

from __future__ import annotations

import io
import json
import os
import time
from typing import Any, NamedTuple, cast

import numpy as np

from knightstour.core.checking.reports import Demands, HeldAgainst, Report, held_against, reports
from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.formats import tours as formats
from knightstour.core.formats.boards import board_to_dict
from knightstour.core.formats.links import with_link
from knightstour.core.formats.table import FORMATS
from knightstour.core.methods import table
from knightstour.core.methods.solve import solve as find
from knightstour.core.model.board import Board, Square, move_graph, square_at, square_count
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.conditions import square_number
from knightstour.core.model.errors import FormatError, InvalidTour, ProblemError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.literals import MethodName
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import OnProgress, Progress
from knightstour.core.model.result import Result, Status
from knightstour.core.model.sentences import SENTENCES, moment_record
from knightstour.core.model.tour import Tour, tour_of
from knightstour.core.model.trace import COUNTERS, NUMBERS_PER_EVENT, Event, Trace, View, to_json
from knightstour.interfaces.web.binding import Demanded, Emit, Ends, Looks
from knightstour.interfaces.web.fields import MAX_SQUARES, Json, steps_of

# Maximum number of tours of one text that are checked.
_MAX_CHECKED = 100
_NO_DEMANDS = Demands()
# A batch is sent when it has this number of events or numbers, or after this time.
_EVENTS_PER_BATCH = 500
_NUMBERS_PER_BATCH = 5_000
_SECONDS_PER_BATCH = 0.05
_SECONDS_PER_REPORT = 0.2


class SolveRequest(NamedTuple):
    """A problem and the other arguments of solve()."""

    problem: Problem
    method: str
    seed: int | None
    options: dict[str, Json]
    workers: int | None
    limits: Limits
    proofs: bool

    def with_checked_options(self) -> SolveRequest:
        """Return a copy with checked options. Raises ProblemError if the method does not support an option."""
        cores = os.cpu_count() or 1
        if self.workers is not None and self.workers > cores:
            raise ProblemError(f"{self.workers} workers are more than the {cores} cores of this computer")
        _, options = table.checked_method(self.problem, self.method, self.options, self.workers)
        return self._replace(options=options)


def to_bytes(value: Json) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def progress_callback(emit: Emit) -> OnProgress:
    """Return a callback that emits progress: a text, the finished fraction or null, and the seconds."""
    reported = 0.0

    def report(progress: Progress) -> None:
        nonlocal reported
        if progress.seconds - reported >= _SECONDS_PER_REPORT:
            reported = progress.seconds
            done = None if progress.part is None else round(progress.part, 4)
            emit({"made": progress.note, "done": done, "seconds": round(progress.seconds, 1)})

    return report


def result_record(result: Result) -> dict[str, Json]:
    """Return the record that `solve --json` prints."""
    board = result.problem.board if result.tour is None else result.tour.board
    return {**result.to_dict(), **board_to_dict(board)}


def solve(
    request: SolveRequest,
    minimize: str | None = None,
    maximize: str | None = None,
    optimal: bool = False,
    proof: bool = False,
) -> bytes:
    """Solve a problem. With `proof`, add the certificate and the scenes of the proof if the problem is decided."""
    from knightstour.lab.certificates.certify import certificate_of, check_objective
    from knightstour.lab.objectives.table import objective_of

    objective = objective_of(minimize, maximize)
    if proof and optimal and objective is not None:
        check_objective(objective)
    result = _find_result(request, minimize=minimize, maximize=maximize, optimal=optimal)
    record = result_record(result)
    if proof and result.status is not Status.UNDECIDED:
        certificate = certificate_of(result, request.limits)
        record["certificate"] = certificate.record
        if result.status is Status.IMPOSSIBLE:
            record["scenes"] = [scene.to_dict() for scene in certificate.scenes]
    return to_bytes(record)


def _find_result(request: SolveRequest, **more: Any) -> Result:
    problem, method, seed, options, workers, limits, proofs = request
    how: dict[str, Any] = {"workers": workers, "settings": {**options, "proofs": proofs}, **as_arguments(limits)}
    return find(problem, method=cast("MethodName", method), seed=seed, **how, **more)


def trace(request: SolveRequest, events: int, emit: Emit) -> dict[str, Json]:
    """Solve a problem and emit batches of events during the search: rows of trace.to_json with a sentence for each."""
    batches = _Batches(request.problem.board, events, emit)
    result = _find_result(request, trace=batches.trace)
    batches.finish()
    return {
        **result_record(result),
        "counters": dict(result.counters),
        "events": batches.count,
        "dropped": batches.dropped,
    }


class _Batches:
    """Emits the first events of a search in batches, up to `most` events and ten numbers per event; then the tour.

    Attributes:
        count: Number of emitted events.
        dropped: Number of further events.
    """

    def __init__(self, board: Board, most: int, emit: Emit) -> None:
        self.count = self._dropped_before = 0
        self._view = View(board)
        self.trace = Trace(0, on_event=self._take_event)
        self._most, self._emit = most, emit
        self._numbers = 0
        self._batch: list[list[object]] = []
        self._numbers_sent = 0
        self._next = time.monotonic()

    def _take_event(self, event: Event) -> None:
        # The trace stores no events, and counts those that it passes on as dropped.
        self._dropped_before = self.trace.dropped
        self._add(event)
        self.count += 1
        self._numbers += len(event.squares) + len(event.values)
        if self.count >= self._most or self._numbers >= NUMBERS_PER_EVENT * self._most:
            # Without a callback, a search creates few or no events.
            self.trace.on_event = None
            self._flush()
        elif (
            len(self._batch) >= _EVENTS_PER_BATCH
            or self._numbers - self._numbers_sent >= _NUMBERS_PER_BATCH
            or time.monotonic() >= self._next
        ):
            self._flush()

    @property
    def dropped(self) -> int:
        return self.trace.dropped - self._dropped_before

    def _add(self, event: Event) -> None:
        self._view.apply(event)
        moment = moment_record(event, self._view)
        [row] = to_json([event])
        if moment:
            row = [event.kind, event.squares, event.values, event.name, moment]
        self._batch.append(row)

    def _flush(self) -> None:
        if self._batch:
            self._emit(self._batch)
        self._batch, self._numbers_sent = [], self._numbers
        self._next = time.monotonic() + _SECONDS_PER_BATCH

    def finish(self) -> None:
        if self.trace.on_event is None:
            # Every trace stores the tour, so that the view of the search ends with the tour.
            for event in self.trace:
                if event.kind == "tour":
                    self._add(event)
                    self.count += 1
        self._flush()


def completable(problem: Ends, path: list[Json], seconds: float) -> bytes:
    """Decide whether a path can be completed to a tour of the problem: "yes" with the tour, "no", or "unknown"."""
    started = time.perf_counter()
    board = problem.board
    order = path_of(board, path)
    answer, reason, source, squares = "no", "", "", None
    rest = _rest_of(problem, order)
    if isinstance(rest, str):
        reason = rest
    else:
        question, kept = rest
        result = find(question, seed=0, timeout=seconds)
        answer = {Status.FOUND: "yes", Status.IMPOSSIBLE: "no", Status.UNDECIDED: "unknown"}[result.status]
        reason, source = result.reason, result.source
        if result.tour is not None:
            # The rest of a closed tour leads back to the first square.
            onward = kept[result.tour.order[1:]][: square_count(board) - len(order)]
            squares = tour_of(board, np.concatenate([order, onward])).squares.tolist()
    texts = {"answer": answer, "reason": reason or None, "source": source or None}
    return to_bytes({**texts, "squares": squares, "seconds": round(time.perf_counter() - started, 6)})


def path_of(board: Board, path: list[Json]) -> np.ndarray:
    """Return the square numbers of a path, which may be partial. Raises InvalidTour at its first invalid step."""
    squares = steps_of(path, board)
    try:
        return Tour(board, squares).order
    except InvalidTour as fault:
        # If the path is valid but too short, the invalid step is the step after its last.
        if fault.step != len(path) or not path:
            raise
    return np.array([square_number(board, square) for square in squares], dtype=np.int64)


def _rest_of(problem: Problem, order: np.ndarray) -> tuple[Problem, np.ndarray] | str:
    """Return the problem of the remaining path, from the last square over all free squares; or why none exists.

    The visited squares become holes. For a closed tour, the first square remains as the end. The array contains the
    number on the whole board of each square of the remaining board.
    """
    board = problem.board
    squares = [square_at(board, s) for s in order.tolist()]
    first, last = squares[0], squares[-1]
    if problem.start is not None and first != problem.start and not problem.closed:
        return f"the tour has to begin at {board.square_name(problem.start)}"
    is_done = len(squares) == square_count(board)
    if problem.end is not None and (is_done or problem.end in squares) and not (is_done and last == problem.end):
        return f"the tour has to end at {board.square_name(problem.end)}"
    if problem.closed and len(squares) == 1:
        return Problem(board, closed=True, start=board.square_name(first)), np.arange(board.rows * board.cols)
    if problem.closed and square_count(board) < 3:
        return "a closed tour has three squares or more"
    passed = squares[1:-1] if problem.closed else squares[:-1]
    rest, kept = _without(board, passed)
    end = first if problem.closed else problem.end
    place = {square_at(board, whole): square_at(rest, k) for k, whole in enumerate(kept.tolist())}
    return Problem(rest, start=place[last], end=None if end is None or end == last else place[end]), kept


def _without(board: Board, passed: list[Square]) -> tuple[Board, np.ndarray]:
    """Replace squares of a grid by holes; remove nodes of a graph."""
    if isinstance(board, GridBoard):
        return board.replace(holes=[*board.holes, *passed]), np.arange(board.rows * board.cols)
    assert isinstance(board, GraphBoard)
    gone = {place for _, place in passed}
    kept = [place for place in range(board.cols) if place not in gone]
    return GraphBoard([board.square_name((0, place)) for place in kept], board.near_of(kept)), np.array(kept)


def check(
    text: str | None,
    format: str | None,
    board: Board | None,
    squares: list[Json] | None = None,
    demands: Demanded = _NO_DEMANDS,
) -> bytes:
    """Return the reports of `check --json` for the tours of a text, or for one tour given as squares.

    `valid` is true if all tours meet the demands.
    """
    if squares is not None:
        assert board is not None  # checked by the route
        one = Report.on(board, steps_of(squares, board))
        reported = _report_record(held_against(one, demands) if demands.is_any else one, 1)
        return to_bytes({"valid": _are_good([reported]), "tours": [reported], "more": False})
    found: list[dict[str, Json]] = []
    is_more = False
    try:
        # A file-like object, so that no file is opened if the text is a file name.
        for number, report in reports(io.StringIO(text or ""), format, board, demands):
            is_more = number > _MAX_CHECKED
            if is_more:
                break
            # The other reports are about arrays.
            if isinstance(report, Report | HeldAgainst):
                found.append(_report_record(report, number))
    except InvalidTour as fault:
        found.append(_report_record(Report(None, fault, board=board), len(found) + 1))
    return to_bytes({"valid": _are_good(found), "tours": found, "more": is_more})


def _are_good(reports: list[dict[str, Json]]) -> bool:
    return all(report["valid"] and not report.get("unmet") for report in reports)


def _report_record(checked: Report | HeldAgainst, number: int) -> dict[str, Json]:
    report = checked.report if isinstance(checked, HeldAgainst) else checked
    assert isinstance(report, Report)
    record: dict[str, Json] = {**checked.to_dict(number)}
    board = report.board if report.tour is None else report.tour.board
    shown = report.squares if report.tour is None else report.tour.squares
    if board is not None:
        record["shape"] = board_to_dict(board)
    record["squares"] = None if shown is None or len(shown) > MAX_SQUARES else shown.tolist()
    return record


def facts(board: Board, squares: list[Json] | None, from_to: list[Json] | None) -> bytes:
    """Return the record of `facts --json` for a board or two squares, or of `check --json` for a tour."""
    if from_to is not None:
        return to_bytes(board.paths(*from_to).to_dict())
    if squares is None:
        from knightstour.core.methods.facts import facts
        from knightstour.lab.catalogues.table import catalogues_of

        return to_bytes({**facts(board).to_dict(), "catalogues": catalogues_of(board)})
    tour = Tour(board, steps_of(squares, board))
    return to_bytes({**Report(tour, None).facts(), "symmetries": list(tour.symmetries)})


def moves(board: Board) -> bytes:
    """Return for each square number its neighbours, or null if the square is a hole."""
    graph = move_graph(board)
    near = zip(graph.neighbour_lists(), graph.is_square.tolist(), strict=True)
    lists = [row if is_square else None for row, is_square in near]
    return to_bytes({"rows": board.rows, "cols": board.cols, "moves": lists})


def describe_methods() -> bytes:
    """Return the record that `methods --json` prints."""
    return to_bytes({name: row.to_dict() for name, row in table.METHODS.items()})


def describe_words() -> bytes:
    """Return the sentences, with placeholders, and the counters that describe a watched search."""
    return to_bytes({"sentences": SENTENCES, "counters": {key: row._asdict() for key, row in COUNTERS.items()}})


# ---------------------------------------------------------------- pictures and files


class PictureRequest(NamedTuple):
    """The subject and the look of a picture. The subject is a board, a tour or a partial path."""

    board: Board
    squares: list[Json] | None
    format: str
    look: Looks


def draw(drawing: PictureRequest) -> bytes:
    """Return a picture, or a tour in a text format.

    An animation and a web page with a player require a whole tour.
    """
    board, squares, format, look = drawing
    if format in FORMATS:
        return formats.format_tour(Tour(board, steps_of(squares or [], board)), format).encode()
    subject: Board | Tour = board
    paths = None
    if squares is not None and len(squares) == square_count(board):
        subject = Tour(board, steps_of(squares, board))
    elif squares is not None:
        paths = [[square_at(board, s) for s in path_of(board, squares).tolist()]]
    if (format == "html" or PICTURE_KINDS[format].moves) and not isinstance(subject, Tour):
        does = "played on a web page" if format == "html" else "drawn as a moving picture"
        raise FormatError(f"only a whole tour can be {does}", help="draw an svg or a png")
    from knightstour.core.drawing.pictures import picture_of

    picture = bytes(picture_of(subject, format, paths=paths, **look))
    return with_link(picture, [subject]) if isinstance(subject, Tour) and format != "html" else picture
