"""Tests of statistics of other pieces, from their definitions, with exact fractions."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

import knightstour as kt
from helpers.drawn_reference import DRAWN, angles
from helpers.examples import mostly_long
from helpers.objectives import goal
from helpers.reference import do_cross
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.problem import Problem
from knightstour.core.statistics.statistic import Size

# Ten pieces and mixes, on boards with and without holes.
BOARDS = [
    kt.Board("5x3:king"),
    kt.Board("4x4:wazir+dabbaba"),
    kt.Board("4x5:king", holes=[(1, 1), (2, 3)]),
    kt.Board("5x5:knight+ferz"),
    kt.Board("4x4:wazir"),
    kt.Board("2x7", moves="0,1+0,2+0,3"),
    kt.Board("5x6:knight+dabbaba", holes=[(0, 0)]),
    kt.Board("6x6:ferz+wazir+alfil"),
    kt.Board("5x5", moves="0,1+1,2"),
    kt.Board("7x7", moves="2,3+0,1"),
    kt.Board("5x6"),
    kt.Board("3x8", moves="0,2+0,3"),
]
CELLS = [kt.Board(word) for word in ("hex:3:king", "hex:3:wazir", "tri:5", "tri:6:king", "hex:3:king+wazir")]


def some_tours(board: kt.Board, closed: bool, n: int) -> list[kt.Tour]:
    limits = Limits(seconds=None, nodes=100_000)
    found = [kt.solve(board, closed=closed, seed=seed, **as_arguments(limits)).tour for seed in range(n)]
    return [tour for tour in found if tour is not None]


def steps_of(squares: list[tuple[int, int]], closed: bool) -> list[tuple[int, int]]:
    around = [*squares, squares[0], squares[1]] if closed else squares
    return [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(around)]


def check_numbers(board: kt.Board, n: int) -> None:
    for closed in (False, True):
        for tour in some_tours(board, closed, n):
            squares = [tuple(map(int, square)) for square in tour.squares]
            found = kt.measure(tour, closed=closed)
            assert "area" in found or not closed
            # Moves of two lengths on one line are two directions, and a piece need not make all of its leaps.
            turned = [b != a for a, b in pairwise(steps_of(squares, closed))]
            wide = angles(90.1, 181)(squares, closed, (board.rows, board.cols))
            by_steps = {
                "straight": turned.count(False),
                "obtuse": wide - turned.count(False),
                "chords": len(tour.board.move_graph().targets) // 2 - len(tour) + (not closed),
            }
            for name, values in found.items():
                size = (board.rows, board.cols)
                expected = by_steps.get(name, -1)
                expected = DRAWN[name](squares, closed, size) if expected < 0 else expected
                assert Fraction(values[0].item()) == expected, (name, squares)
                row, of = kt.STATISTICS[name], Size(board, closed, len(tour))
                bound = row.bound(of)
                assert bound is None or values[0] <= bound, (name, squares)
                assert row.least is None or values[0] >= row.least(of), (name, squares)


@pytest.mark.parametrize("board", mostly_long(BOARDS, 4), ids=str)
def test_numbers_match_their_definitions(board):
    check_numbers(board, 1)


@pytest.mark.long
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_numbers_of_many_tours_match_their_definitions(board):
    check_numbers(board, 10)


@pytest.mark.parametrize("board", mostly_long(CELLS, 2), ids=str)
def test_numbers_of_cells_match_their_definitions(board):
    is_hexagon = board.lattice == "hexagon"
    for closed in (False, True):
        for tour in some_tours(board, closed, 2):
            cells = list(tour.labels)
            moves = list(pairwise([*cells, cells[0]] if closed else cells))
            steps = [(b[0] - a[0], b[1] - a[1]) for a, b in moves]
            corners = list(pairwise([*steps, steps[0]] if closed else steps))
            # The angle at a cell is between the way back and the way on.
            cosines = [-2 * (a[0] * b[0] + a[1] * b[1]) - (a[0] * b[1] + a[1] * b[0]) * is_hexagon for a, b in corners]
            crossed = [
                pair for pair in combinations(range(len(moves)), 2) if do_cross(*moves[pair[0]], *moves[pair[1]])
            ]
            expected = {
                "turns": sum(a != b for a, b in corners),
                "straight": sum(a == b for a, b in corners),
                "acute": sum(cosine > 0 for cosine in cosines),
                "obtuse": sum(cosine < 0 and a != b for cosine, (a, b) in zip(cosines, corners, strict=True)),
                "crossings": len(crossed),
                "uncrossed": len(moves) - len({move for pair in crossed for move in pair}),
            }
            found = kt.measure(tour, by=list(expected), closed=closed)
            assert {name: int(values[0]) for name, values in found.items()} == expected


def test_areas_with_half_squares_are_exact():
    squares = ["a5", "b5", "c4", "c5", "b4", "c3", "b3", "c2", "c1", "b1", "a1", "a2", "b2", "a3", "a4"]
    area = kt.measure(kt.Tour(kt.Board("5x3:king"), squares), by="area")["area"]
    assert area.dtype == np.float64
    assert area[0] == 5.5
    board = kt.Board("3x3:king")
    areas = [kt.measure(tour, by="area")["area"][0] for tour in kt.iter_tours(board, closed=True)]
    assert sorted(areas) == [2.5] * 8 + [3.5] * 8


@pytest.mark.parametrize("piece", ["knight", "wazir+dabbaba", "2,3+0,1", "0,2+1,2"])
def test_areas_of_other_pieces_are_integers(piece):
    for tour in some_tours(kt.Board(6, 6, moves=piece), True, 2):
        assert kt.measure(tour, by="area")["area"].dtype == np.int64
        squares = [tuple(map(int, square)) for square in tour.squares]
        assert DRAWN["area"](squares, True, (6, 6)).denominator == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda board: kt.census(board, "area", closed=True),
        lambda board: kt.solve(board, closed=True, where={"area": (3, 3)}),
        lambda board: kt.count(board, closed=True, where={"area": 3}),
        lambda board: kt.solve(board, closed=True, minimize="area"),
        lambda board: kt.improve(kt.find_tour(board, closed=True), maximize="area"),
    ],
)
def test_half_squares_are_rejected_where_integers_are_needed(ask):
    with pytest.raises(kt.BoardError, match="may be a fraction"):
        ask("4x4:king")


def test_holes_are_ignored_by_both_statistics_of_passes():
    tour = kt.Tour(kt.Board(1, 3, moves="dabbaba", holes=[(0, 1)]), [(0, 0), (0, 2)])
    found = kt.measure(tour, by=["over-one-square", "never-passed"])
    assert {name: int(values[0]) for name, values in found.items()} == {"over-one-square": 0, "never-passed": 2}
    ranges = {"over-one-square": (0, 0)}
    assert kt.solve("6x3:giraffe+dabbaba", closed=True, partial=True, where=ranges).status is kt.Status.FOUND


@pytest.mark.parametrize("objective", ["crossings", "most-crossings"])
@pytest.mark.parametrize("board", ["2x6:wazir+dabbaba", "3x3:wazir+dabbaba", "3x4:0,1+0,3"])
def test_proofs_count_crossings_of_overlapping_moves(board, objective):
    counts = kt.census(board, "crossings", closed=True).counts
    result = kt.solve(board, closed=True, **goal(objective), optimal=True, seed=1)
    assert result.bound == (min if objective == "crossings" else max)(counts)


def test_faults_of_tours_name_exact_numbers():
    problem = Problem("3x4", where={"turns": 9})
    fault = fault_of(problem, np.array([8, 6, 0, 9, 7, 1, 10, 4, 2, 11, 5, 3]))
    assert fault == "its turns are 10, but turns=9 is required"
