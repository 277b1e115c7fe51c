"""`knightstour draw`: pictures of tours and boards, to a file, or with characters on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import click

from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.drawing.figure import Drawable, Window
from knightstour.core.drawing.kinds import picture_suffixes
from knightstour.core.drawing.look import LookOptions
from knightstour.core.drawing.styles import SHEET_OPTIONS, STYLES
from knightstour.core.drawing.text import TEXT_STYLES
from knightstour.core.model.errors import FormatError, KnightsTourError
from knightstour.interfaces.cli import console, parsing
from knightstour.interfaces.cli.deadline import deadline_option
from knightstour.interfaces.cli.declared import option, typed
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import Target, TourFile, declared, output_options, tour_file
from knightstour.interfaces.cli.output import check_target
from knightstour.interfaces.cli.picture_options import PictureWords, picture_options
from knightstour.interfaces.cli.pictures import (
    options_of,
    picture_bytes,
    picture_kind,
    print_with_characters,
    window_of,
    write_picture,
)
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.verify import is_certificate, read_certificate

if TYPE_CHECKING:
    from knightstour.lab.puzzles.puzzle import Puzzle


class _TextWords(NamedTuple):
    width: Annotated[int | None, typed("Characters in a line; default as the terminal has.", "N")]
    is_ascii: Annotated[bool, typed("Draw with ASCII characters only.", flags="--ascii")]


_ON_TERMINALS = "; on a terminal " + ", ".join(TEXT_STYLES)


@click.command("draw", cls=Command)
@tour_file(is_needed=False)
@output_options(
    f"The picture: {' '.join(picture_suffixes())}; .html is a page with a player.",
    formats="Kind of picture, if FILE does not say; for stdout.",
)
@picture_options(style_note=_ON_TERMINALS)
@declared("text_words", _TextWords)
@deadline_option
@option("--scene", type=int, metavar="N", help="FILE is the certificate of a proof: only its N-th scene.")
@option("--tour", type=click.Choice(["open", "closed"]), help="FILE is a size: construct its tour, at any size.")
def command(
    source: TourFile, target: Target, picture: PictureWords, text_words: _TextWords, scene: int | None, tour: str | None
) -> int:
    """Draw the tours in FILE (- for stdin), a puzzle, the proof in a certificate, or a board such as 8x8:-a1,h8.

    Without -o it is drawn on the terminal with characters: lines, blocks, or numbers in boxes.

    \b
    knightstour draw tours.json -o tours.pdf --style curve
    knightstour solve 8x8 --json | knightstour draw - -o tour.gif
    """
    if not source.file:
        raise click.MissingParameter(param_type="argument", param_hint="'FILE'")
    kind = picture_kind(target.format_name, target.output)
    _check(kind, target, picture, text_words)
    part = window_of(picture.window)
    puzzle = None if scene or tour else _puzzle(source, rather_tour=True)
    subjects: Sequence[Drawable] = ()
    if puzzle is None:
        try:
            subjects = _scenes(source, scene) or _subjects(source, tour)
        except KnightsTourError:
            # Rows with the numbers 1, 2, 3, ... and points that are not a tour may be a puzzle.
            puzzle = None if scene or tour else _puzzle(source)
            if puzzle is None:
                raise
    if puzzle is not None:
        _draw_puzzle(puzzle, kind, target, picture, text_words)
        return console.FOUND
    if kind is None:
        _print(subjects, part, text_words, picture.look)
    else:
        data = picture_bytes(subjects, kind, **options_of(picture))
        write_picture(data, kind, target.output, target.force)
    return console.FOUND


def _check(kind: str | None, target: Target, picture: PictureWords, text_words: _TextWords) -> None:
    """Raise the errors of options that do not fit together, before anything is read."""
    if kind is None and (target.output is not None or target.format_name is not None):
        raise FormatError(
            f"{target.format_name or target.output!r} is no kind of picture",
            help="the suffixes are " + ", ".join(picture_suffixes()),
        )
    if target.output is not None:
        check_target(target.output, target.force)
    if kind is None:
        for name in SHEET_OPTIONS:
            if name != "window" and getattr(picture, name) is not None:
                raise FormatError(
                    f"a terminal cannot show {name.replace('_', ' ')}", help="give a file: -o tour.svg or tour.gif"
                )
    elif text_words.width is not None or text_words.is_ascii:
        name = "ascii" if text_words.width is None else "width"
        raise FormatError(f"--{name} is for drawings on the terminal", help="leave it out, or leave out -o")


def _scenes(source: TourFile, number: int | None) -> Sequence[Drawable]:
    """The scenes of the certificate in a file, or one of them; nothing where the file holds something else."""
    if parsing.is_size(source.file) or not is_certificate(source.path):
        if number is not None:
            raise FormatError("--scene is for the certificate of a proof", help="solve --proof FILE writes one")
        return []
    if source.board is not None:
        raise FormatError("a second word is the board of a file of tours", help=f"leave out {source.board}")
    scenes = Certificate(read_certificate(source.path)).scenes
    if number is None:
        return scenes
    if not 1 <= number <= len(scenes):
        raise FormatError(f"there is no scene {number}", note=f"the proof has scenes 1 to {len(scenes)}")
    return scenes[number - 1 : number]


def _puzzle(source: TourFile, *, rather_tour: bool = False) -> Puzzle | None:
    """Return the puzzle in a file, or None if the file holds something else; rather_tour: as of holds_puzzle."""
    if parsing.is_size(source.file) or source.read_format is not None:
        return None
    from knightstour.lab.puzzles.recognise import holds_puzzle

    if not holds_puzzle(source.path, rather_tour=rather_tour):
        return None
    from knightstour.interfaces.cli.commands.puzzle import puzzles_in

    found = puzzles_in(source.path, source.board)
    if len(found) != 1:
        why = f"the file holds {len(found)} puzzles, and a picture shows one"
        raise FormatError(why, path=source.path, help="puzzle FILE --sheet book.pdf prints all of them")
    return found[0]


def _draw_puzzle(
    puzzle: Puzzle, kind: str | None, target: Target, picture: PictureWords, text_words: _TextWords
) -> None:
    """Write the picture of a puzzle, or print it."""
    if kind is None:
        if picture.look or text_words.width is not None or text_words.is_ascii or picture.window is not None:
            raise FormatError("a puzzle is printed in one way on a terminal", help="write a picture: -o puzzle.svg")
        click.echo(str(puzzle))
        return
    if kind == "html":
        raise FormatError("a web page shows a tour, not a puzzle", help="write an .svg, .png or .pdf")
    write_picture(picture_bytes([puzzle], kind, **options_of(picture)), kind, target.output, target.force)


def _subjects(source: TourFile, tour: str | None) -> Sequence[Drawable]:
    file = source.file
    is_size = parsing.is_size(file)
    if tour is not None and not is_size:
        raise FormatError("--tour constructs a tour of a rectangle", help="give its size, such as 1000x1000")
    if is_size:
        if source.board is not None:
            raise FormatError("a second word is the board of a file of tours", help=f"leave out {source.board}")
        return [parsing.board_of(file) if tour is None else implicit_tour(file, closed=tour == "closed")]
    return source.read()


def _print(subjects: Sequence[Drawable], window: Window | None, text_words: _TextWords, look: LookOptions) -> None:
    style = look.get("style", "lines")
    if style in STYLES and style not in TEXT_STYLES:
        raise FormatError(f"a terminal cannot show the style {style}", help=f"give a file: --style {style} -o tour.svg")
    others = [name for name in look if name != "style"]
    if others:
        raise FormatError(f"a terminal cannot show {others[0].replace('_', ' ')}", help="give a file: -o tour.svg")
    print_with_characters(subjects, style=style, width=text_words.width, window=window, is_ascii=text_words.is_ascii)
