"""Layout of the cells of a board on a sheet: layers side by side, hexagons in lines shifted by half a cell.

Texts, pictures and the page use this layout of a board of cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.lattices import LATTICES

# Cells that stay free between two layers.
_GAP: Final = 1
# Characters of a line of text; and places on a sheet for each cell, beyond which a text would be nearly all blank.
_TEXT_WIDTH: Final = 80
_MAX_PLACES: Final = 100


class Layers(NamedTuple):
    """Sheet of a board of cells, an item for each cell, in the order of the nodes.

    Attributes:
        lines: int64, its line, from 0 at the top.
        halves: int64, its distance from the left in halves of a cell.
        layers: int64, the number of its layer, from 0.
        height: Height of a line, in cells.
        steps: Distance to the layer below, in lines, and to the next layer, in halves.
        across: Number of layers side by side.
    """

    lines: np.ndarray
    halves: np.ndarray
    layers: np.ndarray
    height: float
    steps: tuple[int, int]
    across: int

    @property
    def layer_count(self) -> int:
        return int(self.layers.max()) + 1

    @property
    def is_staggered(self) -> bool:
        """Whether some lines begin half a cell further to the right than others."""
        return bool((self.halves % 2).any())


def layers_of(cells: CellBoard, across: int | None = None) -> Layers:
    """Return the sheet of these cells. across: number of layers side by side; None for a square arrangement.

    >>> sheet = layers_of(CellBoard("2x2x3"), across=2)
    >>> sheet.lines.tolist(), sheet.halves.tolist()
    ([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1], [0, 2, 4, 0, 2, 4, 8, 10, 12, 8, 10, 12])
    """
    where, plane = np.array(cells.cells, dtype=np.int64), LATTICES[cells.lattice].plane(2)
    height = float(np.abs(plane[:, 1]).max())
    places = where[:, -2:] @ plane
    lines = np.rint(places[:, 1] / height).astype(np.int64)
    halves = np.rint(2 * places[:, 0]).astype(np.int64)
    lines, halves = lines - lines.min(), halves - halves.min()
    layers = np.zeros(len(where), dtype=np.int64)
    if cells.dimension > 2:
        layers = np.unique(where[:, :-2], axis=0, return_inverse=True)[1].reshape(-1)
    count = int(layers.max()) + 1
    # From four dimensions on, each line of layers has one value of the first coordinates.
    last = len(np.unique(where[:, -3])) if cells.dimension > 3 else count
    across = min(last, across or (last if cells.dimension > 3 else math.ceil(math.sqrt(count))))
    steps = int(lines.max()) + 1 + _GAP, int(halves.max()) + 2 + 2 * _GAP
    lines += layers // across * steps[0]
    halves += layers % across * steps[1]
    return Layers(lines, halves, layers, height, steps, across)


def is_compact(cells: CellBoard) -> bool:
    """Whether the cells lie near enough to each other for a text with a place for each."""
    sheet = layers_of(cells)
    return (int(sheet.lines.max()) + 1) * (int(sheet.halves.max()) + 2) <= 2 * _MAX_PLACES * len(cells.cells)


def rows_of(sheet: Layers) -> list[dict[int, int]]:
    """Return each line of a sheet: the cell at each position of a text, by halves from the left; -1 for missing cells.

    For squares these are all positions of the layers, for hexagons the positions between others.
    """
    rows = [dict[int, int]() for _ in range(int(sheet.lines.max()) + 1)]
    for cell, (line, half) in enumerate(zip(sheet.lines.tolist(), sheet.halves.tolist(), strict=True)):
        rows[line][half] = cell
    tall, wide = sheet.steps
    for layer in range(sheet.layer_count):
        top, left = layer // sheet.across * tall, layer % sheet.across * wide
        right = left + wide - 2 * _GAP
        for row in rows[top : top + tall - _GAP]:
            own = [half for half in row if left <= half < right]
            begin, end = (min(own, default=0), max(own, default=0)) if sheet.is_staggered else (left, right)
            for half in range(begin, end, 2):
                row.setdefault(half, -1)
    return [dict(sorted(row.items())) for row in rows]


def in_layers(cells: CellBoard, texts: Sequence[str], none: str = ".") -> list[str]:
    """A text for each cell as lines, where it lies; `none` where a layer has none. A blank line is above a lower layer.

    >>> print("\\n".join(in_layers(CellBoard("2x2x3"), [str(k) for k in range(12)])))
     0  1  2     6  7  8
     3  4  5     9 10 11
    >>> print("\\n".join(in_layers(CellBoard("hex:2"), "abcdefg")))
      a   b
    c   d   e
      f   g
    """
    width = max(map(len, texts))
    alone = layers_of(cells, 1)
    # Half the width of a cell must be an integer, and one character is not enough.
    pitch = width + 1 if not alone.is_staggered else max(4, width + 1 + width % 2)
    pitch += pitch % 2 if alone.is_staggered else 0
    layer = alone.steps[1] // 2 * pitch
    rows = rows_of(layers_of(cells, max(1, (_TEXT_WIDTH + _GAP * pitch) // layer)))
    lines = []
    for row in rows:
        line = ""
        for half, cell in row.items():
            line = line.ljust(half * pitch // 2) + (texts[cell] if cell >= 0 else none).rjust(width)
        lines.append(line)
    return lines


def cells_read(cells: CellBoard, lengths: Sequence[int]) -> np.ndarray | None:
    """Return the cell of each entry of a text whose lines have these lengths, -1 for missing cells: int64 (entries,).

    Any number of layers may be side by side. Returns None if the text does not fit the cells.
    """
    most = layers_of(cells, len(cells.cells)).across
    for across in range(1, most + 1):
        rows = [row for row in rows_of(layers_of(cells, across)) if row]
        if [len(row) for row in rows] == list(lengths):
            return np.array([cell for row in rows for cell in row.values()], dtype=np.int64)
    return None
