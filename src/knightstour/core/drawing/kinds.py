"""The kinds of picture files, and the drawing of those that show one thing and do not move.

The command line and the page's API read the table. Nothing here loads NumPy until something is drawn.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, Unpack

from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.lazy import Lazy, Table

if TYPE_CHECKING:
    from knightstour.core.drawing import pdf as _pdf
    from knightstour.core.drawing import png as _png
    from knightstour.core.drawing.figure import Drawable, Paths, Window
    from knightstour.core.drawing.look import LookOptions
    from knightstour.core.drawing.svg import picture as _svg
else:
    _svg = Lazy("knightstour.core.drawing.svg.picture")
    _png = Lazy("knightstour.core.drawing.png")
    _pdf = Lazy("knightstour.core.drawing.pdf")


class Picture(bytes):
    """A picture as the bytes of its file, which notebooks show as a picture."""

    def _repr_mimebundle_(self, **asked: object) -> dict[str, str]:
        """What notebooks show: an SVG as it is, any other picture as an image; nothing for a PDF."""
        import base64

        if self.startswith(b"<svg"):
            return {"image/svg+xml": self.decode("utf-8")}
        kind = next((kind for kind, mark in _MARKS.items() if self.startswith(mark)), None)
        if kind is None:
            return {"text/plain": repr(self)}
        data = base64.b64encode(self).decode("ascii")
        return {"text/html": f'<img alt="" src="data:image/{kind};base64,{data}">'}

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write it to a file, which appears when it is complete; a FormatError if the file exists, unless `force`."""
        from knightstour.core.machine.files import open_target

        with open_target(path, force=force) as file:
            file.write(self)


# How the images begin that every browser shows; one that moves begins as one that does not.
_MARKS: Final = {"png": b"\x89PNG", "gif": b"GIF8", "webp": b"RIFF"}


class PictureKind(NamedTuple):
    """A row of PICTURE_KINDS.

    summary: what it is good for. media_type: its name on the web. suffixes: of its files. moves: whether it is a moving
    picture; others may show several tours side by side, unless it is single. is_text: whether a terminal may show it.
    draw: draws a picture that does not move, with the arguments of draw_svg; None for animations.
    draw_sheet: draws several subjects on one sheet of strokes; None for the kinds that use a page of SVG.
    """

    summary: str
    media_type: str
    suffixes: tuple[str, ...]
    moves: bool = False
    is_text: bool = False
    is_single: bool = False
    draw: Callable[..., str | bytes] | None = None
    draw_sheet: Callable[..., bytes] | None = None


_KINDS: Final[dict[str, PictureKind]] = {
    "svg": PictureKind(
        "lines and letters, for pages and for plotters", "image/svg+xml", (".svg",), is_text=True, draw=_svg.draw_svg
    ),
    "png": PictureKind("points, at any size of the board", "image/png", (".png",), draw=_png.draw_png),
    "pdf": PictureKind("a page to print", "application/pdf", (".pdf",), draw=_pdf.draw_pdf),
    "gif": PictureKind("a moving picture", "image/gif", (".gif",), moves=True),
    "apng": PictureKind("a moving picture", "image/apng", (".apng",), moves=True),
    "webp": PictureKind("a moving picture", "image/webp", (".webp",), moves=True),
    "mp4": PictureKind("a film, made by the program ffmpeg", "video/mp4", (".mp4",), moves=True),
}
# lab/pictures/rows.py adds dxf and tikz, interfaces/web/rows.py adds html.
PICTURE_KINDS: Final = Table("picture kinds", _KINDS)


def picture_suffixes() -> dict[str, str]:
    """Suffix -> the kind of picture that a file becomes."""
    return {suffix: kind for kind, row in PICTURE_KINDS.items() for suffix in row.suffixes}


def kind_of_suffix(suffix: str) -> str | None:
    """The kind of picture that a file with the suffix becomes; None for none."""
    return picture_suffixes().get(suffix)


def draw_still(
    kind: str,
    subject: Drawable,
    *,
    paths: Paths | None = None,
    window: Window | None = None,
    **options: Unpack[LookOptions],
) -> bytes:
    """A tour, a board, or paths over a board, as a file of a kind that does not move.

    >>> draw_still("svg", "3x4")[:4]
    b'<svg'
    """
    draw = PICTURE_KINDS[kind].draw
    check_own_answer(draw is not None, f"{kind} is no picture that does not move")
    assert draw is not None
    drawn = draw(subject, paths=paths, window=window, **options)
    return drawn.encode("utf-8") if isinstance(drawn, str) else drawn
