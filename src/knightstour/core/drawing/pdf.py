"""Pictures as PDF: `draw_pdf` returns the bytes.

The SVG picture is drawn again with lines and letters, so it stays sharp at any size. It needs the extra `pdf` (fpdf2).
Its letters are those of PNG pictures, which are put into the file.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from typing import TYPE_CHECKING, Any, Unpack, cast
from xml.etree import ElementTree

from knightstour.core.drawing.figure import Drawable, Paths, Window, figure_of
from knightstour.core.drawing.look import Look, LookOptions, look_of
from knightstour.core.drawing.measures import page_of
from knightstour.core.drawing.png import font_file
from knightstour.core.drawing.styles import PAPER_OPTIONS
from knightstour.core.drawing.svg.gallery import draw_gallery
from knightstour.core.drawing.svg.pen import FONT
from knightstour.core.drawing.svg.picture import svg_of
from knightstour.core.model.arguments import shows_arguments
from knightstour.core.model.errors import FormatError

if TYPE_CHECKING:
    from types import ModuleType

    from fpdf import FPDF

_POINTS_A_MM, _POINTS_A_PIXEL = 72 / 25.4, 72 / 96
_PAPER_MARGIN_MM = 15.0
_FAMILY = FONT.split(",")[0]


@shows_arguments
def draw_pdf(
    subject: Drawable, *, paths: Paths | None = None, window: Window | None = None, **options: Unpack[LookOptions]
) -> bytes:
    """A tour, a board, or paths over a board, as the bytes of a PDF of one page.

    Takes what `draw_svg` takes, and in every style paper, margin and landscape: the picture is in the middle of the
    paper and as large as the margins allow, or as `size` says (96 pixels are an inch). Without a paper the page is as
    large as the picture. The theme "auto" is the light one here.

    Raises FormatError without the extra `pdf`, too.

    >>> draw_pdf("3x4", paper="A5")[:5]
    b'%PDF-'
    """
    look = look_of(options, is_page=True)
    look = look.changed(theme="dark" if look.theme == "dark" else "light")
    figure = figure_of(subject, paths=paths, window=window)
    svg = svg_of(figure, look)
    if look.line_mm is not None and not look.row.on_paper:
        svg = svg_of(figure, replace(look, line_mm=look.line_mm / _enlargement(svg, look)))
    return svg_to_pdf(svg, look, look.title or figure.title)


def gallery_pdf(subjects: Iterable[Drawable], **options: Any) -> bytes:
    """Several tours or boards side by side, as `draw_gallery` has them, on one page."""
    options["theme"] = "dark" if options.get("theme") == "dark" else "light"
    look_options = {name: value for name, value in options.items() if name not in ("per_row", "captions")}
    look = look_of(cast(LookOptions, look_options), is_page=True)
    line_mm = None if look.row.on_paper else look.line_mm
    if not look.row.on_paper:
        # The page is not the picture's own: a sheet of strokes lays itself out on it.
        look_options = {name: options.pop(name) for name in PAPER_OPTIONS if name in options}
        look = look_of(cast(LookOptions, look_options), is_page=True)
    shown = list(subjects)
    svg = draw_gallery(shown, **options)
    if line_mm is not None:
        svg = draw_gallery(shown, **{**options, "line_width": f"{line_mm / _enlargement(svg, look):.6f}mm"})
    return svg_to_pdf(svg, look, options.get("title") or "Knight's tours")


def _enlargement(svg: str, look: Look) -> float:
    """Return how much larger a picture becomes on its paper."""
    return _laid_out(svg, look)[0] / _points(svg, "width")


def svg_to_pdf(svg: str, look: Look, title: str) -> bytes:
    """An SVG picture of the light or dark theme as a PDF. The same picture gives the same bytes."""
    fpdf = _library()
    width, height, page = _laid_out(svg, look)
    pdf = fpdf.FPDF(unit="pt", format=page)
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    pdf.set_title(title)
    fonts = font_file()
    if fonts is not None:
        pdf.add_font(_FAMILY, "", fonts)
    try:
        if fonts is not None:
            _check_letters(svg, pdf.fonts[_FAMILY.lower()].cmap)
        pdf.add_page()
        _draw_parts(fpdf, pdf, svg, width, (page[0] - width) / 2, (page[1] - height) / 2)
        return bytes(pdf.output())
    finally:
        if fonts is not None:
            pdf.fonts[_FAMILY.lower()].ttfont.close()


def _draw_parts(fpdf: ModuleType, pdf: FPDF, svg: str, width: float, x: float, y: float) -> None:
    """Draw the picture, `width` points wide, with its top left at (x, y) of the page."""
    left, top, wide, high = (float(part) for part in svg.split('viewBox="', 1)[1].split('"', 1)[0].split())
    scale = width / wide
    for part, box in _parts(_plain(svg)):
        drawing = fpdf.svg.SVGObject(part)
        drawing.width, drawing.height = width, scale * high
        place = (
            [x + scale * (box[0] - left), y + scale * (box[1] - top), *(scale * side for side in box[2:])]
            if box
            else []
        )
        with pdf.rect_clip(*place) if place else nullcontext():
            drawing.draw_to_page(pdf, x, y)


def _check_letters(svg: str, known: Container[int]) -> None:
    """Raise a FormatError for a letter that the font of the file does not have."""
    for text in re.findall(r">([^<>]+)</(?:text|tspan)>", svg):
        for letter in unescape(text):
            if ord(letter) not in known:
                raise FormatError(f"a PDF has no letter {letter!r} here", help="write an .svg, which has all")


def _library() -> ModuleType:
    try:
        import fpdf
        import fpdf.svg
    except ImportError:
        raise FormatError("a PDF needs fpdf2", help="pip install 'knightstour[pdf]'") from None
    return fpdf


def _laid_out(svg: str, look: Look) -> tuple[float, float, tuple[float, float]]:
    """Width and height of the picture, and the page, in points."""
    sides = [_points(svg, name) for name in ("width", "height")]
    if look.row.on_paper:
        # The sheet of a plotter is the page.
        return sides[0], sides[1], (sides[0], sides[1])
    margin = (0.0 if look.paper is None else _PAPER_MARGIN_MM) if look.margin is None else look.margin
    if look.paper is None:
        return sides[0], sides[1], (sides[0] + 2 * margin * _POINTS_A_MM, sides[1] + 2 * margin * _POINTS_A_MM)
    page = page_of(look.paper, look.landscape, margin, sides[0] / sides[1])
    most = min((side - 2 * margin) * _POINTS_A_MM / own for side, own in zip(page, sides, strict=True))
    scale = most if look.size is None else 1.0
    if scale > most:
        raise FormatError(
            f"a picture of {look.size:g} pixels does not fit on {look.paper} with a margin of {margin:g} mm",
            help=f"give a size of at most {int(most * float(look.size or 0))}, or leave it out",
        )
    return scale * sides[0], scale * sides[1], (page[0] * _POINTS_A_MM, page[1] * _POINTS_A_MM)


def _points(svg: str, name: str) -> float:
    found = re.search(rf' {name}="([\d.]+)(mm|)"', svg)
    assert found is not None
    return float(found[1]) * (_POINTS_A_MM if found[2] else _POINTS_A_PIXEL)


# ---------------------------------------------------------------- what fpdf2 does not know of SVG


def _plain(svg: str) -> str:
    """The picture without what fpdf2 leaves out: its title, numbers in rows, pictures in pictures, and fading sides."""
    svg = re.sub(r"<(title|desc)>.*?</\1>", "", svg, flags=re.S)
    svg = re.sub(r'<path d=""[^>]*/>', "", svg)
    svg = re.sub(r"<text( [^>]*)>((?:<tspan [^>]*>[^<]*</tspan>)+)</text>", _each_number, svg)
    head, body = svg.split(">", 1)
    inner = r'<svg x="([-\d.]+)" y="([-\d.]+)" [^>]*viewBox="([-\d.]+) ([-\d.]+) [^"]*">(.*?)</svg>'
    body = re.sub(inner, _shifted, body, flags=re.S)
    return f"{head}>{body}"


def _parts(svg: str) -> list[tuple[str, list[float]]]:
    """The picture in parts, each with the box (x, y, width, height) that it is cut to; [] for none.

    A window of a board, which fades out in the SVG, is cut.
    """
    if "<mask" not in svg:
        return [(svg, [])]
    ElementTree.register_namespace("", _SVG[1:-1])
    whole = ElementTree.fromstring(svg)
    mask = whole.find(f"{_SVG}defs/{_SVG}mask")
    assert mask is not None
    kept = [each for each in whole if each.get("mask") is None and each.tag != f"{_SVG}defs"]
    cut = [each for each in whole if each.get("mask") is not None]
    found = []
    for each, box in ((kept[:1], []), (cut, [float(mask.attrib[name]) for name in _BOX]), (kept[1:], [])):
        part = ElementTree.Element(whole.tag, whole.attrib)
        part.extend(each)
        found.append((re.sub(r' mask="[^"]*"', "", ElementTree.tostring(part, "unicode")), box))
    return found


_SVG = "{http://www.w3.org/2000/svg}"
_BOX = ("x", "y", "width", "height")


def _each_number(row: re.Match[str]) -> str:
    return re.sub(r"<tspan ([^>]*)>([^<]*)</tspan>", rf"<text{row[1]} \1>\2</text>", row[2])


def _shifted(cell: re.Match[str]) -> str:
    across, down = float(cell[1]) - float(cell[3]), float(cell[2]) - float(cell[4])
    return f'<g transform="translate({across:g} {down:g})">{cell[5]}</g>'
