"""The rotation method: its limits, what it finds, and the distances by which its end is led."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.examples import examples
from helpers.small_problems import adjacency_of
from helpers.strategies import boards
from knightstour.core.machine import slices
from knightstour.core.model.board import WRAPS, Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.search.rotation import rotation, start_state


def spent(**limits: Any) -> Budget:
    return Budget(Limits(**limits))


def is_answer(problem: Problem, order: Any) -> bool:
    """Whether the order is a tour as asked for, by the reference."""
    asked = {"closed": problem.closed, "start": problem.start, "end": problem.end}
    squares = [divmod(int(s), problem.board.cols) for s in order]
    return reference.is_tour(adjacency_of(problem.board), squares, **asked)


# ---------------------------------------------------------------- limits

# The centre's neighbours on 5x5 are of the smaller colour, so no tour starts there and rotations never end.
ENDLESS = Problem.of((5, 5), start="c2")


@pytest.mark.parametrize("nodes", [1, 2, 63, 64, 65, 1000, 33_333])
def test_the_limit_of_nodes_is_kept_exactly(nodes: int) -> None:
    budget = spent(nodes=nodes)
    outcome = rotation(ENDLESS, budget, 1)
    assert outcome.status is Status.UNDECIDED and budget.nodes == nodes
    assert outcome.reason == budget.why_stopped() and outcome.order is None


def test_a_search_goes_on_where_a_limit_stopped_it() -> None:
    problem = Problem.of((8, 8), closed=True)
    state, whole = start_state(problem, 5), start_state(problem, 5)
    status, stops = slices.RUNNING, 0
    while status == slices.RUNNING:
        status = slices.drive("rotation_step", state, spent(nodes=5))
        stops += 1
    assert slices.drive("rotation_step", whole, spent(nodes=10**6)) == status == slices.FOUND and stops > 1
    assert state.path.tolist() == whole.path.tolist() and state.counters.tolist() == whole.counters.tolist()


def seconds_of(problem: Problem, seconds: float, clock: Callable[[], float]) -> float:
    """How long an endless search with a limit takes."""
    started = clock()
    outcome = rotation(problem, spent(seconds=seconds), 1)
    assert outcome.status is Status.UNDECIDED and f"limit of {seconds:g} seconds" in outcome.reason
    return clock() - started


@pytest.mark.parametrize("seconds", [1e-9, 0.05, 0.2])
def test_the_limit_of_seconds_is_kept(seconds: float, processor_clock: Callable[[], float]) -> None:
    rotation(ENDLESS, spent(nodes=1000), 1)
    assert seconds <= seconds_of(ENDLESS, seconds, processor_clock) < seconds + 0.2


# ---------------------------------------------------------------- rotations


@pytest.mark.long
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_rotations_find_a_tour_wherever_the_table_says_there_is_one(closed: bool) -> None:
    for wrap in (None, *WRAPS):
        for rows, cols in ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3), (3, 4), (4, 3), (2, 7), (5, 3), (4, 4)):
            problem = Problem.of(Board(rows, cols, wrap=wrap), closed=closed)
            possible = reference.has_tour(reference.adjacency(reference.spec_of(problem.board)), closed=closed)
            outcome = rotation(problem, spent(nodes=20_000 if possible else 300), 1)
            assert (outcome.status is Status.FOUND) == possible, problem
            if possible:
                assert is_answer(problem, outcome.order)


@examples(100)
@given(boards(most_side=4, leapers=[(1, 2), (0, 1), (1, 1), (1, 3), (2, 3)]), st.booleans(), st.data())
def test_what_rotations_find_is_a_tour_as_asked_for(board: Board, closed: bool, data: st.DataObject) -> None:
    squares = st.none() | st.sampled_from(reference.all_squares(reference.spec_of(board)))
    start = data.draw(squares)
    end = None if closed else data.draw(squares)
    if start == end and start is not None and board.square_count > 1:
        end = None
    problem = Problem.of(board, closed=closed, start=start, end=end)
    adjacent = reference.adjacency(reference.spec_of(board))
    possible = reference.has_tour(adjacent, closed=closed, start=start, end=end)
    outcome = rotation(problem, spent(nodes=20_000 if possible else 500), data.draw(st.integers(0, 10**9)))
    assert (outcome.status is Status.FOUND) == possible
    if possible:
        assert is_answer(problem, outcome.order)


def test_the_same_seed_gives_the_same_tour_and_another_seed_another() -> None:
    problem = Problem.of((8, 8), closed=True)
    tours = [tuple(np.asarray(rotation(problem, spent(), seed).order).tolist()) for seed in (1, 1, 2, 3, -1, 10**30)]
    assert tours[0] == tours[1] and len(set(tours)) == 5


def among_holes(seed: int) -> Board:
    """100x100 without 100 squares of each colour."""
    squares = [divmod(s, 100) for s in range(10_000)]
    draw = random.Random(seed)
    colours = ([square for square in squares if sum(square) % 2 == colour] for colour in (0, 1))
    return Board(100, 100, holes=[hole for colour in colours for hole in draw.sample(colour, 100)])


# Turned at random alone, the end needed over a million steps to find the last squares of each of these boards.
@pytest.mark.long
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("seed_of_holes", [2, 3, 18, 25])
def test_the_end_is_led_to_the_last_free_squares(seed_of_holes: int, closed: bool) -> None:
    problem = Problem.of(among_holes(seed_of_holes), closed=closed)
    budget = spent(nodes=20_000)
    outcome = rotation(problem, budget, 1)
    assert outcome.status is Status.FOUND and is_answer(problem, outcome.order)


def test_two_squares_are_no_closed_tour() -> None:
    pair = Board.from_graph([[1], [0]])
    assert rotation(Problem.of(pair, closed=True), spent(nodes=500), 1).status is Status.UNDECIDED
    assert rotation(Problem.of(pair), spent(nodes=500), 1).status is Status.FOUND
