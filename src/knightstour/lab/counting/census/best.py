"""The tour with the most of a statistic that adds up over moves, or the least, proved by all half-made tours.

The count by halves (lab/counting/halves) has a number for each state, that of its half-made tours; a census has a
polynomial. Here each state has the largest value of a half-made tour, and numbers are not added up, but the larger one
is taken. The halves are joined in the same way: so the largest value of a tour is known, and no tour has more.

All layers are kept, so a tour is found by walking back through them: from a state with a value to one from which an
edge leads to it, whose value is less by what the edge's moves are worth. Where the least is wanted, each move has the
largest value of any move less its own; all tours have the same number of moves.

Which symmetry serves depends on the statistic, as in a census.

Cost: twice that of a count. 7x8 closed takes 1.2 s of processor time, 8x8 closed 13 s and 1.8 GB.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.classes import DEAL, KIND, SLOT, ends_of, inner_of
from knightstour.core.kernels.counting.lists import Made
from knightstour.core.machine.memory import available_bytes
from knightstour.core.machine.native import Bound, door
from knightstour.core.machine.slices import ranges
from knightstour.core.model.board import move_graph
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import confirm
from knightstour.core.model.problem import Problem
from knightstour.core.model.wording import in_words
from knightstour.lab.counting.census.by_halves import Side, Values, added_values, can_count, chosen_cut, subset_values
from knightstour.lab.counting.halves.cut import Cut
from knightstour.lab.counting.halves.layers import (
    Edges,
    Layer,
    MadeLists,
    Workers,
    foresee,
    pull_in_blocks,
    start_layer,
    step_of,
)
from knightstour.lab.counting.halves.middle import (
    Desk,
    HalfClasses,
    find_classes,
    fit_of,
    make_tables,
    most_pairs_of,
    seam_of,
    side_of,
)
from knightstour.lab.counting.spaces.tour_space import walk_links
from knightstour.lab.objectives.by_states import adds_up_over_moves
from knightstour.lab.objectives.table import Objective
from knightstour.lab.statistics.table import statistic_named

# The part of the free memory for the layers, and classes joined in the first call of the kernel.
_PART_OF_MEMORY, _FIRST_CLASSES = 0.6, 16
# Squares of the shorter side from which this is quicker than the states of whole tours.
_LEAST_ACROSS = 6


class Proved(NamedTuple):
    """What the halves proved.

    order: squares of a tour of the largest value; None where there is none, or a limit came first. excuse: what ended
    it, or empty. states: how many were made. value: no tour has more.
    """

    order: list[int] | None
    excuse: str
    states: int
    value: int


class _Ended(Exception):
    """A limit was reached; the message says which."""


class _Kept(NamedTuple):
    """A layer of a half, and how it came from the one before: its edges, and what these add; none for the first."""

    layer: Layer
    edges: Edges | None
    added: np.ndarray


def can_prove(problem: Problem, objective: Objective) -> bool:
    """Whether the halves of a board prove which tour is best, and are quicker than the states of whole tours.

    >>> from knightstour.lab.objectives.table import OBJECTIVES
    >>> [can_prove(Problem.of("8x8", closed=True), OBJECTIVES[name]) for name in ("most-flat-up", "turns")]
    [True, False]
    """
    board = problem.board
    is_large = min(board.rows, board.cols) >= _LEAST_ACROSS
    return adds_up_over_moves(objective) and is_large and can_count(problem)


def best_by_halves(problem: Problem, objective: Objective, budget: Budget) -> Proved:
    """The tour with the least sign times number, among all that answer the question; `value` is that.

    >>> from knightstour.lab.objectives.table import OBJECTIVES
    >>> problem = Problem.of("6x8", closed=True)
    >>> [best_by_halves(problem, OBJECTIVES[name], Budget()).value for name in ("flat-up", "most-flat-up")]
    [4, -22]
    """
    numbers = Values.by(problem, statistic_named(objective.statistic)).of
    graph = move_graph(problem.board)
    moves = (graph.tails, graph.targets)
    costs = objective.sign * numbers[moves]
    dearest = int(costs.max(initial=0))
    values = np.zeros_like(numbers)
    values[moves] = dearest - costs
    proved = most_by_halves(problem, values, budget)
    # All tours have the same number of moves.
    count = problem.board.square_count - (not problem.closed)
    return proved._replace(value=count * dearest - proved.value)


def most_by_halves(problem: Problem, values: np.ndarray, budget: Budget, *, threads: int | None = None) -> Proved:
    """The tour with the largest sum of the values of its moves.

    values: int64 (squares, squares), symmetric; that of each move, 0 or more.

    >>> from knightstour.lab.statistics.table import STATISTICS
    >>> problem = Problem.of("6x6", closed=True)
    >>> found = most_by_halves(problem, Values.by(problem, STATISTICS["flat-up"]).of, Budget())
    >>> found.value, len(found.order)
    (14, 36)
    """
    with closing(Workers(threads or os.cpu_count() or 1)) as workers:
        work = _Work(problem, Values(values), budget, workers)
        try:
            return work.run()
        except _Ended as ended:
            most = int(values.max(initial=0)) * problem.board.square_count
            return Proved(None, str(ended), work.states, most)


class _Work:
    """One search for the largest value."""

    def __init__(self, problem: Problem, values: Values, budget: Budget, workers: Workers) -> None:
        self.problem, self.values, self.budget, self.workers = problem, values, budget, workers
        self.states = self.held = 0
        self.most_bytes = budget.limits.bytes or int(_PART_OF_MEMORY * available_bytes())

    def run(self) -> Proved:
        """Make both halves, join them, and walk back to a tour."""
        cut, image = chosen_cut(self.problem, self.values)
        classes = find_classes(cut, lambda done, todo: self._spend(0))
        same = np.arange(len(image))
        sides = [Side(cut.left, classes.indices[0], classes.left, same)]
        sides.append(Side(cut.right, classes.indices[1], classes.right, image))
        kept = [self._half(sides[0])]
        kept.append(kept[0] if cut.is_even else self._half(sides[1]))
        join = _Join(cut, classes, sides, (kept[0][-1].layer, kept[1][-1].layer), self.values)
        value, number = join.best(lambda: self._spend(0))
        if value == 0:
            return Proved(None, "", self.states, 0)
        reached = join.states_of(int(classes.finals[number]), value)
        links = np.full((len(same), 2), -1, dtype=np.int64)
        for side, layers, row in zip(sides, kept, reached, strict=True):
            _link_half(side, layers, row, links)
        order = walk_links(links[None], self.problem)[0]
        return Proved([int(square) for square in order], "", self.states, value - 1)

    def _spend(self, states: int) -> None:
        self.states += states
        self.budget.spend(states)
        if self.budget.is_spent:
            raise _Ended(self.budget.why_stopped())
        if self.held > self.most_bytes:
            raise _Ended(f"the halves would need more than {in_words(self.most_bytes)} of memory")

    def _half(self, side: Side) -> list[_Kept]:
        """All layers of a half."""
        kept = [_Kept(start_layer(), None, np.empty(0, dtype=np.int64))]
        for t in range(len(side.half.steps)):
            kept.append(self._next(side, t, kept[-1].layer))
            self.held += kept[-1].layer.states.nbytes
            self._spend(kept[-1].layer.size)
        return kept

    def _next(self, side: Side, t: int, layer: Layer) -> _Kept:
        """The layer after step t of a half."""
        step, targets = step_of(side.half, t, side.numbering), side.classes[t + 1]
        ahead = foresee(step, layer, targets, 0)
        added = added_values(side, self.values, t, step, layer.classes, ahead.edges.edges)

        def pull(first: int, last: int, out: np.ndarray, made_lists: MadeLists) -> tuple[int, None]:
            table = self.workers.borrow_table(int(ahead.room[first:last].max()))
            states = (layer.lists, layer.states, Made(ahead.room, *made_lists), out, added)
            made = door("best_pull")(ahead.edges.by_target, *states, step.turn, table, first, last)
            self.workers.give_back("table", table)
            return made, None

        made, _ = pull_in_blocks(ahead, targets, self.workers, pull, report=lambda: self._spend(0))
        return _Kept(made, ahead.edges, added)


class _Join:
    """The last layers of both halves, to be joined."""

    def __init__(
        self, cut: Cut, classes: HalfClasses, sides: list[Side], layers: tuple[Layer, Layer], values: Values
    ) -> None:
        left, right = (
            side_of(cut, side.half, index, layer)
            for side, index, layer in zip(sides, classes.indices, layers, strict=True)
        )
        right = left if cut.is_even else right
        self.finals = classes.finals
        self.halves = (left, right, fit_of(cut, seam_of(cut)), *(subset_values(side, values) for side in sides))
        self.desk = Desk(most_pairs_of(self.finals), max(len(left.subsets), len(right.subsets)))
        self.counters = np.zeros(joining.COUNTERS, dtype=np.int64)

    def best(self, report: Callable[[], None]) -> tuple[int, int]:
        """The largest value, plus 1, and the number of a class where it is; (0, 0) if no tour there is."""
        found = np.zeros((1, 2), dtype=np.int64)

        def bound() -> Bound:
            room = (self.desk.scratch, make_tables(), self.counters, found)
            return door("best_join").bind(self.finals, self.halves, *room)

        join = bound()
        for _, last in ranges(len(self.finals), _FIRST_CLASSES):
            while join(last) == joining.FULL:
                needs = self.counters[joining.NEED_TABLE], self.counters[joining.NEED_LIST]
                self.desk.grow(*map(int, needs))
                join = bound()
            report()
        return int(found[0, 0]), int(found[0, 1])

    def states_of(self, code: int, value: int) -> np.ndarray:
        """The states of both halves: int64 (2, 5), number of the class, state, word, subset and value, plus 1."""
        found = np.zeros((2, 5), dtype=np.int64)
        status = door("best_states")(self.halves, self.desk.scratch, make_tables(), found, code, value)
        confirm(status == joining.DONE, "the largest value has two states that make it")
        return found


def _link_half(side: Side, kept: list[_Kept], reached: np.ndarray, links: np.ndarray) -> None:
    """Note the moves of a half-made tour of a state: the one or two squares next to each square."""
    half, image = side.half, side.image

    def link(a: int, b: int) -> None:
        for one, other in ((a, b), (b, a)):
            links[one, 0 if links[one, 0] < 0 else 1] = other

    square_in = {slot: int(image[square]) for square, slot in half.slot_of.items()}
    chosen = int(side.subsets[reached[3], 2])
    for m, (a, b) in enumerate(half.moves.tolist()):
        if chosen >> m & 1:
            link(square_in[a], square_in[b])
    found, target = reached[None].copy(), int(reached[0])
    for t in range(len(half.steps) - 1, -1, -1):
        before, after = kept[t].layer, int(kept[t + 1].layer.classes[target])
        edges = kept[t + 1].edges
        assert edges is not None
        status = door("best_back")(edges.by_target, before.lists, before.states, kept[t + 1].added, found, target)
        confirm(status == joining.DONE, "a state has one that it comes from")
        target = int(found[0, 0])
        places = half.slots_at[t + 1] if t + 1 < len(half.steps) else half.slot_of
        raised = _raised(half.steps[t], int(before.classes[target]), after)
        for square, slot in places.items():
            if raised >> slot & 1:
                link(int(image[half.step_squares[t]]), int(image[square]))


def _raised(step: np.ndarray, before: int, after: int) -> int:
    """The slots that get a move of a step's square: bare ones that are ends then, and ends that are inner then."""
    if step[KIND] != DEAL:
        return 0
    # What was in the square's own slot goes with it, and an heir begins bare.
    others = ~(1 << int(step[SLOT]))
    ends, inner = int(ends_of(before)) & others, int(inner_of(before)) & others
    return (~(ends | inner) & int(ends_of(after))) | (ends & int(inner_of(after)))
