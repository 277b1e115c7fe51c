"""Texts and borders of an SVG picture: numbers and labels, border, names, captions, the legend.

Numbers over a path are on discs. Large boards have every 5th or 10th name. Below a window of a giant board, a caption
states the rows and columns.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np

from knightstour.core.drawing.figure import Figure
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg import strokes
from knightstour.core.drawing.svg.pen import FONT, Pen, escape
from knightstour.core.drawing.svg.squares import is_dark
from knightstour.core.drawing.svg.strokes import UNIT, centre_of, number
from knightstour.core.drawing.themes import ink_on, ramp
from knightstour.core.model.names import square_name

# Longest name of a row; longer names are in the caption.
_LONGEST_NAME = 5
# Width of the background of a number over lines, in squares.
_GROUND = 0.56
# Width of the fading margin of a window, in squares.
_FADE = 1.0


def texts(figure: Figure, look: Look, pen: Pen) -> str:
    """Return the numbers or labels on squares, over a path on discs."""
    labels = {
        (row - figure.top, col - figure.left): text for (row, col), text in look.label_texts(figure.board).items()
    }
    every = look.every()
    if every:
        labels = {**numbers_of(figure, every), **labels}
    if not labels:
        return ""
    longest = max(1, *map(len, labels.values()))
    is_heat = look.row.squares == "heat"
    has_discs = bool(figure.walks) and not look.row.numbers and not is_heat
    size = UNIT * (min(0.34, 0.95 / longest) if has_discs else min(0.42, 1.5 / longest))
    squares = sorted(labels)
    discs = ""
    if has_discs:
        data = strokes.dots(np.array(squares, dtype=np.int64).reshape(-1, 2))
        wide = f'd="{data}" stroke-linecap="round"'
        discs = (
            f'<path {wide} stroke-width="{number(0.66 * UNIT)}" {pen("stroke", "path")}/>'
            f'<path {wide} stroke-width="{number(0.58 * UNIT)}" {pen("stroke", "light")}/>'
        )
        if every and look.marks_ends(figure):
            discs += _disc_marks(figure, pen)
    shades: dict[str, list[tuple[int, int]]] = {}
    heat = figure.heat() if is_heat else {}
    if figure.walks and not has_discs and not (is_heat and every):
        discs = _grounds(figure, look, pen, squares, heat)
    for square in squares:
        ground = ramp()[round(heat[square] * (len(ramp()) - 1))] if square in heat else ""
        shades.setdefault(ink_on(ground) if ground else "", []).append(square)
    font = f'font-family="{FONT}" font-size="{number(size)}" text-anchor="middle"'
    parts = []
    for ink, group in shades.items():
        fill = f'fill="{ink}"' if ink else pen("fill", "number")
        rows: dict[int, list[tuple[int, int]]] = {}
        for square in group:
            rows.setdefault(square[0], []).append(square)
        lines = []
        for row, line in rows.items():
            spans = "".join(f'<tspan x="{c * UNIT + UNIT // 2}">{escape(labels[r, c])}</tspan>' for r, c in line)
            lines.append(f'<text y="{number((row + 0.5) * UNIT + 0.355 * size)}">{spans}</text>')
        parts.append(f"<g {font} {fill}>{''.join(lines)}</g>")
    return discs + "".join(parts)


def walls(figure: Figure, look: Look, pen: Pen) -> str:
    """Return the walls of a Zip, and a ring for each label. Walls at a corner are short lines across it."""
    thick = f'fill="none" stroke-linecap="round" stroke-width="{number(0.12 * UNIT)}"'
    lines = []
    half = UNIT // 5
    for (row, col), (below, other) in figure.walls or ():
        y, x = row - figure.top, col - figure.left
        if below > row and other != col:
            u, side = (x + (other > col)) * UNIT, half if other > col else -half
            lines.append(f"M{u - side} {(y + 1) * UNIT + half}l{2 * side} {-2 * half}")
        elif other > col:
            lines.append(f"M{(x + 1) * UNIT} {y * UNIT}v{UNIT}")
        else:
            lines.append(f"M{x * UNIT} {(y + 1) * UNIT}h{UNIT}")
    rings = "".join(
        f'<circle {centre_of((row - figure.top, col - figure.left))} r="{number(0.36 * UNIT)}"/>'
        for row, col in sorted(look.label_texts(figure.board))
    )
    circles = f'<g {pen.both("light", "number")} stroke-width="{number(0.05 * UNIT)}">{rings}</g>'
    return circles + f'<path d="{"".join(lines)}" {thick} {pen("stroke", "number")}/>'


def _grounds(
    figure: Figure, look: Look, pen: Pen, squares: list[tuple[int, int]], heat: dict[tuple[int, int], float]
) -> str:
    """Return discs under the numbers, so that lines do not cross them."""
    pointed = {(row - figure.top, col - figure.left) for row, col in look.highlight_colours(figure.board)}
    groups: dict[str, list[tuple[int, int]]] = {}
    for row, col in squares:
        if (row, col) in pointed:
            continue
        if (row, col) in heat:
            paint = f'stroke="{ramp()[round(heat[row, col] * (len(ramp()) - 1))]}"'
        else:
            paint = pen("stroke", "dark" if is_dark(figure, row, col) else "light")
        groups.setdefault(paint, []).append((row, col))
    width = f'stroke-linecap="round" stroke-width="{number(_GROUND * UNIT)}"'
    return "".join(
        f'<path d="{strokes.dots(np.array(group, dtype=np.int64))}" {width} {paint}/>'
        for paint, group in groups.items()
    )


def _disc_marks(figure: Figure, pen: Pen) -> str:
    start, end = figure.ends()
    ends = {square for square in (start, None if figure.is_loop else end) if square is not None}
    rims = sorted(f'<circle {centre_of(square)} r="{number(0.32 * UNIT)}"/>' for square in ends)
    return f'<g fill="none" {pen("stroke", "start")} stroke-width="{number(0.08 * UNIT)}">{"".join(rims)}</g>'


def numbers_of(figure: Figure, every: int) -> dict[tuple[int, int], str]:
    """Return the numbers on squares: steps, or on an empty board numbers of moves."""
    if not figure.walks:
        degrees = figure.degrees()
        return {(r, c): str(degrees[r, c]) for r, c in np.argwhere(degrees >= 0).tolist()}
    squares, steps = figure.steps()
    return {
        (r, c): _shorten(str(step + 1))
        for (r, c), step in zip(squares.tolist(), steps, strict=True)
        if (step + 1) % every == 0 or step in (0, figure.length - 1)
    }


def _shorten(text: str) -> str:
    """Return the last digits of a giant number; neighbours differ only there."""
    return text if len(text) <= 6 else "…" + text[-4:]


# ---------------------------------------------------------------- border, names, fading


def border(figure: Figure, look: Look, pen: Pen) -> tuple[str, tuple[float, float, float, float]]:
    """Return the frame with the names, and its widths at the top, right, bottom and left."""
    width, height = figure.cols * UNIT, figure.rows * UNIT
    frame, names = "", ""
    if not figure.is_window and (look.has_frame or figure.board.wrap is not None):
        frame = _frame(figure, pen, width, height)
    pad = UNIT * (_FADE if figure.is_window else 0.25 if figure.board.wrap is None else 0.4)
    before = below = over = 0.0
    if look.has_names(figure):
        names, before, below, over = _names(figure, pen, width, height, pad)
    return frame + names, (pad + over, pad + over, pad + below, pad + before)


def _frame(figure: Figure, pen: Pen, width: int, height: int) -> str:
    """Return the border. Joined sides are dashed, with arrow heads for their orientation."""
    stroke = f'fill="none" {pen("stroke", "frame")} stroke-width="2"'
    wrap = figure.board.wrap
    if wrap is None:
        if figure.holes:
            return ""  # the outline is below the path
        return f'<rect width="{width}" height="{height}" {stroke} rx="1"/>'
    sides = f"M0 0v{height}M{width} 0v{height}"
    ends = f"M0 0h{width}M0 {height}h{width}"
    dashes = 'stroke-dasharray="5 4"'
    tips = ((0, -7), (width, 7 if wrap in ("mobius", "klein") else -7))
    heads = [f"M{x - 5} {number(height / 2 - tip / 2)}l5 {tip} 5 {-tip}z" for x, tip in tips]
    if wrap in ("torus", "klein"):
        heads += [f"M{number(width / 2 - 7 + gap)} {y - 5}l7 5-7 5z" for y in (0, height) for gap in (0, 6)]
        border = f'<path d="{sides}{ends}" {stroke} {dashes}/>'
    else:
        border = f'<path d="{sides}" {stroke} {dashes}/><path d="{ends}" {stroke}/>'
    return border + f'<path d="{"".join(heads)}" {pen("fill", "text")}/>'


def outline(figure: Figure, look: Look, pen: Pen) -> str:
    """Return the border of a board with holes."""
    if figure.is_window or figure.board.wrap is not None or not look.has_frame or not figure.holes:
        return ""
    data = []
    for (x, y), (right, bottom) in outline_lines(figure.rows, figure.cols, figure.holes):
        draw = f"h{(right - x) * UNIT}" if right > x else f"v{(bottom - y) * UNIT}"
        data.append(f"M{x * UNIT} {y * UNIT}{draw}")
    line = f'fill="none" {pen("stroke", "frame")} stroke-width="2" stroke-linecap="square"'
    return f'<path d="{"".join(data)}" {line}/>'


def outline_lines(
    rows: int, cols: int, holes: Iterable[tuple[int, int]]
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the lines between squares and holes or the outside: pairs of points (x, y), in squares.

    >>> outline_lines(1, 2, [(0, 1)])
    [((0, 0), (1, 0)), ((0, 1), (1, 1)), ((0, 0), (0, 1)), ((1, 0), (1, 1))]
    """
    squares = np.pad(np.ones((rows, cols), dtype=np.int8), 1)
    for row, col in holes:
        squares[row + 1, col + 1] = 0
    found = []
    for sides, is_across in ((np.diff(squares, axis=0)[:, 1:-1], True), (np.diff(squares, axis=1)[1:-1].T, False)):
        # Consecutive lines of one direction are joined.
        for place, line in enumerate(sides):
            ends = np.flatnonzero(np.diff(np.pad((line != 0).astype(np.int8), 1)))
            for begin, end in ends.reshape(-1, 2).tolist():
                points = ((begin, place), (end, place)) if is_across else ((place, begin), (place, end))
                found.append(points)
    return found


