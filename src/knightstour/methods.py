"""The methods, in one table, and the questions asked of them: solve() and find_tour().

A method is one row of METHODS. The command line, `knightstour methods`, the documentation and the tests read the same
table, so a new method is one function and one row.
"""

from __future__ import annotations

import functools
import itertools
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from knightstour import (
    annealing,
    ants,
    arguments,
    backtracking,
    branches,
    explicit,
    frontier,
    genetic,
    improvement,
    merging,
    neural,
    portfolio,
    rotation,
    sat,
    straight,
    warnsdorff,
)
from knightstour.board import BoardLike, Square
from knightstour.cycles import why_not_listed
from knightstour.errors import LimitReached, MethodError, NoTour, ProblemError
from knightstour.given import callback, flag, one_of, whole_number
from knightstour.result import Budget, Limits, Outcome, Problem, Result, Status, undecided
from knightstour.tour import Tour
from knightstour.trace import Trace

Run = Callable[..., Outcome]


@dataclass(frozen=True, slots=True)
class Method:
    """A row of METHODS.

    run: run(problem, budget, seed, **options) -> Outcome.
    summary, source: for people: what it does, and who described it.
    why_not: a sentence why it cannot be asked this, or None where it can.
    complete: running dry proves that there is no tour.
    varies: another seed gives another tour.
    options: name -> what its values are; the keyword arguments of `run`.
    to_vary: options that make it vary more, taken when several tours are asked for and the person did not choose.
    watchable: reports its steps to a Trace; the others only the tour they find.
    """

    run: Run
    summary: str
    source: str
    why_not: Callable[[Problem], str | None] = lambda problem: None
    complete: bool = False
    varies: bool = True
    options: Mapping[str, str] = field(default_factory=dict)
    to_vary: Mapping[str, Any] = field(default_factory=dict)
    watchable: bool = False

    def to_dict(self) -> dict[str, Any]:
        """For `methods --json`."""
        told = {name: getattr(self, name) for name in ("summary", "source", "complete", "varies")}
        return {**told, "options": dict(self.options)}


# These ask theorems and arguments themselves.
ASK_PROOFS = ("auto", "explicit")

_MOST_SQUARES_EXACT = 64
# Steps of rotation before a complete search is tried on a small board: about 50 ms in plain Python.
_ROTATION_STEPS_A_SQUARE = 200
# On larger boards these take turns, with so many steps a square at first and twice as many each time round. Where
# `warnsdorff` succeeds it is the quickest, and most boards that it fails on are quickest by `rotation`: five times on
# 100x100 with the leaper (2,3). But that turns ever longer parts of its path round: 500x500 takes as long as by
# `merge`, 1000x1000 three times as long.
_TURNS = (("warnsdorff", 2), ("rotation", 3), ("merge", 40))
_VERY_LARGE_TURNS = (("warnsdorff", 2), ("merge", 40), ("rotation", 3))
_VERY_LARGE = 500_000


