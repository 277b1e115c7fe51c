"""Walks as SVG path data: straight or smooth, cut at joined borders, and as arrows.

Centres of squares and moves are integers in units of UNIT per square, so that a move needs about five characters.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence

import numpy as np

from knightstour.core.drawing.figure import Figure, Point, Walk
from knightstour.core.drawing.lines import curve_points, lines_of, tangents

UNIT = 40


def number(value: float) -> str:
    """Format a coordinate with at most two decimals, as short as possible.

    >>> number(20.0), number(-0.5), number(1 / 3)
    ('20', '-.5', '.33')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def join_numbers(numbers: Iterable[float]) -> str:
    """Join numbers with spaces, except before a minus sign."""
    return " ".join(map(number, numbers)).replace(" -", "-")


def polyline(points: np.ndarray | Sequence[Point], *, is_closed: bool = False, unit: float = UNIT) -> str:
    """Return the path data of a line through points (x, y), in squares."""
    # Differences of rounded positions, so that rounding errors do not add up.
    array = np.round(np.asarray(points, dtype=float) * unit * 100).astype(np.int64)
    start = f"M{join_numbers((array[0] / 100).tolist())}"
    if len(array) == 1:
        return start + "h0"
    steps = np.diff(array, axis=0).reshape(-1)
    if (steps % 100 == 0).all():
        text = " ".join(map(str, (steps // 100).tolist())).replace(" -", "-")
    else:
        text = join_numbers((steps / 100).tolist())
    return f"{start}l{text}" + ("z" if is_closed else "")


def straight(figure: Figure, walk: Walk, *, unit: float = UNIT) -> str:
    """Return the path data of a walk with straight lines, cut at joined borders."""
    if figure.board.wrap is None:
        return polyline(walk.squares[:, ::-1] + 0.5, is_closed=walk.is_closed, unit=unit)
    return "".join(polyline(line.points, unit=unit) for line in lines_of(figure, walk))


def smooth(figure: Figure, walk: Walk, *, unit: float = UNIT) -> str:
    """Return the path data of a walk as a smooth line through the centres."""
    if len(walk) < 3:
        return straight(figure, walk, unit=unit)
    leaving, arriving, stays = figure.moves(walk)
    at = tangents(walk, leaving, arriving)
    turned = (leaving != arriving).any(axis=1)
    text: list[str] = []
    is_running = False
    for k in range(len(leaving)):
        here, move = walk.squares[k], leaving[k]
        out, into = at[k], at[(k + 1) % len(walk)]
        if stays[k]:
            arrival = [*_to_xy(move - into, unit), *_to_xy(move, unit)]
            start = f"M{join_numbers(_to_xy(here + 0.5, unit))}c"
            text.append(
                f"s{join_numbers(arrival)}" if is_running else start + join_numbers([*_to_xy(out, unit), *arrival])
            )
            is_running = True
            continue
        is_running = False
        if turned[k]:
            into = into * np.array([-1, 1])
        text += [
            polyline(part, unit=unit) for part in figure.split_line(curve_points(here + 0.5, out, move - into, move))
        ]
    is_loop = walk.is_closed and figure.board.wrap is None
    return "".join(text) + ("z" if is_loop else "")


def _to_xy(pair: np.ndarray, unit: float) -> list[float]:
    return [float(pair[1]) * unit, float(pair[0]) * unit]


def arrows(figure: Figure, walk: Walk) -> str:
    """Return the path data of a small arrow head on each move."""
    leaving = figure.moves(walk).leaving
    text = []
    for (row, col), (dr, dc) in zip(walk.squares.tolist(), leaving.tolist(), strict=False):
        share = _share_on_board(figure, row, col, dr, dc)
        middle = ((col + 0.5 + dc * share) * UNIT, (row + 0.5 + dr * share) * UNIT)
        text.append("M" + join_numbers(middle) + _head(dr, dc))
    return "".join(text)


def _share_on_board(figure: Figure, row: int, col: int, dr: int, dc: int) -> float:
    """Return the position of a move's arrow, relative to the move: the middle of its part before a border."""
    if figure.board.wrap is None:
        return 0.5
    free = 1.0
    for place, step, size in ((row + figure.top, dr, figure.board.rows), (col + figure.left, dc, figure.board.cols)):
        if step:
            free = min(free, ((size - place - 0.5) if step > 0 else (place + 0.5)) / abs(step))
    return free / 2 if free < 1 else 0.5


@functools.cache
def _head(dr: int, dc: int) -> str:
    length = math.hypot(dr, dc)
    x, y = dc / length * UNIT, dr / length * UNIT
    tip, back, side = 0.15, 0.11, 0.105
    ax, ay = tip * x, tip * y
    bx, by = -back * x - side * y, -back * y + side * x
    cx, cy = -back * x + side * y, -back * y - side * x
    return "m" + join_numbers([ax, ay]) + "l" + join_numbers([bx - ax, by - ay, cx - bx, cy - by]) + "z"


def centre_of(square: tuple[int, int]) -> str:
    """Return the attributes cx and cy of a circle on a square."""
    return f'cx="{number((square[1] + 0.5) * UNIT)}" cy="{number((square[0] + 0.5) * UNIT)}"'


def dots(squares: np.ndarray) -> str:
    """Return the path data of points at squares: lines of length 0 for a round pen."""
    return "".join(f"M{join_numbers([(c + 0.5) * UNIT, (r + 0.5) * UNIT])}h0" for r, c in squares.tolist())
