"""March over lists by class: layer after layer of a half, for any algebra and any storage.

An *algebra* defines the value of a state: its initial value, the kernel that builds lists, and additional kernel
arguments. Counts, exact or modulo two primes, are defined here; polynomials and best values in census/.

A *storage* keeps the layers. `Machine.layers` yields them in turn, and drops each when the next one is complete, unless
`Store.kept` contains it. The states are in memory or, with a checkpoint, in files (stores.py).

Each class gets its list from the lists of its source classes, by a small hash table that fits into the cache. Threads
build the targets in blocks; the result does not depend on their number.

**Exactness.** Before a layer is built, the masses of its sources bound its values. If the bound exceeds the capacity
of the algebra, `CountsTooLarge` is raised. Counts hold 2**60; then the caller counts modulo two primes below 2**31
simultaneously, since both residues fit into 64 bits.

Cost: 76.8 million transitions for 8x8 closed, folded, at 9 ns each; 16 bytes per state, for two layers.
"""

from __future__ import annotations

import math
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from knightstour.core.kernels.counting.classes import PAIR_MASK, PAIR_SHIFT, NewLists
from knightstour.core.machine.native import kernel_function
from knightstour.lab.counting.halves.layers import CountsTooLarge, Edges, Layer, Side, class_edges, most_states
from knightstour.lab.counting.halves.stores import StateList, Store

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_T = TypeVar("_T")

# Counts, and their sums, are exact below this.
MAX_COUNT = float(2**60)
# States per kernel call. The limit keeps the results that wait for slower threads small.
BLOCK_STATES = 1 << 16
# Bytes per class while a layer is built: its edges, sorted and unsorted, and other arrays.
_EDGE_BYTES = 200


class Threads:
    """Threads, by default one per core, with shared scratch arrays. Results do not depend on their number."""

    def __init__(self, threads: int | None = None) -> None:
        self.count = threads or os.cpu_count() or 1
        self._spare: dict[type, list[np.ndarray]] = {}
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._spare.clear()

    def borrow(self, kind: type, room: int) -> np.ndarray:
        """Return an unshared array of at least `room` numbers; the caller returns it with `give_back`."""
        array: np.ndarray = np.empty(0, dtype=kind)
        # Another thread may take the last array meanwhile.
        with suppress(IndexError):
            array = self._spare.setdefault(kind, []).pop()
        return array if len(array) >= room else np.empty(max(room, 1 << 12), dtype=kind)

    def give_back(self, kind: type, array: np.ndarray) -> None:
        """Make the array available for reuse."""
        self._spare[kind].append(array)

    def run(self, job: Callable[[int], _T], jobs: int) -> Iterator[_T]:
        """Yield job(0), job(1), ... in order, a few of them computed ahead. Ctrl-C waits for running jobs only."""
        if self.count == 1 or jobs <= 1:
            yield from map(job, range(jobs))
            return
        if self._pool is None:
            # Imported lazily: it takes some milliseconds, and small boards do not need it.
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(self.count)
        waiting: deque[Future[_T]] = deque()
        try:
            for k in range(jobs):
                waiting.append(self._pool.submit(job, k))
                if len(waiting) > 2 * self.count:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


class Targets(NamedTuple):
    """Classes of a layer that is not built yet. edges: edges to them. most: maximum number of words of each class.
    room: size of the hash table for the words of one class."""

    classes: np.ndarray
    edges: Edges
    most: np.ndarray
    room: np.ndarray

    def part(self, first: int, last: int) -> Targets:
        """Return the targets first .. last-1."""
        starts, edges, inputs, bounds = self.edges
        own = edges[starts[first] : starts[last]]
        mine = Edges(starts[first : last + 1] - starts[first], own, inputs[first:last], bounds[first:last])
        return Targets(self.classes[first:last], mine, self.most[first:last], self.room[first:last])


class Pulling(NamedTuple):
    """Algebra data for a step. more: additional kernel arguments for targets first .. last-1. sizes: number of items
    per state. known: arrays of the new layer that are known in advance, by name."""

    more: Callable[[int, int], tuple[Any, ...]]
    sizes: np.ndarray | int = 1
    known: Mapping[str, np.ndarray] = MappingProxyType({})


class Algebra:
    """Base class for the value of a state (count, residue or polynomial).

    kernel: the kernel function that builds lists. item: shape of an item of the states of a layer.
    """

    kernel: ClassVar[str]
    item: ClassVar[tuple[int, ...]] = (2,)

    @property
    def most(self) -> float:
        """Upper bound for the mass of a class."""
        return float("inf")

    def first(self) -> Layer:
        """Return the layer before the first step: one empty partial tour."""
        zero, one = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
        return Layer(zero, zero, one, np.array([[0, 1]], dtype=np.int64), np.ones(1))

    def pulling(self, side: Side, before: LayerAt, ahead: Targets) -> Pulling:
        """Return the data of the step after a layer."""
        raise NotImplementedError


class Counts(Algebra):
    """Number of partial tours per state, exact or modulo a pair of primes (`Residues.pair`)."""

    kernel = "lists_pull_counts"

    def __init__(self, modulus: int = 0) -> None:
        self.modulus = modulus

    @property
    def most(self) -> float:
        return float("inf") if self.modulus else MAX_COUNT

    def first(self) -> Layer:
        layer = super().first()
        return layer._replace(states=in_residues(layer.states, self.modulus)) if self.modulus else layer

    def pulling(self, side: Side, before: LayerAt, ahead: Targets) -> Pulling:
        return self.of_targets(ahead)

    def of_targets(self, ahead: Targets) -> Pulling:
        """Return the data of any step."""
        # Residues have no masses, only upper bounds.
        known = {"masses": ahead.edges.bounds} if self.modulus else {}
        return Pulling(lambda first, last: (self.modulus,), known=known)


