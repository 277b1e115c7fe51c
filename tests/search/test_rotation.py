"""The rotation method: its tours, and the distances that guide its end."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.checks import assert_answers
from helpers.examples import examples
from helpers.strategies import boards
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.search.rotation import rotation


def spent(**limits: Any) -> Budget:
    return Budget(Limits(**limits))


@examples(100)
@given(boards(most_side=4, leapers=[(1, 2), (0, 1), (1, 1), (1, 3), (2, 3)]), st.booleans(), st.data())
def test_tours_by_rotation_meet_the_conditions(board: Board, closed: bool, data: st.DataObject) -> None:
    squares = st.none() | st.sampled_from(reference.all_squares(reference.spec_of(board)))
    start = data.draw(squares)
    end = None if closed else data.draw(squares)
    if start == end and start is not None and len(board) > 1:
        end = None
    problem = Problem(board, closed=closed, start=start, end=end)
    adjacent = reference.adjacency(reference.spec_of(board))
    possible = reference.has_tour(adjacent, closed=closed, start=start, end=end)
    outcome = rotation(problem, spent(nodes=20_000 if possible else 500), data.draw(st.integers(0, 10**9)))
    assert (outcome.status is Status.FOUND) == possible
    if possible:
        assert_answers(problem, outcome)


def among_holes(seed: int) -> Board:
    """Return 100x100 without 100 squares of each colour."""
    squares = [divmod(s, 100) for s in range(10_000)]
    draw = random.Random(seed)
    colours = ([square for square in squares if sum(square) % 2 == colour] for colour in (0, 1))
    return Board(100, 100, holes=[hole for colour in colours for hole in draw.sample(colour, 100)])


# With random rotations only, each of these boards needed over a million steps for the last squares.
@pytest.mark.long
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("seed_of_holes", [2, 3, 18, 25])
def test_the_end_is_led_to_the_last_free_squares(seed_of_holes: int, closed: bool) -> None:
    problem = Problem(among_holes(seed_of_holes), closed=closed)
    budget = spent(nodes=20_000)
    outcome = rotation(problem, budget, 1)
    assert_answers(problem, outcome)


def test_two_squares_have_no_closed_tour() -> None:
    pair = Board.from_graph([[1], [0]])
    assert rotation(Problem(pair, closed=True), spent(nodes=500), 1).status is Status.UNDECIDED
    assert rotation(Problem(pair), spent(nodes=500), 1).status is Status.FOUND
