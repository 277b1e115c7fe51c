"""`check`: is this a tour? What kind of one, or which step is wrong?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.checking import giant
from knightstour.checking.giant import BulkReport
from knightstour.checking.rows import Checker
from knightstour.formats.arrays import kind_of_shape, read_array
from knightstour.formats.tours import read_candidates
from knightstour.machine.files import PathOrFile, is_pipe
from knightstour.model.arguments import explains_arguments
from knightstour.model.board import Board, BoardLike, are_moves
from knightstour.model.errors import FormatError, InvalidTour
from knightstour.model.problem import Problem
from knightstour.model.progress import OnProgress
from knightstour.model.sample import Sample
from knightstour.model.tour import Tour

# Rows of a sample that are checked at once.
_ROWS_AT_ONCE = 1 << 17


# ---------------------------------------------------------------- all tours of a file or an array


class Fault(NamedTuple):
    """An invalid tour: its place in the file or array, from 1, and what is wrong."""

    number: int
    error: InvalidTour


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What `check_tours` found.

    tour_count: all tours, valid or not. closed_count: the valid ones that are closed. faults: the invalid ones.
    """

    tour_count: int
    closed_count: int
    faults: tuple[Fault, ...]

    @property
    def is_valid(self) -> bool:
        """Whether all are tours."""
        return not self.faults


@explains_arguments
def check_tours(
    tours: PathOrFile | np.ndarray | Sample,
    format: str | None = None,
    board: BoardLike | None = None,
    *,
    on_progress: OnProgress | None = None,
) -> CheckReport:
    """Check all tours of a file, a stream or an array; the wrong ones do not end it.

    tours: a path or an open stream, as for `read_tours`; a Sample; or an array: diagrams (tours, rows, cols), lists of
        squares (tours, squares, 2) or, with the board given, square numbers (tours, squares).
    format, board: as for `read_tours`.
    on_progress: called with a Progress now and then; for giant `.npy` files only.

    Rows of square numbers, also those in a `.npy` file that `knightstour sample` wrote, are checked at some millions a
    second, giant diagrams in bounded memory. Raises FormatError if the file or array cannot be read.

    >>> check_tours(np.array([[[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]]))
    CheckReport(tour_count=1, closed_count=0, faults=())
    """
    given = None if board is None else Board.of(board)
    if isinstance(tours, Sample):
        given, tours = tours.board, tours.orders
    count = closed = 0
    faults: list[Fault] = []
    for number, report in reports(tours, format, given, on_progress):
        if isinstance(report, SampleReport):
            return CheckReport(report.tour_count, report.closed_count, tuple(faults))
        count = number
        closed += report.is_closed
        if report.fault is not None:
            faults.append(Fault(number, report.fault))
    return CheckReport(count, closed, tuple(faults))


# ---------------------------------------------------------------- one tour after the other


@dataclass(frozen=True, slots=True)
class Report:
    """The findings on one tour: the tour, or its fault."""

    tour: Tour | None
    fault: InvalidTour | None

    @classmethod
    def on(cls, board: Board, squares: Sequence[object] | np.ndarray | InvalidTour) -> Report:
        """The report on squares that should be a tour of the board, or on a fault that reading them found."""
        if isinstance(squares, InvalidTour):
            return cls(None, squares)
        try:
            return cls(Tour(board, squares), None)
        except InvalidTour as fault:
            return cls(None, fault)

    @property
    def is_valid(self) -> bool:
        """Whether it is a tour."""
        return self.tour is not None

    @property
    def is_closed(self) -> bool:
        """Whether it is a closed tour."""
        return self.tour is not None and self.tour.is_closed

    def facts(self) -> dict[str, str | bool | int]:
        """Kind, symmetry, turns, crossings and magic of a valid tour; drawn facts of flat boards only."""
        tour = self.tour
        assert tour is not None
        facts: dict[str, str | bool | int] = {
            "board": str(tour.board),
            "closed": tour.is_closed,
            "start": tour.board.name(tour.start),
            "end": tour.board.name(tour.end),
            "symmetry": tour.symmetry,
            "symmetry_name": tour.symmetry_name,
        }
        if tour.board.wrap is None and tour.board.graph is None:
            facts |= {"turns": tour.turns, "crossings": tour.crossings, "magic": tour.magic}
        return facts

    def to_dict(self, number: int) -> dict[str, str | bool | int | None]:
        """For `--json`; `number` is the tour's place in the file."""
        if self.fault is not None:
            return {"tour": number, "valid": False, "fault": str(self.fault), "step": self.fault.step}
        return {"tour": number, "valid": True, **self.facts()}

    def to_text(self, number: int) -> str:
        """For people; `number` is the tour's place in the file."""
        if self.fault is not None:
            return f"tour {number}: invalid: {self.fault}"
        facts = self.facts()
        name = facts.pop("symmetry_name")
        if name != facts["symmetry"]:
            facts["symmetry"] = f"{facts['symmetry']} ({name})"
        kind = "closed" if facts.pop("closed") else "open"
        head = f"tour {number}: valid {kind} tour of the {facts.pop('board')}"
        return f"{head}, {facts.pop('start')} to {facts.pop('end')}; " + ", ".join(f"{k} {v}" for k, v in facts.items())


