"""Cells of a lattice: boxes of any dimension, hexagons and triangles of hexagons, their words and their moves.

The moves of a piece are the images of its leaps (a, b, 0, ...) under the isometries of the lattice: a knight has eight
of them on squares, twelve on hexagons, twenty-four in a box. The king of a box steps to all 26 cells around its own.
The class of their boards is CellBoard.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from knightstour.core.model.board_words import BoardParts, read_parts
from knightstour.core.model.errors import BoardError
from knightstour.core.model.lattices import LATTICES, Cell, Matrix
from knightstour.core.model.pieces import Moves, Piece, help_for_piece, is_rider
from knightstour.core.model.validation import each, is_whole, one_of, quoted, whole_number

# Cells whose moves are listed; a board of more takes minutes and gigabytes.
MAX_CELLS: Final = 100_000
# Cells times moves of the piece.
_MAX_LOOKS: Final = 20_000_000
_MAX_DIMENSION: Final = 6
_MAX_COORDINATE: Final = 10**6
# Moves of a board of cells: a piece, or vectors of its dimension.
CellMoves: TypeAlias = "Moves | Iterable[Cell]"


@functools.cache
def axes_of(lattice: str, dimension: int) -> tuple[int, int]:
    """Which of the last two axes leads down, and which across: that is rows, and columns.

    >>> axes_of("box", 3), axes_of("hexagon", 2)
    ((1, 2), (1, 0))
    """
    last = LATTICES[lattice].plane(dimension)[-2:]
    down = dimension - 2 + int(np.argmax(last[:, 1]))
    return down, 2 * dimension - 3 - down


def times(matrix: Matrix, vector: Cell) -> Cell:
    """Return the image of a vector.

    >>> times(((0, 1), (1, 0)), (2, 5))
    (5, 2)
    """
    return tuple(sum(a * x for a, x in zip(row, vector, strict=True)) for row in matrix)


def moves_on(cells: tuple[Cell, ...], moves: CellMoves, lattice: str) -> tuple[Piece | None, tuple[Cell, ...]]:
    """Return the piece and its vectors on these cells, or None and the given vectors.

    Raises:
        BoardError: If there are no vectors.

    >>> moves_on(((0, 0), (0, 1)), "wazir", "box")
    (Piece(leaps=((0, 1),)), ((0, 1), (0, -1), (1, 0), (-1, 0)))
    """
    row = LATTICES[one_of(lattice, LATTICES, "lattice", error=BoardError)]
    dimension = len(cells[0])
    if row.dimension not in (None, dimension):
        help = f"each cell has {row.dimension} numbers there"
        raise BoardError(f"cells of {dimension} numbers do not lie on the lattice {lattice!r}", help=help)
    if (given := _as_vectors(moves, dimension)) is not None:
        return None, given
    piece = Piece.of(moves, dimension)  # type: ignore[arg-type]
    return piece, _vectors_of(piece, row.isometries(dimension))


def _vectors_of(piece: Piece, isometries: dict[str, Matrix]) -> tuple[Cell, ...]:
    dimension = len(isometries["identity"])
    leaps = [leap + (0,) * (dimension - len(leap)) for leap in piece.leaps]
    return tuple(dict.fromkeys(times(matrix, leap) for leap in leaps for matrix in isometries.values()))


def _as_vectors(moves: object, dimension: int) -> tuple[Cell, ...] | None:
    """Return checked vectors; None if the moves are a piece."""
    if isinstance(moves, str | Piece) or not isinstance(moves, Iterable):
        return None
    vectors = [tuple(each) if isinstance(each, list | tuple) else each for each in moves]
    tuples = [each for each in vectors if isinstance(each, tuple)]
    # Leaps have no negative number; vectors do, as each has its reverse.
    if not any(is_whole(x) and x < 0 for each in tuples for x in each):
        return None
    for vector in vectors:
        if not isinstance(vector, tuple) or len(vector) != dimension or not all(map(is_whole, vector)):
            help = f"a vector has {dimension} numbers, like the cells; leaps of a piece have no negative numbers"
            raise BoardError(f"invalid move: {quoted(vector)}", help=help)
        if not any(vector):
            raise BoardError(f"a move must not be zero: {quoted(vector)}", help="omit it")
        if tuple(-x for x in vector) not in vectors:
            back = tuple(-x for x in vector)
            help = f"add {back}: a tour may be gone either way round"
            raise BoardError(f"the move {vector} has no reverse among the moves", help=help)
    return tuple(dict.fromkeys(tuple(map(int, vector)) for vector in tuples))


def checked_cells(cells: Iterable[Iterable[int]]) -> tuple[Cell, ...]:
    """The cells as tuples of one dimension, all different; a BoardError otherwise."""
    help = "pass tuples of whole numbers, such as [(0, 0, 0), (0, 1, 2)]"
    found: list[Cell] = []
    for cell in each(cells, "cells", help=help):
        if not isinstance(cell, list | tuple | np.ndarray) or not all(map(is_whole, cell)):
            raise BoardError(f"invalid cell: {quoted(cell)}", help=help)
        if found and len(cell) != len(found[0]):
            raise BoardError(f"cells of {len(found[0])} and of {len(cell)} numbers", help="all have one dimension")
        if not 2 <= len(cell) <= _MAX_DIMENSION:
            raise BoardError(f"a cell of {len(cell)} numbers: {quoted(cell)}", help=f"use 2 to {_MAX_DIMENSION}")
        if len(found) == MAX_CELLS:
            raise BoardError(f"a board of over {MAX_CELLS:,} cells: too many to list their moves", help="take fewer")
        if any(abs(x) > _MAX_COORDINATE for x in cell):
            raise BoardError(f"a cell too far away: {quoted(cell)}", help=f"coordinates go to {_MAX_COORDINATE:,}")
        found.append(tuple(map(int, cell)))
    if not found:
        raise BoardError("a board without a cell", help=help)
    if len(set(found)) < len(found):
        doubled = next(cell for k, cell in enumerate(found) if cell in set(found[:k]))
        raise BoardError(f"the cell {doubled} is given twice", help="pass each once")
    return tuple(found)


def near(cells: tuple[Cell, ...], moves: tuple[Cell, ...], title: str) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each cell, by place, in the order of the vectors; a BoardError if they are too many.

    >>> near(((0, 0), (0, 1)), ((0, 1), (0, -1)), "board")
    ((1,), (0,))
    """
    if len(cells) * len(moves) > _MAX_LOOKS:
        note = f"{len(cells):,} cells times {len(moves):,} moves are more than {_MAX_LOOKS:,}"
        raise BoardError(f"the moves of the {title} are too many to list", note=note, help="use fewer leaps")
    where, vectors = np.array(cells, dtype=np.int64), np.array(moves, dtype=np.int64)
    reach = int(np.abs(vectors).max())
    low, span = where.min(axis=0) - reach, np.ptp(where, axis=0) + 2 * reach + 1
    # A cell as one number; Python's own where 64 bits do not hold it.
    kind = object if math.prod(span.tolist()) >= 1 << 62 else np.int64
    strides = np.array([math.prod(span[k + 1 :].tolist()) for k in range(len(cells[0]))], dtype=kind)
    keys = ((where - low).astype(kind) * strides).sum(axis=1)
    order = np.argsort(keys)
    sorted_keys = keys[order]
    columns = []
    for step in (vectors.astype(kind) * strides).sum(axis=1):
        place = np.minimum(np.searchsorted(sorted_keys, keys + step), len(keys) - 1)
        columns.append(np.where(sorted_keys[place] == keys + step, order[place], -1))
    return tuple(tuple(there for there in row if there >= 0) for row in np.stack(columns, axis=1).tolist())


