"""Exact counts by halves: layer after layer of each half, then the join, once per prime.

The algorithm applies to boards with a cut of at most 16 squares, or 18 for closed tours, such as all plain boards of up
to 8 rows and any length.

- Threads of this process or workers (sharded.py) build the layers, in the same order and with the same checkpoint.
- *Memory* is counted as arrays are created, so the count ends with a clear error before it exceeds the limit. With a
  directory, layers are stored on disk (stores.py).
- *Checkpoints*: after each layer, and every few seconds of the join, the directory contains everything needed to
  resume.
- *Overflow*: if the counts of a half may exceed 60 bits, the work is repeated modulo as many primes as the result
  needs, two per pass. With a checkpoint, each pass starts from the last layer with exact counts.

A tour is counted as a set of moves, so tours are undirected.
"""

from __future__ import annotations

import functools
import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import astuple
from pathlib import Path
from typing import Any, NamedTuple

from knightstour.core.machine import sharing
from knightstour.core.machine.files import lock_directory
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves import middle
from knightstour.lab.counting.halves.cut import Cut, count_without_cut, the_cut
from knightstour.lab.counting.halves.layers import CountsTooLarge, Layer, Side, spans
from knightstour.lab.counting.halves.machine import Counts, LayerAt, Machine, Threads, in_residues
from knightstour.lab.counting.halves.middle import NOTHING_JOINED, JoinResult, find_classes, tours_of
from knightstour.lab.counting.halves.sharded import SharedMachine
from knightstour.lab.counting.halves.stores import Checkpoint, Details, Layers, StateList, Store, fingerprint
from knightstour.lab.counting.residues import Residues
from knightstour.lab.counting.settings import CountProgress

# Minimum seconds between two saves of partial sums or small layers.
SAVE_SECONDS = 2.0
# Minimum work between two saves of layers, in units of the time of a save.
_WORK_PER_SAVING = 10
_WORDS = {"classes": "listing the classes of states", "layers": "making states", "join": "joining the halves"}
# Number of states converted to residues in one piece.
_PIECE = 1 << 20
# Up to this number of states the join is faster without threads.
_FEW_STATES = 1 << 16


class Count(NamedTuple):
    """Result of a count by halves, and its cost.

    tours: undirected tours. states: number of states in all layers. transitions: number of examined transitions.
    peak_bytes: maximum size of the arrays. moduli: the primes of the passes, empty if 64 bits are enough. pieces:
    number of pieces of work done by workers in this run. resumed: whether the count resumed from a checkpoint.
    """

    tours: int
    states: int
    transitions: int
    peak_bytes: int
    moduli: tuple[int, ...]
    pieces: int = 0
    resumed: bool = False


