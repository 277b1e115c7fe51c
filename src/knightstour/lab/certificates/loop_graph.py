"""The loop graph: it restates each problem in terms of closed tours of a graph, which all proofs are about.

docs/certificate-format.md defines the virtual squares.
"""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.lab.certificates import record
from knightstour.lab.certificates.question import Move, Question
from knightstour.lab.certificates.record import Unreadable, Wrong

# Maximum number of squares for a list of the moves of a board.
MAX_LISTED = 250_000
# Maximum weight in a proof.
_MAX_WEIGHT = 10**9

# A graph: the neighbours of each square.
Near = dict[int, set[int]]


def loop_graph(question: Question) -> Near:
    """Return the graph whose closed tours are the required tours: the squares, and virtual ones from rows * cols on.

    Closed: only the squares. Open: one virtual square adjacent to all squares, or to the two given ends. With one given
    end: a virtual square V adjacent to that end and to a second one, which is adjacent to V and to all other squares.
    Forbidden moves are omitted. A virtual square divides each required move, in increasing order; it is adjacent only
    to the two ends of the move, so every closed tour contains both halves.

    Given numbers and symmetries are ignored: the graph has all required tours, and perhaps others.
    """
    if question.rows * question.cols > MAX_LISTED:
        raise Unreadable(f"proofs are checked on boards of up to {MAX_LISTED:,} squares")
    squares = [square for square in range(question.rows * question.cols) if square not in question.holes]
    near = {square: set(question.reached_from(square)) for square in squares}
    for a, b in question.forbid | question.require:
        near[a].discard(b)
        near[b].discard(a)
    if not question.closed:
        _link_ends(near, question, squares)
    first = question.rows * question.cols + virtual_ends(question)
    for middle, (a, b) in enumerate(sorted(question.require), first):
        link(near, middle, a)
        link(near, middle, b)
    return near


def virtual_ends(question: Question) -> int:
    """Return the number of virtual squares that join the ends of an open tour; they come first."""
    return 0 if question.closed else 1 + ((question.start is None) is not (question.end is None))


def must_pass(question: Question) -> frozenset[int] | None:
    """Return the required squares of a tour that may skip squares; None if it must visit all squares."""
    if not question.leaves:
        return None
    first = question.rows * question.cols
    start = {question.start} if question.closed and question.start is not None else set()
    return frozenset({*range(first, first + virtual_ends(question)), *start})


def _link_ends(near: Near, question: Question, squares: list[int]) -> None:
    """Connect the ends of an open tour by virtual squares."""
    first = question.rows * question.cols
    ends = [square for square in (question.start, question.end) if square is not None]
    links: list[tuple[int, int]]
    if len(ends) == 1:
        links = [(first, ends[0]), (first, first + 1)]
        links += [(first + 1, square) for square in squares if square != ends[0]]
    else:
        links = [(first, square) for square in ends or squares]
    for a, b in links:
        link(near, a, b)


def link(near: Near, a: int, b: int) -> None:
    """Make two squares adjacent."""
    near.setdefault(a, set()).add(b)
    near.setdefault(b, set()).add(a)


def half_of(question: Question, near: Near) -> dict[Move, Move]:
    """Return each move of the board with its move in the graph: itself, or the first half of a required move."""
    first = question.rows * question.cols + virtual_ends(question)
    halves = {move: (move[0], middle) for middle, move in enumerate(sorted(question.require), first)}
    whole = {(a, b): (a, b) for a, b in edges_of(near) if b < question.rows * question.cols}
    return dict(sorted((whole | halves).items()))


def weights_of(near: Near, part: Mapping[str, object]) -> dict[int, int]:
    """Return the weights in a part of a certificate, by increasing square; raise Wrong if some are missing."""
    weights = record.numbers(part.get("weights"), '"weights"', least=-_MAX_WEIGHT, most=_MAX_WEIGHT)
    if len(weights) != len(near):
        raise Wrong(f"there are {len(weights)} weights for {len(near)} squares")
    return dict(zip(sorted(near), weights, strict=True))


def cuts_of(near: Near, part: Mapping[str, object], most: int) -> list[set[int]]:
    """Return the sets of squares in a part of a certificate that every closed tour leaves; raise Wrong for invalid
    sets. most: maximum number of sets."""
    cuts = [record.numbers(cut, '"cuts"') for cut in record.items(part, "cuts", most)]
    for k, cut in enumerate(cuts, 1):
        if not cut or not set(cut) < near.keys() or len(set(cut)) < len(cut):
            raise Wrong(f"cut {k} must be a proper subset of the squares of the graph, without duplicates")
    return list(map(set, cuts))


def edges_of(near: Near) -> list[tuple[int, int]]:
    """Return each move once, as (lower, higher), in increasing order."""
    return [(a, b) for a in sorted(near) for b in sorted(near[a]) if a < b]


def leaving(near: Near, inside: set[int]) -> list[Move]:
    """Return the moves out of a set of squares, each starting with the square inside."""
    return [(a, b) for a in sorted(inside) for b in sorted(near[a] - inside)]


def pieces_without(near: Near, removed: set[int]) -> list[set[int]]:
    """Return the components of the graph without some squares."""
    seen = set(removed)
    pieces = []
    for first in near:
        if first in seen:
            continue
        piece, queue = {first}, [first]
        for square in queue:
            fresh = near[square] - piece - removed
            piece |= fresh
            queue += fresh
        seen |= piece
        pieces.append(piece)
    return pieces
