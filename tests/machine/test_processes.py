"""Tests of processes: one problem, pieces of work, and workers of a server; none remain, and deaths are reported."""

import math
import operator
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knightstour as kt
from helpers.halving import Halves, check_pieces
from helpers.processes import children, running
from helpers.served import until
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.machine.calls import Call, Sorter, WorkerDied, message_of, worker_command
from knightstour.core.machine.server_worker import VALUE, Worker
from knightstour.core.machine.sharing import pool_of, run_pieces
from knightstour.core.machine.worker_pool import WorkerPool, first_answer
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.result_errors import NoTour

pytestmark = pytest.mark.processes

# Calls are to functions of the standard library, which a worker loads quickly.
SLEEP = Call(time.sleep, (60,))  # its value None is not a result
DIE = Call(os._exit, (3,))
NOTHING = Call(operator.add, (0, 0))


def is_true(value: Any) -> bool:
    return bool(value)


def test_the_answer_and_the_number_of_its_call_are_returned() -> None:
    assert first_answer([Call(pow, (3, 4))], is_true) == (0, 81)
    assert first_answer([NOTHING, NOTHING, Call(operator.add, ("a", "b"))], is_true, workers=2) == (2, "ab")


def test_the_first_answer_wins_and_the_others_are_ended() -> None:
    begin = time.monotonic()
    assert first_answer([SLEEP, Call(pow, (2, 10)), SLEEP], is_true, workers=3) == (1, 1024)
    assert time.monotonic() - begin < 50


def test_a_worker_ends_quietly_when_its_pipe_is_closed() -> None:
    message = message_of((*Call(math.comb, (5, 2)), False))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(worker_command("work_on(0, None)"), **pipes) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(message)
        process.stdin.flush()
        answer = message_of((VALUE, 10))
        assert process.stdout.read(len(answer)) == answer
        process.stdin.close()
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")


def test_printed_output_of_a_call_keeps_its_answer(capfd: pytest.CaptureFixture[str]) -> None:
    program = "import os; os.write(1, b'noise\\n'); print('more')"
    assert first_answer([Call(exec, (program, {})), Call(time.sleep, (0.01,))], is_true, workers=1) is None
    captured = capfd.readouterr()
    assert captured.out == ""
    assert sorted(captured.err.split()) == ["more", "noise"]


# ---------------------------------------------------------------- limits


def test_the_time_limit_ends_all_workers() -> None:
    begin = time.monotonic()
    assert first_answer([SLEEP] * 3, is_true, workers=2, seconds=0.3) is None
    assert 0.3 <= time.monotonic() - begin < 50


# ---------------------------------------------------------------- faults


def test_exception_in_a_call_is_raised_and_others_end() -> None:
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        first_answer([SLEEP, Call(operator.truediv, (1, 0))], is_true, workers=2)


def test_package_errors_survive_pickling() -> None:
    with pytest.raises(NoTour) as error:
        first_answer([Call(implicit_tour, ("4x4",))], is_true)
    assert error.value.result.source == "removal of squares; Chia & Ong 2005; Cull & De Curtins 1978"


def test_unpicklable_call_or_answer_raises_an_exception() -> None:
    with pytest.raises(Exception, match="pickle"):
        first_answer([Call(lambda: 1, ())], is_true)
    with pytest.raises(TypeError, match="pickle"):
        first_answer([Call(threading.Lock, ())], is_true)


def test_dead_worker_does_not_end_a_call_while_others_live() -> None:
    assert first_answer([DIE, Call(abs, (-5,))], is_true, workers=1) == (1, 5)
    assert first_answer([DIE, NOTHING], is_true, workers=2) is None


def test_error_reports_if_every_worker_died() -> None:
    with pytest.raises(WorkerDied, match="died"):
        first_answer([DIE, DIE], is_true, workers=2)


def test_an_exception_in_the_judge_ends_all_workers() -> None:
    def judge(value: Any) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first_answer([NOTHING, SLEEP], judge, workers=2)


_PARENT = """
import time
from knightstour.core.machine.calls import Call
from knightstour.core.machine.worker_pool import first_answer
first_answer([Call(time.sleep, (60,))] * 2, bool, workers=2)
"""


