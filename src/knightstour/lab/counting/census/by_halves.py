"""Algebra "polynomials" on lists: the census of a statistic that adds up over moves, for 8x8 too.

Each state has a polynomial: coefficient k is how many of its half-made tours have value k. A move adds its value, so
it moves the polynomials up. Where two halves fit, their polynomials are multiplied. Coefficients are small, so three
are packed into one machine word (core/kernels/counting/algebras.h). Joining is linear in the right half: the same code
that joins numbers joins packed ones, a word at a time, and nothing is counted modulo primes.

Which symmetry serves depends on the statistic. A half turn keeps slopes and a mirror exchanges them, so for slopes the
right half is the left one turned round; for moves across a line the mirror does as well, and layers are folded. Where
neither keeps the values of the moves, both halves are made.

Cost: 8x8 closed by slope takes 35 s of processor time and 1.7 GB, which is five times the time of the count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.classes import OP_BITS
from knightstour.core.kernels.counting.lists import Made, Packed, Packing
from knightstour.core.machine.native import Bound, door
from knightstour.core.model.board import move_graph
from knightstour.core.model.indices import reduceat, repeat
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves import layers as listed
from knightstour.lab.counting.halves import middle
from knightstour.lab.counting.halves.cut import SLOTS, Cut, half_turn_cut, make_cut
from knightstour.lab.counting.halves.cut import Half as HalfOfCut
from knightstour.lab.counting.settings import Watch
from knightstour.lab.counting.spaces.by_halves import mirror
from knightstour.lab.statistics.statistic import Statistic
from knightstour.lab.statistics.strokes import Strokes

# Bits of a coefficient, and how many are packed into one number. Most boards do with the first.
_PACKINGS = ((21, 3), (31, 2))
# Classes joined in one piece of work.
_JOIN_BLOCK = 256


class Values(NamedTuple):
    """The values of the moves of a board. of: int64 (squares, squares), 0 where there is no move."""

    of: np.ndarray

    @classmethod
    def by(cls, problem: Problem, statistic: Statistic) -> Values:
        """Those that a statistic gives them."""
        size = problem.board.rows * problem.board.cols
        graph = move_graph(problem.board)
        table = np.zeros((size, size), dtype=np.int64)
        table[graph.tails, graph.targets] = statistic.of(Strokes.of_moves(problem.board))
        return cls(table)

    def are_kept_by(self, image: np.ndarray) -> bool:
        """Whether moves and their images have the same values. image: of each square."""
        return bool((self.of[np.ix_(image, image)] == self.of).all())


class _Lists(NamedTuple):
    """A layer, whose states are words alone; their polynomials; the least and the largest value of each class."""

    layer: listed.Layer
    packed: Packed
    lows: np.ndarray
    highs: np.ndarray


class Side(NamedTuple):
    """A half that is to be made. image: where each square of the half is on the board."""

    half: HalfOfCut
    numbering: listed.Index
    classes: list[np.ndarray]
    image: np.ndarray

    @property
    def subsets(self) -> np.ndarray:
        """Of its middle moves."""
        return middle.subsets_of(self.half)


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
    cut, image = chosen_cut(problem, values, fold=True)
    classes = middle.find_classes(cut, lambda done, todo: watch.report("listing the classes of states", 0.0))
    with listed.Workers(threads) as workers:
        for packing in (Packing(*each) for each in _PACKINGS):
            census = _Census(cut, classes, values, image, packing, watch, workers)
            try:
                return census.run()
            except listed.CountsTooLarge:
                if packing == _PACKINGS[-1]:
                    raise
    raise AssertionError("the last packing returns or raises")


def chosen_cut(problem: Problem, values: Values, *, fold: bool = False) -> tuple[Cut, np.ndarray]:
    """How to cut the board, and where each square of the right half is on it. fold: whether layers may be folded."""
    board = problem.board
    same = np.arange(board.rows * board.cols)
    mirrored = mirror(problem)
    # A half turn is the mirror and the flip.
    fold = fold and board.square_count == len(same) and values.are_kept_by(mirrored[::-1])
    turned = None if fold else half_turn_cut(problem)
    if turned is not None and values.are_kept_by(same[::-1]):
        return turned, same[::-1]
    cut = make_cut(problem, fold=fold)
    assert cut is not None, "asked of boards that come apart alone"
    image = mirrored if cut.is_mirrored else same
    is_even = cut.is_even and values.are_kept_by(image)
    return cut._replace(is_even=is_even, shared=cut.shared if is_even else 0), image


class _Census:
    """One census with one packing."""

    def __init__(
        self,
        cut: Cut,
        classes: middle.HalfClasses,
        values: Values,
        image: np.ndarray,
        packing: Packing,
        watch: Watch,
        workers: listed.Workers,
    ) -> None:
        self.cut, self.classes, self.values, self.packing = cut, classes, values, packing
        self.watch, self.workers = watch, workers
        same = np.arange(len(image))
        self.sides = [Side(cut.left, classes.indices[0], classes.left, same)]
        if not cut.is_even:
            self.sides.append(Side(cut.right, classes.indices[1], classes.right, image))
        self.made = 0

    def run(self) -> dict[int, int]:
        """Value -> number of tours."""
        halves = [self._half(k) for k in range(len(self.sides))]
        return self._join(halves[0], halves[-1])

    # -- layers

    def _half(self, k: int) -> joining.PolynomialHalf:
        """The last layer of a half, as the join takes it."""
        side = self.sides[k]
        reached = _start()
        steps = len(side.half.steps)
        for t in range(steps):
            reached = self._next(side, t, reached)
            self.made += reached.layer.size
            part = (k + (t + 1) / steps) / len(self.sides)
            self.watch.report(f"making states: step {t + 1} of {steps}", 0.5 * part, self.made)
        packed = reached.packed
        return joining.PolynomialHalf(
            middle.side_of(self.cut, side.half, side.numbering, reached.layer),
            lows=reached.lows,
            highs=reached.highs,
            widths=packed.widths,
            at=packed.at,
            sums=packed.sums,
            values=subset_values(side, self.values),
        )

    def _next(self, side: Side, t: int, before: _Lists) -> _Lists:
        """The layer after step t of a half."""
        step = listed.step_of(side.half, t, side.numbering)
        layer, targets = before.layer, side.classes[t + 1]
        _, edges, most, room = listed.foresee(step, layer, targets, 0)
        bits, fields = self.packing
        if len(targets) and edges.bounds.max() >= 1 << bits:
            raise listed.CountsTooLarge
        shifts, lows, highs = self._moved(side, t, step, before, edges.starts, edges.edges)
        widths = (highs - lows) // fields + 1
        words, sums = np.empty(int(most.sum()), dtype=np.int64), np.empty(int((most * widths).sum()), dtype=np.int64)
        offsets, lengths, at = np.empty((3, len(targets)), dtype=np.int64)
        masses = np.empty(len(targets), dtype=np.float64)
        cuts = listed.block_cuts(edges.inputs, listed.BLOCK_STATES)

        def job(k: int) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
            first, last = cuts[k], cuts[k + 1]
            table = self.workers.borrow("table", int(room[first:last].max()))
            most_words, most_sums = (int(each[first:last].sum()) for each in (most, most * widths))
            out = self.workers.borrow("out", (most_words + most_sums) // 2 + 1)
            to_words, to_sums = out.reshape(-1)[:most_words], out.reshape(-1)[most_words:]
            to = (Made(room, offsets, lengths, masses), Packed(to_words, to_sums, widths, at))
            lists = (edges.by_target, layer.lists, before.packed, *to)
            states = door("lists_pull_polynomials")(*lists, shifts, self.packing, step.turn, table, first, last)
            self.workers.give_back("table", table)
            numbers = int((lengths[first:last] * widths[first:last]).sum())
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
        return _Lists(
            listed.Layer(targets, offsets, lengths, words, masses), Packed(words, sums, widths, at), lows, highs
        )

    def _moved(
        self, side: Side, t: int, step: listed.Step, before: _Lists, starts: np.ndarray, edges: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How far each edge moves polynomials up, and the least and the largest value of each class."""
        added = added_values(side, self.values, t, step, before.layer.classes, edges)
        source = edges >> OP_BITS
        low, high = before.lows[source] + added, before.highs[source] + added
        lows, highs = np.zeros((2, len(starts) - 1), dtype=np.int64)
        (used,) = np.nonzero(np.diff(starts))
        if len(used):
            lows[used] = reduceat(np.minimum, low, starts[used])
            highs[used] = reduceat(np.maximum, high, starts[used])
        return low - repeat(lows, np.diff(starts)), lows, highs

    # -- the join

    def _join(self, left: joining.PolynomialHalf, right: joining.PolynomialHalf) -> dict[int, int]:
        """The products of the polynomials that fit, added up."""
        join = _Join(self.cut, left, right, self.classes.finals, self.packing)
        desks = middle.Desks(lambda: _Desk(join))

        def job(span: tuple[int, int]) -> np.ndarray:
            with desks.lent() as desk:
                desk.work(join.kernel_of, *span)
                low, high = desk.sums[0].T.astype(object)
                return np.asarray(low + (high << joining.DIGIT))

        pieces = list(listed.spans(len(join.finals), _JOIN_BLOCK))
        found = np.zeros(join.most_value + 1, dtype=object)
        for k, total in enumerate(self.workers.run(lambda k: job(pieces[k]), len(pieces))):
            found += total
            part = 0.5 + 0.5 * (k + 1) / len(pieces)
            self.watch.report(f"joining the halves: {k + 1:,} of {len(pieces):,}", part, self.made)
        return {value: middle.tours_of(int(tours), self.cut) for value, tours in enumerate(found) if tours}


