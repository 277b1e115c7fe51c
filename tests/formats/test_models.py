"""Tests of models of SAT solvers, by the variables of our formula."""

import io
import itertools
from pathlib import Path

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.formats.formulas import edges_in_order, variable_count

BOARDS = ["3x4", "5x6", "6x6:-a1,b1", "3x3:wazir", "4x4:king", "petersen"]


def board_of(name: str) -> kt.Board:
    return next(iter(kt.examples.instances("petersen", n=5, k=2))).board if name == "petersen" else kt.Board(name)


def formula(board: kt.Board) -> str:
    text = io.StringIO()
    board.save(text, "cnf")
    return text.getvalue()


def model_of(board: kt.Board, arcs: set[tuple[int, int]]) -> str:
    """Return the values of the edge variables, for these arcs between nodes from 0."""
    values = []
    for a, b in edges_in_order(board):
        values += [len(values) + 1 if (a, b) in arcs else -len(values) - 1]
        values += [len(values) + 1 if (b, a) in arcs else -len(values) - 1]
    return f"c a solver\ns SATISFIABLE\nv {' '.join(map(str, values))}\nv 0\n"


@pytest.mark.parametrize("name", BOARDS)
def test_variable_count_matches_the_formula(name: str) -> None:
    board = board_of(name)
    (head,) = (line for line in formula(board).splitlines() if line.startswith("p cnf"))
    assert int(head.split()[2]) == variable_count(len(board), edges_in_order(board))


@pytest.mark.parametrize("name", ["5x6", "6x6:-a1,b1", "3x3:king", "4x4:king"])
def test_reads_the_cycle_of_a_model(name: str, tmp_path: Path, run: Run) -> None:
    board = kt.Board(name)
    tour = kt.find_tour(board, closed=True, seed=1)
    assert tour is not None
    place = {square: k for k, square in enumerate(board.squares)}
    order = [place[square] for square in map(tuple, tour.squares.tolist())]
    model = model_of(board, set(itertools.pairwise([*order, order[0]])))
    (read,) = kt.read_tours(io.StringIO(model), board=board)
    assert read.is_closed and read.canonical() == tour.canonical()
    (tmp_path / "m.txt").write_text(model)
    board.save(tmp_path / "g.cnf")
    code, out, _ = run("check", str(tmp_path / "m.txt"), str(tmp_path / "g.cnf"), "--closed")
    assert code == 0 and "valid closed tour" in out


def test_reads_the_model_that_a_solver_finds(tmp_path: Path) -> None:
    solvers = pytest.importorskip("pysat.solvers")
    formulas = pytest.importorskip("pysat.formula")
    kt.Board("5x6").save(tmp_path / "g.cnf")
    with solvers.Solver(name="cadical153", bootstrap_with=formulas.CNF(str(tmp_path / "g.cnf"))) as solver:
        assert solver.solve()
        values = " ".join(map(str, solver.get_model()))
    for text in (f"SAT\n{values} 0\n", f"s SATISFIABLE\nv {values} 0\n"):
        (tour,) = kt.read_tours(io.StringIO(text), board="5x6")
        assert tour.is_closed


RING = {(0, 1), (1, 3), (3, 2), (2, 0)}


@pytest.mark.parametrize(
    ("arcs", "message"),
    [
        (RING | {(0, 2)}, "two arcs that leave a2"),
        ({(0, 1), (1, 0), (2, 3), (3, 2)}, "only 2 of 4 squares are visited"),
        (RING - {(3, 2)}, "only 3 of 4 squares are visited"),
    ],
)
def test_model_without_a_cycle_is_an_invalid_tour(arcs: set[tuple[int, int]], message: str) -> None:
    board = kt.Board("2x2:wazir")
    with pytest.raises(kt.InvalidTour, match=message):
        kt.read_tours(io.StringIO(model_of(board, arcs)), board=board)
    assert kt.read_tours(io.StringIO(model_of(board, RING)), board=board)[0].is_closed


@pytest.mark.parametrize(
    ("text", "board", "message"),
    [
        ("s SATISFIABLE\nv 1 -2 0\n", None, "does not contain its graph"),
        ("s UNSATISFIABLE\n", "2x2:wazir", "there is no model"),
        ("UNSAT\n", "2x2:wazir", "there is no model"),
        ("s SATISFIABLE\n", "2x2:wazir", "no lines 'v'"),
        ("s SATISFIABLE\nv 1 -2 3\n", "2x2:wazir", "does not end with 0"),
        ("s SATISFIABLE\nv 1 -2 3 0\n", "2x2:wazir", "variable 4 has no value"),
        ("s SATISFIABLE\nv 1 -1 0\n", "2x2:wazir", "variable 1 has two values"),
        ("s SATISFIABLE\nv 1 0 2\n", "2x2:wazir", "'2' follows the 0"),
        ("s SATISFIABLE\nv 1 x 0\n", "2x2:wazir", "'x' is not the number of a variable"),
        ("s SATISFIABLE\nw 1 0\n", "2x2:wazir", "not a line of a model"),
        ("s SATISFIABLE\nv 9999 0\n", "2x2:wazir", "has a variable 9999"),
    ],
)
def test_rejects_wrong_models(text: str, board: str | None, message: str) -> None:
    with pytest.raises(kt.FormatError, match=message):
        kt.read_tours(io.StringIO(text), board=board)
