"""TSPLIB files: boards as Hamiltonian cycle problems (`.hcp`) and tours of them (`.tour`), for other solvers.

Squares (without holes) are the nodes 1, 2, ..., in rows from the top left. An `.hcp` file lists each move once. Its
Hamiltonian cycles are the closed tours. With an additional last vertex, joined to all others, they are the open tours.

A `.tour` file may contain many tours of one board, each ended by -1, and several such parts. The line `COMMENT : board
8x8` defines the board. A tour with one node too many is read as a cycle through the additional vertex. Source: G.
Reinelt, TSPLIB 95, 1995.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

import numpy as np

from knightstour.core.formats import graphs
from knightstour.core.formats.faults import TruncatedText
from knightstour.core.formats.text import Reading, agreed_board, board_of_words
from knightstour.core.machine.files import Source
from knightstour.core.model.board import MAX_LISTED_SQUARES, Board, square_count, word_of
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.tour import Tour

_MAX_HEAD_LINES = 1000


def _title(board: Board, kind: str, dimension: int) -> str:
    has_word = isinstance(board, GridBoard) or (isinstance(board, CellBoard) and word_of(board) != "")
    graph = "directed graph" if board.is_directed else "graph"
    comment = f"board {board}" if has_word else f"{graph} of {square_count(board)} nodes"
    name = f"{board.rows}x{board.cols}" if isinstance(board, GridBoard) else str(board) if has_word else "graph"
    return f"NAME : {name}\nCOMMENT : {comment}\nTYPE : {kind}\nDIMENSION : {dimension}\n"


# ---------------------------------------------------------------- boards


def write_hcp(board: Board, *, extra_vertex: bool = False) -> Iterator[str]:
    """Yield the board's graph, each move once; `extra_vertex` adds a vertex joined to all."""
    count, edges = graphs.numbered_edges(board, extra_vertex)
    yield _title(board, "HCP", count)
    yield "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
    for k in range(0, len(edges), graphs.EDGE_LINES):
        yield "".join(f"{a} {b}\n" for a, b in (edges[k : k + graphs.EDGE_LINES] + 1).tolist())
    yield "-1\nEOF\n"


def read_hcp(source: Source) -> Iterator[Board]:
    """Yield the graphs of an `.hcp` file. Nodes are 1, 2, ... A graph ends with EOF, and another one may follow.

    Raises:
        FormatError: If the file is invalid or truncated, or if a graph has other sections.
    """
    part, last = _GraphPart(source, 1), 1
    for number, text, is_whole in source.pieces():
        last = number
        words = text.replace(":", " : ", 1).split()
        if not words:
            continue
        if part.is_ended and words[0].upper() in _HEAD_WORDS:
            yield part.board(number)
            part = _GraphPart(source, number)
        part.add(words, number, is_whole and number <= part.first + _MAX_HEAD_LINES)
    yield part.board(last)


# Entries of problems with coordinates or weights.
_OF_COORDINATES = (
    *("NODE_COORD_SECTION", "NODE_COORD_TYPE", "DISPLAY_DATA_SECTION", "DISPLAY_DATA_TYPE", "EDGE_WEIGHT_TYPE"),
    *("EDGE_WEIGHT_FORMAT", "EDGE_WEIGHT_SECTION"),
)
_HEAD_WORDS = ("NAME", "COMMENT", "TYPE", "DIMENSION", "EDGE_DATA_FORMAT")


