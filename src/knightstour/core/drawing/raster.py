"""Boards of millions of squares as PNG, point by point.

All moves of one direction look alike, so each of four directions is drawn once, as a small stencil with soft edges.
Each point of the stencil is drawn for all moves of the direction simultaneously. Moves over a joined border are drawn
separately.

The picture has a palette of shades from ground to path for each kind of ground, loop of a cover, or colour of the heat
map. Cost: 1000x1000 squares at 3 points each need about a second and 100 MB.
"""

from __future__ import annotations

import io
from collections.abc import Iterable

import numpy as np

from knightstour.core.drawing.figure import Figure, Point, Walk
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.themes import ramp, rgb_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.grid_board import GridBoard

_MM_PER_PIXEL = 25.4 / 96

MAX_SIDE = 20_000
_MAX_POINTS = 100_000_000
_USUAL_SIDE = 3000
# Minimum side of a square in points for a path and for chess squares.
_FEWEST_FOR_PATH, _FEWEST_FOR_CHESS = 2, 6
_PAPER, _MARK = 254, 255
_HEATS, _LOOPS = 63, 8


def draw(figure: Figure, look: Look) -> bytes:
    """Return the PNG of a large figure. Raises FormatError for unsupported options."""
    _refuse(figure, look)
    is_heat = look.row.squares == "heat"
    side = _points_a_square(figure, look, is_heat)
    if look.line_mm is not None:
        look = look.on_squares_of(max(look.line_mm, side * _MM_PER_PIXEL))
    shades, grounds = _shades(figure, look, side, is_heat)
    colours = np.zeros((256, 3))
    levels = 252 // len(shades)
    share = np.linspace(0, 1, levels)[:, None]
    for k, (ground, ink) in enumerate(np.array([[rgb_of(colour) for colour in pair] for pair in shades])):
        colours[k * levels : (k + 1) * levels] = np.rint(ground * (1 - share) + ink * share)
    colours[_PAPER], colours[_MARK] = rgb_of(look.palette.paper), rgb_of(look.palette.start)
    index = np.repeat(np.repeat(grounds, side, axis=0), side, axis=1)
    is_paper = index == _PAPER
    if side >= _FEWEST_FOR_PATH and not (is_heat and side < _FEWEST_FOR_CHESS):
        has_one_colour = figure.is_tour or is_heat
        for loop, walks in figure.by_tone(1 if has_one_colour else _LOOPS).items():
            ink = _coverage(figure, walks, side, look)
            level = (ink.astype(np.uint16) * (levels - 1) // 255).astype(np.uint8)
            if has_one_colour:
                index += np.where(is_paper, 0, level).astype(np.uint8)
            else:
                np.copyto(index, level + np.uint8(loop * levels), where=(level > 0) & ~is_paper)
    if look.marks_ends(figure):
        _mark(index, figure, side)
    return _encode_png(index, colours, max(4, side))


def _refuse(figure: Figure, look: Look) -> None:
    wanted = [name for name in ("numbers", "labels", "arrows", "highlight") if getattr(look, name)]
    wanted += [] if look.background in (None, "paper") else ["a background"]
    wanted += ["smooth lines"] if look.is_smooth else []
    if not look.row.at_any_size:
        wanted.insert(0, f"style {look.style!r}")
    if wanted:
        styles = ", ".join(name for name, row in STYLES.items() if row.at_any_size)
        raise FormatError(
            f"a board of {figure.rows} x {figure.cols} squares is too large for {wanted[0]}",
            help=f"use the style {styles}, or draw a window of it",
        )


def _points_a_square(figure: Figure, look: Look, is_heat: bool) -> int:
    longer = max(figure.rows, figure.cols)
    fewest = 1 if is_heat else _FEWEST_FOR_PATH
    side = max(fewest, int(look.size if look.size is not None else _USUAL_SIDE) // longer)
    if look.size is None:
        side = max(fewest, min(side, 8))
        while side > fewest and side * side * figure.rows * figure.cols > _MAX_POINTS:
            side -= 1
    if side * longer > MAX_SIDE or side * side * figure.rows * figure.cols > _MAX_POINTS:
        raise FormatError(
            f"a picture of {side * figure.cols:,} x {side * figure.rows:,} pixels is too large",
            note=f"at most {MAX_SIDE:,} a side and {_MAX_POINTS:,} together",
            help="use style 'heat', which needs one pixel a square, a smaller size, or a window",
        )
    return side


def _shades(figure: Figure, look: Look, side: int, is_heat: bool) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Return (ground, ink) of each kind of square or loop, and the palette entry of each square, uint8 (rows, cols)."""
    theme = look.palette
    if is_heat:
        return [(heat, "#ffffff") for heat in ramp(_HEATS)], _heat_grounds(figure)
    grounds = np.zeros((figure.rows, figure.cols), dtype=np.uint8)
    ground = theme.paper if not look.row.squares else theme.light
    if not figure.is_tour and figure.walks:
        shades = [(ground, theme.loops[k % len(theme.loops)]) for k in range(_LOOPS)]
    elif look.row.squares and side >= _FEWEST_FOR_CHESS:
        from_bottom = figure.board.rows - 1 - figure.top - np.arange(figure.rows)
        is_dark = (from_bottom[:, None] + np.arange(figure.left, figure.left + figure.cols)) % 2 == 0
        shades = [(theme.light, theme.path), (theme.dark, theme.path)]
        grounds = np.where(is_dark, 126, 0).astype(np.uint8)
    else:
        shades = [(ground, theme.path)]
    for hole in figure.holes:
        grounds[hole] = _PAPER
    return shades, grounds


def _heat_grounds(figure: Figure) -> np.ndarray:
    grounds = np.full((figure.rows, figure.cols), _PAPER, dtype=np.uint8)
    if figure.walks:
        squares, steps = figure.steps()
        last = max(1, (figure.span or figure.length) - 1)
        share = np.array(steps, dtype=np.int64) / last if last < 2**62 else np.array([step / last for step in steps])
    else:
        degrees = figure.degrees()
        squares = np.argwhere(degrees >= 0)
        share = degrees[degrees >= 0] / max(1, int(degrees.max()))
    grounds[squares[:, 0], squares[:, 1]] = 4 * np.rint(share * (_HEATS - 1)).astype(np.uint8)
    return grounds


# ---------------------------------------------------------------- the path


def _coverage(figure: Figure, walks: Iterable[Walk], side: int, look: Look) -> np.ndarray:
    """Return the coverage of each point by moves, 0 to 255: uint8 (rows x side, cols x side)."""
    # Moves may begin and end outside the window, so the canvas has margins of two leaps.
    assert isinstance(figure.board, GridBoard)
    reach = min(max(figure.board.piece.reach, 1), max(figure.board.rows, figure.board.cols))
    room = 2 * reach + 1
    canvas = np.zeros(((figure.rows + 2 * room) * side, (figure.cols + 2 * room) * side), dtype=np.uint8)
    width = max(1.0, look.pen_width * side * 1.5)
    shape = (figure.rows + 2 * reach, figure.cols + 2 * reach)
    pictures: dict[tuple[int, int], np.ndarray] = {}
    for walk in walks:
        leaving, _, stays = figure.moves(walk)
        begins = walk.squares[: len(leaving)]
        for begin, leap in zip(begins[~stays].tolist(), leaving[~stays].tolist(), strict=True):
            _draw_over_border(canvas, figure, begin, leap, side, room, width)
        begins, leaving = begins[stays], leaving[stays]
        ends = begins + leaving
        is_down = (leaving[:, 0] > 0) | ((leaving[:, 0] == 0) & (leaving[:, 1] > 0))
        upper = np.where(is_down[:, None], begins, ends) + reach
        down = np.where(is_down[:, None], leaving, -leaving)
        # Moves from farther squares do not reach the window.
        is_near = np.all((upper >= 0) & (upper < shape), axis=1)
        upper, down = upper[is_near], down[is_near]
        span = 2 * figure.board.piece.reach + 1
        for key in np.unique(down[:, 0] * span + down[:, 1]).tolist():
            dr, dc = (key + span // 2) // span, (key + span // 2) % span - span // 2
            chosen = upper[(down[:, 0] == dr) & (down[:, 1] == dc)]
            picture = pictures.setdefault((dr, dc), np.zeros(shape, dtype=np.uint8))
            picture[chosen[:, 0], chosen[:, 1]] = 1
    for (dr, dc), picture in pictures.items():
        for y, x, share in _stencil(dr, dc, side, width):
            top, left = (room - reach) * side + y, (room - reach) * side + x
            place = canvas[top : top + shape[0] * side : side, left : left + shape[1] * side : side]
            np.maximum(place, picture * np.uint8(share), out=place)
    return canvas[room * side : (room + figure.rows) * side, room * side : (room + figure.cols) * side]


def _stencil(dr: int, dc: int, side: int, width: float) -> list[tuple[int, int, int]]:
    """Return (y, x, coverage) of the points of a move, relative to its first square."""
    rows = np.arange(-side, (dr + 2) * side)
    cols = np.arange(min(0, dc) * side - side, (max(0, dc) + 2) * side)
    share = _shares(rows, cols, (side / 2, side / 2), ((dc + 0.5) * side, (dr + 0.5) * side), width)
    found = np.argwhere(share > 0)
    return [(int(rows[i]), int(cols[j]), int(share[i, j])) for i, j in found]


def _shares(rows: np.ndarray, cols: np.ndarray, begin: Point, end: Point, width: float) -> np.ndarray:
    """Return the coverage of each point by a line, 0 to 255."""
    x, y = cols[None, :] + 0.5 - begin[0], rows[:, None] + 0.5 - begin[1]
    dx, dy = end[0] - begin[0], end[1] - begin[1]
    along = np.clip((x * dx + y * dy) / max(dx * dx + dy * dy, 1e-12), 0, 1)
    far = np.hypot(x - along * dx, y - along * dy)
    return np.rint(255 * np.clip(width / 2 + 0.5 - far, 0, 1)).astype(np.int64)


def _draw_over_border(
    canvas: np.ndarray, figure: Figure, begin: list[int], leap: list[int], side: int, room: int, width: float
) -> None:
    x, y = begin[1] + 0.5, begin[0] + 0.5
    for part in figure.split_line([(x, y), (x + leap[1], y + leap[0])]):
        (x0, y0), (x1, y1) = ((px + room, py + room) for px, py in (part[0], part[-1]))
        rows = np.arange(int(min(y0, y1) * side) - 2, int(max(y0, y1) * side) + 3)
        cols = np.arange(int(min(x0, x1) * side) - 2, int(max(x0, x1) * side) + 3)
        if rows[0] < 0 or cols[0] < 0 or rows[-1] >= canvas.shape[0] or cols[-1] >= canvas.shape[1]:
            continue
        share = _shares(rows, cols, (x0 * side, y0 * side), (x1 * side, y1 * side), width).astype(np.uint8)
        place = canvas[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
        np.maximum(place, share, out=place)


def _mark(index: np.ndarray, figure: Figure, side: int) -> None:
    radius = max(0.2 * side, min(index.shape) / 250)
    start, end = figure.ends()
    for square, is_ring in ((start, False), (None if figure.is_loop else end, True)):
        if square is None:
            continue
        y, x = ((k + 0.5) * side for k in square)
        rows = np.arange(max(0, int(y - radius)), min(index.shape[0], int(y + radius) + 1))
        cols = np.arange(max(0, int(x - radius)), min(index.shape[1], int(x + radius) + 1))
        far = np.hypot(rows[:, None] + 0.5 - y, cols[None, :] + 0.5 - x)
        place = index[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
        place[far <= radius] = _MARK
        if is_ring:
            place[far <= 0.55 * radius] = _PAPER


def _encode_png(index: np.ndarray, colours: np.ndarray, margin: int) -> bytes:
    from PIL import Image

    framed = np.full((index.shape[0] + 2 * margin, index.shape[1] + 2 * margin), _PAPER, dtype=np.uint8)
    framed[margin:-margin, margin:-margin] = index
    image = Image.frombytes("P", framed.shape[::-1], framed.tobytes())
    image.putpalette(colours.astype(np.uint8).tobytes())
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=4)
    return out.getvalue()
