"""What moves, corners and crossings add to a statistic, in the tables of lab/objectives/covers.py.

Where a statistic adds up over moves or corners, its own function says what one of them adds. The others each have a
kind of their own in the kernel.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.geometry import downward_moves
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.pieces import Piece
from knightstour.core.statistics.statistic import Statistic
from knightstour.core.statistics.strokes import Strokes


class Worth(NamedTuple):
    """What the parts of a tour add to a number.

    kind: how the number comes about, a constant of the kernel. moves: for each square number what a move adds, by its
    direction. corners: what a square adds, by the number of directions times the direction of one move that leaves it,
    and that of the other. crossing: what a crossing adds. divisor: of the sum round a loop. unit: by how much a step
    may well change it.
    """

    kind: int
    moves: list[list[int]]
    corners: list[int]
    crossing: int = 0
    divisor: int = 1
    unit: int = 1


# How the number of a cover comes about: as a sum over moves, corners and crossings, whose change is that near the step;
# or counted again in each step: moves that nothing crosses, moves of the commonest slope, sums of signed moves round
# each loop, the longest line, passes over a square.
ADDED, UNCROSSED, COMMONEST, ROUND, LONGEST, MAX_PASSED, NEVER_PASSED = range(7)
_KINDS: Final = {
    "crossings": ADDED,
    "uncrossed": UNCROSSED,
    "of-one-slope": COMMONEST,
    "area": ROUND,
    "winding": ROUND,
    "in-one-line": LONGEST,
    "over-one-square": MAX_PASSED,
    "never-passed": NEVER_PASSED,
}
# Squares of area that are as good as one turn.
_UNIT_OF_AREA = 8


def has_worth(statistic: Statistic) -> bool:
    """Whether tours can be improved in this statistic."""
    return bool(statistic.adds_up_over) or statistic.name in _KINDS


@functools.cache
def _codes_of(piece: Piece) -> dict[tuple[int, int], int]:
    codes = {}
    for k, (dr, dc) in enumerate(downward_moves(piece.vectors)):
        codes[dr, dc], codes[-dr, -dc] = 2 * k, 2 * k + 1
    return codes


def direction_codes(board: Board) -> dict[tuple[int, int], int]:
    """A number for each move (rows, cols) of the board's piece: even ones go down, and opposites differ by one."""
    assert isinstance(board, GridBoard)
    return _codes_of(board.piece)


@functools.lru_cache(maxsize=8)
def worth_of(statistic: Statistic, board: Board) -> Worth:
    """The tables of a statistic that has them, see has_worth."""
    directions = len(direction_codes(board))
    moves = [[0] * directions for _ in range(board.rows * board.cols)]
    corners = [0] * directions**2
    if statistic.adds_up_over == "corners":
        _fill_corners(corners, statistic, board)
    elif statistic.adds_up_over == "moves":
        graph, codes = move_graph(board), direction_codes(board)
        added = statistic.of(Strokes.of_moves(board))
        for a, b, value in zip(graph.tails.tolist(), graph.targets.tolist(), added.tolist(), strict=True):
            moves[a][codes[b // board.cols - a // board.cols, b % board.cols - a % board.cols]] = value
    kind = _KINDS.get(statistic.name, ADDED)
    if kind == ROUND:
        _fill_round(moves, board, is_area=statistic.name == "area")
    if statistic.name == "area":
        return Worth(kind, moves, corners, divisor=2, unit=_UNIT_OF_AREA)
    return Worth(kind, moves, corners, crossing=int(statistic.name == "crossings"))


def _fill_corners(corners: list[int], statistic: Statistic, board: Board) -> None:
    """What each corner adds: that of a walk of three squares about the middle of a large board."""
    assert isinstance(board, GridBoard)
    codes, reach = direction_codes(board), board.piece.reach
    side = 2 * reach + 1
    large, middle = Board(side, side, moves=board.piece), reach * side + reach
    for one, a in codes.items():
        for other, b in codes.items():
            if a != b:
                walk = [middle + one[0] * side + one[1], middle, middle + other[0] * side + other[1]]
                corners[len(codes) * a + b] = int(statistic.of(Strokes(large, np.array([walk]), closed=False))[0])


def _fill_round(moves: list[list[int]], board: Board, *, is_area: bool) -> None:
    """Numbers whose sum round a loop is twice its area, or how often it goes round the middle of the board.

    It goes round the middle as often as it crosses the line from there to the right on the way down, less the times on
    the way up. A square on that line counts as one below it.
    """
    middle_row, middle_col = Fraction(board.rows - 1, 2), Fraction(board.cols - 1, 2)
    for square, values in enumerate(moves):
        row, col = divmod(square, board.cols)
        for (down, across), code in direction_codes(board).items():
            if is_area:
                values[code] = row * (col + across) - (row + down) * col
            elif (row < middle_row) != (row + down < middle_row):
                is_right = col + across * (middle_row - row) / down > middle_col
                values[code] = (1 if down > 0 else -1) * is_right
