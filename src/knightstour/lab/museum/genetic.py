"""Genetic algorithms: a population of partial tours, whose children inherit from two of them.

Two parents are selected, each the fitter of two random members. Their child replaces the worse of two random members,
unless it is worse than both. After `generations` times as many births as the population has members, a new population
is founded.

`kind="bits"` is the classic algorithm (Gordon & Slocum 2004): a string of bits, three for each step of a knight's walk,
which encode the next move. If that move is impossible, repair uses the next possible one and writes it into the string;
if all are impossible, the walk ends. Fitness is the length of the walk. A child has the bits of one parent before a
random cut, the bits of the other after it, and some mutated bits.

`kind="segments"` uses lines of all squares, in which some neighbours are not one move apart: gaps. A child follows the
links of both its parents, else of one (edge recombination, Whitley, Starkweather & Fuquay 1989), else any move, else it
jumps; `mutation` is the frequency of steps that ignore the parents. Repair tries steps at gaps, as in annealing, but
not for the founders of a population.

`repair` is the percentage of a walk's impossible moves that are repaired; on a line, the percentage of four steps per
square that are tried. The method never proves impossibility.

Cost: a closed tour of 8x8 needs about ten thousand births of bits, or a hundred of segments without repair. Bits
support boards up to about 8x8, segments up to about 100x100. Sources: V. S. Gordon and T. J. Slocum, The knight's tour:
evolutionary vs. depth-first search, 2004; D. Whitley, T. Starkweather and D. Fuquay, Scheduling problems and traveling
salesmen: the genetic edge recombination operator, 1989.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.budget import Budget
from knightstour.core.model.cycle_graph import CycleGraph, cycle_graph, moves_along, opening, order_of, trivial
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, found, undecided
from knightstour.core.model.trace import Trace
from knightstour.lab.museum import options


class State(NamedTuple):
    """Arguments of the kernel. Individual p consists of the vertices genes[p * V .. p * V + V - 1].

    For bits, gene i encodes the move from the i-th vertex; the last free neighbour of a walk's first vertex may be
    entered only as the last vertex. For segments, the genes are a closed line through all vertices. Repair removes a
    gap u-p and a link v-q, on the same side of u and v, and adds a move u-v and p-q, which adds no gaps. Fitness: the
    number of links that are moves.

    line is the child's walk or line, place its inverse, -1 for vertices that are not on it, and open_first the number
    of free neighbours of the first vertex. rest contains the vertices not yet on the line, later those next to a gap;
    spot[v] is the index of v in it.

    Arrays of int64, and is_near of bool. counters: see below. offsets, targets: the moves, as in CycleGraph. opening:
    the common first vertices of walks of bits. bits: width of each gene. is_near: whether each vertex is a neighbour of
    the first of such walks. child: the genes of the child. one, other: index of each vertex in the lines of the
    parents.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    opening: np.ndarray
    bits: np.ndarray
    is_near: np.ndarray
    genes: np.ndarray
    fitness: np.ndarray
    child: np.ndarray
    line: np.ndarray
    place: np.ndarray
    rest: np.ndarray
    spot: np.ndarray
    one: np.ndarray
    other: np.ndarray


# Fields of `counters` that Python uses; the struct Counters defines all. REPAIR: a percentage. MUTATION: thousandths.
RANDOM, PHASE, KIND, POPULATION = range(1, 5)
MAX_BORN, REPAIR, MUTATION, LENGTH = range(6, 10)
BIRTHS, REPAIRS, BEST, RESTARTS, LOOSE = range(14, 19)
COUNTERS = 19

BITS, SEGMENTS = range(2)
MAKE, GROW, TURN, JUDGE = range(4)


# Maximum number of genes of all members together: 1.6 GB.
_MAX_GENES = 200_000_000


def genetic(
    problem: Problem,
    budget: Budget,
    seed: int,
    *,
    kind: str = "segments",
    population: int | None = None,
    generations: int = options.GENERATIONS,
    repair: int = options.REPAIR,
    mutation: int | None = None,
) -> Outcome:
    """Breed a tour until the budget is spent.

    kind: "bits" or "segments", see `KINDS`. population: number of members. generations: until a new population is
    founded. repair: 0 to 100, for segments up to 1000. mutation: thousandths of the genes that change randomly.
    Counters of the outcome: births, repairs, best (squares of the longest walk, or moves in the best line, including
    virtual ones), restarts (new populations).

    >>> outcome = genetic(Problem((8, 8), start="a1", end="h7"), Budget(), seed=1)
    >>> outcome.status, int(outcome.order[0]), int(outcome.order[-1])
    (<Status.FOUND: 'found'>, 56, 15)
    """
    members = options.POPULATION[kind] if population is None else population
    changes = options.MUTATION[kind] if mutation is None else mutation
    if kind == "bits" and repair > 100:
        raise ProblemError(f"repair must be at most 100 for bits, not {repair}", help="use less, or kind='segments'")
    answer = trivial(problem)
    if answer is not None:
        return answer
    graph = cycle_graph(problem)
    if members * graph.size > _MAX_GENES:
        raise ProblemError(f"{members:,} members of {graph.size:,} genes are too many", help="use a smaller population")
    state = start_state(problem, graph, seed, kind, members)
    c = state.counters
    c[MAX_BORN] = members * generations
    c[REPAIR], c[MUTATION] = repair, changes
    observe = None if budget.trace is None else _observer(budget.trace, graph)
    status = slices.drive("genetic_step", state, budget, observe=observe)
    counters = {
        "births": int(c[BIRTHS]),
        "repairs": int(c[REPAIRS]),
        "best": int(c[BEST]),
        "restarts": int(c[RESTARTS]),
    }
    if status != slices.FOUND:
        return undecided(budget.why_stopped(), **counters)
    return found(order_of(problem, graph, state.line), **counters)


def start_state(problem: Problem, graph: CycleGraph, seed: int, kind: str, population: int) -> State:
    """Return the state before the first step, without generations, repair and mutation."""
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[RANDOM] = first_random(seed)
    counters[KIND] = BITS if kind == "bits" else SEGMENTS
    counters[POPULATION] = population
    counters[MAX_BORN] = population * options.GENERATIONS
    counters[REPAIR] = options.REPAIR
    opened = opening(problem, graph)
    degrees = np.diff(graph.offsets)
    # Virtual squares are left only at the opening, and may have many more moves than others.
    bits = np.full(graph.size, max(1, _bits(degrees[: len(graph.squares)].max())), dtype=np.int64)
    bits[len(opened) - 1] = max(1, _bits(degrees[opened[-1]]))
    is_near = np.zeros(graph.size, dtype=np.bool_)
    is_near[graph.targets[graph.offsets[opened[0]] : graph.offsets[opened[0] + 1]]] = True
    return State(
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
    return max(0, int(choices) - 1).bit_length()


def _observer(trace: Trace, graph: CycleGraph) -> slices.Observe:
    """Return an observer of every best child so far."""
    squares = graph.squares.tolist()
    births = best = 0

    def observe(state: State, status: int) -> None:
        nonlocal births, best
        c = state.counters
        if c[BIRTHS] == births:
            return
        births = c[BIRTHS]
        if c[BEST] == best:
            return
        best = c[BEST]
        trace.add("count", values=(births,), name="births")
        line = state.line[: c[LENGTH]]
        if c[KIND] == BITS:
            trace.add("path", (squares[v] for v in line if v < len(squares)))
            return
        shown = moves_along(graph, line)
        trace.add("cover", (squares[v] for pair in shown for v in pair))

    return observe
