"""A data set of tours as one object: how many there are, in batches, some of them, or one.

Only the columns that are needed are read, in batches of some ten thousand tours. Conditions are tested while reading,
by the statistics of the file if these are enough. Every page of a file has a checksum, which is compared when it is
read.
"""

from __future__ import annotations

import bisect
import functools
import os
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack, overload

import numpy as np

from knightstour.core.machine.parquet import need_pyarrow
from knightstour.core.model.arguments import explains_arguments, shows_arguments
from knightstour.core.model.board import Board, Square
from knightstour.core.model.errors import FormatError, NoSuchPlace, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.sample import Sample
from knightstour.core.model.symmetry import symmetries
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import flag, one_of, shown, whole_number
from knightstour.core.model.validation import path as given_path
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.sampling.datasets.manifest import Manifest, Plan, read_manifest

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Table
    from pyarrow.compute import Expression

_BATCH_SQUARES = 1 << 22
_AGAIN = "draw it again: the same question once more with resume=True, or the same command"
_PAIR = "give a number, or a pair of the least and the most, None for no bound"
# The groups that turns and mirrorings of a flat board make up, as `Tour.symmetry` names them.
_FLAT_CLASSES = (
    *("none", "180", "90", "vertical", "horizontal", "diagonal", "antidiagonal"),
    *("180+vertical+horizontal", "180+diagonal+antidiagonal"),
    "180+vertical+horizontal+90+270+diagonal+antidiagonal",
)

# Rows of the largest batch: pyarrow counts them with 32 bits.
_MOST_AT_ONCE = (1 << 31) - 1
Range = tuple[int | None, int | None]
# A condition in its plain form: a number or a name, or the least and the most.
Condition: TypeAlias = int | str | Range


class Conditions(TypedDict, total=False):
    """What `DataSet.where` takes: a value, or for numbers also a pair of the least and the most."""

    start: Square | str | None
    end: Square | str | None
    kind: str | None
    symmetry: str | None
    turns: Range | int | None
    crossings: Range | int | None
    number: Range | int | None
    rank: Range | int | None


