"""Given numbers, or an order of squares, that no tour has, as a scene: they stand on their squares beside why."""

from __future__ import annotations

from knightstour.core.model.scene import Mark
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.scene_words import SceneDraft, number_of

# Up to this many steps that a square may have are written on it.
_MAX_WRITTEN = 2


def numbers_drawing(question: Question, reason: str) -> SceneDraft:
    """The scene of a question with given numbers or an order of squares. reason: why no tour has them."""
    says = f"A tour numbers the squares from 1 to {question.count:,}; "
    if question.visit_order:
        says += f"the numbers of {number_of(len(question.visit_order), 'square')} rise in this order"
    else:
        verb = "has" if len(question.given) == 1 else "have"
        says += f"{len(question.given)} of them {verb} given numbers"
    title = "The order of squares" if question.visit_order else "The given numbers"
    order = [Mark("given", (square,), "order", str(k)) for k, square in enumerate(question.visit_order, 1)]
    given = [
        Mark("given", (square,), "given numbers", _written(sorted(steps)))
        for square, steps in sorted(question.given.items())
    ]
    return SceneDraft(title, f"{says}; but {reason}.", [*order, *given])


def _written(steps: list[int]) -> str:
    return "/".join(map(str, steps)) if len(steps) <= _MAX_WRITTEN else f"{steps[0]}.."
