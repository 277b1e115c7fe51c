"""Workers of a server: one call after another, parts of answers, and what happens when they are given up or killed."""

from __future__ import annotations

import math
import operator
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from helpers.processes import running
from helpers.served import until
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.machine.calls import Call, WorkerDied
from knightstour.core.machine.server_worker import Worker
from knightstour.core.model.errors import NoTour

pytestmark = pytest.mark.processes


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.kill()
    assert not made.is_alive


def count_up(n: int, pause: float, emit: Callable[[Any], None]) -> str:
    for k in range(n):
        emit(k)
        time.sleep(pause)
    return "done"


def send_much(emit: Callable[[Any], None]) -> None:
    while True:
        emit(bytes(200_000))


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


def test_a_worker_takes_one_call_after_another(worker: Worker) -> None:
    for n in range(20):
        assert worker.run(Call(math.comb, (n, 2))) == math.comb(n, 2)
    data = os.urandom(3_000_000)
    assert worker.run(Call(operator.add, (data, b"end"))) == data + b"end"
    assert worker.run(Call(noisy, ())) == 5


def test_an_exception_of_a_call_is_raised_and_the_worker_goes_on(worker: Worker) -> None:
    with pytest.raises(NoTour):
        worker.run(Call(implicit_tour, ((3, 3),)))
    with pytest.raises(ZeroDivisionError):
        worker.run(Call(operator.truediv, (1, 0)))
    assert worker.run(Call(abs, (-1,))) == 1


def test_parts_of_an_answer_come_in_their_order_before_it(worker: Worker) -> None:
    parts: list[object] = []
    assert worker.run(Call(count_up, (100, 0)), parts.append) == "done"
    assert parts == list(range(100))


@pytest.mark.parametrize("call", [Call(time.sleep, (50,)), Call(count_up, (10**6, 0.01)), Call(send_much, ())])
def test_what_is_given_up_ends_the_process(worker: Worker, call: Call[Any]) -> None:
    def give_up() -> None:
        raise ConnectionError

    has_parts = call.function is not time.sleep
    with pytest.raises(ConnectionError):
        worker.run(call, (lambda part: None) if has_parts else None, give_up)
    assert not worker.is_alive


def test_a_call_waits_for_whoever_takes_its_parts(worker: Worker) -> None:
    taken = 0

    def take_one(part: object) -> None:
        nonlocal taken
        taken += 1
        # Far more could come meanwhile.
        time.sleep(0.3)
        assert worker._answers.qsize() <= 8
        raise ConnectionError

    with pytest.raises(ConnectionError):
        worker.run(Call(send_much, ()), take_one)
    assert taken == 1


@pytest.mark.parametrize("by", ["system", "other thread"])
def test_a_killed_worker_raises_an_error_that_says_so(worker: Worker, by: str) -> None:
    end = worker.process.kill if by == "system" else worker.kill
    timer = threading.Timer(0.5, end)
    timer.start()
    with pytest.raises(WorkerDied, match="died before it had an answer"):
        worker.run(Call(time.sleep, (50,)))
    timer.join()
    with pytest.raises(WorkerDied):
        worker.run(Call(abs, (-1,)))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is one of Linux")
def test_a_worker_takes_no_more_memory_than_it_may() -> None:
    worker = Worker(most_bytes=5 * 10**8)
    assert worker.run(Call(has_room, (10**8,))) and not worker.run(Call(has_room, (10**9,)))
    worker.kill()


def test_a_worker_has_the_niceness_that_was_asked_for() -> None:
    worker = Worker(niceness=3)
    assert worker.run(Call(os.nice, (0,))) == min(19, os.nice(0) + 3)
    worker.kill()


_PARENT = """
import time
from knightstour.core.machine.server_worker import Call, Worker
worker = Worker()
print(worker.process.pid, flush=True)
worker.run(Call(time.sleep, (60,)))
"""


def test_a_worker_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    until(lambda: pid not in running())
