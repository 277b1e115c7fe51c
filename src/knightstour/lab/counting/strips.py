"""Encoding "words of a strip": the transfer graph of boards of up to 6 rows and any length.

The frontier search (core/search/frontier) along a board of `rows` rows does the same thing in every column. When it
comes to a column, all that matters is the state of this column and the next: which squares are bare, inner or mates of
each other. The states that one column leads to do not depend on which column it is. So the states form a graph, the
*transfer graph*: start with the state e in which all squares are bare, and deal with one column after another until no
new state appears. A state and its mirror image are one. With T the matrix of that graph, and f(s) the number of ways to
complete a tour from state s with the last three columns, the number of tours is

    a(n) = e T^(n-3) f    for n >= 3.

(A tour is completed only in the last three columns, since earlier ones have no moves to the last column.) For open
tours one more square is added, beyond the board and next to all others, where the two ends of a tour meet.

Cost: 6 rows, closed, have 267 thousand states between columns, and 8 million ways, made in a second.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting import strips as kernel
from knightstour.core.machine.native import door
from knightstour.core.model.wording import in_words
from knightstour.core.search.frontier import marching
from knightstour.lab.counting.network import Ways
from knightstour.lab.counting.settings import Watch

MOST_ROWS = kernel.MOST_ROWS
# States that a call of the kernel deals with.
_SLICE = 1 << 16
# Columns to make before the growth of the numbers is known; it is measured in the second half of them.
_POWERS = 40

# Called with the number of columns that are done.
OnColumn = Callable[[int], None]


def bare(rows: int, cols: int = 3) -> int:
    """The word of the state in which no square has a move. cols: how many columns there are, 3 for 3 or more."""
    return sum((k if k < rows * cols else kernel.FULL) << (4 * k) for k in range(2 * rows + 1))


class Layer(NamedTuple):
    """The states before a square is dealt with, uint64 (states,), and the ways to those before the next."""

    words: np.ndarray
    ways: Ways


class StripGraph:
    """All states that follow from some, in as many layers as there are rows. Vectors have an item for each state
    between two columns.

    is_open: whether ways may place an end of the tour.

    >>> graph = StripGraph(3, [bare(3)])
    >>> graph.states, graph.ways
    (75, 400)
    """

    def __init__(self, rows: int, seeds: Sequence[int], watch: Watch | None = None, *, is_open: bool = False) -> None:
        self.rows = rows
        self.rules = [kernel.Rule(rows, row, int(is_open), 0) for row in range(rows)]
        self.layers = _deal([_Maker(seeds if row == 0 else ()) for row in range(rows)], self.rules, watch)

    @property
    def words(self) -> np.ndarray:
        """The words of the states between two columns."""
        return self.layers[0].words

    @property
    def states(self) -> int:
        """Number of states between two columns."""
        return len(self.words)

    @property
    def ways(self) -> int:
        """Number of ways from row to row."""
        return sum(len(layer.ways.targets) for layer in self.layers)

    def pulled(self, values: np.ndarray, prime: int = 0) -> np.ndarray:
        """For each state the sum of the values to which the ways through a column lead; modulo a prime if given.

        Each layer adds at most 6 numbers where no end is placed, so that floats are as exact as 6 * rows roundings are.
        """
        for layer in reversed(self.layers):
            values = layer.ways.pulled(values)
            if prime:
                values %= prime
        return values

    def pushed(self, values: np.ndarray) -> np.ndarray:
        """For each state the sum of the values from which the ways through a column come."""
        for row, layer in enumerate(self.layers):
            values = layer.ways.pushed(values, len(self.layers[(row + 1) % self.rows].words))[:-1]
        return values


class TransferGraph(StripGraph):
    """The transfer graph of boards of `rows` rows, from which the numbers of their tours are read.

    endings: for each state the number of ways to complete a tour from it with three columns. short: a(0), a(1), a(2).

    >>> graph = TransferGraph(3, closed=True)
    >>> graph.terms(15)
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 176, 0, 1536]
    """

    def __init__(self, rows: int, *, closed: bool) -> None:
        super().__init__(rows, [bare(rows)], is_open=not closed)
        self.closed = closed
        self.endings = endings(rows, self.words.tolist(), is_open=not closed)
        one, two = (int(endings(rows, [bare(rows, n)], is_open=not closed, cols=n)[0]) for n in (1, 2))
        # One square is a tour by itself, and the only one without a move.
        self.short = (0, one + int(rows == 1 and not closed), two)

    def terms(self, count: int, prime: int = 0, on_column: OnColumn | None = None) -> list[int]:
        """a(0) .. a(count - 1): exact, or modulo a prime below 2**31. on_column: called with each n."""
        found = [a % prime if prime else a for a in self.short[:count]]
        values = self.endings % prime if prime else self.endings
        while len(found) < count:
            # State 0 is the one in which all squares are bare.
            found.append(int(values[0]))
            if on_column is not None:
                on_column(len(found) - 1)
            values = self.pulled(values, prime)
        return found

    def bits_per_column(self) -> float:
        """How many bits the number of tours grows by with each column, in the limit: by the power method."""
        values = self.endings.astype(float)
        bits = 0.0
        for column in range(_POWERS):
            values = self.pulled(values)
            largest = float(values.max())
            values /= largest
            if column >= _POWERS // 2:
                bits += math.log2(largest)
        return bits / (_POWERS - _POWERS // 2)


def endings(rows: int, words: Sequence[int], *, is_open: bool, cols: int = 3) -> np.ndarray:
    """For each of some states the number of ways to complete a tour with the last `cols` columns."""
    values = np.zeros(0, dtype=np.int64)
    for layer in reversed(last_columns(rows, words, is_open=is_open, cols=cols)[1]):
        values = layer.ways.pulled(np.append(values, np.ones(1, dtype=values.dtype)))
    return values


def last_columns(
    rows: int, words: Sequence[int], *, is_open: bool, cols: int = 3
) -> tuple[list[kernel.Rule], list[Layer]]:
    """The last columns, 1 to 3, after some states: how each square is dealt with, and the layers before."""
    # No square comes in behind the last column; 2 * rows + 1 squares are seen beside the current one.
    squares = range((3 - cols) * rows, 3 * rows)
    rules = [kernel.Rule(rows, t % rows, int(is_open), int(t >= rows - 1)) for t in squares]
    return rules, _deal([_Maker(words if k == 0 else ()) for k in range(len(rules) + 1)], rules, None)


# ---------------------------------------------------------------- making the states


class _Maker(marching.Layer):
    """A layer while it is made, with its `ways`."""

    def __init__(self, seeds: Sequence[int]) -> None:
        """seeds: words of the first states, which differ."""
        super().__init__(1, max(1024, 2 * len(seeds)), ())
        self.offsets = np.zeros(self.room + 1, dtype=np.int64)
        self.targets = np.zeros(2048, dtype=np.int32)
        self.ways = 0
        self.count = len(seeds)
        self.keys.words[: self.count, 0] = seeds
        door("march_reindex")(self.keys, 1, 0, self.count)

    @property
    def bytes(self) -> int:
        return super().bytes + self.offsets.nbytes + self.targets.nbytes

    def deal(self, rule: kernel.Rule, following: _Maker) -> None:
        """Deal with some states, as far as there is room; else make room."""
        if len(self.offsets) <= self.count:
            self.offsets = np.resize(self.offsets, max(self.count + 1, len(self.offsets) * 3 // 2))
        upto = min(self.count, self.done + _SLICE)
        counters = np.array([self.done, following.count, self.ways], dtype=np.int64)
        sources = self.keys.words.ravel()
        if following is self:
            # One row follows itself, and a kernel does not read what it writes to.
            sources = sources.copy()
        layer = kernel.Layer(counters, sources, self.offsets, self.targets, following.keys)
        door("strips_spread")(rule, layer, upto)
        self.done, following.count, self.ways = map(int, counters)
        if self.done < upto and self.ways + kernel.MOST_WAYS > len(self.targets):
            self.targets = np.resize(self.targets, len(self.targets) * 3 // 2)
        if self.done < upto and following.count + kernel.MOST_WAYS > following.room:
            following.grow()

    def layer(self) -> Layer:
        """What was made, without the room that is left."""
        words, offsets = self.keys.words[: self.count, 0], self.offsets[: self.count + 1]
        codes = np.zeros(0, dtype=np.int32)
        return Layer(words.copy(), Ways(offsets.copy(), self.targets[: self.ways].copy(), codes))


def _deal(makers: list[_Maker], rules: Sequence[kernel.Rule], watch: Watch | None) -> list[Layer]:
    """Deal with all states, and what follows from them: a layer for each rule. The list of makers is emptied.

    Where there are no more makers than rules, the first one follows the last.
    """
    while any(maker.done < maker.count for maker in makers[: len(rules)]):
        for t, rule in enumerate(rules):
            maker, following = makers[t], makers[(t + 1) % len(makers)]
            while maker.done < maker.count:
                maker.deal(rule, following)
                _report(watch, makers)
    del makers[len(rules) :]
    # The index is not needed any longer, and takes as much as the ways.
    layers = []
    while makers:
        layers.append(makers.pop(0).layer())
    return layers


def _report(watch: Watch | None, makers: Sequence[_Maker]) -> None:
    if watch is None:
        return
    held = sum(maker.bytes for maker in makers)
    if watch.most_bytes is not None and held > watch.most_bytes:
        raise watch.stopped(f"the states would need more than {in_words(watch.most_bytes)} of memory")
    watch.report("finding the states of a strip", None, sum(maker.count for maker in makers), held)


# ---------------------------------------------------------------- words


def loosened(words: np.ndarray, rows: int) -> list[int]:
    """The states that follow from some without an end of the tour, when a square of the next column becomes one."""
    found: set[int] = set()
    for word in words.tolist():
        for k in range(rows):
            code = (word >> (4 * k)) & 15
            if code == kernel.FULL:
                continue
            # The far end of the path that ends there, or the square itself.
            ended = word if code == k else word | (kernel.FULL << (4 * k))
            ended = ended & ~(15 << (4 * code)) | (kernel.BEYOND << (4 * code))
            found.add(kernel.lower_of_both(ended, rows))
    return sorted(found)
