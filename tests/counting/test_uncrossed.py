"""The longest uncrossed tours and their number: compared with a plain search, and published lengths."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers import reference
from helpers.examples import mostly_long
from knightstour.core.model.budget import Budget, Limits, as_arguments
from knightstour.core.model.geometry import flat_of
from knightstour.core.model.problem import Problem, end_index, has_given_end, start_index
from knightstour.core.model.result import Status
from knightstour.lab.objectives.uncrossed_beam import Beam
from knightstour.lab.objectives.uncrossed_sweep import sweep, why_not_sweep

UNCROSSED = {"crossings": 0}


def uncrossed_tours(problem: Problem) -> Iterator[list[int]]:
    """Yield each tour once: open ones from their lower end, closed ones from their lowest square."""
    graph = problem.board.move_graph()
    squares = graph.squares.tolist()
    near: dict[int, list[int]] = {square: [] for square in squares}
    for a, b in zip(graph.tails.tolist(), graph.targets.tolist(), strict=True):
        if (min(a, b), max(a, b)) not in problem.forbid:
            near[a].append(b)
    flat = flat_of(problem.board)
    at = {square: tuple(flat.places(np.array([square]))[0].tolist()) for square in squares}

    def can_go(order: list[int], to: int) -> bool:
        return not any(
            reference.do_cross(at[a], at[b], at[order[-1]], at[to]) for a, b in zip(order, order[1:], strict=False)
        )

    def grow(order: list[int]) -> Iterator[list[int]]:
        first, last = order[0], order[-1]
        is_cycle = len(order) > 2 and first in near[last] and order[1] < last and can_go(order, first)
        if is_cycle if problem.closed else len(order) > 1 and first < last:
            yield order
        for square in near[last]:
            if square not in order and (not problem.closed or square > first) and can_go(order, square):
                yield from grow([*order, square])

    for square in squares:
        yield from grow([square])


def longest(problem: Problem) -> tuple[int, int]:
    """Return the squares of the longest tour, and the number of such tours; (0, 0) without one."""
    sizes = [len(order) for order in uncrossed_tours(problem)]
    return (max(sizes), sizes.count(max(sizes))) if sizes else (0, 0)


BOARDS = ["1x2:wazir", "2x7", "3x4", "3x5", "5x3:-b2", "4x5:-a1,c3", "3x3:king", "3x7:camel", "tri:4", "3x6:dabbaba"]
BOARDS += ["1x9", "4x4", "4x5", "3x6", "3x8", "5x5", "4x6", "4x6:-b2,e3", "5x5:-c3", "5x5:zebra", "5x6:camel", "hex:3"]
BOARDS += ["6x5:giraffe", "4x4:wazir", "3x4:king:-b2", "4x5:fers:-a1", "4x6:alfil", "3x3:knight+wazir"]


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("board", mostly_long(BOARDS, 2))
def test_the_longest_and_their_number_are_right(board: str, closed: bool) -> None:
    problem = Problem(board, closed=closed, partial=True)
    size, ways = longest(problem)
    where = Problem(board, closed=closed, partial=True, where=UNCROSSED)
    result = kt.solve(where, maximize="visits", optimal=True, seed=1)
    if size == 0:
        assert result.status is Status.IMPOSSIBLE and result.reason
        return
    assert result.status is Status.FOUND and result.tour is not None
    assert len(result.tour) == result.bound == size
    assert result.counters["ways"] == ways
    assert find_crossings(result.tour, closed) == 0
    if why_not_sweep(problem) is not None:
        return
    swept = sweep(problem, 1, Budget())
    assert (swept.length + (not closed), swept.ways) == (size, ways)
    assert len(result.to_dict()["unvisited"]) == len(problem.board) - size


def find_crossings(tour: kt.Tour, closed: bool) -> int:
    """Return the crossings of a tour, by an independent function."""
    return int(kt.measure(tour, "crossings", closed=closed)["crossings"][0])


@pytest.mark.parametrize(
    ("board", "asked"),
    mostly_long(
        [
            ("4x4", {"start": "a1", "end": "d4"}),
            ("4x4", {"closed": True, "start": "a1"}),
            ("3x5", {"start": "a1"}),
            ("3x5", {"end": "b3"}),
            ("3x5", {"forbid": ["a1-b3", "c2-e3"]}),
        ],
        2,
    ),
)
def test_forbidden_moves_combine_with_ends(board: str, asked: dict[str, Any]) -> None:
    problem = Problem(board, partial=True, **asked)
    result = kt.solve(board, partial=True, where=UNCROSSED, maximize="visits", optimal=True, seed=1, **asked)
    free = Problem(board, closed=problem.closed, partial=True, forbid=asked.get("forbid", ()))
    fits = [
        order
        for each in uncrossed_tours(free)
        for order in ((each,) if problem.closed else (each, each[::-1]))
        if start_index(problem) in ((None, *order) if problem.closed else (None, order[0]))
        and end_index(problem) in (None, order[-1])
    ]
    size = max(map(len, fits))
    count = sum(len(order) == size for order in fits) // (1 if problem.closed or has_given_end(problem) else 2)
    assert result.tour is not None and (len(result.tour), result.bound, result.counters["ways"]) == (size, size, count)


@pytest.mark.long
@pytest.mark.parametrize(("board", "closed"), [("3x5", False), ("4x5", True), ("4x4:-b2", False)])
def test_a_list_has_all_uncrossed_tours(board: str, closed: bool) -> None:
    problem = Problem(board, closed=closed, partial=True)
    expected = sorted(len(order) for order in uncrossed_tours(problem))
    asked: dict[str, Any] = {"closed": closed, "partial": True, "where": UNCROSSED}
    assert sorted(len(tour) for tour in kt.iter_tours(board, **asked)) == expected
    assert kt.count(board, **asked) == len(expected)
    few = {**UNCROSSED, "visits": "4..5"}
    assert kt.count(board, **{**asked, "where": few}) == sum(size in (4, 5) for size in expected)


@pytest.mark.parametrize("visits", ["6", "7..8", "20..24"])
@pytest.mark.parametrize("closed", [True, False])
def test_a_number_of_squares_is_met(visits: str, closed: bool) -> None:
    result = kt.solve("7x7", closed=closed, partial=True, where={**UNCROSSED, "visits": visits}, seed=2)
    least, _, most = visits.partition("..")
    assert result.tour is not None and int(least) <= len(result.tour) <= int(most or least)
    assert find_crossings(result.tour, closed) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "closed", "visits", "word"),
    [
        ("6x6", True, "14..20", "visits more than 12"),
        ("6x6", True, "11", "even number"),
        ("4x4", False, "17..20", "at most all 16"),
        ("4x4", True, "2", "3 squares or more"),
        ("5x5", True, "25", "at most 24 squares"),
        ("3x3", True, "3..9", "has no uncrossed closed tour"),
    ],
)
def test_a_number_that_no_tour_has_is_impossible(board: str, closed: bool, visits: str, word: str) -> None:
    result = kt.solve(board, closed=closed, partial=True, where={**UNCROSSED, "visits": visits})
    assert result.status is Status.IMPOSSIBLE and word in result.reason


def test_the_most_squares_of_a_range_are_the_best() -> None:
    where = {**UNCROSSED, "visits": "5..10"}
    result = kt.solve("6x6", closed=True, partial=True, where=where, maximize="visits", optimal=True)
    assert result.tour is not None and len(result.tour) == 10 == result.bound
    assert result.status is Status.FOUND and result.source == "definition"


@pytest.mark.long
def test_a_limit_leaves_the_best_tour_and_a_bound() -> None:
    asked: dict[str, Any] = {"partial": True, "where": UNCROSSED, "maximize": "visits", "optimal": True}
    result = kt.solve("8x8", max_nodes=3_000, seed=1, **asked)
    assert result.status is Status.UNDECIDED and result.tour is not None and result.bound == 64
    assert "none visits more than 64" in result.reason and "ways" not in result.counters
    wide = kt.solve("30x30", max_nodes=2_000, seed=1, **asked)
    assert wide.status is Status.UNDECIDED and wide.tour is not None and find_crossings(wide.tour, False) == 0


def test_rejects_meaningless_input() -> None:
    asked: dict[str, Any] = {"partial": True, "where": UNCROSSED}
    with pytest.raises(kt.BoardError, match="flat boards only"):
        kt.solve("5x5:torus", **asked)
    with pytest.raises(kt.ProblemError, match="in both ranges"):
        kt.solve("5x5", partial=True, where=["crossings=0", "crossings=2"])
    with pytest.raises(kt.ProblemError, match="may stay unvisited"):
        kt.solve("5x5", partial=True, where={"magic-rows": 5})
    with pytest.raises(kt.ProblemError, match="may stay unvisited"):
        kt.solve("5x5", require=["a1-b3"], **asked)
    with pytest.raises(kt.ProblemError, match="requires partial=True"):
        kt.solve("5x5", where=UNCROSSED, maximize="visits")
    with pytest.raises(kt.ProblemError, match="does not support"):
        _ = kt.solve("5x5", **asked).certificate()


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "closed", "size", "ways"),
    [
        *((6, True, 12, 358), (7, True, 24, 2), (8, True, 32, 16)),
        *((5, False, 11, 32), (6, False, 18, 8), (7, False, 25, 96)),
    ],
)
def test_longest_lengths_match_published_values(n: int, closed: bool, size: int, ways: int) -> None:
    # A157416 and A003192, in squares.
    problem = Problem((n, n), closed=closed, partial=True)
    swept = sweep(problem, size - (not closed), Budget())
    assert (swept.length + (not closed), swept.ways) == (size, ways)
    assert sweep(problem, swept.length + 1, Budget()).length == 0


@pytest.mark.parametrize(("n", "closed", "least"), [(16, False, 163), (16, True, 164), (24, False, 431)])
def test_a_tour_is_lengthened_on_a_large_board(n: int, closed: bool, least: int) -> None:
    # The best known tours have 182 squares on 16x16 and 454 on 24x24 (open, Merson 1990).
    limits = Limits(seconds=None, nodes=20_000)
    asked: dict[str, Any] = {"closed": closed, "partial": True, "where": UNCROSSED, "maximize": "visits"}
    tour = kt.solve(f"{n}x{n}", **as_arguments(limits), seed=1, **asked).tour
    assert tour is not None and len(tour.squares) >= least
    assert tour.is_closed == closed and find_crossings(tour, closed) == 0


def test_a_beam_finds_what_is_longest_on_small_boards() -> None:
    for n, closed, moves in ((5, True, 8), (6, True, 12), (8, True, 32), (5, False, 10), (6, False, 17)):
        beam = Beam(Problem((n, n), closed=closed, partial=True), 1)
        assert max(len(beam.find(Budget())) for _ in range(3)) == moves
    assert not Beam(Problem("8x8", start="a1", partial=True), 1).may_find
