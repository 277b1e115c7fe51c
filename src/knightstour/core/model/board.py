"""Boards: which squares there are, what they are called, and which moves join them.

A square is `(row, col)`, counted from 0 at the top left, or its algebraic name: `"a1"` is the bottom left square.
Inside algorithms a square is the one number `row * cols + col`; holes keep their numbers and simply have no moves.

A Board is cheap whatever its size, since nothing is listed until `move_graph` is asked for: 10**100 rows are fine.
"""

from __future__ import annotations

import copy
import functools
import itertools
import operator
import os
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board_words import WRAPS as WRAPS
from knightstour.core.model.board_words import (
    BoardParts,
    Wrap,
    board_repr,
    board_title,
    board_word,
    cells_of_word,
    cells_with,
    read_board_word,
    said_once,
)
from knightstour.core.model.cells import CellMoves, Cells, box, hexagon, triangle, word_of
from knightstour.core.model.drawing import Drawing, HolesAre, ImageLike, read_drawing
from knightstour.core.model.errors import BoardError
from knightstour.core.model.exports import picture_of
from knightstour.core.model.graphs import (
    AnyGraph,
    GraphOfLibrary,
    Node,
    Place,
    is_graph,
    is_matrix,
    neighbours,
    networkx_graph,
    parts_of,
    place_in,
    says_arcs,
)
from knightstour.core.model.graphs import square_at as square_at
from knightstour.core.model.leaps import MoveGraph as MoveGraph
from knightstour.core.model.leaps import are_moves as are_moves
from knightstour.core.model.leaps import landing as landing
from knightstour.core.model.leaps import landing_of
from knightstour.core.model.move_lists import moves_of, sealed
from knightstour.core.model.names import MAX_SIDE, size_of, square_name, square_on
from knightstour.core.model.pieces import KNIGHT, Moves, Piece, checked_leaper
from knightstour.core.model.validation import an, is_whole, listed, one_of, quoted, whole_number
from knightstour.core.model.validation import path as given_path

if TYPE_CHECKING:
    import networkx

    from knightstour.core.model.distances import ShortestPaths

Square: TypeAlias = tuple[int, int]


# Above this the lists of moves alone would fill several gigabytes.
MAX_LISTED_SQUARES = 50_000_000


