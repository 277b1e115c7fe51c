"""Algebra "best" on lists: a tour with the extreme value of a statistic that is a sum over moves, with proof.

Each state has the maximum value of its partial tours. The join of both halves yields the maximum value of a tour. To
find a tour, the layers are kept and followed backwards: from a state to a predecessor whose value is lower by the value
of the moves in between. For a minimum, the value of a move is replaced by the maximum over all moves minus its own,
since all tours have the same number of moves.

The usable symmetry depends on the statistic, as in a census.

Cost: twice that of a count. 7x8 closed needs 1.2 s of processor time, 8x8 closed 13 s and 1.8 GB.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.classes import DEAL, KIND, SLOT, ends_of, inner_of
from knightstour.core.machine.memory import available_bytes
from knightstour.core.machine.native import BoundFunction, kernel_function
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.problem import Problem
from knightstour.core.model.wording import in_words
from knightstour.core.statistics.table import statistic_named
from knightstour.lab.counting.census.by_halves import Values, can_count, chosen_cut
from knightstour.lab.counting.halves import middle
from knightstour.lab.counting.halves.cut import Cut, Half
from knightstour.lab.counting.halves.layers import Layer, Side
from knightstour.lab.counting.halves.machine import Algebra, LayerAt, Machine, Pulling, Targets, Threads
from knightstour.lab.counting.spaces.tour_space import walk_links
from knightstour.lab.objectives.by_states import SearchEnded, StateProof, adds_up_over_moves
from knightstour.lab.objectives.table import Objective

# Share of the free memory for the layers.
_PART_OF_MEMORY = 0.6
# Length of the shorter side from which this is faster than the states of whole tours.
_LEAST_ACROSS = 6


def can_prove(problem: Problem, objective: Objective) -> bool:
    """Whether this algorithm can prove optimality, and is faster than the states of whole tours.

    >>> from knightstour.lab.objectives.table import Objective
    >>> [can_prove(Problem("8x8", closed=True), Objective(name, -1)) for name in ("flat-up", "turns")]
    [True, False]
    """
    board = problem.board
    is_large = min(board.rows, board.cols) >= _LEAST_ACROSS
    return adds_up_over_moves(objective) and is_large and can_count(problem)


def best_by_halves(problem: Problem, objective: Objective, budget: Budget) -> StateProof:
    """Return a tour with the minimum of sign times statistic, and the proof.

    >>> from knightstour.lab.objectives.table import Objective
    >>> problem = Problem("6x8", closed=True)
    >>> [best_by_halves(problem, Objective("flat-up", sign), Budget()).least for sign in (1, -1)]
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
    count = square_count(problem.board) - (not problem.closed)
    return proved._replace(least=count * dearest + proved.least)


def most_by_halves(problem: Problem, values: np.ndarray, budget: Budget, *, threads: int | None = None) -> StateProof:
    """Return a tour with the maximum sum of the values of its moves, which is minus `least`.

    values: nonnegative value of each move, symmetric, int64 (squares, squares).

    >>> from knightstour.core.statistics.table import STATISTICS
    >>> problem = Problem("6x6", closed=True)
    >>> found = most_by_halves(problem, Values.by(problem, STATISTICS["flat-up"]).of, Budget())
    >>> found.least, len(found.order)
    (-14, 36)
    """
    with Threads(threads) as pool:
        work = HalfSweep(problem, Values(values), budget, pool)
        try:
            return work.run()
        except SearchEnded as ended:
            most = int(values.max(initial=0)) * square_count(problem.board)
            return StateProof(None, str(ended), work.machine.states, -most)


class Best(Algebra):
    """Maximum value, plus 1, of the partial tours of a state. values: of the moves, as numbered by the half."""

    kernel = "best_pull"

    def __init__(self, values: Values) -> None:
        self.values = values

    def pulling(self, side: Side, before: LayerAt, ahead: Targets) -> Pulling:
        added = self.values.of_edges(side.half, before.step, before.layer.classes, ahead.edges)
        return Pulling(lambda first, last: (added,))


