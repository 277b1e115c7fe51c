"""A scene of a proof as text: the board with a sign on each marked square, the legend, and the sentences.

The text is next to the board if there is space, else below it. A square with forced moves has the number of its link.
"""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from knightstour.core.drawing.themes import THEMES, ink_on, rgb_of
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.names import square_name
from knightstour.core.model.scene import Mark, Scene

# Width of the text next to the board, in characters.
_LEAST_WORDS, _MAX_WORDS = 44, 76
# Limit on the listed moves.
_MAX_MOVES = 8

# Sign, sign in ASCII, and index of the loop colour of each role; -1 for a warning.
_SIGNS: dict[str, tuple[str, str, int]] = {
    "removed": ("×", "x", 7),
    "single": ("●", "o", 0),
    "colour": ("●", "o", 0),
    "needs": ("+", "+", 1),
    "gives": ("-", "-", 0),
    "starved": ("!", "!", -1),
    "clash": ("!", "!", -1),
    "way": ("◇", "w", 3),
    "shared": ("◆", "s", -1),
    "inside": ("●", "o", 0),
    "kept": ("◆", "s", -1),
}
_SECOND = ("○", "-", 1)
_PLAIN = "·"


class _Cell(NamedTuple):
    """The text on a square. colour: index of a loop colour, -1 for a warning, or None."""

    text: str
    colour: int | None = None


class _Row(NamedTuple):
    text: str
    width: int


def scene_text(scene: Scene, width: int, height: int | None, is_ascii: bool, has_color: bool) -> str:
    """Return the text of a scene. A board that is too wide is omitted."""
    has_board = isinstance(scene.board, GridBoard) and bool(scene.marks or scene.lines)
    board = _board(scene, is_ascii, has_color) if has_board else []
    wide = max((row.width for row in board), default=0)
    if wide > width:
        omitted = textwrap.wrap(f"(the board is omitted: it needs {wide} characters per line)", width)
        board, wide = [_Row(line, len(line)) for line in omitted], width
    beside = width - wide - 3
    if board and beside >= _LEAST_WORDS:
        words = _words(scene, min(beside, _MAX_WORDS), is_ascii, has_color)
        rows = []
        for k in range(max(len(board), len(words))):
            row = board[k] if k < len(board) else _Row("", 0)
            word = words[k] if k < len(words) else ""
            rows.append(row.text + " " * (wide + 3 - row.width) + word if word else row.text)
    else:
        rows = [row.text for row in board] + ([""] if board else [])
        rows += _words(scene, min(width, _MAX_WORDS), is_ascii, has_color)
    if height is not None and len(rows) > height:
        rows = [*rows[: height - 1], "(cut)"]
    text = "\n".join(row.rstrip() for row in rows)
    return text if not is_ascii else text.replace(_PLAIN, ".")


# ---------------------------------------------------------------- the board


def _sign(mark: Mark, is_ascii: bool) -> _Cell:
    if mark.role in ("piece", "orbit"):
        return _Cell(mark.text, mark.group)
    if mark.role in ("weight", "order", "given"):
        return _Cell(mark.text, mark.group if mark.role == "weight" else None)
    fine, plain, colour = _SECOND if mark.role == "colour" and mark.group else _SIGNS[mark.role]
    return _Cell((plain if is_ascii else fine) + (mark.text if mark.role == "starved" else ""), colour)


def _cells(scene: Scene, is_ascii: bool) -> dict[int, _Cell]:
    """Return the text by square. Later marks cover earlier marks."""
    found: dict[int, _Cell] = {}
    for line in scene.lines:
        if line.role in ("forced", "clash"):
            found[line.moves[0][0]] = _Cell(str(line.beat), -1 if line.role == "clash" else 7)
    for mark in scene.marks:
        if mark.role != "end":
            sign = _sign(mark, is_ascii)
            # The number of a link is more useful than the mark of a loop.
            found |= {s: sign for s in mark.squares if mark.role != "clash" or s not in found}
    return found


