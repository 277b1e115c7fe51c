"""Graphs of other libraries as nodes and edges, for `Board.from_graph`.

No library is imported: a graph is recognised by its methods. Rules for ambiguous cases:

- A directed graph, or an asymmetric matrix, is rejected unless arcs are requested. With arcs each keeps its direction,
  and an edge of an undirected graph becomes two.
- A list may contain edges or neighbours: `graph_lists.py` tries both.
- Loops are dropped, and edges between the same two nodes count once, since a tour visits each node once.
- A node without edges is kept, so that the graph then has no tour (unless it is the only node).
- The names of the nodes are objects in NetworkX, indices in igraph and rustworkx, and rows in a matrix.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np

from knightstour.core.model.errors import BoardError, MissingPackage

Node = TypeVar("Node", bound=Hashable)

GRAPH_HELP = (
    "pass a graph of NetworkX, igraph or rustworkx, a square matrix of NumPy or SciPy, a mapping node -> "
    "neighbours, lists of neighbours, or edges as pairs"
)


@runtime_checkable
class NetworkxGraph(Protocol):
    """Interface of a graph of NetworkX."""

    def is_directed(self) -> bool: ...
    def is_multigraph(self) -> bool: ...
    @property
    def nodes(self) -> Iterable[Hashable]: ...
    @property
    def edges(self) -> Callable[..., Iterable[tuple[Hashable, Hashable]]]: ...


@runtime_checkable
class IgraphGraph(Protocol):
    """Interface of a graph of igraph."""

    def is_directed(self) -> bool: ...
    def vcount(self) -> int: ...
    def get_edgelist(self) -> Sequence[tuple[int, int]]: ...


@runtime_checkable
class RustworkxGraph(Protocol):
    """Interface of a graph of rustworkx. A directed graph also has `in_degree`."""

    def node_indices(self) -> Sequence[int]: ...
    def edge_list(self) -> Sequence[tuple[int, int]]: ...


@runtime_checkable
class SparseMatrix(Protocol):
    """Interface of a sparse matrix of SciPy."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def tocoo(self) -> Coordinates: ...


class Coordinates(Protocol):
    """Coordinates and values of the entries of a sparse matrix."""

    row: np.ndarray
    col: np.ndarray
    data: np.ndarray


GraphOfLibrary: TypeAlias = "NetworkxGraph | IgraphGraph | RustworkxGraph | SparseMatrix"
AnyGraph: TypeAlias = (
    "NetworkxGraph | IgraphGraph | RustworkxGraph | SparseMatrix | np.ndarray | "
    "Mapping[Node, Iterable[Node]] | Sequence[Iterable[int]] | Iterable[tuple[Node, Node]]"
)


class Parts(NamedTuple):
    """Nodes of a graph; its edges or arcs, pairs of indices, int64 (edges, 2); and remarks on the interpretation."""

    nodes: Sequence[Hashable]
    edges: np.ndarray
    remarks: tuple[str, ...] = ()


def is_graph(value: object) -> bool:
    """Whether a value is a graph of another library, a sparse matrix, or a mapping, which are no other board.

    >>> is_graph({"a": ["b"], "b": ["a"]}), is_graph((3, 4))
    (True, False)
    """
    if isinstance(value, str | tuple | list):
        return False
    if isinstance(value, Mapping):
        return bool(value)
    return isinstance(value, NetworkxGraph | IgraphGraph | RustworkxGraph | SparseMatrix)


def says_arcs(graph: object) -> bool:
    """Whether a value is a directed graph of a library.

    >>> says_arcs({"a": ["b"], "b": []}), says_arcs((3, 4))
    (False, False)
    """
    if not isinstance(graph, NetworkxGraph | IgraphGraph | RustworkxGraph):
        return False
    return hasattr(graph, "in_degree") if isinstance(graph, RustworkxGraph) else graph.is_directed()


def nodes_and_edges(graph: object, *, arcs: bool = False) -> tuple[Sequence[Hashable], np.ndarray]:
    """Return the nodes of a graph, and its edges as pairs of indices: int64 (edges, 2), in the graph's order.

    Args:
        arcs: Whether the edges are directed.

    Raises:
        BoardError: If the value is not such a graph.

    >>> nodes_and_edges({"a": ["b"], "b": ["a"]})
    (['a', 'b'], array([[0, 1],
           [1, 0]]))
    """
    parts = parts_of(graph, arcs=arcs)
    return parts.nodes, parts.edges


def parts_of(graph: object, *, arcs: bool = False) -> Parts:
    """Return the same as `nodes_and_edges`, with remarks on the interpretation of a list.

    >>> parts_of([["a", "b"], ["b", "c"]]).remarks
    ('the pairs are edges',)
    """
    from knightstour.core.model.graph_lists import graph_of_lists

    if isinstance(graph, np.ndarray | Mapping | list | tuple):
        return graph_of_lists(graph, arcs=arcs) if not isinstance(graph, np.ndarray) else _of_array(graph, arcs)
    return Parts(*_of_library(graph, arcs)) if is_graph(graph) else graph_of_lists(graph, arcs=arcs)


