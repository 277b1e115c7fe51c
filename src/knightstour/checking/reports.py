"""`check`: is this a tour? What kind of one, or which step is wrong?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from knightstour.checking import giant
from knightstour.checking.giant import BulkReport
from knightstour.checking.rows import Checker
from knightstour.formats import tours as formats
from knightstour.machine.files import source_of
from knightstour.model.board import Board, are_moves
from knightstour.model.errors import FormatError, InvalidTour
from knightstour.model.problem import Problem
from knightstour.model.progress import OnProgress
from knightstour.model.tour import Tour

# Rows of a sample that are checked at once.
_ROWS_AT_ONCE = 1 << 17


@dataclass(frozen=True, slots=True)
class Report:
    """What was found out about one tour of a file: the tour, or the fault."""

    tour: Tour | None
    fault: InvalidTour | None

    @property
    def is_valid(self) -> bool:
        """Whether it is a tour."""
        return self.tour is not None

    def facts(self) -> dict[str, Any]:
        """Kind, symmetry, turns, crossings and magic of a valid tour; drawn facts of flat boards only."""
        tour = self.tour
        assert tour is not None
        is_flat = tour.board.wrap is None and tour.board.graph is None
        facts: dict[str, Any] = {
            "board": str(tour.board),
            "closed": tour.is_closed,
            "start": tour.board.name(tour.start),
            "end": tour.board.name(tour.end),
            "symmetry": tour.symmetry,
            "symmetry_name": tour.symmetry_name,
        }
        if is_flat:
            facts["turns"] = tour.turns
            facts["crossings"] = tour.crossings
            facts["magic"] = tour.magic
        return facts

    def to_dict(self, number: int) -> dict[str, Any]:
        """For `--json`."""
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
            facts["symmetry"] += f" ({name})"
        kind = "closed" if facts.pop("closed") else "open"
        head = f"tour {number}: valid {kind} tour of the {facts.pop('board')}"
        return f"{head}, {facts.pop('start')} to {facts.pop('end')}; " + ", ".join(f"{k} {v}" for k, v in facts.items())


def reports(
    file: str, format_name: str | None, board: Board | None, on_progress: OnProgress | None = None
) -> Iterator[Report | BulkReport | SampleReport]:
    """A report on each tour of a file. Faults of the file itself are FormatErrors.

    A giant .npy is looked at part by part, in bounded memory, and told about shortly; on_progress is for these. Of a
    sample, many tours as rows of square numbers, only the faulty ones and the whole are told.
    """
    sample = _sample_in(file, board) if format_name in (None, "npy") and file.endswith(".npy") else None
    if sample is not None:
        if board is None:
            raise FormatError(
                f"it holds {sample.shape[0]:,} rows of {sample.shape[1]} square numbers, of which board is not said",
                path=file,
                help="name it with --board",
            )
        yield from _sample_reports(sample, board)
        return
    if format_name in (None, "npy") and file != "-" and giant.is_giant_npy(file):
        yield from giant.check_npy(file, board, on_progress=on_progress)
        return
    candidates = formats.read_candidates(source_of(file), format_name, board)
    while True:
        try:
            found = next(candidates, None)
            if found is None:
                return
            yield Report(Tour(*found), None)
        except InvalidTour as fault:
            yield Report(None, fault)


@dataclass(frozen=True, slots=True)
class SampleReport:
    """What was found out about all the rows of a sample."""

    board: Board
    tours: int
    closed: int
    faults: int

    @property
    def is_valid(self) -> bool:
        """Whether all rows are tours."""
        return self.faults == 0

    def to_dict(self, number: int) -> dict[str, Any]:
        """For `--json`."""
        return {
            "valid": self.is_valid,
            "board": str(self.board),
            "tours": self.tours,
            "closed": self.closed,
            "invalid": self.faults,
        }

    def to_text(self, number: int) -> str:
        """For people."""
        verdict = "all valid" if self.is_valid else f"{self.faults:,} of them invalid"
        return f"{self.tours:,} tours of the {self.board}, {verdict}; {self.closed:,} closed"


def _sample_reports(rows: np.ndarray, board: Board) -> Iterator[Report | SampleReport]:
    """A report on each faulty row of an array (tours, squares) of square numbers, then one on all of them."""
    checker = Checker(Problem(board))
    closed = faults = 0
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        part = np.asarray(rows[first : first + _ROWS_AT_ONCE])
        try:
            checker.check(part)
        except InvalidTour:
            for row in part:
                try:
                    Tour.from_order(board, row)
                except InvalidTour as fault:
                    faults += 1
                    yield Report(None, fault)
        if part.shape[1] > 2:
            ends = part[:, [-1, 0]].astype(np.int64)
            closed += int(are_moves(board, ends[:, 0], ends[:, 1]).sum())
    yield SampleReport(board, len(rows), closed, faults)


def _sample_in(file: str, board: Board | None) -> np.ndarray | None:
    """The rows of a sample as `knightstour sample -o FILE.npy` writes them, or None if the file is something else."""
    try:
        loaded = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    # Diagrams are int32 or int64; the square numbers of boards up to 65,536 squares need less.
    if not isinstance(loaded, np.ndarray) or loaded.ndim != 2 or loaded.dtype.kind not in "iu":
        return None
    is_sample = loaded.dtype in (np.uint8, np.uint16) or (
        board is not None and loaded.shape[1] == board.square_count and loaded.shape != (board.rows, board.cols)
    )
    return loaded if is_sample else None
