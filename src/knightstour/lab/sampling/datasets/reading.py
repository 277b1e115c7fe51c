"""A data set of tours as one object: how many there are, in batches, some of them, one, or all as one array.

Of Parquet only the columns that are needed are read, in batches of some ten thousand tours, and the checksum of each
page is compared; `.npy` is mapped.
"""

from __future__ import annotations

import bisect
import functools
import os
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np

from knightstour.core.machine.parquet import need_pyarrow
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError, NoSuchPlace, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.sample import Sample, order_type
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import flag, quoted, whole_number
from knightstour.core.model.validation import path as given_path
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.sampling.datasets.manifest import (
    AGAIN,
    COLUMNS_OF_ALL,
    Manifest,
    Plan,
    read_manifest,
    what_is_wrong,
)

if TYPE_CHECKING:
    from pyarrow import RecordBatch

_BATCH_SQUARES = 1 << 22
# Rows that are read for a single tour.
_NEAR = 1 << 12
# Rows of the largest batch: pyarrow counts them with 32 bits.
_MAX_AT_ONCE = (1 << 31) - 1


class DataSet:
    """The tours of a data set, made by `read_dataset`. `np.asarray(data)` holds them all, as rows of square numbers.

    path: the folder. plan: question, distribution, seed and columns. It can be iterated more than once.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        # (part, row of its first tour, rows) of what was read for a single tour: the next is often beside it.
        self._near: tuple[int, int, np.ndarray] | None = None

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
        """Names of the columns of Parquet files."""
        if self.plan.part_format == "npy":
            return []
        return [*COLUMNS_OF_ALL, *self.plan.columns]

    @property
    def files(self) -> list[str]:
        """The files in order, for other programs."""
        return [str(self.path / part.file) for part in self.manifest.listed]

    def __len__(self) -> int:
        """Number of tours."""
        return self.manifest.tours

    def __repr__(self) -> str:
        return f"<DataSet of {len(self):,} tours: {self.problem}, distribution {self.plan.distribution}>"

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        """All tours as one array (tours, squares) of square numbers in order of visit."""
        rows = [np.empty((0, self.board.square_count), dtype=order_type(self.board)), *self.orders()]
        return np.concatenate(rows).astype(dtype or rows[0].dtype, copy=False)

    def batches(self, chunk: int | None = None) -> Iterator[Sample]:
        """The tours in order, as Samples of up to `chunk` tours; the last of a part may have fewer."""
        plan = self.plan
        offset = 0
        for orders in self.orders(chunk):
            yield Sample(orders, plan.problem, plan.distribution, dict(plan.parameters), plan.seed, offset=offset)
            offset += len(orders)

    def orders(self, chunk: int | None = None) -> Iterator[np.ndarray]:
        """The tours in order, as arrays (up to `chunk`, squares) of square numbers in order of visit."""
        most = max(1, _BATCH_SQUARES // self.board.square_count) if chunk is None else chunk
        most = min(whole_number(most, "the size of a batch", least=1), _MAX_AT_ONCE)
        for part in self.manifest.listed:
            yield from rows_of(self.path / part.file, self.plan, most)

    def __iter__(self) -> Iterator[Tour]:
        for batch in self.batches(1 << 12):
            yield from batch

    @overload
    def __getitem__(self, k: int) -> Tour: ...

    @overload
    def __getitem__(self, k: slice) -> list[Tour]: ...

    def __getitem__(self, k: int | slice) -> Tour | list[Tour]:
        """Tour number k from 0, or a list of those of a slice; only what is near is read."""
        if isinstance(k, slice):
            try:
                return [self._tour(place) for place in range(*k.indices(len(self)))]
            except TypeError:
                raise ProblemError(f"a slice is of whole numbers, not {quoted(k)}") from None
        return self._tour(whole_number(k, "the number of a tour"))

    def _tour(self, k: int) -> Tour:
        place = k + len(self) if k < 0 else k
        if not 0 <= place < len(self):
            raise NoSuchPlace(f"there is no tour {k} among {len(self):,}")
        part = bisect.bisect_right(self._ends, place)
        place -= self._ends[part - 1] if part else 0
        if self._near is None or self._near[0] != part or not 0 <= place - self._near[1] < len(self._near[2]):
            first = 0
            for rows in rows_of(Path(self.files[part]), self.plan, _NEAR):
                if place < first + len(rows):
                    self._near = part, first, rows
                    break
                first += len(rows)
        assert self._near is not None
        return Tour.from_order(self.board, self._near[2][place - self._near[1]].astype(np.int64))

    @functools.cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(part.tours for part in self.manifest.listed))


def rows_of(path: Path, plan: Plan, most: int) -> Iterator[np.ndarray]:
    """The tours of a part as rows of square numbers, up to `most` at a time; a FormatError for a damaged file."""
    board = plan.problem.board
    if plan.part_format == "npy":
        try:
            rows = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError, SyntaxError) as error:
            raise damaged(path, error) from error
        if rows.ndim != 2 or rows.dtype.kind not in "iu":
            raise damaged(path, ValueError(f"an array of {rows.dtype} and shape {rows.shape}"))
        yield from (np.array(rows[first : first + most]) for first in range(0, len(rows), most))
        return
    pack = packing.packing_of(board)
    for batch in batches_of(path, ["start", "moves"], most):
        yield orders_of(batch, pack)


def batches_of(path: Path, columns: list[str], most: int) -> Iterator[RecordBatch]:
    """Columns of a Parquet part, up to `most` rows at a time; a FormatError for a damaged file."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            yield from file.iter_batches(most, columns=columns, use_threads=False)
    except (OSError, ValueError) as error:
        raise damaged(path, error) from error


def orders_of(batch: RecordBatch, pack: packing.Packing) -> np.ndarray:
    """The tours of a record batch with `start` and `moves`, unpacked."""
    moves = batch.column("moves")
    data = np.frombuffer(moves.buffers()[1], np.uint8)[moves.offset * pack.width :][: len(moves) * pack.width]
    starts = batch.column("start").to_numpy(zero_copy_only=False)
    return pack.unpack(data.reshape(-1, pack.width), np.asarray(starts, dtype=pack.kind))


def damaged(path: Path, error: Exception) -> FormatError:
    """The error of a part that cannot be read."""
    if isinstance(error, FormatError):
        return error
    why = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
    return FormatError(why, path=str(path), note=str(error).splitlines()[0][:200] if str(error) else "", help=AGAIN)


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
    directory = Path(given_path(path)).absolute()
    partial = flag(partial, "partial")
    manifest = read_manifest(directory)
    if manifest.plan.part_format == "parquet":
        need_pyarrow()
    if not manifest.is_complete and not partial:
        raise FormatError(
            f"is not finished: it has {manifest.tours:,} of {manifest.asked:,} tours",
            path=str(path),
            help="go on from it (resume=True, or the same command), or read what there is with partial=True",
        )
    for part in manifest.listed:
        if wrong := what_is_wrong(str(directory), part, is_quick=True):
            raise FormatError(wrong, path=str(directory / part.file), help=AGAIN)
    return DataSet(directory, manifest)
