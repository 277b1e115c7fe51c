"""The march through a count by halves: layer after layer of each half, then the join. Modulo primes, once for each.

The order of the work is the same wherever layers are kept and whoever makes them. A subclass of `March` adds the rest:
that of count_halves.py keeps layers in the memory of this process, or on disk; that of sharded.py keeps them in files
that many workers make. The checkpoint is written after each layer, and every few seconds of the join.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from knightstour.lab.counting.halves.cut import Cut, Half
from knightstour.lab.counting.halves.layers import Index
from knightstour.lab.counting.halves.middle import NOTHING_JOINED, Joined, find_classes, total_of_passes, tours_of
from knightstour.lab.counting.halves.stores import Checkpoint, Details, Layers
from knightstour.lab.counting.residues import Residues
from knightstour.lab.counting.settings import Watch

# Partial sums of the join, and small layers, are written down not more often than this.
SAVE_SECONDS = 2.0
REPORT_SECONDS = 0.1
_WORDS = {"classes": "listing the classes of states", "layers": "making states", "join": "joining the halves"}


class _Reached(Protocol):
    @property
    def step(self) -> int:
        """The number of steps of the half that are done."""


# A layer on the march, and the last layer of a half as the join takes it.
LayerT = TypeVar("LayerT", bound=_Reached)
LastT = TypeVar("LastT")


class Side(NamedTuple):
    """One half on the march.

    name: "left" or "right". numbering: of its classes. classes: those before its first step and after each.
    done_before: the number of steps of the other half that come before those of this one. todo: steps of both.
    """

    name: str
    half: Half
    numbering: Index
    classes: list[np.ndarray]
    done_before: int
    todo: int

    @property
    def is_right(self) -> bool:
        """Whether this is the right half."""
        return self.name == "right"


class March(ABC, Generic[LayerT, LastT]):
    """One count while it is made.

    states: made so far. joined: pieces of the join that are done; sum: what they add up to. total: the sum over the
    folded halves, once it is known.
    """

    def __init__(self, cut: Cut, saved: Checkpoint | None, watch: Watch) -> None:
        self.cut, self.saved, self.watch = cut, saved, watch
        # After this step the halves differ, if they begin alike; the right half goes on from the layer after it.
        self.fork = cut.shared if cut.shared and not cut.is_even else -1
        self.residues = Residues()
        self.states = self.joined = 0
        self.sum = NOTHING_JOINED
        self.total: int | None = None
        self._reported_at = float("-inf")

    def run(self) -> int:
        """The number of tours, exactly, or from as many residues as it takes."""
        if self.total is None:
            self.classes = find_classes(self.cut, lambda done, todo: self.report("classes", done, todo))
            self.classes_found()
            self.total = total_of_passes(self.residues, self._one_pass, self._join_again, self._forget)
            # The answer is all that is kept of finished work.
            self._forget()
        return tours_of(self.total, self.cut)

    def _one_pass(self) -> Joined:
        left = self._last_layer("left")
        return self.join(left, left if self.cut.is_even else self._last_layer("right"))

    def _last_layer(self, name: str) -> LastT:
        """The last layer of a half, made from the layer in the checkpoint or from the start."""
        cut, classes, is_right = self.cut, self.classes, name == "right"
        own = len(cut.right.steps) - cut.shared
        side = Side(
            name=name,
            half=cut.right if is_right else cut.left,
            numbering=classes.indices[int(is_right)],
            classes=classes.right if is_right else classes.left,
            done_before=len(cut.left.steps) - cut.shared if is_right else 0,
            todo=len(cut.left.steps) + (0 if cut.is_even else own),
        )
        layer = self.load(name, side)
        if layer is None and is_right and cut.shared:
            layer = self.load("fork", side)
        layer = layer or self.start(side)
        while layer.step < len(side.half.steps):
            layer = self.next(side, layer)
            self.keep(side, layer)
            self.report_step(side, layer.step)
        return self.finish(side, layer)

    def _join_again(self) -> None:
        """Write down that the last layers are joined modulo the first prime, and go on to the second."""
        self.joined, self.sum = 0, NOTHING_JOINED
        self.save(self.last_layers())

    def _forget(self) -> None:
        """Write down that this pass is over, and delete its layers."""
        self.forget_layers()
        self.joined, self.sum = 0, NOTHING_JOINED
        self.save({})

    # -- progress and checkpoints

    def report(self, stage: str, done: int, todo: int, *, always: bool = True) -> None:
        """Report progress: at most ten times a second unless `always`."""
        now = time.monotonic()
        if now - self._reported_at < REPORT_SECONDS and not always:
            return
        self._reported_at = now
        number, passes = max(1, len(self.residues.moduli) // 2), self.residues.passes
        text = f"{_WORDS[stage]}: {done:,} of {todo:,}"
        if passes > 1:
            text += f", pass {number} of {passes}"
        # The join takes about as long as the layers.
        within = done / todo if todo else 0.0
        part = {"classes": 0.0, "layers": 0.5 * within, "join": 0.5 + 0.5 * within}[stage]
        self.watch.report(text, (number - 1 + part) / max(passes, 1), self.states, self.bytes_held)

    def report_step(self, side: Side, step: int, *, always: bool = True) -> None:
        """Report that `step` steps of a half are done."""
        self.report("layers", side.done_before + step, side.todo, always=always)

    @property
    def bytes_held(self) -> int:
        """Bytes of layers in the memory of this process, where that is counted."""
        return 0

    def open(self, resume: bool) -> None:
        """Go on from what the checkpoint holds, if there is anything; a FormatError for that without `resume`."""
        if self.saved is None:
            return
        details = self.saved.begin(resume)
        if details is None:
            self.save({})
        else:
            self.take(details)
        self.saved.sweep()

    def take(self, details: Details) -> None:
        """Go on from these details of a checkpoint."""
        self.states, self.joined = int(details["states"]), int(details["joined"])
        self.residues = Residues.from_json(details)
        self.sum = Joined.from_json(details["sum"])
        self.total = None if details["total"] is None else int(details["total"])

    def details(self) -> Details:
        """How far the work has come, for a checkpoint. Long numbers are text, for readers whose numbers are floats."""
        return {
            "states": self.states,
            "joined": self.joined,
            "sum": self.sum.to_json(),
            "total": None if self.total is None else str(self.total),
            **self.residues.to_json(),
        }

    def save(self, layers: Layers) -> None:
        """Write down how far the work has come."""
        if self.saved is not None:
            self.saved.save(self.details(), layers)

    # -- what differs between the ways of keeping layers

    def classes_found(self) -> None:
        """Called when the classes of all layers are listed, before the first pass."""

    def last_layers(self) -> Layers:
        """The layers that the join takes and that the checkpoint holds."""
        return {}

    @abstractmethod
    def load(self, name: str, side: Side) -> LayerT | None:
        """A layer that is kept: "left" or "right", the one of that half that was reached last, or "fork"."""

    @abstractmethod
    def start(self, side: Side) -> LayerT:
        """The layer before the first step."""

    @abstractmethod
    def next(self, side: Side, layer: LayerT) -> LayerT:
        """The layer one step after this one."""

    @abstractmethod
    def keep(self, side: Side, layer: LayerT) -> None:
        """Keep a layer to go on from, and write that down; layers that are needed no more are deleted."""

    @abstractmethod
    def finish(self, side: Side, layer: LayerT) -> LastT:
        """The last layer of a half, ready to be joined."""

    @abstractmethod
    def forget_layers(self) -> None:
        """Delete all layers."""

    @abstractmethod
    def join(self, left: LastT, right: LastT) -> Joined:
        """Join the last layers, from piece `joined` on."""
