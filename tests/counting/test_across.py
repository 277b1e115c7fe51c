"""Counts with the cut across a chosen side, and across nine squares, where words are wide."""

import numpy as np
import pytest

import knightstour as kt
from helpers.shared_counts import count_in_pieces
from knightstour.core.kernels.counting import classes
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.count import count
from knightstour.lab.counting.halves import layers, machine
from knightstour.lab.counting.halves.cut import make_cut, the_cut
from knightstour.lab.counting.halves.march import count_by_halves
from knightstour.lab.counting.settings import CountSettings
from reference import classes as reference

# Of nine rows, with holes, so that there are few tours; the number of tours was found across the other side.
HOLED = {
    "corner": ".....\n" * 8 + "..#..",
    "square": "\n".join([".....", "...#.", ".....", ".....", ".....", "#.##.", ".....", ".#...", "....."]),
    "eight": "\n".join(["....#.", ".#....", ".....#", "#.....", "......", "#.....", "#...#.", "......", ".....#"]),
}


# ---------------------------------------------------------------- words


def code_of(name: int, a: int, b: int) -> int:
    """An operation as one number: slots 16 and 17 have names of their own."""
    return reference.code_of(reference.Choice(reference.Class(0, 0, 0), name, a, b))


@pytest.mark.parametrize("name", [classes.PAIR, classes.MOVE, classes.JOIN])
def test_operations_on_18_slots_fit_beside_the_flip(name):
    codes = {code_of(name, a, b) for a in range(18) for b in range(18)}
    assert len(codes) == 18 * 18 and max(codes) < classes.FLIPPED
    # The name is the low 4 bits, and slots 16 and 17 have names of their own.
    low = {code & 15 for code in codes}
    others = {
        code_of(other, a, b) & 15
        for other in (classes.PAIR, classes.MOVE, classes.JOIN)
        if other != name
        for a in range(18)
        for b in range(18)
    }
    assert name in low and not low & others


def test_classes_keep_what_their_18_slots_are():
    masks = [0, 1, 1 << 15, 1 << 16, 1 << 17, 0x3FFFF]
    for ends in masks:
        for inner in masks:
            for placed in (0, 1, 2):
                c = classes.class_of(placed, inner & ~ends, ends)
                found = classes.placed_in(c), classes.inner_of(c), classes.ends_of(c)
                assert found == (placed, inner & ~ends, ends)
    index = layers.make_index(18, 0)
    listed = np.array([classes.class_of(0, 1 << 17, 0x1FFFF), classes.class_of(0, 3, 1 << 16)])
    assert index.of(listed).tolist() == [3**17 + 2 * (3**17 - 1) // 2, 1 + 3 + 2 * 3**16]


# ---------------------------------------------------------------- counts


@pytest.mark.long
@pytest.mark.parametrize("name", HOLED)
@pytest.mark.parametrize("fold", [True, False])
def test_nine_squares_across_give_what_fewer_do(name, fold):
    problem = Problem.of(Board.from_text(HOLED[name]), closed=True)
    known = count_by_halves(problem, cut=make_cut(problem), threads=1).tours
    assert known > 0
    assert count_by_halves(problem, cut=the_cut(problem, across=9, fold=fold), threads=1).tours == known


@pytest.mark.long
def test_nine_squares_across_are_counted_modulo_primes_too(monkeypatch):
    problem = Problem.of(Board.from_text(HOLED["eight"]), closed=True)
    monkeypatch.setattr(machine, "MAX_COUNT", 100.0)
    made = count_by_halves(problem, cut=the_cut(problem, across=9), threads=2)
    assert made.moduli and made.tours == 6_093_439


@pytest.mark.long
def test_nine_squares_across_can_be_shared_out(tmp_path):
    problem = Problem.of(Board.from_text(HOLED["corner"]), closed=True)
    assert count_in_pieces(problem, tmp_path, cut=the_cut(problem, across=9)).tours == 25_282


@pytest.mark.slow
def test_9x6_is_counted_across_nine_squares():
    found = count(Problem.of((9, 6), closed=True), settings=CountSettings(across=9))
    assert (found.tours, found.way) == (3_374_967_940, "halves")
    assert kt.count_tours((6, 9), closed=True, across=9) == 3_374_967_940


@pytest.mark.parametrize(("board", "closed"), [((5, 6), True), ((5, 6), False), ((7, 6), True)])
def test_both_sides_across_give_the_same_number(board, closed):
    counts = {kt.count_tours(board, closed=closed, across=side) for side in board}
    assert counts == {kt.count_tours(board, closed=closed)}


def test_no_side_is_chosen_on_boards_that_are_not_plain():
    for board in (Board(6, 6, wrap="torus"), Board(6, 6, leaper=(1, 4)), Board.from_graph([[1], [0]])):
        with pytest.raises(ProblemError, match="no side to choose"):
            kt.count_tours(board, closed=True, across=6)


def test_a_side_that_is_none_is_an_error():
    with pytest.raises(ProblemError, match="9 or 6 squares, not 7"):
        kt.plan_count((9, 6), closed=True, across=7)
    with pytest.raises(ProblemError, match="across"):
        kt.count_tours((9, 6), closed=True, across="9")
    with pytest.raises(BoardError, match="does not come apart across 10 squares"):
        kt.count_tours((3, 10), across=10)
    with pytest.raises(BoardError, match="does not come apart across 9 squares"):
        kt.count_tours((5, 9), across=9)
    with pytest.raises(ProblemError, match="two halves"):
        kt.count_tours((6, 6), closed=True, symmetry="180", across=6)
    with pytest.raises(ProblemError, match="two halves"):
        kt.count_tours((6, 6), avoid=["a1-b3"], across=6)


def test_a_plan_across_nine_squares_has_figures():
    wide = kt.plan_count((9, 6), closed=True, across=9)
    assert wide.way == "halves" and not wide.is_refused
    assert wide.widest > 5 * kt.plan_count((9, 6), closed=True).widest