@dataclass(frozen=True, slots=True, init=False)
class Board:
    """A board: `rows` x `cols` squares, without the `holes`, with opposite sides joined as `wrap` says.

    rows, cols: of a square board one number is enough; a pair or a text like "8x12" has both. A text may be the whole
        board as one word, as the command line takes it and `str(board)` gives it: "10x10:2,3", "8x8:torus:-a1,h8".
    holes: squares that are not there, as `(row, col)` or names.
    wrap: None, "cylinder" ((r, c + cols) is (r, c)), "torus" (rows wrap too), "mobius" ((r, c + cols) is
        (rows - 1 - r, c)) or "klein" (as mobius, and rows wrap).
    moves: the piece: its name, as "king" or "knight+camel", its numbers, as (2, 3), or some of these in a list.
    leaper: a piece of one leap, (1, 2) being the knight: a move goes a squares one way and b the other.

    Two squares are joined at most once and none to itself, so small wrapped boards have fewer moves.
    `graph` is None but for boards made by `from_graph`, `from_digraph` (its moves go one way: `is_directed`), and as
    cells by `of_cells`, `box`, `hexagon`, `triangle` or words as "hex:6:king"; `labels` are then the nodes, in order.
    Where nodes are pairs a tuple is a node; the squares that a board or tour gives, lists and arrays are (0, place).
    `read_as` says how a file, drawing or graph was read that has no exact form, a sentence each; boards that differ
    only there are equal.

    >>> Board(8, 8) == Board(8) == Board("8x8")
    True
    >>> Board(4, 4, holes=["a1", (0, 3)]).square_count
    14
    >>> Board(10, 10, leaper=(2, 3), wrap="torus")
    Board(10, 10, wrap='torus', leaper=(2, 3))
    """

    rows: int
    cols: int
    holes: frozenset[Square]
    wrap: Wrap | None
    piece: Piece
    graph: tuple[tuple[int, ...], ...] | None
    is_directed: bool
    labels: tuple[Hashable, ...] | None
    cells: Cells | None
    read_as: tuple[str, ...] = field(compare=False)

    @explains_arguments
    def __init__(
        self,
        rows: int | tuple[int, int] | str,
        cols: int | None = None,
        *,
        holes: Iterable[Square | str] = (),
        wrap: str | None = None,
        moves: Moves | None = None,
        leaper: tuple[int, int] | None = None,
    ) -> None:
        parts = BoardParts()
        if isinstance(rows, str) and cols is None and (of_word := cells_of_word(rows)) is not None:
            made = board_of_cells(cells_with(*of_word, holes=holes, wrap=wrap, moves=moves, leaper=leaper))
            for name in self.__slots__:
                object.__setattr__(self, name, getattr(made, name))
            return
        if isinstance(rows, str) and cols is None:
            (rows, cols), parts = read_board_word(rows)
        elif cols is None:
            rows, cols = size_of(rows)
        put = functools.partial(object.__setattr__, self)
        for name, value in (("rows", rows), ("cols", cols)):
            if not is_whole(value):
                raise BoardError(f"{name} must be a whole number, not {quoted(value)}")
            if whole_number(value, name, most=MAX_SIDE, error=BoardError) < 1:
                help = "rows and columns are at least 1"
                raise BoardError(f"a board of {quoted(rows)} rows and {quoted(cols)} columns has no square", help=help)
        put("rows", int(rows))  # type: ignore[arg-type]
        put("cols", int(cols))
        beside = None if leaper is None else Piece((checked_leaper(leaper),))
        beside = said_once("leaper", None if moves is None else Piece.of(moves), beside)
        put("piece", said_once("moves", parts.piece, beside) or KNIGHT)
        named = None if wrap is None else one_of(wrap, WRAPS, "wrap", error=BoardError)
        put("wrap", said_once("wrap", parts.wrap, named))
        unset = (("graph", None), ("labels", None), ("cells", None), ("is_directed", False), ("read_as", ()))
        for name, empty in (*unset, ("holes", frozenset())):
            put(name, empty)
        squares = listed(holes, "holes", error=BoardError, help="give squares, such as ['a1', (0, 0)]")
        put("holes", frozenset(self.square(hole) for hole in (*parts.holes, *squares)))
        if self.square_count == 0:
            raise BoardError("the board has no free square: every one is a hole")

    # -- other ways to make one

    @classmethod
    def of(cls, board: BoardLike) -> Board:
        """The board itself, or that of `(rows, cols)`, one number, or a word such as "8x8:torus"; or a BoardError.

        Graphs of NetworkX, igraph and rustworkx, mappings and sparse and adjacency matrices become what `from_graph`
        makes of them, and lists of rows and boolean arrays what `from_text` does.

        >>> Board.of((3, 4)) == Board(3, 4) == Board.of("3x4"), Board.of(8)
        (True, Board(8, 8))
        """
        if isinstance(board, Board):
            return board
        if isinstance(board, np.ndarray) and board.ndim == 2:
            return cls.from_graph(board) if is_matrix(board) else cls.from_text(board)
        if says_arcs(board):
            return cls.from_digraph(cast("AnyGraph[Hashable]", board))
        if is_graph(board):
            return cls.from_graph(cast("AnyGraph[Hashable]", board))
        if isinstance(board, list) and board and all(isinstance(row, str | list | tuple) for row in board):
            return cls.from_text(board)
        if isinstance(board, str):
            return _of_word(board)
        if isinstance(board, tuple) and len(board) > 2 and all(map(is_whole, board)):
            return cls.box(*board)
        return cls(*size_of(cast("tuple[int, int] | str | int", board)))

    @classmethod
    def from_text(
        cls, text: Drawing, *, wrap: str | None = None, moves: Moves = KNIGHT, holes_are: HolesAre = None
    ) -> Board:
        """The board drawn by lines of `.` (square) and `#` (hole); a BoardError where they are no rectangle of these.

        Holes may be X, x, *, -, _ or blanks instead, and spaces or bars may be between the squares; `read_as` then says
        so. text: also a list of rows, or booleans in an array or in lists, of which True is a square. holes_are: the
        sign of a hole, such as 0, if the drawing does not show it.

        >>> Board.from_text("#..#\\n....\\n#..#").holes == {(0, 0), (0, 3), (2, 0), (2, 3)}
        True
        >>> Board.from_text(["110", "111"], holes_are=0).holes
        frozenset({(0, 2)})
        """
        from knightstour.core.model.turned import turned_remark

        drawn = read_drawing(text, holes_are)
        board = cls(drawn.rows, drawn.cols, holes=drawn.holes, wrap=wrap, moves=moves)
        turned = turned_remark(board, drawn)
        if turned and drawn.signs and not set(drawn.signs) & set(".#"):
            raise drawn.ambiguous_signs(turned)
        return board_read_as(board, [*drawn.remarks, *([turned] if turned else [])])

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        wrap: str | None = None,
        moves: Moves | None = None,
        holes_are: HolesAre = None,
    ) -> Board:
        """The board that a text file draws, as for `from_text`; parts may follow its name: "heart.txt:king:-a1"."""
        from knightstour.core.model.board_files import board_in_file

        return board_in_file(given_path(path), wrap, moves, holes_are)

    @classmethod
    def from_image(
        cls,
        image: ImageLike,
        *,
        rows: int | None = None,
        trim: str | None = None,
        join: bool = False,
        threshold: int | None = None,
        moves: Moves = KNIGHT,
    ) -> Board:
        """The board whose squares are the dark parts of an image, or what is not transparent; the margin goes.

        image: a file, bytes, a picture of Pillow, or an array: booleans, True for squares, or grey 0 to 255 as uint8.
        rows: number of rows; by default a square a pixel, or 50 rows of a larger image that is not of booleans.
        trim: "open" or "closed" leaves out all squares that prevent a tour; `read_as` states their share. join: joins
            the parts of the image by corridors and trims it, by default for closed tours.
        threshold: the grey below which a pixel is dark, 128 by default.

        Raises BoardError for what is no image, if no square is left, or if `join` alone would omit over 10 % of them.

        >>> Board.from_image(np.array([[0, 1, 0], [1, 1, 1], [1, 1, 1]]) > 0)
        Board(3, 3, holes=[(0, 0), (0, 2)])
        """
        from knightstour.lab.pictures.images import board_of_image

        return board_of_image(image, rows, trim, moves, join=join, threshold=threshold)

    @classmethod
    def from_graph(cls, graph: AnyGraph[Node]) -> Board:
        """A board whose squares are the nodes of a graph, so that any Hamiltonian path problem can be asked.

        graph: an undirected graph of NetworkX, igraph or rustworkx; an adjacency matrix of NumPy or SciPy (an edge
        where the entry is not 0); a mapping node -> neighbours, or a list of lists of neighbours, each edge named at
        both ends; or edges as pairs. Lists that may be neighbours and edges are taken as what they can be, and
        `read_as` says it; a BoardError where they can be both. The nodes are those of NetworkX, the mapping or the
        pairs, or else their indices, from 0. Loops and repeated edges are dropped.
        Its squares are (0, 0), (0, 1), ... in the order of the nodes; `labels` keeps the nodes and `tour.labels`
        gives them back. A graph that is directed, empty, or names neighbours it does not have is a BoardError.

        >>> Board.from_graph([("a", "b"), ("b", "c"), ("c", "a")]).square_count
        3
        >>> Board.from_graph(np.ones((4, 4))).to_networkx().number_of_edges()
        6
        """
        parts = parts_of(graph)
        return board_read_as(board_of_edges(parts.nodes, parts.edges), parts.remarks)

    @classmethod
    def from_digraph(cls, arcs: AnyGraph[Node]) -> Board:
        """A board whose squares are the nodes of a directed graph: each move of a tour goes along an arc.

        arcs: as for `from_graph`: a pair is an arc from its first to its second, a neighbour one that a node leads to,
        an entry of a matrix an arc from row to column. Edges of undirected graphs go both ways. Directed graphs of
        other libraries become such boards wherever a board is taken.

        >>> board = Board.from_digraph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")])
        >>> board.is_directed, board.neighbors("c"), board.title
        (True, ((0, 0),), 'directed graph of 3 nodes')
        """
        nodes, edges, remarks = parts_of(arcs, arcs=True)
        return board_read_as(board_of_edges(nodes, edges, arcs=True), remarks)

    @classmethod
    def of_cells(cls, cells: Iterable[Iterable[int]], *, moves: CellMoves = "knight", lattice: str = "box") -> Board:
        """The board of these cells, tuples of whole numbers of one dimension; the nodes of its graph.

        moves: a piece, as of `Board`, whose moves are the images of its leaps under the isometries of the lattice; or
            vectors of the dimension of the cells, each with its reverse.
        lattice: "box" (squares in the plane, cubes in space, any dimension) or "hexagon" (axes at 60 degrees).

        Raises BoardError for cells or moves that are none, cells given twice, and more than 100,000 of them.

        >>> Board.of_cells([(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)], moves="king").title
        'box of 5 cells for the king (8 neighbours)'
        """
        return board_of_cells(Cells.of(cells, moves, lattice))

    @classmethod
    def box(cls, *sides: int, moves: CellMoves = "knight") -> Board:
        """A box of cells of two dimensions or more; as a word "2x3x4".

        >>> str(Board.box(2, 3, 4)), Board.box(2, 3, 4).square_count, Board.box(2, 3, 4).name((0, 23))
        ('2x3x4', 24, 'd1.2')
        """
        return board_of_cells(Cells.of(box(*sides), moves, "box"))

    @classmethod
    def hexagon(cls, side: int, *, moves: CellMoves = "knight") -> Board:
        """A hexagon of hexagonal cells, `side` along each side; as a word "hex:6". A knight has twelve moves there.

        >>> str(Board.hexagon(6, moves="king"))
        'hex:6:king'
        """
        return board_of_cells(Cells.of(hexagon(side), moves, "hexagon"))

    @classmethod
    def triangle(cls, side: int, *, moves: CellMoves = "wazir") -> Board:
        """A triangle of hexagonal cells, `side` along each side, for a piece that steps to the next one; "tri:8".

        >>> Board.triangle(8).square_count
        36
        """
        return board_of_cells(Cells.of(triangle(side), moves, "hexagon"))

    # -- its squares

    @property
    def square_count(self) -> int:
        """Number of squares, holes not counted."""
        return self.rows * self.cols - len(self.holes)

    @property
    def is_rectangle(self) -> bool:
        """Whether this is a plain knight's rectangle: no holes, no wrap, no other piece, no graph."""
        return not self.holes and self.wrap is None and self.is_knights

    @property
    def is_knights(self) -> bool:
        """Whether the moves are a knight's, on a board with rows and columns."""
        return self.graph is None and self.piece.is_knight

    @property
    def its_move(self) -> str:
        """A move, as a sentence says it: "a knight's move", "an edge of the graph"."""
        has_piece = self.graph is None or (self.cells is not None and self.cells.piece is not None)
        return self.piece.its_move if has_piece else f"an {'arc' if self.is_directed else 'edge'} of the graph"

    @property
    def is_grid(self) -> bool:
        """Whether it has rows and columns: it was not made of a graph."""
        return self.graph is None

    @property
    def is_flat(self) -> bool:
        """Whether its moves are drawn in the plane as they are: no sides are joined, and cells have two axes."""
        return self.wrap is None and (self.is_grid if self.cells is None else self.cells.is_flat)

    @property
    def leaper(self) -> tuple[int, int] | None:
        """The two numbers of a piece of one leap; None for others, and graphs."""
        return None if self.graph is not None else cast("tuple[int, int] | None", self.piece.leaper)

    def changed(self, shape: tuple[int, int] | None = None, *, holes: Iterable[Square | str] = ()) -> Board:
        """A board for the same piece with the same sides joined, of this shape or another, with these holes alone.

        >>> str(Board("6x6:king:-a1").changed((4, 5), holes=["b2"]))
        '4x5:king:-b2'
        """
        if self.graph is not None:
            raise BoardError(f"the {self.title} has no rows and columns to change", help="make another board")
        return Board(*(shape or (self.rows, self.cols)), holes=holes, wrap=self.wrap, moves=self.piece)

    @property
    def squares(self) -> tuple[Square, ...]:
        """All squares but the holes, row by row from the top left; a BoardError where they are too many to list.

        >>> Board("2x3:-b2").squares
        ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2))
        """
        if self.rows * self.cols > MAX_LISTED_SQUARES:
            note = f"at most {MAX_LISTED_SQUARES:,} squares are listed"
            help = "ask of one square whether it is there: (0, 0) in board"
            raise BoardError(f"the squares of {an(self.title)} are too many to list", note=note, help=help)
        if self.labels is not None:
            return tuple(square_at(self, number) for number in range(self.cols))
        places = itertools.product(range(self.rows), range(self.cols))
        return tuple(place for place in places if place not in self.holes)

    def neighbors(self, square: Square | str | Hashable) -> tuple[Square, ...]:
        """The squares that are one move from this one, at any size; a BoardError where there is no such square.

        >>> board = Board(8, 8)
        >>> [board.name(square) for square in board.neighbors("a1")]
        ['c2', 'b3']
        """
        here = self.square(square)
        if self.graph is not None:
            return tuple(square_at(self, place) for place in self.graph[here[1]])
        reached = dict.fromkeys(landing_of(self, here, move) for move in self.piece.vectors)
        return tuple(there for there in reached if there is not None and there != here and there not in self.holes)

    def __contains__(self, square: object) -> bool:
        """Whether this is the pair or the name of a square that is no hole.

        >>> "h8" in Board(8, 8), (8, 0) in Board(8, 8)
        (True, False)
        """
        try:
            self.square(square)
        except BoardError:
            return False
        return True

    def __hash__(self) -> int:
        # A whole graph would take long, and boards that differ only there are rare.
        graph = None if self.graph is None else self.graph[:8]
        return hash((self.rows, self.cols, self.holes, self.wrap, self.piece, graph))

    def square(self, square: Square | str | Hashable) -> Square:
        """`(row, col)` of a square given as a pair or a name; a BoardError where the board has no such square.

        >>> Board(8, 8).square("a1"), Board(8, 8).square((0, 7))
        ((7, 0), (0, 7))
        """
        if self.labels is not None:
            return square_at(self, place_in(self, square))
        found = square_on(square, self.rows, self.cols)
        if found in self.holes:
            raise BoardError(f"square {square if isinstance(square, str) else found} is a hole of the board")
        return found

    def name(self, square: Square) -> str:
        """Algebraic name of a square; for a graph's board, its node. Holes have names too; others are a BoardError.

        >>> Board(8, 8).name((7, 0))
        'a1'
        """
        try:
            row, col = map(operator.index, self.square(square) if isinstance(square, Place) else square)
        except (TypeError, ValueError):
            help = "give (row, col), counted from 0 at the top left"
            raise BoardError(f"not a square: {quoted(square)}", help=help) from None
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise BoardError(f"square {(row, col)} is not on the board")
        if self.cells is not None:
            return self.cells.name(col)
        if self.labels is not None:
            return str(self.labels[col])
        return square_name((row, col), self.rows)

    def distances(self, square: Square | str | Hashable) -> np.ndarray:
        """How many moves each square is from this one: int32 (rows, cols), -1 at holes and where no moves lead.

        >>> Board(8, 8).distances("a8")[7].tolist()
        [5, 4, 5, 4, 5, 4, 5, 6]
        """
        from knightstour.core.model.distances import distances

        return distances(self, square)

    def paths(self, start: Square | str, end: Square | str) -> ShortestPaths:
        """All shortest ways from one square to another: `moves`, the exact `count`, and the ways lazily, in order.

        >>> ways = Board(8, 8).paths("a8", "h1")
        >>> ways.moves, ways.count, next(iter(ways))
        (6, 108, ((0, 0), (1, 2), (0, 4), (1, 6), (3, 5), (5, 6), (7, 7)))
        """
        from knightstour.core.model.distances import shortest_paths

        return shortest_paths(self, start, end)

    def to_text(self) -> str:
        """The drawing that `from_text` reads.

        >>> print(Board(2, 3, holes=[(0, 1)]).to_text())
        .#.
        ...
        """
        lines = ("".join("#" if (r, c) in self.holes else "." for c in range(self.cols)) for r in range(self.rows))
        return "\n".join(lines)

    def to_networkx(self) -> networkx.Graph:
        """The moves as a NetworkX graph whose nodes are `(row, col)`, or the nodes of a graph; arcs as a DiGraph.

        Needs the extra `graphs` (pip install 'knightstour[graphs]'); a BoardError without it.

        >>> Board(3, 4).to_networkx().number_of_edges()
        14
        """
        return networkx_graph(self, move_graph)

    def _repr_svg_(self) -> str | None:
        """The picture that notebooks show; None for graphs and large boards, of which they show the text."""
        return picture_of(self)

    def __repr__(self) -> str:
        return board_repr(self)

    def __str__(self) -> str:
        """The board as one word, which `Board` reads: `Board(str(board)) == board`. A graph has none, but a title.

        >>> str(Board(4, 5, wrap="torus", holes=["a1"])), str(Board("8x8:zebra"))
        ('4x5:torus:-a1', '8x8:2,3')
        """
        if self.graph is not None:
            return (self.cells and word_of(self.cells)) or self.title
        return board_word(self.rows, self.cols, self.piece, self.wrap, self.holes)

    @property
    def title(self) -> str:
        """The board as a sentence names it.

        >>> Board(4, 5, wrap="torus").title, Board(8, 8).title
        ('4x5 torus', '8x8 board')
        """
        return board_title(self)


