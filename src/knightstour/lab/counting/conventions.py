"""The conventions of a count in words, and numbers on the squares of a board."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.core.model.board import Board, Square
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.layers import in_layers, is_compact
from knightstour.core.model.problem import Problem, has_given_end, plural_of


def kind_of(problem: Problem, *, directed: bool = False, classes: bool = False) -> str:
    """Describe the counted tours with their convention.

    >>> kind_of(Problem((6, 6), closed=True))
    'undirected closed tours of the 6x6 board'
    """
    if has_given_end(problem) or problem.given or problem.board.is_directed:
        return plural_of(problem)
    first = "classes of" if classes else "directed" if directed else "undirected"
    return f"{first} {plural_of(problem)}"


def on_squares(board: Board, numbers: Mapping[Square, int]) -> list[str]:
    """Return lines with the numbers on their squares: `.` for holes, layers for cells, a line per node for graphs.

    >>> on_squares(Board(1, 2), {(0, 0): 5, (0, 1): 12})
    [' 5 12']
    """
    if isinstance(board, CellBoard) and is_compact(board):
        return in_layers(board, [str(numbers.get((0, place), ".")) for place in range(board.cols)])
    if isinstance(board, GraphBoard):
        return [f"{board.square_name(square)} {number}" for square, number in numbers.items()]
    width = max(len(str(number)) for number in numbers.values())
    rows = [[str(numbers.get((row, col), ".")) for col in range(board.cols)] for row in range(board.rows)]
    return [" ".join(cell.rjust(width) for cell in row) for row in rows]
