"""Tours that may skip squares (partial=True): every function compared with the paths and cycles of networkx."""

import json
from collections.abc import Iterator

import networkx as nx
import pytest

import knightstour as kt
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import ProblemError, WrongAnswer
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.problem import Problem, end_index, has_given_end, start_index
from knightstour.core.model.result import Status
from knightstour.core.model.tour import Tour
from knightstour.core.model.unvisited import answer_of, confirm_part, order_on
from knightstour.core.proofs.arguments import ARGUMENTS, known_proof, later_proof, thorough_proof, why_none
from knightstour.core.search.some_squares import SomeSquares
from knightstour.lab.counting.count import count_problem
from knightstour.lab.counting.settings import CountSettings

GRAPH = {1: [2, 3], 2: [1, 3], 3: [1, 2, 4], 4: [3], 5: [6], 6: [5]}
LONG = {"cycles of 4x4", "paths", "torus", "wazir between corners"}
QUESTIONS: dict[str, tuple[object, dict[str, object]]] = {
    "cycles": ("3x4", {"closed": True}),
    "cycles of 4x4": ("4x4", {"closed": True}),
    "cycles through a square": ("3x4", {"closed": True, "start": "b3"}),
    "cycles without a move": ("3x4", {"closed": True, "forbid": ["a1-b3"]}),
    "paths": ("3x4", {}),
    "paths from": ("3x4", {"start": "a3"}),
    "paths to": ("3x4", {"end": "a2"}),
    "paths between": ("3x4", {"start": "a3", "end": "a2"}),
    "paths between neighbours": ("3x4", {"start": "a3", "end": "b1"}),
    "paths from without a move": ("3x4", {"start": "a1", "forbid": ["a1-b3"]}),
    "holes": ("4x4:-b2,c3", {"start": "a1"}),
    "torus": ("3x3:torus:-c1", {"closed": True, "start": "a1"}),
    "king": ("3x3:king:-b2", {"closed": True}),
    "wazir between corners": ("4x4:wazir", {"start": "a4", "end": "d1"}),
    "box": ("2x2x3", {"closed": True}),
    "graph": (GRAPH, {}),
    "cycles of a graph": (GRAPH, {"closed": True}),
    "two parts": (GRAPH, {"start": 1, "end": 6}),
    "one square": ("1x1", {}),
    "a square alone": ("3x3", {"start": "b2"}),
    "too small": ("2x2", {"closed": True}),
}


def asked(name: str) -> Problem:
    board, others = QUESTIONS[name]
    board = kt.Board.from_graph(board) if isinstance(board, dict) else board
    return Problem(board, partial=True, **others)  # type: ignore[arg-type]


def tours_of(problem: Problem) -> Iterator[tuple[int, ...]]:
    """Return all undirected tours that may skip squares, in a canonical form, from the paths and cycles of a
    library."""
    moves = problem.board.move_graph()
    graph = nx.Graph()
    graph.add_nodes_from(moves.squares.tolist())
    graph.add_edges_from(zip(moves.tails.tolist(), moves.targets.tolist(), strict=True))
    graph.remove_edges_from(problem.forbid)
    start, end = start_index(problem), end_index(problem)
    if problem.closed:
        yield from (written(tuple(cycle), True) for cycle in nx.simple_cycles(graph) if start in (None, *cycle))
        return
    for a in graph if start is None else [start]:
        for b in graph if end is None else [end]:
            if a != b and (start is not None or end is not None or a < b):
                yield from map(tuple, nx.all_simple_paths(graph, a, b))


def written(order: tuple[int, ...], closed: bool) -> tuple[int, ...]:
    """Return the canonical form of a tour: a cycle from its lowest square to the lower neighbour."""
    if not closed:
        return order
    at = order.index(min(order))
    turned = order[at:] + order[:at]
    return min(turned, turned[:1] + turned[:0:-1])


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in QUESTIONS])
def test_list_and_count_match_networkx(name: str) -> None:
    problem = asked(name)
    expected = sorted(tours_of(problem))
    found = [tuple(order_on(problem.board, tour).tolist()) for tour in kt.iter_tours(problem)]
    assert sorted(written(order, problem.closed) for order in found) == expected
    assert kt.count(problem) == len(expected)
    directed = len(expected) * (1 if has_given_end(problem) else 2)
    assert kt.count(problem, directed=True) == directed == sum(1 for _ in kt.iter_tours(problem, directed=True))


