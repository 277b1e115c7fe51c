"""The options of pictures: all of them for `draw`, and the style for every command that may write a tour as a picture.

They are made from the tables LOOK_OPTIONS and SHEET_OPTIONS. Nothing here loads NumPy, so that the help is there at
once; interfaces/cli/pictures.py checks what was typed, and draws.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.model.errors import FormatError
from knightstour.interfaces.cli.declared import WHOLE, add_reader, option
from knightstour.interfaces.cli.help import PictureOption
from knightstour.interfaces.cli.options import FORMAT_NAMES, Decorator, output_options, together

if TYPE_CHECKING:
    from knightstour.core.drawing.look import LookOptions
    from knightstour.core.drawing.styles import LookOption


class PictureWords(NamedTuple):
    """What was typed of a picture: `look` for the options of LOOK_OPTIONS, and a field for each of SHEET_OPTIONS."""

    look: LookOptions
    window: str | None = None
    per_row: int | None = None
    fps: float | None = None

    def by_flag(self) -> dict[str, object]:
        """What was typed, by option."""
        typed = {**self.look, **{name: getattr(self, name) for name in self._fields[1:]}}
        return {flag_of(name): value for name, value in typed.items() if value is not None}


def flag_of(name: str) -> str:
    """The option of a name.

    >>> flag_of("per_row")
    '--per-row'
    """
    return "--" + name.replace("_", "-")


def pairs_of(text: str) -> dict[str, str]:
    """Names with their values, as they are typed; a FormatError for anything else.

    >>> pairs_of("path=teal,dark=#ddd")
    {'path': 'teal', 'dark': '#ddd'}
    """
    found = [part.split("=", 1) for part in text.split(",")]
    if any(len(pair) < 2 for pair in found):
        raise FormatError(f"not names with values: {text[:60]!r}", help="write NAME=VALUE,NAME=VALUE")
    return {name.strip(): value.strip() for name, value in found}


# How each kind of LookOption is read, and what its value is called in the help.
_KINDS: dict[str, tuple[click.ParamType | Callable[[str], object], str]] = {
    "text": (str, "TEXT"),
    "number": (float, "X"),
    "whole": (WHOLE, "N"),
    "window": (str, "R,C,H,W"),
    "squares": (lambda text: [name.strip() for name in text.split(",")], "SQ,SQ.."),
    "pairs": (pairs_of, "NAME=VALUE,.."),
    "length": (str, "MM"),
}


def _picture_option(name: str, row: LookOption, note: str) -> Decorator:
    help = f"{row.help[0].upper()}{row.help[1:]}{note}."
    if row.kind == "flag":
        return click.option(
            f"{flag_of(name)}/--no-{flag_of(name)[2:]}", name, default=None, help=help, cls=PictureOption
        )
    kind, metavar = _KINDS[row.kind]
    return click.option(flag_of(name), name, type=kind, metavar=metavar, help=help, cls=PictureOption)


def picture_options(*, style_note: str = "") -> Decorator:
    """The options of PictureWords, which the command is given as `picture`. style_note: more of the help of --style."""
    from knightstour.core.drawing.styles import LOOK_OPTIONS, SHEET_OPTIONS

    notes = {"style": style_note}
    rows = {**LOOK_OPTIONS, **SHEET_OPTIONS}
    options = [_picture_option(name, row, notes.get(name, "")) for name, row in rows.items()]

    def read(given: dict[str, Any]) -> None:
        look = {name: value for name in LOOK_OPTIONS if (value := given.pop(name)) is not None}
        sheet = {name: given.pop(name) for name in SHEET_OPTIONS}
        given["picture"] = PictureWords(cast("LookOptions", look), **sheet)

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        add_reader(function, read)
        return together(*options)(function)

    return decorate


def tour_output_options(
    where: str = "Write the tours there, or a picture.",
    *,
    default: str = "",
    metavar: str = "FILE",
    names: tuple[str, ...] = ("--format",),
) -> Decorator:
    """The options of Target and --style, for a command that writes tours in a format of tours or as a picture.

    where, metavar, names: as for `output_options`. default: the format without --format, where it has to be said.
    """

    def formats() -> str:
        return f"{FORMAT_NAMES}; {f'default {default}; ' if default else ''}or {', '.join(PICTURE_KINDS)}."

    return together(output_options(where, formats=formats, metavar=metavar, names=names), _style_option)


def _style_option(function: Callable[..., int]) -> Callable[..., int]:
    """--style alone, which the command is given as the `picture`; all else about pictures is `draw`'s."""

    def read(given: dict[str, Any]) -> None:
        style = given.pop("style")
        look: dict[str, Any] = {} if style is None else {"style": style}
        given["picture"] = PictureWords(cast("LookOptions", look))

    add_reader(function, read)

    def names() -> str:
        from knightstour.core.drawing.styles import STYLES

        return "Of a picture: " + ", ".join(STYLES) + "; `draw` has the rest."

    return option("--style", metavar="NAME", help=names)(function)
