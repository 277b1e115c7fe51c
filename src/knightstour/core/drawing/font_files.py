"""Fonts of files, .ttf or .otf, for pages to print: their widths, and pages in such a font as PDF and SVG."""

from __future__ import annotations

import base64
import functools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from knightstour.core.model.errors import FormatError
from knightstour.core.model.validation import quoted

if TYPE_CHECKING:
    from fpdf import FPDF

_SUFFIXES: Final = (".ttf", ".otf")
# The name of the font inside a page.
FAMILY: Final = "sheet"


def is_font_file(font: str) -> bool:
    """Whether a font is named by its file.

    >>> is_font_file("fonts/Garamond.ttf"), is_font_file("Times")
    (True, False)
    """
    return font.lower().endswith(_SUFFIXES)


def check_font_file(font: str) -> None:
    """Raise a FormatError unless a file is a font that can be embedded."""
    if not os.path.isfile(font):
        raise FormatError(f"cannot read the font {quoted(font)}: no such file", help="use the path of a .ttf file")
    widths_of(font)


@functools.lru_cache(maxsize=8)
def widths_of(font: str) -> Mapping[str, float]:
    """Return the width of each letter of a font, in parts of its size."""
    try:
        from fontTools.ttLib import TTFont, TTLibError
    except ImportError:
        raise FormatError("a font of a file needs fpdf2", help="pip install 'knightstour[pdf]'") from None
    try:
        with TTFont(font) as file:
            unit, advances = file["head"].unitsPerEm, file["hmtx"]
            return {chr(code): advances[name][0] / unit for code, name in file.getBestCmap().items()}
    except (TTLibError, KeyError, AttributeError, OSError, ValueError, AssertionError) as error:
        why = f"{font} is not a font that can be embedded"
        raise FormatError(why, note=str(error)[:200], help="use a .ttf or .otf file with Unicode letters") from None


def width_in_file(font: str, text: str, size: float) -> float:
    """Return the width of a text in the font of a file; letters that it lacks count as the widest."""
    widths = widths_of(font)
    widest = max(widths.values(), default=1.0)
    return size * sum(widths.get(letter, widest) for letter in text)


def check_letters(font: str, text: str) -> None:
    """Raise a FormatError for a letter that the font lacks."""
    missing = next((letter for letter in text if letter not in widths_of(font)), None)
    if missing is not None:
        raise FormatError(f"the font {Path(font).name} has no letter {missing!r}", help="use another font")


def style_sheet(font: str) -> str:
    """Return the style element of an SVG that holds the font."""
    data = base64.b64encode(Path(font).read_bytes()).decode("ascii")
    kind = Path(font).suffix.lower()[1:]
    return f"<style>@font-face{{font-family:{FAMILY};src:url(data:font/{kind};base64,{data})}}</style>"


def add_font(pdf: FPDF, font: str) -> None:
    """Put the font of a file into a PDF. Bold letters are the same, with a thin line round them."""
    pdf.add_font(FAMILY, "", font)
    pdf.set_font(FAMILY, "", 10)
