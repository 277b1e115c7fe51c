"""A neural network (Takefuji & Lee 1992): one neuron per move; each square requires two active ones.

Each neuron adds the number of missing moves of its two squares to its potential, and switches on or off when the
potential leaves a band: the hysteresis prevents endless oscillation. The network is at rest when every square has two
moves: a cover of the board by loops. The method `neural` restarts until the cover is a single loop, and reports the
numbers of covers and of single loops. `neural+merge` uses the first cover and joins its loops like the method merge.

The neurons are updated one after the other in random order, or synchronously. They start with random potentials, since
otherwise a synchronous network oscillates.

Cost: about a hundred sweeps on 20x20. One closed cover in 4 is a single loop on 6x6, and one in 100 on 20x20. Sources:
Y. Takefuji and K. C. Lee, Neural network computing for knight's tour problems, Neurocomputing 4, 1992; I. Parberry,
Scalability of a neural network for the knight's tour problem, Neurocomputing 12, 1996.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.cycle_graph import CycleGraph, cycle_graph, order_of, trivial
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, Status, found, undecided
from knightstour.core.model.trace import Trace
from knightstour.core.search.merging import join_cover


class State(NamedTuple):
    """Arguments of the kernel.

    output[m]: whether move m is part of the cover. potential[m] rises by one for each missing move of its two squares
    and falls for each surplus one; the neuron switches on above 3 and off below 0. degree[v] is the number of active
    neurons at v: in the synchronous mode before the sweep, else now. wrong[] contains the vertices whose degree is not
    two, and place[v] is the index of v in it, or -1.

    Arrays of int64, and output of bool. counters: see below. tails, heads: the two ends of each neuron's move. offsets,
    slots: the neurons at each vertex. fresh: degrees after a synchronous sweep. turns: the neurons of this sweep.
    marks: the last sweep that listed a neuron. cycle: the loops of the last cover, with the last vertex v of each as -1
    - v.
    """

    counters: np.ndarray
    tails: np.ndarray
    heads: np.ndarray
    offsets: np.ndarray
    slots: np.ndarray
    output: np.ndarray
    potential: np.ndarray
    degree: np.ndarray
    fresh: np.ndarray
    turns: np.ndarray
    marks: np.ndarray
    wrong: np.ndarray
    place: np.ndarray
    cycle: np.ndarray


# Fields of `counters` that Python uses; the struct Counters defines all. WANTS_COVER: 1 if any cover by loops is a
# solution. WRONG: vertices in `wrong`.
RANDOM, PHASE = range(1, 3)
IS_SYNCHRONOUS, WANTS_COVER = range(4, 6)
MAX_SWEEPS = 7
WRONG = 9
RESTARTS, CONVERGED, SINGLE, SWEEPS = range(11, 15)
COUNTERS = 15

BEGIN, GATHER, SWEEPING, TRACE = range(4)


# Maximum number of sweeps of an attempt. Asynchronous attempts nearly always need fewer; synchronous ones may never
# end.
_SWEEPS, _SWEEPS_PER_VERTEX = 300, 2
# Joining steps before another cover is created: per square, and in addition.
_JOIN_STEPS_PER_SQUARE, _JOIN_STEPS = 200, 2000


def neural(problem: Problem, budget: Budget, seed: int, *, update: str = "asynchronous") -> Outcome:
    """Restart the network until it rests in a single loop, or the budget is spent.

    update: order of the updates, see `UPDATES`. Counters of the outcome: sweeps, restarts, converged (number of
    covers), single (number of single loops).

    >>> outcome = neural(Problem((6, 6), closed=True), Budget(), seed=1)
    >>> outcome.status, outcome.counters["single"]
    (<Status.FOUND: 'found'>, 1)
    """
    answer = trivial(problem)
    if answer is not None:
        return answer
    graph = cycle_graph(problem)
    state = start_state(graph, seed, update, wants_cover=False)
    status = _drive(graph, state, budget)
    if status != slices.FOUND:
        return undecided(budget.why_stopped(), **_counts(state))
    cycle, _ = loops_of(state)
    return found(order_of(problem, graph, cycle), **_counts(state))


def neural_merge(problem: Problem, budget: Budget, seed: int, *, update: str = "asynchronous") -> Outcome:
    """Run the network until it rests in any cover by loops, and join them.

    update: as for `neural`. Additional counters: loops (of the covers), merges and repairs of the joining.

    >>> outcome = neural_merge(Problem((20, 20), start="a1", end="t1"), Budget(), seed=1)
    >>> outcome.status, int(outcome.order[0]), int(outcome.order[-1])
    (<Status.FOUND: 'found'>, 380, 399)
    """
    answer = trivial(problem)
    if answer is not None:
        return answer
    graph = cycle_graph(problem)
    counters: dict[str, int] = {}
    tries = 0
    while True:
        state = start_state(graph, seed + tries, update, wants_cover=True)
        status = _drive(graph, state, budget)
        _add(counters, _counts(state))
        if status != slices.FOUND:
            return undecided(budget.why_stopped(), **counters)
        cycle, is_last = loops_of(state)
        counters["loops"] = counters.get("loops", 0) + int(is_last.sum())
        part = budget.part(nodes=_JOIN_STEPS_PER_SQUARE * square_count(problem.board) + _JOIN_STEPS)
        outcome = join_cover(problem, part, seed + tries, _after(problem, graph, cycle, is_last))
        budget.spend(part.nodes)
        _add(counters, outcome.counters)
        if outcome.status is Status.FOUND:
            assert outcome.order is not None
            return found(outcome.order, **counters)
        if budget.is_spent:
            return undecided(budget.why_stopped(), **counters)
        tries += 1


def start_state(graph: CycleGraph, seed: int, update: str, *, wants_cover: bool) -> State:
    """Return the network before its first step."""
    vertices = np.arange(graph.size, dtype=np.int64)
    tails = repeat(vertices, np.diff(graph.offsets))
    is_first = tails < graph.targets
    # Both directions of a move are one neuron. Number the pairs (lower, higher) in order of their first occurrence.
    pair = np.minimum(tails, graph.targets) * graph.size + np.maximum(tails, graph.targets)
    pairs = pair[is_first]
    by_pair = np.argsort(pairs)
    slots = by_pair[np.searchsorted(pairs, pair, sorter=by_pair)]
    moves = len(pairs)
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[RANDOM] = first_random(seed)
    counters[IS_SYNCHRONOUS] = update == "synchronous"
    counters[WANTS_COVER] = wants_cover
    counters[MAX_SWEEPS] = _SWEEPS + _SWEEPS_PER_VERTEX * graph.size
    return State(
        counters=counters,
        tails=tails[is_first],
        heads=graph.targets[is_first],
        offsets=graph.offsets,
        slots=slots.astype(np.int64),
        output=np.zeros(moves, dtype=np.bool_),
        potential=np.zeros(moves, dtype=np.int64),
        degree=np.zeros(graph.size, dtype=np.int64),
        fresh=np.zeros(graph.size, dtype=np.int64),
        turns=np.zeros(moves, dtype=np.int64),
        marks=np.zeros(moves, dtype=np.int64),
        wrong=np.zeros(graph.size, dtype=np.int64),
        place=np.full(graph.size, -1, dtype=np.int64),
        cycle=np.zeros(graph.size, dtype=np.int64),
    )


def loops_of(state: State) -> tuple[np.ndarray, np.ndarray]:
    """Return the cover of the network at rest: vertices loop by loop, and whether each ends its loop."""
    is_last = state.cycle < 0
    return np.where(is_last, -1 - state.cycle, state.cycle), is_last


def _drive(graph: CycleGraph, state: State, budget: Budget) -> int:
    observe = None if budget.trace is None else _observer(budget.trace, graph)
    return slices.drive("neural_step", state, budget, observe=observe)


def _observer(trace: Trace, graph: CycleGraph) -> slices.Observe:
    """Return an observer of the active moves after each sweep."""
    squares = graph.squares.tolist()
    restarts = converged = 0
    shown: list[bool] = []

    def observe(state: State, status: int) -> None:
        nonlocal restarts, converged, shown
        c = state.counters
        if c[CONVERGED] > converged:
            converged = c[CONVERGED]
            trace.add("count", values=(converged,), name="converged")
        if c[RESTARTS] > restarts:
            restarts, shown = c[RESTARTS], []
            trace.add("restart")
        elif c[PHASE] in (GATHER, TRACE) and state.output.tolist() != shown:
            shown = state.output.tolist()
            on = [m for m, is_on in enumerate(shown) if is_on and state.heads[m] < len(squares)]
            trace.add("cover", (squares[v] for m in on for v in (state.tails[m], state.heads[m])))

    return observe


def _counts(state: State) -> dict[str, int]:
    c = state.counters
    return {
        "sweeps": int(c[SWEEPS]),
        "restarts": int(c[RESTARTS]),
        "converged": int(c[CONVERGED]),
        "single": int(c[SINGLE]),
    }


def _add(counters: dict[str, int], more: dict[str, int]) -> None:
    for name, count in more.items():
        counters[name] = counters.get(name, 0) + count


def _after(problem: Problem, graph: CycleGraph, cycle: np.ndarray, is_last: np.ndarray) -> np.ndarray:
    """Return the next square of each square in a cover; -1 after the end of an open tour."""
    count = len(graph.squares)
    lasts = np.flatnonzero(is_last)
    firsts = np.append(0, lasts[:-1] + 1)
    following = np.roll(cycle, -1)
    following[lasts] = cycle[firsts]
    squares = np.append(graph.squares, np.full(graph.size - count, -1))
    after = np.full(problem.board.rows * problem.board.cols, -1, dtype=np.int64)
    is_square = cycle < count
    after[squares[cycle[is_square]]] = squares[following[is_square]]
    if not problem.closed:
        loop = int(np.searchsorted(lasts, np.argmax(~is_square)))
        path = order_of(problem, graph, cycle[firsts[loop] : lasts[loop] + 1])
        after[path[:-1]] = path[1:]
        after[path[-1]] = -1
    return after
