"""Numbered diagrams in loose notations: with frames, row and column labels, headings, and blank cells.

A grid consists of the lines that are rows of cells. Other lines must be frames, words, column letters, row or column
numbers, or counts that agree with the grid. Otherwise the reading fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.formats.readings.around import UnusedToken, around
from knightstour.core.formats.readings.views import Line, View, by_brackets
from knightstour.core.formats.text import Reading, diagram_reading
from knightstour.core.model.board import Board
from knightstour.core.model.errors import InvalidTour
from knightstour.core.model.numbering import HOLE, HOLE_MARKS, board_of_numbers, numbering

# Values of cells without a number: HOLE for a sign of a hole, BLANK for an empty cell, MARK for either, UNSURE for a
# program's placeholder for unvisited cells.
BLANK, MARK, UNSURE = -2, -3, -4
_PROGRAMS = frozenset(("-1", "none", "null", "nan", "--", "__"))
_BLANK_MARK = "\N{SYMBOL FOR SPACE}"
Row: TypeAlias = list[int]
Split: TypeAlias = Callable[[str], list[str]]

_FRAME = re.compile(r"[\s|+:=*_~.'`─-╿\-]*(?:[+=─-╿]|[-_*~]{3}|`{3})[\s|+:=*_~.'`─-╿\-]*")
_DASHES = re.compile(r"(?<![^\s|,;&])(-{1,2}|_{1,2})(?![^\s|,;&])")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_IS_NO_WORD = re.compile(r"\b(none|null|nan)\b", re.IGNORECASE)
_SIZE = re.compile(r"\W*\d+\s*(?:[x×*]|by)\s*\d+\W*", re.IGNORECASE)
_DECIMAL = re.compile(r"\s*\d+\.\d+\s*")
_FLOATS = re.compile(r"\d\.(?![\d\w])")
_LETTER_IS = re.compile(r"\W*[A-Za-z]\s*[=:]\s*\d+\W*")
_LETTERS = re.compile(r"\W*(?:[A-Za-z]\W+)+[A-Za-z]?\W*")
_LABEL = re.compile(r"\s*[\"']?[A-Za-z]*\s*(\d{0,9})[\"']?\s*:(?!:)")
_DRAWN_HOLES = frozenset(".·#■□")
# Minimum share of a tour's numbers for reading a diagram as a tour with an error.
_MOSTLY = 0.85
_STRIPPED = "\"'`()[]{}<>"
_BARS = re.compile("[|│┃║]")


class Offer(NamedTuple):
    """Possible tours of a text, their interpretation, and the first unused token."""

    remarks: tuple[str, ...]
    tours: list[Reading]
    left: UnusedToken | None = None


class _Run(NamedTuple):
    """Consecutive lines with the same number of cells."""

    line: int
    rows: list[Row]


# ---------------------------------------------------------------- lines into cells


def _by_bars(text: str) -> list[str]:
    cells = _BARS.split(text)
    return cells[1 if not cells[0].strip() else 0 : -1 if len(cells) > 1 and not cells[-1].strip() else None]


def _by(mark: str, *, ends_cells: bool = False) -> Split:
    """Split at marks. ends_cells: Whether a mark follows the last cell, too."""

    def split(text: str) -> list[str]:
        cells = text.split(mark)
        return cells[:-1] if ends_cells and len(cells) > 1 and not cells[-1].strip() else cells

    return split


def _by_blanks(text: str) -> list[str]:
    return re.sub("[|│┃║&,;]", " ", text).translate({ord(c): " " for c in "`()[]{}<>="}).split()


_SPLITS: tuple[tuple[str, Split], ...] = (
    ("", _by_blanks),
    ("|", _by_bars),
    (",", _by(",")),
    (",", _by(",", ends_cells=True)),
    (";", _by(";")),
    (";", _by(";", ends_cells=True)),
    ("\t", _by("\t")),
    ("&", _by("&")),
)


def _cell(text: str) -> int | None:
    """Return the number of a cell, or HOLE, BLANK or UNSURE; None for anything else."""
    bare = text.strip().strip(_STRIPPED).strip()
    if bare in ("", _BLANK_MARK):
        return BLANK
    if bare.lower() in _PROGRAMS or (bare == "." and ("'" in text or '"' in text)):
        return UNSURE
    if bare in HOLE_MARKS:
        return HOLE if bare in _DRAWN_HOLES else MARK
    bare = re.sub(r"\.0*$", "", bare).strip("_")
    return int(bare) if bare.isascii() and bare.isdecimal() and len(bare) <= 12 else None


def _row(text: str, split: Split, *, of_marks: bool = False) -> Row | None:
    """Return the cells of a line; None if it is not a row."""
    cells = [_cell(cell) for cell in split(text)]
    if _FLOATS.search(text):  # Next to 3. and 10. a single point lacks its number.
        cells = [UNSURE if cell == HOLE else cell for cell in cells]
    found = [cell for cell in cells if cell is not None]
    if len(found) < len(cells):
        return None
    is_row = any(cell >= 0 for cell in found) or (of_marks and len(found) > 1 and not {MARK, UNSURE}.isdisjoint(found))
    return found if is_row else None


# ---------------------------------------------------------------- lines into runs


def _is_heading(text: str) -> bool:
    words = _IS_NO_WORD.sub("", text)
    return bool(_WORDS.search(words)) or any(kind.fullmatch(text) for kind in (_SIZE, _DECIMAL, _LETTERS, _LETTER_IS))


class _Runs(NamedTuple):
    """Runs of rows, other lines that may be headings, and remarks on omitted parts."""

    runs: list[_Run]
    others: list[Line]
    remarks: tuple[str, ...]


def _runs_among(lines: tuple[Line, ...], split: Split, joins: bool) -> _Runs | None:
    """Return the runs of rows among the lines, or None. joins: Whether runs may contain empty lines."""
    runs: list[_Run] = []
    others: list[Line] = []
    remarks: dict[str, None] = {}
    labels: list[list[int]] = []
    is_open = False
    # If a row of numbers contains a dash, a line of dashes is a row, otherwise a frame.
    of_marks = any(_DASHES.search(text) and re.search(r"\d", text) for _, text in lines) or not any(
        _FRAME.fullmatch(text) for _, text in lines
    )
    for number, text in lines:
        row, counted = _row(text, split, of_marks=of_marks), list[int]()
        if row is None and (label := _LABEL.match(text)):
            row = _row(text[label.end() :], split)
            if row is not None and len(row) > 1:
                remarks["labels of rows left out"] = None
                counted += [int(label[1])] if label[1] else []
            else:
                row = None
        if row is None or (len(row) == 1 and _is_heading(text)):
            if not text.strip():
                is_open = is_open and joins
            elif _FRAME.fullmatch(text) or not re.search(r"\w", text):
                remarks["frame left out"] = None
            else:
                if not _is_heading(text):
                    return None
                others.append(Line(number, text))
                is_open = False
        elif is_open and len(runs[-1].rows[-1]) == len(row):
            runs[-1].rows.append(row)
            labels[-1] += counted
        else:
            runs.append(_Run(number, [row]))
            labels.append(counted)
            is_open = True
    if any(len(numbers) > 1 and not _counts(numbers) for numbers in labels):
        return None
    grids = [run for run in runs if len(run.rows) > 1]
    at = dict(lines)
    others += [Line(run.line, at[run.line]) for run in runs if len(run.rows) == 1]
    return _Runs(grids, sorted(others), tuple(remarks))


def _by_columns(lines: tuple[Line, ...]) -> tuple[Line, ...] | None:
    """Mark the blank cells of lines whose numbers end in columns of the same width; None for others."""
    ends = sorted({m.end() for _, text in lines if not _is_heading(text) for m in re.finditer(r"\d+", text)})
    if len(ends) < 3:
        return None
    width = min(b - a for a, b in zip(ends, ends[1:], strict=False))
    places = range(ends[0], ends[-1] + 1, width)
    if width < 2 or set(ends) - set(places):
        return None
    filled = []
    for number, text in lines:
        if re.search(r"\d", text) and not _is_heading(text):
            cells = {m.end(): m[0] for m in re.finditer(r"\d+", text)}
            if re.sub(r"\d+|\s", "", text):
                return None
            text = " ".join(cells.get(end, _BLANK_MARK) for end in places)
        filled.append(Line(number, text))
    return tuple(filled)


# ---------------------------------------------------------------- runs into tours


def _counts(cells: list[int]) -> bool:
    """Whether these count from 0 or 1, up or down, ignoring holes."""
    numbers = [cell for cell in cells if cell >= 0]
    up = numbers if len(numbers) < 2 or numbers[0] < numbers[1] else numbers[::-1]
    return len(up) > 1 and up in (list(range(len(up))), list(range(1, len(up) + 1)))


def _without_labels(rows: list[Row]) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    """Yield the rows, and the rows without labels of lines and columns."""
    yield (), rows
    tops = [("", rows)]
    if _counts(rows[0]):
        tops.append(("the first line counts the columns", rows[1:]))
    if _counts(rows[-1]):
        tops.append(("the last line counts the columns", rows[:-1]))
    for said, kept in tops:
        left, right = _counts([row[0] for row in kept]), _counts([row[-1] for row in kept])
        sides = [("", 0, 0)]
        if left:
            sides.append(("the first column counts the rows", 1, 0))
        if right:
            sides.append(("the last column counts the rows", 0, 1))
        if left and right:
            sides.append(("the first and last columns count the rows", 1, 1))
        for side, from_left, from_right in sides:
            if said or side:
                cut = [row[from_left : len(row) - from_right] for row in kept]
                if cut and len(cut) > 1 and cut[0]:
                    yield tuple(filter(None, (said, side))), cut


def _is_complete(rows: list[Row]) -> bool:
    """Whether the numbers are consecutive from 0 or 1, with 0 for holes if it is repeated."""
    numbers = sorted(cell for row in rows for cell in row if cell >= 0)
    zeros = numbers.count(0)
    numbers = numbers[zeros:] if zeros > 1 else numbers
    return len(numbers) > 1 and numbers[0] <= 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def numbered_from(
    rows: np.ndarray, given_board: Board | None, line: int | None, *, has_margin: bool = True
) -> tuple[tuple[str, ...], Reading] | None:
    """Return the tour of a rectangle of numbers, and a description of the numbering.

    Returns None if the shape differs from the given board, or if most numbers are missing.

    Args:
        has_margin: Whether outer rows and columns of holes are a margin.
    """
    if not rows.size or (given_board is not None and rows.shape != (given_board.rows, given_board.cols)):
        return None
    found = numbering(rows, given_board)
    count = len(found.where)
    steps = np.unique(found.numbers) - found.base
    # An outer line of holes is a margin of comment marks or a frame.
    is_hole = np.ones(rows.size, dtype=np.bool_)
    is_hole[found.where] = False
    sides = is_hole.reshape(rows.shape)
    if (
        given_board is None
        and has_margin
        and any(side.all() for side in (sides[0], sides[-1], sides[:, 0], sides[:, -1]))
    ):
        return None
    if not count or ((steps >= 0) & (steps < count)).sum() < _MOSTLY * count:
        return None
    said = ["numbers from 0"] if found.base == 0 else []
    if given_board is None and len(found.holes):
        zeros = int((rows.ravel()[found.holes] == 0).sum())
        what = "0 marks" if zeros == len(found.holes) else "cells without a number mark"
        said.append(f"{what} {len(found.holes)} hole" + ("s" if len(found.holes) > 1 else ""))
    board = given_board or board_of_numbers(rows.shape, found.holes)
    return tuple(said), diagram_reading(board, found, rows.shape[1], line, is_given=given_board is not None)


def _split_diagrams(run: _Run) -> list[_Run]:
    """Return the run, or the complete diagrams in it."""
    parts: list[_Run] = []
    first, highest = 0, -1
    for k, row in enumerate(run.rows, 1):
        highest = max(highest, *row)
        cells = (k - first) * len(row)
        if cells - len(row) <= highest <= cells and k - first > 1 and _is_complete(run.rows[first:k]):
            parts.append(_Run(run.line + first, run.rows[first:k]))
            first, highest = k, -1
    return parts if first == len(run.rows) else [run]


def follow_numbers(cells: np.ndarray, line: int | None) -> tuple[tuple[str, ...], Reading] | None:
    """Return the tour of a rectangle of next-square numbers, from 0 or 1 along the rows, or None."""
    flat, base = cells.ravel(), int(cells.min())
    if base not in (0, 1) or not np.array_equal(np.sort(flat), np.arange(base, base + flat.size)):
        return None
    order = [0]
    near = (flat - base).tolist()
    while (square := near[order[-1]]) and len(order) < flat.size:
        order.append(square)
    if len(order) < flat.size:
        return None
    squares = np.stack(np.divmod(np.array(order), cells.shape[1]), axis=1)
    return (f"the next square of each, counted from {base}",), Reading(Board(*cells.shape), squares, line)


def _tours_of(run: _Run, given_board: Board | None) -> Iterator[tuple[tuple[str, ...], Reading]]:
    """Yield the tour by its numbers, and the tour by next squares."""
    complete = [(said, rows) for said, rows in _without_labels(run.rows) if _is_complete(rows)]
    for said, rows in [*complete, ((), run.rows)]:
        cells = np.array(rows)
        is_drawn = not (cells == UNSURE).any()
        found = numbered_from(np.where(cells < 0, HOLE, cells), given_board, run.line, has_margin=is_drawn)
        if found is not None:
            lost = _lost_number(cells, found[1]) if given_board is None else None
            reading = found[1] if lost is None else found[1]._replace(fault=lost, squares=found[1].squares[:0])
            yield (*said, *found[0]), reading
            break
    for said, rows in complete:
        cells = np.array(rows)
        shape = cells.shape if given_board is None else (given_board.rows, given_board.cols)
        if (
            cells.shape == shape
            and (given_board is None or not given_board.holes)
            and (next_of := follow_numbers(cells, run.line))
        ):
            yield (*said, *next_of[0]), next_of[1]
            return


def _lost_number(cells: np.ndarray, reading: Reading) -> InvalidTour | None:
    """Return an error if a missing number may belong into a free cell, or None."""
    numbered = cells[cells >= 0]
    count, size = len(reading.squares), cells.size
    if not count or count == size or reading.fault is not None:
        return None
    last, first = int(numbered.max()), int(numbered.min())
    r, c = np.abs(reading.squares[0] - reading.squares[-1])
    is_closed = r * c == 2 and count > 2
    for mark in (BLANK, MARK, UNSURE):
        free = np.argwhere(cells == mark)
        is_one = len(free) == 1
        if not len(free) or not (is_one or mark == UNSURE or 2 * count < size):
            continue
        ends = [(last + 1, reading.squares[-1])] + ([(0, reading.squares[0])] if first == 1 and is_one else [])
        for number, end in ends:
            if not (np.abs(free - end).prod(axis=1) == 2).any():
                continue
            if is_one:
                why = f"one cell {'is empty' if mark == BLANK else 'has no number'}: a hole, or number {number} is lost"
                return InvalidTour(why, step=last, help=f"write {number} there, or '.' for a hole")
            if not is_closed:
                why = f"only {count} of {size} squares have a number, and {number} may belong to a free one"
                return InvalidTour(why, step=count, help="write '.' for each hole, if the other squares are not holes")
        if mark == UNSURE and not is_closed:
            why = (
                f"only {count} of {size} squares have a number: the others are holes, or the search did not visit them"
            )
            return InvalidTour(why, step=count, help="write '.' for each hole")
    return None


def grids(view: View, given_board: Board | None) -> Iterator[Offer]:
    """Yield the numbered diagrams of a view, for each interpretation of its lines."""
    text = "\n".join(line.text for line in view.lines)
    seen: list[_Runs] = []
    ways = [(mark, split, view.lines) for mark, split in _SPLITS if not mark or mark in text or _BARS.search(text)]
    if by_columns := _by_columns(view.lines):
        ways.insert(1, ("", _by_blanks, by_columns))
    if brackets := by_brackets(view):
        ways += [("", _by_blanks, brackets), (",", _by(","), brackets)]
    for _, split, lines in ways:
        for joins in (False, True):
            taken = _runs_among(lines, split, joins)
            if taken is None or not taken.runs or taken in seen:
                continue
            seen.append(taken)
            found = [list(_tours_of(part, given_board)) for run in taken.runs for part in _split_diagrams(run)]
            if not all(found):
                continue
            for k in range(min(map(len, found))):
                tours = [each[k] for each in found]
                said = dict.fromkeys(remark for each in tours for remark in each[0])
                readings = [each[1] for each in tours]
                columns, others = _without_columns(taken.others, readings)
                about = around(others, readings)
                yield Offer((*view.remarks, *taken.remarks, *columns, *about.remarks, *said), readings, about.left)


def _without_columns(others: list[Line], tours: list[Reading]) -> tuple[tuple[str, ...], list[Line]]:
    """Return remarks, and the lines without column numbers."""
    kept = []
    for line in others:
        row = _row(line.text, _by_blanks)
        widths = {tour.board.cols for tour in tours}
        if row is None or not (_counts(row) and sum(x >= 0 for x in row) in widths):
            kept.append(line)
    return ("a line that counts the columns left out",) if len(kept) < len(others) else (), kept
