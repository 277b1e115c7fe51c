"""Exact search (frontier dynamic programme): a tour, or the proof that there is none, on any board or graph.

The squares are dealt with one by one, in a fixed order. When its turn comes a square takes the moves it still lacks,
all to squares that come later. What was decided so far matters to the rest only through the *frontier*, the later
squares that are neighbours of earlier ones: each is bare (no move yet), inner (both its moves taken) or the end of a
path, and then its *mate*, the other end of that path, matters too. Two half-made tours with the same frontier are one
*state*, and since there are far fewer states than half-made tours, all of them can be made. A path may close to a
cycle only when it holds every square. A state dies when a square of the frontier has too few neighbours to come.

Open tours become cycles too: with both ends given these are joined from the outset; otherwise a virtual square joined
to all squares (from the outset to the start, if given) takes the two ends.

A search has three parts, so that counting can share them: the *plan* (the order, and a slot of the frontier for each
square: plan.py), the *state* (one whole number: the mask of the inner slots, and above it for each slot its
number xor that of its mate, 0 without mate), and the *step* from a state to the next ones (`expand`). Here the states
are made deepest layer first, in bundles: on boards rich in tours one is found early, on boards without tours the
search runs dry and that is a proof. Every state remembers the first state that led to it, so a tour is read off
backwards.

Cost: milliseconds for rectangles of 3 and 4 rows, tens of milliseconds for 5 rows; each row more takes about ten times
the states, each column more a few times as many. Boards of 64 squares without tours take from nothing to minutes.
Memory is what ends it. A search of up to some 60,000 states is interpreted (4 us a state); a longer one starts over
compiled (0.8 us), which makes the same states in the same order, so the answer does not depend on it.

Sources: D. E. Knuth, The Art of Computer Programming, vol. 4A, 7.1.4 ("simpath"); J. Kawahara, T. Inoue, H. Iwashita
and S. Minato, Frontier-based search for enumerating all constrained subgraphs with compressed representation, 2017.
"""

from __future__ import annotations

import numpy as np

from knightstour.kernels.counting import frontier as kernel
from knightstour.machine import engine
from knightstour.model.board import move_graph
from knightstour.model.budget import CLOCKS, Budget
from knightstour.model.problem import Problem
from knightstour.model.result import Outcome, found, impossible, undecided
from knightstour.search.frontier.plan import Plan, make_plan
from knightstour.search.frontier.steps import CLOSED, expand, packed, room_for_children, steps_as_arrays, unpacked

# The states kept may take so much memory; a search that would need more ends undecided.
MOST_BYTES = 4_000_000_000
# Past this the frontier of any board that needs a search is far too wide.
MOST_SQUARES = 20_000
# The compiled form keeps a mask of all slots in one word.
_MOST_COMPILED_SLOTS = 62
# Seconds interpreted before the compiled form is used in a process that has it loaded: many boards take less.
_LOADED_AFTER = 0.01
# A bundle is an eighth of its layer, within these bounds: small enough to dive early and to look at the clock often.
_SMALLEST_BUNDLE, _LARGEST_BUNDLE = 64, 1 << 15
# A state in the interpreter's dictionaries, two numbers and their share of the tables, in bytes.
_INTERPRETED_STATE_BYTES = 250
# States entered into a larger table between two looks at the clock.
_REINDEX_SLICE = 1 << 20


def why_not_exact(problem: Problem) -> str | None:
    """Why the exact search does not apply, or None.

    >>> why_not_exact(Problem.of((6, 6), closed=True)) is None
    True
    """
    if problem.board.square_count > MOST_SQUARES:
        return (
            f"an exact search of {problem.board.square_count:,} squares has no chance (at most {MOST_SQUARES:,}), "
            "for the frontier would be far too wide"
        )
    return None


