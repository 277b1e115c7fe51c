"""Plans of counts: accurate on boards of all kinds, and never so high that a successful count is refused."""

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import Run
from helpers.examples import mostly_long
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.deadline import DeadlineError, keeping_deadline
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.wording import in_time, in_words
from knightstour.core.proofs import arguments
from knightstour.core.search.frontier import plan
from knightstour.core.search.frontier.plan import make_plan
from knightstour.lab.counting import forecast, orders, sums
from knightstour.lab.counting import plan as plans
from knightstour.lab.counting.count import count_problem
from knightstour.lab.counting.halves.cut import make_cut, the_cut
from knightstour.lab.counting.halves.march import count_by_halves
from knightstour.lab.counting.needs import GIANT, is_giant, known_layers, needs_of_halves, needs_of_states
from knightstour.lab.counting.plan import plan_of
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.counting.spaces.tour_space import TourSpace
from knightstour.lab.counting.ways import HALVES, STATES, Task, find_way


def complete(size: int) -> kt.Board:
    """Return the complete graph of `size` vertices."""
    return kt.Board.from_graph([[other for other in range(size) if other != one] for one in range(size)])


def _slow(problem: Problem) -> Any:
    return pytest.param(problem, marks=pytest.mark.slow, id=str(problem))


_SQUARE = [(r, c) for r in (3, 4) for c in (3, 4)]
QUESTIONS = [
    _slow(Problem((5, 7))),
    Problem((5, 10), closed=True),
    Problem((4, 12), start="a1"),
    Problem((6, 6), closed=True),
    Problem((6, 6), start="a1", end="f1"),
    Problem(kt.Board(6, 7, holes=[(0, 0), (5, 6)]), closed=True),
    Problem(kt.Board(7, 7, holes=[(r, c) for r in (2, 3, 4) for c in (2, 3, 4)])),
    Problem(kt.Board(4, 6, wrap="torus"), closed=True),
    _slow(Problem(kt.Board(4, 6, wrap="torus"))),
    _slow(Problem(kt.Board(3, 6, wrap="torus"), start="a1")),
    _slow(Problem(kt.Board(6, 5, wrap="cylinder"), closed=True)),
    Problem(kt.Board(5, 5, wrap="cylinder")),
    Problem(kt.Board(8, 8, leaper=(1, 3))),
    Problem(kt.Board(8, 8, leaper=(2, 3))),
    _slow(Problem(kt.Board(10, 10, leaper=(0, 1)))),
    Problem(kt.Board(9, 9, leaper=(1, 4)), closed=True),
    Problem(complete(11)),
]
HALVED = [
    Problem((6, 6), closed=True),
    Problem((6, 8), closed=True),
    Problem((6, 12), closed=True),
    _slow(Problem((7, 8), closed=True)),
    _slow(Problem((5, 20))),
    Problem((6, 6)),
    Problem((6, 7), start="a1"),
    Problem((6, 6), start="a1", end="f1"),
    Problem(kt.Board(7, 8, holes=[(3, 3), (3, 4)]), closed=True),
    _slow(Problem(kt.Board(8, 10, holes=[(r, c) for r in (3, 4) for c in range(3, 7)]), closed=True)),
    _slow(Problem(kt.Board(6, 6, wrap="cylinder"), closed=True)),
    Problem(kt.Board(8, 4, wrap="cylinder")),
    Problem(kt.Board(10, 10, leaper=(0, 1))),
]


# ---------------------------------------------------------------- the forecast


@pytest.mark.long
@pytest.mark.parametrize("problem", QUESTIONS, ids=str)
def test_states_forecast_never_rejects_a_feasible_count(problem, monkeypatch):
    held = []
    layers = sums.layers

    def noted(plan, algebra, report, allowed):
        return layers(plan, algebra, lambda *found: (held.append(found[-1]), report(*found)), allowed)

    monkeypatch.setattr(sums, "layers", noted)
    made = sums.count_states(problem).states
    foreseen = forecast.forecast_states(make_plan(problem), problem.board).total
    if made > 20_000:
        assert made / 4 < foreseen < made * 30
    plans.refuse(STATES.fit(Task(problem)), max(held))


