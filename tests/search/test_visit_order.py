"""Squares in an order with unknown steps: compared with brute force, with reasons if no such tour exists."""

import functools
import random
from collections.abc import Callable
from typing import Any

import pytest

import knightstour as kt
from helpers import reference
from helpers.solving import several_tours
from knightstour.core.model.board import Board
from knightstour.core.model.budget import NO_LIMITS, Budget
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.errors import BoardError, FormatError, ProblemError
from knightstour.core.model.problem import Problem, end_index, keyword_arguments, start_index
from knightstour.core.search.clues import Numberings
from knightstour.core.search.clues_levels import Levels
from knightstour.core.search.clues_sat import Clauses, Steps, sat_numberings

Square = tuple[int, int]


@functools.cache
def walks(board: str, closed: bool) -> list[list[Square]]:
    """Return all tours of a board by plain code, in both directions."""
    adjacent = reference.adjacency(reference.spec_of(Board(board)))
    return list(reference.all_tours(adjacent, closed=closed))


def meets(walk: list[Square], named: tuple[Square, ...], closed: bool) -> bool:
    """Return whether a tour visits these squares in order; a closed one from any of them, in either direction."""
    steps = [walk.index(square) for square in named]
    if not closed:
        return walk[0] == named[0] and walk[-1] == named[-1] and steps == sorted(steps)
    turned = [way[k:] + way[:k] for way in (steps, steps[::-1]) for k in range(len(steps))]
    return any(way == sorted(way) for way in turned)


def questions(n: int) -> list[tuple[str, bool, tuple[Square, ...]]]:
    """Draw boards, whether closed, and squares: half of them in the order of a tour."""
    chance = random.Random(43)
    found = []
    for _ in range(n):
        board, closed = chance.choice(["4x4:wazir", "3x4", "3x3:king"]), chance.random() < 0.5
        squares = reference.all_squares(reference.spec_of(Board(board)))
        named = chance.sample(squares, chance.randint(2, 6))
        if walks(board, closed) and chance.random() < 0.5:
            walk = chance.choice(walks(board, closed))
            named.sort(key=walk.index)
            named = named if closed else list(dict.fromkeys([walk[0], *named, walk[-1]]))
        found.append((board, closed, tuple(named)))
    return found


@pytest.mark.parametrize(("board", "closed", "named"), questions(24))
def test_tours_and_counts_match_brute_force(board: str, closed: bool, named: tuple[Square, ...]) -> None:
    directed = sum(meets(walk, named, closed) for walk in walks(board, closed))
    undirected = directed // 2 if closed else directed
    asked: dict[str, Any] = {"closed": closed, "visit_order": named}
    tours = list(kt.iter_tours(board, **asked))
    assert kt.count(board, **asked) == len(tours) == undirected
    assert len({tour.canonical().order.tobytes() if closed else tour.order.tobytes() for tour in tours}) <= undirected
    assert sum(1 for _ in kt.iter_tours(board, directed=True, **asked)) == directed
    assert kt.count(board, directed=True, **asked) == directed
    assert kt.solve(board, **asked).status is (kt.Status.FOUND if directed else kt.Status.IMPOSSIBLE)
    for tour in tours:
        assert meets([divmod(s, tour.board.cols) for s in tour.order.tolist()], named, closed)


def test_numbered_closed_tour_keeps_its_order_in_both_directions() -> None:
    named: tuple[Square, ...] = ((3, 0), (0, 0), (0, 3), (3, 3), (2, 2))
    want = 0
    for walk in walks("4x4:wazir", True):
        turned = [walk[k:] + walk[:k] for k in range(16)]
        want += sum(way[4] == (1, 1) and meets(way, named, True) for way in turned)
    assert want
    assert kt.count("4x4:wazir", closed=True, given={(1, 1): 5}, visit_order=named) == want


def test_up_to_three_squares_ask_nothing_of_a_closed_tour() -> None:
    assert Problem("6x6", closed=True, visit_order="a1,f6,c3") == Problem("6x6", closed=True)


def test_ends_default_to_first_and_last_square() -> None:
    problem = Problem("7x7:wazir", visit_order=["a1", "c5", (0, 6)])
    assert (problem.start, problem.end, problem.visit_order) == ((6, 0), (0, 6), (42, 16, 6))
    assert Problem("7x7:wazir", **keyword_arguments(problem)) == problem
    assert problem.to_dict()["visit_order"] == ["a1", "c5", "g7"]
    other = Problem("7x7:wazir", visit_order="a1,c5,g7", start="e1", end="g1")
    assert (other.start, other.end) == ((6, 4), (6, 6))
    numbered = Problem("7x7:wazir", visit_order="a1,c5,g7", given={"e1": 1, "d4": 20})
    assert (numbered.start, numbered.end) == ((6, 4), (0, 6))
    assert str(problem).endswith("from a1 to g7 with a1, c5, g7 in this order")


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"visit_order": "a2,c3,e5"}, "both ends on the colour of 13 squares, but a2 has the colour of 12"),
        ({"visit_order": "c3,a1,e5", "start": "a1"}, "the tour begins at a1, but the order has c3 before it"),
        ({"visit_order": "a1,e5,c3", "end": "e5"}, "the tour ends at e5, but the order has c3 after it"),
        ({"visit_order": "a1,e5,a3,e1,a5"}, "the named squares are at least 28 moves apart in all, but a tour has 24"),
        ({"visit_order": "a1,c3,b1,a2,e5"}, "every path between a1 and c3 leads over another named square"),
    ],
)
def test_impossibility_is_explained(asked: dict[str, Any], reason: str) -> None:
    result = kt.solve("5x5:wazir", **asked)
    assert (result.status, reason in result.reason) == (kt.Status.IMPOSSIBLE, True), result.reason


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (["a1"], "a1 alone has no order"),
        ("a1,b2,a1", "a1 is named twice"),
        ("a1,z9", "z9 is not on the board"),
    ],
)
def test_invalid_order_is_one_error(written: Any, message: str) -> None:
    with pytest.raises((ProblemError, BoardError), match=message):
        Problem("5x5:wazir", visit_order=written)


