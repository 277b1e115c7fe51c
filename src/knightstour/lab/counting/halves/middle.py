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
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from knightstour.core.kernels.counting import join as kernel
from knightstour.core.kernels.counting.classes import PAIR_MASK, PAIR_SHIFT, Adding, Set
from knightstour.core.kernels.counting.dense import JOINED, MATCHINGS
from knightstour.core.machine.native import Bound, door
from knightstour.core.machine.slices import ranges
from knightstour.core.model.errors import InvalidTour, check_own_answer
from knightstour.lab.counting.halves import layers as listed
from knightstour.lab.counting.halves import machine
from knightstour.lab.counting.halves.cut import Cut, Half, slots_of_arrays
from knightstour.lab.counting.halves.layers import Side
from knightstour.lab.counting.halves.machine import Threads

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
    seams = ((fit.present, fit.to_right), (int(fit.to_right[fit.present]), listed.flip_table(cut.to_left)))
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


@functools.cache
def make_tables() -> kernel.Tables:
    """The tables of matchings, made once."""
    takes = {pairs: [np.empty(MATCHINGS[pairs], dtype=np.int32) for _ in range(2 * pairs - 1)] for pairs in range(2, 7)}
    for pairs, rows in takes.items():
        for x, targets in enumerate(rows, start=1):
            door("dense_change")(targets, JOINED, pairs, 0, x, 0, len(targets))
    undoes: dict[int, list[np.ndarray]] = {4: [], 5: []}
    for pairs, matchings in undoes.items():
        for row in takes[pairs]:
            order = np.argsort(row, kind="stable")[np.count_nonzero(row < 0) :]
            matchings.append(order.reshape(MATCHINGS[pairs - 1], 2 * pairs - 2).T.ravel())
    last = np.zeros((15, 15), dtype=np.int64)
    for i in range(15):
        x, y = divmod(i, 3)
        for j, k in enumerate(takes[3][x].tolist()):
            last[i, j] = k >= 0 and takes[2][y][k] >= 0
    return kernel.Tables(*_one_after_the_other(takes), *_one_after_the_other(undoes), last)


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


NOTHING_JOINED = Joined(0, 0.0)


def of_digits(total: np.ndarray) -> int:
    """The number whose digits a kernel added up."""
    return sum(int(digit) << kernel.DIGIT * i for i, digit in enumerate(total))


def tours_of(total: int, cut: Cut) -> int:
    """The number of tours from the sum over the halves of a cut, which are counted twice each where they are folded."""
    count, rest = divmod(total, 4 if cut.is_folded else 1)
    check_own_answer(rest == 0, "each folded half counts everything twice")
    return count


# What a thread has room for at first. Classes in the first call of a kernel.
_FIRST_ROOM, _FIRST_IN_A_CALL = 1 << 14, 16


class Scratch:
    """What one thread joins with. kernel_of: gives the kernel, bound to it. own: arrays for what it takes or makes.

    room: of the kernel, which grows as it asks. counters: what it counts.
    """

    def __init__(self, kernel_of: Callable[[Any], Bound], own: Sequence[np.ndarray] = ()) -> None:
        self.own, self._kernel_of = own, kernel_of
        self.counters = np.zeros(kernel.COUNTERS, dtype=np.int64)
        self._make_room(_FIRST_ROOM, _FIRST_ROOM)

    def _make_room(self, zeros: int, items: int) -> None:
        self.room = kernel.Room(np.zeros(zeros, dtype=np.int64), np.empty(items, dtype=np.int64))
        self._kernel: Bound | None = None

    def work(self, first: int, last: int) -> None:
        """Have the kernel do items first .. last-1.

        CountsTooLarge where counts might pass what it can hold, InvalidTour where there is no such tour.
        """
        self.counters[kernel.NEXT] = first
        for _, upto in ranges(last - first, _FIRST_IN_A_CALL):
            while self.counters[kernel.NEXT] < first + upto:
                self._kernel = self._kernel or self._kernel_of(self)
                status = self._kernel(first + upto)
                if status == kernel.FULL:
                    zeros, items = self.counters[kernel.NEED_ZEROS : kernel.NEED_ITEMS + 1].tolist()
                    self._make_room(max(zeros, len(self.room.zeros)), max(items * 3 // 2, len(self.room.items)))
                elif status == kernel.TOO_LARGE:
                    raise listed.CountsTooLarge
                elif status == kernel.BROKEN:
                    raise InvalidTour("a tour is not among the numbered ones", help="is the file of tours damaged?")


class Join(Generic[_T]):
    """What a kernel makes of items such as last classes, in blocks, which threads may do in any order.

    kernel_of: gives the kernel, bound to the scratch of a thread. own: makes the arrays of a scratch. read: what the
    kernel has added to them, which are zeros before each block. count, block: how many items there are, and in a block.
    blocks: how many of these.
    """

    def __init__(
        self,
        kernel_of: Callable[[Scratch], Bound],
        own: Callable[[], Sequence[np.ndarray]] = tuple,
        read: Callable[[Scratch], _T] = lambda mine: None,  # type: ignore[assignment,return-value]
        count: int = 0,
        block: int = 1 << 9,
    ) -> None:
        self._new, self._read = lambda: Scratch(kernel_of, own()), read
        self._spans, self._spare = list(listed.spans(count, block)), list[Scratch]()
        self.blocks = len(self._spans)
        # Here, as threads that want them at once would make them each.
        make_tables()

    def each(
        self, threads: Threads, spans: Sequence[tuple[int, int]], work: Callable[[Scratch, int, int], _T]
    ) -> Iterator[_T]:
        """What is made of each span of items, first .. last-1, in order. work: does one with scratch of its own."""

        def job(k: int) -> _T:
            try:
                # Another thread may have taken the last one meanwhile.
                mine = self._spare.pop()
            except IndexError:
                mine = self._new()
            made = work(mine, *spans[k])
            self._spare.append(mine)
            return made

        return threads.run(job, len(spans))

    def run(self, threads: Threads, first: int = 0, last: int | None = None) -> Iterator[_T]:
        """What is read after each of blocks first .. last-1, in order."""

        def work(mine: Scratch, begin: int, end: int) -> _T:
            for array in mine.own:
                array[:] = 0
            mine.work(begin, end)
            return self._read(mine)

        return self.each(threads, self._spans[first:last], work)


def join_of_counts(
    cut: Cut, classes: HalfClasses, layers: tuple[listed.Layer, listed.Layer], modulus: int = 0, place: int = 0
) -> Join[Joined]:
    """The join of two last layers that carry counts; CountsTooLarge where these might pass 62 bits.

    layers: of the left and the right half. modulus: the prime to count by, 0 for none; place: which residue of the
    pairs in the layers is the one modulo this prime, 0 or 1.
    """
    joined = (classes.finals, *sides_of(cut, classes.sides, layers, place if modulus else None), fit_of(cut))

    def kernel_of(mine: Scratch) -> Bound:
        how = (mine.room, make_tables(), modulus, machine.MAX_COUNT, mine.counters)
        return door("join_numbers").bind(*joined, *how, *mine.own)

    def read(mine: Scratch) -> Joined:
        total, bound = mine.own
        return Joined(of_digits(total), float(bound[0]))

    return Join(kernel_of, lambda: (np.zeros(4, dtype=np.int64), np.zeros(1)), read, len(classes.finals), JOIN_BLOCK)
