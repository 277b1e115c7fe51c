"""Pictures as PNG: `draw_png` gives the bytes.

Up to 200x200 squares the SVG picture is rendered (by resvg), so both look the same. Larger boards are drawn point
by point in raster.py, since millions of moves as text would take longer to read than to draw.

Text is set in the font that Pillow brings, so that a picture has the same bytes whatever fonts a machine has.
"""

from __future__ import annotations

import atexit
import functools
import tempfile
from pathlib import Path
from typing import Any

from knightstour.drawing import raster
from knightstour.drawing.figure import Figure, Window, figure_of
from knightstour.drawing.look import Look, look_of
from knightstour.drawing.svg import svg_of
from knightstour.errors import FormatError

# Above this a picture is drawn point by point.
MOST_RENDERED = 40_000
# Pixels for each unit of the SVG's own size, if no size was given.
_ZOOM = 2


def draw_png(subject: Any, *, paths: Any = None, window: Window | None = None, **options: Any) -> bytes:
    """A tour, a board, or paths over a board, as the bytes of a PNG picture.

    Takes what `draw_svg` takes; size is the longer side in pixels. The theme "auto" is the light one here, and the
    background is the theme's paper unless it is told otherwise ("none" for a transparent one). On boards of more than
    40,000 squares there are no numbers, labels, arrows and smooth lines; a board of 1000x1000 takes about a second.

    >>> draw_png("3x4", size=100)[:8]
    b'\\x89PNG\\r\\n\\x1a\\n'
    """
    look = look_of({"background": "paper", **options})
    figure = figure_of(subject, paths=paths, window=window)
    return png_of(figure, look)


def png_of(figure: Figure, look: Look) -> bytes:
    """The PNG of a figure: as its SVG looks, or point by point."""
    if figure.rows * figure.cols > MOST_RENDERED:
        return raster.draw(figure, look)
    size = None if look.size is None else round(look.size)
    if size is not None and size > raster.MOST_SIDE:
        raise FormatError(f"a picture of {size:,} pixels is too large", note=f"at most {raster.MOST_SIDE:,} a side")
    if look.background == "none":
        look = look.changed(background=None)
    svg = svg_of(figure, look.changed(theme="dark" if look.theme == "dark" else "light"))
    return to_png(svg, size)


def to_png(svg: str, size: int | None = None) -> bytes:
    """An SVG picture as PNG, its longer side so many pixels, or twice its own size."""
    import resvg_py

    is_tall = _height(svg) > _width(svg)
    fonts = _font_file()
    zoom = None if size is not None else _ZOOM
    done = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=size if size is not None and not is_tall else None,
        height=size if size is not None and is_tall else None,
        zoom=zoom,
        skip_system_fonts=fonts is not None,
        font_files=[fonts] if fonts else None,
    )
    return bytes(done)


def _width(svg: str) -> float:
    return _attribute(svg, " width=")


def _height(svg: str) -> float:
    return _attribute(svg, " height=")


def _attribute(svg: str, name: str) -> float:
    at = svg.index(name) + len(name) + 1
    return float(svg[at : svg.index('"', at)].removesuffix("mm"))


@functools.cache
def _font_file() -> str | None:
    """The font that Pillow brings, as a file; None if it has none, so that the system's are used."""
    from PIL import ImageFont

    data = getattr(ImageFont.load_default(10), "font_bytes", None)
    if not data:
        return None
    folder = tempfile.TemporaryDirectory(prefix="knightstour-")
    atexit.register(folder.cleanup)
    file = Path(folder.name) / "font.ttf"
    file.write_bytes(data)
    return str(file)
