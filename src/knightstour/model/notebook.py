"""The one import upward: a notebook asks a tour or a board for its picture, and drawing, several layers up, makes it.

Everything else imports only from below. So this finds drawing by its name, and only when a picture is wanted.
"""

from __future__ import annotations

import html
import importlib
from collections.abc import Iterable

_ARTIST = "knightstour.drawing.svg.picture"


def picture_of(subject: object) -> str | None:
    """The SVG that a notebook shows for a tour or board; None where it shows the text."""
    picture: str | None = importlib.import_module(_ARTIST).for_notebook(subject)
    return picture


def page_of(text: str, subjects: Iterable[object] = ()) -> str:
    """The HTML that a notebook shows for an answer: its text, and below it the pictures of tours or boards.

    A subject may be a giant tour, of which a corner is drawn. What cannot be drawn is left out.
    """
    small = importlib.import_module(_ARTIST).small_for_notebook
    pictures = "".join(f"<span>{picture}</span> " for picture in map(small, subjects) if picture is not None)
    return f"<pre>{html.escape(text)}</pre>" + (f"<div>{pictures}</div>" if pictures else "")
