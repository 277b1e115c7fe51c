"""Enumerations and complete searches in several processes: the tours, nodes and results of one process."""

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

import knightstour as kt
from helpers.processes import children
from helpers.searches import BOARDS, shared, whole
from helpers.solving import solve_several
from knightstour import Problem
from knightstour.core.machine.sharing import pool_of
from knightstour.core.machine.worker_pool import MAX_DEATHS
from knightstour.core.methods.enumeration import iter_counts, iter_tours
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.search import shared_backtracking
from knightstour.core.search.backtracking import Search

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def pool() -> Iterator[Any]:
    with pool_of(2) as made:
        yield made


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use small pieces, so that every search of these tests is cut."""
    monkeypatch.setattr(shared_backtracking, "_nodes_of_piece", lambda state, squares: 700)


def ended(processes: set[int]) -> bool:
    """Return whether these processes end soon."""
    deadline = time.monotonic() + 60
    while processes & set(children(os.getpid())) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not processes & set(children(os.getpid()))


@pytest.mark.parametrize(("board", "question"), BOARDS, ids=str)
@pytest.mark.parametrize("directed", [False, True])
def test_processes_list_the_tours_of_one_in_its_order(
    board: Any, question: dict[str, Any], directed: bool, pool: Any, small: None
) -> None:
    search = Search(Problem(board, **question), 0, "classic", "all", directed)
    assert shared(search, Limits(None), pool) == whole(search, Limits(None))


@pytest.mark.parametrize("move_order", ["random", "warnsdorff", "87654321"])
@pytest.mark.parametrize("nodes", [1, 1000, 5000, 10**6])
def test_a_limit_of_nodes_ends_at_the_same_place(move_order: str, nodes: int, pool: Any, small: None) -> None:
    search = Search(Problem("5x5", end="a1"), 0, move_order, "forced", True)
    assert shared(search, Limits(None, nodes), pool) == whole(search, Limits(None, nodes))


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_tours_and_counts_do_not_depend_on_processes(workers: int, small: None) -> None:
    before = set(children(os.getpid()))
    tours = list(iter_tours("5x6", start="a1"))
    assert list(iter_tours("5x6", start="a1", workers=workers)) == tours
    assert sum(iter_counts(Problem("5x6", start="a1"), workers=workers)) == len(tours) == 4542
    assert ended(set(children(os.getpid())) - before)


def test_a_small_search_starts_no_process() -> None:
    before = set(children(os.getpid()))
    tours = iter_tours("5x5", start="a1", workers=2)
    next(tours)
    assert set(children(os.getpid())) == before and sum(1 for _ in tours) == 303


def test_closing_the_iterator_ends_the_workers(small: None) -> None:
    before = set(children(os.getpid()))
    tours = iter_tours("6x6", closed=True, workers=2)
    first = list(itertools.islice(tours, 500))
    assert first == list(itertools.islice(iter_tours("6x6", closed=True), 500))
    started = set(children(os.getpid())) - before
    assert len(started) == 2
    tours.close()
    assert ended(started) and not list(tours)


def test_killed_workers_do_not_change_the_result(small: None) -> None:
    before = set(children(os.getpid()))
    tours = iter_tours("5x6", start="a1", workers=2)
    found = list(itertools.islice(tours, 200))
    killed = set()
    # Repeated deaths at one piece end the search.
    for _ in range(MAX_DEATHS - 1):
        process = max(set(children(os.getpid())) - before - killed)
        os.kill(process, signal.SIGKILL)
        killed.add(process)
        found += itertools.islice(tours, 500)
    found += tours
    assert len(killed) == MAX_DEATHS - 1 and found == list(iter_tours("5x6", start="a1"))


def test_a_limit_of_time_ends_the_listing_and_the_workers() -> None:
    before = set(children(os.getpid()))
    found = 0
    for seconds in (2, 8, 32):
        begin = time.monotonic()
        with pytest.raises(kt.LimitReached, match=f"{seconds} seconds"):
            for _ in iter_tours("8x8", closed=True, workers=2, timeout=seconds):
                found += 1
        # All tours would take years.
        assert seconds <= time.monotonic() - begin < seconds + 60
        if found:
            break
        # A busy computer needs long to start the workers.
    assert found and ended(set(children(os.getpid())) - before)


@pytest.mark.parametrize(
    ("board", "question", "limits"),
    [
        ("6x6", {"start": "a1"}, Limits()),
        ("6x6", {"start": "c3", "prune": "all"}, Limits()),
        ("6x6", {"end": "d1", "prune": "forced", "move_order": "random"}, Limits()),
        ("8x8", {"closed": True, "prune": "all", "move_order": "warnsdorff"}, Limits()),
        ("5x5", {"start": "a2", "prune": "all", "proofs": False}, Limits()),
        ("4x6", {"closed": True, "proofs": False}, Limits()),
        ("3x7", {"closed": True, "prune": "stranded", "proofs": False}, Limits()),
        (kt.Board(4, 4, holes=["b2"]), {"proofs": False}, Limits()),
        ("8x8", {"start": "d4"}, Limits(nodes=12_345)),
        ("8x8", {"closed": True, "prune": "closing"}, Limits(nodes=30_000)),
        ("6x6", {"closed": True, "n": 40, "prune": "all", "unique": True}, Limits()),
        ("5x6", {"closed": True, "n": 40, "prune": "all", "unique": True}, Limits()),
    ],
    ids=str,
)
def test_solve_gives_the_answer_of_one_process(
    board: Any, question: dict[str, Any], limits: Limits, pool: Any, small: None
) -> None:
    answers = []
    for workers in (None, pool):
        tours: list[tuple[kt.Tour, bool]] = []
        result = solve_several(
            board,
            method="backtracking",
            seed=5,
            **as_arguments(limits),
            workers=workers,
            on_tour=lambda tour, is_repeat, tours=tours: tours.append((tour, is_repeat)),
            **question,
        )
        record = {name: getattr(result, name) for name in ("status", "reason", "source", "method", "counters")}
        record["tours"] = tours
        # With several n, one process may have searched beyond the last required tour.
        answers.append((record, None if "n" in question else result.nodes))
    assert answers[0] == answers[1]


def test_portfolio_rejects_clusters() -> None:
    class Client:
        def submit(self) -> None: ...

        def scheduler_info(self) -> None: ...

    with pytest.raises(kt.ProblemError, match="does not support clusters"):
        kt.solve("6x6", method="portfolio", workers=Client())


# ---------------------------------------------------------------- the command line


def command(*words: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "knightstour", *words], capture_output=True, text=True, timeout=seconds
    )


def test_ctrl_c_ends_a_shared_listing() -> None:
    program = "import knightstour as kt\nfor _ in kt.iter_tours('8x8', closed=True, workers=2): pass"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(children(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    workers = children(process.pid)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=1200)
    assert process.returncode != 0 and err.endswith("KeyboardInterrupt\n")
    assert len(workers) >= 2 and not any(os.path.exists(f"/proc/{worker}") for worker in workers)


def test_solve_searches_with_workers() -> None:
    words = "solve 6x6 --method backtracking --set prune=stranded --start c3 --json --seed 1"
    alone, together = command(*words.split()), command(*words.split(), "--workers", "2")
    assert together.returncode == alone.returncode == 0
    without_seconds = [done.stdout.split('"seconds"')[0] for done in (alone, together)]
    assert without_seconds[0] == without_seconds[1]
