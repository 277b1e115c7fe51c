"""The scenes of a proof: a picture of the board for each step of a certificate (core/model/scene.py).

They are created from the certificate and the loop graph in the same way as the checker works, so they show the proof
that is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import cast

from knightstour.core.formats.boards import BoardRecord, board_from_dict
from knightstour.core.model.errors import FormatError
from knightstour.core.model.scene import Line, Mark, Scene
from knightstour.lab.certificates import record
from knightstour.lab.certificates.images import Image, images_of
from knightstour.lab.certificates.loop_graph import loop_graph, virtual_ends
from knightstour.lab.certificates.question import Move, Question, question_of
from knightstour.lab.certificates.record import Wrong
from knightstour.lab.certificates.scene_arguments import argument_drawings
from knightstour.lab.certificates.scene_words import ReducedProblem, SceneDraft, letter_of, number_of, sentence

# Maximum number of cuts shown.
_MAX_CUTS = 24
# Maximum number of moves out of a set shown.
_MAX_LEAVING = 120
# Maximum number of orbits shown.
_MAX_SHOWN = 4
# Maximum number of allowed steps that are written on a square.
_MAX_WRITTEN = 2
# Maximum number of squares with their order written on them.
_MAX_ORDERED = 150

# Kinds of proof about the loop graph; the others are about the original problem.
_OF_THE_LOOP_GRAPH = ("argument", "search", "layers")

Record = Mapping[str, object]


def scenes_of(certificate: Record) -> tuple[Scene, ...]:
    """Return the scenes of a certificate that no tour exists.

    Raises FormatError if the certificate has another answer, the proof is invalid, or the board has too many moves.
    """
    answer, proof = record.text(certificate, "answer"), record.part(certificate, "proof")
    kind = record.text(proof, "kind")
    draw = _KINDS.get(kind)
    if answer != "impossible" or draw is None:
        raise FormatError(
            f"the answer {answer!r} by {kind!r} has no scenes",
            help="scenes show why no tour exists; use draw(tour) for a tour",
        )
    question = question_of(certificate)
    stage = _stage_of(question, certificate, kind)
    try:
        drawn = [(rule, on_the_board(stage, each)) for rule, each in draw(stage, question, certificate)]
    except Wrong as wrong:
        raise FormatError(f"the certificate is not a valid proof: {wrong}", help="run `check` on it") from None
    drawn = _with_outside(stage, drawn)
    beyond = len(stage.outside) if _shows_outside(stage, drawn) else 0
    ends = [Mark("end", stage.ends, f"given end{'s' if len(stage.ends) > 1 else ''} of the tour")] if stage.ends else []
    conditions = condition_lines(question)
    return tuple(
        Scene(
            stage.board,
            rule,
            each.title,
            each.sentence,
            (*each.marks, *ends),
            (*conditions, *each.lines),
            tuple(each.beats),
            beyond,
        )
        for rule, each in drawn
    )


def _stage_of(question: Question, certificate: Record, kind: str) -> ReducedProblem:
    board = board_from_dict(cast(BoardRecord, record.part(certificate, "board")))
    ends = tuple(square for square in (question.start, question.end) if square is not None)
    if kind not in _OF_THE_LOOP_GRAPH or (question.count == 1 and not question.closed):
        return ReducedProblem(board, question.closed, ends, {}, [])
    size = question.rows * question.cols
    outside = list(range(size, size + virtual_ends(question)))
    return ReducedProblem(board, question.closed, ends, loop_graph(question), outside, middles=middles_of(question))


def _shows_outside(stage: ReducedProblem, drawn: list[tuple[str, SceneDraft]]) -> bool:
    shown = {square for _, each in drawn for mark in each.marks for square in mark.squares}
    shown |= {square for _, each in drawn for line in each.lines for move in line.moves for square in move}
    return not shown.isdisjoint(stage.outside)


def _with_outside(stage: ReducedProblem, drawn: list[tuple[str, SceneDraft]]) -> list[tuple[str, SceneDraft]]:
    """Describe the outside squares in the first scene, if shown."""
    if not _shows_outside(stage, drawn):
        return drawn
    if len(stage.ends) == 1:
        says = (
            f"An open tour from {stage.name(stage.ends[0])} becomes a closed one with two more squares, the first next "
            f"to {stage.name(stage.ends[0])} and the second to all others. "
        )
    else:
        where = " and ".join(map(stage.name, stage.ends)) or "every square"
        says = f"An open tour becomes a closed one with one more square outside the board, next to {where}. "
    rule, first = drawn[0]
    return [(rule, replace(first, sentence=says + first.sentence)), *drawn[1:]]


def _draw_argument(stage: ReducedProblem, _: Question, certificate: Record) -> list[tuple[str, SceneDraft]]:
    return argument_drawings(stage, record.part(certificate, "proof"))


def _draw_search(stage: ReducedProblem, question: Question, certificate: Record) -> list[tuple[str, SceneDraft]]:
    """Return scenes of the cuts and of the proof's length."""
    proof = record.part(certificate, "proof")
    cuts = [record.numbers(cut, '"cuts"') for cut in record.items(proof, "cuts")]
    drawn = [("cut", _draw_cut(stage, cut)) for cut in cuts[:_MAX_CUTS]]
    lines = len(record.text(proof, "drat").splitlines())
    sets = f", and a move out of {'each of these sets' if len(cuts) > 1 else 'this set'}" if cuts else ""
    images = ", and with each move its image under the symmetry" if question.symmetry is not None else ""
    more = f" ({len(cuts) - _MAX_CUTS:,} more sets are not shown)" if len(cuts) > _MAX_CUTS else ""
    return [
        *drawn,
        (
            "search",
            SceneDraft(
                "A solver's proof",
                f"A closed tour takes two moves at every square{sets}{images}{more}. A solver has shown, in "
                f"{number_of(lines, 'line')} that a checker follows, that no choice of moves does all this.",
            ),
        ),
    ]


