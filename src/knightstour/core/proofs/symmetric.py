"""Possible actions of a symmetry on a tour, and reasons against others.

A symmetry that maps a tour to itself shifts it or mirrors it (docs/proofs.md). A shifted closed tour has no square
fixed by the symmetry, and a symmetry of order k moves each square N/k steps on, or a multiple coprime to k. A mirrored
closed tour crosses the mirror twice, a mirrored open one once: at a fixed square, or in the middle of a move between a
square and its image. In all cases the colours must fit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board, are_moves, move_graph, square_count
from knightstour.core.model.conditions import KINDS, name_of_square
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.symmetry import Symmetry, symmetries
from knightstour.core.proofs.facts import colour_classes

SOURCE = "colours and fixed squares under a symmetry, docs/proofs.md"


class Action(NamedTuple):
    """Possible action of a symmetry on a tour.

    Attributes:
        image: The image of each square number, int64.
        order: Order of the symmetry as a permutation of the squares.
        is_shift: Whether the tour is shifted, or else mirrored.
    """

    symmetry: Symmetry
    image: np.ndarray
    order: int
    is_shift: bool


def actions(problem: Problem) -> tuple[list[Action], str]:
    """Return the possible actions of the required symmetry on a tour, and the reason against the others as a sentence.

    >>> actions(Problem((8, 8), closed=True, symmetry="90"))[1]
    'a quarter turn would lead 16 steps along the tour, to the same colour, but it changes colours'
    >>> [(way.order, way.is_shift) for way in actions(Problem((6, 7), closed=True, symmetry="180"))[0]]
    [(2, True), (2, False)]
    """
    names, is_shift = KINDS.get(str(problem.symmetry), ((str(problem.symmetry),), None))
    found: list[Action] = []
    reasons: dict[str, None] = {}
    for symmetry in symmetries(problem.board):
        if symmetry.name not in names:
            continue
        image = symmetry.image
        order = order_of_image(image)
        for shifts in (True, False):
            if is_shift not in (None, shifts) or (shifts and not problem.closed):
                continue
            if order != 2 and not shifts and problem.closed:
                # Only an involution can mirror a tour.
                continue
            reason = _why_not(problem, symmetry, image, order, shifts)
            if reason is None:
                found.append(Action(symmetry, image, order, shifts))
            else:
                reasons[reason] = None
        if len(found) + len(reasons) >= 2 * len(names):
            break
    return found, "; and ".join(reasons)


def no_action(problem: Problem) -> tuple[str, str] | None:
    """Return the reason why no tour has the required symmetry, with its source, or None."""
    if problem.symmetry is None:
        return None
    found, reason = actions(problem)
    return None if found else (reason, SOURCE)


def order_of_image(image: np.ndarray) -> int:
    order, at, squares = 1, image, np.arange(len(image))
    while not np.array_equal(at, squares):
        at = image[at]
        order += 1
    return order


def _why_not(problem: Problem, symmetry: Symmetry, image: np.ndarray, order: int, is_shift: bool) -> str | None:
    """Return why the symmetry cannot shift, or mirror, a tour, or None."""
    board = problem.board
    count = square_count(board)
    squares = move_graph(board).squares if board.holes else np.arange(len(image))
    kept = int((image[squares] == squares).sum())
    changes = _changes_colours(board, squares, image)
    name = _symmetry_text(symmetry)
    if is_shift:
        return _why_not_shifted(name, count, order, _least_orbit(squares, image, order), changes)
    if order != 2:
        return f"{name} cannot turn a tour round, since done twice it does not bring all squares back"
    crossings = are_moves(board, squares, image[squares]) & (image[squares] != squares)
    reason = _why_not_mirrored(problem, name, kept, bool(crossings.any()), changes)
    return reason or (None if problem.closed else _why_not_ends(problem, name, image))


def _symmetry_text(symmetry: Symmetry) -> str:
    name = symmetry.name
    if name in ("vertical", "horizontal", "diagonal", "antidiagonal"):
        return f"the mirror {name}"
    turn = f"a turn by {name} degrees" if name.isdecimal() else name
    return {"90": "a quarter turn", "180": "a half turn"}.get(name, turn)


def _why_not_ends(problem: Problem, name: str, image: np.ndarray) -> str | None:
    """Return why a symmetry does not exchange the required ends, or None."""
    board, start, end = problem.board, start_index(problem), end_index(problem)
    for s in (start, end):
        if s is not None and image[s] == s and square_count(board) > 1:
            return f"{name} keeps {name_of_square(board, s)}, which is then the middle of the tour and not its end"
    if start is not None and end is not None and image[start] != end:
        there = name_of_square(board, int(image[start]))
        return f"{name} turns the tour round, so from {name_of_square(board, start)} it leads to {there}"
    return None


def _least_orbit(squares: np.ndarray, image: np.ndarray, order: int) -> int:
    at = image[squares]
    for k in range(1, order):
        if (at == squares).any():
            return k
        at = image[at]
    return order


def _why_not_shifted(name: str, count: int, order: int, least: int, changes: bool | None) -> str | None:
    if least < order:
        times = (
            f"{name} keeps a square" if least == 1 else f"{name} brings a square back after {least} times, not {order}"
        )
        return f"{times}, so it cannot move all squares on along a tour"
    steps = count // order
    if order % 2 == 0 and changes is not None and (steps % 2 == 1) != changes:
        there = "the other colour" if steps % 2 else "the same colour"
        does = "changes colours" if changes else "keeps colours"
        return f"{name} would lead {steps} steps along the tour, to {there}, but it {does}"
    return None


def _why_not_mirrored(problem: Problem, name: str, kept: int, can_cross: bool, changes: bool | None) -> str | None:
    ends = 2 if problem.closed else 1
    if kept > ends:
        often = "twice" if problem.closed else "once"
        return f"{name} keeps {kept} squares, but a tour that it turns round passes its mirror only {often}"
    if kept < ends and not can_cross:
        return f"{name} maps no square to one a move away, so a tour that it turns round has no middle"
    if 0 < kept < ends and changes is not None:
        return f"{name} keeps a square and its colour, but maps another a move away, to the other colour"
    if kept == 0 and changes is False:
        return f"{name} would turn round a move, whose ends have different colours, but it keeps colours"
    return None


def _changes_colours(board: Board, squares: np.ndarray, image: np.ndarray) -> bool | None:
    """Whether a symmetry swaps the colours; None if colours give no conclusion."""
    if isinstance(board, GridBoard) and board.wrap is None and board.piece.changes_colour:
        first = int(squares[0])
        return bool((sum(divmod(first, board.cols)) - sum(divmod(int(image[first]), board.cols))) % 2)
    colours = colour_classes(board)
    if colours is None:
        return None
    differs = colours[squares] != colours[image[squares]]
    return bool(differs[0]) if (differs == differs[0]).all() else None
