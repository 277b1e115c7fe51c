"""Cuts of any squares, and orders for counts by states, on boards small enough for other counts."""

import pytest

import knightstour as kt
from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem
from knightstour.lab.counting import orders
from knightstour.lab.counting.halves.cut import make_cut
from knightstour.lab.counting.halves.march import count_by_halves
from knightstour.lab.counting.sums import count_states

PETERSEN = Board.from_graph(
    {i: [(i + 1) % 5, (i - 1) % 5, i + 5] if i < 5 else [5 + (i + 2) % 5, 5 + (i - 2) % 5, i - 5] for i in range(10)}
)
PRISM = Board.from_graph({i: [i // 6 * 6 + (i + 1) % 6, i // 6 * 6 + (i - 1) % 6, (i + 6) % 12] for i in range(12)})
SMALL = ["2x3x4", "5x5", "4x5:torus", "5x5:2,3:torus", "hex:3:knight", "4x4:king", PETERSEN, PRISM]


@pytest.fixture
def searched(monkeypatch):
    """Search every board, for a short time."""
    monkeypatch.setattr(orders, "_LIGHT", 0.0)
    monkeypatch.setattr(orders, "_VISITS", 20_000)
    for cached in (orders.anneal, orders.plan_of_count):
        cached.cache_clear()
    yield
    for cached in (orders.anneal, orders.plan_of_count):
        cached.cache_clear()


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("board", SMALL, ids=str)
def test_cuts_of_any_squares_give_the_counts_by_states(board, closed, monkeypatch, request):
    problem = Problem(board, closed=closed)
    plain = count_states(problem).undirected
    request.getfixturevalue("searched")
    monkeypatch.setattr("knightstour.lab.counting.halves.cut._is_plain", lambda board: False)
    assert count_by_halves(problem, cut=make_cut(problem, is_count=True)).tours == plain
    assert count_states(problem).undirected == plain


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_parts_have_no_moves_between_them(board, searched):
    problem = Problem(board, closed=True)
    near, squares = orders._graph_of(problem)
    parting = orders.anneal(near, squares)
    parts = orders.parts_of(near, parting)
    assert sorted([*parts.left, *parts.middle, *parts.right]) == list(squares)
    assert parts.left and parts.middle and parts.right
    assert not {u for v in parts.left for u in near[v]} & {*parts.right}


def test_numberings_keep_their_cuts(searched):
    problem = Problem("2x3x4")
    parting = orders.best_of_orders(problem, 16)
    assert make_cut(problem).left.squares == parting.order[: parting.left]


@pytest.mark.long
def test_box_of_36_cells_is_planned_within_ten_gigabytes():
    plan = kt.plan("3x3x4", closed=True)
    assert (plan.method, plan.bytes < 3e9, plan.seconds < 120) == ("halves", True, True)
