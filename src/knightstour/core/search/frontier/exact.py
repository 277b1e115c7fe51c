"""Exact search by the frontier method: a tour, or the proof that none exists, on any board or graph.

The squares are processed one by one, in a fixed order. The missing moves of a processed square are chosen, all to
later squares. The rest of the search depends only on the *frontier*, the later squares that are neighbours of earlier
ones: each is bare (no move yet), inner (both moves chosen) or the end of a path, whose other end is its *mate*. Partial
tours with the same frontier are one *state*. There are far fewer states than partial tours, so all states can be built.
A path may close to a cycle only if it contains every square. A state is discarded when a square of the frontier has too
few later neighbours.

Open tours become cycles too: two given ends are joined initially; otherwise a virtual square joined to all squares
(initially to the start, if given) joins the two ends.

A state is one integer: the mask of the inner slots (plan.py), and above it for each slot its number xor its mate's, 0
without a mate. States are built depth first, in bundles: on boards with many tours one is found early, and on boards
without tours the exhausted search is a proof. Every state stores the first step that led to it, so a tour is read
backwards.

Cost: milliseconds for rectangles of 3 and 4 rows, tens of milliseconds for 5 rows. Each further row multiplies the
states by ten, each further column by a few. Boards of 64 squares without tours need up to minutes. Memory is the limit:
0.3 us and 35 bytes per state.

Sources: D. E. Knuth, The Art of Computer Programming, vol. 4A, 7.1.4 ("simpath"); J. Kawahara, T. Inoue, H. Iwashita
and S. Minato, Frontier-based search for enumerating all constrained subgraphs with compressed representation, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem, is_backwards, start_index
from knightstour.core.model.result import Outcome, found, impossible, undecided
from knightstour.core.search.frontier import marching as kernel
from knightstour.core.search.frontier.marching import (
    MAX_STATES,
    Algebra,
    Layer,
    March,
    expand_upto,
    picks_back,
    why_too_wide,
)
from knightstour.core.search.frontier.plan import Plan, make_plan

# Maximum memory of the states; a search that needs more ends undecided.
MAX_BYTES = 4_000_000_000
# Larger boards have far too wide a frontier, if they need a search.
MAX_SQUARES = 20_000
# A bundle is an eighth of its layer, within these bounds: small enough for an early descent and frequent checks.
_SMALLEST_BUNDLE, _LARGEST_BUNDLE = 64, 1 << 15
EXHAUSTED = -1  # a status, like the constants of the kernel


def why_not_exact(problem: Problem) -> str | None:
    """Return the reason why the exact search does not support a problem, or None.

    >>> why_not_exact(Problem((6, 6), closed=True)) is None
    True
    """
    if problem.board.is_directed:
        return "it lengthens no tours along arcs"
    if square_count(problem.board) > MAX_SQUARES:
        return (
            f"an exact search of {square_count(problem.board):,} squares has no chance (at most {MAX_SQUARES:,}), "
            "for the frontier would be far too wide"
        )
    return None


def exact(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Build all states until a tour is complete. The seed has no effect.

    FOUND with a tour, IMPOSSIBLE if the search is exhausted, UNDECIDED at a limit or at MAX_BYTES.

    >>> exact(Problem((3, 5)), Budget(), seed=0).reason
    'an exhaustive search of 136 states found none'
    """
    reason = why_not_exact(problem)
    if reason is not None:
        return undecided(reason)
    squares = move_graph(problem.board).squares
    if len(squares) == 1 and not problem.closed and not problem.partial:
        return found([int(squares[0])])
    before = budget.nodes
    plan = make_plan(problem)
    reason = why_too_wide(plan)
    if reason is not None:
        return undecided(reason)
    search = Search(plan, budget)
    status = search.run()
    states = budget.nodes - before
    if status == kernel.FOUND:
        return found(in_requested_direction(tour_by_picks(plan, search.picks()), problem), states=states)
    if status == EXHAUSTED:
        return impossible(
            f"an exhaustive search of {states:,} states found none",
            f"exhaustive search (frontier dynamic programme), {states:,} states",
            states=states,
        )
    return undecided(search.why_stopped or budget.why_stopped(), states=states)


# ---------------------------------------------------------------- the search


class _Parents(Algebra):
    """Each state stores the first step that led to it: the number of a state and the code of a pick; a tour ends the
    march. closed: the step that completes it, int32 (1, 2)."""

    function = "march_parents"
    carried = ((np.int32, 2),)

    def __init__(self) -> None:
        self.closed = np.zeros((1, 2), dtype=np.int32)

    def arguments(self, source: Layer, target: Layer) -> tuple[object, ...]:
        return *target.carried, self.closed


