"""Tests of directed graphs: tours along arcs compared with plain code, in all interfaces."""

import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.arcs import tours_along
from helpers.solving import solve_several
from knightstour.core.model.problem import end_index, start_index
from knightstour.lab.objectives import longest_along_arcs

RING = kt.Board.from_graph(
    [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c"), ("c", "a"), ("b", "d")], directed=True
)


@st.composite
def questions(draw: st.DrawFn) -> tuple[kt.Board, set[tuple[int, int]], dict[str, Any]]:
    """Draw a directed graph of up to six nodes, its arcs, and a problem."""
    count = draw(st.integers(1, 6))
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    arcs = set(draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else set()
    board = kt.Board.from_graph({a: [b for b in range(count) if (a, b) in arcs] for a in range(count)}, directed=True)
    node = st.none() | st.integers(0, count - 1)
    closed, start = draw(st.booleans()), draw(node)
    end = None if closed else draw(node)
    if count > 1 and start == end:
        end = None
    return board, arcs, {"closed": closed, "start": start, "end": end}


@given(questions())
def test_tours_along_arcs_match_a_plain_program(drawn: Any) -> None:
    board, arcs, question = drawn
    wanted = tours_along(len(board), arcs, **question)
    listed = [tuple(tour.labels) for tour in kt.iter_tours(board, **question)]
    assert len(listed) == len(wanted) and set(listed) == wanted
    assert kt.count(board, **question) == kt.count(board, directed=True, **question) == len(wanted)
    result = kt.solve(board, seed=1, **question)
    assert result.problem.board == board
    if wanted:
        assert result.tour is not None and tuple(result.tour.labels) in wanted
    else:
        assert result.status is kt.Status.IMPOSSIBLE and result.reason and result.source


@st.composite
def conditions(draw: st.DrawFn) -> tuple[kt.Board, set[tuple[int, int]], dict[str, Any]]:
    """Draw a problem with required arcs and nodes in an order."""
    board, arcs, question = draw(questions())
    some = st.lists(st.sampled_from(sorted(arcs)), unique=True, max_size=2) if arcs else st.just([])
    through, avoid = draw(some), draw(some)
    nodes = st.lists(st.integers(0, len(board) - 1), unique=True, max_size=4)
    order = draw(nodes.filter(lambda named: len(named) != 1))
    return board, arcs, {**question, "require": through, "forbid": avoid, "visit_order": order}


def keeps(tour: tuple[int, ...], closed: bool, require: Any, forbid: Any, visit_order: Any) -> bool:
    """Whether a tour meets these conditions; a closed one from any node."""
    made = {*zip(tour, tour[1:] + tour[:1] * closed, strict=False)}
    steps = [tour.index(node) for node in visit_order]
    falls = sum(a > b for a, b in zip(steps, steps[1:] + steps[:1] * closed, strict=False))
    return made.issuperset(require) and made.isdisjoint(forbid) and falls <= closed


@given(conditions())
def test_arcs_and_orders_are_kept(drawn: Any) -> None:
    board, arcs, question = drawn
    try:
        problem = kt.Problem(board, **question)
    except kt.ProblemError as error:
        assert re.search("both required and forbidden|the same square|both ends", str(error))
        return
    closed, wanted = problem.closed, {name: question[name] for name in ("require", "forbid", "visit_order")}
    tours = tours_along(len(board), arcs, closed=closed, start=start_index(problem), end=end_index(problem))
    wanted_tours = {tour for tour in tours if keeps(tour, closed, **wanted)}
    listed = [tuple(tour.labels) for tour in kt.iter_tours(problem)]
    assert len(listed) == len(wanted_tours) and set(listed) == wanted_tours
    assert kt.count(problem) == len(wanted_tours)
    result = kt.solve(problem, seed=1)
    assert (tuple(result.tour.labels) in wanted_tours) if result.tour else result.status is kt.Status.IMPOSSIBLE
    assert bool(result.tour) == bool(wanted_tours)


def some_along(out: list[list[int]], closed: bool, start: int | None, end: int | None) -> set[tuple[int, ...]]:
    """Return all paths of at least two nodes, or cycles of at least three, by definition."""
    found = set()
    ways = [(first,) for first in range(len(out)) if start in (None, first)]
    for way in ways:
        is_whole = len(way) > 2 and way[0] in out[way[-1]] if closed else len(way) > 1 and end in (None, way[-1])
        if is_whole:
            found.add(way)
        least = way[0] if closed and start is None else -1
        ways += [(*way, node) for node in out[way[-1]] if node not in way and node > least]
    return found


@given(questions(), st.data())
def test_partial_tours_match_a_plain_program(drawn: Any, data: st.DataObject) -> None:
    board, arcs, question = drawn
    avoid = data.draw(st.lists(st.sampled_from(sorted(arcs)), unique=True, max_size=2)) if arcs else []
    out = [[b for b in range(len(board)) if (a, b) in arcs - set(avoid)] for a in range(len(board))]
    wanted = some_along(out, **question)
    asked = {**question, "forbid": avoid, "partial": True}
    listed = [tuple(tour.labels) for tour in kt.iter_tours(board, **asked)]
    assert len(listed) == len(wanted) and set(listed) == wanted
    assert kt.count(board, **asked) == len(wanted)
    assert bool(kt.solve(board, seed=1, **asked).tour) == bool(wanted)
    best = kt.solve(board, maximize="visits", optimal=True, seed=1, **asked)
    if not wanted:
        assert best.status is kt.Status.IMPOSSIBLE and best.reason
        return
    assert best.status is kt.Status.FOUND and best.tour is not None
    nodes = tuple(best.tour.labels)
    assert best.bound == len(nodes) == max(map(len, wanted))
    k = nodes.index(min(nodes)) if question["closed"] and question["start"] is None else 0
    assert nodes[k:] + nodes[:k] in wanted
    assert {*nodes, *map(int, best.to_dict()["unvisited"])} == set(range(len(board)))


@pytest.mark.parametrize("has_solver", [True, False])
def test_the_longest_path_and_cycle_of_a_larger_graph(has_solver: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arcs join the rings in one direction, so a cycle stays in one ring."""
    if has_solver:
        pytest.importorskip("pysat")
    else:
        monkeypatch.setattr(longest_along_arcs.importlib.util, "find_spec", lambda name: None)
    arcs, first = [], 0
    for size in (4, 7, 5):
        arcs += [(first + k, first + (k + 1) % size) for k in range(size)]
        arcs += [(first + 1, first + size)] * (first < 11)
        first += size
    board = kt.Board.from_graph(arcs, directed=True)
    longest = {"partial": True, "maximize": "visits", "optimal": True}
    path, cycle = kt.solve(board, **longest, seed=1), kt.solve(board, closed=True, **longest, seed=1)  # type: ignore[arg-type]
    # A ring is left at its second node and entered at its first: a path begins in the second ring, at its third node.
    assert (len(path.tour or ()), len(cycle.tour or ())) == (7 + 5, 7)
    assert cycle.reason.startswith("no closed tour visits more than 7 of 16 squares")


def test_requesting_more_tours_than_exist_returns_all() -> None:
    seen: list[tuple[Any, ...]] = []
    found = solve_several(
        RING, closed=True, n=9, unique=True, seed=1, on_tour=lambda tour, again: seen.append((*tour.labels,))
    )
    assert set(seen) == {("a", "b", "c", "d")}
    assert "these 1 are all" in found.reason


@pytest.mark.parametrize(("size", "tours"), [(4, 0), (6, 2), (8, 1120)])
def test_whirling_tours(size: int, tours: int) -> None:
    """Every move goes round the middle in one direction. Values: Jelliss's notes, and another program."""
    board, middle, arcs = kt.Board(size), size - 1, []
    for here in board.squares:
        for there in board.neighbors(here):
            (a, b), (c, d) = ([2 * x - middle for x in square] for square in (here, there))
            if a * d > b * c:
                arcs.append((board.square_name(here), board.square_name(there)))
    assert kt.count(kt.Board.from_graph(arcs, directed=True), closed=True) == tours


@pytest.mark.parametrize("method", ["backtracking", "exact", "sat", "rotation", "merge", "warnsdorff", "clues"])
def test_methods_answer_along_arcs(method: str) -> None:
    if method == "sat":
        pytest.importorskip("pysat")
    tour = kt.find_tour(RING, closed=True, start="c", method=method, seed=1)
    assert tour.labels == ["c", "d", "a", "b"]


@pytest.mark.parametrize(
    ("arcs", "question", "reason"),
    [
        ([("a", "b"), ("b", "c"), ("a", "c")], {"closed": True}, "no arcs lead from c to a"),
        ({"a": ["b", "c"], "b": [], "c": []}, {}, "no arcs lead from c to b, nor from b to c"),
        ([("a", "b"), ("b", "c"), ("c", "b")], {"start": "b"}, "no arcs lead from the start, b, to a"),
        ([("a", "b"), ("b", "a"), ("b", "c")], {"end": "a"}, "no arcs lead from c to the end, a"),
        (
            {"a": ["b"], "b": ["a", "c", "d"], "c": ["b"], "d": ["a", "b"]},
            {"closed": True},
            "a and c lead to b alone, and a closed tour has another node after each",
        ),
        (
            {"m": ["a", "b", "c", "d"], "a": ["m"], "b": ["m"], "c": ["m"], "d": ["m"]},
            {},
            "a, b, c and d lead to m alone, and a tour has another node after each but its last",
        ),
        ({"a": ["b"], "b": ["a"]}, {"closed": True}, "a closed tour has at least three squares"),
    ],
)
def test_impossibility_is_explained_with_the_users_nodes(arcs: Any, question: dict[str, Any], reason: str) -> None:
    result = kt.solve(kt.Board.from_graph(arcs, directed=True), **question)
    assert (result.status, result.reason) == (kt.Status.IMPOSSIBLE, reason)
    assert kt.count(kt.Board.from_graph(arcs, directed=True), **question) == 0


def test_a_proof_about_other_nodes_is_not_given() -> None:
    # Two rings cover its nodes, and none goes through all of them.
    board = kt.Board.from_graph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "c")], directed=True)
    result = kt.solve(board, closed=True)
    assert result.status is kt.Status.IMPOSSIBLE and "three nodes for each node" in result.reason
    assert "(in)" not in str(result) and "of the directed graph of 4 nodes" in str(result)
    assert kt.solve(board, closed=True, method="exact", settings={"proofs": False}).reason.startswith(
        "an exhaustive search"
    )


