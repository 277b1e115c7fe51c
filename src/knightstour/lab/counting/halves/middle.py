"""Join of lists by class: combination of the two halves of a board over the middle, and the number of tours.

A left and a right half fit if each square of the middle has two moves (an end of the tour: one), and if they close
exactly one cycle, which contains all squares. The first condition depends only on the classes: every left class has
exactly one right *partner*, bare where the left class is inner and inner where it is bare. The second condition
depends on the words: two matchings of the same ends must form one cycle.

**Middle moves** are never expanded. A final class of a half is a class of its last layer with a subset of its middle
moves. Its list is therefore *gathered* on demand from the lists of its source classes.

**Ends.** With one end of the tour on each side, each half has one loose path. In both halves the loose end becomes the
mate of one additional slot, as if the ends of the tour were joined, so an open tour also forms one cycle. With both
ends on one side the loose paths are mates already.

**One cycle** is tested for all left words together (cycles.h). Every intermediate count is an exact sum of right
counts; the final products are added up in digits.

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
from knightstour.core.machine.native import BoundFunction, kernel_function
from knightstour.core.machine.slices import ranges
from knightstour.core.model.errors import InvalidTour, check_own_answer
from knightstour.lab.counting.halves import layers as listed
from knightstour.lab.counting.halves import machine
from knightstour.lab.counting.halves.cut import Cut, Half, slots_of_arrays
from knightstour.lab.counting.halves.layers import Side
from knightstour.lab.counting.halves.machine import Threads

_T = TypeVar("_T")

# Classes joined in one piece of work.
JOIN_BLOCK = 512


def halves_of(cut: Cut) -> tuple[Side, Side]:
    """Return the left and the right half of a cut, without classes; the same one twice in an even cut.

    Classes that differ only by middle moves get similar indices.
    """
    sides = []
    for half in (cut.left,) if cut.is_even else (cut.left, cut.right):
        touched = sorted(set(half.moves.ravel().tolist()))
        order = touched + [slot for slot in range(half.slots) if slot not in touched]
        sides.append(Side(half, listed.make_index(half.slots, cut.ends, order), []))
    return sides[0], sides[-1]


def subsets_of(half: Half) -> np.ndarray:
    """Return the subsets of the middle moves in which no slot has three moves: int64 (subsets, 3), masks of the slots
    with one move, of the slots with two moves, and of the moves."""
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
    """Return the data with which a kernel tests whether two halves fit."""
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
    """Return the image of each slot under the flip of a half; the identity if it has none."""
    return np.arange(slots_of_arrays(half.slots), dtype=np.int64) if half.flip is None else half.flip


def _flips(half: Half) -> np.ndarray:
    return listed.flip_table(flip_slots_of(half))


def last_classes(cut: Cut, sides: Sequence[Side]) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the last-layer classes of each half that the other half can complete, and the left classes to join. sides:
    the left and the right half, or only the left one in an even cut."""
    fit, joins_folded = fit_of(cut), int(cut.joins_folded)
    seams = ((fit.present, fit.to_right), (int(fit.to_right[fit.present]), listed.flip_table(cut.to_left)))
    how = [Adding(subsets_of(side.half), int(cut.is_folded), joins_folded, _flips(side.half)) for side in sides]
    finals: list[np.ndarray] = []
    sets: list[Set] = []
    for side, adding in zip(sides, how, strict=True):
        sets.append(side.numbering.as_set(side.numbering.new_set()))
        listed.run_in_pieces(
            kernel_function("classes_mark_finals").bind(adding, side.classes[-1], sets[-1]), len(side.classes[-1])
        )
        finals.append(listed.members(side.numbering, sets[-1].marks))
    kept: list[np.ndarray] = []
    for k, side in enumerate(sides):
        # The other half is the same one in an even cut.
        partners_in = (joins_folded, _flips(sides[k - 1].half), sets[k - 1])
        keep = np.zeros(len(finals[k]), dtype=np.uint8)
        look = kernel_function("classes_keep_partnered").bind(finals[k], cut.ends, *seams[k], *partners_in, keep)
        listed.run_in_pieces(look, len(finals[k]))
        finals[k] = finals[k][keep != 0]
        classes = side.classes[-1]
        wanted = side.numbering.as_set(listed.set_of(side.numbering, finals[k]))
        keep = np.zeros(len(classes), dtype=np.uint8)
        listed.run_in_pieces(kernel_function("classes_keep_bases").bind(how[k], classes, wanted, keep), len(classes))
        kept.append(classes[keep != 0])
    return kept, finals[0]


