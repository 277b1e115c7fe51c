"""Check that no tour has a symmetry, by colours and fixed squares; docs/certificate-format.md has the argument.

A symmetry that lays a tour on itself leads each square the same number of steps on along the tour, or turns the tour
round about a square or the middle of a move.
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
        moved = _Moved(question, image)
        for along, why_not in ((True, moved.why_not_along), (False, moved.why_not_back)):
            if is_along(question) in (None, along) and why_not() is None:
                way = "lead on along a tour" if along else "turn a tour round"
                raise Wrong(f"symmetry: colours and fixed squares do not exclude that it may {way}")
    return "the colours and the squares that the symmetry keeps"


class _Moved:
    """Effect of a symmetry. kept: number of fixed squares. changes: whether all or no squares change colour; else
    None."""

    def __init__(self, question: Question, image: Image) -> None:
        self.question = question
        self.image = {s: image[s] for s in range(question.rows * question.cols) if question.is_square(s)}
        self.kept = sum(s == there for s, there in self.image.items())
        self.crosses = any(s != there and there in question.reached_from(s) for s, there in self.image.items())
        colours = two_colours(question)
        changed = {colours[s] != colours[there] for s, there in self.image.items()} if colours else set()
        self.changes = changed.pop() if len(changed) == 1 else None

    def why_not_along(self) -> str | None:
        """Return the reason why it cannot rotate a tour along itself, or None."""
        if not self.question.closed:
            return None if self.kept == len(self.image) else "an open tour has nowhere to go on"
        lengths = self._orbits()
        if len(lengths) > 1:
            return "some squares come back sooner than others"
        (length,) = lengths
        # The steps are a multiple of count / length by a number without common factors with length, so an odd one.
        is_odd = len(self.image) // length % 2 == 1
        if length % 2 == 0 and self.changes is not None and is_odd != self.changes:
            return "the steps change the colour, and it does not, or the other way round"
        return None

    def why_not_back(self) -> str | None:
        """Return the reason why it cannot reverse a tour, or None."""
        count = len(self.image)
        if count < 3 or any(self.image[there] != s for s, there in self.image.items()):
            return None if count < 3 else "twice is not back"
        # A closed tour has two places that stay, an open one one: squares, or middles of moves.
        places = 2 if self.question.closed else 1
        if self.kept > places or (count - self.kept) % 2:
            return "it keeps too many squares"
        middles = places - self.kept
        if middles and not self.crosses:
            return "no square is one move from its image"
        if middles and self.changes is False:
            return "it keeps the colours, which a move changes"
        return None

    def _orbits(self) -> set[int]:
        """After how many times squares come back."""
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
    """Colours that every move changes, or None."""
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