def in_residues(states: np.ndarray, modulus: int) -> np.ndarray:
    """Return states with exact counts as states with residues modulo a pair of primes."""
    counts = states[:, 1]
    above = counts % (modulus >> PAIR_SHIFT) << PAIR_SHIFT
    return np.stack([states[:, 0], counts % (modulus & PAIR_MASK) | above], axis=1)


class LayerAt(NamedTuple):
    """A layer during the march. step: number of completed steps of its half. edges: edges of the last step, if kept."""

    step: int
    layer: Layer
    edges: Edges | None = None


class Machine:
    """Builder of layers. states: number of states so far. transitions: number of examined transitions. pieces: number
    of pieces of work done by workers.

    store: storage of the layers. keeps_edges: whether each layer keeps its incoming edges, which needs memory. report:
    callback after each block of targets.
    """

    keeps_edges = False
    # Seconds between two progress reports.
    report_seconds = 0.1

    def __init__(self, threads: Threads, store: Store | None = None, report: Callable[[], None] = lambda: None) -> None:
        self.threads, self.store, self.report = threads, store or Store(sys.maxsize), report
        self.states = self.transitions = self.pieces = 0

    def start(self, algebra: Algebra) -> LayerAt:
        """Return the layer before the first step."""
        layer = algebra.first()
        self.store.reserve(layer.states.nbytes)
        return LayerAt(0, layer)

    def layers(
        self, algebra: Algebra, side: Side, reached: LayerAt | None = None, last: int | None = None
    ) -> Iterator[LayerAt]:
        """Yield the layers of a half after `reached` (default: the start) up to step `last` (default: all)."""
        reached = reached or self.start(algebra)
        while reached.step < (len(side.half.steps) if last is None else last):
            reached = self.next(algebra, side, reached)
            yield reached

    def next(self, algebra: Algebra, side: Side, before: LayerAt) -> LayerAt:
        """Return the next layer, and drop the current one. Raise CountsTooLarge if values exceed the algebra."""
        scratch = _EDGE_BYTES * len(before.layer.classes)
        self.store.reserve(scratch, "the list of the edges")
        try:
            ahead = target_classes(side, before.step, before.layer, algebra.most)
            pulling = algebra.pulling(side, before, ahead)
            made = self.pull(algebra, side.turn(before.step), before.layer, ahead, pulling)
        finally:
            self.store.free(scratch)
        self.store.drop(before.layer)
        self.states += made.size
        self.transitions += int(ahead.edges.inputs.sum())
        return LayerAt(before.step + 1, made, ahead.edges if self.keeps_edges else None)

    def pull(self, algebra: Algebra, turn: np.ndarray, layer: Layer, ahead: Targets, pulling: Pulling) -> Layer:
        """Build a layer from its predecessor, in blocks of targets by threads. turn: the table for folded words."""
        count, most = len(ahead.classes), ahead.most * pulling.sizes
        offsets, lengths = np.empty((2, count), dtype=np.int64)
        masses = np.empty(count, dtype=np.float64)
        # Convert a memory map.
        before = (ahead.edges.by_target, layer.lists, np.asarray(layer.states))
        made = NewLists(ahead.room, offsets, lengths, masses)
        states = StateList(self.store, int(most.sum()), algebra.item)
        width, threads, pull = math.prod(algebra.item), self.threads, kernel_function(algebra.kernel)
        cuts = block_cuts(ahead.edges.inputs * pulling.sizes * width, 2 * BLOCK_STATES)

        def job(k: int) -> tuple[int, int, np.ndarray, int]:
            first, last = cuts[k], cuts[k + 1]
            items = int(most[first:last].sum())
            out = threads.borrow(np.int64, width * items)
            table = threads.borrow(np.int32, int(ahead.room[first:last].max()))
            to = (made, out[: width * items].reshape(-1, *algebra.item), turn, table)
            filled = pull(*before, *to, *pulling.more(first, last), first, last)
            threads.give_back(np.int32, table)
            return first, last, out, filled

        try:
            for first, last, out, filled in threads.run(job, len(cuts) - 1):
                block = out[: width * filled].reshape(-1, *algebra.item)
                offsets[first:last] += states.append(block)
                threads.give_back(np.int64, out)
                self.report()
        except BaseException:
            states.abandon()
            raise
        return Layer(ahead.classes, offsets, lengths, states.finish(), masses)._replace(**pulling.known)


def target_classes(side: Side, t: int, layer: Layer, most: float) -> Targets:
    """Return the classes of the layer after step t; raise CountsTooLarge if masses can reach `most`."""
    edges, targets = class_edges(side, t, layer), side.classes[t + 1]
    if edges.bounds.max(initial=0.0) >= most:
        raise CountsTooLarge
    words = np.minimum(edges.inputs, most_states(targets))
    # Tables are at most two thirds full.
    room = np.int64(1) << np.ceil(np.log2(np.maximum(words * 3 // 2 + 1, 16))).astype(np.int64)
    return Targets(targets, edges, words, room)


def block_cuts(sizes: np.ndarray, most: int) -> list[int]:
    """Return boundaries that divide a row of sizes into blocks of about `most`: the start of each block, and the
    end."""
    ends = np.cumsum(sizes)
    marks = np.arange(most, int(ends[-1]) if len(ends) else 0, most)
    return sorted({0, *np.searchsorted(ends, marks).tolist(), len(sizes)})
