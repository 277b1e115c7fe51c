"""Files of graphs that NetworkX, SciPy and pydot read: GML, GraphML, GEXF, Pajek, DOT, LEDA, MatrixMarket and others.

Their readers are lenient where a list of edges must not be: they drop what they do not know, merge nodes of one name,
and make a node of every name. So what a library would read as another graph is refused first, and the graph that it
gives must have as many nodes and edges as the text lists.
"""

from __future__ import annotations

import importlib
import io
import json
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from typing import Any

from knightstour.core.formats.foreign import FOREIGN
from knightstour.core.formats.graph_lines import DIRECTED_HELP
from knightstour.core.formats.graphs import board_in, graph_board
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graphs import nodes_and_edges

_MOST_CHARS = 100_000_000
_PACKAGES = {"networkx": "NetworkX", "scipy": "SciPy", "pydot": "pydot"}


class Unreadable(Exception):
    """What a file has that its library would read as another graph."""

    def __init__(self, message: str, line: int | None = None, help: str = "") -> None:
        super().__init__(message)
        self.message, self.line, self.help = message, line, help


def read(name: str, source: Source) -> Iterator[Board]:
    """The graph of a source in the form that a row of FOREIGN names."""
    row = FOREIGN[name]
    try:
        modules = [importlib.import_module(need) for need in row.needs]
        modules = [importlib.import_module("scipy.io")] if name == "mtx" else modules
    except ImportError as error:
        needs = " and ".join(_PACKAGES[package] for package in row.needs)
        raise source.fail(f"reading {row.title} needs {needs}", help="pip install 'knightstour[graphs]'") from error
    text = source.read_text(_MOST_CHARS + 1)
    if len(text) > _MOST_CHARS:
        raise source.fail(f"the file is over {_MOST_CHARS:,} characters long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = _READERS[name](*modules, text)
        nodes, edges = nodes_and_edges(graph)
    except Unreadable as error:
        raise source.fail(error.message, error.line, help=error.help) from None
    except BoardError as error:
        # What helps in Python does not help with a file.
        raise source.fail(str(error), help="list each edge of an undirected graph, or see docs/graphs.md") from None
    except Exception as error:
        # They raise a dozen kinds of errors on damaged files.
        said = str(error).strip().splitlines()
        why = f"{type(error).__name__}: {said[0][:200]}" if said else type(error).__name__
        raise source.fail(f"this cannot be read as {row.title}: {why}") from error
    source.remark(f"read as {row.title}")
    if name == "mtx":
        yield board_in(source, range(1, len(nodes) + 1), edges[edges[:, 0] <= edges[:, 1]], 1)
        return
    names = [str(node).strip('"') for node in nodes]
    if "" in names:
        raise source.fail("a node has an empty name")
    if len(set(names)) == len(names) and all(isinstance(node, str) for node in nodes):
        yield graph_board(source, names, edges, 1)
    else:
        yield board_in(source, nodes, edges, 1)


def _counted(graph: Any, nodes: int, edges: int) -> Any:
    """The graph; an Unreadable where it has other numbers of nodes and edges than the text lists."""
    found = graph.number_of_nodes(), graph.number_of_edges()
    if found != (nodes, edges):
        why = f"{nodes:,} nodes and {edges:,} edges are listed, which would be {found[0]:,} and {found[1]:,}"
        raise Unreadable(f"{why}: a node or an edge is there twice, or an edge leads to no node")
    return graph


def _refuse(text: str, pattern: str, what: str, help: str = "list single edges") -> None:
    match = re.search(pattern, text, re.IGNORECASE | re.MULTILINE)
    if match:
        raise Unreadable(f"{what} is not read", text[: match.start()].count("\n") + 1, help)


def _check_ways(ways: Any) -> Any:
    """The undirected graph; an Unreadable where some edges are listed from both ends and some from one."""
    one_way = [(a, b) for a, b in ways.edges if a != b and not ways.has_edge(b, a)]
    if one_way and len(one_way) < sum(a != b for a, b in ways.edges):
        a, b = one_way[0]
        why = f"{a!r} lists {b!r} and not the other way, while other edges are listed from both ends"
        raise Unreadable(f"{why}: the graph is directed, or cut off")
    return ways.to_undirected()


def _numbers(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text, re.IGNORECASE | re.MULTILINE))


