"""One kernel run two ways, its limits, and the rotation method that was written for it first."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.both_ways import both_ways
from helpers.examples import examples
from helpers.strategies import TOURED, boards
from knightstour.kernels import rng
from knightstour.kernels.search import rotation as kernel
from knightstour.machine import engine
from knightstour.model.board import WRAPS, Board
from knightstour.model.budget import Budget, Limits
from knightstour.model.problem import Problem
from knightstour.model.result import Status
from knightstour.search.rotation import rotation, start_state


def spent(**limits: Any) -> Budget:
    return Budget(Limits(**limits))


def interpreted(problem: Problem, seed: int, nodes: int) -> tuple[int, kernel.State]:
    state = start_state(problem, seed)
    while True:
        status = kernel.step(state, nodes - state.counters[kernel.NODES])
        if status != kernel.RUNNING or state.counters[kernel.NODES] == nodes:
            return status, state


def is_answer(problem: Problem, order: Any) -> bool:
    """Whether the order is a tour as asked for, by the reference."""
    board = problem.board
    return reference.is_tour(
        reference.adjacency(reference.spec_of(board)),
        [divmod(int(s), board.cols) for s in order],
        closed=problem.closed,
        start=problem.start,
        end=problem.end,
    )


# ---------------------------------------------------------------- two ways


@pytest.mark.parametrize(
    "problem",
    [
        Problem.of((8, 8)),
        Problem.of((6, 6), closed=True),
        Problem.of((8, 8), start="a1", end="h7"),
        Problem.of((5, 5), end="c3"),
        Problem.of((5, 5), start="a2"),  # has none: stopped by the limit
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), start="a1"),
        Problem.of(Board(30, 30), closed=True),
        Problem.of(Board(22, 22, holes=["c7", "k9", "p20", "q5"]), start="a1"),
        Problem.of(Board(5, 100), start=(0, 0), end=(4, 99)),
        Problem.of(Board(21, 21), start=(0, 1)),  # has none: the distances are looked for again and again
    ],
    ids=str,
)
def test_interpreted_and_compiled_runs_are_the_same_run(problem: Problem) -> None:
    # On large boards a node takes long, interpreted, and visits all parts of the kernel.
    is_large = problem.board.square_count > 400
    nodes = 8_000 if is_large else 20_000
    for seed in range(1 if is_large else 3):
        status, state = interpreted(problem, seed, nodes)
        budget = spent(nodes=nodes)
        compiled_status, compiled_state = engine.drive(kernel, start_state(problem, seed), budget, start_compiled=True)
        assert compiled_status == status
        for plain, array in zip(state, compiled_state, strict=True):
            assert array.dtype == np.int64 and array.tolist() == list(plain)
        assert budget.nodes == state.counters[kernel.NODES]
    assert engine.is_loaded(kernel)


def test_the_run_may_be_interrupted_anywhere() -> None:
    problem = Problem.of((5, 5), start="a2")
    whole = start_state(problem, 3)
    kernel.step(whole, 3000)
    cut = start_state(problem, 3)
    for nodes in (1, 2, 997, 0, 2000):
        assert kernel.step(cut, nodes) == kernel.RUNNING
    assert cut == whole


def test_it_switches_to_compiled_code_in_the_middle_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "INTERPRETED_SECONDS", 0.01)
    monkeypatch.setattr(engine, "COMPILE_AFTER", 0.01)
    monkeypatch.setattr(engine, "_loaded", set())
    monkeypatch.setattr(engine, "_interpreted", {})
    problem = Problem.of((5, 5), start="a2")
    status, state = engine.drive(kernel, start_state(problem, 1), spent(nodes=50_000))
    assert status == engine.RUNNING and isinstance(state.path, np.ndarray)
    _, expected = interpreted(problem, 1, 50_000)
    assert state.counters.tolist() == expected.counters and state.path.tolist() == expected.path


def test_a_short_search_stays_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    # However slow the computer is.
    monkeypatch.setattr(engine, "INTERPRETED_SECONDS", 10)
    monkeypatch.setattr(engine, "_loaded", set())
    monkeypatch.setattr(engine, "_interpreted", {})
    status, state = engine.drive(kernel, start_state(Problem.of((8, 8)), 1), spent())
    assert status == engine.FOUND and isinstance(state.path, list) and not engine.is_loaded(kernel)


def test_a_search_goes_on_where_a_limit_stopped_it() -> None:
    problem = Problem.of((8, 8), closed=True)
    state: Any = start_state(problem, 5)
    status, stops = engine.RUNNING, 0
    while status == engine.RUNNING:
        status, state = engine.drive(kernel, state, spent(nodes=50))
        stops += 1
    expected_status, expected = interpreted(problem, 5, 10**6)
    assert status == expected_status == engine.FOUND and stops > 1
    assert list(state.path) == expected.path and list(state.counters) == expected.counters


def test_numba_may_be_switched_off() -> None:
    code = (
        "from knightstour.search import rotation\n"
        "from knightstour.machine import engine\n"
        "from knightstour.model import budget, problem\n"
        "from knightstour.kernels.search import rotation as kernel\n"
        "engine.INTERPRETED_SECONDS = engine.COMPILE_AFTER = 0\n"
        "answer = rotation.rotation(problem.Problem.of((6, 6), closed=True), budget.Budget(), 4)\n"
        "assert engine.is_loaded(kernel)\n"
        "print(*answer.order)"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    plain = rotation(Problem.of((6, 6), closed=True), spent(), 4)
    assert done.stdout.split() == [str(s) for s in np.asarray(plain.order)]


@pytest.mark.processes
def test_the_first_compilation_is_announced_and_never_starts_shortly_before_a_limit(tmp_path: Any) -> None:
    code = (
        "import logging, sys\n"
        "from knightstour.search import rotation\n"
        "from knightstour.machine import engine\n"
        "from knightstour.model import budget, problem\n"
        "from knightstour.kernels.search import rotation as kernel\n"
        "engine.INTERPRETED_SECONDS = engine.COMPILE_AFTER = 0\n"
        "logging.basicConfig(level=logging.INFO, format='%(message)s', stream=sys.stdout)\n"
        "limits = budget.Limits(seconds=float(sys.argv[1]))\n"
        "left = budget.Budget(limits)\n"
        "rotation.rotation(problem.Problem.of((8, 8), closed=True), left, 4)\n"
        "print(engine.is_loaded(kernel))"
    )

    def said(seconds: str) -> str:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
        done = subprocess.run(
            [sys.executable, "-c", code, seconds], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.stderr == ""
        return done.stdout.strip()

    saying = "compiling step of the rotation kernel (a few seconds, once after installation)"
    # With little time left it stays interpreted, but for code that is on the disk.
    assert [said(s) for s in ("0.5", "4", "60", "4")] == ["False", "False", f"{saying}\nTrue", "True"]
    # Code that was compiled from other sources does not count.
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("rotation.*.nbc")}
    for path in tmp_path.rglob("rotation.*"):
        if path.suffix == ".sources":
            path.write_text("other sources")
        elif path.suffix == ".compiled":
            path.unlink()
    assert said("4") == "False" and kept
    assert said("60") == f"{saying}\nTrue"
    assert all(path.stat().st_mtime_ns > before for path, before in kept.items())


# ---------------------------------------------------------------- limits

# The centre's neighbours on 5x5 are of the smaller colour, so no tour starts there and rotations never end.
ENDLESS = Problem.of((5, 5), start="c2")


@pytest.mark.parametrize("nodes", [1, 2, 63, 64, 65, 1000, 33_333])
def test_the_limit_of_nodes_is_kept_exactly(nodes: int) -> None:
    budget = spent(nodes=nodes)
    outcome = rotation(ENDLESS, budget, 1)
    assert outcome.status is Status.UNDECIDED and budget.nodes == nodes
    assert outcome.reason == budget.why_stopped() and outcome.order is None


def seconds_of(problem: Problem, seconds: float, clock: Callable[[], float]) -> float:
    """How long an endless search with a limit takes."""
    started = clock()
    outcome = rotation(problem, spent(seconds=seconds), 1)
    assert outcome.status is Status.UNDECIDED and f"limit of {seconds:g} seconds" in outcome.reason
    return clock() - started


@pytest.mark.parametrize("seconds", [1e-9, 0.05, 0.4])
def test_the_limit_of_seconds_is_kept(seconds: float, processor_clock: Callable[[], float]) -> None:
    rotation(ENDLESS, spent(nodes=1000), 1)
    assert seconds <= seconds_of(ENDLESS, seconds, processor_clock) < seconds + 0.2


@pytest.mark.long
@pytest.mark.parametrize("already", [False, True], ids=["interpreted", "compiled"])
def test_the_limit_of_seconds_is_kept_on_a_big_board(
    already: bool, processor_clock: Callable[[], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A rotation of a long path takes thousands of times as long as an extension; the limit must see that coming.
    if not already:
        monkeypatch.setattr(engine, "_loaded", set())
    problem = Problem.of(Board(151, 151), start=(0, 1))  # of the smaller colour: endless
    start_state(problem, 1)
    # On a slow or busy machine a single step may take far longer than those before it, so what is left over is compared
    # with the machine; a fault would show at every try.
    started = processor_clock()
    sum(1 for _ in range(1_000_000))
    bound = 0.65 + 4 * (processor_clock() - started)
    assert any(seconds_of(problem, 0.5, processor_clock) < bound for _ in range(3))


# ---------------------------------------------------------------- rotations


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_rotations_find_a_tour_wherever_the_table_says_there_is_one(closed: bool) -> None:
    for wrap in (None, *WRAPS):
        for rows, cols in ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3), (3, 4), (4, 3), (2, 7), (5, 3), (4, 4)):
            problem = Problem.of(Board(rows, cols, wrap=wrap), closed=closed)
            possible = reference.has_tour(reference.adjacency(reference.spec_of(problem.board)), closed=closed)
            outcome = rotation(problem, spent(nodes=20_000 if possible else 300), 1)
            assert (outcome.status is Status.FOUND) == possible, problem
            if possible:
                assert is_answer(problem, outcome.order)


@examples(100)
@given(boards(most_side=4, leapers=[(1, 2), (0, 1), (1, 1), (1, 3), (2, 3)]), st.booleans(), st.data())
def test_what_rotations_find_is_a_tour_as_asked_for(board: Board, closed: bool, data: st.DataObject) -> None:
    squares = st.none() | st.sampled_from(reference.all_squares(reference.spec_of(board)))
    start = data.draw(squares)
    end = None if closed else data.draw(squares)
    if start == end and start is not None and board.square_count > 1:
        end = None
    problem = Problem.of(board, closed=closed, start=start, end=end)
    adjacent = reference.adjacency(reference.spec_of(board))
    possible = reference.has_tour(adjacent, closed=closed, start=start, end=end)
    outcome = rotation(problem, spent(nodes=20_000 if possible else 500), data.draw(st.integers(0, 10**9)))
    assert (outcome.status is Status.FOUND) == possible
    if possible:
        assert is_answer(problem, outcome.order)


def test_the_same_seed_gives_the_same_tour_and_another_seed_another() -> None:
    problem = Problem.of((8, 8), closed=True)
    tours = [tuple(np.asarray(rotation(problem, spent(), seed).order).tolist()) for seed in (1, 1, 2, 3, -1, 10**30)]
    assert tours[0] == tours[1] and len(set(tours)) == 5


@pytest.mark.parametrize("board", TOURED[3:6], ids=str)
def test_both_ends_may_be_given_in_either_order(board: Board) -> None:
    outcome = rotation(Problem.of(board), spent(), 1)
    assert outcome.order is not None
    first, last = (divmod(int(outcome.order[i]), board.cols) for i in (0, -1))
    for problem in (
        Problem.of(board, start=first, end=last),
        Problem.of(board, start=last, end=first),
        Problem.of(board, end=first),
        Problem.of(board, start=last),
    ):
        answer = rotation(problem, spent(seconds=5), 2)
        assert answer.status is Status.FOUND and is_answer(problem, answer.order)


def test_a_graph_is_toured_too() -> None:
    # Petersen's graph has paths over all nodes, and no cycle.
    petersen = [[(i + 1) % 5, (i - 1) % 5, i + 5] for i in range(5)]
    petersen += [[(i + 2) % 5 + 5, (i - 2) % 5 + 5, i] for i in range(5)]
    board = Board.from_graph(both_ways(petersen))
    order = rotation(Problem.of(board), spent(), 1).order
    adjacent = {i: set(near) for i, near in enumerate(petersen)}
    assert order is not None and reference.is_tour(adjacent, list(order))
    assert rotation(Problem.of(board, closed=True), spent(nodes=2000), 1).status is Status.UNDECIDED


def among_holes(seed: int) -> Board:
    """100x100 without 100 squares of each colour."""
    squares = [divmod(s, 100) for s in range(10_000)]
    draw = random.Random(seed)
    colours = ([square for square in squares if sum(square) % 2 == colour] for colour in (0, 1))
    return Board(100, 100, holes=[hole for colour in colours for hole in draw.sample(colour, 100)])


# Turned at random alone, the end needed over a million steps to find the last squares of each of these boards.
@pytest.mark.long
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("seed_of_holes", [2, 3, 18, 25])
def test_the_end_is_led_to_the_last_free_squares(seed_of_holes: int, closed: bool) -> None:
    problem = Problem.of(among_holes(seed_of_holes), closed=closed)
    budget = spent(nodes=20_000)
    outcome = rotation(problem, budget, 1)
    assert outcome.status is Status.FOUND and is_answer(problem, outcome.order)


@pytest.mark.parametrize(
    "problem",
    [
        Problem.of(Board(24, 26), closed=True),
        Problem.of(Board(24, 24), start=(0, 0), end=(23, 0)),
        Problem.of(Board(21, 21, wrap="torus", holes=["c4"])),
    ],
    ids=str,
)
def test_the_distances_are_the_least_odd_numbers_of_moves(problem: Problem) -> None:
    state = start_state(problem, 1)
    c = state.counters
    for wanted in (1, 40, c[kernel.COUNT] // 2, c[kernel.COUNT] - 1, c[kernel.COUNT]):
        while c[kernel.LENGTH] < wanted:
            kernel.step(state, 1)
        kernel.look_around(state)
        near = [state.targets[a:b] for a, b in itertools.pairwise(state.offsets)]
        on_path = set(state.path[: c[kernel.LENGTH]])
        free = {s for s in range(len(near)) if near[s]} - on_path
        goals = free - {c[kernel.END]} or free or {state.path[0]}
        layer, known = {(s, 0) for s in goals}, {}
        steps = 0
        while layer:
            steps += 1
            layer = {(y, steps % 2) for x, _ in layer for y in near[x] if y in on_path} - known.keys()
            known.update(dict.fromkeys(layer, steps))
        expected = [known.get((s, 1), kernel.FAR) for s in range(len(near))]
        farthest = expected[state.path[c[kernel.LENGTH] - 1]] + 2
        assert state.distance == [d if d <= farthest else kernel.FAR for d in expected], wanted


def test_two_squares_are_no_closed_tour() -> None:
    pair = Board.from_graph([[1], [0]])
    assert rotation(Problem.of(pair, closed=True), spent(nodes=500), 1).status is Status.UNDECIDED
    assert rotation(Problem.of(pair), spent(nodes=500), 1).status is Status.FOUND


# ---------------------------------------------------------------- random numbers


def test_random_numbers_are_32_bits_never_zero_and_even() -> None:
    x = rng.first_random(1)
    counts = [0] * 16
    seen = set()
    for _ in range(20_000):
        x = rng.next_random(x)
        assert 0 < x < 2**32
        counts[x % 16] += 1
        seen.add(x)
    assert len(seen) == 20_000 and min(counts) > 1100 and max(counts) < 1400


@given(st.integers())
def test_every_seed_is_a_good_one(seed: int) -> None:
    assert 0 < rng.first_random(seed) < 2**32


def test_neighbouring_seeds_are_far_apart() -> None:
    assert len({rng.first_random(seed) for seed in range(10_000)}) == 10_000


def test_who_compiles_apart_only_goes_on_interpreted_until_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the work: compiling here could not be stopped."""
    monkeypatch.setenv("KNIGHTSTOUR_COMPILE", "apart")
    monkeypatch.setattr(engine.compiling, "is_on_disk", lambda *_: False)
    other = SimpleNamespace(is_over=False)
    monkeypatch.setattr(engine, "ahead", lambda *_: other)
    assert not engine.is_due(kernel, "step", lambda: ("value", 7), 10.0, expected=1e9)
    other.is_over = True
    assert engine.is_due(kernel, "step", lambda: ("value", 7), 10.0, expected=1e9)
    monkeypatch.setenv("KNIGHTSTOUR_COMPILE", "background")
    other.is_over = False
    assert engine.is_due(kernel, "step", lambda: ("value", 7), 10.0, expected=1e9)


def test_interpreted_doors_reckon_modulo_2_64_in_silence() -> None:
    numbers = np.array([2**62, 2**62], dtype=np.int64)
    door = engine.Door(kernel, lambda counts: counts[0] * 2 + counts[1])
    assert int(door(numbers)) == 2**63 + 2**62 - 2**64
