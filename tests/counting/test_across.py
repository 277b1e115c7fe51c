"""Counts with the cut across a chosen side, and across nine squares, where words are wide."""

import pytest

import knightstour as kt
from helpers.shared_counts import count_in_pieces
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.count import count_problem
from knightstour.lab.counting.halves import machine
from knightstour.lab.counting.halves.cut import make_cut, the_cut
from knightstour.lab.counting.halves.march import count_by_halves
from knightstour.lab.counting.plan import plan_of
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.counting.ways import Task, find_way

# Boards of nine rows with holes, so that there are few tours; the numbers were counted across the other side.
HOLED = {
    "corner": ".....\n" * 8 + "..#..",
    "square": "\n".join([".....", "...#.", ".....", ".....", ".....", "#.##.", ".....", ".#...", "....."]),
    "eight": "\n".join(["....#.", ".#....", ".....#", "#.....", "......", "#.....", "#...#.", "......", ".....#"]),
}


# ---------------------------------------------------------------- counts


@pytest.mark.long
@pytest.mark.parametrize("name", HOLED)
@pytest.mark.parametrize("fold", [True, False])
def test_nine_squares_across_match_smaller_boards(name, fold):
    problem = Problem(Board.from_text(HOLED[name]), closed=True)
    known = count_by_halves(problem, cut=make_cut(problem), threads=1).tours
    assert known > 0
    assert count_by_halves(problem, cut=the_cut(problem, across=9, fold=fold), threads=1).tours == known


@pytest.mark.long
def test_nine_squares_across_are_counted_modulo_primes_too(monkeypatch):
    problem = Problem(Board.from_text(HOLED["eight"]), closed=True)
    monkeypatch.setattr(machine, "MAX_COUNT", 100.0)
    made = count_by_halves(problem, cut=the_cut(problem, across=9), threads=2)
    assert made.moduli and made.tours == 6_093_439


@pytest.mark.long
def test_nine_squares_across_can_be_shared_out(tmp_path):
    problem = Problem(Board.from_text(HOLED["corner"]), closed=True)
    assert count_in_pieces(problem, tmp_path, cut=the_cut(problem, across=9)).tours == 25_282


def count_across(board, across, **asked):
    """Count tours with a cut along one side of the board."""
    return count_problem(Problem(board, **asked), settings=CountSettings(across=across)).tours


@pytest.mark.slow
def test_9x6_is_counted_across_nine_squares():
    found = count_problem(Problem((9, 6), closed=True), settings=CountSettings(across=9))
    assert (found.tours, found.method) == (3_374_967_940, "halves")
    assert count_across((6, 9), 9, closed=True) == 3_374_967_940


@pytest.mark.parametrize(("board", "closed"), [((5, 6), True), ((5, 6), False), ((7, 6), True)])
def test_both_sides_across_give_the_same_number(board, closed):
    counts = {count_across(board, side, closed=closed) for side in board}
    assert counts == {kt.count(board, closed=closed)}


@pytest.mark.parametrize(
    ("board", "asked", "said"),
    [
        (Board(6, 6, wrap="torus"), {"across": 6}, "no side to choose"),
        (Board(6, 6, leaper=(1, 4)), {"across": 6}, "no side to choose"),
        (Board.from_graph([[1], [0]]), {"across": 6}, "no side to choose"),
        ((9, 6), {"across": 7}, "9 or 6 squares, not 7"),
        ((3, 10), {"across": 10}, "has no cut across 10 squares"),
        ((5, 9), {"across": 9}, "has no cut across 9 squares"),
        ((6, 6), {"symmetry": "180", "across": 6}, "two halves"),
        ((6, 6), {"forbid": ["a1-b3"], "across": 6}, "two halves"),
    ],
    ids=str,
)
def test_rejects_invalid_side(board, asked, said):
    with pytest.raises((BoardError, ProblemError), match=said):
        count_across(board, **asked)


def test_a_plan_across_nine_squares_has_figures():
    wide = plan_of(find_way(Task(Problem((9, 6), closed=True), across=9)), None)
    assert wide.method == "halves" and not wide.is_refused
    assert wide.widest > 5 * kt.plan((9, 6), closed=True).widest