class DataSet:
    """The tours of a data set, or those of them that meet some conditions. Make it with `read_dataset`.

    path: the directory. plan: question, distribution, seed and columns. It can be iterated more than once.
    """

    def __init__(self, path: Path, manifest: Manifest, conditions: dict[str, Condition] | None = None) -> None:
        self.path = path
        self.manifest = manifest
        self._conditions = conditions or {}
        # (part, row of its first tour, table) of what was read for a single tour: the next is often beside it.
        self._near: tuple[int, int, Table] | None = None

    @property
    def plan(self) -> Plan:
        """What all the tours have in common."""
        return self.manifest.plan

    @property
    def board(self) -> Board:
        """The board of the tours."""
        return self.plan.problem.board

    @property
    def problem(self) -> Problem:
        """The question that the tours answer."""
        return self.plan.problem

    @property
    def columns(self) -> list[str]:
        """Names of the columns of the files."""
        return ["board", "kind", "law", "seed", "start", "end", "moves", *self.plan.columns]

    @property
    def files(self) -> list[str]:
        """The Parquet files in order, for other programs."""
        return [str(self.path / part.receipt.file) for _, part in sorted(self.manifest.parts.items())]

    def __len__(self) -> int:
        """Number of tours; with conditions all tours are read to count them."""
        if not self._conditions:
            return self.manifest.tours
        return sum(batch.num_rows for batch in self._batches(["start"], 1 << 20))

    def __repr__(self) -> str:
        some = " with conditions" if self._conditions else ""
        return (
            f"<DataSet of {self.manifest.tours:,} tours{some}: {self.problem}, distribution {self.plan.distribution}>"
        )

    @shows_arguments
    def where(self, **conditions: Unpack[Conditions]) -> DataSet:
        """The tours that meet these conditions, and those of this object.

        start, end: squares. kind: "closed" or "open". symmetry: a class. turns, crossings, number, rank: a number, or a
        pair of the least and the most, None for no bound; so any other statistic that is a column, such as
        `where(**{"angle-90": (20, None)})`. A ProblemError for a column that the data set does not have, and for a
        condition that no tour could meet.
        """
        checked: dict[str, Condition] = {}
        for name, value in conditions.items():
            if value is None:
                continue
            if name not in self.columns:
                raise ProblemError(
                    f"the data set has no column {name!r}", help="draw it with columns=... to ask for this"
                )
            if name in self._conditions:
                raise ProblemError(f"there is a condition on {name} already")
            checked[name] = self._checked(name, value)
        return DataSet(self.path, self.manifest, {**self._conditions, **checked})

    def _checked(self, name: str, value: object) -> Condition:
        """The value of a condition in its plain form; a ProblemError for one that no tour could meet."""
        if name in ("start", "end"):
            row, col = self.board.square(value)
            return row * self.board.cols + col
        if name == "kind":
            return one_of(value, ("closed", "open"), name)
        if name == "symmetry":
            return _check_symmetry(value, self.board)
        if not isinstance(value, tuple | list):
            return whole_number(value, name)
        if len(value) != 2:
            raise ProblemError(f"{name} must be a number or a pair, not {shown(value)}", help=_PAIR)
        low, high = (None if bound is None else whole_number(bound, f"a bound of {name}") for bound in value)
        if low is not None and high is not None and low > high:
            raise ProblemError(f"no number is at least {low} and at most {high}: {name}={shown(value)}", help=_PAIR)
        return low, high

    def batches(self, chunk: int | None = None) -> Iterator[Sample]:
        """The tours in order, as Samples of up to `chunk` tours; the last of a part may have fewer."""
        plan = self.plan
        offset = 0
        for orders in self.orders(chunk):
            yield Sample(
                orders,
                plan.problem,
                plan.distribution,
                dict(plan.parameters),
                plan.seed,
                offset=offset,
                unique=plan.unique,
                is_exhausted=self.manifest.is_exhausted,
                reason=self.manifest.reason,
            )
            offset += len(orders)

    def orders(self, chunk: int | None = None) -> Iterator[np.ndarray]:
        """The tours in order, as arrays (up to `chunk`, squares) of square numbers in order of visit."""
        pack = packing.packing_of(self.board)
        if chunk is None:
            chunk = max(1, _BATCH_SQUARES // self.board.square_count)
        for batch in self._batches(["start", "moves"], chunk):
            yield orders_of(batch, pack)

    def tables(self, columns: Iterable[str] | None = None, chunk: int = 1 << 16) -> Iterator[RecordBatch]:
        """The columns (all by default) as pyarrow record batches of up to `chunk` rows."""
        wanted = self.columns if columns is None else list(columns)
        for name in wanted:
            if name not in self.columns:
                raise ProblemError(f"the data set has no column {name!r}", help="one of " + ", ".join(self.columns))
        return self._batches(wanted, chunk)

    def __iter__(self) -> Iterator[Tour]:
        for batch in self.batches(1 << 12):
            yield from batch

    @overload
    def __getitem__(self, k: int) -> Tour: ...

    @overload
    def __getitem__(self, k: slice) -> list[Tour]: ...

    def __getitem__(self, k: int | slice) -> Tour | list[Tour]:
        """Tour number k from 0, or a list of those of a slice; only what is near is read.

        A ProblemError for what is no number, and with conditions: then tours have none.
        """
        if self._conditions:
            raise ProblemError("only a whole data set has numbered tours", help="iterate over these")
        if isinstance(k, slice):
            try:
                return [self._tour(place) for place in range(*k.indices(len(self)))]
            except TypeError:
                raise ProblemError(f"a slice is of whole numbers, not {shown(k)}") from None
        return self._tour(whole_number(k, "the number of a tour"))

    def _tour(self, k: int) -> Tour:
        place = k + len(self) if k < 0 else k
        if not 0 <= place < len(self):
            raise NoSuchPlace(f"there is no tour {k} among {len(self):,}")
        part = bisect.bisect_right(self._ends, place)
        place -= self._ends[part - 1] if part else 0
        first, table = self._rows_near(part, place)
        row = table.slice(place - first, 1).combine_chunks()
        orders = orders_of(row.to_batches()[0], packing.packing_of(self.board))
        return Tour.from_order(self.board, orders[0].astype(np.int64))

    def _rows_near(self, part: int, place: int) -> tuple[int, Table]:
        """(place of the first, table) of the rows that are read together with the row at `place` of the part."""
        if self._near is not None:
            known, first, table = self._near
            if known == part and first <= place < first + table.num_rows:
                return first, table
        import pyarrow.parquet as pq

        path = self.files[part]
        try:
            file = pq.ParquetFile(path, page_checksum_verification=True)
            group = first = 0
            while place >= first + file.metadata.row_group(group).num_rows:
                first += file.metadata.row_group(group).num_rows
                group += 1
            table = file.read_row_group(group, columns=["start", "moves"])
        except (OSError, ValueError) as error:
            raise _damaged(path, error) from error
        self._near = part, first, table
        return first, table

    @functools.cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(part.receipt.rows for _, part in sorted(self.manifest.parts.items())))

    def _batches(self, columns: list[str], size: int) -> Iterator[RecordBatch]:
        """Record batches with these columns of the tours that meet the conditions, part by part."""
        size = min(whole_number(size, "the size of a batch", least=1), _MOST_AT_ONCE)
        import pyarrow.dataset as pads

        condition = self._expression()
        form = pads.ParquetFileFormat(
            default_fragment_scan_options=pads.ParquetFragmentScanOptions(page_checksum_verification=True)
        )
        for path in self.files:
            try:
                fragment = pads.dataset(path, format=form)
                for batch in fragment.to_batches(columns=columns, filter=condition, batch_size=size, use_threads=False):
                    if batch.num_rows:
                        yield batch
            except (OSError, ValueError) as error:
                raise _damaged(path, error) from error

    def _expression(self) -> Expression | None:
        import pyarrow.dataset as pads

        whole: Expression | None = None
        for name, value in self._conditions.items():
            field = pads.field(name)
            low, high = value if isinstance(value, tuple) else (value, value)
            tests = [field == low] if low == high else []
            if not tests:
                tests += [field >= low] if low is not None else []
                tests += [field <= high] if high is not None else []
            for test in tests:
                whole = test if whole is None else whole & test
        return whole