def _board(scene: Scene, is_ascii: bool, has_color: bool) -> list[_Row]:
    board = scene.board
    cells, holes = _cells(scene, is_ascii), {r * board.cols + c for r, c in board.holes}
    ends = {square for mark in scene.marks if mark.role == "end" for square in mark.squares}
    size = max((len(cell.text) for cell in cells.values()), default=1)
    margin = len(str(board.rows))
    outside = dict(zip(_outside_rows(scene), range(scene.squares, scene.squares + scene.outside), strict=False))
    rows = []
    for r in range(board.rows):
        parts, seen = [f"{board.rows - r:>{margin}} "], margin + 1
        for square in range(r * board.cols, (r + 1) * board.cols):
            text = ("#" if is_ascii else "▒") * size if square in holes else _PLAIN
            parts.append(_field(cells.get(square, _Cell(text)), size, square in ends, has_color))
            seen += size + 2
        if r in outside:
            cell = _field(cells.get(outside[r], _Cell(_PLAIN)), size, False, has_color)
            name = "outside" if scene.outside == 1 else scene.name(outside[r])
            parts.append(f"  {cell} {name}")
            seen += size + 5 + len(name)
        rows.append(_Row("".join(parts), seen))
    names = [square_name((0, c), 1)[:-1] for c in range(board.cols)]
    fits = [name if len(name) <= size + 1 else "" for name in names]
    foot = (" " * (margin + 1) + "".join(f"{name:^{size + 2}}" for name in fits)).rstrip()
    return [*rows, _Row(foot, len(foot))]


def _outside_rows(scene: Scene) -> list[int]:
    middle = scene.board.rows // 2
    return [middle - 1, middle] if scene.outside == 2 and middle else [middle]


def _field(cell: _Cell, size: int, is_end: bool, has_color: bool) -> str:
    """Return a cell with its margins, or with brackets at a given end."""
    left, right = ("[", "]") if is_end else (" ", " ")
    text = f"{left}{cell.text:^{size}}{right}"
    return _paint(text, cell.colour) if has_color else text


def _paint(text: str, colour: int | None) -> str:
    if colour is None:
        return text
    theme = THEMES["dark"]
    ground = theme.start if colour < 0 else theme.loops[colour % len(theme.loops)]
    ink, back = (";".join(map(str, rgb_of(each))) for each in (ink_on(ground), ground))
    return f"\x1b[38;2;{ink};48;2;{back}m{text}\x1b[0m"


# ---------------------------------------------------------------- text


def _words(scene: Scene, width: int, is_ascii: bool, has_color: bool) -> list[str]:
    rows = [scene.title, *textwrap.wrap(scene.sentence, width), ""]
    for beat, sentence in enumerate(scene.beats, 1):
        number = f"{beat:>{len(str(len(scene.beats)))}}. "
        rows += textwrap.wrap(sentence, width, initial_indent=number, subsequent_indent=" " * len(number))
    rows += [""] if scene.beats else []
    firsts: dict[str, Mark] = {}
    for mark in scene.marks:
        firsts.setdefault(mark.label, mark)
    for label, mark in firsts.items():
        cell = _Cell("[ ]") if mark.role == "end" else _sign(mark, is_ascii)
        sign = _paint(cell.text, cell.colour) if has_color else cell.text
        names = _names_of(scene, label) if isinstance(scene.board, GraphBoard) else ""
        lines = textwrap.wrap(f"{'#' * len(cell.text)}  {label}{names}", width, subsequent_indent=" " * 3)
        rows += [lines[0].replace("#" * len(cell.text), sign, 1), *lines[1:]]
    for role in ("required", "forbidden", "out", "leaving"):
        moves = [move for line in scene.lines if line.role == role for move in line.moves]
        if moves and (not scene.beats or role in ("required", "forbidden")):
            label = next(line.label for line in scene.lines if line.role == role)
            shown = ", ".join(f"{scene.name(a)}-{scene.name(b)}" for a, b in moves[:_MAX_MOVES])
            more = f" and {len(moves) - _MAX_MOVES} more" if len(moves) > _MAX_MOVES else ""
            rows += textwrap.wrap(f"{label}: {shown}{more}", width, subsequent_indent=" " * 3)
    return rows[:-1] if rows[-1] == "" else rows


def _names_of(scene: Scene, label: str) -> str:
    """Return the squares with this label; for pieces, each separately."""
    marks = [mark for mark in scene.marks if mark.label == label]
    each = [
        (f"{mark.text}: " if mark.text else "") + ", ".join(scene.name(square) for square in mark.squares)
        for mark in marks
    ]
    return f": {'; '.join(each)}"
