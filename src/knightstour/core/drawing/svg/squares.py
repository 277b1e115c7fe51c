"""The squares of an SVG picture: chess squares, heat map, and highlights."""

from __future__ import annotations

from knightstour.core.drawing.figure import Figure
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.strokes import UNIT
from knightstour.core.drawing.themes import ramp


def ground(figure: Figure, look: Look, pen: Pen) -> str:
    if look.row.squares == "heat":
        return _heat(figure)
    if look.row.squares != "chess":
        return ""
    # Each row of dark squares is one dashed line. The square a1 is dark.
    reach = 1 if figure.is_window else 0
    rows, cols = range(-reach, figure.rows + reach), figure.cols + 2 * reach
    holes = {(r - figure.top, c - figure.left) for r, c in figure.board.holes}

    if not holes:
        width, height = cols * UNIT, len(rows) * UNIT
        corner = f'x="{-reach * UNIT}" y="{-reach * UNIT}" ' if reach else ""
        light = f'<rect {corner}width="{width}" height="{height}" {pen("fill", "light")}/>'
        shifts = [(row, 0 if is_dark(figure, row, -reach) else 1) for row in rows]
        lines = "".join(
            f"M{(shift - reach) * UNIT} {row * UNIT + UNIT // 2}h{(cols - shift) * UNIT}"
            for row, shift in shifts
            if cols > shift
        )
        dashes = f'stroke-width="{UNIT}" stroke-dasharray="{UNIT}"'
        dark = f'<path d="{lines}" fill="none" {dashes} {pen("stroke", "dark")}/>'
        return f'<g shape-rendering="crispEdges">{light}{dark}</g>'
    every = [(r, c) for r in rows for c in range(-reach, figure.cols + reach) if (r, c) not in holes]
    light = f'<path d="{cells([s for s in every if not is_dark(figure, *s)])}" {pen("fill", "light")}/>'
    dark = f'<path d="{cells([s for s in every if is_dark(figure, *s)])}" {pen("fill", "dark")}/>'
    return f'<g shape-rendering="crispEdges">{light}{dark}</g>'


def is_dark(figure: Figure, row: int, col: int) -> bool:
    """Whether a square of the window is dark, like a1."""
    return (figure.board.rows - 1 - figure.top - row + figure.left + col) % 2 == 0


def cells(squares: list[tuple[int, int]]) -> str:
    """Return the path data of squares."""
    return "".join(f"M{c * UNIT} {r * UNIT}h{UNIT}v{UNIT}h-{UNIT}z" for r, c in squares)


def _heat(figure: Figure) -> str:
    """Draw unvisited squares in grey."""
    colours = ramp()
    by_colour: dict[str, list[tuple[int, int]]] = {}
    heat = figure.heat()
    for square, share in heat.items():
        by_colour.setdefault(colours[round(share * (len(colours) - 1))], []).append(square)
    holes = set(figure.holes)
    rest = [
        (r, c) for r in range(figure.rows) for c in range(figure.cols) if (r, c) not in heat and (r, c) not in holes
    ]
    paths = [f'<path d="{cells(squares)}" fill="{colour}"/>' for colour, squares in sorted(by_colour.items())]
    if rest:
        paths.append(f'<path d="{cells(rest)}" fill="#888888" fill-opacity=".18"/>')
    return f'<g shape-rendering="crispEdges">{"".join(paths)}</g>'


def highlights(figure: Figure, look: Look, pen: Pen) -> str:
    parts = []
    for (row, col), colour in look.highlight_colours(figure.board).items():
        r, c = row - figure.top, col - figure.left
        if 0 <= r < figure.rows and 0 <= c < figure.cols:
            fill = f'fill="{colour}"' if colour else pen("fill", "mark")
            parts.append(f'<path d="{cells([(r, c)])}" {fill}/>')
    return "".join(parts)
