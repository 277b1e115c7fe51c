"""Tests of the method `explicit`: its contract, memory, speed and imports."""

import gc
import random
import time

import numpy as np
import pytest

from helpers.checks import assert_is_tour
from knightstour.core.constructions.explicit import explicit
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.machine import memory
from knightstour.core.model import wording
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import BoardError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, Status
from knightstour.core.model.tour import Tour


def answer(problem: Problem, seed: int = 0) -> Outcome:
    return explicit(problem, Budget(Limits()), seed)


# ---------------------------------------------------------------- the contract of a method


@pytest.mark.parametrize(
    "problem",
    [
        Problem(Board(1, 1)),
        Problem(Board(3, 4), start=None, end=(1, 0)),
        Problem(Board(3, 14), closed=True, start=(1, 7)),
        Problem(Board(5, 5), start=(0, 0), end=(2, 2)),
        Problem(Board(8, 8)),
        Problem(Board(8, 8), closed=True, start=(3, 3)),
        Problem(Board(7, 9), start=None, end=(4, 4)),
        Problem(Board(30, 20), start=(0, 0), end=(29, 0)),
    ],
    ids=str,
)
def test_a_tour_is_a_list_of_square_numbers_start_first(problem: Problem) -> None:
    outcome = answer(problem)
    board = problem.board
    assert outcome.status is Status.FOUND and outcome.reason == ""
    assert_is_tour(outcome.order, board.rows, board.cols, closed=problem.closed, start=problem.start, end=problem.end)


@pytest.mark.parametrize(
    ("question", "least"),
    [
        (Problem(Board(8, 8)), 30),
        (Problem(Board(8, 8), closed=True), 30),
        (Problem(Board(8, 8), start=(7, 0)), 30),
        (Problem(Board(8, 8), closed=True, start=(7, 0)), 8),
        (Problem(Board(9, 11), start=(0, 0), end=(8, 8)), 2),
        (Problem(Board(5, 6), closed=True), 20),
        (Problem(Board(3, 4)), 4),
        (Problem(Board(1, 1)), 1),
    ],
    ids=str,
)
def test_each_seed_gives_its_own_repeatable_tour(question: Problem, least: int) -> None:
    found = set()
    for seed in range(40):
        order = answer(question, seed).order
        assert np.array_equal(order, answer(question, seed).order)
        tour = Tour.from_array(order, question.board)
        assert question.start in (None, tour.start) and question.end in (None, tour.end)
        assert tour.is_closed or not question.closed
        found.add(order.tobytes())
    assert len(found) >= least


def test_the_seed_0_gives_the_implicit_tour() -> None:
    for question in (
        Problem(Board(8, 8)),
        Problem(Board(9, 12), closed=True),
        Problem(Board(5, 5), start=(0, 0)),
    ):
        assert np.array_equal(answer(question, 0).order, implicit_tour(question).order())


# ---------------------------------------------------------------- memory


@pytest.mark.parametrize("side", [10**30, 10**120])
def test_rejects_array_beyond_memory_with_its_size(side: int) -> None:
    with pytest.raises(BoardError, match=r"needs \S+ bytes of memory") as error:
        answer(Problem(Board(side, side)))
    assert "is available" in error.value.note
    assert "implicit_tour" in error.value.help


def test_memory_is_refused_exactly_below_the_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 20_000_000)
    memory.require_memory(20_000_000, "this", "that")
    with pytest.raises(BoardError) as error:
        memory.require_memory(20_000_001, "this", "that")
    assert (str(error.value), error.value.note, error.value.help) == (
        "this needs 20 MB of memory",
        "20 MB is available",
        "that",
    )
    memory.require_memory(1000, "this", "that", most=1000)
    with pytest.raises(BoardError, match="this needs 1 kB"):
        memory.require_memory(1001, "this", "that", most=1000)


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (60 * 20_000**2, "24 GB"),
        (10**15, "1 PB"),
        (6 * 10**61, "6.0e+61 bytes"),
        (10**400, "1.0e+400 bytes"),
    ],
)
def test_bytes_are_reported_in_words(count: int, words: str) -> None:
    assert wording.in_words(count) == words


# ---------------------------------------------------------------- speed and imports


def yardstick() -> float:
    """Return the time of a fixed piece of Python: about 0.02 s on a machine of 2020."""
    begin = time.process_time()
    total = 0
    for k in range(300_000):
        total += k % 7
    assert total
    return time.process_time() - begin


def test_answer_up_to_20x20_is_fast() -> None:
    unit = min(yardstick() for _ in range(3))
    rng = random.Random(20)
    worst = (0.0, Problem(Board(8, 8)))
    answer(Problem(Board(5, 6)))
    # Whatever garbage the tests before have left is not part of an answer.
    gc.collect()
    gc.disable()
    try:
        for _ in range(250):
            rows, cols = rng.randint(1, 20), rng.randint(1, 20)
            squares = [(r, c) for r in range(rows) for c in range(cols)]
            start, end = (rng.sample(squares, 2) * 2)[:2] if len(squares) > 1 else (None, None)
            problem = rng.choice(
                [
                    Problem(Board(rows, cols), closed=True),
                    Problem(Board(rows, cols), closed=rng.random() < 0.5, start=start),
                    Problem(Board(rows, cols), start=start, end=end),
                    Problem(Board(rows, cols), start=start, end=end),
                ]
            )
            begin = time.process_time()
            answer(problem)
            worst = max(worst, (time.process_time() - begin, problem), key=lambda pair: pair[0])
    finally:
        gc.enable()
    # 0.2 s is ten units; the generous half more is for caches that are still cold.
    assert worst[0] < 15 * unit, worst
