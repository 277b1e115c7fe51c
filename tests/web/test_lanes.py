"""How the server shares out its workers: fair turns, bounded queues, clients that leave, and processes that die."""

from __future__ import annotations

import asyncio
import functools
import math
import os
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest

from helpers.calls import stubborn
from helpers.processes import children
from helpers.served import client, served, until
from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.machine.server_worker import Worker
from knightstour.core.model.errors import BoardError
from knightstour.core.model.problem import Problem
from knightstour.interfaces.web import api, server
from knightstour.interfaces.web.fields import FIELDS, seconds_field
from knightstour.interfaces.web.lanes import Lane, OverTime, TooBusy

pytestmark = pytest.mark.processes

WARM = Call(abs, (-1,))
NAP = Call(time.sleep, (0.05,))
LONG = Call(time.sleep, (50,))


def with_lane(test: Callable[[Lane], Awaitable[None]], most: int = 2, each: int = 2, **options: Any) -> None:
    async def run() -> None:
        lane = Lane(most, each, warm=WARM, **options)
        try:
            async with asyncio.timeout(60):
                await test(lane)
        finally:
            await lane.close()
        assert not lane.running

    asyncio.run(run())


async def until_true(condition: Callable[[], Any]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


# ---------------------------------------------------------------- lanes


def test_calls_of_many_clients_are_all_answered() -> None:
    async def test(lane: Lane) -> None:
        calls = (lane.run(Call(math.comb, (k, 2)), f"client {k % 7}", 30) for k in range(60))
        assert await asyncio.gather(*calls) == [math.comb(k, 2) for k in range(60)]

    with_lane(test)


def test_who_has_least_running_comes_next() -> None:
    async def test(lane: Lane) -> None:
        order: list[str] = []

        async def ask(client: str) -> None:
            await lane.run(NAP, client, 30)
            order.append(client)

        greedy = [asyncio.create_task(ask("greedy")) for _ in range(6)]
        await until_true(lambda: lane.running["greedy"])
        others = [asyncio.create_task(ask(f"other {k}")) for k in range(2)]
        await asyncio.gather(*greedy, *others)
        # One of six had started; then the others, who asked last, were first.
        assert set(order[1:3]) == {"other 0", "other 1"}

    with_lane(test, most=1, each=1)


def test_one_client_cannot_take_all_workers() -> None:
    async def test(lane: Lane) -> None:
        greedy = [asyncio.create_task(lane.run(LONG, "greedy", 30)) for _ in range(9)]
        await until_true(lambda: lane.running["greedy"] == 2)
        await asyncio.sleep(0.3)
        assert lane.running == {"greedy": 2}
        # Each of two others gets its answer, while all of these run.
        assert await lane.run(Call(abs, (-5,)), "one", 30) == 5
        assert await asyncio.gather(*(lane.run(Call(abs, (-k,)), str(k), 30) for k in range(4))) == [0, 1, 2, 3]
        for task in greedy:
            task.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)

    with_lane(test, most=4, each=3)


