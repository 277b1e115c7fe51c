"""Cases of Warnsdorff's rule with critical points."""

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.model.budget import Budget
from knightstour.core.search.options import TIES as NAMES
from knightstour.core.search.warnsdorff import LENGTH, State, start_state
from reference import Case, Row


def cases() -> Iterator[Case]:
    """Yield boards of all kinds, with and without a goal, with each tie-break."""
    boards = [
        (Problem((5, 5), start="a1"), [*NAMES]),
        (Problem((5, 5), start="b1"), [*NAMES]),  # has none
        (Problem((6, 6), closed=True), [*NAMES]),
        (Problem((6, 6), start="a1", end="b1"), [*NAMES]),
        (Problem((4, 5)), ["roth", "pohl", "first", "random"]),
        (Problem(Board(4, 5, wrap="torus", holes=["b2"]), closed=True), ["roth", "pohl"]),
        (Problem(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))), ["roth", "random"]),
        (Problem((1, 1)), ["first"]),
    ]
    calls = [(0,), *[(1,)] * 5, *[(20,)] * 5, (400,)]
    for (problem, names), patience in itertools.product(boards, (0, 3)):
        for name in names:
            yield Case(f"{problem} {name} {patience}", (start_state(problem, Budget(), 3, name, patience),), calls)


def seen(state: State, *rest: Any) -> Any:
    """Return the path, and the number of waiting moves at its squares."""
    path = state.path[: state.counters[LENGTH]]
    return state.counters, path, [state.waiting[x] for x in path]


ROWS = [Row("warnsdorff_step", None, cases, seen)]
