"""The method `auto` on sparse graphs of hundreds to thousands of nodes, whose answers are known by theorems."""

from __future__ import annotations

import random
import time

import networkx as nx
import pytest

from knightstour.methods.solve import solve
from knightstour.model.board import Board
from knightstour.model.budget import Limits
from knightstour.model.result import Status


def petersen(n: int, k: int) -> nx.Graph:
    """The generalised Petersen graph G(n, k)."""
    graph = nx.Graph()
    for i in range(n):
        graph.add_edges_from([(("u", i), ("u", (i + 1) % n)), (("u", i), ("v", i)), (("v", i), ("v", (i + k) % n))])
    return graph


def flower(n: int) -> nx.Graph:
    """The flower snark J_n, n odd: it has no Hamiltonian cycle (R. Isaacs, 1975)."""
    graph = nx.Graph()
    for i in range(n):
        graph.add_edges_from([(("a", i), (x, i)) for x in "bcd"] + [(("b", i), ("b", (i + 1) % n))])
    around = [("c", i) for i in range(n)] + [("d", i) for i in range(n)]
    nx.add_cycle(graph, around)
    return graph


def sheehan(m: int) -> nx.Graph:
    """J. Sheehan's graph of 2m nodes, m^2 + 1 edges and a single Hamiltonian cycle, 1977."""
    graph = nx.Graph((("e", i), ("e", j)) for i in range(m) for j in range(i))
    graph.add_edges_from((("o", k), ("e", j)) for k in range(m) for j in range(k, m))
    graph.add_edge(("o", m - 1), ("e", 0))
    return graph


def shuffled(graph: nx.Graph, seed: int) -> Board:
    nodes = list(graph)
    random.Random(seed).shuffle(nodes)
    board = nx.Graph()
    board.add_nodes_from(nodes)
    board.add_edges_from(graph.edges)
    return Board.from_graph(board)


# G(n, 2) has no Hamiltonian cycle just where n is 5 more than a multiple of 6 (K. Bannai, 1978; B. Alspach, 1983).
@pytest.mark.parametrize(
    ("graph", "status"),
    [
        (petersen(199, 2), Status.FOUND),
        (petersen(203, 2), Status.IMPOSSIBLE),
        (flower(101), Status.IMPOSSIBLE),
        (nx.random_regular_graph(3, 600, seed=1), Status.FOUND),
        (nx.hexagonal_lattice_graph(14, 14, periodic=True), Status.FOUND),
        (sheehan(20), Status.FOUND),
    ],
    ids=["G(199,2)", "G(203,2)", "flower", "cubic", "hexagons", "Sheehan"],
)
def test_sparse_graphs_are_answered(graph: nx.Graph, status: Status) -> None:
    board = shuffled(graph, 3)
    started = time.process_time()
    result = solve(board, closed=True, rng=1, limits=Limits(seconds=30))
    assert result.status is status
    assert time.process_time() - started < 5
    if result.tours:
        order = result.tour.labels
        assert sorted(map(str, order)) == sorted(map(str, graph))
        assert all(graph.has_edge(a, b) for a, b in zip(order, [*order[1:], order[0]], strict=True))


@pytest.mark.long
@pytest.mark.parametrize(
    ("graph", "status"),
    [
        (petersen(997, 2), Status.FOUND),
        (petersen(1001, 2), Status.IMPOSSIBLE),
        (flower(501), Status.IMPOSSIBLE),
        (nx.random_regular_graph(3, 2000, seed=1), Status.FOUND),
        (nx.hexagonal_lattice_graph(30, 30, periodic=True), Status.FOUND),
        (sheehan(200), Status.FOUND),
    ],
    ids=["G(997,2)", "G(1001,2)", "flower", "cubic", "hexagons", "Sheehan"],
)
def test_large_sparse_graphs_are_answered(graph: nx.Graph, status: Status) -> None:
    assert solve(shuffled(graph, 3), closed=True, rng=1, limits=Limits(seconds=60)).status is status
