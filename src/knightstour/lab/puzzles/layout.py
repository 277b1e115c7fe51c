"""Lay out boards on pages to print: 1 to 12 per page, with answers below them or on pages at the end."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from knightstour.core.drawing.font_files import check_font_file, is_font_file
from knightstour.core.drawing.measures import PAPERS
from knightstour.core.drawing.origin import with_origin
from knightstour.core.drawing.paper import Box, Page, Paint, Text, pdf_fonts, to_pdf, width_in
from knightstour.core.drawing.themes import colour_of, theme_of
from knightstour.core.machine.files import open_target
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.validation import one_of, quoted, real_number, whole_number
from knightstour.lab.puzzles.panels import Inks, Panel, panel_items, plan_of

# Papers for sheets of puzzles.
SHEET_PAPERS: Final = ("A4", "Letter")

# Columns and rows of a page.
PER_PAGE: Final = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}
SOLUTIONS: Final = ("below", "last", "none")
# Lengths in mm.
_MARGIN = 14.0
_TITLE, _LINE, _CAPTION = 6.5, 3.6, 3.6
_GAP = 8.0
_LARGEST_SQUARE = 18.0
# The largest size that a user can request.
_MAX_SQUARE = 100.0
_BELOW, _NUMBER = 34.0, 3.5
# Darkness of the dark squares: 0 is white, 1 is black.
_SHADE = 0.12
# Black numbers are not legible on darker squares.
_MAX_SHADE = 0.5
# Numbers on smaller squares are not legible.
_SMALLEST_SQUARE = 2.8
# Colours: light and dark squares, given numbers, other text, and lines.
_ROLES = ("light", "dark", "number", "text", "frame")
_FONT = re.compile(r"[^\W\d_][\w-]*( [\w-]+)*")


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pages to print, with the solutions at the end."""

    pages: tuple[Page, ...]

    def to_svg(self) -> list[str]:
        """Return each page as an SVG picture."""
        return [page.to_svg() for page in self.pages]

    def to_pdf(self) -> bytes:
        """Return all pages as one PDF file."""
        return to_pdf(self.pages)

    def write(self, path: str | os.PathLike[str], *, origin: str = "") -> list[str]:
        """Write a .pdf, or one .svg per page: sheet.svg, sheet-2.svg, ... Return the names of the files.

        Args:
            origin: Text about the source of the sheet, stored in each file. The command line stores its command.

        Raises:
            OSError: If a file cannot be written.
        """
        name = Path(os.fspath(path))
        kind = sheet_kind(name)
        contents = [self.to_pdf()] if kind == "pdf" else [page.encode() for page in self.to_svg()]
        names = [name, *(name.with_name(f"{name.stem}-{k}{name.suffix}") for k in range(2, len(contents) + 1))]
        for file_name, content in zip(names, contents, strict=True):
            with open_target(file_name) as file:
                file.write(with_origin(content, origin) if origin else content)
        return [str(file_name) for file_name in names]


def sheet_kind(path: str | os.PathLike[str]) -> str:
    """Return the format of a file, "svg" or "pdf", from its name; raise FormatError for other names.

    >>> sheet_kind("puzzles.PDF")
    'pdf'
    """
    kind = Path(os.fspath(path)).suffix.lower()[1:]
    if kind not in ("svg", "pdf"):
        raise FormatError(f"a sheet needs the suffix .svg or .pdf, not {os.fspath(path)!r}")
    return kind


class Exercise(NamedTuple):
    """An exercise, and its answer or None."""

    task: Panel
    answer: Panel | None


class PageHead(NamedTuple):
    """The head of each page: a title, lines that depend on the exercises of the page, and space for name and date.

    lines: called with the index of the first exercise of the page, and of the first one of the next page.
    """

    title: str
    lines: Callable[[int, int], Sequence[str]]
    is_signed: bool = False


