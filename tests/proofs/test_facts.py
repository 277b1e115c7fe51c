"""Tests of facts of boards against NetworkX and manual counts."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.both_ways import both_ways
from helpers.strategies import boards
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError
from knightstour.core.proofs.facts import articulation_squares, colour_classes, components, graph_facts


def graph_of(board: Board) -> nx.Graph:
    """Return the board's graph by the reference, with square numbers as nodes."""
    adjacent = reference.adjacency(reference.spec_of(board))
    graph = nx.Graph()
    graph.add_nodes_from(r * board.cols + c for r, c in adjacent)
    graph.add_edges_from((r * board.cols + c, y * board.cols + x) for (r, c), near in adjacent.items() for y, x in near)
    return graph


@given(boards())
def test_all_facts_agree_with_networkx(board):
    graph = graph_of(board)
    facts = graph_facts(board)
    size = board.rows * board.cols
    parts = sorted(map(sorted, nx.connected_components(graph)))
    labels = components(board)

    assert facts.square_count == len(graph)
    assert facts.move_count == graph.number_of_edges()
    assert [sorted(np.flatnonzero(labels == k).tolist()) for k in range(labels.max() + 1)] == parts
    assert facts.component_sizes == tuple(len(part) for part in parts)
    assert facts.is_connected == nx.is_connected(graph)
    assert articulation_squares(board).tolist() == sorted(nx.articulation_points(graph))
    assert facts.articulation == tuple(divmod(s, board.cols) for s in sorted(nx.articulation_points(graph)))
    assert facts.is_bipartite == nx.is_bipartite(graph)
    assert facts.is_eulerian == (nx.is_connected(graph) and all(d % 2 == 0 for _, d in graph.degree))
    assert facts.min_degree == min(d for _, d in graph.degree)
    assert facts.degrees.ravel().tolist() == [graph.degree[s] if s in graph else -1 for s in range(size)]
    assert sum(facts.degree_table.values()) == len(graph)
    assert [r * board.cols + c for r, c in facts.dead_ends] == [s for s in sorted(graph) if graph.degree[s] == 1]
    assert [r * board.cols + c for r, c in facts.isolated] == [s for s in sorted(graph) if graph.degree[s] == 0]


@given(boards())
def test_every_move_changes_colour_from_zero(board):
    graph = graph_of(board)
    colours = colour_classes(board)
    if colours is None:
        assert not nx.is_bipartite(graph)
        return
    assert all(colours[a] != colours[b] for a, b in graph.edges)
    assert all(colours[min(part)] == 0 for part in nx.connected_components(graph))
    assert set(colours[sorted(graph)].tolist()) <= {0, 1}
    assert (np.delete(colours, sorted(graph)) == -1).all()
    sizes = graph_facts(board).colour_sizes
    assert sizes == (int((colours == 0).sum()), int((colours == 1).sum()))


@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1)), min_size=n, max_size=n)))
def test_the_facts_of_any_graph_agree_with_networkx(adjacency):
    board = Board.from_graph(both_ways(adjacency))
    graph = nx.Graph()
    graph.add_nodes_from(range(len(adjacency)))
    graph.add_edges_from((a, b) for a, near in enumerate(adjacency) for b in near if a != b)
    assert articulation_squares(board).tolist() == sorted(nx.articulation_points(graph))
    assert len(graph_facts(board).component_sizes) == nx.number_connected_components(graph)
    assert (colour_classes(board) is not None) == nx.is_bipartite(graph)


def test_a_board_too_big_to_list_is_refused():
    with pytest.raises(BoardError, match="too many to list"):
        graph_facts((10**6, 10**6))


def test_a_long_path_needs_no_recursion():
    count = 20_000
    facts = graph_facts(Board.from_graph([(k, k + 1) for k in range(count - 1)]))
    assert len(facts.articulation) == count - 2
    assert facts.dead_ends == ((0, 0), (0, count - 1))
    assert facts.colour_sizes == (count // 2, count // 2)


@pytest.mark.parametrize("wrap", [None, "torus"])
def test_rejects_facts_of_a_board_with_too_many_moves(wrap):
    leaps = [(a, b) for a in range(60) for b in range(max(a, 1), 60)]
    with pytest.raises(BoardError, match="too many moves for its facts"):
        graph_facts(Board(80, 80, moves=leaps, wrap=wrap))
    assert graph_facts(Board(12, 12, moves=leaps[:20], wrap=wrap)).move_count > 0
