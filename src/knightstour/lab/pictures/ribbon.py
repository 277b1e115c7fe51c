"""The path as SVG in the style ribbon: a band that goes over and under itself, its colour changing along it.

What goes over lies whole on what goes under, which is cut (weaving.py). Each step of colour is one closed path.
"""

from __future__ import annotations

import math

from knightstour.core.drawing.figure import Figure, Walk
from knightstour.core.drawing.lines import Line, lines_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg import strokes
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.strokes import UNIT, number
from knightstour.core.drawing.themes import RIBBON_STEPS
from knightstour.core.model.errors import FormatError
from knightstour.lab.pictures.weaving import bands

# The part of the width that is left free beside a band that goes over.
_GAP_SHARE = 0.28
_MAX_SQUARES = 10_000


def draw_ribbon(figure: Figure, look: Look, pen: Pen) -> str:
    """The walks as bands that go over and under."""
    if figure.rows * figure.cols > _MAX_SQUARES:
        raise FormatError(
            f"a board of {figure.rows} x {figure.cols} squares is too large for the style ribbon",
            note=f"at most {_MAX_SQUARES:,} squares",
            help="draw a window of it, or take another style",
        )
    for a, b in (leap for leap in figure.board.piece.leaps if math.gcd(*leap) > 1):
        raise FormatError(
            f"moves of the leaper ({a},{b}) run over the middles of squares, where a band goes neither over nor under",
            help="take another style",
        )
    lines: list[Line] = []
    starts: list[float] = []
    shares: list[float] = []
    for walk in figure.walks:
        found = lines_of(figure, walk, smooth=look.is_smooth, with_closing=look.closing_move is True)
        found = [line for line in found if len(line.points) > 1]
        # A walk over joined borders has many lines, each a part of its length.
        starts += [k / len(found) for k in range(len(found))]
        lines += found
        shares += [1 / len(found)] * len(found)
    width = look.pen_width
    steps: dict[tuple[int, int], list[str]] = {}
    for piece in bands(lines, width, _GAP_SHARE * width):
        place = starts[piece.line] + piece.place * shares[piece.line]
        step = round(place * (RIBBON_STEPS - 1))
        # On a closed line the colours come back to the first one.
        shade = RIBBON_STEPS - 1 - abs(RIBBON_STEPS - 1 - 2 * step) if lines[piece.line].is_closed else step
        steps.setdefault((step, shade), []).append(strokes.polyline(piece.outline, is_closed=True))
    parts = [f'<path d="{"".join(d)}" {pen("fill", "ribbon", shade)}/>' for (_, shade), d in sorted(steps.items())]
    if look.closing_move == "dashed":
        last = [Walk(walk.squares[[-1, 0]]) for walk in figure.walks if walk.is_closed]
        dashes = f'stroke-width="{number(0.5 * width * UNIT)}" stroke-dasharray="{number(0.1 * UNIT)}"'
        data = "".join(strokes.straight(figure, move) for move in last)
        parts.append(f'<path d="{data}" fill="none" {pen("stroke", "ribbon")} {dashes}/>' if last else "")
    return "".join(parts)
