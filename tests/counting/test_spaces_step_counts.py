"""Step counts: over all tours as by plain recursion, over a sample within its errors."""

import numpy as np
import pytest
from hypothesis import given, strategies

from helpers.examples import examples
from helpers.small_problems import problems, tours_of
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, keyword_arguments
from knightstour.lab.counting.settings import CountProgress
from knightstour.lab.counting.spaces import step_counts, visiting
from knightstour.lab.counting.spaces.by_halves import HalvesSpace
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.tour_space import TourSpace
from knightstour.lab.counting.spaces.visiting import orders_between


def space_of(problem: Problem) -> TourSpace:
    return TourSpace(problem.board, **keyword_arguments(problem))


def walked(problem: Problem, *, directed: bool) -> np.ndarray:
    """Return step counts by plain recursion over all tours."""
    board = problem.board
    counts = np.zeros((board.rows, board.cols, len(board)), dtype=np.int64)
    for tour in tours_of(problem, directed=directed):
        for step, (row, col) in enumerate(tour):
            counts[row, col, step] += 1
    return counts


@examples(60)
@given(problems(most_squares=11))
def test_steps_of_small_boards_match_plain_recursion(problem):
    space = space_of(problem)
    for directed in (False, True):
        assert (space.step_counts(directed=directed) == walked(problem, directed=directed)).all()


@examples(40)
@given(problems(most_squares=11), strategies.data())
def test_tours_from_any_rank_match_unranking(problem, data):
    space = space_of(problem)
    ways = WaySpace.build(problem)
    if len(problem.board) == 1 or not ways.count:
        return
    first = data.draw(strategies.integers(1, ways.count))
    last = data.draw(strategies.integers(first, ways.count))
    found = [order for orders in orders_between(ways, first, last) for order in orders.tolist()]
    assert found == space.orders(range(first, last + 1)).tolist()


@pytest.mark.long
@pytest.mark.parametrize(
    "question", [{"closed": True}, {}, {"start": "a1"}, {"end": "e5"}, {"start": "c3", "end": "a1"}]
)
def test_in_pieces_and_by_orders_it_is_the_same(question, monkeypatch):
    board = (5, 6) if "closed" in question else (5, 5)
    space = TourSpace(board, **question)
    by_orders = space.step_counts()
    monkeypatch.setattr(step_counts, "_FEW_TOURS", 0)
    monkeypatch.setattr(visiting, "_AT_ONCE", 7)
    assert (space.step_counts() == by_orders).all()
    assert (by_orders.sum(axis=(0, 1)) == space.count).all() and (by_orders.sum(axis=2) == space.count).all()


@pytest.mark.long
def test_spaces_of_halves_iterate_by_paths_or_tours(monkeypatch):
    problem = Problem((5, 5))
    wanted = space_of(problem).step_counts()
    halves = HalvesSpace.build(problem)
    space = TourSpace.__new__(TourSpace)
    space._set_tours(problem, halves)
    assert wanted.any() and (space.step_counts() == wanted).all()
    monkeypatch.setattr(step_counts, "_FEW_TOURS", 0)
    assert (space.step_counts() == wanted).all()

    def refuse(problem: Problem) -> WaySpace:
        raise CountProgress(problem).limit_error("infeasible")

    monkeypatch.setattr(WaySpace, "build", refuse)
    monkeypatch.setattr(step_counts, "_AT_ONCE", 100)
    assert (space.step_counts() == wanted).all()


def test_too_large_spaces_give_a_reason_and_help():
    space = TourSpace((3, 60), closed=True)
    with pytest.raises(ProblemError, match="up to 10,000,000, and there are 83,842,346") as caught:
        space.step_counts()
    assert "but not their lengths" in caught.value.note and "estimate_step_counts" in caught.value.help
    with pytest.raises(ProblemError, match="up to 5"):
        TourSpace((5, 6), closed=True).step_counts(most_tours=5)
    assert TourSpace((5, 6), closed=True).step_counts(most_tours=8).sum() == 8 * 30


def test_impossible_board_visits_no_node():
    space = TourSpace((4, 4))
    assert space.count == 0 and not space.step_counts().any()
    with pytest.raises(ProblemError, match="there are no open tours"):
        space.estimate_step_counts(10, seed=1)
    assert TourSpace((1, 1)).step_counts(directed=True).tolist() == [[[1]]]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("question", [{"closed": True}, {}, {"start": "a1"}])
def test_estimates_are_near_the_truth_by_their_errors(question, directed):
    space = TourSpace((5, 6) if "closed" in question else (5, 5), **question)
    exact = space.step_counts(directed=directed)
    found = space.estimate_step_counts(4000, seed=5, directed=directed)
    assert found.counts.shape == found.errors.shape == exact.shape and (found.errors > 0).all()
    off = (found.counts - exact) / found.errors
    assert np.abs(off).max() < 5.5
    # About two thirds of random counts are within one standard error.
    chance = (exact > 0.02 * space.count) & (exact < 0.98 * space.count)
    assert 0.55 < (np.abs(off[chance]) < 1).mean() < 0.8
    assert found.counts.sum() == pytest.approx(exact.sum())
    again = space.estimate_step_counts(4000, seed=5, directed=directed)
    assert (again.counts == found.counts).all() and again.seed == found.seed == 5 and again.samples == 4000
