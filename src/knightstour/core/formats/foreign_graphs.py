"""Graph files read by NetworkX, SciPy and pydot: GML, GraphML, GEXF, Pajek, DOT, LEDA, MatrixMarket and others.

Their readers are lenient: they ignore unknown parts, merge nodes with the same name, and create a node for every name.
So the numbers of nodes and edges are compared with the text, and rare constructs, which cannot be counted, are
rejected.
"""

from __future__ import annotations

import importlib
import io
import json
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from typing import Any, NamedTuple

from knightstour.core.formats.foreign import FOREIGN
from knightstour.core.formats.graphs import ARCS_HELP, LEAVE_ARCS, board_in, graph_board
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, MissingPackage
from knightstour.core.model.graphs import nodes_and_edges

_MAX_CHARS = 100_000_000
_PACKAGES = {"networkx": "NetworkX", "scipy": "SciPy", "pydot": "pydot"}


class Unreadable(Exception):
    """A feature of a file that its library would misread."""

    def __init__(self, why: str, help: str = "") -> None:
        super().__init__(why)
        self.help = help


class _Reader(NamedTuple):
    """Reader of a format.

    Attributes:
        listed: Function that counts nodes and edges in a text.
        rare: Pattern of unsupported features.
        several: Pattern that occurs in a text of several graphs.
        takes_both: Whether the format does not define the direction of edges, so that `parse` requires the kind of
            graph as its last argument.
        help: Advice on an unsupported feature.
    """

    parse: Callable[..., Any]
    listed: Callable[[str], tuple[int, int]]
    rare: str = ""
    several: str = ""
    takes_both: bool = False
    help: str = ""


def read(name: str, source: Source) -> Iterator[Board]:
    """Read the graph of a source in the format of a row of FOREIGN."""
    row = FOREIGN[name]
    try:
        modules = [importlib.import_module(need) for need in row.needs]
        modules = [importlib.import_module("scipy.io")] if name == "mtx" else modules
    except ImportError as error:
        needs = " and ".join(_PACKAGES[package] for package in row.needs)
        raise MissingPackage(f"{row.title} requires {needs}", extra="graphs") from error
    text = source.read_text(_MAX_CHARS + 1)
    if len(text) > _MAX_CHARS:
        raise source.fail(f"the file is over {_MAX_CHARS:,} characters long")
    try:
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            graph = _graph(_READERS[name], modules, text, source.arcs)
            nodes, edges = nodes_and_edges(graph, arcs=source.arcs)
    except Unreadable as error:
        help = error.help or f"list each node once, and single edges that go both ways; {ARCS_HELP}"
        raise source.fail(str(error), help=help) from None
    except BoardError as error:
        # The help for Python does not apply to a file.
        is_directed = any(word in str(error) for word in ("directed", "symmetric"))
        raise source.fail(
            str(error), help=ARCS_HELP if is_directed else "list each edge of an undirected graph"
        ) from None
    except Exception as error:
        # The libraries raise a dozen kinds of errors on damaged files.
        said = str(error).strip().splitlines()
        why = f"{type(error).__name__}: {said[0][:200]}" if said else type(error).__name__
        raise source.fail(f"this cannot be read as {row.title}: {why}") from error
    source.remark(f"read as {row.title}")
    names = [str(node).strip('"') for node in nodes]
    doubled = next((each for each in names if re.fullmatch(r"(\d+) \1", each)), None)
    if doubled:
        raise source.fail(f"the node {doubled!r} has its name twice")
    if name == "mtx":
        each = edges if source.arcs else edges[edges[:, 0] <= edges[:, 1]]
        yield board_in(source, range(1, len(nodes) + 1), each, 1)
    elif len(set(names)) == len(names) and all(isinstance(node, str) for node in nodes):
        yield graph_board(source, names, edges, 1)
    else:
        yield board_in(source, nodes, edges, 1)


