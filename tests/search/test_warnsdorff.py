"""Warnsdorff's rule with each tie-break and critical points finds tours and never claims a proof."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from knightstour import Board, Problem, ProblemError, Tour
from knightstour.core.model.board import MoveGraph
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits
from knightstour.core.model.result import Status
from knightstour.core.search.options import TIES
from knightstour.core.search.warnsdorff import start_state, warnsdorff

# Far more nodes than any case here needs.
PLENTY = Limits(nodes=3_000_000)


def good_starts(n: int) -> list[tuple[int, int]]:
    """Return the squares of an n x n board where an open tour may start: on odd boards the corners' colour."""
    return [(r, c) for r in range(n) for c in range(n) if n % 2 == 0 or (r + c) % 2 == 0]


def solved(problem: Problem, **options: object) -> Tour:
    outcome = warnsdorff(problem, Budget(PLENTY), 1, **options)  # type: ignore[arg-type]
    assert outcome.order is not None, (problem, options, outcome)
    tour = Tour.from_array(outcome.order, problem.board)
    assert tour.is_closed or not problem.closed
    assert problem.start in (None, tour.start) and problem.end in (None, tour.end)
    return tour


def rows(marks: Sequence[pytest.MarkDecorator], closed: bool, sides: Iterable[int], some: int | None) -> list[Any]:
    """Return boards of these sides, and numbers of starts."""
    return [pytest.param(closed, n, some, marks=marks) for n in sides]


@pytest.mark.parametrize(
    ("closed", "n", "some"),
    [
        *rows([], False, range(5, 13), None),
        *rows([pytest.mark.slow], False, range(13, 51), None),
        *rows([pytest.mark.long], False, [15, 23, 40, 75, 128, 200], 3),
        *rows([pytest.mark.slow], False, range(51, 201), 10),
        *rows([], True, [6, 8, 10], None),
        *rows([pytest.mark.slow], True, range(12, 31, 2), None),
        *rows([], True, [16, 50, 100], 3),
    ],
)
def test_tour_is_found_from_every_start(closed: bool, n: int, some: int | None) -> None:
    starts = good_starts(n)
    for start in starts if some is None else random.Random(n).sample(starts, some):
        solved(Problem((n, n), closed=closed, start=start))


@pytest.mark.parametrize("ties", list(TIES))
@pytest.mark.parametrize("n", [6, 8, 17, 30])
def test_every_tie_break_finds_tours(n: int, ties: str) -> None:
    for start in random.Random(n).sample(good_starts(n), 5):
        solved(Problem((n, n), start=start), ties=ties)


@pytest.mark.parametrize("n", range(112, 120))
def test_squirrel_and_culls_orders_avoid_dead_ends(n: int) -> None:
    outcome = warnsdorff(Problem((n, n), start=(0, 0)), Budget(), 1, ties="squirrel")
    assert outcome.order is not None and outcome.counters["backs"] == 0


@pytest.mark.parametrize("n", [6, 7, 8, 20, 33])
def test_both_ends_may_be_given(n: int) -> None:
    chance = random.Random(n)
    for _ in range(8):
        start, end = chance.sample(good_starts(n), 2)
        if n % 2 == 0 and (sum(start) + sum(end)) % 2 == 0:
            continue
        solved(Problem((n, n), start=start, end=end))


def test_dead_ends_are_mended_at_critical_points() -> None:
    mended = 0
    for start in good_starts(8):
        outcome = warnsdorff(Problem((8, 8), start=start), Budget(), 1, ties="pohl", critical_budget=1000)
        assert outcome.counters["critical_points"] > 0
        mended += outcome.counters["backs"] > 0 and outcome.counters["restarts"] == 0
    assert mended


def test_a_critical_budget_of_nothing_restarts_at_each_dead_end() -> None:
    for start in good_starts(8):
        counters = warnsdorff(
            Problem((8, 8), start=start), Budget(PLENTY), 1, ties="random", critical_budget=0
        ).counters
        assert counters["restarts"] == counters["backs"]


def test_a_question_without_an_answer_stays_undecided() -> None:
    outcome = warnsdorff(Problem((5, 5), start=(0, 1)), Budget(Limits(nodes=5000)), 0)
    assert outcome.status is Status.UNDECIDED and "5,000 nodes" in outcome.reason and outcome.counters["restarts"] > 0
    assert warnsdorff(Problem((1, 2), closed=True), Budget(), 0).status is Status.UNDECIDED


@pytest.mark.parametrize("board", [Board(8, 9), Board(8, 8, holes=["a1"]), Board(8, 8, wrap="torus")])
def test_squirrels_orders_are_for_whole_squares_only(board: Board) -> None:
    with pytest.raises(ProblemError, match="n x n"):
        warnsdorff(Problem(board), Budget(), 0, ties="squirrel")


def no_lists(graph: MoveGraph) -> list[list[int]]:
    raise AssertionError("lists of all these moves take longer to make than a tour")


def test_a_large_board_is_set_up_without_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MoveGraph, "neighbour_lists", no_lists)
    state = start_state(Problem(Board(150, 150, wrap="torus")), Budget(NO_LIMITS), 3, "roth", 5)
    assert [name for name, field in state._asdict().items() if not isinstance(field, np.ndarray)] == []
