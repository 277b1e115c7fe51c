"""Tours that leave squares (visits="some"): each is a tour of the board whose holes are the squares that it leaves.

So pictures, files, checks and statistics take it as they take any tour. What is here makes that board, names the
squares that were left, and checks the tour once more against the board that was asked about.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knightstour.core.model.board import Board, are_moves, board_of_cells, board_of_neighbours, move_graph
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour, tour_of


def answer_of(problem: Problem, order: Sequence[int] | np.ndarray) -> Tour:
    """The tour of these square numbers of the board that a question asks about, checked.

    >>> answer_of(Problem.of((3, 3), closed=True, visits="some"), [0, 5, 6, 1, 8, 3, 2, 7]).board
    Board(3, 3, holes=[(1, 1)])
    """
    board = problem.board
    if not problem.leaves_squares or len(order) == board.square_count:
        return tour_of(board, order)
    numbers = np.asarray(order, dtype=np.int64)
    if board.graph is None:
        left = np.setdiff1d(move_graph(board).squares, numbers)
        holes = [*board.holes, *(divmod(int(square), board.cols) for square in left)]
        return tour_of(board.changed(holes=holes), order)
    kept = np.sort(numbers)
    return tour_of(_part(board, kept.tolist()), np.searchsorted(kept, numbers))


def _part(board: Board, kept: list[int]) -> Board:
    """The board of these nodes of a graph, or of these cells."""
    assert board.graph is not None and board.labels is not None
    place = {node: k for k, node in enumerate(kept)}
    near = tuple(tuple(place[u] for u in board.graph[v] if u in place) for v in kept)
    if board.cells is not None:
        return board_of_cells(board.cells.part(kept), near)
    return board_of_neighbours([board.labels[v] for v in kept], near, arcs=board.is_directed)


def _squares(board: Board) -> np.ndarray:
    """The numbers of the squares, or of the nodes of a graph."""
    return move_graph(board).squares if board.graph is None else np.arange(board.square_count)


def order_on(board: Board, tour: Tour) -> np.ndarray:
    """The squares of a tour as numbers of the board that it leaves squares of."""
    if board.labels is None or tour.board.labels is None or tour.board == board:
        return tour.order
    place = {label: k for k, label in enumerate(board.labels)}
    return np.array([place[tour.board.labels[v]] for v in tour.order.tolist()], dtype=tour.order.dtype)


def unvisited(board: Board, tour: Tour | None) -> tuple[str, ...]:
    """The names of the squares of a board that a tour leaves; none without a tour."""
    if tour is None or tour.board.square_count == board.square_count:
        return ()
    left = np.setdiff1d(_squares(board), order_on(board, tour))
    return tuple(board.name(divmod(int(square), board.cols)) for square in left)


def confirm_part(problem: Problem, tour: Tour, whose: str) -> None:
    """Raise WrongAnswer unless a tour visits squares of the question's board, each once, by moves of that board."""
    board, order = problem.board, order_on(problem.board, tour).astype(np.int64)
    is_right = len(order) > 1 and len(set(order.tolist())) == len(order)
    is_right = is_right and bool(np.isin(order, _squares(board)).all())
    is_right = is_right and bool(are_moves(board, order[:-1], order[1:]).all())
    if problem.closed:
        is_right = is_right and len(order) > 2 and bool(are_moves(board, order[-1:], order[:1])[0])
    check_own_answer(is_right, f"{whose} gave no tour of the board that was asked about")
