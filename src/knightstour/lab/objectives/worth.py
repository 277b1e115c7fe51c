"""Values of moves, corners and crossings for a statistic, as tables for lab/objectives/covers.py.

If a statistic is a sum over moves or corners, its own function yields these values. Other statistics are special cases
in the kernel.
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
    """Contributions of the parts of a tour to a statistic.

    kind: algorithm of the kernel. moves: value of a move, by square number and direction. corners: value of a corner,
    by the number of directions times the direction of one move, plus the direction of the other. crossing: value of a
    crossing. divisor: of the sum round a loop. unit: typical change by a step.
    """

    kind: int
    moves: list[list[int]]
    corners: list[int]
    crossing: int = 0
    divisor: int = 1
    unit: int = 1


# Algorithms for the number of a cover: a sum over moves, corners and crossings, updated in each step; or recomputed in
# each step: uncrossed moves, moves of the most frequent slope, sums of signed moves round each loop, the longest line,
# passes over a square.
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
# Change of the area that counts like one turn.
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
    """Return a number for each vector of the board's piece: even ones go down, and opposite ones differ by one."""
    assert isinstance(board, GridBoard)
    return _codes_of(board.piece)


@functools.lru_cache(maxsize=8)
def worth_of(statistic: Statistic, board: Board) -> Worth:
    """Return the tables of a statistic; it must satisfy has_worth."""
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
    """Compute each corner on three squares in the middle of a large board."""
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
    """Fill in values whose sum round a loop is twice its area, or its winding number around the middle of the board.

    The winding number is the number of downward crossings of the ray from the middle to the right, minus the upward
    crossings. A square on that ray counts as below it.
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
