"""Many tours on one sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Unpack

from knightstour.core.drawing.figure import Drawable, Figure, figure_of
from knightstour.core.drawing.look import Look, LookOptions, look_of
from knightstour.core.drawing.svg.pen import FONT, Pen, escape
from knightstour.core.drawing.svg.picture import Box, Svg, document, picture, square_mm_of
from knightstour.core.drawing.svg.strokes import UNIT, number
from knightstour.core.model.arguments import shows_arguments
from knightstour.core.model.errors import FormatError
from knightstour.core.model.validation import each, listed, whole_number

# Squares of all pictures together; browsers could not open a larger sheet.
_MAX_SQUARES = 1_000_000
_GAP = 0.6


@shows_arguments
def draw_gallery(
    subjects: Iterable[Drawable],
    *,
    per_row: int | None = None,
    captions: Sequence[str] | None = None,
    **options: Unpack[LookOptions],
) -> Svg:
    """Several tours or boards side by side, as one SVG picture.

    per_row: how many in a row; None for a sheet a little wider than high. captions: a line under each.
    Other options as for `draw_svg`, but coordinates is False by default, and size, the longer side of the sheet in
    pixels, at most 1600. Raises FormatError where there is nothing to draw, or more than a million squares together.

    >>> sheet = draw_gallery(["3x4", "5x5"], per_row=2)
    >>> sheet.count("<svg")
    3
    """
    look = look_of(options, coordinates=False)
    check_sheet(look, per_row)
    figures = _figures_of(subjects, look)
    count = len(figures)
    texts = _captions_for(captions, count)
    if look.row.sheet is not None:
        if texts:
            raise FormatError(f"a sheet for a {look.style} has no captions", help="leave them out")
        return Svg(look.row.sheet(figures, look, per_row))
    if per_row is None:
        per_row = math.ceil(math.sqrt(count * 1.3))
    per_row = min(whole_number(per_row, "per_row", error=FormatError), count)
    usual = min(1600.0, 220.0 * max(per_row, math.ceil(count / per_row)))
    if look.size is None:
        look = look.changed(size=usual)
    if look.line_mm is not None:
        any_look = look.on_squares_of(max(10.0, look.line_mm))
        plain = [picture(figure, any_look, Pen(look)) for figure in figures]
        look = look.on_squares_of(square_mm_of(_laid_out(plain, per_row, texts, Pen(look))[1], look))
    pen = Pen(look)
    drawn = [picture(figure, look, pen) for figure in figures]
    # What is written below scenes differs in length, so their boards are side by side only if all begin at the top.
    is_at_top = any(figure.scene is not None for figure in figures)
    content, box = _laid_out(drawn, per_row, texts, pen, is_at_top=is_at_top)
    title = look.title or f"{count} pictures of tours and boards"
    text = "; ".join(sorted({figure.title for figure in figures})[:5])
    return Svg(document(content, box, look, pen, title, text))


def check_sheet(look: Look, per_row: int | None, squares: int = 0) -> None:
    """Raise a FormatError for what no sheet can be. squares: of all its boards together."""
    if per_row is not None and whole_number(per_row, "per_row", error=FormatError) < 1:
        raise FormatError(f"{per_row} pictures in a row have no room", help="give 1 or more")
    if squares > _MAX_SQUARES:
        raise FormatError(f"the tours have more than {_MAX_SQUARES:,} squares together", help="draw fewer on a sheet")


def _laid_out(
    drawn: list[tuple[str, Box]], per_row: int, texts: list[str], pen: Pen, *, is_at_top: bool = False
) -> tuple[str, Box]:
    """The pictures in rows, each with its text below, and the box they fill. All have one scale.

    is_at_top: whether each begins at the top of its row, and not in the middle.
    """
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


def _figures_of(subjects: Iterable[Drawable], look: Look) -> list[Figure]:
    figures, squares = [], 0
    for subject in each(subjects, "subjects", error=FormatError, help="give tours or boards, or draw_svg one"):
        figures.append(figure_of(subject))
        squares += figures[-1].rows * figures[-1].cols
        check_sheet(look, None, squares)
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
