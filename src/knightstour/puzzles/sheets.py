"""Sheets of puzzles to print: 1 to 12 on a page, with their solutions upside down below them or on pages at the end."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from knightstour.drawing.paper import PAPERS, Box, Page, Text, middle, to_pdf
from knightstour.machine.files import open_target
from knightstour.model.errors import FormatError
from knightstour.model.validation import listed, one_of, whole_number
from knightstour.puzzles.files import PLACE, mark
from knightstour.puzzles.puzzle import Puzzle

# Columns and rows of a page.
PER_PAGE: Final = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
SOLUTIONS: Final = ("below", "last", "none")
# Lengths in mm.
_MARGIN = 14.0
_TITLE, _LINE, _CAPTION = 6.5, 3.6, 3.6
_GAP = 8.0
_LARGEST_SQUARE = 18.0
_BELOW, _NUMBER = 34.0, 3.5
_DARK, _HOLE = 0.88, 0.35
# The numbers on smaller squares cannot be read.
_SMALLEST_SQUARE = 2.8


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pages of puzzles. `pages` are in order, those with solutions last."""

    pages: tuple[Page, ...]

    def to_svg(self) -> list[str]:
        """Each page as an SVG picture."""
        return [page.to_svg() for page in self.pages]

    def to_pdf(self) -> bytes:
        """All pages as one PDF file."""
        return to_pdf(self.pages)

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> list[str]:
        """Write a .pdf, or an .svg for each page: sheet.svg, sheet-2.svg, ... The names of the files written.

        force: whether existing files are replaced. Raises FormatError where one cannot be written.
        """
        name = Path(os.fspath(path))
        kind = sheet_kind(name)
        contents = [self.to_pdf()] if kind == "pdf" else [page.encode() for page in self.to_svg()]
        names = [name, *(name.with_name(f"{name.stem}-{k}{name.suffix}") for k in range(2, len(contents) + 1))]
        for file_name, content in zip(names, contents, strict=True):
            with open_target(file_name, force=force) as file:
                file.write(content)
        return [str(file_name) for file_name in names]


def sheet_kind(path: str | os.PathLike[str]) -> str:
    """What a file of that name holds, "svg" or "pdf"; a FormatError for another name.

    >>> sheet_kind("puzzles.PDF")
    'pdf'
    """
    kind = Path(os.fspath(path)).suffix.lower()[1:]
    if kind not in ("svg", "pdf"):
        raise FormatError(f"a sheet is an .svg or a .pdf, not {os.fspath(path)!r}")
    return kind