class _GraphPart:
    """A graph of an `.hcp` file while it is read. first: First line."""

    def __init__(self, source: Source, first: int) -> None:
        self.first = first
        self._source = source
        self._head: dict[str, str] = {}
        self._edges: _Edges | None = None
        self._has_eof = False

    @property
    def is_ended(self) -> bool:
        return self._edges is not None and self._edges.has_end

    def add(self, words: list[str], line: int, may_be_head: bool) -> None:
        """may_be_head: whether the line is short enough for a header."""
        source = self._source
        if [word.upper() for word in words] == ["EOF"]:
            if self._edges is None or self._has_eof:
                raise source.fail("EOF is repeated, or precedes the edges", line)
            self._edges.has_end = self._has_eof = True
        elif self._edges is not None and not self._edges.has_end:
            self._edges.add(words, line)
        elif self._edges is not None:
            raise self._leftover(words, line)
        else:
            self._add_head(*_head_line(source, words, line, may_be_head), words, line)

    def _leftover(self, words: list[str], line: int) -> FormatError:
        if words[0].upper() == "FIXED_EDGES_SECTION":
            return self._source.fail(_FIXED_EDGES, line, help=_FIXED_HELP)
        shown = " ".join(words)[:40]
        help = "omit it, if the graph is complete without it; another graph begins with its NAME"
        return self._source.fail(f"{shown!r} follows the edges, where only EOF is expected", line, help=help)

    def _add_head(self, keyword: str, value: str, words: list[str], line: int) -> None:
        source, head = self._source, self._head
        if keyword == "EDGE_DATA_SECTION":
            if not {"TYPE", "DIMENSION"} <= head.keys():
                raise source.fail("the edges precede TYPE and DIMENSION", line)
            if value:
                raise source.fail(f"EDGE_DATA_SECTION must be alone in its line, without {value[:40]!r}", line)
            self._edges = _Edges(source, int(head["DIMENSION"]), head.get("EDGE_DATA_FORMAT") == "ADJ_LIST")
        elif keyword == "FIXED_EDGES_SECTION":
            raise source.fail(_FIXED_EDGES, line, help=_FIXED_HELP)
        elif keyword == "TOUR_SECTION":
            raise source.fail(
                "TOUR_SECTION is for the type TOUR", line, help="write TYPE : TOUR, and end the name in .tour"
            )
        elif keyword not in _HEAD_WORDS:
            if keyword in _OF_COORDINATES:
                help = "omit coordinates and weights: the edges alone define the graph"
                raise source.fail(f"{keyword} is not supported", line, help=help)
            raise source.fail(f"unknown TSPLIB keyword {words[0][:40]!r}", line)
        elif keyword in head and keyword != "COMMENT":
            raise source.fail(f"{keyword} is repeated in the header of a graph", line)
        elif keyword == "TYPE" and value.upper() != "HCP":
            help = "keep only the lines of edges, and use FILE:directed" if "DIRECTED" in value.upper() else ""
            raise source.fail(f"unsupported type: {value[:40]} (boards have the type HCP)", line, help=help)
        elif keyword == "DIMENSION":
            _dimension(source, value, line)
        elif keyword == "EDGE_DATA_FORMAT" and value.upper() not in ("EDGE_LIST", "ADJ_LIST"):
            raise source.fail(f"unknown edge format {value[:40]!r}", line, help="EDGE_LIST or ADJ_LIST")
        head[keyword] = value.upper()

    def board(self, line: int) -> Board:
        graphs.refuse_edges(self._source, "a file of the type HCP", line)
        if self._edges is None:
            raise self._source.fail(
                "the file has no EDGE_DATA_SECTION: it is truncated, or not a board", line, error=TruncatedText
            )
        return self._edges.board(line)


_FIXED_EDGES = "FIXED_EDGES_SECTION is not supported: it requires moves of the tour"
_FIXED_HELP = "omit the section, and require its moves: --require 1-3 (require= in Python)"


class _Edges:
    """A section of edges while it is read, as pairs or lists of neighbours."""

    def __init__(self, source: Source, dimension: int, is_lists: bool) -> None:
        self._source, self._dimension, self._is_lists = source, dimension, is_lists
        self._edges: list[tuple[int, int]] = []
        # Node of the current list of neighbours, 0 between lists.
        self._open_node = 0
        self.has_end = False

    def add(self, words: list[str], line: int) -> None:
        nodes = _nodes(self._source, words, self._dimension, line)
        if self._is_lists:
            for node in nodes:
                if self.has_end:
                    raise self._source.fail(f"{node} follows the -1 that ends the edges", line)
                if node == -1 and not self._open_node:
                    self.has_end = True
                elif node == -1:
                    self._open_node = 0
                elif not self._open_node:
                    self._open_node = node
                else:
                    self._edges.append((self._open_node, node))
        elif nodes == [-1]:
            self.has_end = True
        elif len(nodes) != 2 or -1 in nodes:
            raise self._source.fail("an edge must be a line of two nodes", line)
        else:
            self._edges.append((nodes[0], nodes[1]))
        if not self.has_end and len(self._edges) > self._dimension**2:
            raise self._source.fail("there are more edges than pairs of nodes", line)

    def board(self, line: int) -> Board:
        count, edges = self._dimension, self._edges
        if not self.has_end or self._open_node:
            raise self._source.fail(
                "the file is truncated: the edges do not end with -1 and EOF", line, error=TruncatedText
            )
        places = np.array(edges, dtype=np.int64).reshape(-1, 2) - 1
        return graphs.board_in(self._source, range(1, count + 1), places, line)


def _head_line(source: Source, words: list[str], line: int, may_be_head: bool) -> tuple[str, str]:
    """Return (keyword, value) of a line of a header. may_be_head: Whether it is short enough."""
    if not may_be_head:
        raise source.fail("this is not a TSPLIB file: its header is too long", line)
    return words[0].upper(), " ".join(words[1:]).removeprefix(": ").strip()


def _dimension(source: Source, value: str, line: int) -> int:
    if not value.isdecimal() or len(value) > 18 or int(value) < 1:
        raise source.fail(f"invalid dimension: {value[:40]!r}", line)
    if int(value) > MAX_LISTED_SQUARES:
        raise source.fail(f"{value} nodes are too many; the limit is {MAX_LISTED_SQUARES:,}", line)
    return int(value)


