"""Pictures of boards of cells: each cell with the outline of its lattice, the tour as a line through their middles.

Of a box the layers lie side by side, with the numbers of the tour; moves are drawn where they stay in a layer, as half
of a knight's lead from layer to layer and would cover all.
"""

from __future__ import annotations

import html
import math

import numpy as np

from knightstour.core.drawing.figure import Drawable, TourSquares, board_of
from knightstour.core.drawing.look import Look, look_of
from knightstour.core.drawing.svg.pen import FONT
from knightstour.core.drawing.svg.strokes import UNIT
from knightstour.core.model.board import Board
from knightstour.core.model.cells import Cells
from knightstour.core.model.errors import FormatError
from knightstour.core.model.lattices import LATTICES
from knightstour.core.model.scene import Scene

# What a picture of cells takes of the options.
_TAKEN = (
    "style",
    "theme",
    "colors",
    "numbers",
    "size",
    "title",
    "background",
    "line_width",
    "mark_ends",
    "closing_move",
)
_GAP = 1
_USUAL_SIZE = 480.0


def is_of_cells(subject: Drawable) -> bool:
    """Whether a picture is asked of a board of cells, or of a tour of one."""
    return not isinstance(subject, Scene) and board_of(subject).cells is not None


def cells_svg(subject: Drawable, look: Look) -> str:
    """The SVG of a board of cells, or of a tour of one; a FormatError for options that are for squares alone."""
    board, tour = board_of(subject), subject if isinstance(subject, TourSquares) else None
    cells = board.cells
    assert cells is not None
    plain = look_of({})
    for name in Look.__dataclass_fields__:
        if name not in _TAKEN and getattr(look, name) != getattr(plain, name):
            raise FormatError(f"{name} is for boards of rows and columns", help=f"leave it out for {board.title}")
    if look.style not in ("board", "line", "numbers"):
        help = "take board, line or numbers"
        raise FormatError(f"the style {look.style!r} is for boards of rows and columns", help=help)
    theme = look.palette
    points, layers = _laid_out(cells)
    points *= UNIT
    lattice = LATTICES[cells.lattice]
    outline = [(UNIT * dx, UNIT * dy) for dx, dy in lattice.outline]
    tints = lattice.tint(np.array(cells.cells))
    colours = (theme.light, theme.dark, _between(theme.light, theme.dark, 2.0))
    low, high = points.min(axis=0) - 0.7 * UNIT, points.max(axis=0) + 0.7 * UNIT
    (left, top), (wide, tall) = low.tolist(), (high - low).tolist()
    scale = (look.size or _USUAL_SIZE) / max(wide, tall)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide * scale:.0f}" height="{tall * scale:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {wide:.1f} {tall:.1f}">',
        f"<title>{html.escape(look.title or _title(board, tour))}</title>",
    ]
    if look.background not in (None, "none"):
        ground = theme.paper if look.background == "paper" else look.background
        parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="{ground}"/>')
    if look.style != "line":
        for (x, y), tint in zip(points.tolist(), tints.tolist(), strict=True):
            corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in outline)
            line = f'fill="{colours[tint]}" stroke="{theme.frame}" stroke-width="{0.02 * UNIT:.2f}"'
            parts.append(f'<polygon points="{corners}" {line}/>')
    if tour is not None:
        parts += _walk(tour, points, layers, look)
    return "".join([*parts, "</svg>"])


def _title(board: Board, tour: TourSquares | None) -> str:
    return board.title if tour is None else f"{'Closed' if tour.is_closed else 'Open'} tour of the {board.title}"


def _laid_out(cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    """(points, layers): the middle of each cell in the picture, float (cells, 2), and the number of its layer."""
    if cells.is_flat:
        return cells.points(), np.zeros(len(cells.cells), dtype=np.int64)
    where = np.array(cells.cells)
    layers = np.unique(where[:, :-2], axis=0, return_inverse=True)[1].reshape(-1)
    across = math.ceil(math.sqrt(int(layers.max()) + 1))
    in_layer = where[:, -2:] - where[:, -2:].min(axis=0)
    tall, wide = (in_layer.max(axis=0) + 1 + _GAP).tolist()
    x, y = in_layer[:, 1] + wide * (layers % across), in_layer[:, 0] + tall * (layers // across)
    return np.stack([x, y], axis=1).astype(float), layers


def _walk(tour: TourSquares, points: np.ndarray, layers: np.ndarray, look: Look) -> list[str]:
    theme, order = look.palette, np.asarray(tour.squares)[:, 1]
    is_closed = tour.is_closed and look.closing_move is not False
    after = np.concatenate([order[1:], order[:1]]) if is_closed else order[1:]
    before = order[: len(after)]
    is_drawn = layers[before] == layers[after]
    has_layers = int(layers.max()) > 0
    moves = zip(points[before[is_drawn]].tolist(), points[after[is_drawn]].tolist(), strict=True)
    path = "".join(f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}" for (x, y), (u, v) in moves)
    width = UNIT * (0.09 if look.line_width is None else look.line_width)
    pale = ' opacity=".35"' if has_layers or look.numbers else ""
    line = f'fill="none" stroke="{theme.path}" stroke-width="{width:.2f}" stroke-linecap="round"{pale}'
    parts = [f'<path d="{path}" {line}/>'] if path and look.style != "numbers" else []
    if look.mark_ends is not False and not has_layers and look.style == "board" and not look.numbers:
        for place, colour in ((order[0], theme.start), (order[-1], theme.end)):
            x, y = points[place].tolist()
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.16 * UNIT:.1f}" fill="{colour}"/>')
    if look.numbers or has_layers or look.style == "numbers":
        each = look.numbers if look.numbers and look.numbers is not True else 1
        size = UNIT * (0.42 if len(order) < 1000 else 0.3)
        font = f'font-family="{FONT}" font-size="{size:.1f}" text-anchor="middle" fill="{theme.number}"'
        for step, place in enumerate(order.tolist(), 1):
            if (step - 1) % each == 0:
                x, y = points[place].tolist()
                parts.append(f'<text x="{x:.1f}" y="{y + 0.36 * size:.1f}" {font}>{step}</text>')
    return parts


def _between(one: str, other: str, far: float) -> str:
    """The colour that lies `far` steps from one beyond the other, held within what there is."""
    pairs = zip(*(bytes.fromhex(colour.lstrip("#")) for colour in (one, other)), strict=True)
    return "#" + "".join(f"{max(0, min(255, round(a + far * (b - a)))):02x}" for a, b in pairs)
