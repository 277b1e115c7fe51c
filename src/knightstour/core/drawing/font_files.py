"""Font files (.ttf or .otf) for printed pages: letter widths, and pages as PDF and SVG."""

from __future__ import annotations

import base64
import functools
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from knightstour.core.model.errors import FormatError, MissingPackage

if TYPE_CHECKING:
    from fpdf import FPDF

_SUFFIXES: Final = (".ttf", ".otf")
_BEGINNINGS: Final = (b"\0\1\0\0", b"OTTO", b"true")
# Name of the font inside a page.
FAMILY: Final = "sheet"


def is_font_file(font: str) -> bool:
    """Whether a font is a file name.

    >>> is_font_file("fonts/Garamond.ttf"), is_font_file("Times")
    (True, False)
    """
    return font.lower().endswith(_SUFFIXES)


def check_font_file(font: str) -> None:
    """Raise FormatError unless a file is a font that can be embedded."""
    with open(font, "rb") as file:
        if file.read(4) not in _BEGINNINGS:
            raise _not_a_font(font)
    widths_of(font)


@functools.lru_cache(maxsize=8)
def widths_of(font: str) -> Mapping[str, float]:
    """Return the width of each letter of a font, in parts of its size."""
    pdf = new_pdf()
    try:
        add_font(pdf, font)
    except Exception as error:  # fontTools raises errors of all kinds for files that are not fonts
        raise _not_a_font(font, str(error)[:200]) from None
    file: Any = pdf.fonts[FAMILY]
    widths = {chr(code): file.cw[code] / 1000 for code in file.cmap}
    close_fonts(pdf)
    return widths


def _not_a_font(font: str, note: str = "") -> FormatError:
    why = f"{font} is not a font that can be embedded"
    return FormatError(why, note=note, help="use a .ttf or .otf file with Unicode letters")


def width_in_file(font: str, text: str, size: float) -> float:
    """Return the width of a text in a font file; missing letters count as the widest."""
    widths = widths_of(font)
    widest = max(widths.values(), default=1.0)
    return size * sum(widths.get(letter, widest) for letter in text)


def check_letters(font: str, text: str) -> None:
    """Raise FormatError for a letter that the font lacks."""
    missing = next((letter for letter in text if letter not in widths_of(font)), None)
    if missing is not None:
        raise FormatError(f"the font {Path(font).name} has no letter {missing!r}", help="use another font")


def style_sheet(font: str) -> str:
    """Return the style element of an SVG with the font."""
    data = base64.b64encode(Path(font).read_bytes()).decode("ascii")
    kind = Path(font).suffix.lower()[1:]
    return f"<style>@font-face{{font-family:{FAMILY};src:url(data:font/{kind};base64,{data})}}</style>"


def new_pdf() -> FPDF:
    """Return an empty PDF in millimetres; raise MissingPackage without fpdf2."""
    try:
        from fpdf import FPDF
    except ImportError:
        raise MissingPackage("a font file requires fpdf2", extra="pdf") from None
    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    return pdf


def close_fonts(pdf: FPDF) -> None:
    file: Any = pdf.fonts[FAMILY]
    file.ttfont.close()


def add_font(pdf: FPDF, font: str) -> None:
    """Add a font file to a PDF. Bold letters have an additional outline."""
    pdf.add_font(FAMILY, "", font)
    pdf.set_font(FAMILY, "", 10)
