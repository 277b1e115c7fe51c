"""Walks as lines: the points of a stroke, straight from square to square or along a smooth curve.

Points are (x, y) in squares from the top left of the window. A line ends at a joined border, and another begins on the
opposite side. Smooth lines are cubic splines through the centres of the squares (Catmull and Rom 1974) with tangents of
a fifth of the chord.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from knightstour.core.drawing.figure import Figure, Point, Walk

TENSION = 0.2
# Number of short lines per smooth move.
BENT_PARTS = 16


class Line(NamedTuple):
    """Points of one stroke."""

    points: list[Point]
    is_closed: bool = False


def lines_of(figure: Figure, walk: Walk, *, smooth: bool = False) -> list[Line]:
    """Return the lines of a walk: one, unless it crosses joined borders."""
    is_smooth = smooth and len(walk) > 2
    if figure.board.wrap is not None:
        return [Line(points) for points in _cut_lines(figure, walk, is_smooth) if len(points) > 1]
    if not is_smooth:
        return [Line([centre(square) for square in walk.squares], walk.is_closed)]
    bends = list(_bends(figure, walk))
    points = [point for bend in bends for point in bend[:-1]]
    return [Line(points if walk.is_closed else [*points, bends[-1][-1]], walk.is_closed)]


def _cut_lines(figure: Figure, walk: Walk, is_smooth: bool) -> Iterator[list[Point]]:
    moves = figure.moves(walk)
    bends = _bends(figure, walk) if is_smooth else _straight(walk, moves.leaving)
    line = [centre(walk.squares[0])]
    for stays, bend in zip(moves.stays.tolist(), bends, strict=True):
        if stays:
            line += bend[1:]
            continue
        laid = figure.split_line(bend)
        yield line + laid[0][1:]
        yield from laid[1:-1]
        line = laid[-1] if len(laid) > 1 else [laid[0][-1]]
    yield line


def _straight(walk: Walk, leaving: np.ndarray) -> Iterator[list[Point]]:
    for square, (dr, dc) in zip(walk.squares, leaving.tolist(), strict=False):
        x, y = centre(square)
        yield [(x, y), (x + dc, y + dr)]


def _bends(figure: Figure, walk: Walk) -> Iterator[list[Point]]:
    """Yield the points of each move's curve, on the unrolled board."""
    leaving, arriving, _ = figure.moves(walk)
    at = tangents(walk, leaving, arriving)
    turned = (leaving != arriving).any(axis=1)
    for k, move in enumerate(leaving):
        out, into = at[k], at[(k + 1) % len(walk)]
        if turned[k]:
            into = into * np.array([-1, 1])
        yield curve_points(walk.squares[k] + 0.5, out, move - into, move)


def tangents(walk: Walk, leaving: np.ndarray, arriving: np.ndarray) -> np.ndarray:
    """Return the tangent at each square of a walk, (drow, dcol), by the sum of its two moves."""
    found = np.zeros((len(walk), 2))
    found[: len(leaving)] += leaving
    found[(np.arange(len(arriving)) + 1) % len(walk)] += arriving
    return found * TENSION


def curve_points(start: np.ndarray, first: np.ndarray, second: np.ndarray, move: np.ndarray) -> list[Point]:
    """Return points of the cubic curve of a move from (row, col), with two control points relative to it."""
    points = []
    for k in range(BENT_PARTS + 1):
        t = k / BENT_PARTS
        place = start + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t * t * second + t**3 * move
        points.append((float(place[1]), float(place[0])))
    return points


def centre(square: np.ndarray) -> Point:
    return float(square[1]) + 0.5, float(square[0]) + 0.5
