"""A sheet for a pen plotter: the strokes of each pen, in millimetres from the top left of the board.

Pen 1 draws the border, the crosses on holes and, with coordinates=True, the lines between the squares. Pen 2 draws the
tour; it lifts only at joined borders. Each loop of a cover has its own pen, up to eight. Numbers have the last pen.

`size` is the longer side of the board, or of all boards together, in millimetres. Without a paper the sheet is the
board and its margin; squares are 20 mm, or smaller so that the board is at most 180 mm long and fits on A4. On a paper
the board is in the middle and as large as the margins allow. `line_width` is the width of the pen in millimetres, 0.4
by default.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from knightstour.core.drawing.figure import Figure, Point
from knightstour.core.drawing.lines import Line, lines_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.measures import page_of
from knightstour.core.drawing.svg.inscriptions import numbers_of
from knightstour.core.drawing.svg.pen import escape
from knightstour.core.drawing.svg.strokes import number, polyline
from knightstour.core.model.errors import FormatError

_SQUARE_MM, _LONGEST_MM, _MARGIN_MM, _PAPER_MARGIN_MM = 20.0, 180.0, 5.0, 15.0
_MAX_PENS = 8
# Squares between two boards.
_GAP = 1.0
# In squares: heights of numbers, alone on a square and next to its centre; distance from the centre.
_ALONE, _BESIDE, _ASIDE = 0.42, 0.17, 0.3


@dataclass(frozen=True, slots=True)
class PenStrokes:
    """The strokes of one pen. role: name of its colour in the theme; tone: index of the loop's colour."""

    number: int
    name: str
    lines: list[Line]
    role: str
    tone: int = 0


@dataclass(frozen=True, slots=True)
class PenSheet:
    """The pens of a sheet, in millimetres. left, top: relative to the top left of the board. unit: side of a square."""

    unit: float
    left: float
    top: float
    width: float
    height: float
    pens: list[PenStrokes]


