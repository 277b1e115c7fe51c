"""Pictures as PDF, with lines and letters, so that they are sharp at any size. Requires the extra `pdf` (fpdf2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from knightstour.core.drawing.figure import Figure
from knightstour.core.drawing.font_files import check_font_file, is_font_file
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.measures import page_of
from knightstour.core.drawing.paper import PDF_FONTS
from knightstour.core.drawing.png import font_file
from knightstour.core.drawing.svg.gallery import is_single, sheet_svg
from knightstour.core.drawing.svg.pen import FONT
from knightstour.core.drawing.svg.picture import svg_of
from knightstour.core.model.errors import FormatError, MissingPackage
from knightstour.core.model.validation import quoted, wrong_type

if TYPE_CHECKING:
    from types import ModuleType

    from fpdf import FPDF

_POINTS_PER_MM, _POINTS_PER_PIXEL = 72 / 25.4, 72 / 96
_PAPER_MARGIN_MM = 15.0
_FAMILY = FONT.split(",")[0]


def to_file(figures: Sequence[Figure], look: Look, per_row: int | None = None) -> Callable[[str | None], bytes]:
    """Return a function that creates a PDF page with a font, for one figure or a sheet.

    The picture is centred on the paper and as large as possible, or of the size of the look (96 pixels per inch).
    Without a paper, the page has the size of the picture.
    """
    look = look.with_options(theme="dark" if look.theme == "dark" else "light")

    def draw(look: Look) -> str:
        return svg_of(figures[0], look) if is_single(figures, per_row) else sheet_svg(figures, look, per_row)

    svg = draw(look)
    if look.line_mm is not None and not look.row.on_paper:
        svg = draw(replace(look, line_mm=look.line_mm / _enlargement(svg, look)))
    title = look.title or (figures[0].title if is_single(figures, per_row) else "Knight's tours")
    _laid_out(svg, look)  # raises the errors of size and paper
    _library()
    return lambda font: svg_to_pdf(svg, look, title, font)


def _enlargement(svg: str, look: Look) -> float:
    return _laid_out(svg, look)[0] / _points(svg, "width")


def svg_to_pdf(svg: str, look: Look, title: str, font: str | None = None) -> bytes:
    """Return an SVG picture of the light or dark theme as a PDF. The bytes are reproducible.

    font: Helvetica, Times, Courier, or a .ttf file (default: the font of PNG pictures).
    """
    fpdf = _library()
    width, height, page = _laid_out(svg, look)
    pdf = fpdf.FPDF(unit="pt", format=page)
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    pdf.set_title(title)
    if font is not None and not isinstance(font, str):
        raise wrong_type("font", "a text", font)
    is_builtin = font is not None and not is_font_file(font)
    if font is not None and is_builtin:
        if font not in PDF_FONTS:
            help = "use " + ", ".join(PDF_FONTS) + ", or the path of a .ttf file"
            raise FormatError(f"not a font of a PDF: {quoted(font)}", help=help)
        svg = svg.replace(FONT, font)
    elif font is not None:
        check_font_file(font)
    fonts = None if is_builtin else font or font_file()
    if fonts is not None:
        pdf.add_font(_FAMILY, "", fonts)
    try:
        _check_letters(svg, range(256) if fonts is None else pdf.fonts[_FAMILY.lower()].cmap)
        pdf.add_page()
        _draw_parts(fpdf, pdf, svg, width, (page[0] - width) / 2, (page[1] - height) / 2)
        return bytes(pdf.output())
    finally:
        if fonts is not None:
            pdf.fonts[_FAMILY.lower()].ttfont.close()


def _draw_parts(fpdf: ModuleType, pdf: FPDF, svg: str, width: float, x: float, y: float) -> None:
    """Draw the picture, `width` points wide, with its top left at (x, y)."""
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
    for text in re.findall(r">([^<>]+)</(?:text|tspan)>", svg):
        for letter in unescape(text):
            if ord(letter) not in known:
                raise FormatError(
                    f"the font of the PDF has no letter {letter!r}",
                    help='use another font: Picture.save("t.pdf", font="FONT.ttf"), or an .svg',
                )


def _library() -> ModuleType:
    try:
        import fpdf
        import fpdf.svg
    except ImportError:
        raise MissingPackage("a PDF requires fpdf2", extra="pdf") from None
    return fpdf


def _laid_out(svg: str, look: Look) -> tuple[float, float, tuple[float, float]]:
    """Return width and height of the picture and of the page, in points."""
    sides = [_points(svg, name) for name in ("width", "height")]
    if look.row.on_paper:
        # The page has the size of the plotter's sheet.
        return sides[0], sides[1], (sides[0], sides[1])
    if look.paper is None:
        return sides[0], sides[1], (sides[0], sides[1])
    page = page_of(look.paper, _PAPER_MARGIN_MM, sides[0] / sides[1])
    most = min((side - 2 * _PAPER_MARGIN_MM) * _POINTS_PER_MM / own for side, own in zip(page, sides, strict=True))
    scale = most if look.size is None else 1.0
    if scale > most:
        raise FormatError(
            f"a picture of {look.size:g} pixels does not fit on {look.paper}",
            help=f"use a size of at most {int(most * float(look.size or 0))}, or omit it",
        )
    return scale * sides[0], scale * sides[1], (page[0] * _POINTS_PER_MM, page[1] * _POINTS_PER_MM)


def _points(svg: str, name: str) -> float:
    found = re.search(rf' {name}="([\d.]+)(mm|)"', svg)
    assert found is not None
    return float(found[1]) * (_POINTS_PER_MM if found[2] else _POINTS_PER_PIXEL)


# ---------------------------------------------------------------- SVG features that fpdf2 does not support


def _plain(svg: str) -> str:
    svg = re.sub(r"<(title|desc)>.*?</\1>", "", svg, flags=re.S)
    svg = re.sub(r'<path d=""[^>]*/>', "", svg)
    svg = re.sub(r"<text( [^>]*)>((?:<tspan [^>]*>[^<]*</tspan>)+)</text>", _each_number, svg)
    head, body = svg.split(">", 1)
    inner = r'<svg x="([-\d.]+)" y="([-\d.]+)" [^>]*viewBox="([-\d.]+) ([-\d.]+) [^"]*">(.*?)</svg>'
    body = re.sub(inner, _translate_cell, body, flags=re.S)
    return f"{head}>{body}"


def _parts(svg: str) -> list[tuple[str, list[float]]]:
    """Split the picture into parts, each with its clipping box (x, y, width, height) or []."""
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


def _translate_cell(cell: re.Match[str]) -> str:
    across, down = float(cell[1]) - float(cell[3]), float(cell[2]) - float(cell[4])
    return f'<g transform="translate({across:g} {down:g})">{cell[5]}</g>'
