"""The one door upward: a notebook asks a tour or a board for its picture, and drawing, two floors up, makes it.

Everything else imports only from below. So drawing is found by its name when a picture is wanted, and not before.
"""

from __future__ import annotations

import importlib

_ARTIST = "knightstour.drawing.svg.picture"


def picture_of(subject: object) -> str | None:
    """The SVG that a notebook shows for a tour or board; None where it shows the text."""
    picture: str | None = importlib.import_module(_ARTIST).for_notebook(subject)
    return picture
