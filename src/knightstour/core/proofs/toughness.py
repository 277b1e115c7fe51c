"""Toughness: squares whose removal leaves more pieces of a graph than of a closed tour.

Without k squares a closed tour falls into at most k paths. So k squares whose removal leaves more than k pieces are a
proof that a reader can check with a pencil. Finding them is difficult (NP-hard in general).

Each square has a price, and the minimum spanning tree is computed, where a move costs the prices of its two ends. A
closed tour is a tree plus one move and has two moves at every square. So squares with a higher degree in the tree
become more expensive, and squares with a lower degree cheaper. Indispensable squares soon have the highest prices.
After every few trees, the number of pieces without the k most expensive squares is computed for each k. If a set leaves
exactly k pieces, no tour contains a move between two of its squares.

Cost: a sort of all moves for each tree. Sources: V. Chvatal, Tough graphs and Hamiltonian circuits, 1973; prices after
M. Held and R. M. Karp, The traveling-salesman problem and minimum spanning trees, 1970; trees after J. B. Kruskal,
1956.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.model.cycle_graph import Near, pieces_without

if TYPE_CHECKING:
    from random import Random

# Number of trees after which the changes of prices are halved.
_HALF = 10
# Random addition to costs, to vary the trees among equal costs.
_NOISE = 0.01


def tough_set(near: Near, trees: int) -> set[int] | None:
    """Return vertices whose removal leaves more pieces than vertices or, failing that, an equal number; or None.

    A set of the second kind contains a move between two of its vertices. The graph must be connected.

    Args:
        trees: Maximum number of trees.

    >>> sorted(tough_set([{2, 3, 4}, {2, 3, 4}, {0, 1}, {0, 1}, {0, 1}], 20))
    [0, 1]
    >>> tough_set([{1, 3}, {0, 2}, {1, 3}, {2, 0}], 20) is None
    True
    """
    from random import Random

    source = Random(0)
    moves = [(a, b) for a, others in enumerate(near) for b in others if a < b]
    prices = [float(len(others)) for others in near]
    tight: set[int] | None = None
    for tree in range(trees):
        surplus, dearest = _dearest(near, sorted(range(len(near)), key=lambda v: prices[v]))
        if surplus > 0:
            return _fewest(near, dearest)
        if surplus == 0 and tight is None and any(near[v] & dearest for v in dearest):
            tight = dearest
        step = _HALF / (_HALF + tree)
        for v, degree in enumerate(_tree_degrees(len(near), moves, prices, source)):
            prices[v] += step * (degree - 2)
    return tight


def _tree_degrees(size: int, moves: list[tuple[int, int]], prices: list[float], source: Random) -> list[int]:
    costs = [prices[a] + prices[b] + _NOISE * source.random() for a, b in moves]
    root = list(range(size))
    degrees = [0] * size
    missing = size - 1
    for k in sorted(range(len(moves)), key=costs.__getitem__):
        a, b = x, y = moves[k]
        while root[x] != x:
            root[x] = x = root[root[x]]
        while root[y] != y:
            root[y] = y = root[root[y]]
        if x != y:
            root[x] = y
            degrees[a] += 1
            degrees[b] += 1
            missing -= 1
            if not missing:
                break
    return degrees


def _dearest(near: Near, rising: list[int]) -> tuple[int, set[int]]:
    """Return the set of most expensive vertices with the most pieces: (pieces minus vertices, the vertices).

    rising: The vertices by price. They are added to the empty graph one by one, and the missing ones form a set.
    """
    size = len(near)
    root = [-1] * size
    pieces = 0
    best, at = -size, 0
    for k, v in enumerate(rising[:-1], 1):
        root[v] = v
        pieces += 1
        for other in near[v]:
            if root[other] >= 0:
                while root[other] != other:
                    root[other] = other = root[root[other]]
                if other != v:
                    root[other] = v
                    pieces -= 1
        if pieces > 1 and pieces - (size - k) > best:
            best, at = pieces - (size - k), k
    return best, set(rising[at:])


def _fewest(near: Near, removed: set[int]) -> set[int]:
    """Return a subset that still leaves more pieces than vertices."""
    surplus = len(pieces_without(near, removed)) - len(removed)
    for v in sorted(removed):
        fewer = removed - {v}
        pieces = len(pieces_without(near, fewer))
        if pieces > 1 and pieces - len(fewer) >= min(1, surplus):
            removed = fewer
    return removed
