"""The census and the best tour by halves: compared with the states of whole tours, for any values; and 8x8."""

import numpy as np
import pytest

import knightstour as kt
from helpers.examples import mostly_long
from helpers.objectives import OBJECTIVES
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.statistics.statistic import Statistic
from knightstour.core.statistics.strokes import Strokes
from knightstour.core.statistics.table import STATISTICS
from knightstour.lab.counting.census import by_halves, census
from knightstour.lab.counting.census.by_halves import Values, census_by_halves
from knightstour.lab.counting.census.on_network import count_by_moves
from knightstour.lab.counting.settings import CountProgress
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.objectives import best_by_halves as best
from knightstour.lab.objectives.best_by_halves import best_by_halves, can_prove, most_by_halves
from knightstour.lab.objectives.by_states import best_by_states

OVER_MOVES = [name for name, row in STATISTICS.items() if row.adds_up_over == "moves"]


def chosen_moves(strokes: Strokes) -> np.ndarray:
    """Return values from 0 to 4 without symmetry, which tours add up over their moves."""
    size = strokes.board.rows * strokes.board.cols
    values = np.random.default_rng(1).integers(0, 3, size=(size, size))
    values += values.T
    return np.asarray(values[strokes.squares[:-1], strokes.squares[1:]].sum(axis=0))


CHOSEN = Statistic("chosen", "moves by numbers of their own", chosen_moves, "moves")


def flipped_moves(strokes: Strokes) -> np.ndarray:
    """Return values that only the flip of the longer sides preserves."""
    rows, cols = strokes.board.rows, strokes.board.cols
    values = np.random.default_rng(2).integers(0, 3, size=(rows, cols))
    values = values + (values[:, ::-1] if rows > cols else values[::-1])
    at_squares = values.ravel()[strokes.squares]
    return np.asarray((at_squares[:-1] + at_squares[1:]).sum(axis=0))


FLIPPED = Statistic("flipped", "moves by numbers that a flip keeps", flipped_moves, "moves")


@pytest.mark.parametrize("board", [(5, 6), (6, 5), pytest.param((6, 7), marks=pytest.mark.long)])
def test_layers_are_folded_where_the_flip_keeps_the_values(board):
    problem = Problem(board, closed=True)
    cut, _ = by_halves.chosen_cut(problem, by_halves.Values.by(problem, FLIPPED), fold=True)
    assert cut.is_folded and not cut.is_even
    assert of(problem, FLIPPED) == count_by_moves(WaySpace.build(problem), FLIPPED)


QUESTIONS = [
    Problem((5, 6), closed=True),
    Problem((4, 6), start=(0, 0), end=(3, 5)),
    Problem(kt.Board(5, 4, leaper=(0, 1))),
    Problem((4, 7)),
    Problem((7, 4)),
    Problem((3, 10), closed=True),
    Problem((6, 6), closed=True),
    Problem((5, 5)),
    Problem((5, 5), start=(0, 0)),
    Problem(kt.Board(4, 7, holes=[(0, 0), (3, 1)])),
    Problem(kt.Board(6, 6, holes=[(0, 0), (0, 1)]), closed=True),
    Problem(kt.Board(4, 6, leaper=(0, 1)), closed=True),
]


def of(problem: Problem, statistic: Statistic) -> dict[int, int]:
    return census_by_halves(problem, statistic, CountProgress(problem), threads=1)


@pytest.mark.parametrize("problem", mostly_long(QUESTIONS), ids=str)
def test_it_is_that_along_the_states_of_whole_tours(problem):
    space = WaySpace.build(problem)
    is_knight = problem.board.piece.leaper == (1, 2)
    for statistic in (CHOSEN, *(STATISTICS[name] for name in OVER_MOVES if is_knight or name == "across-rows")):
        assert of(problem, statistic) == count_by_moves(space, statistic), statistic.name


@pytest.mark.parametrize("packing", [(4, 15), (9, 7), (13, 4), (21, 3), (31, 2), (62, 1)])
def test_packings_are_the_same_or_too_narrow(monkeypatch, packing):
    problem = Problem((6, 6), closed=True)
    expected = of(problem, STATISTICS["flat-up"])
    monkeypatch.setattr(by_halves, "_PACKINGS", (packing, (21, 3)))
    assert of(problem, STATISTICS["flat-up"]) == expected


