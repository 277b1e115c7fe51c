"""Tests of every row of METHODS on random boards and graphs: a valid tour, or a true reason."""

import dataclasses
import inspect
import itertools
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.graph_families import shuffled
from helpers.solving import find_with, several_tours, solve_several
from helpers.strategies import boards
from knightstour.core.methods import auto
from knightstour.core.methods.enumeration import iter_tours
from knightstour.core.methods.solve import find_tour, solve
from knightstour.core.methods.table import METHODS
from knightstour.core.model.budget import Budget, Limits, as_arguments
from knightstour.core.model.one_way import both_ways
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.proofs import arguments
from knightstour.lab.instances.graphs import flower, petersen, sheehan

# A directed graph of seven arcs from each node.
WIDE = kt.Board.from_graph({v: [(v + d) % 90 for d in range(1, 8)] for v in range(90)}, directed=True)
SHORT = Limits(seconds=2, nodes=20_000)
# An incomplete search never ends without a tour.
SHORTER = Limits(seconds=2, nodes=4_000)
# These tests run once for each method.
FEWER = examples(20)
IN_PROCESS = [name for name in METHODS if name != "portfolio"]


def _truth(problem: Problem) -> bool | None:
    """Return whether a tour exists, by the reference; None if that is too slow."""
    if len(problem.board) > 14:
        return None
    adjacent = reference.adjacency(reference.spec_of(problem.board))
    return reference.has_tour(adjacent, closed=problem.closed, start=problem.start, end=problem.end)


