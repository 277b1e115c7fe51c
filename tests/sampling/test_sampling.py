"""Tests of random tours: valid, of the named distribution, and reproducible."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.examples import examples
from knightstour.core.formats.tours import read_tours
from knightstour.core.model.board import move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.result_errors import NoTour
from knightstour.core.search.backtracking import Search, TourOrders
from knightstour.interfaces.cli import app
from knightstour.lab.sampling import stream as sampling
from knightstour.lab.sampling.distributions import backbite, table
from knightstour.lab.sampling.distributions.common import Stop
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS
from knightstour.lab.sampling.sample import iter_samples
from knightstour.lab.sampling.stream import SeenTours

QUESTIONS = (
    {},
    {"closed": True},
    {"start": "a1"},
    {"end": "b2"},
    {"start": "a1", "end": "b1"},
    {"closed": True, "start": "c3"},
)


def assert_tours(problem: Problem, orders: np.ndarray) -> None:
    """Check every row by sets of neighbours."""
    near = [set(row) for row in move_graph(problem.board).neighbour_lists()]
    squares = set(move_graph(problem.board).squares.tolist())
    for row in orders.tolist():
        assert len(row) == len(squares)
        assert set(row) == squares
        assert all(b in near[a] for a, b in zip(row, row[1:], strict=False))
        assert start_index(problem) in (None, row[0])
        assert end_index(problem) in (None, row[-1])
        if problem.closed:
            assert row[0] in near[row[-1]]


def cycle_of(row: list[int]) -> tuple[int, ...]:
    at = row.index(min(row))
    forth = row[at:] + row[:at]
    back = [forth[0], *forth[:0:-1]]
    return tuple(min(forth, back))


def all_tours(problem: Problem) -> list[tuple[int, ...]]:
    orders = TourOrders(Search(problem, directed=not problem.closed), Budget(Limits(seconds=None)))
    return [cycle_of(row) if problem.closed else tuple(row) for row in orders]


@pytest.mark.long
@pytest.mark.parametrize("question", QUESTIONS, ids=str)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_every_distribution_draws_valid_tours_of_every_kind(distribution: str, question: dict) -> None:
    # All tours of 8x8 are too many to be counted in passing.
    for board in ("5x6", "3x10" if distribution == "uniform" else "8x8"):
        problem = Problem(board, **question)
        sample = kt.sample(board, 60, distribution=distribution, seed=1, **question)
        assert sample.orders.shape == (60, len(problem.board))
        assert sample.orders.dtype == np.uint8
        assert sample.distribution == distribution
        assert_tours(problem, sample.orders)


@pytest.mark.parametrize(
    ("board", "question"),
    [
        (kt.Board(6, 6, holes=["a1", "f1"]), {}),
        (kt.Board(6, 6, holes=["a1", "f1"]), {"start": "b1"}),
        (kt.Board(7, 7, holes=["d4"]), {"closed": True}),
        (kt.Board(4, 4, wrap="torus"), {"closed": True}),
        (kt.Board(4, 4, wrap="torus"), {"start": "a1", "end": "b3"}),
        (kt.Board(5, 6, wrap="mobius"), {"start": "a1"}),
        (kt.Board(6, 6, leaper=(2, 3), wrap="torus"), {}),
        (kt.Board.from_graph([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]), {"closed": True}),
        (kt.Board.from_graph([[1], [0, 2], [1]]), {}),
        (kt.Board(1, 1), {}),
        (kt.Board(1, 1), {"start": "a1", "end": "a1"}),
        (kt.Board(3, 4), {}),
        pytest.param(kt.Board(17, 18), {"closed": True}, marks=pytest.mark.long),
        pytest.param(kt.Board(17, 18), {"start": "a1", "end": "b1"}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_backbite_and_warnsdorff_go_on_any_board(board: kt.Board, question: dict) -> None:
    for distribution in ("backbite", "warnsdorff"):
        if distribution == "warnsdorff" and question.get("closed") and len(board) > 100:
            continue
        sample = kt.sample(board, 20, distribution=distribution, seed=3, **question)
        assert_tours(sample.problem, sample.orders)
        assert sample.orders.dtype == (np.uint8 if board.rows * board.cols <= 256 else np.uint16)


@pytest.mark.parametrize(
    ("board", "question"),
    [
        ("5x5", {"start": "a1"}),
        ("5x6", {"start": "a1", "end": "b1"}),
        ("5x6", {"end": "b2"}),
        pytest.param("5x5", {}, marks=pytest.mark.long),
        pytest.param("6x6", {"closed": True}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_backbite_draws_all_tours_equally_often(board: str, question: dict) -> None:
    problem = Problem(board, **question)
    cells = {tour: k for k, tour in enumerate(all_tours(problem))}
    draws = 15 * len(cells)
    orders = kt.sample(board, draws, seed=1, **question).orders.tolist()
    keys = [cells[cycle_of(row) if problem.closed else tuple(row)] for row in orders]
    counts = np.bincount(keys, minlength=len(cells))
    expected = draws / len(cells)
    chi2 = ((counts - expected) ** 2).sum() / expected / (len(cells) - 1)
    assert abs(chi2 - 1) < 4 * (2 / len(cells)) ** 0.5 + 0.01


@pytest.fixture(scope="module")
def streams() -> list[kt.Sample]:
    return [kt.sample("3x4", 5300, seed=seed, workers=1) for seed in range(2)]


@given(n=st.integers(0, 300), offset=st.integers(0, 5000), threads=st.integers(1, 3), seed=st.integers(0, 1))
@examples(15)
def test_seed_gives_equal_tours_at_any_offset_and_workers(
    streams: list[kt.Sample], n: int, offset: int, threads: int, seed: int
) -> None:
    part = kt.sample("3x4", n, seed=seed, workers=threads, offset=offset)
    assert np.array_equal(part, streams[seed].orders[offset : offset + n])
    assert part.next_offset == offset + n


@pytest.mark.long
def test_unique_tours_resume() -> None:
    whole = kt.sample("5x5", 240, unique=True, seed=2, workers=2)
    part = kt.sample("5x5", 40, unique=True, seed=2, offset=200, workers=1)
    assert np.array_equal(whole.orders[200:], part)
    chunks = list(iter_samples("5x5", 240, unique=True, seed=2, chunk=100))
    assert [len(chunk) for chunk in chunks] == [100, 100, 40]
    assert np.array_equal(np.concatenate(chunks), whole)
    assert sum(chunk.repeats for chunk in chunks) == whole.repeats > 0
    assert [chunk.next_offset for chunk in chunks] == [100, 200, 240]


@pytest.mark.parametrize(
    ("question", "same"),
    [
        pytest.param({"closed": True}, lambda row: cycle_of(row), marks=pytest.mark.long),
        ({}, lambda row: min(tuple(row), tuple(row[::-1]))),
        ({"start": "a1"}, tuple),
    ],
)
def test_unique_omits_exactly_the_duplicates(question: dict, same) -> None:
    board = "5x6"
    drawn = kt.sample(board, 800, seed=5, **question)
    first = list(dict.fromkeys(same(row) for row in drawn.orders.tolist()))
    unique = kt.sample(board, min(len(first), 600), unique=True, seed=5, **question)
    assert [same(row) for row in unique.orders.tolist()] == first[: len(unique)]


def test_sampling_stops_when_tours_run_out_and_reports_the_total() -> None:
    sample = kt.sample("3x4", 10_000, unique=True, seed=1)
    assert len(sample) == 8 and sample.is_exhausted and sample.reason == "these are all 8 tours"


def test_seen_grows() -> None:
    orders = kt.sample("8x8", 5000, seed=1).orders
    seen = SeenTours(Problem("8x8"))
    for first in range(0, len(orders), 250):
        assert seen.add(orders[first : first + 250]).all()
    assert not seen.add(orders[:, ::-1].copy()).any()
    assert len(seen) == 5000


@pytest.mark.long
def test_no_closed_tour_weighs_less_than_the_bound() -> None:
    for board, question in (("6x6", {"closed": True}), ("5x6", {"start": "a1"}), ("5x6", {"start": "a1", "end": "b1"})):
        problem = Problem(board, **question)
        tours = all_tours(problem)
        distribution = table.make_distribution("backbite", problem, lambda asked, first=tours[0]: np.array(first), {})
        others = np.diff(distribution.offsets.astype(int)) - 1
        least = 1 << 40
        for tour in tours[:3000]:
            line = distribution.place[list(tour)].tolist() + [len(others) - 1] * distribution.skips
            pairs = zip(line, line[1:] + line[:1], strict=True)
            weight = sum(int(others[a] * others[b]) for a, b in pairs if {a, b} != set(distribution.kept))
            least = min(least, weight)
        assert 0.7 * least < distribution.lowest <= least


def test_rejects_invalid_samples() -> None:
    with pytest.raises(NoTour):
        kt.sample("5x5", 1, closed=True)
    with pytest.raises(ProblemError, match="unknown distribution"):
        kt.sample("8x8", 1, distribution="dice")
    with pytest.raises(ProblemError, match="no parameter"):
        kt.sample("8x8", 1, distribution="merge", settings={"every": 3})
    with pytest.raises(ProblemError, match="every must be"):
        kt.sample("8x8", 1, settings={"every": 0})
    for wrong in (
        {"n": -1},
        {"n": 1, "offset": -1},
        {"n": 1, "workers": 0},
        {"n": 1, "seed": -1},
    ):
        with pytest.raises(ProblemError):
            kt.sample("8x8", **wrong)
    with pytest.raises(BoardError, match="memory"):
        kt.sample("8x8", 10**15)


def test_walk_without_closed_tours_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backbite, "_PATIENCE_TURNS", 1000)
    monkeypatch.setattr(backbite, "_PATIENCE_READINGS", 0)
    monkeypatch.setattr(backbite, "SLICE", 1 << 14)
    distribution = table.make_distribution(
        "backbite", Problem("5x5", closed=True), lambda asked: np.arange(25), {"every": 1, "burn_in": 0}
    )
    with pytest.raises(kt.LimitReached, match="no tour in"):
        distribution(1, 1, Stop())


def test_a_sample_is_an_array_and_a_sequence_of_tours() -> None:
    sample = kt.sample("8x8", 3, closed=True, seed=np.random.default_rng(1))
    assert np.asarray(sample) is sample.orders
    assert np.asarray(sample, dtype=np.int64).dtype == np.int64
    assert [tour.is_closed for tour in sample] == [True] * 3
    again = kt.sample("8x8", 3, closed=True, seed=sample.seed)
    assert np.array_equal(again, sample)


# ---------------------------------------------------------------- the command


def test_the_command_writes_arrays_and_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = kt.Board(6, 6)
    where = tmp_path / "tours.npy"
    command = ["sample", "6x6", "--closed", "--seed", "7"]
    assert app._run([*command, "-n", "1000", "-o", str(where), "--json"], debug=True) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["tours"] == said["next_offset"] == 1000
    assert np.array_equal(np.load(where), kt.sample(board, 1000, closed=True, seed=7))
    text = tmp_path / "tours.csv"
    assert app._run([*command, "-n", "5", "-o", str(text)], debug=True) == 0
    assert read_tours(text, board=board) == [*kt.sample(board, 5, closed=True, seed=7)]


@pytest.mark.long
def test_ctrl_c_leaves_a_valid_file_and_explains_resuming(tmp_path: Path) -> None:
    where = tmp_path / "tours.npy"
    code = (
        "import sys, os, signal, threading, time, pathlib, knightstour as kt\n"
        "from knightstour.interfaces.cli import app\n"
        "def interrupt():\n"
        f"    while not any(file.stat().st_size > 100_000 for file in pathlib.Path({str(tmp_path)!r}).iterdir()):\n"
        "        time.sleep(0.02)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=interrupt, daemon=True).start()\n"
        f"app.main(['sample', '8x8', '-n', '1000000000', '--seed', '7', '-o', {str(where)!r}])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 128 + signal.SIGINT, done.stderr
    orders = np.load(where)
    assert f"resume with --seed 7 --offset {len(orders)}" in done.stderr
    assert len(orders) > 0
    sampling.Checker(Problem("8x8")).check(orders[-5000:])
    head = kt.sample("8x8", min(len(orders), 5000), seed=7)
    assert np.array_equal(head, orders[: len(head)])


@pytest.mark.long
def test_limits_end_drawing_and_keep_tours() -> None:
    sample = kt.sample("8x8", 10**6, seed=7, workers=1, max_nodes=300_000)
    assert 0 < len(sample) < 10**6 and "300,000 nodes" in sample.reason and not sample.is_exhausted
    assert np.array_equal(sample, kt.sample("8x8", len(sample), seed=7))
    sample = kt.sample("8x8", 10**7, seed=7, timeout=1)
    assert len(sample) < 10**7 and "limit of 1 second" in sample.reason
    parts = list(kt.iter_samples("8x8", seed=7, chunk=5000, workers=1, max_nodes=300_000))
    assert "300,000 nodes" in parts[-1].reason


def test_progress_is_reported_after_each_block() -> None:
    seen: list[kt.Progress] = []
    kt.sample("3x4", 10_000, seed=7, on_progress=seen.append)
    assert [progress.done for progress in seen] == [4096, 8192, 10_000]
    assert {(progress.stage, progress.total) for progress in seen} == {("drawing tours", 10_000)}


@pytest.mark.long
def test_command_reports_a_limit_while_drawing(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sample", "8x8", "-n", "10000000", "--seed", "7", "--timeout", "1", "--json"]
    assert app._run(command, debug=True) == 3
    caught = capsys.readouterr()
    summary = json.loads(caught.out)
    assert summary["limited"] and 0 < summary["tours"] < 10**7
    assert f"resume with --seed 7 --offset {summary['tours']}" in caught.err


def test_sample_index_out_of_range_raises_an_index_error() -> None:
    sample = kt.sample("5x6", 3, closed=True, seed=1)
    with pytest.raises(IndexError, match="there is no tour 3 here"):
        sample[3]
    assert sample[-1] == sample[2]
