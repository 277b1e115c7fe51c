"""Answers as others take them: as JSON knows them, as lines of CSV, and as tables of pandas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from knightstour.core.model.errors import MethodError

if TYPE_CHECKING:
    import pandas as pd


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, header: bool = True) -> str:
    """A line of names, unless there is to be none, and a line for each row.

    >>> csv_text(["value", "tours"], [{"value": 32, "tours": 18}])
    'value,tours\\n32,18\\n'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def table_of(rows: object, columns: Sequence[object] | None = None, index: Sequence[int] | None = None) -> pd.DataFrame:
    """Rows as a DataFrame; a MethodError where pandas is not installed."""
    try:
        import pandas as pd
    except ImportError:
        raise MethodError("pandas is not installed", help="pip install pandas") from None
    return pd.DataFrame(rows, columns=columns, index=index)
