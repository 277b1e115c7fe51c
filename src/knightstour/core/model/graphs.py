"""Graphs of other libraries as nodes and edges: what `Board.from_graph` takes.

Nothing is imported to read them: a graph is known by the methods that it has. One rule for each doubt:

- A directed graph, and a matrix that is not symmetric, is refused: a tour's moves go both ways.
- A list may hold edges or neighbours: `graph_lists.py` tries both.
- Loops are dropped, and edges between the same two nodes count once: a tour visits nodes, and goes on to another one.
- A node without edges stays a node, so that the graph then has no tour (unless it is the only one).
- The nodes are called as in the answers of the library that made the graph: by themselves in NetworkX, by their index
  in igraph and rustworkx, by row in a matrix.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np

from knightstour.core.model.errors import BoardError
from knightstour.core.model.lazy import Lazy

if TYPE_CHECKING:
    import networkx

    from knightstour.core.model.board import Board
    from knightstour.core.model.leaps import MoveGraph

graph_of_lists: Callable[[object], Parts] = Lazy("knightstour.core.model.graph_lists").graph_of_lists

Node = TypeVar("Node", bound=Hashable)

GRAPH_HELP = (
    "give an undirected graph of NetworkX, igraph or rustworkx, a square matrix of NumPy or SciPy, a mapping node -> "
    "neighbours, lists of neighbours, or edges as pairs"
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


GraphOfLibrary: TypeAlias = "NetworkxGraph | IgraphGraph | RustworkxGraph | SparseMatrix"
AnyGraph: TypeAlias = (
    "NetworkxGraph | IgraphGraph | RustworkxGraph | SparseMatrix | np.ndarray | "
    "Mapping[Node, Iterable[Node]] | Sequence[Iterable[int]] | Iterable[tuple[Node, Node]]"
)


class Parts(NamedTuple):
    """The nodes of a graph; its edges as pairs of places among them, int64 (edges, 2); and how it was read."""

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


def nodes_and_edges(graph: object) -> tuple[Sequence[Hashable], np.ndarray]:
    """The nodes of a graph, and its edges as pairs of places among them: int64 (edges, 2), as the graph has them.

    Raises BoardError for what is no undirected graph.

    >>> nodes_and_edges({"a": ["b"], "b": ["a"]})
    (['a', 'b'], array([[0, 1],
           [1, 0]]))
    """
    parts = parts_of(graph)
    return parts.nodes, parts.edges


def parts_of(graph: object) -> Parts:
    """The same as `nodes_and_edges`, with remarks on what a list was taken for.

    >>> parts_of([["a", "b"], ["b", "c"]]).remarks
    ('the pairs are edges',)
    """
    if isinstance(graph, np.ndarray | Mapping | list | tuple):
        return graph_of_lists(graph) if not isinstance(graph, np.ndarray) else _of_array(graph)
    return Parts(*_of_library(graph)) if is_graph(graph) else graph_of_lists(graph)


def _of_array(array: np.ndarray) -> Parts:
    if array.ndim == 2 and array.shape[1] == 2 != len(array) and array.dtype.kind in "iuUSO":
        return graph_of_lists([tuple(pair) for pair in array.tolist()])
    return Parts(*_of_library(array))


def _of_library(graph: object) -> tuple[Sequence[Hashable], np.ndarray]:
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
    assert isinstance(graph, RustworkxGraph)
    _refuse_directed(hasattr(graph, "in_degree"), "graph.to_undirected()")
    return _of_pairs(list(graph.node_indices()), list(graph.edge_list()))


# A graph whose closed tours are those of the directed graph `d`.
THREE_NODES = (
    "nx.Graph([((v, k), (v, k + 1)) for v in d for k in (0, 1)] + [((u, 2), (v, 0)) for u, v in d.edges if u != v])"
)


def _refuse_directed(is_directed: bool, undirected: str) -> None:
    if is_directed:
        raise BoardError(
            "the graph is directed; a tour's moves go both ways",
            help=f"Board.from_graph({undirected}) lets them; or, for closed tours along the directions, make three "
            f"nodes of each: {THREE_NODES} (docs/graphs.md)",
        )


def _pairs(edges: Sequence[tuple[int, int]]) -> np.ndarray:
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


def _of_pairs(nodes: list[Hashable], edges: Sequence[tuple[Hashable, Hashable]]) -> tuple[list[Hashable], np.ndarray]:
    place = {node: k for k, node in enumerate(nodes)}
    return nodes, _pairs([(place[a], place[b]) for a, b in edges])


# ---------------------------------------------------------------- matrices


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise BoardError(f"an adjacency matrix is square, and this is of the shape {shape}", help=GRAPH_HELP)


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
        raise BoardError("NetworkX is not installed", help="pip install 'knightstour[graphs]'") from error
    module: ModuleType = networkx
    return module


def networkx_graph(board: Board, moves: MoveGraph) -> networkx.Graph:
    """The moves of a board as a NetworkX graph of `(row, col)`, or of its labels."""
    module = networkx_module()
    places = moves.squares.tolist()
    nodes = {s: board.labels[s] if board.labels is not None else divmod(s, board.cols) for s in places}
    graph = module.Graph()
    graph.add_nodes_from(nodes.values())
    graph.add_edges_from((nodes[a], nodes[b]) for a, b in moves.edges().tolist())
    return graph


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
    ends = np.searchsorted(keys, np.arange(count + 1, dtype=np.int64) * count).tolist()
    flat = (keys % count).tolist()
    return tuple(tuple(flat[a:b]) for a, b in itertools.pairwise(ends))
