"""How fast the numbers of tours grow with the length of a board of few rows: the growth rate, between proved bounds.

The number of tours of the rows x n board is a number of walks of n steps in a graph of states (strips.py), so it
grows as rho^n, where rho is the largest spectral radius of the parts of that graph that a tour can stay in: its
strongly connected components. For a component with matrix T and any positive vector w,

    min (T w)_s / w_s  <=  rho  <=  max (T w)_s / w_s    (Collatz 1942, Wielandt 1950).

The power method finds a w for which the two are next to equal. The bounds hold for the w that was used, however it was
found. Only the rounding of T w is left: sums of positive numbers, at most 6 at a time, row after row, whose relative
error is at most that of some roundings; the bounds are moved apart by as much. That the rest of the graph grows more
slowly is proved in the same way, and that tours stay in the component is shown by a state of it from which one can be
completed.

Closed tours take another way to such bounds, which keeps no graph (halves/steady.py).

Open tours are counted in three parts: before an end of the tour is placed, with one end placed, and with both. The
first and the last have the same states, those of closed tours, since the two loose paths count as one; they are mirror
images of each other. So the rate of open tours is the larger one of two.
"""

from __future__ import annotations

import math
import os
from typing import NamedTuple

import numpy as np

from knightstour.core.model.arguments import shows_arguments
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.validation import amount
from knightstour.core.proofs import arguments
from knightstour.lab.counting.halves import steady
from knightstour.lab.counting.settings import Watch, check_resume, count_budget
from knightstour.lab.counting.strips import MOST_ROWS, StripGraph, bare, endings, loosened

# Steps of the power method at most; and in small graphs to find which part of them grows fastest.
_MOST_STEPS, _STEPS = 400, 200
# The bounds are close enough where they differ by this part.
_CLOSE = 8e-15
_ROUNDING = 2.0**-53
# Columns of a board that has tours if any does.
_COLUMNS = 36
# States from which tours are completed at a time.
_WORDS = 1 << 10
# Graphs of more ways are searched in fewer steps.
_MANY_WAYS = 10**6
# Smaller numbers would lose digits.
_TINY = 1e-280


class GrowthRate(NamedTuple):
    """The number of tours of the rows x n board grows as rate^n, and low <= rate <= high is proved.

    (The n-th root of the number tends to the rate, over those n for which there are tours.) states, ways: of the graph.
    parts: of open tours, the bounds while no end is placed, or both, and while one is; of closed ones just the bounds.
    """

    rows: int
    closed: bool
    low: float
    high: float
    states: int
    ways: int
    parts: tuple[tuple[float, float], ...]

    @property
    def decimals(self) -> str:
        """The rate in the digits that both bounds share, cut off.

        >>> GrowthRate(3, True, 3.11949045, 3.11949046, 0, 0, ()).decimals
        '3.1194904'
        """
        low, high = (f"{bound:.16f}" for bound in (self.low, self.high))
        same = next((k for k, (a, b) in enumerate(zip(low, high, strict=True)) if a != b), len(low))
        return low[:same]

    def __str__(self) -> str:
        kind = "closed" if self.closed else "open"
        return f"{kind} tours of {self.rows} x n boards grow as {self.decimals}...^n"


