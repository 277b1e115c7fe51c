"""Counts by states of the frontier against plain recursion, and published numbers; frontiers too wide for a word."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from helpers import reference
from helpers.examples import examples
from helpers.small_problems import adjacency_of, problems
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import BoardError, LimitReached
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.search.frontier.plan import Plan
from knightstour.lab.counting import sums
from knightstour.lab.counting.spaces import by_states
from knightstour.lab.counting.sums import count_states, list_ways

COUNTS = tomllib.loads((Path(__file__).parents[1] / "data" / "counts.toml").read_text())


def counted(problem: Problem) -> tuple[int, int]:
    """(undirected, directed) by plain recursion."""
    walks = list(
        reference.all_tours(adjacency_of(problem.board), closed=problem.closed, start=problem.start, end=problem.end)
    )
    if len(walks[:1]) and len(walks[0]) == 1:
        return 1, 1
    if problem.closed or (problem.start is None and problem.end is None):
        assert len(walks) % 2 == 0
        return len(walks) // 2, len(walks)
    return len(walks), len(walks)


@examples(80)
@given(problems(most_squares=11))
def test_counts_of_small_boards_are_those_of_plain_recursion(problem):
    answer = count_states(problem)
    assert (answer.undirected, answer.directed) == counted(problem)
    assert list_ways(problem).count == answer.undirected


@pytest.mark.long
def test_every_pair_of_ends_of_small_rectangles_is_counted_rightly():
    for rows, cols in [(3, 3), (3, 4), (4, 3), (4, 4)]:
        squares = [(r, c) for r in range(rows) for c in range(cols)]
        for start in squares:
            for end in squares:
                if start != end:
                    problem = Problem(Board(rows, cols), False, start, end)
                    assert count_states(problem)[:2] == counted(problem)


def test_tours_with_given_ends_add_up_to_all_tours():
    board = Board(4, 5, holes=[(0, 0)])
    squares = sorted(adjacency_of(board))
    directed = count_states(Problem(board)).directed
    assert directed > 0
    starts = [count_states(Problem(board, False, s)).directed for s in squares]
    assert sum(starts) == directed
    assert [count_states(Problem(board, False, None, s)).directed for s in squares] == starts
    ends = [count_states(Problem(board, False, squares[0], s)).directed for s in squares[1:]]
    assert sum(ends) == starts[0]


@pytest.mark.parametrize(
    "entry",
    [e for e in COUNTS["tours"] if e["board"][0] * e["board"][1] <= 36 - (not e["closed"]) or e["board"][0] == 3],
    ids=lambda e: f"{e['board']} {'closed' if e['closed'] else 'open'}",
)
def test_published_numbers(entry):
    answer = count_states(Problem.of(tuple(entry["board"]), closed=entry["closed"]))
    assert (answer.directed if entry["directed"] else answer.undirected) == entry["count"]


@pytest.mark.slow
@pytest.mark.parametrize("size, closed, directed", [((6, 6), False, 6637920), ((6, 7), True, 2 * 1067638)])
def test_larger_published_numbers(size, closed, directed):
    assert count_states(Problem.of(size, closed=closed)).directed == directed


def test_a_frontier_wider_than_a_word_is_refused():
    ring = Board.from_graph({i: [(i - 1) % 400, (i + 1) % 400] for i in range(400)})
    wide = Plan([*range(0, 400, 2), *range(1, 400, 2)], move_graph(ring).neighbour_lists())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "make_plan", lambda problem: wide)
        for ask in (count_states, list_ways):
            with pytest.raises(BoardError, match=r"infeasible: its states have a frontier of 2\d\d squares"):
                ask(Problem(ring, closed=True))


def test_counts_past_63_bits_are_whole():
    # The terms of 3 x n, closed, obey a recurrence (OEIS A070030).
    numbers = [count_states(Problem.of((3, n), closed=True)).undirected for n in range(4, 81, 2)]
    recurrence = [6, 64, -200, -1000, 3016, 3488, -24256, 23776, 104168, -203408, -184704, 443392, 14336, -151296]
    recurrence += [145920, -263424, 317440, 36864, -966656, 573440, 131072]
    assert numbers[-1] > 2**64
    for k in range(len(recurrence) + 5, len(numbers)):
        assert numbers[k] == sum(c * numbers[k - 1 - j] for j, c in enumerate(recurrence)), k


def test_completions_of_long_boards_are_whole_too():
    problem = Problem.of((3, 60), closed=True)
    assert list_ways(problem).count == count_states(problem).undirected > 2**62


def test_progress_goes_on_while_completions_are_counted():
    seen = []
    list_ways(Problem.of((3, 60), closed=True), Budget(on_progress=lambda progress: seen.append(progress.part)))
    late = [done for done in seen if done > 0.951]
    assert len(late) > 100 and late == sorted(late) and late[-1] == 1


def test_numbers_of_very_many_digits_are_taken_apart_and_put_together():
    numbers = np.array([7**40_000 + k for k in range(500)], dtype=object)
    digits = by_states._digits_of(numbers)
    assert by_states._from_digits(digits).tolist() == numbers.tolist()


@pytest.mark.long
@pytest.mark.parametrize("keep", [False, True])
def test_limits_end_a_count_with_a_result(keep):
    count = list_ways if keep else count_states
    with pytest.raises(LimitReached, match="states") as caught:
        count(Problem.of((6, 6)), Budget(Limits(nodes=100_000)))
    assert caught.value.result.status is Status.UNDECIDED
    assert 100_000 <= caught.value.result.nodes < 101_000
    with pytest.raises(LimitReached, match="seconds"):
        count(Problem.of((6, 6)), Budget(Limits(seconds=0.05)))
    with pytest.raises(LimitReached, match="of memory"):
        count(Problem.of((6, 6)), Budget(Limits(bytes=60_000_000 if keep else 25_000_000)))


def test_boards_out_of_reach_are_refused_before_any_state_is_made():
    budget = Budget()
    with pytest.raises(BoardError, match="infeasible") as caught:
        by_states.WaySpace.build(Problem.of((16, 16), closed=True), budget)
    assert "memory may be used" in caught.value.note and "estimate_count" in caught.value.help
    assert budget.nodes == 0


def test_single_squares():
    assert count_states(Problem.of((1, 1))) == (1, 1, 1)
    assert count_states(Problem.of((1, 1), closed=True)) == (0, 0, 1)
    assert list_ways(Problem.of((1, 1))).count == 1
