"""Tests of graph files of other programs, written by their libraries; and of rejected files."""

import io
import json
import sys

import networkx as nx
import numpy as np
import pytest

import knightstour as kt
from knightstour.core.formats.foreign import FOREIGN, REFUSED
from knightstour.core.formats.tours import read_board
from knightstour.core.model.errors import FormatError, MissingPackage

GRAPHS = {
    "ring": nx.cycle_graph(6),
    "path": nx.Graph([(1, 2), (1, 3), (2, 4)]),
    "letters": nx.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]),
    "apart": nx.Graph([(0, 1), (2, 3), (3, 4)]),
    "petersen": nx.petersen_graph(),
}


class Named(io.BytesIO):
    def __init__(self, data: bytes | str, name: str) -> None:
        super().__init__(data.encode() if isinstance(data, str) else data)
        self.name = name


def by_library(write, graph):
    file = io.BytesIO()
    write(graph, file)
    return file.getvalue()


def lines(graph, form):
    return "".join(form.format(a=a, b=b) for a, b in graph.edges)


def leda(graph):
    place = {node: k for k, node in enumerate(graph, 1)}
    nodes = "".join(f"|{{{node}}}|\n" for node in graph)
    edges = "".join(f"{place[a]} {place[b]} 0 |{{}}|\n" for a, b in graph.edges)
    return f"LEDA.GRAPH\nstring\nint\n-2\n{len(graph)}\n{nodes}{graph.number_of_edges()}\n{edges}"


def market(graph):
    pytest.importorskip("scipy")
    import scipy.io
    import scipy.sparse

    file = io.BytesIO()
    scipy.io.mmwrite(file, scipy.sparse.coo_matrix(nx.to_numpy_array(graph, dtype=int)))
    return file.getvalue()


def dot(graph):
    pytest.importorskip("pydot")
    return "graph G {\n" + lines(graph, '  "{a}" -- "{b}";\n') + "}\n"


def texts(graph):
    """Convert names to text, which nx.write_gml needs."""
    return nx.relabel_nodes(graph, str)


def npy(graph):
    file = io.BytesIO()
    np.save(file, nx.to_numpy_array(graph, dtype=np.uint8))
    return file.getvalue()


WRITERS = {
    "gml": lambda graph: by_library(nx.write_gml, texts(graph)),
    "graphml": lambda graph: by_library(nx.write_graphml_xml, graph),
    "gexf": lambda graph: by_library(nx.write_gexf, graph),
    "pajek": lambda graph: by_library(nx.write_pajek, texts(graph)),
    "dot": dot,
    "leda": leda,
    "adjlist": lambda graph: by_library(nx.write_adjlist, graph),
    "node-link": lambda graph: json.dumps(nx.node_link_data(graph, edges="links")),
    "mtx": market,
    "matrix": npy,
}


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("form", WRITERS)
def test_library_output_is_read_back(form, graph):
    graph = GRAPHS[graph]
    data = WRITERS[form](graph)
    # By its suffix, its name, and its first characters if they are a mark.
    ways = [(Named(data, "x"), form)]
    ways += [(Named(data, f"x{suffix}"), None) for suffix in FOREIGN[form].suffixes]
    ways += [(Named(data, "x.txt"), None)] if FOREIGN[form].marks else []
    for file, name in ways:
        board = read_board(file, name)
        assert nx.is_isomorphic(board.to_networkx(), graph)
        if form not in ("matrix", "mtx"):
            assert set(map(str, board.labels)) == set(map(str, graph))
        assert any("read as" in remark or "matrix" in remark for remark in board.read_as)


