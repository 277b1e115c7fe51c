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
from typing import Any, NamedTuple, TypeVar

import numpy as np

from knightstour.core.kernels.counting import join as kernel
from knightstour.core.kernels.counting.classes import PAIR_MASK, PAIR_SHIFT, Adding, Set, ends_of
from knightstour.core.kernels.counting.space import Paper, Steps, Tours
from knightstour.core.machine.native import Bound, door
from knightstour.core.machine.slices import ranges
from knightstour.core.model.errors import InvalidTour, check_own_answer
from knightstour.lab.counting.halves import layers as listed
from knightstour.lab.counting.halves import machine
from knightstour.lab.counting.halves.cut import Cut, Half, slots_of_arrays
from knightstour.lab.counting.halves.layers import Side
from knightstour.lab.counting.halves.machine import Workers

_T = TypeVar("_T")

# Classes joined in one piece of work, whose sum is kept.
JOIN_BLOCK = 512


def halves_of(cut: Cut) -> tuple[Side, Side]:
    """The left and the right half of a cut, before any classes are known; the same one twice in an even cut.

    Classes that differ only by the middle moves of the half have numbers close together.
    """
    sides = []
    for half in (cut.left,) if cut.is_even else (cut.left, cut.right):
        touched = sorted(set(half.moves.ravel().tolist()))
        order = touched + [slot for slot in range(half.slots) if slot not in touched]
        sides.append(Side(half, listed.make_index(half.slots, cut.ends, order), []))
    return sides[0], sides[-1]


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


def fit_of(cut: Cut) -> kernel.Fit:
    """How the halves of a cut fit together."""
    slot_to_right = np.argsort(cut.to_left).astype(np.int64)
    flip = flip_slots_of(cut.right)
    return kernel.Fit(
        all_ends=cut.ends,
        is_even=int(cut.is_even),
        joins_folded=int(cut.joins_folded),
        present=sum(1 << slot for slot in cut.left.slot_of.values()),
        to_right=listed.flip_table(slot_to_right),
        to_left=listed.turn_table(cut.to_left),
        flipped_to_left=listed.turn_table(cut.to_left[flip]),
        slot_to_right=slot_to_right,
        flip_slots=flip,
    )


def flip_slots_of(half: Half) -> np.ndarray:
    """The image of each slot under the flip of a half; itself where it has none."""
    return np.arange(slots_of_arrays(half.slots), dtype=np.int64) if half.flip is None else half.flip


def _flips(half: Half) -> np.ndarray:
    return listed.flip_table(flip_slots_of(half))


def last_classes(cut: Cut, sides: Sequence[Side]) -> tuple[list[np.ndarray], np.ndarray]:
    """Which classes of the last layer of each half can be completed by the other half, and which classes of the left
    half are to be joined. sides: the left and the right half, or the left one alone in an even cut."""
    fit, joins_folded = fit_of(cut), int(cut.joins_folded)
    seams = (
        (fit.present, fit.to_right),
        (int(fit.to_right[fit.present]), listed.flip_table(cut.to_left)),
    )
    how = [Adding(subsets_of(side.half), int(cut.is_folded), joins_folded, _flips(side.half)) for side in sides]
    finals: list[np.ndarray] = []
    sets: list[Set] = []
    for side, adding in zip(sides, how, strict=True):
        sets.append(side.numbering.as_set(side.numbering.new_set()))
        listed.over_all(door("classes_mark_finals").bind(adding, side.classes[-1], sets[-1]), len(side.classes[-1]))
        finals.append(listed.members(side.numbering, sets[-1].marks))
    kept: list[np.ndarray] = []
    for k, side in enumerate(sides):
        # The other half is the same one in an even cut.
        partners_in = (joins_folded, _flips(sides[k - 1].half), sets[k - 1])
        keep = np.zeros(len(finals[k]), dtype=np.uint8)
        look = door("classes_keep_partnered").bind(finals[k], cut.ends, *seams[k], *partners_in, keep)
        listed.over_all(look, len(finals[k]))
        finals[k] = finals[k][keep != 0]
        classes = side.classes[-1]
        wanted = side.numbering.as_set(listed.set_of(side.numbering, finals[k]))
        keep = np.zeros(len(classes), dtype=np.uint8)
        listed.over_all(door("classes_keep_bases").bind(how[k], classes, wanted, keep), len(classes))
        kept.append(classes[keep != 0])
    return kept, finals[0]