def sheet_of(figures: Sequence[Figure], look: Look, per_row: int | None = None) -> PenSheet:
    """Return the sheet of one figure, or of several side by side; `per_row` has the default of a gallery."""
    per_row = min(per_row or math.ceil(math.sqrt(len(figures) * 1.3)), len(figures))
    rows, cols = (max(getattr(figure, name) for figure in figures) for name in ("rows", "cols"))
    down, across = rows + _GAP, cols + _GAP
    high = math.ceil(len(figures) / per_row) * down - _GAP
    unit, left, top, width, height = _sheet_layout(per_row * across - _GAP, high, look)
    pens: dict[str, PenStrokes] = {}
    for k, figure in enumerate(figures):
        x = (k % per_row * across + (cols - figure.cols) / 2) * unit
        y = (k // per_row * down + (rows - figure.rows) / 2) * unit
        for pen in _pens_of(figure, look, unit):
            lines = pens.setdefault(pen.name, replace(pen, lines=[])).lines
            lines += [Line([(x + px, y + py) for px, py in line.points], line.is_closed) for line in pen.lines]
    if "numbers" in pens:
        numbers = pens.pop("numbers")
        pens["numbers"] = replace(numbers, number=1 + max((pen.number for pen in pens.values()), default=1))
    return PenSheet(unit, left, top, width, height, [pen for pen in pens.values() if pen.lines])


def _pens_of(figure: Figure, look: Look, unit: float) -> list[PenStrokes]:
    """Return the strokes of each pen, in millimetres from the top left of the board."""
    pens = [PenStrokes(1, "board", _scale_lines(_board_lines(figure, look), unit), "frame")]
    for tone, walks in figure.by_tone(_MAX_PENS).items():
        lines = []
        for walk in walks:
            lines += lines_of(figure, walk, smooth=look.is_smooth)
        if figure.is_window:
            lines = [part for line in lines for part in _clip_line(line, figure.cols, figure.rows)]
        name, role = ("tour", "path") if figure.is_tour else (f"loop {tone + 1}", "loops")
        pens.append(PenStrokes(tone + 2, name, _scale_lines(lines, unit), role, tone))
    every = look.every()
    if every:
        moves = [line.points for pen in pens[1:] for line in pen.lines]
        numbers = _number_lines(figure, every, moves, unit)
        pens.append(PenStrokes(pens[-1].number + 1, "numbers", numbers, "text"))
    return pens


def _sheet_layout(cols: float, rows: float, look: Look) -> tuple[float, float, float, float, float]:
    """Return the side of a square, and left, top, width and height of the sheet. cols, rows: in total."""
    longer = max(rows, cols)
    unit = None if look.size is None else look.size / longer
    if look.paper is None:
        unit = unit or min(_SQUARE_MM, _LONGEST_MM / longer)
        margin = _MARGIN_MM
        return unit, -margin, -margin, cols * unit + 2 * margin, rows * unit + 2 * margin
    margin = _PAPER_MARGIN_MM
    width, height = page_of(look.paper, margin, cols / rows)
    most = min((width - 2 * margin) / cols, (height - 2 * margin) / rows)
    if unit is not None and unit > most:
        raise FormatError(
            f"a board of {look.size:g} mm does not fit on {look.paper}",
            help=f"use a size of at most {math.floor(most * longer)}, or another paper",
        )
    unit = unit or most
    return unit, (cols * unit - width) / 2, (rows * unit - height) / 2, width, height


def _scale_lines(lines: Iterable[Line], unit: float) -> list[Line]:
    return [Line([(x * unit, y * unit) for x, y in line.points], line.is_closed) for line in lines]


# ---------------------------------------------------------------- strokes of the pens, in squares


def _board_lines(figure: Figure, look: Look) -> list[Line]:
    width, height = float(figure.cols), float(figure.rows)
    lines = [Line([(0, 0), (width, 0), (width, height), (0, height)], True)]
    if look.coordinates:
        # Back and forth, so that the pen travels little between two lines.
        for row in range(1, figure.rows):
            ends: list[Point] = [(0, row), (width, row)]
            lines.append(Line(ends if row % 2 else ends[::-1]))
        for col in range(1, figure.cols):
            ends = [(col, height), (col, 0)]
            lines.append(Line(ends if col % 2 else ends[::-1]))
    for row, col in figure.holes:
        x, y = col + 0.25, row + 0.25
        lines += [Line([(x, y), (x + 0.5, y + 0.5)]), Line([(x, y + 0.5), (x + 0.5, y)])]
    return lines


def _clip_line(line: Line, width: float, height: float) -> list[Line]:
    """Clip a line at the window (Liang and Barsky 1984)."""
    points = [*line.points, line.points[0]] if line.is_closed else line.points
    parts: list[list[Point]] = []
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        begin, end = 0.0, 1.0
        for start, step, size in ((x0, x1 - x0, width), (y0, y1 - y0, height)):
            for toward, room in ((-step, start), (step, size - start)):
                if toward == 0:
                    end = end if room >= 0 else -1.0
                elif toward < 0:
                    begin = max(begin, room / toward)
                else:
                    end = min(end, room / toward)
        if begin >= end:
            continue
        first, last = ((x0 + t * (x1 - x0), y0 + t * (y1 - y0)) for t in (begin, end))
        if parts and math.dist(parts[-1][-1], first) < 1e-9:
            parts[-1].append(last)
        else:
            parts.append([first, last])
    return [Line(part) for part in parts]


def _number_lines(figure: Figure, every: int, moves: list[list[Point]], unit: float) -> list[Line]:
    ends = [np.array(points) for points in moves]
    first = np.concatenate([points[:-1] for points in ends]) if ends else np.empty((0, 2))
    along = np.concatenate([points[1:] for points in ends]) - first if ends else first
    found = []
    for (row, col), text in sorted(numbers_of(figure, every).items()):
        x, y = (col + 0.5) * unit, (row + 0.5) * unit
        height = min((_BESIDE if ends else _ALONE) * unit, 0.9 * unit * unit / width_of(text, unit))
        if ends:
            x, y = _free_place(np.array([x, y]), first, along, unit)
        found += [Line(stroke) for stroke in number_strokes(text, (x, y), height)]
    return found


def _free_place(centre: np.ndarray, first: np.ndarray, along: np.ndarray, unit: float) -> Point:
    """Return the farthest position from all lines, of eight around a centre."""
    angles = np.arange(8) * (math.pi / 4) + math.pi / 8
    places = centre + _ASIDE * unit * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    to_places = places[:, None, :] - first[None, :, :]
    length = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip((to_places * along).sum(axis=2) / length, 0, 1)
    far = np.linalg.norm(to_places - share[:, :, None] * along, axis=2).min(axis=1)
    best = places[int(far.argmax())]
    return float(best[0]), float(best[1])


_WIDE, _HIGH, _STEP = 4.0, 6.0, 5.6

# Points x,y of the strokes, from the top left.
_STROKES: Final = {
    "0": "1,0 3,0 4,1 4,5 3,6 1,6 0,5 0,1 1,0",
    "1": "1,1 2.2,0 2.2,6",
    "2": "0,1 1,0 3,0 4,1 4,2 0,6 4,6",
    "3": "0,1 1,0 3,0 4,1 4,2 3,3 1.5,3 3,3 4,4 4,5 3,6 1,6 0,5",
    "4": "3,6 3,0 0,4 4,4",
    "5": "4,0 0,0 0,2.5 3,2.5 4,3.5 4,5 3,6 1,6 0,5",
    "6": "4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5 4,3.5 3,2.5 1,2.5 0,3.5",
    "7": "0,0 4,0 1.5,6",
    "8": "1,3 0,2 0,1 1,0 3,0 4,1 4,2 3,3 1,3 0,4 0,5 1,6 3,6 4,5 4,4 3,3",
    "9": "4,2.5 3,3.5 1,3.5 0,2.5 0,1 1,0 3,0 4,1 4,5 3,6 1,6 0,5",
    "…": "0,6 4,6",
}


def number_strokes(text: str, middle: Point, height: float) -> list[list[Point]]:
    """Return the strokes of a number with its middle at a point.

    >>> number_strokes("7", (0, 0), 6)
    [[(-2.0, -3.0), (2.0, -3.0), (-0.5, 3.0)]]
    """
    scale = height / _HIGH
    x, y = middle[0] - width_of(text, height) / 2, middle[1] - height / 2
    return [
        [(x + scale * (k * _STEP + px), y + scale * py) for px, py in _points(letter)] for k, letter in enumerate(text)
    ]


def width_of(text: str, height: float) -> float:
    return ((len(text) - 1) * _STEP + _WIDE) * height / _HIGH


def _points(letter: str) -> list[Point]:
    pairs = (pair.split(",") for pair in _STROKES[letter].split())
    return [(float(x), float(y)) for x, y in pairs]


_PEN_MM = 0.4
# Default colours of the pens, for light and dark screens.
_ON_SCREENS: Final = {"frame": "#a08c60", "path": "#2f75c0", "text": "#8a6f9c"}


def plot_sheet(figures: Sequence[Figure], look: Look, per_row: int | None = None) -> str:
    sheet = sheet_of(figures, look, per_row)
    title = figures[0].title if len(figures) == 1 else f"{len(figures)} drawings for a plotter"
    said = "; ".join(dict.fromkeys(figure.description for figure in figures[:5]))
    box = (sheet.left, sheet.top, sheet.width, sheet.height)
    width = _PEN_MM if look.line_mm is None else look.line_mm
    layers = "".join(_layer(pen, look, width) for pen in sheet.pens)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'role="img" width="{number(box[2])}mm" height="{number(box[3])}mm" '
        f'viewBox="{" ".join(map(number, box))}"><title>{escape(look.title or title)}</title>'
        f"<desc>{escape(said)}</desc>"
        f"{layers}</svg>"
    )


def _layer(pen: PenStrokes, look: Look, width: float) -> str:
    data = "".join(polyline(line.points, is_closed=line.is_closed, unit=1) for line in pen.lines)
    # Programs for plotters treat the outermost groups as layers.
    return (
        f'<g id="pen-{pen.number}" inkscape:groupmode="layer" inkscape:label="{pen.number} {pen.name}" '
        f'fill="none" stroke-width="{width:g}" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{data}" stroke="{_ink(pen, look)}"/></g>'
    )


def _ink(pen: PenStrokes, look: Look) -> str:
    if pen.role == "loops":
        return look.palette.loops[pen.tone % len(look.palette.loops)]
    is_given = look.theme != "auto" or pen.role in (look.colors or {})
    return str(getattr(look.palette, pen.role)) if is_given else _ON_SCREENS[pen.role]
