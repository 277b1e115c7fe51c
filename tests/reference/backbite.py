"""The backbite distribution on lists: turns that reverse a part of the tour, and readings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board, Problem, find_tour
from knightstour.core.kernels.bulk.backbite import (
    COUNT,
    DIRECTION,
    EVERY,
    HEAD,
    KEPT_S,
    KEPT_T,
    LAST_IS,
    LEFT,
    LOWEST,
    MADE,
    RANDOM,
    RANDOM_WAY,
    READINGS,
    REFUSED,
    SIDE,
    SKIPS,
    START,
    TOWARDS,
    TURNS,
    State,
)
from knightstour.core.model.sample import order_type
from knightstour.lab.sampling.distributions.backbite import Backbite
from reference import Case, Row


def next_state(x: int) -> int:
    """Multiply with carry (Marsaglia): the state after x; `bits` makes the number of it."""
    return 698769069 * (x & 0xFFFFFFFF) + (x >> 32)


def bits(x: int) -> int:
    """The random number of 32 bits of a state."""
    return (x ^ (x >> 32)) & 0xFFFFFFFF


def walk(s: State, turns: int) -> None:
    c = s.counters
    lines = [sorted(range(c[COUNT]), key=pos.__getitem__) for pos in s.pos]
    spent = 0
    while c[MADE] < len(s.out) and spent < turns:
        todo = min(c[LEFT], turns - spent)
        for _ in range(todo):
            c[SIDE] = 1 - c[SIDE]
            for w in range(len(lines)):
                lines[w] = _turned(s, w, lines[w])
        spent += todo
        c[LEFT] -= todo
        if c[LEFT] > 0:
            break
        c[LEFT] = c[EVERY] + _draw(s) % 2
        for line in lines:
            if c[MADE] < len(s.out):
                _read(s, line)
    c[TURNS] += spent * len(lines)
    for w, line in enumerate(lines):
        for step, square in enumerate(line):
            s.pos[w][square] = step
        s.ends[w] = [line[0], line[-1]]


def _draw(s: State) -> int:
    s.counters[RANDOM] = next_state(s.counters[RANDOM])
    return bits(s.counters[RANDOM])


def _near(s: State, x: int) -> list[int]:
    return s.near[s.offsets[x] : s.offsets[x + 1]]


def _is_kept(s: State, x: int, y: int) -> bool:
    return {x, y} == {s.counters[KEPT_S], s.counters[KEPT_T]}


def _turned(s: State, w: int, line: list[int]) -> list[int]:
    """The tour after a turn at its end, or at its beginning."""
    if s.counters[SIDE] == 0:
        return _turned_at_end(s, line[::-1])[::-1]
    return _turned_at_end(s, line)


def _turned_at_end(s: State, line: list[int]) -> list[int]:
    near = _near(s, line[-1])
    number = _draw(s)
    if len(near) < 2:
        return line
    k = number * (len(near) - 1) >> 32
    # The last neighbour takes the place of the one before the end.
    to = near[-1] if near[k] == line[-2] else near[k]
    at = line.index(to)
    return line if _is_kept(s, to, line[at + 1]) else line[: at + 1] + line[:at:-1]


def _read(s: State, line: list[int]) -> None:
    c = s.counters
    c[READINGS] += 1
    if line[-1] not in _near(s, line[0]):
        return
    ways = {x: len(_near(s, x)) - 1 for x in line}
    moves = [(x, y) for x, y in zip(line, line[1:] + line[:1], strict=True) if not _is_kept(s, x, y)]
    if _draw(s) * sum(ways[x] * ways[y] for x, y in moves) >= c[LOWEST] << 32:
        c[REFUSED] += 1
        return
    number = _draw(s)
    image = s.images[(number >> 1) * len(s.images) >> 31]
    is_backwards = number % 2 == 1
    first = 0
    if c[HEAD] >= 0:
        first = line.index(c[HEAD])
        if c[DIRECTION] != RANDOM_WAY:
            is_backwards = (line[(first + 1) % len(line)] == c[TOWARDS]) == (c[DIRECTION] == LAST_IS)
    elif c[START] >= 0:
        first = next(k for k, x in enumerate(line) if image[x] == c[START])
    line = line[first:] + line[:first]
    if is_backwards:
        line = line[:1] + line[:0:-1]
    s.out[c[MADE]] = [image[x] for x in line[c[SKIPS] :]]
    c[MADE] += 1


def cases() -> Iterator[Case]:
    questions = [
        Problem.of((6, 6), closed=True),
        Problem.of((6, 6), closed=True, start="b3"),
        Problem.of((5, 5)),
        Problem.of((5, 6), start="a1"),
        Problem.of((5, 6), end="a1"),
        Problem.of((6, 6), start="a1", end="b1"),
        Problem.of(Board(4, 5, wrap="torus"), closed=True),
        Problem.of(Board(16, 18), closed=True),
    ]
    for problem, seed in itertools.product(questions, (1, 2)):
        first = find_tour(problem, rng=1).order
        distribution = Backbite(problem, first, every=5, burn_in=30)
        out = np.zeros((5, problem.board.square_count), dtype=order_type(problem.board))
        state = distribution._state(seed, out)
        yield Case(f"{problem} {seed}", (state,), [(0,), (1,), (1,), (7,), (30,), (500,)])


def seen(state: State, _: int) -> object:
    """What counts of the walks: link and other are two sides of pos, in no order, and the rest is scratch."""
    count = state.counters[COUNT]
    return state.counters, state.ends, [row[:count] for row in state.pos], state.out


ROWS = [Row("backbite_walk", walk, cases, seen)]
