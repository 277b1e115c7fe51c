"""The proof that no numbering has the given numbers, as scenes: what is given, what that leaves, a solver's proof.

Two given numbers that the knight cannot join in the steps between them are a reason that can be seen; it is looked for
here, with plain distances on the board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import pairwise

from knightstour.core.model.scene import Mark
from knightstour.lab.certificates import record
from knightstour.lab.certificates.check_symmetry import two_colours
from knightstour.lab.certificates.numberings import steps_left
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.scene_words import Drawing, Stage, number_of

# Up to this many steps that are left are written on a square.
_MAX_WRITTEN = 2
# On larger boards the steps that are left are not looked at.
_MAX_SQUARES = 150


def numbering_drawings(stage: Stage, question: Question, proof: Mapping[str, object]) -> list[tuple[str, Drawing]]:
    """The rule and the drawing of each scene."""
    drawn = [("given", _given(stage, question))]
    apart = _wrong_colours(stage, question) or _too_far(stage, question)
    if apart is not None:
        return [*drawn, ("apart", apart)]
    if question.count <= _MAX_SQUARES:
        left = steps_left(question)
        drawn.append(("left", _left(stage, question, left)))
        if not all(left.values()):
            return drawn
    lines = len(record.text(proof, "drat").splitlines())
    says = (
        "Each square has one of the steps that are left for it, each step one square, and successive steps are a move "
        f"apart. A solver has shown, in {number_of(lines, 'line')} that a checker follows, that nothing does all this."
    )
    return [*drawn, ("search", Drawing("A solver's proof", says, _given_marks(question)))]


def _given_marks(question: Question) -> list[Mark]:
    order = [Mark("given", (square,), "order", str(k)) for k, square in enumerate(question.visit_order, 1)]
    return order + [
        Mark("given", (square,), "given numbers", _written(sorted(steps)))
        for square, steps in sorted(question.given.items())
    ]


def _written(steps: list[int]) -> str:
    return "/".join(map(str, steps)) if len(steps) <= _MAX_WRITTEN else f"{steps[0]}.."


def _given(stage: Stage, question: Question) -> Drawing:
    count = number_of(len(question.given), "square")
    verb = "has" if len(question.given) == 1 else "have"
    says = f"A tour numbers the squares from 1 to {question.count:,}; {count} of them {verb} given numbers."
    if question.visit_order:
        order = number_of(len(question.visit_order), "square")
        says = f"A tour numbers the squares from 1 to {question.count:,}; the numbers of {order} rise in this order."
        return Drawing("The order of squares", says, _given_marks(question))
    return Drawing("The given numbers", says, _given_marks(question))


def _known(question: Question) -> list[tuple[int, int]]:
    """The squares of which a single number is given, each with it, by rising number."""
    known = {square: next(iter(steps)) for square, steps in question.given.items() if len(steps) == 1}
    known |= {s: step for s, step in ((question.start, 1), (question.end, question.count)) if s is not None}
    return sorted(known.items(), key=lambda pair: pair[1])


def _wrong_colours(stage: Stage, question: Question) -> Drawing | None:
    """Two given numbers whose squares do not have the colours that the numbers ask for; None where there are none."""
    colours = two_colours(question)
    if colours is None:
        return None
    for (a, first), (b, second) in pairwise(_known(question)):
        is_odd = (second - first) % 2 == 1
        if is_odd != (colours[a] != colours[b]):
            says = (
                f"Every move changes the colour, and from {first} on {stage.name(a)} to {second} on {stage.name(b)} "
                f"{_moves_in_the_tour(second - first)}; but the two squares have "
                f"{'one colour' if is_odd else 'different colours'}."
            )
            return Drawing("Wrong colours", says, [*_given_marks(question), Mark("clash", (a, b), "wrong colours")])
    return None


def _moves_in_the_tour(steps: int) -> str:
    return f"there {'is' if steps == 1 else 'are'} {number_of(steps, 'move')} in the tour"


def _too_far(stage: Stage, question: Question) -> Drawing | None:
    """Two successive given numbers with fewer moves between them than the way on the board; None where none are."""
    for (a, first), (b, second) in pairwise(_known(question)):
        steps = second - first
        way = _distance(question, a, b)
        if steps < 1 or (way is not None and way <= steps):
            continue
        far = "no way leads there" if way is None else f"{number_of(way, 'move')} on the board"
        says = f"From {first} on {stage.name(a)} to {second} on {stage.name(b)} {_moves_in_the_tour(steps)}, but {far}."
        return Drawing("Too far apart", says, [*_given_marks(question), Mark("clash", (a, b), "too far apart")])
    return None


def _distance(question: Question, start: int, goal: int) -> int | None:
    """The fewest moves from one square to another."""
    moves = {start: 0}
    queue = deque([start])
    while queue:
        square = queue.popleft()
        if square == goal:
            return moves[square]
        for other in question.reached_from(square):
            if other not in moves and (min(square, other), max(square, other)) not in question.avoid:
                moves[other] = moves[square] + 1
                queue.append(other)
    return None


def _left(stage: Stage, question: Question, left: Mapping[int, int]) -> Drawing:
    """The squares with one or two steps left, or with none."""
    none = tuple(square for square, bits in left.items() if not bits)
    if none:
        return Drawing(
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
    return Drawing("The numbers that are left", says, [*_given_marks(question), *marks])
