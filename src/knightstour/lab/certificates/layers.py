"""Counting by layers in plain Python: the layers of a certificate of a count, and the step from one to the next.

The squares are processed in an order. A state describes the moves so far at the remaining squares: some are the two
ends of a path ("3-7"), some have both their moves ("9"), the others none. Processed squares have both. The text of a
state is "3-7 9 12-15", its items in increasing order. A layer contains all states after the same square, with the
number of choices of moves that lead to each; `closed` choices have become one closed tour of all squares.

In a search for a better tour, a state has the maximum value of its choices instead of their number. States without a
better continuation are omitted, and `closed` choices have become a tour that may be better.

If a tour may skip squares, a square without a move may stay unvisited, and a closed path is a tour if there is no other
path and it contains the required squares.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from knightstour.lab.certificates.bounds import Better
from knightstour.lab.certificates.loop_graph import Near
from knightstour.lab.certificates.record import Allowance

# A state: square -> the other end of its path, or itself if it has both moves. Squares without a move are omitted.
State = tuple[tuple[int, int], ...]
# The states of a layer, each with its number of choices, or with the maximum value of a choice.
Layer = dict[State, int]

# Moduli of the sums: the largest primes below 2^31, 2^30 and 2^29.
PRIMES = (2147483647, 1073741789, 536870909)


def texts_of(layer: Layer) -> dict[str, int]:
    """Return the states as text, in the order of their text, each with its number.

    >>> texts_of({((3, 7), (7, 3), (9, 9)): 2})
    {'3-7 9': 2}
    """

    def text(state: State) -> str:
        return " ".join(str(one) if one == other else f"{one}-{other}" for one, other in state if one <= other)

    return dict(sorted((text(state), number) for state, number in layer.items()))


def digest_of(texts: Mapping[str, int]) -> str:
    """Return the SHA-256 of the lines "state:number" of a layer."""
    lines = "".join(f"{text}:{number}\n" for text, number in texts.items())
    return hashlib.sha256(lines.encode()).hexdigest()


def sums_of(layer: Layer) -> list[int]:
    """Return the sum of the numbers modulo each of PRIMES."""
    total = sum(layer.values())
    return [total % prime for prime in PRIMES]


@dataclass(frozen=True, slots=True)
class Steps:
    """The graph and the order of its squares.

    place: the step of each square. better: the required better tour; None to count all tours. must: the required
    squares of a tour that may skip squares; None if it must visit all.
    """

    near: Near
    order: Sequence[int]
    place: Mapping[int, int]
    better: Better | None = None
    must: frozenset[int] | None = None

    @classmethod
    def of(
        cls, near: Near, order: Sequence[int], better: Better | None = None, must: frozenset[int] | None = None
    ) -> Steps:
        """Return the steps through all squares of the graph in this order."""
        return cls(near, order, {square: step for step, square in enumerate(order)}, better, must)

    @property
    def start(self) -> Layer:
        """The layer before the first step: one empty state."""
        return {(): 1 if self.better is None else 0}

    def follow(self, layer: Layer, step: int, allowance: Allowance) -> tuple[Layer, int]:
        """Return the next layer, and the number of choices that became a tour of all squares, or a candidate."""
        square = self.order[step]
        ahead = {other: self._later(other, step) for other in self.order[step + 1 :]}
        later = self._later(square, step)
        left = len(self.order) - step - 1
        need = None if self.better is None else self.better.minimum_after(ahead)
        worth = {} if self.better is None else {other: self.better.worth.get((square, other), 0) for other in later}
        following: Layer = {}
        closed = 0
        for state, number in layer.items():
            ends = dict(state)
            far = ends.pop(square, None)
            free = [other for other in later if ends.get(other) != other]
            for chosen in self._choices(square, far, free):
                allowance.spend(20 + len(ends) + 3 * len(later))
                after, made = dict(ends), number + sum(worth.get(other, 0) for other in chosen)
                if _join_path(after, chosen, square if far is None else far, far is None):
                    if self._is_whole(after, square, left):
                        closed += made if need is None else made >= need(after)
                    continue
                filled = [other for other in chosen if after.get(other) == other]
                if all(
                    self._can_continue(after, other, ahead)
                    for near in (later, *(ahead[other] for other in filled))
                    for other in near
                ):
                    key = tuple(sorted(after.items()))
                    if need is None:
                        following[key] = following.get(key, 0) + made
                    elif made >= need(after):
                        following[key] = max(following.get(key, made), made)
        return following, closed

    def _later(self, square: int, step: int) -> list[int]:
        return sorted(other for other in self.near[square] if self.place[other] > step)

    def _is_whole(self, ends: Mapping[int, int], square: int, left: int) -> bool:
        """Whether a path closed here is the whole tour. left: number of remaining squares."""
        if any(other != end for other, end in ends.items()):
            return False
        if self.must is None:
            return len(ends) == left
        return all(other in ends or self.place[other] <= self.place[square] for other in self.must)

    def _can_continue(self, ends: dict[int, int], square: int, ahead: Mapping[int, Sequence[int]]) -> bool:
        """Whether a square has enough later neighbours for its missing moves."""
        end = ends.get(square)
        if end == square or (end is None and self.must is not None):
            return True
        return sum(ends.get(other) != other for other in ahead[square]) >= (2 if end is None else 1)

    def _choices(self, square: int, far: int | None, free: list[int]) -> Iterator[tuple[int, ...]]:
        """Yield the targets of the missing moves."""
        may_leave = self.must is not None and square not in self.must
        if far == square or (far is None and may_leave):
            yield ()
        if far is None:
            yield from combinations(free, 2)
        elif far != square:
            yield from ((other,) for other in free)


def _join_path(ends: dict[int, int], chosen: tuple[int, ...], tip: int, is_bare: bool) -> bool:
    """Join the path that ends at `tip` to the chosen squares, and return whether that closes it.

    is_bare: whether the processed square had no path, so that both chosen squares become ends of a new path.
    """
    if not chosen:
        return False
    if is_bare:
        # The first chosen square replaces the tip: its path now ends at the processed square.
        first, *chosen_rest = chosen
        tip = _absorb_square(ends, first)
        (last,) = chosen_rest
    else:
        (last,) = chosen
    if last == tip:
        # The ends of one path are joined.
        ends[last] = last
        return True
    end = _absorb_square(ends, last)
    ends[tip], ends[end] = end, tip
    return False


def _absorb_square(ends: dict[int, int], square: int) -> int:
    """Add a square to a path; return the new end."""
    far = ends.get(square)
    if far is None:
        return square
    ends[square] = square
    return far
