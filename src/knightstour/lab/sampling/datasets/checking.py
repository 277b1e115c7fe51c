"""A data set checked: every file as it was written, every tour a tour, every column true.

Each part is read by itself, so workers can share the parts. The tours are checked against moves that follow from the
coordinates (`Checker`), not from what packed them. That the tours are those of the distribution and the seed is not
checked: draw the same data set again elsewhere, and compare the checksums.

Cost: some 0.7 us a tour of 8x8, and 1 us more for turns, 2 for crossings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from knightstour.core.checking.demands import closed_rows
from knightstour.core.checking.rows import Checker
from knightstour.core.machine import sharing
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import callback
from knightstour.core.model.validation import path as given_path
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.sampling.datasets.manifest import COLUMNS_OF_ALL, Part, Plan, read_manifest, what_is_wrong
from knightstour.lab.sampling.datasets.parts import table_of
from knightstour.lab.sampling.datasets.reading import batches_of, orders_of, rows_of

if TYPE_CHECKING:
    from pyarrow import Array

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
    path = Path(directory) / name
    checked = _checked_rows(path, plan, part) if plan.part_format == "parquet" else _checked_array(path, plan)
    tours = closed = 0
    try:
        for orders in checked:
            tours += len(orders)
            closed += int(closed_rows(plan.problem.board, orders).sum())
    except (FormatError, InvalidTour) as error:
        return PartReport(name, 0, 0, f"is wrong: {error}")
    except (OSError, ValueError, KeyError) as error:
        return PartReport(name, 0, 0, f"cannot be read: {str(error).splitlines()[0][:200]}")
    if tours != part.tours:
        return PartReport(name, 0, 0, f"has {tours:,} tours instead of {part.tours:,}")
    return PartReport(name, tours, closed, "")


def _checked_array(path: Path, plan: Plan) -> Iterator[np.ndarray]:
    """The tours of an `.npy` part; an InvalidTour or FormatError for what is wrong."""
    checker = Checker(plan.problem)
    for orders in rows_of(path, plan, _ROWS_AT_ONCE):
        checker.check(orders)
        yield orders


def _checked_rows(path: Path, plan: Plan, part: Part) -> Iterator[np.ndarray]:
    """The tours of a Parquet part, whose columns are true of them; an InvalidTour or FormatError for what is wrong."""
    checker = Checker(plan.problem)
    pack = packing.packing_of(plan.problem.board)
    row, first = 0, part.number * plan.part_tours
    for batch in batches_of(path, [*COLUMNS_OF_ALL, *plan.columns], _ROWS_AT_ONCE):
        try:
            orders = orders_of(batch, pack)
            checker.check(orders)
        except InvalidTour as error:
            raise InvalidTour(f"from row {row:,} on: {error}", note=error.note) from None
        right = table_of(plan, orders, np.arange(first + row, first + row + len(orders)))
        for name in right.column_names:
            if name not in ("start", "moves"):  # what the tours were read from
                _check_column(name, batch.column(name), right.column(name).combine_chunks(), row)
        row += len(orders)
        yield orders


def _check_column(name: str, found: Array, right: Array, first: int) -> None:
    """A FormatError for the first value that is not the right one. first: the row of the first."""
    if found.equals(right):
        return
    # Now to say where; or the dictionary has its names in another order, and nothing is wrong.
    values, wanted = (
        (each.dictionary_decode() if hasattr(each, "dictionary_decode") else each).to_numpy(zero_copy_only=False)
        for each in (found, right)
    )
    differs = np.flatnonzero(values != wanted)
    if len(differs):
        row = int(differs[0])
        raise FormatError(f"row {first + row:,}: {name} is {values[row]}, and should be {wanted[row]}")
