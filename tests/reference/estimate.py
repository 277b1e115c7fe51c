"""Cases of one step of random walks."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Board, Problem
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import move_graph
from knightstour.lab.counting.estimate import Choices, Field, Walks, first_walks
from reference import Case, Row


def seen(field: Field, walks: Walks, *rest: Any) -> Any:
    """Omit the degrees of visited squares, which are undefined."""
    for free, degree in zip(walks.free, walks.degree, strict=True):
        degree[:] = [d if is_free else 0 for d, is_free in zip(degree, free, strict=True)]
    return field, walks, rest


def cases() -> Iterator[Case]:
    problems = [
        Problem((5, 5)),
        Problem((5, 6), closed=True),
        Problem((5, 5), start="a1", end="e5"),
        Problem((3, 7), end="a1"),
        Problem(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem((1, 2)),
    ]
    for problem in problems:
        field, walks = first_walks(problem, move_graph(problem.board), 20, np.random.default_rng(4))
        choices = Choices(np.ones(20), np.zeros(20, dtype=np.int64))
        for left in range(len(problem.board) - 1, 0, -1):
            copies = (type(each)(*(field.copy() for field in each)) for each in (field, walks, choices))
            yield Case(f"{problem}, {left} left", (*copies, int(problem.closed)), [(left, 0, 3), (left, 3, 20)])
            made = Choices(*(each.copy() for each in choices))
            kernel_function("estimate_advance")(field, walks, made, int(problem.closed), left, 0, len(walks.head))


ROWS = [Row("estimate_advance", None, cases, seen)]