def test_a_tour_goes_along_arcs_alone() -> None:
    tour = kt.Tour(RING, ["a", "b", "c", "d"])
    assert tour.is_closed and tour.canonical() == tour and tour.shifted(2).canonical() == tour
    assert kt.Tour(RING, ["d", "a", "b", "c"]).reversed is not None
    with pytest.raises(kt.InvalidTour, match="d to c is not an arc of the graph"):
        tour.reversed()
    with pytest.raises(kt.InvalidTour, match="b to a is not an arc of the graph"):
        kt.Tour(RING, ["b", "a", "c", "d"])
    assert not kt.Tour(RING, ["c", "a", "b", "d"]).is_closed
    assert tour.symmetry == "none"


def test_digraphs_of_libraries_go_in_and_out() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([(3, 1), (1, 2), (2, 3), (1, 1)])
    board = kt.Board(graph)
    assert board.is_directed and board.labels == (3, 1, 2) and board.graph == ((1,), (2,), (0,))
    assert set(board.to_networkx().edges) == {(3, 1), (1, 2), (2, 3)}
    assert set(kt.find_tour(board, closed=True).to_networkx().edges) == {(3, 1), (1, 2), (2, 3)}
    both = kt.Board.from_graph(networkx.path_graph(3), directed=True)
    assert both.graph == ((1,), (0, 2), (1,)) and both != kt.Board.from_graph(networkx.path_graph(3))
    assert kt.Board.from_graph(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), directed=True).graph == ((1,), (2,), (0,))
    assert kt.Board.from_graph([[1], [2], [0]], directed=True).graph == ((1,), (2,), (0,))


