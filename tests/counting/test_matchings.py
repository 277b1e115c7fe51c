"""Counts of tours that may leave squares by matchings: against those by keys, and against published numbers."""

from __future__ import annotations

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.kernels.counting import dense as kernel
from knightstour.core.machine.native import door
from knightstour.core.model.errors import BoardError, LimitReached, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.lab.counting import matchings
from knightstour.lab.counting.count import count
from knightstour.lab.counting.settings import CountSettings, Watch


def tours_by(problem: Problem, way: str) -> tuple[int, str]:
    found = count(problem, settings=CountSettings(way=way))
    return found.tours, found.way


@pytest.mark.parametrize(
    ("board", "others"),
    [
        ("3x3", {"closed": True}),
        ("3x7", {"closed": True}),
        ("7x3", {"closed": True}),
        ("4x4", {}),
        ("3x5", {}),
        ("4x5", {"start": "a1", "end": "e4"}),
        ("4x5", {"start": "b2", "end": "d3"}),
        ("4x5:-b2,e4", {"closed": True}),
        ("5x4:-b2,d3", {}),
        ("4x4:king", {"closed": True}),
        ("3x4:king", {}),
        ("4x5:camel", {"closed": True}),
        ("5x4:zebra", {}),
        ("4x4:knight+camel", {"closed": True}),
        ("1x3:king", {}),
    ],
)
def test_matchings_and_keys_count_the_same(board: str, others: dict[str, object]) -> None:
    problem = Problem.of(board, visits="some", **others)  # type: ignore[arg-type]
    number, route = tours_by(problem, "matchings")
    assert route == "matchings"
    assert (number, "states") == tours_by(problem, "states")


@pytest.mark.parametrize("threads", [1, pytest.param(3, marks=pytest.mark.long)])
def test_published_numbers(threads: int) -> None:
    assert kt.count_tours("5x5", closed=True, visits="some", threads=threads) == 128_769  # OEIS A234623
    assert kt.count_tours("5x5", start="a5", end="e1", visits="some", threads=threads) == 88_920  # OEIS A212715


@pytest.mark.long
def test_larger_numbers() -> None:
    assert kt.count_tours("5x5", visits="some") == 19_005_336  # OEIS A289204
    assert kt.count_tours("6x6", visits="some") == 278_982_789_260
    assert kt.count_tours("6x6", closed=True, visits="some") == 959_427_728
    assert kt.count_tours("5x8", closed=True, visits="some") == 16_609_009_681
    assert kt.count_tours("6x6", start="a6", end="f1", visits="some") == 752_404_294


@pytest.mark.long
def test_numbers_that_are_too_long_for_a_word_are_counted_modulo_a_prime_too() -> None:
    problem = Problem.of((3, 60), closed=True, visits="some")
    assert matchings.passes_at_most(problem) > 1
    number, _ = tours_by(problem, "matchings")
    assert number > 1 << 64
    assert (number, "states") == tours_by(problem, "states")


@pytest.mark.long
def test_a_carry_is_noticed() -> None:
    problem = Problem.of((3, 60), closed=True, visits="some")
    found = matchings.sweep(matchings.dense_plan(problem), Watch(problem), 0, 1, (0.0, 1.0))
    assert found.is_carried
    other = Problem.of((3, 8), closed=True, visits="some")
    assert not matchings.sweep(matchings.dense_plan(other), Watch(other), 0, 1, (0.0, 1.0)).is_carried


@pytest.mark.parametrize("pairs", [1, 2, 3, 4])
def test_matchings_are_numbered_without_a_gap(pairs: int) -> None:
    """Moving an end there and back, or adding a pair of ends, takes different matchings to different ones."""
    size = kernel.MATCHINGS[pairs]
    there, back = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    for i in range(2 * pairs):
        for j in range(2 * pairs):
            door("dense_change")(there, kernel.MOVED, pairs, i, j, 0, size)
            door("dense_change")(back, kernel.MOVED, pairs, j, i, 0, size)
            assert back[there].tolist() == list(range(size))
    fewer = kernel.MATCHINGS[pairs - 1]
    added = np.empty(fewer, dtype=np.int32)
    reached = []
    for j in range(1, 2 * pairs):
        door("dense_change")(added, kernel.ADDED, pairs, 0, j, 0, fewer)
        reached += added.tolist()
        door("dense_change")(there, kernel.JOINED, pairs, 0, j, 0, size)
        assert (there[added] == -1).all()
    assert sorted(reached) == list(range(size))


def test_a_plan_says_what_it_takes_and_what_is_too_large_is_refused() -> None:
    plan = kt.plan_count("8x8", closed=True, visits="some")
    assert plan.way == "matchings" and 9e9 < plan.bytes < 15e9
    few = kt.Limits(bytes=10**9)
    assert kt.plan_count("8x8", closed=True, visits="some", limits=few).is_refused
    with pytest.raises(BoardError, match="infeasible"):
        kt.count_tours("8x8", closed=True, visits="some", limits=few)


@pytest.mark.long
def test_limits_end_it() -> None:
    with pytest.raises(LimitReached):
        kt.count_tours("6x6", visits="some", limits=kt.Limits(nodes=10_000))


def test_checkpoints_and_workers_are_refused(tmp_path: object) -> None:
    with pytest.raises(ProblemError, match="keeps no checkpoints"):
        count(Problem.of("5x5", visits="some"), settings=CountSettings(checkpoint=str(tmp_path)))


@pytest.mark.parametrize(
    ("board", "others"),
    [
        ("6x6:torus", {}),
        ("6x6:wazir", {}),
        ("5x5", {"start": "a1"}),
        ("5x5", {"closed": True, "start": "a1"}),
        ("12x12", {}),
    ],
)
def test_others_are_left_to_keys(board: str, others: dict[str, object]) -> None:
    assert kt.plan_count(board, visits="some", **others).way == "states"  # type: ignore[arg-type]
