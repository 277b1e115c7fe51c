"""Tables of styles and of picture options, shared by Python, the command line and the page's API.

`look_of` rejects options that a style does not use. Nothing here loads NumPy, to keep help fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from knightstour.core.model.lazy import Table

if TYPE_CHECKING:
    from knightstour.core.drawing.figure import Figure
    from knightstour.core.drawing.look import Look
    from knightstour.core.drawing.svg.pen import Pen


@dataclass(frozen=True, slots=True)
class Style:
    """A row of STYLES.

    squares: "chess" for two colours, "heat" for squares coloured by step, "" for none.
    line: "straight" or "smooth". width: width of the line, in squares. opacity: opacity of the line.
    dots: whether turns of the line have a point. numbers: whether squares show numbers by default.
    frame: whether the board has a border and names. by_step: whether the line changes its colour from start to end.
    is_mosaic: whether the inside of the line is dark by the even-odd rule. is_filled: whether it has a pale colour.
    hides_ends: whether start and end of an open tour are unmarked. moves: whether it supports animations.
    at_any_size: whether it supports boards of millions of squares as PNG.
    on_page: whether the page and HTML files draw it without a server.
    is_for_boxes: whether it is for boxes, and not offered by the page.
    on_paper: whether its picture is a sheet of paper.
    ignores: options that are rejected. with_numbers: further such options if it shows numbers.
    path: function that draws the lines of the path as SVG, or None. sheet: function that draws the SVG of several
        figures, in millimetres.
    """

    summary: str
    squares: str = "chess"
    line: str = "straight"
    width: float = 0.09
    opacity: float = 1.0
    dots: bool = False
    numbers: bool = False
    frame: bool = True
    by_step: bool = False
    is_mosaic: bool = False
    is_filled: bool = False
    hides_ends: bool = False
    moves: bool = True
    at_any_size: bool = False
    on_page: bool = True
    is_for_boxes: bool = False
    on_paper: bool = False
    ignores: tuple[str, ...] = ()
    with_numbers: tuple[str, ...] = ()
    path: Callable[[Figure, Look, Pen], str] | None = None
    sheet: Callable[..., str] | None = None


_STYLES: Final[dict[str, Style]] = {
    "board": Style("a chess board with the path", dots=True, at_any_size=True),
    "line": Style("the path alone, as straight lines", squares="", width=0.08, frame=False, at_any_size=True),
    "curve": Style("the path alone, as a smooth line", squares="", line="smooth", width=0.08, frame=False),
    "steps": Style(
        "the path alone, its colour changing from the first step to the last",
        squares="",
        width=0.13,
        frame=False,
        by_step=True,
        on_page=False,
    ),
    "filled": Style(
        "the path alone, as a smooth line, with its inside coloured by the even-odd rule",
        squares="",
        line="smooth",
        width=0.06,
        frame=False,
        is_filled=True,
        on_page=False,
    ),
    "mosaic": Style(
        "the pieces that the path cuts the board into, dark and light by turns",
        squares="",
        width=0.03,
        frame=False,
        is_mosaic=True,
        hides_ends=True,
        moves=False,
        on_page=False,
        ignores=("numbers", "labels", "arrows", "highlight"),
    ),
    "numbers": Style(
        "a chess board with the numbers, the path faint behind",
        width=0.07,
        opacity=0.28,
        numbers=True,
        hides_ends=True,
    ),
    "heat": Style(
        "squares coloured by their step, dark to light",
        squares="heat",
        width=0.05,
        at_any_size=True,
        on_page=False,
        with_numbers=("arrows", "line_width"),
    ),
    "oblique": Style(
        "a box as a whole, its layers behind each other, the line coloured by step; other boards as they lie",
        squares="",
        width=0.07,
        frame=False,
        by_step=True,
        on_page=False,
        is_for_boxes=True,
    ),
}
# The lab adds further styles.
STYLES: Table[Style] = Table("styles", _STYLES)


class LookOption(NamedTuple):
    """A row of LOOK_OPTIONS or SHEET_OPTIONS.

    kind: "text", "number", "whole", "flag", "squares" (a list), "pairs" (a mapping), "length" (15mm), or
        "window" (0,0,8,8).
    words: help text for the command line and the API; "{styles}" stands for the styles.
    """

    kind: str
    words: str

    @property
    def help(self) -> str:
        """Help text."""
        return self.words.format(styles=", ".join(STYLES)) if "{" in self.words else self.words


LOOK_OPTIONS: dict[str, LookOption] = {
    "style": LookOption("text", "one of {styles}"),
    "theme": LookOption("text", "auto (the reader's choice, SVG only), light or dark"),
    "colors": LookOption("pairs", "other colours, such as path=#aa0000, path=teal or background=ivory"),
    "numbers": LookOption("whole", "show each N-th number; 1 for all"),
    "labels": LookOption("pairs", "texts on squares, such as a1=here"),
    "coordinates": LookOption("flag", "names of rows and columns; for a plotter, lines between the squares"),
    "arrows": LookOption("flag", "an arrow head on each move"),
    "highlight": LookOption("squares", "squares to point out"),
    "line_width": LookOption("length", "width of the line: in squares, for a plotter in mm; or such as 0.3mm"),
    "size": LookOption("number", "longer side in pixels, for a plotter in millimetres"),
    "paper": LookOption("text", "for PDF and plotter: A1 to A5 or Letter, A3 landscape, or such as 600x400mm"),
    "title": LookOption("text", "title for screen readers"),
}

# Further options of a picture for the command line.
SHEET_OPTIONS: dict[str, LookOption] = {
    "window": LookOption("window", "only H rows from row R and W columns from column C"),
    "per_row": LookOption("whole", "pictures per row, for several tours on a sheet"),
    "fps": LookOption("number", "frames per second; for a web page: steps per second"),
}

PAPER_OPTIONS = ("paper",)
