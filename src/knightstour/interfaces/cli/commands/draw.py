"""`knightstour draw`: pictures of tours and boards, in a file or as characters on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from knightstour.core.drawing.figure import Drawable
from knightstour.core.drawing.kinds import picture_suffixes
from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.text import TEXT_STYLES
from knightstour.core.model.errors import FormatError, KnightsTourError
from knightstour.core.model.validation import did_you_mean, quoted
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.output import check_target
from knightstour.interfaces.cli.pictures import picture_bytes, picture_kind, print_with_characters, write_picture
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.verify import is_certificate, read_certificate

if TYPE_CHECKING:
    from knightstour.lab.puzzles.puzzle import Puzzle

_TEXT_STYLES = (*TEXT_STYLES, "ascii")


@click.command("draw", cls=Command)
@options.file_argument
@options.file_board_argument
@option("-o", "--output", metavar="FILE", help="The picture: .svg .png .pdf .gif, or .html with a player.")
@option("--format", "format_name", metavar="NAME", help="Picture format if FILE has no such suffix.")
@option("--style", metavar="NAME", help="board, line, curve, numbers, heat, ribbon, plotter, ascii, ...")
@option("--theme", metavar="NAME", help="light, dark or auto (follows the reader's system).")
@option("--numbers", type=int, metavar="N", help="Label every N-th square (1: all).")
@option("--coordinates/--no-coordinates", default=None, help="Names of rows and columns.")
@option("--arrows", is_flag=True, default=None, help="Draw an arrow head on each move.")
@option("--highlight", metavar="SQ,..", help="Highlight these squares.")
@option("--colors", metavar="NAME=COLOR,..", help="Other colours: path=teal,background=ivory.")
@option("--line-width", metavar="X", help="In squares; for a plotter in mm.")
@option("--size", type=float, metavar="X", help="Longer side in pixels; for a plotter in mm.")
@option("--paper", metavar="SIZE", help="For .pdf and plotter: A4, A3 landscape, 600x400mm.")
@option("--per-row", type=int, metavar="N", help="Number of tours in a row.")
@option("--fps", type=float, metavar="X", help="Frames per second of an animation.")
def command(
    file: str,
    board: str | None,
    *,
    output: str | None,
    format_name: str | None,
    style: str | None,
    theme: str | None,
    numbers: int | None,
    coordinates: bool | None,
    arrows: bool | None,
    highlight: str | None,
    colors: str | None,
    line_width: str | None,
    size: float | None,
    paper: str | None,
    per_row: int | None,
    fps: float | None,
) -> int:
    """Draw the tours of FILE (- for stdin), a board, a puzzle or a proof: on the terminal, or as a picture with -o.

    \b
    $ knightstour draw tour.txt -o tour.svg --style curve
    $ knightstour solve 8x8 | knightstour draw - -o tour.gif
    """
    given = {
        "style": style,
        "theme": theme,
        "numbers": numbers,
        "coordinates": coordinates,
        "arrows": arrows,
        "highlight": None if highlight is None else [name.strip() for name in highlight.split(",")],
        "line_width": line_width,
        "size": size,
        "colors": None if colors is None else pairs_of(colors),
        "paper": paper,
        "per_row": per_row,
        "fps": fps,
    }
    look = {name: value for name, value in given.items() if value is not None}
    kind = picture_kind(format_name, output)
    if kind is None and (output is not None or format_name is not None):
        help = "the suffixes are " + ", ".join(picture_suffixes())
        raise FormatError(f"unknown picture format: {format_name or output!r}", help=help)
    if output is not None:
        check_target(output)
    if kind is None:
        _check_look_on_terminal(look)
    elif style in _TEXT_STYLES:
        raise FormatError(f"a picture does not support the style {style}", help="omit -o, or use another --style")
    elif style is not None and style not in STYLES:
        raise _unknown_style(style)
    source = options.TourFile(file, board)
    puzzle = _puzzle(source, rather_tour=True)
    subjects: Sequence[Drawable] = ()
    if puzzle is None:
        try:
            subjects = _scenes(source) or _subjects(source)
        except KnightsTourError:
            # Rows with the numbers 1, 2, 3, ... and points that are not a tour may be a puzzle.
            puzzle = _puzzle(source)
            if puzzle is None:
                raise
    if puzzle is not None:
        _draw_puzzle(puzzle, kind, output, look)
    elif kind is None:
        print_with_characters(subjects, style=style or "lines")
    else:
        write_picture(picture_bytes(subjects, kind, **look), kind, output)
    return console.FOUND


def pairs_of(text: str) -> dict[str, str]:
    """Return names with their values; raises FormatError for any other text.

    >>> pairs_of("path=teal,dark=#ddd")
    {'path': 'teal', 'dark': '#ddd'}
    """
    found = [part.split("=", 1) for part in text.split(",")]
    if any(len(pair) < 2 for pair in found):
        raise FormatError(f"invalid colours: {text[:60]!r}", help="write NAME=COLOR,NAME=COLOR")
    return {name.strip(): value.strip() for name, value in found}


def _check_look_on_terminal(look: dict[str, Any]) -> None:
    """Raise an error for options that terminals do not support."""
    style = look.get("style", "lines")
    if style not in (*STYLES, *_TEXT_STYLES):
        raise _unknown_style(style)
    if style not in _TEXT_STYLES:
        help = f"write a picture: --style {style} -o tour.svg"
        raise FormatError(f"a terminal does not support the style {style}", help=help)
    for name in look:
        if name != "style":
            flag = f"--{name.replace('_', '-')}"
            raise FormatError(f"a terminal does not support {flag}", help="write a picture: -o tour.svg")


def _unknown_style(style: str) -> FormatError:
    help = f"on a terminal: {', '.join(_TEXT_STYLES)}; with -o, for a picture: {', '.join(STYLES)}"
    return FormatError(f"unknown style {quoted(style)}{did_you_mean(style, [*_TEXT_STYLES, *STYLES])}", help=help)


def _scenes(source: options.TourFile) -> Sequence[Drawable]:
    """Return the scenes of a certificate; empty for other files."""
    if parsing.is_size(source.file) or not is_certificate(source.path):
        return []
    _refuse_board(source)
    return Certificate(read_certificate(source.path)).scenes


def _refuse_board(source: options.TourFile) -> None:
    if source.board is not None:
        raise FormatError("only a file of tours supports a second argument", help=f"omit {source.board}")


def _puzzle(source: options.TourFile, *, rather_tour: bool = False) -> Puzzle | None:
    """Return the puzzle in a file, or None. rather_tour: as in holds_puzzle."""
    if parsing.is_size(source.file) or source.read_format is not None:
        return None
    from knightstour.lab.puzzles.recognise import holds_puzzle

    if not holds_puzzle(source.path, rather_tour=rather_tour):
        return None
    from knightstour.interfaces.cli.puzzle_makers import puzzles_in

    found = puzzles_in(source.path, source.board)
    if len(found) != 1:
        why = f"the file contains {len(found)} puzzles, and a picture shows one"
        raise FormatError(why, path=source.path, help="`puzzle sheet FILE -o book.pdf` prints all of them")
    return found[0]


def _draw_puzzle(puzzle: Puzzle, kind: str | None, output: str | None, look: dict[str, Any]) -> None:
    if kind is None:
        if look:
            raise FormatError("a puzzle has one style on a terminal", help="write a picture: -o puzzle.svg")
        click.echo(str(puzzle))
        return
    if kind == "html":
        raise FormatError("a web page shows a tour, not a puzzle", help="write an .svg, .png or .pdf")
    write_picture(picture_bytes([puzzle], kind, **look), kind, output)


def _subjects(source: options.TourFile) -> Sequence[Drawable]:
    if parsing.is_size(source.file):
        _refuse_board(source)
        return [parsing.board_of(source.file)]
    return source.read()