def test_queues_are_bounded_for_each_and_for_all() -> None:
    async def test(lane: Lane) -> None:
        tasks = [asyncio.create_task(lane.run(LONG, "a", 30))]
        await until_true(lambda: lane.running["a"])
        tasks += [asyncio.create_task(lane.run(LONG, "a", 30)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(TooBusy, match="2 requests of yours") as error:
            await lane.run(LONG, "a", 30)
        assert error.value.is_own
        tasks += [asyncio.create_task(lane.run(LONG, "b", 30))]
        await asyncio.sleep(0)
        with pytest.raises(TooBusy, match="3 requests are waiting") as error:
            await lane.run(LONG, "c", 30)
        assert not error.value.is_own
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert await lane.run(Call(abs, (-5,)), "c", 30) == 5

    with_lane(test, most=1, waiting=(3, 2))


def test_a_call_that_is_given_up_frees_its_place_and_keeps_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    # However busy the computer is, it is not killed.
    monkeypatch.setattr(Worker, "stop", functools.partialmethod(Worker.stop, 30))

    async def test(lane: Lane) -> None:
        mine = await lane.run(Call(os.getpid, ()), "a", 30)
        for _ in range(3):
            task = asyncio.create_task(lane.run(LONG, "a", 30))
            await until_true(lambda: lane.running["a"])
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert await lane.run(Call(os.getpid, ()), "b", 30) == mine

    with_lane(test, most=1)


def test_a_call_that_is_given_up_while_it_waits_takes_no_turn() -> None:
    async def test(lane: Lane) -> None:
        running = asyncio.create_task(lane.run(NAP, "a", 30))
        waiting = asyncio.create_task(lane.run(LONG, "b", 30))
        await until_true(lambda: lane.running["a"])
        waiting.cancel()
        last = asyncio.create_task(lane.run(Call(abs, (-5,)), "c", 30))
        assert await running is None and await last == 5
        with pytest.raises(asyncio.CancelledError):
            await waiting

    with_lane(test, most=1)


def test_a_call_that_is_given_up_just_before_its_turn_keeps_no_place() -> None:
    async def test(lane: Lane) -> None:
        assert await lane.run(Call(abs, (-5,)), "a", 30) == 5
        first = asyncio.create_task(lane.run(LONG, "a", 30))
        await until_true(lambda: lane.running["a"])
        given_up = asyncio.create_task(lane.run(LONG, "b", 30))
        last = asyncio.create_task(lane.run(Call(abs, (-7,)), "c", 30))
        await asyncio.sleep(0)
        # It is still in the queue when the place becomes free.
        end = lane._end

        def end_after_a_call_was_given_up(client: str) -> None:
            given_up.cancel()
            end(client)

        lane._end = end_after_a_call_was_given_up  # type: ignore[method-assign]
        first.cancel()
        assert await last == 7
        for task in (first, given_up):
            with pytest.raises(asyncio.CancelledError):
                await task

    with_lane(test, most=1)


def test_a_lane_closes_while_a_call_that_waits_is_given_up() -> None:
    async def test(lane: Lane) -> None:
        tasks = [asyncio.create_task(lane.run(LONG, "a", 30)) for _ in range(2)]
        await until_true(lambda: lane.running["a"])
        tasks[1].cancel()
        await lane.close()
        died, given_up = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(died, WorkerDied) and isinstance(given_up, asyncio.CancelledError)

    with_lane(test, most=1)


def test_a_process_that_has_to_be_killed_is_given_to_nobody() -> None:
    async def test(lane: Lane) -> None:
        started = asyncio.Event()

        async def take(part: str) -> None:
            started.set()

        running = asyncio.create_task(lane.run(Call(stubborn, (50,)), "a", 30, take))
        await started.wait()
        waiting = asyncio.create_task(lane.run(Call(abs, (-5,)), "b", 30))
        await asyncio.sleep(0)
        running.cancel()
        assert await waiting == 5

    with_lane(test, most=1)


def test_a_call_that_takes_too_long_is_ended_with_an_error() -> None:
    async def test(lane: Lane) -> None:
        with pytest.raises(OverTime, match="no answer after"):
            await lane.run(LONG, "a", 0.1)
        assert await lane.run(Call(abs, (-5,)), "a", 30) == 5

    with_lane(test, most=1)


def test_a_process_that_dies_loses_one_call_and_is_replaced() -> None:
    async def test(lane: Lane) -> None:
        mine = await lane.run(Call(os.getpid, ()), "a", 30)
        with pytest.raises(WorkerDied):
            await lane.run(Call(os._exit, (1,)), "a", 30)
        other = await lane.run(Call(os.getpid, ()), "a", 30)
        assert other != mine
        # One that dies while it is idle loses nothing.
        os.kill(other, signal.SIGKILL)
        await until_true(lambda: not any(worker.is_alive for worker in lane._all))
        assert await lane.run(Call(abs, (-5,)), "a", 30) == 5

    with_lane(test, most=1)


def test_a_process_is_used_again_after_our_errors_only() -> None:
    async def test(lane: Lane) -> None:
        mine = await lane.run(Call(os.getpid, ()), "a", 30)
        with pytest.raises(BoardError):
            await lane.run(Call(Problem.of, ("0x0",)), "a", 30)
        assert await lane.run(Call(os.getpid, ()), "a", 30) == mine
        with pytest.raises(ValueError, match="math domain"):
            await lane.run(Call(math.sqrt, (-1,)), "a", 30)
        assert await lane.run(Call(os.getpid, ()), "a", 30) != mine

    with_lane(test, most=1)


def test_an_answer_that_does_not_come_in_time_is_no_fault_of_the_server() -> None:
    assert server._failure(OverTime("late"))[0] == 503
    assert server._failure(WorkerDied("dead"))[0] == 500


def test_if_no_process_can_be_started_the_error_says_so() -> None:
    async def test(lane: Lane) -> None:
        lane.warm = Call(os._exit, (1,))
        with pytest.raises(WorkerDied):
            await lane.run(NAP, "a", 30)
        lane.warm = WARM
        assert await lane.run(Call(abs, (-5,)), "a", 30) == 5

    with_lane(test)


def test_if_no_process_gets_ready_the_error_says_so() -> None:
    async def test(lane: Lane) -> None:
        lane.warm = Call(math.sqrt, (-1,))
        with pytest.raises(ValueError, match="math domain"):
            await lane.run(NAP, "a", 30)
        lane.warm = WARM
        assert await lane.run(Call(abs, (-5,)), "a", 30) == 5

    with_lane(test)


def test_processes_that_cannot_be_started_are_not_tried_for_ever() -> None:
    async def test(lane: Lane) -> None:
        lane.warm = Call(os._exit, (1,))
        await lane.prepare(2)
        lane.warm = WARM
        assert await lane.run(Call(abs, (-5,)), "a", 30) == 5

    with_lane(test)


@pytest.mark.parametrize("seconds", [0, 0.02, 0.2])
def test_a_lane_closes_while_a_process_starts(seconds: float) -> None:
    async def run() -> None:
        lane = Lane(1, 1, warm=LONG)
        preparing = asyncio.create_task(lane.prepare(1))
        await asyncio.sleep(seconds)
        await lane.close()
        await preparing
        assert not set(children(os.getpid())) - before

    before = set(children(os.getpid()))
    begin = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - begin < 40


def test_a_lane_that_closes_ends_what_runs_and_what_waits() -> None:
    async def run() -> None:
        lane = Lane(1, 1, warm=WARM)
        tasks = [asyncio.create_task(lane.run(LONG, "a", 30)) for _ in range(3)]
        await until_true(lambda: lane.running["a"])
        await lane.close()
        assert all(isinstance(e, WorkerDied) for e in await asyncio.gather(*tasks, return_exceptions=True))
        with pytest.raises(WorkerDied):
            await lane.run(NAP, "a", 30)

    before = set(children(os.getpid()))
    asyncio.run(run())
    assert set(children(os.getpid())) <= before


def test_processes_that_nobody_needs_are_ended_but_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(lane: Lane) -> None:
        before = set(children(os.getpid()))
        await lane.prepare(3)
        assert len(set(children(os.getpid())) - before) == 3
        monkeypatch.setattr("knightstour.interfaces.web.lanes._SECONDS_IDLE", 0.1)
        await asyncio.gather(*(lane.run(NAP, f"client {k}", 30) for k in range(3)))
        await until_true(lambda: len(set(children(os.getpid())) - before) == 1)
        await asyncio.sleep(0.3)
        assert len(set(children(os.getpid())) - before) == 1
        assert await lane.run(Call(abs, (-5,)), "a", 30) == 5

    with_lane(test, most=3)


# ---------------------------------------------------------------- the whole server

ENDLESS = {"board": "8x8", "closed": True, "method": "backtracking"}

Lanes = dict[str, Lane]


@pytest.fixture(scope="module")
def lanes() -> Lanes:
    """The worker processes of the server; each test finds them at rest."""
    return server.make_lanes()


@pytest.fixture(scope="module")
def address(lanes: Lanes) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        # What ends an endless search is not the time.
        patch.setitem(FIELDS, "seconds", seconds_field(3600, 30))
        with served(lanes=lanes) as url:
            until(lambda: all(len(lane._idle) == server._PREPARED for lane in lanes.values()))
            yield url


@pytest.fixture
def url(address: str, lanes: Lanes) -> str:
    until(lambda: not is_at_work(lanes))
    return address


@pytest.fixture
def web(url: str) -> Iterator[httpx.Client]:
    with client(url, **{"X-Client": "tests"}) as session:
        yield session


def is_at_work(lanes: Lanes) -> bool:
    """Whether a call runs, or a process gets ready."""
    return any(lane.running or lane._starting for lane in lanes.values())


def searching(lanes: Lanes) -> set[int]:
    """The processes that search for somebody; none as long as one gets ready, which looks the same."""
    lane = lanes[api.SEARCH]
    return set() if lane._starting else {worker.process.pid for worker in list(lane._all) if worker.is_busy}


def begin_endless(url: str, path: str = "solve") -> socket.socket:
    """A connection on which an endless search was asked for."""
    host, port = url.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)))
    body = httpx.Request("POST", url, json=ENDLESS).content
    head = f"POST /api/{path} HTTP/1.1\r\nHost: {host}:{port}\r\nX-Client: endless\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)
    return connection


