"""Tours of directed graphs by definition: all orders of the nodes, each move along an arc."""

from itertools import pairwise, permutations


def tours_along(
    count: int, arcs: set[tuple[int, int]], *, closed: bool, start: int | None = None, end: int | None = None
) -> set[tuple[int, ...]]:
    """Return all tours of nodes 0 to count - 1; closed ones have at least three nodes and begin at `start` or 0."""
    found = set()
    for order in permutations(range(count)):
        ends_fit = order[0] == (start or 0) if closed else start in (None, order[0]) and end in (None, order[-1])
        is_whole = not closed or (count >= 3 and (order[-1], order[0]) in arcs)
        if ends_fit and is_whole and all(move in arcs for move in pairwise(order)):
            found.add(order)
    return found
