"""The join of two halves by definition: all pairs of states that form one cycle."""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from knightstour import Board, Problem
from knightstour.core.kernels.counting import join as kernel
from knightstour.core.kernels.counting.classes import Packing
from knightstour.core.kernels.counting.join import Fit, PolynomialHalf, Side
from knightstour.lab.counting.census import by_halves as census
from knightstour.lab.counting.halves import layers, machine, middle
from knightstour.lab.counting.halves.cut import Cut, make_cut
from knightstour.lab.counting.residues import Residues
from knightstour.lab.counting.settings import CountProgress
from reference import Case, Row

# The mate of each end of a path, and of each bare slot itself. The loose end of a path is the end OUT.
Mates: TypeAlias = dict[int, int]
OUT = -1
SLOTS = 18
WORD = (1 << 64) - 1


class Class(NamedTuple):
    placed: int
    inner: int
    ends: int

    @classmethod
    def of(cls, code: int) -> "Class":
        high_ends, high_inner = code >> 40 & 3, code >> 42 & 3
        return cls(code >> 32 & 3, code >> 16 & 0xFFFF | high_inner << 16, code & 0xFFFF | high_ends << 16)

    @property
    def code(self) -> int:
        low = self.placed << 32 | (self.inner & 0xFFFF) << 16 | self.ends & 0xFFFF
        return low | (self.inner >> 16) << 42 | (self.ends >> 16) << 40


def bits(mask: int) -> list[int]:
    return [slot for slot in range(SLOTS) if mask >> slot & 1]


def mates_of(word: int, c: Class) -> Mates:
    """Return the mates of the ends; bare slots are their own mates."""
    word &= WORD
    low = [slot for slot in bits(c.ends) if slot < 16]
    leads = {slot: slot ^ (word >> 4 * slot & 15) for slot in low}
    high = [slot for slot in bits(c.ends) if slot >= 16]
    mates = {slot: to for slot, to in leads.items() if to != slot}
    own = [slot for slot in low if leads[slot] == slot]
    if len(high) == 2 and own:
        # The end that leads to the mate of slot 17 is the mate of slot 16.
        (mate_of_17,) = own
        (mate_of_16,) = (slot for slot in low if leads[slot] == mate_of_17 and slot != mate_of_17)
        mates |= {16: mate_of_16, mate_of_16: 16, 17: mate_of_17, mate_of_17: 17}
    elif high:
        a, b = [*high, *own]
        mates |= {a: b, b: a}
    elif own:
        (loose,) = own
        mates |= {loose: OUT, OUT: loose}
    bare = ~(c.ends | c.inner) & (1 << SLOTS) - 1
    return mates | {slot: slot for slot in bits(bare)}


def linked(mates: Mates, a: int, b: int) -> Mates | None:
    """Add a move between two slots; return None if it closes a path."""
    x, y = mates[a], mates[b]
    if x == b:
        return None
    rest = {slot: mate for slot, mate in mates.items() if slot not in (a, b, x, y)}
    return rest | {x: y, y: x}


def permuted(mates: Mates, image: Callable[[int], int]) -> Mates:
    return {image(a): image(b) for a, b in mates.items()}


def image_in(table: list[int]) -> Callable[[int], int]:
    """Return the image of a slot, from the images of masks."""
    return lambda slot: slot if slot == OUT or 1 << slot >= len(table) else table[1 << slot].bit_length() - 1


Key: TypeAlias = frozenset[tuple[int, int]]
# Of each way in which the ends belong together the states it comes from: the class, the state, the subset.
Found: TypeAlias = dict[Key, list[tuple[int, int, int]]]


def key_of(mates: Mates) -> Key:
    """Return the pairs of ends without bare slots."""
    return frozenset((a, b) for a, b in mates.items() if a != b)


# Where each last class of a side comes from: a class, whether it is flipped, a subset. By the identity of the side's
# classes, which are kept with it.
_SOURCES: dict[int, tuple[Any, dict[int, list[tuple[int, int, int]]]]] = {}


