"""The merging method before loops are joined, from its definition: the cover of the board by small loops."""

from __future__ import annotations

import itertools

from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search import merging as k
from knightstour.core.kernels.search.merging import COUNT, END, JOKER, NODES, PHASE, RANDOM, START, State
from reference import Row, Run

WINDOW = 4096


class Covering:
    """A search as far as that, which changes its state as it goes."""

    def __init__(self, s: State) -> None:
        self.s, self.c, self.before, self.after = s, s.counters, s.before, s.after
        self.count, self.joker, self.start, self.end = (self.c[i] for i in (COUNT, JOKER, START, END))
        self.near = [s.targets[s.offsets[a] : s.offsets[a + 1]] for a in range(self.joker + 1)]
        self.is_large = self.count > WINDOW
        self.loops: dict[int, set[int]] = {}

    def node(self, nodes: int = 1) -> Run:
        """Rest, and count what comes."""
        yield False
        self.c[NODES] += nodes

    def draw(self) -> int:
        self.c[RANDOM] = next_random(self.c[RANDOM])
        return self.c[RANDOM]

    def turned(self, a: int, turn: int) -> list[int]:
        """The squares a move away, from one of them on."""
        first = turn % len(self.near[a]) if self.near[a] else 0
        return self.near[a][first:] + self.near[a][:first]

    def turned_moves(self, a: int) -> list[int]:
        return self.turned(a, self.draw() if self.c[k.RANDOMNESS] and self.near[a] else 0)

    # ---------------------------------------------------------------- the cover

    def shuffle(self) -> None:
        squares = self.s.squares
        for i in range(self.count - 1, 0, -1):
            j = i - self.draw() % min(i + 1, WINDOW)
            squares[i], squares[j] = squares[j], squares[i]

    def pair(self, a: int, b: int) -> None:
        self.before[a] = self.after[a] = b
        self.before[b] = self.after[b] = a

    def follow(self, a: int, b: int) -> None:
        self.after[a] = b
        self.before[b] = a

    def cover(self) -> Run:
        """Pairs of the last tour; else of 4-cycles, and of what is left."""
        n = self.joker + 1
        self.before[:n], self.after[:n] = [-1] * n, [-1] * n
        self.c[k.FAILED_SQUARES] = self.c[k.FAILED_TARGETS] = 0
        if self.c[k.RANDOMNESS]:
            self.shuffle()
        if self.c[k.HAS_TOUR]:
            self.cut_tour()
        for a in [] if self.c[k.HAS_TOUR] else self.s.squares:
            yield from self.node()
            if self.after[a] < 0:
                self.cover_square(a)
        self.c[PHASE] = k.ENDS

    def cut_tour(self) -> None:
        tour, x = self.s.tour, self.draw()
        if self.end == k.NONE and x >> 8 & 1:
            tour = tour[1:] + tour[:1]
        if self.count % 2:
            single = self.draw() % (self.count // 2 + 1) * 2
            tour = tour[:single] + tour[single + 1 :]
        for a, b in zip(tour[::2], tour[1::2], strict=True):
            self.pair(a, b)

    def is_free(self, s: int) -> bool:
        return self.after[s] < 0 and self.s.base[s] < 0

    def cover_square(self, a: int) -> None:
        base = self.s.base
        if base[a] >= 0:
            self.put_four(a, base[a], base[base[a]], base[base[base[a]]])
            return
        for b, q in itertools.combinations(filter(self.is_free, self.turned_moves(a)), 2):
            for p in self.near[b]:
                if p not in (a, q) and self.is_free(p) and q in self.near[p]:
                    self.put_four(a, b, p, q)
                    return
        for b in self.near[a]:
            if self.is_free(b):
                self.pair(a, b)
                return

    def put_four(self, a: int, b: int, p: int, q: int) -> None:
        if self.c[k.RANDOMNESS] == 0:
            for x, y in ((a, b), (b, p), (p, q), (q, a)):
                self.follow(x, y)
        else:
            for x, y in ((b, p), (q, a)) if self.draw() >> 8 & 1 else ((a, b), (p, q)):
                self.pair(x, y)

    def open_ends(self) -> None:
        """Nothing before the start and nothing after the end, where they are given."""
        if self.start >= 0 and self.before[self.start] >= 0:
            self.after[self.before[self.start]] = self.before[self.start] = -1
        if self.end >= 0 and self.after[self.end] >= 0:
            self.before[self.after[self.end]] = self.after[self.end] = -1
        self.c[PHASE] = k.MATCH

    def unmatched(self) -> list[int]:
        """The squares that still need one after them."""
        return [s for s in self.s.squares if self.after[s] < 0 and s != self.end]

    def is_matched(self) -> bool:
        return not self.unmatched() or all(self.before[s] >= 0 or s == self.start for s in self.s.squares)

    def match(self) -> Run:
        """Augmenting paths: on large boards many at once, as long as there are any; then from each square."""
        made = 1 if self.is_large else 0
        while made and not self.is_matched():
            yield from self.node(self.count >> 3)
            made = self.match_together()
        failed: set[int] = set()
        for a in self.s.squares:
            if self.is_matched():
                break
            if self.after[a] < 0 and a != self.end:
                yield from self.match_one(a, failed)
        self.c[PHASE] = k.LABEL

    def match_together(self) -> int:
        """A tree from each square; one that has found its path grows no more."""
        queue, x, made, via = self.unmatched(), self.draw(), 0, dict[int, int]()
        root = {a: a for a in queue}
        for a in queue:
            if self.after[root[a]] >= 0 or not self.near[a]:
                continue
            x = next_random(x)
            for b in self.turned(a, x):
                if b not in via and b != self.start:
                    via[b] = a
                    if self.before[b] < 0:
                        self.turn_over(root[a], b, via)
                        made += 1
                        break
                    root[self.before[b]] = root[a]
                    queue.append(self.before[b])
        return made

    def match_one(self, first: int, failed: set[int]) -> Run:
        """A tree from one square. Squares of one that finds nothing are never of use again."""
        queue, via = [first], dict[int, int]()
        for a in queue:
            yield from self.node()
            for b in self.turned_moves(a):
                if b not in via and b not in failed and b != self.start:
                    via[b] = a
                    if self.before[b] < 0:
                        self.turn_over(first, b, via)
                        return
                    queue.append(self.before[b])
        self.c[k.FAILED_SQUARES] += len(queue)
        self.c[k.FAILED_TARGETS] += len(queue) - 1
        failed.update(via)

    def turn_over(self, first: int, b: int, via: dict[int, int]) -> None:
        a = -1
        while a != first:
            a = via[b]
            following = self.after[a]
            self.follow(a, b)
            b = following

    def close_path(self) -> None:
        """Put the joker between end and start."""
        self.shuffle()
        first, last, squares = self.start, self.end, self.s.squares
        if first == k.ANY and all(self.before[s] >= 0 for s in squares):
            self.unlink(self.before[squares[0]], squares[0])
            self.before[squares[0]] = -1
        if first == k.ANY:
            first = next(s for s in squares if self.before[s] < 0)
        if last == k.ANY:
            last = next(s for s in squares if self.after[s] < 0)
        if first != k.NONE:
            self.follow(self.joker, first)
            self.follow(last, self.joker)
        self.c[PHASE] = k.SWEEP

    def unlink(self, s: int, old: int) -> None:
        side = self.after if self.after[s] == old else self.before
        side[s] = -1


# It is a part of merging.py.
ROWS: list[Row] = []
