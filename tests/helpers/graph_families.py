"""Graphs for tests: small ones from digits, and families with shuffled nodes."""

import random

import networkx as nx

from knightstour.core.model.board import Board


def shuffled(graph: nx.Graph, seed: int) -> Board:
    """Return the board of the graph with shuffled nodes."""
    nodes = list(graph)
    random.Random(seed).shuffle(nodes)
    board = nx.Graph()
    board.add_nodes_from(nodes)
    board.add_edges_from(graph.edges)
    return Board.from_graph(board)


def near_of(moves: str) -> dict[int, set[int]]:
    """Return the neighbours of each square from pairs of digits: "01 12 20" is a triangle."""
    near: dict[int, set[int]] = {}
    for a, b in moves.split():
        near.setdefault(int(a), set()).add(int(b))
        near.setdefault(int(b), set()).add(int(a))
    return near
