"""Counts by states of the frontier, and networks of ways: against plain recursion, loops, and published numbers."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.examples import examples
from helpers.small_problems import adjacency_of, problems
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import BoardError, LimitReached
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.search.frontier.plan import Plan
from knightstour.lab.counting import network, sums
from knightstour.lab.counting.network import Ways, completed
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
    answer = count_states(Problem.of(tuple(entry["board"]), closed=entry["closed"]))
    assert (answer.directed if entry["directed"] else answer.undirected) == entry["count"]


def test_a_frontier_wider_than_a_word_is_refused():
    ring = Board.from_graph({i: [(i - 1) % 400, (i + 1) % 400] for i in range(400)})
    wide = Plan([*range(0, 400, 2), *range(1, 400, 2)], move_graph(ring).neighbour_lists())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "make_plan", lambda problem: wide)
        for ask in (count_states, list_ways):
            with pytest.raises(BoardError, match=r"infeasible: its states have a frontier of 2\d\d squares"):
                ask(Problem(ring, closed=True))


@pytest.mark.long
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


# ---------------------------------------------------------------- networks of ways


@st.composite
def layers(draw):
    """Some ways between layers of a few states; some states have none."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=2, max_size=5))
    made = []
    for states, following in zip(sizes, [*sizes[1:], 0], strict=True):
        ways = [draw(st.lists(st.integers(-1, following - 1), max_size=4)) for _ in range(states)]
        offsets = np.cumsum([0, *map(len, ways)], dtype=np.int64)
        targets = np.array([target for each in ways for target in each], dtype=np.int32)
        made.append(Ways(offsets, targets, np.arange(len(targets), dtype=np.int32)))
    return made


def ways_of(ways: Ways, s: int) -> list[int]:
    return ways.targets[ways.offsets[s] : ways.offsets[s + 1]].tolist()


@pytest.mark.parametrize("at_once", [1, 3, 1 << 22])
@examples(60)
@given(made=layers(), seed=st.integers(0, 100), kind=st.sampled_from([np.int64, np.float64, object]))
def test_sums_along_ways_are_those_of_a_loop(at_once, made, seed, kind):
    ways, following = made[0], made[1].states
    rng = np.random.default_rng(seed)
    ahead, rows, here = (rng.integers(0, 99, size) for size in (following + 1, (following + 1, 3), ways.states))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "_AT_ONCE", at_once)
        pulled, of_rows = (ways.pulled(values.astype(kind)) for values in (ahead, rows))
        pushed = ways.pushed(here.astype(kind), following)
        taken = ways.pulled(ahead.astype(kind), lambda values, codes: values * codes)
    firsts = ways.offsets[:-1].tolist()
    for s, first in enumerate(firsts):
        assert pulled[s] == sum(ahead[k] for k in ways_of(ways, s))
        assert (of_rows[s] == sum((rows[k] for k in ways_of(ways, s)), np.zeros(3))).all()
        assert taken[s] == sum(ahead[k] * (first + i) for i, k in enumerate(ways_of(ways, s)))
    for k in range(-1, following):
        assert pushed[k] == sum(here[s] * ways_of(ways, s).count(k) for s in range(ways.states))


def test_sums_that_need_more_than_62_bits_are_exact():
    ways = Ways(np.array([0, 3, 4]), np.array([0, 1, 1, -1], np.int32), np.zeros(0, np.int32))
    assert ways.pulled(np.array([2**61, 2**61 + 1, 1])).tolist() == [3 * 2**61 + 2, 1]
    assert ways.pulled(np.array([2**60, 5, 1])).tolist() == [2**60 + 10, 1]
    assert ways.pulled(np.array([7**300, 5, 1], dtype=object)).tolist() == [7**300 + 10, 1]


@examples(100)
@given(made=layers())
def test_a_network_holds_the_states_that_lead_to_a_tour(made):
    def completions(t, s):
        return sum(1 if k < 0 else completions(t + 1, k) for k in ways_of(made[t], s))

    wanted = [[completions(t, s) for s in range(ways.states)] for t, ways in enumerate(made)]
    seen = []
    found = completed(list(made), seen.append)
    assert [each.tolist() for each in found.completions] == [[n for n in each if n] for each in wanted]
    assert seen[-1] == 1 and len(seen) == len(made)
    for t, (ways, old) in enumerate(zip(found.ways, made, strict=True)):
        after = found.after(t)
        kept = [s for s in range(old.states) if wanted[t][s]]
        assert ways.states == len(kept)
        for s, before in enumerate(kept):
            alive = [k for k in ways_of(old, before) if k < 0 or wanted[t + 1][k]]
            assert [after[k] for k in ways_of(ways, s)] == [1 if k < 0 else wanted[t + 1][k] for k in alive]
