"""Files of graphs that NetworkX, SciPy and pydot read: GML, GraphML, GEXF, Pajek, DOT, LEDA, MatrixMarket and others.

Their readers are lenient where a list of edges must not be: they drop what they do not know, and make a node of every
name. So each function here first refuses what its library would read as another graph.
"""

from __future__ import annotations

import importlib
import io
import json
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from knightstour.core.formats.edge_lists import graph_board
from knightstour.core.formats.foreign import FOREIGN
from knightstour.core.formats.graphs import board_in
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.graphs import nodes_and_edges

_MOST_CHARS = 100_000_000
_PACKAGES = {"networkx": "NetworkX", "scipy": "SciPy", "pydot": "pydot"}


def _library(source: Source, form: str, module: str) -> ModuleType:
    """A module of a library; the one error that names the form and the extra where it is not installed."""
    row = FOREIGN[form]
    try:
        for package in row.needs:
            importlib.import_module(package)
        return importlib.import_module(module)
    except ImportError as error:
        needs = " and ".join(_PACKAGES[package] for package in row.needs)
        raise source.fail(f"reading {row.title} needs {needs}", help="pip install 'knightstour[graphs]'") from error


def _text(source: Source) -> str:
    text = source.read_text(_MOST_CHARS + 1)
    if len(text) > _MOST_CHARS:
        raise source.fail(f"the file is over {_MOST_CHARS:,} characters long")
    return text


def _asked(source: Source, form: str, read: Callable[[], Any]) -> Any:
    """What a library reads; a FormatError for any error of its own."""
    title = FOREIGN[form].title
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read()
    except FormatError:
        raise
    except Exception as error:
        # They raise a dozen kinds of errors on damaged files.
        said = str(error).strip().splitlines()
        why = f"{type(error).__name__}: {said[0][:200]}" if said else type(error).__name__
        raise source.fail(f"this cannot be read as {title}: {why}") from error


def _board(source: Source, form: str, graph: Any) -> Board:
    """The board of a graph of NetworkX; its nodes are numbers if all names are."""
    try:
        nodes, edges = nodes_and_edges(graph)
    except BoardError as error:
        # What helps in Python does not help with a file.
        raise source.fail(str(error), help="list each edge of an undirected graph, or see docs/graphs.md") from None
    source.remark(f"read as {FOREIGN[form].title}")
    if all(isinstance(node, str) for node in nodes):
        names = [str(node).strip('"') for node in nodes]
        if len(set(names)) == len(names):
            return graph_board(source, names, edges, 1)
    return board_in(source, nodes, edges, 1)


# ---------------------------------------------------------------- markup


def read_gml(source: Source) -> Iterator[Board]:
    """The graph of a GML file; the nodes are called by their labels, or by their numbers where some have none."""
    networkx, text = _library(source, "gml", "networkx"), _text(source)
    labels = re.findall(r"\blabel\b", text)
    nodes = re.findall(r"\bnode\s*\[", text)
    is_named = len(labels) >= len(nodes) > 0

    def read() -> Any:
        try:
            return networkx.parse_gml(text, label="label" if is_named else "id")
        except networkx.NetworkXError:
            # Two nodes may have one label.
            return networkx.parse_gml(text, label="id")

    yield _board(source, "gml", _asked(source, "gml", read))


def read_graphml(source: Source) -> Iterator[Board]:
    """The graph of a GraphML file; hyperedges and graphs in graphs are refused."""
    networkx, text = _library(source, "graphml", "networkx"), _text(source)
    _refuse_marks(source, text, r"<(\w+:)?hyperedge\b", "GraphML with hyperedges")
    _refuse_several(source, text, r"<(?:\w+:)?graph[\s>]", "graphs")
    yield _board(source, "graphml", _asked(source, "graphml", lambda: networkx.parse_graphml(text)))


def read_gexf(source: Source) -> Iterator[Board]:
    """The graph of a GEXF file."""
    networkx, text = _library(source, "gexf", "networkx"), _text(source)
    _refuse_several(source, text, r"<(?:\w+:)?graph[\s>]", "graphs")
    graph = _asked(source, "gexf", lambda: networkx.read_gexf(io.BytesIO(text.encode())))
    yield _board(source, "gexf", graph)


def _refuse_marks(source: Source, text: str, pattern: str, what: str) -> None:
    match = re.search(pattern, text, re.IGNORECASE | re.MULTILINE)
    if match:
        raise source.fail(f"{what} is not read", text[: match.start()].count("\n") + 1, help="list single edges")


