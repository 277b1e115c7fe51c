"""The path as SVG in the style weave: a band with two edges that goes over and under itself (weave.py)."""

from __future__ import annotations

import math

from knightstour.core.drawing.figure import Figure, Walk
from knightstour.core.drawing.lines import Line, lines_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg import strokes
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.strokes import UNIT, number
from knightstour.core.model.errors import FormatError
from knightstour.lab.pictures.weave import Piece, bands

# Parts of the width of a band: each of its edges, and the gap beside a band that goes over it.
_EDGE_SHARE, _GAP_SHARE = 0.18, 0.3
_MAX_WOVEN = 3600


def draw_bands(figure: Figure, look: Look, pen: Pen) -> str:
    """The walks as bands that go over and under."""
    if figure.rows * figure.cols > _MAX_WOVEN:
        raise FormatError(
            f"a board of {figure.rows} x {figure.cols} squares is too large for the style weave",
            note=f"at most {_MAX_WOVEN:,} squares",
            help="draw a window of it, or take another style",
        )
    for a, b in (leap for leap in figure.board.piece.leaps if math.gcd(*leap) > 1):
        raise FormatError(
            f"moves of the leaper ({a},{b}) run over the middles of squares, where a band goes neither over nor under",
            help="take another style",
        )
    lines: list[Line] = []
    tones: list[int] = []
    for tone, walks in figure.by_tone(len(pen.theme.loops)).items():
        for walk in walks:
            found = lines_of(figure, walk, smooth=look.is_smooth, with_closing=look.closing_move is True)
            lines += [line for line in found if len(line.points) > 1]
            tones += [tone] * (len(lines) - len(tones))
    if not lines:
        return ""
    width = look.pen_width
    pieces: dict[int, list[Piece]] = {}
    for piece in bands(lines, width * (1 - _EDGE_SHARE), _GAP_SHARE * width):
        pieces.setdefault(tones[piece.line], []).append(piece)
    edge = f'stroke-width="{number(_EDGE_SHARE * width * UNIT)}" stroke-linejoin="round" stroke-linecap="butt"'
    role, parts = "path" if figure.is_tour else "loops", []
    for tone, group in pieces.items():
        inside = "".join(strokes.polyline(piece.outline, is_closed=True) for piece in group)
        edges = "".join(strokes.polyline(line) for piece in group for line in piece.edges)
        parts.append(f'<path d="{inside}" {pen("fill", "mark")}/>')
        parts.append(f'<path d="{edges}" fill="none" {pen("stroke", role, tone)} {edge}/>')
    if look.closing_move == "dashed":
        last = [Walk(walk.squares[[-1, 0]]) for walk in figure.walks if walk.is_closed]
        dashes = f'stroke-width="{number(0.5 * width * UNIT)}" stroke-dasharray="{number(0.1 * UNIT)}"'
        data = "".join(strokes.straight(figure, move) for move in last)
        parts.append(f'<path d="{data}" fill="none" {pen("stroke", role)} {dashes}/>' if last else "")
    return "".join(parts)
