"""Whether tours meet the conditions of a question: plain looks at their squares, apart from all that makes tours."""

from __future__ import annotations

import numpy as np

from knightstour.model.conditions import KINDS, name_of_move, name_of_square
from knightstour.model.problem import Problem
from knightstour.model.symmetry import symmetries


def fault_of(problem: Problem, order: np.ndarray) -> str | None:
    """Which condition a tour does not meet, as a sentence; None for a tour that meets all. The ends are not looked at.

    order: the square numbers of a tour of the board, int (N,).

    >>> problem = Problem.of((3, 4), avoid=["a1-b3"])
    >>> fault_of(problem, np.array([8, 1, 7, 5, 3, 10, 4, 2, 11, 6, 0, 9]))
    'it makes the forbidden move a1-b3'
    """
    order = np.asarray(order, dtype=np.int64)
    step = np.full(problem.board.rows * problem.board.cols, -1, dtype=np.int64)
    step[order] = np.arange(len(order))
    for moves, is_wanted in ((problem.through, True), (problem.avoid, False)):
        if moves:
            pairs = np.array(sorted(moves), dtype=np.int64)
            is_made = _are_made(step, pairs, problem.closed)
            if (is_made != is_wanted).any():
                pair = pairs[int(np.argmax(is_made != is_wanted))].tolist()
                name = name_of_move(problem.board, (pair[0], pair[1]))
                return (
                    f"it does not make the required move {name}" if is_wanted else f"it makes the forbidden move {name}"
                )
    for square, steps in problem.given:
        if int(step[square]) + 1 not in steps:
            return f"{name_of_square(problem.board, square)} has step {step[square] + 1}"
    if problem.symmetry is not None and not _is_laid_on_itself(problem, order, step):
        return f"it has no symmetry {problem.symmetry}"
    return None


def _are_made(step: np.ndarray, pairs: np.ndarray, closed: bool) -> np.ndarray:
    """Whether a tour makes each of these moves: whether the steps of their ends are next to each other."""
    apart = np.abs(step[pairs[:, 0]] - step[pairs[:, 1]])
    count = int((step >= 0).sum())
    return (apart == 1) | (closed & (apart == count - 1))


def _is_laid_on_itself(problem: Problem, order: np.ndarray, step: np.ndarray) -> bool:
    """Whether a symmetry as asked for takes the tour to itself."""
    names, is_positive = KINDS.get(str(problem.symmetry), ((str(problem.symmetry),), None))
    count = len(order)
    for symmetry in symmetries(problem.board):
        if symmetry.name not in names:
            continue
        image = step[symmetry.image[order]]
        gaps = np.diff(np.append(image, image[0]) if problem.closed else image)
        if problem.closed:
            gaps %= count
        for gap, keeps in ((1, True), (count - 1 if problem.closed else -1, False)):
            if (gaps == gap).all() and is_positive in (None, keeps):
                return True
    return False
