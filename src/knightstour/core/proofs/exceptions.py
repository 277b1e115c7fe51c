"""Why the small boards that the theorems except have no tour: an argument about each, or else a search of all paths.

The theorems say which boards these are; why each has no tour is found here, when it is asked, and checked like any
other answer. They are so small that this takes milliseconds.
"""

from __future__ import annotations

import functools

from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.forced_moves import forced
from knightstour.core.proofs.narrowing_words import narrowing


@functools.lru_cache(maxsize=64)
def why_excepted(board: Board, closed: bool) -> tuple[str, str]:
    """(reason, source) of a small board that has no tour: forced moves, or what narrows it, or a complete search.

    >>> why_excepted(Board(3, 4), True)
    ('a3 takes its only moves left, to b1 and c2; ... a1 is left with a single move, to c2', 'forced moves')
    >>> why_excepted(Board(4, 4), False)[0]
    'without b3, c3, b2 and c2 the board falls into 6 parts (those of ...), but a tour without them into at most 5'
    """
    problem = Problem(board, closed)
    proof = forced(problem) or narrowing(problem)
    if proof is not None:
        return proof
    nodes = _all_paths(board, closed)
    return f"a complete search of {nodes:,} paths finds none", "complete search"


def _all_paths(board: Board, closed: bool) -> int:
    """How many paths there are from the first square of a closed tour, or from all squares: none is a tour."""
    near = move_graph(board).neighbour_lists()
    squares = move_graph(board).squares.tolist()
    waiting: list[tuple[int, ...]] = [(square,) for square in (squares[:1] if closed else squares)]
    paths = 0
    while waiting:
        path = waiting.pop()
        paths += 1
        is_tour = len(path) == len(squares) and (not closed or path[0] in near[path[-1]])
        check_own_answer(not is_tour, f"{board.title} has a tour: {path}")
        waiting += [(*path, square) for square in near[path[-1]] if square not in path]
    return paths
