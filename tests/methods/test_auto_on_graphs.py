"""The method `auto` on sparse graphs of hundreds to thousands of nodes, whose answers are known by theorems."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import pytest

from helpers.graph_families import flower, petersen, sheehan, shuffled
from knightstour.core.methods.solve import solve
from knightstour.core.model.budget import Limits
from knightstour.core.model.result import Status


@pytest.mark.parametrize(
    ("make", "status"),
    [
        (lambda: petersen(199, 2), Status.FOUND),
        (lambda: petersen(203, 2), Status.IMPOSSIBLE),
        (lambda: flower(101), Status.IMPOSSIBLE),
        (lambda: nx.random_regular_graph(3, 600, seed=1), Status.FOUND),
        (lambda: nx.hexagonal_lattice_graph(14, 14, periodic=True), Status.FOUND),
        (lambda: sheehan(20), Status.FOUND),
    ],
    ids=["G(199,2)", "G(203,2)", "flower", "cubic", "hexagons", "Sheehan"],
)
def test_sparse_graphs_are_answered(make: Callable[[], nx.Graph], status: Status) -> None:
    graph = make()
    board = shuffled(graph, 3)
    result = solve(board, closed=True, rng=1, limits=Limits(seconds=30))
    assert result.status is status
    if result.tours:
        order = result.tour.labels
        assert sorted(map(str, order)) == sorted(map(str, graph))
        assert all(graph.has_edge(a, b) for a, b in zip(order, [*order[1:], order[0]], strict=True))


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "status"),
    [
        (lambda: petersen(997, 2), Status.FOUND),
        (lambda: petersen(1001, 2), Status.IMPOSSIBLE),
        (lambda: flower(501), Status.IMPOSSIBLE),
        (lambda: nx.random_regular_graph(3, 2000, seed=1), Status.FOUND),
        (lambda: nx.hexagonal_lattice_graph(30, 30, periodic=True), Status.FOUND),
        (lambda: sheehan(200), Status.FOUND),
    ],
    ids=["G(997,2)", "G(1001,2)", "flower", "cubic", "hexagons", "Sheehan"],
)
def test_large_sparse_graphs_are_answered(make: Callable[[], nx.Graph], status: Status) -> None:
    assert solve(shuffled(make(), 3), closed=True, rng=1, limits=Limits(seconds=60)).status is status