def _gml(networkx: Any, text: str) -> Any:
    bare = re.sub(r'"[^"]*"', '""', text)
    nodes = _numbers(r"\bnode\s*\[", bare)
    _refuse(bare, r"\bgraph\s*\[[\s\S]*\bgraph\s*\[", "GML with several graphs")
    try:
        graph = networkx.parse_gml(text, label="label" if _numbers(r"\blabel\b", bare) >= nodes > 0 else "id")
    except networkx.NetworkXError:
        # Two nodes may have one label.
        graph = networkx.parse_gml(text, label="id")
    return _counted(graph, nodes, _numbers(r"\bedge\s*\[", bare))


def _xml(parse: Callable[[Any, str], Any], networkx: Any, text: str) -> Any:
    bare = re.sub(r"<!--[\s\S]*?-->", "", text)
    _refuse(bare, r"<(\w+:)?(hyperedge|port)\b", "XML with hyperedges or ports")
    if _numbers(r"<(?:\w+:)?graph[\s>]", bare) > 1:
        raise Unreadable("the file holds several graphs, or one in another", help="keep one graph in the file")
    return _counted(parse(networkx, text), *(_numbers(rf"<(?:\w+:)?{kind}[\s/>]", bare) for kind in ("node", "edge")))


def _pajek(networkx: Any, text: str) -> Any:
    """The vertices are 1 to n, a line each; edges are numbers of two. NetworkX would make nodes of other words."""
    count, part, vertices, edges, arcs = -1, "", list[str](), 0, 0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("%"):
            continue
        if words[0].startswith("*"):
            part = words[0].lower()
            if part not in ("*vertices", "*edges", "*arcs", "*network") or (part == "*vertices" and count >= 0):
                raise Unreadable(f"a part {part!r} of Pajek is not read", number, "list the edges under *Edges")
            if part == "*vertices":
                if len(words) < 2 or not words[1].isdecimal():
                    raise Unreadable("the line *Vertices has no number", number)
                count = int(words[1])
        elif part == "*vertices":
            vertices.append(words[0])
            if words[0] != str(len(vertices)) or len(words) < 2:
                raise Unreadable(f"vertex {len(vertices)} with its label is due, not {line.strip()[:40]!r}", number)
        else:
            edges, arcs = edges + 1, arcs + (part == "*arcs")
            if len(words) < 2 or not all(word.isdecimal() and 1 <= int(word) <= count for word in words[:2]):
                raise Unreadable(f"{line.strip()[:40]!r} joins no two of the {count:,} vertices", number)
    if len(vertices) != count:
        raise Unreadable(f"*Vertices announces {count:,}, and {len(vertices):,} are here: is the file cut off?")
    text = text if arcs else re.sub(r"^\s*\*arcs\b[^\n]*\n?", "", text, flags=re.IGNORECASE | re.MULTILINE)
    return _counted(networkx.parse_pajek(text), count, edges)


