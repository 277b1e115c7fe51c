"""Options of a picture, their defaults and checks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypedDict, Unpack, cast

import numpy as np

from knightstour.core.drawing.figure import Figure
from knightstour.core.drawing.measures import millimetres, paper_of
from knightstour.core.drawing.styles import LOOK_OPTIONS, PAPER_OPTIONS, STYLES, Style
from knightstour.core.drawing.themes import THEMES, Theme, colour_of, theme_of
from knightstour.core.model.board import Board, Square
from knightstour.core.model.errors import FormatError
from knightstour.core.model.validation import as_list, did_you_mean, flag, one_of, quoted, real_number, wrong_type

SquareName: TypeAlias = "Square | str"
Labels: TypeAlias = "Mapping[Square, object] | Mapping[str, object]"
Highlight: TypeAlias = "Mapping[Square, str] | Mapping[str, str] | Iterable[SquareName]"


# Longest side of boards whose rows and columns are named by default.
_MAX_NAMED = 100
# Characters that XML cannot represent.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class LookOptions(TypedDict, total=False):
    """Options of a look, as keywords of `draw`."""

    style: str
    theme: str
    colors: Mapping[str, str | Sequence[str]] | None
    numbers: bool | int
    labels: Labels | None
    coordinates: bool | None
    arrows: bool
    highlight: Highlight | None
    line_width: float | str | None
    size: float | None
    paper: str | None
    title: str | Sequence[str] | None


@dataclass(frozen=True, slots=True)
class Look:
    """Options of a picture with their defaults, checked by `look_of`."""

    style: str = "board"
    theme: str = "auto"
    colors: Mapping[str, str | Sequence[str]] | None = None
    numbers: bool | int = False
    labels: Labels | None = None
    coordinates: bool | None = None
    arrows: bool = False
    highlight: Highlight | None = ()
    line_width: float | str | None = None
    size: float | None = None
    paper: str | None = None
    title: str | None = None
    # Colour behind the picture: "#rrggbb", "paper" for the theme's paper, or None.
    background: str | None = None
    # Texts below the pictures of a sheet.
    captions: tuple[str, ...] = ()
    # Width of a line given in millimetres, and the side of a square if known.
    line_mm: float | None = None
    square_mm: float | None = None

    @property
    def row(self) -> Style:
        """The style's row of STYLES."""
        return STYLES[self.style]

    @property
    def palette(self) -> Theme:
        """The colours of the theme; "auto" has the light colours."""
        return theme_of("dark" if self.theme == "dark" else "light", self.colors)

    @property
    def pen_width(self) -> float:
        """Width of the path, in squares. A width in millimetres requires `on_squares_of`."""
        if self.line_mm is not None:
            assert self.square_mm is not None
            return self.line_mm / self.square_mm
        return self.row.width if self.line_width is None else float(self.line_width)

    def on_squares_of(self, square_mm: float) -> Look:
        """Return the look for squares of this side. Raises FormatError for a line wider than a square."""
        if self.line_mm is not None and self.line_mm > square_mm:
            why = f"a line of {self.line_mm:g} mm is wider than a square, which has {square_mm:.3g} mm here"
            raise FormatError(why, help="use a smaller line_width or a larger size")
        return replace(self, square_mm=square_mm)

    @property
    def is_smooth(self) -> bool:
        """Whether the line is a curve."""
        return self.row.line == "smooth"

    def with_options(self, **options: Unpack[LookOptions]) -> Look:
        """Return the look with these options changed."""
        return replace(self, **cast(dict[str, Any], options))

    def every(self) -> int:
        """Return k if each k-th number is visible, 0 for none."""
        return int(self.numbers or self.row.numbers)

    @property
    def has_frame(self) -> bool:
        """Whether the board has a border."""
        return self.row.frame or self.row.on_paper

    def marks_ends(self, figure: Figure) -> bool:
        """Whether start and end are marked."""
        return not figure.is_loop and not self.row.hides_ends

    def has_names(self, figure: Figure) -> bool:
        """Whether rows and columns are named."""
        if self.coordinates is None:
            return self.row.frame and max(figure.rows, figure.cols) <= _MAX_NAMED
        return self.coordinates

    def highlight_colours(self, board: Board) -> dict[tuple[int, int], str]:
        """Return the highlighted squares with their colours, "" for the theme's."""
        if isinstance(self.highlight, Mapping):
            return {board.square(s): colour_of(c) for s, c in self.highlight.items()}
        return {board.square(square): "" for square in self.highlight or ()}

    def label_texts(self, board: Board) -> dict[tuple[int, int], str]:
        """Return the given texts on squares."""
        return {board.square(s): str(text) for s, text in (self.labels or {}).items()}


_USUAL = Look()


