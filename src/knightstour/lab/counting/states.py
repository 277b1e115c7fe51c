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

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from knightstour.core.machine import memory
from knightstour.core.model import wording
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import BoardError
from knightstour.core.model.problem import Problem
from knightstour.core.search.frontier.marching import MAX_STATES, Algebra, layers, why_too_wide
from knightstour.core.search.frontier.plan import make_plan
from knightstour.lab.counting.needs import COUNTING, NUMBERING
from knightstour.lab.counting.network import Network, Ways, completed
from knightstour.lab.counting.refusals import refuse
from knightstour.lab.counting.settings import Watch
from knightstour.lab.counting.ways import STATES, STATES_SHARE, Task

# The part of the progress that making the states is; the rest is for counting completions.
_PART_OF_STATES = 0.95
# A number gets a digit of 64 bits more before its highest one may overflow.
_TOP_DIGIT = 2.0**62


class StateCount(NamedTuple):
    """How many tours there are, both conventions, and how many states it took to count them."""

    undirected: int
    directed: int
    states: int


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
    counts = Sums()
    making = _Making(problem, budget, counts, lambda: 0)
    for _ in making.layers():
        pass
    (complete,) = counts.complete
    return StateCount(complete, complete if problem.has_given_end else 2 * complete, making.made)


# ---------------------------------------------------------------- layers of states


class Sums(Algebra):
    """Each state carries sums over all ways to it of products of weights: of half-made tours, where all of these are 1.

    weights: for each step those of its picks, int64 (picks, sums), the first sum at least as large as the size of the
    others; none where there is one sum, and all are 1. total: over whole tours, in digits of 64 bits.
    """

    door = "march_sums"
    is_ring = 0

    def __init__(self, weights: Sequence[np.ndarray] = ()) -> None:
        self.weights = weights
        self.total = np.zeros((weights[0].shape[1] if weights else 1, 1), dtype=np.uint64)
        self.largest = max((int(np.abs(each).max()) for each in weights), default=1)
        # One of these sums bounds all of them.
        self.bounding: slice = slice(1)

    @property
    def carried(self) -> tuple[tuple[Any, int], ...]:  # type: ignore[override]
        return ((np.uint64, self.total.size),)

    @property
    def complete(self) -> list[int]:
        """Each sum over whole tours."""
        return [int.from_bytes(x.astype("<u8").tobytes(), "little", signed=True) for x in self.total]

    def begin(self, t: int, source: Any, room: int) -> None:
        sums = source.carried[0].reshape(-1, *self.total.shape)
        if t == 0:
            sums[0, slice(1) if self.is_ring else slice(None), 0] = 1
        self._weights = self.weights[t] if self.weights else np.zeros((0, 1), dtype=np.int64)
        # No state, nor all tours together, get more than each state gives to each of its children.
        top, total = (float(each[..., self.bounding, -1].max()) for each in (sums[: source.count], self.total))
        if (top + 1) * room * source.count * self.largest + total >= _TOP_DIGIT:
            source.carried[0] = _longer(sums).reshape(len(sums), -1)
            self.total = _longer(self.total)

    def arguments(self, source: Any, target: Any) -> tuple[Any, ...]:
        sums = (source.carried[0].ravel(), target.carried[0].ravel(), self.total.ravel())
        return self._weights.ravel(), *sums, len(self.total), self.is_ring


class RingSums(Sums):
    """Sum j is over the ways whose moves lead j steps round a ring, and weight j of a pick says how many moves do."""

    is_ring = 1

    def __init__(self, weights: Sequence[np.ndarray]) -> None:
        super().__init__(weights)
        self.largest = max(int(each.sum(axis=1).max()) for each in weights)
        self.bounding = slice(None)


def _longer(numbers: np.ndarray) -> np.ndarray:
    """Numbers with one digit more; their last axis is that of the digits."""
    return np.concatenate([numbers, -(numbers[..., -1:] >> np.uint64(63))], axis=-1)


class _Branching(Algebra):
    """Every way from state to state is written down, one layer at a time."""

    door = "march_ways"

    def begin(self, t: int, source: Any, room: int) -> None:
        self.offsets = np.zeros(source.count + 1, dtype=np.int64)
        self.targets = np.empty(256 + room + 2 * source.count, dtype=np.int32)
        self.codes = np.empty(len(self.targets), dtype=np.int32)

    def arguments(self, source: Any, target: Any) -> tuple[Any, ...]:
        return self.offsets, self.targets, self.codes

    def make_room(self, done: int, room: int) -> None:
        if self.offsets[done] + room > len(self.targets):
            self.targets, self.codes = (np.resize(each, 2 * len(each)) for each in (self.targets, self.codes))

    @property
    def size(self) -> int:
        return self.offsets.nbytes + self.targets.nbytes + self.codes.nbytes

    def ways(self) -> Ways:
        """Those of the layer that was expanded."""
        count = int(self.offsets[-1])
        return Ways(self.offsets, self.targets[:count].copy(), self.codes[:count].copy())


class _Making:
    """The making of all layers of a question: its limits, its progress, and how much was made.

    made: states so far. kept: gives the bytes that are kept of the layers before.
    """

    def __init__(self, problem: Problem, budget: Budget | None, algebra: Algebra, kept: Callable[[], int]) -> None:
        self.watch = Watch(problem, budget, "states")
        self.plan = make_plan(problem)
        self.most_bytes = self.watch.most_bytes or int(memory.available_bytes() * STATES_SHARE)
        self.algebra, self.kept = algebra, kept
        self.made = 1
        # Those of them that the budget knows.
        self._spent = 1
        # A guess at the states of the layers up to each, as a part of all: a slot more makes 2.4 times the states.
        guesses = np.cumsum([0.0, *(2.4 ** min(mask.bit_count(), 700) for mask in self.plan.present)])
        self._parts = (guesses / guesses[-1]).tolist()
        purpose = NUMBERING if isinstance(algebra, _Branching) else COUNTING
        refuse(STATES.fit(Task(problem, purpose=purpose)), self.most_bytes)
        excuse = why_too_wide(self.plan)
        if excuse is not None:
            raise BoardError(f"{purpose} the tours of the {problem.board.title} is infeasible: {excuse}")

    def layers(self) -> Iterator[None]:
        """Make layer 1, 2, ... until no state is left."""
        for layer in layers(self.plan, self.algebra, self._report, lambda: self.watch.budget.nodes_left(MAX_STATES)):
            self.made += layer.count
            yield

    def _report(self, t: int, states: int, within: float, held: int) -> None:
        part = self._parts[t] + within * (self._parts[t + 1] - self._parts[t])
        spent, self._spent = self._spent, self.made + states
        # Narrow layers have far fewer states than guessed, so that most of the time is spent on the widest.
        self.watch.spend(self._spent - spent, _PART_OF_STATES * part**3)
        self._check_memory(held)

    def _check_memory(self, held: int) -> None:
        if self.kept() + held > self.most_bytes:
            raise self.watch.stopped(
                f"the states would need more than {wording.in_words(self.most_bytes)} of memory "
                f"({self.made:,} were made)"
            )


# ---------------------------------------------------------------- all layers, with completions


def list_ways(problem: Problem, budget: Budget | None = None) -> Network:
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
        return Network([ways], [np.ones(exists, dtype=np.int64)])
    branching = _Branching()
    made: list[Ways] = []
    making = _Making(problem, budget, branching, lambda: sum(ways.bytes for ways in made))
    for _ in making.layers():
        made.append(branching.ways())
    return completed(made, lambda part: making.watch.spend(0, _PART_OF_STATES + (1 - _PART_OF_STATES) * part))
