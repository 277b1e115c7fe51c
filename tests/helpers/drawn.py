"""Parsed pictures: the points of SVG path data, and the elements of a picture."""

import re
import xml.etree.ElementTree as ET

import numpy as np

from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.svg.strokes import UNIT
from knightstour.core.model.board import Board
from knightstour.core.model.tour import Tour

SVG = "{http://www.w3.org/2000/svg}"
_TOKEN = re.compile(r"([a-zA-Z])|(-?(?:\d+\.?\d*|\.\d+))")
# Number of arguments of a command, and index of the end point.
_TAKES = {"m": 2, "l": 2, "c": 6, "s": 4, "h": 1, "v": 1, "z": 0}

Point = tuple[float, float]


def used(style: str, options: dict[str, object]) -> dict[str, object]:
    """Return the options that a style uses."""
    ignored = {*STYLES[style].ignores, *(STYLES[style].with_numbers if options.get("numbers") else ())}
    return {name: value for name, value in options.items() if name not in ignored}


def parse(svg: str) -> ET.Element:
    """Return the picture as XML; raise ParseError if it is invalid."""
    return ET.fromstring(svg)


def subpaths(data: str) -> list[list[Point]]:
    """Return the end points of the commands of path data, for each connected part."""
    tokens = [(a, b) for a, b in _TOKEN.findall(data)]
    parts: list[list[Point]] = []
    x = y = 0.0
    command, k = "", 0
    while k < len(tokens):
        if tokens[k][0]:
            command = tokens[k][0]
            k += 1
        name = command.lower()
        count = _TAKES[name]
        values = [float(b) for _, b in tokens[k : k + count]]
        k += count
        is_relative = command.islower()
        if name == "z":
            x, y = parts[-1][0]
            parts[-1].append((x, y))
            continue
        if name in "hv":
            x, y = (values[0] + x * is_relative, y) if name == "h" else (x, values[0] + y * is_relative)
        else:
            x, y = values[-2] + x * is_relative, values[-1] + y * is_relative
        if name == "m":
            parts.append([(x, y)])
            command = "l" if is_relative else "L"
        else:
            parts[-1].append((x, y))
    return parts


def path_data(svg: str) -> str:
    """Return the path data of a tour: of the only line with round corners."""
    lines = [e for e in parse(svg).iter(f"{SVG}path") if e.get("stroke-linejoin") == "round"]
    assert lines, "no path is drawn"
    return lines[-1].attrib["d"]


def squares_of(data: str, *, unit: float = UNIT) -> list[tuple[int, int]]:
    """Return the squares whose centres are on the line, in order."""
    squares: list[tuple[int, int]] = []
    for part in subpaths(data):
        for x, y in part:
            col, row = x / unit - 0.5, y / unit - 0.5
            if abs(col - round(col)) < 0.005 and abs(row - round(row)) < 0.005:
                square = (round(row), round(col))
                if not squares or squares[-1] != square:
                    squares.append(square)
    return squares


def check_breaks(data: str, board: Board) -> int:
    """Check that the line stops only at borders and continues at the joined point; return the number of breaks."""
    parts = [[(x / UNIT, y / UNIT) for x, y in part] for part in subpaths(data)]
    breaks = 0
    for before, after in zip(parts, parts[1:], strict=False):
        (x, y), (u, v) = before[-1], after[0]
        if abs(x - u) + abs(y - v) < 1e-6:
            continue
        breaks += 1
        assert are_joined(board, (x, y), (u, v)), f"{(x, y)} is not joined to {(u, v)} on the {board}"
    return breaks


def are_joined(board: Board, p: Point, q: Point) -> bool:
    """Whether two points of the border are the same point of the board."""
    flips = board.wrap in ("mobius", "klein")

    def near(a: Point, b: Point) -> bool:
        return np.hypot(a[0] - b[0], a[1] - b[1]) < 0.02

    def images(point: Point) -> list[Point]:
        x, y = point
        found = [point]
        if abs(x) < 0.01 or abs(x - board.cols) < 0.01:
            found.append((board.cols - x, board.rows - y if flips else y))
        if board.wrap in ("torus", "klein"):
            found += [(u, board.rows - v) for u, v in found if abs(v) < 0.01 or abs(v - board.rows) < 0.01]
        return found

    return board.wrap is not None and any(near(image, q) for image in images(p)[1:])


def drawn_length(data: str) -> float:
    """Return the length of all straight parts, in squares."""
    return sum(
        float(np.hypot(b[0] - a[0], b[1] - a[1])) / UNIT
        for part in subpaths(data)
        for a, b in zip(part, part[1:], strict=False)
    )


def cycle(tour: Tour) -> list[tuple[int, int]]:
    """Return the squares of a tour, with the first one again if it is closed."""
    squares = [(int(r), int(c)) for r, c in tour.squares]
    return squares + squares[:1] * tour.is_closed
