"""One part of a data set: its tours drawn, and written as a file.

An `.npy` file holds rows of square numbers in order of visit. A Parquet file has columns: `board`, `kind` ("closed" or
"open", as the tour itself is), `distribution`, `seed`, `start` and `end` (square numbers row * columns + column),
`moves` (packed, see packing.py), and those of the plan. What is the same in all rows takes next to no room, since a
dictionary holds it once. The file's metadata has all that is known of the data set, and how to unpack the moves, under
`knightstour`, as JSON.

The bytes of a part depend on the plan and the versions of this package and of pyarrow, on nothing else.
"""

from __future__ import annotations

import functools
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.checking.demands import closed_rows
from knightstour.core.model.problem import Problem
from knightstour.lab.sampling.datasets import columns as facts
from knightstour.lab.sampling.datasets import packing
from knightstour.lab.sampling.datasets.manifest import Part, Plan, write_part
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import Stream

if TYPE_CHECKING:
    from pyarrow import Array, Buffer, Table

    from knightstour.lab.counting.spaces.tour_space import TourSpace

_ROW_GROUP = 1 << 17


def check_columns(columns: tuple[str, ...], problem: Problem) -> None:
    """Raise an error for columns that the question cannot have, and number its tours where a column needs that."""
    facts.check_columns(columns, problem)
    if "rank" in columns:
        _space(problem)


@functools.lru_cache(maxsize=2)
def _space(problem: Problem) -> TourSpace:
    """All tours of the question, numbered."""
    from knightstour.lab.counting.spaces.tour_space import TourSpace  # few columns need it

    return TourSpace(problem)


def draw(plan: Plan, first: int, count: int, threads: int) -> np.ndarray:
    """Tours of the stream, checked: rows of square numbers."""
    question = SampleQuestion(plan.problem, count, plan.distribution, plan.parameters, seed=plan.seed, offset=first)
    stream = Stream(question, threads=threads)
    return np.concatenate([stream.empty(), *stream])


def table_of(plan: Plan, orders: np.ndarray, numbers: np.ndarray) -> Table:
    """The tours as a pyarrow table. numbers: their places in the stream."""
    import pyarrow as pa

    problem = plan.problem
    board, count = problem.board, len(orders)
    pack = packing.packing_of(board)
    moves, starts = pack.pack(orders)
    closed = closed_rows(board, orders)

    def named(names: list[str], places: np.ndarray) -> Array:
        return pa.DictionaryArray.from_arrays(pa.array(places), pa.array(names, pa.string()))

    same = np.zeros(count, dtype=np.int32)
    columns: dict[str, Array] = {
        "board": named([board.title], same),
        "kind": named(["open", "closed"], closed.astype(np.int32)),
        "distribution": named([plan.distribution], same),
        "seed": pa.array(np.full(count, plan.seed, dtype=np.uint64))
        if plan.seed < 1 << 64
        else named([str(plan.seed)], same),
        "start": pa.array(starts),
        "end": pa.array(orders[:, -1]),
        "moves": pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(pack.width), count, [None, pa.py_buffer(np.ascontiguousarray(moves))]
        ),
    }
    measured = facts.measured(plan.columns, orders, board)
    for name in plan.columns:
        if name in measured:
            columns[name] = pa.array(measured[name])
        elif name == "symmetry":
            columns[name] = named(*packing.find_symmetries(orders, board))
        elif name == "number":
            columns[name] = pa.array(numbers.astype(np.int64))
        else:
            space = _space(problem)
            ranks = space.ranks(orders)
            fits = space.count < 1 << 63
            columns[name] = pa.array(ranks, pa.int64()) if fits else pa.array([str(rank) for rank in ranks])
    return pa.table(columns)


def metadata_of(plan: Plan, version: str) -> dict[bytes, bytes]:
    """The metadata of every part."""
    known = {"version": version, **plan.to_json(), "packing": packing.packing_of(plan.problem.board).legend()}
    return {b"knightstour": json.dumps(known).encode()}


def parquet_bytes(table: Table, metadata: dict[bytes, bytes]) -> Buffer:
    """The table as a Parquet file: a pyarrow buffer."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = table.column_names
    plain = [name for name in names if name in ("moves", "number", "rank")]
    sink = pa.BufferOutputStream()
    pq.write_table(
        table.replace_schema_metadata(metadata),
        sink,
        row_group_size=_ROW_GROUP,
        use_dictionary=[name for name in names if name not in plain],
        column_encoding={"number": "DELTA_BINARY_PACKED"} if "number" in names else None,
        # The moves look like noise to a compressor.
        compression={name: "none" if name == "moves" else "zstd" for name in names},
        write_page_checksum=True,
    )
    return sink.getvalue()


def make_part(plan: Plan, directory: str, number: int, count: int, version: str, threads: int) -> Part:
    """Draw the first `count` tours of a piece and write them as its part."""
    first = number * plan.part_tours
    orders = draw(plan, first, count, threads)
    data: bytes | Buffer
    if plan.part_format == "npy":
        file = io.BytesIO()
        np.save(file, orders, allow_pickle=False)
        data = file.getvalue()
    else:
        data = parquet_bytes(table_of(plan, orders, np.arange(first, first + count)), metadata_of(plan, version))
    return write_part(Path(directory), plan, number, data, count)
