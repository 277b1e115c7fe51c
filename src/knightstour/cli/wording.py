"""Questions and counts, as the command line writes them for people and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from knightstour.model.problem import Problem


def kind_of(problem: Problem, *, directed: bool = False, symmetry: str | None = None, classes: bool = False) -> str:
    """What is counted, in words; always with the convention.

    >>> kind_of(Problem.of((6, 6), closed=True))
    'undirected closed tours of the 6x6 board'
    """
    board = problem.board
    if problem.has_given_end:
        ends = f" from {board.name(problem.start)}" if problem.start is not None else ""
        ends += f" to {board.name(problem.end)}" if problem.end is not None else ""
        return f"open tours of the {board}{ends}"
    first = "classes of" if classes else "directed" if directed else "undirected"
    last = "" if symmetry is None else f" with symmetry {symmetry}"
    return f"{first} {'closed' if problem.closed else 'open'} tours of the {board}{last}"


@contextmanager
def any_digits() -> Iterator[None]:
    """Within, Python reads and writes numbers of any length; else only of some thousand digits."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)
