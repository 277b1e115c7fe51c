"""Cases of the ant colony."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.search.ants import (
    KEPT,
    LEAST,
    LENGTH,
    MAX_ROUNDS,
    MOST,
    State,
)
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.lab.museum.ants import start_state
from reference import Case, Row


def cases() -> Iterator[Case]:
    """Boards of all kinds, with colonies of all kinds."""
    hub = Board.from_graph(both_ways({0: range(1, 70), **{k: [k + 1] for k in range(1, 69)}, 69: []}))
    problems = [
        Problem.of((5, 5), start="a1"),
        Problem.of((6, 6), closed=True),
        Problem.of((4, 4)),  # has none
        Problem.of((5, 6), start="a1", end="b1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem.of(Board.from_graph(both_ways([[1], [], []])), closed=True),  # a node without moves
        Problem.of(hub),  # so many moves that scent does not count
    ]
    calls = [(0,), *[(1,)] * 5, *[(20,)] * 5, (400,), (2000,)]
    for problem, (ants, fading, sight) in itertools.product(problems, ((4, 100, 0), (1, 1000, 2), (3, 0, 3))):
        state = start_state(problem, cycle_graph(problem), 3, ants, fading, sight)
        state.counters[MAX_ROUNDS] = 5
        yield Case(f"{problem} {ants} {fading} {sight}", (state,), calls)
    # With as much scent on some moves as there may be, and as little on others.
    state = start_state(problems[2], cycle_graph(problems[2]), 3, 5, 100, 0)
    state.scent[::3], state.scent[1::3] = MOST, LEAST
    state.counters[KEPT] = 1000
    yield Case("4x4 with much scent", (state,), [(300,)] * 5)


def seen(state: State, *rest: int) -> Any:
    """The walk at hand, and the scent."""
    length = state.counters[LENGTH]
    return state.counters, state.line[:length], state.taken[:length], state.scent, state.fresh


ROWS = [Row("ants_step", None, cases, seen)]
