"""Images of squares under a symmetry, in plain Python, and invariance of a tour.

A symmetry is one of the eight rotations and reflections of a board, followed on joined sides by an optional
translation: "180", "vertical", "shift (0, 3)", "90 + shift (1, 2)". Kinds of symmetric closed tours also have names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.record import Unreadable, Wrong

# Whether rows and columns are exchanged (first), rows are reversed, and columns are reversed.
_TURNS = {
    "identity": (False, False, False),
    "180": (False, True, True),
    "vertical": (False, False, True),
    "horizontal": (False, True, False),
    "90": (True, False, True),
    "270": (True, True, False),
    "diagonal": (True, False, False),
    "antidiagonal": (True, True, True),
}
# The symmetries of a kind, of which a tour has exactly one (for a quarter turn: with its powers), and whether they move
# along the tour instead of reversing it.
_KINDS = {
    "Eulerian": (("180",), True),
    "Bergholtian": (("180",), False),
    "birotary": (("90",), True),
    "Sulian": (("vertical", "horizontal"), True),
    "Murraian": (("vertical", "horizontal"), False),
}
_NAME = re.compile(r"(?!$)(?:([a-z0-9]+)(?: \+ (?=s)|$))?(?:shift \((\d{1,10}), (\d{1,10})\))?")

# Image of each square of the board.
Image = Sequence[int]


def images_of(question: Question) -> list[Image]:
    """Return the symmetries of which a tour must have one; empty if no symmetry is required."""
    if question.symmetry is None:
        return []
    if question.cells is not None:
        return [question.cells.image(question.symmetry)]
    if question.near is not None:
        raise Unreadable("rotations and reflections are not defined on a graph")
    if question.symmetry not in _KINDS:
        return [_image(question, question.symmetry)]
    names = [name for name in _KINDS[question.symmetry][0] if _may_turn(question, name)]
    if question.wrap is not None or not question.closed or not names:
        raise Unreadable(f"{question.symmetry} tours are closed tours of plain boards with such a symmetry")
    return [_image(question, name) for name in names]


def is_along(question: Question) -> bool | None:
    """Whether the required symmetry moves along the tour instead of reversing it; None if both are allowed."""
    return _KINDS[question.symmetry][1] if question.symmetry in _KINDS else None


def check_symmetry(question: Question, squares: Sequence[int]) -> None:
    """Raise Wrong if a tour does not have the required symmetry."""
    if question.symmetry is None:
        return
    images = images_of(question)
    if question.cells is not None or question.symmetry not in _KINDS:
        if _direction(question, squares, images[0]) is None:
            raise Wrong(f"squares: the tour does not have the symmetry {question.symmetry}")
        return
    names, is_along = _KINDS[question.symmetry]
    had = {}
    for name in _TURNS.keys() - {"identity"}:
        if _may_turn(question, name):
            direction = _direction(question, squares, _image(question, name))
            if direction is not None:
                had[name] = direction
    wanted = [{"90", "180", "270"}] if names == ("90",) else [{name} for name in names]
    if had.keys() not in wanted or not all(direction is is_along for direction in had.values()):
        raise Wrong(f"squares: the tour is not {question.symmetry}")


def _may_turn(question: Question, name: str) -> bool:
    try:
        _image(question, name)
    except Unreadable:
        return False
    return True


def _image(question: Question, name: str) -> Image:
    """Raises Unreadable if the board does not have the symmetry."""
    match = _NAME.fullmatch(name)
    turn = match and _TURNS.get(match[1] or "identity")
    if not match or turn is None:
        raise Unreadable(f"unknown symmetry: {name[:60]!r}")
    transposes, flips_rows, flips_cols = turn
    down, right = (int(shift or 0) for shift in match.groups()[1:])
    rows, cols, wrap = question.rows, question.cols, question.wrap
    is_off = transposes and (rows != cols or wrap not in (None, "torus"))
    is_off |= (right > 0 and wrap is None) or (down > 0 and wrap not in ("torus", "klein"))
    image = []
    for square in range(0 if is_off else rows * cols):
        r, c = divmod(square, cols)
        if transposes:
            r, c = c, r
        r = (rows - 1 - r if flips_rows else r) + down
        laps, c = divmod((cols - 1 - c if flips_cols else c) + right, cols)
        r %= rows
        if laps % 2 and wrap in ("mobius", "klein"):
            r = rows - 1 - r
        image.append(r * cols + c)
    if is_off or any(not question.is_square(image[square]) for square in image if question.is_square(square)):
        raise Unreadable(f"the board does not have the symmetry {name[:60]!r}")
    return image


def _direction(question: Question, squares: Sequence[int], image: Image) -> bool | None:
    """Whether the symmetry moves along the tour; None if the image is another tour."""
    step_of = {square: step for step, square in enumerate(squares)}
    steps = [step_of[image[square]] for square in squares]
    if question.closed:
        gaps = {(b - a) % len(steps) for a, b in zip(steps, [*steps[1:], steps[0]], strict=True)}
        along, back = 1, len(steps) - 1
    else:
        gaps = {b - a for a, b in zip(steps, steps[1:], strict=False)}
        along, back = 1, -1
    return True if gaps == {along} else False if gaps == {back} else None
