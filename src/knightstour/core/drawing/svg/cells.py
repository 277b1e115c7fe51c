"""Pictures of boards of cells: the outline of each cell, and the tour as a line through their centres.

The layers of a box are drawn side by side, with the numbers of the tour and the moves within a layer. The style oblique
shows the layers behind each other and every move.
"""

from __future__ import annotations

import numpy as np

from knightstour.core.drawing.figure import Figure, Walk
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg.pen import FONT, Pen, escape
from knightstour.core.drawing.svg.strokes import UNIT, number
from knightstour.core.drawing.themes import ink_on, ramp
from knightstour.core.model.board import Board, title_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.lattices import LATTICES
from knightstour.core.model.layers import layers_of

# Styles that draw cells, and options that they do not use.
STYLES = ("board", "line", "steps", "numbers", "heat", "oblique")
_UNUSED = ("coordinates", "arrows")
_MARGIN = 0.2 * UNIT
# Colours of a line by steps, visible on dark and light paper.
_SHADES = ramp(64)[10:54]

Box = tuple[float, float, float, float]


def check_look(board: Board, look: Look) -> None:
    """Raise FormatError for styles or options that only support squares."""
    if look.style not in STYLES:
        what = f"the style {look.style} is for boards of rows and columns"
        raise FormatError(what, help=f"for the {title_of(board)} use one of {', '.join(STYLES)}")
    if isinstance(board, CellBoard) and not is_flat(board) and look.style in ("line", "steps"):
        what = f"most moves of the {title_of(board)} lead from layer to layer, and the style {look.style} has no layers"
        raise FormatError(what, help="the style oblique draws the whole line, board and numbers the layers")
    for name in _UNUSED:
        if getattr(look, name) not in (None, False):
            what = f"{name} is for boards of rows and columns"
            raise FormatError(what, help=f"omit it for the {title_of(board)}")


def cells_picture(figure: Figure, look: Look, pen: Pen) -> tuple[str, Box]:
    """Return the drawing of a board of cells, and its bounding box."""
    cells = figure.board
    assert isinstance(cells, CellBoard)
    check_look(cells, look)
    points, layers = _laid_out(cells, look)
    outline = UNIT * np.array(LATTICES[cells.lattice].outline)
    low = points.min(axis=0) + outline.min(axis=0) - _MARGIN
    high = points.max(axis=0) + outline.max(axis=0) + _MARGIN
    parts = [_ground(figure, look, pen, points, outline)]
    for (_, place), colour in look.highlight_colours(cells).items():
        fill = f'fill="{colour}"' if colour else pen("fill", "mark")
        parts.append(f'<path d="{_polygon(points[place], outline)}" {fill}/>')
    for walk in figure.walks:
        parts.append(_line(figure, walk, look, pen, points, layers))
    parts += [_marks(figure, look, pen, points), _zip(figure, look, pen, points), _texts(figure, look, pen, points)]
    (x, y), (width, height) = low.tolist(), (high - low).tolist()
    return "".join(parts), (x, y, width, height)


def _has_layers(figure: Figure, look: Look) -> bool:
    assert isinstance(figure.board, CellBoard)
    return not is_flat(figure.board) and look.style != "oblique"


def _laid_out(cells: CellBoard, look: Look) -> tuple[np.ndarray, np.ndarray]:
    """Return the centre of each cell in the picture, float (cells, 2), and the index of its layer."""
    if is_flat(cells) or look.style == "oblique":
        return UNIT * cells.points(), np.zeros(len(cells.cells), dtype=np.int64)
    sheet = layers_of(cells)
    points = np.stack([sheet.halves / 2, sheet.lines * sheet.height], axis=1)
    return UNIT * points, sheet.layers


def _polygon(middle: np.ndarray, outline: np.ndarray) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (middle + outline).tolist()) + "z"


def _ground(figure: Figure, look: Look, pen: Pen, points: np.ndarray, outline: np.ndarray) -> str:
    cells = figure.board
    assert isinstance(cells, CellBoard)
    if look.row.squares == "" and look.style != "oblique":
        return ""
    polygons = [_polygon(point, outline) for point in points]
    thin = f'{pen("stroke", "frame")} stroke-width="{number(0.02 * UNIT)}"'
    if look.style == "oblique":
        return f'<path d="{"".join(polygons)}" fill="none" stroke-opacity=".3" {thin}/>'
    if look.row.squares == "heat":
        heat, colours = figure.heat(), ramp()
        fills = [
            f'fill="{colours[round(heat[0, k] * (len(colours) - 1))]}"'
            if (0, k) in heat
            else 'fill="#888888" fill-opacity=".18"'
            for k in range(len(points))
        ]
        return "".join(f'<path d="{d}" {fill} {thin}/>' for d, fill in zip(polygons, fills, strict=True))
    tints = LATTICES[cells.lattice].tint(np.array(cells.cells)).tolist()
    # A third colour is between the two of the board.
    thin = f'stroke-width="{number(0.02 * UNIT)}"'
    light, dark = pen.both("light", "frame"), pen.both("dark", "frame")
    fills = [light, dark, f'{dark} fill-opacity=".45"']
    parts = []
    for tint in sorted(set(tints)):
        data = "".join(d for d, own in zip(polygons, tints, strict=True) if own == tint)
        below = f'<path d="{data}" {pen("fill", "light")}/>' if tint == 2 else ""
        parts.append(f'{below}<path d="{data}" {fills[tint]} {thin}/>')
    return "".join(parts)


