"""Algebra "polynomials" on lists: the census of a statistic that is a sum over moves, up to 8x8.

Each state has a polynomial, whose coefficient k is the number of partial tours with value k. A move multiplies it by a
power of x, and a join of two halves multiplies their polynomials. Coefficients are small, so three are packed into one
machine word (core/kernels/counting/algebras.h). The join is linear in the right half, so the code that joins numbers
can join packed numbers word by word, without modular arithmetic.

The usable symmetry depends on the statistic. A half turn preserves slopes and a reflection exchanges them, so for
slopes the right half is the rotated left one. For moves across a line a reflection also works, and layers are folded.
If no symmetry preserves the values of the moves, both halves are built.

Cost: 8x8 closed by slope needs 35 s of processor time and 1.7 GB, five times the time of the count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.classes import OP_BITS, Packing
from knightstour.core.machine.native import BoundFunction, kernel_function
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.indices import reduceat, repeat
from knightstour.core.model.problem import Problem
from knightstour.core.statistics.statistic import Statistic
from knightstour.core.statistics.strokes import Strokes
from knightstour.lab.counting.halves import middle
from knightstour.lab.counting.halves.cut import SLOTS, Cut, Half, half_turn_cut, make_cut
from knightstour.lab.counting.halves.layers import CountsTooLarge, Edges, Layer, Side
from knightstour.lab.counting.halves.machine import Algebra, LayerAt, Machine, Pulling, Targets, Threads
from knightstour.lab.counting.settings import CountProgress
from knightstour.lab.counting.spaces.by_halves import mirror

# Bits per coefficient, and coefficients per word. The first row suffices for most boards.
_PACKINGS = ((21, 3), (31, 2))
# Classes joined in one piece of work.
_JOIN_BLOCK = 256


class Values(NamedTuple):
    """Values of the moves of a board; `of` is int64 (squares, squares), with 0 for pairs that are not moves."""

    of: np.ndarray

    @classmethod
    def by(cls, problem: Problem, statistic: Statistic) -> Values:
        """Return the values that a statistic assigns to the moves."""
        size = problem.board.rows * problem.board.cols
        graph = move_graph(problem.board)
        table = np.zeros((size, size), dtype=np.int64)
        table[graph.tails, graph.targets] = statistic.of(Strokes.of_moves(problem.board))
        return cls(table)

    def seen_by(self, image: np.ndarray) -> Values:
        """Return the values of the images of the moves; `image` maps each square."""
        return Values(self.of[np.ix_(image, image)])

    def are_kept_by(self, image: np.ndarray) -> bool:
        """Whether moves and their images have the same values."""
        return bool((self.seen_by(image).of == self.of).all())

    def of_edges(self, half: Half, t: int, classes: np.ndarray, edges: Edges) -> np.ndarray:
        """Return the value of the moves of each edge in step t of a half; `classes` are the sources of the edges."""
        by_slot = np.zeros(SLOTS, dtype=np.int64)
        for square, slot in half.slots_after(t).items():
            by_slot[slot] = self.of[half.step_squares[t], square]
        added = np.empty(len(edges.edges), dtype=np.int64)
        kernel_function("classes_add_values")(half.steps[t], classes, edges.edges, by_slot, added)
        return added

    def of_subsets(self, half: Half) -> np.ndarray:
        """Return the value of each subset of the middle moves of a half: int64 (subsets,)."""
        square = {slot: v for v, slot in half.slot_of.items()}
        of_moves = [int(self.of[square[a], square[b]]) for a, b in half.moves.tolist()]
        chosen = middle.subsets_of(half)[:, 2]
        return sum((((chosen >> m) & 1) * value for m, value in enumerate(of_moves)), np.zeros_like(chosen))


def can_count(problem: Problem) -> bool:
    """Return whether a board can be cut into halves."""
    return make_cut(problem, fold=False) is not None


def census_by_halves(
    problem: Problem, statistic: Statistic, watch: CountProgress, *, threads: int | None = None
) -> dict[int, int]:
    """Return the number of tours by value.

    Raises LimitReached if the budget of `watch` is spent, and CountsTooLarge if numbers of partial tours exceed a
    machine word.
    """
    values = Values.by(problem, statistic)
    cut, image = chosen_cut(problem, values, fold=True)
    classes = middle.find_classes(cut, lambda done, todo: watch.report("listing the classes of states", 0.0))
    with Threads(threads) as pool:
        for packing in (Packing(*each) for each in _PACKINGS):
            machine = Machine(pool, report=watch.check)
            try:
                halves = last_halves(cut, classes, [values, values.seen_by(image)], packing, machine, watch)
                return _join(cut, classes.finals, halves, packing, machine, watch)
            except CountsTooLarge:
                if packing == _PACKINGS[-1]:
                    raise
    raise AssertionError("the last packing returns or raises")


def chosen_cut(problem: Problem, values: Values, *, fold: bool = False) -> tuple[Cut, np.ndarray]:
    """Return the cut of the board, folded if allowed and possible, and the square of the board of each right square."""
    board = problem.board
    same = np.arange(board.rows * board.cols)
    mirrored = mirror(problem)
    # A half turn is the mirror and the flip.
    fold = fold and square_count(board) == len(same) and values.are_kept_by(mirrored[::-1])
    turned = None if fold else half_turn_cut(problem)
    if turned is not None and values.are_kept_by(same[::-1]):
        return turned, same[::-1]
    cut = make_cut(problem, fold=fold)
    assert cut is not None, "only connected boards reach this function"
    image = mirrored if cut.is_mirrored else same
    is_even = cut.is_even and values.are_kept_by(image)
    return cut._replace(is_even=is_even, shared=cut.shared if is_even else 0), image


class Polynomials(Algebra):
    """Packed polynomial: the number of partial tours by value; `values` are the moves as the half numbers them."""

    kernel = "lists_pull_polynomials"
    item = ()

    def __init__(self, values: Values, packing: Packing) -> None:
        self.values, self.packing = values, packing

    @property
    def most(self) -> float:
        return float(1 << self.packing.bits)

    def first(self) -> Layer:
        layer = super().first()
        return layer._replace(states=layer.states.ravel(), values=np.zeros((2, 1), dtype=np.int64))

    def widths(self, values: np.ndarray) -> np.ndarray:
        """Return the number of packed words per state of each class; `values` are the minima and maxima of the
        classes."""
        return (values[1] - values[0]) // self.packing.fields + 1

    def pulling(self, side: Side, before: LayerAt, ahead: Targets) -> Pulling:
        assert before.layer.values is not None
        starts, edges = ahead.edges.starts, ahead.edges.edges
        added = self.values.of_edges(side.half, before.step, before.layer.classes, ahead.edges)
        low, high = before.layer.values[:, edges >> OP_BITS] + added
        values = np.zeros((2, len(ahead.classes)), dtype=np.int64)
        (used,) = np.nonzero(np.diff(starts))
        if len(used):
            values[0, used] = reduceat(np.minimum, low, starts[used])
            values[1, used] = reduceat(np.maximum, high, starts[used])
        # Exponent that each edge adds to the polynomials.
        shifts = low - repeat(values[0], np.diff(starts))
        widths = self.widths(values)
        more = (self.widths(before.layer.values), widths, shifts, self.packing)
        return Pulling(lambda first, last: more, sizes=1 + widths, known={"values": values})


def last_halves(
    cut: Cut,
    classes: middle.HalfClasses,
    values: list[Values],
    packing: Packing,
    machine: Machine,
    watch: CountProgress,
) -> list[joining.PolynomialHalf]:
    """Return the last layers of both halves for the join; `values` are the moves as each half numbers them."""
    halves: list[joining.PolynomialHalf] = []
    for k, side in enumerate(classes.distinct):
        algebra, steps = Polynomials(values[k], packing), len(side.half.steps)
        for reached in machine.layers(algebra, side):
            part = (k + reached.step / steps) / len(classes.distinct)
            watch.report(f"making states: step {reached.step} of {steps}", 0.5 * part, machine.states)
        layer = reached.layer
        assert layer.values is not None
        lows, highs = layer.values
        taken = middle.side_of(cut, side, layer)._replace(widths=algebra.widths(layer.values))
        halves.append(joining.PolynomialHalf(taken, lows, highs, values[k].of_subsets(side.half)))
    return [halves[0], halves[-1]]


def most_value(halves: list[joining.PolynomialHalf]) -> int:
    """Return an upper bound for the value of a tour."""
    return sum(int(half.highs.max(initial=0) + half.values.max()) for half in halves)


def _join(
    cut: Cut,
    finals: np.ndarray,
    halves: list[joining.PolynomialHalf],
    packing: Packing,
    machine: Machine,
    watch: CountProgress,
) -> dict[int, int]:
    """Return the number of tours by value: the sum of the products of polynomials that fit."""
    fit, most = middle.fit_of(cut), most_value(halves)

    def kernel_of(mine: middle.Scratch) -> BoundFunction:
        how = (packing, mine.room, middle.make_tables(), mine.counters)
        return kernel_function("join_polynomials").bind(finals, *halves, fit, *how, *mine.own)

    def read(mine: middle.Scratch) -> np.ndarray:
        low, high = mine.own[0].T.astype(object)
        return np.asarray(low + (high << joining.DIGIT))

    def own() -> list[np.ndarray]:
        return [np.zeros((most + 1, 2), dtype=np.int64)]

    join = middle.Join(kernel_of, own, read, len(finals), _JOIN_BLOCK)
    found = np.zeros(most + 1, dtype=object)
    for k, total in enumerate(join.run(machine.threads), start=1):
        found += total
        part = 0.5 + 0.5 * k / join.blocks
        watch.report(f"joining the halves: {k:,} of {join.blocks:,}", part, machine.states)
    return {value: middle.tours_of(int(tours), cut) for value, tours in enumerate(found) if tours}