class _Join(NamedTuple):
    """What is joined. finals: classes of the left half."""

    cut: Cut
    left: joining.PolynomialHalf
    right: joining.PolynomialHalf
    finals: np.ndarray
    packing: Packing

    @property
    def most_value(self) -> int:
        """No tour has a larger value."""
        return sum(int(half.highs.max(initial=0) + half.values.max()) for half in (self.left, self.right))

    def kernel_of(self, desk: _Desk) -> Bound:
        """The kernel, bound to a desk."""
        room = (desk.scratch, desk.rooms, middle.make_tables(), desk.counters, desk.needs, *desk.sums)
        halves = (self.left, self.right, middle.fit_of(self.cut, middle.seam_of(self.cut)), self.packing)
        return door("join_polynomials").bind(self.finals, *halves, *room)


class _Desk(middle.Desk):
    """Scratch of one thread: that of the join of a count, and room for polynomials."""

    def __init__(self, join: _Join) -> None:
        self.needs = np.full(2, 1 << 10, dtype=np.int64)
        self._degrees = 2 * join.most_value + 8 * join.packing.fields
        subsets = max(len(half.side.subsets) for half in (join.left, join.right))
        super().__init__(middle.most_pairs_of(join.finals), subsets, np.zeros((join.most_value + 1, 2), dtype=np.int64))

    def _make(self, table: int, lists: int) -> None:
        super()._make(table, lists)
        packed, plain = self.needs.tolist()
        sizes = (packed, packed, plain, self._degrees)
        self.rooms = joining.PolynomialRoom(*(np.zeros(size, dtype=np.int64) for size in sizes))

    def grow_as_asked(self) -> None:
        # Half as much again.
        self.needs[:] = np.maximum(self.needs * 3 // 2, (len(self.rooms.left), len(self.rooms.plain)))
        super().grow_as_asked()


def _start() -> _Lists:
    """The layer before the first step."""
    layer = listed.start_layer()
    zero, one = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    words = zero.copy()
    return _Lists(layer._replace(states=words), Packed(words.copy(), one, one, zero), zero, zero)


def added_values(
    side: Side, values: Values, t: int, step: listed.Step, classes: np.ndarray, edges: np.ndarray
) -> np.ndarray:
    """The value of the moves that each edge of step t makes. classes: those that the edges lead from."""
    half = side.half
    after = half.slots_at[t + 1] if t + 1 < len(half.steps) else half.slot_of
    by_slot = np.zeros(SLOTS, dtype=np.int64)
    here = side.image[half.step_squares[t]]
    for square, slot in after.items():
        by_slot[slot] = values.of[here, side.image[square]]
    added = np.empty(len(edges), dtype=np.int64)
    door("classes_add_values")(step.row, classes, edges, by_slot, added)
    return added


def subset_values(side: Side, values: Values) -> np.ndarray:
    """The value of each subset of the middle moves of a half: int64 (subsets,)."""
    square = {slot: int(side.image[v]) for v, slot in side.half.slot_of.items()}
    of_moves = [int(values.of[square[a], square[b]]) for a, b in side.half.moves.tolist()]
    chosen = middle.subsets_of(side.half)[:, 2]
    return sum((((chosen >> m) & 1) * value for m, value in enumerate(of_moves)), np.zeros(len(chosen), dtype=np.int64))
