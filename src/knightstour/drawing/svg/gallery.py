"""Many tours on one sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Unpack
from xml.sax.saxutils import escape

from knightstour.drawing.figure import Drawable, Figure, figure_of
from knightstour.drawing.look import LookOptions, look_of
from knightstour.drawing.svg.pen import FONT, Pen
from knightstour.drawing.svg.picture import Svg, document, picture
from knightstour.drawing.svg.strokes import UNIT, number
from knightstour.model.errors import FormatError
from knightstour.model.validation import each, listed, whole_number

# Together, so that a sheet can be opened.
_MOST_SQUARES = 1_000_000
_GAP = 0.6


def draw_gallery(
    subjects: Iterable[Drawable],
    *,
    columns: int | None = None,
    captions: Sequence[str] | None = None,
    **options: Unpack[LookOptions],
) -> Svg:
    """Several tours or boards side by side, as one SVG picture.

    columns: how many in a row; None for a sheet a little wider than high. captions: a line under each.
    Other options as for `draw_svg`; size is the longer side of the sheet in pixels, 1600 at most if not given.
    Without other wishes the pictures have no names of rows and columns. Raises FormatError where there is nothing to
    draw, or more than a million squares together.

    >>> sheet = draw_gallery(["3x4", "5x5"], columns=2)
    >>> sheet.count("<svg")
    3
    """
    look = look_of({"coordinates": False, **options})
    if look.style == "plotter":
        raise FormatError("a sheet for a plotter holds one tour", help="draw each with draw_svg(.., style='plotter')")
    figures = _figures_of(subjects)
    texts = _captions_for(captions, len(figures))
    count = len(figures)
    if columns is None:
        columns = math.ceil(math.sqrt(count * 1.3))
    columns = whole_number(columns, "columns", error=FormatError)
    if columns < 1:
        raise FormatError(f"a sheet of {columns} columns has no room", help="give 1 or more")
    columns = min(columns, count)
    pen = Pen(look)
    drawn = [picture(figure, look, pen) for figure in figures]
    # All boards have one scale, so that a larger one looks larger.
    width, height = (max(box[k] for _, box in drawn) for k in (2, 3))
    gap = _GAP * UNIT * max(1.0, max(width, height) / (12 * UNIT))
    caption_size = 0.75 * gap if texts else 0.0
    step_x, step_y = width + gap, height + gap + 1.1 * caption_size
    cells = []
    for k, (content, (x, y, w, h)) in enumerate(drawn):
        left, top = (k % columns) * step_x + (width - w) / 2, (k // columns) * step_y + (height - h) / 2
        cells.append(
            f'<svg x="{number(left)}" y="{number(top)}" width="{number(w)}" height="{number(h)}" '
            f'viewBox="{number(x)} {number(y)} {number(w)} {number(h)}">{content}</svg>'
        )
        if texts:
            middle, below = (k % columns) * step_x + width / 2, (k // columns) * step_y + height + 1.2 * caption_size
            place = f'x="{number(middle)}" y="{number(below)}" text-anchor="middle"'
            font = f'font-size="{number(caption_size)}" font-family="{FONT}"'
            cells.append(f"<text {place} {font} {pen('fill', 'text')}>{escape(texts[k])}</text>")
    rows = math.ceil(count / columns)
    box = (
        -gap / 2,
        -gap / 2,
        columns * step_x,
        rows * step_y,
    )
    if look.size is None:
        look = look.changed(size=min(1600.0, 220.0 * max(columns, rows)))
    title = look.title or f"{count} pictures of tours and boards"
    text = "; ".join(sorted({figure.title for figure in figures})[:5])
    return Svg(document("".join(cells), box, look, pen, title, text))


def _figures_of(subjects: Iterable[Drawable]) -> list[Figure]:
    figures, squares = [], 0
    for subject in each(subjects, "subjects", error=FormatError, help="give tours or boards, or draw_svg one"):
        figures.append(figure_of(subject))
        squares += figures[-1].rows * figures[-1].cols
        if squares > _MOST_SQUARES:
            raise FormatError(
                f"the tours have more than {_MOST_SQUARES:,} squares together", help="draw fewer on a sheet"
            )
    if not figures:
        raise FormatError("there is no tour to draw")
    return figures


def _captions_for(captions: Sequence[str] | None, count: int) -> list[str]:
    if captions is None:
        return []
    texts = [str(text) for text in listed(captions, "captions", error=FormatError)]
    if len(texts) != count:
        raise FormatError(f"{count} pictures need as many captions, not {len(texts)}")
    return texts
