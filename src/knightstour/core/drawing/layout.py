"""Positions for the nodes of a graph: a spring layout by NetworkX, if installed, or a circle.

T. Fruchterman and E. Reingold, 1991.
"""

from __future__ import annotations

import math

from knightstour.core.model.board import Board
from knightstour.core.model.graph_board import GraphBoard

Point = tuple[float, float]

# Limit on the nodes of a spring layout, which is slow for more nodes.
_MAX_SPRUNG = 400
# Space per node, in squares along each side.
_ROOM = 1.6


def side_of(board: Board) -> int:
    """Return the side length of a graph's picture, in squares."""
    return max(4, math.ceil(_ROOM * math.sqrt(board.cols)) + 1)


def places_of(board: Board) -> list[Point]:
    """Return (x, y) of each node, in squares from the top left of the picture."""
    side = side_of(board)
    raw = _sprung(board) if board.cols <= _MAX_SPRUNG else _circle(board.cols)
    wide, high = (max(max(axis) - min(axis), 1e-9) for axis in zip(*raw, strict=True))
    left, top = (min(axis) for axis in zip(*raw, strict=True))
    inner = side - 1
    return [(0.5 + inner * (x - left) / wide, 0.5 + inner * (y - top) / high) for x, y in raw]


def _sprung(board: Board) -> list[Point]:
    try:
        import networkx
    except ImportError:
        return _circle(board.cols)
    graph = networkx.Graph()
    graph.add_nodes_from(range(board.cols))
    assert isinstance(board, GraphBoard)
    graph.add_edges_from((a, b) for a, near in enumerate(board.graph) for b in near)
    is_planar, _ = networkx.check_planarity(graph)
    start = networkx.planar_layout(graph) if is_planar else None
    laid = networkx.spring_layout(graph, pos=start, seed=3, iterations=100)
    return [(float(laid[node][0]), float(laid[node][1])) for node in range(board.cols)]


def _circle(count: int) -> list[Point]:
    angles = (2 * math.pi * k / count for k in range(count))
    return [(math.sin(angle), -math.cos(angle)) for angle in angles]
