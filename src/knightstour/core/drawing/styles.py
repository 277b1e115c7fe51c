"""The tables of pictures: the styles, and the options that Python, the command line and the page's API share.

The row of a style names the options that it does not use; all doors refuse them in the same words (`look_of`). Nothing
here loads NumPy, so that the help of the command line is there at once.
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

    squares: "chess" for a board of two colours, "heat" for squares coloured by step, "" for none.
    line: "straight" or "smooth". width: width of the line, in squares. opacity: opacity of the line.
    dots: whether squares have a point where the line turns. numbers: whether squares show their numbers by default.
    frame: whether the board has a border, and its rows and columns have names.
    by_step: whether the line of a tour changes its colour from the first step to the last.
    is_mosaic: whether the inside of the line is shaded by the even-odd rule, so that the two sides of the line differ
        everywhere. is_filled: whether the inside of the line has a pale colour, by the same rule. hides_ends: whether
        start and end of an open tour are not marked. moves: whether animations are drawn in it.
    at_any_size: whether boards of millions of squares are drawn in it, as PNG.
    on_page: whether the page and HTML files draw it without a server.
    is_for_boxes: whether it is for boxes. The page, which shows boxes by layers, does not offer it.
    on_paper: whether its picture is a sheet of paper, of any kind of file.
    ignores: options without an effect, which are rejected; with_numbers: further such options if it shows numbers.
    path: function that draws the lines of the path as SVG, or None. sheet: function that draws the whole SVG of several
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
# The styles of the core first; the lab adds its own.
STYLES: Table[Style] = Table("styles", _STYLES)


class LookOption(NamedTuple):
    """A row of LOOK_OPTIONS or SHEET_OPTIONS.

    kind: "text", "number", "whole", "flag", "squares" (a list), "pairs" (a mapping), "length" (15mm), or
        "window" (0,0,8,8).
    words: the help text for the command line and the API; "{styles}" stands for the names of the styles.
    """

    kind: str
    words: str

    @property
    def help(self) -> str:
        """The help text. For the style, it includes the styles that the lab adds."""
        return self.words.format(styles=", ".join(STYLES)) if "{" in self.words else self.words


LOOK_OPTIONS: dict[str, LookOption] = {
    "style": LookOption("text", "one of {styles}"),
    "theme": LookOption("text", "auto (as the reader prefers, SVG only), light or dark"),
    "colors": LookOption("pairs", "other colours, such as path=#aa0000, path=teal or background=ivory"),
    "numbers": LookOption("whole", "show each N-th number; 1 for all"),
    "labels": LookOption("pairs", "texts on squares, such as a1=here"),
    "coordinates": LookOption("flag", "names of rows and columns; of a plotter, lines between the squares"),
    "arrows": LookOption("flag", "an arrow head on each move"),
    "highlight": LookOption("squares", "squares to point out"),
    "line_width": LookOption("length", "width of the line: in squares, of a plotter in mm; or such as 0.3mm"),
    "size": LookOption("number", "longer side in pixels, for a plotter in millimetres"),
    "paper": LookOption("text", "for PDF and plotter: A1 to A5 or Letter, A3 landscape, or such as 600x400mm"),
    "title": LookOption("text", "what screen readers call the picture"),
}

# Options of a picture that are not part of its look, for the command line. Python has arguments with these names.
SHEET_OPTIONS: dict[str, LookOption] = {
    "window": LookOption("window", "only H rows from row R and W columns from column C"),
    "per_row": LookOption("whole", "several tours on a sheet: N in a row"),
    "fps": LookOption("number", "frames per second; for a web page: steps per second"),
}

# Options of pictures on paper.
PAPER_OPTIONS = ("paper",)
