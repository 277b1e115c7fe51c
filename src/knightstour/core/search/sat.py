"""SAT solver (CaDiCaL) that selects two moves at every square, and only one loop.

A variable for each move represents whether the tour contains it. Clauses require two moves at each square. The solver
then returns a cover by loops. For each loop except the largest a clause is added that requires a move out of it, until
the cover is a single loop. All clauses hold in every tour, so unsatisfiable clauses prove that none exists.

The colours are counted first, since a solver hardly ever detects an excess of one colour; squares with too few moves
and disconnected boards are checked too. Open tours and given ends become virtual squares (see cycle_graph.py). For a
single square with many moves "one or two" is enough: if all other squares have two moves, its number is even.

Requires python-sat. Cost: about 90 clauses per square, and some rounds; 64x64 needs about a second. Sources: A. Biere
and others, CaDiCaL 1.9.5, 2023; cuts after G. B. Dantzig, D. R. Fulkerson and S. M. Johnson 1954, added on demand; C.
Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, 2005.
"""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Iterator

import numpy as np

from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.cycle_graph import CycleGraph, cycle_graph, order_of, trivial, why_not_listed
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, Status, found, impossible, undecided
from knightstour.core.proofs import arguments

_MAX_SQUARES = 250_000
# Maximum number of moves of a square for clauses on every three of them; above it a counter is used.
_MANY = 12
# Conflicts between two checks of the limits, by the number of vertices: about a tenth of a second on a laptop. The
# slices do not depend on the clock, since each restarts the solver and so affects the tour.
_CONFLICTS_TIMES_VERTICES, _MIN_CONFLICTS, _MAX_CONFLICTS = 1_000_000, 50, 2_000
# Number of clauses between two checks of the limits.
_CLAUSES = 10_000


