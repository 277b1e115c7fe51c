"""The proof that no numbering has the given numbers, as scenes: what is given, what that leaves, a solver's proof.

Where the given numbers alone are the reason, its words stand beside their picture.
"""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.core.model.scene import Mark
from knightstour.lab.certificates import record
from knightstour.lab.certificates.numberings import steps_left
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.scene_words import SceneDraft, Stage, number_of

# Up to this many steps that are left are written on a square.
_MAX_WRITTEN = 2
# On larger boards the steps that are left are not looked at.
_MAX_SQUARES = 150


def numbering_drawings(
    stage: Stage, question: Question, certificate: Mapping[str, object]
) -> list[tuple[str, SceneDraft]]:
    """The rule and the drawing of each scene."""
    is_reason = str(certificate.get("source")).startswith("given numbers")
    drawn = [("given", _given(question, f"; but {certificate['reason']}" if is_reason else ""))]
    if question.count <= _MAX_SQUARES:
        left = steps_left(question)
        drawn.append(("left", _left(stage, question, left)))
        if not all(left.values()):
            return drawn
    lines = len(record.text(record.part(certificate, "proof"), "drat").splitlines())
    order = ", the squares of the order come in it" if question.visit_order else ""
    says = (
        f"Each square has one of the steps that are left for it{order}, each step one square, and successive steps are "
        f"a move apart. A solver has shown, in {number_of(lines, 'line')} that a checker follows, that nothing does "
        "all this."
    )
    return [*drawn, ("search", SceneDraft("A solver's proof", says, _given_marks(question)))]


def _given_marks(question: Question) -> list[Mark]:
    order = [Mark("given", (square,), "order", str(k)) for k, square in enumerate(question.visit_order, 1)]
    return order + [
        Mark("given", (square,), "given numbers", _written(sorted(steps)))
        for square, steps in sorted(question.given.items())
    ]


def _written(steps: list[int]) -> str:
    return "/".join(map(str, steps)) if len(steps) <= _MAX_WRITTEN else f"{steps[0]}.."


def _given(question: Question, but: str = "") -> SceneDraft:
    count = number_of(len(question.given), "square")
    verb = "has" if len(question.given) == 1 else "have"
    says = f"A tour numbers the squares from 1 to {question.count:,}; {count} of them {verb} given numbers{but}."
    if question.visit_order:
        order = number_of(len(question.visit_order), "square")
        says = (
            f"A tour numbers the squares from 1 to {question.count:,}; the numbers of {order} rise in this order{but}."
        )
        return SceneDraft("The order of squares", says, _given_marks(question))
    return SceneDraft("The given numbers", says, _given_marks(question))


def _left(stage: Stage, question: Question, left: Mapping[int, int]) -> SceneDraft:
    """The squares with one or two steps left, or with none."""
    none = tuple(square for square, bits in left.items() if not bits)
    if none:
        return SceneDraft(
            "No number is left",
            f"Successive numbers are a move apart. That leaves no number for {stage.names(none)}.",
            [*_given_marks(question), Mark("starved", none, "squares for which no number is left")],
        )
    marks = []
    for square, bits in sorted(left.items()):
        steps = [step for step in range(1, question.count + 1) if bits >> step - 1 & 1]
        if square not in question.given and len(steps) <= _MAX_WRITTEN:
            label = f"squares with {_MAX_WRITTEN} numbers left, or one"
            marks.append(Mark("order", (square,), label, _written(steps)))
    says = (
        "Successive numbers are a move apart, so a square keeps only numbers whose neighbours can be beside it. "
        f"{number_of(len(marks), 'square')} without a given number {'has' if len(marks) == 1 else 'have'} at most "
        f"{_MAX_WRITTEN} left."
    )
    return SceneDraft("The numbers that are left", says, [*_given_marks(question), *marks])
