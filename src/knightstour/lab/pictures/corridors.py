"""Corridors: straight connections, three squares wide, between the parts of a shape, with minimal total length.

All squares of the shape spread simultaneously over the rest, by one of eight directions per round. If the regions of
two parts meet, a corridor between their source squares is a candidate. The shortest candidates that join all parts are
used, as in a minimum spanning tree (J. B. Kruskal, 1956).
"""

from __future__ import annotations

from collections import deque

import numpy as np

_EIGHT = tuple((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0))


def with_corridors(parts: np.ndarray) -> np.ndarray:
    """Return the squares of all parts and of corridors that join them: bool (rows, cols).

    parts: int64 (rows, cols), the number of the part of each square, from 0, and -1 for other squares.
    >>> with_corridors(np.array([[0, -1, -1, 1]])).tolist()
    [[True, True, True, True]]
    """
    joined = parts >= 0
    leader = list(range(int(parts.max()) + 1))
    for _, (row, col), (other_row, other_col) in _ways(parts):
        one, other = (_leader(leader, int(parts[at])) for at in ((row, col), (other_row, other_col)))
        if one == other:
            continue
        leader[one] = other
        steps = max(abs(row - other_row), abs(col - other_col))
        for share in np.linspace(0, 1, 2 * steps + 1):
            at = round(row + (other_row - row) * share), round(col + (other_col - col) * share)
            joined[max(at[0] - 1, 0) : at[0] + 2, max(at[1] - 1, 0) : at[1] + 2] = True
    return joined


_Way = tuple[int, tuple[int, int], tuple[int, int]]


def _ways(parts: np.ndarray) -> list[_Way]:
    """Return the possible corridors by length, with a square of both parts."""
    source: dict[tuple[int, int], tuple[int, int]] = {(r, c): (r, c) for r, c in np.argwhere(parts >= 0).tolist()}
    rest = deque(source)
    while rest:
        here = rest.popleft()
        for near in _around(*here, parts.shape):
            if near not in source:
                source[near] = source[here]
                rest.append(near)
    found: set[_Way] = set()
    for here, one in source.items():
        for near in _around(*here, parts.shape):
            other = source[near]
            if parts[one] < parts[other]:
                found.add((max(abs(one[0] - other[0]), abs(one[1] - other[1])), one, other))
    return sorted(found)


def _around(row: int, col: int, shape: tuple[int, ...]) -> list[tuple[int, int]]:
    near = [(row + a, col + b) for a, b in _EIGHT]
    return [(r, c) for r, c in near if 0 <= r < shape[0] and 0 <= c < shape[1]]


def _leader(leader: list[int], part: int) -> int:
    while leader[part] != part:
        leader[part] = leader[leader[part]]
        part = leader[part]
    return part
