"""Tests of time limits: results do not depend on a fast clock, and preparation obeys the limit."""

import itertools
import time
from collections.abc import Callable
from functools import partial

import pytest

import knightstour as kt
from helpers.solving import several_tours
from knightstour.core.methods.facts import facts
from knightstour.core.model.budget import Budget, Limits, as_arguments
from knightstour.core.model.deadline import DeadlineError, check_deadline

# A path of five nodes, whose ends are the only starts.
PATH = kt.Board.from_graph({"a": "b", "b": "ac", "c": "bd", "d": "ce", "e": "d"})
# It takes a search.
HOLED = kt.Board(6, 6, holes=["a1", "f1"])


QUESTIONS: dict[str, Callable[[], object]] = {
    "facts": lambda: facts(PATH).to_dict(),
    "facts of leapers": lambda: facts(kt.Board(6, 6, leaper=(1, 4))).to_dict(),
    "solve": lambda: kt.solve(HOLED, seed=1).tour.order.tolist(),
    "several": lambda: [tour.order.tolist() for tour in several_tours("5x5", n=40, unique=True, seed=1)],
    "workers": lambda: kt.solve("3x4", method="backtracking", workers=2, seed=1).tour.order.tolist(),
    "portfolio": lambda: kt.solve("5x5", method="portfolio", workers=2, seed=1).status.value,
    "objective": lambda: kt.improve(kt.find_tour("5x5", seed=1), minimize="turns", seed=1).after,
    "best": lambda: kt.solve("3x10", closed=True, minimize="turns", optimal=True, seed=1).bound,
    "make_puzzle": lambda: kt.make_puzzle("6x6", seed=3).given,
    "Puzzle.solve": lambda: kt.make_puzzle("5x5", seed=3).solve().status.value,
    "sample": lambda: kt.sample("3x4", 8, unique=True, seed=1).orders.tolist(),
    "verify": lambda: kt.certificates.verify(kt.solve("4x8", closed=True).certificate()).verdict.value,
    "compare": lambda: [
        (row.method, row.impossible, row.undecided)
        for row in kt.compare("5x5", closed=True, methods=["sat", "exact"], seeds=1).rows
    ],
}


@pytest.fixture
def runaway(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Advance the clock by an hour per look, from the call on. (threading has its own clock.)"""

    def begin() -> None:
        hours = itertools.count(1)
        for name in ("perf_counter", "monotonic"):
            monkeypatch.setattr(time, name, lambda: 1e6 + 3600.0 * next(hours))

    return begin


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name == "portfolio")) for name in QUESTIONS]
)
def test_no_answer_depends_on_the_clock(
    name: str, runaway: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Slices of work are as small as can be where the clock runs away.
    monkeypatch.setattr("knightstour.lab.objectives.improve._STEPS", 20_000)
    monkeypatch.setattr("knightstour.lab.objectives.optimize._STEPS_BEFORE", 10_000)
    quiet = QUESTIONS[name]()
    runaway()
    assert QUESTIONS[name]() == quiet


# ---------------------------------------------------------------- on large boards


SOON = Limits(seconds=0.05)
PREPARED: dict[str, Callable[[], object]] = {
    "required moves": lambda: kt.solve((600, 600), closed=True, require=["a1-b3"], **as_arguments(SOON)).status,
    "a million squares": lambda: kt.solve((1000, 1000), closed=True, require=["a1-b3"], **as_arguments(SOON)).status,
    "a rule": lambda: kt.solve((2000, 2000), method="warnsdorff", **as_arguments(SOON)).status,
}


@pytest.mark.parametrize("name", PREPARED)
def test_the_time_is_kept(name: str, work: Callable[[], float]) -> None:
    # Without imports.
    kt.solve((8, 9), closed=True, require=["a1-b3"], seed=1)
    before = work()
    assert PREPARED[name]() is kt.Status.UNDECIDED
    # The preparation of a giant board ends early, too.
    assert work() - before < 25


def test_sample_not_prepared_in_time_is_reported(work: Callable[[], float]) -> None:
    before = work()
    with pytest.raises(kt.LimitReached, match=r"the limit of 0\.05 seconds was reached"):
        kt.sample((300, 300), 100, seed=1, **as_arguments(SOON))
    assert work() - before < 40


def test_empty_puzzle_of_the_largest_board_meets_the_limit(work: Callable[[], float]) -> None:
    kt.Puzzle((5, 5), {"a1": {1, 2}}).solve()
    before = work()
    kt.Puzzle((16, 16), {"a1": {1, 2}}).solve(n=50, **as_arguments(SOON))
    assert work() - before < 25


def test_interrupt_handling_ends_with_its_block() -> None:
    budget = Budget(Limits(seconds=1e-9))
    with budget.keeping_deadline(), pytest.raises(DeadlineError):
        check_deadline()
    check_deadline()


class Cancelled(Exception):
    """An exception of a service whose client has left."""


@pytest.mark.parametrize(
    "work",
    [
        partial(kt.solve, "8x8", start="b1", method="backtracking"),
        partial(kt.count, "7x7"),
        partial(kt.count, "6x6", where={"turns": 20}),
        partial(kt.make_puzzle, "8x8", level="expert", seed=1),
        partial(kt.improve, kt.Tour.from_array([0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4], "3x4")),
        partial(kt.sample, "8x8", 100_000),
    ],
    ids=lambda work: work.func.__name__,
)
def test_exception_in_on_progress_reaches_the_caller(work: Callable[..., object]) -> None:
    calls = 0

    def leave(_: kt.Progress) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        work(on_progress=leave)
    assert calls == 2
