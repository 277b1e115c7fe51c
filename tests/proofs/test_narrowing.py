"""Tests of alternating arguments: sound on random boards, strong where a search is slow, and correct steps."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.both_ways import both_ways
from helpers.examples import examples
from helpers.small_problems import adjacency_of, problems
from knightstour.core.model.board import Board
from knightstour.core.model.cycle_graph import loop_graph, pieces_without
from knightstour.core.model.problem import Problem, keyword_arguments
from knightstour.core.proofs.narrowing import drop, effect_of, proof_steps
from knightstour.core.proofs.narrowing_words import certificate_steps, narrowing, thorough_narrowing
from knightstour.core.proofs.supply import Balance, total_offer
from knightstour.core.proofs.toughness import tough_set
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.loop_graph import loop_graph as checked_graph
from knightstour.lab.certificates.question import question_of

# Boards that take a search seconds or more.
HARD = {
    "cylinder": Problem(Board(4, 16, wrap="cylinder"), start=(2, 0)),
    "Moebius strip": Problem(Board(4, 8, wrap="mobius", holes=[(1, 2), (1, 0)])),
    "leaper on a cylinder": Problem(Board(9, 5, wrap="cylinder", leaper=(3, 4)), start=(5, 4)),
    "leaper among holes": Problem(Board(11, 5, wrap="cylinder", leaper=(3, 4), holes=[(7, 1), (10, 0)]), start=(8, 3)),
    "7x11": Problem(Board(7, 11, leaper=(1, 4))),
    "7x13": Problem(Board(7, 13, leaper=(1, 4))),
    "8x13": Problem(Board(8, 13, leaper=(1, 4)), closed=True),
    "10x12": Problem(Board(10, 12, leaper=(2, 3)), closed=True),
    "long cylinder": Problem(Board(4, 100, wrap="cylinder"), start=(2, 0)),
}


@pytest.mark.long
@examples(300)
@given(problems())
def test_excluded_answer_does_not_exist(problem):
    if thorough_narrowing(problem) is not None:
        assert not reference.has_tour(adjacency_of(problem.board), **keyword_arguments(problem))


@examples(200)
@given(problems())
def test_graph_matches_the_checkers(problem):
    if len(problem.board) < 2:
        return
    graph = loop_graph(problem)
    expected = checked_graph(question_of(question_record(problem)))
    found = {graph.numbers[v]: {graph.numbers[u] for u in near} for v, near in enumerate(graph.near)}
    assert found == expected


@pytest.mark.parametrize("name", HARD)
def test_hard_boards_are_answered_at_once_with_a_certificate(name):
    result = kt.solve(HARD[name], timeout=5)
    assert (result.status, result.method) == (kt.Status.IMPOSSIBLE, "argument")
    assert result.certificate().kind == "argument" and kt.certificates.verify(result.certificate()).is_right


def grid_with_two_forced_corners(rows: int, cols: int) -> Board:
    """Return a grid with two opposite corners joined by a forced path of two more squares."""
    near = {
        (r, c): [(r, c + 1)] * (c + 1 < cols) + [(r + 1, c)] * (r + 1 < rows) for r in range(rows) for c in range(cols)
    }
    return Board.from_graph(both_ways({**near, "x": [(0, 0), "y"], "y": [(rows - 1, cols - 1)]}))


def test_chain_between_equal_corners_leaves_unequal_colours():
    board = grid_with_two_forced_corners(8, 10)
    result = kt.solve(board, closed=True)
    assert result.status is kt.Status.IMPOSSIBLE and result.method == "argument"
    assert result.reason.count(";") == 0
    assert kt.certificates.verify(result.certificate()).is_right
    # Between corners of two colours there is a tour.
    assert kt.solve(grid_with_two_forced_corners(8, 9), closed=True, seed=1).status is kt.Status.FOUND


def test_reasons_can_be_followed_by_hand():
    # The inner squares of the colour of a2 lead to the 16 outer squares of the other colour, and these nowhere else.
    assert narrowing(HARD["cylinder"]) == (
        "if b3, d3, f3, h3, j3, l3, n3 and 9 more are removed, the board falls into 17 parts (around a4, b4, d4, f4, "
        "h4, j4, l4 and 10 more), but a tour falls into at most 16",
        "removal of squares",
    )
    assert narrowing(Problem((3, 8), closed=True)) == (
        "no tour makes the move d3-f2 or 3 others, since others are forced; then if c3, f3, c1 and f1 are removed, "
        "the board falls into 5 parts (around a3, d3, g3, a2 and h2), but a closed tour falls into at most 4",
        "forced moves, then removal of squares",
    )
    # Three triangles, all squares of which are beside 0 and 1.
    three_ways = Board.from_graph(
        both_ways([[], [], *([0, 1, 2 + k // 3 * 3, 3 + k // 3 * 3, 4 + k // 3 * 3] for k in range(9))])
    )
    assert narrowing(Problem(three_ways, closed=True)) == (
        "if 0 and 1 are removed, the board falls into 3 parts (around 2, 5 and 8), "
        "but a closed tour falls into at most 2",
        "removal of squares",
    )
    assert narrowing(Problem(three_ways)) is None
    words, _ = narrowing(Problem(three_ways, start=(0, 0)))
    assert words.endswith("but a tour falls into at most 2")
    words, _ = narrowing(Problem(three_ways, start=(0, 3), end=(0, 4)))
    assert words.endswith("with both ends in one of them, but a tour falls into at most 2")


# ---------------------------------------------------------------- supply and demand


def flow_value(near: list[set[int]]) -> int:
    """Return the maximum number of moves, two from and two to each square, by NetworkX."""
    net = nx.DiGraph()
    for v, others in enumerate(near):
        net.add_edge("from", ("gives", v), capacity=2)
        net.add_edge(("takes", v), "to", capacity=2)
        for other in others:
            net.add_edge(("gives", v), ("takes", other), capacity=1)
    return nx.maximum_flow_value(net, "from", "to")


@examples(100)
@given(problems(most_squares=30))
def test_supply_falls_short_exactly_where_the_flow_does(problem):
    if len(problem.board) < 3:
        return
    near = loop_graph(problem).near
    balance = Balance(near)
    assert balance.is_short == (flow_value(near) < 2 * len(near))
    if balance.is_short:
        weights = balance.shortage()
        assert total_offer(near, weights) < 2 * sum(weights.values())


@examples(100)
@given(problems())
def test_moves_that_are_left_out_are_in_no_tour(problem):
    if len(problem.board) < 3:
        return
    graph = loop_graph(problem)
    near = graph.copy().near
    balance = Balance(near)
    if balance.is_short:
        return
    tours = list(reference.all_tours(dict(enumerate(graph.near)), closed=True))
    for weights in balance.exhausting_weights():
        assert total_offer(near, weights) == 2 * sum(weights.values())
        moves = [(a, b) for a in range(len(near)) for b in near[a] if weights.get(a, 0) + weights.get(b, 0) < 0]
        assert moves
        drop(near, moves)
        for tour in tours[:50]:
            assert all(b in near[a] for a, b in zip(tour, [*tour[1:], tour[0]], strict=True))


# ---------------------------------------------------------------- toughness


@examples(100)
@given(problems(most_squares=20), st.integers(5, 40))
def test_tough_set_leaves_enough_pieces(problem, trees):
    if len(problem.board) < 3:
        return
    near = loop_graph(problem).near
    if len(pieces_without(near, ())) > 1:
        return
    removed = tough_set(near, trees)
    if removed is not None:
        pieces = len(pieces_without(near, removed))
        assert pieces > 1 and pieces >= len(removed)
        assert pieces > len(removed) or any(near[v] & removed for v in removed)


# ---------------------------------------------------------------- steps


@pytest.mark.parametrize("name", HARD)
def test_every_proof_step_is_necessary_and_sufficient(name):
    graph, steps = proof_steps(HARD[name])
    for left_out in [None, *range(len(steps))]:
        near = graph.copy().near
        is_proved = False
        for k, step in enumerate(steps):
            if k != left_out:
                effect = effect_of(near, step)
                if effect is None:
                    break
                is_proved = effect.is_contradiction
                drop(near, effect.moves)
        assert is_proved == (left_out is None)
    assert len(certificate_steps(HARD[name])) == len(steps)
