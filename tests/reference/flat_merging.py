"""The merging of large flat boards, from its definition: procedures that rest before each node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search import flat_merging as k
from knightstour.core.kernels.search.flat_merging import CURSOR, GAP, NODES, PATIENCE, PHASE, RANDOM, SMALL, State
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.search.flat_merging import FlatMerging
from reference import Case, Row, Run, stepping

FOUND = 1
END = 256


class Field:
    """The board, whose state changes as a procedure goes."""

    def __init__(self, s: State) -> None:
        self.s, self.c, self.ways, self.label, self.place = s, s.counters, s.ways, s.label, s.place
        self.count = self.c[k.ROWS] * self.c[k.COLS]

    def run(self) -> Any:
        """The phase that is next."""
        phases = (
            self.pair_blocks,
            self.pair_rest,
            self.lay_path,
            self.join,
            self.count_squares,
            self.walk,
            self.fit_in,
        )
        yield from phases[self.c[PHASE]]()
        return FOUND

    def node(self) -> Run:
        """Rest, and count what comes."""
        yield False
        self.c[NODES] += 1

    def draw(self) -> int:
        self.c[RANDOM] = next_random(self.c[RANDOM])
        return self.c[RANDOM]

    # ---------------------------------------------------------------- links

    def bit(self, a: int, b: int) -> int:
        """The bit of a link from a to b; 0 where there is no move."""
        return 1 << self.s.steps.index(b - a) if b - a in self.s.steps else 0

    def linked(self, a: int) -> list[int]:
        """The squares that links lead to."""
        return [a + step for d, step in enumerate(self.s.steps) if self.ways[a] >> d & 1]

    def put_pair(self, a: int, b: int) -> None:
        self.ways[a], self.ways[b] = self.bit(a, b), self.bit(b, a)
        self.label[a] = self.label[b] = min(a, b)

    def change(self, gone: list[tuple[int, int]], come: list[tuple[int, int]]) -> None:
        """Links give way to others; a loop of two squares has two links, of one bit."""
        for pair in gone:
            for a, b in (pair, pair[::-1]):
                if self.ways[a] != self.bit(a, b):
                    self.ways[a] -= self.bit(a, b)
        for pair in come:
            for a, b in (pair, pair[::-1]):
                self.ways[a] |= self.bit(a, b)

    def loop_from(self, first: int) -> list[int]:
        """The squares of a loop, or of the path from its end."""
        found = [first]
        while True:
            onward = self.linked(found[-1])
            if len(found) > 1:
                onward = [s for s in onward if s != found[-2]] or ([] if self.ways[found[-1]] & END else [found[-2]])
            if not onward or onward[0] == first:
                return found
            found.append(onward[0])

    def root_of(self, s: int) -> int:
        while self.label[s] != s:
            s = self.label[s]
        return s

    # ---------------------------------------------------------------- pairs and the path

    def pair_blocks(self) -> Run:
        """Two pairs of each loop of four of each 4x4 block."""
        width = self.c[k.COLS] + 2
        for top in range(0, self.c[k.ROWS] - 3, 4):
            for left in range(0, self.c[k.COLS] - 3, 4):
                yield from self.node()
                x = self.draw()
                for number, loop in enumerate(self.s.blocks):
                    squares = [(top + row + 2) * width + left + col + 1 for row, col in loop]
                    if x >> 8 + number & 1:
                        squares = squares[1:] + squares[:1]
                    self.put_pair(*squares[:2])
                    self.put_pair(*squares[2:])

    def pair_rest(self) -> Run:
        """An augmenting path from each square alone, if there is one."""
        for first in self.s.alone:
            yield from self.node()
            self.c[k.PAIRED] += self.has_augmented(first)

    def has_augmented(self, first: int) -> bool:
        queue, via = [first], dict[int, int]()
        for a in queue:
            for b in (a + step for step in self.s.steps):
                if self.s.is_square[b] and b not in via and b != self.c[k.SINGLE]:
                    via[b] = a
                    if self.ways[b]:
                        queue.append(self.linked(b)[0])
                        continue
                    while True:
                        a = via[b]
                        before = self.linked(a)
                        self.put_pair(a, b)
                        if a == first:
                            return True
                        b = before[0]
        return False

    def lay_path(self) -> Run:
        """A pair at a time from the start on, until the end comes; any pair if there is no end."""
        start, end = self.c[k.START], self.c[k.END]
        first = self.linked(start)[0] if self.ways[start] else start
        # Whence each square comes: all pairs but the first hang together already.
        queue, via = [first], {start: -1}
        self.c[k.LAST] = first if first == end or (end < 0 and first != start) else -1
        for a in queue:
            if self.c[k.LAST] >= 0:
                break
            yield from self.node()
            turn = self.draw() >> 10 & 7
            for b in (a + step for step in self.s.steps[turn:] + self.s.steps[:turn]):
                if self.s.is_square[b] and b not in via:
                    via[b] = a
                    queue.append(self.linked(b)[0])
                    if end < 0 or queue[-1] == end:
                        self.c[k.LAST] = queue[-1]
                        break
        if self.c[k.LAST] >= 0:
            self.lay(first, self.c[k.LAST], via)

    def lay(self, first: int, last: int, via: dict[int, int]) -> None:
        path, start = [last], self.c[k.START]
        while path[-1] != first:
            path.append(self.linked(path[-1])[0])
            path.append(via[path[-1]])
        path += [start] if first != start else []
        for s in path:
            # A path of one pair keeps the label of the pair.
            self.label[s] = start if len(path) > 2 or self.c[k.END] >= 0 else self.label[s]
        for a, b in zip(path, path[1:], strict=False):
            self.change([], [(a, b)])
        self.ways[start] |= END
        self.ways[last] |= END

    # ---------------------------------------------------------------- joining, counting, walking

    def join(self) -> Run:
        """Each square with another at links of one direction, if that joins two loops."""
        width = self.c[k.COLS] + 2
        for row in range(self.c[k.ROWS]):
            for col in range(self.c[k.COLS]):
                yield from self.node()
                self.join_at((row + 2) * width + col + 1)

    def join_at(self, a: int) -> None:
        x, links = self.draw(), self.linked(a)
        if not links:
            return
        b = links[-1] if x >> 20 & 1 else links[0]
        steps, turn = self.s.steps, x >> 24 & 7
        for step in steps[turn:] + steps[:turn]:
            p, q = a + step, b + step
            if q in self.linked(p) and b not in (p, a - step) and self.root_of(p) != self.root_of(a):
                self.change([(a, b), (p, q)], [(a, p), (b, q)])
                low, high = sorted((self.root_of(a), self.root_of(p)))
                self.label[high] = low
                self.c[k.JOINED] += 1
                return

    def count_squares(self) -> Run:
        """How many squares each loop has; the first that has most."""
        for s, is_square in enumerate(self.s.is_square):
            yield from self.node()
            if is_square:
                root = self.root_of(s)
                self.s.reached[root] += 1
                if self.s.reached[root] > self.s.reached[self.c[k.LARGEST]]:
                    self.c[k.LARGEST] = root

    def walk(self) -> Run:
        """Write the squares of a loop."""
        for s in self.loop_from(self.c[k.FIRST]):
            yield from self.node()
            self.s.queue[self.c[k.WALKED]] = s
            self.c[k.WALKED] += 1

    # ---------------------------------------------------------------- fitting in

    def fit_in(self) -> Run:
        """Small loops into the large one, or into each other, until none is left."""
        c, listed = self.c, self.s.via
        while c[SMALL] and c[PATIENCE]:
            i = 0
            while i < c[SMALL] and c[PATIENCE]:
                if self.place[listed[i]] < 0:
                    yield from self.node()
                    c[PATIENCE] -= 1
                    x = self.draw()
                    if c[SMALL] + 400 > len(listed):
                        return
                    if self.place[GAP] < 1e-4:
                        self.number_again()
                    self.fit(listed[i], x)
                i += 1
            left = [s for s in listed[: c[SMALL]] if self.place[s] < 0]
            listed[: len(left)] = left
            c[SMALL] = len(left)

    def number_again(self) -> None:
        first = self.c[k.FIRST]
        if self.place[first] < 0:
            first = next(s for s in range(1, len(self.place)) if self.place[s] >= 0)
        for i, s in enumerate(self.loop_from(first)):
            self.place[s] = float(i)
        self.place[GAP] = 1.0

    def neighbours(self, s: int, turn: int = 0) -> list[int]:
        """The squares of the board a move away, from one direction on."""
        steps = self.s.steps[turn:] + self.s.steps[:turn]
        return [s + step for step in steps if self.ways[s + step]]

    def next_to(self, s: int) -> list[int]:
        """The squares before and after one of the large loop, as far as the places go on there."""
        return [u for u in self.linked(s) if abs(self.place[s] - self.place[u]) <= 1.5]

    def fit(self, first: int, x: int) -> None:
        """Join the loop of a square to another, by the first way that is short, or the best."""
        loop, place = self.loop_from(first), self.place
        is_path = bool(self.ways[first] & END)
        if not is_path and self.ways[loop[-1]] & END:
            return
        if is_path:
            place[GAP] = 0.0
        turns: list[tuple[float, Any]] = []
        swap, swaps = None, 0
        for i, a in enumerate(loop):
            # The loop from a on the one way, and the other; the link from a to the end of that is to go.
            ways = [loop[i + 1 :] + loop[: i + 1], loop[:i][::-1] + loop[i:][::-1]]
            if is_path:
                ways = [way for way, is_end in zip(ways, (a == loop[-1], i == 0), strict=True) if not is_end]
            for way in ways:
                if self.is_joined(a, way):
                    return
                for c, d, e, f in self.exchanges(a, way[0]):
                    is_rising = place[d] > place[c]
                    length = abs(place[d] - place[f])
                    if is_rising == (place[e] > place[f]):
                        turns.append((length, (a, way, c, d, e, f)))
                    elif is_rising == (place[e] > place[d]) and length < 200:
                        x, swaps = next_random(x), swaps + 1
                        swap = (a, way, c, d, e, f) if x % swaps == 0 else swap
            if turns and min(turns, key=lambda turn: turn[0])[0] <= 500:
                break
        x = next_random(x)
        best = min(turns, key=lambda turn: turn[0]) if turns else None
        if swap and (best is None or best[0] > 5000) and x & 12:
            self.exchange(*swap)
            self.list_loop(swap[3])
        elif best:
            self.turn_and_fit(*best[1])
        else:
            self.split_near(loop[x % len(loop)], x)

    def is_joined(self, a: int, way: list[int]) -> bool:
        """Join a loop at its link from a to way[0] to the first loop where that can be done by two links."""
        b = way[0]
        for c in self.neighbours(b):
            if c == a or (self.place[c] < 0 and c in way):
                continue
            for d in self.next_to(c) if self.place[c] >= 0 else self.linked(c):
                if self.bit(d, a):
                    if self.place[c] >= 0:
                        self.put_places(way, self.place[c], self.place[d])
                    self.change([(a, b), (c, d)], [(b, c), (d, a)])
                    return True
        return False

    def exchanges(self, a: int, b: int) -> Iterator[tuple[int, int, int, int]]:
        """Links c-d and e-f of the large loop that may give way, with a-b, to b-c, d-e and f-a."""
        for c in self.neighbours(b):
            for d in self.next_to(c) if self.place[c] >= 0 and c != a else []:
                for e in self.neighbours(d):
                    for f in self.next_to(e) if self.place[e] >= 0 and e != c else []:
                        if f not in (c, d) and self.bit(f, a):
                            yield c, d, e, f

    def put_places(self, way: list[int], before: float, after: float) -> None:
        """Places between two for the squares of a loop."""
        self.place[GAP] = min(self.place[GAP], abs(after - before) / (len(way) + 1))
        for number, s in enumerate(way, 1):
            self.place[s] = before + (after - before) * number / (len(way) + 1)

    def exchange(self, a: int, way: list[int], c: int, d: int, e: int, f: int) -> None:
        self.put_places(way, self.place[c], self.place[f])
        self.change([(a, way[0]), (c, d), (e, f)], [(way[0], c), (d, e), (f, a)])

    def turn_and_fit(self, a: int, way: list[int], c: int, d: int, e: int, f: int) -> None:
        """The segment between the links c-d and e-f turned round, and the loop beside it."""
        place = self.place
        is_beyond = (place[d] > place[c]) == (place[f] > place[c])
        one, last, out = (d, f, c) if is_beyond else (c, e, d)
        segment = [out, one]
        while segment[-1] != last:
            segment.append(next(s for s in self.linked(segment[-1]) if s != segment[-2]))
        total = place[one] + place[last]
        for s in segment[1:]:
            place[s] = total - place[s]
        self.exchange(a, way, c, d, e, f)

    def list_loop(self, first: int) -> None:
        """List the squares of a loop as those of a small one; none if there is no room."""
        c, loop = self.c, self.loop_from(first)
        if c[SMALL] + len(loop) > len(self.s.via):
            c[SMALL] = len(self.s.via)
            return
        for s in loop:
            self.place[s] = -1.0
        self.s.via[c[SMALL] : c[SMALL] + len(loop)] = loop
        c[SMALL] += len(loop)

    def split_near(self, c: int, x: int) -> None:
        """A short segment of the large loop becomes a small one."""
        place = self.place
        for _ in range(1 + x % 3):
            x = next_random(x)
            c += self.s.steps[x >> 8 & 7] if self.ways[c + self.s.steps[x >> 8 & 7]] else 0
        for d in self.next_to(c) if place[c] >= 0 else []:
            x = next_random(x)
            is_rising = place[d] > place[c]
            for e in self.neighbours(d, x >> 8 & 7):
                if e != c and place[e] >= 0 and abs(place[e] - place[d]) <= 200:
                    for f in self.next_to(e):
                        rises = (place[f] > place[e], place[e] > place[d])
                        if f not in (c, d) and self.bit(c, f) and rises == (is_rising, is_rising):
                            self.change([(c, d), (e, f)], [(d, e), (f, c)])
                            self.list_loop(d)
                            return


def seen(s: State, *rest: Any) -> State:
    """Without what a phase does not leave to others, and with the root for each label."""
    field, phase = Field(s), s.counters[PHASE]
    roots = [] if phase == k.FIT else [field.root_of(a) for a in range(len(s.label))]
    for i in (CURSOR, k.HEAD, k.TAIL, k.AT, k.BACK):
        s.counters[i] = 0
    return s._replace(
        label=roots,
        queue=s.queue[: s.counters[k.WALKED]] if phase == k.WALK else [],
        via=s.via[: s.counters[SMALL]] if phase == k.FIT else [],
        reached=s.reached if phase == k.COUNT else [],
    )


class _Recorded(FlatMerging):
    """Keeps a copy of the state before each phase."""

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem, Budget(Limits(seconds=None)), seed)
        self.states: list[State] = []

    def is_done(self, phase: int) -> bool:
        copies = State(*map(np.copy, self.state))
        copies.counters[NODES], copies.counters[PHASE], copies.counters[CURSOR] = 0, phase, 0
        self.states.append(copies)
        return super().is_done(phase)


_PROBLEMS = [
    Problem.of((12, 12), closed=True),
    Problem.of((13, 11)),
    Problem.of((9, 9), start="a1"),
    Problem.of((14, 15), start="a1", end="b1"),
    Problem.of((12, 12), start="a1", end="c1"),  # no path leads there
    Problem.of((11, 13), start="a1", end="b2"),
    Problem.of((26, 24)),
]
# With seeds by which loops are left over that are fitted in by each way there is.
_TO_FIT_IN = [
    (Problem.of((12, 12), closed=True), 4),
    (Problem.of((20, 20), closed=True), 0),
    (Problem.of((20, 20), closed=True), 1),
    (Problem.of((21, 21)), 0),
    (Problem.of((21, 21)), 3),
    (Problem.of((21, 21)), 4),
    (Problem.of((21, 21), start="a1"), 2),
    (Problem.of((21, 30), start="a1"), 10),
]


def cases() -> Iterator[Case]:
    """Each phase of several boards; of those in which loops are fitted in that phase."""
    for problem, seed in [*((problem, 0) for problem in _PROBLEMS), *_TO_FIT_IN]:
        recorded = _Recorded(problem, seed)
        recorded.tour()
        for state in recorded.states:
            phase = int(state.counters[PHASE])
            if phase == k.FIT or (problem, seed) not in _TO_FIT_IN:
                yield Case(f"{problem} {seed} {phase}", (state,), [(1,), (1,), (5,), *[(400,)] * 3])


ROWS = [Row("flat_merging_step", stepping(lambda s: Field(s).run()), cases, seen)]
