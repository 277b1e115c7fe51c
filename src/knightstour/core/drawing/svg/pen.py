"""Colours, fonts and texts of an SVG picture."""

from __future__ import annotations

import zlib

from knightstour.core.drawing.look import Look
from knightstour.core.drawing.themes import RIBBON_STEPS, Theme, shade_of, theme_of

FONT = "Aileron,Helvetica Neue,Helvetica,Arial,sans-serif"


def escape(text: str) -> str:
    """Escape a text for SVG, like xml.sax.saxutils.escape, which imports urllib.

    >>> escape("Knuth's <board> & tour")
    "Knuth's &lt;board&gt; &amp; tour"
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Pen:
    """Writes colours as attributes, and collects a style sheet for the other theme."""

    def __init__(self, look: Look) -> None:
        self.theme = look.palette
        self.is_auto = look.theme == "auto"
        self.other: Theme = theme_of("dark", look.colors)
        self._used: dict[str, tuple[str, str]] = {}

    def __call__(self, attribute: str, role: str, step: int = 0) -> str:
        """Return fill= or stroke= in the colour of a role. step: index among several colours."""

        def colour(theme: Theme) -> str:
            if role == "ribbon":
                return shade_of((*theme.ribbon, theme.ribbon[0]), step / (RIBBON_STEPS - 1))
            return theme.loops[step % len(theme.loops)] if role == "loops" else str(getattr(theme, role))

        here = colour(self.theme)
        if not self.is_auto:
            return f'{attribute}="{here}"'
        name = f"{attribute[0]}-{role}" + (str(step) if role in ("loops", "ribbon") else "")
        self._used[name] = (attribute, colour(self.other))
        return f'class="{name}" {attribute}="{here}"'

    def both(self, fill: str, stroke: str) -> str:
        """Return fill= and stroke= of one element, with a common class=."""
        attributes = self("fill", fill), self("stroke", stroke)
        if not self.is_auto:
            return " ".join(attributes)
        (_, one, first), (_, other, second) = (attribute.split('"', 2) for attribute in attributes)
        return f'class="{one} {other}"{first}{second}'

    def style_sheet(self) -> tuple[str, str]:
        """Return the class of the picture and the rules for the dark theme; empty if the theme is fixed."""
        if not self._used:
            return "", ""
        # The rules apply to one of the pictures of a page.
        scope = f"kt-{zlib.crc32(repr(sorted(self._used.items())).encode()):08x}"
        rules = "".join(f".{scope} .{n}{{{a}:{c}}}" for n, (a, c) in sorted(self._used.items()))
        return scope, f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>"
