"""Colours: two themes, one ramp from first to last, and a set for loops that are told apart.

The ramp is a curve through OKLab (Ottosson 2020), the colour space in which equal distances look equally far apart,
cut into steps of equal length. It also grows lighter all the way, so it reads without any sense of hue. The loop
colours begin with those of Okabe and Ito (2008), darker or lighter as the paper asks.

Checked by the tests: path, marks and loops have a contrast of 3 or more against both squares, text of 4.5 or more
against its ground (the WCAG bounds for graphics and for text).
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from knightstour.model.errors import FormatError
from knightstour.model.validation import listed

Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture, each as "#rrggbb".

    paper: behind everything. light, dark: the squares. frame: the border and quiet lines. text: names of rows and
    columns. path: the tour. start, end: its marks. number: numbers on squares. mark: squares pointed out.
    loops: of a cover, one after the other.
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
    ),
}
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def theme_of(name: str, colors: Mapping[str, str] | None = None) -> Theme:
    """The theme "light" or "dark", with some colours replaced; a FormatError for names and colours that are none.

    >>> theme_of("dark", {"path": "#ffffff"}).path
    '#ffffff'
    """
    if name not in THEMES:
        raise FormatError(f"unknown theme {name!r}", help="one of auto, " + ", ".join(THEMES))
    theme = THEMES[name]
    if colors is None:
        return theme
    known = [field.name for field in fields(Theme)]
    changed: dict[str, str | tuple[str, ...]] = {}
    for role, given in dict(colors).items():
        if role not in known:
            raise FormatError(f"a theme has no colour called {role!r}", help="one of " + ", ".join(known))
        several = role == "loops" and not isinstance(given, str)
        values = tuple(listed(given, "loops", error=FormatError)) if several else (given,)
        for value in values:
            if not isinstance(value, str) or not _HEX.fullmatch(value):
                raise FormatError(f"not a colour: {value!r}", help="write it as #rrggbb")
        if not values:
            raise FormatError("loops need one colour at least", help="give a list of colours as #rrggbb")
        changed[role] = values if role == "loops" else values[0]
    return replace(theme, **changed)  # type: ignore[arg-type]


# ---------------------------------------------------------------- the ramp

# In OKLab: indigo, a teal that pulls the curve, warm yellow.
_FIRST, _PULL, _LAST = (0.27, 0.025, -0.115), (0.60, -0.165, -0.035), (0.92, -0.02, 0.14)


@functools.cache
def ramp(steps: int = 64) -> tuple[str, ...]:
    """So many colours from dark to light, each as far from the next: "#rrggbb".

    >>> ramp(3)[0] < ramp(3)[-1], len(ramp(7))
    (True, 7)
    """
    dense = 2000
    curve = [_bent(k / dense) for k in range(dense + 1)]
    lengths = [0.0]
    for a, b in zip(curve, curve[1:], strict=False):
        lengths.append(lengths[-1] + math.dist(a, b))
    colours, at = [], 0
    for k in range(steps):
        wanted = lengths[-1] * k / max(1, steps - 1)
        while at < dense and lengths[at] < wanted:
            at += 1
        colours.append(_hex(_rgb_of_lab(curve[at])))
    return tuple(colours)


def _bent(t: float) -> Rgb:
    """A quadratic Bézier curve through the colour space."""
    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
    x, y, z = (a * p + b * q + c * r for p, q, r in zip(_FIRST, _PULL, _LAST, strict=True))
    return x, y, z


def _rgb_of_lab(lab: Rgb) -> Rgb:
    """OKLab to sRGB, each 0 to 1 and cut there."""
    lightness, a, b = lab
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    red, green, blue = (12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055 for x in map(_cut, linear))
    return red, green, blue


def _cut(x: float) -> float:
    return min(1.0, max(0.0, x))


def _hex(rgb: Rgb) -> str:
    return "#" + "".join(f"{round(255 * x):02x}" for x in rgb)


def mixed(one: str, other: str, share: float) -> str:
    """So much of one colour in the other.

    >>> mixed("#ffffff", "#000000", 0.5)
    '#808080'
    """
    pairs = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    red, green, blue = (share * a / 255 + (1 - share) * b / 255 for a, b in pairs)
    return _hex((red, green, blue))


# ---------------------------------------------------------------- contrast


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", 0 to 1, as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21, as WCAG 2 defines it.

    >>> round(contrast("#000000", "#ffffff"), 6)
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(ground: str) -> str:
    """Black or white, whichever is easier to read there.

    >>> ink_on("#000000")
    '#ffffff'
    """
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, ground))
