"""All states of one half of a board, layer by layer, grouped in classes: the heart of counting by halves.

**Data.** A half (cut.py) is a sequence of steps. After each step there is a *layer*: all states that half-made tours
can be in, and the number of half-made tours in each. A state is a *class* and a *word*
(kernels/counting/class_lists.py says how they are coded). The class says which of the 16 slots of the frontier are
bare, inner or an end of a path, and how many ends of the tour are placed. The word says which ends belong together. In
a `Layer`

    classes[j]             class j, int64; classes come in order of their index (`Index`)
    offsets[j], lengths[j] its states are states[offsets[j] : offsets[j] + lengths[j]], in no order
    states[i]              (word, count), int64; the words of a class differ
    masses[j]              the sum of the counts of class j, float64 (an upper bound where counts are kept modulo)

**Classes first.** What a step may do to a state depends on its class alone: there are at most some twenty *choices*,
and each leads to one class and changes every word of the list by the same operation. So the classes of all layers are
found before any words: `forward_classes` goes forwards from the empty class, and `keep_useful` goes backwards and keeps
only those that lead to a class which the other half can complete. That leaves no dead ends.

**Then the lists.** An *edge* leads from a class by an operation to a class of the next layer. `class_edges` lists the
edges sorted by target, and `next_layer` makes the list of each target from those of its sources, in a small hash table
that stays in the cache. Threads make the targets in blocks; the outcome does not depend on their number.

**Folding.** With `fold`, at the ends of columns only one of each two classes that are flips of each other is kept: the
lower one, to which the flips of the other's states are added. Then a layer u means u + flip(u), which is twice the
number of half-made tours. With `fold=False` layers hold each state itself, once.

**Exactness.** Counts are int64. Before a layer is made, the masses of its sources bound its counts; if they might pass
2**60, `CountsTooLarge` is raised, and the caller counts modulo primes below 2**31 instead, modulo two of them at once:
both residues fit into the 64 bits of a count, so a second prime takes no memory and hardly any time.

Cost: 76.8 million states looked at for 8x8 closed, folded, at 25 ns each; 16 bytes a state, two layers at a time.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from knightstour.counting.halves.cut import SLOTS, WIDE_SLOTS, Half, slots_of_arrays
from knightstour.kernels.counting import class_lists as kernel
from knightstour.machine import engine
from knightstour.model.errors import confirm
from knightstour.model.indices import places

_T = TypeVar("_T")

# Counts, and sums of them, must stay below this to be exact.
MOST_COUNT = float(2**60)
# Perfect matchings of 2k slots: 1, 1, 3, 15, ...
MATCHINGS = np.array([1, 1, 3, 15, 105, 945, 10395, 135135, 2027025, 34459425], dtype=np.int64)
# States looked at in one call of a kernel, and classes expanded in one. While interpreted: this many times fewer.
_BLOCK_STATES = 1 << 20
_BLOCK_CLASSES = 1 << 15
_TIMES_FEWER = 64
# Seconds that a class of one layer takes, interpreted, in all that is done to make its states; where classes have more
# slots than this, it is long work in any case.
_SECONDS_A_CLASS = 2e-5
_MOST_SLOTS_INTERPRETED = 13
_MOST_CHOICES = 160
STATE_BYTES = 16


class CountsTooLarge(Exception):
    """Counts may pass 60 bits; count modulo primes instead."""


def in_residues(states: np.ndarray, modulus: int) -> np.ndarray:
    """States with exact counts, as states with counts modulo a pair of primes."""
    counts = states[:, 1]
    above = counts % (modulus >> kernel.PAIR_SHIFT) << kernel.PAIR_SHIFT
    return np.stack([states[:, 0], counts % (modulus & kernel.PAIR_MASK) | above], axis=1)


class Layer(NamedTuple):
    """All states after a step; see the head of this file."""

    classes: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray
    states: np.ndarray
    masses: np.ndarray

    @property
    def size(self) -> int:
        """How many states it has."""
        return int(self.lengths.sum())


class Edges(NamedTuple):
    """The edges of one step, by target: those to class t of the next layer are edges[starts[t] : starts[t + 1]].

    edges: source << 13 | operation, int64. inputs: how many states lead to each target. bounds: float64, what the mass
    of each target is at most.
    """

    starts: np.ndarray
    edges: np.ndarray
    inputs: np.ndarray
    bounds: np.ndarray


class Index(NamedTuple):
    """How classes are numbered: each slot is a digit of base 3, `order` from the lowest digit to the highest.

    weights: int64 (2 ** 16,), or (2 ** 18,), the sum of the weights of the slots of each mask. size: indices for each
    number of ends.
    low_size, low_classes, high_classes: the classes of an index, from its low and its high digits. items: how long a
    set of classes is.
    """

    weights: np.ndarray
    size: int
    low_size: int
    low_classes: np.ndarray
    high_classes: np.ndarray
    items: int

    def new_set(self) -> np.ndarray:
        """An empty set of classes: int64, see kernels/counting/class_lists.py."""
        return np.zeros(self.items, dtype=np.int64)

    def of(self, classes: np.ndarray) -> np.ndarray:
        """The index of each class."""
        inner, ends = self.weights[kernel.inner_of(classes)], self.weights[kernel.ends_of(classes)]
        return kernel.placed_in(classes) * self.size + inner + 2 * ends


def make_index(slots: int, ends: int, order: list[int] | None = None) -> Index:
    """The numbering for classes of this many slots, and of up to `ends` ends placed."""
    order = list(range(slots)) if order is None else order
    confirm(sorted(order) == list(range(slots)), "the order of the slots must have each once")
    weights = sums_of_slots([3 ** order.index(slot) if slot < slots else 0 for slot in range(slots_of_arrays(slots))])
    low = order[: (slots + 1) // 2]
    high = order[(slots + 1) // 2 :]
    items = 3**slots * (ends + 1) // 32 + 1
    return Index(weights, 3**slots, 3 ** len(low), _decoded(low), _decoded(high), items)


def _decoded(slots: list[int]) -> np.ndarray:
    """Class of each number whose digits are these slots."""
    classes = np.zeros(1, dtype=np.int64)
    for slot in slots:
        inner, end = kernel.class_of(0, 1 << slot, 0), kernel.class_of(0, 0, 1 << slot)
        classes = np.concatenate((classes, classes | inner, classes | end))
    return classes


def sums_of_slots(values: list[int]) -> np.ndarray:
    """Sum of the values of the slots in each mask: int64 (2 ** slots,)."""
    sums = np.zeros(1, dtype=np.int64)
    for value in values:
        sums = np.concatenate((sums, sums + value))
    return sums


def flip_table(image: np.ndarray) -> np.ndarray:
    """Image of each mask of slots under a permutation of the slots: int64 (2 ** slots,)."""
    return sums_of_slots([1 << int(slot) for slot in image])


def turn_table(image: np.ndarray) -> np.ndarray:
    """What each byte of a word becomes under a permutation of the slots: int64 (8, 256), to be joined by xor.

    For wide words it has a ninth row, where each slot goes, and this alone is used.
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