def _names(figure: Figure, pen: Pen, width: int, height: int, pad: float) -> tuple[str, float, float, float]:
    """Return the names, and their sizes left, below and above."""
    longer = max(figure.rows, figure.cols)
    every = 1 if longer <= 30 else 5 if longer <= 60 else 10
    # Names grow on large boards, to be readable when the picture is scaled down.
    size = UNIT * 0.32 * max(1.0, longer / 15)
    rows = [r for r in range(figure.rows) if (figure.board.rows - figure.top - r) % every == 0 or every == 1]
    cols = [c for c in range(figure.cols) if (c + figure.left + 1) % every == 0 or every == 1]
    row_names = {r: square_name((r + figure.top, 0), figure.board.rows)[1:] for r in rows}
    col_names = {c: square_name((0, c + figure.left), 1)[:-1] for c in cols}
    longest = max([len(x) for x in (*row_names.values(), *col_names.values())], default=1)
    if longest > _LONGEST_NAME:
        caption, below = _caption(figure, pen, width, height + pad)
        return caption, 0.0, below, 0.0
    room = max(size * (0.75 + 0.55 * longest), 0.45 * UNIT)
    gap = pad * 0.45
    down = [
        f'<text x="{number(-gap - 0.3 * size)}" y="{number((row + 0.5) * UNIT + 0.355 * size)}">{name}</text>'
        for row, name in row_names.items()
    ]
    across = [
        f'<text x="{number((col + 0.5) * UNIT)}" y="{number(height + gap + 1.05 * size)}">{name}</text>'
        for col, name in col_names.items()
    ]
    font = f'font-family="{FONT}" font-size="{number(size)}" {pen("fill", "text")}'
    return (
        f'<g {font}><g text-anchor="end">{"".join(down)}</g><g text-anchor="middle">{"".join(across)}</g></g>',
        room,
        room,
        max(0.0, 0.3 * size * longest - pad - UNIT / 2),
    )


