"""Lattices: positions of the cells of a board in the plane or in space, and the isometries of a lattice.

LATTICES has a row for each. A cell is a tuple of integers, its coordinates along the axes of the lattice.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np

Cell: TypeAlias = tuple[int, ...]
# An isometry: row i has the coordinates whose sum is coordinate i of the image.
Matrix: TypeAlias = tuple[tuple[int, ...], ...]


class Lattice(NamedTuple):
    """Row of LATTICES.

    Attributes:
        dimension: Number of coordinates of a cell, None for any from 2 on.
        isometries: For a dimension, integer matrices by name, the identity first.
        plane: For a dimension, float (dimension, 2): the step along each axis in a picture, (x, y) with y down.
        outline: The corners of a cell around its centre, in the same measure.
        tint: For cells, int (cells, dimension), the colour of each, so that neighbours differ.
    """

    name: str
    dimension: int | None
    isometries: Callable[[int], dict[str, Matrix]]
    plane: Callable[[int], np.ndarray]
    outline: tuple[tuple[float, float], ...]
    tint: Callable[[np.ndarray], np.ndarray]


# In the plane the isometries have the names that they have on boards.
_OF_SQUARES: Final = {
    "-1,-2": "180",
    "1,-2": "vertical",
    "-1,2": "horizontal",
    "2,-1": "90",
    "-2,1": "270",
    "2,1": "diagonal",
    "-2,-1": "antidiagonal",
}


@functools.cache
def _of_boxes(dimension: int) -> dict[str, Matrix]:
    """Return permutations and reflections of the axes; isometries of space are named by the images of the axes:
    "2,-1,3".
    """
    found: dict[str, Matrix] = {}
    for order in itertools.permutations(range(dimension)):
        for signs in itertools.product((1, -1), repeat=dimension):
            name = ",".join(str(sign * (axis + 1)) for axis, sign in zip(order, signs, strict=True))
            rows = (tuple(s * (axis == j) for j in range(dimension)) for axis, s in zip(order, signs, strict=True))
            found[_OF_SQUARES.get(name, name) if found else "identity"] = tuple(rows)
    return found


@functools.cache
def _of_hexagons(_: int) -> dict[str, Matrix]:
    found: dict[str, Matrix] = {}
    for mirrored in (False, True):
        matrix: Matrix = ((0, 1), (1, 0)) if mirrored else ((1, 0), (0, 1))
        for k in range(6):
            name = f"mirror {60 * k}" if mirrored else str(60 * k)
            found[name if found else "identity"] = matrix
            (a, b), (c, d) = matrix
            matrix = ((-c, -d), (a + c, b + d))
    return found


def _oblique(dimension: int) -> np.ndarray:
    """Project rows down, columns to the right, and each further axis by less up to the right."""
    further = [(0.42 * 0.6**k, -0.36 * 0.6**k) for k in range(dimension - 2)]
    return np.array([*further[::-1], (0.0, 1.0), (1.0, 0.0)])


_SIXTHS: Final = tuple(
    (math.sin(math.pi * k / 3) / math.sqrt(3), math.cos(math.pi * k / 3) / math.sqrt(3)) for k in range(6)
)
LATTICES: Final[dict[str, Lattice]] = {
    row.name: row
    for row in (
        Lattice(
            "box",
            None,
            _of_boxes,
            _oblique,
            ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)),
            lambda cells: cells.sum(axis=1) % 2,
        ),
        Lattice(
            "hexagon",
            2,
            _of_hexagons,
            lambda _: np.array([(1.0, 0.0), (0.5, math.sqrt(3) / 2)]),
            _SIXTHS,
            lambda cells: (cells[:, 0] - cells[:, 1]) % 3,
        ),
    )
}
