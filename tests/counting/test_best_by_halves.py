"""The best tour by halves: what the states of whole tours say, for any values, and a tour that has it."""

from __future__ import annotations

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.census import best
from knightstour.lab.counting.census.best import best_by_halves, can_prove, most_by_halves
from knightstour.lab.counting.census.by_halves import Values
from knightstour.lab.objectives.by_states import best_by_states
from knightstour.lab.objectives.table import OBJECTIVES
from knightstour.lab.statistics.table import STATISTICS

QUESTIONS = [
    Problem.of((5, 6), closed=True),
    Problem.of((4, 7)),
    Problem.of((3, 10), closed=True),
    Problem.of((5, 5), start=(0, 0)),
    Problem.of((4, 6), start=(0, 0), end=(3, 5)),
    Problem.of(Board(6, 6, holes=[(0, 0), (0, 1)]), closed=True),
]


@pytest.mark.parametrize("problem", QUESTIONS, ids=str)
@pytest.mark.parametrize("name", ["flat-up", "most-flat-up", "most-across-rows", "same-ring", "most-in-quarter"])
def test_it_is_the_best_of_the_states_of_whole_tours(problem, name):
    row = OBJECTIVES[name]
    known = best_by_states(problem, row, Budget())
    found = best_by_halves(problem, row, Budget())
    assert not found.excuse and (found.order is None) == (known.order is None)
    if found.order is not None:
        assert found.value == known.least
        tour = kt.Tour.from_order(problem.board, found.order)
        assert row.sign * row.of(tour, problem.closed) == found.value
        assert problem.start in (None, tuple(tour.squares[0].tolist()))
        assert problem.end in (None, tuple(tour.squares[-1].tolist()))


@pytest.mark.parametrize(
    ("size", "most"), [((6, 6), 22), pytest.param((7, 8), 46, marks=pytest.mark.long)], ids=["6x6", "7x8"]
)
def test_the_most_moves_of_two_columns(size, most):
    problem = Problem.of(size, closed=True)
    values = sum(Values.by(problem, STATISTICS[name]).of for name in ("flat-up", "flat-down"))
    found = most_by_halves(problem, values, Budget(), threads=1)
    assert found.value == most and found.order is not None
    assert sum(values[a, b] for a, b in zip(found.order, np.roll(found.order, -1), strict=True)) == most


def test_a_limit_is_no_proof():
    problem, row = Problem.of((6, 8), closed=True), OBJECTIVES["most-flat-up"]
    for limits in (Limits(nodes=1000), Limits(bytes=10_000)):
        found = best_by_halves(problem, row, Budget(limits))
        assert found.order is None and found.excuse and found.value <= -22


def test_solve_proves_the_best_by_halves(monkeypatch):
    asked = []
    plain = best.best_by_halves
    monkeypatch.setattr(best, "best_by_halves", lambda *given: asked.append(given) or plain(*given))
    found = kt.solve("6x8", closed=True, objective="most-flat-up", optimal=True, rng=1)
    assert found.status == kt.Status.FOUND and found.bound == 22 and len(asked) == 1
    assert int(kt.measure_tours(found.tour, "flat-up")["flat-up"][0]) == 22
    assert not can_prove(Problem.of((5, 6), closed=True), OBJECTIVES["most-flat-up"])
