"""Clauses for "these moves form one closed tour", for SAT solvers, and their DIMACS form.

Variable k, from 1, is the k-th move of the graph in increasing order of (lower, higher). Each square has at least two
moves, and not three; for a square of more than `MAX_BY_THREES` moves a counter encodes this, with two additional
variables per move. A cut is a set of squares, and its clause requires a move out of it. A symmetric tour contains the
image of each of its moves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from knightstour.lab.certificates.images import Image
from knightstour.lab.certificates.loop_graph import Near, edges_of, half_of, leaving
from knightstour.lab.certificates.question import Move, Question
from knightstour.lab.certificates.record import TooLong

MAX_BY_THREES = 12
# Maximum total number of literals.
_MAX_LITERALS = 3_000_000

Clause = list[int]
# Image of each move of the graph under a symmetry, or None if the image is not a move.
ImageMoves = Sequence[tuple[Move, Move | None]]


def clauses_of(near: Near, cuts: Sequence[Collection[int]], images: Sequence[ImageMoves] = ()) -> list[Clause]:
    """Return all clauses: for the squares in increasing order, the symmetries, and the cuts.

    Raises TooLong if there are too many.
    """
    found: list[Clause] = []
    literals = 0
    for clause in _all_clauses(near, cuts, images, variables_of(near)):
        found.append(clause)
        literals += len(clause) + 1
        if literals > _MAX_LITERALS:
            raise TooLong("the clauses of this board are too many to check")
    return found


def image_moves(question: Question, near: Near, images: Sequence[Image]) -> list[ImageMoves]:
    """Return the moves of the board in the graph and their images; a required move is represented by its first half."""
    halves = half_of(question, near)
    return [
        [(half, halves.get((min(image[a], image[b]), max(image[a], image[b])))) for (a, b), half in halves.items()]
        for image in images
    ]


def variables_of(near: Near) -> dict[Move, int]:
    return {edge: k for k, edge in enumerate(edges_of(near), 1)}


def _all_clauses(
    near: Near, cuts: Sequence[Collection[int]], images: Sequence[ImageMoves], variable: dict[Move, int]
) -> Iterator[Clause]:
    top = len(variable)
    for square in sorted(near):
        moves = [variable[min(square, other), max(square, other)] for other in sorted(near[square])]
        # At least two: any set of all moves but one contains a move. Check the number of moves first: it may be large.
        if len(moves) > 1000:
            raise TooLong("a square has too many moves for clauses")
        if not moves:
            yield []
        for k in range(len(moves)):
            yield moves[:k] + moves[k + 1 :]
        if len(moves) <= MAX_BY_THREES:
            yield from ([-a, -b, -c] for a, b, c in combinations(moves, 3))
        else:
            yield from _at_most_two(moves, top)
            top += 2 * len(moves)
    yield from _image_clauses(images, variable, top)
    for inside in map(set, cuts):
        yield cut_clause(near, variable, inside)


def cut_clause(near: Near, variable: Mapping[Move, int], inside: set[int]) -> Clause:
    """Return the clause that requires a move out of a set of squares."""
    return sorted(variable[min(move), max(move)] for move in leaving(near, inside))


def _image_clauses(images: Sequence[ImageMoves], variable: Mapping[Move, int], top: int) -> Iterator[Clause]:
    """Require the image of each move; a variable selects one of several symmetries."""
    chosen = list(range(top + 1, top + 1 + len(images))) if len(images) > 1 else []
    if chosen:
        yield chosen
    for k, image in enumerate(images):
        unless = [-chosen[k]] if chosen else []
        for move, other in image:
            if other is None:
                yield [*unless, -variable[move]]
            elif other != move:
                yield [*unless, -variable[move], variable[other]]


def _at_most_two(moves: list[int], top: int) -> Iterator[Clause]:
    """Yield C. Sinz's counter, 2005: `one` and `two` mean that at least one or two of the moves so far are used."""
    for k, move in enumerate(moves):
        one, two = top + 2 * k + 1, top + 2 * k + 2
        yield [-move, one]
        if k > 0:
            yield from ([2 - one, one], [2 - one, -move, two], [2 - two, two], [2 - two, -move])


def dimacs(clauses: list[Clause]) -> str:
    """Return the clauses in the DIMACS form, which solvers and proof checkers read."""
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    lines = [f"p cnf {top} {len(clauses)}", *(" ".join(map(str, [*clause, 0])) for clause in clauses)]
    return "\n".join(lines) + "\n"
