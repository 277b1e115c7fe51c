"""The kinds of picture files, and the drawing of those that show one thing and do not move.

The command line and the page's API read the table. Nothing here loads NumPy until something is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Unpack

if TYPE_CHECKING:
    from knightstour.core.drawing.figure import Drawable, Paths, Window
    from knightstour.core.drawing.look import LookOptions


class PictureKind(NamedTuple):
    """A row of PICTURE_KINDS.

    summary: what it is good for. media_type: its name on the web. suffixes: of its files. moves: whether it is a moving
    picture. has_sheets: whether it shows several tours side by side. is_text: whether a terminal may show it.
    """

    summary: str
    media_type: str
    suffixes: tuple[str, ...]
    moves: bool = False
    has_sheets: bool = False
    is_text: bool = False


PICTURE_KINDS: dict[str, PictureKind] = {
    "svg": PictureKind("lines and letters, for pages and for plotters", "image/svg+xml", (".svg",), False, True, True),
    "png": PictureKind("points, at any size of the board", "image/png", (".png",), has_sheets=True),
    "pdf": PictureKind("a page to print", "application/pdf", (".pdf",), has_sheets=True),
    "hpgl": PictureKind("strokes for a pen plotter", "application/vnd.hp-hpgl", (".hpgl", ".plt"), is_text=True),
    "gcode": PictureKind("strokes for a pen plotter", "text/x-gcode", (".gcode", ".nc"), is_text=True),
    "gif": PictureKind("a moving picture", "image/gif", (".gif",), moves=True),
    "apng": PictureKind("a moving picture", "image/apng", (".apng",), moves=True),
    "webp": PictureKind("a moving picture", "image/webp", (".webp",), moves=True),
    "html": PictureKind("a web page with a player", "text/html; charset=utf-8", (".html",), is_text=True),
}
# Suffix -> the kind of picture that a file becomes.
PICTURES: dict[str, str] = {suffix: kind for kind, row in PICTURE_KINDS.items() for suffix in row.suffixes}


def draw_still(
    kind: str,
    subject: Drawable,
    *,
    paths: Paths | None = None,
    window: Window | None = None,
    **options: Unpack[LookOptions],
) -> bytes:
    """A tour, a board, or paths over a board, as a file that does not move: svg, png, pdf, hpgl or gcode.

    >>> draw_still("gcode", "3x4")[:11]
    b'; 3x4 board'
    """
    if kind == "png":
        from knightstour.core.drawing.png import draw_png

        return draw_png(subject, paths=paths, window=window, **options)
    if kind == "pdf":
        from knightstour.core.drawing.pdf import draw_pdf

        return draw_pdf(subject, paths=paths, window=window, **options)
    if kind == "svg":
        from knightstour.core.drawing.svg.picture import draw_svg

        return draw_svg(subject, paths=paths, window=window, **options).encode("utf-8")
    from knightstour.lab.pictures.plotter.files import draw_gcode, draw_hpgl

    draw = draw_gcode if kind == "gcode" else draw_hpgl
    return draw(subject, paths=paths, window=window, **options).encode("utf-8")
