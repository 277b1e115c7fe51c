"""Storage "keep all" of lists: ranks for the tours of large boards, from the layers of both halves.

All lists of the count by halves are kept, and single tours are found in them. Tours are ordered by

1. the class of the left half after its middle moves, by index (the right half then has the partner class),
2. the word of the left half: the pairing of its ends (by the rank of that matching),
3. the word of the right half (by rank, in the slots of the left half), among the words that form one cycle with the
   left one,
4. the index of the right half among the halves with that class and word, and
5. the index of the left half.

The number of tours of each class is stored; the rest is computed for each tour. The lists of the class and its partner
are gathered, the left words are completed, and then both halves are followed backwards through their layers. From a
state, the incoming edges of its class are examined in order of their sources. Each operation is reversed in all
possible ways, and the result is looked up in the sorted list of the source. (To reverse a joining of two paths, each
path is cut in two, in both directions, by the lowest slot first.) Each state found represents as many ranks as its
count, which fixes the order.

Layers are not folded here, so that each partial tour occurs exactly once. If the halves are images of each other, only
one of them is kept.

Cost: 8x8 closed needs about 11 s of processor time and 1.4 GB, and then 0.3 ms per tour. Ranks here start at 0.
"""

from __future__ import annotations

import functools
import itertools
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting import join as kernel
from knightstour.core.machine import memory
from knightstour.core.machine.native import BoundFunction, kernel_function
from knightstour.core.model import wording
from knightstour.core.model.board import title_of
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.facts import components
from knightstour.lab.counting.halves import layers as lists
from knightstour.lab.counting.halves import middle
from knightstour.lab.counting.halves.cut import SLOTS, Cut, Half, make_cut
from knightstour.lab.counting.halves.layers import Side
from knightstour.lab.counting.halves.machine import Counts, Machine, Threads
from knightstour.lab.counting.needs import NUMBERING, STATES_SHARE
from knightstour.lab.counting.plan import refuse
from knightstour.lab.counting.settings import CountProgress
from knightstour.lab.counting.ways import HALVES, Evidence, Fit, Task

# Classes sorted or joined, or tours unranked, in one piece of work.
_SORT_CLASSES = 1 << 10
_JOIN_CLASSES = 256
_TOURS = 64
# Fractions of the time, on 8x8, until the classes are listed and until the layers are built.
_PART_OF_CLASSES, _PART_OF_LAYERS = 0.15, 0.6
_MAX_INT64 = 1 << 62
# Maximum for a class, so that the sums of kernels stay below 2**63.
_MAX_IN_A_CLASS = 1 << 62
_MASK = (1 << SLOTS) - 1