BoardLike: TypeAlias = (
    "Board | tuple[int, int] | str | int | list[str] | list[list[bool]] | GraphOfLibrary | np.ndarray"
)


def board_of_edges(nodes: Sequence[Hashable], edges: np.ndarray, *, arcs: bool = False) -> Board:
    """The board of a graph with these nodes, and edges between places among them: int64 (edges, 2).

    arcs: whether they go one way. Loops and repetitions go. Raises BoardError for no node, or too many to list.

    >>> board_of_edges("abc", np.array([[0, 1], [1, 2]])).labels
    ('a', 'b', 'c')
    """
    count = len(nodes)
    if not count:
        raise BoardError("the graph has no node")
    if max(count, len(edges)) > MAX_LISTED_SQUARES:
        raise BoardError(f"the graph has more than {MAX_LISTED_SQUARES:,} nodes or edges, too many to list")
    return board_of_neighbours(nodes, neighbours(count, edges, arcs=arcs), arcs=arcs)


def board_of_neighbours(nodes: Sequence[Hashable], near: tuple[tuple[int, ...], ...], *, arcs: bool = False) -> Board:
    """The board of a graph with these nodes, and the places of each one's neighbours, in the order of its moves.

    Nothing is checked: each place is named by both ends of its edge, once, and not by itself.

    >>> board_of_neighbours("abc", ((1,), (2, 0), (1,))).square_count
    3
    """
    board = Board(1, len(nodes))
    for name, value in (("graph", near), ("labels", tuple(nodes)), ("is_directed", arcs)):
        object.__setattr__(board, name, value)
    return board


