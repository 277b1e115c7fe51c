"""Check of a data set: file contents, tours and columns.

Workers can share the parts. The tours are checked against moves computed from the coordinates (`Checker`),
independently of the packing. The distribution and the seed are not checked: to verify them, draw the same data set
elsewhere and compare the checksums.

Cost: about 0.7 us per 8x8 tour, and 1 us more for turns, 2 us for crossings.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from knightstour.core.checking.reports import closed_rows
from knightstour.core.checking.rows import Checker
from knightstour.core.machine import sharing
from knightstour.core.model.board import Board, title_of
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import path as given_path
from knightstour.lab.sampling.datasets.manifest import Part, Plan, fault_of, read_manifest
from knightstour.lab.sampling.datasets.parts import batches_of, measure_columns

_ROWS_AT_ONCE = 1 << 16


class PartReport(NamedTuple):
    """Result for a part; fault is "" if it is correct."""

    file: str
    tour_count: int
    closed_count: int
    fault: str


@dataclass(frozen=True)
class DataSetReport:
    """Result for a data set.

    Attributes:
        board: The board of the tours.
        tour_count, closed_count: Number of tours in correct parts, and of closed tours among them.
        part_count: Number of parts.
        faults: One line for each faulty part, and for each fault of the whole data set.
    """

    board: Board
    tour_count: int
    closed_count: int
    part_count: int
    faults: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        """Whether there are no faults."""
        return not self.faults

    def to_dict(self) -> dict[str, object]:
        """Return the fields as JSON-serialisable data."""
        return {
            "valid": self.is_valid,
            "board": str(self.board),
            "tours": self.tour_count,
            "closed": self.closed_count,
            "parts": self.part_count,
            "faults": list(self.faults),
        }

    def to_text(self) -> str:
        """Return a line for each fault, and the verdict."""
        verdict = "all valid" if self.is_valid else f"faults: {len(self.faults)}"
        parts = f"{self.part_count:,} part{'s' if self.part_count != 1 else ''}"
        summary = f"{self.tour_count:,} tours of the {title_of(self.board)} in {parts}, {verdict}"
        return "\n".join([*self.faults, f"{summary}; {self.closed_count:,} closed"])


def check_dataset(
    path: str | os.PathLike[str], *, workers: sharing.Workers = None, on_progress: OnProgress | None = None
) -> DataSetReport:
    """Check all files of a data set. Tours of damaged parts do not count.

    Args:
        path: The folder.
        workers: As for sample_dataset.
        on_progress: Callback with a Progress at the start and after each part.

    Raises:
        FormatError: If there is no data set, or its manifest is damaged.

    >>> import tempfile, knightstour as kt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = kt.datasets.sample_dataset(folder, "6x6", 100, closed=True, part_tours=1000, seed=7)
    ...     check_dataset(folder).is_valid
    True
    """
    directory = Path(given_path(path)).absolute()
    manifest = read_manifest(directory)
    listed = manifest.sorted_parts
    faults: list[str] = []
    if manifest.is_complete:
        strays = {file.name for file in directory.glob("part-*")} - {part.file for part in listed}
        faults += [f"{name} is not in the manifest" for name in sorted(strays)]
    else:
        faults.append(f"unfinished: {manifest.tours:,} of {manifest.wanted:,} tours")
    report_progress = Reporter(on_progress, "checking tours", manifest.tours)
    report_progress(0)
    tours = closed = seen = 0
    pieces = ((str(directory), manifest.plan, part) for part in listed)
    with closing(sharing.run_pieces(check_part, pieces, workers, in_order=True)) as reports:
        for k, report in reports:
            if report.fault:
                faults.append(f"{report.file} {report.fault}")
            tours += report.tour_count
            closed += report.closed_count
            seen += listed[k].tours
            report_progress(seen)
    return DataSetReport(manifest.plan.problem.board, tours, closed, len(listed), tuple(faults))


def check_part(directory: str, plan: Plan, part: Part) -> PartReport:
    """Check the file, the tours and the columns of a part."""
    tours = closed = 0
    fault = fault_of(directory, part)
    try:
        if not fault:
            tours, closed = _counts(Path(directory) / part.file, plan)
            if tours != part.tours:
                fault = f"has {tours:,} tours instead of {part.tours:,}"
    except (FormatError, InvalidTour) as error:
        fault = f"is wrong: {error}"
    except (OSError, ValueError, KeyError) as error:
        fault = f"cannot be read: {str(error).splitlines()[0][:200]}"
    return PartReport(part.file, 0, 0, fault) if fault else PartReport(part.file, tours, closed, "")


def _counts(path: Path, plan: Plan) -> tuple[int, int]:
    """Return the number of tours and of closed tours; raise InvalidTour or FormatError for a fault."""
    checker = Checker(plan.problem)
    tours = closed = 0
    try:
        for orders, columns in batches_of(path, plan, _ROWS_AT_ONCE, plan.columns):
            checker.check(orders)
            for name, right in measure_columns(plan, orders).items():
                found = columns[name]
                for row in np.flatnonzero(found != right)[:1]:
                    raise FormatError(f"row {tours + row:,}: {name} is {found[row]}, but should be {right[row]}")
            tours += len(orders)
            closed += int(closed_rows(plan.problem.board, orders).sum())
    except InvalidTour as error:
        raise InvalidTour(f"from row {tours:,} on: {error}" if tours else str(error), note=error.note) from None
    return tours, closed
