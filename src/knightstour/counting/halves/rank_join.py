"""The two halves of a closed board put together with counts by rank for lists, where most matchings have counts.

middle.py joins lists of words, which are gathered anew for each class. On large boards of nine rows the lists hold most
of the matchings that there are, and nearly all of the time goes into gathering them. Here a list is an array of counts
by rank (kernels/counting/matchings.py), and all work is sums over arrays:

1. **Middle moves.** Classes that differ only in the slots that the middle moves of a half touch are a *group*. Its
   lists are read once. Then the moves are made one after the other, each in the whole group: the counts of a class are
   added to those of the class that it becomes, by a table from rank to rank. So all subsets of the moves that end alike
   share what comes before. (kernels/counting/rank_lists.py)
2. **Flips.** A folded half has one of each two classes that are flips of each other. The lists of the others are not
   made: the flips of the moves are made in the lists that are there, and only what comes out is turned round.
3. **One cycle.** Which matchings make one cycle together is found as in middle.py. (kernels/counting/rank_join.py)

Cost: a pair of 24 parts of 9x10 takes 13 to 20 s of a processor, with words about 90 s. On 8x8, where an eighth of the
matchings have counts, words are quicker.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from knightstour.counting.halves.block_files import Place, Ranked, write_ranked
from knightstour.counting.halves.cut import WIDE_SLOTS, Cut, Half
from knightstour.counting.halves.layers import (
    MATCHINGS,
    MOST_COUNT,
    CountsTooLarge,
    Layer,
    flip_table,
    most_states,
    spans,
    sums_of_slots,
)
from knightstour.counting.halves.middle import (
    DENSE,
    Blocks,
    Joined,
    flip_slots_of,
    make_tables,
    of_digits,
    place_of_count,
    seam_of,
)
from knightstour.kernels.counting import class_lists, rank_join, rank_lists
from knightstour.kernels.counting.matchings import MOST_IN_TABLES, Ranks
from knightstour.kernels.counting.words import JOIN, MOVE, PAIR
from knightstour.machine import engine

# Ranks pay where this share of them has counts.
_LEAST_FILLED = 0.25
# Counts that the lists of a block of classes have together, unless one has more: at least, and at most. Small blocks
# make the moves again in lists that several of them need.
_LEAST_COUNTS, _MOST_COUNTS = 1 << 20, 1 << 26
# Bytes of a count of a block: it is in four lists, and beside them is about as much scratch in the worst case.
_BLOCK_BYTES = 64
# Classes that are joined in one call of a kernel.
_JOIN_CLASSES = 1 << 10
# Seconds that each count takes in a kernel, interpreted.
_SECONDS_A_COUNT = 5e-6


def ranks_pay(layer: Layer) -> bool:
    """Whether counts by rank are the better form of these lists: their words are a good part of all matchings."""
    return 8 * layer.size >= _LEAST_FILLED * bytes_by_rank(layer)


def bytes_by_rank(layer: Layer) -> int:
    """What the lists of a layer take as counts by rank."""
    return 8 * int(_sizes_of(layer).sum())


def _sizes_of(layer: Layer) -> np.ndarray:
    """How long each list of a layer is by rank; 0 where it has no states."""
    return np.where(layer.lengths > 0, most_states(layer.classes), 0)


def write_by_rank(place: Place, layer: Layer) -> None:
    """Write a last layer into a file as counts by rank."""
    write_ranked(place, layer.classes, _sizes_of(layer), layer.masses, counts_by_rank(layer))


def counts_by_rank(layer: Layer) -> Iterator[np.ndarray]:
    """The lists of a layer as counts by rank, in pieces of some of its classes."""
    lists = (layer.classes, layer.offsets, layer.lengths, layer.states)
    sizes = _sizes_of(layer)
    for first, last in _blocks_of(sizes, _LEAST_COUNTS):
        counts = np.empty(int(sizes[first:last].sum()), dtype=np.int64)
        engine.doors(rank_lists).rank_states(*lists, first, last, MATCHINGS, counts)
        yield counts


def _blocks_of(sizes: np.ndarray, most: int) -> list[tuple[int, int]]:
    """Classes in blocks, (first, last), of at most this many counts, unless one class has more."""
    ends = np.cumsum(sizes)
    blocks, first = [], 0
    while first < len(ends):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        blocks.append((first, last))
        first = last
    return blocks


def lists_of(ranked: Ranked, place: int | None = None) -> rank_lists.RankLists:
    """A last layer by rank as the kernels take it. place: which residue of a pair is the count, None for all of it."""
    has_states = ranked.lengths > 0
    starts = np.cumsum(ranked.lengths) - ranked.lengths
    classes, starts, masses = (part[has_states] for part in (ranked.classes, starts, ranked.masses))
    return rank_lists.RankLists(classes, starts, ranked.counts, masses, **place_of_count(place))


def ways_of(moves: np.ndarray) -> rank_lists.Ways:
    """How these middle moves change the classes of a group. moves: int64 (moves, 2), of slots."""
    touched = sorted(set(moves.ravel().tolist()))
    digits = np.arange(3 ** len(touched))
    values = np.zeros(WIDE_SLOTS, dtype=np.int64)
    inner, ends = np.zeros((2, len(digits)), dtype=np.int64)
    for i, slot in enumerate(touched):
        values[slot] = 3**i
        inner |= (digits // 3**i % 3 == 2).astype(np.int64) << slot
        ends |= (digits // 3**i % 3 == 1).astype(np.int64) << slot
    weights = sums_of_slots(values.tolist())
    return rank_lists.Ways(
        np.ascontiguousarray(moves), values[moves].sum(axis=1), inner, ends, weights, sum(1 << slot for slot in touched)
    )


@functools.cache
def make_ranks() -> Ranks:
    """The tables of operations on matchings, empty: they take no memory until they are filled."""
    changes_at = np.full((JOIN + 1, WIDE_SLOTS + 1), -1, dtype=np.int64)
    top = 0
    for pairs in range(MOST_IN_TABLES + 1):
        for op, ends in ((PAIR, 2 * pairs + 2), (MOVE, 2 * pairs + 1), (JOIN, 2 * pairs)):
            changes_at[op, ends] = top
            top += ends * ends * int(MATCHINGS[pairs])
    sizes = MATCHINGS[: MOST_IN_TABLES + 1]
    return Ranks(
        many=MATCHINGS,
        changes=np.empty(top, dtype=np.int32),
        changes_at=changes_at,
        made=np.zeros((JOIN + 1, *(WIDE_SLOTS + 1,) * 3), dtype=np.uint8),
        words=np.empty(int(sizes.sum()), dtype=np.int64),
        words_at=np.cumsum(sizes) - sizes,
        words_made=np.zeros(len(sizes), dtype=np.uint8),
        mates=np.zeros(WIDE_SLOTS, dtype=np.int64),
    )


class _Maker(NamedTuple):
    """How middle moves are made in the lists of a half.

    sources: the numbers of the lists in order of their groups, whose keys are keys.
    """

    ways: rank_lists.Ways
    keys: np.ndarray
    sources: np.ndarray

    @classmethod
    def of(cls, moves: np.ndarray, lists: rank_lists.RankLists) -> _Maker:
        """The maker of these moves."""
        ways = ways_of(moves)
        keys = _group_keys(ways, lists.classes)
        sources = np.argsort(keys, kind="stable")
        return cls(ways, keys[sources], sources)


class _Side(NamedTuple):
    """One half: its lists, the makers of its middle moves and of their flips, and its flip."""

    lists: rank_lists.RankLists
    maker: _Maker
    flipped_maker: _Maker
    flip: np.ndarray

    @classmethod
    def of(cls, half: Half, lists: rank_lists.RankLists) -> _Side:
        """The side of a half."""
        slots = flip_slots_of(half)
        return cls(lists, _Maker.of(half.moves, lists), _Maker.of(slots[half.moves], lists), flip_table(slots))


def _empty(*shape: int) -> np.ndarray:
    return np.empty(shape, dtype=np.int64)


class _Desk:
    """Scratch of one thread. most: counts of a block. pairs: the most that a class has."""

    def __init__(self, most: int, pairs: int) -> None:
        size = int(MATCHINGS[pairs])
        self.desk = rank_join.Desk(
            left=_empty(size),
            right=_empty(size),
            ranks=_empty(size),
            counts=_empty(size),
            ways=_empty(size),
            nines=_empty(int(MATCHINGS[9]) if pairs >= 9 else 0, 2),
            eights=_empty(int(MATCHINGS[8]) if pairs >= 8 else 0, 2),
            sevens=_empty(int(MATCHINGS[7]) if pairs >= 7 else 0, 2),
            sixes=_empty(int(MATCHINGS[6]), 2),
            dense=np.zeros(DENSE, dtype=np.int64),
            by_rank=np.zeros(int(MATCHINGS[max(pairs - 1, 6)]), dtype=np.int64),
            to_new=_empty(WIDE_SLOTS),
            from_new=_empty(WIDE_SLOTS),
        )
        self.ranks = make_ranks()._replace(mates=_empty(WIDE_SLOTS))
        self.lists = [_empty(most) for _ in range(4)]
        self.counts = _empty(1 << 16)

    def room(self, numbers: int) -> rank_lists.Room:
        """Room for groups of this many classes."""
        needed, filled = np.zeros((2, numbers), dtype=np.int64)
        at, source, active, live = _empty(4, numbers)
        return rank_lists.Room(needed, filled, np.empty(numbers), at, source, active, live, self.counts)


class RankJoin(Blocks[_Desk]):
    """The join of two last layers, as middle.Join does it, with counts by rank.

    left, right: the lists of the halves, the same where the cut is even. finals: classes of the left half. modulus: the
    prime to count by, 0 for none, of which the lists have the residues. most_bytes: of memory for each block at work.
    """

    def __init__(
        self,
        cut: Cut,
        left: rank_lists.RankLists,
        right: rank_lists.RankLists,
        finals: np.ndarray,
        modulus: int = 0,
        *,
        most_bytes: int = _LEAST_COUNTS * _BLOCK_BYTES,
    ) -> None:
        seam = seam_of(cut)
        self.modulus = modulus
        self.is_folded = cut.is_folded
        self.left, self.right = _Side.of(cut.left, left), _Side.of(cut.right, right)
        right_flip = flip_slots_of(cut.right)
        to_left = np.stack([cut.to_left, cut.to_left[right_flip]])
        self.turns = rank_join.Turns(flip_slots_of(cut.left), right_flip, to_left)
        joints = rank_join.Joints(finals, *np.zeros((4, len(finals)), dtype=np.int64))
        engine.expect(rank_join, _SECONDS_A_COUNT * len(finals))
        how = (int(cut.is_even), int(cut.joins_folded), cut.ends, seam.present, seam.to_right)
        engine.doors(rank_join).pair_up(*how, self.left.flip, self.right.flip, joints)
        # Classes of one group of the right half go together.
        order = np.argsort(_group_keys(self.right.maker.ways, joints.right), kind="stable")
        self.joints = rank_join.Joints(*(part[order[joints.weights[order] > 0]] for part in joints))
        self.sizes = most_states(self.joints.left)
        self.spans = _blocks_of(self.sizes, min(max(most_bytes // _BLOCK_BYTES, _LEAST_COUNTS), _MOST_COUNTS))
        most = max((int(self.sizes[first:last].sum()) for first, last in self.spans), default=0)
        pairs = int(np.searchsorted(MATCHINGS[1:], self.sizes.max(initial=1))) + 1
        super().__init__(len(self.spans), functools.partial(_Desk, most, pairs))
        for kernel in (rank_lists, rank_join):
            engine.expect(kernel, _SECONDS_A_COUNT * float(self.sizes.sum()))

    def block(self, k: int) -> Joined:
        within = slice(*self.spans[k])
        joints = rank_join.Joints(*(part[within] for part in self.joints))
        sizes = self.sizes[within]
        joints = joints._replace(starts=np.cumsum(sizes) - sizes)
        total = np.zeros(4, dtype=np.int64)
        joined = 0
        with self.desk() as desk:
            left, left_flips, left_masses = self._lists(desk, self.left, joints.left, joints.starts, desk.lists[:2])
            right, right_flips, masses = self._lists(desk, self.right, joints.right, joints.starts, desk.lists[2:])
            made = rank_join.JointLists(left, left_flips, right, right_flips)
            for first, last in spans(len(sizes), _JOIN_CLASSES):
                joined += engine.doors(rank_join).join_lists(
                    joints, first, last, made, self.turns, desk.desk, desk.ranks, make_tables(), self.modulus, total
                )
        bound = float((joints.weights * left_masses * masses).sum())
        return Joined(of_digits(total), joined, 4 * int(sizes.sum()), bound)

    def _lists(
        self, desk: _Desk, side: _Side, classes: np.ndarray, starts: np.ndarray, room: list[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The lists of classes, those of their flips, none where nothing is folded, and the masses of both together."""
        masses = _make_moves(desk, side.lists, side.maker, classes, starts, room[0])
        flips = room[1] if self.is_folded else room[1][:0]
        if self.is_folded:
            flipped = class_lists.flipped(classes, side.flip)
            masses += _make_moves(desk, side.lists, side.flipped_maker, flipped, starts, flips)
        if not self.modulus and masses.max(initial=0.0) >= MOST_COUNT:
            raise CountsTooLarge
        return room[0], flips, masses


