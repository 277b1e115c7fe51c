"""The lists of a layer by definition, and sorted lists."""

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting import classes as kernel
from knightstour.core.kernels.counting.classes import ByTarget, Lists, NewLists, Packing
from knightstour.lab.counting.halves import layers
from knightstour.lab.counting.halves.cut import make_cut, the_cut
from reference import Case, Row
from reference.classes import children
from reference.join import OUT, Class, Mates, linked, mates_of, permuted

PRIMES = 2147483647 | 2147483629 << 31


# ---------------------------------------------------------------- words


def word_of(mates: Mates) -> int:
    """Return the word as a signed number."""
    word = 0
    for a, b in mates.items():
        if 0 <= a < 16 and 0 <= b < 16:
            word |= (a ^ b) << 4 * a
    m16, m17 = mates.get(16, 16), mates.get(17, 17)
    if m16 < 16 and m17 < 16:
        word |= (m16 ^ m17) << 4 * m16
    return word - (word >> 63 << 64)


def image_in(turn: list[list[int]]) -> Callable[[int], int]:
    """Return the image of a slot, from the images of bytes."""
    if len(turn) > 8:
        return lambda slot: slot if slot == OUT else turn[8][slot]
    # Of a word with one nibble there is one nibble, elsewhere.
    alone = [turn[slot // 2][1 << 4 * (slot % 2)] & (1 << 64) - 1 for slot in range(16)]
    return lambda slot: slot if slot < 0 or slot > 15 else (alone[slot].bit_length() - 1) // 4


def changed(mates: Mates, name: int, a: int, b: int) -> Mates | None:
    """Return the mates after an operation; None if it would close a path."""
    if name == kernel.KEEP:
        return mates
    if name in (kernel.PAIR, kernel.MOVE, kernel.JOIN):
        return linked(mates, a, b)
    # The end of the tour that is not on the frontier is bare until it is placed.
    return linked({OUT: OUT, **mates}, a, OUT)


class Edge(NamedTuple):
    source: int
    name: int
    a: int
    b: int
    flips: bool


def edge_of(code: int) -> Edge:
    name, a, b = code & 15, code >> 4 & 15, code >> 8 & 15
    if name >= 7:
        high = (name - 7) // 3 + 1
        name, a, b = (name - 7) % 3 + 1, a + 16 * (high & 1), b + 16 * (high >> 1)
    return Edge(code >> kernel.OP_BITS, name, a, b, bool(code & kernel.FLIPPED))


# A new state, and the edges and states of the layer before that it comes from.
Origins = dict[int, list[tuple[int, int]]]


def pulled(edges: ByTarget, before: Lists, word_at: Callable[[int], int], turn: list[list[int]], t: int) -> Origins:
    """Return the words of a target, in order of occurrence."""
    found: Origins = {}
    image = image_in(turn)
    for e in range(edges.starts[t], edges.starts[t + 1]):
        source, name, a, b, flips = edge_of(edges.edges[e])
        for i in range(before.offsets[source], before.offsets[source] + before.lengths[source]):
            mates = mates_of(word_at(i), Class.of(before.classes[source]))
            new = changed(mates, name, a, b)
            if new is not None:
                found.setdefault(word_of(permuted(new, image) if flips else new), []).append((e, i))
    return found


def pull_counts(
    edges: ByTarget,
    before: Lists,
    states: list[list[int]],
    made: NewLists,
    out: list[list[int]],
    turn: list[list[int]],
    table: list[int],
    primes: int,
    first: int,
    last: int,
) -> int:
    place = 0
    for t in range(first, last):
        found = pulled(edges, before, lambda i: states[i][0], turn, t)
        sums = []
        for word, origins in found.items():
            counts = [states[i][1] for _, i in origins]
            low, high = sum(n & 2**31 - 1 for n in counts), sum(n >> 31 for n in counts)
            pair = [low % (primes & 2**31 - 1), high % (primes >> 31) if primes >> 31 else 0] if primes else []
            sums.append(pair[0] | pair[1] << 31 if primes else sum(counts))
            out[place + len(sums) - 1] = [word, sums[-1]]
        made.offsets[t], made.lengths[t] = place, len(sums)
        made.masses[t] = 0.0 if primes else float(sum(sums))
        place += len(sums)
    return place


def _float(number: int) -> float:
    return float(np.int64(number).view(np.float64))


def coefficients(numbers: list[int], packing: Packing) -> list[int]:
    field = (1 << packing.bits) - 1
    return [number >> packing.bits * k & field for number in numbers for k in range(packing.fields)]


def packed(values: list[int], packing: Packing) -> list[int]:
    groups = (values[k : k + packing.fields] for k in range(0, len(values), packing.fields))
    return [sum(value << packing.bits * k for k, value in enumerate(group)) for group in groups]


def pull_polynomials(
    edges: ByTarget,
    before: Lists,
    states: list[int],
    made: NewLists,
    out: list[int],
    turn: list[list[int]],
    table: list[int],
    widths: list[int],
    new_widths: list[int],
    shifts: list[int],
    packing: Packing,
    first: int,
    last: int,
) -> int:
    place = 0
    # Where each state begins, of those in the order of the lists.
    begins = [
        offset + k * (1 + width)
        for offset, length, width in zip(before.offsets, before.lengths, widths, strict=True)
        for k in range(length)
    ]
    ends = list(itertools.accumulate(before.lengths))
    numbered = before._replace(offsets=[end - length for end, length in zip(ends, before.lengths, strict=True)])
    for t in range(first, last):
        found = pulled(edges, numbered, lambda i: states[begins[i]], turn, t)
        width = new_widths[t]
        made.offsets[t], made.lengths[t], made.masses[t] = place, len(found), 0.0
        for word, origins in found.items():
            sums = [0] * (width * packing.fields)
            for e, i in origins:
                begin = begins[i] + 1
                numbers = states[begin : begin + widths[edge_of(edges.edges[e]).source]]
                for k, value in enumerate(coefficients(numbers, packing)):
                    if value:
                        sums[shifts[e] + k] += value
            out[place : place + 1 + width] = [word, *packed(sums, packing)]
            made.masses[t] += sum(sums)
            place += 1 + width
    return place


def sort_in_place(offsets: list[int], lengths: list[int], states: list[list[int]], first: int, last: int) -> None:
    for j in range(first, last):
        part = slice(offsets[j], offsets[j] + lengths[j])
        states[part] = sorted(states[part])


# ---------------------------------------------------------------- cases

_MAX_STATES, _MAX_EDGES = 150, 2000


class Step(NamedTuple):
    """A layer of words, with the edges to the next layer."""

    name: str
    edges: ByTarget
    before: Lists
    words: np.ndarray
    turn: np.ndarray

    @property
    def most(self) -> np.ndarray:
        """Return the maximum number of states of each target."""
        lengths = self.before.lengths[self.edges.edges >> kernel.OP_BITS]
        ends = np.concatenate(([0], np.cumsum(lengths)))
        return np.diff(ends[self.edges.starts])


def _questions() -> Iterator[tuple[str, Any]]:
    yield "6x6 closed", make_cut(Problem((6, 6), closed=True))
    yield "5x5", make_cut(Problem((5, 5)))
    yield "4x6 from b2", make_cut(Problem((4, 6), start="b2"))
    yield "9x8 closed, wide", the_cut(Problem((9, 8), closed=True), across=9)


@functools.cache
def _steps() -> list[Step]:
    """Return steps of halves; of large layers a part."""
    return [step for name, cut in _questions() for step in _steps_of(name, cut.left)]


def _steps_of(name: str, half: Any) -> Iterator[Step]:
    index: Any = None  # of no matter where classes are not numbered
    layer: dict[int, list[int]] = {0: [0]}
    for t in range(len(half.steps)):
        side = layers.Side(half, index, [])
        stepping = kernel.Stepping(*(x if isinstance(x, int) else x.tolist() for x in side.stepping(t)))
        codes = sorted(layer)
        edges = sorted(
            (child.code, j << kernel.OP_BITS | op)
            for j, code in enumerate(codes)
            for child, op in children(stepping, code)
        )[:_MAX_EDGES]
        targets = sorted({target for target, _ in edges})
        numbers = [[target for target, _ in edges].index(target) for target in targets]
        starts = np.array([*numbers, len(edges)], dtype=np.int64)
        lengths = np.array([len(layer[code]) for code in codes], dtype=np.int64)
        lists = Lists(np.array(codes, dtype=np.int64), np.cumsum(lengths) - lengths, lengths)
        words = np.array([word for code in codes for word in layer[code]], dtype=np.int64)
        made = Step(f"{name}, step {t}", ByTarget(starts, np.array([e for _, e in edges])), lists, words, side.turn(t))
        yield made
        found = _words_after(made)
        classes = [(c, list(found[k])[:20]) for k, c in enumerate(targets) if found[k]]
        # From all over the layer, and of wide words more with ends in both high slots.
        high = [each for each in classes if Class.of(each[0]).ends >> 16 == 3]
        layer = dict([*classes[:: 1 + len(classes) // 60], *high[:: 1 + len(high) // 60]])
        while sum(map(len, layer.values())) > _MAX_STATES:
            layer.pop(next(iter(layer)))


def _words_after(step: Step) -> list[Origins]:
    edges, before = (type(each)(*(array.tolist() for array in each)) for each in (step.edges, step.before))
    words, turn = step.words.tolist(), step.turn.tolist()
    return [pulled(edges, before, words.__getitem__, turn, t) for t in range(len(edges.starts) - 1)]


def _made(step: Step) -> tuple[NewLists, np.ndarray]:
    """Return buffers for the lists, and a table for their words."""
    count = len(step.most)
    room = np.array([1 << max(4, int(most * 3 // 2 + 1).bit_length()) for most in step.most], dtype=np.int64)
    lists = NewLists(room, np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count))
    return lists, np.zeros(int(room.max(initial=16)), dtype=np.int32)


def _numbers(step: Step, values: np.ndarray, *rest: Any) -> tuple[Any, ...]:
    made, table = _made(step)
    out = np.zeros((int(step.most.sum()), 2), dtype=np.int64)
    states = np.stack([step.words, values], axis=1)
    return (step.edges, step.before, states, made, out, step.turn, table, *rest)


def _calls(step: Step) -> list[tuple[int, int]]:
    """Return all targets, or the second half."""
    count = len(step.most)
    return [(count // 2 * (len(step.words) % 2), count)]


def counts() -> Iterator[Case]:
    for step in _steps():
        numbers = np.arange(1, len(step.words) + 1, dtype=np.int64)
        yield Case(step.name, _numbers(step, numbers**5, 0), _calls(step))
        pairs = numbers | (2147483629 - numbers) << 31
        yield Case(f"{step.name}, two primes", _numbers(step, pairs, PRIMES), _calls(step))


def polynomials() -> Iterator[Case]:
    narrow = [step for step in _steps() if "wide" not in step.name]
    for step, packing in itertools.product(narrow, (Packing(21, 3), Packing(31, 2))):
        rng = np.random.default_rng(len(step.words))
        widths = rng.integers(1, 4, len(step.before.lengths))
        sizes = (1 + widths) * step.before.lengths
        before = step.before._replace(offsets=np.cumsum(sizes) - sizes)
        sums = rng.integers(0, 1000, (int(sizes.sum()), packing.fields)) << packing.bits * np.arange(packing.fields)
        states = sums.sum(axis=1)
        for j, words in enumerate(np.split(step.words, np.cumsum(step.before.lengths)[:-1])):
            states[before.offsets[j] : before.offsets[j] + sizes[j] : 1 + widths[j]] = words
        shifts = rng.integers(0, 7, len(step.edges.edges))
        # A polynomial of three numbers and six more coefficients takes six numbers.
        new_widths = np.full(len(step.most), 6, dtype=np.int64)
        made, table = _made(step)
        out = np.zeros(7 * int(step.most.sum()), dtype=np.int64)
        arguments = (step.edges, before, states, made, out, step.turn, table, widths, new_widths, shifts, packing)
        yield Case(f"{step.name}, {packing}", arguments, _calls(step))


def _without(*places: int) -> Callable[..., Any]:
    """Return `seen` without scratch arrays."""
    return lambda *arguments: [value for k, value in enumerate(arguments) if k not in places]


def _sorting() -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield lists of words of many lengths, ascending, descending and shuffled."""
    rng = np.random.default_rng(5)
    lengths = np.array([0, 1, 2, 15, 16, 17, 18, 40, 300, 0, 1000], dtype=np.int64)
    total = int(lengths.sum())
    words = np.unique(rng.integers(-(2**63), 2**63 - 1, total + 10))[:total]
    for name, order in [("up", words), ("down", words[::-1]), ("mixed", rng.permutation(words))]:
        states = np.stack([order, np.arange(total)], axis=1)
        yield name, np.cumsum(lengths) - lengths, lengths, np.ascontiguousarray(states)


def sorting_in_place() -> Iterator[Case]:
    for name, offsets, lengths, states in _sorting():
        spread = np.concatenate([np.zeros((9, 2), dtype=np.int64), states])
        yield Case(name, (offsets + 9, lengths, spread), ((0, 6), (6, len(lengths))))


ROWS = [
    Row("lists_pull_counts", pull_counts, counts, _without(6)),
    Row("lists_pull_polynomials", pull_polynomials, polynomials, _without(6)),
    Row("lists_sort_in_place", sort_in_place, sorting_in_place),
]