def board_read_as(board: Board, remarks: Iterable[str]) -> Board:
    """The same board with these sentences added to its `read_as`."""
    read_as = tuple(dict.fromkeys([*board.read_as, *remarks]))
    board = copy.copy(board)
    object.__setattr__(board, "read_as", read_as)
    return board


_of_word = functools.lru_cache(maxsize=64)(Board)  # A board cannot be changed, so it may be shared.


def board_of_cells(cells: Cells, near: tuple[tuple[int, ...], ...] | None = None) -> Board:
    """Return the board of some cells.

    near: the places of the neighbours of each cell, if they are known.

    >>> board_of_cells(Cells.of([(0, 0), (0, 1)], "wazir", "box")).square_count
    2
    """
    board = board_of_neighbours(cells.cells, cells.near() if near is None else near)
    object.__setattr__(board, "cells", cells)
    object.__setattr__(board, "piece", cells.piece or KNIGHT)
    return board


# ---------------------------------------------------------------- moves


@explains_arguments
def move_graph(board: BoardLike) -> MoveGraph:
    """The moves of a board, as arrays. Kept for the boards asked for last.

    >>> move_graph(Board(3, 3)).neighbour_lists()[0]
    [7, 5]
    """
    return _moves_of(Board.of(board))


@functools.lru_cache(maxsize=64)
def _moves_of(board: Board) -> MoveGraph:
    if board.rows * board.cols > MAX_LISTED_SQUARES:
        note = f"at most {MAX_LISTED_SQUARES:,} squares are listed"
        help = "plain rectangles have tours without a search at any size: implicit_tour(board)"
        raise BoardError(f"the moves of {an(board.title)} are too many to list", note=note, help=help)
    return MoveGraph(*map(sealed, moves_of(board)))
