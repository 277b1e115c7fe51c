"""Tours counted exactly by halves: the fast way for boards that can be cut over at most 16 squares.

Every plain board of up to 8 rows can, whatever its length, and so can many other boards. cut.py says how a board is
cut, layers.py how the states of a half are made, middle.py how halves are put together, stores.py where layers are
kept, and march.py in which order all that is done. This module does the work in one process, and makes it safe:

- *Memory* is counted as arrays are made, and the work ends with a clear error before the limit is passed, or, given a
  directory, goes on with layers on disk.
- *Checkpoints*: after each layer, and every few seconds of the join, the directory holds all that is needed to go on.
- *Overflow*: counts are exact or not used. Where the counts of a half might not fit into 60 bits, the work is done
  again modulo as many primes below 2**31 as the answer needs, two in each pass; the first pass gives a bound on the
  answer. With a checkpoint, each pass begins from the last layer whose counts are exact.
- *Threads* share the work; the answer is the same for any number of them.

A tour is counted as a set of moves, so tours are undirected; from a given start there is only one direction.
"""

from __future__ import annotations

import os
import time
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

from knightstour.core.machine.files import locked
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves.cut import Cut, count_without_cut, the_cut
from knightstour.lab.counting.halves.layers import (
    CountsTooLarge,
    Layer,
    Workers,
    in_residues,
    next_layer,
    spans,
    start_layer,
    step_of,
)
from knightstour.lab.counting.halves.march import SAVE_SECONDS, March, Side
from knightstour.lab.counting.halves.middle import Join, Joined
from knightstour.lab.counting.halves.stores import Checkpoint, Details, Layers, SpilledList, Store, fingerprint
from knightstour.lab.counting.settings import Watch

# Edges of a class, sorted and not, and the rest that a layer needs while it is made.
_EDGE_BYTES = 200
# States whose counts are turned into residues at a time.
_PIECE = 1 << 20
# Seconds of work before the next layer is written down, for each second that this took.
_WORK_PER_SAVING = 10


class Count(NamedTuple):
    """The answer, and what it took.

    tours: undirected tours. states: made in all layers. transitions: states looked at to make them. pairs: of lists
    that were joined. peak_bytes: the most that arrays took. spilled_bytes: of layers that memory could not hold.
    seconds: wall clock, of this run. moduli: the primes modulo which tours were counted, none where 64 bits sufficed.
    """

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
    cut: Cut | None = None,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    budget: Budget | None = None,
) -> Count:
    """The number of tours, undirected; of all tours with the given start, end or both, each once.

    cut: how the board is cut, by default the best way known; another cut counts by another route.
    threads: by default all processors.
    checkpoint: a directory for what is needed to go on, and for layers that do not fit into memory.
    resume: whether to go on from what the checkpoint holds.
    budget: limits of seconds, of nodes (states) and of bytes, by default most of the memory that is free; and who is
        called with a Progress now and then.

    Raises BoardError where the board cannot be cut (`cut.make_cut`) or memory does not suffice, LimitReached at a
    limit, FormatError for a checkpoint that is foreign or damaged, in the way, or in use by another run.

    >>> count_by_halves(Problem.of((6, 6), closed=True)).tours
    9862
    """
    started = time.monotonic()
    known = count_without_cut(problem)
    if known is not None:
        return Count(known, 0, 0, 0, 0, 0, 0.0, ())
    cut = cut or the_cut(problem)
    watch = Watch(problem, budget)
    directory = Path(checkpoint) if checkpoint is not None else None
    saved = Checkpoint(directory, fingerprint(problem, cut)) if directory is not None else None
    store = Store(watch.most_bytes, directory)
    with closing(Workers(threads or os.cpu_count() or 1)) as workers, locked(directory) if directory else nullcontext():
        march = LocalMarch(cut, saved, watch, store, workers)
        march.open(resume)
        tours = march.run()
    return Count(
        tours=tours,
        states=march.states,
        transitions=march.transitions,
        pairs=march.pairs,
        peak_bytes=store.peak,
        spilled_bytes=store.spilled,
        seconds=time.monotonic() - started,
        moduli=tuple(march.residues.moduli),
    )


class Reached(NamedTuple):
    """A layer, and the number of steps of its half that are done."""

    step: int
    layer: Layer


