"""Reports on tours: the kind of a tour, or its invalid step."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from knightstour.core.checking.rows import Checker
from knightstour.core.formats.arrays import array_again, kind_of_shape
from knightstour.core.formats.candidates import MAX_CHARS, Candidate, candidates_of_array
from knightstour.core.formats.tours import candidates_in
from knightstour.core.machine.files import PathOrFile, Source, is_pipe, open_source
from knightstour.core.model.board import Board, Square, are_moves, square_count, title_of
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour, tour_of


@dataclass(frozen=True, slots=True)
class Demands:
    """The start and the end that tours must have, as pairs or names, and whether they must be closed.

    >>> Demands(start="a1", closed=True).unmet(Board(8, 8), (5, 2), (7, 4), is_closed=False)
    'it starts at c3, not a1, and is open, not closed'
    """

    start: Square | str | None = None
    end: Square | str | None = None
    closed: bool = False

    @property
    def is_any(self) -> bool:
        return self.start is not None or self.end is not None or self.closed

    def unmet(self, board: Board, start: Square, end: Square, *, is_closed: bool) -> str:
        """Return the unmet demands as text, or "". Raises BoardError for squares outside the board."""
        found = []
        for does, wanted, square in (("starts", self.start, start), ("ends", self.end, end)):
            if wanted is not None and board.square(wanted) != square:
                found.append(f"{does} at {board.square_name(square)}, not {board.square_name(board.square(wanted))}")
        if self.closed and not is_closed:
            found.append("is open, not closed")
        return f"it {', and '.join(found)}" if found else ""

    def are_met(self, board: Board, rows: np.ndarray, is_closed: np.ndarray) -> np.ndarray:
        """Return whether each tour, a row of square numbers, meets the demands: bool (tours,)."""
        met = is_closed if self.closed else np.ones(len(rows), dtype=np.bool_)
        for wanted, column in ((self.start, 0), (self.end, -1)):
            if wanted is not None:
                row, col = board.square(wanted)
                met = met & (rows[:, column] == row * board.cols + col)
        return met


@dataclass(frozen=True, slots=True)
class HeldAgainst:
    """Report with its unmet demands: as text, or for a sample as a number of valid tours."""

    report: Report | SampleReport
    unmet: str | int

    @property
    def is_valid(self) -> bool:
        """Whether the tour is valid and meets the demands."""
        return self.report.is_valid and not self.unmet

    def to_dict(self, number: int) -> dict[str, object]:
        """Return a JSON-serialisable dict. valid: Whether it is a tour. unmet: The unmet demands."""
        return {**self.report.to_dict(number), "unmet": self.unmet or (0 if self.unmet == 0 else None)}

    def to_text(self, number: int) -> str:
        """Return the report as text.
        >>> from knightstour.core.checking.reports import Report
        >>> report = Report.on(Board(3, 4), ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"])
        >>> HeldAgainst(report, "it starts at a3, not a1").to_text(1)[:58]
        'tour 1: not as demanded: it starts at a3, not a1; valid op'
        """
        text = self.report.to_text(number)
        if isinstance(self.unmet, int):
            return f"{text}; {self.unmet:,} not as demanded"
        return text.replace(": valid ", f": not as demanded: {self.unmet}; valid ", 1) if self.unmet else text


def held_against(report: Report, demands: Demands) -> HeldAgainst:
    """Return the report on one tour with its unmet demands."""
    return HeldAgainst(report, report.unmet(demands) if report.is_valid else "")


def closed_rows(board: Board, rows: np.ndarray) -> np.ndarray:
    """Return whether each tour, a row of square numbers, is closed: bool (tours,)."""
    if rows.shape[1] < 3:
        return np.zeros(len(rows), dtype=np.bool_)
    ends = rows[:, [-1, 0]].astype(np.int64)
    return are_moves(board, ends[:, 0], ends[:, 1])


# Number of rows of a sample that are checked in one call.
_ROWS_AT_ONCE = 1 << 17


MagicKind: TypeAlias = Literal["no", "semi-magic", "quasi-magic", "near-magic", "magic", "diagonally magic"]


def magic_kind(tour: Tour) -> MagicKind:
    """Return the kind of a magic tour in the words of the glossary; "no" if it is not magic.

    Semi-magic tours are quasi-magic if the sums of the other lines have two values, and near-magic if they have three,
    with their mean in the middle.

    >>> magic_kind(Tour.from_array([[1, 2, 3, 4], [8, 7, 6, 5]], Board(2, 4, moves="wazir")))
    'quasi-magic'
    """
    if tour.magic == "semi":
        lines = (tour.numbers.astype(np.int64).sum(axis=axis) for axis in (0, 1))
        sums = next(each for each in lines if np.ptp(each))
        values = np.unique(sums)
        if len(values) == 2:
            return "quasi-magic"
        is_near = len(values) == 3 and int(values[1]) * len(sums) == int(sums.sum())
        return "near-magic" if is_near else "semi-magic"
    return "diagonally magic" if tour.magic == "diagonal" else "magic" if tour.magic else "no"


@dataclass(frozen=True, slots=True)
class Report:
    """Report on one tour: the tour, or its fault.

    Attributes:
        read_as: Interpretation of an inexact format.
        board: Board of a fault, if known.
        squares: Squares in order of visit, for a fault with an order.
    """

    tour: Tour | None
    fault: InvalidTour | None
    read_as: tuple[str, ...] = ()
    board: Board | None = None
    squares: np.ndarray | None = None

    @classmethod
    def on(cls, board: Board, squares: Sequence[object] | np.ndarray) -> Report:
        """Check squares that should be a tour of the board."""
        try:
            return cls(Tour(board, squares), None)
        except InvalidTour as fault:
            return cls(None, fault, board=board)

    @property
    def is_valid(self) -> bool:
        return self.tour is not None

    @property
    def is_closed(self) -> bool:
        """Whether it is a closed tour."""
        return self.tour is not None and self.tour.is_closed

    @property
    def fault_square(self) -> str:
        """Name of the square at the invalid step, or "" if unknown."""
        step = None if self.fault is None else self.fault.step
        if step is None or self.board is None or self.squares is None or not 0 <= step < len(self.squares):
            return ""
        row, col = map(int, self.squares[step])
        return self.board.square_name((row, col)) if (row, col) in self.board else ""

    def unmet(self, demands: Demands) -> str:
        tour = self.tour
        assert tour is not None
        return demands.unmet(tour.board, tour.start, tour.end, is_closed=tour.is_closed)

    def facts(self) -> dict[str, str | bool | int]:
        """Return kind, symmetry and, on flat boards, turns, crossings and magic of a valid tour."""
        tour = self.tour
        assert tour is not None
        facts: dict[str, str | bool | int] = {
            **_board_record(tour.board),
            "closed": tour.is_closed,
            "start": tour.board.square_name(tour.start),
            "end": tour.board.square_name(tour.end),
            "symmetry": tour.symmetry,
            "symmetry_name": tour.symmetry_name,
        }
        if is_flat(tour.board):
            facts |= {"turns": tour.turns, "crossings": tour.crossings}
        if is_flat(tour.board) and isinstance(tour.board, GridBoard):
            facts["magic"] = magic_kind(tour)
        return facts

    def to_dict(self, number: int) -> dict[str, Any]:
        """Return a JSON-serialisable dict. number: Index of the tour in the file, from 1."""
        read_as: dict[str, Any] = {"read_as": list(self.read_as)} if self.read_as else {}
        if self.fault is not None:
            record = {"tour": number, "valid": False, "fault": str(self.fault), "step": self.fault.step}
            return record | ({"help": self.fault.help} if self.fault.help else {}) | read_as
        return {"tour": number, "valid": True, **self.facts(), **read_as}

    def to_text(self, number: int) -> str:
        """Return the report as text. number: Index of the tour in the file, from 1."""
        if self.fault is not None:
            return f"tour {number}: invalid: {self.fault}"
        assert self.tour is not None
        facts = self.facts()
        name = facts.pop("symmetry_name")
        if name != facts["symmetry"]:
            facts["symmetry"] = f"{facts['symmetry']} ({name})"
        kind = "closed" if facts.pop("closed") else "open"
        for name in _board_record(self.tour.board):
            del facts[name]
        head = f"tour {number}: valid {kind} tour of the {title_of(self.tour.board)}"
        return f"{head}, {facts.pop('start')} to {facts.pop('end')}; " + ", ".join(f"{k} {v}" for k, v in facts.items())


def _board_record(board: Board) -> dict[str, str | bool | int]:
    return {"board": str(board), "rows": board.rows, "cols": board.cols}


def report_on(candidate: Candidate) -> Report:
    return Report(candidate.tour, candidate.fault, candidate.read_as, candidate.board, candidate.squares)


@dataclass(frozen=True, slots=True)
class SampleReport:
    """Report on all rows of a sample."""

    board: Board
    tour_count: int
    closed_count: int
    fault_count: int

    @property
    def is_valid(self) -> bool:
        """Whether all rows are tours."""
        return self.fault_count == 0

    def to_dict(self, number: int) -> dict[str, str | bool | int]:
        return {
            "valid": self.is_valid,
            **_board_record(self.board),
            "tours": self.tour_count,
            "closed": self.closed_count,
            "invalid": self.fault_count,
        }

    def to_text(self, number: int) -> str:
        verdict = "all valid" if self.is_valid else f"{self.fault_count:,} of them invalid"
        return f"{self.tour_count:,} tours of the {title_of(self.board)}, {verdict}; {self.closed_count:,} closed"


def reports(
    tours: PathOrFile | Tour | np.ndarray,
    format_name: str | None,
    board: Board | None,
    demands: Demands | None = None,
) -> Iterator[tuple[int, Report | SampleReport | HeldAgainst]]:
    """Yield the reports of `_plain_reports`, compared with the demands if there are any.

    Tours of other boards do not meet the demands. For a sample, valid rows that do not meet them are reported too.
    """
    demands = demands if demands is not None and demands.is_any else None
    unmet = 0
    for number, report in _plain_reports(tours, format_name, board, demands):
        if isinstance(report, Report) and report.tour is not None and board not in (None, report.tour.board):
            unmet_board = f"it is a tour of the {title_of(report.tour.board)}, not of the {title_of(board)}"
            yield number, HeldAgainst(report, unmet_board)
        elif demands is None:
            yield number, report
        elif isinstance(report, SampleReport):
            yield number, HeldAgainst(report, unmet)
        else:
            held = held_against(report, demands)
            unmet += bool(held.unmet)
            yield number, held


def _plain_reports(
    tours: PathOrFile | Tour | np.ndarray, format_name: str | None, board: Board | None, demands: Demands | None
) -> Iterator[tuple[int, Report | SampleReport]]:
    """Yield (number from 1, report) for each tour of a file or an array.

    For a sample, invalid rows have reports, followed by one report on all rows. Raises FormatError for a bad file.
    """
    if isinstance(tours, Tour):
        yield 1, Report.on(tours.board, tours.squares)
        return
    rows = None
    candidates: Iterator[Candidate]
    if isinstance(tours, np.ndarray):
        is_sample = board is not None and kind_of_shape(tours.shape, board) == ("order", False)
        rows = tours if is_sample and tours.dtype.kind in "iu" else None
        candidates = candidates_of_array(tours, board)
    else:
        if isinstance(tours, str | os.PathLike) and format_name in (None, "npy"):
            path = os.fspath(tours)
            rows = _sample_in(path, board) if path.endswith(".npy") and not is_pipe(path) else None
        candidates = _candidates(tours, format_name, board)
    if rows is not None:
        yield from _sample_reports(rows, board, demands)
        return
    for number, found in enumerate(candidates, 1):
        yield number, report_on(found)


def _candidates(tours: PathOrFile, format_name: str | None, board: Board | None) -> Iterator[Candidate]:
    """Yield the candidates in a file; if they do not fit the given board, candidates for other boards."""
    with open_source(tours) as source:
        taken = 0
        try:
            for candidate in candidates_in(source, format_name, board):
                taken += 1
                yield candidate
            return
        except FormatError:
            others = [] if board is None else _of_another_board(source, format_name)[taken:]
            if not others:
                raise
        yield from others


def _of_another_board(source: Source, format_name: str | None) -> list[Candidate]:
    """Return the candidates without the given board; empty if the source is long or unreadable."""
    if not source.is_short(MAX_CHARS):
        return []
    try:
        array = array_again(source) if source.is_array else None
        if array is not None:
            return list(candidates_of_array(array, None))
        again = Source(io.BytesIO(source.text_again().encode()), source.path)
        return [] if source.is_array else list(candidates_in(again, format_name, None))
    except FormatError:
        return []


def _sample_reports(
    rows: np.ndarray, board: Board | None, demands: Demands | None
) -> Iterator[tuple[int, Report | SampleReport]]:
    """Yield a report on each invalid row and, with demands, each unmet one; then one on all rows."""
    if board is None:
        raise FormatError(
            f"{rows.shape[0]:,} rows of {rows.shape[1]} square numbers without a board",
            path=getattr(rows, "filename", None),
            help="pass the board after the file: FILE 8x8 (board=)",
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
                    tour_of(board, row)
                except InvalidTour as fault:
                    faults += 1
                    is_tour[k] = False
                    yield first + k + 1, Report(None, fault, board=board)
        good = part[is_tour]
        is_closed = closed_rows(board, good)
        closed += int(is_closed.sum())
        if demands is not None:
            for k in np.flatnonzero(is_tour)[~demands.are_met(board, good, is_closed)].tolist():
                yield first + k + 1, Report(tour_of(board, part[k]), None)
    yield len(rows), SampleReport(board, len(rows), closed, faults)


def _sample_in(file: str, board: Board | None) -> np.ndarray | None:
    """Load a sample as written by `knightstour sample -o FILE.npy`; None if the file is not a sample."""
    try:
        loaded = np.load(file, mmap_mode="r", allow_pickle=False)
    except Exception:
        return None
    # Diagrams are int32 or int64; square numbers are smaller on boards up to 65,536 squares.
    if loaded.ndim != 2 or loaded.dtype.kind not in "iu":
        return None
    is_sample = loaded.dtype in (np.uint8, np.uint16) or (
        board is not None and loaded.shape[1] == square_count(board) and loaded.shape != (board.rows, board.cols)
    )
    return loaded if is_sample and not _is_one_diagram(loaded) else None


def _is_one_diagram(array: np.ndarray) -> bool:
    """Whether the numbers are distinct and consecutive from 0 or 1, as in a diagram."""
    if not 1 < array.size <= 1 << 16:
        return False
    flat = np.sort(array, axis=None).astype(np.int64)
    return bool(flat[0] in (0, 1) and (flat == np.arange(flat[0], flat[0] + len(flat))).all() and len(array) > 1)
