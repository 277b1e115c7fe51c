"""Tests of theorems: if one excludes a tour, a complete search finds none.

The reference searches boards of up to 20 squares, the exact method larger ones.
"""

import functools
import itertools
from collections.abc import Iterator
from math import gcd
from typing import Any

import pytest

from helpers import reference
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import WRAPS, Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.proofs.theorems import (
    box_proof,
    closed_rectangle_proof,
    is_pair_possible,
    leaper_proof,
    open_rectangle_proof,
    rectangle_proof,
    surface_proof,
)
from knightstour.core.search.frontier.exact import exact

Square = tuple[int, int]


def has_tour(problem: Problem) -> bool:
    """Decide by a complete search."""
    board = problem.board
    if len(board) <= 12:
        adjacent = reference.adjacency(reference.spec_of(board))
        return reference.has_tour(adjacent, closed=problem.closed, start=problem.start, end=problem.end)
    outcome = exact(problem, Budget(Limits(seconds=60)), 0)
    assert outcome.status is not Status.UNDECIDED
    return outcome.status is Status.FOUND


def quadrant(rows: int, cols: int) -> list[Square]:
    """Return one square of each class of mirror images."""
    return [(r, c) for r in range((rows + 1) // 2) for c in range((cols + 1) // 2)]


def sides_of_boxes(cells: int, shortest: int = 2) -> Iterator[tuple[int, ...]]:
    """Yield the sides of all boxes of up to `cells` cells, each at least `shortest`."""
    for side in range(shortest, cells + 1):
        yield (side,)
        yield from ((side, *rest) for rest in sides_of_boxes(cells // side, side))


BOXES = [sides for sides in sides_of_boxes(24) if len(sides) > 2]


@pytest.mark.parametrize("sides", BOXES, ids=str)
def test_box_theorem_matches_complete_search(sides: tuple[int, ...]) -> None:
    board = Board(sides)
    lists = move_graph(board).neighbour_lists()
    proof = box_proof(Problem(board, closed=True))
    outcome = exact(Problem(board, closed=True), Budget(), 0)
    assert outcome.status is (Status.FOUND if proof is None else Status.IMPOSSIBLE)
    if proof is not None and "no move" in proof[0]:
        assert [] in lists
    if proof is not None and "never to the next layer" in proof[0]:
        cells: Any = board.labels
        assert all(abs(cells[a][-1] - cells[b][-1]) == 2 for a in range(len(cells)) for b in lists[a])


LARGER = [(2, 4, 5), (3, 3, 4), (2, 2, 3, 4), (2, 3, 3, 4), (2, 2, 2, 3, 4), (3, 3, 3, 4), (2, 3, 7), (5, 5, 6)]


@pytest.mark.parametrize("sides", LARGER, ids=str)
def test_larger_boxes_have_the_tours_that_the_theorem_grants(sides: tuple[int, ...]) -> None:
    problem = Problem(Board(sides), closed=True)
    assert box_proof(problem) is None and solve(problem).status is Status.FOUND


@pytest.mark.parametrize("sides", [(3, 5, 7), (2, 2, 9), (2, 2, 2, 8), (3, 3, 3, 2), (2, 2, 2, 2, 2)], ids=str)
def test_boxes_without_tour_name_their_theorem(sides: tuple[int, ...]) -> None:
    result = solve(Problem(Board(sides), closed=True))
    names = "DeMaio & Mathew 2011" if len(sides) == 3 else "Erde, Golenia & Golenia 2012"
    assert (result.status, result.source) == (Status.IMPOSSIBLE, names)


# ---------------------------------------------------------------- rectangles


@pytest.mark.long
@pytest.mark.parametrize("rows", range(1, 7))
def test_schwenks_theorem_matches_complete_search(rows: int) -> None:
    for cols in range(rows, 13 if rows < 5 else 9):
        says_no = closed_rectangle_proof(rows, cols) is not None
        assert says_no == (closed_rectangle_proof(cols, rows) is not None)
        assert says_no != has_tour(Problem(Board(rows, cols), closed=True)), (rows, cols)


@pytest.mark.parametrize("rows", range(1, 7))
def test_rectangles_without_open_tours_match_complete_search(rows: int) -> None:
    for cols in range(rows, 13 if rows < 5 else 9):
        says_no = open_rectangle_proof(rows, cols) is not None
        assert says_no == (open_rectangle_proof(cols, rows) is not None)
        assert says_no != has_tour(Problem(Board(rows, cols))), (rows, cols)


def questions_refused(rows: int, cols: int) -> Iterator[Problem]:
    """Yield the problems with ends that a theorem excludes, up to mirror images."""
    board = Board(rows, cols)
    squares = [(r, c) for r in range(rows) for c in range(cols)]
    for start in quadrant(rows, cols):
        for problem in (Problem(board, start=start), Problem(board, end=start)):
            if rectangle_proof(problem) is not None:
                yield problem
        for end in squares:
            if start != end and rectangle_proof(Problem(board, start=start, end=end)) is not None:
                yield Problem(board, start=start, end=end)


def is_refused_by_colour(problem: Problem) -> bool:
    """Whether colours exclude the problem; larger boards then need no search."""
    ends = [sum(s) % 2 for s in (problem.start, problem.end) if s is not None]
    if len(problem.board) % 2:
        return 1 in ends
    return len(ends) == 2 and ends[0] == ends[1]


@pytest.mark.parametrize(("rows", "cols"), [(r, c) for r in range(1, 5) for c in range(r, 7) if r * c <= 12])
def test_no_question_refused_has_a_tour_by_the_reference(rows: int, cols: int) -> None:
    for a, b in {(rows, cols), (cols, rows)}:
        for problem in questions_refused(a, b):
            assert not has_tour(problem), problem


_SMALL = [(r, c) for r, c in itertools.product(range(3, 13), repeat=2) if r * c <= 50 and min(r, c) < 8]
_SOME = [(3, 7), (8, 3), (3, 9), (4, 5), (6, 4), (5, 5), (5, 6), (8, 5), (3, 12)]


@pytest.mark.parametrize(
    ("rows", "cols"),
    [pytest.param(*size, marks=pytest.mark.long if size in _SOME else pytest.mark.slow) for size in _SMALL],
)
def test_no_question_refused_has_a_tour_by_exact_search(rows: int, cols: int) -> None:
    for problem in questions_refused(rows, cols):
        if not is_refused_by_colour(problem):
            assert not has_tour(problem), problem


@pytest.mark.long
def test_pair_allowed_by_theorems_is_possible() -> None:
    # 3 x 11 and 5 x 7 are the smallest boards of three and of five rows on which the rules are complete.
    for rows, cols in ((3, 11), (5, 7), (12, 3)):
        squares = [(r, c) for r in range(rows) for c in range(cols)]
        for start in quadrant(rows, cols)[::2]:
            for end in squares[start[0] :: 5]:
                if start != end:
                    expected = has_tour(Problem(Board(rows, cols), start=start, end=end))
                    assert is_pair_possible(rows, cols, start, end) == expected, (rows, cols, start, end)


def test_refusals_hold_from_both_ends_and_in_mirror_images() -> None:
    for rows, cols in ((3, 9), (3, 10), (4, 7), (5, 8), (7, 6)):
        board, turned = Board(rows, cols), Board(cols, rows)
        squares = [(r, c) for r in range(rows) for c in range(cols)]
        for start in squares:
            for end in squares:
                if start == end:
                    continue
                says_no = rectangle_proof(Problem(board, start=start, end=end)) is None
                mirrored = [(rows - 1 - r, c) for r, c in (start, end)]
                for other in (
                    Problem(board, start=end, end=start),
                    Problem(board, start=mirrored[0], end=mirrored[1]),
                    Problem(turned, start=start[::-1], end=end[::-1]),
                ):
                    assert (rectangle_proof(other) is None) == says_no, other


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (Problem(Board(1, 9), closed=True), "cannot move"),
        (Problem(Board(9, 2), closed=True), "corner"),
        (Problem(Board(5, 7), closed=True), "35 is odd"),
        (Problem(Board(4, 9), closed=True), "4 rows"),
        (Problem(Board(9, 4), closed=True), "4 columns"),
        (Problem(Board(3, 8), closed=True), "falls into 5 parts"),
        (Problem(Board(5, 5), start=(0, 1)), "b5 has the other colour"),
        (Problem(Board(8, 8), start=(0, 0), end=(7, 7)), "same colour"),
        (Problem(Board(4, 9), start=None, end=(1, 5)), "outer rows"),
        (Problem(Board(9, 4), start=(5, 2), end=None), "outer columns"),
        (Problem(Board(5, 8), start=(2, 1), end=(4, 6)), "middle row and the second column"),
        (Problem(Board(10, 3), start=(7, 1), end=(4, 1)), "middle column and the third row"),
        (Problem(Board(3, 9), start=(0, 2), end=(2, 2)), "only neighbours"),
        (Problem(Board(9, 3), start=(2, 0), end=(3, 1)), "nine squares"),
    ],
)
def test_reason_and_source_are_reported(problem: Problem, words: str) -> None:
    proof = rectangle_proof(problem)
    assert proof is not None
    reason, source = proof
    assert words in reason
    assert source


# ---------------------------------------------------------------- surfaces


@pytest.mark.parametrize("wrap", ["cylinder", "mobius"])
def test_watkins_theorems_never_refute_an_existing_tour(wrap: str) -> None:
    for rows in range(1, 31):
        for cols in range(1, 31):
            if rows * cols <= 30:
                problem = Problem(Board(rows, cols, wrap=wrap), closed=True)
                if surface_proof(problem) is not None:
                    assert not has_tour(problem), (rows, cols)
                elif cols > 1 or rows > 2:
                    # They are complete: every other surface has a closed tour.
                    assert has_tour(problem), (rows, cols)


@pytest.mark.parametrize("wrap", WRAPS)
def test_theorems_about_surfaces_speak_of_knights_and_closed_tours_only(wrap: str) -> None:
    assert surface_proof(Problem(Board(1, 5, wrap=wrap))) is None
    assert surface_proof(Problem(Board(4, 6, wrap=wrap, leaper=(2, 3)), closed=True)) is None
    assert surface_proof(Problem(Board(4, 6, wrap=wrap, holes=[(0, 0)]), closed=True)) is None
    says_no = surface_proof(Problem(Board(4, 6, wrap=wrap), closed=True)) is not None
    assert says_no == (wrap == "cylinder")


# ---------------------------------------------------------------- leapers


@functools.cache
def is_connected(rows: int, cols: int, leaper: tuple[int, int]) -> bool:
    adjacent = reference.adjacency(reference.Spec(rows, cols, leaps=(leaper,)))
    reached = {(0, 0)}
    front = [(0, 0)]
    while front:
        front = [s for square in front for s in adjacent[square] - reached]
        reached.update(front)
    return len(reached) == rows * cols


LEAPERS = [(a, b) for b in range(1, 6) for a in range(1, b + 1)]


@pytest.mark.parametrize("leaper", LEAPERS, ids=str)
def test_knuths_theorem_is_whether_all_squares_can_be_reached(leaper: tuple[int, int]) -> None:
    for rows in range(2, 13):
        for cols in range(rows, 13):
            says_no = leaper_proof(Board(rows, cols, leaper=leaper)) is not None
            assert says_no == (leaper_proof(Board(cols, rows, leaper=leaper)) is not None)
            assert says_no != is_connected(rows, cols, leaper), (rows, cols, leaper)


def test_a_leaper_is_refused_with_the_reason_that_holds() -> None:
    for a, b in LEAPERS:
        proof = leaper_proof(Board(30, 30, leaper=(a, b)))
        assert (proof is not None) == (gcd(a + b, b - a) != 1)
        if proof is not None:
            assert ("keeps its colour" in proof[0]) == ((a + b) % 2 == 0)
    proof = leaper_proof(Board(5, 5, leaper=(2, 3)))
    assert proof is not None and "at least 5 rows and 6 columns" in proof[0]


@pytest.mark.parametrize(
    "board",
    [
        Board(20, 20, leaper=(1, 3), wrap="torus"),
        Board(20, 20, leaper=(1, 3), holes=[(0, 0)]),
        Board(20, 20, leaper=(0, 1)),
        Board(1, 20, leaper=(1, 3)),
        Board.from_graph([[1], [0]]),
    ],
    ids=str,
)
def test_knuths_theorem_speaks_of_plain_rectangles_and_proper_leapers_only(board: Board) -> None:
    assert leaper_proof(board) is None
