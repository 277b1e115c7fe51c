"""Improvement of any statistic of a tour, by simulated annealing that starts from a given tour.

A step removes two or three moves and adds as many others. It reverses parts of the tour, moves them elsewhere, or cuts
the tour into loops, which cost a penalty until a later step joins them. Two moves alone do not reach some tours: they
found no 8x8 tour with more than 123 crossings, of 126 possible. Steps that make the tour worse are accepted with a
probability that falls as the search cools. The search restarts from the best tour found, or on small boards from a
random one, until a limit is reached. An open tour is a loop through one more vertex, joined to its two ends; if the
ends may change, that vertex is joined to every square, and a step there is a rotation.

The best tour seen is always kept, so the result is never worse than the input. Its optimality is not proved.

Cost: 0.4 us per step on 8x8, and in proportion to the length of the tour on large boards. From any 8x8 tour the minimum
and maximum of turns (45, 64) and crossings (69, 126) need about a second.
Sources: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Optimization by simulated annealing, 1983; S. Lin, 1965 (steps
of two and three moves).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits, limits_of
from knightstour.core.model.condition_check import confirm_answer, fault_of
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.symmetry import Symmetry, symmetries
from knightstour.core.model.tour import Tour, counts_as_closed
from knightstour.core.model.validation import Seed, an, flag, of_kind, seed_of, whole_number
from knightstour.core.proofs.symmetric import order_of_image
from knightstour.core.search import rotation
from knightstour.core.search.conditioned import answer
from knightstour.lab.objectives.covers import Cover, anneal, cover_of, order_of
from knightstour.lab.objectives.table import LONGEST, Objective, objective_of

_MAX_SQUARES = 100_000
# Steps without limits: some five seconds. A step takes longer on boards of more squares than these.
_STEPS, _SQUARES_OF_STEPS = 5_000_000, 3600
# The steps do not lead from every tour to every other, so on small boards every other cooling that found nothing better
# starts with a random tour.
_MAX_SQUARES_VARIED = 400
_NODES_OF_ANOTHER = 200


@dataclass(frozen=True, slots=True)
class Improvement:
    """What improve() found.

    tour: the best tour. objective: such as "minimize turns". before, after: the number of the given and of the best
    tour, counted as for tours of the kind asked for: an open tour without a move from its end to its start.
    steps: steps of the search. seconds: wall-clock time. seed: the one used.
    """

    tour: Tour
    objective: str
    before: int
    after: int
    steps: int
    seconds: float
    seed: int


def check_board(board: Board) -> None:
    """A BoardError where statistics are not defined, or which is too large to improve step by step."""
    if isinstance(board, CellBoard):
        raise BoardError("tours of cells are not improved", help="`measure` and `census` count turns of flat ones")
    if not board.is_flat:
        raise BoardError(f"turns and crossings are counted on flat boards only; this is {an(board.title)}")
    if board.square_count > _MAX_SQUARES:
        raise BoardError(
            f"{board.square_count:,} squares are too many to improve step by step (at most {_MAX_SQUARES:,})",
        )


def default_limits(board: Board) -> Limits:
    """Return the default limits of a search: limits of work, so that a seed gives the same tour on any machine.

    >>> default_limits(Board(8, 8)), default_limits(Board(120, 120)).nodes
    (Limits(seconds=None, nodes=5000000, bytes=None), 1250000)
    """
    return Limits(seconds=None, nodes=_STEPS * _SQUARES_OF_STEPS // max(_SQUARES_OF_STEPS, board.square_count))


def improve(
    tour: Tour,
    *,
    minimize: str | None = None,
    maximize: str | None = None,
    closed: bool | None = None,
    keep_ends: bool = False,
    symmetry: str | None = None,
    goal: int | None = None,
    seed: Seed = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    on_progress: OnProgress | None = None,
) -> Improvement:
    """Look for a tour of the same board and kind with less, or more, of a statistic.

    minimize, maximize: a name of STATISTICS, such as "turns" or "crossings"; by default turns are minimized. Squares or
        moves can be chosen as for `census`: "inside=a1..d4+e5", "among=a1-b3+b3-d4".
    closed: whether the better tour must be closed; None: if the given one is.
    keep_ends: whether the two ends of an open tour stay as they are.
    symmetry: of the tour, "180" or "90" for instance, which the better tour has, too.
    goal: end as soon as the number is reached.
    seed: an integer, a random generator, or None for a random seed; the same seed gives the same tour, unless a
        limit of seconds ends the search.
    timeout, max_nodes: seconds and steps of the annealing. The default is 5,000,000 steps, which need some five
        seconds, and fewer on boards of over 3,600 squares.
    on_progress: called with a Progress every fraction of a second.

    Raises BoardError for boards on which the statistic is not defined (wrapped sides, graphs) or which are too
    large (over 100,000 squares), ProblemError for an unknown statistic, or a symmetry that the tour does not have.

    >>> from knightstour.core.methods.solve import find_tour
    >>> better = improve(find_tour((6, 6), closed=True), minimize="turns", seed=1, max_nodes=20_000)
    >>> better.after == better.tour.turns <= better.before
    True
    """
    objective = objective_of(minimize, maximize) or Objective("turns", 1)
    if objective == LONGEST:
        help = 'use solve(board, partial=True, maximize="visits")'
        raise ProblemError("a tour of all squares cannot visit more", help=help)
    return improved(
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


def improved(
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
    wanted, is_closed = objective, _is_closed_wanted(tour, closed)
    wanted.check(tour.board, is_closed)
    keep_ends = flag(keep_ends, "keep_ends") and not is_closed
    kept = None if symmetry is None else _kept(tour, symmetry, is_closed)
    goal = None if goal is None else wanted.sign * whole_number(goal, "goal")
    first_seed = seed_of(seed)
    budget = Budget(default_limits(tour.board) if limits is None else limits, on_progress)
    better = tour
    if tour.board.square_count >= 5:
        annealed = functools.partial(_annealed, tour, wanted, budget, first_seed, goal=goal, kept=kept)
        better = annealed(is_closed=is_closed, keep_ends=keep_ends)
    before, after = wanted.of(tour, is_closed), wanted.of(better, is_closed)
    if wanted.sign * after > wanted.sign * before:
        better, after = tour, before
    return Improvement(better, str(objective), before, after, budget.nodes, budget.seconds, first_seed)


def _is_closed_wanted(tour: Tour, closed: bool | None) -> bool:
    """Whether the better tour must be closed; an error for a tour that cannot be improved to that."""
    check_board(of_kind(tour, Tour, "give a Tour, such as find_tour(board) does").board)
    return counts_as_closed(tour, closed)


def _kept(tour: Tour, name: str, is_closed: bool) -> Symmetry:
    """Return the symmetry of this name; raise ProblemError if the tour does not have it."""
    problem = Problem.of(tour.board, closed=is_closed, symmetry=name)
    if problem.symmetry in KINDS:
        names = " or ".join(KINDS[problem.symmetry][0])
        raise ProblemError(f"an improved tour may not stay {problem.symmetry}", help=f"name the symmetry, {names}")
    if fault_of(problem, tour.order) is not None:
        raise ProblemError(f"the tour has no symmetry {problem.symmetry}", help="give a tour that has it")
    return next(found for found in symmetries(tour.board) if found.name == problem.symmetry)


def _annealed(
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
    """The best tour that annealing found before the budget was spent.

    goal: sign times the number at which to end. kept: the symmetry that it keeps, if any.
    """
    board = tour.board
    squares: list[int] = tour.order.tolist()
    cover = cover_of(board, squares, is_closed, keep_ends, squares)
    asked = Problem.of(board, closed=is_closed, symmetry=None if kept is None else kept.name)
    if kept is not None:
        cover = cover.with_symmetry(kept.image, order_of_image(kept.image))

    def another(seed: int) -> Cover | None:
        """The cover of a random tour of the same kind, with the vertices numbered alike."""
        ends = (tour.start, tour.end) if keep_ends else (None, None)
        part = Budget(Limits(None, _NODES_OF_ANOTHER * len(squares)))
        outcome = answer(rotation.rotation, replace(asked, start=ends[0], end=ends[1]), part, seed, is_complete=False)
        if outcome.order is None:
            return None
        return cover_of(board, [int(square) for square in outcome.order], is_closed, keep_ends, squares)

    varied = another if len(squares) <= _MAX_SQUARES_VARIED else None
    found = anneal(cover, wanted, budget, seed, goal=goal, another=varied)
    if found is None:
        return tour
    best = Tour.from_order(board, order_of(cover, found, is_closed))
    best = best.reversed() if keep_ends and best.start != tour.start else best
    ends = (tour.start, tour.end) if keep_ends else (None, None)
    confirm_answer(replace(asked, start=ends[0], end=ends[1]), best, "improving")
    return best