def auto(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Construct it, or prove by an argument that there is none, or search."""
    if explicit.why_not_explicit(problem) is None:
        budget.tell_stage("explicit")
        return _by("explicit", explicit.explicit(problem, budget, seed))
    proof = arguments.known_proof(problem)
    if proof is not None:
        return proof
    return _searched(problem, budget, seed)


def _searched(problem: Problem, budget: Budget, seed: int, *, vary: bool = False) -> Outcome:
    """Search: a small board by rotations, then completely; a larger one in several ways by turns.

    vary: one tour of several is wanted, and not the same for all seeds.
    """
    for k, (name, part) in enumerate(_attempts(problem, budget, vary)):
        method = METHODS[name]
        budget.tell_stage(name)
        outcome = method.run(problem, part, seed + k, **(method.to_vary if vary else {}))
        budget.spend(part.nodes)
        if outcome.status is not Status.UNDECIDED:
            return _by(name, outcome)
        if budget.is_spent:
            break
    return undecided(budget.why_stopped())


def _attempts(problem: Problem, budget: Budget, vary: bool) -> Iterator[tuple[str, Budget]]:
    """The methods to search by, each with its part of what is then left of the budget."""
    squares = problem.board.square_count
    if squares <= _MOST_SQUARES_EXACT:
        if not vary:
            yield "rotation", budget.part(nodes=_ROTATION_STEPS_A_SQUARE * squares)
            yield "exact", budget.part(seconds=budget.seconds_left * 0.7)
        yield "rotation", budget.part()
        return
    order = _TURNS if squares < _VERY_LARGE else _VERY_LARGE_TURNS
    turns = [(name, steps) for name, steps in order if METHODS[name].why_not(problem) is None]
    for turn in itertools.count():
        for name, steps in turns:
            yield name, budget.part(nodes=(steps << turn) * squares)


def _by(name: str, outcome: Outcome) -> Outcome:
    return Outcome(outcome.status, outcome.order, outcome.reason, outcome.source, outcome.counters, name)


METHODS: dict[str, Method] = {
    "auto": Method(
        auto,
        "constructs the tour, or proves that there is none, or searches: small boards completely, others by turns",
        "the methods below",
        complete=True,
        watchable=True,
    ),
    "explicit": Method(
        explicit.explicit,
        "builds the tour of any rectangle, of any size, from fixed tiles and one small searched window",
        "the project's own construction, after Parberry 1997 and Cull & De Curtins 1978",
        explicit.why_not_explicit,
        complete=True,
        varies=False,
    ),
    "backtracking": Method(
        branches.first_tour,
        "tries the moves in a fixed order and takes the last one back at a dead end",
        "the textbooks' method since the 1960s",
        complete=True,
        varies=False,
        options={
            "order": "order of the moves: " + ", ".join(backtracking.ORDERS) + " or digits such as 13572468",
            "prune": "what is cut early: all, none or some of " + ",".join(backtracking.PRUNINGS),
            "workers": "search in so many processes, default in this one",
        },
        watchable=True,
    ),
    "warnsdorff": Method(
        warnsdorff.warnsdorff,
        "goes to the square with the fewest ways on; at a dead end back to the latest tie",
        "von Warnsdorff 1823; Pohl 1967; Roth; Squirrel & Cull 1996",
        options={"ties": "how ties are broken: " + ", ".join(warnsdorff.TIES)},
        to_vary={"ties": "random"},
        watchable=True,
    ),
    "merge": Method(
        merging.merge,
        "covers the board with small loops and joins them until one is left",
        "de Moivre, Roget; in this form: loop merging",
        merging.why_not_merge,
        options={"randomness": "0, 1 or 2: " + "; ".join(f"{k} {v}" for k, v in merging.RANDOMNESS.items())},
        watchable=True,
    ),
    "rotation": Method(
        rotation.rotation,
        "grows a path by Warnsdorff's rule and turns its end round where it is stuck",
        "Posa 1976",
        watchable=True,
    ),
    "neural": Method(
        neural.neural,
        "a neural network in which every square wants two moves; begins again until they make a single loop",
        "Takefuji & Lee 1992; Parberry 1996",
        why_not_listed,
        options={"update": "how neurons take their steps: " + " or ".join(neural.UPDATES)},
        watchable=True,
    ),
    "neural+merge": Method(
        neural.neural_merge,
        "the same network, and the loops in which it comes to rest are joined",
        "Takefuji & Lee 1992; loop merging",
        why_not_listed,
        options={"update": "how neurons take their steps: " + " or ".join(neural.UPDATES)},
        watchable=True,
    ),
    "annealing": Method(
        annealing.annealing,
        "covers the board with paths and turns parts of them round, some for the worse while it is hot",
        "Kirkpatrick, Gelatt & Vecchi 1983; Croes 1958",
        why_not_listed,
        options={
            "cover": "the first paths: " + ", ".join(f"{name}: {text}" for name, text in annealing.COVERS.items()),
            "hot": "the first temperature, default 1 / ln(10 n) for n squares",
            "cold": "the last temperature, default half of the first",
            "turns": f"turns proposed a square while it cools, default {annealing.TURNS}",
        },
        watchable=True,
    ),
    "ants": Method(
        ants.ants,
        "walks that choose their moves by the scent that earlier and longer ones have left",
        "Hingston & Kendall 2005",
        why_not_listed,
        options={
            "ants": f"ants in a round, default {ants.ANTS}",
            "fading": f"how much of the scent fades after a round, in thousandths, default {ants.FADING}",
            "sight": f"0 to {ants.MOST_SIGHT}: 0 sees only scent, from 1 on also ways on, default {ants.SIGHT}",
        },
        watchable=True,
    ),
    "genetic": Method(
        genetic.genetic,
        "a population of half-made tours, whose children inherit moves from two of them",
        "Gordon & Slocum 2004; Whitley, Starkweather & Fuquay 1989",
        why_not_listed,
        options={
            "kind": "; ".join(f"{name}: {text}" for name, text in genetic.KINDS.items()) + "; default segments",
            "population": "its members, default 500 of bits, 20 of segments",
            "generations": f"before a new population is founded, default {genetic.GENERATIONS}",
            "repair": f"percentage of what may be repaired that is, default {genetic.REPAIR}",
            "mutation": "thousandths of the genes that change by chance, default 20 of bits, 5 of segments",
        },
        watchable=True,
    ),
    "exact": Method(
        frontier.exact,
        "makes all states of a frontier: finds a tour or proves that there is none",
        "frontier method: Knuth, TAOCP 4A (simpath); Minato 2013",
        frontier.why_not_exact,
        complete=True,
        varies=False,
    ),
    "straight": Method(
        straight.straight,
        "lays straight lines, turned back at the borders: large closed tours with few turns and crossings",
        "after Besa, Johnson, Mamano, Osegueda & Williams 2022",
        straight.why_not_straight,
    ),
    "sat": Method(
        sat.sat,
        "a SAT solver chooses two moves at every square and is told of each loop that is too short",
        "CaDiCaL 2023; Dantzig, Fulkerson & Johnson 1954",
        sat.why_not_sat,
        complete=True,
        watchable=True,
    ),
    "portfolio": Method(
        portfolio.portfolio,
        "runs several methods in processes side by side; the first answer wins",
        "Huberman, Lukose & Hogg 1997",
        complete=True,
        options={"workers": "number of processes, default one a core"},
    ),
}


def checked_method(problem: Problem, name: str, options: Mapping[str, Any]) -> Method:
    """The row of METHODS, if it can be asked this problem with these options; else a MethodError that says why."""
    method = METHODS[one_of(name, METHODS, "method", error=MethodError)]
    for option in options:
        if option not in method.options:
            owners = [other for other, row in METHODS.items() if option in row.options]
            raise MethodError(
                f"method {name} has no option {option!r}",
                help=f"{option} goes with method {' or '.join(owners)}" if owners else "see METHODS[name].options",
            )
    excuse = method.why_not(problem)
    if excuse is not None:
        raise MethodError(f"method {name} does not apply: {excuse}", help="use method auto, or see knightstour methods")
    return method


# ---------------------------------------------------------------- questions

# So many tours in a row that were there before, and no more different ones are expected by chance.
_REPEATS_IN_A_ROW = 1000

# Up to so many squares all tours can be listed, to tell whether there are more different ones; that is begun after
# fewer repeats, or so many seconds without a new one.
_MOST_SQUARES_LISTED = 36
_REPEATS_BEFORE_LISTING = 30
_SECONDS_STALE = 0.5


def solve(
    board: BoardLike,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    method: str = "auto",
    seed: int | None = None,
    limits: Limits | None = None,
    n: int = 1,
    unique: bool = False,
    on_tour: Callable[[Tour, bool], None] | None = None,
    on_progress: Callable[[Budget], None] | None = None,
    trace: Trace | None = None,
    objective: str | None = None,
    proofs: bool = True,
    **options: Any,
) -> Result:
    """Ask for a tour: the answer is FOUND with a checked tour, IMPOSSIBLE with the reason, or UNDECIDED at a limit.

    board: a Board, a pair (rows, cols) or a text like "8x8".
    closed: whether the tour must end a move from its start. An open tour may happen to do so too.
    start, end: squares, as (row, col) or names like "a1".
    method, options: a row of METHODS and its options. seed: any whole number; None draws one, which the result names.
        Two take `workers`: "backtracking" shares its one search out to so many processes, or to a Dask client, with the
        same answer; "portfolio" races several methods in so many processes.
    limits: by default 60 seconds.
    n: how many tours; `unique`: all different (closed tours as cycles, and open ones without given ends in either
        direction). With fewer than n, `reason` says why. on_tour(tour, is_repeat) is called for each as it is found,
        those that `unique` leaves out too.
    on_progress: called with the running Budget (nodes, seconds) every fraction of a second of a long search.
    trace: a Trace, to which the search reports what it does, step by step where the method can be watched. The tour
        is the same, but the search is slow.
    objective: "turns", "crossings", "most-turns" or "most-crossings": of what the tour is to have few or many. What is
        left of the limits (5 seconds by default) goes into improving it; see improve(). n must be 1.
    proofs: whether theorems and arguments that there is none come before any search, whatever the method (a search that
        is traced goes on, and they come after it). False: the method by itself; not for auto and explicit.

    Raises BoardError, ProblemError or MethodError for a question that makes no sense.

    >>> result = solve((4, 8), closed=True)
    >>> result.status, result.source
    (<Status.IMPOSSIBLE: 'impossible'>, 'Schwenk 1991; Cull & De Curtins 1978')
    >>> solve((5, 5), start="a1", end="e5").tour.numbers[0, 0]
    np.int32(...)
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    n = whole_number(n, "the number of tours, n,")
    if n < 1:
        raise ProblemError(f"{n} tours were asked for", help="ask for 1 or more")
    unique, proofs = flag(unique, "unique"), flag(proofs, "proofs")
    callback(on_tour, "on_tour")
    seed = secrets.randbits(32) if seed is None else whole_number(seed, "the seed")
    if objective is not None:
        question = {"seed": seed, "n": n, "unique": unique, "on_progress": on_progress, "trace": trace}
        question |= {"proofs": proofs, **options}
        return _shaped(problem, objective, method, limits, on_tour, question)
    row = checked_method(problem, method, options)
    if n > 1 and not row.varies and method != "backtracking":
        raise MethodError(
            f"method {method} finds one tour only, whatever the seed", help="for several use auto, rotation or merge"
        )
    budget = Budget(limits, on_progress, trace)
    several = _Several(problem, n, unique, on_tour, trace)
    budget.tell_stage(method)
    if n > 1:
        options = {**row.to_vary, **options}
    if not proofs and method in ASK_PROOFS:
        raise MethodError(f"method {method} asks for proofs itself", help="name the method that is to search alone")
    proof = _kept_proof(problem) if proofs and method not in ASK_PROOFS else None
    if proof is not None and trace is None:
        if options:
            # A wrong one is wrong also where nothing is searched; a board of one square tells.
            row.run(Problem.of((1, 1)), Budget(Limits(nodes=1)), seed, **options)
        outcome = replace(proof, counters={})
    elif method == "backtracking" and n > 1:
        outcome = _listed(several, budget, seed, options)
    else:
        outcome = several.checked(row.run(problem, budget, seed, **options))
        if n > 1 and outcome.status is Status.FOUND:
            outcome = _drawn(several, budget, seed, method, options, outcome)
    if proof is not None and outcome.status is Status.UNDECIDED:
        outcome = replace(proof, counters=outcome.counters)
    return Result(
        status=Status.FOUND if several.tours else outcome.status,
        problem=problem,
        tours=tuple(several.tours),
        reason=outcome.reason,
        source=outcome.source,
        method=outcome.method or method,
        seed=seed,
        nodes=budget.nodes,
        seconds=budget.seconds,
        counters={**several.counters, "repeats": several.repeats} if n > 1 else outcome.counters,
    )


@functools.lru_cache(maxsize=64)
def _kept_proof(problem: Problem) -> Outcome | None:
    """What is proved of a question, kept for those who ask it again with other seeds."""
    return arguments.known_proof(problem)


def _shaped(
    problem: Problem,
    objective: str,
    method: str,
    limits: Limits | None,
    on_tour: Callable[[Tour, bool], None] | None,
    question: dict[str, Any],
) -> Result:
    """The answer of solve(), its tour improved as long as the limits allow; large closed ones are built straight."""
    wanted = improvement.checked_objective(objective)
    if question["n"] > 1:
        raise ProblemError("an objective is for one tour at a time", help="leave out n, or the objective")
    is_straight = straight.why_not_straight(problem) is None and wanted.sign > 0
    if method == "auto" and is_straight:
        method = "straight"
    if method != "straight":
        improvement.check_board(problem.board)
    budget = Budget(Limits(seconds=improvement.DEFAULT_SECONDS) if limits is None else limits, question["on_progress"])
    result = solve(problem.board, **problem.conditions, method=method, limits=limits, **question)
    if result.tour is not None and method != "straight" and not budget.is_spent:
        better = improvement.improve(
            result.tour,
            objective,
            closed=problem.closed,
            keep_ends=(problem.start, problem.end) != (None, None),
            seed=result.seed,
            limits=Limits(max(budget.seconds_left, 0.01), budget.limits.nodes),
            on_progress=question["on_progress"],
        )
        tour = better.tour
        if problem.closed and problem.start is not None:
            tour = tour.shifted(int(np.flatnonzero(tour.order == problem.start_index)[0]))
        counters = {**result.counters, "before": better.before, "after": better.after}
        nodes = result.nodes + better.steps
        result = replace(result, tours=(tour,), nodes=nodes, seconds=budget.seconds, counters=counters)
    if result.tour is not None and on_tour is not None:
        on_tour(result.tour, False)
    return result


def find_tour(board: BoardLike, **question: Any) -> Tour:
    """The tour that `solve` finds (same arguments), or an exception: NoTour (proved) or LimitReached (not known).

    >>> find_tour((8, 8), closed=True).is_closed
    True
    """
    result = solve(board, **question)
    if result.tour is not None:
        return result.tour
    raise NoTour(result) if result.status is Status.IMPOSSIBLE else LimitReached(result)


class _Several:
    """The tours found so far for one question, and which of them are repeats."""

    def __init__(
        self,
        problem: Problem,
        wanted: int,
        unique: bool,
        on_tour: Callable[[Tour, bool], None] | None,
        trace: Trace | None,
    ) -> None:
        self.problem, self.wanted, self.unique, self.on_tour, self.trace = problem, wanted, unique, on_tour, trace
        self.tours: list[Tour] = []
        self.repeats = 0
        self.repeats_in_a_row = 0
        # What the method counted, for all tours together.
        self.counters: Counter[str] = Counter()
        self._seen: set[bytes] = set()

    @property
    def is_complete(self) -> bool:
        return len(self.tours) >= self.wanted

    def checked(self, outcome: Outcome) -> Outcome:
        """Take the outcome's tour, if it has one. Making the Tour checks it; that its ends fit is checked here."""
        self.counters.update(outcome.counters)
        if outcome.order is not None:
            self.take(Tour.from_order(self.problem.board, outcome.order))
        return outcome

    def take(self, tour: Tour) -> None:
        problem = self.problem
        assert not problem.closed or tour.is_closed, "a method gave an open tour for a closed one"
        assert problem.start is None or tour.start == problem.start, "a method gave another start"
        assert problem.end is None or tour.end == problem.end, "a method gave another end"
        if self.trace is not None:
            self.trace.add("tour", tour.order)
        is_repeat = False
        if self.wanted > 1:
            key = self._key(tour)
            is_repeat = key in self._seen
            self._seen.add(key)
        self.repeats += is_repeat
        self.repeats_in_a_row = self.repeats_in_a_row + 1 if is_repeat else 0
        if not (is_repeat and self.unique):
            self.tours.append(tour)
        if self.on_tour is not None:
            self.on_tour(tour, is_repeat)

    def _key(self, tour: Tour) -> bytes:
        """The same for tours that count as one."""
        order = tour.order
        problem = self.problem
        if problem.closed:
            order = np.roll(order, -int(order.argmin()))
            if order[1] > order[-1]:
                order = np.roll(order[::-1], 1)
        elif problem.start is None and problem.end is None and order[0] > order[-1]:
            order = order[::-1]
        return order.astype(np.int32).tobytes()


def _drawn(
    several: _Several, budget: Budget, seed: int, method: str, options: Mapping[str, Any], first: Outcome
) -> Outcome:
    """More tours with other seeds, until there are enough; then, on a small board, by listing them all."""
    # A construction always gives the same tour: from the second on, auto searches.
    problem, draws = several.problem, 0
    run = functools.partial(_searched, vary=True) if method == "auto" else METHODS[method].run
    outcome, last_new = first, budget.seconds
    while not several.is_complete:
        draws += 1
        budget.tell_stage(method)
        outcome = several.checked(run(problem, budget, seed + draws, **options))
        if outcome.status is not Status.FOUND:
            break
        if not several.unique:
            continue
        if several.repeats_in_a_row == 0:
            last_new = budget.seconds
        is_stale = several.repeats_in_a_row >= _REPEATS_BEFORE_LISTING or budget.seconds - last_new > _SECONDS_STALE
        if is_stale and method == "auto" and problem.board.square_count <= _MOST_SQUARES_LISTED:
            return _listed(several, budget, seed, {"order": "classic", "prune": "all"})
        if several.repeats_in_a_row >= _REPEATS_IN_A_ROW:
            return undecided(f"the last {_REPEATS_IN_A_ROW:,} tours were all repeats; there may be no others")
    return Outcome(outcome.status, None, outcome.reason, outcome.source, outcome.counters, outcome.method or method)


def _listed(several: _Several, budget: Budget, seed: int, options: Mapping[str, Any]) -> Outcome:
    """Tours by complete backtracking until there are enough, or these are all."""
    problem = several.problem
    several.repeats_in_a_row = 0
    directed = not several.unique
    with closing(branches.list_orders(problem, budget, seed, directed=directed, **options)) as listing:
        for order in listing:
            several.take(Tour.from_order(problem.board, order))
            if several.is_complete:
                return Outcome(Status.FOUND, method="backtracking")
    if not listing.is_complete:
        return undecided(budget.why_stopped())
    count = len(several.tours)
    reason = f"there are no more: these {count:,} are all" if count else ""
    return Outcome(Status.IMPOSSIBLE, None, reason, f"exhaustive search, {budget.nodes:,} nodes", method="backtracking")
