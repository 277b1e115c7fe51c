"""Cases of the museum: annealing of a closed line, genetic algorithms and the neural network."""

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.lab.museum import annealing, genetic, neural
from knightstour.lab.museum.annealing import schedule
from knightstour.lab.museum.annealing import start_state as annealing_state
from knightstour.lab.museum.genetic import start_state as genetic_state
from knightstour.lab.museum.neural import start_state as neural_state
from knightstour.lab.museum.options import COVERS, UPDATES
from reference import Case, Row

# Boards of all kinds.
PROBLEMS = [
    Problem((5, 5), start="a1"),
    Problem((6, 6), closed=True),
    Problem((4, 4)),  # has none
    Problem((5, 6), start="a1", end="b1"),
    Problem(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
    Problem(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
    Problem(Board.from_graph(both_ways([[1], [], []])), closed=True),  # a node without moves
]
CALLS = [(0,), *[(1,)] * 5, *[(20,)] * 5, (400,)]


def annealed() -> Iterator[Case]:
    """Yield each cover, cold and hot."""
    for problem, cover, hot in itertools.product(PROBLEMS, COVERS, (0.3, 3.0)):
        state = annealing_state(cycle_graph(problem), 3, cover, schedule(hot), 5)
        yield Case(f"{problem} {cover} {hot}", (state,), [*CALLS, (2000,)])
    # So large that turns may be too far; reached at once.
    state = annealing_state(cycle_graph(Problem((60, 60), closed=True)), 3, "greedy", schedule(3.0), 5)
    kernel_function("annealing_step")(state, 3 * 3600)
    yield Case("60x60", (state,), [(1,), (20,), (2000,)])


def seen_annealed(state: annealing.State, *rest: int) -> Any:
    """Return the completed part of the line, and the vertices next to a gap."""
    c = state.counters
    if c[annealing.PHASE] in (annealing.COUNT, annealing.COOL):
        return c, state.line, state.loose[: c[annealing.LOOSE]]
    return c, state.line[: c[annealing.LENGTH]], state.loose


def bred() -> Iterator[Case]:
    """Yield both kinds of genes."""
    options = [("bits", 100, 100), ("bits", 50, 20), ("bits", 0, 500), ("segments", 100, 5), ("segments", 5, 200)]
    for problem, (kind, repair, mutation) in itertools.product(PROBLEMS, options):
        state = genetic_state(problem, cycle_graph(problem), 3, kind, 3)
        c = state.counters
        c[genetic.REPAIR], c[genetic.MUTATION], c[genetic.MAX_BORN] = repair, mutation, 20
        yield Case(f"{problem} {kind} {repair} {mutation}", (state,), [*CALLS, (1000,)])


def seen_bred(state: genetic.State, *rest: int) -> Any:
    """Return the population, and the completed part of the child."""
    length = state.counters[genetic.LENGTH]
    return state.counters, state.genes, state.fitness, state.child, state.line[:length]


def fired() -> Iterator[Case]:
    """Yield both updates."""
    for problem, update, wants_cover in itertools.product(PROBLEMS, UPDATES, (False, True)):
        state = neural_state(cycle_graph(problem), 3, update, wants_cover=wants_cover)
        state.counters[neural.MAX_SWEEPS] = 40
        yield Case(f"{problem} {update} {wants_cover}", (state,), [*CALLS, (1000,), (1000,)])


def seen_fired(state: neural.State, *rest: int) -> Any:
    """Return the network, and its loops."""
    c = state.counters
    return c, state.output, state.potential, state.degree, state.wrong[: c[neural.WRONG]], state.cycle


ROWS = [
    Row("annealing_step", None, annealed, seen_annealed),
    Row("genetic_step", None, bred, seen_bred),
    Row("neural_step", None, fired, seen_fired),
]
