"""A part of a data set: draw its tours, write them to a file, and read them.

An `.npy` file contains rows of square numbers in order of visit. A Parquet file has the columns `start`, a square
number row * columns + column, and `moves`, encoded (see packing.py), and the statistics of the plan. Its metadata
contains the description of the data set and of the encoding, as JSON, under the key `knightstour`.

The bytes of a part depend only on the plan and the versions of this package and of pyarrow.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.model.errors import FormatError, KnightsTourError
from knightstour.core.statistics.measure import measure
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.sampling.datasets.manifest import AGAIN, Part, Plan, write_part
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import Stream

if TYPE_CHECKING:
    from pyarrow import Buffer, RecordBatch, Table

_ROW_GROUP = 1 << 17


def make_part(plan: Plan, directory: str, number: int, count: int, version: str, threads: int) -> Part:
    """Draw the first `count` tours of a piece, and write them as its part."""
    orders = draw(plan, number * plan.part_tours, count, threads)
    data: bytes | Buffer
    if plan.part_format == "npy":
        file = io.BytesIO()
        np.save(file, orders, allow_pickle=False)
        data = file.getvalue()
    else:
        data = parquet_bytes(table_of(plan, orders, version))
    return write_part(Path(directory), plan, number, data, count)


def draw(plan: Plan, first: int, count: int, threads: int) -> np.ndarray:
    """Draw and check tours of the stream; return rows of square numbers."""
    question = SampleQuestion(plan.problem, count, plan.distribution, plan.parameters, seed=plan.seed, offset=first)
    stream = Stream(question, threads=threads)
    return np.concatenate([stream.empty(), *stream])


def measure_columns(plan: Plan, orders: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns of the plan: statistics of each tour, closed or open, uint32 (n,)."""
    found = measure(orders, plan.columns, plan.problem.board) if plan.columns else {}
    return {name: values.astype(np.uint32) for name, values in found.items()}


def table_of(plan: Plan, orders: np.ndarray, version: str) -> Table:
    """Return the tours as a pyarrow table with its metadata."""
    import pyarrow as pa

    pack = packing.packing_of(plan.problem.board)
    moves, starts = pack.pack(orders)
    data = pa.py_buffer(np.ascontiguousarray(moves))
    packed = pa.FixedSizeBinaryArray.from_buffers(pa.binary(pack.width), len(orders), [None, data])
    table = pa.table({"start": starts, "moves": packed, **measure_columns(plan, orders)})
    known = {"version": version, **plan.to_json(), "packing": pack.legend()}
    return table.replace_schema_metadata({b"knightstour": json.dumps(known).encode()})


def parquet_bytes(table: Table) -> Buffer:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    # The encoded moves cannot be compressed further.
    facts = [name for name in table.column_names if name != "moves"]
    compression = {**dict.fromkeys(facts, "zstd"), "moves": "none"}
    how = {"use_dictionary": facts, "compression": compression, "write_page_checksum": True}
    pq.write_table(table, sink, row_group_size=_ROW_GROUP, **how)
    return sink.getvalue()


def batches_of(
    path: Path, plan: Plan, most: int, columns: Sequence[str] = ()
) -> Iterator[tuple[np.ndarray, dict[str, np.ndarray]]]:
    """Yield the tours of a part as rows of square numbers, up to `most` at once, with the columns of these names.

    Raises FormatError for a damaged file, and InvalidTour if encoded moves lead off the board.
    """
    try:
        if plan.part_format == "npy":
            rows = np.load(path, mmap_mode="r", allow_pickle=False)
            if rows.ndim != 2 or rows.dtype.kind not in "iu":
                raise ValueError(f"an array of {rows.dtype} and shape {rows.shape}")
            for first in range(0, len(rows), most):
                yield np.array(rows[first : first + most]), {}
            return
        import pyarrow.parquet as pq

        pack = packing.packing_of(plan.problem.board)
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for batch in file.iter_batches(most, columns=["start", "moves", *columns], use_threads=False):
                yield _orders_of(batch, pack), {name: _numbers(batch, name) for name in columns}
    except KnightsTourError:
        raise
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        why = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        note = str(error).splitlines()[0][:200] if str(error) else ""
        raise FormatError(why, path=str(path), note=note, help=AGAIN) from error


def _orders_of(batch: RecordBatch, pack: packing.Packing) -> np.ndarray:
    moves = batch.column("moves")
    data = np.frombuffer(moves.buffers()[1], np.uint8)[moves.offset * pack.width :][: len(moves) * pack.width]
    return pack.unpack(data.reshape(-1, pack.width), _numbers(batch, "start").astype(pack.kind))


def _numbers(batch: RecordBatch, name: str) -> np.ndarray:
    return np.asarray(batch.column(name).to_numpy(zero_copy_only=False))
