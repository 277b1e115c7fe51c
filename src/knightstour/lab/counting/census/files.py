"""Files of a census: its rows as CSV, as JSON with the question, or as Parquet, named by their ends."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence

from knightstour.core.machine.parquet import need_pyarrow, parquet_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.exports import csv_text

Row = Mapping[str, int | float]


def check_file(path: str | os.PathLike[str]) -> str:
    """The end of a name; a FormatError for one of no kind, a MethodError where the package for it is missing."""
    end = os.path.splitext(os.fspath(path))[1].lower()
    if end not in (".csv", ".json", ".parquet"):
        raise FormatError(
            f"a census is written as .csv, .json or .parquet, and {os.fspath(path)!r} ends in none of them",
            help="give the file such a name",
        )
    if end == ".parquet":
        need_pyarrow()
    return end


def file_bytes(
    path: str | os.PathLike[str], columns: Sequence[str], rows: Sequence[Row], known: Mapping[str, object]
) -> bytes:
    """What a file of that name holds. known: the census as JSON knows it. Raises the errors of check_file."""
    end = check_file(path)
    if end == ".csv":
        return csv_text(columns, rows).encode()
    if end == ".json":
        return json.dumps(known).encode() + b"\n"
    facts = {name: value for name, value in known.items() if name != "values"}
    return parquet_of({name: [row[name] for row in rows] for name in columns}, facts)
