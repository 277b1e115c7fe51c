"""The imports upward: a tour or board is asked for its picture or a file of it, which layers further up make.

Everything else imports only from below. So this finds them by their names, and only when a picture or file is wanted.
"""

from __future__ import annotations

import html
import importlib
import os
from collections.abc import Iterable
from typing import Any

_ARTIST = "knightstour.core.drawing.svg.picture"
_SAVING = "knightstour.core.formats.saving"


def picture_of(subject: object) -> str | None:
    """The SVG that a notebook shows for a tour or board; None where it shows the text."""
    picture: str | None = importlib.import_module(_ARTIST).for_notebook(subject)
    return picture


def drawn(subject: object, **look: object) -> Any:
    """The SVG picture of a tour, as `draw_svg` makes it."""
    return importlib.import_module(_ARTIST).draw_svg(subject, **look)


def saved(subject: object, path: str | os.PathLike[str], *, force: bool, **look: object) -> None:
    """Write a tour to a file, as a picture or in a format of tours."""
    importlib.import_module(_SAVING).save(subject, path, force=force, **look)


def page_of(text: str, subjects: Iterable[object] = ()) -> str:
    """The HTML that a notebook shows for an answer: its text, and below it the pictures of tours or boards.

    A subject may be a giant tour, of which a corner is drawn. What cannot be drawn is left out.
    """
    small = importlib.import_module(_ARTIST).small_for_notebook
    pictures = "".join(f"<span>{picture}</span> " for picture in map(small, subjects) if picture is not None)
    return f"<pre>{html.escape(text)}</pre>" + (f"<div>{pictures}</div>" if pictures else "")
