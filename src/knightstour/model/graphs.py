"""Graphs of other libraries as nodes and edges: what `Board.from_graph` takes.

Nothing is imported to read them: a graph is known by the methods that it has. One rule for each doubt:

- A directed graph, and a matrix that is not symmetric, is refused: a tour's moves go both ways.
- Loops are dropped, and edges between the same two nodes count once: a tour visits nodes, and goes on to another one.
- A node without edges stays a node, so that the graph then has no tour (unless it is the only one).
- The nodes are called as in the answers of the library that made the graph: by themselves in NetworkX, by their index
  in igraph and rustworkx, by row in a matrix.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np

from knightstour.model.errors import BoardError
from knightstour.model.validation import shown

Node = TypeVar("Node", bound=Hashable)

_HELP = (
    "give an undirected graph of NetworkX, igraph or rustworkx, a square matrix of NumPy or SciPy, a mapping node -> "
    "neighbours, or lists of neighbours"
)


@runtime_checkable
class NetworkxGraph(Protocol):
    """What is asked of a graph of NetworkX."""

    def is_directed(self) -> bool: ...
    def is_multigraph(self) -> bool: ...
    @property
    def nodes(self) -> Iterable[Hashable]: ...
    @property
    def edges(self) -> Callable[..., Iterable[tuple[Hashable, Hashable]]]: ...


@runtime_checkable
class IgraphGraph(Protocol):
    """What is asked of a graph of igraph."""

    def is_directed(self) -> bool: ...
    def vcount(self) -> int: ...
    def get_edgelist(self) -> Sequence[tuple[int, int]]: ...


@runtime_checkable
class RustworkxGraph(Protocol):
    """What is asked of a graph of rustworkx. A directed one has `in_degree` too."""

    def node_indices(self) -> Sequence[int]: ...
    def edge_list(self) -> Sequence[tuple[int, int]]: ...


@runtime_checkable
class SparseMatrix(Protocol):
    """What is asked of a sparse matrix of SciPy."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def tocoo(self) -> Coordinates: ...


class Coordinates(Protocol):
    """Where a sparse matrix has entries, and which."""

    row: np.ndarray
    col: np.ndarray
    data: np.ndarray


AnyGraph: TypeAlias = (
    "NetworkxGraph | IgraphGraph | RustworkxGraph | SparseMatrix | np.ndarray | "
    "Mapping[Node, Iterable[Node]] | Sequence[Iterable[int]]"
)


def nodes_and_edges(graph: object) -> tuple[Sequence[Hashable], np.ndarray]:
    """The nodes of a graph, and its edges as pairs of places among them: int64 (edges, 2), as the graph has them.

    Raises BoardError for what is no undirected graph.

    >>> nodes_and_edges({"a": ["b"], "b": []})
    (['a', 'b'], array([[0, 1]]))
    """
    if isinstance(graph, np.ndarray):
        matrix = np.asarray(graph)
        _check_shape(matrix.shape)
        rows, cols = np.nonzero(matrix)
        return _of_entries(len(matrix), rows, cols, matrix[rows, cols])
    if isinstance(graph, SparseMatrix):
        _check_shape(graph.shape)
        entries = graph.tocoo()
        return _of_entries(graph.shape[0], entries.row, entries.col, entries.data)
    if isinstance(graph, NetworkxGraph):
        _refuse_directed(graph.is_directed(), "graph.to_undirected()")
        return _of_pairs(list(graph.nodes), list(graph.edges()))
    if isinstance(graph, IgraphGraph):
        _refuse_directed(graph.is_directed(), "graph.as_undirected()")
        return range(graph.vcount()), _pairs(graph.get_edgelist())
    if isinstance(graph, RustworkxGraph):
        _refuse_directed(hasattr(graph, "in_degree"), "graph.to_undirected()")
        return _of_pairs(list(graph.node_indices()), list(graph.edge_list()))
    return _of_lists(graph)


def _refuse_directed(is_directed: bool, undirected: str) -> None:
    if is_directed:
        raise BoardError(
            "the graph is directed; a tour's moves go both ways",
            help=f"use {undirected}, or make three nodes of each: see docs/graphs.md",
        )


