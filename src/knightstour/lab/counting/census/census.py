"""Censuses: the number of tours of a board for each value of a statistic."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, overload

import numpy as np

from knightstour.core.machine.memory import available_bytes
from knightstour.core.machine.sharing import Workers
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Square, title_of
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.errors import ProblemError, check_own_answer
from knightstour.core.model.literals import ChosenStatistic, StatisticName
from knightstour.core.model.problem import Problem, Question, check_supported, plural_of, problem_of
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.tour import tour_of
from knightstour.core.model.validation import Seed, an, seed_of, whole_number
from knightstour.core.proofs.arguments import known_proof
from knightstour.core.statistics.statistic import Statistic
from knightstour.core.statistics.strokes import Strokes
from knightstour.core.statistics.table import statistic_named
from knightstour.lab.counting.by_symmetry import SymmetryTable, symmetry_table
from knightstour.lab.counting.census.by_halves import can_count, census_by_halves
from knightstour.lab.counting.census.on_network import TooManyStates, count_by_corners, count_by_moves
from knightstour.lab.counting.census.on_network import can_count as can_mark
from knightstour.lab.counting.census.result import Census, Extreme
from knightstour.lab.counting.count import count as count_all
from knightstour.lab.counting.halves.cut import count_without_cut
from knightstour.lab.counting.halves.layers import CountsTooLarge, spans
from knightstour.lab.counting.needs import CENSUS
from knightstour.lab.counting.plan import refuse
from knightstour.lab.counting.settings import CountOptions, CountProgress, CountSettings, count_budget
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.tour_space import TourSpace
from knightstour.lab.counting.spaces.visiting import orders_between
from knightstour.lab.counting.starts import StartCounts, start_counts
from knightstour.lab.counting.ways import HALVES, STATES, Fit, Task

# Seconds for a tour that is built and measured, on a slow machine.
_SECONDS_PER_TOUR = 3e-6
# A longer census requires a time limit.
_LONGEST_SECONDS = 3600
# A sum over moves uses halves if the states of whole tours need more time.
_MAX_SECONDS_OF_STATES = 2.5
# A sum over corners uses marked states if listing the tours needs at least the first time; seconds per way of the
# network, and bytes per state of the widest layer.
_LEAST_SECONDS_TO_MARK = 20.0
_SECONDS_PER_WAY, _MARKED_BYTES = 5e-5, 6000
# Fraction of the free memory for states.
_SHARE = 0.5
# Number of random tours measured together.
_AT_ONCE = 10_000
_INSTEAD = "draw a sample: samples=100_000, or `census --sample 100000`"


@overload
def census(  # type: ignore[overload-overlap]
    board: Question,
    by: Literal["symmetry"] = "symmetry",
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    samples: int | None = None,
    seed: Seed = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
) -> SymmetryTable: ...
@overload
def census(  # type: ignore[overload-overlap]
    board: Question,
    by: Literal["start"],
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    samples: int | None = None,
    seed: Seed = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
) -> StartCounts: ...
@overload
def census(
    board: Question,
    by: StatisticName | ChosenStatistic,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    samples: int | None = None,
    seed: Seed = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
) -> Census: ...
@with_hints
def census(
    board: Question,
    by: StatisticName | ChosenStatistic | Literal["symmetry", "start"] = "symmetry",
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    samples: int | None = None,
    seed: Seed = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
) -> Census | SymmetryTable | StartCounts:
    """Count the tours of a board by a statistic.

    Args:
        board, closed, start, end: As for `count`; tours are undirected.
        by: A name of STATISTICS, or "symmetry" (a SymmetryTable: tours and classes with exactly each symmetry), or
            "start" (StartCounts: directed open tours from each square).
        samples: Number of random tours, from which the numbers are estimated; required if there are too many tours.
        seed: An integer, a random generator, or None for a random seed.
        timeout, max_nodes, memory, workers, on_progress: As for count.

    Statistics that are sums over moves are counted without building the tours; on narrow boards also statistics that
    count corners.

    Raises:
        ProblemError: If the statistic is unknown.
        BoardError: If the statistic has no meaning.
        LimitReached: At a limit, or if counting is infeasible or needs hours without a timeout, with advice.

    >>> found = census("6x6", "turns", closed=True)
    >>> found.counts
    {32: 18, 33: 344, 34: 1816, 35: 4504, 36: 3180}
    >>> print(found)
    9,862 closed tours of the 6x6 board: turns 32 to 36, mean 35.06
    >>> print(census("6x6", "steep-up", closed=True, samples=100, seed=1))
    100 of 9,862 closed tours of the 6x6 board: steep-up 5 to 12, mean 9.09
    """
    options: CountOptions = {"timeout": timeout, "max_nodes": max_nodes, "memory": memory, "workers": workers}
    options["on_progress"] = on_progress
    problem = problem_of(board, closed=closed, start=start, end=end)
    if isinstance(by, str) and by in ("symmetry", "start"):
        if samples is not None or seed is not None:
            raise ProblemError(f"samples and seed are not supported by {by!r}: its numbers are exact", help="omit them")
        return symmetry_table(problem, **options) if by == "symmetry" else start_counts(problem, **options)
    check_supported(problem, "a census")
    statistic = statistic_named(by)
    statistic.check(problem.board, problem.closed)
    if samples is not None:
        return _sample_census(problem, statistic, whole_number(samples, "samples", least=1), seed_of(seed), options)
    if seed is not None:
        raise ProblemError("all tours are counted, so there is nothing to draw", help="omit seed, or pass samples")
    adds_up = statistic.adds_up_over == "moves"
    settings = CountSettings.of(options)
    limits = settings.limits
    budget = count_budget(limits, settings.on_progress)
    with CountProgress(problem, budget, "census").keeping_deadline():
        if known_proof(problem) is not None:
            return Census(problem, by, {}, 0, "proof")
        fit = _fit_of(problem, adds_up)
        refuse(fit, _most_bytes(limits))
    # An independent count: by halves or by a recurrence, if possible, and not by the states of the census.
    total = count_all(problem, **options)
    if fit.evidence.cut is not None:
        counts = _by_halves(problem, statistic, CountProgress(problem, budget, "census"), settings.threads)
        _audit(counts, total)
        return Census(problem, by, counts, total, "polynomials")
    is_bounded = limits is not None and limits.seconds is not None
    has_corners = statistic.adds_up_over == "corners" and _pays_to_mark(fit, total, limits)
    if not adds_up and not has_corners:
        _refuse_tours(problem, total, is_bounded=is_bounded)
    space = WaySpace.build(problem, budget)
    if adds_up or has_corners:
        together = count_by_moves(space, statistic) if adds_up else _by_corners(space, statistic, total, budget)
        if together is not None:
            _audit(together, total)
            return Census(problem, by, together, total, "polynomials")
        _refuse_tours(problem, total, is_bounded=is_bounded)
    tally = visit(space, by, CountProgress(problem, budget, "census"))
    _audit(tally.counts, total)
    empty = Census(problem, by, {}, space.count, "visits")
    return _census_of_tally(empty, tally, lambda n: next(orders_between(space, n, n))[0])


def _fit_of(problem: Problem, adds_up: bool) -> Fit:
    """Return the fit for building states: by halves for a sum over moves whose states of whole tours are slow."""
    task = Task(problem, purpose=CENSUS)
    states = STATES.fit(task)
    assert states is not None
    if not adds_up or count_without_cut(problem) is not None or not can_count(problem):
        return states
    is_slow = states.needs is not None and states.needs.seconds > _MAX_SECONDS_OF_STATES
    return (HALVES.fit(task._replace(method="halves")) if is_slow else None) or states


def _by_halves(problem: Problem, statistic: Statistic, watch: CountProgress, threads: int | None) -> dict[int, int]:
    try:
        return census_by_halves(problem, statistic, watch, threads=threads)
    except CountsTooLarge:
        raise watch.limit_error(
            f"a census of {an(title_of(problem.board))} is infeasible: its halves have too many partial tours",
            note="the numbers of partial tours must fit into machine words",
            help=_INSTEAD,
        ) from None


def _pays_to_mark(fit: Fit, total: int, limits: Limits | None) -> bool:
    """Return whether a list would be slow, and marked states fit into the memory."""
    if total * _SECONDS_PER_TOUR < _LEAST_SECONDS_TO_MARK or (needs := fit.needs) is None:
        return False
    return needs.widest / needs.margin * _MARKED_BYTES < _most_bytes(limits)


def _by_corners(space: WaySpace, statistic: Statistic, total: int, budget: Budget) -> dict[int, int] | None:
    """Return the counts by marks on states, or None if a list is faster or memory is short."""
    ways, widest = sum(len(each.targets) for each in space.ways), max(each.states for each in space.ways)
    most = _most_bytes(budget.limits)
    if ways * _SECONDS_PER_WAY > total * _SECONDS_PER_TOUR or widest * _MARKED_BYTES > most or not can_mark(space):
        return None
    try:
        return count_by_corners(space, statistic, CountProgress(space.problem, budget, "census"), most)
    except TooManyStates:
        return None


def _most_bytes(limits: Limits | None) -> int:
    return int(available_bytes() * _SHARE) if limits is None or limits.bytes is None else limits.bytes


def _audit(counts: Mapping[int, int], total: int) -> None:
    found = sum(counts.values())
    check_own_answer(found == total, f"the census has {found:,} tours, and there are {total:,}")


def _census_of_tally(empty: Census, tally: Tally, order_of: Callable[[int], np.ndarray]) -> Census:
    """Return the census with counts and extreme tours. order_of: function from a rank to a tour."""
    numbers = dict(sorted(tally.first.items()))

    def extreme(value: int) -> Extreme:
        tour = tour_of(empty.problem.board, order_of(numbers[value]))
        confirm_answer(empty.problem, tour, "a census")
        return Extreme(value, tour)

    return dataclasses.replace(
        empty,
        counts=dict(sorted(tally.counts.items())),
        numbers=numbers,
        least=extreme(min(numbers)) if numbers else None,
        most=extreme(max(numbers)) if numbers else None,
    )


def _sample_census(problem: Problem, statistic: Statistic, samples: int, seed: int, options: CountOptions) -> Census:
    space = TourSpace(problem, **options)
    tally = NOTHING
    if space.count:
        numbers = space.random_numbers(samples, seed)
        report = Reporter(options.get("on_progress"), "drawing", samples)
        for first, last in spans(samples, _AT_ONCE):
            orders = space.orders(numbers[first:last])
            met = statistic.of(Strokes(problem.board, orders, closed=problem.closed)).tolist()
            # In falling order, so that the lowest number of each value stays.
            drawn = sorted(zip(numbers[first:last], met, strict=True), reverse=True)
            tally = tally.plus(Tally(Counter(met), {value: number for number, value in drawn}))
            report(last)
    empty = Census(problem, statistic.name, {}, space.count, "sample", samples, seed)
    return _census_of_tally(empty, tally, lambda n: space.orders([n])[0])


def _refuse_tours(problem: Problem, count: int, *, is_bounded: bool) -> None:
    seconds = count * _SECONDS_PER_TOUR
    if seconds > _LONGEST_SECONDS and not is_bounded:
        reason = f"to build and measure {count:,} {plural_of(problem)} takes about {seconds / 3600:,.0f} hours"
        raise CountProgress(problem, method="census").limit_error(reason, help=f"{_INSTEAD}; or set a timeout")


# ---------------------------------------------------------------- listing


class Tally(NamedTuple):
    """Counts of a census: value -> tours; `first` maps each value to the lowest rank of a tour that has it."""

    counts: Counter[int]
    first: dict[int, int]

    def plus(self, other: Tally) -> Tally:
        """Return the sum of both; the lower rank of each value stays.

        >>> Tally(Counter([30, 31]), {30: 5, 31: 2}).plus(Tally(Counter([30]), {30: 4})).first
        {30: 4, 31: 2}
        """
        lowest = {value: min(k, other.first.get(value, k)) for value, k in self.first.items()}
        return Tally(self.counts + other.counts, {**other.first, **lowest})


NOTHING = Tally(Counter(), {})


def visit(space: WaySpace, name: str, watch: CountProgress) -> Tally:
    """Return the tally of all tours of a space, built in the order of their ranks: some microseconds each.

    Raises LimitReached if the budget of `watch` is spent.
    """
    statistic, problem = statistic_named(name), space.problem
    tally, done = NOTHING, 0
    for orders in orders_between(space, 1, space.count):
        values = statistic.of(Strokes(problem.board, orders, closed=problem.closed))
        found, places, counts = np.unique(values, return_index=True, return_counts=True)
        met = found.tolist()
        here = Counter(dict(zip(met, counts.tolist(), strict=True)))
        first = {value: done + 1 + place for value, place in zip(met, places.tolist(), strict=True)}
        tally = tally.plus(Tally(here, first))
        done += len(orders)
        watch.report(f"{done:,} of {space.count:,} tours", done / space.count, done)
    return tally
