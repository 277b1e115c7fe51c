"""Backtracking finds the tours of the classical programs, and all tours in every order; no pruning loses a tour."""

import itertools
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.both_ways import both_ways
from helpers.command_line import Run
from helpers.small_problems import problems
from helpers.solving import find_with, solve_several
from knightstour import Board, Problem, ProblemError, Tour
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.pieces import KNIGHT
from knightstour.core.model.problem import has_given_end, is_backwards
from knightstour.core.model.result import Status
from knightstour.core.search.backtracking import Search, TourOrders
from knightstour.core.search.options import DIGITS, ORDERS, PRUNINGS
from knightstour.core.search.shared_backtracking import backtracking


def numbers(text: str) -> list[list[int]]:
    return [[int(word) for word in line.split()] for line in text.strip().splitlines()]


def listing(problem: Problem, **options: object) -> list[tuple[int, ...]]:
    tours = TourOrders(Search(problem, **options), Budget())  # type: ignore[arg-type]
    found = [tuple(order) for order in tours]
    assert tours.is_complete
    return found


def expected(problem: Problem, by_name: bool = False) -> set[tuple[int, ...]]:
    """Return all directed tours of the reference; closed ones from the start of the package.

    by_name: whether the start is the first square by name.
    """
    board = problem.board
    if isinstance(board, GraphBoard):
        near = {(0, i): {(0, j) for j in row} for i, row in enumerate(board.graph)}
    else:
        near = reference.adjacency(reference.spec_of(board))
    start = problem.start
    if problem.closed and start is None:
        start = min(near, key=lambda square: (len(near[square]), square))
        if by_name:
            start = min(near, key=lambda square: (square[1], -square[0]))
    tours = reference.all_tours(near, closed=problem.closed, start=start, end=problem.end)
    return {tuple(r * board.cols + c for r, c in tour) for tour in tours}


def test_the_classical_programs_8x8_tour_is_found_by_default() -> None:
    outcome = backtracking(Problem((8, 8), start=(0, 0)), Budget(), 0)
    assert Tour.from_array(outcome.order, (8, 8)).numbers.tolist() == numbers(reference.CLASSIC_8X8)


@given(problems(most_squares=9), st.sampled_from(list(ORDERS)), st.sets(st.sampled_from(list(PRUNINGS))))
def test_every_order_and_pruning_lists_exactly_the_tours_there_are(
    problem: Problem, move_order: str, prune: set[str]
) -> None:
    found = listing(problem, move_order=move_order, prune=sorted(prune), seed=3)
    assert len(set(found)) == len(found)
    assert set(found) == expected(problem, by_name=move_order == "lexicographic")


@given(problems(most_squares=9), st.sampled_from(list(PRUNINGS)))
def test_a_pruning_keeps_the_order_of_the_listing(problem: Problem, name: str) -> None:
    assert listing(problem, prune=name) == listing(problem, prune="none")


@given(problems(most_squares=9), st.sampled_from(["none", "all", "forced", "stranded,islands"]))
def test_undirected_listings_have_each_tour_once(problem: Problem, prune: str) -> None:
    found = listing(problem, prune=prune, directed=False)
    directed = expected(problem)
    if problem.closed:
        assert {frozenset((t, (t[0], *t[:0:-1]))) for t in found} == {
            frozenset((t, (t[0], *t[:0:-1]))) for t in directed
        }
        assert 2 * len(found) == len(directed)
    elif problem.start is None and problem.end is None:
        assert set(found) == {t for t in directed if t[0] <= t[-1]}
    else:
        assert set(found) == directed