def draw_sheet(
    puzzles: Iterable[Puzzle],
    *,
    per_page: int | None = None,
    paper: str = "A4",
    solutions: str | None = None,
    title: str | None = None,
) -> Sheet:
    """Puzzles laid out to be printed in black, with the level under each.

    per_page: 1, 2, 4, 6 or 12; None for as many as there are, or 6. paper: "A4" or "Letter".
    solutions: "below" (upside down at the foot of the page), "last" (on pages at the end) or "none"; None for below
        where they can be read there, else last. Puzzles that were read have none until they are solved.
    title: at the head of each page; None for one that says what to do.

    Raises FormatError for what cannot be laid out, ProblemError for a word that is not one of these.

    >>> from knightstour.puzzles.make import make_puzzle
    >>> sheet = draw_sheet([make_puzzle("5x5", rng=1)], solutions="last")
    >>> len(sheet.pages), sheet.to_pdf()[:4]
    (2, b'%PDF')
    """
    asked = listed(puzzles, "puzzles", error=FormatError)
    if not asked:
        raise FormatError("there is no puzzle to print")
    if any(puzzle.board.graph is not None for puzzle in asked):
        raise FormatError("a graph has no rows and columns to print")
    if per_page is None:
        per_page = next((number for number in PER_PAGE if number >= len(asked)), 6)
    if whole_number(per_page, "per_page") not in PER_PAGE:
        raise FormatError(f"{per_page} puzzles on a page", help="give 1, 2, 4, 6 or 12")
    width, height = PAPERS[one_of(paper, PAPERS, "paper")]
    parts = [asked[at : at + per_page] for at in range(0, len(asked), per_page)]
    if solutions is None:
        solutions = "below" if all(_are_legible_below(part, width) for part in parts) else "last"
    one_of(solutions, SOLUTIONS, "place for solutions")
    pages = []
    for k, part in enumerate(parts):
        page = Page(width, height, title or "Knight's tour puzzles")
        first = k * per_page
        top = _heading(page, title or "Knight's tour", _rules(part) if title is None else [])
        bottom = height - _MARGIN
        if solutions == "below" and any(puzzle.solution for puzzle in part):
            bottom -= _BELOW + _GAP / 2
            _solutions_below(page, part, first, bottom + _GAP / 2)
        _grid(page, part, first, PER_PAGE[per_page], (top, bottom), is_solved=False)
        pages.append(page)
    if solutions == "last" and any(puzzle.solution for puzzle in asked):
        each = max(per_page, 6)
        for first in range(0, len(asked), each):
            page = Page(width, height, "Solutions")
            top = _heading(page, "Solutions", [])
            _grid(page, asked[first : first + each], first, PER_PAGE[each], (top, height - _MARGIN), is_solved=True)
            pages.append(page)
    return Sheet(tuple(pages))


def _rules(puzzles: Sequence[Puzzle]) -> list[str]:
    """What to do, in lines."""
    sizes = {puzzle.board.square_count for puzzle in puzzles}
    last = str(sizes.pop()) if len(sizes) == 1 else "the number of squares"
    pieces = {puzzle.board.leaper for puzzle in puzzles}
    move = "a knight's move" if pieces == {(1, 2)} else "a move"
    lines = [f"Number the squares from 1 to {last}, so that each number is {move} from the one before."]
    if any(puzzle.closed for puzzle in puzzles):
        lines.append("Where the tour is closed, the last number is a move from 1, too.")
    if any(puzzle.text for puzzle in puzzles):
        lines.append("The letters, in the order of the numbers, are a text.")
    return [*lines, "Each puzzle has exactly one solution."]


def _heading(page: Page, title: str, lines: Sequence[str]) -> float:
    """Write the title and some lines; how far down they reach."""
    y = _MARGIN + 0.8 * _TITLE
    page.items.append(Text(_MARGIN, y, title, _TITLE, is_bold=True))
    y += 0.2 * _TITLE
    for line in lines:
        y += 1.45 * _LINE
        page.items.append(Text(_MARGIN, y, line, _LINE))
    return y + _GAP