def _caption(figure: Figure, pen: Pen, width: float, top: float) -> tuple[str, float]:
    """Return the position of the window as text, and its height."""
    lines = [
        f"{what} {_group_digits(first)} to {_group_digits(first + count - 1)} of {_group_digits(whole)}"
        for what, first, count, whole in (
            ("rows", figure.top, figure.rows, figure.board.rows),
            ("columns", figure.left, figure.cols, figure.board.cols),
        )
    ]
    size = min(0.4 * UNIT, 1.7 * width / max(map(len, lines)))
    texts = "".join(
        f'<text x="{number(width / 2)}" y="{number(top + 1.3 * size * (k + 0.8))}">{line}</text>'
        for k, line in enumerate(lines)
    )
    font = f'font-family="{FONT}" font-size="{number(size)}" text-anchor="middle" {pen("fill", "text")}'
    return f"<g {font}>{texts}</g>", 3 * size


def _group_digits(number: int) -> str:
    text = f"{number:,}"
    return text if len(text) <= 26 else f"{text[:7]} … {text[-7:]}"


def legend(figure: Figure, pen: Pen, below: float) -> tuple[str, float]:
    """Return the legend of a heat map, and its height."""
    scale = max(1.0, max(figure.rows, figure.cols) / 15)
    width = min(figure.cols * UNIT, 320 * scale)
    top = figure.rows * UNIT + below + 4 * scale
    colours = ramp(16)
    step = width / len(colours)
    bars = "".join(
        f'<rect x="{number(k * step)}" y="{number(top)}" width="{number(step + 0.6 * scale)}" '
        f'height="{number(8 * scale)}" fill="{colour}"/>'
        for k, colour in enumerate(colours)
    )
    low, high = ("1", figure.span or figure.length) if figure.walks else ("0 moves", max(1, figure.degrees().max()))
    font = f'font-family="{FONT}" font-size="{number(12 * scale)}" {pen("fill", "text")}'
    y = number(top + 22 * scale)
    text = (
        f'<g>{bars}</g><g {font}><text y="{y}">{low}</text>'
        f'<text x="{number(width)}" y="{y}" text-anchor="end">{high}</text></g>'
    )
    return text, 34 * scale


