"""Improvement of a statistic of a tour by simulated annealing.

A step replaces two or three moves. It reverses parts of the tour, moves them elsewhere, or cuts the tour into loops,
which cost a penalty until a later step joins them. Steps that make the tour worse are accepted with a probability that
falls as the search cools. The search restarts from the best tour found, or on small boards from a random one, until a
limit is reached.

Cost: 0.4 us per step on 8x8, proportional to the length of the tour on large boards. From any 8x8 tour the minimum and
maximum of turns (45, 64) and crossings (69, 126) need about a second. Sources: S. Kirkpatrick, C. D. Gelatt and M. P.
Vecchi, Optimization by simulated annealing, 1983; S. Lin, 1965 (steps of two and three moves).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Board, square_count, title_of
from knightstour.core.model.budget import Budget, Limits, limits_of
from knightstour.core.model.condition_check import confirm_answer, fault_of
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.literals import ChosenStatistic, StatisticName
from knightstour.core.model.problem import Problem, replace_fields
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.symmetry import Symmetry, symmetries
from knightstour.core.model.tour import Tour, counts_as_closed, tour_of
from knightstour.core.model.validation import Seed, an, flag, of_kind, seed_of, whole_number
from knightstour.core.proofs.symmetric import order_of_image
from knightstour.core.search import rotation
from knightstour.core.search.conditioned import run_reduced
from knightstour.lab.objectives.covers import Cover, anneal, cover_of, order_of
from knightstour.lab.objectives.table import LONGEST, Objective, objective_of

_MAX_SQUARES = 100_000
# Default number of steps, about five seconds. On boards with more squares than the second number, a step is slower.
_STEPS, _SQUARES_OF_STEPS = 5_000_000, 3600
# The steps do not connect all tours, so on small boards every other cooling without improvement is followed by a random
# tour. Maximum size of such boards, and node limit per square for that tour.
_MAX_SQUARES_VARIED = 400
_NODES_OF_ANOTHER = 200


@dataclass(frozen=True, slots=True)
class Improvement:
    """Result of improve().

    Attributes:
        tour: The best tour.
        objective: The objective, such as "minimize turns".
        before, after: The statistic of the given and of the best tour, for open tours without a closing move.
        steps: Steps of the search.
        seconds: Wall-clock time.
        seed: The seed used.
    """

    tour: Tour
    objective: str
    before: int
    after: int
    steps: int
    seconds: float
    seed: int


def check_board(board: Board) -> None:
    """Raise BoardError if statistics are not defined on a board, or the board is too large to improve tours."""
    if isinstance(board, CellBoard):
        raise BoardError("tours of cells cannot be improved", help="use `measure` and `census` to count turns")
    if not is_flat(board):
        raise BoardError(f"turns and crossings are defined on flat boards only; this is {an(title_of(board))}")
    if square_count(board) > _MAX_SQUARES:
        raise BoardError(
            f"{square_count(board):,} squares are too many to improve a tour; the limit is {_MAX_SQUARES:,}",
        )


def default_limits(board: Board) -> Limits:
    """Return the default limits: a number of steps, so that a seed gives the same tour on any machine.

    >>> default_limits(Board(8, 8)), default_limits(Board(120, 120)).nodes
    (Limits(seconds=None, nodes=5000000, bytes=None), 1250000)
    """
    return Limits(seconds=None, nodes=_STEPS * _SQUARES_OF_STEPS // max(_SQUARES_OF_STEPS, square_count(board)))


@with_hints
def improve(
    tour: Tour,
    *,
    minimize: StatisticName | ChosenStatistic | None = None,
    maximize: StatisticName | ChosenStatistic | None = None,
    closed: bool | None = None,
    keep_ends: bool = False,
    symmetry: str | None = None,
    goal: int | None = None,
    seed: Seed = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    on_progress: OnProgress | None = None,
) -> Improvement:
    """Search for a tour of the same board and kind with a smaller or larger value of a statistic.

    Args:
        tour: The tour to start from.
        minimize, maximize: A statistic, such as "turns" (minimized by default) or "crossings", or chosen squares or
            moves as for `census`: "inside=a1..d4+e5", "among=a1-b3+b3-d4".
        closed: Whether the result must be closed; by default, like the given tour.
        keep_ends: Whether the two ends of an open tour must not change.
        symmetry: A symmetry of the tour, such as "180" or "90", to preserve.
        goal: A value of the statistic at which to stop.
        seed: An integer, a random generator, or None for a random seed. The same seed gives the same tour, unless a
            limit of seconds ends the search.
        timeout, max_nodes: Limits on seconds and on steps; by default 5,000,000 steps, which need about five seconds,
            and fewer on boards of over 3,600 squares.
        on_progress: Callback with a Progress every fraction of a second.

    Raises:
        BoardError: If the statistic is not defined on the board (joined sides, graphs), or the board has more than
            100,000 squares.
        ProblemError: If the statistic is unknown, or the tour does not have the symmetry.

    >>> from knightstour.core.methods.solve import find_tour
    >>> better = improve(find_tour((6, 6), closed=True), minimize="turns", seed=1, max_nodes=20_000)
    >>> better.after == better.tour.turns <= better.before
    True
    """
    objective = objective_of(minimize, maximize) or Objective("turns", 1)
    if objective == LONGEST:
        help = 'use solve(board, partial=True, maximize="visits")'
        raise ProblemError("a tour of all squares cannot visit more", help=help)
    return improve_tour(
        tour,
        objective,
        closed=closed,
        keep_ends=keep_ends,
        symmetry=symmetry,
        goal=goal,
        seed=seed,
        limits=limits_of(timeout, max_nodes=max_nodes),
        on_progress=on_progress,
    )


def improve_tour(
    tour: Tour,
    objective: Objective,
    *,
    closed: bool | None = None,
    keep_ends: bool = False,
    symmetry: str | None = None,
    goal: int | None = None,
    seed: Seed = None,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> Improvement:
    """Return the result of `improve` for an objective and limits."""
    wanted, is_closed = objective, _must_be_closed(tour, closed)
    wanted.check(tour.board, is_closed)
    keep_ends = flag(keep_ends, "keep_ends") and not is_closed
    kept = None if symmetry is None else _symmetry_to_keep(tour, symmetry, is_closed)
    goal = None if goal is None else wanted.sign * whole_number(goal, "goal")
    first_seed = seed_of(seed)
    budget = Budget(default_limits(tour.board) if limits is None else limits, on_progress)
    better = tour
    if square_count(tour.board) >= 5:
        anneal_tour = functools.partial(_anneal_tour, tour, wanted, budget, first_seed, goal=goal, kept=kept)
        better = anneal_tour(is_closed=is_closed, keep_ends=keep_ends)
    before, after = wanted.of(tour, is_closed), wanted.of(better, is_closed)
    if wanted.sign * after > wanted.sign * before:
        better, after = tour, before
    return Improvement(better, str(objective), before, after, budget.nodes, budget.seconds, first_seed)


def _must_be_closed(tour: Tour, closed: bool | None) -> bool:
    """Whether the result must be closed; raise an error if that is impossible."""
    check_board(of_kind(tour, Tour, "pass a Tour, such as find_tour(board) does").board)
    return counts_as_closed(tour, closed)


def _symmetry_to_keep(tour: Tour, name: str, is_closed: bool) -> Symmetry:
    """Raise ProblemError if the tour does not have the symmetry."""
    problem = Problem(tour.board, closed=is_closed, symmetry=name)
    if problem.symmetry in KINDS:
        names = " or ".join(KINDS[problem.symmetry][0])
        raise ProblemError(f"improvement does not support {problem.symmetry} tours", help=f"use a symmetry: {names}")
    if fault_of(problem, tour.order) is not None:
        raise ProblemError(f"the tour does not have the symmetry {problem.symmetry}", help="omit symmetry")
    return next(found for found in symmetries(tour.board) if found.name == problem.symmetry)


def _anneal_tour(
    tour: Tour,
    wanted: Objective,
    budget: Budget,
    seed: int,
    *,
    is_closed: bool,
    keep_ends: bool,
    goal: int | None,
    kept: Symmetry | None,
) -> Tour:
    """Return the best tour that annealing finds within the budget.

    goal: value of sign times statistic at which to stop. kept: symmetry to preserve, or None.
    """
    board = tour.board
    squares: list[int] = tour.order.tolist()
    cover = cover_of(board, squares, is_closed, keep_ends, squares)
    problem = Problem(board, closed=is_closed, symmetry=None if kept is None else kept.name)
    if kept is not None:
        cover = cover.with_symmetry(kept.image, order_of_image(kept.image))

    def new_cover(seed: int) -> Cover | None:
        """Return a cover of another random tour with the same vertices."""
        ends = (tour.start, tour.end) if keep_ends else (None, None)
        part = Budget(Limits(None, _NODES_OF_ANOTHER * len(squares)))
        outcome = run_reduced(
            rotation.rotation, replace_fields(problem, start=ends[0], end=ends[1]), part, seed, is_complete=False
        )
        if outcome.order is None:
            return None
        return cover_of(board, [int(square) for square in outcome.order], is_closed, keep_ends, squares)

    varied = new_cover if len(squares) <= _MAX_SQUARES_VARIED else None
    found = anneal(cover, wanted, budget, seed, goal=goal, another=varied)
    if found is None:
        return tour
    best = tour_of(board, order_of(cover, found, is_closed))
    best = best.reversed() if keep_ends and best.start != tour.start else best
    ends = (tour.start, tour.end) if keep_ends else (None, None)
    confirm_answer(replace_fields(problem, start=ends[0], end=ends[1]), best, "improving")
    return best
