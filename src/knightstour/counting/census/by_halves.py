"""The census of a statistic that adds up over moves, by halves: for 8x8 too.

The count by halves (counting/halves) has a number for each state, that of its half-made tours. Here each state has a
polynomial: coefficient k is how many of them have value k. A move adds its value, so it moves the polynomials up. Where
two halves fit, their polynomials are multiplied.

Polynomials are short, since states of one class have values close together, and their coefficients are small, so three
are packed into one machine word (kernels/counting/class_polynomials.py). Joining the halves is linear in the right
half: the same code that joins numbers joins packed ones, a word at a time, and nothing is counted modulo primes.

Which symmetry serves depends on the statistic. A half turn keeps slopes and a mirror exchanges them, so for slopes the
right half is the left one turned round; for moves across a line the mirror does as well. Where neither keeps the values
of the moves, both halves are made.

Cost: 8x8 closed by slope takes 36 s of processor time and 1.4 GB, which is four times the time of the count.
"""

from __future__ import annotations

import os
from contextlib import closing
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from knightstour.counting.halves.cut import SLOTS, Cut, half_turn_cut, make_cut
from knightstour.counting.halves.cut import Half as HalfOfCut
from knightstour.counting.halves.layers import (
    CountsTooLarge,
    Index,
    Layer,
    Step,
    Workers,
    block_cuts,
    foresee,
    is_long,
    spans,
    start_layer,
    step_of,
)
from knightstour.counting.halves.middle import (
    Desk,
    HalfClasses,
    find_classes,
    make_tables,
    seam_of,
    side_of,
    subsets_of,
)
from knightstour.counting.means import Watch
from knightstour.counting.spaces.by_halves import mirror
from knightstour.kernels.counting import class_join
from knightstour.kernels.counting import class_polynomials as kernel
from knightstour.kernels.counting.class_lists import OP_BITS
from knightstour.kernels.counting.words import MASK
from knightstour.machine import engine
from knightstour.model.board import move_graph
from knightstour.model.indices import repeat
from knightstour.model.problem import Problem
from knightstour.statistics.statistic import Statistic
from knightstour.statistics.strokes import Strokes

# Bits of a coefficient, and how many are packed into one number. Most boards do with the first.
_PACKINGS = ((21, 3), (31, 2))
# States looked at in one call of the kernel, and classes joined in one.
_BLOCK_STATES = 1 << 20
_JOIN_BLOCK = 256


class Values(NamedTuple):
    """The values of the moves of a board. of: int64 (squares, squares), 0 where there is no move."""

    of: np.ndarray

    @classmethod
    def by(cls, problem: Problem, statistic: Statistic) -> Values:
        """Those that a statistic gives them."""
        size = problem.board.rows * problem.board.cols
        near = move_graph(problem.board).neighbour_lists()
        moves = np.array([(a, b) for a in range(size) for b in near[a]], dtype=np.int64).reshape(-1, 2)
        table = np.zeros((size, size), dtype=np.int64)
        table[moves[:, 0], moves[:, 1]] = statistic.of(Strokes(problem.board, moves, closed=False))
        return cls(table)

    def are_kept_by(self, image: np.ndarray) -> bool:
        """Whether moves and their images have the same values. image: of each square."""
        return bool((self.of[np.ix_(image, image)] == self.of).all())


class _Lists(NamedTuple):
    """A layer: kernel.Lists, and of each class its mass and its least and largest value."""

    lists: kernel.Lists
    masses: np.ndarray
    lows: np.ndarray
    highs: np.ndarray

    @property
    def states(self) -> int:
        """How many states it has."""
        return int(self.lists.lengths.sum())


class _Packing(NamedTuple):
    """bits: of a coefficient. fields: coefficients in one number."""

    bits: int
    fields: int


class _Side(NamedTuple):
    """A half that is to be made. image: where each square of the half is on the board."""

    half: HalfOfCut
    numbering: Index
    classes: list[np.ndarray]
    image: np.ndarray


def can_count(problem: Problem) -> bool:
    """Whether a board comes apart in two halves."""
    return make_cut(problem, fold=False) is not None


def count_by_halves(
    problem: Problem, statistic: Statistic, watch: Watch, *, threads: int | None = None
) -> dict[int, int]:
    """Value -> number of tours.

    Raises LimitReached where the budget of `watch` is spent, and CountsTooLarge where numbers of half-made tours do not
    fit into machine words.
    """
    values = Values.by(problem, statistic)
    cut, image = _chosen_cut(problem, values)
    is_large = is_long(max(cut.left.slots, cut.right.slots))
    for module in (kernel, class_join):
        engine.expect(module, float("inf") if is_large else 0.0)
    classes = find_classes(cut, lambda done, todo: watch.report("listing the classes of states", 0.0))
    with closing(Workers(threads or os.cpu_count() or 1)) as workers:
        for packing in (_Packing(*each) for each in _PACKINGS):
            census = _Census(cut, classes, values, image, packing, watch, workers)
            try:
                return census.run()
            except CountsTooLarge:
                if packing == _PACKINGS[-1]:
                    raise
    raise AssertionError("the last packing returns or raises")


