"""Numbering all tours of a board: every number one tour, every tour one number, and chance that is even."""

import itertools
import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from helpers import reference
from helpers.examples import examples
from helpers.small_problems import adjacency_of, problems
from knightstour.core.methods.solve import find_tour, solve
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import BoardError, InvalidTour, LimitReached, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.lab.counting.spaces.tour_space import TourSpace, links_of, walk_links


def space_of(problem: Problem) -> TourSpace:
    return TourSpace(problem.board, closed=problem.closed, start=problem.start, end=problem.end)


def reference_tours(problem: Problem) -> set[tuple[Any, ...]]:
    """All tours by plain recursion, each once, written as a TourSpace writes them."""
    cols = problem.board.cols
    kept = set()
    adjacent = adjacency_of(problem.board)
    for squares in reference.all_tours(adjacent, closed=problem.closed, start=problem.start, end=problem.end):
        order = tuple(r * cols + c for r, c in squares)
        if problem.closed:
            if order[1] < order[-1]:
                kept.add(order)
        elif problem.start is not None or problem.end is not None or order[0] <= order[-1]:
            kept.add(order)
    return kept


def assert_is_whole(space: TourSpace, tours: set[tuple[Any, ...]]) -> None:
    """Whether unrank gives just these tours, and rank the numbers back."""
    numbers = list(range(1, space.count + 1))
    orders = space.orders(numbers)
    assert {tuple(order) for order in orders.tolist()} == tours
    assert space.count == len(tours)
    if numbers:
        assert space.ranks(orders) == numbers


@examples(60)
@given(problems(most_squares=11))
def test_the_tours_of_small_boards_are_those_of_plain_recursion(problem):
    assert_is_whole(space_of(problem), reference_tours(problem))


@examples(40)
@given(problems(most_squares=10))
def test_move_counts_of_small_boards_are_those_of_plain_recursion(problem):
    found: dict[frozenset[Any], int] = {}
    for order in reference_tours(problem):
        squares = [divmod(s, problem.board.cols) for s in order]
        for move in reference.moves_of(squares, problem.closed):
            found[move] = found.get(move, 0) + 1
    counts = space_of(problem).move_counts()
    assert {frozenset(move): n for move, n in counts.items() if n} == found
    adjacent = adjacency_of(problem.board)
    assert {frozenset(move) for move in counts} == {frozenset((a, b)) for a in adjacent for b in adjacent[a]}


