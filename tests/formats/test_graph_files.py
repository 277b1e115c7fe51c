"""Tests of graphs as text, compared with NetworkX."""

import io
import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.both_ways import both_ways
from knightstour.core.formats.graphs import MAX_EDGES
from knightstour.core.formats.table import FORMATS, GRAPH_FORMATS
from knightstour.core.formats.tours import read_board, read_boards, write_board
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import FormatError, KnightsTourError
from knightstour.core.model.graph_board import GraphBoard


@st.composite
def graphs(draw, most=40):
    """Draw a NetworkX graph with nodes 0, 1, ..., often with isolated ones."""
    count = draw(st.integers(1, most))
    node = st.integers(0, count - 1)
    edges = draw(st.sets(st.tuples(node, node).filter(lambda pair: pair[0] < pair[1]), max_size=60))
    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    return graph


def text_of(board, format, **settings):
    file = io.StringIO()
    write_board(file, board, format, **settings)
    return file.getvalue()


def board_of(text, format=None):
    return read_board(io.StringIO(text), format)


def numbered(graph):
    return nx.convert_node_labels_to_integers(graph)


@given(graph=graphs(), format=st.sampled_from(GRAPH_FORMATS))
def test_written_graph_is_read_back(graph, format):
    board = Board.from_graph(graph)
    again = board_of(text_of(board, format), format)
    assert again.graph == board.graph
    assert list(again.labels) == [node + (format in ("hcp", "dimacs", "cnf")) for node in graph]


@given(graph=graphs(70))
def test_graph6_and_sparse6_match_networkx(graph):
    board = Board.from_graph(graph)
    assert text_of(board, "graph6").encode() == nx.to_graph6_bytes(graph, header=False)
    for text in (nx.to_graph6_bytes(graph), nx.to_sparse6_bytes(graph), text_of(board, "sparse6").encode()):
        assert read_board(io.BytesIO(text)).graph == board.graph
    theirs = nx.from_sparse6_bytes(text_of(board, "sparse6").strip().encode())
    # NetworkX gives a node of its own bit width to the smallest graphs.
    assert graph.number_of_nodes() == 1 or nx.utils.graphs_equal(nx.Graph(theirs), graph)


@given(graph=graphs())
def test_edge_lists_match_networkx(graph):
    text = "\n".join(nx.generate_edgelist(graph))
    if text:
        read = board_of(text, "edges").to_networkx()
        assert set(map(frozenset, read.edges)) == set(map(frozenset, graph.edges))
    ours = nx.parse_edgelist(text_of(Board.from_graph(graph), "edges").splitlines(), nodetype=int)
    assert set(map(frozenset, ours.edges)) == set(map(frozenset, graph.edges))


