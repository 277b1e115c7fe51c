"""Tours that leave squares (partial=True): each is a tour of a board with the left squares as holes.

So pictures, files, checks and statistics support it like any tour. This module creates that board, names the left
squares, and checks the tour again on the original board.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knightstour.core.model.board import Board, are_moves, move_graph, square_count
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour, tour_of


def answer_of(problem: Problem, order: Sequence[int] | np.ndarray) -> Tour:
    """Return the checked tour of these square numbers of a problem's board.

    >>> answer_of(Problem((3, 3), closed=True, partial=True), [0, 5, 6, 1, 8, 3, 2, 7]).board
    Board(3, 3, holes=[(1, 1)])
    """
    board = problem.board
    if not problem.partial or len(order) == square_count(board):
        return tour_of(board, order)
    numbers = np.asarray(order, dtype=np.int64)
    if isinstance(board, GridBoard):
        left = np.setdiff1d(move_graph(board).squares, numbers)
        holes = [*board.holes, *(divmod(int(square), board.cols) for square in left)]
        return tour_of(board.replace(holes=holes), order)
    kept = np.sort(numbers)
    assert isinstance(board, GraphBoard)
    return tour_of(board.part(kept.tolist()), np.searchsorted(kept, numbers))


def _squares(board: Board) -> np.ndarray:
    return move_graph(board).squares if isinstance(board, GridBoard) else np.arange(square_count(board))


def order_on(board: Board, tour: Tour) -> np.ndarray:
    """The squares of a tour as numbers of the board that it leaves squares of."""
    if not isinstance(board, GraphBoard) or not isinstance(tour.board, GraphBoard) or tour.board == board:
        return tour.order
    place = {label: k for k, label in enumerate(board.labels)}
    return np.array([place[tour.board.labels[v]] for v in tour.order.tolist()], dtype=tour.order.dtype)


def unvisited_names(board: Board, tour: Tour | None) -> tuple[str, ...]:
    """The names of the squares of a board that a tour leaves; none without a tour."""
    if tour is None or square_count(tour.board) == square_count(board):
        return ()
    left = np.setdiff1d(_squares(board), order_on(board, tour))
    return tuple(board.square_name(divmod(int(square), board.cols)) for square in left)


def confirm_part(problem: Problem, tour: Tour, whose: str) -> None:
    """Raise WrongAnswer unless a tour visits squares of the question's board, each once, by moves of that board."""
    board, order = problem.board, order_on(problem.board, tour).astype(np.int64)
    is_right = len(order) > 1 and len(set(order.tolist())) == len(order)
    is_right = is_right and bool(np.isin(order, _squares(board)).all())
    is_right = is_right and bool(are_moves(board, order[:-1], order[1:]).all())
    if problem.closed:
        is_right = is_right and len(order) > 2 and bool(are_moves(board, order[-1:], order[:1])[0])
    check_own_answer(is_right, f"{whose} returned a tour that is invalid on the original board")
