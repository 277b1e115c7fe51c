"""Algebras "counts" and "ways" on keys: the tours of any board counted exactly, by the states of the frontier.

core/search/frontier/exact.py says what a state is. `count_states` makes all of them, one layer at a time, each with its
number of half-made tours. `list_ways` keeps all layers, with the *ways* from each state to states of the next layer and
the number of *completions* of each state; by these spaces/ numbers the tours. A way says which later squares a square
is joined to when its turn comes, so each tour is one chain of ways, and no two tours have the same chain.

Conventions. Undirected: a tour and the same walked backwards are one; directed: they are two. An open tour with its
start or its end given is a walk from (or to) that square, so there both counts agree. A closed tour is a cycle: its
start changes nothing, and directed counts both ways round.

Cost: 0.1 to 0.3 us a state, and some 50 bytes for each state of two layers. 6x6 closed has 0.3 million states, 6x7
closed 2.3 million, and 8x8 far too many. Counts are whole numbers of any length, held in digits: nothing overflows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from knightstour.core.machine import memory
from knightstour.core.model import wording
from knightstour.core.model.budget import Budget
from knightstour.core.model.indices import bincount, reduceat, repeat
from knightstour.core.model.problem import Problem
from knightstour.core.search.frontier.marching import Algebra, March, WideLayer, WideMarch, march_of, next_layer
from knightstour.core.search.frontier.plan import make_plan
from knightstour.lab.counting.needs import COUNTING, NUMBERING
from knightstour.lab.counting.refusals import refuse
from knightstour.lab.counting.settings import Watch
from knightstour.lab.counting.ways import STATES, STATES_SHARE, Task

# The part of the progress that making the states is; the rest is for counting completions.
_PART_OF_STATES = 0.95
_DIGIT_BITS = 32
_DIGIT = (1 << _DIGIT_BITS) - 1
# A count gets a digit of 64 bits more before its highest one may overflow.
_TOP_DIGIT = 2.0**63


class StateCount(NamedTuple):
    """How many tours there are, both conventions, and how many states it took to count them."""

    undirected: int
    directed: int
    states: int


class Ways(NamedTuple):
    """The ways from the states of one layer to those of the next; states are numbered in the order they were made.

    State s has the ways offsets[s] .. offsets[s + 1] - 1, int64 (states + 1,). Way e leads to state targets[e] of the
    next layer, -1 where it completes the tour: int32 (ways,). codes[e] is what the square joins itself to, as
    core/kernels/counting/march.h numbers it: int32 (ways,).
    """

    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.offsets) - 1

    @property
    def bytes(self) -> int:
        """What they take."""
        return self.offsets.nbytes + self.targets.nbytes + self.codes.nbytes


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
    counts = _Counts()
    maker = _Maker(problem, budget, counts, lambda: 0)
    for _ in maker.layers():
        pass
    complete = counts.complete
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


class _Counts(Algebra):
    """Each state carries its number of half-made tours. total: of whole ones, in digits of 64 bits."""

    door = "march_counts"

    def __init__(self) -> None:
        self.total = np.zeros(1, dtype=np.uint64)
        self.wide_total = 0

    @property
    def carried(self) -> tuple[tuple[Any, int], ...]:  # type: ignore[override]
        return ((np.uint64, len(self.total)),)

    @property
    def complete(self) -> int:
        """Number of tours."""
        return self.wide_total + int.from_bytes(self.total.astype("<u8").tobytes(), "little")

    def begin(self, t: int, source: Any, room: int) -> None:
        if isinstance(source, WideLayer):
            if t == 0:
                source.carried[0] = 1
            return
        counts = source.carried[0]
        if t == 0:
            counts[0, 0] = 1
        # No state, nor all tours together, get more than each state gives to each of its children.
        top = float(counts[: source.count, -1].max()) + 1
        if top * room * source.count + float(self.total[-1]) >= _TOP_DIGIT:
            more = np.zeros((len(counts), 1), dtype=np.uint64)
            source.carried[0] = np.concatenate([counts, more], axis=1)
            self.total = np.append(self.total, np.zeros(1, dtype=np.uint64))

    def arguments(self, source: Any, target: Any) -> tuple[Any, ...]:
        return source.carried[0].ravel(), target.carried[0].ravel(), self.total

    def enter(self, source: Any, target: Any, s: int, pick: int, k: int) -> None:
        if k == len(target.carried):
            target.carried.append(0)
        target.carried[k] += source.carried[s]

    def close(self, source: Any, s: int, pick: int) -> bool:
        self.wide_total += source.carried[s]
        return False


class _Branching(Algebra):
    """Every way from state to state is written down, one layer at a time."""

    door = "march_ways"

    def begin(self, t: int, source: Any, room: int) -> None:
        self._room = room
        self.offsets = np.zeros(source.count + 1, dtype=np.int64)
        self.targets = np.empty(256 + room + 2 * source.count, dtype=np.int32)
        self.codes = np.empty(len(self.targets), dtype=np.int32)
        # On wide frontiers.
        self._ends = [0]
        self._made: list[tuple[int, int]] = []

    def arguments(self, source: Any, target: Any) -> tuple[Any, ...]:
        return self.offsets, self.targets, self.codes

    def make_room(self, done: int, room: int) -> None:
        if self.offsets[done] + room > len(self.targets):
            self.targets, self.codes = (np.resize(each, 2 * len(each)) for each in (self.targets, self.codes))

    @property
    def size(self) -> int:
        return self.offsets.nbytes + self.targets.nbytes + self.codes.nbytes

    def enter(self, source: Any, target: Any, s: int, pick: int, k: int) -> None:
        self._made.append((k, pick))

    def close(self, source: Any, s: int, pick: int) -> bool:
        self._made.append((-1, pick))
        return False

    def leave(self) -> None:
        self._ends.append(len(self._made))

    def ways(self) -> Ways:
        """Those of the layer that was expanded."""
        if len(self._ends) > 1:
            made = np.array(self._made, dtype=np.int32).reshape(-1, 2)
            return Ways(np.array(self._ends, dtype=np.int64), made[:, 0].copy(), made[:, 1].copy())
        count = int(self.offsets[-1])
        return Ways(self.offsets, self.targets[:count].copy(), self.codes[:count].copy())


class _Maker:
    """Makes the layers of a question one after the other.

    made: states so far. states: those of the newest layer. kept: gives the bytes that are kept of the layers before.
    """

    def __init__(self, problem: Problem, budget: Budget | None, algebra: Algebra, kept: Callable[[], int]) -> None:
        self.watch = Watch(problem, budget, "states")
        self.budget = self.watch.budget
        self.plan = make_plan(problem)
        self.most_bytes = self.watch.most_bytes or int(memory.available_bytes() * STATES_SHARE)
        self.algebra, self.kept = algebra, kept
        self.made = self.states = 1
        # A guess at the states of the layers up to each, as a part of all: a slot more makes 2.4 times the states.
        guesses = np.cumsum([0.0, *(2.4 ** min(mask.bit_count(), 700) for mask in self.plan.present)])
        self._parts = (guesses / guesses[-1]).tolist()
        purpose = NUMBERING if isinstance(algebra, _Branching) else COUNTING
        refuse(STATES.fit(Task(problem, purpose=purpose)), self.most_bytes)
        self.march: March | WideMarch = march_of(self.plan, algebra)

    def layers(self) -> Iterator[None]:
        """Make layer 1, 2, ... until no state is left."""
        source: Any = self.march.first_layer()
        for t in range(len(self.plan.order)):
            if source.count == 0:
                return
            spent = 0

            def report(states: int, within: float, held: int, t: int = t) -> None:
                nonlocal spent
                self._spend(states - spent, t, within)
                spent = states
                self._check_memory(held)

            source = next_layer(self.march, t, source, report, lambda: self.budget.nodes_left(1 << 40))
            self.states = source.count
            self.made += self.states
            yield

    def _spend(self, states: int, t: int, within: float) -> None:
        """Count new states of layer t. within: the part of the layer that is made, 0 to 1."""
        made = self._parts[t] + within * (self._parts[t + 1] - self._parts[t])
        # Narrow layers have far fewer states than guessed, so that most of the time is spent on the widest.
        self.watch.spend(states, _PART_OF_STATES * made**3)

    def _check_memory(self, held: int) -> None:
        if self.kept() + held > self.most_bytes:
            raise self.watch.stopped(
                f"the states would need more than {wording.in_words(self.most_bytes)} of memory "
                f"({self.made:,} were made)"
            )


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
        ways = Ways(
            np.arange(exists + 1, dtype=np.int64), np.full(exists, -1, dtype=np.int32), np.zeros(exists, dtype=np.int32)
        )
        return Completions([ways], [np.ones(exists, dtype=np.int64)])
    branching = _Branching()
    layers: list[Ways] = []
    maker = _Maker(problem, budget, branching, lambda: sum(ways.bytes for ways in layers))
    for _ in maker.layers():
        layers.append(branching.ways())
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
    degrees = np.diff(np.concatenate([[0], np.cumsum(is_good, dtype=np.int64)])[ways.offsets])
    targets, codes = targets[is_good], ways.codes[is_good]
    targets[is_closing[is_good]] = -1
    is_alive = degrees > 0
    degrees = degrees[is_alive]
    offsets = np.concatenate([[0], np.cumsum(degrees, dtype=np.int64)])
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
    return reduceat(np.add, values, offsets[:-1])
