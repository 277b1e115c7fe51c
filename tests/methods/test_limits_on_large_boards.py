"""A limit of time is kept while a large board is prepared, and in the middle of a node that takes long."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

import knightstour as kt
from knightstour.kernels.search import clues as kernel
from knightstour.model.budget import Budget
from knightstour.model.preparing import Spent, heed
from knightstour.search.clues import Numberings

SOON = kt.Limits(seconds=0.05)
QUESTIONS: dict[str, Callable[[], object]] = {
    "required moves": lambda: kt.solve((600, 600), closed=True, through=["a1-b3"], limits=SOON).status,
    "a million squares": lambda: kt.solve((1000, 1000), closed=True, through=["a1-b3"], limits=SOON).status,
    "a rule": lambda: kt.solve((2000, 2000), method="warnsdorff", limits=SOON).status,
    "an empty puzzle": lambda: kt.solve_puzzle(kt.Puzzle.of((16, 16), {"a1": {1, 2}}), n=50, limits=SOON).status,
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_time_is_kept(name: str, processor_clock: Callable[[], float]) -> None:
    # Loading is not the question.
    kt.solve((8, 9), closed=True, through=["a1-b3"], rng=1)
    before = processor_clock()
    assert QUESTIONS[name]() is kt.Status.UNDECIDED
    # It took one to four seconds.
    assert processor_clock() - before < 0.05 + 0.5


def test_a_sample_that_is_not_prepared_in_time_says_so(processor_clock: Callable[[], float]) -> None:
    before = processor_clock()
    with pytest.raises(kt.LimitReached, match=r"the limit of 0\.05 seconds was reached"):
        kt.sample_tours((300, 300), 100, rng=1, limits=SOON)
    assert processor_clock() - before < 0.05 + 1.0


def test_required_moves_of_a_large_board_are_prepared_in_linear_time() -> None:
    from knightstour.model.board import move_graph
    from knightstour.model.problem import Problem
    from knightstour.model.reduced import reduced

    took = []
    for side in (150, 600):
        problem = Problem.of((side, side), closed=True, through=["a1-b3"])
        move_graph(problem.board)
        before = time.process_time()
        assert reduced(problem).problem.board.square_count == side * side + 1
        took.append(time.process_time() - before)
    # Sixteen times the squares; the names alone took 1.5 s.
    assert took[1] < 2.0 and took[1] < 60 * took[0]


def test_a_node_that_takes_long_takes_several_calls() -> None:
    search = Numberings(kt.Board.of("16x16"), [(0, {1, 2})], Budget())
    assert search._state is not None
    # Lists, as the search begins with them: where the kernel is loaded already it has arrays.
    state = kernel.State(*(np.asarray(field).tolist() for field in search._state))
    calls = 0
    while state.counters[kernel.NODES] < 2:
        assert kernel.step(state, 1) == kernel.RUNNING
        calls += 1
    # The first choice alone leads to 34,000 looks at squares.
    assert calls > 34_000 / kernel._LOOKS_A_NODE


def test_heeding_ends_with_its_block() -> None:
    budget = Budget(kt.Limits(seconds=1e-9))
    with budget.heeded(), pytest.raises(Spent):
        heed()
    heed()