def _graph(reader: _Reader, modules: list[Any], text: str, arcs: bool) -> Any:
    """Raises Unreadable if the numbers of nodes and edges differ from the text."""
    if reader.several and re.search(reader.several, _without_texts(text), re.IGNORECASE):
        raise Unreadable("the file contains several graphs", _KEEP_ONE)
    rare = re.search(reader.rare, text, re.IGNORECASE | re.MULTILINE) if reader.rare else None
    if rare:
        line = text[: rare.start()].count("\n") + 1
        why = f"{' '.join(rare[0].split())[:40]!r} in line {line} is not supported, or damaged"
        raise Unreadable(why, reader.help)
    graph = reader.parse(*modules, text)
    if hasattr(graph, "nodes") and arcs and not graph.is_directed():
        if not reader.takes_both:
            raise Unreadable("the file defines its graph as undirected", LEAVE_ARCS)
        graph = reader.parse(*modules, text, modules[0].DiGraph)
    if hasattr(graph, "nodes") and (arcs or not graph.is_directed()):
        (nodes, edges), found = reader.listed(text), (len(graph), graph.number_of_edges())
        if found != (nodes, edges) and (arcs or graph.is_multigraph() or found != (nodes, edges / 2)):
            why = f"the text lists {nodes:,} nodes and {edges:,} edges, but the graph has {found[0]:,} and {found[1]:,}"
            raise Unreadable(f"{why}: one is repeated, an edge has an unknown node, or it is directed")
        if "" in graph:
            raise Unreadable("a node has an empty name")
    return graph


def _without_texts(text: str) -> str:
    """The text with empty quotation marks, and without the comments of XML."""
    return re.sub(r"<!--[\s\S]*?-->", "", re.sub(r'"[^"]*"', '""', text))


def _tags(node: str, edge: str) -> Callable[[str], tuple[int, int]]:
    def count_elements(text: str) -> tuple[int, int]:
        bare = _without_texts(text)
        return len(re.findall(node, bare, re.IGNORECASE)), len(re.findall(edge, bare, re.IGNORECASE))

    return count_elements


def _lines(text: str, comment: str) -> list[list[str]]:
    lines = (line.partition(comment)[0].split() for line in text.splitlines())
    return [words for words in lines if words]


def _gml(networkx: Any, text: str) -> Any:
    has_labels = len(re.findall(r"\blabel\b", text)) >= len(re.findall(r"\bnode\s*\[", text))
    try:
        return networkx.parse_gml(text, label="label" if has_labels else "id")
    except networkx.NetworkXError:
        # Two nodes may have the same label.
        return networkx.parse_gml(text, label="id")


_KEEP_ONE = "keep one graph in a file"
_PAJEK_PART = re.compile(r"^[ \t]*\*(?=\w)", re.MULTILINE)
_PAJEK_HELP = "write *Vertices, then *Edges or *Arcs with the numbers of two vertices a line"


