"""The ways of counting, a row each: which questions a way answers, what that takes, and which function does it.

Plans (plan.py), refusals (refusals.py), counts (count.py) and the table in docs/counting.md read the rows. The first
one that fits a question counts it; what was found out to see that, such as the cut of a board, goes along with the
count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from knightstour.core.model.late import Late
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome
from knightstour.core.proofs import arguments
from knightstour.core.search.frontier.plan import Plan, make_plan
from knightstour.lab.counting.forecast import guess_states, most_states
from knightstour.lab.counting.halves.cut import Cut, check_across, count_without_cut, make_cut, the_cut
from knightstour.lab.counting.halves.stores import HALVES_SHARE
from knightstour.lab.counting.narrow import NARROW, TRANSFERRED
from knightstour.lab.counting.needs import (
    HALF_STATE_BYTES,
    KEPT_STATE_BYTES,
    KEPT_WAY_BYTES,
    LONG_SQUARES,
    NUMBERED_BYTES,
    STATE_BYTES,
    Needs,
    is_giant,
    is_ten,
    needs_of_giant,
    needs_of_halves,
    needs_of_quotients,
    needs_of_recurrence,
    needs_of_states,
    needs_of_ten,
    sum_bytes,
)

# States of the widest layer that are so few that a cut would not pay.
_FEW_STATES = 3_000
# States may take this share of the memory that is free.
STATES_SHARE = 0.6
# The symmetry of a task that is about all symmetries of a board, one after the other.
EACH: Final = "each"
_count = Late("knightstour.lab.counting.count")


class Task(NamedTuple):
    """A question as the ways look at it.

    symmetry: of the tours that are counted, None for all tours. route: "states" or "halves" to have that way.
    keeps_files: with a checkpoint. across: the side that a cut is to go across. keep: all layers are kept, to number
    the tours.
    """

    problem: Problem
    symmetry: str | None = None
    route: str | None = None
    keeps_files: bool = False
    across: int | None = None
    keep: bool = False

    @property
    def what(self) -> str:
        """What is counted, as a sentence would say it.

        >>> Task(Problem.of((8, 8), closed=True), "180").what
        'closed tours of the 8x8 board with symmetry 180'
        """
        if self.symmetry == EACH:
            return f"classes of {self.problem.plural}"
        return self.problem.plural + ("" if self.symmetry is None else f" with symmetry {self.symmetry}")


class Found(NamedTuple):
    """What shows that a way fits: a proof that there are no tours, a cut, or the orders of squares of some graphs."""

    proof: Outcome | None = None
    cut: Cut | None = None
    plans: Sequence[Plan] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """A row of WAYS.

    name: what answers call it. boards: what it counts, in words. how: how it does that.
    fits: what shows that it fits a task, or None. needs: what it takes, or None where that is next to nothing.
    most: bytes that it cannot pass; where so much is free, nothing is estimated.
    share: of the free memory that it may take. on_disk: whether layers may be on disk.
    count: does it; None where this version cannot, as it lacks what `missing` says.
    """

    name: str
    boards: str
    how: str
    fits: Callable[[Task], Found | None]
    needs: Callable[[Fit], Needs | None]
    count: Callable[..., Any] | None
    most: Callable[[Fit], float] = lambda fit: float("inf")
    share: float = 1.0
    on_disk: bool = False
    missing: str = ""

    def fit(self, task: Task) -> Fit | None:
        """The fit of this way to a task, or None."""
        found = self.fits(task)
        return None if found is None else Fit(self, task, found)


class Fit(NamedTuple):
    """A way that fits a task, and what shows it."""

    way: Way
    task: Task
    found: Found = Found()

    @property
    def name(self) -> str:
        """The name of the way."""
        return self.way.name


def has_recurrence(problem: Problem) -> bool:
    """Whether the question is one that narrow.py answers: about a plain board of few rows, or of five and very long."""
    if not problem.board.is_rectangle or problem.has_given_end:
        return False
    width = min(problem.board.rows, problem.board.cols), problem.closed
    return width in NARROW or (width in TRANSFERRED and problem.board.square_count > LONG_SQUARES)


def _by_proof(task: Task) -> Found | None:
    proof = arguments.known_proof(task.problem) if task.route is None else None
    return None if proof is None else Found(proof)


def _by_recurrence(task: Task) -> Found | None:
    return Found() if (task.route, task.across) == (None, None) and has_recurrence(task.problem) else None


def _is_small(task: Task) -> bool:
    """Whether states answer at once, so that a cut is not worth while."""
    if (task.route, task.across) != (None, None):
        return False
    squares = task.problem.board.square_count
    is_small = not task.keeps_files and squares <= 100 and guess_states(make_plan(task.problem))[0] <= _FEW_STATES
    return squares == 1 or is_small


def _by_halves(task: Task) -> Found | None:
    if task.across is not None:
        return Found(cut=the_cut(task.problem, across=task.across))
    if task.route == "states" or _is_small(task):
        return None
    cut = make_cut(task.problem, is_wide=True)
    return None if cut is None and task.route != "halves" else Found(cut=cut)


def _is_without_cut(fit: Fit) -> bool:
    return not fit.task.keep and count_without_cut(fit.task.problem) is not None


def _halves_need(fit: Fit) -> Needs | None:
    cut, task = fit.found.cut, fit.task
    return None if cut is None or _is_without_cut(fit) else needs_of_halves(task.problem, cut, keep=task.keep)


def _most_of_halves(fit: Fit) -> float:
    cut = fit.found.cut
    if cut is None:
        return 0.0
    most = most_states(max(cut.left.slots, cut.right.slots) + 1)
    steps = len(cut.left.steps) + (0 if cut.is_even else len(cut.right.steps))
    return most * (steps * NUMBERED_BYTES if fit.task.keep else 3 * HALF_STATE_BYTES)


def _states_need(fit: Fit) -> Needs | None:
    problem, keep = fit.task.problem, fit.task.keep
    return None if _is_without_cut(fit) else needs_of_states(problem, fit.found.plans[0], keep=keep)


def _most_of_states(fit: Fit) -> float:
    widths = [mask.bit_count() for mask in fit.found.plans[0].present]
    most = most_states(max(widths)) * STATE_BYTES
    each = KEPT_STATE_BYTES + 4 * KEPT_WAY_BYTES
    return most + sum(map(most_states, widths)) * each if fit.task.keep else most


def _by_quotient(task: Task) -> Found | None:
    if task.symmetry is None:
        return None
    from knightstour.lab.counting.symmetric import check_classes, symmetric_plans

    if task.symmetry == EACH:
        check_classes(task.problem.board, closed=task.problem.closed)
    symmetry = None if task.symmetry == EACH else task.symmetry
    return Found(plans=symmetric_plans(task.problem.board, symmetry, closed=task.problem.closed))


def _most_of_quotients(fit: Fit) -> float:
    sizes = (3.5 * sum_bytes(plan) * _widest(plan) for plan in fit.found.plans)
    return max(sizes, default=0.0)


def _widest(plan: Plan) -> float:
    return most_states(max(mask.bit_count() for mask in plan.present))


QUOTIENT: Final = Way(
    name="quotient",
    boards="tours with a symmetry; with those of each symmetry, classes",
    how="states of a smaller graph, whose squares are those that the symmetry takes to each other",
    fits=_by_quotient,
    needs=lambda fit: needs_of_quotients(fit.task.problem.board, fit.found.plans),
    most=_most_of_quotients,
    count=Late("knightstour.lab.counting.by_symmetry").by_quotient,
)
PROOF: Final = Way(
    name="proof",
    boards="boards of which a theorem or a simple argument says that there is no tour",
    how="the count is 0",
    fits=_by_proof,
    needs=lambda fit: None,
    count=_count.by_proof,
)
RECURRENCE: Final = Way(
    name="recurrence",
    boards="plain boards of up to 4 rows and any length, and very long closed ones of 5",
    how="column after column, by a recurrence",
    fits=_by_recurrence,
    needs=lambda fit: needs_of_recurrence(fit.task.problem),
    count=_count.by_recurrence,
)
TEN: Final = Way(
    name="halves",
    boards="closed tours of 10x10: not yet",
    how="by halves, with words of 20 slots",
    fits=lambda task: Found() if (task.route, task.across) == (None, None) and is_ten(task.problem) else None,
    needs=lambda fit: needs_of_ten(),
    count=None,
    share=HALVES_SHARE,
    missing="words of 20 slots",
)
GIANT: Final = Way(
    name="states",
    boards="boards that are large both ways: never",
    how="by states, of which there are far more than any computer holds",
    fits=lambda task: None if task.across is not None or not is_giant(task.problem.board) else Found(),
    needs=lambda fit: needs_of_giant(keep=fit.task.keep),
    count=_count.by_states,
    share=STATES_SHARE,
)
HALVES: Final = Way(
    name="halves",
    boards="boards that come apart over few squares: plain ones of up to 8 rows, closed ones of 9",
    how="both halves of the board, layer after layer in memory or on disk, then the join",
    fits=_by_halves,
    needs=_halves_need,
    most=_most_of_halves,
    count=_count.by_halves,
    share=HALVES_SHARE,
    on_disk=True,
)
STATES: Final = Way(
    name="states",
    boards="all other boards, and small ones",
    how="square after square, all states of the frontier in memory",
    fits=lambda task: Found(plans=(make_plan(task.problem),)),
    needs=_states_need,
    most=_most_of_states,
    count=_count.by_states,
    share=STATES_SHARE,
)
# In the order in which they are tried.
WAYS: Final = (QUOTIENT, PROOF, RECURRENCE, TEN, GIANT, HALVES, STATES)


def find_way(task: Task) -> Fit:
    """The first way that fits a task.

    >>> [find_way(Task(Problem.of(board, closed=True))).name for board in ((5, 5), (4, 9), (3, 10), (8, 8), (9, 10))]
    ['proof', 'proof', 'recurrence', 'halves', 'halves']
    """
    if task.across is not None:
        check_across(task.problem, task.across)
    return next(fit for way in WAYS if (fit := way.fit(task)) is not None)
