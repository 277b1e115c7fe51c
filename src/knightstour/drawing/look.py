"""How a picture looks: the styles, and the options that Python, the command line and the page's API share."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias, TypedDict, Unpack

import numpy as np

from knightstour.drawing.figure import Figure
from knightstour.drawing.themes import THEMES, Theme, theme_of
from knightstour.model.board import Board, Square
from knightstour.model.errors import FormatError
from knightstour.model.validation import flag, listed, one_of, real_number, shown

SquareName: TypeAlias = "Square | str"
Labels: TypeAlias = "Mapping[Square, object] | Mapping[str, object]"
Highlight: TypeAlias = "Mapping[Square, str] | Mapping[str, str] | Iterable[SquareName]"


@dataclass(frozen=True, slots=True)
class Style:
    """A row of STYLES.

    squares: "chess" for a board of two colours, "heat" for squares coloured by step, "" for none.
    line: "straight" or "smooth". width: of the line, in squares. opacity: of the line.
    dots: whether squares have a point where the line turns. numbers: whether squares show their numbers by default.
    frame: whether the board has a border, and its rows and columns have names.
    by_step: whether the line of a tour changes its colour from the first step to the last.
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


STYLES: dict[str, Style] = {
    "board": Style("a chess board with the path", dots=True),
    "line": Style("the path alone, as straight lines", squares="", width=0.08, frame=False),
    "curve": Style("the path alone, as a smooth line", squares="", line="smooth", width=0.08, frame=False),
    "steps": Style(
        "the path alone, its colour changing from the first step to the last",
        squares="",
        width=0.13,
        frame=False,
        by_step=True,
    ),
    "numbers": Style("a chess board with the numbers, the path faint behind", width=0.07, opacity=0.28, numbers=True),
    "heat": Style("squares coloured by their step, dark to light", squares="heat", width=0.05),
    "plotter": Style("for a pen plotter: millimetres, strokes only, one path per pen", squares="", frame=False),
}

# Rows and columns of longer sides are named only if the options ask for it.
_MOST_NAMED = 100


class LookOption(NamedTuple):
    """A row of LOOK_OPTIONS.

    kind: "text", "number", "whole", "flag", "squares" (a list), "pairs" (a mapping), or "closing" (of closing_move).
    help: what the command line and the API say of it.
    """

    kind: str
    help: str


LOOK_OPTIONS: dict[str, LookOption] = {
    "style": LookOption("text", ", ".join(STYLES)),
    "theme": LookOption("text", "auto (as the reader prefers, SVG only), light or dark"),
    "colors": LookOption("pairs", "other colours for roles of the theme, such as path=#aa0000"),
    "numbers": LookOption("whole", "show each K-th number; 1 for all"),
    "labels": LookOption("pairs", "texts on squares, such as a1=here"),
    "coordinates": LookOption("flag", "names of rows and columns"),
    "arrows": LookOption("flag", "an arrow head on each move"),
    "mark_ends": LookOption("flag", "a disc at the start and a ring at the end"),
    "closing_move": LookOption("closing", "whether the closing move is drawn: yes, no or dashed"),
    "highlight": LookOption("squares", "squares to point out"),
    "filled": LookOption("flag", "colour the inside of a closed tour"),
    "background": LookOption("text", "a colour, paper for that of the theme, or none"),
    "line_width": LookOption("number", "width of the line, in squares"),
    "size": LookOption("number", "longer side in pixels, for a plotter in millimetres"),
    "title": LookOption("text", "what screen readers call the picture"),
}