def _pajek_text(text: str) -> str:
    """Return the text with vertices, one per line, and either *Edges or *Arcs, since NetworkX reads all as the last.

    It does not support lists of neighbours, matrices or counts alone.
    """
    vertices, edges, arcs = list[str](), list[str](), list[str]()
    for heading, *lines in (part.splitlines() for part in _PAJEK_PART.split(text)[1:]):
        kind, words = heading.split()[0].lower(), [line.split() for line in _content_lines(lines)]
        if kind == "vertices":
            if vertices:
                raise Unreadable("*Vertices comes twice: the file contains several graphs", _KEEP_ONE)
            counts = heading.split()[1:]
            if not counts or not all(map(str.isdecimal, counts)):
                raise Unreadable("*Vertices lacks the number of vertices", _PAJEK_HELP)
            numbered = [f'{k} "{k}"' for k in range(1, int(counts[0]) + 1)]
            vertices = [f"*vertices {counts[0]}", *(_content_lines(lines) or numbered)]
        elif kind in ("edges", "arcs"):
            (edges if kind == "edges" else arcs).extend(_content_lines(lines))
        elif kind in ("edgeslist", "arcslist"):
            pairs = [f"{near[0]} {other}" for near in words for other in near[1:]]
            (edges if kind == "edgeslist" else arcs).extend(pairs)
        elif kind == "matrix":
            marks = [[float(word) != 0 for word in row] for row in words]
            if {len(row) for row in marks} != {len(marks)}:
                raise Unreadable("*Matrix is not square", _PAJEK_HELP)
            is_symmetric = marks == [list(column) for column in zip(*marks, strict=True)]
            ends = [(a, b) for a, row in enumerate(marks, 1) for b, mark in enumerate(row, 1) if mark]
            pairs = [f"{a} {b}" for a, b in ends if not is_symmetric or a <= b]
            (edges if is_symmetric else arcs).extend(pairs)
    if not vertices:
        raise Unreadable("the edges need *Vertices above", _PAJEK_HELP)
    if edges and arcs:
        back = [[b, a] for a, b, *_ in map(str.split, edges) if a != b]
        edges, arcs = [], [*edges, *map(" ".join, back), *arcs]
    ends_of = [line for kind, lines in (("edges", edges), ("arcs", arcs)) if lines for line in (f"*{kind}", *lines)]
    return "\n".join([*vertices, *ends_of]) + "\n"


def _content_lines(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.partition("%")[0].strip()]


def _pajek(networkx: Any, text: str) -> Any:
    _pajek_lines(text)
    return networkx.parse_pajek(_pajek_text(text))


def _pajek_lines(text: str) -> tuple[int, int]:
    """Count vertices, which are numbered lines 1 to n, and edges."""
    parts = [_lines(part, "%") for part in _PAJEK_PART.split(_pajek_text(text))]
    vertices = [part for part in parts if part and part[0][0].lower() == "vertices"]
    due = [str(k) for k in range(1, int(vertices[0][0][1]) + 1)]
    if len(vertices) != 1 or [line[0] for line in vertices[0][1:]] != due:
        raise Unreadable(
            f"*Vertices announces {len(due):,}, but lines 1, 2, ... up to this number do not follow", _PAJEK_HELP
        )
    return len(due), sum(len(part) - 1 for part in parts if part and part[0][0].lower() in ("edges", "arcs"))


def _leda(text: str) -> tuple[int, int]:
    """Count nodes and edges, which follow their numbers, one per line."""
    lines = [" ".join(words) for words in _lines(text, "#")]
    nodes = int(lines[4])
    edges = int(lines[5 + nodes])
    are_nodes = all(re.fullmatch(r"\|\{[^{}|]*\}\|", line) for line in lines[5 : 5 + nodes])
    are_edges = all(re.fullmatch(r"\d+ \d+ \d+ \|\{[^{}|]*\}\|", line) for line in lines[6 + nodes :])
    if len(lines) != 6 + nodes + edges or not are_nodes or not are_edges or lines[3] not in ("-1", "-2"):
        raise Unreadable(f"{nodes:,} nodes and {edges:,} edges are announced, but the lines differ")
    return nodes, edges


def _adjacent(text: str) -> tuple[int, int]:
    lines = _lines(text, "#")
    return len(lines), sum(map(len, lines)) - len(lines)


def _edges_of(record: Any) -> str:
    return "links" if isinstance(record, dict) and "links" in record else "edges"


def _node_link(networkx: Any, text: str) -> Any:
    record = json.loads(text)
    nodes = [node if isinstance(node, dict) else {"id": node} for node in record["nodes"]]
    return networkx.node_link_graph({**record, "nodes": nodes, "multigraph": True}, edges=_edges_of(record))


def _node_link_lists(text: str) -> tuple[int, int]:
    record = json.loads(text)
    return len(record["nodes"]), len(record[_edges_of(record)])


