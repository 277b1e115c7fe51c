"""solve() and find_tour(): one question asked of one method, and its answer checked."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ParamSpec, Unpack, cast

from knightstour.core.methods.arguments import SolveArguments
from knightstour.core.methods.several import OnTour, Several
from knightstour.core.methods.table import Method, checked_method
from knightstour.core.model.arguments import explains_arguments, taken_from
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.condition_table import QuestionArguments, question_names
from knightstour.core.model.deadline import DeadlinePassed
from knightstour.core.model.errors import LimitReached, MethodError, NoTour, ProblemError
from knightstour.core.model.problem import Problem, Question, takes_question
from knightstour.core.model.progress import OnProgress, answered
from knightstour.core.model.result import Outcome, Result, Status, undecided
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import Trace
from knightstour.core.model.validation import Randomness, flag, seed_of

if TYPE_CHECKING:
    from knightstour.core.machine.sharing import Workers


@takes_question
def solve(
    board: Question,
    *,
    method: str = "auto",
    rng: Randomness = None,
    limits: Limits | None = None,
    n: int = 1,
    unique: bool = False,
    objective: str | None = None,
    optimal: bool = False,
    proofs: bool = True,
    workers: Workers = None,
    on_tour: OnTour | None = None,
    on_progress: OnProgress | None = None,
    trace: Trace | None = None,
    **options: Unpack[SolveArguments],
) -> Result:
    """Ask for a tour: the answer is FOUND with a checked tour, IMPOSSIBLE with the reason, or UNDECIDED at a limit.

    board: a Board, a pair (rows, cols), a text like "8x8", or a Problem, which is a whole question.
    closed: whether the tour must end a move from its start. An open tour may happen to do so too.
    start, end: squares, as (row, col) or names like "a1".
    visits: "all", or "some" where the tour may leave squares; it makes a move at least. `result.tour` is then a tour of
        the board whose holes they are, and `result.unvisited` names them. Without an objective any such tour will do,
        and the default method gives one of few squares.
    given: square -> the step at which the tour visits it, from 1, or several steps that it may have: {"a1": 1,
        "c5": range(16, 20), "d7": "30..40"}.
    through, avoid: moves that the tour must make, and must not make: pairs of squares, or texts like "a1-b3".
    symmetry: the tour must be laid on itself by this symmetry of the board: "180", "90", "vertical" or "horizontal"; or
        be of a kind: "Eulerian", "Bergholtian", "birotary", "Sulian" or "Murraian" (docs/glossary.md).
    visit_order: squares that are visited in this order, at any steps: ["a1", "c5", "h8"]. The first and the last are
        the ends of an open tour, unless start or end names another; in a closed tour the order is cyclic, either way
        round.
    method: the name of a row of METHODS.
    options: the options of that method; METHODS[method].options lists them.
    rng: a seed, a numpy Generator, or None for a random seed. The result names the seed; the same seed gives the same
        tour.
    limits: by default 60 seconds of processor time; with an objective those of improve(), unless it is to be the best.
    n: how many tours. If there are fewer, `reason` says why.
    unique: whether all tours must be different (closed tours as cycles, and open ones without given ends in either
        direction).
    objective: a name of OBJECTIVES, such as "turns", or chosen squares or moves, as in "most-inside=a1..d4": what the
        tour should have few or many of. The method finds a tour, and what is left of the limits goes into improving it;
        see improve(). n must be 1.
    optimal: whether the tour is to be proved best in the objective. FOUND then means that no tour has less (or more):
        `reason` and `source` say by what it is proved. UNDECIDED comes with the best tour found, and `bound` says what
        no tour goes beyond. For statistics that add up over moves, and closed tours also over corners or crossings.
    proofs: whether theorems and arguments that there is no tour are tried before any search, whatever the method. (With
        a trace the search runs all the same, and they come after it.) False: the method by itself; not for auto and
        explicit, which are made of them.
    workers: None, a number of processes, or a Dask client. "backtracking" shares its search among them and gives the
        same answer; "portfolio" races several methods in that many processes.
    on_tour: on_tour(tour, is_repeat) is called for each tour as it is found, also for those that `unique` leaves out.
    on_progress: called with a Progress every fraction of a second of a long search.
    trace: a Trace, to which the search reports what it does, step by step where the method can be watched. The tour
        is the same, but the search is slow.

    Raises BoardError, ProblemError or MethodError for a question that makes no sense.

    >>> result = solve((4, 8), closed=True)
    >>> result.status, result.source
    (<Status.IMPOSSIBLE: 'impossible'>, 'Schwenk 1991; Cull & De Curtins 1978')
    >>> solve((5, 5), start="a1", end="e5").tour.numbers[0, 0]
    np.int32(...)
    """
    chosen: dict[str, Any] = {**options}
    problem = Problem.of(board, **cast(QuestionArguments, taken_from(chosen, question_names())))
    seed = seed_of(rng)
    ask: Callable[..., Result]
    if problem.board.is_directed and not problem.leaves_squares:
        for_edges = {"objective": objective, "optimal": optimal or None, "trace": trace}
        asked = (problem, method, chosen, seed, limits, n, unique, proofs, workers, on_tour, on_progress)
        from knightstour.core.methods.one_way import solve_along_arcs

        return solve_along_arcs(solve, asked, for_edges)
    if objective is not None:
        from knightstour.lab.objectives.asked import default_budget, find_best, find_improved

        ask = functools.partial(solve, rng=seed, limits=limits, unique=unique, proofs=proofs, workers=workers)
        ask = functools.partial(ask, on_progress=on_progress, trace=trace, **chosen)
        is_best = flag(optimal, "optimal")
        budget = default_budget(problem.board, limits, on_progress, is_best, objective)
        find = find_best if is_best else find_improved
        result = find(ask, problem, objective, method, n, budget)
        for tour in result.tours:
            confirm_answer(problem, tour, f"objective {objective}")
        answered("solve", f"{result.status.value}, {problem}, best in {objective}", result.method, seed, result.seconds)
        if result.tour is not None and on_tour is not None:
            on_tour(result.tour, False)
        return result
    if flag(optimal, "optimal"):
        raise ProblemError("the best tour is best in something", help='name it: objective="turns"')
    row, settings = checked_method(problem, method, chosen, workers)
    if workers is not None:
        settings["workers"] = workers
    several = Several(problem, method, row, n, unique, on_tour, trace, is_limited=limits is not None)
    budget = Budget(limits, on_progress, trace)
    proof = outcome = None
    try:
        with budget.keeping_deadline():
            outcome = proof = _proof_before(problem, method, row, proofs)
            budget.tell_stage(method)
            if proof is None or trace is not None:
                outcome = several.find(budget, seed, settings)
    except DeadlinePassed:
        outcome = undecided(budget.why_stopped())
    assert outcome is not None
    if proof is not None and outcome.status is Status.UNDECIDED:
        outcome = replace(proof, counters=outcome.counters)
    result = Result(
        status=Status.FOUND if several.tours else outcome.status,
        problem=problem,
        tours=tuple(several.tours),
        reason=outcome.reason,
        source=outcome.source,
        method=outcome.method or method,
        seed=seed,
        nodes=budget.nodes,
        seconds=budget.seconds,
        counters=outcome.counters if several.wanted == 1 else several.totals(),
    )
    answered("solve", f"{result.status.value}, {problem}", result.method, seed, result.seconds)
    return result


def _proof_before(problem: Problem, method: str, row: Method, proofs: bool) -> Outcome | None:
    """What is proved before the method searches; None where nothing is, or where proofs are not wanted."""
    if row.proves:
        if not flag(proofs, "proofs"):
            raise MethodError(f"method {method} asks for proofs itself", help="name the method that is to search alone")
        return None
    proof = _kept_proof(problem) if flag(proofs, "proofs") else None
    return None if proof is None else replace(proof, counters={})


@functools.lru_cache(maxsize=64)
def _kept_proof(problem: Problem) -> Outcome | None:
    """What is proved of a question, kept for those who ask it again with other seeds."""
    from knightstour.core.proofs.arguments import known_proof

    return known_proof(problem)


_Asked = ParamSpec("_Asked")
# Of `solve` these are for several tours.
_OF_SEVERAL = ("n", "unique", "on_tour")


def _finding(ask: Callable[_Asked, Result]) -> Callable[[Callable[[Result], Tour]], Callable[_Asked, Tour]]:
    """Decorates a function of a result: it gets the arguments of `ask` but for _OF_SEVERAL, which editors then show."""

    def decorate(function: Callable[[Result], Tour]) -> Callable[_Asked, Tour]:
        @functools.wraps(function)
        def find(*args: _Asked.args, **kwargs: _Asked.kwargs) -> Tour:
            for name in _OF_SEVERAL:
                if name in kwargs:
                    error = TypeError(f"find_tour() has no argument {name!r}")
                    error.add_note("help: it finds one tour; solve(board, n=...).tours are several")
                    raise error
            return function(ask(*args, **kwargs))

        find.__annotations__ = {name: kind for name, kind in ask.__annotations__.items() if name not in _OF_SEVERAL}
        find.__annotations__["return"] = "Tour"
        signature = inspect.signature(ask)
        shown = [each for each in signature.parameters.values() if each.name not in _OF_SEVERAL]
        find.__dict__["__signature__"] = signature.replace(parameters=shown, return_annotation="Tour")
        return explains_arguments(find)

    return decorate


@_finding(solve)
def find_tour(result: Result) -> Tour:
    """The tour that `solve` finds, or an exception: NoTour (proved) or LimitReached (not known).

    The arguments are those of `solve` but those for several tours: n, unique and on_tour.

    >>> find_tour((8, 8), closed=True).is_closed
    True
    """
    if result.tour is not None:
        return result.tour
    raise NoTour(result) if result.status is Status.IMPOSSIBLE else LimitReached(result)
