"""Many tours on one sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence

from knightstour.core.drawing.figure import Figure
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg.pen import FONT, Pen, escape
from knightstour.core.drawing.svg.picture import Box, document, picture, square_mm_of, svg_of
from knightstour.core.drawing.svg.strokes import UNIT, number
from knightstour.core.model.errors import FormatError
from knightstour.core.model.validation import whole_number

# Limit on the squares of a sheet that browsers can open.
_MAX_SQUARES = 1_000_000
_GAP = 0.6


def to_svg(figures: Sequence[Figure], look: Look, per_row: int | None = None) -> bytes:
    """Return the SVG of one figure, or a sheet of several."""
    return (svg_of(figures[0], look) if is_single(figures, per_row) else sheet_svg(figures, look, per_row)).encode()


def is_single(figures: Sequence[Figure], per_row: int | None) -> bool:
    """Whether a picture shows one figure and is not a sheet."""
    return len(figures) == 1 and per_row is None


def sheet_svg(figures: Sequence[Figure], look: Look, per_row: int | None = None) -> str:
    """Return several figures side by side, as one SVG picture.

    per_row: number of figures in a row (default: for a sheet slightly wider than high). The size of the look is the
    longer side of the sheet in pixels, by default at most 1600. Rows and columns have no names by default.
    """
    check_sheet(look, per_row, sum(figure.rows * figure.cols for figure in figures))
    if look.coordinates is None:
        look = look.with_options(coordinates=False)
    count, texts = len(figures), look.captions
    if texts and len(texts) != count:
        raise FormatError(f"{len(texts)} titles for {count} pictures", help="use one title, or one for each picture")
    if look.row.sheet is not None:
        return look.row.sheet(figures, look, per_row)
    if per_row is None:
        per_row = math.ceil(math.sqrt(count * 1.3))
    per_row = min(per_row, count)
    usual = min(1600.0, 220.0 * max(per_row, math.ceil(count / per_row)))
    if look.size is None:
        look = look.with_options(size=usual)
    if look.line_mm is not None:
        any_look = look.on_squares_of(max(10.0, look.line_mm))
        plain = [picture(figure, any_look, Pen(look)) for figure in figures]
        look = look.on_squares_of(square_mm_of(_laid_out(plain, per_row, texts, Pen(look))[1], look))
    pen = Pen(look)
    drawn = [picture(figure, look, pen) for figure in figures]
    # Texts below scenes differ in length, so the boards are aligned at the top.
    is_at_top = any(figure.scene is not None for figure in figures)
    content, box = _laid_out(drawn, per_row, texts, pen, is_at_top=is_at_top)
    title = look.title or f"{count} pictures of tours and boards"
    text = "; ".join(sorted({figure.title for figure in figures})[:5])
    return document(content, box, look, pen, title, text)


def check_sheet(look: Look, per_row: int | None, squares: int = 0) -> None:
    """Raise FormatError if a sheet cannot be drawn. squares: number of squares of all boards."""
    if per_row is not None and whole_number(per_row, "per_row", error=FormatError) < 1:
        raise FormatError(f"per_row must be at least 1, not {per_row}", help="use 1 or more")
    if squares > _MAX_SQUARES:
        raise FormatError(f"the tours have more than {_MAX_SQUARES:,} squares together", help="draw fewer on a sheet")
    if look.captions and look.row.sheet is not None:
        raise FormatError(f"a sheet of the style {look.style} has one title only", help="use one title")


def _laid_out(
    drawn: list[tuple[str, Box]], per_row: int, texts: Sequence[str], pen: Pen, *, is_at_top: bool = False
) -> tuple[str, Box]:
    """Return the pictures in rows on a common scale, and the bounding box."""
    width, height = (max(box[k] for _, box in drawn) for k in (2, 3))
    gap = _GAP * UNIT * max(1.0, max(width, height) / (12 * UNIT))
    caption_size = 0.75 * gap if texts else 0.0
    step_x, step_y = width + gap, height + gap + 1.1 * caption_size
    cells = []
    for k, (content, (x, y, w, h)) in enumerate(drawn):
        left, top = (k % per_row) * step_x, (k // per_row) * step_y
        down = 0.0 if is_at_top else (height - h) / 2
        cells.append(
            f'<svg x="{number(left + (width - w) / 2)}" y="{number(top + down)}" width="{number(w)}" '
            f'height="{number(h)}" viewBox="{number(x)} {number(y)} {number(w)} {number(h)}">{content}</svg>'
        )
        if texts:
            below = top + height + 1.2 * caption_size
            place = f'x="{number(left + width / 2)}" y="{number(below)}" text-anchor="middle"'
            font = f'font-size="{number(caption_size)}" font-family="{FONT}"'
            cells.append(f"<text {place} {font} {pen('fill', 'text')}>{escape(texts[k])}</text>")
    rows = math.ceil(len(drawn) / per_row)
    return "".join(cells), (-gap / 2, -gap / 2, per_row * step_x, rows * step_y)