@pytest.mark.parametrize(
    "problem",
    [
        Problem.of((5, 5)),
        Problem.of((3, 10), closed=True),
        Problem.of((3, 12), closed=True),
        Problem.of((5, 5), start="a1"),
        Problem.of((5, 5), end="c3"),
        Problem.of((5, 5), start="a1", end="c3"),
        Problem.of(Board(5, 5, holes=["c3", "a1"]), closed=False),
        Problem.of(Board(3, 5, wrap="torus", leaper=(1, 1))),
        Problem.of(Board(3, 4, wrap="torus"), closed=True),
        Problem.of(Board(3, 6, wrap="mobius"), closed=True, start="a1"),
        Problem.of(Board(6, 6, leaper=(0, 1)), closed=True),
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
    # Ranking checks that each row is a tour as asked for.
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


@pytest.mark.parametrize(
    "problem", [Problem.of((5, 6), closed=True), Problem.of((5, 5)), Problem.of((5, 5), start="c3")]
)
def test_tours_found_in_other_ways_have_a_number(problem):
    space = space_of(problem)
    for seed in range(3):
        for method in ("rotation", "exact"):
            tour = find_tour(
                problem.board, closed=problem.closed, start=problem.start, end=problem.end, method=method, rng=seed
            )
            assert tour in space
            assert 1 <= space.rank(tour) <= space.count


def test_what_is_no_tour_of_the_space_is_refused_by_name():
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


@pytest.mark.parametrize("number", [1.5, "1", None, True])
def test_numbers_are_whole(number):
    with pytest.raises(ProblemError, match="whole number"):
        TourSpace((5, 6), closed=True).unrank(number)


def test_boards_without_tours_have_empty_spaces():
    for space in (TourSpace((4, 4), closed=True), TourSpace((1, 1), closed=True), TourSpace((2, 3))):
        assert space.count == len(space) == 0 and not space and list(space) == []
        assert not any(space.move_counts().values())
        with pytest.raises(ProblemError, match="so none has a number"):
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


def test_the_order_is_fixed():
    """A change here gives all tours other numbers: the numbering then needs a new name."""
    assert TourSpace((5, 6), closed=True).numbering == "ways 1"
    assert TourSpace((3, 4)).orders([1, 8]).tolist() == [
        [3, 5, 11, 2, 4, 10, 1, 8, 6, 0, 9, 7],
        [0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4],
    ]


def test_long_boards_have_numbers_past_64_bits():
    space = TourSpace((3, 80), closed=True)
    assert space.count > 2**80
    numbers = [1, space.count, space.count // 3, *space.random_numbers(20, rng=3)]
    orders = space.orders(numbers)
    assert space.ranks(orders) == numbers
    assert space.rank(space.sample(1, rng=5)[0]) == space.random_numbers(1, rng=5)[0]
    with pytest.raises(OverflowError):
        len(space)
    assert space
    counts = space.move_counts()
    assert sum(counts.values()) == 240 * space.count
    # Every tour goes through a corner by its two only moves.
    assert counts[(0, 0), (1, 2)] == counts[(0, 0), (2, 1)] == space.count


# ---------------------------------------------------------------- chance


def test_a_sample_is_the_tours_of_even_numbers():
    space = TourSpace((6, 6), closed=True)
    sample = space.sample(200, rng=11)
    numbers = space.random_numbers(200, rng=11)
    assert np.array_equal(sample.orders, space.orders(numbers))
    assert space.random_numbers(50, rng=11) == numbers[:50]
    assert sample.distribution == "uniform" and sample.seed == 11 and isinstance(sample[0], Tour)
    generator = np.random.default_rng(3)
    assert len(space.sample(2, rng=generator)) == 2
    assert space.sample(3, rng=generator).seed != space.sample(3, rng=generator).seed
    for wrong in (-1, 1.5):
        with pytest.raises(ProblemError):
            space.sample(wrong)


def test_samples_are_even():
    space = TourSpace((5, 5), start="a1")
    n = 20 * space.count
    hits = np.bincount(space.ranks(space.sample(n, rng=2026).orders), minlength=space.count + 1)[1:]
    chi_square = float(((hits - 20) ** 2 / 20).sum())
    # Of 303 degrees of freedom: five standard deviations either way.
    assert abs(chi_square - 303) < 5 * math.sqrt(2 * 303)


def test_large_numbers_are_drawn_evenly_too():
    space = TourSpace((3, 80), closed=True)
    numbers = space.random_numbers(4000, rng=1)
    hits = np.bincount([16 * (k - 1) // space.count for k in numbers], minlength=16)
    assert float(((hits - 250) ** 2 / 250).sum()) < 60
    assert min(numbers) >= 1 and max(numbers) <= space.count


# ---------------------------------------------------------------- links


def test_links_are_walked_as_the_question_says():
    board = Board(3, 4)
    order = TourSpace(board).orders([3]).astype(np.int64)
    first, last = (divmod(int(order[0, k]), 4) for k in (0, -1))
    for start, end in itertools.product((None, first), (None, last)):
        problem = Problem(board, False, start, end)
        assert np.array_equal(walk_links(links_of(order, problem), problem), order)
    back = Problem(board, False, last, None)
    assert np.array_equal(walk_links(links_of(order, back), back), order[:, ::-1])
    back = Problem(board, False, None, first)
    assert np.array_equal(walk_links(links_of(order, back), back), order[:, ::-1])


def test_boards_too_large_are_refused_with_what_to_do():
    with pytest.raises(BoardError, match="infeasible"):
        TourSpace((12, 12), closed=False)
    with pytest.raises(LimitReached):
        TourSpace((6, 6), closed=True, limits=Limits(nodes=1000))


def test_a_graph_has_a_space_too():
    board = Board.from_graph(nx.petersen_graph())
    assert TourSpace(board, closed=True).count == 0
    paths = TourSpace(board)
    assert paths.count == 120 and solve(board).tour in paths


@pytest.mark.parametrize("board", [(6, 6), pytest.param((6, 8), marks=pytest.mark.long), (5, 8)], ids=str)
def test_the_part_that_is_done_grows_to_the_whole(board):
    seen = []
    space = TourSpace(board, closed=True, on_progress=lambda progress: seen.append(progress.part))
    assert space.count and seen == sorted(seen)
    assert 0 <= seen[0] < 0.2 and 0.9 < seen[-1] <= 1
    # It goes on all the time, not only at the ends.
    assert len(set(seen)) > 10
