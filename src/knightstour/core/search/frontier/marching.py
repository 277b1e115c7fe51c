"""March of the frontier method: layer after layer of states, encoded as keys.

An *algebra* defines the value of a state: its predecessor, all transitions, or the number of partial tours. A march
builds the same states in the same order for every algebra. march.cc expands them in slices, so that limits are checked;
layers grow here. The masks of a state are one word, so a frontier has at most 62 slots.

For states see exact.py. A *key* consists of some uint64 words: bits 0 .. slots-1 of word 0 are the inner mask, and the
field of slot i (its number xor its mate's, 0 without a mate) is in word `word[i]` from bit `shift[i]` on. A layer is an
array of distinct keys, in the order of their creation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.machine.native import BoundFunction, kernel_function
from knightstour.core.search.frontier.plan import Plan


class Steps(NamedTuple):
    """Plan of a march as arrays; step t is row t of the first four.

    Attributes:
        info: int64 (steps, 9), see below.
        near: int64 (steps, slots), the slots of the later neighbours.
        later, unseen: uint64 and int64 (steps, slots), as in plan.Step.
        word, shift: int64 (slots,).
        virtual_slot: Slot of the virtual square, or -1.
        field_mask: A one for each bit of a field.
        leaves: 1 if squares may be skipped.
    """

    info: np.ndarray
    near: np.ndarray
    later: np.ndarray
    unseen: np.ndarray
    word: np.ndarray
    shift: np.ndarray
    virtual_slot: int
    field_mask: int
    leaves: int


class Keys(NamedTuple):
    """words: uint64 (room, words of a key). table: uint32 (size, 2), where size is a power of two and at least twice
    the
    room: 1 + the number of a key, or 0 for a free entry, and a part of its hash."""

    words: np.ndarray
    table: np.ndarray


class Layers(NamedTuple):
    """source: the keys of a layer, uint64. counters: int64, see below. next: the Keys of the layer after it."""

    source: np.ndarray
    counters: np.ndarray
    next: Keys


# Indices of a row of `info`. ROOM: maximum number of children of a state. MAY_LEAVE: whether this square may be
# skipped.
# MUST: slots of later squares that a partial tour must visit; -1 before they have slots.
SLOT, PRESENT, IS_ALL_SEEN, NEAR_COUNT, NEAR_MASK, TOUCHED, ROOM, MAY_LEAVE, MUST = range(9)

# Indices of `counters` that Python needs; the struct Counters has all. MADE: states of the next layer. MOST: limit.
MADE, MOST = range(1, 3)
COUNTERS = 3

RUNNING, FOUND, FULL, SPENT = range(4)

# Maximum number of slots of the frontier in the kernel.
MAX_SLOTS = 62


# States per kernel call, and states per call while a table grows.
_SLICE, _REINDEX_SLICE = 1 << 15, 1 << 18

# Report(index of the layer, states of the next layer, completed fraction of the layer, bytes used); it may raise.
Report = Callable[[int, int, float, int], None]
# No call creates more states.
MAX_STATES = 1 << 40

# (dtype, items) of each array with a row per state.
Carried: TypeAlias = tuple[tuple[np.dtype | type[np.number], int], ...]


class Algebra:
    """Base class of the values of states. A subclass specifies a function of march.cc and its arrays."""

    function = ""
    carried: Carried = ()

    def begin(self, t: int, source: Layer, room: int) -> None:
        """Prepare for the states of layer t. room: maximum number of children of a state."""

    def arguments(self, source: Layer, target: Layer) -> tuple[object, ...]:
        """Return the arguments of the kernel function after the layers."""
        raise NotImplementedError

    def make_room(self, done: int, room: int) -> None:
        """Ensure capacity for the transitions of further states, if they are stored."""

    @property
    def size(self) -> int:
        """Size in bytes of the arrays of the algebra; changes when they are replaced."""
        return 0


class Layer:
    """States of one layer: `count`, of which `done` are expanded. keys: see core/search/frontier/marching.py."""

    def __init__(self, width: int, room: int, carried: Carried) -> None:
        """width: words per key."""
        self.count = self.done = 0
        table = np.zeros((1 << (2 * room - 1).bit_length(), 2), dtype=np.uint32)
        self.keys = Keys(np.empty((room, width), dtype=np.uint64), table)
        self.carried = [np.zeros((room, items), dtype=dtype) for dtype, items in carried]
        self.bound: BoundFunction | None = None
        self.bound_to: tuple[int, ...] = ()

    @property
    def room(self) -> int:
        """Capacity in states."""
        return len(self.keys.words)

    @property
    def bytes(self) -> int:
        """Size of the arrays in bytes."""
        return sum(array.nbytes for array in (*self.keys, *self.carried))

    def growing(self) -> Iterator[None]:
        """Double the capacity in slices; the layer is unchanged until the last slice."""
        words = self.keys.words
        larger = Layer(words.shape[1], 2 * self.room, tuple((a.dtype, a.shape[1]) for a in self.carried))
        for old, new in zip((words, *self.carried), (larger.keys.words, *larger.carried), strict=True):
            new[: self.count] = old[: self.count]
        for first in range(0, self.count, _REINDEX_SLICE):
            kernel_function("keys_reindex")(larger.keys, words.shape[1], first, min(first + _REINDEX_SLICE, self.count))
            yield
        self.keys, self.carried = larger.keys, larger.carried


class March:
    """Builder of the layers of a plan. algebra: the values of states."""

    def __init__(self, plan: Plan, algebra: Algebra) -> None:
        self.plan, self.algebra = plan, algebra
        self.steps = steps_as_arrays(plan)
        self.width = int(self.steps.word[-1]) + 1
        self.counters = np.zeros(COUNTERS, dtype=np.int64)
        self.function = kernel_function(algebra.function)

    def first_layer(self) -> Layer:
        """Return the single state before step 0, with value 0."""
        layer = self._layer(256)
        layer.keys.words[0] = pack_key(self.plan.first, self.plan, self.steps)
        layer.count = 1
        return layer

    def layer_after(self, t: int, states: int = 0) -> Layer:
        """Return an empty layer after layer t, with space for `states` and some more."""
        return self._layer(256 + self.children(t) + states)

    def _layer(self, room: int) -> Layer:
        return Layer(self.width, room, self.algebra.carried)

    def children(self, t: int) -> int:
        """Return the maximum number of children of a state of layer t."""
        return int(self.steps.info[t, ROOM])

    def expand(self, t: int, source: Layer, target: Layer, upto: int, most: int = MAX_STATES) -> int:
        """Expand states of layer t up to upto - 1; return RUNNING, FOUND, FULL or SPENT (see march.cc).

        Args:
            most: Approximate limit on the number of states to create.
        """
        rooms = (source.room, target.room, self.algebra.size)
        if target.bound is None or target.bound_to != rooms:
            layers = Layers(source.keys.words, self.counters, target.keys)
            target.bound = self.function.bind(self.steps, layers, *self.algebra.arguments(source, target))
            target.bound_to = rooms
        self.counters[:] = source.done, target.count, target.count + most
        status = target.bound(t, upto)
        source.done, target.count = map(int, self.counters[:MOST])
        return status

    def is_full(self, t: int, target: Layer) -> bool:
        """Return whether the layer lacks capacity for the children of one more state."""
        return target.count + self.children(t) > target.room


def pick_codes(near: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Return the code of each pick, a tuple of slots. near: the slots of the later neighbours.

    >>> pick_codes((7, 9))
    {(): 0, (7,): 1, (7, 7): 3, (7, 9): 4, (9,): 2, (9, 7): 5, (9, 9): 6}
    """
    codes: dict[tuple[int, ...], int] = {(): 0}
    for i, a in enumerate(near):
        codes[a,] = 1 + i
        for k, b in enumerate(near):
            codes[a, b] = 1 + len(near) + i * len(near) + k
    return codes


