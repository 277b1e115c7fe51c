"""The merging method, from its definition: a procedure that rests before each node, where the kernel may stop."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.search import merging as k
from knightstour.core.kernels.search.merging import PHASE, State
from knightstour.core.search.merging import start_state
from reference import Case, Row, Run, stepping
from reference.covering import Covering

FOUND, EXHAUSTED = 1, 2
NEAR = 500


class Merging(Covering):
    """A search, which changes its state as it goes."""

    def run(self) -> Any:
        """All phases, until there is a tour, or no cover."""
        while True:
            phase = self.c[PHASE]
            if phase == k.COVER:
                yield from self.cover()
            elif phase == k.ENDS:
                self.open_ends()
            elif phase == k.MATCH:
                yield from self.match()
                if len(self.unmatched()) > (self.end == k.ANY):
                    return EXHAUSTED
            elif phase == k.LABEL:
                self.close_path()
                self.find_loops()
            elif phase == k.SWEEP:
                yield from self.sweep()
            elif phase == k.REPAIR:
                yield from self.repair()
            elif self.write():
                return FOUND
            yield phase == k.LABEL

    # ---------------------------------------------------------------- loops

    def walk(self, s: int, is_back: bool = False) -> Iterator[int]:
        """The squares of a loop from s on, without an end."""
        came = self.after[s] if is_back else self.before[s]
        while True:
            yield s
            going = self.after[s] if self.after[s] != came else self.before[s]
            came, s = s, going

    def loop_from(self, s: int) -> list[int]:
        return [s, *itertools.takewhile(lambda x: x != s, itertools.islice(self.walk(s), 1, None))]

    def find_loops(self) -> None:
        self.loops = {}
        for s in range(self.joker + 1):
            if self.after[s] >= 0 and s not in self.loops:
                loop = {*self.loop_from(s)}
                self.loops.update((x, loop) for x in loop)
        self.c[k.COMPONENTS] = len({id(loop) for loop in self.loops.values()})

    def is_small(self, s: int) -> bool:
        return 2 * len(self.loops[s]) <= self.count + 1

    def relink(self, s: int, old: int, new: int) -> None:
        side = self.before if self.before[s] == old else self.after
        side[s] = new

    def link(self, s: int, new: int) -> None:
        side = self.after if self.after[s] < 0 else self.before
        side[s] = new

    def merge(self, a: int, b: int, p: int, q: int) -> bool:
        """The links a-b and p-q give way to a-p and b-q."""
        one, other = sorted((self.loops[a], self.loops[p]), key=len)
        other |= one
        self.loops.update((x, other) for x in one)
        for s, old, new in ((a, b, p), (b, a, q), (p, q, a), (q, p, b)):
            self.relink(s, old, new)
        self.c[k.COMPONENTS] -= 1
        self.c[k.MERGES] += 1
        return True

    def try_merge(self, a: int) -> bool:
        x = self.draw()
        links = (self.after[a], self.before[a]) if x >> 3 & 1 else (self.before[a], self.after[a])
        ends = [self.before[self.joker], self.after[self.joker] if self.start == k.ANY else -1]
        is_end = self.end == k.ANY and a in ends
        for p in self.turned(a, x >> 4):
            if self.loops[p] is not self.loops[a]:
                for q in (self.after[p], self.before[p]):
                    for b in links:
                        if (is_end and b == self.joker) or b in self.near[q]:
                            return self.merge(a, b, p, q)
        return False

    def try_parallel(self, a: int) -> bool:
        """The same at links that lie alike only."""
        x = self.draw()
        b = self.before[a] if x >> 3 & 1 else self.after[a]
        for p in self.turned(a, x >> 4) if b != self.joker else []:
            q = p + b - a
            if q in (self.before[p], self.after[p]) and q not in (a, self.joker) and q in self.near[b]:
                if self.loops[p] is not self.loops[a]:
                    return self.merge(a, b, p, q)
        return False

    def sweep(self) -> Run:
        """All squares in turn, until none can be joined any more; on large boards first as `try_parallel` does."""
        is_first, merged = self.is_large, True
        while (merged or is_first) and self.c[k.COMPONENTS] > 1:
            join = self.try_parallel if is_first else self.try_merge
            merged = is_first = False
            for a in self.s.squares:
                if self.c[k.COMPONENTS] == 1:
                    break
                yield from self.node()
                if self.is_small(a) or a in (self.before[self.joker], self.after[self.joker]):
                    merged = join(a) or merged
            merged = merged or join == self.try_parallel
        self.c[k.STUCK] += self.c[k.COMPONENTS] > 1
        self.c[PHASE] = k.WRITE if self.c[k.COMPONENTS] == 1 else k.REPAIR

    # ---------------------------------------------------------------- repair

    def repair(self) -> Run:
        """Change links at random near the small loops."""
        fewest, kicks, focus, listed = self.c[k.COMPONENTS], 0, self.s.squares[0], self.small_squares()
        while self.c[k.COMPONENTS] > 1:
            yield from self.node()
            kicks = kicks + 1 if self.c[k.COMPONENTS] >= fewest else 1
            fewest = min(fewest, self.c[k.COMPONENTS])
            if kicks > self.c[k.PATIENCE]:
                self.c[k.RESTARTS] += 1
                self.c[PHASE] = k.COVER
                return
            x = self.draw()
            if x % 64 == 0 or not self.is_small(focus):
                i = x // 64 % self.count
                squares = self.s.squares[i:] + self.s.squares[:i]
                focus = next(listed) if self.is_large else next(filter(self.is_small, squares))
            self.repair_near(focus, x)
        self.c[PHASE] = k.WRITE

    def small_squares(self) -> Iterator[int]:
        """The squares of small loops, all round; where one is so no more, the last of the list takes its place."""
        while True:
            listed, at = [*filter(self.is_small, self.s.squares)], 0
            while listed:
                if self.is_small(listed[at]):
                    yield listed[at]
                    at = (at + 1) % len(listed)
                else:
                    listed[at] = listed[-1]
                    listed.pop()
                    at = 0 if at == len(listed) else at

    def repair_near(self, s: int, x: int) -> None:
        if self.end == k.ANY and x >> 8 & 3 == 0:
            s = self.joker
        else:
            for _ in range(x >> 10 & 3):
                if self.near[s]:
                    s = self.near[s][(self.draw() >> 4) % len(self.near[s])]
            if self.try_merge(s):
                return
        for t in self.kick(s):
            if t != self.joker:
                self.try_merge(t)

    def kick(self, first: int) -> list[int]:
        """Change links by a trail, unless that makes more loops, or it cannot be seen near it how many."""
        via = self.trail(first)
        if not via:
            return via
        old = len({id(self.loops[s]) for s in via})
        x, farthest = self.draw(), NEAR
        while x & (7 if self.is_large else 1) == (7 if self.is_large else 1) and farthest <= self.count:
            x >>= 3 if self.is_large else 1
            farthest *= 2
        seen: set[int] = set()
        new = far = 0
        for s in via:
            if s not in seen:
                new += 1
                far += not (self.closes(s, False, via, farthest, seen) or self.closes(s, True, via, farthest, seen))
        if far > 1 or new > old + 1 or (new > old and x & 14):
            self.unlink(via[-1], first)
            self.unlink(first, via[-1])
            self.undo(via)
            return []
        self.find_loops()
        self.c[k.REPAIRS] += 1
        return via

    def closes(self, first: int, is_back: bool, via: list[int], farthest: int, seen: set[int]) -> bool:
        """Whether the loop is seen to close, when one goes no farther than that from a square of the trail."""
        since = 0
        for i, s in enumerate(self.walk(first, is_back)):
            if i > 0 and s == first:
                return True
            if since == farthest:
                return False
            if s in via:
                seen.add(s)
                since = 0
            since += 1
        raise AssertionError

    def trail(self, first: int) -> list[int]:
        """Links away and moves in by turns, from a square back to it; none, with nothing changed, if it fails."""
        joker, x = self.joker, self.draw()
        s = self.before[first] if x >> 5 & 1 else self.after[first]
        if first == joker and self.start >= 0:
            s = self.before[joker] if self.before[joker] != self.after[joker] else joker
        if s == joker:
            return []
        self.unlink(first, s)
        self.unlink(s, first)
        via = [first, s]
        while len(via) < k.LONGEST_TRAIL:
            free = [t for t in self.turned(s, self.draw() >> 8) if t not in (self.before[s], self.after[s], via[-2])]
            if first in free or (first == joker and len(via) > 2):
                self.link(s, first)
                self.link(first, s)
                return via
            if not free:
                break
            p = free[0]
            sides = (self.before[p], self.after[p]) if not self.draw() >> 5 & 1 else (self.after[p], self.before[p])
            q = next((q for q in sides if q >= 0 and q != joker), joker)
            if q == joker or (first == joker and q == self.start):
                break
            self.relink(p, q, s)
            self.link(s, p)
            self.unlink(q, p)
            via += [p, q]
            s = q
        self.undo(via)
        return []

    def undo(self, via: list[int]) -> None:
        while len(via) > 2:
            q, p, s = via.pop(), via.pop(), via[-1]
            self.link(q, p)
            self.unlink(s, p)
            self.relink(p, s, q)
        self.link(via[1], via[0])
        self.link(via[0], via[1])

    def write(self) -> bool:
        """The tour in order; False where it is to be cut into pairs."""
        loop = self.loop_from(self.s.squares[0] if self.start == k.NONE else self.joker)
        self.s.tour[:] = loop[-self.count :]
        if self.c[k.ROUNDS]:
            self.c[k.ROUNDS] -= 1
            self.c[k.HAS_TOUR] = 1
            self.c[PHASE] = k.COVER
            return False
        return True


# Of use only to go on after a rest.
_TO_GO_ON = (
    *(k.CURSOR, k.SEARCHES, k.SEARCHING, k.HEAD, k.TAIL, k.OPEN_TARGETS, k.UNMATCHED, k.MERGED, k.FEWEST),
    *(k.KICKS_SINCE, k.FOCUS, k.FRESH, k.LISTED, k.IS_FIRST),
)


def seen(s: State, *rest: Any) -> Any:
    """Without what is of use to go on, nor the names of loops."""
    for i in _TO_GO_ON:
        s.counters[i] = 0
    return s._replace(label=[], loops=[], queue=[], reached=[], via=[])


_PROBLEMS = [
    Problem.of((6, 6), closed=True),
    Problem.of((5, 5), start="a1"),
    Problem.of((5, 5), closed=True),  # has no cover
    Problem.of((5, 7)),
    Problem.of((8, 8), start="a1", end="h7"),
    Problem.of((4, 8), closed=True),  # has a cover, but no tour
    Problem.of((1, 2)),
    Problem.of(Board(7, 7, holes=["d4"]), closed=True),
    Problem.of(Board(5, 6, wrap="klein")),
    Problem.of(Board.from_graph(both_ways([[1, 2], [0, 3], [0, 3], [1, 2]])), closed=True),
]
# Loops too long to be walked round; and boards on which other ways are quicker.
_LARGE = [
    Problem.of((30, 30), closed=True),
    Problem.of((10, 420), closed=True),
    Problem.of(Board(65, 65, wrap="torus"), start="a1"),
    Problem.of(Board(66, 64, leaper=(2, 3))),
]


def cases() -> Iterator[Case]:
    """Boards of all kinds, by each way to make the first loops; some that need repairs, and some in vain."""
    calls = [(0,), *[(1,)] * 30, *[(7,)] * 30, (500,), (500,), (1000,)]
    for problem, randomness in itertools.product(_PROBLEMS, (0, 1, 2)):
        state = start_state(problem, 5, randomness)
        state.counters[k.PATIENCE] = 40
        yield Case(f"{problem} {randomness}", (state,), calls)
    calls = [(4000,), (1,), (5000,), (5000,), (300,), *[(3000,)] * 4]
    for problem in _LARGE:
        yield Case(str(problem), (start_state(problem, 5, 1),), calls)


ROWS = [Row("merging_step", stepping(lambda s: Merging(s).run()), cases, seen)]
