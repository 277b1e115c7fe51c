"""Bounds for a better tour: the moves that a statistic counts, and bounds on the rest of a tour.

A certificate of optimality has a weight for each square of the loop graph. The value of a move is at least the sum of
the weights of its two squares. Weights and moves of the remaining squares therefore bound every continuation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from knightstour.lab.certificates import record
from knightstour.lab.certificates.loop_graph import Near, cuts_of, half_of, leaving, weights_of
from knightstour.lab.certificates.question import Move, Question, moves_of
from knightstour.lab.certificates.record import Unreadable

# Limits of the coefficients; proofs do not need larger ones.
_MAX_UNIT, _MAX_CUTS = 10**9, 100


@dataclass(frozen=True, slots=True)
class Better:
    """A hypothetical tour that is better than the known one.

    worth: value of each move of the loop graph, in both directions: 1 if the statistic counts it (-1 for a minimum),
    plus 1 for each cut that it leaves. weights: per square; `unit` represents a value of 1. goal: minimum
    value of a better tour.
    """

    worth: Mapping[Move, int]
    weights: Mapping[int, int]
    unit: int
    goal: int

    @classmethod
    def of(cls, question: Question, certificate: Mapping[str, object], near: Near) -> Better:
        """Return the goal of a certificate; raise Unreadable or Wrong if it is invalid."""
        proof = record.part(certificate, "proof")
        unit = record.number(proof, "unit", _MAX_UNIT)
        if unit == 0:
            raise Unreadable('"unit" must be 1 or more')
        sign = 1 if record.flag(certificate, "most") else -1
        counted = counted_moves(question, certificate)
        worth = {half: sign for move, half in half_of(question, near).items() if move in counted}
        cuts = cuts_of(near, proof, _MAX_CUTS)
        for inside in cuts:
            for a, b in leaving(near, inside):
                worth[min(a, b), max(a, b)] = worth.get((min(a, b), max(a, b)), 0) + 1
        worth |= {(b, a): each for (a, b), each in worth.items()}
        return cls(worth, weights_of(near, proof), unit, sign * value_of(certificate) + 1 + 2 * len(cuts))

    def minimum_after(self, ahead: Mapping[int, Sequence[int]]) -> Callable[[Mapping[int, int]], int]:
        """Return a function from a state to the minimum value from which a better tour is still possible.

        ahead: the remaining squares, each with its neighbours among them.
        """
        weights, over = self.weights, {}
        for a, others in ahead.items():
            beyond = ((b, self.unit * self.worth.get((a, b), 0) - weights[a] - weights[b]) for b in others)
            over[a] = {b: more for b, more in beyond if more > 0}
        total = 2 * sum(weights[a] for a in ahead) + sum(sum(more.values()) for more in over.values()) // 2

        def minimum(ends: Mapping[int, int]) -> int:
            bound, full = total, set()
            for square, end in ends.items():
                bound -= weights[square]
                if square == end:
                    bound -= weights[square] + sum(more for b, more in over[square].items() if b not in full)
                    full.add(square)
            return self.goal - bound // self.unit

        return minimum


def value_of(certificate: Mapping[str, object]) -> int:
    """Return the number of counted moves of the best tour."""
    return record.number(certificate, "value", record.MAX_SQUARES)


def counted_moves(question: Question, certificate: Mapping[str, object]) -> frozenset[Move]:
    """Return the moves that the statistic of a certificate counts: a list, or a named set."""
    if isinstance(certificate.get("statistic"), list):
        return moves_of(question, certificate, "statistic")
    name = record.text(certificate, "statistic")
    if question.near is not None or question.wrap is not None:
        raise Unreadable("named statistics require a board without joined sides")
    squares = filter(question.is_square, range(question.rows * question.cols))
    moves = {(min(s, t), max(s, t)) for s in squares for t in question.reached_from(s)}
    try:
        return frozenset(move for move in moves if _statistics(question, *move)[name])
    except KeyError:
        raise Unreadable(f"no statistic {name[:60]!r} counts moves") from None


def _statistics(question: Question, a: int, b: int) -> dict[str, bool]:
    (r, c), (row, col) = divmod(a, question.cols), divmod(b, question.cols)
    down, right = row - r, col - c
    is_steep, is_flat = abs(down) > abs(right), abs(down) < abs(right)
    # Distance of each square from the nearest side.
    outer, inner = sorted(min(i, question.rows - 1 - i, k, question.cols - 1 - k) for i, k in ((r, c), (row, col)))
    # Positive if both squares are in the same half of the board, negative if they are in different halves.
    rows = (2 * r - question.rows + 1) * (2 * row - question.rows + 1)
    cols = (2 * c - question.cols + 1) * (2 * col - question.cols + 1)
    return {
        "steep-up": is_steep and down * right < 0,
        "flat-up": is_flat and down * right < 0,
        "flat-down": is_flat and down * right > 0,
        "steep-down": is_steep and down * right > 0,
        "in-border": inner < 2,
        "same-ring": inner == outer,
        "next-ring": inner - outer == 1,
        "across-rows": rows < 0,
        "across-columns": cols < 0,
        "in-quarter": rows > 0 and cols > 0,
    }