@pytest.mark.parametrize("count", [2, 4, 8, 16])
def test_sparse6_padding_is_not_a_loop(count):
    graph = nx.Graph([(0, 1), (count // 2 - 1, count - 2)] if count > 2 else [])
    graph.add_nodes_from(range(count))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    text = text_of(Board.from_graph(nx.Graph(graph)), "sparse6")
    theirs = nx.from_sparse6_bytes(text.strip().encode())
    assert not list(nx.selfloop_edges(theirs))
    assert theirs.number_of_edges() == graph.number_of_edges()


def test_the_examples_of_the_definitions():
    # formats.txt of nauty.
    assert sorted(board_of("DQc").to_networkx().edges) == [(0, 2), (0, 4), (1, 3), (3, 4)]
    assert sorted(board_of(":Fa@x^").to_networkx().edges) == [(0, 1), (0, 2), (1, 2), (5, 6)]
    assert len(board_of(":Fa@x^")) == 7
    assert text_of(Board.from_graph(both_ways([[2, 4], [3], [], [4], []])), "graph6") == "DQc\n"
    assert text_of(Board.from_graph(both_ways([[1, 2], [2], [], [], [], [6], []])), "sparse6") == ":Fa@x^\n"
    # The sizes that it gives as examples: 30, 12345 and 460175067 nodes.
    assert len(read_board(io.StringIO("]" + "?" * 73))) == 30
    assert len(board_of(":~B?x" + "~" * 9)) == 12345
    with pytest.raises(FormatError, match="460,175,067 nodes"):
        board_of(":~~?ZZZZZ~~~")
    # The Petersen graph, as nauty writes it.
    assert nx.is_isomorphic(board_of("IheA@GUAo").to_networkx(), nx.petersen_graph())


def test_a_dimacs_file():
    text = "c a square and its diagonal\nc FILE: x\np col 4 5\nn 1 3\ne 1 2\ne 2 3\ne 3 4\ne 4 1\ne 1 3\n"
    for variant in (text, text.replace("col", "edge"), text.replace("4 5", "4 10")):
        board = board_of(variant)
        assert board.labels == (1, 2, 3, 4)
        assert sorted(board.to_networkx().edges) == [(1, 2), (1, 3), (1, 4), (2, 3), (3, 4)]
    # As the queen graphs are: each edge both ways, and counted so.
    assert board_of("p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n").graph == ((1,), (0, 2), (1,))


def test_names_in_a_list_of_edges():
    board = board_of("# people\nAda Bob\nBob Cy {'weight': 2}\n\nDi\nBob Bob\nBob Ada # twice\n", "edges")
    assert board.labels == ("Ada", "Bob", "Cy", "Di")
    assert board.graph == ((1,), (0, 2), (1,), ())
    assert board_of("10 9\n9 2\n", "edges").labels == (2, 9, 10)
    assert board_of("10 9\n9 02\n", "edges").labels == ("10", "9", "02")
    assert text_of(Board.from_graph(both_ways({"x": ["y"], "y": [], "z": []})), "edges") == "# an edge a line\nx y\nz\n"
    assert text_of((3, 3), "edges").endswith("b2\n")


@pytest.mark.parametrize("name", ["a b", "a,b", "#1", "", "{x}", ("p", 3)])
def test_names_that_no_list_of_edges_can_hold(name):
    with pytest.raises(FormatError, match="is empty, or contains"):
        text_of(Board.from_graph(both_ways({name: ["y"], "y": []})), "edges")


def test_names_that_are_one_as_text():
    with pytest.raises(FormatError, match="two nodes of the graph have the same name"):
        text_of(Board.from_graph(both_ways({1: ["1"], "1": []})), "edges")


@pytest.mark.parametrize("format", GRAPH_FORMATS)
def test_suffix_selects_the_format(format, tmp_path):
    for suffix in FORMATS[format].suffixes:
        path = tmp_path / f"board{suffix}"
        write_board(path, (5, 6), extra_vertex=True)
        graph = read_board(path).to_networkx()
        assert nx.is_isomorphic(graph, Board.from_graph(nx.complement(nx.complement(graph))).to_networkx())
        assert (graph.number_of_nodes(), graph.number_of_edges()) == (31, len(move_graph((5, 6)).edges()) + 30)
        path.rename(tmp_path / "board")
        assert len(read_board(tmp_path / "board")) == 31


def test_a_file_of_many_graphs():
    text = "".join(nx.to_graph6_bytes(g, header=False).decode() for g in nx.graph_atlas_g()[1:30]) + ":Fa@x^\n"
    found = list(read_boards(io.StringIO(">>graph6<<" + text)))
    assert [len(board) for board in found] == [len(g) for g in nx.graph_atlas_g()[1:30]] + [7]
    with pytest.raises(FormatError, match="contains several graphs"):
        board_of(text)


@pytest.mark.parametrize(
    ("text", "format", "line", "message"),
    [
        ("", None, None, "empty"),
        ("\n\n", "graph6", None, "contains no graph"),
        ("what is this, a graph?", None, 1, "unknown graph format"),
        ("DQc\nDQ\n", "graph6", 2, "truncated: 5 nodes need 2 characters of graph6, not 1"),
        ("DQcc", "graph6", 1, "too long"),
        ("BF", "graph6", 1, "bits after the last pair"),
        (":Fa@x^?", "sparse6", 1, "padding after the last edge must be ones"),
        ("DQ c", "graph6", 1, "invalid character 3"),
        ("?", "graph6", 1, "the graph has no node"),
        ("~~~~~~~~", "graph6", 1, "68,719,476,735 nodes need"),
        (":~~~~~~~~", "sparse6", 1, "a graph of 68,719,476,735 nodes and 0 edges is too large"),
        (":~~?@????", "sparse6", 1, "0 edges cannot connect 16,777,216 nodes"),
        (":", "sparse6", 1, "truncated"),
        ("&B?", "graph6", 1, "directed"),
        (";Fa@x^", "sparse6", 1, "incremental"),
        ("p edge 3 1\ne 1 4\n", None, 2, "node 4 is not between 1 and 3"),
        ("e 1 2\np edge 3 1\n", "dimacs", 1, "node 1 precedes the line 'p"),
        ("p edge 3 9\ne 1 2\n", None, 2, "announces 9 edges, but 1 follow: is it truncated?"),
        ("p edge 3 1\ne 1 2 3\n", None, 2, "an edge is a line 'e A B'"),
        ("p edge 3 1\np edge 3 1\n", None, 2, "a second line 'p'"),
        ("p edge 3 1\ne 1 x\n", None, 2, "'x' is not a number"),
        ("p edge 3\n", "dimacs", 1, "is not 'p edge NODES EDGES'"),
        ("p sp 3 2\na 1 2 7\n", "dimacs", 1, "the line 'p sp' is about arcs: the graph is directed"),
        ("p edge 3 1\na 1 2\n", None, 2, "directed"),
        ("p edge 0 0\n", None, 1, "no node"),
        ("p edge 99999999999 3\n", None, 1, "too large"),
        ("c nothing\n", None, 1, "there is no line 'p edge"),
        ("1 2 x\n", "edges", 1, "invalid weight 'x'"),
        ("1 2\n1 2 0.5\n", "edges", 2, "3 words, but other lines have 2"),
        ('{"rows": 3}', None, 1, "not a graph: {'rows': 3}"),
        ("# nothing\n", "edges", 1, "the graph has no node"),
        ("a b\nc \x00\n", None, 2, "binary data"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(text, format, line, message):
    with pytest.raises(FormatError, match=message) as error:
        board_of(text, format)
    assert error.value.line == line


@pytest.mark.parametrize(
    ("text", "edges", "remark"),
    [
        ("4 3\n1 2\n1 3\n2 4\n", [(1, 2), (1, 3), (2, 4)], "the first line '4 3' is omitted: it counts the nodes"),
        ("5 3\n1 2\n1 3\n2 4\n", [(1, 2), (1, 3), (2, 4)], "one|1 of the nodes have no edge"),
        ("3\n0 1\n1 2\n", [(0, 1), (1, 2)], "'3' is omitted: it counts the lines below"),
        ("4\n3\n0 1\n0 2\n0 3\n", [(0, 1), (0, 2), (0, 3)], "the first line '4 3' is omitted"),
        ("source,target\n0,1\n1,2\n", [(0, 1), (1, 2)], "column names"),
        ("id;from;to;kind\n7;5;6;a\n9;6;7;b\n", [(5, 6), (6, 7)], "the columns 'id', 'kind' are ignored"),
        ("Source,Target,Type\n0,1,Undirected\n", [(0, 1)], "column names"),
        ("0 -- 1;\n1 -- 2;\n", [(0, 1), (1, 2)], "dash"),
        ("3 2\n0 1 7\n1 2 5\n", [(0, 1), (1, 2)], "weights are not used"),
        ("% x\n0 1\n1 2\n", [(0, 1), (1, 2)], ""),
        ("0 -> 1\n1 -> 0\n", [(0, 1)], "dash"),
        ("edge(0,1). edge(1,2).\n", [(0, 1), (1, 2)], "each edge(a,b) is an edge"),
        ("node(0..2).\nedge(0,1).\nedge(1,2).\n", [(0, 1), (1, 2)], "each edge(a,b) is an edge"),
        ("E = {{0,1},{1,2}}\n", [(0, 1), (1, 2)], "the pairs are edges"),
        ("[[1], [0, 2], [1]]", [(0, 1), (1, 2)], "neighbours of node 0, 1"),
        ("[[1, 2], [0, 3], [0, 3], [1, 2]]", [(0, 1), (0, 2), (1, 3), (2, 3)], "neighbours of node 0, 1"),
        ("[[2, 3, 4], [1, 3, 4], [1, 2, 4], [1, 2, 3]]", [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)], "node 1, 2"),
        ("[\n  [0, 1, 1],\n  [1, 0, 1],\n  [1, 1, 0]\n]\n", [(0, 1), (0, 2), (1, 2)], "an adjacency matrix"),
        (
            "static const int g[][3] = {\n {0,1,0}, // x\n {1,0,1},\n {0,1,0}\n};\n",
            [(0, 1), (1, 2)],
            "adjacency matrix",
        ),
        ("graph = {0: [1, 2], 1: [0, 2], 2: [0, 1]}\n", [(0, 1), (0, 2), (1, 2)], "beside its neighbours"),
        ('{"0": [1, 2], "1": [0], "2": ["0"]}\n', [(0, 1), (0, 2)], "beside its neighbours"),
        ("011\n101\n110\n", [(0, 1), (0, 2), (1, 2)], "adjacency matrix"),
        ("3\n0,1,1\n1,0,1\n1,1,0\n", [(0, 1), (0, 2), (1, 2)], "the first line '3' is omitted"),
        ("1\n4 4\n0 1\n1 2\n2 3\n3 0\n", [(0, 1), (1, 2), (2, 3), (0, 3)], "it counts the nodes and edges below"),
        ("1 2\n", [(1, 2)], ""),
        ("1 2\n2 3\n3 1\n", [(1, 2), (1, 3), (2, 3)], "'1 2' is read as an edge, though 2 edges are below it"),
        ("1 2\n2 1\n1 3\n3 1\n", [(1, 2), (1, 3)], "2 edges are listed again"),
        ("0: 1\n1: 0 2\n2: 1\n", [(0, 1), (1, 2)], "a node and its neighbours"),
        ("p tw 3 2\n1 2\n2 3\n", [(1, 2), (2, 3)], ""),
    ],
)
def test_handwritten_lists_are_read_with_a_note(text, edges, remark):
    board = board_of(text)
    assert set(board.to_networkx().edges) == set(edges)
    assert re.search(re.escape(remark) if "|" not in remark else remark, " ".join(board.read_as)) or not remark


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("6 6\n0 1\n1 2\n2 3\n3 4\n4 5\n", "looks like the numbers of nodes and edges, but 6 nodes and 5 edges"),
        ("3 4\n1 2\n1 3\n2 4\n", "looks like the numbers of nodes and edges, but 4 nodes and 3 edges"),
        ("7\n0 1\n1 2\n", "a node without edges, or a count of the"),
        ("1 5\n0 2\n1 3\n2 4\n3 5\n4 0\n", "different graphs"),
        ("6 6\n2 6\n1 3\n2 4\n3 5\n4 6\n5 1\n", "a list of edges, or lists of neighbours of nodes that are numbered"),
        ("1 2\n2 3\n3 1\n#\n1 2\n2 3\n", "this looks like TGF, which is not supported"),
        # Several graphs in one file.
        ("3\n1 2\n2 3\n3 1\n%\n4\n1 2\n2 3\n3 4\n%\n", "6: '4' is alone in its line"),
        ("0 1\n1 2\n2 0\n\n3 4\n4 5\n5 3\n", "4: an empty line between two parts of the list: are these several"),
        ("Case 1\n1 2\n2 3\n3 1\n", "1: 'Case' is not a number like the others"),
        ("1 2\n2 3\n3 1\nCase 2\n1 2\n", "4: 'Case' is not a number like the others"),
        ("0 1\n1 2\n2 0\n0 1\n1 2\n2 0\n", "4: this edge is also listed in line 1: are these several graphs?"),
        ("2 1\n1 9\n9 7\n4 4\n0 5\n5 6\n6 3\n3 0\n", "4: this line counts the nodes and edges after it"),
        ("2\n4 4\n1 2\n2 3\n3 4\n4 1\n4 3\n1 2\n1 3\n", "'4 4' looks like the numbers of nodes and edges"),
        # One pair both ways among others one way.
        ("1 2\n2 3\n3 2\n1 3\n", "'2' and '3' are listed both ways, but '1' to '2' one way: the graph may be directed"),
        ("[(1, 2), (2, 3), (3, 2), (1, 3)]\n", "listed both ways, but '1' to '2' one way"),
        ("G.add_edge(1, 2)\nG.add_edge(2, 1)\nG.add_edge(2, 3)\n", "a program, not a list in brackets"),
        # Two numbers, and counts that do not fit.
        ("3\n1 2\n2 2\n2 3\n", "a loop at '2': are these several graphs?"),
        ("{1: [2, 1], 2: [1]}\n", "'1' would be its own neighbour"),
        ("0-1\n1-2\n", "no line has two nodes"),
        ("a b c\nb a\nc a\n", "invalid weight 'c'"),
        # Matrices.
        ("0 1 0\n0 0 1\n1 0 0\n", "entry (0, 1) of the matrix is 1 and (1, 0) is 0: the graph is directed"),
        ("0 1 1 1 1\n0 0 1 0 1 1\n1 1 0 0 0 1\n1 0 0 0 0 0\n1 1 0 0 0 1\n1 1 1 0 1 0\n", "but this one has 5"),
        # Separators of another notation.
        ("a 2\nb {}\ne {}\nb 1\nc {}\n", "2: 'b' is alone in its line"),
        ("e 5 6\ne 6 7\n", "three integers per line: an edge and its weight, or something else"),
        ("color(red). edge(a,b).\n", "'color(red).' is not an edge"),
        ('["a" "b", "c"]\n', "no comma is between two names"),
        ("graph = {0: [1], 0: [2], 1: [0], 2: [0]}\n", "a key is duplicate"),
        ("a = [(0, 1)]\nb = [(1, 2)]\n", "several lists: are these several graphs?"),
        ("[(a, b), (b, c)]\n", "'a' needs quotation marks"),
        ("# Directed graph: x\n0 1\n1 2\n", "a comment declares the graph as directed"),
        ("0 -> 1\n1 -> 2\n", "an arrow goes from '0' to '1' and none back"),
        ("arc(0,1).\n", "is an arc"),
        ("Source,Target,Type\n0,1,Directed\n", "the edge is directed"),
        ("0: 1\n1: 0 2\n2: 0\n", "the graph is directed, or truncated"),
        ("{0: [1], 1: [2], 2: [0]}", "the graph is directed; an edge goes both ways"),
        ("[[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]]", "the list can be read in two ways: the pairs are edges;"),
        ("0 1\n1 2\n0-2\n", "3: '0-2' is alone in its line, and unlike the other names"),
        ("6 9\n0 1\n0 2\n1 2\n1 3\n2 3\n2 4\n3 4\n3 5\n4 5\nYES\n", "11: 'YES' is alone in its line"),
        ("a b\nb c*\n", "invalid node name"),
        ("[(0, 1), (1, 2", "was never closed"),
        ("4\n0 1 2\n0 2 5\n1 1 1\n", "2: three integers per line"),
    ],
)
def test_lists_that_may_mean_two_graphs_are_refused(text, message):
    with pytest.raises(FormatError) as error:
        board_of(text)
    assert re.search(message if "|" in message else re.escape(message), str(error.value))


def test_the_name_of_the_format_decides():
    ring = {(k, (k + 1) % 6) for k in range(6)}
    text = "6 6\n2 6\n1 3\n2 4\n3 5\n4 6\n5 1\n"
    assert nx.is_isomorphic(board_of(text, "neighbours").to_networkx(), nx.Graph(ring))
    assert board_of("4 3\n1 2\n1 3\n2 4\n", "edges").to_networkx().number_of_edges() == 4
    assert board_of("5 6 20\n6 7 3\n", "edges").to_networkx().number_of_edges() == 2
    assert board_of("1 5\n0 2\n1 3\n2 4\n3 5\n4 0\n", "neighbours").graph[0] == (1, 5)
    assert len(board_of("0 1 0\n1 0 1\n0 1 0\n", "matrix")) == 3
    assert len(board_of("# Directed graph: x\n0 1\n1 2\n", "edges")) == 3


def test_edge_lists_are_distinguished_from_counts():
    # The ring of 4, 3, 1, 2, whose first line would count a path.
    board = Board.from_graph({4: [3, 2], 3: [4, 1], 1: [3, 2], 2: [1, 4]})
    text = text_of(board, "edges")
    assert text.startswith("# an edge a line\n4 3\n")
    assert board_of(text).to_networkx().number_of_edges() == 4
    assert board_of(text.partition("\n")[2]).to_networkx().number_of_edges() == 3


def test_several_graphs_under_their_numbers_are_several_graphs():
    text = "2\n4 4\n1 2\n2 3\n3 4\n4 1\n4 3\n1 2\n1 3\n1 4\n"
    for several in (text, text.partition("\n")[2]):
        ring, star = read_boards(io.StringIO(several))
        assert nx.is_isomorphic(ring.to_networkx(), nx.cycle_graph(4))
        assert nx.is_isomorphic(star.to_networkx(), nx.star_graph(3)) and star.labels == (1, 2, 3, 4)
    weighted = list(read_boards(io.StringIO("2\n3 2\n0 1 5\n1 2 5\n2 1\n0 1 9\n")))
    assert [len(board) for board in weighted] == [3, 2]


def test_letters_are_graph6_only_with_matching_length():
    with pytest.raises(FormatError) as raised:
        board_of("IFUEWAK\nLWROSAD\n")
    assert "nodes take" not in str(raised.value)


def test_bare_edges_in_an_hcp_file_are_read():
    file = io.BytesIO(b"1 2\n2 3\n3 1\n")
    file.name = "x.hcp"
    board = read_board(file)
    assert len(board) == 3 and "read as a list of edges" in board.read_as[0]


def test_tour_format_is_not_a_graph_format():
    with pytest.raises(FormatError, match="supports tours, not boards"):
        board_of("1 2\n", "grid")
    with pytest.raises(FormatError, match="supports tours, not boards"):
        text_of((3, 4), "json")


@pytest.mark.long
def test_graph6_is_not_for_large_boards():
    with pytest.raises(FormatError, match="the 200x200 board has too many nodes for graph6: 40,000"):
        text_of((200, 200), "graph6")
    again = board_of(text_of((200, 200), "sparse6"))
    assert np.array_equal(move_graph(again).edges(), np.array(sorted(move_graph((200, 200)).edges().tolist())))


def test_a_hostile_file_costs_no_more_than_its_length():
    dense = "~" + "".join(chr((8000 >> k & 63) + 63) for k in (12, 6, 0)) + "~" * -(-8000 * 7999 // 2 // 6)
    with pytest.raises(FormatError, match=f"the limit is 50,000,000 nodes and {MAX_EDGES:,} edges"):
        board_of(dense)


@given(st.text("~?@A:_^ c\npe123#,", max_size=40), st.sampled_from([None, *GRAPH_FORMATS]))
def test_noise_is_a_graph_or_an_error(text, format):
    try:
        board = board_of(text, format)
    except KnightsTourError:
        return
    assert isinstance(board, GraphBoard)


@pytest.mark.parametrize(
    "labels",
    [
        ["New York", "Rome", "Paris # x", 'say "hi"'],
        ["a\nb", "c d", "é è", "\u2028"],
        [(0, 1), (1, 2), ("x", "y"), None],
        [1, 2, 3, "#4"],
        ["a,b", "c-d", "x", "y z"],
    ],
)
def test_names_with_special_characters_are_quoted(labels):
    board = kt.Board.from_graph({labels[k]: [labels[k - 3], labels[k - 1]] for k in range(4)})
    tour = kt.find_tour(board, closed=True, seed=1)
    text = tour.to_text("algebraic")
    assert "a1" not in text and len(text.splitlines()) == 1
    assert kt.parse_tours(text + text, "algebraic", board=board) == [tour, tour]


def test_names_that_look_alike_are_refused():
    board = kt.Board.from_graph({1: ["1", 2], "1": [1, 2], 2: [1, "1"]})
    with pytest.raises(kt.FormatError, match="the same name as text") as raised:
        kt.find_tour(board).to_text("algebraic")
    assert "json" in raised.value.help


SQUARE = "0 1\n1 2\n2 3\n3 0\n"


@pytest.mark.parametrize("format", [None, "edges"])
@pytest.mark.parametrize(
    "text",
    [
        f"4\n{SQUARE}",
        f"4\n4\n{SQUARE}",
        f"4 4\n{SQUARE}",
        f"{SQUARE}-1 -1\n",
        f"{SQUARE}-1\n",
        f"4\n{SQUARE}-1 -1\n",
        "4\n0 1 2.5\n1 2 1.5\n2 3 1.0\n3 0 2.0\n",
        "4 4\n0 1 7\n1 2 7\n2 3 7\n3 0 7\n",
    ],
)
def test_omits_counts_and_ends_of_edge_lists(text: str, format: str | None) -> None:
    board = read_board(io.StringIO(text), format)
    assert board.labels == (0, 1, 2, 3) and board.graph == ((1, 3), (0, 2), (1, 3), (0, 2))
    assert "is omitted: it" in " ".join(board.read_as)


@pytest.mark.parametrize(
    ("text", "format", "message"),
    [
        (f"5\n{SQUARE}", "edges", "the number 5 is a node without edges, or a count"),
        ("1 2\n2 3\n0 0\n", None, "'0 0' is a loop, or ends the list"),
        ("1 2\n2 3\n0 0\n", "edges", "'0 0' is a loop, or ends the list"),
        ("3 3\n0 1\n1 2\n2 0\n0 0\n", "edges", "'3 3' is a loop, or counts nodes and edges"),
        ("a b\nb c\n-1 -1\n", "edges", "'-1 -1' is a loop, or ends the list"),
    ],
)
def test_ambiguous_counts_and_ends_of_edge_lists_are_refused(text: str, format: str | None, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read_board(io.StringIO(text), format)
    assert "omit that line" in caught.value.help and "edges:FILE" not in caught.value.help


def test_a_promised_edge_list_keeps_negative_nodes() -> None:
    board = read_board(io.StringIO("# an edge a line\n0 1\n-1\n"))
    assert board.labels == (-1, 0, 1)


@pytest.mark.parametrize("text", ["0 1\n1 2\n0 1\n", "2 3\n1 2\n2 3\n", "4\n0 1 10\n0 2 5\n1 2 7\n2 3 4\n"])
def test_help_names_edges_only_if_they_are_read(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_board(io.StringIO(text))
    assert "edges:FILE" in caught.value.help
    read_board(io.StringIO(text), "edges")


PATH_MATRIX, STAR_MATRIX = "0 1 0\n1 0 1\n0 1 0\n", "0111\n1000\n1000\n1000\n"


@pytest.mark.parametrize("head", ["", "2\n"])
@pytest.mark.parametrize("gap", ["", "\n"])
@pytest.mark.parametrize("end", ["", "0\n"])
@pytest.mark.parametrize("format", [None, "matrix"])
def test_reads_several_matrices_under_their_sizes(head: str, gap: str, end: str, format: str | None) -> None:
    boards = list(read_boards(io.StringIO(f"{head}3\n{PATH_MATRIX}{gap}4\n{STAR_MATRIX}{end}"), format))
    assert [board.graph for board in boards] == [((1,), (0, 2), (1,)), ((1, 2, 3), (0,), (0,), (0,))]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (f"3\n{PATH_MATRIX}4\n0111\n", 5, "'4' is not the number of rows of another matrix"),
        (f"3\n{PATH_MATRIX}{PATH_MATRIX}", 5, "'0 1 0' is not the number of rows"),
        (f"3\n3\n{PATH_MATRIX}4\n{STAR_MATRIX}", 1, "the first line counts 3 matrices, but 2 follow"),
    ],
)
def test_rejects_several_matrices_whose_sizes_disagree(text: str, line: int, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        list(read_boards(io.StringIO(text)))
    assert caught.value.line == line


@pytest.mark.parametrize(
    "text",
    ["source,target\n0,1\n1,2\n2,0\n", "from to\na b\nb c\nc a\n", "source,target,weight\n0,1,5\n1,2,5\n2,0,5\n"],
)
@pytest.mark.parametrize("form", [None, "edges"])
def test_column_names_are_not_nodes(text: str, form: str | None) -> None:
    board = read_board(io.StringIO(text), form)
    assert len(board) == 3 and "it contains column names" in " ".join(board.read_as)


@pytest.mark.parametrize("text", ["3\n1 2\n2 3\n3 1\nEND\n", "1 2\n2 3\n3 1\nYES\n", "a b\nb c\nc a\n7\n"])
def test_named_edges_reject_a_word_that_may_end_the_list(text: str) -> None:
    for form in (None, "edges"):
        with pytest.raises(FormatError, match="is alone in its line, and unlike the other names"):
            read_board(io.StringIO(text), form)
