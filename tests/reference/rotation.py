"""The rotation method, from its definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search.rotation import (
    ANY,
    CLOSED,
    COUNT,
    END,
    IDLE,
    IS_KNOWN,
    LENGTH,
    NEAREST,
    NODES,
    NOISE,
    RANDOM,
    RESTART_AFTER,
    RESTARTS,
    ROTATIONS,
    SINCE_RESTART,
    START,
    STUCK_AT,
    SWAPPED,
    State,
)
from knightstour.core.search.rotation import start_state
from reference import Case, Row

RUNNING, FOUND = 0, 1
FAR = 1 << 40
# Longer paths are seldom turned round in larger parts.
NEAR = 10_000


def step(s: State, nodes: int) -> int:
    """Lengthen the path or turn its end, so many times at most, and until so many squares have changed places."""
    c = s.counters
    limit, swaps_left = c[NODES] + nodes, 30 * nodes
    while c[NODES] < limit and swaps_left > 0:
        tried = c[SINCE_RESTART]
        is_trapped = s.distance and 2 * c[LENGTH] < c[COUNT] and tried - c[LENGTH] > c[RESTART_AFTER] // 4
        if c[LENGTH] == 0 or tried >= c[RESTART_AFTER] or is_trapped:
            _restart(s)
        path = s.path[: c[LENGTH]]
        c[NODES] += 1
        c[SINCE_RESTART] += 1
        if _is_tour(s, path):
            return FOUND
        _draw(c)
        x = _next_square(s, path)
        if x is not None:
            _write(s, [*path, x])
            continue
        at, work = _turn(s, path)
        if at is None:
            c[SINCE_RESTART] = c[RESTART_AFTER]
        else:
            _write(s, path[: at + 1] + path[:at:-1])
            c[ROTATIONS] += 1
        swaps_left -= work
    return RUNNING


def _draw(c: list[int]) -> int:
    c[RANDOM] = next_random(c[RANDOM])
    return c[RANDOM]


def _near(s: State, x: int) -> list[int]:
    return s.targets[s.offsets[x] : s.offsets[x + 1]]


def _write(s: State, path: list[int]) -> None:
    """Bring the state in line with the path."""
    s.counters[LENGTH] = len(path)
    s.path[: len(path)] = path
    steps = {x: k for k, x in enumerate(path)}
    for x in range(len(s.position)):
        s.position[x] = steps.get(x, -1)
        s.free[x] = sum(y not in steps for y in _near(s, x))
        s.near_start[x] = x in _near(s, path[0])


def _restart(s: State) -> None:
    c = s.counters
    if c[LENGTH]:
        c[RESTARTS] += 1
        c[RESTART_AFTER] += c[RESTART_AFTER] // 8
        if c[START] >= 0 and c[END] >= 0:
            c[START], c[END], c[SWAPPED] = c[END], c[START], 1 - c[SWAPPED]
    x = c[START]
    if x < 0:
        x = s.path[0]
        for _ in range(_draw(c) % 16):
            if _near(s, x):
                x = _near(s, x)[_draw(c) % len(_near(s, x))]
        if x == c[END]:
            x = _near(s, x)[0]
    c[SINCE_RESTART] = c[STUCK_AT] = 0
    _write(s, [x])


def _is_tour(s: State, path: list[int]) -> bool:
    end = s.counters[END]
    if len(path) < s.counters[COUNT]:
        return False
    return end in (ANY, path[-1]) or (end == CLOSED and len(path) > 2 and path[0] in _near(s, path[-1]))


def _may_enter(s: State, path: list[int], x: int) -> bool:
    return s.position[x] < 0 and (len(path) == s.counters[COUNT] - 1 or x != s.counters[END])


def _one_of_best(c: list[int], choices: list[tuple[int, int]]) -> int | None:
    """The number of one of the choices (rank, number) with the least rank, at random.

    They are gone through in order; the k-th of those that are best so far takes the place of the one before by chance.
    """
    best: tuple[int, int] | None = None
    ties = 0
    for choice in choices:
        if best is None or choice[0] < best[0]:
            best, ties = choice, 1
        elif choice[0] == best[0]:
            ties += 1
            if _draw(c) % ties == 0:
                best = choice
    return None if best is None else best[1]


def _next_square(s: State, path: list[int]) -> int | None:
    """A square with the fewest free neighbours of those that the path may enter; now and then any of them."""
    c = s.counters
    is_noisy = c[NOISE] and c[RANDOM] % c[NOISE] == 0
    return _one_of_best(c, [(0 if is_noisy else s.free[x], x) for x in _near(s, path[-1]) if _may_enter(s, path, x)])


def _turn(s: State, path: list[int]) -> tuple[int | None, int]:
    """At which step to turn the path's end, and how much work it is."""
    c = s.counters
    work = 0
    at = None
    # The end's own move turns nothing.
    steps = [k for k in (s.position[x] for x in _near(s, path[-1])) if 0 <= k < len(path) - 2]
    if s.distance and _is_led(s, path):
        if not c[IS_KNOWN]:
            c[IS_KNOWN] = 1
            work += _look_around(s, path)
        moves = s.distance[path[-1]]
        if moves < c[NEAREST]:
            c[NEAREST], c[IDLE] = moves, 1
        at = _one_of_best(c, [(s.distance[path[k + 1]], k) for k in steps])
    if at is None:
        at = _turn_anywhere(s, path, steps)
    return at, work + (0 if at is None else (len(path) - 1 - at) // 2)


def _is_led(s: State, path: list[int]) -> bool:
    """Sixteen turns without coming nearer, all but one of eight, then sixty-four at random; eight of these at first."""
    c = s.counters
    if c[STUCK_AT] != len(path):
        c[STUCK_AT], c[IS_KNOWN], c[IDLE] = len(path), 0, 16 + 64 - 8
    c[IDLE] += 1
    if c[IDLE] > 16 + 64:
        c[IDLE], c[NEAREST] = 1, FAR
        if s.distance[path[-1]] == FAR:
            c[IS_KNOWN] = 0
    return c[IDLE] <= 16 and (_draw(c) >> 8) % 8 != 0


def _look_around(s: State, path: list[int]) -> int:
    """The least odd number of moves, on the path but for the last, to a square that may be entered, or to the start."""
    goals = {x for x in range(len(s.position)) if _may_enter(s, path, x)} or {path[0]}
    known: dict[int, int] = {}
    layer = {y for x in goals for y in _near(s, x) if s.position[y] >= 0}
    looked_at, moves = 0, 1
    farthest = FAR
    while layer and moves < farthest:
        known.update(dict.fromkeys(layer, moves))
        looked_at += len(layer)
        if path[-1] in layer:
            farthest = moves + 2
        between = {y for x in layer for y in _near(s, x) if s.position[y] >= 0}
        two_on = {z for y in between for z in _near(s, y) if s.position[z] >= 0}
        layer, moves = two_on - known.keys(), moves + 2
    known.update(dict.fromkeys(layer, moves))
    s.distance[:] = [known.get(x, FAR) for x in range(len(s.distance))]
    return len(s.distance) + 8 * looked_at


def _turn_anywhere(s: State, path: list[int], steps: list[int]) -> int | None:
    """A step at which to turn the end: where that closes the tour, else at random."""
    c = s.counters
    farthest = len(path)
    if len(path) > NEAR:
        farthest, bits = NEAR, _draw(c)
        while bits % 2 and farthest < len(path):
            farthest, bits = 2 * farthest, bits // 2
    at, ties = None, 0
    for k in steps:
        end = path[k + 1]
        if len(path) == c[COUNT]:
            if c[END] == CLOSED and path[0] in _near(s, end):
                return k
        elif len(path) > NEAR and s.free[end]:
            return k
        if len(path) - k <= farthest:
            ties += 1
            if _draw(c) % ties == 0:
                at = k
    return max(steps, default=None) if at is None else at


def seen(state: State, *rest: Any) -> State:
    """Without what lies beyond the path's end, and scratch."""
    del state.path[state.counters[LENGTH] :], state.queue[:]
    return state


def cases() -> Iterator[Case]:
    """Boards of all kinds, on small and large ones, with each kind of ends; some have no tour."""
    calls = [(0,), *[(1,)] * 40, (7,), (400,), (300,)]
    for problem in (
        Problem.of((6, 6)),
        Problem.of((6, 6), closed=True),
        Problem.of((5, 5), start="a2"),  # has none
        Problem.of((5, 6), start="a1", end="b1"),
        Problem.of((5, 5), end="c3"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem.of(Board.from_graph(both_ways([[1], [0]])), closed=True),  # has none
    ):
        for seed in (1, 2):
            yield Case(f"{problem} {seed}", (start_state(problem, seed),), calls)
    # Where the end is led.
    for problem in (Problem.of(Board(21, 21), start=(0, 1)), Problem.of(Board(20, 21), closed=True)):
        state = start_state(problem, 1)
        yield Case(str(problem), (state,), [(430,), *[(1,)] * 90, (300,), (300,)])


ROWS = [Row("rotation_step", step, cases, seen)]
