"""The clauses of "these are the steps of the squares, and these the moves", for given numbers or an order of squares.

A square has a variable for each step that is left for it after a first look, and each move has one.
docs/certificates.md lists the clauses; each is true of every numbering that is asked for, so where they cannot be met
there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from knightstour.lab.certificates.clauses import MAX_BY_THREES, Clause, bounded
from knightstour.lab.certificates.question import Move, Question
from knightstour.lab.certificates.record import TooLong

MAX_SQUARES = 256
# Up to this many variables every two are barred. Of more, some are replaced by one that is true where any of them is.
_MAX_BY_TWOS = 6
_GROUP = 3


def numbering_clauses(question: Question, other_than: Sequence[int] | None = None) -> list[Clause]:
    """The clauses of all numberings. other_than: the squares of one, in order, that is ruled out."""
    if question.count > MAX_SQUARES:
        raise TooLong(f"numberings are checked on boards of up to {MAX_SQUARES} squares")
    return bounded(_Numbering(question).clauses(other_than))


def steps_left(question: Question) -> dict[int, int]:
    """The steps that are left for each square, step t as the bit t - 1, after a first look.

    Left out are steps that are not given, the known step of another square, and steps without a neighbour that may have
    the step before or after; until nothing more follows. A start has the first step, and an end the last.
    """
    count = question.count
    everything = (1 << count) - 1
    first, last = 1, 1 << count - 1
    near = _neighbours(question)
    left = dict.fromkeys(near, everything)
    for square, numbers in question.given.items():
        left[square] &= sum(1 << number - 1 for number in numbers)
    for end, step in ((question.start, first), (question.end, last)):
        if end is not None:
            left[end] &= step
    before: dict[int, int] = {}
    while left != before:
        before = dict(left)
        for square, others in near.items():
            beside = 0
            for other in others:
                beside |= left[other]
            earlier, later = beside << 1 & everything, beside >> 1
            if question.closed:
                earlier, later = earlier | beside >> count - 1, later | (beside & 1) << count - 1
            else:
                earlier, later = earlier | first, later | last
            left[square] &= earlier & later
        for square, steps in list(left.items()):
            if steps and not steps & steps - 1:
                for other in near:
                    if other != square:
                        left[other] &= ~steps
    return left


def _neighbours(question: Question) -> dict[int, list[int]]:
    """The squares a move away from each, without forbidden moves, all in rising order."""
    near = {}
    for square in range(question.rows * question.cols):
        if question.is_square(square):
            others = set(question.reached_from(square))
            near[square] = sorted(u for u in others if (min(square, u), max(square, u)) not in question.avoid)
    return near


class _Numbering:
    """The variables of a question. at: of a square and a step. move: of a move. top: the last variable so far."""

    def __init__(self, question: Question) -> None:
        self.question, self.near = question, _neighbours(question)
        self.count = question.count
        pairs = [
            (square, step)
            for square, bits in steps_left(question).items()
            for step in range(1, self.count + 1)
            if bits >> step - 1 & 1
        ]
        self.at = {pair: k for k, pair in enumerate(pairs, 1)}
        moves = [(a, b) for a, others in self.near.items() for b in others if a < b]
        self.move: dict[Move, int] = {move: k for k, move in enumerate(moves, len(pairs) + 1)}
        self.top = len(pairs) + len(moves)

    def clauses(self, other_than: Sequence[int] | None) -> Iterator[Clause]:
        """All clauses."""
        for names in (*self._by_square(), *self._by_step()):
            yield names
            yield from self._one_at_most(names)
        for square, step in self.at:
            yield from self._walk(square, step)
        for square in self.near:
            yield from self._two_moves(square)
        for move in sorted(self.question.through):
            yield [self.move[move]]
        for one, other in pairwise(self.question.visit_order):
            yield from self._after(one, other)
        if other_than is not None:
            # A step that is not left for its square is barred already.
            pairs = [(square, step) for step, square in enumerate(other_than, 1)]
            yield [-self.at[pair] for pair in pairs if pair in self.at]

    def _after(self, one: int, other: int) -> Iterator[Clause]:
        """A square has a step only if the one named before it has an earlier step."""
        earlier: Clause = []
        for step in range(1, self.count + 1):
            if (other, step) in self.at:
                yield [-self.at[other, step], *earlier]
            if (one, step) in self.at:
                earlier.append(self.at[one, step])

    def _by_square(self) -> list[Clause]:
        found: dict[int, Clause] = {square: [] for square in self.near}
        for (square, _), name in self.at.items():
            found[square].append(name)
        return list(found.values())

    def _by_step(self) -> list[Clause]:
        found: list[Clause] = [[] for _ in range(self.count)]
        for (_, step), name in self.at.items():
            found[step - 1].append(name)
        return found

    def _one_at_most(self, names: Clause) -> Iterator[Clause]:
        """No two of these."""
        while len(names) > _MAX_BY_TWOS:
            self.top += 1
            group = names[:_GROUP]
            yield from ([-a, -b] for a, b in combinations(group, 2))
            yield from ([-a, self.top] for a in group)
            names = [*names[_GROUP:], self.top]
        yield from ([-a, -b] for a, b in combinations(names, 2))

    def _walk(self, square: int, step: int) -> Iterator[Clause]:
        """A square has neighbours at the steps after and before its own, by moves that are made."""
        name = self.at[square, step]
        after, before = (self._places(square, other) for other in (step + 1, step - 1))
        for places in (after, before):
            if places is not None:
                yield [-name, *places.values()]
        for other in self.near[square]:
            move = self.move[min(square, other), max(square, other)]
            if after and other in after:
                yield [-name, -after[other], move]
            yield [-name, -move, *(places[other] for places in (after, before) if places and other in places)]

    def _places(self, square: int, step: int) -> dict[int, int] | None:
        """The neighbours that may have a step, each with its variable; None beyond the ends of an open tour."""
        if not 1 <= step <= self.count:
            if not self.question.closed:
                return None
            step = (step - 1) % self.count + 1
        return {other: self.at[other, step] for other in self.near[square] if (other, step) in self.at}

    def _two_moves(self, square: int) -> Iterator[Clause]:
        """Two moves at each square, and one where the tour ends."""
        moves = [self.move[min(square, other), max(square, other)] for other in self.near[square]]
        if len(moves) <= MAX_BY_THREES:
            yield from ([-a, -b, -c] for a, b, c in combinations(moves, 3))
        steps = () if self.question.closed else (1, self.count)
        ends = [self.at[square, step] for step in steps if (square, step) in self.at]
        for k in range(len(moves)):
            yield moves[:k] + moves[k + 1 :] + ends
