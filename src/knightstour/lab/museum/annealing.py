"""Simulated annealing (Kirkpatrick, Gelatt & Vecchi 1983) over covers by paths; the energy is the number of paths.

All squares form one closed line. Two consecutive squares that are not one move apart form a gap. A step removes two
links a-b and p-q and adds a-p and b-q, which reverses a part of the line; a-p is always a move. A step that adds a gap
is accepted with probability exp(-1 / T) at temperature T, any other step always.

Schedule: T falls from `hot` to `cold` in 100 stages by a constant factor, with `turns` proposals per square in total;
then it restarts at `hot`. By default hot is 1 / ln(10 n) for n squares, so that n random proposals add less than one
gap, and cold is half of it. Six of eight proposals start at a gap, where no step can add gaps, the others at any
square. The first line follows Warnsdorff's rule and continues elsewhere at dead ends (`cover="greedy"`), or it is a
random order of the squares (`cover="random"`).

Cost: 3 proposals per square on 8x8 and 50 on 300x300, 0.05 to 0.4 us each. Sources: S. Kirkpatrick, C. D. Gelatt and M.
P. Vecchi, Optimization by simulated annealing, Science 220, 1983; G. A. Croes 1958 (the steps, 2-opt).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.cycle_graph import CycleGraph, cycle_graph, moves_along, order_of, trivial
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, found, undecided
from knightstour.core.model.trace import Trace
from knightstour.lab.museum import options


class State(NamedTuple):
    """Arguments of the kernel. line is a cyclic order of all vertices and place its inverse.

    loose[] contains the vertices next to a gap, and spot[v] is the index of v in it, or -1. Before the line is
    complete, loose[] contains the vertices in random order, and free[v] is the number of neighbours of v that are not
    on the line.

    Arrays of int64. counters: see below. offsets, targets: the moves, as in CycleGraph. chances: for each stage of the
    cooling, the probability, times 2**32, of accepting a step that adds a gap.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    chances: np.ndarray
    line: np.ndarray
    place: np.ndarray
    loose: np.ndarray
    spot: np.ndarray
    free: np.ndarray


# Fields of `counters` that Python uses; the struct Counters defines all. WORSE: accepted steps that added a gap.
RANDOM, PHASE = range(1, 3)
GAPS, LOOSE = range(4, 6)
STAGE_TURNS, IS_GREEDY, TURNS, WORSE, HEATS, LENGTH = range(8, 14)
COUNTERS = 14

SHUFFLE, WALK, COUNT, COOL = range(4)


_STAGES = 100


def annealing(
    problem: Problem,
    budget: Budget,
    seed: int,
    *,
    cover: str = "greedy",
    hot: float | None = None,
    cold: float | None = None,
    turns: int = options.TURNS,
) -> Outcome:
    """Search for a tour by annealing until the budget is spent.

    cover: the first line, see `COVERS`. hot, cold: the first and the last temperature. turns: proposals per square in
    one cooling. Counters of the outcome: turns (accepted), worse (steps that added a gap), heats (number of restarts),
    gaps (at the end).

    >>> outcome = annealing(Problem((8, 8), start="a1", end="h7"), Budget(), seed=1)
    >>> outcome.status, int(outcome.order[0]), int(outcome.order[-1])
    (<Status.FOUND: 'found'>, 56, 15)
    """
    chances = schedule(1 / math.log(10 * max(square_count(problem.board), 2)) if hot is None else hot, cold)
    answer = trivial(problem)
    if answer is not None:
        return answer
    graph = cycle_graph(problem)
    state = start_state(graph, seed, cover, chances, turns)
    observe = None if budget.trace is None else _observer(budget.trace, graph)
    status = slices.drive("annealing_step", state, budget, observe=observe)
    c = state.counters
    counters = {
        "turns": int(c[TURNS]),
        "worse": int(c[WORSE]),
        "heats": int(c[HEATS]),
        "gaps": int(c[GAPS]),
    }
    if status != slices.FOUND:
        return undecided(budget.why_stopped(), **counters)
    return found(order_of(problem, graph, state.line), **counters)


def schedule(hot: float, cold: float | None = None) -> list[int]:
    """Return for each stage of the cooling the probability, times 2**32, of accepting a step that adds a gap.

    >>> [round(chance / 2**32, 4) for chance in schedule(0.5, 0.1)[::33]]
    [0.1353, 0.0327, 0.0029, 0.0]
    """
    cold = hot / 2 if cold is None else cold
    temperatures = [hot * (cold / hot) ** (k / (_STAGES - 1)) for k in range(_STAGES)]
    return [int(math.exp(-1 / t) * 2**32) if t > 0 else 0 for t in temperatures]


def start_state(graph: CycleGraph, seed: int, cover: str, chances: list[int], turns: int) -> State:
    """Return the state before the first step."""
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[RANDOM] = first_random(seed)
    counters[IS_GREEDY] = cover == "greedy"
    counters[STAGE_TURNS] = max(1, turns * graph.size // _STAGES)
    return State(
        counters=counters,
        offsets=graph.offsets,
        targets=graph.targets,
        chances=np.array(chances, dtype=np.int64),
        line=np.zeros(graph.size, dtype=np.int64),
        place=np.full(graph.size, -1, dtype=np.int64),
        loose=np.zeros(graph.size, dtype=np.int64),
        spot=np.full(graph.size, -1, dtype=np.int64),
        free=np.diff(graph.offsets),
    )


def _observer(trace: Trace, graph: CycleGraph) -> slices.Observe:
    """Return an observer of covers, without gaps and virtual squares."""
    squares = graph.squares.tolist()
    shown: set[tuple[int, int]] = set()
    turns = gaps = 0
    is_told = False

    def observe(state: State, status: int) -> None:
        nonlocal shown, turns, gaps, is_told
        c = state.counters
        if c[PHASE] != COOL or (is_told and c[TURNS] == turns):
            return
        moves = {(min(pair), max(pair)) for pair in moves_along(graph, state.line)}
        gone, come = sorted(shown - moves), sorted(moves - shown)
        pairs = [squares[v] for pair in gone + come for v in pair]
        if not is_told:
            trace.add("cover", pairs)
        elif pairs:
            trace.add("join" if c[GAPS] < gaps else "repair", pairs, (len(gone), len(come)))
        shown, turns, gaps, is_told = moves, c[TURNS], c[GAPS], True

    return observe
