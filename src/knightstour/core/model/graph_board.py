"""Boards whose squares are the nodes of a graph, and whose moves are its edges, or its arcs.

Boards of cells of a lattice also have a piece, names, and the coordinates by which a tour is checked.
"""

from __future__ import annotations

import itertools
import math
import operator
import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from knightstour.core.model.board import MAX_LISTED_SQUARES, Board, Square
from knightstour.core.model.board_words import BoardParts, agreed_value
from knightstour.core.model.cells import (
    PAIR,
    CellMoves,
    axes_of,
    cells_of_shape,
    checked_cells,
    moves_on,
    near,
    read_cell_word,
    shape_between,
    times,
    usual_piece,
)
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.errors import BoardError, with_notes
from knightstour.core.model.graphs import Place, neighbours, networkx_module, place_of
from knightstour.core.model.lattices import LATTICES, Cell
from knightstour.core.model.names import parse_square, square_name, square_on
from knightstour.core.model.pieces import Piece, checked_leaper
from knightstour.core.model.validation import as_list, is_whole, quoted

if TYPE_CHECKING:
    import networkx


class GraphBoard(Board):
    """Nodes of a graph, in order, and the indices of the neighbours of each, in the order of its moves.

    The square of a node is (0, index). If nodes are pairs, a tuple is a node; squares, lists and arrays are indices.

    Args:
        nodes: Any hashable values, stored as `labels`.
        near: Stored as `graph`, without checks: each edge must be listed once at both ends, without loops.
            `Board.from_graph` reads and checks graphs.
        directed: Whether the moves are arcs; `near` then contains the successors.

    >>> GraphBoard("abc", ((1,), (2, 0), (1,))).neighbors("a")[0].label
    'b'
    """

    __slots__ = ("_index", "graph", "is_directed", "labels")

    labels: tuple[Hashable, ...]
    graph: tuple[tuple[int, ...], ...]
    is_directed: bool
    _index: tuple[dict[Hashable, int], bool, dict[str, int]] | None

    def __new__(cls, nodes: Sequence[Hashable], near: tuple[tuple[int, ...], ...], *, directed: bool = False) -> Self:
        board = object.__new__(cls)
        board._fill(rows=1, cols=len(nodes), holes=frozenset(), read_as=())
        board._fill(labels=tuple(nodes), graph=near, is_directed=directed, _index=None)
        return board

    def _key(self) -> tuple[Any, ...]:
        return self.graph, self.labels, self.is_directed

    def _values(self) -> dict[str, Any]:
        return super()._values() | {"_index": None}

    def __hash__(self) -> int:
        # A whole graph would take long, and boards that differ only there are rare.
        return hash((self.cols, self.graph[:8]))

    def part(self, places: Sequence[int]) -> GraphBoard:
        """Return the board of some of the nodes alone, by place.

        >>> GraphBoard("abc", ((1,), (2, 0), (1,))).part([1, 2]).graph
        ((1,), (0,))
        """
        return GraphBoard([self.labels[place] for place in places], self.near_of(places), directed=self.is_directed)

    def near_of(self, places: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the neighbours of some of the nodes among them, by place there.

        >>> GraphBoard("abc", ((1,), (2, 0), (1,))).near_of([0, 1])
        ((1,), (0,))
        """
        new = {place: k for k, place in enumerate(places)}
        return tuple(tuple(new[other] for other in self.graph[place] if other in new) for place in places)

    @property
    def _title(self) -> str:
        return f"{'directed ' if self.is_directed else ''}graph of {self.cols} nodes"

    @property
    def _move_name(self) -> str:
        return f"an {'arc' if self.is_directed else 'edge'} of the graph"

    @property
    def _word(self) -> str:
        return ""

    def __repr__(self) -> str:
        return f"Board.from_{'di' if self.is_directed else ''}graph(<{self.cols} nodes>)"

    def _list_squares(self) -> tuple[Square, ...]:
        return tuple(map(self._square_at, range(self.cols)))

    def neighbors(self, square: Square | str | Hashable) -> tuple[Square, ...]:
        return tuple(map(self._square_at, self.graph[self._place_of(square)]))

    def square(self, square: Square | str | Hashable) -> Square:
        return self._square_at(self._place_of(square))

    def _square_at(self, number: int) -> Square:
        square = Place((0, number))
        square.label = self.labels[number]
        return square

    def square_name(self, square: Square) -> str:
        try:
            row, col = map(operator.index, self.square(square) if isinstance(square, Place) else square)
        except (TypeError, ValueError):
            help = "pass (row, col), counted from 0 at the top left"
            raise with_notes(TypeError(f"not a square: {quoted(square)}"), help=help) from None
        if row != 0 or not 0 <= col < self.cols:
            raise BoardError(f"square {(row, col)} is not on the board")
        return self._name_at(col)

    def _name_at(self, place: int) -> str:
        return str(self.labels[place])

    def _names(self) -> list[str]:
        return [self._name_at(place) for place in range(self.cols)]

    def _place_of(self, square: object) -> int:
        """Return the index of a square, given in any form."""
        if self._index is None:
            pairs = (label for label in self.labels if isinstance(label, tuple) and len(label) == 2)
            has_pairs = any(all(map(is_whole, pair)) for pair in pairs)
            self._fill(_index=({label: k for k, label in enumerate(self.labels)}, has_pairs, {}))
        assert self._index is not None
        index, has_pairs, _ = self._index
        node = square.label if isinstance(square, Place) else square
        place = place_of(index, node)
        if place is None and isinstance(node, str):
            place = self._place_named(node)
        if place is not None:
            return place
        is_node = isinstance(square, Place) or (isinstance(square, tuple) and (has_pairs or len(square) != 2))
        if is_node or not isinstance(square, tuple | list | np.ndarray):
            raise self._unknown(node)
        return square_on(square, self.rows, self.cols)[1]

    def _place_named(self, name: str) -> int | None:
        assert self._index is not None
        names = self._index[2]
        if not names:
            names.update((str(label), k) for k, label in enumerate(self.labels))
        return names.get(name.strip())

    def _unknown(self, node: object) -> BoardError:
        return BoardError(f"the graph has no node {quoted(node)}")

    def _are_moves(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        graph, size = self.graph, len(self.graph)
        if before.size <= size:
            return np.array([b in graph[a] for a, b in zip(before.tolist(), after.tolist(), strict=True)], dtype=bool)
        # For many pairs, the neighbours of each node are processed only once.
        tails = np.repeat(np.arange(size), [len(others) for others in graph])
        heads = np.fromiter(itertools.chain.from_iterable(graph), np.int64)
        return np.isin(before.astype(np.int64) * size + after, tails * size + heads)

    def _move_lists(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if self.is_directed:
            # Callers assume that moves have both directions.
            help = "use solve, iter_tours, count or check; or make the graph undirected"
            raise BoardError("directed graphs are not supported here", help=help)
        offsets = np.concatenate([[0], np.cumsum(list(map(len, self.graph)), dtype=np.int64)])
        check_deadline()
        places = itertools.chain.from_iterable(self.graph)
        targets = np.fromiter(places, dtype=np.int64, count=int(offsets[-1]))
        return offsets, targets, np.ones(self.cols, dtype=bool)

    def _most_moves(self) -> int:
        return sum(map(len, self.graph))

    def to_networkx(self) -> networkx.Graph:
        graph = networkx_module().DiGraph() if self.is_directed else networkx_module().Graph()
        pairs = ((a, b) for a, near in enumerate(self.graph) for b in near if self.is_directed or a < b)
        graph.add_nodes_from(self.labels)
        graph.add_edges_from((self.labels[a], self.labels[b]) for a, b in pairs)
        return graph


def board_of_edges(nodes: Sequence[Hashable], edges: np.ndarray, *, arcs: bool = False) -> GraphBoard:
    """Return the board of a graph with these nodes, and edges between their indices: int64 (edges, 2).

    Loops and repeated edges are omitted.

    Raises:
        BoardError: If there are no nodes, or too many nodes or edges to list.

    >>> board_of_edges("abc", np.array([[0, 1], [1, 2]])).labels
    ('a', 'b', 'c')
    """
    count = len(nodes)
    if not count:
        raise BoardError("the graph has no node")
    if max(count, len(edges)) > MAX_LISTED_SQUARES:
        raise BoardError(f"the graph has more than {MAX_LISTED_SQUARES:,} nodes or edges, too many to list")
    return GraphBoard(nodes, neighbours(count, edges, arcs=arcs), directed=arcs)


class CellBoard(GraphBoard):
    """Board of cells of a lattice, the nodes of its graph; or of a specification: "4x4x4", "hex:6:king:-a1".

    `shape` is the specification of the shape, "4x4x4", if the cells are all cells of it or some; else "".

    Args:
        cells: Tuples of integers of one dimension, at most 100,000, or the specification. Stored as `cells` and
            `labels`.
        moves: A piece, as for `Board`, whose moves are the images of its leaps under the isometries of the lattice; or
            vectors of the dimension of the cells, each with its reverse. `piece` is then None, and `vectors` has all
            moves.
        lattice: "box", the default, or "hexagon"; a specification contains its lattice.
        holes: Omitted cells, by name or coordinates. The others keep their names.
        leaper: A piece of one leap, instead of moves.
        wrap: Only None, since cells have no sides to join.

    >>> CellBoard("hex:3:king").piece.name, CellBoard([(0, 0), (0, 1)], moves="wazir").graph
    ('king', ((1,), (0,)))
    """

    __slots__ = ("_high", "_low", "is_whole", "lattice", "piece", "shape", "vectors")

    labels: tuple[Cell, ...]
    lattice: str
    piece: Piece | None
    vectors: tuple[Cell, ...]
    shape: str
    # Whether no cell of the shape is missing.
    is_whole: bool
    # The least and the largest coordinate along each axis.
    _low: Cell
    _high: Cell

    def __new__(
        cls,
        cells: Iterable[Iterable[int]] | str,
        *,
        moves: CellMoves | None = None,
        lattice: str | None = None,
        holes: Iterable[str | Iterable[int]] = (),
        wrap: str | None = None,
        leaper: tuple[int, int] | None = None,
    ) -> Self:
        parts, usual = BoardParts(), "knight"
        if isinstance(cells, str):
            held, of_word, usual, parts = read_cell_word(cells)
            lattice = agreed_value("lattice", of_word, lattice)
        else:
            held = checked_cells(cells)
        if isinstance(cells, str) or leaper is not None:
            moves = _said_piece(len(held[0]), parts, moves, leaper)
        piece, vectors = moves_on(held, usual if moves is None else moves, lattice or "box")
        board = object.__new__(cls)
        board._set_cells(held, lattice or "box", piece, vectors)
        if parts.wrap or wrap:
            help = "torus, cylinder, mobius and klein need rows"
            raise BoardError(f"the {board._title} has no sides to join", help=help)
        help = "pass cells, such as ['a1.1', (0, 0, 1)]"
        if gone := [*parts.holes, *as_list(holes, "holes", help=help)]:
            kept = board._without(gone)
            board._set_cells(
                tuple(held[place] for place in kept), board.lattice, piece, vectors, (board._low, board._high)
            )
        board._fill(graph=near(board.labels, vectors, board._title))
        return board

    def _set_cells(
        self,
        cells: tuple[Cell, ...],
        lattice: str,
        piece: Piece | None,
        vectors: tuple[Cell, ...],
        within: tuple[Cell, Cell] | None = None,
    ) -> None:
        """within: the corners that determine the names of incomplete cells."""
        axes = list(zip(*cells, strict=True))
        low, high = tuple(map(min, axes)), tuple(map(max, axes))
        shape, is_whole = shape_between(cells, low, high, lattice)
        if within is not None and not (shape and is_whole):
            low, high = within
            shape, is_whole = shape_between(cells, low, high, lattice)
        self._fill(rows=1, cols=len(cells), holes=frozenset(), read_as=(), is_directed=False, _index=None)
        self._fill(labels=cells, lattice=lattice, piece=piece, vectors=vectors)
        self._fill(shape=shape, is_whole=is_whole, _low=low, _high=high)

    def _key(self) -> tuple[Any, ...]:
        return self.labels, self.lattice, self.piece, self.vectors

    def __hash__(self) -> int:
        return hash((self.cols, self.piece, self.graph[:8]))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, in the order of the nodes."""
        return self.labels

    @property
    def missing(self) -> tuple[Cell, ...]:
        """The cells of the shape that are holes, in the order of the shape."""
        if self.is_whole:
            return ()
        here = set(self.cells)
        return tuple(cell for cell in cells_of_shape(self.shape) if cell not in here)

    def _without(self, names: Iterable[str | Iterable[int]]) -> list[int]:
        """Return the indices of the remaining cells; raise BoardError if no cell remains."""
        here, gone = set(self.cells), set()
        for name in names:
            cell = self.cell_named(name) if isinstance(name, str) else tuple(name)
            if isinstance(name, str) and cell is None and PAIR.fullmatch(name):
                cell = tuple(map(int, re.findall(r"-?\d+", name)))
            if cell is None or cell not in here:
                raise self._unknown(name)
            gone.add(cell)
        if len(gone) == len(self.cells):
            raise BoardError("the board has no cell left: every one is a hole")
        return [place for place, cell in enumerate(self.cells) if cell not in gone]

    def part(self, places: Sequence[int]) -> Self:
        """Return the board of some of the cells, under the names that they have here.

        A shape with a word has its own names, which texts give.

        >>> CellBoard("2x2x2:king").part([0, 1]).square_name((0, 1))
        'b1.1'
        """
        part = object.__new__(type(self))
        cells = tuple(self.cells[place] for place in places)
        part._set_cells(cells, self.lattice, self.piece, self.vectors, (self._low, self._high))
        part._fill(graph=self.near_of(places))
        return part

    @property
    def dimension(self) -> int:
        """Number of coordinates of a cell."""
        return len(self.cells[0])

    @property
    def sides(self) -> tuple[int, ...] | None:
        """Sides of a complete box; None for other cells.

        >>> CellBoard("2x3x4").sides, CellBoard("hex:2:king").sides
        ((2, 3, 4), None)
        """
        sides = tuple(high - low + 1 for low, high in zip(self._low, self._high, strict=True))
        return sides if self.lattice == "box" and math.prod(sides) == len(self.cells) else None

    @property
    def _title(self) -> str:
        shape = f"{self.shape} board" if self.shape else f"{self.lattice} of {len(self.cells)} cells"
        if not self.is_whole:
            count = len(cells_of_shape(self.shape)) - len(self.cells)
            shape = f"{self.shape} board with {count} hole{'s' if count > 1 else ''}"
        if self.piece is None:
            return f"{shape} with {len(self.vectors)} moves"
        is_usual = self.piece == usual_piece(self.shape, self.dimension)
        return shape if is_usual else f"{shape} for the {self.mover}"

    @property
    def mover(self) -> str:
        """The piece and its number of neighbours, as a sentence names them.

        >>> CellBoard("3x3x3:king").mover, CellBoard("3x3x3:0,1+1,1").mover
        ('king (26 neighbours)', 'wazir+ferz (18 neighbours)')
        """
        piece = "piece" if self.piece is None else self.piece.title
        return f"{piece} ({len(self.vectors)} neighbours)"

    @property
    def _move_name(self) -> str:
        return super()._move_name if self.piece is None else self.piece.its_move

    @property
    def _word(self) -> str:
        if not self.shape or self.piece is None:
            return ""
        parts = [self.shape]
        if self.piece != usual_piece(self.shape, self.dimension):
            parts.append(self.piece.word)
        if not self.is_whole:
            parts.append("-" + ",".join(self.name_of(cell) for cell in self.missing))
        return ":".join(parts)

    def __repr__(self) -> str:
        last = self.cols - 1
        squares = f"  # {self.cols} cells: squares (0, 0) to (0, {last}), {self._name_at(0)} to {self._name_at(last)}"
        return (f"Board({self._word!r})" if self._word else f"CellBoard(<{self.cols} cells>)") + squares

    def _are_moves(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
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
            if self.piece is None and {times(matrix, vector) for vector in vectors} != vectors:
                continue
            image = where @ np.array(matrix).T
            image += where.min(axis=0) - image.min(axis=0)
            places = tuple(place.get(tuple(cell), -1) for cell in image.tolist())
            if -1 not in places and places not in seen:
                seen.add(places)
                yield name, np.array(places, dtype=np.int64)

    def points(self) -> np.ndarray:
        """Return the centres of the cells in a picture, float (cells, 2), y down; layers of a box overlap."""
        points: np.ndarray = np.array(self.cells, dtype=float) @ LATTICES[self.lattice].plane(self.dimension)
        return points

    def _name_at(self, place: int) -> str:
        return self.name_of(self.cells[place])

    def name_of(self, cell: Cell) -> str:
        """The name of a cell given by its coordinates, which may be a hole: "a1", or "a1.3" in the third layer.

        Columns have letters, rows are counted from the lowest one up, and layers from 1.
        """
        low, high = self._low, self._high
        down, across = axes_of(self.lattice, self.dimension)
        named = square_name((cell[down] - low[down], cell[across] - low[across]), high[down] - low[down] + 1)
        return ".".join([named, *(str(cell[k] - low[k] + 1) for k in reversed(range(self.dimension - 2)))])

    def _place_named(self, name: str) -> int | None:
        assert self._index is not None
        return self._index[0].get(self.cell_named(name))

    def _unknown(self, node: object) -> BoardError:
        layers = ["layer of layers"] * (self.dimension - 3)
        parts = ["column", "row", "layer", *layers][: self.dimension]
        help = f"its cells have names such as {self._name_at(0)} and {self._name_at(self.cols - 1)}: {', '.join(parts)}"
        return BoardError(f"the board has no cell {quoted(node)}", help=help)

    def cell_named(self, name: str) -> Cell | None:
        """Return the cell with this name, on the board or outside of it, or None."""
        low, high = self._low, self._high
        down, across = axes_of(self.lattice, self.dimension)
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


def _said_piece(
    dimension: int, parts: BoardParts, moves: CellMoves | None, leaper: tuple[int, int] | None
) -> Piece | None:
    """Return the piece in a specification or in the other arguments, or None."""
    beside = None if leaper is None else Piece.of(checked_leaper(leaper), dimension)
    given = None if moves is None else Piece.of(moves, dimension)  # type: ignore[arg-type]
    return agreed_value("moves", parts.piece, agreed_value("leaper", given, beside))
