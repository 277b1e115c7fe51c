"""Warnsdorff's rule with critical points, from its definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search.warnsdorff import (
    ANY,
    AT_RANDOM,
    BACKS,
    CLOSED,
    COUNT,
    CRITICAL,
    FIRST,
    GOAL,
    LENGTH,
    NODES,
    NOISE,
    PATIENCE,
    POHL,
    RANDOM,
    RESTARTS,
    ROTH,
    SINCE_RESTART,
    TIES,
    State,
)
from knightstour.core.model.budget import Budget
from knightstour.core.search.options import TIES as NAMES
from knightstour.core.search.warnsdorff import start_state
from reference import Case, Row

RUNNING, FOUND = 0, 1


def step(s: State, nodes: int) -> int:
    """Put about so many squares on the path."""
    c = s.counters
    limit = c[NODES] + nodes
    while c[NODES] < limit:
        path = s.path[: c[LENGTH]]
        x = _next_square(s, path) if path else s.starts[c[RESTARTS] % len(s.starts)]
        if x is None:
            path = _backed_up(s, path)
        else:
            path = [*path, x]
            c[NODES] += 1
        _write(s, path)
        if x is not None:
            if len(path) == c[COUNT]:
                return FOUND
            _list_ties(s, path)
    return RUNNING


def _write(s: State, path: list[int]) -> None:
    """Bring the state in line with the path."""
    s.counters[LENGTH] = len(path)
    s.path[: len(path)] = path
    for x in range(len(s.position)):
        s.position[x] = path.index(x) if x in path else -1
        # A closed tour comes back to its first square.
        s.free[x] = sum(y not in path or (s.counters[GOAL] == CLOSED and y == path[0]) for y in _near(s, x))
    phase = 0
    for k, x in enumerate(path if len(s.phase) else []):
        phase += s.plan[9 * phase + 8] == x
        s.phase[k] = phase


def _near(s: State, x: int) -> list[int]:
    return [s.targets[k] for k in range(s.offsets[x], s.offsets[x + 1])]


def _backed_up(s: State, path: list[int]) -> list[int]:
    """The path as far as its latest square with a move to try."""
    c = s.counters
    c[BACKS] += 1
    c[SINCE_RESTART] += 1
    keep = 0
    if c[SINCE_RESTART] <= c[PATIENCE]:
        keep = max((k + 1 for k, x in enumerate(path) if s.waiting[x]), default=0)
    if keep == 0:
        c[RESTARTS] += 1
        c[SINCE_RESTART] = 0
    return path[:keep]


def _list_ties(s: State, path: list[int]) -> None:
    """Note the moves from the path's end that the rule allows."""
    c = s.counters
    here, left, goal = path[-1], c[COUNT] - len(path), c[GOAL]
    closing = path[0] if goal == CLOSED else goal
    moves = [k for k in range(s.offsets[here], s.offsets[here + 1]) if s.targets[k] not in path]
    if left > 1:
        moves = [k for k in moves if s.targets[k] != goal]
    if closing >= 0 and s.free[closing] == 1 and left > (1 if goal == CLOSED else 2):
        moves = [k for k in moves if closing not in _near(s, s.targets[k])]
    degrees = [s.free[s.targets[k]] for k in moves]
    ties = [k for k, degree in zip(moves, degrees, strict=True) if degree == min(degrees)]
    # One of the squares with one way left may be the end.
    if left > 1 and degrees and (min(degrees) == 0 or degrees.count(1) > (2 if goal == ANY else 1)):
        ties = []
    s.waiting[here] = len(ties)
    s.tied[s.offsets[here] : s.offsets[here] + len(ties)] = ties
    c[CRITICAL] += len(ties) > 1


def _next_square(s: State, path: list[int]) -> int | None:
    """The square of the best of the moves that wait at the path's end, which waits no longer."""
    c = s.counters
    here = path[-1]
    low = s.offsets[here]
    ties = s.tied[low : low + s.waiting[here]]
    if not ties:
        return None
    rule = c[TIES]
    if len(ties) > 1 and rule != AT_RANDOM and c[RESTARTS] > 0:
        c[RANDOM] = next_random(c[RANDOM])
        rule = AT_RANDOM if c[RANDOM] % c[NOISE] == 0 else rule
    best = ties[0]
    if len(ties) > 1 and rule == AT_RANDOM:
        c[RANDOM] = next_random(c[RANDOM])
        best = ties[c[RANDOM] % len(ties)]
    elif len(ties) > 1 and rule != FIRST:
        best = min(ties, key=lambda k: _rank(s, k, rule, path))
    ties.remove(best)
    s.tied[low : low + len(ties)] = ties
    s.waiting[here] = len(ties)
    return s.targets[best]


def _rank(s: State, k: int, rule: int, path: list[int]) -> int:
    x = s.targets[k]
    if rule == ROTH:
        return s.keys[x]
    if rule == POHL:
        return sum(s.free[y] for y in _near(s, x) if y not in path)
    return s.plan[9 * s.phase[len(path) - 1] + s.directions[k]]


def seen(state: State, *rest: Any) -> State:
    """Without what lies beyond the path's end, and moves that wait no longer."""
    length = state.counters[LENGTH]
    on_path = set(state.path[:length])
    del state.path[length:], state.phase[length:]
    for x, count in enumerate(state.waiting):
        kept = count if x in on_path else 0
        low, end = state.offsets[x] + kept, state.offsets[x + 1]
        state.tied[low:end] = [0] * (end - low)
        state.waiting[x] = kept
    return state


def cases() -> Iterator[Case]:
    """Boards of all kinds, with and without a goal, by each way to break ties."""
    boards = [
        (Problem.of((5, 5), start="a1"), [*NAMES]),
        (Problem.of((5, 5), start="b1"), [*NAMES]),  # has none
        (Problem.of((6, 6), closed=True), [*NAMES]),
        (Problem.of((6, 6), start="a1", end="b1"), [*NAMES]),
        (Problem.of((4, 5)), ["roth", "pohl", "first", "random"]),
        (Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True), ["roth", "pohl"]),
        (Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))), ["roth", "random"]),
        (Problem.of((1, 1)), ["first"]),
    ]
    calls = [(0,), *[(1,)] * 60, (7,), (400,)]
    for (problem, names), patience in itertools.product(boards, (0, 3)):
        for name in names:
            yield Case(f"{problem} {name} {patience}", (start_state(problem, Budget(), 3, name, patience),), calls)


ROWS = [Row("warnsdorff_step", step, cases, seen)]
