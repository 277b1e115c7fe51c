"""Processes: the first answer wins, nothing is left running, and deaths and exceptions are said."""

from __future__ import annotations

import math
import operator
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from helpers.processes import children, running
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.machine.calls import Call, WorkerDied, message_of, worker_command
from knightstour.core.machine.race import first_answer
from knightstour.core.machine.server_worker import VALUE
from knightstour.core.model.errors import MethodError, NoTour

pytestmark = pytest.mark.processes

# Calls are to functions of the standard library, which a worker loads quickly.
SLEEP = Call(time.sleep, (60,))  # its value, None, is no answer
DIE = Call(os._exit, (3,))
NOTHING = Call(operator.add, (0, 0))


def is_true(value: Any) -> bool:
    return bool(value)


@pytest.fixture(autouse=True)
def nothing_is_left_running() -> Any:
    before = set(children(os.getpid()))
    yield
    assert set(children(os.getpid())) <= before


def test_the_answer_and_the_number_of_its_call_are_returned() -> None:
    assert first_answer([Call(pow, (3, 4))], is_true) == (0, 81)
    assert first_answer([NOTHING, NOTHING, Call(operator.add, ("a", "b"))], is_true, workers=2) == (2, "ab")


def test_the_first_answer_wins_and_the_others_are_ended() -> None:
    begin = time.monotonic()
    assert first_answer([SLEEP, Call(pow, (2, 10)), SLEEP], is_true, workers=3) == (1, 1024)
    assert time.monotonic() - begin < 50


def test_calls_wait_until_a_worker_is_free() -> None:
    assert first_answer([NOTHING] * 3 + [Call(abs, (-7,)), SLEEP], is_true, workers=1) == (3, 7)


def test_without_an_answer_there_is_none() -> None:
    assert first_answer([NOTHING] * 3, is_true, workers=2) is None
    assert first_answer([], is_true) is None


def test_large_answers_and_arguments_come_whole() -> None:
    data = os.urandom(3_000_000)
    assert first_answer([Call(operator.add, (data, b"end"))], is_true) == (0, data + b"end")


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


def test_what_a_call_prints_does_not_garble_its_answer(capfd: pytest.CaptureFixture[str]) -> None:
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


@pytest.mark.parametrize("workers", [0, -1])
def test_less_than_one_worker_is_refused(workers: int) -> None:
    with pytest.raises(MethodError, match="workers"):
        first_answer([SLEEP], is_true, workers=workers)


# ---------------------------------------------------------------- what goes wrong


def test_an_exception_of_a_call_is_raised_and_the_others_are_ended() -> None:
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        first_answer([SLEEP, Call(operator.truediv, (1, 0))], is_true, workers=2)


def test_the_errors_of_this_package_come_through_with_all_they_carry() -> None:
    with pytest.raises(NoTour) as error:
        first_answer([Call(implicit_tour, ("4x4",))], is_true)
    assert error.value.result.source == "removal of squares; Chia & Ong 2005; Cull & De Curtins 1978"


def test_an_exception_that_is_returned_is_a_value_like_others() -> None:
    answer = first_answer([Call(ValueError, ("not raised",))], lambda value: isinstance(value, ValueError))
    assert answer is not None and str(answer[1]) == "not raised"


def test_a_call_or_an_answer_that_cannot_be_sent_is_an_exception() -> None:
    with pytest.raises(Exception, match="pickle"):
        first_answer([Call(lambda: 1, ())], is_true)
    with pytest.raises(TypeError, match="pickle"):
        first_answer([Call(threading.Lock, ())], is_true)


def test_a_worker_that_dies_is_no_answer_while_others_live() -> None:
    assert first_answer([DIE, Call(abs, (-5,))], is_true, workers=1) == (1, 5)
    assert first_answer([DIE, NOTHING], is_true, workers=2) is None


def test_the_error_says_if_every_worker_died() -> None:
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
from knightstour.core.machine.race import first_answer
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
