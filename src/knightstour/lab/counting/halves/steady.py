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

from knightstour.core.kernels.counting.classes import ends_of, flipped, inner_of, placed_in
from knightstour.core.machine.files import locked
from knightstour.core.machine.native import door
from knightstour.core.model.errors import LimitReached, check_own_answer
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves import layers as listed
from knightstour.lab.counting.halves.cut import Cut, make_cut, slots_of_arrays
from knightstour.lab.counting.halves.layers import Side
from knightstour.lab.counting.halves.machine import Algebra, Machine, Pulling, Reached, Targets, Threads
from knightstour.lab.counting.halves.middle import halves_of, last_classes
from knightstour.lab.counting.halves.stores import Checkpoint, StateList, Store, fingerprint
from knightstour.lab.counting.settings import Watch

# Of these boards two columns are 16 squares or fewer.
MAX_ROWS = 8
# With an odd number of rows, the states after even and after odd numbers of columns differ.
PERIOD = 2
# Columns of a half. After some of them classes are those of any longer half, and as many before its end.
_COLUMNS = 12
# Rounds of the power method at most, and how near to each other the bounds are to come.
_MAX_ROUNDS, _CLOSE = 200, 2e-14
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


# Files hold no number without end.
NOTHING_KNOWN = Bounds(0.0, 1e300, 0, 0, 0, False)


