"""The driver of counts by halves, for any storage: layer after layer of each half, then the join, once for each prime.

The order of the work is the same wherever layers are kept and whoever makes them. A subclass of `March` adds the rest:
that of count_halves.py keeps layers in the memory of this process, or on disk; that of sharded.py keeps them in files
that many workers make. The checkpoint is written after each layer, and every few seconds of the join.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from knightstour.lab.counting.halves.cut import Cut
from knightstour.lab.counting.halves.layers import CountsTooLarge, Side
from knightstour.lab.counting.halves.middle import NOTHING_JOINED, Joined, find_classes, tours_of
from knightstour.lab.counting.halves.stores import Checkpoint, Details, Layers
from knightstour.lab.counting.residues import Residues
from knightstour.lab.counting.settings import Watch

# Partial sums of the join, and small layers, are written down not more often than this.
SAVE_SECONDS = 2.0
REPORT_SECONDS = 0.1
# Seconds of work before the next layer is written down, for each second that this took.
_WORK_PER_SAVING = 10
_WORDS = {"classes": "listing the classes of states", "layers": "making states", "join": "joining the halves"}


class _Reached(Protocol):
    @property
    def step(self) -> int:
        """The number of steps of the half that are done."""


# A layer on the march, and the last layer of a half as the join takes it.
LayerT = TypeVar("LayerT", bound=_Reached)
LastT = TypeVar("LastT")


class March(ABC, Generic[LayerT, LastT]):
    """One count while it is made.

    name, side: of the half at work, "left" or "right". states: made so far. joined: pieces of the join that are done;
    sum: what they add up to. total: the sum over the folded halves, once it is known. report_seconds: between reports.
    """

    name: str
    side: Side

    def __init__(self, cut: Cut, saved: Checkpoint | None, watch: Watch) -> None:
        self.cut, self.saved, self.watch = cut, saved, watch
        # After this step the halves differ, if they begin alike; the right half goes on from the layer after it.
        self.fork = cut.shared if cut.shared and not cut.is_even else -1
        self.residues = Residues()
        self.states = self.joined = 0
        self.sum = NOTHING_JOINED
        self.total: int | None = None
        self.report_seconds = REPORT_SECONDS
        self._reported_at = self._save_after = self._layers_after = float("-inf")

    def run(self) -> int:
        """The number of tours: from one exact pass or, where machine words do not hold it, from some modulo primes."""
        if self.total is None:
            self.classes = find_classes(self.cut, lambda done, todo: self.report("classes", done, todo))
            self.classes_found()
        while self.total is None:
            self._one_pass()
        return tours_of(self.total, self.cut)

    def _one_pass(self) -> None:
        """Make the halves modulo the primes of the pass (exactly if there are none), and join them modulo one of these,
        from where the work has come to."""
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
                self.total = self.residues.take(self.sum.total % self.residues.modulus, self.sum.bound)
            if self.total is None and not self.residues.is_pass_over:
                # The same layers are joined modulo the second prime.
                self.joined, self.sum = 0, NOTHING_JOINED
                self.save(self.last_layers())
                return
        if self.total is None:
            self.residues.begin()
        # Of finished work the answer is all that is kept.
        self.forget_layers()
        self.joined, self.sum = 0, NOTHING_JOINED
        self.save({})
        self.pass_forgotten()

    def _last_layer(self, name: str) -> LastT:
        """The last layer of a half, made from the layer in the checkpoint or from the start."""
        self.name, self.side = name, self.classes.sides[int(name == "right")]
        layer = self.load(name)
        if layer is None and name == "right" and self.cut.shared:
            layer = self.load("fork")
        layer = layer or self.start()
        while layer.step < len(self.side.half.steps):
            layer = self.next(layer)
            self.keep(layer)
            self.report_step(layer.step)
        return self.finish(layer)

    def _join(self, left: LastT, right: LastT) -> None:
        todo, parts = self.join(left, right)
        for part in parts:
            self.joined += 1
            self.sum = self.sum.plus(part)
            is_last = self.joined == todo
            self.save_now_and_then(self.last_layers(), is_last)
            self.report("join", self.joined, todo, always=is_last)

    # -- progress and checkpoints

    def report(self, stage: str, done: int, todo: int, *, always: bool = True) -> None:
        """Report progress: not too often unless `always`."""
        now = time.monotonic()
        if now - self._reported_at < self.report_seconds and not always:
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

    def report_step(self, step: int, *, always: bool = True) -> None:
        """Report that `step` steps of the half at work are done."""
        left, right = len(self.cut.left.steps), len(self.cut.right.steps) - self.cut.shared
        done = step if self.name == "left" else left - self.cut.shared + step
        self.report("layers", done, left if self.cut.is_even else left + right, always=always)

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

    # -- what differs between the ways of keeping layers

    def classes_found(self) -> None:
        """Called when the classes of all layers are listed, before the first pass."""

    def pass_forgotten(self) -> None:
        """Called when it is written down that a pass is over."""

    def last_layers(self) -> Layers:
        """The layers that the join takes and that the checkpoint holds."""
        return {}

    @abstractmethod
    def load(self, name: str) -> LayerT | None:
        """A layer that is kept: "left" or "right", the one of that half that was reached last, or "fork"."""

    @abstractmethod
    def start(self) -> LayerT:
        """The layer before the first step."""

    @abstractmethod
    def next(self, layer: LayerT) -> LayerT:
        """The layer one step after this one."""

    @abstractmethod
    def keep(self, layer: LayerT) -> None:
        """Keep a layer to go on from, and write that down; layers that are needed no more are deleted."""

    @abstractmethod
    def finish(self, layer: LayerT) -> LastT:
        """The last layer of a half, ready to be joined."""

    @abstractmethod
    def forget_layers(self) -> None:
        """Delete all layers."""

    @abstractmethod
    def join(self, left: LastT, right: LastT) -> tuple[int, Iterator[Joined]]:
        """The number of pieces of the join of the last layers, and what each of them from piece `joined` on adds."""