def _check_symmetry(value: object, board: Board) -> str:
    """The value, if `Tour.symmetry` can have it on the board."""
    names = {sym.name for sym in symmetries(board)}
    classes = [text for text in _FLAT_CLASSES if text == "none" or names.issuperset(text.split("+"))]
    if board.wrap is None:
        return one_of(value, classes, "symmetry class")
    # A wrapped board has too many classes to list.
    words = {"none"} | {word.strip() for name in names for word in name.split("+")}
    if not isinstance(value, str) or not words.issuperset(word.strip() for word in value.split("+")):
        raise ProblemError(f"unknown symmetry class {shown(value)}", help="give one as Tour.symmetry is, or none")
    return value


def orders_of(batch: RecordBatch, pack: packing.Packing) -> np.ndarray:
    """The tours of a record batch with `start` and `moves`, unpacked."""
    moves = batch.column("moves")
    data = np.frombuffer(moves.buffers()[1], np.uint8)[moves.offset * pack.width :][: len(moves) * pack.width]
    starts = batch.column("start").to_numpy(zero_copy_only=False)
    return pack.unpack(data.reshape(-1, pack.width), np.asarray(starts, dtype=pack.kind))


def _damaged(path: str, error: Exception) -> FormatError:
    if isinstance(error, FormatError):
        return error
    why = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
    return FormatError(why, path=path, note=str(error).splitlines()[0][:200], help=_AGAIN)


@explains_arguments
def read_dataset(path: str | os.PathLike[str], *, partial: bool = False) -> DataSet:
    """The data set in a directory, as `sample_dataset` and `knightstour sample -o DIR/` write it.

    partial: also one that is not finished; it has the tours of its finished parts.

    Raises FormatError if there is none, its manifest is damaged, a part is missing or has another size, or it is not
    finished.

    >>> import tempfile, knightstour as kt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = kt.datasets.sample_dataset(folder, "6x6", 100, closed=True, rng=7)
    ...     tours = read_dataset(folder)
    ...     len(tours), tours.board
    (100, Board(6, 6))
    """
    need_pyarrow()
    directory = Path(given_path(path)).absolute()
    partial = flag(partial, "partial")
    manifest = read_manifest(directory)
    if not manifest.is_complete and not partial:
        raise FormatError(
            f"is not finished: it has {manifest.tours:,} of {manifest.asked:,} tours",
            path=str(path),
            help="go on from it (resume=True, or the same command), or read what there is with partial=True",
        )
    for _, part in sorted(manifest.parts.items()):
        name = directory / part.receipt.file
        try:
            size = name.stat().st_size
        except OSError as error:
            raise _damaged(str(name), error) from error
        if size != part.receipt.bytes:
            raise FormatError(f"has {size:,} bytes instead of {part.receipt.bytes:,}", path=str(name), help=_AGAIN)
    return DataSet(directory, manifest)