@pytest.mark.parametrize("path", ["solve", "trace"])
def test_a_client_that_leaves_ends_its_search(url: str, lanes: Lanes, path: str) -> None:
    connection = begin_endless(url, path)
    until(lambda: searching(lanes))
    connection.close()
    until(lambda: not lanes[api.SEARCH].running)


def test_a_worker_that_is_killed_loses_one_search_with_a_clear_message(lanes: Lanes, web: httpx.Client) -> None:
    answers: list[httpx.Response] = []
    asking = threading.Thread(target=lambda: answers.append(web.post("/api/solve", json=ENDLESS)))
    asking.start()
    for pid in until(lambda: searching(lanes)):
        os.kill(pid, signal.SIGKILL)
    asking.join()
    assert answers[0].status_code == 500 and "worker process died" in answers[0].json()["error"]
    assert web.post("/api/solve", json={**ENDLESS, "method": "rotation"}).json()["status"] == "found"


def test_a_stream_whose_worker_is_killed_ends_with_an_error(lanes: Lanes, web: httpx.Client) -> None:
    with web.stream("POST", "/api/trace", json={**ENDLESS, "events": 100}) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: begin"
        for pid in until(lambda: searching(lanes)):
            os.kill(pid, signal.SIGKILL)
        *_, name, data, end = lines
    assert name == "event: error" and "worker process died" in data and end == ""


