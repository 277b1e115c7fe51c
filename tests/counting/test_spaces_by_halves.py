"""TourSpaces of two halves: the same tours as by ways, a bijection of ranks and tours, and 8x8."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.examples import examples
from knightstour.core.checking.rows import Checker
from knightstour.core.methods.solve import find_tour
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.lab.counting.halves.cut import make_cut
from knightstour.lab.counting.spaces import by_halves, tour_space
from knightstour.lab.counting.spaces.by_halves import HalvesSpace, why_not_halves
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.move_counts import count_uses
from knightstour.lab.counting.spaces.tour_space import TourSpace, links_of, walk_links

# Larger versions of the counts in test_count.py.
pytestmark = pytest.mark.long


def assert_is_the_same(problem: Problem, most: int = 1000) -> int:
    """Check that halves and ways have the same tours or, if there are many, the same count and good samples."""
    ways = WaySpace.build(problem)
    halves = HalvesSpace.build(problem, threads=1)
    assert halves.count == ways.count, problem
    count = halves.count
    rng = np.random.default_rng(count)
    numbers = list(range(count))
    if count > most:
        numbers = [0, count - 1, *(int(k) for k in rng.choice(min(count, 2**40), size=most, replace=False))]
    if numbers:
        links = halves.links(numbers)
        orders = walk_links(links, problem)
        Checker(problem).check(orders)
        assert len({row.tobytes() for row in orders}) == len(set(numbers)), problem
        assert halves.numbers(links_of(orders, problem)) == numbers, problem
        if count <= most:
            assert sorted(ways.numbers(links)) == numbers, problem
    uses = {move: n for move, n in ways.move_counts().items() if n and move[1] >= 0}
    assert {move: n for move, n in count_uses(halves).items() if n} == uses, problem
    return count


@pytest.mark.parametrize(
    "problem, count",
    [
        (Problem((5, 6), closed=True), 8),
        (Problem((5, 8), closed=True), 44202),
        (Problem((8, 5), closed=True), 44202),
        (Problem((3, 10), closed=True), 16),
        (Problem((6, 6), closed=True, start="b2"), 9862),
        (Problem((5, 5)), 864),
        (Problem((5, 6)), 18784),
        (Problem((5, 5), start="a1"), 304),
        (Problem((5, 5), end="c3"), 64),
        (Problem((5, 5), start="a1", end="c3"), 16),
        (Problem((6, 6), start="a6", end="b6"), 46666),
        (Problem(Board(6, 6, holes=["a6", "e3"])), 87937),
    ],
    ids=str,
)
def test_halves_have_the_tours_that_ways_have(problem, count):
    assert assert_is_the_same(problem) == count


@st.composite
def cuttable(draw: st.DrawFn) -> Problem:
    """Problems on boards of moderate size, most with tours."""
    rows, cols = draw(st.sampled_from([(3, 7), (3, 8), (4, 5), (4, 6), (5, 5), (5, 6), (7, 4), (3, 9)]))
    squares = [(r, c) for r in range(rows) for c in range(cols)]
    holes = draw(st.lists(st.sampled_from(squares), unique=True, max_size=2))
    board = Board(rows, cols, holes=holes)
    free = [square for square in squares if square not in board.holes]
    closed = draw(st.booleans())
    start = draw(st.none() | st.sampled_from(free))
    end = None if closed else draw(st.none() | st.sampled_from(free))
    return Problem(board, closed=closed, start=start, end=None if end == start else end)


@examples(20)
@given(cuttable())
def test_halves_with_holes_and_ends_match_other_algorithms(problem):
    if why_not_halves(problem) is None:
        assert_is_the_same(problem, most=200)


@pytest.fixture(scope="module")
def six_by_seven():
    return TourSpace((6, 7), closed=True)


def test_all_numbers_of_6x7_are_there_and_back(six_by_seven):
    assert six_by_seven.numbering == "halves 1" and six_by_seven.count == 1067638
    numbers = [1, 1067638, *range(500_000, 501_000), *six_by_seven.random_numbers(1000, seed=1)]
    orders = six_by_seven.orders(numbers)
    assert six_by_seven.ranks(orders) == numbers
    assert len({row.tobytes() for row in orders}) == len(set(numbers))
    tour = six_by_seven.unrank(77)
    assert six_by_seven.rank(tour.shifted(11).reversed()) == 77
    assert find_tour((6, 7), closed=True, method="rotation", seed=5) in six_by_seven
    assert tour.rotated(180) in six_by_seven
    assert [six_by_seven.rank(t) for t in six_by_seven.iterate(40, 43)] == [40, 41, 42, 43]


def test_samples_of_halves_are_even(six_by_seven):
    """Each move is used as often as its exact number of tours predicts."""
    n = 20_000
    orders = six_by_seven.sample(n, seed=2026).orders.astype(int)
    uses = np.zeros((42, 42))
    np.add.at(uses, (orders, np.roll(orders, -1, axis=1)), 1)
    uses += uses.T
    counts = six_by_seven.move_counts()
    assert sum(counts.values()) == 42 * 1067638
    for (a, b), tours in counts.items():
        share = tours / six_by_seven.count
        spread = math.sqrt(n * share * (1 - share))
        seen = uses[a[0] * 7 + a[1], b[0] * 7 + b[1]]
        assert abs(seen - n * share) <= 5 * spread, (a, b)


def test_the_file_of_halves_gives_the_same_tours(six_by_seven, tmp_path):
    six_by_seven.save(tmp_path / "it.space")
    opened = TourSpace.open(tmp_path / "it.space")
    numbers = [1, 1067638, *six_by_seven.random_numbers(50, seed=1)]
    orders = six_by_seven.orders(numbers)
    assert opened.numbering == "halves 1"
    assert np.array_equal(opened.orders(numbers), orders)
    assert opened.ranks(orders) == numbers


def test_rejects_file_of_a_board_cut_differently(six_by_seven, tmp_path, monkeypatch):
    six_by_seven.save(tmp_path / "it.space")
    monkeypatch.setattr(by_halves, "make_cut", lambda problem, fold: make_cut(problem, fold=fold, columns=1))
    with pytest.raises(FormatError, match="cut differently"):
        TourSpace.open(tmp_path / "it.space")


def test_threads_make_the_same_halves():
    problem = Problem((6, 7), closed=True)
    one, three = (HalvesSpace.build(problem, threads=k) for k in (1, 3))
    assert one.arrays.keys() == three.arrays.keys()
    for name, array in one.arrays.items():
        assert np.array_equal(array, three.arrays[name]), name


def test_numbers_beyond_62_bits_are_python_integers(six_by_seven, monkeypatch):
    monkeypatch.setattr(by_halves, "_MAX_INT64", 1)
    problem = Problem((6, 7), closed=True)
    whole = HalvesSpace.build(problem, threads=1)
    numbers = [0, 1067637, *(k - 1 for k in six_by_seven.random_numbers(20, seed=2))]
    links = whole.links(numbers)
    assert whole._begins.dtype == object
    assert np.array_equal(walk_links(links, problem), six_by_seven.orders([k + 1 for k in numbers]))
    assert whole.numbers(links) == numbers


@pytest.mark.parametrize(
    ("kind", "number", "order"),
    [
        (WaySpace, 1, "0 8 4 17 28 15 2 6 19 27 23 10 21 29 16 5 9 1 12 25 14 18 26 22 11 3 7 20 24 13"),
        (WaySpace, 8, "0 8 19 27 23 10 2 6 14 1 12 25 21 29 16 5 9 22 11 3 7 18 26 15 4 17 28 20 24 13"),
        (HalvesSpace, 1, "0 8 4 17 28 15 2 6 19 27 23 10 21 29 16 5 9 1 12 25 14 3 11 22 26 18 7 20 24 13"),
        (HalvesSpace, 8, "0 8 4 17 28 15 23 27 19 6 2 10 21 29 16 5 9 1 12 25 14 18 26 22 11 3 7 20 24 13"),
    ],
)
def test_numbers_match_earlier_versions(kind: Any, number: int, order: str) -> None:
    """Numberings never change: "ways 1" and "halves 1" are promises."""
    problem = Problem((5, 6), closed=True)
    found = walk_links(kind.build(problem).links([number - 1]), problem)[0]
    assert " ".join(map(str, found.tolist())) == order


def test_a_class_with_too_many_tours_is_refused(monkeypatch):
    monkeypatch.setattr(by_halves, "_MAX_IN_A_CLASS", 100)
    with pytest.raises(LimitReached, match="numbering the tours of 6x7 is infeasible") as caught:
        HalvesSpace.build(Problem((6, 7), closed=True), threads=1)
    assert caught.value.result.problem == Problem((6, 7), closed=True) and "sample(board, n)" in caught.value.help


def test_classes_of_2_to_the_62_tours_are_refused():
    with pytest.raises(LimitReached, match="too many share the same middle"):
        TourSpace((6, 16), closed=True)


def test_the_way_of_numbering_depends_on_the_question_alone(monkeypatch):
    assert TourSpace((6, 6), closed=True).numbering == "ways 1"
    monkeypatch.setattr(tour_space, "why_not_halves", lambda problem: "for a test")
    with pytest.raises(LimitReached):
        TourSpace((6, 8), closed=True, max_nodes=1000)


def test_limits_end_the_making_of_halves():
    with pytest.raises(LimitReached, match="states"):
        TourSpace((6, 8), closed=True, max_nodes=10_000)
    with pytest.raises(LimitReached, match="of memory"):
        HalvesSpace.build(Problem((6, 8), closed=True), Budget(Limits(bytes=3_000_000)))


def test_tours_that_do_not_answer_are_noticed():
    space_of_paths = HalvesSpace.build(Problem((4, 5), start="a1"), threads=1)
    other = WaySpace.build(Problem((4, 5), start="b1"))
    with pytest.raises(InvalidTour):
        space_of_paths.numbers(other.links([0]))


@pytest.mark.slow
def test_the_closed_tours_of_8x8_have_their_numbers(tmp_path):
    made = TourSpace.build((8, 8), closed=True, path=tmp_path / "8x8.space", timeout=600)
    assert made.count == 13_267_364_410_532
    numbers = [1, made.count, *made.random_numbers(100_000, seed=1)]
    orders = made.orders(numbers)
    assert made.ranks(orders) == numbers
    assert len({row.tobytes() for row in orders}) == len(set(numbers))
    for seed in range(5):
        assert find_tour((8, 8), closed=True, method="rotation", seed=seed) in made
    counts = made.move_counts()
    assert sum(counts.values()) == 64 * made.count
    assert counts[(0, 0), (1, 2)] == counts[(0, 0), (2, 1)] == made.count
    # All images of a move are used equally often.
    assert counts[(0, 1), (2, 0)] == counts[(0, 6), (2, 7)] == counts[(0, 2), (1, 0)]
