"""Colours: two themes, a ramp for the steps of a tour, and a set for loops that must look different.

The ramp in ramp.json goes from indigo over teal to yellow, in steps of equal length in OKLab (Ottosson 2020). Each
colour is lighter than the previous one, for colour-blind readers. The loop colours begin with the palette of Okabe and
Ito (2008). Path, marks and loops have a contrast of 3 or more against both kinds of squares, and text 4.5 or more
against its ground (WCAG).
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from knightstour.core.model.errors import FormatError
from knightstour.core.model.validation import as_list, did_you_mean, quoted, wrong_type


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture, each as "#rrggbb".

    paper: the background. light, dark: the squares. frame: the border. text: names of rows and columns. path: the tour.
    start, end: its marks. number: numbers on squares. mark: highlighted squares. loops: the loops of a cover, in order.
    ribbon: the colours along a ribbon, which ends in the first colour.
    """

    paper: str
    light: str
    dark: str
    frame: str
    text: str
    path: str
    start: str
    end: str
    number: str
    mark: str
    loops: tuple[str, ...]
    ribbon: tuple[str, ...]


THEMES: dict[str, Theme] = {
    "light": Theme(
        paper="#ffffff",
        light="#f6f1e6",
        dark="#e6dac2",
        frame="#b9a98a",
        text="#6b6150",
        path="#1d3557",
        start="#c1361f",
        end="#c1361f",
        number="#2b2a27",
        mark="#f2b84b",
        loops=("#0b5fa5", "#b84a00", "#00735a", "#9b3f7a", "#6a5200", "#5b3fa8", "#8c1d2f", "#333a42"),
        ribbon=("#1b4a7a", "#5c2c85", "#96264e", "#b85424"),
    ),
    "dark": Theme(
        paper="#12161c",
        light="#2b323d",
        dark="#20262f",
        frame="#566171",
        text="#9aa5b4",
        path="#f4c95d",
        start="#ff7d66",
        end="#ff7d66",
        number="#e8ebef",
        mark="#5b4a86",
        loops=("#5cb8f0", "#f29a4a", "#38c793", "#e59ac6", "#efe06a", "#b39cf5", "#ff8d8d", "#c9d1db"),
        ribbon=("#7aaae0", "#ba8ee8", "#f08cac", "#f6b678"),
    ),
}
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


def colour_of(text: object) -> str:
    """Return a colour, #rgb or a CSS name, as "#rrggbb" or, if transparent, as "#rrggbbaa". Raises FormatError.

    >>> colour_of("teal"), colour_of("#f80"), colour_of("#ff880080")
    ('#008080', '#ff8800', '#ff880080')
    """
    if not isinstance(text, str):
        raise wrong_type("a colour", "a text", text, help=_COLOUR_HELP)
    if _HEX.fullmatch(text):
        return text if len(text) > 5 else "#" + "".join(2 * digit for digit in text[1:])
    if text.lower() in _names():
        return _names()[text.lower()]
    raise FormatError(f"invalid colour: {quoted(text)}{did_you_mean(text, _names())}", help=_COLOUR_HELP)


_LISTS = ("loops", "ribbon")
_COLOUR_HELP = "write it as #rrggbb, or by its CSS name, such as teal"


@functools.cache
def _names() -> dict[str, str]:
    from PIL import ImageColor

    # Pillow replaces the values of this table by tuples.
    return {name: f"#{bytes(ImageColor.getrgb(name)[:3]).hex()}" for name in ImageColor.colormap}


def theme_of(name: str, colors: Mapping[str, str | Sequence[str]] | None = None) -> Theme:
    """Return a theme with some colours replaced. Raises FormatError for unknown names or colours.

    >>> theme_of("dark", {"path": "#ffffff"}).path
    '#ffffff'
    """
    if name not in THEMES:
        meant = did_you_mean(name, THEMES)
        raise FormatError(f"unknown theme {name!r}{meant}", help="one of auto, " + ", ".join(THEMES))
    theme = THEMES[name]
    if colors is None:
        return theme
    if not isinstance(colors, Mapping):
        raise wrong_type("colors", "a dict", colors)
    known = [field.name for field in fields(Theme)]
    changed: dict[str, str | tuple[str, ...]] = {}
    for role, given in colors.items():
        if role not in known:
            meant = did_you_mean(role, known)
            raise FormatError(f"a theme has no colour called {role!r}{meant}", help="one of " + ", ".join(known))
        is_list = role in _LISTS and not isinstance(given, str)
        values = as_list(given, role) if is_list else [given]
        for value in values:
            if len(colour_of(value)) > 7:
                raise FormatError(f"colours of a theme must be opaque, not {quoted(value)}", help=_COLOUR_HELP)
        if not values:
            raise FormatError(f"{role} needs at least one colour", help="pass a list of colours")
        changed[role] = tuple(map(colour_of, values)) if role in _LISTS else colour_of(values[0])
    return replace(theme, **changed)  # type: ignore[arg-type]


# ---------------------------------------------------------------- the ramp

_RAMP_FILE = Path(__file__).with_name("ramp.json")


@functools.cache
def ramp(steps: int = 64) -> tuple[str, ...]:
    """Return up to 64 colours "#rrggbb" from dark to light, about equally spaced.

    >>> ramp(3)[0] < ramp(3)[-1], len(ramp(7))
    (True, 7)
    """
    colours = json.loads(_RAMP_FILE.read_text(encoding="utf-8"))
    return tuple(colours[round(k * (len(colours) - 1) / max(1, steps - 1))] for k in range(steps))


def rgb_of(colour: str) -> list[int]:
    """Return red, green and blue of "#rrggbb", 0 to 255."""
    return list(bytes.fromhex(colour[1:]))


def mix_colours(first: str, second: str, share: float) -> str:
    """Return a mixture of two colours. share: share of the first colour, 0 to 1.

    >>> mix_colours("#ffffff", "#000000", 0.5)
    '#808080'
    """
    pairs = zip(rgb_of(first), rgb_of(second), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


RIBBON_STEPS = 64


def shade_of(colours: Sequence[str], place: float) -> str:
    """Return the colour at a position from 0 to 1 of a gradient.

    >>> shade_of(["#000000", "#ffffff", "#ff0000"], 0.75)
    '#ff8080'
    """
    at = place * (len(colours) - 1)
    k = min(int(at), max(0, len(colours) - 2))
    return mix_colours(colours[min(k + 1, len(colours) - 1)], colours[k], at - k)


# ---------------------------------------------------------------- contrast


def luminance(colour: str) -> float:
    """Return the relative luminance of "#rrggbb", 0 to 1 (WCAG 2)."""
    parts = (part / 255 for part in rgb_of(colour))
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2).

    >>> round(contrast("#000000", "#ffffff"), 6)
    21.0
    """
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def ink_on(ground: str) -> str:
    """Return black or white, whichever has the higher contrast to the background.

    >>> ink_on("#000000")
    '#ffffff'
    """
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, ground))