class SheetStyle(NamedTuple):
    """Appearance of the boards of a sheet.

    Attributes:
        square_mm: Side of a square, or None for the largest that fits on the page.
        shade: Darkness of the dark squares, from 0 (white) to 0.5; None for a light grey.
        font: Name of the font, "" for a default.
        colors: Colours instead of black and greys, by the names of a theme.
    """

    square_mm: float | None = None
    shade: float | None = None
    font: str = ""
    colors: Mapping[str, str | Sequence[str]] | None = None

    def paint(self, role: str, grey: float) -> Paint:
        """Return the colour of a role, or else that grey."""
        return colour_of(self.colors[role]) if self.colors and role in self.colors else grey

    @property
    def inks(self) -> Inks:
        """Return the colours of boards. Hexagons have a third colour between light and dark."""
        shade = _SHADE if self.shade is None else self.shade
        dark = self.paint("dark", 1.0 - shade)
        return Inks(
            light=self.paint("light", 1.0),
            dark=dark,
            third=dark if self.colors and "dark" in self.colors else 1.0 - shade / 2,
            frame=self.paint("frame", 0.0),
            between=self.paint("frame", 0.45),
            given=self.paint("number", 0.0),
            other=self.paint("text", 0.25),
            text=self.paint("text", 0.0),
        )

    def check(self, kind: str = "svg") -> None:
        """Raise ProblemError or FormatError for invalid options; `kind` is the format, "svg" or "pdf"."""
        if self.square_mm is not None:
            _in_range(self.square_mm, "square_mm", _SMALLEST_SQUARE, _MAX_SQUARE)
        if self.shade is not None:
            _in_range(self.shade, "shade", 0, _MAX_SHADE)
        theme_of("light", self.colors)
        for role in self.colors or {}:
            one_of(role, _ROLES, "colour of a sheet")
        if self.shade is not None and self.colors and "dark" in self.colors:
            raise ProblemError("shade and the colour of dark squares cannot be combined", help="omit one of them")
        if isinstance(self.font, str) and is_font_file(self.font):
            check_font_file(self.font)
            return
        if not isinstance(self.font, str) or not (self.font == "" or _FONT.fullmatch(self.font)):
            why = f"invalid name of a font: {quoted(self.font)}"
            raise FormatError(why, help="write it as in Open Sans, or use a file such as fonts/Garamond.ttf")
        if kind == "pdf":
            pdf_fonts(self.font)


def _in_range(value: float, name: str, least: float, most: float) -> None:
    if not least <= real_number(value, name) <= most:
        raise ProblemError(f"{name} cannot be {value:g}", help=f"pass {least:g} to {most:g}")


def lay_out(
    exercises: Sequence[Exercise],
    words: PageHead,
    per_page: int | None,
    paper: str,
    solutions: str | None,
    style: SheetStyle,
) -> Sheet:
    """Return exercises on pages; the arguments are as for draw_sheet."""
    style.check()
    for exercise in exercises:
        plan_of(exercise.task.board)
    if per_page is None:
        per_page = next((number for number in PER_PAGE if number >= len(exercises)), 6)
    if whole_number(per_page, "per_page") not in PER_PAGE:
        raise FormatError(f"per_page cannot be {per_page}", help="pass 1, 2, 4, 6 or 12")
    width, height = PAPERS[one_of(paper, SHEET_PAPERS, "paper")]
    parts = [exercises[at : at + per_page] for at in range(0, len(exercises), per_page)]
    if solutions is None:
        solutions = "below" if all(_are_legible_below(part, width) for part in parts) else "last"
    one_of(solutions, SOLUTIONS, "place for solutions")
    pages = []
    for k, part in enumerate(parts):
        page = Page(width, height, words.title, font=style.font)
        top = _heading(page, words.title, words.lines(k * per_page, k * per_page + len(part)), style)
        if words.is_signed:
            _signature(page, style)
        bottom = height - _MARGIN
        answers = [exercise.answer for exercise in part if exercise.answer is not None]
        if solutions == "below" and answers:
            bottom -= _BELOW + _GAP / 2
            _answers_below(page, answers, bottom + _GAP / 2, style)
        _grid(page, [exercise.task for exercise in part], PER_PAGE[per_page], (top, bottom), style)
        pages.append(page)
    answers = [exercise.answer for exercise in exercises if exercise.answer is not None]
    if solutions == "last":
        each = max(per_page, 6)
        for first in range(0, len(answers), each):
            page = Page(width, height, "Solutions", font=style.font)
            top = _heading(page, "Solutions", [], style)
            shown = answers[first : first + each]
            _grid(page, shown, PER_PAGE[each], (top, height - _MARGIN), style._replace(square_mm=None))
            pages.append(page)
    return Sheet(tuple(pages))