@pytest.mark.long
@pytest.mark.parametrize("problem", HALVED, ids=str)
def test_halves_forecast_never_rejects_a_feasible_count(problem):
    made = count_by_halves(problem)
    foreseen = forecast.forecast_halves(problem, the_cut(problem))
    assert made.states / 5 < foreseen.total < made.states * 5
    assert made.transitions / 6 < foreseen.looked_at < made.transitions * 6
    needs = needs_of_halves(problem, the_cut(problem))
    assert needs.bytes + needs.base_bytes < 10 * made.peak_bytes
    fit = find_way(Task(problem))
    assert all(not fit.is_sure(size) or not plan_of(fit, size).is_refused for size in (10**5, 10**7, 10**9, 10**11))
    plans.refuse(HALVES.fit(Task(problem, method="halves")), made.peak_bytes)


def test_frontier_never_exceeds_most_states():
    for slots in range(6):
        count = sum(
            np.prod(range(1, kinds.count(2), 2), dtype=int)
            for kinds in itertools.product(range(3), repeat=slots)
            if kinds.count(2) % 2 == 0
        )
        assert forecast.most_states(slots) == count
        assert forecast.most_states(slots, may_cross=False) == sum(
            math.comb(slots, ends) * math.comb(ends, ends // 2) // (ends // 2 + 1) * 2 ** (slots - ends)
            for ends in range(0, slots + 1, 2)
        )
    assert forecast.most_states(10**9) > 1e80


def test_first_half_made_tours_are_counted_then_estimated() -> None:
    problem = Problem((6, 6), closed=True)
    plan = make_plan(problem)
    near = move_graph(problem.board).neighbour_lists()
    # Sets of moves in which all processed squares have two moves, and no square three.
    half_made: list[dict[int, int]] = [{}]
    for t, met in enumerate(forecast._simulate_frontier(plan.order, near, (), has_virtual=False)):
        v, later = plan.order[t], [u for u in near[plan.order[t]] if plan.rank[u] > t]
        half_made = [
            {**moves, **{u: moves.get(u, 0) + 1 for u in others}}
            for moves in half_made
            for others in itertools.combinations(later, 2 - moves.get(v, 0))
            if all(moves.get(u, 0) < 2 for u in others)
        ]
        exact = len(half_made)
        assert exact / 1.5 < met.made < exact * 1.5
        assert t > 2 or met.made == pytest.approx(exact)
        if t == 12:
            break


# ---------------------------------------------------------------- errors

OUT_OF_REACH = [
    Problem((10, 10), closed=True),
    _slow(Problem((12, 12), closed=True)),
    Problem((9, 9)),
    _slow(Problem((20, 20))),
    _slow(Problem((100, 100), closed=True)),
    Problem(kt.Board(8, 8, wrap="torus"), closed=True),
    Problem(kt.Board(10, 10, holes=_SQUARE), closed=True),
    _slow(Problem(complete(30))),
]


@pytest.mark.long
@pytest.mark.parametrize("problem", OUT_OF_REACH, ids=str)
def test_rejects_infeasible_counts_immediately_with_help(problem):
    for ask in (kt.count, kt.TourSpace):
        with pytest.raises(
            kt.LimitReached, match=r"is infeasible: (about|at least) [0-9.]+e\d+ states at once"
        ) as caught:
            ask(problem)
        assert "of processor time" in caught.value.note and "of memory may be used" in caught.value.note
        is_lacking = "this version lacks words" in caught.value.note
        assert is_lacking or "would be too much" in caught.value.note
        assert "estimate" in caught.value.help


def test_the_limit_of_memory_counts():
    assert not kt.plan((8, 8), closed=True, memory=10**9).is_refused
    assert kt.plan((8, 8), closed=True, memory=10**8).is_refused
    with pytest.raises(kt.LimitReached, match="counting the closed tours of the 8x8 board is infeasible") as caught:
        count_problem(kt.Problem((8, 8), closed=True), settings=CountSettings(Limits(seconds=None, bytes=10**8)))
    assert "--checkpoint" in caught.value.help and "100 MB of memory may be used" in caught.value.note
    # Without a limit, the memory of the machine.
    planned = kt.plan((8, 30))
    assert 0 < planned.limit < 10**15 and planned.bytes > 30e9 and planned.margin == 1.5
    assert planned.is_refused or planned.limit > 20e9
    with pytest.raises(kt.LimitReached, match="numbering the open tours of the 7x7 board"):
        kt.TourSpace((7, 7), memory=100000000)
    with pytest.raises(kt.LimitReached, match="numbering the open tours of the 8x8 board"):
        kt.TourSpace((8, 8), memory=20000000000)


@pytest.mark.parametrize("size", mostly_long([10**6, 20_000, 10**9], 1))
@pytest.mark.parametrize(
    "board, asked",
    [
        ((6, 6), {"closed": True}),
        ((6, 7), {"closed": True, "symmetry": "180"}),
        ((6, 7), {"closed": True, "up_to_symmetry": True}),
        ((4, 8), {"closed": True, "up_to_symmetry": True}),
        ((10, 10), {"closed": True}),
        ((5, 6), {"start": "a1"}),
        ((5, 6), {"forbid": ["a1-b3"]}),
        ((40, 40), {}),
    ],
)
def test_count_and_plan_refuse_with_the_same_figures(board: tuple[int, int], asked: dict[str, Any], size: int) -> None:
    limits = Limits(bytes=size)
    plan = kt.plan(board, **as_arguments(limits), **asked)
    problem = Problem(board, **{name: value for name, value in asked.items() if name != "up_to_symmetry"})
    settings = CountSettings(limits=limits)
    try:
        count_problem(problem, up_to_symmetry=plan.up_to_symmetry, settings=settings)
    except LimitReached as error:
        if error.plan is None:
            assert not plan.is_refused  # the memory did not suffice after all
            return
        assert plan.is_refused and str(error.plan) and plan.instead and error.help.split("; ")[-1] == plan.instead[-1]
        assert plan.up_to_symmetry or f"{in_words(int(plan.bytes))} and {in_time(plan.seconds)}" in error.note
    else:
        assert not plan.is_refused


def test_with_a_checkpoint_the_disk_counts(tmp_path, monkeypatch):
    directory = tmp_path / "not" / "yet"
    # Other programs may write to the disk meanwhile.
    assert plans.free_bytes(directory) == pytest.approx(plans.free_bytes(tmp_path), rel=0.1) and not directory.exists()
    monkeypatch.setattr(plans, "free_bytes", lambda directory: 10**11)
    planned = kt.plan((8, 10), checkpoint=directory, memory=8 * 10**9)
    assert not planned.is_refused and planned.disk == 10**11
    assert kt.plan((8, 10), memory=8 * 10**9).is_refused
    monkeypatch.setattr(plans, "free_bytes", lambda directory: 10**9)
    with pytest.raises(kt.LimitReached, match="8x10") as caught:
        count_problem((8, 10), settings=CountSettings(Limits(None, bytes=30 * 10**9), checkpoint=directory))
    assert "1 GB of disk are free" in caught.value.note and "a directory on a disk with" in caught.value.help
    assert not directory.exists()


def test_known_layers_of_eight_rows_go_on_evenly():
    closed = [known_layers(Problem((8, cols), closed=True)) for cols in (8, 10, 12, 14, 16, 18)]
    steps = np.diff([layers[1] for layers in closed])
    assert (np.diff([layers[0] for layers in closed]) >= 0).all() and (steps > 0).all()
    assert steps[-1] == pytest.approx(steps[-2])
    assert known_layers(Problem((12, 8), closed=True)) == closed[2]
    assert known_layers(Problem((8, 8), start="a1")) is None
    assert known_layers(Problem((7, 7))) == known_layers(Problem((8, 7)))
    assert known_layers(Problem((5, 8), closed=True)) is None


@pytest.mark.parametrize(
    "board, closed",
    [
        *(((6, cols), True) for cols in (6, 7, 8, 10)),
        ((6, 6), False),
        *(
            pytest.param(board, closed, marks=pytest.mark.long)
            for board in ((6, 7), (7, 8))
            for closed in (True, False)
        ),
        pytest.param((8, 8), True, marks=pytest.mark.slow),
    ],
)
def test_a_plan_promises_no_less_memory_than_is_used(board: tuple[int, int], closed: bool) -> None:
    problem = Problem(board, closed=closed)
    made, needs = count_by_halves(problem), needs_of_halves(problem, the_cut(problem))
    assert made.peak_bytes <= needs.bytes + needs.base_bytes < kt.plan(board, closed=closed).bytes
    assert made.states <= needs.states * (1.01 if board[1] % 2 == 0 else 1.2)


# ---------------------------------------------------------------- the plan


def test_a_plan_names_the_way_that_the_count_takes():
    for board, closed in (((3, 8), True), ((4, 30), False), ((5, 6), True), ((6, 6), True)):
        assert kt.plan(board, closed=closed).method == count_problem(kt.Problem(board, closed=closed)).method
    assert (
        kt.plan(complete(6), closed=True).method
        == count_problem(kt.Problem(complete(6), closed=True)).method
        == "states"
    )
    assert kt.plan((9, 9)).method == "states" and make_cut(Problem((9, 9))) is None
    assert "Schwenk" in kt.plan((4, 8), closed=True).source


def test_the_command_line_refuses_with_the_estimate(run: Run) -> None:
    code, out, err = run("count", "12x12", "--closed")
    assert code == 3 and not out
    assert [line.split(":")[0] for line in err.splitlines()] == ["error", "note", "help"]
    for words in (("--timeout", "5"), ("--by", "symmetry"), ("--workers", "2")):
        assert run("count", "6x6", "--plan", *words)[0] == 2


def test_rejects_giant_board_before_listing_its_moves(work: Callable[[], float]) -> None:
    began = work()
    for ask in (kt.count, TourSpace):
        with pytest.raises(kt.LimitReached, match=r"infeasible: at least 1\.0e18 states"):
            ask((1000, 1000), closed=True)
    assert kt.plan((1000, 1000)).is_refused
    assert work() - began < 10


@pytest.mark.parametrize("leaper", [(1, 2), (2, 3)])
def test_minimum_of_a_giant_board_is_below_the_forecast(leaper: tuple[int, int]) -> None:
    problem = Problem(Board(24, 24, leaper=leaper))
    foreseen = needs_of_states(problem)
    assert GIANT.widest <= foreseen.widest and GIANT.states <= foreseen.states and GIANT.bytes <= foreseen.bytes
    for other in (
        Board(23, 99),
        Board(30, 30, holes=["a1"]),
        Board(30, 30, leaper=(1, 3)),
        Board(30, 30, leaper=(0, 1)),
    ):
        assert not is_giant(other)


@pytest.mark.parametrize("name", [3, "", "x" * 5000, "a/" + "x" * 300])
def test_impossible_checkpoint_is_refused(name: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    error = OSError if isinstance(name, str) else TypeError
    with pytest.raises(error):
        kt.count((6, 6), closed=True, checkpoint=name)
    if isinstance(name, str) and name:
        assert kt.plan((8, 8), closed=True, checkpoint=name).method == "halves"
        with pytest.raises(error):
            TourSpace.build("3x4", path=f"{name}/a")
    else:
        with pytest.raises(error):
            kt.plan((8, 8), closed=True, checkpoint=name)


@pytest.mark.parametrize(
    "count",
    [
        lambda limits: kt.count((8, 8), **as_arguments(limits)),
        lambda limits: kt.estimate((40, 40), timeout=limits.seconds),
    ],
)
def test_timeout_ends_a_count_in_all_its_parts(count: Callable[..., object], work: Callable[[], float]) -> None:
    began = work()
    with pytest.raises(LimitReached):
        count(Limits(seconds=0.1, bytes=10**11))
    # Including imports.
    assert work() - began < 150


# ---------------------------------------------------------------- passes


@pytest.mark.parametrize(
    "size, closed", [((5, 6), True), ((6, 6), True), ((3, 12), True), ((4, 5), False), ((5, 5), False), ((5, 6), False)]
)
def test_no_board_has_more_tours_than_the_bound_on_them(size, closed):
    from knightstour.lab.counting.residues import bits_at_most

    bits = bits_at_most(Problem(size, closed=closed))
    assert 1 < kt.count(size, closed=closed) <= 2**bits


def test_plan_states_the_passes_of_a_long_count():
    short, long = kt.plan((8, 14), closed=True), kt.plan((8, 32), closed=True)
    assert (short.passes, short.most_passes) == (1, 1)
    # The published number, of 250.7 bits, needs five passes of 62 bits.
    assert (long.passes, long.most_passes) == (5, 7) and long.seconds > 10 * short.seconds
    assert "in 5 passes modulo two primes each (at most 7)" in str(long) and "passes" not in str(short)
    assert long.to_dict()["passes"] == 5


@pytest.mark.long
def test_ten_rows_are_refused(run):
    plan = kt.plan((10, 10), closed=True)
    assert plan.method == "states" and plan.is_refused
    code, _, err = run("count", "10x10", "--closed", "--plan")
    assert code == 0 and "infeasible" in err and "8x10" in err


# ---------------------------------------------------------------- dense graphs


SPENT = Limits(seconds=1e-9)


ASKED: dict[str, Callable[[kt.Board], object]] = {
    "count": lambda board: kt.count(board, closed=True, **as_arguments(SPENT)),
    "plan": lambda board: kt.plan(board, **as_arguments(SPENT)),
    "census of starts": lambda board: kt.census(board, "start", **as_arguments(SPENT)),
    "census of symmetries": lambda board: kt.census("6x6", "symmetry", **as_arguments(SPENT)),
    "census": lambda board: kt.census("6x6", "turns", **as_arguments(SPENT)),
    "sample": lambda board: kt.sample(board, 3, **as_arguments(SPENT)),
}


@pytest.mark.parametrize("name", ASKED)
def test_no_time_is_the_limit_that_was_reached(name: str) -> None:
    with pytest.raises(kt.LimitReached, match="the limit of 1e-09 seconds was reached"):
        ASKED[name](complete(30))


def ends_after(looks: int) -> Callable[[], float]:
    """Return the remaining seconds: none from a given call on."""
    left = iter(range(looks, 0, -1))
    return lambda: next(left, 0)


PREPARED: dict[str, Callable[[kt.Problem], object]] = {
    "an order": lambda problem: plan.narrowest_first(problem.board.graph or (), 0, range(40)),
    "an order in breadth": lambda problem: plan._breadth_first([list(x) for x in problem.board.graph or ()], 0, []),
    "a guess": lambda problem: plan.expected_states(range(40), problem.board.graph or ()),
    "a plan": lambda problem: plan.Plan(range(40), [list(x) for x in problem.board.graph or ()]),
    "a forecast": lambda problem: list(
        forecast._simulate_frontier(range(40), problem.board.graph or (), (), has_virtual=False)
    ),
    "a cut": lambda problem: list(orders._frontiers(problem.board.graph or (), range(40))),
    "a search for a cut": lambda problem: orders.anneal(problem.board.graph or (), tuple(range(40))),
    "arguments": arguments.why_none,
}


@pytest.mark.parametrize("name", PREPARED)
def test_each_preparation_looks_at_the_time_more_than_once(name: str) -> None:
    problem = kt.Problem(complete(40), closed=True)
    with keeping_deadline(ends_after(3)), pytest.raises(DeadlineError):
        PREPARED[name](problem)
    PREPARED[name](problem)


def test_narrowest_order_matches_its_definition() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        size = int(rng.integers(1, 14))
        joined = np.triu(rng.random((size, size)) < rng.random(), 1)
        near = [np.flatnonzero(row).tolist() for row in joined | joined.T]
        order, seen, frontier = [], {0}, [0]
        while frontier:
            v = min(frontier, key=lambda s: len(set(near[s]) - seen))
            frontier.remove(v)
            order.append(v)
            frontier += [u for u in near[v] if u not in seen]
            seen.update(near[v])
        assert plan.narrowest_first(near, 0, range(size)) == order + [v for v in range(size) if v not in order]
