"""Graph of a text without marks of a format: every reading that explains the whole text is tried.

If two readings fit and give different graphs, the error contains both, with the option that decides. If none fits, the
error contains the unused part in the best reading, or the recognised format. `Board.read_as` describes the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from knightstour.core.formats.bracket_lists import brackets
from knightstour.core.formats.edge_lists import arrows, columns, columns_by_name, facts
from knightstour.core.formats.foreign import form_of, form_of_extension
from knightstour.core.formats.graph_lines import EACH_BOTH_WAYS, GraphReading, GraphText, Line, Misfit
from knightstour.core.formats.graphs import ARCS_HELP
from knightstour.core.formats.neighbour_lists import matrix, numbered_lists, read_array, with_colons
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board

# Longer texts are only read as a list of edges.
_MAX_LOOSE = 8_000_000
# Longer lists of edges are not tried as another format.
_MAX_LOOKED_AT = 200_000
_HELP = "write two node names per line; formats: docs/graphs.md"


class Reading(NamedTuple):
    """Row of READINGS.

    Attributes:
        option: Prefix of the file name, as in edges:FILE, which selects the reading.
        read: Function (lines, is_plain, arcs). is_plain: Whether each line is certainly an edge. arcs: Whether edges
        are
            directed.
        is_marked: Whether marks show the end of a graph, so that empty lines are allowed.
    """

    title: str
    option: str
    read: Callable[[Sequence[Line], bool, bool], list[GraphReading]]
    is_marked: bool = False


READINGS = (
    Reading("a list of edges", "edges", columns),
    Reading("a list of edges with dashes", "edges", arrows),
    Reading("facts of a logic program", "edges", facts, True),
    Reading("lists of neighbours", "neighbours", with_colons, True),
    Reading("lists of neighbours of nodes that are numbered by line", "neighbours", numbered_lists),
    Reading("an adjacency matrix", "matrix", matrix),
    Reading("lists in brackets", "brackets", brackets, True),
)


def read_by_name(option: str, source: Source) -> Iterator[Board]:
    """Read the graphs of a text with an option: edges, neighbours, matrix or brackets."""
    if option == "matrix" and source.is_array:
        return read_array(source)
    return _read_by(source, [row for row in READINGS if row.option == option], is_named=True)


def read_text(source: Source) -> Iterator[Board]:
    """Read the graphs of a text by any of READINGS."""
    return _read_by(source, READINGS, is_named=False)


def _read_by(source: Source, rows: Sequence[Reading], *, is_named: bool) -> Iterator[Board]:
    head = source.check_is_text()
    text = GraphText(source)
    if not text.lines:
        raise source.fail("the graph has no nodes", 1)
    is_plain = text.is_promised or (is_named and rows[0].option == "edges")
    fits, misfits = list[tuple[Reading, list[GraphReading]]](), list[Misfit]()
    for row in rows:
        if source.arcs and row.read is numbered_lists and not is_named:
            # Numbers are not certainly lists of neighbours unless each edge is listed from both ends.
            continue
        if (row.read is not columns and text.chars > _MAX_LOOSE) or (fits and text.chars > _MAX_LOOKED_AT):
            break
        try:
            if row.read is columns and is_plain and not text.is_promised:
                found = columns_by_name(text.lines, source.arcs)
            else:
                found = row.read(text.lines, is_plain, source.arcs)
            if not is_plain:
                _check_one(text, row, found)
            fits.append((row, found))
        except Misfit as misfit:
            misfits.append(misfit)
        if text.is_promised and fits:
            break
    if not fits:
        raise _fault(source, head, text, misfits, is_named)
    _check_same(source, text.lines[0].number, fits)
    if text.is_directed and not is_plain and not source.arcs:
        help = _with_edges(source, text, ARCS_HELP, EACH_BOTH_WAYS)
        raise source.fail("a comment declares the graph as directed", help=help)
    for graph in fits[0][1]:
        yield graph.board(source, text.lines[-1].number)


def _check_one(text: GraphText, row: Reading, found: Sequence[GraphReading]) -> None:
    """Raise Misfit if a line between two others indicates several graphs."""
    place = 0 if found[0].is_counted else text.cut or (0 if row.is_marked else text.gap)
    if place:
        what = "an empty line" if place == text.gap else "a comment"
        help = "omit it, or write one graph per file (graph6 supports many)"
        raise Misfit(f"{what} between two parts of the list: are these several graphs?", place, help=help, is_sure=True)


def _check_same(source: Source, line: int, fits: Sequence[tuple[Reading, list[GraphReading]]]) -> None:
    (first, graphs), *others = fits
    for other, found in others:
        contents = [each[0].content(source.arcs) for each in (graphs, found)]
        if len(graphs) > 1 or len(found) > 1 or contents[0] != contents[1]:
            ways = f"{first.option}:FILE or {other.option}:FILE (format= in Python)"
            help = f"use {ways}" if first.option != other.option else "write one edge per line"
            raise source.fail(f"this is {first.title}, or {other.title}, with different graphs", line, help=help)


def _with_edges(source: Source, text: GraphText, help: str, as_edges: str) -> str:
    """Return the help with the effect of edges:FILE, if supported."""
    try:
        columns_by_name(text.lines, source.arcs)
    except Misfit:
        return help
    return f"{help}; edges:FILE (format='edges') {as_edges}"


def _fault(source: Source, head: str, text: GraphText, misfits: Sequence[Misfit], is_named: bool) -> Exception:
    worst = max(misfits, key=lambda misfit: (misfit.is_sure, misfit.line))
    form = form_of(head) or form_of_extension(source.path or "")
    if form is not None and not is_named:
        help = form.help or f"{form.name}:FILE (format={form.name!r}) reads it"
        return source.fail(f"this looks like {form.title}, not like a list of edges", worst.line, help=help)
    rows = [line.text.split() for line in text.lines]
    if all(row[-1] == "-1" for row in rows) and not is_named:
        help = "write an edge a line, or above the lists the head of a TSPLIB file with EDGE_DATA_FORMAT: ADJ_LIST"
        return source.fail("each line ends with -1, as lists of TSPLIB do, but their head is missing", help=help)
    help = worst.help or _HELP
    if worst.as_edges and not is_named:
        help = _with_edges(source, text, help, worst.as_edges)
    return source.fail(worst.message, worst.line, help=help)
