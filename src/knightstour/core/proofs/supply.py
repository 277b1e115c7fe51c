"""Supply and demand: some squares may need more moves than are available.

A closed tour has two moves at every square (core/model/cycle_graph.py makes an open tour closed). Assign to each square
the weight 1, -1 or 0. Over the moves of a tour, the sums of the weights at both ends add up to twice the sum of all
weights, and no choice of moves exceeds the sum of all positive terms. So weights that need more than this are a proof:
the squares of weight 1 need more moves than the squares of weight -1 and the few others can offer. If the need equals
the supply, no tour contains a move with a negative sum. The argument includes colours.

The weights come from a flow: every square gives two moves and takes two, each along its own moves. If the flow is too
small, the squares reachable from a square that gives too little define the weights, 1 for givers and -1 for takers.
Otherwise the moves between parts of the flow that cannot exchange anything are excluded.

The flow begins with a greedy choice and grows along shortest augmenting paths. Cost: under a millisecond for 64
squares, a tenth of a second for 2,500. Sources: L. R. Ford and D. R. Fulkerson, 1956; E. A. Dinitz, 1970; for factors
of a graph W. T. Tutte, 1952; for the excluded moves A. L. Dulmage and N. S. Mendelsohn, 1958.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from knightstour.core.model.cycle_graph import Near

# The weight of each vertex that has one, 1 or -1.
Weights: TypeAlias = Mapping[int, int]

# Maximum number of squares with missing moves whose weights are computed.
_MAX_LACKING = 20


def total_offer(near: Near, weights: Weights) -> int:
    """Return the sum over the moves with positive sums, each move once.

    >>> total_offer([{1, 2}, {0, 2}, {0, 1}], {0: 1, 1: 1, 2: -1})
    2
    """
    total = 0
    for v, weight in weights.items():
        for other in near[v]:
            beside = weights.get(other, 0)
            # Moves between two squares with weights are counted at both.
            total += max(0, weight + beside) * (1 if beside else 2)
    return total // 2


class Balance:
    """Flow of a graph: every vertex gives two moves and takes two, to and from different vertices if possible."""

    def __init__(self, near: Near) -> None:
        self._near = near
        self._size = size = len(near)
        # Vertex v gives as v and takes as size + v.
        both = [[size + other for other in others] for others in near] + [list(others) for others in near]
        self._flow = Flow(both)
        half = _one_colour(near)
        if half is None:
            self.is_short = self._flow.run() < 2 * size
        else:
            # With two colours the flow is symmetric, so the flow from one colour is enough.
            self._flow.givers = half
            self.is_short = self._flow.run() < 2 * len(half)
            self._flow.mirror()

    def shortage(self) -> Weights:
        """Return weights that need more than the supply, for few vertices. Requires `is_short`."""
        lacking = [v for v in range(self._size) if self._flow.spare[v]]
        return min((self._weights(self._reachable(v)) for v in lacking[:_MAX_LACKING]), key=len)

    def exhausting_weights(self) -> Iterator[Weights]:
        """Yield weights that need the whole supply and exclude moves, if the flow is large enough.

        If the caller removes these moves before the next iteration, no weights are repeated.
        """
        part = strong_parts(self._exchanges())
        for v in range(self._size):
            for other in sorted(self._near[v]):
                taker = self._size + other
                if other not in self._near[v] or taker in self._flow.chosen[v] or part[v] == part[taker]:
                    continue
                yield self._weights(self._reachable(taker))

    def _exchanges(self) -> list[list[int]]:
        """Return the residual graph: from a giver to unchosen takers, and from a taker back to its givers."""
        out: list[list[int]] = [[] for _ in range(2 * self._size)]
        for v in range(self._size):
            for other in self._near[v]:
                taker = self._size + other
                if taker in self._flow.chosen[v]:
                    out[taker].append(v)
                else:
                    out[v].append(taker)
        return out

    def _reachable(self, first: int) -> set[int]:
        size, chosen = self._size, self._flow.chosen
        seen = {first}
        queue = [first]
        for v in queue:
            fresh = chosen[v] - seen if v >= size else {size + u for u in self._near[v]} - chosen[v] - seen
            seen |= fresh
            queue += fresh
        return seen

    def _weights(self, reached: set[int]) -> Weights:
        """Return weight 1 for each giver, -1 for each taker, and none for vertices that are both."""
        size = self._size
        givers = {v for v in reached if v < size}
        takers = {v - size for v in reached if v >= size}
        return dict.fromkeys(sorted(givers - takers), 1) | dict.fromkeys(sorted(takers - givers), -1)


def _one_colour(near: Near) -> list[int] | None:
    """Return the vertices of the larger colour class of a 2-colouring, or None if there is no 2-colouring."""
    colours = [-1] * len(near)
    for first in range(len(near)):
        if colours[first] >= 0:
            continue
        colours[first] = 0
        queue = [first]
        for v in queue:
            for other in near[v]:
                if colours[other] < 0:
                    colours[other] = 1 - colours[v]
                    queue.append(other)
                elif colours[other] == colours[v]:
                    return None
    more = int(2 * sum(colours) > len(near))
    return [v for v, colour in enumerate(colours) if colour == more]


def strong_parts(out: list[list[int]]) -> list[int]:
    """Return the strong component of each vertex, by R. Tarjan, 1972. Sinks come first."""
    size = len(out)
    entered, low, part = [0] * size, [0] * size, [-1] * size
    clock = parts = 0
    waiting: list[int] = []
    for first in range(size):
        if entered[first]:
            continue
        clock += 1
        entered[first] = low[first] = clock
        waiting.append(first)
        path, rests = [first], [iter(out[first])]
        while path:
            here = path[-1]
            for other in rests[-1]:
                if not entered[other]:
                    clock += 1
                    entered[other] = low[other] = clock
                    waiting.append(other)
                    path.append(other)
                    rests.append(iter(out[other]))
                    break
                if part[other] < 0:
                    low[here] = min(low[here], entered[other])
            else:
                path.pop()
                rests.pop()
                if path:
                    low[path[-1]] = min(low[path[-1]], low[here])
                if low[here] == entered[here]:
                    while part[here] < 0:
                        part[waiting.pop()] = parts
                    parts += 1
    return part


class Flow:
    """Maximum flow from the givers, the first half of the vertices, to the takers: at most `most` at each.

    Attributes:
        spare: Number of missing moves at each vertex.
        chosen: Partners of each vertex.
        level: After the run, the vertices reachable from givers with missing moves.
    """

    def __init__(self, near: list[list[int]], most: int = 2) -> None:
        self.near = near
        self.givers: Sequence[int] = range(len(near) // 2)
        self.spare = [most] * len(near)
        self.chosen: list[set[int]] = [set() for _ in near]
        self.level: dict[int, int] = {}

    def run(self) -> int:
        """Return the maximum number of moves."""
        # Squares with few moves choose first, the poorest partners first.
        for s in sorted(self.givers, key=lambda s: len(self.near[s])):
            for u in sorted(self.near[s], key=lambda u: len(self.near[u])):
                if self.spare[s] and self.spare[u]:
                    self._choose(s, u)
                    self.spare[s] -= 1
                    self.spare[u] -= 1
        while self._layer():
            rests = {s: iter(self.near[s]) for s in self.level}
            for s in self.givers:
                while self.spare[s] and self._augment(s, rests):
                    pass
        return sum(len(self.chosen[s]) for s in self.givers)

    def mirror(self) -> None:
        """Extend a flow from one colour symmetrically to the givers of the other colour."""
        half = len(self.near) // 2
        for s in self.givers:
            self.spare[half + s] = self.spare[s]
            for u in self.chosen[s]:
                self._choose(u - half, half + s)
        for u in range(half, 2 * half):
            self.spare[u - half] = min(self.spare[u - half], self.spare[u])

    def _choose(self, s: int, u: int) -> None:
        self.chosen[s].add(u)
        self.chosen[u].add(s)

    def _layer(self) -> bool:
        """Assign levels by alternating paths from the givers with spare moves; return whether one leads to a taker."""
        queue = [s for s in self.givers if self.spare[s]]
        self.level = level = dict.fromkeys(queue, 0)
        ends_at = -1
        for s in queue:
            if ends_at >= 0 and level[s] >= ends_at:
                break
            is_giver = level[s] % 2 == 0
            for u in self.near[s]:
                if u not in level and (u in self.chosen[s]) != is_giver:
                    level[u] = level[s] + 1
                    queue.append(u)
                    if is_giver and self.spare[u]:
                        ends_at = level[u]
        return ends_at >= 0

    def _augment(self, first: int, rests: dict[int, Iterator[int]]) -> bool:
        """Augment along one alternating path from `first` to a taker with a spare move."""
        level = self.level
        path = [first]
        while path:
            here = path[-1]
            is_giver = level[here] % 2 == 0
            if not is_giver and self.spare[here]:
                for i, (a, b) in enumerate(pairwise(path)):
                    if i % 2 == 0:
                        self._choose(a, b)
                    else:
                        self.chosen[a].remove(b)
                        self.chosen[b].remove(a)
                self.spare[first] -= 1
                self.spare[here] -= 1
                return True
            for u in rests[here]:
                if level.get(u) == level[here] + 1 and (u in self.chosen[here]) != is_giver:
                    path.append(u)
                    break
            else:
                path.pop()
        return False
