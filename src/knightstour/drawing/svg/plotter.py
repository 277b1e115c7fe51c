"""Sheets for pen plotters: millimetres, strokes only, and one path for each pen.

Pen 1 draws the border, the crosses on holes and, with coordinates=True, the lines between the squares. Pen 2 draws the
tour; it lifts only at joined borders. Each loop of a cover has a pen of its own, up to eight. The name of each layer
begins with a number, as plotter programs that pause between layers expect.

`size` is the longer side of the board in millimetres. Without it squares are 20 mm, or smaller so that the board is at
most 180 mm long and fits on A4. The board has a margin of 5 mm.
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from knightstour.drawing.figure import Figure
from knightstour.drawing.look import Look
from knightstour.drawing.svg import strokes
from knightstour.drawing.svg.strokes import number

_SQUARE_MM, _LONGEST_MM, _MARGIN_MM, _PEN_MM = 20.0, 180.0, 5.0, 0.4
_MOST_PENS = 8
# On a screen, light or dark, the pens have different colours.
_BOARD_PEN, _TOUR_PEN = "#a08c60", "#2f75c0"


def plot_sheet(figure: Figure, look: Look) -> str:
    """The sheet as SVG text. Of the look only size, title, coordinates and closing_move count."""
    longer = max(figure.rows, figure.cols)
    unit = look.size / longer if look.size is not None else min(_SQUARE_MM, _LONGEST_MM / longer)
    width, height = figure.cols * unit, figure.rows * unit
    layers = [_layer(1, "board", _board_lines(figure, look, unit, width, height), _BOARD_PEN)]
    with_closing = look.closing_move is not False
    for pen, walks in figure.by_tone(_MOST_PENS).items():
        lines = [strokes.straight(figure, walk, with_closing=with_closing, unit=unit) for walk in walks]
        colour = _TOUR_PEN if figure.is_tour else look.palette.loops[pen % len(look.palette.loops)]
        name = "tour" if figure.is_tour else f"loop {pen + 1}"
        layers.append(_layer(pen + 2, name, "".join(lines), colour))
    box = (-_MARGIN_MM, -_MARGIN_MM, width + 2 * _MARGIN_MM, height + 2 * _MARGIN_MM)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'role="img" width="{number(box[2])}mm" height="{number(box[3])}mm" '
        f'viewBox="{" ".join(map(number, box))}"><title>{escape(look.title or figure.title)}</title>'
        f"<desc>{escape(figure.description)}</desc>"
        f'<g fill="none" stroke-width="{_PEN_MM}" stroke-linejoin="round" stroke-linecap="round">'
        f"{''.join(layers)}</g></svg>"
    )


def _layer(pen: int, name: str, data: str, colour: str) -> str:
    return (
        f'<g id="pen-{pen}" inkscape:groupmode="layer" inkscape:label="{pen} {name}">'
        f'<path d="{data}" stroke="{colour}"/></g>'
    )


def _board_lines(figure: Figure, look: Look, unit: float, width: float, height: float) -> str:
    parts = [f"M0 0h{number(width)}v{number(height)}h{number(-width)}z"]
    if look.coordinates:
        # To and fro, so that the pen travels little between two lines.
        for row in range(1, figure.rows):
            begin, across = (0.0, width) if row % 2 else (width, -width)
            parts.append(f"M{number(begin)} {number(row * unit)}h{number(across)}")
        for col in range(1, figure.cols):
            begin, down = (height, -height) if col % 2 else (0.0, height)
            parts.append(f"M{number(col * unit)} {number(begin)}v{number(down)}")
    for row, col in figure.holes:
        x, y, d = (col + 0.25) * unit, (row + 0.25) * unit, 0.5 * unit
        parts.append(f"M{number(x)} {number(y)}l{number(d)} {number(d)}m{number(-d)} 0l{number(d)} {number(-d)}")
    return "".join(parts)