def sources_of(side: Side) -> dict[int, list[tuple[int, int, int]]]:
    known = _SOURCES.get(id(side.classes))
    if known is not None and known[0] is side.classes:
        return known[1]
    found: dict[int, list[tuple[int, int, int]]] = {}
    for x, (once, twice, _) in enumerate(side.subsets):
        for j, code in enumerate(side.classes):
            for flips in range(2 if side.is_folded else 1):
                base = flipped(Class.of(code), side.flip) if flips else Class.of(code)
                if side.lengths[j] and not base.inner & (once | twice) and not base.ends & twice:
                    made = Class(base.placed, base.inner | twice | base.ends & once, (base.ends ^ once) & ~twice)
                    found.setdefault(made.code, []).append((j, flips, x))
    _SOURCES[id(side.classes)] = (side.classes, found)
    return found


def flipped(c: Class, flip: list[int]) -> Class:
    return Class(c.placed, flip[c.inner], flip[c.ends])


def gathered(side: Side, wanted: int) -> tuple[Found, int, float]:
    """Return the states of a last class, the number of examined states, and the sum of their masses."""
    found: Found = {}
    inputs, mass = 0, 0.0
    image = image_in(side.flip)
    for j, flips, x in sources_of(side).get(wanted, []):
        inputs += side.lengths[j]
        mass += side.masses[j]
        size = 1 + side.widths[j] if len(side.widths) else 1
        for i in range(side.offsets[j], side.offsets[j] + size * side.lengths[j], size):
            state = side.states[i]
            mates: Mates | None = mates_of(state if isinstance(state, int) else state[0], Class.of(side.classes[j]))
            if flips and mates is not None:
                mates = permuted(mates, image)
            for m, (a, b) in enumerate(side.moves):
                if mates is not None and side.subsets[x][2] >> m & 1:
                    mates = linked(mates, a, b)
            if mates is not None:
                found.setdefault(key_of(mates), []).append((j, i, x))
    return found, inputs, mass


def is_one_cycle(left: Key, right: Key) -> bool:
    one, other = dict(left), dict(right)
    here = first = next(iter(one))
    length = 0
    while True:
        here = other[one[here]]
        length += 2
        if here == first:
            return length == len(one)


class Pair(NamedTuple):
    """A class of the left half and its partner, in the slots of the left half."""

    left: Found
    right: Found
    weight: int
    inputs: int
    masses: tuple[float, float]

    def fitting(self) -> Iterator[tuple[Key, Key]]:
        """Yield the pairs that form one cycle."""
        return ((a, b) for a in self.left for b in self.right if is_one_cycle(a, b))


def pair_of(code: int, left: Side, right: Side, fit: Fit) -> Pair | None:
    """Return None if there is nothing to join here."""
    c = Class.of(code)
    bare = fit.present & ~c.inner & ~c.ends
    other = Class(fit.all_ends - c.placed, fit.to_right[bare], fit.to_right[c.ends])
    to_left = {right_slot: slot for slot, right_slot in enumerate(fit.slot_to_right)}
    weight, is_flipped = 1, False
    if fit.joins_folded:
        image = flipped(other, right.flip)
        is_flipped = image.code < other.code
        other = image if is_flipped else other
        weight = 1 if flipped(c, left.flip) == c else 2
    if fit.is_even:
        weight *= 0 if other.code < code else 1 if other.code == code else 2
    if not weight or not c.ends:
        return None
    (mine, inputs, mass), (others, more, other_mass) = gathered(left, code), gathered(right, other.code)
    if not inputs or not more:
        return None

    def moved(slot: int) -> int:
        return slot if slot == OUT else to_left[fit.flip_slots[slot] if is_flipped else slot]

    turned = {frozenset((moved(a), moved(b)) for a, b in key): states for key, states in others.items()}
    return Pair(mine, turned, weight, inputs + more, (mass, other_mass))


def value_of(side: Side, state: int) -> int:
    return side.states[state][1] >> side.shift & side.mask


def join_numbers(
    finals: list[int],
    left: Side,
    right: Side,
    fit: Fit,
    room: Any,
    tables: Any,
    modulus: int,
    most_count: float,
    counters: list[int],
    total: list[int],
    bound: list[float],
    last: int,
) -> int:
    for code in finals[counters[kernel.NEXT] : last]:
        pair = pair_of(code, left, right, fit)
        if pair is not None:
            if not modulus and max(pair.masses) >= most_count:
                return kernel.TOO_LARGE
            bound[0] += pair.weight * pair.masses[0] * pair.masses[1]
            counts = [
                {key: sum(value_of(side, i) for _, i, _ in states) for key, states in found.items()}
                for side, found in ((left, pair.left), (right, pair.right))
            ]
            total[0] += pair.weight * sum(counts[0][a] * counts[1][b] for a, b in pair.fitting())
            if modulus:
                total[0] %= modulus
        counters[kernel.NEXT] += 1
    return kernel.DONE