def _leda(networkx: Any, text: str) -> Any:
    """LEDA.GRAPH, two types, the direction; the numbers of nodes and of edges, each above a line for each."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    numbers = [int(word) if word.isdecimal() else 0 for word in lines]
    if len(lines) < 6 or len(lines) < 6 + numbers[4] or not numbers[4]:
        raise Unreadable("this LEDA file is cut off, or its numbers of nodes and edges are wrong")
    nodes, edges = numbers[4], numbers[5 + numbers[4]]
    if len(lines) != 6 + nodes + edges:
        raise Unreadable(f"{nodes:,} nodes and {edges:,} edges are announced, and {len(lines) - 6:,} lines are there")
    names = [line.removeprefix("|{").removesuffix("}|").strip() for line in lines[5 : 5 + nodes]]
    if len(set(names)) < len(names):
        lines[5 : 5 + nodes] = [f"|{{{k}}}|" for k in range(1, nodes + 1)]
    graph = networkx.MultiGraph(networkx.parse_leda("\n".join(lines))) if lines[3] == "-2" else networkx.DiGraph()
    pairs = [sorted(map(int, line.split()[:2])) for line in lines[6 + nodes :]]
    if not all(a > 0 and b <= nodes for a, b in pairs):
        raise Unreadable(f"an edge leads to none of the nodes 1 to {nodes:,}")
    return graph if graph.is_directed() else _counted(graph, nodes, len({(a, b) for a, b in pairs}))


def _adjlist(networkx: Any, text: str) -> Any:
    lines = [line.partition("#")[0] for line in text.splitlines()]
    if any(mark in line for line in lines for mark in ":[](){};,"):
        raise Unreadable("an adjacency list has names with spaces between, and no other marks")
    heads = [line.split()[0] for line in lines if line.split()]
    if len(set(heads)) < len(heads):
        raise Unreadable("the neighbours of a node are listed twice")
    ways = networkx.parse_adjlist(lines, create_using=networkx.DiGraph)
    if set(ways) != set(heads):
        raise Unreadable(f"{next(iter(set(ways) - set(heads)))!r} has no line of its own")
    return _check_ways(ways)


def _multiline_adjlist(networkx: Any, text: str) -> Any:
    heads = _numbers(r"^\s*\S+\s+\d+\s*$", text)
    graph = networkx.parse_multiline_adjlist(iter(text.splitlines()), create_using=networkx.DiGraph)
    if len(graph) != heads:
        raise Unreadable(f"{heads:,} nodes have a line with their number of neighbours, and {len(graph):,} are named")
    return _check_ways(graph)


def _node_link(networkx: Any, text: str) -> Any:
    record = json.loads(text)
    edges = "links" if isinstance(record, dict) and "links" in record else "edges"
    nodes, links = record.get("nodes"), record.get(edges)
    if not isinstance(nodes, list) or not isinstance(links, list):
        raise Unreadable("the JSON has no lists 'nodes' and 'links'")
    if not all(isinstance(link, dict) and {"source", "target"} <= link.keys() for link in links):
        raise Unreadable(f"the list {edges!r} of the JSON has no 'source' and 'target' in each")
    if not all(isinstance(node, dict) for node in nodes):
        record = {**record, "nodes": [{"id": node} for node in nodes]}
    graph = networkx.node_link_graph({**record, "multigraph": True}, edges=edges)
    return _counted(graph, len(nodes), len(links))


def _dot(networkx: Any, pydot: Any, text: str) -> Any:
    _refuse(
        re.sub(r"\[[^\]]*\]", "", text), r'"[^"\n]*"[ \t]+"', "DOT with two names that nothing joins", "write a -- b"
    )
    with redirect_stdout(io.StringIO()):
        # It prints what is wrong.
        graphs = pydot.graph_from_dot_data(text)
    if not graphs or len(graphs) > 1:
        raise Unreadable(
            "the file holds several graphs" if graphs else "this cannot be read as DOT: its syntax is wrong"
        )
    if graphs[0].get_type() == "digraph":
        raise Unreadable("this is a digraph: the graph is directed", help=DIRECTED_HELP)
    if graphs[0].get_subgraph_list():
        raise Unreadable("DOT with subgraphs is not read", help="list single edges: a -- b")
    graph = networkx.MultiGraph()
    for node in graphs[0].get_node_list():
        if node.get_name() not in ("node", "edge", "graph", '"\\n"', "\\n", '"\\r\\n"'):
            graph.add_node(_dot_name(node.get_name()))
    for edge in graphs[0].get_edge_list():
        ends = (edge.get_source(), edge.get_destination())
        if not all(isinstance(end, str) for end in ends):
            raise Unreadable("DOT with groups of nodes in an edge is not read", help="list single edges: a -- b")
        graph.add_edge(*map(_dot_name, ends))
    return graph


def _dot_name(name: str) -> str:
    if len(name) > 1 and name[0] == name[-1] == '"':
        return name[1:-1].replace('\\"', '"')
    if ":" in name:
        raise Unreadable(f"DOT with ports is not read: {name[:40]!r}", help="leave out what follows the colon")
    return name


_READERS: dict[str, Callable[..., Any]] = {
    "gml": _gml,
    "graphml": lambda networkx, text: _xml(lambda library, xml: library.parse_graphml(xml), networkx, text),
    "gexf": lambda networkx, text: _xml(
        lambda library, xml: library.read_gexf(io.BytesIO(xml.encode())), networkx, text
    ),
    "pajek": _pajek,
    "leda": _leda,
    "adjlist": _adjlist,
    "multiline_adjlist": _multiline_adjlist,
    "node-link": _node_link,
    "dot": _dot,
    "mtx": lambda scipy, text: scipy.mmread(io.BytesIO(text.encode())),
}
