"""A limit of time is kept while a large board is prepared."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import knightstour as kt
from knightstour.core.model.budget import Budget
from knightstour.core.model.deadline import DeadlinePassed, check_deadline

SOON = kt.Limits(seconds=0.05)
QUESTIONS: dict[str, Callable[[], object]] = {
    "required moves": lambda: kt.solve((600, 600), closed=True, through=["a1-b3"], limits=SOON).status,
    "a million squares": lambda: kt.solve((1000, 1000), closed=True, through=["a1-b3"], limits=SOON).status,
    "a rule": lambda: kt.solve((2000, 2000), method="warnsdorff", limits=SOON).status,
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
    from knightstour.core.model.board import move_graph
    from knightstour.core.model.problem import Problem
    from knightstour.core.model.reduced import reduced

    took = []
    for side in (150, 600):
        problem = Problem.of((side, side), closed=True, through=["a1-b3"])
        move_graph(problem.board)
        before = time.process_time()
        assert reduced(problem).problem.board.square_count == side * side + 1
        took.append(time.process_time() - before)
    # Sixteen times the squares; the names alone took 1.5 s.
    assert took[1] < 2.0 and took[1] < 60 * took[0]


def test_an_empty_puzzle_of_the_largest_board_is_within_the_time(processor_clock: Callable[[], float]) -> None:
    kt.solve_puzzle(kt.Puzzle.of((5, 5), {"a1": {1, 2}}))
    before = processor_clock()
    kt.solve_puzzle(kt.Puzzle.of((16, 16), {"a1": {1, 2}}), n=50, limits=SOON)
    assert processor_clock() - before < 0.05 + 0.5


def test_heeding_ends_with_its_block() -> None:
    budget = Budget(kt.Limits(seconds=1e-9))
    with budget.keeping_deadline(), pytest.raises(DeadlinePassed):
        check_deadline()
    check_deadline()