def _refuse_several(source: Source, text: str, pattern: str, what: str) -> None:
    if len(re.findall(pattern, text)) > 1:
        raise source.fail(f"the file holds several {what}, or one in another", help="keep one graph in the file")


# ---------------------------------------------------------------- lines


def read_pajek(source: Source) -> Iterator[Board]:
    """The graph of a Pajek file, of its vertices and edges; arcs are directed."""
    networkx, text = _library(source, "pajek", "networkx"), _text(source)
    for number, line in enumerate(text.splitlines(), 1):
        word = line.split()[0].lower() if line.split() else ""
        if word.startswith("*") and word not in ("*vertices", "*edges", "*arcs", "*network"):
            raise source.fail(f"a part {word[:40]!r} of Pajek is not read", number, help="list the edges under *Edges")
    _check_pajek(source, text)
    graph = _asked(source, "pajek", lambda: networkx.parse_pajek(_without_empty_arcs(text)))
    yield _board(source, "pajek", networkx.MultiGraph(graph) if not _has_arcs(text) else graph)


def _has_arcs(text: str) -> bool:
    return re.search(r"^\s*\*arcs\b[^\n]*\n\s*[^*\s]", text, re.IGNORECASE | re.MULTILINE) is not None


def _without_empty_arcs(text: str) -> str:
    """Without a heading of arcs that has none below it, which many programs write."""
    return text if _has_arcs(text) else re.sub(r"^\s*\*arcs\b[^\n]*\n?", "", text, flags=re.IGNORECASE | re.MULTILINE)


def _check_pajek(source: Source, text: str) -> None:
    """A FormatError where an edge names a vertex that there is not: NetworkX would make one of it."""
    count, part = 0, ""
    listed = 0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or line.lstrip().startswith("%"):
            continue
        if words[0].startswith("*"):
            part = words[0].lower()
            if part == "*vertices":
                if len(words) < 2 or not words[1].isdecimal():
                    raise source.fail("the line *Vertices has no number", number)
                count = int(words[1])
        elif part == "*vertices":
            listed += 1
        else:
            for word in words[:2]:
                if len(words) < 2 or not word.isdecimal() or not 1 <= int(word) <= count:
                    raise source.fail(f"{word[:40]!r} is not one of the {count:,} vertices", number)
    if listed not in (0, count):
        raise source.fail(f"*Vertices announces {count:,}, and {listed:,} are here: is the file cut off?")


def read_leda(source: Source) -> Iterator[Board]:
    """The graph of a LEDA file; its nodes are called as they are there, or numbered from 1."""
    networkx, text = _library(source, "leda", "networkx"), _text(source)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    # LEDA.GRAPH, two types, the direction, the nodes, their number of lines, the edges, their number of lines.
    count = _announced(source, lines, 4)
    edges = _announced(source, lines, 5 + count)
    if len(lines) != 6 + count + edges:
        raise source.fail(f"{count:,} nodes and {edges:,} edges are announced, and {len(lines) - 6:,} lines are there")
    names = [line.removeprefix("|{").removesuffix("}|").strip() for line in lines[5 : 5 + count]]
    if len(set(names)) < len(names) or "" in names:
        lines[5 : 5 + count] = [f"|{{{k}}}|" for k in range(1, count + 1)]
    yield _board(source, "leda", _asked(source, "leda", lambda: networkx.parse_leda("\n".join(lines))))


def _announced(source: Source, lines: Sequence[str], place: int) -> int:
    if place >= len(lines) or not lines[place].isdecimal() or len(lines[place]) > 9:
        raise source.fail("this LEDA file is cut off, or its numbers of nodes and edges are wrong")
    return int(lines[place])


def read_adjlist(source: Source) -> Iterator[Board]:
    """The graph of an adjacency list, a node and its neighbours a line: each edge once, or all from both ends."""
    networkx, text = _library(source, "adjlist", "networkx"), _text(source)
    lines = [line.partition("#")[0] for line in text.splitlines()]
    if any(mark in line for line in lines for mark in ":[](){};,"):
        raise source.fail("an adjacency list has names with spaces between, and no other marks")
    ways = networkx.parse_adjlist(lines, create_using=networkx.DiGraph)
    _check_ways(source, ways)
    yield _board(source, "adjlist", networkx.Graph(ways))


def _check_ways(source: Source, ways: Any) -> None:
    """A FormatError where some edges are listed from both ends and some from one."""
    one_way = [(a, b) for a, b in ways.edges if a != b and not ways.has_edge(b, a)]
    if one_way and len(one_way) < sum(a != b for a, b in ways.edges):
        a, b = one_way[0]
        why = f"{a!r} lists {b!r} and not the other way, while other edges are listed from both ends"
        raise source.fail(f"{why}: the graph is directed, or cut off")


