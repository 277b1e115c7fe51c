"""Symmetric tours on demand: each has its symmetry, and where there is none the counts agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.strategies import boards
from knightstour.core.methods.table import METHODS
from knightstour.core.model.problem import Problem
from knightstour.core.model.symmetry import symmetries
from knightstour.core.proofs.symmetric import actions, may_be_symmetric
from knightstour.core.search.quotient import exchanged_steps
from knightstour.lab.counting.symmetric import count_symmetric

ENOUGH = kt.Limits(seconds=30)


def closed_form_table(most):
    """The questions of `may_be_symmetric` up to a side: rows, cols, symmetry, closed."""
    for rows in range(3, most + 1):
        for cols in range(3, most + 1):
            names = ["180", "vertical", "horizontal", *(["90", "diagonal", "antidiagonal"] if rows == cols else [])]
            yield from ((rows, cols, name, closed) for name in names for closed in (True, False))


def has(tour, name, closed):
    """Whether a tour has a symmetry, by the reference."""
    squares = [tuple(map(int, square)) for square in tour.squares]
    return name in reference.tour_symmetries(reference.spec_of(tour.board), squares, closed)


@pytest.mark.parametrize(
    ("board", "asked"),
    [
        ((6, 6), {"closed": True, "symmetry": "90"}),
        ((6, 6), {"closed": True, "symmetry": "180"}),
        ((8, 8), {"closed": True, "symmetry": "180"}),
        ((10, 10), {"closed": True, "symmetry": "90"}),
        ((12, 12), {"closed": True, "symmetry": "180"}),
        ((14, 14), {"closed": True, "symmetry": "180"}),
        ((7, 8), {"closed": True, "symmetry": "180"}),
        ((3, 10), {"closed": True, "symmetry": "180"}),
        ((5, 6), {"closed": True, "symmetry": "vertical"}),
        ((6, 5), {"closed": True, "symmetry": "horizontal"}),
        ((3, 4), {"symmetry": "180"}),
        ((5, 5), {"symmetry": "180"}),
        ((5, 8), {"symmetry": "180"}),
        (kt.Board(7, 7, holes=["d4"]), {"closed": True, "symmetry": "90"}),
        (kt.Board(6, 6, holes=["a1", "a6", "f1", "f6"]), {"closed": True, "symmetry": "180"}),
        (kt.Board(5, 5, wrap="torus", holes=["c3"]), {"closed": True, "symmetry": "180"}),
        (kt.Board(6, 6, leaper=(0, 1)), {"closed": True, "symmetry": "90"}),
        (kt.Board(10, 10, leaper=(2, 3)), {"closed": True, "symmetry": "180"}),
    ],
    ids=str,
)
def test_a_tour_has_the_symmetry_that_was_asked_for(board, asked):
    for seed in (1, 2):
        tour = kt.find_tour(board, **asked, rng=seed, limits=ENOUGH)
        assert has(tour, asked["symmetry"], asked.get("closed", False))
    assert np.array_equal(tour.order, kt.find_tour(board, **asked, rng=2, limits=ENOUGH).order)


@pytest.mark.parametrize(
    ("board", "kind"),
    [
        ((6, 6), "Eulerian"),
        ((7, 6), "Eulerian"),
        ((7, 6), "Bergholtian"),
        ((7, 8), "Bergholtian"),
        ((10, 10), "birotary"),
        ((5, 6), "Sulian"),
        ((10, 7), "Sulian"),
    ],
)
def test_a_kind_may_be_asked_for_by_its_name(board, kind):
    tour = kt.find_tour(board, closed=True, symmetry=kind.lower(), rng=3, limits=ENOUGH)
    assert tour.symmetry_name == kind
    with pytest.raises(kt.ProblemError, match=f"{kind} tours are closed"):
        kt.solve(board, symmetry=kind)


def test_a_murraian_tour_needs_a_board_with_two_squares_on_its_axis():
    plain = kt.solve((8, 9), closed=True, symmetry="Murraian")
    assert plain.status is kt.Status.IMPOSSIBLE and "keeps 8 squares" in plain.reason
    board = kt.Board(6, 7, holes=["d1", "d2", "d5", "d6"])
    result = kt.solve(board, closed=True, symmetry="Murraian", rng=1, limits=ENOUGH)
    assert result.tour is None or result.tour.symmetry_name == "Murraian"
    assert result.status is not kt.Status.UNDECIDED


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name == "portfolio"))
        for name, row in METHODS.items()
        if "symmetry" in row.takes
    ],
)
def test_every_method_that_takes_graphs_finds_one(name):
    limits = kt.Limits(seconds=20, nodes=2_000_000)
    result = kt.solve(
        (5, 6), closed=True, symmetry="vertical", method=name, rng=1, limits=limits, proofs=name == "auto"
    )
    assert result.status is kt.Status.FOUND
    assert has(result.tour, "vertical", True)


def test_the_closed_form_is_what_colours_and_kept_squares_say():
    for rows, cols, name, closed in closed_form_table(14):
        problem = Problem.of((rows, cols), closed=closed, symmetry=name)
        if closed and rows * cols % 2:
            assert not may_be_symmetric(rows, cols, name, closed=True)
            continue
        assert bool(actions(problem)[0]) == may_be_symmetric(rows, cols, name, closed=closed), problem


def _counted(most_squares):
    return [
        question for question in closed_form_table(12) if question[0] <= 7 and question[0] * question[1] <= most_squares
    ]


def _check_against_the_count(rows, cols, name, closed):
    count = count_symmetric((rows, cols), name, closed=closed)
    if not may_be_symmetric(rows, cols, name, closed=closed):
        assert count == 0
        return
    result = kt.solve((rows, cols), closed=closed, symmetry=name, rng=1, limits=ENOUGH)
    assert (result.status, bool(result.reason)) == (
        (kt.Status.FOUND, False) if count else (kt.Status.IMPOSSIBLE, True)
    ), (rows, cols, name, closed, count)


@pytest.mark.parametrize("question", _counted(30), ids=str)
def test_there_is_one_just_where_there_are_some(question):
    _check_against_the_count(*question)


@pytest.mark.long
@pytest.mark.parametrize("question", [q for q in _counted(50) if q not in _counted(30)], ids=str)
def test_there_is_one_just_where_there_are_some_on_larger_boards(question):
    _check_against_the_count(*question)


@examples(40)
@given(board=boards(most_side=4), closed=st.booleans(), data=st.data())
def test_small_boards_of_all_kinds_are_decided_as_by_hand(board, closed, data):
    assume(4 <= board.square_count <= 12)
    names = {found.name for found in symmetries(board)} - {"identity"}
    assume(names)
    name = data.draw(st.sampled_from(sorted(names)))
    adjacent = reference.adjacency(reference.spec_of(board))
    wanted = any(
        name in reference.tour_symmetries(reference.spec_of(board), tour, closed)
        for tour in reference.all_tours(adjacent, closed=closed)
    )
    result = kt.solve(board, closed=closed, symmetry=name, rng=1)
    assert result.status is (kt.Status.FOUND if wanted else kt.Status.IMPOSSIBLE)


@given(data=st.data(), order=st.integers(2, 8), pairs=st.integers(1, 5))
def test_exchanged_moves_lift_a_cycle_where_any_do(data, order, pairs):
    choices = [sorted(data.draw(st.sets(st.integers(0, order - 1), min_size=1, max_size=3))) for _ in range(pairs)]
    fits = np.zeros((pairs, order), dtype=bool)
    for at, steps in enumerate(choices):
        fits[at, steps] = True
    sums = {0}
    for steps in choices:
        sums = {total + step for total in sums for step in steps}
    found = exchanged_steps(fits, order)
    assert (found is not None) == any(np.gcd(total, order) == 1 for total in sums)
    if found is not None:
        assert all(step in steps for step, steps in zip(found.tolist(), choices, strict=True))
        assert np.gcd(int(found.sum()), order) == 1


def test_a_quarter_turn_of_8x8_is_impossible_by_colours():
    result = kt.solve((8, 8), closed=True, symmetry="90")
    assert result.status is kt.Status.IMPOSSIBLE
    assert "16 steps along the tour, to the same colour" in result.reason
    assert result.source == "colours and fixed squares under a symmetry, docs/proofs.md"


def test_several_symmetric_tours_are_different():
    result = kt.solve((8, 8), closed=True, symmetry="180", n=5, unique=True, rng=1)
    assert len({tour.canonical() for tour in result.tours}) >= 3
    assert all(has(tour, "180", True) for tour in result.tours)


@pytest.mark.parametrize(
    ("board", "name", "closed"),
    [
        ((6, 6), "180", True),
        ((6, 6), "90", True),
        ((5, 5), "180", False),
        ((5, 6), "vertical", True),
        ((3, 10), "180", True),
        ((3, 8), "180", False),
        ((4, 5), "180", False),
        ((5, 6), "180", False),
        ((3, 4), "180", False),
        (kt.Board(3, 5, wrap="cylinder"), "180", False),
        (kt.Board(4, 4, wrap="torus"), "180 + shift (1, 1)", True),
        (kt.Board(4, 4, wrap="cylinder"), "shift (0, 1)", True),
        (kt.Board(4, 4, leaper=(0, 1)), "vertical", True),
    ],
    ids=str,
)
def test_all_symmetric_tours_are_listed_once(board, name, closed):
    tours = list(kt.iter_tours(board, closed=closed, symmetry=name))
    made = {frozenset(reference.moves_of([tuple(map(int, s)) for s in tour.squares], closed)) for tour in tours}
    assert len(made) == len(tours) == count_symmetric(board, name, closed=closed)
    assert all(has(tour, name, closed) for tour in tours)
    both = list(kt.iter_tours(board, closed=closed, symmetry=name, directed=True))
    assert len({tour.order.tobytes() for tour in both}) == 2 * len(tours)


def test_lists_of_symmetric_tours_keep_to_their_kind_and_limits():
    eulerian = list(kt.iter_tours((6, 6), closed=True, symmetry="Eulerian"))
    assert len(eulerian) == 68 and {tour.symmetry_name for tour in eulerian} == {"Eulerian"}
    assert len(kt.solve((6, 6), closed=True, symmetry="90", n=20, unique=True, rng=1).tours) == 10
    with pytest.raises(kt.LimitReached):
        list(kt.iter_tours((8, 8), closed=True, symmetry="180", limits=kt.Limits(nodes=10_000)))
    with pytest.raises(kt.MethodError, match="symmetric tours have no order of the moves"):
        kt.iter_tours((6, 6), closed=True, symmetry="90", move_order="random")


def test_what_has_no_symmetric_answer_says_so():
    problem = Problem.of((6, 6), closed=True, symmetry="180")
    for ask in (kt.TourSpace, kt.certify_count):
        with pytest.raises(kt.MethodError, match="takes no symmetry"):
            ask(problem)
    assert kt.count_tours(problem) == kt.count_tours((6, 6), closed=True, symmetry="180") == 78
    with pytest.raises(kt.ProblemError, match="a Problem says itself what is asked"):
        kt.count_tours(problem, symmetry="90")
    with pytest.raises(kt.ProblemError, match="Eulerian tours are not counted by themselves"):
        kt.count_tours((6, 6), closed=True, symmetry="Eulerian")
    with pytest.raises(kt.MethodError, match="method explicit does not apply: it knows nothing of a symmetry"):
        kt.solve(problem, method="explicit")
