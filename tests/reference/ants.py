"""The ant colony, from its definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search.ants import (
    ANT,
    ANTS,
    DROP,
    FIRST,
    KEPT,
    LEAST,
    LENGTH,
    LONGEST,
    MOST,
    MOST_ROUNDS,
    NODES,
    RANDOM,
    RESTARTS,
    ROUND,
    WALKS,
    State,
)
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.lab.museum.ants import start_state
from reference import Case, Row

RUNNING, FOUND = 0, 1


def step(s: State, nodes: int) -> int:
    """Let ants make about so many moves."""
    c = s.counters
    for _ in range(nodes):
        c[NODES] += 1
        if c[LENGTH] == 0:
            if c[ANT] == c[ANTS]:
                _end_round(s)
            _write(s, list(s.opening), [-1] * len(s.opening))
        walk, taken = s.line[: c[LENGTH]], s.taken[: c[LENGTH]]
        if len(walk) == len(s.line) and walk[0] in _near(s, walk[-1]):
            _leave(s)
            return FOUND
        move = _chosen(s, walk)
        if move is None:
            _leave(s)
        else:
            _write(s, [*walk, s.targets[move]], [*taken, move])
    return RUNNING


def _near(s: State, v: int) -> list[int]:
    return s.targets[s.offsets[v] : s.offsets[v + 1]]


def _write(s: State, walk: list[int], taken: list[int]) -> None:
    """Bring the state in line with the walk."""
    s.counters[LENGTH] = len(walk)
    s.line[: len(walk)], s.taken[: len(walk)] = walk, taken
    s.is_off[:] = [v in walk for v in range(len(s.line))]
    s.free[:] = [sum(u not in walk for u in _near(s, v)) for v in range(len(s.line))]


def _draw(s: State) -> int:
    s.counters[RANDOM] = next_random(s.counters[RANDOM])
    return s.counters[RANDOM]


def _chosen(s: State, walk: list[int]) -> int | None:
    """The move to take next."""
    low, high = s.offsets[walk[-1]], s.offsets[walk[-1] + 1]
    # The last way back to the first vertex is kept for the end.
    home = _near(s, walk[0])
    barred = home if s.free[walk[0]] <= 1 and len(walk) < len(s.line) - 1 else []
    moves = [k for k in range(low, high) if s.targets[k] not in (*walk, *barred)]
    x = _draw(s)
    if high - low > 64:
        move = low + x % (high - low)
        return move if move in moves else None
    pulls = [s.scent[k] * s.bonus[min(s.free[s.targets[k]], len(s.bonus) - 1)] for k in moves]
    if not moves:
        return None
    ball = (x // 4 * 2**32 + _draw(s)) % sum(pulls)
    return next(k for k, reached in zip(moves, itertools.accumulate(pulls), strict=True) if ball < reached)


def _leave(s: State) -> None:
    c = s.counters
    length, size = c[LENGTH], len(s.line)
    for i in range(len(s.opening), length):
        s.fresh[s.taken[i]] += DROP * (length - i) // (size - i)
    c[WALKS] += 1
    c[LONGEST] = max(c[LONGEST], length)
    c[ANT] += 1
    c[LENGTH] = 0


def _end_round(s: State) -> None:
    c = s.counters
    c[ANT] = 0
    c[ROUND] += 1
    s.scent[:] = [
        min(max(scent * c[KEPT] // 1000 + fresh, LEAST), MOST) for scent, fresh in zip(s.scent, s.fresh, strict=True)
    ]
    s.fresh[:] = [0] * len(s.fresh)
    if c[ROUND] == c[MOST_ROUNDS]:
        c[ROUND] = 0
        c[RESTARTS] += 1
        s.scent[:] = [FIRST] * len(s.scent)


def cases() -> Iterator[Case]:
    """Boards of all kinds, with colonies of all kinds."""
    hub = Board.from_graph(both_ways({0: range(1, 70), **{k: [k + 1] for k in range(1, 69)}, 69: []}))
    problems = [
        Problem.of((5, 5), start="a1"),
        Problem.of((6, 6), closed=True),
        Problem.of((4, 4)),  # has none
        Problem.of((5, 6), start="a1", end="b1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem.of(Board.from_graph(both_ways([[1], [], []])), closed=True),  # a node without moves
        Problem.of(hub),  # so many moves that scent does not count
    ]
    calls = [(0,), *[(1,)] * 60, (7,), (400,)]
    for problem, (ants, fading, sight) in itertools.product(problems, ((4, 100, 0), (1, 1000, 2), (3, 0, 3))):
        state = start_state(problem, cycle_graph(problem), 3, ants, fading, sight)
        state.counters[MOST_ROUNDS] = 5
        yield Case(f"{problem} {ants} {fading} {sight}", (state,), calls)
    # With as much scent on some moves as there may be, and as little on others.
    state = start_state(problems[2], cycle_graph(problems[2]), 3, 5, 100, 0)
    state.scent[::3], state.scent[1::3] = MOST, LEAST
    state.counters[KEPT] = 1000
    yield Case("4x4 with much scent", (state,), [(300,)] * 5)


def seen(state: State, *rest: int) -> State:
    """Without what lies beyond the end of the walk."""
    length = state.counters[LENGTH]
    del state.line[length:], state.taken[length:]
    return state


ROWS = [Row("ants_step", step, cases, seen)]
