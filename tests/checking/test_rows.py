"""Tests of bulk checks of square numbers: by a table and one by one, compared with the definition."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.strategies import tours
from knightstour.core.checking import rows
from knightstour.core.checking.rows import Checker
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.model.board import Board
from knightstour.core.model.errors import InvalidTour
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour

DAMAGE = ["none", "doubled", "swapped", "off", "rolled"]


def first_fault(problem: Problem, orders: np.ndarray) -> str:
    """Return the row in the error, or ""."""
    try:
        Checker(problem).check(orders)
    except InvalidTour as error:
        return str(error).split()[1]
    return ""


def spoilt(order: np.ndarray, damage: str, step: int, other: int, off: int) -> np.ndarray:
    order = order.astype(np.int64)
    if damage == "doubled":
        order[step] = order[other]
    elif damage == "swapped":
        order[[step, other]] = order[[other, step]]
    elif damage == "off":
        order[step] = off
    return np.roll(order, step) if damage == "rolled" else order


@given(tours(), st.data())
def test_the_first_wrong_row_is_found_in_all_ways(tour: Tour, data: st.DataObject) -> None:
    board, n = tour.board, len(tour)
    size = board.rows * board.cols
    place, off = st.integers(0, n - 1), st.sampled_from([-1, -size, size, 2**40])
    some = st.tuples(st.sampled_from(DAMAGE), place, place, off)
    orders = np.stack([spoilt(tour.order, *data.draw(some)) for _ in range(data.draw(st.integers(1, 4)))])
    closed = data.draw(st.booleans())
    ends: dict[str, Any] = {"start": tour.start} if data.draw(st.booleans()) else {}
    if n > 1 and not closed and data.draw(st.booleans()):
        ends["end"] = tour.end
    problem = Problem(board, closed=closed, **ends)
    adjacent = reference.adjacency(reference.spec_of(board))
    walks = ([divmod(int(s), board.cols) for s in order] for order in orders)
    right = [reference.is_tour(adjacent, walk, closed=closed, **ends) for walk in walks]
    wanted = "" if all(right) else str(right.index(False))
    with pytest.MonkeyPatch.context() as patch:
        # Calls for two rows each.
        patch.setattr(rows, "ranges", lambda count, _: [(k, min(k + 2, count)) for k in range(0, count, 2)])
        assert first_fault(problem, orders) == wanted
        patch.setattr(rows, "_MAX_TABLE_SQUARES", 0)
        assert first_fault(problem, orders) == wanted


@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i2", "i4", "u4", "i8", "u8", ">i4"])
def test_rows_of_any_whole_numbers_are_checked(dtype: str) -> None:
    orders = np.stack([implicit_tour((5, 6), closed=True).order()] * 3).astype(dtype)
    problem = Problem((5, 6))
    for rows_given in (orders, np.asfortranarray(orders), np.repeat(orders, 2, axis=1)[:, ::2], orders[::-1]):
        assert first_fault(problem, rows_given) == ""
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    for off in {30, most, least, -1, -30} - {0}:
        if least <= off <= most:
            for step in (0, 7, 29):
                wrong = orders.copy()
                wrong[1, step] = off
                assert first_fault(problem, wrong) == "1"


def test_two_squares_have_no_closed_tour() -> None:
    pair = Board.from_graph([[1], [0]])
    assert first_fault(Problem(pair), np.array([[0, 1], [1, 0]])) == ""
    assert first_fault(Problem(pair, closed=True), np.array([[0, 1]])) == "0"


def test_rows_of_large_boards_are_checked_in_turn() -> None:
    order = implicit_tour((60, 60), closed=True).order()
    problem = Problem(Board(60, 60), closed=True)
    assert first_fault(problem, np.stack([order, order[::-1]])) == ""
    wrong = order.copy()
    wrong[[3, 900]] = wrong[[900, 3]]
    assert first_fault(problem, np.stack([order, wrong])) == "1"


def test_orders_are_measured_only_for_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[int] = []

    def measure(problem: Problem, ranges: object, orders: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray]:
        measured.append(len(orders))
        return {}, np.ones(len(orders), dtype=bool)

    monkeypatch.setattr(rows, "measure_in_range", measure)
    orders = kt.find_tour("5x5", seed=1).order[None]
    rows.confirm_orders(Problem("5x5"), orders, "a sample")
    assert not measured
    rows.confirm_orders(Problem("5x5", where={"turns": (0, 23)}), orders, "a sample")
    assert measured == [1]