class HalvesSpace:
    """All tours of a problem, ranked from 0, as pairs of halves.

    count: number of tours. arrays: all data by name: the left and the right half, the classes in which halves are
    joined, and the number of tours of each. cut: the cut of the board. tools: kernel arguments, created on first use.
    """

    numbering = "halves 1"

    def __init__(self, problem: Problem, arrays: dict[str, np.ndarray], threads: int | None = None) -> None:
        cut = make_cut(problem, fold=False)
        assert cut is not None
        if arrays["cut"].tolist() != _fingerprint(cut).tolist():
            raise ValueError("the board was cut differently")
        self.problem = problem
        self.cut = cut
        self.arrays = arrays
        self.threads = threads
        self.size = problem.board.rows * problem.board.cols
        self.finals = arrays["finals"]
        places, links = (_TOURS, kernel.PLACE), (_TOURS, self.size, 2)
        # A kernel is bound once to the arrays for the tours of a piece of work.
        self._unranking = middle.Join[None](self._bind_unranking, lambda: _empty(places, links))
        self._ranking = middle.Join[None](self._bind_ranking, lambda: _empty(links, places))
        self.read_totals()

    def read_totals(self) -> None:
        """Read the totals of the classes from the arrays, in digits of 31 bits."""
        digits = self.arrays["totals"]
        sizes = np.array([float(2 ** (31 * j)) for j in range(digits.shape[1])])
        exact = np.int64 if float((digits.sum(axis=0) * sizes).sum()) < _MAX_INT64 else object
        totals = np.zeros(len(digits), dtype=exact)
        for j in range(digits.shape[1]):
            totals += digits[:, j].astype(exact) << (31 * j)
        if (totals >= _MAX_IN_A_CLASS).any():
            raise CountProgress(self.problem).limit_error(
                f"numbering the tours of {self.problem.board} is infeasible: too many share the same middle",
                note="one class must have fewer than 2**62 tours",
                help="count(board) counts them, and sample(board, n) draws random ones",
            )
        self._begins = np.concatenate([np.zeros(1, dtype=exact), np.cumsum(totals)])
        self.count = int(self._begins[-1])

    @functools.cached_property
    def tools(self) -> Tools:
        cut, arrays = self.cut, self.arrays
        halves: list[kernel.Half] = []
        names = ("left", "left" if cut.is_even else "right")
        same = np.arange(self.size, dtype=np.int64)
        images = (same, mirror(self.problem) if cut.is_mirrored else same)
        sides = middle.halves_of(cut)
        last = [lists.Layer(*(arrays[f"{name}_last_{key}"] for key in _LAST)) for name in names]
        for k, side in enumerate(middle.sides_of(cut, sides, last)):
            chain = _chain(sides[k].half, {key: arrays[f"{names[k]}_{key}"] for key in _CHAIN}, images[k])
            halves.append(kernel.Half(chain, side))
        # Every class is joined with its partner, also if a count could omit it by symmetry.
        fit = middle.fit_of(cut)._replace(is_even=0, joins_folded=0)
        places = np.argsort(self.finals, kind="stable").astype(np.int64)
        space = kernel.Space(halves[0], halves[1], fit, lists.turn_table(fit.slot_to_right))
        return Tools(space, middle.make_tables(), self.finals[places], places)

    # -- construction

    @classmethod
    def build(cls, problem: Problem, budget: Budget | None = None, *, threads: int | None = None) -> HalvesSpace:
        """Build the layers, and count the tours of each class.

        Raises LimitReached immediately if there are too many states (plan.py), or at a limit,
        layers.CountsTooLarge if counts exceed 62 bits.
        """
        with Threads(threads) as pool:
            return _SpaceMaker(problem, budget, pool).run()

    # -- from ranks to tours

    def links(self, numbers: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the one or two neighbours of each square in the tours of these ranks, or -1: int64 (n, size, 2)."""
        wanted = np.array(numbers, dtype=self._begins.dtype)
        classes = (np.searchsorted(self._begins, wanted, side="right") - 1).astype(np.int64)
        # Tours of one class share its work.
        order = np.argsort(classes, kind="stable")
        wanted, classes = wanted[order], classes[order]
        tours = np.zeros((len(wanted), kernel.PLACE), dtype=np.int64)
        tours[:, 0], tours[:, 1] = classes, wanted - self._begins[classes]
        links = np.empty((len(wanted), self.size, 2), dtype=np.int64)

        def unrank(mine: middle.Scratch, first: int, last: int) -> None:
            count, (places, found) = last - first, mine.own
            places[:count], found[:count] = tours[first:last], -1
            mine.work(0, count)
            links[order[first:last]] = found[:count]

        self._in_parts(self._unranking, unrank, len(wanted))
        return links

    def _bind_unranking(self, mine: middle.Scratch) -> BoundFunction:
        places, links = mine.own
        room = (mine.room, self.tools.tables, mine.counters)
        return kernel_function("space_unrank").bind(self.finals, places, self.tools.space, *room, links, self.size)

    # -- from tours to ranks

    def numbers(self, links: np.ndarray) -> list[int]:
        """Return the ranks of tours of the space, given as by `links`."""
        found = np.zeros((len(links), kernel.PLACE), dtype=np.int64)

        def rank(mine: middle.Scratch, first: int, last: int) -> None:
            count, (given, places) = last - first, mine.own
            given[:count], places[:count] = links[first:last], 0
            mine.work(0, count)
            found[first:last] = places[:count]

        self._in_parts(self._ranking, rank, len(links))
        begins = self._begins[found[:, kernel.CLASS]]
        return [int(a) + int(b) for a, b in zip(begins, found[:, kernel.NUMBER], strict=True)]

    def _bind_ranking(self, mine: middle.Scratch) -> BoundFunction:
        room = (mine.room, self.tools.tables, mine.counters)
        where = (self.tools.rising, self.tools.places, self.tools.space)
        return kernel_function("space_rank").bind(*where, *room, *mine.own, self.size)

    def _in_parts(self, join: middle.Join[None], work: Callable[[middle.Scratch, int, int], None], count: int) -> None:
        """Process tours 0 .. count - 1, in threads if there are many."""
        with Threads(self.threads) as pool:
            deque(join.each(pool, list(lists.spans(count, _TOURS)), work), maxlen=0)

    # -- as arrays

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return all data by name, except the problem."""
        return self.arrays

    @classmethod
    def from_arrays(cls, problem: Problem, arrays: dict[str, np.ndarray]) -> HalvesSpace:
        return cls(problem, arrays)


_CHAIN = ("class_at", "classes", "begins", "words", "counts", "edge_starts", "edges")
_LAST = ("classes", "offsets", "lengths", "states", "masses")


def _empty(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    return [np.empty(shape, dtype=np.int64) for shape in shapes]


class Tools(NamedTuple):
    """Kernel arguments. rising, places: the final classes sorted, and their former positions."""

    space: kernel.Space
    tables: kernel.Tables
    rising: np.ndarray
    places: np.ndarray


def _fingerprint(cut: Cut) -> np.ndarray:
    """Return a checksum of the cut: int64 (1,)."""
    parts = [cut.left.steps, cut.right.steps, cut.left.moves, cut.right.moves, cut.to_left]
    text = b"".join(np.ascontiguousarray(part, dtype="<i8").tobytes() for part in parts)
    return np.array([zlib.crc32(text)], dtype=np.int64)


def partners(cut: Cut, fit: kernel.Fit, finals: np.ndarray) -> np.ndarray:
    """Return the right classes that complete the left ones."""
    inner, ends = finals >> 16 & _MASK, finals & _MASK
    bare = fit.present & ~inner & ~ends
    return (cut.ends - (finals >> 32)) << 32 | fit.to_right[bare] << 16 | fit.to_right[ends]


def mirror(problem: Problem) -> np.ndarray:
    """Return the image of each square number in the mirror that swaps the short sides."""
    board = problem.board
    grid = np.arange(board.rows * board.cols, dtype=np.int64).reshape(board.rows, board.cols)
    return (grid[::-1] if board.rows > board.cols else grid[:, ::-1]).ravel()


def _chain(half: Half, arrays: dict[str, np.ndarray], image: np.ndarray) -> kernel.Chain:
    """Return a half as kernel arguments. image: from squares of the half to the board."""
    count = len(half.steps)
    square_in = np.full((count, SLOTS), -1, dtype=np.int64)
    slot_of = np.full((count, len(image)), -1, dtype=np.int64)
    for t in range(count):
        for square, slot in half.slots_after(t).items():
            square_in[t, slot] = image[square]
            slot_of[t, image[square]] = slot
    square_of_slot = {slot: int(image[square]) for square, slot in half.slot_of.items()}
    moves = [(square_of_slot[a], square_of_slot[b]) for a, b in half.moves.tolist()]
    return kernel.Chain(
        **arrays,
        steps=half.steps,
        square_at=image[np.array(half.step_squares, dtype=np.int64)],
        square_in=square_in,
        slot_of=slot_of,
        moves=np.array(moves, dtype=np.int64).reshape(-1, 2),
    )


def _concatenate(parts: list[np.ndarray]) -> np.ndarray:
    """Concatenate the parts; empty the list meanwhile, to save memory."""
    kind = np.result_type(*parts) if parts else np.int64
    whole = np.empty(sum(len(part) for part in parts), dtype=kind)
    place = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        whole[place : place + len(part)] = part
        place += len(part)
    return whole


# ---------------------------------------------------------------- construction of layers


class _SpaceMaker:
    def __init__(self, problem: Problem, budget: Budget | None, threads: Threads) -> None:
        cut = make_cut(problem, fold=False)
        assert cut is not None
        self.problem, self.cut = problem, cut
        self.watch = CountProgress(problem, budget, "halves")
        self.most_bytes = self.watch.most_bytes or int(memory.available_bytes() * STATES_SHARE)
        refuse(Fit(HALVES, Task(problem, purpose=NUMBERING), Evidence(cut=cut)), self.most_bytes)
        self.machine = Machine(threads, report=self._report)
        self.machine.keeps_edges = True
        self.arrays: dict[str, np.ndarray] = {}
        self.done = 0.0

    def run(self) -> HalvesSpace:
        # Each half stores its own data, even if both begin alike.
        classes = middle.find_classes(self.cut._replace(shared=0), self._report_classes)
        self.arrays["cut"] = _fingerprint(self.cut)
        self.arrays["finals"] = finals = classes.finals
        for k, side in enumerate(classes.distinct):
            upto = _PART_OF_CLASSES + (_PART_OF_LAYERS - _PART_OF_CLASSES) * (k + 1) / len(classes.distinct)
            self._make_half(("left", "right")[k], side, upto)
        self.arrays["totals"] = np.zeros((len(finals), 1), dtype=np.int64)
        space = HalvesSpace(self.problem, self.arrays, self.machine.threads.count)
        self._add_totals(space)
        space.read_totals()
        return space

    def _report(self, states: int = 0) -> None:
        self.watch.spend(states, self.done)

    def _report_classes(self, done: int, todo: int) -> None:
        self.done = _PART_OF_CLASSES * done / todo
        self._report()

    def _check_memory(self, parts: dict[str, list[np.ndarray]], layer: lists.Layer) -> None:
        held = sum(array.nbytes for array in self.arrays.values()) + layer.states.nbytes
        held += sum(array.nbytes for arrays in parts.values() for array in arrays)
        if held > self.most_bytes:
            raise self.watch.limit_error(
                f"the halves would need more than {wording.in_words(self.most_bytes)} of memory "
                f"({self.machine.states:,} states were made)"
            )

    def _make_half(self, name: str, side: Side, upto: float) -> None:
        """Build the sorted layers of a half. upto: fraction of the work that is done afterwards."""
        parts: dict[str, list[np.ndarray]] = {key: [] for key in ("classes", "begins", "words", "counts", "edges")}
        edge_starts = [np.zeros(len(side.classes[0]) + 1, dtype=np.int64)]
        states = edges_made = 0
        # Later classes have more states.
        weights = np.cumsum([(t + 1) * len(some) for t, some in enumerate(side.classes)], dtype=np.int64)
        done = self.done + (upto - self.done) * weights / max(1, weights[-1])
        start = self.machine.start(Counts())
        for reached in itertools.chain([start], self.machine.layers(Counts(), side, start)):
            layer = self._sort_lists(reached.layer)
            if reached.edges is not None:
                edge_starts.append(reached.edges.starts[1:] + edges_made)
                edges_made += int(reached.edges.starts[-1])
                parts["edges"].append(reached.edges.edges)
                self.done = float(done[reached.step])
                self._report(layer.size)
                self._check_memory(parts, layer)
                memory.give_back()
            if reached.step < len(side.half.steps):
                counts = layer.states[:, 1]
                parts["classes"].append(layer.classes)
                parts["begins"].append(layer.offsets + states)
                parts["words"].append(layer.states[:, 0].copy())
                parts["counts"].append(counts.astype(np.int32) if counts.max(initial=0) < 1 << 31 else counts.copy())
                states += layer.size
                del counts  # it refers to the layer
        sizes = [len(c) for c in parts["classes"]] + [len(layer.classes)]
        parts["classes"].append(layer.classes)
        # The states of the last layer are stored separately, so its classes start after all others.
        parts["begins"].append(np.full(len(layer.classes) + 1, states, dtype=np.int64))
        self.arrays[f"{name}_class_at"] = np.cumsum([0, *sizes], dtype=np.int64)
        self.arrays[f"{name}_edge_starts"] = np.concatenate(edge_starts)
        for key, arrays in parts.items():
            self.arrays[f"{name}_{key}"] = _concatenate(arrays)
            memory.give_back()
        for key in _LAST:
            self.arrays[f"{name}_last_{key}"] = getattr(layer, key)

    def _sort_lists(self, layer: lists.Layer) -> lists.Layer:
        parts = list(lists.spans(len(layer.classes), _SORT_CLASSES))
        # Lists are contiguous, so threads sort disjoint parts.
        sort = (layer.offsets, layer.lengths, layer.states)
        for _ in self.machine.threads.run(
            lambda k: kernel_function("lists_sort_in_place")(*sort, *parts[k]), len(parts)
        ):
            self._report()
        return layer

    def _add_totals(self, space: HalvesSpace) -> None:
        """Store the number of tours through each class; images have the same number."""
        tools = space.tools
        first_of = self._images(space.finals, space)
        chosen = np.flatnonzero(first_of == np.arange(len(first_of)))
        finals = space.finals[chosen]
        found = np.zeros((len(finals), 4), dtype=np.int64)

        def totals(mine: middle.Scratch) -> BoundFunction:
            return kernel_function("space_totals").bind(
                finals, tools.space, mine.room, tools.tables, mine.counters, found
            )

        join = middle.Join[None](totals, count=len(finals), block=_JOIN_CLASSES)
        for k, _ in enumerate(join.run(self.machine.threads), start=1):
            self.done = _PART_OF_LAYERS + (1 - _PART_OF_LAYERS) * k / join.blocks
            self._report()
        place = np.zeros(len(first_of), dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        digits = int(np.flatnonzero(found.any(axis=0)).max(initial=0)) + 1
        self.arrays["totals"] = np.ascontiguousarray(found[place[first_of], :digits])

    def _images(self, finals: np.ndarray, space: HalvesSpace) -> np.ndarray:
        """Return for each class the first class among its images."""
        first_of = np.arange(len(finals))
        rising, places = space.tools.rising, space.tools.places
        maps = []
        if self.cut.is_even:
            # The halves are exchanged.
            maps.append(partners(self.cut, space.tools.space.fit, finals))
        folded = make_cut(self.problem)
        if folded is not None and folded.joins_folded and folded.left.flip is not None:
            flip = lists.flip_table(folded.left.flip)
            images = finals >> 32 << 32 | flip[finals >> 16 & _MASK] << 16 | flip[finals & _MASK]
            maps.append(images)
        # Apply each map once, and again after the other one.
        for image in maps * len(maps):
            at = np.minimum(np.searchsorted(rising, image), len(rising) - 1)
            there = np.where(rising[at] == image, places[at], np.arange(len(finals)))
            first_of = np.minimum(first_of, first_of[there])
        return first_of


def why_not_halves(problem: Problem) -> str | None:
    """Return the reason why a problem has no HalvesSpace, or None."""
    if make_cut(problem, fold=False) is None:
        return f"the {title_of(problem.board)} has no cut into halves over at most {SLOTS} squares"
    if components(problem.board).max() > 0:
        return f"the {title_of(problem.board)} is in several parts"
    return None
