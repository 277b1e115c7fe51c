"""Zips: puzzles with squares in order and walls between squares.

Some squares of a random tour become waypoints. Walls exclude the other solutions that the complete search finds: each
wall blocks a move of most of them, but no move of the tour. At the end, unnecessary walls are removed. On 8x8 the
search needs milliseconds (core/search/clues.py).
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice, pairwise
from typing import Final, NamedTuple

from knightstour.core.model.board import Board, square_at, title_of
from knightstour.core.model.budget import Budget
from knightstour.core.model.conditions import Pairs
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem, replace_conditions
from knightstour.core.model.tour import Tour
from knightstour.core.search.clues import numberings

# The number of other solutions to examine for the next wall.
_OTHERS = 24
# Node limit for the proof that a wall is unnecessary; a wall without a proof stays.
_NODES_PER_WALL = 2_000
# Vectors to cells that touch, by lattice.
_TOUCHING: Final = {
    "box": {(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1) if row or col},
    "hexagon": {(0, 1), (1, 0), (-1, 1), (0, -1), (-1, 0), (1, -1)},
}


class ZipParts(NamedTuple):
    """Parts of a Zip, as square numbers, and whether it is proved that every wall is necessary."""

    named: tuple[int, ...]
    walls: Pairs
    is_minimal: bool


def check_zip(board: Board) -> None:
    """Raise ProblemError unless all moves lead to squares that touch, since a wall cannot cross longer moves.

    >>> check_zip(Board(7, 7, moves="wazir")), check_zip(Board(6, 6, moves="king"))
    (None, None)
    """
    if isinstance(board, CellBoard) and not is_flat(board):
        raise ProblemError(
            f"a Zip has walls, which are not drawn between the layers of the {title_of(board)}",
            help="use 7x7:wazir, 6x6:king or hex:4:wazir",
        )
    if not _touch(board):
        raise ProblemError(
            f"a Zip has walls between squares that touch, and the {title_of(board)} has longer moves",
            help="use 7x7:wazir, 6x6:king or hex:4:wazir",
        )


def _touch(board: Board) -> bool:
    """Whether all moves lead to touching squares inside the board."""
    if isinstance(board, CellBoard):
        return is_flat(board) and set(board.vectors) <= _TOUCHING[board.lattice]
    return isinstance(board, GridBoard) and board.wrap is None and all(max(leap) == 1 for leap in board.piece.leaps)


def add_walls(tour: Tour, count: int, chance: random.Random, budget: Budget) -> ZipParts:
    """Return squares of a tour and walls such that no other tour visits these squares in order.

    count: the number of waypoints, including both ends. If the budget ends, walls may be missing; see
    `budget.is_spent`.
    """
    order = tour.order.tolist()
    named = tuple(order[step] for step in _waypoint_steps(len(order), count, chance))
    made = {_pair(a, b) for a, b in pairwise(order)}
    walls: set[tuple[int, int]] = set()
    while not budget.is_spent:
        others = _other_solutions(tour, named, walls, budget, chance, _OTHERS)
        if not others:
            break
        foreign = Counter(pair for other in others for pair in sorted({_pair(a, b) for a, b in pairwise(other)} - made))
        most = max(foreign.values())
        walls.add(chance.choice([pair for pair, times in foreign.items() if times == most]))
    is_minimal = True
    for wall in chance.sample(sorted(walls), len(walls)):
        if budget.is_spent:
            break
        share = budget.part(nodes=_NODES_PER_WALL)
        others = _other_solutions(tour, named, walls - {wall}, share, chance, 1)
        budget.spend(share.nodes)
        if not others and not share.is_spent:
            walls.remove(wall)
        is_minimal = is_minimal and (bool(others) or not share.is_spent)
    return ZipParts(named, frozenset(walls), is_minimal and not budget.is_spent)


def _waypoint_steps(size: int, count: int, chance: random.Random) -> list[int]:
    """Return both ends, and a random step of each of `count - 2` equal stretches."""
    inner = count - 2
    bounds = [1 + k * (size - 2) // inner for k in range(inner + 1)] if inner else []
    return [0, *(chance.randrange(low, high) for low, high in pairwise(bounds)), size - 1]


def _other_solutions(
    tour: Tour,
    visit_order: tuple[int, ...],
    walls: set[tuple[int, int]],
    budget: Budget,
    chance: random.Random,
    most: int,
) -> list[list[int]]:
    search = numberings(zip_problem(tour.board, visit_order, frozenset(walls)), budget, chance.getrandbits(32))
    order = tour.order.tolist()
    return list(islice((other for other in search if other != order), most))


def zip_problem(board: Board, visit_order: tuple[int, ...], walls: Pairs) -> Problem:
    """Return a Zip as a problem.

    >>> print(zip_problem(Board(4, 4, moves="wazir"), (12, 0), frozenset({(13, 12)})))
    an open tour of the 4x4 board for the wazir from a1 to a4 without a1-b1 with a1, a4 in this order
    """
    start, end = (square_at(board, square) for square in (visit_order[0], visit_order[-1]))
    return replace_conditions(Problem(board, closed=False, start=start, end=end), forbid=walls, visit_order=visit_order)


def _pair(a: int, b: int) -> tuple[int, int]:
    return min(a, b), max(a, b)
