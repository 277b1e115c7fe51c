"""The weights that bound best what a tour is worth: a maximal flow of least cost, two moves into and out of each square.

The loop graph is doubled: a square is once where moves begin and once where they end, and each takes two. What moves
that fit so are worth at most is a bound for all tours, and the lengths of the shortest paths over what they leave prove
it. Where colours alternate, they are two loop covers; the moves of all loops of a tour are such moves, too.

Method: successive shortest paths (W. S. Jewell, 1958); the weights are half the difference of the two potentials.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace

from knightstour.lab.certificates.bounds import Better
from knightstour.lab.certificates.loop_graph import Near
from knightstour.lab.certificates.question import Move, Question


def better_tour(question: Question, record: Mapping[str, object], near: Near) -> Better:
    """The better tour that a certificate must exclude, with weights for that. record: question, statistic and value."""
    better = Better.of(question, {**record, "proof": {"weights": [0] * len(near)}}, near)
    return replace(better, weights=_Flow(near, better.worth).weights())


class _Flow:
    """Moves from squares to squares. A square where they end is ~square. used: the moves that are made."""

    def __init__(self, near: Near, worth: Mapping[Move, int]) -> None:
        self.near, self.worth = near, worth
        self.used: set[Move] = set()

    def weights(self) -> dict[int, int]:
        """For each square, in halves."""
        lacks = dict.fromkeys([*self.near, *map(_other, self.near)], 2)
        while begins := [square for square in self.near if lacks[square]]:
            length, before = self._shortest(begins)
            here = min((place for place in length if place < 0 and lacks[place]), key=length.__getitem__)
            lacks[here] -= 1
            while here in before:
                there = before[here]
                self.used ^= {(there, _other(here)) if here < 0 else (here, _other(there))}
                here = there
            lacks[here] -= 1
        length, _ = self._shortest(list(lacks))
        return {square: length[square] - length[_other(square)] for square in self.near}

    def _shortest(self, begins: list[int]) -> tuple[dict[int, int], dict[int, int]]:
        """How far each place is from the nearest of some, over moves that may be added or given back; and from where.

        A move is as long as it is worth, negated, and when it is given back as long as that.
        """
        length, before, queue = dict.fromkeys(begins, 0), {}, deque(begins)
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