def _draw_cut(stage: ReducedProblem, cut: list[int]) -> SceneDraft:
    inside = set(cut)
    if not inside <= stage.near.keys():
        raise Wrong("a cut has squares that are not in the graph")
    leaving = sorted((a, b) for a in inside for b in stage.near[a] - inside)
    counted = stage.count_text(inside)
    drawing = SceneDraft(
        "A set to leave",
        f"A tour leaves these {counted}, so it makes one of the {number_of(len(leaving), 'move')} out.",
        [Mark("inside", tuple(sorted(inside)), f"{counted} that a tour leaves")],
    )
    if len(leaving) <= _MAX_LEAVING:
        drawing.lines = [Line("leaving", tuple(leaving), f"{number_of(len(leaving), 'move')} out of them")]
    return drawing


def _draw_layers(stage: ReducedProblem, _: Question, certificate: Record) -> list[tuple[str, SceneDraft]]:
    proof = record.part(certificate, "proof")
    order = record.numbers(proof.get("order"), '"order"')
    layers = record.objects(proof, "layers")
    states = [record.number(layer, "states") for layer in layers]
    drawing = SceneDraft(
        "All choices, square by square",
        "Square by square, in the order of the numbers, all choices of moves are followed: "
        f"{sum(states):,} states, at most {max(states, default=0):,} at once. None becomes a closed tour of all "
        "squares.",
    )
    if len(order) <= _MAX_ORDERED and set(order) <= stage.near.keys():
        label = "the order of the squares"
        drawing.marks = [Mark("order", (square,), label, str(k)) for k, square in enumerate(order, 1)]
    return [("layers", drawing)]


def _draw_theorem(_: ReducedProblem, question: Question, certificate: Record) -> list[tuple[str, SceneDraft]]:
    """Return a scene with the reason as text."""
    reason = certificate.get("reason")
    source = record.text(record.part(certificate, "proof"), "source")
    words = reason if isinstance(reason, str) else "by a theorem"
    if question.given or question.visit_order:
        return [("given", numbers_drawing(question, words))]
    return [("theorem", SceneDraft("A theorem", sentence(f"{words} ({source})")))]


def symmetry_drawings(question: Question, certificate: Mapping[str, object]) -> list[tuple[str, SceneDraft]]:
    """Return the rule and the drawing of each symmetry of which a tour must have one."""
    reason = certificate.get("reason")
    words = reason if isinstance(reason, str) else "no tour has this symmetry"
    return [("symmetry", _drawing(question, image, words)) for image in images_of(question)]


