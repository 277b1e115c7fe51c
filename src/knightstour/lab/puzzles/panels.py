"""Boards with marks as items of a page: squares in rows and columns, or hexagons, triangles and boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from knightstour.core.drawing.paper import Box, Item, Paint, Polygon, Ring, Stroke, Text, middle
from knightstour.core.drawing.svg.inscriptions import outline_lines
from knightstour.core.model.board import Board, Square
from knightstour.core.model.errors import FormatError
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.lattices import LATTICES
from knightstour.core.model.layers import layers_of

# Relative sizes: a mark, a long mark, the number in a ring, the thickness of a wall, and its length at a corner.
_MARK, _LONG_MARK, _IN_RING, _WALL, _AT_CORNER = 0.52, 0.42, 0.2, 0.12, 0.5


@dataclass(frozen=True, slots=True)
class Panel:
    """A board with a caption.

    Attributes:
        marks: Text on squares.
        strong: Squares with bold text.
        small: Text in a corner of squares.
        note: A smaller line below the caption.
        walls: Walls between pairs of adjacent squares.
        ringed: Squares with a ring, and the small number in it, or "".
    """

    board: Board
    marks: Mapping[Square, str]
    caption: str
    strong: frozenset[Square] = frozenset()
    small: Mapping[Square, str] = field(default_factory=dict)
    note: str = ""
    walls: frozenset[tuple[Square, Square]] = frozenset()
    ringed: Mapping[Square, str] = field(default_factory=dict)


class Inks(NamedTuple):
    """Colours of a panel. third: of the third kind of hexagons. between: of the lines between squares."""

    light: Paint
    dark: Paint
    third: Paint
    frame: Paint
    between: Paint
    given: Paint
    other: Paint
    text: Paint


class Cell(NamedTuple):
    """Centre of a square, in sides of a square from the top left of its board. tint: 0 light, 1 dark, 2 third."""

    square: Square
    x: float
    y: float
    tint: int


class Plan(NamedTuple):
    """Positions of the squares of a board; lengths are in sides of a square. outline: of a cell around its centre."""

    width: float
    height: float
    cells: list[Cell]
    outline: tuple[tuple[float, float], ...]


_SQUARE_OUTLINE: Final = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


def plan_of(board: Board) -> Plan:
    """Return the positions of the squares of a board on paper; raise FormatError for a graph without cells.

    >>> plan = plan_of(Board("2x2x3"))
    >>> plan.width, plan.height, len(plan.cells)
    (7.0, 2.0, 12)
    """
    if isinstance(board, CellBoard):
        return _plan_of_cells(board)
    if isinstance(board, GraphBoard):
        raise FormatError("a graph cannot be printed on a sheet", help="draw it: -o puzzle.svg")
    squares = [(row, col) for row in range(board.rows) for col in range(board.cols) if (row, col) not in board.holes]
    cells = [Cell((row, col), col + 0.5, row + 0.5, (row + col) % 2) for row, col in squares]
    return Plan(board.cols, board.rows, cells, _SQUARE_OUTLINE)


def _plan_of_cells(cells: CellBoard) -> Plan:
    """Lay out layers side by side."""
    lattice = LATTICES[cells.lattice]
    if is_flat(cells):
        points = cells.points()
    else:
        sheet = layers_of(cells)
        points = np.stack([sheet.halves / 2, sheet.lines * sheet.height], axis=1)
    outline = np.array(lattice.outline)
    points = points - points.min(axis=0) - outline.min(axis=0)
    width, height = (points.max(axis=0) + outline.max(axis=0)).tolist()
    tints = lattice.tint(np.array(cells.cells)).tolist()
    places = [Cell((0, k), x, y, tint) for k, ((x, y), tint) in enumerate(zip(points.tolist(), tints, strict=True))]
    return Plan(width, height, places, lattice.outline)


def panel_items(panel: Panel, left: float, top: float, side: float, inks: Inks) -> list[Item]:
    """Return the items of a panel. Holes stay white, and a line surrounds the other squares."""
    board, plan = panel.board, plan_of(panel.board)
    line = min(0.25, side / 40)
    items: list[Item] = []
    for cell in plan.cells:
        x, y, square = left + cell.x * side, top + cell.y * side, cell.square
        fill = (inks.light, inks.dark, inks.third)[cell.tint]
        if not isinstance(board, CellBoard):
            items.append(
                Box(left + (cell.x - 0.5) * side, top + (cell.y - 0.5) * side, side, side, fill, inks.between, line)
            )
        else:
            corners = tuple((x + side * u, y + side * v) for u, v in plan.outline)
            items.append(Polygon(corners, fill, inks.between, line))
        if square in panel.ringed:
            items.append(Ring(x, y, 0.4 * side, inks.light, inks.given, 2 * line))
        items += _text_items(panel, square, (x, y), side, inks)
    if not isinstance(board, CellBoard):
        items += _frame(board, left, top, side, 2.5 * line, inks.frame)
    at = {cell.square: (left + cell.x * side, top + cell.y * side) for cell in plan.cells}
    walls = [_wall(at[one], at[other], board, side, inks.frame) for one, other in sorted(panel.walls)]
    return [*items, *walls]


def _text_items(panel: Panel, square: Square, centre: tuple[float, float], side: float, inks: Inks) -> list[Item]:
    x, y = centre
    items: list[Item] = []
    order = panel.ringed.get(square, "")
    if square in panel.marks:
        mark, is_bold = panel.marks[square], square in panel.strong
        size, ink = side * (_MARK if len(mark) < 3 else _LONG_MARK), inks.given if is_bold else inks.other
        if order:
            size, y = 0.75 * size, y - 0.09 * side
        items.append(middle(x, y, mark, size, is_bold=is_bold, ink=ink))
    if order:
        items.append(middle(x, centre[1] + 0.24 * side, order, _IN_RING * side, ink=inks.text))
    if square in panel.small:
        place = x + 0.4 * side, centre[1] + 0.42 * side
        if isinstance(panel.board, CellBoard) and panel.board.lattice != "box":
            place = x + 0.3 * side, centre[1] + 0.4 * side
        items.append(Text(*place, panel.small[square], 0.24 * side, "end", ink=inks.text))
    return items


def _frame(board: Board, left: float, top: float, side: float, thick: float, ink: Paint) -> list[Item]:
    if not board.holes:
        return [Box(left, top, side * board.cols, side * board.rows, None, ink, thick)]
    half = thick / 2
    return [
        Box(left + x * side - half, top + y * side - half, (x1 - x) * side + thick, (y1 - y) * side + thick, ink)
        for (x, y), (x1, y1) in outline_lines(board.rows, board.cols, board.holes)
    ]


def _wall(a: tuple[float, float], b: tuple[float, float], board: Board, side: float, ink: Paint) -> Item:
    """Return a thick line across a move: along the side, or at the corner."""
    (x, y), (u, v) = a, b
    thick = _WALL * side
    if not isinstance(board, CellBoard) and (x == u or y == v):
        low, high, across = min(x, u), min(y, v), y == v
        if across:
            return Box(low + (side - thick) / 2, high - (side + thick) / 2, thick, side + thick, ink)
        return Box(low - (side + thick) / 2, high + (side - thick) / 2, side + thick, thick, ink)
    # Side length of hexagons.
    length = side * (_AT_CORNER if not isinstance(board, CellBoard) else 1 / 3**0.5)
    middle_x, middle_y, distance = (x + u) / 2, (y + v) / 2, ((x - u) ** 2 + (y - v) ** 2) ** 0.5
    dx, dy = -(v - y) / distance * length / 2, (u - x) / distance * length / 2
    return Stroke(middle_x - dx, middle_y - dy, middle_x + dx, middle_y + dy, ink, thick)
