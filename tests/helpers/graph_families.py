"""Families of graphs by their public definitions, whose Hamiltonian cycles are known by theorems."""

from __future__ import annotations

import random

import networkx as nx

from knightstour.core.model.board import Board


def petersen(n: int, k: int) -> nx.Graph:
    """The generalised Petersen graph G(n, k).

    G(n, 2) has no Hamiltonian cycle just where n is 5 more than a multiple of 6 (K. Bannai, 1978; B. Alspach, 1983).
    """
    graph = nx.Graph()
    for i in range(n):
        graph.add_edges_from([(("u", i), ("u", (i + 1) % n)), (("u", i), ("v", i)), (("v", i), ("v", (i + k) % n))])
    return graph


def flower(n: int) -> nx.Graph:
    """The flower snark J_n, n odd: it has no Hamiltonian cycle (R. Isaacs, 1975)."""
    graph = nx.Graph()
    for i in range(n):
        graph.add_edges_from([(("a", i), (x, i)) for x in "bcd"] + [(("b", i), ("b", (i + 1) % n))])
    nx.add_cycle(graph, [("c", i) for i in range(n)] + [("d", i) for i in range(n)])
    return graph


def sheehan(m: int) -> nx.Graph:
    """A graph of 2m nodes, m^2 + 1 edges and a single Hamiltonian cycle (as in J. Sheehan, 1977).

    The nodes o_k have edges to the e_j alone, so a cycle alternates. e_0 has two edges to them, which a cycle takes;
    that leaves e_1 two, and so on.
    """
    graph = nx.Graph((("e", i), ("e", j)) for i in range(m) for j in range(i))
    graph.add_edges_from((("o", k), ("e", j)) for k in range(m) for j in range(k, m))
    graph.add_edge(("o", m - 1), ("e", 0))
    return graph


def shuffled(graph: nx.Graph, seed: int) -> Board:
    """The board of the graph with its nodes in some other order."""
    nodes = list(graph)
    random.Random(seed).shuffle(nodes)
    board = nx.Graph()
    board.add_nodes_from(nodes)
    board.add_edges_from(graph.edges)
    return Board.from_graph(board)


def near_of(moves: str) -> dict[int, set[int]]:
    """The neighbours of each square of a small graph, from its moves as pairs of digits: "01 12 20" is a triangle."""
    near: dict[int, set[int]] = {}
    for a, b in moves.split():
        near.setdefault(int(a), set()).add(int(b))
        near.setdefault(int(b), set()).add(int(a))
    return near
