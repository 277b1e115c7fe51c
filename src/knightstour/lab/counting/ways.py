"""The counting algorithms, one row each: applicable problems, cost, and function.

Plans (plan.py), counts (count.py) and the table in docs/how-counting-works.md read the rows. The first applicable row
counts; intermediate results of the selection, such as the cut of a board, are passed to the count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from knightstour.core.model.board import square_count
from knightstour.core.model.condition_table import LISTED, MOVES, PARTIAL, STEPS
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.lazy import Lazy
from knightstour.core.model.problem import (
    Problem,
    check_supported,
    checked_conditions,
    condition_names,
    has_given_end,
    is_numbered,
    plural_of,
    replace_conditions,
)
from knightstour.core.model.reduced import reduce_problem
from knightstour.core.model.result import Outcome
from knightstour.core.model.validation import check_amount, one_of
from knightstour.core.proofs import arguments
from knightstour.core.search.frontier.plan import Plan, make_plan
from knightstour.lab.counting import needs as need
from knightstour.lab.counting.forecast import guess_states, most_states
from knightstour.lab.counting.halves.cut import Cut, check_across, count_without_cut, make_cut, the_cut
from knightstour.lab.counting.halves.stores import HALVES_SHARE
from knightstour.lab.counting.narrow import NARROW
from knightstour.lab.counting.residues import passes_of

# Maximum states of the widest layer for which a cut is not worthwhile.
_FEW_STATES = 3_000
# Maximum passes of a count by halves: the bounds of longer numbers exceed a float.
_MAX_PASSES = 16
# Symmetry of a task that covers all symmetries of a board in turn: for classes, or for their table.
EACH: Final = "each"
TABLE: Final = "table"
if TYPE_CHECKING:
    from knightstour.lab.counting import count as _count
    from knightstour.lab.counting.count import CountResult
    from knightstour.lab.counting.settings import CountProgress, CountSettings
else:
    _count = Lazy("knightstour.lab.counting.count")
# Smaller boards are counted equally fast by keys.
_FEW_SQUARES = 20


class Task(NamedTuple):
    """A problem as the algorithms see it.

    symmetry: symmetry of the counted tours, None for all. method: name of the requested row, or None for the best.
    keeps_files: whether there is a checkpoint. across: the side along the cut. purpose: use of the states, see
    needs.py.
    memory: available bytes, None for most of the free memory.
    """

    problem: Problem
    symmetry: str | None = None
    method: str | None = None
    keeps_files: bool = False
    across: int | None = None
    purpose: str = need.COUNTING
    memory: int | None = None

    @property
    def noun(self) -> str:
        """Description of the counted tours, for sentences.

        >>> Task(Problem((8, 8), closed=True), "180").noun
        'closed tours of the 8x8 board with symmetry 180'
        """
        if self.symmetry == EACH:
            return f"classes of {plural_of(self.problem)}"
        if self.symmetry == TABLE:
            return f"{plural_of(self.problem)} by their symmetries"
        return plural_of(self.problem) + ("" if self.symmetry is None else f" with symmetry {self.symmetry}")


class Evidence(NamedTuple):
    """Evidence that an algorithm applies: a proof that no tour exists, a cut, or orders of squares for some graphs."""

    proof: Outcome | None = None
    cut: Cut | None = None
    plans: Sequence[Plan] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """A row of WAYS.

    name: as in results. boards: the applicable boards. how: the algorithm, in words. fits: returns the evidence that
    the algorithm applies to a task, or None. needs: returns its cost, or None if negligible. count: counts. share:
    fraction of the free memory that it may use. on_disk: whether layers may be on disk.
    """

    name: str
    boards: str
    how: str
    fits: Callable[[Task], Evidence | None]
    needs: Callable[[Task, Evidence], need.Needs | None]
    count: Callable[..., Any]
    share: float = 1.0
    on_disk: bool = False

    def fit(self, task: Task) -> Fit | None:
        """Return the fit of this algorithm to a task, or None."""
        found = self.fits(task)
        return None if found is None else Fit(self, task, found)


class Fit(NamedTuple):
    """An algorithm that applies to a task, with its evidence."""

    way: Way
    task: Task
    evidence: Evidence = Evidence()

    @property
    def name(self) -> str:
        """The name of the algorithm."""
        return self.way.name

    @property
    def needs(self) -> need.Needs | None:
        """Return the cost, or None if it is negligible."""
        return self.way.needs(self.task, self.evidence)

    def is_sure(self, limit: int) -> bool:
        """Return whether the memory suffices for all possible states of the frontier."""
        cut = self.evidence.cut
        slots = [plan.slots for plan in self.evidence.plans]
        slots += [] if cut is None else [cut.left.slots + 1, cut.right.slots + 1]
        layers = 1 if self.task.purpose == need.COUNTING else square_count(self.task.problem.board)
        return bool(slots) and most_states(max(slots)) * layers * need.MAX_STATE_BYTES <= limit


def split_symmetry(problem: Problem, up_to_symmetry: bool, across: int | None = None) -> tuple[Problem, str | None]:
    """Return the problem without its symmetry, and the symmetry.

    Raises an error for conditions that no count supports, and for an invalid symmetry, classes or side of a cut.
    """
    symmetry = problem.symmetry
    if symmetry is not None:
        problem = replace_conditions(problem, symmetry=None)
    if symmetry in KINDS:
        raise ProblemError(
            f"{symmetry} tours cannot be counted alone",
            help=f"count tours with symmetry {' or '.join(KINDS[symmetry][0])}, or see the table of symmetries",
        )
    if up_to_symmetry and checked_conditions(problem):
        help = "omit where, or the classes; in Python the distinct tour.canonical() of iter_tours represent the classes"
        raise ProblemError("classes cannot be combined with a range of a statistic", help=help)
    if symmetry is not None or up_to_symmetry:
        check_supported(problem, "a count by symmetry")
    check_supported(problem, "a count", STEPS, MOVES, LISTED, PARTIAL)
    if (symmetry is not None or up_to_symmetry) and (problem.start is not None or problem.end is not None):
        raise ProblemError("counts by symmetry include all tours", help="omit the start and the end, or the symmetry")
    if symmetry is not None and up_to_symmetry:
        raise ProblemError("classes are counted of all tours", help="omit the symmetry, or the classes")
    check_amount(across, "across")
    if across is not None and (symmetry is not None or condition_names(problem) or problem.partial):
        raise ProblemError(
            "only a count of all tours is made of two halves of the board",
            help="omit across, or the conditions and the symmetry",
        )
    return problem, symmetry


def has_recurrence(problem: Problem) -> bool:
    """Return whether narrow.py supports the problem: a plain board of few rows."""
    width = min(problem.board.rows, problem.board.cols), problem.closed
    return is_rectangle(problem.board) and not has_given_end(problem) and width in NARROW


def _by_proof(task: Task) -> Evidence | None:
    if task.symmetry not in (None, EACH):
        return None
    proof = arguments.known_proof(task.problem)
    return None if proof is None else Evidence(proof)


def _by_listing(task: Task) -> Evidence | None:
    is_wanted = task.method == "listing" and task.symmetry not in (EACH, TABLE)
    return Evidence() if is_wanted or is_numbered(task.problem) or checked_conditions(task.problem) else None


def _by_quotient(task: Task) -> Evidence | None:
    if task.symmetry is None:
        return None
    from knightstour.lab.counting import symmetric

    board, closed = task.problem.board, task.problem.closed
    if task.symmetry == TABLE:
        return Evidence(plans=symmetric.table_plans(board, closed=closed))
    symmetry = None if task.symmetry == EACH else task.symmetry
    return Evidence(plans=symmetric.symmetric_plans(board, symmetry, closed=closed))


def _by_halves(task: Task) -> Evidence | None:
    if task.across is not None:
        return Evidence(cut=the_cut(task.problem, across=task.across))
    if need.is_giant(task.problem.board):
        return None
    if task.method is None and (_is_small(task) or passes_of(task.problem)[0] > _MAX_PASSES):
        return None
    is_counted = task.purpose == need.COUNTING
    cut = make_cut(task.problem, fold=is_counted, is_count=is_counted)
    return None if cut is None and not _is_apart(task) else Evidence(cut=cut)


def _is_small(task: Task) -> bool:
    """Return whether a cut does not pay off."""
    squares = square_count(task.problem.board)
    is_small = not task.keeps_files and squares <= 100 and guess_states(make_plan(task.problem))[0] <= _FEW_STATES
    return squares == 1 or is_small


def _is_apart(task: Task) -> bool:
    """Return whether the number is known without a cut: one square, or a disconnected board."""
    return task.purpose == need.COUNTING and count_without_cut(task.problem) is not None


def _halves_need(task: Task, evidence: Evidence) -> need.Needs | None:
    cut = evidence.cut
    return None if cut is None or _is_apart(task) else need.needs_of_halves(task.problem, cut, task.purpose)


def _count_by_quotient(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    from knightstour.lab.counting.by_symmetry import by_quotient

    return by_quotient(fit, settings, watch)


def _count_by_matchings(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    from knightstour.lab.counting.matchings import by_matchings

    return by_matchings(fit, settings, watch)


def _needs_of_matchings(task: Task, evidence: Evidence) -> need.Needs:
    from knightstour.lab.counting.matchings import needs_of_matchings

    return needs_of_matchings(task.problem, task.memory)


PROOF: Final = Way(
    name="proof",
    boards="boards without tours, by a theorem or a simple argument",
    how="the count is 0",
    fits=_by_proof,
    needs=lambda task, found: None,
    count=_count.by_proof,
)
LISTING: Final = Way(
    name="listing",
    boards="conditions that can be checked only on complete tours, such as given numbers",
    how="the tours are found and counted, one by one",
    fits=_by_listing,
    needs=lambda task, found: None,
    count=_count.by_listing,
)
QUOTIENT: Final = Way(
    name="quotient",
    boards="tours with a symmetry; classes, with the tours of each symmetry",
    how="states of a smaller graph, whose vertices are the orbits of squares",
    fits=_by_quotient,
    needs=lambda task, found: need.needs_of_quotients(task.problem.board, found.plans),
    count=_count_by_quotient,
)
RECURRENCE: Final = Way(
    name="recurrence",
    boards="plain boards of up to 4 rows and any length",
    how="column after column, by a recurrence",
    fits=lambda task: Evidence() if task.across is None and has_recurrence(task.problem) else None,
    needs=lambda task, found: need.needs_of_recurrence(task.problem),
    count=_count.by_recurrence,
)
HALVES: Final = Way(
    name="halves",
    boards="boards that a cut through few squares separates: up to 8 rows, for closed tours 9",
    how="both halves of the board, layer after layer in memory or on disk, then the join",
    fits=_by_halves,
    needs=_halves_need,
    count=_count.by_halves,
    share=HALVES_SHARE,
    on_disk=True,
)
MATCHINGS: Final = Way(
    name="matchings",
    boards="tours that may skip squares (partial=True), of boards of up to 8 columns and any length",
    how="square after square, with an array of all possible states instead of a hash table",
    fits=lambda task: Evidence() if _is_dense(task) else None,
    needs=_needs_of_matchings,
    count=_count_by_matchings,
    share=need.MATCHINGS_SHARE,
)


def _states_need(task: Task, evidence: Evidence) -> need.Needs | None:
    if need.is_giant(task.problem.board):
        return need.GIANT
    return None if _is_apart(task) else need.needs_of_states(task.problem, task.purpose)


STATES: Final = Way(
    name="states",
    boards="all other boards, and small ones",
    how="square after square, all states of the frontier in memory",
    fits=lambda task: Evidence() if need.is_giant(task.problem.board) else Evidence(plans=(make_plan(task.problem),)),
    needs=_states_need,
    count=_count.by_states,
    share=need.STATES_SHARE,
)
# In the order of preference; the second tuple is for tours that may skip squares.
WAYS: Final = (PROOF, LISTING, MATCHINGS, QUOTIENT, RECURRENCE, HALVES, STATES)
_OF_SOME: Final = (LISTING, MATCHINGS, STATES)
NAMES: Final = tuple(dict.fromkeys(way.name for way in WAYS))


def method_named(method: str) -> str | None:
    """Return the name of a row of WAYS, or None for "auto"; raise ProblemError for an unknown name."""
    name = one_of(method, ("auto", *NAMES), "counting method")
    return None if name == "auto" else name


def find_way(task: Task) -> Fit:
    """Return the first algorithm that applies to a task, or the requested one. Required moves are first contracted.
    Raise ProblemError if the requested algorithm does not apply.

    >>> [find_way(Task(Problem(board, closed=True))).name for board in ((5, 5), (4, 9), (3, 10), (8, 8), (9, 10))]
    ['proof', 'proof', 'recurrence', 'halves', 'halves']
    >>> find_way(Task(Problem((6, 6), closed=True), method="recurrence"))
    Traceback (most recent call last):
    knightstour.ProblemError: closed tours of the 6x6 board are not counted by recurrence
    help: supported methods: listing, halves, states
    """
    if task.method is not None:
        one_of(task.method, NAMES, "counting method")
    if task.across is not None:
        check_across(task.problem, task.across)
    fit = _first_fit(task)
    if fit is None:
        why = f"{task.noun} are not counted by {task.method}" + (" across a side" if task.across is not None else "")
        raise ProblemError(why, help=f"supported methods: {', '.join(fitting_ways(task))}")
    return fit


def fitting_ways(task: Task) -> list[str]:
    """Return the names of all algorithms that apply to a task.

    >>> fitting_ways(Task(Problem((6, 6), closed=True)))
    ['listing', 'halves', 'states']
    """
    return [name for name in NAMES if _first_fit(task._replace(method=name)) is not None]


def _first_fit(task: Task) -> Fit | None:
    ways = [way for way in (_OF_SOME if task.problem.partial else WAYS) if _is_allowed(way, task)]
    if condition_names(task.problem):
        # Only these two support conditions directly.
        fit = next((fit for way in ways if way in (PROOF, LISTING) and (fit := way.fit(task)) is not None), None)
        if fit is not None:
            return fit
        task = task._replace(problem=reduce_problem(task.problem).problem)
    return next((fit for way in ways if (fit := way.fit(task)) is not None), None)


def _is_allowed(way: Way, task: Task) -> bool:
    """Return whether a task allows an algorithm. Classes also need quotients."""
    if task.symmetry == EACH and way is QUOTIENT:
        return True
    if task.symmetry is not None and way not in (PROOF, LISTING, QUOTIENT):
        return False
    return task.method in (None, way.name) and (task.across is None or way in (PROOF, QUOTIENT, HALVES))


def _is_dense(task: Task) -> bool:
    """Return whether a task is for "matchings"."""
    problem = task.problem
    if not problem.partial or task.symmetry is not None:
        return False
    if square_count(problem.board) < _FEW_SQUARES and task.method is None:
        return False
    from knightstour.lab.counting.matchings import why_not_dense

    return why_not_dense(problem) is None