def exact(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Make every state there is until a tour is complete or none is left. The seed plays no part.

    FOUND with a tour, IMPOSSIBLE when the search ran dry, UNDECIDED when a limit or MOST_BYTES ended it.

    >>> exact(Problem.of((3, 5)), Budget(), seed=0).reason
    'an exhaustive search of 136 states found none'
    """
    excuse = why_not_exact(problem)
    if excuse is not None:
        return undecided(excuse)
    squares = move_graph(problem.board).squares
    if len(squares) == 1 and not problem.closed:
        return found([int(squares[0])])
    before = budget.nodes
    plan = make_plan(problem)
    search: _Interpreted | _Compiled
    search = interpreted = _Interpreted(plan, budget)
    status = interpreted.run(_clock_of(plan, budget))
    if status == kernel.RUNNING and not budget.is_spent and search.excuse is None:
        search = compiled = _Compiled(plan, budget, interpreted.made)
        status = compiled.run()
    states = budget.nodes - before
    if status == kernel.FOUND:
        return found(_turned(_tour(plan, search.trail()), problem), states=states)
    if status == kernel.EXHAUSTED:
        return impossible(
            f"an exhaustive search of {states:,} states found none",
            f"exhaustive search (frontier dynamic programme), {states:,} states",
            states=states,
        )
    return undecided(search.excuse or budget.why_stopped(), states=states)


def _clock_of(plan: Plan, budget: Budget) -> engine.Clock | None:
    """When the search goes on compiled; None where it cannot."""
    if plan.slots > _MOST_COMPILED_SLOTS:
        return None
    return engine.Clock(kernel, budget, loaded_after=_LOADED_AFTER)


# ---------------------------------------------------------------- the search, interpreted and compiled


def _bundle(count: int) -> int:
    """How many states of a layer of `count` to expand before going deeper: fixed by the search alone."""
    return min(max(_SMALLEST_BUNDLE, count >> 3), _LARGEST_BUNDLE)


class _Interpreted:
    """The search on dictionaries: a layer maps each state to the state that made it."""

    def __init__(self, plan: Plan, budget: Budget) -> None:
        self.plan = plan
        self.budget = budget
        self.made = 0
        self.excuse: str | None = None
        self.layers: list[dict[int, int]] = [{plan.first: CLOSED}]
        self.queues: list[list[int]] = [[plan.first]]
        self.done = [0]
        self.last = (0, 0)

    def run(self, clock: engine.Clock | None) -> int:
        """FOUND, EXHAUSTED, or RUNNING when the budget is spent or the clock says that compiled code is due."""
        plan, layers, queues, done = self.plan, self.layers, self.queues, self.done
        budget = self.budget
        t = 0
        while t >= 0:
            queue = queues[t]
            if done[t] == len(queue):
                t -= 1
                continue
            if t + 1 == len(layers):
                layers.append({})
                queues.append([])
                done.append(0)
            step = plan.step(t)
            following, next_queue = layers[t + 1], queues[t + 1]
            upto = min(len(queue), done[t] + _bundle(len(queue)))
            while done[t] < upto:
                if budget.is_spent or (clock is not None and clock.is_due):
                    return kernel.RUNNING
                if self.made * _INTERPRETED_STATE_BYTES > MOST_BYTES:
                    self.excuse = _memory_excuse()
                    return kernel.RUNNING
                key = queue[done[t]]
                before = len(next_queue)
                for child in expand(plan, step, key):
                    if child == CLOSED:
                        self.last = (t, key)
                        return kernel.FOUND
                    if child not in following:
                        following[child] = key
                        next_queue.append(child)
                done[t] += 1
                self.made += len(next_queue) - before
                budget.spend(len(next_queue) - before)
            if next_queue[done[t + 1] :]:
                t += 1
        return kernel.EXHAUSTED

    def trail(self) -> list[int]:
        """The states on the way to the tour, from the first to the one that closes it."""
        t, key = self.last
        keys = [key]
        while t > 0:
            key = self.layers[t][key]
            keys.append(key)
            t -= 1
        return keys[::-1]


def _memory_excuse() -> str:
    return f"the states would need more than {MOST_BYTES / 1e9:g} GB of memory"


class _Layer:
    """One layer of the compiled search, as kernels/counting/frontier.py describes it; `done` states are expanded."""

    __slots__ = ("count", "done", "index", "keys", "parents")

    def __init__(self, words: int, room: int = 256) -> None:
        self.count = 0
        self.done = 0
        self.keys = np.empty((room, words), dtype=np.int64)
        self.parents = np.empty(room, dtype=np.int32)
        self.index = np.zeros(1 << (2 * room - 1).bit_length(), dtype=np.int32)

    @property
    def bytes(self) -> int:
        return self.keys.nbytes + self.parents.nbytes + self.index.nbytes


class _Compiled:
    """The search on arrays, with the kernel. It starts over: `known` states were counted when interpreted."""

    def __init__(self, plan: Plan, budget: Budget, known: int) -> None:
        self.plan = plan
        self.budget = budget
        self.known = known
        self.made = 0
        self.excuse: str | None = None
        self.code = engine.compiled(kernel)
        self.steps, self.words = steps_as_arrays(plan)
        self.children, self.picks = room_for_children(self.steps, self.words)
        first = _Layer(self.words)
        first.keys[0] = packed(plan.first, plan, self.steps, self.words)
        first.count = 1
        self.layers = [first]
        self.bytes = first.bytes
        self.last = (0, 0)
        with CLOCKS.stopped():  # compiles or loads
            self.code.expand(*self._arguments(0, first, first, 0, np.zeros(3, dtype=np.int64)))

    def _arguments(self, t: int, source: _Layer, target: _Layer, upto: int, counters: np.ndarray) -> tuple:
        plan = self.plan
        return (
            *(self.steps, t, plan.virtual, plan.field_mask, source.keys, upto),
            *(target.keys, target.parents, target.index, self.children, self.picks, counters),
        )

    def run(self) -> int:
        """FOUND, EXHAUSTED, or RUNNING when the budget is spent or the memory full."""
        layers = self.layers
        counters = np.zeros(3, dtype=np.int64)
        t = 0
        while t >= 0:
            source = layers[t]
            if source.done == source.count:
                t -= 1
                continue
            if t + 1 == len(layers):
                layers.append(_Layer(self.words, 256 + int(self.steps.info[t, kernel.ROOM])))
                self.bytes += layers[-1].bytes
            target = layers[t + 1]
            upto = min(source.count, source.done + _bundle(source.count))
            arguments = self._arguments(t, source, target, upto, counters)
            while source.done < upto:
                # What the interpreter made already is in the budget, so it may be made again for nothing.
                allowed = self.budget.nodes_left(1 << 40) + max(0, self.known - self.made)
                if allowed == 0 or self.budget.seconds_left <= 0:
                    return kernel.RUNNING
                counters[:] = source.done, target.count, target.count + allowed
                status = self.code.expand(*arguments)
                source.done = int(counters[kernel.DONE])
                self._count(int(counters[kernel.MADE]) - target.count)
                target.count = int(counters[kernel.MADE])
                if status == kernel.FOUND:
                    self.last = (t, source.done)
                    return kernel.FOUND
                if status == kernel.FULL:
                    if not self._grow(target):
                        return kernel.RUNNING
                    arguments = self._arguments(t, source, target, upto, counters)
            if target.done < target.count:
                t += 1
        return kernel.EXHAUSTED

    def _count(self, states: int) -> None:
        fresh = max(0, self.made + states - max(self.known, self.made))
        self.made += states
        self.budget.spend(fresh)

    def _grow(self, layer: _Layer) -> bool:
        """Double a layer, a slice at a time; False if the memory or the time is over."""
        if self.bytes + 2 * layer.bytes > MOST_BYTES:
            self.excuse = _memory_excuse()
            return False
        larger = _Layer(self.words, 2 * len(layer.keys))
        for a in range(0, layer.count, _REINDEX_SLICE):
            b = min(a + _REINDEX_SLICE, layer.count)
            larger.keys[a:b] = layer.keys[a:b]
            larger.parents[a:b] = layer.parents[a:b]
            self.code.reindex(larger.keys, self.words, larger.index, a, b)
            if self.budget.seconds_left <= 0:
                return False
        self.bytes += larger.bytes - layer.bytes
        layer.keys, layer.parents, layer.index = larger.keys, larger.parents, larger.index
        return True

    def trail(self) -> list[int]:
        """The states on the way to the tour, from the first to the one that closes it."""
        t, k = self.last
        keys = []
        while True:
            keys.append(unpacked(self.layers[t].keys[k].tolist(), self.plan, self.steps))
            if t == 0:
                return keys[::-1]
            k = int(self.layers[t].parents[k])
            t -= 1


# ---------------------------------------------------------------- reading off the tour


def _tour(plan: Plan, keys: list[int]) -> list[int]:
    """The squares in order, given the states passed through: what was joined at each step, walked along.

    It begins at the first of the plan's ends, where there is one.
    """
    virtual = -2
    joined: dict[int, list[int]] = {v: [] for v in plan.order}
    joined[virtual] = []

    def join(v: int, u: int) -> None:
        joined[v].append(u)
        joined[u].append(v)

    if plan.mates is not None:
        a, b = plan.ends if plan.virtual < 0 else (virtual, plan.ends[0])
        join(a, b)
    for t, key in enumerate(keys):
        picks: list[tuple[int, ...]] = []
        children = expand(plan, plan.step(t), key, picks)
        chosen = picks[children.index(keys[t + 1] if t + 1 < len(keys) else CLOSED)]
        square_at = plan.later_squares(t)
        square_at[plan.virtual] = virtual
        for slot in chosen:
            join(plan.order[t], square_at[slot])
    # Away from the virtual square or the other end, where there is one.
    first = joined[virtual][0] if plan.virtual >= 0 else plan.ends[0] if plan.ends else plan.order[0]
    before = virtual if plan.virtual >= 0 else plan.ends[-1] if plan.ends else joined[first][0]
    order = [first]
    while len(order) < len(plan.order):
        here = order[-1]
        one, other = joined[here]
        order.append(other if one == before else one)
        before = here
    return order


def _turned(order: list[int], problem: Problem) -> list[int]:
    """The same tour as the question wants it: a closed one from its start, an open one with only its end given back."""
    if problem.closed and problem.start_index is not None:
        at = order.index(problem.start_index)
        return order[at:] + order[:at]
    if problem.is_backwards:
        return order[::-1]
    return order