class Step(NamedTuple):
    """One step of a half, as the kernels take it.

    row: see cut.Half.steps. folds: 1 if states are folded at its end, else 0. flip, turn: the flip_table and turn_table
    to fold by. numbering: of the classes.
    """

    row: np.ndarray
    folds: int
    flip: np.ndarray
    turn: np.ndarray
    numbering: Index

    def on(self, *classes: object) -> tuple[object, ...]:
        """The first arguments of the kernels that apply a step to classes."""
        return (self.row, self.folds, self.flip, self.numbering.weights, self.numbering.size, *classes)


def step_of(half: Half, t: int, index: Index) -> Step:
    """Step t of a half."""
    image = half.folds.get(t)
    flip, turn = _tables(tuple(range(slots_of_arrays(half.slots)) if image is None else image.tolist()))
    return Step(half.steps[t], int(image is not None), flip, turn, index)


@functools.lru_cache(maxsize=64)
def _tables(image: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    return flip_table(np.array(image)), turn_table(np.array(image))


def spans(count: int, length: int) -> Iterator[tuple[int, int]]:
    """The first and the end of each piece of this length, the last one shorter, that `count` things are cut into.

    >>> list(spans(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    for first in range(0, count, length):
        yield first, min(first + length, count)


# ---------------------------------------------------------------- classes


def _scratch() -> np.ndarray:
    """Room for the children of a class and for their operations."""
    return np.zeros((2, _MOST_CHOICES), dtype=np.int64)


def code() -> SimpleNamespace:
    """The doors of the kernel class_lists."""
    return engine.doors(kernel)


def _at_once(block: int) -> int:
    """How much to do in one call of a kernel, given how much is done in a call of a compiled one."""
    return block if code().pull.is_compiled else block // _TIMES_FEWER


def expect_classes(slots: int, classes: int = 0) -> None:
    """Say how much work a count is: the slots of its frontier and, once it is known, its number of classes."""
    engine.expect(kernel, float("inf") if is_long(slots) else _SECONDS_A_CLASS * classes)


def is_long(slots: int) -> bool:
    """Whether a half with a frontier of this many slots is long work in any case."""
    return slots > _MOST_SLOTS_INTERPRETED


def set_of(index: Index, classes: np.ndarray, marks: np.ndarray | None = None) -> np.ndarray:
    """The numbered set of some classes; `marks`, if given, is emptied and used for it."""
    if marks is None:
        marks = index.new_set()
    else:
        marks[:] = 0
    indices = index.of(classes)
    np.bitwise_or.at(marks, indices >> 5, np.int64(1) << (indices & 31))
    number_marks(marks)
    return marks


def number_marks(marks: np.ndarray) -> int:
    """Put the number of members before each item that has any above its bits; how many there are."""
    items = marks & _BITS
    used = places(items)
    items = items[used]
    ends = np.cumsum(_bits_in_bytes()[_bytes_of(items)].sum(axis=1, dtype=np.int64))
    before = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
    marks[used] = before << 32 | items
    return int(ends[-1]) if len(ends) else 0


def members(index: Index, marks: np.ndarray) -> np.ndarray:
    """The classes of a set, in order of their index; numbers the set."""
    number_marks(marks)
    items = marks & _BITS
    used = places(items)
    item, bit = np.nonzero(np.unpackbits(_bytes_of(items[used]), axis=1, bitorder="little"))
    placed, rest = np.divmod(used[item] << 5 | bit, index.size)
    high, low = np.divmod(rest, index.low_size)
    return kernel.class_of(placed, 0, 0) | index.high_classes[high] | index.low_classes[low]


# The bits of an item of a set of classes; the number of members before it is above them.
_BITS = 0xFFFFFFFF


def _bytes_of(items: np.ndarray) -> np.ndarray:
    """The bits of items, the lowest first: uint8 (items, 4)."""
    return items.astype("<u4").view(np.uint8).reshape(-1, 4)


@functools.cache
def _bits_in_bytes() -> np.ndarray:
    """How many bits each byte has."""
    return np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)


def forward_classes(half: Half, index: Index, report: Callable[[], None] = lambda: None) -> list[np.ndarray]:
    """All classes before the first step (the empty class), and after it and each later step."""
    layers = [np.zeros(1, dtype=np.int64)]
    marks = index.new_set()
    children, ops = _scratch()
    for t in range(len(half.steps)):
        step, now = step_of(half, t, index), layers[-1]
        marks[:] = 0
        for first, end in spans(len(now), _at_once(_BLOCK_CLASSES)):
            code().mark_children(*step.on(now, first, end), marks, children, ops)
            report()
        layers.append(members(index, marks))
    return layers


def keep_useful(
    half: Half, index: Index, layers: list[np.ndarray], report: Callable[[], None] = lambda: None
) -> list[np.ndarray]:
    """Of the classes before the first step and after each those from which a class of the last layer is reached."""
    kept = [layers[-1]]
    marks = index.new_set()
    children, ops = _scratch()
    for t in range(len(layers) - 2, -1, -1):
        step, now = step_of(half, t, index), layers[t]
        set_of(index, kept[-1], marks)
        keep = np.zeros(len(now), dtype=np.uint8)
        for first, end in spans(len(now), _at_once(_BLOCK_CLASSES)):
            code().keep_parents(*step.on(now, first, end), marks, children, ops, keep)
            report()
        kept.append(now[keep != 0])
    return kept[::-1]


def class_edges(step: Step, layer: Layer, targets: np.ndarray) -> Edges:
    """The edges of a step from the classes of a layer that have states to the target classes."""
    marks = set_of(step.numbering, targets)
    children, ops = _scratch()
    room = 8 * len(layer.classes) + _MOST_CHOICES
    to = np.empty(room, dtype=np.int32)
    edges = np.empty(room, dtype=np.int64)
    j = made = 0
    while True:
        moved = step.on(layer.classes, layer.lengths, j)
        j, made = code().list_edges(*moved, marks, children, ops, to, edges, made)
        if j == len(layer.classes):
            break
        to = np.concatenate([to, np.empty(len(to) // 2, dtype=np.int32)])
        edges = np.concatenate([edges, np.empty(len(edges) // 2, dtype=np.int64)])
    count = len(targets)
    starts, by_target = np.empty(count + 1, dtype=np.int64), np.empty(made, dtype=np.int64)
    inputs, fill = np.empty((2, count), dtype=np.int64)
    bounds = np.empty(count, dtype=np.float64)
    code().sort_edges(to, edges, made, layer.lengths, layer.masses, starts, inputs, bounds, by_target, fill)
    return Edges(starts, by_target, inputs, bounds)


# ---------------------------------------------------------------- layers


def start_layer(modulus: int = 0) -> Layer:
    """The layer before the first step: nothing is done, in one way. modulus: as for `next_layer`."""
    zero, one = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    states = np.array([[0, 1]], dtype=np.int64)
    return Layer(zero, zero, one, in_residues(states, modulus) if modulus > kernel.PAIR_MASK else states, np.ones(1))


def most_states(classes: np.ndarray) -> np.ndarray:
    """How many words each class can have: the ways to pair its ends."""
    masks = kernel.ends_of(classes)
    ends = sum((masks >> slot & 1 for slot in range(WIDE_SLOTS)), np.zeros(len(classes), dtype=np.int64))
    # The end of a loose path is the mate of the end of the tour that is not on the frontier.
    return MATCHINGS[(ends + (kernel.placed_in(classes) == 1)) // 2]


class Workers:
    """Threads that share scratch arrays. The outcome does not depend on their number."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self._spare: dict[str, list[np.ndarray]] = {}
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def borrow(self, kind: str, room: int) -> np.ndarray:
        """An array (room or more, 2) of int64 that nobody else uses; to be given back."""
        try:
            # Another thread may have taken the last one meanwhile.
            array = self._spare.setdefault(kind, []).pop()
        except IndexError:
            array = np.empty((1 << 12, 2), dtype=np.int64)
        return array if len(array) >= room else np.empty((room, 2), dtype=np.int64)

    def give_back(self, kind: str, array: np.ndarray) -> None:
        """Let others use it."""
        self._spare[kind].append(array)

    def run(self, job: Callable[[int], _T], count: int) -> Iterator[_T]:
        """job(0), job(1), ..., in this order, a few of them made ahead. Ctrl-C ends it after the jobs at work."""
        if self._pool is None:
            yield from map(job, range(count))
            return
        waiting: deque[Future[_T]] = deque()
        try:
            for k in range(count):
                waiting.append(self._pool.submit(job, k))
                if len(waiting) > 2 * self.threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._spare.clear()


class StateList:
    """The states of one layer as they are made, in memory: `reserve`, append blocks, then `finish`."""

    def __init__(self) -> None:
        self.count = 0

    def reserve(self, most: int) -> None:
        """Reserve address space for `most` states; memory is taken as it is filled."""
        self._array = np.empty((most, 2), dtype=np.int64)

    def append(self, block: np.ndarray) -> int:
        """Add (word, count) pairs, int64 (n, 2); returns the place of the first."""
        place = self.count
        self.count += len(block)
        self._array[place : self.count] = block
        return place

    def finish(self) -> np.ndarray:
        """The states: int64 (count, 2)."""
        return self._array[: self.count]


class Targets(NamedTuple):
    """What is known of a layer before it is made. edges: to its classes. most: words that each class can have. room:
    of the table in which the words of each class are put together."""

    edges: Edges
    most: np.ndarray
    room: np.ndarray


def foresee(step: Step, layer: Layer, targets: np.ndarray, modulus: int | None) -> Targets:
    """What is known of the layer after a step; CountsTooLarge where exact counts might pass 60 bits. modulus: as for
    `next_layer`; None for lists without counts."""
    edges = class_edges(step, layer, targets)
    if modulus == 0 and len(targets) and edges.bounds.max() >= MOST_COUNT:
        raise CountsTooLarge
    most = np.minimum(edges.inputs, most_states(targets))
    # Tables are at most two thirds full.
    room = np.int64(1) << np.ceil(np.log2(np.maximum(most * 3 // 2 + 1, 16))).astype(np.int64)
    return Targets(edges, most, room)


def next_layer(
    step: Step,
    layer: Layer,
    targets: np.ndarray,
    workers: Workers,
    *,
    modulus: int = 0,
    sink: StateList | None = None,
    report: Callable[[], None] = lambda: None,
) -> tuple[Layer, int]:
    """The layer after a step from the one before it, and how many states were looked at to make it.

    targets: the classes of the new layer, in order of index.
    modulus: keep counts modulo this prime below 2**31 or this pair of primes (`Residues.pair`), or exactly if 0; then
    CountsTooLarge is raised where they might pass 60 bits. sink: takes the states, by default in memory. report: called
    now and then.
    """
    ahead = foresee(step, layer, targets, modulus)

    def pull(first: int, last: int, out: np.ndarray, lists: MadeLists) -> tuple[int, int]:
        table = workers.borrow("table", int(ahead.room[first:last].max()))
        sums = workers.borrow("sums", len(table) if modulus > kernel.PAIR_MASK else 0)
        sources = (ahead.edges.edges, layer.classes, layer.offsets, layer.lengths, layer.states)
        rest = step.turn, table, sums, modulus
        made, seen = code().pull(first, last, ahead.edges.starts, *sources, ahead.room, out, 0, *lists, *rest)
        workers.give_back("table", table)
        workers.give_back("sums", sums)
        return int(made), int(seen)

    made, seen = pull_in_blocks(ahead, targets, workers, pull, sink, report)
    return made._replace(masses=ahead.edges.bounds) if modulus else made, sum(seen)


# Of the targets that are made: offsets, lengths and masses, as in Layer.
MadeLists: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]


def pull_in_blocks(
    ahead: Targets,
    targets: np.ndarray,
    workers: Workers,
    pull: Callable[[int, int, np.ndarray, MadeLists], tuple[int, _T]],
    sink: StateList | None = None,
    report: Callable[[], None] = lambda: None,
) -> tuple[Layer, list[_T]]:
    """A new layer, made in blocks of targets by threads, and what is reported of each block.

    pull(first, last, out, lists): makes the lists of targets first .. last-1 in `out`; how many states there are, and
    what it reports. targets, sink and report: as for `next_layer`.
    """
    lists = (*np.empty((2, len(targets)), dtype=np.int64), np.empty(len(targets), dtype=np.float64))
    cuts = block_cuts(ahead.edges.inputs, _at_once(_BLOCK_STATES))
    sink = StateList() if sink is None else sink
    sink.reserve(int(ahead.most.sum()))

    def job(k: int) -> tuple[int, int, np.ndarray, int, _T]:
        first, last = cuts[k], cuts[k + 1]
        out = workers.borrow("out", int(ahead.most[first:last].sum()))
        return first, last, out, *pull(first, last, out, lists)

    reports = []
    for first, last, out, made, reported in workers.run(job, len(cuts) - 1):
        lists[0][first:last] += sink.append(out[:made])
        workers.give_back("out", out)
        reports.append(reported)
        report()
    offsets, lengths, masses = lists
    return Layer(targets, offsets, lengths, sink.finish(), masses), reports


def block_cuts(sizes: np.ndarray, most: int) -> list[int]:
    """Where to cut a row of sizes so that blocks have about `most` each: the first of each block, and the end."""
    ends = np.cumsum(sizes)
    marks = np.arange(most, int(ends[-1]) if len(ends) else 0, most)
    cuts = sorted({0, *np.searchsorted(ends, marks).tolist(), len(sizes)})
    return cuts
