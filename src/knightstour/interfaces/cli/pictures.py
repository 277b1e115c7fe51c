"""Pictures on the command line: which files are pictures, how they are made, and where they may go.

The suffix of a file says which kind of picture it is. Several tours become one sheet; a moving picture, and a web page
with a player, show one tour.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import click

from knightstour.core.drawing.kinds import PICTURE_KINDS, kind_of_suffix
from knightstour.core.machine.files import open_target
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.trace import Trace
from knightstour.interfaces.cli import console

if TYPE_CHECKING:
    from knightstour.core.drawing.figure import Drawable, Window
    from knightstour.core.drawing.look import Look, LookOptions
    from knightstour.interfaces.cli.options import Target
    from knightstour.interfaces.cli.picture_options import PictureWords

# Keywords of picture_of, and `trace` for a search.
PictureOptions: TypeAlias = dict[str, Any]

# Larger boards are constructed, not searched.
_MAX_SEARCHED = 4_000_000


def picture_kind(format_name: str | None, output: str | None) -> str | None:
    """The kind of picture that a format's name or else a file's suffix asks for; None if it is no picture.

    >>> picture_kind(None, "t.PNG"), picture_kind("svg", None), picture_kind("grid", "t.png")
    ('png', 'svg', None)
    """
    if format_name is not None:
        return format_name if format_name in PICTURE_KINDS else None
    if output is None:
        return None
    from pathlib import PurePath

    return kind_of_suffix(PurePath(output).suffix.lower())


def options_of(picture_words: PictureWords) -> PictureOptions:
    """What was typed, as `picture_of` takes it."""
    sheet: PictureOptions = {"per_row": picture_words.per_row, "fps": picture_words.fps}
    return {**picture_words.look, **sheet, "window": window_of(picture_words.window)}


def checked_picture(
    picture_words: PictureWords,
    target: Target,
    *,
    board: Board | None = None,
    count: int | None = None,
    is_recorded: bool = False,
) -> PictureOptions:
    """The options of a picture of tours that are still to be found; raises now the errors that drawing would raise.

    board: of the tours, where it is known. count: how many the picture shows, where it is known. is_recorded: whether
    it shows the search; then the options have its `trace`. Options for a picture where none is drawn are an error.
    """
    kind = picture_kind(target.format_name, target.output)
    if kind is None:
        if typed := list(picture_words.by_flag()):
            raise FormatError(
                f"{typed[0]} goes with a picture", help=f"write one, such as -o tour.svg, or leave out {typed[0]}"
            )
        return {}
    from knightstour.core.drawing.pictures import check_kind

    options = options_of(picture_words)
    look = _checked_look(kind, picture_words.look)
    if board is not None:
        _check_board(board, look, options["window"])
    if PICTURE_KINDS[kind].draw_page is not None:
        from knightstour.interfaces.web.embed import check_page

        check_page(board or Board(3, 4), picture_words.look)
    sheet = {name: options.get(name) for name in ("per_row", "fps", "window")}
    check_kind(kind, 1 if count is None else count, **cast(Any, sheet))
    if not PICTURE_KINDS[kind].moves and (options["per_row"] is not None or (count is not None and count > 1)):
        from knightstour.core.drawing.svg.gallery import check_sheet

        squares = 0 if board is None or count is None else count * board.rows * board.cols
        check_sheet(look, options["per_row"], squares)
    return {**options, "trace": Trace() if is_recorded else None}


def _check_board(board: Board, look: Look, window: Window | None) -> None:
    if board.rows * board.cols > _MAX_SEARCHED:
        raise FormatError(
            f"a board of {board.rows} x {board.cols} squares is too large to be drawn as it is found",
            help="construct its tour: knightstour draw ROWSxCOLS --tour open -o tour.png, with --window for a part",
        )
    from knightstour.core.drawing.figure import figure_of

    figure_of(board, window=window)
    look.highlighted(board)
    look.labelled(board)


def _checked_look(kind: str, options: LookOptions) -> Look:
    from knightstour.core.drawing.look import look_of

    look = look_of(options, is_page=kind == "pdf")
    if PICTURE_KINDS[kind].moves:
        from knightstour.core.drawing.animation import check_moves

        check_moves(look)
    return look


def picture_bytes(subjects: Sequence[Drawable], kind: str, **options: Any) -> bytes:
    """The bytes of one tour or board as a picture of that kind, or of several on a sheet."""
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


def print_with_characters(
    subjects: Sequence[Drawable],
    *,
    style: str = "lines",
    width: int | None = None,
    window: Window | None = None,
    is_ascii: bool = False,
) -> None:
    """Draw tours, boards or scenes on the terminal, as wide as it is."""
    import shutil

    from knightstour.core.drawing.text import text_of

    is_terminal = sys.stdout.isatty()
    usual = shutil.get_terminal_size().columns if is_terminal else 80
    color = is_terminal and not os.environ.get("NO_COLOR")
    is_plain = is_ascii or not (sys.stdout.encoding or "ascii").lower().startswith("utf")
    for k, subject in enumerate(subjects):
        text = text_of(subject, style=style, width=width or usual, window=window, ascii=is_plain, color=color)
        click.echo(f"\n{text}" if k else text)


def _worth_showing(trace: Trace) -> Trace | None:
    """The trace, or None where the method took no steps and its tour is drawn instead; notes say what is left out."""
    if all(event.kind in ("stage", "count", "tour") for event in trace):
        console.say("note", "the method took no steps that could be shown; this is its tour being drawn")
        console.say("help", "searches to look at: --method backtracking, warnsdorff or merge")
        return None
    if trace.dropped:
        console.say("note", f"only the first {len(trace):,} events of the search are shown, and its end")
    return trace


def write_picture(data: bytes, kind: str, output: str | None, force: bool) -> None:
    """Write a picture of a kind to a file or to stdout; a FormatError for a terminal, unless it is a text."""
    if output is not None and output != "-":
        with open_target(output, force=force) as file:
            file.write(data)
        return
    is_text = PICTURE_KINDS[kind].is_text
    if not is_text and sys.stdout.isatty():
        raise FormatError("a terminal cannot show this picture", help="give a file: -o tour.png")
    sys.stdout.flush()
    sys.stdout.buffer.write(data + (b"\n" if is_text else b""))
    sys.stdout.buffer.flush()


def window_of(text: str | None) -> Window | None:
    """The window written row,col,rows,cols.

    >>> window_of("0,0,8,12")
    (0, 0, 8, 12)
    """
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,200})\s*,\s*(\d{1,200})\s*,\s*(\d{1,9})\s*,\s*(\d{1,9})\s*", text)
    if not match:
        raise FormatError(f"not a window: {text[:60]!r}", help="write row,col,rows,cols such as 0,0,20,20")
    return int(match[1]), int(match[2]), int(match[3]), int(match[4])
