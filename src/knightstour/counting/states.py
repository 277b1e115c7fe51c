"""Count the tours of any board exactly, by the states of the frontier: every shape, surface, leaper and graph.

search/frontier says what a state is: squares are dealt with one by one, and half-made tours with the same frontier are
one state. Here every state is made, layer by layer, with all the *ways* from it to states of the next layer. A way says
which later squares a square is joined to when its turn comes, so each tour is one chain of ways through the layers, and
no two tours have the same chain. With each state goes a count: its number of half-made tours.

`count_states` keeps one layer at a time and returns the number of tours. `list_ways` keeps all layers, with the number
of *completions* of each state; by these spaces/ numbers the tours.

Conventions. Undirected: a tour and the same walked backwards are one; directed: they are two. An open tour with its
start or its end given is a walk from (or to) that square, so there both counts agree. A closed tour is a cycle: its
start changes nothing, and directed counts both ways round.

Cost: about 1 us a state compiled (4 us interpreted, for boards that are done before the compiled code would be loaded),
and some 50 bytes for each state of two layers. 6x6 closed has 0.3 million states, 6x7 closed 2.3 million, and 8x8 far
too many. Counts are whole numbers of any length, held in digits of 32 bits: nothing overflows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.counting.means import Watch
from knightstour.counting.refusals import STATES_SHARE, refuse_states
from knightstour.kernels.counting import frontier as kernel
from knightstour.machine import engine, memory
from knightstour.model import wording
from knightstour.model.budget import Budget
from knightstour.model.indices import bincount, repeat
from knightstour.model.problem import Problem
from knightstour.search.frontier.plan import make_plan
from knightstour.search.frontier.steps import CLOSED, expand, packed, room_for_children, steps_as_arrays

# Seconds interpreted before the compiled form is used in a process that has loaded it: many boards take less.
_LOADED_AFTER = 0.01
# The compiled form keeps a mask of all slots in one word.
_MOST_COMPILED_SLOTS = 62
# States expanded between two looks at the clock.
_SLICE = 1 << 15
# The part of the progress that making the states is; the rest is for counting completions.
_PART_OF_STATES = 0.95
_DIGIT_BITS = 32
_DIGIT = (1 << _DIGIT_BITS) - 1


class StateCount(NamedTuple):
    """How many tours there are, both conventions, and how many states it took to count them."""

    undirected: int
    directed: int
    states: int


class Ways(NamedTuple):
    """The ways from the states of one layer to those of the next; states are numbered in the order they were made.

    State s has the ways offsets[s] .. offsets[s + 1] - 1, int64 (states + 1,). Way e leads to state targets[e] of the
    next layer, -1 where it completes the tour: int32 (ways,). codes[e] is what the square joins itself to, as
    kernels/counting/frontier.py numbers it: int32 (ways,).
    """

    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.offsets) - 1


def count_states(problem: Problem, budget: Budget | None = None) -> StateCount:
    """The number of tours that answer the question.

    budget: limits of time, of states (its nodes), and of the memory that the states may take, by default 0.6 of what is
    free.

    Raises BoardError at once where the states are far too many (refusals.py), LimitReached at a limit, or where the
    memory does not suffice.

    >>> count_states(Problem.of((5, 6), closed=True)).undirected
    8
    >>> count_states(Problem.of((5, 5)))
    StateCount(undirected=864, directed=1728, states=73621)
    """
    if problem.board.square_count == 1:
        count = int(not problem.closed)
        return StateCount(count, count, 1)
    maker = _Maker(problem, budget, keep=False)
    counts = np.ones((1, 1), dtype=np.int64)
    complete = 0
    for ways in maker.layers():
        counts, closing = push_counts(counts, ways, maker.states)
        complete += closing
    return StateCount(complete, complete if problem.has_given_end else 2 * complete, maker.made)


# ---------------------------------------------------------------- whole numbers in digits


def push_counts(counts: np.ndarray, ways: Ways, states: int) -> tuple[np.ndarray, int]:
    """Carry counts along the ways: the counts of the next layer, and the number of tours that are completed.

    counts: in digits, int64 (states, digits), the lowest first, each below 2**32. states: of the next layer.
    """
    degrees = np.diff(ways.offsets)
    size = states + 1
    sums = np.zeros((size, counts.shape[1]), dtype=np.int64)
    into = ways.targets + 1
    for j in range(counts.shape[1]):
        # Halves of digits, since floats are exact below 2**53 and many ways may complete tours.
        digit = repeat(counts[:, j], degrees)
        sums[:, j] = bincount(into, weights=digit & 0xFFFF, minlength=size).astype(np.int64)
        sums[:, j] += bincount(into, weights=digit >> 16, minlength=size).astype(np.int64) << 16
    sums = carry_digits(sums)
    return sums[1:], digits_as_int(sums[0])


def carry_digits(sums: np.ndarray) -> np.ndarray:
    """The same numbers with every digit below 2**32, in as many digits as it takes."""
    sums = sums.copy()
    for j in range(sums.shape[1] - 1):
        sums[:, j + 1] += sums[:, j] >> _DIGIT_BITS
        sums[:, j] &= _DIGIT
    while len(sums) and int(sums[:, -1].max()) > _DIGIT:
        sums = np.concatenate([sums, sums[:, -1:] >> _DIGIT_BITS], axis=1)
        sums[:, -2] &= _DIGIT
    return sums


def digits_as_int(digits: np.ndarray) -> int:
    """The number of one row of digits, each below 2**32."""
    return int.from_bytes(digits.astype("<u4").tobytes(), "little")


def int_as_digits(numbers: np.ndarray) -> np.ndarray:
    """Whole numbers, int64 or objects, as digits: int64 (n, digits)."""
    if numbers.dtype != object:
        return np.stack([numbers & _DIGIT, numbers >> _DIGIT_BITS], axis=1)
    most = max(1, *(-(-int(x).bit_length() // _DIGIT_BITS) for x in numbers)) if len(numbers) else 1
    rows = b"".join(int(x).to_bytes(_DIGIT_BITS // 8 * most, "little") for x in numbers)
    return np.frombuffer(rows, dtype="<u4").reshape(len(numbers), most).astype(np.int64)


# ---------------------------------------------------------------- layers of states


class _Table:
    """The states of one layer, as the kernel keeps them: keys in order of making, and the table to find them by."""

    def __init__(self, words: int, room: int) -> None:
        self.count = 0
        self.keys = np.empty((room, words), dtype=np.int64)
        self.index = np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int32)


class _Maker:
    """Makes the layers of a question one after the other, interpreted at first and then compiled.

    made: states so far. states: those of the newest layer, to which the ways that were made last lead.
    """

    def __init__(self, problem: Problem, budget: Budget | None, *, keep: bool) -> None:
        self.problem = problem
        self.watch = Watch(problem, budget, "states")
        self.budget = self.watch.budget
        self.plan = make_plan(problem)
        self.most_bytes = self.watch.most_bytes or int(memory.available_bytes() * STATES_SHARE)
        self.keep = keep
        self.made = 1
        self.kept_bytes = 0
        self.states = 1
        self._keys: list[int] = [self.plan.first]
        self._table: _Table | None = None
        self._clock = engine.Clock(kernel, self.budget, loaded_after=_LOADED_AFTER)
        # A guess at the states of the layers up to each, as a part of all: a slot more makes 2.4 times the states.
        guesses = np.cumsum([0.0, *(2.4 ** min(mask.bit_count(), 700) for mask in self.plan.present)])
        self._parts = (guesses / guesses[-1]).tolist()
        refuse_states(problem, self.plan, self.most_bytes, keep=keep)

    def layers(self) -> Iterator[Ways]:
        """The ways from layer 0, 1, ... until no state is left."""
        for t in range(len(self.plan.order)):
            if self.states == 0:
                return
            ways = self._interpreted(t) if self._table is None else None
            if ways is None:
                ways = self._compiled(t)
            self.made += self.states
            if self.keep:
                self.kept_bytes += ways.offsets.nbytes + ways.targets.nbytes + ways.codes.nbytes
            yield ways

    def _spend(self, states: int, t: int, within: float) -> None:
        """Count new states of layer t. within: the part of the layer that is made, 0 to 1."""
        made = self._parts[t] + within * (self._parts[t + 1] - self._parts[t])
        # Narrow layers have far fewer states than guessed, so that most of the time is spent on the widest.
        self.watch.spend(states, _PART_OF_STATES * made**3)

    def _check_memory(self, bytes_held: int) -> None:
        if self.kept_bytes + bytes_held > self.most_bytes:
            raise self.watch.stopped(
                f"the states would need more than {wording.in_words(self.most_bytes)} of memory "
                f"({self.made:,} were made)"
            )

    # -- interpreted

    def _interpreted(self, t: int) -> Ways | None:
        """The ways of layer t; None, and nothing changed, when it is time for the compiled form."""
        plan, step = self.plan, self.plan.step(t)
        code_of = _codes(len(step.near), {slot: i for i, slot in enumerate(step.near)})
        number: dict[int, int] = {}
        offsets, targets, codes = [0], [], []
        spent = 0
        for done, key in enumerate(self._keys):
            if done & 255 == 0:
                self._spend(len(number) - spent, t, done / len(self._keys))
                spent = len(number)
                self._check_memory(300 * (len(self._keys) + len(number)))
                if self._is_time_to_compile():
                    self.budget.nodes -= spent
                    return None
            picks: list[tuple[int, ...]] = []
            for child, pick in zip(expand(plan, step, key, picks), picks, strict=True):
                targets.append(-1 if child == CLOSED else number.setdefault(child, len(number)))
                codes.append(code_of[pick])
            offsets.append(len(targets))
        self._spend(len(number) - spent, t, 1.0)
        self._keys = list(number)
        self.states = len(number)
        return Ways(np.array(offsets), np.array(targets, dtype=np.int32), np.array(codes, dtype=np.int32))

    def _is_time_to_compile(self) -> bool:
        return self.plan.slots <= _MOST_COMPILED_SLOTS and self._clock.is_due

    # -- compiled

    def _compiled(self, t: int) -> Ways:
        if self._table is None:
            self._code = self._clock.load()
            self._steps, self._words = steps_as_arrays(self.plan)
            self._scratch = room_for_children(self._steps, self._words)
            self._table = _Table(self._words, max(256, len(self._keys)))
            for k, key in enumerate(self._keys):
                self._table.keys[k] = packed(key, self.plan, self._steps, self._words)
            self._table.count = len(self._keys)
            self._keys = []
        source = self._table
        room = 256 + int(self._steps.info[t, kernel.ROOM])
        target = _Table(self._words, max(room, source.count))
        offsets = np.zeros(source.count + 1, dtype=np.int64)
        targets = np.empty(room + 2 * source.count, dtype=np.int32)
        codes = np.empty(len(targets), dtype=np.int32)
        counters = np.zeros(3, dtype=np.int64)
        done = 0
        while done < source.count:
            counters[:] = done, target.count, target.count + self.budget.nodes_left(1 << 40)
            upto = min(done + _SLICE, source.count)
            made = (target.keys, target.index, *self._scratch, counters, offsets, targets, codes)
            status = self._code.branch(
                self._steps, t, self.plan.virtual, self.plan.field_mask, source.keys, upto, *made
            )
            done = int(counters[kernel.DONE])
            fresh = int(counters[kernel.MADE]) - target.count
            target.count += fresh
            self._spend(fresh, t, done / source.count)
            if status == kernel.FULL:
                if 2 * target.count + 4 * room > len(target.keys):
                    self._grow(target)
                if offsets[done] + room > len(targets):
                    targets, codes = np.resize(targets, 2 * len(targets)), np.resize(codes, 2 * len(codes))
            held = source.keys.nbytes + target.keys.nbytes + target.index.nbytes + offsets.nbytes + 2 * targets.nbytes
            self._check_memory(held)
        ways = int(offsets[-1])
        self._table = target
        self.states = target.count
        return Ways(offsets, targets[:ways].copy(), codes[:ways].copy())

    def _grow(self, table: _Table) -> None:
        larger = _Table(self._words, 2 * len(table.keys))
        larger.keys[: table.count] = table.keys[: table.count]
        self._code.reindex(larger.keys, self._words, larger.index, 0, table.count)
        table.keys, table.index = larger.keys, larger.index


def _codes(near: int, place: dict[int, int]) -> dict[tuple[int, ...], int]:
    """The code of each pick, a tuple of slots. near: how many later neighbours the square has."""
    codes: dict[tuple[int, ...], int] = {(): 0}
    for a, i in place.items():
        codes[a,] = 1 + i
        for b, k in place.items():
            codes[a, b] = 1 + near + i * near + k
    return codes


# ---------------------------------------------------------------- all layers, with completions


@dataclass(frozen=True, slots=True, eq=False)
class Completions:
    """All states that lead to a tour. Layer 0 has one state if there is a tour, else none.

    ways[t]: from layer t to layer t + 1. completions[t][s]: the number of ways in which state s of layer t becomes a
    tour, int64 (states,), or whole numbers as objects where they need more than 63 bits.
    """

    ways: list[Ways]
    completions: list[np.ndarray]

    @property
    def count(self) -> int:
        """Number of tours."""
        return int(self.completions[0][0]) if len(self.completions[0]) else 0


def list_ways(problem: Problem, budget: Budget | None = None) -> Completions:
    """All states and ways that lead to a tour, and the completions of each. Arguments and errors as `count_states`.

    >>> list_ways(Problem.of((5, 6), closed=True)).count
    8
    """
    if problem.board.square_count == 1:
        # One way that joins nothing, if the tour may be open.
        exists = int(not problem.closed)
        ways = Ways(np.arange(exists + 1), np.full(exists, -1, dtype=np.int32), np.zeros(exists, dtype=np.int32))
        return Completions([ways], [np.ones(exists, dtype=np.int64)])
    maker = _Maker(problem, budget, keep=True)
    layers = list(maker.layers())
    kept: list[Ways] = []
    completions: list[np.ndarray] = []
    after = np.zeros(0, dtype=np.int64)
    renumbered = np.full(maker.states + 1, -1, dtype=np.int32)
    count = len(layers)
    while layers:
        ways, after, renumbered = _completed(layers.pop(), after, renumbered)
        maker.watch.spend(0, _PART_OF_STATES + (1 - _PART_OF_STATES) * (count - len(layers)) / count)
        kept.append(ways)
        completions.append(after)
    return Completions(kept[::-1], completions[::-1])


def _completed(ways: Ways, after: np.ndarray, renumbered: np.ndarray) -> tuple[Ways, np.ndarray, np.ndarray]:
    """One layer without the states and ways that lead to no tour, its completions, and the new numbers of its states.

    after: the completions of the states that are kept of the next layer. renumbered: the new number of each state
    there, -1 for one that is not kept; its last item is for the complete tour.
    """
    is_closing = ways.targets < 0
    targets = renumbered[ways.targets]
    is_good = is_closing | (targets >= 0)
    degrees = np.diff(np.concatenate([[0], np.cumsum(is_good)])[ways.offsets])
    targets, codes = targets[is_good], ways.codes[is_good]
    targets[is_closing[is_good]] = -1
    is_alive = degrees > 0
    degrees = degrees[is_alive]
    offsets = np.concatenate([[0], np.cumsum(degrees)])
    counts = sum_of_ways(offsets, np.append(after, np.ones(1, dtype=after.dtype))[targets])
    new = np.full(len(is_alive) + 1, -1, dtype=np.int32)
    new[:-1][is_alive] = np.arange(int(is_alive.sum()), dtype=np.int32)
    return Ways(offsets, targets, codes), counts, new


def sum_of_ways(offsets: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The sum of the values of each state's ways, one at least: int64 if all fit, else whole numbers as objects."""
    if len(values) and values.dtype != object:
        most = int(np.diff(offsets).max())
        if int(values.max()) * most >= 1 << 62:
            values = values.astype(object)
    return np.add.reduceat(values, offsets[:-1])