@pytest.mark.parametrize(
    ("size", "question", "directed", "count"),
    [
        ((5, 5), {}, True, 1728),
        ((5, 5), {"start": "a1"}, True, 304),
        ((5, 5), {"end": "a1"}, True, 304),
        ((3, 4), {}, True, 16),
        ((4, 5), {}, False, 82),
        ((5, 6), {"closed": True}, False, 8),
        ((3, 10), {"closed": True}, False, 16),
        ((3, 12), {"closed": True}, True, 352),
        ((6, 6), {"closed": True}, False, 9862),
        ((4, 4), {}, True, 0),
    ],
)
def test_listings_have_the_published_lengths(
    size: tuple[int, int], question: dict[str, object], directed: bool, count: int
) -> None:
    problem = Problem(size, **question)  # type: ignore[arg-type]
    assert len(set(listing(problem, directed=directed))) == count


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("move_order", ["classic", "warnsdorff", "13572468"])
def test_all_prunings_find_a_tour_from_every_start_of_8x8(move_order: str, closed: bool) -> None:
    for start in itertools.product(range(8), repeat=2):
        problem = Problem((8, 8), closed=closed, start=start)
        outcome = backtracking(problem, Budget(Limits(nodes=20_000)), 0, move_order=move_order, prune="all")
        assert outcome.order is not None, start
        tour = Tour.from_array(outcome.order, (8, 8))
        assert tour.start == start and (tour.is_closed or not closed)


