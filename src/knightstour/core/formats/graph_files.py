"""Graphs in a file, in a given format, or a format chosen by the suffix or by the beginning of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from knightstour.core.formats import graph_texts
from knightstour.core.formats.edge_lists import names_columns
from knightstour.core.formats.foreign import FOREIGN, form_of, form_of_extension
from knightstour.core.formats.graph_lines import PROMISE
from knightstour.core.formats.graphs import looks_packed
from knightstour.core.formats.neighbour_lists import matrix_in
from knightstour.core.formats.table import FORMATS, format_of_extension, graph_readers
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board, with_remarks
from knightstour.core.model.drawing import looks_drawn
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.validation import one_of

ReadBoards: TypeAlias = Callable[[Source], Iterator[Board]]

TSPLIB = re.compile(r"(NAME|TYPE|COMMENT|DIMENSION|TOUR_SECTION|EDGE_DATA_FORMAT)\b", re.IGNORECASE)
_DIMACS = re.compile(r"\A(?:\s*(?:c\b[^\n]*)?\n)*\s*p\s+(?!cnf)|\A(?:\s*(?:c\b[^\n]*)?\n)+\s*\Z")
# First lines of texts for `graph_texts`: two words, brackets, a fact, a node and a colon, a dash between names, a
# number, statements of Python and C.
_LIKE_LISTS = re.compile(
    r"[^\s,;]+[\s,;]+[^\s,;]+([\s,;]+[^\s,;]+)?[;,]?$|[^\s,]+[\s,]+[^\s,]+\s*\{|[\[({]|\w+\s*\(|[^\s:]+\s*:|\w+\.add_"
    r"|[\w\s\[\]<>:]+=\s*[\[({\w]|\S+\s*(<?-{1,3}>?|[\u2013\u2014\u2192\u2194])\s*\S+|[\d.,;\s-]+$|\.[+-]+$|//|%|import\s|from\s"
)


def boards_in(source: Source, name: str | None = None, arcs: bool = False) -> Iterator[Board]:
    """Return the graphs of a source. Raises FormatError if its format is unknown.

    Args:
        name: Format, if given.
        arcs: Whether each edge is directed.
    """
    source.arcs = arcs
    if name is not None:
        read = _reader_named(name)
    else:
        found = _by_extension(source)
        read = _by_content(source) if found is None else found
    return (with_remarks(board, source.pop_remarks()) for board in read(source))


def graphs_in(source: Source, name: str | None = None, arcs: bool = False) -> Iterator[Board] | None:
    """Return the graphs of a source, or None if it may be a drawing. Arguments: As for `boards_in`."""
    source.arcs = arcs
    if name is not None:
        return boards_in(source, name, arcs)
    if source.is_array:
        return _graph_in_array(source)
    if _by_extension(source) is not None:
        return boards_in(source, None, arcs)
    if looks_drawn(source.check_is_text()):
        return None
    row = format_of_extension(source.path or "")
    if row is not None and row.extension_is_sure and source.check_is_text().lstrip()[:1] not in ("{", "["):
        return None
    try:
        read = _by_content(source)
    except FormatError as error:
        if error.note:
            raise
        return None
    return (with_remarks(board, source.pop_remarks()) for board in read(source))


def _graph_in_array(source: Source) -> Iterator[Board] | None:
    """Return the graph of an adjacency matrix in a NumPy file, or None if the array may be a drawing."""
    if not source.is_file:
        # It can be read only once, so the format must be given.
        return None
    array = matrix_in(source)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or len(array) < 2 or array.dtype.kind not in "biuf":
        return None
    if source.arcs:
        return boards_in(source, "matrix", arcs=True)
    if array.diagonal().any() or not array.any() or not bool(((array != 0) == (array != 0).T).all()):
        return None
    if array.dtype.kind == "b":
        why = "this array of booleans may be an adjacency matrix, or the drawing of a board"
        raise source.fail(why, help="use matrix:FILE, or FILE:-0 (holes are False) or FILE:-1 (True)")
    return boards_in(source, "matrix")


def _reader_named(name: str) -> ReadBoards:
    known = one_of(name, [*FORMATS, *FOREIGN], "format", error=FormatError)
    if known == "edges":
        # Every line is certainly an edge.
        return partial(graph_texts.read_by_name, "edges")
    return FOREIGN[known].read if known in FOREIGN else _reader(known)


def _reader(name: str) -> ReadBoards:
    read = FORMATS[name].check_boards(graph_readers()).read_boards
    assert read is not None
    return read


def _by_extension(source: Source) -> ReadBoards | None:
    row = format_of_extension(source.path or "")
    if row is not None and not row.holds_tours:
        if row.name == "hcp" and re.match(
            r"(\s*#[^\n]*\n)*\s*\d+([\s,]+\d+)?\s*$", source.check_is_text(), re.MULTILINE
        ):
            source.remark("the file has no TSPLIB header, and is read as a list of edges")
            return graph_texts.read_text
        return row.read_boards
    form = form_of_extension(source.path or "")
    return form.read if form is not None and form.name else None


def _read_guessed(source: Source) -> Iterator[Board]:
    """Read the graphs of a text without marks of a format, with a remark."""
    for board in graph_texts.read_text(source):
        assert isinstance(board, GraphBoard)
        moves = sum(map(len, board.graph)) // (1 if source.arcs else 2)
        source.remark(f"read as a graph: {len(board):,} nodes, {moves:,} {'move' if moves == 1 else 'moves'}")
        yield board


def _by_content(source: Source) -> ReadBoards:
    """Return the reader for the beginning of a text. Raises FormatError if its format is unknown."""
    text = source.check_is_text()
    if re.search(r"^c graph \d", text, re.MULTILINE):
        return _reader("cnf")
    form = form_of(text) or form_of_extension(source.path or "")
    if form is not None and not form.name:
        note = "a graph in another format is not a list of edges"
        raise FormatError(
            f"this looks like {form.title}, which is not supported", path=source.path, note=note, help=form.help
        )
    if form is not None:
        return form.read
    lines = (raw[:2000].strip() for raw in text.splitlines())
    line, first = next(((n, s) for n, s in enumerate(lines, start=1) if s and not s.startswith("#")), (1, ""))
    if TSPLIB.match(first):
        return _reader("hcp")
    if looks_packed(first):
        return _reader("graph6")
    if _DIMACS.match(text):
        return _reader("dimacs")
    if _LIKE_LISTS.match(first) or names_columns(first):
        return graph_texts.read_text if PROMISE in text else _read_guessed
    raise source.fail("unknown graph format", line, help="formats: " + ", ".join(graph_readers()))