def test_methods_without_visit_order_report_it() -> None:
    with pytest.raises(ProblemError, match="with an order of squares"):
        Problem("6x6", visit_order="a1,c3,f6", symmetry="180")
    with pytest.raises(ProblemError, match="e5 would be both ends"):
        Problem("5x5", visit_order="a1,e5", start="e5")
    for ask in (
        lambda: kt.solve("6x6", method="rotation", visit_order="a1,f6"),
        lambda: kt.sample("6x6", 1, visit_order="a1,f6"),
        lambda: kt.solve("6x6", minimize="turns", visit_order="a1,f6"),
    ):
        with pytest.raises(ProblemError, match="order of squares"):
            ask()


def zip_with_walls(size: int, seed: int) -> Problem:
    """Return a Zip with one solution: walls exclude each other solution."""
    chance = random.Random(seed)
    board = Board(size, size, moves="wazir")
    tour = kt.find_tour(board, method="rotation", seed=seed).order.tolist()
    steps = [0, *sorted(chance.sample(range(1, len(tour) - 1), 6)), len(tour) - 1]
    named = [divmod(tour[step], size) for step in steps]
    made = {frozenset(pair) for pair in zip(tour, tour[1:], strict=False)}
    walls: list[tuple[Square, Square]] = []
    while True:
        problem = Problem(board, visit_order=named, forbid=walls)
        others = [each.order.tolist() for each in several_tours(problem, n=2) if each.order.tolist() != tour]
        if not others:
            return problem
        strange = [pair for pair in zip(others[0], others[0][1:], strict=False) if frozenset(pair) not in made]
        a, b = chance.choice(strange)
        walls.append((divmod(a, size), divmod(b, size)))


@pytest.mark.parametrize("size", [7, 8])
def test_a_zip_is_proved_unique_in_few_nodes(size: int) -> None:
    problem = zip_with_walls(size, 1)
    budget = Budget(NO_LIMITS)
    search = Numberings(
        problem.board,
        [(start_index(problem) or 0, {1}), (end_index(problem) or 0, {size * size})],
        budget,
        forbid=problem.forbid,
        visit_order=problem.visit_order,
        takes_turns=False,
    )
    assert len(list(search)) == 1
    assert search.is_finished
    assert search.nodes < 2000
    result = kt.solve(problem)
    assert result.tour is not None
    assert fault_of(problem, result.tour.order) is None
    assert kt.certificates.verify(result.certificate()).is_right


@pytest.mark.parametrize(
    "kind", [Steps, functools.partial(Levels, by_order=True), Levels], ids=["steps", "levels", "ends"]
)
def test_the_sat_solver_keeps_the_order_too(kind: Callable[..., Clauses]) -> None:
    pytest.importorskip("pysat")
    problem = Problem("4x4:wazir", visit_order="a1,c3,a4")
    search = Numberings(problem.board, [(12, {1}), (0, {16})], Budget(NO_LIMITS), visit_order=problem.visit_order)
    search.possible_steps()
    domains, moves, sure = search._open_choices()
    make = functools.partial(kind, search.places, domains, moves, sure, False, search._named)
    found = sat_numberings(make, set(), Budget(NO_LIMITS), 1000)
    orders = {tuple(order) for order in found if order is not None}
    assert orders == {tuple(order) for order in [tour.order.tolist() for tour in kt.iter_tours(problem)]}


def test_certificate_of_a_visit_order_is_unchecked() -> None:
    result = kt.solve("5x5:wazir", visit_order="a1,c4,d3,c3,d4,e5")
    assert result.status is kt.Status.IMPOSSIBLE
    assert kt.certificates.verify(result.certificate()).verdict.value == "unchecked"
    wrong = {**result.certificate().record, "visit_order": [20, 24]}
    assert not kt.certificates.verify(wrong).is_right
    with pytest.raises(ProblemError, match="for open tours only"):
        _ = kt.solve("6x6:wazir", closed=True, visit_order="a1,a6,f6,f1").certificate()


def test_a_certificate_with_another_order_is_wrong() -> None:
    record = kt.solve("4x4:wazir", visit_order="a1,c3,a4").certificate().record
    assert kt.certificates.verify(record).is_right
    assert not kt.certificates.verify({**record, "visit_order": [12, 0, 6]}).is_right


@pytest.mark.parametrize("order", [[12, 12], [12, 99], "a1", [12, "a"]])
def test_a_certificate_with_no_order_of_squares_cannot_be_read(order: Any) -> None:
    record = kt.solve("4x4:wazir", visit_order="a1,c3,a4").certificate().record
    with pytest.raises(FormatError, match="visit_order"):
        kt.certificates.verify({**record, "visit_order": order})
