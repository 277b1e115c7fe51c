"""Storage "memory, disk and checkpoint": tours counted exactly by halves, of boards cut over at most 16 squares.

Every plain board of up to 8 rows can, whatever its length, and so can many other boards. march.py says in which order
the work is done. This module does it in one process, and makes it safe:

- *Memory* is counted as arrays are made, and the work ends with a clear error before the limit is passed, or, given a
  directory, goes on with layers on disk.
- *Checkpoints*: after each layer, and every few seconds of the join, the directory holds all that is needed to go on.
- *Overflow*: where the counts of a half might not fit into 60 bits, the work is done again modulo as many primes as the
  answer needs, two in each pass. With a checkpoint, each pass begins from the last layer whose counts are exact.

A tour is counted as a set of moves, so tours are undirected; from a given start there is only one direction.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from knightstour.core.machine.files import locked
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves.cut import Cut, count_without_cut, the_cut
from knightstour.lab.counting.halves.layers import CountsTooLarge, Layer, spans
from knightstour.lab.counting.halves.machine import Counts, Machine, Reached, Workers, in_residues
from knightstour.lab.counting.halves.march import March
from knightstour.lab.counting.halves.middle import Join, Joined
from knightstour.lab.counting.halves.stores import Checkpoint, Details, Layers, StateList, Store, fingerprint
from knightstour.lab.counting.settings import Watch

# States whose counts are turned into residues at a time.
_PIECE = 1 << 20


class Count(NamedTuple):
    """The answer, and what it took.

    tours: undirected tours. states: made in all layers. transitions: states looked at to make them. peak_bytes: the
    most that arrays took. spilled_bytes: of layers that memory could not hold. moduli: the primes modulo which tours
    were counted, none where 64 bits sufficed.
    """

    tours: int
    states: int
    transitions: int
    peak_bytes: int
    spilled_bytes: int
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
    known = count_without_cut(problem)
    if known is not None:
        return Count(known, 0, 0, 0, 0, ())
    cut = cut or the_cut(problem)
    watch = Watch(problem, budget)
    directory = Path(checkpoint) if checkpoint is not None else None
    saved = Checkpoint(directory, fingerprint(problem, cut)) if directory is not None else None
    store = Store(watch.most_bytes, directory)
    with Workers(threads) as workers, locked(directory) if directory else nullcontext():
        march = LocalMarch(cut, saved, watch, Machine(workers, store))
        march.open(resume)
        tours = march.run()
    return Count(
        tours=tours,
        states=march.states,
        transitions=march.machine.transitions,
        peak_bytes=store.peak,
        spilled_bytes=store.spilled,
        moduli=tuple(march.residues.moduli),
    )


class LocalMarch(March[Reached, Layer]):
    """A march in this process.

    In the checkpoint lie the layers "left" and "right", of each half the one that was reached last, and "fork", where
    the halves part, while it is needed; the store keeps those of them that are in memory. "trunk", from which every
    pass modulo primes begins, is the last layer of the left half with exact counts; exact_steps: the number of steps
    before it, 0 while there is none. The store keeps it until it is written down.
    """

    def __init__(self, cut: Cut, saved: Checkpoint | None, watch: Watch, machine: Machine) -> None:
        super().__init__(cut, saved, watch)
        self.machine, self.store = machine, machine.store
        self.exact_steps = 0
        self.done = {"left": 0, "right": 0}

    @property
    def bytes_held(self) -> int:
        return self.store.held

    def take(self, details: Details) -> None:
        super().take(details)
        self.machine.transitions = details["transitions"]
        self.done = {"left": details["left_done"], "right": details["right_done"]}
        self.exact_steps = details["exact_steps"]

    def details(self) -> Details:
        return {
            **super().details(),
            "transitions": self.machine.transitions,
            "left_done": self.done["left"],
            "right_done": self.done["right"],
            "exact_steps": self.exact_steps,
        }

    def save(self, layers: Layers) -> None:
        if self.exact_steps and self.total is None:
            layers = {**layers, "trunk": self.store.kept.get("trunk")}
        super().save(layers)
        self.store.release("trunk")

    # -- layers

    def classes_found(self) -> None:
        for side in self.classes.made:
            for classes in side.classes:
                self.store.take(classes.nbytes, "the list of the classes")

    def load(self, name: str) -> Reached | None:
        step = self.fork if name == "fork" else self.done[name]
        if name in self.store.kept:
            return Reached(step, self.store.kept.pop(name))
        if self.saved is None or not self.saved.has(name):
            return None
        return Reached(step, self.saved.load(name, self.side.classes[step], self.store))

    def start(self) -> Reached:
        if not self.exact_steps or self.saved is None or self.name == "right":
            return self.machine.start(Counts(self.residues.pair))
        # The trunk, with counts modulo the primes of the pass.
        exact = self.saved.load("trunk", self.side.classes[self.exact_steps], self.store)
        states = StateList(self.store, len(exact.states))
        for first, end in spans(len(exact.states), _PIECE):
            states.append(in_residues(exact.states[first:end], self.residues.pair))
        self.store.drop(exact)
        return Reached(self.exact_steps, exact._replace(states=states.finish()))

    def next(self, layer: Reached) -> Reached:
        # (It must not keep the layer.)
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

    def keep(self, layer: Reached) -> None:
        self.done[self.name] = layer.step
        layers: dict[str, Layer | None] = {self.name: layer.layer}
        if self.name == "right":
            layers["left"] = None
        elif layer.step == self.fork:
            layers["fork"] = self.store.kept["fork"] = layer.layer
        elif layer.step > self.fork >= 0:
            layers["fork"] = None
        self.save_now_and_then(layers, layer.step in (self.fork, len(self.side.half.steps)))

    def finish(self, layer: Reached) -> Layer:
        self.store.kept[self.name] = layer.layer
        return layer.layer

    def last_layers(self) -> Layers:
        return {"left": None} if self.cut.is_even else {"left": None, "right": None}

    def forget_layers(self) -> None:
        for name in ("left", "right", "fork"):
            self.store.release(name)
        self.done = {"left": 0, "right": 0}

    # -- the join

    def join(self, left: Layer, right: Layer) -> tuple[int, Iterator[Joined]]:
        join = Join(self.cut, self.classes, (left, right), self.residues.modulus, self.residues.place)
        return join.blocks, join.run(self.machine.workers, self.joined)