def _chosen_cut(problem: Problem, values: Values) -> tuple[Cut, np.ndarray]:
    """How to cut the board, and where each square of the right half is on it."""
    board = problem.board
    same = np.arange(board.rows * board.cols)
    turned = half_turn_cut(problem)
    if turned is not None and values.are_kept_by(same[::-1]):
        return turned, same
    cut = make_cut(problem, fold=False)
    assert cut is not None, "asked of boards that come apart alone"
    image = mirror(problem) if cut.is_mirrored else same
    is_even = cut.is_even and values.are_kept_by(image)
    return cut._replace(is_even=is_even, shared=cut.shared if is_even else 0), image


class _Census:
    """One census with one packing."""

    def __init__(
        self,
        cut: Cut,
        classes: HalfClasses,
        values: Values,
        image: np.ndarray,
        packing: _Packing,
        watch: Watch,
        workers: Workers,
    ) -> None:
        self.cut, self.classes, self.values, self.packing = cut, classes, values, packing
        self.watch, self.workers = watch, workers
        same = np.arange(len(image))
        self.sides = [_Side(cut.left, classes.indices[0], classes.left, same)]
        if not cut.is_even:
            self.sides.append(_Side(cut.right, classes.indices[1], classes.right, image))
        self.made = 0

    def run(self) -> dict[int, int]:
        """Value -> number of tours."""
        halves = [self._half(k) for k in range(len(self.sides))]
        return self._join(halves[0], halves[-1])

    # -- layers

    def _half(self, k: int) -> kernel.Half:
        """The last layer of a half, as the join takes it."""
        side = self.sides[k]
        reached = _start()
        steps = len(side.half.steps)
        for t in range(steps):
            reached = self._next(side, t, reached)
            self.made += reached.states
            part = (k + (t + 1) / steps) / len(self.sides)
            self.watch.report(f"making states: step {t + 1} of {steps}", 0.5 * part, self.made)
        lists = reached.lists
        layer = Layer(lists.classes, lists.offsets, lists.lengths, lists.words, reached.masses)
        return kernel.Half(
            *side_of(self.cut, side.half, side.numbering, layer),
            lows=reached.lows,
            highs=reached.highs,
            widths=lists.widths,
            at=lists.at,
            sums=lists.sums,
            values=_subset_values(side, self.values),
        )

    def _next(self, side: _Side, t: int, before: _Lists) -> _Lists:
        """The layer after step t of a half."""
        step = step_of(side.half, t, side.numbering)
        lists, targets = before.lists, side.classes[t + 1]
        layer = Layer(lists.classes, lists.offsets, lists.lengths, lists.words, before.masses)
        edges, most, room = foresee(step, layer, targets, 0)
        bits, fields = self.packing
        if len(targets) and edges.bounds.max() >= 1 << bits:
            raise CountsTooLarge
        shifts, lows, highs = self._moved(side, t, step, before, edges.starts, edges.edges)
        widths = (highs - lows) // fields + 1
        words, sums = np.empty(int(most.sum()), dtype=np.int64), np.empty(int((most * widths).sum()), dtype=np.int64)
        offsets, lengths, at = np.empty((3, len(targets)), dtype=np.int64)
        masses = np.empty(len(targets), dtype=np.float64)
        cuts = block_cuts(edges.inputs, _BLOCK_STATES if _code().pull_polynomials.is_compiled else _BLOCK_STATES >> 8)

        def job(k: int) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
            first, last = cuts[k], cuts[k + 1]
            table = self.workers.borrow("table", int(room[first:last].max()))
            most_words, most_sums = (int(each[first:last].sum()) for each in (most, most * widths))
            out = self.workers.borrow("out", (most_words + most_sums) // 2 + 1)
            to_words, to_sums = out.reshape(-1)[:most_words], out.reshape(-1)[most_words:]
            to = (to_words, to_sums, offsets, lengths, widths, at, masses)
            states, numbers, _ = _code().pull_polynomials(
                first, last, edges.starts, edges.edges, shifts, lists, room, *to, table, bits, fields
            )
            self.workers.give_back("table", table)
            return first, last, out, to_words[:states], to_sums[:numbers]

        place = total = 0
        for first, last, out, made_words, made_sums in self.workers.run(job, len(cuts) - 1):
            words[place : place + len(made_words)] = made_words
            sums[total : total + len(made_sums)] = made_sums
            offsets[first:last] += place
            at[first:last] += total
            place += len(made_words)
            total += len(made_sums)
            self.workers.give_back("out", out)
            self.watch.check()
        made = kernel.Lists(targets, offsets, lengths, words, widths, at, sums)
        return _Lists(made, masses, lows, highs)

    def _moved(
        self, side: _Side, t: int, step: Step, before: _Lists, starts: np.ndarray, edges: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How far each edge moves polynomials up, and the least and the largest value of each class."""
        half = side.half
        after = half.slots_at[t + 1] if t + 1 < len(half.steps) else half.slot_of
        by_slot = np.zeros(SLOTS, dtype=np.int64)
        here = side.image[half.step_squares[t]]
        for square, slot in after.items():
            by_slot[slot] = self.values.of[here, side.image[square]]
        added = np.empty(len(edges), dtype=np.int64)
        _code().add_values(step.row, before.lists.classes, edges, by_slot, added)
        source = edges >> OP_BITS
        low, high = before.lows[source] + added, before.highs[source] + added
        lows, highs = np.zeros((2, len(starts) - 1), dtype=np.int64)
        (used,) = np.nonzero(np.diff(starts))
        if len(used):
            lows[used] = np.minimum.reduceat(low, starts[used])
            highs[used] = np.maximum.reduceat(high, starts[used])
        return low - repeat(lows, np.diff(starts)), lows, highs

    # -- the join

    def _join(self, left: kernel.Half, right: kernel.Half) -> dict[int, int]:
        """The products of the polynomials that fit, added up."""
        finals, cut, seam = self.classes.finals, self.cut, seam_of(self.cut)
        bits, fields = self.packing
        most_value = sum(int(half.highs.max(initial=0) + half.values.max()) for half in (left, right))
        fit = (int(cut.is_even), cut.ends, seam.present, seam.to_right, seam.to_left, seam.slot_to_right)
        most_ends = max((ends.bit_count() for ends in set((finals & MASK).tolist())), default=0)
        desks: list[_Desk] = []
        tables = make_tables()

        def job(span: tuple[int, int]) -> np.ndarray:
            try:
                desk = desks.pop()
            except IndexError:
                desk = _Desk(most_ends, max(len(left.subsets), len(right.subsets)), most_value + 4 * fields)
            counters, asked = np.zeros(6, dtype=np.int64), np.zeros(2, dtype=np.int64)
            total = np.zeros((most_value + 1, 2), dtype=np.int64)
            counters[class_join.NEXT] = span[0]
            while counters[class_join.NEXT] < span[1]:
                room = (desk.desk.scratch, desk.rooms, tables, counters, asked, total)
                status = _code().join_polynomials(finals, span[1], left, right, *fit, bits, fields, *room)
                if status == class_join.FULL:
                    desk.grow(counters, asked)
                elif status == class_join.TOO_LARGE:
                    raise CountsTooLarge
            desks.append(desk)
            return total

        pieces = list(spans(len(finals), _JOIN_BLOCK))
        found = np.zeros(most_value + 1, dtype=object)
        for k, total in enumerate(self.workers.run(lambda k: job(pieces[k]), len(pieces))):
            found += total[:, 0].astype(object) + (total[:, 1].astype(object) << class_join.DIGIT)
            part = 0.5 + 0.5 * (k + 1) / len(pieces)
            self.watch.report(f"joining the halves: {k + 1:,} of {len(pieces):,}", part, self.made)
        return {value: int(tours) for value, tours in enumerate(found) if tours}


class _Desk:
    """Scratch of one thread: that of the join of a count, and room for polynomials."""

    def __init__(self, most_ends: int, subsets: int, degrees: int) -> None:
        self.desk = Desk(min(max((most_ends + 1) // 2, 6), 8), subsets)
        self.degrees = 2 * degrees
        self._make(1 << 10, 1 << 10)

    def _make(self, sums: int, plain: int) -> None:
        sizes = (sums, sums, plain, self.degrees)
        self.rooms = kernel.Room(*(np.zeros(size, dtype=np.int64) for size in sizes))

    def grow(self, counters: np.ndarray, asked: np.ndarray) -> None:
        """Make room for what a class asked for, and half as much again."""
        self.desk.grow(int(counters[class_join.NEED_TABLE]), int(counters[class_join.NEED_LIST]))
        sums, plain = (int(asked[k]) * 3 // 2 for k in (kernel.NEED_SUMS, kernel.NEED_PLAIN))
        self._make(max(sums, len(self.rooms.left)), max(plain, len(self.rooms.plain)))


def _code() -> SimpleNamespace:
    return engine.doors(kernel)


def _start() -> _Lists:
    """The layer before the first step."""
    layer = start_layer()
    zero, one = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    lists = kernel.Lists(layer.classes, zero, one, zero.copy(), one, zero, one)
    return _Lists(lists, layer.masses, zero, zero)


def _subset_values(side: _Side, values: Values) -> np.ndarray:
    """The value of each subset of the middle moves of a half: int64 (subsets,)."""
    square = {slot: int(side.image[v]) for v, slot in side.half.slot_of.items()}
    of_moves = [int(values.of[square[a], square[b]]) for a, b in side.half.moves.tolist()]
    chosen = subsets_of(side.half)[:, 2]
    return sum((((chosen >> m) & 1) * value for m, value in enumerate(of_moves)), np.zeros(len(chosen), dtype=np.int64))