def test_permutation_is_an_order_and_identity_is_classic() -> None:
    problem = Problem((5, 5), start=(0, 0))
    assert listing(problem, move_order="12345678") == listing(problem, move_order="classic")
    backwards = listing(problem, move_order="87654321")
    assert backwards != listing(problem) and set(backwards) == set(listing(problem))
    first = backtracking(Problem((5, 5), start=(2, 2)), Budget(), 0, move_order="51234678", prune="all").order
    assert first is not None and (first[1] // 5, first[1] % 5) == (0, 1)


def test_earlier_of_two_moves_to_a_square_counts() -> None:
    board = Board(4, 2, wrap="torus")
    problem = Problem(board, start=(0, 0))
    assert set(listing(problem, move_order="87654321")) == expected(problem)


def test_a_random_order_depends_on_the_seed_alone() -> None:
    problem = Problem((6, 6), start=(2, 2))
    orders = [backtracking(problem, Budget(), seed, move_order="random", prune="all").order for seed in (1, 1, 2, -5)]
    assert orders[0] == orders[1] != orders[2] and orders[3] is not None


@pytest.mark.parametrize("options", [{"move_order": "12345677"}, {"move_order": ""}, {"prune": ["all", "x"]}])
def test_unknown_options_are_explained(options: dict[str, object]) -> None:
    with pytest.raises(ProblemError) as caught:
        backtracking(Problem((5, 5)), Budget(), 0, **options)  # type: ignore[arg-type]
    assert caught.value.help


def test_a_graph_has_no_moves_to_permute() -> None:
    with pytest.raises(ProblemError, match="graph"):
        backtracking(Problem(Board.from_graph(both_ways([[1], [2], [0]]))), Budget(), 0, move_order="87654321")


def test_stopped_listing_is_incomplete() -> None:
    tours = TourOrders(Search(Problem((6, 6), closed=True)), Budget(Limits(nodes=3000)))
    first = list(tours)
    assert first and not tours.is_complete
    whole = TourOrders(Search(Problem((6, 6), closed=True)), Budget())
    assert list(itertools.islice(whole, len(first))) == first and not whole.is_complete


def test_the_first_tour_of_a_long_listing_comes_at_once() -> None:
    tours = TourOrders(Search(Problem((8, 8), closed=True)), Budget())
    next(tours)
    assert tours.nodes < 10_000


@pytest.mark.parametrize(("nodes", "closed", "count"), [([[]], False, 1), ([[]], True, 0), ([[1], []], True, 0)])
def test_boards_of_one_or_two_squares(nodes: list[list[int]], closed: bool, count: int) -> None:
    problem = Problem(Board.from_graph(both_ways(nodes)), closed=closed)
    assert len(listing(problem)) == count
    outcome = backtracking(problem, Budget(), 0)
    assert outcome.status is (Status.FOUND if count else Status.IMPOSSIBLE)


def test_very_deep_board_does_not_overflow_recursion() -> None:
    path = Board(1, 3000, leaper=(0, 1))
    outcome = backtracking(Problem(path, start=(0, 0)), Budget(), 0)
    assert outcome.order == list(range(3000))


# ---------------------------------------------------------------- digits


def test_help_describes_the_move_of_each_digit() -> None:
    said = {int(digit): (int(row), int(col)) for digit, row, col in re.findall(r"(\d) \(([+-]\d),([+-]\d)\)", DIGITS)}
    assert said == dict(enumerate(KNIGHT.vectors, 1))
    # The first move of the order is tried first: from the middle of 5x5 each leads to tours.
    for order, second in (("12345678", "d1"), ("21345678", "e2"), ("51234678", "b5"), ("84123567", "b1")):
        tour = find_with((5, 5), start="c3", method="backtracking", settings={"move_order": order, "prune": "all"})
        down, right = said[int(order[0])]
        assert tour.squares[1].tolist() == [2 + down, 2 + right] and tour.board.square_name(tour.squares[1]) == second


def test_unknown_order_error_names_the_digits_page(run: Run) -> None:
    code, _, err = run("solve", "5x5", "--method", "backtracking", "--set", "move_order=1,2,3")
    assert code == 2 and "lexicographic" in err and "knightstour explain backtracking" in err


# ---------------------------------------------------------------- by name


def dictionary(board: kt.Board, order: Any) -> list[tuple[int, str, int]]:
    """Return the sort key of a tour by names: letters, a..z before aa, then numbers."""
    words = [re.fullmatch("([a-z]+)([0-9]+)", board.square_name(divmod(int(square), board.cols))) for square in order]
    return [(len(word[1]), word[1], int(word[2])) for word in words if word]


BOARDS: list[tuple[kt.Board, dict[str, Any]]] = [
    (kt.Board(3, 4), {}),
    (kt.Board(4, 3), {}),
    (kt.Board(5, 4), {"start": "a1"}),
    (kt.Board(4, 4, leaper=(0, 1)), {"closed": True}),
    (kt.Board(4, 3, leaper=(0, 1)), {"closed": True, "start": "b2"}),
    (kt.Board(4, 5, holes=["a1"]), {"start": "e4"}),
    (kt.Board(3, 3, wrap="torus"), {"start": "b2"}),
    (kt.Board(1, 28, leaper=(0, 1)), {}),
]
LARGER = [pytest.param(kt.Board(4, 5, holes=holes), {}, marks=pytest.mark.long) for holes in ([], ["a1"])]


@pytest.mark.parametrize(("board", "question"), [*BOARDS, *LARGER], ids=str)
def test_tours_come_in_the_order_of_their_names(board: kt.Board, question: dict[str, Any]) -> None:
    first = question.get("start", min((dictionary(board, [s]), s) for s in board.move_graph().squares.tolist())[1])
    near = reference.adjacency(reference.spec_of(board))
    start = board.square(first if isinstance(first, str) else divmod(first, board.cols))
    start = start if question.get("start") or question.get("closed") else None
    found = reference.all_tours(near, closed=question.get("closed", False), start=start)
    everything = [[row * board.cols + col for row, col in tour] for tour in found]
    wanted = sorted(everything, key=lambda order: dictionary(board, order))
    listed = kt.iter_tours(board, **question, directed=True, move_order="lexicographic")
    assert [tour.order.tolist() for tour in listed] == wanted != []
    tour = find_with(board, **question, method="backtracking", settings={"move_order": "lexicographic", "prune": "all"})
    assert tour.order.tolist() == wanted[0]


@given(problems(most_squares=9), st.sets(st.sampled_from(list(PRUNINGS))), st.booleans())
def test_pruning_keeps_the_order_and_the_first_direction(problem: kt.Problem, prune: set[str], directed: bool) -> None:
    found = TourOrders(Search(problem, move_order="lexicographic", prune=sorted(prune), directed=directed), Budget())
    orders = list(found)
    board = problem.board
    if isinstance(board, GridBoard) and not is_backwards(problem):
        assert orders == sorted(orders, key=lambda order: dictionary(board, order))
    if isinstance(board, GridBoard) and not directed and not has_given_end(problem) and len(board) > 1:
        for order in orders:
            back = [order[0], *order[:0:-1]] if problem.closed else order[::-1]
            assert dictionary(board, order) < dictionary(board, back)


def test_the_nodes_of_a_graph_come_in_their_order() -> None:
    graph = kt.Board.from_graph(both_ways({"z": ["m", "a"], "m": ["a", "k"], "a": ["k"], "k": []}))
    tour = next(kt.iter_tours(graph, move_order="lexicographic"))
    assert list(tour.labels) == ["z", "m", "a", "k"]


@pytest.mark.parametrize(
    "asked",
    [{"require": ["a1-b3"]}, {"forbid": ["a1-b3"]}, {"closed": True, "symmetry": "180"}, {"given": {"c3": 5}}],
    ids=str,
)
def test_rejects_move_order_with_conditions(asked: dict[str, Any]) -> None:
    with pytest.raises(kt.ProblemError, match=r"order of the moves|not support given numbers"):
        solve_several((6, 6), **asked, method="backtracking", settings={"move_order": "lexicographic", "proofs": False})
    with pytest.raises(kt.ProblemError, match="order of the moves"):
        next(kt.iter_tours((6, 6), **asked, move_order="lexicographic"))


@pytest.mark.parametrize("board", ["hex:3:king", "2x2x3:king", "tri:4"])
@pytest.mark.parametrize("move_order", ["1234", "12345678", "123456"])
def test_rejects_numbered_moves_on_cells_without_offering_them(board: str, move_order: str) -> None:
    with pytest.raises(kt.ProblemError, match="unknown order of moves") as caught:
        kt.solve(board, method="backtracking", settings={"move_order": move_order})
    assert "not numbered" in caught.value.note and not any(sign.isdigit() for sign in caught.value.help)


@pytest.mark.parametrize("prune", ["none", "all", "forced", "stranded", "connectivity"])
@pytest.mark.parametrize("move_order", ["classic", "warnsdorff"])
@pytest.mark.parametrize(
    "question",
    [
        {"board": "5x5"},
        {"board": "5x5", "start": "a1"},
        {"board": "5x5", "end": "a1"},
        {"board": "5x5", "start": "a1", "end": "e5"},
        {"board": "4x4:king", "closed": True},
        {"board": "1x2:wazir"},
    ],
    ids=str,
)
def test_nodes_are_the_squares_entered(question: dict[str, Any], move_order: str, prune: str) -> None:
    trace = kt.Trace()
    result = solve_several(
        **question, method="backtracking", settings={"move_order": move_order, "prune": prune}, seed=0, trace=trace
    )
    assert result.tour is not None
    # The squares that were not undone are the tour.
    assert result.nodes - result.counters["backs"] == len(result.tour.board)
    if not trace.dropped:
        *_, view = trace.replay()
        assert view.counters["nodes"] == result.nodes
        assert sum(len(event.squares) for event in trace if event.kind == "visit") == result.nodes


@pytest.mark.parametrize("method", ["backtracking", "warnsdorff", "rotation"])
@pytest.mark.parametrize(("size", "start"), [(6, "a1"), (8, "a1"), (8, "d4")])
def test_methods_count_one_node_per_square_entered(size: int, start: str, method: str) -> None:
    options: dict[str, Any] = {"move_order": "warnsdorff", "prune": "all"} if method == "backtracking" else {}
    result = solve_several(size, start=start, method=method, seed=0, **options)
    assert result.nodes == size * size + sum(result.counters.get(name, 0) for name in ("backs", "rotations"))


@pytest.mark.parametrize("prune", ["none", "all"])
@pytest.mark.parametrize("question", [{}, {"start": "a1"}, {"closed": True}], ids=str)
@pytest.mark.parametrize("limit", [1, 2, 7])
def test_a_limit_of_nodes_is_a_number_of_squares(limit: int, question: dict[str, Any], prune: str) -> None:
    trace = kt.Trace()
    how: dict[str, Any] = {"method": "backtracking", "prune": prune, "trace": trace, "max_nodes": limit}
    assert solve_several("6x6", **question, **how).nodes == limit
    assert sum(len(event.squares) for event in trace if event.kind == "visit") == limit