def _is_answer(problem: Problem, tour: kt.Tour) -> bool:
    adjacent = reference.adjacency(reference.spec_of(problem.board))
    return reference.is_tour(adjacent, list(tour), closed=problem.closed, start=problem.start, end=problem.end)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Draw a problem of a small board."""
    board = draw(boards(most_side=5))
    free = [(r, c) for r in range(board.rows) for c in range(board.cols) if (r, c) in board]
    kind = draw(st.sampled_from(["open", "closed", "start", "closed start", "end", "ends"]))
    start = draw(st.sampled_from(free)) if "start" in kind or kind == "ends" else None
    end = draw(st.sampled_from(free)) if kind in ("end", "ends") else None
    if start is not None and start == end and len(free) > 1:
        end = None
    return Problem(board, closed="closed" in kind, start=start, end=end)


@pytest.mark.parametrize("name", IN_PROCESS)
@FEWER
@given(problem=problems(), seed=st.integers(0, 1000))
def test_a_method_gives_a_valid_tour_or_a_true_excuse(name, problem, seed):
    if METHODS[name].why_not(problem) is not None:
        return
    question = {"closed": problem.closed, "start": problem.start, "end": problem.end}
    limits = SHORT if METHODS[name].complete else SHORTER
    result = solve_several(
        problem.board,
        **question,
        method=name,
        seed=seed,
        **as_arguments(limits),
        settings={"proofs": METHODS[name].proves},
    )
    truth = _truth(problem)
    if result.status is Status.FOUND:
        assert _is_answer(problem, result.tour)
        assert truth is not False
    elif result.status is Status.IMPOSSIBLE:
        assert result.reason and result.source
        assert truth is not True, result
    else:
        assert result.reason and result.tour is None


@pytest.mark.parametrize("name", [name for name, row in METHODS.items() if row.complete and name != "portfolio"])
@FEWER
@given(problem=problems())
def test_a_complete_method_decides_small_boards(name, problem):
    if METHODS[name].why_not(problem) is not None or len(problem.board) > 14:
        return
    question = {"closed": problem.closed, "start": problem.start, "end": problem.end}
    options = {"prune": "all"} if name == "backtracking" else {}
    limits = Limits(seconds=20)
    proofs = METHODS[name].proves
    result = solve_several(
        problem.board, **question, method=name, seed=0, **as_arguments(limits), settings={"proofs": proofs}, **options
    )
    assert (result.status is Status.FOUND) == _truth(problem), result


KINDS = [
    {},
    {"closed": True},
    {"start": "a1"},
    {"end": "c3"},
    {"start": "b1", "end": "c3"},
    {"closed": True, "start": "d4"},
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("name", IN_PROCESS)
def test_every_method_solves_8x8(name, kind):
    options = {"prune": "all", "move_order": "warnsdorff"} if name == "backtracking" else {}
    if name == "exact":
        pytest.skip("its states for 8x8 are too many for a quick test")
    if name == "quartes":
        pytest.skip("it is asked for magic tours alone: tests/statistics/test_magic.py")
    result = solve_several((8, 8), **kind, method=name, seed=5, timeout=20, **options)
    assert result.status is Status.FOUND, result


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long) if name == "quartes" else name for name in IN_PROCESS],
)
def test_the_same_seed_gives_the_same_tour(name):
    kind = {"prune": "all"} if name == "backtracking" else {}
    size = {"exact": (5, 6), "quartes": (8, 8)}.get(name, (6, 7))
    kind |= {"where": {"magic-rows": 8, "magic-columns": 8}} if name == "quartes" else {}
    tours = [find_with(size, closed=True, method=name, seed=11, **kind) for _ in range(2)]
    assert tours[0] == tours[1]


# A search needs fifteen seconds for this proof; the faster argument is disabled.
HARD = kt.Board(6, 8, holes=[(4, 0)], wrap="mobius", leaper=(2, 3))


def put_arguments_aside(monkeypatch):
    monkeypatch.setattr(arguments, "ARGUMENTS", ())
    monkeypatch.setattr(arguments, "thorough_narrowing", lambda problem: None)


@pytest.mark.parametrize("name", [name for name in IN_PROCESS if METHODS[name].why_not(Problem(HARD)) is None])
def test_limits_are_kept(name, processor_clock, monkeypatch):
    put_arguments_aside(monkeypatch)
    result = solve(HARD, method=name, seed=1, timeout=0.05)
    assert result.status is Status.UNDECIDED and result.seconds < 1.0
    result = solve(HARD, method=name, seed=1, timeout=20, max_nodes=500)
    assert result.status is Status.UNDECIDED and result.nodes <= 700


@pytest.mark.parametrize(
    ("question", "error", "says"),
    [
        ({"n": 1.5}, TypeError, "whole number"),
        ({"n": None}, TypeError, "whole number"),
        ({"n": 0}, kt.ProblemError, "must be 1 or more, not 0"),
        ({"seed": 1.5}, TypeError, "seed must be an integer"),
        ({"seed": "x"}, TypeError, "seed must be an integer"),
        ({"timeout": "x"}, TypeError, "timeout must be a number"),
        ({"method": "backtracking", "prune": None}, TypeError, "prune"),
        ({"method": "backtracking", "move_order": None}, TypeError, "order"),
        ({"method": "portfolio", "workers": "2"}, TypeError, "workers"),
        ({"method": "prayer"}, kt.ProblemError, "unknown method"),
        ({"method": "rotation", "ties": "first"}, kt.ProblemError, "no option"),
        ({"method": "explicit", "n": 2}, kt.ProblemError, "same tour for every seed"),
    ],
    ids=str,
)
def test_arguments_of_a_wrong_type_are_refused_by_name(question, error, says):
    with pytest.raises(error, match=says):
        solve_several((6, 6), **question)


def test_find_tour_shares_the_arguments_of_solve():
    shown, asked = inspect.signature(kt.find_tour).parameters, inspect.signature(kt.solve).parameters
    assert shown.keys() < asked.keys() and all(asked[name] == each for name, each in shown.items())


def test_find_tour_raises_what_solve_reports():
    with pytest.raises(kt.NoTour) as no:
        find_tour((4, 4))
    assert no.value.result.status is Status.IMPOSSIBLE
    with pytest.raises(kt.LimitReached):
        find_tour((8, 8), start="d4", method="backtracking", max_nodes=100)


def test_a_seed_that_was_drawn_is_reported():
    result = solve((8, 8), method="rotation")
    assert solve((8, 8), method="rotation", seed=result.seed).tour == result.tour


# ---------------------------------------------------------------- published results

IMPOSSIBLE = [
    ((3, 3), {}),
    ((4, 4), {"closed": True}),
    ((5, 5), {"closed": True}),
    ((6, 6), {"start": "a1", "end": "c1"}),
    (kt.Board(4, 4, holes=["a1", "d4"]), {}),
    (kt.Board(4, 6, wrap="cylinder"), {"closed": True}),
    (kt.Board(20, 21, leaper=(1, 3)), {}),
]


@pytest.mark.parametrize("question", IMPOSSIBLE, ids=str)
@pytest.mark.parametrize("name", METHODS)
def test_proved_answer_is_immediate_with_any_method(name, question, processor_clock):
    board, kind = question
    if METHODS[name].why_not(Problem(board, **kind)) is not None:
        pytest.skip("the method does not apply")
    result = solve_several(board, **kind, method=name, seed=1, timeout=20)
    assert result.status is Status.IMPOSSIBLE and result.reason and result.source
    assert result.nodes == 0 and result.seconds < 2


def test_method_can_skip_known_proofs():
    asked = {"closed": True, "seed": 1, "proofs": False}
    proved = solve_several((4, 4), method="backtracking", **asked)
    assert proved.status is Status.IMPOSSIBLE and "exhaustive search" in proved.reason and proved.nodes > 100
    assert solve_several((4, 4), method="rotation", max_nodes=1000, **asked).status is Status.UNDECIDED
    for name in ("auto", "explicit"):
        with pytest.raises(kt.ProblemError, match="consists of proofs"):
            solve_several((4, 4), method=name, **asked)


def test_watched_search_continues_and_ends_with_known_facts():
    trace = kt.Trace()
    result = solve((4, 4), closed=True, method="rotation", seed=1, max_nodes=500, trace=trace)
    assert result.nodes >= 500 and len(list(trace)) > 100
    assert result.status is Status.IMPOSSIBLE and "Schwenk" in result.source


def test_rejects_invalid_option_even_without_a_search():
    for name, options in [("genetic", {"population": 0}), ("warnsdorff", {"ties": []}), ("merge", {"randomness": []})]:
        with pytest.raises(kt.ProblemError if options == {"population": 0} else TypeError):
            solve_several((3, 3), method=name, **options)


# ---------------------------------------------------------------- several and all


@pytest.mark.parametrize(
    "name", ["auto", "rotation", "warnsdorff", "merge", "neural+merge", "annealing", "genetic", "backtracking"]
)
def test_several_different_tours(name):
    tours = several_tours((6, 6), closed=True, n=5, unique=True, method=name, seed=2)
    assert len(tours) == 5
    keys = {tuple(sorted(map(tuple, map(sorted, zip(t, [*list(t)[1:], t.start], strict=True))))) for t in tours}
    assert len(keys) == 5


def test_without_unique_repeats_are_kept_and_counted():
    seen = []
    result = solve_several((3, 4), n=50, seed=1, on_tour=lambda tour, is_repeat: seen.append(is_repeat))
    assert len(seen) == 50
    assert result.counters["repeats"] == sum(seen) > 0


@given(problem=problems(), directed=st.booleans())
def test_iter_tours_agrees_with_the_reference(problem, directed):
    if len(problem.board) > 12 or problem.start or problem.end:
        return
    adjacent = reference.adjacency(reference.spec_of(problem.board))
    expected = reference.count(adjacent, closed=problem.closed, directed=directed)
    tours = iter_tours(problem.board, closed=problem.closed, directed=directed)
    assert sum(1 for _ in tours) == expected


def test_iter_tours_raises_when_a_limit_ends_it():
    with pytest.raises(kt.LimitReached):
        list(iter_tours((6, 6), max_nodes=1000))


@pytest.mark.parametrize("question", [{"closed": True}, {}], ids=str)
def test_large_board_with_many_holes_is_solved(question):
    random = np.random.default_rng(5)
    holes = []
    while sum((r + c) % 2 for r, c in holes) != 60 or len(holes) != 120:
        holes = [divmod(int(s), 70) for s in random.choice(4900, 120, replace=False)]
    result = solve_several(kt.Board(70, 70, holes=holes), **question, seed=1, timeout=20)
    assert result.status is Status.FOUND, result


def test_progress_reports_the_whole_search(monkeypatch):
    put_arguments_aside(monkeypatch)
    message = []
    budget = Budget(Limits(nodes=5000), message.append)
    METHODS["auto"].run(Problem(HARD), budget, 1)
    done = [progress.done for progress in message]
    assert done == sorted(done) and done[-1] >= 5000 and {progress.stage for progress in message} == {"searching"}


@pytest.mark.parametrize(
    ("board", "names"),
    [
        (kt.Board(60, 60, holes=[(0, 0), (5, 6)]), ["warnsdorff", "rotation", "merge"]),
        (kt.Board(800, 800, holes=[(0, 0), (5, 6)]), ["warnsdorff", "merge", "rotation"]),
    ],
    ids=str,
)
def test_large_boards_are_searched_in_several_ways_by_turns(board, names):
    attempts = list(itertools.islice(auto.attempts(Problem(board), Budget(), vary=False), 2 * len(names)))
    assert [name for name, _ in attempts][: len(names)] == names
    # Each round has twice as many steps.
    assert [name for name, _ in attempts] == 2 * names
    steps = [part.limits.nodes for _, part in attempts]
    assert steps[len(names) :] == [2 * nodes for nodes in steps[: len(names)]]


@pytest.mark.parametrize(
    ("board", "without_sat", "with_sat"),
    [
        (kt.Board(7, 7, holes=[(0, 0)]), ["rotation", "exact", "rotation"], ["rotation"] + 2 * ["exact", "sat"]),
        (
            kt.Board(9, 10, holes=[(0, 0)]),
            2 * ["warnsdorff", "rotation", "merge", "exact"],
            2 * ["warnsdorff", "rotation", "merge", "exact", "sat"],
        ),
        (
            kt.Board(15, 15, holes=[(0, 0)]),
            2 * ["warnsdorff", "rotation", "merge"],
            2 * ["warnsdorff", "rotation", "merge", "sat"],
        ),
        # On large boards the clauses take longer than a round of the others.
        (
            kt.Board(60, 60, holes=[(0, 0)]),
            4 * ["warnsdorff", "rotation", "merge"],
            2 * ["warnsdorff", "rotation", "merge"] + 2 * ["warnsdorff", "rotation", "merge", "sat"],
        ),
        # Few moves a square, or many nodes with two: the solver comes first.
        (
            kt.Board(40, 41, holes=[(0, 0)], moves="wazir"),
            2 * ["warnsdorff", "rotation", "merge"],
            ["sat"] + 2 * ["warnsdorff", "rotation", "sat", "merge"],
        ),
        (
            both_ways(Problem(WIDE)).problem.board,
            2 * ["warnsdorff", "rotation", "merge"],
            ["sat"] + 2 * ["warnsdorff", "rotation", "sat", "merge"],
        ),
    ],
    ids=str,
)
def test_methods_that_prove_take_turns_on_smaller_boards(board, without_sat, with_sat, monkeypatch):
    for reason, names in (("it is not installed", without_sat), (None, with_sat)):
        row = dataclasses.replace(METHODS["sat"], why_not=lambda problem, reason=reason: reason)
        monkeypatch.setitem(METHODS, "sat", row)
        attempts = itertools.islice(auto.attempts(Problem(board), Budget(), vary=False), len(names))
        assert [name for name, _ in attempts] == names


# ---------------------------------------------------------------- portfolio


@pytest.mark.processes
def test_the_portfolio_names_the_winner():
    result = solve((6, 6), closed=True, method="portfolio", workers=2, seed=1)
    assert result.status is Status.FOUND and result.method.startswith("portfolio: ")


@pytest.mark.processes
def test_the_portfolio_proves_too():
    result = solve(kt.Board(4, 4), method="portfolio", workers=2, settings={"proofs": False})
    assert result.status is Status.IMPOSSIBLE and "exhaustive" in result.source


@pytest.mark.processes
def test_the_portfolio_keeps_its_limit():
    result = solve(HARD, method="portfolio", workers=1, timeout=1, settings={"proofs": False})
    assert result.status is Status.UNDECIDED and result.seconds < 10


@pytest.mark.parametrize("randomness", [0, 1, 2])
def test_merging_keeps_a_given_start_on_odd_boards(randomness):
    for size, seed in (((5, 5), 15), ((5, 5), 29), ((7, 7), 3), ((5, 7), 4), ((9, 9), 5)):
        for k in range(10):
            tour = find_with(size, start=(0, 0), method="merge", settings={"randomness": randomness}, seed=seed + k)
            assert tour.start == (0, 0)


# ---------------------------------------------------------------- auto on sparse graphs


@pytest.mark.parametrize(
    ("make", "status"),
    [
        (lambda: nx.Graph(petersen(59, 2)), Status.IMPOSSIBLE),
        (lambda: nx.Graph(flower(51)), Status.IMPOSSIBLE),
        (lambda: nx.random_regular_graph(3, 200, seed=1), Status.FOUND),
        (lambda: nx.Graph(sheehan(20)), Status.FOUND),
        pytest.param(lambda: nx.Graph(petersen(997, 2)), Status.FOUND, marks=pytest.mark.long),
        pytest.param(lambda: nx.Graph(petersen(1001, 2)), Status.IMPOSSIBLE, marks=pytest.mark.long),
        pytest.param(lambda: nx.Graph(flower(501)), Status.IMPOSSIBLE, marks=pytest.mark.long),
        pytest.param(lambda: nx.random_regular_graph(3, 2000, seed=1), Status.FOUND, marks=pytest.mark.long),
        pytest.param(lambda: nx.hexagonal_lattice_graph(30, 30, periodic=True), Status.FOUND, marks=pytest.mark.long),
        pytest.param(lambda: nx.Graph(sheehan(200)), Status.FOUND, marks=pytest.mark.long),
    ],
)
def test_sparse_graphs_are_answered(make: Callable[[], nx.Graph], status: Status) -> None:
    graph = make()
    result = solve(shuffled(graph, 3), closed=True, seed=1, timeout=60)
    assert result.status is status
    if result.tour is not None:
        order = result.tour.labels
        assert sorted(map(str, order)) == sorted(map(str, graph))
        assert all(graph.has_edge(a, b) for a, b in zip(order, [*order[1:], order[0]], strict=True))