def _drawing(question: Question, image: Image, reason: str) -> SceneDraft:
    squares = [square for square in range(question.rows * question.cols) if question.is_square(square)]
    kept = tuple(square for square in squares if image[square] == square)
    orbits = _orbits(image, squares)[:_MAX_SHOWN]
    label = "squares with the same letter are images of each other"
    marks = [Mark("orbit", tuple(each), label, letter_of(k, len(orbits)), k) for k, each in enumerate(orbits)]
    if kept:
        marks.append(Mark("kept", kept, f"{number_of(len(kept), 'square')} fixed by the symmetry"))
    says = (
        "A symmetry that preserves a tour moves each square by the same number of steps, or reverses the tour "
        f"about a square or the middle of a move. Here neither is possible: {reason}."
    )
    return SceneDraft("Images of the squares", says, marks)


def _orbits(image: Image, squares: list[int]) -> list[list[int]]:
    """Omit fixed squares."""
    found, seen = [], set()
    for first in squares:
        orbit = [first]
        while first not in seen and image[orbit[-1]] != first:
            orbit.append(image[orbit[-1]])
        if len(orbit) > 1:
            found.append(orbit)
        seen.update(orbit)
    return found


def numbers_drawing(question: Question, reason: str) -> SceneDraft:
    """Return the scene of a problem with given numbers or an order of squares. reason: why no tour exists."""
    says = f"A tour numbers the squares from 1 to {question.count:,}; "
    if question.visit_order:
        says += f"the numbers of {number_of(len(question.visit_order), 'square')} rise in this order"
    else:
        verb = "has" if len(question.given) == 1 else "have"
        says += f"{len(question.given)} of them {verb} given numbers"
    title = "The order of squares" if question.visit_order else "The given numbers"
    order = [Mark("given", (square,), "order", str(k)) for k, square in enumerate(question.visit_order, 1)]
    given = [
        Mark("given", (square,), "given numbers", _steps_text(sorted(steps)))
        for square, steps in sorted(question.given.items())
    ]
    return SceneDraft(title, f"{says}; but {reason}.", [*order, *given])


def _steps_text(steps: list[int]) -> str:
    return "/".join(map(str, steps)) if len(steps) <= _MAX_WRITTEN else f"{steps[0]}.."


_KINDS: dict[str, Callable[[ReducedProblem, Question, Record], list[tuple[str, SceneDraft]]]] = {
    "argument": _draw_argument,
    "search": _draw_search,
    "layers": _draw_layers,
    "symmetry": lambda _, *arguments: symmetry_drawings(*arguments),
    "theorem": _draw_theorem,
}


# ---------------------------------------------------------------- required and forbidden moves


def middles_of(question: Question) -> dict[int, Move]:
    """Return the virtual square in the middle of each required move."""
    first = question.rows * question.cols + virtual_ends(question)
    return dict(enumerate(sorted(question.require), first))


def condition_lines(question: Question) -> tuple[Line, ...]:
    """Return the required and the forbidden moves."""
    rows = (("required", question.require, "required moves"), ("forbidden", question.forbid, "forbidden moves"))
    return tuple(Line(role, tuple(sorted(moves)), label) for role, moves, label in rows if moves)


def on_the_board(stage: ReducedProblem, drawing: SceneDraft) -> SceneDraft:
    """Return a drawing without the virtual middles of required moves; their two halves become one move."""
    if not stage.middles:
        return drawing
    seen: set[tuple[int, int, str, int]] = set()
    lines = []
    for line in drawing.lines:
        moves = tuple(_whole_moves(stage, line, seen))
        if moves:
            lines.append(replace(line, moves=moves))
    marks = []
    for mark in drawing.marks:
        squares = tuple(square for square in mark.squares if square not in stage.middles)
        if squares:
            marks.append(_with_squares(mark, squares))
    return replace(drawing, lines=lines, marks=marks)


def _with_squares(mark: Mark, squares: tuple[int, ...]) -> Mark:
    return mark if squares == mark.squares else replace(mark, squares=squares)


def _whole_moves(stage: ReducedProblem, line: Line, seen: set[tuple[int, int, str, int]]) -> Iterator[tuple[int, int]]:
    """Yield the moves of a line; a required move is yielded once per role and beat."""
    for a, b in line.moves:
        one, other = (stage.beyond(b, a), b) if a in stage.middles else (a, stage.beyond(a, b))
        if (a, b) != (one, other):
            key = (min(one, other), max(one, other), line.role, line.beat)
            if key in seen:
                continue
            seen.add(key)
        yield one, other
