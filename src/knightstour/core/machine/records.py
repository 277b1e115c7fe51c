"""Records on disk: JSON with a checksum, written atomically, such as checkpoints of counts.

A record has a `format` number, which increases with each change, and a `checksum`. Tables for other programs are
Parquet files.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from knightstour.core.machine import files
from knightstour.core.model.errors import FormatError, MissingPackage
from knightstour.core.model.strict_json import parse_json


def write_record(path: Path, data: Mapping[str, Any]) -> None:
    """Write a record atomically."""
    record = {**data, "checksum": zlib.crc32(_text(data))}
    with files.open_target(path) as file:
        file.write(json.dumps(record, indent=1).encode())
        flush(file)


def read_record(path: Path, noun: str, format: int, help: str = "") -> dict[str, Any] | None:
    """Return the record without its checksum; None if there is no file.

    Args:
        noun: Noun for the record, without an article.
        format: The supported format.
        help: Advice for a bad file.

    Raises:
        FormatError: If the file is damaged, not a record, or has another format.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_record(Path(folder, "a"), {"format": 1, "tours": "8"})
    ...     read_record(Path(folder, "a"), "count", 1), read_record(Path(folder, "b"), "count", 1)
    ({'format': 1, 'tours': '8'}, None)
    """
    try:
        data = parse_json(files.read_whole(path))
    except FileNotFoundError:
        return None
    except FormatError as error:
        raise FormatError(error.message, path=str(path), help=help) from error
    except ValueError as error:
        raise FormatError(f"is damaged: {error}", path=str(path), help=help) from error
    if not isinstance(data, dict):
        raise FormatError(f"is not a {noun}", path=str(path), help=help)
    if data.get("format") != format:
        raise FormatError(f"was written by another version (format {format} is supported)", path=str(path), help=help)
    if data.pop("checksum", None) != zlib.crc32(_text(data)):
        raise FormatError("is damaged: its checksum is wrong", path=str(path), help=help)
    return data


def flush(file: BinaryIO) -> None:
    """Write all data to the disk."""
    file.flush()
    os.fsync(file.fileno())


def _text(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, sort_keys=True).encode()


# The largest integer of a column.
_MOST = (1 << 63) - 1


def need_pyarrow() -> None:
    """Raise MissingPackage if pyarrow is not installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingPackage("pyarrow is not installed", extra="scale") from error


def parquet_of(columns: Mapping[str, Sequence[int | float]], facts: Mapping[str, object]) -> bytes:
    """Return a Parquet file with these columns and metadata `facts`.

    As in data sets, a column with numbers beyond int64 is text.
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
