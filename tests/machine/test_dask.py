"""Tests on a local Dask cluster: equal values and files, even if workers die."""

import contextlib
import importlib.util
import operator
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.digests import digests
from helpers.halving import check_pieces
from knightstour.core.machine import calls, cluster
from knightstour.core.machine.calls import AHEAD, WorkerDied
from knightstour.core.machine.sharing import run_pieces
from knightstour.core.methods.enumeration import iter_counts
from knightstour.core.model.errors import ProblemError
from knightstour.core.search import shared_backtracking

# Dask is imported lazily, since that needs a second.
pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not importlib.util.find_spec("distributed"), reason="Dask is not installed (extra scale)"),
]

QUESTION: dict[str, Any] = {"board": "6x6", "n": 4000, "closed": True, "seed": 3, "part_tours": 4096}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as local,
        distributed.Client(local) as made,
    ):
        yield made


def die_once(folder: str, k: int) -> int:
    """Kill the worker at the first call of piece 3."""
    mark = Path(folder) / "died"
    if k == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return k * k


def test_pieces_come_back_once_each(client: Any) -> None:
    check_pieces(client)


def are_aligned(*arrays: np.ndarray) -> bool:
    return all(array.flags.aligned and array.flags.c_contiguous for array in arrays)


def test_worker_arrays_match_kernel_layout(client: Any) -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.integers(0, 1 << 60, size) for size in (30_000, 300_000, 30_001)] + [np.zeros(257, dtype=np.uint8)]
    assert [value for _, value in run_pieces(are_aligned, [tuple(arrays)] * 3, client)] == [True] * 3


class Slow:
    """A value that is slow to transfer."""

    def __reduce__(self) -> tuple[Any, ...]:
        time.sleep(0.3)
        return Slow, ()


def test_a_value_that_comes_slowly_is_waited_for(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_VALUE_SECONDS", 0.05)
    ((_, value),) = run_pieces(Slow, [()], client, seconds=60)
    assert isinstance(value, Slow)


def wait_for(file: str) -> None:
    """Wait for a file, with a timeout."""
    deadline = time.monotonic() + 60
    while not os.path.exists(file) and time.monotonic() < deadline:
        time.sleep(0.01)


def test_the_time_limit_ends_everything(client: Any, tmp_path: Path) -> None:
    begin = time.monotonic()
    assert list(run_pieces(wait_for, [(f"{tmp_path}/go",)] * 5, client, seconds=0.5)) == []
    assert 0.5 <= time.monotonic() - begin < 50
    # Running pieces would delay the next test.
    (tmp_path / "go").touch()


def test_shared_search_matches_a_single_process(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_backtracking, "_nodes_of_piece", lambda state, squares: 2000)
    for question in ({"closed": True}, {"start": "a1"}):
        tours = list(kt.iter_tours("5x6", **question))
        assert list(kt.iter_tours("5x6", **question, workers=client)) == tours
        assert sum(iter_counts(kt.Problem("5x6", **question), workers=client)) == len(tours)
    for question in ({"start": "c3"}, {"closed": True, "start": "a1", "settings": {"prune": "all"}}):
        alone = kt.solve("6x6", method="backtracking", seed=1, **question)
        there = kt.solve("6x6", method="backtracking", seed=1, **question, workers=client)
        assert (there.tour, there.nodes, there.counters) == (alone.tour, alone.nodes, alone.counters)
    question = {"closed": True, "method": "backtracking", "settings": {"prune": "stranded", "proofs": False}}
    alone, there = kt.solve("4x6", **question), kt.solve("4x6", **question, workers=client)
    assert there.status is kt.Status.IMPOSSIBLE and there.source == alone.source


def test_abandoned_listing_leaves_nothing_on_the_cluster(client: Any) -> None:
    tours = kt.iter_tours("8x8", closed=True, workers=client)
    first = [next(tours) for _ in range(9000)]
    tours.close()
    assert first[:100] == [tour for tour, _ in zip(kt.iter_tours("8x8", closed=True), range(100), strict=False)]
    deadline = time.monotonic() + 30
    while any(client.processing().values()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(client.processing().values())


def test_samples_do_not_depend_on_where_they_are_drawn(client: Any) -> None:
    for unique in (False, True):
        here = kt.sample("6x6", 9000, closed=True, seed=4, unique=unique)
        there = kt.sample("6x6", 9000, closed=True, seed=4, unique=unique, workers=client)
        assert np.array_equal(here, there)
        assert (here.repeats, here.fails, here.steps) == (there.repeats, there.fails, there.steps)


def test_files_do_not_depend_on_where_they_are_written(client: Any, tmp_path: Path) -> None:
    here = kt.datasets.sample_dataset(tmp_path / "here", **QUESTION, columns=("turns",))
    there = kt.datasets.sample_dataset(tmp_path / "there", **QUESTION, columns=("turns",), workers=client)
    assert digests(there.path) == digests(here.path)
    assert kt.datasets.check_dataset(there.path, workers=client) == kt.datasets.check_dataset(here.path)


def test_a_piece_whose_worker_is_killed_is_done_again(client: Any, tmp_path: Path) -> None:
    pieces = [(str(tmp_path), k) for k in range(12)]
    assert list(run_pieces(die_once, pieces, client, in_order=True)) == [(k, k * k) for k in range(12)]
    assert (tmp_path / "died").exists()


def test_workers_of_another_version_are_refused() -> None:
    with pytest.raises(ProblemError, match="version"):
        cluster.call_at_version("0.0.0", operator.add, pickle.dumps((1, 2)))
    assert cluster.call_at_version(calls.installed_version(), operator.add, pickle.dumps((1, 2))) == 3


def test_a_scheduler_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ProblemError, match="no Dask scheduler answers"), cluster.cluster_at("tcp://127.0.0.1:9", 0.5):
        pass


def test_silent_scheduler_is_not_awaited_forever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        silence = cluster.cluster_at(address, 0.5)
        with pytest.raises(ProblemError, match="no Dask scheduler answers") as error, silence:
            pass
    assert "no reply from the scheduler" in error.value.note


@pytest.mark.parametrize("address", ["", " "])
def test_empty_address_is_not_a_scheduler(address: str) -> None:
    with pytest.raises(ProblemError, match="no address"), cluster.cluster_at(address):
        pass


@pytest.mark.parametrize("at_rest", [True, False])
def test_a_cluster_without_workers_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch, at_rest: bool) -> None:
    import distributed

    monkeypatch.setattr(cluster, "_COUNT_SECONDS", 0.05)
    monkeypatch.setattr(cluster, "_VALUE_SECONDS", 0.4)
    monkeypatch.setattr(cluster, "_FIRST_SECONDS", 0.4)
    monkeypatch.setattr(cluster, "_GONE_SECONDS", 0.4)
    with (
        distributed.LocalCluster(
            n_workers=0, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50
        ) as local,
        cluster.cluster_at(local.scheduler_address) as client,
    ):
        with pytest.raises(ProblemError, match="has no workers") as caught:
            list(run_pieces(operator.add, [(1, 2)], client))
        assert f"dask worker {local.scheduler_address}" in caught.value.help
        local.scale(1)
        client.wait_for_workers(1, timeout=1200)
        values = run_pieces(operator.add, ((k, 1) for k in range(10**6)), client)
        assert next(values) == (0, 1)
        while at_rest and len(client.who_has()) < AHEAD:
            time.sleep(0.01)  # Values that are there, not yet taken, go away with the worker.
        local.scale(0)
        while at_rest and client.nthreads():
            time.sleep(0.01)
        with pytest.raises(WorkerDied, match="lost all its workers") as lost:
            list(values)
        assert "resumes with the same call" in lost.value.help