def is_matrix(array: np.ndarray) -> bool:
    """Whether a table is an adjacency matrix (numbers) and not a drawing (booleans).

    Raises:
        BoardError: If it may be both.
    """
    if array.dtype.kind != "b":
        return True
    is_square = array.shape[0] == array.shape[1] > 1
    if is_square and bool((array == array.T).all()) and not array.diagonal().any() and array.any():
        raise BoardError(
            "this array of booleans may be an adjacency matrix, or the drawing of a board",
            help="use Board.from_graph(array) or Board.from_text(array)",
        )
    return False


def _of_array(array: np.ndarray, arcs: bool) -> Parts:
    from knightstour.core.model.graph_lists import graph_of_lists

    if array.ndim == 2 and array.shape[1] == 2 != len(array) and array.dtype.kind in "iuUSO":
        return graph_of_lists([tuple(pair) for pair in array.tolist()], arcs=arcs)
    return Parts(*_of_library(array, arcs))


def _of_library(graph: object, arcs: bool) -> tuple[Sequence[Hashable], np.ndarray]:
    if isinstance(graph, np.ndarray):
        matrix = np.asarray(graph)
        _check_shape(matrix.shape)
        rows, cols = np.nonzero(matrix)
        return _of_entries(len(matrix), rows, cols, matrix[rows, cols], arcs)
    if isinstance(graph, SparseMatrix):
        _check_shape(graph.shape)
        entries = graph.tocoo()
        return _of_entries(graph.shape[0], entries.row, entries.col, entries.data, arcs)
    is_directed = says_arcs(graph)
    if is_directed and not arcs:
        undirected = "as_undirected" if isinstance(graph, IgraphGraph) else "to_undirected"
        raise BoardError(
            "the graph is directed; an edge goes both ways",
            help="use Board.from_graph(graph, directed=True) for tours along its arcs, or "
            f"Board.from_graph(graph.{undirected}()) for tours that ignore directions",
        )
    if isinstance(graph, NetworkxGraph):
        nodes, edges = _of_pairs(list(graph.nodes), list(graph.edges()))
    elif isinstance(graph, IgraphGraph):
        nodes, edges = list(range(graph.vcount())), _pairs(graph.get_edgelist())
    else:
        assert isinstance(graph, RustworkxGraph)
        nodes, edges = _of_pairs(list(graph.node_indices()), [(a, b) for a, b in graph.edge_list()])
    return nodes, np.concatenate([edges, edges[:, ::-1]]) if arcs and not is_directed else edges


def _pairs(edges: Sequence[tuple[int, int]]) -> np.ndarray:
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _of_pairs(nodes: list[Hashable], edges: Sequence[tuple[Hashable, Hashable]]) -> tuple[list[Hashable], np.ndarray]:
    place = {node: k for k, node in enumerate(nodes)}
    return nodes, _pairs([(place[a], place[b]) for a, b in edges])


# ---------------------------------------------------------------- matrices


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise BoardError(f"an adjacency matrix must be square, but this array has the shape {shape}", help=GRAPH_HELP)


def _of_entries(
    count: int, rows: np.ndarray, cols: np.ndarray, entries: np.ndarray, arcs: bool
) -> tuple[range, np.ndarray]:
    """Return nodes and edges of a matrix with these nonzero entries."""
    kind = entries.dtype.kind
    if kind not in "biuf" or (kind == "f" and bool(np.isnan(entries).any())):
        raise BoardError("the entries of an adjacency matrix must be numbers", help="write 0 for a missing edge")
    edges = np.stack([rows, cols], axis=1).astype(np.int64)[entries != 0]
    ways = np.unique(edges @ [count, 1])
    back = np.unique(edges @ [1, count])
    if not arcs and not np.array_equal(ways, back):
        row, col = divmod(int(np.setdiff1d(ways, back)[0]), count)
        raise BoardError(
            f"the adjacency matrix is not symmetric: entry ({row}, {col}) is set and ({col}, {row}) is 0",
            help="make it symmetric; or Board.from_graph(matrix, directed=True) for arcs from the row to the column",
        )
    return range(count), edges


def place_of(places: Mapping[Hashable, int], node: object) -> int | None:
    """Return the index of a node, or None for other values."""
    try:
        return places.get(node)
    except TypeError:  # not hashable, so no node
        return None


def networkx_module() -> ModuleType:
    """Return the module networkx; raise MissingPackage if it is not installed."""
    try:
        import networkx
    except ImportError as error:
        raise MissingPackage("NetworkX is not installed", extra="graphs") from error
    module: ModuleType = networkx
    return module


# ---------------------------------------------------------------- neighbours


def neighbours(count: int, edges: np.ndarray, *, arcs: bool = False) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each of `count` nodes, rising, distinct and without itself; along arcs its successors.

    >>> neighbours(3, np.array([[0, 1], [1, 0], [2, 2]]))
    ((1,), (0,), ())
    """
    both = edges if arcs else np.concatenate([edges, edges[:, ::-1]])
    both = both[both[:, 0] != both[:, 1]]
    keys = np.sort(both[:, 0] * count + both[:, 1])
    is_new = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    keys = keys[is_new]
    ends = np.searchsorted(keys, np.arange(count + 1, dtype=np.int64) * count).tolist()
    flat = (keys % count).tolist()
    return tuple(tuple(flat[a:b]) for a, b in itertools.pairwise(ends))


class Place(tuple[int, int]):
    """The square (0, place) of a board of nodes or cells, with its node: any board reads it as that node again."""

    label: Hashable
