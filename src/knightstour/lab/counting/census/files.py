"""Files of a census: its rows as CSV, as JSON with the question, or as Parquet, named by their ends."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Mapping, Sequence

from knightstour.core.machine.parquet import need_pyarrow, parquet_of
from knightstour.core.model.errors import FormatError

Row = Mapping[str, int | float]


def csv_text(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """A line of names, and a line for each row.

    >>> csv_text(["value", "tours"], [{"value": 32, "tours": 18}])
    'value,tours\\n32,18\\n'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def check_file(path: str | os.PathLike[str]) -> None:
    """A FormatError for a name that ends in none of FILE_KINDS; a MethodError where the package for it is missing."""
    if _end_of(path) not in FILE_KINDS:
        raise FormatError(
            f"a census is written as {_ENDS}, and {os.fspath(path)!r} ends in none of them",
            help="give the file such a name",
        )
    if _end_of(path) == ".parquet":
        need_pyarrow()


def file_bytes(
    path: str | os.PathLike[str], columns: Sequence[str], rows: Sequence[Row], known: Mapping[str, object]
) -> bytes:
    """What a file of that name holds. known: the census as JSON knows it. Raises the errors of check_file."""
    check_file(path)
    return FILE_KINDS[_end_of(path)](columns, rows, known)


def _end_of(path: str | os.PathLike[str]) -> str:
    return os.path.splitext(os.fspath(path))[1].lower()


def _csv(columns: Sequence[str], rows: Sequence[Row], known: Mapping[str, object]) -> bytes:
    return csv_text(columns, rows).encode()


def _json(columns: Sequence[str], rows: Sequence[Row], known: Mapping[str, object]) -> bytes:
    return json.dumps(known).encode() + b"\n"


def _parquet(columns: Sequence[str], rows: Sequence[Row], known: Mapping[str, object]) -> bytes:
    facts = {name: value for name, value in known.items() if name != "values"}
    return parquet_of({name: [row[name] for row in rows] for name in columns}, facts)


# The end of a name, and what makes such a file.
FILE_KINDS: dict[str, Callable[[Sequence[str], Sequence[Row], Mapping[str, object]], bytes]] = {
    ".csv": _csv,
    ".json": _json,
    ".parquet": _parquet,
}
_ENDS = ", ".join(list(FILE_KINDS)[:-1]) + f" or {list(FILE_KINDS)[-1]}"