def read_multiline(source: Source) -> Iterator[Board]:
    """The graph of a multi-line adjacency list of NetworkX."""
    networkx, text = _library(source, "multiline_adjlist", "networkx"), _text(source)

    def read() -> Any:
        return networkx.parse_multiline_adjlist(iter(text.splitlines()), create_using=networkx.DiGraph)

    ways = _asked(source, "multiline_adjlist", read)
    _check_ways(source, ways)
    yield _board(source, "multiline_adjlist", networkx.Graph(ways))


# ---------------------------------------------------------------- DOT, JSON, MatrixMarket


def read_dot(source: Source) -> Iterator[Board]:
    """The graph of a DOT file; subgraphs and ports are refused."""
    pydot, text = _library(source, "dot", "pydot"), _text(source)
    networkx = _library(source, "dot", "networkx")
    graphs = _asked(source, "dot", lambda: pydot.graph_from_dot_data(text))
    if not graphs:
        raise source.fail("this cannot be read as DOT: its syntax is wrong")
    if len(graphs) > 1:
        raise source.fail("the file holds several graphs", help="keep one graph in the file")
    drawn = graphs[0]
    if drawn.get_type() == "digraph":
        raise source.fail("this is a digraph: the graph is directed, and a tour's moves go both ways")
    if drawn.get_subgraph_list():
        raise source.fail("DOT with subgraphs is not read", help="list single edges: a -- b")
    graph = networkx.MultiGraph()
    for node in drawn.get_node_list():
        if node.get_name() not in ("node", "edge", "graph", '"\\n"', "\\n", '"\\r\\n"'):
            graph.add_node(_dot_name(source, node.get_name()))
    for edge in drawn.get_edge_list():
        ends = (edge.get_source(), edge.get_destination())
        if not all(isinstance(end, str) for end in ends):
            raise source.fail("DOT with groups of nodes in an edge is not read", help="list single edges: a -- b")
        graph.add_edge(*(_dot_name(source, end) for end in ends))
    yield _board(source, "dot", graph)


def _dot_name(source: Source, name: str) -> str:
    if len(name) > 1 and name[0] == name[-1] == '"':
        return name[1:-1].replace('\\"', '"')
    if ":" in name:
        raise source.fail(f"DOT with ports is not read: {name[:40]!r}", help="leave out what follows the colon")
    return name


def read_node_link(source: Source) -> Iterator[Board]:
    """The graph of JSON with `nodes` and `links` or `edges`, as NetworkX and D3 write it."""
    networkx, text = _library(source, "node-link", "networkx"), _text(source)
    record = _asked(source, "node-link", lambda: json.loads(text))
    if not isinstance(record, dict) or not isinstance(record.get("nodes"), list):
        raise source.fail("the JSON has no list 'nodes'")
    edges = "links" if "links" in record else "edges"
    links = record.get(edges)
    if not isinstance(links, list) or not all(isinstance(x, dict) and {"source", "target"} <= x.keys() for x in links):
        raise source.fail(f"the list {edges!r} of the JSON has no 'source' and 'target' in each")
    nodes = record["nodes"]
    if not all(isinstance(node, dict) for node in nodes):
        record = {**record, "nodes": [{"id": node} for node in nodes]}
    ids = [json.dumps(node.get("id", k)) for k, node in enumerate(record["nodes"])]
    known = set(ids)
    if len(known) < len(ids):
        raise source.fail("two nodes of the JSON have one id")
    for link in links:
        for end in ("source", "target"):
            if json.dumps(link[end]) not in known:
                raise source.fail(f"an edge of the JSON leads to {link[end]!r}, which is none of its nodes")
    graph = _asked(source, "node-link", lambda: networkx.node_link_graph(record, edges=edges))
    yield _board(source, "node-link", graph)


def read_mtx(source: Source) -> Iterator[Board]:
    """The graph of a MatrixMarket file: an edge where an entry is not 0; the nodes are numbered from 1, as there."""
    scipy, text = _library(source, "mtx", "scipy.io"), _text(source)
    matrix = _asked(source, "mtx", lambda: scipy.mmread(io.BytesIO(text.encode())))
    try:
        nodes, edges = nodes_and_edges(matrix)
    except BoardError as error:
        raise source.fail(str(error), help=error.help) from None
    source.remark("read as MatrixMarket: an edge where an entry of the matrix is not 0")
    yield board_in(source, range(1, len(nodes) + 1), _once(edges), 1)


def _once(edges: np.ndarray) -> np.ndarray:
    return edges[edges[:, 0] <= edges[:, 1]]
