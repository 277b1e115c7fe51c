"""The weights that bound what a tour is worth: by a flow of least cost, two moves from each square and two to each.

A tour is such a flow, if each of its moves is made both ways. So none is worth more than half of the flow that is worth
most. The lengths of the shortest paths over what that flow leaves prove it: the weight of a square is half of how much
longer the way is to where moves begin there than to where they end.

Method: successive shortest paths (W. S. Jewell, 1958). Cost: 0.1 s for 8x8.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

from knightstour.lab.certificates.loop_graph import Near
from knightstour.lab.certificates.question import Move

# By how much a place is lowered below all others, see weights_for; measured on 6x8 and 8x8.
_LOWERED = 2


def weights_for(near: Near, worth: Mapping[Move, int]) -> tuple[list[int], int]:
    """Weights of the squares in rising order, and how much of them is as much as a move that is worth 1."""
    flow = _Flow(near, worth)
    flow.fill()
    places = [*near, *map(_other, near)]
    sums = dict.fromkeys(near, 0)
    # Many weights prove the same bound. Their mean leaves out more states than any of them.
    for lowered in places:
        length, _ = flow.shortest(dict.fromkeys(places, 0) | {lowered: -_LOWERED})
        for square in near:
            sums[square] += length[square] - length[_other(square)]
    unit = 2 * len(places)
    shared = math.gcd(unit, *sums.values())
    return [sums[square] // shared for square in sorted(near)], unit // shared


class _Flow:
    """Moves from squares to squares. A square where they end is ~square. used: the moves that are made."""

    def __init__(self, near: Near, worth: Mapping[Move, int]) -> None:
        self.near, self.worth = near, worth
        self.used: set[Move] = set()

    def fill(self) -> None:
        """Make two moves from each square and two to each, so that they are worth most."""
        lacks = dict.fromkeys([*self.near, *map(_other, self.near)], 2)
        while begins := [square for square in self.near if lacks[square]]:
            length, before = self.shortest(dict.fromkeys(begins, 0))
            here = min((place for place in length if place < 0 and lacks[place]), key=length.__getitem__)
            lacks[here] -= 1
            while here in before:
                there = before[here]
                self.used ^= {(there, _other(here)) if here < 0 else (here, _other(there))}
                here = there
            lacks[here] -= 1

    def shortest(self, begins: Mapping[int, int]) -> tuple[dict[int, int], dict[int, int]]:
        """How far each place is from some that have a length, over moves that are added or given back; and from where.

        A move is as long as it is worth, negated; if it is given back, not negated.
        """
        length, queue = dict(begins), deque(begins)
        before: dict[int, int] = {}
        while queue:
            here = queue.popleft()
            for square in self.near[max(here, _other(here))]:
                move = (here, square) if here >= 0 else (square, _other(here))
                there = _other(square) if here >= 0 else square
                found = length[here] + self.worth.get(move, 0) * (-1 if here >= 0 else 1)
                if (move in self.used) is (here < 0) and (there not in length or found < length[there]):
                    length[there], before[there] = found, here
                    queue.append(there)
        return length, before


def _other(place: int) -> int:
    """Where moves of the same square end, or begin."""
    return ~place
