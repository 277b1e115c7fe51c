"""An ant colony (Hingston & Kendall 2005): walks that choose their moves by the scent earlier ones have left.

In each round some ants walk over the board until they are stuck. An ant takes a move with a chance in proportion to the
scent on it, in that direction. Where it ends it leaves scent on its moves, the more the longer its walk was, and most
on the first ones; after the round part of all scent fades. So later ants go where walks were long. As Hingston and
Kendall did it, an ant sees nothing but scent: that is `sight=0`. From 1 on ants also prefer squares with few free
neighbours (Warnsdorff's rule), the more the farther they see.

Open tours and given ends become virtual squares (see cycle_graph.py); a walk never takes away its own last way
back. After 1,000 rounds in vain all scent is forgotten. Never proves that there is no tour.

Different seeds give different tours, and one takes about 0.1 ms on 8x8 with sight 2: the colony also makes many
tours, though not with equal chances.

Cost: 4,000 walks for a closed tour of 8x8 with sight 0, 6 with sight 2; on 20x20 some hundred with sight 2. Larger
boards than 30x30 are beyond it. Sources: P. Hingston and G. Kendall, Enumerating knight's tours using an ant colony
algorithm, 2005; M. Dorigo, V. Maniezzo and A. Colorni, Ant System, 1996.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.budget import Budget
from knightstour.core.model.cycle_graph import CycleGraph, cycle_graph, opening, order_of, trivial
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, found, undecided
from knightstour.core.model.trace import Trace
from knightstour.lab.museum import options


class State(NamedTuple):
    """line[0 .. length-1] is the walk of the ant on its way, taken[i] the move (an item of targets) by which it came to
    line[i], -1 in the opening; is_off[v] says whether v was visited and free[v] counts the unvisited neighbours of v.
    The last free neighbour of a walk's first vertex may be entered only as the last vertex of all. scent[k] is what
    lies on move k, in its direction, never below LEAST, so that every move stays possible; fresh[k] what this round's
    ants leave.

    Arrays of int64, and is_off of bool. counters: see below. offsets, targets: the moves, as in CycleGraph. opening:
    the vertices every walk begins with. bonus: what a move's scent is multiplied by, by the number of free neighbours
    of its target.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    opening: np.ndarray
    bonus: np.ndarray
    scent: np.ndarray
    fresh: np.ndarray
    line: np.ndarray
    taken: np.ndarray
    is_off: np.ndarray
    free: np.ndarray


# Items of `counters` that Python asks for; the struct Counters has all. LENGTH: 0: the next ant sets out. KEPT: part
# of a thousand of the scent that is left after a round.
RANDOM, LENGTH = range(1, 3)
ANTS, ROUND, MAX_ROUNDS, KEPT, WALKS, LONGEST, RESTARTS = range(4, 11)
COUNTERS = 11

FIRST, LEAST, MOST = 1 << 10, 1 << 4, 1 << 20
# What a walk of all vertices leaves on its first move.
DROP = 1 << 10


_MAX_ROUNDS = 1000
# A square with this many free neighbours gets no bonus.
_PLENTY = 8


def ants(
    problem: Problem,
    budget: Budget,
    seed: int,
    *,
    ants: int = options.ANTS,
    fading: int = options.FADING,
    sight: int = options.SIGHT,
) -> Outcome:
    """Let ants look for a tour until the budget is spent.

    ants: how many walk in a round. fading: how much of a thousand parts of the scent is gone after it, 0 to 1000.
    sight: 0 to 3, how much a square with one free neighbour less is preferred: 2 ** sight times. A MethodError for
    anything else.
    The counters of the outcome: walks, rounds (since the scent was last forgotten), longest (walk, in squares),
    restarts.

    >>> outcome = ants(Problem.of((8, 8), start="a1", end="h7"), Budget(), seed=1)
    >>> outcome.status, int(outcome.order[0]), int(outcome.order[-1])
    (<Status.FOUND: 'found'>, 56, 15)
    """
    answer = trivial(problem)
    if answer is not None:
        return answer
    graph = cycle_graph(problem)
    state = start_state(problem, graph, seed, ants, fading, sight)
    observe = None if budget.trace is None else _observer(budget.trace, graph)
    status = slices.drive("ants_step", state, budget, observe=observe)
    c = state.counters
    counters = {
        "walks": int(c[WALKS]),
        "rounds": int(c[ROUND]),
        "longest": max(0, int(c[LONGEST]) - graph.size + problem.board.square_count),
        "restarts": int(c[RESTARTS]),
    }
    if status != slices.FOUND:
        return undecided(budget.why_stopped(), **counters)
    return found(order_of(problem, graph, state.line), **counters)


def start_state(problem: Problem, graph: CycleGraph, seed: int, ants: int, fading: int, sight: int) -> State:
    """The colony before its first step."""
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[RANDOM] = first_random(seed)
    counters[ANTS] = ants
    counters[MAX_ROUNDS] = _MAX_ROUNDS
    counters[KEPT] = 1000 - fading
    bonus = [1 << sight * (_PLENTY - free) for free in range(_PLENTY + 1)]
    return State(
        counters=counters,
        offsets=graph.offsets,
        targets=graph.targets,
        opening=np.array(opening(problem, graph), dtype=np.int64),
        bonus=np.array(bonus, dtype=np.int64),
        scent=np.full(len(graph.targets), FIRST, dtype=np.int64),
        fresh=np.zeros(len(graph.targets), dtype=np.int64),
        line=np.zeros(graph.size, dtype=np.int64),
        taken=np.zeros(graph.size, dtype=np.int64),
        is_off=np.zeros(graph.size, dtype=np.bool_),
        free=np.zeros(graph.size, dtype=np.int64),
    )


def _observer(trace: Trace, graph: CycleGraph) -> slices.Observe:
    """Reports to a trace the squares each ant enters, and where the next one sets out."""
    squares = graph.squares.tolist()
    walks = length = 0

    def observe(state: State, status: int) -> None:
        nonlocal walks, length
        c = state.counters
        if c[LENGTH] == 0:
            if c[WALKS] > walks and status != slices.FOUND:
                trace.add("restart")
                trace.add("count", values=(c[WALKS],), name="walks")
            walks, length = c[WALKS], 0
            return
        for v in state.line[length : c[LENGTH]]:
            if v < len(squares):
                trace.add("visit", (squares[v],))
        length = c[LENGTH]

    return observe
