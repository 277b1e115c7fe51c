"""The best tours: the sweep agrees with all tours of a board, and a limit is never a proof."""

import functools

import numpy as np
import pytest

import knightstour as kt
from helpers import reference
from helpers.checks import assert_is_tour
from helpers.objectives import OBJECTIVES, goal
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits, as_arguments
from knightstour.core.model.errors import ProblemError
from knightstour.core.statistics.table import STATISTICS
from knightstour.interfaces.cli import app
from knightstour.lab.objectives import by_states
from knightstour.lab.objectives.sweep import sweep, why_not_sweep

_BOARDS = {
    "5x6": Board(5, 6),
    "3x10": Board(3, 10),
    "6x6 with holes": Board(6, 6, holes=[(0, 0), (5, 1)]),
    "for another leaper": Board(5, 6, leaper=(1, 1)),
}
_BY_MOVES = [key for key, row in OBJECTIVES.items() if STATISTICS[row.statistic].adds_up_over == "moves"]


@functools.cache
def values_of(name: str) -> dict[str, list[int]]:
    """Return the values of each statistic over all closed tours."""
    tours = list(kt.iter_tours(_BOARDS[name], closed=True))
    if not tours:
        return {}
    return {key: found.tolist() for key, found in kt.measure(tours).items()}


def swept(name: str) -> list[str]:
    problem = kt.Problem(_BOARDS[name], closed=True)
    return [key for key, row in OBJECTIVES.items() if why_not_sweep(problem, row) is None]


@pytest.mark.parametrize(
    ("name", "every"), [("3x10", 5), *(pytest.param(name, 1, marks=pytest.mark.long) for name in _BOARDS)]
)
def test_best_of_a_sweep_matches_all_tours(name: str, every: int) -> None:
    board, values = _BOARDS[name], values_of(name)
    for key in swept(name)[::every]:
        row = OBJECTIVES[key]
        if values and row.statistic not in values:
            continue
        found = sweep(board, row, 1 << 20, Budget(Limits(60)))
        assert found.is_complete
        if not values:
            assert found.order is None
            continue
        best = min(row.sign * value for value in values[row.statistic])
        assert found.least == best, key
        assert found.order is not None and row.sign * row.of(kt.Tour.from_array(found.order, board)) == best
        # No tour has a lower value.
        again = sweep(board, row, best, Budget(Limits(60)))
        assert again.order is None and again.is_complete and again.least == best


@pytest.mark.parametrize(
    ("objective", "best"),
    [
        ("turns", 32),
        *(
            pytest.param(*row, marks=pytest.mark.long)
            for row in [("most-turns", 36), ("crossings", 52), ("most-crossings", 66)]
        ),
    ],
)
def test_best_6x6_tours_match_the_census(objective: str, best: int) -> None:
    limits = Limits(100, 30_000_000)
    result = kt.solve("6x6", closed=True, **goal(objective), optimal=True, seed=1, start="c3", **as_arguments(limits))
    assert result.status is kt.Status.FOUND and result.tour is not None
    assert OBJECTIVES[objective].of(result.tour) == result.bound == best
    assert result.tour.start == (3, 2) and "this one is optimal" in result.reason and "complete sweep" in result.source
    assert_is_tour(result.tour.order, 6, 6, closed=True)


@pytest.mark.parametrize(
    "problem",
    [
        kt.Problem("5x6", closed=True),
        kt.Problem("3x7"),
        kt.Problem("5x5", start="a1", end="e5"),
        kt.Problem("4x5", end="a1"),
        kt.Problem("4x5", start="b1"),
        kt.Problem(_BOARDS["6x6 with holes"], closed=True),
        kt.Problem((3, 4), closed=True),
    ],
    ids=str,
)
def test_best_of_all_states_matches_all_tours(problem: kt.Problem) -> None:
    tours = list(kt.iter_tours(problem))
    for key in _BY_MOVES:
        row = OBJECTIVES[key]
        assert by_states.why_not_by_states(problem, row) is None
        found = by_states.best_by_states(problem, row, Budget(Limits(seconds=None)))
        assert not found.why_stopped
        if not tours:
            assert found.order is None
            continue
        values = kt.measure(tours, row.statistic, closed=problem.closed)[row.statistic]
        assert found.least == min(row.sign * value for value in values.tolist()), key
        assert found.order is not None
        tour = kt.Tour.from_array(found.order, problem.board)
        assert row.sign * row.of(tour, problem.closed) == found.least
        squares = [(int(r), int(c)) for r, c in tour.squares]
        asked = {"closed": problem.closed, "start": problem.start, "end": problem.end}
        if problem.closed:
            asked.pop("start")
        assert reference.is_tour(reference.adjacency(reference.spec_of(problem.board)), squares, **asked)


@pytest.mark.parametrize(
    ("question", "objective", "best"),
    [
        ({"board": "6x6", "closed": True}, "most-flat-up", 14),
        ({"board": "6x6", "closed": True, "start": "c3"}, "flat-up", 4),
        pytest.param({"board": "6x8", "closed": True}, "most-flat-up", 22, marks=pytest.mark.long),
        pytest.param({"board": "6x6"}, "most-flat-up", 16, marks=pytest.mark.long),
    ],
)
def test_best_tours_by_moves_match_the_census(question: dict[str, object], objective: str, best: int) -> None:
    result = kt.solve(**goal(objective), optimal=True, seed=1, **question)  # type: ignore[arg-type]
    assert result.status is kt.Status.FOUND and result.tour is not None
    assert OBJECTIVES[objective].of(result.tour) == result.bound == best
    assert "this one is optimal" in result.reason and "all states of both halves" in result.source
    assert question.get("start") in (None, result.tour.board.square_name(result.tour.start))


