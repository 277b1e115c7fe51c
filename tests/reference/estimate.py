"""One step of random walks, from the definition: free neighbours are counted anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Board, Problem
from knightstour.core.kernels.counting.estimate import DEAD, Choices, Field, Walks
from knightstour.core.kernels.rng import next_random
from knightstour.core.model.board import move_graph
from knightstour.lab.counting.estimate import first_walks
from reference import Case, Row


def advance(field: Field, walks: Walks, choices: Choices, is_closed: int, left: int, first: int, last: int) -> None:
    for i in range(first, last):
        choices.total[i], choices.degree[i] = 1.0, 0
        if walks.log_weight[i] == DEAD:
            continue
        squares = _next_squares(field, walks, i, left, is_closed)
        if not squares:
            walks.log_weight[i] = DEAD
            continue
        likings = [field.liking[walks.degree[i][s]] for s in squares]
        total = sum(likings)
        field.random[0] = next_random(field.random[0])
        rest = total * (field.random[0] / 2**32)
        k = 0
        while (rest := rest - likings[k]) >= 0 and k + 1 < len(squares):
            k += 1
        choices.total[i], choices.degree[i] = total, walks.degree[i][squares[k]]
        _go(field, walks, i, left, is_closed, squares[k])


def _near(field: Field, square: int) -> list[int]:
    return field.targets[field.offsets[square] : field.offsets[square + 1]]


def _next_squares(field: Field, walks: Walks, i: int, left: int, is_closed: int) -> list[int]:
    """The squares that a walk can go to without being lost at once; none if it is lost."""
    free, last, root = walks.free[i], walks.last[i], field.near_root
    near = [s for s in _near(field, walks.head[i]) if free[s]]
    if left == 1:
        return [s for s in near if not is_closed or root[s]]
    ways = {s: walks.degree[i][s] + root[s] for s in near}
    spare = not is_closed and last < 0
    tight = [s for s in near if ways[s] == 1 and s != last]
    if 0 in ways.values() or len(tight) > 1 + spare:
        return []
    # The last way back to the first square is kept.
    kept = {s for s in near if is_closed and root[s] and walks.roots[i] == 1}
    found = [s for s in near if walks.degree[i][s] and s != last and s not in kept]
    return [s for s in found if ways[s] == 1] if len(tight) > spare else found


def _go(field: Field, walks: Walks, i: int, left: int, is_closed: int, to: int) -> None:
    free, degree = walks.free[i], walks.degree[i]
    if not is_closed and walks.last[i] < 0 and left > 1:
        for s in _near(field, walks.head[i]):
            if free[s] and s != to and degree[s] == 1:
                walks.last[i] = s
    walks.head[i] = to
    walks.roots[i] -= field.near_root[to]
    free[to] = 0
    walks.hope[i] -= field.promise[degree[to]]
    for s in _near(field, to):
        if free[s]:
            fewer = sum(free[u] for u in _near(field, s))
            walks.hope[i] += field.promise[fewer] - field.promise[fewer + 1]
            degree[s] = fewer


def seen(field: Field, walks: Walks, *rest: Any) -> Any:
    """Without the degrees of squares that are not free, which mean nothing."""
    for free, degree in zip(walks.free, walks.degree, strict=True):
        degree[:] = [d if is_free else 0 for d, is_free in zip(degree, free, strict=True)]
    return field, walks, rest


def cases() -> Iterator[Case]:
    problems = [
        Problem.of((5, 5)),
        Problem.of((5, 6), closed=True),
        Problem.of((5, 5), start="a1", end="e5"),
        Problem.of((3, 7), end="a1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of((1, 2)),
    ]
    for problem in problems:
        field, walks = first_walks(problem, move_graph(problem.board), 20, np.random.default_rng(4))
        choices = Choices(np.ones(20), np.zeros(20, dtype=np.int64))
        for left in range(problem.board.square_count - 1, 0, -1):
            copies = (type(each)(*(field.copy() for field in each)) for each in (field, walks, choices))
            yield Case(f"{problem}, {left} left", (*copies, int(problem.closed)), [(left, 0, 3), (left, 3, 20)])
            advance_all(field, walks, choices, left, problem.closed)


def advance_all(field: Field, walks: Walks, choices: Choices, left: int, closed: bool) -> None:
    """The next step, by this reference on lists."""
    lists = [type(each)(*(array.tolist() for array in each)) for each in (field, walks, choices)]
    advance(lists[0], lists[1], lists[2], int(closed), left, 0, len(walks.head))
    for arrays, changed in zip((field, walks), lists[:2], strict=True):
        for array, items in zip(arrays, changed, strict=True):
            if array.flags.writeable:
                array[:] = items


ROWS = [Row("estimate_advance", advance, cases, seen)]
