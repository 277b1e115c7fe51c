"""A data set checked: every file as it was written, every tour a tour, every column true.

Each part is read by itself, so workers can share the parts. The tours are checked against moves that follow from the
coordinates (`Checker`), not from what packed them. What the manifest says is made again as far as that can be done
(redrawn.py); the report calls the rest claimed.

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
from knightstour.lab.sampling.datasets import packing, redrawn
from knightstour.lab.sampling.datasets.columns import measured
from knightstour.lab.sampling.datasets.manifest import Part, Plan, read_manifest, what_is_wrong
from knightstour.lab.sampling.datasets.reading import orders_of
from knightstour.lab.sampling.distinct import Seen

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
    faults: a line for each part that is not as it should be, and for each fault of the whole. claimed: what the
    manifest says and nobody has made again.
    """

    board: Board
    tour_count: int
    closed_count: int
    part_count: int
    faults: tuple[str, ...]
    claimed: tuple[str, ...] = ()

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
            "claimed": list(self.claimed),
        }

    def to_text(self) -> str:
        """For people."""
        verdict = "all valid" if self.is_valid else f"faults: {len(self.faults)}"
        parts = f"{self.part_count:,} part{'s' * (self.part_count != 1)}"
        words = (
            f"{self.tour_count:,} tours of the {self.board.title} in {parts}, {verdict}; {self.closed_count:,} closed"
        )
        return "\n".join([words, *(f"claimed: {claim}" for claim in self.claimed)])


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
    listed = [part for _, part in sorted(manifest.parts.items())]
    faults: list[str] = []
    if not manifest.is_complete:
        faults.append(f"it is not finished: {manifest.tours:,} of {manifest.asked:,} tours")
    strays = {file.name for file in directory.glob("*.parquet")} - {part.receipt.file for part in listed}
    faults += [f"{name} is not named in the manifest" for name in sorted(strays) if manifest.is_complete]
    faults += redrawn.faults_of(manifest)
    if on_fault is not None:
        for fault in faults:
            on_fault(fault)
    report_progress = Reporter(on_progress, "checking tours", manifest.tours)
    report_progress(0)
    tours = closed = seen = 0
    draws_again = redrawn.is_drawn_again(manifest)
    pieces = ((str(directory), manifest.plan, part, draws_again) for part in listed)
    with closing(sharing.run_pieces(check_part, pieces, workers, in_order=True)) as reports:
        for k, report in reports:
            if report.fault:
                faults.append(f"{report.file} {report.fault}")
                if on_fault is not None:
                    on_fault(faults[-1])
            else:
                tours += report.tour_count
                closed += report.closed_count
            seen += listed[k].receipt.rows
            report_progress(seen)
    are_compared = manifest.plan.unique and tours <= redrawn.MOST_COMPARED
    if are_compared and not faults:
        faults += _repeats_in(directory, manifest.plan, listed)
    claimed = tuple(redrawn.claimed_by(manifest, are_compared))
    return DataSetReport(manifest.plan.problem.board, tours, closed, len(listed), tuple(faults), claimed)


def _repeats_in(directory: Path, plan: Plan, parts: list[Part]) -> list[str]:
    """The first tour of sound parts that came before, in words."""
    import pyarrow.parquet as pq

    seen = Seen(plan.problem)
    pack = packing.packing_of(plan.problem.board)
    for part in parts:
        first = 0
        with pq.ParquetFile(directory / part.receipt.file) as file:
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=["start", "moves"], use_threads=False):
                repeats = np.flatnonzero(~seen.add(orders_of(batch, pack)))
                if len(repeats):
                    return [f"{part.receipt.file} is wrong: row {first + int(repeats[0]):,} is a tour that came before"]
                first += batch.num_rows
    return []


def check_part(directory: str, plan: Plan, part: Part, draws_again: bool) -> PartReport:
    """Check one part. draws_again: whether its first tours are drawn once more, and compared."""
    name = part.receipt.file
    fault = what_is_wrong(directory, part.receipt)
    if fault:
        return PartReport(name, 0, 0, fault)
    try:
        tours, closed, begin = _check_rows(Path(directory) / name, plan)
    except (FormatError, InvalidTour) as error:
        return PartReport(name, 0, 0, f"is wrong: {error}")
    except (OSError, ValueError, KeyError) as error:
        return PartReport(name, 0, 0, f"cannot be read: {str(error).splitlines()[0][:200]}")
    if tours != part.receipt.rows:
        return PartReport(name, 0, 0, f"has {tours:,} tours instead of {part.receipt.rows:,}")
    fault = redrawn.fault_of_draws(plan, part, begin) if draws_again else ""
    if fault:
        return PartReport(name, 0, 0, fault)
    return PartReport(name, tours, closed, "")


def _check_rows(path: Path, plan: Plan) -> tuple[int, int, np.ndarray]:
    """(tours, closed ones, the first tours); an InvalidTour or FormatError for what is wrong."""
    import pyarrow.parquet as pq

    problem = plan.problem
    board = problem.board
    checker = Checker(problem)
    pack = packing.packing_of(board)
    wanted = ["start", "moves", "end", "kind", "board", "law", "seed", *plan.columns]
    tours = closed = 0
    begin = np.empty((0, board.square_count), dtype=np.int64)
    file = pq.ParquetFile(path)
    for batch in file.iter_batches(_ROWS_AT_ONCE, columns=wanted, use_threads=False):
        try:
            orders = orders_of(batch, pack)
            checker.check(orders)
        except InvalidTour as error:
            raise InvalidTour(f"from row {tours:,} on: {error}", note=error.note) from None
        is_closed = packing.closed_rows(orders, board)
        begin = begin if tours else orders
        _same("end", batch, orders[:, -1], tours)
        for name, value in (("board", board.title), ("law", plan.distribution), ("seed", str(plan.seed))):
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
    return tours, closed, begin


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