class HalfClasses(NamedTuple):
    """The left and the right half, with the classes of all their layers that are of use.

    Layers that the halves share have the classes that either half needs. finals: classes of the left half to be joined.
    """

    sides: tuple[Side, Side]
    finals: np.ndarray

    @property
    def made(self) -> tuple[Side, ...]:
        """The halves that are made: one in an even cut."""
        return self.sides[:1] if self.sides[0] is self.sides[1] else self.sides


def find_classes(cut: Cut, report: Callable[[int, int], None] = lambda done, todo: None) -> HalfClasses:
    """Find the classes of a cut, without any states. report(steps done, steps in all): called now and then."""
    found = HalfClasses(halves_of(cut), np.empty(0, dtype=np.int64))
    todo = len(cut.left.steps) + len(cut.right.steps)
    # Whoever reports may end it, so it is asked throughout.
    first, then = functools.partial(report, 0, todo), functools.partial(report, todo // 2, todo)
    first()
    for side in found.made:
        side.classes[:] = listed.forward_classes(side, report=first)
    then()
    last, finals = last_classes(cut, found.made)
    for side, useful in zip(found.made, last, strict=True):
        side.classes[:] = listed.keep_useful(side, [*side.classes[:-1], useful], report=then)
    left, right = found.sides
    for t in range(cut.shared + 1) if cut.shared and not cut.is_even else ():
        # What both halves begin with is made once, with what either of them needs: by index, each once. (np.union1d
        # would load numpy.ma, as long as all the work on a small board.)
        both = np.concatenate((left.classes[t], right.classes[t]))
        places = left.numbering.of(both)
        order = np.argsort(places)
        left.classes[t] = right.classes[t] = both[order][np.diff(places[order], prepend=-1) > 0]
    report(todo, todo)
    return found._replace(finals=finals)


def place_of_count(place: int | None) -> dict[str, int]:
    """How far up the count is in the second number of a state, and its mask. place: which residue of a pair it is, None
    for all of it."""
    return {"shift": PAIR_SHIFT * (place or 0), "mask": -1 if place is None else PAIR_MASK}


def side_of(cut: Cut, side: Side, layer: listed.Layer, place: int | None = None) -> kernel.Side:
    """One half as the kernels take it. place: which residue of a pair is the count, None for all of it."""
    half, numbering = side.half, side.numbering
    return kernel.Side(
        marks=listed.set_of(numbering, layer.classes),
        weights=numbering.weights,
        size=numbering.size,
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
        widths=np.empty(0, dtype=np.int64),
    )


def sides_of(
    cut: Cut, sides: Sequence[Side], layers: Sequence[listed.Layer], place: int | None = None
) -> tuple[kernel.Side, kernel.Side]:
    """Both halves as the kernels take them, arguments as for side_of; the same in an even cut."""
    left = side_of(cut, sides[0], layers[0], place)
    return left, left if cut.is_even else side_of(cut, sides[-1], layers[-1], place)


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
    parts: dict[int, list[np.ndarray]] = {pairs: [] for pairs in range(2, 7)}
    for pairs, ranks in parts.items():
        mates = _mates(pairs)
        matching = np.arange(mates.shape[1])
        for x in range(1, 2 * pairs):
            # The mates of the lowest end and of end x become mates.
            joined = mates.copy()
            first, other = mates[0], mates[x]
            joined[first, matching], joined[other, matching] = other, first
            joined = np.delete(joined, (0, x), axis=0)
            is_mate = first == x
            joined[:, is_mate] = np.arange(2 * pairs)[:1:-1, None]  # any, to be left out
            joined -= 1 + (joined > x)
            ranks.append(np.where(is_mate, -1, _ranks(joined)))
    return _one_after_the_other(parts)


def _undo_tables(take: np.ndarray, take_at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    parts: dict[int, list[np.ndarray]] = {4: [], 5: []}
    for pairs, matchings in parts.items():
        count, below = int(listed.MATCHINGS[pairs]), int(listed.MATCHINGS[pairs - 1])
        for x in range(2 * pairs - 1):
            row = take[take_at[pairs] + x * count :][:count]
            order = np.argsort(row, kind="stable")[np.count_nonzero(row < 0) :]
            matchings.append(order.reshape(below, 2 * pairs - 2).T.ravel())
    return _one_after_the_other(parts)


def _one_after_the_other(parts: dict[int, list[np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """The arrays of each number of pairs in one, int32, and where those of that number begin."""
    at, tables = np.zeros(8, dtype=np.int64), list[np.ndarray]()
    for pairs, arrays in parts.items():
        at[pairs] = sum(map(len, tables))
        tables += arrays
    return np.concatenate(tables).astype(np.int32), at


# ---------------------------------------------------------------- the join


class Joined(NamedTuple):
    """What a block of classes adds: the number of tours (or that modulo the modulus), and a bound on the number that
    holds in any case."""

    total: int
    bound: float

    def plus(self, other: Joined) -> Joined:
        """Both together."""
        return Joined(self.total + other.total, self.bound + other.bound)

    def to_json(self) -> list[str | int | float]:
        """For a file; the number as text, for readers whose numbers are floats."""
        return [str(self.total), self.bound]

    @classmethod
    def from_json(cls, known: Sequence[str | int | float]) -> Joined:
        """What `to_json` gave."""
        return cls(int(known[0]), float(known[1]))


NOTHING_JOINED = Joined(0, 0.0)


def of_digits(total: np.ndarray) -> int:
    """The number whose digits a kernel added up."""
    return sum(int(digit) << kernel.DIGIT * i for i, digit in enumerate(total))


def tours_of(total: int, cut: Cut) -> int:
    """The number of tours from the sum over the halves of a cut, which are counted twice each where they are folded."""
    count, rest = divmod(total, 4 if cut.is_folded else 1)
    check_own_answer(rest == 0, "each folded half counts everything twice")
    return count


# States that are joined in a few milliseconds.
_FEW_STATES = 1 << 16
# Items that a desk has room for at first: of the hash table, and of lists. Classes in the first call of a kernel.
_FIRST_ROOM, _FIRST_IN_A_CALL = (1 << 12, 1 << 10), 16


class Desk:
    """Scratch of one thread, which grows as needed, and what its kernel counts and adds up.

    most_pairs: of a class. subsets: of the middle moves of a half. sums: arrays that a piece of work adds to. steps: of
    a half, where tours are followed through its layers; tours: room for them.
    """

    def __init__(
        self, most_pairs: int, subsets: int, *sums: np.ndarray, steps: int = 0, tours: Tours | None = None
    ) -> None:
        self.most_pairs = min(max(most_pairs, 6), len(listed.MATCHINGS) - 1)
        self.subsets = subsets
        self.counters, self.sums = np.zeros(kernel.COUNTERS, dtype=np.int64), sums
        self.tours = tours or Tours(*np.zeros((3, 0, 0), dtype=np.int64))
        self._steps = Steps(*np.zeros((2, steps), dtype=np.int64))
        self._make(*_FIRST_ROOM)

    def _make(self, table: int, lists: int, packed: int = 0, plain: int = 0) -> None:
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
        self.rooms = kernel.PolynomialRoom(left=empty(packed), right=empty(packed), plain=empty(plain))
        self.paper = Paper(empty((lists if len(self._steps.words) else 0, 2)), self._steps)
        self._kernel_of: Callable[[Any], Bound] | None = None

    def grow(self, table: int, lists: int, packed: int = 0, plain: int = 0) -> None:
        """Make room for a table, lists and polynomials of these sizes, and half as much again but for the table."""
        there = (len(self.scratch.right), len(self.rooms.left), len(self.rooms.plain))
        sizes = (max(size * 3 // 2, known) for size, known in zip((lists, packed, plain), there, strict=True))
        self._make(max(table, len(self.scratch.table)), *sizes)

    def grow_as_asked(self) -> None:
        """Make the room that a kernel asked for."""
        self.grow(*self.counters[kernel.NEED_TABLE : kernel.NEED_PLAIN + 1].tolist())

    def work(self, kernel_of: Callable[[Any], Bound], first: int, last: int) -> None:
        """Have a kernel do items first .. last-1, with sums that begin at 0.

        kernel_of: gives it, bound to this desk. CountsTooLarge where counts might pass what it can hold, InvalidTour
        where there is no such tour.
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


def desk_for(cut: Cut, finals: np.ndarray, *sums: np.ndarray, steps: int = 0, tours: Tours | None = None) -> Desk:
    """A desk to join these classes of a cut; the rest as for Desk."""
    # A loose path is mated with a slot of its own.
    ends = max((ends.bit_count() for ends in set(ends_of(finals).tolist())), default=0)
    return Desk((ends + 1) // 2, 1 << max(len(cut.left.moves), len(cut.right.moves)), *sums, steps=steps, tours=tours)


class Desks:
    """The desks that no thread uses, and the work that is done at them. new: makes a desk."""

    def __init__(self, new: Callable[[], Desk]) -> None:
        self._new, self._free = new, list[Desk]()
        # Here, as threads that want them at once would make one each.
        make_tables()

    @contextmanager
    def lent(self) -> Iterator[Desk]:
        """A desk for one piece of work, which others have after it."""
        try:
            # Another thread may have taken the last one meanwhile.
            desk = self._free.pop()
        except IndexError:
            desk = self._new()
        yield desk
        self._free.append(desk)

    def each(
        self, workers: Workers, blocks: Sequence[tuple[int, int]], work: Callable[[Desk, int, int], _T]
    ) -> Iterator[_T]:
        """What is made of each block of items, first .. last-1, in order. work: does one at a desk."""

        def job(k: int) -> _T:
            with self.lent() as desk:
                return work(desk, *blocks[k])

        return workers.run(job, len(blocks))

    def in_blocks(
        self,
        workers: Workers,
        kernel_of: Callable[[Desk], Bound],
        blocks: Sequence[tuple[int, int]],
        read: Callable[[Desk], _T],
    ) -> Iterator[_T]:
        """What is read from a desk after each block of items that a kernel has done, in order. kernel_of: as for
        Desk.work."""

        def work(desk: Desk, first: int, last: int) -> _T:
            desk.work(kernel_of, first, last)
            return read(desk)

        return self.each(workers, blocks, work)


class Join:
    """The join of two last layers that carry counts, in blocks of classes, which may be done in any order.

    layers: the last ones of the left and the right half. modulus: the prime to count by, 0 for none; place: which
    residue of the pairs in the layers is the one modulo this prime, 0 or 1. blocks: how many there are.
    """

    def __init__(
        self,
        cut: Cut,
        classes: HalfClasses,
        layers: tuple[listed.Layer, listed.Layer],
        modulus: int = 0,
        place: int = 0,
    ) -> None:
        self.finals, self.modulus, self.fit = classes.finals, modulus, fit_of(cut)
        self.sides = sides_of(cut, classes.sides, layers, place if modulus else None)
        self._states = layers[0].size + layers[1].size
        self._blocks = list(listed.spans(len(self.finals), JOIN_BLOCK))
        self.blocks = len(self._blocks)
        self._desks = Desks(lambda: desk_for(cut, self.finals, np.zeros(4, dtype=np.int64), np.zeros(1)))

    def _kernel_of(self, desk: Desk) -> Bound:
        how = (desk.scratch, make_tables(), self.modulus, machine.MAX_COUNT)
        return door("join_numbers").bind(self.finals, *self.sides, self.fit, *how, desk.counters, *desk.sums)

    @staticmethod
    def _joined(desk: Desk) -> Joined:
        total, bound = desk.sums
        return Joined(of_digits(total), float(bound[0]))

    def run(self, workers: Workers, first: int = 0, last: int | None = None) -> Iterator[Joined]:
        """What each of blocks first .. last-1 adds, in order. CountsTooLarge where counts might pass 62 bits."""
        # Threads take longer to begin than few states to join.
        workers = Workers(1) if self._states < _FEW_STATES else workers
        return self._desks.in_blocks(workers, self._kernel_of, self._blocks[first:last], self._joined)
