"""Dense graphs: what comes before a count costs little, and ends with the time; nothing here looks at a clock."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.model.deadline import DeadlinePassed, keeping_deadline
from knightstour.core.model.leaps import are_moves
from knightstour.core.proofs import arguments
from knightstour.core.search.frontier import plan
from knightstour.lab.counting import forecast
from knightstour.lab.counting.halves import cut

SPENT = kt.Limits(seconds=1e-9)


def complete(size: int) -> kt.Board:
    return kt.Board.from_graph(list(itertools.combinations(range(size), 2)))


ASKED: dict[str, Callable[[kt.Board], object]] = {
    "count_tours": lambda board: kt.count_tours(board, closed=True, limits=SPENT),
    "plan_count": lambda board: kt.plan_count(board, limits=SPENT),
    "count_starts": lambda board: kt.count_starts(board, limits=SPENT),
    "count_table": lambda board: kt.count_table("6x6", limits=SPENT),
    "census": lambda board: kt.census("6x6", "turns", limits=SPENT),
    "sample_tours": lambda board: kt.sample_tours(board, 3, limits=SPENT),
}


@pytest.mark.parametrize("name", ASKED)
def test_no_time_is_the_limit_that_was_reached(name: str) -> None:
    with pytest.raises(kt.LimitReached, match="the limit of 1e-09 seconds was reached"):
        ASKED[name](complete(30))


def test_a_search_without_time_is_undecided() -> None:
    result = kt.solve(complete(30), closed=True, limits=SPENT)
    assert result.status is kt.Status.UNDECIDED and "1e-09 seconds" in result.reason


def ends_after(looks: int) -> Callable[[], float]:
    """Seconds left, which are none from that look on."""
    left = iter(range(looks, 0, -1))
    return lambda: next(left, 0)


PREPARED: dict[str, Callable[[kt.Problem], object]] = {
    "an order": lambda problem: plan.narrowest_first(problem.board.graph or (), 0, range(40)),
    "an order in breadth": lambda problem: plan._breadth_first([list(x) for x in problem.board.graph or ()], 0, []),
    "a guess": lambda problem: plan.expected_states(range(40), problem.board.graph or ()),
    "a plan": lambda problem: plan.Plan(range(40), [list(x) for x in problem.board.graph or ()]),
    "a forecast": lambda problem: list(forecast._met(range(40), problem.board.graph or (), (), has_virtual=False)),
    "a cut": lambda problem: list(cut._frontiers(problem.board.graph or (), range(40))),
    "arguments": arguments.why_none,
}


@pytest.mark.parametrize("name", PREPARED)
def test_each_preparation_looks_at_the_time_more_than_once(name: str) -> None:
    problem = kt.Problem.of(complete(40), closed=True)
    with keeping_deadline(ends_after(3)), pytest.raises(DeadlinePassed):
        PREPARED[name](problem)
    PREPARED[name](problem)


class _Row(list[int]):
    """Neighbours that count how often they were gone through."""

    reads = 0

    def __iter__(self) -> Iterator[int]:
        self.reads += 1
        return super().__iter__()


def test_the_narrowest_order_goes_through_each_square_s_moves_twice() -> None:
    size = 200
    near = [_Row(u for u in range(size) if u != v) for v in range(size)]
    assert plan.narrowest_first(near, 3, range(size))[:3] == [3, 0, 1]
    assert max(row.reads for row in near) <= 2


def test_the_narrowest_order_is_that_of_its_definition() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        size = int(rng.integers(1, 14))
        joined = np.triu(rng.random((size, size)) < rng.random(), 1)
        near = [np.flatnonzero(row).tolist() for row in joined | joined.T]
        order, seen, frontier = [], {0}, [0]
        while frontier:
            v = min(frontier, key=lambda s: len(set(near[s]) - seen))
            frontier.remove(v)
            order.append(v)
            frontier += [u for u in near[v] if u not in seen]
            seen.update(near[v])
        assert plan.narrowest_first(near, 0, range(size)) == order + [v for v in range(size) if v not in order]


def test_many_pairs_of_a_graph_are_judged_as_one_by_one() -> None:
    board = kt.Board.from_graph([(0, 1), (1, 2), (2, 3), (3, 0), (3, 5), (5, 4)])
    before, after = np.repeat(np.arange(6), 6), np.tile(np.arange(6), 6)
    found = are_moves(board, before, after)
    assert found.tolist() == [bool(are_moves(board, before[k : k + 1], after[k : k + 1])[0]) for k in range(36)]
    assert int(found.sum()) == 12