def _line(figure: Figure, walk: Walk, look: Look, pen: Pen, points: np.ndarray, layers: np.ndarray) -> str:
    """Return the moves of a walk, except moves between layers drawn separately."""
    if (look.style == "numbers" and _has_layers(figure, look)) or (look.style == "heat" and look.every()):
        return ""
    order = walk.squares[:, 1]
    after = np.concatenate([order[1:], order[:1]]) if walk.is_closed else order[1:]
    before = order[: len(after)]
    is_drawn = layers[before] == layers[after]
    moves = [
        f"M{number(x)} {number(y)}L{number(u)} {number(v)}" if drawn else ""
        for (x, y), (u, v), drawn in zip(
            points[before].tolist(), points[after].tolist(), is_drawn.tolist(), strict=True
        )
    ]
    opacity = look.row.opacity if look.style == "numbers" or not (_has_layers(figure, look) or look.every()) else 0.4
    line = f'stroke-width="{number(look.pen_width * UNIT)}" stroke-linecap="round" fill="none"'
    line += f' stroke-opacity="{number(opacity)}"' if opacity < 1 else ""
    if look.row.by_step and figure.is_tour:
        return _by_step(figure, moves, walk.first, line)
    if look.row.squares == "heat":
        return f'<path d="{"".join(moves)}" stroke="#fff" {line}/>'
    stroke = pen("stroke", "path" if figure.is_tour else "loops", walk.tone)
    return f'<path d="{"".join(moves)}" {stroke} {line}/>'


def _by_step(figure: Figure, moves: list[str], first: int, line: str) -> str:
    last = max(1, (figure.span or figure.length) - 1)
    by_shade: dict[int, list[str]] = {}
    for k, move in enumerate(moves):
        by_shade.setdefault(min(len(_SHADES) - 1, (first + k) * len(_SHADES) // last), []).append(move)
    return "".join(f'<path d="{"".join(d)}" stroke="{_SHADES[shade]}" {line}/>' for shade, d in by_shade.items())


def _marks(figure: Figure, look: Look, pen: Pen, points: np.ndarray) -> str:
    if not look.marks_ends(figure) or look.every() or (_has_layers(figure, look) and look.row.squares != ""):
        return ""
    start, end = figure.ends()
    radius = 0.2 * UNIT
    parts = []
    for square, is_start in ((start, True), (None if figure.is_loop or start == end else end, False)):
        if square is not None:
            x, y = map(number, points[square[1]].tolist())
            circle = f'<circle cx="{x}" cy="{y}" r="{number(radius)}"'
            ring = f'{pen.both("paper", "end")} stroke-width="{number(0.45 * radius)}"'
            parts.append(f"{circle} {pen('fill', 'start')}/>" if is_start else f"<g {ring}>{circle}/></g>")
    return "".join(parts)


def _zip(figure: Figure, look: Look, pen: Pen, points: np.ndarray) -> str:
    if figure.walls is None:
        return ""
    rings = "".join(
        f'<circle cx="{number(points[place, 0])}" cy="{number(points[place, 1])}" r="{number(0.36 * UNIT)}"/>'
        for _, place in sorted(look.label_texts(figure.board))
    )
    lines = []
    for (_, one), (_, other) in figure.walls:
        step = points[other] - points[one]
        # Length of a hexagon's side relative to the distance of the centres.
        along = np.array([-step[1], step[0]]) / 3**0.5
        (x, y), (u, v) = ((points[one] + points[other] - along) / 2).tolist(), along.tolist()
        lines.append(f"M{number(x)} {number(y)}l{number(u)} {number(v)}")
    thick = f'fill="none" stroke-linecap="round" stroke-width="{number(0.12 * UNIT)}"'
    circles = f'<g {pen.both("light", "number")} stroke-width="{number(0.05 * UNIT)}">{rings}</g>'
    return circles + f'<path d="{"".join(lines)}" {thick} {pen("stroke", "number")}/>'


def _texts(figure: Figure, look: Look, pen: Pen, points: np.ndarray) -> str:
    """Return the numbers, which layers have in every style, and the labels."""
    every = look.every() or int(_has_layers(figure, look) and look.row.squares == "chess" and bool(figure.walks))
    texts: dict[int, str] = {}
    if every and not figure.walks:
        texts = {place: str(degree) for place, degree in enumerate(figure.degrees()[0].tolist())}
    elif every:
        squares, steps = figure.steps()
        shown = zip(squares[:, 1].tolist(), steps, strict=True)
        texts = {k: str(step + 1) for k, step in shown if (step + 1) % every == 0 or step in (0, figure.length - 1)}
    texts |= {place: text for (_, place), text in look.label_texts(figure.board).items()}
    if not texts:
        return ""
    size = UNIT * min(0.42, 1.4 / max(map(len, texts.values())))
    heat = figure.heat() if look.row.squares == "heat" else {}
    parts = []
    for place, text in texts.items():
        x, y = points[place].tolist()
        ground = ramp()[round(heat[0, place] * (len(ramp()) - 1))] if (0, place) in heat else ""
        fill = f'fill="{ink_on(ground)}"' if ground else pen("fill", "number")
        parts.append(f'<text x="{number(x)}" y="{number(y + 0.355 * size)}" {fill}>{escape(text)}</text>')
    return f'<g font-family="{FONT}" font-size="{number(size)}" text-anchor="middle">{"".join(parts)}</g>'
