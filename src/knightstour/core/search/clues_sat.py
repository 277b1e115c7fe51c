"""Numberings by a SAT solver (CaDiCaL) with an encoding by steps: the step of each square, and the moves.

The variables are the remaining steps and moves. Both are needed: with steps alone the solver is slower for few given
numbers, and moves alone do not represent numbers.
Source: A. Biere and others, CaDiCaL 1.9.5, 2023.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from knightstour.core.model.budget import Budget

if TYPE_CHECKING:
    from knightstour.core.search.clues import Places

# Maximum number of variables for clauses on every pair; above it they are encoded in groups.
_FEW = 6
_GROUP = 4
# Number of conflicts between two checks of the limits.
_SLICE_CONFLICTS = 500
_SLICE_SECONDS = 0.1


class Clauses:
    """Clauses whose models are numberings. all: the clauses. top: the last variable."""

    def __init__(self) -> None:
        self.all: list[list[int]] = []
        self.top = 0

    def new(self) -> int:
        self.top += 1
        return self.top

    def one_at_most(self, names: list[int]) -> None:
        """Add clauses: at most one of these variables is true."""
        while len(names) > _FEW:
            group, top = names[: _GROUP - 1], self.new()
            self.all += [[-a, -b] for a, b in itertools.combinations(group, 2)]
            self.all += [[-a, top] for a in group]
            names = [*names[_GROUP - 1 :], top]
        self.all += [[-a, -b] for a, b in itertools.combinations(names, 2)]

    def barring(self, order: Sequence[int]) -> list[int]:
        """Return the clause that excludes a numbering; empty if no model contains it."""
        raise NotImplementedError

    def twins(self, order: Sequence[int]) -> list[list[int]]:
        """Return other numberings that its clause excludes."""
        return []

    def answers(self, model: list[int]) -> tuple[list[list[int]], list[list[int]]]:
        """Return the numberings of a model, and the clauses that exclude it."""
        raise NotImplementedError


def pack_order(order: Sequence[int]) -> bytes:
    """Return a numbering as a hashable key."""
    return array("i", order).tobytes()


def sat_numberings(
    make: Callable[[], Clauses], known: set[bytes], budget: Budget, conflicts: int
) -> Iterator[list[int] | None]:
    """Yield numberings other than the `known` ones, and None at the end of each turn. Some may be repeated.

    The iteration ends when no others exist or the budget is spent. A node of the budget is a conflict or a model.

    Args:
        make: Function that returns the clauses.
        known: The numberings found so far, as from `pack_order`.
        conflicts: Length of the first turn; each turn is twice as long as the previous one.
    """
    from pysat.solvers import Cadical195

    clauses = make()
    if not all(clauses.all):
        return
    with Cadical195(bootstrap_with=clauses.all) as solver:
        barred: set[bytes] = set()
        done, left, slice_conflicts = 0, conflicts, _SLICE_CONFLICTS
        while not budget.is_spent:
            for key in known - barred:
                # Numberings found by the search, which may have excluded some of their steps before.
                order = array("i", key).tolist()
                clause = clauses.barring(order)
                barred.add(key)
                if clause:
                    solver.add_clause(clause)
                    yield from clauses.twins(order)
            solver.conf_budget(budget.nodes_left(min(slice_conflicts, left)))
            started = budget.seconds
            is_possible = solver.solve_limited()
            now = solver.accum_stats()["conflicts"]
            budget.spend(now - done + bool(is_possible))
            left -= max(1, now - done)
            done = now
            if is_possible is False:
                return
            if is_possible:
                found, cuts = clauses.answers(solver.get_model())
                if not all(cuts):
                    # No move leads out of a loop.
                    return
                for cut in cuts:
                    solver.add_clause(cut)
                barred.update(map(pack_order, found))
                yield from found
            elif budget.seconds - started < _SLICE_SECONDS / 2:
                slice_conflicts *= 2
            elif budget.seconds - started > _SLICE_SECONDS:
                slice_conflicts = max(slice_conflicts // 2, 10)
            if left <= 0:
                conflicts *= 2
                left = conflicts
                yield None


class Steps(Clauses):
    """The clauses of a problem by steps. at: the variable for a square at a step.

    Args:
        domains, moves, sure: Possible steps, possible moves and certain moves of each square, as bits.
        named: Squares of rising steps.
    """

    def __init__(
        self,
        places: Places,
        domains: list[int],
        moves: list[int],
        sure: list[int],
        closed: bool,
        named: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self.count = places.count
        self.closed = closed
        self.near = [[int(u) for u in row] for row in places.near]
        self.at = {(s, t): self.new() for s, bits in enumerate(domains) for t in range(self.count) if bits >> t & 1}
        self.move: dict[tuple[int, int], int] = {}
        for s, bits in enumerate(moves):
            for k, u in enumerate(self.near[s]):
                if u > s and bits >> k & 1:
                    self.move[s, u] = self.move[u, s] = self.new()
                    if sure[s] >> k & 1:
                        self.all.append([self.move[s, u]])
        self._one_each()
        self._neighbours()
        self._two_moves()
        self._keep_order(named)

    def answers(self, model: list[int]) -> tuple[list[list[int]], list[list[int]]]:
        """Return the numbering of a model."""
        order = [0] * self.count
        for (s, t), name in self.at.items():
            if model[name - 1] > 0:
                order[t] = s
        return [order], [self.barring(order)]

    def barring(self, order: Sequence[int]) -> list[int]:
        """Return the clause that excludes a numbering; empty if one of its steps is excluded already."""
        names = [self.at.get((s, t)) for t, s in enumerate(order)]
        return [] if None in names else [-name for name in names if name is not None]

    def _one_each(self) -> None:
        of_square: list[list[int]] = [[] for _ in range(self.count)]
        of_step: list[list[int]] = [[] for _ in range(self.count)]
        for (s, t), name in self.at.items():
            of_square[s].append(name)
            of_step[t].append(name)
        for names in (*of_square, *of_step):
            self.all.append(names)
            self.one_at_most(names)

    def _neighbours(self) -> None:
        """Add clauses: a square at a step has a neighbour at the next step, and the tour contains the move to it."""
        for (s, t), name in self.at.items():
            beside: dict[int, list[int]] = {}
            for d in (1, -1):
                if self.closed or 0 <= t + d < self.count:
                    next_step = (t + d) % self.count
                    ends = [(u, self.at[u, next_step]) for u in self.near[s] if self._may(s, u, next_step)]
                    self.all.append([-name, *(other for _, other in ends)])
                    for u, other in ends:
                        if d == 1:
                            self.all.append([-name, -other, self.move[s, u]])
                        beside.setdefault(u, []).append(other)
            for u in self.near[s]:
                if (s, u) in self.move:
                    self.all.append([-name, -self.move[s, u], *beside.get(u, [])])

    def _may(self, s: int, u: int, t: int) -> bool:
        return (s, u) in self.move and (u, t) in self.at

    def _keep_order(self, named: Sequence[int]) -> None:
        for one, other in zip(named, named[1:], strict=False):
            earlier: list[int] = []
            for t in range(self.count):
                if (other, t) in self.at:
                    self.all.append([-self.at[other, t], *earlier])
                if (one, t) in self.at:
                    earlier.append(self.at[one, t])

    def _two_moves(self) -> None:
        """Add clauses: each square has two moves, or one at an end of the tour."""
        for s in range(self.count):
            names = [self.move[s, u] for u in self.near[s] if (s, u) in self.move]
            self.all += [[-a, -b, -c] for a, b, c in itertools.combinations(names, 3)]
            ends = [] if self.closed else [self.at[s, t] for t in (0, self.count - 1) if (s, t) in self.at]
            self.all += [names[:i] + names[i + 1 :] + ends for i in range(len(names))]