def bounds_of_rate(
    rows: int,
    watch: Watch,
    *,
    closed: bool = True,
    placed: int = 0,
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
    problem = Problem.of((rows, 2 * _COLUMNS + 2), closed=closed)
    cut = make_cut(problem, columns=_COLUMNS)
    assert cut is not None
    check_own_answer(cut.is_even, "the halves of a board of steady columns are alike")
    directory = Path(checkpoint) if checkpoint is not None else None
    way = ("rate",) if closed else ("rate", placed)
    saved = Checkpoint(directory, fingerprint(problem, cut, *way)) if directory is not None else None
    store = Store(watch.most_bytes, saved)
    with Threads(threads) as pool, locked(directory) if directory else nullcontext():
        return Steady(problem, cut, watch, Machine(pool, store), placed).bounds(saved, resume)


class Weights(Algebra):
    """A weight, which is a float in the place of a count."""

    kernel = "lists_pull_weights"

    def __init__(self) -> None:
        self._summed: list[np.ndarray] = []

    def first(self) -> listed.Layer:
        layer = super().first()
        layer.states.view(np.float64)[:, 1] = 1.0
        return layer

    def pulling(self, side: Side, before: Reached, ahead: Targets) -> Pulling:
        def more(first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
            # Several threads add theirs, so the last one may be another's.
            mine = np.zeros(2, dtype=np.int64)
            self._summed.append(mine)
            return np.empty(int(ahead.room[first:last].max()), dtype=np.int32), mine

        return Pulling(more)

    def summed(self) -> tuple[int, int]:
        """How many weights were added up since it was asked last, and how many in one sum at most."""
        summed, self._summed = self._summed, []
        return sum(int(ways) for ways, _ in summed), max((int(terms) for _, terms in summed), default=1)


class Steady:
    """The weights of the states far from the ends of a long board, on the march.

    column: the first number of columns after which the classes are those of any longer board.
    """

    def __init__(self, problem: Problem, cut: Cut, watch: Watch, machine: Machine, placed: int = 0) -> None:
        self.rows, self.half, self.watch, self.machine = problem.board.rows, cut.left, watch, machine
        self.placed = placed
        self.store, self.weights = machine.store, Weights()
        self._find_classes(cut)

    def bounds(self, saved: Checkpoint | None, resume: bool) -> Bounds:
        """Bounds as near to each other as they come."""
        layer, now = self._begin(saved, resume)
        try:
            while now.rounds < _MAX_ROUNDS and not now.is_done:
                layer, now = self._round(layer, now)
                if saved is not None:
                    saved.save(now._asdict(), {"weights": layer})
        except LimitReached as error:
            if now.low > 0:
                error.note = f"until then it is between {now.low!r} and {now.high!r}, which is proved"
            raise
        finally:
            if saved is not None:
                saved.sweep()
        return now

    def _round(self, before: listed.Layer, now: Bounds) -> tuple[listed.Layer, Bounds]:
        """One round of the power method: the weights two columns later, and the bounds that are known then."""
        layer, factor, ways, error = self._two_columns(before, now)
        low, high = _ratios(before, layer, self._apart()) if _is_same(before, layer) else (0.0, math.inf)
        # (A power of two rounds nothing.)
        low, high = low / factor, high / factor
        self.store.release("before")
        # Every vector gives bounds, so the best of all are right.
        now = Bounds(
            low=max(now.low, _root(low * (1 - 2 * error), -1)),
            high=min(now.high, _root(high * (1 + 2 * error), 1)),
            states=layer.size,
            ways=ways // PERIOD,
            rounds=now.rounds + 1,
            is_done=low > 0 and high - low < high * (_CLOSE + 4 * error),
        )
        return layer, now

    # -- classes

    def _find_classes(self, cut: Cut) -> None:
        """Find the classes after each step, and the column after which they come back."""
        self.side, _ = halves_of(cut)
        forward = listed.forward_classes(self.side, self._report_classes)
        (last,), _ = last_classes(cut, [self.side._replace(classes=forward)])
        useful = listed.keep_useful(self.side, [*forward[:-1], last], self._report_classes)
        for column in range(2, _COLUMNS - PERIOD + 1):
            places = [self.rows * column, self.rows * (column + PERIOD)]
            orders = [self._order(column, *(self._steady(classes[t]) for t in places)) for classes in (forward, useful)]
            if all(order is not None for order in orders):
                break
        else:
            raise AssertionError("the classes do not come back")
        # Before, a state may come from any with fewer ends; then all have those that are placed.
        kept = [self._steady(classes) if t >= places[0] else classes for t, classes in enumerate(useful)]
        self.column, self.side = column, self.side._replace(classes=kept[: places[-1] + 1])
        self._order_back = orders[-1]
        for classes in self.side.classes:
            self.store.take(classes.nbytes, "the list of the classes")

    def _steady(self, classes: np.ndarray) -> np.ndarray:
        """Those with as many ends of the tour placed as there are to be."""
        return classes[placed_in(classes) == self.placed]

    def _apart(self) -> np.ndarray:
        """A number for each class, so that no way leads from one to another: with an odd number of rows, by the colour
        of the end that is placed, which says how many more moves lead to squares of one colour."""
        classes, now = self.side.classes[self.rows * self.column], self.half.slots_at[self.rows * self.column]
        signs = [0] * slots_of_arrays(self.half.slots)
        for square, slot in now.items():
            signs[slot] = self.rows % 2 * (1 - sum(divmod(square, 2 * _COLUMNS + 2)) % 2 * 2)
        surplus = listed.sums_of_slots(signs)
        return np.unique(surplus[ends_of(classes)] + 2 * surplus[inner_of(classes)], return_inverse=True)[1]

    def _order(self, column: int, wanted: np.ndarray, found: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Which of the classes found two columns after `column` is each that was wanted there, and by which of the
        turns its words are turned: int64, int64; None where they are others."""
        if len(wanted) != len(found):
            return None
        plain, turn = self._turns(column)
        moved = flipped(found, listed.flip_table(plain))
        images = flipped(found, listed.flip_table(turn))
        is_image = images < moved
        index = self.side.numbering
        places = index.of(np.where(is_image, images, moved))
        order = np.argsort(places).astype(np.int64)
        if (places[order] != index.of(wanted)).any():
            return None
        return order, is_image[order].astype(np.int64)

    def _turns(self, column: int) -> tuple[np.ndarray, np.ndarray]:
        """The slots that those in use two columns after `column` are to be in, and those of the flip of the board."""
        rows, slots_at, fold = self.rows, self.half.slots_at, self.half.folds[self.rows * column - 1]
        now = slots_at[rows * column]
        later = {square - PERIOD: slot for square, slot in slots_at[rows * (column + PERIOD)].items()}
        check_own_answer(
            now.keys() == later.keys() and len(now) == 2 * rows, "the slots of two columns must be the same"
        )
        image = np.arange(slots_of_arrays(self.half.slots), dtype=np.int64)
        spare = [slot for slot in range(len(image)) if slot not in now.values()]
        for slot in range(len(image)):
            if slot not in later.values():
                image[slot] = spare.pop()
        for square, slot in later.items():
            image[slot] = now[square]
        return image, fold[image]

    # -- layers

    def _begin(self, saved: Checkpoint | None, resume: bool) -> tuple[listed.Layer, Bounds]:
        """The layer to go on with, and the bounds so far."""
        first = self.rows * self.column
        details = saved.begin(resume) if saved is not None else None
        if saved is not None and details is not None and saved.has("weights"):
            saved.sweep()
            return saved.load("weights", self.side.classes[first]), Bounds(**details)
        self._report_as("making the states of the first columns")
        *_, reached = self.machine.layers(self.weights, self.side, last=first)
        self.weights.summed()
        order = np.arange(len(reached.layer.classes), dtype=np.int64)
        same = np.arange(slots_of_arrays(self.half.slots), dtype=np.int64)
        return self._arranged(reached.layer, order, np.zeros_like(order), [same])[0], NOTHING_KNOWN

    def _two_columns(self, before: listed.Layer, now: Bounds) -> tuple[listed.Layer, float, int, float]:
        """The layer two columns later, in the same slots and order, and what its weights were multiplied by; how many
        were added up, and the relative error of each sum at most. The store keeps the layer before."""
        self._report_as(
            f"between {now.low:.13g} and {now.high:.13g}" if now.low > 0 else "making the states of all columns"
        )
        self.store.kept["before"] = before
        layer, ways, rounding = before, 0, 2.0
        reached = Reached(self.rows * self.column, before)
        for after in self.machine.layers(self.weights, self.side, reached, len(self.side.classes) - 1):
            layer = after.layer
            seen, terms = self.weights.summed()
            ways += seen
            rounding += terms
        assert self._order_back is not None
        return *self._arranged(layer, *self._order_back, self._turns(self.column)), ways, rounding * _ROUNDING

    def _report_as(self, text: str) -> None:
        machine = self.machine
        machine.report = lambda: self.watch.report(text, None, machine.states, self.store.held)

    def _arranged(
        self, layer: listed.Layer, order: np.ndarray, turns: np.ndarray, images: Sequence[np.ndarray]
    ) -> tuple[listed.Layer, float]:
        """The layer with its lists in this order, slots turned to images[turns[j]], each sorted by its words; its
        weights are divided by their mean, about. And what they were multiplied by. The layer itself is dropped."""
        factor = 2.0 ** -round(math.log2(float(layer.masses.sum()) / max(layer.size, 1)))
        tables = np.stack([listed.turn_table(image) for image in images])
        lengths = layer.lengths[order]
        states = StateList(self.store, layer.size)
        copied = (order, turns, tables, layer.offsets, layer.lengths, np.asarray(layer.states))
        for first, last in listed.spans(len(order), _CLASSES):
            out = np.empty((int(lengths[first:last].sum()), 2), dtype=np.int64)
            door("lists_bring_in_order")(*copied, out, first, last)
            out.view(np.float64)[:, 1] *= factor
            states.append(out)
        self.store.drop(layer)
        classes = self.side.classes[self.rows * self.column]
        masses = layer.masses[order] * factor
        return listed.Layer(classes, np.cumsum(lengths) - lengths, lengths, states.finish(), masses), factor

    def _report_classes(self) -> None:
        self.watch.report("listing the classes of states", None)


def _is_same(one: listed.Layer, other: listed.Layer) -> bool:
    """Whether two layers have the same states, in the same order."""
    if (one.lengths != other.lengths).any():
        return False
    pieces = listed.spans(len(one.states), _PIECE)
    return all((one.states[first:end, 0] == other.states[first:end, 0]).all() for first, end in pieces)


def _ratios(before: listed.Layer, after: listed.Layer, groups: np.ndarray) -> tuple[float, float]:
    """The least and the greatest ratio of the weight after to that before, in layers of the same states, for the group
    of classes that grows fastest."""
    low, high = np.full(groups.max() + 1, math.inf), np.zeros(groups.max() + 1)
    (used,) = np.nonzero(before.lengths)
    for some in (used[first:end] for first, end in listed.spans(len(used), _CLASSES)):
        begin, end = before.offsets[some[0]], before.offsets[some[-1]] + before.lengths[some[-1]]
        old, new = (layer.states[begin:end].view(np.float64)[:, 1] for layer in (before, after))
        if old.min() < _TINY:
            raise AssertionError("the vector has numbers too small for bounds")
        starts, ratios = before.offsets[some] - begin, new / old
        np.minimum.at(low, groups[some], np.minimum.reduceat(ratios, starts.astype(np.intp)))
        np.maximum.at(high, groups[some], np.maximum.reduceat(ratios, starts.astype(np.intp)))
    return float(low[high > 0].max()), float(high.max())


def _root(value: float, towards: int) -> float:
    """The root of a growth over two columns, moved a little towards 0 or upwards, for its own rounding."""
    return math.sqrt(value) * (1 + 4 * towards * _ROUNDING)
