"""Cases of the rotation method."""

from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.search.rotation import LENGTH, State, start_state
from reference import Case, Row


def cases() -> Iterator[Case]:
    """Yield small and large boards of all kinds, with each kind of ends; some have no tour."""
    calls = [(0,), *[(1,)] * 40, (7,), (400,), (300,)]
    for problem in (
        Problem((6, 6)),
        Problem((6, 6), closed=True),
        Problem((5, 5), start="a2"),  # has none
        Problem((5, 6), start="a1", end="b1"),
        Problem((5, 5), end="c3"),
        Problem(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem(Board.from_graph(both_ways([[1], [0]])), closed=True),  # has none
    ):
        for seed in (1, 2):
            yield Case(f"{problem} {seed}", (start_state(problem, seed),), calls)
    # Where the end is led.
    for problem in (Problem(Board(21, 21), start=(0, 1)), Problem(Board(20, 21), closed=True)):
        state = start_state(problem, 1)
        yield Case(str(problem), (state,), [(430,), *[(1,)] * 90, (300,), (300,)])


def seen(state: State, *rest: Any) -> Any:
    """Return the path."""
    return state.counters, state.path[: state.counters[LENGTH]]


ROWS = [Row("rotation_step", None, cases, seen)]