def polynomial(half: PolynomialHalf, packing: Packing, states: list[tuple[int, int, int]]) -> Counter[int]:
    """Return the number of partial tours by value."""
    found: Counter[int] = Counter()
    field = (1 << packing.bits) - 1
    for j, i, x in states:
        value = half.lows[j] + half.values[x]
        for number in half.side.states[i + 1 : i + 1 + half.side.widths[j]]:
            for k in range(packing.fields):
                found[value] += number >> packing.bits * k & field
                value += 1
    return found


def join_polynomials(
    finals: list[int],
    left: PolynomialHalf,
    right: PolynomialHalf,
    fit: Fit,
    packing: Packing,
    room: Any,
    tables: Any,
    counters: list[int],
    total: list[list[int]],
    last: int,
) -> int:
    for code in finals[counters[kernel.NEXT] : last]:
        pair = pair_of(code, left.side, right.side, fit)
        if pair is not None:
            if max(pair.masses) >= 1 << packing.bits:
                return kernel.TOO_LARGE
            for a, b in pair.fitting():
                one, other = polynomial(left, packing, pair.left[a]), polynomial(right, packing, pair.right[b])
                for (v, m), (w, n) in itertools.product(one.items(), other.items()):
                    if m and n:
                        total[v + w][0] += pair.weight * m * n
        counters[kernel.NEXT] += 1
    return kernel.DONE


# ---------------------------------------------------------------- cases


def halves_of(cut: Cut, primes: int = 0) -> tuple[middle.HalfClasses, list[layers.Layer]]:
    """Return the classes of a cut, and the last layers of both halves."""
    classes = middle.find_classes(cut)
    march, counts = machine.Machine(machine.Threads(1)), machine.Counts(primes)
    left = [march.start(counts), *march.layers(counts, classes.sides[0])]
    if cut.is_even:
        return classes, [left[-1].layer, left[-1].layer]
    *_, right = march.layers(counts, classes.sides[1], left[cut.shared])
    return classes, [left[-1].layer, right.layer]


QUESTIONS = [
    Problem((5, 6), closed=True),
    Problem((3, 10), closed=True),
    Problem((4, 5)),
    Problem(Board(4, 5, holes=[(1, 1)]), start=(0, 0)),
    Problem(Board.from_text("#...#\n.....\n.....\n#...#"), closed=True),
]


def cuts_of(problem: Problem) -> list[Cut]:
    """Return folded and other cuts."""
    found = [make_cut(problem, fold=fold) for fold in (True, False)]
    return [cut for cut in found if cut is not None]


def room_of(zeros: int = 11_000, items: int = 1 << 14) -> tuple[kernel.Room, kernel.Tables, np.ndarray]:
    """Return buffers of these sizes, the tables, and counters."""
    room = kernel.Room(np.zeros(zeros, dtype=np.int64), np.zeros(items, dtype=np.int64))
    return room, middle.make_tables(), np.zeros(kernel.COUNTERS, dtype=np.int64)


def joins(make: Callable[..., Case]) -> Iterator[Case]:
    """Yield make(name, finals, left, right, fit, modulus, zeros) for all problems and cuts, and for random words."""
    residues = Residues()
    residues.begin()
    for problem in QUESTIONS:
        for k, cut in enumerate(cuts_of(problem)):
            for place in (None, 0, 1):
                classes, last = halves_of(cut, 0 if place is None else residues.pair)
                left, right = middle.sides_of(cut, classes.sides, last, place)
                fit = middle.fit_of(cut)
                modulus = 0 if place is None else residues.moduli[place]
                yield make(f"{problem} {k} {place}", classes.finals, left, right, fit, modulus)
    # With more pairs the reference would get millions of zeros as lists; see tests/counting/test_join.py.
    for pairs in range(1, 8):
        yield make(f"{pairs} pairs", *some_words(pairs), 0, 150_000 if pairs == 7 else 11_000)