class March:
    """State of a count in progress.

    name, side: the current half, "left" or "right". states: number of states so far. joined: number of completed
    pieces of the join; sum: their total. total: the sum over the folded halves, or None. resumed: whether an earlier
    run started the count.

    The checkpoint contains the latest layer of each half, "left" and "right", and "fork", the last shared layer, while
    it is needed; layers in memory are kept by the store. "trunk" is the last layer of the left half with exact counts,
    from which every pass modulo primes starts; the store keeps it until it is saved. exact_steps: number of steps
    before it, 0 if none exists.
    """

    name: str
    side: Side

    def __init__(self, cut: Cut, saved: Checkpoint | None, watch: CountProgress, machine: Machine) -> None:
        self.cut, self.saved, self.watch = cut, saved, watch
        self.machine, self.store = machine, machine.store
        # The halves share the steps up to this one; -1 if they share none.
        self.fork = cut.shared if cut.shared and not cut.is_even else -1
        self.residues = Residues()
        self.states = self.joined = self.exact_steps = 0
        self.sum = NOTHING_JOINED
        self.total: int | None = None
        self.resumed = False
        self.done = {"left": 0, "right": 0}
        self._reported_at = self._save_after = self._layers_after = float("-inf")

    def run(self) -> int:
        """Return the number of tours, from one exact pass or from several modulo primes."""
        if self.total is None:
            self.classes = find_classes(self.cut, lambda done, todo: self.report("classes", done, todo))
            for side in self.classes.distinct:
                for classes in side.classes:
                    self.store.reserve(classes.nbytes, "the list of the classes")
        try:
            while self.total is None:
                self._one_pass()
        finally:
            if self.saved is not None:
                self.saved.sweep()
        return tours_of(self.total, self.cut)

    def _one_pass(self) -> None:
        """Build the halves modulo the primes of the pass, and join them."""
        try:
            left = self._last_layer("left")
            self._join(left, left if self.cut.is_even else self._last_layer("right"))
        except CountsTooLarge:
            if self.residues.moduli:
                raise
        else:
            if not self.residues.moduli:
                self.total = self.sum.total
            else:
                if self.sum.bound == math.inf:
                    why = "the number of tours has more than 300 digits"
                    raise self.watch.limit_error(why, help="count a shorter board")
                self.total = self.residues.add(self.sum.total % self.residues.modulus, self.sum.bound)
            if self.total is None and not self.residues.is_pass_over:
                # The same layers are joined again, modulo the second prime.
                self.joined, self.sum = 0, NOTHING_JOINED
                self.save(self._last_layers())
                return
        if self.total is None:
            self.residues.begin()
        # A finished count keeps only its result.
        for name in ("left", "right", "fork"):
            self.store.drop_name(name)
        self.done = {"left": 0, "right": 0}
        self.joined, self.sum = 0, NOTHING_JOINED
        self.save({})

    def _last_layer(self, name: str) -> Layer:
        self.name, self.side = name, self.classes.sides[int(name == "right")]
        reached = self._load_layer(name)
        if reached is None and name == "right" and self.cut.shared:
            reached = self._load_layer("fork")
        reached = reached or self._start_layer()
        while reached.step < len(self.side.half.steps):
            reached = self._next_layer(reached)
            self._keep_layer(reached)
            self.report_step(reached.step)
        self.store.kept[name] = reached.layer
        return reached.layer

    def _join(self, left: Layer, right: Layer) -> None:
        todo, parts = self.join(left, right)
        for part in parts:
            self.joined += 1
            self.sum = self.sum.plus(part)
            is_last = self.joined == todo
            self.save_if_due(self._last_layers(), is_last)
            self.report("join", self.joined, todo, always=is_last)

    def join(self, left: Layer, right: Layer) -> tuple[int, Iterator[JoinResult]]:
        """Return the number of pieces of the join, and an iterator over their results from piece `joined` on."""
        modulo = (self.residues.modulus, self.residues.place)
        if isinstance(self.machine, SharedMachine) and self.saved is not None:
            count = -(-len(self.classes.finals) // middle.JOIN_BLOCK)
            join_input = (self.watch.problem, self.cut.across, self.saved.directory, self.saved.key, *modulo)
            return count, self.machine.join(join_input, count, self.joined)
        join = middle.join_of_counts(self.cut, self.classes, (left, right), *modulo)
        threads = Threads(1) if left.size + right.size < _FEW_STATES else self.machine.threads
        return join.blocks, join.run(threads, self.joined)

    def _last_layers(self) -> Layers:
        return {"left": None} if self.cut.is_even else {"left": None, "right": None}

    # -- layers

    def _load_layer(self, name: str) -> LayerAt | None:
        step = self.fork if name == "fork" else self.done[name]
        if name in self.store.kept:
            return LayerAt(step, self.store.kept.pop(name))
        if self.saved is None or not self.saved.has(name):
            return None
        return LayerAt(step, self.saved.load(name, self.side.classes[step]))

    def _start_layer(self) -> LayerAt:
        if not self.exact_steps or self.saved is None or self.name == "right":
            return self.machine.start(Counts(self.residues.pair))
        # The trunk, with counts as residues.
        exact = self.saved.load("trunk", self.side.classes[self.exact_steps])
        states = StateList(self.store, len(exact.states))
        for first, end in spans(len(exact.states), _PIECE):
            states.append(in_residues(exact.states[first:end], self.residues.pair))
        self.store.drop(exact)
        return LayerAt(self.exact_steps, exact._replace(states=states.finish()))

    def _next_layer(self, layer: LayerAt) -> LayerAt:
        # This method must not keep a reference to the layer.
        self.machine.report = functools.partial(self.report_step, layer.step, always=False)
        try:
            after = self.machine.next(Counts(self.residues.pair), self.side, layer)
        except CountsTooLarge:
            if self.saved is not None and self.name == "left" and layer.step:
                self.exact_steps, self.store.kept["trunk"] = layer.step, layer.layer
            self.store.drop(layer.layer)
            raise
        self.states += after.layer.size
        return after

    def _keep_layer(self, layer: LayerAt) -> None:
        self.done[self.name] = layer.step
        layers: dict[str, Layer | None] = {self.name: layer.layer}
        if self.name == "right":
            layers["left"] = None
        elif layer.step == self.fork:
            layers["fork"] = self.store.kept["fork"] = layer.layer
        elif layer.step > self.fork >= 0:
            layers["fork"] = None
        self.save_if_due(layers, layer.step in (self.fork, len(self.side.half.steps)))

    # -- progress and checkpoints

    def report(self, stage: str, done: int, todo: int, *, always: bool = True) -> None:
        """Report progress, at limited frequency unless `always`."""
        now = time.monotonic()
        if now - self._reported_at < self.machine.report_seconds and not always:
            return
        self._reported_at = now
        number, passes = max(1, len(self.residues.moduli) // 2), self.residues.passes
        text = f"{_WORDS[stage]}: {done:,} of {todo:,}"
        if passes > 1:
            text += f", pass {number} of {passes}"
        # The join needs about as much time as the layers.
        within = done / todo if todo else 0.0
        part = {"classes": 0.0, "layers": 0.5 * within, "join": 0.5 + 0.5 * within}[stage]
        self.watch.report(text, (number - 1 + part) / max(passes, 1), self.states, self.store.held)

    def report_step(self, step: int, *, always: bool = True) -> None:
        """Report the number of completed steps of the current half."""
        left, right = len(self.cut.left.steps), len(self.cut.right.steps) - self.cut.shared
        done = step if self.name == "left" else left - self.cut.shared + step
        self.report("layers", done, left if self.cut.is_even else left + right, always=always)

    def open(self) -> None:
        """Resume from the checkpoint if it contains a count."""
        if self.saved is None:
            return
        details = self.saved.begin()
        if details is None:
            self.save({})
        else:
            self.resumed = True
            self.restore(details)
        self.saved.sweep()

    def restore(self, details: Details) -> None:
        """Restore the progress from a checkpoint."""
        self.residues, self.sum = Residues(*details["residues"]), JoinResult(*details["sum"])
        self.states, self.joined, self.total = details["states"], details["joined"], details["total"]
        self.machine.transitions, self.done = details["transitions"], details["done"]
        self.exact_steps = details["exact_steps"]

    def details(self) -> Details:
        """Return the progress for a checkpoint."""
        return {
            "residues": astuple(self.residues),
            "sum": self.sum,
            "states": self.states,
            "joined": self.joined,
            "total": self.total,
            "transitions": self.machine.transitions,
            "done": self.done,
            "exact_steps": self.exact_steps,
        }

    def save(self, layers: Layers) -> None:
        """Save the progress."""
        if self.exact_steps and self.total is None:
            layers = {**layers, "trunk": self.store.kept.get("trunk")}
        if self.saved is not None:
            self.saved.save(self.details(), layers)
        self.store.drop_name("trunk")

    def save_if_due(self, layers: Layers, is_needed: bool) -> None:
        """Save the progress if needed, or if enough time has passed since the last save."""
        began = time.monotonic()
        has_layers = any(layers.values())
        if is_needed or began >= (self._layers_after if has_layers else self._save_after):
            self.save(layers)
            saved = time.monotonic()
            self._save_after = saved + SAVE_SECONDS
            if has_layers:
                self._layers_after = saved + max(SAVE_SECONDS, _WORK_PER_SAVING * (saved - began))


def count_by_halves(
    problem: Problem,
    *,
    cut: Cut | None = None,
    threads: int | None = None,
    workers: sharing.Workers = None,
    checkpoint: str | os.PathLike[str] | None = None,
    budget: Budget | None = None,
) -> Count:
    """Return the number of undirected tours, each once, with the given start, end or both.

    cut: the cut of the board, by default the best known one; another cut counts independently.
    threads: by default one per core. workers: a number of processes, or a Dask client; they exchange data through the
    checkpoint, which must have the same path for all of them.
    checkpoint: a directory for progress and layers. The count resumes from its progress, if any; the workers can
    differ from the earlier run.
    budget: limits of seconds, nodes (states) and bytes (default: most of the free memory), and the progress callback.

    Raises ProblemError if the board cannot be cut (`cut.make_cut`), LimitReached at a limit, also of memory,
    FormatError for a checkpoint that is foreign, damaged, unexpected, or in use by another run.

    >>> count_by_halves(Problem((6, 6), closed=True)).tours
    9862
    """
    known = count_without_cut(problem)
    if known is not None:
        return Count(known, 0, 0, 0, ())
    cut, watch = cut or the_cut(problem), CountProgress(problem, budget)
    directory = None if checkpoint is None else Path(checkpoint).absolute()
    saved = Checkpoint(directory, fingerprint(problem, cut)) if directory is not None else None
    who: Any = Threads(threads) if workers is None else sharing.pool_of(workers)
    with lock_directory(directory) if directory else nullcontext(), who as pool:
        if workers is None:
            machine = Machine(pool, Store(watch.most_bytes, saved, watch))
        else:
            assert directory is not None  # callers with workers pass a directory
            machine = SharedMachine(Store(sys.maxsize, saved), pool)
        march = March(cut, saved, watch, machine)
        march.open()
        tours = march.run()
    return Count(
        tours=tours,
        states=march.states,
        transitions=machine.transitions,
        peak_bytes=machine.store.peak if workers is None else 0,
        moduli=tuple(march.residues.moduli),
        pieces=machine.pieces,
        resumed=march.resumed,
    )
