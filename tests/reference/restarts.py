"""The Warnsdorff distribution, from its definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board, Problem
from knightstour.core.kernels.bulk.restarts import (
    CLOSED,
    COUNT,
    COUNTERS,
    END,
    FAILS,
    MADE,
    NODES,
    RANDOM,
    START,
    State,
)
from knightstour.core.model.sample import order_type
from knightstour.lab.sampling.distributions.common import random_state, squares_of
from reference import Case, Row
from reference.backbite import bits, next_state


def run(s: State, nodes: int) -> None:
    c = s.counters
    limit = c[NODES] + nodes
    while c[MADE] < len(s.out) and c[NODES] < limit:
        line = _attempt(s)
        c[NODES] += len(line)
        good = len(line) == c[COUNT]
        good = good and (not c[CLOSED] or (c[COUNT] > 2 and line[0] in _near(s, line[-1])))
        if good:
            s.out[c[MADE]] = [s.labels[x] for x in line]
        c[MADE if good else FAILS] += 1


def _near(s: State, x: int) -> list[int]:
    return s.near[s.offsets[x] : s.offsets[x + 1]]


def _draw(s: State) -> int:
    s.counters[RANDOM] = next_state(s.counters[RANDOM])
    return bits(s.counters[RANDOM])


def _attempt(s: State) -> list[int]:
    c = s.counters
    number = _draw(s)
    first = c[START]
    while first < 0 or (first == c[END] and c[COUNT] > 1):
        first = number * c[COUNT] >> 32
        number = _draw(s)
    line = [first]
    while len(line) < c[COUNT]:
        free = {x: [y for y in _near(s, x) if y not in line] for x in range(c[COUNT])}
        if c[CLOSED] and not free[first]:
            break
        ways = [x for x in free[line[-1]] if x != c[END] or len(line) == c[COUNT] - 1]
        if not ways:
            break
        _, best = min([(len(free[x]), _draw(s)), x] for x in ways)
        line.append(best)
    return line


def cases() -> Iterator[Case]:
    questions = [
        Problem.of((5, 5)),
        Problem.of((6, 6), closed=True),
        Problem.of((5, 5), start="a1", end="c3"),
        Problem.of((4, 5), end="a1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of((1, 1)),
    ]
    for problem, seed in itertools.product(questions, (1, 2)):
        squares, size = squares_of(problem), problem.board.square_count
        c = np.zeros(COUNTERS, dtype=np.int64)
        c[RANDOM], c[COUNT], c[CLOSED] = random_state(seed), size, problem.closed
        c[START], c[END] = (
            -1 if square is None else squares.place[square] for square in (problem.start_index, problem.end_index)
        )
        state = State(
            *(c, squares.offsets, squares.near, squares.labels),
            *(np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_)),
            np.zeros((4, size), dtype=order_type(problem.board)),
        )
        yield Case(f"{problem} {seed}", (state,), [(1,), (0,), (300,), (2000,)])


# The rest is scratch.
ROWS = [Row("restarts_run", run, cases, lambda state, _: (state.counters, state.out))]
