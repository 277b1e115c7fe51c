"""Tests of graphs of other libraries as boards."""

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightstour.core.methods.solve import find_tour, solve
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graphs import neighbours
from knightstour.core.model.tour import Tour

# A square with a diagonal, and a node without edges.
EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]
NEAR = ((1, 2, 3), (0, 2), (0, 1, 3), (0, 2), ())


def matrix(kind: Any = bool) -> np.ndarray:
    made = np.zeros((5, 5), dtype=kind)
    for a, b in EDGES:
        made[a, b] = made[b, a] = 1
    return made


@given(count=st.integers(1, 9), pairs=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30))
def test_neighbours_match_networkx(count: int, pairs: list[tuple[int, int]]) -> None:
    edges = [(a % count, b % count) for a, b in pairs]
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(count))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    assert neighbours(count, np.array(edges).reshape(-1, 2)) == tuple(tuple(sorted(graph[n])) for n in range(count))


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64, np.float32])
def test_a_matrix(kind: Any) -> None:
    assert Board.from_graph(matrix(kind)).graph == NEAR
    assert Board.from_graph(matrix(kind) * 3).labels == (0, 1, 2, 3, 4)
    looped = matrix(kind)
    looped[4, 4] = 1
    assert Board.from_graph(looped).graph == NEAR


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.triu(matrix(int)), r"entry \(0, 1\) is set and \(1, 0\) is 0"),
        (np.ones((2, 3)), r"square, but this array has the shape \(2, 3\)"),
        (np.ones(4), "square"),
        (np.zeros((0, 0)), "no node"),
        (np.full((2, 2), np.nan), "must be numbers"),
        (np.array([["a", "b"], ["c", "d"]]), "must be numbers"),
        (np.full((2, 2), None), "not a node|must be numbers"),
        ([[1, 1, 1], [0, 0, 2], [0, 1, 1]], "neither a symmetric matrix nor lists of mutual neighbours"),
    ],
)
def test_rejects_invalid_adjacency_matrices(given: Any, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        Board.from_graph(given)


def test_a_sparse_matrix() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    for kind in (sparse.csr_array, sparse.coo_matrix, sparse.lil_array):
        assert Board.from_graph(kind(matrix(int))).graph == NEAR
    with_a_zero = sparse.coo_array(([1, 1, 0], ([0, 1, 1], [1, 0, 2])), shape=(3, 3))
    assert Board.from_graph(with_a_zero).graph == ((1,), (0,), ())
    with pytest.raises(BoardError, match="not symmetric"):
        Board.from_graph(sparse.csr_array(np.triu(matrix(int))))
    with pytest.raises(BoardError, match="square"):
        Board.from_graph(sparse.csr_array(np.ones((2, 3))))


def test_a_graph_of_igraph() -> None:
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(n=5, edges=[*EDGES, (0, 1), (2, 2)])
    graph.vs["name"] = list("abcde")
    board = Board.from_graph(graph)
    assert (board.graph, board.labels) == (NEAR, (0, 1, 2, 3, 4))
    with pytest.raises(BoardError, match="directed"):
        Board.from_graph(igraph.Graph(n=2, edges=[(0, 1)], directed=True))


def test_a_graph_of_rustworkx() -> None:
    rustworkx = pytest.importorskip("rustworkx")
    graph = rustworkx.PyGraph()
    graph.add_nodes_from([{"any": "thing"}] * 6)
    graph.add_edges_from_no_data([(a + 1, b + 1) for a, b in [*EDGES, (0, 1), (2, 2)]])
    graph.remove_node(0)
    board = Board.from_graph(graph)
    assert (board.graph, board.labels) == (NEAR, (1, 2, 3, 4, 5))
    with pytest.raises(BoardError, match="directed"):
        Board.from_graph(rustworkx.PyDiGraph())


def test_graphs_of_networkx() -> None:
    for kind in (nx.Graph, nx.MultiGraph):
        graph = kind([*EDGES, (0, 1), (2, 2)])
        graph.add_node(4)
        assert Board.from_graph(graph).graph == NEAR
    assert Board.from_graph(nx.freeze(nx.Graph(EDGES))).graph == NEAR[:4]
    for kind in (nx.DiGraph, nx.MultiDiGraph):
        with pytest.raises(BoardError, match="directed") as error:
            Board.from_graph(kind([(1, 2)]))
        assert "to_undirected" in error.value.help


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
        [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
        [(0, 1, {"weight": 2}), (0, 2, {}), (0, 3, {}), (1, 2, {}), (1, 3, {}), (2, 3, {})],
        [(0, 1, 0.5), (0, 2, 1), (0, 3, 1), (1, 2, 1), (1, 3, 1), (2, 3, 7)],
        nx.complete_graph(4).edges,
        np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]),
        {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)},
        # As neighbours and as a matrix, each reading being whole and the same graph.
        [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]],
        [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]],
    ],
    ids=lambda pairs: type(pairs).__name__,
)
def test_edges_neighbours_and_matrices_are_told_apart(pairs: Any) -> None:
    board = Board.from_graph(pairs)
    assert board.labels == (0, 1, 2, 3)
    assert board.graph == ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


