"""Genetic algorithms: a population of half-made tours, whose children inherit from two of them.

Two parents are chosen, each the fitter of two at random. Their child takes the place of the worse of two at random, if
it is no worse itself. After `generations` times as many births as the population has members a new one is founded.

`kind="bits"` is the classic one (Gordon & Slocum 2004): a string of bits, three for each step of the walk on a board of
knight's moves. They name the next move. Where that is not possible repair takes the next possible one and writes it
into the string; without one the walk ends. Fitness is the length of the walk. A child has the bits of one parent before
a random cut and those of the other after it, and some bits flipped.

`kind="segments"` works on whole lines of all squares, in which some neighbours are no move apart: gaps. A child follows
the links of both its parents, else of one (edge recombination, Whitley, Starkweather & Fuquay 1989), else any move,
else it jumps; `mutation` is how often it does not look at its parents. Repair tries turns at gaps, as annealing does.
The founders of a population are not repaired: on most boards the first of them would be a tour, without any child.

`repair` is how much of it is done: the percentage of a walk's impossible moves that are repaired; on a line, the
percentage of four turns a square that are tried. Open tours and given ends become virtual squares (see
cycle_graph.py). Never proves that there is no tour.

Cost: a closed tour of 8x8 takes some ten thousand births of bits; of segments the founders and one child with repair,
or some hundred births without it. Bits end at about 8x8, segments at about 100x100. Sources: V. S. Gordon and T. J.
Slocum, The knight's tour: evolutionary vs. depth-first search, 2004; D. Whitley, T. Starkweather and D. Fuquay,
Scheduling problems and traveling salesmen: the genetic edge recombination operator, 1989.
"""

from __future__ import annotations

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.kernels.search import genetic as kernel
from knightstour.core.machine import slices
from knightstour.core.model.budget import Budget
from knightstour.core.model.cycle_graph import CycleGraph, cycle_graph, moves_along, opening, order_of, trivial
from knightstour.core.model.errors import MethodError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, found, undecided
from knightstour.core.model.trace import Trace
from knightstour.lab.museum.options import GENERATIONS, MUTATION, POPULATION, REPAIR

# Genes of all members together: 1.6 GB.
_MAX_GENES = 200_000_000


def genetic(
    problem: Problem,
    budget: Budget,
    seed: int,
    *,
    kind: str = "segments",
    population: int | None = None,
    generations: int = GENERATIONS,
    repair: int = REPAIR,
    mutation: int | None = None,
) -> Outcome:
    """Breed a tour until the budget is spent.

    kind: "bits" or "segments", as `KINDS` says. population: its members, by default 500 of bits, 20 of segments.
    generations: before a new population is founded. repair: 0 to 100; of segments up to 1000. mutation: thousandths of
    the genes that change by chance, by default 20 of bits, 5 of segments. A MethodError for anything else.
    The counters of the outcome: births, repairs, best (squares of the longest walk, or moves in the best line, virtual
    ones included), restarts (new populations).

    >>> outcome = genetic(Problem.of((8, 8), start="a1", end="h7"), Budget(), seed=1)
    >>> outcome.status, int(outcome.order[0]), int(outcome.order[-1])
    (<Status.FOUND: 'found'>, 56, 15)
    """
    members = POPULATION[kind] if population is None else population
    changes = MUTATION[kind] if mutation is None else mutation
    if kind == "bits" and repair > 100:
        raise MethodError(f"repair is at most 100 of bits, not {repair}", help="give less, or kind='segments'")
    answer = trivial(problem)
    if answer is not None:
        return answer
    graph = cycle_graph(problem)
    if members * graph.size > _MAX_GENES:
        raise MethodError(f"{members:,} members of {graph.size:,} genes are too many", help="a smaller population")
    state = start_state(problem, graph, seed, kind, members)
    c = state.counters
    c[kernel.MAX_BORN] = members * generations
    c[kernel.REPAIR], c[kernel.MUTATION] = repair, changes
    observe = None if budget.trace is None else _observer(budget.trace, graph)
    status = slices.drive("genetic_step", state, budget, observe=observe)
    counters = {
        "births": int(c[kernel.BIRTHS]),
        "repairs": int(c[kernel.REPAIRS]),
        "best": int(c[kernel.BEST]),
        "restarts": int(c[kernel.RESTARTS]),
    }
    if status != slices.FOUND:
        return undecided(budget.why_stopped(), **counters)
    return found(order_of(problem, graph, state.line), **counters)


def start_state(problem: Problem, graph: CycleGraph, seed: int, kind: str, population: int) -> kernel.State:
    """The search before its first step, without generations, repair and mutation."""
    counters = np.zeros(kernel.COUNTERS, dtype=np.int64)
    counters[kernel.RANDOM] = first_random(seed)
    counters[kernel.KIND] = kernel.BITS if kind == "bits" else kernel.SEGMENTS
    counters[kernel.POPULATION] = population
    counters[kernel.MAX_BORN] = population * GENERATIONS
    counters[kernel.REPAIR] = REPAIR
    opened = opening(problem, graph)
    degrees = np.diff(graph.offsets)
    # Virtual squares are only left at the opening, and may have many more moves than others.
    bits = np.full(graph.size, max(1, _bits(degrees[: len(graph.squares)].max())), dtype=np.int64)
    bits[len(opened) - 1] = max(1, _bits(degrees[opened[-1]]))
    is_near = np.zeros(graph.size, dtype=np.bool_)
    is_near[graph.targets[graph.offsets[opened[0]] : graph.offsets[opened[0] + 1]]] = True
    return kernel.State(
        counters=counters,
        offsets=graph.offsets,
        targets=graph.targets,
        opening=np.array(opened, dtype=np.int64),
        bits=bits,
        is_near=is_near,
        genes=np.zeros(population * graph.size, dtype=np.int64),
        fitness=np.zeros(population, dtype=np.int64),
        child=np.zeros(graph.size, dtype=np.int64),
        line=np.zeros(graph.size, dtype=np.int64),
        place=np.zeros(graph.size, dtype=np.int64),
        rest=np.zeros(graph.size, dtype=np.int64),
        spot=np.zeros(graph.size, dtype=np.int64),
        one=np.zeros(graph.size, dtype=np.int64),
        other=np.zeros(graph.size, dtype=np.int64),
    )


def _bits(choices: int) -> int:
    """Bits that name one of this number of moves."""
    return max(0, int(choices) - 1).bit_length()


def _observer(trace: Trace, graph: CycleGraph) -> slices.Observe:
    """Reports to a trace every child that is better than all before it: its walk, or the moves of its line."""
    squares = graph.squares.tolist()
    births = best = 0

    def observe(state: kernel.State, status: int) -> None:
        nonlocal births, best
        c = state.counters
        if c[kernel.BIRTHS] == births:
            return
        births = c[kernel.BIRTHS]
        if c[kernel.BEST] == best:
            return
        best = c[kernel.BEST]
        trace.add("count", values=(births,), name="births")
        line = state.line[: c[kernel.LENGTH]]
        if c[kernel.KIND] == kernel.BITS:
            trace.add("path", (squares[v] for v in line if v < len(squares)))
            return
        shown = moves_along(graph, line)
        trace.add("cover", (squares[v] for pair in shown for v in pair))

    return observe
