"""Lists of Python as graphs: edges as pairs, or the neighbours of each node.

A list of pairs may be both: `[[1, 2], [0, 2], [0, 1]]`. So each reading is tried that gives a whole graph. Neighbours
are whole if they are nodes, counted from 0 or from 1, and each edge is named at both ends; a mapping can be nothing
else, and is directed if they do not. A matrix is whole if it is symmetric.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from numbers import Real

import numpy as np

from knightstour.core.model.errors import BoardError, with_notes
from knightstour.core.model.graphs import GRAPH_HELP, Parts, place_of
from knightstour.core.model.validation import quoted

EDGES, _MATRIX = "the pairs are edges", "an adjacency matrix"
NEIGHBOURS = "the lists are neighbours of node 0, 1, ..."
_FROM_1 = "the lists are neighbours of node 1, 2, ..."
_SAY = "for edges give networkx.Graph(pairs), for neighbours a mapping {0: [...], 1: [...]}, for a matrix np.array(...)"


def graph_of_lists(graph: object, *, arcs: bool = False) -> Parts:
    """Return nodes and edges of a mapping node -> neighbours, or of a list.

    Args:
        arcs: Whether the graph is directed: pairs go from the first to the second, neighbours are successors.

    Raises:
        BoardError: If it is not such a graph.

    >>> graph_of_lists([[1, 2], [0], [0]]).edges.tolist()
    [[0, 1], [0, 2], [1, 0], [2, 0]]
    >>> graph_of_lists([(1, 2), (2, 5)]).nodes
    [1, 2, 5]
    """
    if isinstance(graph, str | bytes) or not isinstance(graph, Iterable):
        raise with_notes(TypeError(f"not a graph: {quoted(graph)}"), help=GRAPH_HELP)
    try:
        # The edges of a graph of NetworkX are both a set of pairs and a mapping of them.
        if isinstance(graph, Mapping) and not isinstance(graph, Set):
            return _neighbours({node: list(near) for node, near in graph.items()}, arcs)
        given = list(graph)
        # A string is iterable, but not a list of neighbours or ends.
        if any(isinstance(item, str | bytes) for item in given):
            raise TypeError
        items = [list(item) for item in given]
    except TypeError:
        raise BoardError(f"not a graph: {quoted(graph)}", help=GRAPH_HELP) from None
    if not items:
        raise BoardError("the graph has no node")
    return _of_items(items, all(isinstance(item, tuple) for item in given), arcs)


def _of_items(items: list[list[object]], are_tuples: bool, arcs: bool) -> Parts:
    """Return the graph of a list of lists, by its only possible interpretation."""
    fits, faults = list[Parts](), list[BoardError]()
    near: dict[Hashable, Sequence[object]] = dict(enumerate(items))
    may_be_pairs = all(len(item) == 2 for item in items) or all(_has_weight(item, are_tuples) for item in items)
    count = len(items)
    may_be_matrix = count > 1 and all(len(item) == count for item in items)
    # Without an edge, counting from 1 is not detectable.
    are_numbers = any(items) and all(isinstance(node, int) and node for item in items for node in item)
    from_1: dict[Hashable, Sequence[object]] = dict(enumerate(items, 1))
    for is_possible, read in (
        (may_be_pairs, lambda: _pairs(items)),
        (are_numbers, lambda: _neighbours(from_1, arcs, is_clean=True)._replace(remarks=(_FROM_1,))),
        (True, lambda: _neighbours(near, arcs, is_clean=may_be_pairs or may_be_matrix)),
        (may_be_matrix, lambda: _matrix(items, arcs)),
    ):
        if is_possible:
            try:
                fits.append(read())
            except BoardError as error:
                faults.append(error)
    if not fits:
        if may_be_matrix:
            raise BoardError(
                f"{count} lists of {count} are neither a symmetric matrix nor lists of mutual neighbours",
                note=str(faults[-1]),
                help=_SAY,
            )
        raise faults[0 if may_be_pairs else -1]
    if are_tuples and fits[0].remarks[:1] == (EDGES,):
        # Edges are usually written as tuples of two, unlike neighbours or rows of a matrix.
        if all(len(item) == 2 for item in items):
            return fits[0]._replace(remarks=())
    if len(fits) > 1 and fits[0].remarks[:1] == (EDGES,) and not _is_simple(fits[0], arcs):
        # Repeated edges or loops, but valid lists of neighbours.
        fits = fits[1:]
    if len(fits) > 1 and fits[-1].remarks == (_MATRIX,) and bool((fits[-1].edges[:, 0] == fits[-1].edges[:, 1]).any()):
        # A matrix with loops, but another valid interpretation.
        fits = fits[:-1]
    for other in fits[1:]:
        if not _are_equal(fits[0], other, arcs):
            first, second = (fit.remarks[0] if fit.remarks else NEIGHBOURS for fit in (fits[0], other))
            say = _SAY.replace("Graph(", "DiGraph(") if arcs else _SAY
            raise BoardError(f"the list can be read in two ways: {first}; or {second}", help=say)
    return fits[0]


def _is_simple(parts: Parts, arcs: bool) -> bool:
    """Whether each edge is listed once, and none is a loop."""
    edges = {tuple(edge if arcs else sorted(edge)) for edge in parts.edges.tolist()}
    return len(edges) == len(parts.edges) and all(a != b for a, b in edges)


def _are_equal(first: Parts, second: Parts, arcs: bool) -> bool:
    kind = tuple if arcs else frozenset

    def content(parts: Parts) -> tuple[set[Hashable], set[Collection[Hashable]]]:
        names = list(parts.nodes)
        return set(names), {kind((names[a], names[b])) for a, b in parts.edges.tolist() if a != b}

    return content(first) == content(second)


def _array(pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _has_weight(item: Sequence[object], is_tuple: bool) -> bool:
    """Whether this may be an edge with its weight or data, as in NetworkX."""
    return len(item) == 3 and isinstance(item[2], Mapping | Real if is_tuple else Mapping | float)


def _pairs(items: Sequence[Sequence[object]]) -> Parts:
    ends: list[tuple[Hashable, Hashable]] = []
    for item in items:
        if not all(isinstance(end, Hashable) for end in item[:2]):
            raise BoardError(f"an end of an edge is not a node: {quoted(item)}", help=GRAPH_HELP)
        ends.append((item[0], item[1]))
    try:
        names = dict.fromkeys(end for pair in ends for end in pair)
    except TypeError:
        raise BoardError("an end of an edge is not a node", help=GRAPH_HELP) from None
    are_numbers = all(isinstance(name, int | np.integer) and not isinstance(name, bool) for name in names)
    nodes: list[Hashable] = sorted(names) if are_numbers else list(names)  # type: ignore[type-var]
    place = {node: k for k, node in enumerate(nodes)}
    weights = ("the third of each, its weight, is left out",) if any(len(item) > 2 for item in items) else ()
    return Parts(nodes, _array([(place[a], place[b]) for a, b in ends]), (EDGES, *weights))


def _neighbours(near: Mapping[Hashable, Sequence[object]], arcs: bool, *, is_clean: bool = False) -> Parts:
    """Yield each edge from both ends, or each arc from its tail.

    Args:
        is_clean: Whether to refuse loops and repetitions, which suggest another interpretation.
    """
    place = {node: k for k, node in enumerate(near)}
    edges = list[tuple[int, int]]()
    for k, (node, others) in enumerate(near.items()):
        for other in others:
            found = place_of(place, other)
            if found is None:
                raise BoardError(f"node {node!r} has a neighbour {other!r} that is not a node of the graph")
            edges.append((k, found))
    ways = set(edges)
    if is_clean and (len(ways) < len(edges) or any(a == b for a, b in edges)):
        raise BoardError("a list of neighbours names a node twice, or itself")
    for a, b in edges:
        if not arcs and (b, a) not in ways:
            nodes = list(near)
            raise BoardError(
                f"node {nodes[a]!r} has the neighbour {nodes[b]!r}, and {nodes[b]!r} does not have {nodes[a]!r}: the "
                "graph is directed; an edge goes both ways",
                help="name each edge at both ends; or use Board.from_graph(graph, directed=True) for arcs",
            )
    return Parts(list(near), _array(edges), (NEIGHBOURS,) if is_clean else ())


def _matrix(items: Sequence[Sequence[object]], arcs: bool) -> Parts:
    if not all(isinstance(entry, Real) for item in items for entry in item):
        raise BoardError("the entries must be numbers")
    matrix = np.array(items, dtype=float)
    if np.isnan(matrix).any() or not (arcs or np.array_equal(matrix != 0, matrix.T != 0)):
        raise BoardError("as an adjacency matrix it is not symmetric")
    rows, cols = np.nonzero(matrix)
    return Parts(range(len(items)), np.stack([rows, cols], axis=1).astype(np.int64), (_MATRIX,))