def sat(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Search by CaDiCaL for a tour or a proof that none exists, until the budget is spent.

    A node is a conflict or a round. Counters of the outcome: conflicts, rounds (covers by the solver), cuts (excluded
    loops), clauses.

    >>> sat(Problem((4, 5), closed=True, start="a1"), Budget(), seed=1).source
    'exhaustive search by CaDiCaL, ... conflicts'
    """
    with SatTurns() as turns:
        return turns.go_on(problem, budget, seed)


class SatTurns:
    """Resumable searches by CaDiCaL: each problem keeps its solver with the learnt clauses.

    >>> from knightstour.core.model.budget import Limits
    >>> with SatTurns() as turns:
    ...     one = turns.go_on(Problem((8, 8), closed=True), Budget(Limits(nodes=1)), 1)
    ...     other = turns.go_on(Problem((8, 8), closed=True), Budget(), 1)
    >>> one.status.value, other.status.value, other.counters["clauses"] == one.counters["clauses"]
    ('undecided', 'found', True)
    """

    def __init__(self) -> None:
        self._searches: dict[Problem, _Search] = {}

    def go_on(self, problem: Problem, budget: Budget, seed: int) -> Outcome:
        """Return the outcome of `sat` for a problem, continuing earlier turns. seed: for the first turn.

        A decided problem starts again, so that another seed may find another tour.
        """
        search = self._searches.get(problem)
        if search is None:
            answer = _immediate_outcome(problem)
            if answer is not None:
                return answer
            search = self._searches[problem] = _Search(problem, seed)
        outcome = search.go_on(budget)
        if outcome.status is not Status.UNDECIDED:
            self._searches.pop(problem).solver.delete()
        return outcome

    def __enter__(self) -> SatTurns:
        return self

    def __exit__(self, *error: object) -> None:
        for search in self._searches.values():
            search.solver.delete()
        self._searches.clear()


def _immediate_outcome(problem: Problem) -> Outcome | None:
    answer = trivial(problem)
    if answer is not None:
        return answer
    for argument in (arguments.connectivity, arguments.degree, arguments.colour):
        proof = argument(problem)
        if proof is not None:
            return impossible(*proof)
    return None


class _Search:
    def __init__(self, problem: Problem, seed: int) -> None:
        from pysat.solvers import Cadical195

        self.solver = Cadical195()
        self._problem, self._graph = problem, cycle_graph(problem)
        self._variables = _variables(self._graph, seed)
        self._degrees = _degree_clauses(self._graph, self._variables)
        self._counters = dict.fromkeys(("conflicts", "rounds", "cuts", "clauses"), 0)
        conflicts = _CONFLICTS_TIMES_VERTICES // self._graph.size
        self._slice = min(max(conflicts, _MIN_CONFLICTS), _MAX_CONFLICTS)

    def go_on(self, budget: Budget) -> Outcome:
        counters, graph = self._counters, self._graph
        for clause in self._degrees:
            self.solver.add_clause(clause)
            counters["clauses"] += 1
            if counters["clauses"] % _CLAUSES == 0 and budget.is_spent:
                return undecided(budget.why_stopped(), **counters)
        while True:
            is_possible = self._solve(budget)
            if is_possible is None:
                return undecided(budget.why_stopped(), **counters)
            if not is_possible:
                return self._proof_outcome()
            counters["rounds"] += 1
            budget.spend(1)
            links = _links(graph, self._variables, self.solver.get_model())
            loops = _loops(links)
            if budget.trace is not None:
                budget.trace.add("cover", _moves_shown(graph, links))
            if len(loops) == 1:
                return found(order_of(self._problem, graph, loops[0]), **counters)
            loops.sort(key=len)
            for loop in loops[:-1]:
                way_out = _way_out(graph, self._variables, loop)
                if not way_out:
                    return self._proof_outcome()
                self.solver.add_clause(way_out)
                counters["cuts"] += 1
            if budget.is_spent:
                return undecided(budget.why_stopped(), **counters)

    def _solve(self, budget: Budget) -> bool | None:
        while not budget.is_spent:
            self.solver.conf_budget(budget.nodes_left(self._slice))
            is_possible = self.solver.solve_limited()
            now = self.solver.accum_stats()["conflicts"]
            budget.spend(now - self._counters["conflicts"])
            self._counters["conflicts"] = now
            if is_possible is not None:
                return bool(is_possible)
        return None

    def _proof_outcome(self) -> Outcome:
        counters = self._counters
        return impossible(
            f"no choice of moves is a single loop: a SAT solver proved it after {counters['cuts']:,} loops were barred",
            f"exhaustive search by CaDiCaL, {counters['conflicts']:,} conflicts",
            **counters,
        )


def why_not_sat(problem: Problem) -> str | None:
    """Return the reason why the method does not support a problem, or None.

    >>> why_not_sat(Problem((1000, 1000)))
    'its clauses are made up to 250,000 squares'
    """
    if importlib.util.find_spec("pysat") is None:
        return "it needs python-sat, which is not installed: pip install python-sat"
    if square_count(problem.board) > _MAX_SQUARES:
        return f"its clauses are made up to {_MAX_SQUARES:,} squares"
    return why_not_listed(problem)


def _variables(graph: CycleGraph, seed: int) -> np.ndarray:
    """Return a variable for each move and its reverse, shuffled by the seed."""
    tails = repeat(np.arange(graph.size), np.diff(graph.offsets))
    pairs = np.minimum(tails, graph.targets) * graph.size + np.maximum(tails, graph.targets)
    kinds, which = np.unique(pairs, return_inverse=True)
    names = np.random.default_rng(seed & (1 << 64) - 1).permutation(len(kinds)) + 1
    return names[which]


def _degree_clauses(graph: CycleGraph, variables: np.ndarray) -> Iterator[list[int]]:
    """Yield clauses for two moves at every vertex."""
    top = int(variables.max(initial=0))
    has_several = np.count_nonzero(np.diff(graph.offsets) > _MANY) > 1
    for a, b in itertools.pairwise(graph.offsets.tolist()):
        moves = variables[a:b].tolist()
        if len(moves) <= _MANY:
            for i in range(len(moves)):
                yield moves[:i] + moves[i + 1 :]
            for three in itertools.combinations(moves, 3):
                yield [-move for move in three]
            continue
        # Sinz's counter: seen[k] means that more than k of the moves so far are in the tour.
        yield moves
        seen: list[int] = []
        for move in moves:
            before, seen = seen, [top + 1, top + 2]
            top += 2
            yield [-move, seen[0]]
            for k, more in enumerate(before):
                yield [-more, seen[k]]
                yield [-more, -move, seen[k + 1]] if k == 0 else [-more, -move]
            if has_several:
                # The converse: a counted move is in the tour.
                yield [-seen[0], move, *before[:1]]
                yield [-seen[1], *before[1:], *before[:1]]
                yield [-seen[1], *before[1:], move]
        if has_several:
            yield [seen[1]]


def _links(graph: CycleGraph, variables: np.ndarray, model: list[int]) -> np.ndarray:
    is_taken = np.zeros(len(model) + 1, dtype=bool)
    values = np.array(model)
    is_taken[np.abs(values)] = values > 0
    return graph.targets[is_taken[variables]].reshape(graph.size, 2)


def _loops(links: np.ndarray) -> list[list[int]]:
    near: list[list[int]] = links.tolist()
    seen = [False] * len(near)
    loops = []
    for first in range(len(near)):
        if seen[first]:
            continue
        loop, came, at = [], -1, first
        while not seen[at]:
            seen[at] = True
            loop.append(at)
            one, other = near[at]
            came, at = at, other if one == came else one
        loops.append(loop)
    return loops


def _way_out(graph: CycleGraph, variables: np.ndarray, loop: list[int]) -> list[int]:
    """Return the clause that requires a move out of the loop."""
    inside = set(loop)
    clause = []
    for v in loop:
        for k in range(graph.offsets[v], graph.offsets[v + 1]):
            if int(graph.targets[k]) not in inside:
                clause.append(int(variables[k]))
    return clause


def _moves_shown(graph: CycleGraph, links: np.ndarray) -> Iterator[int]:
    count = len(graph.squares)
    for v, others in enumerate(links.tolist()):
        for w in others:
            if v < w < count:
                yield from (int(graph.squares[v]), int(graph.squares[w]))
