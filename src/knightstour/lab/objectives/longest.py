"""Objective "most-visits": a tour that leaves as few squares as can be (visits="some"), found, and proved best.

A bound comes first: a tour stays in one part of the board, and where moves change colour it alternates colours. If a
tour of all squares is found, or one that meets the bound, it is best. Else a search lengthens a tour: it goes on at a
free end, leads over squares that it left in place of a move, puts one of these in the place of another, or turns a part
of itself round, at random for as long as nothing is lost. With `optimal` the states of the frontier then tell the most
squares: each state with its longest way, by keys with the tour itself, or on boards of up to 8 columns with a place for
each state (lab/counting/matchings.py) and no tour; there the search goes on until it has one of that length.

Cost: some 5 us a step of the search, so 20x20 with holes takes a second or two.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from knightstour.core.model.board import move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.condition_table import ALL, LISTED, MOVES, VISITS
from knightstour.core.model.errors import LimitReached, MethodError, ProblemError, check_own_answer
from knightstour.core.model.lazy import Plugin
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.reduced import reduced
from knightstour.core.model.result import Result, Status
from knightstour.core.model.unvisited import answer_of, order_on
from knightstour.core.proofs.facts import components
from knightstour.core.search.frontier.marching import why_too_wide
from knightstour.core.search.frontier.plan import make_plan
from knightstour.core.search.some_squares import neighbour_lists
from knightstour.lab.objectives.by_states import cheapest_tour
from knightstour.lab.objectives.longest_where import longest_where
from knightstour.lab.objectives.squares_bound import most_squares

LONGEST: Final = "most-visits"
matchings = Plugin("proofs by matchings")
# Steps of the search without limits, and before a proof; and those of the search for a tour of all squares.
_STEPS, _STEPS_BEFORE, _ALL_NODES = 200_000, 60_000, 200_000
# With more slots of the frontier there are more states with keys than are worth making.
_MAX_SLOTS, _MAX_SQUARES_BY_KEYS = 16, 25
_LOOK, _SHORTEST = 256, 4
# Squares that are left at first, and how often others are.
_MAX_LEFT, _TRIES, _TRIES_AFTER = 3, 12, 300


def is_most_visits(objective: object) -> bool:
    """Whether this is asked for, whatever was given as an objective."""
    return isinstance(objective, str) and objective == LONGEST


def default_budget(limits: Limits | None, on_progress: OnProgress | None, is_best: bool) -> Budget:
    """The budget of the question; without limits a second or two, and 60 for a proof."""
    plain = Limits() if is_best else Limits(seconds=None, nodes=_STEPS)
    return Budget(plain if limits is None else limits, on_progress)


def find_longest(
    ask: Callable[..., Result], problem: Problem, method: str, n: int, budget: Budget, *, is_best: bool
) -> Result:
    """The longest tour found; where it is to be best, with the proof, or UNDECIDED with what no tour goes beyond."""
    if not problem.leaves_squares:
        help = 'add visits="some" (--visits some)'
        raise ProblemError(f"{LONGEST} is asked of tours that may leave squares", help=help)
    problem.check_takes(f"objective {LONGEST}", VISITS, MOVES, LISTED)
    if n != 1:
        raise ProblemError("an objective is for one tour at a time", help="leave out n, or the objective")
    if method != "auto":
        raise MethodError(f"method {method} does not lengthen tours", help="leave out the method")
    result = ask(problem, method="auto")
    if result.tour is None:
        return replace(result, objective=LONGEST if is_best else "")
    if problem.listed:
        return longest_where(problem, result, budget, is_best=is_best, objective=LONGEST)
    bound, why = most_squares(problem)
    order = order_on(problem.board, result.tour).tolist()
    found = _of_nearly_all(ask, problem, bound, result.seed)
    search = Lengthening(problem, found or order, result.seed)
    part = budget.part(nodes=_STEPS_BEFORE) if is_best else budget
    search.run(part, bound)
    if is_best:
        budget.spend(part.nodes)
    source, excuse, states = why, "", 0
    if is_best and len(search.best) < bound:
        bound, excuse, source, states = _proved(ask, problem, search, budget, bound, why)
    return _answer(result, problem, search, budget, is_best, bound, source, excuse, states)


def _answer(
    result: Result,
    problem: Problem,
    search: Lengthening,
    budget: Budget,
    is_best: bool,
    bound: int,
    source: str,
    excuse: str,
    states: int,
) -> Result:
    tour, count = answer_of(problem, search.best), len(search.best)
    is_proved = count == bound
    check_own_answer(count <= bound, f"a tour of {count} squares, and its bound is {bound}")
    words = f"{count} of {problem.board.square_count} squares"
    status, reason = Status.FOUND, f"it visits {words}"
    if is_proved:
        reason = f"no {problem.plural.split(' ', 1)[0]} tour visits more than {words}: this one is best"
    elif is_best:
        status = Status.UNDECIDED
        reason = f"{excuse}: the longest tour found visits {words}, and none visits more than {bound}"
    return replace(
        result,
        status=status,
        tours=(tour,),
        reason=reason,
        source=source if is_proved else "",
        nodes=budget.nodes,
        seconds=budget.seconds,
        counters={**result.counters, "squares": count, "states": states},
        bound=bound,
        objective=LONGEST if is_best else "",
    )


def _of_nearly_all(
    ask: Callable[..., Result], problem: Problem, bound: int, seed: int, *, tries: int = _TRIES
) -> list[int] | None:
    """A tour that meets the bound, where that leaves few squares and a short search without them finds one."""
    board, less = problem.board, problem.board.square_count - bound
    if less > _MAX_LEFT or (less and (board.graph is not None or problem.asked)):
        return None
    kept = {problem.start, problem.end}
    squares = [square for square in board.squares if square not in kept] if less else []
    chance = random.Random(seed)
    for _ in range(tries if less else 1):
        left = chance.sample(squares, less)
        others = replace(problem, visits=ALL, board=board.changed(holes=[*board.holes, *left]) if left else board)
        found = ask(others, method="auto", limits=Limits(seconds=None, nodes=_ALL_NODES // (20 if less else 1)))
        if found.tour is not None:
            order: list[int] = found.tour.order.tolist()
            return order
    return None


def _proved(
    ask: Callable[..., Result], problem: Problem, search: Lengthening, budget: Budget, bound: int, why: str
) -> tuple[int, str, str, int]:
    """The most squares as far as that is proved, what ended the proof if anything, its source, and its states."""
    plan = make_plan(problem)
    excuse = str(matchings.why_not_longest(problem) or "")
    is_small = problem.board.square_count <= _MAX_SQUARES_BY_KEYS or bool(excuse)
    if is_small and plan.slots <= _MAX_SLOTS and why_too_wide(plan) is None:
        graph = reduced(problem)
        moves = move_graph(graph.problem.board)
        costs = dict.fromkeys(zip(moves.tails.tolist(), moves.targets.tolist(), strict=True), -1)
        proof = cheapest_tour(graph.problem, costs, budget, -bound)
        if proof.order is None:
            return bound, proof.excuse, why, proof.states
        search.take(graph.order(proof.order).tolist())
        return len(search.best), "", "all states of the frontier", proof.states
    if excuse:
        return bound, excuse, why, 0
    try:
        most, states = matchings.most_squares(problem, budget)
    except LimitReached:
        return bound, budget.why_stopped(), why, 0
    order = _of_nearly_all(ask, problem, most, states, tries=_TRIES_AFTER)
    if order is not None:
        search.take(order)
    search.run(budget, most)
    excuse = budget.why_stopped() if len(search.best) < most else ""
    return most, excuse, "all states of the frontier", states


class Lengthening:
    """A search that lengthens a tour. best: the squares of the longest so far, the start first."""

    def __init__(self, problem: Problem, order: list[int], seed: int) -> None:
        self.problem = problem
        self.best = list(order)
        self._order = list(order)
        self._near = neighbour_lists(problem)
        self._sets = [set(others) for others in self._near]
        self._place: dict[int, int] = {}
        self._chance = random.Random(seed)
        squares: list[int] = move_graph(problem.board).squares.tolist()
        part = components(problem.board)
        self._all = [square for square in squares if part[square] == part[order[0]]]
        self._number()

    def take(self, order: list[int]) -> None:
        """Take a tour that is longer."""
        self.best, self._order = list(order), list(order)
        self._number()

    def run(self, budget: Budget, goal: int) -> None:
        """Search until the goal is met or the budget spent."""
        done = 0
        while len(self.best) < goal and not budget.is_spent:
            self._step()
            done += 1
            if len(self._order) > len(self.best):
                self.best = self._turned()
            if done % _LOOK == 0:
                budget.spend(_LOOK)
        budget.spend(done % _LOOK)

    def _turned(self) -> list[int]:
        """The tour from its start."""
        start = self.problem.start_index
        if not self.problem.closed or start is None:
            return self._order.copy()
        at = self._order.index(start)
        return self._order[at:] + self._order[:at]

    def _number(self) -> None:
        self._place = {square: k for k, square in enumerate(self._order)}

    def _is_free(self, square: int) -> bool:
        return square not in self._place

    def _next(self, k: int) -> int | None:
        """The place after a place, None at the end of an open tour."""
        if k + 1 < len(self._order):
            return k + 1
        return 0 if self.problem.closed else None

    def _step(self) -> None:
        chance, kind = self._chance, self._chance.random()
        square = self._all[int(chance.random() * len(self._all))]
        if self._is_free(square):
            if not (self._at_an_end(square) or self._between(square)):
                self._in_place_of_another(square)
        elif kind < 0.02:
            self._cut_out(self._place[square])
        elif kind < 0.7:
            self._turn_part(self._place[square])
        else:
            self._turn_an_end()

    def _at_an_end(self, square: int) -> bool:
        """Go on to a square at a free end."""
        problem, order = self.problem, self._order
        if problem.closed:
            return False
        if problem.end is None and square in self._sets[order[-1]]:
            self._place[square] = len(order)
            order.append(square)
            return True
        if problem.start is None and square in self._sets[order[0]]:
            order.insert(0, square)
            self._number()
            return True
        return False

    def _between(self, square: int) -> bool:
        """Lead the tour over a square, or over it and another one that was left, in place of a move."""
        sets, order = self._sets, self._order
        others = [other for other in self._near[square] if self._is_free(other)]
        for near in self._near[square]:
            k = self._place.get(near)
            if k is None:
                continue
            for first, last in ((k, self._next(k)), (k - 1 if k or self.problem.closed else None, k)):
                if first is None or last is None:
                    continue
                first %= len(order)
                a, b = order[first], order[last]
                far = b if a == near else a
                if square in sets[far]:
                    return self._put(first, [square])
                for other in others:
                    if far in sets[other]:
                        return self._put(first, [square, other] if a == near else [other, square])
        return False

    def _put(self, k: int, squares: list[int]) -> bool:
        """Put squares after a place of the tour."""
        self._order[k + 1 : k + 1] = squares
        self._number()
        return True

    def _cut_out(self, k: int) -> None:
        """Take two squares out between two that a move joins: now and then, so that the search gets out of a corner."""
        order = self._order
        if 2 * _SHORTEST < len(order) > k + 3 and order[k + 3] in self._sets[order[k]]:
            inner = order[k + 1 : k + 3]
            if not {self.problem.start_index, self.problem.end_index} & set(inner):
                del order[k + 1 : k + 3]
                self._number()

    def _in_place_of_another(self, square: int) -> None:
        """Visit a square in place of one between two of its neighbours; or at a free end, in place of the last."""
        order, problem = self._order, self.problem
        kept = {problem.start_index, problem.end_index}
        places = [self._place[near] for near in self._near[square] if near in self._place]
        self._chance.shuffle(places)
        for k in places:
            middle = self._next(k)
            last = None if middle is None else self._next(middle)
            if middle is None or order[middle] in kept:
                continue
            if (last is None and problem.end is None) or (last is not None and order[last] in self._sets[square]):
                del self._place[order[middle]]
                order[middle] = square
                self._place[square] = middle
                return

    def _turn_part(self, i: int) -> None:
        """Turn a part of the tour round, where two moves can take the place of two others."""
        order, sets = self._order, self._sets
        if i + 1 >= len(order):
            return
        a, b = order[i], order[i + 1]
        near = self._near[a]
        j = self._place.get(near[int(self._chance.random() * len(near))])
        if j is None:
            return
        after = self._next(j)
        if after is None or order[after] not in sets[b]:
            return
        low, high = (i + 1, j) if j > i else (j + 1, i)
        if low < high:
            order[low : high + 1] = order[low : high + 1][::-1]
            for k in range(low, high + 1):
                self._place[order[k]] = k

    def _turn_an_end(self) -> None:
        """Turn the part behind a neighbour of a free end round (Posa 1976), so that another square is the end."""
        order, problem = self._order, self.problem
        if problem.closed or (problem.start is not None and problem.end is not None):
            return
        if problem.end is not None or (problem.start is None and self._chance.random() < 0.5):
            near = self._near[order[0]]
            k = self._place.get(near[int(self._chance.random() * len(near))])
            if k is not None:
                order[:k] = order[:k][::-1]
                self._number()
            return
        near = self._near[order[-1]]
        k = self._place.get(near[int(self._chance.random() * len(near))])
        if k is not None:
            order[k + 1 :] = order[k + 1 :][::-1]
            self._number()
