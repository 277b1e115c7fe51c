"""Supply and demand: where all moves change colour, some squares may need more moves than the rest can give them.

A tour of n squares is n moves (closed) or n - 1 (open), at most two at a square and one at a given end. The most moves
that can be chosen so is a flow from the squares of one colour to those of the other, and when it falls short, the
narrowest cut names a set A of squares of one colour and a set B of the other: the moves at A lead to B, which takes
two a square, or are among a few others that can be counted. This is a proof one can check by hand, and it settles most
boards with holes that have no tour.

The flow begins with a greedy choice and grows along shortest augmenting paths, many at a time. Cost: under a
millisecond for 64 squares, a tenth of a second for 2,500. Sources: L. R. Ford and D. R. Fulkerson, 1956;
E. A. Dinitz, 1970; for factors of a graph W. T. Tutte, 1952.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from knightstour.model.board import move_graph
from knightstour.model.problem import Problem
from knightstour.proofs.facts import colour_classes
from knightstour.proofs.wording import given_ends, names

# Beyond, the flow would take longer than a proof by hand is worth.
MOST_SQUARES = 2_500


def supply(problem: Problem) -> tuple[str, str] | None:
    """(reason, source) if fewer moves can be chosen than a tour has, else None.

    >>> supply(Problem.of((3, 6), closed=True))[0]
    'a closed tour has at least 12 moves at the 6 squares a3, e3, b2, f2, a1 and e1, but they can have only 6 at the 3
    squares d3, c2 and d1 and 4 elsewhere'
    """
    short = shortage(problem)
    if short is None:
        return None
    board = problem.board
    kind = "a closed tour" if problem.closed else "a tour"
    sources = []
    if short.rich:
        plural = "s" * (len(short.rich) > 1)
        sources.append(f"{short.offer} at the {len(short.rich)} square{plural} {names(board, short.rich)}")
    if short.others:
        sources.append(f"{short.others} elsewhere")
    return (
        f"{kind} has at least {short.demand} moves at the {len(short.poor)} square{'s' * (len(short.poor) > 1)} "
        f"{names(board, short.poor)}, but they can have only {' and '.join(sources) or 'none'}",
        "supply of moves",
    )


class Shortage(NamedTuple):
    """Squares of one colour that need more moves than there are for them.

    poor: these squares, at which a tour has at least `demand` moves. rich: squares of the other colour, which give them
    `offer` moves at most. others: the moves of the poor squares that lead elsewhere.
    """

    poor: list[int]
    rich: list[int]
    others: int
    demand: int
    offer: int


def shortage(problem: Problem) -> Shortage | None:
    """The squares that need too many moves, as few as may be; None if there are none, or if it does not apply.

    >>> shortage(Problem.of((3, 6), closed=True))
    Shortage(poor=[0, 4, 7, 11, 12, 16], rich=[3, 8, 15], others=4, demand=12, offer=6)
    """
    board = problem.board
    if not 3 <= board.square_count <= MOST_SQUARES:
        return None
    colours = colour_classes(board)
    if colours is None:
        return None
    moves = move_graph(board)
    near = moves.neighbour_lists()
    squares = moves.squares.tolist()
    ends = given_ends(problem)
    need = {s: 1 if s in ends else 2 for s in squares}
    wanted = len(squares) - (not problem.closed)
    cuts = []
    for side in (0, 1):
        givers = [s for s in squares if colours[s] == side]
        # All moves of the tour have one end on this colour, so this is what its squares may miss, all together.
        missing = sum(need[s] for s in givers) - wanted
        if missing < 0:
            continue
        flow = _Flow(near, need, givers)
        if flow.run() >= wanted:
            return None
        poor, rich, others = flow.cut()
        cuts.append((len(poor) + len(rich), poor, rich, others, missing))
    # A lack shows on both colours, on one of them with fewer squares.
    _, poor, rich, others, missing = min(cuts)
    return Shortage(poor, rich, others, sum(need[s] for s in poor) - missing, sum(need[s] for s in rich))


class _Flow:
    """The most moves between the givers and the squares of the other colour, at most need[s] at a square s."""

    def __init__(self, near: list[list[int]], need: dict[int, int], givers: list[int]) -> None:
        self.near = near
        self.spare = dict(need)
        self.givers = givers
        self.chosen: dict[int, set[int]] = {s: set() for s in need}
        self.level: dict[int, int] = {}

    def run(self) -> int:
        """How many moves can be chosen."""
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

    def cut(self) -> tuple[list[int], list[int], int]:
        """After `run`: the givers that still reach others, the squares they reach, and their other moves."""
        givers = set(self.givers)
        poor = sorted(s for s in self.level if s in givers)
        rich = sorted(s for s in self.level if s not in givers)
        reached = set(rich)
        return poor, rich, sum(u not in reached for s in poor for u in self.near[s])

    def _choose(self, s: int, u: int) -> None:
        self.chosen[s].add(u)
        self.chosen[u].add(s)

    def _layer(self) -> bool:
        """Levels by length of alternating path from the givers with moves to spare; whether one leads to a taker."""
        queue = [s for s in self.givers if self.spare[s]]
        self.level = level = dict.fromkeys(queue, 0)
        ends_at = -1
        for s in queue:
            if ends_at >= 0 and level[s] >= ends_at:
                break
            # From a giver by moves not chosen, from a taker back by chosen ones.
            is_giver = level[s] % 2 == 0
            for u in self.near[s]:
                if u not in level and (u in self.chosen[s]) != is_giver:
                    level[u] = level[s] + 1
                    queue.append(u)
                    if is_giver and self.spare[u]:
                        ends_at = level[u]
        return ends_at >= 0

    def _augment(self, first: int, rests: dict[int, Iterator[int]]) -> bool:
        """Turn over one alternating path from `first`, down the levels to a taker with a move to spare."""
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
