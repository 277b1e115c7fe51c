"""A data set of tours as one object: its length, single tours, slices, batches, or one array."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import overload

import numpy as np

from knightstour.core.machine.records import need_pyarrow
from knightstour.core.model.board import Board, square_count
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.core.model.sample import Sample, order_type
from knightstour.core.model.tour import Tour, tour_of
from knightstour.core.model.validation import flag, whole_number, wrong_type
from knightstour.core.model.validation import path as given_path
from knightstour.lab.sampling.datasets.manifest import AGAIN, Manifest, Plan, fault_of, read_manifest
from knightstour.lab.sampling.datasets.parts import batches_of

_BATCH_SQUARES = 1 << 22
# Maximum number of rows of a batch, since pyarrow counts them with 32 bits.
_MAX_AT_ONCE = (1 << 31) - 1


class DataSet:
    """The tours of a data set, from `read_dataset`. `np.asarray(data)` contains all tours as rows of square numbers.

    Attributes:
        path: The folder.
        plan: Problem, distribution, seed and columns.

    It can be iterated more than once.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        # Cache for single tours: the index of the first cached row, and the rows. The next access is often nearby.
        self._near: tuple[int, np.ndarray] = 0, np.empty((0, 0))

    @property
    def plan(self) -> Plan:
        """Common properties of all tours."""
        return self.manifest.plan

    @property
    def board(self) -> Board:
        """Board of the tours."""
        return self.plan.problem.board

    @property
    def problem(self) -> Problem:
        """Problem of the tours."""
        return self.plan.problem

    @property
    def columns(self) -> list[str]:
        """Names of the columns of Parquet files."""
        return [] if self.plan.part_format == "npy" else ["start", "moves", *self.plan.columns]

    @property
    def files(self) -> list[str]:
        """Paths of the files in order, for other programs."""
        return [str(self.path / part.file) for part in self.manifest.sorted_parts]

    def __len__(self) -> int:
        """Number of tours."""
        return self.manifest.tours

    def __repr__(self) -> str:
        return f"<DataSet of {len(self):,} tours: {self.problem}, distribution {self.plan.distribution}>"

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        """Return all tours as one array (tours, squares) of square numbers in order of visit."""
        rows = [np.empty((0, square_count(self.board)), dtype=order_type(self.board)), *self.orders()]
        return np.concatenate(rows).astype(dtype or rows[0].dtype, copy=False)

    def batches(self, chunk: int | None = None) -> Iterator[Sample]:
        """Yield the tours in order, as Samples of up to `chunk` tours; the last Sample of a part may have fewer."""
        plan = self.plan
        offset = 0
        for orders in self.orders(chunk):
            yield Sample(orders, plan.problem, plan.distribution, dict(plan.parameters), plan.seed, offset=offset)
            offset += len(orders)

    def orders(self, chunk: int | None = None) -> Iterator[np.ndarray]:
        """Yield the tours in order, as arrays (up to `chunk`, squares) of square numbers in order of visit."""
        most = max(1, _BATCH_SQUARES // square_count(self.board)) if chunk is None else chunk
        most = min(whole_number(most, "the size of a batch", least=1), _MAX_AT_ONCE)
        for file in self.files:
            yield from (orders for orders, _ in batches_of(Path(file), self.plan, most))

    def __iter__(self) -> Iterator[Tour]:
        for batch in self.batches(1 << 12):
            yield from batch

    @overload
    def __getitem__(self, k: int) -> Tour: ...

    @overload
    def __getitem__(self, k: slice) -> list[Tour]: ...

    def __getitem__(self, k: int | slice) -> Tour | list[Tour]:
        """Return the tour with an index from 0, or the tours of a slice as a list; only nearby rows are read."""
        try:
            places = range(len(self))[k]
        except IndexError:
            raise IndexError(f"index {k} is out of range: there are {len(self):,} tours") from None
        except TypeError:
            raise wrong_type("the index of a tour", "an integer", k) from None
        return [self._tour(place) for place in places] if isinstance(places, range) else self._tour(places)

    def _tour(self, k: int) -> Tour:
        first, rows = self._near
        if not first <= k < first + len(rows):
            place = k // self.plan.part_tours  # all parts except the last have this size
            first = place * self.plan.part_tours
            for rows, _ in batches_of(Path(self.files[place]), self.plan, 1 << 12):
                if k < first + len(rows):
                    break
                first += len(rows)
            self._near = first, rows
        return tour_of(self.board, rows[k - first].astype(np.int64))


def read_dataset(path: str | os.PathLike[str], *, partial: bool = False) -> DataSet:
    """Open the data set in a folder, written by `sample_dataset` or `knightstour sample -o DIR/`.

    Args:
        path: The folder.
        partial: Whether an unfinished data set is accepted; it has the tours of its finished parts.

    Raises:
        FormatError: If there is no data set, it is unfinished, its manifest is damaged, or a part is missing or has a
            wrong size.

    >>> import tempfile, knightstour as kt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = kt.datasets.sample_dataset(folder, "6x6", 100, closed=True, seed=7)
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
            f"is not finished: it has {manifest.tours:,} of {manifest.wanted:,} tours",
            path=str(path),
            help="resume it with the same call or command, or read the existing tours with partial=True",
        )
    for part in manifest.sorted_parts:
        if wrong := fault_of(str(directory), part, is_quick=True):
            raise FormatError(wrong, path=str(directory / part.file), help=AGAIN)
    return DataSet(directory, manifest)
