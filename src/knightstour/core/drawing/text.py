"""Pictures as text, for terminals.

Lines are drawn with the points of a character: the 2 x 4 dots of braille ("lines"), the halves of a block ("blocks"),
or, in plain ASCII, strokes - | / \\. "boxes" writes the numbers into a ruled board. A picture is as large as the width
and the squares allow. A board that does not fit is cut, and the last line states the visible part. The largest picture,
50,000 squares, needs 0.1 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from knightstour.core.drawing.figure import Drawable, Figure, Paths, Walk, Window, board_of, checked_window, figure_of
from knightstour.core.drawing.scene_text import scene_text
from knightstour.core.drawing.themes import ink_on, ramp, rgb_of
from knightstour.core.model.board import Board, square_count, title_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.layers import in_layers, is_compact
from knightstour.core.model.names import square_name
from knightstour.core.model.scene import Scene
from knightstour.core.model.validation import flag, one_of, whole_number

TEXT_STYLES: dict[str, str] = {
    "lines": "the path in braille dots",
    "blocks": "the path in half blocks",
    "boxes": "the numbers in a ruled board",
}
# Default height of a picture, in lines.
_USUAL_HEIGHT = 200
# Limit on the characters per line, and on the lines.
_MAX_CHARACTERS = 1_000_000
_RAMP_STEPS = 32
# Bit of each dot of a braille character, by row and column.
_DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])


@dataclass(frozen=True, slots=True)
class _Grain:
    """The resolution of a kind of picture: points per character, and minimum and maximum points between squares."""

    across: int
    down: int
    fewest: tuple[int, int]
    most: tuple[int, int]


# Points (x, y) from square to square: 2:1 if they are whole characters.
_GRAINS = {
    "lines": _Grain(2, 4, (4, 4), (12, 12)),
    "blocks": _Grain(1, 2, (3, 3), (6, 6)),
    "ascii": _Grain(1, 1, (4, 2), (8, 4)),
}


@dataclass(frozen=True, slots=True)
class _TextLook:
    style: str
    width: int
    height: int | None
    ascii: bool
    color: bool

    def __post_init__(self) -> None:
        one_of(self.style, TEXT_STYLES, "style of text", error=FormatError)
        flag(self.ascii, "ascii")
        flag(self.color, "color")
        width = whole_number(self.width, "width", most=_MAX_CHARACTERS, error=FormatError)
        if width < 1 or self.lines < 1:
            raise FormatError(f"nothing fits into {width} characters and {self.lines} lines")

    @property
    def lines(self) -> int:
        if self.height is None:
            return _USUAL_HEIGHT
        return whole_number(self.height, "height", most=_MAX_CHARACTERS, error=FormatError)


def text_of(
    subject: Drawable,
    *,
    paths: Paths | None = None,
    window: Window | None = None,
    style: str = "lines",
    width: int = 80,
    height: int | None = None,
    ascii: bool = False,
    color: bool = False,
) -> str:
    """Draw a tour, a board, or paths over a board as text, without a final newline.

    style: "lines", "blocks" or "boxes" (see TEXT_STYLES). width: maximum number of characters per line. height: maximum
        number of lines (default: 200). ascii: use plain ASCII only. color: colour the steps with terminal codes.
    subject, paths, window: as for `picture_of`. A board of cells has numbers in any style.
    Start and end are marked by a full and an empty circle, S and E in ASCII. Raises FormatError for unknown options and
    styles, and if not a single square fits.

    >>> from knightstour.core.model.tour import Tour
    >>> print(text_of(Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]), style="boxes"))
      ┌────┬────┬────┬────┐
    3 │  1 │  4 │  7 │ 10 │
      ├────┼────┼────┼────┤
    2 │  8 │ 11 │  2 │  5 │
      ├────┼────┼────┼────┤
    1 │  3 │  6 │  9 │ 12 │
      └────┴────┴────┴────┘
         a    b    c    d
    """
    look = _TextLook(style, width, height, ascii, color)
    if isinstance(subject, Scene):
        if look.style != "lines":
            raise FormatError(f"the scene of a proof is not drawn in {look.style}", help="omit the style")
        figure_of(subject, paths=paths, window=window)  # raises the error
        return scene_text(subject, look.width, look.height, look.ascii, look.color)
    board = board_of(subject)
    if isinstance(board, CellBoard):
        return _of_cells(figure_of(subject, paths=paths, window=window), look.width)
    # The figure is created for the part of the board that fits.
    is_empty = paths is None and not hasattr(subject, "numbers")
    requested = (0, 0, board.rows, board.cols) if window is None else checked_window(window, board)
    plan = (_Boxes if look.style == "boxes" else _Lines)(board, requested, look, is_empty)
    top, left, rows, cols = requested
    shown = (top, left, min(rows, plan.rows), min(cols, plan.cols))
    lines = plan.draw(figure_of(subject, paths=paths, window=shown), look.color)
    if shown[2:] != (rows, cols):
        lines.append(_note_on_cut(shown, requested, look.width, board))
    return "\n".join(line.rstrip() for line in lines)


def _of_cells(figure: Figure, width: int) -> str:
    """Return the numbers of the steps, or of moves of an empty board, by layers."""
    cells = figure.board
    assert isinstance(cells, CellBoard)
    if not is_compact(cells):
        what = f"the cells of the {title_of(figure.board)} lie too far apart for a text"
        raise FormatError(what, help="draw an .svg or .png")
    squares, steps = figure.steps()
    shown = {place: str(step + 1) for place, step in zip(squares[:, 1].tolist(), steps, strict=True)}
    if not figure.walks:
        shown = {place: str(degree) for place, degree in enumerate(figure.degrees()[0].tolist())}
    lines = in_layers(cells, [shown.get(place, "·") for place in range(len(cells.cells))])
    if max(map(len, lines)) > width:
        raise FormatError(f"a layer does not fit into {width} characters", help=f"use {max(map(len, lines))} or more")
    return "\n".join(lines)


def _note_on_cut(shown: Window, requested: Window, width: int, board: Board) -> str:
    top, left, rows, cols = shown
    parts = []
    if cols < requested[3]:
        first, last = (square_name((0, c), 1)[:-1] for c in (left, left + cols - 1))
        parts.append(f"columns {first} to {last} of {requested[3]:,}")
    if rows < requested[2]:
        high, low = board.rows - top, board.rows - top - rows + 1
        parts.append(f"rows {high} to {low} of {requested[2]:,}")
    texts = (f"({' and '.join(parts)}; the rest is cut)", f"(cut to {rows} x {cols} squares)", "(cut)")
    return next((text for text in texts if len(text) <= width), texts[-1])


def _col_names(figure: Figure) -> list[str]:
    return [square_name((0, c + figure.left), 1)[:-1] for c in range(figure.cols)]


# ---------------------------------------------------------------- numbers in boxes


class _Boxes:
    """A ruled board."""

    def __init__(self, board: Board, requested: Window, look: _TextLook, is_empty: bool) -> None:
        self.ascii, width = look.ascii, look.width
        # Numbers of moves have at most two digits.
        self.cell = 2 if is_empty else len(str(square_count(board)))
        self.margin = len(str(board.rows - requested[0]))
        self.cols = (width - self.margin - 2) // (self.cell + 3)
        self.rows = max(1, (look.lines - 3) // 2)
        if self.cols < 1:
            need = self.margin + self.cell + 5
            raise FormatError(f"no square fits into {width} characters", help=f"use a width of {need} or more")

    def draw(self, figure: Figure, color: bool) -> list[str]:
        if figure.walks:
            squares, steps = figure.steps()
            cells = {(r, c): step + 1 for (r, c), step in zip(squares.tolist(), steps, strict=True)}
        else:
            degrees = figure.degrees()
            cells = {(r, c): int(degrees[r, c]) for r, c in np.argwhere(degrees >= 0).tolist()}
        heat = figure.heat() if color else {}
        holes = set(figure.holes)
        bar = ("-" if self.ascii else "─") * (self.cell + 2)
        marks = ["+++"] * 3 if self.ascii else ["┌┬┐", "├┼┤", "└┴┘"]
        rule = [mark[0] + mark[1].join([bar] * figure.cols) + mark[2] for mark in marks]
        side = "|" if self.ascii else "│"
        hole = ("#" if self.ascii else "░") * (self.cell + 2)
        blank = " " * (self.margin + 1)
        lines = [blank + rule[0]]
        for r in range(figure.rows):
            fields = []
            for c in range(figure.cols):
                field = hole if (r, c) in holes else f" {cells.get((r, c), ''):>{self.cell}} "
                fields.append(_on(field, heat[r, c]) if (r, c) in heat else field)
            name = figure.board.rows - figure.top - r
            lines.append(f"{name:>{self.margin}} {side}{side.join(fields)}{side}")
            lines.append(blank + rule[1 if r < figure.rows - 1 else 2])
        fits = [name if len(name) <= self.cell + 2 else "" for name in _col_names(figure)]
        lines.append(blank + " " + " ".join(f"{name:^{self.cell + 2}}" for name in fits))
        return lines


# ---------------------------------------------------------------- lines


class _Lines:
    """The path on a canvas of points, with names at the left and below."""

    def __init__(self, board: Board, requested: Window, look: _TextLook, is_empty: bool) -> None:
        self.kind, width, height = "ascii" if look.ascii else look.style, look.width, look.lines
        self.grain = grain = _GRAINS[self.kind]
        self.margin = len(str(board.rows - requested[0])) + 1
        if is_empty:
            self.grain = grain = replace(grain, most=grain.fewest)
        room_x, room_y = (width - self.margin) * grain.across, (height - 1) * grain.down
        # The largest step for which the board fits; otherwise the board is cut.
        scale = min(room_x / requested[3] / grain.most[0], room_y / requested[2] / grain.most[1], 1.0)
        self.step_x = max(grain.fewest[0], math.floor(grain.most[0] * scale))
        self.step_y = max(grain.fewest[1], math.floor(grain.most[1] * scale))
        if self.kind == "ascii":
            self.step_x = 2 * self.step_y if self.step_x >= 2 * self.step_y else self.step_x
            self.step_y = max(2, self.step_x // 2)
        else:
            self.step_x = self.step_y = min(self.step_x, self.step_y)
        self.cols, self.rows = room_x // self.step_x, max(1, room_y // self.step_y)
        if self.cols < 1:
            need = self.margin + -(-grain.fewest[0] // grain.across)
            raise FormatError(f"no square fits into {width} characters", help=f"use a width of {need} or more")

    def draw(self, figure: Figure, color: bool) -> list[str]:
        grain = self.grain
        wide = -(-figure.cols * self.step_x // grain.across)
        high = -(-figure.rows * self.step_y // grain.down)
        # Time of the last drawing of each point, relative to the tour; -1 if blank.
        when = np.full((high * grain.down, wide * grain.across), -1.0)
        kind = np.zeros(when.shape, dtype="U1")
        for walk in figure.walks:
            self._draw(when, kind, figure, walk)
        grid = self._characters(when, kind)
        newest = when.reshape(high, grain.down, wide, grain.across).max(axis=(1, 3))
        self._stamp(grid, figure)
        names = [""] * high
        for r in range(figure.rows):
            line = self._point(0.5, r + 0.5)[1] // grain.down
            names[line] = names[line] or str(figure.board.rows - figure.top - r)
        lines = []
        for k, row in enumerate(grid.tolist()):
            text = "".join(_colour_text(char, share) for char, share in zip(row, newest[k].tolist(), strict=True))
            lines.append(f"{names[k]:>{self.margin - 1}} " + (text if color else "".join(row)))
        lines.append(self._footer(figure, wide))
        return lines

    def _draw(self, when: np.ndarray, kind: np.ndarray, figure: Figure, walk: Walk) -> None:
        moves = figure.moves(walk)
        last = max(1, figure.length - 1)
        for k, (dr, dc) in enumerate(moves.leaving.tolist()):
            row, col = walk.squares[k].tolist()
            share = min(1.0, (walk.first + k) / last)
            line = [(col + 0.5, row + 0.5), (col + dc + 0.5, row + dr + 0.5)]
            for part in [line] if moves.stays[k] else figure.split_line(line):
                self._stroke(when, kind, part, share)

    def _stroke(self, when: np.ndarray, kind: np.ndarray, part: list[tuple[float, float]], share: float) -> None:
        (x0, y0), (x1, y1) = (self._point(*part[0]), self._point(*part[-1]))
        count = max(abs(x1 - x0), abs(y1 - y0))
        for k in range(count + 1):
            x = x0 + _round_quotient((x1 - x0) * k, count)
            y = y0 + _round_quotient((y1 - y0) * k, count)
            if 0 <= y < when.shape[0] and 0 <= x < when.shape[1]:
                when[y, x] = share
                if self.kind == "ascii":
                    mark = _slope(x0, y0, x1, y1, k, count)
                    kind[y, x] = mark if kind[y, x] in ("", mark) else "+"

    def _point(self, x: float, y: float) -> tuple[int, int]:
        """Convert a position on the board to the canvas."""
        return max(0, math.floor(x * self.step_x - 0.5)), max(0, math.floor(y * self.step_y - 0.5))

    def _characters(self, when: np.ndarray, kind: np.ndarray) -> np.ndarray:
        if self.kind == "ascii":
            return np.where(kind == "", " ", kind)
        high, wide = when.shape[0] // self.grain.down, when.shape[1] // self.grain.across
        cells = (when >= 0).reshape(high, self.grain.down, wide, self.grain.across)
        if self.kind == "blocks":
            return np.array([" ", "▀", "▄", "█"])[cells[:, 0, :, 0] + 2 * cells[:, 1, :, 0]]
        codes = (cells * _DOTS[None, :, None, :]).sum(axis=(1, 3))
        return np.array([" " if code == 0 else chr(0x2800 + code) for code in range(256)])[codes]

    def _stamp(self, grid: np.ndarray, figure: Figure) -> None:
        """Draw the marks of squares, holes, start and end."""
        is_ascii = self.kind == "ascii"
        marks = dict.fromkeys(figure.holes, "#" if is_ascii else "▒")
        if is_ascii:
            squares, _ = figure.steps()
            marks |= dict.fromkeys(map(tuple, squares.tolist()), "o")
        if not figure.walks:
            free = ((r, c) for r in range(figure.rows) for c in range(figure.cols) if (r, c) not in marks)
            marks |= dict.fromkeys(free, "." if is_ascii else "·")
        start, end = figure.ends()
        if end is not None and not figure.is_loop:
            marks[end] = "E" if is_ascii else "○"
        if start is not None:
            marks[start] = "S" if is_ascii else "●"
        for (row, col), mark in marks.items():
            x, y = self._point(col + 0.5, row + 0.5)
            line, place = y // self.grain.down, x // self.grain.across
            if line < grid.shape[0] and place < grid.shape[1]:
                grid[line, place] = mark

    def _footer(self, figure: Figure, wide: int) -> str:
        line = [" "] * (wide + 8)
        free = 0
        for c, name in enumerate(_col_names(figure)):
            x = self._point(c + 0.5, 0.5)[0] // self.grain.across
            if x >= free and x + len(name) <= wide:
                line[x : x + len(name)] = name
                free = x + len(name) + 1
        return " " * self.margin + "".join(line)


def _round_quotient(part: int, whole: int) -> int:
    """Divide and round, halves away from 0, so that a move looks the same from both ends."""
    size = (2 * abs(part) + whole) // (2 * whole) if whole else 0
    return size if part >= 0 else -size


def _slope(x0: int, y0: int, x1: int, y1: int, k: int, count: int) -> str:
    before, after = max(0, k - 1), min(count, k + 1)
    dx = _round_quotient((x1 - x0) * after, count) - _round_quotient((x1 - x0) * before, count)
    dy = _round_quotient((y1 - y0) * after, count) - _round_quotient((y1 - y0) * before, count)
    if dy == 0:
        return "-"
    if dx == 0:
        return "|"
    return "\\" if dx * dy > 0 else "/"


# ---------------------------------------------------------------- colours of a terminal


def _code(colour: str) -> str:
    return ";".join(map(str, rgb_of(colour)))


def _on(text: str, share: float) -> str:
    ground = ramp(_RAMP_STEPS)[round(share * (_RAMP_STEPS - 1))]
    return f"\x1b[38;2;{_code(ink_on(ground))};48;2;{_code(ground)}m{text}\x1b[0m"


def _colour_text(text: str, share: float) -> str:
    """Return text in the colour of a step, without the darkest third of the ramp."""
    if share < 0 or text == " ":
        return text
    colour = ramp(_RAMP_STEPS)[_RAMP_STEPS // 3 + round(share * (_RAMP_STEPS - 1 - _RAMP_STEPS // 3))]
    return f"\x1b[38;2;{_code(colour)}m{text}\x1b[0m"
