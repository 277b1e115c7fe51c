"""Boards of cells: boxes of any dimension, hexagons and triangles of hexagons, and any other cells of a lattice.

The moves of a piece are the images of its leaps (a, b, 0, ...) under the isometries of the lattice: a knight has eight
of them on squares, twelve on hexagons, twenty-four in a box. The king of a box steps to all 26 cells around its own.
The board is the graph of these moves, which every search, count and proof takes, and keeps the cells, by whose
coordinates a tour is checked.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import numpy as np

from knightstour.core.model.errors import BoardError
from knightstour.core.model.lattices import LATTICES, Cell, Matrix
from knightstour.core.model.names import parse_square, square_name
from knightstour.core.model.pieces import Moves, Piece
from knightstour.core.model.validation import each, is_whole, one_of, quoted, whole_number

# Cells whose moves are listed; a board of more takes minutes and gigabytes.
MAX_CELLS: Final = 100_000
# Cells times moves of the piece.
_MAX_LOOKS: Final = 20_000_000
_MAX_DIMENSION: Final = 6
_MAX_COORDINATE: Final = 10**6
# What may be given for the moves of a board of cells: a piece, or vectors of its dimension.
CellMoves: TypeAlias = "Moves | Iterable[Cell]"


@dataclass(frozen=True, slots=True)
class Cells:
    """What a board of cells knows besides its graph.

    cells: in the order of the nodes. lattice: a name of LATTICES. piece: None where the vectors were given. vectors:
    the moves. shape: of which they are all cells or some, as a word, "4x4x4"; "" if they belong to no such shape.
    is_whole: whether no cell of the shape is missing.
    """

    cells: tuple[Cell, ...]
    lattice: str
    piece: Piece | None
    vectors: tuple[Cell, ...]
    shape: str = field(init=False, compare=False)
    is_whole: bool = field(init=False, compare=False)
    # The least and the largest coordinate along each axis.
    _low: Cell = field(init=False, compare=False, repr=False)
    _high: Cell = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        axes = list(zip(*self.cells, strict=True))
        object.__setattr__(self, "_low", tuple(map(min, axes)))
        object.__setattr__(self, "_high", tuple(map(max, axes)))
        self._find_shape()

    @classmethod
    def of(cls, cells: Iterable[Iterable[int]], moves: CellMoves, lattice: str) -> Cells:
        """The cells with the moves of a piece or of these vectors; a BoardError where either is none."""
        row = LATTICES[one_of(lattice, LATTICES, "lattice", error=BoardError)]
        held = _checked_cells(cells)
        dimension = len(held[0])
        if row.dimension not in (None, dimension):
            help = f"each cell has {row.dimension} numbers there"
            raise BoardError(f"cells of {dimension} numbers do not lie on the lattice {lattice!r}", help=help)
        if (given := _as_vectors(moves, dimension)) is not None:
            return cls(held, lattice, None, given)
        piece = Piece.of(moves, dimension)  # type: ignore[arg-type]
        return cls(held, lattice, piece, _vectors_of(piece, row.isometries(dimension)))

    def _find_shape(self) -> None:
        """Set `shape` and `is_whole`; a shape that lacks more cells than it has is not used."""
        count = len(self.cells)
        for word, full in _shapes_between(self._low, self._high, self.lattice, 2 * count):
            if self.cells == full or _is_part(self.cells, full):
                object.__setattr__(self, "shape", word)
                object.__setattr__(self, "is_whole", count == len(full))
                return
        object.__setattr__(self, "shape", "")
        object.__setattr__(self, "is_whole", True)

    @property
    def word(self) -> str:
        """The shape if no cell of it is missing, else ""."""
        return self.shape if self.is_whole else ""

    @property
    def missing(self) -> tuple[Cell, ...]:
        """The cells of the shape that are holes, in the order of the shape."""
        if self.is_whole:
            return ()
        here = set(self.cells)
        return tuple(cell for cell in cells_of_shape(self.shape) if cell not in here)

    def without(self, names: Iterable[str | Iterable[int]]) -> Cells:
        """The cells without some, given by name or as coordinates. The others keep their names.

        Raises BoardError if there is no such cell, or none is left.

        >>> len(Cells.of(box(2, 2, 2), "king", "box").without(["a1.1", (1, 0, 0)]).cells)
        6
        """
        gone = set()
        for name in names:
            cell = self.cell_named(name) if isinstance(name, str) else tuple(name)
            if isinstance(name, str) and cell is None and _PAIR.fullmatch(name):
                cell = tuple(map(int, re.findall(r"-?\d+", name)))
            if cell is None or cell not in self.cells:
                raise unknown_error(self, name)
            gone.add(cell)
        if len(gone) == len(self.cells):
            raise BoardError("the board has no cell left: every one is a hole")
        return self.part(place for place, cell in enumerate(self.cells) if cell not in gone)

    @property
    def dimension(self) -> int:
        """How many numbers a cell has."""
        return len(self.cells[0])

    @property
    def sides(self) -> tuple[int, ...] | None:
        """Those of a box that lacks no cell; None for other cells.

        >>> Cells.of(box(2, 3, 4), "knight", "box").sides, Cells.of(hexagon(2), "king", "hexagon").sides
        ((2, 3, 4), None)
        """
        sides = tuple(high - low + 1 for low, high in zip(self._low, self._high, strict=True))
        return sides if self.lattice == "box" and math.prod(sides) == len(self.cells) else None

    @property
    def title(self) -> str:
        """The board as a sentence names it."""
        shape = f"{self.word} board" if self.word else f"{self.lattice} of {len(self.cells)} cells"
        if self.shape and not self.is_whole:
            count = len(cells_of_shape(self.shape)) - len(self.cells)
            shape = f"{self.shape} board with {count} hole{'s' * (count > 1)}"
        if self.piece is None:
            return f"{shape} with {len(self.vectors)} moves"
        is_usual = self.piece == usual_piece(self.shape, self.dimension)
        return shape if is_usual else f"{shape} for the {self.mover}"

    @property
    def mover(self) -> str:
        """The piece and its number of neighbours, as a sentence names them.

        >>> Cells.of(box(3, 3, 3), "king", "box").mover, Cells.of(box(3, 3, 3), [(0, 1), (1, 1)], "box").mover
        ('king (26 neighbours)', 'wazir+ferz (18 neighbours)')
        """
        piece = "piece" if self.piece is None else self.piece.title
        return f"{piece} ({len(self.vectors)} neighbours)"

    @property
    def is_flat(self) -> bool:
        """Whether the cells lie in the plane."""
        return self.dimension == 2

    def near(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each cell, by place, in the order of the vectors; a BoardError if they are too many."""
        if len(self.cells) * len(self.vectors) > _MAX_LOOKS:
            note = f"{len(self.cells):,} cells times {len(self.vectors):,} moves are more than {_MAX_LOOKS:,}"
            raise BoardError(f"the moves of the {self.title} are too many to list", note=note, help="use fewer leaps")
        where, vectors = np.array(self.cells, dtype=np.int64), np.array(self.vectors, dtype=np.int64)
        reach = int(np.abs(vectors).max())
        low, span = where.min(axis=0) - reach, np.ptp(where, axis=0) + 2 * reach + 1
        # A cell as one number; Python's own where 64 bits do not hold it.
        kind = object if math.prod(span.tolist()) >= 1 << 62 else np.int64
        strides = np.array([math.prod(span[k + 1 :].tolist()) for k in range(self.dimension)], dtype=kind)
        keys = ((where - low).astype(kind) * strides).sum(axis=1)
        order = np.argsort(keys)
        sorted_keys = keys[order]
        columns = []
        for step in (vectors.astype(kind) * strides).sum(axis=1):
            place = np.minimum(np.searchsorted(sorted_keys, keys + step), len(keys) - 1)
            columns.append(np.where(sorted_keys[place] == keys + step, order[place], -1))
        return tuple(tuple(there for there in row if there >= 0) for row in np.stack(columns, axis=1).tolist())

    def are_moves(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Whether each pair of places is one move apart: by differences of coordinates alone."""
        where = np.array(self.cells)
        steps = (where[after] - where[before]).reshape(-1, self.dimension)
        found = (steps[:, None, :] == np.array(self.vectors)[None]).all(axis=2).any(axis=1)
        return found.reshape(np.shape(before))

    def layings(self) -> Iterator[tuple[str, np.ndarray]]:
        """Each way to lay the cells on themselves, the identity first: the name of the isometry, where each place goes.

        Isometries that do not take the moves to moves are left out.
        """
        where = np.array(self.cells)
        place = {cell: k for k, cell in enumerate(self.cells)}
        seen, vectors = set(), set(self.vectors)
        for name, matrix in LATTICES[self.lattice].isometries(self.dimension).items():
            if self.piece is None and {_times(matrix, vector) for vector in vectors} != vectors:
                continue
            image = where @ np.array(matrix).T
            image += where.min(axis=0) - image.min(axis=0)
            places = tuple(place.get(tuple(cell), -1) for cell in image.tolist())
            if -1 not in places and places not in seen:
                seen.add(places)
                yield name, np.array(places, dtype=np.int64)

    def part(self, places: Iterable[int]) -> Cells:
        """Some of the cells, under the names that they have here; a shape with a word has its own, which texts give."""
        made = replace(self, cells=tuple(self.cells[place] for place in places))
        if not made.word:
            for name in ("_low", "_high"):
                object.__setattr__(made, name, getattr(self, name))
            made._find_shape()
        return made

    def points(self) -> np.ndarray:
        """The middles of the cells in a picture, float (cells, 2), y down: of a box the layers behind each other."""
        points: np.ndarray = np.array(self.cells, dtype=float) @ LATTICES[self.lattice].plane(self.dimension)
        return points

    def name(self, place: int) -> str:
        """The name of a cell: "a1" in the plane, "a1.3" in the third layer of a box, and so on.

        Columns have letters, rows are counted from the lowest one up, and layers from 1.
        """
        return self.name_of(self.cells[place])

    def name_of(self, cell: Cell) -> str:
        """The name of a cell given by its coordinates, which may be a hole."""
        low, high = self._low, self._high
        down, across = _axes_of(self.lattice, self.dimension)
        named = square_name((cell[down] - low[down], cell[across] - low[across]), high[down] - low[down] + 1)
        return ".".join([named, *(str(cell[k] - low[k] + 1) for k in reversed(range(self.dimension - 2)))])

    def names(self) -> list[str]:
        """The names of all cells, in order."""
        return [self.name(place) for place in range(len(self.cells))]

    def cell_named(self, name: str) -> Cell | None:
        """The cell that has this name, None where none has, on the board or beside it."""
        low, high = self._low, self._high
        down, across = _axes_of(self.lattice, self.dimension)
        square, *layers = name.strip().split(".")
        if len(layers) != self.dimension - 2 or not all(layer.isdecimal() and len(layer) < 20 for layer in layers):
            return None
        found = [int(layer) - 1 + low[k] for k, layer in enumerate(reversed(layers))] + [0, 0]
        try:
            row, col = parse_square(square, high[down] - low[down] + 1)
        except BoardError:
            return None
        found[down], found[across] = row + low[down], col + low[across]
        return tuple(found)


@functools.cache
def _axes_of(lattice: str, dimension: int) -> tuple[int, int]:
    """Which of the last two axes leads down, and which across: that is rows, and columns."""
    last = LATTICES[lattice].plane(dimension)[-2:]
    down = dimension - 2 + int(np.argmax(last[:, 1]))
    return down, 2 * dimension - 3 - down


def _times(matrix: Matrix, vector: Cell) -> Cell:
    return tuple(sum(a * x for a, x in zip(row, vector, strict=True)) for row in matrix)


def _vectors_of(piece: Piece, isometries: dict[str, Matrix]) -> tuple[Cell, ...]:
    dimension = len(isometries["identity"])
    leaps = [leap + (0,) * (dimension - len(leap)) for leap in piece.leaps]
    return tuple(dict.fromkeys(_times(matrix, leap) for leap in leaps for matrix in isometries.values()))


def _as_vectors(moves: object, dimension: int) -> tuple[Cell, ...] | None:
    """Vectors of the dimension of the cells, checked; None where the moves are those of a piece."""
    if isinstance(moves, str | Piece) or not isinstance(moves, Iterable):
        return None
    vectors = [tuple(each) if isinstance(each, list | tuple) else each for each in moves]
    tuples = [each for each in vectors if isinstance(each, tuple)]
    # Leaps have no negative number; vectors do, as each has its reverse.
    if not any(is_whole(x) and x < 0 for each in tuples for x in each):
        return None
    for vector in vectors:
        if not isinstance(vector, tuple) or len(vector) != dimension or not all(map(is_whole, vector)):
            help = f"a vector has {dimension} numbers, as the cells have; leaps of a piece have no negative numbers"
            raise BoardError(f"no move there: {quoted(vector)}", help=help)
        if not any(vector):
            raise BoardError(f"a move that stays where it is: {quoted(vector)}", help="leave it out")
        if tuple(-x for x in vector) not in vectors:
            back = tuple(-x for x in vector)
            help = f"add {back}: a tour may be gone either way round"
            raise BoardError(f"the move {vector} has no reverse among the moves", help=help)
    return tuple(dict.fromkeys(tuple(map(int, vector)) for vector in tuples))


def _checked_cells(cells: Iterable[Iterable[int]]) -> tuple[Cell, ...]:
    """The cells as tuples of one dimension, all different; a BoardError otherwise."""
    help = "give tuples of whole numbers, such as [(0, 0, 0), (0, 1, 2)]"
    found: list[Cell] = []
    for cell in each(cells, "cells", error=BoardError, help=help):
        if not isinstance(cell, list | tuple | np.ndarray) or not all(map(is_whole, cell)):
            raise BoardError(f"no cell: {quoted(cell)}", help=help)
        if found and len(cell) != len(found[0]):
            raise BoardError(f"cells of {len(found[0])} and of {len(cell)} numbers", help="all have one dimension")
        if not 2 <= len(cell) <= _MAX_DIMENSION:
            raise BoardError(f"a cell of {len(cell)} numbers: {quoted(cell)}", help=f"it has 2 to {_MAX_DIMENSION}")
        if len(found) == MAX_CELLS:
            raise BoardError(f"a board of over {MAX_CELLS:,} cells: too many to list their moves", help="take fewer")
        if any(abs(x) > _MAX_COORDINATE for x in cell):
            raise BoardError(f"a cell too far away: {quoted(cell)}", help=f"coordinates go to {_MAX_COORDINATE:,}")
        found.append(tuple(map(int, cell)))
    if not found:
        raise BoardError("a board without a cell", help=help)
    if len(set(found)) < len(found):
        doubled = next(cell for k, cell in enumerate(found) if cell in set(found[:k]))
        raise BoardError(f"the cell {doubled} is given twice", help="give each once")
    return tuple(found)


# ---------------------------------------------------------------- shapes with a name


def box(*sides: int) -> tuple[Cell, ...]:
    """The cells of a box.

    >>> len(box(2, 3, 4))
    24
    """
    lengths = [_side(side) for side in sides]
    if not 2 <= len(lengths) <= _MAX_DIMENSION:
        raise BoardError(f"a box of {len(lengths)} sides", help=f"it has 2 to {_MAX_DIMENSION}: Board.box(4, 4, 4)")
    _check_count(math.prod(lengths), "x".join(map(str, lengths)))
    return tuple(itertools.product(*map(range, lengths)))


def hexagon(side: int) -> tuple[Cell, ...]:
    """The cells of a hexagon of hexagonal cells; side: how many lie along each side.

    >>> len(hexagon(2))
    7
    """
    n = _side(side) - 1
    _check_count(3 * n * (n + 1) + 1, f"hex:{side}")
    return tuple((q, r) for r in range(-n, n + 1) for q in range(-n, n + 1) if abs(q + r) <= n)


def triangle(side: int) -> tuple[Cell, ...]:
    """The hexagonal cells of a triangle; side: how many lie along each side.

    >>> len(triangle(3))
    6
    """
    n = _side(side)
    _check_count(n * (n + 1) // 2, f"tri:{side}")
    return tuple((q, r) for r in range(n) for q in range(n - r))


def _side(side: object) -> int:
    return whole_number(side, "a side", least=1, error=BoardError)


def _check_count(count: int, word: str) -> None:
    if count > MAX_CELLS:
        note = f"at most {MAX_CELLS:,} cells have their moves listed"
        raise BoardError(f"{word} has {count:,} cells: too many to list their moves", note=note, help="take fewer")


# Word -> the shape, its lattice and the piece that is meant where none is named.
SHAPES: Final[dict[str, tuple[Callable[[int], tuple[Cell, ...]], str, str]]] = {
    "hex": (hexagon, "hexagon", "knight"),
    "tri": (triangle, "hexagon", "wazir"),
}
_BOX: Final = re.compile(r"\d{1,9}(?:\s*[xX×]\s*\d{1,9}){2,}")
_PAIR: Final = re.compile(r"\(?\s*-?\d+(?:\s*,\s*-?\d+)+\s*\)?")


@functools.lru_cache(maxsize=16)
def cells_of_shape(shape: str) -> tuple[Cell, ...]:
    """Return the cells of a shape, such as "4x4x4", "hex:6" or "tri:8".

    >>> len(cells_of_shape("2x3x4")), len(cells_of_shape("hex:2"))
    (24, 7)
    """
    name, _, side = shape.partition(":")
    return SHAPES[name][0](int(side)) if side else box(*map(int, shape.split("x")))


def _shapes_between(low: Cell, high: Cell, lattice: str, most: int) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """Yield the shapes of at most so many cells whose least and largest coordinates are these."""
    sides = [far - near + 1 for near, far in zip(low, high, strict=True)]
    if lattice == "box":
        if len(sides) > 2 and not any(low) and math.prod(sides) <= most:
            word = "x".join(map(str, sides))
            yield word, cells_of_shape(word)
        return
    for name, first, side in (("hex", 1 - (sides[0] + 1) // 2, (sides[0] + 1) // 2), ("tri", 0, sides[0])):
        if set(low) == {first} and set(sides) == {sides[0]} and side * (side + 1) // 2 <= most:
            full = cells_of_shape(f"{name}:{side}")
            if tuple(map(max, zip(*full, strict=True))) == high and len(full) <= most:
                yield f"{name}:{side}", full


def _is_part(cells: tuple[Cell, ...], full: tuple[Cell, ...]) -> bool:
    """Whether some cells are those of another list, in its order."""
    rest = iter(full)
    return all(cell in rest for cell in cells)


def word_of(cells: Cells) -> str:
    """The word that `board_words.cells_of_word` reads; "" where the cells have none."""
    if not cells.shape or cells.piece is None:
        return ""
    parts = [cells.shape]
    if cells.piece != usual_piece(cells.shape, cells.dimension):
        parts.append(cells.piece.word)
    if not cells.is_whole:
        parts.append("-" + ",".join(cells.name_of(cell) for cell in cells.missing))
    return ":".join(parts)


def unknown_error(cells: Cells | None, name: object) -> BoardError:
    """The error about a name that no cell has; or no node, of the board of a graph."""
    if cells is None:
        return BoardError(f"the graph has no node {quoted(name)}")
    parts = ["column", "row", "layer", *["layer of layers"] * (cells.dimension - 3)][: cells.dimension]
    help = f"its cells have names such as {cells.name(0)} and {cells.name(len(cells.cells) - 1)}: {', '.join(parts)}"
    return BoardError(f"the board has no cell {quoted(name)}", help=help)


def usual_piece(shape: str, dimension: int) -> Piece:
    """The piece that is meant where a word names none."""
    return Piece.of(SHAPES[shape.split(":")[0]][2] if ":" in shape else "knight", dimension)
