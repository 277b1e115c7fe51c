"""Parse the rows of a puzzle in a text: numbers, holes and unknown squares, in the notations of many programs.

`lab/puzzles/files.py` describes the exact form. Other rows may have bars, commas or brackets between their squares,
blanks for unknown squares, other signs, and lines above that count the rows. They are accepted if only one reading is
possible; `Rows.remarks` describes it. A text with an unused word is rejected.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from knightstour.core.formats.text import board_of_words
from knightstour.core.model.board import Board, square_count, title_of
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.layers import cells_read
from knightstour.lab.puzzles.signs import HOLE as HOLE
from knightstour.lab.puzzles.signs import PLACE as PLACE
from knightstour.lab.puzzles.signs import UNKNOWN as UNKNOWN
from knightstour.lab.puzzles.signs import Row, check_squares, is_number, is_square, settle_signs

CLOSED = "closed"
IN_ORDER, WALLS = "in order", "walls"
_HELP: Final = "write . for an unknown square and # for a hole; for a board of cells add its name: FILE hex:3:king"
_RULE = re.compile(r"(?=.*([+=\u2500\u2501\u2550]|---))[-+=|\u2500-\u257f\s]*$")
_BARS = re.compile(r"[|\u2502\u2503]")
# A comment above the rows: a sign and words, so not a row of holes.
_COMMENT: Final = re.compile(r"(#|//|;)+\s*[A-Za-z]{2,}")
# A line of counts above the rows: 4, 4 7, 4x7, n = 4.
_COUNTS = re.compile(r" *\d{1,6}(?:\s*[x\u00d7,;\s]\s*\d{1,6}){0,2} *$")
_COUNTED = re.compile(
    r"(?<![^\W\d_])(?:n|m|size|rows?|cols?|columns?|height|width)(?![^\W\d_])[ :=]*|;\s*$", re.IGNORECASE
)
_MAX_COUNT_LINES: Final = 3
# Beginning of a list of rows, innermost brackets, and the forms [| 1, 2 | 3, 4 |] and [1 2; 3 4].
_LIST = re.compile(r"[\[({]\s*(?:[\[({]|\|)")
_ROW = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_BARRED = re.compile(r"\[\|([^\[\](){}]*)\|\]|\[([^\[\](){}|]*;[^\[\](){}|]*)\]")
# Words next to a list of rows that may change the puzzle.
_CONDITION = re.compile(r"closed|cycl|circular|order|wall|loop|torus|wrap", re.IGNORECASE)


@dataclass(slots=True)
class Rows:
    """Content of a text.

    Attributes:
        is_closed, is_in_order: Whether the tour is closed, and whether the puzzle is a Zip.
        walls: Walls of a Zip, as texts.
        board: The board that a comment names, or None.
        rows: The line number and the words of each row.
        remarks: Notes on the interpretation.
        places: On a board of cells, the cell of each word.
    """

    is_closed: bool = False
    is_in_order: bool = False
    walls: list[str] = field(default_factory=list)
    board: Board | None = None
    rows: list[Row] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    places: list[int] | None = None

    @property
    def width(self) -> int:
        """Number of squares in a row."""
        return len(self.rows[0][1])

    @property
    def first_line(self) -> int:
        return self.rows[0][0]


class Body(NamedTuple):
    """Rows of a part of a text, and notes on their interpretation."""

    rows: list[Row]
    remarks: list[str]


def rows_of(text: str, path: str | None, board: Board | None = None) -> Rows:
    """Return the rows of the text of a puzzle, all of one length except on a board of cells.

    Args:
        board: The board that was given with the text.

    Raises:
        FormatError: If the text has no such rows, with the line.
    """
    found = Rows()
    lines = list[tuple[int, str]]()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.startswith("# board "):
            if found.board is not None or lines:
                why = "a second comment names a board" if found.board else "a comment below the rows names a board"
                raise FormatError(why, path=path, line=number, help="name the board once, above the rows")
            try:
                found.board = board_of_words(line[2:])
            except BoardError as error:
                raise FormatError(str(error), path=path, line=number, help=error.help) from error
        elif line.lower() == CLOSED and not lines and not found.is_closed:
            found.is_closed = True
        elif line.lower() == IN_ORDER and not lines:
            found.is_in_order = True
        elif found.is_in_order and not lines and line.split()[:1] == [WALLS]:
            found.walls += [word.strip(",") for word in re.split(r"[\s;]+", line) if word][1:]
        elif line.split()[:1] == [WALLS] and not lines:
            raise FormatError(
                "only a Zip has walls", path=path, line=number, help="write the line `in order` above them"
            )
        elif _COMMENT.match(line) and not lines:
            found.remarks.append(f"line {number} is a comment, and ignored: {line[:40]}")
        elif line:
            lines.append((number, raw))
    if not lines:
        raise FormatError("the text contains no puzzle", path=path, help="write rows of numbers, with . for unknown")
    known = found.board or board
    if known is not None and isinstance(known, CellBoard):
        _read_cells(found, known, lines, path)
    else:
        size = None if known is None else (known.rows, known.cols)
        body = _body(lines, size, path)
        if size is not None and len(body.rows) == 1 < size[0] and len(body.rows[0][1]) == size[0] * size[1]:
            body = _split_row(body, size[1])
        found.rows = body.rows
        found.remarks += body.remarks + settle_signs(body.rows, path)
    return found


def _read_cells(rows: Rows, board: Board, lines: list[tuple[int, str]], path: str | None) -> None:
    """Read cells in lines and layers, or all in one row."""
    assert isinstance(board, CellBoard)
    rows.rows = [(number, line.split()) for number, line in lines]
    rows.remarks += settle_signs(rows.rows, path)
    lengths = [len(words) for _, words in rows.rows]
    count = sum(lengths)
    places = cells_read(board, lengths)
    if lengths == [square_count(board)]:
        rows.places = list(range(count))
        rows.remarks.append("one row of all cells is read in the order of the cells")
    elif places is not None and not (places < 0).any():
        rows.places = places.tolist()
    else:
        why = f"the {title_of(board)} has {square_count(board):,} cells, but these lines have {count:,} words"
        if count == square_count(board):
            why = f"these lines do not have the shape of the {title_of(board)}"
        help = "write its lines, or layers, as `puzzle` prints them; or JSON, which names each square"
        raise FormatError(why, path=path, line=rows.first_line, help=help)
    for number, words in rows.rows:
        if HOLE in words:
            raise FormatError(f"holes are not supported on the {title_of(board)}", path=path, line=number)


# ---------------------------------------------------------------- lines and their headings


def _body(lines: list[tuple[int, str]], size: tuple[int, int] | None, path: str | None) -> Body:
    """Return rows of equal length, without counts above them. size: of the board, or None."""
    whole = "\n".join(line for _, line in lines)
    if _LIST.search(whole) or _BARRED.search(whole) or whole.lstrip()[0] in "[({":
        body = _parse_lists(lines, path)
        _check_widths(body.rows, path)
        return body
    most = 0
    while most < min(_MAX_COUNT_LINES, len(lines) - 1) and _has_only_numbers(lines[most][1]):
        most += 1
    parts = [_split_lines(lines[k:], path) for k in range(most + 1)]
    fitting = [k for k, part in enumerate(parts) if _is_valid(part.rows)]
    fitting = [k for k in fitting if k == 0 or _are_counts(_whole_numbers(lines[:k]), parts[k].rows)]
    if len(fitting) > 1 and size is not None:
        fitting = [k for k in fitting if (len(parts[k].rows), len(parts[k].rows[0][1])) == size] or fitting
    if len(fitting) > 1:
        why = f"the first line, {lines[0][1].strip()!r}, may count the rows below it, or be a row"
        help = f"omit it; or name the board: # board {len(lines) - 1}x{len(parts[-1].rows[0][1])}"
        raise FormatError(why, path=path, line=lines[0][0], help=help)
    if fitting:
        (k,) = fitting
        shown = " and ".join(repr(line.strip()) for _, line in lines[:k])
        notes = [f"ignored above the rows, since it counts them: {shown}"] if k else []
        return Body(parts[k].rows, [*notes, *parts[k].remarks])
    _check_triples(lines, path)
    below = next((part.rows for part in parts[1:] if _has_equal_lengths(part.rows)), None)
    if below and len(below[0][1]) != len(lines[0][1].split()) and not _has_equal_lengths(parts[0].rows):
        shown, rows = lines[0][1].strip(), f"{len(below)} rows of {len(below[0][1])} squares"
        why = f"the first line, {shown!r}, does not match the lines below: {rows}"
        raise FormatError(why, path=path, line=lines[0][0], help="omit or correct it")
    _check_widths(parts[0].rows, path)
    return parts[0]


def _split_row(body: Body, cols: int) -> Body:
    """Divide a line of all squares into rows."""
    ((number, words),) = body.rows
    rows = [(number, words[k : k + cols]) for k in range(0, len(words), cols)]
    return Body(rows, [*body.remarks, "one line of all squares is read row by row"])


def _has_only_numbers(line: str) -> bool:
    """Whether a line has up to three numbers, perhaps with names such as `rows:`."""
    return _COUNTS.match(_COUNTED.sub(" ", line)) is not None


def _whole_numbers(lines: list[tuple[int, str]]) -> list[int]:
    return [int(word) for _, line in lines for word in re.findall(r"\d+", line)]


def _has_equal_lengths(rows: list[Row]) -> bool:
    return len({len(words) for _, words in rows}) == 1


def _numbers(rows: list[Row]) -> list[int]:
    return [int(word) for _, words in rows for word in words if is_number(word) and int(word)]


def _is_valid(rows: list[Row]) -> bool:
    """Whether rows have equal length and valid squares, and no number is repeated or too large."""
    numbers, words = _numbers(rows), [word for _, row in rows for word in row]
    is_fair = len(set(numbers)) == len(numbers) and max(numbers, default=0) <= len(words)
    return is_fair and _has_equal_lengths(rows) and all(map(is_square, words))


def _are_counts(counts: list[int], rows: list[Row]) -> bool:
    """Whether the numbers are the counts of puzzles, rows, and perhaps columns, and squares or clues."""
    height, width, given = len(rows), len(rows[0][1]), len(_numbers(rows))
    if len(counts) > 1 and counts[0] == 1:
        counts = counts[1:]
    sizes = ([height], [height, width], [width, height])
    return any(counts == [*size, *more] for size in sizes for more in ([], [given], [height * width]))


def _check_widths(rows: list[Row], path: str | None) -> None:
    usual = Counter(len(words) for _, words in rows).most_common(1)[0][0]
    if sum(len(words) == usual for _, words in rows) * 2 <= len(rows):
        usual = len(rows[0][1])
        which = f"the first row has {usual}"
    else:
        which = f"most rows have {usual}"
    for number, words in rows:
        if len(words) != usual:
            check_squares(words, number, path)
            shown = f"a row has {len(words)} square{'s' if len(words) != 1 else ''}, but {which}"
            raise FormatError(shown, path=path, line=number, help=_HELP)


def _check_triples(lines: list[tuple[int, str]], path: str | None) -> None:
    """Raise FormatError for lines of row, column and number."""
    split = [(line, re.split(r"[\s,;]+", text.strip(" ,;"))) for line, text in lines]
    first = next((k for k, (_, words) in enumerate(split) if len(words) == 3), len(split))
    triples = [words for _, words in split[first:]]
    are_numbers = len(triples) > 1 and all(len(words) == 3 and all(map(is_number, words)) for words in triples)
    are_apart = len({(words[0], words[1]) for words in triples if len(words) == 3}) == len(triples)
    if are_numbers and are_apart and first <= _MAX_COUNT_LINES and all(int(words[2]) > 0 for words in triples):
        why = "these lines of three numbers may be row, column and number of each given square"
        help = 'write rows of numbers, with . for an unknown square; or JSON: {"board": "3x3", "given": {"a1": 7}}'
        raise FormatError(why, path=path, line=split[first][0], help=help)


# ---------------------------------------------------------------- squares in a line


def _split_lines(lines: list[tuple[int, str]], path: str | None) -> Body:
    """Split at bars, commas, semicolons or tabs if all lines have them, else at spaces."""
    rules = [line for _, line in lines if _RULE.match(line)]
    inner = [(number, line) for number, line in lines if not _RULE.match(line)]
    if inner and all(_has_frame(line.strip()) for _, line in inner):
        rows = [(number, _between_bars(line.strip()[1:-1])) for number, line in inner]
        return Body(rows, ["the frame of the puzzle is ignored"])
    barred = [number for number, line in inner if _BARS.search(line)]
    if barred:
        rows = [(number, _between_bars(line)) for number, line in inner]
        if len(barred) < len(inner) or any(len(word.split()) > 1 for _, words in rows for word in words):
            help = "omit them; write walls of a Zip in a line above: walls a1-b1"
            raise FormatError("ambiguous bars between squares, perhaps walls", path=path, line=barred[0], help=help)
        return Body(rows, [f"the squares are read between bars{', and lines between rows ignored' if rules else ''}"])
    for mark in (",", ";"):
        if all(mark in line for _, line in lines):
            parts = [(number, [part.strip() for part in line.split(mark)]) for number, line in lines]
            if not any(words[-1] for _, words in parts) and all("" not in words[:-1] for _, words in parts):
                parts = [(number, words[:-1]) for number, words in parts]
            return Body(parts, [f"the squares are read between {mark!r}"])
    if all("\t" in line for _, line in lines) and any("\t\t" in line or line[:1] == "\t" for _, line in lines):
        rows = [(number, [part.strip() for part in line.split("\t")]) for number, line in lines]
        return Body(rows, ["the squares are read between tabs"])
    return Body([(number, line.split()) for number, line in lines], [])


def _has_frame(line: str) -> bool:
    return len(line) > 1 and _BARS.match(line[0]) is not None and _BARS.match(line[-1]) is not None


def _between_bars(line: str) -> list[str]:
    return [part.strip() for part in _BARS.split(line)]


# ---------------------------------------------------------------- lists of rows, perhaps in a program


def _parse_lists(lines: list[tuple[int, str]], path: str | None) -> Body:
    """Return the rows of nested lists, or of one list per line."""
    text, first = "\n".join(line for _, line in lines), lines[0][0]
    nested, barred = _LIST.search(text), _BARRED.search(text)
    begin, end = (nested.start(), _end_of(text, nested.start())) if nested else (0, len(text))
    rows: list[Row] = []
    if barred:
        begin, end = barred.span()
        group = 1 if barred[1] is not None else 2
        at = barred.start(group)
        for part in re.split("[|;]", barred[group]):
            if part.strip():
                rows.append((_line_at(lines, text, at + len(part) - len(part.lstrip())), _words_of(part)))
            at += len(part) + 1
    elif _is_balanced(inside := text[begin:end]) and not re.search(r"[^\s\[\](){},;]", _ROW.sub("", inside)):
        rows = [(_line_at(lines, text, begin + row.start()), _words_of(row[1])) for row in _ROW.finditer(inside)]
    if not rows:
        raise FormatError("the rows are not a puzzle", path=path, line=first, help="write a list of rows")
    remarks = ["the rows of the puzzle are read from brackets"]
    around = text[:begin] + "\n" + text[end:]
    if re.search(r"\w", around):
        _check_around(around, rows, path, first)
        remarks.append("the words around them are ignored")
    return Body(rows, remarks)


def _check_around(around: str, rows: list[Row], path: str | None, line: int) -> None:
    """Raise FormatError if words around a list may describe more than its size."""
    help = "omit it, or write only the rows"
    if _LIST.search(around):
        raise FormatError("there is a second list of rows", path=path, line=line, help="use one puzzle per file")
    if word := _CONDITION.search(around):
        why = f"{word[0]!r} next to the rows may be a condition of the puzzle"
        raise FormatError(why, path=path, line=line, help=help)
    sizes = {len(rows), len(rows[0][1]), len(rows) * len(rows[0][1])}
    for number in re.findall(r"(?<![\w.])\d+(?!\w|\.\.)", around):
        if int(number) not in sizes:
            raise FormatError(f"unused number next to the rows: {number}", path=path, line=line, help=help)


def _end_of(text: str, begin: int) -> int:
    """Return the index after the matching bracket."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] in "[({") - (text[at] in "])}")
        if depth == 0 and text[at] in "])}":
            return at + 1
    return len(text)


def _line_at(lines: list[tuple[int, str]], text: str, at: int) -> int:
    return lines[text.count("\n", 0, at)][0]


def _words_of(row: str) -> list[str]:
    row = row.strip()
    words = re.sub(r"[,;]$", "", row).split(",") if "," in row else row.split()
    words = [word.strip().strip("'\"") for word in words]
    return ["" if word in ("None", "null", "nan") else word for word in words]


def _is_balanced(text: str) -> bool:
    """Whether all brackets match."""
    brackets = re.sub(r"[^\[\](){}]", "", text)
    while len(brackets) > len(shorter := re.sub(r"\[\]|\(\)|\{\}", "", brackets)):
        brackets = shorter
    return not brackets
