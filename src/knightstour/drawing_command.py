"""What `knightstour draw` does: pictures of tours and boards, to a file, or with characters on the terminal."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from knightstour import checking, console, formats, inputs
from knightstour.errors import FormatError
from knightstour.implicit import implicit_tour
from knightstour.pictures import PICTURES, picture_kind, picture_of, window_of, write_picture
from knightstour.writing import check_target

if TYPE_CHECKING:
    from knightstour.commands.options import BoardWords

_SIZE = re.compile(r"\s*\d+\s*([xX×]\s*\d+\s*)?")


def draw_command(
    file: str,
    *,
    read_format: str | None,
    words: BoardWords,
    tour: str | None,
    output: str | None,
    format_name: str | None,
    force: bool,
    window: str | None,
    columns: int | None,
    fps: float | None,
    frames: int | None,
    width: int | None,
    is_ascii: bool,
    **options: Any,
) -> int:
    """Draw the tours of a file, or a board, to a file or on the terminal; returns the exit code."""
    kind = picture_kind(format_name, output)
    if kind is None and (output is not None or format_name is not None):
        raise FormatError(
            f"{format_name or output!r} is no kind of picture", help="the suffixes are " + ", ".join(PICTURES)
        )
    if output is not None:
        check_target(output, force)
    for name, value in (("width", width), ("ascii", is_ascii or None)):
        if kind is not None and value is not None:
            raise FormatError(f"--{name} is for drawings on the terminal", help="leave it out, or leave out -o")
    of_files: dict[str, float | None] = {"columns": columns, "fps": fps, "frames": frames}
    for name, number in of_files.items():
        if kind is None and number is not None:
            raise FormatError(f"a terminal cannot show {name}", help="give a file: -o tour.svg or tour.gif")
    part = window_of(window)
    options = {name: value for name, value in options.items() if value is not None}
    subjects = _subjects(file, read_format, words, tour)
    if kind is not None:
        data = picture_of(subjects, kind, columns=columns, window=part, fps=fps, frames=frames, **options)
        write_picture(data, output, force)
        return console.FOUND
    _print(subjects, part, width, is_ascii, options)
    return console.FOUND


def _subjects(file: str, read_format: str | None, words: BoardWords, tour: str | None) -> Sequence[Any]:
    """The tours of a file; or a board, if its size was given, or the constructed tour of one."""
    is_size = _SIZE.fullmatch(file) is not None and not os.path.exists(file)
    if tour is not None and not is_size:
        raise FormatError("--tour constructs a tour of a rectangle", help="give its size, such as 1000x1000")
    if is_size:
        for name, value in {"from": read_format, **words._asdict()}.items():
            if value is not None:
                raise FormatError(f"--{name} is for files of tours", help="leave it out")
        return [inputs.board_of(file) if tour is None else implicit_tour(file, closed=tour == "closed")]
    return formats.read_tours(checking.source_of(file), read_format, checking.board_for(*words))


def _print(
    subjects: Sequence[Any],
    window: tuple[int, int, int, int] | None,
    width: int | None,
    is_ascii: bool,
    options: dict[str, Any],
) -> None:
    from knightstour.drawing.look import STYLES
    from knightstour.drawing.text import TEXT_STYLES, draw_text

    style = options.pop("style", "lines")
    if style in STYLES and style not in TEXT_STYLES:
        raise FormatError(f"a terminal cannot show the style {style}", help=f"give a file: --style {style} -o tour.svg")
    for name in options:
        raise FormatError(f"a terminal cannot show {name.replace('_', ' ')}", help="give a file: -o tour.svg")
    is_terminal = sys.stdout.isatty()
    if width is None:
        width = shutil.get_terminal_size().columns if is_terminal else 80
    color = is_terminal and not os.environ.get("NO_COLOR")
    encoding = (sys.stdout.encoding or "ascii").lower()
    is_ascii = is_ascii or not encoding.startswith("utf")
    for k, subject in enumerate(subjects):
        text = draw_text(subject, style=style, width=width, window=window, ascii=is_ascii, color=color)
        click.echo("\n" * bool(k) + text)
