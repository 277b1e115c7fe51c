"""Algebra "weights" on lists: the growth rate of closed tours of long boards, without a graph of their states.

Far from the ends of a long board the layers of a half (layers.py) are the same every other column: the same classes,
and the same states, though in other slots. `Steady` makes such a layer, puts a weight in the place of each count, and
takes the weights through two columns again and again. That is the power method for the matrix T of two columns, of
which nothing is kept but the states themselves: 16 bytes for each of them, where a graph takes 8 for each way.

**Bounds.** Let w be the weights before two columns, w T those after. If a w <= w T <= b w in each state, then the
number of tours grows by a factor of at least a and at most b every two columns:

- The numbers f of half-made tours, column by column, are in the end those of states that have weights, so f <= c w for
  some c. Two columns more give f T <= c w T <= b c w, and so on.
- After some columns all states with weights have half-made tours: f >= e w for some e > 0, and f grows as before by a
  at least. A tour of twice the length is a half-made tour and the image of one that fit together. Some do, since
  there are tours, so there are at least e * e * a^2k times some number > 0 of them.

Neither needs to know which states lead to each other. What is used is that the states of the layer are all that tours
of any length come to, which is proved by making the layer after two columns: it has the same classes, before the
useless ones are thrown away as well as after, and the same words.

**Rounding.** A weight is a sum of positive numbers, made in rounds of a few at a time. The kernel says how many of them
are added up at most, so the relative error of w T is bounded, and the bounds are moved apart by as much.

Cost: 8 rows have 250 million states in the widest layers, and a round takes three minutes of a processor: 22 ns for
each of 8.2 billion weights that are added up.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting.classes import flipped
from knightstour.core.machine.files import locked
from knightstour.core.machine.native import door
from knightstour.core.model.errors import LimitReached, confirm
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves import layers as listed
from knightstour.lab.counting.halves.cut import Cut, make_cut, slots_of_arrays
from knightstour.lab.counting.halves.middle import indices_of, last_classes
from knightstour.lab.counting.halves.stores import Checkpoint, Details, SpilledList, Store, fingerprint
from knightstour.lab.counting.settings import Watch

# Of these boards two columns are 16 squares or fewer.
MOST_ROWS = 8
# With an odd number of rows, the states after even and after odd numbers of columns differ.
PERIOD = 2
# Columns of a half. After some of them classes are those of any longer half, and as many before its end.
_COLUMNS = 12
# Rounds of the power method at most, and how near to each other the bounds are to come.
_MOST_ROUNDS, _CLOSE = 200, 2e-14
_ROUNDING = 2.0**-53
# States that are looked at, and classes that are brought in order, at a time.
_PIECE, _CLASSES = 1 << 22, 1 << 12
# Smaller numbers would lose digits.
_TINY = 1e-280


class Bounds(NamedTuple):
    """low <= rate of growth with each column <= high. states: between two columns. ways: weights that are added up from
    one column to the next. rounds: of the power method. is_done: whether the bounds are as near as they come."""

    low: float
    high: float
    states: int
    ways: int
    rounds: int
    is_done: bool

    def to_details(self) -> Details:
        """For a checkpoint."""
        return {**self._asdict(), "low": str(self.low), "high": str(self.high)}  # type: ignore[typeddict-item]

    @staticmethod
    def of_details(details: Details) -> Bounds:
        """From a checkpoint."""
        low, high = float(details["low"]), float(details["high"])
        return Bounds(low, high, details["states"], details["ways"], details["rounds"], details["is_done"])


NOTHING_KNOWN = Bounds(0.0, math.inf, 0, 0, 0, False)


class _Settings(NamedTuple):
    """What the march may use: memory, threads, and a directory to go on from."""

    store: Store
    workers: listed.Workers
    saved: Checkpoint | None


def bounds_of_rate(
    rows: int,
    watch: Watch,
    *,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Bounds:
    """Proved bounds of the rate at which the number of closed tours of boards of that many rows grows.

    threads: by default all processors. checkpoint: a directory for the weights after each round, and for layers that
    memory does not hold. resume: whether to go on from what is in it.

    >>> found = bounds_of_rate(5, Watch(Problem.of((5, 30), closed=True)))
    >>> found.low < 18.120309560533 < found.high, found.high - found.low < 1e-11
    (True, True)
    """
    problem = Problem.of((rows, 2 * _COLUMNS + 2), closed=True)
    cut = make_cut(problem, columns=_COLUMNS)
    assert cut is not None
    confirm(cut.is_even, "the halves of a board of steady columns are alike")
    directory = Path(checkpoint) if checkpoint is not None else None
    saved = Checkpoint(directory, fingerprint(problem, cut, "rate")) if directory is not None else None
    store = Store(watch.most_bytes, directory)
    with listed.Workers(threads) as workers, locked(directory) if directory else nullcontext():
        return Steady(problem, cut, watch, _Settings(store, workers, saved)).bounds(resume)


class Steady:
    """The weights of the states far from the ends of a long board, on the march.

    column: the first number of columns after which the classes are those of any longer board. states: made so far.
    """

    def __init__(self, problem: Problem, cut: Cut, watch: Watch, settings: _Settings) -> None:
        self.problem, self.half, self.watch, self.settings = problem, cut.left, watch, settings
        self.index = indices_of(cut)[0]
        self.states = 0
        self._find_classes(cut)

    def bounds(self, resume: bool) -> Bounds:
        """Bounds as near to each other as they come."""
        layer, now = self._begin(resume)
        try:
            while now.rounds < _MOST_ROUNDS and not now.is_done:
                layer, now = self._round(layer, now)
        except LimitReached as error:
            if now.low > 0:
                error.note = f"until then it is between {now.low!r} and {now.high!r}, which is proved"
            raise
        return now

    def _round(self, before: listed.Layer, now: Bounds) -> tuple[listed.Layer, Bounds]:
        """One round of the power method: the weights two columns later, and the bounds that are known then."""
        layer, ways, error = self._two_columns(before, now)
        low, high = _ratios(before, layer) if _is_same(before, layer) else (0.0, math.inf)
        self.settings.store.drop(before)
        _scale(layer)
        # Every vector gives bounds, so the best of all are right.
        now = Bounds(
            low=max(now.low, _root(low * (1 - 2 * error), -1)),
            high=min(now.high, _root(high * (1 + 2 * error), 1)),
            states=layer.size,
            ways=ways // PERIOD,
            rounds=now.rounds + 1,
            is_done=low > 0 and high - low < high * (_CLOSE + 4 * error),
        )
        if self.settings.saved is not None:
            self.settings.saved.save(now.to_details(), {"weights": layer})
        return layer, now

    # -- classes

    def _find_classes(self, cut: Cut) -> None:
        """Find the classes after each step, and the column after which they come back."""
        half, index = self.half, self.index
        forward = listed.forward_classes(half, index, self._report_classes)
        last = last_classes(cut, (index, index), forward[-1], forward[-1]).left
        useful = listed.keep_useful(half, index, [*forward[:-1], last], self._report_classes)
        rows = self.problem.board.rows
        for column in range(2, _COLUMNS - PERIOD + 1):
            places = [rows * column, rows * (column + PERIOD)]
            orders = [self._order(column, *(classes[t] for t in places)) for classes in (forward, useful)]
            if all(order is not None for order in orders):
                break
        else:
            raise AssertionError("the classes do not come back")
        self.column, self.classes = column, useful[: places[-1] + 1]
        self._order_back = orders[-1]
        for classes in self.classes:
            self.settings.store.take(classes.nbytes, "the list of the classes")

    def _order(self, column: int, wanted: np.ndarray, found: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Which of the classes found two columns after `column` is each that was wanted there, and by which of the
        turns its words are turned: int64, int64; None where they are others."""
        if len(wanted) != len(found):
            return None
        plain, turn = self._turns(column)
        moved = flipped(found, listed.flip_table(plain))
        images = flipped(found, listed.flip_table(turn))
        is_image = images < moved
        places = self.index.of(np.where(is_image, images, moved))
        order = np.argsort(places).astype(np.int64)
        if (places[order] != self.index.of(wanted)).any():
            return None
        return order, is_image[order].astype(np.int64)

    def _turns(self, column: int) -> tuple[np.ndarray, np.ndarray]:
        """The slots that those in use two columns after `column` are to be in, and those of the flip of the board."""
        rows = self.problem.board.rows
        slots_at, fold = self.half.slots_at, self.half.folds[rows * column - 1]
        now = slots_at[rows * column]
        later = {square - PERIOD: slot for square, slot in slots_at[rows * (column + PERIOD)].items()}
        confirm(now.keys() == later.keys() and len(now) == 2 * rows, "the slots of two columns must be the same")
        image = np.arange(slots_of_arrays(self.half.slots), dtype=np.int64)
        spare = [slot for slot in range(len(image)) if slot not in now.values()]
        for slot in range(len(image)):
            if slot not in later.values():
                image[slot] = spare.pop()
        for square, slot in later.items():
            image[slot] = now[square]
        return image, fold[image]

    # -- layers

    def _begin(self, resume: bool) -> tuple[listed.Layer, Bounds]:
        """The layer to go on with, and the bounds so far."""
        rows, saved = self.problem.board.rows, self.settings.saved
        details = saved.begin(resume) if saved is not None else None
        if saved is not None and details is not None and saved.has("weights"):
            saved.sweep()
            return saved.load("weights", self.classes[rows * self.column], self.settings.store), Bounds.of_details(
                details
            )
        layer = listed.start_layer()
        layer.states.view(np.float64)[:, 1] = 1.0
        self.settings.store.take(layer.states.nbytes)
        for step in range(rows * self.column):
            layer, _, _ = self._next(step, layer, "making the states of the first columns")
        order = np.arange(len(layer.classes), dtype=np.int64)
        same = np.arange(slots_of_arrays(self.half.slots), dtype=np.int64)
        layer = self._arranged(layer, order, np.zeros_like(order), [same])
        _scale(layer)
        return layer, NOTHING_KNOWN

    def _two_columns(self, layer: listed.Layer, now: Bounds) -> tuple[listed.Layer, int, float]:
        """The layer two columns later, in the same slots and order; how many weights were added up, and the relative
        error of each sum at most."""
        rows, before = self.problem.board.rows, layer
        text = f"between {now.low:.13g} and {now.high:.13g}" if now.low > 0 else "making the states of all columns"
        ways, rounding = 0, 2.0
        for step in range(rows * self.column, rows * (self.column + PERIOD)):
            layer, seen, terms = self._next(step, layer, text, kept=before)
            ways += seen
            rounding += terms
        assert self._order_back is not None
        return self._arranged(layer, *self._order_back, self._turns(self.column)), ways, rounding * _ROUNDING

    def _next(
        self, t: int, layer: listed.Layer, text: str, kept: listed.Layer | None = None
    ) -> tuple[listed.Layer, int, int]:
        """The layer after step t; how many weights were added up, and how many at most in one sum. Drops the layer
        before it unless it is kept."""
        step, store, workers = listed.step_of(self.half, t, self.index), self.settings.store, self.settings.workers
        ahead = listed.foresee(step, layer, self.classes[t + 1], None)
        summed: list[np.ndarray] = []

        def more(first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
            # Several threads add theirs, so the last one may be another's.
            mine = np.zeros(2, dtype=np.int64)
            summed.append(mine)
            return np.empty(int(ahead.room[first:last].max()), dtype=np.int32), mine

        def report() -> None:
            self.watch.report(text, None, self.states, store.held)

        sink = SpilledList(store)
        try:
            made = listed.pull_in_blocks(
                step, layer, ahead, workers, listed.Pulling("lists_pull_weights", more), sink, report
            )
        except BaseException:
            sink.abandon()
            raise
        if layer is not kept:
            store.drop(layer)
        self.states += made.size
        return made, sum(int(ways) for ways, _ in summed), max((int(terms) for _, terms in summed), default=1)

    def _arranged(
        self, layer: listed.Layer, order: np.ndarray, turns: np.ndarray, images: Sequence[np.ndarray]
    ) -> listed.Layer:
        """The layer with its lists in this order, slots turned to images[turns[j]], each sorted by its words. The layer
        itself is dropped."""
        store = self.settings.store
        tables = np.stack([listed.turn_table(image) for image in images])
        lengths = layer.lengths[order]
        sink = SpilledList(store)
        sink.reserve(layer.size)
        copied = (order, turns, tables, layer.offsets, layer.lengths, np.asarray(layer.states))
        for first, last in listed.spans(len(order), _CLASSES):
            out = np.empty((int(lengths[first:last].sum()), 2), dtype=np.int64)
            door("lists_bring_in_order")(*copied, out, first, last)
            sink.append(out)
        store.drop(layer)
        classes = self.classes[self.problem.board.rows * self.column]
        return listed.Layer(classes, np.cumsum(lengths) - lengths, lengths, sink.finish(), layer.masses[order])

    def _report_classes(self) -> None:
        self.watch.report("listing the classes of states", None)


def _is_same(one: listed.Layer, other: listed.Layer) -> bool:
    """Whether two layers have the same states, in the same order."""
    if (one.lengths != other.lengths).any():
        return False
    pieces = listed.spans(len(one.states), _PIECE)
    return all((one.states[first:end, 0] == other.states[first:end, 0]).all() for first, end in pieces)


def _ratios(before: listed.Layer, after: listed.Layer) -> tuple[float, float]:
    """The least and the greatest ratio of the weight after to that before, in layers of the same states."""
    low, high = math.inf, 0.0
    for first, end in listed.spans(len(before.states), _PIECE):
        old, new = (layer.states[first:end].view(np.float64)[:, 1] for layer in (before, after))
        if old.min() < _TINY:
            raise AssertionError("the vector has numbers too small for bounds")
        ratios = new / old
        low, high = min(low, float(ratios.min())), max(high, float(ratios.max()))
    return low, high


def _scale(layer: listed.Layer) -> None:
    """Divide all weights by their mean, about, which rounds none of them."""
    factor = 2.0 ** -round(math.log2(float(layer.masses.sum()) / max(layer.size, 1)))
    layer.masses[:] *= factor
    for first, end in listed.spans(len(layer.states), _PIECE):
        layer.states[first:end].view(np.float64)[:, 1] *= factor


def _root(value: float, towards: int) -> float:
    """The root of a growth over two columns, moved a little towards 0 or upwards, for its own rounding."""
    return math.sqrt(value) * (1 + 4 * towards * _ROUNDING)
