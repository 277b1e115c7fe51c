"""The last layer of a half in parts, so that a half whose layers are too large for the memory is made part by part.

A part is some of the classes of the last layer: those in which a few squares of the middle are bare, inner or ends of
paths in some ways and not in others. `layers.keep_useful` then keeps of all layers before only what can still become
one of these, so that a part is made as a whole half is, in less memory. Each class belongs to one part, so a tour is
half of one part of the left half and half of one part of the right half, a *pair* of parts: the sums of the pairs are
the count. In an even cut the right half has the parts of the left one, and a pair and its image have the same sum.

**Which squares.** First those that are settled early, so that no later step touches them: from the step on that settles
them, layers are parted as the last layer is, without overlap, and only layers before are needed by several parts. On a
board of 9 rows the nine squares that no odd row of the last column reaches are settled in the fifth step of nine, and
the four last layers of a column are the widest. Of these squares first those that no middle move of the half touches:
then all that a last class is gathered from is in the same part, and no class is joined for more than one pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.counting.halves.cut import Cut, Half
from knightstour.counting.halves.layers import flip_table, keep_useful, most_states
from knightstour.counting.halves.middle import HalfClasses, last_classes
from knightstour.kernels.counting.class_lists import NEAR, SLOT, ends_of, flipped, inner_of

# Squares that say to which part a class belongs.
_MOST_SQUARES = 9


class Pair(NamedTuple):
    """Two parts whose states are joined. left, right: their numbers. times: how often the sum counts."""

    left: int
    right: int
    times: int


def pairs_of_parts(parts: int, is_even: bool) -> list[Pair]:
    """The pairs of this many parts. is_even: the halves are images of each other.

    >>> [pair.times for pair in pairs_of_parts(2, True)], len(pairs_of_parts(2, False))
    ([1, 2, 1], 4)
    """
    if is_even:
        return [Pair(i, j, 1 if i == j else 2) for i in range(parts) for j in range(i, parts)]
    return [Pair(i, j, 1) for i in range(parts) for j in range(parts)]


def telling_slots(half: Half) -> list[int]:
    """The slots of the squares of the middle that say to which part a class belongs, the most important first.

    >>> from knightstour.counting.halves.cut import the_cut
    >>> from knightstour.model.problem import Problem
    >>> cut = the_cut(Problem.of((9, 10), closed=True))
    >>> names = {slot: divmod(square, 10) for square, slot in cut.left.slot_of.items()}
    >>> [names[slot] for slot in telling_slots(cut.left)][:3]
    [(0, 4), (8, 4), (4, 4)]
    """
    settled: dict[int, int] = {}
    for t, step in enumerate(half.steps.tolist()):
        after = half.slots_at[t + 1] if t + 1 < len(half.steps) else half.slot_of
        for square, slot in after.items():
            if square in half.slot_of and (step[NEAR] >> slot & 1 or step[SLOT] == slot):
                settled[half.slot_of[square]] = t
    touched = set(half.moves.ravel().tolist())
    late = len(half.steps) - len(half.slot_of) // 4
    image = {slot: slot if half.flip is None else int(half.flip[slot]) for slot in half.slot_of.values()}

    def rank(group: tuple[int, ...]) -> tuple[object, ...]:
        last = max(settled.get(slot, 0) for slot in group)
        return last >= late, not touched.isdisjoint(group), last, group

    # A square and its image under the flip go together.
    groups = sorted({tuple(sorted({slot, image[slot]})) for slot in settled}, key=rank)
    return [slot for group in groups for slot in group][:_MOST_SQUARES]


def part_of(half: Half, classes: np.ndarray, parts: int) -> np.ndarray:
    """The number of the part, from 0 on, that each class of the last layer of a half belongs to: int64.

    Classes that are flips of each other are in the same part. Parts can have about equally many states.
    """
    slots = telling_slots(half)
    keys = _kinds(classes, slots)
    if half.flip is not None:
        flip = flip_table(half.flip)
        keys = np.minimum(keys, _kinds(flipped(classes, flip), slots))
    _, kind = np.unique(keys, return_inverse=True)
    kind = kind.reshape(-1)
    most = np.zeros(int(kind.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(most, kind, most_states(classes))
    # The part that the middle of a kind falls into, where the kinds lie one after the other.
    middles = 2 * np.cumsum(most) - most
    numbers = np.minimum(middles * parts // max(1, 2 * int(most.sum())), parts - 1)
    return numbers[kind]


def _kinds(classes: np.ndarray, slots: list[int]) -> np.ndarray:
    """What some slots of each class are, as one number: a digit of base 3 a slot."""
    ends, inner = ends_of(classes), inner_of(classes)
    kinds = np.zeros(len(classes), dtype=np.int64)
    for slot in slots:
        kinds = 3 * kinds + 2 * (ends >> slot & 1) + (inner >> slot & 1)
    return kinds


class PartedClasses(NamedTuple):
    """The classes of a cut, and the part of each class of the last layers. left_parts, right_parts: int64."""

    classes: HalfClasses
    left_parts: np.ndarray
    right_parts: np.ndarray

    @classmethod
    def of(cls, cut: Cut, classes: HalfClasses, parts: int) -> PartedClasses:
        """The classes of a cut in this many parts."""
        left = part_of(cut.left, classes.left[-1], parts)
        return cls(classes, left, left if cut.is_even else part_of(cut.right, classes.right[-1], parts))

    def last(self, name: str, k: int) -> np.ndarray:
        """The last classes of part k of a half, "left" or "right"."""
        if name == "right":
            return self.classes.right[-1][self.right_parts == k]
        return self.classes.left[-1][self.left_parts == k]

    def of_part(self, cut: Cut, name: str, k: int) -> HalfClasses:
        """The classes of part k of a half, as if the other half had none."""
        is_right = name == "right"
        half, numbering = (cut.right if is_right else cut.left), self.classes.indices[int(is_right)]
        layers = self.classes.right if is_right else self.classes.left
        if is_right:
            # Those that the halves share are in order of the left numbering.
            layers = [classes[np.argsort(numbering.of(classes))] for classes in layers]
        kept = keep_useful(half, numbering, [*layers[:-1], self.last(name, k)])
        none = np.zeros(0, dtype=np.int64)
        return HalfClasses(self.classes.indices, [] if is_right else kept, kept if is_right else [], none)

    def finals(self, cut: Cut, pair: Pair) -> np.ndarray:
        """The classes of the left half to be joined for a pair."""
        left, right = self.last("left", pair.left), self.last("right", pair.right)
        return last_classes(cut_of_pair(cut, pair), self.classes.indices, left, right).finals


def cut_of_pair(cut: Cut, pair: Pair) -> Cut:
    """The cut as the join of a pair takes it: only a part and its own image are images of each other."""
    return cut._replace(is_even=cut.is_even and pair.left == pair.right)