def some_words(pairs: int) -> tuple[np.ndarray, Side, Side, Fit]:
    """Return two halves of one class each, with random words and different slot numbers."""
    rng = random.Random(pairs)
    count = 18 if pairs == 9 else 16
    slots = rng.sample(range(count), 2 * pairs)
    to_left = np.array(rng.sample(range(count), count), dtype=np.int64)
    slot_to_right = np.argsort(to_left).astype(np.int64)
    ends = [sum(1 << slot for slot in slots), sum(1 << int(slot_to_right[slot]) for slot in slots)]
    sides = []
    for k, many in enumerate((40, 60)):
        c = Class(0, 0, ends[k]).code
        words = {word_of(rng.sample(bits(ends[k]), 2 * pairs)) for _ in range(many)}
        states = np.array([(w - (w >> 63 << 64), rng.randrange(1, 2**54)) for w in words], dtype=np.int64)
        one = layers.Layer(
            *(np.array(x, dtype=np.int64) for x in ([c], [0], [len(words)])), states, np.array([2.0**59])
        )
        flip = np.arange(count, dtype=np.int64)
        sides.append(
            Side(
                marks=np.ones(1, dtype=np.int64),
                # All classes have index 0, where this one is.
                weights=np.zeros(1 << count, dtype=np.int64),
                size=0,
                classes=one.classes,
                offsets=one.offsets,
                lengths=one.lengths,
                states=one.states,
                masses=one.masses,
                subsets=np.zeros((1, 3), dtype=np.int64),
                moves=np.zeros((0, 2), dtype=np.int64),
                is_folded=0,
                flip=layers.flip_table(flip),
                turn=layers.turn_table(flip),
                shift=0,
                mask=-1,
                widths=np.zeros(0, dtype=np.int64),
            )
        )
    turn = layers.turn_table(to_left)
    fit = Fit(
        0, 0, 0, ends[0], layers.flip_table(slot_to_right), turn, turn, slot_to_right, np.arange(count, dtype=np.int64)
    )
    return sides[0].classes, sides[0], sides[1], fit


def word_of(order: list[int]) -> int:
    """Return the word in which consecutive ends are mates."""
    mates = dict(zip(order[::2], order[1::2], strict=True)) | dict(zip(order[1::2], order[::2], strict=True))
    word = sum((a ^ b) << 4 * a for a, b in mates.items() if a < 16 and b < 16)
    if 16 in mates and 17 in mates and mates[16] != 17:
        word |= (mates[16] ^ mates[17]) << 4 * mates[16]
    return word


def numbers_case(
    name: str, finals: np.ndarray, left: Side, right: Side, fit: Fit, modulus: int, zeros: int = 11_000
) -> Case:
    room, tables, counters = room_of(zeros)
    sums = (counters, np.zeros(4, dtype=np.int64), np.zeros(1))
    arguments = (finals, left, right, fit, room, tables, modulus, 2.0**60, *sums)
    return Case(name, arguments, [(len(finals) // 3,), (len(finals),)])


def seen_of_numbers(*arguments: Any) -> Any:
    *_, counters, total, bound, last = arguments
    return counters[kernel.NEXT], middle.of_digits(np.array(total, dtype=object)), bound, last


def polynomials() -> Iterator[Case]:
    rng = np.random.default_rng(2)
    for problem in QUESTIONS:
        size = problem.board.rows * problem.board.cols
        numbers = rng.integers(0, 3, (size, size))
        values = census.Values(numbers + numbers.T)
        cut, image = census.chosen_cut(problem, values)
        classes = middle.find_classes(cut)
        for packing in (Packing(21, 3), Packing(31, 2), Packing(3, 20)):
            march = machine.Machine(machine.Threads(1))
            with suppress(layers.CountsTooLarge):
                seen = [values, values.seen_by(image)]
                halves = census.last_halves(cut, classes, seen, packing, march, CountProgress(problem))
                total = np.zeros((census.most_value(halves) + 1, 2), dtype=np.int64)
                arguments = (classes.finals, *halves, middle.fit_of(cut), packing, *room_of(), total)
                calls = [(len(classes.finals) // 2,), (len(classes.finals),)]
                yield Case(f"{problem} {packing}", arguments, calls)


def seen_of_polynomials(*arguments: Any) -> Any:
    *_, counters, total, last = arguments
    return counters[kernel.NEXT], [low + (high << kernel.DIGIT) for low, high in total], last


ROWS = [
    Row("join_numbers", join_numbers, lambda: joins(numbers_case), seen_of_numbers),
    Row("join_polynomials", join_polynomials, polynomials, seen_of_polynomials),
]
