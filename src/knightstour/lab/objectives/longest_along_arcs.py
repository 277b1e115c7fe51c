"""Objective "maximize visits" along arcs: the longest path or cycle of a directed graph, with proof.

First, paths grow randomly, always to the node with the fewest continuations. Then a SAT solver chooses an arc from each
node and one to it, or neither for unvisited nodes. A bound on their number is decided by bisection, within a number of
conflicts per round. If there are several loops, each of them becomes a clause: an arc leads out of it, or a node in it
or in the main loop is unvisited. If the clauses are unsatisfiable, no tour visits that many nodes. An
additional node closes open tours.

The upper bound comes from the strong components, which a path visits one after another. Without python-sat all tours
are listed.

Sources: G. B. Dantzig, D. R. Fulkerson and S. M. Johnson, 1954; O. Bailleux and Y. Boufkhad, Efficient CNF encoding of
Boolean cardinality constraints, 2003.
"""

from __future__ import annotations

import importlib.util
import itertools
import random
from typing import Any

from knightstour.core.model.budget import Budget
from knightstour.core.model.one_way import arcs_left
from knightstour.core.model.problem import Problem, end_index, is_backwards, search_ends, start_index
from knightstour.core.proofs.supply import strong_parts
from knightstour.core.search.some_squares import SomeSquares, turned_round
from knightstour.lab.objectives.longest_where import Best

# Number of random paths per node, and limit on their total steps.
_TRIES, _STEPS = 2, 200_000
# Conflicts of the first round; a round without a result multiplies them by four.
_CONFLICTS = 2_000
# The number of clauses grows with the square of the number of nodes.
_MAX_NODES = 2_000
_SEARCH = "exhaustive search by CaDiCaL"


def longest_along_arcs(problem: Problem, seed: int, budget: Budget, tour: list[int]) -> Best:
    """Return the longest tour found, with a bound. tour: a known tour.

    >>> from knightstour.core.model.board import Board
    >>> board = Board.from_graph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("b", "d")], directed=True)
    >>> best = longest_along_arcs(Problem(board, partial=True), 1, Budget(), [0, 1])
    >>> len(best.order), best.bound
    (4, 4)
    """
    out = arcs_left(problem)
    bound = _upper_bound(problem, out)
    best = max(tour, _grow_paths(problem, out, random.Random(seed), bound), key=len)
    if len(best) == bound:
        return Best(best, bound, source="there are no other nodes" if bound == len(out) else "strong components")
    if importlib.util.find_spec("pysat") is None or len(out) > _MAX_NODES:
        return _longest_in_list(problem, best, bound, budget)
    with _Search(problem, out, len(best)) as search:
        bound, conflicts = search.bisect(best, bound, budget)
        source = f"{_SEARCH}, {conflicts:,} conflicts"
        return Best(
            search.best, bound, source=source, why_stopped="" if len(search.best) == bound else budget.why_stopped()
        )


def _upper_bound(problem: Problem, out: list[list[int]]) -> int:
    """Return an upper bound from the strong components."""
    part = strong_parts(out)
    size = [part.count(number) for number in range(max(part) + 1)]
    start, end = start_index(problem), end_index(problem)
    if problem.closed:
        return max(size) if start is None else size[part[start]]
    # If an arc leads from one component to another, the latter has the lower number.
    most = [0] * len(size)
    after: list[set[int]] = [set() for _ in size]
    for tail, heads in enumerate(out):
        after[part[tail]].update(part[head] for head in heads if part[head] != part[tail])
    for number, nodes in enumerate(size):
        ways = [most[other] for other in after[number] if most[other]]
        if end is None or number == part[end] or ways:
            most[number] = nodes + max(ways, default=0)
    return max(most) if start is None else most[part[start]]


def _grow_paths(problem: Problem, out: list[list[int]], chance: random.Random, bound: int) -> list[int]:
    """Return the longest of some random tours."""
    back = turned_round(out)
    start, end = search_ends(problem)
    if is_backwards(problem):
        out, back = back, out
    best: list[int] = []
    steps = 0
    for _ in range(_TRIES * len(out)):
        first = chance.randrange(len(out)) if start is None else start
        closing = set(back[first])
        path, free = [first], [True] * len(out)
        free[first] = False
        while True:
            ways = [u for u in out[path[-1]] if free[u]]
            steps += len(ways) + 1
            if not ways:
                break
            here = min(ways, key=lambda u: (sum(map(free.__getitem__, out[u])), chance.random()))
            free[here] = False
            path.append(here)
            is_tour = len(path) > 2 and here in closing if problem.closed else end in (None, here)
            if is_tour and len(path) > len(best):
                best = path.copy()
            if here == end and not problem.closed:
                break
        if len(best) == bound or steps > _STEPS:
            break
    return best[::-1] if is_backwards(problem) else best


def _longest_in_list(problem: Problem, best: list[int], bound: int, budget: Budget) -> Best:
    """List all tours, and return the longest."""
    before = budget.nodes
    listing = SomeSquares(problem, budget, True)
    for order in listing:
        if len(order) > len(best):
            best = [int(node) for node in order]
            if len(best) == bound:
                return Best(best, bound, source="strong components")
    if not listing.is_complete:
        return Best(best, bound, why_stopped=budget.why_stopped())
    return Best(best, len(best), source=f"exhaustive search, {budget.nodes - before:,} nodes")


