"""The census of corners by marks on states: the same as with each tour made and measured."""

from __future__ import annotations

import math
from collections import Counter

import pytest

import knightstour as kt
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import LimitReached
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.census import by_corners, census
from knightstour.lab.counting.census.by_corners import TooManyStates, can_count, count_by_corners
from knightstour.lab.counting.census.by_visiting import visit
from knightstour.lab.counting.settings import Watch
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.statistics.table import STATISTICS

OVER_CORNERS = [name for name, row in STATISTICS.items() if row.adds_up_over == "corners"]
MUCH = 1 << 30

QUESTIONS = [
    Problem.of((5, 6), closed=True),
    Problem.of((3, 10), closed=True),
    Problem.of((4, 5)),
    Problem.of((5, 5)),
    Problem.of((5, 5), start=(0, 0)),
    Problem.of((3, 7), start=(0, 0)),
    Problem.of((4, 6), start=(0, 0), end=(3, 5)),
    Problem.of(kt.Board(4, 5, holes=[(0, 0), (0, 1)])),
    Problem.of(kt.Board(4, 6, leaper=(0, 1)), closed=True),
]


def of(problem: Problem, name: str, most_bytes: int = MUCH) -> dict[int, int]:
    return count_by_corners(WaySpace.build(problem), STATISTICS[name], Watch(problem), most_bytes)


@pytest.mark.parametrize("problem", QUESTIONS, ids=str)
def test_it_is_that_of_the_tours_one_by_one(problem):
    space = WaySpace.build(problem)
    assert can_count(space)
    for name in OVER_CORNERS if problem.board.leaper == (1, 2) else ["turns", "straight"]:
        tally = visit(space, name, Watch(problem))
        found = count_by_corners(space, STATISTICS[name], Watch(problem), MUCH)
        assert found == dict(sorted(tally.counts.items())), name


def test_moduli_have_no_common_factor_and_many_give_the_same(monkeypatch):
    expected = of(Problem.of((4, 5)), "turns")
    small = (101, 103, 107, 109, 113)
    monkeypatch.setattr(by_corners, "_moduli", lambda: iter(small))
    assert of(Problem.of((4, 5)), "turns") == expected
    monkeypatch.undo()
    moduli = [modulus for modulus, _ in zip(by_corners._moduli(), range(6), strict=False)]
    assert math.lcm(*moduli) == math.prod(moduli) and max(moduli) < 1 << 61


def test_marks_are_taken_away_again():
    # Of 3 tours with 0 corners, 4 with 1 and 2 with 3, one by one with every way to mark them.
    marked = Counter({k: 3 * math.comb(0, k) + 4 * math.comb(1, k) + 2 * math.comb(3, k) for k in range(5)})
    assert by_corners._without_marks([marked[k] for k in range(5)]) == {0: 3, 1: 4, 3: 2}


@pytest.mark.long
def test_limits_end_it():
    problem = Problem.of((4, 6))
    with pytest.raises(LimitReached):
        count_by_corners(
            WaySpace.build(problem), STATISTICS["turns"], Watch(problem, Budget(Limits(seconds=1e-9))), MUCH
        )
    with pytest.raises(TooManyStates):
        of(Problem.of((5, 6)), "turns", most_bytes=1000)


def test_a_census_takes_it_where_the_tours_take_long_and_else_makes_them(monkeypatch):
    monkeypatch.setattr(census, "_LEAST_SECONDS_TO_MARK", 0.0)
    monkeypatch.setattr(census, "_SECONDS_A_WAY", 0.0)
    marked = kt.census("5x5", "angle-90")
    monkeypatch.setattr(census, "_MARKED_BYTES", float("inf"))
    made = kt.census("5x5", "angle-90")
    assert (marked.how, made.how) == ("polynomials", "visits")
    assert marked.counts == made.counts


@pytest.mark.long
def test_6x6_and_5x10_by_turns():
    assert of(Problem.of((6, 6), closed=True), "turns") == {32: 18, 33: 344, 34: 1816, 35: 4504, 36: 3180}
    found = kt.census("5x10", "turns", closed=True)
    assert sum(found.counts.values()) == 13_311_268 and found.counts[41] == 60