def _pairs(edges: Sequence[tuple[int, int]]) -> np.ndarray:
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _of_pairs(nodes: list[Hashable], edges: Sequence[tuple[Hashable, Hashable]]) -> tuple[list[Hashable], np.ndarray]:
    place = {node: k for k, node in enumerate(nodes)}
    return nodes, _pairs([(place[a], place[b]) for a, b in edges])


# ---------------------------------------------------------------- matrices


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise BoardError(f"an adjacency matrix is square, and this is of the shape {shape}", help=_HELP)


def _of_entries(count: int, rows: np.ndarray, cols: np.ndarray, entries: np.ndarray) -> tuple[range, np.ndarray]:
    """Of a matrix with `count` rows and these entries, the others being 0."""
    kind = entries.dtype.kind
    if kind not in "biuf" or (kind == "f" and bool(np.isnan(entries).any())):
        raise BoardError("the adjacency matrix has entries that are no numbers", help="write 0 where there is no edge")
    edges = np.stack([rows, cols], axis=1).astype(np.int64)[entries != 0]
    ways = np.unique(edges @ [count, 1])
    back = np.unique(edges @ [1, count])
    if not np.array_equal(ways, back):
        row, col = divmod(int(np.setdiff1d(ways, back)[0]), count)
        raise BoardError(
            f"the adjacency matrix is not symmetric: entry ({row}, {col}) is set and ({col}, {row}) is 0",
            note="a tour's moves go both ways",
            help="make it symmetric, or three nodes of each: see docs/graphs.md",
        )
    return range(count), edges


# ---------------------------------------------------------------- lists of neighbours


def _of_lists(graph: object) -> tuple[list[Hashable], np.ndarray]:
    """Of a mapping node -> neighbours, or a list of lists of neighbours."""
    try:
        if isinstance(graph, str | bytes) or not isinstance(graph, Iterable):
            raise TypeError
        given = graph.items() if isinstance(graph, Mapping) else enumerate(graph)
        pairs: list[tuple[Hashable, list[object]]] = [(node, list(near)) for node, near in given]
    except TypeError:
        raise BoardError(f"not a graph: {shown(graph)}", help=_HELP) from None
    count = len(pairs)
    if count > 1 and not isinstance(graph, Mapping) and all(len(near) == count for _, near in pairs):
        raise BoardError(
            f"{count} lists of {count} could be an adjacency matrix, or lists of neighbours with repetitions",
            help="give a matrix as np.array(...), and each neighbour once",
        )
    place = {node: k for k, (node, _) in enumerate(pairs)}
    edges = []
    for k, (node, near) in enumerate(pairs):
        for other in near:
            found = place_of(place, other)
            if found is None:
                raise BoardError(f"node {node!r} has a neighbour {other!r} that is not a node of the graph")
            edges.append((k, found))
    return [node for node, _ in pairs], _pairs(edges)


def place_of(places: Mapping[Hashable, int], node: object) -> int | None:
    """Where a node is, or None for what is no node."""
    try:
        return places.get(node)
    except TypeError:  # not hashable, so no node
        return None


def networkx_module() -> ModuleType:
    """NetworkX; a BoardError where it is not installed."""
    try:
        import networkx
    except ImportError as error:
        raise BoardError("NetworkX is not installed", help="pip install 'knightstour[graph]'") from error
    module: ModuleType = networkx
    return module


# ---------------------------------------------------------------- neighbours


def neighbours(count: int, edges: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each of `count` nodes, rising, each once and none itself.

    >>> neighbours(3, np.array([[0, 1], [1, 0], [2, 2]]))
    ((1,), (0,), ())
    """
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[both[:, 0] != both[:, 1]]
    keys = np.sort(both[:, 0] * count + both[:, 1])
    is_new = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    keys = keys[is_new]
    ends = np.searchsorted(keys, np.arange(count + 1) * count).tolist()
    flat = (keys % count).tolist()
    return tuple(tuple(flat[a:b]) for a, b in itertools.pairwise(ends))
