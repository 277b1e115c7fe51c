"""Tests of long work in short calls: limits, Ctrl-C and progress."""

import os
import signal
import threading
import time
from typing import Any

import pytest

from knightstour import Problem
from knightstour.core.machine import slices
from knightstour.core.machine.slices import drive, ranges
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.trace import Trace
from knightstour.core.search.warnsdorff import start_state

NO_TOUR = Problem((25, 25), start=(0, 1))


def state() -> Any:
    return start_state(NO_TOUR, Budget(), 1, "random", 3)


def test_ctrl_c_is_heard_within_a_tenth_of_a_second() -> None:
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    delays = []
    for _ in range(3):
        timer = threading.Timer(0.05, interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            drive("warnsdorff_step", state(), Budget(Limits(seconds=20)))
        delays.append(time.perf_counter() - sent[-1])
    # Of three, as the computer may be busy elsewhere.
    assert min(delays) < 0.1


def test_a_watched_search_takes_the_same_steps_one_by_one() -> None:
    plain, watched = state(), state()
    drive("warnsdorff_step", plain, Budget(Limits(nodes=250)))
    seen: list[int] = []
    budget = Budget(Limits(nodes=250), trace=Trace())

    def observe(shown: Any, status: int) -> None:
        seen.append(shown.counters[0])
        assert type(shown.path[0]) is int

    drive("warnsdorff_step", watched, budget, observe=observe)
    assert all((a == b).all() for a, b in zip(plain, watched, strict=True))
    assert seen == list(range(1, 251)) and budget.nodes == 250
    assert budget.trace is not None
    assert [event.values for event in budget.trace] == [(100,), (200,), (250,)]


def test_full_trace_continues_in_large_steps() -> None:
    trace = Trace(limit=10)
    budget, watched = Budget(Limits(nodes=100_000), trace=trace), state()
    drive("warnsdorff_step", watched, budget, observe=lambda shown, status: trace.add("visit", (1,)))
    assert watched.counters[0] == 100_000 and len(trace) == 10 and trace.dropped > 0


@pytest.mark.parametrize("count", [0, 1, 10, 1023, 1024, 1025, 100_000])
def test_ranges_are_all_of_them_one_after_another(count: int) -> None:
    found = list(ranges(count))
    assert [k for first, last in found for k in range(first, last)] == list(range(count))
    assert all(first < last for first, last in found)


def test_ranges_grow_and_shrink_with_the_time_that_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(slices.time, "perf_counter", lambda: now[0])
    sizes = []
    for first, last in ranges(1_000_000, 10):
        sizes.append(last - first)
        # An item takes 10 us, and from the middle on 1 ms.
        now[0] += (last - first) * (1e-5 if first < 500_000 else 1e-3)
    assert max(sizes[:100]) * 1e-5 < 0.06 and sizes[6] * 1e-5 > 0.014
    late = sizes[-10:-1]
    assert max(late) * 1e-3 < 0.06 and min(late) * 1e-3 > 0.01
