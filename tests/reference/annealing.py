"""Annealing of a closed line through all vertices, from its definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search.annealing import (
    COOL,
    COUNT,
    CURSOR,
    GAPS,
    HEATS,
    IS_GREEDY,
    LEFT,
    LENGTH,
    LOOSE,
    NODES,
    PHASE,
    RANDOM,
    SHUFFLE,
    STAGE,
    STAGE_TURNS,
    TURNS,
    WALK,
    WORSE,
    State,
)
from knightstour.core.machine.native import door
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.core.search.options import COVERS
from knightstour.lab.museum.annealing import schedule, start_state
from reference import Case, Row
from reference.lines import are_joined, gaps_of, near, note_loose, places, turn

RUNNING, FOUND = 0, 1


def step(s: State, nodes: int) -> int:
    """Propose so many turns."""
    c = s.counters
    for _ in range(nodes):
        c[NODES] += 1
        if c[PHASE] == COOL and not gaps_of(s, s.line):
            return FOUND
        {SHUFFLE: _shuffle, WALK: _walk, COUNT: _count, COOL: _cool}[c[PHASE]](s)
    return RUNNING


def _draw(s: State) -> int:
    s.counters[RANDOM] = next_random(s.counters[RANDOM])
    return s.counters[RANDOM]


def _advance(s: State, place: int, phase: int) -> None:
    """Go on at the next place, or with the next phase after the last one."""
    s.counters[place] += 1
    if s.counters[place] == len(s.line):
        s.counters[CURSOR], s.counters[PHASE] = 0, phase


def _shuffle(s: State) -> None:
    vertices = s.loose[: s.counters[CURSOR]]
    j = _draw(s) % (len(vertices) + 1)
    vertices.append(len(vertices))
    vertices[j], vertices[-1] = vertices[-1], vertices[j]
    s.loose[: len(vertices)] = vertices
    _advance(s, CURSOR, WALK)


def _walk(s: State) -> None:
    c = s.counters
    walk = s.line[: c[LENGTH]]
    best = None
    if walk and c[IS_GREEDY]:
        fewest, ties = len(s.line), 0
        for v in near(s, walk[-1]):
            free = _free(s, walk, v)
            if v in walk or free > fewest:
                continue
            ties = 1 if free < fewest else ties + 1
            fewest = free
            if (_draw(s) >> 4) % ties == 0:
                best = v
    if best is None:
        c[CURSOR] = next(i for i, v in enumerate(s.loose) if v not in walk)
        best = s.loose[c[CURSOR]]
    walk.append(best)
    s.line[: len(walk)] = walk
    s.place[:] = places(s, walk)
    s.free[:] = [_free(s, walk, v) for v in range(len(s.line))]
    _advance(s, LENGTH, COUNT)


def _free(s: State, walk: list[int], v: int) -> int:
    return sum(u not in walk for u in near(s, v))


def _count(s: State) -> None:
    c = s.counters
    i = c[CURSOR]
    pair = s.line[i], s.line[(i + 1) % len(s.line)]
    c[GAPS] += not are_joined(s, *pair)
    note_loose(s, s.loose, LOOSE, pair[0])
    c[LEFT] = c[STAGE_TURNS]
    _advance(s, CURSOR, COOL)


def _cool(s: State) -> None:
    c = s.counters
    _propose(s)
    c[LEFT] -= 1
    if c[LEFT] == 0:
        c[LEFT] = c[STAGE_TURNS]
        c[STAGE] += 1
    if c[STAGE] == len(s.chances):
        c[STAGE] = 0
        c[HEATS] += 1


def _propose(s: State) -> None:
    """Take u-p and v-q out of the line and put u-v and p-q in, if that does not make too many gaps."""
    c, line, n = s.counters, s.line, len(s.line)
    kind, which = _draw(s), _draw(s) >> 4
    at_gap = kind // 8 % 8 < 6
    u = s.loose[which % c[LOOSE]] if at_gap else line[which % n]
    side = 1 if kind & 128 else -1
    if at_gap and are_joined(s, u, line[(line.index(u) + side) % n]):
        side = -side
    p, other = (line[(line.index(u) + way) % n] for way in (side, -side))
    move, ways = _draw(s) >> 4, near(s, u)
    if not ways or (v := ways[move % len(ways)]) in (p, other):
        return
    x, farthest = _draw(s), 1000
    while x % 2 == 1 and farthest < n:
        x, farthest = x // 2, 2 * farthest
    length = abs(line.index(v) - line.index(u))
    if min(length, n - length) > farthest:
        return
    turned = turn(line, u, v, side)
    change = len(gaps_of(s, turned)) - c[GAPS]
    if change > 0:
        if _draw(s) >= s.chances[c[STAGE]]:
            return
        c[WORSE] += 1
    c[TURNS] += 1
    c[GAPS] += change
    q = line[(line.index(v) + side) % n]
    s.line[:] = turned
    s.place[:] = places(s, turned)
    for x in (u, p, v, q):
        note_loose(s, s.loose, LOOSE, x)


def seen(state: State, *rest: int) -> State:
    """Without what lies beyond the end of the list of vertices beside a gap."""
    if state.counters[PHASE] in (COUNT, COOL):
        del state.loose[state.counters[LOOSE] :]
    return state


def cases() -> Iterator[Case]:
    """Boards of all kinds, by each cover, cold and hot."""
    problems = [
        Problem.of((5, 5), start="a1"),
        Problem.of((6, 6), closed=True),
        Problem.of((4, 4)),  # has none
        Problem.of((5, 6), start="a1", end="b1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem.of(Board.from_graph(both_ways([[1], [], []])), closed=True),  # a node without moves
    ]
    calls = [(0,), *[(1,)] * 60, (7,), (400,)]
    for problem, cover, hot in itertools.product(problems, COVERS, (0.3, 3.0)):
        state = start_state(cycle_graph(problem), 3, cover, schedule(hot), 5)
        yield Case(f"{problem} {cover} {hot}", (state,), calls)
    # So large that turns may be too far; reached by the kernel itself, since the reference takes long to make a line.
    state = start_state(cycle_graph(Problem.of((60, 60), closed=True)), 3, "greedy", schedule(3.0), 5)
    door("annealing_step")(state, 3 * 3600)
    yield Case("60x60", (state,), [(1,)] * 40)


ROWS = [Row("annealing_step", step, cases, seen)]