@pytest.mark.parametrize("method", ["auto", "exact", "backtracking"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_methods_find_a_tour_or_prove_impossibility(name: str, method: str) -> None:
    problem = asked(name)
    result = kt.solve(problem, method=method)
    expected = Status.FOUND if any(True for _ in tours_of(problem)) else Status.IMPOSSIBLE
    assert result.status is expected
    if result.tour is not None:
        order = tuple(order_on(problem.board, result.tour).tolist())
        assert written(order, problem.closed) in set(tours_of(problem))
        assert len(result.to_dict()["unvisited"]) + len(order) == len(problem.board)
        assert not {problem.board.square_name(divmod(v, problem.board.cols)) for v in order} & set(
            result.to_dict()["unvisited"]
        )


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers_have_certificates(name: str) -> None:
    problem = asked(name)
    if len(problem.board) > 1 and not isinstance(problem.board, CellBoard):
        assert kt.certificates.verify(kt.solve(problem).certificate()).is_right
    if name not in ("one square", "too small", "paths from", "paths to", "holes", "box"):
        certificate = kt.certificates.certify_count(problem)
        assert certificate.record["count"] == str(kt.count(problem))
        assert kt.certificates.verify(certificate).is_right


def test_proof_about_all_squares_is_rejected() -> None:
    record = dict(kt.solve((4, 4), closed=True).certificate().record)
    assert kt.certificates.verify(record).is_right
    assert "does not support tours that skip squares" in kt.certificates.verify({**record, "partial": True}).detail
    wrong = dict(kt.certificates.certify_count("3x4", partial=True).record) | {"partial": False}
    assert not kt.certificates.verify(wrong).is_right


@pytest.mark.parametrize(
    ("n", "cycles", "paths", "between_corners"), [(2, 0, 0, 0), (3, 1, 56, 2), (4, 222, 14980, 138)]
)
def test_published_counts(n: int, cycles: int, paths: int, between_corners: int) -> None:
    assert kt.count((n, n), closed=True, partial=True) == cycles  # OEIS A234623
    assert kt.count((n, n), partial=True) == paths  # OEIS A289204
    ends = {"start": (0, 0), "end": (n - 1, n - 1)}
    assert kt.count((n, n), partial=True, **ends) == between_corners  # type: ignore[arg-type]  # OEIS A212715


@pytest.mark.long
def test_larger_published_counts() -> None:
    assert kt.count("6x6:wazir", closed=True, partial=True) == 1_222_363
    corners = {"start": "a12", "end": "l1"}
    assert kt.count("12x12:wazir", partial=True, **corners) == 182_413_291_514_248_049_241_470_885_236


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("board", ["4x4", "5x5", "3x3", "3x5:-c3"])
def test_no_argument_about_all_squares_is_used(argument: object, board: str) -> None:
    for closed in (True, False):
        problem = Problem(board, closed=closed, partial=True)
        assert why_none(problem, (argument,)) is None  # type: ignore[arg-type]


def test_no_theorem_about_all_squares_is_used() -> None:
    for board in ("4x4", "4x8", "5x5", "3x3", "1x7", "6x6:1,3", "3x4:torus"):
        problem = Problem(board, closed=True, partial=True)
        assert known_proof(problem) is later_proof(problem) is thorough_proof(problem) is None
        assert kt.solve(problem).source not in ("Schwenk 1991; Cull & De Curtins 1978", "colour argument")


def test_partial_tour_board_has_the_skipped_squares_as_holes() -> None:
    result = kt.solve("8x8:-h8", partial=True, start="a1", end="b2")
    assert result.tour is not None
    record = json.loads(json.dumps(result.to_dict()))
    assert record["partial"] is True and "h8" not in record["unvisited"]
    assert result.tour.board == kt.Board("8x8").replace(holes=["h8", *record["unvisited"]])
    assert str(result.tour).count("1") == 1


@pytest.mark.parametrize(("board", "start"), [("hex:3:king", "c5"), ("4x4x4", "d1.4"), ("tri:4", "d4")])
def test_cells_keep_their_names_if_rows_are_skipped(board, start):
    asked = kt.Board(board)
    result = kt.solve(asked, start=start, partial=True, seed=1)
    names = [result.tour.board.square_name(square) for square in result.tour.squares]
    assert names[0] == start and len(names) < len(asked)
    assert {*names, *result.to_dict()["unvisited"]} == {asked.square_name((0, k)) for k in range(len(asked))}


@pytest.mark.parametrize("form", ["algebraic", "grid", "json", "link"])
def test_cell_tour_with_its_own_board_is_read_back(form: str) -> None:
    # The squares of the lowest row are skipped, and 2x2x2 are visited.
    tour = answer_of(Problem("2x3x2:king", partial=True), [0, 1, 3, 2, 8, 9, 7, 6])
    assert str(tour.board) == str(kt.Board("2x2x2:king")) and kt.parse_tours(tour.to_text(form)) == [tour]


def test_tour_is_checked_against_the_requested_board() -> None:
    problem = Problem("4x4:-b2", closed=True, partial=True)
    through_the_hole = answer_of(Problem("4x4", partial=True), [9, 0, 6, 15])
    of_another_piece = Tour.from_array([0, 1, 3, 2], "2x2:king")
    for tour in (through_the_hole, of_another_piece):
        with pytest.raises(WrongAnswer):
            confirm_part(problem, tour, "a test")


@pytest.mark.parametrize(
    "others", [{"given": {"a1": 3}}, {"require": ["a1-b3"]}, {"symmetry": "180"}], ids=["given", "require", "symmetry"]
)
def test_rejects_conditions_on_skippable_squares(others: dict[str, object]) -> None:
    with pytest.raises(ProblemError, match="a square may stay unvisited"):
        Problem("6x6", partial=True, **others)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda p: kt.estimate(p), "partial tours"),
        (lambda p: kt.census(p, "turns"), "partial tours"),
        (lambda p: kt.TourSpace(p), "partial tours"),
        (lambda p: next(iter(kt.iter_samples(p))), "partial tours"),
        (lambda p: kt.count(p, up_to_symmetry=True), "partial tours"),
        (lambda p: count_problem(p, settings=CountSettings(across=6)), "halves"),
        (lambda p: kt.solve(p, method="rotation"), "all squares"),
        (lambda p: kt.solve(p, method="sat"), "all squares"),
        (lambda p: list(kt.iter_tours(p, workers=2)), "leave squares"),
        (lambda p: list(kt.iter_tours(p, move_order="13572468")), "leave squares"),
    ],
)
def test_unsupported_method_reports_the_reason(ask, reason) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ProblemError, match=reason):
        ask(Problem("6x6", partial=True))


def test_list_nodes_include_the_start_and_are_counted_per_tour() -> None:
    budget = Budget()
    listing = SomeSquares(Problem("3x3", start="a1", partial=True), budget, True)
    # From a1 round the ring in both directions: entered squares, including the start.
    assert [(len(tour), budget.nodes) for tour in listing] == [(k % 7 + 2, k + 2) for k in range(14)]
