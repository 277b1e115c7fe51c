"""Checks of tours against the conditions of a problem, by their squares alone, independent of all code that creates
tours.

Every returned tour passes `confirm_answer`, or `confirm_orders` of core/checking/rows.py for arrays of many tours.
"""

from __future__ import annotations

import numpy as np

from knightstour.core.model.condition_table import CONDITIONS
from knightstour.core.model.conditions import KINDS, Order, Pairs, Steps, name_of_move, name_of_square, ways_round
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.problem import Problem, condition_names, condition_values, end_index, start_index
from knightstour.core.model.symmetry import symmetries
from knightstour.core.model.tour import Tour
from knightstour.core.model.unvisited import confirm_part, order_on


def fault_of(problem: Problem, order: np.ndarray) -> str | None:
    """Which condition a tour does not meet, as a sentence; None for a tour that meets all. The ends are not looked at.

    Args:
        order: The square numbers of a tour of the board, int (N,).

    >>> problem = Problem((3, 4), forbid=["a1-b3"])
    >>> fault_of(problem, np.array([8, 1, 7, 5, 3, 10, 4, 2, 11, 6, 0, 9]))
    'it makes the forbidden move a1-b3'
    """
    order = np.asarray(order, dtype=np.int64)
    step = np.full(problem.board.rows * problem.board.cols, -1, dtype=np.int64)
    step[order] = np.arange(len(order))
    faults = (CONDITIONS[name].fault(problem, value, order, step) for name, value in condition_values(problem))
    return next((fault for fault in faults if fault is not None), None)


def confirm_answer(problem: Problem, tour: Tour, whose: str) -> None:
    """Raise WrongAnswer unless a tour solves a problem. whose: the origin of the tour, as the beginning of a sentence.

    >>> tour = Tour.from_array([8, 6, 0, 9, 7, 1, 10, 4, 2, 11, 5, 3], Problem((3, 4)).board)
    >>> confirm_answer(Problem((3, 4), start="a1"), tour, "a method")
    """
    check_own_answer(not problem.closed or tour.is_closed, f"{whose} gave an open tour for a closed one")
    order = tour.order
    if problem.partial:
        confirm_part(problem, tour, whose)
        order = order_on(problem.board, tour)
    starts = problem.start is None or int(order[0]) == start_index(problem)
    ends = problem.end is None or int(order[-1]) == end_index(problem)
    check_own_answer(starts, f"{whose} gave another start")
    check_own_answer(ends, f"{whose} gave another end")
    fault = fault_of(problem, order) if condition_names(problem) else None
    check_own_answer(fault is None, f"{whose} gave a wrong tour: {fault}")


# ---------------------------------------------------------------- the rows of condition_table.py


def fault_of_steps(problem: Problem, given: Steps, order: np.ndarray, step: np.ndarray) -> str | None:
    """The first given square that has another step."""
    for square, steps in given:
        if int(step[square]) + 1 not in steps:
            return f"{name_of_square(problem.board, square)} has step {step[square] + 1}"
    return None


def fault_of_required(problem: Problem, moves: Pairs, order: np.ndarray, step: np.ndarray) -> str | None:
    """The first required move that is not made."""
    missing = _first_of(problem, moves, step, is_made=False)
    return missing and f"it does not make the required move {missing}"


def fault_of_forbidden(problem: Problem, moves: Pairs, order: np.ndarray, step: np.ndarray) -> str | None:
    """The first forbidden move that is made."""
    made = _first_of(problem, moves, step, is_made=True)
    return made and f"it makes the forbidden move {made}"


def fault_of_symmetry(problem: Problem, symmetry: str, order: np.ndarray, step: np.ndarray) -> str | None:
    """That it has no such symmetry."""
    return None if _has_symmetry(problem, symmetry, order, step) else f"it has no symmetry {symmetry}"


def fault_of_order(problem: Problem, named: Order, order: np.ndarray, step: np.ndarray) -> str | None:
    """The first named square that comes too early; in a closed tour that no way round has them in order."""
    ways = ways_round(named, problem.closed, problem.board.is_directed)
    if not ways or any((np.diff(step[list(way)]) > 0).all() for way in ways):
        return None
    if problem.closed:
        return "it visits the named squares in another order"
    k = int(np.argmax(np.diff(step[list(named)]) < 0))
    one, other = (name_of_square(problem.board, square) for square in named[k : k + 2])
    return f"it visits {other} before {one}"


def _first_of(problem: Problem, moves: Pairs, step: np.ndarray, *, is_made: bool) -> str | None:
    """Return the name of the first of these moves that is made, or is not."""
    pairs = np.array(sorted(moves), dtype=np.int64)
    found = _are_made(step, pairs, problem.closed, problem.board.is_directed) == is_made
    if not found.any():
        return None
    a, b = pairs[int(np.argmax(found))].tolist()
    return name_of_move(problem.board, (a, b))


def _are_made(step: np.ndarray, pairs: np.ndarray, closed: bool, is_directed: bool) -> np.ndarray:
    """Return for each move whether the tour makes it."""
    at = step[pairs]
    count = int((step >= 0).sum())
    if is_directed:
        onward = at[:, 1] - at[:, 0]
        return (at >= 0).all(axis=1) & ((onward == 1) | (closed & (onward == 1 - count)))
    apart = np.abs(at[:, 0] - at[:, 1])
    # Both are visited: a square that is left, as a hole, has the step -1.
    return (at >= 0).all(axis=1) & ((apart == 1) | (closed & (apart == count - 1)))


def _has_symmetry(problem: Problem, wanted: str, order: np.ndarray, step: np.ndarray) -> bool:
    """Check the symmetry; a tour of a named kind must have no other."""
    if wanted not in KINDS:
        return any(
            _direction_of_image(problem, order, step[found.image[order]]) is not None
            for found in symmetries(problem.board)
            if found.name == wanted
        )
    names, is_positive = KINDS[wanted]
    ways = {
        found.name: _direction_of_image(problem, order, step[found.image[order]]) for found in symmetries(problem.board)
    }
    had = {name for name, way in ways.items() if way is not None and name != "identity"}
    one_of = [{"90", "180", "270"}] if names == ("90",) else [{name} for name in names]
    return had in one_of and all(ways[name] is is_positive for name in had)


def _direction_of_image(problem: Problem, order: np.ndarray, image: np.ndarray) -> bool | None:
    """Return the direction of the image along the tour; None if it is another tour."""
    count = len(order)
    gaps = np.diff(np.append(image, image[0]) if problem.closed else image)
    if problem.closed:
        gaps %= count
    for gap, is_along in ((1, True), (count - 1 if problem.closed else -1, False)):
        if (gaps == gap).all():
            return is_along
    return None