def picks_back(
    plan: Plan, steps: Callable[[int], np.ndarray], t: int, closed: tuple[int, int]
) -> list[tuple[int, ...]]:
    """Return the slots that each square is joined to in a tour, read backwards from its end.

    Args:
        steps: Function that returns the steps of layer t: int32 (states, 2), previous state and code of the pick.
        closed: The last state, in layer t, and the last pick.
    """
    found = []
    s, code = closed
    while True:
        by_code = {code: pick for pick, code in pick_codes(plan.step(t).near).items()}
        found.append(by_code[code])
        if t == 0:
            return found[::-1]
        s, code = steps(t)[s].tolist()
        t -= 1


def why_too_wide(plan: Plan) -> str | None:
    """Return the reason why the states of a plan cannot be encoded, or None."""
    if plan.slots <= MAX_SLOTS:
        return None
    return f"its states have a frontier of {plan.slots} squares; the maximum is {MAX_SLOTS}"


def expand_upto(
    march: March,
    t: int,
    source: Layer,
    target: Layer,
    upto: int,
    report: Report,
    allowed: Callable[[], int] = lambda: MAX_STATES,
) -> bool:
    """Expand the states of layer t before `upto`, a slice at a time, into a layer that grows as needed.

    Args:
        report: Callback after each slice, and while a layer grows.
        allowed: Function that returns the number of further states allowed; at 0 `report` must raise.

    Returns:
        Whether a state ended the march.
    """
    algebra = march.algebra
    while source.done < upto:
        status = march.expand(t, source, target, min(upto, source.done + _SLICE), allowed())
        if status == FOUND:
            return True
        done, held = source.done / source.count, source.bytes + target.bytes + algebra.size
        if status == FULL and march.is_full(t, target):
            held += 2 * target.bytes
            report(t, target.count, done, held)
            for _ in target.growing():
                report(t, target.count, done, held)
        else:
            report(t, target.count, done, held)
        if status == FULL:
            algebra.make_room(source.done, march.children(t))
    return False


