"""Pages to print, of areas, lines, rings and text, as SVG (one picture per page) or as a single PDF.

All lengths are millimetres from the top left of the page. Without a font file, a PDF uses standard fonts, which only
support the letters of Western Europe.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from knightstour.core.drawing.font_files import (
    FAMILY,
    add_font,
    check_font_file,
    check_letters,
    close_fonts,
    is_font_file,
    new_pdf,
    style_sheet,
    width_in_file,
)
from knightstour.core.drawing.measures import HELVETICA, width_of
from knightstour.core.drawing.svg.pen import FONT, escape
from knightstour.core.drawing.svg.strokes import number
from knightstour.core.drawing.themes import rgb_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.validation import one_of

if TYPE_CHECKING:
    from fpdf import FPDF

# Letter widths as in HELVETICA.
_TIMES: Final = (
    *(250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278),
    *(500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444),
    *(921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722),
    *(556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500),
    *(333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500),
    *(500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541),
)
# Fonts of a PDF: names of plain and bold variants, and widths of letters.
PDF_FONTS: Final = {
    "Helvetica": ("Helvetica", "Helvetica-Bold", HELVETICA),
    "Times": ("Times-Roman", "Times-Bold", _TIMES),
    "Courier": ("Courier", "Courier-Bold", (600,) * len(HELVETICA)),
}
# A grey, from 0 for black to 1 for white, or a colour as "#rrggbb".
Paint: TypeAlias = "float | str"
Anchor: TypeAlias = Literal["start", "middle", "end"]
_POINTS = 72 / 25.4
# Height of the middle of a digit above its base line, relative to the size.
_MIDDLE = 0.359
# Offset of the control points of a quarter circle, in radii.
_ROUND = 0.5523


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with its top left at (x, y). line: width of the stroke."""

    x: float
    y: float
    width: float
    height: float
    fill: Paint | None = None
    stroke: Paint | None = None
    line: float = 0.2

    def rotate(self, x: float, y: float) -> Box:
        """Return the item rotated by 180 degrees about a point."""
        return Box(
            2 * x - self.x - self.width,
            2 * y - self.y - self.height,
            self.width,
            self.height,
            self.fill,
            self.stroke,
            self.line,
        )

    def to_svg(self) -> str:
        """Return an SVG element."""
        stroke = "" if self.stroke is None else f' stroke="{_hex(self.stroke)}" stroke-width="{number(self.line)}"'
        fill = "none" if self.fill is None else _hex(self.fill)
        place = f'x="{number(self.x)}" y="{number(self.y)}" width="{number(self.width)}" height="{number(self.height)}"'
        return f'<rect {place} fill="{fill}"{stroke} />'

    def to_pdf(self, height: float, font: str) -> str:
        """Return PDF operators. height, font: height and font of the page."""
        words = []
        if self.fill is not None:
            words.append(_paint(self.fill))
        if self.stroke is not None:
            words.append(f"{_paint(self.stroke, stroke=True)} {_pt(self.line)} w")
        place = (self.x, height - self.y - self.height, self.width, self.height)
        paint = "B" if self.fill is not None and self.stroke is not None else "S" if self.fill is None else "f"
        return " ".join([*words, *(_pt(value) for value in place), "re", paint])


