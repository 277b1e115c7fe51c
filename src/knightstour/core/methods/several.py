"""Search for one or several tours of a problem, by seeds or by listing all."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from knightstour.core.methods.table import Method
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, checked_conditions, has_given_end, is_numbered
from knightstour.core.model.result import Outcome, Status, undecided
from knightstour.core.model.tour import Tour, walks_of
from knightstour.core.model.trace import Trace
from knightstour.core.model.unvisited import answer_of
from knightstour.core.model.validation import callback, flag, whole_number

# Number of consecutive repeats after which the search by seeds ends.
_REPEATS_IN_A_ROW = 1000
# On boards up to this size all tours can be listed, to decide whether other distinct tours exist.
_MAX_SQUARES_LISTED = 36
# The listing starts after this number of consecutive repeats, or of nodes without a new tour.
_REPEATS_BEFORE_LISTING = 30
_NODES_STALE = 200_000
# Methods of a family of tours that can be listed on boards of any size.
_OF_FAMILIES = ("quartes",)


OnTour: TypeAlias = Callable[[Tour, bool], None]


class TourSearch:
    """Tours that a method has found for one problem.

    Attributes:
        wanted: Required number of tours.
        unique: Whether repeats are omitted.
        on_tour, trace: As for solve().
        is_limited: Whether the caller gave limits; otherwise very long lists are skipped.
    """

    def __init__(
        self,
        problem: Problem,
        method: str,
        row: Method,
        n: int = 1,
        unique: bool = False,
        on_tour: OnTour | None = None,
        trace: Trace | None = None,
        *,
        is_limited: bool = True,
    ) -> None:
        callback(on_tour, "on_tour")
        self.problem, self.method, self.row, self.on_tour, self.trace = problem, method, row, on_tour, trace
        self.wanted = whole_number(n, "the number of tours, n,", least=1)
        self.unique = flag(unique, "unique")
        if self.wanted > 1 and not row.varies and method != "backtracking":
            raise ProblemError(
                f"method {method} finds the same tour for every seed",
                help="use auto, rotation or merge for several tours",
            )
        self.is_limited = is_limited
        self.found: list[Tour] = []
        self.repeats = 0
        self._repeats_in_a_row = 0
        # Counters of the method, for all tours together.
        self._counters: Counter[str] = Counter()
        self._seen: set[bytes] = set()

    def find(self, budget: Budget, seed: int, options: Mapping[str, object]) -> Outcome:
        """Run the method until there are enough tours. The outcome contains the reason for stopping."""
        if checked_conditions(self.problem):
            from knightstour.core.proofs.arguments import known_proof
            from knightstour.lab.objectives.goals import search_of

            proof = known_proof(self.problem) if self.row.proves else None
            find = search_of(self.problem) if self.method == "auto" else self.row.run
            if proof is not None or self.method == "backtracking" or find is None:
                return proof or self._search_all(budget, seed, options)
            outcome = self.add(find(self.problem, budget, seed))
            return (
                outcome
                if self.wanted == 1 or outcome.order is None
                else self._search_by_chance(find, budget, seed, outcome)
            )
        if self.wanted > 1:
            options = {**self.row.varied, **options}
            if self.method == "backtracking" or is_numbered(self.problem) or self.problem.partial:
                return self._search_all(budget, seed, options)
        outcome = self.add(self.row.run_on(self.problem, budget, seed, **options))
        if self.wanted > 1 and outcome.status is Status.FOUND:
            # A construction always gives the same tour, so auto searches for further tours.
            run: Callable[..., Outcome] = self.row.run_on
            if self.method == "auto":
                from knightstour.core.methods.auto import search_in_stages

                run = functools.partial(search_in_stages, vary=True)
            outcome = self._search_by_chance(functools.partial(run, **options), budget, seed, outcome)
        return outcome

    def totals(self) -> dict[str, int]:
        """Return the counters for all tours, and the number of repeats."""
        return {**self._counters, "repeats": self.repeats}

    @property
    def _is_complete(self) -> bool:
        return len(self.found) >= self.wanted

    def add(self, outcome: Outcome) -> Outcome:
        """Add the outcome's tour, if any. Creating the Tour checks it."""
        if outcome.counters:
            self._counters.update(outcome.counters)
        if outcome.order is not None:
            self.take(answer_of(self.problem, outcome.order))
        return outcome

    def take(self, tour: Tour) -> None:
        """Check and add a tour, unless it is an unwanted repeat."""
        problem = self.problem
        confirm_answer(problem, tour, "a method")
        if self.trace is not None:
            self.trace.add("tour", tour.order)
        is_repeat = False
        if self.wanted > 1:
            key = self._key(tour)
            is_repeat = key in self._seen
            self._seen.add(key)
        self.repeats += is_repeat
        self._repeats_in_a_row = self._repeats_in_a_row + 1 if is_repeat else 0
        if not (is_repeat and self.unique):
            self.found.append(tour)
        if self.on_tour is not None:
            self.on_tour(tour, is_repeat)

    def _key(self, tour: Tour) -> bytes:

        order, problem = tour.order, self.problem
        if not has_given_end(problem) and not problem.given:
            as_cycle = problem.closed
            if as_cycle and checked_conditions(problem):
                from knightstour.core.statistics.where import numbers_matter

                as_cycle = not numbers_matter(problem)
            order = min(walks_of(order, as_cycle), key=lambda walk: walk[:2].tolist())
        return order.astype(np.int32).tobytes()

    def _search_by_chance(
        self, run: Callable[[Problem, Budget, int], Outcome], budget: Budget, seed: int, first: Outcome
    ) -> Outcome:
        """Find more tours with other seeds, and then, on a small board, by a list."""
        outcome, draws, last_new = first, 0, budget.nodes
        while not self._is_complete:
            draws += 1
            budget.tell_stage(self.method)
            outcome = self.add(run(self.problem, budget, seed + draws))
            if outcome.status is not Status.FOUND:
                break
            if not self.unique:
                continue
            if self._repeats_in_a_row == 0:
                last_new = budget.nodes
            is_stale = self._repeats_in_a_row >= _REPEATS_BEFORE_LISTING or budget.nodes - last_new > _NODES_STALE
            is_small = square_count(self.problem.board) <= _MAX_SQUARES_LISTED
            if is_stale and (outcome.method in _OF_FAMILIES or (self.method == "auto" and is_small)):
                return self._search_all(budget, seed, {})
            if self._repeats_in_a_row >= _REPEATS_IN_A_ROW:
                return undecided(f"the last {_REPEATS_IN_A_ROW:,} tours were all repeats; there are probably no others")
        return replace(outcome, order=None, method=outcome.method or self.method)

    def _search_all(self, budget: Budget, seed: int, options: Mapping[str, object]) -> Outcome:
        self._repeats_in_a_row = 0
        whole = budget
        if checked_conditions(self.problem) and not self.is_limited:
            from knightstour.lab.objectives.goals import nodes_of_list

            nodes = nodes_of_list(self.problem)
            budget = whole if nodes is None else whole.part(nodes=nodes)
        try:
            return self._search_all_within(budget, seed, options)
        finally:
            if budget is not whole:
                whole.spend(budget.nodes)

    def _search_all_within(self, budget: Budget, seed: int, options: Mapping[str, object]) -> Outcome:
        from knightstour.core.search.listing import list_tours

        method = "clues" if is_numbered(self.problem) else "backtracking"
        chosen: dict[str, Any] = {"move_order": "classic", "prune": "all", **options}
        with closing(list_tours(self.problem, budget, seed, directed=not self.unique, **chosen)) as listing:
            for order in listing:
                self.take(answer_of(self.problem, order))
                if self._is_complete:
                    return Outcome(Status.FOUND, method=listing.method or method)
        if not listing.is_complete:
            reason = listing.reason or budget.why_stopped()
            if checked_conditions(self.problem):
                from knightstour.lab.objectives.goals import why_list_is_long

                reason += why_list_is_long(self.problem)
            return replace(undecided(reason), method=listing.method)
        count = len(self.found)
        reason = f"there are no more: these {count:,} are all" if count else listing.reason
        source = f"exhaustive search, {budget.nodes:,} nodes"
        return Outcome(Status.IMPOSSIBLE, None, reason, source, method=method)
