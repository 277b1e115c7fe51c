"""improve(): tours with fewer or more turns and crossings; kind and symmetry of the tour are preserved."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples, mostly_long
from helpers.objectives import OBJECTIVES, goal
from helpers.small_problems import adjacency_of
from helpers.solving import solve_several
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.symmetry import symmetries
from knightstour.core.proofs.symmetric import order_of_image
from knightstour.core.statistics.table import STATISTICS
from knightstour.interfaces.cli import app
from knightstour.lab.objectives import covers as kernel
from knightstour.lab.objectives.covers import cover_of, start_state
from knightstour.lab.objectives.improve import improve
from knightstour.lab.objectives.table import objective_of
from reference import as_lists
from reference.improve import loops_of, value_of


def is_tour(tour: kt.Tour, closed: bool) -> bool:
    return reference.is_tour(
        adjacency_of(tour.board), [tuple(square) for square in tour.squares.tolist()], closed=closed
    )


LITTLE = Limits(seconds=20, nodes=15_000)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("closed", [True, False])
def test_the_answer_is_a_valid_tour_and_never_worse(objective: str, closed: bool) -> None:
    tour = kt.find_tour((6, 6), closed=closed, method="rotation", seed=3)
    if not closed and STATISTICS[OBJECTIVES[objective].statistic].needs_closed:
        with pytest.raises(BoardError, match="open tours have no"):
            improve(tour, **goal(objective), closed=closed)
        return
    better = improve(tour, **goal(objective), closed=closed, seed=1, timeout=20, max_nodes=2_000)
    assert is_tour(better.tour, closed=closed)
    sign = OBJECTIVES[objective].sign
    assert sign * better.after <= sign * better.before
    assert better.after == OBJECTIVES[objective].of(better.tour, closed)
    assert better.before == OBJECTIVES[objective].of(tour, closed)


@pytest.mark.parametrize(
    "objective", ["inside=a1..c3+e5", "most-inside=a1..d4", "among=a1-b3+b3-d4", "most-among=c3-d5"]
)
@pytest.mark.parametrize("closed", [True, False])
def test_squares_and_moves_can_be_chosen(objective: str, closed: bool) -> None:
    asked = goal(objective)
    row = objective_of(asked.get("minimize"), asked.get("maximize"))
    assert row is not None
    tour = kt.find_tour((6, 6), closed=closed, method="rotation", seed=3)
    better = improve(tour, **goal(objective), closed=closed, seed=1, **as_arguments(LITTLE))
    assert is_tour(better.tour, closed=closed)
    assert row.sign * better.after <= row.sign * better.before
    counted = kt.measure([better.tour], [row.statistic], closed=closed)
    assert better.after == int(counted[row.statistic][0])
    assert better.objective == str(row)


def test_the_best_of_chosen_moves_is_proved() -> None:
    limits = Limits(30, 300_000)
    result = kt.solve("5x6", closed=True, maximize="inside=a1..c3", optimal=True, seed=1, **as_arguments(limits))
    counted = kt.census("5x6", "inside=a1..c3", closed=True)
    assert result.status is kt.Status.FOUND and result.bound == max(counted.counts)


NOT_IMPROVED = {"visits", "chords", "magic-rows", "magic-columns", "magic-diagonals", "line-spread"}


def test_statistics_can_be_improved_except_numbers_and_visits() -> None:
    improved = set(STATISTICS) - NOT_IMPROVED
    assert set(OBJECTIVES) == {f"{most}{name}" for name in improved for most in ("", "most-")}


@pytest.mark.parametrize("objective", [name for name in STATISTICS if name in OBJECTIVES])
@pytest.mark.parametrize("board", mostly_long([Board(6, 6), Board(5, 8), Board(10, 10, leaper=(2, 3))], 1), ids=str)
def test_kernel_updates_match_its_steps(board: Board, objective: str) -> None:
    row = OBJECTIVES[objective]
    try:
        row.check(board, True)
    except BoardError:
        return
    tour = kt.find_tour(board, closed=True, method="rotation", seed=3)
    squares = tour.order.tolist()
    state = start_state(cover_of(board, squares, True, False, squares), row, 5, 2_000, None)
    step = kernel_function("improve_step").bind(state)
    step(0)
    assert state.counters[kernel.COST] == row.of(tour)
    c, taken = state.counters, 0
    for _ in range(40):
        step(50)
        lists = as_lists(state)
        assert c[kernel.COST] == value_of(lists) and c[kernel.LOOPS] == len(loops_of(lists))
        if c[kernel.LOOPS] == 1:
            assert c[kernel.COST] == row.of(kt.Tour.from_array(_loop(state.links, squares), board))
            taken += 1
    assert taken and c[kernel.TAKEN]


def _loop(links: list[int], squares: list[int]) -> list[int]:
    """Return the squares along the only loop."""
    before, here, found = -1, 0, []
    while len(found) < len(squares):
        found.append(squares[here])
        before, here = here, links[2 * here + (links[2 * here] == before)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("objective", "known"), [("turns", 45), ("crossings", 69), ("most-turns", 64), ("most-crossings", 126)]
)
def test_known_extremes_of_closed_8x8_tours_are_reached(objective: str, known: int) -> None:
    for seed in range(5):
        tour = kt.find_tour((8, 8), closed=True, method="rotation", seed=seed)
        assert improve(tour, **goal(objective), goal=known, seed=seed, timeout=60).after == known


OF_OPEN_TOURS = [name for name, row in OBJECTIVES.items() if not STATISTICS[row.statistic].needs_closed]


@examples(15)
@given(seed=st.integers(0, 10**6), keep=st.booleans(), objective=st.sampled_from(OF_OPEN_TOURS))
def test_keep_ends_preserves_the_ends(seed: int, keep: bool, objective: str) -> None:
    tour = kt.find_tour((5, 6), method="rotation", seed=seed)
    better = improve(tour, **goal(objective), closed=False, keep_ends=keep, seed=seed, timeout=20, max_nodes=4_000).tour
    assert is_tour(better, closed=False)
    if keep:
        assert (better.start, better.end) == (tour.start, tour.end)


def test_rejects_meaningless_input() -> None:
    tour = kt.find_tour((5, 5))
    with pytest.raises(ProblemError, match="unknown statistic"):
        improve(tour, minimize="beauty")
    for name in ("chords", "visits", "magic-rows"):
        with pytest.raises(ProblemError, match=f"minimize does not support the statistic '{name}'"):
            kt.solve(5, minimize=name)
    with pytest.raises(ProblemError, match="open"):
        improve(tour, minimize="turns", closed=True)
    with pytest.raises(BoardError, match="flat boards"):
        improve(kt.find_tour(Board(4, 5, wrap="torus")), minimize="turns")
    with pytest.raises(BoardError, match="too many"):
        improve(kt.find_tour((400, 400)), minimize="turns")
    with pytest.raises(ProblemError, match="several tours cannot be improved"):
        solve_several((8, 8), minimize="turns", n=2)


def test_an_objective_does_not_make_the_impossible_possible() -> None:
    assert kt.solve((4, 4), minimize="turns").status is kt.Status.IMPOSSIBLE


# ---------------------------------------------------------------- the command


def test_the_command_improves_every_tour_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tours = [kt.find_tour((6, 6), closed=True, method="rotation", seed=k) for k in (1, 2)]
    kt.write_tours(tmp_path / "given.json", tours)
    words = ["improve", str(tmp_path / "given.json"), "--timeout", "0.2", "--seed", "1"]
    assert app._run([*words, "-o", str(tmp_path / "better.json")], debug=False) == 0
    err = capsys.readouterr().err
    better = kt.read_tours(tmp_path / "better.json")
    for tour, other in zip(tours, better, strict=True):
        assert other.is_closed and other.turns <= tour.turns
        assert f"{tour.turns} turns before, {other.turns} after; seed 1" in err
    assert app._run([*words, "--json"], debug=False) == 0
    message = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["before"] for row in message] == [tour.turns for tour in tours]


# ---------------------------------------------------------------- symmetric tours


BUDGET = Limits(seconds=20, nodes=20_000)


@pytest.mark.parametrize("objective", ["turns", "crossings", "most-turns", "most-crossings", "uncrossed"])
@pytest.mark.parametrize(
    ("board", "closed", "symmetry"),
    [
        ("8x8", True, "180"),
        ("6x6", True, "90"),
        ("7x6", True, "180"),
        ("5x6", True, "vertical"),
        ("5x5", False, "180"),
        ("4x5", False, "180"),
        (kt.Board(7, 7, holes=["d4"]), True, "90"),
    ],
    ids=str,
)
def test_the_symmetry_stays(board: kt.Board | str, closed: bool, symmetry: str, objective: str) -> None:
    result = kt.solve(board, closed=closed, symmetry=symmetry, **goal(objective), seed=2, **as_arguments(BUDGET))
    assert result.tour is not None
    assert {symmetry, "90" if symmetry == "180" else symmetry} & set(result.tour.symmetry.split("+"))
    sign = OBJECTIVES[objective].sign
    assert sign * result.counters["after"] <= sign * result.counters["before"]
    assert result.counters["after"] == OBJECTIVES[objective].of(result.tour, closed)
    assert result.tour.is_closed or not closed


@pytest.mark.parametrize("objective", ["turns", "crossings", "over-one-square", "area"])
@pytest.mark.parametrize(("board", "symmetry"), [("6x6", "90"), ("7x6", "180"), ("8x8", "180")])
def test_kernel_updates_match_its_exchanges(board: str, symmetry: str, objective: str) -> None:
    tour = kt.find_tour(board, closed=True, symmetry=symmetry, seed=3)
    squares = tour.order.tolist()
    kept = next(found for found in symmetries(tour.board) if found.name == symmetry)
    cover = cover_of(tour.board, squares, True, False, squares)
    cover = cover.with_symmetry(kept.image, order_of_image(kept.image))
    state = start_state(cover, OBJECTIVES[objective], 5, 5_000, None)
    c, image = state.counters, cover.images[: len(squares)]
    step = kernel_function("improve_step").bind(state)
    for _ in range(50):
        step(100)
        lists = as_lists(state)
        assert c[kernel.COST] == value_of(lists) and c[kernel.LOOPS] == len(loops_of(lists))
        links = {frozenset((v, state.links[2 * v + k])) for v in range(len(squares)) for k in (0, 1)}
        assert links == {frozenset(image[v] for v in link) for link in links}
    assert c[kernel.TAKEN] > 0


def test_improve_preserves_the_given_symmetry() -> None:
    tour = kt.find_tour("6x6", closed=True, symmetry="180", seed=1)
    # Tours with 90 have 180, too.
    assert kt.improve(tour, symmetry="180", seed=1, **as_arguments(BUDGET)).tour.symmetry in ("180", "90")
    with pytest.raises(kt.ProblemError, match="the tour does not have the symmetry 180"):
        kt.improve(kt.find_tour("5x6", closed=True, seed=1), symmetry="180")
    with pytest.raises(kt.ProblemError, match="improvement does not support Eulerian tours"):
        kt.improve(tour, symmetry="Eulerian")
    with pytest.raises(kt.ProblemError, match="improvement does not support Eulerian tours"):
        kt.solve("6x6", closed=True, symmetry="Eulerian", minimize="turns")
