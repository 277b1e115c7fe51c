"""Drawings of boards: one sign for squares and another for holes.

`.` is a square and `#` a hole. Other unambiguous drawings are supported: `.`, `o` and `O` are squares next to X, x, *,
-, _ and blanks; spaces or bars between the squares are ignored. Two signs that each could be the hole, such as 0 and 1,
require `holes_are`.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from knightstour.core.model.errors import BoardError, path_text, with_notes
from knightstour.core.model.names import square_name
from knightstour.core.model.validation import quoted, wrong_type

if TYPE_CHECKING:
    from PIL.Image import Image

Drawing: TypeAlias = "str | Sequence[str] | Sequence[Sequence[object]] | np.ndarray"
HolesAre: TypeAlias = "str | int | bool | None"
# An image: a name of a file, its bytes, a picture of Pillow, or an array of booleans, or of grey from 0 to 255.
ImageLike: TypeAlias = "str | os.PathLike[str] | bytes | Image | np.ndarray"

_BLANK = " "
_SQUARES = "oO\u25a1\u2610"
_HOLES = "#Xx*-_\u2588\u25a0\u2612"
# Signs that may be squares or holes.
_EITHER = "01"
SIGNS = "." + _SQUARES + _HOLES + _EITHER
# Marks of ends, which are not part of a board, and the option for each.
_ENDS = {"S": "start", "E": "end"}
_SIZE = re.compile(r"\s*(\d{1,6})(?:\s*[x\u00d7,]\s*|\s+)(\d{1,6})\s*")
_RULE = re.compile(r"[+|]?[-=+|\s]*$")
_NAMES = {_BLANK: "a blank"}
# Rows in brackets or braces, as programs print a list of lists or an array: the text before them, and a row.
_BEFORE_ROWS = re.compile(r"(?:[\w\s<>:\[\]]*=)?\s*(?:(?:np\.|numpy\.)?array\s*\()?\s*(?=[\[({])")
_ROW = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_MAX_BRACKETS = 4_000_000
_WORDS = {"true": "1", "false": "0"}
_HELP = "draw it with '.' for a square and '#' for a hole"


class ParsedDrawing(NamedTuple):
    """A drawing that was read: its size, its holes, and how it was read.

    hole_sign: the sign of a hole. signs: all signs, if none was given as the sign of a hole.
    """

    rows: int
    cols: int
    holes: list[tuple[int, int]]
    remarks: list[str]
    hole_sign: str
    signs: str = ""

    def ambiguous_signs(self, remark: str) -> BoardError:
        """The error that the holes of the drawing may be its squares. remark: the reason."""
        used = sorted(self.signs)
        return BoardError(_WHICH.format(_list_signs(used)), note=remark, help=_which_help(used))


def text_in(path: str, most: int) -> str:
    """Return the text in a file of at most `most` bytes; raise BoardError if it is longer, or not text."""
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BoardError(f"{path_text(path)} is not a text file", help="draw the board with '.' and '#'") from error
    if len(data) > most:
        raise BoardError(f"{path_text(path)} is over {most:,} characters long")
    return text


def looks_drawn(text: str) -> bool:
    """Whether a text may be the drawing of a board and not a list of names.

    >>> looks_drawn(". x .\\n. . ."), looks_drawn("0110\\n1001"), looks_drawn("a b\\nb c")
    (True, True, False)
    """
    if (rows := _rows_in_brackets(text)) is not None:
        # Pairs are edges, and a symmetric matrix without loops is a graph.
        width = len(rows[0])
        is_square = len(rows) == width
        may_be_graph = is_square and [*map(list, zip(*rows, strict=True))] == rows and _has_zeros_across(rows)
        return width > 2 and not may_be_graph
    lines = [line for line in text.splitlines() if line.strip()]
    if _size_above(lines):
        del lines[0]
    if is_matrix_of_signs(lines):
        return False
    signs = set("".join(lines)) - (set(_ENDS) if "." in text else set())
    if not lines or signs - set(SIGNS + "| +=\t"):
        return False
    used = set("".join(lines)) - set(" \t")
    if used <= set(_EITHER):
        widths = {len("".join(line.split())) for line in lines}
        # Two numbers a line are an edge, one is a node.
        return len(widths) == 1 and not widths & {1} and not all(len(line.split()) == 2 for line in lines)
    return True


def is_matrix_of_signs(lines: Sequence[str]) -> bool:
    """Whether lines are the matrix of a tournament: '.' on the diagonal, '+' and '-' elsewhere.

    >>> is_matrix_of_signs([".+-", "-.+", "+-."]), is_matrix_of_signs(["+-+", "|.|", "+-+"])
    (True, False)
    """
    rows = [line.strip() for line in lines]
    return len(rows) > 1 and all(
        len(row) == len(rows) and row[k] == "." and set(row[:k] + row[k + 1 :]) <= set("+-")
        for k, row in enumerate(rows)
    )


def read_drawing(drawing: Drawing, holes_are: HolesAre = None) -> ParsedDrawing:
    """Return the contents of a drawing; raise BoardError if it is invalid or ambiguous.

    Args:
        holes_are: The sign of a hole, if it is ambiguous.

    >>> read_drawing(". X\\n. .").holes, read_drawing(["110", "111"], holes_are=0).holes
    ([(0, 1)], [(0, 2)])
    """
    hole = sign_of(holes_are)
    if isinstance(drawing, np.ndarray):
        return _of_array(drawing, hole)
    if isinstance(drawing, list | tuple) and drawing and all(isinstance(row, list | tuple) for row in drawing):
        return _of_lists([list(row) for row in drawing], hole)
    if isinstance(drawing, list | tuple) and drawing and all(isinstance(row, str) for row in drawing):
        drawing = "\n".join(drawing)
    if not isinstance(drawing, str):
        message, help = f"not a drawing of a board: {quoted(drawing)}", "pass a text of '.' and '#'"
        if isinstance(drawing, list | tuple):
            raise BoardError(message, help=help)
        raise with_notes(TypeError(message), help=help)
    if (rows := _rows_in_brackets(drawing)) is not None:
        has_words = any(word in drawing.lower() for word in _WORDS)
        return _of_signs(rows, hole or ("0" if has_words else None), ["the rows of the drawing are in brackets"])
    lines = drawing.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise BoardError("the board drawing is empty", help=_HELP)
    if size := _size_above(lines):
        drawn = read_drawing("\n".join(lines[1:]), holes_are)
        if (drawn.rows, drawn.cols) != (int(size[1]), int(size[2])):
            raise BoardError(
                f"the size above the drawing is {size[1]} x {size[2]}, and the drawing has {drawn.rows} rows and "
                f"{drawn.cols} columns",
                help="omit or correct the size",
            )
        return drawn._replace(remarks=["the size above the drawing is left out", *drawn.remarks])
    if hole is None and not set("".join(lines)) - set(".# ") and all(not line[:1].isspace() for line in lines):
        stripped = [line.rstrip() for line in lines]
        if not any(_BLANK in line for line in stripped):
            return _of_cells([list(line) for line in stripped], "#", [])
    if not lines[0].strip():
        raise BoardError("the board drawing starts with an empty line", help="omit it")
    cells, remarks = _cells(lines)
    return _of_signs(cells, hole, remarks)


def _size_above(lines: list[str]) -> re.Match[str] | None:
    """Return the match of a size in the first line, unless its signs are digits."""
    return None if len(lines) < 2 or re.search(r"\d", "".join(lines[1:])) else _SIZE.fullmatch(lines[0])


def sign_of(holes_are: HolesAre) -> str | None:
    """Return the sign of a hole as a character, or None.

    >>> sign_of(0), sign_of(True), sign_of("x"), sign_of(None)
    ('0', '1', 'x', None)
    """
    if holes_are is None:
        return None
    sign = str(int(holes_are)) if isinstance(holes_are, bool | int | np.bool_ | np.integer) else holes_are
    if not isinstance(sign, str):
        raise wrong_type("holes_are", "a sign of a drawing", sign)
    if len(sign) != 1:
        raise BoardError(f"holes_are: not one sign of a drawing: {quoted(holes_are)}", help="pass 0, 1 or another sign")
    return sign


def _of_array(array: np.ndarray, hole: str | None) -> ParsedDrawing:
    """Read an array of booleans (True is a square), of 0 and 1, or of signs."""
    if array.ndim != 2 or not array.size:
        raise BoardError(f"a drawing must have rows and columns, but this array has the shape {array.shape}")
    if array.dtype.kind == "U":
        return _of_signs([[str(sign) for sign in row] for row in array.tolist()], hole, [])
    if array.dtype.kind not in "biu" or bool(((array != 0) & (array != 1)).any()):
        raise BoardError("the array of a drawing holds booleans, or 0 and 1", help="Board.from_graph takes matrices")
    if array.dtype.kind == "b" and hole is None:
        hole = "0"
    return _of_signs([["01"[int(x)] for x in row] for row in array.tolist()], hole, [])


def _of_lists(rows: list[list[object]], hole: str | None) -> ParsedDrawing:
    """As `_of_array`, for lists."""
    cells = [[_sign_in(item) for item in row] for row in rows]
    if not all(isinstance(item, str) for item in itertools.chain(*rows)) and not _are_bits(cells):
        raise BoardError(
            f"not a drawing of a board: {quoted(rows)}",
            help="rows hold booleans, 0 and 1, or signs; a graph or matrix is for Board.from_graph",
        )
    are_booleans = all(isinstance(item, bool | np.bool_) for item in itertools.chain(*rows))
    return _of_signs(cells, "0" if hole is None and are_booleans else hole, [])


def _sign_in(item: object) -> str:
    is_number = isinstance(item, bool | int | np.bool_ | np.integer)
    return str(int(item)) if is_number else str(item)  # type: ignore[call-overload]


def _are_bits(cells: list[list[str]]) -> bool:
    return all(sign in _EITHER for sign in itertools.chain(*cells))


def _rows_in_brackets(text: str) -> list[list[str]] | None:
    """Return the signs of a text like "[[0, 1], [1, 1]]" with equal rows, else None."""
    begin = _BEFORE_ROWS.match(text) if len(text) <= _MAX_BRACKETS else None
    inside = text[begin.end() :].rstrip(" \n\r\t;)") if begin else ""
    if not begin or inside[-1:] not in ("]", "}") or _ROW.sub("", inside[1:-1]).strip(", \n\r\t"):
        return None
    rows = [
        [_WORDS.get(sign.lower(), sign.strip("'\"")) for sign in re.split(r"[\s,]+", row.strip(" ,\n\r\t"))]
        for row in _ROW.findall(inside[1:-1])
    ]
    is_even = len({len(row) for row in rows}) == 1
    return rows if is_even and all(len(sign) == 1 and sign in SIGNS for sign in itertools.chain(*rows)) else None


def _has_zeros_across(rows: list[list[str]]) -> bool:
    return all(row[k] == "0" for k, row in enumerate(rows))


# ---------------------------------------------------------------- signs in rows


def _cells(lines: list[str]) -> tuple[list[list[str]], list[str]]:
    """Return the signs of each row, and remarks on ignored text."""
    lines = [line.expandtabs(1) for line in lines]
    if any("|" in line for line in lines):
        return _strip_frame(lines)
    words = [line.split() for line in lines]
    if all(len(row) == len(words[0]) > 1 and all(len(word) == 1 for word in row) for row in words):
        return words, ["spaces between the squares are left out"]
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    remarks = ["the indentation of the drawing is left out"] if indent else []
    lines = [line[indent:] for line in lines]
    stripped = [line.rstrip() for line in lines]
    if not any(_BLANK in line for line in stripped) and len({len(line) for line in stripped}) == 1:
        return [list(line) for line in stripped], remarks
    if any(_BLANK in line for line in stripped):
        width = max(map(len, stripped))
        apart = [line.ljust(width) for line in stripped]
        if width > 2 and width % 2 and all(not line[1::2].strip() for line in apart):
            # One of these squares is a blank.
            return [list(line[::2]) for line in apart], [*remarks, "spaces between the squares are left out"]
        return [list(line.ljust(width)) for line in stripped], remarks
    # Blanks at the right end are holes only if all lines are written out.
    return [list(line) for line in (lines if len({len(line) for line in lines}) == 1 else stripped)], remarks


def _strip_frame(lines: list[str]) -> tuple[list[list[str]], list[str]]:
    """Return the signs between bars, without the lines of a frame."""
    rows = []
    for number, line in enumerate(lines, 1):
        if "|" not in line or (("+" in line or "--" in line) and _RULE.match(line.strip())):
            if _RULE.match(line.strip()):
                continue
            raise BoardError(f"line {number} has no bars, and others have", help=_HELP)
        parts = line.strip().strip("|").split("|")
        if len(parts) == 1:
            words = parts[0].split()
            rows.append(words if words and all(len(word) == 1 for word in words) else list(parts[0]))
        else:
            rows.append([part.strip() or _BLANK for part in parts])
    for row in rows:
        for cell in row:
            if len(cell) != 1:
                raise BoardError(f"invalid sign in a drawing: {cell[:20]!r}", help=_HELP)
    if not rows:
        raise BoardError("the board drawing is empty", help=_HELP)
    return rows, ["the frame of the drawing is left out"]


def _of_signs(cells: list[list[str]], hole: str | None, remarks: list[str]) -> ParsedDrawing:
    used = sorted({sign for row in cells for sign in row})
    if hole is not None:
        others = [sign for sign in used if sign != hole]
        if hole not in used and len(used) > 1:
            raise BoardError(f"holes_are: the drawing has no sign {hole!r}", help=f"its signs are {_list_signs(used)}")
        if len(others) > 1:
            raise BoardError(f"the drawing has several signs besides the holes: {_list_signs(others)}", help=_HELP)
        if not others:
            raise BoardError("the board has no free square: every one is a hole")
        return _of_cells(cells, hole, remarks)
    for r, row in enumerate(cells):
        for c, sign in enumerate(row):
            if sign in _ENDS:
                end, name = _ENDS[sign], square_name((r, c), len(cells))
                raise BoardError(
                    f"{sign!r} at {name} marks the {end} of a tour, which is no part of a board",
                    help=f"draw a square there, and use --{end} {name} ({end}={name!r})",
                )
            if sign not in SIGNS and sign != _BLANK:
                raise BoardError(
                    f"line {r + 1}, column {c + 1}: {sign!r} is neither '.' (square) nor '#' (hole)",
                    help="holes may be X, x, *, -, _ or blanks, too",
                )
    square = _square_sign(used, cells)
    holes = [sign for sign in used if sign != square]
    hole = holes[0] if len(holes) == 1 else next((sign for sign in holes if sign != _BLANK), "#")
    if any(sign != "#" for sign in holes):
        said = " and ".join(_NAMES.get(sign, repr(sign)) for sign in holes)
        remarks.append(f"{said} {'is a hole' if len(holes) == 1 else 'are holes'}, {square!r} is a square")
    elif square != ".":
        remarks.append(f"{square!r} is a square")
    plain = [[hole if sign != square else sign for sign in row] for row in cells]
    return _of_cells(plain, hole, remarks)._replace(signs="".join(used))


def _square_sign(used: list[str], cells: list[list[str]]) -> str:
    """Return the sign of squares; raise BoardError if it is ambiguous."""
    squares = [sign for sign in used if sign == "." or sign in _SQUARES]
    others = {sign.lower() for sign in used if sign not in squares and sign != _BLANK}
    is_clear = len(squares) == 1 and len(others) <= 1 and not others & set(_EITHER)
    if is_clear:
        return squares[0]
    is_matrix = (
        set(used) <= set(_EITHER) and len(cells) > 1 and [list(col) for col in zip(*cells, strict=False)] == cells
    )
    is_matrix = is_matrix and _has_zeros_across(cells)
    matrix = "; an adjacency matrix is matrix:FILE (Board.from_graph)" if is_matrix else ""
    raise BoardError(_WHICH.format(_list_signs(used)), help=_which_help(used) + matrix)


_WHICH = "the drawing does not say which sign is a hole: {}"


def _which_help(used: list[str]) -> str:
    python = "in Python Board.from_text(rows, holes_are=SIGN)"
    return f"use FILE:-SIGN ({python}), such as {_example(used)}; or {_HELP}"


def _example(used: list[str]) -> str:
    return "0 or 1" if set(used) <= set(_EITHER) else repr(used[-1])


def _list_signs(signs: list[str]) -> str:
    return ", ".join(_NAMES.get(sign, repr(sign)) for sign in signs)


def _of_cells(cells: list[list[str]], hole: str, remarks: list[str]) -> ParsedDrawing:
    width = len(cells[0])
    if width == 0:
        raise BoardError("the board drawing starts with an empty line")
    for row, line in enumerate(cells):
        if len(line) != width:
            raise BoardError(
                f"line {row + 1} and the first line differ in length: {len(line)} and {width} squares",
                help="all lines must have one length; write '#' for a hole at the right end",
            )
    holes = [(r, c) for r, line in enumerate(cells) for c, sign in enumerate(line) if sign == hole]
    return ParsedDrawing(len(cells), width, holes, remarks, hole)