@shows_arguments
def growth_rate(
    board: Question,
    *,
    closed: bool = False,
    limits: Limits | None = None,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> GrowthRate:
    """How fast the number of tours of boards of few rows grows with each column, between proved bounds.

    board: any board of that width: the shorter side counts; 3 to 6 rows, up to 8 for closed tours.
    closed: as for count_tours.
    limits: seconds, states and bytes. 6 rows take 7 s of a processor, open 150 s; 7 rows 100 s; 8 rows two hours and
        11 GB; fewer rows less.
    threads, checkpoint, resume: as for count_tours, for closed tours.

    Raises ProblemError for boards that are not plain, or have fewer or more rows, or no tours of any length;
    LimitReached at a limit, with the bounds so far, if there are any; BoardError where memory does not suffice;
    FormatError for a checkpoint that is foreign or damaged.

    >>> found = growth_rate((3, 10), closed=True)
    >>> found.low < 3.119490456755102 < found.high, found.high - found.low < 1e-12
    (True, True)
    >>> print(growth_rate((4, 10)))
    open tours of 4 x n boards grow as 4.476427484534...^n
    """
    problem = Problem.of(board, closed=closed)
    problem.check_takes("a growth rate")
    if not problem.board.is_rectangle or (problem.start, problem.end) != (None, None):
        raise ProblemError("growth rates are those of plain boards, all tours", help="give rows x cols only")
    rows = min(problem.board.rows, problem.board.cols)
    kind, most = ("closed", steady.MOST_ROWS) if problem.closed else ("open", MOST_ROWS)
    if rows > most:
        raise ProblemError(
            f"the growth rate of {kind} tours of boards with {rows} rows is infeasible: {most} rows at most",
            help="the ratio of two counts is near it",
        )
    none = arguments.known_proof(Problem.of((rows, _COLUMNS), closed=problem.closed))
    if none is not None:
        raise ProblemError(f"there are no tours of {rows} rows that could grow: {none.reason}")
    amount(threads, "threads")
    check_resume(checkpoint, resume)
    watch = Watch(problem, count_budget(limits, on_progress))
    if problem.closed:
        found = steady.bounds_of_rate(rows, watch, threads=threads, checkpoint=checkpoint, resume=resume)
        return GrowthRate(rows, True, found.low, found.high, found.states, found.ways, ((found.low, found.high),))
    if checkpoint is not None:
        raise ProblemError(
            f"the growth rate of {kind} tours of boards with {rows} rows keeps no checkpoints",
            help=f"checkpoints are for closed tours of 3 to {steady.MOST_ROWS} rows",
        )
    states = ways = 0
    parts: list[tuple[float, float]] = []
    seeds = [bare(rows)]
    for is_loose in (False, True):
        graph = StripGraph(rows, seeds, watch)
        states, ways = states + graph.states, ways + graph.ways
        parts.append(_bounds(graph, watch))
        seeds = [] if is_loose else loosened(graph.words, rows)
        del graph
    low, high = max(low for low, _ in parts), max(high for _, high in parts)
    return GrowthRate(rows, False, low, high, states, ways, tuple(parts))


def _bounds(graph: StripGraph, watch: Watch) -> tuple[float, float]:
    """Bounds of the largest rate in a graph.

    The lower bound is 0 where no tour is known that passes through the part of the graph that grows fastest.
    """
    component = _component(graph, _fastest(graph, watch), watch)
    low, high = _power(graph, component, watch)
    return low if _is_passed(graph, component, watch) else 0.0, max(high, _rate_of_rest(graph, ~component, watch))


def _is_passed(graph: StripGraph, component: np.ndarray, watch: Watch) -> bool:
    """Whether some open tour passes through a component: three columns complete one from one of its states.

    All states are those of half-made tours.
    """
    words = graph.words[component].tolist()
    for first in range(0, len(words), _WORDS):
        watch.report("looking for a tour that passes the states", None, first)
        if endings(graph.rows, words[first : first + _WORDS], is_open=True).any():
            return True
    return False


def _steps(graph: StripGraph) -> int:
    """Steps of the power method where no more are needed than it takes to tell parts of a graph from each other."""
    return _STEPS if graph.ways < _MANY_WAYS else _STEPS // 8


def _fastest(graph: StripGraph, watch: Watch) -> int:
    """A state where the graph grows fastest: many walks come to it, and many go on from it."""
    coming, going = np.ones(graph.states), np.ones(graph.states)
    for _ in range(_steps(graph)):
        watch.report("finding where the states grow fastest", None, graph.states)
        coming, going = coming + graph.pushed(coming), going + graph.pulled(going)
        coming, going = coming / coming.max(), going / going.max()
    return int(np.argmax(coming * going))


def _component(graph: StripGraph, state: int, watch: Watch) -> np.ndarray:
    """Which states are in the strongly connected component of a state: bool (states,)."""
    both = np.ones(graph.states, dtype=bool)
    for step in (graph.pushed, graph.pulled):
        reached = np.zeros(graph.states, dtype=bool)
        reached[state] = True
        fresh = reached
        while fresh.any():
            watch.report("finding the states that tours can stay in", None, int(reached.sum()))
            fresh = (step(reached.astype(float)) > 0) & ~reached
            reached |= fresh
        both &= reached
    return both


def _power(graph: StripGraph, part: np.ndarray, watch: Watch, most: int = _MOST_STEPS) -> tuple[float, float]:
    """Bounds of the spectral radius of the graph within a part, from each state of which a way stays in the part."""
    error = (6 * graph.rows + 2) * _ROUNDING
    weights = part.astype(float)
    low, high = 0.0, math.inf
    for step in range(most):
        moved = np.where(part, graph.pulled(weights), 0.0)
        ratios = moved[part] / weights[part]
        # Every vector gives bounds, so the best of all are right.
        low = max(low, float(ratios.min()) * (1 - 2 * error))
        high = min(high, float(ratios.max()) * (1 + 2 * error))
        if high - low < high * (_CLOSE + 4 * error):
            break
        watch.report(f"between {low:.13g} and {high:.13g}", step / most)
        # The shift makes it converge where states come back every second column alone.
        weights = moved / high + weights
        weights /= weights.max()
        if weights[part].min() < _TINY:
            raise AssertionError("the vector has numbers too small for bounds")
    return math.nextafter(low, 0.0), math.nextafter(high, math.inf)


def _rate_of_rest(graph: StripGraph, rest: np.ndarray, watch: Watch) -> float:
    """An upper bound of the rate in the rest of the graph; 0 where walks there end."""
    while True:
        watch.report("looking at the rest of the states", None)
        lasting = rest & (graph.pulled(rest.astype(float)) > 0)
        if (lasting == rest).all():
            break
        rest = lasting
    return _power(graph, rest, watch, most=_steps(graph))[1] if rest.any() else 0.0
