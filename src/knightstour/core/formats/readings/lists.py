"""Lists of squares as people write them: names, moves of a game, pairs of numbers, square numbers.

All that is not a square is a separator: arrows, brackets, words, the numbers of the steps. This is safe because a list
counts only if it is a whole tour: with a square too many or too few it is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import isqrt

import numpy as np

from knightstour.core.formats.readings.grids import Offer, numbered_from
from knightstour.core.formats.readings.views import Line, View
from knightstour.core.formats.text import Reading, rectangle_around
from knightstour.core.model.board import Board

_NAME = re.compile(r"(?<![A-Za-z0-9])[KNSC]?([A-Za-z]{1,2}\d{1,3})(?![A-Za-z0-9])")
_JOINED = re.compile(r"(?<![A-Za-z0-9])[KNSC]?((?:[A-Za-z]\d{1,2}){2,})(?![A-Za-z0-9])")
_WORD = re.compile(r"[^\W\d_]{2,}")
NUMBER = re.compile(r"(?<![\w.])-?\d{1,9}(?![\w]|\.\d)")
_STEP = re.compile(r"^\s*(?:[^\W\d_]+\s*)*\d+\s*[.):]+\s*(?=[^\s\d]|\s*\d+\D+\d+)")
_ROW_WORDS = ("row", "r", "y", "rank", "line", "i")
_COL_WORDS = ("col", "column", "c", "x", "file", "j")
Squares = list[tuple[int, int]]


# ---------------------------------------------------------------- where a list begins and ends


def parts_of(view: View) -> Iterator[tuple[tuple[str, ...], list[list[Line]]]]:
    """The lines of a view as lists of lines, one for each tour: all together, up to an empty line, or each line."""
    lines = [line for line in view.lines if line.text.strip()]
    if not lines:
        return
    count = len({line.number for line in lines})
    joined = (f"{count:,} lines joined",) if count > 1 else ()
    yield joined, [lines]
    blocks: list[list[Line]] = [[]]
    for line in view.lines:
        if line.text.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
    if len(blocks) > 1:
        yield ("a tour up to each empty line",), blocks
    if len(lines) > 1:
        yield ("a tour a line",), [[line] for line in lines]


def _without_words(lines: list[Line]) -> list[Line]:
    return [line for line in lines if not _WORD.search(_JOINED.sub("", line.text))]


def _kept(parts: list[list[Line]]) -> Iterator[tuple[tuple[str, ...], list[list[Line]]]]:
    """All lines; and, where it is something else, those without words."""
    yield (), parts
    bare = [kept for part in parts if (kept := _without_words(part))]
    if bare and bare != parts:
        yield ("lines with words left out",), bare


# ---------------------------------------------------------------- squares by name


def named(text: str) -> Squares:
    """(number, column) of all names in a text, columns from 0; names that run together are taken apart."""
    squares = []
    for match in re.finditer(f"{_JOINED.pattern}|{_NAME.pattern}", text):
        for name in re.findall(r"[A-Za-z]+\d+", match[1] or match[2]):
            letters = name.rstrip("0123456789").lower()
            col = 0
            for letter in letters:
                col = col * 26 + ord(letter) - ord("a") + 1
            squares.append((int(name[len(letters) :]), col - 1))
    return squares


def _columns_of(lines: list[Line]) -> Iterator[list[Line]]:
    """Each column of a table whose rows have one number of cells, as lines."""
    for mark in ("|", "\t", ",", ";"):
        cells = [line.text.strip().strip("|").split(mark) for line in lines if mark in line.text]
        if len({len(row) for row in cells}) == 1 and len(cells) > 2 and len(cells[0]) > 1:
            for k in range(len(cells[0])):
                yield [Line(lines[0].number, row[k]) for row in cells]


def _names_in_columns(view: View, given: Board | None) -> Iterator[Offer]:
    for k, lines in enumerate(_columns_of(list(view.lines)), 1):
        squares = named(" ".join(line.text for line in lines))
        if len(squares) > 1:
            said = (*view.remarks, "squares by name", f"column {k} of the table")
            yield from tours_of_lists([(lines[0].number, squares)], said, given, from_below=True)


def names(view: View, given: Board | None) -> Iterator[Offer]:
    """Squares by name, with anything between them, also as moves from a square to the next."""
    for joined, split in parts_of(view):
        for left_out, parts in _kept(split):
            lists = [(part[0].number, named(" ".join(line.text for line in part))) for part in parts]
            found = [(line, squares) for line, squares in lists if len(squares) > 1]
            if found:
                yield from tours_of_lists(
                    found, (*view.remarks, "squares by name", *joined, *left_out), given, from_below=True
                )
    yield from _names_in_columns(view, given)


# ---------------------------------------------------------------- squares as pairs of numbers


def _columns(lines: list[Line]) -> tuple[list[int], int] | None:
    """Where a heading names a column for rows and one for columns: their places, and the number of columns."""
    for line in lines[:3]:
        words = [word.strip("\"' ()[]").lower() for word in re.split(r"[\s,;|]+", line.text.strip(" |"))]
        rows = [k for k, word in enumerate(words) if word in _ROW_WORDS]
        cols = [k for k, word in enumerate(words) if word in _COL_WORDS]
        if len(rows) == len(cols) == 1:
            return [rows[0], cols[0]], len(words)
    return None


def _pairs_of(lines: list[Line]) -> Iterator[tuple[tuple[str, ...], Squares]]:
    """The pairs that lines hold, (row, column), for each way to take their numbers in twos."""
    texts = [line.text for line in lines]
    numbers = [[int(x) for x in NUMBER.findall(_STEP.sub("", text))] for text in texts]
    full = [row for row in numbers if row]
    widths = {len(row) for row in full}
    heading = _columns(lines)
    if heading is not None and widths == {heading[1]}:
        row, col = heading[0]
        said = "column before row, as the heading says" if col < row else "columns by their heading"
        yield (said,), [(line[row], line[col]) for line in full]
    elif widths == {2}:
        yield (), [(a, b) for a, b in full]
    flat = [x for row in full for x in row]
    if widths - {2} and len(flat) % 2 == 0 and not re.search(r"[(\[{]", texts[0]):
        yield ("numbers in twos",), list(zip(flat[::2], flat[1::2], strict=True))
    words = " ".join(texts).replace(",", " ").split()
    if len(words) > 3 and all(len(word) == 2 and word.isascii() and word.isdigit() for word in words):
        yield ("two digits a square",), [(int(word[0]), int(word[1])) for word in words]


def pairs(view: View, given: Board | None) -> Iterator[Offer]:
    """Squares as pairs of numbers, counted from 0 or 1, in any brackets or a pair a line; row before column."""
    for joined, parts in parts_of(view):
        ways = [list(_pairs_of(part)) for part in parts]
        for how in dict.fromkeys(said for way in ways for said, _ in way):
            lists = [next((squares for said, squares in way if said == how), []) for way in ways]
            found = [(part[0].number, each) for part, each in zip(parts, lists, strict=True)]
            if all(len(squares) > 1 for _, squares in found):
                yield from pair_tours(found, (*view.remarks, *joined, *how), given)


def pair_tours(lists: list[tuple[int, Squares]], remarks: tuple[str, ...], given: Board | None) -> Iterator[Offer]:
    """Lists of pairs as tours: from 0 or from 1, and column before row where that fits the given board alone."""
    low = min(min(a, b) for _, squares in lists for a, b in squares)
    for base in (0, 1) if low else (0,):
        said = (*remarks, f"pairs counted from {base}")
        moved = [(line, [(a - base, b - base) for a, b in squares]) for line, squares in lists]
        yield from tours_of_lists(moved, said, given)
        if given is not None:
            turned = [(line, [(b, a) for a, b in squares]) for line, squares in moved]
            yield from tours_of_lists(turned, (*said, "column before row"), given)


# ---------------------------------------------------------------- square numbers


def square_numbers(view: View, given: Board | None) -> Iterator[Offer]:
    """Each square as one number, counted along the rows, of the given board or of a square one."""
    if any(named(line.text) for line in view.lines):
        return
    for joined, parts in parts_of(view):
        lists = [[int(x) for line in part for x in NUMBER.findall(line.text)] for part in parts]
        yield from order_tours([part[0].number for part in parts], lists, (*view.remarks, *joined), given)
    rows = [[int(x) for x in NUMBER.findall(line.text)] for line in view.lines]
    rows = [row for row in rows if row]
    if len(rows) > 1 and len(rows[0]) == 2 and given is None:
        size, order = rows[0], [x for row in rows[1:] for x in row]
        if size[0] * size[1] == len(order) > 1:
            said = (*view.remarks, f"the first line is the size, {size[0]}x{size[1]}")
            yield from order_tours([view.lines[0].number], [order], said, Board(*size))


def order_tours(
    lines: list[int], lists: list[list[int]], remarks: tuple[str, ...], given: Board | None
) -> Iterator[Offer]:
    """Lists of whole numbers as tours: square numbers in order of visit, or the numbers of a diagram along its rows."""
    for is_diagram in (False, True):
        tours: list[Reading] = []
        said: dict[str, None] = {}
        for line, order in zip(lines, lists, strict=True):
            again = len(order) > 3 and order[0] == order[-1]
            kept = order[:-1] if again else order
            side = isqrt(len(kept))
            board = given if given is not None else Board(side, side) if side * side == len(kept) > 1 else None
            if board is None or len(kept) != board.square_count:
                break
            base = 0 if board.holes else min(kept, default=-1)
            if base not in (0, 1):
                break
            if not board.holes and sorted(kept) != list(range(base, base + len(kept))):
                break
            if is_diagram:
                size = board.rows * board.cols
                grid = np.array(kept).reshape(board.rows, board.cols) if len(kept) == size and not again else None
                found = None if grid is None or board.holes else numbered_from(grid, board, line)
                if found is None:
                    break
                tours.append(found[1])
                said |= dict.fromkeys(("a diagram on one line", *found[0]))
                continue
            squares = np.stack(np.divmod(np.array(kept) - base, board.cols), axis=1)
            tours.append(Reading(board, squares, line))
            said |= dict.fromkeys([f"square numbers from {base}", *["the first square again at the end"] * again])
        if len(tours) == len(lists) > 0:
            yield Offer((*remarks, *said), tours)


# ---------------------------------------------------------------- lists of squares as tours


def _unchained(squares: Squares) -> Squares | None:
    """The squares of moves from one to the next, all but the first and last being there twice; None if they are not."""
    pairs = list(zip(squares[::2], squares[1::2], strict=False))
    if len(squares) < 4 or len(squares) % 2 or any(a[1] != b[0] for a, b in pairwise(pairs)):
        return None
    return [squares[0], *squares[1::2]]


def tours_of_lists(
    lists: list[tuple[int, Squares]], remarks: tuple[str, ...], given: Board | None, *, from_below: bool = False
) -> Iterator[Offer]:
    """Lists of (row, column), or (number, column) counted from below, as tours of the given board or a rectangle."""
    if len(lists) == 1:
        line, squares = lists[0]
        size = given.square_count if given is not None else _box(squares, from_below)
        if size > 1 and len(squares) > size and len(squares) % size == 0:
            parts = [(line, squares[k : k + size]) for k in range(0, len(squares), size)]
            yield from tours_of_lists(parts, (*remarks, "a tour after the other"), given, from_below=from_below)
    chains = [_unchained(squares) for _, squares in lists]
    ways: list[tuple[tuple[str, ...], list[Squares]]] = [((), [squares for _, squares in lists])]
    if all(chain is not None for chain in chains):
        ways.append((("moves from square to square",), [chain for chain in chains if chain is not None]))
    for how, found in ways:
        again = [len(squares) > 3 and squares[0] == squares[-1] for squares in found]
        kept = [squares[:-1] if closes else squares for squares, closes in zip(found, again, strict=True)]
        said = (*remarks, *how, *["the first square again at the end"] * any(again))
        tours = [_placed(squares, line, given, from_below) for (line, _), squares in zip(lists, kept, strict=True)]
        whole = [tour for tour in tours if tour is not None]
        if len(whole) == len(lists):
            yield Offer(said, whole)


def _box(squares: Squares, from_below: bool) -> int:
    """The number of squares of the least rectangle around them."""
    return (max(a for a, _ in squares) + (not from_below)) * (max(b for _, b in squares) + 1)


def _placed(squares: Squares, line: int, given: Board | None, from_below: bool) -> Reading | None:
    array = np.array(squares, dtype=np.int64)
    if from_below:
        height = int(array[:, 0].max()) if given is None else given.rows
        array = np.stack([height - array[:, 0], array[:, 1]], axis=1)
    if array.min() < 0 or array.max() >= 1 << 20:
        return None
    return Reading(given or rectangle_around(array), array, line)
