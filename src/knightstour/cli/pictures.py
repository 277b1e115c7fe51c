"""Pictures on the command line: which files are pictures, how they are made, and where they may go.

The suffix of a file says which kind of picture it is. Several tours become one sheet; a moving picture, and a web page
with a player, show one tour.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Unpack, cast

import click

from knightstour.cli import console
from knightstour.drawing.figure import Drawable, Window, figure_of
from knightstour.drawing.kinds import PICTURE_KINDS, draw_still
from knightstour.drawing.look import Look, LookOptions, look_of
from knightstour.machine.files import open_target
from knightstour.model.board import Board
from knightstour.model.errors import FormatError
from knightstour.model.scene import Scene
from knightstour.model.trace import Trace

if TYPE_CHECKING:
    from knightstour.cli.options import Target
    from knightstour.cli.picture_options import PictureWords

# What each suffix becomes.
PICTURES: dict[str, str] = {suffix: kind for kind, row in PICTURE_KINDS.items() for suffix in row.suffixes}

# How the texts among them begin, which a terminal may show.
_TEXTS = (b"<svg", b"<!doctype html>", b"IN;", b"; ")


class PictureOptions(LookOptions, total=False):
    """What `picture_of` takes besides the tours and the kind."""

    per_row: int | None
    window: Window | None
    fps: float | None
    frames: int | None
    trace: Trace | None


# Larger boards are constructed, not searched.
_MOST_SEARCHED = 4_000_000


def picture_kind(format_name: str | None, output: str | None) -> str | None:
    """The kind of picture that a format's name or else a file's suffix asks for; None if it is no picture.

    >>> picture_kind(None, "t.PNG"), picture_kind("svg", None), picture_kind("grid", "t.png")
    ('png', 'svg', None)
    """
    if format_name is not None:
        return format_name if format_name in PICTURES.values() else None
    return None if output is None else PICTURES.get(PurePath(output).suffix.lower())


def options_of(words: PictureWords) -> PictureOptions:
    """What was typed, as `picture_of` takes it."""
    sheet: PictureOptions = {"per_row": words.per_row, "fps": words.fps, "frames": words.frames}
    return {**words.look, **sheet, "window": window_of(words.window)}


def checked_picture(
    words: PictureWords,
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
        typed = [*words.by_flag()]
        if typed:
            raise FormatError(
                f"{typed[0]} goes with a picture", help=f"write one, such as -o tour.svg, or leave out {typed[0]}"
            )
        return {}
    options = options_of(words)
    look = _checked_look(kind, words.look)
    if board is not None:
        _check_board(board, look, options["window"])
    if kind == "html":
        from knightstour.web.embed import check_page

        check_page(board or Board(3, 4), words.look)
    _check_kind(kind, options, 1 if count is None else count, is_recorded=is_recorded)
    if PICTURE_KINDS[kind].has_sheets and (options["per_row"] is not None or (count is not None and count > 1)):
        from knightstour.drawing.svg.gallery import check_sheet

        squares = 0 if board is None or count is None else count * board.rows * board.cols
        check_sheet(look, options["per_row"], squares)
    return {**options, "trace": Trace() if is_recorded else None}


def _check_board(board: Board, look: Look, window: Window | None) -> None:
    """Raise the errors of a board that cannot be drawn, and of squares that it does not have."""
    if board.rows * board.cols > _MOST_SEARCHED:
        raise FormatError(
            f"a board of {board.rows} x {board.cols} squares is too large to be drawn as it is found",
            help="construct its tour: knightstour draw ROWSxCOLS --tour open -o tour.png, with --window for a part",
        )
    figure_of(board, window=window)
    look.highlighted(board)
    look.labelled(board)


def _checked_look(kind: str, options: LookOptions) -> Look:
    """The look of a picture of that kind; raises the errors of options that it cannot use."""
    if kind in ("hpgl", "gcode"):
        draw_still(kind, Board(3, 4), **options)
        return look_of({"style": "plotter", **options})
    look = look_of(options, is_page=kind == "pdf")
    if PICTURE_KINDS[kind].moves:
        from knightstour.drawing.animation import check_moves

        check_moves(look)
    return look


def _check_kind(
    kind: str, options: PictureOptions, count: int, *, is_recorded: bool = False, is_proof: bool = False
) -> None:
    """Raise a FormatError for what a picture of that kind does not show.

    count: of the tours. is_proof: whether it shows the scenes of a proof, one after the other where it moves.
    """
    row = PICTURE_KINDS[kind]
    per_row, window, frames = (options.get(name) for name in ("per_row", "window", "frames"))
    if kind == "html":
        if count > 1:
            raise _one_tour_only(kind, count)
        for other, value in {"tours in a row": per_row, "window": window, "frames": frames}.items():
            if value is not None:
                raise FormatError(
                    f"a web page shows one whole tour, and has no {other}", help="draw it as .svg or .gif"
                )
        return
    if row.moves:
        if count > 1 and not is_proof:
            raise _one_tour_only(kind, count)
        if window is not None:
            raise FormatError(f"a {kind} shows the whole board", help="draw a window as .svg or .png")
        if per_row is not None:
            raise FormatError(f"a {kind} is no sheet with several in a row", help="draw several tours as .svg or .png")
        return
    moving = {"frames": frames, "frames a second": options.get("fps"), "search": is_recorded or None}
    for name, value in moving.items():
        if value is not None:
            raise FormatError(f"a .{kind} picture does not move, so it shows no {name}", help="write .gif or .webp")
    if count > 1 or per_row is not None:
        if not row.has_sheets:
            raise _one_tour_only(kind, count)
        if window is not None:
            raise FormatError("a window is of one tour", help="draw one tour, or leave out --window")


def picture_of(subjects: Sequence[Drawable], kind: str, **options: Unpack[PictureOptions]) -> bytes:
    """The bytes of one tour or board as a picture of that kind, or of several on a sheet."""
    if not subjects:
        raise FormatError("there is no tour to draw")
    is_proof = isinstance(subjects[0], Scene)
    trace = options.pop("trace", None)
    _check_kind(kind, options, len(subjects), is_recorded=trace is not None, is_proof=is_proof)
    per_row, window = options.pop("per_row", None), options.pop("window", None)
    fps, frames = options.pop("fps", None), options.pop("frames", None)
    look = cast(LookOptions, options)
    if kind == "html":
        from knightstour.web.embed import PageOptions, draw_html

        return draw_html(subjects[0], fps=fps, **cast(PageOptions, look)).encode("utf-8")
    if PICTURE_KINDS[kind].moves:
        from knightstour.drawing.animation import animate

        shown = None if trace is None else _worth_showing(trace)
        status = console.StatusLine()
        try:
            return animate(
                cast(Sequence[Scene], subjects) if is_proof else subjects[0],
                format=kind,
                trace=shown,
                fps=fps,
                frames=frames,
                on_progress=status.progress,
                **look,
            )
        finally:
            status.clear()
    if len(subjects) > 1 or per_row is not None:
        return _sheet(subjects, kind, per_row, look)
    return draw_still(kind, subjects[0], window=window, **look)


def print_with_characters(
    subjects: Sequence[Drawable],
    *,
    style: str = "lines",
    width: int | None = None,
    window: Window | None = None,
    is_ascii: bool = False,
) -> None:
    """Draw tours, boards or scenes on the terminal, as wide as it is."""
    from knightstour.drawing.text import draw_text

    is_terminal = sys.stdout.isatty()
    usual = shutil.get_terminal_size().columns if is_terminal else 80
    color = is_terminal and not os.environ.get("NO_COLOR")
    is_plain = is_ascii or not (sys.stdout.encoding or "ascii").lower().startswith("utf")
    for k, subject in enumerate(subjects):
        text = draw_text(subject, style=style, width=width or usual, window=window, ascii=is_plain, color=color)
        click.echo(f"\n{text}" if k else text)


def _sheet(subjects: Sequence[Drawable], kind: str, per_row: int | None, options: LookOptions) -> bytes:
    from knightstour.drawing.svg.gallery import draw_gallery

    if kind == "svg":
        return draw_gallery(subjects, per_row=per_row, **options).encode("utf-8")
    if kind == "pdf":
        from knightstour.drawing.pdf import gallery_pdf

        return gallery_pdf(subjects, per_row=per_row, **options)
    from knightstour.drawing.png import to_png

    size = options.pop("size", None)
    options["theme"] = "dark" if options.get("theme") == "dark" else "light"
    on_paper: LookOptions = {"background": "paper", **options}
    return to_png(draw_gallery(subjects, per_row=per_row, **on_paper), None if size is None else round(size))


def _one_tour_only(kind: str, count: int) -> FormatError:
    name = "web page" if kind == "html" else kind
    return FormatError(f"a {name} shows one tour, not {count}", help="draw several on a sheet: .svg, .png or .pdf")


def _worth_showing(trace: Trace) -> Trace | None:
    """The trace, or None where the method took no steps and its tour is drawn instead; notes say what is left out."""
    if all(event.kind in ("stage", "count", "tour") for event in trace):
        console.say("note", "the method took no steps that could be shown; this is its tour being drawn")
        console.say("help", "searches to look at: --method backtracking, warnsdorff or merge")
        return None
    if trace.dropped:
        console.say("note", f"only the first {len(trace):,} events of the search are shown, and its end")
    return trace


def write_picture(data: bytes, output: str | None, force: bool) -> None:
    """Write a picture to a file or to stdout; a FormatError for a terminal, unless it is a text."""
    if output is not None and output != "-":
        with open_target(output, force=force) as file:
            file.write(data)
        return
    is_text = data.startswith(_TEXTS)
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