def check_names(options: Iterable[str], known: Collection[str], owner: str) -> None:
    """Raise FormatError if a name is not an option of `owner`."""
    for name in options:
        if name not in known:
            raise FormatError(
                f"{owner} have no option {name!r}{did_you_mean(name, known)}", help="options: " + ", ".join(known)
            )


def look_of(options: LookOptions, *, is_page: bool = False, **usual: object) -> Look:
    """Create a Look. Raises FormatError for options that are invalid or unused by the style.

    is_page: whether the picture is always a page of paper. usual: defaults of the kind of picture.
    """
    check_names(options, LOOK_OPTIONS, "pictures")
    given = cast(dict[str, Any], {**usual, **options})
    background = given.pop("background", None)
    if not isinstance(given.get("title"), str | None):
        given["captions"] = tuple(map(str, as_list(given.pop("title"), "title")))
    look = Look(**given)
    one_of(look.style, STYLES, "style", error=FormatError)
    one_of(look.theme, ("auto", *THEMES), "theme", error=FormatError)
    look = _with_background(look, background)
    for name, row in LOOK_OPTIONS.items():
        if row.kind == "flag" and getattr(look, name) is not getattr(_USUAL, name):
            flag(getattr(look, name), name)
    if not isinstance(look.numbers, int | np.integer | np.bool_):
        raise wrong_type("numbers", "True, False, or k for each k-th number", look.numbers)
    if look.numbers < 0:
        raise FormatError(f"numbers must be True, False, or k for each k-th number, not {quoted(look.numbers)}")
    size = 1 if look.size is None else real_number(look.size, "size", error=FormatError, help="use pixels")
    if not 1 <= size <= 100_000:
        raise FormatError(f"invalid size: {look.size}", help="use 1 to 100,000")
    look = _with_line_width(look)
    if not isinstance(look.labels, Mapping | None):
        raise wrong_type("labels", "a dict", look.labels)
    if not isinstance(look.highlight, Mapping | None):
        look = look.with_options(highlight=as_list(look.highlight, "highlight"))
    for text in (look.title or "", *look.captions, *(look.labels or {}).values()):
        if strange := _NO_XML.search(str(text)):
            raise FormatError(f"no picture can show the character {strange[0]!r}", help="omit the character")
    if look.paper is not None:
        look = look.with_options(paper=paper_of(look.paper))
    _ = look.palette  # its colours are checked here
    _refuse_unused(look, options, is_page)
    return look


def _with_background(look: Look, usual: str | None) -> Look:
    if not isinstance(look.colors, Mapping) or "background" not in look.colors:
        return replace(look, background=usual)
    colors = {name: value for name, value in look.colors.items() if name != "background"}
    ground: object = look.colors["background"]
    if look.row.on_paper:
        raise FormatError(f"the style {look.style} has no background", help="omit it, or use another style")
    if ground != "paper":
        ground = None if ground == "none" else colour_of(ground)
    return replace(look, colors=colors, background=ground)


# Widest pen of a plotter, in millimetres.
_WIDEST_PEN = 100.0


def _with_line_width(look: Look) -> Look:
    """Return the look with its line_width in squares, or in `line_mm` in millimetres."""
    width = look.line_width
    if width is None:
        return look
    is_pen = look.row.sheet is not None
    help = "use millimetres, such as 0.3mm" if is_pen else "use squares, above 0 and at most 1, or such as 0.3mm"
    in_mm = is_pen
    if isinstance(width, str):
        in_mm = in_mm or not re.fullmatch(r"\s*[0-9]*\.?[0-9]+\s*", width)
        width = millimetres(width, "line_width") if in_mm else float(width)
    number = real_number(width, "line_width", error=FormatError, help=help)
    if not 0 < number <= (_WIDEST_PEN if in_mm else 1):
        raise FormatError(f"invalid line_width: {quoted(look.line_width)}", help=help)
    return replace(look, line_mm=number) if in_mm else replace(look, line_width=number)


def _refuse_unused(look: Look, options: Iterable[str], is_page: bool) -> None:
    """Raise FormatError for an option that the style does not use."""
    row = look.row
    for name in options:
        if not _is_set(name, getattr(look, name)):
            continue
        if name in PAPER_OPTIONS:
            if not row.on_paper and not is_page:
                raise FormatError(
                    f"the style {look.style} does not use {name}, except in a PDF",
                    help="omit it, write a .pdf, or use the style plotter",
                )
        elif name in row.ignores or (look.every() and name in row.with_numbers):
            beside = "" if name in row.ignores else " if numbers are shown"
            others = ", ".join(other for other, its in STYLES.items() if name not in (*its.ignores, *its.with_numbers))
            raise FormatError(
                f"the style {look.style} does not use {name}{beside}",
                help=f"omit it, or use another style: {others}",
            )


def _is_set(name: str, value: object) -> bool:
    if value is None or (isinstance(value, Sized) and not value):
        return False
    usual = getattr(_USUAL, name)
    return value is not usual and value != usual and not (value is False and usual is not True)
