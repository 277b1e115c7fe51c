"""Sheets for pen plotters as SVG: millimetres, strokes only, and one path for each pen.

The name of each layer begins with a number, as plotter programs that pause between layers expect.
"""

from __future__ import annotations

from typing import Final

from knightstour.core.drawing.figure import Figure
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg.pen import escape
from knightstour.core.drawing.svg.strokes import number, polyline
from knightstour.lab.pictures.plotter.sheet import PenStrokes, sheet_of

_PEN_MM = 0.4
# The colours of the pens on a screen, which may be light or dark, where no theme is given.
_ON_SCREENS: Final = {"frame": "#a08c60", "path": "#2f75c0", "text": "#8a6f9c"}


def plot_sheet(figure: Figure, look: Look) -> str:
    """The sheet as SVG text."""
    sheet = sheet_of(figure, look)
    box = (sheet.left, sheet.top, sheet.width, sheet.height)
    width = _PEN_MM if look.line_width is None else look.line_width * sheet.unit
    layers = "".join(_layer(pen, look, width) for pen in sheet.pens)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'role="img" width="{number(box[2])}mm" height="{number(box[3])}mm" '
        f'viewBox="{" ".join(map(number, box))}"><title>{escape(look.title or figure.title)}</title>'
        f"<desc>{escape(figure.description)}</desc>"
        f"{layers}</svg>"
    )


def _layer(pen: PenStrokes, look: Look, width: float) -> str:
    data = "".join(polyline(line.points, is_closed=line.is_closed, unit=1) for line in pen.lines)
    # Programs for plotters take the outermost groups for layers.
    return (
        f'<g id="pen-{pen.number}" inkscape:groupmode="layer" inkscape:label="{pen.number} {pen.name}" '
        f'fill="none" stroke-width="{width:g}" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{data}" stroke="{_ink(pen, look)}"/></g>'
    )


def _ink(pen: PenStrokes, look: Look) -> str:
    if pen.role == "loops":
        return look.palette.loops[pen.tone % len(look.palette.loops)]
    is_given = look.theme != "auto" or pen.role in (look.colors or {})
    return str(getattr(look.palette, pen.role)) if is_given else _ON_SCREENS[pen.role]
