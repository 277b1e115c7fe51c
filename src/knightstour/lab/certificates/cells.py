"""Boards of cells in plain Python, as in certificates: the moves, and the image of each cell under a symmetry.

A hexagon (x, y) is represented as (x, y, -x - y). The isometries are then the six permutations of the three numbers,
with or without negation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import permutations, product
from math import prod
from typing import NamedTuple

from knightstour.lab.certificates import record
from knightstour.lab.certificates.record import Unreadable

_LATTICES = ("box", "hexagon")
_MAX_CELLS, _MAX_VECTORS, _MAX_DIMENSION, _MAX_COORDINATE = 100_000, 1_000, 6, 10**6
# Maximum product of the numbers of cells and vectors.
_MAX_LOOKS = 20_000_000
# In two dimensions, names of symmetries as on boards of squares.
_OF_SQUARES = {
    "180": "-1,-2",
    "vertical": "1,-2",
    "horizontal": "-1,2",
    "90": "2,-1",
    "270": "-2,1",
    "diagonal": "2,1",
    "antidiagonal": "-2,-1",
}
_OF_HEXAGONS = re.compile(r"(mirror )?(0|60|120|180|240|300)")

# A cell, or a move.
Cell = tuple[int, ...]


class Cells(NamedTuple):
    """The cells of a board, and the moves of its piece.

    leaps: of the piece, with up to as many numbers as dimensions in a box; None if the moves were listed. vectors: all
    moves.
    """

    cells: tuple[Cell, ...]
    lattice: str
    leaps: tuple[tuple[int, ...], ...] | None
    vectors: frozenset[Cell]

    @property
    def dimension(self) -> int:
        """Number of coordinates of a cell."""
        return len(self.cells[0])

    @property
    def title(self) -> str:
        """Name of the board without its piece."""
        sides = [max(axis) - min(axis) + 1 for axis in _axes(self.cells)]
        if self.lattice == "box" and prod(sides) == len(self.cells):
            return f"{'x'.join(map(str, sides))} board"
        return f"{self.lattice} of {len(self.cells)} cells"

    def near(self) -> tuple[frozenset[int], ...]:
        """Return the indices of the cells one move away from each cell."""
        place = {cell: k for k, cell in enumerate(self.cells)}
        return tuple(
            frozenset(place[there] for vector in self.vectors if (there := _plus(cell, vector)) in place)
            for cell in self.cells
        )

    def image(self, name: str) -> list[int]:
        """Return the image of each cell under a symmetry; raise Unreadable if the board does not have it."""
        turned = [_cell_image(self.lattice, cell, name) for cell in self.cells]
        if self.leaps is None and {_cell_image(self.lattice, vector, name) for vector in self.vectors} != self.vectors:
            raise Unreadable(f"the moves have no symmetry {name[:60]!r}")
        shift = tuple(min(a) - min(b) for a, b in zip(_axes(self.cells), _axes(turned), strict=True))
        place = {cell: k for k, cell in enumerate(self.cells)}
        image = [place.get(_plus(cell, shift), -1) for cell in turned]
        if -1 in image:
            raise Unreadable(f"the board has no symmetry {name[:60]!r}")
        return image


def cells_of(board: Mapping[str, object]) -> Cells | None:
    """Return the cells of the board of a certificate, None for other boards; raise Unreadable if they are invalid."""
    if board.get("cells") is None:
        if any(board.get(key) is not None for key in ("lattice", "vectors")):
            raise Unreadable('only a board with "cells" has a "lattice" and "vectors"')
        return None
    if any(board.get(key) for key in ("holes", "wrap", "leaper", "graph")):
        raise Unreadable('a board with "cells" has no holes, wrap, leaper or graph')
    found = [_cell(value, '"cells"') for value in record.items(board, "cells", _MAX_CELLS)]
    lattice = record.text(board, "lattice")
    dimension = len(found[0]) if found else 0
    if lattice not in _LATTICES or not 2 <= dimension <= (2 if lattice == "hexagon" else _MAX_DIMENSION):
        raise Unreadable('"lattice" must be box, for cells of 2 to 6 numbers, or hexagon, for cells of 2')
    if any(len(cell) != dimension for cell in found) or len(set(found)) < len(found):
        raise Unreadable('"cells" must be a list of distinct lists of equal length')
    if (board.get("rows"), board.get("cols")) != (1, len(found)):
        raise Unreadable('a board with "cells" has one row, and one column per cell')
    leaps, vectors = None, frozenset(_cell(value, '"vectors"') for value in _optional_items(board, "vectors"))
    if not vectors:
        given = [record.numbers(leap, '"leaps"', most=_MAX_COORDINATE) for leap in _optional_items(board, "leaps")]
        if any(not 2 <= len(leap) <= dimension for leap in given):
            raise Unreadable('"leaps" must be lists of 2 numbers, or in a box of up to its number of dimensions')
        leaps = tuple(sorted({tuple(sorted(leap)) for leap in given}))
        vectors = frozenset(vector for leap in leaps for vector in _moves_of(lattice, leap, dimension))
    is_fit = all(len(vector) == dimension and any(vector) and _negative(vector) in vectors for vector in vectors)
    if not vectors or not is_fit or len(found) * len(vectors) > _MAX_LOOKS:
        raise Unreadable("the moves must be vectors of the dimension of the cells, each with its reverse, and not many")
    return Cells(tuple(found), lattice, leaps, vectors)


def _optional_items(board: Mapping[str, object], key: str) -> list[object]:
    return list(record.items(board, key, _MAX_VECTORS)) if key in board else []


def _cell(value: object, name: str) -> Cell:
    if not isinstance(value, list) or not all(
        isinstance(x, int) and not isinstance(x, bool) and abs(x) <= _MAX_COORDINATE for x in value
    ):
        raise Unreadable(f"{name} must be lists of integers up to {_MAX_COORDINATE:,}")
    return tuple(value)


def _moves_of(lattice: str, leap: tuple[int, ...], dimension: int) -> Iterator[Cell]:
    """Yield the moves of a leap: along any axes in boxes; for hexagons see above."""
    if lattice == "hexagon":
        a, b = leap
        for x, y, _ in permutations((a, b, -a - b)):
            yield from ((x, y), (-x, -y))
        return
    for axes in permutations(range(dimension), len(leap)):
        for signs in product((1, -1), repeat=len(leap)):
            vector = [0] * dimension
            for axis, sign, number in zip(axes, signs, leap, strict=True):
                vector[axis] = sign * number
            yield tuple(vector)


def _cell_image(lattice: str, cell: Cell, name: str) -> Cell:
    """Return the image of a cell under an isometry, without its translation."""
    if lattice == "box":
        name = _OF_SQUARES.get(name, name) if len(cell) == 2 else name
        axes = [int(axis) for axis in name.split(",")] if re.fullmatch(r"-?\d(,-?\d)*", name) else []
        if sorted(map(abs, axes)) != list(range(1, len(cell) + 1)):
            raise Unreadable(f"unknown symmetry: {name[:60]!r}")
        return tuple(cell[axis - 1] if axis > 0 else -cell[-axis - 1] for axis in axes)
    match = _OF_HEXAGONS.fullmatch(name)
    if match is None:
        raise Unreadable(f"unknown symmetry: {name[:60]!r}")
    x, y = reversed(cell) if match[1] else cell
    for _ in range(int(match[2]) // 60):
        x, y = -y, x + y
    return x, y


def _plus(cell: Cell, vector: Cell) -> Cell:
    return tuple(x + y for x, y in zip(cell, vector, strict=True))


def _negative(vector: Cell) -> Cell:
    return tuple(-x for x in vector)


def _axes(cells: list[Cell] | tuple[Cell, ...]) -> list[Cell]:
    return list(zip(*cells, strict=True))
