"""Count Hamiltonian cycles of graphs with published counts, and write the table of docs/graphs.md:

    python benchmarks/graphs.py             the table (two minutes of processor time)
    python benchmarks/graphs.py NAME ...    these rows

The graphs are built from their public definitions, for the Stanford GraphBase from its documentation (D. E. Knuth,
1993). Each count is compared with the published one.
"""

import functools
import sys
from collections.abc import Callable, Iterator

import networkx as nx

import knightstour as kt


def binary(n: int) -> nx.Graph:
    """Return binary(n, n, 0): binary trees with n inner nodes, adjacent by rotations."""

    @functools.cache
    def trees(size: int) -> list[object]:
        return (
            [(left, right) for k in range(size) for left in trees(k) for right in trees(size - 1 - k)]
            if size
            else [None]
        )

    def rotated(tree) -> Iterator[object]:
        if tree is None:
            return
        left, right = tree
        if left is not None:
            yield (left[0], (left[1], right))
        yield from ((other, right) for other in rotated(left))
        yield from ((left, other) for other in rotated(right))

    return nx.Graph((tree, other) for tree in trees(n) for other in rotated(tree))


def raman(q: int) -> nx.Graph:
    """Return raman(3, q, 1, 1): the projective line over q elements, and four involutions.

    These are the quaternions of norm 3 with the parts 0, 1, +-1, +-1, as matrices in which i*i = j*j = -1.
    """
    g, h = next((g, h) for g in range(q) for h in range(q) if (g * g + h * h + 1) % q == 0)
    graph = nx.Graph()
    for c in (1, -1):
        for d in (1, -1):
            (m, n), (r, s) = ((g + d * h, c + d * g - h), (d * g - c - h, -g - d * h))
            for x, y in [*((x, 1) for x in range(q)), (1, 0)]:
                above, below = (m * x + n * y) % q, (r * x + s * y) % q
                image = above * pow(below, -1, q) % q if below else "infinity"
                graph.add_edge(x if y else "infinity", image)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


# Name -> (construction, published number of Hamiltonian cycles).
GRAPHS: dict[str, tuple[Callable[[], nx.Graph], int]] = {
    "dodecahedron": (nx.dodecahedral_graph, 30),
    "4-cube": (lambda: nx.hypercube_graph(4), 1344),
    "binary(5,5,0)": (lambda: binary(5), 14_306_485),
    "raman(3,47,1,1)": (lambda: raman(47), 107_921_396),
    "complete tripartite K(4,5,6)": (lambda: nx.complete_multipartite_graph(4, 5, 6), 207_360_000),
    "5-cube": (lambda: nx.hypercube_graph(5), 906_545_760),
}


def row(name: str) -> str:
    """Return a row of the table."""
    make, known = GRAPHS[name]
    graph = make()
    board = kt.Board.from_graph(graph)
    found = kt.count(board, closed=True)
    way = kt.plan(board, closed=True).method
    if found != known:
        raise SystemExit(f"{name}: {found:,} counted, {known:,} published")
    return f"| {name} | {len(graph)} | {graph.number_of_edges()} | {found:,} | by {way} |"


def main() -> None:
    print("| graph | nodes | edges | Hamiltonian cycles | counted |\n|---|---|---|---|---|")
    for name in sys.argv[1:] or GRAPHS:
        print(row(name), flush=True)


if __name__ == "__main__":
    main()
