"""Encoding "words of a strip": the states between two columns, and the ways through one, for up to 6 rows.

It is the transfer graph of narrow.py without the ways that complete a tour, with a state and its mirror image as one,
and made by a kernel: 6 rows have 267 thousand states between columns, and 8 million ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from knightstour.core.kernels.counting import strips as kernel
from knightstour.core.machine.native import door
from knightstour.core.model.board import Square
from knightstour.core.model.indices import bincount, reduceat, repeat
from knightstour.core.model.wording import in_words
from knightstour.core.search.frontier import marching
from knightstour.lab.counting.settings import Watch

# With 7 rows the words have no value left for a path that ends in an end of the tour.
MOST_ROWS = 6
# States that a call of the kernel deals with.
_SLICE = 1 << 16
# Ways whose values are added up at a time.
_CHUNK = 1 << 23


def bare(rows: int) -> int:
    """The word of the state in which no square has a move."""
    return sum(k << (4 * k) for k in range(2 * rows + 1))


@dataclass(slots=True, eq=False)
class Layer:
    """The states before one row of a column is dealt with, and the ways to those before the next.

    words: uint64 (states,). State s has the ways offsets[s] .. offsets[s + 1] - 1, int64; way e leads to state
    targets[e] of the next layer, int32.
    """

    words: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.offsets) - 1

    def pieces(self) -> Iterator[tuple[int, int]]:
        """The first and the end of pieces of the states whose ways are added up at a time."""
        low = 0
        while low < self.states:
            high = int(np.searchsorted(self.offsets, self.offsets[low] + _CHUNK, side="right")) - 1
            high = min(max(high, low + 1), self.states)
            yield low, high
            low = high


class StripGraph:
    """All states that follow from some, in as many layers as there are rows. Vectors have an item for each state
    between two columns.

    >>> graph = StripGraph(3, [bare(3)])
    >>> graph.states, graph.ways
    (75, 400)
    """

    def __init__(self, rows: int, seeds: Iterable[int], watch: Watch | None = None) -> None:
        self.rows = rows
        makers = [_Maker() for _ in range(rows)]
        makers[0].begin(sorted(set(seeds)))
        while any(maker.done < maker.count for maker in makers):
            for row, maker in enumerate(makers):
                following = makers[(row + 1) % rows]
                while maker.done < maker.count:
                    maker.deal(row, rows, following)
                    _report(watch, makers)
        # The index is not needed any longer, and takes as much as the ways.
        self.layers = []
        while makers:
            self.layers.append(makers.pop(0).layer())

    @property
    def words(self) -> np.ndarray:
        """The words of the states between two columns."""
        return self.layers[0].words

    @property
    def states(self) -> int:
        """Number of states between two columns."""
        return self.layers[0].states

    @property
    def ways(self) -> int:
        """Number of ways from row to row."""
        return sum(len(layer.targets) for layer in self.layers)

    def pulled(self, values: np.ndarray) -> np.ndarray:
        """For each state the sum of the values to which the ways through a column lead: float64.

        Each layer adds at most 6 numbers, so that the result is as exact as 6 * rows roundings are.
        """
        for layer in reversed(self.layers):
            sums = np.zeros(layer.states)
            for low, high in layer.pieces():
                offsets = layer.offsets[low : high + 1] - layer.offsets[low]
                found = values[layer.targets[layer.offsets[low] : layer.offsets[high]]]
                has_ways = offsets[:-1] < offsets[1:]
                if len(found):
                    sums[low:high][has_ways] = reduceat(np.add, found, offsets[:-1][has_ways])
            values = sums
        return values

    def pushed(self, values: np.ndarray) -> np.ndarray:
        """For each state the sum of the values from which the ways through a column come: float64."""
        for row, layer in enumerate(self.layers):
            following = self.layers[(row + 1) % self.rows].states
            sums = np.zeros(following)
            for low, high in layer.pieces():
                weights = repeat(values[low:high], np.diff(layer.offsets[low : high + 1]))
                targets = layer.targets[layer.offsets[low] : layer.offsets[high]]
                sums += bincount(targets, weights=weights, minlength=following)
            values = sums
        return values


class _Maker(marching.Layer):
    """A layer while it is made, with its `ways`."""

    def __init__(self) -> None:
        super().__init__(1, 1024, ())
        self.offsets = np.zeros(1025, dtype=np.int64)
        self.targets = np.zeros(2048, dtype=np.int32)
        self.ways = 0

    @property
    def bytes(self) -> int:
        return super().bytes + self.offsets.nbytes + self.targets.nbytes

    def begin(self, words: Sequence[int]) -> None:
        """Enter the first states, which differ."""
        while self.room < len(words) + kernel.MOST_WAYS:
            self.grow()
        self.keys.words[: len(words), 0] = words
        self.count = len(words)
        door("march_reindex")(self.keys, 1, 0, self.count)

    def deal(self, row: int, rows: int, following: _Maker) -> None:
        """Deal with some states, as far as there is room; else make room."""
        if len(self.offsets) <= self.count:
            self.offsets = np.resize(self.offsets, max(self.count + 1, len(self.offsets) * 3 // 2))
        upto = min(self.count, self.done + _SLICE)
        counters = np.array([self.done, following.count, self.ways], dtype=np.int64)
        layer = kernel.Layer(counters, self.keys.words.ravel(), self.offsets, self.targets, following.keys)
        door("strips_spread")(rows, row, layer, upto)
        self.done, following.count, self.ways = map(int, counters)
        if self.done < upto and self.ways + kernel.MOST_WAYS > len(self.targets):
            self.targets = np.resize(self.targets, len(self.targets) * 3 // 2)
        if self.done < upto and following.count + kernel.MOST_WAYS > following.room:
            following.grow()

    def layer(self) -> Layer:
        """What was made, without the room that is left."""
        words, offsets = self.keys.words[: self.count, 0], self.offsets[: self.count + 1]
        return Layer(words.copy(), offsets.copy(), self.targets[: self.ways].copy())


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
            ended = ended & ~(15 << (4 * code)) | (kernel.LOOSE << (4 * code))
            found.add(kernel.lower_of_both(ended, rows))
    return sorted(found)


def words_of(squares: Sequence[Square], rows: int, cols: int, *, closed: bool) -> list[int]:
    """The states that a tour passes through: before columns 0, 1, 2, ..., cols - 2."""
    beyond = len(squares)
    around = [*range(len(squares)), *([] if closed else [beyond])]
    columns = [col for _, col in squares] + [cols]
    found = []
    for here in range(cols - 1):
        word = bare(rows)
        # Moves are made that have an end before column `here`; they make paths of squares next to each other in order.
        is_made = [min(columns[a], columns[b]) < here for a, b in zip(around, [*around[1:], around[0]], strict=True)]
        if any(is_made):
            start = is_made.index(False) + 1
            path: list[int] = []
            for k in range(start, start + len(around)):
                a, made = around[k % len(around)], is_made[k % len(around)]
                path.append(a)
                if made:
                    continue
                word = _with_path(word, path, squares, here, rows, beyond)
                path = []
        found.append(kernel.lower_of_both(word, rows))
    return found


def _with_path(word: int, path: Sequence[int], squares: Sequence[Square], here: int, rows: int, beyond: int) -> int:
    """The word with a path of squares, by their places in the tour."""

    def place(k: int) -> int:
        row, col = squares[k]
        return (col - here) * rows + row

    if len(path) == 1:
        return word
    for k in path[1:-1]:
        if k != beyond and place(k) >= 0:
            word |= kernel.FULL << (4 * place(k))
    for end, other in ((path[0], path[-1]), (path[-1], path[0])):
        if end != beyond:
            code = kernel.LOOSE if other == beyond else place(other)
            word = word & ~(15 << (4 * place(end))) | (code << (4 * place(end)))
    return word
