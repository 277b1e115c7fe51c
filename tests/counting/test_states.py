"""Counts by states of the frontier, and networks of ways: compared with plain recursion and published numbers."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from helpers.examples import examples
from helpers.small_problems import problems, tours_of
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.search.frontier.plan import Plan
from knightstour.lab.counting import sums
from knightstour.lab.counting.network import Ways
from knightstour.lab.counting.sums import count_states, list_ways

COUNTS = tomllib.loads((Path(__file__).parents[1] / "data" / "counts.toml").read_text())


@examples(80)
@given(problems(most_squares=11))
def test_small_counts_match_plain_recursion(problem):
    answer = count_states(problem)
    assert (answer.undirected, answer.directed) == (len(tours_of(problem)), len(tours_of(problem, directed=True)))
    assert list_ways(problem).count == answer.undirected


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(
            e, marks=[pytest.mark.slow] * (36 - (not e["closed"]) < e["board"][0] * e["board"][1] and e["board"][0] > 3)
        )
        for e in COUNTS["tours"]
        if e["board"][0] * e["board"][1] <= (42 if e["closed"] else 36) or e["board"][0] == 3
    ],
    ids=lambda e: f"{e['board']} {'closed' if e['closed'] else 'open'}",
)
def test_published_numbers(entry):
    answer = count_states(Problem(tuple(entry["board"]), closed=entry["closed"]))
    assert (answer.directed if entry["directed"] else answer.undirected) == entry["count"]


def test_a_frontier_wider_than_a_word_is_refused():
    ring = Board.from_graph({i: [(i - 1) % 400, (i + 1) % 400] for i in range(400)})
    wide = Plan([*range(0, 400, 2), *range(1, 400, 2)], move_graph(ring).neighbour_lists())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "make_plan", lambda problem: wide)
        patch.setattr(sums, "plan_of_count", lambda problem: wide)
        for ask in (count_states, list_ways):
            with pytest.raises(LimitReached, match=r"infeasible: its states have a frontier of 2\d\d squares"):
                ask(Problem(ring, closed=True))


@pytest.mark.long
def test_counts_past_63_bits_are_whole():
    # The terms of 3 x n, closed, obey a recurrence (OEIS A070030).
    numbers = [count_states(Problem((3, n), closed=True)).undirected for n in range(4, 81, 2)]
    recurrence = [6, 64, -200, -1000, 3016, 3488, -24256, 23776, 104168, -203408, -184704, 443392, 14336, -151296]
    recurrence += [145920, -263424, 317440, 36864, -966656, 573440, 131072]
    assert numbers[-1] > 2**64
    for k in range(len(recurrence) + 5, len(numbers)):
        assert numbers[k] == sum(c * numbers[k - 1 - j] for j, c in enumerate(recurrence)), k


def test_completions_of_long_boards_are_whole_too():
    problem = Problem((3, 60), closed=True)
    assert list_ways(problem).count == count_states(problem).undirected > 2**62


def test_progress_goes_on_while_completions_are_counted():
    seen = []
    list_ways(Problem((3, 60), closed=True), Budget(on_progress=lambda progress: seen.append(progress.part)))
    late = [done for done in seen if done > 0.951]
    assert len(late) > 100 and late == sorted(late) and late[-1] == 1


@pytest.mark.long
@pytest.mark.parametrize("keep", [False, True])
def test_limits_end_a_count_with_a_result(keep):
    count = list_ways if keep else count_states
    with pytest.raises(LimitReached, match="states") as caught:
        count(Problem((6, 6)), Budget(Limits(nodes=100_000)))
    assert caught.value.result.status is Status.UNDECIDED
    assert 100_000 <= caught.value.result.nodes < 101_000
    with pytest.raises(LimitReached, match="seconds"):
        count(Problem((6, 6)), Budget(Limits(seconds=0.05)))
    with pytest.raises(LimitReached, match="of memory"):
        count(Problem((6, 6)), Budget(Limits(bytes=60_000_000 if keep else 25_000_000)))


# ---------------------------------------------------------------- networks of ways


def test_sums_that_need_more_than_62_bits_are_exact():
    ways = Ways(np.array([0, 3, 4]), np.array([0, 1, 1, -1], np.int32), np.zeros(0, np.int32))
    assert ways.sum_targets(np.array([2**61, 2**61 + 1, 1])).tolist() == [3 * 2**61 + 2, 1]
    assert ways.sum_targets(np.array([2**60, 5, 1])).tolist() == [2**60 + 10, 1]
    assert ways.sum_targets(np.array([7**300, 5, 1], dtype=object)).tolist() == [7**300 + 10, 1]