def layers(
    plan: Plan, algebra: Algebra, report: Report, allowed: Callable[[], int] = lambda: MAX_STATES
) -> Iterator[Layer]:
    """Yield the layers after each step of a plan, until no state is left.

    Args:
        report, allowed: As for `expand_upto`.
    """
    march = March(plan, algebra)
    source: Layer = march.first_layer()
    for t in range(len(plan.order)):
        algebra.begin(t, source, march.children(t))
        target: Layer = march.layer_after(t, source.count)
        expand_upto(march, t, source, target, source.count, report, allowed)
        yield target
        if not target.count:
            return
        source = target


def steps_as_arrays(plan: Plan) -> Steps:
    """Return the plan as arrays for the kernel."""
    steps = [plan.step(t) for t in range(len(plan.order))]
    widest = max(1, *(len(step.near) for step in steps))
    info = np.zeros((len(steps), 9), dtype=np.int64)
    near = np.zeros((len(steps), widest), dtype=np.int64)
    later = np.zeros((len(steps), plan.slots), dtype=np.uint64)
    unseen = np.zeros((len(steps), plan.slots), dtype=np.int64)
    for t, step in enumerate(steps):
        d = len(step.near)
        # The last square has no next layer.
        may_leave = plan.leaves and plan.order[t] != plan.must and t + 1 < len(steps)
        room = max(1, d * (d - 1) // 2, d) + may_leave
        seen = (step.slot, step.present, step.is_all_seen, d, step.near_mask, step.touched)
        info[t] = (*seen, room, may_leave, plan.must_mask(t))
        near[t, :d] = step.near
        for i, mask in step.later.items():
            later[t, i] = mask
            unseen[t, i] = step.unseen[i]
    # Fields follow the inner mask in word 0, and none straddles two words.
    word, shift = [], []
    at, words = plan.slots, 1
    for _ in range(plan.slots):
        if at + plan.field_bits > 64:
            at, words = 0, words + 1
        word.append(words - 1)
        shift.append(at)
        at += plan.field_bits
    places = (np.array(word, dtype=np.int64), np.array(shift, dtype=np.int64))
    return Steps(info, near, later, unseen, *places, plan.virtual, plan.field_mask, int(plan.leaves))


def pack_key(key: int, plan: Plan, steps: Steps) -> np.ndarray:
    """Return a state as a key of the kernel."""
    words = [key & plan.inner_mask] + [0] * int(steps.word[-1])
    for i, (w, s) in enumerate(zip(steps.word.tolist(), steps.shift.tolist(), strict=True)):
        words[w] |= (key >> plan.shifts[i] & plan.field_mask) << s
    return np.array(words, dtype=np.uint64)
