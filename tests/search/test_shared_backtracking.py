"""A search cut into branches has the nodes and the tours of the whole search, in order, for any cuts."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import mostly_long
from helpers.searches import BOARDS, shared, whole
from helpers.small_problems import problems
from knightstour import Board, Problem, ProblemError
from knightstour.core.methods.enumeration import iter_counts, iter_tours
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.search import shared_backtracking
from knightstour.core.search.backtracking import Search
from knightstour.core.search.options import ORDERS, PRUNINGS
from knightstour.core.search.shared_backtracking import (
    Branch,
    SharedOrders,
    backtracking,
    first_of,
    list_orders,
    search_branch,
)


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Any:
    """cut(nodes): set the number of nodes of a piece."""

    def cut(nodes: int) -> None:
        monkeypatch.setattr(shared_backtracking, "_nodes_of_piece", lambda state, squares: nodes)

    return cut


@pytest.mark.parametrize(("board", "question"), mostly_long(BOARDS, 6), ids=str)
@pytest.mark.parametrize("directed", mostly_long([False, True], 1))
def test_branches_yield_tours_in_order_with_equal_nodes(
    board: Any, question: dict[str, Any], directed: bool, cut: Any
) -> None:
    search = Search(Problem(board, **question), 0, "classic", "all", directed)
    expected = whole(search, Limits(None))
    for parts in (3, 40):
        cut(max(1, expected[2] // parts))
        assert shared(search, Limits(None)) == expected


@pytest.mark.long
@given(
    problem=problems(most_squares=9),
    move_order=st.sampled_from(list(ORDERS)),
    prune=st.sets(st.sampled_from(list(PRUNINGS))),
    directed=st.booleans(),
    data=st.data(),
)
def test_results_do_not_depend_on_the_cut_of_a_search(
    problem: Problem, move_order: str, prune: set[str], directed: bool, data: st.DataObject
) -> None:
    if len(problem.board) < 3:
        return
    search = Search(problem, 3, move_order, sorted(prune), directed)
    expected = whole(search, Limits(None, 20_000))
    size = data.draw(st.integers(1 + expected[2] // 25, 30 + expected[2]))
    end = data.draw(st.integers(1, expected[2] + 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared_backtracking, "_nodes_of_piece", lambda state, squares: size)
        assert shared(search, Limits(None, 20_000)) == expected
        limits = Limits(None, end)
        assert shared(search, limits) == whole(search, limits)
        if not expected[1]:
            return
        # The first tour, its nodes and undone moves are the same as in one process.
        alone, together = Budget(limits), Budget(limits)
        answer = backtracking(problem, alone, 3, move_order=move_order, prune=sorted(prune))
        listing = SharedOrders(search._replace(directed=True), together, None, first_only=True)
        assert first_of(search.problem, listing, together) == answer and together.nodes == alone.nodes


def leaves(search: Search, branch: Branch, nodes: int, most: int) -> Iterator[Any]:
    """Yield all pieces of a search, in order."""
    part = search_branch(search, branch, nodes, most)
    yield part
    for rest in part.rest:
        yield from leaves(search, rest, nodes, most)


@pytest.mark.parametrize("most", mostly_long([7, 1, 1000], 1))
def test_a_piece_gives_no_more_tours_than_it_may(most: int) -> None:
    search = Search(Problem("5x5", start="a1"), 0, "classic", "all", True)
    expected = whole(search, Limits(None))[0]
    parts = list(leaves(search, Branch(), 500, most))
    assert all(part.found <= most for part in parts)
    assert [row.tolist() for part in parts for row in part.orders] == expected


def test_counting_piece_returns_no_tours() -> None:
    search = Search(Problem("5x6", start="a1"), 0, "classic", "all", True)
    part = search_branch(search, Branch(), 10**6, 10**6, only_count=True)
    assert part.orders is None and part.rest == ()
    assert part.found == len(whole(search, Limits(None))[0])


@given(problem=problems(most_squares=9), directed=st.booleans())
def test_counts_match_brute_force(problem: Problem, directed: bool) -> None:
    if problem.start or problem.end or isinstance(problem.board, GraphBoard) or len(problem.board) < 1:
        return
    adjacent = reference.adjacency(reference.spec_of(problem.board))
    expected = reference.count(adjacent, closed=problem.closed, directed=directed)
    assert sum(iter_counts(problem, directed=directed)) == expected


def test_a_limit_ends_counts_too() -> None:
    counts = iter_counts(Problem("6x6", closed=True), max_nodes=5000)
    with pytest.raises(kt.LimitReached, match="5,000 nodes"):
        list(counts)


def test_a_limit_of_time_is_kept() -> None:
    budget = Budget(Limits(seconds=0.2))
    listing = SharedOrders(Search(Problem("8x8", closed=True), 0, "classic", "all", False), budget, None)
    assert list(listing) and not listing.is_complete
    assert 0.2 <= budget.seconds < 60


@pytest.mark.parametrize("workers", [0, -1, True, "2", 1.5, object()])
def test_rejects_invalid_worker_numbers_early(workers: Any) -> None:
    for ask in (
        lambda: iter_tours("5x5", workers=workers),
        lambda: iter_tours("1x1", workers=workers),
        lambda: iter_counts(Problem("5x5"), workers=workers),
        lambda: kt.solve("6x6", method="backtracking", workers=workers),
        lambda: kt.solve("1x1", method="backtracking", workers=workers),
    ):
        with pytest.raises(ProblemError if workers in (0, -1) else TypeError, match="workers must be"):
            ask()


def test_rejects_other_invalid_options_early() -> None:
    with pytest.raises(ProblemError, match="order"):
        iter_tours("5x5", move_order="prayer", workers=2)
    with pytest.raises(ProblemError, match="pruning"):
        kt.solve("6x6", method="backtracking", settings={"prune": "weeds"}, workers=2)
    with pytest.raises(ProblemError, match="cannot be watched"):
        kt.solve("6x6", method="backtracking", trace=kt.Trace(), workers=2)
    with pytest.raises(ProblemError, match="does not support workers") as message:
        kt.solve("6x6", method="merge", workers=2)
    assert message.value.help == "use method backtracking or portfolio"


def test_boards_of_one_and_two_squares_need_no_workers() -> None:
    assert len(list(iter_tours("1x1", workers=2))) == 1
    assert list(iter_tours(Board.from_graph([[1], [0]]), closed=True, workers=2)) == []
    assert backtracking(Problem("1x1"), Budget(), 0, workers=2).order == [0]
    assert list(list_orders(Search(Problem("1x1"), 0, "classic", "all", True), Budget(), workers=2)) == [[0]]
