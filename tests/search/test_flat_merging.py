"""Loop merging of flat boards row by row, also of small ones, against the slow checks of reference.py."""

from __future__ import annotations

import pytest

from helpers.checks import assert_answers
from helpers.strategies import QUESTIONS
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.search import flat_merging
from knightstour.core.search.flat_merging import merge_flat
from knightstour.core.search.merging import merge


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("size", [(12, 12), (20, 20), (32, 24)])
def test_even_boards_have_all_kinds_of_tours(size, kind):
    problem = Problem.of(size, **kind)
    outcomes = [merge_flat(problem, Budget(), seed) for seed in range(3)]
    assert any(outcomes)
    for outcome in filter(None, outcomes):
        assert_answers(problem, outcome)


@pytest.mark.parametrize("size", [(26, 24), (25, 24), (30, 30), (21, 30), (8, 80)])
def test_boards_with_margins_have_them_too(size):
    for kind in ({"closed": True}, {}, {"start": "a1"}, {"start": "a1", "end": "b1"}, {"closed": True, "start": "c3"}):
        problem = Problem.of(size, **kind)
        outcomes = [merge_flat(problem, Budget(), seed) for seed in range(4)]
        assert any(outcomes)
        for outcome in filter(None, outcomes):
            assert_answers(problem, outcome)


@pytest.mark.parametrize("size", [(25, 25), (27, 33), (9, 81)])
def test_boards_of_an_odd_number_of_squares_have_open_tours(size):
    for kind in ({}, {"start": (0, 0)}, {"start": (0, 0), "end": (4, 4)}, {"end": (2, 2)}):
        problem = Problem.of(size, **kind)
        outcomes = [merge_flat(problem, Budget(), seed) for seed in range(6)]
        assert any(outcomes)
        for outcome in filter(None, outcomes):
            assert_answers(problem, outcome)


def test_boards_without_a_cover_by_pairs_are_left_to_the_search():
    assert merge_flat(Problem.of((12, 12), start="a1", end="c1"), Budget(), 1) is None


@pytest.mark.long
def test_it_is_for_large_flat_boards(monkeypatch):
    monkeypatch.setattr(flat_merging, "LARGE", 100)
    assert flat_merging.is_for(Problem.of((12, 12)))
    assert not flat_merging.is_for(Problem.of((8, 8)))
    assert flat_merging.is_for(Problem.of((13, 12), closed=True))
    assert flat_merging.is_for(Problem.of((13, 13)))
    assert not flat_merging.is_for(Problem.of((13, 13), closed=True))
    assert not flat_merging.is_for(Problem.of((7, 40)))
    assert not flat_merging.is_for(Problem.of(Board(12, 12, wrap="torus")))
    assert not flat_merging.is_for(Problem.of(Board(12, 12, leaper=(2, 3))))
    problem = Problem.of((12, 12), closed=True, start="c3")
    outcome = merge(problem, Budget(), 5)
    assert outcome.status is Status.FOUND
    assert outcome.counters["repairs"] == 0
    assert_answers(problem, outcome)
    assert merge(problem, Budget(), 5).order.tolist() == outcome.order.tolist()
    assert merge(problem, Budget(), 6).order.tolist() != outcome.order.tolist()


def test_a_board_of_more_squares_than_nodes_is_left_to_the_search():
    assert merge_flat(Problem.of((12, 12)), Budget(Limits(nodes=143)), 1) is None
