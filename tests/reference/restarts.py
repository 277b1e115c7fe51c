"""Cases of the Warnsdorff distribution."""

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board, Problem
from knightstour.core.model.problem import end_index, start_index
from knightstour.core.model.sample import order_type
from knightstour.lab.sampling.distributions.common import random_state, squares_of
from knightstour.lab.sampling.distributions.searched import CLOSED, COUNT, COUNTERS, END, RANDOM, START, State
from reference import Case, Row


def cases() -> Iterator[Case]:
    questions = [
        Problem((5, 5)),
        Problem((6, 6), closed=True),
        Problem((5, 5), start="a1", end="c3"),
        Problem((4, 5), end="a1"),
        Problem(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem((1, 1)),
    ]
    for problem, seed in itertools.product(questions, (1, 2)):
        squares, size = squares_of(problem), len(problem.board)
        c = np.zeros(COUNTERS, dtype=np.int64)
        c[RANDOM], c[COUNT], c[CLOSED] = random_state(seed), size, problem.closed
        c[START], c[END] = (
            -1 if square is None else squares.place[square] for square in (start_index(problem), end_index(problem))
        )
        state = State(
            *(c, squares.offsets, squares.near, squares.labels),
            *(np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_)),
            np.zeros((4, size), dtype=order_type(problem.board)),
        )
        yield Case(f"{problem} {seed}", (state,), [(1,), (0,), (300,), (2000,)])


# The rest is scratch.
ROWS = [Row("restarts_run", None, cases, lambda state, _: (state.counters, state.out))]
