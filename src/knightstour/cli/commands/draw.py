"""`knightstour draw`: pictures of tours and boards, to a file, or with characters on the terminal."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import click

from knightstour.certificates.certificate import Certificate
from knightstour.certificates.verify import is_certificate, read_certificate
from knightstour.cli import console, parsing
from knightstour.cli.deadline import deadline_option
from knightstour.cli.help import Command
from knightstour.cli.options import Decorator, Target, TourFile, bundled, output_options, together, tour_file
from knightstour.cli.output import check_target
from knightstour.cli.pictures import (
    PICTURES,
    picture_kind,
    picture_of,
    print_with_characters,
    window_of,
    write_picture,
)
from knightstour.constructions.implicit import implicit_tour
from knightstour.drawing.figure import Drawable, Window
from knightstour.drawing.look import LookOptions
from knightstour.drawing.styles import LOOK_OPTIONS, STYLES, LookOption
from knightstour.drawing.text import TEXT_STYLES
from knightstour.model.errors import FormatError

_SIZE = re.compile(r"\s*\d+\s*([xX×]\s*\d+\s*)?")


class _FileWords(NamedTuple):
    """What only files can show."""

    per_row: int | None
    fps: float | None
    frames: int | None


class _TextWords(NamedTuple):
    """How it is drawn with characters."""

    width: int | None
    is_ascii: bool


def _pairs(text: str) -> dict[str, str]:
    found = [part.split("=", 1) for part in text.split(",")]
    if any(len(pair) < 2 for pair in found):
        raise FormatError(f"not names with values: {text[:60]!r}", help="write NAME=VALUE,NAME=VALUE")
    return {name.strip(): value.strip() for name, value in found}


# How each kind of LookOption is read, and what its value is called in the help.
_KINDS: dict[str, tuple[Callable[[str], object], str]] = {
    "text": (str, "TEXT"),
    "number": (float, "X"),
    "whole": (int, "K"),
    "squares": (lambda text: [name.strip() for name in text.split(",")], "SQ,SQ.."),
    "pairs": (_pairs, "NAME=VALUE,.."),
    "length": (str, "MM"),
    "closing": (lambda text: {"yes": True, "no": False}.get(text, text), "WHAT"),
}
_ON_TERMINALS = {"style": "; on a terminal " + ", ".join(TEXT_STYLES)}


def _look_option(name: str, row: LookOption) -> Decorator:
    flag = name.replace("_", "-")
    help = f"{row.help[0].upper()}{row.help[1:]}{_ON_TERMINALS.get(name, '')}."
    if row.kind == "flag":
        return click.option(f"--{flag}/--no-{flag}", name, default=None, help=help)
    kind, metavar = _KINDS[row.kind]
    return click.option(f"--{flag}", name, type=kind, metavar=metavar, help=help)


def _look_options(function: Callable[..., int]) -> Callable[..., int]:
    """The options of LOOK_OPTIONS, which the command is given as `look`: those that were typed."""

    @functools.wraps(function)
    def asked(**given: object) -> int:
        look = {name: given.pop(name) for name in LOOK_OPTIONS}
        return function(look={name: value for name, value in look.items() if value is not None}, **given)

    return together(*(_look_option(name, row) for name, row in LOOK_OPTIONS.items()))(asked)


_file_options = bundled(
    "sheet",
    _FileWords,
    click.option("--per-row", type=int, metavar="N", help="Several tours on a sheet: N in a row."),
    click.option("--fps", type=float, metavar="N", help="Frames a second; of a web page steps a second."),
    click.option("--frames", type=int, metavar="N", help="Frames at most; default 240."),
)
_text_options = bundled(
    "form",
    _TextWords,
    click.option("--width", type=int, metavar="N", help="Characters in a line; default as the terminal has."),
    click.option("--ascii", "is_ascii", is_flag=True, help="Draw with ASCII characters only."),
)


@click.command("draw", cls=Command)
@tour_file()
@output_options(
    "The picture: .svg, .png, .pdf, .gif, .apng or .webp; .hpgl or .gcode; or .html, a page with a player.",
    formats="Kind of picture, if FILE does not say; for stdout.",
)
@_look_options
@click.option("--window", metavar="R,C,H,W", help="Only H rows from row R and W columns from column C.")
@_file_options
@_text_options
@deadline_option
@click.option("--scene", type=int, metavar="N", help="FILE is the certificate of a proof: only its N-th scene.")
@click.option("--tour", type=click.Choice(["open", "closed"]), help="FILE is a size: construct its tour, at any size.")
def command(
    source: TourFile,
    target: Target,
    look: LookOptions,
    window: str | None,
    sheet: _FileWords,
    form: _TextWords,
    scene: int | None,
    tour: str | None,
) -> int:
    """Draw the tours in FILE (- for stdin), the proof in a certificate, or the board of a size such as 8x8.

    Without -o it is drawn on the terminal with characters: lines, blocks, or numbers in boxes.
    """
    kind = picture_kind(target.format_name, target.output)
    _check(kind, target, sheet, form)
    part = window_of(window)
    subjects = _scenes(source, scene) or _subjects(source, tour)
    if kind is None:
        _print(subjects, part, form, look)
    else:
        data = picture_of(subjects, kind, window=part, **sheet._asdict(), **look)
        write_picture(data, target.output, target.force)
    return console.FOUND


def _check(kind: str | None, target: Target, sheet: _FileWords, form: _TextWords) -> None:
    """Raise the errors of options that do not fit together, before anything is read."""
    if kind is None and (target.output is not None or target.format_name is not None):
        raise FormatError(
            f"{target.format_name or target.output!r} is no kind of picture",
            help="the suffixes are " + ", ".join(PICTURES),
        )
    if target.output is not None:
        check_target(target.output, target.force)
    if kind is None:
        for name, number in sheet._asdict().items():
            if number is not None:
                raise FormatError(
                    f"a terminal cannot show {name.replace('_', ' ')}", help="give a file: -o tour.svg or tour.gif"
                )
    elif form.width is not None or form.is_ascii:
        name = "ascii" if form.width is None else "width"
        raise FormatError(f"--{name} is for drawings on the terminal", help="leave it out, or leave out -o")


def _scenes(source: TourFile, number: int | None) -> Sequence[Drawable]:
    """The scenes of the certificate in a file, or one of them; nothing where the file holds something else."""
    if not is_certificate(source.file):
        if number is not None:
            raise FormatError("--scene is for the certificate of a proof", help="solve --proof FILE writes one")
        return []
    for flag, value in {"--from": source.read_format, **source.board_words}.items():
        if value is not None:
            raise FormatError(f"{flag} is for files of tours", help="leave it out")
    scenes = Certificate(read_certificate(source.file)).scenes
    if number is None:
        return scenes
    if not 1 <= number <= len(scenes):
        raise FormatError(f"there is no scene {number}", note=f"the proof has scenes 1 to {len(scenes)}")
    return scenes[number - 1 : number]


def _subjects(source: TourFile, tour: str | None) -> Sequence[Drawable]:
    """The tours of a file; or the board of a size, or the constructed tour of that board."""
    file = source.file
    is_size = _SIZE.fullmatch(file) is not None and not os.path.exists(file)
    if tour is not None and not is_size:
        raise FormatError("--tour constructs a tour of a rectangle", help="give its size, such as 1000x1000")
    if is_size:
        for flag, value in {"--from": source.read_format, **source.board_words}.items():
            if value is not None:
                raise FormatError(f"{flag} is for files of tours", help="leave it out")
        return [parsing.board_of(file) if tour is None else implicit_tour(file, closed=tour == "closed")]
    return source.read()


def _print(subjects: Sequence[Drawable], window: Window | None, form: _TextWords, look: LookOptions) -> None:
    """Draw them with characters."""
    style = look.get("style", "lines")
    if style in STYLES and style not in TEXT_STYLES:
        raise FormatError(f"a terminal cannot show the style {style}", help=f"give a file: --style {style} -o tour.svg")
    others = [name for name in look if name != "style"]
    if others:
        raise FormatError(f"a terminal cannot show {others[0].replace('_', ' ')}", help="give a file: -o tour.svg")
    print_with_characters(subjects, style=style, width=form.width, window=window, is_ascii=form.is_ascii)
