"""Sizes of paper, lengths in millimetres, and widths of texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from knightstour.core.model.errors import FormatError
from knightstour.core.model.validation import quoted, real_number, wrong_type

# Width and height in mm.
PAPERS: Final = {
    "A1": (594.0, 841.0),
    "A2": (420.0, 594.0),
    "A3": (297.0, 420.0),
    "A4": (210.0, 297.0),
    "A5": (148.0, 210.0),
    "Letter": (215.9, 279.4),
}
_OWN_PAPER = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)\s*[x\u00d7]\s*(\d{1,5}(?:\.\d+)?)\s*(mm|cm|in)\s*", re.IGNORECASE)
# Lengths in millimetres.
_UNITS: Final = {"mm": 1.0, "cm": 10.0, "in": 25.4}
# Widths of the letters of Helvetica from space to ~, in thousandths of the size.
HELVETICA: Final = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)


def paper_of(name: object) -> str:
    """Return a paper as "A4", "A4 landscape", "A4 portrait" or "600x400mm".

    >>> paper_of("letter"), paper_of("60x40cm"), paper_of("a3 landscape")
    ('Letter', '600x400mm', 'A3 landscape')
    """
    help = "one of " + ", ".join(PAPERS) + "; A3 landscape; or such as 600x400mm"
    if not isinstance(name, str):
        raise wrong_type("paper", "a text", name, help=help)
    words = name.split()
    if len(words) > 1 and words[-1].lower() in ("landscape", "portrait"):
        paper = paper_of(" ".join(words[:-1]))
        if paper not in PAPERS:
            raise FormatError(f"a paper of its own size has no {words[-1]}", help="write its width first: 600x400mm")
        return f"{paper} {words[-1].lower()}"
    match = _OWN_PAPER.fullmatch(name)
    if match is not None:
        sides = [float(side) * _UNITS[match[3].lower()] for side in match.groups()[:2]]
        if not all(10 <= side <= 10_000 for side in sides):
            raise FormatError(f"invalid paper size: {name}", help="use 10 to 10,000 mm for each side")
        return "{:g}x{:g}mm".format(*sides)
    known = {paper.lower(): paper for paper in PAPERS}
    if name.lower() not in known:
        raise FormatError(f"unknown paper {quoted(name)}", help=help)
    return known[name.lower()]


def millimetres(length: object, name: str) -> float:
    """Return a length in millimetres, from a number or a text with a unit.

    >>> millimetres("1.5cm", "margin"), millimetres(5, "margin")
    (15.0, 5.0)
    """
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*(mm|cm|in|)\s*", length) if isinstance(length, str) else None
    if match:
        return float(match[1]) * _UNITS[match[2] or "mm"]
    help = "use millimetres, or a length such as 15mm, 1.5cm or 0.5in"
    if isinstance(length, str):
        raise FormatError(f"invalid {name}: {quoted(length)}", help=help)
    value = real_number(length, name, error=FormatError, help=help)
    if not 0 <= value <= 10_000:
        raise FormatError(f"invalid {name}: {quoted(length)} mm", help=help)
    return value


def page_of(paper: str, margin: float, shape: float) -> tuple[float, float]:
    """Return width and height of a page, in millimetres.

    paper: as `paper_of` returns it; without an orientation, the picture decides. margin: space around the picture.
    shape: width of the picture divided by its height.
    Raises FormatError if the margins leave no space.

    >>> page_of("A4", 15, 1.5), page_of("A4 portrait", 15, 1.5)
    ((297.0, 210.0), (210.0, 297.0))
    """
    own = _OWN_PAPER.fullmatch(paper)
    name, _, orientation = paper.partition(" ")
    high = PAPERS[name] if own is None else (float(own[1]), float(own[2]))
    if min(high) <= 2 * margin:
        raise FormatError(f"a margin of {margin:g} mm leaves no space on {paper}", help="use a larger paper")
    if own is not None:
        return high
    wide = high[::-1]
    if not orientation:
        heights = [min((width - 2 * margin) / shape, height - 2 * margin) for width, height in (high, wide)]
        orientation = "landscape" if heights[1] > heights[0] else "portrait"
    return wide if orientation == "landscape" else high


def width_of(text: str, size: float, widths: Sequence[int] = HELVETICA) -> float:
    """Return the width of a text. widths: letter widths of the font.

    >>> round(width_of("64", 10), 2)
    11.12
    """
    plain = (unicodedata.normalize("NFD", letter)[0] for letter in text)
    return sum(widths[ord(x if " " <= x <= "~" else "0") - 32] for x in plain) * size / 1000