def test_an_asynchronous_client_is_refused() -> None:
    class Waiting:
        asynchronous = True

        def submit(self) -> None: ...

        def scheduler_info(self) -> None: ...

    with pytest.raises(ProblemError, match="asynchronous"):
        run_pieces(operator.add, [(1, 2)], Waiting())


def started(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    )


@contextlib.contextmanager
def cluster_of_processes(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Yield (address, [scheduler, worker, worker]), started as on a real cluster."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    scheduler = started("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    workers = [
        started(
            *("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"),
            *("--local-directory", str(folder)),
        )
        for _ in range(2)
    ]
    try:
        yield address, [scheduler, *workers]
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


@pytest.mark.slow
def test_killed_scheduler_ends_work_that_another_resumes(tmp_path: Path) -> None:
    question: dict[str, Any] = {"board": "8x8", "n": 160_000, "closed": True, "seed": 5, "part_tours": 4096}
    whole = digests(kt.datasets.sample_dataset(tmp_path / "whole", **question).path)
    folder = tmp_path / "set"
    with cluster_of_processes(tmp_path / "one") as (address, processes), cluster.cluster_at(address, 30) as client:
        client.wait_for_workers(2, timeout=1200)

        def kill_soon() -> None:
            while not list(folder.glob("part-*")):
                time.sleep(0.01)
            processes[0].kill()

        killer = threading.Thread(target=kill_soon)
        killer.start()
        with pytest.raises(WorkerDied, match="scheduler was lost"):
            kt.datasets.sample_dataset(folder, **question, workers=client)
        killer.join()
    some = kt.datasets.read_dataset(folder, partial=True)
    assert len(some) < 160_000
    with cluster_of_processes(tmp_path / "two") as (address, _), cluster.cluster_at(address, 30) as client:
        client.wait_for_workers(2, timeout=1200)
        kt.datasets.sample_dataset(folder, **question, workers=client)
    assert digests(folder) == whole
