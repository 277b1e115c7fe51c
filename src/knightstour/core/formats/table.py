"""FORMATS: one row per format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from knightstour.core.model.errors import FormatError
from knightstour.core.model.lazy import Lazy
from knightstour.core.model.validation import did_you_mean, one_of

if TYPE_CHECKING:
    from knightstour.core.formats.text import Reading
    from knightstour.core.machine.files import PathOrFile, Source
    from knightstour.core.model.board import Board
    from knightstour.core.model.tour import Tour

if TYPE_CHECKING:
    from knightstour.core.formats import (
        arrays,
        edge_lists,
        formulas,
        graph_texts,
        graphs,
        json_records,
        links,
        lists,
        tsplib,
    )
    from knightstour.core.formats import text as notation
else:
    arrays = Lazy("knightstour.core.formats.arrays")
    edge_lists = Lazy("knightstour.core.formats.edge_lists")
    formulas = Lazy("knightstour.core.formats.formulas")
    graph_texts = Lazy("knightstour.core.formats.graph_texts")
    graphs = Lazy("knightstour.core.formats.graphs")
    links = Lazy("knightstour.core.formats.links")
    lists = Lazy("knightstour.core.formats.lists")
    json_records = Lazy("knightstour.core.formats.json_records")
    notation = Lazy("knightstour.core.formats.text")
    tsplib = Lazy("knightstour.core.formats.tsplib")

Writer: TypeAlias = "Callable[[Iterable[Tour]], Iterator[str]] | Callable[[Iterable[Tour]], Iterator[bytes]]"
Reader: TypeAlias = "Callable[[Source, Board | None], Iterator[Reading]]"


@dataclass(frozen=True, slots=True, repr=False)
class Format:
    """Row of FORMATS.

    Attributes:
        suffixes: The first is the default.
        extension_is_sure: Whether the suffix decides, instead of the first line of the file.
        begins: Pattern for the first line of a file in this format.
        needs_board: Boards that must be given to read tours.
        write: Function from tours to pieces of text or bytes.
        gap: Text between two pieces.
        streams: Whether tours can be written separately.
        read: Function from a Source and the given board to readings.
        write_board, read_boards: For formats of graphs: functions from a board to pieces of text, and from a Source to
            boards.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    needs_board: str
    write: Writer
    read: Reader
    _: KW_ONLY
    is_binary: bool = False
    extension_is_sure: bool = True
    begins: str | None = None
    streams: bool = False
    gap: str = ""
    write_board: Callable[..., Iterator[str]] | None = None
    read_boards: Callable[[Source], Iterator[Board]] | None = None

    def __repr__(self) -> str:
        return f"{self.name}: {self.summary}"

    @property
    def holds_tours(self) -> bool:
        return self.read_boards is None

    def check_boards(self, names: Iterable[str]) -> Format:
        """Return the row if it supports boards; else raise FormatError. names: Formats of boards."""
        if self.holds_tours:
            raise FormatError(f"the format {self.name} supports tours, not boards", help="use " + ", ".join(names))
        return self


def _graph_format(
    name: str,
    summary: str,
    suffixes: tuple[str, ...],
    write: Callable[..., Iterator[str]],
    read: Callable[[Source], Iterator[Board]],
    begins: str | None = None,
) -> Format:
    return Format(
        name,
        summary,
        suffixes,
        "none",
        partial(_write_first_board, write),
        partial(_holds_no_tours, name),
        begins=begins,
        write_board=write,
        read_boards=read,
    )


def _write_first_board(write: Callable[[Board], Iterator[str]], tours: Iterable[Tour]) -> Iterator[str]:
    for tour in tours:
        yield from write(tour.board)
        return


def _holds_no_tours(name: str, source: Source, board: Board | None) -> Iterator[Reading]:
    raise source.fail(
        f"the format {name} contains graphs of boards, not tours",
        help="read it with Board.from_file, and solve it",
    )


_GRID = (partial(notation.write_grid, first_number=1), partial(notation.read_grid, first_number=1))
_GRID0 = (partial(notation.write_grid, first_number=0), partial(notation.read_grid, first_number=0))

