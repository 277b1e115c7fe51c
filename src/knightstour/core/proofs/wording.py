"""Squares and ends of a question, as reasons say them."""

from __future__ import annotations

from collections.abc import Iterable

from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem


def given_ends(problem: Problem) -> list[int]:
    """Square numbers of the given ends of an open tour, the start first; of a closed tour none."""
    if problem.closed:
        return []
    return [s for s in (problem.start_index, problem.end_index) if s is not None]


def name(board: Board, square: int) -> str:
    """Name of a square number."""
    return board.name(divmod(square, board.cols))


def names(board: Board, squares: Iterable[int], most: int = 8) -> str:
    """Several names in words, the first few of many.

    >>> names(Board(8, 8), [0, 1, 2])
    'a8, b8 and c8'
    """
    listed = [name(board, s) for s in squares]
    if len(listed) > most:
        return f"{', '.join(listed[: most - 1])} and {len(listed) - most + 1} more"
    return " and ".join(filter(None, [", ".join(listed[:-1]), listed[-1]]))
