"""Tours counted exactly by halves: the fast way for boards that can be cut over at most 16 squares.

Every plain board of up to 8 rows can, whatever its length, and so can many other boards. cut.py says how a board is
cut, layers.py how the states of a half are made, middle.py how halves are put together, stores.py where layers are
kept. Here is the order of the work, and what makes it safe:

- *Memory* is counted as arrays are made, and the work ends with a clear error before the limit is passed, or, given a
  directory, goes on with layers on disk.
- *Checkpoints*: after each layer, and every few seconds of the join, the directory holds all that is needed to go on.
- *Overflow*: counts are exact or not used. Where 60 bits might not do for the counts of a half, the work is done again
  modulo as many primes below 2**31 as the answer needs, which a bound from the first of them tells.
- *Threads* share the work; the answer is the same for any number of them.

A tour is counted as a set of moves, so tours are undirected; from a given start there is only one direction.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from knightstour.counting.halves.cut import Cut, count_without_cut, the_cut
from knightstour.counting.halves.layers import Layer, Workers, next_layer, start_layer
from knightstour.counting.halves.middle import Join, Joined, find_classes, total_of_passes
from knightstour.counting.halves.stores import Checkpoint, Store, fingerprint
from knightstour.counting.residues import Residues
from knightstour.kernels.counting import class_join, class_lists
from knightstour.machine import engine
from knightstour.machine.files import locked
from knightstour.model.problem import Problem

# Layers are saved as they are done, and partial sums of the join as they come, but not more often than this.
_SAVE_SECONDS = 2.0
_TELL_SECONDS = 0.1
# Edges of a class, sorted and not, and the rest that a layer needs while it is made.
_EDGE_BYTES = 200


class HalvesProgress(NamedTuple):
    """How far a count has come. stage: "classes", "layers" or "join"; done of todo steps of it. states: made so far.
    bytes: memory held. modulus: 0, or the prime counted by, the `pass_number`-th of (if known) `passes`."""

    stage: str
    done: int
    todo: int
    states: int
    bytes: int
    seconds: float
    modulus: int
    pass_number: int
    passes: int


class Count(NamedTuple):
    """The answer, and what it took. tours: undirected tours. states: made in all layers; transitions: looked at to make
    them; pairs: of lists that were joined. peak_bytes: the most that arrays took. seconds: wall clock, of this run.
    moduli: the primes that were counted by, none where 64 bits were enough."""

    tours: int
    states: int
    transitions: int
    pairs: int
    peak_bytes: int
    spilled_bytes: int
    seconds: float
    moduli: tuple[int, ...]


def count_by_halves(
    problem: Problem,
    *,
    threads: int | None = None,
    memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    fold: bool = True,
    columns: int | None = None,
    on_progress: Callable[[HalvesProgress], None] | None = None,
    kernels: tuple[Any, Any] | None = None,
) -> Count:
    """The number of tours, undirected; of all tours with the given start, end or both, each once.

    threads: all processors if None. memory: limit in bytes, most of what is free if None. checkpoint: a directory for
    what is needed to go on, and for layers that do not fit into memory; with `resume` the work in it is taken up.
    fold, columns: count by another route, see make_cut. on_progress: called now and then.
    kernels: the modules class_lists and class_join in another form, such as interpreted.

    Raises BoardError where the board cannot be cut (`cut.make_cut`) or memory does not do, FormatError for a
    checkpoint that is foreign or damaged, in the way, or in use by another run.

    >>> count_by_halves(Problem.of((6, 6), closed=True)).tours
    9862
    """
    started = time.monotonic()
    known = count_without_cut(problem)
    if known is not None:
        return Count(known, 0, 0, 0, 0, 0, 0.0, ())
    cut = the_cut(problem, fold=fold, columns=columns)
    if kernels is None:
        kernels = (engine.compiled(class_lists), engine.compiled(class_join))
    directory = Path(checkpoint) if checkpoint is not None else None
    saved = Checkpoint(directory, fingerprint(problem, cut)) if directory is not None else None
    store = Store(memory, directory)
    workers = Workers(threads or os.cpu_count() or 1)
    try:
        with nullcontext() if directory is None else locked(directory):
            work = _Work(cut, kernels, workers, store, saved, on_progress, started)
            work.open(resume)
            total = work.run()
    finally:
        workers.close()
    count, rest = divmod(total, 4 if cut.is_folded else 1)
    assert rest == 0, "folded halves count everything twice each"
    return Count(
        *(count, work.states, work.transitions, work.pairs, store.peak, store.spilled),
        *(time.monotonic() - started, tuple(work.residues.moduli)),
    )


class _Work:
    """One count while it is made. `details` of a checkpoint are the fields of `_details`, and the layers by name:
    "left", "right": the layer of that half reached last; "fork": where the halves part, while it is needed."""

    def __init__(
        self,
        cut: Cut,
        kernels: tuple[Any, Any],
        workers: Workers,
        store: Store,
        saved: Checkpoint | None,
        on_progress: Callable[[HalvesProgress], None] | None,
        started: float,
    ) -> None:
        self.cut = cut
        self.lists, self.joins = kernels
        self.workers = workers
        self.store = store
        self.saved = saved
        self.on_progress = on_progress
        self.started = started
        self.states = self.transitions = self.pairs = 0
        self.residues = Residues()
        self.left_done = self.right_done = 0  # steps
        self.joined = 0  # blocks
        self.sum = Joined(0, 0, 0, 0.0)
        self.total: int | None = None  # the answer, once it is there
        self.kept: dict[str, Layer] = {}
        self._told = 0.0
        self._saved_at = float("-inf")

    # -- progress and checkpoints

    def tell(self, stage: str, done: int, todo: int, *, always: bool = False) -> None:
        """Call on_progress, at most ten times a second unless `always`."""
        now = time.monotonic()
        if self.on_progress is None or (now - self._told < _TELL_SECONDS and not always):
            return
        self._told = now
        residues = self.residues
        self.on_progress(
            HalvesProgress(
                *(stage, done, todo, self.states, self.store.held, now - self.started),
                *(residues.modulus, max(1, len(residues.moduli)), residues.passes),
            )
        )

    def open(self, resume: bool) -> None:
        """Look what the checkpoint holds."""
        if self.saved is None:
            return
        details = self.saved.begin(resume)
        self.saved.sweep()
        if details is not None:
            for name in ("states", "transitions", "pairs", "left_done", "right_done", "joined"):
                setattr(self, name, int(details[name]))
            self.residues = Residues.from_json(details)
            self.total = None if details["total"] is None else int(details["total"])
            self.sum = Joined.from_json(details["sum"])

    def save(self, layers: dict[str, Layer | None]) -> None:
        """Write down how far it is."""
        if self.saved is None:
            return
        details = {
            name: getattr(self, name)
            for name in ("states", "transitions", "pairs", "left_done", "right_done", "joined")
        }
        # Long numbers as text, for readers of JSON whose numbers are floats.
        total = None if self.total is None else str(self.total)
        self.saved.save({**details, **self.residues.to_json(), "total": total, "sum": self.sum.to_json()}, layers)

    def save_layers(self, layers: dict[str, Layer | None], is_needed: bool) -> None:
        """Write down how far it is, but not for every one of many small layers."""
        if is_needed or time.monotonic() - self._saved_at >= _SAVE_SECONDS:
            self.save(layers)
            self._saved_at = time.monotonic()

    # -- the work

    def run(self) -> int:
        """The total over the folded halves."""
        if self.total is None:
            self._find_classes()
            self.total = total_of_passes(self.residues, self._one_pass, self._begin_again)
            for layer in self.kept.values():
                self.store.drop(layer)
            # The answer is all that is kept of finished work.
            self.save({})
        return self.total

    def _begin_again(self) -> None:
        """Be at the start of the next pass."""
        for layer in self.kept.values():
            self.store.drop(layer)
        self.kept.clear()
        self.left_done = self.right_done = self.joined = 0
        self.sum = Joined(0, 0, 0, 0.0)
        self.save({})

    def _find_classes(self) -> None:
        tell = lambda done, todo: self.tell("classes", done, todo, always=True)  # noqa: E731
        self.classes = find_classes(self.lists, self.cut, tell)
        for classes in (*self.classes.left, *(() if self.cut.is_even else self.classes.right)):
            self.store.take(classes.nbytes, "the list of the classes")

    def _one_pass(self) -> Joined:
        cut = self.cut
        left = self._half("left")
        return self._join(left, left if cut.is_even else self._half("right"))

    def _half(self, side: str) -> Layer:
        """The last layer of a half, from where the checkpoint stands or from the start."""
        cut = self.cut
        half = cut.left if side == "left" else cut.right
        index = self.classes.indices[0 if side == "left" else 1]
        classes = self.classes.left if side == "left" else self.classes.right
        is_right = side == "right"
        done = self.right_done if is_right else self.left_done
        fork = cut.shared if cut.shared and not cut.is_even else -1
        if is_right and done == 0 and cut.shared:
            layer = self._layer("fork", classes[cut.shared])
            done = cut.shared
            if cut.shared == len(cut.left.steps):
                # The left half is done there, so its last layer stays.
                self.kept["left"] = layer
        elif done:
            layer = self._layer(side, classes[done])
        else:
            layer = start_layer()
            self.store.take(layer.states.nbytes)
        modulus = self.residues.modulus
        todo = len(cut.left.steps) + (0 if cut.is_even else len(cut.right.steps) - cut.shared)
        before = len(cut.left.steps) - cut.shared if is_right else 0
        if not is_right and done == fork:
            self.kept["fork"] = layer
        for t in range(done, len(half.steps)):
            sink = self.store.new_list()
            scratch = _EDGE_BYTES * len(layer.classes)
            self.store.take(scratch, "the list of the edges")
            try:
                made = next_layer(
                    *(self.lists, half, t, index, layer, classes[t + 1], self.workers),
                    modulus=modulus,
                    sink=sink,
                    tell=lambda t=t: self.tell("layers", before + t, todo),  # type: ignore[misc]
                )
            except BaseException:
                sink.abandon()
                raise
            self.store.give(scratch)
            if all(layer is not other for other in self.kept.values()):
                self.store.drop(layer)
            layer = made.layer
            self.states += layer.size
            self.transitions += made.seen
            if is_right:
                self.right_done = t + 1
            else:
                self.left_done = t + 1
            others: dict[str, Layer | None] = {}
            if is_right:
                others["left"] = None
            elif t + 1 == fork:
                self.kept["fork"] = layer
                others["fork"] = layer
            elif t + 1 > fork >= 0:
                others["fork"] = None
            self.save_layers({**others, side: layer}, t + 1 == fork or t + 1 == len(half.steps))
            self.tell("layers", before + t + 1, todo, always=True)
        self.kept[side] = layer
        return layer

    def _layer(self, name: str, classes: np.ndarray) -> Layer:
        """A layer that was kept in memory, or else in the checkpoint."""
        if name in self.kept:
            return self.kept.pop(name)
        assert self.saved is not None
        return self.saved.load(name, classes, self.store)

    def _join(self, left: Layer, right: Layer) -> Joined:
        classes, modulus = self.classes, self.residues.modulus
        join = Join(self.lists, self.joins, self.cut, classes.indices, (left, right), classes.finals, modulus)
        before = self.sum
        names: dict[str, Layer | None] = {"left": None} if self.cut.is_even else {"left": None, "right": None}

        def tell(k: int, part: Joined) -> None:
            self.joined = k + 1
            self.sum = before.plus(part)
            self.save_layers(names, k + 1 == join.blocks)
            self.tell("join", k + 1, join.blocks, always=k + 1 == join.blocks)

        join.run(self.workers, tell, self.joined)
        self.pairs += self.sum.pairs
        return self.sum