def test_a_limit_ends_it_and_threads_share_it():
    problem = Problem((6, 6), closed=True)
    watch = CountProgress(problem, Budget(Limits(seconds=1e-9)))
    with pytest.raises(LimitReached):
        census_by_halves(problem, STATISTICS["flat-up"], watch)
    found = census_by_halves(problem, STATISTICS["flat-up"], CountProgress(problem), threads=3)
    assert found == of(problem, STATISTICS["flat-up"])


def test_numbers_that_are_too_long_are_an_error(monkeypatch):
    monkeypatch.setattr(by_halves, "_PACKINGS", ((4, 15),))
    monkeypatch.setattr(census, "_MAX_SECONDS_OF_STATES", 0.0)
    with pytest.raises(kt.LimitReached, match="infeasible"):
        kt.census("6x6", "flat-up", closed=True)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["steep-up", "flat-up", "in-border"])
def test_8x8_closed(by):
    found = kt.census("8x8", by, closed=True)
    assert found.how == "polynomials" and found.tours_seen == 13_267_364_410_532
    if by != "in-border":
        # For the four slopes: 59,124 tours have the minimum number of moves, and 4,116 the maximum.
        assert {value: 4 * found.counts[value] for value in (min(found.counts), max(found.counts))} == {
            2: 59_124,
            34: 4_116,
        }


# ---------------------------------------------------------------- the best tour


BEST = [
    Problem((5, 6), closed=True),
    Problem((4, 7)),
    Problem((3, 10), closed=True),
    Problem((5, 5), start=(0, 0)),
    Problem((4, 6), start=(0, 0), end=(3, 5)),
    Problem(Board(6, 6, holes=[(0, 0), (0, 1)]), closed=True),
]


@pytest.mark.parametrize("problem", BEST, ids=str)
@pytest.mark.parametrize(
    "name", mostly_long(["flat-up", "most-flat-up", "most-across-rows", "same-ring", "most-in-quarter"], 2)
)
def test_it_is_the_best_of_the_states_of_whole_tours(problem, name):
    row = OBJECTIVES[name]
    known = best_by_states(problem, row, Budget())
    found = best_by_halves(problem, row, Budget())
    assert not found.why_stopped and (found.order is None) == (known.order is None)
    if found.order is not None:
        assert found.least == known.least
        tour = kt.Tour.from_array(found.order, problem.board)
        assert row.sign * row.of(tour, problem.closed) == found.least
        assert problem.start in (None, tuple(tour.squares[0].tolist()))
        assert problem.end in (None, tuple(tour.squares[-1].tolist()))


@pytest.mark.parametrize(
    ("size", "most"), [((6, 6), 22), pytest.param((7, 8), 46, marks=pytest.mark.long)], ids=["6x6", "7x8"]
)
def test_the_most_moves_of_two_columns(size, most):
    problem = Problem(size, closed=True)
    values = sum(Values.by(problem, STATISTICS[name]).of for name in ("flat-up", "flat-down"))
    found = most_by_halves(problem, values, Budget(), threads=1)
    assert -found.least == most and found.order is not None
    assert sum(values[a, b] for a, b in zip(found.order, np.roll(found.order, -1), strict=True)) == most


def test_limit_is_not_a_proof():
    problem, row = Problem((6, 8), closed=True), OBJECTIVES["most-flat-up"]
    for limits in (Limits(nodes=1000), Limits(bytes=10_000)):
        found = best_by_halves(problem, row, Budget(limits))
        assert found.order is None and found.why_stopped and found.least <= -22


@pytest.mark.long
def test_solve_proves_the_best_by_halves(monkeypatch):
    asked = []
    plain = best.best_by_halves
    monkeypatch.setattr(best, "best_by_halves", lambda *given: asked.append(given) or plain(*given))
    found = kt.solve("6x8", closed=True, maximize="flat-up", optimal=True, seed=1)
    assert found.status == kt.Status.FOUND and found.bound == 22 and len(asked) == 1
    assert int(kt.measure(found.tour, "flat-up")["flat-up"][0]) == 22
    assert not can_prove(Problem((5, 6), closed=True), OBJECTIVES["most-flat-up"])
