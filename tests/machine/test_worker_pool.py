"""Pieces of work in local processes: every value once, deaths made good, nothing left running."""

from __future__ import annotations

import operator
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knightstour as kt
from helpers.halving import Halves
from helpers.processes import children
from knightstour.core.machine.calls import Sorter, WorkerDied
from knightstour.core.machine.sharing import pool_of, run_pieces
from knightstour.core.machine.worker_pool import WorkerPool
from knightstour.core.model.errors import MethodError

pytestmark = pytest.mark.processes


@pytest.fixture(autouse=True)
def others() -> Iterator[set[int]]:
    """The processes that were there before; no other is left running."""
    before = set(children(os.getpid()))
    yield before
    assert set(children(os.getpid())) <= before


def test_every_piece_comes_back_once_in_order_or_as_it_is_done(others: set[int]) -> None:
    pieces = [(k, 1) for k in range(40)]
    expected = [(k, k + 1) for k in range(40)]
    with pool_of(3) as pool:
        for workers in (None, pool):
            assert list(run_pieces(operator.add, pieces, workers, in_order=True)) == expected
            assert sorted(run_pieces(operator.add, pieces, workers)) == expected
        assert list(run_pieces(operator.add, [], pool)) == []
        assert len(set(children(os.getpid())) - others) == 3


def test_an_exception_ends_the_pieces_but_not_the_pool() -> None:
    with pool_of(2) as pool:
        with pytest.raises(ZeroDivisionError):
            list(run_pieces(operator.truediv, [(1, k) for k in range(5, -5, -1)], pool))
        assert list(run_pieces(operator.add, [(1, 1)], pool)) == [(0, 2)]


def test_a_piece_that_kills_every_worker_is_given_up() -> None:
    with pytest.raises(WorkerDied, match="3 worker processes died"):
        list(run_pieces(os._exit, [(1,)], 2))


def test_endless_pieces_are_taken_a_few_at_a_time() -> None:
    taken: list[int] = []

    def pieces() -> Iterator[tuple[int, int]]:
        while True:
            taken.append(len(taken))
            yield taken[-1], 0

    values = run_pieces(operator.add, pieces(), 2, in_order=True)
    assert [next(values) for _ in range(20)] == [(k, k) for k in range(20)]
    values.close()
    assert len(taken) < 30


@pytest.mark.parametrize("queued", [1, 2, 5])
@pytest.mark.parametrize("workers", [None, 1, 3])
def test_pieces_may_depend_on_values(workers: int | None, queued: int) -> None:
    halves = Halves(137)
    numbers = []
    for k, value in run_pieces(divmod, halves.pieces(), workers, queued=queued):
        halves.take(value)
        numbers.append(k)
    assert halves.ones == 137 and sorted(numbers) == list(range(2 * 137 - 1))


def test_a_process_may_be_sent_pieces_ahead_and_none_is_lost_when_it_is_killed(others: set[int]) -> None:
    values = run_pieces(time.sleep, [(0.1,)] * 12, 2, queued=3)
    numbers = [next(values)[0]]
    os.kill(min(set(children(os.getpid())) - others), signal.SIGKILL)
    numbers += [k for k, _ in values]
    assert sorted(numbers) == list(range(12))


def test_a_piece_queued_behind_one_that_kills_is_not_blamed() -> None:
    with pytest.raises(WorkerDied, match="3 worker processes died"):
        list(run_pieces(operator.call, [(os._exit, 1), *[(abs, -1)] * 30], 1, queued=4))


def test_a_process_that_has_its_pieces_ahead_does_not_wait_for_the_caller(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "2"])
def test_an_impossible_number_of_workers_is_refused(workers: Any) -> None:
    with pytest.raises(MethodError, match="do no work"):
        run_pieces(operator.add, [], workers)


def test_samples_do_not_depend_on_the_workers() -> None:
    with pool_of(2) as pool:
        for question in ({"unique": True}, {"offset": 5000}, {"distribution": "merge"}):
            here = kt.sample_tours("6x6", 6000, closed=True, rng=4, **question)
            there = kt.sample_tours("6x6", 6000, closed=True, rng=4, **question, workers=pool)
            assert np.array_equal(here, there)
            assert (here.repeats, here.fails, here.steps) == (there.repeats, there.fails, there.steps)


def test_not_many_more_processes_than_cores_are_started() -> None:
    with pool_of(1_000_000) as pool:
        assert isinstance(pool, WorkerPool) and pool.most == max(4, os.cpu_count() or 1)
    with pool_of(2) as pool:
        assert isinstance(pool, WorkerPool) and pool.most == 2
