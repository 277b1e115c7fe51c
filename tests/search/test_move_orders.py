"""The orders of moves that a person names: the digits, and the order of the squares' names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.backtracked import problems
from helpers.both_ways import both_ways
from helpers.command_line import run
from knightstour.core.model.budget import Budget
from knightstour.core.model.pieces import KNIGHT
from knightstour.core.search.backtracking import iter_orders
from knightstour.core.search.options import DIGITS, PRUNINGS

# ---------------------------------------------------------------- digits


def test_the_help_says_of_each_digit_the_move_that_it_is() -> None:
    said = {int(digit): (int(row), int(col)) for digit, row, col in re.findall(r"(\d) \(([+-]\d),([+-]\d)\)", DIGITS)}
    assert said == dict(enumerate(KNIGHT.vectors, 1))
    # The move in front is made first: from the middle of 5x5 each leads to tours.
    for order, second in (("12345678", "d1"), ("21345678", "e2"), ("51234678", "b5"), ("84123567", "b1")):
        tour = kt.find_tour((5, 5), start="c3", method="backtracking", move_order=order, prune="all")
        down, right = said[int(order[0])]
        assert tour.squares[1].tolist() == [2 + down, 2 + right] and tour.board.name(tour.squares[1]) == second


def test_explain_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run("explain", "backtracking", capsys=capsys)
    shown = " ".join(out.split())
    assert code == 0 and DIGITS in shown and "lexicographic" in shown


def test_an_unknown_order_says_where_the_digits_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run("solve", "5x5", "--method", "backtracking", "--set", "move_order=1,2,3", capsys=capsys)
    assert code == 2 and "lexicographic" in err and "knightstour explain backtracking" in err


# ---------------------------------------------------------------- by name


def dictionary(board: kt.Board, order: Any) -> list[tuple[int, str, int]]:
    """A tour as a dictionary sorts it: by letters, a..z before aa, and then by the number."""
    words = [re.fullmatch("([a-z]+)([0-9]+)", board.name(divmod(int(square), board.cols))) for square in order]
    return [(len(word[1]), word[1], int(word[2])) for word in words if word]


BOARDS: list[tuple[kt.Board, dict[str, Any]]] = [
    (kt.Board(3, 4), {}),
    (kt.Board(4, 3), {}),
    (kt.Board(4, 5), {}),
    (kt.Board(5, 4), {"start": "a1"}),
    (kt.Board(4, 4, leaper=(0, 1)), {"closed": True}),
    (kt.Board(4, 3, leaper=(0, 1)), {"closed": True, "start": "b2"}),
    (kt.Board(4, 5, holes=["a1"]), {}),
    (kt.Board(3, 3, wrap="torus"), {"start": "b2"}),
    (kt.Board(1, 28, leaper=(0, 1)), {}),
]


@pytest.mark.parametrize(("board", "question"), BOARDS, ids=str)
def test_tours_come_in_the_order_of_their_names(board: kt.Board, question: dict[str, Any]) -> None:
    first = question.get("start", min((dictionary(board, [s]), s) for s in kt.move_graph(board).squares.tolist())[1])
    near = reference.adjacency(reference.spec_of(board))
    start = board.square(first if isinstance(first, str) else divmod(first, board.cols))
    start = start if question.get("start") or question.get("closed") else None
    found = reference.all_tours(near, closed=question.get("closed", False), start=start)
    everything = [[row * board.cols + col for row, col in tour] for tour in found]
    wanted = sorted(everything, key=lambda order: dictionary(board, order))
    listed = kt.iter_tours(board, **question, directed=True, move_order="lexicographic")
    assert [tour.order.tolist() for tour in listed] == wanted != []
    tour = kt.find_tour(board, **question, method="backtracking", move_order="lexicographic", prune="all")
    assert tour.order.tolist() == wanted[0]


@given(problems(), st.sets(st.sampled_from(list(PRUNINGS))), st.booleans())
def test_no_pruning_changes_the_order_and_of_two_directions_the_first_is_listed(
    problem: kt.Problem, prune: set[str], directed: bool
) -> None:
    found = iter_orders(problem, Budget(), move_order="lexicographic", prune=sorted(prune), directed=directed)
    orders = list(found)
    board = problem.board
    if board.graph is None and not problem.is_backwards:
        assert orders == sorted(orders, key=lambda order: dictionary(board, order))
    if board.graph is None and not directed and not problem.has_given_end and board.square_count > 1:
        for order in orders:
            back = [order[0], *order[:0:-1]] if problem.closed else order[::-1]
            assert dictionary(board, order) < dictionary(board, back)


def test_the_nodes_of_a_graph_come_in_their_order() -> None:
    graph = kt.Board.from_graph(both_ways({"z": ["m", "a"], "m": ["a", "k"], "a": ["k"], "k": []}))
    tour = next(kt.iter_tours(graph, move_order="lexicographic"))
    assert list(tour.labels) == ["z", "m", "a", "k"]


@pytest.mark.parametrize(
    "asked",
    [{"through": ["a1-b3"]}, {"avoid": ["a1-b3"]}, {"closed": True, "symmetry": "180"}, {"given": {"c3": 5}}],
    ids=str,
)
def test_under_conditions_it_is_refused_and_not_another_order(asked: dict[str, Any]) -> None:
    with pytest.raises(kt.MethodError, match=r"order of the moves|nothing of given numbers"):
        kt.solve((6, 6), **asked, method="backtracking", move_order="lexicographic", proofs=False)
    with pytest.raises(kt.MethodError, match="order of the moves"):
        next(kt.iter_tours((6, 6), **asked, move_order="lexicographic"))