def _grid(
    page: Page,
    puzzles: Sequence[Puzzle],
    first: int,
    shape: tuple[int, int],
    place: tuple[float, float],
    *,
    is_solved: bool,
) -> None:
    """Puzzles in columns and rows. first: the number of those before. place: from where to where, downwards."""
    cols, rows = shape
    width = (page.width - 2 * _MARGIN - (cols - 1) * _GAP) / cols
    height = (place[1] - place[0] - (rows - 1) * _GAP / 2) / rows
    for k, puzzle in enumerate(puzzles):
        x = _MARGIN + (k % cols) * (width + _GAP)
        y = place[0] + (k // cols) * (height + _GAP / 2)
        below = 1.8 * _CAPTION
        side = _side(puzzle, width, height - below)
        left = x + (width - side * puzzle.board.cols) / 2
        page.items += drawn(puzzle, left, y, side, is_solved=is_solved)
        words = caption(puzzle, first + k + 1)
        at = y + side * puzzle.board.rows + 1.3 * _CAPTION
        page.items.append(Text(x + width / 2, at, words, _CAPTION, "middle"))


def _solutions_below(page: Page, puzzles: Sequence[Puzzle], first: int, top: float) -> None:
    """The solutions in one row, upside down, the first at the right as the page is read."""
    width = _width_below(len(puzzles), page.width)
    for k, puzzle in enumerate(puzzles):
        side = _side(puzzle, width, _BELOW - _NUMBER)
        x = _MARGIN + k * (width + _GAP / 2)
        items = drawn(puzzle, x, top, side, is_solved=True)
        at = top + side * puzzle.board.rows
        items.append(Text(x + side * puzzle.board.cols / 2, at + 3.0, str(first + k + 1), 2.6, "middle"))
        page.items += [item.turned(page.width / 2, top + _BELOW / 2) for item in items]


def _width_below(count: int, width: float) -> float:
    """The width of each of so many solutions in a row, on a page of that width."""
    return (width - 2 * _MARGIN - (count - 1) * _GAP / 2) / max(count, 2)


def _are_legible_below(puzzles: Sequence[Puzzle], width: float) -> bool:
    """Whether the solutions of these can be read in one row, on a page of that width."""
    each = _width_below(len(puzzles), width)
    return all(_side(puzzle, each, _BELOW - _NUMBER) >= _SMALLEST_SQUARE for puzzle in puzzles)


def _side(puzzle: Puzzle, width: float, height: float) -> float:
    """The side of a square of a puzzle that is to fit into a box."""
    return min(width / puzzle.board.cols, height / puzzle.board.rows, _LARGEST_SQUARE)


def drawn(puzzle: Puzzle, left: float, top: float, side: float, *, is_solved: bool = False) -> list[Box | Text]:
    """The board of a puzzle, with its given numbers in bold; and the others too if it is solved."""
    board = puzzle.board
    numbers = puzzle.solution.numbers.tolist() if is_solved and puzzle.solution is not None else None
    items: list[Box | Text] = []
    line = min(0.25, side / 40)
    for row in range(board.rows):
        for col in range(board.cols):
            x, y = left + col * side, top + row * side
            is_hole = (row, col) in board.holes
            fill = _HOLE if is_hole else _DARK if (row + col) % 2 else 1.0
            items.append(Box(x, y, side, side, fill, 0.45, line))
            given = puzzle.given.get((row, col))
            if given is not None and (numbers is None or puzzle.text):
                items.append(_written(x, y, side, mark(puzzle, given), is_bold=True))
                if numbers is not None and not is_hole:
                    small = Text(x + 0.9 * side, y + 0.92 * side, str(numbers[row][col]), 0.24 * side, "end")
                    items.append(small)
            elif numbers is not None and not is_hole:
                items.append(_written(x, y, side, str(numbers[row][col]), is_bold=given is not None))
    items.append(Box(left, top, side * board.cols, side * board.rows, None, 0.0, 2.5 * line))
    return items


def _written(x: float, y: float, side: float, text: str, *, is_bold: bool) -> Text:
    size = side * (0.52 if len(text) < 3 else 0.42)
    return middle(x + side / 2, y + side / 2, text, size, is_bold=is_bold, grey=0.0 if is_bold else 0.25)


def caption(puzzle: Puzzle, number: int) -> str:
    """The line under a puzzle: its number, level, kind of tour, and board if it is no plain one.

    >>> caption(Puzzle.of("3x4", {"a3": 1}, closed=True), 2)
    '2 · closed'
    """
    words = [str(number), puzzle.level, "closed" if puzzle.closed else "open"]
    if puzzle.board.wrap:
        words.append(puzzle.board.wrap)
    if puzzle.board.leaper != (1, 2):
        words.append("leaps {}, {}".format(*puzzle.board.leaper))
    places = [sorted(numbers) for numbers in puzzle.given.values() if not isinstance(numbers, int)]
    if places and not puzzle.text:
        words.append(f"{PLACE}: " + ", ".join(map(str, places[0][:3])) + ", ..")
    return " · ".join(word for word in words if word)
