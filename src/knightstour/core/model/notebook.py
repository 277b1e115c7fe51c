"""What a tour or a board hands on when it is asked for its picture, or a file of it: higher folders make them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from knightstour.core.model.lazy import Plugin

_pictures = Plugin("pictures")
_picture_files = Plugin("picture files")
_files = Plugin("files")


def picture_of(subject: object) -> str | None:
    """The SVG that a notebook shows for a tour or board; None where it shows the text."""
    picture: str | None = _pictures.for_notebook(subject)
    return picture


def drawn(subject: object, **look: object) -> Any:
    """The picture of a tour or of a puzzle, as `draw` makes it."""
    return _picture_files.draw(subject, **look)


def saved(subject: object, path: str | os.PathLike[str], *, force: bool, **look: object) -> None:
    """Write a tour to a file, as a picture or in a format of tours."""
    _files.save(subject, path, force=force, **look)


def page_of(text: str, subjects: Iterable[object] = ()) -> str:
    """The HTML that a notebook shows for an answer: its text, and below it the pictures of tours or boards.

    A subject may be a giant tour, of which a corner is drawn. What cannot be drawn is left out.
    """
    import html

    small = _pictures.small_for_notebook
    pictures = "".join(f"<span>{picture}</span> " for picture in map(small, subjects) if picture is not None)
    return f"<pre>{html.escape(text)}</pre>" + (f"<div>{pictures}</div>" if pictures else "")
