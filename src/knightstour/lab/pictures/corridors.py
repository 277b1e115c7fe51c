"""Corridors: the parts of a shape of squares joined by straight ways three squares wide, of little length together.

All squares of the shape spread at once over the rest, a step in each of eight directions a round. Where the ground that
two parts have reached meets, a corridor between the two squares that it came from may be built; of these the shortest
are taken that join all parts, as in a minimum spanning tree.

Source: J. B. Kruskal, On the shortest spanning subtree of a graph, 1956.
"""

from __future__ import annotations

from collections import deque

import numpy as np

_EIGHT = tuple((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0))


def part_numbers(shape: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the number of the part of each square, and of parts; squares with a common corner belong together.

    shape: bool (rows, cols). The numbers are int64 (rows, cols), from 0, and -1 outside the shape.

    >>> part_numbers(np.array([[1, 0, 1], [0, 0, 1]]) > 0)
    (array([[ 0, -1,  1],
           [-1, -1,  1]]), 2)
    """
    numbers = np.full(shape.shape, -1, dtype=np.int64)
    count = 0
    for start in map(tuple, np.argwhere(shape).tolist()):
        if numbers[start] >= 0:
            continue
        numbers[start], rest = count, [start]
        while rest:
            row, col = rest.pop()
            for near in _around(row, col, shape.shape):
                if shape[near] and numbers[near] < 0:
                    numbers[near] = count
                    rest.append(near)
        count += 1
    return numbers, count


def with_corridors(shape: np.ndarray) -> np.ndarray:
    """Return the shape with corridors between its parts, so that it is one part.

    >>> with_corridors(np.array([[1, 0, 0, 1]]) > 0).tolist()
    [[True, True, True, True]]
    """
    numbers, count = part_numbers(shape)
    joined = shape.copy()
    leader = list(range(count))
    for _, (row, col), (other_row, other_col) in _ways(numbers) if count > 1 else ():
        one, other = (_leader(leader, int(numbers[at])) for at in ((row, col), (other_row, other_col)))
        if one == other:
            continue
        leader[one] = other
        steps = max(abs(row - other_row), abs(col - other_col))
        for share in np.linspace(0, 1, 2 * steps + 1):
            at = round(row + (other_row - row) * share), round(col + (other_col - col) * share)
            joined[max(at[0] - 1, 0) : at[0] + 2, max(at[1] - 1, 0) : at[1] + 2] = True
    return joined


_Way = tuple[int, tuple[int, int], tuple[int, int]]


def _ways(numbers: np.ndarray) -> list[_Way]:
    """The possible corridors, the shortest first: the length, and a square of each of the two parts."""
    source: dict[tuple[int, int], tuple[int, int]] = {(r, c): (r, c) for r, c in np.argwhere(numbers >= 0).tolist()}
    rest = deque(source)
    while rest:
        here = rest.popleft()
        for near in _around(*here, numbers.shape):
            if near not in source:
                source[near] = source[here]
                rest.append(near)
    found: set[_Way] = set()
    for here, one in source.items():
        for near in _around(*here, numbers.shape):
            other = source[near]
            if numbers[one] < numbers[other]:
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
