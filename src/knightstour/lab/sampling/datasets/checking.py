"""A data set checked: every file as it was written, every tour a tour, every column true.

Each part is read by itself, so workers can share the parts. The tours are checked against moves that follow from the
coordinates (`Checker`), not from what packed them. That the tours are those of the distribution and the seed is not
checked: draw the same data set again elsewhere, and compare the checksums.

Cost: some 0.3 us a tour of 8x8, and 1 us more where crossings are to be checked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from knightstour.core.checking.rows import Checker
from knightstour.core.machine import sharing
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import callback
from knightstour.core.model.validation import path as given_path
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.sampling.datasets.columns import measured
from knightstour.lab.sampling.datasets.manifest import Part, Plan, read_manifest, what_is_wrong
from knightstour.lab.sampling.datasets.reading import batches_of, orders_of, rows_of

if TYPE_CHECKING:
    from pyarrow import RecordBatch

_ROWS_AT_ONCE = 1 << 16


class PartReport(NamedTuple):
    """What was found in a part. fault: "" if nothing is wrong."""

    file: str
    tour_count: int
    closed_count: int
    fault: str


@dataclass(frozen=True)
class DataSetReport:
    """What was found in a data set.

    tour_count, closed_count: the tours of sound parts, and the closed ones among them. part_count: all parts.
    faults: a line for each part that is not as it should be, and for each fault of the whole.
    """

    board: Board
    tour_count: int
    closed_count: int
    part_count: int
    faults: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def to_dict(self) -> dict[str, object]:
        """For `--json`."""
        return {
            "valid": self.is_valid,
            "board": str(self.board),
            "tours": self.tour_count,
            "closed": self.closed_count,
            "parts": self.part_count,
            "faults": list(self.faults),
        }

    def to_text(self) -> str:
        """For people."""
        verdict = "all valid" if self.is_valid else f"faults: {len(self.faults)}"
        parts = f"{self.part_count:,} part{'s' * (self.part_count != 1)}"
        return (
            f"{self.tour_count:,} tours of the {self.board.title} in {parts}, {verdict}; {self.closed_count:,} closed"
        )


@explains_arguments
def check_dataset(
    path: str | os.PathLike[str],
    *,
    workers: sharing.Workers = None,
    on_progress: OnProgress | None = None,
    on_fault: Callable[[str], None] | None = None,
) -> DataSetReport:
    """Check a data set in full.

    workers: as for sample_dataset. on_progress: called with a Progress at first and after each part.
    on_fault: called with each fault when it is found, in the order of the report.

    Tours of damaged parts do not count. A FormatError if there is no data set, or its manifest is damaged.

    >>> import tempfile, knightstour as kt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = kt.datasets.sample_dataset(folder, "6x6", 100, closed=True, part_tours=1000, rng=7)
    ...     check_dataset(folder).is_valid
    True
    """
    directory = Path(given_path(path)).absolute()
    callback(on_fault, "on_fault")
    manifest = read_manifest(directory)
    listed = manifest.listed
    faults: list[str] = []
    if not manifest.is_complete:
        faults.append(f"it is not finished: {manifest.tours:,} of {manifest.asked:,} tours")
    strays = {file.name for file in directory.glob("part-*")} - {part.file for part in listed}
    faults += [f"{name} is not named in the manifest" for name in sorted(strays) if manifest.is_complete]
    if on_fault is not None:
        for fault in faults:
            on_fault(fault)
    report_progress = Reporter(on_progress, "checking tours", manifest.tours)
    report_progress(0)
    tours = closed = seen = 0
    pieces = ((str(directory), manifest.plan, part) for part in listed)
    with closing(sharing.run_pieces(check_part, pieces, workers, in_order=True)) as reports:
        for k, report in reports:
            if report.fault:
                faults.append(f"{report.file} {report.fault}")
                if on_fault is not None:
                    on_fault(faults[-1])
            else:
                tours += report.tour_count
                closed += report.closed_count
            seen += listed[k].tours
            report_progress(seen)
    return DataSetReport(manifest.plan.problem.board, tours, closed, len(listed), tuple(faults))


def check_part(directory: str, plan: Plan, part: Part) -> PartReport:
    """Check one part: its file, each of its tours, and each column."""
    name = part.file
    fault = what_is_wrong(directory, part)
    if fault:
        return PartReport(name, 0, 0, fault)
    check = _check_rows if plan.part_format == "parquet" else _check_array
    try:
        tours, closed = check(Path(directory) / name, plan)
    except (FormatError, InvalidTour) as error:
        return PartReport(name, 0, 0, f"is wrong: {error}")
    except (OSError, ValueError, KeyError) as error:
        return PartReport(name, 0, 0, f"cannot be read: {str(error).splitlines()[0][:200]}")
    if tours != part.tours:
        return PartReport(name, 0, 0, f"has {tours:,} tours instead of {part.tours:,}")
    return PartReport(name, tours, closed, "")


def _check_array(path: Path, plan: Plan) -> tuple[int, int]:
    """(tours, closed ones) of an `.npy` part; an InvalidTour or FormatError for what is wrong."""
    checker = Checker(plan.problem)
    tours = closed = 0
    for rows in rows_of(path, plan, _ROWS_AT_ONCE):
        checker.check(rows)
        tours += len(rows)
        closed += int(packing.closed_rows(rows, plan.problem.board).sum())
    return tours, closed


def _check_rows(path: Path, plan: Plan) -> tuple[int, int]:
    """(tours, closed ones) of a Parquet part; an InvalidTour or FormatError for what is wrong."""
    problem = plan.problem
    board = problem.board
    checker = Checker(problem)
    pack = packing.packing_of(board)
    wanted = ["start", "moves", "end", "kind", "board", "distribution", "seed", *plan.columns]
    tours = closed = 0
    for batch in batches_of(path, wanted, _ROWS_AT_ONCE):
        try:
            orders = orders_of(batch, pack)
            checker.check(orders)
        except InvalidTour as error:
            raise InvalidTour(f"from row {tours:,} on: {error}", note=error.note) from None
        is_closed = packing.closed_rows(orders, board)
        _same("end", batch, orders[:, -1], tours)
        for name, value in (("board", board.title), ("distribution", plan.distribution), ("seed", str(plan.seed))):
            _all_are(name, value, batch)
        _same_names("kind", batch, ["open", "closed"], is_closed, tours)
        if "turns" in wanted:
            _same("turns", batch, packing.count_turns(orders, board, is_closed), tours)
        if "crossings" in wanted:
            _same("crossings", batch, packing.count_crossings(orders, board, is_closed), tours)
        if "symmetry" in wanted:
            _same_names("symmetry", batch, *packing.find_symmetries(orders, board, is_closed), tours)
        for name, values in measured(plan.columns, orders, board).items():
            _same(name, batch, values, tours)
        tours += len(orders)
        closed += int(is_closed.sum())
    return tours, closed


def _all_are(name: str, value: str, batch: RecordBatch) -> None:
    """A FormatError where a column that is the same in all rows says something else than the manifest."""
    for found in batch.column(name).unique().to_pylist():
        if str(found) != value:
            raise FormatError(f"{name} is {found}, and the manifest says {value}")


def _same(name: str, batch: RecordBatch, values: np.ndarray, first: int) -> None:
    column = batch.column(name)
    differs = np.flatnonzero(column.to_numpy(zero_copy_only=False) != values)
    if len(differs):
        row = int(differs[0])
        raise FormatError(f"row {first + row:,}: {name} is {column[row]}, and should be {values[row]}")


def _same_names(name: str, batch: RecordBatch, names: list[str], places: np.ndarray, first: int) -> None:
    column = batch.column(name)
    written = column.dictionary.to_pylist()
    # The file may have the names in another order.
    place_of = {text: k for k, text in enumerate(names)}
    there = np.array([place_of.get(text, -1) for text in written], dtype=np.int64)[column.indices.to_numpy()]
    differs = np.flatnonzero(there != places)
    if len(differs):
        row = int(differs[0])
        raise FormatError(f"row {first + row:,}: {name} is {column[row]}, and should be {names[int(places[row])]}")
