"""Parquet files: whether pyarrow is there, and a small table of numbers as such a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from knightstour.core.model.errors import MethodError

# The largest number of a column of whole numbers.
_MOST = (1 << 63) - 1


def need_pyarrow() -> None:
    """A MethodError if pyarrow is not installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MethodError("pyarrow is not installed", help="pip install 'knightstour[scale]'") from error


def parquet_of(columns: Mapping[str, Sequence[int | float]], facts: Mapping[str, object]) -> bytes:
    """A file with these columns; facts: its metadata, under the key that data sets have it under, too.

    As in data sets, a column with numbers that are too long for a machine word is text.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = {}
    for name, values in columns.items():
        if any(isinstance(value, float) for value in values):
            arrays[name] = pa.array(values, pa.float64())
        elif all(value <= _MOST for value in values):
            arrays[name] = pa.array(values, pa.int64())
        else:
            arrays[name] = pa.array([str(value) for value in values])
    table = pa.table(arrays).replace_schema_metadata({b"knightstour": json.dumps(facts).encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())
