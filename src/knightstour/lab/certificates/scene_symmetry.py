"""The proof that no tour has a symmetry, as a scene: where the symmetry takes squares, and which it keeps."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.core.model.scene import Mark
from knightstour.lab.certificates.images import Image, images_of
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.scene_words import SceneDraft, letter_of, number_of

# Of more squares that belong together the first ones are shown.
_MAX_SHOWN = 4


def symmetry_drawings(question: Question, certificate: Mapping[str, object]) -> list[tuple[str, SceneDraft]]:
    """The rule and the drawing of each symmetry of which a tour must have one."""
    reason = certificate.get("reason")
    words = reason if isinstance(reason, str) else "no tour has this symmetry"
    return [("symmetry", _drawing(question, image, words)) for image in images_of(question)]


def _drawing(question: Question, image: Image, reason: str) -> SceneDraft:
    squares = [square for square in range(question.rows * question.cols) if question.is_square(square)]
    kept = tuple(square for square in squares if image[square] == square)
    orbits = _orbits(image, squares)[:_MAX_SHOWN]
    label = "squares with one letter are laid on each other"
    marks = [Mark("orbit", tuple(each), label, letter_of(k, len(orbits)), k) for k, each in enumerate(orbits)]
    if kept:
        marks.append(Mark("kept", kept, f"{number_of(len(kept), 'square')} that the symmetry keeps"))
    says = (
        "A symmetry that lays a tour on itself leads each square the same number of steps on, or turns the tour round "
        f"about a square or the middle of a move. Here neither can be: {reason}."
    )
    return SceneDraft("Where the symmetry takes squares", says, marks)


def _orbits(image: Image, squares: list[int]) -> list[list[int]]:
    """The squares that are laid on each other, those that are kept left out."""
    found, seen = [], set()
    for first in squares:
        orbit = [first]
        while first not in seen and image[orbit[-1]] != first:
            orbit.append(image[orbit[-1]])
        if len(orbit) > 1:
            found.append(orbit)
        seen.update(orbit)
    return found
