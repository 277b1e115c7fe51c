"""The moves of a flat board and which of them cross, for those who look for uncrossed tours."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import move_graph
from knightstour.core.model.geometry import crossing_positions, flat_of
from knightstour.core.model.problem import Problem


class Moves(NamedTuple):
    """The moves of a question, without forbidden ones.

    pairs: the two squares of each, by number. crossing: the moves that each one crosses, by their places in `pairs`.
    """

    pairs: tuple[tuple[int, int], ...]
    crossing: tuple[tuple[int, ...], ...]


def by_square(pairs: Iterable[tuple[int, int]], squares: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
    """For each square the squares that moves join it to, each with the place of its move in `pairs`.

    >>> by_square([(0, 5), (5, 2)], [0, 2, 5])
    {0: [(5, 0)], 2: [(5, 1)], 5: [(0, 0), (2, 1)]}
    """
    near: dict[int, list[tuple[int, int]]] = {square: [] for square in squares}
    for k, (a, b) in enumerate(pairs):
        near[a].append((b, k))
        near[b].append((a, k))
    return near


def pairs_of(problem: Problem) -> tuple[tuple[int, int], ...]:
    """The two squares of each move of a question, without forbidden ones."""
    graph = move_graph(problem.board)
    pairs = zip(graph.tails.tolist(), graph.targets.tolist(), strict=True)
    return tuple((a, b) for a, b in pairs if a < b and (a, b) not in problem.forbid)


@functools.lru_cache(maxsize=8)
def moves_of(problem: Problem) -> Moves:
    """The moves of a question of a flat board.

    >>> moves = moves_of(Problem((3, 3)))
    >>> len(moves.pairs), sum(map(len, moves.crossing))
    (8, 32)
    """
    pairs = pairs_of(problem)
    flat = flat_of(problem.board)
    places = flat.places(np.arange(problem.board.rows * problem.board.cols)).tolist()
    # By the upper end and the direction downwards.
    number = {}
    for k, (a, b) in enumerate(pairs):
        upper, lower = sorted((tuple(places[a]), tuple(places[b])))
        number[upper, (lower[0] - upper[0], lower[1] - upper[1])] = k
    crossing: list[set[int]] = [set() for _ in pairs]
    for one, other, (row, col) in crossing_positions(flat.vectors):
        for (upper, vector), k in number.items():
            there = number.get(((upper[0] + row, upper[1] + col), other)) if vector == one else None
            if there is not None:
                crossing[k].add(there)
                crossing[there].add(k)
    return Moves(pairs, tuple(tuple(sorted(others)) for others in crossing))