_DOT_NAME = r"(?:\"(?:[^\"\\]|\\.)*\"|[\w.]+)"
_DOT_STATEMENT = re.compile(rf"\s*(?:{_DOT_NAME}(?:\s*-[->]\s*{_DOT_NAME})*|\w+\s*=\s*{_DOT_NAME})?\s*")
_DOT_WORDS = ("node", "edge", "graph")


def _dot_statements(text: str) -> tuple[int, int]:
    """Count nodes and edges of chains, one per line; pydot would misread other statements."""
    bare = re.sub(r"/\*[\s\S]*?\*/|//[^\n]*|^\s*#[^\n]*|\[[^\[\]]*\]", "", text, flags=re.MULTILINE)
    whole = re.fullmatch(r"\s*(?:strict\s+)?(?:di)?graph\b[^{}]*\{([^{}]*)\}\s*", bare, re.IGNORECASE)
    statements = re.split(r"[;\n]", whole[1]) if whole else ["{"]
    odd = next((statement for statement in statements if not _DOT_STATEMENT.fullmatch(statement)), None)
    if odd is not None:
        raise Unreadable("DOT is supported only for chains a -- b" + (f": {odd.strip()[:40]!r}" if whole else ""))
    chains = [re.findall(_DOT_NAME, statement) for statement in statements if "=" not in statement]
    names = {name.strip('"') for chain in chains for name in chain} - set(_DOT_WORDS)
    return len(names), sum(len(chain) - 1 for chain in chains if chain)


def _dot(networkx: Any, pydot: Any, text: str) -> Any:
    graphs = pydot.graph_from_dot_data(text)
    if not graphs or len(graphs) > 1:
        if graphs:
            raise Unreadable("the file contains several graphs", _KEEP_ONE)
        raise Unreadable("this cannot be read as DOT: wrong syntax")
    _dot_statements(text)
    graph = networkx.MultiDiGraph() if graphs[0].get_type() == "digraph" else networkx.MultiGraph()
    names = (node.get_name() for node in graphs[0].get_node_list())
    graph.add_nodes_from(name.strip('"') for name in names if not re.fullmatch(r'node|edge|graph|"?(\\[rn])+"?', name))
    for edge in graphs[0].get_edge_list():
        graph.add_edge(edge.get_source().strip('"'), edge.get_destination().strip('"'))
    return graph


_RARE_XML = r"<(\w+:)?(hyperedge|port)\b"
_SEVERAL_XML = r"<(\w+:)?graph[\s>][\s\S]*<(\w+:)?graph[\s>]"
_XML = _tags(r"<(?:\w+:)?node[\s/>]", r"<(?:\w+:)?edge[\s/>]")

_READERS = {
    "gml": _Reader(_gml, _tags(r"\bnode\s*\[", r"\bedge\s*\["), several=r"\bgraph\s*\[[\s\S]*\bgraph\s*\["),
    "graphml": _Reader(lambda networkx, text: networkx.parse_graphml(text), _XML, _RARE_XML, _SEVERAL_XML),
    "gexf": _Reader(
        lambda networkx, text: networkx.read_gexf(io.BytesIO(text.encode())), _XML, _RARE_XML, _SEVERAL_XML
    ),
    "pajek": _Reader(
        _pajek,
        _pajek_lines,
        r"^\s*\*(?!(vertices|edges|arcs|edgeslist|arcslist|matrix|network)\b)\w+",
        help=_PAJEK_HELP,
    ),
    "leda": _Reader(lambda networkx, text: networkx.parse_leda(text), _leda),
    "adjlist": _Reader(
        lambda networkx, text, kind=None: networkx.parse_adjlist(text.splitlines(), create_using=kind),
        _adjacent,
        r"^[^#\n]*[:\[\](){};,]",
        takes_both=True,
    ),
    "node-link": _Reader(_node_link, _node_link_lists),
    "dot": _Reader(_dot, _dot_statements),
    "mtx": _Reader(
        lambda scipy, text: scipy.mmread(io.BytesIO(text.encode())), lambda text: (0, 0), r"^(?!%)\s*(\S+[ \t]+){3}\S+"
    ),
}
