"""How a picture looks: its style and the choices of whoever asks for it, checked in one place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from knightstour.drawing.figure import Figure
from knightstour.drawing.themes import THEMES, Theme, theme_of
from knightstour.model.board import Board
from knightstour.model.errors import FormatError
from knightstour.model.validation import flag, listed, one_of, real_number, shown


@dataclass(frozen=True, slots=True)
class Style:
    """A row of STYLES.

    squares: "chess" for a board of two colours, "heat" for squares coloured by step, "" for none.
    line: "straight" or "smooth". width: of the line, in squares. opacity: of the line.
    dots: whether squares have a point where the line turns. numbers: whether squares show their numbers unasked.
    frame: whether the board has a border and its names.
    """

    summary: str
    squares: str = "chess"
    line: str = "straight"
    width: float = 0.09
    opacity: float = 1.0
    dots: bool = False
    numbers: bool = False
    frame: bool = True


STYLES: dict[str, Style] = {
    "board": Style("a chess board with the path", dots=True),
    "line": Style("the path alone, as straight lines", squares="", width=0.08, frame=False),
    "curve": Style("the path alone, as a smooth line", squares="", line="smooth", width=0.08, frame=False),
    "numbers": Style("a chess board with the numbers, the path faint behind", width=0.07, opacity=0.28, numbers=True),
    "heat": Style("squares coloured by their step, dark to light", squares="heat", width=0.05),
    "plotter": Style("for a pen plotter: millimetres, strokes only, one path per pen", squares="", frame=False),
}

# Up to so many squares a side, names stand along the board unasked.
_MOST_NAMED = 100


@dataclass(frozen=True, slots=True)
class Look:
    """What was asked for; `look_of` makes it. See `draw_svg` for the meanings."""

    style: str = "board"
    theme: str = "auto"
    colors: Mapping[str, str] | None = None
    numbers: bool | int = False
    labels: Mapping[Any, Any] | None = None
    coordinates: bool | None = None
    arrows: bool = False
    mark_ends: bool | None = None
    closing_move: bool | str = True
    highlight: Mapping[Any, str] | Iterable[Any] = ()
    filled: bool = False
    background: str | None = None
    width: float | None = None
    size: float | None = None
    title: str | None = None

    @property
    def row(self) -> Style:
        """The style's row of STYLES."""
        return STYLES[self.style]

    @property
    def palette(self) -> Theme:
        """The theme, or that of the light page for "auto"."""
        return theme_of("dark" if self.theme == "dark" else "light", self.colors)

    @property
    def line_width(self) -> float:
        """Width of the path, in squares."""
        return self.row.width if self.width is None else self.width

    def changed(self, **options: Any) -> Look:
        """The same but for these."""
        return replace(self, **options)

    def every(self) -> int:
        """Which numbers are shown: each so many-th, 0 for none."""
        return int(self.numbers or self.row.numbers)

    def marks_ends(self, figure: Figure) -> bool:
        """Whether start and end are marked; the line of a loop alone is better without."""
        if self.mark_ends is None:
            return self.row.frame or not figure.is_loop
        return self.mark_ends

    def has_names(self, figure: Figure) -> bool:
        """Whether rows and columns are named."""
        if self.coordinates is None:
            return self.row.frame and max(figure.rows, figure.cols) <= _MOST_NAMED
        return self.coordinates

    def highlighted(self, board: Board) -> dict[tuple[int, int], str]:
        """The squares pointed out, each with its colour."""
        if isinstance(self.highlight, Mapping):
            return {board.square(s): _colour(c) for s, c in self.highlight.items()}
        return {board.square(square): "" for square in self.highlight}

    def labelled(self, board: Board) -> dict[tuple[int, int], str]:
        """The texts on squares that were given."""
        return {board.square(s): str(text) for s, text in (self.labels or {}).items()}


def look_of(options: Mapping[str, Any]) -> Look:
    """The Look that these keywords ask for; a FormatError where they make no sense."""
    known = Look.__dataclass_fields__
    for name in options:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            raise FormatError(
                f"pictures have no option {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""),
                help="options: " + ", ".join(known),
            )
    look = Look(**options)
    one_of(look.style, STYLES, "style", error=FormatError)
    one_of(look.theme, ("auto", *THEMES), "theme", error=FormatError)
    for name in ("arrows", "filled"):
        flag(getattr(look, name), name, error=FormatError)
    for name in ("coordinates", "mark_ends"):
        if getattr(look, name) is not None:
            flag(getattr(look, name), name, error=FormatError)
    if not isinstance(look.closing_move, bool | np.bool_):
        if not isinstance(look.closing_move, str) or look.closing_move != "dashed":
            raise FormatError(f"closing_move is True, False or 'dashed', not {shown(look.closing_move)}")
    if not isinstance(look.numbers, int | np.integer | np.bool_) or look.numbers < 0:
        raise FormatError(f"numbers is True, False, or k for each k-th number, not {shown(look.numbers)}")
    if (
        look.size is not None
        and not 1 <= real_number(look.size, "size", error=FormatError, help="give pixels") <= 100_000
    ):
        raise FormatError(f"a picture of size {look.size} makes no sense", help="give 1 to 100,000")
    if look.width is not None and not 0 < real_number(look.width, "width", error=FormatError, help="give squares") <= 1:
        raise FormatError(f"a line {look.width} squares wide makes no sense", help="give more than 0, at most 1")
    for name in ("colors", "labels"):
        if not isinstance(getattr(look, name), Mapping | None):
            raise FormatError(f"{name} must be a dict, not {shown(getattr(look, name))}")
    if not isinstance(look.highlight, Mapping):
        squares = () if look.highlight is None else look.highlight
        look = look.changed(highlight=listed(squares, "highlight", error=FormatError))
    if not isinstance(look.title, str | None):
        raise FormatError(f"title must be a text, not {shown(look.title)}")
    if look.background is not None and (not isinstance(look.background, str) or look.background != "paper"):
        _colour(look.background)
    _ = look.palette  # its colours are checked here
    return look


def _colour(text: Any) -> str:
    """A colour as SVG takes it, and nothing that could be more than a colour."""
    if not isinstance(text, str) or not text or not text.replace("#", "").isalnum():
        raise FormatError(f"not a colour: {shown(text)}", help="write it as #rrggbb")
    return text
