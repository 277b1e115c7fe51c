"""Pictures as PNG.

Up to 200x200 squares resvg renders the SVG picture. Larger boards are drawn by raster.py, which is faster. Text is set
in the font of Pillow, so that a picture has the same bytes on every machine.
"""

from __future__ import annotations

import atexit
import functools
import tempfile
from collections.abc import Sequence
from pathlib import Path

from knightstour.core.drawing import raster
from knightstour.core.drawing.figure import Figure
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg.gallery import is_single, sheet_svg
from knightstour.core.drawing.svg.picture import svg_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import CellBoard

# Number of squares above which raster.py draws.
MAX_RENDERED = 40_000
# Maximum size of an SVG that is doubled if no size is given.
_ZOOMED_UP_TO = 1000


def to_file(figures: Sequence[Figure], look: Look, per_row: int | None = None) -> bytes:
    """Return the PNG of one figure, or a sheet of several."""
    if is_single(figures, per_row):
        return png_of(figures[0], look)
    if look.row.sheet is not None:
        raise FormatError("a .png cannot show several tours as strokes", help="use .svg, .pdf or .dxf")
    look = look.with_options(theme="dark" if look.theme == "dark" else "light")
    return to_png(sheet_svg(figures, look, per_row), None if look.size is None else round(look.size))


def png_of(figure: Figure, look: Look) -> bytes:
    if figure.rows * figure.cols > MAX_RENDERED and not isinstance(figure.board, CellBoard):
        return raster.draw(figure, look)
    size = None if look.size is None else round(look.size)
    if size is not None and size > raster.MAX_SIDE:
        raise FormatError(f"a picture of {size:,} pixels is too large", note=f"at most {raster.MAX_SIDE:,} a side")
    look = look.with_options(theme="dark" if look.theme == "dark" else "light")
    paper = None
    if look.row.sheet is not None:
        # A plotter's sheet has no background, and its size is in millimetres.
        paper = look.palette.paper if look.background == "paper" else look.background
        look = look.with_options(size=None)
    return to_png(svg_of(figure, look), size, paper)


def to_png(svg: str, size: int | None = None, paper: str | None = None) -> bytes:
    """Convert an SVG picture to PNG.

    size: longer side in pixels (default: the size of the SVG, doubled if small).
    paper: background colour.
    """
    import resvg_py

    width, height = attribute_of(svg, "width"), attribute_of(svg, "height")
    is_tall, longer = height > width, max(width, height)
    if size is None:
        size = round(min(2 * longer if longer <= _ZOOMED_UP_TO else longer, raster.MAX_SIDE))
    # Loading fonts is slower than drawing a small picture.
    fonts = font_file() if "<text" in svg else None
    done = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=None if is_tall else size,
        height=size if is_tall else None,
        background=paper,
        dpi=96,
        skip_system_fonts=fonts is not None or "<text" not in svg,
        font_files=[fonts] if fonts else None,
    )
    return bytes(done)


def attribute_of(svg: str, name: str) -> float:
    """Return the value of the first numeric attribute with this name in an SVG."""
    return float(svg.split(f' {name}="', 1)[1].split('"', 1)[0].removesuffix("mm"))


@functools.cache
def font_file() -> str | None:
    """Return the font of Pillow as a file, or None to use system fonts."""
    from PIL import ImageFont

    data = getattr(ImageFont.load_default(10), "font_bytes", None)
    if not data:
        return None
    folder = tempfile.TemporaryDirectory(prefix="knightstour-")
    atexit.register(folder.cleanup)
    file = Path(folder.name) / "font.ttf"
    file.write_bytes(data)
    return str(file)
