"""Cases of the distribution backbite: reversals of a part of the tour, and readings."""

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board, Problem, find_tour
from knightstour.core.model.sample import order_type
from knightstour.lab.sampling.distributions.backbite import COUNT, Backbite, State
from reference import Case, Row


def cases() -> Iterator[Case]:
    questions = [
        Problem((6, 6), closed=True),
        Problem((6, 6), closed=True, start="b3"),
        Problem((5, 5)),
        Problem((5, 6), start="a1"),
        Problem((5, 6), end="a1"),
        Problem((6, 6), start="a1", end="b1"),
        Problem(Board(4, 5, wrap="torus"), closed=True),
        Problem(Board(16, 18), closed=True),
    ]
    for problem, seed in itertools.product(questions, (1, 2)):
        first = find_tour(problem, seed=1).order
        distribution = Backbite(problem, first, every=5, burn_in=30)
        out = np.zeros((5, len(problem.board)), dtype=order_type(problem.board))
        state = distribution._state(seed, out)
        yield Case(f"{problem} {seed}", (state,), [(0,), (1,), (1,), (7,), (30,), (500,)])


def seen(state: State, _: int) -> object:
    """Return the relevant parts: link and other are the two sides of pos in any order; the rest is scratch."""
    count = state.counters[COUNT]
    return state.counters, state.ends, [row[:count] for row in state.pos], state.out


ROWS = [Row("backbite_walk", None, cases, seen)]