@pytest.mark.parametrize("nodes", [300, 20_000])
@pytest.mark.parametrize(("objective", "best"), [("flat-up", 4), ("most-flat-up", -14)])
def test_bound_of_unfinished_states_is_valid(objective: str, best: int, nodes: int) -> None:
    for problem in (kt.Problem("6x6", closed=True), kt.Problem("6x6")):
        found = by_states.best_by_states(problem, OBJECTIVES[objective], Budget(Limits(nodes=nodes)))
        assert found.order is None and "nodes" in found.why_stopped and found.least <= best
        assert nodes <= found.states < nodes + 100


@pytest.mark.parametrize("nodes", [2_000, 20_000, 100_000])
@pytest.mark.parametrize(("objective", "best"), [("crossings", 52), ("most-crossings", -66)])
def test_bound_of_an_unfinished_sweep_is_valid(objective: str, best: int, nodes: int) -> None:
    row = OBJECTIVES[objective]
    found = sweep(Board(6, 6), row, best + 3, Budget(Limits(nodes=nodes)))
    assert not found.is_complete and found.order is None and found.least <= best


def test_limit_is_not_a_proof() -> None:
    row = OBJECTIVES["turns"]
    found = sweep(Board(8, 8), row, 45, Budget(Limits(nodes=100_000)))
    assert not found.is_complete and found.order is None and 28 <= found.least <= 45
    result = kt.solve("8x8", closed=True, minimize="turns", optimal=True, seed=1, timeout=60, max_nodes=20_000)
    assert result.status is kt.Status.UNDECIDED and result.tour is not None
    assert result.bound is not None and result.bound < result.tour.turns
    assert "none has fewer than" in result.reason and result.to_dict()["bound"] == result.bound


@pytest.mark.slow
def test_no_closed_8x8_tour_has_fewer_than_45_turns() -> None:
    result = kt.solve("8x8", closed=True, minimize="turns", optimal=True, seed=1, timeout=3600)
    assert result.status is kt.Status.FOUND and result.bound == 45


@pytest.mark.parametrize(
    ("question", "error", "said"),
    [
        ({}, ProblemError, "optimal requires minimize or maximize"),
        ({"minimize": "turns"}, ProblemError, "for closed tours only"),
        ({"minimize": "flat-up", "board": "9x9"}, ProblemError, "the 9x9 board has too many states"),
        ({"minimize": "area", "closed": True}, ProblemError, "is not a sum"),
        ({"minimize": "turns", "closed": True, "symmetry": "180"}, ProblemError, "a proof of the best tour"),
    ],
    ids=str,
)
def test_rejects_unprovable_claims(question: dict[str, object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        kt.solve(**{"board": "6x6", "optimal": True, **question})  # type: ignore[arg-type]


def test_rejects_large_boards_and_boards_without_tours() -> None:
    with pytest.raises(ProblemError, match="optimality is proved on boards of up to"):
        kt.solve("20x20", closed=True, minimize="turns", optimal=True)
    assert kt.solve("4x6", closed=True, minimize="turns", optimal=True).status is kt.Status.IMPOSSIBLE


def test_the_command_proves_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve", "5x6", "--closed", "--maximize", "crossings", "--optimal", "--seed", "1"]
    words += ["--max-nodes", "99999"]
    assert app._run(words, debug=False) == 0
    out, err = capsys.readouterr()
    most = max(values_of("5x6")["crossings"])
    assert f"no closed tour has more than {most} by crossings" in err and len(out.splitlines()) == 5
    assert np.array([line.split() for line in out.splitlines()]).shape == (5, 6)
    assert app._run([*words[:-1], "60", "--json"], debug=False) == 3
    assert '"status": "undecided"' in capsys.readouterr().out


@pytest.mark.parametrize("leaper", [(0, 1), (1, 1), (0, 2)])
@pytest.mark.parametrize("size", [(2, 3), (4, 4)])
@pytest.mark.parametrize("objective", ["turns", "most-turns", "crossings"])
def test_a_piece_with_two_moves_down_has_its_best_tour(leaper, size, objective) -> None:
    board, row = Board(*size, leaper=leaper), OBJECTIVES[objective]
    tours = list(kt.iter_tours(board, closed=True))
    found = kt.solve(board, closed=True, **goal(objective), optimal=True, seed=1)
    assert found.status == (kt.Status.FOUND if tours else kt.Status.IMPOSSIBLE)
    if tours:
        assert row.of(found.tour) == row.sign * min(row.sign * row.of(tour) for tour in tours)


def test_rejects_piece_with_too_many_directions_for_the_sweep() -> None:
    board = kt.Board(2, 2, moves=[(0, 1), (1, 2)])
    with pytest.raises(kt.ProblemError, match="for pieces with at most 8 directions"):
        kt.solve(board, closed=True, maximize="turns", optimal=True)