FORMATS: dict[str, Format] = {row.name: row for row in (
    Format("grid", "numbered diagram, from 1; '.' is a hole", (".txt", ".grid"), "graphs", *_GRID,
           extension_is_sure=False, streams=True, gap="\n"),
    Format("grid0", "numbered diagram, from 0; '.' is a hole", (".grid0",), "graphs", *_GRID0, streams=True, gap="\n"),
    # Other lists of pairs may have the column first.
    Format("squares", "row,col of each square from 0,0 at the top left, a tour a line", (".squares",), "graphs",
           lists.write_squares, lists.read_squares, begins=r"\d+,\d+ \d+,\d+( |$)|0,0$", streams=True),
    Format("san", "moves of a game: Na1 Nb3 Nc5, the first square first; a tour a line", (".san",), "graphs",
           lists.write_san, lists.read_san, begins=r"(1\.\s*)?N[a-z]{1,12}\d+\s+((2\.\s*)?N[a-z]{1,12}\d|$)",
           streams=True),
    Format("uci", "moves from square to square, as for chess engines: a1b3 b3c5; one line per tour", (".uci",),
           "graphs", lists.write_uci, lists.read_uci, begins=r"[a-z]{1,12}\d+[a-z]{1,12}\d+(\s|$)", streams=True),
    Format("algebraic",
           "names of the squares, a1 at the bottom left, of cells (a1.3), or of a graph's nodes; a tour a line",
           (".algebraic",), "graphs", lists.write_algebraic, lists.read_algebraic,
           begins=r"(?i)[a-z]{1,12}\d+(\.\d+)*([\s,-]|$)", streams=True),
    Format("csv", "table with the columns tour, step, row, col, all from 0", (".csv",), "graphs", lists.write_csv,
           lists.read_csv, extension_is_sure=False, begins=r'(?i)(?=(.*,)?[ "]*row[ "]*(,|$))(.*,)?[ "]*col[ "]*(,|$)'),
    Format("json", "one object a line, with the whole board", (".json", ".jsonl", ".ndjson"), "none",
           json_records.write_json, json_records.read_json, begins=r"[{\[]", streams=True),
    Format("npy", "NumPy array of diagrams, int32 (tours, rows, cols), -1 for a hole", (".npy",),
           "wraps, other leapers, graphs", arrays.write_npy, arrays.read_npy, is_binary=True),
    Format("npz", "NumPy arrays: order, int32 (tours, squares), and the board", (".npz",), "none", arrays.write_npz,
           arrays.read_npz, is_binary=True),
    _graph_format("hcp", "TSPLIB Hamiltonian cycle problem: the graph of the board, no tours", (".hcp", ".tsp"),
                  tsplib.write_hcp, tsplib.read_hcp),
    _graph_format("graph6", "graphs of nauty, a line each: a bit for each pair of nodes; no tours", (".g6", ".graph6"),
                  graphs.write_graph6, graphs.read_packed, r">>graph6<<|[?-~]+$"),
    _graph_format("sparse6", "graphs of nauty, a line each: their edges; no tours", (".s6", ".sparse6"),
                  graphs.write_sparse6, graphs.read_packed, r">>sparse6<<|:[?-~]+$"),
    _graph_format("dimacs", "DIMACS graph: 'p edge NODES EDGES', then a line 'e A B' an edge; no tours",
                  (".col", ".edge", ".dimacs"), graphs.write_dimacs, graphs.read_dimacs,
                  r"(c|p (edges?|col|tw|td) .*)$|c\s"),
    _graph_format("cnf", "DIMACS formula, true of Hamiltonian cycles, for SAT solvers; no tours", (".cnf",),
                  formulas.write_cnf, formulas.read_cnf),
    _graph_format("edges", "two node names per line, or one for a node without edges; no tours",
                  (".edges", ".edgelist"), edge_lists.write_edges, graph_texts.read_text),
    Format("tour", "TSPLIB tour: node numbers, -1 after each tour", (".tour",), "graphs; files of other programs",
           tsplib.write_tour, tsplib.read_tour),
    Format("link", "a link to the page, or its part after '#'; a line each", (".link",), "graphs", links.write_link,
           links.read_link, begins=r"(https?://[^#\s]*#|#)?(hex|tri|\d+(x\d+)*)([~:]\S*)?(&|%26)\w", streams=True),
    Format("xy", "a line 'X: 1<tab>Y: 1' a square: column and row from 1 at the top left", (".xy",), "graphs",
           lists.write_xy, lists.read_xy, begins=r"(?i)X:\s*-?\d+\s+Y:", streams=True, gap="\n"),
)}  # fmt: skip

GRAPH_FORMATS = tuple(name for name, row in FORMATS.items() if not row.holds_tours)


def graph_readers() -> tuple[str, ...]:
    """Return all formats of graphs that can be read."""
    from knightstour.core.formats.foreign import FOREIGN

    return (*GRAPH_FORMATS, *FOREIGN)


def format_named(name: str) -> Format:
    """Return a row of FORMATS. Raises FormatError for an unknown name."""
    return FORMATS[one_of(name, FORMATS, "format", error=FormatError)]


def suffix_of(path: str | os.PathLike[str]) -> str:
    """Return the suffix of a path in lower case, such as ".npy", or ""."""
    from pathlib import PurePath

    return PurePath(path).suffix.lower()


def format_of_extension(path: str | os.PathLike[str]) -> Format | None:
    """Return the row of FORMATS with the suffix of a path, or None."""
    suffix = suffix_of(path)
    return next((row for row in FORMATS.values() if suffix in row.suffixes), None)


def format_to_write(path_or_file: PathOrFile, name: str | None) -> Format:
    """Return the given row of FORMATS, or the row for the suffix. Raises FormatError for an unknown suffix."""
    if name is not None:
        return format_named(name)
    if not isinstance(path_or_file, str | os.PathLike):
        return FORMATS["grid"]
    row = format_of_extension(path_or_file)
    if row is None:
        suffix = suffix_of(path_or_file)
        meant = did_you_mean(suffix, (known for other in FORMATS.values() for known in other.suffixes))
        raise FormatError(
            f"unknown suffix: {suffix!r}{meant}" if suffix else "without a suffix the file's format is unknown",
            path=os.fspath(path_or_file),
            help="end it in .txt .csv .json .npy for tours, or .g6 .hcp .edges for graphs; or pass another format",
        )
    return row