def test_reading_of_a_list_is_reported() -> None:
    assert Board.from_graph([[1, 2], [1, 3], [2, 4]]).read_as == ("the pairs are edges",)
    assert Board.from_graph([(1, 2), (1, 3), (2, 4)]).read_as == ()
    assert Board.from_graph([[1], [0, 2], [1]]).read_as == ()
    # As edges, two of them would be listed twice.
    assert Board.from_graph([[1, 2], [0, 3], [0, 3], [1, 2]]).graph == ((1, 2), (0, 3), (0, 3), (1, 2))
    assert len(Board.from_graph([[1, 2], [0, 2], [0, 1]])) == 3
    assert "an adjacency matrix" in Board.from_graph([[0, 1, 1], [1, 0, 0], [1, 0, 0]]).read_as


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({0: [1], 1: [2], 2: [], 3: [2]}, "node 0 has the neighbour 1, and 1 does not have 0: the graph is directed"),
        ([[1], [2], [0]], "the graph is directed"),
        ({"a": ["b"], "b": ["a", "c"], "c": []}, "node 'b' has the neighbour 'c'"),
        # Rings of six, as neighbours; as edges they are two rings of three.
        (
            [[1, 5], [0, 2], [1, 3], [2, 4], [3, 5], [4, 0]],
            "can be read in two ways: the pairs are edges; or the lists",
        ),
        (["ab", "bc"], "not a graph"),
        ([1, 2], "not a graph"),
        ([], "no node"),
        (nx.Graph(), "no node"),
        ([(0, [1]), (1, [0])], "neither a symmetric matrix nor lists of mutual neighbours"),
        (nx.DiGraph([(0, 1), (1, 2), (2, 0)]), "directed"),
    ],
    ids=str,
)
def test_rejects_directed_input_and_several_graphs(given: Any, message: str) -> None:
    with pytest.raises(BoardError, match=message.replace("(", r"\(")) as error:
        Board.from_graph(given)
    assert error.value.help or "no node" in message


def test_graphs_of_other_libraries_are_boards_everywhere() -> None:
    graph = nx.Graph([(4, 7), (7, 9), (9, 4)])
    assert solve(graph, closed=True).tour is not None
    assert sorted(find_tour(graph).labels) == [4, 7, 9]
    assert Board(graph) == Board.from_graph(graph)
    assert Board(nx.to_numpy_array(graph)).graph == Board.from_graph(graph).graph
    assert Board({"a": ["b"], "b": ["a"]}).labels == ("a", "b")
    with pytest.raises(BoardError, match="directed") as error:
        Board.from_graph(nx.DiGraph(graph))
    assert "to_undirected()" in error.value.help and "\n" not in error.value.help
    assert solve(nx.DiGraph(graph), closed=True).tour is not None
    sparse = pytest.importorskip("scipy.sparse")
    assert len(Board(sparse.csr_array(nx.to_numpy_array(graph)))) == 3


def test_boolean_array_is_a_drawing_unless_it_fits_a_matrix() -> None:
    drawn = np.array([[True, True, False], [True, True, True], [True, True, True]])
    assert Board(drawn) == Board(3, 3, holes=[(0, 2)])
    with pytest.raises(BoardError, match="may be an adjacency matrix, or the drawing of a board"):
        Board(matrix(bool))


def test_a_tour_as_a_graph() -> None:
    board = Board.from_graph(nx.cubical_graph())
    order = [0, 1, 2, 3, 5, 4, 7, 6]
    tour = Tour(board, order)
    graph = tour.to_networkx()
    assert list(graph) == order
    assert set(graph.edges) <= set(board.to_networkx().edges) | {(b, a) for a, b in board.to_networkx().edges}
    assert graph.number_of_edges() == 7 + tour.is_closed
    cycle = Tour(Board.from_graph(nx.cycle_graph(5)), [2, 3, 4, 0, 1]).to_networkx()
    assert nx.utils.graphs_equal(cycle, nx.cycle_graph(5))
    assert nx.utils.graphs_equal(
        Tour((3, 4), ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]).to_networkx(),
        nx.path_graph([divmod(s, 4) for s in (0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11)]),
    )