# ---------------------------------------------------------------- shapes with a name


def box(*sides: int) -> tuple[Cell, ...]:
    """The cells of a box.

    >>> len(box(2, 3, 4))
    24
    """
    lengths = [_side(side) for side in sides]
    if not 2 <= len(lengths) <= _MAX_DIMENSION:
        raise BoardError(f"a box of {len(lengths)} sides", help=f'use 2 to {_MAX_DIMENSION}, such as Board("4x4x4")')
    _check_count(math.prod(lengths), "x".join(map(str, lengths)))
    return tuple(itertools.product(*map(range, lengths)))


def hexagon(side: int) -> tuple[Cell, ...]:
    """Return the cells of a hexagon of hexagonal cells. side: number of cells along each side.

    >>> len(hexagon(2))
    7
    """
    n = _side(side) - 1
    _check_count(3 * n * (n + 1) + 1, f"hex:{side}")
    return tuple((q, r) for r in range(-n, n + 1) for q in range(-n, n + 1) if abs(q + r) <= n)


def triangle(side: int) -> tuple[Cell, ...]:
    """Return the hexagonal cells of a triangle. side: number of cells along each side.

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


# For each word the shape, its lattice and its default piece.
SHAPES: Final[dict[str, tuple[Callable[[int], tuple[Cell, ...]], str, str]]] = {
    "hex": (hexagon, "hexagon", "knight"),
    "tri": (triangle, "hexagon", "wazir"),
}
BOX: Final = re.compile(r"\d{1,9}(?:\s*[xX×]\s*\d{1,9}){2,}")
PAIR: Final = re.compile(r"\(?\s*-?\d+(?:\s*,\s*-?\d+)+\s*\)?")


@functools.lru_cache(maxsize=16)
def cells_of_shape(shape: str) -> tuple[Cell, ...]:
    """Return the cells of a shape, such as "4x4x4", "hex:6" or "tri:8".

    >>> len(cells_of_shape("2x3x4")), len(cells_of_shape("hex:2"))
    (24, 7)
    """
    name, _, side = shape.partition(":")
    return SHAPES[name][0](int(side)) if side else box(*map(int, shape.split("x")))


def _shapes_between(low: Cell, high: Cell, lattice: str, most: int) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """Yield the shapes with these bounds, up to a number of cells."""
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
    """Whether cells are a subsequence of another list."""
    rest = iter(full)
    return all(cell in rest for cell in cells)


def shape_between(cells: tuple[Cell, ...], low: Cell, high: Cell, lattice: str) -> tuple[str, bool]:
    """Return the shape that cells belong to, as a word, and whether none of its cells is missing; "" for none.

    Args:
        low, high: The least and the largest coordinates of the shape. A shape that lacks more cells than it has is not
            used.

    >>> shape_between(box(2, 2, 2)[1:], (0, 0, 0), (1, 1, 1), "box")
    ('2x2x2', False)
    """
    for word, full in _shapes_between(low, high, lattice, 2 * len(cells)):
        if cells == full or _is_part(cells, full):
            return word, len(cells) == len(full)
    return "", True


def usual_piece(shape: str, dimension: int) -> Piece:
    """The piece that is meant where a word names none."""
    return Piece.of(SHAPES[shape.split(":")[0]][2] if ":" in shape else "knight", dimension)


# ---------------------------------------------------------------- words


_NEARLY: Final = re.compile(r"(hex|tri)[a-z]*\s*[-:]?\s*(\d*)|\d+(?:x\d+)+x|x\d+(?:x\d+)+", re.IGNORECASE)


class CellWord(NamedTuple):
    """A shape of cells, its lattice and usual piece, and the parts of the word after the size."""

    cells: tuple[Cell, ...]
    lattice: str
    piece: str
    parts: BoardParts


def is_word_of_cells(word: str) -> bool:
    """Whether a word begins as "4x4x4", "hex:6" or "tri:8"; or nearly so, which `read_cell_word` refuses.

    >>> is_word_of_cells("hex:3:king"), is_word_of_cells("hex"), is_word_of_cells("8x8")
    (True, True, False)
    """
    size, *parts = (part.strip() for part in word.split(":"))
    if BOX.fullmatch(size):
        return True
    has_side = bool(parts) and parts[0].isdecimal()
    near = _NEARLY.fullmatch(size)
    return (size.lower() in SHAPES and has_side) or (near is not None and (near[1] is None or not has_side))


def read_cell_word(word: str) -> CellWord:
    """Return the cells of "4x4x4", "hex:6" or "tri:8", and the parts of the word after the size.

    Raises BoardError if a part is invalid or the word only nearly a board.

    >>> found = read_cell_word("hex:3:king:-a3")
    >>> len(found.cells), found.lattice, found.parts.piece.name, found.parts.holes
    (19, 'hexagon', 'king', ('a3',))
    """
    size, *parts = (part.strip() for part in word.split(":"))
    if BOX.fullmatch(size):
        sides = [int(side) for side in re.findall(r"\d+", size)]
        held, lattice, piece = box(*sides), "box", "knight"
    elif size.lower() in SHAPES and parts and parts[0].isdecimal():
        make, lattice, piece = SHAPES[size.lower()]
        held, parts = make(int(parts[0])), parts[1:]
    else:
        near = _NEARLY.fullmatch(size)
        meant = "4x4x4" if near is None or near[1] is None else f"{near[1].lower()}:{near[2] or 6}"
        raise BoardError(f"not a board: {quoted(word)}", help=f"write boxes as 4x4x4, hexagons as hex:6; here {meant}?")
    if sliding := [part for part in parts if is_rider(part)]:
        piece = sliding[0].lower()
        raise BoardError(f"the {piece} is not supported on cells, since it slides", help=help_for_piece(piece))
    return CellWord(held, lattice, piece, read_parts(parts, len(held[0])))
