"""The join of lists by class: the two halves of a board put together over the middle, and how many tours they make.

A left and a right half fit if each square of the middle has two moves (an end of the tour: one), and if they close one
cycle only, with all squares in it. The first depends on the classes alone: every class of the left half has just one
*partner* among the right ones, bare where it is inner and inner where it is bare. The second depends on the words: two
matchings of the same ends must make one cycle together.

**Middle moves** are never expanded. A last class of a half is a class of its last layer and a subset of its middle
moves, so the list of a last class is *gathered*, when it is needed, from the lists of the classes it can come from.

**Ends.** With one end of the tour on each side, each half has one loose path. In both halves the loose end becomes the
mate of one additional slot, as if the ends of the tour were joined; so an open tour makes one cycle too. With both ends
on one side the loose paths are mates already.

**One cycle** is not tested pair by pair, but for all left words together (cycles.h). Every count on the way is a sum of
right counts, so it is exact where these are; the last products are added up in digits.

Cost: 8x8 closed has 252,084 pairs of lists, with 1.2e10 pairs of words, in 4 s.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from knightstour.core.kernels.counting import join as kernel
from knightstour.core.kernels.counting.classes import PAIR_MASK, PAIR_SHIFT, Adding, ends_of
from knightstour.core.machine.native import Bound, door
from knightstour.core.machine.slices import ranges
from knightstour.core.model.errors import InvalidTour, confirm
from knightstour.lab.counting.halves import layers as listed
from knightstour.lab.counting.halves.cut import Cut, Half, slots_of_arrays
from knightstour.lab.counting.residues import Residues

# Classes looked at in the first call of a kernel.
_FIRST_CLASSES = 1 << 8
# Classes joined in one piece of work, whose sum is kept.
JOIN_BLOCK = 512


def indices_of(cut: Cut) -> tuple[listed.Index, listed.Index]:
    """Numberings of the classes of the left and of the right half.

    Classes that differ only by the middle moves of the half have numbers close together.
    """
    found = []
    for half in (cut.left,) if cut.is_even else (cut.left, cut.right):
        touched = sorted(set(half.moves.ravel().tolist()))
        order = touched + [slot for slot in range(half.slots) if slot not in touched]
        found.append(listed.make_index(half.slots, cut.ends, order))
    return found[0], found[-1]


def subsets_of(half: Half) -> np.ndarray:
    """The subsets of the middle moves that touch no slot three times: int64 (subsets, 3), masks of the slots that they
    touch once, of those that they touch twice, and of the moves."""
    rows = [(0, 0, 0)]
    for m, (a, b) in enumerate(half.moves.tolist()):
        both = 1 << a | 1 << b
        rows += [
            ((once ^ both) & ~(once & both), twice | once & both, moves | 1 << m)
            for once, twice, moves in rows
            if not twice & both
        ]
    return np.array(rows, dtype=np.int64)


class Seam(NamedTuple):
    """What fits the halves together.

    present: mask of the left slots of the middle. to_right: right mask of each left mask. to_left, flipped_to_left:
    turn tables for right words. slot_to_right: right slot of each left slot. flip_slots: of the right half.
    """

    present: int
    to_right: np.ndarray
    to_left: np.ndarray
    flipped_to_left: np.ndarray
    slot_to_right: np.ndarray
    flip_slots: np.ndarray


def seam_of(cut: Cut) -> Seam:
    """The seam of a cut."""
    slot_to_right = np.argsort(cut.to_left).astype(np.int64)
    flip = flip_slots_of(cut.right)
    return Seam(
        present=sum(1 << slot for slot in cut.left.slot_of.values()),
        to_right=listed.flip_table(slot_to_right),
        to_left=listed.turn_table(cut.to_left),
        flipped_to_left=listed.turn_table(cut.to_left[flip]),
        slot_to_right=slot_to_right,
        flip_slots=flip,
    )


def fit_of(cut: Cut, seam: Seam) -> kernel.Fit:
    """The seam of a cut as the kernels take it."""
    return kernel.Fit(cut.ends, int(cut.is_even), int(cut.joins_folded), *seam)


def flip_slots_of(half: Half) -> np.ndarray:
    """The image of each slot under the flip of a half; itself where it has none."""
    return np.arange(slots_of_arrays(half.slots), dtype=np.int64) if half.flip is None else half.flip


def _flips(half: Half) -> np.ndarray:
    return listed.flip_table(flip_slots_of(half))


class LastClasses(NamedTuple):
    """left, right: classes of the last layers that are of use. finals: classes of the left half to be joined."""

    left: np.ndarray
    right: np.ndarray
    finals: np.ndarray


def last_classes(
    cut: Cut, indices: tuple[listed.Index, listed.Index], left: np.ndarray, right: np.ndarray
) -> LastClasses:
    """Which classes of the last layers can be completed by the other half."""
    seam = seam_of(cut)
    joins_folded = int(cut.joins_folded)
    halves = [(cut.left, indices[0], left), (cut.right, indices[1], right)]
    if cut.is_even:
        halves.pop()
    how = [Adding(subsets_of(half), int(cut.is_folded), joins_folded, _flips(half)) for half, _, _ in halves]
    sides: list[tuple[np.ndarray, np.ndarray]] = []
    for (_, index, classes), adding in zip(halves, how, strict=True):
        marks = index.new_set()
        _for_all(door("classes_mark_finals").bind(adding, classes, index.as_set(marks)), len(classes))
        sides.append((listed.members(index, marks), marks))
    present_right = int(seam.to_right[seam.present])
    seams = ((seam.present, seam.to_right), (present_right, listed.flip_table(cut.to_left)))
    useful: list[np.ndarray] = []
    kept: list[np.ndarray] = []
    for k, (_, index, classes) in enumerate(halves):
        finals = sides[k][0]
        # The other half, which is the same one in an even cut.
        other, other_index, _ = halves[k - 1]
        keep = np.zeros(len(finals), dtype=np.uint8)
        partners_in = (joins_folded, _flips(other), other_index.as_set(sides[k - 1][1]))
        _for_all(door("classes_keep_partnered").bind(finals, cut.ends, *seams[k], *partners_in, keep), len(finals))
        useful.append(finals[keep != 0])
        marks = listed.set_of(index, useful[-1])
        keep = np.zeros(len(classes), dtype=np.uint8)
        _for_all(door("classes_keep_bases").bind(how[k], classes, index.as_set(marks), keep), len(classes))
        kept.append(classes[keep != 0])
    return LastClasses(kept[0], kept[-1], useful[0])


def _for_all(look_at: Bound, count: int) -> None:
    for span in ranges(count, _FIRST_CLASSES):
        look_at(*span)


class HalfClasses(NamedTuple):
    """The classes of all layers of both halves that are of use.

    indices: the numberings of the classes of the left and the right half. left, right: the classes before the first
    step and after each, in order of index; the same list in an even cut. Layers that the halves share have the classes
    that either half needs. finals: classes of the left half to be joined.
    """

    indices: tuple[listed.Index, listed.Index]
    left: list[np.ndarray]
    right: list[np.ndarray]
    finals: np.ndarray


def find_classes(cut: Cut, report: Callable[[int, int], None] = lambda done, todo: None) -> HalfClasses:
    """Find the classes of a cut, without any states. report(steps done, steps in all): called now and then."""
    indices = indices_of(cut)
    todo = len(cut.left.steps) + len(cut.right.steps)
    # Whoever reports may end it, so it is asked throughout.
    first, then = functools.partial(report, 0, todo), functools.partial(report, todo // 2, todo)
    first()
    left = listed.forward_classes(cut.left, indices[0], report=first)
    right = left if cut.is_even else listed.forward_classes(cut.right, indices[1], report=first)
    then()
    last = last_classes(cut, indices, left[-1], right[-1])
    left[-1], right[-1] = last.left, last.right
    left = listed.keep_useful(cut.left, indices[0], left, report=then)
    right = left if cut.is_even else listed.keep_useful(cut.right, indices[1], right, report=then)
    if cut.shared and not cut.is_even:
        # What both halves begin with is made once, with what either of them needs.
        for t in range(cut.shared + 1):
            both = np.concatenate((left[t], right[t]))
            # By index, each once. (np.union1d would load numpy.ma, as long as all the work on a small board.)
            places = indices[0].of(both)
            order = np.argsort(places)
            left[t] = right[t] = both[order][np.diff(places[order], prepend=-1) > 0]
    report(todo, todo)
    return HalfClasses(indices, left, right, last.finals)


def place_of_count(place: int | None) -> dict[str, int]:
    """How far up the count is in the second number of a state, and its mask. place: which residue of a pair it is, None
    for all of it."""
    return {"shift": PAIR_SHIFT * (place or 0), "mask": -1 if place is None else PAIR_MASK}


def side_of(cut: Cut, half: Half, index: listed.Index, layer: listed.Layer, place: int | None = None) -> kernel.Side:
    """One half as the kernels take it. place: which residue of a pair is the count, None for all of it."""
    return kernel.Side(
        marks=listed.set_of(index, layer.classes),
        weights=index.weights,
        size=index.size,
        classes=layer.classes,
        offsets=layer.offsets,
        lengths=layer.lengths,
        states=np.asarray(layer.states),  # it may be mapped
        masses=layer.masses,
        subsets=subsets_of(half),
        moves=np.ascontiguousarray(half.moves),
        is_folded=int(cut.is_folded),
        flip=_flips(half),
        turn=listed.turn_table(flip_slots_of(half)),
        **place_of_count(place),
    )


# ---------------------------------------------------------------- tables


# Matchings of 3, 4 and 5 pairs together.
DENSE = int(listed.MATCHINGS[3:6].sum())


@functools.cache
def make_tables() -> kernel.Tables:
    """The tables of matchings, made once."""
    take, take_at = _take_tables()
    last = np.zeros((15, 15), dtype=np.int64)
    for i in range(15):
        x, y = divmod(i, 3)
        for j in range(15):
            k = take[take_at[3] + x * 15 + j]
            last[i, j] = k >= 0 and take[take_at[2] + y * 3 + k] >= 0
    return kernel.Tables(take, take_at, *_undo_tables(take, take_at), last)


def _mates(pairs: int) -> np.ndarray:
    """All perfect matchings of the ends 0 .. 2 pairs - 1, in order of rank: int8, a row for each end, of its mates."""
    if pairs == 0:
        return np.zeros((0, 1), dtype=np.int8)
    below = _mates(pairs - 1)
    blocks = []
    for mate in range(1, 2 * pairs):
        others = np.array([end for end in range(1, 2 * pairs) if end != mate], dtype=np.int8)
        block = np.zeros((2 * pairs, below.shape[1]), dtype=np.int8)
        block[0] = mate
        block[others] = others[below]
        blocks.append(block)
    return np.concatenate(blocks, axis=1)


def _ranks(mates: np.ndarray) -> np.ndarray:
    """Rank of each column of mates."""
    ranks = np.zeros(mates.shape[1], dtype=np.int64)
    while len(mates) > 2:
        mate, others = mates[0], np.arange(1, len(mates) - 1, dtype=np.int8)
        ranks += (mate - 1) * listed.MATCHINGS[len(mates) // 2 - 1]
        # The lowest end and its mate go, and the others move up.
        mates = np.where(others[:, None] < mate, mates[1:-1], mates[2:])
        mates -= 1 + (mates > mate)
    return ranks


def _take_tables() -> tuple[np.ndarray, np.ndarray]:
    parts = []
    at = np.zeros(8, dtype=np.int64)
    place = 0
    for pairs in range(2, 7):
        at[pairs] = place
        mates = _mates(pairs)
        count = mates.shape[1]
        matching = np.arange(count)
        for x in range(1, 2 * pairs):
            # The mates of the lowest end and of end x become mates.
            joined = mates.copy()
            first, other = mates[0], mates[x]
            joined[first, matching], joined[other, matching] = other, first
            joined = np.delete(joined, (0, x), axis=0)
            is_mate = first == x
            joined[:, is_mate] = np.arange(2 * pairs)[:1:-1, None]  # any, to be left out
            joined -= 1 + (joined > x)
            parts.append(np.where(is_mate, -1, _ranks(joined)))
            place += count
    return np.concatenate(parts).astype(np.int32), at


def _undo_tables(take: np.ndarray, take_at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    parts = []
    at = np.zeros(8, dtype=np.int64)
    place = 0
    for pairs in (4, 5):
        at[pairs] = place
        count, below = int(listed.MATCHINGS[pairs]), int(listed.MATCHINGS[pairs - 1])
        for x in range(2 * pairs - 1):
            row = take[take_at[pairs] + x * count :][:count]
            order = np.argsort(row, kind="stable")[np.count_nonzero(row < 0) :]
            parts.append(order.reshape(below, 2 * pairs - 2).T.ravel())
            place += below * (2 * pairs - 2)
    return np.concatenate(parts).astype(np.int32), at


# ---------------------------------------------------------------- the join


class Joined(NamedTuple):
    """What a block of classes adds: the number of tours (or that modulo the modulus), pairs of lists joined, states
    looked at, and a bound on the number that holds in any case."""

    total: int
    pairs: int
    seen: int
    bound: float

    def plus(self, other: Joined) -> Joined:
        """Both together."""
        return Joined(
            self.total + other.total, self.pairs + other.pairs, self.seen + other.seen, self.bound + other.bound
        )

    def to_json(self) -> list[str | int | float]:
        """For a file; the number as text, for readers whose numbers are floats."""
        return [str(self.total), self.pairs, self.seen, self.bound]

    @classmethod
    def from_json(cls, known: Sequence[str | int | float]) -> Joined:
        """What `to_json` gave."""
        return cls(int(known[0]), int(known[1]), int(known[2]), float(known[3]))


NOTHING_JOINED = Joined(0, 0, 0, 0.0)


def total_of_passes(
    residues: Residues, one_pass: Callable[[], Joined], join_again: Callable[[], None], start_over: Callable[[], None]
) -> int:
    """The number of tours: from one exact pass or, where machine words do not hold that, from passes modulo primes.

    one_pass: makes the halves modulo the primes of the pass (exactly if there are none) and joins them modulo the
    modulus at work, from where the work has come to. join_again: forgets what was joined, for the modulus at work is
    the second one of the pass now. start_over: forgets what was made, too; the primes are those of the next pass.
    """
    while True:
        try:
            joined = one_pass()
        except listed.CountsTooLarge:
            if residues.moduli:
                raise
        else:
            if not residues.moduli:
                return joined.total
            total = residues.take(joined.total % residues.modulus, joined.bound)
            if total is not None:
                return total
            if not residues.is_pass_over:
                join_again()
                continue
        residues.begin()
        start_over()


def of_digits(total: np.ndarray) -> int:
    """The number whose digits a kernel added up."""
    return sum(int(digit) << kernel.DIGIT * i for i, digit in enumerate(total))


def tours_of(total: int, cut: Cut) -> int:
    """The number of tours from the sum over the halves of a cut, which are counted twice each where they are folded."""
    count, rest = divmod(total, 4 if cut.is_folded else 1)
    confirm(rest == 0, "each folded half counts everything twice")
    return count


# States that are joined in a few milliseconds.
_FEW_STATES = 1 << 16
# Items that a desk has room for at first: of the hash table, and of lists. Classes in the first call of a kernel.
_FIRST_ROOM, _FIRST_IN_A_CALL = (1 << 12, 1 << 10), 16


class Desk:
    """Scratch of one thread, which grows as needed, and what its kernel counts and adds up.

    most_pairs: of a class. subsets: of the middle moves of a half. sums: arrays that a piece of work adds to.
    """

    def __init__(self, most_pairs: int, subsets: int, *sums: np.ndarray) -> None:
        self.most_pairs = min(max(most_pairs, 6), len(listed.MATCHINGS) - 1)
        self.subsets = subsets
        self.counters, self.sums = np.zeros(kernel.COUNTERS, dtype=np.int64), sums
        self._make(*_FIRST_ROOM)

    def _make(self, table: int, lists: int) -> None:
        zeros = functools.partial(np.zeros, dtype=np.int64)
        empty = functools.partial(np.empty, dtype=np.int64)
        sixes, ranks = int(listed.MATCHINGS[6]), int(listed.MATCHINGS[self.most_pairs])
        joining = kernel.Joining(
            dense=zeros(DENSE),
            sparse=empty((max(lists, sixes), 2)),
            sixes=zeros(sixes),
            sevens=empty((lists if self.most_pairs > 7 else 0, 2)),
            eights=empty((lists if self.most_pairs > 8 else 0, 2)),
        )
        self.scratch = kernel.Scratch(
            table=np.empty(table, dtype=np.int32),
            left_found=empty((2 * self.subsets, 3)),
            right_found=empty((2 * self.subsets, 3)),
            plan=empty((16, 3)),
            right=empty((lists, 2)),
            ranks=empty(lists),
            values=empty(lists),
            ways=empty(lists),
            by_rank=zeros(ranks),
            is_there=zeros(ranks // 64 + 1),
            joining=joining,
        )
        self._kernel_of: Callable[[Any], Bound] | None = None

    def grow(self, table: int, lists: int) -> None:
        """Make room for a table and lists of these sizes, and half as much again."""
        self._make(max(table, len(self.scratch.table)), max(lists * 3 // 2, len(self.scratch.right)))

    def grow_as_asked(self) -> None:
        """Make the room that a kernel asked for."""
        self.grow(int(self.counters[kernel.NEED_TABLE]), int(self.counters[kernel.NEED_LIST]))

    def work(
        self, kernel_of: Callable[[Any], Bound], first: int, last: int, report: Callable[[], None] = lambda: None
    ) -> None:
        """Have a kernel do items first .. last-1, with sums that begin at 0. report: called now and then.

        kernel_of: gives it, bound to this desk. CountsTooLarge where counts might pass 62 bits, InvalidTour where there
        is no such tour.
        """
        for array in (self.counters, *self.sums):
            array[:] = 0
        self.counters[kernel.NEXT] = first
        for _, upto in ranges(last - first, _FIRST_IN_A_CALL):
            while self.counters[kernel.NEXT] < first + upto:
                if kernel_of != self._kernel_of:
                    self._kernel_of, self._kernel = kernel_of, kernel_of(self)
                status = self._kernel(first + upto)
                if status == kernel.FULL:
                    self.grow_as_asked()
                elif status == kernel.TOO_LARGE:
                    raise listed.CountsTooLarge
                elif status == kernel.BROKEN:
                    raise InvalidTour("a tour is not among the numbered ones", help="is the file of tours damaged?")
            report()


def most_pairs_of(finals: np.ndarray) -> int:
    """How many pairs the ends of a class make at most, a loose path being mated with a slot of its own."""
    return (max((ends.bit_count() for ends in set(ends_of(finals).tolist())), default=0) + 1) // 2


DeskT = TypeVar("DeskT", bound=Desk)


class Desks(Generic[DeskT]):
    """The desks that no thread uses. new: makes one."""

    def __init__(self, new: Callable[[], DeskT]) -> None:
        self._new, self._free = new, list[DeskT]()

    @contextmanager
    def lent(self) -> Iterator[DeskT]:
        """A desk for one piece of work, which others have after it."""
        try:
            # Another thread may have taken the last one meanwhile.
            desk = self._free.pop()
        except IndexError:
            desk = self._new()
        yield desk
        self._free.append(desk)


class Join:
    """The join of two last layers, in blocks of classes, which may be done in any order. blocks: how many there are.

    layers: the last ones of the left and the right half. finals: classes of the left half. modulus: the prime to count
    by, 0 for none; place: which residue of the pairs in the layers is the one modulo this prime, 0 or 1.
    """

    def __init__(
        self,
        cut: Cut,
        indices: tuple[listed.Index, listed.Index],
        layers: tuple[listed.Layer, listed.Layer],
        finals: np.ndarray,
        modulus: int = 0,
        place: int = 0,
    ) -> None:
        self.finals = finals
        self.modulus = modulus
        self.fit = fit_of(cut, seam_of(cut))
        residue = place if modulus else None
        self.left = side_of(cut, cut.left, indices[0], layers[0], residue)
        self.right = self.left if cut.is_even else side_of(cut, cut.right, indices[1], layers[1], residue)
        self.blocks = -(-len(finals) // JOIN_BLOCK)
        self.states = layers[0].size + layers[1].size
        # Here, as threads that want them at once would make one each.
        self._tables = make_tables()
        size = (most_pairs_of(finals), max(len(self.left.subsets), len(self.right.subsets)))
        self._desks = Desks(lambda: Desk(*size, np.zeros(4, dtype=np.int64), np.zeros(1)))

    def _kernel_of(self, desk: Desk) -> Bound:
        halves = (self.finals, self.left, self.right, self.fit)
        sums = (desk.counters, *desk.sums)
        return door("join_numbers").bind(*halves, desk.scratch, self._tables, self.modulus, listed.MOST_COUNT, *sums)

    def block(self, k: int) -> Joined:
        """Join one block. CountsTooLarge where counts might pass 62 bits."""
        with self._desks.lent() as desk:
            desk.work(self._kernel_of, k * JOIN_BLOCK, min((k + 1) * JOIN_BLOCK, len(self.finals)))
            total, bound = desk.sums
            _, _, _, joined, seen = desk.counters.tolist()
            return Joined(of_digits(total), joined, seen, float(bound[0]))

    def run(self, workers: listed.Workers, report: Callable[[int, Joined], None], first: int = 0) -> Joined:
        """Join blocks first, first + 1, ... and add up. report(k, sum so far): called after each block, in order."""
        total = NOTHING_JOINED
        blocks = range(first, self.blocks)
        # Threads take longer to begin than few states to join.
        is_small = self.states < _FEW_STATES
        parts = map(self.block, blocks) if is_small else workers.run(lambda k: self.block(blocks[k]), len(blocks))
        for k, part in enumerate(parts):
            total = total.plus(part)
            report(first + k, total)
        return total