class LookOptions(TypedDict, total=False):
    """The options of a picture as keywords; `draw_svg` says what they mean."""

    style: str
    theme: str
    colors: Mapping[str, str | Sequence[str]] | None
    numbers: bool | int
    labels: Labels | None
    coordinates: bool | None
    arrows: bool
    mark_ends: bool | None
    closing_move: bool | str
    highlight: Highlight | None
    filled: bool
    background: str | None
    line_width: float | None
    size: float | None
    title: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """The options of a picture with their defaults, checked by `look_of`; `draw_svg` says what they mean."""

    style: str = "board"
    theme: str = "auto"
    colors: Mapping[str, str | Sequence[str]] | None = None
    numbers: bool | int = False
    labels: Labels | None = None
    coordinates: bool | None = None
    arrows: bool = False
    mark_ends: bool | None = None
    closing_move: bool | str = True
    highlight: Highlight | None = ()
    filled: bool = False
    background: str | None = None
    line_width: float | None = None
    size: float | None = None
    title: str | None = None

    @property
    def row(self) -> Style:
        """The style's row of STYLES."""
        return STYLES[self.style]

    @property
    def palette(self) -> Theme:
        """The colours of the theme; for "auto" those of the light theme."""
        return theme_of("dark" if self.theme == "dark" else "light", self.colors)

    @property
    def pen_width(self) -> float:
        """Width of the path, in squares."""
        return self.row.width if self.line_width is None else self.line_width

    def changed(self, **options: Unpack[LookOptions]) -> Look:
        """The same look with these options changed."""
        return replace(self, **options)

    def every(self) -> int:
        """Which numbers are shown: k for each k-th, 0 for none."""
        return int(self.numbers or self.row.numbers)

    def marks_ends(self, figure: Figure) -> bool:
        """Whether start and end are marked; by default they are, except in a picture of a loop without a board."""
        if self.mark_ends is None:
            return self.row.frame or not figure.is_loop
        return self.mark_ends

    def has_names(self, figure: Figure) -> bool:
        """Whether rows and columns are named."""
        if self.coordinates is None:
            return self.row.frame and max(figure.rows, figure.cols) <= _MOST_NAMED
        return self.coordinates

    def highlighted(self, board: Board) -> dict[tuple[int, int], str]:
        """The squares to point out, each with its colour, "" for that of the theme."""
        if isinstance(self.highlight, Mapping):
            return {board.square(s): _colour(c) for s, c in self.highlight.items()}
        return {board.square(square): "" for square in self.highlight or ()}

    def labelled(self, board: Board) -> dict[tuple[int, int], str]:
        """The texts on squares that were given."""
        return {board.square(s): str(text) for s, text in (self.labels or {}).items()}


def check_names(options: Iterable[str], known: Collection[str], owner: str) -> None:
    """Raise a FormatError for the first name that is none of the known options of `owner`."""
    for name in options:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            raise FormatError(
                f"{owner} have no option {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""),
                help="options: " + ", ".join(known),
            )


def look_of(options: LookOptions) -> Look:
    """The Look with these options; a FormatError for options that make no sense."""
    check_names(options, LOOK_OPTIONS, "pictures")
    look = Look(**options)
    one_of(look.style, STYLES, "style", error=FormatError)
    one_of(look.theme, ("auto", *THEMES), "theme", error=FormatError)
    for name in ("arrows", "filled", "coordinates", "mark_ends"):
        if name in ("arrows", "filled") or getattr(look, name) is not None:
            flag(getattr(look, name), name, error=FormatError)
    is_dashed = isinstance(look.closing_move, str) and look.closing_move == "dashed"
    if not is_dashed and not isinstance(look.closing_move, bool | np.bool_):
        raise FormatError(f"closing_move is True, False or 'dashed', not {shown(look.closing_move)}")
    if not isinstance(look.numbers, int | np.integer | np.bool_) or look.numbers < 0:
        raise FormatError(f"numbers is True, False, or k for each k-th number, not {shown(look.numbers)}")
    size = 1 if look.size is None else real_number(look.size, "size", error=FormatError, help="give pixels")
    if not 1 <= size <= 100_000:
        raise FormatError(f"a picture of size {look.size} makes no sense", help="give 1 to 100,000")
    width = look.pen_width
    if not 0 < real_number(width, "line_width", error=FormatError, help="give squares") <= 1:
        raise FormatError(f"a line_width of {width} makes no sense", help="give squares: above 0, at most 1")
    for name in ("colors", "labels"):
        if not isinstance(getattr(look, name), Mapping | None):
            raise FormatError(f"{name} must be a dict, not {shown(getattr(look, name))}")
    if not isinstance(look.highlight, Mapping | None):
        look = look.changed(highlight=listed(look.highlight, "highlight", error=FormatError))
    if not isinstance(look.title, str | None):
        raise FormatError(f"title must be a text, not {shown(look.title)}")
    if look.background is not None and (not isinstance(look.background, str) or look.background != "paper"):
        _colour(look.background)
    _ = look.palette  # its colours are checked here
    return look


def _colour(text: object) -> str:
    """The text, if SVG could take it for a colour and for nothing else."""
    if not isinstance(text, str) or not text or not text.replace("#", "").isalnum():
        raise FormatError(f"not a colour: {shown(text)}", help="write it as #rrggbb")
    return text
