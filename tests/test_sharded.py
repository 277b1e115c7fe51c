"""Counts shared out among processes: the numbers of the count in one process, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from knightstour.counting import sharded
from knightstour.counting.halves import count_by_halves
from knightstour.counting.sharded import count_sharded
from knightstour.result import Problem
from test_scale import children

pytestmark = pytest.mark.processes

QUESTIONS: list[tuple[str, dict[str, Any], int]] = [
    ("6x6", {"closed": True}, 9862),
    ("5x5", {"start": "a1"}, 304),
    ("5x5", {"start": "a1", "end": "e5"}, 0),
    ("5x6", {}, 18784),
    ("6x7", {"closed": True}, 1067638),
    ("1x1", {}, 1),
    ("3x3", {}, 0),
]


@pytest.mark.parametrize(("board", "question", "tours"), QUESTIONS, ids=str)
def test_small_blocks_give_the_known_numbers(board: str, question: dict, tours: int, tmp_path: Path) -> None:
    problem = Problem.of(board, **question)
    found = count_sharded(problem, tmp_path, block_states=3000)
    assert found.tours == count_by_halves(problem).tours
    if not (question.get("start") and question.get("end")):
        assert found.tours == tours
    assert not list(tmp_path.rglob("*.states"))


def test_residues_give_the_same_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharded, "MOST_COUNT", 10.0)
    found = count_sharded(Problem.of("6x7", closed=True), tmp_path, block_states=20_000)
    assert found.tours == 1067638 and found.moduli


def test_processes_and_their_deaths_do_not_change_the_number(tmp_path: Path) -> None:
    killed = []

    def kill() -> None:
        deadline = time.monotonic() + 60
        while not list(tmp_path.rglob("left-0*")) and time.monotonic() < deadline:
            time.sleep(0.005)
        for process in children(os.getpid()):
            os.kill(process, signal.SIGKILL)
            killed.append(process)
            break

    killer = threading.Thread(target=kill)
    killer.start()
    found = count_sharded(Problem.of("6x10", closed=True), tmp_path, workers=2, block_states=50_000)
    killer.join()
    assert found.tours == 239187240144 and killed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "question", "tours"), [("8x8", {"closed": True}, 13267364410532), ("7x6", {}, None)], ids=str
)
@pytest.mark.parametrize("workers", [2, 4])
def test_larger_boards_give_the_known_numbers(
    board: str, question: dict, tours: int | None, workers: int, tmp_path: Path
) -> None:
    problem = Problem.of(board, **question)
    expected = count_by_halves(problem).tours
    assert tours in (None, expected)
    assert count_sharded(problem, tmp_path, workers=workers).tours == expected


@pytest.mark.slow
def test_a_cluster_gives_the_same_number(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as local,
        distributed.Client(local) as client,
    ):
        problem = Problem.of("6x10", closed=True)
        assert count_sharded(problem, tmp_path, workers=client, block_states=100_000).tours == 239187240144
