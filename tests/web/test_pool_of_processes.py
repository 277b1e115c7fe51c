"""Tests of the server's processes: clients that leave, killed processes, failed starts, time and memory."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from helpers.served import client, posted, running, until
from knightstour.core.machine.calls import WorkerDied
from knightstour.interfaces.web import api, pool
from knightstour.interfaces.web.fields import FIELDS, seconds_field
from knightstour.interfaces.web.pool import Pool
from knightstour.interfaces.web.server import Server

pytestmark = pytest.mark.processes

ENDLESS = {"board": "8x8", "closed": True, "method": "backtracking"}
COUNT = {"board": "6x6", "closed": True}
LONG = pool._PLACES[False]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Server]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        # An endless search does not end by time.
        patch.setitem(FIELDS, "seconds", seconds_field(3600, 30))
        with running() as (url, run):
            yield url, run


@pytest.fixture
def url(started: tuple[str, Server]) -> str:
    until(lambda: not busy(started[1].pool) and not started[1].handlers)
    return started[0]


@pytest.fixture
def processes(started: tuple[str, Server]) -> Pool:
    return started[1].pool


@pytest.fixture
def web(url: str) -> Iterator[httpx.Client]:
    with client(url) as session:
        yield session


def busy(processes: Pool) -> int:
    """Return the number of running searches."""
    return LONG - processes._free[False].qsize()


def kill_busy(processes: Pool) -> None:
    """Kill the searching processes."""
    with processes._free[False].mutex:
        free = [*processes._free[False].queue, *processes._free[True].queue]
    for worker in processes.workers - {*free}:
        worker.process.kill()


# ---------------------------------------------------------------- clients


@pytest.mark.parametrize("path", ["solve", "trace"])
@pytest.mark.parametrize("more", [b"", b"\n", b"GET / HTTP/1.1\r\n\r\n"], ids=["nothing", "a byte", "a request"])
def test_leaving_client_ends_its_search(url: str, processes: Pool, path: str, more: bytes) -> None:
    connection = posted(url, path, ENDLESS)
    connection.sendall(more)
    until(lambda: busy(processes))
    connection.close()
    until(lambda: not busy(processes), 30)


@pytest.mark.parametrize("more", [{}, {"progress": True}], ids=["whole", "stream"])
@pytest.mark.parametrize("when", ["at once", "later"])
def test_half_closed_client_receives_its_answer(url: str, processes: Pool, more: dict[str, Any], when: str) -> None:
    # A second or so, so that the server looks after its client meanwhile.
    with posted(url, "count", {"board": "7x8", "closed": True, **more}) as connection:
        if when == "later":
            until(lambda: busy(processes))
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    assert b'"count":"34524432316"' in answer


def test_abandoned_questions_leave_neither_threads_nor_processes(url: str, processes: Pool) -> None:
    before = threading.active_count()
    for _ in range(5):
        left = [posted(url, "count", {"board": "8x8"}) for _ in range(40)]
        time.sleep(0.05)
        for connection in left:
            connection.close()
    until(lambda: not busy(processes))
    # Each process has a thread that reads its output.
    until(lambda: threading.active_count() <= before + LONG)
    assert len(processes.workers) <= sum(pool._PLACES.values())


def test_slow_client_does_not_delay_others(url: str) -> None:
    host, port = url.removeprefix("http://").split(":")
    slow = [socket.create_connection((host, int(port))) for _ in range(30)]
    try:
        for connection in slow:
            connection.sendall(b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCont")
        began = time.monotonic()
        with client(url) as session:
            assert session.post("/api/solve", json={"board": "8x8"}).json()["status"] == "found"
        assert time.monotonic() - began < 25
    finally:
        for connection in slow:
            connection.close()


def test_excess_connections_close_and_later_ones_work(
    url: str, web: httpx.Client, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    start = threading.Thread.start
    refusals = iter(range(600))

    def refuse(thread: threading.Thread) -> None:
        if "process_request" in thread.name and next(refusals, None) is not None:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    for _ in range(600):
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{url}/api/health", verify=False)
    assert web.get("/api/health").status_code == 200
    assert capfd.readouterr().err == ""


# ---------------------------------------------------------------- processes


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="a signal of Unix")
def test_killed_process_loses_one_search_with_an_error(processes: Pool, web: httpx.Client) -> None:
    answers: list[httpx.Response] = []
    asking = threading.Thread(target=lambda: answers.append(web.post("/api/solve", json=ENDLESS)))
    asking.start()
    until(lambda: busy(processes))
    while asking.is_alive():
        kill_busy(processes)
        asking.join(0.1)
    assert answers[0].status_code == 500 and "worker process died" in answers[0].json()["error"]
    assert web.post("/api/solve", json={**ENDLESS, "method": "rotation"}).json()["status"] == "found"


def test_process_killed_while_idle_is_replaced(processes: Pool, web: httpx.Client) -> None:
    for worker in list(processes.workers):
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.wait()
    assert web.post("/api/solve", json={"board": "8x8"}).json()["status"] == "found"
    assert web.post("/api/count", json=COUNT).json()["count"] == "9862"


def test_a_stream_whose_process_is_killed_ends_with_an_error(processes: Pool, web: httpx.Client) -> None:
    with web.stream("POST", "/api/trace", json={**ENDLESS, "events": 100}) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: begin"
        kill_busy(processes)
        *_, name, data, end = lines
    assert name == "event: error" and "worker process died" in data and end == ""


def test_a_question_over_its_time_is_ended_with_an_error(web: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "_server_timeout", lambda seconds: 0.3)
    answer = web.post("/api/solve", json=ENDLESS)
    assert answer.status_code == 503 and "no answer after 0.3 seconds" in answer.json()["error"]


def test_long_searches_do_not_starve_quick_requests(
    url: str, processes: Pool, web: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_WAIT_SECONDS", 0.5)
    searches = [posted(url, "solve", ENDLESS) for _ in range(LONG)]
    until(lambda: busy(processes) == LONG)
    assert web.post("/api/solve", json={"board": "5x5"}).json()["status"] == "found"
    answer = web.post("/api/count", json=COUNT)
    assert answer.status_code == 503 and "were busy for 0.5 seconds" in answer.json()["error"]
    monkeypatch.setattr(pool, "_WAIT_SECONDS", 60)
    later = threading.Timer(0.3, lambda: [connection.close() for connection in searches])
    later.start()
    assert web.post("/api/count", json=COUNT).json()["count"] == "9862"
    later.join()


def test_slot_is_released_if_no_process_can_start(
    processes: Pool, web: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**how: Any) -> None:
        raise OSError("no more processes")

    with monkeypatch.context() as patch:
        patch.setattr(pool, "Worker", refuse)
        for worker in list(processes.workers):
            worker.kill()
        for _ in range(2 * LONG):
            answer = web.post("/api/count", json=COUNT)
            assert answer.status_code == 503 and "no other process can be started" in answer.json()["error"]
    assert web.post("/api/count", json=COUNT).json()["count"] == "9862"


def test_rejects_board_that_exceeds_process_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool.memory, "available_bytes", lambda: 0)
    with running() as (url, _), client(url) as session:
        said = session.post("/api/space/build", json={"board": "7x7"}).text
    assert "GB" in said and "memory" in said and "should not have happened" not in said


def test_waiting_clients_are_told_when_the_server_ends() -> None:
    def look() -> None:
        only.close()

    only = Pool()
    with only.worker(True, look), only.worker(True, look), pytest.raises(WorkerDied, match="about to end"):
        only.worker(True, look).__enter__()
    assert not only.workers


@pytest.mark.long
def test_a_thousand_questions_are_answered_while_processes_are_killed(url: str, processes: Pool) -> None:
    """Each request has the right response, or reports a dead process; one in 50 kills a process."""
    said: list[str] = []

    def ask_many() -> None:
        with client(url) as session:
            for n in range(250):
                if n % 50 == 25:
                    kill_busy(processes)
                reply = session.post("/api/solve", json={**COUNT, "method": "rotation"})
                died = reply.status_code == 500 and "worker process died" in reply.json()["error"]
                said.append("died" if died else reply.json()["status"])

    threads = [threading.Thread(target=ask_many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 1000 and set(said) <= {"found", "died"} and said.count("found") > 900
    until(lambda: not busy(processes))
