"""Pictures on the command line: their kinds, options and destinations.

The suffix of a file determines the kind of picture. Several tours are drawn on one sheet; an animation and a web page
with a player show one tour.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import click

from knightstour.core.drawing.kinds import PICTURE_KINDS, kind_of_suffix
from knightstour.core.formats.table import suffix_of
from knightstour.core.machine.files import open_target
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.trace import Trace
from knightstour.interfaces.cli import console

if TYPE_CHECKING:
    from knightstour.core.drawing.figure import Drawable
    from knightstour.core.drawing.look import Look, LookOptions
    from knightstour.interfaces.cli.options import Target

# Keywords of picture_of, and `trace` for a search.
PictureOptions: TypeAlias = dict[str, Any]

# Larger boards are constructed, not searched.
_MAX_SEARCHED = 4_000_000


def picture_kind(format_name: str | None, output: str | None) -> str | None:
    """Return the kind of picture of a format, or else of a file suffix; None if it is not a picture.

    >>> picture_kind(None, "t.PNG"), picture_kind("svg", None), picture_kind("grid", "t.png")
    ('png', 'svg', None)
    """
    if format_name is not None:
        return format_name if format_name in PICTURE_KINDS else None
    if output is None:
        return None
    return kind_of_suffix(suffix_of(output))


def picture_options(
    target: Target,
    *,
    style: str | None = None,
    board: Board | None = None,
    count: int | None = None,
    is_recorded: bool = False,
) -> PictureOptions:
    """Return the options of a picture before its tours are found. Raises the errors of drawing.

    Args:
        style: As given to --style, which requires a picture.
        board: The board of the tours, if it is known.
        count: The number of tours in the picture, if it is known.
        is_recorded: Whether the picture shows the search; the options then contain its `trace`.
    """
    kind = picture_kind(target.format_name, target.output)
    if kind is None:
        if style is not None:
            raise FormatError("--style requires a picture", help="write one, such as -o tour.svg, or omit --style")
        return {}
    from knightstour.core.drawing.pictures import check_kind

    options: PictureOptions = {} if style is None else {"style": style}
    look = _make_look(kind, cast("LookOptions", options))
    if board is not None:
        _check_board(board, look)
    if PICTURE_KINDS[kind].draw_page is not None:
        from knightstour.interfaces.web.embed import check_page

        check_page(board or Board(3, 4), cast("LookOptions", options))
    check_kind(kind, 1 if count is None else count, per_row=None, fps=None, window=None)
    if not PICTURE_KINDS[kind].moves and count is not None and count > 1:
        from knightstour.core.drawing.svg.gallery import check_sheet

        check_sheet(look, None, 0 if board is None else count * board.rows * board.cols)
    return {**options, "trace": Trace() if is_recorded else None}


def _check_board(board: Board, look: Look) -> None:
    if board.rows * board.cols > _MAX_SEARCHED:
        raise FormatError(
            f"a board of {board.rows} x {board.cols} squares is too large for a picture",
            help="write the tour with -o tour.npy; in Python, draw a window of it",
        )
    from knightstour.core.drawing.figure import figure_of

    figure_of(board)
    look.highlight_colours(board)
    look.label_texts(board)


def _make_look(kind: str, options: LookOptions) -> Look:
    from knightstour.core.drawing.look import look_of

    look = look_of(options, is_page=kind == "pdf")
    if PICTURE_KINDS[kind].moves:
        from knightstour.core.drawing.animation import check_moves

        check_moves(look)
    return look


def picture_bytes(subjects: Sequence[Drawable], kind: str, **options: Any) -> bytes:
    """Return a picture of one tour or board, or of several on a sheet, as bytes."""
    from knightstour.core.drawing.pictures import picture_of
    from knightstour.core.formats.links import with_link

    trace = options.pop("trace", None)
    subject: Any = subjects if len(subjects) != 1 else subjects[0]
    if trace is not None and _worth_showing(trace) is not None:
        subject = trace
    status = console.StatusLine()
    try:
        return with_link(bytes(picture_of(subject, kind, on_progress=status.progress, **options)), subjects)
    finally:
        status.clear()


def print_with_characters(subjects: Sequence[Drawable], *, style: str = "lines") -> None:
    """Print tours, boards or scenes as text. style: a style of texts, or "ascii"."""
    import shutil

    from knightstour.core.drawing.text import text_of

    is_terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns
    color = is_terminal and not os.environ.get("NO_COLOR")
    is_ascii = style == "ascii" or not (sys.stdout.encoding or "ascii").lower().startswith("utf")
    shown = "lines" if style == "ascii" else style
    for k, subject in enumerate(subjects):
        text = text_of(subject, style=shown, width=width, ascii=is_ascii, color=color)
        click.echo(f"\n{text}" if k else text)


def _worth_showing(trace: Trace) -> Trace | None:
    """Return the trace, or None if it has no steps."""
    if all(event.kind in ("stage", "count", "tour") for event in trace):
        console.print_message("note", "the method took no steps that could be shown; this is its tour being drawn")
        console.print_message("help", "searches to look at: --method backtracking, warnsdorff or merge")
        return None
    if trace.dropped:
        console.print_message("note", f"only the first {len(trace):,} events of the search are shown, and its end")
    return trace


def write_picture(data: bytes, kind: str, output: str | None) -> None:
    """Write a picture to a file or to stdout. Raises FormatError for a terminal, unless the picture is text."""
    if output is not None and output != "-":
        with open_target(output) as file:
            file.write(data)
        return
    is_text = PICTURE_KINDS[kind].is_text
    if not is_text and sys.stdout.isatty():
        raise FormatError("a terminal cannot show this picture", help="write it to a file: -o tour.png")
    sys.stdout.flush()
    sys.stdout.buffer.write(data + (b"\n" if is_text else b""))
    sys.stdout.buffer.flush()
