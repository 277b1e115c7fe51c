"""Tours and boards as SVG.

A picture is built from back to front: squares, highlights, the path, its marks, numbers, border and names. Lengths are
in units of strokes.py. Colours are attributes for the light theme. With theme="auto", a style sheet replaces them for
readers who prefer the dark theme. A move needs about 5 characters and a point 9.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from knightstour.core.drawing.figure import (
    Drawable,
    Figure,
    MarkedBoard,
    TourSquares,
    Walk,
    board_of,
    figure_of,
    labels_of,
)
from knightstour.core.drawing.look import Look, look_of
from knightstour.core.drawing.svg import strokes
from knightstour.core.drawing.svg.cells import cells_picture, check_look
from knightstour.core.drawing.svg.inscriptions import border, fade_edges, legend, outline, texts, walls
from knightstour.core.drawing.svg.pen import Pen, escape
from knightstour.core.drawing.svg.scene import scene_picture
from knightstour.core.drawing.svg.squares import ground, highlights
from knightstour.core.drawing.svg.strokes import UNIT, number
from knightstour.core.drawing.themes import ramp
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import CellBoard, GraphBoard

# Default longer side of a picture in pixels, and the largest and smallest side of its squares.
_MM_PER_PIXEL, _ANY_MM = 25.4 / 96, 10.0
_USUAL_SIZE, _LARGEST_SQUARE, _SMALLEST_SQUARE = 800, 60, 8
# Boards with more squares have no dots.
_MAX_DOTS = 3600
# Colours of a line by steps: the part of the ramp visible on light and dark paper.
_STEP_COLOURS, _STEP_DARKEST, _STEP_LIGHTEST = 64, 10, 54
# Limit on the squares of automatic pictures in notebooks.
_MAX_UNASKED = 10_000
# Size of a small picture in pixels, and the part of a larger board that it shows.
_SMALL_SIZE, _CORNER = 260, 24
# Limit on the squares of an SVG that programs can open.
MAX_SQUARES = 1_000_000

Box = tuple[float, float, float, float]


def for_notebook(subject: TourSquares | Board | MarkedBoard) -> str | None:
    """Return the picture of a tour or board for a notebook, or None for graphs and large boards."""
    board = subject if isinstance(subject, Board) else subject.board
    if (type(board) is GraphBoard) or board.rows * board.cols > _MAX_UNASKED:
        return None
    return svg_of(figure_of(subject), look_of(labels_of(subject)))


def small_for_notebook(subject: Drawable) -> str | None:
    """Return a small picture for a table: a corner of a large board, or None for graphs."""
    board = board_of(subject)
    if type(board) is GraphBoard:
        return None
    if isinstance(board, CellBoard):
        return None if board.cols > _MAX_UNASKED else svg_of(figure_of(subject), look_of({"size": _SMALL_SIZE}))
    corner = _CORNER if max(board.rows, board.cols) > _CORNER else None
    window = None if corner is None else (0, 0, min(corner, board.rows), min(corner, board.cols))
    return svg_of(figure_of(subject, window=window), look_of({**labels_of(subject), "size": _SMALL_SIZE}))


def svg_of(figure: Figure, look: Look) -> str:
    if figure.rows * figure.cols > MAX_SQUARES:
        raise FormatError(
            f"{figure.rows} x {figure.cols} squares are too many for an SVG picture",
            note=f"at most {MAX_SQUARES:,}",
            help="use PNG, or draw a part of it",
        )
    if isinstance(figure.board, CellBoard) and figure.scene is None:
        check_look(figure.board, look)
    if look.row.sheet is not None and figure.scene is None:
        return look.row.sheet([figure], look)
    look = with_square_size(figure, look)
    pen = Pen(look)
    content, box = picture(figure, look, pen)
    return document(content, box, look, pen, look.title or figure.title, figure.description)


def with_square_size(figure: Figure, look: Look) -> Look:
    """Return the look with the side of a square in millimetres, if required by its line."""
    if look.line_mm is None or look.square_mm is not None or look.row.sheet is not None:
        return look
    box = picture(figure, look.on_squares_of(max(_ANY_MM, look.line_mm)), Pen(look))[1]
    return look.on_squares_of(square_mm_of(box, look))


def square_mm_of(box: Box, look: Look) -> float:
    """Return the side of a square in millimetres, for a drawing with this box."""
    return _scale_of(box, look) * UNIT * _MM_PER_PIXEL


def _scale_of(box: Box, look: Look) -> float:
    longer = max(box[2:])
    count = longer / UNIT
    return (look.size or max(min(_USUAL_SIZE, _LARGEST_SQUARE * count), _SMALLEST_SQUARE * count)) / longer


def document(content: str, box: Box, look: Look, pen: Pen, title: str, description: str) -> str:
    """Return the SVG text of a drawing with a bounding box (x, y, width, height)."""
    x, y, width, height = box
    scale = _scale_of(box, look)
    back = ""
    if look.background is not None:
        fill = pen("fill", "paper") if look.background == "paper" else f'fill="{look.background}"'
        back = f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" {fill}/>'
    scope, style = pen.style_sheet()
    name = f' class="{scope}"' if scope else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{name} role="img" width="{number(width * scale)}" '
        f'height="{number(height * scale)}" viewBox="{number(x)} {number(y)} {number(width)} {number(height)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{style}{back}{content}</svg>"
    )


# ---------------------------------------------------------------- the parts of a picture


def picture(figure: Figure, look: Look, pen: Pen) -> tuple[str, Box]:
    """Return the drawing and its bounding box."""
    if figure.scene is not None:
        return scene_picture(figure, look, pen)
    if isinstance(figure.board, CellBoard):
        return cells_picture(figure, look, pen)
    content = _inside(figure, look, pen)
    if figure.is_window:
        content = fade_edges(content, figure)
    frame, margin = border(figure, look, pen)
    top, right, bottom, left = margin
    below, room = legend(figure, pen, bottom) if look.row.squares == "heat" else ("", 0.0)
    box = (-left, -top, figure.cols * UNIT + left + right, figure.rows * UNIT + top + bottom + room)
    return content + frame + below, box


def part_of(figure: Figure, look: Look, pen: Pen, box: Box, pixels: tuple[int, int]) -> str:
    """Return the part of a picture within a box as an SVG of this size, without names and legend."""
    content = _inside(figure, look, pen) + border(figure, look.with_options(coordinates=False), pen)[0]
    place = " ".join(f"{value:.9g}" for value in box)
    size = f'width="{pixels[0]}" height="{pixels[1]}" viewBox="{place}" preserveAspectRatio="none"'
    back = ""
    if look.background is not None:
        x, y, width, height = box
        fill = pen("fill", "paper") if look.background == "paper" else f'fill="{look.background}"'
        back = f'<rect x="{x - 1:g}" y="{y - 1:g}" width="{width + 2:g}" height="{height + 2:g}" {fill}/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{back}{content}</svg>'


def _inside(figure: Figure, look: Look, pen: Pen) -> str:
    parts = [ground(figure, look, pen), highlights(figure, look, pen), outline(figure, look, pen)]
    parts.append(_path(figure, look, pen))
    if look.row.dots and figure.walks and figure.rows * figure.cols <= _MAX_DOTS and not look.every():
        parts.append(_dots(figure, look, pen))
    if look.marks_ends(figure) and not look.every():
        parts.append(_marks(figure, pen))
    if figure.walls is not None:
        parts.append(walls(figure, look, pen))
    parts.append(texts(figure, look, pen))
    return "".join(parts)


# ---------------------------------------------------------------- the path


def _path(figure: Figure, look: Look, pen: Pen) -> str:
    if not figure.walks:
        return ""
    style = look.row
    trace: Callable[..., str] = strokes.smooth if look.is_smooth else strokes.straight
    if style.squares == "heat" and look.every():
        return ""
    if style.path is not None:
        return style.path(figure, look, pen)
    if style.is_mosaic:
        return _mosaic(figure, look, pen, trace)
    width = look.pen_width * UNIT
    # A round end would extend over a joined border.
    cap = "butt" if figure.board.wrap else "round"
    common = f'stroke-linejoin="round" stroke-linecap="{cap}" stroke-width="{number(width)}"'
    if style.opacity < 1:
        common += f' stroke-opacity="{number(style.opacity)}"'
    parts = []
    role = "path" if figure.is_tour else "loops"
    for loop, walks in figure.by_tone(len(pen.theme.loops)).items():
        data = "".join(trace(figure, walk) for walk in walks)
        if style.squares == "heat":
            wider = common.replace(f'stroke-width="{number(width)}"', f'stroke-width="{number(2.4 * width)}"')
            parts.append(f'<path d="{data}" fill="none" stroke="#000" stroke-opacity=".45" {wider}/>')
            parts.append(f'<path d="{data}" fill="none" stroke="#fff" {common}/>')
        elif style.by_step and figure.is_tour:
            parts += [_line_by_step(figure, walk, common) for walk in walks]
        else:
            if style.is_filled:
                parts.append(f'<path d="{data}" fill-rule="evenodd" fill-opacity=".16" {pen("fill", role, loop)}/>')
            parts.append(f'<path d="{data}" fill="none" {pen("stroke", role, loop)} {common}/>')
        if look.arrows:
            heads = "".join(strokes.arrows(figure, walk) for walk in walks)
            parts.append(f'<path d="{heads}" {pen("fill", role, loop)}/>')
    return "".join(parts)


def _mosaic(figure: Figure, look: Look, pen: Pen, trace: Callable[..., str]) -> str:
    """Return the regions between the walks; dark ones are enclosed by an odd number of lines."""
    if figure.board.wrap is not None or figure.is_window:
        where = "of a window" if figure.is_window else "over joined borders"
        raise FormatError(
            f"the style mosaic does not support a line {where}",
            help="draw the whole board" if figure.is_window else "use another style",
        )
    data = "".join(trace(figure, walk) for walk in figure.walks)
    line = f'stroke-linejoin="round" stroke-width="{number(look.pen_width * UNIT)}"'
    return (
        f'<path d="{data}" fill-rule="evenodd" {pen("fill", "path")}/>'
        f'<path d="{data}" fill="none" {pen("stroke", "path")} {line}/>'
    )


def _line_by_step(figure: Figure, walk: Walk, common: str) -> str:
    last = max(1, (figure.span or figure.length) - 1)
    colours = ramp(_STEP_COLOURS)[_STEP_DARKEST:_STEP_LIGHTEST]
    moves = len(walk) - 1
    shades = [min(len(colours) - 1, (walk.first + k) * len(colours) // last) for k in range(max(1, moves))]
    # The pieces do not depend on the length of the line, so that a growing line keeps its colours.
    borders = [k for k in range(len(shades)) if k == 0 or shades[k] != shades[k - 1]] + [moves]
    pieces = [(shades[begin], walk.squares[begin : end + 1]) for begin, end in itertools.pairwise(borders)]
    if walk.is_closed:
        pieces.append((len(colours) - 1, walk.squares[[-1, 0]]))
    return "".join(
        f'<path d="{strokes.straight(figure, Walk(squares))}" fill="none" stroke="{colours[shade]}" {common}/>'
        for shade, squares in pieces
    )


def _dots(figure: Figure, look: Look, pen: Pen) -> str:
    role = "path" if figure.is_tour else "loops"
    line = f'stroke-width="{number(2.1 * look.pen_width * UNIT)}" stroke-linecap="round"'
    return "".join(
        f'<path d="{strokes.dots(walk.squares[figure.inside(walk)])}" {pen("stroke", role, walk.tone)} {line}/>'
        for walk in figure.walks
    )


def _marks(figure: Figure, pen: Pen) -> str:
    start, end = figure.ends()
    parts = []
    # Marks grow on large boards, to be visible.
    radius = max(0.2, max(figure.rows, figure.cols) / 250) * UNIT
    for square, is_start in ((start, True), (None if figure.is_loop or start == end else end, False)):
        if square is None:
            continue
        place = strokes.centre_of(square)
        if is_start:
            parts.append(f'<circle {place} r="{number(radius)}" {pen("fill", "start")}/>')
        else:
            ring = f'{pen("stroke", "end")} stroke-width="{number(0.45 * radius)}"'
            parts.append(f'<g {ring}><circle {place} r="{number(radius * 0.82)}" {pen("fill", "paper")}/></g>')
    return "".join(parts)
