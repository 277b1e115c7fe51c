"""What a scene shows of the conditions of a question: required and forbidden moves, as lines on every scene.

In the loop graph a required move is halved by a virtual square. On the board its halves are the one move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from knightstour.core.model.scene import Line, Mark
from knightstour.lab.certificates.loop_graph import virtual_ends
from knightstour.lab.certificates.question import Move, Question
from knightstour.lab.certificates.scene_words import SceneDraft, Stage


def middles_of(question: Question) -> dict[int, Move]:
    """The virtual square in the middle of each required move."""
    first = question.rows * question.cols + virtual_ends(question)
    return dict(enumerate(sorted(question.through), first))


def condition_lines(question: Question) -> tuple[Line, ...]:
    """The required and the forbidden moves."""
    rows = (
        ("required", question.through, "required moves"),
        ("forbidden", question.avoid, "forbidden moves"),
    )
    return tuple(Line(role, tuple(sorted(moves)), label) for role, moves, label in rows if moves)


def on_the_board(stage: Stage, drawing: SceneDraft) -> SceneDraft:
    """A drawing of the loop graph without the middles of required moves: a half of such a move is the whole one."""
    if not stage.middles:
        return drawing
    seen: set[tuple[int, int, str, int]] = set()
    lines = []
    for line in drawing.lines:
        moves = tuple(_whole(stage, line, seen))
        if moves:
            lines.append(replace(line, moves=moves))
    marks = []
    for mark in drawing.marks:
        squares = tuple(square for square in mark.squares if square not in stage.middles)
        if squares:
            marks.append(_with(mark, squares))
    return replace(drawing, lines=lines, marks=marks)


def _with(mark: Mark, squares: tuple[int, ...]) -> Mark:
    return mark if squares == mark.squares else replace(mark, squares=squares)


def _whole(stage: Stage, line: Line, seen: set[tuple[int, int, str, int]]) -> Iterator[tuple[int, int]]:
    """The moves of a line, those over the middle of a required move once for the role and beat."""
    for a, b in line.moves:
        one, other = (stage.beyond(b, a), b) if a in stage.middles else (a, stage.beyond(a, b))
        if (a, b) != (one, other):
            key = (min(one, other), max(one, other), line.role, line.beat)
            if key in seen:
                continue
            seen.add(key)
        yield one, other
