"""Tests of arguments against tours, with forced moves: sound on random boards, and checked by hand."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.examples import examples
from helpers.small_problems import problems
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.proofs import forced_moves as forced_room
from knightstour.core.proofs.arguments import (
    ARGUMENTS,
    colour,
    degree,
    known_proof,
    removal,
    thorough_proof,
    why_none,
)
from knightstour.core.proofs.facts import blocks
from knightstour.core.proofs.forced_moves import SOURCE, prove_by_forced_moves
from knightstour.core.search.frontier.exact import exact


@pytest.mark.long
@examples(150)
@given(problems(most_squares=20))
def test_excluded_tours_do_not_exist(problem):
    proofs = [argument(problem) for argument in ARGUMENTS]
    first = next((proof for proof in proofs if proof is not None), None)
    outcome = why_none(problem)
    assert (outcome is None) == (first is None)
    if outcome is not None:
        assert outcome.status is Status.IMPOSSIBLE
        assert (outcome.reason, outcome.source) == first
        assert exact(problem, Budget(Limits(seconds=2)), seed=0).status is not Status.FOUND


def reason(argument, problem):
    proof = argument(problem)
    assert proof is not None
    return proof[0]


# ---------------------------------------------------------------- each argument


def test_degree_of_closed_tours():
    board = Board.from_graph(both_ways([[1], [2], [0], [0]]))
    assert (
        reason(degree, Problem(board, closed=True)) == "a closed tour takes two moves at every square, but 3 has only 1"
    )
    assert reason(degree, Problem(Board(1, 1), closed=True)).endswith("a1 has none")
    assert degree(Problem(Board(1, 1))) is None


def test_degree_of_open_tours_depends_on_the_ends():
    # A square in the middle with three that hang on it, and one of them longer.
    star = Board.from_graph(both_ways([[1, 2, 3], [], [], []]))
    path = Board.from_graph(both_ways([[1], [2], [3], []]))
    assert "a tour has two ends" in reason(degree, Problem(star))
    assert "only one can be" in reason(degree, Problem(star, start=(0, 1)))
    assert "both ends are given" in reason(degree, Problem(path, start=(0, 0), end=(0, 2)))
    assert degree(Problem(path)) is None
    assert degree(Problem(path, start=(0, 0), end=(0, 3))) is None
    assert "only one can be" in reason(degree, Problem(path, start=(0, 1)))


@pytest.mark.parametrize(
    "problem, words",
    [
        (Problem((5, 5), closed=True), "13 squares of one colour and 12 of the other"),
        (Problem(Board(4, 4, holes=["a1", "d4"])), "8 squares of one colour and 6 of the other"),
        (Problem((5, 5), start="b1"), "b1 has the colour of 12"),
        (Problem((5, 5), end="b1"), "b1 has the colour of 12"),
        (Problem((6, 6), start="a1", end="c1"), "a1 and c1 have the same colour"),
    ],
)
def test_colour(problem, words):
    assert words in reason(colour, problem)


def test_colour_argument_needs_two_unequal_colours():
    assert colour(Problem(Board(5, 5, wrap="torus"), closed=True)) is None
    assert colour(Problem((5, 5), start="a1", end="c1")) is None
    assert colour(Problem((6, 6), start="a1", end="b1")) is None


def test_removal_of_one_square():
    # Two triangles that share square 2.
    bow_tie = Board.from_graph(both_ways([[1, 2], [2], [3, 4], [4], []]))
    assert "cannot go there and come back" in reason(removal, Problem(bow_tie, closed=True))
    assert removal(Problem(bow_tie)) is None
    assert "neither given end lies in it" in reason(removal, Problem(bow_tie, start=(0, 0), end=(0, 1)))
    assert removal(Problem(bow_tie, start=(0, 0), end=(0, 4))) is None
    assert "2 alone" in reason(removal, Problem(bow_tie, start=(0, 2)))


def test_three_parts_that_hang_on_single_squares_want_three_ends():
    # Triangles hung on the three corners of a triangle.
    corners = [[1, 2], [2], []]
    hung = [[0, 4], [0], [1, 6], [1], [2, 8], [2]]
    board = Board.from_graph(both_ways([*corners, *hung]))
    assert "each of these 3 parts would hold an end" in reason(removal, Problem(board))


# ---------------------------------------------------------------- its parts, and size


@given(st.integers(1, 9), st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=20))
def test_blocks_match_networkx(size, pairs):
    graph = nx.Graph([(a, b) for a, b in pairs if a != b and a < size and b < size])
    graph.add_nodes_from(range(size))
    near = [list(graph.neighbors(s)) for s in range(size)]
    expected = [sorted(block) for block in nx.biconnected_components(graph)]
    expected += [[s] for s in range(size) if not near[s]]
    assert sorted(map(sorted, blocks(near, range(size)))) == sorted(expected)


def test_slow_work_on_large_board_waits_for_a_short_search():
    # Two odd rings that share a square.
    size = 1501
    near = {k: [(k + 1) % size] for k in range(size)}
    near |= {size + k: [size + k + 1] for k in range(size - 2)} | {2 * size - 2: [0]}
    near[0] = [*near[0], size]
    problem = Problem(Board.from_graph(both_ways(near)), closed=True)
    assert known_proof(problem, at_once=True) is None
    assert known_proof(problem).source == thorough_proof(problem).source == "removal of a square"
    assert kt.solve(problem, timeout=200).source == "removal of a square"
    odd = Problem(Board(51, 51, holes=[(0, 1), (3, 3)]), closed=True)
    assert known_proof(odd, at_once=True).source == "colour argument"


@pytest.mark.parametrize("is_watched", [False, True])
def test_argument_makes_search_unnecessary(is_watched):
    # Two triangles that share a square.
    board = Board.from_graph(both_ways([[1, 2, 3, 4], [2], [], [4], []]))
    assert known_proof(Problem(board, closed=True), at_once=True) is None
    trace = kt.Trace(100) if is_watched else None
    result = kt.solve(board, closed=True, seed=1, trace=trace)
    assert (result.status, result.method, result.nodes) == (Status.IMPOSSIBLE, "argument", 0)
    assert result.source == "removal of a square"
    assert trace is None or {event.kind for event in trace} == {"stage"}


@pytest.mark.parametrize("closed", [False, True])
def test_large_boards_are_argued_about(closed):
    board = Board(200, 200, holes=[(0, 0), (199, 199), (7, 8), (100, 101)])
    move_graph(board)
    assert why_none(Problem(board, closed=closed)) is None
    assert why_none(Problem(Board(10**50, 3))) is None


# ---------------------------------------------------------------- forced moves


@examples(200)
@given(problems(most_squares=20))
def test_forced_moves_exclude_only_impossible_tours(problem):
    if prove_by_forced_moves(problem) is not None:
        assert exact(problem, Budget(Limits(seconds=2)), seed=0).status is not Status.FOUND


def test_corners_of_a_4x4_board_close_a_path_early():
    reason, source = prove_by_forced_moves(Problem(Board(4, 4), closed=True))
    assert source == SOURCE
    assert reason == (
        "d4 takes its only moves left, to b3 and c2; a1 takes its only moves left, to c2 and b3; "
        "a1-b3 would close a path too early; a1 is left with a single move, to c2"
    )


def test_two_corners_of_five_rows_fill_their_common_neighbour():
    # Both corners of the left side need b3, so it cannot be an end as well.
    reason, _ = prove_by_forced_moves(Problem((5, 6), start="b3", end="f4"))
    assert reason == (
        "a5 takes its only moves left, to b3 and c4; b3 is an end and has its move, to a5, and drops the others; "
        "a1 is left with a single move, to c2"
    )


def test_a_given_start_is_refused_when_every_end_is():
    reason, _ = prove_by_forced_moves(Problem((3, 4), start="b2"))
    assert reason.startswith("none of the ") and "can be the other end" in reason


@pytest.mark.parametrize(("size", "steps"), [((3, 3), 3), ((3, 5), 3)])
def test_example_of_ends_has_the_shortest_chain(size, steps):
    board = Board(*size)
    ends = [end for end in board.squares[1:] if sum(end) % 2 == 0]
    reasons = {board.square_name(end): prove_by_forced_moves(Problem(board, start=(0, 0), end=end))[0] for end in ends}
    end, _, chain = (
        prove_by_forced_moves(Problem(board, start=(0, 0)))[0].rpartition("for example with ")[2].partition(": ")
    )
    assert chain == reasons[end]
    lengths = [reason.count("; ") + 1 for reason in reasons.values()]
    assert chain.count("; ") + 1 == min(lengths) == steps < max(lengths)


def test_square_with_one_move_becomes_an_end():
    board = Board.from_graph(both_ways([[1], [2, 3], [3, 4], [4], []]))
    reason, _ = prove_by_forced_moves(Problem(board, start=(0, 1)))
    assert "0 has a single move, so it is an end" in reason


def test_a_move_between_the_given_ends_is_not_used():
    # A ring of five: from one square to the next the tour goes round the other way.
    ring = Board.from_graph(both_ways([[1, 4], [2], [3], [4], []]))
    assert prove_by_forced_moves(Problem(ring, start=(0, 0), end=(0, 1))) is None
    reason, _ = prove_by_forced_moves(Problem(ring, start=(0, 0), end=(0, 2)))
    assert "1 " in reason


def test_long_proofs_are_shortened(monkeypatch):
    monkeypatch.setattr(forced_room, "_MAX_STEPS_SHOWN", 2)
    reason, _ = prove_by_forced_moves(Problem(Board(4, 4), closed=True))
    assert reason == (
        "d4 takes its only moves left, to b3 and c2; ... (2 more steps); a1 is left with a single move, to c2"
    )