@pytest.mark.parametrize(
    ("form", "text", "message"),
    [
        # Text that the libraries would omit or read as a node.
        ("pajek", "*Vertices 3\n1 a\n2 b\n3 c\n*Partition p\n1\n1\n2\n", r"'\*Partition' in line 5 is not supported"),
        ("pajek", "*Vertices 2\n*Edges\n1 2\n*Vertices 3\n*Edges\n1 2\n", r"\*Vertices comes twice"),
        ("pajek", "*Vertices\n*Edges\n1 2\n", "lacks the number of vertices"),
        ("pajek", "*Edges\n1 2\n", r"the edges need \*Vertices above"),
        ("pajek", "*Vertices 2\n*Matrix\n0 1\n1\n", r"\*Matrix is not square"),
        ("pajek", "*vertices 3\n0 a\n2 b\n3 c\n*edges\n1 2\n2 3\n3 1\n", r"announces 3, but lines 1, 2, ... up to"),
        ("gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 3 ] ]", "cannot be read as GML"),
        (
            "graphml",
            '<graphml><graph edgedefault="undirected"><node id="a"/><edge source="a" target="b"/></graph></graphml>',
            "the text lists 1 nodes and 1 edges, but the graph has",
        ),
        ("adjlist", "a b\n", "the text lists 1 nodes and 1 edges, but the graph has 2 and 1"),
        ("pajek", "*Vertices 3\n1 a\n2 b\n*Edges\n1 2\n", "announces 3, but lines 1, 2, ... up to"),
        (
            "node-link",
            '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}',
            "but the graph has 2 and 1: one is",
        ),
        ("node-link", '{"nodes": [1, 2], "links": [[1, 2]]}', "cannot be read as JSON of nodes and links"),
        ("leda", leda(GRAPHS["ring"]).rsplit("\n", 2)[0] + "\n", "Too few fields in LEDA.GRAPH edge 6"),
        ("graphml", "<graphml><graph><hyperedge/></graph></graphml>", "'<hyperedge' in line 1 is not supported"),
        ("graphml", "<graphml><graph>", "cannot be read as GraphML"),
        ("gml", "graph [ node [ id 1", "cannot be read as GML"),
        ("adjlist", "a: b c\nb: a\n", "'a:' in line 1 is not supported"),
        ("matrix", "0 1\n1\n", "each of 2 rows of an adjacency matrix has 2 numbers"),
        ("matrix", "0 1 1\n0 0 1\n1 1 0\n", "the graph is directed"),
    ],
)
def test_rejects_input_that_would_become_another_graph(form, text, message):
    with pytest.raises(FormatError, match=message):
        read_board(Named(text, "x"), form)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graph { a -- b; subgraph x { b -- c; } }", "only for chains a -- b"),
        ("graph { a -- {b c} }", "only for chains a -- b"),
        ("graph { a:n -- b:s }", "only for chains a -- b: 'a:n -- b:s'"),
        ('graph { "a" "a" -- "b"; }', "only for chains a -- b"),
        ("graph { a -- ", "cannot be read as DOT"),
    ],
)
def test_rejects_unsupported_dot_statements(text, message):
    pytest.importorskip("pydot")
    with pytest.raises(FormatError, match=message):
        read_board(Named(text, "x.dot"))


def test_a_dot_file_with_chains_names_and_lonely_nodes():
    pytest.importorskip("pydot")
    text = 'graph "G" {\n  node [shape=circle];\n  // a path\n  a -- b -- "c d" [weight=2];\n  e;\n}\n'
    graph = read_board(Named(text, "x.gv")).to_networkx()
    assert set(graph) == {"a", "b", "c d", "e"} and graph.number_of_edges() == 2


def test_metis_without_weights_is_lists_of_neighbours_under_counts():
    board = read_board(Named("% a comment\n3 2\n2 3\n1\n1\n", "x.graph"), "neighbours")
    assert board.graph == ((1, 2), (0,), (0,))
    with pytest.raises(FormatError, match="is wrong: 3 nodes and 2 edges"):
        read_board(Named("3 3\n2 3\n1\n1\n", "x.graph"), "neighbours")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("nodedef>name VARCHAR\na\nb\nedgedef>node1,node2\na,b\n", "GDF"),
        ("dl n=3 format=edgelist1\ndata:\n1 2\n", "UCINET DL"),
        ("graph TD\n  a --- b\n", "Mermaid"),
        ('{"elements": {"nodes": [], "edges": []}}', "Cytoscape"),
        ("<?xml version='1.0'?>\n<svg/>\n", "XML of another kind"),
        ("p cnf 3 2\n1 2 0\n", "CNF"),
        ("edge(1,2).\npath(X,Y) :- edge(X,Y).\n", "logic program with rules"),
        ("type octile\nheight 2\nwidth 3\nmap\n..@\nT..\n", "MovingAI map"),
    ],
)
def test_a_form_without_a_reader_is_refused_by_name(text, title, tmp_path, run):
    with pytest.raises(FormatError, match=title):
        read_board(Named(text, "x.txt"))
    path = tmp_path / "x.txt"
    path.write_text(text)
    code, out, err = run("solve", str(path))
    assert (code, out) == (2, "") and title in err and "help:" in err
    assert any(title in row.title for row in REFUSED)


