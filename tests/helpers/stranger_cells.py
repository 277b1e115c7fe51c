"""Boards of cells, and rotations, for the independent checker, from docs/certificate-format.md alone."""

from __future__ import annotations

import re
from itertools import permutations, product
from typing import Any

from helpers.stranger_drat import demand

# Rows and columns exchanged first; then rows, and columns, counted from the other side.
TURNS = {
    "180": (False, True, True),
    "vertical": (False, False, True),
    "horizontal": (False, True, False),
    "90": (True, False, True),
    "270": (True, True, False),
    "diagonal": (True, False, False),
    "antidiagonal": (True, True, True),
}
IN_THE_PLANE = {
    "180": "-1,-2",
    "vertical": "1,-2",
    "horizontal": "-1,2",
    "90": "2,-1",
    "270": "-2,1",
    "diagonal": "2,1",
    "antidiagonal": "-2,-1",
}


def cells_of(board: dict[str, Any]) -> Cells | None:
    """Return the cells of a board, or None."""
    if board.get("cells") is None:
        demand(all(board.get(key) is None for key in ("lattice", "vectors")), "cells")
        return None
    return Cells(board)


class Cells:
    """Cells with their moves. near: neighbours by index."""

    def __init__(self, board: dict[str, Any]) -> None:
        cells = [tuple(cell) for cell in board["cells"]]
        self.place = {cell: k for k, cell in enumerate(cells)}
        self.dimension, self.is_hexagon = len(cells[0]), board["lattice"] == "hexagon"
        demand(board["lattice"] in ("box", "hexagon"), "lattice")
        demand(2 <= self.dimension <= (2 if self.is_hexagon else 6), "dimension")
        demand(all(len(cell) == self.dimension for cell in cells) and len(self.place) == len(cells), "cells")
        demand(all(type(x) is int for cell in cells for x in cell), "numbers")
        demand((board["rows"], board["cols"]) == (1, len(cells)), "one row")
        demand(not any(board.get(key) for key in ("holes", "wrap", "leaper", "graph")), "nothing else")
        self.vectors = {tuple(vector) for vector in board.get("vectors", [])}
        self.is_given = bool(self.vectors)
        for leap in [] if self.is_given else board["leaps"]:
            demand(all(a >= 0 for a in leap) and 2 <= len(leap) <= self.dimension, "leaps")
            if self.is_hexagon:
                for x, y, _ in permutations((*leap, -sum(leap))):
                    self.vectors |= {(x, y), (-x, -y)}
            for signs in product((1, -1), repeat=len(leap)):
                numbers = [s * a for s, a in zip(signs, leap, strict=True)] + [0] * (self.dimension - len(leap))
                self.vectors |= set() if self.is_hexagon else set(permutations(numbers))
        demand(all(len(v) == self.dimension and any(v) for v in self.vectors) and self.vectors, "moves")
        demand(all(tuple(-x for x in vector) in self.vectors for vector in self.vectors), "reverses")
        self.near = {
            k: {self.place[there] for v in self.vectors if (there := _sum(cell, v)) in self.place}
            for cell, k in self.place.items()
        }

    def turned(self, cell: tuple[int, ...], name: str) -> tuple[int, ...]:
        """Return the image of a cell, without translation."""
        if self.is_hexagon:
            match = re.fullmatch("(mirror )?(0|60|120|180|240|300)", name)
            demand(match is not None, "name")
            assert match is not None
            x, y = cell[::-1] if match[1] else cell
            for _ in range(int(match[2]) // 60):
                x, y = -y, x + y
            return x, y
        name = IN_THE_PLANE.get(name, name) if self.dimension == 2 else name
        demand(re.fullmatch(r"-?[1-6](,-?[1-6])*", name) is not None, "name")
        axes = [int(axis) for axis in name.split(",")]
        demand(sorted(map(abs, axes)) == list(range(1, self.dimension + 1)), "axes")
        return tuple(cell[abs(axis) - 1] * (1 if axis > 0 else -1) for axis in axes)

    def image(self, name: str) -> dict[int, int] | None:
        """Return the image of each index, or None without this symmetry."""
        if self.is_given and {self.turned(vector, name) for vector in self.vectors} != self.vectors:
            return None
        turned = [self.turned(cell, name) for cell in self.place]
        least, now = (tuple(map(min, zip(*cells, strict=True))) for cells in (self.place, turned))
        there = [_sum(cell, [a - b for a, b in zip(least, now, strict=True)]) for cell in turned]
        return {k: self.place[cell] for k, cell in enumerate(there)} if set(there) == self.place.keys() else None


def _sum(one: Any, other: Any) -> tuple[int, ...]:
    return tuple(x + y for x, y in zip(one, other, strict=True))
