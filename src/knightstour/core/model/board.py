"""Boards: their squares, names and moves.

A board is a GridBoard (rows and columns of squares, and a piece), a GraphBoard (the nodes of a graph), or a CellBoard
(cells of a lattice, which is a GraphBoard too). All have the attributes and methods of Board, which each class
implements: `squares`, `neighbors`, `square_name`. `Board(8, 8)` and `Board("hex:6")` choose the class. The functions at
the end, such as `title_of`, are for the other modules of the package.

A square is `(row, col)`, counted from 0 at the top left, or its algebraic name: `"a1"` is the bottom left square.
Algorithms represent a square by the number `row * cols + col`; holes keep their numbers and have no moves.

Boards of any size are cheap, since nothing is listed before `Board.move_graph` is called: 10**100 rows are supported.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeAlias, TypeVar, cast, overload

import numpy as np

from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board_words import WRAPS as WRAPS
from knightstour.core.model.board_words import Wrap
from knightstour.core.model.cells import is_word_of_cells
from knightstour.core.model.drawing import Drawing, HolesAre, ImageLike, read_drawing
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graphs import AnyGraph, GraphOfLibrary, Node, is_graph, is_matrix, parts_of, says_arcs
from knightstour.core.model.leaps import MoveGraph as MoveGraph
from knightstour.core.model.leaps import make_read_only
from knightstour.core.model.names import size_of
from knightstour.core.model.pieces import KNIGHT, Moves
from knightstour.core.model.slips import no_attribute
from knightstour.core.model.validation import an, flag, is_whole

if TYPE_CHECKING:
    import networkx

    from knightstour.core.machine.files import PathOrFile
    from knightstour.core.model.distances import ShortestPaths
    from knightstour.core.model.graph_board import CellBoard, GraphBoard
    from knightstour.core.model.grid_board import GridBoard

Square: TypeAlias = tuple[int, int]


# Above this the lists of moves alone would fill several gigabytes.
MAX_LISTED_SQUARES: Final = 50_000_000


class _Kinds:
    """Classes of boards, imported when first used, since their modules import this one."""

    @functools.cached_property
    def grid(self) -> type[GridBoard]:
        from knightstour.core.model.grid_board import GridBoard

        return GridBoard

    @functools.cached_property
    def graph(self) -> type[GraphBoard]:
        from knightstour.core.model.graph_board import GraphBoard

        return GraphBoard

    @functools.cached_property
    def cells(self) -> type[CellBoard]:
        from knightstour.core.model.graph_board import CellBoard

        return CellBoard


class Board:
    """A board: a GridBoard, a CellBoard or a GraphBoard. A value that functions accept as a board is one of them.

    `rows` and `cols` of a board are the shape of the arrays of its tours, (1, n) for n nodes or cells. `read_as`
    describes the interpretation of an inexact file, drawing or graph, one sentence each; it is ignored by comparisons.
    Boards are immutable.

    Args:
        rows, cols: One number for a square board; a pair or a string like "8x12" for both. A string may be the whole
            specification of a board, as at the command line and in `str(board)`: "10x10:2,3", "8x8:torus:-a1,h8".
        holes, wrap, moves, leaper: See GridBoard. A specification of cells, such as "hex:6", supports holes and moves.

    >>> Board(8, 8) == Board(8) == Board("8x8")
    True
    >>> type(Board(8, 8)).__name__, type(Board("hex:6:king")).__name__
    ('GridBoard', 'CellBoard')
    """

    __slots__ = ("cols", "holes", "read_as", "rows")

    _kinds: ClassVar = _Kinds()
    rows: int
    cols: int
    holes: frozenset[Square]
    read_as: tuple[str, ...]

    @overload
    def __new__(
        cls,
        rows: int | tuple[int, int],
        cols: int | None = None,
        *,
        holes: Iterable[Square | str] = (),
        wrap: str | None = None,
        moves: Moves | None = None,
        leaper: tuple[int, int] | None = None,
    ) -> GridBoard: ...

    @overload
    def __new__(
        cls,
        rows: BoardLike,
        cols: None = None,
        *,
        holes: Iterable[Square | str] = (),
        wrap: str | None = None,
        moves: Moves | None = None,
        leaper: tuple[int, int] | None = None,
    ) -> Board: ...

    @with_hints
    def __new__(
        cls,
        rows: BoardLike,
        cols: int | None = None,
        *,
        holes: Iterable[Square | str] = (),
        wrap: str | None = None,
        moves: Moves | None = None,
        leaper: tuple[int, int] | None = None,
    ) -> Board:
        if isinstance(rows, int) or (cols is not None and not isinstance(rows, os.PathLike)):
            return cls._kinds.grid(cast("int", rows), cols, holes=holes, wrap=wrap, moves=moves, leaper=leaper)
        if isinstance(rows, tuple) and len(rows) > 2 and all(map(is_whole, rows)):
            rows = "x".join(map(str, rows))
        if isinstance(rows, str) and is_word_of_cells(rows):
            return cls._kinds.cells(rows, holes=holes, wrap=wrap, moves=moves, leaper=leaper)
        if isinstance(rows, str | tuple) or is_whole(rows):
            return cls._kinds.grid(rows, holes=holes, wrap=wrap, moves=moves, leaper=leaper)
        file = rows if isinstance(rows, os.PathLike) else None
        if (
            cols is not None
            or holes != ()
            or leaper is not None
            or (file is None and (wrap is not None or moves is not None))
        ):
            help = "a path is combined with wrap and moves alone; a Board has replace()"
            raise BoardError("a file, a graph or a Board has its own size and holes", help=help)
        return board_of(rows) if file is None else cls.from_file(file, wrap=wrap, moves=moves)

    # -- a value, which does not change

    def _fill(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a board cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a board cannot be changed: {name}")

    def _values(self) -> dict[str, Any]:
        names = (name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ()))
        return {name: getattr(self, name) for name in names}

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_board, (type(self), self._values())

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute("Board", name, dir(type(self)))

    def __len__(self) -> int:
        """Return the number of squares, without holes."""
        return self.rows * self.cols - len(self.holes)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Square]:
        """Yield the squares, row by row.

        >>> len(Board("3x3:-b2")), list(Board("3x3:-b2"))[:2]
        (8, [(0, 0), (0, 1)])
        """
        return iter(self.squares)

    def _key(self) -> tuple[Any, ...]:
        """The values that two equal boards of one class have in common."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())

    # -- other ways to make one

    @classmethod
    def from_text(
        cls, text: Drawing, *, wrap: str | None = None, moves: Moves = KNIGHT, holes_are: HolesAre = None
    ) -> GridBoard:
        """Create a board from a drawing: lines of `.` (square) and `#` (hole).

        Args:
            text: A string, a list of rows, or booleans in an array or in lists, in which True is a square. Holes may
                also be drawn as X, x, *, -, _ or blanks, and squares may be separated by spaces or bars; `read_as`
                reports this.
            wrap, moves: As for `Board`.
            holes_are: The character that represents a hole, such as 0. Required if the drawing is ambiguous.

        Raises:
            BoardError: If the drawing is not a rectangle of squares and holes.

        >>> Board.from_text("#..#\\n....\\n#..#").holes == {(0, 0), (0, 3), (2, 0), (2, 3)}
        True
        >>> Board.from_text(["110", "111"], holes_are=0).holes
        frozenset({(0, 2)})
        """
        from knightstour.core.model.turned import turned_remark

        drawn = read_drawing(text, holes_are)
        board = cls._kinds.grid(drawn.rows, drawn.cols, holes=drawn.holes, wrap=wrap, moves=moves)
        turned = turned_remark(board, drawn)
        if turned and drawn.signs and not set(drawn.signs) & set(".#"):
            raise drawn.ambiguous_signs(turned)
        return with_remarks(board, [*drawn.remarks, *([turned] if turned else [])])

    @classmethod
    def from_file(
        cls,
        path_or_file: PathOrFile,
        format: str | None = None,
        *,
        wrap: str | None = None,
        moves: Moves | None = None,
        holes_are: HolesAre = None,
        directed: bool = False,
    ) -> Board:
        """Read the board in a file: a drawing, as for `from_text`, or a graph with the node names of the file.

        `board.read_as` describes the interpretation of a file without an exact format.

        Args:
            path_or_file: The file, or an open stream. The parts of a board may follow the name of a drawing:
                "heart.txt:king:-a1".
            format: The format of a graph, such as "hcp", "graph6" or "gml" (docs/graphs.md); None: by the suffix of
                the path, or by the beginning of the file.
            wrap, moves, holes_are: For a drawing, as for `from_text`.
            directed: Whether the graph is directed: each edge is an arc, from its first node.

        Raises:
            FormatError: If the text is invalid (with the line) or ambiguous, or contains several graphs
                (`kt.read_boards`).
            BoardError: If the drawing is not a board.
            OSError: If the file cannot be opened.

        >>> import io
        >>> Board.from_file(io.StringIO("..#\\n...")).holes
        frozenset({(0, 2)})
        >>> Board.from_file(io.StringIO(":Fa@x^")).to_networkx().edges
        EdgeView([(0, 1), (0, 2), (1, 2), (5, 6)])
        """
        from knightstour.core.formats.board_saving import board_in

        return board_in(path_or_file, format, wrap, moves, holes_are, directed)

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
    ) -> GridBoard:
        """Create a board from the dark, or opaque, parts of an image, without its margin.

        Args:
            image: A file, bytes, a picture of Pillow, or an array: booleans, True for squares, or grey 0 to 255 as
                uint8.
            rows: Number of rows; by default one square per pixel, or 50 rows for a larger image that is not boolean.
            trim: "open" or "closed" omits all squares that prevent a tour; `read_as` states their share.
            join: Whether to connect the parts of the image by corridors and trim it, by default for closed tours.
            threshold: The grey level below which a pixel is dark, 128 by default.
            moves: As for `Board`.

        Raises:
            BoardError: If the image is invalid, if no square is left, or if `join` alone would omit over 10 % of them.

        >>> Board.from_image(np.array([[0, 1, 0], [1, 1, 1], [1, 1, 1]]) > 0)
        Board(3, 3, holes=[(0, 0), (0, 2)])
        """
        from knightstour.lab.pictures.images import board_of_image

        return board_of_image(image, rows, trim, moves, join=join, threshold=threshold)

    @classmethod
    def from_graph(cls, graph: AnyGraph[Node], *, directed: bool = False) -> GraphBoard:
        """Create a board whose squares are the nodes of a graph, to solve any Hamiltonian path problem.

        The squares are (0, 0), (0, 1), ... in the order of the nodes; `labels` and `tour.labels` contain the nodes.
        Loops and repeated edges are dropped.

        Args:
            graph: A graph of NetworkX, igraph or rustworkx; an adjacency matrix of NumPy or SciPy (an edge
                for each entry that is not 0); a mapping node -> neighbours, or a list of lists of neighbours, each edge
                listed at both ends; or edges as pairs. `read_as` describes the interpretation of lists. The nodes are
                the nodes of NetworkX, the mapping or the pairs, or else their indices, from 0.
            directed: Whether each move of a tour follows an arc: a pair is an arc from its first to its second node, a
                neighbour is a successor, an entry of a matrix an arc from row to column. Edges of undirected graphs
                become two arcs. Other functions convert directed graphs of libraries like this.

        Raises:
            BoardError: If the graph is directed (without `directed=True`), empty, ambiguous, or has unknown neighbours.

        >>> Board.from_graph([("a", "b"), ("b", "c"), ("c", "a")]).labels
        ('a', 'b', 'c')
        >>> Board.from_graph(np.ones((4, 4))).to_networkx().number_of_edges()
        6
        >>> board = Board.from_graph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")], directed=True)
        >>> board.is_directed, board.neighbors("c")
        (True, ((0, 0),))
        """
        nodes, edges, remarks = parts_of(graph, arcs=flag(directed, "directed"))
        from knightstour.core.model.graph_board import board_of_edges

        return with_remarks(board_of_edges(nodes, edges, arcs=directed), remarks)

    # -- implemented by each class of boards

    @property
    def _title(self) -> str:
        raise NotImplementedError

    @property
    def _move_name(self) -> str:
        raise NotImplementedError

    @property
    def _word(self) -> str:
        raise NotImplementedError

    def _list_squares(self) -> tuple[Square, ...]:
        raise NotImplementedError

    def neighbors(self, square: Square | str | Hashable) -> tuple[Square, ...]:
        """Return the squares that are one move from this one, for boards of any size.

        Raises:
            BoardError: If the square is not on the board.

        >>> board = Board(8, 8)
        >>> [board.square_name(square) for square in board.neighbors("a1")]
        ['c2', 'b3']
        """
        raise NotImplementedError

    def square(self, square: Square | str | Hashable) -> Square:
        """Return `(row, col)` of a pair or a name; raise BoardError if the square is not on the board.

        >>> Board(8, 8).square("a1"), Board(8, 8).square((0, 7))
        ((7, 0), (0, 7))
        """
        raise NotImplementedError

    def _square_at(self, number: int) -> Square:
        raise NotImplementedError

    def square_name(self, square: Square) -> str:
        """Return the algebraic name of a square, or the node of a graph's board. Holes have names too.

        Raises:
            BoardError: If the square is not on the board.

        >>> Board(8, 8).square_name((7, 0))
        'a1'
        """
        raise NotImplementedError

    def _names(self) -> list[str]:
        raise NotImplementedError

    def _are_moves(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _move_lists(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (offsets, targets, is_square) as in MoveGraph; raise BoardError if the board is directed."""
        raise NotImplementedError

    def _most_moves(self) -> int:
        raise NotImplementedError

    def to_networkx(self) -> networkx.Graph:
        """Return the moves as a NetworkX graph with nodes `(row, col)`, or the nodes of a graph; a DiGraph for arcs.

        Requires the extra `graphs` (pip install 'knightstour[graphs]').

        >>> Board(3, 4).to_networkx().number_of_edges()
        14
        """
        raise NotImplementedError

    # -- defaults for all classes of boards

    @property
    def is_directed(self) -> bool:
        """Whether its moves go one way."""
        return False

    @property
    def wrap(self) -> Wrap | None:
        """Joined sides, or None."""
        return None

    @property
    def squares(self) -> tuple[Square, ...]:
        """All squares except holes, row by row from the top left; raises BoardError if there are too many.

        >>> Board("2x3:-b2").squares
        ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2))
        """
        if self.rows * self.cols > MAX_LISTED_SQUARES:
            note = f"at most {MAX_LISTED_SQUARES:,} squares are listed"
            help = "check single squares instead: (0, 0) in board"
            raise BoardError(f"the squares of {an(self._title)} are too many to list", note=note, help=help)
        return self._list_squares()

    def __contains__(self, square: object) -> bool:
        """Whether the pair or name is a square of the board and not a hole.

        >>> "h8" in Board(8, 8), (8, 0) in Board(8, 8)
        (True, False)
        """
        try:
            self.square(square)
        except (BoardError, TypeError):
            return False
        return True

    def distances(self, square: Square | str | Hashable) -> np.ndarray:
        """Return the number of moves from this square to each square: int32 (rows, cols), -1 for holes and unreachable
        squares.

        >>> Board(8, 8).distances("a8")[7].tolist()
        [5, 4, 5, 4, 5, 4, 5, 6]
        """
        from knightstour.core.model.distances import distances

        return distances(self, square, functools.partial(move_graph, self))

    def move_graph(self) -> MoveGraph:
        """Return the moves as arrays; they are cached for recent boards.

        >>> Board(3, 3).move_graph().neighbour_lists()[0]
        [7, 5]
        """
        return move_graph(self)

    def save(self, path_or_file: PathOrFile, format: str | None = None, *, extra_vertex: bool = False) -> None:
        """Write the graph of the board, whose Hamiltonian cycles are the closed tours, or a picture of the board.

        Args:
            path_or_file: The file, or an open stream. A file that ends in .svg, .png or .pdf is a picture.
            format: "hcp", "graph6", "sparse6", "dimacs", "cnf" or "edges"; None: by the suffix of the path, or "hcp".
            extra_vertex: Whether to add a last vertex joined to all others, so that Hamiltonian cycles are the open
                tours.

        Raises:
            FormatError: If the format cannot hold the board.
            OSError: If the file cannot be written.

        >>> import sys
        >>> Board.from_graph([[2, 4], [3], [0], [1, 4], [0, 3]]).save(sys.stdout, "graph6")
        DQc
        """
        from knightstour.core.formats.board_saving import save_board

        save_board(self, path_or_file, format, extra_vertex)

    def paths(self, start: Square | str, end: Square | str) -> ShortestPaths:
        """All shortest ways from one square to another: `moves`, the exact `count`, and the ways lazily, in order.

        >>> ways = Board(8, 8).paths("a8", "h1")
        >>> ways.moves, ways.count, next(iter(ways))
        (6, 108, ((0, 0), (1, 2), (0, 4), (1, 6), (3, 5), (5, 6), (7, 7)))
        """
        from knightstour.core.model.distances import shortest_paths

        return shortest_paths(self, start, end, functools.partial(move_graph, self), self._square_at)

    def _repr_svg_(self) -> str | None:
        """Return None for graphs and large boards, which notebooks show as text."""
        from knightstour.core.drawing.svg.picture import for_notebook

        return for_notebook(self)

    def __str__(self) -> str:
        """The board as one word, which `Board` reads: `Board(str(board)) == board`. A graph has none, but a title.

        >>> str(Board(4, 5, wrap="torus", holes=["a1"])), str(Board("8x8:zebra"))
        ('4x5:torus:-a1', '8x8:2,3')
        """
        return self._word or self._title


# Input of `Board.from_text` besides a text.
_Rows: TypeAlias = "list[str] | list[list[bool]] | np.ndarray"
BoardLike: TypeAlias = "Board | tuple[int, int] | str | int | os.PathLike[str] | _Rows | GraphOfLibrary"


_B = TypeVar("_B", bound=Board)


def _make_board(kind: type[_B], values: dict[str, Any]) -> _B:
    board = object.__new__(kind)
    board._fill(**values)
    return board


# ---------------------------------------------------------------- for the other modules

_of_word = functools.lru_cache(maxsize=64)(Board)  # A board cannot be changed, so it may be shared.


def board_of(board: BoardLike) -> Board:
    """Return the board of a value that functions accept as a board; strings are cached.

    >>> board_of((3, 4)) == Board(3, 4) == board_of("3x4"), board_of(8)
    (True, Board(8, 8))
    """
    if isinstance(board, Board):
        return board
    if isinstance(board, str):
        return _of_word(board)
    if isinstance(board, os.PathLike):
        return Board.from_file(board)
    if isinstance(board, np.ndarray) and board.ndim == 2:
        return Board.from_graph(board) if is_matrix(board) else Board.from_text(board)
    if says_arcs(board):
        return Board.from_graph(cast("AnyGraph[Hashable]", board), directed=True)
    if is_graph(board):
        return Board.from_graph(cast("AnyGraph[Hashable]", board))
    if isinstance(board, list) and board and all(isinstance(row, str | list | tuple) for row in board):
        return Board.from_text(board)
    if isinstance(board, tuple) or is_whole(board):
        return Board(cast("tuple[int, int]", board))
    return Board(*size_of(cast("int", board)))


def title_of(board: Board) -> str:
    """Return the board as a sentence names it.

    >>> title_of(Board(4, 5, wrap="torus")), title_of(Board(8, 8))
    ('4x5 torus', '8x8 board')
    """
    return board._title


def move_name(board: Board) -> str:
    """Return the name of a move: "a knight's move", "an edge of the graph"."""
    return board._move_name


def word_of(board: Board) -> str:
    """Return the board as one word, which `Board` reads; "" if it has none.

    >>> word_of(Board(4, 5, wrap="torus", holes=["a1"])), word_of(Board.from_graph([(1, 2)]))
    ('4x5:torus:-a1', '')
    """
    return board._word


def square_count(board: Board) -> int:
    """Return the number of squares without holes, like `len`, but for boards of any size."""
    return board.rows * board.cols - len(board.holes)


def square_at(board: Board, number: int) -> Square:
    """Return the square of a number `row * cols + col`; for boards of nodes or cells it has the attribute `label`.

    >>> square_at(Board(8, 8), 57), square_at(Board("hex:2:king"), 3).label
    ((7, 1), (0, 0))
    """
    return board._square_at(number)


def square_names(board: Board) -> list[str]:
    """Return the names of all squares and holes, in the order of their numbers.

    >>> square_names(Board(2, 2))
    ['a2', 'b2', 'a1', 'b1']
    """
    return board._names()


def with_remarks(board: _B, remarks: Iterable[str]) -> _B:
    """Return the same board with these sentences added to its `read_as`.

    >>> with_remarks(Board(3, 4), ["the rows are turned"]).read_as
    ('the rows are turned',)
    """
    read_as = tuple(dict.fromkeys([*board.read_as, *remarks]))
    return _make_board(type(board), {**board._values(), "read_as": read_as})


def read_as_record(board: Board) -> dict[str, list[str]]:
    """Return `read_as` as a field of JSON; an empty dict without remarks."""
    return {"read_as": list(board.read_as)} if board.read_as else {}


def are_moves(board: Board, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return whether each pair of square numbers is one move apart, as bool in the shape of `before`; ignore holes.

    This compares coordinates, not the lists of `move_graph`, so that checking a tour shares no code with finding it.

    >>> are_moves(Board(3, 3), np.array([0, 0]), np.array([5, 4])).tolist()
    [True, False]
    """
    return board._are_moves(before, after)


def most_moves(board: Board) -> int:
    """Return an upper bound on the length of the lists of moves, without listing them. Each move is in two lists.

    >>> most_moves(Board(8, 8)), most_moves(Board(2, 2, moves="king+knight")), most_moves(Board("2x2x2:king"))
    (512, 12, 56)
    """
    return board._most_moves()


def move_graph(board: BoardLike) -> MoveGraph:
    """Return the moves of a board as arrays, for `Board.move_graph`."""
    return _moves_of(board_of(board))


@functools.lru_cache(maxsize=64)
def _moves_of(board: Board) -> MoveGraph:
    if board.rows * board.cols > MAX_LISTED_SQUARES:
        note = f"at most {MAX_LISTED_SQUARES:,} squares are listed"
        help = "plain rectangles have tours without a search at any size: implicit_tour(board)"
        raise BoardError(f"the moves of {an(board._title)} are too many to list", note=note, help=help)
    return MoveGraph(*map(make_read_only, board._move_lists()))
