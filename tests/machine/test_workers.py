"""Workers of a server: one call after another, parts of answers, and what happens when they are stopped or killed."""

from __future__ import annotations

import asyncio
import importlib
import math
import operator
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.calls import stubborn
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.machine import memory
from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.machine.server_worker import Worker
from knightstour.core.model.errors import NoTour

pytestmark = pytest.mark.processes


def with_worker(test: Callable[[Worker], Awaitable[None]], **options: Any) -> None:
    async def run() -> None:
        worker = await Worker.start(**options)
        try:
            async with asyncio.timeout(60):
                await test(worker)
        finally:
            await worker.close()

    asyncio.run(run())


def count_up(n: int, pause: float, emit: Callable[[Any], None]) -> str:
    for k in range(n):
        emit(k)
        time.sleep(pause)
    return "done"


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def send_much(emit: Callable[[Any], None]) -> None:
    while True:
        emit(bytes(200_000))


async def until_it_sleeps(pid: int) -> None:
    """Wait until a process has taken no processor time for a while."""
    taken, since = -1, time.monotonic()
    while time.monotonic() - since < 0.5:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        if fields[0] == "R" or sum(map(int, fields[11:13])) != taken:
            taken, since = sum(map(int, fields[11:13])), time.monotonic()
        await asyncio.sleep(0.02)


def noisy() -> int:
    print("noise")
    os.write(1, b"noise\n")
    return 5


def has_room(count: int) -> bool:
    try:
        bytearray(count)
    except MemoryError:
        return False
    return True


def test_a_worker_takes_one_call_after_another() -> None:
    async def test(worker: Worker) -> None:
        assert await worker.run(Call(math.comb, (64, 3))) == 41664
        mine = await worker.run(Call(os.getpid, ()))
        assert mine != os.getpid()
        assert await worker.run(Call(noisy, ())) == 5
        data = os.urandom(3_000_000)
        assert await worker.run(Call(operator.add, (data, b"end"))) == data + b"end"
        assert await worker.run(Call(os.getpid, ())) == mine

    with_worker(test)


def test_an_exception_of_a_call_is_raised_and_the_worker_goes_on() -> None:
    async def test(worker: Worker) -> None:
        with pytest.raises(NoTour) as error:
            await worker.run(Call(implicit_tour, ("4x4",)))
        assert error.value.result.source
        with pytest.raises(TypeError, match="pickle"):
            await worker.run(Call(threading.Lock, ()))
        assert await worker.run(Call(abs, (-3,))) == 3

    with_worker(test)


def test_parts_of_an_answer_come_in_their_order_before_it() -> None:
    async def test(worker: Worker) -> None:
        parts: list[int] = []

        async def take(part: int) -> None:
            parts.append(part)

        assert await worker.run(Call(count_up, (5000, 0)), take) == "done"
        assert parts == list(range(5000))

    with_worker(test)


@pytest.mark.parametrize("function", [busy, time.sleep])
def test_a_call_that_is_given_up_is_stopped_and_the_worker_lives(function: Callable[[float], None]) -> None:
    async def test(worker: Worker) -> None:
        mine = await worker.run(Call(os.getpid, ()))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await worker.run(Call(function, (50,)))
        assert worker.is_busy
        await worker.stop(seconds=20)
        assert not worker.is_busy
        assert await worker.run(Call(os.getpid, ())) == mine

    with_worker(test)


def has_all_of(name: str) -> bool:
    return hasattr(importlib.import_module(name), "part")


