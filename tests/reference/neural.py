"""The neural network, from its definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search.neural import (
    BEGIN,
    CONVERGED,
    CURSOR,
    GATHER,
    IS_SYNCHRONOUS,
    LOOPS,
    MOST_SWEEPS,
    NODES,
    PHASE,
    RANDOM,
    RESTARTS,
    SINGLE,
    SWEEP,
    SWEEPING,
    SWEEPS,
    TRACE,
    TURNS,
    WANTS_COVER,
    WRONG,
    State,
)
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.core.search.options import UPDATES
from knightstour.lab.museum.neural import start_state
from reference import Case, Row

RUNNING, FOUND = 0, 1


def step(s: State, nodes: int) -> int:
    """Update about so many neurons."""
    c = s.counters
    limit = c[NODES] + nodes
    while c[NODES] < limit:
        if c[PHASE] == TRACE:
            if _ends(s):
                return FOUND
        else:
            {BEGIN: _begin, GATHER: _gather, SWEEPING: _update}[c[PHASE]](s)
        # A sweep is over with its last neuron, even of a call.
        if c[PHASE] == SWEEPING and c[CURSOR] == c[TURNS]:
            _end_sweep(s)
    return RUNNING


def _draw(s: State) -> int:
    s.counters[RANDOM] = next_random(s.counters[RANDOM])
    return s.counters[RANDOM]


def _neurons(s: State, v: int) -> list[int]:
    return s.slots[s.offsets[v] : s.offsets[v + 1]]


def _degree(s: State, v: int) -> int:
    return sum(s.output[m] for m in _neurons(s, v))


def _note_wrong(s: State, v: int) -> None:
    """Keep the list of the vertices that have not what they want: the last takes the place of one that goes."""
    listed = s.wrong[: s.counters[WRONG]]
    if s.degree[v] != 2 and v not in listed:
        listed.append(v)
    elif s.degree[v] == 2 and v in listed:
        listed[listed.index(v)] = listed[-1]
        listed.pop()
    s.counters[WRONG] = len(listed)
    s.wrong[: len(listed)] = listed
    s.place[:] = [listed.index(u) if u in listed else -1 for u in range(len(s.place))]


def _begin(s: State) -> None:
    """Let the next neuron begin; after the last one the network is ready."""
    c = s.counters
    c[NODES] += 1
    m = c[CURSOR]
    if m == len(s.output):
        for v in range(len(s.degree)):
            _note_wrong(s, v)
        s.fresh[:] = s.degree
        c[SWEEP], c[PHASE] = 0, GATHER
        return
    ends = s.tails[m], s.heads[m]
    most = max(len(_neurons(s, v)) for v in ends)
    s.output[m] = (_draw(s) >> 4) % most < 2
    sleep = (_draw(s) >> 4) % (2 * most)
    s.potential[m] = 0 if s.output[m] else -sleep
    for v in ends:
        s.degree[v] = _degree(s, v)
    for v in ends:
        _note_wrong(s, v)
    c[CURSOR] += 1


def _gather(s: State) -> None:
    c = s.counters
    c[CURSOR] = 0
    if c[WRONG] == 0:
        c[PHASE] = TRACE
        return
    if c[SWEEP] == c[MOST_SWEEPS]:
        c[RESTARTS] += 1
        c[PHASE] = BEGIN
        return
    c[NODES] += 1
    c[SWEEP] += 1
    c[SWEEPS] += 1
    turns = list(dict.fromkeys(m for v in s.wrong[: c[WRONG]] for m in _neurons(s, v)))
    for m in turns:
        s.marks[m] = c[SWEEPS]
    if not c[IS_SYNCHRONOUS]:
        for i in reversed(range(1, len(turns))):
            j = _draw(s) % (i + 1)
            turns[i], turns[j] = turns[j], turns[i]
    s.turns[: len(turns)] = turns
    c[TURNS], c[PHASE] = len(turns), SWEEPING


def _update(s: State) -> None:
    """One step of the next neuron."""
    c = s.counters
    c[NODES] += 1
    m = s.turns[c[CURSOR]]
    c[CURSOR] += 1
    ends = s.tails[m], s.heads[m]
    s.potential[m] += sum(2 - s.degree[v] for v in ends)
    if s.potential[m] > 3:
        s.output[m] = True
    elif s.potential[m] < 0:
        s.output[m] = False
    if c[IS_SYNCHRONOUS]:
        for v in ends:
            s.fresh[v] = _degree(s, v)
        return
    before = [s.degree[v] for v in ends]
    for v in ends:
        s.degree[v] = _degree(s, v)
    for v, degree in zip(ends, before, strict=True):
        if s.degree[v] != degree:
            _note_wrong(s, v)


def _end_sweep(s: State) -> None:
    c = s.counters
    if c[IS_SYNCHRONOUS]:
        for m in s.turns[: c[TURNS]]:
            for v in (s.tails[m], s.heads[m]):
                s.degree[v] = _degree(s, v)
                _note_wrong(s, v)
    c[PHASE] = GATHER


def _ends(s: State) -> bool:
    """Write the loops of the cover down. Returns whether they are what is wanted."""
    c = s.counters
    c[NODES] += len(s.degree)
    c[CONVERGED] += 1
    loops: list[list[int]] = []
    for first in range(len(s.degree)):
        if any(first in loop for loop in loops):
            continue
        loop = [first]
        while True:
            ends = [s.tails[m] + s.heads[m] - loop[-1] for m in _neurons(s, loop[-1]) if s.output[m]]
            ways = [v for v in ends if v not in loop]
            if not ways:
                break
            loop.append(ways[-1])
        loops.append(loop)
    s.cycle[:] = [v if v != loop[-1] else -1 - v for loop in loops for v in loop]
    s.fresh[:] = [1] * len(s.fresh)
    c[LOOPS], c[PHASE] = len(loops), BEGIN
    c[SINGLE] += len(loops) == 1
    if len(loops) == 1 or c[WANTS_COVER]:
        return True
    c[RESTARTS] += 1
    return False


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
    calls = [(0,), *[(1,)] * 100, (7,), (400,), (1000,), (1000,)]
    for problem, update, wants_cover in itertools.product(problems, UPDATES, (False, True)):
        state = start_state(cycle_graph(problem), 3, update, wants_cover=wants_cover)
        state.counters[MOST_SWEEPS] = 40
        yield Case(f"{problem} {update} {wants_cover}", (state,), calls)


def seen(state: State, *rest: int) -> State:
    """Without what lies beyond the ends of lists."""
    c = state.counters
    del state.wrong[c[WRONG] :], state.turns[c[TURNS] :]
    return state


ROWS = [Row("neural_step", step, cases, seen)]