def _bundle(count: int) -> int:
    return min(max(_SMALLEST_BUNDLE, count >> 3), _LARGEST_BUNDLE)


class _LimitReached(Exception):
    """A limit was reached."""


class Search:
    """All layers of a plan, built depth first.

    Attributes:
        why_stopped: Reason why the search ended without a result, if not the budget.
    """

    def __init__(self, plan: Plan, budget: Budget) -> None:
        self.budget = budget
        self._parents = _Parents()
        self.march = March(plan, self._parents)
        self.layers: list[Layer] = [self.march.first_layer()]
        self.why_stopped: str | None = None
        self._held = self.layers[0].bytes
        self._last = 0

    def run(self) -> int:
        """Return FOUND, EXHAUSTED, or RUNNING if the budget is spent or the memory full."""
        t = 0
        while t >= 0:
            source = self.layers[t]
            if source.done == source.count:
                t -= 1
                continue
            try:
                if self._expand(t, source):
                    self._last = t
                    return kernel.FOUND
            except _LimitReached:
                return kernel.RUNNING
            if self.layers[t + 1].done < self.layers[t + 1].count:
                t += 1
        return EXHAUSTED

    def _expand(self, t: int, source: Layer) -> bool:
        """Expand a bundle of states of layer t; return whether one completes a tour. Raise _LimitReached at a limit."""
        if t + 1 == len(self.layers):
            self.layers.append(self.march.layer_after(t))
            self._held += self.layers[-1].bytes
        target = self.layers[t + 1]
        upto = min(source.count, source.done + _bundle(source.count))
        others, made = self._held - source.bytes - target.bytes, target.count

        def check() -> None:
            if self.budget.is_spent:
                raise _LimitReached

        def report(t: int, states: int, part: float, held: int) -> None:
            nonlocal made
            self.budget.spend(states - made)
            made = states
            if others + held > MAX_BYTES:
                self.why_stopped = f"the states would need more than {MAX_BYTES / 1e9:g} GB of memory"
                raise _LimitReached
            # The budget may allow exactly the last states of a search.
            if source.done < upto:
                check()

        check()
        is_found = expand_upto(self.march, t, source, target, upto, report, lambda: self.budget.nodes_left(MAX_STATES))
        self.budget.spend(target.count - made)
        self._held = others + source.bytes + target.bytes
        return is_found

    def picks(self) -> list[tuple[int, ...]]:
        """Return the slots that each square is joined to in the tour."""
        s, code = self._parents.closed[0].tolist()
        return picks_back(self.march.plan, lambda t: self.layers[t].carried[0], self._last, (s, code))


# ---------------------------------------------------------------- reading off the tour


def tour_by_picks(plan: Plan, chosen: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the squares in order, given the slots that each square was joined to.

    The order begins at the first of the plan's ends, if there is one.
    """
    virtual = -2
    joined: dict[int, list[int]] = {v: [] for v in plan.order}
    joined[virtual] = []

    def join(v: int, u: int) -> None:
        joined[v].append(u)
        joined[u].append(v)

    if plan.mates is not None:
        a, b = plan.ends if plan.virtual < 0 else (virtual, plan.ends[0])
        join(a, b)
    for t, slots in enumerate(chosen):
        square_at = plan.later_squares(t)
        square_at[plan.virtual] = virtual
        for slot in slots:
            join(plan.order[t], square_at[slot])
    # Start away from the virtual square or the other end.
    first = joined[virtual][0] if plan.virtual >= 0 else plan.ends[0] if plan.ends else _first_joined(plan, joined)
    before = virtual if plan.virtual >= 0 else plan.ends[-1] if plan.ends else joined[first][0]
    order, last = [first], virtual if plan.virtual >= 0 else first
    while True:
        here = order[-1]
        one, other = joined[here]
        there = other if one == before else one
        if there == last:
            return order
        order.append(there)
        before = here


def _first_joined(plan: Plan, joined: dict[int, list[int]]) -> int:
    return next(v for v in plan.order if joined[v])


def in_requested_direction(order: list[int], problem: Problem) -> list[int]:
    """Return the tour in the required direction: a closed one from its start, an open one towards its given end."""
    start = start_index(problem)
    if problem.closed and start is not None:
        at = order.index(start)
        return order[at:] + order[:at]
    if is_backwards(problem):
        return order[::-1]
    return order