def test_a_call_that_is_given_up_during_an_import_ends_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "slow_to_import"
    package.mkdir()
    # As some do: a package that was imported in part has no such attribute when it is imported again.
    (package / "__init__.py").write_text("import slow_to_import.part\nimport time\ntime.sleep(0.6)\n")
    (package / "part.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)

    async def test(worker: Worker) -> None:
        await worker.run(Call(abs, (-1,)))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await worker.run(Call(has_all_of, ("slow_to_import",)))
        await worker.stop(seconds=20)
        assert await worker.run(Call(has_all_of, ("slow_to_import",)))

    with_worker(test)


def keep_interrupts(seconds: float) -> None:
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    time.sleep(seconds)
    signal.signal(signal.SIGINT, before)
    time.sleep(50)


def test_a_call_that_keeps_the_first_interrupt_for_itself_is_stopped_by_the_next() -> None:
    async def test(worker: Worker) -> None:
        await worker.run(Call(abs, (-1,)))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await worker.run(Call(keep_interrupts, (0.4,)))
        await worker.stop(seconds=20)
        assert await worker.run(Call(abs, (-3,))) == 3

    with_worker(test)


def test_a_call_that_is_given_up_at_once_is_stopped_whenever_it_begins() -> None:
    async def test(worker: Worker) -> None:
        mine = await worker.run(Call(os.getpid, ()))
        for k in range(40):
            running = asyncio.create_task(worker.run(Call(time.sleep, (50,))))
            await asyncio.sleep(0.0002 * (k % 10))
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            await worker.stop(seconds=20)
            assert await worker.run(Call(abs, (-k,))) == k
        assert await worker.run(Call(os.getpid, ())) == mine

    with_worker(test)


def test_a_call_that_is_given_up_amid_its_parts_garbles_nothing() -> None:
    async def test(worker: Worker) -> None:
        for k in range(30):
            seen: list[int] = []

            async def take(part: int, enough: int = 20 * k, seen: list[int] = seen) -> None:
                seen.append(part)
                if len(seen) > enough:
                    raise InterruptedError

            with pytest.raises(InterruptedError):
                await worker.run(Call(count_up, (10**9, 0)), take)
            await worker.stop(seconds=20)
            assert await worker.run(Call(abs, (-k,))) == k

    with_worker(test)


def test_a_call_that_does_not_stop_is_killed() -> None:
    async def test(worker: Worker) -> None:
        async def give_up(part: str) -> None:
            raise InterruptedError(part)

        with pytest.raises(InterruptedError, match="started"):
            await worker.run(Call(stubborn, (50,)), give_up)
        await worker.stop(seconds=0.3)
        await worker.process.wait()
        assert not worker.is_alive

    with_worker(test)


def test_a_process_that_is_killed_takes_no_more_calls() -> None:
    async def test(worker: Worker) -> None:
        assert worker.is_alive
        worker.kill()
        # Before anybody can have seen its end.
        assert not worker.is_alive

    with_worker(test)


def test_a_worker_whose_parts_are_not_taken_can_be_closed() -> None:
    async def test(worker: Worker) -> None:
        taken, may_go_on = asyncio.Event(), asyncio.Event()

        async def take(part: bytes) -> None:
            taken.set()
            await may_go_on.wait()

        running = asyncio.create_task(worker.run(Call(send_much, ()), take))
        await taken.wait()
        # More than is kept here, so that the pipe is full.
        await until_it_sleeps(worker.process.pid)
        await worker.close()
        assert not is_running(worker.process.pid)
        may_go_on.set()
        with pytest.raises(WorkerDied):
            await running

    with_worker(test)


def test_a_killed_worker_raises_an_error_that_says_so() -> None:
    async def test(worker: Worker) -> None:
        pid = await worker.run(Call(os.getpid, ()))
        asyncio.get_running_loop().call_later(0.1, os.kill, pid, signal.SIGKILL)
        with pytest.raises(WorkerDied, match="died"):
            await worker.run(Call(time.sleep, (50,)))
        await worker.process.wait()
        assert not worker.is_alive

    with_worker(test)


def test_a_worker_takes_no_more_memory_than_it_may() -> None:
    async def test(worker: Worker) -> None:
        assert await worker.run(Call(has_room, (10**6,)))
        assert not await worker.run(Call(has_room, (10**9,)))
        # What the library itself believes to be free stays below.
        assert await worker.run(Call(memory.available_bytes, ())) < 5 * 10**8

    with_worker(test, most_bytes=5 * 10**8)


def test_a_worker_has_the_niceness_that_was_asked_for() -> None:
    async def test(worker: Worker) -> None:
        assert await worker.run(Call(os.nice, (0,))) == min(19, os.nice(0) + 3)

    with_worker(test, niceness=3)


_PARENT = """
import asyncio, time
from knightstour.core.machine.server_worker import Call, Worker
async def run():
    worker = await Worker.start()
    print(worker.process.pid, flush=True)
    await worker.run(Call(time.sleep, (60,)))
asyncio.run(run())
"""


def test_a_worker_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 30
    while is_running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