class LocalMarch(March[Reached, Layer]):
    """A march in this process.

    In the checkpoint lie the layers "left" and "right", of each half the one that was reached last, and "fork", where
    the halves part, while it is needed. kept: those of them that are in memory. "trunk", from which every pass modulo
    primes begins, is the last layer of the left half with exact counts; exact_steps: the number of steps before it, 0
    while there is none.
    """

    def __init__(self, cut: Cut, saved: Checkpoint | None, watch: Watch, store: Store, workers: Workers) -> None:
        super().__init__(cut, saved, watch)
        self.store, self.workers = store, workers
        self.transitions = self.pairs = 0
        self.done = {"left": 0, "right": 0}
        self.kept: dict[str, Reached] = {}
        self.exact_steps = 0
        self._trunk: Layer | None = None  # until it is written down
        self._save_after = self._layers_after = float("-inf")

    @property
    def bytes_held(self) -> int:
        return self.store.held

    def take(self, details: Details) -> None:
        super().take(details)
        self.transitions, self.pairs = details["transitions"], details["pairs"]
        self.done = {"left": details["left_done"], "right": details["right_done"]}
        self.exact_steps = details["exact_steps"]

    def details(self) -> Details:
        return {
            **super().details(),
            "transitions": self.transitions,
            "pairs": self.pairs,
            "left_done": self.done["left"],
            "right_done": self.done["right"],
            "exact_steps": self.exact_steps,
        }

    def save(self, layers: Layers) -> None:
        if self.exact_steps and self.total is None:
            layers = {**layers, "trunk": self._trunk}
        super().save(layers)
        if self._trunk is not None:
            self.store.drop(self._trunk)
            self._trunk = None

    def save_now_and_then(self, layers: Layers, is_needed: bool) -> None:
        """Write down how far it is, but not for every one of many small layers, nor most of the time for large ones."""
        began = time.monotonic()
        has_layers = any(layers.values())
        if is_needed or began >= (self._layers_after if has_layers else self._save_after):
            self.save(layers)
            saved = time.monotonic()
            self._save_after = saved + SAVE_SECONDS
            if has_layers:
                self._layers_after = saved + max(SAVE_SECONDS, _WORK_PER_SAVING * (saved - began))

    # -- layers

    def classes_found(self) -> None:
        for classes in (*self.classes.left, *(() if self.cut.is_even else self.classes.right)):
            self.store.take(classes.nbytes, "the list of the classes")

    def load(self, name: str, side: Side) -> Reached | None:
        if name in self.kept:
            return self.kept.pop(name)
        if self.saved is None or not self.saved.has(name):
            return None
        step = self.fork if name == "fork" else self.done[name]
        return Reached(step, self.saved.load(name, side.classes[step], self.store))

    def start(self, side: Side) -> Reached:
        if self.exact_steps and self.saved is not None and not side.is_right:
            return Reached(self.exact_steps, self._trunk_in_residues(side))
        layer = start_layer(self.residues.pair)
        self.store.take(layer.states.nbytes)
        return Reached(0, layer)

    def _trunk_in_residues(self, side: Side) -> Layer:
        """The trunk, with counts modulo the primes of the pass."""
        assert self.saved is not None
        exact = self.saved.load("trunk", side.classes[self.exact_steps], self.store)
        sink = SpilledList(self.store)
        sink.reserve(len(exact.states))
        for first, end in spans(len(exact.states), _PIECE):
            sink.append(in_residues(exact.states[first:end], self.residues.pair))
        self.store.drop(exact)
        return exact._replace(states=sink.finish())

    def next(self, side: Side, reached: Reached) -> Reached:
        step, layer = reached
        sink = SpilledList(self.store)
        scratch = _EDGE_BYTES * len(layer.classes)
        self.store.take(scratch, "the list of the edges")
        try:
            made, edges = next_layer(
                step_of(side.half, step, side.numbering),
                layer,
                side.classes[step + 1],
                self.workers,
                modulus=self.residues.pair,
                sink=sink,
                report=lambda: self.report_step(side, step, always=False),
            )
        except CountsTooLarge:
            if self.saved is not None and not side.is_right and step:
                self.exact_steps, self._trunk = step, layer
            elif all(layer is not other.layer for other in self.kept.values()):
                self.store.drop(layer)
            raise
        except BaseException:
            sink.abandon()
            raise
        finally:
            self.store.give(scratch)
        if all(layer is not other.layer for other in self.kept.values()):
            self.store.drop(layer)
        self.states += made.size
        self.transitions += int(edges.inputs.sum())
        return Reached(step + 1, made)

    def keep(self, side: Side, reached: Reached) -> None:
        self.done[side.name] = reached.step
        layers: dict[str, Layer | None] = {side.name: reached.layer}
        if side.is_right:
            layers["left"] = None
        elif reached.step == self.fork:
            self.kept["fork"] = reached
            layers["fork"] = reached.layer
        elif reached.step > self.fork >= 0:
            layers["fork"] = None
        self.save_now_and_then(layers, reached.step in (self.fork, len(side.half.steps)))

    def finish(self, side: Side, reached: Reached) -> Layer:
        self.kept[side.name] = reached
        return reached.layer

    def last_layers(self) -> Layers:
        return {"left": None} if self.cut.is_even else {"left": None, "right": None}

    def forget_layers(self) -> None:
        for kept in self.kept.values():
            self.store.drop(kept.layer)
        self.kept.clear()
        self.done = {"left": 0, "right": 0}

    # -- the join

    def join(self, left: Layer, right: Layer) -> Joined:
        classes = self.classes
        modulus = (self.residues.modulus, self.residues.place)
        join = Join(self.cut, classes.indices, (left, right), classes.finals, *modulus)
        before = self.sum
        names = self.last_layers()

        def report(k: int, part: Joined) -> None:
            is_last = k + 1 == join.blocks
            self.joined, self.sum = k + 1, before.plus(part)
            self.save_now_and_then(names, is_last)
            self.report("join", k + 1, join.blocks, always=is_last)

        join.run(self.workers, report, self.joined)
        self.pairs += self.sum.pairs
        return self.sum
