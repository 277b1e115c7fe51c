"""Counts of tours that may skip squares by matchings: compared with counts by keys, and with published numbers."""

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import Progress
from knightstour.core.model.result_errors import LimitReached
from knightstour.lab.counting import matchings
from knightstour.lab.counting.count import count_problem
from knightstour.lab.counting.settings import CountProgress, CountSettings


def tours_by(problem: Problem, way: str) -> tuple[int, str]:
    found = count_problem(problem, settings=CountSettings(method=way))
    return found.tours, found.method


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
    problem = Problem(board, partial=True, **others)  # type: ignore[arg-type]
    number, route = tours_by(problem, "matchings")
    assert route == "matchings"
    assert (number, "states") == tours_by(problem, "states")


@pytest.mark.parametrize("threads", [1, pytest.param(3, marks=pytest.mark.long)])
def test_published_numbers(threads: int) -> None:
    assert kt.count("5x5", closed=True, partial=True, workers=threads) == 128_769  # OEIS A234623
    assert kt.count("5x5", start="a5", end="e1", partial=True, workers=threads) == 88_920  # OEIS A212715


@pytest.mark.long
def test_larger_numbers() -> None:
    assert kt.count("5x5", partial=True) == 19_005_336  # OEIS A289204
    assert kt.count("6x6", partial=True) == 278_982_789_260
    assert kt.count("6x6", closed=True, partial=True) == 959_427_728
    assert kt.count("5x8", closed=True, partial=True) == 16_609_009_681
    assert kt.count("6x6", start="a6", end="f1", partial=True) == 752_404_294


@pytest.mark.long
@pytest.mark.parametrize("length", [60, 250])
def test_long_numbers_are_counted_modulo_a_prime(length: int) -> None:
    problem = Problem((3, length), closed=True, partial=True)
    assert kt.plan(problem).most_passes > 1
    number, _ = tours_by(problem, "matchings")
    assert number > 1 << 64
    assert (number, "states") == tours_by(problem, "states")


@pytest.mark.long
def test_a_carry_is_noticed() -> None:
    for length, is_carried in ((60, True), (8, False)):
        problem = Problem((3, length), closed=True, partial=True)
        found = matchings.sweep(matchings.dense_plan(problem), CountProgress(problem), 1, np.uint64, 1 << 64)
        assert found.is_residue == is_carried


def test_bounds_that_no_float_holds_are_bounds_too() -> None:
    problem = Problem((3, 900), closed=True, partial=True)
    assert matchings.covers_of(matchings.dense_plan(problem)) == float("inf")
    for limits in (Limits(), short_words(problem)):
        assert kt.plan(problem, **as_arguments(limits)).most_passes > 20


def test_plan_states_its_needs_and_rejects_what_is_too_large() -> None:
    plan = kt.plan("8x8", closed=True, partial=True, memory=20 * 10**9)
    assert plan.method == "matchings" and 9e9 < plan.bytes < 15e9
    narrow = kt.plan("8x8", closed=True, partial=True, memory=4 * 10**9)
    assert not narrow.is_refused and narrow.bytes < 4e9 and (narrow.passes, narrow.most_passes) == (5, 7)
    paths = kt.plan("8x8", partial=True, memory=20 * 10**9)
    assert not paths.is_refused and 14e9 < paths.bytes < 16e9 and (paths.passes, paths.most_passes) == (5, 8)
    few = Limits(bytes=10**9)
    assert kt.plan("8x8", closed=True, partial=True, **as_arguments(few)).is_refused
    with pytest.raises(kt.LimitReached, match="infeasible"):
        kt.count("8x8", closed=True, partial=True, **as_arguments(few))


@pytest.mark.long
def test_limits_end_it() -> None:
    with pytest.raises(LimitReached):
        kt.count("6x6", partial=True, max_nodes=10_000)


def short_words(problem: Problem) -> Limits:
    """A memory limit that suffices only for the shortest words."""
    return Limits(bytes=matchings.bytes_of(matchings.dense_plan(problem), 2))


@pytest.mark.parametrize(
    ("board", "closed", "number"),
    [
        ("4x5", True, None),
        ("5x5", False, 19_005_336),
        pytest.param("6x6", True, 959_427_728, marks=pytest.mark.long),
        pytest.param("6x6", False, 278_982_789_260, marks=pytest.mark.long),
        pytest.param("3x60", True, None, marks=pytest.mark.long),
    ],
)
def test_short_words_give_the_same_numbers(board: str, closed: bool, number: int | None) -> None:
    problem = Problem(board, closed=closed, partial=True)
    found = count_problem(problem, settings=CountSettings(short_words(problem)))
    assert found.tours == (tours_by(problem, "states")[0] if number is None else number)


@pytest.mark.parametrize(("board", "closed"), [("3x3", False), ("3x4", True), ("2x4:king", True)])
def test_bound_matches_number_of_two_factor_choices(board: str, closed: bool) -> None:
    problem = Problem(board, closed=closed, partial=True)
    near = problem.board.move_graph().neighbour_lists()
    edges = [(a, b) for a, others in enumerate(near) for b in others if a < b]
    edges += [] if closed else [(square, -1) for square in range(len(near))]
    ways = 0
    for taken in itertools.product((False, True), repeat=len(edges)):
        degrees = Counter(itertools.chain(*itertools.compress(edges, taken)))
        ways += set(degrees.values()) <= {2} and (closed or degrees[-1] == 2)
    assert matchings.covers_of(matchings.dense_plan(problem)) == ways


def test_a_count_goes_on_at_the_next_prime(tmp_path: Path) -> None:
    problem, place, notes = Problem("5x5", partial=True), str(tmp_path), list[str]()

    def stop(progress: Progress) -> None:
        if "pass 2 of 2" in progress.note:
            raise KeyboardInterrupt

    settings = CountSettings(short_words(problem), 1, checkpoint=place, on_progress=stop)
    with pytest.raises(KeyboardInterrupt):
        count_problem(problem, settings=settings)
    again = settings._replace(on_progress=lambda progress: notes.append(progress.note))
    for other in (Problem("5x5", partial=True, closed=True), Problem("4x6", partial=True)):
        with pytest.raises(FormatError, match="another problem"):
            count_problem(other, settings=again)
    found = count_problem(problem, settings=again)
    assert found.tours == 19_005_336 and found.resumed
    assert not any("pass 1" in note for note in notes) and any("pass 2 of 2" in note for note in notes)
    # A finished checkpoint is only read, even with wider words.
    assert count_problem(problem, settings=CountSettings(checkpoint=place)).states == found.states


def test_workers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="cannot be shared among workers"):
        count_problem(Problem("5x5", partial=True), settings=CountSettings(checkpoint=str(tmp_path), cluster=2))


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
    assert kt.plan(board, partial=True, **others).method == "states"  # type: ignore[arg-type]
