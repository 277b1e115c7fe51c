"""The server's processes under load: turns, clients that leave, processes that are killed, and who is told what."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from helpers.served import client, posted, running, until
from knightstour.core.machine.calls import WorkerDied
from knightstour.interfaces.web import api, pool, server
from knightstour.interfaces.web.fields import FIELDS, seconds_field
from knightstour.interfaces.web.pool import Kind, Lane, Pool, TooBusy
from knightstour.interfaces.web.server import Server

pytestmark = pytest.mark.processes

ENDLESS = {"board": "8x8", "closed": True, "method": "backtracking"}


# ---------------------------------------------------------------- turns


class Turns(Pool):
    """A pool without processes, of one lane."""

    def __init__(self, most: int, each: int) -> None:
        super().__init__({"lane": Lane(most, each, Kind(0, 0, 0), "searches run")})

    def _taken(self, kind: Kind) -> Any:
        return None

    def _give_back(self, kind: Kind, worker: Any) -> None:
        pass

    def asks(self, name: str) -> "Asker":
        return Asker(self, name)


class Asker:
    """A client that keeps its turn until it is told to end, in a thread."""

    def __init__(self, turns: Turns, name: str) -> None:
        self.has_turn, self.end, self.waits = threading.Event(), threading.Event(), threading.Event()
        self.error: Exception | None = None
        self.said = ""
        self.thread = threading.Thread(target=self._ask, args=(turns, name))
        self.thread.start()
        until(lambda: self.waits.is_set() or self.has_turn.is_set() or self.error is not None)

    def _ask(self, turns: Turns, name: str) -> None:
        def on_wait(seconds: float, why: str) -> None:
            self.said = why
            self.waits.set()
            if self.end.is_set():
                raise ConnectionError

        try:
            with turns.worker("lane", name, on_wait):
                self.has_turn.set()
                self.end.wait()
        except Exception as error:
            self.error = error

    def leave(self) -> None:
        self.end.set()
        self.thread.join()


def test_who_has_least_running_comes_next() -> None:
    turns = Turns(1, 1)
    greedy = [turns.asks("greedy") for _ in range(3)]
    others = [turns.asks(f"other {k}") for k in range(2)]
    assert [each.has_turn.is_set() for each in (*greedy, *others)] == [True, False, False, False, False]
    assert greedy[1].said == "1 searches run"
    greedy[0].leave()
    # They asked last, and had no turn yet.
    first = until(lambda: next((each for each in others if each.has_turn.is_set()), None))
    first.leave()
    second = until(lambda: next((each for each in others if each is not first and each.has_turn.is_set()), None))
    assert not any(each.has_turn.is_set() for each in greedy[1:])
    second.leave()
    until(lambda: any(each.has_turn.is_set() for each in greedy[1:]))
    for each in greedy:
        each.leave()
    assert not turns.running["lane"].total()


def test_queues_are_bounded_for_each_and_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_MAX_WAITING_EACH", 2)
    monkeypatch.setattr(pool, "_MAX_WAITING", 3)
    turns = Turns(1, 1)
    askers = [turns.asks(name) for name in ("a", "a", "a", "a", "b", "c")]
    too_many, too_many_of_all = askers[3].error, askers[5].error
    assert isinstance(too_many, TooBusy) and too_many.is_own and "2 requests of yours" in str(too_many)
    assert isinstance(too_many_of_all, TooBusy) and not too_many_of_all.is_own and "3 requests" in str(too_many_of_all)
    for each in reversed(askers):
        each.leave()


def test_whoever_waits_is_told_when_the_server_ends() -> None:
    turns = Turns(1, 1)
    first, second = turns.asks("a"), turns.asks("b")
    closing = threading.Thread(target=turns.close)
    closing.start()
    second.thread.join()
    first.leave()
    closing.join()
    assert isinstance(second.error, WorkerDied)


# ---------------------------------------------------------------- the whole server


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Server]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        # What ends an endless search is not the time.
        patch.setitem(FIELDS, "seconds", seconds_field(3600, 30))
        with running() as (url, run):
            yield url, run


@pytest.fixture
def url(started: tuple[str, Server]) -> str:
    until(lambda: not searching(started[1]))
    return started[0]


@pytest.fixture
def processes(started: tuple[str, Server]) -> Pool:
    return started[1].pool


@pytest.fixture
def web(url: str) -> Iterator[httpx.Client]:
    with client(url, **{"X-Client": "tests"}) as session:
        yield session


def searching(run: Server | Pool) -> int:
    """How many searches run."""
    return (run.pool if isinstance(run, Server) else run).running[api.SEARCH].total()


def kill_busy(processes: Pool) -> None:
    """Kill the processes that answer somebody."""
    with processes._changed:
        idle = {worker for workers in processes._idle.values() for worker in workers}
        busy = processes._all - idle
    for worker in busy:
        worker.process.kill()


def begin(url: str, path: str = "solve", who: str = "endless", **fields: Any) -> socket.socket:
    """A connection on which a question was asked, by default an endless one."""
    return posted(url, path, fields or ENDLESS, **{"X-Client": who})


def peek(connection: socket.socket) -> bytes:
    try:
        return connection.recv(4096, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return b""


@pytest.mark.parametrize("path", ["solve", "trace"])
def test_a_client_that_leaves_ends_its_search(url: str, processes: Pool, path: str) -> None:
    connection = begin(url, path)
    until(lambda: searching(processes))
    connection.close()
    until(lambda: not searching(processes))


def test_a_process_that_is_killed_loses_one_search_with_a_clear_message(processes: Pool, web: httpx.Client) -> None:
    answers: list[httpx.Response] = []
    asking = threading.Thread(target=lambda: answers.append(web.post("/api/solve", json=ENDLESS)))
    asking.start()
    until(lambda: searching(processes))
    while asking.is_alive():
        kill_busy(processes)
        asking.join(0.1)
    assert answers[0].status_code == 500 and "worker process died" in answers[0].json()["error"]
    assert web.post("/api/solve", json={**ENDLESS, "method": "rotation"}).json()["status"] == "found"


def test_a_stream_whose_process_is_killed_ends_with_an_error(processes: Pool, web: httpx.Client) -> None:
    with web.stream("POST", "/api/trace", json={**ENDLESS, "events": 100}) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: begin"
        kill_busy(processes)
        *_, name, data, end = lines
    assert name == "event: error" and "worker process died" in data and end == ""


def test_a_question_over_its_time_is_ended_with_an_error(
    processes: Pool, web: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "_patient", lambda seconds: 0.3)
    answer = web.post("/api/solve", json=ENDLESS)
    assert answer.status_code == 503 and "no answer after 0.3 seconds" in answer.json()["error"]


def test_thousands_of_questions_are_answered_while_processes_are_killed(
    url: str, processes: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question has the right answer, or the news that its process died; one in 100 has a process killed."""

    # However busy the computer is, it is not told to come back later.
    monkeypatch.setattr(server, "_WAIT_SECONDS", 600)

    def kill_one() -> None:
        with processes._changed:
            workers = sorted(processes._all, key=id)
        for worker in workers[:1]:
            worker.process.kill()

    def said_of(answer: httpx.Response) -> str:
        reply = answer.json()
        return "died" if answer.status_code == 500 and "worker process died" in reply["error"] else reply["status"]

    def ask_many(k: int) -> list[str]:
        with client(url, **{"X-Client": f"client {k}"}) as session:
            said = []
            for n in range(250):
                if n % 100 == 50:
                    kill_one()
                said.append(said_of(session.post("/api/solve", json={"board": "6x6", "closed": True})))
            return said

    with ThreadPoolExecutor(8) as threads:
        said = [word for words in threads.map(ask_many, range(8)) for word in words]
    assert len(said) == 2000 and set(said) <= {"found", "died"} and said.count("found") > 1900
    until(lambda: not any(counter.total() for counter in processes.running.values()))