class HalfSweep:
    """A search for the maximum value."""

    def __init__(self, problem: Problem, values: Values, budget: Budget, threads: Threads) -> None:
        self.problem, self.values, self.budget = problem, values, budget
        self.machine = Machine(threads, report=lambda: self._spend(0))
        self.machine.keeps_edges = True
        self.held = 0
        self.most_bytes = budget.limits.bytes or int(_PART_OF_MEMORY * available_bytes())

    def run(self) -> StateProof:
        """Compute both halves, join them, and follow the layers back to a tour."""
        cut, image = chosen_cut(self.problem, self.values)
        classes = middle.find_classes(cut, lambda done, todo: self._spend(0))
        values = [self.values, self.values.seen_by(image)]
        kept = [self.half(classes.sides[0], values[0])]
        kept.append(kept[0] if cut.is_even else self.half(classes.sides[1], values[1]))
        join = Join(cut, classes, (kept[0][-1].layer, kept[1][-1].layer), values)
        value, number = join.best(self.machine)
        if value == 0:
            return StateProof(None, "", self.machine.states, 0)
        reached = join.states_of(number, value)
        links = np.full((len(image), 2), -1, dtype=np.int64)
        images = (np.arange(len(image)), image)
        for k, side in enumerate(classes.sides):
            _link_half(side.half, kept[k], values[k], images[k], reached[k], links)
        order = walk_links(links[None], self.problem)[0]
        return StateProof([int(square) for square in order], "", self.machine.states, 1 - value)

    def _spend(self, states: int) -> None:
        self.budget.spend(states)
        if self.budget.is_spent:
            raise SearchEnded(self.budget.why_stopped())
        if self.held > self.most_bytes:
            raise SearchEnded(f"the halves would need more than {in_words(self.most_bytes)} of memory")

    def half(self, side: Side, values: Values) -> list[LayerAt]:
        """Return all layers of a half."""
        algebra = Best(values)
        kept = [self.machine.start(algebra)]
        for reached in self.machine.layers(algebra, side, kept[0]):
            kept.append(reached)
            self.held += reached.layer.states.nbytes
            self._spend(reached.layer.size)
        return kept


class Join:
    """Join of the last layers of both halves. values: as numbered by each half."""

    def __init__(
        self, cut: Cut, classes: middle.HalfClasses, layers: tuple[Layer, Layer], values: Sequence[Values]
    ) -> None:
        self.finals = classes.finals
        of_subsets = (values[k].of_subsets(side.half) for k, side in enumerate(classes.sides))
        self.halves = (*middle.sides_of(cut, classes.sides, layers), middle.fit_of(cut), *of_subsets)

    def best(self, machine: Machine) -> tuple[int, int]:
        """Return the maximum value, plus 1, and the index of a class that has it; (0, 0) without tours."""

        def kernel_of(mine: middle.Scratch) -> BoundFunction:
            room = (mine.room, middle.make_tables(), mine.counters, *mine.own)
            return kernel_function("best_join").bind(self.finals, self.halves, *room)

        def read(mine: middle.Scratch) -> tuple[int, int]:
            value, number = mine.own[0][0].tolist()
            return value, number

        best = (0, 0)
        join = middle.Join(kernel_of, lambda: [np.zeros((1, 2), dtype=np.int64)], read, len(self.finals))
        for found in join.run(machine.threads):
            # The first of equal values, so that the result does not depend on the blocks.
            best = max(best, found, key=lambda each: each[0])
            machine.report()
        return best

    def states_of(self, number: int, value: int) -> np.ndarray:
        """Return the states of both halves that yield this value, plus 1, in a class.

        int64 (2, 5): class of the half, state, word, subset, and value plus 1.
        """
        found = np.full((2, 5), -1, dtype=np.int64)

        def kernel_of(mine: middle.Scratch) -> BoundFunction:
            room = (mine.room, middle.make_tables(), mine.counters, found)
            return kernel_function("best_states").bind(self.finals, self.halves, *room, value)

        middle.Scratch(kernel_of).work(number, number + 1)
        check_own_answer(bool(found[:, 0].min() >= 0), "no states yield the maximum value")
        return found


def _link_half(
    half: Half, kept: list[LayerAt], values: Values, image: np.ndarray, reached: np.ndarray, links: np.ndarray
) -> None:
    """Record the neighbours of each square on a partial tour of a state."""

    def link(a: int, b: int) -> None:
        for one, other in ((int(image[a]), int(image[b])), (int(image[b]), int(image[a]))):
            links[one, 0 if links[one, 0] < 0 else 1] = other

    square_in = {slot: square for square, slot in half.slot_of.items()}
    chosen = int(middle.subsets_of(half)[reached[3], 2])
    for m, (a, b) in enumerate(half.moves.tolist()):
        if chosen >> m & 1:
            link(square_in[a], square_in[b])
    found, target = reached[None].copy(), int(reached[0])
    for t in range(len(half.steps) - 1, -1, -1):
        before, after, edges = kept[t].layer, int(kept[t + 1].layer.classes[target]), kept[t + 1].edges
        assert edges is not None
        added = values.of_edges(half, t, before.classes, edges)
        status = kernel_function("best_back")(edges.by_target, before.lists, before.states, added, found, target)
        check_own_answer(status == joining.DONE, "a state has a predecessor")
        target = int(found[0, 0])
        raised = _slots_with_new_moves(half.steps[t], int(before.classes[target]), after)
        for square, slot in half.slots_after(t).items():
            if raised >> slot & 1:
                link(half.step_squares[t], square)


def _slots_with_new_moves(step: np.ndarray, before: int, after: int) -> int:
    """Return the bare slots that become ends, and the ends that become inner."""
    if step[KIND] != DEAL:
        return 0
    # The contents of the square's own slot are relocated, and its heir starts bare.
    others = ~(1 << int(step[SLOT]))
    ends, inner = int(ends_of(before)) & others, int(inner_of(before)) & others
    return (~(ends | inner) & int(ends_of(after))) | (ends & int(inner_of(after)))
