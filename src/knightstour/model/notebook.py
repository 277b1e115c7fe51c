"""The one import upward: a notebook asks a tour or a board for its picture, and drawing, several layers up, makes it.

Everything else imports only from below. So this finds drawing by its name, and only when a picture is wanted.
"""

from __future__ import annotations

import importlib

_ARTIST = "knightstour.drawing.svg.picture"


def picture_of(subject: object) -> str | None:
    """The SVG that a notebook shows for a tour or board; None where it shows the text."""
    picture: str | None = importlib.import_module(_ARTIST).for_notebook(subject)
    return picture