def test_too_many_searches_are_refused_with_a_clear_message(
    url: str, processes: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_MAX_WAITING_EACH", 3)
    greedy = [begin(url) for _ in range(4)]
    try:
        until(lambda: searching(processes) == 4)
        greedy += [begin(url) for _ in range(4)]
        refused = until(lambda: [said for said in map(peek, greedy) if b"requests of yours are waiting" in said])
        assert len(refused) == 1 and refused[0].startswith(b"HTTP/1.1 429")
    finally:
        for connection in greedy:
            connection.close()
    until(lambda: not searching(processes))


def test_a_question_that_waits_for_its_turn_is_told_why(
    url: str, processes: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_WAIT_SECONDS", 0.5)
    busy = [begin(url, who=f"client {k}") for k in range(8)]
    try:
        until(lambda: searching(processes) == 8)
        with client(url) as session:
            answer = session.post("/api/count", json={"board": "5x5"})
            assert answer.status_code == 503
            assert answer.json()["error"] == "8 searches run here, and this one waited 0.5 seconds for its turn"
            # A quick question waits for no search.
            assert session.post("/api/solve", json={"board": "5x5"}).json()["status"] == "found"
    finally:
        for connection in busy:
            connection.close()
    until(lambda: not searching(processes))


def test_whoever_waits_for_the_numbering_of_another_board_is_told(url: str, processes: Pool) -> None:
    large = begin(url, "space/build", "one", board="8x8", closed=True)
    until(lambda: processes.running[api.NUMBERING].total() and b"made" in peek(large))
    waiting = begin(url, "space/build", "other", board="6x10", closed=True)
    try:
        said = until(lambda: b"waits" in peek(waiting) and peek(waiting))
        assert b'"waits":"1 board has its tours numbered"' in said
        # A small board waits for nobody.
        with client(url) as session:
            assert '"count":"8"' in session.post("/api/space/build", json={"board": "5x6", "closed": True}).text
        # Nobody else can stop it; whoever asked does so by leaving.
        assert processes.running[api.NUMBERING] == {"page one": 1}
        large.close()
        until(lambda: processes.running[api.NUMBERING] == {"page other": 1})
    finally:
        large.close()
        waiting.close()
    until(lambda: not processes.running[api.NUMBERING].total())


def test_a_board_that_needs_more_memory_than_its_process_may_take_is_refused(
    url: str, processes: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lane = processes.lanes[api.NUMBERING]
    monkeypatch.setitem(processes.lanes, api.NUMBERING, lane._replace(kind=Kind(10, 1 << 30, 0)))
    with client(url) as session:
        said = session.post("/api/space/build", json={"board": "7x7"}).text
    assert "GB" in said and "memory" in said and "should not have happened" not in said


def test_a_client_that_is_slow_keeps_nobody_waiting(url: str) -> None:
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
