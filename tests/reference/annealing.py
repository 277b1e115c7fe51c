"""Cases of annealing of a closed line through all vertices."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.search.annealing import (
    COOL,
    COUNT,
    LENGTH,
    LOOSE,
    PHASE,
    State,
)
from knightstour.core.machine.native import door
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.lab.museum.annealing import schedule, start_state
from knightstour.lab.museum.options import COVERS
from reference import Case, Row


def cases() -> Iterator[Case]:
    """Boards of all kinds, by each cover, cold and hot."""
    problems = [
        Problem.of((5, 5), start="a1"),
        Problem.of((6, 6), closed=True),
        Problem.of((4, 4)),  # has none
        Problem.of((5, 6), start="a1", end="b1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem.of(Board.from_graph(both_ways([[1], [], []])), closed=True),  # a node without moves
    ]
    calls = [(0,), *[(1,)] * 5, *[(20,)] * 5, (400,), (2000,)]
    for problem, cover, hot in itertools.product(problems, COVERS, (0.3, 3.0)):
        state = start_state(cycle_graph(problem), 3, cover, schedule(hot), 5)
        yield Case(f"{problem} {cover} {hot}", (state,), calls)
    # So large that turns may be too far; reached at once.
    state = start_state(cycle_graph(Problem.of((60, 60), closed=True)), 3, "greedy", schedule(3.0), 5)
    door("annealing_step")(state, 3 * 3600)
    yield Case("60x60", (state,), [(1,), (20,), (2000,)])


def seen(state: State, *rest: int) -> Any:
    """The line as far as it is made, and the vertices beside a gap."""
    c = state.counters
    is_made = c[PHASE] in (COUNT, COOL)
    return c, state.line if is_made else state.line[: c[LENGTH]], state.loose[: c[LOOSE]] if is_made else state.loose


ROWS = [Row("annealing_step", None, cases, seen)]