class _Search:
    """Covers of the graph by cycles, as clauses. An additional node closes open tours; skipped nodes are isolated.

    best: the longest tour found.
    """

    def __init__(self, problem: Problem, out: list[list[int]], least: int) -> None:
        from pysat.card import ITotalizer
        from pysat.solvers import Cadical195

        self._problem, self.best = problem, list[int]()
        self._count = count = len(out)
        start, end = start_index(problem), end_index(problem)
        arcs = [(tail, head) for tail, heads in enumerate(out) for head in heads]
        if not problem.closed:
            arcs += [(count, node) for node in range(count) if start in (None, node) and node != end]
            arcs += [(node, count) for node in range(count) if end in (None, node) and node != start]
        self._left = list(range(1, count + 1))
        self._arcs = {arc: count + 1 + k for k, arc in enumerate(arcs)}
        self._out: list[list[int]] = [[] for _ in range(count + 1)]
        into: list[list[int]] = [[] for _ in range(count + 1)]
        for (tail, head), name in self._arcs.items():
            self._out[tail].append(head)
            into[head].append(name)
        self._few = ITotalizer(self._left, ubound=count - least, top_id=count + len(arcs))
        self._solver: Any = Cadical195(bootstrap_with=self._few.cnf.clauses)
        self._top = self._few.top_id
        for node in range(count + (not problem.closed)):
            own = self._left[node : node + 1]
            for names in ([self._arcs[node, head] for head in self._out[node]], into[node]):
                self._exactly_one(names + own)
        # A closed tour has at least three nodes, as does an open tour with the additional node.
        for (tail, head), name in self._arcs.items():
            if tail < head and (head, tail) in self._arcs:
                self._solver.add_clause([-name, -self._arcs[head, tail]])
        for given in (start, end):
            if given is not None:
                self._solver.add_clause([-self._left[given]])
        self._done = 0

    def __enter__(self) -> _Search:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()
        self._few.delete()

    def _exactly_one(self, names: list[int]) -> None:
        self._solver.add_clause(names)
        while len(names) > 6:
            self._top += 1
            group, names = names[:3], [*names[3:], self._top]
            for name in group:
                self._solver.add_clause([-name, self._top])
            for one, other in itertools.combinations(group, 2):
                self._solver.add_clause([-one, -other])
        for one, other in itertools.combinations(names, 2):
            self._solver.add_clause([-one, -other])

    def bisect(self, best: list[int], bound: int, budget: Budget) -> tuple[int, int]:
        """Search for longer tours up to the bound; return the bound and the conflicts."""
        self.best = best
        wanted, conflicts = bound, _CONFLICTS
        while len(self.best) < bound and not budget.is_spent:
            answer = self._solve(wanted, budget, conflicts)
            least = len(self.best) + 1
            if answer is None and wanted > least:
                wanted = (least + wanted) // 2
                continue
            if answer is None:
                conflicts *= 4
            if answer is False:
                bound = wanted - 1
            wanted = min((least + bound + 1) // 2, bound)
        return bound, self._done

    def _solve(self, wanted: int, budget: Budget, conflicts: int) -> bool | None:
        """Whether a tour with this number of nodes exists, which is then stored; None if the conflicts do not suffice
        to decide."""
        left = conflicts
        limit = self._count - wanted
        assumed = [-self._few.rhs[limit]] if limit < len(self._few.rhs) else []
        while left > 0 and not budget.is_spent:
            self._solver.conf_budget(budget.nodes_left(min(left, 500)))
            is_possible = self._solver.solve_limited(assumptions=assumed)
            now = self._solver.accum_stats()["conflicts"]
            budget.spend(now - self._done + bool(is_possible))
            left -= max(1, now - self._done)
            self._done = now
            if is_possible is False:
                return False
            if is_possible and self._accept_model(wanted):
                return True
        return None

    def _accept_model(self, wanted: int) -> bool:
        """Store the tours in the cover, and return whether one is long enough; exclude its short loops."""
        model = self._solver.get_model()
        onward = {tail: head for (tail, head), name in self._arcs.items() if model[name - 1] > 0}
        loops: list[list[int]] = []
        while onward:
            loop = [next(iter(onward))]
            while (head := onward.pop(loop[-1])) != loop[0]:
                loop.append(head)
            loops.append(loop)
        for loop in loops:
            self._store_if_longer(loop)
        if len(self.best) >= wanted:
            return True
        loops.sort(key=len)
        main = next((loop for loop in loops if self._count in loop), loops[-1])
        for loop in loops:
            if loop is main:
                continue
            inside = set(loop)
            ways = [self._arcs[v, u] for v in loop for u in self._out[v] if u not in inside]
            far = [] if main[0] == self._count or self._count in main else [self._left[main[0]]]
            for node in loop:
                self._solver.add_clause([*ways, self._left[node], *far])
        return False

    def _store_if_longer(self, loop: list[int]) -> None:
        problem, hub, start = self._problem, self._count, start_index(self._problem)
        order = loop
        if not problem.closed:
            if hub not in loop:
                return
            k = loop.index(hub)
            order = loop[k + 1 :] + loop[:k]
        elif start is not None:
            if start not in loop:
                return
            k = loop.index(start)
            order = loop[k:] + loop[:k]
        if len(order) > len(self.best):
            self.best = order
