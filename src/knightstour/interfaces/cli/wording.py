"""Questions and counts, as the command line writes them for people and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knightstour.core.model.problem import Problem


def kind_of(problem: Problem, *, directed: bool = False, classes: bool = False) -> str:
    """What is counted, in words; always with the convention.

    >>> from knightstour.core.model.problem import Problem
    >>> kind_of(Problem.of((6, 6), closed=True))
    'undirected closed tours of the 6x6 board'
    """
    if problem.has_given_end or problem.given:
        return problem.plural
    first = "classes of" if classes else "directed" if directed else "undirected"
    return f"{first} {problem.plural}"


@contextmanager
def any_digits() -> Iterator[None]:
    """Within, Python reads and writes numbers of any length; else only of some thousand digits."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)
