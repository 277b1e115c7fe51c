"""What somebody meant who typed something else: the error and the help for common slips."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable

import click

from knightstour.interfaces.cli.removed import BOARD, REMOVED_COMMANDS, instead_of


class Misspelt(click.UsageError):
    """A usage error that knows what to type instead. help: that command or option."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def no_command(word: str, commands: Iterable[str]) -> Misspelt:
    """The error of a word that is no command: a board without one, or a command with a slip.

    >>> no_command("8x8", ["solve"]).help, no_command("cuont", ["solve", "count"]).help
    ('did you mean: knightstour solve 8x8', 'did you mean: knightstour count')
    """
    if BOARD.fullmatch(word):
        return Misspelt(f"{word} is a board, not a command", f"did you mean: knightstour solve {word}")
    if os.path.isfile(word):
        return Misspelt(f"{word} is a file, not a command", f"did you mean: knightstour check {word}")
    if word in REMOVED_COMMANDS:
        return Misspelt(f"there is no command {word} any more", f"type instead: {REMOVED_COMMANDS[word]}")
    near = difflib.get_close_matches(word, list(commands), 1)
    return Misspelt(
        f"there is no command {word!r}", f"did you mean: knightstour {near[0]}" if near else "knightstour --help"
    )


def meant(error: click.UsageError, arguments: list[str]) -> tuple[str, str] | None:
    """(error, help) of a usage error, where what was meant can be seen; else None. arguments: all that was typed."""
    if isinstance(error, Misspelt):
        return error.message, error.help
    if error.ctx is None:
        return None
    if isinstance(error, click.NoSuchOption):
        now = instead_of(error.option_name, arguments)
        if now is not None:
            return f"there is no option {error.option_name} any more", now
        return _negative_number(error, error.ctx, arguments)
    return _board_in_two_words(error, error.ctx, arguments) or _word_too_many(error, error.ctx)


def _places(context: click.Context) -> list[str | None]:
    """The names of a command's arguments."""
    return [parameter.name for parameter in context.command.params if isinstance(parameter, click.Argument)]


def _board_in_two_words(
    error: click.UsageError, context: click.Context, arguments: list[str]
) -> tuple[str, str] | None:
    """`solve 8 8` for `solve 8x8`."""
    if "unexpected extra argument" not in error.message or _places(context)[:1] != ["board"]:
        return None
    for first, second in zip(arguments[1:], arguments[2:], strict=False):
        if first.isdecimal() and second.isdecimal():
            option = arguments[arguments.index(first) - 1]
            if option in ("--start", "--end"):
                way = f"write {option} {first},{second} for row,column from 0 at the top left, or a name: {option} a1"
                return f"a square is one word, not {first} {second}", way
            return f"a board is one word, not {first} {second}", f"write {first}x{second}"
    return None


def _word_too_many(error: click.UsageError, context: click.Context) -> tuple[str, str] | None:
    """`convert a.txt b.json` for `convert a.txt -o b.json`, and `solve 8x8 closed` for `solve 8x8 --closed`."""
    found = re.fullmatch(r"Got unexpected extra argument \((\S+)\)", error.message)
    if found is None:
        return None
    word, options = found[1], {option for parameter in context.command.params for option in parameter.opts}
    if f"--{word}" in options:
        return f"one word too many: {word}", f"did you mean: --{word}"
    if "-o" in options and re.search(r"\w\.\w+$", word):
        return f"one word too many: {word}", f"to write that file: -o {word}"
    return None


def _negative_number(error: click.NoSuchOption, context: click.Context, arguments: list[str]) -> tuple[str, str] | None:
    """A number below 0, which looks like an option."""
    word = next((word for word in arguments[1:] if word.startswith(error.option_name)), "")
    if not re.match(r"-\d", word):
        return None
    places = _places(context)
    is_first = all(before.startswith("-") for before in arguments[1 : arguments.index(word)])
    if is_first and places[:1] == ["board"]:
        return f"a board of {word} has no square: rows and columns are at least 1", ""
    if not is_first and "number" in places:
        return f"there is no tour number {word}", "give a number from 1 to the count, or first, last, random, or 5..9"
    return None
