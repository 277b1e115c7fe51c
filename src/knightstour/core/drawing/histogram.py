"""How often each value occurs, as bars: an SVG of its own, for censuses."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from knightstour.core.drawing.themes import theme_of

_STEP, _BAR, _HEIGHT = 28.0, 20.0, 240.0
_LEFT, _TOP, _BOTTOM = 24.0, 58.0, 46.0
# Values that have their number below the bar, at most.
_MAX_NUMBERS = 40


def histogram_svg(counts: Mapping[int, float], title: str, axis: str, theme: str = "light") -> str:
    """A bar for each value from the least to the largest. counts: value -> how often, at least 0.

    title: above it, and read out instead of it. axis: the name of the values. Each bar says its value and its number
    when it is pointed at.

    >>> histogram_svg({3: 10, 5: 20}, "Ten and twenty", "turns").count("<rect")
    4
    """
    colours = theme_of(theme)
    values = range(min(counts, default=0), max(counts, default=-1) + 1)
    most = max(counts.values(), default=0) or 1
    # A letter is at most two thirds of its size wide.
    width = 2 * _LEFT + max(_STEP * len(values), 10.0 * len(title))
    first = (width - _STEP * len(values)) / 2
    base = _TOP + _HEIGHT
    every = -(-len(values) // _MAX_NUMBERS) if values else 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {base + _BOTTOM:g}" width="{width:g}" '
        f'height="{base + _BOTTOM:g}" role="img" font-family="system-ui, sans-serif" text-anchor="middle">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" fill="{colours.paper}"/>',
        f'<text x="{width / 2:g}" y="30" font-size="16" fill="{colours.text}">{escape(title)}</text>',
    ]
    for k, value in enumerate(values):
        count = counts.get(value, 0)
        middle = first + _STEP * (k + 0.5)
        # What occurs at all is seen.
        height = max(1.0, _HEIGHT * count / most) if count else 0.0
        parts.append(
            f'<rect x="{middle - _BAR / 2:g}" y="{base - height:.2f}" width="{_BAR:g}" height="{height:.2f}" '
            f'fill="{colours.path}"><title>{value}: {count:,.0f}</title></rect>'
        )
        if k % every == 0:
            parts.append(f'<text x="{middle:g}" y="{base + 16:g}" font-size="12" fill="{colours.text}">{value}</text>')
    parts.append(f'<path d="M{_LEFT:g} {base:g}H{width - _LEFT:g}" stroke="{colours.frame}"/>')
    parts.append(
        f'<text x="{width / 2:g}" y="{base + 38:g}" font-size="13" fill="{colours.text}">{escape(axis)}</text></svg>'
    )
    return "\n".join(parts)