def _heading(page: Page, title: str, lines: Sequence[str], style: SheetStyle) -> float:
    """Write the title and some lines; return their lower edge."""
    y = _MARGIN + 0.8 * _TITLE
    room, ink = page.width - 2 * _MARGIN, style.paint("text", 0.0)
    page.items.append(Text(_MARGIN, y, title, _fitting_size(title, _TITLE, room, style), is_bold=True, ink=ink))
    y += 0.2 * _TITLE
    for line in lines:
        y += 1.45 * _LINE
        page.items.append(Text(_MARGIN, y, line, _fitting_size(line, _LINE, room, style), ink=ink))
    return y + _GAP


def _fitting_size(text: str, size: float, room: float, style: SheetStyle) -> float:
    """Return a font size for a width."""
    return min(size, room / max(1e-9, width_in(style.font, text, 1.0)))


def _signature(page: Page, style: SheetStyle) -> None:
    """Add lines for a name and a date."""
    end, y, ink = page.width - _MARGIN, _MARGIN + 0.8 * _TITLE, style.paint("text", 0.0)
    for word, length in (("Date", 24.0), ("Name", 48.0)):
        page.items.append(Box(end - length, y, length, 0.2, ink))
        page.items.append(Text(end - length - 1.5, y, word, _LINE, "end", ink=ink))
        end -= length + 14.0


def _grid(
    page: Page, panels: Sequence[Panel], shape: tuple[int, int], place: tuple[float, float], style: SheetStyle
) -> None:
    """Add panels in a grid of equal squares. place: upper and lower limit."""
    cols, rows = shape
    width = (page.width - 2 * _MARGIN - (cols - 1) * _GAP) / cols
    height = (place[1] - place[0] - (rows - 1) * _GAP / 2) / rows
    plans = [plan_of(panel.board) for panel in panels]
    highest, widest = max(plan.height for plan in plans), max(plan.width for plan in plans)
    lines = 2.7 if any(panel.note for panel in panels) else 1.8
    largest = min(width / widest, (height - lines * _CAPTION) / highest)
    side = min(largest, _LARGEST_SQUARE) if style.square_mm is None else style.square_mm
    if side > largest + 1e-9:
        why = f"squares of {side:g} mm do not fit: there are {len(panels)} boards on a page"
        raise FormatError(why, help=f"use at most {math.floor(10 * largest) / 10:g} mm, or fewer boards per page")
    for k, (panel, plan) in enumerate(zip(panels, plans, strict=True)):
        x = _MARGIN + (k % cols) * (width + _GAP)
        y = place[0] + (k // cols) * (height + _GAP / 2)
        page.items += panel_items(panel, x + (width - side * plan.width) / 2, y, side, style.inks)
        below = y + side * plan.height + 1.3 * _CAPTION
        ink = style.paint("text", 0.0)
        page.items.append(Text(x + width / 2, below, panel.caption, _CAPTION, "middle", ink=ink))
        if panel.note:
            size, ink = _fitting_size(panel.note, 0.75 * _CAPTION, width, style), style.paint("text", 0.25)
            page.items.append(Text(x + width / 2, below + 1.1 * _CAPTION, panel.note, size, "middle", ink=ink))


def _answers_below(page: Page, panels: Sequence[Panel], top: float, style: SheetStyle) -> None:
    """Draw the answers upside down in one row, each with the number of its exercise."""
    width = _width_below(len(panels), page.width)
    for k, panel in enumerate(panels):
        side = _side(panel.board, width, _BELOW - _NUMBER)
        x = _MARGIN + k * (width + _GAP / 2)
        items, plan = panel_items(panel, x, top, side, style.inks), plan_of(panel.board)
        below = top + side * plan.height + 3.0
        number, ink = panel.caption.split(" ")[0], style.paint("text", 0.0)
        items.append(Text(x + side * plan.width / 2, below, number, 2.6, "middle", ink=ink))
        page.items += [item.rotate(page.width / 2, top + _BELOW / 2) for item in items]


def _width_below(count: int, width: float) -> float:
    """Return the width of each of `count` answers."""
    return (width - 2 * _MARGIN - (count - 1) * _GAP / 2) / max(count, 2)


def _are_legible_below(exercises: Sequence[Exercise], width: float) -> bool:
    each = _width_below(len(exercises), width)
    boards = [exercise.task.board for exercise in exercises]
    return all(_side(board, each, _BELOW - _NUMBER) >= _SMALLEST_SQUARE for board in boards)


def _side(board: Board, width: float, height: float) -> float:
    plan = plan_of(board)
    return min(width / plan.width, height / plan.height, _LARGEST_SQUARE)