def test_all_30_clients_are_answered_while_one_asks_for_the_hardest(url: str, lanes: Lanes) -> None:
    greedy = [begin_endless(url) for _ in range(10)]

    async def ask(k: int) -> list[str]:
        async with httpx.AsyncClient(base_url=url, timeout=1200, headers={"X-Client": f"{k}"}, verify=False) as session:
            method = ("auto", "rotation")[k % 2]
            question = {"board": "8x8", "closed": True, "method": method}
            answers = [await session.post("/api/solve", json={**question, "seed": n}) for n in range(3)]
            return [answer.json()["status"] for answer in answers]

    async def ask_all() -> list[list[str]]:
        return await asyncio.gather(*(ask(k) for k in range(30)))

    try:
        until(lambda: lanes[api.SEARCH].running["page endless"] == 4)
        assert asyncio.run(ask_all()) == [["found"] * 3] * 30
    finally:
        for connection in greedy:
            connection.close()
    until(lambda: not lanes[api.SEARCH].running)


def test_too_many_searches_are_refused_with_a_clear_message(url: str, lanes: Lanes) -> None:
    # 4 run and 20 wait.
    greedy = [begin_endless(url) for _ in range(4)]
    try:
        until(lambda: lanes[api.SEARCH].running.total() == 4)
        greedy += [begin_endless(url) for _ in range(21)]
        answer = until(lambda: b"requests of yours are waiting" in peeked(greedy))
        assert answer
        refusals = [c for c in greedy if b"HTTP/1.1 429" in peek(c)]
        assert len(refusals) == 1
    finally:
        for connection in greedy:
            connection.close()
    until(lambda: not lanes[api.SEARCH].running)


def peek(connection: socket.socket) -> bytes:
    try:
        return connection.recv(4096, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return b""


def peeked(connections: list[socket.socket]) -> bytes:
    return b"".join(map(peek, connections))
