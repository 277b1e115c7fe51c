"""How many squares a tour that may leave squares visits at most, by the parts of the board and its colours."""

from __future__ import annotations

from knightstour.core.model.problem import Problem
from knightstour.core.proofs.facts import colour_classes, components


def most_squares(problem: Problem) -> tuple[int, str]:
    """A number of squares that no tour visits more of, and why: by the parts of the board and its colours.

    >>> most_squares(Problem.of((5, 5), closed=True, visits="some"))
    (24, 'colour argument')
    """
    board = problem.board
    part, colours = components(board), colour_classes(board)
    start, end = problem.start_index, problem.end_index
    given = next((square for square in (start, end) if square is not None), None)
    parts = range(int(part.max()) + 1) if given is None else [int(part[given])]
    best = 0
    for number in parts:
        inside = part == number
        if colours is None:
            best = max(best, int(inside.sum()))
            continue
        ones = [int((inside & (colours == colour)).sum()) for colour in (0, 1)]
        less = min(ones)
        if problem.closed:
            most = 2 * less
        elif start is not None and end is not None:
            mine, other = ones[colours[start]], ones[1 - colours[start]]
            most = min(2 * mine - 1, 2 * other + 1) if colours[start] == colours[end] else 2 * less
        elif given is not None:
            mine, other = ones[colours[given]], ones[1 - colours[given]]
            most = min(2 * mine, 2 * other + 1)
        else:
            most = min(2 * less + 1, sum(ones))
        best = max(best, most)
    return (
        best,
        "colour argument" if colours is not None and best < board.square_count else "there are no other squares",
    )
