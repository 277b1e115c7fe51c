"""Encoding "lists by class": all states of one half of a board, layer by layer and grouped by class.

**Data.** A half (cut.py) is a sequence of steps. After each step there is a *layer*: all states of partial tours, with
the number of partial tours in each. A state consists of a *class* (which slots of the frontier are bare, inner, or an
end of a path) and a *word* (the pairs of ends of a path; classes.h, words.h). A `Layer` contains

    classes[j]             class j, int64; classes are sorted by index (`Index`)
    offsets[j], lengths[j] its states are states[offsets[j] : offsets[j] + lengths[j]], unsorted
    states[i]              (word, count), int64, or the item of another algebra; the words of a class are distinct
    masses[j]              the sum of the counts of class j, float64 (an upper bound if counts are residues)

**Classes first.** The transitions of a state depend only on its class: about twenty *choices* at most. Each leads to
one class and changes every word of the list by the same operation. The classes of all layers are therefore found before
any words: `forward_classes` starts with the empty class, and `keep_useful` goes backwards and keeps only classes with a
successor that the other half can complete. No dead ends remain.

**Then the lists.** An *edge* leads from a class by an operation to a class of the next layer. `class_edges` lists the
edges sorted by target, and machine.py builds the list of each target from the lists of its sources.

**Folding.** With `fold`, only the lower one of two classes that are flips of each other is kept at the ends of columns;
it also receives the flipped states of the other. A layer u then represents u + flip(u), twice the number of partial
tours. With `fold=False` layers contain each state itself, once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting import classes as kernel
from knightstour.core.kernels.counting.classes import ByTarget, Lists
from knightstour.core.kernels.counting.dense import MATCHINGS
from knightstour.core.machine.native import BoundFunction, kernel_function
from knightstour.core.machine.slices import ranges
from knightstour.core.model.errors import check_own_answer
from knightstour.lab.counting.halves.cut import SLOTS, WIDE_SLOTS, Half, slots_of_arrays

# Number of classes in the first call of a kernel.
_FIRST_CLASSES = 1 << 8


class CountsTooLarge(Exception):
    """Counts may exceed their bits, so they must be counted modulo primes."""


class Layer(NamedTuple):
    """All states after a step; see the module. values: for polynomials, the minimum and maximum value of the partial
    tours of each class, int64 (2, classes)."""

    classes: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray
    states: np.ndarray
    masses: np.ndarray
    values: np.ndarray | None = None

    @property
    def size(self) -> int:
        return int(self.lengths.sum())

    @property
    def lists(self) -> Lists:
        """Return the lists as kernel arguments."""
        return Lists(self.classes, self.offsets, self.lengths)


class Edges(NamedTuple):
    """The edges of one step, by target: edges to class t of the next layer are edges[starts[t] : starts[t + 1]].

    edges: source << 13 | operation, int64. inputs: number of states that lead to each target. bounds: upper bounds of
    the masses of the targets, float64.
    """

    starts: np.ndarray
    edges: np.ndarray
    inputs: np.ndarray
    bounds: np.ndarray

    @property
    def by_target(self) -> ByTarget:
        """Return the edges as kernel arguments."""
        return ByTarget(self.starts, self.edges)


class Index(NamedTuple):
    """Numbering of classes: each slot is a digit of base 3, in the order of `order` from the lowest digit.

    weights: int64 (2 ** 16,) or (2 ** 18,), the sum of the weights of the slots in each mask. size: number of indices
    for each number of ends. low_size, low_classes, high_classes: the classes of an index, from its low and its high
    digits. items: length of an array for a set of classes.
    """

    weights: np.ndarray
    size: int
    low_size: int
    low_classes: np.ndarray
    high_classes: np.ndarray
    items: int

    def new_set(self) -> np.ndarray:
        """Return an empty set of classes: int64, see core/kernels/counting/classes.py."""
        return np.zeros(self.items, dtype=np.int64)

    def as_set(self, marks: np.ndarray) -> kernel.Set:
        """Return a set of classes as kernel arguments."""
        return kernel.Set(self.weights, self.size, marks)

    def of(self, classes: np.ndarray) -> np.ndarray:
        """Return the index of each class."""
        inner, ends = self.weights[kernel.inner_of(classes)], self.weights[kernel.ends_of(classes)]
        return kernel.placed_in(classes) * self.size + inner + 2 * ends


def make_index(slots: int, ends: int, order: list[int] | None = None) -> Index:
    """Return the numbering of classes with `slots` slots and up to `ends` placed ends."""
    order = list(range(slots)) if order is None else order
    check_own_answer(sorted(order) == list(range(slots)), "the order of the slots must have each once")
    weights = sums_of_slots([3 ** order.index(slot) if slot < slots else 0 for slot in range(slots_of_arrays(slots))])
    low = order[: (slots + 1) // 2]
    high = order[(slots + 1) // 2 :]
    items = 3**slots * (ends + 1) // 32 + 1
    return Index(weights, 3**slots, 3 ** len(low), _classes_of_digits(low), _classes_of_digits(high), items)


def _classes_of_digits(slots: list[int]) -> np.ndarray:
    """Return the class of each number whose digits are these slots."""
    classes = np.zeros(1, dtype=np.int64)
    for slot in slots:
        inner, end = kernel.class_of(0, 1 << slot, 0), kernel.class_of(0, 0, 1 << slot)
        classes = np.concatenate((classes, classes | inner, classes | end))
    return classes


def sums_of_slots(values: list[int]) -> np.ndarray:
    """Return the sum of the values of the slots in each mask: int64 (2 ** slots,)."""
    sums = np.zeros(1 << len(values), dtype=np.int64)
    for slot, value in enumerate(values):
        np.add(sums[: 1 << slot], value, out=sums[1 << slot : 2 << slot])
    return sums


def flip_table(image: np.ndarray) -> np.ndarray:
    """Return the image of each mask of slots under a permutation of the slots: int64 (2 ** slots,)."""
    return sums_of_slots([1 << int(slot) for slot in image])


def turn_table(image: np.ndarray) -> np.ndarray:
    """Return the image of each byte of a word under a permutation of the slots: int64 (8, 256), combined by xor.

    Wide words use only a ninth row, with the image of each slot.
    """
    if len(image) > SLOTS:
        wide = np.zeros((9, 256), dtype=np.int64)
        wide[8, : len(image)] = image
        return wide
    nibbles = np.arange(16, dtype=np.int64)
    parts = []
    for slot in range(SLOTS):
        to = int(image[slot])
        parts.append((image[slot ^ nibbles] ^ to) << np.int64(4 * to))
    table = [parts[2 * k][None, :] ^ parts[2 * k + 1][:, None] for k in range(8)]
    return np.stack([part.reshape(256) for part in table])


@functools.lru_cache(maxsize=64)
def _tables(image: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    return flip_table(np.array(image)), turn_table(np.array(image))


class Side(NamedTuple):
    """A half with the numbering of its classes; classes: before its first step and after each step."""

    half: Half
    numbering: Index
    classes: list[np.ndarray]

    def stepping(self, t: int) -> kernel.Stepping:
        """Return step t as kernel arguments."""
        return kernel.Stepping(self.half.steps[t], int(t in self.half.folds), _tables(self._slot_image(t))[0])

    def turn(self, t: int) -> np.ndarray:
        """Return the turn_table that folds the words of step t."""
        return _tables(self._slot_image(t))[1]

    def _slot_image(self, t: int) -> tuple[int, ...]:
        image = self.half.folds.get(t)
        return tuple(range(slots_of_arrays(self.half.slots)) if image is None else image.tolist())


def spans(count: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield the first index and the end of consecutive pieces of a length; the last one can be shorter.

    >>> list(spans(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    for first in range(0, count, length):
        yield first, min(first + length, count)


# ---------------------------------------------------------------- classes


def set_of(index: Index, classes: np.ndarray, marks: np.ndarray | None = None) -> np.ndarray:
    """Return the numbered set of some classes; `marks`, if given, is cleared and reused."""
    if marks is None:
        marks = index.new_set()
    else:
        marks[:] = 0
    kernel_function("classes_mark")(classes, index.as_set(marks))
    kernel_function("classes_number")(marks)
    return marks


def members(index: Index, marks: np.ndarray) -> np.ndarray:
    """Number a set, and return its classes in the order of their index."""
    found = np.empty(kernel_function("classes_number")(marks), dtype=np.int64)
    kernel_function("classes_list")(marks, index.size, index.low_size, index.low_classes, index.high_classes, found)
    return found


def run_in_pieces(run: BoundFunction, count: int, report: Callable[[], None] = lambda: None) -> None:
    """Run a kernel on items 0 .. count-1, in pieces; `report` is called after each."""
    for span in ranges(count, _FIRST_CLASSES):
        run(*span)
        report()


def forward_classes(side: Side, report: Callable[[], None] = lambda: None) -> list[np.ndarray]:
    """Return the reachable classes before the first step (the empty class), and after each step."""
    layers = [np.zeros(1, dtype=np.int64)]
    into = side.numbering.as_set(side.numbering.new_set())
    for t in range(len(side.half.steps)):
        now = layers[-1]
        into.marks[:] = 0
        run_in_pieces(kernel_function("classes_mark_children").bind(side.stepping(t), now, into), len(now), report)
        layers.append(members(side.numbering, into.marks))
    return layers


def keep_useful(side: Side, layers: list[np.ndarray], report: Callable[[], None] = lambda: None) -> list[np.ndarray]:
    """Return, for each layer, the classes from which a class of the last layer can be reached."""
    kept = [layers[-1]]
    into = side.numbering.as_set(side.numbering.new_set())
    for t in range(len(layers) - 2, -1, -1):
        now = layers[t]
        set_of(side.numbering, kept[-1], into.marks)
        keep = np.zeros(len(now), dtype=np.uint8)
        run_in_pieces(kernel_function("classes_keep_parents").bind(side.stepping(t), now, into, keep), len(now), report)
        kept.append(now[keep != 0])
    return kept[::-1]


def class_edges(side: Side, t: int, layer: Layer) -> Edges:
    """Return the edges of step t, from the non-empty classes of a layer to the classes of the next layer."""
    numbering, targets = side.numbering, side.classes[t + 1]
    room = 8 * len(layer.classes) + kernel.MAX_CHOICES
    to, edges = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
    listed = np.zeros(2, dtype=np.int64)
    sources = (side.stepping(t), layer.classes, layer.lengths, numbering.as_set(set_of(numbering, targets)))
    while kernel_function("classes_list_edges")(*sources, to, edges, listed, len(layer.classes)) < len(layer.classes):
        to = np.concatenate([to, np.empty(len(to) // 2, dtype=np.int32)])
        edges = np.concatenate([edges, np.empty(len(edges) // 2, dtype=np.int64)])
    made, count = int(listed[1]), len(targets)
    starts, by_target = np.empty(count + 1, dtype=np.int64), np.empty(made, dtype=np.int64)
    inputs, fill = np.empty((2, count), dtype=np.int64)
    bounds = np.empty(count, dtype=np.float64)
    sums = (layer.lengths, layer.masses, starts, inputs, bounds)
    kernel_function("classes_sort_edges")(to, edges, made, *sums, by_target, fill)
    return Edges(starts, by_target, inputs, bounds)


def most_states(classes: np.ndarray) -> np.ndarray:
    """Return the maximum number of words of each class: the number of ways to pair its ends."""
    masks = kernel.ends_of(classes)
    ends = sum((masks >> slot & 1 for slot in range(WIDE_SLOTS)), np.zeros(len(classes), dtype=np.int64))
    # A loose end is the mate of the end of the tour that is not on the frontier.
    return np.array(MATCHINGS, dtype=np.int64)[(ends + (kernel.placed_in(classes) == 1)) // 2]