class HalfClasses(NamedTuple):
    """The left and the right half, with the useful classes of all their layers.

    Shared layers have the classes that either half needs. finals: classes of the left half to join.
    """

    sides: tuple[Side, Side]
    finals: np.ndarray

    @property
    def distinct(self) -> tuple[Side, ...]:
        """The halves to build: one in an even cut."""
        return self.sides[:1] if self.sides[0] is self.sides[1] else self.sides


def find_classes(cut: Cut, report: Callable[[int, int], None] = lambda done, todo: None) -> HalfClasses:
    """Find the classes of a cut, without states. report(completed steps, all steps): called now and then."""
    found = HalfClasses(halves_of(cut), np.empty(0, dtype=np.int64))
    todo = len(cut.left.steps) + len(cut.right.steps)
    # A callback can stop the count, so progress is reported often.
    first, then = functools.partial(report, 0, todo), functools.partial(report, todo // 2, todo)
    first()
    for side in found.distinct:
        side.classes[:] = listed.forward_classes(side, report=first)
    then()
    last, finals = last_classes(cut, found.distinct)
    for side, useful in zip(found.distinct, last, strict=True):
        side.classes[:] = listed.keep_useful(side, [*side.classes[:-1], useful], report=then)
    left, right = found.sides
    for t in range(cut.shared + 1) if cut.shared and not cut.is_even else ():
        # The common initial layers are built once, with the classes that either half needs, sorted by index and unique.
        # (np.union1d would import numpy.ma, which is as slow as the whole count of a small board.)
        both = np.concatenate((left.classes[t], right.classes[t]))
        places = left.numbering.of(both)
        order = np.argsort(places)
        left.classes[t] = right.classes[t] = both[order][np.diff(places[order], prepend=-1) > 0]
    report(todo, todo)
    return found._replace(finals=finals)


def place_of_count(place: int | None) -> dict[str, int]:
    """Return the shift and the mask of the count in the second number of a state. place: index of the residue in a
    pair, or None for the whole number."""
    return {"shift": PAIR_SHIFT * (place or 0), "mask": -1 if place is None else PAIR_MASK}


def side_of(cut: Cut, side: Side, layer: listed.Layer, place: int | None = None) -> kernel.Side:
    """Return one half as kernel arguments. place: index of the residue in a pair, or None for the whole count."""
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
    """Return both halves as kernel arguments, as by side_of; they are equal in an even cut."""
    left = side_of(cut, sides[0], layers[0], place)
    return left, left if cut.is_even else side_of(cut, sides[-1], layers[-1], place)


# ---------------------------------------------------------------- tables


@functools.cache
def make_tables() -> kernel.Tables:
    takes = {pairs: [np.empty(MATCHINGS[pairs], dtype=np.int32) for _ in range(2 * pairs - 1)] for pairs in range(2, 7)}
    for pairs, rows in takes.items():
        for x, targets in enumerate(rows, start=1):
            kernel_function("dense_change")(targets, JOINED, pairs, 0, x, 0, len(targets))
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
    return kernel.Tables(*_concatenate(takes), *_concatenate(undoes), last)


def _concatenate(parts: dict[int, list[np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Concatenate the arrays of all numbers of pairs, int32; also return their offsets."""
    at, tables = np.zeros(8, dtype=np.int64), list[np.ndarray]()
    for pairs, arrays in parts.items():
        at[pairs] = sum(map(len, tables))
        tables += arrays
    return np.concatenate(tables).astype(np.int32), at


# ---------------------------------------------------------------- the join


class JoinResult(NamedTuple):
    """Contribution of a block of classes: the number of tours (or its residue), and an upper bound on the number."""

    total: int
    bound: float

    def plus(self, other: JoinResult) -> JoinResult:
        """Return the sum of both."""
        return JoinResult(self.total + other.total, self.bound + other.bound)


NOTHING_JOINED = JoinResult(0, 0.0)


def of_digits(total: np.ndarray) -> int:
    """Return the number with the digits that a kernel added up."""
    return sum(int(digit) << kernel.DIGIT * i for i, digit in enumerate(total))


def tours_of(total: int, cut: Cut) -> int:
    """Return the number of tours from the sum over the halves of a cut; a folded half counts twice."""
    count, rest = divmod(total, 4 if cut.is_folded else 1)
    check_own_answer(rest == 0, "each folded half counts everything twice")
    return count


# Initial capacity of a thread's arrays, and number of classes in the first kernel call.
_FIRST_ROOM, _FIRST_IN_A_CALL = 1 << 14, 16


class Scratch:
    """Arrays of one thread for a join. kernel_of: binds the kernel to these arrays. own: input and output arrays.

    room: memory of the kernel, which grows on demand. counters: event counts of the kernel.
    """

    def __init__(self, kernel_of: Callable[[Any], BoundFunction], own: Sequence[np.ndarray] = ()) -> None:
        self.own, self._kernel_of = own, kernel_of
        self.counters = np.zeros(kernel.COUNTERS, dtype=np.int64)
        self._make_room(_FIRST_ROOM, _FIRST_ROOM)

    def _make_room(self, zeros: int, items: int) -> None:
        self.room = kernel.Room(np.zeros(zeros, dtype=np.int64), np.empty(items, dtype=np.int64))
        self._kernel: BoundFunction | None = None

    def work(self, first: int, last: int) -> None:
        """Run the kernel on items first .. last-1.

        Raises CountsTooLarge if counts may exceed the capacity of the kernel, InvalidTour if the tour does not exist.
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
    """Kernel work on items such as final classes, in blocks that threads process in any order.

    kernel_of: binds the kernel to the arrays of a thread. own: creates these arrays. read: reads the sums of the
    kernel, which are zero before each block. count, block: number of items in all and per block. blocks: number of
    blocks.
    """

    def __init__(
        self,
        kernel_of: Callable[[Scratch], BoundFunction],
        own: Callable[[], Sequence[np.ndarray]] = tuple,
        read: Callable[[Scratch], _T] = lambda mine: None,  # type: ignore[assignment,return-value]
        count: int = 0,
        block: int = 1 << 9,
    ) -> None:
        self._new, self._read = lambda: Scratch(kernel_of, own()), read
        self._spans, self._spare = list(listed.spans(count, block)), list[Scratch]()
        self.blocks = len(self._spans)
        # Built here, so that not every thread builds them.
        make_tables()

    def each(
        self, threads: Threads, spans: Sequence[tuple[int, int]], work: Callable[[Scratch, int, int], _T]
    ) -> Iterator[_T]:
        """Yield the result of `work` for each span of items first .. last-1, in order."""

        def job(k: int) -> _T:
            try:
                # Another thread may take the last one meanwhile.
                mine = self._spare.pop()
            except IndexError:
                mine = self._new()
            made = work(mine, *spans[k])
            self._spare.append(mine)
            return made

        return threads.run(job, len(spans))

    def run(self, threads: Threads, first: int = 0, last: int | None = None) -> Iterator[_T]:
        """Yield the result of each of the blocks first .. last-1, in order."""

        def work(mine: Scratch, begin: int, end: int) -> _T:
            for array in mine.own:
                array[:] = 0
            mine.work(begin, end)
            return self._read(mine)

        return self.each(threads, self._spans[first:last], work)


def join_of_counts(
    cut: Cut, classes: HalfClasses, layers: tuple[listed.Layer, listed.Layer], modulus: int = 0, place: int = 0
) -> Join[JoinResult]:
    """Return the join of two last layers with counts; raise CountsTooLarge if these may exceed 62 bits.

    layers: left and right. modulus: the prime, or 0 for exact counts; place: index, 0 or 1, of its
    residue in the pairs of the layers.
    """
    joined = (classes.finals, *sides_of(cut, classes.sides, layers, place if modulus else None), fit_of(cut))

    def kernel_of(mine: Scratch) -> BoundFunction:
        how = (mine.room, make_tables(), modulus, machine.MAX_COUNT, mine.counters)
        return kernel_function("join_numbers").bind(*joined, *how, *mine.own)

    def read(mine: Scratch) -> JoinResult:
        total, bound = mine.own
        return JoinResult(of_digits(total), float(bound[0]))

    return Join(kernel_of, lambda: (np.zeros(4, dtype=np.int64), np.zeros(1)), read, len(classes.finals), JOIN_BLOCK)
