"""Conversions of results: JSON-serialisable dicts, CSV, and pandas tables."""

from __future__ import annotations

import csv
import importlib.util
import io
import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from knightstour.core.model.errors import MissingPackage

if TYPE_CHECKING:
    import pandas as pd


def record_of(value: object, *, without: Collection[str] = ()) -> dict[str, object]:
    """Return the fields of a dataclass or a NamedTuple as a JSON-serialisable dict, except some.

    An enumeration member becomes its value, a tuple a list, and a nested record a dictionary.

    >>> from knightstour.core.model.scene import Mark
    >>> record_of(Mark("removed", (0, 5), "removed squares"), without=("text", "group", "beat"))
    {'role': 'removed', 'squares': [0, 5], 'label': 'removed squares'}
    """
    return {name: _plain(getattr(value, name)) for name in names_of(value) if name not in without}


def names_of(value: object) -> tuple[str, ...]:
    """The names of the fields of a dataclass or a NamedTuple, or of its class."""
    fields: Iterable[str] = getattr(value, "_fields", ()) or getattr(value, "__dataclass_fields__", ())
    return tuple(fields)


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "_fields") or hasattr(value, "__dataclass_fields__"):
        return record_of(value)
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, header: bool = True) -> str:
    """Return a header line, if required, and a line for each row.

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
    """Return rows as a DataFrame; raise MissingPackage if pandas is not installed."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingPackage("pandas is not installed", help="pip install pandas") from None
    return pd.DataFrame(rows, columns=columns, index=index)


def picture_of(subject: Any) -> str | None:
    """Return the SVG of a tour or board for notebooks; None if the text is shown."""
    from knightstour.core.drawing.svg.picture import for_notebook

    return for_notebook(subject)


def playable(subject: Any) -> dict[str, Any]:
    """Return the interactive page of a tour or puzzle for notebooks, in addition to its picture; empty without
    anywidget.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    # IPython in a terminal has no kernel.
    if not hasattr(shell, "kernel") or importlib.util.find_spec("anywidget") is None:
        return {}
    from knightstour.interfaces.web.widget import for_notebook

    return for_notebook(subject)


def as_text(tour: Any, format: str) -> str:
    """Return a tour as text, for `Tour.to_text`."""
    from knightstour.core.formats.saving import text_of

    return text_of(tour, format)


def save_tour(subject: Any, path: str | os.PathLike[str], **look: Any) -> None:
    """Write a tour to a file, as a picture or in a format of tours."""
    from knightstour.core.formats.saving import save

    save(subject, path, **look)


def page_of(text: str, subjects: Iterable[Any] = ()) -> str:
    """Return the HTML of a result for notebooks: its text, and the pictures of tours or boards below it.

    A subject may be a giant tour, of which a corner is drawn. Subjects that cannot be drawn are omitted.
    """
    import html

    from knightstour.core.drawing.svg.picture import small_for_notebook

    pictures = "".join(
        f"<span>{picture}</span> " for picture in map(small_for_notebook, subjects) if picture is not None
    )
    return f"<pre>{html.escape(text)}</pre>" + (f"<div>{pictures}</div>" if pictures else "")
