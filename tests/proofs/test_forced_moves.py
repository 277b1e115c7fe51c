"""Forced moves: never against a tour that exists, and sentences that can be followed by hand."""

from __future__ import annotations

import time

import pytest
from hypothesis import given

from helpers.both_ways import both_ways
from helpers.examples import examples
from helpers.small_problems import problems
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.proofs import forced_moves as forced_room
from knightstour.core.proofs.forced_moves import SOURCE, forced
from knightstour.core.proofs.wording import names
from knightstour.core.search.frontier.exact import exact


@examples(200)
@given(problems(most_squares=20))
def test_what_forced_moves_exclude_does_not_exist(problem):
    if forced(problem) is not None:
        assert exact(problem, Budget(Limits(seconds=2)), seed=0).status is not Status.FOUND


def test_the_corners_of_a_4x4_board_close_a_path_too_early():
    reason, source = forced(Problem(Board(4, 4), closed=True))
    assert source == SOURCE
    assert reason == (
        "d4 takes its only moves left, to b3 and c2; a1 takes its only moves left, to c2 and b3; "
        "a1-b3 would close a path too early; a1 is left with a single move, to c2"
    )


def test_two_corners_of_five_rows_fill_their_common_neighbour():
    # Both corners of the left side need b3, so it cannot be an end as well.
    reason, _ = forced(Problem.of((5, 6), start="b3", end="f4"))
    assert reason == (
        "a5 takes its only moves left, to b3 and c4; b3 is an end and has its move, to a5, and drops the others; "
        "a1 is left with a single move, to c2"
    )


def test_a_given_start_is_refused_when_every_end_is():
    reason, _ = forced(Problem.of((3, 4), start="b2"))
    assert reason.startswith("none of the ") and "can be the other end" in reason


def test_a_square_with_a_single_move_is_taken_as_an_end():
    board = Board.from_graph(both_ways([[1], [2, 3], [3, 4], [4], []]))
    reason, _ = forced(Problem(board, False, (0, 1)))
    assert "0 has a single move, so it is an end" in reason


@pytest.mark.parametrize(
    "problem",
    [
        Problem(Board(3, 4)),
        Problem(Board(1, 1)),
        Problem(Board(6, 6), True),
        Problem(Board(8, 8), False, (0, 0), (7, 6)),
        Problem(Board.from_graph(both_ways([[1], [2], []]))),
        Problem(Board.from_graph(both_ways([[1], [2], [0]])), True),
    ],
    ids=str,
)
def test_nothing_is_said_where_there_is_a_tour(problem):
    assert forced(problem) is None


def test_a_move_between_the_given_ends_is_not_used():
    # A ring of five: from one square to the next the tour goes round the other way.
    ring = Board.from_graph(both_ways([[1, 4], [2], [3], [4], []]))
    assert forced(Problem(ring, False, (0, 0), (0, 1))) is None
    reason, _ = forced(Problem(ring, False, (0, 0), (0, 2)))
    assert "1 " in reason


def test_long_proofs_are_shortened(monkeypatch):
    monkeypatch.setattr(forced_room, "_MAX_STEPS_SHOWN", 2)
    reason, _ = forced(Problem(Board(4, 4), closed=True))
    assert reason == (
        "d4 takes its only moves left, to b3 and c2; ... (2 more steps); a1 is left with a single move, to c2"
    )


def test_large_boards_take_no_time():
    started = time.process_time()
    assert forced(Problem(Board(200, 200), closed=True)) is None
    assert time.process_time() - started < 1


def test_many_names_are_cut_short():
    board = Board(4, 4)
    assert names(board, [0]) == "a4"
    assert names(board, [0, 1]) == "a4 and b4"
    assert names(board, range(16), most=3) == "a4, b4 and 14 more"


def test_a_single_square_that_could_be_the_end_is_one():
    board = Board.from_graph(both_ways([[1, 2, 3], [4], [4], [4], []]))
    proof = forced(Problem(board, False, (0, 0)))
    assert proof is not None
    assert proof[0].startswith(
        "the one square of the right colour cannot be the other end, for forced moves contradict it"
    )
