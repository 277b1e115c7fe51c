"""A scene of a proof as an SVG picture: the board with marks and moves, a legend, and the sentence below.

From back to front: squares, remaining moves, marks, excluded moves, numbered forced moves, and texts of marks. Each
role has its own shape. Squares outside the board are drawn at its right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from knightstour.core.drawing.figure import Figure, Point, Walk
from knightstour.core.drawing.layout import places_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.measures import width_of
from knightstour.core.drawing.svg import strokes
from knightstour.core.drawing.svg.inscriptions import border
from knightstour.core.drawing.svg.pen import FONT, Pen, escape
from knightstour.core.drawing.svg.squares import ground
from knightstour.core.drawing.svg.strokes import UNIT, join_numbers, number
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.scene import Line, Mark, Scene

# Limit on the squares of a board with readable texts.
_MAX_TEXTS = 2_500
# Minimum width of the sentences, in squares.
_LEAST_WIDTH = 9.0
# Distance of the first outside square from the board.
_BEYOND = 1.25
_TEXT = 0.34
_OPTIONS = ("numbers", "labels", "arrows", "highlight", "line_width")

Box = tuple[float, float, float, float]


class Shape(NamedTuple):
    """The shape of a mark: a disc, a ring, a box or a cross; its colour; its radius."""

    kind: str
    colour: str
    radius: float = 0.34
    loop: int | None = None


SHAPES: dict[str, Shape] = {
    "removed": Shape("cross", "text", 0.27),
    "piece": Shape("disc", "loops"),
    "single": Shape("disc", "loops", 0.26, 0),
    "colour": Shape("disc", "loops", 0.27),
    "needs": Shape("disc", "loops", 0.3, 1),
    "gives": Shape("box", "loops", 0.27, 0),
    "weight": Shape("disc", "loops", 0.36),
    "starved": Shape("disc", "start", 0.32),
    "clash": Shape("ring", "start", 0.36),
    "way": Shape("box", "loops", 0.36, 3),
    "shared": Shape("box", "start", 0.36),
    "inside": Shape("disc", "loops", 0.26, 0),
    "order": Shape("none", "number"),
    "end": Shape("ring", "path", 0.45),
    "given": Shape("none", "number"),
    "orbit": Shape("disc", "loops"),
    "kept": Shape("box", "start", 0.36),
}
# Squares of the second colour have another shape.
SECOND = {"colour": Shape("ring", "loops", 0.24)}


class _Stroke(NamedTuple):
    """The style of moves: colour, width in squares, dashes in squares, opacity."""

    colour: str
    width: float
    dashes: str = ""
    opacity: float = 1.0


STROKES: dict[str, _Stroke] = {
    "left": _Stroke("loops", 0.06, opacity=0.75),
    "leaving": _Stroke("path", 0.07),
    "out": _Stroke("start", 0.055, dashes="5 4"),
    "forced": _Stroke("path", 0.1),
    "clash": _Stroke("start", 0.12),
    "required": _Stroke("loops", 0.17, opacity=0.6),
    "forbidden": _Stroke("number", 0.07, dashes="2 4"),
}
ON_TOP = "starved"
IN_FRONT = ("leaving", "out", "forced", "clash")


def scene_picture(figure: Figure, look: Look, pen: Pen) -> tuple[str, Box]:
    """Return the drawing of a scene, and its bounding box."""
    scene = figure.scene
    assert scene is not None
    _refuse(look)
    places = _Places(figure, scene)
    is_graph = isinstance(figure.board, GraphBoard)
    parts = [_edges(figure, places, pen) if is_graph else ground(figure, look, pen)]
    parts += [_outside(scene, places, pen)]
    parts += [_moves(figure, line, places, pen) for line in scene.lines if line.role not in IN_FRONT]
    parts += [_mark(mark, places, pen) for mark in scene.marks if mark.role != ON_TOP]
    parts += [_moves(figure, line, places, pen) for role in IN_FRONT for line in scene.lines if line.role == role]
    parts += [_mark(mark, places, pen) for mark in scene.marks if mark.role == ON_TOP]
    if square_count(figure.board) <= _MAX_TEXTS:
        parts += [_badges(line, places, pen) for line in scene.lines if line.role in ("forced", "clash")]
        parts += [_texts(mark, places, pen) for mark in scene.marks if mark.text]
        parts += [_names_of_nodes(figure, places, pen)] if is_graph else []
    frame, margin = ("", (UNIT * 0.4,) * 4) if is_graph else border(figure, look, pen)
    top, right, bottom, left = margin
    right += places.beyond * UNIT
    width = max(figure.cols * UNIT + left + right, _LEAST_WIDTH * UNIT)
    below, room = _inscription(scene, pen, -left, figure.rows * UNIT + bottom, width)
    return "".join(parts) + frame + below, (-left, -top, width, figure.rows * UNIT + top + bottom + room)


def _refuse(look: Look) -> None:
    wanted = [name for name in _OPTIONS if getattr(look, name)]
    if look.style not in ("board", "line"):
        wanted.insert(0, f"style {look.style!r}")
    if wanted:
        raise FormatError(f"the scene of a proof does not support {wanted[0].replace('_', ' ')}", help="omit it")


class _Places:
    """Positions of squares. beyond: width of the outside squares at the right, in squares."""

    def __init__(self, figure: Figure, scene: Scene) -> None:
        self.cols, self.rows, self.size = figure.cols, figure.rows, scene.squares
        self.outside = scene.outside
        self.beyond = _BEYOND + 0.6 if scene.outside else 0.0
        self.board_cols = figure.board.cols
        self.nodes = places_of(figure.board) if isinstance(figure.board, GraphBoard) else None

    def is_beyond(self, square: int) -> bool:
        return square >= self.size

    def __call__(self, square: int) -> Point:
        """Return the centre (x, y), in squares."""
        if square >= self.size:
            step = (square - self.size) - (self.outside - 1) / 2
            return self.cols + _BEYOND, self.rows / 2 - 0.3 + 1.35 * step
        if self.nodes is not None:
            return self.nodes[square]
        row, col = divmod(square, self.board_cols)
        return col + 0.5, row + 0.5


# ---------------------------------------------------------------- marks


def _mark(mark: Mark, places: _Places, pen: Pen) -> str:
    return _shape(_shape_of(mark), mark, [places(square) for square in mark.squares], pen)


def _shape_of(mark: Mark) -> Shape:
    return SECOND[mark.role] if mark.role in SECOND and mark.group else SHAPES[mark.role]


def _shape(shape: Shape, mark: Mark, points: list[Point], pen: Pen) -> str:
    loop = mark.group if shape.loop is None else shape.loop
    at = [(x * UNIT, y * UNIT) for x, y in points]
    radius = shape.radius * UNIT
    if shape.kind == "disc":
        data = "".join(f"M{join_numbers(point)}h0" for point in at)
        wide = f'stroke-width="{number(2 * radius)}" stroke-linecap="round"'
        return f'<path d="{data}" {pen("stroke", shape.colour, loop)} {wide}/>'
    if shape.kind == "none":
        return ""
    back = ""
    if shape.kind == "cross":
        side = number(0.9 * UNIT)
        corner = [(x - 0.45 * UNIT, y - 0.45 * UNIT) for x, y in at]
        plates = "".join(f"M{join_numbers(point)}h{side}v{side}h-{side}z" for point in corner)
        back = f'<path d="{plates}" {pen("fill", "frame")} fill-opacity=".55"/>'
    outlines: dict[str, Callable[[float, float], str]] = {
        "ring": lambda x, y: (
            f"M{join_numbers([x - radius, y])}a{join_numbers([radius, radius, 0, 1, 0, 2 * radius, 0])}"
            f"a{join_numbers([radius, radius, 0, 1, 0, -2 * radius, 0])}z"
        ),
        "box": lambda x, y: (
            f"M{join_numbers([x - radius, y - radius])}"
            f"h{number(2 * radius)}v{number(2 * radius)}h{number(-2 * radius)}z"
        ),
        "cross": lambda x, y: (
            f"M{join_numbers([x - radius, y - radius])}l{join_numbers([2 * radius, 2 * radius])}"
            f"M{join_numbers([x + radius, y - radius])}l{join_numbers([-2 * radius, 2 * radius])}"
        ),
    }
    data = "".join(outlines[shape.kind](x, y) for x, y in at)
    width = number(0.09 * UNIT)
    rounded = 'stroke-linejoin="round" stroke-linecap="round"'
    line = f'fill="none" {pen("stroke", shape.colour, loop)} stroke-width="{width}" {rounded}'
    return f'{back}<path d="{data}" {line}/>'


def _texts(mark: Mark, places: _Places, pen: Pen) -> str:
    size = UNIT * (_TEXT if len(mark.text) < 3 else 0.26)
    kind = _shape_of(mark).kind
    fill = pen("fill", "paper") if kind == "disc" else pen("fill", "number" if kind == "none" else "start")
    spots = ((places(square), mark.text) for square in mark.squares)
    spans = "".join(
        f'<text x="{number(x * UNIT)}" y="{number(y * UNIT + 0.355 * size)}">{escape(text)}</text>'
        for (x, y), text in spots
    )
    font = f'font-family="{FONT}" font-size="{number(size)}" font-weight="bold" text-anchor="middle"'
    return f"<g {font} {fill}>{spans}</g>"


def _outside(scene: Scene, places: _Places, pen: Pen) -> str:
    parts = []
    for square in range(scene.squares, scene.squares + scene.outside):
        x, y = places(square)
        side = 0.9 * UNIT
        place = f'x="{number(x * UNIT - side / 2)}" y="{number(y * UNIT - side / 2)}"'
        size = f'width="{number(side)}" height="{number(side)}" rx="6" stroke-width="2" stroke-dasharray="5 4"'
        # An element has only one class, so the edge's colour belongs to a group.
        parts.append(f"<g {pen('stroke', 'frame')}><rect {place} {size} {pen('fill', 'light')}/></g>")
        name = "outside" if scene.outside == 1 else scene.name(square)
        font = f'font-family="{FONT}" font-size="{number(0.24 * UNIT)}" text-anchor="middle"'
        below = f'x="{number(x * UNIT)}" y="{number(y * UNIT + 0.69 * UNIT)}"'
        parts.append(f"<text {below} {font} {pen('fill', 'text')}>{name}</text>")
    return "".join(parts)


# ---------------------------------------------------------------- moves


def _edges(figure: Figure, places: _Places, pen: Pen) -> str:
    pairs = move_graph(figure.board).edges().tolist()
    lines = "".join(_straight(places(a), places(b)) for a, b in pairs)
    nodes = "".join(f"M{join_numbers([x * UNIT, y * UNIT])}h0" for x, y in map(places, range(figure.board.cols)))
    stroke = pen("stroke", "frame")
    return (
        f'<path d="{lines}" fill="none" {stroke} stroke-width="1.2"/>'
        f'<path d="{nodes}" {stroke} stroke-width="{number(0.2 * UNIT)}" stroke-linecap="round"/>'
    )


def _names_of_nodes(figure: Figure, places: _Places, pen: Pen) -> str:
    size = 0.26 * UNIT
    names = "".join(
        f'<text x="{number(x * UNIT + 0.4 * UNIT)}" y="{number(y * UNIT - 0.28 * UNIT)}">'
        f"{escape(figure.board.square_name((0, node)))}</text>"
        for node, (x, y) in enumerate(map(places, range(figure.board.cols)))
    )
    return f'<g font-family="{FONT}" font-size="{number(size)}" {pen("fill", "text")}>{names}</g>'


def _straight(one: Point, other: Point) -> str:
    x, y = one[0] * UNIT, one[1] * UNIT
    return f"M{join_numbers([x, y])}l{join_numbers([other[0] * UNIT - x, other[1] * UNIT - y])}"


def _moves(figure: Figure, line: Line, places: _Places, pen: Pen) -> str:
    row = STROKES[line.role]
    data = "".join(_move(figure, move, places) for move in line.moves)
    extra = f' stroke-dasharray="{row.dashes}"' if row.dashes else ""
    extra += f' stroke-opacity="{number(row.opacity)}"' if row.opacity < 1 else ""
    wide = f'stroke-width="{number(row.width * UNIT)}" stroke-linecap="butt"{extra}'
    return f'<path d="{data}" fill="none" {pen("stroke", row.colour, line.group)} {wide}/>'


def _move(figure: Figure, move: tuple[int, int], places: _Places) -> str:
    """Return the path data of a move, cut at joined borders."""
    a, b = move
    if figure.board.wrap is None or places.is_beyond(max(move)):
        return _straight(places(a), places(b))
    return strokes.straight(figure, _walk(figure, move))


def _walk(figure: Figure, move: tuple[int, int]) -> Walk:
    return Walk(np.array([divmod(square, figure.board.cols) for square in move], dtype=np.int64))


def _badges(line: Line, places: _Places, pen: Pen) -> str:
    size = 0.26 * UNIT
    x, y = places(line.moves[0][0])
    colour = STROKES[line.role].colour
    place = f'cx="{number(x * UNIT)}" cy="{number(y * UNIT)}" r="{number(0.21 * UNIT)}"'
    font = f'font-family="{FONT}" font-size="{number(size)}" text-anchor="middle"'
    at = f'x="{number(x * UNIT)}" y="{number(y * UNIT + 0.355 * size)}"'
    return f"<circle {place} {pen('fill', colour)}/><text {at} {font} {pen('fill', 'paper')}>{line.beat}</text>"


# ---------------------------------------------------------------- text below the board


def _inscription(scene: Scene, pen: Pen, left: float, top: float, width: float) -> tuple[str, float]:
    """Return the legend, the title and the sentence, and their height."""
    size = _TEXT * UNIT * max(1.0, width / (22 * UNIT))
    left, width = left + 0.25 * UNIT, width - 0.5 * UNIT
    y = top + 0.6 * size
    parts = []
    x = left
    for part in _legend_of(scene):
        room = 1.6 * size + width_of(part.label, size) * 1.06 + 1.2 * size
        if x > left and x + room > left + width + 1.2 * size:
            x, y = left, y + 1.5 * size
        parts.append(_symbol(part, pen, (x + 0.6 * size, y + 0.5 * size), size))
        parts.append(f'<text x="{number(x + 1.6 * size)}" y="{number(y + 0.86 * size)}">{escape(part.label)}</text>')
        x += room
    y += 3 * size if parts else 1.1 * size
    head = f'x="{number(left)}" y="{number(y)}" font-size="{number(1.2 * size)}" {pen("fill", "number")}'
    parts.append(f"<text {head}>{escape(scene.title)}</text>")
    for line in wrap_text(scene.sentence, size, width):
        y += 1.4 * size
        parts.append(f'<text x="{number(left)}" y="{number(y)}">{escape(line)}</text>')
    font = f'font-family="{FONT}" font-size="{number(size)}" {pen("fill", "text")}'
    return f"<g {font}>{''.join(parts)}</g>", y + 0.8 * size - top


def _legend_of(scene: Scene) -> list[Mark | Line]:
    """Return the first mark or line of each label."""
    found: dict[tuple[str, str], Mark | Line] = {}
    parts: list[Mark | Line] = [*scene.marks, *scene.lines]
    for part in parts:
        found.setdefault((part.role, part.label), part)
    return list(found.values())


def _symbol(part: Mark | Line, pen: Pen, at: Point, size: float) -> str:
    scale = 1.15 * size / UNIT
    if isinstance(part, Line):
        row = STROKES[part.role]
        dashes = f' stroke-dasharray="{row.dashes}"' if row.dashes else ""
        wide = f'stroke-width="{number(row.width * UNIT)}"{dashes}'
        inner = f'<path d="M-18 8L18-8" {pen("stroke", row.colour, part.group)} {wide}/>'
    else:
        inner = _shape(_shape_of(part), part, [(0.0, 0.0)], pen)
        if part.text:
            kind = _shape_of(part).kind
            fill = pen("fill", {"disc": "paper", "none": "number"}.get(kind, "start"))
            # A text without a shape may be larger.
            high = (0.6 if kind == "none" else _TEXT) * UNIT
            font = f'font-size="{number(high)}" font-weight="bold" text-anchor="middle"'
            inner += f'<text y="{number(0.355 * high)}" {font} {fill}>{escape(part.text)}</text>'
    x, y = at
    return f'<g transform="translate({join_numbers([x, y])}) scale({number(scale)})">{inner}</g>'


def wrap_text(text: str, size: float, width: float) -> list[str]:
    """Wrap a text to a maximum width.

    >>> wrap_text("one two three", 10, 45)
    ['one two', 'three']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) * 1.06 > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
