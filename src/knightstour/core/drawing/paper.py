"""Pages to print, of boxes, rings and text, as SVG (a picture a page) and as PDF (one file of all pages).

All lengths are millimetres from the top left of the page. A PDF has the fonts Helvetica and Helvetica-Bold, which every
reader of PDF has itself, and so no other letters than those of Western Europe; an SVG has all.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from knightstour.core.drawing.measures import width_of
from knightstour.core.drawing.svg.pen import FONT, escape
from knightstour.core.drawing.svg.strokes import number
from knightstour.core.model.errors import FormatError

Anchor: TypeAlias = Literal["start", "middle", "end"]
_POINTS = 72 / 25.4
# The middle of a digit lies above its base line by this part of the size.
_MIDDLE = 0.359
# Where the control points of a quarter of a circle lie, in radii.
_ROUND = 0.5523


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with its top left at (x, y). fill, stroke: grey, 0 black to 1 white, or None. line: its width."""

    x: float
    y: float
    width: float
    height: float
    fill: float | None = None
    stroke: float | None = None
    line: float = 0.2

    def turned(self, x: float, y: float) -> Box:
        """Turned upside down about a point."""
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
        """As an element."""
        stroke = "" if self.stroke is None else f' stroke="{_hex(self.stroke)}" stroke-width="{number(self.line)}"'
        fill = "none" if self.fill is None else _hex(self.fill)
        place = f'x="{number(self.x)}" y="{number(self.y)}" width="{number(self.width)}" height="{number(self.height)}"'
        return f'<rect {place} fill="{fill}"{stroke} />'

    def to_pdf(self, height: float) -> str:
        """As operators; height: of the page."""
        words = []
        if self.fill is not None:
            words.append(f"{self.fill:g} g")
        if self.stroke is not None:
            words.append(f"{self.stroke:g} G {_pt(self.line)} w")
        place = (self.x, height - self.y - self.height, self.width, self.height)
        paint = "B" if self.fill is not None and self.stroke is not None else "S" if self.fill is None else "f"
        return " ".join([*words, *(_pt(value) for value in place), "re", paint])


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle about (x, y). fill, stroke: grey. line: its width."""

    x: float
    y: float
    radius: float
    fill: float
    stroke: float
    line: float

    def turned(self, x: float, y: float) -> Ring:
        """Turned upside down about a point."""
        return Ring(2 * x - self.x, 2 * y - self.y, self.radius, self.fill, self.stroke, self.line)

    def to_svg(self) -> str:
        """As an element."""
        place = f'cx="{number(self.x)}" cy="{number(self.y)}" r="{number(self.radius)}"'
        stroke = f'stroke="{_hex(self.stroke)}" stroke-width="{number(self.line)}"'
        return f'<circle {place} fill="{_hex(self.fill)}" {stroke} />'

    def to_pdf(self, height: float) -> str:
        """As operators: four curves of Bezier."""
        x, y, r, c = self.x, height - self.y, self.radius, _ROUND * self.radius
        curves = [
            (x + r, y + c, x + c, y + r, x, y + r),
            (x - c, y + r, x - r, y + c, x - r, y),
            (x - r, y - c, x - c, y - r, x, y - r),
            (x + c, y - r, x + r, y - c, x + r, y),
        ]
        words = [f"{self.fill:g} g {self.stroke:g} G {_pt(self.line)} w", f"{_pt(x + r)} {_pt(y)} m"]
        words += [" ".join(map(_pt, curve)) + " c" for curve in curves]
        return " ".join([*words, "b"])


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text whose base line begins, has its middle, or ends at (x, y). size: of the font."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    is_bold: bool = False
    grey: float = 0.0
    is_turned: bool = False

    def turned(self, x: float, y: float) -> Text:
        """Turned upside down about a point."""
        turned = not self.is_turned
        return Text(2 * x - self.x, 2 * y - self.y, self.text, self.size, self.anchor, self.is_bold, self.grey, turned)

    def to_svg(self) -> str:
        """As an element."""
        weight = ' font-weight="bold"' if self.is_bold else ""
        turn = f' transform="rotate(180 {number(self.x)} {number(self.y)})"' if self.is_turned else ""
        place = f'x="{number(self.x)}" y="{number(self.y)}" text-anchor="{self.anchor}"'
        font = f'font-size="{number(self.size)}" fill="{_hex(self.grey)}"'
        return f"<text {place} {font}{weight}{turn}>{escape(self.text)}</text>"

    def to_pdf(self, height: float) -> str:
        """As operators; height: of the page."""
        try:
            data = self.text.encode("cp1252")
        except UnicodeEncodeError as error:
            letter = self.text[error.start]
            raise FormatError(f"a PDF has no letter {letter!r} here", help="write an .svg, which has all") from None
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * width_of(self.text, self.size)
        sign = -1 if self.is_turned else 1
        place = f"{sign} 0 0 {sign} {_pt(self.x - sign * shift)} {_pt(height - self.y)} Tm"
        font = f"/{'B' if self.is_bold else 'R'} {_pt(self.size)} Tf"
        return f"BT {self.grey:g} g {font} {place} <{data.hex()}> Tj ET"


def middle(x: float, y: float, text: str, size: float, *, is_bold: bool = False, grey: float = 0.0) -> Text:
    """A text with its middle at a point, up and down too."""
    return Text(x, y + _MIDDLE * size, text, size, "middle", is_bold, grey)


Item: TypeAlias = "Box | Ring | Text"


@dataclass(slots=True)
class Page:
    """A page of a paper, and what is on it. title: for those who cannot see it."""

    width: float
    height: float
    title: str = ""
    items: list[Item] = field(default_factory=list)

    def to_svg(self) -> str:
        """The page as an SVG picture of its true size."""
        size = f'width="{number(self.width)}mm" height="{number(self.height)}mm"'
        box = f'viewBox="0 0 {number(self.width)} {number(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="{FONT}" role="img">'
        paper = Box(0, 0, self.width, self.height, fill=1.0).to_svg()
        lines = [item.to_svg() for item in self.items]
        return "\n".join([head, f"<title>{escape(self.title)}</title>", paper, *lines, "</svg>", ""])


def to_pdf(pages: Sequence[Page]) -> bytes:
    """All pages as one PDF file, of version 1.4. The same pages give the same bytes.

    >>> to_pdf([Page(210, 297)])[:8]
    b'%PDF-1.4'
    """
    if not pages:
        raise FormatError("there is no page to print")
    fonts = "<< /R 3 0 R /B 4 0 R >>"
    kids = " ".join(f"{5 + 2 * k} 0 R" for k in range(len(pages)))
    parts = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()]
    for name in ("Helvetica", "Helvetica-Bold"):
        font = f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        parts.append(font.encode())
    for k, page in enumerate(pages):
        box = f"[0 0 {_pt(page.width)} {_pt(page.height)}]"
        words = f"/Parent 2 0 R /MediaBox {box} /Resources << /Font {fonts} >> /Contents {6 + 2 * k} 0 R"
        parts.append(f"<< /Type /Page {words} >>".encode())
        data = zlib.compress("\n".join(item.to_pdf(page.height) for item in page.items).encode("ascii"), 9)
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


def _pt(value: float) -> str:
    """Millimetres as points."""
    return f"{round(value * _POINTS, 2):g}"


def _hex(grey: float) -> str:
    level = round(255 * grey)
    return f"#{level:02x}{level:02x}{level:02x}"
