"""Pictures of all kinds: `draw` for users, and `picture_of` for the command line and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Unpack, cast, runtime_checkable

from knightstour.core.drawing.figure import Drawable, MarkedBoard, Paths, Region, TourLike, Window, figure_of, labels_of
from knightstour.core.drawing.kinds import PICTURE_KINDS, Picture, PictureKind
from knightstour.core.drawing.look import Highlight, Labels, LookOptions, look_of
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.literals import PictureFormat, StyleName, ThemeName
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result import Result
from knightstour.core.model.sample import Sample
from knightstour.core.model.scene import Scene
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import Trace
from knightstour.core.model.validation import one_of


@runtime_checkable
class Chart(Protocol):
    """A result with its own picture."""

    def _chart(self, theme: str, title: str | None) -> str:
        """Return an SVG."""


@with_hints
def draw(
    subject: Drawable | Result | Trace | Chart | Sequence[Drawable],
    format: PictureFormat = "svg",
    *,
    style: StyleName = "board",
    theme: ThemeName = "auto",
    colors: Mapping[str, str | Sequence[str]] | None = None,
    numbers: bool | int = False,
    labels: Labels | None = None,
    coordinates: bool | None = None,
    arrows: bool = False,
    highlight: Highlight = (),
    line_width: float | str | None = None,
    size: float | None = None,
    paper: str | None = None,
    title: str | Sequence[str] | None = None,
    per_row: int | None = None,
    fps: float | None = None,
) -> Picture:
    """Draw a tour, a board, a puzzle, a search or a proof. Notebooks show the Picture, and `save` writes it to a file.

    Args:
        subject: A Tour; a Result with a tour; a board, such as "8x8" or (8, 8); a Puzzle; a Trace, as an animation; a
            scene of a proof, or all of `Certificate.scenes`; a Census; or a list of tours or boards, as a sheet.
        format: "svg", "png", "pdf", "gif" (an animation), "html" (a web page with a player), "text" (for a terminal),
            "dxf" (for laser cutters) or "tikz" (for LaTeX).
        style: "board", "line", "curve", "steps", "filled", "ribbon", "mosaic", "numbers", "heat", "oblique" or
            "plotter"; for text "lines", "blocks", "boxes" or "ascii". See `knightstour explain STYLE`.
        theme: "auto" (the reader's choice, SVG and HTML only), "light" or "dark".
        colors: Replaces fields of Theme, such as {"path": "teal", "background": "#fffff0"}. The background is a colour,
            "none" or "paper".
        numbers: True for all numbers, or k for every k-th; on an empty board, the number of moves from each square.
        labels: {square: text}, shown instead of numbers.
        coordinates: Names of rows and columns (default: by style).
        arrows: Whether moves have arrow heads.
        highlight: Squares, or {square: colour}.
        line_width: In squares, for a plotter in millimetres; or a text such as "0.3mm".
        size: Longer side in pixels; for a plotter and LaTeX in millimetres, for text the width in characters.
        paper: For PDF and plotter: "A1" to "A5", "Letter", "A3 landscape", or a size such as "600x400mm".
        title: Text for screen readers (default: by subject). With several subjects, a list has a text for each.
        per_row: Number of pictures in a row of a sheet.
        fps: Frames per second of an animation, up to 50.

    Raises:
        FormatError: If the format or style does not use an option.
        BoardError: If the board cannot be drawn.
        ProblemError: If a Result has no tour.

    >>> from knightstour.core.model.tour import Tour
    >>> tour = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    >>> draw(tour, style="line", size=200)
    <Picture: svg, 200 x 156, 801 bytes>
    """
    given: dict[str, Any] = {
        "style": style,
        "theme": theme,
        "colors": colors,
        "numbers": numbers,
        "labels": labels,
        "coordinates": coordinates,
        "arrows": arrows,
        "highlight": highlight,
        "line_width": line_width,
        "size": size,
        "paper": paper,
        "title": title,
    }
    if isinstance(style, str) and style == "board":
        del given["style"]
    usual = {"theme": "auto", "numbers": False, "arrows": False, "highlight": ()}
    chosen = {name: value for name, value in given.items() if not _is_default(value, usual.get(name))}
    options = cast(LookOptions, chosen)
    return picture_of(subject, format, per_row=per_row, fps=fps, **options)


def _is_default(value: object, default: object) -> bool:
    # The types are compared first, since arrays have no truth value.
    return type(value) is type(default) and value == default


def picture_of(
    subject: Drawable | Result | Trace | Chart | Sequence[Drawable],
    kind: str,
    *,
    paths: Paths | None = None,
    window: Window | None = None,
    per_row: int | None = None,
    fps: float | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[LookOptions],
) -> Picture:
    """Draw a subject; see `draw`.

    paths: with a board: squares in order of visit, or several such lists; a list that ends at its first square is a
        loop. window: (row, col, rows, cols), the visible part.
    on_progress: called with a Progress after each frame of an animation.
    """
    one_of(kind, PICTURE_KINDS, "picture format", error=FormatError)
    row = PICTURE_KINDS[kind]
    if isinstance(subject, Result):
        subject = _tour_of(subject)
    if isinstance(subject, Chart):
        return _chart(subject, kind, options, {"per_row": per_row, "fps": fps})
    shown: list[Any] = [subject] if isinstance(subject, Trace) else _as_subjects(subject)
    if not shown:
        raise FormatError("there is no tour to draw")
    is_film = isinstance(shown[0], Trace | Scene)
    check_kind(kind, len(shown), per_row=per_row, fps=fps, window=window, is_film=is_film)
    if isinstance(shown[0], Trace) and not row.moves:
        raise FormatError(f"a {kind} does not show a search", help='use format="gif", or draw result.tour')
    if kind == "text":
        return Picture(kind, _text(shown, paths, window, options))
    options = cast(LookOptions, _with_labels(shown[0], options))
    if row.draw_page is not None:
        return Picture(kind, row.draw_page(shown[0], options, fps))
    if row.moves:
        from knightstour.core.drawing.animation import USUAL_SIZE, animate

        look = look_of(options, background="paper", size=USUAL_SIZE)
        return Picture(
            kind, animate(shown if isinstance(shown[0], Scene) else shown[0], look, fps=fps, on_progress=on_progress)
        )
    look = look_of(options, is_page=kind == "pdf", **row.defaults)
    figures = [figure_of(each, paths=paths, window=window) for each in shown]
    assert row.draw is not None
    return Picture(kind, row.draw(figures, look, per_row))


def _tour_of(result: Result) -> Tour:
    if result.tour is None:
        raise ProblemError(f"there is no tour to draw: {result.reason or result.status}")
    return result.tour


def _as_subjects(subject: Any) -> list[Any]:
    """Treat a pair of numbers or a list of strings as one board."""
    if isinstance(subject, Sample):
        return list(subject)
    known = Tour | TourLike | Board | Scene | MarkedBoard | Region | Result
    if isinstance(subject, list | tuple) and all(isinstance(x, known) for x in subject):
        return [_tour_of(each) if isinstance(each, Result) else each for each in subject]
    return [subject]


def _with_labels(subject: Any, options: LookOptions) -> dict[str, Any]:
    own = labels_of(subject)
    return {**options, "labels": {**own["labels"], **(options.get("labels") or {})}} if own else {**options}


def _chart(subject: Chart, kind: str, options: LookOptions, more: Mapping[str, object]) -> Picture:
    if kind not in ("svg", "png"):
        raise FormatError(f"a chart cannot be drawn as {kind}", help="use svg or png")
    unused = [name for name in options if name not in ("theme", "title", "size")]
    unused += [name for name, value in more.items() if value is not None]
    if unused:
        raise FormatError(f"a chart does not use {unused[0]}", help="omit it")
    look = look_of(options)
    svg = subject._chart("dark" if look.theme == "dark" else "light", look.title)
    if kind == "svg":
        return Picture(kind, svg.encode("utf-8"))
    from knightstour.core.drawing.png import to_png

    return Picture(kind, to_png(svg, None if look.size is None else round(look.size)))


def _text(shown: Sequence[Any], paths: Paths | None, window: Window | None, options: LookOptions) -> bytes:
    from knightstour.core.drawing.text import TEXT_STYLES, text_of

    style = options.get("style", "lines")
    unused = [name for name, value in options.items() if name not in ("style", "size") and value is not None]
    if unused:
        raise FormatError(f"a text does not show {unused[0]}", help="omit it, or use svg")
    one_of(style, (*TEXT_STYLES, "ascii"), "style of text", error=FormatError)
    width = options.get("size")
    look: dict[str, Any] = {"style": "lines", "ascii": True} if style == "ascii" else {"style": style}
    if width is not None:
        look["width"] = width
    texts = [
        str(each) if isinstance(each, MarkedBoard) else text_of(each, paths=paths, window=window, **look)
        for each in shown
    ]
    return "\n\n".join(texts).encode("utf-8")


def check_kind(
    kind: str,
    count: int,
    *,
    per_row: int | None = None,
    fps: float | None = None,
    window: Window | None = None,
    is_film: bool = False,
) -> None:
    """Raise FormatError for options that a format does not use.

    count: number of subjects. is_film: whether an animation shows all of them.
    """
    row = PICTURE_KINDS[kind]
    is_page = row.draw_page is not None
    if (row.moves or is_page or row.is_single) and not (row.moves and is_film) and (count > 1 or per_row is not None):
        name = _name_of(kind, row)
        shown = f"{count} subjects" if count > 1 else "rows"
        raise FormatError(f"{name} shows one tour, not {shown}", help="draw a sheet: .svg, .png or .pdf")
    if (row.moves or is_page) and window is not None:
        raise FormatError(f"{_name_of(kind, row)} shows the whole board", help="draw a part of it as .svg or .png")
    if fps is not None and not row.moves and not is_page:
        raise FormatError(f"a .{kind} picture does not move, so it has no fps", help="use .gif, or omit fps")
    if window is not None and (count > 1 or per_row is not None):
        raise FormatError("a sheet shows whole boards", help="draw one tour")


def _name_of(kind: str, row: PictureKind) -> str:
    return "a web page" if row.draw_page is not None else f"a .{kind}"
