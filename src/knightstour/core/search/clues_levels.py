"""Numberings by a SAT solver with an encoding by levels: the segment of each square, and the moves.

Anchors are squares with known steps or in a required order. A segment lies between two consecutive anchors. A square in
it has the level of the segment, and moves join squares of one level or lead to an anchor. A known length of a segment
constrains the number of squares of its level. The variables are pairs of square and segment: few if many squares are
known, or few and in order. clues_sat.py is better if a few numbers are known.

The solver returns paths and loops. For each loop a clause is added that requires a move out of it. For a path that
violates a step or the order at a square, a clause is added that excludes the path to this square from the last anchor.

Source: G. B. Dantzig, D. R. Fulkerson and S. M. Johnson, 1954 (constraints added on demand).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.search.clues_sat import Clauses

if TYPE_CHECKING:
    from knightstour.core.search.clues import Places

# Maximum number of moves of a square for clauses on every three of them; above it a counter is used.
_MANY = 12
# Maximum of literals times bound for a counter; longer segments are checked when a path is found.
_MAX_COUNTED = 60_000
# Up to this bound a sequential counter is smaller than a totalizer.
_SMALL_BOUND = 12


class _Segment(NamedTuple):
    """Segment between two consecutive anchors; None for the start or the end of an open tour.

    Attributes:
        gap: Number of squares, or None if unknown.
        steps: Possible steps of its squares, as bits.
    """

    left: int | None
    right: int | None
    gap: int | None
    steps: int


class Levels(Clauses):
    """The clauses of a problem with numberings, by levels.

    Args:
        domains, moves, sure: Possible steps, possible moves and certain moves of each square, as bits.
        named: Squares of rising steps.
        by_order: Whether these are the anchors, instead of the squares with known steps.
    """

    def __init__(
        self,
        places: Places,
        domains: list[int],
        moves: list[int],
        sure: list[int],
        closed: bool,
        named: Sequence[int] = (),
        by_order: bool = False,
    ) -> None:
        super().__init__()
        self.count, self.closed, self._domains, self._named = places.count, closed, domains, list(named)
        self._anchors = _anchors(domains, self._named if by_order else [], closed)
        self._index = {square: k for k, square in enumerate(self._anchors)}
        self._segments = self._all_segments()
        self._moves: dict[tuple[int, int], int] = {}
        self._near: list[dict[int, int]] = [{} for _ in range(self.count)]
        for s, bits in enumerate(moves):
            for k, u in enumerate(places.near[s].tolist()):
                if u > s and bits >> k & 1 and self._is_move(s, u):
                    self._near[s][u] = self._near[u][s] = self._moves[s, u] = self.new()
                    if sure[s] >> k & 1:
                        self.all.append([self._moves[s, u]])
        self._first = {} if closed else self._ends(0)
        self._last = {} if closed else self._ends(self.count - 1)
        self._level: list[dict[int, int]] = [{} for _ in range(self.count)]
        if len(self._segments) > 1:
            self._levels()
            self._order()
        self._degrees()

    # -- known squares and segments

    def _all_segments(self) -> list[_Segment]:
        anchors, domains, count = self._anchors, self._domains, self.count
        bounds = [((bits & -bits).bit_length() - 1, bits.bit_length() - 1) for bits in (domains[a] for a in anchors)]
        rows: list[tuple[int | None, tuple[int, int], int | None, tuple[int, int]]] = []
        if self.closed:
            after, then = anchors[1:] + anchors[:1], bounds[1:] + bounds[:1]
            rows = [*zip(anchors, bounds, after, then, strict=True)]
        else:
            lefts = [(None, (-1, -1)), *zip(anchors, bounds, strict=True)]
            rights = [*zip(anchors, bounds, strict=True), (None, (count, count))]
            rows = [(a, low, b, high) for (a, low), (b, high) in zip(lefts, rights, strict=True)]
        segments = []
        for k, (left, low, right, high) in enumerate(rows):
            is_round = self.closed and k == len(rows) - 1
            gap = (high[0] - low[0]) - 1 if low[0] == low[1] and high[0] == high[1] else None
            above, below = -1 << low[0] + 1, (1 << max(0, high[1])) - 1
            if is_round:
                gap = None if gap is None else gap + count
            steps = above | below if is_round else above & below
            segments.append(_Segment(left, right, gap, steps & (1 << count) - 1))
        return segments

    def _segments_between(self, a: int, b: int) -> list[int]:
        """Return the segments that can be a single move between two anchors."""
        sides = set(self._sides(a)) & set(self._sides(b))
        return [k for k in sorted(sides) if {*self._segments[k][:2]} == {a, b} and not self._segments[k].gap]

    def _is_move(self, s: int, u: int) -> bool:
        return s not in self._index or u not in self._index or bool(self._segments_between(s, u))

    def _sides(self, anchor: int) -> tuple[int, int]:
        k = self._index[anchor]
        return ((k - 1) % len(self._segments), k) if self.closed else (k, k + 1)

    # -- clauses

    def _ends(self, step: int) -> dict[int, int]:
        side = 0 if step == 0 else len(self._segments) - 1
        only = self._segments[side].right if step == 0 else self._segments[side].left
        ends = {}
        for s, bits in enumerate(self._domains):
            if bits >> step & 1 and (s not in self._index or (s == only and not self._segments[side].gap)):
                ends[s] = self.new()
        self.exactly(list(ends.values()), 1)
        return ends

    def _levels(self) -> None:
        far = self._reach()
        for k, segment in enumerate(self._segments):
            for s in sorted(far[k]) if segment.gap != 0 else ():
                if s not in self._index and self._domains[s] & segment.steps:
                    self._level[s][k] = self.new()
        for s in range(self.count):
            if s not in self._index:
                names = list(self._level[s].values())
                self.all.append(names)
                self.one_at_most(names)
        for (s, u), move in self._moves.items():
            self._move_clauses(s, u, move)
        for ends, side in ((self._first, 0), (self._last, len(self._segments) - 1)):
            for s, end in ends.items():
                if s not in self._index:
                    self.all.append([-end, *filter(None, [self._level[s].get(side)])])
        of_segment: list[list[int]] = [[] for _ in self._segments]
        for level in self._level:
            for k, name in level.items():
                of_segment[k].append(name)
        for names, segment in zip(of_segment, self._segments, strict=True):
            if segment.gap is not None:
                self.exactly(names, segment.gap)

    def _move_clauses(self, s: int, u: int, move: int) -> None:
        """Add clauses: a move joins two squares of one level, or an anchor and an adjacent level."""
        if s in self._index and u in self._index:
            ways = self._segments_between(s, u)
            if len(ways) == 1 and self._segments[ways[0]].gap == 0:
                self.all.append([move])
        elif s in self._index or u in self._index:
            anchor, other = (s, u) if s in self._index else (u, s)
            sides = set(self._sides(anchor))
            self.all.append([-move, *(name for k, name in self._level[other].items() if k in sides)])
        else:
            for one, other in ((s, u), (u, s)):
                for k, name in self._level[one].items():
                    self.all.append([-move, -name, *filter(None, [self._level[other].get(k)])])

    def _reach(self) -> list[set[int]]:
        found = []
        for left, right, gap, _ in self._segments:
            most = self.count if gap is None else gap
            ways = [self._distances(anchor, most) for anchor in (left, right) if anchor is not None]
            if not ways:
                found.append(set(range(self.count)))
                continue
            near = set(ways[0]).intersection(*ways[1:])
            found.append({s for s in near if sum(way[s] for way in ways) <= most + len(ways) - 1})
        return found

    def _distances(self, anchor: int, most: int) -> dict[int, int]:
        far = {anchor: 0}
        queue = [anchor]
        for s in queue:
            if far[s] == most:
                break
            for u in self._near[s]:
                if u not in far and u not in self._index:
                    far[u] = far[s] + 1
                    queue.append(u)
        return far

    def _order(self) -> None:
        """Add clauses: a named square is in no earlier segment than its predecessor in the order."""
        if self.closed:
            return
        last = len(self._segments) - 1

        def levels(s: int) -> dict[int, int | None]:
            return {self._sides(s)[1]: None} if s in self._index else dict(self._level[s])

        for one, other in itertools.pairwise(self._named):
            if one in self._index and other in self._index:
                continue
            later = levels(other)
            for k, name in levels(one).items():
                names = [x for j, x in later.items() if j >= k]
                if None in names or k > last:
                    continue
                self.all.append([*([] if name is None else [-name]), *filter(None, names)])

    def _degrees(self) -> None:
        """Add clauses: each square has two moves (an end of the tour counts as one), an anchor one on each side."""
        for s in range(self.count):
            names = [*self._near[s].values(), *(ends[s] for ends in (self._first, self._last) if s in ends)]
            if len(names) <= _MANY:
                self.all += [names[:i] + names[i + 1 :] for i in range(len(names))] or [[]]
                self.all += [[-a, -b, -c] for a, b, c in itertools.combinations(names, 3)]
            else:
                self.exactly(names, 2)
            if s in self._index and len(self._segments) > 1:
                self._on_both_sides(s)

    def _on_both_sides(self, anchor: int) -> None:
        for side in self._sides(anchor):
            here: list[list[int]] = []
            for other, move in self._near[anchor].items():
                if other in self._index:
                    if self._segments_between(anchor, other) == [side]:
                        here.append([-move])
                elif side in self._level[other]:
                    here.append([-move, -self._level[other][side]])
            for ends, which in ((self._first, 0), (self._last, len(self._segments) - 1)):
                if anchor in ends and which == side:
                    here.append([-ends[anchor]])
            self.all += [one + other for one, other in itertools.combinations(here, 2)]

    def exactly(self, names: list[int], number: int) -> None:
        """Add clauses: exactly `number` of these variables are true. Omitted if too many clauses are needed."""
        if not 0 <= number <= len(names):
            self.all.append([])
            return
        if 2 * number > len(names):
            names, number = [-name for name in names], len(names) - number
        if number == 0:
            self.all += [[-name] for name in names]
        elif number * len(names) <= _MAX_COUNTED:
            from pysat.card import CardEnc, EncType

            kind = EncType.seqcounter if number < _SMALL_BOUND else EncType.totalizer
            made = CardEnc.equals(names, number, top_id=self.top, encoding=kind)
            self.top = max(self.top, made.nv)
            self.all += made.clauses

    # -- answers

    def barring(self, order: Sequence[int]) -> list[int]:
        """Return the clause that excludes a numbering by its moves; empty if the order is not a solution."""
        pairs = list(itertools.pairwise(order))
        if self.closed:
            pairs.append((order[-1], order[0]))
        elif order[0] not in self._first or order[-1] not in self._last:
            return []
        if not all(b in self._near[a] for a, b in pairs):
            return []
        begins = [] if self.closed else [-self._first[order[0]]]
        return begins + [-self._near[a][b] for a, b in pairs]

    def twins(self, order: Sequence[int]) -> list[list[int]]:
        """Return other numberings with the same moves, for closed tours with an undetermined direction or start."""
        return [
            other for other in self._numberings_of(list(order)) if other != list(order) and self._fault(other) is None
        ]

    def answers(self, model: list[int]) -> tuple[list[list[int]], list[list[int]]]:
        """Return the numberings of a model, and the clauses that exclude it."""
        near: list[list[int]] = [[] for _ in range(self.count)]
        for (s, u), move in self._moves.items():
            if model[move - 1] > 0:
                near[s].append(u)
                near[u].append(s)
        first = next((s for s, end in self._first.items() if model[end - 1] > 0), 0)
        seen = [False] * self.count
        order = _walk(first, near, seen)
        loops = [_walk(s, near, seen) for s in range(self.count) if not seen[s]]
        if loops:
            return [], [self._way_out(loop) for loop in loops]
        ways = self._numberings_of(order)
        found = [way for way in ways if self._fault(way) is None]
        bars = [self._barring_way(way) for way in ways] if not found and len(ways) <= 2 else []
        return found, [bar for bar in bars if bar] or [self.barring(order)]

    def _numberings_of(self, order: list[int]) -> list[list[int]]:
        if not self.closed:
            return [order]
        known = next((s for s, bits in enumerate(self._domains) if bits.bit_count() == 1), None)
        found = []
        for way in (order, order[::-1]):
            if known is None:
                found += [way[k:] + way[:k] for k in range(self.count)]
            else:
                k = (way.index(known) - self._domains[known].bit_length() + 1) % self.count
                found.append(way[k:] + way[:k])
        return found

    def _fault(self, order: Sequence[int]) -> tuple[int, int] | None:
        """Return the first violated condition as two steps; the path must not lead to the second one."""
        step = [0] * self.count
        for t, s in enumerate(order):
            step[s] = t
            if not self._domains[s] >> t & 1:
                return t, t
        for one, other in itertools.pairwise(self._named):
            if step[one] > step[other]:
                return step[other], step[one]
        return None

    def _barring_way(self, order: list[int]) -> list[int]:
        """Return the clause that excludes the path from the last anchor to a fault; empty if moves alone do not imply
        it."""
        fault = self._fault(order)
        if fault is None or (self.closed and not self._rises(order)):
            return []
        low, high = fault
        t = low - 1
        while t >= 0 and not (order[t] in self._index and (low < high or self._domains[order[t]].bit_count() == 1)):
            t -= 1
        if t < 0:
            names = [] if self.closed else [self._first[order[0]]]
        else:
            after, side = order[t + 1], self._sides(order[t])[1]
            names = [self._level[after][side]] if side in self._level[after] else []
            if (
                not names
                and len(self._segments) > 1
                and (after not in self._index or self._segments_between(order[t], after) != [side])
            ):
                return []
        if not names and self.closed:
            return []
        return [
            -name for name in [*names, *(self._near[a][b] for a, b in itertools.pairwise(order[max(t, 0) : high + 1]))]
        ]

    def _rises(self, order: list[int]) -> bool:
        """Return whether the anchors, at least three, occur in their order."""
        place = {s: t for t, s in enumerate(order)}
        turns = [place[anchor] for anchor in self._anchors]
        return len(turns) > 2 and sum(a > b for a, b in zip(turns, turns[1:] + turns[:1], strict=True)) == 1

    def _way_out(self, loop: list[int]) -> list[int]:
        inside = set(loop)
        return [move for s in loop for u, move in self._near[s].items() if u not in inside]


def _anchors(domains: list[int], named: list[int], closed: bool) -> list[int]:
    known = {bits.bit_length() - 1: s for s, bits in enumerate(domains) if bits and bits & (bits - 1) == 0}
    if not named:
        return [known[t] for t in sorted(known)]
    if closed:
        return named
    first, last = known.get(0), known.get(len(domains) - 1)
    before = [first] if first is not None and first != named[0] else []
    after = [last] if last is not None and last != named[-1] else []
    return before + named + after


def _walk(first: int, near: list[list[int]], seen: list[bool]) -> list[int]:
    order, here = [], first
    while True:
        seen[here] = True
        order.append(here)
        onward = [u for u in near[here] if not seen[u]]
        if not onward:
            return order
        here = onward[0]