def fade_edges(content: str, figure: Figure) -> str:
    """Return the drawing, faded out at sides where the board continues, and cut at other sides."""
    key = f"{zlib.crc32(content.encode()):08x}"
    top, right, bottom, left = (_FADE * UNIT * is_open for is_open in figure.open_sides)
    width, height = figure.cols * UNIT, figure.rows * UNIT
    box = (
        f'x="{number(-left)}" y="{number(-top)}" width="{number(width + left + right)}" '
        f'height="{number(height + top + bottom)}"'
    )

    def ramp_of(name: str, direction: str, low: float, size: float, high: float) -> str:
        whole = low + size + high
        stops = [(0, 0 if low else 1), (low / whole, 1), (1 - high / whole, 1), (1, 0 if high else 1)]
        marks = "".join(f'<stop offset="{number(at)}" stop-color="#fff" stop-opacity="{seen}"/>' for at, seen in stops)
        return f'<linearGradient id="{name}{key}" {direction}>{marks}</linearGradient>'

    gradients = ramp_of("x", 'x2="1"', left, width, right) + ramp_of("y", 'x2="0" y2="1"', top, height, bottom)
    masks = "".join(
        f'<mask id="m{name}{key}" maskUnits="userSpaceOnUse" {box}><rect {box} fill="url(#{name}{key})"/></mask>'
        for name in "xy"
    )
    return f'<defs>{gradients}{masks}</defs><g mask="url(#mx{key})"><g mask="url(#my{key})">{content}</g></g>'