@dataclass(frozen=True, slots=True)
class Polygon:
    """An area with an outline that is `line` wide."""

    corners: tuple[tuple[float, float], ...]
    fill: Paint
    stroke: Paint
    line: float = 0.2

    @property
    def x(self) -> float:
        """Left end."""
        return min(x for x, _ in self.corners)

    @property
    def y(self) -> float:
        """Upper end."""
        return min(y for _, y in self.corners)

    def rotate(self, x: float, y: float) -> Polygon:
        return Polygon(tuple((2 * x - u, 2 * y - v) for u, v in self.corners), self.fill, self.stroke, self.line)

    def to_svg(self) -> str:
        points = " ".join(f"{number(x)},{number(y)}" for x, y in self.corners)
        stroke = f'stroke="{_hex(self.stroke)}" stroke-width="{number(self.line)}" stroke-linejoin="round"'
        return f'<polygon points="{points}" fill="{_hex(self.fill)}" {stroke} />'

    def to_pdf(self, height: float, font: str) -> str:
        points = [f"{_pt(x)} {_pt(height - y)}" for x, y in self.corners]
        paints = f"{_paint(self.fill)} {_paint(self.stroke, stroke=True)} {_pt(self.line)} w 1 j"
        return " ".join([paints, f"{points[0]} m", *(f"{point} l" for point in points[1:]), "b"])


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line from (x, y) to (x_end, y_end) with round ends and the width `line`."""

    x: float
    y: float
    x_end: float
    y_end: float
    stroke: Paint
    line: float

    def rotate(self, x: float, y: float) -> Stroke:
        ends = 2 * x - self.x, 2 * y - self.y, 2 * x - self.x_end, 2 * y - self.y_end
        return Stroke(*ends, self.stroke, self.line)

    def to_svg(self) -> str:
        place = f'x1="{number(self.x)}" y1="{number(self.y)}" x2="{number(self.x_end)}" y2="{number(self.y_end)}"'
        stroke = f'stroke="{_hex(self.stroke)}" stroke-width="{number(self.line)}" stroke-linecap="round"'
        return f"<line {place} {stroke} />"

    def to_pdf(self, height: float, font: str) -> str:
        paint = f"{_paint(self.stroke, stroke=True)} {_pt(self.line)} w 1 J"
        line = f"{_pt(self.x)} {_pt(height - self.y)} m {_pt(self.x_end)} {_pt(height - self.y_end)} l S"
        return f"q {paint} {line} Q"


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle about (x, y). line: width of the stroke."""

    x: float
    y: float
    radius: float
    fill: Paint
    stroke: Paint
    line: float

    def rotate(self, x: float, y: float) -> Ring:
        return Ring(2 * x - self.x, 2 * y - self.y, self.radius, self.fill, self.stroke, self.line)

    def to_svg(self) -> str:
        place = f'cx="{number(self.x)}" cy="{number(self.y)}" r="{number(self.radius)}"'
        stroke = f'stroke="{_hex(self.stroke)}" stroke-width="{number(self.line)}"'
        return f'<circle {place} fill="{_hex(self.fill)}" {stroke} />'

    def to_pdf(self, height: float, font: str) -> str:
        """Return PDF operators for four Bezier curves."""
        x, y, r, c = self.x, height - self.y, self.radius, _ROUND * self.radius
        curves = [
            (x + r, y + c, x + c, y + r, x, y + r),
            (x - c, y + r, x - r, y + c, x - r, y),
            (x - r, y - c, x - c, y - r, x, y - r),
            (x + c, y - r, x + r, y - c, x + r, y),
        ]
        paints = f"{_paint(self.fill)} {_paint(self.stroke, stroke=True)}"
        words = [f"{paints} {_pt(self.line)} w", f"{_pt(x + r)} {_pt(y)} m"]
        words += [" ".join(map(_pt, curve)) + " c" for curve in curves]
        return " ".join([*words, "b"])


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text whose base line begins, has its middle, or ends at (x, y)."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    is_bold: bool = False
    ink: Paint = 0.0
    is_turned: bool = False

    def rotate(self, x: float, y: float) -> Text:
        turned = not self.is_turned
        return Text(2 * x - self.x, 2 * y - self.y, self.text, self.size, self.anchor, self.is_bold, self.ink, turned)

    def to_svg(self) -> str:
        weight = ' font-weight="bold"' if self.is_bold else ""
        turn = f' transform="rotate(180 {number(self.x)} {number(self.y)})"' if self.is_turned else ""
        place = f'x="{number(self.x)}" y="{number(self.y)}" text-anchor="{self.anchor}"'
        font = f'font-size="{number(self.size)}" fill="{_hex(self.ink)}"'
        return f"<text {place} {font}{weight}{turn}>{escape(self.text)}</text>"

    def to_pdf(self, height: float, font: str) -> str:
        try:
            data = self.text.encode("cp1252")
        except UnicodeEncodeError as error:
            letter = self.text[error.start]
            raise FormatError(f"a PDF does not support the letter {letter!r}", help="write an .svg") from None
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * width_in(font, self.text, self.size)
        sign = -1 if self.is_turned else 1
        place = f"{sign} 0 0 {sign} {_pt(self.x - sign * shift)} {_pt(height - self.y)} Tm"
        set_font = f"/{'B' if self.is_bold else 'R'} {_pt(self.size)} Tf"
        return f"BT {_paint(self.ink)} {set_font} {place} <{data.hex()}> Tj ET"


def middle(x: float, y: float, text: str, size: float, *, is_bold: bool = False, ink: Paint = 0.0) -> Text:
    """Return a text centred at a point, horizontally and vertically."""
    return Text(x, y + _MIDDLE * size, text, size, "middle", is_bold, ink)


def width_in(font: str, text: str, size: float) -> float:
    """Return the width of a text in a font: a font file, Times, Courier, or else Helvetica."""
    if is_font_file(font):
        return width_in_file(font, text, size)
    return width_of(text, size, PDF_FONTS.get(font, PDF_FONTS["Helvetica"])[2])


Item: TypeAlias = "Box | Polygon | Stroke | Ring | Text"


@dataclass(slots=True)
class Page:
    """A page of paper and its items. title: for screen readers. font: "" for the default."""

    width: float
    height: float
    title: str = ""
    items: list[Item] = field(default_factory=list)
    font: str = ""

    def to_svg(self) -> str:
        """Return the page as an SVG picture of its true size."""
        size = f'width="{number(self.width)}mm" height="{number(self.height)}mm"'
        box = f'viewBox="0 0 {number(self.width)} {number(self.height)}"'
        is_file = is_font_file(self.font)
        name = FAMILY if is_file else self.font
        font = f"'{name}',{FONT}" if " " in name else f"{name},{FONT}".lstrip(",")
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="{font}" role="img">'
        paper = Box(0, 0, self.width, self.height, fill=1.0).to_svg()
        lines = [item.to_svg() for item in self.items]
        title = f"<title>{escape(self.title)}</title>"
        style = [style_sheet(self.font)] if is_file else []
        return "\n".join([head, title, *style, paper, *lines, "</svg>", ""])


