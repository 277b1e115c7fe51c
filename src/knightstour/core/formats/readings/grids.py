"""Numbered diagrams as people print them: in frames, beside letters and numbers, under headings, with blank cells.

A grid is taken from the lines that are rows of cells. All other lines must be known for what they are: frames, words,
the letters of the columns, a line that counts rows and columns. A number that is nowhere fits no reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.formats.readings.views import Line, View
from knightstour.core.formats.text import Reading, diagram_reading
from knightstour.core.model.board import Board
from knightstour.core.model.errors import InvalidTour
from knightstour.core.model.numbering import HOLE, HOLE_MARKS, board_of_numbers, numbering
from knightstour.core.model.tour import Tour

# A number, HOLE, or BLANK for a cell with nothing in it: a hole, if it is not a number that was lost.
BLANK = -2
_BLANK_MARK = "\N{SYMBOL FOR SPACE}"
Row: TypeAlias = list[int]
Split: TypeAlias = Callable[[str], list[str]]

_FRAME = re.compile(r"[\s|+:=*_~.'`─-╿\-]*(?:[+=─-╿]|[-_*~]{3}|`{3})[\s|+:=*_~.'`─-╿\-]*")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_IS_NO_WORD = re.compile(r"\b(none|null|nan)\b", re.IGNORECASE)
_SIZE = re.compile(r"\W*\d+\s*(?:[x×*]|by)\s*\d+\W*", re.IGNORECASE)
_DECIMAL = re.compile(r"\s*\d+\.\d+\s*")
_LETTERS = re.compile(r"\W*(?:[A-Za-z]\W+)+[A-Za-z]?\W*")
_LABEL = re.compile(r"\s*[A-Za-z]*\s*\d*\s*:(?!:)")
# The share of the numbers of a tour from which on a diagram is taken for one with a fault.
_MOSTLY = 0.85
_STRIPPED = "\"'`()[]{}<>"
_BARS = re.compile("[|│┃║]")


class Offer(NamedTuple):
    """Tours that a text may hold, and how it was read."""

    remarks: tuple[str, ...]
    tours: list[Reading]


class _Run(NamedTuple):
    """Lines of equally many cells below each other."""

    line: int
    rows: list[Row]


# ---------------------------------------------------------------- lines into cells


def _by_bars(text: str) -> list[str]:
    cells = _BARS.split(text)
    return cells[1 if not cells[0].strip() else 0 : -1 if len(cells) > 1 and not cells[-1].strip() else None]


def _by(mark: str, *, ends_cells: bool = False) -> Split:
    """Cells between marks; ends_cells: with a mark after the last one, too."""

    def split(text: str) -> list[str]:
        cells = text.split(mark)
        return cells[:-1] if ends_cells and len(cells) > 1 and not cells[-1].strip() else cells

    return split


def _by_blanks(text: str) -> list[str]:
    return re.sub("[|│┃║&,;]", " ", text).translate({ord(c): " " for c in _STRIPPED + "="}).split()


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
    """The number of a cell, HOLE for one that marks a hole, BLANK for an empty one; None for anything else."""
    text = text.strip().strip(_STRIPPED).strip()
    if text in ("", _BLANK_MARK):
        return BLANK
    if text in HOLE_MARKS or text == "-1" or text.lower() in ("none", "null", "nan"):
        return HOLE
    text = re.sub(r"\.0*$", "", text).strip("_")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 12 else None


def _row(text: str, split: Split) -> Row | None:
    cells = [_cell(cell) for cell in split(text)]
    found = [cell for cell in cells if cell is not None]
    return found if len(found) == len(cells) and any(cell >= 0 for cell in found) else None


# ---------------------------------------------------------------- lines into runs


def _is_heading(text: str) -> bool:
    """Whether a line is words, letters of columns, a size or a time, and no row."""
    words = _IS_NO_WORD.sub("", text)
    return bool(_WORDS.search(words) or _SIZE.fullmatch(text) or _DECIMAL.fullmatch(text) or _LETTERS.fullmatch(text))


class _Taken(NamedTuple):
    runs: list[_Run]
    others: list[Row]
    remarks: tuple[str, ...]


def _taken(lines: tuple[Line, ...], split: Split, joins: bool) -> _Taken:
    """The runs of rows among the lines, and the rows that are in none; joins: whether empty lines end no run."""
    runs: list[_Run] = []
    remarks: dict[str, None] = {}
    is_open = False
    for number, text in lines:
        row = _row(text, split)
        if row is None and (label := _LABEL.match(text)):
            row = _row(text[label.end() :], split)
            if row is not None:
                remarks["labels of rows left out"] = None
        if row is None:
            if not text.strip():
                is_open = is_open and joins
            elif _FRAME.fullmatch(text) or not re.search(r"\w", text):
                remarks["frame left out"] = None
            else:
                if not _is_heading(text):
                    return _Taken([], [], ())
                remarks["headings left out"] = None
                is_open = False
        elif is_open and len(runs[-1].rows[-1]) == len(row):
            runs[-1].rows.append(row)
        else:
            runs.append(_Run(number, [row]))
            is_open = True
    grids = [run for run in runs if len(run.rows) > 1]
    return _Taken(grids, [run.rows[0] for run in runs if len(run.rows) == 1], tuple(remarks))


def _by_columns(lines: tuple[Line, ...]) -> tuple[Line, ...] | None:
    """The lines with a mark in each blank cell, where all numbers end in columns of one width; None elsewhere."""
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
    """Whether these are 0, 1, 2, ... or 1, 2, 3, ..., up or down; holes may stand at the ends."""
    numbers = [cell for cell in cells if cell >= 0]
    up = numbers if len(numbers) < 2 or numbers[0] < numbers[1] else numbers[::-1]
    return len(up) > 1 and up in (list(range(len(up))), list(range(1, len(up) + 1)))


def _without_labels(rows: list[Row]) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    """The rows, and what is left of them without lines and columns that only count: those first that are longest."""
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
    """Whether the numbers are all from 0 or 1 on, each once, with 0 for holes where there are several."""
    numbers = sorted(cell for row in rows for cell in row if cell >= 0)
    zeros = numbers.count(0)
    numbers = numbers[zeros:] if zeros > 1 else numbers
    return len(numbers) > 1 and numbers[0] <= 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def numbered_from(rows: np.ndarray, given: Board | None, line: int | None) -> tuple[tuple[str, ...], Reading] | None:
    """The tour of a rectangle of numbers, and how it is numbered.

    None where it is not of the given board's shape, or most numbers of a tour are not there.
    """
    if not rows.size or (given is not None and rows.shape != (given.rows, given.cols)):
        return None
    found = numbering(rows, given)
    count = len(found.where)
    steps = np.unique(found.numbers) - found.base
    # A side of holes alone is a margin of comment marks or a frame.
    is_hole = np.ones(rows.size, dtype=np.bool_)
    is_hole[found.where] = False
    sides = is_hole.reshape(rows.shape)
    if given is None and any(side.all() for side in (sides[0], sides[-1], sides[:, 0], sides[:, -1])):
        return None
    if not count or ((steps >= 0) & (steps < count)).sum() < _MOSTLY * count:
        return None
    said = ["numbers from 0"] if found.base == 0 else []
    if given is None and len(found.holes):
        zeros = int((rows.ravel()[found.holes] == 0).sum())
        what = "0 marks" if zeros == len(found.holes) else "cells without a number mark"
        said.append(f"{what} {len(found.holes)} hole" + "s" * (len(found.holes) > 1))
    board = given or board_of_numbers(rows.shape, found.holes)
    return tuple(said), diagram_reading(board, found, rows.shape[1], line, is_given=given is not None)


def _apart(run: _Run) -> list[_Run]:
    """The run as it is, or the several complete diagrams that stand in it one below the other."""
    parts: list[_Run] = []
    first, highest = 0, -1
    for k, row in enumerate(run.rows, 1):
        highest = max(highest, *row)
        cells = (k - first) * len(row)
        if cells - len(row) <= highest <= cells and k - first > 1 and _is_complete(run.rows[first:k]):
            parts.append(_Run(run.line + first, run.rows[first:k]))
            first, highest = k, -1
    return parts if first == len(run.rows) else [run]


def _tour_of(run: _Run, given: Board | None) -> tuple[tuple[str, ...], Reading] | None:
    complete = [(said, rows) for said, rows in _without_labels(run.rows) if _is_complete(rows)]
    for said, rows in [*complete, ((), run.rows)]:
        cells = np.array(rows)
        found = numbered_from(np.where(cells == BLANK, HOLE, cells), given, run.line)
        if found is not None:
            lost = _lost_number(cells) if given is None else None
            reading = found[1] if lost is None else found[1]._replace(fault=lost, squares=found[1].squares[:0])
            return (*said, *found[0]), reading
    return None


def _lost_number(cells: np.ndarray) -> InvalidTour | None:
    """The fault of a diagram with one empty cell, if the first or the last number may have stood there."""
    if (cells == BLANK).sum() != 1 or (cells == HOLE).any():
        return None
    ends = [int(cells.max()) + 1] + [0] * (0 not in cells)
    for number in ends:
        filled = numbered_from(np.where(cells == BLANK, number, cells), None, None)
        with suppress(InvalidTour):
            if filled is not None and Tour(filled[1].board, filled[1].squares):
                return InvalidTour(
                    f"one cell is empty: a hole, or number {number} is lost",
                    step=int(cells.max()),
                    help=f"write {number} there, or '.' for a hole",
                )
    return None


def _are_known(others: list[Row], tours: list[Reading]) -> str | None:
    """What the rows outside the grids are, "" for none: counts of columns, sizes. None where one is neither."""
    said = ""
    for row in others:
        shapes = [(tour.board.rows, tour.board.cols) for tour in tours]
        if row in ([n] for n in (len(tours), *(r for r, _ in shapes), *(r * c for r, c in shapes))) or any(
            row in ([r, c], [c, r]) for r, c in shapes
        ):
            said = "the size left out"
        elif _counts(row) and any(sum(x >= 0 for x in row) == c for _, c in shapes):
            said = "a line that counts the columns left out"
        else:
            return None
    return said


def grids(view: View, given: Board | None) -> Iterator[Offer]:
    """The numbered diagrams of a view, once for each way to take its lines for rows."""
    text = "\n".join(line.text for line in view.lines)
    seen: list[list[_Run]] = []
    by_columns = _by_columns(view.lines)
    for mark, split in _SPLITS:
        if mark and not (mark in text or (mark == "|" and _BARS.search(text))):
            continue
        for lines in (view.lines, by_columns) if not mark and by_columns else (view.lines,):
            for joins in (False, True):
                taken = _taken(lines, split, joins)
                if not taken.runs or taken.runs in seen:
                    continue
                seen.append(taken.runs)
                found = [_tour_of(part, given) for run in taken.runs for part in _apart(run)]
                tours = [each[1] for each in found if each is not None]
                known = _are_known(taken.others, tours)
                if len(tours) < len(found) or known is None:
                    continue
                said = dict.fromkeys(remark for each in found if each for remark in each[0])
                yield Offer((*view.remarks, *taken.remarks, *filter(None, [known]), *said), tours)