TWO_GRAPHS = [
    ("gml", 'graph [ node [ id 0 label "graph [" ] ]\n', "graph [ node [ id 0 ] ]\n"),
    ("graphml", "<graphml><graph></graph><!-- <graph> -->", "<graph></graph></graphml>"),
    ("gexf", "<gexf><graph></graph>", "<graph></graph></gexf>"),
]


@pytest.mark.parametrize(("form", "first", "second"), TWO_GRAPHS, ids=[row[0] for row in TWO_GRAPHS])
def test_rejects_files_with_several_graphs(form, first, second):
    with pytest.raises(FormatError, match="the file contains several graphs") as error:
        read_board(Named(first + second, "x"), form)
    assert error.value.help == "keep one graph in a file"


def test_marks_of_two_graphs_in_texts_are_ignored():
    text = 'graph [ node [ id 0 label "graph [" ] node [ id 1 label "b" ] edge [ source 0 target 1 ] ]'
    assert len(read_board(Named(text, "x"), "gml")) == 2


@pytest.mark.parametrize(
    ("text", "title"),
    [("type octile\nheight 3\nwidth 3\nmap\n..@\n...\nT..\n", "MovingAI map"), ("graph [ node [ id 0 ] ]", "GML")],
)
def test_formats_without_tours_are_named_as_such(text, title, tmp_path, run):
    path = tmp_path / "x.txt"
    path.write_text(text)
    code, _, err = run("check", str(path))
    assert code == 2 and f"this looks like {'a ' * (title[0] == 'M')}{title}, and holds no tour" in err


@pytest.mark.parametrize("text", ["1 2 3 -1\n2 4 -1\n3 4 -1\n-1\n", "1 2 3 4 -1\n"])
def test_lists_that_end_with_minus_one_are_rejected_by_name(text):
    with pytest.raises(FormatError, match="each line ends with -1") as error:
        read_board(Named(text, "x.txt"))
    assert "ADJ_LIST" in error.value.help
    with pytest.raises(FormatError, match="'-1' is not a number of a tour"):
        kt.parse_tours(text)


@pytest.mark.parametrize("form", [name for name, row in FOREIGN.items() if row.needs])
def test_without_the_extra_one_error_names_it_and_the_form(form, monkeypatch):
    for package in FOREIGN[form].needs:
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackage) as error:
        read_board(Named("x", "x"), form)
    assert FOREIGN[form].title in str(error.value) and error.value.help == "pip install 'knightstour[graphs]'"


@pytest.mark.parametrize(
    ("parts", "arcs"),
    [
        ("*Edges\n2 3\n*Arcs\n2 1\n3 1\n", ((), (0, 2), (0, 1))),
        ("*Arcs\n2 1\n3 1\n*Edges\n2 3 4.5\n", ((), (0, 2), (0, 1))),
        ("*Arcs\n2 1\n*Edges\n2 3\n*Arcs\n3 1\n", ((), (0, 2), (0, 1))),
    ],
)
def test_pajek_edges_beside_arcs_go_both_ways(parts, arcs):
    text = '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n' + parts
    assert read_board(io.StringIO(text), arcs=True).graph == arcs
    with pytest.raises(FormatError, match="directed"):
        read_board(io.StringIO(text))


@pytest.mark.parametrize(
    ("parts", "arcs", "graph"),
    [
        ("*Edgeslist\n1 2 3\n2 3\n", False, ((1, 2), (0, 2), (0, 1))),
        ("*Arcslist\n1 2 3\n2 3\n", True, ((1, 2), (2,), ())),
        ("*Arcslist\n1 2 3\n*Edgeslist\n2 3\n", True, ((1, 2), (2,), (1,))),
        ("*Matrix\n0 1 1\n1 0 0\n1 0 0\n", False, ((1, 2), (0,), (0,))),
        ("*Matrix\n0 1 1\n0 0 2.5\n0 0 0\n", True, ((1, 2), (2,), ())),
    ],
)
@pytest.mark.parametrize("names", ["", '1 "a"\n2 "b"\n3 "c"\n'])
def test_pajek_lists_and_matrices_are_read(parts, arcs, graph, names):
    board = read_board(io.StringIO(f"*Vertices 3\n{names}{parts}"), arcs=arcs)
    assert board.graph == graph
    assert list(map(str, board.labels)) == (["a", "b", "c"] if names else ["1", "2", "3"])