def to_pdf(pages: Sequence[Page]) -> bytes:
    """Return all pages as one PDF 1.4 file, in the font of the first page. The bytes are reproducible.

    >>> to_pdf([Page(210, 297)])[:8]
    b'%PDF-1.4'
    """
    if not pages:
        raise FormatError("there is no page to print")
    if is_font_file(pages[0].font):
        return _in_font_of_file(pages)
    fonts = "<< /R 3 0 R /B 4 0 R >>"
    kids = " ".join(f"{5 + 2 * k} 0 R" for k in range(len(pages)))
    parts = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()]
    for name in pdf_fonts(pages[0].font):
        font = f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        parts.append(font.encode())
    for k, page in enumerate(pages):
        box = f"[0 0 {_pt(page.width)} {_pt(page.height)}]"
        words = f"/Parent 2 0 R /MediaBox {box} /Resources << /Font {fonts} >> /Contents {6 + 2 * k} 0 R"
        parts.append(f"<< /Type /Page {words} >>".encode())
        data = zlib.compress("\n".join(item.to_pdf(page.height, page.font) for item in page.items).encode("ascii"), 9)
        parts.append(f"<< /Length {len(data)} /Filter /FlateDecode >>\nstream\n".encode() + data + b"\nendstream")
    made = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for k, part in enumerate(parts, 1):
        places.append(len(made))
        made += f"{k} 0 obj\n".encode() + part + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n{table}"
    end += f"trailer\n<< /Size {len(parts) + 1} /Root 1 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return bytes(made) + end.encode()


def pdf_fonts(font: str) -> tuple[str, str]:
    """Return the PDF names of a font, plain and bold; "" is Helvetica, and a font file has one name for both.

    Raises FormatError for unknown fonts.

    >>> pdf_fonts("Times")
    ('Times-Roman', 'Times-Bold')
    """
    if is_font_file(font):
        check_font_file(font)
        return FAMILY, FAMILY
    return PDF_FONTS[one_of(font or "Helvetica", PDF_FONTS, "font of a PDF", error=FormatError)][:2]


# Outline of bold letters in a font without a bold variant, relative to their size.
_BOLD = 0.04


def _in_font_of_file(pages: Sequence[Page]) -> bytes:
    font, pdf = pages[0].font, new_pdf()
    check_font_file(font)
    add_font(pdf, font)
    try:
        for page in pages:
            pdf.add_page(format=(page.width, page.height))
            for item in page.items:
                _draw_item(pdf, item, font)
        return bytes(pdf.output())
    finally:
        close_fonts(pdf)


def _draw_item(pdf: FPDF, item: Item, font: str) -> None:
    if isinstance(item, Text):
        _put_text(pdf, item, font)
        return
    if item.stroke is not None:
        pdf.set_draw_color(*_rgb(item.stroke))
        pdf.set_line_width(item.line)
    if isinstance(item, Stroke):
        with pdf.local_context(stroke_cap_style="round"):
            pdf.line(item.x, item.y, item.x_end, item.y_end)
        return
    if item.fill is not None:
        pdf.set_fill_color(*_rgb(item.fill))
    style = ("F" if item.fill is not None else "") + ("D" if item.stroke is not None else "")
    if isinstance(item, Polygon):
        pdf.polygon(item.corners, style=style)
    elif isinstance(item, Ring):
        pdf.circle(item.x, item.y, item.radius, style=style)
    else:
        pdf.rect(item.x, item.y, item.width, item.height, style=style)


def _put_text(pdf: FPDF, item: Text, font: str) -> None:
    check_letters(font, item.text)
    pdf.set_font(FAMILY, "", item.size * _POINTS)
    pdf.set_text_color(*_rgb(item.ink))
    x = item.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[item.anchor] * width_in(font, item.text, item.size)
    pdf.set_draw_color(*_rgb(item.ink))
    pdf.set_line_width(_BOLD * item.size)
    with pdf.local_context(text_mode="FILL_STROKE" if item.is_bold else "FILL"):
        if item.is_turned:
            with pdf.rotation(180, item.x, item.y):
                pdf.text(x, item.y, item.text)
        else:
            pdf.text(x, item.y, item.text)


def _rgb(paint: Paint) -> tuple[int, int, int]:
    red, green, blue = rgb_of(_hex(paint))
    return red, green, blue


def _paint(paint: Paint, *, stroke: bool = False) -> str:
    words = [paint] if isinstance(paint, float | int) else [round(part / 255, 4) for part in rgb_of(paint)]
    letters = "g" if len(words) == 1 else "rg"
    return " ".join([*(f"{word:g}" for word in words), letters.upper() if stroke else letters])


def _pt(value: float) -> str:
    return f"{round(value * _POINTS, 2):g}"


def _hex(paint: Paint) -> str:
    if isinstance(paint, str):
        return paint
    level = round(255 * paint)
    return f"#{level:02x}{level:02x}{level:02x}"