def _make_moves(
    desk: _Desk,
    lists: rank_lists.RankLists,
    maker: _Maker,
    classes: np.ndarray,
    starts: np.ndarray,
    counts: np.ndarray,
) -> np.ndarray:
    """Write the lists of classes with the middle moves made to counts; the mass of each."""
    keys = _group_keys(maker.ways, classes)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    groups = np.append(np.flatnonzero(np.diff(keys, prepend=-1)), len(keys))
    firsts = keys[groups[:-1]]
    source_ends = np.stack([np.searchsorted(maker.keys, firsts, side) for side in ("left", "right")], axis=1)
    asked = rank_lists.Wanted(classes[order], starts[order], groups, maker.sources, source_ends)
    masses = np.zeros(len(keys))
    counters = np.zeros(2, dtype=np.int64)
    code = engine.doors(rank_lists)
    room = desk.room(len(maker.ways.inner))
    while counters[rank_lists.NEXT] < len(firsts):
        upto = min(len(firsts), int(counters[rank_lists.NEXT]) + (64 if code.make_moves.is_compiled else 1))
        status = code.make_moves(lists, maker.ways, asked, upto, desk.ranks, room, counters, counts, masses)
        if status == rank_lists.FULL:
            desk.counts = np.empty(int(counters[rank_lists.NEED_COUNTS]) * 3 // 2, dtype=np.int64)
            room = desk.room(len(maker.ways.inner))
    found = np.empty(len(keys))
    found[order] = masses
    return found


def _group_keys(ways: rank_lists.Ways, classes: np.ndarray) -> np.ndarray:
    """A number for the group of each class."""
    inner, ends = class_lists.inner_of(classes), class_lists.ends_of(classes)
    return class_lists.class_of(class_lists.placed_in(classes), inner & ~ways.touched, ends & ~ways.touched)