def test_workers_end_when_their_parent_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", _PARENT])
    try:
        deadline = time.monotonic() + 30
        while len(workers := children(parent.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(workers) == 2
    finally:
        parent.kill()
        parent.wait()
    while set(workers) & set(running()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not set(workers) & set(running())


def test_a_worker_finds_the_modules_that_its_caller_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("def answer(x):\n    return x + 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    import only_here  # type: ignore[import-not-found]

    assert first_answer([Call(only_here.answer, (41,))], is_true) == (0, 42)


# ---------------------------------------------------------------- pieces of work


@pytest.fixture(autouse=True)
def others() -> Iterator[set[int]]:
    """Check that no new process remains."""
    before = set(children(os.getpid()))
    yield before
    assert set(children(os.getpid())) <= before


def test_pieces_come_back_once_each(others: set[int]) -> None:
    with pool_of(3) as pool:
        assert len(list(run_pieces(operator.add, [(k, 1) for k in range(40)], pool))) == 40
        assert len(set(children(os.getpid())) - others) == 3
        for workers in (None, pool):
            check_pieces(workers)


def test_an_exception_ends_the_pieces_but_not_the_pool() -> None:
    with pool_of(2) as pool:
        with pytest.raises(ZeroDivisionError):
            list(run_pieces(operator.truediv, [(1, k) for k in range(5, -5, -1)], pool))
        assert list(run_pieces(operator.add, [(1, 1)], pool)) == [(0, 2)]


def test_a_piece_that_kills_every_worker_is_given_up() -> None:
    with pytest.raises(WorkerDied, match="3 worker processes died"):
        list(run_pieces(os._exit, [(1,)], 2))


@pytest.mark.parametrize("queued", [1, 2, 5])
@pytest.mark.parametrize("workers", [None, 1, 3])
def test_pieces_may_depend_on_values(workers: int | None, queued: int) -> None:
    halves = Halves(137)
    numbers = []
    for k, value in run_pieces(divmod, halves.pieces(), workers, queued=queued):
        halves.take(value)
        numbers.append(k)
    assert halves.ones == 137 and sorted(numbers) == list(range(2 * 137 - 1))


def test_process_can_receive_pieces_ahead_without_loss(others: set[int]) -> None:
    values = run_pieces(time.sleep, [(0.1,)] * 12, 2, queued=3)
    numbers = [next(values)[0]]
    os.kill(min(set(children(os.getpid())) - others), signal.SIGKILL)
    numbers += [k for k, _ in values]
    assert sorted(numbers) == list(range(12))


def test_piece_queued_behind_a_killer_is_not_blamed() -> None:
    with pytest.raises(WorkerDied, match="3 worker processes died"):
        list(run_pieces(operator.call, [(os._exit, 1), *[(abs, -1)] * 30], 1, queued=4))


def test_process_with_queued_pieces_does_not_wait(tmp_path: Path) -> None:
    values = run_pieces(os.mkdir, [(tmp_path / str(k),) for k in range(9)], 1, queued=3)
    next(values)
    deadline = time.monotonic() + 30
    while len(list(tmp_path.iterdir())) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    values.close()
    assert len(list(tmp_path.iterdir())) == 3


def test_the_time_limit_ends_everything() -> None:
    begin = time.monotonic()
    assert list(run_pieces(time.sleep, [(60,)] * 5, 2, seconds=0.5)) == []
    assert 0.5 <= time.monotonic() - begin < 50
    assert list(run_pieces(operator.add, [(1, 1)], seconds=0)) == []


@given(order=st.permutations(range(8)))
@settings(deadline=None)
def test_values_wait_for_their_turn(order: list[int]) -> None:
    sorter = Sorter(in_order=True)
    given_back = [pair for k in order for pair in sorter.put(k, -k)]
    assert given_back == [(k, -k) for k in range(8)] and not sorter.held


@pytest.mark.parametrize(
    ("workers", "error", "words"),
    [
        (0, ProblemError, "workers must be at least 1"),
        (-1, ProblemError, "workers must be at least 1"),
        (True, TypeError, "workers must be a number"),
        (1.5, TypeError, "workers must be a number"),
        ("2", TypeError, "workers must be a number"),
    ],
)
def test_rejects_impossible_number_of_workers(workers: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        run_pieces(operator.add, [], workers)
    with pytest.raises(error, match="workers"):
        first_answer([SLEEP], is_true, workers=workers)


def test_samples_do_not_depend_on_the_workers() -> None:
    with pool_of(2) as pool:
        for question in ({"unique": True}, {"offset": 5000}, {"distribution": "merge"}):
            here = kt.sample("6x6", 6000, closed=True, seed=4, **question)
            there = kt.sample("6x6", 6000, closed=True, seed=4, **question, workers=pool)
            assert np.array_equal(here, there)
            assert (here.repeats, here.fails, here.steps) == (there.repeats, there.fails, there.steps)


def test_not_many_more_processes_than_cores_are_started() -> None:
    with pool_of(1_000_000) as pool:
        assert isinstance(pool, WorkerPool) and pool.most == max(4, os.cpu_count() or 1)
    with pool_of(2) as pool:
        assert isinstance(pool, WorkerPool) and pool.most == 2


# ---------------------------------------------------------------- workers of a server


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


def test_exception_in_a_call_is_raised_and_worker_continues(worker: Worker) -> None:
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
def test_cancelled_work_ends_its_process(worker: Worker, call: Call[Any]) -> None:
    def give_up() -> None:
        raise ConnectionError

    has_parts = call.function is not time.sleep
    with pytest.raises(ConnectionError):
        worker.run(call, (lambda part: None) if has_parts else None, give_up)
    assert not worker.is_alive


def test_call_waits_for_a_worker_that_accepts_its_parts(worker: Worker) -> None:
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
def test_killed_worker_raises_a_clear_error(worker: Worker, by: str) -> None:
    end = worker.process.kill if by == "system" else worker.kill
    timer = threading.Timer(0.5, end)
    timer.start()
    with pytest.raises(WorkerDied, match="died without a result"):
        worker.run(Call(time.sleep, (50,)))
    timer.join()
    with pytest.raises(WorkerDied):
        worker.run(Call(abs, (-1,)))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is one of Linux")
def test_worker_obeys_its_memory_limit() -> None:
    worker = Worker(most_bytes=5 * 10**8)
    assert worker.run(Call(has_room, (10**8,))) and not worker.run(Call(has_room, (10**9,)))
    worker.kill()


def test_worker_has_the_requested_niceness() -> None:
    worker = Worker(niceness=3)
    assert worker.run(Call(os.nice, (0,))) == min(19, os.nice(0) + 3)
    worker.kill()


_PARENT_OF_A_WORKER = """
import time
from knightstour.core.machine.server_worker import Call, Worker
worker = Worker()
print(worker.process.pid, flush=True)
worker.run(Call(time.sleep, (60,)))
"""


def test_a_worker_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _PARENT_OF_A_WORKER], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    until(lambda: pid not in running())
