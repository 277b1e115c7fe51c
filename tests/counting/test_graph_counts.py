"""Hamiltonian cycles of graphs that others have counted."""

from __future__ import annotations

import networkx as nx
import pytest

from knightstour.core.model.board import Board
from knightstour.lab.counting.count import count_tours


@pytest.mark.parametrize(
    ("graph", "cycles"),
    [
        (nx.dodecahedral_graph(), 30),
        (nx.hypercube_graph(3), 6),
        (nx.hypercube_graph(4), 1344),
        (nx.complete_graph(7), 360),
        (nx.complete_bipartite_graph(4, 4), 72),
        (nx.complete_multipartite_graph(2, 2, 2), 16),
        (nx.petersen_graph(), 0),
        (nx.heawood_graph(), 24),
    ],
    ids=str,
)
def test_small_graphs(graph: nx.Graph, cycles: int) -> None:
    assert count_tours(Board.from_graph(graph), closed=True) == cycles


def cycles_by_search(graph: nx.Graph) -> int:
    """The Hamiltonian cycles, each met once in each direction by a plain search."""
    first = next(iter(graph))

    def ways(node: object, seen: frozenset[object]) -> int:
        if len(seen) == len(graph):
            return int(graph.has_edge(node, first))
        return sum(ways(other, seen | {other}) for other in graph[node] if other not in seen)

    return ways(first, frozenset([first])) // 2


@pytest.mark.parametrize("graph", [nx.pappus_graph(), nx.moebius_kantor_graph(), nx.octahedral_graph()], ids=str)
def test_graphs_counted_again_by_search(graph: nx.Graph) -> None:
    assert count_tours(Board.from_graph(graph), closed=True) == cycles_by_search(graph)


@pytest.mark.long
def test_the_graphs_of_the_benchmark() -> None:
    import importlib.util
    from pathlib import Path

    path = Path(__file__).parents[2] / "benchmarks" / "graphs.py"
    spec = importlib.util.spec_from_file_location("graphs_benchmark", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("binary(5,5,0)", "raman(3,47,1,1)", "complete tripartite K(4,5,6)"):
        make, published = module.GRAPHS[name]
        assert count_tours(Board.from_graph(make()), closed=True) == published
