"""Check that no tour has a symmetry, by colours and fixed squares; docs/certificate-format.md has the proof.

A symmetry that preserves a tour moves each square by the same number of steps along the tour, or reverses the tour
about a square or the middle of a move.
"""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.lab.certificates.images import Image, images_of, is_along
from knightstour.lab.certificates.loop_graph import MAX_LISTED
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.record import Allowance, TooLong, Unreadable, Wrong


def check_no_symmetry(question: Question, _: Mapping[str, object], allowance: Allowance) -> str:
    """Return a description of the check; raise Wrong if colours and fixed squares do not exclude the symmetry."""
    if question.symmetry is None:
        raise Unreadable("no symmetry is required")
    if question.rows * question.cols > MAX_LISTED:
        raise TooLong(f"symmetries are checked on boards of up to {MAX_LISTED:,} squares")
    allowance.spend(30 * question.count)
    for image in images_of(question):
        moved = _SymmetryEffect(question, image)
        for along, why_not in ((True, moved.why_not_along), (False, moved.why_not_back)):
            if is_along(question) in (None, along) and why_not() is None:
                effect = "move along a tour" if along else "reverse a tour"
                raise Wrong(f"symmetry: colours and fixed squares do not exclude that it may {effect}")
    return "the colours and the fixed squares of the symmetry"


class _SymmetryEffect:
    """kept: number of fixed squares. changes: whether colours change; None if it depends on the square."""

    def __init__(self, question: Question, image: Image) -> None:
        self.question = question
        self.image = {s: image[s] for s in range(question.rows * question.cols) if question.is_square(s)}
        self.kept = sum(s == there for s, there in self.image.items())
        self.crosses = any(s != there and there in question.reached_from(s) for s, there in self.image.items())
        colours = two_colours(question)
        changed = {colours[s] != colours[there] for s, there in self.image.items()} if colours else set()
        self.changes = changed.pop() if len(changed) == 1 else None

    def why_not_along(self) -> str | None:
        """Return why the symmetry cannot move along a tour, or None."""
        if not self.question.closed:
            return None if self.kept == len(self.image) else "an open tour has a first square"
        lengths = self._orbits()
        if len(lengths) > 1:
            return "some squares return sooner than others"
        (length,) = lengths
        # The steps are a multiple of count / length by a number without common factors with length: odd if length is
        # even.
        is_odd = len(self.image) // length % 2 == 1
        if length % 2 == 0 and self.changes is not None and is_odd != self.changes:
            return "the number of steps and the symmetry differ in whether they change colours"
        return None

    def why_not_back(self) -> str | None:
        """Return why the symmetry cannot reverse a tour, or None."""
        count = len(self.image)
        if count < 3 or any(self.image[there] != s for s, there in self.image.items()):
            return None if count < 3 else "applied twice it is not the identity"
        # A closed tour has two fixed places, an open tour one: squares, or middles of moves.
        places = 2 if self.question.closed else 1
        if self.kept > places or (count - self.kept) % 2:
            return "it has too many fixed squares"
        middles = places - self.kept
        if middles and not self.crosses:
            return "no square is one move from its image"
        if middles and self.changes is False:
            return "it keeps the colours, but a move changes them"
        return None

    def _orbits(self) -> set[int]:
        lengths, seen = set(), set()
        for first in self.image:
            at, length = first, 0
            while at not in seen:
                seen.add(at)
                at, length = self.image[at], length + 1
            if length:
                lengths.add(length)
        return lengths


def two_colours(question: Question) -> dict[int, bool] | None:
    """Return a colour for each square such that every move changes it, or None."""
    colour: dict[int, bool] = {}
    for first in range(question.rows * question.cols):
        if not question.is_square(first) or first in colour:
            continue
        colour[first] = True
        queue = [first]
        for square in queue:
            for other in question.reached_from(square):
                if other not in colour:
                    colour[other] = not colour[square]
                    queue.append(other)
                elif colour[other] == colour[square]:
                    return None
    return colour