@dataclass(frozen=True, slots=True)
class SampleReport:
    """The findings on all the rows of a sample."""

    board: Board
    tour_count: int
    closed_count: int
    fault_count: int

    @property
    def is_valid(self) -> bool:
        """Whether all rows are tours."""
        return self.fault_count == 0

    def to_dict(self, number: int) -> dict[str, str | bool | int]:
        """For `--json`."""
        return {
            "valid": self.is_valid,
            "board": str(self.board),
            "tours": self.tour_count,
            "closed": self.closed_count,
            "invalid": self.fault_count,
        }

    def to_text(self, number: int) -> str:
        """For people."""
        verdict = "all valid" if self.is_valid else f"{self.fault_count:,} of them invalid"
        return f"{self.tour_count:,} tours of the {self.board}, {verdict}; {self.closed_count:,} closed"


def reports(
    tours: PathOrFile | np.ndarray, format_name: str | None, board: Board | None, on_progress: OnProgress | None = None
) -> Iterator[tuple[int, Report | BulkReport | SampleReport]]:
    """(its place from 1, a report) for each tour of a file or an array. Faults of the file itself are FormatErrors.

    A giant .npy is read part by part, in bounded memory, and its reports are short; on_progress is for these. Of a
    sample, many tours as rows of square numbers, there are reports on the faulty rows, then one on the whole.
    """
    rows = None
    candidates: Iterator[tuple[Board, np.ndarray | InvalidTour]]
    if isinstance(tours, np.ndarray):
        is_sample = board is not None and kind_of_shape(tours.shape, board) == ("order", False)
        rows = tours if is_sample and tours.dtype.kind in "iu" else None
        candidates = ((reading.board, reading.fault or reading.squares) for reading in read_array(tours, board))
    else:
        if isinstance(tours, str | os.PathLike) and format_name in (None, "npy"):
            path = os.fspath(tours)
            rows = _sample_in(path, board) if path.endswith(".npy") and not is_pipe(path) else None
            if rows is None and giant.is_giant_npy(path):
                yield from enumerate(giant.check_npy(path, board, on_progress=on_progress), 1)
                return
        candidates = read_candidates(tours, format_name, board)
    if rows is not None:
        yield from _sample_reports(rows, board)
        return
    for number, (here, squares) in enumerate(candidates, 1):
        yield number, Report.on(here, squares)


def _sample_reports(rows: np.ndarray, board: Board | None) -> Iterator[tuple[int, Report | SampleReport]]:
    """A report on each faulty row of an array (tours, squares) of square numbers, then one on all of them."""
    if board is None:
        raise FormatError(
            f"it holds {rows.shape[0]:,} rows of {rows.shape[1]} square numbers, without their board",
            path=getattr(rows, "filename", None),
            help="name it with --board (board=)",
        )
    checker = Checker(Problem(board))
    closed = faults = 0
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        part = np.asarray(rows[first : first + _ROWS_AT_ONCE])
        is_tour = np.ones(len(part), dtype=np.bool_)
        try:
            checker.check(part)
        except InvalidTour:
            for k, row in enumerate(part):
                try:
                    Tour.from_order(board, row)
                except InvalidTour as fault:
                    faults += 1
                    is_tour[k] = False
                    yield first + k + 1, Report(None, fault)
        if part.shape[1] > 2:
            ends = part[is_tour][:, [-1, 0]].astype(np.int64)
            closed += int(are_moves(board, ends[:, 0], ends[:, 1]).sum())
    yield len(rows), SampleReport(board, len(rows), closed, faults)


def _sample_in(file: str, board: Board | None) -> np.ndarray | None:
    """The rows of a sample as `knightstour sample -o FILE.npy` writes them, or None if the file holds no sample."""
    try:
        loaded = giant.mapped(file)
    except FormatError:
        return None
    # Diagrams are int32 or int64; the square numbers of boards up to 65,536 squares need less.
    if loaded.ndim != 2 or loaded.dtype.kind not in "iu":
        return None
    is_sample = loaded.dtype in (np.uint8, np.uint16) or (
        board is not None and loaded.shape[1] == board.square_count and loaded.shape != (board.rows, board.cols)
    )
    return loaded if is_sample else None