def _nodes(source: Source, words: list[str], dimension: int, line: int) -> list[int]:
    """Return the nodes of a line, each 1 to dimension, or -1."""
    nodes = []
    for word in words:
        is_number = word.isascii() and word.removeprefix("-").isdecimal() and len(word) <= 18
        node = int(word) if is_number else 0
        if node != -1 and not 1 <= node <= dimension:
            why = f"node {node} is not between 1 and {dimension}" if is_number else f"invalid node: {word[:40]!r}"
            raise source.fail(why, line)
        nodes.append(node)
    return nodes


# ---------------------------------------------------------------- tours


def write_tour(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield the tours of each board in one TOUR_SECTION."""
    board: Board | None = None
    node: list[int] = []
    for tour in tours:
        if tour.board is not board and tour.board != board:
            if board is not None:
                yield "-1\nEOF\n"
            board = tour.board
            node = np.cumsum(_is_square(board)).tolist()
            yield _title(board, "TOUR", len(tour)) + "TOUR_SECTION\n"
        yield "\n".join([str(node[s]) for s in tour.order.tolist()]) + "\n-1\n"
    if board is not None:
        yield "-1\nEOF\n"


def _is_square(board: Board) -> np.ndarray:
    is_square = np.ones(board.rows * board.cols, dtype=bool)
    for r, c in board.holes:
        is_square[r * board.cols + c] = False
    return is_square


def read_tour(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Read the tours of a `.tour` file. A comment or the caller must define the board."""
    part = _Part()
    is_inside, has_end = False, True
    cells, first_line, last, head_at = array("q"), 1, 1, 0
    for number, text, is_whole in source.pieces():
        last = number
        words = text.replace(":", " : ", 1).split()
        if not words:
            continue
        if not is_inside:
            may_be_head = is_whole and number <= head_at + _MAX_HEAD_LINES
            keyword, value = _head_line(source, words, number, may_be_head)
            if keyword in ("EOF", "TOUR_SECTION") and value:
                raise source.fail(f"{keyword} must be alone in its line, without {value[:40]!r}", number)
            if keyword == "EOF":
                head_at = number
                part, has_end = _Part(), True
            elif keyword == "TOUR_SECTION":
                part.settle(source, given_board, number)
                is_inside, has_end, cells = True, False, array("q")
            elif keyword == "TYPE" and value.upper() != "TOUR":
                raise source.fail(f"unsupported type: {value[:40]} (tours have the type TOUR)", number)
            elif keyword == "DIMENSION":
                part.dimension = _dimension(source, value, number)
            elif keyword == "COMMENT" and value.startswith("board "):
                try:
                    part.named = board_of_words(value)
                except BoardError as error:
                    raise source.fail(str(error), number, help=error.help) from error
            elif keyword not in ("NAME", "COMMENT", "TYPE"):
                raise source.fail(f"unknown TSPLIB keyword {words[0][:40]!r}", number)
            continue
        if [word.upper() for word in words] == ["EOF"]:
            # Some solvers omit the -1 that ends the section.
            is_inside, has_end, part, head_at = False, not cells, _Part(), number
            continue
        for node in _nodes(source, words, part.dimension, number):
            if not is_inside:
                raise source.fail(f"{node} follows the -1 that ends the section", number)
            if node != -1:
                if not cells:
                    first_line = number
                cells.append(node)
                if len(cells) > part.dimension:
                    raise source.fail(f"the tour is longer than its dimension, {part.dimension}", number)
            elif cells:
                if len(cells) < part.dimension:
                    raise source.fail(f"{len(cells)} nodes, but the dimension is {part.dimension}", first_line)
                yield part.reading(cells, first_line)
                cells = array("q")
            else:
                is_inside, has_end, head_at = False, True, number
    if not has_end or is_inside:
        raise source.fail("the file is truncated: a tour ends with -1, the file with EOF", last, error=TruncatedText)


class _Part:
    """Header of a TOUR_SECTION."""

    def __init__(self) -> None:
        self.dimension = 0
        self.named: Board | None = None
        self._board: Board | None = None
        self._squares = np.zeros(0, dtype=np.int64)

    def settle(self, source: Source, given_board: Board | None, line: int) -> None:
        board = agreed_board(source, given_board, self.named, line)
        if board is None:
            raise source.fail(
                "a .tour file lists nodes without their board",
                line,
                help="pass the board, or define it in the header: COMMENT : board 8x8",
            )
        if self.dimension not in (square_count(board), square_count(board) + 1):
            raise source.fail(
                f"the dimension is {self.dimension or 'missing'}, but the board has {square_count(board):,} nodes",
                line,
            )
        self._board = board
        self._squares = np.flatnonzero(_is_square(board))

    def reading(self, cells: array[int], line: int) -> Reading:
        board = self._board
        assert board is not None
        nodes = np.array(cells)
        extra = np.flatnonzero(nodes == square_count(board) + 1)
        if len(extra):
            # The extra vertex is between the tour's end and its start.
            nodes = np.roll(nodes, -int(extra[0]) - 1)[: len(nodes) - 1]
            nodes = nodes[nodes <= square_count(board)]
        return Reading(board, np.stack(np.divmod(self._squares[nodes - 1], board.cols), axis=1), line)
