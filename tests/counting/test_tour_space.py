"""Numbering of all tours of a board: a bijection of ranks and tours, and uniform samples."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from helpers import reference
from helpers.examples import examples
from helpers.small_problems import adjacency_of, problems, tours_of
from knightstour.core.methods.solve import find_tour
from knightstour.core.model.board import Board
from knightstour.core.model.errors import InvalidTour, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.lab.counting.spaces.tour_space import TourSpace


def space_of(problem: Problem) -> TourSpace:
    return TourSpace(problem.board, closed=problem.closed, start=problem.start, end=problem.end)


@examples(60)
@given(problems(most_squares=11))
def test_tours_of_small_boards_match_plain_recursion(problem):
    space, tours = space_of(problem), tours_of(problem)
    numbers = list(range(1, space.count + 1))
    orders = space.orders(numbers)
    assert sorted(orders.tolist()) == sorted([r * problem.board.cols + c for r, c in tour] for tour in tours)
    assert not numbers or space.ranks(orders) == numbers


@examples(40)
@given(problems(most_squares=10))
def test_move_counts_match_plain_recursion(problem):
    found: dict[frozenset[Any], int] = {}
    for tour in tours_of(problem):
        for move in reference.moves_of(list(tour), problem.closed):
            found[move] = found.get(move, 0) + 1
    counts = space_of(problem).move_counts()
    assert {frozenset(move): n for move, n in counts.items() if n} == found
    adjacent = adjacency_of(problem.board)
    assert {frozenset(move) for move in counts} == {frozenset((a, b)) for a in adjacent for b in adjacent[a]}


@pytest.mark.parametrize(
    "problem",
    [
        Problem((5, 5)),
        Problem((3, 10), closed=True),
        Problem((3, 12), closed=True),
        Problem((5, 5), start="a1"),
        Problem((5, 5), end="c3"),
        Problem((5, 5), start="a1", end="c3"),
        Problem(Board(5, 5, holes=["c3", "a1"]), closed=False),
        Problem(Board(3, 5, wrap="torus", leaper=(1, 1))),
        Problem(Board(3, 4, wrap="torus"), closed=True),
        Problem(Board(3, 6, wrap="mobius"), closed=True, start="a1"),
        Problem(Board(6, 6, leaper=(0, 1)), closed=True),
    ],
    ids=str,
)
def test_all_tours_have_their_numbers(problem):
    space = space_of(problem)
    count = space.count
    assert 0 < count < 40_000
    numbers = list(range(1, count + 1))
    orders = space.orders(numbers)
    assert len({row.tobytes() for row in orders}) == count
    # Ranking checks that each row is a tour of the problem.
    assert space.ranks(orders) == numbers


def test_a_tour_is_known_however_it_is_written_down():
    space = TourSpace((6, 6), closed=True)
    tour = space.unrank(4000)
    assert space.rank(tour) == 4000
    for steps in (1, 17, 35):
        assert space.rank(tour.shifted(steps)) == space.rank(tour.shifted(steps).reversed()) == 4000
    assert space.rank(tour.labels) == 4000
    assert space.rank(np.asarray(tour)) == 4000
    images = {space.rank(tour.rotated(turn)) for turn in (0, 90, 180, 270)}
    assert len(images) in (1, 2, 4) and 4000 in images
    paths = TourSpace((5, 5))
    assert paths.rank(paths.unrank(17).reversed()) == 17


def test_rejects_tours_outside_the_space():
    space = TourSpace((5, 6), closed=True)
    with pytest.raises(ProblemError, match="6x5 board"):
        space.rank(TourSpace((6, 5), closed=True).unrank(1))
    open_tour = find_tour((5, 6), start="a1", end="f5", method="backtracking")
    with pytest.raises(ProblemError, match="not closed"):
        space.rank(open_tour)
    with pytest.raises(InvalidTour):
        space.rank([(0, 0), (1, 1)])
    assert open_tour not in space
    assert "a1" not in space
    assert None not in space
    from_a1 = TourSpace((5, 5), start="a1")
    assert from_a1.unrank(1).reversed() not in from_a1
    with pytest.raises(ProblemError, match="starts at"):
        from_a1.rank(from_a1.unrank(1).reversed())
    with pytest.raises(ProblemError, match="ends at"):
        TourSpace((5, 5), end="c3").rank(from_a1.unrank(1))
    with pytest.raises(InvalidTour):
        space.ranks(np.zeros((1, 30), dtype=int))
    with pytest.raises(InvalidTour):
        space.ranks(np.zeros(30, dtype=int))


@pytest.mark.parametrize("number", [0, -1, 9, 10**30])
def test_numbers_outside_are_refused(number):
    space = TourSpace((5, 6), closed=True)
    with pytest.raises(ProblemError, match="no tour number") as caught:
        space.unrank(number)
    assert "8" in caught.value.help
    assert isinstance(caught.value, ValueError)


def test_boards_without_tours_have_empty_spaces():
    for space in (TourSpace((4, 4), closed=True), TourSpace((1, 1), closed=True), TourSpace((2, 3))):
        assert space.count == len(space) == 0 and not space and list(space) == []
        assert not any(space.move_counts().values())
        with pytest.raises(ProblemError, match="to number"):
            space.unrank(1)
        with pytest.raises(ProblemError, match="to draw"):
            space.sample(1)
        assert len(space.sample(0)) == 0
    single = TourSpace((1, 1))
    assert single.count == 1 and single.rank(single.unrank(1)) == 1 and single.move_counts() == {}


def test_iteration_goes_in_order_from_any_number():
    space = TourSpace((4, 5))
    tours = list(space)
    assert [space.rank(tour) for tour in tours] == list(range(1, 83))
    assert list(space.iterate(80)) == tours[79:]
    assert list(space.iterate(5, 9)) == tours[4:9]
    assert list(space.iterate(7, 3)) == [] == list(space.iterate(83))
    assert next(space.iterate(30)) == space.unrank(30)
    with pytest.raises(ProblemError):
        space.iterate(0)


def test_long_boards_have_numbers_past_64_bits():
    space = TourSpace((3, 80), closed=True)
    assert space.count > 2**80
    numbers = [1, space.count, space.count // 3, *space.random_numbers(20, seed=3)]
    orders = space.orders(numbers)
    assert space.ranks(orders) == numbers
    assert space.rank(space.sample(1, seed=5)[0]) == space.random_numbers(1, seed=5)[0]
    with pytest.raises(OverflowError):
        len(space)
    assert space
    counts = space.move_counts()
    assert sum(counts.values()) == 240 * space.count
    # Every tour uses both moves of a corner.
    assert counts[(0, 0), (1, 2)] == counts[(0, 0), (2, 1)] == space.count


# ---------------------------------------------------------------- chance


def test_a_sample_is_the_tours_of_even_numbers():
    space = TourSpace((6, 6), closed=True)
    sample = space.sample(200, seed=11)
    numbers = space.random_numbers(200, seed=11)
    assert np.array_equal(sample.orders, space.orders(numbers))
    assert space.random_numbers(50, seed=11) == numbers[:50]
    assert sample.distribution == "uniform" and sample.seed == 11 and isinstance(sample[0], Tour)
    generator = np.random.default_rng(3)
    assert len(space.sample(2, seed=generator)) == 2
    assert space.sample(3, seed=generator).seed != space.sample(3, seed=generator).seed
    for wrong, error in ((-1, ProblemError), (1.5, TypeError)):
        with pytest.raises(error):
            space.sample(wrong)


def test_samples_are_even():
    space = TourSpace((5, 5), start="a1")
    n = 20 * space.count
    hits = np.bincount(space.ranks(space.sample(n, seed=2026).orders), minlength=space.count + 1)[1:]
    chi_square = float(((hits - 20) ** 2 / 20).sum())
    # 303 degrees of freedom: within five standard deviations.
    assert abs(chi_square - 303) < 5 * math.sqrt(2 * 303)


# ---------------------------------------------------------------- links


@pytest.mark.parametrize("board", [(6, 6), pytest.param((6, 8), marks=pytest.mark.long), (5, 8)], ids=str)
def test_the_part_that_is_done_grows_to_the_whole(board):
    seen = []
    space = TourSpace(board, closed=True, on_progress=lambda progress: seen.append(progress.part))
    assert space.count and seen == sorted(seen)
    assert 0 <= seen[0] < 0.2 and 0.9 < seen[-1] <= 1
    # It is called throughout, not only at the ends.
    assert len(set(seen)) > 10
