"""Cases of the genetic method."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.search.genetic import (
    LENGTH,
    MAX_BORN,
    MUTATION,
    REPAIR,
    State,
)
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.lab.museum.genetic import start_state
from reference import Case, Row


def cases() -> Iterator[Case]:
    """Boards of all kinds, by both kinds of genes."""
    problems = [
        Problem.of((5, 5), start="a1"),
        Problem.of((6, 6), closed=True),
        Problem.of((4, 4)),  # has none
        Problem.of((5, 6), start="a1", end="b1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem.of(Board.from_graph(both_ways([[1], [], []])), closed=True),  # a node without moves
    ]
    calls = [(0,), *[(1,)] * 5, *[(20,)] * 5, (400,), (1000,)]
    options = [("bits", 100, 100), ("bits", 50, 20), ("bits", 0, 500), ("segments", 100, 5), ("segments", 5, 200)]
    for problem, (kind, repair, mutation) in itertools.product(problems, options):
        state = start_state(problem, cycle_graph(problem), 3, kind, 3)
        c = state.counters
        c[REPAIR], c[MUTATION], c[MAX_BORN] = repair, mutation, 20
        yield Case(f"{problem} {kind} {repair} {mutation}", (state,), calls)


def seen(state: State, *rest: int) -> Any:
    """The population, and the child as far as it is made."""
    return state.counters, state.genes, state.fitness, state.child, state.line[: state.counters[LENGTH]]


ROWS = [Row("genetic_step", None, cases, seen)]
