"""Cases of the neural network."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.search.neural import (
    MAX_SWEEPS,
    WRONG,
    State,
)
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.lab.museum.neural import start_state
from knightstour.lab.museum.options import UPDATES
from reference import Case, Row


def cases() -> Iterator[Case]:
    """Boards of all kinds, by both updates."""
    problems = [
        Problem.of((5, 5), start="a1"),
        Problem.of((6, 6), closed=True),
        Problem.of((4, 4)),  # has none
        Problem.of((5, 6), start="a1", end="b1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem.of(Board.from_graph(both_ways([[1], [], []])), closed=True),  # a node without moves
    ]
    calls = [(0,), *[(1,)] * 5, *[(20,)] * 5, (400,), (1000,), (1000,)]
    for problem, update, wants_cover in itertools.product(problems, UPDATES, (False, True)):
        state = start_state(cycle_graph(problem), 3, update, wants_cover=wants_cover)
        state.counters[MAX_SWEEPS] = 40
        yield Case(f"{problem} {update} {wants_cover}", (state,), calls)


def seen(state: State, *rest: int) -> Any:
    """The network, and the loops that it led to."""
    c = state.counters
    return c, state.output, state.potential, state.degree, state.wrong[: c[WRONG]], state.cycle


ROWS = [Row("neural_step", None, cases, seen)]