def test_digraphs_of_igraph_and_rustworkx() -> None:
    igraph = pytest.importorskip("igraph")
    assert kt.Board(igraph.Graph([(0, 1), (1, 2), (2, 0)], directed=True)).graph == ((1,), (2,), (0,))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "no node"),
        ("abc", "not a graph"),
        (None, "not a graph"),
        ({"a": ["b"]}, "node 'a' has a neighbour 'b' that is not a node"),
        ([[1, 2], [2, 0], [0, 1]], "can be read in two ways"),
    ],
)
def test_rejects_invalid_digraphs(wrong: Any, message: str) -> None:
    with pytest.raises(kt.BoardError if isinstance(wrong, list | dict) else TypeError, match=message):
        kt.Board.from_graph(wrong, directed=True)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: kt.solve(RING, given={"a": 1}), "a question about a directed graph has no given"),
        (lambda: kt.solve(RING, require=["b->a"]), "require: b->a is not an arc of the directed graph"),
        (lambda: kt.solve(RING, forbid=["a-b"], require=[("a", "b")]), "a->b is both required and forbidden"),
        (lambda: kt.solve(RING, partial=True, visit_order="a,b"), "with partial=True: a square may stay unvisited"),
        (lambda: kt.solve(RING, partial=True, method="exact"), "it lengthens no tours along arcs"),
        (lambda: kt.solve(RING, partial=True, minimize="turns"), "minimize turns"),
        (lambda: kt.plan(RING, partial=True), "are listed, with no plan"),
        (lambda: kt.count(RING, symmetry="180"), "a question about a directed graph has no symmetry"),
        (lambda: kt.solve(RING, minimize="turns"), "a search along arcs does not support minimize"),
        (lambda: kt.solve(RING, trace=kt.Trace()), "a search along arcs does not support trace"),
        (lambda: kt.solve(RING, method="explicit"), "not for a directed graph of 4 nodes"),
        (lambda: solve_several(RING, n=0), "must be 1 or more"),
        (lambda: kt.count(RING, up_to_symmetry=True), "no symmetries of a directed graph are known"),
        (lambda: kt.count(RING, checkpoint="anywhere"), "a count of directed graphs supports no checkpoints"),
        (lambda: kt.facts(RING), "directed graphs are not supported"),
        (lambda: kt.certificates.certify_count(RING), "certificates do not support directed graphs"),
        (lambda: kt.solve(RING, closed=True).certificate(), "certificates do not support directed graphs"),
        (lambda: RING.distances("a"), "directed graphs are not supported"),
        (lambda: RING.move_graph(), "directed graphs are not supported"),
        (lambda: RING.save(io.StringIO(), "graph6"), "directed graphs are not supported"),
        (lambda: kt.draw(kt.find_tour(RING)), "no squares to draw"),
    ],
)
def test_methods_without_arcs_report_it(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(kt.KnightsTourError, match=message) as caught:
        ask()
    assert "12" not in str(caught.value) and "13" not in str(caught.value)


def test_limits_apply_to_the_directed_graph() -> None:
    board = kt.Board.from_graph(
        {i: [(7 * i + 1) % 60, (5 * i + 3) % 60, (11 * i + 2) % 60] for i in range(60)}, directed=True
    )
    with pytest.raises(kt.LimitReached, match="limit of 2") as caught:
        kt.count(board, max_nodes=2)
    assert caught.value.result.problem.board == board
    assert kt.plan(board, closed=True).problem.board == board


def test_a_tour_along_arcs_is_written_and_read() -> None:
    tour = kt.find_tour(RING, closed=True)
    for name in ("algebraic", "json", "tour"):
        file = io.StringIO()
        kt.write_tours(file, [tour], name)
        (found,) = kt.read_tours(io.StringIO(file.getvalue()), name, board=None if name == "json" else RING)
        assert found == tour and found.board.is_directed
